/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Triangle Setup on the shaders: SetupUnits primitives per cycle go to the fragment FIFO with their
 * vertices' clip coordinates. They return in any order when the setup program has run, and leave in
 * order, TrianglesCycle per cycle. At most TriangleShaderQueueSize are on their way. The results
 * come from emul_setup, so pixels are the same. Points and lines repeat their last vertex. */
#include <stdlib.h>
#include "box/raster/ts.h"

void
ts_shader_init(struct ts *t)
{
   t->size = t->box.gpu->config.rast.triangle_shader_queue;
   t->queue = sim_xcalloc(t->size, sizeof(*t->queue));
}

void
ts_shader_fini(struct ts *t)
{
   free(t->queue);
}

static struct sim_triangle *
ts_shader_entry(const struct ts *t, uint32_t i)
{
   return &t->queue[i % t->size];
}

static bool
ts_shader_collect(struct ts *t, sim_tick now)
{
   struct sim_signal *in = &t->box.gpu->net.ffu_ts[0];
   const struct msg_triangle *m;
   bool progress = false;
   while ((m = sim_peek(in, now))) {
      m->triangle->shaded = true;
      sim_busy(&t->box, m->work_id);
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

/* Sends the oldest primitives on. */
static bool
ts_shader_commit(struct ts *t, sim_tick now)
{
   bool progress = false;
   for (uint32_t n = 0; n < t->box.gpu->config.rast.triangles_cycle && t->head != t->tail; n++) {
      const struct sim_triangle *e = ts_shader_entry(t, t->head);
      const uint16_t work_id = e->prim.work_id;
      const bool gone = e->shaded && ts_work(t, &e->prim, now, &progress);
      const unsigned why = e->shaded ? SIM_STAT(ts, stall_traversal) : SIM_STAT(ts, stall_shading);
      progress |= gone;
      if (progress || (t->queue_stall.on && t->queue_stall.stat != why))
         sim_stall_end(&t->queue_stall, &t->box, work_id, now);
      if (progress)
         sim_busy(&t->box, work_id);
      else
         sim_stall_begin(&t->queue_stall, why, now);
      if (!gone)
         break;
      t->head++;
   }
   return progress;
}

static bool
ts_shader_send(struct ts *t, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.ts_ffu[0];
   bool progress = false;
   while (t->sent != t->tail && sim_can_send(out, now)) {
      struct sim_triangle *e = ts_shader_entry(t, t->sent++);
      struct msg_triangle m = {.work_id = e->prim.work_id, .last = e->prim.end};
      if (!e->prim.end) {
         m.triangle = e;
         /* The queue is full, so no other can follow before the oldest returns. */
         m.last = t->sent - t->head == t->size;
      }
      e->shaded = e->prim.end;
      sim_busy(&t->box, m.work_id);
      sim_send(out, now, &m);
      progress = true;
   }
   return progress;
}

static void
ts_shader_fill(struct sim_triangle *e, const struct msg_prim *m)
{
   e->prim = *m;
   e->shaded = false;
   for (unsigned i = 0; i < 3 && !m->end; i++) {
      const struct sim_vertex *v = m->v[i < m->num_vertices ? i : m->num_vertices - 1u];
      for (unsigned c = 0; c < 4; c++)
         e->in[c][i] = v->data.out[ATTILA_VS_OUTPUT_POSITION][c];
   }
}

/* Takes primitives at the rate of the units. */
static bool
ts_shader_take(struct ts *t, sim_tick now, sim_tick *timer)
{
   struct sim_signal *in = &t->box.gpu->net.clp_ts[0];
   const struct msg_prim *m;
   bool progress = false;
   while ((m = sim_peek(in, now)) && ts_in_fragment_phase(t, m, now) &&
          t->tail - t->head < t->size && ts_begin_set(t, now, timer)) {
      ts_shader_fill(ts_shader_entry(t, t->tail++), m);
      sim_busy(&t->box, m->work_id);
      t->begun &= !m->end;
      t->set = !m->end && ++t->taken < t->box.gpu->config.rast.setup_units;
      sim_pop(in, now);
      progress = true;
      if (!t->set)
         break;
   }
   return progress;
}

sim_tick
ts_shader_clock(struct ts *t, sim_tick now)
{
   sim_tick timer = SIM_NEVER;
   bool progress = ts_shader_collect(t, now);
   progress |= ts_shader_commit(t, now);
   progress |= ts_shader_send(t, now);
   progress |= ts_shader_take(t, now, &timer);
   const struct msg_prim *m = sim_peek(&t->box.gpu->net.clp_ts[0], now);
   if (t->head != t->tail)
      sim_blocked(&t->box, ts_shader_entry(t, t->head)->prim.work_id);
   else if (m)
      sim_blocked(&t->box, m->work_id);
   return progress ? now + t->box.period : timer;
}

void
ts_shader_flush_counters(struct ts *t, sim_tick next)
{
   if (t->head != t->tail)
      sim_stall_flush(&t->queue_stall, &t->box, ts_shader_entry(t, t->head)->prim.work_id, next);
}

void
ts_shader_dump(const struct ts *t, FILE *f)
{
   if (t->queue)
      fprintf(f, "   %u on the shaders, %u not sent to them\n", t->sent - t->head,
              t->tail - t->sent);
}
