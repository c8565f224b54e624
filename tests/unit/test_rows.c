/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Attribution: on random streams and machines, in any clocking order, the rows of draws.csv add up
 * to the frame for every statistic, and a box's busy, blocked, starved and idle cycles to its
 * cycles. A complete command counts nothing more, and a box that sleeps counts what one clocked in
 * every cycle does. ATTILA_TEST_SCENES says how many streams. */
#include "random_scene.h"
#include "machine_text.h"
#include <sys/stat.h>
#include <unistd.h>
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"

struct table {
   char *text;
   char **name;  /* [column] */
   char **field; /* [row][column] */
   unsigned columns, rows;
};

/* Splits a line at its commas; no field of these streams has one inside. */
static unsigned
split(char *line, char **fields, unsigned max)
{
   unsigned n = 0;
   for (char *save = line; (line = strsep(&save, ","));) {
      assert_true(n < max);
      fields[n++] = line;
   }
   return n;
}

static void
read_table(struct table *t, const char *dir, const char *name)
{
   enum { MAX_COLUMNS = 20000 };
   char path[300];
   struct stat st;
   snprintf(path, sizeof(path), "%s/%s", dir, name);
   FILE *f = fopen(path, "rb");
   assert_non_null(f);
   assert_int_equal(fstat(fileno(f), &st), 0);
   *t = (struct table){.text = calloc(1, (size_t)st.st_size + 1)};
   assert_int_equal(fread(t->text, 1, (size_t)st.st_size, f), st.st_size);
   fclose(f);
   unlink(path);
   t->name = calloc(MAX_COLUMNS, sizeof(*t->name));
   char *line = t->text, *end = strchr(line, '\n');
   *end = '\0';
   t->columns = split(line, t->name, MAX_COLUMNS);
   while (*(line = end + 1)) {
      end = strchr(line, '\n');
      assert_non_null(end);
      *end = '\0';
      t->field = realloc(t->field, (t->rows + 1) * t->columns * sizeof(*t->field));
      assert_int_equal(split(line, t->field + (size_t)t->rows++ * t->columns, t->columns),
                       t->columns);
   }
}

static void
free_table(struct table *t)
{
   free(t->text);
   free(t->name);
   free(t->field);
}

static unsigned
column(const struct table *t, const char *name)
{
   for (unsigned c = 0; c < t->columns; c++) {
      if (!strcmp(t->name[c], name))
         return c;
   }
   fail_msg("no column %s", name);
   return 0;
}

static const char *
text(const struct table *t, unsigned row, unsigned column)
{
   return t->field[(size_t)row * t->columns + column];
}

static uint64_t
number(const struct table *t, unsigned row, unsigned column)
{
   return strtoull(text(t, row, column), NULL, 10);
}

static uint64_t
number_of(const struct table *t, unsigned row, const char *name)
{
   return number(t, row, column(t, name));
}

struct reports {
   struct table frames, draws;
   uint64_t unattributed;
};

static void
run_with(struct reports *r, const struct scene *c, const char *machine, uint32_t order,
         unsigned thorough, uint32_t work_ids)
{
   char dir[] = "/tmp/attila-test-XXXXXX", path[64];
   assert_non_null(mkdtemp(dir));
   struct attila_sim_options o = {
       .mode = ATTILA_MODE_CYCLE, .box_order_seed = order, .record = "csv", .out_dir = dir};
   struct attila_sim *sim = machine_create(o, 16, machine);
   sim->machine->gpu.kernel.thorough = thorough;
   if (thorough)
      sim->machine->gpu.kernel.stall_ticks = 0;
   if (work_ids)
      sim->machine->gpu.work->num_free = work_ids;
   if (!attila_sim_submit(sim, c->s.words, c->s.num))
      fail_msg("%s", attila_sim_error(sim));
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   /* The second frame has what is still on its way when the first one ends. */
   assert_true(attila_sim_submit(sim, &end_frame, 1));
   attila_session_finish(sim);
   assert_true(attila_sim_submit(sim, &end_frame, 1));
   attila_session_finish(sim);
   r->unattributed = sim->machine->gpu.work->unattributed;
   attila_sim_destroy(sim);
   read_table(&r->frames, dir, "frames.csv");
   read_table(&r->draws, dir, "draws.csv");
   snprintf(path, sizeof(path), "%s/counters.csv", dir);
   unlink(path);
   assert_int_equal(rmdir(dir), 0);
}

