/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Sending and removing objects (core/sim_signal.h): one copy for all boxes, which compete for the
 * host's instruction cache. Not here: short inline queries. */
#include "core/sim_xalloc.h"
#include "core/sim_due.h"
#include "core/sim_dvfs.h"
#include "core/sim_shares.h"
#include "core/sim_trace.h"

#include <stdio.h>
#include <stdlib.h>

void
sim_trace_add(struct sim_kernel *k, const struct sim_trace_event *event)
{
   struct sim_trace *t = k->trace;
   if (t->num == t->size) {
      t->size = t->size * 2 + 256;
      t->events = sim_xrealloc(t->events, t->size * sizeof(*t->events));
   }
   if (!t->num)
      sim_kernel_after(k, t->tick, t->data);
   t->events[t->num++] = *event;
}

static void
signal_trace(struct sim_signal *s, const struct sim_slot *slot, enum sim_trace_kind kind)
{
   struct sim_kernel *k = s->sender->kernel;
   if (k->trace)
      sim_trace_add(k, &(struct sim_trace_event){
                           .what = s, .object = slot + 1, .ready = slot->ready, .kind = kind});
}

/* Sends an object after all checks, without waking. stride: without bits. */
static inline struct sim_slot *
signal_put_object(struct sim_signal *s, sim_tick ready, uint32_t stride)
{
   struct sim_slot *slot = (struct sim_slot *)s->next;
   slot->ready = ready;
   if (s->tail++ == s->head)
      s->arrival = ready;
   s->next += stride;
   if (s->next == s->end)
      s->next = s->begin;
   *s->filled |= s->bit;
   return slot;
}

/* Returns whether the sender must be woken for a credit that was freed earlier in this tick, before
 * credits were scarce. It counts from the next tick on. */
static inline bool
signal_wakes_sender(const struct sim_signal *s, sim_tick now)
{
   return s->last_pop == now && s->capacity - (s->tail - s->popped_before) < s->bandwidth;
}

static void *__attribute__((noinline))
signal_wake_both(struct sim_signal *s, sim_tick now, struct sim_slot *slot)
{
   sim_wake_at(s->share, s->wake, slot->ready);
   if (signal_wakes_sender(s, now))
      sim_wake_at(s->share, s->wake_sender, now + 1);
   return slot + 1;
}

/* Sends an object that crosses DVFS domains, is traced, or is a model error. */
static void *__attribute__((cold, noinline))
signal_send_rare(struct sim_signal *s, sim_tick now, uint32_t size)
{
   if ((s->payload & ~SIM_SIGNAL_BITS) != size) {
      sim_signal_error(s, "sent an object of another kind");
      return (void *)0;
   }
   const sim_tick ready = s->payload & SIM_CROSSES ? sim_dvfs_arrival(s) : now + s->latency;
   struct sim_slot *slot = signal_put_object(s, ready, s->stride & ~SIM_SIGNAL_BITS);
   if (s->payload & SIM_TRACED)
      signal_trace(s, slot, SIM_TRACE_SEND);
   return signal_wake_both(s, now, slot);
}

static void *__attribute__((cold, noinline)) signal_send_error(struct sim_signal *s)
{
   sim_signal_error(s, "sent over its bandwidth or without a credit");
   return (void *)0;
}

void *
sim_send_begin(struct sim_signal *s, sim_tick now, uint32_t size)
{
   if (__builtin_expect(sim_can_send(s, now) == 0, 0))
      return signal_send_error(s);
   if (__builtin_expect(size != s->payload, 0))
      return s->payload == (size | SIM_SHARED) ? sim_shared_send(s, now, 0)
                                               : signal_send_rare(s, now, size);
   const sim_tick ready = now + s->latency;
   struct sim_slot *slot = signal_put_object(s, ready, s->stride);
   /* Calls come last: this function, the most frequent of all, saves no registers. */
   if (signal_wakes_sender(s, now))
      return signal_wake_both(s, now, slot);
   if (ready < *s->wake) {
      struct sim_share *h = s->share;
      if (!sim_due_note_near(h, (unsigned)(s->wake - h->wake), ready))
         return signal_wake_both(s, now, slot);
      *s->wake = ready;
   }
   return slot + 1;
}

void *
sim_send_calm_begin(struct sim_signal *s, sim_tick now, uint32_t size, sim_tick tick)
{
   if (__builtin_expect(sim_can_send(s, now) == 0, 0))
      return signal_send_error(s);
   if (__builtin_expect(size != s->payload, 0))
      return s->payload == (size | SIM_SHARED) ? sim_shared_send(s, now, tick)
                                               : signal_send_rare(s, now, size);
   const sim_tick ready = now + s->latency;
   struct sim_slot *slot = signal_put_object(s, ready, s->stride);
   sim_wake_at(s->share, s->wake, tick > ready ? tick : ready);
   if (signal_wakes_sender(s, now))
      sim_wake_at(s->share, s->wake_sender, now + 1);
   return slot + 1;
}

static inline void
signal_pop_object(struct sim_signal *s, sim_tick now, uint32_t stride)
{
   const uint32_t head = s->head, left = s->tail - head - 1;
   if (s->last_pop != now) {
      s->last_pop = now;
      s->popped_before = head;
   }
   s->head = head + 1;
   if (left) {
      uint8_t *first = s->first + stride;
      if (first == s->end)
         first = s->begin;
      s->first = first;
      s->arrival = ((const struct sim_slot *)first)->ready;
   } else {
      /* Restarts at the ring's beginning: few of its lines are in the host's caches. */
      s->first = s->next = s->begin;
      s->arrival = SIM_NEVER;
      *s->filled &= ~s->bit;
   }
   /* A credit matters only if the sender has fewer than it can use in a cycle. */
   if (s->capacity - left <= s->bandwidth)
      sim_wake_at(s->share, s->wake_sender, now + 1);
}

/* Removes an object that is traced, or comes from another DVFS domain. */
static void __attribute__((cold, noinline)) signal_pop_rare(struct sim_signal *s, sim_tick now)
{
   uint8_t *const after = sim_slot_after(s, s->first, 1);
   const uint32_t stride = s->stride & ~SIM_SIGNAL_BITS;
   if (s->payload & SIM_TRACED)
      signal_trace(s, (const struct sim_slot *)s->first, SIM_TRACE_POP);
   /* The credit is freed in the sender's last tick. If that is in this instant, the credit does not
    * count in it yet. */
   signal_pop_object(s, s->payload & SIM_CROSSES ? sim_dvfs_now(s->sender) : now, stride);
   /* A listener finds the object at the tick's end, so nothing may replace it. */
   if (s->payload & SIM_TRACED && sim_signal_empty(s))
      s->first = s->next = after;
   if (!(s->payload & SIM_CROSSES))
      return;
   /* Another object has arrived, which is worth another cycle, as with signals that do not
    * cross. */
   if (s->arrival <= now)
      sim_wake_at(s->share, s->wake, now + 1);
}

void
sim_pop(struct sim_signal *s, sim_tick now)
{
   const uint32_t stride = s->stride;
   if (__builtin_expect(stride & SIM_SIGNAL_BITS, 0)) {
      if (stride & SIM_SHARED)
         sim_shared_pop(s, now);
      else
         signal_pop_rare(s, now);
   } else {
      signal_pop_object(s, now, stride);
   }
}
