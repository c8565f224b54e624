/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Registers by name (cli_stream.h): the list of hw/attila_regs.h with all its arrays and groups
 * written out. What a field's values are called follows from the enum that its description names.
 */
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "hw/isa/isa_text.h"

/* More than there are: a word has at most 32 fields, but hardly any has more than six. */
#define MAX_FIELDS 4096

/* Where the next register lies: a word, a bit in it, and the group of registers. */
struct place {
   uint32_t word, bit;
   const char *group; /* NULL: in none */
   uint32_t instance; /* of the group */
};

static struct cli_field fields[MAX_FIELDS];
static unsigned num_fields;

static struct cli_field *
cli_fields_add(struct place *p, const char *name, uint32_t bits, bool is_float, const char *doc)
{
   struct cli_field *f = NULL;
   /* Bits that fill a word up are no registers. */
   if (strncmp(name, "unused_", 7) && num_fields < MAX_FIELDS) {
      f = &fields[num_fields++];
      *f = (struct cli_field){.word = p->word,
                              .bit = p->bit,
                              .bits = bits,
                              .is_float = is_float,
                              .doc = doc,
                              .group = p->group,
                              .instance = p->instance};
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
cli_fields_add_array(struct place *p, const char *name, uint32_t count, bool is_float,
                     const char *doc)
{
   char element[48];
   for (uint32_t i = 0; i < count; i++) {
      snprintf(element, sizeof(element), "%s[%u]", name, i);
      struct cli_field *f = cli_fields_add(p, element, 32, is_float, doc);
      if (f)
         f->element = i, f->elements = count;
   }
}

#define IS_FLOAT(type) (#type[0] == 'f')
#define INNER_R(type, name, doc) cli_fields_add(p, #name, 32, IS_FLOAT(type), doc);
#define INNER_B(bits, name, doc) cli_fields_add(p, #name, bits, false, doc);
#define INNER_RA(type, name, count, doc) cli_fields_add_array(p, #name, count, IS_FLOAT(type), doc);
#define INNER_RS(list, name, count)
#define GROUP(list)                                   \
   static void cli_fields_add_##list(struct place *p) \
   {                                                  \
      list(INNER_R, INNER_B, INNER_RA, INNER_RS)      \
   }
GROUP(ATTILA_ATTRIB_REGS)
GROUP(ATTILA_COLOR_REGS)
GROUP(ATTILA_STENCIL_REGS)
GROUP(ATTILA_FS_INPUT_REGS)
GROUP(ATTILA_TEX_REGS)

const struct cli_field *
cli_fields(unsigned *num)
{
   struct place place = {0}, *p = &place;
   if (!num_fields) {
#define OUTER_RS(list, name, count)         \
   p->group = #name;                        \
   for (uint32_t i = 0; i < (count); i++) { \
      p->instance = i;                      \
      cli_fields_add_##list(p);             \
   }                                        \
   p->group = NULL, p->instance = 0;
      ATTILA_REGS(INNER_R, INNER_B, INNER_RA, OUTER_RS)
   }
   *num = num_fields;
   return fields;
}

uint32_t
cli_field_get(const struct cli_field *f, uint32_t word)
{
   return f->bits == 32 ? word : word >> f->bit & ((1u << f->bits) - 1);
}

/* --- Values --- */

struct value {
   const char *name;
   uint32_t value;
};

#define E(name, value) {#name, value},
#define LIST(enum_name, list) static const struct value enum_name##_values[] = {list(E){NULL, 0}};
ATTILA_ENUMS(LIST)
#undef E

static const struct {
   const char *name;
   const struct value *values;
} enums[] = {
#define X(enum_name, list) {#enum_name, enum_name##_values},
    ATTILA_ENUMS(X)
#undef X
};

/* The values of the enum that a description names, or NULL. */
static const struct value *
cli_fields_values_of(const char *doc)
{
   const char *at = strstr(doc, "enum ");
   if (!at)
      return NULL;
   at += strlen("enum ");
   const size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz_");
   for (unsigned i = 0; i < sizeof(enums) / sizeof(enums[0]); i++) {
      if (strlen(enums[i].name) == n && !strncmp(enums[i].name, at, n))
         return enums[i].values;
   }
   return NULL;
}

static const char *
cli_fields_value_name(const struct value *values, uint32_t v)
{
   while (values->name && values->value != v)
      values++;
   return values->name;
}

/* Those of bits that may come together: "PERSPECTIVE|CENTROID"; false: not all have names. */
static bool
cli_fields_bits_text(const struct value *values, uint32_t v, char *text, size_t size)
{
   size_t n = 0;
   uint32_t rest = v;
   text[0] = '\0';
   for (uint32_t bit = 4; bit; bit >>= 1) {
      const char *name = v & bit ? cli_fields_value_name(values, bit) : NULL;
      if (!name)
         continue;
      n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "|" : "", name);
      rest &= ~bit;
      if (n >= size)
         return false;
   }
   return !rest && v;
}

static void
cli_fields_swizzle_text(uint32_t v, char *text, size_t size)
{
   char swizzle[5] = "";
   for (unsigned i = 0; i < 4; i++) {
      const char *name = cli_fields_value_name(attila_swizzle_values, v >> 3 * i & 7);
      swizzle[i] = name ? *name : '?';
   }
   snprintf(text, size, "%s", swizzle);
}

static bool
cli_fields_ends_with(const char *text, const char *end)
{
   const size_t n = strlen(text), e = strlen(end);
   return n >= e && !strcmp(text + n - e, end);
}

void
cli_field_text(const struct cli_field *f, uint32_t word, char *text, size_t size)
{
   const uint32_t v = cli_field_get(f, word);
   const struct value *values = cli_fields_values_of(f->doc);
   const char *name = values ? cli_fields_value_name(values, v) : NULL;
   if (f->is_float) {
      float x;
      memcpy(&x, &word, sizeof(x));
      snprintf(text, size, "%.9g", (double)x);
   } else if (strstr(f->doc, "enum attila_format") && v < ATTILA_NUM_FORMATS) {
      snprintf(text, size, "%s", attila_formats[v].name);
   } else if (strstr(f->doc, "enum attila_tex_target") && v < ATTILA_NUM_TEX_TARGETS) {
      snprintf(text, size, "%s", isa_tex_target_names[v]);
   } else if (values == attila_swizzle_values && f->bits == 12) {
      cli_fields_swizzle_text(v, text, size);
   } else if (name) {
      snprintf(text, size, "%s", name);
   } else if (!values || !cli_fields_bits_text(values, v, text, size)) {
      const bool hex = cli_fields_ends_with(f->name, "address") ||
                       cli_fields_ends_with(f->name, "mask") ||
                       cli_fields_ends_with(f->name, "pattern") || strstr(f->name, "poly_stipple[");
      snprintf(text, size, hex && v ? "0x%x" : "%u", v);
   }
}

const char *
cli_prim_name(uint32_t prim)
{
   static const char *const names[ATTILA_NUM_PRIMS] = {
#define P(name) #name,
       ATTILA_PRIMS(P)
#undef P
   };
   return prim < ATTILA_NUM_PRIMS ? names[prim] : "?";
}
