/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Listeners of a run (measure/sim_observer.h). The first part is the example of
 * docs/howto/listen.md: tests/house/docs.sh compares the two. */
#include "func_stream.h"
#include "session/machine/machine_impl.h"
#include "session/session_impl.h"

/* The example begins here. */
struct draw_list {
   struct sim_observer observer; /* first: events come with a pointer to it */
   const struct sim_measure *measure;
   FILE *file;
   unsigned column; /* of the statistic, in measure->columns */
};

static void
draw_list_find(void *data, unsigned column, const char *name)
{
   struct draw_list *d = data;
   if (!strcmp(name, "ShadedFragments_FFU"))
      d->column = column;
}

static void
draw_list_row(struct sim_observer *o, const struct sim_row *row)
{
   const struct draw_list *d = (const struct draw_list *)o;
   const struct sim_work *work = row->work;
   const uint64_t cycles = measure_cycles(d->measure, SIM_DOMAIN_GPU, work->end) -
                           measure_cycles(d->measure, SIM_DOMAIN_GPU, work->start);
   /* Functional mode has no statistics. */
   const uint64_t fragments = row->values ? row->values->value[d->column] : 0;
   if (work->kind == SIM_KIND_DRAW)
      fprintf(d->file, "%u,%u,%llu,%llu\n", d->measure->observed->frame, work->draw,
              (unsigned long long)cycles, (unsigned long long)fragments);
}

static void
draw_list_run_ended(struct sim_observer *o)
{
   fflush(((struct draw_list *)o)->file);
}

static const struct sim_observer_class draw_list_class = {.row = draw_list_row,
                                                          .run_ended = draw_list_run_ended};

/* Writes frame, draw, cycles and fragments of each draw to the file. */
struct sim_observer *
draw_list_create(const struct sim_measure *measure, FILE *file)
{
   struct draw_list *d = calloc(1, sizeof(*d));
   if (!d)
      return NULL;
   *d = (struct draw_list){.observer.cls = &draw_list_class, .measure = measure, .file = file};
   measure_columns_each_sum(&measure->columns, draw_list_find, d);
   return &d->observer;
}
/* The example ends here. */

