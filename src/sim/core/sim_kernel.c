/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The kernel: creates boxes and signals and clocks what is due (core/sim_box.h, ISPASS 2006 section
 * 3). A box that is busy costs nothing else, one that goes to sleep has its inputs looked at once.
 * Not here: which boxes are due (core/sim_due.c), which boxes exist (box/netlist.c), and whether
 * sleeping is an error (attila_sim.c).
 */
#include "core/sim_box.h"
#include "core/sim_checked.h"
#include "core/sim_due.h"
#include "core/sim_fp.h"
#include "core/sim_islands.h"
#include "core/sim_pool.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __x86_64__
#include <x86intrin.h>
#endif

void
sim_pool_grow(struct sim_pool *p)
{
   uint8_t *chunk = sim_arena_alloc(p->arena, p->object_size * p->chunk);
   /* In address order, so that objects used together are neighbours. */
   for (unsigned i = p->chunk; i-- > 0;) {
      void *o = chunk + p->object_size * i;
      *(void **)o = p->free;
      p->free = o;
   }
}

/* --- Errors --- */

static void
stop(struct sim_kernel *k)
{
   k->stopped = true;
   if (k->running)
      longjmp(k->jump, 1);
}

static uint64_t
cycle_of(const struct sim_box *b)
{
   return b->period ? sim_box_now(b) / b->period : sim_box_now(b);
}

void
sim_error(struct sim_box *b, const char *format, ...)
{
   struct sim_kernel *k = b->kernel;
   if (!k->stopped) {
      char text[400];
      va_list args;
      va_start(args, format);
      vsnprintf(text, sizeof(text), format, args);
      va_end(args);
      snprintf(k->error, sizeof(k->error), "%s, cycle %llu: %s", b->name,
               (unsigned long long)cycle_of(b), text);
   }
   stop(k);
}

void
sim_signal_error(struct sim_signal *s, const char *what)
{
   struct sim_kernel *k = s->kernel;
   if (!k->stopped)
      snprintf(k->error, sizeof(k->error), "%s, signal %s to %s, cycle %llu: %s", s->sender->name,
               s->name, s->receiver->name, (unsigned long long)cycle_of(s->sender), what);
   stop(k);
}

/* --- Building --- */

static uint64_t
gcd(uint64_t a, uint64_t b)
{
   while (b) {
      uint64_t r = a % b;
      a = b;
      b = r;
   }
   return a;
}

void
sim_kernel_init(struct sim_kernel *k, uint32_t gpu_mhz, uint32_t shader_mhz, uint32_t memory_mhz,
                uint32_t order_seed)
{
   const uint64_t mhz[SIM_NUM_DOMAINS] = {gpu_mhz, shader_mhz, memory_mhz};
   uint64_t lcm = 1;
   for (unsigned i = 0; i < SIM_NUM_DOMAINS; i++)
      lcm = lcm / gcd(lcm, mhz[i]) * mhz[i];
   for (unsigned i = 0; i < SIM_NUM_DOMAINS; i++)
      k->period[i] = lcm / mhz[i];
   for (unsigned i = 0; i < SIM_NUM_DOMAINS; i++)
      k->longest_period = k->period[i] > k->longest_period ? k->period[i] : k->longest_period;
   k->one_domain = k->period[0] == 1 && k->period[1] == 1 && k->period[2] == 1;
#ifdef __x86_64__
   k->avx2 = __builtin_cpu_supports("avx2");
#endif
   k->ns_per_tick = 1000.0 / (double)lcm;
   for (unsigned i = k->num_boxes; i < SIM_MAX_BOXES; i++)
      k->wake[i] = SIM_NEVER;
   k->order_seed = order_seed;
   k->num_islands = k->islands ? k->islands->num : 1;
   sim_kernel_find_plain(k);
   k->due.ahead = k->one_domain ? SIM_DUE_AHEAD : 0;
   k->due.far = SIM_NEVER;
}

