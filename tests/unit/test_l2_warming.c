/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the L2 holds as cycle mode begins: the lines and sectors that functional mode used last, by
 * their times (box/memory/l2_warming.c). Mock clients then look what is there (l2_system.h). Not
 * here: what functional mode notes (func/func_uses.c), how near warm starts come
 * (test_warm_start.c). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include "l2_system.h"
#include "box/sim_warming.h"

static struct l2_system
start(const char *settings)
{
   return l2_system_setup(settings, 600, 0);
}

static void
test_functional_mode_empties_it(void **state)
{
   struct l2_system s = start("");
   l2_system_one(&s, CP, 0x1000, 64, true);
   l2_system_one(&s, CP, 0x1000, 64, false);
   assert_int_equal(l2_stat(&s, "Hits_CommandProcessor"), 1);
   for (unsigned i = 0; i < s.gpu->config.mc.channels; i++)
      l2_class.warm(s.slice[i], &(struct sim_warming){.kind = SIM_WARM_LEAVE});
   l2_system_one(&s, CP, 0x1000, 64, false);
   assert_int_equal(l2_stat(&s, "Hits_CommandProcessor"), 1);
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 0); /* memory has the bytes */
   memory_bench_destroy(s.gpu);
}

/* A slice of two lines that functional mode has led to. */
static struct l2_system
start_warm(const char *settings)
{
   struct l2_system s = start(settings);
   struct sim_device *d = s.gpu->device;
   assert_true(sim_blocks_init(&d->blocks, d->memory_size));
   assert_true(sim_uses_init(&d->uses, d->memory_size, (1u << SIM_NUM_USERS) - 1));
   return s;
}

static void
fill(struct l2_system *s)
{
   for (unsigned i = 0; i < s->gpu->config.mc.channels; i++)
      l2_class.warm(s->slice[i], &(struct sim_warming){.kind = SIM_WARM_FILL});
}

static void
end_warm(struct l2_system *s)
{
   sim_blocks_fini(&s->gpu->device->blocks);
   sim_uses_fini(&s->gpu->device->uses);
   memory_bench_destroy(s->gpu);
}

static void
test_cycle_mode_finds_what_functional_mode_used_last(void **state)
{
   struct l2_system s = start_warm("L2.Ways=2;L2.Lines=1;MEMORYCONTROLLER.V2MemoryChannels=1");
   struct sim_uses *u = &s.gpu->device->uses;
   sim_use(u, SIM_USER_COLOR, 0x8000, 0x8080, true); /* written back before */
   sim_use(u, SIM_USER_TEXTURES, 0x1000, 0x1040, false);
   sim_use(u, SIM_USER_COLOR, 0x1040, 0x1080, true);
   sim_use(u, SIM_USER_DISPLAY, 0x4000, 0x4004, false);
   fill(&s);
   l2_system_one(&s, CP, 0x1000, 64, false);
   l2_system_one(&s, CP, 0x1040, 64, false);
   l2_system_one(&s, CP, 0x4000, 64, false);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 3);
   assert_int_equal(l2_stat(&s, "FillBytes"), 0);
   l2_system_one(&s, CP, 0x9000, 32, false); /* the line of 0x1000 goes, half of which is dirty */
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 64);
   l2_system_one(&s, CP, 0x4000, 64, false);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 4);
   l2_system_one(&s, CP, 0x8000, 64, false);
   assert_int_equal(l2_stat(&s, "WriteBackBytes"), 64);
   assert_int_equal(l2_stat(&s, "MissesFetch"), 2);
   end_warm(&s);
}

/* The line went and came back: of the sectors that it had before, none is there. */
static void
test_sectors_from_before_the_line_went_are_not_there(void **state)
{
   struct l2_system s = start_warm("L2.Ways=1;L2.Lines=1;MEMORYCONTROLLER.V2MemoryChannels=1");
   struct sim_uses *u = &s.gpu->device->uses;
   sim_use(u, SIM_USER_COLOR, 0x1000, 0x1020, true);
   sim_use(u, SIM_USER_TEXTURES, 0x2000, 0x2020, false);
   sim_use(u, SIM_USER_TEXTURES, 0x1040, 0x1060, false);
   fill(&s);
   l2_system_one(&s, CP, 0x1040, 32, false);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 1);
   l2_system_one(&s, CP, 0x1000, 32, false);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 1);
   l2_system_one(&s, CP, 0x2000, 32, false);
   assert_int_equal(l2_stat(&s, "ReplacedClean"), 1);
   end_warm(&s);
}

static void
test_it_is_filled_with_the_bytes_on_the_wire(void **state)
{
   struct l2_system s = start_warm("L2.SectorSize=64");
   struct sim_device *d = s.gpu->device;
   sim_block_set(&d->blocks, 0x1000, 256, 1, 0);
   sim_block_set(&d->blocks, 0x2000, 256, 0, SIM_BLOCK_DEPTH_CLEAR | SIM_BLOCK_STENCIL_CLEAR);
   sim_use(&d->uses, SIM_USER_TEXTURES, 0x10c0, 0x10c4, false);
   sim_use(&d->uses, SIM_USER_TEXTURES, 0x2000, 0x2004, false);
   fill(&s);
   l2_system_one(&s, CP, 0x1000, 64, false);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 1);
   l2_system_one(&s, CP, 0x10c0, 64, false);
   l2_system_one(&s, CP, 0x2000, 64, false);
   assert_int_equal(l2_stat(&s, "HitsFetch"), 1);
   end_warm(&s);
}

/* The lines that have been used last are the same when times have become too large. */
static void
test_old_times_make_room(void **state)
{
   struct sim_uses u = {0};
   assert_true(sim_uses_init(&u, 1 << 20, 1u << SIM_USER_TEXTURES));
   sim_use(&u, SIM_USER_TEXTURES, 0, 1, false);
   sim_use(&u, SIM_USER_COLOR, 64, 65, true); /* not noted */
   u.now = UINT32_MAX - 1;
   sim_use(&u, SIM_USER_TEXTURES, 0x80000, 0x80001, true);
   sim_use(&u, SIM_USER_TEXTURES, 0xfffff, 0x100010, true);
   assert_int_equal(sim_uses_next(&u, 0), 0);
   assert_int_equal(sim_uses_next(&u, 1), 0x80000 / 64);
   assert_int_equal(sim_uses_next(&u, 0x80000 / 64 + 1), 0xfffff / 64);
   assert_int_equal(u.used[0], 1);
   assert_int_equal(u.written[0], 0);
   assert_true(u.used[0x80000 / 64] < u.used[0xfffff / 64] && u.now < UINT32_MAX);
   sim_uses_fini(&u);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_functional_mode_empties_it),
       cmocka_unit_test(test_cycle_mode_finds_what_functional_mode_used_last),
       cmocka_unit_test(test_sectors_from_before_the_line_went_are_not_there),
       cmocka_unit_test(test_it_is_filled_with_the_bytes_on_the_wire),
       cmocka_unit_test(test_old_times_make_room),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
