/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Z and stencil test, colour write, Hierarchical Z and interpolator, each alone between mock neighbours and a memory that answers late.
 * Contents are compared with the emulators applied directly to a copy of memory.
 */
#include <string.h>
#include "box_bench.h"
#include "box/rop_cache.h"
#include "emul/emul_format.h"

extern const struct sim_box_class zst_class, cw_class, hz_class, interp_class;

#define WIDTH  64
#define HEIGHT 48
#define ZS     0x10000
#define COLOR0 0x40000
#define COLOR1 0x80000
#define MAX_LOG 20000

static uint32_t seed;

static uint32_t
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

static sim_tick
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
         if (s->payload == sizeof(struct msg_quad)) {
            l->quad = *(const struct msg_quad *)o;
            b->open -= l->quad.end && b->ends_answer;
         } else if (s == b->gpu->net.zst_hz) {
            l->hz = *(const struct msg_hz *)o;
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
      sim_send(it->signal, now, &it->m);
      b->open += it->opens;
      b->next++;
   }
   return waiting || b->next < b->num_items ? now + 1 : SIM_NEVER;
}

/* A memory that answers 10 to 10 + spread cycles later, one request per cycle, and keeps the order within a 256-byte block. */
static sim_tick
memory_work(struct mock *mock, sim_tick now)
{
   struct bench_memory *m = mock->user;
   uint8_t *memory = mock->box.gpu->memory;
   const struct msg_mem_request *r;
   while (m->requests && (r = sim_peek(m->requests, now)) && m->num < 256) {
      assert_int_equal(r->address / 256, (r->address + r->size - 1) / 256);
      assert_true(r->size && (uint64_t)r->address + r->size <= mock->box.gpu->memory_size);
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
   sim_send(m->responses, now, &(struct msg_mem_response){.data = q.data, .cookie = q.cookie, .address = q.address, .write = q.write});
   m->pending[first] = m->pending[--m->num];
   m->due[first] = m->due[m->num];
   return now + 1;
}

static void
bench_open(struct bench *b, uint32_t order)
{
   memset(b, 0, sizeof(*b));
   b->gpu = bench_create(order);
   b->gpu->memory_size = 1 << 20;
   b->gpu->config.gpu.num_rops = 1;
   b->items = calloc(MAX_LOG, sizeof(*b->items));
   b->log = calloc(MAX_LOG, sizeof(*b->log));
   b->driver = bench_mock(b->gpu, driver_work, b);
   b->memory_box = bench_mock(b->gpu, memory_work, &b->memory);
   b->memory.spread = 60;
   for (unsigned i = 0; i < b->gpu->memory_size; i++)
      b->gpu->memory[i] = (uint8_t)bench_hash(i / 64);
   for (unsigned i = 0; i < 4; i++) {
      b->draw[i].slot = (uint8_t)(i + 1);
      b->draw[i].number = i;
   }
}

static void
bench_close(struct bench *b)
{
   assert_int_equal(b->gpu->quads.in_use, 0);
   assert_int_equal(b->gpu->prims.in_use, 0);
   free(b->items);
   free(b->log);
   bench_destroy(b->gpu);
}

static void
bench_run(struct bench *b)
{
   if (!b->started)
      sim_kernel_start(&b->gpu->kernel);
   b->started = true;
   if (!sim_kernel_run(&b->gpu->kernel, NULL))
      fail_msg("%s", b->gpu->kernel.error);
   assert_int_equal(b->next, b->num_items);
   assert_int_equal(b->open, 0);
}

static struct item *
push(struct bench *b, struct sim_signal *s)
{
   assert_true(b->num_items < MAX_LOG);
   struct item *it = &b->items[b->num_items++];
   it->signal = s;
   return it;
}

static void
bind(struct sim_draw *d, unsigned samples, enum attila_format zs, enum attila_format color)
{
   struct emul_draw_state *s = &d->state;
   s->samples = samples;
   s->regs.fb_width = WIDTH;
   s->regs.fb_height = HEIGHT;
   s->regs.fb_samples = samples;
   s->regs.sample_mask = ~0u;
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

static struct sim_quad *
new_quad(struct bench *b, struct sim_draw *d, int32_t x, int32_t y)
{
   struct sim_quad *q = sim_pool_alloc(&b->gpu->quads);
   memset(q, 0, sizeof(*q));
   q->draw = d;
   q->x = x;
   q->y = y;
   q->slot = d->slot;
   q->mask = 15;
   return q;
}

static struct sim_quad *
push_quad(struct bench *b, struct sim_signal *s, struct sim_draw *d, int32_t x, int32_t y, float z)
{
   struct sim_quad *q = new_quad(b, d, x, y);
   for (unsigned i = 0; i < 32; i++)
      q->z[i / 4][i % 4] = z;
   push(b, s)->m.quad = (struct msg_quad){.draw = d, .quad = q, .slot = d->slot};
   return q;
}

static void
push_end(struct bench *b, struct sim_signal *s, struct sim_draw *d)
{
   push(b, s)->m.quad = (struct msg_quad){.draw = d, .slot = d->slot, .end = true};
}

static struct item *
push_command(struct bench *b, struct sim_signal *s, enum rop_op op, const struct attila_regs *regs)
{
   struct item *it = push(b, s);
   it->m.rop = (struct msg_rop){.op = op, .regs = regs, .buffers = 255, .planes = 3, .depth = 1.0f};
   it->wait_answers = it->opens = true;
   return it;
}

static void
free_logged(struct bench *b)
{
   for (unsigned i = 0; i < b->num_log; i++) {
      if (b->log[i].signal->payload == sizeof(struct msg_quad) && b->log[i].quad.quad)
         sim_quad_free(b->gpu, b->log[i].quad.quad);
   }
}

/* The statistic with this name, of all slots. */
static uint64_t
stat(const struct sim_box *box, const char *name)
{
   uint64_t sum = 0;
   for (unsigned i = 0; i < box->cls->num_stats; i++) {
      if (strcmp(box->cls->stats[i].name, name))
         continue;
      for (unsigned s = 0; s < SIM_SLOTS; s++)
         sum += *(const uint64_t *)((const uint8_t *)box + box->cls->stats_offset + s * box->cls->stats_size + i * 8);
      return sum;
   }
   fail_msg("no statistic %s", name);
   return 0;
}

/* --- Z and stencil test --- */

static void
zst_bench(struct bench *b, uint32_t order, uint32_t ways, uint32_t sets)
{
   bench_open(b, order);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.zst.cache_ways = ways;
   gpu->config.zst.cache_sets = sets;
   b->box = sim_box_create(gpu, &zst_class, 0);
   BENCH_SIGNAL(gpu, hz_zst, b->driver, b->box, msg_quad, 16, 1, 64);
   BENCH_SIGNAL(gpu, ffu_zst, b->driver, b->box, msg_quad, 4, 1, 64);
   BENCH_SIGNAL(gpu, cp_zst, b->driver, b->box, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(gpu, zst_interp, b->box, b->driver, msg_quad, 1, 2, 18);
   BENCH_SIGNAL(gpu, zst_cw, b->box, b->driver, msg_quad, 1, 2, 64);
   BENCH_SIGNAL(gpu, zst_cp, b->box, b->driver, msg_done, 1, 1, 2);
   BENCH_SIGNAL(gpu, zst_hz, b->box, b->driver, msg_hz, 1, 4, 16);
   BENCH_SIGNAL(gpu, zst_mc, b->box, b->memory_box, msg_mem_request, 1, 1, 16);
   BENCH_SIGNAL(gpu, mc_zst, b->memory_box, b->box, msg_mem_response, 1, 1, 64);
   b->memory.requests = gpu->net.zst_mc;
   b->memory.responses = gpu->net.mc_zst;
   b->out[0] = gpu->net.zst_interp;
   b->out[1] = gpu->net.zst_cw;
   b->out[2] = gpu->net.zst_cp;
   b->out[3] = gpu->net.zst_hz;
   b->num_out = 4;
}

static void
less(struct sim_draw *d)
{
   d->state.z_test = d->state.z_write = true;
   d->state.regs.z_func = ATTILA_FUNC_LESS;
}

static void
test_zst_latency(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 4, 16);
   b.memory.spread = 0;
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   memset(b.gpu->memory + ZS, 0xff, WIDTH * HEIGHT * 4);
   push_quad(&b, b.gpu->net.hz_zst, d, 0, 0, 0.5f);
   push_quad(&b, b.gpu->net.hz_zst, d, 2, 0, 0.5f);
   b.items[1].earliest = 200;
   push_quad(&b, b.gpu->net.hz_zst, d, 4, 0, 0.5f);
   push_end(&b, b.gpu->net.hz_zst, d);
   bench_run(&b);
   assert_int_equal(b.num_log, 4);
   /* Hit: arrives at 201 and gets its line, is tested at 202, is seen at 204; one quad per cycle. */
   assert_int_equal(b.log[1].tick, 204);
   assert_int_equal(b.log[2].tick, 205);
   assert_int_equal(b.log[3].tick, 206);
   assert_true(b.log[3].quad.end);
   /* Miss: at 1 sent, 2 reserved and requested, 3 at memory, 13 answered, 14 back and tested, 16 seen. */
   assert_int_equal(b.log[0].tick, 16);
   assert_int_equal(stat(b.box, "ReadTransactions"), 1);
   assert_int_equal(stat(b.box, "ReadBytes"), 256);
   assert_int_equal(stat(b.box, "PassedFragments"), 12);
   free_logged(&b);
   bench_close(&b);
}

static void
test_zst_fast_clear(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 4, 16);
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   struct item *it = push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
   it->m.rop.depth = 0.75f;
   it->m.rop.stencil = 0x42;
   push_quad(&b, b.gpu->net.hz_zst, d, 16, 8, 0.5f);
   b.items[1].wait_answers = true;
   push_quad(&b, b.gpu->net.hz_zst, d, 24, 8, 0.8f);
   push_end(&b, b.gpu->net.hz_zst, d);
   bench_run(&b);
   /* 48 blocks at 1024 per cycle; then neither a read nor a write. The second quad fails and is freed. */
   assert_true(b.log[0].tick <= 8);
   assert_int_equal(b.memory.count, 0);
   assert_int_equal(b.num_log, 3);
   assert_int_equal(stat(b.box, "CulledQuads"), 1);
   assert_int_equal(stat(b.box, "FailedFragments"), 4);
   push_command(&b, b.gpu->net.cp_zst, ROP_FLUSH, &d->state.regs);
   sim_box_wake(b.driver, b.gpu->kernel.now + 1);
   bench_run(&b);
   assert_int_equal(b.memory.count, 48);
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++) {
         uint32_t v, z = x / 2 == 8 && y / 2 == 4 ? 0x7fffff : (uint32_t)(0.75f * 16777215.0f);
         memcpy(&v, b.gpu->memory + ZS + attila_element_offset(WIDTH / 8, 1, 4, x, y, 0), 4);
         assert_int_equal(v, 0x42000000 | z);
      }
   }
   free_logged(&b);
   bench_close(&b);
}

