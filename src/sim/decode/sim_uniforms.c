/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads the lines of uniforms in the note of LOAD_PROGRAM. An array becomes an item for each
 * element. Not here: values (sim_pipeline_uniforms.c), who writes the lines
 * (src/compiler/attila_uniforms.c). */
#include "decode/sim_uniforms.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "hw/attila_limits.h"

#define REGISTER_BYTES 16u
#define MAX_ITEMS 65536u /* more than registers and blocks of a stage can hold */

/* A line: the numbers before the type, and the first element. */
struct line {
   char kind;
   unsigned num[4];
   unsigned length; /* of an array; 0: no array */
   struct sim_uniform u;
};

/* Reads a type such as vec3, ivec2, mat4x3 or uint[8]. The text becomes that of an element. */
static bool
uniforms_read_type(struct line *l, char *type)
{
   static const struct {
      const char *scalar, *vector;
   } names[] = {
       [SIM_UNIFORM_FLOAT] = {"float", "vec"},
       [SIM_UNIFORM_INT] = {"int", "ivec"},
       [SIM_UNIFORM_UINT] = {"uint", "uvec"},
       [SIM_UNIFORM_BOOL] = {"bool", "bvec"},
   };
   unsigned columns = 1, rows = 1;
   char *bracket = strchr(type, '['), rest;
   if (bracket && (sscanf(bracket, "[%8u%c", &l->length, &rest) != 2 || rest != ']' || !l->length))
      return false;
   if (bracket)
      *bracket = '\0';
   l->u.type = type;
   l->u.columns = l->u.rows = 1;
   if (l->kind == 't')
      return true;
   if (!strncmp(type, "mat", 3)) {
      const int n = sscanf(type + 3, "%1ux%1u%c", &columns, &rows, &rest);
      rows = n == 1 ? columns : rows;
      l->u.columns = (uint8_t)columns;
      l->u.rows = (uint8_t)rows;
      return (n == 1 || n == 2) && columns >= 2 && columns <= 4 && rows >= 2 && rows <= 4;
   }
   for (unsigned b = 0; b < sizeof(names) / sizeof(names[0]); b++) {
      const size_t length = strlen(names[b].vector);
      l->u.base = (uint8_t)b;
      if (!strcmp(type, names[b].scalar))
         return true;
      if (!strncmp(type, names[b].vector, length) && type[length] >= '2' && type[length] <= '4' &&
          !type[length + 1]) {
         l->u.rows = (uint8_t)(type[length] - '0');
         return true;
      }
   }
   return false;
}

/* Reads the numbers of a line up to its type; returns the type, or NULL. */
static char *
uniforms_read_numbers(struct line *l, char *text)
{
   const bool in_block = *text == 'b' || *text == 'r';
   l->kind = *text;
   if (!*text || !strchr("cfbrt", *text))
      return NULL;
   text++;
   for (unsigned i = 0; i < (in_block ? 4 : 1); i++) {
      char *end;
      const unsigned long n = *text == ' ' ? strtoul(text + 1, &end, 10) : 0;
      if (*text != ' ' || end == text + 1 || *end != ' ' || n > ATTILA_MAX_CONST_BUFFER_BYTES)
         return NULL;
      l->num[i] = (unsigned)n;
      text = end;
   }
   return text + 1;
}

/* Sets where the first element is. Returns the bytes from one element to the next, of a sampler the
 * units; *end: the byte, or unit, behind the last possible one. */
static uint32_t
uniforms_place(struct line *l, uint32_t *end)
{
   struct sim_uniform *u = &l->u;
   if (l->kind == 't') {
      u->block = SIM_UNIFORM_SAMPLER;
      u->at = l->num[0];
      *end = ATTILA_MAX_TEX_UNITS;
      return 1;
   }
   if (l->kind == 'c' || l->kind == 'f') {
      u->block = SIM_UNIFORM_REGISTERS;
      u->at = l->num[0] * REGISTER_BYTES;
      u->column_stride = REGISTER_BYTES;
      u->row_stride = 4;
      u->as_floats = l->kind == 'f';
      *end = ATTILA_MAX_CONSTS * REGISTER_BYTES;
      return u->columns * REGISTER_BYTES;
   }
   u->block = (int32_t)l->num[0];
   u->at = l->num[1];
   u->column_stride = l->kind == 'b' ? l->num[3] : 4;
   u->row_stride = l->kind == 'b' ? 4 : l->num[3];
   *end = l->num[0] < ATTILA_MAX_CONST_BUFFERS ? ATTILA_MAX_CONST_BUFFER_BYTES : 0;
   return l->num[2];
}

static void
uniforms_add(struct sim_uniforms *u, const struct line *l, const char *name, uint32_t element)
{
   const size_t size = strlen(name) + 16;
   if ((u->num & (u->num - 1)) == 0)
      u->item = sim_xrealloc(u->item, (u->num ? u->num * 2 : 1) * sizeof(*u->item));
   struct sim_uniform *i = &u->item[u->num++];
   *i = l->u;
   i->name = sim_xmalloc(size);
   if (l->length)
      snprintf(i->name, size, "%s[%u]", name, (unsigned)element);
   else
      snprintf(i->name, size, "%s", name);
}

static void
uniforms_read_line(struct sim_uniforms *u, char *text)
{
   struct line l = {0};
   char *type = uniforms_read_numbers(&l, text), *name = type ? strchr(type, ' ') : NULL;
   uint32_t end;
   if (!name)
      return;
   *name++ = '\0';
   if (!*name || !uniforms_read_type(&l, type))
      return;
   const uint32_t stride = uniforms_place(&l, &end);
   for (uint32_t n = 0; n < (l.length ? l.length : 1) && u->num < MAX_ITEMS; n++) {
      if ((l.kind == 't' ? l.u.at + 1 : sim_uniform_end(&l.u)) > end)
         return;
      uniforms_add(u, &l, name, n);
      l.u.at += stride;
   }
}

void
sim_uniforms_read(struct sim_uniforms *u, const char *lines)
{
   *u = (struct sim_uniforms){0};
   if (!lines)
      return;
   u->types = sim_xcheck(strdup(lines));
   for (char *line = u->types, *next; line; line = next) {
      next = strchr(line, '\n');
      if (next)
         *next++ = '\0';
      uniforms_read_line(u, line);
   }
}

void
sim_uniforms_free(struct sim_uniforms *u)
{
   for (uint32_t i = 0; i < u->num; i++)
      free(u->item[i].name);
   free(u->item);
   free(u->types);
}
