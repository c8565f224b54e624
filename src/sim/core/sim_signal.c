/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sending and removing objects (core/sim_signal.h): one copy for all boxes, which compete for the
 * host's instruction cache. Not here: questions, which are some instructions where they are asked.
 */
#include "core/sim_signal.h"

void *
sim_send_begin(struct sim_signal *s, sim_tick now, uint32_t size)
{
   if (__builtin_expect(sim_can_send(s, now) == 0, 0)) {
      sim_signal_error(s, "sent over its bandwidth or without a credit");
      return (void *)0;
   }
   if (__builtin_expect(size != s->payload, 0)) {
      sim_signal_error(s, "sent an object of another kind");
      return (void *)0;
   }
   struct sim_slot *slot = (struct sim_slot *)s->next;
   slot->ready = now + s->latency;
   if (s->tail++ == s->head)
      s->arrival = slot->ready;
   s->next += s->stride;
   if (s->next == s->end)
      s->next = s->begin;
   *s->filled |= s->bit;
   sim_wake_at(s->wake, slot->ready);
   /* A credit freed earlier in this tick, when it was not scarce yet, counts from the next tick on.
    */
   if (s->last_pop == now && s->capacity - (s->tail - s->popped_before) < s->bandwidth)
      sim_wake_at(s->wake_sender, now + 1);
   return slot + 1;
}

void
sim_pop(struct sim_signal *s, sim_tick now)
{
   if (s->last_pop != now) {
      s->last_pop = now;
      s->popped_before = s->head;
   }
   /* The credit matters to the sender only if it has fewer than it can use in a cycle. */
   if (s->capacity - (s->tail - s->head) < s->bandwidth)
      sim_wake_at(s->wake_sender, now + 1);
   s->first += s->stride;
   if (s->first == s->end)
      s->first = s->begin;
   if (++s->head == s->tail) {
      s->arrival = SIM_NEVER;
      *s->filled &= ~s->bit;
   } else {
      s->arrival = ((const struct sim_slot *)s->first)->ready;
   }
}
