/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The fragments of a draw in functional mode: tiles of a primitive, early depth and stencil test,
 * groups of 4 quads for the shader, late test, colour write. Quads keep the order of primitives, so
 * every pixel sees its fragments in order.
 */
#include <string.h>
#include "func/sim_func_impl.h"

typedef int32_t i32x4 __attribute__((vector_size(16)));
typedef uint32_t u32x4 __attribute__((vector_size(16)));
typedef float f32x16 __attribute__((vector_size(64)));
typedef int32_t i32x16 __attribute__((vector_size(64)));
typedef uint32_t u32x16 __attribute__((vector_size(64)));

/* Formats of four 8-bit channels without sRGB. */
static bool
is_byte_format(enum attila_format format)
{
   const struct attila_format_desc *d = &attila_formats[format];
   bool bytes = d->bytes == 4 && d->type == ATTILA_TYPE_UNORM && !(d->uses & ATTILA_USE_SRGB);
   for (unsigned i = 0; i < 4; i++)
      bytes &= d->channel[i].bits == 8 || d->channel[i].bits == 0;
   return bytes;
}

/* block: bytes of its blocks at most. */
static struct func_surface
surface(const struct sim_func *f, uint32_t address, uint32_t pitch_tiles, unsigned bytes,
        uint32_t block)
{
   const uint32_t plane = ATTILA_TILE_ELEMENTS * bytes;
   return (struct func_surface){.base = f->device->memory + address,
                                .pitch_tiles = pitch_tiles,
                                .element_bytes = bytes,
                                .address = address,
                                .block_bytes = plane < block ? plane : block,
                                .tile_bytes = plane * f->state.samples};
}

void
func_fragment_start(struct sim_func *f)
{
   const struct emul_draw_state *state = &f->state;
   const struct attila_regs *r = &state->regs;
   f->num_quads = f->num_interpolated = 0;
   if (f->discard)
      return;
   f->z_active = state->zs_bound && (state->z_test || state->stencil_test);
   f->writes_depth = emul_program_isa(state->fs)->writes_depth;
   f->alpha_coverage = r->alpha_to_coverage && state->samples > 1;
   f->tile_z = f->z_active && state->z_test && !state->stencil_test && !state->late_zs &&
               state->samples == 1 && state->zs_format->channel[0].bits == 24;
   f->final_masks = !emul_program_isa(state->fs)->uses_kill && !f->alpha_coverage &&
                    !state->late_zs && state->samples == 1;
   if (f->z_active)
      f->zs =
          surface(f, r->zs_address, r->zs_pitch_tiles, state->zs_format->bytes, f->watch.zs_block);
   for (uint32_t m = state->color_mask; m; m &= m - 1) {
      unsigned i = (unsigned)__builtin_ctz(m);
      f->color[i] = surface(f, r->color[i].address, r->color[i].pitch_tiles,
                            state->color_format[i]->bytes, f->watch.color_block);
      f->color[i].opaque_bytes = state->samples == 1 && !r->logicop_enable &&
                                 is_byte_format(r->color[i].format) &&
                                 emul_color_overwrites(state, i);
   }
}

static inline uint8_t *
quad_address(const struct func_surface *s, int32_t x, int32_t y, unsigned samples, unsigned sample)
{
   return s->base + emul_quad_offset(s->pitch_tiles, samples, sample, s->element_bytes, x, y);
}

/* --- Depth and stencil --- */

/* Tests every sample of a quad; returns the mask that is left. */
static uint32_t
test_samples(struct sim_func *f, const struct func_quad *q)
{
   const struct emul_draw_state *state = &f->state;
   uint32_t left = q->mask;
   for (unsigned s = 0; s < state->samples; s++) {
      unsigned nibble = q->mask >> 4 * s & 15;
      if (!nibble)
         continue;
      unsigned pass = emul_zs_quad(state, q->front, nibble, q->z[s],
                                   quad_address(&f->zs, q->x, q->y, state->samples, s));
      left &= ~((nibble & ~pass) << 4 * s);
   }
   return left;
}

