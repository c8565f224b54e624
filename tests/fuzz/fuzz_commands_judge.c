/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What may be asked of a random command stream (fuzz_commands.h): whether it is done soon, and
 * whether both modes must leave the same memory. It only decides what is tested; what is valid
 * decides the simulator (decode/sim_check.c). */
#include "fuzz_commands.h"

#include <string.h>
#include "hw/attila_cmd.h"

#define MAX_DRAWS 12
#define MAX_VERTICES 96    /* of a draw that is executed */
#define MAX_ELEMENTS 65536 /* of a blit, of a scan-out */
#define MAX_READ 65536

struct judge {
   struct fuzz_verdict v;
   struct attila_regs regs; /* what was written last, by any context */
   unsigned draws;
   bool rendered; /* a draw or clear came */
   bool clean;    /* and a flush of everything behind it */
   bool scratch;  /* something was written there */
   bool streams;  /* draws write to FUZZ_STREAM */
};

static void
judge_regs(struct judge *j, const uint32_t *p, uint32_t words)
{
   struct attila_regs old = j->regs, *r = &j->regs;
   if (words < 2 || p[0] >= ATTILA_NUM_REGS || words - 1 > ATTILA_NUM_REGS - p[0])
      return; /* refused */
   memcpy((uint32_t *)r + p[0], p + 1, (words - 1) * 4);
   /* Sizes that are refused are welcome. */
   if ((r->fb_width > FUZZ_SIZE && r->fb_width <= ATTILA_MAX_SURFACE_DIM) ||
       (r->fb_height > FUZZ_SIZE && r->fb_height <= ATTILA_MAX_SURFACE_DIM))
      j->v.quick = false;
   bool changed = r->fb_width != old.fb_width || r->fb_height != old.fb_height ||
                  r->fb_samples != old.fb_samples || r->zs_address != old.zs_address ||
                  r->zs_format != old.zs_format || r->zs_pitch_tiles != old.zs_pitch_tiles;
   bool apart = (!r->zs_address || r->zs_address == FUZZ_ZS) && r->zs_pitch_tiles <= FUZZ_SIZE / 8;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *a = &r->color[i], *b = &old.color[i];
      changed |=
          a->address != b->address || a->format != b->format || a->pitch_tiles != b->pitch_tiles;
      apart &= !a->address || (i < 2 && a->address == FUZZ_COLOR(i));
      apart &= a->pitch_tiles <= FUZZ_SIZE / 8;
   }
   for (unsigned i = 0; i < ATTILA_MAX_TEX_UNITS; i++)
      apart &= !r->tex[i].address || r->tex[i].address >= FUZZ_DATA;
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++)
      apart &= !r->attrib[i].enable || r->attrib[i].address >= FUZZ_DATA;
   if (!apart || (changed && j->rendered))
      j->v.same_memory = false;
}

/* Whether what a draw reads ends before what stream-out writes. Texels have 16 bytes at most, and
 * levels as much again. */
static bool
judge_reads_before_stream(const struct attila_regs *r, const struct attila_cmd_draw *d)
{
   if (d->index_address + ((uint64_t)d->start + d->count) * d->index_size > FUZZ_STREAM)
      return false;
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++) {
      if (r->attrib[i].enable && (uint64_t)r->attrib[i].address + r->attrib[i].limit > FUZZ_STREAM)
         return false;
   }
   for (unsigned i = 0; i < ATTILA_MAX_TEX_UNITS; i++) {
      const struct attila_tex_regs *t = &r->tex[i];
      if (t->address + 32ull * t->width * t->height * t->depth > FUZZ_STREAM)
         return false;
   }
   return true;
}

static void
judge_stream_targets(struct judge *j, const struct attila_stream_target *t)
{
   j->streams = false;
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++, t++) {
      if ((t->filled && t->filled < FUZZ_DATA) ||
          (t->size && (t->address < FUZZ_STREAM || (uint64_t)t->address + t->size > FUZZ_MEMORY)))
         j->v.same_memory = false;
      j->streams |= t->size != 0;
   }
}

static void
judge_draw(struct judge *j, const struct attila_cmd_draw *d)
{
   if (j->streams && !judge_reads_before_stream(&j->regs, d))
      j->v.same_memory = false;
   uint64_t vertices = (uint64_t)d->count * d->num_instances;
   if (++j->draws > MAX_DRAWS || (vertices > MAX_VERTICES && vertices <= FUZZ_DRAW_VERTICES))
      j->v.quick = false;
   if (j->scratch || (d->index_size && d->index_address < FUZZ_DATA))
      j->v.same_memory = false;
   j->rendered = true;
   j->clean = false;
}

