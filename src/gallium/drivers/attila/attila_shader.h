/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader objects: a shader, its programs, and links between stages' outputs and inputs. */
#ifndef ATTILA_SHADER_H
#define ATTILA_SHADER_H

#include <stdbool.h>
#include "compiler/shader_enums.h"
#include "attila_cs.h"
#include "hw/attila_limits.h"
#include "pipe/p_defines.h"

struct attila_compiled;
struct attila_context;
struct attila_program;
struct attila_regs;
struct nir_shader;
struct pipe_screen;

struct attila_shader {
   enum attila_stage stage;
   struct nir_shader *nir;            /* fragment: source of variants; owned */
   char *source;                      /* fragment: text of the shader; NULL: unknown */
   struct attila_stream_table stream; /* vertex, geometry */
   struct attila_program *programs;   /* the first one is without variations */
};

const void *attila_get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                                        enum pipe_shader_type shader);

/* Chooses all stages' programs for primitives of a kind (attila_context.program) and records what
 * the GPU needs to run them. All state but shaders must be bound. Returns false (after a message)
 * if it cannot run them. */
bool attila_emit_programs(struct attila_context *ctx, enum mesa_prim prim);

/* Does the same for the program of a grid. */
bool attila_emit_grid_program(struct attila_context *ctx);

/* Returns the chosen program whose outputs are rasterised. */
const struct attila_compiled *attila_last_vertex_program(const struct attila_context *ctx);
/* Returns the output register of a varying, or ATTILA_NO_VARYING if it is not written. */
uint32_t attila_output_register(const struct attila_compiled *from, gl_varying_slot slot);

/* Fills the registers that connect the chosen programs. */
void attila_link_shaders(struct attila_context *ctx, struct attila_regs *regs);

#endif
