/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Times of islands and of the machine (core/sim_islands.h), and what crosses between them. Not
 * here: the loop that clocks boxes (core/sim_run.c).
 */
#include "core/sim_islands.h"
#include "core/sim_due.h"

#include <stdlib.h>
#include <string.h>

static void
add_stretch(struct sim_island *i, const struct sim_stretch *s)
{
   if (i->num == i->size) {
      i->size = i->size * 2 + 16;
      i->stretch = sim_checked(realloc(i->stretch, i->size * sizeof(*i->stretch)));
   }
   i->stretch[i->num++] = *s;
}

void
sim_islands_create(struct sim_kernel *k, unsigned num)
{
   if (!num || num > SIM_MAX_ISLANDS || k->num_boxes) {
      fprintf(stderr, "attila: %u islands: expected 1 to %u, before the first box\n", num,
              SIM_MAX_ISLANDS);
      abort();
   }
   struct sim_islands *all = sim_checked(calloc(1, sizeof(*all)));
   all->num = num;
   for (unsigned i = 0; i < num; i++)
      add_stretch(&all->island[i],
                  &(struct sim_stretch){.step = SIM_FINE, .percent = 100, .voltage = 1000});
   k->islands = all;
   k->num_islands = num;
   sim_kernel_find_plain(k);
}

void
sim_islands_destroy(struct sim_kernel *k)
{
   for (unsigned i = 0; k->islands && i < k->islands->num; i++)
      free(k->islands->island[i].stretch);
   free(k->islands);
   k->islands = NULL;
}

void
sim_islands_put(struct sim_box *b, unsigned island)
{
   if (!b->kernel->islands || island >= b->kernel->islands->num || b->num_in) {
      fprintf(stderr, "attila: %s cannot be put into island %u\n", b->name, island);
      abort();
   }
   b->island = island;
   b->kernel->island[b->index] = (uint8_t)island;
}

void
sim_islands_cross(struct sim_signal *s, sim_tick sync)
{
   s->payload |= SIM_CROSSES;
   s->sync = sync;
}

/* --- Times --- */

static inline const struct sim_stretch *
present(const struct sim_kernel *k, unsigned island)
{
   return sim_islands_state(k, island);
}

/* The last tick of the island until an instant of the stretch. */
static inline sim_tick
tick_until(const struct sim_stretch *s, uint64_t instant)
{
   if (instant <= s->start)
      return s->tick;
   return s->tick + (instant - s->start) / s->step;
}

/* Its first tick that is not before an instant. */
static inline sim_tick
tick_from(const struct sim_stretch *s, uint64_t instant)
{
   if (instant <= s->start)
      return s->tick;
   return s->tick + (instant - s->start + s->step - 1) / s->step;
}

/* When the island has a tick that is not before s->tick. */
static inline uint64_t
instant_of(const struct sim_stretch *s, sim_tick tick)
{
   return s->start + (tick - s->tick) * s->step;
}

/* The stretch that a tick lies in: most are in the present one. */
static const struct sim_stretch *
stretch_of(const struct sim_kernel *k, unsigned island, sim_tick tick)
{
   const struct sim_island *i = &k->islands->island[island];
   const struct sim_stretch *s = &i->stretch[i->num - 1];
   while (s != i->stretch && s->tick >= tick)
      s--;
   return s;
}

sim_tick
sim_islands_now(const struct sim_box *b)
{
   return b->kernel->islands->island[b->island].now;
}

sim_tick
sim_islands_time(const struct sim_box *b, sim_tick tick)
{
   return instant_of(stretch_of(b->kernel, b->island, tick), tick) / SIM_FINE;
}

sim_tick
sim_islands_tick(const struct sim_kernel *k, unsigned island, sim_tick time)
{
   return tick_from(present(k, island), time * SIM_FINE);
}

sim_tick
sim_islands_convert(const struct sim_box *from, const struct sim_box *to, sim_tick tick)
{
   const struct sim_kernel *k = from->kernel;
   return tick_from(present(k, to->island), instant_of(stretch_of(k, from->island, tick), tick));
}

uint64_t
sim_islands_instant(const struct sim_kernel *k)
{
   return k->islands->instant;
}

/* --- Signals between islands --- */

