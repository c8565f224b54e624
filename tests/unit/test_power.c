/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Energy: each rule of the model (power.md) by itself, tables that are refused, and, on random
 * streams and machines, that boxes, rows and intervals add up to frames to the femtojoule. */
#include "random_scene.h"
#include "machine_text.h"
#include <unistd.h>
#include "session/session.h"
#include "power/power_array.h"
#include "power/power_model.h"
#include "power/power_record.h"
#include "random_config.h"
#include "record_query.h"

static struct sim_config config;

/* A machine with a box of every unit, of which so many keys are set. */
static void
make_with(struct power_model *m, const struct power_table *t, const uint16_t *permille,
          const char *const *sets, unsigned num)
{
   char error[400];
   struct power_machine machine = {.config = &config, .permille = permille};
   sim_config_defaults(&config);
   for (unsigned i = 0; i < num; i++)
      assert_true(sim_config_set(&config, sets[i], error, sizeof(error)));
   for (unsigned u = 0; u < POWER_NUM_UNITS; u++)
      machine.mhz[u] = 600;
   if (!power_model_make(m, &machine, t, error, sizeof(error)))
      fail_msg("%s", error);
}

static void
make(struct power_model *m, const struct power_table *t, const uint16_t *permille)
{
   make_with(m, t, permille, NULL, 0);
}

static double
sum(const struct power_model *m, enum power_kind kind)
{
   double all = 0;
   for (unsigned i = 0; i < m->num_terms; i++)
      all += m->term[i].kind == kind ? (double)m->term[i].fj : 0;
   return all;
}

static const struct power_term *
find(const struct power_model *m, enum power_unit unit, enum power_kind kind, const char *key,
     const char *statistic)
{
   for (unsigned i = 0; i < m->num_terms; i++) {
      const struct power_term *t = &m->term[i];
      if (t->unit == unit && t->kind == kind && !strcmp(t->key, key) &&
          (!statistic || !strcmp(t->statistic, statistic)))
         return t;
   }
   return NULL;
}

static double
fj_of(const struct power_model *m, enum power_unit unit, enum power_kind kind, const char *key,
      const char *statistic)
{
   const struct power_term *t = find(m, unit, kind, key, statistic);
   return t ? (double)t->fj : 0;
}

static void
assert_near(double a, double b)
{
   if (!(a > b * 0.9999 && a < b * 1.0001))
      fail_msg("%.9g is not %.9g", a, b);
}

/* Half the voltage, a quarter of the energy; of the table as a whole, and of single units. */
static void
test_half_the_voltage_is_a_quarter_of_the_energy(void **state)
{
   static struct power_model full, half, dvfs_domain;
   struct power_table t;
   uint16_t permille[POWER_NUM_UNITS];
   power_table_defaults(&t);
   make(&full, &t, NULL);
   t.voltage /= 2;
   make(&half, &t, NULL);
   assert_near(sum(&half, POWER_DYNAMIC), sum(&full, POWER_DYNAMIC) / 4);
   assert_near(sum(&half, POWER_CLOCK), sum(&full, POWER_CLOCK) / 4);
   assert_true(sum(&half, POWER_LEAKAGE) < sum(&full, POWER_LEAKAGE) / 2);
   assert_true(sum(&half, POWER_OFFCHIP) == sum(&full, POWER_OFFCHIP));
   t.voltage *= 2;
   for (unsigned u = 0; u < POWER_NUM_UNITS; u++)
      permille[u] = u == POWER_UNIT_cw ? POWER_NOMINAL / 2 : POWER_NOMINAL;
   make(&dvfs_domain, &t, permille);
   assert_int_equal(full.num_terms, dvfs_domain.num_terms);
   for (unsigned i = 0; i < full.num_terms; i++) {
      const struct power_term *a = &full.term[i], *b = &dvfs_domain.term[i];
      if (a->unit != POWER_UNIT_cw)
         assert_int_equal(a->fj, b->fj);
      else if (a->kind != POWER_LEAKAGE)
         assert_true(llabs(a->fj - 4 * b->fj) <= 2);
      else
         assert_true(b->fj < a->fj / 2);
   }
}

/* In a cycle in which nothing is in flight: clock and leakage alone with linear gating, and what
 * each style of gating says. */
