/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What DAC and functional mode do at a SWAP: averages of samples, and conversion of a scanned out
 * surface to RGBA8. */
#include "emul/rop/emul_swap.h"
#include "hw/attila_surface.h"
#include "emul/format/emul_format.h"
#include "emul/rop/emul_blit.h"

/* Returns a pixel as it is displayed: stored sRGB values are not converted. */
static void
emul_swap_pixel_to_rgba8(enum attila_format format, const uint8_t *element, uint8_t *out)
{
   float rgba[4];
   emul_format_unpack(format, element, 0, rgba);
   bool srgb = attila_formats[format].uses & ATTILA_USE_SRGB;
   emul_format_pack(srgb ? ATTILA_FORMAT_R8G8B8A8_SRGB : ATTILA_FORMAT_R8G8B8A8_UNORM, rgba, out);
}

/* Returns red's byte in a 4-byte element with 8-bit red, green, blue at 0, 1, 2 (or 2, 1, 0); -1
 * for other formats. */
static int
emul_swap_simple_red(enum attila_format format)
{
   switch (format) {
   case ATTILA_FORMAT_R8G8B8A8_UNORM:
   case ATTILA_FORMAT_R8G8B8X8_UNORM:
   case ATTILA_FORMAT_R8G8B8A8_SRGB:
   case ATTILA_FORMAT_R8G8B8X8_SRGB:
      return 0;
   case ATTILA_FORMAT_B8G8R8A8_UNORM:
   case ATTILA_FORMAT_B8G8R8X8_UNORM:
   case ATTILA_FORMAT_B8G8R8A8_SRGB:
   case ATTILA_FORMAT_B8G8R8X8_SRGB:
      return 2;
   default:
      return -1;
   }
}

void
emul_swap_resolve(const uint8_t *surface, const struct attila_cmd_swap *swap, uint8_t *memory)
{
   const uint32_t bytes = attila_formats[swap->format].bytes;
   const struct attila_cmd_blit blit = {
       .element_bytes = bytes, .samples = swap->samples, .format = swap->format};
   for (uint32_t ty = 0; ty < (swap->height + 7) / 8; ty++) {
      for (uint32_t tx = 0; tx < (swap->width + 7) / 8; tx++) {
         const uint8_t *samples =
             surface + attila_tile_offset(swap->pitch_tiles, swap->samples, bytes, tx, ty);
         uint8_t *tile = memory + swap->picture_address +
                         attila_tile_offset(swap->picture_pitch_tiles, 1, bytes, tx, ty);
         struct emul_resolve r;
         emul_resolve_start(&r, &blit);
         for (uint32_t i = 0; i < swap->samples * ATTILA_TILE_ELEMENTS; i++)
            emul_resolve_add(&r, &blit, i / (4 * swap->samples) * 4 + i % 4, samples + i * bytes);
         for (uint32_t i = 0; i < ATTILA_TILE_ELEMENTS; i++)
            emul_resolve_store(&r, &blit, i, tile + i * bytes);
      }
   }
}

struct attila_cmd_swap
emul_swap_picture(const struct attila_cmd_swap *swap)
{
   struct attila_cmd_swap picture = *swap;
   if (swap->flags & ATTILA_SWAP_RESOLVE) {
      picture.address = swap->picture_address;
      picture.pitch_tiles = swap->picture_pitch_tiles;
      picture.samples = 1;
      picture.flags &= ~ATTILA_SWAP_RESOLVE;
   }
   return picture;
}

void
emul_swap_to_rgba8(const uint8_t *memory, const struct attila_cmd_swap *swap, uint8_t *rgba)
{
   enum attila_format format = swap->format;
   const struct attila_format_desc *d = &attila_formats[format];
   int red = emul_swap_simple_red(format);
   bool has_alpha = d->channel[3].bits != 0;
   for (uint32_t y = 0; y < swap->height; y++) {
      uint32_t row = swap->flags & ATTILA_SWAP_BOTTOM_UP ? swap->height - 1 - y : y;
      uint8_t *out = rgba + (uint64_t)row * swap->width * 4;
      const uint8_t *tile = NULL;
      for (uint32_t x = 0; x < swap->width; x++, out += 4) {
         if (x % ATTILA_TILE_DIM == 0)
            tile = memory + swap->address +
                   attila_tile_offset(swap->pitch_tiles, 1, d->bytes, x / ATTILA_TILE_DIM,
                                      y / ATTILA_TILE_DIM);
         const uint8_t *p = tile + attila_morton8(x & 7, y & 7) * d->bytes;
         if (red >= 0) {
            out[0] = p[red];
            out[1] = p[1];
            out[2] = p[2 - red];
            out[3] = has_alpha ? p[3] : 255;
         } else {
            emul_swap_pixel_to_rgba8(format, p, out);
         }
      }
   }
}
