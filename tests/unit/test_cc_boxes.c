/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The constant cache between a mock shader and a mock memory. Cycles by hand, with
 * ConstantCacheLatency 4: a load that leaves the shader in cycle 0 is looked up in cycle 1, read in
 * cycle 5, and its answer is there in cycle 6; each further word takes a cycle more. Of a miss, the
 * request is with memory in cycle 2, the line back 11 cycles later, and the answer there in cycle
 * 14. */
#include "load_bench.h"

extern const struct sim_box_class cc_class;

#define HIT 6
#define MISS 14
#define LOADS LOAD_BENCH_OPS

static sim_tick
shader_work(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   while (load_bench_hear(b, now)) {
      if (b->answered == b->forget_after) {
         memset(b->gpu->device->memory + b->forget_from, 0x40, 64);
         sim_send(&b->gpu->net.cp_cc[0], now,
                  &(struct msg_rop){
                      .op = ROP_FORGET, .start = b->forget_from, .end = b->forget_from + 64});
         return now + 2; /* it is there before the next load */
      }
   }
   return load_bench_send(b, now);
}

/* A load whose input l wants four words from byte offset[l] of buffer[l] on. */
static void
load(struct bench *b, const uint32_t *offset, const uint32_t *buffer)
{
   static struct emul_program *program;
   if (!program)
      program = bench_program(".fragment\n.temps 1\nLDC r0, i0.x, i0.y\nMOV o0, r0\nEND\n");
   struct shf_thread *t = load_bench_add(b, program, offset, buffer);
   t->emul.buffers = b->buffers;
   emul_thread_start(&t->emul, program, 0xffff, true, 1u << 16);
   assert_int_equal(emul_thread_step(&t->emul), EMUL_STEP_LOAD);
}

/* Input l wants what is l * step bytes behind offset. */
static void
load_steps(struct bench *b, uint32_t offset, uint32_t step)
{
   uint32_t offsets[EMUL_LANES], zeros[EMUL_LANES] = {0};
   for (unsigned l = 0; l < EMUL_LANES; l++)
      offsets[l] = offset + l * step;
   load(b, offsets, zeros);
}

static void
check_values(const struct bench *b)
{
   for (unsigned i = 0; i < b->count; i++) {
      const struct shf_thread *t = b->threads[i];
      for (unsigned l = 0; l < EMUL_LANES; l++) {
         uint32_t offset, buffer;
         memcpy(&offset, &t->inputs[0].c[0][l], 4);
         memcpy(&buffer, &t->inputs[0].c[1][l], 4);
         for (unsigned c = 0; c < 4; c++) {
            uint32_t want = 0;
            const uint64_t byte = (offset & ~3u) + 4ull * c;
            if (buffer < ATTILA_MAX_CONST_BUFFERS && byte + 4 <= b->buffers[buffer].size)
               memcpy(&want, b->gpu->device->memory + b->buffers[buffer].address + byte, 4);
            if (memcmp(&want, &t->emul.temps[0].c[c][l], 4))
               fail_msg("load %u input %u word %u of buffer %u byte %u", i, l, c, buffer, offset);
         }
      }
   }
}

static void
run(struct bench *b, uint32_t spread)
{
   struct sim_gpu *g = b->gpu;
   struct sim_box *shader = bench_mock(g, shader_work, b),
                  *memory = bench_mock(g, bench_memory_work, &b->memory);
   b->unit = sim_box_create(&g->kernel, g, &cc_class, 0);
   BENCH_CONNECT(g, BENCH_BOX(shdx, shader), BENCH_BOX(shf, shader), BENCH_BOX(cp, shader),
                 BENCH_BOX(cc, b->unit), BENCH_BOX(mc, memory));
   b->memory.requests = &g->net.cc_mc[0];
   b->memory.responses = &g->net.mc_cc[0];
   b->to = &g->net.shdx_cc[0];
   b->from = &g->net.cc_shf[0];
   load_bench_run(b, shader, spread);
}

