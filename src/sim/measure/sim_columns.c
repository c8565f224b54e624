/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Columns of statistics, named Name_Unit. First come the single units, and for a unit with several
 * instances their sum, without a number (InputFragments_ZST-SU). Behind them come the columns of
 * each instance (InputFragments_ZST-SU0, ...). frames.csv has all columns, draws.csv the selected
 * ones. */
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_grow_array.h"
#include "measure/sim_measure.h"

#define NAME_BYTES 160

bool
measure_class_numbered(const struct sim_box_class *cls)
{
   return strchr(cls->unit, '#') != NULL;
}

unsigned
measure_class_stats(const struct sim_box_class *cls)
{
   return cls->num_stats + SIM_NUM_ACTIVITIES;
}

const struct sim_stat_desc *
measure_class_stat(const struct sim_box_class *cls, unsigned s)
{
   return s < cls->num_stats ? &cls->stats[s] : &sim_activity_stat_descs[s - cls->num_stats];
}

static const char *
columns_stat_name(const struct sim_box_class *cls, unsigned s)
{
   return measure_class_stat(cls, s)->name;
}

const char *
measure_class_attribution(const struct sim_box_class *cls, unsigned s)
{
   if (s < cls->num_stats)
      return cls->charges ? cls->charges : SIM_CHARGES_DRAW;
   s -= cls->num_stats;
   return s == SIM_STAT(sim_activity, busy)      ? "the work it did"
          : s == SIM_STAT(sim_activity, blocked) ? "the work that waited"
                                                 : "other: cycles without work";
}

unsigned
measure_class_boxes(const struct sim_kernel *k, const struct sim_box_class *cls)
{
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++)
      n += k->boxes[i]->cls == cls;
   return n;
}

/* Returns the first column of a class's sums (or of its single box); adds these columns if they are
 * new. */
static unsigned
columns_class(struct measure_columns *c, const struct sim_box_class *cls)
{
   for (unsigned i = 0; i < c->num_classes; i++) {
      if (c->classes[i].cls == cls)
         return c->classes[i].first;
   }
   c->classes[c->num_classes++] = (struct measure_class){cls, c->num};
   c->num += measure_class_stats(cls);
   return c->num - measure_class_stats(cls);
}

void
measure_unit_name(const char *code, char *unit, size_t size)
{
   size_t n = 0;
   for (const char *u = code; *u && n < size - 1; u++) {
      if (*u != '#')
         unit[n++] = *u;
   }
   unit[n] = '\0';
}

/* A run makes thousands of names; with printf this would take longer than all else here. */
static void
columns_put_name_of(char *name, const char *statistic, const char *unit)
{
   const size_t length = strlen(statistic), room = NAME_BYTES - 2, unit_length = strlen(unit);
   const size_t first = length < room ? length : room;
   const size_t second = unit_length < room - first ? unit_length : room - first;
   memcpy(name, statistic, first);
   name[first] = '_';
   memcpy(name + first + 1, unit, second);
   name[first + 1 + second] = '\0';
}

void
measure_columns_each_sum(const struct measure_columns *c,
                         void (*visit)(void *data, unsigned column, const char *name), void *data)
{
   char name[NAME_BYTES], unit[64];
   for (unsigned i = 0; i < c->num_classes; i++) {
      const struct sim_box_class *cls = c->classes[i].cls;
      measure_unit_name(cls->unit, unit, sizeof(unit));
      for (unsigned s = 0; s < measure_class_stats(cls); s++) {
         columns_put_name_of(name, columns_stat_name(cls, s), unit);
         visit(data, c->classes[i].first + s, name);
      }
   }
}

/* Calls visit with every column's name, in order. */
static void
columns_each_name(const struct measure_columns *c, const struct sim_kernel *k,
                  void (*visit)(void *data, unsigned column, const char *name), void *data)
{
   char name[NAME_BYTES];
   measure_columns_each_sum(c, visit, data);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      for (unsigned s = 0; s < measure_class_stats(cls) && c->own[i] != NO_COLUMN; s++) {
         columns_put_name_of(name, columns_stat_name(cls, s), k->boxes[i]->name);
         visit(data, c->own[i] + s, name);
      }
   }
}

static void
columns_add_name(void *data, unsigned column, const char *name)
{
   struct measure_columns *c = data;
   const size_t n = strlen(name);
   (void)column;
   if (!sim_grow_array(&c->names, &c->names_size, c->name_bytes + n + 2, 1))
      return;
   c->names[c->name_bytes] = ',';
   memcpy(c->names + c->name_bytes + 1, name, n + 1);
   c->name_bytes += n + 1;
}

bool
measure_columns_name(struct measure_columns *c, const struct sim_kernel *k)
{
   /* If one name finds no memory, the names after it need even more and find none either. */
   columns_each_name(c, k, columns_add_name, c);
   return c->names || !c->num;
}

static void
columns_find_sources(struct measure_columns *c, const struct sim_kernel *k)
{
   c->num_sources = k->num_boxes;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      const unsigned n = b->cls->num_stats;
      c->source[i] = (struct measure_source){.stats = n ? (uint8_t *)sim_stat(b, 0) : NULL,
                                             .cycles = (uint64_t *)b->cycles,
                                             .stride = (uint32_t)b->cls->stats_size,
                                             .num = (uint16_t)n,
                                             .padded = (uint16_t)SIM_STATS_PADDED(n)};
   }
}

