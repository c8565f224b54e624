/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The values of uniforms by name, and which of them differ from those that the program had when a
 * draw used it last. Each program that draws use has items of its own, so that draws that alternate
 * between programs change nothing. Not here: names and places (sim_uniforms.c), registers without a
 * name (sim_pipeline.c). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "decode/sim_pipeline_impl.h"
#include "decode/sim_programs.h"
#include "hw/isa/attila_isa.h"

/* Consecutive uniforms of the same registers or block. */
struct uniform_group {
   int32_t block; /* as in sim_uniform */
   uint32_t first, end;
   uint32_t low, high; /* bytes */
   bool known;         /* a draw has announced them */
   uint32_t limit;     /* bytes that existed then */
   uint8_t *copy;      /* the bytes from low on, as they were then */
};

struct pipeline_uniforms {
   bool made;
   struct sim_uniforms list;
   struct uniform_group *group;
   uint32_t num_groups;
   uint32_t first_item; /* number of the first uniform's item */
   uint64_t named[PIPELINE_CONST_WORDS];
};

/* Returns whether the program reads a uniform. Of blocks only that it reads some is known. */
static bool
pipeline_is_read(const struct sim_uniform *u, const struct attila_isa_program *isa,
                 const uint64_t *used)
{
   bool any = false;
   if (u->block == SIM_UNIFORM_SAMPLER)
      return isa->tex_units >> u->at & 1;
   if (u->block != SIM_UNIFORM_REGISTERS)
      return isa->uses_loads;
   for (unsigned c = u->at / 16; c < u->at / 16 + u->columns; c++)
      any |= used[c / 64] >> c % 64 & 1;
   return any;
}

static void
pipeline_make_uniforms(struct sim_pipeline *p, struct pipeline_uniforms *of,
                       const struct sim_program *program, const uint64_t *used)
{
   struct sim_uniforms *list = &of->list;
   struct uniform_group *g = NULL;
   uint32_t kept = 0;
   of->made = true;
   sim_uniforms_read(list, attila_program_note_of(program->note, program->note_words).uniforms);
   of->group = list->num ? sim_xcalloc(list->num, sizeof(*of->group)) : NULL;
   for (uint32_t i = 0; i < list->num; i++) {
      struct sim_uniform *u = &list->item[i];
      if (!pipeline_is_read(u, emul_program_isa(program->program), used)) {
         free(u->name);
         continue;
      }
      const uint32_t end = sim_uniform_end(u);
      if (!g || g->block != u->block) {
         g = &of->group[of->num_groups++];
         *g = (struct uniform_group){.block = u->block, .first = kept, .low = u->at};
      }
      g->low = u->at < g->low ? u->at : g->low;
      g->high = end > g->high ? end : g->high;
      g->end = kept + 1;
      if (u->block == SIM_UNIFORM_REGISTERS) {
         for (unsigned c = u->at / 16; c < u->at / 16 + u->columns; c++)
            of->named[c / 64] |= 1ull << c % 64;
      }
      list->item[kept++] = *u;
   }
   list->num = kept;
   for (uint32_t i = 0; i < of->num_groups; i++)
      of->group[i].copy = sim_xcalloc(1, of->group[i].high - of->group[i].low);
   of->first_item = NUM_ITEMS + p->num_uniform_items;
   p->num_uniform_items += list->num;
}

const uint64_t *
pipeline_named_constants(struct sim_pipeline *p, const struct sim_program *program,
                         const uint64_t *used)
{
   static const uint64_t none[PIPELINE_CONST_WORDS];
   const uint32_t number = program ? program->number : 0;
   if (!number)
      return none;
   if (number >= p->num_uniforms) {
      const uint32_t num = number + 64;
      p->uniforms = sim_xrealloc(p->uniforms, num * sizeof(*p->uniforms));
      memset(p->uniforms + p->num_uniforms, 0, (num - p->num_uniforms) * sizeof(*p->uniforms));
      p->num_uniforms = num;
   }
   if (!p->uniforms[number].made)
      pipeline_make_uniforms(p, &p->uniforms[number], program, used);
   return p->uniforms[number].named;
}

void
pipeline_free_uniforms(struct sim_pipeline *p)
{
   for (uint32_t n = 0; n < p->num_uniforms; n++) {
      struct pipeline_uniforms *of = &p->uniforms[n];
      for (uint32_t i = 0; i < of->num_groups; i++)
         free(of->group[i].copy);
      free(of->group);
      sim_uniforms_free(&of->list);
   }
   free(p->uniforms);
}

