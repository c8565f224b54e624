/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command processor and caches' contents: flushes when surfaces change, what it sends HZ,
 * programs loaded before, caches invalidated before the draw that could read stale data. */
#include "cp_bench.h"

static void
test_changing_surfaces_empties_no_cache(void **state)
{
   struct machine *m = create(true);
   uint32_t first = m->s.regs.color[0].address;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.color[0].address = stream_alloc(&m->s, 64 * 64 * 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.zs_address = stream_alloc(&m->s, 64 * 64 * 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* Lines and bounds of the old buffers stay where they are. */
   assert_string_equal(sequence(m), "tsDEDEDE");
   /* The first colour buffer becomes the depth buffer: it leaves the colour writers, nothing else
    * does. */
   m->s.regs.zs_address = first;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 2);
   m->num_log = 0;
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "cgtsDE");
   assert_int_equal(m->log[0].value, first);
   destroy(m);
}

/* More surfaces than the command processor remembers: the one used longest ago leaves the caches.
 */
static void
test_oldest_surface_leaves_the_caches(void **state)
{
   enum { SURFACES = 18 };
   struct machine *m = create(false);
   uint32_t address[SURFACES];
   for (unsigned i = 0; i < SURFACES; i++) {
      m->s.regs.color[0].address = address[i] = stream_alloc(&m->s, 64 * 64 * 4);
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      if (i == 10) { /* not the oldest any more */
         m->s.regs.color[0].address = address[0];
         stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      }
   }
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   unsigned left = 0;
   for (unsigned i = 0; i < m->num_log; i++) {
      assert_int_not_equal(m->log[i].what, FLUSH_ZST);
      if (m->log[i].what == FORGET_CW)
         assert_int_equal(m->log[i].value, address[1 + left++ / ROPS]);
   }
   assert_int_equal(left, 2 * ROPS);
   destroy(m);
}

/* Surfaces that lie in each other in part make no sense, but the machine goes on. */
static void
test_overlapping_surfaces_do_not_stop_the_machine(void **state)
{
   struct machine *m = create(false);
   uint32_t memory = stream_alloc(&m->s, 5 * 64 * 64 * 4);
   for (unsigned i = 0; i < 6; i++) {
      m->s.regs.color[0].address = memory + i % 3 * 0x1000;
      m->s.regs.zs_address = memory + 0x2800 + i % 2 * 0x1000;
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   }
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_int_equal(m->gpu->device->fence, 1);
   destroy(m);
   /* A surface that has been written back leaves the caches when a draw targets one that begins
    * inside it, since a block of both may be another ROP's there. An upload beside the second one
    * flushes nothing, one into it does. */
   m = create(false);
   memory = stream_alloc(&m->s, 2 * 64 * 64 * 4);
   m->s.regs.color[0].address = memory;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_flush(&m->s);
   m->s.regs.color[0].address = memory + 0x3000;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_command(&m->s, ATTILA_CMD_WRITE_BUFFER, (const uint32_t[4]){memory, 8, 1, 2}, 4);
   stream_command(&m->s, ATTILA_CMD_WRITE_BUFFER, (const uint32_t[4]){memory + 0x3000, 8, 1, 2}, 4);
   submit(m, false);
   const char *text = sequence(m);
   assert_string_equal(text + strlen(text) - 8, "czgDFEcg");
   destroy(m);
}

