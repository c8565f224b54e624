/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Depth and attributes at pixels. A quad's perspective barycentric coordinates are computed once;
 * each component is v0 + b1 * (v1 - v0) + b2 * (v2 - v0), exact for equal values. Planes are
 * evaluated in double precision in a fixed order, so a pixel of a primitive always gets the same
 * bits. A multisampled pixel can belong to several triangles of one plane, which must agree:
 * otherwise a rectangle would read other texels along its diagonal. So with multisampling only the
 * result is rounded to single precision. */
#include <math.h>
#include <string.h>
#include "core/sim_inline.h"
#include "emul/raster/emul_setup_impl.h"

typedef float f32x4 __attribute__((vector_size(16)));
typedef double f64x2 __attribute__((vector_size(16)));
typedef double f64x4 __attribute__((vector_size(32)));
typedef int32_t i32x4 __attribute__((vector_size(16)));

#define WHOLE_PIXEL UINT32_MAX /* instead of a sample */

/* Evaluates a plane at (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1). */
SIM_INLINE void
emul_interpolate_plane_quad(const double p[3], double x, double y, f64x2 out[2])
{
   f64x2 row = p[0] + p[1] * (f64x2){x, x + 1.0};
   out[0] = row + p[2] * y;
   out[1] = row + p[2] * (y + 1.0);
}

static inline f32x4
emul_interpolate_narrow(const f64x2 v[2])
{
   return (f32x4){(float)v[0][0], (float)v[0][1], (float)v[1][0], (float)v[1][1]};
}

static inline float
emul_interpolate_clamp_to(float v, float lo, float hi)
{
   return v > lo ? v < hi ? v : hi : lo;
}

/* Returns where a pixel has one of its several samples, in 1/16. */
static const uint8_t *
emul_interpolate_sample_at(const struct emul_setup *s, unsigned sample)
{
   const unsigned samples = s->state->samples;
   return emul_sample_positions[samples >= 8 ? 3 : samples >= 4 ? 2 : 1][sample & 7];
}

/* Moves a pixel's position to one of its samples; WHOLE_PIXEL: it stays. */
static void
emul_interpolate_to_sample(const struct emul_setup *s, unsigned sample, double *x, double *y)
{
   if (sample == WHOLE_PIXEL)
      return;
   const uint8_t *at = emul_interpolate_sample_at(s, sample);
   const double centre = s->state->regs.half_pixel_center ? 0.5 : 0.0;
   *x += at[0] / 16.0 - centre;
   *y += at[1] / 16.0 - centre;
}

void
emul_quad_depth(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample, unsigned samples,
                float z[4])
{
   double px = x, py = y;
   if (samples > 1 && !s->state->regs.pixel_coverage)
      emul_interpolate_to_sample(s, sample, &px, &py);
   f64x2 v[2];
   emul_interpolate_plane_quad(s->z, px, py, v);
   for (unsigned i = 0; i < 4; i++)
      z[i] = emul_interpolate_clamp_to((float)v[i >> 1][i & 1], s->zmin, s->zmax);
}

void
emul_tile_depth_range(const struct emul_setup *s, int32_t x, int32_t y, float *zmin, float *zmax)
{
   /* Rounding keeps the order of values along each axis, so the values at the corners bound those
    * of all pixels. Samples may lie a pixel further out. */
   double reach = emul_multisample(s->state) ? 1.0 : 0.0;
   double x0 = x - reach, x1 = x + 7 + reach, y0 = y - reach, y1 = y + 7 + reach;
   double lo_x = s->z[1] > 0.0 ? x0 : x1, hi_x = s->z[1] > 0.0 ? x1 : x0;
   double lo_y = s->z[2] > 0.0 ? y0 : y1, hi_y = s->z[2] > 0.0 ? y1 : y0;
   *zmin = emul_interpolate_clamp_to((float)(s->z[0] + s->z[1] * lo_x + s->z[2] * lo_y), s->zmin,
                                     s->zmax);
   *zmax = emul_interpolate_clamp_to((float)(s->z[0] + s->z[1] * hi_x + s->z[2] * hi_y), s->zmin,
                                     s->zmax);
}

