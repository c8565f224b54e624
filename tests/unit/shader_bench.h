/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragment FIFO, Shader Fetch and Decode/Execute of two shaders between mock neighbours, for tests
 * of them. The neighbours check that results are the emulator's and fragments leave in order. */
#ifndef SHADER_BENCH_H
#define SHADER_BENCH_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "box/shader/shf_issue.h"
#include "box/sim_gpu.h"

extern const struct sim_box_class ffu_class, shf_class, shdx_class;

#define ROPS 2
#define QUADS 300 /* per ROP and draw */
#define DRAWS 2
#define VERTICES 200

/* What the neighbours do. */
struct scene {
   bool slow_sink; /* ROPs and commit take something only now and then */
   unsigned gap;   /* the producers pause often: 0 never */
   unsigned tex_latency;
   unsigned tex_cycles; /* from one answer of the texture unit to the next */
   uint32_t seed;
   unsigned quads, vertices; /* sent per ROP and draw, and per draw */
   bool wake_all;            /* clocks every box every tick */
};

static struct scene scene;
static struct sim_gpu *gpu;
static struct sim_config config; /* of the next machine */
static struct sim_draw draws[DRAWS];
static uint64_t counters[ATTILA_NUM_COUNTERS];
static float consts[ATTILA_MAX_CONSTS][4];
static unsigned sent_quads[ROPS], sent_vertices, got_vertices, got_ends, wrong_order;
static int last_number[ROPS];
static unsigned got_quads;
static sim_tick finished, first_arrival;
static struct msg_tex waiting[2][256];
static sim_tick waiting_until[2][256], texture_free[2];
static unsigned waiting_head[2], waiting_tail[2];

static uint32_t
hash(uint32_t a, uint32_t b)
{
   uint32_t x = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ scene.seed;
   x ^= x >> 15;
   x *= 0x2c1b3c6du;
   return x ^ x >> 13;
}

static float
input_value(unsigned item, unsigned c)
{
   return (float)(hash(item, c) % 2000) / 100.0f - 8.0f;
}

static struct sim_quad *
make_quad(unsigned rop, unsigned n)
{
   struct sim_quad *q = sim_quad_alloc(gpu, ATTILA_MAX_VARYINGS);
   unsigned d = n / scene.quads;
   memset(q, 0, sizeof(*q));
   q->draw = &draws[d];
   q->work_id = draws[d].work_id;
   q->x = (int32_t)n;
   q->rop = (uint8_t)rop;
   q->mask = 1 + hash(n, 77) % 15;
   for (unsigned c = 0; c < 4; c++) {
      for (unsigned p = 0; p < 4; p++)
         q->in[0][c][p] = input_value(4 * n + p + 100000 * rop, c);
   }
   return q;
}

static bool
pause_now(sim_tick now, unsigned salt)
{
   return scene.gap && hash((uint32_t)now, salt) % scene.gap != 0;
}

static sim_tick
producer_clock(struct sim_box *b, sim_tick now)
{
   for (unsigned r = 0; r < ROPS; r++) {
      struct sim_signal *out = &gpu->net.interp_ffu[r];
      unsigned total = DRAWS * (scene.quads + 1);
      while (sent_quads[r] < total && sim_can_send(out, now) && !pause_now(now, r)) {
         unsigned d = sent_quads[r] / (scene.quads + 1), n = sent_quads[r] % (scene.quads + 1);
         struct msg_quad m = {
             .draw = &draws[d], .work_id = draws[d].work_id, .end = n == scene.quads};
         if (!m.end)
            m.quad = make_quad(r, d * scene.quads + n);
         sim_send(out, now, &m);
         sent_quads[r]++;
      }
   }
   struct sim_signal *out = &gpu->net.sl_ffu[0];
   while (scene.vertices && sent_vertices < DRAWS * (scene.vertices + 1) &&
          sim_can_send(out, now) && !pause_now(now, 9)) {
      unsigned d = sent_vertices / (scene.vertices + 1), n = sent_vertices % (scene.vertices + 1);
      struct msg_vertex m = {
          .draw = &draws[d], .work_id = draws[d].work_id, .end = n == scene.vertices};
      if (!m.end) {
         m.vertex = sim_pool_alloc(&gpu->vertices);
         memset(m.vertex, 0xff, sizeof(*m.vertex));
         m.vertex->draw = &draws[d];
         m.vertex->refs = 1;
         m.vertex->entry = n;
         for (unsigned c = 0; c < 4; c++)
            m.vertex->in[0][c] = input_value(n, c);
      }
      sim_send(out, now, &m);
      sent_vertices++;
   }
   return now + b->period;
}

