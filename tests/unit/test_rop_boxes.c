/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Z and stencil test and colour write, each alone between mock neighbours and a memory that answers
 * late. Contents are compared with the emulators applied directly to a copy of memory. */
#include "core/sim_fp.h"
#include "rop_boxes.h"

/* --- Z and stencil test --- */

static void
test_zst_takes_its_stages_latency(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 4, 16);
   b.memory.spread = 0;
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   memset(b.gpu->device->memory + ZS, 0xff, WIDTH * HEIGHT * 4);
   push_quad(&b, b.gpu->net.hz_zst, d, 0, 0, 0.5f);
   push_quad(&b, b.gpu->net.hz_zst, d, 2, 0, 0.5f);
   b.items[1].earliest = 200;
   push_quad(&b, b.gpu->net.hz_zst, d, 4, 0, 0.5f);
   push_end(&b, b.gpu->net.hz_zst, d);
   bench_run(&b);
   assert_int_equal(b.num_log, 4);
   /* Hit: arrives and gets its line at 201, is read at 202, tested from 203 to 205, written at 206,
    * sent at 207 and seen at 208; one quad per cycle. The end waits until all have been written. */
   assert_int_equal(b.log[1].tick, 208);
   assert_int_equal(b.log[2].tick, 209);
   assert_int_equal(b.log[3].tick, 210);
   assert_true(b.log[3].quad.end);
   /* Miss: at 2 a line, 3 requested, 4 at memory, 14 answered, 15 back and through the
    * decompressor, 23 into the line at 32 bytes a cycle, 31 read, 37 seen. */
   assert_int_equal(b.log[0].tick, 37);
   assert_int_equal(stat(b.box, "ReadTransactions"), 4);
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
   /* 262144 states at 65536 per cycle; then no read and no write. The second quad fails and is
    * freed. */
   assert_in_range(b.log[0].tick, 4, 4 + 8);
   assert_int_equal(b.memory.count, 0);
   assert_int_equal(b.num_log, 3);
   assert_int_equal(stat(b.box, "CulledQuads"), 1);
   assert_int_equal(stat(b.box, "FailedFragments"), 4);
   assert_int_equal(stat(b.box, "ClearFills"), 2);
   push_command(&b, b.gpu->net.cp_zst, ROP_WRITE_BACK, &d->state.regs)->m.rop.end = 1 << 20;
   sim_box_wake(b.driver, b.gpu->kernel.now + 1);
   bench_run(&b);
   /* The blocks that were drawn to: the quad that failed was written, too. */
   assert_int_equal(b.memory.count, 2);
   for (uint32_t y = 0; y < HEIGHT; y++) {
      for (uint32_t x = 0; x < WIDTH; x++) {
         uint32_t v, z = x / 2 == 8 && y / 2 == 4 ? 0x7fffff : (uint32_t)(0.75f * 16777215.0f);
         memcpy(&v, b.gpu->device->memory + ZS + attila_element_offset(WIDTH / 8, 1, 4, x, y, 0),
                4);
         assert_int_equal(v, 0x42000000 | z);
      }
   }
   free_logged(&b);
   bench_close(&b);
}

/* One plane alone is cleared as fast as both, whatever the blocks hold, and memory has it then;
 * a block whose other plane was never drawn to still costs nothing. */
static void
test_zst_partial_clear(void **unused)
{
   (void)unused;
   for (unsigned drawn = 0; drawn < 3; drawn++) {
      struct bench b;
      zst_bench(&b, 0, 4, 16);
      struct sim_draw *d = &b.draw[0];
      bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
      less(d);
      d->state.stencil_test = drawn == 2;
      d->state.regs.stencil[0] = (struct attila_stencil_regs){.enable = 1,
                                                              .func = ATTILA_FUNC_ALWAYS,
                                                              .zpass = ATTILA_STENCIL_INCR_WRAP,
                                                              .write_mask = 255};
      push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs)->m.rop.stencil = 0x77;
      if (drawn) {
         push_quad(&b, b.gpu->net.hz_zst, d, 0, 0, 0.5f);
         b.items[1].wait_answers = true;
      }
      struct item *it = push_command(&b, b.gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
      it->m.rop.planes = 1;
      it->m.rop.depth = 0.25f;
      it->earliest = 400;
      bench_run(&b);
      assert_in_range(b.log[b.num_log - 1].tick, 400 + 4, 400 + 4 + 6);
      /* The line with another stencil stays dirty, the other one is clear again. */
      const struct sim_blocks *blocks = &b.gpu->device->blocks;
      assert_int_equal(sim_blocks_read_bytes(blocks, ZS, WIDTH * HEIGHT * 4), 0);
      push_command(&b, b.gpu->net.cp_zst, ROP_WRITE_BACK, NULL);
      sim_box_wake(b.driver, b.gpu->kernel.now + 1);
      bench_run(&b);
      assert_int_equal(b.memory.count, drawn == 2);
      assert_int_equal(sim_block_quarters(sim_block_state(blocks, ZS)), drawn == 2);
      for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
         uint32_t v;
         memcpy(&v, b.gpu->device->memory + ZS + 4 * i, 4);
         assert_int_equal(v, drawn == 2 && i < 4 ? 0x783fffff : 0x773fffff);
      }
      free_logged(&b);
      bench_close(&b);
   }
}

