/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z, the buffer's contents: a table of HZSurfaces depth surfaces (memory range, shape,
 * place) and their bounds. The papers and the release of 2015 leave open what happens when a
 * program goes on with another depth surface (the release has one unnamed surface, and its driver
 * disables HZ until the next clear). Here bounds stay until another unit writes to that memory, or
 * the least recently used surface gives room to a new one. The 16 tiles of an aligned 4x4 group are
 * neighbours in the buffer, in Morton order, a tile's blocks side by side, so an HZ cache line is a
 * square on the screen. Not here: when bounds are read and at what cost (variants). */
#include "box/raster/hz.h"

static uint32_t
hz_surface_blocks_needed(const struct hz_surface *s)
{
   uint64_t groups = (uint64_t)s->row * ((s->height_tiles + 3) / 4);
   uint64_t blocks = groups * 16 * s->parts;
   return blocks < UINT32_MAX ? (uint32_t)blocks : UINT32_MAX;
}

/* Sets the members that follow from the surface's format and pitch. */
static void
hz_surface_shape(struct hz_surface *s)
{
   const uint32_t plane = ATTILA_TILE_ELEMENTS * s->format->bytes;
   s->parts = (plane > HZ_BLOCK_BYTES ? plane / HZ_BLOCK_BYTES : 1) * s->samples;
   s->row = (s->pitch_tiles + 3) / 4;
}

static struct hz_surface
hz_surface_describe(const struct attila_regs *regs)
{
   struct hz_surface s = {.start = regs->zs_address,
                          .format = &attila_formats[regs->zs_format],
                          .pitch_tiles = regs->zs_pitch_tiles,
                          .height_tiles = (regs->fb_height + 7) / 8,
                          .samples = regs->fb_samples > 1 ? regs->fb_samples : 1};
   hz_surface_shape(&s);
   s.end = s.start + attila_surface_bytes(s.pitch_tiles, regs->fb_width, regs->fb_height, s.samples,
                                          s.format->bytes);
   return s;
}

void
hz_surface_forget(struct hz *h, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < h->num_surfaces; i++) {
      struct hz_surface *s = &h->surface[i];
      s->live = s->live && (s->start >= end || s->end <= start);
   }
}

struct hz_surface *
hz_surface_find(struct hz *h, const struct attila_regs *regs)
{
   struct hz_surface wanted = hz_surface_describe(regs), *found = NULL;
   for (uint32_t i = 0; i < h->num_surfaces; i++) {
      struct hz_surface *s = &h->surface[i];
      if (!s->live || s->start >= wanted.end || s->end <= wanted.start)
         continue;
      if (s->start == wanted.start && s->format->bytes == wanted.format->bytes &&
          s->format->channel[0].bits == wanted.format->channel[0].bits &&
          s->format->channel[1].bits == wanted.format->channel[1].bits &&
          s->pitch_tiles == wanted.pitch_tiles && s->samples == wanted.samples &&
          s->height_tiles >= wanted.height_tiles)
         found = s;
      else
         s->live = false;
   }
   if (found) {
      found->used = ++h->surface_clock;
      found->end = wanted.end > found->end ? wanted.end : found->end;
   }
   return found;
}

/* Returns the first gap of this many blocks between live surfaces, or UINT32_MAX. */
static uint32_t
hz_surface_find_room(const struct hz *h, uint32_t blocks)
{
   uint32_t base = 0;
   for (uint32_t i = 0; i < h->num_surfaces; i++) {
      const struct hz_surface *s = &h->surface[i];
      if (s->live && s->base < base + blocks && s->base + s->blocks > base) {
         base = s->base + s->blocks;
         i = UINT32_MAX; /* start again */
      }
   }
   return blocks <= h->size && base <= h->size - blocks ? base : UINT32_MAX;
}

static struct hz_surface *
hz_surface_least_used(struct hz *h)
{
   struct hz_surface *s = NULL;
   for (uint32_t i = 0; i < h->num_surfaces; i++) {
      struct hz_surface *o = &h->surface[i];
      if (o->live && (!s || o->used < s->used))
         s = o;
   }
   return s;
}

