/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clears of whole surfaces in functional mode: every element of the tiles that the framebuffer
 * rectangle touches, all samples. The command has been checked against memory.
 */
#include <string.h>
#include "emul/format/emul_format.h"
#include "func/sim_func_impl.h"

/* Fills n elements of `bytes` bytes; bytes divides 16 or n * bytes is small enough not to matter.
 */
static void
fill(uint8_t *dst, const uint8_t *element, unsigned bytes, size_t n)
{
   uint8_t pattern[1024];
   size_t size = n * bytes, step = sizeof(pattern) / bytes * bytes;
   for (unsigned i = 0; i < step && i < size; i += bytes)
      memcpy(pattern + i, element, bytes);
   for (; size >= step; size -= step, dst += step)
      memcpy(dst, pattern, step);
   memcpy(dst, pattern, size);
}

/* The tiles of a surface that the framebuffer touches, in the order of memory. */
struct tiles {
   uint8_t *base;
   struct attila_tile_rect rect;
   uint32_t pitch_tiles, next;
   size_t elements; /* of a tile, all samples */
   unsigned bytes;  /* of an element */
};

static struct tiles
surface_tiles(const struct sim_device *device, const struct attila_regs *regs, uint32_t address,
              uint32_t pitch_tiles, unsigned bytes)
{
   unsigned samples = regs->fb_samples ? regs->fb_samples : 1;
   return (struct tiles){
       .base = device->memory + address,
       .rect = {.x1 = (regs->fb_width + 7) / 8, .y1 = (regs->fb_height + 7) / 8},
       .pitch_tiles = pitch_tiles,
       .elements = (size_t)ATTILA_TILE_ELEMENTS * samples,
       .bytes = bytes,
   };
}

/* The next tiles that lie side by side: where they begin and how many elements they have; NULL:
 * there are no more. */
static uint8_t *
next_run(struct tiles *t, size_t *elements)
{
   uint32_t tx, ty, first, end;
   first = attila_next_tile(t->pitch_tiles, &t->rect, t->next, &tx, &ty);
   if (first == UINT32_MAX)
      return NULL;
   t->next = end = first;
   while (t->next == end) {
      end += attila_tiles_together(t->pitch_tiles, &t->rect, end, tx, ty);
      t->next = attila_next_tile(t->pitch_tiles, &t->rect, end, &tx, &ty);
   }
   *elements = t->elements * (end - first);
   return t->base + first * t->elements * t->bytes;
}

void
func_clear_color(struct sim_device *device, const struct attila_regs *regs, uint32_t buffers,
                 const float color[4])
{
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *c = &regs->color[i];
      if (!(buffers >> i & 1) || !c->address)
         continue;
      unsigned bytes = attila_formats[c->format].bytes;
      uint8_t element[16], *run;
      size_t elements;
      emul_format_pack((enum attila_format)c->format, color, element);
      struct tiles t = surface_tiles(device, regs, c->address, c->pitch_tiles, bytes);
      while ((run = next_run(&t, &elements)))
         fill(run, element, bytes, elements);
   }
}

void
func_clear_zs(struct sim_device *device, const struct attila_regs *regs, uint32_t planes,
              float depth, uint32_t stencil)
{
   if (!regs->zs_address)
      return;
   const struct attila_format_desc *format = &attila_formats[regs->zs_format];
   unsigned has = (format->channel[0].bits ? 1 : 0) | (format->channel[1].bits ? 2 : 0);
   struct tiles t =
       surface_tiles(device, regs, regs->zs_address, regs->zs_pitch_tiles, format->bytes);
   planes &= has;
   if (!planes)
      return;
   uint8_t *run, value[8];
   size_t elements;
   while ((run = next_run(&t, &elements))) {
      if (planes == has) {
         emul_zs_clear_value(format, planes, depth, stencil, NULL, value);
         fill(run, value, format->bytes, elements);
         continue;
      }
      for (size_t i = 0; i < elements; i++) {
         uint8_t *element = run + i * format->bytes;
         emul_zs_clear_value(format, planes, depth, stencil, element, value);
         memcpy(element, value, format->bytes);
      }
   }
}
