/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A bench for single boxes: a GPU with only the boxes under test, mock neighbours that are
 * functions, and a memory that answers after irregular times and out of order. For tests only. */
#ifndef BOX_BENCH_H
#define BOX_BENCH_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>
#include "box/sim_gpu.h"
#include "emul/shader/emul_atomic.h"

struct mock {
   struct sim_box box;
   sim_tick (*work)(struct mock *m, sim_tick now);
   void *user;
};

static sim_tick
mock_clock(struct sim_box *b, sim_tick now)
{
   struct mock *m = (struct mock *)b;
   return m->work(m, now);
}

static const struct sim_box_class mock_class = {
    .name = "Mock",
    .unit = "MOCK",
    .size = sizeof(struct mock),
    .domain = SIM_DOMAIN_GPU,
    .clock = mock_clock,
};

/* What the draws of a bench count in (sim_draw.counters). */
static uint64_t bench_counters[ATTILA_NUM_COUNTERS] __attribute__((unused));

/* A GPU with 16 MiB of memory and nothing else; seed permutes the clocking order. */
static inline struct sim_gpu *
bench_create(uint32_t seed)
{
   size_t size = (sizeof(struct sim_gpu) + 63) & ~(size_t)63;
   struct sim_gpu *gpu = aligned_alloc(64, size);
   memset(gpu, 0, size);
   sim_config_defaults(&gpu->config);
   gpu->device = calloc(1, sizeof(*gpu->device));
   gpu->device->memory_size = 16u << 20;
   gpu->device->memory = calloc(1, gpu->device->memory_size);
   assert_true(sim_blocks_init(&gpu->device->blocks, gpu->device->memory_size));
   memset(bench_counters, 0, sizeof(bench_counters));
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, 600, 600, 600, seed);
   gpu->kernel.stall_ticks = 20000;
   sim_objects_init(gpu);
   return gpu;
}

static inline void
bench_destroy_kernel(struct sim_gpu *gpu)
{
   sim_kernel_fini(&gpu->kernel);
}

static inline void
bench_destroy_rest(struct sim_gpu *gpu)
{
   free(gpu->device->memory);
   sim_blocks_fini(&gpu->device->blocks);
   free(gpu->device);
   free(gpu);
}

static inline void
bench_destroy(struct sim_gpu *gpu)
{
   bench_destroy_kernel(gpu);
   bench_destroy_rest(gpu);
}

static inline struct sim_box *
bench_mock(struct sim_gpu *gpu, sim_tick (*work)(struct mock *m, sim_tick now), void *user)
{
   struct mock *m = (struct mock *)sim_box_create(&gpu->kernel, gpu, &mock_class, -1);
   m->work = work;
   m->user = user;
   return &m->box;
}

/* The program of an assembler text, for emul_program_destroy. */
static inline struct emul_program *
bench_program(const char *text)
{
   struct attila_isa_program isa;
   char error[256];
   if (!attila_isa_assemble(text, &isa, error, sizeof(error)))
      fail_msg("%s", error);
   struct emul_program *program = emul_program_create(&isa);
   attila_isa_free(&isa);
   return program;
}

/* Boxes run until all sleep, or a mock sets *stop (may be NULL). */
static inline void
bench_run_boxes(struct sim_gpu *gpu, const bool *stop)
{
   if (!sim_kernel_run(&gpu->kernel, stop))
      fail_msg("%s", gpu->kernel.error);
}

struct bench_end {
   const struct sim_kernel *kernel;
   sim_tick tick;
};

static inline bool
bench_is_over(const void *data)
{
   const struct bench_end *end = data;
   return end->kernel->now >= end->tick;
}

/* Boxes run until this tick, or until all sleep; then statistics are whole. */
static inline void
bench_run_until(struct sim_gpu *gpu, sim_tick tick)
{
   const struct bench_end end = {&gpu->kernel, tick};
   gpu->kernel.until = bench_is_over;
   gpu->kernel.until_data = &end;
   bench_run_boxes(gpu, NULL);
   gpu->kernel.until = NULL;
   sim_kernel_flush_counters(&gpu->kernel);
}

