/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Attributes of several quads of one primitive without multisampling, in vectors as wide as the
 * host's registers: wider ones the compiler takes apart in memory. The same operations in the same
 * order as a quad's (emul_interpolate.c), so the same bits. Included there once per width, with
 * GROUP_LANES (pixels of a step: 16 or 8, whole quads), GROUP_NAME (the function) and GROUP_TARGET
 * (its attribute).
 */
#define JOIN_(name, lanes) name##lanes
#define JOIN(name, lanes) JOIN_(name, lanes)
#define group_f32 JOIN(group_f32x, GROUP_LANES)
#define group_half JOIN(group_half_of_, GROUP_LANES)
#define group_f64 JOIN(group_f64_half_of_, GROUP_LANES)
#define group_plane JOIN(group_plane_, GROUP_LANES)
#define group_step JOIN(group_step_, GROUP_LANES)

typedef float group_f32 __attribute__((vector_size(4 * GROUP_LANES)));
typedef float group_half __attribute__((vector_size(2 * GROUP_LANES)));
typedef double group_f64 __attribute__((vector_size(4 * GROUP_LANES)));

/* A plane at the pixels of a step: each half by itself, since a double takes twice the room. */
static inline __attribute__((always_inline)) void
group_plane(const double p[3], const group_f64 x[2], const group_f64 y[2], group_f32 *out)
{
   const group_half lo = __builtin_convertvector(p[0] + p[1] * x[0] + p[2] * y[0], group_half),
                    hi = __builtin_convertvector(p[0] + p[1] * x[1] + p[2] * y[1], group_half);
#if GROUP_LANES == 16
   *out = __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#else
   *out = __builtin_shufflevector(lo, hi, 0, 1, 2, 3, 4, 5, 6, 7);
#endif
}

/* count quads, at most those of a step, become quads first ... of the inputs: the components that
 * are read. What would come after them repeats the last one and is not stored. */
static inline __attribute__((always_inline)) void
group_step(const struct emul_setup *s, unsigned count, const int32_t *x, const int32_t *y,
           unsigned first, struct emul_vec4 *inputs)
{
   const struct emul_draw_state *state = s->state;
   group_f64 px[2], py[2];
   group_f32 b[2][2]; /* [interp][vertex] */
   for (unsigned h = 0; h < 2; h++) {
#if GROUP_LANES == 16
      const unsigned i = 2 * h < count ? 2 * h : count - 1, j = i + 1 < count ? i + 1 : i;
      const double x0 = x[i], x1 = x[j], y0 = y[i], y1 = y[j];
      px[h] = (group_f64){x0, x0, x0, x0, x1, x1, x1, x1} + (group_f64){0, 1, 0, 1, 0, 1, 0, 1};
      py[h] = (group_f64){y0, y0, y0, y0, y1, y1, y1, y1} + (group_f64){0, 0, 1, 1, 0, 0, 1, 1};
#else
      const unsigned i = h < count ? h : count - 1;
      px[h] = (double)x[i] + (group_f64){0, 1, 0, 1};
      py[h] = (double)y[i] + (group_f64){0, 0, 1, 1};
#endif
   }
   if (state->fs_perspective) {
      group_f32 w, q1, q2;
      group_plane(s->q[0], px, py, &w);
      group_plane(s->q[1], px, py, &q1);
      group_plane(s->q[2], px, py, &q2);
      b[ATTILA_INTERP_PERSPECTIVE][0] = q1 / w;
      b[ATTILA_INTERP_PERSPECTIVE][1] = q2 / w;
   }
   if (state->fs_linear) {
      group_plane(s->l[0], px, py, &b[ATTILA_INTERP_LINEAR][0]);
      group_plane(s->l[1], px, py, &b[ATTILA_INTERP_LINEAR][1]);
   }
   for (unsigned n = 0; n < state->num_fs_inputs; n++) {
      const struct emul_fs_input *in = &state->fs_inputs[n];
      if (!varies(s, in)) {
         for (unsigned q = 0; q < count; q++)
            special(s, in, x[q], y[q], first + q, &inputs[in->index]);
         continue;
      }
      const float *v0 = s->v[0]->out[in->output], *v1 = s->v[1]->out[in->output],
                  *v2 = s->v[2]->out[in->output];
      const group_f32 b0 = b[in->interp][0], b1 = b[in->interp][1];
      for (unsigned left = in->components; left; left &= left - 1) {
         const unsigned c = (unsigned)__builtin_ctz(left);
         const float a = v0[c], d1 = v1[c] - a, d2 = v2[c] - a;
         const group_f32 v = a + b0 * d1 + b1 * d2;
         float *out = &inputs[in->index].c[c][4 * first];
         if (count == GROUP_LANES / 4)
            memcpy(out, &v, sizeof(v));
         else
            memcpy(out, &v, 16 * count);
      }
   }
}

GROUP_TARGET static void
GROUP_NAME(const struct emul_setup *s, unsigned count, const int32_t *x, const int32_t *y,
           unsigned first, struct emul_vec4 *inputs)
{
   for (unsigned q = 0; q < count; q += GROUP_LANES / 4) {
      const unsigned left = count - q;
      group_step(s, left < GROUP_LANES / 4 ? left : GROUP_LANES / 4, x + q, y + q, first + q,
                 inputs);
   }
}

#undef group_f32
#undef group_half
#undef group_f64
#undef group_plane
#undef group_step
#undef JOIN
#undef JOIN_
#undef GROUP_LANES
#undef GROUP_NAME
#undef GROUP_TARGET
