/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Names of register values (cli_stream.h), from the enum that the register's description names. */
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "hw/isa/isa_text.h"

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

/* Returns the values of the enum that a description names, or NULL. */
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

/* Writes the names of combined bits, such as "PERSPECTIVE|CENTROID". Returns false if a bit has no
 * name. */
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
cli_field_text(const struct sim_field *f, uint32_t word, char *text, size_t size)
{
   const uint32_t v = sim_field_get(f, word);
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
