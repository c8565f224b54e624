/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim export of a record with energies (--power, attila-sim power --write): a file of joules
 * beside each table, with the same rows in the same order. The tables themselves stay as they are,
 * for they are those that a run writes. Not here: what costs how much (docs/explanation/power.md).
 */
#include "cli/cli_export.h"

#include <stdlib.h>
#include <string.h>

#define MAX_UNITS 64 /* a machine has about twenty */

static const char *const kinds[] = {"dynamic", "clock", "leakage", "offchip"};
#define NUM_KINDS (sizeof(kinds) / sizeof(kinds[0]))

/* Rows: their key, what the lines begin with, seconds, watts. Energies: key, unit, those of
 * kinds, total; in the order of keys. */
static const struct energy_table {
   const char *file, *header, *view, *rows, *energies;
   int columns; /* that lines begin with; the last is a text where there are several */
} tables[] = {
    {"frames-energy.csv", "frame", "frame_energy",
     "SELECT frame, frame, seconds, watts FROM frames LEFT JOIN frame_power USING (frame) ORDER BY "
     "frame",
     "SELECT frame, unit, dynamic_fj, clock_fj, leakage_fj, offchip_fj, total_fj FROM frame_energy "
     "ORDER BY frame",
     1},
    {"draws-energy.csv", "frame,draw,kind,label", "work_energy",
     "SELECT work, frame, draw, kind, label, seconds, watts FROM work LEFT JOIN work_power USING "
     "(work) ORDER BY work",
     "SELECT work, unit, dynamic_fj, clock_fj, leakage_fj, offchip_fj, total_fj FROM work_energy "
     "ORDER BY work",
     4},
    {"cycles-energy.csv", "interval", "interval_energy",
     "SELECT interval, interval, seconds, watts FROM intervals LEFT JOIN interval_power USING "
     "(interval) ORDER BY interval",
     "SELECT interval, unit, dynamic_fj, clock_fj, leakage_fj, offchip_fj, total_fj FROM "
     "interval_energy ORDER BY interval",
     1},
};

/* Energies of a row, in femtojoules. */
struct energy_row {
   double total, kind[NUM_KINDS], unit[MAX_UNITS];
};

struct units {
   char *name[MAX_UNITS];
   unsigned num;
};

static void
cli_export_energy_read_units(struct export *e, struct units *u)
{
   sqlite3_stmt *s =
       export_prepare(e, "SELECT unit FROM power_terms GROUP BY unit ORDER BY min(term)");
   while (export_step(e, s)) {
      if (u->num == MAX_UNITS ||
          !(u->name[u->num] = strdup((const char *)sqlite3_column_text(s, 0))))
         snprintf(e->error, sizeof(e->error), "%.200s/run.sqlite: too many units", e->folder);
      else
         u->num++;
   }
   sqlite3_finalize(s);
}

/* Adds up what the rows of s from the present one on say of a key; *more: there is a row. */
static void
cli_export_energy_take_row(struct export *e, sqlite3_stmt *s, bool *more, sqlite3_int64 key,
                           const struct units *u, struct energy_row *row)
{
   *row = (struct energy_row){0};
   for (; *more && sqlite3_column_int64(s, 0) == key; *more = export_step(e, s)) {
      const char *unit = (const char *)sqlite3_column_text(s, 1);
      const double total = sqlite3_column_double(s, 2 + NUM_KINDS);
      for (unsigned k = 0; k < NUM_KINDS; k++)
         row->kind[k] += sqlite3_column_double(s, 2 + (int)k);
      for (unsigned i = 0; i < u->num; i++)
         row->unit[i] += strcmp(unit, u->name[i]) ? 0 : total;
      row->total += total;
   }
}

static void
cli_export_energy_put_joules(FILE *f, double femtojoules)
{
   fprintf(f, ",%.12g", femtojoules * 1e-15);
}

static void
cli_export_energy_put_line(FILE *f, sqlite3_stmt *s, int columns, const struct units *u,
                           const struct energy_row *row)
{
   for (int i = 0; i < columns; i++) {
      const char *text = (const char *)sqlite3_column_text(s, 1 + i);
      if (i)
         fputc(',', f);
      if (i && i == columns - 1)
         export_text(f, text);
      else
         fputs(text ? text : "", f);
   }
   /* Time in which nothing ran has no watts. */
   fprintf(f, ",%.12g", sqlite3_column_double(s, columns + 1));
   cli_export_energy_put_joules(f, row->total);
   if (sqlite3_column_type(s, columns + 2) == SQLITE_NULL)
      fputc(',', f);
   else
      fprintf(f, ",%.12g", sqlite3_column_double(s, columns + 2));
   for (unsigned k = 0; k < NUM_KINDS; k++)
      cli_export_energy_put_joules(f, row->kind[k]);
   for (unsigned i = 0; i < u->num; i++)
      cli_export_energy_put_joules(f, row->unit[i]);
   fputc('\n', f);
}

static void
cli_export_energy_put_table(struct export *e, const struct energy_table *t, const struct units *u)
{
   sqlite3_stmt *rows = export_prepare(e, t->rows), *energies = export_prepare(e, t->energies);
   FILE *f = NULL;
   bool more = export_step(e, energies);
   while (export_step(e, rows)) {
      struct energy_row row;
      if (!f) {
         if (!(f = export_create(e, t->file)))
            break;
         fprintf(f, "%s,seconds,joules,watts", t->header);
         for (unsigned k = 0; k < NUM_KINDS; k++)
            fprintf(f, ",joules_%s", kinds[k]);
         for (unsigned i = 0; i < u->num; i++)
            fprintf(f, ",joules_%s", u->name[i]);
         fputc('\n', f);
      }
      cli_export_energy_take_row(e, energies, &more, sqlite3_column_int64(rows, 0), u, &row);
      cli_export_energy_put_line(f, rows, t->columns, u, &row);
   }
   sqlite3_finalize(rows);
   sqlite3_finalize(energies);
   export_finish(e, f, t->file);
}

void
export_energy(struct export *e)
{
   struct units u = {0};
   if (!export_has(e, "power_terms"))
      return;
   cli_export_energy_read_units(e, &u);
   for (unsigned i = 0; i < sizeof(tables) / sizeof(tables[0]) && !e->error[0]; i++)
      if (export_has(e, tables[i].view))
         cli_export_energy_put_table(e, &tables[i], &u);
   for (unsigned i = 0; i < u.num; i++)
      free(u.name[i]);
}
