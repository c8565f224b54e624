/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random streams (random_scene.h): the cycle mode must leave every byte of memory as the functional
 * mode does, on machines of several shapes and on random ones (random_config.h); and a stream cut
 * after every command must take the same cycles and count the same. */
#include "random_scene.h"
#include "machine_text.h"
#include "random_config.h"
#include <sys/stat.h>
#include <unistd.h>

#define MAX_CONFIG 16384

struct result {
   uint8_t *memory;
   uint64_t cycles;
};

/* dir: where reports go, or NULL. */
static struct result
run_reporting(const struct scene *c, enum attila_mode mode, const char *config, uint32_t order,
              bool cut, const char *dir)
{
   const struct stream *s = &c->s;
   const struct attila_sim_options o = {.mode = mode,
                                        .box_order_seed = order,
                                        .record = dir ? "csv" : NULL,
                                        .keep_clears = true,
                                        .out_dir = dir};
   struct attila_sim *sim = machine_create(o, 16, config);
   for (size_t at = 0; at < s->num;) {
      size_t n = cut ? 1 + ATTILA_CMD_WORDS(s->words[at]) : s->num;
      if (!attila_sim_submit(sim, s->words + at, n))
         fail_msg("%s", attila_sim_error(sim));
      at += n;
   }
   assert_true(attila_sim_wait(sim, 1));
   struct result r = {.memory = malloc(s->next), .cycles = attila_sim_cycles(sim)};
   assert_true(attila_sim_read(sim, 0, r.memory, s->next));
   attila_sim_destroy(sim);
   return r;
}

static struct result
run(const struct scene *c, enum attila_mode mode, const char *config, uint32_t order, bool cut)
{
   return run_reporting(c, mode, config, order, cut, NULL);
}

static void
compare(const struct scene *c, const struct result *a, const struct result *b, uint32_t number,
        const char *config)
{
   for (uint32_t i = 0; i < c->s.next; i++) {
      if (a->memory[i] == b->memory[i])
         continue;
      for (unsigned f = 0; f < NUM_FBS; f++)
         print_message("framebuffer %u: colour 0x%x 0x%x, depth 0x%x\n", f, c->fb[f].color[0],
                       c->fb[f].color[1], c->fb[f].zs);
      print_message("counters at 0x%x\n", c->buffer);
      /* The machine comes last: cmocka cuts long messages. */
      fail_msg("scene %u: byte 0x%x is 0x%02x, expected 0x%02x; machine \"%s\"", number, i,
               b->memory[i], a->memory[i], config);
   }
}

static uint32_t
scenes(void)
{
   return sample_number("ATTILA_TEST_SCENES", 6);
}

static uint32_t
first_scene(void)
{
   return sample_number("ATTILA_TEST_FIRST", 0);
}

static void
test_both_modes_agree_on_random_scenes(void **state)
{
   unsigned changes = 0, layered = 0;
   for (uint32_t number = first_scene(); number < first_scene() + scenes(); number++) {
      struct scene c;
      make_scene(&c, number);
      struct result f = run(&c, ATTILA_MODE_FUNCTIONAL, "", 0, false);
      for (uint32_t i = 4; i < 96 * 72 * 4; i += 4)
         changes +=
             memcmp(f.memory + c.fb[0].color[0] + i, f.memory + c.fb[0].color[0] + i - 4, 4) != 0;
      for (unsigned b = 0; b < NUM_FBS; b++) {
         const uint8_t *layer_1 = f.memory + c.fb[b].color[0] + c.fb[b].color_stride[0];
         for (uint32_t i = 0; i < c.fb[b].color_stride[0]; i++)
            layered += layer_1[i] != 0;
      }
      for (unsigned m = 0; m < NUM_MACHINES; m++) {
         if (!sample_has(m + number))
            continue;
         struct result t = run(&c, ATTILA_MODE_CYCLE, machines[m], 0, false);
         compare(&c, &f, &t, number, machines[m]);
         free(t.memory);
      }
      free(f.memory);
      free(c.s.words);
   }
   /* They drew something, also to layer 1; of other scenes than the first, a few may draw less. */
   assert_true(first_scene() || changes > 100 * scenes());
   assert_true(first_scene() || layered > 100 * scenes());
}

/* Random machines of a kind, with a scene each: 36. ATTILA_TEST_MACHINES: how many, from the one
 * that ATTILA_TEST_FIRST names; ATTILA_TEST_CONFIG: the machine instead. */
