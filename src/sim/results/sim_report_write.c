/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the writer's thread does (sim_writer.h) with what the simulator hands over: counters become
 * columns, rows of a frame are added up, limiters found, tables and the record written. At the end
 * of a frame the simulator waits until that is done, so whoever sees a frame finds it in the files.
 * Not here: who has which slot (measure/sim_rows.c), what is handed over and when (sim_report.c).
 */
#include "results/sim_record.h"

#include <stdlib.h>
#include <string.h>
#include "hw/attila_cmd.h"

static const char *const prim_names[ATTILA_NUM_PRIMS] = {
    "POINTS",         "LINES",        "LINE_LOOP", "LINE_STRIP", "TRIANGLES",
    "TRIANGLE_STRIP", "TRIANGLE_FAN", "QUADS",     "QUAD_STRIP", "POLYGON",
};

const char *
report_prim_name(uint32_t prim)
{
   return prim < ATTILA_NUM_PRIMS ? prim_names[prim] : "?";
}

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
check_table(struct sim_report *r, const struct csv *c)
{
   char error[4300];
   if (!c->file || !c->file->error || r->failed)
      return;
   snprintf(error, sizeof(error), "%s: %s", c->file->path, strerror(c->file->error));
   report_fail(r, error);
}

static void
check_record(struct sim_report *r)
{
   const char *error = sim_record_error(r->record);
   if (error && !r->failed)
      report_fail(r, error);
}

void
report_write_pending(struct sim_report *r)
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

/* --- Rows --- */

uint64_t
report_domain_cycles(const struct sim_report *r, unsigned domain, sim_tick tick)
{
   const sim_tick period = r->measure.kernel->period[domain];
   return period > 1 ? tick / period : tick;
}

static uint64_t
cycles_at(const struct sim_report *r, sim_tick tick)
{
   return report_domain_cycles(r, SIM_DOMAIN_GPU, tick);
}

/* A frame of very many draws does not pile up in memory for ever: then rows are in order piece by
 * piece. */
#define MAX_WAITING (64u << 20)

/* A comma and a number for each column. */
static char *
put_values(char *p, const uint64_t *values, const unsigned *columns, unsigned num)
{
   for (unsigned i = 0; i < num; i++) {
      const uint64_t value = values[columns[i]];
      *p++ = ',';
      *p++ = '0';
      if (value)
         p = report_put_number(p - 1, value);
   }
   return p;
}

/* The same for columns 0 to num - 1. Most are 0: eight at a time. */
static char *
put_all_values(char *p, const uint64_t *v, unsigned num)
{
   unsigned i = 0;
   for (; i + 8 <= num; i += 8, v += 8) {
      if (!(v[0] | v[1] | v[2] | v[3] | v[4] | v[5] | v[6] | v[7])) {
         memcpy(p, ",0,0,0,0,0,0,0,0", 16);
         p += 16;
         continue;
      }
      for (unsigned j = 0; j < 8; j++) {
         *p++ = ',';
         p = report_put_number(p, v[j]);
      }
   }
   for (; i < num; i++) {
      *p++ = ',';
      p = report_put_number(p, *v++);
   }
   return p;
}

static char *
put_word(char *p, const char *text)
{
   *p++ = ',';
   return stpcpy(p, text);
}

static char *
put_number(char *p, uint64_t value)
{
   *p++ = ',';
   return report_put_number(p, value);
}

/* A row whose statistics are in r->row. */
static void
put_csv_row(struct sim_report *r, const struct sim_row *row, uint32_t number)
{
   char *p = r->no_draws_csv ? NULL : csv_begin(&r->draws, REPORT_ROW_BYTES(r));
   if (!p)
      return;
   const bool draw = row->kind == SIM_ROW_DRAW;
   const uint64_t from = cycles_at(r, row->start), to = cycles_at(r, row->end);
   p = report_put_number(p, r->frame);
   p = draw ? put_number(p, row->draw) : put_word(p, "");
   p = put_word(p, sim_row_kind_names[row->kind]);
   *p++ = ',';
   p = csv_put_text(p, row->label);
   p = put_number(p, row->meta);
   p = put_word(p, draw ? report_prim_name(row->prim) : "");
   p = put_number(p, row->count);
   p = put_number(p, from);
   p = put_number(p, to);
   p = put_number(p, to > from ? to - from : 0);
   p = r->measure.columns.num_draws == r->measure.columns.num
           ? put_all_values(p, r->row.value, r->measure.columns.num)
           : put_values(p, r->row.value, r->measure.columns.draws, r->measure.columns.num_draws);
   *p++ = '\n';
   csv_end(&r->draws, p, (uint64_t)r->frame << 32 | number);
   if (r->draws.len > MAX_WAITING)
      report_write_pending(r);
}

static struct sim_limits
find_limits(const struct sim_report *r, const uint64_t *values, sim_tick start, sim_tick end)
{
   uint64_t cycles[SIM_NUM_DOMAINS];
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      cycles[d] = report_domain_cycles(r, d, end) - report_domain_cycles(r, d, start);
   return sim_limiter_find(&r->measure.limiter, values, cycles);
}