static void
run(struct reports *r, const struct scene *c, const char *machine, uint32_t order,
    unsigned thorough)
{
   run_with(r, c, machine, order, thorough, 0);
}

static void
free_reports(struct reports *r)
{
   free_table(&r->frames);
   free_table(&r->draws);
}

/* Every statistic: the rows of each frame and the frame itself. */
static void
check_sums(const struct reports *r, bool few_work_ids)
{
   const struct table *f = &r->frames, *d = &r->draws;
   unsigned first = column(f, "memory_cycles") + 1, own = column(d, "limiter_share") + 1;
   unsigned draw = column(d, "draw"), draws_of_frame = column(f, "draws");
   assert_int_equal(f->columns - first, d->columns - own);
   for (unsigned frame = 0, row = 0; frame < f->rows; frame++) {
      uint64_t *sum = calloc(f->columns, sizeof(*sum));
      unsigned rows = 0, draws = 0;
      for (; row < d->rows && number(d, row, 0) == frame; row++, rows++) {
         /* In the order of commands. */
         if (!few_work_ids && *text(d, row, draw))
            assert_int_equal(number(d, row, draw), draws++);
         for (unsigned c = first; c < f->columns; c++)
            sum[c] += number(d, row, c - first + own);
      }
      assert_true(rows > 0);
      /* Those for which no work id was free have no row of their own. */
      if (!few_work_ids)
         assert_int_equal(draws, number(f, frame, draws_of_frame));
      assert_string_equal(text(d, row - 1, column(d, "kind")), "other");
      for (unsigned c = first; c < f->columns; c++) {
         assert_string_equal(f->name[c], d->name[c - first + own]);
         if (sum[c] != number(f, frame, c))
            fail_msg("frame %u: %s is %s, the rows add up to %llu", frame, f->name[c],
                     text(f, frame, c), (unsigned long long)sum[c]);
      }
      free(sum);
   }
}

/* Every box: what it did with its cycles. */
static void
check_activity(const struct reports *r)
{
   static const char *const kinds[] = {"CyclesBusy", "CyclesBlocked", "CyclesStarved",
                                       "CyclesIdle"};
   for (unsigned frame = 0; frame < r->frames.rows; frame++) {
      unsigned boxes = 0;
      for (unsigned c = 0; c < r->frames.columns; c++) {
         const char *name = r->frames.name[c];
         if (strncmp(name, "CyclesBusy_", 11))
            continue;
         const char *unit = name + 11;
         char sum_of[100];
         /* Sums over instances follow from these: check_sums. */
         snprintf(sum_of, sizeof(sum_of), "%s0", name);
         bool is_sum = false;
         for (unsigned n = 0; n < r->frames.columns; n++)
            is_sum |= !strcmp(r->frames.name[n], sum_of);
         if (is_sum || !strcmp(unit, "TU-FSTU"))
            continue;
         uint64_t sum = 0;
         for (unsigned k = 0; k < 4; k++) {
            char other[100];
            snprintf(other, sizeof(other), "%s_%s", kinds[k], unit);
            sum += number_of(&r->frames, frame, other);
         }
         const char *domain = !strncmp(unit, "Sh", 2)      ? "shader_cycles"
                              : !strncmp(unit, "Sched", 5) ? "memory_cycles"
                                                           : "cycles";
         uint64_t cycles = number_of(&r->frames, frame, domain);
         if (sum != cycles)
            fail_msg("frame %u: busy, blocked, starved and idle cycles of %s are %llu, not %llu",
                     frame, unit, (unsigned long long)sum, (unsigned long long)cycles);
         boxes++;
      }
      assert_true(boxes > 20);
   }
}

