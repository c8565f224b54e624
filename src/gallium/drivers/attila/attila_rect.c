/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Uploads and downloads of rectangles between linear images and textures in GPU memory. Uploads
 * write whole tiles, and in partly covered tiles only the bytes that change, so nothing is read
 * back. If the texture is in use, the data goes through linear staging memory and a BLIT, so that
 * its way over the bus need not wait. */
#include "attila_rect.h"

#include "attila_bo.h"
#include "attila_coherence.h"
#include "attila_cs.h"
#include "attila_lazy_zero.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_tiling.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#define READ_TILES 64 /* tiles per transfer to the host, if there are several */
#define MAX_STAGING                                                              \
   (256u << 10) /* bytes of GPU memory for a band of an upload; at least one row \
                 */

static struct attila_rect
attila_rect_level(const struct attila_resource *res, unsigned level)
{
   return (struct attila_rect){
       .width = DIV_ROUND_UP(u_minify(res->base.width0, level), res->block_width),
       .height = DIV_ROUND_UP(u_minify(res->base.height0, level), res->block_height)};
}

/* --- Linear to tiled --- */

/* The tiles of a level that a rectangle of elements touches, and a run of tiles adjacent in
 * memory. */
struct tile_runs {
   struct attila_tile_rect rect;
   unsigned pitch;
   uint32_t first, num, next; /* numbers of tiles in the slice; num 0: the end */
};

static struct tile_runs
attila_rect_touched_tiles(const struct attila_resource *res, unsigned level,
                          const struct attila_rect *r)
{
   return (struct tile_runs){.rect = {.x0 = r->x / 8,
                                      .y0 = r->y / 8,
                                      .x1 = DIV_ROUND_UP(r->x + r->width, 8),
                                      .y1 = DIV_ROUND_UP(r->y + r->height, 8)},
                             .pitch = res->layout.pitch_tiles[level]};
}

static bool
attila_rect_next_run(struct tile_runs *t, unsigned max_tiles)
{
   uint32_t tx, ty;
   t->first = attila_next_tile(t->pitch, &t->rect, t->next, &tx, &ty);
   if (t->first == UINT32_MAX)
      return false;
   for (t->num = 1; t->num < max_tiles; t->num++) {
      if (attila_next_tile(t->pitch, &t->rect, t->first + t->num, &tx, &ty) != t->first + t->num)
         break;
   }
   t->next = t->first + t->num;
   return true;
}

/* An upload of a rectangle of elements to a slice. */
struct upload {
   struct attila_cs *cs;
   const struct attila_rect *rect;
   struct attila_rect level;
   const uint8_t *src; /* first element of the rectangle */
   unsigned stride, bytes;
   uint32_t slice, pitch; /* address; tiles per row */
   bool no_wait;          /* further writes need not wait either */
};

/* Returns the written part of a tile, in elements of the tile. */
static struct attila_rect
attila_rect_written_part(const struct upload *u, uint32_t tx, uint32_t ty)
{
   const struct attila_rect *r = u->rect;
   const unsigned x0 = MAX2(r->x, tx * 8), x1 = MIN2(r->x + r->width, tx * 8 + 8);
   const unsigned y0 = MAX2(r->y, ty * 8), y1 = MIN2(r->y + r->height, ty * 8 + 8);
   return (struct attila_rect){x0 % 8, y0 % 8, x1 - x0, y1 - y0};
}

/* Returns whether the part is all of the level's elements in the tile. */
static bool
attila_rect_is_whole(const struct upload *u, uint32_t tx, uint32_t ty,
                     const struct attila_rect *part)
{
   return part->x == 0 && part->y == 0 &&
          (part->width == 8 || tx * 8 + part->width == u->level.width) &&
          (part->height == 8 || ty * 8 + part->height == u->level.height);
}

static void
attila_rect_store_part(const struct upload *u, uint32_t tx, uint32_t ty,
                       const struct attila_rect *part, uint8_t *tile)
{
   const unsigned x = tx * 8 + part->x - u->rect->x, y = ty * 8 + part->y - u->rect->y;
   attila_tile_store(tile, u->src + (size_t)y * u->stride + x * u->bytes, u->stride, part->x,
                     part->y, part->width, part->height, u->bytes);
}

