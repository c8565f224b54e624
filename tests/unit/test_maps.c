/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Maps of what the fragments of a pixel cost: what is added where, which surface a draw belongs to,
 * the summary, and the colours of the picture. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>
#include "picture/sim_maps.h"

static char error[256];

static struct sim_maps *
create(const char *list)
{
   struct sim_maps *maps = sim_maps_create(list, 2, 9, NULL, error, sizeof(error));
   assert_non_null(maps);
   return maps;
}

static void
test_lists_of_maps_and_draws_are_checked(void **state)
{
   sim_maps_destroy(create("all"));
   sim_maps_destroy(create("overdraw,latency"));
   assert_null(sim_maps_create("latency,heat", 0, 1, NULL, error, sizeof(error)));
   assert_non_null(strstr(error, "\"heat\""));
   assert_null(sim_maps_create("draws", 0, 1, NULL, error, sizeof(error)));
   static const char *const good[] = {"3", "3,7-9,20-", "0-0"};
   static const char *const bad[] = {"", "x", "3,", "9-7", "3 4", "99999999999", "-3"};
   for (unsigned i = 0; i < 3; i++) {
      struct sim_maps *maps = sim_maps_create("all", 0, 9, good[i], error, sizeof(error));
      assert_non_null(maps);
      sim_maps_destroy(maps);
   }
   for (unsigned i = 0; i < 7; i++) {
      assert_null(sim_maps_create("all", 0, 9, bad[i], error, sizeof(error)));
      assert_non_null(strstr(error, "such as 3,7-9,20-"));
   }
}

static void
test_draws_to_a_surface_share_its_map(void **state)
{
   struct sim_maps *maps = create("all");
   struct sim_map *a = sim_maps_draw(maps, 2, 4096, 10, 6, true, true),
                  *b = sim_maps_draw(maps, 3, 8192, 10, 6, true, false),
                  *c = sim_maps_draw(maps, 4, 4096, 10, 6, false, true);
   assert_ptr_equal(a, c);
   assert_ptr_not_equal(a, b);
   assert_int_equal(a->draws, 2);
   assert_int_equal(a->first_draw, 2);
   assert_int_equal(a->last_draw, 4);
   /* The driver's own draws say nothing about it. */
   assert_false(a->bottom_up);
   assert_true(b->bottom_up);
   /* Not asked for, or to nothing. */
   assert_null(sim_maps_draw(maps, 1, 4096, 10, 6, false, false));
   assert_null(sim_maps_draw(maps, 10, 4096, 10, 6, false, false));
   assert_null(sim_maps_draw(maps, 3, 0, 10, 6, false, false));
   sim_map_release(a);
   sim_map_release(NULL);
   assert_int_equal(a->refs, 1);
   sim_maps_destroy(maps);
}

static void
test_fragments_add_to_their_pixels(void **state)
{
   struct sim_maps *maps = create("all");
   struct sim_map *m = sim_maps_draw(maps, 2, 4096, 5, 3, false, false);
   uint32_t values[15];
   /* Pixels 0 and 3 of a quad, of which sample 1 of pixel 3 is alive; the quad is cut at the edge.
    */
   sim_map_end(m, 2, 0, 0x81, 100, 2);
   sim_map_end(m, 2, 0, 0x01, 41, 7);
   sim_map_values(m, SIM_MAP_WRITTEN, values);
   assert_int_equal(values[2], 2);
   assert_int_equal(values[3], 0);
   assert_int_equal(values[8], 1);
   sim_map_values(m, SIM_MAP_LATENCY, values);
   assert_int_equal(values[2], 71); /* 141 / 2 */
   assert_int_equal(values[8], 100);
   sim_map_values(m, SIM_MAP_DRAW, values);
   assert_int_equal(values[2], 8);
   assert_int_equal(values[8], 3);
   sim_map_add(m, SIM_MAP_SHADER, 4, 2, 15, 9);
   m->bottom_up = true;
   sim_map_values(m, SIM_MAP_SHADER, values);
   assert_int_equal(values[4], 36);
   assert_int_equal(values[14], 0);
   sim_map_release(m);
   sim_maps_destroy(maps);
}

