/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes the terms of a machine: energies of events from operations and arrays, of DRAM commands
 * from currents or energies in datasheets, of clocks and gating from the units' peaks, of leakage
 * as a ratio of these (formulas: docs/explanation/power.md). Not here: the table (power_table.c),
 * arrays (power_array.c). */
#include "power/power_model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "config/sim_config.h"
#include "config/sim_shader_machine.h"
#include "power/power_array.h"

#define PICO 1e-12
#define FEMTO 1e-15

static const char *const unit_names[] = {
#define U(class) SIM_UNIT_NAME(class),
    SIM_EACH_UNIT
#undef U
};
static const char *const kind_names[] = {
#define K(NAME, name) #name,
    POWER_KINDS(K)
#undef K
};

const char *
power_unit_name(enum power_unit unit)
{
   return unit_names[unit];
}

const char *
power_kind_name(enum power_kind kind)
{
   return kind_names[kind];
}

enum power_unit
power_unit_find(const char *class)
{
   unsigned u = 0;
   while (u < POWER_NUM_UNITS && strcmp(class, unit_names[u]))
      u++;
   return (enum power_unit)u;
}

/* --- Leakage --- */

/* Returns e^x, from the series at x / 2^n squared n times: the same on every host. */
static double
power_model_exponential(double x)
{
   unsigned n = 0;
   double term = 1, sum = 1;
   for (; fabs(x) > 0.125; x /= 2)
      n++;
   for (unsigned i = 1; i < 16; i++) {
      term *= x / i;
      sum += term;
   }
   while (n--)
      sum *= sum;
   return sum;
}

/* Subthreshold current of a transistor that is off (Butts and Sohi, MICRO 2000): vT^2 *
 * e^(-threshold / (swing * vT)), with vT = kT/q; the threshold falls with supply and heat. */
static double
power_model_off_current(const struct power_table *t, double voltage, double kelvin)
{
   const double thermal = 8.617333e-5 * kelvin;
   const double threshold = t->threshold - t->dibl * (voltage - t->nominal) -
                            t->threshold_slope * (kelvin - 273.15 - t->leakage_temperature);
   return thermal * thermal * power_model_exponential(-threshold / (t->swing * thermal));
}

double
power_leakage_factor(const struct power_table *t, double voltage, double temperature)
{
   return voltage * power_model_off_current(t, voltage, temperature + 273.15) /
          (t->nominal * power_model_off_current(t, t->nominal, t->leakage_temperature + 273.15));
}

/* --- Events --- */

/* What the energy of shaders depends on. */
struct shaders {
   double width;     /* lanes that execute an instruction in a cycle */
   double lanes;     /* lanes of a group */
   double registers; /* registers of all groups together */
   double ways;      /* instructions fetched together */
   double scalars;   /* scalar ALUs per lane */
};

static void
power_model_find_shaders(struct shaders *s, const struct sim_config *c,
                         const struct sim_shader_machine *m)
{
   s->lanes = m->lanes;
   s->width = (double)m->lanes / (m->vector ? m->vector : 1);
   s->registers = (double)m->registers * m->register_lanes;
   s->ways = m->ways;
   s->scalars = m->alu == SIM_ALU_SIMD_SCALAR || c->shader.scalar_alu ? 1 : 0.25;
}

#define rop_cache_bytes(rop) \
   ((double)(rop)->cache_sets * (rop)->cache_ways * (rop)->line_stamps * 4 * (rop)->pixel_bytes)

struct event {
   enum power_unit unit;
   const char *statistic, *key, *doc;
   double rate, joules; /* most events per box and cycle; joules at the table's voltage */
};
#define IGNORE(...)
enum {
#define E(...) +1
#define U(class) SIM_ENERGY_##class(IGNORE, E, IGNORE, IGNORE)
   NUM_EVENTS = 0 SIM_EACH_UNIT
#undef U
#undef E
};