static void
attila_rect_write_done(struct upload *u)
{
   if (!u->no_wait)
      attila_cs_waits(u->cs);
   u->no_wait = true;
}

/* Writes whole tiles, adjacent in memory, straight into a command's payload. */
static void
attila_rect_upload_tiles(struct upload *u, uint32_t first, unsigned num)
{
   const unsigned tile_bytes = ATTILA_TILE_ELEMENTS * u->bytes, size = num * tile_bytes;
   uint32_t *p = attila_cs_emit(u->cs, ATTILA_CMD_WRITE_BUFFER, 2 + size / 4), tx, ty;
   p[0] = u->slice + first * tile_bytes;
   p[1] = size | (u->no_wait ? ATTILA_BUFFER_NO_WAIT : 0);
   attila_rect_write_done(u);
   uint8_t *tile = (uint8_t *)(p + 2);
   for (unsigned i = 0; i < num; i++, tile += tile_bytes) {
      attila_tile_of_number(u->pitch, first + i, &tx, &ty);
      const struct attila_rect part = attila_rect_written_part(u, tx, ty);
      if (part.width < 8 || part.height < 8)
         memset(tile, 0, tile_bytes);
      attila_rect_store_part(u, tx, ty, &part, tile);
   }
}

/* Writes part of a tile, as runs of elements adjacent in memory. */
static void
attila_rect_upload_part(struct upload *u, uint32_t number, uint32_t tx, uint32_t ty,
                        const struct attila_rect *part)
{
   uint8_t tile[ATTILA_TILE_ELEMENTS * 16];
   uint64_t written = 0;
   for (unsigned y = part->y; y < part->y + part->height; y++) {
      for (unsigned x = part->x; x < part->x + part->width; x++)
         written |= BITFIELD64_BIT(attila_morton8(x, y));
   }
   attila_rect_store_part(u, tx, ty, part, tile);
   const uint32_t address = u->slice + number * ATTILA_TILE_ELEMENTS * u->bytes;
   while (written) {
      int start, count;
      u_bit_scan_consecutive_range64(&written, &start, &count);
      attila_cs_write_buffer(u->cs, address + start * u->bytes, tile + start * u->bytes,
                             count * u->bytes, u->no_wait);
      u->no_wait = true; /* one write has waited */
   }
}

static void
attila_rect_upload_runs(struct upload *u, struct tile_runs runs)
{
   while (attila_rect_next_run(&runs, ATTILA_CS_MAX_UPLOAD / (ATTILA_TILE_ELEMENTS * u->bytes))) {
      uint32_t first = runs.first, tx, ty; /* first of the whole tiles before the current one */
      for (uint32_t number = runs.first; number < runs.first + runs.num; number++) {
         attila_tile_of_number(runs.pitch, number, &tx, &ty);
         const struct attila_rect part = attila_rect_written_part(u, tx, ty);
         if (attila_rect_is_whole(u, tx, ty, &part))
            continue;
         if (number > first)
            attila_rect_upload_tiles(u, first, number - first);
         attila_rect_upload_part(u, number, tx, ty, &part);
         first = number + 1;
      }
      if (runs.first + runs.num > first)
         attila_rect_upload_tiles(u, first, runs.first + runs.num - first);
   }
}

/* Makes the staging memory at least this large; returns false if memory is exhausted. A blit
 * finishes before the next command begins, so the memory can be reused at once. */
static bool
attila_rect_reserve_staging(struct attila_cs *cs, uint32_t size)
{
   struct attila_bo bo;
   if (cs->staging.size >= size)
      return true;
   if (!attila_bo_alloc_reserved(&cs->screen->memory,
                                 MIN2(util_next_power_of_two(size), MAX_STAGING), 64, &bo))
      return false;
   attila_bo_free(&cs->screen->memory, &cs->staging);
   cs->staging = bo;
   return true;
}

