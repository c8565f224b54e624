/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture unit, blitter and DAC alone, between mock neighbours and a memory that answers late and
 * out of order: their results must be the emulators', whatever the cache's size, the clocking order
 * and the memory's mood; and single facts of timing.
 */
#include "box_bench.h"
#include "box/shader/shader_unit.h"
#include "box/texture/tu_cache.h"
#include "emul/rop/emul_blit.h"

extern const struct sim_box_class tu_class, blitter_class, dac_class;

static uint32_t seed = 5;

static uint32_t
below(uint32_t n)
{
   seed = seed * 1664525u + 1013904223u;
   return (seed >> 8) % n;
}
static float
uniform(float a, float b)
{
   return a + (b - a) * (float)below(1 << 16) / 65536.0f;
}

static void
random_memory(struct sim_gpu *gpu)
{
   for (uint32_t i = 0; i < gpu->device->memory_size; i += 4) {
      uint32_t v = bench_hash(i);
      memcpy(gpu->device->memory + i, &v, 4);
   }
}

/* --- Texture unit --- */

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
   unsigned invalidate_after; /* requests; 0: never */
   uint64_t forget_from;      /* address */
   sim_tick first_sent, answer[REQUESTS];
};

static sim_tick
shader_work(struct mock *m, sim_tick now)
{
   struct tu_bench *b = m->user;
   struct sim_netlist *net = &b->gpu->net;
   while (b->sent < b->count && sim_can_send(&net->shdx_tu[0], now)) {
      struct msg_tex msg = {b->threads[b->sent], 3};
      if (!b->sent)
         b->first_sent = now;
      sim_send(&net->shdx_tu[0], now, &msg);
      b->sent++;
   }
   const struct msg_tex *r;
   while ((r = sim_peek(&net->tu_shf[0], now))) {
      assert_ptr_equal(r->thread, b->threads[b->received]); /* in order */
      b->answer[b->received++] = now;
      sim_pop(&net->tu_shf[0], now);
      if (b->received == b->invalidate_after) {
         struct msg_rop forget = {.op = ROP_FORGET, .start = b->forget_from, .end = UINT64_MAX};
         sim_send(&net->cp_tu[0], now, &forget);
      }
   }
   return b->sent < b->count ? now + 1 : SIM_NEVER;
}

static void
tu_bench_init(struct tu_bench *b, uint32_t order)
{
   memset(b, 0, sizeof(*b));
   b->gpu = bench_create(order);
   b->draw.state.tex = b->tex;
   b->group.draw = &b->draw;
   random_memory(b->gpu);
}

static void
tu_bench_request(struct tu_bench *b, const struct emul_tex_request *req)
{
   /* A program of one texture instruction: the answer lands in temporary 0. */
   static struct emul_program *program;
   if (!program) {
      static struct attila_isa_program isa;
      char error[256];
      if (!attila_isa_assemble(".fragment\n.temps 1\nTEX r0, i0, t0, 2D\nMOV o0, r0\nEND\n", &isa,
                               error, sizeof(error)))
         fail_msg("%s", error);
      program = emul_program_create(&isa);
   }
   struct shf_thread *t = aligned_alloc(64, (sizeof(*t) + 127) & ~(size_t)63);
   memset(t, 0, sizeof(*t));
   t->group = &b->group;
   t->emul.temps = aligned_alloc(64, 16 * sizeof(struct emul_vec4));
   memset(t->emul.temps, 0, 16 * sizeof(struct emul_vec4));
   t->emul.inputs = t->inputs;
   t->emul.outputs = t->outputs;
   emul_thread_start(&t->emul, program, 0xffff, true);
   assert_int_equal(emul_thread_step(&t->emul), EMUL_STEP_TEXTURE);
   t->emul.tex = *req;
   b->threads[b->count++] = t;
}

