/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Triangle Setup (TS, ISPASS 2006 section 2): edge functions, facing, culling, planes of depth and
 * inputs, all by emul_setup. Every SetupStartLatency cycles, SetupUnits units start together on a
 * primitive each; only at a draw's end the clipper sends fewer. Culled primitives take the same
 * time. Polygon modes and wide lines turn one primitive into several, which leave one by one. With
 * TriangleSetupOnShader the shaders do the setup (ts_shader.c). */
#include "box/raster/ts.h"

static void
ts_count_size(struct ts_stats *stat, const struct emul_setup *s)
{
   const struct attila_regs *regs = &s->state->regs;
   uint64_t unit = 2ull << 2 * EMUL_SUBPIXEL_BITS; /* area2 of one pixel */
   uint64_t screen = (uint64_t)regs->fb_width * regs->fb_height;
   uint64_t pixels = s->area2 / unit;
   if (pixels > screen)
      stat->greater_screen++;
   else if (pixels >= 1000)
      stat->less_screen++;
   else if (pixels >= 100)
      stat->less_1000++;
   else if (pixels >= 16)
      stat->less_100++;
   else if (pixels >= 4)
      stat->less_16++;
   else if (pixels >= 1)
      stat->less_4++;
   else
      stat->less_1++;
   int32_t width = s->maxx - s->minx, height = s->maxy - s->miny;
   if (width <= 1 && height <= 1)
      stat->overlap_1x1++;
   else if (width <= 2 && height <= 2 && (s->minx >> 1) == ((s->maxx - 1) >> 1) &&
            (s->miny >> 1) == ((s->maxy - 1) >> 1))
      stat->overlap_2x2++;
}

static void
ts_set_up(struct ts *t, const struct msg_prim *m)
{
   struct emul_primitive prim = {.num_vertices = m->num_vertices,
                                 .provoking = m->provoking,
                                 .edges = m->edges,
                                 .stipple_reset = m->stipple_reset,
                                 .flat = &m->flat->data,
                                 .id = m->id};
   for (unsigned i = 0; i < m->num_vertices; i++)
      prim.v[i] = &m->v[i]->data;
   enum emul_setup_result result = EMUL_SETUP_OK;
   struct ts_stats *stat = &t->stat[m->work_id];
   t->num = emul_setup(&m->draw->state, &prim, &t->stipple, t->setup, &result);
   t->next = 0;
   t->set_up = true;
   stat->input++;
   stat->requested += t->num;
   if (t->num == 0) {
      stat->culled++;
      stat->culled_face += result == EMUL_SETUP_CULLED_FACE;
      stat->culled_area += result == EMUL_SETUP_CULLED_AREA;
   }
}

static void
ts_send_setup(struct ts *t, const struct msg_prim *m, sim_tick now)
{
   struct sim_gpu *gpu = t->box.gpu;
   struct sim_prim *p = sim_pool_alloc(&gpu->prims);
   struct ts_stats *stat = &t->stat[m->work_id];
   p->setup = t->setup[t->next++];
   p->draw = m->draw;
   p->number = m->number;
   p->refs = 1;
   p->low_z = NULL;
   for (unsigned i = 0; i < 3; i++) {
      p->vtx[i] = i < m->num_vertices ? m->v[i] : NULL;
      if (p->vtx[i])
         p->vtx[i]->refs++;
   }
   p->vtx[3] = m->flat;
   m->flat->refs++;
   sim_send(
       t->out, now,
       &(struct msg_setup){.draw = m->draw, .prim = p, .number = m->number, .work_id = m->work_id});
   stat->output++;
   *(p->setup.front ? &stat->front : &stat->back) += 1;
   ts_count_size(stat, &p->setup);
}

bool
ts_work(struct ts *t, const struct msg_prim *m, sim_tick now, bool *progress)
{
   struct sim_gpu *gpu = t->box.gpu;
   struct sim_signal *out = t->out;
   if (m->end) {
      /* In a tile-based machine the draw's geometry ends when it is in the lists. */
      struct sim_signal *done = sim_tiled(&gpu->config) ? NULL : &gpu->net.ts_cp[0];
      if (!sim_can_send(out, now) || (done && !sim_can_send(done, now)))
         return false;
      sim_send(out, now, &(struct msg_setup){.draw = m->draw, .work_id = m->work_id, .end = true});
      if (done)
         sim_send(done, now, &(struct msg_done){.draw = m->draw});
      t->stipple = 0;
      return true;
   }
   if (!t->set_up) {
      ts_set_up(t, m);
      *progress = true;
   }
   while (t->next < t->num) {
      if (!sim_can_send(out, now))
         return false;
      ts_send_setup(t, m, now);
      *progress = true;
   }
   t->set_up = false;
   for (unsigned i = 0; i < m->num_vertices; i++)
      sim_vertex_unref(gpu, m->v[i]);
   sim_vertex_unref(gpu, m->flat);
   return true;
}

