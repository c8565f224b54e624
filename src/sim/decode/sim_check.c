/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Bounds checks of every command (decode/sim_frontend.h): boxes and functional mode may trust
 * lengths, ranges and addresses. Messages have the command and the wrong value. A draw's textures,
 * attributes and framebuffer are checked with its state (emul/). */
#include "decode/sim_frontend.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include "hw/attila_surface.h"

struct check {
   char *error;
   size_t error_size;
   const char *name;
   uint64_t memory_size;
   const struct attila_regs *regs;
};

/* Always false, for "return check_fail(...)". */
static bool __attribute__((format(printf, 2, 3)))
check_fail(const struct check *c, const char *format, ...)
{
   char text[256];
   va_list args;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   snprintf(c->error, c->error_size, "command %s: %s", c->name, text);
   return false;
}

static bool
check_range(const struct check *c, const char *what, uint64_t address, uint64_t size)
{
   if (address > c->memory_size || size > c->memory_size - address)
      return check_fail(c, "%s of %llu bytes at 0x%llx is outside the %llu bytes of GPU memory",
                        what, (unsigned long long)size, (unsigned long long)address,
                        (unsigned long long)c->memory_size);
   return true;
}

/* Checks a tiled surface of width x height elements. */
static bool
check_surface(const struct check *c, const char *what, uint32_t address, uint32_t pitch_tiles,
              uint64_t width, uint64_t height, unsigned samples, unsigned element_bytes)
{
   uint64_t tiles_x = (width + 7) / 8;
   if (pitch_tiles < tiles_x)
      return check_fail(c, "%s: %u tiles per row, %llu are needed", what, pitch_tiles,
                        (unsigned long long)tiles_x);
   if (pitch_tiles > ATTILA_MAX_PITCH_TILES)
      return check_fail(c, "%s: %u tiles per row, at most %u are accepted", what, pitch_tiles,
                        ATTILA_MAX_PITCH_TILES);
   return check_range(c, what, address,
                      attila_surface_bytes(pitch_tiles, (uint32_t)width, (uint32_t)height, samples,
                                           element_bytes));
}

static bool
check_transfer(const struct check *c, const uint32_t *payload, uint32_t words, bool write)
{
   const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)payload;
   uint32_t size = b->size & ~ATTILA_BUFFER_NO_WAIT;
   if (write && (uint64_t)words != 2 + ((uint64_t)size + 3) / 4)
      return check_fail(c, "%u payload words for %u bytes", words, size);
   if (!write && size != b->size)
      return check_fail(c, "size 0x%x: a read takes no flags", b->size);
   return check_range(c, "buffer", b->address, size);
}

static bool
check_load_program(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_program *p = (const struct attila_cmd_program *)payload;
   const uint32_t max = 64 + 16 * (ATTILA_ISA_MAX_INSTRS + ATTILA_ISA_MAX_LITERALS);
   if (p->stage >= ATTILA_NUM_STAGES)
      return check_fail(c, "stage %u, 0 to %u are accepted", p->stage, ATTILA_NUM_STAGES - 1);
   if (p->address % 64)
      return check_fail(c, "address 0x%x is not a multiple of 64", p->address);
   if (!p->size || p->size > max)
      return check_fail(c, "program of %u bytes, 1 to %u are accepted", p->size, max);
   if (words > ATTILA_LOAD_PROGRAM_WORDS &&
       !attila_program_note_valid(payload + ATTILA_LOAD_PROGRAM_WORDS,
                                  words - ATTILA_LOAD_PROGRAM_WORDS))
      return check_fail(c, "a note of %u words with %u lines, and a text that ends with NUL",
                        words - (uint32_t)ATTILA_LOAD_PROGRAM_WORDS,
                        payload[ATTILA_LOAD_PROGRAM_WORDS]);
   return check_range(c, "program", p->address, p->size);
}

/* Checks a NUL padded string at a payload's end. */
static bool
check_text(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return !(payload[words - 1] >> 24) || check_fail(c, "the text does not end with NUL");
}

