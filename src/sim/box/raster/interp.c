/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Interpolator: computes the fragment program's inputs for quads from HZ and ZST and sends them to
 * the fragment FIFO, per ROP in draw order. StampsPerCycle quads start together, round robin over
 * the ROPs. Per cycle NumInterpolators inputs of each are computed; the next quads start when all
 * inputs are. Latency is 2 to 8 cycles (ISPASS 2006 Table 1): InterpolatorLatency for the first
 * input, one cycle for each further one up to 6. Not here: the interpolation (emul_raster).
 * Quads come from HZ directly or through the ZST. Per ROP the paths are merged by the end markers
 * that HZ puts on the direct path for every draw, behind its quads:
 * - The head of the direct path is a quad, or the end of a draw that does not use the ZST: take it.
 *   If something older were on the other path, the end of an older draw would be in front.
 * - The head is the end of a draw that uses the ZST: take from the ZST up to the draw's end, then
 *   drop both ends.
 * - The direct path is empty: take from the ZST. Nothing older can still arrive on the direct path,
 *   since that is never slower.
 * With HiddenSurfaceRemoval quads wait before they are interpolated (interp_hide.c). */
#include "box/raster/interp.h"

#define MAX_EXTRA 6

static void
interp_init(struct sim_box *b)
{
   struct interp *p = (struct interp *)b;
   p->direct = b->gpu->net.hz_interp;
   p->tested = b->gpu->net.zst_interp;
   p->out = b->gpu->net.interp_ffu;
   p->num_rops = b->gpu->config.gpu.num_rops;
   p->width = b->gpu->config.rast.tiles_cycle;
   p->units = b->gpu->config.rast.interpolators;
   interp_hide_init(p);
}

static void
interp_fini(struct sim_box *b)
{
   interp_hide_fini((struct interp *)b);
}

/* Sends finished quads. */
static bool
interp_send(struct interp *p, sim_tick now)
{
   bool progress = false;
   for (uint32_t r = 0; r < p->num_rops; r++) {
      struct interp_pipe *pipe = &p->pipe[r];
      while (pipe->head != pipe->tail) {
         const struct interp_entry *e = &pipe->entry[pipe->head % INTERP_PIPE];
         if (e->ready > now)
            break;
         if (!sim_can_send(&p->out[r], now)) {
            sim_wait(&p->waits, &p->stat[e->msg.work_id].stall);
            break;
         }
         sim_send(&p->out[r], now, &e->msg);
         sim_busy(&p->box, e->msg.work_id);
         pipe->head++;
         progress = true;
      }
   }
   return progress;
}

struct sim_signal *
interp_input(const struct interp *p, uint32_t r, sim_tick now)
{
   const struct msg_quad *d = sim_peek(&p->direct[r], now);
   if (d && !(d->end && sim_end_tests_early(d->draw, d->what)))
      return &p->direct[r];
   return sim_peek(&p->tested[r], now) ? &p->tested[r] : NULL;
}

const struct msg_quad *
interp_peek(const struct interp *p, uint32_t r, const struct sim_signal *s, sim_tick now)
{
   const struct msg_quad *m = s ? sim_peek(s, now) : NULL;
   /* The same marker is on the direct path, or arrives with this one at the latest. */
   return m && m->end && s == &p->tested[r] && !sim_peek(&p->direct[r], now) ? NULL : m;
}

void
interp_pop(struct interp *p, uint32_t r, struct sim_signal *s, bool end, sim_tick now)
{
   if (end && s == &p->tested[r])
      sim_pop(&p->direct[r], now);
   sim_pop(s, now);
   sim_prefetch_quad(s);
}

static void
interp_interpolate(struct interp *p, struct sim_quad *q)
{
   const struct emul_draw_state *s = &q->draw->state;
   if (s->num_fs_inputs == 0)
      return;
   if (s->sample_shading)
      emul_quad_interpolate_sample(&q->prim->setup, q->x, q->y, q->sample, 0, p->scratch);
   else
      emul_quad_interpolate(&q->prim->setup, q->x, q->y, 0, p->scratch);
   for (unsigned i = 0; i < s->num_fs_inputs; i++) {
      unsigned index = s->fs_inputs[i].index;
      for (unsigned c = 0; c < 4; c++)
         memcpy(q->in[index][c], p->scratch[index].c[c], sizeof(q->in[index][c]));
   }
}

/* Takes one object of ROP r; false if there is none or it must wait. */
static bool
interp_take(struct interp *p, uint32_t r, sim_tick now)
{
   struct interp_pipe *pipe = &p->pipe[r];
   struct sim_signal *s = p->hiding ? NULL : interp_input(p, r, now);
   const struct msg_quad *m = p->hiding ? interp_hide_first(p, r) : interp_peek(p, r, s, now);
   if (!m || pipe->tail - pipe->head == INTERP_PIPE)
      return false;
   struct interp_entry *e = &pipe->entry[pipe->tail % INTERP_PIPE];
   e->msg = *m;
   e->ready = now;
   if (!m->end) {
      unsigned inputs = m->draw->state.num_fs_inputs, extra = inputs > 1 ? inputs - 1 : 0;
      uint32_t pixels = m->quad->mask;
      interp_interpolate(p, m->quad);
      e->ready += (extra < MAX_EXTRA ? extra : MAX_EXTRA) * p->box.period;
      sim_tick free = now + (inputs + p->units - 1) / p->units * p->box.period;
      p->free = free > p->free ? free : p->free;
      pixels |= pixels >> 16;
      pixels |= pixels >> 8;
      pixels |= pixels >> 4;
      p->stat[m->work_id].quads++;
      p->stat[m->work_id].inputs += inputs;
      p->stat[m->work_id].fragments += sim_count_bits4(pixels & 15);
   }
   pipe->tail++;
   if (s)
      interp_pop(p, r, s, m->end, now);
   else
      interp_hide_pop(p, r);
   return true;
}

