/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The list of counters, and monitors (sim_counters.h). The list begins with counters that are
 * computed from several statistics. Then it has a group for each kind of box: its statistics, and
 * its share of time at work. Not here: users (session/session.c, the driver), work (sim_work.c). */
#include "measure/sim_counters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "measure/sim_caches.h"
#include "measure/sim_measure.h"

#define MAX_TERMS 4

enum counter_kind {
   COUNTER_SUM,    /* sum of columns */
   COUNTER_SHARE,  /* columns as a share of other columns */
   COUNTER_BUSY,   /* a class's cycles as a share of time */
   COUNTER_CYCLES, /* elapsed cycles */
   COUNTER_TIME,   /* elapsed nanoseconds */
};

struct counter {
   struct sim_counter info;
   enum counter_kind kind;
   unsigned part[MAX_TERMS], whole[MAX_TERMS]; /* columns */
   unsigned num_part, num_whole;
   unsigned domain, instances; /* COUNTER_BUSY */
   char *text;                 /* name and group, if not static */
};

struct sim_counters {
   struct counter *list;
   unsigned num;
   struct sim_monitor *monitors;
};

struct sim_monitor {
   struct sim_monitor *next;
   uint64_t first, last; /* commands [first, last) by sim_work_state.serial */
   uint32_t context;
   /* Time of the machine, whatever the context: the end of the last command before the first one
    * that counts, and of the last command before the end. */
   sim_tick before, end;
   sim_tick start; /* start of its first command; SIM_NEVER: none has ended */
   uint64_t sum[]; /* [column of a class's sums] */
};

/* --- The list --- */

static unsigned
counters_num_sums(const struct measure_columns *c)
{
   unsigned num = 0;
   for (unsigned i = 0; i < c->num_classes; i++)
      num += c->classes[i].cls->num_stats + SIM_NUM_ACTIVITIES;
   return num;
}

/* Finds the columns of the listed statistics. Returns their number, or 0 if the machine lacks
 * one. */
static unsigned
counters_find_columns(const struct counter *list, unsigned num, const char *names,
                      unsigned *columns)
{
   unsigned found = 0;
   while (*names) {
      const size_t n = strcspn(names, " ");
      unsigned i = 0;
      while (i < num && (strncmp(list[i].info.name, names, n) || list[i].info.name[n]))
         i++;
      if (i == num || found == MAX_TERMS)
         return 0;
      columns[found++] = i;
      names += n + (names[n] == ' ');
   }
   return found;
}

static bool
counters_add_class(struct sim_counters *l, const struct measure_class *rc, unsigned instances)
{
   static const char *const units[SIM_NUM_UNITS] = {
#define U(name, text) text,
       SIM_UNITS(U)
#undef U
   };
   const struct sim_box_class *cls = rc->cls;
   char unit[64];
   measure_unit_name(cls->unit, unit, sizeof(unit));
   for (unsigned s = 0; s <= cls->num_stats + SIM_NUM_ACTIVITIES; s++) {
      const bool share = s == cls->num_stats + SIM_NUM_ACTIVITIES;
      const struct sim_stat_desc *d = s < cls->num_stats ? &cls->stats[s]
                                      : !share ? &sim_activity_stat_descs[s - cls->num_stats]
                                               : NULL;
      struct counter *c = &l->list[l->num];
      const char *name = share ? "BusyPercent" : d->name;
      const size_t size = strlen(name) + strlen(unit) + 2;
      *c = (struct counter){.kind = share ? COUNTER_BUSY : COUNTER_SUM,
                            .info = {.group = cls->name,
                                     .unit = share ? "%" : units[d->unit],
                                     .doc = share ? "of the time it did work" : d->doc},
                            .part = {rc->first + (share ? cls->num_stats : s)},
                            .num_part = 1,
                            .domain = cls->domain,
                            .instances = instances,
                            .text = malloc(size)};
      if (!c->text)
         return false;
      snprintf(c->text, size, "%s_%s", name, unit);
      c->info.name = c->text;
      l->num++;
   }
   return true;
}

/* Statistics that are charged to no command are always 0 in monitors, so they are not listed. */
static bool
counters_belongs_to_nobody(const struct counter *c, const struct measure_class *rc)
{
   const unsigned s = c->part[0] - rc->first, activity = rc->cls->num_stats;
   return c->kind == COUNTER_SUM && (s == activity + SIM_STAT(sim_activity, starved) ||
                                     s == activity + SIM_STAT(sim_activity, idle));
}

