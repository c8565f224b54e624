/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Times of domains and of the machine (core/sim_dvfs.h), and what crosses between them. Not here:
 * the clocking loop (core/sim_run.c). */
#include "core/sim_dvfs.h"
#include "core/sim_due.h"

#include <stdlib.h>
#include <string.h>

static void
dvfs_add_stretch(struct sim_dvfs_clock *i, const struct sim_stretch *s)
{
   if (i->num == i->size) {
      i->size = i->size * 2 + 16;
      i->stretch = sim_xrealloc(i->stretch, i->size * sizeof(*i->stretch));
   }
   i->stretch[i->num++] = *s;
}

void
sim_dvfs_create(struct sim_kernel *k, unsigned num)
{
   if (!num || num > SIM_MAX_DVFS_DOMAINS || k->num_boxes) {
      fprintf(stderr, "attila: %u DVFS domains: expected 1 to %u, before the first box\n", num,
              SIM_MAX_DVFS_DOMAINS);
      abort();
   }
   struct sim_dvfs *all = sim_xcalloc(1, sizeof(*all));
   all->num = num;
   for (unsigned i = 0; i < num; i++)
      dvfs_add_stretch(&all->clock[i],
                       &(struct sim_stretch){.step = SIM_FINE, .percent = 100, .voltage = 1000});
   k->dvfs = all;
   k->num_dvfs_domains = num;
   sim_kernel_find_plain(k);
}

void
sim_dvfs_destroy(struct sim_kernel *k)
{
   for (unsigned i = 0; k->dvfs && i < k->dvfs->num; i++)
      free(k->dvfs->clock[i].stretch);
   free(k->dvfs);
   k->dvfs = NULL;
}

void
sim_dvfs_put(struct sim_box *b, unsigned dvfs_domain)
{
   if (!b->kernel->dvfs || dvfs_domain >= b->kernel->dvfs->num || b->num_in) {
      fprintf(stderr, "attila: %s cannot be put into DVFS domain %u\n", b->name, dvfs_domain);
      abort();
   }
   b->dvfs_domain = dvfs_domain;
   b->kernel->dvfs_domain[b->index] = (uint8_t)dvfs_domain;
}

void
sim_dvfs_cross(struct sim_signal *s, sim_tick sync)
{
   sim_signal_set_bits(s, SIM_CROSSES, true);
   s->sync = sync;
}

/* --- Times --- */

static inline const struct sim_stretch *
dvfs_present(const struct sim_kernel *k, unsigned dvfs_domain)
{
   return sim_dvfs_state(k, dvfs_domain);
}

/* Returns the domain's last tick up to an instant of the stretch. */
static inline sim_tick
dvfs_tick_until(const struct sim_stretch *s, uint64_t instant)
{
   if (instant <= s->start)
      return s->tick;
   return s->tick + (instant - s->start) / s->step;
}

/* Returns the domain's first tick not before an instant. */
static inline sim_tick
dvfs_tick_from(const struct sim_stretch *s, uint64_t instant)
{
   if (instant <= s->start)
      return s->tick;
   return s->tick + (instant - s->start + s->step - 1) / s->step;
}

/* Returns when the domain has a tick not before s->tick. */
static inline uint64_t
dvfs_instant_of(const struct sim_stretch *s, sim_tick tick)
{
   return s->start + (tick - s->tick) * s->step;
}

/* Returns a tick's stretch, mostly the present one. */
static const struct sim_stretch *
dvfs_stretch_of(const struct sim_kernel *k, unsigned dvfs_domain, sim_tick tick)
{
   const struct sim_dvfs_clock *i = &k->dvfs->clock[dvfs_domain];
   const struct sim_stretch *s = &i->stretch[i->num - 1];
   while (s != i->stretch && s->tick >= tick)
      s--;
   return s;
}

sim_tick
sim_dvfs_now(const struct sim_box *b)
{
   return b->kernel->dvfs->clock[b->dvfs_domain].now;
}

sim_tick
sim_dvfs_time(const struct sim_box *b, sim_tick tick)
{
   return dvfs_instant_of(dvfs_stretch_of(b->kernel, b->dvfs_domain, tick), tick) / SIM_FINE;
}

sim_tick
sim_dvfs_tick(const struct sim_kernel *k, unsigned dvfs_domain, sim_tick time)
{
   return dvfs_tick_from(dvfs_present(k, dvfs_domain), time * SIM_FINE);
}

sim_tick
sim_dvfs_convert(const struct sim_box *from, const struct sim_box *to, sim_tick tick)
{
   const struct sim_kernel *k = from->kernel;
   return dvfs_tick_from(dvfs_present(k, to->dvfs_domain),
                         dvfs_instant_of(dvfs_stretch_of(k, from->dvfs_domain, tick), tick));
}

uint64_t
sim_dvfs_instant(const struct sim_kernel *k)
{
   return k->dvfs->instant;
}

/* --- Signals between domains --- */