static bool
check_draw(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_draw *d = (const struct attila_cmd_draw *)payload;
   if (words > ATTILA_DRAW_WORDS && !check_text(c, payload, words))
      return false;
   if (d->prim >= ATTILA_NUM_PRIMS)
      return check_fail(c, "primitive %u, 0 to %u are accepted", d->prim, ATTILA_NUM_PRIMS - 1);
   if (d->index_size != 0 && d->index_size != 1 && d->index_size != 2 && d->index_size != 4)
      return check_fail(c, "index size %u, 0, 1, 2 or 4 is accepted", d->index_size);
   if (d->flags & ~(uint32_t)(ATTILA_DRAW_RESTART | ATTILA_DRAW_META | ATTILA_DRAW_CONDITIONAL |
                              ATTILA_DRAW_COUNTED | ATTILA_DRAW_INDIRECT) ||
       (d->flags & ATTILA_DRAW_COUNTED && d->flags & ATTILA_DRAW_INDIRECT))
      return check_fail(c, "flags 0x%x", d->flags);
   if (d->flags & ATTILA_DRAW_INDIRECT &&
       (d->count || d->start || d->index_bias || d->num_instances || d->first_instance))
      return check_fail(c, "indirect, but with %u of its own", d->count);
   if (d->flags & ATTILA_DRAW_COUNTED && (d->index_size || d->count))
      return check_fail(c, "counted, but with %u vertices and index size %u, 0 is accepted",
                        d->count, d->index_size);
   if (!d->index_size)
      return (uint64_t)d->start + d->count <= 1ull << 32 ||
             check_fail(c, "%u vertices from vertex %u", d->count, d->start);
   if (d->index_address % d->index_size)
      return check_fail(c, "index address 0x%x is not a multiple of %u", d->index_address,
                        d->index_size);
   return check_range(c, "index buffer", d->index_address,
                      ((uint64_t)d->start + d->count) * d->index_size);
}

static bool
check_framebuffer(const struct check *c, const struct attila_regs *r, unsigned *samples)
{
   if (r->fb_width < 1 || r->fb_width > ATTILA_MAX_SURFACE_DIM || r->fb_height < 1 ||
       r->fb_height > ATTILA_MAX_SURFACE_DIM)
      return check_fail(c, "framebuffer of %u x %u, 1 to %u are accepted", r->fb_width,
                        r->fb_height, ATTILA_MAX_SURFACE_DIM);
   *samples = r->fb_samples ? r->fb_samples : 1;
   if (*samples != 1 && *samples != 2 && *samples != 4 && *samples != 8)
      return check_fail(c, "%u samples, 1, 2, 4 or 8 are accepted", *samples);
   return true;
}

static bool
check_clear_color(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_regs *r = c->regs;
   unsigned samples = 1;
   if (payload[0] >> ATTILA_MAX_COLOR_BUFFERS)
      return check_fail(c, "buffer mask 0x%x, bits 0 to %u are accepted", payload[0],
                        ATTILA_MAX_COLOR_BUFFERS - 1);
   if (!check_framebuffer(c, r, &samples))
      return false;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct attila_color_regs *b = &r->color[i];
      if (!(payload[0] & 1u << i) || !b->address)
         continue;
      if (b->format >= ATTILA_NUM_FORMATS || !(attila_formats[b->format].uses & ATTILA_USE_COLOR))
         return check_fail(c, "colour buffer %u has format %u", i, b->format);
      if (b->address % ATTILA_SURFACE_ALIGN)
         return check_fail(c, "colour buffer %u at 0x%x, expected a multiple of %u", i, b->address,
                           ATTILA_SURFACE_ALIGN);
      if (!check_surface(c, "colour buffer", b->address, b->pitch_tiles, r->fb_width, r->fb_height,
                         samples, attila_formats[b->format].bytes))
         return false;
   }
   return true;
}

static bool
check_clear_zs(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_regs *r = c->regs;
   unsigned samples = 1;
   if (payload[0] & ~3u)
      return check_fail(c, "planes 0x%x", payload[0]);
   if (!check_framebuffer(c, r, &samples))
      return false;
   if (!r->zs_address)
      return true;
   if (r->zs_format >= ATTILA_NUM_FORMATS || !(attila_formats[r->zs_format].uses & ATTILA_USE_ZS))
      return check_fail(c, "depth buffer has format %u", r->zs_format);
   if (r->zs_address % ATTILA_SURFACE_ALIGN)
      return check_fail(c, "depth buffer at 0x%x, expected a multiple of %u", r->zs_address,
                        ATTILA_SURFACE_ALIGN);
   return check_surface(c, "depth buffer", r->zs_address, r->zs_pitch_tiles, r->fb_width,
                        r->fb_height, samples, attila_formats[r->zs_format].bytes);
}

