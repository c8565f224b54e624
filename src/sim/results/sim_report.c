/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports of a run: rows, frames and intervals that were measured go to the tables and the record,
 * a frame's at its end. A row of draws.csv holds what was charged to its work id; a frame's row is
 * the sum of them all. Not here: what is measured (measure/), order and exclusive cycles of rows
 * (sim_pending.c), tables of text (sim_tables.c, sim_csv.c), the record (sim_record.c), the folder
 * (sim_report_files.c), host times and what a terminal is told (sim_status.c), warnings
 * (sim_warn.c).
 */
#include "results/sim_report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_isa.h"
#include "results/sim_report_impl.h"

/* --- What fails --- */

void
report_fail(struct sim_report *r, const char *error)
{
   if (!r->failed)
      fprintf(stderr,
              "attila: error: %s: the reports end in frame %u, what was written before is whole\n",
              error, r->frame);
   r->failed = true;
}

static void
report_check_table(struct sim_report *r, const struct sim_csv *c)
{
   char error[4300];
   if (!c->file || !c->file->error || r->failed)
      return;
   snprintf(error, sizeof(error), "%s: %s", c->file->path, strerror(c->file->error));
   report_fail(r, error);
}

static void
report_check_record(struct sim_report *r)
{
   const char *error = sim_record_error(r->record);
   if (error && !r->failed)
      report_fail(r, error);
}

/* Everything so far is in the files. */
static void
report_commit(struct sim_report *r)
{
   if (r->failed)
      return;
   /* A later simulator leaves both tables alone if one of them has a row. */
   if (r->draws.rows > 1 || r->frames.rows > 1) {
      sim_file_mark_used(r->draws.file);
      sim_file_mark_used(r->frames.file);
   }
   sim_csv_write(&r->draws);
   sim_csv_write(&r->frames);
   report_check_table(r, &r->draws);
   report_check_table(r, &r->frames);
   sim_record_commit(r->record);
   report_check_record(r);
}

/* --- Rows --- */

static uint64_t
report_cycles_at(const struct sim_report *r, sim_tick tick)
{
   return measure_cycles(&r->measure, SIM_DOMAIN_GPU, tick);
}

/* Numbers of the rows of a frame that are not commands, which count from 1. */
#define NUMBER_EARLIER 0u
#define NUMBER_SHARED (UINT32_MAX - 1)
#define NUMBER_OTHER UINT32_MAX

/* A row whose statistics are values. */
static void
report_put_work(struct sim_report *r, const struct sim_work *work, uint32_t number, uint32_t draws,
                const struct measure_values *values)
{
   const struct measure_parts *parts = measure_states_row(&r->measure);
   struct pending_work w = {.work = *work,
                            .number = number,
                            .hidden = !report_work_wanted(r, work, draws),
                            .start = report_cycles_at(r, work->start),
                            .end = report_cycles_at(r, work->end)};
   sim_work_keep_texts(&w.texts, work);
   r->window_touched |= !w.hidden;
   r->label_seen |= !w.hidden;
   /* What others caused later has no time of its own. */
   if (!w.hidden && number != NUMBER_EARLIER && number < NUMBER_SHARED)
      w.limits = measure_limits(&r->measure, values->value, work->start, work->end);
   report_pending_work(r, &w, values, parts);
   report_status(r);
}

static void
report_take_work(void *report, const struct sim_work_state *s, uint16_t work_id, sim_tick now)
{
   struct sim_report *r = report;
   measure_take(&r->measure, work_id, &r->row);
   if (s->earlier) {
      /* It has a row already: what comes now is the frame's "earlier" one. */
      measure_values_add(&r->earlier, &r->row);
      if (!measure_states_put_off(&r->measure))
         measure_states_free(&r->measure);
   } else if (report_frames_wanted(r)) {
      struct sim_work work = s->work;
      work.end = s->ended ? work.end : now;
      report_put_work(r, &work, s->number, s->draws, &r->row);
   }
}

/* --- Intervals --- */

static void
report_interval_ended(void *report, const struct measure_interval *i)
{
   struct sim_report *r = report;
   const struct measure_parts *parts = measure_states_interval(&r->measure);
   const bool wanted = report_window_open(r);
   struct sim_record_interval interval = {
       /* Where a frame ends in the same tick, the next one has begun already. */
       .frame = r->frame && i->end == r->last_end ? r->frame - 1 : r->frame,
       .start = report_cycles_at(r, i->start),
       .end = report_cycles_at(r, i->end),
       .values = i->values,
   };
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      interval.domain_cycles[d] =
          measure_cycles(&r->measure, d, i->end) - measure_cycles(&r->measure, d, i->start);
   if (wanted && (interval.end > interval.start || i->values->num_touched))
      report_pending_interval(r, &interval, parts);
}

