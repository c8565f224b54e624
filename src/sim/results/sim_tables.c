/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rows of draws.csv and frames.csv. draws.csv contains nothing of the host, so equal runs give
 * equal files. Not here: files and lines (sim_csv.c), the order of rows (sim_pending.c). */
#include <string.h>
#include "results/sim_report_impl.h"

#define DRAW_COLUMNS                                                                              \
   "frame,draw,kind,label,meta,prim,count,start_cycle,end_cycle,cycles,exclusive_cycles,limiter," \
   "limiter_share"
#define FRAME_COLUMNS                                                                        \
   "frame,draws,start_cycle,end_cycle,cycles,simulated_ms,host_seconds,cpu_seconds,kcycles_" \
   "per_s,shader_cycles,memory_cycles"
#define ROW_BYTES(r) (700 + 2 * SIM_LABEL_BYTES + 21 * (size_t)(r)->measure->columns.num)

static void
tables_put_header(struct sim_csv *c, const struct sim_report *r, bool draws)
{
   char *p =
       sim_csv_begin(c, sizeof(DRAW_COLUMNS FRAME_COLUMNS) + r->measure->columns.name_bytes + 2);
   if (!p)
      return;
   p = stpcpy(p, draws ? DRAW_COLUMNS : FRAME_COLUMNS);
   p = measure_columns_put_names(&r->measure->columns, r->measure->kernel, draws, p);
   *p++ = '\n';
   sim_csv_end(c, p);
   sim_csv_write(c);
}

void
report_tables_headers(struct sim_report *r)
{
   tables_put_header(&r->draws, r, true);
   tables_put_header(&r->frames, r, false);
}

/* Appends a comma and a number for each column. */
static char *
tables_put_values(char *p, const uint64_t *values, const unsigned *columns, unsigned num)
{
   for (unsigned i = 0; i < num; i++) {
      *p++ = ',';
      p = sim_csv_number(p, values[columns[i]]);
   }
   return p;
}

/* Does the same for columns 0 to num - 1, eight at a time: most are 0. */
static char *
tables_put_all_values(char *p, const uint64_t *v, unsigned num)
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
         p = sim_csv_number(p, v[j]);
      }
   }
   for (; i < num; i++) {
      *p++ = ',';
      p = sim_csv_number(p, *v++);
   }
   return p;
}

static char *
tables_put_word(char *p, const char *text)
{
   *p++ = ',';
   return stpcpy(p, text);
}

static char *
tables_put_number(char *p, uint64_t value)
{
   *p++ = ',';
   return sim_csv_number(p, value);
}

void
report_tables_work(struct sim_report *r, const struct pending_work *w, uint64_t exclusive)
{
   const struct sim_work *work = &w->work;
   const struct measure_columns *c = &r->measure->columns;
   char *p = r->no_draws_csv ? NULL : sim_csv_begin(&r->draws, ROW_BYTES(r));
   if (!p)
      return;
   const bool draw = work->kind == SIM_KIND_DRAW;
   p = sim_csv_number(p, r->observed->frame);
   p = draw ? tables_put_number(p, work->draw) : tables_put_word(p, "");
   p = tables_put_word(p, sim_work_kind_names[work->kind]);
   *p++ = ',';
   p = sim_csv_text(p, work->label);
   p = tables_put_number(p, work->meta);
   p = tables_put_word(p, draw ? sim_record_prim_name(work->prim) : "");
   p = tables_put_number(p, work->count);
   p = tables_put_number(p, w->start);
   p = tables_put_number(p, w->end);
   p = tables_put_number(p, w->end > w->start ? w->end - w->start : 0);
   p = tables_put_number(p, exclusive);
   p = tables_put_word(p, w->limits.limit[0].unit ? w->limits.limit[0].unit : "");
   *p++ = ',';
   if (w->limits.limit[0].unit)
      p += sprintf(p, "%.4f", w->limits.limit[0].share);
   p = c->num_draws == c->num ? tables_put_all_values(p, r->pending.row.value, c->num)
                              : tables_put_values(p, r->pending.row.value, c->draws, c->num_draws);
   *p++ = '\n';
   sim_csv_end(&r->draws, p);
}

void
report_tables_frame(struct sim_report *r, const struct sim_record_frame *f)
{
   char *p = sim_csv_begin(&r->frames, ROW_BYTES(r));
   if (!p)
      return;
   const uint64_t cycles = f->end - f->start;
   const struct report_host_time host = {f->wall, f->cpu};
   p +=
       sprintf(p, "%u,%u,%llu,%llu,%llu,%.6f,%.3f,%.3f,%.1f", f->frame, f->draws,
               (unsigned long long)f->start, (unsigned long long)f->end, (unsigned long long)cycles,
               f->ms, f->wall, f->cpu, report_kcycles_per_s(cycles, &host));
   for (unsigned d = SIM_DOMAIN_SHADER; d <= SIM_DOMAIN_MEMORY; d++)
      p = tables_put_number(p, f->domain_cycles[d]);
   p = tables_put_all_values(p, f->values->value, r->measure->columns.num);
   *p++ = '\n';
   sim_csv_end(&r->frames, p);
}