static bool
check_blit_surface(const struct check *c, const char *what, const struct attila_cmd_blit_surface *s,
                   const struct attila_cmd_blit *b)
{
   uint64_t x1 = (uint64_t)s->x + b->width, y1 = (uint64_t)s->y + b->height,
            z1 = (uint64_t)s->z + b->depth;
   if (x1 > 1u << 20 || y1 > 1u << 20 || z1 > 1u << 20)
      return check_fail(c, "%s: box ends at (%llu, %llu, %llu)", what, (unsigned long long)x1,
                        (unsigned long long)y1, (unsigned long long)z1);
   uint64_t last_slice = s->address + (z1 - 1) * s->slice_stride;
   if (!check_range(c, what, last_slice, 0))
      return false;
   unsigned samples = b->resolve && s == &b->dst ? 1 : b->samples;
   if (s->pitch_tiles)
      return check_surface(c, what, (uint32_t)last_slice, s->pitch_tiles, x1, y1, samples,
                           b->element_bytes);
   if (b->samples != 1 || b->resolve)
      return check_fail(c, "%s: linear with %u samples", what, b->samples);
   return check_range(c, what, last_slice, (y1 - 1) * s->linear_stride + x1 * b->element_bytes);
}

static bool
check_blit(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_blit *b = (const struct attila_cmd_blit *)payload;
   uint32_t e = b->element_bytes;
   if (e != 1 && e != 2 && e != 4 && e != 8 && e != 16)
      return check_fail(c, "%u bytes per element, 1, 2, 4, 8 or 16 are accepted", e);
   if (b->samples != 1 && b->samples != 2 && b->samples != 4 && b->samples != 8)
      return check_fail(c, "%u samples, 1, 2, 4 or 8 are accepted", b->samples);
   if (b->resolve >= ATTILA_RESOLVE_SAMPLE0 + b->samples)
      return check_fail(c, "resolve %u of %u samples", b->resolve, b->samples);
   if (b->resolve == ATTILA_RESOLVE_AVERAGE &&
       (b->format >= ATTILA_NUM_FORMATS || !(attila_formats[b->format].uses & ATTILA_USE_COLOR) ||
        attila_type_is_integer(attila_formats[b->format].type) ||
        attila_formats[b->format].bytes != e))
      return check_fail(c, "resolve of format %u with %u bytes per element", b->format, e);
   if (!b->width || !b->height || !b->depth)
      return true;
   return check_blit_surface(c, "source", &b->src, b) &&
          check_blit_surface(c, "destination", &b->dst, b);
}