static void
a_word_for_all_takes_six_cycles_when_it_is_cached_and_fourteen_when_not(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   load_steps(&b, 128, 0);
   load_steps(&b, 128, 0);
   load_steps(&b, 128 + 48, 0); /* the same line */
   load_steps(&b, 128 + 64, 0); /* the next one */
   run(&b, 0);
   assert_int_equal(time_of(&b, 0), MISS);
   assert_int_equal(time_of(&b, 1), HIT);
   assert_int_equal(time_of(&b, 2), HIT);
   assert_int_equal(time_of(&b, 3), MISS);
   assert_int_equal(stat(b.unit, "Reads"), 4);
   assert_int_equal(stat(b.unit, "HitsFetch"), 2);
   assert_int_equal(stat(b.unit, "MissesFetch"), 2);
   assert_int_equal(stat(b.unit, "LoadedInputs"), 4 * EMUL_LANES);
   assert_int_equal(stat(b.unit, "ReadBytes"), 2 * 64);
   assert_int_equal(stat(b.unit, "ReadBytes_FC"), 4 * 16);
   assert_int_equal(stat(b.unit, "ResultLatency"), 2 * (HIT - 2) + 2 * (MISS - 2));
   check_values(&b);
   load_bench_end(&b);
}

static void
each_different_word_takes_a_cycle(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   load_steps(&b, 0, 16); /* 16 words in four lines, which come while words are looked up */
   load_steps(&b, 0, 16);
   load_steps(&b, 0, 64); /* of lines 0 and 1, and 14 lines of their own */
   load_steps(&b, 0, 64);
   load_steps(&b, 0, 8); /* every second one begins in the middle of a word: 9 words */
   load_steps(&b, 4, 0); /* two words, of which parts are wanted */
   run(&b, 0);
   assert_int_equal(time_of(&b, 1), HIT + 15);
   assert_int_equal(time_of(&b, 3), HIT + 15);
   assert_int_equal(time_of(&b, 4), HIT + 8);
   assert_int_equal(time_of(&b, 5), HIT + 1);
   assert_int_equal(stat(b.unit, "Reads"), 4 * 16 + 9 + 2);
   check_values(&b);
   load_bench_end(&b);
}

/* Four lines may be asked for at once. */
static void
misses_overlap_as_far_as_they_may(void **state)
{
   (void)state;
   for (unsigned misses = 1; misses <= 4; misses *= 4) {
      struct bench b;
      bench_begin(&b, 0);
      b.gpu->config.shader.cc_misses = misses;
      load_steps(&b, 0, 64);
      run(&b, 0);
      /* Of one at a time each is asked for when the one before has come, 12 cycles later. Of four,
       * they are asked for in four cycles following each other, and the next ones when these come.
       */
      assert_int_equal(time_of(&b, 0), misses == 1 ? MISS + 15 * 12 : MISS + 3 * 12 + 3);
      assert_int_equal(stat(b.unit, "MissFailReqQueueFetch"), misses == 1 ? 15 * 11 : 3 * 8);
      check_values(&b);
      load_bench_end(&b);
   }
}

static void
lines_of_a_set_replace_each_other(void **state)
{
   (void)state;
   for (unsigned ways = 1; ways <= 2; ways++) {
      struct bench b;
      bench_begin(&b, 0);
      b.gpu->config.shader.cc_ways = ways;
      b.gpu->config.shader.cc_sets = 4;
      for (unsigned i = 0; i < 6; i++)
         load_steps(&b, i % 2 * 4 * 64, 0); /* set 0 both */
      run(&b, 0);
      assert_int_equal(stat(b.unit, "MissesFetch"), ways == 1 ? 6 : 2);
      assert_int_equal(time_of(&b, 5), ways == 1 ? MISS : HIT);
      check_values(&b);
      load_bench_end(&b);
   }
}