sim_tick
sim_islands_arrival(const struct sim_signal *s)
{
   const struct sim_kernel *k = s->kernel;
   const struct sim_stretch *from = present(k, s->sender->island),
                            *to = present(k, s->receiver->island);
   const sim_tick ready =
       tick_from(to, k->islands->instant + s->latency * from->step + s->sync * to->step);
   /* Nothing overtakes what was sent by a slower clock. */
   if (s->head == s->tail)
      return ready;
   const uint8_t *last = (s->next == s->begin ? s->end : s->next) - s->stride;
   const sim_tick before = ((const struct sim_slot *)last)->ready;
   return before > ready ? before : ready;
}

/* The receiver's clock changes: what is on its way arrives when it would have. */
static void
rearrange(struct sim_signal *s, const struct sim_stretch *before, const struct sim_stretch *after)
{
   uint8_t *at = s->first;
   for (uint32_t n = s->head; n != s->tail; n++) {
      struct sim_slot *slot = (struct sim_slot *)at;
      if (slot->ready > after->tick) {
         slot->ready = tick_from(after, instant_of(before, slot->ready));
         sim_wake_at(s->kernel, s->wake, slot->ready);
      }
      if (n == s->head)
         s->arrival = slot->ready;
      at += s->stride;
      if (at == s->end)
         at = s->begin;
   }
}

void
sim_islands_set(struct sim_kernel *k, unsigned island, unsigned percent, unsigned voltage,
                uint64_t still)
{
   struct sim_islands *all = k->islands;
   struct sim_island *i = &all->island[island];
   const struct sim_stretch before = *present(k, island);
   const uint64_t start = all->instant + still;
   const struct sim_stretch after = {.from = all->instant,
                                     .start = start > before.start ? start : before.start,
                                     .tick = i->now,
                                     .step = (SIM_FINE * 100 + percent / 2) / percent,
                                     .percent = (uint16_t)percent,
                                     .voltage = (uint16_t)voltage};
   if (all->listener)
      all->listener(all->listener_data, island, &before, &after);
   add_stretch(i, &after);
   for (unsigned b = 0; b < k->num_boxes; b++) {
      const struct sim_box *box = k->boxes[b];
      for (unsigned n = 0; box->island == island && n < box->num_in; n++) {
         if (box->in[n]->payload & SIM_CROSSES)
            rearrange(box->in[n], &before, &after);
      }
   }
}

/* --- Instants --- */

void
sim_islands_pass(struct sim_kernel *k, uint64_t instant)
{
   struct sim_islands *all = k->islands;
   if (instant < all->instant)
      return;
   all->instant = instant;
   for (unsigned i = 0; i < all->num; i++)
      all->island[i].now = tick_until(present(k, i), instant);
}

uint64_t
sim_islands_next(const struct sim_kernel *k)
{
   sim_tick earliest[SIM_MAX_ISLANDS];
   for (unsigned i = 0; i < SIM_MAX_ISLANDS; i++)
      earliest[i] = SIM_NEVER;
   bool sleeps = true;
   for (unsigned b = 0; b < k->num_boxes; b++) {
      const unsigned i = k->island[b];
      const sim_tick next = k->islands->island[i].now + 1, period = k->period[k->domain[b]];
      sim_tick wake = k->wake[b];
      sleeps = sleeps && wake == SIM_NEVER;
      wake = k->thorough ? next : wake;
      if (wake == SIM_NEVER)
         continue;
      wake = wake < next ? next : wake;
      if (period != 1)
         wake = (wake + period - 1) / period * period;
      earliest[i] = wake < earliest[i] ? wake : earliest[i];
   }
   uint64_t instant = SIM_NEVER;
   for (unsigned i = 0; !sleeps && i < k->islands->num; i++) {
      if (earliest[i] == SIM_NEVER)
         continue;
      const uint64_t at = instant_of(present(k, i), earliest[i]);
      instant = at < instant ? at : instant;
   }
   return instant;
}

unsigned
sim_islands_due(struct sim_kernel *k, uint16_t *list)
{
   const struct sim_islands *all = k->islands;
   sim_tick tick[SIM_MAX_ISLANDS]; /* of the islands that have one in this instant; 0: none */
   for (unsigned i = 0; i < all->num; i++) {
      const struct sim_stretch *s = present(k, i);
      const sim_tick now = all->island[i].now;
      tick[i] = now > s->tick && instant_of(s, now) == all->instant ? now : 0;
   }
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const unsigned b = k->order[i];
      const sim_tick now = tick[k->island[b]], period = k->period[k->domain[b]];
      if (now && (k->thorough || k->wake[b] <= now) && (period == 1 || now % period == 0))
         list[n++] = (uint16_t)b;
   }
   for (unsigned i = 0; i < n; i++)
      k->wake[list[i]] = SIM_NEVER;
   return n;
}
