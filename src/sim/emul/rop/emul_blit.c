/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Addresses and units of the BLIT command, and its execution without timing. Nothing is converted:
 * the formats have equal bytes per element, and the driver knows their meaning. Only averages of
 * samples depend on the format. */
#include "emul/rop/emul_blit.h"
#include <stdio.h>
#include <string.h>
#include "emul/format/emul_format.h"

#define UNIT_ROWS 8

/* Returns the samples of an element of src or dst. */
static inline uint32_t
emul_blit_samples_of(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s)
{
   return b->resolve && s == &b->dst ? 1 : b->samples;
}

uint32_t
emul_blit_address(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s,
                  uint32_t x, uint32_t y, uint32_t z, uint32_t sample)
{
   uint32_t slice = s->address + (s->z + z) * s->slice_stride;
   if (!s->pitch_tiles)
      return slice + (s->y + y) * s->linear_stride + (s->x + x) * b->element_bytes;
   uint32_t n = emul_blit_samples_of(b, s);
   return slice + (uint32_t)attila_element_offset(s->pitch_tiles, n, b->element_bytes, s->x + x,
                                                  s->y + y, n == 1 ? 0 : sample);
}

void
emul_blit_range(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s,
                uint64_t *begin, uint64_t *end)
{
   uint32_t n = emul_blit_samples_of(b, s), e = b->element_bytes, x_end = s->x + b->width,
            y_end = s->y + b->height;
   uint64_t first, last;
   if (s->pitch_tiles) {
      first = attila_tile_offset(s->pitch_tiles, n, e, s->x >> 3, s->y >> 3);
      last = attila_surface_bytes(s->pitch_tiles, x_end, y_end, n, e);
   } else {
      first = (uint64_t)s->y * s->linear_stride + (uint64_t)s->x * e;
      last = (y_end - 1ull) * s->linear_stride + (uint64_t)x_end * e;
   }
   *begin = s->address + (uint64_t)s->z * s->slice_stride + first;
   *end = s->address + ((uint64_t)s->z + b->depth - 1) * s->slice_stride + last;
}

static const char *
emul_blit_check_surface(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s,
                        uint32_t memory_size)
{
   if (s->x > ATTILA_MAX_SURFACE_DIM || s->y > ATTILA_MAX_SURFACE_DIM ||
       s->z > ATTILA_MAX_SURFACE_DIM)
      return "position out of range";
   if (s->pitch_tiles) {
      if (s->pitch_tiles > ATTILA_MAX_PITCH_TILES || s->x + b->width > s->pitch_tiles * 8)
         return "box wider than the surface";
      if (s->address % b->element_bytes || s->slice_stride % b->element_bytes)
         return "tiled surface not aligned to its elements";
   } else if (b->samples != 1 || b->resolve) {
      return "linear surface with several samples";
   }
   uint64_t begin, end;
   emul_blit_range(b, s, &begin, &end);
   return end > memory_size ? "surface outside memory" : NULL;
}

bool
emul_blit_check(const struct attila_cmd_blit *b, uint32_t memory_size, char *error,
                size_t error_size)
{
   const char *why = NULL, *which = "";
   uint32_t e = b->element_bytes, n = b->samples;
   if (e != 1 && e != 2 && e != 4 && e != 8 && e != 16)
      why = "element size is not 1, 2, 4, 8 or 16 bytes";
   else if (n != 1 && n != 2 && n != 4 && n != 8)
      why = "samples are not 1, 2, 4 or 8";
   else if (b->resolve >= ATTILA_RESOLVE_SAMPLE0 + n)
      why = "resolve of a sample that does not exist";
   else if (b->resolve == ATTILA_RESOLVE_AVERAGE &&
            (b->format >= ATTILA_NUM_FORMATS ||
             !(attila_formats[b->format].uses & ATTILA_USE_COLOR) ||
             attila_type_is_integer(attila_formats[b->format].type) ||
             attila_formats[b->format].bytes != e))
      why = "resolve of a format that has no average";
   else if (b->width > ATTILA_MAX_SURFACE_DIM || b->height > ATTILA_MAX_SURFACE_DIM ||
            b->depth > ATTILA_MAX_SURFACE_DIM)
      why = "box too large";
   else if ((uint64_t)b->width * b->height * b->depth * e * n > 1ull << 31)
      why = "more bytes than memory";
   else if (b->width && b->height && b->depth) {
      which = "source: ";
      why = emul_blit_check_surface(b, &b->src, memory_size);
      if (!why) {
         which = "destination: ";
         why = emul_blit_check_surface(b, &b->dst, memory_size);
      }
   }
   if (why && error)
      snprintf(error, error_size, "blit: %s%s", which, why);
   return !why;
}

bool
emul_blit_overlaps(const struct attila_cmd_blit *b)
{
   uint64_t src_begin, src_end, dst_begin, dst_end;
   if (!b->width || !b->height || !b->depth)
      return false;
   emul_blit_range(b, &b->src, &src_begin, &src_end);
   emul_blit_range(b, &b->dst, &dst_begin, &dst_end);
   return src_begin < dst_end && dst_begin < src_end;
}

/* Returns a unit's width in elements: rows of a linear surface's units are longer than those of a
 * tile. */
static uint32_t
emul_blit_unit_width(const struct attila_cmd_blit *b)
{
   return b->src.pitch_tiles && b->dst.pitch_tiles ? 8 : 32;
}

/* Returns the units along an axis from destination coordinate origin. */
static uint32_t
emul_blit_units_along(uint32_t origin, uint32_t size, uint32_t unit)
{
   return (origin % unit + size + unit - 1) / unit;
}

