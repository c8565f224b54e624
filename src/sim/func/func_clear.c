/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clears of surfaces in functional mode: every element of the tiles that the framebuffer touches,
 * with all samples; the command has been checked. As surfaces exceed the host's caches, most clears
 * are deferred: a surface marks blocks of 64x64 pixels that have the value, although memory does
 * not have its bytes yet. The thread that first draws in a block fills it (func_clear_block);
 * before any other use of the bytes all waiting blocks are filled (func_clear_apply). A block that
 * is cleared again before that is filled only for the later clear. A block that was filled, and not
 * drawn in since, is not filled for another clear to the same value. */
#include <string.h>
#include "emul/format/emul_format.h"
#include "func/sim_func_impl.h"

/* Fills n elements of `bytes` bytes, which divides 16, unless n * bytes is small. */
static void
func_clear_fill(uint8_t *dst, const uint8_t *element, unsigned bytes, size_t n)
{
   uint8_t pattern[1024];
   size_t size = n * bytes, step = sizeof(pattern) / bytes * bytes;
   for (unsigned i = 0; i < step && i < size; i += bytes)
      memcpy(pattern + i, element, bytes);
   for (; size >= step; size -= step, dst += step)
      memcpy(dst, pattern, step);
   memcpy(dst, pattern, size);
}

/* A surface's tiles that the framebuffer touches, in memory order. */
struct tiles {
   uint8_t *base;
   struct attila_tile_rect rect;
   uint32_t pitch_tiles, next, end; /* numbers of tiles: next is first, end one past the last */
   size_t elements;                 /* per tile, all samples */
   unsigned bytes;                  /* per element */
};

static struct tiles
func_clear_surface_tiles(const struct sim_device *device, const struct attila_regs *regs,
                         uint32_t address, uint32_t pitch_tiles, unsigned bytes)
{
   unsigned samples = regs->fb_samples ? regs->fb_samples : 1;
   return (struct tiles){
       .base = device->memory + address,
       .rect = {.x1 = (regs->fb_width + 7) / 8, .y1 = (regs->fb_height + 7) / 8},
       .pitch_tiles = pitch_tiles,
       .end = UINT32_MAX,
       .elements = (size_t)ATTILA_TILE_ELEMENTS * samples,
       .bytes = bytes,
   };
}

/* Returns the start of the next adjacent tiles, and how many elements they have; NULL: none are
 * left. */
static uint8_t *
func_clear_next_run(struct tiles *t, size_t *elements)
{
   uint32_t tx, ty, first, end;
   first = attila_next_tile(t->pitch_tiles, &t->rect, t->next, &tx, &ty);
   if (first >= t->end)
      return NULL;
   t->next = end = first;
   while (t->next == end && end < t->end) {
      end += attila_tiles_together(t->pitch_tiles, &t->rect, end, tx, ty);
      t->next = attila_next_tile(t->pitch_tiles, &t->rect, end, &tx, &ty);
   }
   *elements = t->elements * (end - first);
   return t->base + first * t->elements * t->bytes;
}

static void
func_clear_fill_tiles(struct tiles *t, const uint8_t *element)
{
   uint8_t *run;
   size_t elements;
   while ((run = func_clear_next_run(t, &elements)))
      func_clear_fill(run, element, t->bytes, elements);
}

/* --- Deferred clears --- */

#define BLOCK_TILES (FUNC_BLOCK / ATTILA_TILE_DIM * (FUNC_BLOCK / ATTILA_TILE_DIM))

static void
func_clear_fill_block(const struct func_deferred *d, uint32_t block)
{
   struct tiles t = {
       .base = d->base,
       .rect = d->rect,
       .pitch_tiles = d->pitch_tiles,
       .next = block * BLOCK_TILES,
       .end = (block + 1) * BLOCK_TILES,
       .elements = d->tile_elements,
       .bytes = d->bytes,
   };
   func_clear_fill_tiles(&t, d->element);
}

