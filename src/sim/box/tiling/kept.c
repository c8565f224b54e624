/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rendering elimination (kept.h). The signature of a bin is made of those of its draws
 * (box/command/cp_sign.c) and primitives (bins.c), in the order of its list, and of what its
 * targets hold when the pass begins. That must be clear, so a machine knows it from block states.
 * A bin without a signature is drawn. A machine finds what it does not draw in memory; here a clear
 * has written over that, so its contents and block states are kept at the end of the pass, and the
 * ROPs bring them back (box/rop/rop_listed.c). The signatures have 64 bits and stay on the chip.
 * Not here: which passes are kept, when they are stale (box/command/cp_sign.c). */
#include "box/tiling/kept.h"
#include "box/rop_tiles.h"
#include "box/signature.h"

#include <stdlib.h>

void
kept_forget(struct kept *k)
{
   for (uint32_t i = 0; i < k->num; i++)
      k->bin[i].is.signature = k->bin[i].now = 0;
}

void
kept_begin(struct kept *k, const struct bins *b, const struct sim_keeping *keeping)
{
   const uint32_t num = b->begun ? bins_number(b) : 0;
   if (keeping->stale || k->width != b->width || k->height != b->height || k->across != b->across)
      kept_forget(k);
   if (k->room < num) {
      k->bin = sim_xrealloc(k->bin, num * sizeof(*k->bin));
      memset(k->bin + k->room, 0, (num - k->room) * sizeof(*k->bin));
      k->room = num;
   }
   k->num = num > k->num ? num : k->num;
   k->width = b->width;
   k->height = b->height;
   k->across = b->across;
   k->targets = keeping->targets;
   for (uint32_t i = 0; i < k->num; i++)
      k->bin[i].now = 0;
}

/* --- Tiles of a bin --- */

/* A walk over the tiles of a bin in all targets. */
struct kept_walk {
   const struct attila_regs *regs;
   uint32_t targets; /* that are left */
   uint32_t x0, x1, y0, y1, samples;
};

static uint32_t
kept_least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

static struct kept_walk
kept_walk(const struct kept *k, const struct bins *b, uint32_t bin)
{
   const struct emul_draw_state *s = &b->bin[bin].entry[b->bin[bin].first]->draw->state;
   const uint32_t x = bin % b->across * b->width, y = bin / b->across * b->height;
   return (struct kept_walk){
       .regs = &s->regs,
       .targets = k->targets,
       .samples = s->samples,
       .x0 = x / ATTILA_TILE_DIM,
       .y0 = y / ATTILA_TILE_DIM,
       .x1 = (kept_least(x + b->width, s->regs.fb_width) + ATTILA_TILE_DIM - 1) / ATTILA_TILE_DIM,
       .y1 = (kept_least(y + b->height, s->regs.fb_height) + ATTILA_TILE_DIM - 1) / ATTILA_TILE_DIM,
   };
}

/* Calls take for each tile until it returns false; returns whether it never did. */
static bool
kept_each(const struct kept_walk *w, const struct bins *b,
          bool (*take)(void *data, const struct sim_device *d, const struct sim_kept_tile *tile),
          void *data)
{
   const struct sim_gpu *gpu = b->cache->box->gpu;
   for (uint32_t m = w->targets; m; m &= m - 1) {
      const unsigned i = (unsigned)__builtin_ctz(m);
      const bool zs = i == ATTILA_MAX_COLOR_BUFFERS;
      const uint32_t address = zs ? w->regs->zs_address : w->regs->color[i].address,
                     format = zs ? w->regs->zs_format : w->regs->color[i].format,
                     pitch = zs ? w->regs->zs_pitch_tiles : w->regs->color[i].pitch_tiles,
                     bytes = attila_formats[format % ATTILA_NUM_FORMATS].bytes;
      for (uint32_t n = 0; n < (w->x1 - w->x0) * (w->y1 - w->y0); n++) {
         const uint32_t tx = w->x0 + n % (w->x1 - w->x0), ty = w->y0 + n / (w->x1 - w->x0);
         const struct sim_kept_tile tile = {
             .address = address + (uint32_t)attila_tile_offset(pitch, w->samples, bytes, tx, ty),
             .bytes = ATTILA_TILE_ELEMENTS * w->samples * bytes,
             .rop = (uint8_t)sim_tile_rop(gpu->config.gpu.num_rops, tx, ty),
             .zs = zs};
         if (!take(data, gpu->device, &tile))
            return false;
      }
   }
   return true;
}

