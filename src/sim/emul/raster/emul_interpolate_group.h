/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Attributes of several quads of one primitive, without multisampling, in vectors as wide as the
 * host's registers (compilers split wider ones in memory). Operations and order are those of a quad
 * (emul_interpolate.c), so bits are the same. Included there once per width, with GROUP_LANES
 * (pixels per step: 16 or 8, whole quads), GROUP_NAME, GROUP_FOUR and GROUP_SQUARE (functions for
 * up to 4 quads, for 4, for a square of them) and GROUP_TARGET (their attribute). */
#define JOIN_(name, lanes) name##lanes
#define JOIN(name, lanes) JOIN_(name, lanes)
#define group_f32 JOIN(group_f32x, GROUP_LANES)
#define group_half JOIN(group_half_of_, GROUP_LANES)
#define group_f64 JOIN(group_f64_half_of_, GROUP_LANES)
#define group_plane JOIN(group_plane_, GROUP_LANES)
#define group_step JOIN(group_step_, GROUP_LANES)
#define group_join JOIN(group_join_, GROUP_LANES)
#define group_pixels JOIN(group_pixels_, GROUP_LANES)
#define group_components JOIN(group_components_, GROUP_LANES)
#define group_barycentric JOIN(group_barycentric_, GROUP_LANES)
#define group_varying JOIN(group_varying_, GROUP_LANES)
#define group_inputs JOIN(group_inputs_, GROUP_LANES)

typedef float group_f32 __attribute__((vector_size(4 * GROUP_LANES)));
typedef float group_half __attribute__((vector_size(2 * GROUP_LANES)));
typedef double group_f64 __attribute__((vector_size(4 * GROUP_LANES)));

