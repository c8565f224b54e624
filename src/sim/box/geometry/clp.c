/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clipper (CLP, ISPASS 2006 section 2). Every StartLatency cycles it takes ClipperUnits primitives
 * and rejects those completely outside, as in the paper. Triangles that cross a plane which setup
 * cannot handle are clipped (emul_clip): the unit accepts nothing for ExecLatency cycles per such
 * plane, then sends a fan of triangles with new vertices. */
#include "box/sim_gpu.h"

SIM_BOX_STATS(clp)

struct clp {
   struct sim_box box;
   struct clp_stats *stat; /* [work_id] */
   /* A clipped primitive that leaves piece by piece. */
   struct sim_vertex *vertex[EMUL_MAX_CLIPPED];
   unsigned num_vertices, next; /* next: piece to send; num_vertices 0: none */
   uint32_t edges;
   struct msg_prim cut; /* the original primitive; of its vertices only the flat one */
   sim_tick ready;      /* when clipping is done */
   sim_tick start;      /* when it takes the next primitives */
   struct sim_stall stall;
   struct emul_vertex storage[EMUL_MAX_CLIPPED];
};

static void
clp_drop(struct clp *c, const struct msg_prim *m)
{
   for (unsigned i = 0; i < m->num_vertices; i++)
      sim_vertex_unref(c->box.gpu, m->v[i]);
   sim_vertex_unref(c->box.gpu, m->flat);
}

static void
clp_start_pieces(struct clp *c, const struct msg_prim *m, unsigned num_vertices, uint32_t edges,
                 unsigned planes, sim_tick now)
{
   struct sim_gpu *gpu = c->box.gpu;
   for (unsigned i = 0; i < num_vertices; i++) {
      struct sim_vertex *v = sim_pool_alloc(&gpu->vertices);
      v->data = c->storage[i];
      v->draw = m->draw;
      v->refs = 1;
      v->copy_pass = 0;
      c->vertex[i] = v;
   }
   uint64_t cycles = (uint64_t)planes * gpu->config.clip.exec_latency;
   c->num_vertices = num_vertices;
   c->next = 0;
   c->edges = edges;
   c->cut = *m;
   c->ready = now + cycles * c->box.period;
   c->stat[m->work_id].split++;
   c->stat[m->work_id].clip_cycles += cycles;
   for (unsigned i = 0; i < m->num_vertices; i++)
      sim_vertex_unref(gpu, m->v[i]);
}

/* Makes piece c->next: points and lines are one piece, polygons a fan around vertex 0. */
static struct msg_prim
clp_make_piece(const struct clp *c)
{
   struct msg_prim p = {.draw = c->cut.draw,
                        .work_id = c->cut.work_id,
                        .flat = c->cut.flat,
                        .number = c->cut.number,
                        .id = c->cut.id,
                        .stipple_reset = c->cut.stipple_reset && c->next == 0};
   unsigned n = c->num_vertices;
   if (n < 3) {
      p.num_vertices = (uint8_t)n;
      p.v[0] = c->vertex[0];
      p.v[1] = n > 1 ? c->vertex[1] : NULL;
      p.edges = (uint8_t)c->edges;
      p.provoking = c->cut.provoking < n ? c->cut.provoking : 0;
      return p;
   }
   unsigned k = c->next + 1;
   p.num_vertices = 3;
   p.v[0] = c->vertex[0];
   p.v[1] = c->vertex[k];
   p.v[2] = c->vertex[k + 1];
   /* Edges between the fan's triangles are not edges of the OpenGL primitive. */
   p.edges = (uint8_t)((k == 1 ? c->edges & 1 : 0) | (c->edges >> k & 1) << 1 |
                       (k + 2 == n ? c->edges >> (n - 1) & 1 : 0) << 2);
   return p;
}

/* Sends pieces of the clipped primitive; true when none is left. */
static bool
clp_send_pieces(struct clp *c, sim_tick now, bool *progress)
{
   struct sim_gpu *gpu = c->box.gpu;
   struct sim_signal *out = &gpu->net.clp_ts[0];
   unsigned pieces = c->num_vertices < 3 ? 1 : c->num_vertices - 2;
   while (c->next < pieces) {
      if (!sim_can_send(out, now))
         return false;
      struct msg_prim p = clp_make_piece(c);
      for (unsigned i = 0; i < p.num_vertices; i++)
         p.v[i]->refs++;
      p.flat->refs++;
      sim_send(out, now, &p);
      p.draw->counters[ATTILA_COUNTER_CLIP_PRIMITIVES]++;
      c->stat[p.work_id].output++;
      c->next++;
      *progress = true;
   }
   for (unsigned i = 0; i < c->num_vertices; i++)
      sim_vertex_unref(gpu, c->vertex[i]);
   sim_vertex_unref(gpu, c->cut.flat);
   c->num_vertices = 0;
   return true;
}

/* Tests the oldest primitive; false if it cannot be sent. It uses output bandwidth even if it is
 * rejected. */