static bool
check_swap(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const uint32_t flags = ((const struct attila_cmd_swap *)payload)->flags;
   if (flags & ~(ATTILA_SWAP_BOTTOM_UP | ATTILA_SWAP_RESOLVE))
      return check_fail(c, "flags 0x%x", flags);
   if (flags & ATTILA_SWAP_RESOLVE && words < sizeof(struct attila_cmd_swap) / 4)
      return check_fail(c, "%u words, samples need %zu", words, sizeof(struct attila_cmd_swap) / 4);
   const struct attila_cmd_swap s = attila_cmd_swap_of(payload);
   if (s.format >= ATTILA_NUM_FORMATS || !(attila_formats[s.format].uses & ATTILA_USE_COLOR) ||
       attila_type_is_integer(attila_formats[s.format].type))
      return check_fail(c, "format %u", s.format);
   if (s.width < 1 || s.width > ATTILA_MAX_SURFACE_DIM || s.height < 1 ||
       s.height > ATTILA_MAX_SURFACE_DIM)
      return check_fail(c, "surface of %u x %u, 1 to %u are accepted", s.width, s.height,
                        ATTILA_MAX_SURFACE_DIM);
   if (s.address % ATTILA_SURFACE_ALIGN || s.picture_address % ATTILA_SURFACE_ALIGN)
      return check_fail(c, "address 0x%x is not aligned",
                        s.address % ATTILA_SURFACE_ALIGN ? s.address : s.picture_address);
   const uint32_t bytes = attila_formats[s.format].bytes;
   if (!(flags & ATTILA_SWAP_RESOLVE))
      return check_surface(c, "surface", s.address, s.pitch_tiles, s.width, s.height, 1, bytes);
   if (s.samples != 2 && s.samples != 4 && s.samples != 8)
      return check_fail(c, "%u samples", s.samples);
   if (!check_surface(c, "surface", s.address, s.pitch_tiles, s.width, s.height, s.samples,
                      bytes) ||
       !check_surface(c, "picture", s.picture_address, s.picture_pitch_tiles, s.width, s.height, 1,
                      bytes))
      return false;
   const uint64_t end =
       s.address + attila_surface_bytes(s.pitch_tiles, s.width, s.height, s.samples, bytes);
   const uint64_t picture_end =
       s.picture_address + attila_surface_bytes(s.picture_pitch_tiles, s.width, s.height, 1, bytes);
   return s.picture_address >= end || s.address >= picture_end ||
          check_fail(c, "the picture at 0x%x overlaps the surface", s.picture_address);
}

/* --- Small ones --- */

static bool
check_nop(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return true;
}

static bool
check_context(const struct check *c, const uint32_t *payload, uint32_t words)
{
   uint32_t number = payload[0] & ~ATTILA_CONTEXT_RESET;
   return number < ATTILA_MAX_CONTEXTS ||
          check_fail(c, "context %u, there are %u", number, ATTILA_MAX_CONTEXTS);
}

static bool
check_write_regs(const struct check *c, const uint32_t *payload, uint32_t words)
{
   if (payload[0] >= ATTILA_NUM_REGS || words - 1 > ATTILA_NUM_REGS - payload[0])
      return check_fail(c, "%u registers from %u, there are %u", words - 1, payload[0],
                        ATTILA_NUM_REGS);
   return true;
}

static bool
check_write_consts(const struct check *c, const uint32_t *payload, uint32_t words)
{
   if (payload[0] >= ATTILA_NUM_STAGES)
      return check_fail(c, "stage %u", payload[0]);
   if ((words - 2) % 4 || payload[1] >= ATTILA_MAX_CONSTS ||
       (words - 2) / 4 > ATTILA_MAX_CONSTS - payload[1])
      return check_fail(c, "%u words of constants from %u, there are %u vec4", words - 2,
                        payload[1], ATTILA_MAX_CONSTS);
   return true;
}

/* What buffers of a command may be. */
struct check_buffers {
   const char *what;
   uint32_t num, align, bytes;
};

static bool
check_buffers(const struct check *c, const struct check_buffers *b, const uint32_t *payload,
              uint32_t words)
{
   const uint32_t num = (words - 2) / 2;
   if (payload[0] >= ATTILA_NUM_STAGES)
      return check_fail(c, "stage %u, 0 to %u are accepted", payload[0], ATTILA_NUM_STAGES - 1);
   if (words % 2 || payload[1] >= b->num || num > b->num - payload[1])
      return check_fail(c, "%u words of %ss from %u, there are %u", words - 2, b->what, payload[1],
                        b->num);
   for (uint32_t i = 0; i < num; i++) {
      const uint32_t address = payload[2 + 2 * i], size = payload[3 + 2 * i];
      if (address % b->align)
         return check_fail(c, "%s %u at 0x%x, expected a multiple of %u", b->what, payload[1] + i,
                           address, b->align);
      if (size > b->bytes)
         return check_fail(c, "%s %u of %u bytes, 0 to %u are accepted", b->what, payload[1] + i,
                           size, b->bytes);
      if (!check_range(c, b->what, address, size))
         return false;
   }
   return true;
}

static bool
check_const_buffers(const struct check *c, const uint32_t *payload, uint32_t words)
{
   static const struct check_buffers b = {"constant buffer", ATTILA_MAX_CONST_BUFFERS,
                                          ATTILA_CONST_BUFFER_ALIGN, ATTILA_MAX_CONST_BUFFER_BYTES};
   return check_buffers(c, &b, payload, words);
}

