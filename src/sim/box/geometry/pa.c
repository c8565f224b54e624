/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Primitive Assembly (PA, ISPASS 2006 section 2): makes points, lines and triangles of the vertex
 * stream by the rules of emul_assembler. One vertex may complete two primitives. It holds vertices
 * until no later primitive can need them. Stream-out gets each primitive in the same cycle as the
 * clipper; with rasterizer_discard only stream-out gets it. With a geometry stage primitives go to
 * that stage, and clipper and stream-out get a message about it when the draw begins. */
#include "box/sim_gpu.h"

SIM_BOX_STATS(pa)

#define PA_HELD 12 /* the assembler keeps at most ten, and one arrives */

struct pa {
   struct sim_box box;
   struct pa_stats *stat; /* [work_id] */
   struct emul_assembler assembler;
   bool started;
   struct sim_vertex *held[PA_HELD]; /* by the assembler's handle; NULL: free */
   uint32_t number;                  /* number of the draw's next primitive */
   struct msg_prim out[2];           /* assembled and not yet sent */
   struct msg_gs_input gs_out[2];    /* the same primitives for a geometry stage */
   unsigned num_out, next_out;
   bool announce; /* send first that the draw has a geometry stage */
   bool end;      /* send the end of the draw last */
   unsigned why;  /* SIM_STAT of the box that has no room */
   struct sim_stall stall;
};

/* Drops the vertices whose handle is not in the set. */
static void
pa_keep_only(struct pa *p, uint32_t handles)
{
   for (uint32_t h = 0; h < PA_HELD; h++) {
      if (p->held[h] && !(handles >> h & 1)) {
         sim_vertex_unref(p->box.gpu, p->held[h]);
         p->held[h] = NULL;
      }
   }
}

static void
pa_queue_gs(struct pa *p, struct sim_draw *draw, const struct emul_assembled *a)
{
   struct msg_gs_input m = {
       .draw = draw, .work_id = draw->work_id, .num_vertices = a->num_vertices, .id = a->id};
   for (unsigned v = 0; v < a->num_vertices; v++) {
      m.v[v] = p->held[a->ref[v]];
      m.v[v]->refs++;
   }
   p->gs_out[p->num_out++] = m;
}

static void
pa_queue_prims(struct pa *p, struct sim_draw *draw, const struct emul_assembled *prims,
               unsigned num)
{
   p->num_out = p->next_out = 0;
   for (unsigned i = 0; i < num; i++) {
      const struct emul_assembled *a = &prims[i];
      struct pa_stats *stat = &p->stat[draw->work_id];
      draw->counters[ATTILA_COUNTER_IA_PRIMITIVES]++;
      stat->triangles++;
      if (draw->state.gs) {
         pa_queue_gs(p, draw, a);
         continue;
      }
      struct msg_prim m = {.draw = draw,
                           .work_id = draw->work_id,
                           .num_vertices = a->num_vertices,
                           .provoking = a->provoking,
                           .edges = a->edges,
                           .stipple_reset = a->stipple_reset,
                           .number = p->number++,
                           .id = a->id};
      for (unsigned v = 0; v < a->num_vertices; v++)
         m.v[v] = p->held[a->ref[v]];
      m.flat = m.v[a->provoking];
      if (a->num_vertices == 3 && (m.v[0] == m.v[1] || m.v[1] == m.v[2] || m.v[0] == m.v[2]))
         stat->degenerated++;
      const bool draws = !draw->state.regs.rasterizer_discard,
                 streams = draw->state.stream_out != NULL;
      if (!draws && !streams)
         continue;
      for (unsigned v = 0; v < a->num_vertices; v++)
         m.v[v]->refs += (uint32_t)draws + streams;
      m.flat->refs += draws;
      p->out[p->num_out++] = m;
   }
}

static void
pa_take_vertex(struct pa *p, const struct msg_vertex *m)
{
   struct emul_assembled prims[2];
   uint32_t h = 0;
   while (p->held[h])
      h++;
   p->held[h] = m->vertex;
   unsigned keep = 0;
   unsigned num = emul_assembler_vertex(&p->assembler, h, prims, &keep);
   pa_queue_prims(p, m->draw, prims, num);
   uint32_t handles = 0;
   for (; keep; keep &= keep - 1)
      handles |= 1u << p->assembler.ref[__builtin_ctz(keep)];
   pa_keep_only(p, handles);
   p->stat[m->work_id].vertices++;
}

static void
pa_take(struct pa *p, const struct msg_vertex *m)
{
   struct emul_assembled prims[2];
   unsigned num = 0;
   if (!p->started) {
      const struct emul_draw_state *state = &m->draw->state;
      emul_assembler_start_draw(&p->assembler, state);
      p->started = true;
      p->announce = state->gs != NULL;
   }
   p->stat[m->work_id].requests++;
   if (m->end) {
      num = emul_assembler_end(&p->assembler, prims);
      pa_queue_prims(p, m->draw, prims, num);
      pa_keep_only(p, 0);
      p->started = false;
      p->end = true;
      p->number = 0;
   } else if (m->restart) {
      if (m->next_instance)
         num = emul_assembler_end(&p->assembler, prims);
      else
         emul_assembler_restart(&p->assembler, prims, &num);
      pa_queue_prims(p, m->draw, prims, num);
      pa_keep_only(p, 0);
   } else {
      pa_take_vertex(p, m);
   }
}

