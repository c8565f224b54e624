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
   uint8_t pattern[256];
   size_t size = n * bytes, step = 256 / bytes * bytes;
   for (unsigned i = 0; i + bytes <= 256; i += bytes)
      memcpy(pattern + i, element, bytes);
   for (; size >= step; size -= step, dst += step)
      memcpy(dst, pattern, step);
   memcpy(dst, pattern, size);
}

/* Rows of tiles of a surface are contiguous: the elements of each row. */
struct rows {
   uint8_t *start;
   size_t elements, stride;
   unsigned num;
};

static struct rows
surface_rows(const struct sim_device *device, const struct attila_regs *regs, uint32_t address,
             uint32_t pitch_tiles, unsigned bytes)
{
   unsigned samples = regs->fb_samples ? regs->fb_samples : 1;
   return (struct rows){
       .start = device->memory + address,
       .elements = attila_surface_bytes(pitch_tiles, regs->fb_width, 1, samples, bytes) / bytes,
       .stride = attila_tile_offset(pitch_tiles, samples, bytes, 0, 1, 0),
       .num = (regs->fb_height + 7) / 8};
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
      uint8_t element[16];
      emul_format_pack((enum attila_format)c->format, color, element);
      struct rows r = surface_rows(device, regs, c->address, c->pitch_tiles, bytes);
      for (unsigned y = 0; y < r.num; y++)
         fill(r.start + y * r.stride, element, bytes, r.elements);
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
   struct rows r =
       surface_rows(device, regs, regs->zs_address, regs->zs_pitch_tiles, format->bytes);
   planes &= has;
   if (!planes)
      return;
   for (unsigned y = 0; y < r.num; y++) {
      uint8_t *row = r.start + y * r.stride, value[8];
      if (planes == has) {
         emul_zs_clear_value(format, planes, depth, stencil, NULL, value);
         fill(row, value, format->bytes, r.elements);
         continue;
      }
      for (size_t i = 0; i < r.elements; i++) {
         uint8_t *element = row + i * format->bytes;
         emul_zs_clear_value(format, planes, depth, stencil, element, value);
         memcpy(element, value, format->bytes);
      }
   }
}
