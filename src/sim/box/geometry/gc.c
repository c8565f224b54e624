/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Geometry Commit (GC): takes the geometry stage's output out of the output buffer, VerticesCycle
 * vertices per cycle, in the order of the input primitives. It assembles the strips and sends the
 * primitives to clipper and stream-out, as primitive assembly does for other draws. An input
 * primitive's room is free when its last vertex is taken. */
#include "box/sim_gpu.h"
#include "emul/geometry/emul_gs.h"

SIM_BOX_STATS(gc)

#define GC_HELD 4 /* a strip keeps at most two vertices, and one arrives */

struct gc {
   struct sim_box box;
   struct gc_stats *stat; /* [work_id] */
   bool begun;            /* the oldest primitive */
   struct emul_gs_strips strips;
   struct sim_vertex *held[GC_HELD]; /* by the strip's handle; NULL: free */
   uint32_t number;                  /* number of the draw's next primitive */
   struct sim_stall stall;
};

static void
gc_receive_shaded(struct gc *g, sim_tick now)
{
   struct sim_signal *in = &g->box.gpu->net.ffu_gc[0];
   const struct msg_gs *m;
   while ((m = sim_peek(in, now))) {
      struct sim_gs_prim *p = m->prim;
      p->shaded = true;
      for (unsigned v = 0; v < p->num_vertices; v++)
         sim_vertex_unref(g->box.gpu, p->v[v]);
      sim_pop(in, now);
   }
}

/* Drops the vertices whose handle is not in the set. */
static void
gc_keep_only(struct gc *g, uint32_t handles)
{
   for (uint32_t h = 0; h < GC_HELD; h++) {
      if (g->held[h] && !(handles >> h & 1)) {
         sim_vertex_unref(g->box.gpu, g->held[h]);
         g->held[h] = NULL;
      }
   }
}

/* Copies the next vertex that the primitive emitted into one of the pool; returns its handle. */
static uint32_t
gc_take_vertex(struct gc *g, const struct sim_gs_prim *p)
{
   const size_t outputs = p->emission.outputs;
   struct sim_vertex *v = sim_pool_alloc(&g->box.gpu->vertices);
   memcpy(v->data.out, p->emission.out + g->strips.next * outputs,
          outputs * sizeof(v->data.out[0]));
   v->draw = p->draw;
   v->refs = 1;
   v->copy_pass = 0;
   uint32_t h = 0;
   while (g->held[h])
      h++;
   g->held[h] = v;
   return h;
}

static struct msg_prim
gc_make(struct gc *g, const struct sim_gs_prim *p, const struct emul_assembled *a, uint8_t stream)
{
   struct msg_prim m = {.draw = p->draw,
                        .work_id = p->work_id,
                        .num_vertices = a->num_vertices,
                        .provoking = a->provoking,
                        .edges = a->edges,
                        .stream = stream,
                        .stipple_reset = a->stipple_reset,
                        .number = g->number++,
                        .id = p->id};
   for (unsigned v = 0; v < a->num_vertices; v++)
      m.v[v] = g->held[a->ref[v]];
   m.flat = m.v[a->provoking];
   return m;
}

/* Sends a primitive or a draw's end to the clipper, which needs the end of every draw and takes
 * stream 0, and to stream-out. Both have room. */
static void
gc_send(struct gc *g, const struct msg_prim *m, sim_tick now)
{
   struct sim_netlist *net = &g->box.gpu->net;
   const struct emul_draw_state *state = &m->draw->state;
   const bool draws = m->end || (!state->regs.rasterizer_discard && !m->stream);
   for (unsigned v = 0; v < m->num_vertices; v++)
      m->v[v]->refs += (uint32_t)draws + (state->stream_out != NULL);
   if (m->flat)
      m->flat->refs += draws;
   if (draws)
      sim_send(&net->gc_clp[0], now, m);
   if (state->stream_out)
      sim_send(&net->gc_so[0], now, m);
}

static bool
gc_can_send(const struct gc *g, const struct sim_draw *draw, bool end, sim_tick now, unsigned *why)
{
   struct sim_netlist *net = &g->box.gpu->net;
   const bool draws = end || !draw->state.regs.rasterizer_discard;
   *why = SIM_STAT(gc, stall_clipper);
   if (draws && !sim_can_send(&net->gc_clp[0], now))
      return false;
   *why = SIM_STAT(gc, stall_stream);
   return !draw->state.stream_out || sim_can_send(&net->gc_so[0], now);
}

