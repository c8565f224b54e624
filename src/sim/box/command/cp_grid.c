/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, DISPATCH: a grid runs alone, between draws, since it may write whatever its
 * storage buffers hold. When it has ended, caches forget what it may have written. Not here: its
 * workgroups (csd.c). */
#include "box/command/cp.h"
#include "emul/compute/emul_grid.h"

enum { GRID_IDLE, GRID_NUMBERS, GRID_READ, GRID_BEGIN, GRID_STATE, GRID_MEMORY, GRID_RUN };

/* Takes the snapshot of the state; false if the grid cannot run and is skipped. */
static bool
cp_grid_begin(struct cp *cp, const uint32_t groups[3], const char *note)
{
   struct sim_device *device = cp->box.gpu->device;
   struct sim_draw *grid = &cp->grid;
   char error[256];
   if (!sim_frontend_begin_grid(device->frontend, &grid->state, groups, error, sizeof(error))) {
      sim_warn(&device->observed, "grid skipped: %s", error);
      return false;
   }
   struct sim_work work = {
       .kind = SIM_KIND_DISPATCH,
       .count = (uint32_t)emul_grid_invocations(&grid->state),
       .context = sim_frontend_context(device->frontend),
       .instances = (uint32_t)emul_grid_workgroups(&grid->state),
       .label = sim_frontend_label(device->frontend),
       .call = note,
   };
   sim_draw_work(device, &grid->state, &work);
   grid->work_id = sim_work_begin(cp->box.gpu->work, &work);
   grid->stopped = 0;
   cp->work_id = grid->work_id;
   /* The command keeps its work id until it has finished. */
   sim_work_ref(cp->box.gpu->work, cp->work_id);
   return true;
}

static void
cp_grid_retire(struct cp *cp, sim_tick now)
{
   struct sim_device *device = cp->box.gpu->device;
   struct sim_draw *grid = &cp->grid;
   sim_work_end(cp->box.gpu->work, grid->work_id, sim_box_time(&cp->box, now));
   if (grid->stopped)
      sim_warn(&device->observed, EMUL_STOPPED_TEXT, grid->state.max_iterations);
   sim_frontend_counters(device->frontend)[ATTILA_COUNTER_CS_INVOCATIONS] +=
       emul_grid_invocations(&grid->state);
   cp_storage_retire(cp, &grid->state);
   sim_frontend_end_draw(device->frontend, &grid->state);
}

void
cp_grid_fini(struct cp *cp)
{
   struct sim_frontend *f = cp->box.gpu->device->frontend;
   if (cp->grid.state.cs && f)
      sim_frontend_end_draw(f, &cp->grid.state);
}

/* Finds out how many workgroups there are; true when known. */
static bool
cp_grid_count(struct cp *cp, const struct attila_cmd_dispatch *d, sim_tick now)
{
   const uint32_t size = sizeof(d->groups);
   if (cp->phase == GRID_IDLE) {
      if (!cp_idle(cp, now))
         return false;
      cp->phase = d->flags & ATTILA_DRAW_INDIRECT ? GRID_NUMBERS : GRID_BEGIN;
   }
   if (cp->phase < GRID_BEGIN) {
      if (!cp_dma_find_drawn(cp, GRID_NUMBERS, d->address, size, now))
         return false;
      cp->phase = GRID_BEGIN;
   }
   return true;
}

/* Sends the grid once all that it reads is in memory; true when sent. */
static bool
cp_grid_start(struct cp *cp, sim_tick now)
{
   struct sim_signal *out = &cp->box.gpu->net.cp_csd[0];
   if (cp->phase == GRID_STATE) {
      if (!cp_storage_prepare(cp, &cp->grid.state, now))
         return false;
      cp->phase = GRID_MEMORY;
   }
   if (!cp_pass_flush(cp, NULL, now) || cp->writes || !cp_forget_written(cp, now) ||
       !sim_can_send(out, now))
      return false;
   cp->grid.start = now;
   sim_work_start(cp->box.gpu->work, cp->grid.work_id, sim_box_time(&cp->box, now), 0);
   sim_send(out, now, &(struct msg_grid){.grid = &cp->grid});
   cp->csd_answer = true;
   cp->phase = GRID_RUN;
   return true;
}

bool
cp_exec_dispatch(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   struct attila_cmd_dispatch d;
   memcpy(&d, payload, sizeof(d));
   if (!sim_frontend_draws(cp->box.gpu->device->frontend, d.flags)) {
      cp->stat[cp->work_id].skipped++;
      return true;
   }
   if (!cp_grid_count(cp, &d, now))
      return false;
   if (cp->phase == GRID_BEGIN) {
      if (d.flags & ATTILA_DRAW_INDIRECT)
         memcpy(d.groups, cp->condition, sizeof(d.groups));
      if (!d.groups[0] || !d.groups[1] || !d.groups[2] ||
          !cp_grid_begin(cp, d.groups, attila_cmd_dispatch_note(payload, cp->words - 1)))
         return true;
      cp->phase = GRID_STATE;
   }
   if (cp->phase < GRID_RUN && !cp_grid_start(cp, now))
      return false;
   if (cp->csd_answer)
      return false;
   cp_grid_retire(cp, now);
   return true;
}
