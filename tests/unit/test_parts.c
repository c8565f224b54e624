/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Parts of frames in cycle mode: random streams (random_scene.h) of which random draws or labels
 * are simulated leave every byte of memory as functional mode does, on machines of several shapes
 * and on random ones; a part has the draws that were asked for; parts of labels are parts of their
 * draws; the machine's time does not go back; strings of options are copied; and what is
 * refused. */
#include "random_scene.h"
#include "machine_text.h"
#include "random_config.h"
#include "record_query.h"
#include <unistd.h>

#define MAX_CONFIG 16384
#define SIZE 128
#define DRAWS 6
#define HZ_READS                                                                               \
   "SELECT \"ReadsHZBuffer_HZ\" FROM work_counters WHERE work = (SELECT work FROM work WHERE " \
   "draw = "

/* --- Random streams --- */

/* Parts in cycle mode; all NULL: functional mode. */
struct choice {
   const char *draws, *label;
};

/* What is in memory afterwards. */
static uint8_t *
run(const struct scene *c, struct choice choice, const char *config, uint32_t order,
    uint64_t *cycles)
{
   const bool cycle = choice.draws || choice.label;
   struct attila_sim *sim = machine_create(
       (struct attila_sim_options){.mode = cycle ? ATTILA_MODE_CYCLE : ATTILA_MODE_FUNCTIONAL,
                                   .cycle_draws = choice.draws,
                                   .cycle_label = choice.label,
                                   .box_order_seed = order},
       16, config);
   if (!attila_sim_submit(sim, c->s.words, c->s.num))
      fail_msg("%s", attila_sim_error(sim));
   assert_true(attila_sim_wait(sim, 1));
   uint8_t *memory = malloc(c->s.next);
   assert_true(attila_sim_read(sim, 0, memory, c->s.next));
   *cycles = attila_sim_cycles(sim);
   attila_sim_destroy(sim);
   return memory;
}

/* "0,3-5,8-": of a frame of about fifty draws. */
static void
random_list(char *list, size_t size)
{
   size_t n = 0;
   for (uint32_t draw = rnd(3); draw < 45 && n + 24 < size; draw += 2 + rnd(6)) {
      const uint32_t last = draw + (chance(50) ? 0 : rnd(6));
      n += (size_t)snprintf(list + n, size - n, "%s%u-%u", n ? "," : "", draw, last);
      draw = last;
   }
   if (chance(50))
      snprintf(list + n, size - n, ",60-");
}

static void
marker(struct stream *s, const char *text)
{
   uint32_t payload[9] = {ATTILA_MARKER_TEXT};
   snprintf((char *)(payload + 1), 32, "%s", text);
   stream_command(s, ATTILA_CMD_MARKER, payload, 9);
}

/* The same commands, with labels that change between any two of them. */
static void
label_scene(struct scene *c)
{
   struct stream s = c->s;
   s.words = NULL;
   s.num = s.capacity = 0;
   for (size_t at = 0; at < c->s.num;) {
      const uint32_t *command = c->s.words + at, words = ATTILA_CMD_WORDS(command[0]);
      if (chance(20))
         marker(&s, chance(50) ? "in" : "out");
      stream_command(&s, ATTILA_CMD_OP(command[0]), command + 1, words);
      at += 1 + words;
   }
   free(c->s.words);
   c->s = s;
}

static uint64_t
compare_part(const struct scene *c, uint32_t number, const uint8_t *memory, struct choice choice,
             const char *config, uint32_t order)
{
   uint64_t cycles;
   uint8_t *t = run(c, choice, config, order, &cycles);
   assert_true(cycles > 0);
   for (uint32_t i = 0; i < c->s.next; i++) {
      if (memory[i] != t[i])
         fail_msg("scene %u, draws %s, label %s: byte 0x%x is 0x%02x, expected 0x%02x; machine "
                  "\"%s\"",
                  number, choice.draws ? choice.draws : "any", choice.label ? choice.label : "any",
                  i, t[i], memory[i], config);
   }
   free(t);
   return cycles;
}