/* Starts a machine after its configuration was checked, wakes the mock that sends first, and runs
 * until all sleep. */
static inline void
bench_start_and_run(struct sim_gpu *gpu, struct sim_box *first)
{
   char error[200];
   if (!sim_config_check(&gpu->config, error, sizeof(error)))
      fail_msg("%s", error);
   sim_kernel_start(&gpu->kernel);
   sim_box_wake(first, 1);
   bench_run_boxes(gpu, NULL);
}

/* --- The netlist of a bench --- */

/* What stands at the place of a line of SIM_BOXES: the box under test, or a mock. */
#define BENCH_BOX(member, at) [NETLIST_##member] = {.name = #member, .box = {at}, .count = 1}

#define BOX(class, member, group, how_many) extern const struct sim_box_class class##_class;
#define ALT(class, other, member, group, condition, how_many) \
   extern const struct sim_box_class class##_class, other##_class;
SIM_BOXES(BOX, ALT)
#undef ALT
#undef BOX

struct bench_line {
   const struct sim_box_class *cls;
   uint32_t count; /* in the machine of the configuration */
};

/* A signal; how_many 0: the machine has none. */
struct bench_edge {
   unsigned from, to;
   const char *message;
   uint32_t how_many;
};
#define BENCH_MAX_EDGES 256

/* Whether a box passes messages from one box of the bench to another: all its neighbours are there,
 * and it sends to one what it gets from another. */
static inline bool
bench_is_between(unsigned box, const bool there[NETLIST_NUM_BOXES], const struct bench_edge edges[],
                 unsigned num)
{
   bool passes = false;
   for (unsigned i = 0; i < num; i++) {
      const struct bench_edge *in = &edges[i];
      if ((in->from == box && !there[in->to]) || (in->to == box && !there[in->from]))
         return false;
      for (unsigned o = 0; in->to == box && o < num; o++)
         passes |= edges[o].from == box && edges[o].to != in->from &&
                   !strcmp(edges[o].message, in->message);
   }
   return passes;
}

