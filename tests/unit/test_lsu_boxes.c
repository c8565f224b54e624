/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The load/store unit between a mock shader and a mock memory. Cycles by hand, with
 * LoadStoreLatency 4: an instruction that leaves the shader in cycle 0 is taken in cycle 1, its
 * first request leaves in cycle 5, is with memory in cycle 6 and back 11 cycles later, and the
 * answer is there in cycle 18; each further request takes a cycle more. Values are those of the
 * emulator, which does the same without time. */
#include "load_bench.h"

extern const struct sim_box_class lsu_class;

#define ALONE 18
#define NOTHING 7
#define OPS LOAD_BENCH_OPS

static sim_tick
shader_work(struct mock *m, sim_tick now)
{
   struct bench *b = m->user;
   while (load_bench_hear(b, now))
      ;
   return load_bench_send(b, now);
}

static const char *const texts[] = {
    "LDB r0, i0.x, i0.y",
    "STB i0.x, i0.y, i1, 1",
    "STB i0.x, i0.y, i1, 4",
    "ATOM r0, i0.x, i0.y, i1, ADD",
    "RED i0.x, i0.y, i1, XOR",
    "ATOM r0, i0.x, i0.y, i1, COMPARE_SWAP",
    "SZB r0, i0.y",
    "LDB r0.x, i0.x, i0.y",
    "ATOM r0.yw, i0.x, i0.y, i1, UMAX",
    "LDI r0, i0.xzzz, i0.y",
    "STI i0.xzzz, i0.y, |i1|",
    "ATOMI r0, i0.xzzz, i0.y, i1, ADD",
    "SZI r0, i0.y",
};
enum {
   LOAD,
   STORE,
   STORE_4,
   ADD,
   XOR,
   SWAP,
   BYTES_OF,
   LOAD_1,
   UMAX,
   LOAD_TEXEL,
   STORE_TEXEL,
   ADD_TEXEL,
   SIZE_OF,
   TEXTS
};

/* An instruction whose input l accesses byte offset[l] of buffer[l]. */
static struct shf_thread *
add(struct bench *b, unsigned text, const uint32_t *offset, const uint32_t *buffer)
{
   static struct emul_program *programs[TEXTS];
   if (!programs[text]) {
      char whole[128];
      snprintf(whole, sizeof(whole), ".fragment\n.temps 1\n%s\nMOV o0, r0\nEND\n", texts[text]);
      programs[text] = bench_program(whole);
   }
   const unsigned op = emul_program_isa(programs[text])->instrs[0].op;
   struct shf_thread *t = load_bench_add(b, programs[text], offset, buffer);
   t->emul.storage = b->buffers;
   t->emul.images = b->images;
   memset(t->emul.temps, 0, sizeof(*t->emul.temps));
   for (unsigned l = 0; l < EMUL_LANES && attila_isa_ops[op].num_srcs == 3; l++) {
      for (unsigned c = 0; c < 4; c++) {
         const uint32_t word =
             bench_hash((b->count - 1) * 64 + l * 4 + c) >> (text == SWAP ? 31 : 0);
         memcpy(&t->inputs[1].c[c][l], &word, 4);
      }
   }
   emul_thread_start(&t->emul, programs[text], 0xffff, true, 1u << 16);
   assert_int_equal(emul_thread_step(&t->emul), EMUL_STEP_MEMORY);
   return t;
}

/* Input l accesses what is l * step bytes, or texels, behind offset. */
static void
add_steps_of(struct bench *b, unsigned text, uint32_t buffer, uint32_t offset, uint32_t step)
{
   uint32_t offsets[EMUL_LANES], buffers[EMUL_LANES];
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      offsets[l] = offset + l * step;
      buffers[l] = buffer;
   }
   add(b, text, offsets, buffers);
}
static void
add_steps(struct bench *b, unsigned text, uint32_t offset, uint32_t step)
{
   add_steps_of(b, text, 0, offset, step);
}

/* Buffers of texels of 1, 2, 4 and 16 bytes. */
static void
bind_images(struct bench *b)
{
   static const uint8_t formats[] = {ATTILA_FORMAT_R8_UNORM, ATTILA_FORMAT_R8G8_SINT,
                                     ATTILA_FORMAT_R32_UINT, ATTILA_FORMAT_R32G32B32A32_UINT};
   for (unsigned i = 0; i < 4; i++)
      b->images[i] = (struct attila_image){
          .address = BUFFER + 256 * i, .format = formats[i], .width = 600, .height = 1, .depth = 1};
}

static void
run(struct bench *b, uint32_t spread)
{
   struct sim_gpu *g = b->gpu;
   struct sim_box *shader = bench_mock(g, shader_work, b),
                  *memory = bench_mock(g, bench_memory_work, &b->memory);
   b->unit = sim_box_create(&g->kernel, g, &lsu_class, 0);
   BENCH_CONNECT(g, BENCH_BOX(shdx, shader), BENCH_BOX(shf, shader), BENCH_BOX(lsu, b->unit),
                 BENCH_BOX(mc, memory));
   b->memory.requests = &g->net.lsu_mc[0];
   b->memory.responses = &g->net.mc_lsu[0];
   b->to = &g->net.shdx_lsu[0];
   b->from = &g->net.lsu_shf[0];
   b->before = malloc(g->device->memory_size);
   memcpy(b->before, g->device->memory, g->device->memory_size);
   load_bench_run(b, shader, spread);
}