/* --- Life --- */

struct sim_measure *
sim_report_measure(struct sim_report *r)
{
   return r ? &r->measure : NULL;
}

/* Which files are wanted, by their names. */
static bool
report_choose_files(struct sim_report *r, const char *names, bool *sqlite, bool *boxes, char *error,
                    size_t error_size)
{
   const char *list = names ? names : "sqlite,csv";
   bool csv = false, ok = true;
   *sqlite = *boxes = false;
   for (const char *p = list; ok; p++) {
      const size_t n = strcspn(p, ",");
      if (n == 3 && !strncmp(p, "csv", n))
         csv = true;
      else if (n == 7 && !strncmp(p, "csv.zst", n))
         csv = r->pack_draws = true;
      else if (n == 6 && !strncmp(p, "sqlite", n))
         *sqlite = true;
      else if (n == 5 && !strncmp(p, "boxes", n))
         *boxes = true;
      else
         ok = false;
      p += n;
      if (!*p)
         break;
   }
   r->no_draws_csv = !csv;
   /* Parts of a run are merged, records and text. */
   *sqlite |= r->part_of_a_run;
   r->pack_draws &= !r->part_of_a_run;
   if (!ok)
      snprintf(error, error_size,
               "record: \"%.100s\": choose from sqlite, boxes, csv, csv.zst, with commas between "
               "them",
               list);
   else if (*boxes && !*sqlite)
      snprintf(error, error_size, "record: \"%.100s\": boxes needs sqlite", list);
   return ok && (*sqlite || !*boxes);
}

static bool
report_open_record(struct sim_report *r, const struct sim_record_run *run, char *error,
                   size_t error_size)
{
   char *folder = r->path ? realpath(r->path, NULL) : NULL;
   if (!folder)
      snprintf(error, error_size, "%.400s: %s", r->path ? r->path : "", strerror(errno));
   else
      r->record = sim_record_create(folder, &r->measure, error, error_size);
   free(folder);
   if (!r->record)
      return false;
   sim_record_fill(r->record, run);
   if (sim_record_error(r->record))
      snprintf(error, error_size, "%s", sim_record_error(r->record));
   return !sim_record_error(r->record);
}