static void
what_is_outside_reads_zeros_and_needs_no_memory(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   load_steps(&b, BYTES, 16);
   load_steps(&b, UINT32_MAX - 256, 16);
   uint32_t offset[EMUL_LANES] = {0}, buffer[EMUL_LANES];
   for (unsigned l = 0; l < EMUL_LANES; l++)
      buffer[l] = l ? ATTILA_MAX_CONST_BUFFERS + l : 1; /* not bound; no such buffer */
   load(&b, offset, buffer);
   run(&b, 0);
   for (unsigned i = 0; i < 3; i++)
      assert_int_equal(time_of(&b, i), HIT);
   assert_int_equal(stat(b.unit, "OutsideRequests"), 3);
   assert_int_equal(stat(b.unit, "Fetches"), 0);
   assert_int_equal(b.memory.count, 0);
   check_values(&b);
   load_bench_end(&b);
}

static void
a_line_that_was_written_is_read_again(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   b.forget_after = 2;
   b.forget_from = BUFFER + 64;
   load_steps(&b, 64, 0);
   load_steps(&b, 128, 0);
   load_steps(&b, 64, 0);
   load_steps(&b, 128, 0);
   run(&b, 0);
   assert_int_equal(time_of(&b, 2), MISS);
   assert_int_equal(time_of(&b, 3), HIT);
   uint32_t word;
   memcpy(&word, &b.threads[2]->emul.temps[0].c[0][0], 4);
   assert_int_equal(word, 0x40404040);
   load_bench_end(&b);
}

/* Loads of a queue follow each other: a word each, so one answer a cycle. */
static void
loads_follow_each_other_every_cycle(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   b.together = 20;
   for (unsigned i = 0; i < 20; i++)
      load_steps(&b, 0, 0);
   run(&b, 0);
   for (unsigned i = 1; i < 20; i++)
      assert_int_equal(b.answer[i], b.answer[0] + i);
   assert_int_equal(stat(b.unit, "MissesFetch"), 1);
   load_bench_end(&b);
}

static void
any_loads_read_what_memory_holds_on_any_machine(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 12; n++) {
      struct bench b;
      bench_begin(&b, n);
      b.together = 1 + n;
      for (unsigned i = 0; i < 5; i++)
         b.buffers[1 + i] =
             (struct emul_const_buffer){16 * (bench_hash(i) % 3000), bench_hash(i + 9) % 900};
      if (n % 2) {
         b.gpu->config.shader.cc_ways = 1 + n % 3;
         b.gpu->config.shader.cc_sets = 1u << n % 3;
         b.gpu->config.shader.cc_window = 1 + n % 4;
         b.gpu->config.shader.cc_queue = 1 + n % 5;
         b.gpu->config.shader.cc_misses = 1 + n % 2;
         b.gpu->config.shader.cc_line_size = 64u << n % 3;
         b.gpu->config.shader.cc_port_width = 16u << n % 3;
      }
      for (unsigned i = 0; i < LOADS; i++) {
         uint32_t offset[EMUL_LANES], buffer[EMUL_LANES];
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            const uint32_t h = bench_hash(n * 100000 + i * 16 + (i % 3 ? l : 0));
            offset[l] = h % (i % 2 ? 1000 : BYTES + 1000);
            buffer[l] = i % 4 ? 0 : h >> 20 & 7;
         }
         load(&b, offset, buffer);
      }
      run(&b, 40);
      check_values(&b);
      load_bench_end(&b);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(a_word_for_all_takes_six_cycles_when_it_is_cached_and_fourteen_when_not),
       cmocka_unit_test(each_different_word_takes_a_cycle),
       cmocka_unit_test(misses_overlap_as_far_as_they_may),
       cmocka_unit_test(lines_of_a_set_replace_each_other),
       cmocka_unit_test(what_is_outside_reads_zeros_and_needs_no_memory),
       cmocka_unit_test(a_line_that_was_written_is_read_again),
       cmocka_unit_test(loads_follow_each_other_every_cycle),
       cmocka_unit_test(any_loads_read_what_memory_holds_on_any_machine),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