static void
counters_add_derived(struct sim_counters *l, const struct counter *by_column, unsigned columns)
{
   l->list[l->num++] = (struct counter){
       .kind = COUNTER_CYCLES,
       .info = {"cycles", "GPU", "cycles",
                "of the GPU clock, from the end of the command before to the end of the last one"}};
   l->list[l->num++] = (struct counter){
       .kind = COUNTER_TIME, .info = {"time-ns", "GPU", "ns", "the same in nanoseconds"}};
   struct counter c;
#define D(name_, unit_, part_, doc_)                                               \
   c = (struct counter){.kind = COUNTER_SUM, .info = {name_, "GPU", unit_, doc_}}; \
   if ((c.num_part = counters_find_columns(by_column, columns, part_, c.part)))    \
      l->list[l->num++] = c;
   SIM_DERIVED_COUNTERS(D)
#undef D
#define C(cache_, name_, hits_, misses_, retries_, access_)                             \
   c = (struct counter){                                                                \
       .kind = COUNTER_SHARE,                                                           \
       .info = {name_, "GPU", "%", "hits of accesses, each of which is " access_}};     \
   c.num_part = counters_find_columns(by_column, columns, hits_, c.part);               \
   c.num_whole = counters_find_columns(by_column, columns, hits_ " " misses_, c.whole); \
   if (c.num_part && c.num_whole)                                                       \
      l->list[l->num++] = c;
   SIM_CACHES(C)
#undef C
}

#define MAX_DERIVED 32

static bool
counters_fill(struct sim_counters *l, const struct sim_measure *measure, struct counter *by_column)
{
   const struct measure_columns *c = &measure->columns;
   struct sim_counters all = {by_column, 0, NULL};
   unsigned columns = 0;
   /* First make a counter for every column; the derived ones need them. */
   for (unsigned i = 0; i < c->num_classes; i++) {
      unsigned instances = 0;
      for (unsigned b = 0; b < measure->kernel->num_boxes; b++)
         instances += measure->kernel->boxes[b]->cls == c->classes[i].cls;
      if (!counters_add_class(&all, &c->classes[i], instances))
         return false;
   }
   /* Column numbers count only sums, so leave the shares out. */
   struct counter *sums = malloc((all.num + 1) * sizeof(*sums));
   if (!sums)
      return false;
   for (unsigned i = 0; i < all.num; i++) {
      if (all.list[i].kind == COUNTER_SUM)
         sums[columns++] = all.list[i];
   }
   counters_add_derived(l, sums, columns);
   free(sums);
   for (unsigned i = 0, rc = 0; i < all.num; i++) {
      while (strcmp(c->classes[rc].cls->name, all.list[i].info.group) != 0)
         rc++;
      if (counters_belongs_to_nobody(&all.list[i], &c->classes[rc]))
         free(all.list[i].text);
      else
         l->list[l->num++] = all.list[i];
   }
   return true;
}

static struct sim_counters *
counters(struct sim_measure *measure)
{
   if (!measure || measure->counters || !measure->columns.num)
      return measure ? measure->counters : NULL;
   const unsigned most =
       counters_num_sums(&measure->columns) + measure->columns.num_classes + MAX_DERIVED;
   struct sim_counters *l = calloc(1, sizeof(*l));
   struct counter *by_column = calloc(most, sizeof(*by_column));
   if (l)
      l->list = calloc(most, sizeof(*l->list));
   if (!l || !l->list || !by_column || !counters_fill(l, measure, by_column)) {
      /* Texts made before are leaked; the process is out of memory anyway. */
      free(l ? l->list : NULL);
      free(l);
      l = NULL;
   }
   free(by_column);
   return measure->counters = l;
}

unsigned
sim_counters_num(struct sim_measure *measure)
{
   const struct sim_counters *l = counters(measure);
   return l ? l->num : 0;
}

const struct sim_counter *
sim_counters_get(struct sim_measure *measure, unsigned index)
{
   const struct sim_counters *l = counters(measure);
   return l && index < l->num ? &l->list[index].info : NULL;
}

void
sim_counters_free(struct sim_measure *measure)
{
   struct sim_counters *l = measure->counters;
   if (!l)
      return;
   while (l->monitors)
      sim_monitor_destroy(measure, l->monitors);
   for (unsigned i = 0; i < l->num; i++)
      free(l->list[i].text);
   free(l->list);
   free(l);
   measure->counters = NULL;
}

/* --- Monitors --- */

struct sim_monitor *
sim_monitor_open(struct sim_measure *measure, uint32_t context)
{
   struct sim_counters *l = counters(measure);
   const unsigned sums = counters_num_sums(&measure->columns);
   struct sim_monitor *m = l ? calloc(1, sizeof(*m) + sums * sizeof(m->sum[0])) : NULL;
   if (!m)
      return NULL;
   m->first = measure->work.next_serial;
   m->last = UINT64_MAX;
   m->context = context;
   m->before = m->end = measure->work.last_end;
   m->start = SIM_NEVER;
   m->next = l->monitors;
   l->monitors = m;
   return m;
}