sim_tick
sim_dvfs_arrival(const struct sim_signal *s)
{
   const struct sim_kernel *k = s->sender->kernel;
   const struct sim_stretch *from = dvfs_present(k, s->sender->dvfs_domain),
                            *to = dvfs_present(k, s->receiver->dvfs_domain);
   const sim_tick ready =
       dvfs_tick_from(to, k->dvfs->instant + s->latency * from->step + s->sync * to->step);
   /* Objects that were sent with a slower clock are not overtaken. */
   if (s->head == s->tail)
      return ready;
   const uint8_t *last = (s->next == s->begin ? s->end : s->next) - (s->stride & ~SIM_SIGNAL_BITS);
   const sim_tick before = ((const struct sim_slot *)last)->ready;
   return before > ready ? before : ready;
}

/* When the receiver's clock changes, keeps the instants at which objects on their way arrive. */
static void
dvfs_rearrange(struct sim_signal *s, const struct sim_stretch *before,
               const struct sim_stretch *after)
{
   uint8_t *at = s->first;
   for (uint32_t n = s->head; n != s->tail; n++) {
      struct sim_slot *slot = (struct sim_slot *)at;
      if (slot->ready > after->tick) {
         slot->ready = dvfs_tick_from(after, dvfs_instant_of(before, slot->ready));
         sim_wake_at(s->receiver->share, s->wake, slot->ready);
      }
      if (n == s->head)
         s->arrival = slot->ready;
      at = sim_slot_after(s, at, 1);
   }
}

void
sim_dvfs_set(struct sim_kernel *k, unsigned dvfs_domain, unsigned percent, unsigned voltage,
             uint64_t still)
{
   struct sim_dvfs *all = k->dvfs;
   struct sim_dvfs_clock *i = &all->clock[dvfs_domain];
   const struct sim_stretch before = *dvfs_present(k, dvfs_domain);
   const uint64_t start = all->instant + still;
   const struct sim_stretch after = {.from = all->instant,
                                     .start = start > before.start ? start : before.start,
                                     .tick = i->now,
                                     .step = (SIM_FINE * 100 + percent / 2) / percent,
                                     .percent = (uint16_t)percent,
                                     .voltage = (uint16_t)voltage};
   if (all->listener)
      all->listener(all->listener_data, dvfs_domain, &before, &after);
   dvfs_add_stretch(i, &after);
   for (unsigned b = 0; b < k->num_boxes; b++) {
      const struct sim_box *box = k->boxes[b];
      for (unsigned n = 0; box->dvfs_domain == dvfs_domain && n < box->num_in; n++) {
         if (box->in[n]->payload & SIM_CROSSES)
            dvfs_rearrange(box->in[n], &before, &after);
      }
   }
}

/* --- Instants --- */

void
sim_dvfs_pass(struct sim_kernel *k, uint64_t instant)
{
   struct sim_dvfs *all = k->dvfs;
   if (instant < all->instant)
      return;
   all->instant = instant;
   for (unsigned i = 0; i < all->num; i++)
      all->clock[i].now = dvfs_tick_until(dvfs_present(k, i), instant);
}

uint64_t
sim_dvfs_next(const struct sim_kernel *k)
{
   sim_tick earliest[SIM_MAX_DVFS_DOMAINS];
   for (unsigned i = 0; i < SIM_MAX_DVFS_DOMAINS; i++)
      earliest[i] = SIM_NEVER;
   bool sleeps = true;
   for (unsigned b = 0; b < k->num_boxes; b++) {
      const unsigned i = k->dvfs_domain[b];
      const sim_tick next = k->dvfs->clock[i].now + 1, period = k->period[k->domain[b]];
      sim_tick wake = k->first.wake[b];
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
   for (unsigned i = 0; !sleeps && i < k->dvfs->num; i++) {
      if (earliest[i] == SIM_NEVER)
         continue;
      const uint64_t at = dvfs_instant_of(dvfs_present(k, i), earliest[i]);
      instant = at < instant ? at : instant;
   }
   return instant;
}

unsigned
sim_dvfs_due(struct sim_kernel *k, uint16_t *list)
{
   const struct sim_dvfs *all = k->dvfs;
   sim_tick tick[SIM_MAX_DVFS_DOMAINS]; /* of domains with a tick in this instant; 0: none */
   for (unsigned i = 0; i < all->num; i++) {
      const struct sim_stretch *s = dvfs_present(k, i);
      const sim_tick now = all->clock[i].now;
      tick[i] = now > s->tick && dvfs_instant_of(s, now) == all->instant ? now : 0;
   }
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const unsigned b = k->order[i];
      const sim_tick now = tick[k->dvfs_domain[b]], period = k->period[k->domain[b]];
      if (now && (k->thorough || k->first.wake[b] <= now) && (period == 1 || now % period == 0))
         list[n++] = (uint16_t)b;
   }
   for (unsigned i = 0; i < n; i++)
      k->first.wake[list[i]] = SIM_NEVER;
   return n;
}