/* Uploads a band of an image through staging memory and a blit. */
static void
attila_rect_upload_band(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                        unsigned z, const struct attila_rect *r, const uint8_t *src,
                        unsigned stride)
{
   const unsigned row = r->width * res->element_bytes, linear_stride = ALIGN_POT(row, 64);
   const uint32_t staging = cs->staging.address;
   for (unsigned y = 0; y < r->height; y++)
      attila_cs_write_buffer(cs, staging + y * linear_stride, src + (size_t)y * stride, row, true);

   struct attila_cmd_blit blit = {
       .src = {.address = staging,
               .linear_stride = linear_stride,
               .slice_stride = linear_stride * r->height},
       .dst = {.address = attila_slice_address(res, level, z),
               .pitch_tiles = res->layout.pitch_tiles[level],
               .slice_stride = res->layout.slice_stride[level],
               .x = r->x,
               .y = r->y},
       .width = r->width,
       .height = r->height,
       .depth = 1,
       .element_bytes = res->element_bytes,
       .samples = 1,
   };
   memcpy(attila_cs_emit(cs, ATTILA_CMD_BLIT, sizeof(blit) / 4), &blit, sizeof(blit));
}

/* Uploads through staging memory: data crosses the bus during earlier draws, and only the blit
 * waits for them. Staging stays small, as a second copy of the image may not fit; bands are aligned
 * to tiles if possible. Returns false if memory is exhausted. */
static bool
attila_rect_upload_blit(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                        unsigned z, const struct attila_rect *r, const uint8_t *src,
                        unsigned stride)
{
   const unsigned linear_stride = ALIGN_POT(r->width * res->element_bytes, 64);
   unsigned rows = MIN2(r->height, MAX2(MAX_STAGING / linear_stride, 1));
   while (!attila_rect_reserve_staging(cs, rows * linear_stride)) {
      if (rows == 1)
         return false;
      rows = DIV_ROUND_UP(rows, 2);
   }
   for (unsigned y = 0, height; y < r->height; y += height) {
      const unsigned end = r->y + y + rows, whole_tiles = end & ~7u;
      height = MIN2((whole_tiles > r->y + y ? whole_tiles : end) - (r->y + y), r->height - y);
      if (end >= r->y + r->height)
         height = r->height - y;
      const struct attila_rect band = {r->x, r->y + y, r->width, height};
      attila_rect_upload_band(cs, res, level, z, &band, src + (size_t)y * stride, stride);
   }
   return true;
}

void
attila_upload_rect(struct attila_cs *cs, struct attila_resource *res, unsigned level, unsigned z,
                   const struct attila_rect *rect, const uint8_t *src, unsigned stride)
{
   const struct attila_rect whole = attila_rect_level(res, level);
   if (!rect->width || !rect->height)
      return;
   /* No command reads a slice without contents. */
   const bool undefined = !attila_is_defined(res, level, z);
   if (rect->width == whole.width && rect->height == whole.height)
      attila_define_slices(res, level, z, 1);
   else
      attila_zero_slices(cs, res, level, z, 1);
   attila_resource_flush(cs, res);
   struct upload u = {.cs = cs,
                      .rect = rect,
                      .level = whole,
                      .src = src,
                      .stride = stride,
                      .bytes = res->element_bytes,
                      .slice = attila_slice_address(res, level, z),
                      .pitch = res->layout.pitch_tiles[level],
                      .no_wait = undefined || !attila_resource_is_busy(cs, res)};
   if (u.no_wait || !attila_rect_upload_blit(cs, res, level, z, rect, src, stride))
      attila_rect_upload_runs(&u, attila_rect_touched_tiles(res, level, rect));
}

/* --- Tiled to linear --- */

/* A download of a rectangle of elements of a slice. */
struct download {
   const struct attila_rect *rect;
   struct attila_tile_rect tiles;
   uint32_t pitch, first; /* tiles per row; the first tile's number */
   uint8_t *dst;          /* first element of the rectangle */
   unsigned stride, bytes;
};