uint32_t
emul_blit_num_units(const struct attila_cmd_blit *b)
{
   if (!b->width || !b->height || !b->depth)
      return 0;
   return emul_blit_units_along(b->dst.x, b->width, emul_blit_unit_width(b)) *
          emul_blit_units_along(b->dst.y, b->height, UNIT_ROWS) * b->depth;
}

/* Clips unit i of an axis to the box. */
static void
emul_blit_cut(uint32_t origin, uint32_t size, uint32_t unit, uint32_t i, uint32_t *first,
              uint32_t *count)
{
   uint32_t skip = origin % unit, begin = i * unit, end = begin + unit;
   begin = begin > skip ? begin - skip : 0;
   end -= skip;
   end = end < size ? end : size;
   *first = begin;
   *count = end > begin ? end - begin : 0;
}

struct emul_blit_unit
emul_blit_unit(const struct attila_cmd_blit *b, uint32_t index)
{
   uint32_t w = emul_blit_unit_width(b), nx = emul_blit_units_along(b->dst.x, b->width, w),
            ny = emul_blit_units_along(b->dst.y, b->height, UNIT_ROWS);
   struct emul_blit_unit u;
   emul_blit_cut(b->dst.x, b->width, w, index % nx, &u.x, &u.width);
   index /= nx;
   emul_blit_cut(b->dst.y, b->height, UNIT_ROWS, index % ny, &u.y, &u.height);
   u.z = index / ny;
   const bool one = b->resolve >= ATTILA_RESOLVE_SAMPLE0;
   u.sample = one ? b->resolve - ATTILA_RESOLVE_SAMPLE0 : 0;
   u.samples = one ? 1 : b->samples;
   return u;
}

/* --- Averages --- */

void
emul_resolve_start(struct emul_resolve *r, const struct attila_cmd_blit *b)
{
   const struct attila_format_desc *d = &attila_formats[b->format];
   memset(r, 0, sizeof(*r));
   r->bytes = d->type == ATTILA_TYPE_UNORM && !(d->uses & ATTILA_USE_SRGB) && d->bytes <= 4;
   for (unsigned i = 0; i < 4; i++)
      r->bytes &= d->channel[i].bits == 8 || d->channel[i].bits == 0;
}

void
emul_resolve_add(struct emul_resolve *r, const struct attila_cmd_blit *b, unsigned i,
                 const uint8_t *element)
{
   float rgba[4];
   if (r->bytes) {
      for (unsigned c = 0; c < b->element_bytes; c++)
         r->byte_sum[i][c] = (uint16_t)(r->byte_sum[i][c] + element[c]);
      return;
   }
   emul_format_unpack((enum attila_format)b->format, element, 0, rgba);
   for (unsigned c = 0; c < 4; c++)
      r->sum[i][c] += (double)rgba[c];
}

void
emul_resolve_store(const struct emul_resolve *r, const struct attila_cmd_blit *b, unsigned i,
                   uint8_t *element)
{
   float rgba[4];
   if (r->bytes) {
      for (unsigned c = 0; c < b->element_bytes; c++)
         element[c] = (uint8_t)((r->byte_sum[i][c] + b->samples / 2) / b->samples);
      return;
   }
   for (unsigned c = 0; c < 4; c++) {
      rgba[c] = (float)(r->sum[i][c] / b->samples);
      /* Makes NaNs equal: which of several NaNs remains would depend on the compiler. */
      if (rgba[c] != rgba[c])
         rgba[c] = __builtin_nanf("");
   }
   emul_format_pack((enum attila_format)b->format, rgba, element);
}

static void
emul_blit_average_unit(uint8_t *memory, const struct attila_cmd_blit *b,
                       const struct emul_blit_unit *u)
{
   struct emul_resolve r;
   emul_resolve_start(&r, b);
   for (uint32_t s = 0; s < b->samples; s++) {
      for (uint32_t i = 0; i < u->width * u->height; i++)
         emul_resolve_add(&r, b, i,
                          memory + emul_blit_address(b, &b->src, u->x + i % u->width,
                                                     u->y + i / u->width, u->z, s));
   }
   for (uint32_t i = 0; i < u->width * u->height; i++)
      emul_resolve_store(&r, b, i,
                         memory + emul_blit_address(b, &b->dst, u->x + i % u->width,
                                                    u->y + i / u->width, u->z, 0));
}

/* Returns the address of a unit's sample e; samples of an element are consecutive. */
static uint32_t
emul_blit_unit_address(const struct attila_cmd_blit *b, const struct attila_cmd_blit_surface *s,
                       const struct emul_blit_unit *u, uint32_t e)
{
   const uint32_t i = e / u->samples;
   return emul_blit_address(b, s, u->x + i % u->width, u->y + i / u->width, u->z,
                            u->sample + e % u->samples);
}

bool
emul_blit(uint8_t *memory, uint32_t memory_size, const struct attila_cmd_blit *b)
{
   if (!emul_blit_check(b, memory_size, NULL, 0))
      return false;
   uint8_t data[EMUL_BLIT_UNIT_ELEMENTS * 16];
   uint32_t bytes = b->element_bytes, units = emul_blit_num_units(b);
   for (uint32_t i = 0; i < units; i++) {
      struct emul_blit_unit u = emul_blit_unit(b, i);
      uint8_t *p = data;
      if (b->resolve == ATTILA_RESOLVE_AVERAGE) {
         emul_blit_average_unit(memory, b, &u);
         continue;
      }
      const uint32_t n = u.width * u.height * u.samples;
      for (uint32_t e = 0; e < n; e++, p += bytes)
         memcpy(p, memory + emul_blit_unit_address(b, &b->src, &u, e), bytes);
      p = data;
      for (uint32_t e = 0; e < n; e++, p += bytes)
         memcpy(memory + emul_blit_unit_address(b, &b->dst, &u, e), p, bytes);
   }
   return true;
}
