/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Registers by name (decode/sim_fields.h): the list of hw/attila_regs.h with arrays and groups
 * expanded. Not here: names of values. */
#include "decode/sim_fields.h"

#include <stdio.h>
#include <string.h>
#include "hw/attila_regs.h"

/* This is more than there are: a word has at most 32 fields, but rarely over six. */
#define MAX_FIELDS 4096

/* The next register's place: a word, a bit in it, and its group. */
struct place {
   uint32_t word, bit;
   const char *group; /* NULL: none */
   uint32_t instance; /* the group's */
   uint32_t instances, stride;
};

static struct sim_field fields[MAX_FIELDS];
static unsigned num_fields;

static struct sim_field *
fields_add(struct place *p, const char *name, uint32_t bits, bool is_float, const char *doc)
{
   struct sim_field *f = NULL;
   /* Padding bits are no registers. */
   if (strncmp(name, "unused_", 7) && num_fields < MAX_FIELDS) {
      f = &fields[num_fields++];
      *f = (struct sim_field){.word = p->word,
                              .bit = p->bit,
                              .bits = bits,
                              .is_float = is_float,
                              .doc = doc,
                              .group = p->group,
                              .instance = p->instance,
                              .instances = p->instances,
                              .stride = p->stride};
      if (p->group)
         snprintf(f->name, sizeof(f->name), "%s[%u].%s", p->group, p->instance, name);
      else
         snprintf(f->name, sizeof(f->name), "%s", name);
   }
   p->bit += bits;
   p->word += p->bit / 32;
   p->bit %= 32;
   return f;
}

static void
fields_add_array(struct place *p, const char *name, uint32_t count, bool is_float, const char *doc)
{
   char element[48];
   for (uint32_t i = 0; i < count; i++) {
      snprintf(element, sizeof(element), "%s[%u]", name, i);
      struct sim_field *f = fields_add(p, element, 32, is_float, doc);
      if (f)
         f->element = i, f->elements = count;
   }
}

#define IS_FLOAT(type) (#type[0] == 'f')
#define INNER_R(type, name, doc) fields_add(p, #name, 32, IS_FLOAT(type), doc);
#define INNER_B(bits, name, doc) fields_add(p, #name, bits, false, doc);
#define INNER_RA(type, name, count, doc) fields_add_array(p, #name, count, IS_FLOAT(type), doc);
#define INNER_RS(list, name, count)
#define GROUP(list)                               \
   static void fields_add_##list(struct place *p) \
   {                                              \
      list(INNER_R, INNER_B, INNER_RA, INNER_RS)  \
   }
GROUP(ATTILA_ATTRIB_REGS)
GROUP(ATTILA_COLOR_REGS)
GROUP(ATTILA_STENCIL_REGS)
GROUP(ATTILA_FS_INPUT_REGS)
GROUP(ATTILA_TEX_REGS)

const struct sim_field *
sim_fields(unsigned *num)
{
   struct place place = {.instances = 1}, *p = &place;
   if (!num_fields) {
#define OUTER_RS(list, name, count)             \
   p->group = #name;                            \
   p->instances = (count);                      \
   p->stride = sizeof(ATTILA_GROUP_##list) / 4; \
   for (uint32_t i = 0; i < (count); i++) {     \
      p->instance = i;                          \
      fields_add_##list(p);                     \
   }                                            \
   p->group = NULL, p->instance = 0, p->instances = 1, p->stride = 0;
      ATTILA_REGS(INNER_R, INNER_B, INNER_RA, OUTER_RS)
   }
   *num = num_fields;
   return fields;
}

uint32_t
sim_field_get(const struct sim_field *f, uint32_t word)
{
   return f->bits == 32 ? word : word >> f->bit & ((1u << f->bits) - 1);
}