struct hz_surface *
hz_surface_add(struct hz *h, const struct attila_regs *regs, int64_t epoch)
{
   struct hz_surface new = hz_surface_describe(regs), *s = NULL;
   new.blocks = hz_surface_blocks_needed(&new);
   if (new.blocks > h->size)
      new.blocks = h->size;
   for (uint32_t i = 0; i < h->num_surfaces && !s; i++)
      s = h->surface[i].live ? NULL : &h->surface[i];
   if (!s) {
      s = hz_surface_least_used(h);
      s->live = false;
   }
   while ((new.base = hz_surface_find_room(h, new.blocks)) == UINT32_MAX)
      hz_surface_least_used(h)->live = false;
   new.live = true;
   new.used = ++h->surface_clock;
   new.void_far = new.void_near = epoch - 1;
   *s = new;
   for (uint32_t i = s->base; i < s->base + s->blocks; i++) {
      h->far[i] = EMUL_ZS_FARTHER;
      h->near[i] = EMUL_ZS_NEARER;
   }
   h->variant->reset(h);
   return s;
}

uint32_t
hz_surface_blocks(const struct hz_surface *s, uint32_t tx, uint32_t ty, uint32_t *count)
{
   const uint32_t n = s->parts;
   uint64_t tile = ((uint64_t)(ty / 4) * s->row + tx / 4) * 16 + attila_morton8(tx & 3, ty & 3);
   *count = (tile + 1) * n <= s->blocks ? n : 0;
   return *count ? s->base + (uint32_t)(tile * n) : 0;
}

static bool
hz_surface_set_bounds(struct hz *h, uint32_t block, uint32_t near, uint32_t far, bool here)
{
   if (h->near[block] == near && h->far[block] == far)
      return false;
   h->near[block] = near;
   h->far[block] = far;
   h->variant->changed(h, block, here);
   return true;
}

static uint32_t
hz_surface_code(const struct hz *h, const struct hz_surface *s, uint32_t depth)
{
   return depth == EMUL_ZS_NEARER || depth == EMUL_ZS_FARTHER ? depth
                                                              : h->variant->code(s->format, depth);
}

bool
hz_surface_set(struct hz *h, const struct hz_surface *s, uint32_t address, uint32_t bytes,
               const uint32_t *near, const uint32_t *far)
{
   const uint32_t block = hz_surface_block_bytes(s);
   uint32_t number = (uint32_t)((address - s->start) / block), tx, ty, count;
   attila_tile_of_number(s->pitch_tiles, number / s->parts, &tx, &ty);
   uint32_t first = hz_surface_blocks(s, tx, ty, &count);
   if (!count)
      return false;
   first += number % count;
   for (uint32_t b = first; b < first + bytes / block; b++)
      hz_surface_set_bounds(h, b, near ? hz_surface_code(h, s, *near) : h->near[b],
                            far ? hz_surface_code(h, s, *far) : h->far[b], false);
   return true;
}

void
hz_surface_update(struct hz *h, const struct msg_hz *m)
{
   for (uint32_t i = 0; i < h->num_surfaces; i++) {
      const struct hz_surface *s = &h->surface[i];
      if (!s->live || m->address < s->start || m->address >= s->end)
         continue;
      bool far = (int64_t)m->epoch > s->void_far, near = (int64_t)m->epoch > s->void_near;
      if (!(far || near) ||
          !hz_surface_set(h, s, m->address, m->bytes, near ? &m->near : NULL, far ? &m->far : NULL))
         break;
      h->stat[m->work_id].writes++;
      return;
   }
   h->stat[m->work_id].void_updates++;
}

void
hz_surface_clear(struct hz *h, struct hz_surface *s, const struct attila_regs *regs, float depth)
{
   uint32_t bound = hz_surface_code(h, s, emul_zs_code(s->format, depth)), count;
   uint32_t width = (regs->fb_width + 7) / 8, height = (regs->fb_height + 7) / 8;
   for (uint32_t ty = 0; ty < height; ty++) {
      for (uint32_t tx = 0; tx < width; tx++) {
         uint32_t first = hz_surface_blocks(s, tx, ty, &count);
         for (uint32_t b = first; b < first + count; b++)
            h->near[b] = h->far[b] = bound;
      }
   }
   s->void_far = s->void_near = h->newest;
   s->blind = false;
   h->variant->reset(h);
}

bool
hz_surface_widen(struct hz *h, uint32_t block, uint32_t near, uint32_t far)
{
   uint32_t old_near = h->near[block], old_far = h->far[block];
   return hz_surface_set_bounds(h, block, h->lowers && near < old_near ? near : old_near,
                                h->raises && far > old_far ? far : old_far, false);
}

