/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A ROP's known surfaces (rop_cache.h): shapes, own blocks, clear values. A surface that was
 * forgotten and is bound again gets its clear value from memory, where each block with its flag set
 * holds it (unwritten memory holds zeros). Blocks that differ, because another surface used their
 * memory, lose the flag. Not here: lines (rop_cache.c), commands (rop_command.c). */
#include <stdlib.h>

#include "box/rop/rop_cache.h"

bool
rop_walk_tile(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w)
{
   uint32_t tiles = rop_field_tiles(c), field = w->own / tiles, in_field = w->own % tiles;
   uint32_t square = in_field / 4 * c->num_rops + c->rop;
   w->tx = (field % s->fields_x * ROP_FIELD + ATTILA_GATHER8(square)) * 2 + (in_field & 1);
   w->ty =
       (field / s->fields_x * ROP_FIELD + ATTILA_GATHER8(square >> 1)) * 2 + (in_field >> 1 & 1);
   return square < ROP_FIELD * ROP_FIELD && w->tx < s->bind.width_tiles &&
          w->ty < s->bind.height_tiles;
}

bool
rop_walk_next(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w)
{
   uint32_t end = s->fields_x * s->fields_y * rop_field_tiles(c);
   if (++w->part < s->parts)
      return true;
   w->part = 0;
   /* The rest of a square needs no search. */
   while (++w->own % 4) {
      w->tx = (w->tx & ~1u) | (w->own & 1);
      w->ty = (w->ty & ~1u) | (w->own >> 1 & 1);
      if (w->tx < s->bind.width_tiles && w->ty < s->bind.height_tiles)
         return true;
   }
   while (w->own < end && !rop_walk_tile(c, s, w))
      w->own++;
   return w->own < end;
}

bool
rop_walk_first(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w)
{
   /* The first step adds one to own. */
   *w = (struct rop_walk){.own = UINT32_MAX, .part = s->parts};
   return rop_walk_next(c, s, w);
}

static inline uint64_t
rop_surface_element(const struct rop_surface *s, const uint8_t *data, uint32_t i)
{
   uint64_t v = 0;
   memcpy(&v, data + i * s->element_bytes, s->element_bytes == 8 ? 8 : 4);
   return v;
}

uint8_t
rop_clear_flags(const struct rop_surface *s, const uint8_t *data)
{
   if (!s->plane_mask[0] || !s->plane_mask[1])
      return s->plane_mask[1] ? SIM_BLOCK_DEPTH_CLEAR : SIM_BLOCK_STENCIL_CLEAR;
   uint64_t differ = 0;
   for (uint32_t i = 0; i < s->block_bytes / s->element_bytes; i++)
      differ |= rop_surface_element(s, data, i) ^ s->clear_value;
   return (uint8_t)((differ & s->plane_mask[0] ? 0 : SIM_BLOCK_DEPTH_CLEAR) |
                    (differ & s->plane_mask[1] ? 0 : SIM_BLOCK_STENCIL_CLEAR));
}

/* Takes clear values from blocks known to hold them, and clears the flags of others. */
static void
rop_surface_check_flags(const struct rop_cache *c, struct rop_surface *s)
{
   struct sim_device *d = c->box->gpu->device;
   static const uint8_t flag[2] = {SIM_BLOCK_DEPTH_CLEAR, SIM_BLOCK_STENCIL_CLEAR};
   struct rop_walk w;
   bool both = s->plane_mask[0] && s->plane_mask[1], known[2] = {false};
   for (bool more = rop_walk_first(c, s, &w); more; more = rop_walk_next(c, s, &w)) {
      uint32_t address = rop_walk_address(s, &w);
      uint8_t state = sim_block_state(&d->blocks, address), flags = 0;
      s->own_blocks++;
      bool never = state == SIM_BLOCK_NEVER_WRITTEN;
      if (!never && (sim_block_bytes(state) != s->block_bytes || sim_block_drawn(state))) {
         sim_block_set(&d->blocks, address, s->block_bytes, 4, 0);
         continue;
      }
      if (!both || !(state & SIM_BLOCK_NEVER_WRITTEN))
         continue;
      for (unsigned p = 0; p < 2; p++) {
         if (!known[p] && state & flag[p])
            s->clear_value |= rop_surface_element(s, d->memory + address, 0) & s->plane_mask[p];
         known[p] |= (state & flag[p]) != 0;
      }
      flags = state & rop_clear_flags(s, d->memory + address);
      uint32_t quarters = sim_block_quarters(state);
      if (flags != (state & SIM_BLOCK_NEVER_WRITTEN))
         sim_block_set(&d->blocks, address, s->block_bytes, quarters ? quarters : 4, flags);
   }
}