static void
test_gating_decides_what_idle_cycles_cost(void **state)
{
   static struct power_model m;
   struct power_table t;
   const enum power_unit u = POWER_UNIT_tu;
   power_table_defaults(&t);
   for (unsigned g = 0; g < POWER_NUM_GATINGS; g++) {
      t.gating = (enum power_gating)g;
      make(&m, &t, NULL);
      const double peak = m.peak[u] * 1e15;
      const double idle = fj_of(&m, u, POWER_DYNAMIC, "Ungated", "CyclesIdle");
      const double busy = fj_of(&m, u, POWER_DYNAMIC, "Ungated", "CyclesBusy");
      const double clock = fj_of(&m, u, POWER_CLOCK, "Clock", "CyclesIdle");
      const bool events = find(&m, u, POWER_DYNAMIC, "Bilinear", NULL);
      assert_int_equal(events, g == POWER_GATING_LINEAR || g == POWER_GATING_IDLE);
      if (g == POWER_GATING_NONE)
         assert_near(idle, peak);
      else if (g == POWER_GATING_IDLE)
         assert_near(idle, peak * t.idle_share);
      else
         assert_true(idle == 0);
      if (events)
         assert_true(busy == 0);
      else
         assert_near(busy, peak);
      const double local = g == POWER_GATING_NONE   ? t.local_ratio
                           : g == POWER_GATING_IDLE ? t.local_ratio * t.idle_share
                                                    : 0;
      assert_near(clock, peak * (t.tree_ratio + local));
      assert_near(fj_of(&m, u, POWER_CLOCK, "Clock", "CyclesBusy"),
                  peak * (t.tree_ratio + t.local_ratio));
      /* No other dynamic energy comes from cycles without work. */
      for (unsigned i = 0; i < m.num_terms && g == POWER_GATING_LINEAR; i++)
         assert_false(m.term[i].kind == POWER_DYNAMIC && m.term[i].statistic &&
                      !strncmp(m.term[i].statistic, "Cycles", 6));
   }
}

static void
test_leakage_has_the_tables_ratio(void **state)
{
   static struct power_model m;
   struct power_table t;
   power_table_defaults(&t);
   t.temperature = t.leakage_temperature;
   assert_near(power_leakage_factor(&t, t.nominal, t.leakage_temperature), 1);
   for (unsigned i = 0; i < 3; i++) {
      t.leakage = (double[]){0.1, 0.3, 0.5}[i];
      make(&m, &t, NULL);
      assert_near(fj_of(&m, POWER_UNIT_shdx, POWER_LEAKAGE, "Leakage", NULL),
                  t.leakage * m.peak[POWER_UNIT_shdx] * 1e15);
   }
   t.leakage = 0;
   make(&m, &t, NULL);
   assert_true(sum(&m, POWER_LEAKAGE) == 0);
   /* Hotter is worse and worse; lower voltage is better than in proportion. */
   double before = 0;
   for (double temperature = -40; temperature <= 120; temperature += 10) {
      const double f = power_leakage_factor(&t, t.nominal, temperature);
      assert_true(f > before);
      before = f;
   }
   for (double v = 0.9; v > 0.4; v -= 0.1)
      assert_true(power_leakage_factor(&t, v * t.nominal, 85) <
                  v * power_leakage_factor(&t, t.nominal, 85));
   /* By hand, at 100 C: vT = 32.155 mV, swing 1.5; 10 % of 1.45 V less supply is 14.5 mV more
    * threshold: 0.9 * e^(-14.5 / 48.233). */
   assert_near(power_leakage_factor(&t, 0.9 * t.nominal, 100), 0.9 * 0.740362);
}