/* Replaces the depth of a quad by fragment output 8. */
static void
take_shader_depth(struct sim_func *f, struct func_quad *q, unsigned index)
{
   for (unsigned p = 0; p < 4; p++) {
      float z = f->outputs[ATTILA_FS_OUTPUT_DEPTH].c[0][4 * index + p];
      z = z > 0.0f ? z < 1.0f ? z : 1.0f : 0.0f;
      for (unsigned s = 0; s < f->state.samples; s++)
         q->z[s][p] = z;
   }
}

/* --- Colour --- */

/* 16 colours to bytes in the channel order of a format: the rounding of emul_color_quad. */
static __attribute__((target_clones("avx512f", "avx2", "default"))) void
pack_bytes(const struct attila_format_desc *format, const struct emul_vec4 *color, uint32_t *out)
{
   u32x16 v = {0};
   for (unsigned i = 0; i < 4; i++) {
      if (format->channel[i].bits == 0)
         continue;
      f32x16 c;
      memcpy(&c, color->c[i], sizeof(c));
      i32x16 above = c > 0.0f;
      c = (f32x16)((i32x16)c & above);
      i32x16 below = c < 1.0f;
      c = (f32x16)(((i32x16)c & below) | (0x3f800000 & ~below));
      c = c * 255.0f + 12582912.0f;
      v |= ((u32x16)c & 255) << format->channel[i].shift;
   }
   memcpy(out, &v, sizeof(v));
}

static void
store_bytes(struct sim_func *f, unsigned rt, const struct emul_vec4 *color)
{
   uint32_t packed[EMUL_LANES];
   pack_bytes(f->state.color_format[rt], color, packed);
   for (unsigned i = 0; i < f->num_quads; i++) {
      const struct func_quad *q = &f->quad[i];
      if (!q->mask)
         continue;
      uint8_t *dst = quad_address(&f->color[rt], q->x, q->y, 1, 0);
      /* Without a branch: which pixels are covered is hard to predict. */
      u32x4 old, value, covered = (u32x4)(((i32x4){1, 2, 4, 8} & (int32_t)q->mask) != 0);
      memcpy(&old, dst, 16);
      memcpy(&value, &packed[4 * i], 16);
      value = (value & covered) | (old & ~covered);
      memcpy(dst, &value, 16);
   }
}

static void
store_quads(struct sim_func *f, unsigned rt, const struct emul_vec4 *color)
{
   const struct emul_draw_state *state = &f->state;
   for (unsigned i = 0; i < f->num_quads; i++) {
      const struct func_quad *q = &f->quad[i];
      float src[4][4];
      if (!q->mask)
         continue;
      for (unsigned c = 0; c < 4; c++)
         memcpy(src[c], &color->c[c][4 * i], 16);
      for (unsigned s = 0; s < state->samples; s++) {
         unsigned nibble = q->mask >> 4 * s & 15;
         if (nibble)
            emul_color_quad(state, rt, nibble, (const float(*)[4])src,
                            quad_address(&f->color[rt], q->x, q->y, state->samples, s));
      }
   }
}

/* --- Groups --- */

static inline unsigned
pixels_of(uint32_t mask)
{
   static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
   mask |= mask >> 16;
   mask |= mask >> 8;
   mask |= mask >> 4;
   return bits[mask & 15];
}

static void
after_shading(struct sim_func *f, unsigned index)
{
   const struct emul_draw_state *state = &f->state;
   struct func_quad *q = &f->quad[index];
   q->mask &= ~((f->thread.killed >> 4 * index & 15u) * 0x11111111u);
   if (f->alpha_coverage) {
      float alpha[4];
      memcpy(alpha, &f->outputs[0].c[3][4 * index], sizeof(alpha));
      q->mask &= emul_alpha_to_coverage(alpha, state->samples);
   }
   if (state->late_zs && f->z_active && q->mask) {
      if (f->writes_depth)
         take_shader_depth(f, q, index);
      q->mask = test_samples(f, q);
   }
}

