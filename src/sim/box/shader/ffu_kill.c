/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO, forward pixel kill of a tile-based machine, after S. Ellis, "Killing Pixels - A
 * New Optimization for Shading on ARM Mali GPUs", ARM 2013: depth tests remove what lies behind
 * earlier fragments, and this removes what later fragments hide. Quads that have passed their test
 * wait in a FIFO of each ROP (ForwardPixelKill) before they join a group. An opaque quad that comes
 * and covers all its pixels drops those that wait for the same place. The oldest leaves when the
 * FIFO is full, or an end is in it: of a bin, a command in its lists, or what the Tile Fetcher
 * waits for. So a quad waits for the next ForwardPixelKill quads of its ROP and bin. A dropped one
 * keeps its room until it is the oldest. Mali also ends threads that run. Here a group that a
 * shader has got runs to its end, since the lanes of a group run together. */
#include "box/shader/ffu.h"
#include "box/opaque.h"

void
ffu_kill_init(struct ffu *f)
{
   const struct sim_config *c = &f->box.gpu->config;
   f->window = sim_tiled(c) ? c->tiling.kill_quads : 0;
   if (!f->window)
      return;
   const uint32_t ring = ffu_power_of_two(f->window);
   f->window_mask = ring - 1;
   for (unsigned r = 0; r < f->num_rops; r++)
      f->rop[r].window.waiting = sim_box_alloc(&f->box, ring * sizeof(struct msg_quad));
}

/* Returns whether earlier quads may be dropped for later ones across this. SIM_END_RUN only keeps
 * the order of two paths before the FIFO. */
static bool
ffu_kill_ends(const struct msg_quad *m)
{
   return m->end && m->what != SIM_END_RUN;
}

/* Returns whether nothing is left of what was at a quad's place in the buffers to which its draw
 * writes. */
static bool
ffu_kill_hides(const struct sim_quad *q)
{
   const struct emul_draw_state *s = &q->draw->state;
   return q->mask == (uint32_t)((1ull << 4 * s->samples) - 1) && opaque_replaces(s);
}

/* Drops the waiting quads of the bin that q hides. */
static void
ffu_kill_hidden(struct ffu *f, struct ffu_rop *rop, const struct sim_quad *q)
{
   struct ffu_window *w = &rop->window;
   for (uint32_t i = w->tail; i != w->head; i--) {
      struct msg_quad *m = &w->waiting[(i - 1) & f->window_mask];
      if (ffu_kill_ends(m))
         break;
      if (m->end || !m->quad)
         continue;
      f->stat[q->work_id].compared++;
      if (m->quad->x != q->x || m->quad->y != q->y || !opaque_may_drop(m->quad, q))
         continue;
      const unsigned fragments = sim_count_bits4(sim_quad_pixels(m->quad->mask));
      f->stat[m->work_id].hidden_quads++;
      f->stat[m->work_id].hidden_fragments += fragments;
      /* Functional mode counts what has passed the tests. */
      m->draw->counters[ATTILA_COUNTER_FS_INVOCATIONS] += fragments;
      sim_busy(&f->box, m->work_id);
      sim_quad_free(f->box.gpu, m->quad);
      m->quad = NULL;
   }
}

/* The oldest that waits is not a dropped one. */
static void
ffu_kill_settle(struct ffu *f, unsigned r)
{
   struct ffu_window *w = &f->rop[r].window;
   for (; w->head != w->tail; w->head++) {
      const struct msg_quad *m = &w->waiting[w->head & f->window_mask];
      if (m->end || m->quad)
         break;
   }
   if (w->ends || w->tail - w->head == f->window)
      f->window_opens |= 1ull << r;
   else
      f->window_opens &= ~(1ull << r);
}

bool
ffu_kill_take(struct ffu *f, unsigned r, sim_tick now)
{
   struct sim_signal *in = &f->box.gpu->net.interp_ffu[r];
   struct ffu_rop *rop = &f->rop[r];
   struct ffu_window *w = &rop->window;
   const struct msg_quad *m;
   bool progress = false;
   while (w->tail - w->head < f->window && (m = sim_peek(in, now))) {
      if (!m->end) {
         ffu_count_input(f, m);
         if (ffu_kill_hides(m->quad))
            ffu_kill_hidden(f, rop, m->quad);
      }
      w->ends += ffu_kill_ends(m);
      w->waiting[w->tail++ & f->window_mask] = *m;
      sim_busy(&f->box, m->work_id);
      sim_pop(in, now);
      sim_prefetch_quad(in);
      ffu_kill_settle(f, r);
      progress = true;
   }
   return progress;
}

const struct msg_quad *
ffu_kill_first(const struct ffu *f, unsigned r)
{
   const struct ffu_window *w = &f->rop[r].window;
   return f->window_opens >> r & 1 ? &w->waiting[w->head & f->window_mask] : NULL;
}

void
ffu_kill_pop(struct ffu *f, unsigned r)
{
   struct ffu_window *w = &f->rop[r].window;
   w->ends -= ffu_kill_ends(&w->waiting[w->head++ & f->window_mask]);
   ffu_kill_settle(f, r);
}

uint16_t
ffu_kill_oldest(const struct ffu *f, unsigned r)
{
   const struct ffu_window *w = &f->rop[r].window;
   return w->waiting[w->head & f->window_mask].work_id;
}