/* Fills all waiting blocks. Waits first for draws that use the surface, or a part of what was
 * cleared, since blocks that are filled may lie outside of what these draws write. */
static void
func_clear_apply_blocks(struct sim_func *f, struct func_deferred *d)
{
   func_drain_range(f, d->start, d->end, true);
   const uint8_t *const end = d->block + sizeof(d->block);
   for (uint8_t *b = d->block;
        d->some_wait && (b = memchr(b, FUNC_BLOCK_WAITS, (size_t)(end - b)));) {
      func_clear_fill_block(d, (uint32_t)(b - d->block));
      *b = FUNC_BLOCK_FILLED;
   }
   d->some_wait = false;
}

void
func_clear_apply_share(const struct func_worker *w, struct func_deferred *d)
{
   const uint32_t side = FUNC_BLOCK / ATTILA_TILE_DIM, columns = d->pitch_tiles / side,
                  rows = (d->rect.y1 + side - 1) / side;
   for (uint32_t i = 0; i < rows * columns; i++) {
      if ((w->shares == 1 ||
           func_share_of((int32_t)(i % columns), (int32_t)(i / columns), w->shares) == w->index) &&
          d->block[i] == FUNC_BLOCK_WAITS) {
         func_clear_fill_block(d, i);
         d->block[i] = FUNC_BLOCK_FILLED;
      }
   }
}

/* Does the same and forgets the clear, for memory that may change without notice. */
static void
func_clear_forget(struct sim_func *f, struct func_deferred *d)
{
   func_clear_apply_blocks(f, d);
   d->layout = 0;
   f->num_deferred--;
}

/* Applies the deferred clears in [start, end), except that of this layout. */
static void
func_clear_forget_others(struct sim_func *f, uint64_t start, uint64_t end, uint64_t layout)
{
   for (unsigned i = 0; i < FUNC_MAX_DEFERRED && f->num_deferred; i++) {
      struct func_deferred *d = &f->deferred[i];
      if (d->layout && d->layout != layout && d->start < end && start < d->end)
         func_clear_forget(f, d);
   }
}

/* Applies clears of memory that will be read. later: only fragments of the next draw read it. */
static void
func_clear_apply_reads(struct sim_func *f, uint64_t start, uint64_t end, bool later)
{
   for (unsigned i = 0; i < FUNC_MAX_DEFERRED && f->num_deferred; i++) {
      struct func_deferred *d = &f->deferred[i];
      if (!d->layout || !d->some_wait || d->start >= end || start >= d->end)
         continue;
      if (later && func_apply_later(f, d))
         d->some_wait = false;
      else
         func_clear_apply_blocks(f, d);
   }
}

void
func_clear_apply(struct sim_func *f, uint64_t start, uint64_t end, bool write)
{
   if (write)
      func_clear_forget_others(f, start, end, 0);
   else
      func_clear_apply_reads(f, start, end, false);
}

static struct func_deferred *
func_clear_find(struct sim_func *f, uint64_t layout)
{
   for (unsigned i = 0; i < FUNC_MAX_DEFERRED; i++) {
      if (f->deferred[i].layout == layout)
         return &f->deferred[i];
   }
   return NULL;
}

/* Returns a place for another clear: that of the oldest if all are taken. */
static struct func_deferred *
func_clear_take(struct sim_func *f)
{
   struct func_deferred *d = func_clear_find(f, 0);
   if (!d) {
      d = &f->deferred[f->oldest_deferred];
      f->oldest_deferred = (f->oldest_deferred + 1) % FUNC_MAX_DEFERRED;
      func_clear_forget(f, d);
   }
   f->num_deferred++;
   return d;
}