/* Stencil alone is cleared at once while every block is still clear, but not when a line in the cache has other depths. */
static void
test_zst_partial_clear(void **unused)
{
   (void)unused;
   for (unsigned drawn = 0; drawn < 2; drawn++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
      if (drawn) {
         push_quad(&b, b.gpu->net.hz_zst, d, 0, 0, 0.5f);
         b.items[1].wait_answers = true;
      }
      struct item *it = push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
      it->m.rop.planes = 2;
      it->m.rop.stencil = 0x77;
      it->earliest = 100;
      bench_run(&b);
      sim_tick end = b.log[b.num_log - 1].tick;
      assert_true(drawn ? end > 100 + 48 * 16 : end < 110);
      push_command(&b, b.gpu->net.cp_zst, ROP_FLUSH, NULL);
      sim_box_wake(b.driver, b.gpu->kernel.now + 1);
      bench_run(&b);
      for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
         uint32_t v;
         memcpy(&v, b.gpu->memory + ZS + 4 * i, 4);
         assert_int_equal(v, drawn && i < 4 ? 0x777fffff : 0x77ffffff);
      }
      free_logged(&b);
      bench_close(&b);
   }
}

struct zst_case {
   enum attila_format format;
   unsigned samples, ways, sets, order, sink_period;
   bool late, clear, stencil, partial;
   uint32_t states;
};

