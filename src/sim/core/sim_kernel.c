/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The kernel: creates boxes and signals; errors (core/sim_box.h, ISPASS 2006 section 3). Not here:
 * clocking (core/sim_run.c), which boxes exist (box/netlist.c), whether sleeping is an error
 * (session/session.c). */
#include "core/sim_box.h"
#include "core/sim_xalloc.h"
#include "core/sim_due.h"
#include "core/sim_dvfs.h"
#include "core/sim_pool.h"
#include "core/sim_shares.h"
#include "core/sim_threads.h"
#include "core/sim_trace.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Called when all objects are in use. */
void
sim_pool_grow(struct sim_pool *p)
{
   uint8_t *chunk = sim_arena_alloc(p->arena, p->object_size * p->chunk);
   /* Doubles the list, so that little of the arena goes to outgrown ones. */
   if (p->num + p->chunk > p->room) {
      p->room = 2 * (p->num + p->chunk);
      p->free = sim_arena_alloc(p->arena, p->room * sizeof(*p->free));
   }
   p->num += p->chunk;
   /* In address order: objects used together are neighbours. */
   for (unsigned i = p->chunk; i-- > 0;)
      p->free[p->num_free++] = chunk + p->object_size * i;
}

/* --- Errors --- */

static pthread_mutex_t kernel_lock = PTHREAD_MUTEX_INITIALIZER;

/* Returns whether a box's error is the one to keep; then call kernel_stop. */
static bool
kernel_fails(struct sim_box *b)
{
   struct sim_kernel *k = b->kernel;
   pthread_mutex_lock(&kernel_lock);
   const bool first = !k->stopped || (k->parallel && b->index < k->error_box);
   if (first)
      k->error_box = b->index;
   k->stopped = true;
   return first;
}

static void
kernel_stop(struct sim_box *b)
{
   struct sim_kernel *k = b->kernel;
   pthread_mutex_unlock(&kernel_lock);
   if (k->running)
      longjmp(k->parallel ? b->share->jump : k->jump, 1);
}

static uint64_t
kernel_cycle_of(const struct sim_box *b)
{
   return b->period ? sim_box_now(b) / b->period : sim_box_now(b);
}

void
sim_error(struct sim_box *b, const char *format, ...)
{
   struct sim_kernel *k = b->kernel;
   if (kernel_fails(b)) {
      char text[400];
      va_list args;
      va_start(args, format);
      vsnprintf(text, sizeof(text), format, args);
      va_end(args);
      snprintf(k->error, sizeof(k->error), "%s, cycle %llu: %s", b->name,
               (unsigned long long)kernel_cycle_of(b), text);
   }
   kernel_stop(b);
}

void
sim_signal_error(struct sim_signal *s, const char *what)
{
   struct sim_kernel *k = s->sender->kernel;
   if (kernel_fails(s->sender))
      snprintf(k->error, sizeof(k->error), "%s, signal %s to %s, cycle %llu: %s", s->sender->name,
               s->name, s->receiver->name, (unsigned long long)kernel_cycle_of(s->sender), what);
   kernel_stop(s->sender);
}

/* --- Building --- */

static uint64_t
kernel_gcd(uint64_t a, uint64_t b)
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
      lcm = lcm / kernel_gcd(lcm, mhz[i]) * mhz[i];
   for (unsigned i = 0; i < SIM_NUM_DOMAINS; i++)
      k->period[i] = lcm / mhz[i];
   for (unsigned i = 0; i < SIM_NUM_DOMAINS; i++)
      k->longest_period = k->period[i] > k->longest_period ? k->period[i] : k->longest_period;
   k->one_domain = k->period[0] == 1 && k->period[1] == 1 && k->period[2] == 1;
#ifdef __x86_64__
   k->avx2 = __builtin_cpu_supports("avx2");
#endif
   k->ns_per_tick = 1000.0 / (double)lcm;
   k->order_seed = order_seed;
   k->num_dvfs_domains = k->dvfs ? k->dvfs->num : 1;
   sim_kernel_find_plain(k);
   k->share[0] = &k->first;
   k->num_shares = 1;
   k->first.kernel = k;
   sim_due_init(&k->first);
}