static inline void
emul_interpolate_store(struct emul_vec4 *in, unsigned component, unsigned quad, f32x4 v)
{
   memcpy(&in->c[component][4 * quad], &v, 16);
}

static inline f32x4
emul_interpolate_splat(float v)
{
   return (f32x4){v, v, v, v};
}

static void
emul_interpolate_store_constant(struct emul_vec4 *in, unsigned quad, const float v[4])
{
   for (unsigned c = 0; c < 4; c++)
      emul_interpolate_store(in, c, quad, emul_interpolate_splat(v[c]));
}

static void
emul_interpolate_position(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                          unsigned quad, struct emul_vec4 *in)
{
   double px = x, py = y;
   emul_interpolate_to_sample(s, sample, &px, &py);
   float c = s->state->regs.half_pixel_center ? 0.5f : 0.0f, x0 = (float)px + c, y0 = (float)py + c,
         z[4];
   f64x2 rw[2];
   emul_quad_depth(s, x, y, sample, sample == WHOLE_PIXEL ? 1 : s->state->samples, z);
   emul_interpolate_plane_quad(s->q[0], px, py, rw);
   emul_interpolate_store(in, 0, quad, (f32x4){x0, x0 + 1.0f, x0, x0 + 1.0f});
   emul_interpolate_store(in, 1, quad, (f32x4){y0, y0, y0 + 1.0f, y0 + 1.0f});
   emul_interpolate_store(in, 2, quad, (f32x4){z[0], z[1], z[2], z[3]});
   emul_interpolate_store(in, 3, quad, emul_interpolate_narrow(rw));
}

static void
emul_interpolate_point_coord(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                             unsigned quad, struct emul_vec4 *in)
{
   static const float none[4] = {0.0f, 0.0f, 0.0f, 1.0f};
   double px = x, py = y;
   emul_interpolate_store_constant(in, quad, none);
   if (!s->is_point)
      return;
   emul_interpolate_to_sample(s, sample, &px, &py);
   float c = s->state->regs.half_pixel_center ? 0.5f : 0.0f, half = s->point_size * 0.5f;
   float x0 = (float)px + c - (s->point_center[0] - half),
         y0 = (float)py + c - (s->point_center[1] - half);
   f32x4 u = (f32x4){x0, x0 + 1.0f, x0, x0 + 1.0f} / emul_interpolate_splat(s->point_size);
   f32x4 v = (f32x4){y0, y0, y0 + 1.0f, y0 + 1.0f} / emul_interpolate_splat(s->point_size);
   emul_interpolate_store(in, 0, quad, u);
   emul_interpolate_store(in, 1, quad, s->state->regs.sprite_origin_lower_left ? 1.0f - v : v);
}

static void
emul_interpolate_face(const struct emul_setup *s, int32_t x, int32_t y, unsigned quad,
                      struct emul_vec4 *in)
{
   const float front[4] = {s->front ? 1.0f : 0.0f, 1.0f, 0.0f, 1.0f};
   emul_interpolate_store_constant(in, quad, front);
   if (s->smooth)
      emul_quad_smooth_coverage(s, x, y, &in->c[1][4 * quad]);
}

static void
emul_interpolate_id(const struct emul_setup *s, unsigned quad, struct emul_vec4 *in)
{
   float id[4] = {0.0f, 0.0f, 0.0f, 0.0f};
   memcpy(&id[0], &s->id, sizeof(id[0]));
   emul_interpolate_store_constant(in, quad, id);
}

