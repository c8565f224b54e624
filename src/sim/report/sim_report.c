/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows and frames: what the tables say about them. A row of draws.csv holds what was charged to its
 * slot; a frame's row is the sum of them all. draws.csv contains nothing of the host, so equal runs
 * give equal files. Rows are collected in memory and written at the end of a frame; the record has
 * them all, too. Not here: who has which slot (sim_rows.c), names and order of statistics
 * (sim_report_columns.c), files (sim_report_files.c, sim_report_csv.c), the record (sim_record.c),
 * host times and what a terminal is told (sim_status.c), warnings (sim_warn.c).
 */
#include "report/sim_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "hw/attila_cmd.h"
#include "hw/isa/attila_isa.h"
#include "report/sim_counters.h"

static const char *const prim_names[ATTILA_NUM_PRIMS] = {
    "POINTS",         "LINES",        "LINE_LOOP", "LINE_STRIP", "TRIANGLES",
    "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS",     "QUAD_STRIP", "POLYGON",
};

#define DRAW_COLUMNS "frame,draw,kind,label,meta,prim,count,start_cycle,end_cycle,cycles"
#define FRAME_COLUMNS                                                                        \
   "frame,draws,start_cycle,end_cycle,cycles,simulated_ms,host_seconds,cpu_seconds,kcycles_" \
   "per_s,shader_cycles,memory_cycles"
#define ROW_BYTES(r) (600 + 2 * SIM_LABEL_BYTES + 21 * (size_t)(r)->columns.num)

const char *
report_prim_name(uint32_t prim)
{
   return prim < ATTILA_NUM_PRIMS ? prim_names[prim] : "?";
}

/* --- Life --- */

static void
put_header(struct csv *c, const struct sim_report *r, bool draws)
{
   char *p = csv_begin(c, sizeof(FRAME_COLUMNS) + r->columns.name_bytes + 2);
   if (!p)
      return;
   p = stpcpy(p, draws ? DRAW_COLUMNS : FRAME_COLUMNS);
   p = report_columns_put_names(&r->columns, r->kernel, draws, p);
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
      snprintf(error, error_size, "record: \"%.100s\" is not sqlite, csv or sqlite,csv", list);
   return ok;
}

static bool
open_record(struct sim_report *r, const struct sim_record_run *run, char *error, size_t error_size)
{
   char *folder = r->path ? realpath(r->path, NULL) : NULL;
   if (!folder)
      snprintf(error, error_size, "%.400s: %s", r->path ? r->path : "", strerror(errno));
   else
      r->record = sim_record_create(folder, &r->columns, r->kernel, run, error, error_size);
   free(folder);
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
   if (!failed && o->run.interval && sqlite && r->columns.num &&
       !report_intervals_start(r, o->run.interval)) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   return !failed && (!r->columns.num || report_files_counters(r, error, error_size)) &&
          (!sqlite || open_record(r, &o->run, error, error_size));
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
   r->kernel = kernel;
   r->progress = o->progress;
   report_status_start(r, o->status);
   r->save_frames = o->save_frames && o->out_dir;
   r->last_host = report_seconds(CLOCK_MONOTONIC_RAW);
   report_columns_make(&r->columns, kernel);
   sim_limiter_init(&r->limiter, &r->columns, kernel);
   bool sqlite, ok = report_values_make(&r->row, r->columns.num) &&
                     report_values_make(&r->frame_sum, r->columns.num) &&
                     report_values_make(&r->earlier, r->columns.num) &&
                     report_rows_make(&r->rows, r, kernel);
   if (!ok)
      snprintf(error, error_size, "out of host memory");
   if (!ok || !report_columns_choose(&r->columns, kernel, o->draws_columns, error, error_size) ||
       (o->draws_frames && !report_frames_parse(r, o->draws_frames, error, error_size)) ||
       (o->draws && !report_draws_parse(r, o->draws, error, error_size)) ||
       !choose_files(r, o->record, &sqlite, error, error_size) ||
       (o->out_dir && !open_files(r, o, sqlite, error, error_size))) {
      r->failed = true; /* the caller tells */
      sim_report_destroy(r);
      return NULL;
   }
   r->counts_rows = sim_report_writes_files(r);
   kernel->no_activity = !r->counts_rows;
   return r;
}

/* Tells the user once that the reports end here, and ends them all: rows after a gap would mislead.
 */
static void
fail(struct sim_report *r, const char *error)
{
   if (!r->failed)
      fprintf(stderr,
              "attila: error: %s: the reports end in frame %u, what was written before is whole\n",
              error, r->frame);
   r->failed = true;
}

