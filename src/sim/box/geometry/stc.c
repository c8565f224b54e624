/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streamer Commit (StC, ISPASS 2006 section 2): sends vertices to primitive assembly in the order
 * of the indices, although they return from the shaders in any order, and releases them in the
 * output cache. It has VerticesCycle buses; a bus moves AttributesSentCycle outputs of a vertex per
 * cycle. */
#include "box/sim_gpu.h"

SIM_BOX_STATS(stc)

#define STC_MAX_BUSES 16 /* VerticesCycle */

/* A vertex on a bus. */
struct stc_bus {
   struct msg_vertex m;
   sim_tick end; /* when it has crossed */
};

struct stc {
   struct sim_box box;
   struct stc_stats *stat;            /* [work_id] */
   struct stc_bus bus[STC_MAX_BUSES]; /* ring, in order */
   uint32_t first, busy;
   struct sim_stall stall;
};

static void
stc_receive_shaded(struct stc *s, sim_tick now)
{
   struct sim_signal *in = &s->box.gpu->net.ffu_stc[0];
   const struct msg_vertex *m;
   while ((m = sim_peek(in, now))) {
      if (m->vertex) {
         m->vertex->shaded = true;
         s->stat[m->vertex->draw->work_id].shader_outputs++;
         /* Drops the reference that came through loader and shader. */
         sim_vertex_unref(s->box.gpu, m->vertex);
      }
      sim_pop(in, now);
   }
}

/* Delivers the vertices that have crossed their bus. */
static bool
stc_end_transfers(struct stc *s, sim_tick now)
{
   struct sim_signal *out = &s->box.gpu->net.stc_pa[0];
   bool progress = false;
   while (s->busy) {
      struct stc_bus *bus = &s->bus[s->first];
      if (now < bus->end || !sim_can_send(out, now))
         break;
      sim_send(out, now, &bus->m);
      sim_busy(&s->box, bus->m.work_id);
      s->first = (s->first + 1) % STC_MAX_BUSES;
      s->busy--;
      progress = true;
   }
   return progress;
}

/* Puts the oldest index's vertex on a bus, or sends a marker; if it must wait returns false, and
 * *why is the statistic to count. */
static bool
stc_commit(struct stc *s, const struct msg_lookup *m, sim_tick now, unsigned *why)
{
   const struct sim_config *c = &s->box.gpu->config;
   struct sim_netlist *net = &s->box.gpu->net;
   struct stc_stats *stat = &s->stat[m->work_id];
   struct msg_vertex out = {.draw = m->draw,
                            .vertex = m->vertex,
                            .work_id = m->work_id,
                            .restart = m->restart,
                            .next_instance = m->next_instance,
                            .end = m->end};
   bool shading = m->vertex && !m->vertex->shaded;
   *why = shading ? SIM_STAT(stc, stall_shading) : SIM_STAT(stc, stall_assembly);
   if (shading)
      return false;
   if (!m->vertex) {
      /* The marker follows the vertices on the buses. */
      if (s->busy || !sim_can_send(&net->stc_pa[0], now))
         return false;
      sim_send(&net->stc_pa[0], now, &out);
      return true;
   }
   if (s->busy == c->streamer.vertices_cycle || !sim_can_send(&net->stc_stoc[0], now))
      return false;
   sim_send(&net->stc_stoc[0], now, &out);
   uint32_t outputs = m->draw->state.num_vs_outputs, rate = c->streamer.attributes_sent,
            cycles = outputs > rate ? (outputs + rate - 1) / rate : 1;
   s->bus[(s->first + s->busy++) % STC_MAX_BUSES] =
       (struct stc_bus){.m = out, .end = now + cycles * s->box.period};
   stat->requests++;
   stat->indices++;
   stat->outputs++;
   stat->output_attributes += outputs;
   return true;
}

static sim_tick
stc_clock(struct sim_box *b, sim_tick now)
{
   struct stc *s = (struct stc *)b;
   struct sim_signal *in = &b->gpu->net.stoc_stc[0];
   stc_receive_shaded(s, now);
   bool progress = stc_end_transfers(s, now);
   const struct msg_lookup *m;
   while ((m = sim_peek(in, now))) {
      unsigned why;
      uint16_t work_id = m->work_id;
      if (!stc_commit(s, m, now, &why)) {
         if (!progress)
            sim_stall_begin(&s->stall, why, now);
         break;
      }
      sim_stall_end(&s->stall, b, work_id, now);
      sim_busy(b, work_id);
      sim_pop(in, now);
      progress = true;
   }
   if ((m = sim_peek(in, now)))
      sim_blocked(b, m->work_id);
   sim_tick next = SIM_NEVER;
   if (s->busy) {
      const struct stc_bus *bus = &s->bus[s->first];
      if (now < bus->end) {
         sim_busy_until(b, bus->m.work_id, bus->end);
         next = bus->end;
      } else {
         sim_blocked(b, bus->m.work_id);
      }
   }
   return progress ? now + b->period : next;
}

static void
stc_flush_counters(struct sim_box *b, sim_tick next)
{
   const struct msg_lookup *m = sim_peek(&b->gpu->net.stoc_stc[0], next);
   if (m)
      sim_stall_flush(&((struct stc *)b)->stall, b, m->work_id, next);
}

static void
stc_dump(const struct sim_box *b, FILE *f)
{
   const struct sim_signal *in = &b->gpu->net.stoc_stc[0];
   const struct msg_lookup *m = sim_next(in);
   fprintf(f, "%s: %u vertices waiting, %u on buses", b->name, in->tail - in->head,
           ((const struct stc *)b)->busy);
   if (m)
      fprintf(f, ", oldest: draw %u index %u%s%s%s", m->draw->number, m->index,
              m->restart ? " restart" : "", m->end ? " end" : "",
              m->vertex && !m->vertex->shaded ? " not shaded" : "");
   fputc('\n', f);
}

const struct sim_box_class stc_class = {
    .size = sizeof(struct stc),
    .domain = SIM_DOMAIN_GPU,
    .clock = stc_clock,
    .flush_counters = stc_flush_counters,
    .dump = stc_dump,
    SIM_BOX_CLASS(stc),
};
