/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DISPATCH in functional mode: the workgroups of a grid, one after the other, after all earlier
 * draws. Grids have no rows of their own here, as uploads and copies have none. */
#include "func/sim_func_impl.h"

static void
func_grid_run(struct sim_func *f, struct func_pass *pass)
{
   const uint64_t num = emul_grid_workgroups(&pass->state);
   pass->device = f->device;
   f->compute.state = &pass->state;
   f->compute.memory = f->device->memory;
   f->compute.sample = func_sample;
   f->compute.accesses = f->device->uses.users ? func_use_storage : NULL;
   f->compute.user = pass;
   emul_grid_start(&f->compute);
   for (uint64_t i = 0; i < num; i++)
      emul_grid_run(&f->compute, i, NULL);
   if (f->compute.stopped)
      sim_warn(&f->device->observed, EMUL_STOPPED_TEXT, pass->state.max_iterations);
   sim_frontend_counters(f->device->frontend)[ATTILA_COUNTER_CS_INVOCATIONS] +=
       emul_grid_invocations(&pass->state);
   func_draw_writes(f, &pass->state, true);
}

bool
func_exec_dispatch(struct sim_func *f, const uint32_t *payload, uint32_t words)
{
   struct sim_device *d = f->device;
   struct attila_cmd_dispatch cmd;
   char error[256];
   (void)words;
   memcpy(&cmd, payload, sizeof(cmd));
   if (!sim_frontend_draws(d->frontend, cmd.flags))
      return true;
   func_drain(f);
   sim_func_sync_memory(f);
   if (cmd.flags & ATTILA_DRAW_INDIRECT)
      memcpy(cmd.groups, d->memory + cmd.address, sizeof(cmd.groups));
   if (!cmd.groups[0] || !cmd.groups[1] || !cmd.groups[2])
      return true;
   struct func_pass *pass = func_pass_take(f);
   if (!sim_frontend_begin_grid(d->frontend, &pass->state, cmd.groups, error, sizeof(error))) {
      sim_warn(&d->observed, "grid skipped: %s", error);
      return true;
   }
   func_grid_run(f, pass);
   sim_frontend_end_draw(d->frontend, &pass->state);
   return true;
}