static void
compare(uint32_t number, const char *config, uint32_t order)
{
   struct scene c;
   char list[400];
   uint64_t cycles;
   make_scene(&c, number);
   random_list(list, sizeof(list));
   label_scene(&c);
   uint8_t *f = run(&c, (struct choice){0}, config, 0, &cycles);
   assert_int_equal(cycles, 0);
   cycles = compare_part(&c, number, f, (struct choice){.draws = list}, config, order);
   /* All draws, in a window without an end: nearly the whole run. */
   assert_true(compare_part(&c, number, f, (struct choice){.draws = "0-"}, config, order) > cycles);
   compare_part(&c, number, f, (struct choice){.label = "in"}, config, order);
   free(f);
   free(c.s.words);
}

static void
test_parts_in_cycle_mode_draw_the_same(void **state)
{
   for (uint32_t number = 0; number < 3; number++) {
      for (unsigned m = 0; m < NUM_MACHINES; m++) {
         if (sample_has(m + number))
            compare(number, machines[m], 0);
      }
   }
}

/* ATTILA_TEST_MACHINES: how many, from the one that ATTILA_TEST_FIRST names. */
static void
test_parts_agree_on_random_machines(void **state)
{
   const uint32_t from = sample_number("ATTILA_TEST_FIRST", 0),
                  num = sample_number("ATTILA_TEST_MACHINES", 20);
   char config[MAX_CONFIG];
   for (uint32_t number = from; number < from + num; number++) {
      random_config(number, "", config, sizeof(config));
      compare(5000 + number, config, number);
   }
}

/* --- What changes in functional mode --- */

/* Draws 0 and 2 sample the same texture, which has been written in between, and so have their
 * vertices. */
