/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows and frames: what the tables say about them. A row of draws.csv holds what was charged to its
 * slot; a frame's row is the sum of them all. draws.csv contains nothing of the host, so equal runs
 * give equal files. What slots have counted is taken here and handed over to the thread that writes
 * (sim_report_write.c); at the end of a frame everything is in the files. Not here: who has which
 * slot (measure/sim_rows.c), names and order of statistics (measure/sim_columns.c), files
 * (sim_report_files.c, sim_report_csv.c), the record (sim_record.c), host times and what a terminal
 * is told (sim_status.c), warnings (sim_warn.c).
 */
#include "results/sim_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "hw/isa/attila_isa.h"
#include "measure/sim_counters.h"

#define DRAW_COLUMNS "frame,draw,kind,label,meta,prim,count,start_cycle,end_cycle,cycles"
#define FRAME_COLUMNS                                                                        \
   "frame,draws,start_cycle,end_cycle,cycles,simulated_ms,host_seconds,cpu_seconds,kcycles_" \
   "per_s,shader_cycles,memory_cycles"

/* --- Life --- */

static void take_row(void *report, const struct sim_row_state *s, uint16_t slot, sim_tick now);

struct sim_measure *
sim_report_measure(struct sim_report *r)
{
   return r ? &r->measure : NULL;
}

static void
put_header(struct csv *c, const struct sim_report *r, bool draws)
{
   char *p = csv_begin(c, sizeof(FRAME_COLUMNS) + r->measure.columns.name_bytes + 2);
   if (!p)
      return;
   p = stpcpy(p, draws ? DRAW_COLUMNS : FRAME_COLUMNS);
   p = measure_columns_put_names(&r->measure.columns, r->measure.kernel, draws, p);
   *p++ = '\n';
   csv_end(c, p, 0);
   csv_write(c);
}

/* Which files are wanted, by their names. */
static bool
choose_files(struct sim_report *r, const char *names, bool *sqlite, char *error, size_t error_size)
{
   const char *list = names ? names : "sqlite,csv";
   bool csv = false, ok = true;
   *sqlite = false;
   for (const char *p = list; ok; p++) {
      const size_t n = strcspn(p, ",");
      if (n == 3 && !strncmp(p, "csv", n))
         csv = true;
      else if (n == 7 && !strncmp(p, "csv.zst", n))
         csv = r->pack_draws = true;
      else if (n == 6 && !strncmp(p, "sqlite", n))
         *sqlite = true;
      else
         ok = false;
      p += n;
      if (!*p)
         break;
   }
   r->no_draws_csv = !csv;
   if (!ok)
      snprintf(error, error_size,
               "record: \"%.100s\" is not sqlite, csv, csv.zst or two "
               "of them with a comma",
               list);
   return ok;
}

static bool
open_record(struct sim_report *r, const struct sim_record_run *run, char *error, size_t error_size)
{
   char *folder = r->path ? realpath(r->path, NULL) : NULL;
   if (!folder)
      snprintf(error, error_size, "%.400s: %s", r->path ? r->path : "", strerror(errno));
   else
      r->record =
          sim_record_create(folder, &r->measure.columns, r->measure.kernel, error, error_size);
   free(folder);
   /* The table of energies may be wrong, which the user must know before anything runs. */
   if (r->record && run->power) {
      sim_record_fill(r->record, run);
      if (sim_record_error(r->record)) {
         snprintf(error, error_size, "%s", sim_record_error(r->record));
         return false;
      }
   }
   return r->record != NULL;
}