/* The command processor announces the phase once per draw, in order. */
bool
ts_in_fragment_phase(struct ts *t, const struct msg_prim *m, sim_tick now)
{
   struct sim_signal *begin = &t->box.gpu->net.cp_ts[0];
   if (!t->begun && sim_peek(begin, now)) {
      sim_pop(begin, now);
      t->begun = true;
   }
   if (!t->begun)
      sim_stall_begin(&t->stall, SIM_STAT(ts, stall_phase), now);
   else if (t->stall.on && t->stall.stat == SIM_STAT(ts, stall_phase))
      sim_stall_end(&t->stall, &t->box, m->work_id, now);
   return t->begun;
}

bool
ts_begin_set(struct ts *t, sim_tick now, sim_tick *timer)
{
   const struct sim_config *c = &t->box.gpu->config;
   const struct sim_signal *in = &t->box.gpu->net.clp_ts[0];
   if (t->set)
      return true;
   const struct msg_prim *m = sim_peek(in, now);
   if (now < t->free) {
      *timer = t->free;
      return false;
   }
   /* A draw's end occupies the units, too. */
   if (!m->end) {
      uint32_t n = 1;
      while (n < c->rast.setup_units && (m = sim_peek_at(in, now, n)) && !m->end)
         n++;
      if (n < c->rast.setup_units && !m) {
         *timer = sim_arrival_at(in, n);
         return false;
      }
   }
   t->free = now + c->rast.setup_start * t->box.period;
   t->set = true;
   t->taken = 0;
   return true;
}

static sim_tick
ts_clock(struct sim_box *b, sim_tick now)
{
   struct ts *t = (struct ts *)b;
   struct sim_signal *in = &b->gpu->net.clp_ts[0];
   sim_tick timer = SIM_NEVER;
   bool progress = false;
   const struct msg_prim *m;
   if (t->queue)
      return ts_shader_clock(t, now);
   while ((m = sim_peek(in, now)) && ts_in_fragment_phase(t, m, now) &&
          ts_begin_set(t, now, &timer)) {
      uint16_t work_id = m->work_id;
      bool end = m->end, finished = ts_work(t, m, now, &progress);
      progress |= finished;
      if (progress) {
         sim_stall_end(&t->stall, b, work_id, now);
         sim_busy(b, work_id);
      } else {
         sim_stall_begin(&t->stall, SIM_STAT(ts, stall_traversal), now);
      }
      if (!finished)
         break;
      sim_pop(in, now);
      t->begun &= !end;
      t->set = !end && ++t->taken < b->gpu->config.rast.setup_units;
      /* The units start once per cycle. */
      if (!t->set)
         break;
   }
   if ((m = sim_peek(in, now))) {
      if (now < t->free) {
         sim_working(b, m->work_id);
         timer = t->free < timer ? t->free : timer;
      } else {
         sim_blocked(b, m->work_id);
      }
   }
   return progress ? now + b->period : timer;
}

static void
ts_flush_counters(struct sim_box *b, sim_tick next)
{
   const struct msg_prim *m = sim_peek(&b->gpu->net.clp_ts[0], next);
   if (m)
      sim_stall_flush(&((struct ts *)b)->stall, b, m->work_id, next);
   ts_shader_flush_counters((struct ts *)b, next);
}

static void
ts_init(struct sim_box *b)
{
   struct sim_netlist *net = &b->gpu->net;
   ((struct ts *)b)->out = sim_tiled(&b->gpu->config) ? net->ts_plb : net->ts_tt;
   if (b->gpu->config.rast.setup_on_shader)
      ts_shader_init((struct ts *)b);
}

static void
ts_fini(struct sim_box *b)
{
   ts_shader_fini((struct ts *)b);
}

static void
ts_dump(const struct sim_box *b, FILE *f)
{
   const struct ts *t = (const struct ts *)b;
   const struct sim_signal *in = &b->gpu->net.clp_ts[0];
   const struct msg_prim *m = sim_next(in);
   fprintf(f, "%s: %u primitives waiting, %u set up", b->name, in->tail - in->head,
           t->num - t->next);
   if (m)
      fprintf(f, ", oldest: draw %u%s", m->draw->number, m->end ? " end" : "");
   fputc('\n', f);
   ts_shader_dump(t, f);
}

const struct sim_box_class ts_class = {
    .size = sizeof(struct ts),
    .domain = SIM_DOMAIN_GPU,
    .init = ts_init,
    .clock = ts_clock,
    .flush_counters = ts_flush_counters,
    .dump = ts_dump,
    .fini = ts_fini,
    SIM_BOX_CLASS(ts),
};