static void
texture(const float coord[3], float result[4])
{
   result[0] = coord[0] * 0.5f;
   result[1] = coord[1] + 1.0f;
   result[2] = coord[0] * coord[1];
   result[3] = 1.0f;
}

/* Draw 0: no test after the shader. Draw 1: kills below 0, late test, writes depth. Both fetch a
 * texture, once directly before END. */
static const char *const fs_text[DRAWS] = {
    ".fragment\nMUL r0, i0, c1\nTEX r1, r0, t0, 2D\nMAD r2, r1, i0, r0\nRCP r3.x, r2.x\nMUL o0, "
    "r2, r3.x\nEND\n",
    ".fragment\nKIL i0.x\nDP3 r0, i0, i0\nRSQ r0.w, r0.x\nIF i0.y\nMUL r1, i0, r0.w\nELSE\nMOV r1, "
    "c0\nENDIF\nMOV o8.x, i0.z\nTEX o0, r1, t0, 2D\nEND\n",
};
static const char *const vs_text =
    ".vertex\nDP4 o0.x, i0, c0\nDP4 o0.y, i0, c1\nMOV o0.zw, i0\nMUL o1, i0, i0\nEND\n";

static void
check_quad(const struct sim_quad *q, unsigned r)
{
   unsigned d = q->draw == &draws[1];
   struct sim_quad *input = make_quad(r, (unsigned)q->x);
   uint32_t mask = input->mask;
   for (unsigned p = 0; p < 4; p++) {
      float in[4], result[4], out[4];
      for (unsigned c = 0; c < 4; c++)
         in[c] = input->in[0][c][p];
      if (d == 0) {
         float r0[3] = {in[0] * consts[1][0], in[1] * consts[1][1], in[2] * consts[1][2]};
         texture(r0, result);
         for (unsigned c = 0; c < 4; c++)
            out[c] = result[c] * in[c] + in[c] * consts[1][c];
         float rcp = 1.0f / out[0];
         for (unsigned c = 0; c < 4; c++)
            out[c] *= rcp;
      } else {
         float w = 1.0f / sqrtf((in[0] * in[0] + in[1] * in[1]) + in[2] * in[2]);
         float r1[3] = {in[0] * w, in[1] * w, in[2] * w};
         texture(in[1] != 0 ? r1 : consts[0], out);
         if (in[0] < 0)
            mask &= ~(1u << p);
      }
      if (!(q->mask >> p & 1))
         continue;
      for (unsigned c = 0; c < 4; c++) {
         if (memcmp(&out[c], &q->out[0][c][p], 4) && !isnan(out[c]))
            fail_msg("ROP %u quad %d pixel %u component %u: %a, not %a", r, q->x, p, c,
                     q->out[0][c][p], out[c]);
      }
      if (d == 1)
         assert_true(q->out[ATTILA_FS_OUTPUT_DEPTH][0][p] == in[2]);
   }
   assert_int_equal(q->mask, mask);
   sim_quad_recycle(gpu, input);
}

static void
take_rop(struct sim_signal *in, unsigned r, unsigned d, sim_tick now)
{
   struct msg_quad *m;
   while ((m = sim_peek(in, now)) && !(scene.slow_sink && hash((uint32_t)now, 50 + r) % 7)) {
      assert_ptr_equal(m->draw, &draws[d]);
      finished = now;
      if (!first_arrival)
         first_arrival = now;
      if (m->end) {
         got_ends++;
         wrong_order += last_number[r] >= (int)((d + 1) * scene.quads);
         last_number[r] = (int)((d + 1) * scene.quads) - 1;
      } else {
         wrong_order += m->quad->x <= last_number[r];
         last_number[r] = m->quad->x;
         assert_true(m->quad->mask != 0);
         check_quad(m->quad, r);
         sim_quad_free(gpu, m->quad);
         got_quads++;
      }
      sim_pop(in, now);
   }
}

static sim_tick
consumer_clock(struct sim_box *b, sim_tick now)
{
   struct msg_vertex *m;
   for (unsigned r = 0; r < ROPS; r++) {
      take_rop(&gpu->net.ffu_cw[r], r, 0, now);
      take_rop(&gpu->net.ffu_zst[r], r, 1, now);
   }
   while ((m = sim_peek(&gpu->net.ffu_stc[0], now)) &&
          !(scene.slow_sink && hash((uint32_t)now, 60) % 5)) {
      float in[4];
      for (unsigned c = 0; c < 4; c++)
         in[c] = input_value(m->vertex->entry, c);
      const float(*o)[4] = (const float(*)[4])m->vertex->data.out;
      for (unsigned c = 0; c < 2; c++)
         assert_true(o[0][c] ==
                     ((in[0] * consts[c][0] + in[1] * consts[c][1]) + in[2] * consts[c][2]) +
                         in[3] * consts[c][3]);
      assert_true(o[0][2] == in[2] && o[0][3] == in[3] && o[1][1] == in[1] * in[1]);
      for (unsigned c = 0; c < 4; c++)
         assert_true(o[2][c] == 0.0f); /* not written by the program, but an output of the draw */
      sim_vertex_unref(gpu, m->vertex);
      got_vertices++;
      finished = now;
      sim_pop(&gpu->net.ffu_stc[0], now);
   }
   return now + b->period;
}