/* --- Values --- */

static size_t
pipeline_component(char *text, size_t size, const struct sim_uniform *u, uint32_t bits)
{
   float f;
   memcpy(&f, &bits, sizeof(f));
   if (u->base == SIM_UNIFORM_BOOL)
      return (size_t)snprintf(text, size, "%s", bits ? "true" : "false");
   if (u->base == SIM_UNIFORM_FLOAT || u->as_floats)
      return pipeline_float(text, size, f);
   return (size_t)snprintf(text, size, u->base == SIM_UNIFORM_INT ? "%d" : "%u", (unsigned)bits);
}

/* Writes the components, columns separated by commas. from: where the uniform begins. */
static void
pipeline_uniform_value(char text[SIM_PIPELINE_BYTES], const struct sim_uniform *u,
                       const uint8_t *from)
{
   size_t at = 0;
   for (unsigned column = 0; column < u->columns; column++) {
      for (unsigned row = 0; row < u->rows; row++) {
         uint32_t bits;
         memcpy(&bits, from + column * u->column_stride + row * u->row_stride, sizeof(bits));
         at += (size_t)snprintf(text + at, SIM_PIPELINE_BYTES - at, "%s",
                                row      ? " "
                                : column ? ", "
                                         : "");
         at += pipeline_component(text + at, SIM_PIPELINE_BYTES - at, u, bits);
      }
   }
}

static bool
pipeline_same_uniform(const struct sim_uniform *u, const uint8_t *a, const uint8_t *b)
{
   for (unsigned column = 0; column < u->columns; column++) {
      for (unsigned row = 0; row < u->rows; row++) {
         const uint32_t at = column * u->column_stride + row * u->row_stride;
         if (memcmp(a + at, b + at, 4))
            return false;
      }
   }
   return true;
}

/* from: the byte g->low of the group; limit: bytes of the registers or the block. */
static void
pipeline_put_group(struct sim_pipeline *p, const struct pipeline_uniforms *of,
                   struct uniform_group *g, const struct sim_program *program, const uint8_t *from,
                   uint32_t limit)
{
   static const char *const parts[ATTILA_NUM_STAGES] = {
       [ATTILA_STAGE_VERTEX] = "vertex uniform",
       [ATTILA_STAGE_GEOMETRY] = "geometry uniform",
       [ATTILA_STAGE_FRAGMENT] = "fragment uniform",
   };
   const uint32_t bytes = limit > g->low ? limit - g->low : 0;
   if (g->known && g->limit == limit && !memcmp(g->copy, from, bytes))
      return;
   for (uint32_t i = g->first; i < g->end; i++) {
      const struct sim_uniform *u = &of->list.item[i];
      const uint32_t end = sim_uniform_end(u), at = u->at - g->low;
      const bool there = end <= limit, was = g->known && end <= g->limit;
      if (g->known && there == was && (!there || pipeline_same_uniform(u, g->copy + at, from + at)))
         continue;
      struct sim_pipeline_change *c = pipeline_change(p);
      *c = (struct sim_pipeline_change){.item = of->first_item + i,
                                        .part = parts[program->stage],
                                        .number = -1,
                                        .program = program->number,
                                        .name = u->name,
                                        .type = u->type,
                                        .is_new = !g->known,
                                        .absent = !there};
      if (there && u->block == SIM_UNIFORM_SAMPLER)
         snprintf(c->value, sizeof(c->value), "%u", (unsigned)u->at);
      else if (there)
         pipeline_uniform_value(c->value, u, from + at);
   }
   memmove(g->copy, from, bytes);
   g->limit = limit;
   g->known = true;
}

void
pipeline_put_uniforms(struct sim_pipeline *p, const struct emul_draw_state *s, unsigned stage,
                      const uint8_t *memory)
{
   const struct sim_program *program = s->held[stage];
   if (!program || !program->number)
      return;
   const struct pipeline_uniforms *of = &p->uniforms[program->number];
   for (uint32_t i = 0; i < of->num_groups; i++) {
      struct uniform_group *g = &of->group[i];
      const uint8_t *from = g->copy;
      uint32_t limit = g->high;
      if (g->block == SIM_UNIFORM_REGISTERS) {
         from = (const uint8_t *)s->consts[stage] + g->low;
      } else if (g->block >= 0) {
         const struct emul_const_buffer *b = &s->const_buffers[stage][g->block];
         from = memory + b->address + g->low;
         limit = b->size < limit ? b->size : limit;
      }
      pipeline_put_group(p, of, g, program, from, limit);
   }
}