/* Random quads of several draws, commands in between; the same done to a copy of memory with the emulator. Returns the tick of the end. */
static sim_tick
run_zst(const struct zst_case *c, uint64_t *reads)
{
   struct bench b;
   zst_bench(&b, c->order, c->ways, c->sets);
   struct sim_gpu *gpu = b.gpu;
   const struct attila_format_desc *f = &attila_formats[c->format];
   uint32_t size = WIDTH * HEIGHT * f->bytes * c->samples;
   uint8_t *copy = malloc(size);
   unsigned passing = 0, expected[3000], logged = 0;
   seed = 99;
   gpu->config.zst.block_states = c->states;
   b.sink_period = c->sink_period;
   memcpy(copy, gpu->memory + ZS, size);
   for (unsigned n = 0; n < 4; n++) {
      struct sim_draw *d = &b.draw[n];
      bind(d, c->samples, c->format, 0);
      d->state.late_zs = c->late;
      less(d);
      d->state.regs.z_func = n == 2 ? ATTILA_FUNC_GREATER : ATTILA_FUNC_LEQUAL;
      d->state.stencil_test = c->stencil;
      d->state.regs.stencil[0] = (struct attila_stencil_regs){.enable = 1, .func = ATTILA_FUNC_ALWAYS, .fail = 1, .zfail = ATTILA_STENCIL_INVERT,
                                                              .zpass = ATTILA_STENCIL_INCR_WRAP, .value_mask = 255, .write_mask = 255};
      if ((c->clear && n % 2 == 0) || (c->partial && n)) {
         struct item *it = push_command(&b, gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
         it->m.rop.planes = c->partial && n ? 1 + n % 2 : 3;
         it->m.rop.stencil = n * 3;
         it->m.rop.depth = n == 3 ? 0.25f : 1.0f;
         for (uint32_t i = 0; i < size; i += f->bytes) {
            uint8_t v[8];
            emul_zs_clear_value(f, it->m.rop.planes, it->m.rop.depth, it->m.rop.stencil, copy + i, v);
            memcpy(copy + i, v, f->bytes);
         }
      }
      unsigned quads = n == 1 && c->clear ? 0 : 500;
      for (unsigned i = 0; i < quads; i++) {
         int32_t x = (int32_t)(rnd() % (WIDTH / 2)) * 2, y = (int32_t)(rnd() % (HEIGHT / 2)) * 2;
         /* A smooth surface with steps, so that blocks compress, some to a half. */
         float z = 0.2f + (float)(x + 2 * y) * 0.0005f + (rnd() % 3 == 0 ? 0.01f * (float)n : 0.0f);
         struct sim_quad *q = push_quad(&b, c->late ? gpu->net.ffu_zst : gpu->net.hz_zst, d, x, y, z);
         uint32_t mask = 0;
         b.items[b.num_items - 1].wait_answers = i == 0;
         q->mask = (c->samples == 8 ? ~0u : (1u << 4 * c->samples) - 1) & (rnd() | rnd() << 16 | 0x10);
         for (unsigned s = 0; s < c->samples; s++) {
            uint8_t *e = copy + emul_quad_offset(WIDTH / 8, c->samples, s, f->bytes, x, y);
            unsigned nibble = q->mask >> 4 * s & 15;
            mask |= nibble ? emul_zs_quad(&d->state, false, nibble, q->z[s], e) << 4 * s : 0;
         }
         q->slot = d->slot;
         if (mask)
            expected[passing++] = mask;
      }
      push_end(&b, c->late ? gpu->net.ffu_zst : gpu->net.hz_zst, d);
      b.items[b.num_items - 1].opens = b.ends_answer = true;
   }
   push_command(&b, gpu->net.cp_zst, ROP_FLUSH, NULL);
   bench_run(&b);
   sim_tick end = 0;
   if (b.gpu->memory) {
      for (unsigned i = 0; i < b.num_log; i++) {
         const struct log *l = &b.log[i];
         end = l->tick;
         if (l->signal->payload != sizeof(struct msg_quad))
            continue;
         assert_ptr_equal(l->signal, c->late ? gpu->net.zst_cw : gpu->net.zst_interp);
         if (!l->quad.quad)
            continue;
         assert_true(logged < passing);
         assert_int_equal(l->quad.quad->mask, expected[logged++]);
      }
   }
   assert_int_equal(logged, passing);
   /* The last flush wrote everything. */
   assert_memory_equal(gpu->memory + ZS, copy, size);
   if (reads)
      *reads = stat(b.box, "ReadBytes");
   free_logged(&b);
   free(copy);
   bench_close(&b);
   return end;
}

static void
test_zst_contents(void **unused)
{
   (void)unused;
   static const enum attila_format formats[] = {ATTILA_FORMAT_Z16_UNORM, ATTILA_FORMAT_Z24X8_UNORM, ATTILA_FORMAT_Z24S8,
                                                ATTILA_FORMAT_Z32_FLOAT, ATTILA_FORMAT_Z32_FLOAT_S8X24, ATTILA_FORMAT_S8};
   for (unsigned i = 0; i < 72; i++) {
      const struct zst_case c = {.format = formats[i % 6], .samples = i % 5 == 4 ? 4 : i % 11 == 10 ? 8 : 1, .ways = i % 2 ? 1 : 2, .sets = i % 3 ? 2 : 3,
                                 .order = i, .sink_period = i % 4 == 3 ? 7 : 1, .late = i / 6 % 2, .clear = i / 12 % 2, .stencil = i / 24 % 2,
                                 .partial = i / 36 % 2, .states = i % 7 == 6 ? 20 : 4096};
      run_zst(&c, NULL);
   }
}

/* The clocking order of boxes changes nothing; compression saves reads. */
static void
test_zst_order_and_compression(void **unused)
{
   (void)unused;
   struct zst_case c = {.format = ATTILA_FORMAT_Z24S8, .samples = 1, .ways = 2, .sets = 2, .sink_period = 3, .clear = true, .states = 4096};
   uint64_t reads, plain;
   sim_tick end = run_zst(&c, &reads);
   for (c.order = 1; c.order < 6; c.order++)
      assert_int_equal(run_zst(&c, NULL), end);
   c.states = 1;
   run_zst(&c, &plain);
   assert_true(reads < plain);
}

static void
test_zst_tells_hz(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 1, 1);
   struct sim_draw *d = &b.draw[0];
   d->hz_epoch = 17;
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
   for (int32_t y = 0; y < 8; y += 2) {
      for (int32_t x = 8; x < 16; x += 2)
         push_quad(&b, b.gpu->net.hz_zst, d, x, y, y ? 0.5f : 0.25f);
   }
   b.items[1].wait_answers = true;
   push_quad(&b, b.gpu->net.hz_zst, d, 40, 40, 0.5f);
   bench_run(&b);
   unsigned updates = 0;
   for (unsigned i = 0; i < b.num_log; i++) {
      if (b.log[i].signal != b.gpu->net.zst_hz)
         continue;
      updates++;
      assert_int_equal(b.log[i].hz.block, 1);
      assert_int_equal(b.log[i].hz.address, ZS);
      assert_int_equal(b.log[i].hz.epoch, 17);
      assert_true(b.log[i].hz.zmax >= 0.5f && b.log[i].hz.zmax < 0.500001f);
   }
   assert_int_equal(updates, 1);
   free_logged(&b);
   bench_close(&b);
}