static sim_tick
texture_clock(struct sim_box *b, sim_tick now)
{
   unsigned s = b->instance;
   struct msg_tex *m;
   while (waiting_tail[s] - waiting_head[s] < 256 && (m = sim_peek(&gpu->net.shdx_tu[s], now))) {
      waiting[s][waiting_tail[s] % 256] = *m;
      sim_tick begin = now > texture_free[s] ? now : texture_free[s];
      texture_free[s] = begin + scene.tex_cycles;
      waiting_until[s][waiting_tail[s]++ % 256] = begin + scene.tex_latency;
      sim_pop(&gpu->net.shdx_tu[s], now);
   }
   if (waiting_head[s] != waiting_tail[s] && waiting_until[s][waiting_head[s] % 256] <= now &&
       sim_can_send(&gpu->net.tu_shf[s], now)) {
      struct msg_tex t = waiting[s][waiting_head[s]++ % 256];
      struct emul_vec4 texel;
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         float coord[3], result[4];
         for (unsigned c = 0; c < 3; c++)
            coord[c] = t.thread->emul.tex.coord[c][l];
         texture(coord, result);
         for (unsigned c = 0; c < 4; c++)
            texel.c[c][l] = result[c];
      }
      emul_thread_result(&t.thread->emul, &texel);
      sim_send(&gpu->net.tu_shf[s], now, &t);
   }
   return now + b->period;
}

static sim_tick
waker_clock(struct sim_box *b, sim_tick now)
{
   for (unsigned i = 0; i < b->kernel->num_boxes; i++)
      sim_box_wake(b->kernel->boxes[i], now + 1);
   return now + 1;
}

#define MOCK(mock)                                    \
   static const struct sim_box_class mock##_class = { \
       .name = #mock, .unit = #mock "#", .size = sizeof(struct sim_box), .clock = mock##_clock}
MOCK(producer);
MOCK(consumer);
MOCK(texture);
MOCK(waker);

static const struct emul_program *
assemble(const char *text)
{
   struct attila_isa_program p;
   char error[128];
   if (!attila_isa_assemble(text, &p, error, sizeof(error)))
      fail_msg("%s", error);
   const struct emul_program *program = emul_program_create(&p);
   attila_isa_free(&p);
   return program;
}

static void
connect(struct sim_signal *s, struct sim_box *from, struct sim_box *to, uint32_t payload,
        uint32_t bandwidth, uint32_t latency, uint32_t capacity)
{
   sim_signal_init(s, "test", from, to, payload, bandwidth, latency, capacity);
}

static void
make_draws(const char *const fs[DRAWS])
{
   for (unsigned i = 0; i < ATTILA_MAX_CONSTS * 4; i++)
      consts[i / 4][i % 4] = (float)(i % 13) - 5.5f;
   memset(draws, 0, sizeof(draws));
   for (unsigned d = 0; d < DRAWS; d++) {
      struct emul_draw_state *state = &draws[d].state;
      draws[d].work_id = (uint8_t)(d + 1);
      draws[d].number = d;
      draws[d].counters = counters;
      state->consts[0] = state->consts[1] = consts;
      state->fs = assemble(fs[d]);
      state->vs = assemble(vs_text);
      state->late_zs = d == 1;
      state->color_mask = state->color_outputs = 1;
      state->samples = 1;
      state->num_vs_outputs = 3;
   }
}

/* A window for both shaders is both of shf. */
static struct sim_box *ffu, *shf[2], *shdx[2];

