/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: its scenes, and the table of its figures
 * (docs/notebook/derived.md), which are the same in the record and from events. */
#ifndef DERIVED_FIGURES_H
#define DERIVED_FIGURES_H

#include "record_query.h"

static const struct figure_scene {
   const char *name, *path; /* path NULL: it has no column */
   unsigned context;        /* of its draws */
   bool vector; /* shaders whose groups issue a SIMD and a scalar instruction together */
} scenes[] = {{"glmark2 build", "golden/build", 1, true},
              {"glmark2 desktop", "golden/desktop", 1, false},
              {"glmark2 shading", "golden/shading", 1, true},
              {"glmark2 texture", "golden/texture", 1, false},
              {"arrays", "timing/arrays", 0, true},
              {"depth_hidden", "timing/depth_hidden", 0, false}};
#define NUM_SCENES (sizeof(scenes) / sizeof(scenes[0]))

/* Rows of the table. */
static struct figure {
   char name[80];
   uint64_t value[NUM_SCENES];
} figures[240];
static unsigned num_figures;

/* The test fails unless both are the same. */
static inline void
same(const struct figure_scene *scene, const char *what, const char *name, uint64_t record,
     uint64_t events)
{
   char text[80];
   unsigned i = 0;
   if (record != events)
      fail_msg("%s: %s, %s: the record has %llu, events say %llu", scene->name, what, name,
               (unsigned long long)record, (unsigned long long)events);
   if (!scene->path)
      return;
   snprintf(text, sizeof(text), "%s, %s", what, name);
   while (i < num_figures && strcmp(figures[i].name, text) != 0)
      i++;
   assert_true(i < sizeof(figures) / sizeof(figures[0]));
   num_figures += i == num_figures;
   strcpy(figures[i].name, text);
   figures[i].value[scene - scenes] = record;
}

static inline void
write_table(const char *path)
{
   FILE *f = fopen(path, "w");
   assert_non_null(f);
   fputs("| figure |", f);
   for (unsigned i = 0; i < NUM_SCENES; i++)
      fprintf(f, " %s |", scenes[i].name);
   fputs("\n|---|", f);
   for (unsigned i = 0; i < NUM_SCENES; i++)
      fputs("---:|", f);
   fputc('\n', f);
   for (unsigned k = 0; k < num_figures; k++) {
      fprintf(f, "| %s |", figures[k].name);
      for (unsigned i = 0; i < NUM_SCENES; i++)
         fprintf(f, " %llu |", (unsigned long long)figures[k].value[i]);
      fputc('\n', f);
   }
   fclose(f);
}

static inline uint64_t
sum_of(sqlite3 *db, const char *column, const char *view, const char *where, const char *value)
{
   char *sql = sqlite3_mprintf("SELECT coalesce(sum(\"%w\"), 0) FROM %s WHERE %s = '%q'", column,
                               view, where, value);
   const uint64_t n = (uint64_t)record_number(db, sql);
   sqlite3_free(sql);
   return n;
}

#endif
