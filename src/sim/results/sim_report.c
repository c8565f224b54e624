/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports of a run (sim_report.h): listens to rows, frames, intervals, programs and clocks, and
 * passes them to the tables and the record, when their frame ends. Not here: what is measured
 * (measure/), order and exclusive cycles of rows (sim_pending.c), tables of text (sim_tables.c,
 * sim_csv.c), the record (sim_record.c), the folder (sim_report_files.c), host times and lines on
 * the terminal (sim_status.c). */
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
              error, r->observed->frame);
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

/* Writes everything so far to the files. */
static void
report_commit(struct sim_report *r)
{
   if (r->failed)
      return;
   /* If one of the two tables has a row, a later simulator leaves both alone. */
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

static struct sim_report *
report_of(struct sim_observer *o)
{
   return (struct sim_report *)o;
}

static uint64_t
report_cycles_at(const struct sim_report *r, sim_tick tick)
{
   return measure_cycles(r->measure, SIM_DOMAIN_GPU, tick);
}

static void
report_row(struct sim_observer *o, const struct sim_row *row)
{
   struct sim_report *r = report_of(o);
   const struct sim_work *work = row->work;
   if (r->failed || !sim_report_writes_files(r))
      return;
   struct pending_work w = {.work = *work,
                            .number = row->number,
                            .hidden = !report_work_wanted(r, work, row->draws),
                            .start = report_cycles_at(r, work->start),
                            .end = report_cycles_at(r, work->end)};
   sim_work_keep_texts(&w.texts, work);
   r->window_touched |= !w.hidden;
   r->label_seen |= !w.hidden;
   /* Rows that collect the costs of several commands have no time of their own. */
   if (!w.hidden && row->values && row->number != SIM_ROW_EARLIER && row->number < SIM_ROW_SHARED)
      w.limits = measure_limits(r->measure, row->values->value, work->start, work->end);
   report_pending_work(r, &w, row->values, row->parts);
   report_status(r);
}

/* --- Intervals --- */

static void
report_interval(struct sim_observer *o, const struct measure_interval *i)
{
   struct sim_report *r = report_of(o);
   const struct measure_parts *parts = measure_states_interval(r->measure);
   const bool wanted = report_window_open(r);
   struct sim_record_interval interval = {
       /* If a frame ends in the same tick, the next frame has begun already. */
       .frame = r->observed->frame - (r->observed->frame && i->end == r->observed->began),
       .start = report_cycles_at(r, i->start),
       .end = report_cycles_at(r, i->end),
       .values = i->values,
   };
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      interval.domain_cycles[d] =
          measure_cycles(r->measure, d, i->end) - measure_cycles(r->measure, d, i->start);
   if (wanted && (interval.end > interval.start || i->values->num_touched))
      report_pending_interval(r, &interval, parts);
}

/* --- Passes --- */

static void
report_pass(struct sim_observer *o, const struct sim_seen_pass *pass)
{
   struct sim_report *r = report_of(o);
   if (!r->failed && sim_report_writes_files(r))
      sim_record_pass(r->record, r->observed->frame, pass);
}

/* --- Programs, bindings, state --- */

static void
report_program(struct sim_observer *o, uint32_t number, const struct sim_seen_program *program)
{
   sim_record_program(report_of(o)->record, number, program);
}

static void
report_bindings(struct sim_observer *o, uint32_t number, const struct sim_seen_surface *surfaces,
                unsigned num)
{
   sim_record_bindings(report_of(o)->record, number, surfaces, num);
}

static void
report_pipeline(struct sim_observer *o, uint32_t number, const struct sim_pipeline_change *changes,
                unsigned num)
{
   sim_record_pipeline(report_of(o)->record, number, changes, num);
}

/* --- Clocks --- */

static void
report_no_states(struct sim_report *r)
{
   if (r->has_states)
      sim_warn(r->observed,
               "out of host memory: the record does not say which states frames were in");
   r->has_states = false;
   measure_states_free(r->measure);
}

static void
report_clock_domain(struct sim_observer *o, unsigned domain, const char *name)
{
   struct sim_report *r = report_of(o);
   if (!r->record)
      return;
   if (!r->measure->states) {
      r->has_states = true;
      if (!measure_states_make(r->measure))
         report_no_states(r);
   }
   if (r->measure->states)
      sim_record_domain(r->record, domain, name);
   report_check_record(r);
}

static void
report_clock(struct sim_observer *o, const struct sim_clock_change *change)
{
   struct sim_report *r = report_of(o);
   unsigned state;
   bool is_new;
   if (!r->measure->states)
      return;
   const bool ok =
       measure_states_change(r->measure, change->domain, change->voltage, &state, &is_new);
   if (ok && is_new)
      sim_record_state(r->record, state, measure_states_voltages(r->measure));
   sim_record_clock(r->record, r->observed->frame, r->measure->kernel->now, change, state);
   if (!ok)
      report_no_states(r);
}

/* --- Draws and frames --- */

#define PATIENCE 10.0 /* seconds */

static void
report_draw_progress(struct sim_observer *o, uint64_t done, uint64_t total)
{
   struct sim_report *r = report_of(o);
   double now = report_seconds(CLOCK_MONOTONIC);
   if (!done) {
      r->draw_began = r->draw_told = now;
   } else if (now - r->draw_told >= PATIENCE) {
      fprintf(stderr, "attila: frame %u, draw %u: %llu of %llu vertices after %.0f s\n",
              r->observed->frame, r->observed->draws - 1, (unsigned long long)done,
              (unsigned long long)total, now - r->draw_began);
      r->draw_told = now;
   }
}

/* Passes the row of the frame on, after the rows of its work. */
static void
report_write_frame(struct sim_report *r, sim_tick end, const struct report_host_time *host)
{
   const struct sim_kernel *k = r->measure->kernel;
   struct sim_record_frame f = {
       .frame = r->observed->frame,
       .draws = r->observed->draws - r->observed->passed_draws,
       .start = report_cycles_at(r, r->observed->began),
       .end = report_cycles_at(r, end),
       .wall = host->wall,
       .cpu = host->cpu,
       .values = &r->measure->frame,
       .parts = measure_states_frame(r->measure),
       .limits = r->frame_limits,
   };
   f.ms = (double)(f.end - f.start) * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      f.domain_cycles[d] =
          measure_cycles(r->measure, d, end) - measure_cycles(r->measure, d, r->observed->began);
   report_pending_write(r);
   report_tables_frame(r, &f);
   sim_record_frame(r->record, &f);
   sim_record_put_costs(r->record, f.frame);
}

static bool
report_wants_image(const struct sim_observer *o)
{
   const struct sim_report *r = (const struct sim_report *)o;
   return r->save_frames && !r->no_picture && !r->failed &&
          r->observed->frame >= r->observed->first_frame;
}

static void
report_save_picture(struct sim_report *r, const struct sim_frame_end *end)
{
   char error[4600];
   if (!report_wants_image(&r->observer))
      return;
   if (end->image &&
       !report_files_image(r, end->image, end->width, end->height, error, sizeof(error)))
      report_fail(r, error);
   if (end->unshown)
      sim_warn(r->observed,
               "there is no picture of a frame that ends without a swap: nothing is shown; "
               "attila-sim picture shows what was drawn in a capture");
}

/* Writes the row of the frame. */
static void
report_frame_ended(struct sim_observer *o, const struct sim_frame_end *e)
{
   struct sim_report *r = report_of(o);
   const struct sim_observed *run = r->observed;
   sigset_t before;
   report_save_picture(r, e);
   const bool wanted = run->frame >= run->first_frame && !r->failed && !e->passed;
   const struct report_host_time host = report_take_host_time(r);
   r->frame_limits = measure_limits(r->measure, r->measure->frame.value, run->began, e->tick);
   sim_file_hold_signals(&before);
   if (wanted)
      report_write_frame(r, e->tick, &host);
   else
      measure_states_frame(r->measure);
   sim_record_next_frame(r->record, wanted ? r->pending.next_number : 0);
   report_pending_next_frame(r, report_cycles_at(r, e->tick));
   report_commit(r);
   sim_file_release_signals(&before, r->failed);
   if (r->has_states && !r->measure->states)
      report_no_states(r);
   report_status(r);
   if (r->progress)
      report_progress(r, report_cycles_at(r, e->tick) - report_cycles_at(r, run->began), &host);
   r->frame_touched |= report_wants_rows(r);
}

static void
report_run_ended(struct sim_observer *o)
{
   struct sim_report *r = report_of(o);
   /* Work after the last frame belongs to no frame. */
   r->pending.num_work = 0;
   measure_intervals_finish(r->measure);
   report_status_end(r);
   if (r->label_wanted && !r->label_seen && !r->part_of_a_run && sim_report_writes_files(r))
      sim_warn(r->observed, "nothing that is reported has a label that matches \"%s\"",
               r->label_wanted);
   sigset_t before;
   sim_file_hold_signals(&before);
   report_pending_write(r);
   report_commit(r);
   if (!r->failed)
      sim_record_finish(r->record, !r->measure->kernel->stopped);
   report_check_record(r);
   sim_file_release_signals(&before, r->failed);
}

/* --- Life --- */

/* Reads the list of files to write. */
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
   /* The parts of a run are merged later, which needs records as well as text. */
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
      r->record = sim_record_create(folder, r->measure, error, error_size);
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
       (r->measure->columns.num && !run->rows_only && !report_files_counters(r, error, error_size)))
      return false;
   if (run->interval && sqlite && r->measure->columns.num &&
       !measure_intervals_start(r->measure, run->interval)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   return !sqlite || report_open_record(r, run, error, error_size);
}

