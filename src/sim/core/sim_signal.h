/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A signal: the only way between boxes (ISPASS 2006 section 3), with a name, a bandwidth (objects
 * per cycle), a latency (>= 1 cycle, in cycles of the sender) and a capacity: objects on the wire
 * or in the receiver's queue, which the sender sees as credits. A credit freed in cycle t is usable
 * in cycle t + 1, an object sent in cycle t visible in cycle t + latency, so the order of clocking
 * cannot change results. Sending over the bandwidth or without a credit is a model error: the
 * simulator stops with box, signal and cycle. Times are in ticks (sim_box.h). */
#ifndef SIM_SIGNAL_H
#define SIM_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct sim_box;
struct sim_share;

typedef uint64_t sim_tick;
#define SIM_NEVER UINT64_MAX

/* An object on the wire or in the queue; its payload follows. */
struct sim_slot {
   sim_tick ready; /* visible from then on */
};

struct sim_signal {
   /* A line of the host's cache for the sender; in a shared signal (sim_shares.h) only the sender
    * changes it. */
   uint32_t head, tail;    /* free running; tail - head objects present */
   uint32_t popped_before; /* head at the start of tick last_pop */
   uint32_t stop;          /* limit of tail in tick asked */
   sim_tick last_pop, asked;
   uint32_t bandwidth; /* objects per sender cycle */
   uint32_t capacity;  /* most objects sent and not popped */
   uint32_t payload;   /* bytes per object, and bits: SIM_TRACED, SIM_CROSSES, SIM_SHARED */
   uint8_t *next;      /* slot for the next object */
   sim_tick latency;   /* ticks, >= 1; of the sender's DVFS domain */
   /* A line for the receiver; in a shared signal only the receiver changes it. */
   sim_tick arrival;      /* when the oldest object is visible; SIM_NEVER: none */
   uint8_t *first;        /* slot of the oldest object */
   uint8_t *begin, *end;  /* of the ring of slots, one per credit */
   uint64_t *filled, bit; /* the receiver's word of filled inputs, and this one's bit */
   sim_tick *wake;        /* the receiver's entry of sim_share.wake */
   uint32_t stride;       /* bytes per slot, and payload's bits */
   /* Seldom used. */
   struct sim_share *share;   /* the sender's */
   sim_tick *wake_sender;     /* the sender's entry of sim_share.wake */
   struct sim_shared *shared; /* SIM_SHARED: further members */
   struct sim_box *sender, *receiver;
   const char *name;
   sim_tick sync; /* SIM_CROSSES: ticks of the receiver's DVFS domain in addition to latency */
} __attribute__((aligned(64)));

/* Bits in sim_signal.payload and stride, which sending and popping read anyway: traced
 * (sim_trace.h); between different DVFS domains (sim_dvfs.h), where ready is in the receiver's
 * ticks, and last_pop, for credits, in the sender's; between different shares (sim_shares.h), where
 * last_pop is meaningless while threads clock. */
#define SIM_TRACED (1u << 31)
#define SIM_CROSSES (1u << 30)
#define SIM_SHARED (1u << 29)
#define SIM_SIGNAL_BITS (SIM_TRACED | SIM_CROSSES | SIM_SHARED)

/* Sets or clears bits. */
static inline void
sim_signal_set_bits(struct sim_signal *s, uint32_t bits, bool on)
{
   s->payload = on ? s->payload | bits : s->payload & ~bits;
   s->stride = on ? s->stride | bits : s->stride & ~bits;
}

/* In sim_shares.c: returns a shared signal's objects known to its receiver. */
uint32_t sim_shared_present(const struct sim_signal *s);
static inline uint32_t
sim_present(const struct sim_signal *s)
{
   return __builtin_expect(s->stride & SIM_SHARED, 0) ? sim_shared_present(s) : s->tail - s->head;
}

/* Returns the slot behind another one. */
static inline uint8_t *
sim_slot_after(const struct sim_signal *s, uint8_t *slot, size_t slots)
{
   slot += slots * (s->stride & ~SIM_SIGNAL_BITS);
   return slot >= s->end ? slot - (s->end - s->begin) : slot;
}