/* Antialiasing application (OpenGL 2.1, 3.12): the covered fraction multiplies the alpha of every
 * colour. */
static void
apply_smooth_coverage(struct sim_func *f)
{
   for (unsigned outputs = f->state.color_outputs; outputs; outputs &= outputs - 1) {
      float *alpha = f->outputs[__builtin_ctz(outputs)].c[3];
      for (unsigned i = 0; i < 4 * f->num_quads; i++)
         alpha[i] *= f->quad[i / 4].coverage[i & 3];
   }
}

static void
run_group(struct sim_func *f)
{
   const struct emul_draw_state *state = &f->state;
   unsigned n = f->num_quads;
   uint64_t shaded = 0, passed = 0;
   if (n == 0)
      return;
   for (unsigned i = 0; i < n; i++)
      shaded += pixels_of(f->quad[i].mask);
   func_run_thread(f, state->fs, ATTILA_STAGE_FRAGMENT, f->fragment_in,
                   (uint16_t)((1u << 4 * n) - 1));
   if (state->smooth)
      apply_smooth_coverage(f);
   if (f->final_masks && !f->thread.stopped) {
      passed = shaded;
   } else {
      for (unsigned i = 0; i < n; i++) {
         after_shading(f, i);
         passed += (unsigned)__builtin_popcount(f->quad[i].mask);
      }
   }
   f->counters[ATTILA_COUNTER_FS_INVOCATIONS] += shaded;
   if (state->regs.count_samples)
      f->counters[ATTILA_COUNTER_SAMPLES_PASSED] += passed;
   for (uint32_t m = passed ? state->color_mask : 0; m; m &= m - 1) {
      unsigned rt = (unsigned)__builtin_ctz(m);
      const struct emul_vec4 *color = &f->outputs[state->regs.fs_color0_to_all ? 0 : rt];
      if (f->color[rt].opaque_bytes)
         store_bytes(f, rt, color);
      else
         store_quads(f, rt, color);
   }
   f->num_quads = f->num_interpolated = 0;
}

/* The inputs of the last quads, all of one primitive. */
static void
interpolate(struct sim_func *f, const struct emul_setup *s)
{
   int32_t x[FUNC_QUADS], y[FUNC_QUADS];
   unsigned first = f->num_interpolated, count = f->num_quads - first;
   if (count == 0)
      return;
   for (unsigned i = 0; i < count; i++) {
      x[i] = f->quad[first + i].x;
      y[i] = f->quad[first + i].y;
   }
   emul_quads_interpolate(s, count, x, y, first, f->fragment_in);
   f->num_interpolated = f->num_quads;
}

/* A quad whose early test is over, into the group. */
static inline void
push_quad(struct sim_func *f, const struct emul_setup *s, int32_t x, int32_t y, uint32_t mask)
{
   struct func_quad *q = &f->quad[f->num_quads];
   q->x = x;
   q->y = y;
   q->mask = mask;
   q->front = s->front;
   if (f->state.smooth)
      emul_quad_smooth_coverage(s, x, y, q->coverage);
   if (++f->num_quads == FUNC_QUADS) {
      interpolate(f, s);
      run_group(f);
   }
}

/* A covered quad of a primitive: tested if that comes early. */
static void
add_quad(struct sim_func *f, const struct emul_setup *s, int32_t x, int32_t y, uint32_t mask)
{
   const struct emul_draw_state *state = &f->state;
   struct func_quad *q = &f->quad[f->num_quads];
   if (f->z_active) {
      for (unsigned i = 0; i < state->samples; i++)
         emul_quad_depth(s, x, y, i, state->samples, q->z[i]);
      if (!state->late_zs) {
         q->x = x;
         q->y = y;
         q->mask = mask;
         q->front = s->front;
         mask = test_samples(f, q);
         if (!mask)
            return;
      }
   }
   push_quad(f, s, x, y, mask);
}