void
sim_monitor_close(struct sim_measure *measure, struct sim_monitor *m)
{
   m->last = measure->work.next_serial;
}

void
sim_monitor_destroy(struct sim_measure *measure, struct sim_monitor *m)
{
   struct sim_monitor **p = &measure->counters->monitors;
   while (*p && *p != m)
      p = &(*p)->next;
   if (*p)
      *p = m->next;
   free(m);
}

static bool
counters_counts_for(const struct sim_monitor *m, const struct sim_work_state *s)
{
   return s->serial >= m->first && s->serial < m->last && s->work.context == m->context;
}

void
sim_monitors_ended(struct sim_work_table *table, const struct sim_work_state *s, sim_tick now)
{
   table->last_end = now;
   if (!table->measure->counters)
      return;
   for (struct sim_monitor *m = table->measure->counters->monitors; m; m = m->next) {
      /* Commands that began before counting have no row. */
      if (!s || s->serial < m->first)
         m->before = now;
      if (!s || s->serial < m->last)
         m->end = now;
      if (s && counters_counts_for(m, s))
         m->start = s->work.start < m->start ? s->work.start : m->start;
   }
}

void
sim_monitors_taken(struct sim_work_table *table, const struct sim_work_state *s, uint16_t work_id)
{
   if (!table->measure->counters)
      return;
   for (struct sim_monitor *m = table->measure->counters->monitors; m; m = m->next) {
      if (counters_counts_for(m, s))
         measure_look_sums(table->measure, work_id, m->sum);
   }
}

/* Adds the costs of commands with incomplete rows, as far as they were not taken yet. */
static void
counters_add_unfinished(struct sim_measure *measure, const struct sim_monitor *m, uint64_t *sum)
{
   const struct sim_work_table *table = &measure->work;
   sim_kernel_flush_counters(measure->kernel);
   for (unsigned work_id = SIM_WORK_SHARED + 1; work_id < measure->kernel->used_work_ids;
        work_id++) {
      if (table->refs[work_id] && counters_counts_for(m, &table->state[work_id]))
         measure_look_sums(measure, work_id, sum);
   }
}

static uint64_t
counters_total(const uint64_t *sum, const unsigned *columns, unsigned num)
{
   uint64_t t = 0;
   for (unsigned i = 0; i < num; i++)
      t += sum[columns[i]];
   return t;
}

static uint64_t
counters_percent(uint64_t part, uint64_t whole)
{
   const uint64_t p = whole ? (uint64_t)(100.0 * (double)part / (double)whole + 0.5) : 0;
   return p < 100 ? p : 100;
}

static uint64_t
counters_value(const struct sim_kernel *k, const struct sim_monitor *m, const struct counter *c,
               const uint64_t *sum)
{
   const uint64_t part = counters_total(sum, c->part, c->num_part);
   const sim_tick spent = m->end > m->start ? m->end - m->start : 0;
   switch (c->kind) {
   case COUNTER_SHARE:
      return counters_percent(part, counters_total(sum, c->whole, c->num_whole));
   case COUNTER_BUSY:
      return counters_percent(part, spent / k->period[c->domain] * c->instances);
   case COUNTER_CYCLES:
      /* Subtract whole cycles, so that parts add up. */
      return m->end / k->period[SIM_DOMAIN_GPU] - m->before / k->period[SIM_DOMAIN_GPU];
   case COUNTER_TIME:
      return (uint64_t)((double)m->end * k->ns_per_tick) -
             (uint64_t)((double)m->before * k->ns_per_tick);
   default:
      return part;
   }
}

void
sim_monitor_read(struct sim_measure *measure, const struct sim_monitor *m, const unsigned *wanted,
                 unsigned num, uint64_t *values)
{
   const struct sim_counters *l = counters(measure);
   const unsigned sums = counters_num_sums(&measure->columns);
   uint64_t *sum = malloc((sums + 1) * sizeof(*sum));
   memset(values, 0, num * sizeof(*values));
   if (!l || !sum) {
      free(sum);
      return;
   }
   memcpy(sum, m->sum, sums * sizeof(*sum));
   counters_add_unfinished(measure, m, sum);
   for (unsigned i = 0; i < num; i++) {
      if (wanted[i] < l->num)
         values[i] = counters_value(measure->kernel, m, &l->list[wanted[i]], sum);
   }
   free(sum);
}