/* Finds the signals of a machine; returns how many kinds it has. */
static inline unsigned
bench_find_edges(const struct sim_config *c, struct bench_edge edges[BENCH_MAX_EDGES])
{
   const struct bench_edge all[] = {
#define SIG(member, from, to, how_many, message, bandwidth, latency, capacity) \
   {NETLIST_##from, NETLIST_##to, #message, how_many},
       SIM_SIGNALS(SIG)
#undef SIG
   };
   unsigned num = 0;
   _Static_assert(sizeof(all) / sizeof(all[0]) <= BENCH_MAX_EDGES, "BENCH_MAX_EDGES");
   for (unsigned i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
      if (all[i].how_many)
         edges[num++] = all[i];
   }
   return num;
}

/* Creates the boxes that the netlist has between those of the bench, so that a bench stays whole
 * when a box is put between two of its boxes. */
static inline void
bench_add_between(struct sim_gpu *gpu, struct sim_netlist_boxes *boxes)
{
   const struct sim_config *c = &gpu->config;
   const struct bench_line lines[] = {
#define BOX(class, member, group, how_many) {&class##_class, how_many},
#define ALT(class, other, member, group, condition, how_many) \
   {(condition) ? &class##_class : &other##_class, how_many},
       SIM_BOXES(BOX, ALT)
#undef ALT
#undef BOX
   };
   struct bench_edge edges[BENCH_MAX_EDGES];
   const unsigned num_edges = bench_find_edges(c, edges);
   bool there[NETLIST_NUM_BOXES], changed = true;
   for (unsigned b = 0; b < NETLIST_NUM_BOXES; b++)
      there[b] = true;
   while (changed) {
      changed = false;
      for (unsigned b = 0; b < NETLIST_NUM_BOXES; b++) {
         const bool stays =
             boxes[b].count || (there[b] && bench_is_between(b, there, edges, num_edges));
         changed |= stays != there[b];
         there[b] = stays;
      }
   }
   for (unsigned b = 0; b < NETLIST_NUM_BOXES; b++) {
      for (unsigned i = 0; there[b] && !boxes[b].count && i < lines[b].count; i++)
         boxes[b].box[i] =
             sim_box_create(&gpu->kernel, gpu, lines[b].cls, lines[b].count > 1 ? (int)i : -1);
      if (there[b] && !boxes[b].count)
         boxes[b].count = lines[b].count;
   }
}

/* Creates the signals of the netlist between the boxes of a bench: [NETLIST_NUM_BOXES], by
 * BENCH_BOX. */
static inline void
bench_connect(struct sim_gpu *gpu, struct sim_netlist_boxes *boxes)
{
   bench_add_between(gpu, boxes);
   sim_netlist_connect(gpu, boxes);
}

/* BENCH_CONNECT(gpu, BENCH_BOX(cp, mock), BENCH_BOX(stf, box), ...) */
#define BENCH_CONNECT(gpu, ...) \
   bench_connect(gpu, (struct sim_netlist_boxes[NETLIST_NUM_BOXES]){__VA_ARGS__})

static inline uint32_t
bench_hash(uint64_t x)
{
   x = (x + 0x9e3779b97f4a7c15ull) * 0xbf58476d1ce4e5b9ull;
   x ^= x >> 29;
   x *= 0x94d049bb133111ebull;
   return (uint32_t)(x >> 32);
}

/* Memory for one client; answers 10 to 10 + spread cycles later, so in any order. */
struct bench_memory {
   struct sim_signal *requests, *responses;
   struct msg_mem_request pending[256];
   sim_tick due[256];
   unsigned num;
   uint32_t spread;
   uint64_t count;
   sim_tick latest[4096]; /* per 256-byte block modulo 4096: requests to one block stay in order */
};

static inline sim_tick
bench_memory_work(struct mock *mock, sim_tick now)
{
   struct bench_memory *m = mock->user;
   struct sim_gpu *gpu = mock->box.gpu;
   const struct msg_mem_request *r;
   while ((r = sim_peek(m->requests, now)) && m->num < 256) {
      assert_true(r->size >= 1 && r->size <= 256);
      assert_int_equal(r->address / 256, (r->address + r->size - 1) / 256);
      assert_true((uint64_t)r->address + r->size <= gpu->device->memory_size);
      sim_tick due = now + 10 + (m->spread ? bench_hash(m->count) % m->spread : 0);
      sim_tick *latest = &m->latest[r->address / 256 % 4096];
      due = due <= *latest ? *latest + 1 : due;
      *latest = due;
      m->count++;
      m->due[m->num] = due;
      m->pending[m->num++] = *r;
      sim_pop(m->requests, now);
   }
   for (unsigned i = 0; i < m->num;) {
      if (m->due[i] > now || !sim_can_send(m->responses, now)) {
         i++;
         continue;
      }
      struct msg_mem_request q = m->pending[i];
      if (q.atomic)
         emul_atomic_execute((enum attila_atomic)q.atomic, gpu->device->memory + q.address, q.data);
      else if (q.write)
         memcpy(gpu->device->memory + q.address, q.data, q.size);
      else
         memcpy(q.data, gpu->device->memory + q.address, q.size);
      sim_send(m->responses, now,
               &(struct msg_mem_response){
                   .data = q.data, .cookie = q.cookie, .address = q.address, .write = q.write});
      m->pending[i] = m->pending[--m->num];
      m->due[i] = m->due[m->num];
   }
   return m->num ? now + 1 : SIM_NEVER;
}

/* The statistic with this name, of all work ids. */
static inline uint64_t
stat(const struct sim_box *box, const char *name)
{
   uint64_t sum = 0;
   for (unsigned i = 0; i < box->cls->num_stats; i++) {
      if (strcmp(box->cls->stats[i].name, name))
         continue;
      for (unsigned work_id = 0; work_id < box->kernel->num_work_ids; work_id++)
         sum += sim_stat(box, work_id)[i];
      return sum;
   }
   fail_msg("%s has no statistic %s", box->name, name);
   return 0;
}

#endif
