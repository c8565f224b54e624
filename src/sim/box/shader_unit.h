/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a shader's boxes (Shader Fetch, Decode/Execute, Texture Unit) share: the context of a thread group. Whoever received the
 * last message with the thread owns it. Timing belongs to the boxes; this file holds no state of its own.
 */
#ifndef SIM_SHADER_UNIT_H
#define SIM_SHADER_UNIT_H

#include "box/objects.h"
#include "emul/emul_shader_program.h"

/* State of a thread as msg_issue.state tells it to Shader Fetch. */
enum shf_state {
   SHF_FREE,    /* context not in use */
   SHF_LOADING, /* inputs on their way */
   SHF_READY,   /* may issue at tick ready */
   SHF_ISSUED,  /* with Decode/Execute */
   SHF_BLOCKED, /* waits for the texture unit */
   SHF_ENDED,   /* waits for its outputs to be taken */
};

struct shf_thread {
   struct emul_thread emul;          /* the texture unit answers emul.tex with emul_thread_texture_result */
   struct sim_group *group;
   uint16_t index;                   /* in the shader */
   uint8_t lanes;                    /* inputs */
   uint16_t num_temps;               /* registers per input it holds are max(1, num_temps) */
   uint32_t temps_allocated;
   sim_tick ready_at[EMUL_SB_SIZE];   /* tick at which an instruction that needs the register may execute */
   struct emul_vec4 inputs[ATTILA_ISA_MAX_INPUTS];
   struct emul_vec4 outputs[ATTILA_ISA_MAX_OUTPUTS];
};

#endif