static bool
report_open_files(struct sim_report *r, const struct sim_report_options *o, bool sqlite,
                  const struct sim_record_run *run, char *error, size_t error_size)
{
   if (!report_files_open(r, o->out_dir, error, error_size))
      return false;
   report_tables_headers(r);
   const struct sim_file *failed = r->draws.file->error    ? r->draws.file
                                   : r->frames.file->error ? r->frames.file
                                                           : NULL;
   if (failed)
      snprintf(error, error_size, "%.400s: %s", failed->path, strerror(failed->error));
   if (failed ||
       (r->measure.columns.num && !run->rows_only && !report_files_counters(r, error, error_size)))
      return false;
   if (run->interval && sqlite && r->measure.columns.num &&
       !measure_intervals_start(&r->measure, run->interval, report_interval_ended)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   return !sqlite || report_open_record(r, run, error, error_size);
}

static bool
report_make_memory(struct sim_report *r, struct sim_kernel *kernel, bool files, char *error,
                   size_t error_size)
{
   const bool ok = sim_measure_make(&r->measure, kernel, r, report_take_work) &&
                   (!files || measure_columns_name(&r->measure.columns, kernel)) &&
                   measure_values_make(&r->row, r->measure.columns.num) &&
                   measure_values_make(&r->earlier, r->measure.columns.num) &&
                   report_pending_make(r);
   if (!ok)
      snprintf(error, error_size, "out of host memory");
   return ok;
}

struct sim_report *
sim_report_create(struct sim_kernel *kernel, const struct sim_report_options *o, char *error,
                  size_t error_size)
{
   struct sim_report *r = calloc(1, sizeof(*r));
   if (!r) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   r->folder = -1;
   r->progress = o->progress;
   r->part_of_a_run = o->part_of_a_run;
   report_status_start(r, o->status);
   r->save_frames = o->save_frames && o->out_dir;
   r->last_host = report_seconds(CLOCK_MONOTONIC_RAW);
   struct sim_record_run run = o->run;
   bool sqlite;
   if (!report_make_memory(r, kernel, o->out_dir, error, error_size) ||
       !measure_columns_choose(&r->measure.columns, kernel, o->draws_columns, error, error_size) ||
       (o->draws_frames && !report_frames_parse(r, o->draws_frames, error, error_size)) ||
       (o->draws && !report_draws_parse(r, o->draws, error, error_size)) ||
       (o->label && !report_label_parse(r, o->label, error, error_size)) ||
       !report_choose_files(r, o->record, &sqlite, &run.boxes, error, error_size) ||
       (o->out_dir && !report_open_files(r, o, sqlite, &run, error, error_size))) {
      r->failed = true; /* the caller tells */
      sim_report_destroy(r);
      return NULL;
   }
   r->counts_work = sim_report_writes_files(r);
   kernel->no_activity = !r->counts_work;
   return r;
}

void
sim_report_destroy(struct sim_report *r)
{
   if (!r)
      return;
   report_commit(r);
   bool whole = sim_csv_close(&r->draws);
   whole = sim_csv_close(&r->frames) && whole;
   whole = sim_record_close(r->record) && whole;
   if (!whole)
      report_fail(r, r->path ? r->path : "");
   report_files_close(r);
   report_pending_free(r);
   measure_values_free(&r->row);
   measure_values_free(&r->earlier);
   sim_measure_free(&r->measure);
   free(r->draw_frames);
   free(r->draws_wanted);
   free(r->label_wanted);
   free(r);
}

void
sim_report_disown(struct sim_report *r)
{
   if (!r)
      return;
   sim_csv_disown(&r->draws);
   sim_csv_disown(&r->frames);
   r->save_frames = false;
   sim_record_disown(r->record);
}

bool
sim_report_failed(const struct sim_report *r)
{
   return r && r->failed;
}

void
sim_report_begin_work(struct sim_report *r)
{
   if (!r)
      return;
   r->cpu_entered = report_seconds(CLOCK_THREAD_CPUTIME_ID);
   r->working = true;
}

void
sim_report_end_work(struct sim_report *r)
{
   if (!r)
      return;
   r->cpu += report_seconds(CLOCK_THREAD_CPUTIME_ID) - r->cpu_entered;
   r->working = false;
   report_status(r);
}

void
sim_report_set_first_frame(struct sim_report *r, uint32_t frame)
{
   if (r)
      r->first_frame = frame;
}

void
sim_report_set_frame(struct sim_report *r, uint32_t frame)
{
   if (r)
      r->frame = frame;
}

void
sim_report_pass_over(struct sim_report *r, bool on)
{
   if (r) {
      r->in_parts = true;
      r->passing = on;
   }
}

void
sim_report_choose_picture(struct sim_report *r, bool chosen)
{
   if (r)
      r->no_picture = !chosen;
}

sim_tick
sim_report_now(const struct sim_report *r)
{
   return r ? r->measure.kernel->now : 0;
}

uint32_t
sim_report_frames(const struct sim_report *r)
{
   return r ? r->frame : 0;
}

bool
sim_report_drew(const struct sim_report *r)
{
   return r && (r->frame || r->measure.next_draw);
}

bool
sim_report_writes_files(const struct sim_report *r)
{
   return r && r->folder >= 0;
}

bool
sim_report_wants_image(const struct sim_report *r)
{
   return r && r->save_frames && !r->no_picture && !r->failed && r->frame >= r->first_frame;
}

/* --- Draws and frames --- */

uint32_t
sim_report_next_draw(struct sim_report *r)
{
   if (!r)
      return 0;
   if (r->watch.draw_begins && !r->passing)
      r->watch.draw_begins(r->watch.data, r->frame, r->measure.next_draw);
   r->passed_draws += r->passing;
   return r->measure.next_draw++;
}

uint32_t
sim_report_draws(const struct sim_report *r)
{
   return r ? r->measure.next_draw : 0;
}

bool
sim_report_wants_frame(const struct sim_report *r)
{
   return !r || report_frames_wanted(r);
}

const char *
sim_report_folder(const struct sim_report *r)
{
   return r ? r->path : NULL;
}

struct sim_work_table *
sim_report_work_table(struct sim_report *r)
{
   return r && r->counts_work ? &r->measure.work : NULL;
}

struct sim_work_table *
sim_report_count_work(struct sim_report *r)
{
   if (!r->counts_work) {
      r->counts_work = true;
      r->measure.work.last_end = r->measure.kernel->now;
      sim_kernel_count_activity(r->measure.kernel);
   }
   return &r->measure.work;
}

void
sim_report_draw(struct sim_report *r, const struct sim_work *draw)
{
   if (!r || r->passing || !report_frames_wanted(r))
      return;
   measure_values_clear(&r->row);
   report_put_work(r, draw, draw->draw + 1, draw->draw + 1, &r->row);
}

bool
sim_report_records(const struct sim_report *r)
{
   return r && r->record && !r->failed;
}

bool
sim_report_describes(const struct sim_report *r)
{
   return sim_report_records(r) && !r->passing && r->frame >= r->first_frame;
}

uint32_t
sim_report_program(struct sim_report *r, const struct sim_record_program *program,
                   struct sim_cost **costs)
{
   *costs = NULL;
   if (!sim_report_records(r))
      return 0;
   struct sim_record_program p = *program;
   p.frame = r->frame;
   const uint32_t number = sim_record_program(r->record, &p);
   if (number && r->counts_work && r->measure.columns.num)
      *costs = sim_record_costs(r->record, number, program->isa->num_instrs);
   return number;
}

uint32_t
sim_report_bindings(struct sim_report *r, const struct sim_record_surface *surfaces, unsigned num)
{
   return sim_report_records(r) && num ? sim_record_bindings(r->record, surfaces, num) : 0;
}

/* --- Clocks --- */

static void
report_no_states(struct sim_report *r)
{
   if (r->has_states)
      sim_warn(r, "out of host memory: the record does not say which states frames were in");
   r->has_states = false;
   measure_states_free(&r->measure);
}

void
sim_report_domain(struct sim_report *r, unsigned domain, const char *name)
{
   if (!r || !r->record)
      return;
   if (!r->measure.states) {
      r->has_states = true;
      if (!measure_states_make(&r->measure))
         report_no_states(r);
   }
   if (r->measure.states)
      sim_record_domain(r->record, domain, name);
   report_check_record(r);
}

void
sim_report_clock(struct sim_report *r, const struct sim_report_clock *change)
{
   unsigned state;
   bool is_new;
   if (!r || !r->measure.states)
      return;
   const bool ok =
       measure_states_change(&r->measure, change->domain, change->voltage, &state, &is_new);
   if (ok && is_new)
      sim_record_state(r->record, state, measure_states_voltages(&r->measure));
   sim_record_clock(r->record, r->frame, r->measure.kernel->now, change, state);
   if (!ok)
      report_no_states(r);
}

#define PATIENCE 10.0 /* seconds */

void
sim_report_draw_progress(struct sim_report *r, uint64_t done, uint64_t total)
{
   if (!r)
      return;
   double now = report_seconds(CLOCK_MONOTONIC);
   if (!done) {
      r->draw_began = r->draw_told = now;
   } else if (now - r->draw_told >= PATIENCE) {
      fprintf(stderr, "attila: frame %u, draw %u: %llu of %llu vertices after %.0f s\n", r->frame,
              r->measure.next_draw, (unsigned long long)done, (unsigned long long)total,
              now - r->draw_began);
      r->draw_told = now;
   }
}

/* A row of a kind that a frame has at most once. */
static void
report_put_frame_work(struct sim_report *r, enum sim_work_kind kind, uint32_t number, sim_tick end,
                      const struct measure_values *values)
{
   const struct sim_work work = {.kind = kind, .start = r->last_end, .end = end};
   if (report_frames_wanted(r) && (kind == SIM_KIND_OTHER || values->num_touched))
      report_put_work(r, &work, number, 0, values);
}

/* Takes every work id: the frame's row is what its rows add up to. */
static void
report_end_work(struct sim_report *r, sim_tick end)
{
   struct sim_measure *m = &r->measure;
   measure_work_end_frame(&m->work, end);
   /* A work id that nobody has is empty, unless a box counted for a command that was complete. */
   for (unsigned work_id = SIM_WORK_SHARED + 1; work_id < m->kernel->used_work_ids; work_id++) {
      if (m->work.refs[work_id])
         continue;
      measure_take(m, work_id, &r->row);
      for (unsigned i = 0; i < r->row.num_touched; i++)
         m->work.unattributed += r->row.value[r->row.touched[i]];
      measure_values_add(&r->earlier, &r->row);
      if (!measure_states_put_off(m))
         measure_states_free(m);
   }
   measure_take(m, SIM_WORK_SHARED, &r->row);
   report_put_frame_work(r, SIM_KIND_SHARED, NUMBER_SHARED, end, &r->row);
   measure_take(m, SIM_WORK_OTHER, &r->row);
   report_put_frame_work(r, SIM_KIND_OTHER, NUMBER_OTHER, end, &r->row);
   measure_states_take_earlier(m);
   report_put_frame_work(r, SIM_KIND_EARLIER, NUMBER_EARLIER, end, &r->earlier);
   measure_values_clear(&r->earlier);
}

/* The row of the frame, after those of its work. */
static void
report_write_frame(struct sim_report *r, sim_tick end, const struct report_host_time *host)
{
   const struct sim_kernel *k = r->measure.kernel;
   struct sim_record_frame f = {
       .frame = r->frame,
       .draws = r->measure.next_draw - r->passed_draws,
       .start = report_cycles_at(r, r->last_end),
       .end = report_cycles_at(r, end),
       .wall = host->wall,
       .cpu = host->cpu,
       .values = &r->measure.frame,
       .parts = measure_states_frame(&r->measure),
       .limits = r->frame_limits,
   };
   f.ms = (double)(f.end - f.start) * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      f.domain_cycles[d] =
          measure_cycles(&r->measure, d, end) - measure_cycles(&r->measure, d, r->last_end);
   report_pending_write(r);
   report_tables_frame(r, &f);
   sim_record_frame(r->record, &f);
}

/* Writes the row of the current frame and starts the next. */
static void
report_end_frame(struct sim_report *r, sim_tick end)
{
   /* Nothing of it was simulated. */
   const bool passed = r->in_parts && end == r->last_end;
   const bool wanted = r->frame >= r->first_frame && !r->failed && !passed;
   const struct report_host_time host = report_take_host_time(r);
   sigset_t before;
   if (sim_report_work_table(r) && r->measure.columns.num && !passed)
      report_end_work(r, end);
   r->frame_limits = measure_limits(&r->measure, r->measure.frame.value, r->last_end, end);
   sim_file_hold_signals(&before);
   if (wanted)
      report_write_frame(r, end, &host);
   else
      measure_states_frame(&r->measure);
   sim_record_take_costs(r->record, r->frame, wanted);
   sim_record_next_frame(r->record, wanted ? r->pending.next_number : 0);
   report_pending_next_frame(r, report_cycles_at(r, end));
   report_commit(r);
   sim_file_release_signals(&before, r->failed);
   measure_values_clear(&r->measure.frame);
   if (r->has_states && !r->measure.states)
      report_no_states(r);
   report_status(r);
   if (r->progress)
      report_progress(r, report_cycles_at(r, end) - report_cycles_at(r, r->last_end), &host);
   r->last_end = end;
   if (r->watch.frame_ended)
      r->watch.frame_ended(r->watch.data, r->frame, end);
   r->frame_touched |= report_frames_wanted(r);
   r->frame++;
   r->measure.next_draw = r->passed_draws = 0;
}

void
sim_report_frame(struct sim_report *r, sim_tick end, const uint8_t *image, uint32_t width,
                 uint32_t height)
{
   char error[4600];
   if (!r)
      return;
   if (image && sim_report_wants_image(r) &&
       !report_files_image(r, image, width, height, error, sizeof(error)))
      report_fail(r, error);
   report_end_frame(r, end);
}

void
sim_report_frame_unshown(struct sim_report *r, sim_tick end)
{
   if (!r)
      return;
   if (sim_report_wants_image(r))
      sim_warn(r, "there is no picture of a frame that ends without a swap: nothing is shown; "
                  "attila-sim picture shows what was drawn in a capture");
   report_end_frame(r, end);
}

void
sim_report_finish(struct sim_report *r)
{
   if (!r)
      return;
   if (r->measure.next_draw)
      report_end_frame(r, r->measure.kernel->now);
   /* Work after the last frame belongs to none. */
   r->pending.num_work = 0;
   measure_intervals_finish(&r->measure);
   report_status_end(r);
   if (r->label_wanted && !r->label_seen && !r->part_of_a_run && sim_report_writes_files(r))
      sim_warn(r, "nothing that is reported has a label that matches \"%s\"", r->label_wanted);
   sigset_t before;
   sim_file_hold_signals(&before);
   report_pending_write(r);
   report_commit(r);
   if (!r->failed)
      sim_record_finish(r->record, !r->measure.kernel->stopped);
   report_check_record(r);
   sim_file_release_signals(&before, r->failed);
}