static bool
clp_test(struct clp *c, const struct msg_prim *m, sim_tick now)
{
   struct sim_gpu *gpu = c->box.gpu;
   struct sim_signal *out = &gpu->net.clp_ts[0];
   if (!sim_can_send(out, now))
      return false;
   if (m->end) {
      sim_send(out, now, m);
      return true;
   }
   struct emul_primitive prim = {.num_vertices = m->num_vertices,
                                 .provoking = m->provoking,
                                 .edges = m->edges,
                                 .stipple_reset = m->stipple_reset,
                                 .flat = &m->flat->data};
   for (unsigned i = 0; i < m->num_vertices; i++)
      prim.v[i] = &m->v[i]->data;
   unsigned num_vertices = 0, planes = 0;
   uint32_t edges = 0;
   struct clp_stats *stat = &c->stat[m->work_id];
   stat->input++;
   m->draw->counters[ATTILA_COUNTER_CLIP_INVOCATIONS]++;
   enum emul_clip_result result =
       emul_clip(&m->draw->state, &prim, c->storage, &num_vertices, &edges, &planes);
   if (result == EMUL_CLIP_PASS) {
      sim_send(out, now, m);
      stat->output++;
      m->draw->counters[ATTILA_COUNTER_CLIP_PRIMITIVES]++;
   } else if (result == EMUL_CLIP_CLIPPED && num_vertices && num_vertices <= EMUL_MAX_CLIPPED) {
      clp_start_pieces(c, m, num_vertices, edges, planes, now);
   } else {
      stat->clipped++;
      clp_drop(c, m);
   }
   return true;
}

static struct sim_signal *
clp_input(const struct clp *c, sim_tick now)
{
   struct sim_netlist *net = &c->box.gpu->net;
   return sim_prim_input(&net->pa_clp[0], &net->gc_clp[0], now);
}

/* Returns the work id of the primitive that waits at the front; -1: none. */
static int
clp_waiting(const struct clp *c, sim_tick now)
{
   const struct msg_prim *m = sim_peek(clp_input(c, now), now);
   return c->num_vertices ? c->cut.work_id : m ? m->work_id : -1;
}

static sim_tick
clp_clock(struct sim_box *b, sim_tick now)
{
   struct clp *c = (struct clp *)b;
   bool progress = false;
   const struct msg_prim *m;
   for (uint32_t n = 0; n < b->gpu->config.clip.units; n++) {
      if (c->num_vertices) {
         if (now < c->ready) {
            sim_busy_until(b, c->cut.work_id, c->ready);
            sim_blocked(b, c->cut.work_id);
            return c->ready;
         }
         bool all = clp_send_pieces(c, now, &progress);
         if (progress) {
            sim_stall_end(&c->stall, b, c->cut.work_id, now);
            sim_busy(b, c->cut.work_id);
         } else if (!all) {
            sim_stall_begin(&c->stall, SIM_STAT(clp, stall_setup), now);
         }
         if (!all)
            break;
      }
      struct sim_signal *in = clp_input(c, now);
      m = sim_peek(in, now);
      if (!m)
         break;
      const uint16_t work_id = m->work_id;
      const bool end = m->end;
      if (n == 0 && now < c->start) {
         sim_working(b, work_id);
         return c->start;
      }
      bool tested = clp_test(c, m, now);
      if (!tested) {
         if (!progress)
            sim_stall_begin(&c->stall, SIM_STAT(clp, stall_setup), now);
         break;
      }
      sim_stall_end(&c->stall, b, work_id, now);
      sim_busy(b, work_id);
      sim_prim_pop(&b->gpu->net.pa_clp[0], in, end, now);
      progress = true;
      c->start = now + b->gpu->config.clip.start_latency * b->period;
   }
   const int work_id = clp_waiting(c, now);
   if (work_id >= 0)
      sim_blocked(b, (unsigned)work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
clp_flush_counters(struct sim_box *b, sim_tick next)
{
   struct clp *c = (struct clp *)b;
   const int work_id = clp_waiting(c, next);
   if (work_id >= 0)
      sim_stall_flush(&c->stall, b, (unsigned)work_id, next);
}

static void
clp_dump(const struct sim_box *b, FILE *f)
{
   const struct clp *c = (const struct clp *)b;
   const struct sim_netlist *net = &b->gpu->net;
   const struct sim_signal *in = &net->pa_clp[0];
   const struct msg_prim *m = sim_next(in);
   if (m && m->geometry)
      m = sim_next(in = &net->gc_clp[0]);
   fprintf(f, "%s: %u primitives waiting, cut polygon of %u vertices (ready at %llu)", b->name,
           in->tail - in->head, c->num_vertices, (unsigned long long)c->ready);
   if (m)
      fprintf(f, ", oldest: draw %u%s", m->draw->number, m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class clp_class = {
    .size = sizeof(struct clp),
    .domain = SIM_DOMAIN_GPU,
    .clock = clp_clock,
    .flush_counters = clp_flush_counters,
    .dump = clp_dump,
    SIM_BOX_CLASS(clp),
};
