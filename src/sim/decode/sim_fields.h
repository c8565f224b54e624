/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Registers by name: where each field of the register file lies. For whoever prints registers, and
 * for captures, which name what they were made of.
 */
#ifndef SIM_FIELDS_H
#define SIM_FIELDS_H

#include <stdbool.h>
#include <stdint.h>

struct sim_field {
   char name[48]; /* "color[1].format" */
   uint32_t word, bit, bits;
   uint32_t element, elements; /* of an array; elements is 0 outside of arrays */
   const char *group;          /* "color"; NULL: in no group */
   uint32_t instance;          /* of the group */
   uint32_t instances, stride; /* of the group: how many, words from one to the next; else 1, 0 */
   bool is_float;
   const char *doc; /* that of hw/attila_regs.h */
};

/* All named fields in the order of their words and bits. */
const struct sim_field *sim_fields(unsigned *num);
/* The value of the field in this word of the register file. */
uint32_t sim_field_get(const struct sim_field *f, uint32_t word);

#endif