/* Returns the tiles' end in memory. */
static uint64_t
func_clear_end_of(const struct tiles *t, uint64_t start)
{
   const unsigned samples = (unsigned)(t->elements / ATTILA_TILE_ELEMENTS);
   return start + attila_surface_bytes(t->pitch_tiles, t->rect.x1 * ATTILA_TILE_DIM,
                                       t->rect.y1 * ATTILA_TILE_DIM, samples, t->bytes);
}

/* Clears the tiles, now or later. */
static void
func_clear_clear(struct sim_func *f, struct tiles *t, const uint8_t *element)
{
   const uint64_t start = (uint64_t)(t->base - f->device->memory),
                  end = func_clear_end_of(t, start);
   const unsigned samples = (unsigned)(t->elements / ATTILA_TILE_ELEMENTS);
   const uint64_t layout = func_layout(start, t->pitch_tiles, t->bytes, samples);
   const uint32_t side = FUNC_BLOCK / ATTILA_TILE_DIM, columns = t->pitch_tiles / side,
                  rows = (t->rect.y1 + side - 1) / side;
   const bool blocks = t->pitch_tiles % side == 0 && rows * columns <= FUNC_MAX_BLOCKS;
   struct func_deferred *d = blocks ? func_clear_find(f, layout) : NULL;
   /* If the new rectangle is smaller, blocks around it still wait. */
   if (d && (d->rect.x1 > t->rect.x1 || d->rect.y1 > t->rect.y1))
      d = NULL;
   func_drain_range(f, start, end, true);
   func_clear_forget_others(f, start, end, d ? layout : 0);
   if (!blocks) {
      func_clear_fill_tiles(t, element);
      return;
   }
   const bool again =
       d && !memcmp(&d->rect, &t->rect, sizeof(d->rect)) && !memcmp(d->element, element, t->bytes);
   if (!d)
      d = func_clear_take(f);
   d->start = start;
   d->end = end;
   d->base = t->base;
   d->layout = layout;
   d->rect = t->rect;
   d->pitch_tiles = t->pitch_tiles;
   d->tile_elements = t->elements;
   d->bytes = t->bytes;
   memcpy(d->element, element, t->bytes);
   d->some_wait = true;
   for (uint32_t row = 0; row < rows; row++) {
      for (uint32_t i = row * columns; i < row * columns + (t->rect.x1 + side - 1) / side; i++) {
         if (!again || d->block[i] != FUNC_BLOCK_FILLED)
            d->block[i] = FUNC_BLOCK_WAITS;
      }
   }
}

static void
func_clear_bind(struct sim_func *f, struct func_pass *p, struct func_surface *s)
{
   const uint64_t layout =
       func_layout(s->address, s->pitch_tiles, s->element_bytes, p->state.samples);
   const struct attila_regs *r = &p->state.regs;
   const uint64_t end = s->address + attila_surface_bytes(s->pitch_tiles, r->fb_width, r->fb_height,
                                                          p->state.samples, s->element_bytes);
   if (emul_layered(&p->state)) {
      func_clear_apply(f, s->address, end + (uint64_t)(p->state.layers.count - 1) * s->layer_stride,
                       true);
      s->deferred = NULL;
      return;
   }
   func_clear_forget_others(f, s->address, end, layout);
   s->deferred = func_clear_find(f, layout);
   p->deferred |= s->deferred != NULL;
}

void
func_clear_before_draw(struct sim_func *f, struct func_pass *p, const struct func_ranges *r)
{
   for (unsigned i = r->num_late; i < r->num_reads; i++)
      func_clear_apply_reads(f, r->read[i].start, r->read[i].end, false);
   for (unsigned i = 0; i < r->num_late; i++)
      func_clear_apply_reads(f, r->read[i].start, r->read[i].end, true);
   if (p->discard)
      return; /* no surfaces */
   if (p->z_active)
      func_clear_bind(f, p, &p->zs);
   for (uint32_t m = p->state.color_mask; m; m &= m - 1)
      func_clear_bind(f, p, &p->color[__builtin_ctz(m)]);
}

