/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A machine's area, unit by unit, from its configuration: to compare machines, not to the square
 * millimetre (docs/explanation/area.md). Not here: units' contents (their sheets, units/). */
#ifndef SIM_AREA_H
#define SIM_AREA_H

#include "config/sim_config.h"

/* A process, with a chip's published transistors and area. */
struct sim_area_process {
   unsigned nm;
   double mtransistors, mm2; /* the chip's */
   const char *chip;
};

#define SIM_AREA_UNDECLARED "no area declared" /* source of units whose sheet has none */

struct sim_area_unit {
   const char *name, *what, *source;
   double units;
   double mtransistors; /* millions, per unit, memory included */
   double kbits;        /* 1000 bits of memory, per unit */
   double mm2;          /* per unit */
};

/* A line for each area in a sheet, and for each sheet without. */
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
   double mtransistors, mm2; /* sums over all units */
};

/* Where the area of a unit is: in the first block that its sheet names. */
struct sim_area_place {
   const char *unit;     /* of its columns, with a # for each number */
   const char *block[4]; /* sim_area_unit.name; NULL: the sheet has no area */
};
extern const struct sim_area_place sim_area_places[];
extern const unsigned sim_num_area_places;

#define SIM_AREA_DEFAULT_NM 130 /* process of the chip behind MICRO 2005's estimate */

extern const struct sim_area_process sim_area_processes[];
extern const unsigned sim_num_area_processes;

/* Returns NULL if there is none of that size. */
const struct sim_area_process *sim_area_process(unsigned nm);
/* config is valid (sim_config_check). */
void sim_area_of(struct sim_area *area, const struct sim_config *config,
                 const struct sim_area_process *process);

#endif