struct maker {
   struct power_model *m;
   const struct power_machine *machine;
   const struct sim_config *c;
   const struct power_table *t;
   struct event event[NUM_EVENTS];
   unsigned num_events;
   double peak[POWER_NUM_UNITS]; /* joules per box and cycle, at the table's voltage */
};

/* Returns the square of a unit's voltage relative to that of the table (energy is C V^2). */
static double
power_model_square_of(const struct maker *k, enum power_unit unit)
{
   const double v = k->machine->permille ? k->machine->permille[unit] : POWER_NOMINAL;
   return v * v / (POWER_NOMINAL * POWER_NOMINAL);
}

static void
power_model_put(struct maker *k, enum power_unit unit, enum power_kind kind, const char *statistic,
                const char *key, double joules, const char *doc)
{
   const int64_t fj = llround(joules / FEMTO);
   if (fj && k->m->num_terms < POWER_MAX_TERMS && k->machine->mhz[unit] > 0)
      k->m->term[k->m->num_terms++] = (struct power_term){unit, kind, statistic, key, doc, fj};
}

/* Returns the energy of an operation, scaled by the feature size (the capacitance of a gate of
 * equal shape) and the square of the voltage. */
static double
power_model_operation(const struct power_table *t, enum power_op op, double overhead)
{
   const double volts = t->voltage / t->energy_voltage;
   return t->energy[op].pj * PICO * t->node / t->energy_node * volts * volts * overhead;
}

static double
power_model_wires(const struct power_table *t, double bits)
{
   return bits * t->wire_activity * t->wire_cap * FEMTO * t->crossbar_length * 1000 * t->voltage *
          t->voltage;
}

static void
power_model_add_event(struct maker *k, const struct event *e)
{
   k->event[k->num_events++] = *e;
   k->peak[e->unit] += e->rate * e->joules;
}

/* Energy of an array access. */
struct access {
   double read, write;
};

static struct access
power_model_access_to(const struct power_table *t, double rows, double bits, double ports)
{
   const struct power_array array = {rows, bits, ports};
   return (struct access){power_array_read(t, &array), power_array_write(t, &array)};
}

#define OP(x) power_model_operation(t, POWER_OP_##x, t->overhead)
#define SHADER(x) power_model_operation(t, POWER_OP_##x, t->shader_overhead)
#define READ(x) access_##x.read
#define WRITE(x) access_##x.write
#define WIRES(n) power_model_wires(t, n)
#define POWER_FMA (OP(float_multiply) + OP(float_add))
#define POWER_BYTE_MADD (OP(byte_multiply) + OP(byte_add))

