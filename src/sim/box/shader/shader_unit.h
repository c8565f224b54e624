/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a shader's boxes (Shader Fetch, Decode/Execute, Texture Unit, Constant
 * Cache) share: the context of a thread
 * group. Whoever received the last message with the thread owns it. Timing belongs to the boxes;
 * this file holds no state of its own.
 */
#ifndef SIM_SHADER_UNIT_H
#define SIM_SHADER_UNIT_H

#include "box/objects.h"
#include "config/sim_shader_machine.h"
#include "emul/shader/emul_shader_program.h"

/* State of a thread; READY, BLOCKED, CONSTANT and ENDED are what Decode/Execute answers
 * (msg_issue.state). */
enum shf_state {
   SHF_FREE,     /* context not in use */
   SHF_LOADING,  /* inputs on their way */
   SHF_BUFFERED, /* loaded, waits until it may execute */
   SHF_READY,    /* may be fetched */
   SHF_WAITING,  /* may be fetched at a tick that is known */
   SHF_ISSUED,   /* with Decode/Execute */
   SHF_BLOCKED,  /* waits for the texture unit */
   SHF_CONSTANT, /* waits for the constant cache */
   SHF_ENDED,    /* waits for its outputs to be taken */
   SHF_NUM_STATES
};

struct shf_thread {
   struct emul_thread emul; /* the texture unit answers emul.tex with emul_thread_result */
   struct sim_group *group;
   sim_tick held_since;    /* its registers are not counted from here on */
   uint32_t registers;     /* that it holds, in units of the shader's register file */
   uint16_t index;         /* in the shader */
   uint8_t lanes;          /* inputs it has; the ALUs work on a full group's */
   uint16_t num_temps;     /* of its program */
   sim_tick latest;        /* when the last of its results is written */
   sim_tick *ready_at;     /* by scoreboard entry: tick from which an instruction that needs the
                              register may execute */
   struct sim_cost *costs; /* of its program's instructions; NULL: not counted */
   uint32_t at;            /* the instruction that its present state is charged to */
   sim_tick since;         /* when that began */
   struct emul_vec4 *inputs, *outputs;
   struct emul_vec4 *block; /* these, the temporaries and ready_at, side by side: the host's caches
                               hold few pages */
   size_t block_size;       /* bytes */
};

/* The instruction at pc. */
static inline const struct emul_instr *
shf_thread_instr(const struct shf_thread *t)
{
   return &t->emul.program->instrs[t->emul.pc];
}

/* Tick from which an instruction of the thread has its sources. Of all temporaries at once: when
 * the last that is on its way is written. */
static inline sim_tick
shf_operands_ready(const struct shf_thread *t, const struct emul_instr *in)
{
   sim_tick tick = in->sb_dst == EMUL_SB_ANY_TEMP ? t->ready_at[EMUL_SB_ANY_TEMP] : 0;
   for (unsigned s = 0; s < 4; s++) {
      sim_tick source = t->ready_at[in->sb_src[s]];
      tick = source > tick ? source : tick;
   }
   return tick;
}

/* The machine of shader s of a GPU; its configuration is valid. */
static inline void
shf_machine(struct sim_shader_machine *machine, const struct sim_config *config, unsigned s)
{
   char error[256];
   bool vertices = !config->gpu.unified && s >= config->gpu.num_shaders;
   sim_shader_machine_init(machine, config, vertices, error, sizeof(error));
}

/* Cycles in which the outputs of a group of vertices leave, or those that EMIT takes. */
static inline unsigned
shf_output_cycles(const struct sim_shader_machine *m, const struct attila_isa_program *isa)
{
   const unsigned cycles =
       (attila_isa_outputs(isa) + m->output_attributes - 1) / m->output_attributes;
   return (cycles ? cycles : 1) * m->output_cycles;
}

/* Makes room for the registers of a program and their scoreboard. */
void shf_thread_reserve(struct sim_arena *arena, struct shf_thread *t,
                        const struct attila_isa_program *isa);
/* Loads t->group's inputs and starts its program at instruction 0. */
void shf_thread_load(struct shf_thread *t);
/* Stores outputs, kills and written depth in t->group's vertices or quads. */
void shf_thread_store(const struct shf_thread *t);

/* For the host's caches: others used these quads and groups long ago. */

static inline void
shf_prefetch_group(const struct sim_group *g)
{
   __builtin_prefetch(g);
   __builtin_prefetch(&g->quad[EMUL_LANES / 4 - 1]);
}
/* Quads that get outputs in some cycles. */
void shf_prefetch_outputs(const struct sim_group *g);
/* The group that is loaded next: as often as called, a part of what that will need. */
struct shf_coming {
   const struct sim_group *group;
   unsigned quads; /* of it that have been prefetched */
};
void shf_prefetch_input(struct shf_coming *coming, const struct msg_group *next);

#endif