void
sim_kernel_listen(struct sim_kernel *k, struct sim_trace *trace)
{
   k->trace = trace;
   sim_kernel_find_plain(k);
}

/* "ZST-SU#" and 3 give "ZST-SU3". A unit inside a unit ("TU-FS#TU#") is the only one of its parent:
 * TU-FS3TU0. */
static void
make_name(char *name, size_t size, const char *unit, int instance)
{
   size_t n = 0;
   for (const char *c = unit; *c && n + 12 < size; c++) {
      if (*c == '#') {
         n += (size_t)snprintf(name + n, size - n, "%d", instance < 0 ? 0 : instance);
         instance = 0;
      } else {
         name[n++] = *c;
      }
   }
   name[n] = '\0';
}

/* Fisher-Yates with a small generator: the order only has to differ from seed to seed. */
static void
permute(struct sim_kernel *k)
{
   uint64_t x = k->order_seed * 0x9e3779b97f4a7c15ull + 1;
   for (unsigned i = 0; i < k->num_boxes; i++)
      k->order[i] = (uint16_t)i;
   for (unsigned i = k->num_boxes; k->order_seed && i > 1; i--) {
      x ^= x << 13;
      x ^= x >> 7;
      x ^= x << 17;
      unsigned j = (unsigned)(x % i);
      uint16_t swap = k->order[i - 1];
      k->order[i - 1] = k->order[j];
      k->order[j] = swap;
   }
}

static void **
stats_of(struct sim_box *b, const struct sim_box_class *cls)
{
   return (void **)((uint8_t *)b + cls->stats_offset);
}

/* Most slots of a big machine are never used: what calloc takes from the system costs nothing
 * before it is touched. */
static void *
alloc_slots(uint32_t slots, size_t size)
{
   return sim_checked(calloc(slots, size));
}

struct sim_box *
sim_box_create(struct sim_kernel *k, struct sim_gpu *gpu, const struct sim_box_class *cls,
               int instance)
{
   if (k->num_boxes == SIM_MAX_BOXES) {
      fprintf(stderr, "attila: more than %u boxes\n", SIM_MAX_BOXES);
      abort();
   }
   if (!k->period[0])
      sim_kernel_init(k, 1000, 1000, 1000, k->order_seed);
   if (!k->num_slots)
      k->num_slots = SIM_DEFAULT_SLOTS;
   if (!k->used_slots)
      k->used_slots = SIM_DEFAULT_SLOTS;
   struct sim_box *b = sim_arena_alloc(&k->arena, cls->size);
   if (cls->num_stats)
      *stats_of(b, cls) = alloc_slots(k->num_slots, cls->stats_size);
   b->cycles = alloc_slots(k->num_slots, sizeof(*b->cycles));
   b->cls = cls;
   b->clock = cls->clock;
   b->gpu = gpu;
   b->kernel = k;
   b->instance = instance < 0 ? 0 : (unsigned)instance;
   b->index = k->num_boxes;
   b->period = k->period[cls->domain];
   b->turn = SIM_NEVER;
   b->run_from = (k->now / b->period + 1) * b->period;
   make_name(b->name, sizeof(b->name), cls->unit, instance);
   k->boxes[k->num_boxes] = b;
   k->domain[k->num_boxes] = (uint8_t)cls->domain;
   k->wake[k->num_boxes] = k->now + 1;
   sim_due_note(k, k->num_boxes, k->now + 1);
   k->num_boxes++;
   permute(k);
   return b;
}

/* Before anything was sent. */
static void
set_input(struct sim_box *b, unsigned n, struct sim_signal *s)
{
   b->in[n] = s;
   s->filled = &b->filled[n / 64];
   s->bit = 1ull << n % 64;
}

