/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Every statistic that counts an event of a unit has an energy in the unit's sheet (units/) or a
 * reason why it has none, and sheets name no statistic that is not there. Not here: how large
 * energies are (test_power.c). */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "box/netlist.h"
#include "measure/sim_measure.h"

/* What the sheets say: kind 'E' or 'D': a statistic has energy, 'N': statistics have none, and why.
 */
static const struct sheet {
   const char *class;
   struct row {
      char kind;
      const char *statistics, *why;
   } row[40];
} sheets[] = {
#define A(...)
#define E(statistic, ...) {'E', statistic, NULL},
#define D(statistic, ...) {'D', statistic, NULL},
#define N(statistics, why) {'N', statistics, why},
#define U(class) {SIM_UNIT_NAME(class), {SIM_ENERGY_##class(A, E, D, N)}},
    SIM_EACH_UNIT
#undef U
#undef N
#undef D
#undef E
#undef A
};
#define NUM_SHEETS (sizeof(sheets) / sizeof(sheets[0]))

/* The next word of a list. */
static const char *
next_word(const char **list, char word[80])
{
   *list += strspn(*list, " ");
   const size_t n = strcspn(*list, " ");
   assert_true(n < 80);
   memcpy(word, *list, n);
   word[n] = '\0';
   *list += n;
   return n ? word : NULL;
}

static bool
is_listed(const char *list, const char *name)
{
   char word[80];
   while (next_word(&list, word)) {
      if (!fnmatch(word, name, 0))
         return true;
   }
   return false;
}

static bool
is_time(const struct sim_stat_desc *d)
{
   return !strcmp(measure_unit_text(d->unit), "cycles");
}

static const struct sim_box_class *
class_of(const struct sheet *sheet)
{
   for (unsigned c = 0; c < sim_netlist_num_classes; c++) {
      if (!strcmp(sim_netlist_classes[c]->name, sheet->class))
         return sim_netlist_classes[c];
   }
   return NULL;
}

static bool
costs(const struct sheet *sheet, const char *statistic)
{
   for (const struct row *r = sheet->row; r->kind; r++) {
      if (r->kind != 'N' && r->statistics && !strcmp(r->statistics, statistic))
         return true;
   }
   return false;
}

/* Statistics of a class that match. */
static unsigned
matches(const struct sheet *sheet, const char *pattern, bool costly)
{
   const struct sim_box_class *cls = class_of(sheet);
   unsigned found = 0;
   for (unsigned s = 0; s < measure_class_stats(cls); s++) {
      const struct sim_stat_desc *d = measure_class_stat(cls, s);
      found += !fnmatch(pattern, d->name, 0) && (costly || (!is_time(d) && !costs(sheet, d->name)));
   }
   return found;
}

/* Units that declare no energy at all are named where energy is shown. */
static void
test_every_count_costs_energy_or_says_why_not(void **state)
{
   (void)state;
   unsigned missing = 0, checked = 0;
   for (unsigned i = 0; i < NUM_SHEETS; i++) {
      const struct sim_box_class *cls = class_of(&sheets[i]);
      for (unsigned s = 0; sheets[i].row[0].kind && s < measure_class_stats(cls); s++) {
         const struct sim_stat_desc *d = measure_class_stat(cls, s);
         bool has = is_time(d) || costs(&sheets[i], d->name);
         for (const struct row *r = sheets[i].row; r->kind && !has; r++)
            has = r->kind == 'N' && is_listed(r->statistics, d->name);
         checked++;
         missing += !has;
         if (!has)
            print_error("%s of %s: neither an energy nor a reason\n", d->name, cls->name);
      }
   }
   assert_int_equal(missing, 0);
   assert_true(checked > 500);
}

static void
test_sheets_name_what_is_there(void **state)
{
   (void)state;
   char pattern[80];
   unsigned wrong = 0;
   for (unsigned i = 0; i < NUM_SHEETS; i++) {
      for (const struct row *r = sheets[i].row; r->kind; r++) {
         const bool none = r->kind == 'N';
         assert_true(!none || r->why[0]);
         for (const char *p = r->statistics; p && next_word(&p, pattern);) {
            if (matches(&sheets[i], pattern, !none))
               continue;
            wrong++;
            print_error("%s of %s: no statistic%s\n", pattern, sheets[i].class,
                        none ? " without an energy" : "");
         }
      }
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_every_count_costs_energy_or_says_why_not),
       cmocka_unit_test(test_sheets_name_what_is_there),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