static struct stream
rewritten(void)
{
   static const float corners[2][12] = {{-1, -1, 0, 1, 1, -1, 0, 1, 1, 1, 0, 1},
                                        {-1, -1, 0, 1, 1, 1, 0, 1, -1, 1, 0, 1}};
   uint32_t texels[2][64];
   struct stream s;
   memset(texels[0], 0x11, sizeof(texels[0]));
   memset(texels[1], 0xee, sizeof(texels[1]));
   stream_start(&s, SIZE, SIZE, 1);
   stream_regs(&s);
   stream_clear(&s, 0, 0, 0, 1, 1, 0);
   stream_attrib(&s, 0, corners[0], 4, 3);
   stream_program(&s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
   stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nTEX o0, i1, t0, 2D\nEND\n");
   s.regs.tex[0] = (struct attila_tex_regs){.enable = 1,
                                            .target = ATTILA_TEX_2D,
                                            .format = ATTILA_FORMAT_R8G8B8A8_UNORM,
                                            .address = stream_upload(&s, texels[0], 256),
                                            .width = 8,
                                            .height = 8,
                                            .depth = 1,
                                            .num_levels = 1,
                                            .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                            .max_aniso = 1};
   const uint32_t address[2] = {s.regs.attrib[0].address, s.regs.tex[0].address}, next = s.next;
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   for (unsigned i = 0; i < 2; i++) {
      s.next = address[i];
      stream_upload(&s, i ? (const void *)texels[1] : corners[1], i ? 256 : sizeof(corners[1]));
   }
   s.next = next;
   stream_draw(&s, ATTILA_PRIM_POINTS, 0, 1);
   stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
   const uint32_t fence[2] = {1, 0};
   stream_command(&s, ATTILA_CMD_FENCE, fence, 2);
   return s;
}

static void
test_rewritten_surface_is_read_anew(void **state)
{
   uint32_t *picture[2];
   for (unsigned i = 0; i < 2; i++) {
      struct stream s = rewritten();
      const struct attila_sim_options o = {
          .mode = i ? ATTILA_MODE_CYCLE : ATTILA_MODE_FUNCTIONAL,
          .cycle_draws = i ? "0,2" : NULL,
      };
      struct attila_sim *sim = machine_create(o, 16, "");
      assert_true(attila_sim_submit(sim, s.words, s.num));
      assert_true(attila_sim_wait(sim, 1));
      picture[i] = stream_read_surface(sim, &s, s.regs.color[0].address);
      assert_int_equal(stream_pixel(&s, picture[i], SIZE - 2, SIZE / 2, 0), 0x11111111);
      assert_int_equal(stream_pixel(&s, picture[i], 1, SIZE / 2, 0), 0xeeeeeeee);
      attila_sim_destroy(sim);
      free(s.words);
   }
   assert_memory_equal(picture[0], picture[1], SIZE * SIZE * 4);
   free(picture[0]);
   free(picture[1]);
}

/* --- Draws and labels --- */

/* Frames of DRAWS draws, numbers 2 and 3 under a label of their own; the time after each draw is
 * written to times. */
static struct stream
labelled(unsigned frames, uint32_t *times)
{
   static const float corners[] = {-1, -1, 0, 1, 1, -1, 0, 1, 1, 1, 0, 1};
   struct stream s;
   stream_start(&s, SIZE, SIZE, 1);
   stream_regs(&s);
   stream_attrib(&s, 0, corners, 4, 3);
   stream_program(&s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
   stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   *times = stream_alloc(&s, 8 * DRAWS);
   for (unsigned f = 0; f < frames; f++) {
      stream_clear(&s, 0, 0, 0, 1, 1, 0);
      for (unsigned d = 0; d < DRAWS; d++) {
         if (d == 2 || d == 4)
            marker(&s, d == 2 ? "world/shadow" : "world");
         stream_draw(&s, ATTILA_PRIM_TRIANGLES, 0, 3);
         const uint32_t time[2] = {ATTILA_COUNTER_TIME_NS, *times + 8 * d};
         stream_command(&s, ATTILA_CMD_WRITE_COUNTER, time, 2);
      }
      stream_command(&s, ATTILA_CMD_END_FRAME, times, 0);
   }
   return s;
}

/* Runs a stream with a record in folder, and opens that. */
static sqlite3 *
record_stream(struct stream *s, struct attila_sim_options o, const char *config, char folder[64])
{
   char path[128];
   sqlite3 *db = NULL;
   strcpy(folder, "/tmp/attila-parts-XXXXXX");
   assert_non_null(mkdtemp(folder));
   o.out_dir = folder;
   o.record = "sqlite";
   struct attila_sim *sim = machine_create(o, 16, config);
   assert_true(attila_sim_submit(sim, s->words, s->num));
   attila_sim_destroy(sim);
   free(s->words);
   snprintf(path, sizeof(path), "%s/run.sqlite", folder);
   assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
   return db;
}

static sqlite3 *
record(const char *draws, const char *label, char folder[64])
{
   uint32_t times;
   struct stream s = labelled(2, &times);
   return record_stream(&s, (struct attila_sim_options){.cycle_draws = draws, .cycle_label = label},
                        "", folder);
}

/* Draws of the record as FRAME:DRAW, in order. */
static void
expect_draws(const char *draws, const char *label, const char *want)
{
   char folder[64], got[400] = "";
   sqlite3_stmt *s = NULL;
   sqlite3 *db = record(draws, label, folder);
   assert_int_equal(sqlite3_prepare_v2(db,
                                       "SELECT group_concat(frame || ':' || draw, ' ') FROM "
                                       "(SELECT * FROM work WHERE kind = 'draw' ORDER BY work)",
                                       -1, &s, NULL),
                    SQLITE_OK);
   assert_int_equal(sqlite3_step(s), SQLITE_ROW);
   if (sqlite3_column_text(s, 0))
      snprintf(got, sizeof(got), "%s", (const char *)sqlite3_column_text(s, 0));
   sqlite3_finalize(s);
   assert_string_equal(got, want);
   /* What it says of frames is what rows add up to. */
   assert_int_equal(record_number(db, "SELECT count(*) FROM frames f WHERE cycles = 0 OR cycles <> "
                                      "(SELECT sum(exclusive_cycles) FROM work w WHERE w.frame = "
                                      "f.frame) OR draws <> (SELECT count(*) FROM work w WHERE "
                                      "w.frame = f.frame AND kind = 'draw')"),
                    0);
   assert_int_equal(record_number(db, "SELECT count(*) FROM run WHERE (cycle_draws IS NULL AND "
                                      "cycle_label IS NULL) OR NOT complete"),
                    0);
   assert_int_equal(record_number(db, "SELECT (SELECT count(DISTINCT frame) FROM work) - (SELECT "
                                      "count(*) FROM frames)"),
                    0);
   sqlite3_close(db);
   assert_int_equal(record_remove(folder), 0);
}

static void
test_draws_are_selected_by_number(void **state)
{
   expect_draws("1", NULL, "0:1 1:1");
   expect_draws("0,2-3", NULL, "0:0 0:2 0:3 1:0 1:2 1:3");
   expect_draws("1,2,3-4", NULL, "0:1 0:2 0:3 0:4 1:1 1:2 1:3 1:4");
   expect_draws("4-", NULL, "0:4 0:5 1:4 1:5");
   expect_draws("4-100", NULL, "0:4 0:5 1:4 1:5");
   expect_draws("6", NULL, "");
   expect_draws(NULL, "shadow", "0:2 0:3 1:2 1:3");
   expect_draws(NULL, "world", "0:2 0:3 0:4 0:5 1:0 1:1 1:2 1:3 1:4 1:5");
   expect_draws(NULL, "nothing", "");
   expect_draws("3-4", "shadow", "0:3 1:3");
   expect_draws("1-4", "world/s*", "0:2 0:3 1:2 1:3");
}

/* A label's draws have the cycles of the same draws by their numbers. */
static void
test_draws_by_label_have_the_same_cycles(void **state)
{
   char folder[2][64], attach[128];
   sqlite3 *db = record("2-3", NULL, folder[0]), *other = record(NULL, "shadow", folder[1]);
   sqlite3_close(other);
   snprintf(attach, sizeof(attach), "ATTACH '%s/run.sqlite' AS o", folder[1]);
   assert_int_equal(sqlite3_exec(db, attach, NULL, NULL, NULL), SQLITE_OK);
   assert_int_equal(record_number(db, "SELECT count(*) FROM work JOIN o.work x USING (frame, kind, "
                                      "draw, label, cycles, exclusive_cycles) WHERE kind = 'draw'"),
                    4);
   assert_int_equal(record_number(db, "SELECT count(*) FROM work WHERE label = 'end of the window' "
                                      "AND kind = 'flush'"),
                    2);
   sqlite3_close(db);
   assert_int_equal(record_remove(folder[0]), 0);
   assert_int_equal(record_remove(folder[1]), 0);
}

/* A part begins with an empty HZ cache: draw 2 reads as much of the HZ buffer as draw 0. */
static void
test_part_starts_with_an_empty_hz_cache(void **state)
{
   static const float corners[] = {-1, -1, 0, 1, 1, -1, 0, 1, 1, 1, 0, 1};
   char folder[64];
   struct stream s;
   stream_start(&s, SIZE, SIZE, 1);
   s.regs.z_test = s.regs.z_write = 1;
   s.regs.z_func = ATTILA_FUNC_LEQUAL;
   stream_regs(&s);
   stream_clear(&s, 0, 0, 0, 1, 1, 0);
   stream_attrib(&s, 0, corners, 4, 3);
   stream_program(&s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
   stream_program(&s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
   for (unsigned d = 0; d < 3; d++)
      stream_draw(&s, d == 1 ? ATTILA_PRIM_POINTS : ATTILA_PRIM_TRIANGLES, 0, d == 1 ? 1 : 3);
   stream_command(&s, ATTILA_CMD_END_FRAME, &s.next, 0);
   sqlite3 *db = record_stream(&s, (struct attila_sim_options){.cycle_draws = "0,2"},
                               "RASTERIZER.HZVariant=2;RASTERIZER.HZCacheLines=1024", folder);
   assert_true(record_number(db, HZ_READS "0)") > 0);
   assert_int_equal(record_number(db, HZ_READS "0)"), record_number(db, HZ_READS "2)"));
   sqlite3_close(db);
   assert_int_equal(record_remove(folder), 0);
}

/* Counters of time stand still in functional mode. */
static void
test_time_stands_still_in_functional_mode(void **state)
{
   uint32_t address;
   uint64_t t[DRAWS];
   struct stream s = labelled(1, &address);
   struct attila_sim *sim =
       machine_create((struct attila_sim_options){.cycle_draws = "1-2,4"}, 16, "");
   assert_true(attila_sim_submit(sim, s.words, s.num));
   assert_true(attila_sim_read(sim, address, t, sizeof(t)));
   attila_sim_destroy(sim);
   free(s.words);
   assert_true(t[0] == 0 && t[1] > 0 && t[2] >= t[1] && t[3] >= t[2] && t[4] > t[3] &&
               t[5] >= t[4]);
}

/* Strings of options may change once the simulator exists. */
static void
test_strings_are_copied(void **state)
{
   uint32_t address;
   char label[] = "world/shadow";
   struct stream s = labelled(1, &address);
   struct attila_sim *sim =
       machine_create((struct attila_sim_options){.cycle_label = label}, 16, "");
   memset(label, 'x', strlen(label));
   assert_true(attila_sim_submit(sim, s.words, s.num));
   assert_true(attila_sim_cycles(sim) > 0);
   attila_sim_destroy(sim);
   free(s.words);
}

static void
test_bad_lists_of_draws_are_refused(void **state)
{
   static const char *const lists[] = {"", "-", "a", "3-2", "1;2", "1:2", "1,1", "5,3", "1-,4"};
   char error[512];
   for (unsigned i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
      struct attila_sim_options o = {.cycle_draws = lists[i]};
      error[0] = '\0';
      assert_null(attila_sim_create(&o, error, sizeof(error)));
      assert_non_null(
          strstr(error, i < 6 ? "expected a list such as" : "ascending ranges from 0 on"));
   }
   struct attila_sim_options label = {.cycle_label = ""};
   assert_null(attila_sim_create(&label, error, sizeof(error)));
   assert_string_equal(error, "cycle_label \"\": expected at least one character");
   struct attila_sim_options warm = {.cycle_label = "a", .cycle_frames = "3-", .warm_up = 1};
   assert_null(attila_sim_create(&warm, error, sizeof(error)));
   assert_string_equal(error, "warm_up and cycle_label exclude each other");
   struct attila_sim_options functional = {.cycle_draws = "1", .mode = ATTILA_MODE_FUNCTIONAL};
   assert_null(attila_sim_create(&functional, error, sizeof(error)));
   assert_non_null(strstr(error, "cycle_draws needs cycle or half mode"));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_parts_in_cycle_mode_draw_the_same),
       cmocka_unit_test(test_parts_agree_on_random_machines),
       cmocka_unit_test(test_rewritten_surface_is_read_anew),
       cmocka_unit_test(test_draws_are_selected_by_number),
       cmocka_unit_test(test_draws_by_label_have_the_same_cycles),
       cmocka_unit_test(test_part_starts_with_an_empty_hz_cache),
       cmocka_unit_test(test_time_stands_still_in_functional_mode),
       cmocka_unit_test(test_strings_are_copied),
       cmocka_unit_test(test_bad_lists_of_draws_are_refused),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