void
sim_signal_init(struct sim_signal *s, const char *name, struct sim_box *sender,
                struct sim_box *receiver, uint32_t payload, uint32_t bandwidth, uint32_t latency,
                uint32_t capacity)
{
   if (!payload || !bandwidth || !latency || !capacity || capacity > 1u << 24 ||
       receiver->num_in == SIM_MAX_INPUTS) {
      fprintf(
          stderr,
          "attila: signal %s: payload %u, bandwidth %u, latency %u, capacity %u, input %u of %s\n",
          name, payload, bandwidth, latency, capacity, receiver->num_in, receiver->name);
      abort();
   }
   const uint32_t stride = (uint32_t)sizeof(struct sim_slot) + ((payload + 7) & ~7u);
   uint8_t *ring = sim_arena_alloc(&sender->kernel->arena, (size_t)stride * capacity);
   *s = (struct sim_signal){
       .name = name,
       .kernel = sender->kernel,
       .sender = sender,
       .receiver = receiver,
       .payload = payload,
       .bandwidth = bandwidth,
       .capacity = capacity,
       .latency = latency * sender->period,
       .wake = &receiver->kernel->wake[receiver->index],
       .wake_sender = &sender->kernel->wake[sender->index],
       .stride = stride,
       .last_pop = SIM_NEVER,
       .asked = SIM_NEVER,
       .arrival = SIM_NEVER,
       .first = ring,
       .next = ring,
       .begin = ring,
       .end = ring + (size_t)stride * capacity,
   };
   set_input(receiver, receiver->num_in++, s);
}

void
sim_box_number_input(struct sim_box *b, const struct sim_signal *s, unsigned n)
{
   unsigned old = 0;
   while (old < b->num_in && b->in[old] != s)
      old++;
   if (old >= b->num_in || n >= b->num_in) {
      fprintf(stderr, "attila: %s has no input %s to become number %u\n", b->name, s->name, n);
      abort();
   }
   struct sim_signal *moves = b->in[old], *makes_room = b->in[n];
   set_input(b, old, makes_room);
   set_input(b, n, moves);
}

void
sim_kernel_start(struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      if (b->cls->init)
         b->cls->init(b);
   }
}

void
sim_kernel_fini(struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      if (b->cls->fini)
         b->cls->fini(b);
   }
   for (unsigned i = 0; i < k->num_boxes; i++) {
      struct sim_box *b = k->boxes[i];
      if (b->cls->num_stats)
         free(*stats_of(b, b->cls));
      free(b->cycles);
   }
   k->num_boxes = 0;
   sim_islands_destroy(k);
   sim_arena_fini(&k->arena);
}

void
sim_kernel_dump(const struct sim_kernel *k, FILE *f)
{
   fprintf(f, "attila: state of the machine at tick %llu\n", (unsigned long long)k->now);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      if (k->wake[i] == SIM_NEVER)
         fprintf(f, "%s: clocked %llu, sleeps\n", b->name, (unsigned long long)b->last_clock);
      else
         fprintf(f, "%s: clocked %llu, wakes %llu\n", b->name, (unsigned long long)b->last_clock,
                 (unsigned long long)k->wake[i]);
      if (b->cls->dump)
         b->cls->dump(b, f);
      for (unsigned n = 0; n < b->num_in; n++) {
         const struct sim_signal *s = b->in[n];
         if (s->head != s->tail)
            fprintf(f, "   signal %s from %s: %u of %u objects, the oldest arrives at %llu\n",
                    s->name, s->sender->name, s->tail - s->head, s->capacity,
                    (unsigned long long)sim_arrival(s));
      }
   }
}

/* --- Running --- */

/* Objects sent in earlier ticks that have not arrived yet woke the box in vain: look again. A queue
 * from which the box took something and which has more is worth another cycle. What has arrived and
 * was left alone waits for a credit or a timer. Returns when the box must be clocked: wake or
 * earlier. */
