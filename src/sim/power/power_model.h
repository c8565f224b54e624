/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a machine's events cost: table and configuration become terms, a count and its femtojoules
 * each. Energy is the sum of all counts times their terms, so it is exact where counts are: boxes,
 * rows and intervals add up to frames to the femtojoule. Not here: the events
 * (SIM_ENERGY_name in the sheet of each unit, units/) and where counts come from (power_record.c
 * reads them from a record).
 */
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

/* What energy is for. Off chip: memory chips and pins, at their own voltage. */
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
   /* What is counted; NULL: time of the whole machine, in cycles of the GPU clock at its nominal
    * frequency, for each box of the unit. */
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
   /* Of a box of each unit, in joules: the most its events can cost in a cycle of its clock. */
   double peak[POWER_NUM_UNITS];
};

/* A machine, as far as configurations alone do not tell. */
struct power_machine {
   const struct sim_config *config;
   double mhz[POWER_NUM_UNITS]; /* clock of its boxes; 0: the machine has no such box */
   /* Voltage of each unit in per mille of the table's (a domain whose voltage changes during a
    * run); NULL: all at POWER_NOMINAL. */
   const uint16_t *permille;
};

/* False with a message when the machine cannot be described. */
bool power_model_make(struct power_model *m, const struct power_machine *machine,
                      const struct power_table *t, char *error, size_t error_size);
/* POWER_NUM_UNITS: there is no such class. */
enum power_unit power_unit_find(const char *class);
const char *power_unit_name(enum power_unit unit);
const char *power_kind_name(enum power_kind kind);

/* Leakage power at a voltage and temperature (C) over that at NominalVoltage and
 * ReferenceTemperature. */
double power_leakage_factor(const struct power_table *t, double voltage, double temperature);

#endif