static void
test_dram_energy_follows_the_datasheet(void **state)
{
   static struct power_model m;
   struct power_table t;
   power_table_defaults(&t);
   t.dram_voltage = 2;
   t.idd0 = 300;
   t.idd2n = 100;
   t.idd3n = 150;
   t.idd4r = 350;
   t.idd4w = 450;
   t.idd5 = 400;
   t.dram_trc = 50;
   t.dram_tras = 40;
   t.dram_trfc = 100;
   t.dram_clock = 500;
   make(&m, &t, NULL);
   const enum power_unit g = POWER_UNIT_gddr;
   /* 16 bytes in a cycle are 64 pins: two chips of 32. IDD0 for 50 ns, less standby with a row open
    * for 40 ns and closed for 10 ns: 15000 - 6000 - 1000 = 8000 mA ns, at 2 V 16 nJ a chip. */
   const double row = fj_of(&m, g, POWER_OFFCHIP, "Activate", NULL) +
                      fj_of(&m, g, POWER_OFFCHIP, "Precharge", NULL);
   assert_near(row, 2 * 16e6);
   /* 200 mA at 2 V, and 4 GB a second from a chip: 0.1 nJ a byte, 32 bytes in a burst. */
   assert_near(fj_of(&m, g, POWER_OFFCHIP, "Read", NULL), 32 * 0.1e6);
   assert_near(fj_of(&m, g, POWER_OFFCHIP, "Write", NULL), 32 * 0.15e6);
   assert_near(fj_of(&m, POWER_UNIT_sched, POWER_OFFCHIP, "Read", NULL), 0.1e6);
   assert_near(fj_of(&m, g, POWER_OFFCHIP, "Refresh", NULL), 2 * 300e-3 * 2 * 100e6);
   assert_near(fj_of(&m, g, POWER_OFFCHIP, "Pins", NULL), 8 * t.pin_energy * 1e3);
   /* Standby of two chips, in a cycle of 600 MHz; open rows add, closed ones take it away. */
   assert_near(fj_of(&m, g, POWER_OFFCHIP, "Standby", NULL), 2 * 0.1 * 2 / 600e6 * 1e15);
   assert_near(fj_of(&m, g, POWER_OFFCHIP, "RowOpen", NULL), 2 * 0.05 * 2 / 600e6 * 1e15);
   assert_true(fj_of(&m, g, POWER_OFFCHIP, "RowOpenIdle", NULL) +
                   fj_of(&m, g, POWER_OFFCHIP, "RowsClosed", NULL) ==
               0);
}

/* Energies of a channel of the given width; twice as wide costs twice as much a row, and as much a
 * byte. A refresh is of all banks, or of one. */
static void
test_other_memories_cost_their_energies(void **state)
{
   static struct power_model m;
   struct power_table t;
   const enum power_unit g = POWER_UNIT_gddr;
   power_table_defaults(&t);
   t.chip[SIM_MEMORY_gddr6] = (struct power_chip){.bytes = 8,
                                                  .activate = 1000,
                                                  .read = 5,
                                                  .write = 6,
                                                  .pin = 2,
                                                  .refresh = 300,
                                                  .standby = 60,
                                                  .opened = 12};
   static const char *const sets[] = {"MEMORYCONTROLLER.V2MemoryType=gddr6",
                                      "MEMORYCONTROLLER.V2RefreshPerBank=TRUE"};
   for (unsigned i = 0; i < 2; i++) {
      make_with(&m, &t, NULL, sets, 1 + i);
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "Activate", NULL), 2 * 1000e3);
      assert_true(fj_of(&m, g, POWER_OFFCHIP, "Precharge", NULL) == 0);
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "Read", NULL), 32 * 8 * 5e3);
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "Write", NULL), 32 * 8 * 6e3);
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "Pins", NULL), 8 * 2e3);
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "Refresh", NULL), 2 * 300e3 * (i ? 1 : 8));
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "Standby", NULL), 2 * 60e-3 / 600e6 * 1e15);
      assert_near(fj_of(&m, g, POWER_OFFCHIP, "RowOpen", NULL), 2 * 12e-3 / 600e6 * 1e15);
   }
}

/* More rows, wider rows and more ports never cost less; and some plain facts. */
static void
test_larger_arrays_never_cost_less(void **state)
{
   struct power_table t;
   power_table_defaults(&t);
   for (unsigned n = 0; n < 2000; n++) {
      const struct power_array a = {1 + rnd(5000), 1 + rnd(600), 1 + rnd(6)};
      for (unsigned what = 0; what < 3; what++) {
         struct power_array b = a;
         b.rows += what == 0 ? 1 + rnd(3000) : 0;
         b.bits += what == 1 ? 1 + rnd(300) : 0;
         b.ports += what == 2 ? 1 + rnd(4) : 0;
         assert_true(power_array_read(&t, &b) >= power_array_read(&t, &a));
         assert_true(power_array_write(&t, &b) >= power_array_write(&t, &a));
      }
   }
   const struct power_array small = {64, 64, 1}, large = {4096, 64, 1}, ports = {64, 64, 4};
   assert_true(power_array_read(&t, &large) > 1.5 * power_array_read(&t, &small));
   assert_true(power_array_read(&t, &ports) > 1.2 * power_array_read(&t, &small));
   const double before = power_array_read(&t, &large);
   t.voltage /= 2;
   assert_near(power_array_read(&t, &large), before / 4);
}

