/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Every statistic that counts an event of a unit has an energy (power/power_events.h) or a reason
 * why it has none (power/power_no_event.h), and neither list names what is not there. Not here:
 * how large energies are (test_power.c).
 */
#include <fnmatch.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>
#include "box/netlist.h"
#include "power/power_events.h"
#include "power/power_model.h"
#include "power/power_no_event.h"
#include "results/sim_report_impl.h"

static const struct event {
   enum power_unit unit;
   const char *statistic;
} events[] = {
#define V(unit, statistic, ...) {POWER_UNIT_##unit, statistic},
    POWER_EVENTS(V) POWER_OFFCHIP_EVENTS(V)
#undef V
};

static const struct none {
   const char *classes, *statistics, *why;
} none[] = {
#define N(classes, statistics, why) {classes, statistics, why},
    POWER_NO_EVENT(N)
#undef N
};
#define NUM(list) (sizeof(list) / sizeof((list)[0]))

static bool
costs(const char *class, const char *statistic)
{
   const enum power_unit unit = power_unit_find(class);
   for (unsigned i = 0; i < NUM(events); i++) {
      if (events[i].unit == unit && !strcmp(events[i].statistic, statistic))
         return true;
   }
   return false;
}

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

/* Statistics of a class that count something, cost nothing and match. */
static unsigned
matches(const char *class, const char *pattern)
{
   unsigned found = 0;
   for (unsigned c = 0; c < sim_netlist_num_classes; c++) {
      const struct sim_box_class *cls = sim_netlist_classes[c];
      if (strcmp(cls->name, class))
         continue;
      for (unsigned s = 0; s < measure_class_stats(cls); s++) {
         const struct sim_stat_desc *d = measure_class_stat(cls, s);
         if (!is_time(d) && !fnmatch(pattern, d->name, 0) && !costs(class, d->name))
            found++;
      }
   }
   return found;
}

static void
test_every_count(void **state)
{
   (void)state;
   unsigned missing = 0, checked = 0;
   for (unsigned c = 0; c < sim_netlist_num_classes; c++) {
      const struct sim_box_class *cls = sim_netlist_classes[c];
      for (unsigned s = 0; s < measure_class_stats(cls); s++) {
         const struct sim_stat_desc *d = measure_class_stat(cls, s);
         bool has = is_time(d) || costs(cls->name, d->name);
         for (unsigned i = 0; i < NUM(none) && !has; i++)
            has = is_listed(none[i].classes, cls->name) && is_listed(none[i].statistics, d->name);
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
test_lists_name_what_is_there(void **state)
{
   (void)state;
   char class[80], pattern[80];
   unsigned wrong = 0;
   for (unsigned i = 0; i < NUM(none); i++) {
      assert_true(none[i].why[0]);
      for (const char *p = none[i].statistics; next_word(&p, pattern);) {
         unsigned found = 0;
         for (const char *q = none[i].classes; next_word(&q, class);)
            found += matches(class, pattern);
         wrong += !found;
         if (!found)
            print_error("%s of %s: no statistic without an energy\n", pattern, none[i].classes);
      }
   }
   for (unsigned i = 0; i < NUM(events); i++) {
      bool found = false;
      for (unsigned c = 0; c < sim_netlist_num_classes && !found; c++) {
         const struct sim_box_class *cls = sim_netlist_classes[c];
         for (unsigned s = 0; s < measure_class_stats(cls) && !found; s++)
            found = power_unit_find(cls->name) == events[i].unit &&
                    !strcmp(measure_class_stat(cls, s)->name, events[i].statistic);
      }
      wrong += !found;
      if (!found)
         print_error("%s of %s is no statistic\n", events[i].statistic,
                     power_unit_name(events[i].unit));
   }
   assert_int_equal(wrong, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_every_count),
       cmocka_unit_test(test_lists_name_what_is_there),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
