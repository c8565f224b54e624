/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A bench for texture units alone, between shaders that send requests as fast as they may and a
 * memory that answers late and out of order. For tests only. */
#ifndef TU_BENCH_H
#define TU_BENCH_H

#include "box_bench.h"
#include "box/texture/tu.h"

extern const struct sim_box_class tu_class;

static uint32_t seed = 5;

static inline uint32_t
below(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}
static inline float
uniform(float a, float b)
{
   return a + (b - a) * (float)below(1 << 16) / 65536.0f;
}

static inline void
random_memory(struct sim_gpu *gpu)
{
   for (uint32_t i = 0; i < gpu->device->memory_size; i += 4) {
      uint32_t v = bench_hash(i);
      memcpy(gpu->device->memory + i, &v, 4);
   }
}

#define REQUESTS 300

struct tu_bench {
   struct sim_gpu *gpu;
   struct sim_box *tu;
   struct bench_memory memory;
   struct shf_thread *threads[REQUESTS];
   struct sim_group group;
   struct sim_draw draw;
   struct emul_tex_state tex[ATTILA_MAX_TEX_UNITS];
   unsigned count, sent, received;
   unsigned order[REQUESTS];  /* in which they were answered */
   unsigned invalidate_after; /* requests; 0: never */
   uint64_t forget_from;      /* address */
   sim_tick first_sent, answer[REQUESTS];
};

static inline sim_tick
shader_work(struct mock *m, sim_tick now)
{
   struct tu_bench *b = m->user;
   struct sim_netlist *net = &b->gpu->net;
   while (b->sent < b->count && sim_can_send(&net->shdx_tu[0], now)) {
      struct msg_tex msg = {.thread = b->threads[b->sent], .begin = now, .work_id = 3};
      if (!b->sent)
         b->first_sent = now;
      sim_send(&net->shdx_tu[0], now, &msg);
      b->sent++;
   }
   const struct msg_tex *r;
   while ((r = sim_peek(&net->tu_shf[0], now))) {
      unsigned i = 0;
      while (i < b->count && b->threads[i] != r->thread)
         i++;
      assert_true(i < b->count && !b->answer[i]);
      b->answer[i] = now;
      b->order[b->received++] = i;
      sim_pop(&net->tu_shf[0], now);
      if (b->received == b->invalidate_after) {
         struct msg_rop forget = {.op = ROP_FORGET, .start = b->forget_from, .end = UINT64_MAX};
         sim_send(&net->cp_tu[0], now, &forget);
      }
   }
   return b->sent < b->count ? now + 1 : SIM_NEVER;
}

static inline void
tu_bench_init(struct tu_bench *b, uint32_t order)
{
   memset(b, 0, sizeof(*b));
   b->gpu = bench_create(order);
   b->draw.state.tex = b->tex;
   b->group.draw = &b->draw;
   random_memory(b->gpu);
}

static inline void
tu_bench_request(struct tu_bench *b, const struct emul_tex_request *req)
{
   /* A program of one texture instruction: the answer lands in temporary 0. */
   static struct emul_program *program;
   if (!program)
      program = bench_program(".fragment\n.temps 1\nTEX r0, i0, t0, 2D\nMOV o0, r0\nEND\n");
   struct shf_thread *t = aligned_alloc(64, (sizeof(*t) + 127) & ~(size_t)63);
   memset(t, 0, sizeof(*t));
   t->group = &b->group;
   shf_thread_reserve(&b->gpu->kernel.arena, t, emul_program_isa(program));
   t->emul.inputs = t->inputs;
   t->emul.outputs = t->outputs;
   emul_thread_start(&t->emul, program, 0xffff, true, 1u << 16);
   assert_int_equal(emul_thread_step(&t->emul), EMUL_STEP_TEXTURE);
   t->emul.tex = *req;
   b->threads[b->count++] = t;
}

static inline void
tu_bench_run(struct tu_bench *b, uint32_t spread)
{
   struct sim_gpu *g = b->gpu;
   struct sim_box *shader = bench_mock(g, shader_work, b),
                  *memory = bench_mock(g, bench_memory_work, &b->memory);
   b->tu = sim_box_create(&g->kernel, g, &tu_class, 0);
   BENCH_CONNECT(g, BENCH_BOX(shdx, shader), BENCH_BOX(shf, shader), BENCH_BOX(cp, shader),
                 BENCH_BOX(tu, b->tu), BENCH_BOX(mc, memory));
   b->memory.requests = &g->net.tu_mc[0];
   b->memory.responses = &g->net.mc_tu[0];
   b->memory.spread = spread;
   bench_start_and_run(g, shader);
   assert_int_equal(b->received, b->count);
}

static inline void
tu_bench_destroy(struct tu_bench *b)
{
   for (unsigned i = 0; i < b->count; i++)
      free(b->threads[i]);
   bench_destroy(b->gpu);
}

static inline struct attila_tex_regs
texture(unsigned target, unsigned format, unsigned size, unsigned levels)
{
   return (struct attila_tex_regs){.enable = 1,
                                   .target = target,
                                   .format = format,
                                   .address = 65536,
                                   .width = size,
                                   .height = size,
                                   .depth = target == ATTILA_TEX_CUBE ? 6
                                            : target == ATTILA_TEX_3D ? 8
                                                                      : 1,
                                   .num_levels = levels,
                                   .last_level = levels - 1,
                                   .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                   .max_aniso = 1,
                                   .max_lod = 100.0f,
                                   .mag_filter = 1,
                                   .min_filter = 1,
                                   .mip_filter = levels > 1 ? ATTILA_MIP_LINEAR : ATTILA_MIP_NONE};
}

/* All lanes of so many quads sample one place of level 0. */
static inline struct emul_tex_request
one_spot(unsigned quads)
{
   struct emul_tex_request req = {.op = ATTILA_OP_TXL, .mask = (uint16_t)((1u << quads * 4) - 1)};
   for (unsigned l = 0; l < 16; l++)
      req.coord[0][l] = req.coord[1][l] = 0.3f;
   return req;
}

#endif