static void
compare_random_machines(const char *base)
{
   const uint32_t end = first_scene() + sample_number("ATTILA_TEST_MACHINES", 36);
   char config[MAX_CONFIG];
   for (uint32_t number = first_scene(); number < end; number++) {
      struct scene c;
      random_config(number, base, config, sizeof(config));
      if (getenv("ATTILA_TEST_CONFIG"))
         snprintf(config, sizeof(config), "%s", getenv("ATTILA_TEST_CONFIG"));
      make_scene(&c, 1000 + number);
      struct result f = run(&c, ATTILA_MODE_FUNCTIONAL, config, 0, false),
                    t = run(&c, ATTILA_MODE_CYCLE, config, number, false);
      compare(&c, &f, &t, 1000 + number, config);
      free(f.memory);
      free(t.memory);
      free(c.s.words);
   }
}

static void
test_both_modes_agree_on_random_machines(void **state)
{
   compare_random_machines("");
}

static void
test_both_modes_agree_on_random_machines_with_tiles(void **state)
{
   compare_random_machines(RANDOM_TILED);
}

/* The draws of a pass retire together, and a counter is written for some of them. */
static void
test_counter_between_draws_of_a_pass(void **state)
{
   struct scene c;
   make_scene(&c, 846651);
   struct result f = run(&c, ATTILA_MODE_FUNCTIONAL, RANDOM_TILED, 0, false),
                 t = run(&c, ATTILA_MODE_CYCLE, RANDOM_TILED, 0, false);
   compare(&c, &f, &t, 846651, RANDOM_TILED);
   free(f.memory);
   free(t.memory);
   free(c.s.words);
}

/* Scenes whose surfaces share memory in which each of many ROPs owned other blocks. */
static void
test_surfaces_may_change_their_rops(void **state)
{
   static const uint32_t numbers[] = {2014, 2017, 2038};
   static const char *const rops[] = {"GPU.NumStampPipes=9", "GPU.NumStampPipes=16"};
   for (unsigned i = 0; i < 3; i++) {
      struct scene c;
      make_scene(&c, numbers[i]);
      struct result f = run(&c, ATTILA_MODE_FUNCTIONAL, "", 0, false);
      for (unsigned m = 0; m < 2; m++) {
         struct result t = run(&c, ATTILA_MODE_CYCLE, rops[m], 0, false);
         compare(&c, &f, &t, numbers[i], rops[m]);
         free(t.memory);
      }
      free(f.memory);
      free(c.s.words);
   }
}

/* The rows of draws.csv; removes the reports. */
static char *
take_draws(const char *dir)
{
   char path[300];
   snprintf(path, sizeof(path), "%s/draws.csv", dir);
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   struct stat st;
   assert_int_equal(fstat(fileno(f), &st), 0);
   char *text = calloc(1, (size_t)st.st_size + 1);
   assert_non_null(text);
   assert_true(fread(text, 1, (size_t)st.st_size, f) > 1000);
   fclose(f);
   unlink(path);
   snprintf(path, sizeof(path), "%s/frames.csv", dir);
   unlink(path);
   snprintf(path, sizeof(path), "%s/counters.csv", dir);
   unlink(path);
   assert_int_equal(rmdir(dir), 0);
   return text;
}

/* The n-th field of the line at text, as text. */
static void
field(const char *line, unsigned n, char out[64])
{
   for (; n && *line; line++)
      n -= *line == ',';
   snprintf(out, 64, "%.*s", (int)strcspn(line, ",\n"), line);
}

/* Equal texts; a difference is named by its row and column. */
static void
compare_rows(const char *a, const char *b)
{
   const char *header = a, *line = a;
   unsigned number = 0, column = 0;
   for (size_t i = 0; a[i] == b[i]; i++) {
      if (!a[i])
         return;
      column += a[i] == ',';
      if (a[i] == '\n') {
         line = a + i + 1;
         number++;
         column = 0;
      }
   }
   char name[64], frame[64], kind[64], value[2][64];
   field(header, column, name);
   field(line, 0, frame);
   field(line, 2, kind);
   field(line, column, value[0]);
   field(b + (line - a), column, value[1]);
   fail_msg("row %u (%s of frame %s): %s is %s, expected %s", number, kind, frame, name, value[1],
            value[0]);
}

/* Neither changes a cycle, a byte or a statistic of a draw. */
static void
test_cuts_and_order(void **state)
{
   for (uint32_t number = 0; number < 7; number++) {
      const char *machine = machines[number < 3 ? 2 * number : NUM_MACHINES + number - 7];
      char dirs[2][40] = {"/tmp/attila-test-XXXXXX", "/tmp/attila-test-XXXXXX"};
      assert_non_null(mkdtemp(dirs[0]));
      assert_non_null(mkdtemp(dirs[1]));
      struct scene c;
      make_scene(&c, 100 + number);
      struct result a = run_reporting(&c, ATTILA_MODE_CYCLE, machine, 0, false, dirs[0]);
      struct result b = run_reporting(&c, ATTILA_MODE_CYCLE, machine, 5 + number, true, dirs[1]);
      assert_int_equal(a.cycles, b.cycles);
      compare(&c, &a, &b, number, machine);
      char *rows[2] = {take_draws(dirs[0]), take_draws(dirs[1])};
      compare_rows(rows[0], rows[1]);
      free(rows[0]);
      free(rows[1]);
      free(a.memory);
      free(b.memory);
      free(c.s.words);
   }
}