/* Compares results and memory with the emulator's, which executes the instructions in turn. */
static void
check_values(const struct bench *b)
{
   for (unsigned i = 0; i < b->count; i++) {
      const struct shf_thread *t = b->threads[i];
      struct emul_vec4 result;
      emul_memory_execute(&t->emul.request, b->before, &result);
      const struct emul_instr *in = &t->emul.program->instrs[0];
      for (unsigned c = 0; c < 4 && attila_isa_ops[in->op].has_dst; c++) {
         if ((in->write_mask >> c & 1) &&
             memcmp(t->emul.temps[0].c[c], result.c[c], sizeof(result.c[c])))
            fail_msg("instruction %u (%s): component %u", i, attila_isa_ops[in->op].name, c);
      }
      assert_int_equal(t->emul.pc, 1);
   }
   assert_memory_equal(b->gpu->device->memory, b->before, b->gpu->device->memory_size);
}

static void
end(struct bench *b)
{
   check_values(b);
   load_bench_end(b);
}

static void
loads_take_a_cycle_for_each_segment(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   add_steps(&b, LOAD, 128, 0);
   add_steps(&b, LOAD_1, 128, 4); /* 64 bytes in a row */
   add_steps(&b, LOAD_1, 132, 4); /* begin in a segment, end in the next */
   add_steps(&b, LOAD, 0, 16);    /* 256 bytes */
   add_steps(&b, LOAD_1, 0, 64);
   run(&b, 0);
   static const unsigned segments[] = {1, 1, 2, 4, 16};
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(time_of(&b, i), ALONE + segments[i] - 1);
   assert_int_equal(stat(b.unit, "ReadRequests"), 24);
   assert_int_equal(stat(b.unit, "MemoryRequests"), 24);
   assert_int_equal(stat(b.unit, "ReadBytes"), 16 + 64 + 64 + 256 + 16 * 4);
   assert_int_equal(stat(b.unit, "Requests"), 5);
   assert_int_equal(stat(b.unit, "AccessingInputs"), 5 * EMUL_LANES);
   assert_int_equal(stat(b.unit, "ResultLatency"), 5 * (ALONE - 2) + 0 + 0 + 1 + 3 + 15);
   end(&b);
}

static void
stores_take_a_cycle_for_each_run_of_words(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   add_steps(&b, STORE, 128, 0); /* the last input's remains */
   add_steps(&b, STORE, 192, 4);
   add_steps(&b, STORE, 0, 8); /* every second word */
   add_steps(&b, STORE_4, 512, 16);
   add_steps(&b, STORE_4, 1024, 4); /* overlap */
   run(&b, 0);
   static const unsigned runs[] = {1, 1, 16, 4, 2};
   for (unsigned i = 0; i < 5; i++)
      assert_int_equal(time_of(&b, i), ALONE + runs[i] - 1);
   assert_int_equal(stat(b.unit, "WriteRequests"), 24);
   assert_int_equal(stat(b.unit, "WriteBytes"), 4 + 64 + 64 + 256 + 76);
   end(&b);
}

static void
atomic_operations_take_a_cycle_for_each_input(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   add_steps(&b, ADD, 64, 0);
   add_steps(&b, XOR, 0, 4);
   run(&b, 0);
   /* The mock does one a cycle in a block. */
   assert_int_equal(time_of(&b, 0), ALONE + 15);
   assert_int_equal(time_of(&b, 1), ALONE + 15);
   assert_int_equal(stat(b.unit, "AtomicRequests"), 32);
   end(&b);
}

static void
instructions_without_an_access_need_no_memory(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   add_steps(&b, LOAD, BYTES, 16);
   add_steps(&b, STORE, UINT32_MAX - 256, 16);
   add_steps(&b, ADD, BYTES, 0);
   add_steps(&b, BYTES_OF, 0, 0);
   run(&b, 0);
   for (unsigned i = 0; i < 4; i++)
      assert_int_equal(time_of(&b, i), NOTHING);
   assert_int_equal(stat(b.unit, "OutsideRequests"), 4);
   assert_int_equal(b.memory.count, 0);
   end(&b);
}

static void
instructions_overlap_as_far_as_they_may(void **state)
{
   (void)state;
   for (unsigned operations = 1; operations <= 8; operations *= 8) {
      struct bench b;
      bench_begin(&b, 0);
      b.together = 8;
      b.gpu->config.shader.lsu_operations = operations;
      for (unsigned i = 0; i < 8; i++)
         add_steps(&b, LOAD, 1024 * i, 0);
      run(&b, 0);
      /* Of one at a time each is taken in the cycle in which the one before ends. */
      for (unsigned i = 1; i < 8; i++)
         assert_int_equal(b.answer[i] - b.answer[i - 1], operations == 1 ? ALONE - 2 : 1);
      assert_int_equal(stat(b.unit, "StallsOperations") > 0, operations == 1);
      end(&b);
   }
}