static void
test_blocks_get_the_sum_of_their_pixels(void **state)
{
   uint32_t values[15] = {1, 2, 3, 4, 5, 0, 0, 0, 0, 10, 7, 0, 0, 0, 1};
   const uint32_t sums[15] = {3, 3, 7, 7, 15, 3, 3, 7, 7, 15, 7, 7, 0, 0, 1};
   sim_map_sum_blocks(values, 5, 3, 2);
   assert_memory_equal(values, sums, sizeof(sums));
}

static void
test_few_large_values_do_not_stretch_the_scale(void **state)
{
   static uint32_t values[2000];
   struct sim_map_summary s;
   sim_map_summarise(values, 2000, SIM_MAP_SHADED, &s);
   assert_int_equal(s.pixels, 0);
   for (unsigned i = 0; i < 1000; i++)
      values[i] = 3 + i % 8;
   values[0] = 70000;
   sim_map_summarise(values, 2000, SIM_MAP_SHADED, &s);
   assert_int_equal(s.min, 3);
   assert_int_equal(s.max, 70000);
   assert_int_equal(s.pixels, 1000);
   /* One pixel of a thousand does not stretch the scale; its steps are 32 here. */
   assert_in_range(s.top, 10, 31);
   values[0] = 3;
   sim_map_summarise(values, 2000, SIM_MAP_SHADED, &s);
   assert_int_equal(s.top, 10);
   assert_int_equal(s.sum, 1000 * 3 + 125 * 28);
}

static void
test_picture_has_title_map_and_legend(void **state)
{
   static uint32_t values[300 * 2];
   struct sim_map_summary s;
   uint32_t width, height;
   values[0] = 5;
   values[1] = 9;
   values[2] = 7;
   sim_map_summarise(values, 600, SIM_MAP_DRAW, &s);
   uint8_t *rgb = sim_map_picture(values, 300, 2, SIM_MAP_DRAW, &s, "frame 1", &width, &height);
   assert_non_null(rgb);
   assert_int_equal(width, 316);
   /* The first row of the map is the first that has viridis' darkest colour at its left end. */
   unsigned y = 0;
   while (y < height && memcmp(rgb + 3 * (y * width + 8), (uint8_t[]){0x44, 0x01, 0x54}, 3))
      y++;
   assert_true(y < height);
   const uint8_t *p = rgb + 3 * (y * width + 8);
   assert_memory_equal(p + 3, ((uint8_t[]){0xfd, 0xe7, 0x25}), 3);
   assert_memory_equal(p + 6, ((uint8_t[]){0x21, 0x90, 0x8c}), 3);
   assert_memory_equal(p + 9, ((uint8_t[]){0, 0, 0}), 3);
   free(rgb);
}

