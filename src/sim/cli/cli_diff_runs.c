/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim diff, of two folders of reports: what draws.csv of both count, in the sum and row by
 * row, as far as their rows are of the same commands. What depends on the host is not compared.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"

#define MOST_ROWS 10  /* shown: those whose cycles differ most */
#define MOST_STATS 40 /* shown, of the sums */
#define MOST_OF_ROW 5 /* shown, of a row */

/* A draws.csv, read row by row. */
struct table {
   const char *path;
   FILE *file;
   char *line, **field;
   size_t size;
   unsigned columns, row; /* number of the present row, from 1 */
};

struct column {
   char *name;
   unsigned left, right; /* number in each table */
   uint64_t sum[2];
};

struct row_change {
   char *text; /* what it says about the row; NULL: none */
   uint64_t by;
};

struct runs {
   struct table table[2];
   struct column *columns;       /* that both have */
   unsigned num_columns, key[3]; /* key: columns of frame, draw, kind; [0] of columns is cycles */
   struct row_change rows[MOST_ROWS];
   uint64_t different_rows;
};

/* Cuts a line into fields, in place; fields may be quoted. Returns how many there are. */
static unsigned
cli_diff_runs_split(char *line, char **field, unsigned most)
{
   unsigned n = 0;
   line[strcspn(line, "\n")] = '\0';
   for (char *p = line; p && n < most;) {
      char *to = p;
      field[n++] = to;
      bool quoted = false;
      for (; *p && (quoted || *p != ','); p++) {
         if (*p == '"' && quoted && p[1] == '"')
            *to++ = *p++;
         else if (*p == '"')
            quoted = !quoted;
         else
            *to++ = *p;
      }
      const bool more = *p == ',';
      *to = '\0';
      p = more ? p + 1 : NULL;
   }
   return n;
}

static bool
cli_diff_runs_next_row(struct table *t)
{
   if (getline(&t->line, &t->size, t->file) < 0)
      return false;
   t->row++;
   return cli_diff_runs_split(t->line, t->field, t->columns) == t->columns;
}

static bool
cli_diff_runs_open_table(struct table *t, const char *folder)
{
   char path[4096];
   t->path = folder;
   t->file = cli_open_rows(folder, path, sizeof(path));
   if (!t->file || getline(&t->line, &t->size, t->file) < 0) {
      fprintf(stderr, "attila-sim: diff: cannot read %s%s\n", path,
              t->file ? ": it is empty" : ": it comes from a run with --out");
      return false;
   }
   t->columns = 1;
   for (const char *c = t->line; *c; c++)
      t->columns += *c == ',';
   t->field = calloc(t->columns + 1, sizeof(*t->field));
   return t->field && cli_diff_runs_split(t->line, t->field, t->columns) == t->columns;
}

static void
cli_diff_runs_close_table(struct table *t)
{
   if (t->file)
      fclose(t->file);
   free(t->line);
   free(t->field);
}

static unsigned
cli_diff_runs_find(const struct table *t, const char *name)
{
   for (unsigned i = 0; i < t->columns; i++) {
      if (!strcmp(t->field[i], name))
         return i;
   }
   return t->columns;
}

/* A statistic of one of several units: the sum of all is there, too. */
static bool
cli_diff_runs_of_one_unit(const struct table *t, const char *name)
{
   char sum[200];
   size_t n = strlen(name);
   if (n >= sizeof(sum) || !isdigit((unsigned char)name[n - 1]))
      return false;
   size_t at = 0;
   const char *unit = strrchr(name, '_');
   for (const char *c = name; *c; c++) {
      if (!unit || c < unit || !isdigit((unsigned char)*c))
         sum[at++] = *c;
   }
   sum[at] = '\0';
   return cli_diff_runs_find(t, sum) < t->columns;
}