/* Makes attila_fs_input_regs.samples. What is covered does not depend on earlier tests. */
static void
emul_interpolate_sample_words(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                              unsigned quad, struct emul_vec4 *in)
{
   const unsigned samples = emul_multisample(s->state) ? s->state->samples : 1;
   const uint32_t covered = emul_quad_coverage(s, x, y, s->state->samples);
   uint8_t at[1 + ATTILA_MAX_SAMPLES]; /* of the inputs, of samples */
   memset(at, 0x88, sizeof(at));
   for (unsigned i = 0; i < samples && samples > 1; i++) {
      const uint8_t *p = emul_interpolate_sample_at(s, i);
      at[1 + i] = (uint8_t)(p[0] | p[1] << 4);
   }
   if (sample != WHOLE_PIXEL)
      at[0] = at[1 + sample];
   for (unsigned p = 0; p < 4; p++) {
      uint32_t word[4] = {sample == WHOLE_PIXEL ? 0 : sample, 0};
      for (unsigned i = 0; i < ATTILA_MAX_SAMPLES; i++)
         word[1] |= (covered >> (4 * i + p) & 1) << (samples > 1 ? i : 0);
      if (sample != WHOLE_PIXEL)
         word[1] &= 1u << sample;
      word[1] |= (uint32_t)at[0] << 8;
      memcpy(&word[2], &at[1], 8);
      for (unsigned c = 0; c < 4; c++)
         memcpy(&in->c[c][4 * quad + p], &word[c], sizeof(word[c]));
   }
}

static void
emul_interpolate_special_at(const struct emul_setup *s, const struct emul_fs_input *in, int32_t x,
                            int32_t y, unsigned sample, unsigned quad, struct emul_vec4 *out)
{
   static const float missing[4] = {0.0f, 0.0f, 0.0f, 1.0f};
   if (in->samples)
      emul_interpolate_sample_words(s, x, y, sample, quad, out);
   else if (in->primitive_id)
      emul_interpolate_id(s, quad, out);
   else if (in->source == ATTILA_FS_POSITION)
      emul_interpolate_position(s, x, y, sample, quad, out);
   else if (in->source == ATTILA_FS_FACE)
      emul_interpolate_face(s, x, y, quad, out);
   else if (in->source == ATTILA_FS_POINT_COORD || (in->sprite && s->is_point))
      emul_interpolate_point_coord(s, x, y, sample, quad, out);
   else if (in->output == ATTILA_NO_VARYING)
      emul_interpolate_store_constant(out, quad, missing);
   else
      emul_interpolate_store_constant(out, quad,
                                      in->interp == ATTILA_INTERP_FLAT ? s->flat->out[in->output]
                                                                       : s->v[0]->out[in->output]);
}

static void
emul_interpolate_special(const struct emul_setup *s, const struct emul_fs_input *in, int32_t x,
                         int32_t y, unsigned quad, struct emul_vec4 *out)
{
   emul_interpolate_special_at(s, in, x, y, WHOLE_PIXEL, quad, out);
}

SIM_INLINE void
emul_interpolate_varying(const float *v0, const float *v1, const float *v2, f32x4 b1, f32x4 b2,
                         unsigned quad, struct emul_vec4 *in)
{
   f32x4 a, p, q;
   memcpy(&a, v0, 16);
   memcpy(&p, v1, 16);
   memcpy(&q, v2, 16);
   p -= a;
   q -= a;
   for (unsigned c = 0; c < 4; c++)
      emul_interpolate_store(in, c, quad,
                             emul_interpolate_splat(a[c]) + b1 * emul_interpolate_splat(p[c]) +
                                 b2 * emul_interpolate_splat(q[c]));
}

/* Does the same in double precision; b1, b2: of the quad's pixels. Drops rounding errors that are
 * far smaller than the vertices' values, so a component that is 0, or lies on another boundary of
 * texels, is exact in every triangle. */
SIM_INLINE void
emul_interpolate_varying_multisample(const float *v0, const float *v1, const float *v2,
                                     const f64x2 b1[2], const f64x2 b2[2], unsigned quad,
                                     struct emul_vec4 *in)
{
   for (unsigned c = 0; c < 4; c++) {
      double a = v0[c], p = v1[c] - a, q = v2[c] - a;
      double large = 0x1p7 * (fabs(a) + fabs((double)v1[c]) + fabs((double)v2[c]));
      const f64x2 v[2] = {a + b1[0] * p + b2[0] * q + large - large,
                          a + b1[1] * p + b2[1] * q + large - large};
      emul_interpolate_store(in, c, quad, emul_interpolate_narrow(v));
   }
}