/* Reports the activity of the next cycles in which no quad enters or leaves: quads are in the
 * pipeline, or wait before or behind it. Returns when the next quad leaves the pipeline. */
static sim_tick
interp_wait(struct interp *p, sim_tick now)
{
   struct sim_box *b = &p->box;
   sim_tick next = SIM_NEVER;
   bool busy = false; /* the first busy pipe gives the work id */
   for (uint32_t r = 0; r < p->num_rops; r++) {
      const struct interp_pipe *pipe = &p->pipe[r];
      const struct interp_entry *e = &pipe->entry[pipe->head % INTERP_PIPE];
      if (pipe->head != pipe->tail && e->ready > now) {
         sim_busy_until(b, busy ? b->did & 0xffff : e->msg.work_id, e->ready);
         busy = true;
         next = e->ready < next ? e->ready : next;
      } else if (pipe->head != pipe->tail && !b->rest) {
         sim_blocked(b, e->msg.work_id);
      }
      if (b->rest)
         continue;
      const struct sim_signal *in = interp_input(p, r, now);
      const struct msg_quad *m = in ? sim_peek(in, now) : NULL;
      uint16_t work_id;
      if (p->hiding && interp_hide_holds(p, r, &work_id))
         sim_blocked(b, work_id);
      else if (m)
         sim_blocked(b, m->work_id);
   }
   return next;
}

/* Reports this cycle's work id, once: that of the first pipeline with a quad, or else that of the
 * object that was taken. Returns whether it reported one. */
static bool
interp_works(struct interp *p, sim_tick now)
{
   for (uint32_t r = 0; r < p->num_rops; r++) {
      const struct interp_pipe *pipe = &p->pipe[r];
      const struct interp_entry *e = &pipe->entry[pipe->head % INTERP_PIPE];
      if (pipe->head != pipe->tail && e->ready > now) {
         sim_busy(&p->box, e->msg.work_id);
         return true;
      }
   }
   return p->box.did != 0;
}

static sim_tick
interp_clock(struct sim_box *b, sim_tick now)
{
   struct interp *p = (struct interp *)b;
   sim_waits_charge(&p->waits, b, now);

   uint32_t taken = 0, idle = 0, r = p->first;
   const sim_tick before = p->free;
   bool came = false;
   for (uint32_t i = 0; p->hiding && i < p->num_rops; i++)
      came |= interp_hide_take(p, i, now);
   while (now >= before && taken < p->width && idle < p->num_rops) {
      if (interp_take(p, r, now)) {
         uint16_t work_id = p->pipe[r].entry[(p->pipe[r].tail - 1) % INTERP_PIPE].msg.work_id;
         if (taken++ == 0)
            p->stat[work_id].busy++;
         sim_busy(b, work_id);
         idle = 0;
      } else {
         idle++;
      }
      r = r + 1 == p->num_rops ? 0 : r + 1;
   }
   if (taken)
      p->first = p->first + 1 == p->num_rops ? 0 : p->first + 1;
   const bool progress = interp_send(p, now) || taken || came;
   if (progress && (b->kernel->no_activity || interp_works(p, now)))
      return now + b->period;
   sim_tick next = interp_wait(p, now);
   if (p->free > now && p->free < next)
      next = p->free;
   return progress ? now + b->period : next;
}

static void
interp_flush_counters(struct sim_box *b, sim_tick next)
{
   sim_waits_flush(&((struct interp *)b)->waits, b, next);
}

static void
interp_dump(const struct sim_box *b, FILE *f)
{
   const struct interp *p = (const struct interp *)b;
   for (uint32_t r = 0; r < p->num_rops; r++) {
      const struct interp_pipe *pipe = &p->pipe[r];
      uint16_t work_id;
      if (p->hiding && interp_hide_holds(p, r, &work_id))
         fprintf(f, "   ROP %u: %u entries wait for what hides them, %u leave\n", r,
                 p->hiding[r].open.num, p->hiding[r].leaving.num - p->hiding[r].leaving.at);
      if (pipe->head != pipe->tail)
         fprintf(f, "   ROP %u: %u quads in the pipeline, the oldest of draw %u\n", r,
                 pipe->tail - pipe->head, pipe->entry[pipe->head % INTERP_PIPE].msg.draw->number);
   }
}

const struct sim_box_class interp_class = {
    .size = sizeof(struct interp),
    .domain = SIM_DOMAIN_GPU,
    .init = interp_init,
    .clock = interp_clock,
    .flush_counters = interp_flush_counters,
    .dump = interp_dump,
    .fini = interp_fini,
    SIM_BOX_CLASS(interp),
};