/* --- Colour write --- */

static void
cw_bench(struct bench *b, uint32_t order, uint32_t ways, uint32_t sets)
{
   bench_open(b, order);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.cw.cache_ways = ways;
   gpu->config.cw.cache_sets = sets;
   b->box = sim_box_create(gpu, &cw_class, 0);
   BENCH_SIGNAL(gpu, ffu_cw, b->driver, b->box, msg_quad, 4, 1, 64);
   BENCH_SIGNAL(gpu, zst_cw, b->driver, b->box, msg_quad, 1, 2, 64);
   BENCH_SIGNAL(gpu, cp_cw, b->driver, b->box, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(gpu, cw_cp, b->box, b->driver, msg_done, 1, 1, 20);
   BENCH_SIGNAL(gpu, cw_mc, b->box, b->memory_box, msg_mem_request, 1, 1, 16);
   BENCH_SIGNAL(gpu, mc_cw, b->memory_box, b->box, msg_mem_response, 1, 1, 64);
   b->memory.requests = gpu->net.cw_mc;
   b->memory.responses = gpu->net.mc_cw;
   b->out[0] = gpu->net.cw_cp;
   b->num_out = 1;
}

struct cw_case {
   enum attila_format format[2];
   unsigned samples, order, ways, sets;
   bool clear, rebind;
};

static uint32_t
surface_bytes(enum attila_format f, unsigned samples)
{
   return WIDTH * HEIGHT * attila_formats[f].bytes * samples;
}

static sim_tick
run_cw(const struct cw_case *c)
{
   struct bench b;
   cw_bench(&b, c->order, c->ways, c->sets);
   struct sim_gpu *gpu = b.gpu;
   uint8_t *copy = malloc(gpu->memory_size);
   uint64_t passed = 0;
   seed = 5;
   memcpy(copy, gpu->memory, gpu->memory_size);
   for (unsigned n = 0; n < 4; n++) {
      struct sim_draw *d = &b.draw[n];
      /* Another shape of the same memory, without a flush by the command processor: the box must notice. */
      enum attila_format f0 = c->rebind && n == 2 ? ATTILA_FORMAT_R8G8_UNORM : c->format[0];
      bind(d, c->samples, 0, f0);
      struct emul_draw_state *s = &d->state;
      s->regs.count_samples = n != 1;
      s->regs.color[0].blend_enable = n % 2;
      s->regs.color[0].rgb_src = ATTILA_FACTOR_SRC_ALPHA;
      s->regs.color[0].rgb_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
      if (c->format[1]) {
         s->regs.color[1] = s->regs.color[0];
         s->regs.color[1].address = COLOR1;
         s->regs.color[1].format = c->format[1];
         s->color_format[1] = &attila_formats[c->format[1]];
         s->color_mask = 3;
         s->regs.fs_color0_to_all = n == 3;
      }
      if (c->clear && (n == 0 || n == 3)) {
         struct item *it = push_command(&b, gpu->net.cp_cw, ROP_CLEAR, &s->regs);
         const float color[4] = {0.25f, 0.5f, 0.75f * (float)n, 1.0f};
         memcpy(it->m.rop.color, color, sizeof(color));
         for (unsigned t = 0; t < 2; t++) {
            uint32_t bytes = attila_formats[s->regs.color[t].format].bytes;
            for (uint32_t i = 0; s->color_mask >> t & 1 && i < surface_bytes(s->regs.color[t].format, c->samples); i += bytes)
               emul_format_pack(s->regs.color[t].format, color, copy + s->regs.color[t].address + i);
         }
      }
      for (unsigned i = 0; i < 400; i++) {
         int32_t x = (int32_t)(rnd() % (WIDTH / 2)) * 2, y = (int32_t)(rnd() % (HEIGHT / 2)) * 2;
         struct sim_quad *q = push_quad(&b, n == 1 ? gpu->net.zst_cw : gpu->net.ffu_cw, d, x, y, 0.0f);
         b.items[b.num_items - 1].wait_answers = i == 0;
         q->mask = (c->samples == 8 ? ~0u : (1u << 4 * c->samples) - 1) & (rnd() | rnd() << 16);
         for (unsigned k = 0; k < 32; k++)
            q->out[k / 16][k / 4 % 4][k % 4] = (float)(rnd() % 9) / 8.0f;
         passed += n != 1 ? (unsigned)__builtin_popcount(q->mask) : 0;
         for (unsigned k = 0; k < 2 * c->samples; k++) {
            unsigned t = k / c->samples, sample = k % c->samples, bytes = attila_formats[s->regs.color[t].format].bytes;
            if (s->color_mask >> t & 1)
               emul_color_quad(s, t, q->mask >> 4 * sample & 15, (const float (*)[4])q->out[n == 3 ? 0 : t],
                               copy + s->regs.color[t].address + emul_quad_offset(WIDTH / 8, c->samples, sample, bytes, x, y));
         }
      }
      push_end(&b, n == 1 ? gpu->net.zst_cw : gpu->net.ffu_cw, d);
      b.items[b.num_items - 1].opens = true;
   }
   push_command(&b, gpu->net.cp_cw, ROP_FLUSH, NULL);
   bench_run(&b);
   assert_int_equal(gpu->counters[ATTILA_COUNTER_SAMPLES_PASSED], passed);
   assert_memory_equal(gpu->memory, copy, gpu->memory_size);
   sim_tick end = b.log[b.num_log - 1].tick;
   free(copy);
   bench_close(&b);
   return end;
}

static void
test_cw_contents(void **unused)
{
   (void)unused;
   static const enum attila_format formats[] = {ATTILA_FORMAT_B8G8R8A8_UNORM, ATTILA_FORMAT_R8_UNORM, ATTILA_FORMAT_B5G6R5_UNORM,
                                                ATTILA_FORMAT_R16G16B16A16_FLOAT, ATTILA_FORMAT_R32G32B32A32_FLOAT, ATTILA_FORMAT_R8G8B8A8_SRGB};
   for (unsigned i = 0; i < 36; i++) {
      const struct cw_case c = {.format = {formats[i % 6], i % 2 ? formats[(i / 6 + i) % 6] : 0}, .samples = i % 5 == 4 ? 4 : i % 7 == 6 ? 2 : 1, .order = i,
                                .ways = 1 + i % 2, .sets = 1 + i % 3, .clear = i / 6 % 2, .rebind = i / 12 % 2};
      run_cw(&c);
   }
}

static void
test_cw_order(void **unused)
{
   (void)unused;
   struct cw_case c = {.format = {ATTILA_FORMAT_B8G8R8A8_UNORM, ATTILA_FORMAT_R8_UNORM}, .samples = 4, .ways = 2, .sets = 2, .clear = true};
   sim_tick end = run_cw(&c);
   for (c.order = 1; c.order < 6; c.order++)
      assert_int_equal(run_cw(&c), end);
}

/* A draw's message comes after its last quad has left the blend unit, also without colour buffer. */
static void
test_cw_done(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   b.memory.spread = 0;
   bind(&b.draw[0], 1, 0, ATTILA_FORMAT_B8G8R8A8_UNORM);
   bind(&b.draw[1], 1, 0, 0);
   b.draw[1].state.regs.count_samples = 1;
   push_quad(&b, b.gpu->net.ffu_cw, &b.draw[0], 0, 0, 0.0f);
   push_end(&b, b.gpu->net.ffu_cw, &b.draw[0]);
   push_quad(&b, b.gpu->net.ffu_cw, &b.draw[1], 0, 0, 0.0f);
   push_end(&b, b.gpu->net.ffu_cw, &b.draw[1]);
   b.items[1].opens = b.items[3].opens = true;
   bench_run(&b);
   /* Written at 14 (as in test_zst_latency), end at 16, seen at 17; the next quad in the same cycle + 1, its end 2 later. */
   assert_int_equal(b.log[0].tick, 17);
   assert_ptr_equal(b.log[0].done.draw, &b.draw[0]);
   assert_int_equal(b.log[1].tick, 20);
   assert_ptr_equal(b.log[1].done.draw, &b.draw[1]);
   assert_int_equal(b.gpu->counters[ATTILA_COUNTER_SAMPLES_PASSED], 4);
   bench_close(&b);
}

/* --- Hierarchical Z --- */

static void
hz_bench(struct bench *b, unsigned rops, uint32_t order)
{
   bench_open(b, order);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.gpu.num_rops = rops;
   b->box = sim_box_create(gpu, &hz_class, -1);
   BENCH_SIGNAL(gpu, tt_hz, b->driver, b->box, msg_tile, 2, 1, 64);
   BENCH_SIGNAL(gpu, cp_hz, b->driver, b->box, msg_rop, 1, 1, 1);
   BENCH_SIGNAL(gpu, hz_cp, b->box, b->driver, msg_done, 1, 1, 1);
   b->out[b->num_out++] = gpu->net.hz_cp;
   for (unsigned r = 0; r < rops; r++) {
      sim_signal_init(&gpu->net.hz_zst[r], "hz_zst", b->box, b->driver, sizeof(struct msg_quad), 16, 1, 64);
      sim_signal_init(&gpu->net.hz_interp[r], "hz_interp", b->box, b->driver, sizeof(struct msg_quad), 16, 1, 64);
      sim_signal_init(&gpu->net.zst_hz[r], "zst_hz", b->driver, b->box, sizeof(struct msg_hz), 1, 4, 16);
      b->out[b->num_out++] = &gpu->net.hz_zst[r];
      b->out[b->num_out++] = &gpu->net.hz_interp[r];
   }
}

/* A tile at constant depth. */
static struct item *
push_tile(struct bench *b, struct sim_draw *d, int32_t x, int32_t y, float z, uint64_t coverage)
{
   struct sim_prim *p = sim_pool_alloc(&b->gpu->prims);
   memset(p, 0, sizeof(*p));
   p->refs = 1;
   p->draw = d;
   p->setup.state = &d->state;
   p->setup.z[0] = (double)z;
   p->setup.zmax = 1.0f;
   struct item *it = push(b, b->gpu->net.tt_hz);
   it->m.tile = (struct msg_tile){.draw = d, .prim = p, .x = x, .y = y, .coverage = coverage, .slot = d->slot};
   return it;
}

static void
push_tile_end(struct bench *b, struct sim_draw *d)
{
   push(b, b->gpu->net.tt_hz)->m.tile = (struct msg_tile){.draw = d, .slot = d->slot, .end = true};
}

static void
push_update(struct bench *b, uint32_t block, float z, uint32_t epoch, sim_tick at)
{
   struct item *it = push(b, b->gpu->net.zst_hz);
   it->m.hz = (struct msg_hz){.address = ZS, .block = block, .zmax = z, .epoch = epoch};
   it->earliest = at;
}

static unsigned
count_quads(const struct bench *b, const struct sim_draw *d)
{
   unsigned n = 0;
   for (unsigned i = 0; i < b->num_log; i++)
      n += b->log[i].quad.quad && b->log[i].quad.draw == d;
   return n;
}

static void
test_hz_quads(void **unused)
{
   (void)unused;
   struct bench b;
   hz_bench(&b, 2, 0);
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   uint64_t coverage = 1ull << attila_morton8(3, 6) | 1ull << attila_morton8(2, 7) | 3ull << attila_morton8(6, 0);
   push_tile(&b, d, 8, 16, 0.5f, coverage);
   push_tile(&b, d, 8, 24, 0.5f, ~0ull);
   push_tile_end(&b, d);
   bench_run(&b);
   unsigned quads = 0, ends[4] = {0};
   for (unsigned i = 0; i < b.num_log; i++) {
      const struct msg_quad *m = &b.log[i].quad;
      for (unsigned k = 0; k < 4; k++)
         ends[k] += m->end && b.log[i].signal == b.out[1 + k];
      if (!m->quad)
         continue;
      quads++;
      assert_int_equal(m->quad->rop, sim_tile_rop(2, (uint32_t)m->quad->x / 8, (uint32_t)m->quad->y / 8));
      assert_ptr_equal(b.log[i].signal, &b.gpu->net.hz_zst[m->quad->rop]);
      assert_true(m->quad->z[0][0] == 0.5f);
      if (m->quad->y >= 24)
         assert_int_equal(m->quad->mask, 15);
      else if (m->quad->x == 10)
         assert_true(m->quad->y == 22 && m->quad->mask == (1 << 1 | 1 << 2));
      else
         assert_true(m->quad->x == 14 && m->quad->y == 16 && m->quad->mask == 3);
   }
   assert_int_equal(quads, 18);
   for (unsigned k = 0; k < 4; k++)
      assert_int_equal(ends[k], 1); /* both paths of both ROPs */
   free_logged(&b);
   bench_close(&b);
}

static void
test_hz_culls(void **unused)
{
   (void)unused;
   struct bench b;
   hz_bench(&b, 1, 0);
   for (unsigned i = 0; i < 4; i++) {
      bind(&b.draw[i], 1, ATTILA_FORMAT_Z24S8, 0);
      less(&b.draw[i]);
      b.draw[i].hz_epoch = 1 + i;
   }
   /* After a clear to 0.5 what is behind it is culled, what is in front of it or equal is not. */
   push_command(&b, b.gpu->net.cp_hz, ROP_CLEAR, &b.draw[0].state.regs)->m.rop.depth = 0.5f;
   push_tile(&b, &b.draw[0], 8, 0, 0.6f, ~0ull)->wait_answers = true;
   push_tile(&b, &b.draw[0], 16, 0, 0.5f, ~0ull);
   push_tile(&b, &b.draw[0], 24, 0, 0.4f, ~0ull);
   push_tile_end(&b, &b.draw[0]);
   /* An update of the next draw counts, one marked with an epoch from before the clear does not. */
   push_update(&b, 4, 0.25f, 2, 100);
   b.draw[0].hz_epoch = 1;
   push_tile(&b, &b.draw[1], 32, 0, 0.3f, ~0ull)->earliest = 120;
   push_tile(&b, &b.draw[1], 40, 0, 0.3f, ~0ull);
   push_tile_end(&b, &b.draw[1]);
   /* A draw that raises depth: its tile is unknown afterwards, and updates up to its epoch are void. */
   b.draw[2].state.regs.z_func = ATTILA_FUNC_ALWAYS;
   push_tile(&b, &b.draw[2], 32, 0, 0.9f, ~0ull)->earliest = 140;
   push_tile_end(&b, &b.draw[2]);
   push_update(&b, 4, 0.25f, 3, 160);
   push_update(&b, 5, 0.1f, 2, 160);
   push_tile(&b, &b.draw[3], 32, 0, 0.95f, ~0ull)->earliest = 180;
   push_tile(&b, &b.draw[3], 40, 0, 0.3f, ~0ull);
   push_tile(&b, &b.draw[3], 40, 0, 0.6f, ~0ull);
   push_tile_end(&b, &b.draw[3]);
   bench_run(&b);
   assert_int_equal(count_quads(&b, &b.draw[0]), 32);
   assert_int_equal(count_quads(&b, &b.draw[1]), 16);
   assert_int_equal(count_quads(&b, &b.draw[2]), 16);
   assert_int_equal(count_quads(&b, &b.draw[3]), 32);
   assert_int_equal(stat(b.box, "CulledHZTiles"), 3);
   assert_int_equal(stat(b.box, "VoidUpdates"), 2);
   free_logged(&b);
   bench_close(&b);
}

/* What must not be culled although it is hidden: stencil side effects, other functions, many samples; or after a flush. */
static void
test_hz_does_not_cull(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < 6; n++) {
      struct bench b;
      hz_bench(&b, 1, n);
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      push_command(&b, b.gpu->net.cp_hz, ROP_CLEAR, &d->state.regs)->m.rop.depth = 0.5f;
      b.draw[1] = b.draw[0];
      d = &b.draw[1];
      d->state.regs.stencil[0].enable = d->state.stencil_test = n == 1 || n == 2;
      d->state.regs.stencil[0].zfail = n == 1 ? ATTILA_STENCIL_INVERT : ATTILA_STENCIL_KEEP;
      d->state.regs.stencil[1] = d->state.regs.stencil[0];
      d->state.regs.stencil[1].enable = n == 2;
      d->state.regs.stencil[1].zfail = ATTILA_STENCIL_KEEP;
      d->state.regs.stencil[1].fail = n == 2 ? ATTILA_STENCIL_ZERO : ATTILA_STENCIL_KEEP;
      if (n == 3)
         d->state.regs.z_func = ATTILA_FUNC_GREATER;
      if (n == 4)
         d->state.z_test = false;
      if (n == 5)
         push_command(&b, b.gpu->net.cp_hz, ROP_FLUSH, &b.draw[0].state.regs);
      push_tile(&b, d, 8, 0, 0.6f, ~0ull)->wait_answers = true;
      push_tile_end(&b, d);
      bench_run(&b);
      assert_int_equal(count_quads(&b, d), n ? 16 : 0);
      /* Without any test the quads go straight to the interpolator. */
      for (unsigned i = 0; i < b.num_log; i++)
         assert_true(!b.log[i].quad.quad || (b.log[i].signal == &b.gpu->net.hz_interp[0]) == (n == 4));
      free_logged(&b);
      bench_close(&b);
   }
}

