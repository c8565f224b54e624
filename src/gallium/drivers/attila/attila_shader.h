/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader objects: a compiled program, its binary in GPU memory, and the links between vertex
 * outputs and fragment inputs.
 */
#ifndef ATTILA_SHADER_H
#define ATTILA_SHADER_H

#include "attila_compiler.h"
#include "attila_memory.h"
#include "hw/attila_cmd.h"
#include "pipe/p_defines.h"

struct attila_context;
struct pipe_screen;

struct attila_shader {
   enum attila_stage stage;
   struct attila_compiled compiled;
   void *binary; /* until it is in GPU memory */
   uint32_t binary_size;
   struct attila_bo bo;
   bool failed;   /* did not compile: draws with it are skipped */
   char name[96]; /* for messages and markers */
};

const void *attila_get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                                        enum pipe_shader_type shader);

void attila_init_context_shaders(struct attila_context *ctx);

/* Records what is needed for the GPU to run the bound program of a stage. False (after a message):
 * it cannot. */
bool attila_emit_program(struct attila_context *ctx, enum attila_stage stage);

/* Fills the registers that connect the two bound programs. */
void attila_link_shaders(struct attila_context *ctx, struct attila_regs *regs);

#endif
