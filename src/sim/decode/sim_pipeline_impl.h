/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files sim_pipeline*.c share: the numbers of parts and items, and what is remembered of
 * the draw before. */
#ifndef SIM_PIPELINE_IMPL_H
#define SIM_PIPELINE_IMPL_H

#include "decode/sim_pipeline.h"
#include "decode/sim_pipeline_items.h"
#include "decode/sim_programs.h"
#include "decode/sim_uniforms.h"

#define PIPELINE_CONST_WORDS ((ATTILA_MAX_CONSTS + 63) / 64)

/* Of each part: how many items it has, its first item, its first hash of registers. */
#define ITEM(name, condition, value) +1
#define P(id, name, count, ITEMS) ITEMS_##id = 0 ITEMS(ITEM),
enum { PIPELINE_PARTS(P) };
#undef P
#define P(id, name, count, ITEMS) FIRST_##id, LAST_##id = FIRST_##id + (count)*ITEMS_##id - 1,
enum { PIPELINE_PARTS(P) NUM_ITEMS };
#undef P
#define P(id, name, count, ITEMS) KEY_##id, LAST_KEY_##id = KEY_##id + (count)-1,
enum { PIPELINE_PARTS(P) NUM_KEYS };
#undef P
#undef ITEM

struct pipeline_uniforms;

struct sim_pipeline {
   uint32_t number;
   uint64_t key[NUM_KEYS];    /* of registers; 0: the part is not used */
   uint64_t value[NUM_ITEMS]; /* hash of the text; 0: absent */
   bool seen[NUM_ITEMS];      /* the item had a value in some draw */
   struct {                   /* constants that the program reads and that have no name */
      uint64_t program;       /* hash, with its number */
      uint64_t used[PIPELINE_CONST_WORDS];
      unsigned num; /* up to the last one, of this draw and the one before */
   } consts[ATTILA_NUM_STAGES];
   struct pipeline_uniforms *uniforms; /* by number of the program */
   uint32_t num_uniforms, num_uniform_items;
   char text[SIM_PIPELINE_BYTES];
   unsigned num_changes, max_changes;
   struct sim_pipeline_change *change;
};

/* In sim_pipeline.c: makes room for a change. */
struct sim_pipeline_change *pipeline_change(struct sim_pipeline *p);

/* In sim_pipeline_uniforms.c. Returns which constants have names, one bit for each. used: those
 * that the program reads. */
const uint64_t *pipeline_named_constants(struct sim_pipeline *p, const struct sim_program *program,
                                         const uint64_t *used);
/* Notes the uniforms that differ. pipeline_named_constants has seen the program. */
void pipeline_put_uniforms(struct sim_pipeline *p, const struct emul_draw_state *s, unsigned stage,
                           const uint8_t *memory);
void pipeline_free_uniforms(struct sim_pipeline *p);

/* In sim_pipeline_words.c: writes the shortest text that is read as this number, and a NUL. Returns
 * its length. Bits that are no normal number, such as those of integers, are written as they are.
 */
size_t pipeline_float(char *text, size_t size, float x);

/* In sim_pipeline_words.c: one function for each part. They note the items that differ from the
 * draw before. i: the number of the texture, attribute, ...; used: the draw uses it. */
#define P(id, name, count, ITEMS)                                                              \
   void pipeline_put_##id(struct sim_pipeline *p, const struct emul_draw_state *s, unsigned i, \
                          bool used);
PIPELINE_PARTS(P)
#undef P

#endif
