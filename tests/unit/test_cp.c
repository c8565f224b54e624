/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command processor: which draws overlap, waits, conditions, memory transfers, and time that
 * does not depend on when words arrive. What it does for coherence: test_cp_coherence.c. */
#include "cp_bench.h"

static void
test_four_draws_overlap(void **state)
{
   struct machine *m = create(true);
   for (unsigned i = 0; i < 6; i++)
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, i, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* Four draws in flight, the fifth waits for the first; caches were written by the program
    * uploads. */
   assert_string_equal(sequence(m), "tsDDDDEDEDEEEE");
   assert_int_equal(m->gpu->device->fence, 1);
   destroy(m);
}

/* One draw in the geometry phase while another is in the fragment phase. */
static void
test_geometry_overlaps_with_fragments_before(void **state)
{
   struct machine *m = create(false);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned i = 0; i < 3; i++)
      draw_again(m);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsFDDEFDEFDEFE");
   /* The second's geometry begins when the first's has ended, which the command processor learns
    * 4 cycles later; the draw is on its way for 3. Its fragments begin when the first's have ended;
    * a cycle for each signal. */
   assert_int_equal(when(m, DRAW, 1) - when(m, DRAW, 0), GEOMETRY_TIME + 4 + 3);
   assert_int_equal(when(m, FRAGMENTS, 1) - when(m, DRAW_END, 0), 2);
   destroy(m);
   /* Not even that. */
   m = create(false);
   m->gpu->config.cp.pipelined = false;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   draw_again(m);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   assert_string_equal(sequence(m), "tsFDEFDE");
   destroy(m);
}

/* Registers that are written while a phase is busy are written when it is idle, one a cycle; a full
 * buffer stops the command processor. */
static void
test_register_writes_wait_for_their_phase(void **state)
{
   const uint32_t viewport[4] = {ATTILA_REG(viewport_scale), 0x41000000, 0x41000000, 0x3f000000};
   const uint32_t blend[5] = {ATTILA_REG(blend_color), 1, 2, 3, 4};
   sim_tick geometry[2], fragments[2];
   for (unsigned many = 0; many < 2; many++) {
      struct machine *m = create(false);
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      if (many) {
         stream_command(&m->s, ATTILA_CMD_WRITE_REGS, viewport, 4);
         stream_command(&m->s, ATTILA_CMD_WRITE_REGS, blend, 5);
      }
      draw_again(m);
      add_fence(m, 1);
      submit(m, false);
      geometry[many] = when(m, DRAW, 1) - when(m, DRAW, 0);
      fragments[many] = when(m, FRAGMENTS, 1) - when(m, DRAW_END, 0);
      destroy(m);
   }
   assert_int_equal(geometry[1] - geometry[0], 3);
   assert_int_equal(fragments[1] - fragments[0], 4);
   /* Eight updates where four or eight fit. */
   for (unsigned fit = 0; fit < 2; fit++) {
      struct machine *m = create(false);
      m->gpu->config.cp.update_buffer = fit ? 8 : 4;
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      stream_command(&m->s, ATTILA_CMD_WRITE_REGS, blend, 5);
      stream_command(&m->s, ATTILA_CMD_WRITE_REGS, blend, 5);
      submit(m, false);
      assert_int_equal(when(m, FRAGMENTS, 0) + DRAW_TIME > m->gpu->kernel.now, fit);
      destroy(m);
   }
}

/* A fence and a counter that wait for a draw hold nothing up. */
static void
test_fence_and_counter_hold_nothing_up(void **state)
{
   struct machine *m = create(false);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   const uint32_t count[2] = {ATTILA_COUNTER_SAMPLES_PASSED, 0x20000};
   stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER, count, 2);
   const uint32_t time[2] = {ATTILA_COUNTER_GPU_CYCLES, 0x20008};
   stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER, time, 2);
   add_fence(m, 1);
   draw_again(m);
   stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER, (const uint32_t[2]){count[0], 0x20010}, 2);
   m->samples = 1000; /* of each draw, counted while its fragments begin */
   submit(m, false);
   assert_int_equal(m->gpu->device->fence, 1);
   sim_tick first = when(m, DRAW_END, 0);
   assert_int_equal(when(m, FRAGMENTS, 1) - first, 2);
   wait_idle(m);
   const uint64_t *got = (const uint64_t *)(m->gpu->device->memory + 0x20000);
   assert_int_equal(got[0], 1000);
   assert_in_range(got[1], first, first + 2);
   assert_int_equal(got[2], 2000);
   destroy(m);
   /* Without anything before them they happen at once. */
   m = create(false);
   add_fence(m, 7);
   submit(m, false);
   assert_int_equal(m->gpu->device->fence, 7);
   /* As many as can wait. */
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned i = 0; i < 80; i++)
      add_fence(m, 10 + i);
   submit(m, false);
   assert_int_equal(m->gpu->device->fence, 89);
   destroy(m);
}

