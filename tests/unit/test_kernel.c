/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tests of the kernel: latency, bandwidth, credits, clock domains, time jumps, errors, the
 * watchdog; and that neither the clocking order nor sleeping changes what a random network of boxes
 * does. Not here: what boxes do with their cycles (test_activity.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "kernel_gpu.h"

/* --- Producer and consumer --- */

struct producer {
   struct sim_box box;
   struct sim_signal *out;
   unsigned left, per_cycle;
   sim_tick first, clocks;
   sim_tick sent[64];
   unsigned num_sent;
};

static sim_tick
producer_clock(struct sim_box *b, sim_tick now)
{
   struct producer *p = (struct producer *)b;
   p->clocks++;
   if (now < p->first)
      return p->first;
   unsigned n = 0;
   for (; n < p->per_cycle && p->left && sim_can_send(p->out, now); n++) {
      uint32_t value = p->num_sent;
      sim_send(p->out, now, &value);
      p->sent[p->num_sent++] = now;
      p->left--;
   }
   /* Out of credits, as this cycle sees them: one that comes back wakes. */
   uint32_t head = p->out->last_pop == now ? p->out->popped_before : p->out->head;
   return p->left && p->out->tail - head < p->out->capacity ? now + b->period : SIM_NEVER;
}

struct consumer {
   struct sim_box box;
   struct sim_signal *in;
   unsigned per_cycle;
   sim_tick start, clocks, waited;
   sim_tick seen[64];
   unsigned num_seen;
   bool stop, busy;
};

static sim_tick
consumer_clock(struct sim_box *b, sim_tick now)
{
   struct consumer *c = (struct consumer *)b;
   c->clocks++;
   c->waited += sim_waited(b, now);
   if (now < c->start)
      return c->start;
   for (unsigned i = 0; i < c->per_cycle; i++) {
      const uint32_t *value = sim_peek(c->in, now);
      if (!value)
         break;
      assert_int_equal(*value, c->num_seen);
      c->seen[c->num_seen++] = now;
      c->stop = c->num_seen == 3;
      sim_pop(c->in, now);
   }
   /* busy: leaves an object alone in every third cycle. */
   if (c->busy && now % 3 == 0)
      c->start = now + 2;
   return c->start > now ? c->start : SIM_NEVER;
}

static const struct sim_box_class producer_class = {.name = "Producer",
                                                    .unit = "P#",
                                                    .size = sizeof(struct producer),
                                                    .domain = SIM_DOMAIN_GPU,
                                                    .clock = producer_clock};
static const struct sim_box_class consumer_class = {.name = "Consumer",
                                                    .unit = "C",
                                                    .size = sizeof(struct consumer),
                                                    .domain = SIM_DOMAIN_MEMORY,
                                                    .clock = consumer_clock};

struct pair {
   struct sim_gpu *gpu;
   struct producer *p;
   struct consumer *c;
   struct sim_signal signal;
};

static void
make_pair(struct pair *t, uint32_t gpu_mhz, uint32_t memory_mhz, uint32_t bandwidth,
          uint32_t latency, uint32_t capacity)
{
   t->gpu = new_gpu(gpu_mhz, gpu_mhz, memory_mhz, 0);
   t->p = (struct producer *)sim_box_create(&t->gpu->kernel, t->gpu, &producer_class, 3);
   t->c = (struct consumer *)sim_box_create(&t->gpu->kernel, t->gpu, &consumer_class, -1);
   sim_signal_init(&t->signal, "p_c", &t->p->box, &t->c->box, 4, bandwidth, latency, capacity);
   t->p->out = t->c->in = &t->signal;
   t->p->per_cycle = t->c->per_cycle = 8;
   t->p->first = 10;
}

static void
test_object_arrives_after_the_latency(void **state)
{
   for (uint32_t latency = 1; latency < 20; latency++) {
      struct pair t;
      make_pair(&t, 600, 600, 1, latency, 64);
      t.p->left = 3;
      assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
      for (unsigned i = 0; i < 3; i++) {
         assert_int_equal(t.p->sent[i], 10 + i);
         assert_int_equal(t.c->seen[i], 10 + i + latency);
      }
      assert_int_equal(t.c->num_seen, 3);
      assert_string_equal(t.p->box.name, "P3");
      assert_string_equal(t.c->box.name, "C");
      free_gpu(t.gpu);
   }
}

static void
test_bandwidth_limits_objects_per_cycle(void **state)
{
   struct pair t;
   make_pair(&t, 600, 600, 3, 4, 64);
   t.p->left = 10;
   assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
   for (unsigned i = 0; i < 10; i++)
      assert_int_equal(t.c->seen[i], 10 + i / 3 + 4);
   free_gpu(t.gpu);
}

/* Capacity 2, latency 1: two objects on the way; a credit freed in cycle n is used in n + 1. The
 * consumer takes one per cycle from 50 on. */
static void
test_credit_counts_in_the_next_cycle(void **state)
{
   struct pair t;
   make_pair(&t, 600, 600, 1, 1, 2);
   t.p->left = 5;
   t.c->start = 50;
   t.c->per_cycle = 1;
   assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
   const sim_tick sent[5] = {10, 11, 51, 52, 53}, seen[5] = {50, 51, 52, 53, 54};
   for (unsigned i = 0; i < 5; i++) {
      assert_int_equal(t.p->sent[i], sent[i]);
      assert_int_equal(t.c->seen[i], seen[i]);
   }
   free_gpu(t.gpu);
}

/* Scarce credits of every kind: neither order loses a wake-up or changes a cycle. */
static void
test_credits_and_order(void **state)
{
   for (unsigned i = 0; i < 3 * 6 * 3 * 4; i++) {
      uint32_t bandwidth = 1 + i % 3, capacity = 1 + i / 3 % 6, rate = 1 + i / 18 % 3,
               latency = 1 + i / 54;
      struct pair t[2];
      for (unsigned o = 0; o < 2; o++) {
         make_pair(&t[o], 600, 600, bandwidth, latency, capacity);
         t[o].p->left = 30;
         t[o].c->per_cycle = rate;
         t[o].c->busy = true;
         /* The receiver first in the second run. */
         t[o].gpu->kernel.order_seed = o;
         t[o].gpu->kernel.order[0] = (uint16_t)o;
         t[o].gpu->kernel.order[1] = (uint16_t)!o;
         assert_true(sim_kernel_run(&t[o].gpu->kernel, NULL));
         assert_int_equal(t[o].c->num_seen, 30);
      }
      assert_memory_equal(t[0].p->sent, t[1].p->sent, sizeof(t[0].p->sent));
      assert_memory_equal(t[0].c->seen, t[1].c->seen, sizeof(t[0].c->seen));
      free_gpu(t[0].gpu);
      free_gpu(t[1].gpu);
   }
}

/* GPU 300 MHz, memory 200 MHz: 600 ticks per microsecond, periods 2 and 3. */
static void
test_domains_have_their_periods(void **state)
{
   struct pair t;
   make_pair(&t, 300, 200, 1, 1, 64);
   assert_int_equal(t.gpu->kernel.period[SIM_DOMAIN_GPU], 2);
   assert_int_equal(t.gpu->kernel.period[SIM_DOMAIN_MEMORY], 3);
   assert_true(t.gpu->kernel.ns_per_tick > 1.666 && t.gpu->kernel.ns_per_tick < 1.667);
   t.p->left = 4;
   t.c->per_cycle = 1;
   assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
   const sim_tick sent[4] = {10, 12, 14, 16}, seen[4] = {12, 15, 18, 21};
   for (unsigned i = 0; i < 4; i++) {
      assert_int_equal(t.p->sent[i], sent[i]);
      assert_int_equal(t.c->seen[i], seen[i]);
   }
   free_gpu(t.gpu);
}

/* A million idle ticks cost two clocks, and sim_waited counts them. */
static void
test_time_jumps_over_idle_ticks(void **state)
{
   struct pair t;
   make_pair(&t, 600, 600, 1, 2, 4);
   t.p->first = 1000000;
   t.p->left = 1;
   t.gpu->kernel.profile = true;
   assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
   /* The object is seen at 1000002; an unawaited credit wakes no box. */
   assert_int_equal(t.gpu->kernel.now, 1000002);
   assert_int_equal(t.p->clocks, 2);
   assert_int_equal(t.c->clocks, 2);
   assert_int_equal(t.c->waited, 1000002);
   free_gpu(t.gpu);
}

/* --- Who listens --- */

struct ear {
   struct sim_trace trace;
   struct sim_kernel *kernel;
   unsigned sends, pops, ticks, rings;
   sim_tick arrives[8], popped[8], busy, last_ring;
   uint32_t value[8];
};

static void
hear_tick(void *data, sim_tick now)
{
   struct ear *e = data;
   for (uint32_t i = 0; i < e->trace.num; i++) {
      const struct sim_trace_event *event = &e->trace.events[i];
      if (event->kind == SIM_TRACE_SEND) {
         e->arrives[e->sends] = event->ready;
         /* The sender has put it there by now. */
         e->value[e->sends++] = *(const uint32_t *)event->object;
      } else {
         e->popped[e->pops++] = now;
      }
   }
   e->trace.num = 0;
   e->ticks++;
}

static void
hear_activity(void *data, const struct sim_box *b, uint32_t state, sim_tick from, sim_tick to)
{
   struct ear *e = data;
   if (state & SIM_ACTIVITY_BUSY)
      e->busy += to - from;
   assert_true(to <= e->kernel->now + 1);
}

static void
ring_once(void *data, sim_tick now)
{
   struct ear *e = data;
   e->rings++;
   e->last_ring = now;
}

/* Sends and pops of a signal that is listened to, and nothing of it changes; several that wait for
 * an end of a tick get it. */
static void
test_trace_changes_nothing(void **state)
{
   for (unsigned on = 0; on < 2; on++) {
      struct pair t;
      make_pair(&t, 600, 600, 1, 5, 64);
      struct ear e = {.kernel = &t.gpu->kernel}, other = {0};
      e.trace = (struct sim_trace){.data = &e, .tick = hear_tick, .activity = hear_activity};
      sim_kernel_listen(&t.gpu->kernel, on ? &e.trace : NULL);
      if (on)
         sim_trace_signal(t.p->out, true);
      sim_kernel_call_at(&t.gpu->kernel, 12, ring_once, &e);
      sim_kernel_call_at(&t.gpu->kernel, 11, ring_once, &other);
      t.p->left = 3;
      assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
      assert_int_equal(e.last_ring, 12);
      assert_int_equal(other.last_ring, 11);
      assert_int_equal(e.rings + other.rings, 2);
      assert_int_equal(e.sends, on ? 3 : 0);
      assert_int_equal(e.pops, on ? 3 : 0);
      for (unsigned i = 0; i < 3; i++) {
         assert_int_equal(t.c->seen[i], 15 + i);
         assert_int_equal(e.value[i], on ? i : 0);
         assert_int_equal(e.arrives[i], on ? 15 + i : 0);
         assert_int_equal(e.popped[i], on ? t.c->seen[i] : 0);
      }
      if (on)
         sim_trace_signal(t.p->out, false);
      assert_int_equal(t.p->out->payload, sizeof(uint32_t));
      free(e.trace.events);
      free_gpu(t.gpu);
   }
}

static void
test_stop_flag_ends_the_run(void **state)
{
   struct pair t;
   make_pair(&t, 600, 600, 1, 1, 64);
   t.p->left = 10;
   assert_true(sim_kernel_run(&t.gpu->kernel, &t.c->stop));
   assert_int_equal(t.gpu->kernel.now, 13);
   assert_int_equal(t.c->num_seen, 3);
   t.c->stop = false;
   assert_true(sim_kernel_run(&t.gpu->kernel, NULL));
   assert_int_equal(t.c->num_seen, 10);
   assert_int_equal(t.c->seen[9], 20);
   free_gpu(t.gpu);
}

static sim_tick
greedy_clock(struct sim_box *b, sim_tick now)
{
   struct producer *p = (struct producer *)b;
   uint32_t value = 0;
   sim_send(p->out, now, &value);
   sim_send(p->out, now, &value);
   fail_msg("an error must leave the box");
   return now + 1;
}

static void
test_error_names_box_signal_and_cycle(void **state)
{
   static const struct sim_box_class greedy_class = {
       .name = "Greedy", .unit = "Greedy", .size = sizeof(struct producer), .clock = greedy_clock};
   struct sim_gpu *gpu = new_gpu(600, 600, 600, 0);
   struct producer *p = (struct producer *)sim_box_create(&gpu->kernel, gpu, &greedy_class, -1);
   struct sim_box *c = sim_box_create(&gpu->kernel, gpu, &consumer_class, -1);
   struct sim_signal s;
   sim_signal_init(&s, "greedy_c", &p->box, c, 4, 1, 1, 64);
   p->out = ((struct consumer *)c)->in = &s;
   ((struct consumer *)c)->start = 100;
   assert_false(sim_kernel_run(&gpu->kernel, NULL));
   assert_true(gpu->kernel.stopped);
   assert_string_equal(
       gpu->kernel.error,
       "Greedy, signal greedy_c to C, cycle 1: sent over its bandwidth or without a credit");
   assert_false(sim_kernel_run(&gpu->kernel, NULL));
   free_gpu(gpu);
}

static sim_tick
spin_clock(struct sim_box *b, sim_tick now)
{
   return now + b->period;
}

static void
test_watchdog_stops_a_stuck_machine(void **state)
{
   static const struct sim_box_class spin_class = {
       .name = "Spin", .unit = "Spin", .size = sizeof(struct sim_box), .clock = spin_clock};
   struct sim_gpu *gpu = new_gpu(600, 600, 600, 0);
   sim_box_create(&gpu->kernel, gpu, &spin_class, -1);
   gpu->kernel.stall_ticks = 5000;
   assert_false(sim_kernel_run(&gpu->kernel, NULL));
   assert_true(gpu->kernel.now >= 5000 && gpu->kernel.now <= 10001);
   assert_non_null(strstr(gpu->kernel.error, "no object has moved"));
   free_gpu(gpu);
}

struct sleeper {
   struct sim_box box;
   unsigned naps;
};

static sim_tick
sleeper_clock(struct sim_box *b, sim_tick now)
{
   struct sleeper *s = (struct sleeper *)b;
   return ++s->naps < 4 ? now + 50000 * b->period : SIM_NEVER;
}

/* A box that sleeps for long is not stuck, whatever the clocks; one that spins beside it is. */
static void
test_watchdog_lets_sleep(void **state)
{
   static const struct sim_box_class sleeper_class = {.name = "Sleeper",
                                                      .unit = "Sleeper",
                                                      .size = sizeof(struct sleeper),
                                                      .clock = sleeper_clock};
   static const struct sim_box_class spin_class = {
       .name = "Spin", .unit = "Spin", .size = sizeof(struct sim_box), .clock = spin_clock};
   for (unsigned i = 0; i < 4; i++) {
      struct sim_gpu *gpu = new_gpu(600, i & 1 ? 700 : 600, i & 1 ? 500 : 600, 0);
      struct sleeper *s = (struct sleeper *)sim_box_create(&gpu->kernel, gpu, &sleeper_class, -1);
      if (i & 2)
         sim_box_create(&gpu->kernel, gpu, &spin_class, -1);
      sim_tick stall = 5000 * gpu->kernel.period[SIM_DOMAIN_GPU];
      gpu->kernel.stall_ticks = stall;
      assert_int_equal(sim_kernel_run(&gpu->kernel, NULL), !(i & 2));
      if (i & 2)
         assert_in_range(gpu->kernel.now, stall, 2 * stall + 100);
      else
         assert_int_equal(s->naps, 4);
      free_gpu(gpu);
   }
}

/* --- Random networks --- */

#define NET_BOXES 24

struct token {
   uint64_t value;
   uint32_t hops;
};

struct node {
   struct sim_box box;
   struct sim_signal *out[8];
   unsigned num_out;
   bool holding, insomniac;
   struct token held;
   sim_tick until;
   uint64_t hash, tokens;
};

static uint64_t
mix(uint64_t x)
{
   x ^= x >> 31;
   x *= 0x7fb5d329728ea185ull;
   x ^= x >> 27;
   return x * 0x81dadef4bc2dd44dull;
}

/* Takes one token per cycle from the first input that has one, holds it for a time that depends on
 * it, sends it on. */
static sim_tick
node_clock(struct sim_box *b, sim_tick now)
{
   struct node *n = (struct node *)b;
   if (n->holding && n->until <= now) {
      struct sim_signal *out = n->out[n->held.value % n->num_out];
      if (sim_can_send(out, now)) {
         sim_send(out, now, &n->held);
         n->holding = false;
      }
   }
   for (unsigned i = 0; i < b->num_in && !n->holding; i++) {
      const struct token *t = sim_peek(b->in[i], now);
      if (!t)
         continue;
      n->hash = mix(n->hash ^ t->value ^ now << 20 ^ i);
      n->tokens++;
      n->held = (struct token){mix(t->value + b->index), t->hops - 1};
      n->holding = t->hops > 1;
      n->until = now + b->period * (1 + n->held.value / 8 % 5);
      sim_pop(b->in[i], now);
   }
   if (n->insomniac)
      return now + b->period;
   if (n->holding)
      return n->until > now ? n->until : SIM_NEVER; /* blocked: the credit wakes */
   for (unsigned i = 0; i < b->num_in; i++) {
      if (sim_peek(b->in[i], now))
         return now + b->period;
   }
   return SIM_NEVER;
}

static uint64_t
run_network(uint32_t net_seed, uint32_t order_seed, bool insomniac, const uint32_t mhz[3])
{
   static const struct sim_box_class classes[3] = {{.name = "Node",
                                                    .unit = "N#",
                                                    .size = sizeof(struct node),
                                                    .domain = SIM_DOMAIN_GPU,
                                                    .clock = node_clock},
                                                   {.name = "Node",
                                                    .unit = "N#",
                                                    .size = sizeof(struct node),
                                                    .domain = SIM_DOMAIN_SHADER,
                                                    .clock = node_clock},
                                                   {.name = "Node",
                                                    .unit = "N#",
                                                    .size = sizeof(struct node),
                                                    .domain = SIM_DOMAIN_MEMORY,
                                                    .clock = node_clock}};
   struct sim_gpu *gpu = new_gpu(mhz[0], mhz[1], mhz[2], order_seed);
   struct node *nodes[NET_BOXES];
   static struct sim_signal signals[NET_BOXES * 3];
   uint64_t x = net_seed * 77 + 1;
   for (unsigned i = 0; i < NET_BOXES; i++) {
      nodes[i] =
          (struct node *)sim_box_create(&gpu->kernel, gpu, &classes[(x = mix(x + i)) % 3], (int)i);
      nodes[i]->insomniac = insomniac;
   }
   for (unsigned i = 0; i < NET_BOXES * 3; i++) {
      struct node *from = nodes[i % NET_BOXES], *to = nodes[(x = mix(x + 1)) % NET_BOXES];
      uint32_t bandwidth = 1 + (x >> 8) % 2, latency = 1 + (x >> 16) % 7,
               capacity = 4 + (x >> 24) % 9;
      sim_signal_init(&signals[i], "edge", &from->box, &to->box, sizeof(struct token), bandwidth,
                      latency, capacity);
      from->out[from->num_out++] = &signals[i];
   }
   for (unsigned i = 0; i < NET_BOXES; i++) {
      nodes[i]->holding = true;
      nodes[i]->held = (struct token){mix(i + net_seed), 60};
   }
   if (insomniac)
      gpu->kernel.stall_ticks = 20000; /* ends the run once nothing moves */
   sim_kernel_run(&gpu->kernel, NULL);
   uint64_t hash = 0;
   for (unsigned i = 0; i < NET_BOXES; i++)
      hash = mix(hash ^ nodes[i]->hash) + nodes[i]->tokens;
   free_gpu(gpu);
   return hash;
}

static void
test_order_and_sleep(void **state)
{
   static const uint32_t clocks[3][3] = {{600, 600, 600}, {500, 1000, 750}, {300, 200, 700}};
   FILE *quiet = freopen("/dev/null", "w",
                         stderr); /* the watchdog's dump, which ends the runs without sleep */
   assert_non_null(quiet);
   for (uint32_t net = 1; net <= 12; net++) {
      const uint32_t *mhz = clocks[net % 3];
      uint64_t expected = run_network(net, 0, false, mhz);
      assert_true(run_network(net + 100, 0, false, mhz) != expected);
      for (uint32_t order = 1; order <= 6; order++)
         assert_true(run_network(net, order, false, mhz) == expected);
      assert_true(run_network(net, 0, true, mhz) == expected);
      assert_true(run_network(net, 5, true, mhz) == expected);
   }
}

/* What the machine's memory gives is zeroed and aligned, small or larger than a block, also when
 * the arena is used again. */
static void
test_arena_is_zeroed_and_aligned(void **unused)
{
   (void)unused;
   static const size_t sizes[] = {1, 64, 100, 3 << 20, 40 << 20, 7, 30 << 20};
   struct sim_arena arena = {0};
   for (int run = 0; run < 2; run++) {
      for (unsigned i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
         uint8_t *p = sim_arena_alloc(&arena, sizes[i]);
         assert_int_equal((uintptr_t)p % 64, 0);
         for (size_t at = 0; at < sizes[i]; at += 1 + sizes[i] / 1000)
            assert_int_equal(p[at], 0);
         p[0] = p[sizes[i] / 2] = p[sizes[i] - 1] = 0xff;
      }
      sim_arena_fini(&arena);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_arena_is_zeroed_and_aligned),
       cmocka_unit_test(test_object_arrives_after_the_latency),
       cmocka_unit_test(test_bandwidth_limits_objects_per_cycle),
       cmocka_unit_test(test_credit_counts_in_the_next_cycle),
       cmocka_unit_test(test_credits_and_order),
       cmocka_unit_test(test_domains_have_their_periods),
       cmocka_unit_test(test_time_jumps_over_idle_ticks),
       cmocka_unit_test(test_trace_changes_nothing),
       cmocka_unit_test(test_stop_flag_ends_the_run),
       cmocka_unit_test(test_error_names_box_signal_and_cycle),
       cmocka_unit_test(test_watchdog_stops_a_stuck_machine),
       cmocka_unit_test(test_watchdog_lets_sleep),
       cmocka_unit_test(test_order_and_sleep),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