/* Both halves of a step: doubles take twice the room. */
SIM_INLINE void
group_join(const group_f64 *first, const group_f64 *second, group_f32 *out)
{
   const group_half lo = __builtin_convertvector(*first, group_half),
                    hi = __builtin_convertvector(*second, group_half);
#if GROUP_LANES == 16
   *out = __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
   *out = __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/* Coordinates of a step's pixels, half in each member. Four quads may form a 4x4 square, as in most
 * of a large primitive. Then the members of y are for the upper and lower quads; x is for all quads
 * (one_row) or, in two steps, for the left and for the right ones. */
struct group_pixels {
   group_f64 x[2], y[2];
   unsigned steps;
   bool one_row; /* both halves have the same x */
};

/* Evaluates a plane at the pixels. */
SIM_INLINE void
group_plane(const double p[3], const struct group_pixels *at, group_f32 out[2])
{
   const group_f64 row0 = p[0] + p[1] * at->x[0],
                   row1 = at->one_row ? row0 : p[0] + p[1] * at->x[1], column0 = p[2] * at->y[0],
                   column1 = p[2] * at->y[1];
   const group_f64 first = row0 + column0, last = row1 + column1;
   if (at->steps == 1) {
      group_join(&first, &last, &out[0]);
   } else {
      const group_f64 right = row1 + column0, low_left = row0 + column1;
      group_join(&first, &right, &out[0]);
      group_join(&low_left, &last, &out[1]);
   }
}

/* Computes the components that are read of a varying input, at the pixels of count quads. b:
 * coordinates of the input's kind of interpolation, by vertex and step. */
SIM_INLINE void
group_varying(const struct emul_setup *s, const struct emul_fs_input *in, unsigned steps,
              unsigned count, const group_f32 b[2][2], unsigned first, struct emul_vec4 *out)
{
   f32x4 v0, v1, v2;
   float a[4], d1[4], d2[4];
   memcpy(&v0, s->v[0]->out[in->output], 16);
   memcpy(&v1, s->v[1]->out[in->output], 16);
   memcpy(&v2, s->v[2]->out[in->output], 16);
   v1 -= v0;
   v2 -= v0;
   memcpy(a, &v0, 16);
   memcpy(d1, &v1, 16);
   memcpy(d2, &v2, 16);
   for (unsigned left = in->components; left; left &= left - 1) {
      const unsigned c = (unsigned)__builtin_ctz(left);
      float *to = &out->c[c][4 * first];
      for (unsigned i = 0; i < steps; i++) {
         const group_f32 v = a[c] + b[0][i] * d1[c] + b[1][i] * d2[c];
         if (count == steps * GROUP_LANES / 4)
            memcpy(to + i * GROUP_LANES, &v, sizeof(v));
         else
            for (unsigned q = 0; q < count; q++)
               memcpy(to + 4 * q, (const float *)&v + 4 * q, 16);
      }
   }
}

/* b: [interp][vertex][step] */
SIM_INLINE void
group_barycentric(const struct emul_setup *s, const struct group_pixels *at, group_f32 b[2][2][2])
{
   if (s->state->fs_perspective) {
      group_f32 w[2], q1[2], q2[2];
      group_plane(s->q[0], at, w);
      group_plane(s->q[1], at, q1);
      group_plane(s->q[2], at, q2);
      for (unsigned i = 0; i < at->steps; i++) {
         b[ATTILA_INTERP_PERSPECTIVE][0][i] = q1[i] / w[i];
         b[ATTILA_INTERP_PERSPECTIVE][1][i] = q2[i] / w[i];
      }
   }
   if (s->state->fs_linear) {
      group_plane(s->l[0], at, b[ATTILA_INTERP_LINEAR][0]);
      group_plane(s->l[1], at, b[ATTILA_INTERP_LINEAR][1]);
   }
}

/* Computes count quads, and stores the inputs' read components from quad `first` on. Unused places
 * of the steps repeat the last quad and are not stored. */
SIM_INLINE void
group_inputs(const struct emul_setup *s, unsigned count, const struct group_pixels *at,
             const int32_t *x, const int32_t *y, unsigned first, struct emul_vec4 *inputs)
{
   const struct emul_draw_state *state = s->state;
   group_f32 b[2][2][2];
   group_barycentric(s, at, b);
   for (unsigned n = 0; n < state->num_fs_inputs; n++) {
      const struct emul_fs_input *in = &state->fs_inputs[n];
      if (emul_interpolate_varies(s, in)) {
         group_varying(s, in, at->steps, count, b[in->interp], first, &inputs[in->index]);
         continue;
      }
      for (unsigned q = 0; q < count; q++)
         emul_interpolate_special(s, in, x[q], y[q], first + q, &inputs[in->index]);
   }
}

SIM_INLINE void
group_step(const struct emul_setup *s, unsigned count, const int32_t *x, const int32_t *y,
           unsigned first, struct emul_vec4 *inputs)
{
   struct group_pixels at = {.steps = 1};
   for (unsigned h = 0; h < 2; h++) {
#if GROUP_LANES == 16
      const unsigned i = 2 * h < count ? 2 * h : count - 1, j = i + 1 < count ? i + 1 : i;
      const double x0 = x[i], x1 = x[j], y0 = y[i], y1 = y[j];
      at.x[h] = (group_f64){x0, x0, x0, x0, x1, x1, x1, x1} + (group_f64){0, 1, 0, 1, 0, 1, 0, 1};
      at.y[h] = (group_f64){y0, y0, y0, y0, y1, y1, y1, y1} + (group_f64){0, 0, 1, 1, 0, 0, 1, 1};
#else
      const unsigned i = h < count ? h : count - 1;
      at.x[h] = (double)x[i] + (group_f64){0, 1, 0, 1};
      at.y[h] = (double)y[i] + (group_f64){0, 0, 1, 1};
#endif
   }
   group_inputs(s, count, &at, x, y, first, inputs);
}

GROUP_TARGET static void
GROUP_NAME(const struct emul_setup *s, unsigned count, const int32_t *x, const int32_t *y,
           unsigned first, struct emul_vec4 *inputs)
{
#if GROUP_LANES == 16
   if (count <= 2) { /* wider vectors would only repeat the last quad */
      quads_avx2(s, count, x, y, first, inputs);
      return;
   }
#endif
   for (unsigned q = 0; q < count; q += GROUP_LANES / 4) {
      const unsigned left = count - q;
      group_step(s, left < GROUP_LANES / 4 ? left : GROUP_LANES / 4, x + q, y + q, first + q,
                 inputs);
   }
}

/* Interpolates four quads from the primitive's components. */
SIM_INLINE void
group_components(const struct emul_setup *s, const struct emul_components *components,
                 const struct group_pixels *at, unsigned first, struct emul_vec4 *inputs)
{
   group_f32 b[2][2][2];
   group_barycentric(s, at, b);
   unsigned n = 0;
   for (unsigned interp = 0; interp < 2; interp++) {
      for (; n < components->end[interp]; n++) {
         const struct emul_component *c = &components->list[n];
         float *to = &inputs[c->input].c[c->component][first];
         for (unsigned i = 0; i < at->steps; i++) {
            const group_f32 v = c->value + b[interp][0][i] * c->d1 + b[interp][1][i] * c->d2;
            memcpy(to + i * GROUP_LANES, &v, sizeof(v));
         }
      }
   }
}

GROUP_TARGET static void
GROUP_FOUR(const struct emul_setup *s, const struct emul_components *components, const int32_t *x,
           const int32_t *y, struct emul_vec4 *inputs)
{
   struct group_pixels at = {.steps = 1};
#if GROUP_LANES == 16
   const i32x4 xi = emul_interpolate_load_one_by_one(x), yi = emul_interpolate_load_one_by_one(y);
   const f64x4 xd = __builtin_convertvector(xi, f64x4), yd = __builtin_convertvector(yi, f64x4);
   const group_f64 dx = {0, 1, 0, 1, 0, 1, 0, 1}, dy = {0, 0, 1, 1, 0, 0, 1, 1};
   at.x[0] = __builtin_shufflevector(xd, xd, 0, 0, 0, 0, 1, 1, 1, 1) + dx;
   at.x[1] = __builtin_shufflevector(xd, xd, 2, 2, 2, 2, 3, 3, 3, 3) + dx;
   at.y[0] = __builtin_shufflevector(yd, yd, 0, 0, 0, 0, 1, 1, 1, 1) + dy;
   at.y[1] = __builtin_shufflevector(yd, yd, 2, 2, 2, 2, 3, 3, 3, 3) + dy;
   group_components(s, components, &at, 0, inputs);
#else
   for (unsigned q = 0; q < 4; q += 2) {
      for (unsigned h = 0; h < 2; h++) {
         at.x[h] = (double)x[q + h] + (group_f64){0, 1, 0, 1};
         at.y[h] = (double)y[q + h] + (group_f64){0, 0, 1, 1};
      }
      group_components(s, components, &at, 4 * q, inputs);
   }
#endif
}

GROUP_TARGET static void
GROUP_SQUARE(const struct emul_setup *s, const struct emul_components *components, int32_t x,
             int32_t y, struct emul_vec4 *inputs)
{
   struct group_pixels at = {.steps = 16 / GROUP_LANES, .one_row = GROUP_LANES == 16};
   for (unsigned h = 0; h < 2; h++) {
#if GROUP_LANES == 16
      at.x[h] = (double)x + (group_f64){0, 1, 0, 1, 2, 3, 2, 3};
      at.y[h] = (double)(y + (int)(2 * h)) + (group_f64){0, 0, 1, 1, 0, 0, 1, 1};
#else
      at.x[h] = (double)(x + (int)(2 * h)) + (group_f64){0, 1, 0, 1};
      at.y[h] = (double)(y + (int)(2 * h)) + (group_f64){0, 0, 1, 1};
#endif
   }
   group_components(s, components, &at, 0, inputs);
}

#undef group_f32
#undef group_half
#undef group_f64
#undef group_plane
#undef group_step
#undef group_join
#undef group_pixels
#undef group_varying
#undef group_components
#undef group_barycentric
#undef group_inputs
#undef JOIN
#undef JOIN_
#undef GROUP_LANES
#undef GROUP_NAME
#undef GROUP_FOUR
#undef GROUP_SQUARE
#undef GROUP_TARGET