static void
test_maps_are_written_at_the_end_of_a_frame(void **state)
{
   char folder[] = "/tmp/test_maps_XXXXXX", path[200];
   struct sim_maps *maps = create("written");
   assert_non_null(mkdtemp(folder));
   struct sim_map *m = sim_maps_draw(maps, 2, 4096, 16, 16, false, false),
                  *n = sim_maps_draw(maps, 3, 8192, 16, 16, false, false);
   sim_map_end(m, 2, 2, 15, 1, 2);
   assert_true(sim_maps_frame(maps, folder, 3, 4096, error, sizeof(error)));
   static const char *const files[] = {"frame-0003-written.png", "frame-0003-written.npy",
                                       "frame-0003-target1-written.png",
                                       "frame-0003-target1-written.npy", "maps.csv"};
   for (unsigned i = 0; i < 5; i++) {
      snprintf(path, sizeof(path), "%s/%s", folder, files[i]);
      assert_int_equal(unlink(path), 0);
   }
   /* The next frame begins with nothing, and writes nothing. */
   assert_int_equal(m->draws, 0);
   assert_int_equal(m->pixel[2 * 16 + 2][SIM_MAP_WRITTEN], 0);
   assert_true(sim_maps_frame(maps, folder, 4, 4096, error, sizeof(error)));
   assert_int_equal(rmdir(folder), 0);
   assert_non_null(sim_maps_draw(maps, 2, 4096, 16, 16, false, false));
   assert_false(sim_maps_frame(maps, "/dev/null/x", 5, 0, error, sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/x"));
   sim_map_release(n);
   sim_maps_destroy(maps);
}

/* A draw's own map is part of its surface's, whatever was drawn there; a draw that goes on after
 * the frame is in the next one. */
static void
test_single_draws_are_part_of_their_surface(void **state)
{
   char folder[] = "/tmp/test_maps_XXXXXX", next[] = "/tmp/test_maps_XXXXXX", path[200], line[300];
   struct sim_maps *maps = sim_maps_create("written,draw", 0, 99, "5,7-8", error, sizeof(error));
   assert_non_null(maps);
   assert_non_null(mkdtemp(folder));
   struct sim_map *four = sim_maps_draw(maps, 4, 4096, 16, 16, true, false),
                  *five = sim_maps_draw(maps, 5, 4096, 16, 16, true, true),
                  *six = sim_maps_draw(maps, 6, 4096, 16, 16, true, false),
                  *seven = sim_maps_draw(maps, 7, 4096, 16, 16, true, false);
   assert_ptr_equal(four, six);
   assert_ptr_equal(five->surface, four);
   assert_ptr_equal(seven->surface, four);
   assert_ptr_not_equal(five, seven);
   assert_int_equal(four->draws, 4);
   assert_int_equal(four->last_draw, 7);
   sim_map_end(four, 0, 0, 15, 1, 4);
   sim_map_end(five, 0, 0, 1, 1, 5);
   sim_map_end(six, 2, 0, 1, 1, 6);
   sim_map_end(seven, 2, 0, 2, 1, 7);
   sim_map_release(four);
   sim_map_release(five);
   sim_map_release(six);
   assert_true(sim_maps_frame(maps, folder, 1, 4096, error, sizeof(error)));
   static const char *const files[] = {"", "draw-0005-", "draw-0007-"};
   static const char *const rows[] = {",written,0,4096,16,16,4,4,7,fragments,1,2,2,7,6,\n",
                                      ",draw,0,4096,16,16,4,4,7,draw,4,7,7,0,6,\n",
                                      ",written,0,4096,16,16,1,5,5,fragments,1,1,1,1,1,5\n",
                                      ",draw,0,4096,16,16,1,5,5,draw,5,5,5,0,1,5\n",
                                      ",written,0,4096,16,16,1,7,7,fragments,1,1,1,1,1,7\n",
                                      ",draw,0,4096,16,16,1,7,7,draw,7,7,7,0,1,7\n"};
   snprintf(path, sizeof(path), "%s/maps.csv", folder);
   FILE *f = fopen(path, "r");
   assert_non_null(fgets(line, sizeof(line), f));
   for (unsigned i = 0; i < 6; i++) {
      assert_non_null(fgets(line, sizeof(line), f));
      if (!strstr(line, rows[i]))
         fail_msg("%s is not %s", line, rows[i]);
   }
   assert_null(fgets(line, sizeof(line), f));
   fclose(f);
   unlink(path);
   for (unsigned i = 0; i < 12; i++) {
      snprintf(path, sizeof(path), "%s/frame-0001-%s%s.%s", folder, files[i / 4],
               i & 1 ? "written" : "draw", i & 2 ? "png" : "npy");
      assert_int_equal(unlink(path), 0);
   }
   assert_int_equal(rmdir(folder), 0);
   /* What draw 7 does now counts once, for its surface in the next frame. */
   sim_map_end(seven, 4, 0, 1, 1, 7);
   assert_ptr_equal(sim_maps_draw(maps, 0, 4096, 16, 16, true, false), four);
   assert_non_null(mkdtemp(next));
   assert_true(sim_maps_frame(maps, next, 2, 4096, error, sizeof(error)));
   snprintf(path, sizeof(path),
            "grep -q ',written,0,4096,16,16,1,0,0,fragments,1,1,1,1,1,$' "
            "%s/maps.csv && rm -r %s",
            next, next);
   assert_int_equal(system(path), 0);
   sim_map_release(seven);
   sim_maps_destroy(maps);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_lists_of_maps_and_draws_are_checked),
       cmocka_unit_test(test_draws_to_a_surface_share_its_map),
       cmocka_unit_test(test_fragments_add_to_their_pixels),
       cmocka_unit_test(test_blocks_get_the_sum_of_their_pixels),
       cmocka_unit_test(test_few_large_values_do_not_stretch_the_scale),
       cmocka_unit_test(test_picture_has_title_map_and_legend),
       cmocka_unit_test(test_maps_are_written_at_the_end_of_a_frame),
       cmocka_unit_test(test_single_draws_are_part_of_their_surface),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