/* A conditional draw is skipped when no sample passed, without draining for anything else. */
static void
test_conditional_draw_is_skipped_without_samples(void **state)
{
   for (unsigned n = 0; n < 4; n++) {
      struct machine *m = create(false);
      uint32_t passed = n & 1, inverted = n >> 1;
      m->samples = passed;
      stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER,
                     (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, 0x20000}, 2);
      stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
      stream_command(&m->s, ATTILA_CMD_WRITE_COUNTER,
                     (const uint32_t[2]){ATTILA_COUNTER_SAMPLES_PASSED, 0x20008}, 2);
      const struct attila_cmd_condition c = {.address = 0x20000, .count = 1, .inverted = inverted};
      stream_command(&m->s, ATTILA_CMD_CONDITION, &c, sizeof(c) / 4);
      const struct attila_cmd_draw conditional = {.prim = ATTILA_PRIM_TRIANGLES,
                                                  .count = 3,
                                                  .num_instances = 1,
                                                  .flags = ATTILA_DRAW_CONDITIONAL};
      stream_command(&m->s, ATTILA_CMD_DRAW, &conditional, sizeof(conditional) / 4);
      draw_again(m);
      add_fence(m, 1);
      submit(m, false);
      wait_idle(m);
      unsigned draws = 0;
      for (unsigned i = 0; i < m->num_log; i++)
         draws += m->log[i].what == DRAW;
      assert_int_equal(draws, passed != inverted ? 3 : 2);
      destroy(m);
   }
}

/* What the driver believes about which commands wait. */
static void
test_commands_wait_as_the_driver_believes(void **state)
{
   static const uint32_t payload[] = {0x30000, 8, 0, 0, 0, 0, 8, 0x40000, 1, 0, 0,
                                      0,       0, 0, 8, 8, 1, 4, 1,       0, 0};
   static const struct {
      enum attila_opcode op;
      uint32_t words;
   } commands[] = {
       {ATTILA_CMD_READ_BUFFER, 2}, {ATTILA_CMD_CLEAR_COLOR, 5},   {ATTILA_CMD_CLEAR_ZS, 3},
       {ATTILA_CMD_BLIT, 21},       {ATTILA_CMD_FLUSH, 1},         {ATTILA_CMD_SWAP, 6},
       {ATTILA_CMD_END_FRAME, 0},   {ATTILA_CMD_WRITE_COUNTER, 2}, {ATTILA_CMD_FENCE, 2},
       {ATTILA_CMD_NOP, 0},         {ATTILA_CMD_WRITE_REGS, 2},    {ATTILA_CMD_CONTEXT, 1},
       {ATTILA_CMD_WRITE_BUFFER, 4}};
   for (unsigned i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
      for (unsigned overlap = 0; overlap < 2; overlap++) {
         struct machine *m = create(overlap);
         uint32_t words[21];
         memcpy(words, payload, sizeof(words));
         switch (commands[i].op) {
         case ATTILA_CMD_CLEAR_COLOR:
         case ATTILA_CMD_CLEAR_ZS:
         case ATTILA_CMD_FLUSH:
            words[0] = 1;
            break;
         case ATTILA_CMD_SWAP:
            memcpy(words, (const uint32_t[6]){0x1000, ATTILA_FORMAT_R8G8B8A8_UNORM, 8, 64, 64, 0},
                   24);
            break;
         case ATTILA_CMD_WRITE_COUNTER:
            words[0] = 0, words[1] = 0x30000;
            break;
         case ATTILA_CMD_WRITE_REGS:
            words[0] = ATTILA_REG(blend_color);
            break;
         case ATTILA_CMD_CONTEXT:
            words[0] = 0;
            break;
         case ATTILA_CMD_WRITE_BUFFER:
            words[1] = 8 | ATTILA_BUFFER_NO_WAIT;
            break;
         default:
            break;
         }
         stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
         stream_command(&m->s, commands[i].op, words, commands[i].words);
         submit(m, false);
         bool ended = false;
         for (unsigned n = 0; n < m->num_log; n++)
            ended |= m->log[n].what == DRAW_END;
         if (ended != attila_cmd_waits(commands[i].op))
            fail_msg("command %s %s", sim_command_name(commands[i].op),
                     ended ? "waits" : "does not wait");
         destroy(m);
      }
   }
}

