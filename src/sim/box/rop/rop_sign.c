/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Transaction elimination of a tile-based machine (the name is ARM's): a colour writer keeps a
 * signature of what memory has of each of its squares of 16x16 pixels. When a bin ends and its
 * squares have the signatures of before, their lines need not be written. What another unit writes,
 * and what leaves the cache before its bin has ended, makes a signature unknown. A clear of a whole
 * surface changes block states alone, so memory keeps what the signatures say.
 * Signatures (box/signature.h) take no time, and pixels do not depend on them, as memory gets the
 * line's contents even so, in no time. Not here: what becomes of the lines (rop_bin.c). */
#include "box/rop/rop_cache.h"
#include "box/signature.h"

#include <stdlib.h>

static uint32_t
rop_sign_square(const struct rop_surface *s, uint32_t block)
{
   return block / (4 * s->parts);
}

static uint32_t
rop_sign_squares(const struct rop_cache *c, const struct rop_surface *s)
{
   return s->fields_x * s->fields_y * rop_field_tiles(c) / 4;
}

void
rop_sign_forget(struct rop_cache *c, const struct rop_line *l)
{
   struct rop_surface *s = &c->surface[l->surface];
   if (s->signature)
      s->signature[rop_sign_square(s, l->block)] = 0;
}

void
rop_sign_forget_range(struct rop_cache *c, uint64_t start, uint64_t end)
{
   for (unsigned i = 0; i < ROP_MAX_SURFACES; i++) {
      struct rop_surface *s = &c->surface[i];
      const uint64_t bytes = attila_surface_bytes(
          s->bind.pitch_tiles, s->bind.width_tiles * ATTILA_TILE_DIM,
          s->bind.height_tiles * ATTILA_TILE_DIM, s->bind.samples, s->element_bytes);
      if (s->signature && s->bind.address < end && start < s->bind.address + bytes)
         memset(s->signature, 0, rop_sign_squares(c, s) * sizeof(*s->signature));
   }
}

/* Adds a block as memory will have it, and whether it is a clear one, which is not stored. Lines of
 * a bin that is still being drawn do not count. */
static uint64_t
rop_sign_add_block(const struct rop_cache *c, const struct rop_surface *s, const struct rop_walk *w,
                   uint64_t sum)
{
   const uint32_t newest = c->bins - c->bins_ended, address = rop_walk_address(s, w);
   const int i = rop_cache_find(c, (unsigned)(s - c->surface), w->tx, w->ty, w->part);
   const bool drawn = i >= 0 && c->line[i].dirty && (int32_t)(c->line[i].bin - newest) <= 0,
              stored = drawn || sim_block_quarters(
                                    sim_block_state(&c->box->gpu->device->blocks, address)) != 0;
   const uint8_t *data = drawn ? rop_cache_data(c, (unsigned)i) : rop_transfer_contents(c, address);
   for (uint32_t at = 0; at < s->block_bytes; at += 8) {
      uint64_t word;
      memcpy(&word, data + at, 8);
      sum = signature_add(sum, word);
   }
   return signature_add(sum, stored);
}

/* Returns the signature of a square as it is now, not 0. */
static uint64_t
rop_sign_make(struct rop_cache *c, const struct rop_surface *s, uint32_t square, unsigned work_id)
{
   uint64_t sum = SIGNATURE_START;
   for (uint32_t i = 0; i < 4 * s->parts; i++) {
      struct rop_walk w = {.own = 4 * square + i / s->parts, .part = i % s->parts};
      if (!rop_walk_tile(c, s, &w))
         continue;
      sum = rop_sign_add_block(c, s, &w, sum);
      *rop_stat(c, work_id, ROP_STAT_signed_bytes) += s->block_bytes;
   }
   return sum ? sum : 1;
}

/* Compares a square with memory, and notes what that will have. */
static bool
rop_sign_compare(struct rop_cache *c, struct rop_surface *s, uint32_t square, unsigned work_id)
{
   const uint64_t now = rop_sign_make(c, s, square, work_id);
   if (!s->signature)
      s->signature = sim_xcalloc(rop_sign_squares(c, s), sizeof(*s->signature));
   const bool same = s->signature[square] == now;
   s->signature[square] = now;
   return same;
}

bool
rop_sign_same(struct rop_cache *c, const struct rop_line *l)
{
   struct rop_surface *s = &c->surface[l->surface];
   const uint32_t square = rop_sign_square(s, l->block);
   if (!c->signs || !rop_has_state(c, l->block))
      return false;
   for (uint32_t i = 0; i < c->num_squares; i++) {
      const struct rop_square *q = &c->squares[i];
      if (q->surface == l->surface && q->number == square)
         return q->same &&
                rop_transfer_contents(c, l->address) == c->box->gpu->device->memory + l->address;
   }
   if (c->num_squares == ROP_SQUARES)
      return false;
   c->squares[c->num_squares++] =
       (struct rop_square){.surface = l->surface,
                           .number = square,
                           .same = rop_sign_compare(c, s, square, l->dirty_work_id)};
   return rop_sign_same(c, l);
}