static void
check_table(struct sim_report *r, const struct csv *c)
{
   char error[4300];
   if (!c->file || !c->file->error || r->failed)
      return;
   snprintf(error, sizeof(error), "%s: %s", c->file->path, strerror(c->file->error));
   fail(r, error);
}

static void
check_record(struct sim_report *r)
{
   const char *error = sim_record_error(r->record);
   if (error && !r->failed)
      fail(r, error);
}

static void
write_pending(struct sim_report *r)
{
   if (r->failed)
      return;
   /* Not only the names of the columns: a later simulator leaves both tables alone. */
   if (r->draws.rows > 1 || r->frames.rows > 1) {
      sim_file_mark_used(r->draws.file);
      sim_file_mark_used(r->frames.file);
   }
   csv_write(&r->draws);
   csv_write(&r->frames);
   check_table(r, &r->draws);
   check_table(r, &r->frames);
   sim_record_commit(r->record);
   check_record(r);
}

void
sim_report_destroy(struct sim_report *r)
{
   if (!r)
      return;
   write_pending(r);
   bool whole = csv_close(&r->draws);
   whole = csv_close(&r->frames) && whole;
   whole = sim_record_close(r->record) && whole;
   if (!whole)
      fail(r, r->path ? r->path : "");
   report_files_close(r);
   sim_counters_free(r);
   report_columns_free(&r->columns);
   report_intervals_free(r);
   report_clocks_free(r);
   free(r->draw_frames);
   free(r->draws_wanted);
   report_values_free(&r->row);
   report_values_free(&r->frame_sum);
   report_values_free(&r->earlier);
   report_rows_free(&r->rows);
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

uint32_t
sim_report_frames(const struct sim_report *r)
{
   return r ? r->frame : 0;
}

bool
sim_report_drew(const struct sim_report *r)
{
   return r && (r->frame || r->next_draw);
}

bool
sim_report_writes_files(const struct sim_report *r)
{
   return r && r->folder >= 0;
}

bool
sim_report_wants_image(const struct sim_report *r)
{
   return r && r->save_frames && !r->failed && r->frame >= r->first_frame;
}

/* --- Draws and frames --- */

static uint64_t
domain_cycles(const struct sim_report *r, unsigned domain, sim_tick tick)
{
   sim_tick period = r->kernel->period[domain];
   return period ? tick / period : tick;
}

static uint64_t
cycles_at(const struct sim_report *r, sim_tick tick)
{
   return domain_cycles(r, SIM_DOMAIN_GPU, tick);
}

uint32_t
sim_report_next_draw(struct sim_report *r)
{
   if (r && r->watch.draw_begins)
      r->watch.draw_begins(r->watch.data, r->frame, r->next_draw);
   return r ? r->next_draw++ : 0;
}

uint32_t
sim_report_draws(const struct sim_report *r)
{
   return r ? r->next_draw : 0;
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
   return r && r->counts_rows ? &r->rows : NULL;
}

struct sim_rows *
sim_report_count_rows(struct sim_report *r)
{
   if (!r->counts_rows) {
      r->counts_rows = true;
      r->rows.last_end = r->kernel->now;
      sim_kernel_count_activity(r->kernel);
   }
   return &r->rows;
}

/* Numbers of the rows of a frame that are not commands, which count from 1. */
#define NUMBER_EARLIER 0u
#define NUMBER_SHARED (UINT32_MAX - 1)
#define NUMBER_OTHER UINT32_MAX

/* A frame of very many draws does not pile up in memory for ever: then rows are in order piece by
 * piece. */
#define MAX_WAITING (64u << 20)

/* A row whose statistics are in r->row. */
static void
put_csv_row(struct sim_report *r, const struct sim_row *row, uint32_t number)
{
   char *p = r->no_draws_csv ? NULL : csv_begin(&r->draws, ROW_BYTES(r));
   if (!p)
      return;
   uint64_t from = cycles_at(r, row->start), to = cycles_at(r, row->end);
   p = csv_put_number(p, r->frame);
   *p++ = ',';
   if (row->kind == SIM_ROW_DRAW)
      p = csv_put_number(p, row->draw);
   p += sprintf(p, ",%s,", sim_row_kind_names[row->kind]);
   p = csv_put_text(p, row->label ? row->label : "");
   p += sprintf(p, ",%u,%s,%u,%llu,%llu,%llu", row->meta,
                row->kind != SIM_ROW_DRAW ? "" : report_prim_name(row->prim), row->count,
                (unsigned long long)from, (unsigned long long)to,
                (unsigned long long)(to > from ? to - from : 0));
   for (unsigned i = 0; i < r->columns.num_draws; i++) {
      const uint64_t value = r->row.value[r->columns.draws[i]];
      *p++ = ',';
      if (value)
         p = csv_put_number(p, value);
      else
         *p++ = '0';
   }
   *p++ = '\n';
   csv_end(&r->draws, p, (uint64_t)r->frame << 32 | number);
   if (r->draws.len > MAX_WAITING)
      write_pending(r);
}

static struct sim_limits
find_limits(const struct sim_report *r, const uint64_t *values, sim_tick start, sim_tick end)
{
   uint64_t cycles[SIM_NUM_DOMAINS];
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      cycles[d] = domain_cycles(r, d, end) - domain_cycles(r, d, start);
   return sim_limiter_find(&r->limiter, values, cycles);
}

/* draws: of its frame that had begun before it. */
static void
put_row(struct sim_report *r, const struct sim_row *row, uint32_t number, uint32_t draws)
{
   const bool wanted = report_row_wanted(r, row, draws);
   r->window_touched |= wanted;
   if (wanted)
      put_csv_row(r, row, number);
   report_status(r);
   if (!r->record)
      return;
   struct sim_record_work work = {
       .row = row,
       .frame = r->frame,
       .number = number,
       .hidden = !wanted,
       .start = cycles_at(r, row->start),
       .end = cycles_at(r, row->end),
       .values = &r->row,
   };
   /* What others caused later has no time of its own. */
   if (wanted && row->kind != SIM_ROW_EARLIER && row->kind != SIM_ROW_SHARED &&
       row->kind != SIM_ROW_OTHER)
      work.limits = find_limits(r, r->row.value, row->start, row->end);
   sim_record_work(r->record, &work);
   if (sim_record_due(r->record))
      sim_record_work_until(r->record, report_rows_complete(&r->rows));
   check_record(r);
}

/* Takes the statistics of a slot into r->row, and adds them to the frame. */
static void
take_slot(struct sim_report *r, uint16_t slot)
{
   report_values_clear(&r->row);
   report_values_take(&r->row, &r->columns, r->kernel, slot);
   report_values_add(&r->frame_sum, &r->row);
}

void
report_take_row(struct sim_report *r, const struct sim_row_state *s, uint16_t slot, sim_tick now)
{
   take_slot(r, slot);
   sim_monitors_taken(&r->rows, s, r->row.value);
   if (s->earlier) {
      report_values_add(&r->earlier, &r->row);
   } else if (report_frames_wanted(r)) {
      struct sim_row row = s->row;
      row.end = s->ended ? row.end : now;
      put_row(r, &row, s->number, s->draws);
   }
}

void
sim_report_draw(struct sim_report *r, const struct sim_row *draw)
{
   if (!r || !report_frames_wanted(r))
      return;
   report_values_clear(&r->row);
   put_row(r, draw, draw->draw + 1, draw->draw + 1);
}

bool
sim_report_records(const struct sim_report *r)
{
   return r && r->record && !r->failed;
}

bool
sim_report_describes(const struct sim_report *r)
{
   return sim_report_records(r) && r->frame >= r->first_frame;
}

uint32_t
sim_report_program(struct sim_report *r, const struct sim_record_program *program,
                   struct sim_cost **costs)
{
   struct sim_record_program p = *program;
   p.frame = r ? r->frame : 0;
   *costs = NULL;
   const uint32_t number = sim_report_records(r) ? sim_record_program(r->record, &p) : 0;
   if (number && r->counts_rows && r->columns.num)
      *costs = sim_record_costs(r->record, number, p.isa->num_instrs);
   return number;
}

uint32_t
sim_report_bindings(struct sim_report *r, const struct sim_record_surface *surfaces, unsigned num)
{
   return sim_report_records(r) ? sim_record_bindings(r->record, surfaces, num) : 0;
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
              r->next_draw, (unsigned long long)done, (unsigned long long)total,
              now - r->draw_began);
      r->draw_told = now;
   }
}