/* Ends the oldest primitive, all of whose vertices are taken. */
static void
gc_end_primitive(struct gc *g, const struct sim_gs_prim *p, sim_tick now)
{
   struct sim_netlist *net = &g->box.gpu->net;
   gc_keep_only(g, 0);
   g->stat[p->work_id].inputs++;
   g->stat[p->work_id].empty += p->emission.num == 0;
   g->begun = false;
   sim_send(&net->gc_gi[0], now, &(struct msg_gs_room){.bytes = p->bytes});
   sim_pop(&net->gi_gc[0], now);
}

/* Takes a vertex of the oldest primitive; if it must wait returns false, and *why is the statistic
 * to count. */
static bool
gc_work(struct gc *g, const struct msg_gs *m, sim_tick now, unsigned *why)
{
   struct sim_gs_prim *p = m->prim;
   *why = SIM_STAT(gc, stall_shading);
   if (!p->shaded || !gc_can_send(g, p->draw, false, now, why))
      return false;
   struct gc_stats *stat = &g->stat[p->work_id];
   if (!g->begun)
      emul_gs_strips_start(&g->strips, &p->draw->state);
   g->begun = true;
   if (p->emission.num) {
      const unsigned v = g->strips.next;
      const uint8_t stream = p->emission.stream[v];
      struct emul_assembled a;
      unsigned keep = 0;
      uint32_t handles = 0;
      stat->strips += p->emission.begins[v / 32] >> v % 32 & 1;
      stat->vertices++;
      stat->attributes += p->emission.outputs;
      if (emul_gs_strips_vertex(&g->strips, &p->emission, gc_take_vertex(g, p), &a, &keep)) {
         const struct msg_prim made = gc_make(g, p, &a, stream);
         p->draw->counters[ATTILA_COUNTER_GS_PRIMITIVES]++;
         p->draw->counters[ATTILA_COUNTER_GS_PRIMITIVES_0 + stream]++;
         stat->primitives++;
         gc_send(g, &made, now);
      }
      for (; keep; keep &= keep - 1)
         handles |= 1u << g->strips.assembler.ref[__builtin_ctz(keep)];
      gc_keep_only(g, handles);
   }
   if (g->strips.next >= p->emission.num)
      gc_end_primitive(g, p, now);
   return true;
}

static bool
gc_end_draw(struct gc *g, const struct msg_gs *m, sim_tick now, unsigned *why)
{
   if (!gc_can_send(g, m->draw, true, now, why))
      return false;
   gc_send(g, &(struct msg_prim){.draw = m->draw, .work_id = m->work_id, .end = true}, now);
   g->number = 0;
   sim_pop(&g->box.gpu->net.gi_gc[0], now);
   return true;
}

static sim_tick
gc_clock(struct sim_box *b, sim_tick now)
{
   struct gc *g = (struct gc *)b;
   struct sim_signal *in = &b->gpu->net.gi_gc[0];
   const struct msg_gs *m;
   bool progress = false;
   gc_receive_shaded(g, now);
   for (uint32_t n = b->gpu->config.gs.vertices_cycle; n && (m = sim_peek(in, now)); n--) {
      const uint16_t work_id = m->work_id;
      unsigned why;
      if (!(m->prim ? gc_work(g, m, now, &why) : gc_end_draw(g, m, now, &why))) {
         if (!progress)
            sim_stall_begin(&g->stall, why, now);
         break;
      }
      sim_stall_end(&g->stall, b, work_id, now);
      sim_busy(b, work_id);
      progress = true;
   }
   if ((m = sim_peek(in, now)))
      sim_blocked(b, m->work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
gc_flush_counters(struct sim_box *b, sim_tick next)
{
   const struct msg_gs *m = sim_peek(&b->gpu->net.gi_gc[0], next);
   if (m)
      sim_stall_flush(&((struct gc *)b)->stall, b, m->work_id, next);
}

static void
gc_dump(const struct sim_box *b, FILE *f)
{
   const struct gc *g = (const struct gc *)b;
   const struct sim_signal *in = &b->gpu->net.gi_gc[0];
   const struct msg_gs *m = sim_next(in);
   fprintf(f, "%s: %u primitives issued", b->name, in->tail - in->head);
   if (m)
      fprintf(f, ", oldest: draw %u%s", m->draw->number,
              !m->prim          ? " end"
              : m->prim->shaded ? " shaded"
                                : " not shaded");
   if (m && m->prim && g->begun)
      fprintf(f, ", vertex %u of %u", g->strips.next, m->prim->emission.num);
   fputc('\n', f);
}

const struct sim_box_class gc_class = {
    .size = sizeof(struct gc),
    .domain = SIM_DOMAIN_GPU,
    .clock = gc_clock,
    .flush_counters = gc_flush_counters,
    .dump = gc_dump,
    SIM_BOX_CLASS(gc),
};