/* Queues of one entry, lines of 64 or 128 bytes, slow ports: contents do not depend on them. */
#define TIGHT(section, order)                       \
   do {                                             \
      static const uint32_t lines[] = {16, 4, 8};   \
      (section).fetch_queue = (order) % 2 ? 1 : 64; \
      (section).read_queue = (order) % 3 ? 1 : 16;  \
      (section).op_queue = (order) % 5 ? 2 : 4;     \
      (section).write_queue = (order) % 4 ? 1 : 8;  \
      (section).line_stamps = lines[(order) % 3];   \
      (section).cache_requests = 1 + (order) % 7;   \
      (section).cache_input = 1 + (order) % 2;      \
      (section).cache_output = 1 + (order) % 3;     \
      (section).port_width = 1 + (order)*3 % 32;    \
      (section).extra_read_port = (order) % 2;      \
      (section).alu_rate = 1 + (order) % 3;         \
      (section).all_sets = (order) / 2 % 2;         \
   } while (0)

struct zst_case {
   enum attila_format format;
   unsigned samples, ways, sets, order, sink_period;
   bool late, clear, stencil, partial;
   uint32_t states, tight; /* tight: as in struct cw_case */
};

/* What left the box: quads with the masks of expected[], in that order, to where the case sends
 * them. Returns the tick of the last message. */
static sim_tick
check_zst_log(const struct bench *b, const struct zst_case *c, const unsigned *expected,
              unsigned passing)
{
   const struct sim_gpu *gpu = b->gpu;
   unsigned logged = 0;
   sim_tick end = 0;
   for (unsigned i = 0; i < b->num_log; i++) {
      const struct log *l = &b->log[i];
      end = l->tick;
      if (l->signal == gpu->net.zst_hz || l->signal == gpu->net.zst_cp)
         continue;
      assert_ptr_equal(l->signal, c->late ? gpu->net.zst_cw : gpu->net.zst_interp);
      if (!l->quad.quad)
         continue;
      assert_true(logged < passing);
      assert_int_equal(l->quad.quad->mask, expected[logged++]);
   }
   assert_int_equal(logged, passing);
   return end;
}

/* Random quads of several draws, commands in between; the same done to a copy of memory with the
 * emulator. Returns the tick of the end. */