static void
tu_bench_run(struct tu_bench *b, uint32_t spread)
{
   struct sim_gpu *g = b->gpu;
   struct sim_box *shader = bench_mock(g, shader_work, b),
                  *memory = bench_mock(g, bench_memory_work, &b->memory);
   b->tu = sim_box_create(&g->kernel, g, &tu_class, 0);
   BENCH_SIGNAL(g, shdx_tu, shader, b->tu, msg_tex, 1, 1, g->config.shader.tex_queue);
   BENCH_SIGNAL(g, tu_shf, b->tu, shader, msg_tex, 1, 1, 64);
   BENCH_SIGNAL(g, cp_tu, shader, b->tu, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(g, tu_mc, b->tu, memory, msg_mem_request, 1, 1, 8);
   BENCH_SIGNAL(g, mc_tu, memory, b->tu, msg_mem_response, 1, 1, 64);
   b->memory.requests = &g->net.tu_mc[0];
   b->memory.responses = &g->net.mc_tu[0];
   b->memory.spread = spread;
   sim_kernel_start(&g->kernel);
   sim_box_wake(shader, 1);
   bool stop = false;
   if (!sim_kernel_run(&g->kernel, &stop))
      fail_msg("%s", g->kernel.error);
   assert_int_equal(b->received, b->count);
}

static void
tu_bench_destroy(struct tu_bench *b)
{
   for (unsigned i = 0; i < b->count; i++) {
      free(b->threads[i]->emul.temps);
      free(b->threads[i]);
   }
   bench_destroy(b->gpu);
}

static struct attila_tex_regs
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

/* Machines from roomy to absurdly small: a cache of one line must work too. */
static void
results_are_the_emulators(void **state)
{
   (void)state;
   static const struct {
      unsigned sets, ways, line, requests, queue;
   } machines[] = {{16, 4, 256, 8, 64},
                   {1, 1, 64, 1, 1},
                   {1, 2, 64, 8, 3},
                   {3, 1, 128, 2, 64},
                   {1, 64, 64, 64, 7}};
   static const unsigned formats[] = {ATTILA_FORMAT_R8G8B8A8_UNORM, ATTILA_FORMAT_DXT5_RGBA,
                                      ATTILA_FORMAT_R32G32B32A32_FLOAT, ATTILA_FORMAT_R8_UNORM,
                                      ATTILA_FORMAT_Z32_FLOAT_S8X24};
   static struct tu_bench b;
   for (unsigned k = 0; k < 20; k++) {
      tu_bench_init(&b, k % 3);
      b.gpu->config.shader.tex_sets = machines[k % 5].sets;
      b.gpu->config.shader.tex_ways = machines[k % 5].ways;
      b.gpu->config.shader.tex_line_size = machines[k % 5].line;
      b.gpu->config.shader.tex_requests = machines[k % 5].requests;
      b.gpu->config.shader.tex_access_queue = machines[k % 5].queue;
      static const unsigned targets[] = {ATTILA_TEX_2D, ATTILA_TEX_CUBE, ATTILA_TEX_3D,
                                         ATTILA_TEX_2D};
      for (unsigned u = 0; u < 4; u++) {
         struct attila_tex_regs r = texture(targets[u], formats[(k + u) % 5], 64, 7);
         r.max_aniso = u == 3 || k >= 10 ? 16 : 1;
         r.seamless = 1;
         r.wrap_t = u == 0 ? ATTILA_WRAP_CLAMP_TO_BORDER : ATTILA_WRAP_REPEAT;
         r.enable = k != 4 || u != 1; /* a disabled unit flows through too */
         emul_tex_state_init(&b.tex[u], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
      }
      static struct emul_vec4 want[REQUESTS];
      for (unsigned i = 0; i < 100; i++) {
         struct emul_tex_request req = {.op = ATTILA_OP_TEX,
                                        .unit = (uint8_t)below(4),
                                        .has_quads = true,
                                        .mask = i % 7 ? 0xffff : (uint16_t)below(65536)};
         float step = uniform(0, 0.05f);
         for (unsigned c = 0; c < 3; c++) {
            float base = uniform(-1, 2);
            for (unsigned l = 0; l < 16; l++)
               req.coord[c][l] = base + step * (float)(c ? l / 4 + (l & 1) : l);
         }
         tu_bench_request(&b, &req);
         emul_tex_sample(&b.tex[req.unit], &req, b.gpu->device->memory, &want[i]);
      }
      tu_bench_run(&b, k % 2 ? 60 : 0);
      for (unsigned i = 0; i < b.count; i++)
         for (unsigned c = 0; c < 4; c++)
            for (unsigned l = 0; l < 16; l++)
               if (b.threads[i]->emul.tex.mask >> l & 1)
                  assert_memory_equal(&b.threads[i]->emul.temps[0].c[c][l], &want[i].c[c][l], 4);
      assert_int_equal(stat(b.tu, "TextureRequests"), 100);
      assert_int_equal(stat(b.tu, "TextureResults"), 100);
      assert_int_equal(stat(b.tu, "MissesFetch_FC"), stat(b.tu, "MemoryRequests"));
      assert_int_equal(stat(b.tu, "ReadBytesMemory"),
                       stat(b.tu, "MemoryRequests") * machines[k % 5].line);
      assert_int_equal(stat(b.tu, "MemoryRequests"), b.memory.count);
      assert_int_equal(stat(b.tu, "FilterALUBusyCycles"), stat(b.tu, "AddressALUBusyCycles"));
      tu_bench_destroy(&b);
   }
}

static struct emul_tex_request
one_spot(unsigned quads)
{
   struct emul_tex_request req = {.op = ATTILA_OP_TXL, .mask = (uint16_t)((1u << quads * 4) - 1)};
   for (unsigned l = 0; l < 16; l++)
      req.coord[0][l] = req.coord[1][l] = 0.3f;
   return req;
}

/* Latency of a hit, throughput of hits, and one memory request for what is used again and again. */
static void
timing_of_hits(void **state)
{
   (void)state;
   static struct tu_bench b;
   tu_bench_init(&b, 0);
   struct attila_tex_regs r = texture(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64, 1);
   emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
   struct emul_tex_request one = one_spot(1), four = one_spot(4);
   for (unsigned i = 0; i < 100; i++)
      tu_bench_request(&b, i < 50 ? &one : &four);
   tu_bench_run(&b, 0);
   assert_int_equal(b.memory.count, 1);
   /* After the first miss: one quad per cycle. */
   assert_int_equal(b.answer[49] - b.answer[39], 10);
   assert_int_equal(b.answer[99] - b.answer[89], 40);
   tu_bench_destroy(&b);
   /* A single hit: wire 1, address latency 6, read in the next cycle, filter 4, wire 1. */
   tu_bench_init(&b, 0);
   emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
   tu_bench_request(&b, &one);
   tu_bench_run(&b, 0);
   const struct sim_config *c = &b.gpu->config;
   sim_tick miss = b.answer[0] - b.first_sent, memory = 1 + 10 + 1;
   assert_int_equal(miss, 1 + c->shader.address_latency + memory + c->shader.filter_latency + 1);
   tu_bench_destroy(&b);
}

/* Each anisotropic sample takes the filter for one cycle, in each level and slice, whatever the
 * target; a cube's corner is one too. */
static void
anisotropic_samples_take_a_cycle_each(void **state)
{
   (void)state;
   static const struct {
      unsigned target, samples, slices;
   } cases[] = {{ATTILA_TEX_2D, 1, 1},    {ATTILA_TEX_2D, 12, 1}, {ATTILA_TEX_CUBE, 1, 1},
                {ATTILA_TEX_CUBE, 12, 1}, {ATTILA_TEX_3D, 1, 2},  {ATTILA_TEX_3D, 12, 2}};
   static struct tu_bench b;
   for (unsigned k = 0; k < sizeof(cases) / sizeof(cases[0]); k++) {
      tu_bench_init(&b, 0);
      struct attila_tex_regs r = texture(cases[k].target, ATTILA_FORMAT_R8_UNORM, 32, 1);
      r.max_aniso = 16;
      r.seamless = 1;
      emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
      struct emul_tex_request req = {.op = ATTILA_OP_TXD, .mask = 0xf};
      for (unsigned l = 0; l < 4; l++) {
         float texel = (cases[k].target == ATTILA_TEX_CUBE ? 2.0f : 1.0f) / 32;
         /* The cube's is its corner. */
         for (unsigned c = 0; c < 3; c++)
            req.coord[c][l] = cases[k].target == ATTILA_TEX_CUBE ? 1.0f : 0.36f;
         req.ddx[1][l] = texel * (float)cases[k].samples * 0.99f;
         req.ddy[cases[k].target == ATTILA_TEX_CUBE ? 2 : 0][l] = texel;
      }
      for (unsigned i = 0; i < 40; i++)
         tu_bench_request(&b, &req);
      tu_bench_run(&b, 0);
      unsigned steps = cases[k].samples * cases[k].slices;
      assert_int_equal(b.answer[39] - b.answer[29], 10 * steps);
      assert_int_equal(stat(b.tu, "FilterALUBusyCycles"), 40 * steps);
      assert_int_equal(stat(b.tu, "AnisotropyRatio"), 40 * cases[k].samples);
      tu_bench_destroy(&b);
   }
}

static void
invalidation_forgets(void **state)
{
   (void)state;
   static struct tu_bench b;
   tu_bench_init(&b, 0);
   struct attila_tex_regs r = texture(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64, 1);
   emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
   b.invalidate_after = 10;
   struct emul_tex_request one = one_spot(1);
   for (unsigned i = 0; i < 200; i++)
      tu_bench_request(&b, &one);
   tu_bench_run(&b, 0);
   assert_int_equal(b.memory.count, 2);
   tu_bench_destroy(&b);
   /* Other memory is forgotten. */
   tu_bench_init(&b, 0);
   emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
   b.invalidate_after = 10;
   b.forget_from = r.address + 64 * 64 * 4;
   for (unsigned i = 0; i < 200; i++)
      tu_bench_request(&b, &one);
   tu_bench_run(&b, 0);
   assert_int_equal(b.memory.count, 1);
   tu_bench_destroy(&b);
   /* A line invalidated while pinned is not found again and is free once read. */
   struct tu_cache cache;
   tu_cache_init(&cache, 1, 1, 64);
   uint32_t line = tu_cache_allocate(&cache, 640);
   cache.lines[line].pins = 2;
   assert_int_equal(tu_cache_find(&cache, 640 + 63), line);
   assert_int_equal(tu_cache_find(&cache, 640 + 64), TU_NO_LINE);
   tu_cache_forget(&cache, 0, UINT64_MAX);
   assert_int_equal(tu_cache_find(&cache, 640), TU_NO_LINE);
   assert_int_equal(tu_cache_allocate(&cache, 640), TU_NO_LINE);
   tu_cache_unpin(&cache, line);
   assert_int_equal(tu_cache_allocate(&cache, 640), TU_NO_LINE);
   tu_cache_unpin(&cache, line);
   assert_int_equal(tu_cache_allocate(&cache, 640), line);
   tu_cache_fini(&cache);
}

/* A line of a clear block needs no memory, one of a compressed block its bytes. */
static void
block_states_are_read(void **state)
{
   static const struct {
      uint32_t quarters, requests, bytes;
   } cases[] = {{4, 1, 256}, {2, 1, 128}, {1, 1, 64}, {0, 0, 0}};
   (void)state;
   for (unsigned k = 0; k < 4; k++) {
      static struct tu_bench b;
      tu_bench_init(&b, 0);
      struct attila_tex_regs r = texture(ATTILA_TEX_2D, ATTILA_FORMAT_R8G8B8A8_UNORM, 64, 1);
      emul_tex_state_init(&b.tex[0], &r, &EMUL_TEX_QUALITY_DEFAULT, b.gpu->device->memory_size);
      for (uint32_t at = 0; at < 64 * 64 * 4; at += 256)
         sim_block_set(&b.gpu->device->blocks, r.address + at, 256, cases[k].quarters, 0);
      struct emul_tex_request one = one_spot(1);
      tu_bench_request(&b, &one);
      tu_bench_run(&b, 0);
      assert_int_equal(b.memory.count, cases[k].requests);
      assert_int_equal(stat(b.tu, "ReadBytesMemory"), cases[k].bytes);
      tu_bench_destroy(&b);
   }
}

static void
least_recently_used_goes(void **state)
{
   (void)state;
   struct tu_cache c;
   tu_cache_init(&c, 2, 2, 64);
   uint32_t a = tu_cache_allocate(&c, 0), b = tu_cache_allocate(&c, 128);
   assert_true(a != b && tu_cache_find(&c, 0) == a);
   assert_int_equal(tu_cache_allocate(&c, 256), b);
   assert_int_equal(tu_cache_find(&c, 128), TU_NO_LINE);
   c.lines[a].pins = 1;
   assert_int_equal(tu_cache_allocate(&c, 384), b);
   assert_int_equal(tu_cache_allocate(&c, 64) / 2, 1);
   tu_cache_fini(&c);
}

/* --- Blitter and DAC --- */

struct command_bench {
   struct sim_gpu *gpu;
   struct bench_memory memory;
   struct sim_signal *out, *in;
   const void *message;
   bool sent, done;
};

static sim_tick
command_work(struct mock *m, sim_tick now)
{
   struct command_bench *b = m->user;
   if (!b->sent) {
      sim_send_bytes(b->out, now, b->message, b->out->payload);
      b->sent = true;
   }
   if (sim_peek(b->in, now)) {
      sim_pop(b->in, now);
      b->done = true;
   }
   return SIM_NEVER;
}

static bool
run_command(struct command_bench *b, struct sim_gpu *g, const struct sim_box_class *cls,
            const void *message, uint32_t spread)
{
   *b = (struct command_bench){.gpu = g, .message = message};
   struct sim_box *cp = bench_mock(g, command_work, b),
                  *memory = bench_mock(g, bench_memory_work, &b->memory),
                  *box = sim_box_create(&g->kernel, g, cls, -1);
   if (cls == &blitter_class) {
      BENCH_SIGNAL(g, cp_blit, cp, box, msg_blit, 1, 1, 1);
      BENCH_SIGNAL(g, blit_cp, box, cp, msg_done, 1, 1, 1);
      BENCH_SIGNAL(g, blit_mc, box, memory, msg_mem_request, 1, 1, 16);
      BENCH_SIGNAL(g, mc_blit, memory, box, msg_mem_response, 1, 1, 64);
      b->out = &g->net.cp_blit[0], b->in = &g->net.blit_cp[0],
      b->memory.requests = &g->net.blit_mc[0], b->memory.responses = &g->net.mc_blit[0];
   } else {
      BENCH_SIGNAL(g, cp_dac, cp, box, msg_swap, 1, 1, 1);
      BENCH_SIGNAL(g, dac_cp, box, cp, msg_done, 1, 1, 1);
      BENCH_SIGNAL(g, dac_mc, box, memory, msg_mem_request, 1, 1, 8);
      BENCH_SIGNAL(g, mc_dac, memory, box, msg_mem_response, 1, 1, 64);
      b->out = &g->net.cp_dac[0], b->in = &g->net.dac_cp[0], b->memory.requests = &g->net.dac_mc[0],
      b->memory.responses = &g->net.mc_dac[0];
   }
   b->memory.spread = spread;
   bench_report(g);
   sim_kernel_start(&g->kernel);
   sim_box_wake(cp, 1);
   bool stop = false;
   return sim_kernel_run(&g->kernel, &stop) && b->done;
}

static void
blitter_is_the_emulator(void **state)
{
   (void)state;
   static struct command_bench b;
   unsigned overlapping = 0, done = 0, resolves = 0;
   for (unsigned n = 0; n < 60; n++) {
      struct sim_gpu *g = bench_create(n % 3);
      random_memory(g);
      struct msg_blit msg = {.blit = {.width = 1 + below(90),
                                      .height = 1 + below(50),
                                      .depth = 1 + below(2),
                                      .element_bytes = 1u << below(5),
                                      .samples = 1}};
      struct attila_cmd_blit *c = &msg.blit;
      struct attila_cmd_blit_surface *sides[2] = {&c->src, &c->dst};
      bool linear[2] = {below(3) == 0, below(3) == 0};
      if (!linear[0] && !linear[1])
         c->samples = 1u << below(3);
      if (c->samples > 1 && n % 4) {
         static const uint8_t formats[5] = {
             ATTILA_FORMAT_R8_UNORM, ATTILA_FORMAT_B5G6R5_UNORM, ATTILA_FORMAT_R8G8B8A8_SRGB,
             ATTILA_FORMAT_R16G16B16A16_UNORM, ATTILA_FORMAT_R16G16B16A16_FLOAT};
         c->format = formats[below(5)];
         c->element_bytes = attila_formats[c->format].bytes;
         c->resolve = ATTILA_RESOLVE_AVERAGE + below(3);
         resolves++;
      }
      for (unsigned i = 0; i < 2; i++) {
         struct attila_cmd_blit_surface *s = sides[i];
         s->address = 65536 * (1 + i * 80) + (linear[i] ? below(300) : 0);
         s->x = below(20), s->y = below(20), s->z = below(2);
         s->pitch_tiles = linear[i] ? 0 : (s->x + c->width + 7) / 8;
         s->linear_stride = linear[i] ? (s->x + c->width) * c->element_bytes + below(9) : 0;
         s->slice_stride = 1u << 20;
      }
      if (n % 5 == 0) { /* within one surface, sometimes onto itself */
         c->dst = c->src;
         c->dst.x = below(20);
         c->dst.pitch_tiles = c->src.pitch_tiles = linear[0] ? 0 : 16;
         c->src.linear_stride = c->dst.linear_stride = 110 * c->element_bytes;
         c->samples = 1;
         c->resolve = 0;
      }
      if (!emul_blit_check(c, g->device->memory_size, NULL, 0)) {
         bench_destroy(g);
         continue;
      }
      done++;
      overlapping += emul_blit_overlaps(c);
      uint8_t *want = malloc(g->device->memory_size);
      memcpy(want, g->device->memory, g->device->memory_size);
      assert_true(emul_blit(want, g->device->memory_size, c));
      assert_true(run_command(&b, g, &blitter_class, &msg, n % 2 ? 80 : 0));
      assert_memory_equal(g->device->memory, want, g->device->memory_size);
      free(want);
      bench_destroy(g);
   }
   assert_true(overlapping >= 3 && done > 40 && resolves >= 3);
   /* A bad command stops the simulation with a message. */
   struct sim_gpu *g = bench_create(0);
   struct msg_blit bad = {
       .blit = {.width = 5, .height = 5, .depth = 1, .element_bytes = 5, .samples = 1}};
   assert_false(run_command(&b, g, &blitter_class, &bad, 0));
   assert_non_null(strstr(g->kernel.error, "element size"));
   bench_destroy(g);
}

static const struct msg_swap swap_100x50 = {.swap = {.address = 65536,
                                                     .format = ATTILA_FORMAT_B8G8R8A8_UNORM,
                                                     .pitch_tiles = 13,
                                                     .width = 100,
                                                     .height = 50}};
#define SWAP_BLOCKS (13u * 7) /* a tile of 4-byte pixels is one block */

static void
dac_reads_the_surface_once(void **state)
{
   (void)state;
   static struct command_bench b;
   struct sim_gpu *g = bench_create(1);
   random_memory(g);
   assert_true(run_command(&b, g, &dac_class, &swap_100x50, 50));
   assert_true(b.done);
   assert_int_equal(b.memory.count, SWAP_BLOCKS);
   assert_int_equal(sim_report_frames(g->device->report), 1);
   bench_destroy(g);
   g = bench_create(0);
   struct msg_swap bad = {
       .swap = {.address = 65536, .format = 9999, .pitch_tiles = 13, .width = 100, .height = 50}};
   assert_false(run_command(&b, g, &dac_class, &bad, 0));
   bench_destroy(g);
}

/* Cycles of a swap all of whose blocks have a state; its bytes and requests. */
static sim_tick
swap_cycles(uint32_t quarters, uint32_t decompress, uint64_t *bytes, uint64_t *requests)
{
   static struct command_bench b;
   struct sim_gpu *g = bench_create(0);
   g->config.dac.decompress_latency = decompress;
   for (uint32_t i = 0; i < SWAP_BLOCKS; i++)
      sim_block_set(&g->device->blocks, 65536 + i * 256, 256, quarters, 0);
   assert_true(run_command(&b, g, &dac_class, &swap_100x50, 0));
   const struct sim_box *dac = g->kernel.boxes[2];
   *bytes = stat(dac, "ReadBytes");
   *requests = stat(dac, "ReadTransactions");
   assert_int_equal(stat(dac, "ColorStateBlocksTotal"), SWAP_BLOCKS);
   sim_tick cycles = stat(dac, "ScanOutCycles");
   bench_destroy(g);
   return cycles;
}

/* A clear block costs a cycle and no memory; a compressed one its bytes; the decompressor works on
 * one block at a time. */
static void
dac_reads_block_states(void **state)
{
   uint64_t bytes, requests;
   (void)state;
   sim_tick clear = swap_cycles(0, 1, &bytes, &requests);
   assert_int_equal(bytes, 0);
   assert_int_equal(requests, 0);
   assert_in_range(clear, SWAP_BLOCKS, SWAP_BLOCKS + 6);
   swap_cycles(4, 1, &bytes, &requests);
   assert_int_equal(bytes, SWAP_BLOCKS * 256);
   swap_cycles(1, 1, &bytes, &requests);
   assert_int_equal(bytes, SWAP_BLOCKS * 64);
   assert_int_equal(requests, SWAP_BLOCKS);
   assert_int_equal(swap_cycles(0, 9, &bytes, &requests) - clear, 8 * SWAP_BLOCKS);
}

/* Without SynchedRefresh a swap ends at once, and the screen alone does not keep time running. */
static void
dac_refreshes_in_the_background(void **state)
{
   (void)state;
   static struct command_bench b;
   struct sim_gpu *g = bench_create(0);
   g->config.dac.synched = false;
   g->config.dac.refresh_rate = 1000;
   assert_true(run_command(&b, g, &dac_class, &swap_100x50, 0));
   assert_int_equal(b.memory.count, 0);
   const struct sim_box *dac = g->kernel.boxes[2];
   /* Something else runs for 2,500 cycles. */
   assert_true(g->kernel.now < 100);
   sim_tick end = g->kernel.now + 2500;
   while (g->kernel.now < end) {
      sim_box_wake(g->kernel.boxes[0], g->kernel.now + 1);
      bool stop = false;
      assert_true(sim_kernel_run(&g->kernel, &stop));
      if (g->kernel.now < end)
         g->kernel.now++;
   }
   assert_int_equal(stat(dac, "Refreshes"), 2);
   assert_int_equal(b.memory.count, 2 * SWAP_BLOCKS);
   bench_destroy(g);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(results_are_the_emulators),
       cmocka_unit_test(timing_of_hits),
       cmocka_unit_test(anisotropic_samples_take_a_cycle_each),
       cmocka_unit_test(invalidation_forgets),
       cmocka_unit_test(block_states_are_read),
       cmocka_unit_test(least_recently_used_goes),
       cmocka_unit_test(blitter_is_the_emulator),
       cmocka_unit_test(dac_reads_the_surface_once),
       cmocka_unit_test(dac_reads_block_states),
       cmocka_unit_test(dac_refreshes_in_the_background),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