static void
test_depth_functions_do_not_drain_the_pipeline(void **state)
{
   struct machine *m = create(true);
   const struct {
      uint32_t planes;
      float depth;
      uint32_t stencil;
   } clear = {3, 1.0f, 0};
   stream_regs(&m->s);
   stream_command(&m->s, ATTILA_CMD_CLEAR_ZS, &clear, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.z_func = ATTILA_FUNC_EQUAL;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.z_func = ATTILA_FUNC_ALWAYS; /* may move depth away */
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.z_write = 0;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* Late depth test does not overlap with early. */
   stream_program(&m->s, ATTILA_STAGE_FRAGMENT, ".fragment\nKIL i1.x\nMOV o0, i1\nEND\n");
   m->s.regs.z_write = 1;
   m->s.regs.z_func = ATTILA_FUNC_LESS;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* The upload of the program waits for all draws before it. */
   assert_string_equal(sequence(m), "ZHtsDDDDEDEEEEtsDE");
   uint32_t epochs[6], n = 0;
   for (unsigned i = 0; i < m->num_log; i++) {
      if (m->log[i].what == DRAW)
         epochs[n++] = m->log[i].value;
   }
   /* Every draw has an epoch of its own. */
   for (unsigned i = 1; i < 6; i++)
      assert_int_equal(epochs[i], epochs[i - 1] + 1);
   destroy(m);
}

static void
test_late_draw_waits_for_early_draws(void **state)
{
   struct machine *m = create(true);
   struct attila_isa_program isa;
   char error[200];
   assert_true(
       attila_isa_assemble(".fragment\nKIL i1.x\nMOV o0, i1\nEND\n", &isa, error, sizeof(error)));
   uint8_t binary[512];
   assert_true(attila_isa_encoded_size(&isa) <= sizeof(binary));
   attila_isa_encode(&isa, binary);
   struct attila_cmd_program cmd = {ATTILA_STAGE_FRAGMENT,
                                    stream_upload(&m->s, binary, attila_isa_encoded_size(&isa)),
                                    (uint32_t)attila_isa_encoded_size(&isa)};
   attila_isa_free(&isa);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_command(&m->s, ATTILA_CMD_LOAD_PROGRAM, &cmd, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsDEDDEE");
   destroy(m);
}

static struct attila_cmd_program
upload_program(struct machine *m, uint32_t *first_word)
{
   struct attila_isa_program isa;
   char error[200];
   uint8_t binary[512];
   assert_true(attila_isa_assemble(".fragment\nMOV o0, i1\nEND\n", &isa, error, sizeof(error)));
   assert_true(attila_isa_encoded_size(&isa) <= sizeof(binary));
   attila_isa_encode(&isa, binary);
   memcpy(first_word, binary, 4);
   const uint32_t size = (uint32_t)attila_isa_encoded_size(&isa);
   attila_isa_free(&isa);
   return (struct attila_cmd_program){ATTILA_STAGE_FRAGMENT, stream_upload(&m->s, binary, size),
                                      size};
}

/* Loads of two programs in turn, and how many of them are read. */
static void
loads(uint32_t room, bool write, unsigned held)
{
   struct machine *m = create(false);
   m->gpu->config.cp.instruction_memory = room;
   uint32_t words[3] = {0, 4, 0}; /* writes what is there */
   struct attila_cmd_program cmd[2];
   for (unsigned i = 0; i < 2; i++)
      cmd[i] = upload_program(m, &words[2]);
   words[0] = cmd[1].address;
   for (unsigned i = 0; i < 6; i++) {
      stream_command(&m->s, ATTILA_CMD_LOAD_PROGRAM, &cmd[i % 2], 3);
      if (write && i == 3) {
         const uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 3);
         stream_words(&m->s, &header, 1);
         stream_words(&m->s, words, 3);
      }
   }
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_int_equal(stat(m->cp, "ProgramsHeld"), held);
   destroy(m);
}

/* A program that the instruction memory holds is not read again, unless its memory was written. */
static void
test_loaded_program_is_not_read_again(void **state)
{
   loads(4096, false, 4);
   loads(4096, true, 3);
   loads(0, false, 0);
}

static void
test_write_without_waiting_overlaps_with_draws(void **state)
{
   struct machine *m = create(true);
   uint8_t data[1000];
   for (unsigned i = 0; i < sizeof(data); i++)
      data[i] = (uint8_t)(i * 7 + 1);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* Without waiting: the draw before goes on, the draw behind starts after the data is there and
    * caches are invalid.
    */
   const uint32_t no_wait[2] = {0x20003, 1000 | ATTILA_BUFFER_NO_WAIT};
   uint32_t header = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_BUFFER, 2 + 250);
   stream_words(&m->s, &header, 1);
   stream_words(&m->s, no_wait, 2);
   stream_words(&m->s, data, 250);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned i = 0; i < 3; i++) /* cycles in which the draw arrives */
      stream_command(&m->s, ATTILA_CMD_NOP, no_wait, 0);
   submit(m, false);
   assert_string_equal(sequence(m), "tsDtsD");
   const uint32_t wait[2] = {0x30001, 1000};
   stream_words(&m->s, &header, 1);
   stream_words(&m->s, wait, 2);
   stream_words(&m->s, data, 250);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsDtsDEEtsDE");
   assert_true(m->streamer_told >= 3);
   assert_int_equal(m->constants_told, m->streamer_told * SHADERS);
   assert_memory_equal(m->gpu->device->memory + 0x20003, data, 1000);
   assert_memory_equal(m->gpu->device->memory + 0x30001, data, 1000);
   /* 1000 bytes from 3 after a boundary: 253, 256, 256, 235; cycles of the bus: 8 bytes each. */
   uint8_t back[600];
   m->gpu->device->read.dst = back;
   m->gpu->device->read.size = sizeof(back);
   const uint32_t get[2] = {0x30001 + 100, 600};
   stream_command(&m->s, ATTILA_CMD_READ_BUFFER, get, 2);
   sim_tick before = m->gpu->kernel.now;
   submit(m, false);
   assert_memory_equal(back, data + 100, 600);
   assert_true(m->gpu->kernel.now - before >= 600 / 8);
   destroy(m);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_changing_surfaces_empties_no_cache),
       cmocka_unit_test(test_oldest_surface_leaves_the_caches),
       cmocka_unit_test(test_overlapping_surfaces_do_not_stop_the_machine),
       cmocka_unit_test(test_depth_functions_do_not_drain_the_pipeline),
       cmocka_unit_test(test_late_draw_waits_for_early_draws),
       cmocka_unit_test(test_write_without_waiting_overlaps_with_draws),
       cmocka_unit_test(test_loaded_program_is_not_read_again),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