static void
frame_row(struct sim_report *r, sim_tick end, const struct report_host_time *host)
{
   char *p = csv_begin(&r->frames, ROW_BYTES(r));
   if (!p)
      return;
   uint64_t from = cycles_at(r, r->last_end), to = cycles_at(r, end), cycles = to - from;
   const struct sim_kernel *k = r->kernel;
   double ms = (double)cycles * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   p += sprintf(p, "%u,%u,%llu,%llu,%llu,%.6f,%.3f,%.3f,%.1f", r->frame, r->next_draw,
                (unsigned long long)from, (unsigned long long)to, (unsigned long long)cycles, ms,
                host->wall, host->cpu, report_kcycles_per_s(cycles, host));
   for (unsigned d = SIM_DOMAIN_SHADER; d <= SIM_DOMAIN_MEMORY; d++) {
      *p++ = ',';
      p = csv_put_number(p, domain_cycles(r, d, end) - domain_cycles(r, d, r->last_end));
   }
   for (unsigned i = 0; i < r->columns.num; i++) {
      *p++ = ',';
      p = csv_put_number(p, r->frame_sum.value[i]);
   }
   *p++ = '\n';
   csv_end(&r->frames, p, r->frame);
}

static void
record_frame(struct sim_report *r, sim_tick end, const struct report_host_time *host)
{
   const struct sim_kernel *k = r->kernel;
   struct sim_record_frame f = {
       .frame = r->frame,
       .draws = r->next_draw,
       .start = cycles_at(r, r->last_end),
       .end = cycles_at(r, end),
       .wall = host->wall,
       .cpu = host->cpu,
       .values = &r->frame_sum,
       .limits = r->frame_limits,
   };
   f.ms = (double)(f.end - f.start) * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      f.domain_cycles[d] = domain_cycles(r, d, end) - domain_cycles(r, d, r->last_end);
   sim_record_frame(r->record, &f);
}