/* Sends to clipper and stream-out; false if one of them has no room. */
static bool
pa_send(struct pa *p, const struct msg_prim *m, sim_tick now)
{
   struct sim_signal *out = &p->box.gpu->net.pa_clp[0];
   struct sim_signal *stream = m->draw->state.stream_out ? &p->box.gpu->net.pa_so[0] : NULL;
   const bool draws = m->end || m->geometry || !m->draw->state.regs.rasterizer_discard;
   p->why =
       draws && !sim_can_send(out, now) ? SIM_STAT(pa, stall_clipper) : SIM_STAT(pa, stall_stream);
   if ((draws && !sim_can_send(out, now)) || (stream && !sim_can_send(stream, now)))
      return false;
   if (draws)
      sim_send(out, now, m);
   if (stream)
      sim_send(stream, now, m);
   return true;
}

static bool
pa_send_gs(struct pa *p, const struct msg_gs_input *m, sim_tick now)
{
   struct sim_signal *out = &p->box.gpu->net.pa_gi[0];
   p->why = SIM_STAT(pa, stall_geometry);
   if (!sim_can_send(out, now))
      return false;
   sim_send(out, now, m);
   return true;
}

static bool
pa_send_end(struct pa *p, const struct msg_vertex *m, sim_tick now)
{
   if (m->draw->state.gs)
      return pa_send_gs(
          p, &(struct msg_gs_input){.draw = m->draw, .work_id = m->work_id, .end = true}, now);
   return pa_send(p, &(struct msg_prim){.draw = m->draw, .work_id = m->work_id, .end = true}, now);
}

/* Sends the queued primitives; true when none is left and the vertex that made them may go. */
static bool
pa_send_queued(struct pa *p, const struct msg_vertex *m, sim_tick now)
{
   const bool gs = m->draw->state.gs != NULL;
   if (p->announce &&
       !pa_send(p, &(struct msg_prim){.draw = m->draw, .work_id = m->work_id, .geometry = true},
                now))
      return false;
   p->announce = false;
   for (; p->next_out < p->num_out; p->next_out++) {
      if (gs ? !pa_send_gs(p, &p->gs_out[p->next_out], now)
             : !pa_send(p, &p->out[p->next_out], now))
         return false;
   }
   if (p->end && !pa_send_end(p, m, now))
      return false;
   p->end = false;
   p->num_out = p->next_out = 0;
   return true;
}

static sim_tick
pa_clock(struct sim_box *b, sim_tick now)
{
   struct pa *p = (struct pa *)b;
   struct sim_signal *in = &b->gpu->net.stc_pa[0];
   bool progress = false;
   const struct msg_vertex *m;
   /* A vertex stays at the head of its queue until its primitives are sent. All vertices that
    * arrive in one cycle are taken. */
   for (uint32_t n = 0; n < b->gpu->config.streamer.vertices_cycle && (m = sim_peek(in, now));
        n++) {
      bool fresh = p->num_out == 0 && !p->end && !p->announce;
      uint32_t before = p->next_out;
      if (fresh) {
         pa_take(p, m);
         sim_busy(b, m->work_id);
         before = 0;
         progress = true;
      }
      uint16_t work_id = m->work_id;
      bool sent = pa_send_queued(p, m, now);
      if (sent || p->next_out != before) {
         progress = true;
         sim_stall_end(&p->stall, b, work_id, now);
         sim_busy(b, work_id);
      }
      if (!sent) {
         if (p->next_out == before)
            sim_stall_begin(&p->stall, p->why, now);
         break;
      }
      sim_pop(in, now);
   }
   if ((m = sim_peek(in, now)))
      sim_blocked(b, m->work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
pa_flush_counters(struct sim_box *b, sim_tick next)
{
   const struct msg_vertex *m = sim_peek(&b->gpu->net.stc_pa[0], next);
   if (m)
      sim_stall_flush(&((struct pa *)b)->stall, b, m->work_id, next);
}

static void
pa_dump(const struct sim_box *b, FILE *f)
{
   const struct pa *p = (const struct pa *)b;
   const struct sim_signal *in = &b->gpu->net.stc_pa[0];
   const struct msg_vertex *m = sim_next(in);
   fprintf(f, "%s: %u vertices waiting, %u primitives to send", b->name, in->tail - in->head,
           p->num_out - p->next_out);
   if (m)
      fprintf(f, ", oldest: draw %u%s%s", m->draw->number, m->restart ? " restart" : "",
              m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class pa_class = {
    .size = sizeof(struct pa),
    .domain = SIM_DOMAIN_GPU,
    .clock = pa_clock,
    .flush_counters = pa_flush_counters,
    .dump = pa_dump,
    SIM_BOX_CLASS(pa),
};
