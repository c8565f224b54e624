/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A grid's arithmetic (OpenGL 4.3, chapter 19): which invocations a group has, what they read, and
 * the effects of a workgroup. Workgroups take effect one after the other, in the order of their
 * numbers, x first; the groups of 16 invocations of a workgroup in order, each up to the next
 * barrier. So every machine leaves the same memory, whatever a program does. Functional mode does
 * just this. In cycle mode it is done when a workgroup is placed (box/command/csd.c), and boxes
 * execute the workgroup again in its time, with what units answered taken from a log. Not here: how
 * long anything takes. */
#ifndef EMUL_GRID_H
#define EMUL_GRID_H

#include "emul/emul_draw.h"

#define EMUL_MAX_WORKGROUP_GROUPS (ATTILA_MAX_WORKGROUP / EMUL_LANES)

/* Returns the workgroups of a grid. */
static inline uint64_t
emul_grid_workgroups(const struct emul_draw_state *state)
{
   return (uint64_t)state->grid[0] * state->grid[1] * state->grid[2];
}

/* Returns the invocations of a grid. */
static inline uint64_t
emul_grid_invocations(const struct emul_draw_state *state)
{
   return emul_grid_workgroups(state) * attila_isa_workgroup(emul_program_isa(state->cs));
}

/* Loads the inputs of a workgroup's invocations first, first + 1, ... into so many lanes. */
void emul_grid_load(const struct emul_draw_state *state, uint64_t workgroup, unsigned first,
                    unsigned lanes, struct emul_vec4 inputs[ATTILA_NUM_CS_INPUTS]);

/* Executes workgroups of a grid. */
struct emul_grid {
   const struct emul_draw_state *state;
   uint8_t *memory;
   void (*sample)(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel);
   void (*accesses)(void *user, const struct emul_memory_request *request); /* or NULL */
   void *user;
   bool stopped;               /* an invocation looped too often; later ones are stopped soon */
   unsigned groups;            /* of a workgroup */
   struct emul_thread *thread; /* [groups] */
   struct emul_vec4 *registers;
   size_t room; /* bytes of registers */
   unsigned max_groups;
   uint8_t shared[ATTILA_MAX_SHARED_BYTES];
};

/* Begins a grid. The caller has set state, memory and what is called; g is cleared before the first
 * grid, and keeps its host memory from grid to grid. */
void emul_grid_start(struct emul_grid *g);
/* Returns the most iterations of a group of the next workgroup. */
uint32_t emul_grid_iterations(const struct emul_grid *g);
/* Does what a workgroup does to memory. logs: emptied ones of its groups; NULL: none. */
void emul_grid_run(struct emul_grid *g, uint64_t workgroup, struct emul_log *logs);
void emul_grid_fini(struct emul_grid *g);

#endif