/* A row of a kind that a frame has at most once; its statistics are in r->row. */
static void
put_frame_row(struct sim_report *r, enum sim_row_kind kind, uint32_t number, sim_tick end)
{
   if (report_frames_wanted(r))
      put_row(r, &(struct sim_row){.kind = kind, .start = r->last_end, .end = end}, number, 0);
}

/* Takes every slot: the frame's row is what its rows add up to. */
static void
end_rows(struct sim_report *r, sim_tick end)
{
   report_rows_end_frame(&r->rows, end);
   /* A slot that nobody has is empty, unless a box counted for a command that was complete. */
   for (unsigned slot = SIM_SLOT_SHARED + 1; slot < r->kernel->used_slots; slot++) {
      if (r->rows.refs[slot])
         continue;
      take_slot(r, (uint16_t)slot);
      for (unsigned i = 0; i < r->row.num_touched; i++)
         r->rows.strays += r->row.value[r->row.touched[i]];
      report_values_add(&r->earlier, &r->row);
   }
   take_slot(r, SIM_SLOT_SHARED);
   if (r->row.num_touched)
      put_frame_row(r, SIM_ROW_SHARED, NUMBER_SHARED, end);
   take_slot(r, SIM_SLOT_OTHER);
   put_frame_row(r, SIM_ROW_OTHER, NUMBER_OTHER, end);
   if (r->earlier.num_touched) {
      report_values_clear(&r->row);
      report_values_add(&r->row, &r->earlier);
      report_values_clear(&r->earlier);
      put_frame_row(r, SIM_ROW_EARLIER, NUMBER_EARLIER, end);
   }
}

/* Writes the row of the current frame and starts the next. */
static void
end_frame(struct sim_report *r, sim_tick end)
{
   if (sim_report_rows(r) && r->columns.num)
      end_rows(r, end);
   const struct report_host_time host = report_take_host_time(r);
   uint64_t from = cycles_at(r, r->last_end), to = cycles_at(r, end);
   r->frame_limits = find_limits(r, r->frame_sum.value, r->last_end, end);
   const bool wanted = r->frame >= r->first_frame && !r->failed;
   if (wanted) {
      frame_row(r, end, &host);
      record_frame(r, end, &host);
   }
   sim_record_take_costs(r->record, r->frame, wanted);
   sim_record_next_frame(r->record, to, wanted);
   write_pending(r);
   report_status(r);
   if (r->progress)
      report_progress(r, to - from, &host);
   report_intervals_end_frame(r);
   report_clocks_end_frame(r, wanted);
   report_values_clear(&r->frame_sum);
   r->last_end = end;
   if (r->watch.frame_ended)
      r->watch.frame_ended(r->watch.data, r->frame, end);
   r->frame++;
   r->next_draw = 0;
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
      fail(r, error);
   end_frame(r, end);
}

void
sim_report_finish(struct sim_report *r)
{
   if (!r)
      return;
   if (r->next_draw)
      end_frame(r, r->kernel->now);
   else {
      csv_drop(&r->draws); /* what came after the last frame belongs to none */
      sim_record_drop_work(r->record);
   }
   report_intervals_finish(r);
   report_status_end(r);
   write_pending(r);
   sim_record_finish(r->record);
   check_record(r);
}

void
sim_report_emergency(struct sim_report *r)
{
   if (!r || r->failed)
      return;
   csv_emergency(&r->draws);
   csv_emergency(&r->frames);
}