static sim_tick
run_zst(const struct zst_case *c, uint64_t *reads)
{
   struct bench b;
   zst_bench(&b, c->order, c->ways, c->sets);
   struct sim_gpu *gpu = b.gpu;
   const struct attila_format_desc *f = &attila_formats[c->format];
   uint32_t size = WIDTH * HEIGHT * f->bytes * c->samples;
   uint8_t *copy = malloc(size);
   unsigned passing = 0, expected[3000];
   seed = 99;
   gpu->config.zst.block_states = c->states;
   if (c->tight)
      TIGHT(gpu->config.zst, c->tight);
   b.sink_period = c->sink_period;
   memcpy(copy, gpu->device->memory + ZS, size);
   for (unsigned n = 0; n < 4; n++) {
      struct sim_draw *d = &b.draw[n];
      bind(d, c->samples, c->format, 0);
      d->state.late_zs = c->late;
      less(d);
      d->state.regs.z_func = n == 2 ? ATTILA_FUNC_GREATER : ATTILA_FUNC_LEQUAL;
      d->state.stencil_test = c->stencil;
      d->state.regs.stencil[0] = (struct attila_stencil_regs){.enable = 1,
                                                              .func = ATTILA_FUNC_ALWAYS,
                                                              .fail = 1,
                                                              .zfail = ATTILA_STENCIL_INVERT,
                                                              .zpass = ATTILA_STENCIL_INCR_WRAP,
                                                              .value_mask = 255,
                                                              .write_mask = 255};
      if ((c->clear && n % 2 == 0) || (c->partial && n)) {
         struct item *it = push_command(&b, gpu->net.cp_zst, ROP_CLEAR, &d->state.regs);
         it->m.rop.planes = c->partial && n ? 1 + n % 2 : 3;
         it->m.rop.stencil = n * 3;
         it->m.rop.depth = n == 3 ? 0.25f : 1.0f;
         for (uint32_t i = 0; i < size; i += f->bytes) {
            uint8_t v[8];
            emul_zs_clear_value(f, it->m.rop.planes, it->m.rop.depth, it->m.rop.stencil, copy + i,
                                v);
            memcpy(copy + i, v, f->bytes);
         }
      }
      unsigned quads = n == 1 && c->clear ? 0 : 500;
      for (unsigned i = 0; i < quads; i++) {
         int32_t x = (int32_t)(rnd() % (WIDTH / 2)) * 2, y = (int32_t)(rnd() % (HEIGHT / 2)) * 2;
         /* A smooth surface with steps, so that blocks compress, some to a half. */
         float z = 0.2f + (float)(x + 2 * y) * 0.0005f + (rnd() % 3 == 0 ? 0.01f * (float)n : 0.0f);
         struct sim_quad *q =
             push_quad(&b, c->late ? gpu->net.ffu_zst : gpu->net.hz_zst, d, x, y, z);
         uint32_t mask = 0;
         b.items[b.num_items - 1].wait_answers = i == 0;
         q->mask =
             (c->samples == 8 ? ~0u : (1u << 4 * c->samples) - 1) & (rnd() | rnd() << 16 | 0x10);
         for (unsigned s = 0; s < c->samples; s++) {
            uint8_t *e = copy + emul_quad_offset(WIDTH / 8, c->samples, s, f->bytes, x, y);
            unsigned nibble = q->mask >> 4 * s & 15;
            mask |= nibble ? emul_zs_quad(&d->state, false, nibble, q->z[s], e) << 4 * s : 0;
         }
         q->work_id = d->work_id;
         if (mask)
            expected[passing++] = mask;
      }
      push_end(&b, c->late ? gpu->net.ffu_zst : gpu->net.hz_zst, d);
      b.items[b.num_items - 1].opens = b.ends_answer = true;
   }
   push_command(&b, gpu->net.cp_zst, ROP_WRITE_BACK, NULL);
   bench_run(&b);
   sim_tick end = check_zst_log(&b, c, expected, passing);
   /* The last flush wrote everything. */
   assert_memory_equal(gpu->device->memory + ZS, copy, size);
   if (reads)
      *reads = stat(b.box, "ReadBytes");
   free_logged(&b);
   free(copy);
   bench_close(&b);
   return end;
}

static void
test_zst_leaves_the_emulators_contents(void **unused)
{
   (void)unused;
   static const enum attila_format formats[] = {
       ATTILA_FORMAT_Z16_UNORM, ATTILA_FORMAT_Z24X8_UNORM,     ATTILA_FORMAT_Z24S8,
       ATTILA_FORMAT_Z32_FLOAT, ATTILA_FORMAT_Z32_FLOAT_S8X24, ATTILA_FORMAT_S8,
       ATTILA_FORMAT_Z16S8};
   for (unsigned i = 0; i < 84; i++) {
      const struct zst_case c = {.format = formats[i % 7],
                                 .samples = i % 5 == 4     ? 4
                                            : i % 11 == 10 ? 8
                                                           : 1,
                                 .ways = i % 2 ? 1 : 2,
                                 .sets = i % 3 ? 2 : 3,
                                 .order = i,
                                 .sink_period = i % 4 == 3 ? 7 : 1,
                                 .late = i / 6 % 2,
                                 .clear = i / 12 % 2,
                                 .stencil = i / 24 % 2,
                                 .partial = i / 36 % 2,
                                 .states = i % 7 == 6 ? 20 : 4096,
                                 .tight = i % 3 ? i : 0};
      run_zst(&c, NULL);
   }
}

