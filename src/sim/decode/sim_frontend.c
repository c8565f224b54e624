/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command decoding that both modes share: the register file, constant banks, programs and texture
 * states, and the snapshot of them that a draw takes (box/sim_gpu.h). A snapshot shares what did
 * not change since the draw before: constant banks and texture states are copied on write, programs
 * are decoded once per content. Checks of commands are in sim_check.c; timing is the command
 * processor's.
 */
#include "box/sim_gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "decode/sim_frontend_impl.h"

/* A stage's constants. c is the first member: a draw state's pointer leads back to its bank. */
struct const_bank {
   float c[ATTILA_MAX_CONSTS][4];
   uint32_t used; /* vec4s from here on are 0 */
   uint32_t refs; /* draws in flight, plus one for the front end's current bank */
   struct const_bank *next;
};

/* Texture states; s is the first member. */
struct tex_bank {
   struct emul_tex_state s[ATTILA_MAX_TEX_UNITS];
   uint32_t refs;
   struct tex_bank *next;
};

struct program {
   uint64_t hash;
   size_t size;
   unsigned stage;
   void *binary;
   struct emul_program *program;
   struct program *next; /* of the same hash bucket */
};

#define BUCKETS 1024

struct sim_frontend_full {
   struct sim_frontend base; /* registers, for sim_check.c */
   struct const_bank *consts[ATTILA_NUM_STAGES], *free_consts;
   struct tex_bank *tex, *free_tex;
   uint32_t tex_current; /* units whose state in tex matches the registers */
   struct program *current[ATTILA_NUM_STAGES];
   struct program *buckets[BUCKETS];
};

static struct sim_frontend_full *
full(struct sim_frontend *f)
{
   return (struct sim_frontend_full *)f;
}

static void *
checked(void *p)
{
   if (!p) {
      fprintf(stderr, "attila: out of host memory\n");
      abort();
   }
   return p;
}

static void *
alloc64(size_t size)
{
   return checked(aligned_alloc(64, (size + 63) & ~(size_t)63));
}

struct sim_frontend *
sim_frontend_create(struct sim_gpu *gpu)
{
   struct sim_frontend_full *f = checked(calloc(1, sizeof(*f)));
   f->base.gpu = gpu;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      f->consts[s] = alloc64(sizeof(struct const_bank));
      memset(f->consts[s], 0, sizeof(struct const_bank));
      f->consts[s]->refs = 1;
   }
   f->tex = alloc64(sizeof(struct tex_bank));
   memset(f->tex, 0, sizeof(struct tex_bank));
   f->tex->refs = 1;
   return &f->base;
}

void
sim_frontend_destroy(struct sim_frontend *base)
{
   if (!base)
      return;
   struct sim_frontend_full *f = full(base);
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++)
      free(f->consts[s]);
   while (f->free_consts) {
      struct const_bank *b = f->free_consts;
      f->free_consts = b->next;
      free(b);
   }
   free(f->tex);
   while (f->free_tex) {
      struct tex_bank *b = f->free_tex;
      f->free_tex = b->next;
      free(b);
   }
   for (unsigned i = 0; i < BUCKETS; i++) {
      while (f->buckets[i]) {
         struct program *p = f->buckets[i];
         f->buckets[i] = p->next;
         emul_program_destroy(p->program);
         free(p->binary);
         free(p);
      }
   }
   free(f);
}

struct attila_regs *
sim_frontend_regs(struct sim_frontend *f)
{
   return &f->regs;
}

/* --- Registers --- */

#define TEX_FIRST ATTILA_REG(tex[0])
#define TEX_WORDS ((uint32_t)(sizeof(struct attila_tex_regs) / 4))
#define TEX_END (TEX_FIRST + ATTILA_MAX_TEX_UNITS * TEX_WORDS)

void
sim_frontend_write_regs(struct sim_frontend *base, const uint32_t *payload, uint32_t words)
{
   struct sim_frontend_full *f = full(base);
   uint32_t first = payload[0], count = words - 1;
   if (words < 2 || first >= ATTILA_NUM_REGS || count > ATTILA_NUM_REGS - first)
      return;
   uint32_t *regs = (uint32_t *)&base->regs;
   if (first + count <= TEX_FIRST || first >= TEX_END) {
      memcpy(regs + first, payload + 1, (size_t)count * 4);
      return;
   }
   for (uint32_t i = 0; i < count; i++) {
      uint32_t r = first + i;
      if (regs[r] == payload[1 + i])
         continue;
      regs[r] = payload[1 + i];
      if (r >= TEX_FIRST && r < TEX_END)
         f->tex_current &= ~(1u << (r - TEX_FIRST) / TEX_WORDS);
   }
}

/* --- Constants --- */

static void
release_consts(struct sim_frontend_full *f, struct const_bank *b)
{
   if (--b->refs == 0) {
      b->next = f->free_consts;
      f->free_consts = b;
   }
}

/* A bank of the stage that no draw in flight reads, with the current contents. */
static struct const_bank *
writable_consts(struct sim_frontend_full *f, unsigned stage)
{
   struct const_bank *old = f->consts[stage];
   if (old->refs == 1)
      return old;
   struct const_bank *b = f->free_consts;
   if (b) {
      f->free_consts = b->next;
   } else {
      b = alloc64(sizeof(*b));
      b->used = ATTILA_MAX_CONSTS;
   }
   memcpy(b->c, old->c, old->used * sizeof(old->c[0]));
   if (b->used > old->used)
      memset(b->c[old->used], 0, (b->used - old->used) * sizeof(b->c[0]));
   b->used = old->used;
   b->refs = 1;
   old->refs--; /* a draw still holds it */
   f->consts[stage] = b;
   return b;
}

