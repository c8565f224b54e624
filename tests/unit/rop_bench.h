/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A bench for the boxes of the fragment end: one mock that sends a list of objects in order and
 * logs what it receives, and a memory that answers late. For tests only. */
#ifndef ROP_BENCH_H
#define ROP_BENCH_H

#include <string.h>
#include "box_bench.h"
#include "box/rop/rop_cache.h"
#include "emul/format/emul_format.h"

#define WIDTH 64
#define HEIGHT 64
#define ZS 0x10000
#define COLOR0 0x40000
#define COLOR1 0x80000
#define MAX_LOG 20000

static uint32_t seed;

static inline uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 8;
}

/* --- The bench: what one mock sends, in order, and what it received --- */

struct item {
   struct sim_signal *signal;
   sim_tick earliest;
   bool wait_answers; /* only after every command before was answered and every draw is done */
   bool opens;        /* has an answer */
   union {
      struct msg_quad quad;
      struct msg_tile tile;
      struct msg_rop rop;
      struct msg_hz hz;
   } m;
};

struct log {
   struct sim_signal *signal;
   sim_tick tick;
   struct msg_quad quad;
   struct msg_hz hz;
   struct msg_done done;
};

struct bench {
   struct sim_gpu *gpu;
   struct sim_box *driver, *memory_box, *box;
   struct bench_memory memory;
   struct item *items;
   unsigned num_items, next, open;
   struct sim_signal *out[8];
   unsigned num_out;
   struct log *log;
   unsigned num_log, sink_period; /* takes from out every sink_period cycles */
   struct sim_draw draw[4];
   bool started, ends_answer; /* an end that arrives at the driver closes what its item opened */
};

static inline sim_tick
driver_work(struct mock *mock, sim_tick now)
{
   struct bench *b = mock->user;
   bool waiting = false;
   for (unsigned i = 0; i < b->num_out; i++) {
      struct sim_signal *s = b->out[i];
      const void *o;
      while ((o = sim_peek(s, now)) && !(waiting = b->sink_period > 1 && now % b->sink_period)) {
         struct log *l = &b->log[b->num_log++];
         assert_true(b->num_log < MAX_LOG);
         *l = (struct log){.signal = s, .tick = now};
         if (s == b->gpu->net.zst_hz) {
            l->hz = *(const struct msg_hz *)o;
         } else if (s->payload == sizeof(struct msg_quad)) {
            l->quad = *(const struct msg_quad *)o;
            b->open -= l->quad.end && b->ends_answer;
         } else {
            l->done = *(const struct msg_done *)o;
            b->open--;
         }
         sim_pop(s, now);
      }
   }
   while (b->next < b->num_items) {
      struct item *it = &b->items[b->next];
      if (it->earliest > now)
         return it->earliest;
      if ((it->wait_answers && b->open) || !sim_can_send(it->signal, now))
         break;
      sim_send_bytes(it->signal, now, &it->m, it->signal->payload);
      b->open += it->opens;
      b->next++;
   }
   return waiting || b->next < b->num_items ? now + 1 : SIM_NEVER;
}

/* Samples of all draws that passed. */
static inline uint64_t
bench_samples(const struct bench *b)
{
   uint64_t samples = 0;
   for (unsigned i = 0; i < sizeof(b->draw) / sizeof(b->draw[0]); i++)
      samples += b->draw[i].samples[0];
   return samples;
}

/* A memory that answers 10 to 10 + spread cycles later, one request per cycle, and keeps the order
 * within a 256-byte block. */
static inline sim_tick
memory_work(struct mock *mock, sim_tick now)
{
   struct bench_memory *m = mock->user;
   uint8_t *memory = mock->box.gpu->device->memory;
   const struct msg_mem_request *r;
   while (m->requests && (r = sim_peek(m->requests, now)) && m->num < 256) {
      assert_int_equal(r->address / 256, (r->address + r->size - 1) / 256);
      assert_true(r->size && (uint64_t)r->address + r->size <= mock->box.gpu->device->memory_size);
      m->due[m->num] = now + 10 + (m->spread ? bench_hash(m->count) % m->spread : 0);
      for (unsigned i = 0; i < m->num; i++) {
         if (m->pending[i].address / 256 == r->address / 256 && m->due[i] >= m->due[m->num])
            m->due[m->num] = m->due[i] + 1;
      }
      m->pending[m->num++] = *r;
      m->count++;
      sim_pop(m->requests, now);
   }
   if (m->num == 0)
      return SIM_NEVER;
   unsigned first = 0;
   for (unsigned i = 1; i < m->num; i++)
      first = m->due[i] < m->due[first] ? i : first;
   if (m->due[first] > now || !sim_can_send(m->responses, now))
      return now + 1;
   struct msg_mem_request q = m->pending[first];
   if (q.write)
      memcpy(memory + q.address, q.data, q.size);
   else
      memcpy(q.data, memory + q.address, q.size);
   sim_send(m->responses, now,
            &(struct msg_mem_response){
                .data = q.data, .cookie = q.cookie, .address = q.address, .write = q.write});
   m->pending[first] = m->pending[--m->num];
   m->due[first] = m->due[m->num];
   return now + 1;
}