/* --- Tables --- */

static void
refused(const char *text, const char *why)
{
   struct power_table t;
   char error[800] = "";
   power_table_defaults(&t);
   assert_false(power_table_read(&t, text, error, sizeof(error)));
   if (!strstr(error, why))
      fail_msg("\"%s\" does not say \"%s\"", error, why);
}

static void
test_tables_print_and_read_back(void **state)
{
   struct power_table t, again;
   char error[800], *text;
   size_t size;
   power_table_defaults(&t);
#define N(section, key, member, def, min, max, unit, doc) \
   assert_true((def) >= (min) && (def) <= (max) && t.member == (def));
   POWER_NUMBERS(N)
   POWER_CHIPS(N)
#undef N
   assert_true(power_table_set(&t, "LPDDR4.Read=0.5", error, sizeof(error)));
   assert_true(t.chip[SIM_MEMORY_lpddr4].read == 0.5);
   assert_true(power_table_set(&t, "LEAKAGE.Ratio=0.5", error, sizeof(error)));
   assert_true(power_table_set(&t, "CLOCK.GatingStyle=linear", error, sizeof(error)));
   assert_true(power_table_set(&t, "ENERGY.FloatAdd=2", error, sizeof(error)));
   assert_true(t.leakage == 0.5 && t.gating == POWER_GATING_LINEAR &&
               t.energy[POWER_OP_float_add].pj == 2);
   FILE *f = open_memstream(&text, &size);
   power_table_print(&t, f);
   fclose(f);
   power_table_defaults(&again);
   assert_true(power_table_read(&again, text, error, sizeof(error)));
   assert_memory_equal(&t, &again, sizeof(t));
   free(text);
   refused("[LEAKAGE]\nRatio = 2\n", "from 0 to 0.95");
   refused("[LEAKAGE]\nRatio = 0.1x\n", "expected a number");
   refused("[LEAKAGE]\nRatio = nan\n", "expected a number");
   refused("[PROCESS]\nNode = \n", "from 22 to 350 nm");
   refused("[PROCESS]\nNodes = 90\n", "PROCESS.Nodes is not a key");
   refused("[CLOCK]\nGatingStyle = some\n", "none, all_or_nothing, linear, linear_idle");
   refused("[ENERGY]\nFloatAdd = 1\n", "uncertainty");
   refused("[ENERGY]\nFloatAdd = 1 30 Horowitz\n", "\"source\"");
   refused("[ENERGY]\nFloatAdd = -1 30 \"x\"\n", "picojoules (0 to 1e6)");
   assert_false(power_table_set(&t, "Ratio=1", error, sizeof(error)));
   assert_non_null(strstr(error, "SECTION.Key=value"));
   assert_false(power_table_load(&t, "/dev/null/x.ini", error, sizeof(error)));
   assert_non_null(strstr(error, "/dev/null/x.ini: cannot read it"));
}

/* --- Sums --- */

static void
record(const struct scene *c, const char *machine, const char *dir)
{
   const struct attila_sim_options o = {.mode = ATTILA_MODE_CYCLE,
                                        .record = "sqlite,boxes",
                                        .interval = 997,
                                        .power = "builtin",
                                        .out_dir = dir};
   struct attila_sim *sim = machine_create(o, 16, machine);
   const uint32_t end_frame = ATTILA_CMD_HEADER(ATTILA_CMD_END_FRAME, 0);
   assert_true(attila_sim_submit(sim, c->s.words, c->s.num));
   assert_true(attila_sim_submit(sim, &end_frame, 1));
   attila_session_finish(sim);
   assert_true(attila_sim_submit(sim, &end_frame, 1));
   attila_session_finish(sim);
   attila_sim_destroy(sim);
}

/* Rows in which two sources of energy by frame and unit differ. */
static int64_t
differences(sqlite3 *db, const char *parts)
{
   static const char sums[] = "sum(dynamic_fj), sum(clock_fj), sum(leakage_fj), sum(offchip_fj), "
                              "sum(total_fj)";
   char query[1200];
   snprintf(query, sizeof(query),
            "SELECT count(*) FROM (SELECT frame, unit, %s FROM frame_energy GROUP BY 1, 2 EXCEPT "
            "SELECT frame, unit, %s FROM %s GROUP BY 1, 2)",
            sums, sums, parts);
   return record_number(db, query);
}

