/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A unit to which shaders send loads (constant cache, load/store unit) between a mock shader and a
 * mock memory: thread groups of one instruction, when they are sent and answered. Not here: the
 * instructions, and what their values should be. */
#ifndef TEST_LOAD_BENCH_H
#define TEST_LOAD_BENCH_H

#include <stdio.h>
#include <string.h>
#include "box_bench.h"
#include "box/shader/shader_unit.h"

#define LOAD_BENCH_OPS 200
#define BUFFER 4096 /* address of buffer 0 */
#define BYTES 16384

struct bench {
   struct sim_gpu *gpu;
   struct sim_box *unit;
   struct sim_signal *to, *from; /* the unit */
   struct bench_memory memory;
   struct sim_group group;
   struct emul_const_buffer buffers[ATTILA_MAX_STORAGE_BUFFERS];
   struct attila_image images[ATTILA_MAX_IMAGES];
   struct shf_thread *threads[LOAD_BENCH_OPS];
   unsigned count, sent, answered;
   unsigned together;                  /* sent before the answer of the first is awaited */
   unsigned forget_after, forget_from; /* of the constant cache: answers; 0: never. Address */
   sim_tick sent_at[LOAD_BENCH_OPS], answer[LOAD_BENCH_OPS];
   uint8_t *before; /* of the load/store unit: memory */
};
_Static_assert(ATTILA_MAX_CONST_BUFFERS <= ATTILA_MAX_STORAGE_BUFFERS, "struct bench.buffers");

/* Takes an answer; false: there is none. */
static inline bool
load_bench_hear(struct bench *b, sim_tick now)
{
   const struct msg_load *r = sim_peek(b->from, now);
   if (!r)
      return false;
   assert_ptr_equal(r->thread, b->threads[b->answered]); /* in order */
   b->answer[b->answered++] = now;
   sim_pop(b->from, now);
   return true;
}

/* Sends the next group, if its turn has come. Returns when to look again. */
static inline sim_tick
load_bench_send(struct bench *b, sim_tick now)
{
   if (b->sent == b->count || b->sent - b->answered >= b->together || !sim_can_send(b->to, now))
      return SIM_NEVER;
   b->sent_at[b->sent] = now;
   sim_send(b->to, now, &(struct msg_load){.thread = b->threads[b->sent++], .work_id = 3});
   return now + 1;
}

static inline void
bench_begin(struct bench *b, uint32_t order)
{
   memset(b, 0, sizeof(*b));
   b->gpu = bench_create(order);
   b->together = 1;
   b->buffers[0] = (struct emul_const_buffer){BUFFER, BYTES};
   for (uint32_t i = 0; i < b->gpu->device->memory_size; i += 4) {
      const uint32_t word = bench_hash(i);
      memcpy(b->gpu->device->memory + i, &word, 4);
   }
}

/* Adds a group whose inputs have these offsets and numbers of buffers. The caller starts it. */
static inline struct shf_thread *
load_bench_add(struct bench *b, const struct emul_program *program, const uint32_t *offset,
               const uint32_t *buffer)
{
   struct shf_thread *t = aligned_alloc(64, (sizeof(*t) + 63) & ~(size_t)63);
   memset(t, 0, sizeof(*t));
   t->group = &b->group;
   shf_thread_reserve(&b->gpu->kernel.arena, t, emul_program_isa(program));
   t->emul.inputs = t->inputs;
   t->emul.outputs = t->outputs;
   memcpy(t->inputs[0].c[0], offset, EMUL_LANES * 4);
   memcpy(t->inputs[0].c[1], buffer, EMUL_LANES * 4);
   b->threads[b->count++] = t;
   return t;
}

/* Runs until the shader has sent all. spread: of the memory's answers. */
static inline void
load_bench_run(struct bench *b, struct sim_box *shader, uint32_t spread)
{
   b->memory.spread = spread;
   bench_start_and_run(b->gpu, shader);
   assert_int_equal(b->answered, b->count);
}

static inline sim_tick
time_of(const struct bench *b, unsigned op)
{
   return b->answer[op] - b->sent_at[op];
}

static inline void
load_bench_end(struct bench *b)
{
   for (unsigned i = 0; i < b->count; i++)
      free(b->threads[i]);
   free(b->before);
   bench_destroy(b->gpu);
}

#endif