/* --- Interpolator --- */

/* Draws that take both ways arrive in order at every ROP, whatever the delays. */
static void
run_interp(uint32_t order, unsigned slow, sim_tick *end)
{
   struct bench b;
   bench_open(&b, order);
   struct sim_gpu *gpu = b.gpu;
   gpu->config.gpu.num_rops = 2;
   b.box = sim_box_create(gpu, &interp_class, -1);
   for (unsigned r = 0; r < 2; r++) {
      sim_signal_init(&gpu->net.hz_interp[r], "hz_interp", b.driver, b.box, sizeof(struct msg_quad), 16, 1, 64);
      sim_signal_init(&gpu->net.zst_interp[r], "zst_interp", b.driver, b.box, sizeof(struct msg_quad), 16, 2, 64);
      sim_signal_init(&gpu->net.interp_ffu[r], "interp_ffu", b.box, b.driver, sizeof(struct msg_quad), 2, 2, 64);
      b.out[b.num_out++] = &gpu->net.interp_ffu[r];
   }
   b.sink_period = order % 3 + 1;
   /* Draws 0 and 2 are tested early, 1 and 3 are not. */
   for (unsigned n = 0; n < 4; n++) {
      bind(&b.draw[n], 1, ATTILA_FORMAT_Z24S8, 0);
      b.draw[n].state.z_test = n % 2 == 0;
      b.draw[n].state.num_fs_inputs = 0;
      for (unsigned r = 0; r < 2; r++) {
         struct sim_signal *path = n % 2 ? &gpu->net.hz_interp[r] : &gpu->net.zst_interp[r];
         for (unsigned i = 0; i < 5; i++)
            push_quad(&b, path, &b.draw[n], (int32_t)(2 * i), 0, 0.0f)->rop = (uint8_t)r;
         push_end(&b, &gpu->net.hz_interp[r], &b.draw[n]);
      }
      /* The end of the way through the ZST comes late, after quads of the next draw on the direct way. */
      if (n % 2) {
         for (unsigned r = 0; r < 2; r++) {
            push_end(&b, &gpu->net.zst_interp[r], &b.draw[n - 1]);
            b.items[b.num_items - 1].earliest = 50 * n + slow;
         }
      }
   }
   bench_run(&b);
   for (unsigned r = 0; r < 2; r++) {
      unsigned draw = 0, quads = 0;
      for (unsigned i = 0; i < b.num_log; i++) {
         if (b.log[i].signal != &gpu->net.interp_ffu[r])
            continue;
         const struct msg_quad *m = &b.log[i].quad;
         assert_ptr_equal(m->draw, &b.draw[draw]);
         if (m->end) {
            assert_int_equal(quads, 5);
            draw++;
            quads = 0;
         } else {
            assert_int_equal(m->quad->x, 2 * quads);
            assert_int_equal(m->quad->rop, r);
            quads++;
         }
      }
      assert_int_equal(draw, 4);
   }
   *end = b.log[b.num_log - 1].tick;
   free_logged(&b);
   bench_close(&b);
}

static void
test_interp_order(void **unused)
{
   (void)unused;
   sim_tick end, first[3];
   for (uint32_t order = 0; order < 12; order++) {
      run_interp(order, order / 3 % 2 ? 30 : 0, &end);
      run_interp(order % 3, 10, &first[order % 3]);
      run_interp(order, 10, &end);
      assert_int_equal(end, first[order % 3]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_zst_latency),
      cmocka_unit_test(test_zst_fast_clear),
      cmocka_unit_test(test_zst_partial_clear),
      cmocka_unit_test(test_zst_contents),
      cmocka_unit_test(test_zst_order_and_compression),
      cmocka_unit_test(test_zst_tells_hz),
      cmocka_unit_test(test_cw_contents),
      cmocka_unit_test(test_cw_order),
      cmocka_unit_test(test_cw_done),
      cmocka_unit_test(test_hz_quads),
      cmocka_unit_test(test_hz_culls),
      cmocka_unit_test(test_hz_does_not_cull),
      cmocka_unit_test(test_interp_order),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
