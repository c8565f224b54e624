/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Commands in the lists of a tile-based machine, which a ROP executes in the bin that is being
 * drawn, when the bin's quads before it have been written and none behind it has been looked at.
 * - A clear changes the block states of the bin, as a command of the command processor does of all
 *   (rop_command.c). What draws left there before it never goes to memory.
 * - A resolve averages the samples of the bin's tiles in its colour buffer, and writes the averages
 *   to another surface. Blocks that the bin has not used are read for it, or are clear.
 * - In a bin that is not drawn (RenderingElimination) the contents of an earlier pass come back.
 * Not here: the end of the bin (rop_bin.c), transfers (rop_transfer.c). */
#include "box/rop/rop_cache.h"
#include "emul/rop/emul_blit.h"

/* Moves to the first own block from here on; false: none is left. */
static bool
rop_listed_find(const struct rop_cache *c, struct rop_listed_walk *w)
{
   for (; w->ty < w->y1; w->ty++, w->tx = w->x0) {
      for (; w->tx < w->x1; w->tx++) {
         if (sim_tile_rop(c->num_rops, w->tx, w->ty) == c->rop)
            return true;
      }
   }
   return false;
}

static uint32_t
rop_listed_least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

static bool
rop_listed_first(const struct rop_cache *c, const struct rop_surface *s, const struct sim_listed *l,
                 uint32_t bin, struct rop_listed_walk *w)
{
   const uint32_t x = bin & 0xffff, y = bin >> 16, dim = ATTILA_TILE_DIM;
   *w = (struct rop_listed_walk){
       .x0 = x / dim,
       .x1 = rop_listed_least((x + l->bin_width) / dim, s->bind.width_tiles),
       .y1 = rop_listed_least((y + l->bin_height) / dim, s->bind.height_tiles),
       .tx = x / dim,
       .ty = y / dim,
   };
   return rop_listed_find(c, w);
}

static bool
rop_listed_next(const struct rop_cache *c, const struct rop_surface *s, struct rop_listed_walk *w)
{
   if (++w->part < s->parts)
      return true;
   w->part = 0;
   w->tx++;
   return rop_listed_find(c, w);
}

/* Finds the n-th surface of the clear. False: there is none, or it needs a flush first. */
static bool
rop_listed_target(struct rop_cache *c, const struct sim_listed *l, unsigned n, int *surface,
                  uint8_t value[16], unsigned *planes)
{
   struct rop_binding bind;
   if (!c->clear_target(c, &l->clear, n, &bind, value, planes))
      return false;
   *surface = rop_cache_bind(c, &bind);
   c->want_work_id = l->clear.work_id;
   c->want_flush |= *surface < 0;
   return *surface >= 0;
}

/* Returns whether a block of the bin is on its way to memory, where it would arrive after the
 * clear. */
static bool
rop_listed_under_way(const struct rop_cache *c, const struct rop_surface *s,
                     const struct sim_listed *l, uint32_t bin)
{
   struct rop_listed_walk w;
   for (bool more = c->num_posted && rop_listed_first(c, s, l, bin, &w); more;
        more = rop_listed_next(c, s, &w)) {
      const uint32_t address = rop_block_address(s, w.tx, w.ty, w.part);
      if (rop_transfer_contents(c, address) != c->box->gpu->device->memory + address)
         return true;
   }
   return false;
}

/* Clears the bin's blocks of a surface; returns how many. */
static uint32_t
rop_listed_clear_blocks(struct rop_cache *c, unsigned surface, const struct sim_listed *l,
                        uint32_t bin, const uint8_t value[16], unsigned planes)
{
   struct rop_surface *s = &c->surface[surface];
   const struct rop_clearing to = rop_clear_planes(s, planes, value);
   struct rop_listed_walk w;
   uint32_t blocks = 0;
   for (bool more = rop_listed_first(c, s, l, bin, &w); more; more = rop_listed_next(c, s, &w)) {
      const uint32_t own = rop_own_number(c, s, w.tx, w.ty);
      const int line = rop_cache_find(c, surface, w.tx, w.ty, w.part);
      rop_clear_block(c, s, rop_block_number(s, own, w.part),
                      rop_block_address(s, w.tx, w.ty, w.part), &to);
      if (line >= 0)
         rop_clear_line(c, (unsigned)line, &to);
      blocks++;
   }
   return blocks;
}

