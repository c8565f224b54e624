/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Registers by name: each field's place in the register file, to print registers, and for captures,
 * whose dictionaries name them. */
#ifndef SIM_FIELDS_H
#define SIM_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

struct sim_field {
   char name[96]; /* "color[1].format" */
   uint32_t word, bit, bits;
   uint32_t element, elements; /* in an array; elements is 0 outside arrays */
   const char *group;          /* "color"; NULL: no group */
   uint32_t instance;          /* the group's */
   uint32_t instances,
       stride; /* of the group: how many, and words from one to the next; else 1, 0 */
   bool is_float;
   const char *doc; /* from hw/attila_regs.h */
};

/* Returns all named fields, by word and bit. */
const struct sim_field *sim_fields(unsigned *num);
/* Returns the field's value in this word of the register file. */
uint32_t sim_field_get(const struct sim_field *f, uint32_t word);

#endif