static void
test_blit_and_swap(void **state)
{
   struct machine *m = create(true);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   struct attila_cmd_blit b = {.src = {.address = 4096, .pitch_tiles = 8},
                               .dst = {.address = 0x80000, .pitch_tiles = 8},
                               .width = 8,
                               .height = 8,
                               .depth = 1,
                               .element_bytes = 4,
                               .samples = 1};
   stream_command(&m->s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   /* Over the depth buffer: HZ must forget. */
   b.dst.address = m->s.regs.zs_address;
   stream_command(&m->s, ATTILA_CMD_BLIT, &b, sizeof(b) / 4);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   const struct attila_cmd_swap swap = {.address = m->s.regs.color[0].address,
                                        .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                        .pitch_tiles = 8,
                                        .width = 64,
                                        .height = 64};
   stream_command(&m->s, ATTILA_CMD_SWAP, &swap, ATTILA_SWAP_WORDS);
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   add_fence(m, 1);
   submit(m, false);
   wait_idle(m);
   /* Both read the colour buffer; the second goes over the depth buffer. */
   assert_string_equal(sequence(m), "tsDEcbtsDEczybhtsDEcwDE");
   assert_int_equal(m->gpu->device->observed.frame, 1);
   assert_int_equal(m->gpu->device->observed.draws, 1);
   destroy(m);
}

/* A bad draw and an empty one are skipped; a bad command stops the run with a message. */
static void
test_bad_draw_is_skipped_and_bad_command_stops(void **state)
{
   struct machine *m = create(true);
   m->s.regs.color[0].pitch_tiles = 1;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 3);
   m->s.regs.color[0].pitch_tiles = 8;
   stream_draw(&m->s, ATTILA_PRIM_TRIANGLES, 0, 0);
   add_fence(m, 3);
   submit(m, false);
   assert_string_equal(sequence(m), "");
   assert_int_equal(m->gpu->device->fence, 3);
   uint32_t words[2] = {ATTILA_CMD_HEADER(99, 1), 0};
   m->gpu->device->queue = (struct sim_command_queue){.words = words, .tail = 2};
   m->gpu->cp_starved = false;
   sim_box_wake(m->cp, m->gpu->kernel.now + 1);
   assert_false(sim_kernel_run(&m->gpu->kernel, &m->gpu->cp_starved));
   assert_non_null(strstr(m->gpu->kernel.error, "CP"));
   destroy(m);
}

/* The same events in the same cycles when the words come one command at a time. */
static void
test_cycles_do_not_depend_on_submission_sizes(void **state)
{
   struct machine *m[2] = {create(true), create(true)};
   for (unsigned i = 0; i < 2; i++) {
      struct machine *x = m[i];
      for (unsigned n = 0; n < 12; n++) {
         const uint32_t flush = n % 8;
         uint8_t data[777] = {0};
         x->s.regs.z_func = n % 5;
         stream_draw(&x->s, ATTILA_PRIM_TRIANGLES, 0, 3);
         stream_command(&x->s, ATTILA_CMD_NOP, &flush, 0);
         if (n % 3 == 0)
            stream_upload(&x->s, data, 5 + 64 * n);
         if (n % 4 == 3)
            stream_command(&x->s, ATTILA_CMD_FLUSH, &flush, 1);
         if (n % 5 == 4)
            stream_counter(&x->s, ATTILA_COUNTER_GPU_CYCLES);
      }
      add_fence(x, 1);
      submit(x, i == 1);
   }
   assert_int_equal(m[0]->gpu->kernel.now, m[1]->gpu->kernel.now);
   assert_int_equal(m[0]->num_log, m[1]->num_log);
   for (unsigned i = 0; i < m[0]->num_log; i++) {
      assert_int_equal(m[0]->log[i].what, m[1]->log[i].what);
      assert_int_equal(m[0]->log[i].tick, m[1]->log[i].tick);
   }
   assert_memory_equal(m[0]->gpu->device->memory, m[1]->gpu->device->memory, 1 << 20);
   destroy(m[0]);
   destroy(m[1]);
}

/* The command processor does not fetch notes: no event is later by one. */
static void
test_notes_take_no_cycle(void **state)
{
   static const uint32_t note[40] = {0x41414141};
   struct machine *m[2] = {create(true), create(true)};
   for (unsigned i = 0; i < 2; i++) {
      struct stream *s = &m[i]->s;
      for (unsigned n = 0; n < 6; n++) {
         stream_draw(s, ATTILA_PRIM_TRIANGLES, n, 3);
         if (!i)
            continue;
         /* A command behind the draw becomes its note. */
         const size_t draw = s->num - 1 - ATTILA_DRAW_WORDS;
         stream_command(s, ATTILA_CMD_NOP, note, 40);
         s->words[draw] = ATTILA_CMD_HEADER(ATTILA_CMD_DRAW, ATTILA_DRAW_WORDS + 41);
      }
      add_fence(m[i], 1);
      submit(m[i], false);
   }
   assert_int_equal(m[0]->gpu->kernel.now, m[1]->gpu->kernel.now);
   assert_int_equal(m[0]->num_log, m[1]->num_log);
   for (unsigned i = 0; i < m[0]->num_log; i++) {
      assert_int_equal(m[0]->log[i].what, m[1]->log[i].what);
      assert_int_equal(m[0]->log[i].tick, m[1]->log[i].tick);
   }
   destroy(m[0]);
   destroy(m[1]);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_four_draws_overlap),
       cmocka_unit_test(test_geometry_overlaps_with_fragments_before),
       cmocka_unit_test(test_register_writes_wait_for_their_phase),
       cmocka_unit_test(test_fence_and_counter_hold_nothing_up),
       cmocka_unit_test(test_conditional_draw_is_skipped_without_samples),
       cmocka_unit_test(test_commands_wait_as_the_driver_believes),
       cmocka_unit_test(test_blit_and_swap),
       cmocka_unit_test(test_bad_draw_is_skipped_and_bad_command_stops),
       cmocka_unit_test(test_cycles_do_not_depend_on_submission_sizes),
       cmocka_unit_test(test_notes_take_no_cycle),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