static inline sim_tick
look_at_inputs(const struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick wake)
{
   /* Few boxes have more inputs than a word has bits. */
   const unsigned words = __builtin_expect((b->filled[1] | b->filled[2]) != 0, 0) ? 3 : 1;
   _Static_assert(SIM_MAX_INPUTS / 64 == 3, "words of sim_box.filled");
   for (unsigned word = 0; word < words; word++) {
      for (uint64_t left = b->filled[word]; left; left &= left - 1) {
         const struct sim_signal *s = b->in[64 * word + (unsigned)__builtin_ctzll(left)];
         const sim_tick ready = sim_arrival(s);
         if (ready > t)
            wake = ready < wake ? ready : wake;
         else if (s->last_pop == t)
            return soonest;
      }
   }
   return wake < soonest ? soonest : wake;
}

/* Clocks one box and computes when it runs again, which the caller has to note. wake: its entry of
 * kernel->wake, SIM_NEVER unless something woke it in this tick. soonest: its next cycle. activity:
 * what it does is counted. */
static inline __attribute__((always_inline)) sim_tick
clock_box(struct sim_box *b, sim_tick t, sim_tick soonest, sim_tick *wake, bool activity)
{
   if (activity)
      sim_activity_begin(b);
   sim_tick next = b->clock(b, t);
   b->last_clock = b->counted = t;
   if (next <= t)
      next = soonest;
   if (*wake < next)
      next = *wake;
   if (next > soonest)
      next = look_at_inputs(b, t, soonest, next);
   if (activity) {
      if (next > soonest)
         next = sim_activity_sleep(b, t, next);
      else
         sim_activity_end(b, t);
   }
   *wake = next;
   return next;
}

void
sim_box_wake(struct sim_box *b, sim_tick tick)
{
   sim_wake_at(b->kernel, &b->kernel->wake[b->index], tick);
}

static uint64_t
host_now(void)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_RAW, &ts);
   return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

/* Cheap time stamps for the profile, in any unit. */
static inline uint64_t
stamp(void)
{
#ifdef __x86_64__
   return __rdtsc();
#else
   return host_now();
#endif
}

/* For tests and profiles. */
static void __attribute__((noinline))
clock_apart(struct sim_kernel *k, unsigned b, sim_tick t, uint64_t *spent)
{
   const uint64_t start = spent ? stamp() : 0;
   struct sim_box *box = k->boxes[b];
   const sim_tick wake = clock_box(box, t, t + box->period, &k->wake[b], !k->no_activity);
   if (wake != SIM_NEVER)
      sim_due_note(k, b, wake);
   if (spent)
      spent[b] += stamp() - start;
}

/* Clocks boxes first + n of which bit n in due is set; one is. one_domain, activity: as the kernel
 * has them, which the compiler knows where it is called. */
static inline __attribute__((always_inline)) void
clock_boxes(struct sim_kernel *k, unsigned first, uint64_t due, sim_tick t, bool one_domain,
            bool activity)
{
   struct sim_box *const *boxes = k->boxes + first;
   sim_tick *wakes = k->wake + first;
   uint64_t soon = 0;
   do {
      const uint64_t n = (uint64_t)__builtin_ctzll(due);
      const sim_tick soonest = t + (one_domain ? 1 : boxes[n]->period);
      const sim_tick wake = clock_box(boxes[n], t, soonest, &wakes[n], activity);
      if (one_domain && wake == soonest)
         soon |= due & -due;
      else if (wake != SIM_NEVER)
         sim_due_note(k, first + (unsigned)n, wake);
   } while (due &= due - 1);
   k->due.soon[first / 64] |= soon;
}