static bool
cli_diff_runs_find_columns(struct runs *r)
{
   static const char *const keys[] = {"frame", "draw", "kind"};
   struct table *a = &r->table[0], *b = &r->table[1];
   r->columns = calloc(a->columns, sizeof(*r->columns));
   const unsigned first = cli_diff_runs_find(a, "cycles"); /* then come the statistics */
   for (unsigned i = first; r->columns && i < a->columns; i++) {
      const unsigned other = cli_diff_runs_find(b, a->field[i]);
      if (other == b->columns || cli_diff_runs_of_one_unit(a, a->field[i]))
         continue;
      r->columns[r->num_columns++] =
          (struct column){.name = strdup(a->field[i]), .left = i, .right = other};
   }
   for (unsigned k = 0; k < 3; k++) {
      r->key[k] = cli_diff_runs_find(a, keys[k]);
      if (cli_diff_runs_find(b, keys[k]) != r->key[k] || r->key[k] == a->columns) {
         fprintf(stderr, "attila-sim: diff: the tables are of different versions: no %s\n",
                 keys[k]);
         return false;
      }
   }
   return r->columns && r->num_columns;
}

static uint64_t
cli_diff_runs_distance(uint64_t a, uint64_t b)
{
   return a > b ? a - b : b - a;
}

static double
cli_diff_runs_change(uint64_t a, uint64_t b)
{
   return a ? 100.0 * ((double)b - (double)a) / (double)a : 0.0;
}

static void
cli_diff_runs_print_change(FILE *f, const char *name, uint64_t a, uint64_t b)
{
   fprintf(f, "   %-40s %14" PRIu64 " %14" PRIu64, name, a, b);
   if (a)
      fprintf(f, " %+8.1f %%\n", cli_diff_runs_change(a, b));
   else
      fprintf(f, "\n");
}

/* Values of a row; *a and *b. */
static void
cli_diff_runs_values_of(const struct runs *r, unsigned column, uint64_t *a, uint64_t *b)
{
   const struct column *c = &r->columns[column];
   *a = strtoull(r->table[0].field[c->left], NULL, 10);
   *b = strtoull(r->table[1].field[c->right], NULL, 10);
}

/* What a row's text says: its cycles, and the statistics that differ most. */
static char *
cli_diff_runs_describe_row(const struct runs *r)
{
   char *text = NULL;
   size_t size = 0;
   FILE *f = open_memstream(&text, &size);
   if (!f)
      return NULL;
   char *const *field = r->table[0].field;
   fprintf(f, "frame %s, %s%s%s (row %u)\n", field[r->key[0]], field[r->key[2]],
           *field[r->key[1]] ? " " : "", field[r->key[1]], r->table[0].row);
   uint64_t a, b, last = UINT64_MAX;
   cli_diff_runs_values_of(r, 0, &a, &b);
   cli_diff_runs_print_change(f, r->columns[0].name, a, b);
   for (unsigned shown = 0; shown < MOST_OF_ROW;) {
      uint64_t most = 0;
      for (unsigned i = 1; i < r->num_columns; i++) {
         cli_diff_runs_values_of(r, i, &a, &b);
         const uint64_t d = cli_diff_runs_distance(a, b);
         most = d > most && d < last ? d : most;
      }
      if (!most)
         break;
      for (unsigned i = 1; i < r->num_columns && shown < MOST_OF_ROW; i++) {
         cli_diff_runs_values_of(r, i, &a, &b);
         if (cli_diff_runs_distance(a, b) == most) {
            cli_diff_runs_print_change(f, r->columns[i].name, a, b);
            shown++;
         }
      }
      last = most;
   }
   return fclose(f) ? NULL : text;
}

static void
cli_diff_runs_compare_row(struct runs *r)
{
   uint64_t a, b, by = 0;
   bool differs = false;
   for (unsigned i = 0; i < r->num_columns; i++) {
      cli_diff_runs_values_of(r, i, &a, &b);
      r->columns[i].sum[0] += a;
      r->columns[i].sum[1] += b;
      differs |= a != b;
      if (i == 0)
         by = cli_diff_runs_distance(a, b);
   }
   if (!differs)
      return;
   r->different_rows++;
   /* Sorted by the change of cycles; of equal ones the first. */
   unsigned at = MOST_ROWS;
   while (at && (!r->rows[at - 1].text || r->rows[at - 1].by < by))
      at--;
   if (at == MOST_ROWS)
      return;
   free(r->rows[MOST_ROWS - 1].text);
   memmove(&r->rows[at + 1], &r->rows[at], (MOST_ROWS - 1 - at) * sizeof(r->rows[0]));
   r->rows[at] = (struct row_change){cli_diff_runs_describe_row(r), by};
}