/* --- Traversal --- */

static void
mark_surface(struct sim_func *f, const struct func_surface *s, int32_t x, int32_t y)
{
   const uint32_t at =
       s->address + (uint32_t)(quad_address(s, x, y, f->state.samples, 0) - s->base);
   for (uint32_t b = 0; b < s->tile_bytes; b += s->block_bytes)
      sim_block_draw(&f->device->blocks, at + b, s->block_bytes);
}

/* Something of the tile may be written. */
static void
mark(struct sim_func *f, int32_t x, int32_t y)
{
   if (f->z_active && (f->state.z_write || f->state.stencil_test))
      mark_surface(f, &f->zs, x, y);
   for (uint32_t m = f->state.color_mask; m; m &= m - 1)
      mark_surface(f, &f->color[__builtin_ctz(m)], x, y);
}

static void
tile(struct sim_func *f, const struct emul_setup *s, int32_t x, int32_t y)
{
   uint64_t coverage = emul_tile_coverage(s, x, y);
   if (!coverage)
      return;
   if (f->tile_z)
      coverage = f->tile_z24(s, x, y, coverage, quad_address(&f->zs, x, y, 1, 0));
   if (f->watched && coverage)
      mark(f, x, y);
   while (coverage) {
      unsigned q = (unsigned)__builtin_ctzll(coverage) / 4;
      uint32_t mask = coverage >> 4 * q & 15;
      coverage &= ~(15ull << 4 * q);
      if (f->tile_z)
         push_quad(f, s, x + emul_quad_x(q), y + emul_quad_y(q), mask);
      else
         add_quad(f, s, x + emul_quad_x(q), y + emul_quad_y(q), mask);
   }
}

static void
multisample_tile(struct sim_func *f, const struct emul_setup *s, int32_t x, int32_t y)
{
   if (!emul_block_overlaps(s, x, y, ATTILA_TILE_DIM))
      return;
   if (f->watched)
      mark(f, x, y);
   for (unsigned q = 0; q < 16; q++) {
      uint32_t mask =
          emul_quad_coverage(s, x + emul_quad_x(q), y + emul_quad_y(q), f->state.samples);
      if (mask)
         add_quad(f, s, x + emul_quad_x(q), y + emul_quad_y(q), mask);
   }
}

#define BLOCK 64

void
func_rasterise(struct sim_func *f, const struct emul_setup *s)
{
   bool multisample = f->state.samples > 1;
   int32_t x0 = s->minx & ~(ATTILA_TILE_DIM - 1), y0 = s->miny & ~(ATTILA_TILE_DIM - 1);
   bool large = s->maxx - x0 > BLOCK || s->maxy - y0 > BLOCK;
   for (int32_t by = y0 & ~(BLOCK - 1); by < s->maxy; by += BLOCK) {
      for (int32_t bx = x0 & ~(BLOCK - 1); bx < s->maxx; bx += BLOCK) {
         if (large && !emul_block_overlaps(s, bx, by, BLOCK))
            continue;
         int32_t first_x = bx > x0 ? bx : x0, last_x = bx + BLOCK < s->maxx ? bx + BLOCK : s->maxx;
         int32_t last_y = by + BLOCK < s->maxy ? by + BLOCK : s->maxy;
         for (int32_t y = by > y0 ? by : y0; y < last_y; y += ATTILA_TILE_DIM) {
            for (int32_t x = first_x; x < last_x; x += ATTILA_TILE_DIM) {
               if (multisample)
                  multisample_tile(f, s, x, y);
               else
                  tile(f, s, x, y);
            }
         }
      }
   }
   interpolate(f, s);
}

void
func_fragment_end(struct sim_func *f)
{
   run_group(f);
}