static inline void
bench_open(struct bench *b, uint32_t order)
{
   memset(b, 0, sizeof(*b));
   b->gpu = bench_create(order);
   b->gpu->device->memory_size = 1 << 20;
   b->gpu->config.gpu.num_rops = 1;
   b->items = calloc(MAX_LOG, sizeof(*b->items));
   b->log = calloc(MAX_LOG, sizeof(*b->log));
   b->driver = bench_mock(b->gpu, driver_work, b);
   b->memory_box = bench_mock(b->gpu, memory_work, &b->memory);
   b->memory.spread = 60;
   for (unsigned i = 0; i < b->gpu->device->memory_size; i++)
      b->gpu->device->memory[i] = (uint8_t)bench_hash(i / 64);
   for (unsigned i = 0; i < 4; i++) {
      b->draw[i].work_id = (uint8_t)(i + 1);
      b->draw[i].counters = bench_counters;
      b->draw[i].number = i;
   }
}

static inline void
bench_close(struct bench *b)
{
   assert_int_equal(b->gpu->quads.in_use, 0);
   assert_int_equal(b->gpu->prims.in_use, 0);
   free(b->items);
   free(b->log);
   bench_destroy(b->gpu);
}

static inline void
bench_run(struct bench *b)
{
   if (!b->started)
      sim_kernel_start(&b->gpu->kernel);
   b->started = true;
   bench_run_boxes(b->gpu, NULL);
   assert_int_equal(b->next, b->num_items);
   assert_int_equal(b->open, 0);
}

static inline struct item *
push(struct bench *b, struct sim_signal *s)
{
   assert_true(b->num_items < MAX_LOG);
   struct item *it = &b->items[b->num_items++];
   it->signal = s;
   return it;
}

static inline void
bind(struct sim_draw *d, unsigned samples, enum attila_format zs, enum attila_format color)
{
   struct emul_draw_state *s = &d->state;
   s->samples = samples;
   s->regs.fb_width = WIDTH;
   s->regs.fb_height = HEIGHT;
   s->regs.fb_samples = samples;
   s->regs.sample_mask = 0xff;
   if (zs) {
      s->regs.zs_address = ZS;
      s->regs.zs_format = zs;
      s->regs.zs_pitch_tiles = WIDTH / 8;
      s->zs_format = &attila_formats[zs];
      s->zs_bound = true;
   }
   if (color) {
      s->regs.color[0].address = COLOR0;
      s->regs.color[0].format = color;
      s->regs.color[0].pitch_tiles = WIDTH / 8;
      s->regs.color[0].write_mask = 15;
      s->color_format[0] = &attila_formats[color];
      s->color_mask = 1;
   }
}

static inline struct sim_quad *
new_quad(struct bench *b, struct sim_draw *d, int32_t x, int32_t y)
{
   struct sim_quad *q = sim_quad_alloc(b->gpu, ATTILA_MAX_VARYINGS);
   memset(q, 0, sizeof(*q));
   q->draw = d;
   q->x = x;
   q->y = y;
   q->work_id = d->work_id;
   q->hz_epoch = (uint32_t)d->hz_epoch;
   q->mask = 15;
   return q;
}

static inline struct sim_quad *
push_quad(struct bench *b, struct sim_signal *s, struct sim_draw *d, int32_t x, int32_t y, float z)
{
   struct sim_quad *q = new_quad(b, d, x, y);
   for (unsigned i = 0; i < 32; i++)
      q->z[i / 4][i % 4] = z;
   push(b, s)->m.quad = (struct msg_quad){.draw = d, .quad = q, .work_id = d->work_id};
   return q;
}

static inline void
push_end(struct bench *b, struct sim_signal *s, struct sim_draw *d)
{
   push(b, s)->m.quad = (struct msg_quad){.draw = d, .work_id = d->work_id, .end = true};
}

static inline struct item *
push_command(struct bench *b, struct sim_signal *s, enum rop_op op, const struct attila_regs *regs)
{
   struct item *it = push(b, s);
   it->m.rop = (struct msg_rop){
       .op = op, .regs = regs, .buffers = 255, .planes = 3, .depth = 1.0f, .end = UINT64_MAX};
   it->wait_answers = it->opens = true;
   return it;
}

static inline void
free_logged(struct bench *b)
{
   for (unsigned i = 0; i < b->num_log; i++) {
      if (b->log[i].quad.quad)
         sim_quad_free(b->gpu, b->log[i].quad.quad);
   }
}

static inline void
less(struct sim_draw *d)
{
   d->state.z_test = d->state.z_write = true;
   d->state.regs.z_func = ATTILA_FUNC_LESS;
}

#endif