/* The clocking order of boxes changes nothing; compression saves reads. */
static void
test_zst_order_and_compression(void **unused)
{
   (void)unused;
   struct zst_case c = {.format = ATTILA_FORMAT_Z24S8,
                        .samples = 1,
                        .ways = 2,
                        .sets = 2,
                        .sink_period = 3,
                        .clear = true,
                        .states = 4096};
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
      assert_int_equal(b.log[i].hz.address, ZS + 256); /* the second tile */
      assert_int_equal(b.log[i].hz.bytes, 256);
      assert_int_equal(b.log[i].hz.epoch, 17);
      const struct attila_format_desc *f = &attila_formats[d->state.regs.zs_format];
      assert_int_equal(b.log[i].hz.near, emul_zs_code(f, 0.25f));
      assert_int_equal(b.log[i].hz.far, emul_zs_code(f, 0.5f));
   }
   assert_int_equal(updates, 1);
   free_logged(&b);
   bench_close(&b);
}

/* After a draw's end its place may be taken by another: nothing of the old state remains. */
static void
test_zst_draw_place(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 4, 16);
   struct sim_draw *d = &b.draw[0];
   bind(d, 1, ATTILA_FORMAT_Z24S8, 0);
   memset(b.gpu->device->memory + ZS, 0, WIDTH * HEIGHT * 4);
   for (unsigned tested = 0; tested < 2; tested++) {
      if (tested)
         less(d);
      push_quad(&b, b.gpu->net.hz_zst, d, 0, 0, 0.5f);
      push_end(&b, b.gpu->net.hz_zst, d);
      if (tested)
         sim_box_wake(b.driver, b.gpu->kernel.now + 1);
      bench_run(&b);
      assert_int_equal(b.num_log, tested ? 3 : 2);
      assert_int_equal(stat(b.box, "CulledQuads"), tested);
   }
   free_logged(&b);
   bench_close(&b);
}

/* Alpha decides the coverage of a quad that is tested late, before any line is asked for. */
static void
test_late_zst_applies_alpha_to_coverage(void **unused)
{
   (void)unused;
   struct bench b;
   zst_bench(&b, 0, 4, 16);
   struct sim_draw *d = &b.draw[0];
   bind(d, 4, ATTILA_FORMAT_Z24S8, 0);
   less(d);
   d->state.late_zs = true;
   d->state.regs.alpha_to_coverage = 1;
   memset(b.gpu->device->memory + ZS, 0xff, WIDTH * HEIGHT * 4 * 4);
   struct sim_quad *q = push_quad(&b, b.gpu->net.ffu_zst, d, 0, 0, 0.5f);
   q->mask = 0xffff;
   for (unsigned i = 0; i < 4; i++)
      q->out[0][3][i] = (float)i * 0.25f;
   uint32_t expected = emul_alpha_to_coverage(q->out[0][3], 4);
   assert_int_equal(__builtin_popcount(expected), 6);
   bench_run(&b);
   assert_int_equal(b.num_log, 1);
   assert_int_equal(b.log[0].quad.quad->mask, expected);
   assert_int_equal(stat(b.box, "InputFragments"), 4);
   assert_int_equal(stat(b.box, "TestedSamples"), 6);
   free_logged(&b);
   bench_close(&b);
}

/* --- Colour write --- */

struct cw_case {
   enum attila_format format[2];
   unsigned samples, order, ways, sets;
   unsigned tight; /* not 0: a machine with small queues */
   bool clear, rebind, masks;
};

static uint32_t
surface_bytes(enum attila_format f, unsigned samples)
{
   return WIDTH * HEIGHT * attila_formats[f].bytes * samples;
}

/* A component that a program may leave for a colour buffer. */
static float
random_output(const struct emul_draw_state *s, unsigned rt)
{
   const uint32_t bits = (rnd() ^ rnd() << 16) >> rnd() % 32 ^ (rnd() & 1 ? ~0u : 0);
   float f;
   memcpy(&f, &bits, sizeof(f));
   if (s->color_mask >> rt & 1 && attila_type_is_integer(s->color_format[rt]->type))
      return f;
   return (float)(rnd() % 9) / 8.0f;
}