static void
func_clear_touch(struct func_pass *p, struct func_surface *s, int32_t bx, int32_t by)
{
   const uint32_t columns = s->pitch_tiles / (FUNC_BLOCK / ATTILA_TILE_DIM),
                  block = (uint32_t)by / FUNC_BLOCK * columns + (uint32_t)bx / FUNC_BLOCK;
   if (!s->deferred || s->deferred->block[block] == FUNC_BLOCK_DRAWN)
      return;
   if (s->deferred->block[block] == FUNC_BLOCK_WAITS)
      func_clear_fill_block(s->deferred, block);
   s->deferred->block[block] = FUNC_BLOCK_DRAWN;
}

void
func_clear_block(struct func_pass *p, int32_t bx, int32_t by)
{
   if (p->z_active)
      func_clear_touch(p, &p->zs, bx, by);
   for (uint32_t m = p->state.color_mask; m; m &= m - 1)
      func_clear_touch(p, &p->color[__builtin_ctz(m)], bx, by);
}

void
sim_func_sync_memory(struct sim_func *f)
{
   func_clear_apply(f, 0, UINT64_MAX, true);
}

void
sim_func_keep_clears(struct sim_func *f)
{
   f->keeps_clears = true;
}

void
sim_func_cleared(struct sim_func *f, const struct attila_scanout *s, struct attila_cleared *cleared)
{
   const uint64_t layout = func_layout(s->address, s->pitch_tiles, s->element_bytes, 1);
   struct func_deferred *d = func_clear_find(f, layout);
   *cleared = (struct attila_cleared){0};
   if (!d || d->rect.x1 * ATTILA_TILE_DIM < s->width || d->rect.y1 * ATTILA_TILE_DIM < s->height) {
      func_clear_apply(f, s->address, s->address + (uint64_t)s->size, false);
      return;
   }
   cleared->blocks = d->block;
   cleared->element = d->element;
}

/* --- Commands --- */

void
func_clear_color(struct sim_func *f, const struct attila_regs *regs, uint32_t buffers,
                 const float color[4])
{
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *c = &regs->color[i];
      if (!(buffers >> i & 1) || !c->address)
         continue;
      uint8_t element[16];
      emul_format_pack((enum attila_format)c->format, color, element);
      struct tiles t = func_clear_surface_tiles(f->device, regs, c->address, c->pitch_tiles,
                                                attila_formats[c->format].bytes);
      func_clear_clear(f, &t, element);
   }
}

/* Clears some planes of elements; the other planes stay. */
static void
func_clear_planes(struct sim_func *f, const struct attila_format_desc *format, struct tiles *t,
                  uint32_t planes, float depth, uint32_t stencil)
{
   uint8_t *run, value[8];
   size_t elements;
   func_drain(f);
   sim_func_sync_memory(f);
   while ((run = func_clear_next_run(t, &elements))) {
      for (size_t i = 0; i < elements; i++) {
         uint8_t *element = run + i * format->bytes;
         emul_zs_clear_value(format, planes, depth, stencil, element, value);
         memcpy(element, value, format->bytes);
      }
   }
}

void
func_clear_zs(struct sim_func *f, const struct attila_regs *regs, uint32_t planes, float depth,
              uint32_t stencil)
{
   if (!regs->zs_address)
      return;
   const struct attila_format_desc *format = &attila_formats[regs->zs_format];
   unsigned has = (format->channel[0].bits ? 1 : 0) | (format->channel[1].bits ? 2 : 0);
   struct tiles t = func_clear_surface_tiles(f->device, regs, regs->zs_address,
                                             regs->zs_pitch_tiles, format->bytes);
   planes &= has;
   if (planes && planes != has) {
      func_clear_planes(f, format, &t, planes, depth, stencil);
   } else if (planes) {
      uint8_t value[8];
      emul_zs_clear_value(format, planes, depth, stencil, NULL, value);
      func_clear_clear(f, &t, value);
   }
}
