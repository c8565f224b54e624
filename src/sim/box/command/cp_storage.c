/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, buffers and images that programs load from and store to: their commands, and
 * draws. A draw whose programs write some runs alone, so that draws see what earlier ones wrote,
 * in any order of their threads. OpenGL asks for that only behind a barrier (4.3, section 7.12.2);
 * its cost is the drain of the pipeline. When such a draw has ended, caches forget what it may have
 * written. Not here: the accesses (box/shader/lsu.c). */
#include "box/command/cp.h"

/* --- Commands --- */

/* Counts the addresses and sizes of buffers as registers; false: not now. */
static bool
cp_storage_count(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const uint32_t count = cp->words - 3; /* addresses and sizes are registers */
   const bool geometry = payload[0] != ATTILA_STAGE_FRAGMENT;
   if (!cp_buffer_updates(cp, geometry ? count : 0, geometry ? 0 : count, now))
      return false;
   cp->stat[cp->work_id].register_writes += count;
   return true;
}

bool
cp_exec_const_buffers(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   if (!cp_storage_count(cp, payload, now))
      return false;
   sim_frontend_const_buffers(cp->box.gpu->device->frontend, payload, cp->words - 1);
   return true;
}

bool
cp_exec_storage(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   if (!cp_storage_count(cp, payload, now))
      return false;
   sim_frontend_storage(cp->box.gpu->device->frontend, payload, cp->words - 1);
   return true;
}

bool
cp_exec_images(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   if (!cp_storage_count(cp, payload, now))
      return false;
   sim_frontend_images(cp->box.gpu->device->frontend, payload, cp->words - 1);
   return true;
}

/* --- Draws --- */

/* Calls for the memory of each storage buffer and image of a draw, of writing stages or of all;
 * stops when false. */
static bool
cp_storage_each(struct cp *cp, const struct emul_draw_state *state, bool writers,
                bool (*call)(struct cp *cp, uint64_t start, uint64_t end, sim_tick now),
                sim_tick now)
{
   uint64_t start, end;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      const struct emul_program *p = emul_stage_program(state, s);
      if (!p || !emul_program_isa(p)->uses_storage || (writers && !emul_stage_writes(state, s)))
         continue;
      for (unsigned i = 0; i < EMUL_STAGE_STORAGE; i++) {
         if (emul_stage_storage(state, s, i, &start, &end) && !call(cp, start, end, now))
            return false;
      }
   }
   return true;
}

static bool
cp_storage_sync(struct cp *cp, uint64_t start, uint64_t end, sim_tick now)
{
   if (!cp_rop_holds(cp, start, end) &&
       (cp->max_passes == 1 || !cp_pass_uses(cp, NULL, start, end)))
      return true;
   return cp_idle(cp, now) && cp_rop_sync(cp, CP_ROPS, start, end, true, now);
}

bool
cp_storage_prepare(struct cp *cp, const struct emul_draw_state *state, sim_tick now)
{
   bool alone = state->storage_writers != 0;
   for (uint32_t i = 0; i < cp->in_flight && !alone; i++)
      alone = cp->draws[cp->order[(cp->first + i) % cp->max_draws]].draw.state.storage_writers != 0;
   return (!alone || cp_idle(cp, now)) && cp_storage_each(cp, state, false, cp_storage_sync, now);
}

static bool
cp_storage_written(struct cp *cp, uint64_t start, uint64_t end, sim_tick now)
{
   (void)now;
   cp_written(cp, start, end);
   return true;
}

void
cp_storage_retire(struct cp *cp, const struct emul_draw_state *state)
{
   cp_storage_each(cp, state, true, cp_storage_written, 0);
}

bool
cp_storage_writes(const struct cp *cp, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < cp->in_flight; i++) {
      const struct emul_draw_state *d =
          &cp->draws[cp->order[(cp->first + i) % cp->max_draws]].draw.state;
      for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
         const unsigned num = emul_stage_writes(d, s) ? EMUL_STAGE_STORAGE : 0;
         for (unsigned k = 0; k < num; k++) {
            uint64_t from, to;
            if (emul_stage_storage(d, s, k, &from, &to) && from < end && start < to)
               return true;
         }
      }
   }
   return false;
}