/* Reads the part of the rectangle in a tile. */
static void
attila_rect_load_part(const struct download *d, uint32_t tx, uint32_t ty, const uint8_t *tile)
{
   const struct attila_rect *r = d->rect;
   const unsigned x0 = MAX2(tx * 8, r->x), x1 = MIN2(tx * 8 + 8, r->x + r->width);
   const unsigned y0 = MAX2(ty * 8, r->y), y1 = MIN2(ty * 8 + 8, r->y + r->height);
   attila_tile_load(tile, d->dst + (size_t)(y0 - r->y) * d->stride + (x0 - r->x) * d->bytes,
                    d->stride, x0 % 8, y0 % 8, x1 - x0, y1 - y0, d->bytes);
}

/* Fills pixels x0 .. x1 - 1 of rows y0 .. y1 - 1, as far as they are in the rectangle, with one
 * element. */
static void
attila_rect_load_cleared(const struct download *d, unsigned x0, unsigned y0, unsigned x1,
                         unsigned y1, const uint8_t *element)
{
   const struct attila_rect *r = d->rect;
   x0 = MAX2(x0, r->x);
   y0 = MAX2(y0, r->y);
   x1 = MIN2(x1, r->x + r->width);
   y1 = MIN2(y1, r->y + r->height);
   uint8_t *const first = d->dst + (size_t)(y0 - r->y) * d->stride + (size_t)(x0 - r->x) * d->bytes;
   const size_t row = (size_t)(x1 - x0) * d->bytes;
   memcpy(first, element, d->bytes);
   for (size_t done = d->bytes; done < row; done += MIN2(done, row - done))
      memcpy(first + done, first, MIN2(done, row - done));
   for (unsigned y = 1; y < y1 - y0; y++)
      memcpy(first + (size_t)y * d->stride, first, row);
}

/* Returns whether the whole rectangle has the clear value. */
static bool
attila_rect_all_cleared(const struct download *d, const struct attila_cleared *cleared)
{
   const uint32_t side = 1u << attila_super_shift(d->pitch),
                  block_tiles = attila_superblock_tiles(d->pitch);
   bool all = cleared->blocks;
   for (uint32_t ty = d->tiles.y0 & ~(side - 1); all && ty < d->tiles.y1; ty += side) {
      for (uint32_t tx = d->tiles.x0 & ~(side - 1); all && tx < d->tiles.x1; tx += side)
         all = cleared->blocks[attila_tile_number(d->pitch, tx, ty) / block_tiles];
   }
   return all;
}

/* Reads the rectangle from memory, which begins with its first tile. */
static void
attila_rect_download_tiles(void *user, const uint8_t *memory, const struct attila_cleared *cleared)
{
   const struct download *d = user;
   const struct attila_rect *r = d->rect;
   const size_t tile_bytes = (size_t)ATTILA_TILE_ELEMENTS * d->bytes;
   /* In most rectangles, such as a window of 800x600, every tile is whole. */
   const bool whole = (r->x | r->y | r->width | r->height) % 8 == 0;
   uint32_t number = d->first, tx, ty;
   if (attila_rect_all_cleared(d, cleared)) {
      attila_rect_load_cleared(d, r->x, r->y, r->x + r->width, r->y + r->height, cleared->element);
      return;
   }
   while ((number = attila_next_tile(d->pitch, &d->tiles, number, &tx, &ty)) != UINT32_MAX) {
      const uint32_t num = attila_tiles_together(d->pitch, &d->tiles, number, tx, ty);
      const uint8_t *tile = memory + (number - d->first) * tile_bytes;
      const bool one_element =
          cleared->blocks && cleared->blocks[number / attila_superblock_tiles(d->pitch)];
      const unsigned side = 8u << (ffs(num) - 1) / 2; /* pixels along a square of tiles */
      if (one_element)
         attila_rect_load_cleared(d, tx * 8, ty * 8, tx * 8 + side, ty * 8 + side,
                                  cleared->element);
      for (uint32_t i = 0; i < num && !one_element; i++, tile += tile_bytes) {
         const uint32_t x = tx + ATTILA_GATHER8(i), y = ty + ATTILA_GATHER8(i >> 1);
         if (whole)
            attila_tile_load(tile,
                             d->dst + (size_t)(y * 8 - r->y) * d->stride +
                                 (size_t)(x * 8 - r->x) * d->bytes,
                             d->stride, 0, 0, 8, 8, d->bytes);
         else
            attila_rect_load_part(d, x, y, tile);
      }
      number += num;
   }
}

