/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Deals boxes to shares; what is sent between two shares (core/sim_shares.h). Shares are kept,
 * although threads gain little today (docs/explanation/threads.md). */
#include "core/sim_shares.h"
#include "core/sim_due.h"
#include "core/sim_threads.h"
#include "core/sim_xalloc.h"

#include <stdlib.h>

/* --- Letters --- */

static void __attribute__((noinline, cold)) shares_grow(struct sim_outbox *o)
{
   const unsigned i = o->filling;
   o->room[i] = o->room[i] * 2 + 64;
   o->letter[i] = sim_xrealloc(o->letter[i], o->room[i] * sizeof(*o->letter[i]));
}

static inline void
shares_put(struct sim_outbox *o, void *what, sim_tick wake)
{
   const unsigned i = o->filling;
   if (__builtin_expect(o->num == o->room[i], 0))
      shares_grow(o);
   o->letter[i][o->num++] = (struct sim_letter){.what = what, .wake = wake};
}

/* Notes an object for the receiver. */
static inline void
shares_arrive(struct sim_signal *s, sim_tick wake)
{
   if (s->shared->present++ == 0) {
      s->arrival = ((const struct sim_slot *)s->first)->ready;
      *s->filled |= s->bit;
   }
   sim_wake_at(s->receiver->share, s->wake, wake);
}

/* Notes a credit for the sender, valid from tick next. */
static inline void
shares_credit(struct sim_signal *s, sim_tick next)
{
   if (s->capacity - (s->tail - s->head) < s->bandwidth)
      sim_wake_at(s->share, s->wake_sender, next);
   s->head++;
}

void
sim_share_take(struct sim_share *to, const struct sim_share *from, unsigned list, uint32_t letters)
{
   const struct sim_letter *l = from->outbox[to->index].letter[list];
   for (uint32_t i = 0; i < letters; i++)
      __builtin_prefetch(l[i].what, 1);
   for (uint32_t i = 0; i < letters; i++) {
      if (l[i].wake == SIM_LETTER_CREDIT)
         shares_credit(l[i].what, to->now + 1);
      else if (l[i].wake == SIM_LETTER_OBJECT)
         to->kernel->reclaim(to->kernel, l[i].what);
      else
         shares_arrive(l[i].what, l[i].wake);
   }
}

void
sim_share_give(struct sim_box *b, void *object)
{
   struct sim_share *h = b->share;
   if (h->index)
      shares_put(&h->outbox[0], object, SIM_LETTER_OBJECT);
   else
      h->kernel->reclaim(h->kernel, object);
}

/* --- Shared signals --- */

void *
sim_shared_send(struct sim_signal *s, sim_tick now, sim_tick wake)
{
   const struct sim_shared *x = s->shared;
   const sim_tick ready = now + s->latency;
   struct sim_slot *slot = (struct sim_slot *)s->next;
   struct sim_share *h = s->share;
   slot->ready = ready;
   s->tail++;
   s->next += x->stride;
   if (s->next == x->end)
      s->next = x->begin;
   wake = wake > ready ? wake : ready;
   h->told = wake < h->told ? wake : h->told;
   shares_put(x->to_receiver, s, wake);
   return slot + 1;
}

void
sim_shared_pop(struct sim_signal *s, sim_tick now)
{
   struct sim_shared *x = s->shared;
   struct sim_share *h = s->receiver->share;
   s->first = sim_slot_after(s, s->first, 1);
   if (--x->present) {
      s->arrival = ((const struct sim_slot *)s->first)->ready;
      /* Another object has arrived, which is worth another cycle, as with other signals. */
      if (s->arrival <= now)
         sim_wake_at(h, s->wake, now + 1);
   } else {
      s->arrival = SIM_NEVER;
      *s->filled &= ~s->bit;
   }
   shares_put(x->to_sender, s, SIM_LETTER_CREDIT);
}

uint32_t
sim_shared_present(const struct sim_signal *s)
{
   return s->shared->present;
}

/* --- Dealing --- */

/* Deals groups to shares: the costliest group first, each to the share that costs least so far. The
 * first share keeps its group. Returns the most costly share's cost. */