/* Clears the bin in the time that its block states take. */
static enum rop_progress
rop_listed_clear(struct rop_cache *c, const struct sim_listed *l, uint32_t bin, sim_tick now)
{
   uint8_t value[16];
   unsigned planes;
   uint32_t blocks = 0;
   int surface;
   if (c->listed_until) {
      if (now < c->listed_until)
         return ROP_WAITS;
      c->listed_until = 0;
      return ROP_DONE;
   }
   for (unsigned n = 0; n < ATTILA_MAX_COLOR_BUFFERS; n++) {
      if (rop_listed_target(c, l, n, &surface, value, &planes) &&
          rop_listed_under_way(c, &c->surface[surface], l, bin))
         return ROP_WAITS;
   }
   if (c->want_flush)
      return ROP_WAITS;
   for (unsigned n = 0; n < ATTILA_MAX_COLOR_BUFFERS; n++) {
      if (rop_listed_target(c, l, n, &surface, value, &planes))
         blocks += rop_listed_clear_blocks(c, (unsigned)surface, l, bin, value, planes);
   }
   if (!blocks)
      return ROP_DONE;
   c->listed_until = now + (blocks + c->blocks_cleared - 1) / c->blocks_cleared * c->box->period;
   return ROP_WORKS;
}

/* --- Averages --- */

/* Averages the tile's pixels from first on into a block of the destination, which begins with what
 * memory holds: pixels outside of the box stay. */
static void
rop_listed_average(const struct rop_cache *c, const struct sim_listed *l,
                   const struct rop_listed_walk *w, uint32_t first, uint32_t num, uint8_t *out)
{
   const struct rop_surface *s = &c->surface[c->resolving.surface];
   const struct attila_cmd_blit *b = &l->blit;
   struct emul_resolve average;
   emul_resolve_start(&average, b);
   for (uint32_t sample = 0; sample < b->samples; sample++) {
      for (uint32_t i = first; i < first + num; i++) {
         const uint32_t n = attila_sample_number(b->samples, sample, i);
         const uint8_t *block = rop_cache_contents(c, (unsigned)c->resolving.surface, w->tx, w->ty,
                                                   n / s->block_elements);
         emul_resolve_add(&average, b, i, block + n % s->block_elements * s->element_bytes);
      }
   }
   for (uint32_t i = first; i < first + num; i++) {
      if (w->tx * 8 + ATTILA_GATHER8(i) < b->width &&
          w->ty * 8 + ATTILA_GATHER8(i >> 1) < b->height)
         emul_resolve_store(&average, b, i, out + (i - first) * b->element_bytes);
   }
}

/* Writes the next block of a tile's averages to memory. */
static enum rop_progress
rop_listed_write(struct rop_cache *c, const struct sim_listed *l)
{
   struct rop_resolving *r = &c->resolving;
   struct sim_device *d = c->box->gpu->device;
   const struct attila_cmd_blit *b = &l->blit;
   const uint32_t tile = ATTILA_TILE_ELEMENTS * b->element_bytes,
                  bytes = tile < ROP_LINE_BYTES ? tile : ROP_LINE_BYTES,
                  num = bytes / b->element_bytes,
                  address = emul_blit_address(b, &b->dst, r->walk.tx * 8, r->walk.ty * 8, 0, 0) +
                            r->written * bytes;
   struct rop_request *q = rop_transfer_request(c, true);
   if (!q)
      return ROP_WAITS;
   q->raw = true;
   q->wire_bytes = (uint16_t)sim_blocks_dma_bytes(&d->blocks, address, bytes, true);
   c->posted[q->posted] = (struct rop_posted){
       .address = address, .bytes = (uint16_t)bytes, .work_id = l->clear.work_id};
   sim_work_ref(c->box->gpu->work, l->clear.work_id);
   memcpy(rop_posted_data(c, q->posted), d->memory + address, bytes);
   rop_listed_average(c, l, &r->walk, r->written * num, num, rop_posted_data(c, q->posted));
   rop_transfer_ask(c, q);
   r->written++;
   return r->written * bytes < tile ? ROP_WORKS : ROP_DONE;
}