/* What columns whose names begin and end like this count in all rows. */
static uint64_t
total(const struct table *t, const char *begin, const char *end)
{
   uint64_t sum = 0;
   for (unsigned c = 0; c < t->columns; c++) {
      size_t n = strlen(t->name[c]), b = strlen(begin), e = strlen(end);
      if (n < b + e || strncmp(t->name[c], begin, b) || strcmp(t->name[c] + n - e, end))
         continue;
      for (unsigned row = 0; row < t->rows; row++)
         sum += number(t, row, c);
   }
   return sum;
}

/* Everything that channels moved was moved for a client, and for a row (check_sums). */
static void
check_bytes(const struct reports *r)
{
   const struct table *t = &r->frames;
   static const char *const what[] = {"Read", "Write"};
   for (unsigned w = 0; w < 2; w++) {
      char clients[40], hits[40], misses[40], moved[40], commands[40];
      snprintf(clients, sizeof(clients), "_%sTransactions_MC", what[w]);
      snprintf(hits, sizeof(hits), "Client%sRowHit_", what[w]);
      snprintf(misses, sizeof(misses), "Client%sRowMiss_", what[w]);
      snprintf(moved, sizeof(moved), "%sDataBytes_Sched", what[w]);
      snprintf(commands, sizeof(commands), "DDR%sCommands_Sched", what[w]);
      uint64_t bytes = total(t, moved, "") / 2; /* the sum and the channels' own columns */
      uint64_t bursts = total(t, hits, "_Sched") + total(t, misses, "_Sched");
      assert_true(bytes > 0);
      if (bursts) {
         assert_int_equal(bursts, total(t, commands, "") / 2);
         assert_int_equal(bytes, bursts * 32);
      } else {
         assert_int_equal(bytes, 64 * total(t, "", clients));
      }
   }
}

static uint32_t
scenes(void)
{
   return sample_number("ATTILA_TEST_SCENES", 20);
}

static void
test_rows_add_up_to_their_frame(void **state)
{
   for (uint32_t n = 0; n < scenes(); n++) {
      struct scene c;
      struct reports r;
      make_scene(&c, 1000 + n);
      run(&r, &c, machines[n % NUM_MACHINES], n % 2 ? n : 0, 0);
      check_sums(&r, false);
      check_activity(&r);
      check_bytes(&r);
      free_reports(&r);
      free(c.s.words);
   }
}

/* Equal tables from a column on. */
static void
compare(const struct table *a, const struct table *b, const char *from, unsigned machine,
        const char *how)
{
   assert_int_equal(a->rows, b->rows);
   for (unsigned i = 0; i < a->rows; i++) {
      for (unsigned k = column(a, from); k < a->columns; k++) {
         if (strcmp(text(a, i, k), text(b, i, k)))
            fail_msg("machine %u, row %u (frame %s): %s is %s, %s %s", machine, i, text(a, i, 0),
                     a->name[k], text(a, i, k), how, text(b, i, k));
      }
   }
}

/* Being clocked without work changes nothing, nothing is counted for a complete command, and when
 * waiting time is counted changes no sum. */
static void
test_sleeping_changes_no_statistic(void **state)
{
   for (uint32_t n = 0; n < NUM_MACHINES; n++) {
      if (!sample_has(n))
         continue;
      struct scene c;
      struct reports r[3];
      make_scene(&c, 2000 + n);
      for (unsigned thorough = 0; thorough < 3; thorough++)
         run(&r[thorough], &c, machines[n], 0, thorough);
      compare(&r[0].draws, &r[1].draws, "frame", n, "without sleep");
      compare(&r[0].frames, &r[2].frames, "memory_cycles", n, "flushed after every tick");
      assert_int_equal(r[1].unattributed, 0);
      assert_int_equal(r[2].unattributed, 0);
      for (unsigned i = 0; i < 3; i++)
         free_reports(&r[i]);
      free(c.s.words);
   }
}

