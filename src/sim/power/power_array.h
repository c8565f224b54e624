/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Cost of accessing an array of memory cells (caches, queues, register files, buffers), by the
 * formulas of Wattch (ISCA 2000, section 2) and CACTI (Wilton and Jouppi, 1996) for decoder, word
 * line, bit lines and sense amplifiers, with wires to the array's edge. */
#ifndef POWER_ARRAY_H
#define POWER_ARRAY_H

struct power_table;

struct power_array {
   double rows, bits; /* an access reads or writes one row, of so many bits */
   double ports;      /* each adds a word line and a bit line pair to every cell */
};

/* Return joules at the voltage of the table. More rows, bits or ports never cost less. */
double power_array_read(const struct power_table *t, const struct power_array *a);
double power_array_write(const struct power_table *t, const struct power_array *a);

#endif
