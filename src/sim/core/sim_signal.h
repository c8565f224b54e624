/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A signal: the only way from one box to another (ISPASS 2006 section 3). It has a name, a
 * bandwidth (objects per cycle), a latency (>= 1 cycle) and a capacity: the objects that may be on
 * the wire or in the receiver's input queue. The sender sees the capacity as credits; a credit
 * freed by a pop in cycle t can be used in cycle t + 1, and an object sent in cycle t can be seen
 * in cycle t + latency, so the order in which boxes are clocked cannot change a result. Sending
 * over the bandwidth or without a credit is an error of the model: the simulator stops and names
 * box, signal and cycle.
 *
 * Times are in ticks (sim_box.h); a signal's latency is given in cycles of its sender.
 */
#ifndef SIM_SIGNAL_H
#define SIM_SIGNAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

struct sim_box;
struct sim_share;

typedef uint64_t sim_tick;
#define SIM_NEVER UINT64_MAX

/* An object on the wire or in the queue; payload bytes follow. */
struct sim_slot {
   sim_tick ready; /* it can be seen from then on */
};

struct sim_signal {
   /* What the sender looks at: a line of the host's caches. Of a shared signal (sim_shares.h) it is
    * the sender's alone. */
   uint32_t head, tail;    /* free running; tail - head objects present */
   uint32_t popped_before; /* head at the start of the tick last_pop */
   uint32_t stop;          /* tail cannot pass it in tick asked */
   sim_tick last_pop, asked;
   uint32_t bandwidth; /* objects per sender cycle */
   uint32_t capacity;  /* objects sent and not yet popped */
   uint32_t payload;   /* bytes of an object, and bits: SIM_TRACED, SIM_CROSSES, SIM_SHARED */
   uint8_t *next;      /* slot of the next object to be sent */
   sim_tick latency;   /* ticks, >= 1; of the sender's DVFS domain */
   /* What the receiver looks at, which of a shared signal is its own: the next line. */
   sim_tick arrival;      /* when the oldest object can be seen; SIM_NEVER: there is none */
   uint8_t *first;        /* slot of the oldest object */
   uint8_t *begin, *end;  /* of the ring of slots, one per object of the capacity */
   uint64_t *filled, bit; /* the receiver's word of inputs that hold something, and ours in it */
   sim_tick *wake;        /* the receiver's, in its share */
   uint32_t stride;       /* bytes of a slot, and the bits of payload */
   /* Seldom. */
   struct sim_share *share;   /* the sender's */
   sim_tick *wake_sender;     /* in its share */
   struct sim_shared *shared; /* SIM_SHARED: more of it */
   struct sim_box *sender, *receiver;
   const char *name;
   sim_tick sync; /* SIM_CROSSES: ticks of the receiver's DVFS domain on top of the latency */
} __attribute__((aligned(64)));

/* In sim_signal.payload and stride, which sending and popping look at anyway: somebody listens
 * (sim_trace.h); sender and receiver are in different DVFS domains (sim_dvfs.h), then ready is a
 * tick of the receiver's DVFS domain, and last_pop, in which credits are counted, one of the
 * sender's; they are in different shares (sim_shares.h), then last_pop is meaningless while threads
 * clock them. */
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

/* In sim_shares.c: objects of a shared signal that its receiver knows of. */
uint32_t sim_shared_present(const struct sim_signal *s);
static inline uint32_t
sim_present(const struct sim_signal *s)
{
   return __builtin_expect(s->stride & SIM_SHARED, 0) ? sim_shared_present(s) : s->tail - s->head;
}

/* The slot behind another one. */
static inline uint8_t *
sim_slot_after(const struct sim_signal *s, uint8_t *slot, size_t slots)
{
   slot += slots * (s->stride & ~SIM_SIGNAL_BITS);
   return slot >= s->end ? slot - (s->end - s->begin) : slot;
}

