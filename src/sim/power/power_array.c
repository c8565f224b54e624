/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Energy of an array access. Designers fold arrays (several rows lie side by side, and one is
 * chosen behind the bit lines) and divide them into banks, of which one is active. As in CACTI the
 * division with the least energy is taken. Each term grows with rows, bits and ports, and the same
 * divisions are always tried, so the minimum grows, too. */
#include "power/power_array.h"

#include <math.h>
#include <stdbool.h>
#include "power/power_table.h"

#define FEMTO 1e-15
/* Height of a bank's sense amplifiers, precharge and drivers, in cells. */
#define BANK_OVERHEAD 16
#define MAX_FOLD 8
#define MAX_BANKS 256
/* Width of a decoding gate, in feature sizes; rows that share a gate. */
#define DECODER_WIDTH 8
#define DECODER_GROUP 8

struct layout {
   double width, height;     /* of a cell, um */
   double wire, gate, drain; /* fF: per um of wire; of a pass transistor */
   double square;            /* the voltage squared */
};

static void
power_array_measure(struct layout *l, const struct power_table *t, double ports)
{
   const double feature = t->node * 1e-3;
   l->width = (t->cell_width + (ports - 1) * t->port_pitch) * feature;
   l->height = (t->cell_height + (ports - 1) * t->port_pitch) * feature;
   l->wire = t->wire_cap;
   l->gate = t->gate_cap * t->pass_width * feature;
   l->drain = t->drain_cap * t->pass_width * feature;
   l->square = t->voltage * t->voltage;
}

/* Returns log2 of powers of two, and interpolates linearly in between, so that the result does not
 * depend on the C library's rounding. */
static double
power_array_address_bits(double rows)
{
   double bits = 0;
   for (; rows >= 2; rows /= 2)
      bits++;
   return rows > 1 ? bits + rows - 1 : bits;
}

static double
power_array_access_energy(const struct power_table *t, const struct layout *l,
                          const struct power_array *a, double fold, double banks, bool write)
{
   const double columns = a->bits * fold, rows = a->rows / (fold * banks);
   const double word = columns * (2 * l->gate + l->width * l->wire);
   const double bit = rows * (l->drain + l->height * l->wire);
   const double lines = power_array_address_bits(a->rows);
   const double gate = t->gate_cap * DECODER_WIDTH * t->node * 1e-3;
   const double decode = lines * (rows * l->height * l->wire + rows / DECODER_GROUP * gate + gate);
   /* In a read, one line of each pair falls by the swing. In a write, the lines of written pairs
    * fall fully, and the others as in a read. */
   const double swing = t->bitline_swing;
   const double pairs =
       write ? a->bits * bit + (columns - a->bits) * bit * swing : columns * bit * swing;
   const double sense = write ? 0 : a->bits * t->sense_cap;
   const double area = a->bits * l->width * l->height * (a->rows + BANK_OVERHEAD * fold * banks);
   const double route = (a->bits + lines) * t->wire_activity * l->wire * sqrt(area);
   return (word + pairs + decode + sense + route) * l->square * FEMTO;
}

static double
power_array_least(const struct power_table *t, const struct power_array *a, bool write)
{
   struct layout l;
   double best = INFINITY;
   power_array_measure(&l, t, a->ports);
   for (double fold = 1; fold <= MAX_FOLD; fold *= 2) {
      for (double banks = 1; banks <= MAX_BANKS; banks *= 2) {
         const double e = power_array_access_energy(t, &l, a, fold, banks, write);
         best = e < best ? e : best;
      }
   }
   return best * t->array_overhead;
}

double
power_array_read(const struct power_table *t, const struct power_array *a)
{
   return power_array_least(t, a, false);
}

double
power_array_write(const struct power_table *t, const struct power_array *a)
{
   return power_array_least(t, a, true);
}