/* Too few work ids: what has none is charged together, and not a cycle changes. */
static void
test_few_work_ids(void **state)
{
   struct scene c;
   struct reports r[2];
   make_scene(&c, 3000);
   run_with(&r[0], &c, machines[0], 0, 0, 0);
   run_with(&r[1], &c, machines[0], 0, 0, 3);
   check_sums(&r[1], true);
   bool shared[2] = {false, false};
   for (unsigned i = 0; i < 2; i++) {
      const struct table *t = &r[i].draws;
      for (unsigned row = 0; row < t->rows; row++)
         shared[i] |= !strcmp(text(t, row, column(t, "kind")), "shared");
   }
   assert_true(!shared[0] && shared[1]);
   compare(&r[0].frames, &r[1].frames, "memory_cycles", 0, "with few work ids");
   free_reports(&r[0]);
   free_reports(&r[1]);
   free(c.s.words);
}

/* Writes every pixel of some tiles once: a triangle that is larger, and a scissor. */
static void
fill_tiles(struct scene *c, uint32_t x0, uint32_t y0, uint32_t x1, uint32_t y1)
{
   static const float v[3][4] = {{-1, -1, 0, 1}, {3, -1, 0, 1}, {-1, 3, 0, 1}};
   struct attila_regs *r = &c->s.regs;
   r->scissor_minx = 8 * x0;
   r->scissor_miny = 8 * y0;
   r->scissor_maxx = 8 * x1;
   r->scissor_maxy = 8 * y1;
   stream_attrib(&c->s, 0, v[0], 4, 3);
   stream_draw(&c->s, ATTILA_PRIM_TRIANGLES, 0, 3);
}

/* Draw A writes 16 lines, draw B 32 others; the cache has 8. Every line is charged to the draw that
 * wrote it, whatever evicts it: the other draw, the flush, or a later frame. */
static void
test_write_back_is_charged_to_its_writer(void **state)
{
   static const char machine[] =
       "GPU.NumStampPipes=1;COLORWRITE.ColorCacheWays=1;COLORWRITE.ColorCacheLines=8";
   static const char *const written[] = {"WriteBytes_CW-SU0", "ColorWrite_WriteBytes_MC",
                                         "WriteDataBytes_Sched"};
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   for (unsigned cut = 0; cut < 2; cut++) {
      struct scene c;
      struct reports r;
      stream_start(&c.s, 64, 64, 1);
      c.s.regs.zs_address = 0;
      stream_program(&c.s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nMOV o1, i0\nEND\n");
      stream_program(&c.s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, i1\nEND\n");
      fill_tiles(&c, 0, 0, 4, 4);
      if (cut)
         stream_words(&c.s, &end_frame, 1);
      fill_tiles(&c, 0, 4, 8, 8);
      stream_flush(&c.s);
      run(&r, &c, machine, 0, 0);
      check_sums(&r, false);
      const struct table *t = &r.draws;
      for (unsigned u = 0; u < 3; u++) {
         uint64_t draw[2] = {0}, late = 0, flush = 0;
         unsigned n = 0;
         for (unsigned row = 0; row < t->rows; row++) {
            const char *kind = text(t, row, column(t, "kind"));
            uint64_t bytes = number_of(t, row, written[u]);
            if (!strcmp(kind, "draw"))
               draw[n++] = bytes;
            late += strcmp(kind, "earlier") ? 0 : bytes;
            flush += strcmp(kind, "flush") ? 0 : bytes;
         }
         assert_int_equal(n, 2);
         assert_int_equal(draw[1], 32 * 256);
         assert_int_equal(draw[0] + late, 16 * 256);
         if (cut)
            assert_in_range(draw[0], 256, 15 * 256);
         else
            assert_int_equal(late, 0);
         assert_int_equal(flush, 0);
      }
      free_reports(&r);
      free(c.s.words);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows_add_up_to_their_frame),
                                      cmocka_unit_test(test_sleeping_changes_no_statistic),
                                      cmocka_unit_test(test_few_work_ids),
                                      cmocka_unit_test(test_write_back_is_charged_to_its_writer)};
   return cmocka_run_group_tests(tests, NULL, NULL);
}