void
measure_columns_make(struct measure_columns *c, const struct sim_kernel *k)
{
   for (unsigned i = 0; i < k->num_boxes; i++)
      c->sum[i] = columns_class(c, k->boxes[i]->cls);
   c->num_sums = c->num;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      c->own[i] = NO_COLUMN;
      if (measure_class_numbered(cls)) {
         c->own[i] = c->num;
         c->num += measure_class_stats(cls);
      }
   }
   columns_find_sources(c, k);
}

/* --- Those of draws.csv --- */

struct choice {
   bool *chosen; /* [column] */
   const char *pattern;
   bool found;
};

static void
columns_choose(void *data, unsigned column, const char *name)
{
   struct choice *c = data;
   if (fnmatch(c->pattern, name, 0) == 0)
      c->chosen[column] = c->found = true;
}

/* Marks the columns that a pattern of the list matches. */
static bool
columns_choose_list(const struct measure_columns *c, const struct sim_kernel *k, char *list,
                    bool *chosen, char *error, size_t error_size)
{
   char *save = NULL;
   if (!list[strspn(list, ", ")]) {
      snprintf(error, error_size, "columns of draws.csv: the list is empty; \"none\" chooses none");
      return false;
   }
   for (char *p = strtok_r(list, ", ", &save); p; p = strtok_r(NULL, ", ", &save)) {
      struct choice choice = {.chosen = chosen, .pattern = p};
      if (!strcmp(p, "none"))
         continue;
      columns_each_name(c, k, columns_choose, &choice);
      if (!choice.found) {
         snprintf(error, error_size,
                  "columns of draws.csv: no statistic of this machine is named \"%.100s\" "
                  "(attila-sim describe lists them; * and ? stand for any characters)",
                  p);
         return false;
      }
   }
   return true;
}

bool
measure_columns_choose(struct measure_columns *c, const struct sim_kernel *k, const char *list,
                       char *error, size_t error_size)
{
   bool *chosen = calloc(c->num + 1, sizeof(*chosen));
   char *copy = list ? strdup(list) : NULL;
   free(c->draws);
   c->num_draws = 0;
   c->draws = calloc(c->num + 1, sizeof(*c->draws));
   bool ok = chosen && c->draws && (copy || !list);
   if (!ok)
      snprintf(error, error_size, "out of host memory");
   /* Functional mode has nothing to choose from. */
   else if (list && c->num)
      ok = columns_choose_list(c, k, copy, chosen, error, error_size);
   for (unsigned i = 0; ok && i < c->num; i++) {
      if (!list || chosen[i])
         c->draws[c->num_draws++] = i;
   }
   free(copy);
   free(chosen);
   return ok;
}

void
measure_columns_free(struct measure_columns *c)
{
   free(c->draws);
   free(c->names);
}

/* --- Rows --- */

struct names {
   const struct measure_columns *columns;
   bool draws;
   unsigned next; /* index into columns->draws */
   char *p;
};

static void
columns_put_name(void *data, unsigned column, const char *name)
{
   struct names *n = data;
   if (n->draws) {
      if (n->next == n->columns->num_draws || n->columns->draws[n->next] != column)
         return;
      n->next++;
   }
   *n->p++ = ',';
   n->p = stpcpy(n->p, name);
}

char *
measure_columns_put_names(const struct measure_columns *c, const struct sim_kernel *k, bool draws,
                          char *p)
{
   struct names n = {.columns = c, .draws = draws, .p = p};
   if (!draws || c->num_draws == c->num)
      return c->num ? mempcpy(p, c->names, c->name_bytes) : p;
   columns_each_name(c, k, columns_put_name, &n);
   return n.p;
}

/* --- What they are --- */

const char *
measure_unit_text(enum sim_unit unit)
{
   static const char *const measures[SIM_NUM_UNITS] = {
#define U(name, text) text,
       SIM_UNITS(U)
#undef U
   };
   return measures[unit];
}

static void
columns_put_quoted(FILE *f, const char *text)
{
   fputs(",\"", f);
   for (const char *quote; (quote = strchr(text, '"')); text = quote + 1) {
      fwrite(text, 1, (size_t)(quote - text), f);
      fputs("\"\"", f);
   }
   fputs(text, f);
   putc('"', f);
}

void
measure_columns_describe(const struct measure_columns *c, const struct sim_kernel *k, FILE *f)
{
   fputs("name,statistic,class,unit,boxes,measure,meaning,attribution\n", f);
   for (unsigned i = 0; i < c->num_classes; i++) {
      const struct sim_box_class *cls = c->classes[i].cls;
      char unit[64], same[200], name[NAME_BYTES]; /* same: the class's columns */
      measure_unit_name(cls->unit, unit, sizeof(unit));
      snprintf(same, sizeof(same), ",%s,%s,%u,", cls->name, unit, measure_class_boxes(k, cls));
      for (unsigned s = 0; s < measure_class_stats(cls); s++) {
         const struct sim_stat_desc *d = measure_class_stat(cls, s);
         columns_put_name_of(name, d->name, unit);
         fputs(name, f);
         putc(',', f);
         fputs(d->name, f);
         fputs(same, f);
         fputs(measure_unit_text(d->unit), f);
         columns_put_quoted(f, d->doc);
         columns_put_quoted(f, measure_class_attribution(cls, s));
         putc('\n', f);
      }
   }
}