static const struct sim_observer_class report_observer = {
    .draw_progress = report_draw_progress,
    .row = report_row,
    .program = report_program,
    .bindings = report_bindings,
    .pipeline = report_pipeline,
    .interval = report_interval,
    .pass = report_pass,
    .clock_domain = report_clock_domain,
    .clock = report_clock,
    .wants_image = report_wants_image,
    .frame_ended = report_frame_ended,
    .run_ended = report_run_ended,
};

struct sim_report *
sim_report_create(struct sim_measure *m, const struct sim_report_options *o, char *error,
                  size_t error_size)
{
   struct sim_report *r = calloc(1, sizeof(*r));
   if (!r) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   r->observer.cls = &report_observer;
   r->measure = m;
   r->observed = m->observed;
   r->folder = -1;
   r->progress = o->progress;
   r->part_of_a_run = o->part_of_a_run;
   report_status_start(r, o->status);
   r->save_frames = o->save_frames && o->out_dir;
   r->last_host = report_seconds(CLOCK_MONOTONIC_RAW);
   struct sim_record_run run = o->run;
   bool sqlite;
   if ((o->out_dir && !measure_columns_name(&m->columns, m->kernel)) || !report_pending_make(r)) {
      snprintf(error, error_size, "out of host memory");
      goto fail;
   }
   if (!measure_columns_choose(&m->columns, m->kernel, o->draws_columns, error, error_size) ||
       (o->draws && !report_draws_parse(r, o->draws, error, error_size)) ||
       (o->label && !report_label_parse(r, o->label, error, error_size)) ||
       !report_choose_files(r, o->record, &sqlite, &run.boxes, error, error_size) ||
       (o->out_dir && !report_open_files(r, o, sqlite, &run, error, error_size)))
      goto fail;
   if (r->record) {
      r->observed->wants_state = true;
      r->observed->cost_copies = !m->columns.num              ? 0
                                 : m->kernel->num_threads > 1 ? SIM_MAX_SHADERS
                                                              : 1;
   }
   sim_observe(r->observed, &r->observer);
   return r;
fail:
   r->failed = true; /* the caller prints the message */
   sim_report_destroy(r);
   return NULL;
}

void
sim_report_destroy(struct sim_report *r)
{
   if (!r)
      return;
   sim_observe_no_more(r->observed, &r->observer);
   report_commit(r);
   bool whole = sim_csv_close(&r->draws);
   whole = sim_csv_close(&r->frames) && whole;
   whole = sim_record_close(r->record) && whole;
   if (!whole)
      report_fail(r, r->path ? r->path : "");
   report_files_close(r);
   report_pending_free(r);
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
sim_report_choose_picture(struct sim_report *r, bool chosen)
{
   if (r)
      r->no_picture = !chosen;
}

bool
sim_report_writes_files(const struct sim_report *r)
{
   return r && r->folder >= 0;
}

const char *
sim_report_folder(const struct sim_report *r)
{
   return r ? r->path : NULL;
}