static bool
check_storage(const struct check *c, const uint32_t *payload, uint32_t words)
{
   static const struct check_buffers b = {"storage buffer", ATTILA_MAX_STORAGE_BUFFERS,
                                          ATTILA_STORAGE_ALIGN, ATTILA_MAX_STORAGE_BYTES};
   return check_buffers(c, &b, payload, words);
}

static bool
check_image(const struct check *c, uint32_t n, const struct attila_image *i)
{
   const bool tiled = i->pitch_tiles != 0;
   if (i->format == ATTILA_FORMAT_NONE)
      return true;
   if (i->format >= ATTILA_NUM_FORMATS || !(attila_formats[i->format].uses & ATTILA_USE_COLOR))
      return check_fail(c, "image %u has format %u, expected one of colours", n, i->format);
   if (i->address % (tiled ? ATTILA_SURFACE_ALIGN : ATTILA_STORAGE_ALIGN) ||
       i->slice_stride % ATTILA_SURFACE_ALIGN)
      return check_fail(c, "image %u at 0x%x with slices of %u bytes is not aligned", n, i->address,
                        i->slice_stride);
   if (tiled ? i->width > ATTILA_MAX_SURFACE_DIM || i->height > ATTILA_MAX_SURFACE_DIM ||
                   i->depth > ATTILA_MAX_IMAGE_SLICES || i->pitch_tiles > ATTILA_MAX_PITCH_TILES ||
                   i->width > i->pitch_tiles * ATTILA_TILE_DIM
             : i->width > ATTILA_MAX_STORAGE_BYTES || i->height > 1 || i->depth > 1)
      return check_fail(c, "image %u of %u x %u x %u texels, %u tiles in a row", n, i->width,
                        i->height, i->depth, i->pitch_tiles);
   return check_range(c, "an image", i->address, attila_image_bytes(i));
}

static bool
check_images(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const uint32_t num = (words - 2) / ATTILA_IMAGE_WORDS;
   if (payload[0] >= ATTILA_NUM_STAGES)
      return check_fail(c, "stage %u, 0 to %u are accepted", payload[0], ATTILA_NUM_STAGES - 1);
   if ((words - 2) % ATTILA_IMAGE_WORDS || payload[1] >= ATTILA_MAX_IMAGES ||
       num > ATTILA_MAX_IMAGES - payload[1])
      return check_fail(c, "%u words of images from %u, there are %u", words - 2, payload[1],
                        ATTILA_MAX_IMAGES);
   for (uint32_t i = 0; i < num; i++) {
      struct attila_image image;
      memcpy(&image, payload + 2 + i * ATTILA_IMAGE_WORDS, sizeof(image));
      if (!check_image(c, payload[1] + i, &image))
         return false;
   }
   return true;
}

static bool
check_write_buffer(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return check_transfer(c, payload, words, true);
}

static bool
check_read_buffer(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return check_transfer(c, payload, words, false);
}

static bool
check_discard(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return check_range(c, "discarded memory", payload[0], payload[1]);
}

static bool
check_flush(const struct check *c, const uint32_t *payload, uint32_t words)
{
   if (payload[0] & ~(uint32_t)(ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE))
      return check_fail(c, "bits 0x%x", payload[0]);
   return true;
}

static bool
check_write_counter(const struct check *c, const uint32_t *payload, uint32_t words)
{
   if (payload[0] >= ATTILA_NUM_COUNTERS)
      return check_fail(c, "counter %u", payload[0]);
   if (payload[1] % 8)
      return check_fail(c, "address 0x%x is not a multiple of 8", payload[1]);
   return check_range(c, "counter", payload[1], 8);
}

static bool
check_condition(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_condition *d = (const struct attila_cmd_condition *)payload;
   if (d->count < 1 || d->count > ATTILA_MAX_CONDITION_PAIRS)
      return check_fail(c, "%u pairs of counters, 1 to %u are accepted", d->count,
                        ATTILA_MAX_CONDITION_PAIRS);
   if (d->inverted > 1)
      return check_fail(c, "inverted %u", d->inverted);
   if (d->address % 8)
      return check_fail(c, "address 0x%x is not a multiple of 8", d->address);
   return check_range(c, "counters", d->address, (uint64_t)d->count * 16);
}