static sim_tick
run_cw(const struct cw_case *c)
{
   struct bench b;
   cw_bench(&b, c->order, c->ways, c->sets);
   struct sim_gpu *gpu = b.gpu;
   if (c->tight)
      TIGHT(gpu->config.cw, c->tight);
   uint8_t *copy = malloc(gpu->device->memory_size);
   uint64_t passed = 0;
   seed = 5;
   memcpy(copy, gpu->device->memory, gpu->device->memory_size);
   for (unsigned n = 0; n < 4; n++) {
      struct sim_draw *d = &b.draw[n];
      /* Another shape of the same memory, without a flush by the command processor: the box must
       * notice. */
      enum attila_format f0 = c->rebind && n == 2 ? ATTILA_FORMAT_R8G8_UNORM : c->format[0];
      bind(d, c->samples, 0, f0);
      struct emul_draw_state *s = &d->state;
      s->regs.count_samples = n != 1;
      s->regs.color[0].blend_enable = n % 2 && !attila_type_is_integer(attila_formats[f0].type);
      s->regs.color[0].rgb_src = ATTILA_FACTOR_SRC_ALPHA;
      s->regs.color[0].rgb_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
      /* Lines that are only written, some channels only. */
      if (c->masks && n == 2)
         s->regs.color[0].write_mask = 1 + c->order % 14;
      if (c->format[1]) {
         s->regs.color[1] = s->regs.color[0];
         s->regs.color[1].address = COLOR1;
         s->regs.color[1].format = c->format[1];
         s->regs.color[1].blend_enable =
             n % 2 && !attila_type_is_integer(attila_formats[c->format[1]].type);
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
            for (uint32_t i = 0;
                 s->color_mask >> t & 1 && i < surface_bytes(s->regs.color[t].format, c->samples);
                 i += bytes)
               emul_format_pack(s->regs.color[t].format, color,
                                copy + s->regs.color[t].address + i);
         }
      }
      for (unsigned i = 0; i < 400; i++) {
         int32_t x = (int32_t)(rnd() % (WIDTH / 2)) * 2, y = (int32_t)(rnd() % (HEIGHT / 2)) * 2;
         struct sim_quad *q =
             push_quad(&b, n == 1 ? gpu->net.zst_cw : gpu->net.ffu_cw, d, x, y, 0.0f);
         b.items[b.num_items - 1].wait_answers = i == 0;
         q->mask = (c->samples == 8 ? ~0u : (1u << 4 * c->samples) - 1) & (rnd() | rnd() << 16);
         for (unsigned k = 0; k < 32; k++)
            q->out[k / 16][k / 4 % 4][k % 4] = random_output(s, n == 3 ? 0 : k / 16);
         passed += n != 1 ? (unsigned)__builtin_popcount(q->mask) : 0;
         for (unsigned k = 0; k < 2 * c->samples; k++) {
            unsigned t = k / c->samples, sample = k % c->samples,
                     bytes = attila_formats[s->regs.color[t].format].bytes;
            if (s->color_mask >> t & 1)
               emul_color_quad(s, t, q->mask >> 4 * sample & 15,
                               (const float(*)[4])q->out[n == 3 ? 0 : t],
                               (const float(*)[4])q->out[1],
                               copy + s->regs.color[t].address +
                                   emul_quad_offset(WIDTH / 8, c->samples, sample, bytes, x, y));
         }
      }
      push_end(&b, n == 1 ? gpu->net.zst_cw : gpu->net.ffu_cw, d);
      b.items[b.num_items - 1].opens = true;
   }
   push_command(&b, gpu->net.cp_cw, ROP_WRITE_BACK, NULL);
   bench_run(&b);
   assert_int_equal(bench_samples(&b), passed);
   assert_memory_equal(gpu->device->memory, copy, gpu->device->memory_size);
   sim_tick end = b.log[b.num_log - 1].tick;
   free(copy);
   bench_close(&b);
   return end;
}

static void
test_cw_leaves_the_emulators_contents(void **unused)
{
   (void)unused;
   static const enum attila_format formats[] = {
       ATTILA_FORMAT_B8G8R8A8_UNORM,     ATTILA_FORMAT_R8_UNORM,
       ATTILA_FORMAT_B5G6R5_UNORM,       ATTILA_FORMAT_R16G16B16A16_FLOAT,
       ATTILA_FORMAT_R32G32B32A32_FLOAT, ATTILA_FORMAT_R8G8B8A8_SRGB,
       ATTILA_FORMAT_R8G8B8A8_SINT,      ATTILA_FORMAT_R32G32_UINT,
       ATTILA_FORMAT_R10G10B10A2_UINT};
   for (unsigned i = 0; i < 45; i++) {
      const struct cw_case c = {.format = {formats[i % 9], i % 2 ? formats[(i / 9 + i) % 9] : 0},
                                .samples = i % 5 == 4   ? 4
                                           : i % 7 == 6 ? 2
                                                        : 1,
                                .order = i,
                                .ways = 1 + i % 2,
                                .sets = 1 + i % 3,
                                .clear = i / 6 % 2,
                                .rebind = i / 12 % 2,
                                .tight = i,
                                .masks = i / 3 % 2};
      run_cw(&c);
   }
}