static void
requests_wait_for_those_that_are_not_answered(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   b.gpu->config.shader.lsu_requests = 4;
   add_steps(&b, LOAD_1, 0, 256);
   run(&b, 0);
   /* Four in four cycles, the next ones as these come back, 12 cycles later. */
   assert_int_equal(time_of(&b, 0), ALONE + 3 * 12 + 3);
   assert_int_equal(stat(b.unit, "StallsRequests"), 3 * 8);
   end(&b);
}

static void
texels_of_a_segment_are_a_request_whatever_their_size(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 0);
   bind_images(&b);
   add_steps_of(&b, LOAD_TEXEL, 0, 0, 1);    /* 16 bytes */
   add_steps_of(&b, LOAD_TEXEL, 1, 24, 1);   /* 16 of a segment, 16 of the next */
   add_steps_of(&b, LOAD_TEXEL, 3, 16, 1);   /* 256 bytes */
   add_steps_of(&b, STORE_TEXEL, 0, 64, 1);  /* a run of 16 bytes */
   add_steps_of(&b, STORE_TEXEL, 0, 128, 2); /* single bytes */
   add_steps_of(&b, ADD_TEXEL, 2, 7, 0);
   add_steps_of(&b, ADD_TEXEL, 1, 7, 0); /* no words */
   add_steps_of(&b, SIZE_OF, 3, 7, 0);
   run(&b, 0);
   static const unsigned requests[] = {1, 2, 4, 1, 16, 16};
   for (unsigned i = 0; i < 6; i++)
      assert_int_equal(time_of(&b, i), ALONE + requests[i] - 1);
   for (unsigned i = 6; i < 8; i++)
      assert_int_equal(time_of(&b, i), NOTHING);
   assert_int_equal(stat(b.unit, "ReadBytes"), 16 + 32 + 256);
   assert_int_equal(stat(b.unit, "WriteBytes"), 16 + 16);
   assert_int_equal(stat(b.unit, "WriteRequests"), 17);
   assert_int_equal(stat(b.unit, "ImageRequests"), 8);
   end(&b);
}

static void
any_instructions_do_what_the_emulator_does_on_any_machine(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 16; n++) {
      struct bench b;
      bench_begin(&b, n);
      bind_images(&b);
      for (unsigned i = 0; i < 5; i++)
         b.buffers[1 + i] =
             (struct emul_const_buffer){4 * (bench_hash(i) % 12000), bench_hash(i + 9) % 900};
      if (n % 2) {
         b.gpu->config.shader.lsu_segment = 32u << n % 4;
         b.gpu->config.shader.lsu_latency = 1 + n % 7;
         b.gpu->config.shader.lsu_queue = 1 + n % 5;
         b.gpu->config.shader.lsu_operations = 1 + n % 3;
         b.gpu->config.shader.lsu_requests = 1 + n % 11;
      }
      for (unsigned i = 0; i < OPS; i++) {
         uint32_t offset[EMUL_LANES], buffer[EMUL_LANES];
         for (unsigned l = 0; l < EMUL_LANES; l++) {
            const uint32_t h = bench_hash(n * 100000 + i * 16 + (i % 3 ? l : 0));
            offset[l] = h % (i % 2 ? 300 : BYTES + 1000);
            buffer[l] = i % 4 ? 0 : h >> 20 & 7;
         }
         add(&b, bench_hash(n + 77 * i) % TEXTS, offset, buffer);
      }
      run(&b, 40);
      end(&b);
   }
}

/* Under way together, instructions of different groups on the same words are done in order where
 * memory keeps the order of a block. */
static void
order_free_operations_of_groups_under_way_add_up(void **state)
{
   (void)state;
   struct bench b;
   bench_begin(&b, 3);
   b.together = 16;
   for (unsigned i = 0; i < OPS; i++)
      add_steps(&b, XOR, 4 * (i % 7), 4 * (i % 3));
   run(&b, 30);
   end(&b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(loads_take_a_cycle_for_each_segment),
       cmocka_unit_test(stores_take_a_cycle_for_each_run_of_words),
       cmocka_unit_test(atomic_operations_take_a_cycle_for_each_input),
       cmocka_unit_test(instructions_without_an_access_need_no_memory),
       cmocka_unit_test(instructions_overlap_as_far_as_they_may),
       cmocka_unit_test(requests_wait_for_those_that_are_not_answered),
       cmocka_unit_test(texels_of_a_segment_are_a_request_whatever_their_size),
       cmocka_unit_test(any_instructions_do_what_the_emulator_does_on_any_machine),
       cmocka_unit_test(order_free_operations_of_groups_under_way_add_up),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