static bool
check_marker(const struct check *c, const uint32_t *payload, uint32_t words)
{
   if (payload[0] > ATTILA_MARKER_SHADER_NAME)
      return check_fail(c, "kind %u", payload[0]);
   return words == 1 || check_text(c, payload, words);
}

static bool
check_end_frame(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return true;
}

static bool
check_fence(const struct check *c, const uint32_t *payload, uint32_t words)
{
   return true;
}

static bool
check_geometry(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_geometry *g = (const struct attila_cmd_geometry *)payload;
   if (g->enable > 1)
      return check_fail(c, "enable %u, 0 and 1 are accepted", g->enable);
   for (unsigned i = 0; i < ATTILA_MAX_GS_INPUTS; i++) {
      if (g->input[i] > ATTILA_NO_VARYING)
         return check_fail(c, "input %u is output %u of the vertex stage, 0 to %u are accepted", i,
                           g->input[i], ATTILA_NO_VARYING);
   }
   return true;
}

static bool
check_layers(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_layers *l = (const struct attila_cmd_layers *)payload;
   if (l->output > ATTILA_NO_VARYING)
      return check_fail(c, "the layer is output %u, 0 to %u are accepted", l->output,
                        ATTILA_NO_VARYING);
   for (unsigned i = 0; i <= ATTILA_MAX_COLOR_BUFFERS; i++) {
      const uint32_t stride = i < ATTILA_MAX_COLOR_BUFFERS ? l->color_stride[i] : l->zs_stride;
      if (stride % ATTILA_SURFACE_ALIGN)
         return check_fail(c, "layers are %u bytes apart, multiples of %u are accepted", stride,
                           ATTILA_SURFACE_ALIGN);
   }
   return true;
}

/* --- Stream-out --- */

static bool
check_stream_outputs(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const uint32_t *stride = payload, num = words - ATTILA_MAX_STREAM_BUFFERS;
   if (num > ATTILA_MAX_STREAM_OUTPUTS)
      return check_fail(c, "%u outputs, at most %u are accepted", num, ATTILA_MAX_STREAM_OUTPUTS);
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++) {
      if (stride[b] % 4 || stride[b] > ATTILA_MAX_STREAM_STRIDE)
         return check_fail(c,
                           "buffer %u: %u bytes for a vertex, multiples of 4 up to %u are accepted",
                           b, stride[b], ATTILA_MAX_STREAM_STRIDE);
   }
   uint32_t streams[ATTILA_MAX_STREAM_BUFFERS] = {0}; /* bit per stream of its outputs */
   for (uint32_t i = 0; i < num; i++) {
      struct attila_stream_output o;
      memcpy(&o, payload + ATTILA_MAX_STREAM_BUFFERS + i, sizeof(o));
      streams[o.buffer] |= 1u << o.stream;
      if (streams[o.buffer] & (streams[o.buffer] - 1))
         return check_fail(c, "output %u: stream %u in buffer %u of another", i, o.stream,
                           o.buffer);
      if (o.last < o.first || o.unused)
         return check_fail(c, "output %u: components %u to %u, word 0x%x", i, o.first, o.last,
                           payload[ATTILA_MAX_STREAM_BUFFERS + i]);
      const uint32_t end = 4 * (o.offset + o.last - o.first + 1u);
      if (end > stride[o.buffer])
         return check_fail(c, "output %u ends at byte %u of a vertex of %u bytes", i, end,
                           stride[o.buffer]);
   }
   return true;
}

/* Checks a counter of bytes in memory. */
static bool
check_filled(const struct check *c, uint32_t address)
{
   if (address % 8)
      return check_fail(c, "counter at 0x%x, a multiple of 8 is accepted", address);
   return check_range(c, "counter", address, 8);
}

static bool
check_stream_targets(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_stream_target *t = (const struct attila_stream_target *)payload;
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++, t++) {
      if (t->address % 4 || t->size % 4)
         return check_fail(c, "buffer %u: %u bytes at 0x%x, multiples of 4 are accepted", b,
                           t->size, t->address);
      if (!check_range(c, "buffer", t->address, t->size) || !check_filled(c, t->filled))
         return false;
   }
   return true;
}