#define TERM_OF_TAIL \
   "t.state = v.state AND t.counter = v.counter AND (v.counter = -1 OR t.instance = v.instance)"

/* After the last frame nothing is in flight, but time goes on for some cycles: intervals have
 * these, too, and nothing else that frames do not have. */
static void
check_intervals(sqlite3 *db, bool states)
{
   char tail[1600];
   snprintf(tail, sizeof(tail),
            "CREATE TEMP TABLE tail AS SELECT state, counter, instance, sum(value) AS value FROM "
            "(SELECT 0 AS state, counter, -1 AS instance, value FROM interval_values UNION ALL "
            "SELECT 0, counter, -1, -value FROM frame_values UNION ALL SELECT 0, -1, -1, cycles "
            "FROM intervals UNION ALL SELECT 0, -1, -1, -cycles FROM frames%s) GROUP BY state, "
            "counter, instance HAVING sum(value) != 0",
            states
                ? " UNION ALL SELECT state, counter, instance, value FROM interval_states "
                  "UNION ALL SELECT 0, counter, -1, -value FROM interval_states WHERE instance < 0 "
                  "UNION ALL SELECT state, counter, instance, -value FROM frame_states "
                  "UNION ALL SELECT 0, counter, -1, value FROM frame_states WHERE instance < 0"
                : "");
   assert_int_equal(sqlite3_exec(db, tail, NULL, NULL, NULL), SQLITE_OK);
   assert_int_equal(
       record_number(db, "SELECT count(*) FROM tail v JOIN power_terms t ON " TERM_OF_TAIL
                         " JOIN counters c ON c.counter = v.counter WHERE statistic NOT IN "
                         "('CyclesIdle', 'AllBanksPrechargedCycles') OR value < 0"),
       0);
   assert_int_equal(
       record_number(
           db, "SELECT (SELECT sum(total_fj) FROM interval_energy) - (SELECT sum(total_fj) FROM "
               "frame_energy)"),
       record_number(
           db, "SELECT ifnull(sum(value * fj * CASE v.counter WHEN -1 THEN boxes ELSE 1 END), 0) "
               "FROM tail v JOIN power_terms t ON " TERM_OF_TAIL));
}

/* Rows that counted something in several states; runs in which the voltage changed: all of those
 * that are always run. Of more, those whose queues a policy does not find full or empty have none.
 */
static int64_t divided, changed;

/* What rows had in a state is what their frame had in it: counters of units and of boxes, and time;
 * and no row has more in states than it has. */
static void
check_states(sqlite3 *db)
{
   changed += record_number(db, "SELECT count(*) > 0 FROM work_states");
   divided +=
       record_number(db, "SELECT count(*) FROM (SELECT work FROM work_states WHERE counter >= 0 "
                         "GROUP BY work HAVING count(DISTINCT state) > 1)");
   assert_int_equal(
       record_number(db,
                     "SELECT count(*) FROM (SELECT frame, state, counter, instance, value FROM "
                     "frame_states EXCEPT SELECT frame, state, counter, instance, sum(value) FROM "
                     "work_states JOIN work USING (work) GROUP BY 1, 2, 3, 4)"),
       0);
   assert_int_equal(
       record_number(
           db, "SELECT count(*) FROM (SELECT frame, state, counter, instance, sum(value) FROM "
               "work_states JOIN work USING (work) GROUP BY 1, 2, 3, 4 EXCEPT SELECT frame, "
               "state, counter, instance, value FROM frame_states)"),
       0);
   assert_int_equal(
       record_number(
           db, "SELECT count(*) FROM (SELECT work, counter, sum(value) AS part FROM work_states "
               "WHERE instance < 0 GROUP BY 1, 2) s JOIN work w USING (work) LEFT JOIN "
               "work_values n USING (work, counter) WHERE part > CASE counter WHEN -1 THEN "
               "w.exclusive_cycles ELSE n.value END"),
       0);
}