/* False: the rows are of different commands from here on. */
static bool
cli_diff_runs_compare_rows(struct runs *r)
{
   struct table *a = &r->table[0], *b = &r->table[1];
   while (true) {
      const bool left = cli_diff_runs_next_row(a), right = cli_diff_runs_next_row(b);
      if (!left && !right)
         return true;
      bool same = left && right;
      for (unsigned k = 0; same && k < 3; k++)
         same = !strcmp(a->field[r->key[k]], b->field[r->key[k]]);
      if (!same) {
         for (unsigned i = 0; i < 2; i++) {
            const struct table *t = &r->table[i];
            if (i ? right : left)
               printf("%s: row %u is frame %s, %s %s\n", t->path, t->row, t->field[r->key[0]],
                      t->field[r->key[2]], t->field[r->key[1]]);
            else
               printf("%s: no row %u\n", t->path, (i ? a : b)->row);
         }
         printf("The runs are of different commands from there on; what follows is what is before "
                "it.\n");
         return false;
      }
      cli_diff_runs_compare_row(r);
   }
}

static int
cli_diff_runs_by_change(const void *x, const void *y)
{
   const struct column *a = x, *b = y;
   const double p = cli_diff_runs_change(a->sum[0], a->sum[1]),
                q = cli_diff_runs_change(b->sum[0], b->sum[1]);
   const double m = p < 0 ? -p : p, n = q < 0 ? -q : q;
   return m < n ? 1 : m > n ? -1 : strcmp(a->name, b->name);
}

static void
cli_diff_runs_print_sums(struct runs *r)
{
   unsigned different = 0;
   qsort(r->columns, r->num_columns, sizeof(*r->columns), cli_diff_runs_by_change);
   for (unsigned i = 0; i < r->num_columns; i++)
      different += r->columns[i].sum[0] != r->columns[i].sum[1];
   printf("%u of %u statistics differ in the sum:\n", different, r->num_columns);
   for (unsigned i = 0, shown = 0; i < r->num_columns && shown < MOST_STATS; i++) {
      const struct column *c = &r->columns[i];
      if (c->sum[0] == c->sum[1])
         continue;
      cli_diff_runs_print_change(stdout, c->name, c->sum[0], c->sum[1]);
      shown++;
   }
   if (different > MOST_STATS)
      printf("   and %u more\n", different - MOST_STATS);
}

int
cli_diff_runs(const char *left, const char *right)
{
   struct runs r = {0};
   int status = CLI_FILE;
   if (cli_diff_runs_open_table(&r.table[0], left) &&
       cli_diff_runs_open_table(&r.table[1], right) && cli_diff_runs_find_columns(&r)) {
      const bool whole = cli_diff_runs_compare_rows(&r);
      const uint64_t rows = r.table[0].row;
      status = whole && !r.different_rows ? CLI_OK : CLI_DIFFERENT;
      if (status == CLI_OK) {
         printf("the same %" PRIu64 " rows\n", rows);
      } else {
         cli_diff_runs_print_sums(&r);
         printf("%" PRIu64 " rows differ%s\n", r.different_rows,
                r.different_rows ? "; those whose cycles differ most:" : "");
      }
   }
   for (unsigned i = 0; i < MOST_ROWS && r.rows[i].text; i++) {
      printf("%s", r.rows[i].text);
      free(r.rows[i].text);
   }
   for (unsigned i = 0; i < r.num_columns; i++)
      free(r.columns[i].name);
   free(r.columns);
   cli_diff_runs_close_table(&r.table[0]);
   cli_diff_runs_close_table(&r.table[1]);
   return status;
}
