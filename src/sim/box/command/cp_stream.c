/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, stream-out: its tables, its buffers and how full they are, and draws of as
 * many vertices as stream-out wrote. As on the R600 (stream-out flush), buffers change when all
 * earlier work is done, so later commands read what was written. Not here: what is written
 * (box/geometry/so.c). */
#include "box/command/cp.h"
#include "emul/emul_stream_out.h"

bool
cp_exec_stream_outputs(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const uint32_t count = cp->words - 1;
   if (!cp_buffer_updates(cp, count, 0, now))
      return false;
   cp->stat[cp->work_id].register_writes += count;
   sim_frontend_stream_outputs(cp->box.gpu->device->frontend, payload, count);
   return true;
}

bool
cp_exec_stream_targets(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   struct attila_stream_target target[ATTILA_MAX_STREAM_BUFFERS];
   memcpy(target, payload, sizeof(target));
   if (cp->phase == 0) {
      if (!cp_idle(cp, now))
         return false;
      cp->num_counters = 0;
      cp->phase = 1;
   }
   while (cp->num_counters < ATTILA_MAX_STREAM_BUFFERS) {
      uint64_t *filled = &cp->condition[cp->num_counters];
      const uint32_t address = target[cp->num_counters].filled;
      *filled = 0;
      if (address && !cp_dma_read(cp, now, address, filled, sizeof(*filled)))
         return false;
      cp->num_counters++;
   }
   if (cp->reads)
      return false;
   sim_frontend_stream_targets(cp->box.gpu->device->frontend, payload, cp->condition);
   cp->stat[cp->work_id].register_writes += cp->words - 1;
   return true;
}

bool
cp_exec_vertex_count(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   struct attila_cmd_vertex_count c;
   memcpy(&c, payload, sizeof(c));
   if (cp->phase == 0) {
      /* The counter must be written first. */
      if (cp->event_head != cp->event_tail)
         cp_pass_end_by_command(cp);
      if (cp->event_head != cp->event_tail || cp->writes ||
          !cp_listed_resolved(cp, c.filled, (uint64_t)c.filled + 8, now) ||
          !cp_dma_read(cp, now, c.filled, cp->condition, sizeof(cp->condition[0])))
         return false;
      cp->phase = 1;
   }
   if (cp->reads)
      return false;
   sim_frontend_set_vertex_count(cp->box.gpu->device->frontend, &c, cp->condition[0]);
   return true;
}

bool
cp_stream_writes(const struct cp *cp, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < cp->in_flight; i++) {
      const struct cp_draw *d = &cp->draws[cp->order[(cp->first + i) % cp->max_draws]];
      const struct emul_stream_out *s = d->streams ? d->draw.state.stream_out : NULL;
      for (uint32_t m = s ? s->buffers : 0; m; m &= m - 1) {
         const struct attila_stream_target *t = &s->target[__builtin_ctz(m)];
         if (t->address < end && start < (uint64_t)t->address + t->size)
            return true;
      }
   }
   return false;
}

bool
cp_stream_prepare(struct cp *cp, const struct emul_draw_state *state, sim_tick now)
{
   const struct emul_stream_out *s = state->stream_out;
   for (uint32_t m = s ? s->buffers : 0; m; m &= m - 1) {
      const struct attila_stream_target *t = &s->target[__builtin_ctz(m)];
      const uint64_t end = (uint64_t)t->address + t->size;
      if ((cp_rop_holds(cp, t->address, end) ||
           (cp->max_passes > 1 && cp_pass_uses(cp, NULL, t->address, end))) &&
          (!cp_idle(cp, now) || !cp_rop_sync(cp, CP_ROPS, t->address, end, true, now)))
         return false;
   }
   return true;
}

void
cp_stream_answers(struct cp *cp, sim_tick now)
{
   struct sim_signal *in = &cp->box.gpu->net.so_cp[0];
   const struct msg_done *m;
   while ((m = sim_peek(in, now))) {
      ((struct cp_draw *)m->draw)->streams = false;
      cp->in_geometry -= cp->tiled && ((struct cp_draw *)m->draw)->geometry_done;
      sim_pop(in, now);
   }
}

void
cp_stream_retire(struct cp *cp, const struct cp_draw *d)
{
   const struct emul_stream_out *s = d->draw.state.stream_out;
   for (uint32_t m = s->buffers; m; m &= m - 1) {
      const unsigned b = (unsigned)__builtin_ctz(m), c = ATTILA_COUNTER_STREAM_BYTES_0 + b;
      const uint64_t start = s->target[b].address + d->counters[c];
      if (d->counted[c])
         cp_written(cp, start, start + d->counted[c]);
   }
}