static bool
open_files(struct sim_report *r, const struct sim_report_options *o, bool sqlite, char *error,
           size_t error_size)
{
   if (!report_files_open(r, o->out_dir, error, error_size))
      return false;
   put_header(&r->draws, r, true);
   put_header(&r->frames, r, false);
   const struct sim_file *failed = r->draws.file->error    ? r->draws.file
                                   : r->frames.file->error ? r->frames.file
                                                           : NULL;
   if (failed)
      snprintf(error, error_size, "%.400s: %s", failed->path, strerror(failed->error));
   if (!failed && o->run.interval && sqlite && r->measure.columns.num &&
       !report_intervals_start(r, o->run.interval)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   return !failed && (!sqlite || open_record(r, &o->run, error, error_size));
}

/* What is handed over outlives the caller's texts. */
static const char *
keep_text(char **at, const char *text)
{
   char *copy = *at;
   if (!text)
      return NULL;
   *at = stpcpy(copy, text) + 1;
   return copy;
}

static void
hand_over_run(struct sim_report *r, const struct sim_record_run *run)
{
   const char *const texts[] = {run->mode,          run->config_path, run->ideal,
                                run->draws_columns, run->cycle_draws, run->cycle_label};
   size_t size = sizeof(struct report_handed_run);
   for (unsigned i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
      size += texts[i] ? strlen(texts[i]) + 1 : 0;
   struct report_handed_run *h = sim_writer_begin(r->writer, size);
   if (!h)
      return;
   char *at = h->text;
   h->run = *run;
   h->run.mode = keep_text(&at, run->mode);
   h->run.config_path = keep_text(&at, run->config_path);
   h->run.ideal = keep_text(&at, run->ideal);
   h->run.draws_columns = keep_text(&at, run->draws_columns);
   h->run.cycle_draws = keep_text(&at, run->cycle_draws);
   h->run.cycle_label = keep_text(&at, run->cycle_label);
   h->run.power = NULL; /* the caller's text */
   h->filled = run->power != NULL;
   sim_writer_end(r->writer, report_write_run, r, size);
   sim_writer_wake(r->writer);
}

static bool
make_memory(struct sim_report *r, bool files, char *error, size_t error_size)
{
   r->raw_bytes = sizeof(struct report_handed_row) + measure_raw_size(r->measure.kernel);
   r->lost = calloc(1, r->raw_bytes);
   /* Changes of frequency look at what has been counted at any time: then there is no thread. */
   r->writer = sim_writer_create(files && r->measure.columns.num && !r->measure.kernel->dvfs);
   const bool ok = (!files || measure_columns_name(&r->measure.columns, r->measure.kernel)) &&
                   r->lost && r->writer && measure_values_make(&r->row, r->measure.columns.num) &&
                   measure_values_make(&r->frame_sum, r->measure.columns.num) &&
                   measure_values_make(&r->earlier, r->measure.columns.num) &&
                   measure_rows_make(&r->measure);
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
   r->measure.kernel = kernel;
   r->measure.take = take_row;
   r->measure.owner = r;
   r->progress = o->progress;
   r->part_of_a_run = o->part_of_a_run;
   report_status_start(r, o->status);
   r->save_frames = o->save_frames && o->out_dir;
   r->last_host = report_seconds(CLOCK_MONOTONIC_RAW);
   measure_columns_make(&r->measure.columns, kernel);
   sim_limiter_init(&r->measure.limiter, &r->measure.columns, kernel);
   bool sqlite;
   if (!make_memory(r, o->out_dir, error, error_size) ||
       !measure_columns_choose(&r->measure.columns, kernel, o->draws_columns, error, error_size) ||
       (o->draws_frames && !report_frames_parse(r, o->draws_frames, error, error_size)) ||
       (o->draws && !report_draws_parse(r, o->draws, error, error_size)) ||
       (o->label && !report_label_parse(r, o->label, error, error_size)) ||
       !choose_files(r, o->record, &sqlite, error, error_size) ||
       (o->out_dir && !open_files(r, o, sqlite, error, error_size))) {
      r->failed = true; /* the caller tells */
      sim_report_destroy(r);
      return NULL;
   }
   if (o->out_dir)
      hand_over_run(r, &o->run);
   r->counts_rows = sim_report_writes_files(r);
   kernel->no_activity = !r->counts_rows;
   return r;
}

void
sim_report_destroy(struct sim_report *r)
{
   if (!r)
      return;
   if (r->writer)
      sim_writer_wait(r->writer);
   if (sim_writer_lost(r->writer)) /* in the middle of something that will never go on */
      return;
   report_write_pending(r);
   bool whole = csv_close(&r->draws);
   whole = csv_close(&r->frames) && whole;
   whole = sim_record_close(r->record) && whole;
   if (!whole)
      report_fail(r, r->path ? r->path : "");
   sim_writer_destroy(r->writer);
   report_files_close(r);
   sim_counters_free(&r->measure);
   measure_columns_free(&r->measure.columns);
   report_intervals_free(r);
   report_clocks_free(r);
   free(r->draw_frames);
   free(r->draws_wanted);
   free(r->label_wanted);
   measure_values_free(&r->row);
   measure_values_free(&r->frame_sum);
   measure_values_free(&r->earlier);
   measure_rows_free(&r->measure.rows);
   free(r->lost);
   free(r);
}

void
sim_report_disown(struct sim_report *r)
{
   if (r && r->draws.file)
      sim_file_disown(r->draws.file);
   if (r && r->frames.file)
      sim_file_disown(r->frames.file);
   if (r) {
      r->save_frames = false;
      sim_record_disown(r->record);
      sim_writer_disown(r->writer);
   }
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

struct sim_rows *
sim_report_rows(struct sim_report *r)
{
   return r && r->counts_rows ? &r->measure.rows : NULL;
}

struct sim_rows *
sim_report_count_rows(struct sim_report *r)
{
   if (!r->counts_rows) {
      r->counts_rows = true;
      r->measure.rows.last_end = r->measure.kernel->now;
      sim_kernel_count_activity(r->measure.kernel);
   }
   return &r->measure.rows;
}

/* Numbers of the rows of a frame that are not commands, which count from 1. */
#define NUMBER_EARLIER 0u
#define NUMBER_SHARED (UINT32_MAX - 1)
#define NUMBER_OTHER UINT32_MAX

#define MANY_HANDED 64
#define OFTEN 0.25 /* seconds */

/* Now and then: up to which number rows are complete, so that they may be written. */
static uint32_t
complete(struct sim_report *r)
{
   struct timespec ts;
   clock_gettime(CLOCK_MONOTONIC_COARSE, &ts);
   const double now = (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
   if (++r->handed < MANY_HANDED && now - r->asked < OFTEN)
      return 0;
   r->handed = 0;
   r->asked = now;
   return measure_rows_complete(&r->measure.rows);
}

/* Room for a row, and what it says besides its counters; row: NULL: it is none. */
static struct report_handed_row *
begin_row(struct sim_report *r, enum report_what what, const struct sim_row *row, uint32_t number,
          uint32_t draws)
{
   struct report_handed_row *h = sim_writer_begin(r->writer, r->raw_bytes);
   h = h ? h : r->lost;
   h->what = what;
   h->label[0] = '\0';
   h->raw = (struct measure_raw){.num = 0};
   if (!row)
      return h;
   h->hidden = !report_row_wanted(r, row, draws);
   r->window_touched |= !h->hidden;
   r->label_seen |= !h->hidden;
   h->number = number;
   h->row = *row;
   h->row.label = NULL;
   sim_label_keep(h->label, row->label);
   h->complete = complete(r);
   report_status(r);
   return h;
}

static void
end_row(struct sim_report *r, struct report_handed_row *h, size_t raw)
{
   if (h == r->lost)
      return;
   sim_writer_end(r->writer, report_write_row, r, offsetof(struct report_handed_row, raw) + raw);
   if (h->complete)
      sim_writer_wake(r->writer);
}

/* The counters of a slot, which are zeros then; returns their bytes. */
static size_t
take_slot(struct sim_report *r, struct report_handed_row *h, unsigned slot)
{
   report_clocks_take(r, slot);
   return measure_raw_take(&h->raw, &r->measure.columns, r->measure.kernel->avx2, slot);
}

static void
hand_over_slot(struct sim_report *r, struct report_handed_row *h, uint16_t slot)
{
   end_row(r, h, take_slot(r, h, slot));
}

static void
take_row(void *report, const struct sim_row_state *s, uint16_t slot, sim_tick now)
{
   struct sim_report *r = report;
   sim_monitors_taken(&r->measure.rows, s, slot);
   if (s->earlier || !report_frames_wanted(r)) {
      const enum report_what what = s->earlier ? REPORT_LATER : REPORT_NO_ROW;
      hand_over_slot(r, begin_row(r, what, NULL, 0, 0), slot);
      return;
   }
   struct sim_row row = s->row;
   row.end = s->ended ? row.end : now;
   hand_over_slot(r, begin_row(r, REPORT_ROW, &row, s->number, s->draws), slot);
}

void
sim_report_draw(struct sim_report *r, const struct sim_row *draw)
{
   if (!r || r->passing || !report_frames_wanted(r))
      return;
   struct report_handed_row *h = begin_row(r, REPORT_ROW, draw, draw->draw + 1, draw->draw + 1);
   end_row(r, h, sizeof(h->raw));
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
   bool fresh;
   *costs = NULL;
   if (!sim_report_records(r))
      return 0;
   const uint32_t number = sim_record_number_program(r->record, program, &fresh);
   if (fresh) {
      struct sim_record_program p = *program;
      p.frame = r->frame;
      report_hand_over_program(r, number, &p);
   }
   if (number && r->counts_rows && r->measure.columns.num)
      *costs = sim_record_costs(r->record, number, program->isa->num_instrs);
   return number;
}

uint32_t
sim_report_bindings(struct sim_report *r, const struct sim_record_surface *surfaces, unsigned num)
{
   bool fresh;
   if (!sim_report_records(r) || !num)
      return 0;
   const uint32_t number = sim_record_number_bindings(r->record, surfaces, num, &fresh);
   if (fresh)
      report_hand_over_bindings(r, number, surfaces, num);
   return number;
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
static struct report_handed_row *
begin_frame_row(struct sim_report *r, enum report_what what, enum sim_row_kind kind,
                uint32_t number, sim_tick end)
{
   const struct sim_row row = {.kind = kind, .start = r->last_end, .end = end};
   if (report_frames_wanted(r))
      return begin_row(r, what, &row, number, 0);
   return begin_row(r, what == REPORT_EARLIER ? REPORT_NO_EARLIER : REPORT_NO_ROW, NULL, 0, 0);
}

/* Takes every slot: the frame's row is what its rows add up to. */
static void
end_rows(struct sim_report *r, sim_tick end)
{
   measure_rows_end_frame(&r->measure.rows, end);
   /* A slot that nobody has is empty, unless a box counted for a command that was complete. */
   for (unsigned slot = SIM_SLOT_SHARED + 1; slot < r->measure.kernel->used_slots; slot++) {
      if (r->measure.rows.refs[slot])
         continue;
      struct report_handed_row *h = begin_row(r, REPORT_LATER, NULL, 0, 0);
      const size_t raw = take_slot(r, h, slot);
      for (unsigned i = 0; i < h->raw.num; i++)
         r->measure.rows.strays += h->raw.counter[i];
      if (h->raw.num)
         end_row(r, h, raw);
   }
   hand_over_slot(r, begin_frame_row(r, REPORT_ROW_IF_ANY, SIM_ROW_SHARED, NUMBER_SHARED, end),
                  SIM_SLOT_SHARED);
   hand_over_slot(r, begin_frame_row(r, REPORT_ROW, SIM_ROW_OTHER, NUMBER_OTHER, end),
                  SIM_SLOT_OTHER);
   struct report_handed_row *earlier =
       begin_frame_row(r, REPORT_EARLIER, SIM_ROW_EARLIER, NUMBER_EARLIER, end);
   end_row(r, earlier, sizeof(earlier->raw));
}

/* Writes the row of the current frame and starts the next. */
static void
end_frame(struct sim_report *r, sim_tick end)
{
   /* Nothing of it was simulated. */
   const bool passed = r->in_parts && end == r->last_end;
   if (sim_report_rows(r) && r->measure.columns.num && !passed)
      end_rows(r, end);
   const struct report_host_time host = report_take_host_time(r);
   struct report_handed_frame *h = sim_writer_begin(r->writer, sizeof(*h));
   if (h) {
      *h = (struct report_handed_frame){.end = end,
                                        .wanted =
                                            r->frame >= r->first_frame && !r->failed && !passed,
                                        .wall = host.wall,
                                        .cpu = host.cpu};
      sim_writer_end(r->writer, report_write_frame, r, sizeof(*h));
   }
   /* Whoever sees the frame finds it in the files. */
   sim_writer_wait(r->writer);
   report_status(r);
   if (r->progress)
      report_progress(r,
                      report_domain_cycles(r, SIM_DOMAIN_GPU, end) -
                          report_domain_cycles(r, SIM_DOMAIN_GPU, r->last_end),
                      &host);
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
   end_frame(r, end);
}

void
sim_report_finish(struct sim_report *r)
{
   if (!r)
      return;
   const bool drop = !r->measure.next_draw; /* what came after the last frame belongs to none */
   if (r->measure.next_draw)
      end_frame(r, r->measure.kernel->now);
   report_intervals_finish(r);
   report_status_end(r);
   if (r->label_wanted && !r->label_seen && !r->part_of_a_run && sim_report_writes_files(r))
      sim_warn(r, "nothing that is reported has a label that matches \"%s\"", r->label_wanted);
   bool *h = sim_writer_begin(r->writer, sizeof(*h));
   if (h) {
      *h = drop;
      sim_writer_end(r->writer, report_write_end, r, sizeof(*h));
   }
   sim_writer_wait(r->writer);
}

void
sim_report_emergency(struct sim_report *r)
{
   if (!r || r->failed)
      return;
   sim_writer_wait_in_handler(r->writer);
   csv_emergency(&r->draws);
   csv_emergency(&r->frames);
}