/* Policies that change frequencies all the time, and every group of units with a clock of its own.
 */
static const char *const clocks[] = {
    "DVFS.Policy=FIXED;DVFS.CommandDomain=a;DVFS.DisplayDomain=b;DVFS.GeometryDomain=c;DVFS."
    "SetupDomain=c;DVFS.RasterDomain=d;DVFS.ShaderDomain=e;DVFS.RopDomain=f;DVFS.MemoryDomain=g;"
    "DVFS.VertexShaderDomain=a;DVFS.Frequencies=a 90,b 10,c 37,d 61,e 83,f 50,g 70;"
    "GPU.SynchronizerCycles=2",
    "DVFS.Policy=WATERMARK;DVFS.HoldCycles=30;DVFS.SampleCycles=7;DVFS.TransitionTime=20;"
    "DVFS.MinFrequency=20;DVFS.Queue=interp_ffu",
    "DVFS.Policy=WATERMARK;DVFS.HoldCycles=10;DVFS.SampleCycles=3;DVFS.TransitionTime=5;DVFS.Step="
    "35;DVFS.RopDomain=memory;DVFS.RasterDomain=geometry;GPU.Unified=FALSE;GPU.ShaderClock=900;"
    "GPU.MemoryClock=450;MEMORYCONTROLLER.MemoryControllerV2=TRUE",
    "DVFS.Policy=DEADLINE;DVFS.FrameRate=20000;DVFS.SampleCycles=50;DVFS.TransitionTime=100",
    "DVFS.Policy=RACE_TO_IDLE;DVFS.FrameRate=5000;DVFS.Scaled=geometry,fragment,memory",
};

/* No pixel depends on clocks, and neither the clocking order nor a cut changes a cycle. */
static void
test_clocks_change_no_pixel(void **state)
{
   for (unsigned i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++) {
      for (uint32_t number = 300 + i; number < 300 + 2 * scenes(); number += 5) {
         struct scene c;
         make_scene(&c, number);
         struct result f = run(&c, ATTILA_MODE_FUNCTIONAL, clocks[i], 0, false),
                       a = run(&c, ATTILA_MODE_CYCLE, clocks[i], 0, false),
                       b = run(&c, ATTILA_MODE_CYCLE, clocks[i], 5 + number, true);
         compare(&c, &f, &a, number, clocks[i]);
         compare(&c, &f, &b, number, clocks[i]);
         if (a.cycles != b.cycles)
            fail_msg("scene %u: %llu cycles, cut and in another order %llu; machine \"%s\"", number,
                     (unsigned long long)a.cycles, (unsigned long long)b.cycles, clocks[i]);
         free(f.memory);
         free(a.memory);
         free(b.memory);
         free(c.s.words);
      }
   }
}

/* DVFS domains whose frequencies are all nominal change nothing at all. */
static void
test_nominal_dvfs_domains_change_nothing(void **state)
{
   char config[MAX_CONFIG];
   for (unsigned m = 0; m < NUM_MACHINES; m++) {
      if (!sample_has(m))
         continue;
      struct scene c;
      make_scene(&c, 400 + m);
      char dirs[2][40] = {"/tmp/attila-test-XXXXXX", "/tmp/attila-test-XXXXXX"};
      assert_non_null(mkdtemp(dirs[0]));
      assert_non_null(mkdtemp(dirs[1]));
      snprintf(config, sizeof(config), "%s%sDVFS.Policy=FIXED", machines[m],
               machines[m][0] ? ";" : "");
      struct result off = run_reporting(&c, ATTILA_MODE_CYCLE, machines[m], 0, false, dirs[0]),
                    on = run_reporting(&c, ATTILA_MODE_CYCLE, config, 3, false, dirs[1]);
      assert_int_equal(off.cycles, on.cycles);
      char *rows[2] = {take_draws(dirs[0]), take_draws(dirs[1])};
      compare_rows(rows[0], rows[1]);
      free(rows[0]);
      free(rows[1]);
      free(off.memory);
      free(on.memory);
      free(c.s.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_both_modes_agree_on_random_scenes),
       cmocka_unit_test(test_both_modes_agree_on_random_machines),
       cmocka_unit_test(test_both_modes_agree_on_random_machines_with_tiles),
       cmocka_unit_test(test_counter_between_draws_of_a_pass),
       cmocka_unit_test(test_surfaces_may_change_their_rops),
       cmocka_unit_test(test_cuts_and_order),
       cmocka_unit_test(test_clocks_change_no_pixel),
       cmocka_unit_test(test_nominal_dvfs_domains_change_nothing)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