/* Clocks what is due at tick t; false: nothing is. spent: as in run. */
static inline __attribute__((always_inline)) bool
clock_tick(struct sim_kernel *k, sim_tick t, uint64_t *spent, bool activity)
{
   if (__builtin_expect(k->order_seed || k->thorough || spent, 0)) {
      uint16_t list[SIM_MAX_BOXES];
      const unsigned n = sim_due_list(k, t, list);
      k->now = n ? t : k->now;
      for (unsigned i = 0; i < n; i++)
         clock_apart(k, list[i], t, spent);
      return n != 0;
   }
   uint64_t due[SIM_MAX_BOXES / 64];
   if (!sim_due_take(k, t, due))
      return false;
   k->now = t;
   for (unsigned first = 0; first < k->num_boxes; first += 64) {
      if (!due[first / 64])
         continue;
      if (__builtin_expect(!k->one_domain, 0))
         clock_boxes(k, first, due[first / 64], t, false, activity);
      else if (activity)
         clock_boxes(k, first, due[first / 64], t, true, true);
      else
         clock_boxes(k, first, due[first / 64], t, true, false);
   }
   return true;
}

/* Stops when no object moved since the check before, though boxes were clocked. */
static void
check_stall(struct sim_kernel *k)
{
   uint64_t moved = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      for (unsigned n = 0; n < k->boxes[i]->num_in; n++)
         moved += (uint64_t)k->boxes[i]->in[n]->head + k->boxes[i]->in[n]->tail;
   }
   if (moved == k->stall_moved) {
      snprintf(k->error, sizeof(k->error),
               "tick %llu: no object has moved over any signal for %llu ticks",
               (unsigned long long)k->now, (unsigned long long)k->stall_ticks);
      sim_kernel_dump(k, stderr);
      k->stopped = true;
   }
   k->stall_moved = moved;
   k->stall_check = k->now + k->stall_ticks;
}

void
sim_kernel_after(struct sim_kernel *k, void (*call)(void *data, sim_tick now), void *data)
{
   if (k->num_after == sizeof(k->after) / sizeof(k->after[0])) {
      fprintf(stderr, "attila: too many calls for the end of a tick\n");
      abort();
   }
   k->after[k->num_after].call = call;
   k->after[k->num_after++].data = data;
}

/* Finds the bell that rings next. */
static void
next_ring(struct sim_kernel *k)
{
   k->ring.at = 0;
   for (unsigned i = 0; i < sizeof(k->ring.bell) / sizeof(k->ring.bell[0]); i++) {
      const sim_tick at = k->ring.bell[i].at;
      if (at && (!k->ring.at || at < k->ring.at))
         k->ring.at = at;
   }
}

void
sim_kernel_ring(struct sim_kernel *k, sim_tick tick, void (*call)(void *data, sim_tick now),
                void *data)
{
   unsigned i = 0;
   while (k->ring.bell[i].at && k->ring.bell[i].data != data) {
      if (++i == sizeof(k->ring.bell) / sizeof(k->ring.bell[0])) {
         fprintf(stderr, "attila: too many calls for ends of ticks\n");
         abort();
      }
   }
   k->ring.bell[i].at = tick;
   k->ring.bell[i].call = call;
   k->ring.bell[i].data = data;
   next_ring(k);
}

/* Whether it rings up to the end of tick t. */
static inline bool
rings(const struct sim_kernel *k, sim_tick t)
{
   return __builtin_expect(k->ring.at - 1 < t, 0);
}

/* Everything up to the present tick is done, and nothing happens before the one after t. */
static void __attribute__((noinline)) ring_until(struct sim_kernel *k, sim_tick t)
{
   while (rings(k, t)) {
      unsigned i = 0;
      while (k->ring.bell[i].at != k->ring.at)
         i++;
      k->now = k->ring.at > k->now ? k->ring.at : k->now;
      if (k->islands) /* the tick is over */
         sim_islands_pass(k, (k->now + 1) * SIM_FINE - 1);
      k->ring.bell[i].at = 0;
      next_ring(k);
      k->ring.bell[i].call(k->ring.bell[i].data, k->now);
   }
}

/* True when nothing but timers of the background box is to come. */
static bool
only_background(const struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      if (k->wake[i] != SIM_NEVER && k->boxes[i] != k->background)
         return false;
   }
   return true;
}

static inline bool
goes_on(const struct sim_kernel *k, const bool *stop_flag)
{
   return !k->stopped && !(stop_flag && *stop_flag) && !(k->until && k->until(k->until_data));
}