static uint64_t
rop_surface_end(const struct rop_binding *b)
{
   return b->address + attila_surface_bytes(b->pitch_tiles, b->width_tiles * ATTILA_TILE_DIM,
                                            b->height_tiles * ATTILA_TILE_DIM, b->samples,
                                            attila_formats[b->format].bytes);
}

static bool
rop_surface_fits(const struct rop_cache *c, const struct rop_binding *b)
{
   return b->format < ATTILA_NUM_FORMATS &&
          (attila_formats[b->format].uses & (ATTILA_USE_COLOR | ATTILA_USE_ZS)) && b->address &&
          b->address % ATTILA_SURFACE_ALIGN == 0 && b->samples &&
          attila_surface_fits(c->box->gpu->device->memory_size, b->address, b->pitch_tiles,
                              b->width_tiles * ATTILA_TILE_DIM, b->height_tiles * ATTILA_TILE_DIM,
                              b->samples, attila_formats[b->format].bytes);
}

/* Fills in the surface's shape. */
static void
rop_surface_describe(struct rop_cache *c, struct rop_surface *s, const struct rop_binding *bind)
{
   const struct attila_format_desc *f = &attila_formats[bind->format];
   const uint32_t plane_bytes = ATTILA_TILE_ELEMENTS * f->bytes; /* per sample of a tile */
   c->last.surface = UINT32_MAX;
   free(s->signature);
   *s = (struct rop_surface){.bind = *bind, .used = true, .element_bytes = f->bytes};
   s->block_bytes = plane_bytes < c->line_bytes ? plane_bytes : c->line_bytes;
   s->parts = plane_bytes / s->block_bytes * bind->samples;
   s->block_elements = s->block_bytes / f->bytes;
   s->fields_x = sim_tile_fields(bind->pitch_tiles);
   s->fields_y = sim_tile_fields(bind->height_tiles);
   bool zs = f->uses & ATTILA_USE_ZS;
   s->red_third = !zs && f->bytes == 4 && f->channel[0].bits == 8 && f->channel[0].shift == 16;
   s->plane_mask[0] = !zs ? UINT64_MAX : emul_zs_plane_mask(f, 1);
   s->plane_mask[1] = !zs ? 0 : emul_zs_plane_mask(f, 2);
}

static void
rop_surface_create(struct rop_cache *c, struct rop_surface *s, const struct rop_binding *bind)
{
   rop_surface_describe(c, s, bind);
   rop_surface_check_flags(c, s);
}

bool
rop_surface_restore(struct rop_cache *c, struct rop_surface *s, const struct rop_binding *bind)
{
   struct rop_walk w;
   if (!rop_surface_fits(c, bind))
      return false;
   rop_surface_describe(c, s, bind);
   for (bool more = rop_walk_first(c, s, &w); more; more = rop_walk_next(c, s, &w))
      s->own_blocks++;
   return true;
}

int
rop_cache_bind(struct rop_cache *c, const struct rop_binding *bind)
{
   int place = -1;
   uint32_t oldest = 0;
   c->bind_clock++;
   for (int i = 0; i < ROP_MAX_SURFACES; i++) {
      struct rop_surface *s = &c->surface[i];
      if (s->used && memcmp(&s->bind, bind, sizeof(*bind)) == 0) {
         s->last_bound = c->bind_clock;
         return i;
      }
   }
   if (!rop_surface_fits(c, bind)) {
      sim_error(
          c->box,
          "surface at 0x%x (format %u, %u tiles per row, %u rows, %u samples) is not inside memory",
          bind->address, bind->format, bind->pitch_tiles, bind->height_tiles, bind->samples);
      return -1;
   }
   for (int i = 0; i < ROP_MAX_SURFACES; i++) {
      struct rop_surface *s = &c->surface[i];
      if (s->used && bind->address < rop_surface_end(&s->bind) &&
          s->bind.address < rop_surface_end(bind)) {
         if (s->lines)
            return -1;
         s->used = false;
      }
      uint32_t age = s->used ? c->bind_clock - s->last_bound : UINT32_MAX;
      if (!s->lines && age > oldest) {
         place = i;
         oldest = age;
      }
   }
   if (place >= 0) {
      rop_surface_create(c, &c->surface[place], bind);
      c->surface[place].last_bound = c->bind_clock;
   }
   return place;
}

void
rop_surface_dump(const struct rop_cache *c, FILE *f)
{
   for (unsigned i = 0; i < ROP_MAX_SURFACES; i++) {
      const struct rop_surface *s = &c->surface[i];
      if (s->used)
         fprintf(f, "   surface 0x%x format %s: %u blocks, %u in the cache\n", s->bind.address,
                 attila_formats[s->bind.format].name, s->own_blocks, s->lines);
   }
}