/* order_seed: clocking order. */
static void
build(const char *const fs[DRAWS], uint32_t order_seed)
{
   static struct sim_gpu storage;
   static struct sim_device device;
   memset(&storage, 0, sizeof(storage));
   memset(counters, 0, sizeof(counters));
   gpu = &storage;
   gpu->device = &device;
   gpu->config = config;
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, 600, 600, 600, order_seed);
   sim_objects_init(gpu);
   make_draws(fs);
   const struct sim_config *c = &gpu->config;
   struct sim_netlist *n = &gpu->net;
   struct sim_box *producer = sim_box_create(&gpu->kernel, gpu, &producer_class, -1),
                  *consumer = sim_box_create(&gpu->kernel, gpu, &consumer_class, -1);
   ffu = sim_box_create(&gpu->kernel, gpu, &ffu_class, -1);
   if (scene.wake_all)
      sim_box_create(&gpu->kernel, gpu, &waker_class, -1);
   connect(&n->sl_ffu[0], producer, ffu, sizeof(struct msg_vertex), 1, 1,
           c->rast.vertex_input_queue);
   connect(&n->ffu_stc[0], ffu, consumer, sizeof(struct msg_vertex), 16, 1,
           c->rast.shaded_vertex_queue);
   for (unsigned r = 0; r < ROPS; r++) {
      connect(&n->interp_ffu[r], producer, ffu, sizeof(struct msg_quad), 2, 2,
              c->rast.shader_input_queue);
      connect(&n->ffu_zst[r], ffu, consumer, sizeof(struct msg_quad), 4, 1, c->zst.input_queue);
      connect(&n->ffu_cw[r], ffu, consumer, sizeof(struct msg_quad), 4, 1, c->cw.input_queue);
   }
   for (int s = 0; s < 2; s++) {
      struct sim_box *tu = sim_box_create(&gpu->kernel, gpu, &texture_class, s);
      const unsigned shaders = SHADERS_OF_WINDOW(c);
      if (s && shaders > 1) {
         shf[s] = shf[0];
      } else {
         shf[s] = sim_box_create(&gpu->kernel, gpu, &shf_class, s);
         connect(&n->ffu_shf[s], ffu, shf[s], sizeof(struct msg_group), shaders, 1, 4 * shaders);
         connect(&n->shf_ffu[s], shf[s], ffu, sizeof(struct msg_group), shaders,
                 sim_shader_output_latency(c), shaders * (4 + sim_shader_output_latency(c)));
      }
      shdx[s] = sim_box_create(&gpu->kernel, gpu, &shdx_class, s);
      connect(&n->shf_shdx[s], shf[s], shdx[s], sizeof(struct msg_issue), 16, 1, 32);
      connect(&n->shdx_shf[s], shdx[s], shf[s], sizeof(struct msg_issue), 16, 1, 32);
      connect(&n->shdx_tu[s], shdx[s], tu, sizeof(struct msg_tex), sim_shader_parts(c), 1,
              c->shader.tex_queue);
      connect(&n->tu_shf[s], tu, shf[s], sizeof(struct msg_tex), 1, 1, 64);
   }
   memset(sent_quads, 0, sizeof(sent_quads));
   memset(last_number, 0xff, sizeof(last_number));
   memset(waiting_head, 0, sizeof(waiting_head));
   memset(waiting_tail, 0, sizeof(waiting_tail));
   memset(texture_free, 0, sizeof(texture_free));
   sent_vertices = got_vertices = got_quads = got_ends = wrong_order = 0;
   finished = first_arrival = 0;
   sim_kernel_start(&gpu->kernel);
}

static void
destroy(void)
{
   sim_kernel_fini(&gpu->kernel);
   for (unsigned d = 0; d < DRAWS; d++) {
      emul_program_destroy((struct emul_program *)draws[d].state.fs);
      emul_program_destroy((struct emul_program *)draws[d].state.vs);
   }
}

static __attribute__((unused)) uint64_t
stat_of(const struct sim_box *b, const char *name)
{
   uint64_t sum = 0;
   for (unsigned i = 0; i < b->cls->num_stats; i++) {
      for (unsigned work_id = 0;
           work_id < SIM_DEFAULT_WORK_IDS && !strcmp(b->cls->stats[i].name, name); work_id++)
         sum += sim_stat(b, work_id)[i];
   }
   return sum;
}

static unsigned
lanes_of(int shader)
{
   struct sim_shader_machine m;
   shf_machine(&m, &config, (unsigned)shader);
   return m.lanes;
}

static void
default_config(void)
{
   struct sim_config *c = &config;
   sim_config_defaults(c);
   c->gpu.num_shaders = 2;
   c->gpu.num_rops = ROPS;
   c->gpu.unified = true;
   c->rast.shader_input_queue = 64;
   c->rast.vertex_input_queue = 32;
   c->rast.shaded_queue = 160;
   c->rast.shaded_vertex_queue = 64;
   c->zst.input_queue = c->cw.input_queue = 64;
   c->shader.vector = true;
   c->shader.vector_threads = 28;
   c->shader.vector_length = 16;
   c->shader.vector_resources = 112;
   c->shader.vector_width = 4;
   c->shader.inputs_cycle = c->shader.outputs_cycle = 4;
   c->shader.output_delay = c->shader.output_latency = 1;
   c->shader.tex_queue = 64;
   c->shader.tex_units = c->shader.tex_request_rate = 1;
   scene = (struct scene){.quads = QUADS, .vertices = VERTICES, .tex_latency = 20};
}

#endif
