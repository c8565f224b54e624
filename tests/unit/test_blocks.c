/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Block states (decode/sim_blocks.h): what reads and writes cost that do not know the surface. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "decode/sim_blocks.h"

#define MEMORY 65536

static void
plain_at_first(void **state)
{
   struct sim_blocks b;
   (void)state;
   assert_true(sim_blocks_init(&b, MEMORY));
   assert_int_equal(sim_blocks_read_bytes(&b, 100, 1000), 1000);
   assert_int_equal(sim_blocks_overwrite(&b, 100, 1000), 0);
   sim_blocks_fini(&b);
}

static void
reads_cost_what_the_block_state_says(void **state)
{
   struct sim_blocks b;
   (void)state;
   assert_true(sim_blocks_init(&b, MEMORY));
   sim_block_set(&b, 0x400, 256, 0, SIM_BLOCK_DEPTH_CLEAR | SIM_BLOCK_STENCIL_CLEAR);
   sim_block_set(&b, 0x500, 256, 1, 0);
   sim_block_set(&b, 0x600, 256, 4, 0);
   assert_int_equal(sim_block_quarters(sim_block_state(&b, 0x4ff)), 0);
   assert_int_equal(sim_block_bytes(sim_block_state(&b, 0x5c0)), 256);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x400, 256), 0);
   /* Any part of a compressed block costs all of it. */
   assert_int_equal(sim_blocks_read_bytes(&b, 0x500, 256), 64);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x5c0, 64), 64);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x680, 64), 64);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x3c0, 0x2c0), 64 + 0 + 64 + 128);
   /* Blocks of other sizes. */
   sim_block_set(&b, 0x1000, 1024, 2, 0);
   sim_block_set(&b, 0x2000, 64, 0, SIM_BLOCK_DEPTH_CLEAR);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x1300, 64), 512);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x1fc0, 256), 192);
   sim_blocks_fini(&b);
}

static void
writes_in_part_cost_the_whole_block(void **state)
{
   struct sim_blocks b;
   (void)state;
   assert_true(sim_blocks_init(&b, MEMORY));
   sim_block_set(&b, 0x400, 256, 0, SIM_BLOCK_DEPTH_CLEAR);
   sim_block_set(&b, 0x500, 256, 2, 0);
   sim_block_set(&b, 0x600, 256, 2, 0);
   /* The first in part: its other 192 bytes are written too. The second as a whole. The third in
    * part: read compressed, and its other 192 bytes are written. */
   assert_int_equal(sim_blocks_overwrite(&b, 0x4c0, 64 + 256 + 64), 192 + 0 + 128 + 192);
   assert_int_equal(sim_blocks_read_bytes(&b, 0x400, 0x300), 0x300);
   assert_int_equal(sim_blocks_overwrite(&b, 0x4c0, 64), 0);
   sim_blocks_fini(&b);
}

/* Functional mode drew in blocks far apart; others keep what they are. */
static void
drawn_blocks_become_plain(void **state)
{
   const uint32_t group = SIM_BLOCKS_GROUP * SIM_BLOCK_UNIT, last = 7 * group - 256;
   struct sim_blocks b;
   (void)state;
   assert_true(sim_blocks_init(&b, 7 * group));
   sim_block_set(&b, 0x400, 256, 0, SIM_BLOCK_DEPTH_CLEAR | SIM_BLOCK_STENCIL_CLEAR);
   sim_block_set(&b, 3 * group, 256, 2, 0);
   sim_block_draw(&b, 0x500, 256);
   sim_block_set(&b, last, 256, 1, 0);
   sim_block_draw(&b, last, 256);
   assert_true(sim_block_drawn(sim_block_state(&b, 0x5c0)));
   assert_true(sim_block_drawn(sim_block_state(&b, last)));
   sim_blocks_make_plain(&b);
   assert_int_equal(sim_block_quarters(sim_block_state(&b, 0x400)), 0);
   assert_int_equal(sim_block_quarters(sim_block_state(&b, 3 * group)), 2);
   assert_int_equal(sim_block_quarters(sim_block_state(&b, 0x500)), 4);
   assert_int_equal(sim_block_quarters(sim_block_state(&b, last + 192)), 4);
   assert_int_equal(sim_blocks_read_bytes(&b, last, 256), 256);
   sim_blocks_fini(&b);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(plain_at_first),
       cmocka_unit_test(reads_cost_what_the_block_state_says),
       cmocka_unit_test(writes_in_part_cost_the_whole_block),
       cmocka_unit_test(drawn_blocks_become_plain),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