/* Everything has been clocked in tick t. */
static inline void
end_tick(struct sim_kernel *k, sim_tick t)
{
   for (unsigned i = 0; i < k->num_after; i++)
      k->after[i].call(k->after[i].data, t);
   k->num_after = 0;
   if (k->thorough > 1)
      sim_kernel_settle(k);
}

/* Machines with islands: from instant to instant, of which several may lie in one tick. */
static void
run_islands(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   uint16_t due[SIM_MAX_BOXES];
   while (goes_on(k, stop_flag)) {
      const uint64_t instant = sim_islands_next(k);
      if (instant == SIM_NEVER || (k->background && only_background(k)))
         return;
      const sim_tick t = instant / SIM_FINE;
      if (rings(k, t - 1)) {
         ring_until(k, t - 1); /* which may change frequencies */
         continue;
      }
      /* Sleeping is not being stuck, and neither is standing still. */
      if (t - k->now > k->longest_period)
         k->stall_check += t - k->now - k->longest_period;
      sim_islands_pass(k, instant);
      k->now = t;
      const unsigned n = sim_islands_due(k, due);
      for (unsigned i = 0; i < n; i++)
         clock_apart(k, due[i], sim_box_now(k->boxes[due[i]]), spent);
      end_tick(k, t);
      if (k->stall_ticks && t >= k->stall_check)
         check_stall(k);
   }
}

/* Nothing is due in the next tick: clocks the first one in which something is. False: in none. */
static bool __attribute__((noinline))
clock_later(struct sim_kernel *k, uint64_t *spent, bool activity)
{
   const sim_tick next = k->now + 1, due = sim_due_next(k, next);
   if (due == SIM_NEVER || (k->background && only_background(k)))
      return false;
   const sim_tick t = k->thorough ? next : due;
   /* A timer of a slow machine: while every box sleeps, none is stuck. */
   if (t - k->now > k->longest_period)
      k->stall_check += t - k->now - k->longest_period;
   if (rings(k, t - 1))
      ring_until(k, t - 1);
   k->now = t; /* of tests, in which no domain may have a cycle */
   clock_tick(k, t, spent, activity);
   return true;
}

/* All other machines. */
static void
run_ticks(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   const bool activity = !k->no_activity; /* which changes between runs */
   while (goes_on(k, stop_flag)) {
      if ((k->thorough || !clock_tick(k, k->now + 1, spent, activity)) &&
          !clock_later(k, spent, activity))
         return;
      const sim_tick t = k->now;
      end_tick(k, t);
      if (rings(k, t))
         ring_until(k, t);
      if (k->stall_ticks && t >= k->stall_check)
         check_stall(k);
   }
}

/* spent: host time per box, when profiling; else NULL. */
static void
run(struct sim_kernel *k, const bool *stop_flag, uint64_t *spent)
{
   if (setjmp(k->jump))
      return;
   k->running = true;
   if (k->islands)
      run_islands(k, stop_flag, spent);
   else
      run_ticks(k, stop_flag, spent);
}

bool
sim_kernel_run(struct sim_kernel *k, const bool *stop_flag)
{
   if (k->stopped)
      return false;
   /* A run after a long sleep starts a new interval. */
   k->stall_check = k->now + k->stall_ticks;
   k->stall_moved = 0;
   const sim_fp_state fp = sim_fp_enter();
   if (k->profile) {
      uint64_t spent[SIM_MAX_BOXES] = {0};
      uint64_t ns = host_now(), start = stamp();
      run(k, stop_flag, spent);
      double scale = (double)(host_now() - ns) / (double)(stamp() - start + 1);
      for (unsigned i = 0; i < k->num_boxes; i++)
         k->boxes[i]->host_ns += (uint64_t)((double)spent[i] * scale);
   } else {
      run(k, stop_flag, NULL);
   }
   sim_fp_leave(fp);
   k->running = false;
   return !k->stopped;
}