/* Model error: records the message and stops the kernel. In sim_kernel.c. */
void sim_signal_error(struct sim_signal *s, const char *what) __attribute__((cold));

/* Returns how many objects the sender may still send in this tick. The first call in a tick, before
 * any send, decides for the tick; a pop gives its credit from the next tick on. */
static inline uint32_t
sim_can_send(struct sim_signal *s, sim_tick now)
{
   if (s->asked != now) {
      const uint32_t head = s->last_pop == now ? s->popped_before : s->head;
      const uint32_t credits = s->capacity - (s->tail - head);
      s->asked = now;
      s->stop = s->tail + (credits < s->bandwidth ? credits : s->bandwidth);
   }
   return s->stop - s->tail;
}

/* Begins to send an object of size bytes, the signal's payload; returns where the caller puts it,
 * NULL after an error. One copy for all boxes, for the host's instruction cache. */
void *sim_send_begin(struct sim_signal *s, sim_tick now, uint32_t size);

/* Sends an object whose type only the signal knows. */
static inline void
sim_send_bytes(struct sim_signal *s, sim_tick now, const void *object, uint32_t size)
{
   void *to = sim_send_begin(s, now, size);
   if (to)
      memcpy(to, object, size);
}

/* Sends the object at the last argument, by assignment, so that a new message's members need not
 * pass through memory. */
#define sim_send(s, now, ...)                                      \
   do {                                                            \
      void *to_ = sim_send_begin(s, now, sizeof(*(__VA_ARGS__)));  \
      if (to_)                                                     \
         *(typeof((void)0, *(__VA_ARGS__)) *)to_ = *(__VA_ARGS__); \
   } while (0)

/* The same as sim_send_begin and sim_send, for an object that changes nothing before tick: it does
 * not wake a sleeping receiver before, although it is visible. */
void *sim_send_calm_begin(struct sim_signal *s, sim_tick now, uint32_t size, sim_tick tick);
#define sim_send_calm(s, now, tick, ...)                                     \
   do {                                                                      \
      void *to_ = sim_send_calm_begin(s, now, sizeof(*(__VA_ARGS__)), tick); \
      if (to_)                                                               \
         *(typeof((void)0, *(__VA_ARGS__)) *)to_ = *(__VA_ARGS__);           \
   } while (0)

/* Returns when the oldest object is visible; SIM_NEVER: none. */
static inline sim_tick
sim_arrival(const struct sim_signal *s)
{
   return s->arrival;
}

/* Returns the oldest object if it has arrived, else NULL; valid until popped. */
static inline void *
sim_peek(const struct sim_signal *s, sim_tick now)
{
   return s->arrival <= now ? s->first + sizeof(struct sim_slot) : (void *)0;
}

/* Returns the oldest object even on the wire, or NULL: for prefetching and dumps. */
static inline const void *
sim_next(const struct sim_signal *s)
{
   return s->arrival != SIM_NEVER ? s->first + sizeof(struct sim_slot) : (void *)0;
}

/* Returns the n-th oldest object (0 = sim_peek) if it has arrived, else NULL. n < capacity. */
static inline void *
sim_peek_at(const struct sim_signal *s, sim_tick now, uint32_t n)
{
   struct sim_slot *slot = (struct sim_slot *)sim_slot_after(s, s->first, n);
   return sim_present(s) > n && slot->ready <= now ? slot + 1 : (void *)0;
}

/* Returns when the n-th oldest object is visible; SIM_NEVER: none. n < capacity. A box that does
 * not take the oldest object before then returns this tick from clock(), as the kernel looks only
 * at the oldest. */
static inline sim_tick
sim_arrival_at(const struct sim_signal *s, uint32_t n)
{
   const uint8_t *at = sim_slot_after(s, s->first, n);
   return sim_present(s) > n ? ((const struct sim_slot *)at)->ready : SIM_NEVER;
}

/* Removes the oldest object, which must have arrived. */
void sim_pop(struct sim_signal *s, sim_tick now);

/* Returns whether nothing is on the wire or waiting, for the receiver and dumps only: a sender that
 * decides by it depends on the clocking order (use sim_can_send). */
static inline bool
sim_signal_empty(const struct sim_signal *s)
{
   return s->arrival == SIM_NEVER;
}

#endif
