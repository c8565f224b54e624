/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Interpolator, hidden surface removal of a tile-based machine, after PowerVR's GPUs (K. Beets, "A
 * look at the PowerVR graphics architecture: Deferred rendering", Imagination Technologies 2016):
 * opaque fragments are shaded when all those of a bin have been tested, so one fragment for each
 * sample, the last that passed its test. A tag buffer says which primitive it is of. Here tested
 * quads of a ROP wait before they are interpolated, and lose the samples that later ones replace;
 * those without any are dropped. So at most one quad waits for each sample, and the quads are the
 * tags. Our choices are when they leave (their bin ends, a command in the lists comes, or a
 * fragment that shows what is behind it or does not replace all of what waits there), and that a
 * second tag buffer is filled meanwhile. Not here: which fragments are opaque (box/opaque.h). */
#include "box/raster/interp.h"
#include "box/opaque.h"

#include <stdlib.h>

void
interp_hide_init(struct interp *p)
{
   const struct sim_config *c = &p->box.gpu->config;
   if (!sim_tiled(c) || !c->tiling.hides)
      return;
   p->hiding = sim_box_alloc(&p->box, p->num_rops * sizeof(*p->hiding));
   p->leaving_room = c->rast.tested_queue;
}

static void
interp_hide_free(struct interp_set *s)
{
   free(s->msg);
   free(s->below);
}

void
interp_hide_fini(struct interp *p)
{
   for (uint32_t r = 0; p->hiding && r < p->num_rops; r++) {
      interp_hide_free(&p->hiding[r].open);
      interp_hide_free(&p->hiding[r].leaving);
   }
}

/* Returns where the newest quad of the open set is noted whose place in its bin is q's. */
static uint32_t *
interp_hide_place(struct interp_hiding *h, const struct sim_quad *q)
{
   return &h->place[((uint32_t)q->x >> 1 & 31) | ((uint32_t)q->y >> 1 & 31) << 5];
}

static void
interp_hide_append(struct interp_set *s, const struct msg_quad *m, uint32_t below)
{
   if (s->at == s->num)
      s->at = s->num = 0;
   if (s->num == s->room) {
      s->room = 2 * s->room + 256;
      s->msg = sim_xrealloc(s->msg, s->room * sizeof(*s->msg));
      s->below = sim_xrealloc(s->below, s->room * sizeof(*s->below));
   }
   s->msg[s->num] = *m;
   s->below[s->num++] = below;
}

/* The leaving set begins with what is there. */
static void
interp_hide_settle(struct interp_set *s)
{
   while (s->at != s->num && !s->msg[s->at].end && !s->msg[s->at].quad)
      s->at++;
}

/* Lets the open set leave; false: the one before has not left. */
static bool
interp_hide_close(struct interp_hiding *h)
{
   const struct interp_set gone = h->leaving;
   if (gone.at != gone.num)
      return false;
   h->leaving = h->open;
   h->open = gone;
   h->open.at = h->open.num = 0;
   memset(h->place, 0, sizeof(h->place));
   interp_hide_settle(&h->leaving);
   return true;
}

/* Returns whether a waiting quad must be written before q, which replaces some of its samples. */
static bool
interp_hide_conflicts(struct interp_hiding *h, const struct sim_quad *q)
{
   for (uint32_t i = *interp_hide_place(h, q); i; i = h->open.below[i - 1]) {
      const struct sim_quad *w = h->open.msg[i - 1].quad;
      if (w && w->x == q->x && w->y == q->y && w->mask & q->mask && !opaque_may_drop(w, q))
         return true;
   }
   return false;
}

/* Takes the samples of q from the quads that wait. */
static void
interp_hide_replace(struct interp *p, struct interp_hiding *h, const struct sim_quad *q)
{
   for (uint32_t i = *interp_hide_place(h, q); i; i = h->open.below[i - 1]) {
      struct msg_quad *m = &h->open.msg[i - 1];
      struct sim_quad *w = m->quad;
      if (!w || w->x != q->x || w->y != q->y || !(w->mask & q->mask))
         continue;
      const uint32_t left = w->mask & ~q->mask;
      const unsigned fragments =
          sim_count_bits4(sim_quad_pixels(w->mask)) - sim_count_bits4(sim_quad_pixels(left));
      p->stat[m->work_id].hidden_fragments += fragments;
      /* Functional mode counts what has passed the tests. */
      m->draw->counters[ATTILA_COUNTER_FS_INVOCATIONS] += fragments;
      w->mask = left;
      if (left)
         continue;
      p->stat[m->work_id].hidden_quads++;
      sim_busy(&p->box, m->work_id);
      sim_quad_free(p->box.gpu, w);
      m->quad = NULL;
   }
}

/* Takes a quad or an end; false: it must wait. */
static bool
interp_hide_enter(struct interp *p, struct interp_hiding *h, const struct msg_quad *m)
{
   const bool opaque = !m->end && opaque_replaces(&m->draw->state),
              closes = m->end ? m->what != SIM_END_RUN : !opaque;
   const bool close = h->open.num && (closes || (opaque && interp_hide_conflicts(h, m->quad)));
   if (close && !interp_hide_close(h))
      return false;
   if (opaque) {
      interp_hide_replace(p, h, m->quad);
      uint32_t *place = interp_hide_place(h, m->quad);
      interp_hide_append(&h->open, m, *place);
      *place = h->open.num;
      p->stat[m->work_id].deferred++;
   } else if (h->open.num) {
      interp_hide_append(&h->open, m, 0);
   } else if (close || h->leaving.num - h->leaving.at < p->leaving_room) {
      interp_hide_append(&h->leaving, m, 0);
   } else {
      return false;
   }
   return true;
}

bool
interp_hide_take(struct interp *p, uint32_t r, sim_tick now)
{
   bool progress = false;
   for (;;) {
      struct sim_signal *s = interp_input(p, r, now);
      const struct msg_quad *m = interp_peek(p, r, s, now);
      if (!m || !interp_hide_enter(p, &p->hiding[r], m))
         break;
      const uint16_t work_id = m->work_id;
      interp_pop(p, r, s, m->end, now);
      sim_busy(&p->box, work_id);
      progress = true;
   }
   return progress;
}

const struct msg_quad *
interp_hide_first(const struct interp *p, uint32_t r)
{
   const struct interp_set *s = &p->hiding[r].leaving;
   return s->at != s->num ? &s->msg[s->at] : NULL;
}

void
interp_hide_pop(struct interp *p, uint32_t r)
{
   struct interp_set *s = &p->hiding[r].leaving;
   s->at++;
   interp_hide_settle(s);
}

bool
interp_hide_holds(const struct interp *p, uint32_t r, uint16_t *work_id)
{
   const struct interp_hiding *h = &p->hiding[r];
   const struct interp_set *s = h->leaving.at != h->leaving.num ? &h->leaving : &h->open;
   if (s->at != s->num)
      *work_id = s->msg[s->at].work_id;
   return s->at != s->num;
}
