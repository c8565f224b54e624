/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The units that limited the speed of work, the worst first (method: sim_limiter.c). */
#ifndef SIM_LIMITER_H
#define SIM_LIMITER_H

#include "core/sim_box.h"
#include "units/units.h"

struct measure_columns;
struct sim_config;

#define SIM_NUM_LIMITS 3

struct sim_limit {
   const char *unit; /* a sheet's constant (SIM_LIMITER_name, units/); NULL: none */
   double share;     /* of the cycles, 0 to 1 */
};
struct sim_limits {
   struct sim_limit limit[SIM_NUM_LIMITS]; /* by share, highest first */
};

/* The units of the netlist. */
enum sim_limiter_class {
#define U(class) SIM_LIMITER_OF_##class,
   SIM_EACH_UNIT
#undef U
       SIM_LIMITER_CLASSES,
   SIM_LIMITER_OF_NONE = SIM_LIMITER_CLASSES
};

#define SIM_LIMITER_TERMS 8
enum {
#define ONE(...) +1
#define NOT(...)
#define U(class) SIM_LIMITER_##class(ONE, NOT, ONE, ONE)
   SIM_NUM_LIMITERS = 0 SIM_EACH_UNIT
#undef U
#undef NOT
#undef ONE
};

/* Where the statistics of units are; filled by sim_limiter_init. */
struct sim_limiter {
   /* The boxes of a class; num 0: this machine has none, or the limiter ignores them. */
   struct sim_limiter_boxes {
      unsigned num;
      unsigned first[SIM_MAX_BOXES]; /* column of a box's first statistic */
      unsigned busy, blocked;        /* offsets from first */
      enum sim_domain domain;
   } boxes[SIM_LIMITER_CLASSES];
   /* In the order of the pipeline, from its end. */
   struct sim_limiter_unit {
      const struct sim_limiter_rule *rule;
      enum sim_limiter_class class;
      enum sim_limiter_class next; /* the unit that takes its results */
      /* The terms of its work: a statistic, as an offset from boxes.first, and the cycles that a
       * count of 1 takes at best. */
      unsigned num_terms;
      struct sim_limiter_term {
         unsigned stat;
         double cycles;
      } term[SIM_LIMITER_TERMS];
   } unit[SIM_NUM_LIMITERS];
   unsigned num_units;
};

void sim_limiter_init(struct sim_limiter *l, const struct measure_columns *columns,
                      const struct sim_kernel *k, const struct sim_config *config);
/* Finds the terms of the work of a class of boxes (its name), at most SIM_LIMITER_TERMS. Their
 * highest product with the boxes' counts is the time that the work takes at its best rate. Returns
 * how many there are; 0: the work has no measure. */
unsigned sim_limiter_terms(const struct sim_limiter *l, const char *class,
                           struct sim_limiter_term term[SIM_LIMITER_TERMS]);
/* values: by column; cycles: elapsed, by domain. */
struct sim_limits sim_limiter_find(const struct sim_limiter *l, const uint64_t *values,
                                   const uint64_t cycles[SIM_NUM_DOMAINS]);

#endif