/* Writes a row whose statistics are in r->row. */
static void
put_row(struct sim_report *r, const struct report_handed_row *h, const struct measure_parts *parts)
{
   const struct sim_row *row = &h->row;
   if (!h->hidden)
      put_csv_row(r, row, h->number);
   if (!r->record)
      return;
   struct sim_record_work work = {
       .row = row,
       .frame = r->frame,
       .number = h->number,
       .hidden = h->hidden,
       .start = cycles_at(r, row->start),
       .end = cycles_at(r, row->end),
       .values = &r->row,
       .parts = parts,
   };
   /* What others caused later has no time of its own. */
   if (!h->hidden && row->kind != SIM_ROW_EARLIER && row->kind != SIM_ROW_SHARED &&
       row->kind != SIM_ROW_OTHER)
      work.limits = find_limits(r, r->row.value, row->start, row->end);
   sim_record_work(r->record, &work);
   if (h->complete && sim_record_due(r->record))
      sim_record_work_until(r->record, h->complete);
   check_record(r);
}

void
report_write_row(void *report, void *handed_row)
{
   struct sim_report *r = report;
   struct report_handed_row *h = handed_row;
   h->row.label = h->label;
   measure_values_clear(&r->row);
   if (h->what == REPORT_EARLIER || h->what == REPORT_NO_EARLIER) {
      measure_values_add(&r->row, &r->earlier);
      measure_values_clear(&r->earlier);
      report_clocks_take_earlier(r);
   } else {
      measure_values_add_raw(&r->row, &r->measure.columns, r->measure.kernel, &h->raw);
      measure_values_add(&r->frame_sum, &r->row);
   }
   if (h->what == REPORT_LATER) {
      measure_values_add(&r->earlier, &r->row);
      report_clocks_put_off(r);
      return;
   }
   const struct measure_parts *parts = report_clocks_row(r);
   if (h->what == REPORT_ROW ||
       ((h->what == REPORT_ROW_IF_ANY || h->what == REPORT_EARLIER) && r->row.num_touched))
      put_row(r, h, parts);
}

/* --- Frames --- */

static void
frame_row(struct sim_report *r, const struct report_handed_frame *h)
{
   const sim_tick end = h->end;
   const struct report_host_time host = {h->wall, h->cpu};
   char *p = csv_begin(&r->frames, REPORT_ROW_BYTES(r));
   if (!p)
      return;
   const uint64_t from = cycles_at(r, r->last_end), to = cycles_at(r, end), cycles = to - from;
   const struct sim_kernel *k = r->measure.kernel;
   const double ms = (double)cycles * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   p += sprintf(p, "%u,%u,%llu,%llu,%llu,%.6f,%.3f,%.3f,%.1f", r->frame,
                r->measure.next_draw - r->passed_draws, (unsigned long long)from,
                (unsigned long long)to, (unsigned long long)cycles, ms, h->wall, h->cpu,
                report_kcycles_per_s(cycles, &host));
   for (unsigned d = SIM_DOMAIN_SHADER; d <= SIM_DOMAIN_MEMORY; d++)
      p = put_number(p, report_domain_cycles(r, d, end) - report_domain_cycles(r, d, r->last_end));
   p = put_all_values(p, r->frame_sum.value, r->measure.columns.num);
   *p++ = '\n';
   csv_end(&r->frames, p, r->frame);
}

static void
record_frame(struct sim_report *r, const struct report_handed_frame *h)
{
   const struct sim_kernel *k = r->measure.kernel;
   struct sim_record_frame f = {
       .frame = r->frame,
       .draws = r->measure.next_draw - r->passed_draws,
       .start = cycles_at(r, r->last_end),
       .end = cycles_at(r, h->end),
       .wall = h->wall,
       .cpu = h->cpu,
       .values = &r->frame_sum,
       .limits = r->frame_limits,
   };
   f.ms = (double)(f.end - f.start) * (double)k->period[SIM_DOMAIN_GPU] * k->ns_per_tick * 1e-6;
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++)
      f.domain_cycles[d] =
          report_domain_cycles(r, d, h->end) - report_domain_cycles(r, d, r->last_end);
   sim_record_frame(r->record, &f);
}

void
report_write_frame(void *report, void *handed_frame)
{
   struct sim_report *r = report;
   const struct report_handed_frame *h = handed_frame;
   r->frame_limits = find_limits(r, r->frame_sum.value, r->last_end, h->end);
   report_clocks_end_frame(r, cycles_at(r, r->last_end), cycles_at(r, h->end), h->wanted);
   if (h->wanted) {
      frame_row(r, h);
      record_frame(r, h);
   }
   sim_record_take_costs(r->record, r->frame, h->wanted);
   sim_record_next_frame(r->record, cycles_at(r, h->end), h->wanted);
   report_write_pending(r);
   report_intervals_end_frame(r);
   measure_values_clear(&r->frame_sum);
}

/* --- The run --- */

void
report_write_run(void *report, void *handed_run)
{
   struct sim_report *r = report;
   const struct report_handed_run *h = handed_run;
   char error[4600];
   if (r->measure.columns.num && !h->run.rows_only &&
       !report_files_counters(r, error, sizeof(error)))
      report_fail(r, error);
   if (r->record && !h->filled && !r->failed) {
      sim_record_fill(r->record, &h->run);
      check_record(r);
   }
}

void
report_write_end(void *report, void *drop)
{
   struct sim_report *r = report;
   if (*(const bool *)drop) {
      csv_drop(&r->draws);
      sim_record_drop_work(r->record);
   }
   report_write_pending(r);
   sim_record_finish(r->record);
   check_record(r);
}
