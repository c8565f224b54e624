/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Costs of the events of a machine, from the table and the configuration. A term says what is
 * counted and what a count of 1 costs in femtojoules. Energy is the sum of counts times costs, as
 * exact as the counts: boxes, rows and intervals add up to frames to the femtojoule. Not here:
 * events (SIM_ENERGY_name in the units' sheets, units/), counts (power_record.c reads them from a
 * record). */
#ifndef POWER_MODEL_H
#define POWER_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "power/power_table.h"
#include "units/units.h"

struct sim_config;

enum power_unit {
#define U(class) POWER_UNIT_##class,
   SIM_EACH_UNIT
#undef U
       POWER_NUM_UNITS
};

/* Purposes of energy. Off chip: memory chips and pins, at their own voltage. */
/* clang-format off */
#define POWER_KINDS(K) K(DYNAMIC, dynamic) K(CLOCK, clock) K(LEAKAGE, leakage) K(OFFCHIP, offchip)
/* clang-format on */
enum power_kind {
#define K(NAME, name) POWER_##NAME,
   POWER_KINDS(K)
#undef K
       POWER_NUM_KINDS
};

struct power_term {
   enum power_unit unit;
   enum power_kind kind;
   /* What is counted; NULL: time, in GPU clock cycles at nominal frequency, for each box of the
    * unit. */
   const char *statistic;
   const char *key, *doc;
   int64_t fj;
};

/* The key of the only term of a unit that declares no energy. */
#define POWER_UNDECLARED "Undeclared"
#define POWER_MAX_TERMS 512
#define POWER_NOMINAL 1000 /* per mille of the table's Voltage */

struct power_model {
   unsigned num_terms;
   struct power_term term[POWER_MAX_TERMS];
   /* The most joules that the events of a box of each unit can cost in a clock cycle. */
   double peak[POWER_NUM_UNITS];
};

/* A machine: its configuration, and what does not follow from that alone. */
struct power_machine {
   const struct sim_config *config;
   double mhz[POWER_NUM_UNITS]; /* clock of its boxes; 0: there are none */
   /* Units' voltages in per mille of the table's (with DVFS); NULL: all POWER_NOMINAL. */
   const uint16_t *permille;
};

/* Makes the terms of a machine. Returns false with a message if it cannot be described. */
bool power_model_make(struct power_model *m, const struct power_machine *machine,
                      const struct power_table *t, char *error, size_t error_size);
/* Returns the unit of a class of boxes, or POWER_NUM_UNITS if the class is unknown. */
enum power_unit power_unit_find(const char *class);
const char *power_unit_name(enum power_unit unit);
const char *power_kind_name(enum power_kind kind);

/* Returns leakage power at a voltage and temperature (C) relative to NominalVoltage and
 * ReferenceTemperature. */
double power_leakage_factor(const struct power_table *t, double voltage, double temperature);

#endif
