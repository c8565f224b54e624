/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Executes workgroups of a compute program; see emul_grid.h. */
#include "emul/compute/emul_grid.h"

#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "emul/shader/emul_shader_program.h"

void
emul_grid_load(const struct emul_draw_state *state, uint64_t workgroup, unsigned first,
               unsigned lanes, struct emul_vec4 inputs[ATTILA_NUM_CS_INPUTS])
{
   const uint16_t *size = emul_program_isa(state->cs)->workgroup;
   const uint32_t *grid = state->grid;
   const uint32_t id[4] = {(uint32_t)(workgroup % grid[0]),
                           (uint32_t)(workgroup / grid[0] % grid[1]),
                           (uint32_t)(workgroup / grid[0] / grid[1]), 0};
   for (unsigned l = 0; l < lanes; l++) {
      const uint32_t number = first + l;
      const uint32_t local[4] = {number % size[0], number / size[0] % size[1],
                                 number / size[0] / size[1], number};
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t of_grid = c < 3 ? grid[c] : 0;
         memcpy(&inputs[ATTILA_CS_INPUT_LOCAL].c[c][l], &local[c], 4);
         memcpy(&inputs[ATTILA_CS_INPUT_WORKGROUP].c[c][l], &id[c], 4);
         memcpy(&inputs[ATTILA_CS_INPUT_GRID].c[c][l], &of_grid, 4);
      }
   }
}

/* Returns the registers of a group: inputs and temporaries. */
static unsigned
emul_grid_registers(const struct emul_grid *g)
{
   return ATTILA_NUM_CS_INPUTS + emul_program_isa(g->state->cs)->num_temps;
}

void
emul_grid_start(struct emul_grid *g)
{
   g->groups = (attila_isa_workgroup(emul_program_isa(g->state->cs)) + EMUL_LANES - 1) / EMUL_LANES;
   g->stopped = false;
   if (g->groups > g->max_groups) {
      free(g->thread);
      g->thread = sim_xaligned_alloc(64, g->groups * sizeof(*g->thread));
      memset(g->thread, 0, g->groups * sizeof(*g->thread));
      g->max_groups = g->groups;
   }
   const size_t bytes = (size_t)g->groups * emul_grid_registers(g) * sizeof(*g->registers);
   if (bytes > g->room) {
      free(g->registers);
      g->registers = sim_xaligned_alloc(64, bytes);
      g->room = bytes;
   }
}

uint32_t
emul_grid_iterations(const struct emul_grid *g)
{
   const uint32_t most = g->state->max_iterations;
   return g->stopped && most > EMUL_FEW_ITERATIONS ? EMUL_FEW_ITERATIONS : most;
}

static void
emul_grid_begin(struct emul_grid *g, uint64_t workgroup, unsigned group, struct emul_log *logs)
{
   const struct attila_isa_program *isa = emul_program_isa(g->state->cs);
   const unsigned first = group * EMUL_LANES, left = attila_isa_workgroup(isa) - first,
                  lanes = left < EMUL_LANES ? left : EMUL_LANES;
   struct emul_thread *t = &g->thread[group];
   struct emul_vec4 *inputs = g->registers + (size_t)group * emul_grid_registers(g);
   emul_grid_load(g->state, workgroup, first, lanes, inputs);
   t->inputs = inputs;
   t->temps = inputs + ATTILA_NUM_CS_INPUTS;
   t->consts = (const float(*)[4])g->state->consts[ATTILA_STAGE_COMPUTE];
   t->buffers = g->state->const_buffers[ATTILA_STAGE_COMPUTE];
   t->storage = g->state->storage[ATTILA_STAGE_COMPUTE];
   t->images = g->state->images[ATTILA_STAGE_COMPUTE];
   t->memory = g->memory;
   t->shared = g->shared;
   t->accesses = g->accesses;
   emul_thread_start(t, g->state->cs, (uint16_t)((1u << lanes) - 1), false,
                     emul_grid_iterations(g));
   t->logs = logs;
   t->log_first = (uint16_t)first;
   t->log_reads = false;
}

void
emul_grid_run(struct emul_grid *g, uint64_t workgroup, struct emul_log *logs)
{
   bool ended[EMUL_MAX_WORKGROUP_GROUPS] = {false};
   unsigned left = g->groups;
   memset(g->shared, 0, emul_program_isa(g->state->cs)->shared_bytes);
   for (unsigned i = 0; i < g->groups; i++)
      emul_grid_begin(g, workgroup, i, logs);
   while (left) {
      for (unsigned i = 0; i < g->groups; i++) {
         if (ended[i] || emul_thread_run(&g->thread[i], g->sample, g->user) != EMUL_STEP_END)
            continue;
         ended[i] = true;
         left--;
      }
   }
   for (unsigned i = 0; i < g->groups; i++)
      g->stopped |= g->thread[i].stopped != 0;
}

void
emul_grid_fini(struct emul_grid *g)
{
   free(g->thread);
   free(g->registers);
}
