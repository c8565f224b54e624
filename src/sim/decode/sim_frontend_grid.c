/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The front end's part of grids: the snapshot of a DISPATCH. Not here: its workgroups
 * (emul/compute/emul_grid.h). */
#include "decode/sim_frontend_impl.h"

#include "emul/compute/emul_grid.h"

bool
sim_frontend_begin_grid(struct sim_frontend *f, struct emul_draw_state *state,
                        const uint32_t groups[3], char *error, size_t error_size)
{
   sim_frontend_take_stages(f, state, 1u << ATTILA_STAGE_COMPUTE);
   bool ok = emul_grid_state_init(state, &f->now->regs, groups, f->memory_size, error, error_size);
   if (ok && emul_grid_invocations(state) > f->max_vertices) {
      snprintf(error, error_size, "%llu invocations, SIMULATOR.MaxDrawVertices allows %llu",
               (unsigned long long)emul_grid_invocations(state),
               (unsigned long long)f->max_vertices);
      ok = false;
   }
   if (!ok)
      sim_frontend_end_draw(f, state);
   return ok;
}