/* Finds every event's cost at the table's voltage. */
static void
power_model_find_events(struct maker *k, const struct shaders *machine)
{
   const struct sim_config *c = k->c;
   const struct power_table *t = k->t;
   const struct shaders s = *machine;
#define A(NAME, rows, bits, ports) \
   const struct access access_##NAME = power_model_access_to(t, rows, bits, ports);
#define E(stat, key, rate, energy, doc) \
   power_model_add_event(k, &(struct event){unit, stat, #key, doc, rate, energy});
#define U(class)                                                               \
   {                                                                           \
      const enum power_unit unit __attribute__((unused)) = POWER_UNIT_##class; \
      SIM_ENERGY_##class(A, E, IGNORE, IGNORE)                                 \
   }
   SIM_EACH_UNIT
#undef U
#undef E
#undef A
}

static void
power_model_put_events(struct maker *k)
{
   for (unsigned i = 0; i < k->num_events; i++) {
      const struct event *e = &k->event[i];
      power_model_put(k, e->unit, POWER_DYNAMIC, e->statistic, e->key,
                      e->joules * power_model_square_of(k, e->unit), e->doc);
   }
}

/* --- Clocks, leakage --- */

static const char *const did[] = {"CyclesBusy", "CyclesBlocked", "CyclesStarved", "CyclesIdle"};

/* Adds the terms of the cycles of a box: clocks, and what gating does not save. */
static void
power_model_put_cycles(struct maker *k, enum power_unit u)
{
   const struct power_table *t = k->t;
   const double peak = k->peak[u] * power_model_square_of(k, u);
   for (unsigned a = 0; a < 4; a++) {
      const bool busy = a == 0;
      const double idle = t->gating == POWER_GATING_IDLE ? t->idle_share : 0;
      const bool on = t->gating == POWER_GATING_NONE || busy;
      const double local = on ? t->local_ratio : t->local_ratio * idle;
      double burnt = busy ? 0 : idle;
      if (t->gating == POWER_GATING_NONE || t->gating == POWER_GATING_ALL)
         burnt = on;
      power_model_put(k, u, POWER_DYNAMIC, did[a], "Ungated", burnt * peak,
                      "a cycle of what is not gated");
      power_model_put(k, u, POWER_CLOCK, did[a], "Clock", (t->tree_ratio + local) * peak,
                      "a cycle of the clock tree and the unit's latches");
   }
}

static void
power_model_put_leakage(struct maker *k, enum power_unit u)
{
   const struct power_table *t = k->t;
   const double permille = k->machine->permille ? k->machine->permille[u] : POWER_NOMINAL;
   const double square = t->nominal * t->nominal / (t->voltage * t->voltage);
   const double cycles = k->machine->mhz[u] / k->c->gpu.gpu_clock;
   power_model_put(
       k, u, POWER_LEAKAGE, NULL, "Leakage",
       t->leakage * k->peak[u] * square * cycles *
           power_leakage_factor(t, t->voltage * permille / POWER_NOMINAL, t->temperature),
       "a cycle of the GPU clock, whatever happens in it");
}

/* --- DRAM --- */

/* Joules of all chips of a channel (Micron, TN-41-01: differences of currents times voltage). */
struct dram {
   double activate, precharge, read_byte, write_byte, refresh, pin_byte;
   double row_open; /* per memory clock cycle */
   double standby;  /* per GPU clock cycle at nominal frequency */
   double burst;    /* bytes per command */
   double bus_byte; /* energy of a byte on the pins to system memory and display */
};

/* GDDR3, from currents. */
static void
power_model_find_gddr3(struct dram *d, const struct sim_config *c, const struct power_table *t)
{
   const double milliwatt = t->dram_voltage * 1e-3, ns = 1e-9;
   const double pins = c->mc.burst_bytes * 8 / 2.0; /* two transfers per cycle */
   const double chips = pins / t->dram_width;
   const double cycle = 1e-6 / c->gpu.memory_clock;
   const double test_bytes = t->dram_width / 8 * 2 * t->dram_clock * 1e6; /* per second */
   const double row =
       (t->idd0 * t->dram_trc - t->idd3n * t->dram_tras - t->idd2n * (t->dram_trc - t->dram_tras)) *
       milliwatt * ns * chips;
   const double opened = t->dram_trc > t->dram_tras ? t->dram_tras / t->dram_trc : 1;
   d->activate = (row > 0 ? row : 0) * opened;
   d->precharge = (row > 0 ? row : 0) - d->activate;
   d->read_byte = fmax(0, t->idd4r - t->idd3n) * milliwatt / test_bytes;
   d->write_byte = fmax(0, t->idd4w - t->idd3n) * milliwatt / test_bytes;
   d->refresh = fmax(0, t->idd5 - t->idd2n) * milliwatt * t->dram_trfc * ns * chips /
                (c->mc.refresh_bank ? c->mc.banks : 1);
   d->pin_byte = 8 * t->pin_energy * PICO;
   d->standby =
       t->idd2n * milliwatt * chips * cycle * ((double)c->gpu.memory_clock / c->gpu.gpu_clock);
   d->row_open = fmax(0, t->idd3n - t->idd2n) * milliwatt * chips * cycle;
}

/* The other types, from energies. The energy of an activate includes its precharge. */
static void
power_model_find_chip(struct dram *d, const struct sim_config *c, const struct power_chip *p)
{
   const double wide = c->mc.burst_bytes / p->bytes,
                second = 1e-6 / c->gpu.memory_clock; /* seconds of a cycle */
   *d = (struct dram){.activate = p->activate * PICO * wide,
                      .read_byte = 8 * p->read * PICO,
                      .write_byte = 8 * p->write * PICO,
                      .pin_byte = 8 * p->pin * PICO,
                      .refresh = p->refresh * PICO * wide * (c->mc.refresh_bank ? 1 : c->mc.banks),
                      .row_open = p->opened * 1e-3 * wide * second,
                      .standby = p->standby * 1e-3 * wide * 1e-6 / c->gpu.gpu_clock};
}

static void
power_model_find_dram(struct dram *d, const struct sim_config *c, const struct power_table *t)
{
   const int type = sim_memory_type(c);
   if (type <= SIM_MEMORY_gddr3)
      power_model_find_gddr3(d, c, t);
   else
      power_model_find_chip(d, c, &t->chip[type]);
   d->burst = c->mc.burst_length * 4;
   d->bus_byte = 8 * t->bus_energy * PICO;
}

static void
power_model_put_dram(struct maker *k)
{
   struct dram d;
   power_model_find_dram(&d, k->c, k->t);
#define D(stat, key, energy, doc) power_model_put(k, unit, POWER_OFFCHIP, stat, #key, energy, doc);
#define U(class)                                                               \
   {                                                                           \
      const enum power_unit unit __attribute__((unused)) = POWER_UNIT_##class; \
      SIM_ENERGY_##class(IGNORE, IGNORE, D, IGNORE)                            \
   }
   SIM_EACH_UNIT
#undef U
#undef D
}

/* Adds empty terms for units that declare no energy, so that outputs name them. */
static void
power_model_put_undeclared(struct maker *k)
{
#define ONE(...) +1
#define U(class) 0 SIM_ENERGY_##class(ONE, ONE, ONE, ONE),
   static const unsigned declared[] = {SIM_EACH_UNIT};
#undef U
#undef ONE
   for (unsigned u = 0; u < POWER_NUM_UNITS; u++) {
      if (!declared[u] && k->machine->mhz[u] > 0 && k->m->num_terms < POWER_MAX_TERMS)
         k->m->term[k->m->num_terms++] =
             (struct power_term){(enum power_unit)u,
                                 POWER_DYNAMIC,
                                 NULL,
                                 POWER_UNDECLARED,
                                 "the unit's sheet declares no energy events",
                                 0};
   }
}

/* --- All of it --- */

bool
power_model_make(struct power_model *m, const struct power_machine *machine,
                 const struct power_table *t, char *error, size_t error_size)
{
   struct sim_shader_machine shaders;
   struct shaders s;
   struct maker k = {.m = m, .machine = machine, .c = machine->config, .t = t};
   memset(m, 0, sizeof(*m));
   if (!sim_shader_machine_init(&shaders, machine->config, false, error, error_size))
      return false;
   power_model_find_shaders(&s, machine->config, &shaders);
   power_model_find_events(&k, &s);
   if (t->gating == POWER_GATING_LINEAR || t->gating == POWER_GATING_IDLE)
      power_model_put_events(&k);
   for (unsigned u = 0; u < POWER_NUM_UNITS; u++) {
      power_model_put_cycles(&k, (enum power_unit)u);
      power_model_put_leakage(&k, (enum power_unit)u);
      m->peak[u] = k.peak[u] * power_model_square_of(&k, (enum power_unit)u);
   }
   power_model_put_dram(&k);
   power_model_put_undeclared(&k);
   return true;
}