void
sim_kernel_find_plain(struct sim_kernel *k)
{
   k->plain = k->one_domain && !k->dvfs && !(k->trace && k->trace->activity);
}

void
sim_kernel_listen(struct sim_kernel *k, struct sim_trace *trace)
{
   k->trace = trace;
   sim_kernel_find_plain(k);
}

/* Makes "ZST-SU3" of "ZST-SU#" and 3. A unit in a unit ("TU-FS#TU#") is its parent's only one:
 * TU-FS3TU0. */
static void
kernel_make_name(char *name, size_t size, const char *unit, int instance)
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

/* Fisher-Yates with a small generator: orders only need to differ by seed. */
static void
kernel_permute(struct sim_kernel *k)
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
kernel_stats_of(struct sim_box *b, const struct sim_box_class *cls)
{
   return (void **)((uint8_t *)b + cls->stats_offset);
}

/* Most work ids of a big machine are unused, and calloc's memory costs nothing until it is
 * touched. */
static void *
kernel_alloc_works(uint32_t work_ids, size_t size)
{
   return sim_xcalloc(work_ids, size);
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
   if (!k->num_work_ids)
      k->num_work_ids = SIM_DEFAULT_WORK_IDS;
   if (!k->used_work_ids)
      k->used_work_ids = SIM_DEFAULT_WORK_IDS;
   struct sim_box *b = sim_arena_alloc(&k->arena, cls->size);
   if (cls->num_stats)
      *kernel_stats_of(b, cls) = kernel_alloc_works(k->num_work_ids, cls->stats_size);
   b->cycles = kernel_alloc_works(k->num_work_ids, sizeof(*b->cycles));
   b->cls = cls;
   b->clock = cls->clock;
   b->gpu = gpu;
   b->kernel = k;
   b->share = &k->first;
   b->instance = instance < 0 ? 0 : (unsigned)instance;
   b->index = k->num_boxes;
   b->period = k->period[cls->domain];
   b->turn = SIM_NEVER;
   b->run_from = (k->now / b->period + 1) * b->period;
   kernel_make_name(b->name, sizeof(b->name), cls->unit, instance);
   k->boxes[k->num_boxes] = b;
   k->domain[k->num_boxes] = (uint8_t)cls->domain;
   sim_wake_at(b->share, &b->share->wake[k->num_boxes], k->now + 1);
   k->num_boxes++;
   kernel_permute(k);
   return b;
}

/* Must come before anything is sent. */
static void
kernel_set_input(struct sim_box *b, unsigned n, struct sim_signal *s)
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
       .share = sender->share,
       .sender = sender,
       .receiver = receiver,
       .payload = payload,
       .bandwidth = bandwidth,
       .capacity = capacity,
       .latency = latency * sender->period,
       .wake = &receiver->share->wake[receiver->index],
       .wake_sender = &sender->share->wake[sender->index],
       .stride = stride,
       .last_pop = SIM_NEVER,
       .asked = SIM_NEVER,
       .arrival = SIM_NEVER,
       .first = ring,
       .next = ring,
       .begin = ring,
       .end = ring + (size_t)stride * capacity,
   };
   kernel_set_input(receiver, receiver->num_in++, s);
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
   kernel_set_input(b, old, makes_room);
   kernel_set_input(b, n, moves);
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
         free(*kernel_stats_of(b, b->cls));
      free(b->cycles);
   }
   k->num_boxes = 0;
   sim_threads_fini(k);
   sim_shares_fini(k);
   sim_dvfs_destroy(k);
   sim_arena_fini(&k->arena);
}

void
sim_kernel_dump(const struct sim_kernel *k, FILE *f)
{
   fprintf(f, "attila: state of the machine at tick %llu\n", (unsigned long long)k->now);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      const sim_tick wake = b->share->wake[i];
      if (wake == SIM_NEVER)
         fprintf(f, "%s: clocked %llu, sleeps\n", b->name, (unsigned long long)b->last_clock);
      else
         fprintf(f, "%s: clocked %llu, wakes %llu\n", b->name, (unsigned long long)b->last_clock,
                 (unsigned long long)wake);
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