static void
judge_blit(struct judge *j, const struct attila_cmd_blit *b)
{
   if (b->width <= 1u << 20 && b->height <= 1u << 20 && b->depth <= 1u << 20 &&
       (uint64_t)b->width * b->height * b->depth > MAX_ELEMENTS)
      j->v.quick = false;
   if ((j->rendered && !j->clean) || b->src.address >= FUZZ_SCRATCH ||
       b->dst.address < FUZZ_SCRATCH)
      j->v.same_memory = false;
   j->scratch = true;
}

/* A swap with samples writes a picture. */
static void
judge_resolve(struct judge *j, const struct attila_cmd_swap *s)
{
   if ((j->rendered && !j->clean) || s->picture_address < FUZZ_SCRATCH)
      j->v.same_memory = false;
   j->scratch = true;
}

static void
judge_command(struct judge *j, uint32_t op, const uint32_t *p, uint32_t words)
{
   switch (op) {
   case ATTILA_CMD_WRITE_REGS:
      judge_regs(j, p, words);
      break;
   case ATTILA_CMD_CONTEXT:
      if (words && p[0])
         j->v.same_memory = false;
      break;
   case ATTILA_CMD_WRITE_BUFFER:
      if (words && (j->rendered || p[0] < FUZZ_DATA))
         j->v.same_memory = false;
      break;
   case ATTILA_CMD_READ_BUFFER:
      if (words >= 2 && p[1] > MAX_READ && p[1] <= FUZZ_MEMORY * 4)
         j->v.quick = false;
      break;
   case ATTILA_CMD_DRAW:
      if (words >= sizeof(struct attila_cmd_draw) / 4)
         judge_draw(j, (const struct attila_cmd_draw *)p);
      break;
   case ATTILA_CMD_CLEAR_COLOR:
   case ATTILA_CMD_CLEAR_ZS:
      j->rendered = true;
      j->clean = false;
      break;
   case ATTILA_CMD_FLUSH:
      if (words && (p[0] & 3) == (ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS))
         j->clean = true;
      break;
   case ATTILA_CMD_BLIT:
      if (words >= sizeof(struct attila_cmd_blit) / 4)
         judge_blit(j, (const struct attila_cmd_blit *)p);
      break;
   case ATTILA_CMD_WRITE_COUNTER:
      if (words >= 2 && (p[0] == ATTILA_COUNTER_TIME_NS || p[0] == ATTILA_COUNTER_GPU_CYCLES ||
                         p[0] == ATTILA_COUNTER_VS_INVOCATIONS ||
                         p[0] == ATTILA_COUNTER_FS_INVOCATIONS || p[1] < FUZZ_SCRATCH))
         j->v.same_memory = false;
      j->scratch = true;
      break;
   case ATTILA_CMD_STREAM_TARGETS:
      if (words >= 12)
         judge_stream_targets(j, (const struct attila_stream_target *)p);
      break;
   case ATTILA_CMD_VERTEX_COUNT:
   case ATTILA_CMD_INDIRECT:
      if (words && p[0] < FUZZ_DATA)
         j->v.same_memory = false;
      break;
   case ATTILA_CMD_SWAP:
      if (words >= sizeof(struct attila_cmd_swap) / 4 && (p[5] & ATTILA_SWAP_RESOLVE))
         judge_resolve(j, (const struct attila_cmd_swap *)p);
      if (words >= 5 && p[3] <= ATTILA_MAX_SURFACE_DIM && p[4] <= ATTILA_MAX_SURFACE_DIM &&
          (uint64_t)p[3] * p[4] > MAX_ELEMENTS)
         j->v.quick = false;
      break;
   default:
      break;
   }
}

struct fuzz_verdict
fuzz_judge(const uint32_t *words, size_t num)
{
   struct judge j = {.v = {.quick = true, .same_memory = true}};
   for (size_t at = 0; at < num;) {
      uint32_t op = ATTILA_CMD_OP(words[at]), n = ATTILA_CMD_WORDS(words[at]);
      if (n >= num - at)
         break; /* refused */
      judge_command(&j, op, words + at + 1, n);
      at += 1 + n;
   }
   return j.v;
}