static void
check_sums(const char *machine, uint32_t scene, bool states)
{
   struct scene c;
   char dir[] = "/tmp/attila-test-XXXXXX", path[100];
   static const char *const files[] = {"run.sqlite", "frames.csv", "draws.csv", "counters.csv"};
   sqlite3 *db;
   assert_non_null(mkdtemp(dir));
   make_scene(&c, scene);
   record(&c, machine, dir);
   free(c.s.words);
   db = record_open(dir);
   assert_true(record_number(db, "SELECT sum(total_fj) FROM frame_energy") > 0);
   assert_int_equal(differences(db, "work_energy JOIN work USING (work)"), 0);
   assert_int_equal(differences(db, "frame_box_energy e JOIN boxes b ON b.name = e.box"), 0);
   assert_int_equal(record_number(db, "SELECT count(*) FROM work_energy WHERE total_fj < 0"), 0);
   check_intervals(db, states);
   if (states)
      check_states(db);
   sqlite3_close(db);
   for (unsigned i = 0; i < 4; i++) {
      snprintf(path, sizeof(path), "%s/%s", dir, files[i]);
      unlink(path);
   }
   assert_int_equal(rmdir(dir), 0);
}

static void
test_energy_of_rows_adds_up(void **state)
{
   static char machine[65536];
   const uint32_t scenes = sample_number("ATTILA_TEST_SCENES", 4);
   for (uint32_t i = 0; i < scenes; i++) {
      check_sums(machines[i % NUM_MACHINES], 3000 + i, false);
      random_config(500 + i, "", machine, sizeof(machine));
      check_sums(machine, 4000 + i, false);
   }
}

/* The same when voltages change, often in the middle of rows. Machines with other clocks have
 * cycles that are not ticks. */
static void
test_sums_of_states(void **state)
{
   static const char *const policies[] = {
       "DVFS.Policy=WATERMARK;DVFS.HoldCycles=200;DVFS.SampleCycles=20;DVFS.TransitionTime=10;"
       "DVFS.MinFrequency=20;DVFS.MinVoltage=30;DVFS.HighMark=90;DVFS.LowMark=10;DVFS.RestoreBelow="
       "75;DVFS.RestoreAbove=25",
       "DVFS.Policy=WATERMARK;DVFS.HoldCycles=100;DVFS.SampleCycles=10;DVFS.TransitionTime=5;DVFS."
       "HighMark=90;DVFS.LowMark=10;DVFS.RestoreBelow=75;DVFS.RestoreAbove=25;DVFS.Step=35;DVFS."
       "RopDomain=memory;DVFS.RasterDomain=geometry;DVFS.Queue=interp_ffu",
       "DVFS.Policy=RACE_TO_IDLE;DVFS.FrameRate=5000;DVFS.Scaled=geometry,fragment,memory",
       "DVFS.Policy=FIXED;DVFS.Frequencies=geometry 70,memory 90",
   };
   static char machine[65536];
   const uint32_t scenes = sample_number("ATTILA_TEST_SCENES", 4);
   for (uint32_t run = 0; run <= 2 * scenes; run++) {
      /* In the last one commands were counted in the tick in which the last interval had ended. */
      const uint32_t i = run < 2 * scenes ? run : 51;
      if (i % 2)
         random_config(700 + i, "", machine, sizeof(machine));
      else
         sprintf(machine, "%s", machines[i / 2 % NUM_MACHINES]);
      const size_t length = strlen(machine);
      const char *policy = policies[i / 2 % 4];
      assert_true(length + strlen(policy) + 2 < sizeof(machine));
      sprintf(machine + length, "%s%s", length ? ";" : "", policy);
      check_sums(machine, 5000 + i, true);
   }
   assert_true(divided >= 10);
   if (getenv("ATTILA_TEST_SCENES"))
      assert_true(changed * 10 >= scenes * 2 * 9);
   else
      assert_int_equal(changed, scenes * 2 + 1);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_half_the_voltage_is_a_quarter_of_the_energy),
       cmocka_unit_test(test_gating_decides_what_idle_cycles_cost),
       cmocka_unit_test(test_leakage_has_the_tables_ratio),
       cmocka_unit_test(test_dram_energy_follows_the_datasheet),
       cmocka_unit_test(test_other_memories_cost_their_energies),
       cmocka_unit_test(test_larger_arrays_never_cost_less),
       cmocka_unit_test(test_tables_print_and_read_back),
       cmocka_unit_test(test_energy_of_rows_adds_up),
       cmocka_unit_test(test_sums_of_states),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