/* Error of the model; records the message and stops the kernel. Defined in sim_kernel.c. */
void sim_signal_error(struct sim_signal *s, const char *what) __attribute__((cold));

/* Objects the sender may still send in this tick. The first question of a tick, which comes before
 * its first send, finds out: what is popped in it gives no credit before the next. */
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

/* Begins to send an object of size bytes, which must be the signal's payload: where the caller puts
 * it now; NULL after an error. One copy for all boxes (sim_signal.c): the host's instruction cache
 * is what they compete for. */
void *sim_send_begin(struct sim_signal *s, sim_tick now, uint32_t size);

/* Sends an object whose type only the signal knows. */
static inline void
sim_send_bytes(struct sim_signal *s, sim_tick now, const void *object, uint32_t size)
{
   void *to = sim_send_begin(s, now, size);
   if (to)
      memcpy(to, object, size);
}

/* Sends the object that the last argument points to. An assignment, so that the members of a
 * message that was just made need not pass through memory first. */
#define sim_send(s, now, ...)                                      \
   do {                                                            \
      void *to_ = sim_send_begin(s, now, sizeof(*(__VA_ARGS__)));  \
      if (to_)                                                     \
         *(typeof((void)0, *(__VA_ARGS__)) *)to_ = *(__VA_ARGS__); \
   } while (0)

/* As sim_send_begin and sim_send, for an object that changes nothing before tick: a receiver that
 * sleeps need not be woken for it before then. It can be seen earlier. */
void *sim_send_calm_begin(struct sim_signal *s, sim_tick now, uint32_t size, sim_tick tick);
#define sim_send_calm(s, now, tick, ...)                                     \
   do {                                                                      \
      void *to_ = sim_send_calm_begin(s, now, sizeof(*(__VA_ARGS__)), tick); \
      if (to_)                                                               \
         *(typeof((void)0, *(__VA_ARGS__)) *)to_ = *(__VA_ARGS__);           \
   } while (0)

/* When the oldest object can be seen; SIM_NEVER: there is none. */
static inline sim_tick
sim_arrival(const struct sim_signal *s)
{
   return s->arrival;
}

/* The oldest object if it has arrived, else NULL. Valid until it is popped. */
static inline void *
sim_peek(const struct sim_signal *s, sim_tick now)
{
   return s->arrival <= now ? s->first + sizeof(struct sim_slot) : (void *)0;
}

/* The oldest object even if it has not arrived, or NULL: for prefetching and dumps only. */
static inline const void *
sim_next(const struct sim_signal *s)
{
   return s->arrival != SIM_NEVER ? s->first + sizeof(struct sim_slot) : (void *)0;
}

/* The n-th oldest object (0 = sim_peek) if it has arrived, else NULL. n < capacity. */
static inline void *
sim_peek_at(const struct sim_signal *s, sim_tick now, uint32_t n)
{
   struct sim_slot *slot = (struct sim_slot *)sim_slot_after(s, s->first, n);
   return sim_present(s) > n && slot->ready <= now ? slot + 1 : (void *)0;
}

/* When the n-th oldest object can be seen; SIM_NEVER: there is none. n < capacity. A box that
 * leaves what is in front of it untouched until this one is there returns it from clock(): the
 * kernel looks at the oldest only. */
static inline sim_tick
sim_arrival_at(const struct sim_signal *s, uint32_t n)
{
   const uint8_t *at = sim_slot_after(s, s->first, n);
   return sim_present(s) > n ? ((const struct sim_slot *)at)->ready : SIM_NEVER;
}

/* Removes the oldest object; it must have arrived. */
void sim_pop(struct sim_signal *s, sim_tick now);

/* Nothing on the wire and nothing waiting. Only for the receiver's or a dump's information: a
 * sender that decides by it would depend on the clocking order (use sim_can_send). */
static inline bool
sim_signal_empty(const struct sim_signal *s)
{
   return s->arrival == SIM_NEVER;
}

#endif