/* Two frames of three draws and one. */
static void
make_frames(struct stream *s)
{
   static const float triangle[] = {-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   stream_start(s, 64, 64, 1);
   stream_program(s, ATTILA_STAGE_VERTEX, ".vertex\nMOV o0, i0\nEND\n");
   stream_program(s, ATTILA_STAGE_FRAGMENT, ".fragment\nMOV o0, c0\nEND\n");
   stream_attrib(s, 0, triangle, 4, 3);
   for (unsigned draw = 0; draw < 4; draw++) {
      s->regs.scissor_maxx = 16 * (draw + 1); /* each has other fragments */
      stream_draw(s, ATTILA_PRIM_TRIANGLES, 0, 3);
      if (draw == 2)
         stream_words(s, &end_frame, 1);
   }
   stream_words(s, &end_frame, 1);
}

static struct attila_sim *
make_sim(enum attila_mode mode, const char *out)
{
   char error[512];
   const char *const memory = "MEMORYCONTROLLER.MemorySize=16";
   const struct attila_sim_options o = {.mode = mode,
                                        .overrides = &memory,
                                        .num_overrides = 1,
                                        .out_dir = out,
                                        .record = out ? "csv" : NULL};
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fail_msg("%s", error);
   return sim;
}

static void
run_frames(struct attila_sim *sim)
{
   struct stream s;
   make_frames(&s);
   if (!attila_sim_submit(sim, s.words, s.num))
      fail_msg("%s", attila_sim_error(sim));
   assert_true(attila_session_finish(sim));
   free(s.words);
}

/* The text that the example writes. */
static char *
listed(enum attila_mode mode, const char *out)
{
   char *text = NULL;
   size_t size;
   FILE *f = open_memstream(&text, &size);
   struct attila_sim *sim = make_sim(mode, out);
   struct sim_machine *m = sim->machine;
   struct sim_observer *list = draw_list_create(m->measure, f);
   sim_observe(&m->device.observed, list);
   run_frames(sim);
   attila_sim_destroy(sim);
   free(list);
   fclose(f);
   return text;
}

/* The columns of a line of draws.csv that the example writes, too; false: it is no draw. */
static bool
same_columns(char *line, const char *head, char *out, size_t size)
{
   char names[65536], *columns[4] = {NULL}, *name_at = names, *name;
   static const char *const wanted[] = {"frame", "draw", "cycles", "ShadedFragments_FFU"};
   snprintf(names, sizeof(names), "%s", head);
   while ((name = strsep(&name_at, ",\n"))) {
      char *field = strsep(&line, ",\n");
      for (unsigned i = 0; i < 4; i++) {
         if (!strcmp(name, wanted[i]))
            columns[i] = field;
      }
   }
   for (unsigned i = 0; i < 4; i++)
      assert_non_null(columns[i]);
   snprintf(out, size, "%s,%s,%s,%s\n", columns[0], columns[1], columns[2], columns[3]);
   return columns[1][0] != '\0';
}

static void
test_the_example_lists_what_draws_csv_has(void **state)
{
   char dir[] = "/tmp/attila-listen-XXXXXX", command[100], path[60], row[200], expected[1000] = "";
   char *head = NULL, *line = NULL;
   size_t head_size = 0, size = 0;
   assert_non_null(mkdtemp(dir));
   char *text = listed(ATTILA_MODE_CYCLE, dir);
   snprintf(path, sizeof(path), "%s/draws.csv", dir);
   FILE *f = fopen(path, "r");
   assert_non_null(f);
   assert_true(getline(&head, &head_size, f) > 0);
   while (getline(&line, &size, f) > 0) {
      if (same_columns(line, head, row, sizeof(row)))
         strcat(expected, row);
   }
   fclose(f);
   snprintf(command, sizeof(command), "rm -r %s", dir);
   assert_int_equal(system(command), 0);
   assert_string_equal(text, expected);
   assert_int_equal(strncmp(text, "0,0,", 4), 0);
   assert_non_null(strstr(text, "\n1,0,"));
   free(head);
   free(line);
   free(text);
}

static void
test_functional_mode_lists_draws_without_statistics(void **state)
{
   char *text = listed(ATTILA_MODE_FUNCTIONAL, NULL);
   assert_string_equal(text, "0,0,0,0\n0,1,0,0\n0,2,0,0\n1,0,0,0\n");
   free(text);
}

/* --- Order --- */

struct heard {
   struct sim_observer observer;
   const struct sim_observed *observed;
   char name, *log;
};

static void
hear(struct heard *h, char event)
{
   sprintf(h->log + strlen(h->log), "%c%c%u.%u ", h->name, event, h->observed->frame,
           h->observed->draws);
}

static void
heard_draw(struct sim_observer *o, struct sim_draw_begins *draw)
{
   hear((struct heard *)o, 'd');
}

static void
heard_end(struct sim_observer *o, const struct sim_frame_end *end)
{
   hear((struct heard *)o, 'e');
}

static void
heard_begin(struct sim_observer *o)
{
   hear((struct heard *)o, 'b');
}

static const struct sim_observer_class heard_class = {.draw_begins = heard_draw,
                                                      .frame_ended = heard_end,
                                                      .frame_began = heard_begin};

static void
test_listeners_are_called_in_order_until_they_leave(void **state)
{
   char log[1000] = "";
   struct attila_sim *sim = make_sim(ATTILA_MODE_FUNCTIONAL, NULL);
   struct sim_observed *observed = &sim->machine->device.observed;
   struct heard a = {{.cls = &heard_class}, observed, 'A', log},
                b = {{.cls = &heard_class}, observed, 'B', log};
   sim_observe(observed, &a.observer);
   sim_observe(observed, &b.observer);
   run_frames(sim);
   assert_string_equal(log, "Ad0.0 Bd0.0 Ad0.1 Bd0.1 Ad0.2 Bd0.2 Ae0.3 Be0.3 Ab1.0 Bb1.0 "
                            "Ad1.0 Bd1.0 Ae1.1 Be1.1 Ab2.0 Bb2.0 ");
   sim_observe_no_more(observed, &a.observer);
   sim_observe_no_more(observed, &b.observer);
   log[0] = '\0';
   /* Frames and draws have numbers whether or not anything listens. */
   run_frames(sim);
   assert_string_equal(log, "");
   assert_int_equal(observed->frame, 4);
   attila_sim_destroy(sim);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_the_example_lists_what_draws_csv_has),
       cmocka_unit_test(test_functional_mode_lists_draws_without_statistics),
       cmocka_unit_test(test_listeners_are_called_in_order_until_they_leave),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