static inline double
emul_interpolate_plane(const double p[3], double x, double y)
{
   return p[0] + p[1] * x + p[2] * y;
}

/* Computes a quad's centroid inputs anew: partly covered pixels use the position of their first
 * covered sample. */
static __attribute__((noinline)) void
emul_interpolate_centroid_inputs(const struct emul_setup *s, int32_t x, int32_t y, unsigned quad,
                                 struct emul_vec4 *inputs)
{
   const struct emul_draw_state *state = s->state;
   unsigned samples = state->samples;
   uint32_t covered = emul_quad_coverage(s, x, y, samples), all = 0x11111111u >> (32 - 4 * samples);
   f64x2 b[2][2][2];
   if (s->is_point)
      return;
   for (unsigned p = 0; p < 4; p++) {
      uint32_t m = covered >> p & all;
      double px = x + (int32_t)(p & 1), py = y + (int32_t)(p >> 1);
      if (m && m != all)
         emul_interpolate_to_sample(s, (unsigned)__builtin_ctz(m) / 4, &px, &py);
      double w = emul_interpolate_plane(s->q[0], px, py);
      for (unsigned v = 0; v < 2; v++) {
         b[ATTILA_INTERP_PERSPECTIVE][v][p >> 1][p & 1] =
             emul_interpolate_plane(s->q[1 + v], px, py) / w;
         b[ATTILA_INTERP_LINEAR][v][p >> 1][p & 1] = emul_interpolate_plane(s->l[v], px, py);
      }
   }
   for (unsigned i = 0; i < state->num_fs_inputs; i++) {
      const struct emul_fs_input *in = &state->fs_inputs[i];
      unsigned o = in->output;
      if (in->centroid)
         emul_interpolate_varying_multisample(s->v[0]->out[o], s->v[1]->out[o], s->v[2]->out[o],
                                              b[in->interp][0], b[in->interp][1], quad,
                                              &inputs[in->index]);
   }
}

static inline bool
emul_interpolate_varies(const struct emul_setup *s, const struct emul_fs_input *in)
{
   return in->source == ATTILA_FS_VARYING && in->output != ATTILA_NO_VARYING &&
          in->interp != ATTILA_INTERP_FLAT && !s->is_point;
}

static __attribute__((noinline)) void
emul_interpolate_multisample(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                             unsigned quad, struct emul_vec4 *inputs)
{
   const struct emul_draw_state *state = s->state;
   f64x2 b[2][2][2] = {{{{0}}}}, w[2]; /* [interp][vertex] */
   double px = x, py = y;
   emul_interpolate_to_sample(s, sample, &px, &py);
   emul_interpolate_plane_quad(s->q[0], px, py, w);
   for (unsigned v = 0; v < 2; v++) {
      f64x2 *q = b[ATTILA_INTERP_PERSPECTIVE][v];
      emul_interpolate_plane_quad(s->q[1 + v], px, py, q);
      q[0] /= w[0];
      q[1] /= w[1];
      emul_interpolate_plane_quad(s->l[v], px, py, b[ATTILA_INTERP_LINEAR][v]);
   }
   for (unsigned i = 0; i < state->num_fs_inputs; i++) {
      const struct emul_fs_input *in = &state->fs_inputs[i];
      struct emul_vec4 *out = &inputs[in->index];
      unsigned o = in->output;
      if (emul_interpolate_varies(s, in))
         emul_interpolate_varying_multisample(s->v[0]->out[o], s->v[1]->out[o], s->v[2]->out[o],
                                              b[in->interp][0], b[in->interp][1], quad, out);
      else
         emul_interpolate_special_at(s, in, x, y, sample, quad, out);
   }
   if (state->fs_centroid && sample == WHOLE_PIXEL)
      emul_interpolate_centroid_inputs(s, x, y, quad, inputs);
}