static bool
check_vertex_count(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_vertex_count *v = (const struct attila_cmd_vertex_count *)payload;
   if (!v->stride)
      return check_fail(c, "a vertex of 0 bytes");
   return check_filled(c, v->filled);
}

static bool
check_indirect(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_indirect *i = (const struct attila_cmd_indirect *)payload;
   if (i->address % 4)
      return check_fail(c, "numbers at 0x%x, a multiple of 4 is accepted", i->address);
   if (i->words != 4 && i->words != 5)
      return check_fail(c, "%u words, 4 or 5 are accepted", i->words);
   return check_range(c, "numbers", i->address, 4 * i->words);
}

static bool
check_dispatch(const struct check *c, const uint32_t *payload, uint32_t words)
{
   const struct attila_cmd_dispatch *d = (const struct attila_cmd_dispatch *)payload;
   const bool indirect = d->flags & ATTILA_DRAW_INDIRECT;
   if (words > ATTILA_DISPATCH_WORDS && !check_text(c, payload, words))
      return false;
   if (d->flags & ~(uint32_t)ATTILA_DISPATCH_FLAGS)
      return check_fail(c, "flags 0x%x", d->flags);
   if (indirect ? d->groups[0] || d->groups[1] || d->groups[2] : d->address != 0)
      return check_fail(c, indirect ? "indirect, but with workgroups of its own"
                                    : "not indirect, but with an address");
   if (d->address % 4)
      return check_fail(c, "numbers at 0x%x, a multiple of 4 is accepted", d->address);
   return !indirect || check_range(c, "numbers", d->address, sizeof(d->groups));
}

/* --- The table --- */

static const struct {
   const char *name;
   uint32_t min_words;
   bool (*check)(const struct check *c, const uint32_t *payload, uint32_t words);
} commands[ATTILA_NUM_CMDS] = {
#define C(NAME, name, words, doc) {#NAME, words, check_##name},
    ATTILA_COMMANDS(C)
#undef C
};

const char *
sim_command_name(uint32_t op)
{
   return op < ATTILA_NUM_CMDS ? commands[op].name : "?";
}

size_t
sim_frame_words(const uint32_t *words, size_t num_words, bool *ends)
{
   size_t i = 0;
   for (*ends = false; i < num_words && !*ends;) {
      const uint32_t op = ATTILA_CMD_OP(words[i]);
      *ends = op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME;
      i += 1 + (size_t)ATTILA_CMD_WORDS(words[i]);
   }
   return i < num_words ? i : num_words;
}

bool
sim_check_header(const uint32_t *command, size_t available, uint32_t *command_words, char *error,
                 size_t error_size)
{
   if (!available) {
      snprintf(error, error_size, "command missing");
      return false;
   }
   uint32_t op = ATTILA_CMD_OP(command[0]), words = ATTILA_CMD_WORDS(command[0]);
   *command_words = 1 + words;
   if (op >= ATTILA_NUM_CMDS) {
      snprintf(error, error_size, "unknown command %u (header 0x%08x)", op, command[0]);
      return false;
   }
   const struct check c = {.error = error, .error_size = error_size, .name = commands[op].name};
   if (words < commands[op].min_words)
      return check_fail(&c, "%u payload words, at least %u expected", words,
                        commands[op].min_words);
   if (words >= available)
      return check_fail(&c, "%u payload words, but only %zu follow", words, available - 1);
   return true;
}

bool
sim_frontend_check(struct sim_frontend *f, const uint32_t *command, size_t available, char *error,
                   size_t error_size)
{
   uint32_t total;
   if (!sim_check_header(command, available, &total, error, error_size))
      return false;
   uint32_t op = ATTILA_CMD_OP(command[0]);
   const struct check c = {.error = error,
                           .error_size = error_size,
                           .name = commands[op].name,
                           .memory_size = sim_frontend_memory_size(f),
                           .regs = sim_frontend_regs(f)};
   return commands[op].check(&c, command + 1, total - 1);
}