bool
hz_surface_settle(struct hz *h, const struct hz_tile *t)
{
   uint32_t near, far;
   bool any = false;
   /* A draw that came since may leave farther depths. */
   if ((int64_t)t->epoch <= t->surface->void_far)
      return false;
   hz_tile_range(h, t, &near, &far);
   for (uint32_t b = t->block; b < t->block + t->num_blocks; b++)
      any |= hz_surface_set_bounds(h, b, h->near[b], far < h->far[b] ? far : h->far[b], true);
   return any;
}

/* Clears the depth of a bin. */
static void
hz_surface_clear_bin(struct hz *h, struct hz_surface *s, const struct sim_listed *l, uint32_t bin)
{
   const struct attila_regs *regs = l->clear.regs;
   const uint32_t bound = hz_surface_code(h, s, emul_zs_code(s->format, l->clear.depth)),
                  x0 = (bin & 0xffff) / ATTILA_TILE_DIM, y0 = (bin >> 16) / ATTILA_TILE_DIM;
   uint32_t x1 = x0 + l->bin_width / ATTILA_TILE_DIM, y1 = y0 + l->bin_height / ATTILA_TILE_DIM;
   uint32_t count;
   x1 = x1 < (regs->fb_width + 7u) / 8 ? x1 : (regs->fb_width + 7u) / 8;
   y1 = y1 < (regs->fb_height + 7u) / 8 ? y1 : (regs->fb_height + 7u) / 8;
   for (uint32_t ty = y0; ty < y1; ty++) {
      for (uint32_t tx = x0; tx < x1; tx++) {
         const uint32_t first = hz_surface_blocks(s, tx, ty, &count);
         for (uint32_t b = first; b < first + count; b++)
            hz_surface_set_bounds(h, b, bound, bound, true);
      }
   }
   s->void_far = s->void_near = h->newest;
}

/* The contents of an earlier pass come back: nothing is known of them. */
static void
hz_surface_restore(struct hz *h, const struct sim_kept_bin *k)
{
   const uint32_t near = EMUL_ZS_NEARER, far = EMUL_ZS_FARTHER;
   for (uint32_t n = 0; n < k->num; n++) {
      const struct sim_kept_tile *t = &k->tile[n];
      for (uint32_t i = 0; t->zs && i < h->num_surfaces; i++) {
         struct hz_surface *s = &h->surface[i];
         if (!s->live || t->address < s->start || t->address >= s->end)
            continue;
         hz_surface_set(h, s, t->address, t->bytes, &near, &far);
         s->void_far = s->void_near = h->newest;
      }
   }
}

void
hz_surface_listed(struct hz *h, const struct msg_tile *m)
{
   const struct sim_listed *l = m->listed;
   if (l->restores) {
      hz_surface_restore(h, l->restores);
   } else if (l->clear.planes) {
      struct hz_surface *s = hz_surface_find(h, l->clear.regs);
      if (s && l->clear.planes & 1)
         hz_surface_clear_bin(h, s, l, m->bin);
   }
}

/* Returns whether a loaded surface is valid. */
static bool
hz_surface_makes_sense(const struct hz *h, const struct hz_surface *s)
{
   return s->pitch_tiles && s->height_tiles && s->samples && s->samples <= 64 && s->start &&
          s->start < s->end && s->end <= h->box.gpu->device->memory_size && s->blocks &&
          s->blocks <= h->size && s->base <= h->size - s->blocks;
}

void
hz_surface_state(struct hz *h, struct hz_surface *s, struct sim_state *st)
{
   uint32_t format = s->format ? (uint32_t)(s->format - attila_formats) : 0;
   uint8_t live = s->live, blind = s->blind;
   SIM_STATE(st, live);
   if (st->load)
      *s = (struct hz_surface){0};
   if (!live)
      return;
   SIM_STATE(st, format);
   SIM_STATE(st, s->start);
   SIM_STATE(st, s->end);
   SIM_STATE(st, s->pitch_tiles);
   SIM_STATE(st, s->height_tiles);
   SIM_STATE(st, s->samples);
   SIM_STATE(st, s->base);
   SIM_STATE(st, s->blocks);
   SIM_STATE(st, s->used);
   SIM_STATE(st, s->void_far);
   SIM_STATE(st, s->void_near);
   SIM_STATE(st, blind);
   if (!st->load || !sim_state_check(st, format < ATTILA_NUM_FORMATS &&
                                             attila_formats[format].uses & ATTILA_USE_ZS &&
                                             hz_surface_makes_sense(h, s)))
      return;
   s->format = &attila_formats[format];
   hz_surface_shape(s);
   s->live = true;
   s->blind = blind;
}
