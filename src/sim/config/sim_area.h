/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The area of a machine, unit by unit, from its configuration. It says how machines compare, not
 * how large a chip would be to a square millimetre: docs/explanation/area.md. Not here: what units
 * are made of (their sheets, units/).
 */
#ifndef SIM_AREA_H
#define SIM_AREA_H

#include "config/sim_config.h"

/* A process: transistors of a chip made in it by its area, which is published. */
struct sim_area_process {
   unsigned nm;
   double mtransistors, mm2; /* of that chip */
   const char *chip;
};

#define SIM_AREA_UNDECLARED "no area declared" /* source of a unit whose sheet has none */

struct sim_area_unit {
   const char *name, *what, *source;
   double units;
   double mtransistors; /* millions, of one, memory included */
   double kbits;        /* 1000 bits of memory, of one */
   double mm2;          /* of one */
};

/* A line for each that a sheet declares, and one for each sheet without. */
enum {
#define ROW(...) +1
#define IN(...)
#define U(class) SIM_AREA_##class(ROW, IN) + 1
   SIM_MAX_AREA_UNITS = 0 SIM_EACH_UNIT
#undef U
#undef IN
#undef ROW
};

struct sim_area {
   unsigned num;
   struct sim_area_unit unit[SIM_MAX_AREA_UNITS];
   double mtransistors, mm2; /* sums over units times their number */
};

#define SIM_AREA_DEFAULT_NM 130 /* the process of the chip that MICRO 2005 estimates from */

extern const struct sim_area_process sim_area_processes[];
extern const unsigned sim_num_area_processes;

/* NULL if there is none of that size. */
const struct sim_area_process *sim_area_process(unsigned nm);
/* The configuration is valid (sim_config_check). */
void sim_area_of(struct sim_area *area, const struct sim_config *config,
                 const struct sim_area_process *process);

#endif