/* Reads the next block of a tile's samples, from memory if the bin has not used it. */
static enum rop_progress
rop_listed_read(struct rop_cache *c, const struct sim_listed *l, sim_tick now)
{
   struct rop_resolving *r = &c->resolving;
   const struct rop_surface *s = &c->surface[r->surface];
   const struct sim_quad quad = {.x = (int32_t)r->walk.tx * 8, .y = (int32_t)r->walk.ty * 8};
   if (r->line < 0) {
      /* What a line lacks of a clear block is known without a read. */
      const uint32_t address = rop_block_address(s, r->walk.tx, r->walk.ty, r->walk.part);
      const bool clear =
          !sim_blocks_read_bytes(&c->box->gpu->device->blocks, address, s->block_bytes);
      r->line =
          rop_cache_reserve(c, (unsigned)r->surface, &quad, r->walk.part, !clear, l->clear.work_id);
      return r->line < 0 ? ROP_WAITS : ROP_WORKS;
   }
   if (!rop_cache_read(c, now, (unsigned)r->line, s->block_bytes, l->clear.work_id))
      return ROP_WAITS;
   rop_cache_written(c, (unsigned)r->line, 0, false, l->clear.work_id);
   r->line = -1;
   return ++r->walk.part < s->parts ? ROP_WORKS : ROP_DONE;
}

static bool
rop_listed_in_box(const struct rop_listed_walk *w, const struct attila_cmd_blit *b)
{
   return w->tx * 8 < b->width && w->ty * 8 < b->height;
}

/* Does a step of a resolve: tile after tile, all samples are read, then the averages written. */
static enum rop_progress
rop_listed_resolve(struct rop_cache *c, const struct sim_listed *l, uint32_t bin, sim_tick now)
{
   struct rop_resolving *r = &c->resolving;
   uint8_t value[16];
   unsigned planes;
   if (!r->on) {
      const unsigned n = (unsigned)__builtin_ctz(l->clear.buffers);
      if (!rop_listed_target(c, l, n, &r->surface, value, &planes))
         return c->want_flush ? ROP_WAITS : ROP_DONE;
      r->on = rop_listed_first(c, &c->surface[r->surface], l, bin, &r->walk);
      r->line = -1;
      r->read = false;
   }
   while (r->on) {
      if (!r->read && rop_listed_in_box(&r->walk, &l->blit)) {
         const enum rop_progress p = rop_listed_read(c, l, now);
         r->read = p == ROP_DONE;
         r->written = 0;
         return r->read ? ROP_WORKS : p;
      }
      if (r->read) {
         const enum rop_progress p = rop_listed_write(c, l);
         if (p != ROP_DONE)
            return p;
         c->resolved = true;
      }
      r->read = false;
      r->walk.part = 0;
      r->walk.tx++;
      r->on = rop_listed_find(c, &r->walk);
   }
   return ROP_DONE;
}

/* Makes memory and block states what they were at the end of the pass in which the bin was kept.
 * The machine has them there: it has only changed block states since. */
static void
rop_listed_restore(struct rop_cache *c, const struct sim_kept_bin *kept)
{
   struct sim_device *d = c->box->gpu->device;
   for (uint32_t i = 0; i < kept->num; i++) {
      const struct sim_kept_tile *t = &kept->tile[i];
      if (t->rop != c->rop || t->zs == c->colors)
         continue;
      memcpy(d->memory + t->address, kept->data + t->at, t->bytes);
      memcpy(d->blocks.stored + t->address / SIM_BLOCK_UNIT, kept->data + t->at + t->bytes,
             t->bytes / SIM_BLOCK_UNIT);
   }
}

enum rop_progress
rop_listed_step(struct rop_cache *c, const struct sim_listed *l, uint32_t bin, sim_tick now)
{
   if (l->restores) {
      rop_listed_restore(c, l->restores);
      return ROP_DONE;
   }
   if (!l->resolves)
      return rop_listed_clear(c, l, bin, now);
   return c->colors ? rop_listed_resolve(c, l, bin, now) : ROP_DONE;
}