void
emul_quad_interpolate_sample(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                             unsigned quad, struct emul_vec4 *inputs)
{
   emul_interpolate_multisample(s, x, y, sample, quad, inputs);
}

void
emul_quad_interpolate(const struct emul_setup *s, int32_t x, int32_t y, unsigned quad,
                      struct emul_vec4 *inputs)
{
   const struct emul_draw_state *state = s->state;
   if (emul_multisample(state)) {
      emul_interpolate_multisample(s, x, y, WHOLE_PIXEL, quad, inputs);
      return;
   }
   f32x4 b[2][2] = {{{0}}}; /* [interp][vertex] */
   if (state->fs_perspective) {
      f64x2 q0[2], q1[2], q2[2];
      emul_interpolate_plane_quad(s->q[0], x, y, q0);
      emul_interpolate_plane_quad(s->q[1], x, y, q1);
      emul_interpolate_plane_quad(s->q[2], x, y, q2);
      f32x4 w = emul_interpolate_narrow(q0);
      b[ATTILA_INTERP_PERSPECTIVE][0] = emul_interpolate_narrow(q1) / w;
      b[ATTILA_INTERP_PERSPECTIVE][1] = emul_interpolate_narrow(q2) / w;
   }
   if (state->fs_linear) {
      f64x2 l1[2], l2[2];
      emul_interpolate_plane_quad(s->l[0], x, y, l1);
      emul_interpolate_plane_quad(s->l[1], x, y, l2);
      b[ATTILA_INTERP_LINEAR][0] = emul_interpolate_narrow(l1);
      b[ATTILA_INTERP_LINEAR][1] = emul_interpolate_narrow(l2);
   }
   for (unsigned i = 0; i < state->num_fs_inputs; i++) {
      const struct emul_fs_input *in = &state->fs_inputs[i];
      struct emul_vec4 *out = &inputs[in->index];
      unsigned o = in->output;
      if (emul_interpolate_varies(s, in))
         emul_interpolate_varying(s->v[0]->out[o], s->v[1]->out[o], s->v[2]->out[o],
                                  b[in->interp][0], b[in->interp][1], quad, out);
      else
         emul_interpolate_special(s, in, x, y, quad, out);
   }
}

/* --- Several quads of one primitive --- */

#if defined(__x86_64__)
/* Loads the numbers one by one: they have just been stored one by one, so one wide load would stall
 * the host. */
SIM_INLINE i32x4
emul_interpolate_load_one_by_one(const int32_t v[4])
{
   int32_t a = v[0], b = v[1], c = v[2], d = v[3];
   __asm__("" : "+r"(a), "+r"(b), "+r"(c), "+r"(d));
   return (i32x4){a, b, c, d};
}

#define GROUP_LANES 8
#define GROUP_NAME quads_avx2
#define GROUP_FOUR four_avx2
#define GROUP_SQUARE square_avx2
#define GROUP_TARGET __attribute__((target("avx2")))
#include "emul/raster/emul_interpolate_group.h"
#define GROUP_LANES 16
#define GROUP_NAME quads_avx512
#define GROUP_FOUR four_avx512
#define GROUP_SQUARE square_avx512
#define GROUP_TARGET __attribute__((target("avx512f")))
#include "emul/raster/emul_interpolate_group.h"
#endif

static void
emul_interpolate_quads_base(const struct emul_setup *s, unsigned count, const int32_t *x,
                            const int32_t *y, unsigned first, struct emul_vec4 *inputs)
{
   for (unsigned q = 0; q < count; q++)
      emul_quad_interpolate(s, x[q], y[q], first + q, inputs);
}

static void
emul_interpolate_four_base(const struct emul_setup *s, const struct emul_components *components,
                           const int32_t *x, const int32_t *y, struct emul_vec4 *inputs)
{
   emul_interpolate_quads_base(s, 4, x, y, 0, inputs);
}