void
sim_frontend_write_consts(struct sim_frontend *base, const uint32_t *payload, uint32_t words)
{
   struct sim_frontend_full *f = full(base);
   uint32_t stage = payload[0], first = payload[1], count = (words - 2) / 4;
   if (words < 6 || stage >= ATTILA_NUM_STAGES || first >= ATTILA_MAX_CONSTS ||
       count > ATTILA_MAX_CONSTS - first)
      return;
   if (!memcmp(f->consts[stage]->c[first], payload + 2, (size_t)count * 16))
      return;
   struct const_bank *b = writable_consts(f, stage);
   memcpy(b->c[first], payload + 2, (size_t)count * 16);
   if (first + count > b->used)
      b->used = first + count;
}

/* --- Programs --- */

static uint64_t
hash_bytes(const void *data, size_t size)
{
   const uint8_t *p = data;
   uint64_t h = 0xcbf29ce484222325ull ^ size;
   for (; size >= 8; size -= 8, p += 8) {
      uint64_t w;
      memcpy(&w, p, 8);
      h = (h ^ w) * 0x9e3779b97f4a7c15ull;
      h ^= h >> 29;
   }
   for (; size; size--)
      h = (h ^ *p++) * 0x100000001b3ull;
   return h ^ h >> 32;
}

bool
sim_frontend_load_program(struct sim_frontend *base, unsigned stage, const void *binary,
                          size_t size, char *error, size_t error_size)
{
   struct sim_frontend_full *f = full(base);
   if (stage >= ATTILA_NUM_STAGES) {
      snprintf(error, error_size, "program for stage %u", stage);
      return false;
   }
   uint64_t hash = hash_bytes(binary, size);
   struct program **bucket = &f->buckets[hash % BUCKETS];
   for (struct program *p = *bucket; p; p = p->next) {
      if (p->hash == hash && p->size == size && p->stage == stage &&
          !memcmp(p->binary, binary, size)) {
         f->current[stage] = p;
         return true;
      }
   }
   struct attila_isa_program isa;
   if (!attila_isa_decode(binary, size, &isa, error, error_size))
      return false;
   if (isa.stage != stage) {
      snprintf(error, error_size, "a %s program loaded for the %s stage",
               isa.stage == ATTILA_STAGE_VERTEX ? "vertex" : "fragment",
               stage == ATTILA_STAGE_VERTEX ? "vertex" : "fragment");
      attila_isa_free(&isa);
      return false;
   }
   struct program *p = checked(calloc(1, sizeof(*p)));
   *p = (struct program){.hash = hash,
                         .size = size,
                         .stage = stage,
                         .binary = checked(malloc(size ? size : 1)),
                         .program = checked(emul_program_create(&isa)),
                         .next = *bucket};
   memcpy(p->binary, binary, size);
   attila_isa_free(&isa);
   *bucket = p;
   f->current[stage] = p;
   return true;
}

/* --- Draws --- */

static void
release_tex(struct sim_frontend_full *f, struct tex_bank *b)
{
   if (--b->refs == 0) {
      b->next = f->free_tex;
      f->free_tex = b;
   }
}

/* The current bank with the given units initialised from the registers. */
static struct tex_bank *
tex_states(struct sim_frontend_full *f, uint32_t units)
{
   uint32_t missing = units & ~f->tex_current;
   if (!missing)
      return f->tex;
   if (f->tex->refs > 1) {
      struct tex_bank *b = f->free_tex, *old = f->tex;
      if (b)
         f->free_tex = b->next;
      else
         b = alloc64(sizeof(*b));
      for (uint32_t keep = f->tex_current; keep; keep &= keep - 1) {
         unsigned u = (unsigned)__builtin_ctz(keep);
         b->s[u] = old->s[u];
      }
      b->refs = 1;
      old->refs--;
      f->tex = b;
   }
   for (; missing; missing &= missing - 1) {
      unsigned u = (unsigned)__builtin_ctz(missing);
      emul_tex_state_init(&f->tex->s[u], &f->base.regs.tex[u], f->base.gpu->memory_size);
      f->tex_current |= 1u << u;
   }
   return f->tex;
}

bool
sim_frontend_begin_draw(struct sim_frontend *base, struct emul_draw_state *state,
                        const struct attila_cmd_draw *cmd, char *error, size_t error_size)
{
   struct sim_frontend_full *f = full(base);
   uint32_t units = 0;
   const struct emul_program *programs[ATTILA_NUM_STAGES] = {NULL, NULL};
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (!f->current[s])
         continue;
      programs[s] = f->current[s]->program;
      units |= emul_program_isa(programs[s])->tex_units;
   }
   struct tex_bank *tex = tex_states(f, units);
   tex->refs++;
   state->tex = tex->s;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      f->consts[s]->refs++;
      state->consts[s] = f->consts[s]->c;
   }
   state->vs = programs[ATTILA_STAGE_VERTEX];
   state->fs = programs[ATTILA_STAGE_FRAGMENT];
   if (!emul_draw_state_init(state, &base->regs, cmd, base->gpu->memory_size, error, error_size)) {
      sim_frontend_end_draw(base, state);
      return false;
   }
   return true;
}

void
sim_frontend_end_draw(struct sim_frontend *base, struct emul_draw_state *state)
{
   struct sim_frontend_full *f = full(base);
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (state->consts[s])
         release_consts(f, (struct const_bank *)state->consts[s]);
      state->consts[s] = NULL;
   }
   if (state->tex)
      release_tex(f, (struct tex_bank *)state->tex);
   state->tex = NULL;
}