/* Adds a tile's contents to a signature; false if it is not clear. */
static bool
kept_sign_tile(void *data, const struct sim_device *d, const struct sim_kept_tile *tile)
{
   uint64_t *sum = data;
   for (uint32_t at = 0; at < tile->bytes; at += SIM_BLOCK_UNIT) {
      if (sim_block_quarters(sim_block_state(&d->blocks, tile->address + at)))
         return false;
   }
   *sum = signature_add_bytes(*sum, d->memory + tile->address, tile->bytes);
   return true;
}

static bool
kept_store_tile(void *data, const struct sim_device *d, const struct sim_kept_tile *tile)
{
   struct sim_kept_bin *bin = data;
   const uint32_t states = tile->bytes / SIM_BLOCK_UNIT;
   if (bin->num == bin->room) {
      bin->room = 2 * bin->room + 8;
      bin->tile = sim_xrealloc(bin->tile, bin->room * sizeof(*bin->tile));
   }
   const uint32_t at = bin->num
                           ? bin->tile[bin->num - 1].at + bin->tile[bin->num - 1].bytes /
                                                              SIM_BLOCK_UNIT * (SIM_BLOCK_UNIT + 1)
                           : 0;
   if (bin->data_room < at + tile->bytes + states) {
      bin->data_room = 2 * (size_t)(at + tile->bytes + states);
      bin->data = sim_xrealloc(bin->data, bin->data_room);
   }
   memcpy(bin->data + at, d->memory + tile->address, tile->bytes);
   memcpy(bin->data + at + tile->bytes, d->blocks.stored + tile->address / SIM_BLOCK_UNIT, states);
   bin->tile[bin->num] = *tile;
   bin->tile[bin->num++].at = at;
   return true;
}

/* --- Bins --- */

/* Returns the signature of a bin's inputs; 0: it has none. */
static uint64_t
kept_sign(const struct kept *k, const struct bins *b, uint32_t number)
{
   const struct bin *bin = &b->bin[number];
   const struct sim_draw *last = NULL;
   const struct kept_walk w = kept_walk(k, b, number);
   uint64_t sum = SIGNATURE_START;
   for (uint32_t i = bin->first; i < bin->num; i++) {
      const struct bins_prim *p = bin->entry[i];
      if (p->listed || !p->draw->signature)
         return 0;
      sum = p->draw == last ? sum : signature_add(sum, p->draw->signature);
      sum = signature_add(sum, p->signature);
      last = p->draw;
   }
   if (!kept_each(&w, b, kept_sign_tile, &sum))
      return 0;
   return sum ? sum : 1;
}

const struct bins_prim *
kept_same(struct kept *k, const struct bins *b, uint32_t number)
{
   struct kept_bin *bin = &k->bin[number];
   const uint64_t sum = kept_sign(k, b, number);
   if (!sum || sum != bin->is.signature) {
      bin->now = sum;
      bin->is.signature = 0;
      return NULL;
   }
   struct sim_draw *draw = b->bin[number].entry[b->bin[number].first]->draw;
   bin->listed =
       (struct sim_listed){.clear = {.work_id = draw->work_id}, .restores = &bin->is, .draw = draw};
   bin->prim = (struct bins_prim){.draw = draw, .listed = &bin->listed};
   return &bin->prim;
}

void
kept_store(struct kept *k, const struct bins *b)
{
   for (uint32_t i = 0; i < k->num; i++) {
      struct kept_bin *bin = &k->bin[i];
      if (!bin->now)
         continue;
      const struct kept_walk w = kept_walk(k, b, i);
      bin->is.num = 0;
      bin->is.signature = bin->now;
      kept_each(&w, b, kept_store_tile, &bin->is);
   }
}

void
kept_fini(struct kept *k)
{
   for (uint32_t i = 0; i < k->room; i++) {
      free(k->bin[i].is.tile);
      free(k->bin[i].is.data);
   }
   free(k->bin);
}
