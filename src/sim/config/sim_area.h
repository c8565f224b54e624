/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The area of a machine, unit by unit, from its configuration. It says how machines compare, not
 * how large a chip would be to a square millimetre: docs/explanation/area.md. Not here: the units
 * (sim_area_units.h).
 */
#ifndef SIM_AREA_H
#define SIM_AREA_H

#include "config/sim_area_units.h"
#include "config/sim_config.h"

/* A process: transistors of a chip made in it by its area, which is published. */
struct sim_area_process {
   unsigned nm;
   double mtransistors, mm2; /* of that chip */
   const char *chip;
};

struct sim_area_unit {
   const char *name, *what, *source;
   double units;
   double mtransistors; /* millions, of one, memory included */
   double kbits;        /* 1000 bits of memory, of one */
   double mm2;          /* of one */
};

enum {
#define U(name, what, units, logic, bits, pads, source) SIM_AREA_##name,
   SIM_AREA_UNITS(U)
#undef U
       SIM_NUM_AREA_UNITS
};

struct sim_area {
   struct sim_area_unit unit[SIM_NUM_AREA_UNITS];
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