static void
test_cw_time_ignores_the_box_order(void **unused)
{
   (void)unused;
   struct cw_case c = {.format = {ATTILA_FORMAT_B8G8R8A8_UNORM, ATTILA_FORMAT_R8_UNORM},
                       .samples = 4,
                       .ways = 2,
                       .sets = 2,
                       .clear = true};
   sim_tick end = run_cw(&c);
   for (c.order = 1; c.order < 6; c.order++)
      assert_int_equal(run_cw(&c), end);
}

/* A draw's message comes after its last quad has left the blend unit, also without colour buffer.
 */
static void
test_cw_reports_a_draw_after_its_last_quad(void **unused)
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
   /* A line without a read at 2, blended from 3 to 5, written at 6; the end is fetched then, sent
    * at 8 and seen at 9. The next quad needs no line, so it and its end follow at once. */
   assert_int_equal(b.log[0].tick, 9);
   assert_ptr_equal(b.log[0].done.draw, &b.draw[0]);
   assert_int_equal(b.log[1].tick, 11);
   assert_ptr_equal(b.log[1].done.draw, &b.draw[1]);
   assert_int_equal(bench_samples(&b), 4);
   bench_close(&b);
}

/* Alpha decides the coverage of a quad. */
static void
test_cw_applies_alpha_to_coverage(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   struct sim_draw *d = &b.draw[0];
   bind(d, 4, 0, ATTILA_FORMAT_B8G8R8A8_UNORM);
   d->state.regs.alpha_to_coverage = 1;
   d->state.regs.count_samples = 1;
   struct sim_quad *q = push_quad(&b, b.gpu->net.ffu_cw, d, 0, 0, 0.0f);
   q->mask = 0xffff;
   for (unsigned i = 0; i < 4; i++)
      q->out[0][3][i] = (float)i * 0.25f;
   push_end(&b, b.gpu->net.ffu_cw, d);
   b.items[1].opens = true;
   bench_run(&b);
   assert_int_equal(stat(b.box, "InputFragments"), 8);
   assert_int_equal(stat(b.box, "AlphaCoverageSamples"), 10);
   assert_int_equal(stat(b.box, "OperatedFragments"), 1);
   assert_int_equal(stat(b.box, "WrittenSamples"), 6);
   assert_int_equal(bench_samples(&b), 6);
   bench_close(&b);
}

/* The only quad of a draw that needs another shape of a surface, nothing queued before it and
 * nothing coming after. */
static void
test_cw_rebind_alone(void **unused)
{
   (void)unused;
   struct bench b;
   cw_bench(&b, 0, 4, 16);
   bind(&b.draw[0], 1, 0, ATTILA_FORMAT_B8G8R8A8_UNORM);
   bind(&b.draw[1], 1, 0, ATTILA_FORMAT_R8_UNORM);
   for (unsigned n = 0; n < 2; n++) {
      push_quad(&b, b.gpu->net.ffu_cw, &b.draw[n], 0, 0, 0.0f);
      b.items[2 * n].earliest = 200 * n;
      push_end(&b, b.gpu->net.ffu_cw, &b.draw[n]);
      b.items[2 * n + 1].opens = true;
   }
   bench_run(&b);
   assert_int_equal(b.num_log, 2);
   assert_ptr_equal(b.log[1].done.draw, &b.draw[1]);
   /* The first draw's line is in memory. */
   static const uint8_t black[8];
   assert_memory_equal(b.gpu->device->memory + COLOR0, black, sizeof(black));
   bench_close(&b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_zst_takes_its_stages_latency),
       cmocka_unit_test(test_zst_fast_clear),
       cmocka_unit_test(test_zst_partial_clear),
       cmocka_unit_test(test_zst_leaves_the_emulators_contents),
       cmocka_unit_test(test_zst_order_and_compression),
       cmocka_unit_test(test_zst_tells_hz),
       cmocka_unit_test(test_zst_draw_place),
       cmocka_unit_test(test_late_zst_applies_alpha_to_coverage),
       cmocka_unit_test(test_cw_leaves_the_emulators_contents),
       cmocka_unit_test(test_cw_time_ignores_the_box_order),
       cmocka_unit_test(test_cw_reports_a_draw_after_its_last_quad),
       cmocka_unit_test(test_cw_applies_alpha_to_coverage),
       cmocka_unit_test(test_cw_rebind_alone),
   };
   sim_fp_enter(); /* what is expected is computed like what the boxes compute */
   return cmocka_run_group_tests(tests, NULL, NULL);
}