static uint64_t
shares_choose(uint64_t cost[SIM_MAX_GROUPS], unsigned num, uint8_t share[SIM_MAX_GROUPS])
{
   uint64_t load[SIM_MAX_SHARES] = {cost[0]};
   share[0] = 0;
   for (unsigned i = 1; i < SIM_MAX_GROUPS; i++) {
      unsigned dearest = 1, least = 0;
      for (unsigned g = 2; g < SIM_MAX_GROUPS; g++)
         dearest = cost[g] > cost[dearest] ? g : dearest;
      if (!cost[dearest])
         break; /* without boxes */
      for (unsigned s = 1; s < num; s++)
         least = load[s] < load[least] ? s : least;
      load[least] += cost[dearest];
      cost[dearest] = 0;
      share[dearest] = (uint8_t)least;
   }
   uint64_t most = 0;
   for (unsigned s = 0; s < num; s++)
      most = load[s] > most ? load[s] : most;
   return most;
}

double
sim_shares_bound(const struct sim_kernel *k, unsigned num)
{
   uint64_t cost[SIM_MAX_GROUPS] = {0}, total = 0;
   uint8_t share[SIM_MAX_GROUPS];
   for (unsigned i = 0; i < k->num_boxes; i++) {
      cost[k->group[i]] += k->boxes[i]->host_ns;
      total += k->boxes[i]->host_ns;
   }
   const uint64_t most = shares_choose(cost, num, share);
   return most ? (double)total / (double)most : 1.0;
}

/* Creates the shares, which then exist for good. */
static void
shares_create(struct sim_kernel *k)
{
   if (k->first.outbox)
      return;
   for (unsigned i = 0; i < k->num_threads; i++) {
      struct sim_share *h = i ? sim_arena_alloc(&k->arena, sizeof(*h)) : &k->first;
      h->index = i;
      h->kernel = k;
      h->outbox = sim_arena_alloc(&k->arena, SIM_MAX_SHARES * sizeof(*h->outbox));
      k->share[i] = h;
   }
}

void
sim_shares_weigh(struct sim_kernel *k, const uint64_t *spent)
{
   uint64_t cost[SIM_MAX_GROUPS] = {0};
   uint8_t share[SIM_MAX_GROUPS];
   /* At least 1: an inactive box may become active. */
   for (unsigned i = 0; i < k->num_boxes; i++)
      cost[k->group[i]] += spent[i] + 1;
   shares_choose(cost, k->num_threads, share);
   shares_create(k);
   for (unsigned i = 0; i < k->num_boxes; i++)
      k->deal[i] = share[k->group[i]];
}

static void
shares_of_signal(struct sim_signal *s)
{
   struct sim_share *from = s->sender->share, *to = s->receiver->share;
   s->share = from;
   s->wake = &to->wake[s->receiver->index];
   s->wake_sender = &from->wake[s->sender->index];
   sim_signal_set_bits(s, SIM_SHARED, from != to);
   if (from == to)
      return;
   if (!s->shared)
      s->shared = sim_arena_alloc(&from->kernel->arena, sizeof(*s->shared));
   *s->shared = (struct sim_shared){.present = s->tail - s->head,
                                    .to_sender = &to->outbox[from->index],
                                    .to_receiver = &from->outbox[to->index],
                                    .begin = s->begin,
                                    .end = s->end,
                                    .stride = s->stride & ~SIM_SIGNAL_BITS};
}

static void
shares_make(struct sim_kernel *k, unsigned num)
{
   for (unsigned i = 0; i < num; i++) {
      struct sim_share *h = k->share[i];
      sim_due_init(h);
      h->told = SIM_NEVER;
      for (unsigned n = 0; n < num && num > 1; n++)
         h->outbox[n].filling = k->first.step & 1;
   }
   k->num_shares = num;
}

void
sim_shares_deal(struct sim_kernel *k, bool several)
{
   sim_tick wake[SIM_MAX_BOXES];
   for (unsigned i = 0; i < k->num_boxes; i++)
      wake[i] = k->boxes[i]->share->wake[i];
   sim_threads_settle(k);
   if (!k->first.step)
      k->first.step = 1;
   shares_make(k, several ? k->num_threads : 1);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_share *h = several ? k->share[k->deal[i]] : &k->first;
      k->boxes[i]->share = h;
      if (wake[i] != SIM_NEVER)
         sim_wake_at(h, &h->wake[i], wake[i]);
   }
   for (unsigned i = 0; i < k->num_boxes; i++) {
      for (unsigned n = 0; n < k->boxes[i]->num_in; n++)
         shares_of_signal(k->boxes[i]->in[n]);
   }
}

void
sim_shares_fini(struct sim_kernel *k)
{
   for (unsigned i = 0; i < SIM_MAX_SHARES; i++) {
      for (unsigned n = 0; k->share[i] && k->share[i]->outbox && n < SIM_MAX_SHARES; n++) {
         free(k->share[i]->outbox[n].letter[0]);
         free(k->share[i]->outbox[n].letter[1]);
      }
   }
}
