/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The geometry stage's arithmetic (OpenGL 3.2, section 2.12): loads a primitive's vertices into a
 * lane's registers, and makes primitives of what it emitted. Not here: EMIT and CUT
 * (emul_shader.c), timing (box/geometry/gi.c, gc.c; func/func_gs.c). */
#ifndef EMUL_GS_H
#define EMUL_GS_H

#include "emul/emul_draw.h"

/* Sets what a lane may emit: how many vertices, and of how many vectors each. */
static inline void
emul_gs_start(const struct emul_draw_state *state, struct emul_emission *e)
{
   emul_emission_start(e, state->num_outputs, emul_program_isa(state->gs)->gs_max_vertices);
}

/* Returns the bytes of an output buffer that a primitive needs: all outputs that the program
 * writes, for all vertices that it may emit. */
uint32_t emul_gs_output_bytes(const struct emul_draw_state *state);

/* Returns how many input registers there are up to the highest that a program reads. */
unsigned emul_gs_input_registers(const struct attila_isa_program *isa);

/* Loads a lane's inputs. vertex: one per vertex of the primitive; id: its number; invocation: of
 * the lanes that take it, up to the program's gs_repeats. */
void emul_gs_load(const struct emul_draw_state *state, const struct emul_vertex *const *vertex,
                  uint32_t id, uint32_t invocation, unsigned lane, struct emul_vec4 *inputs);

/* Makes primitives of a lane's emission: points, line strips, triangle strips. */
struct emul_gs_strips {
   struct emul_assembler assembler;
   unsigned next; /* vertex number */
};
void emul_gs_strips_start(struct emul_gs_strips *s, const struct emul_draw_state *state);
/* Takes the next emitted vertex, which exists, with handle ref. True: out is a primitive, made of
 * handles. keep: as in emul_assembler_vertex. */
bool emul_gs_strips_vertex(struct emul_gs_strips *s, const struct emul_emission *e, uint32_t ref,
                           struct emul_assembled *out, unsigned *keep);

#endif