static void
emul_interpolate_square_base(const struct emul_setup *s, const struct emul_components *components,
                             int32_t x, int32_t y, struct emul_vec4 *inputs)
{
   for (unsigned q = 0; q < 4; q++)
      emul_quad_interpolate(s, x + emul_quad_x(q), y + emul_quad_y(q), q, inputs);
}

const struct emul_interpolator *
emul_interpolator_get(unsigned n)
{
   static const struct emul_interpolator base = {
       emul_interpolate_quads_base, emul_interpolate_four_base, emul_interpolate_square_base};
   const struct emul_interpolator *list[3];
   unsigned count = 0;
#if defined(__x86_64__)
   static const struct emul_interpolator avx2 = {quads_avx2, four_avx2, square_avx2},
                                         avx512 = {quads_avx512, four_avx512, square_avx512};
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = &avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = &avx2;
#endif
   list[count++] = &base;
   return n < count ? list[n] : NULL;
}

/* The choice for this host, made once, when the library is loaded. */
static const struct emul_interpolator *interpolator;

static __attribute__((constructor)) void
emul_interpolate_choose_interpolator(void)
{
   interpolator = emul_interpolator_get(0);
}

void
emul_quads_interpolate(const struct emul_setup *s, unsigned count, const int32_t *x,
                       const int32_t *y, unsigned first, struct emul_vec4 *inputs)
{
   (emul_multisample(s->state) ? emul_interpolate_quads_base : interpolator->quads)(s, count, x, y,
                                                                                    first, inputs);
}

void
emul_components_of(const struct emul_setup *s, struct emul_components *components)
{
   const struct emul_draw_state *state = s->state;
   struct emul_component *c = components->list;
   components->special = 0;
   for (unsigned interp = 0; interp < 2; interp++) {
      for (unsigned i = 0; i < state->num_fs_inputs; i++) {
         const struct emul_fs_input *in = &state->fs_inputs[i];
         if (!emul_interpolate_varies(s, in)) {
            components->special |= 1ull << i;
            continue;
         }
         for (unsigned m = in->interp == interp ? in->components : 0; m; m &= m - 1, c++) {
            const unsigned k = (unsigned)__builtin_ctz(m), o = in->output;
            c->value = s->v[0]->out[o][k];
            c->d1 = s->v[1]->out[o][k] - c->value;
            c->d2 = s->v[2]->out[o][k] - c->value;
            c->input = in->index;
            c->component = (uint8_t)k;
         }
      }
      components->end[interp] = (unsigned)(c - components->list);
   }
}

/* Sets the inputs of four quads that are not made from components. */
static inline void
emul_interpolate_special_of_four(const struct emul_setup *s,
                                 const struct emul_components *components, const int32_t *x,
                                 const int32_t *y, struct emul_vec4 *inputs)
{
   for (uint64_t m = components->special; m; m &= m - 1) {
      const struct emul_fs_input *in = &s->state->fs_inputs[__builtin_ctzll(m)];
      for (unsigned q = 0; q < 4; q++)
         emul_interpolate_special(s, in, x[q], y[q], q, &inputs[in->index]);
   }
}

void
emul_four_interpolate(const struct emul_setup *s, const struct emul_components *components,
                      const int32_t *x, const int32_t *y, struct emul_vec4 *inputs)
{
   interpolator->four(s, components, x, y, inputs);
   emul_interpolate_special_of_four(s, components, x, y, inputs);
}

void
emul_square_interpolate(const struct emul_setup *s, const struct emul_components *components,
                        int32_t x, int32_t y, struct emul_vec4 *inputs)
{
   const int32_t xs[4] = {x, x + 2, x, x + 2}, ys[4] = {y, y, y + 2, y + 2};
   interpolator->square(s, components, x, y, inputs);
   emul_interpolate_special_of_four(s, components, xs, ys, inputs);
}