/* Makes one transfer per run of tiles. */
static bool
attila_rect_download_runs(struct attila_screen *screen, const struct download *d,
                          struct tile_runs runs, uint32_t slice)
{
   const unsigned tile_bytes = ATTILA_TILE_ELEMENTS * d->bytes;
   uint8_t *tiles = MALLOC((size_t)READ_TILES * tile_bytes);
   bool ok = tiles;
   while (ok && attila_rect_next_run(&runs, READ_TILES)) {
      ok = attila_cs_read(screen, slice + runs.first * tile_bytes, tiles,
                          (size_t)runs.num * tile_bytes);
      for (uint32_t i = 0, tx, ty; ok && i < runs.num; i++) {
         attila_tile_of_number(d->pitch, runs.first + i, &tx, &ty);
         attila_rect_load_part(d, tx, ty, tiles + (size_t)i * tile_bytes);
      }
   }
   FREE(tiles);
   return ok;
}

/* Makes one transfer for all tiles. */
static bool
attila_rect_download_at_once(struct attila_screen *screen, struct download *d, uint32_t slice,
                             uint32_t num, bool scanned_out)
{
   const unsigned tile_bytes = ATTILA_TILE_ELEMENTS * d->bytes;
   const uint32_t address = slice + d->first * tile_bytes;
   const size_t size = (size_t)num * tile_bytes;
   if (scanned_out) {
      /* Clear information exists only for whole surfaces. */
      const struct attila_scanout shown = {.address = address,
                                           .size = size,
                                           .pitch_tiles = d->first ? 0 : d->pitch,
                                           .element_bytes = d->bytes,
                                           .width = d->rect->x + d->rect->width,
                                           .height = d->rect->y + d->rect->height};
      return attila_screen_scanout(screen, &shown, attila_rect_download_tiles, d);
   }
   uint8_t *tiles = MALLOC(size);
   const bool ok = tiles && attila_cs_read(screen, address, tiles, size);
   if (ok)
      attila_rect_download_tiles(d, tiles, &(struct attila_cleared){NULL});
   FREE(tiles);
   return ok;
}

bool
attila_download_rect(struct attila_cs *cs, struct attila_resource *res, unsigned level, unsigned z,
                     const struct attila_rect *r, uint8_t *dst, unsigned stride, bool scanned_out)
{
   const struct tile_runs runs = attila_rect_touched_tiles(res, level, r);
   const struct attila_tile_rect *t = &runs.rect;
   struct download d = {.rect = r,
                        .tiles = *t,
                        .pitch = runs.pitch,
                        .first = attila_tile_number(runs.pitch, t->x0, t->y0),
                        .dst = dst,
                        .stride = stride,
                        .bytes = res->element_bytes};
   const uint32_t slice = attila_slice_address(res, level, z);

   if (!attila_is_defined(res, level, z)) {
      for (unsigned y = 0; y < r->height; y++)
         memset(dst + (size_t)y * stride, 0, r->width * d.bytes);
      return true;
   }
   attila_resource_flush(cs, res);
   /* Rendering of another context leaves the ROP caches when this context submits. */
   if (!cs->num && !attila_cs_submitted_last(cs))
      attila_cs_flush_caches(cs, ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS);
   attila_cs_submit(cs, NULL);

   /* Make one transfer, unless more than half of the tiles between the first and the last one are
    * not needed. */
   const uint32_t num = attila_tile_number(runs.pitch, t->x1 - 1, t->y1 - 1) + 1 - d.first;
   if (scanned_out || num <= 2 * (t->x1 - t->x0) * (t->y1 - t->y0))
      return attila_rect_download_at_once(cs->screen, &d, slice, num, scanned_out);
   return attila_rect_download_runs(cs->screen, &d, runs, slice);
}
