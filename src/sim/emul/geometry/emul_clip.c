/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clipping in clip space (Sutherland and Hodgman). Polygons are clipped at near, far, w > 0, user
 * planes and a guard band that keeps window coordinates in setup's fixed-point range; the sides of
 * the view volume only reject (setup limits pixels to the viewport). In OpenGL lines are also
 * clipped at the sides, and points are kept or dropped by their centre. In OpenGL ES
 * (point_line_tri_clip) lines and points, like polygons, are not clipped at the sides; nor do the
 * sides reject them, since they are wide. While clipping, a vertex is a set of weights of the
 * original vertices. A cut is always computed from the inside vertex to the outside one, so
 * triangles that share an edge cut it at the same point. */
#include <string.h>
#include "emul/raster/emul_raster.h"

/* Limit of window coordinates: 24.8 fixed point in products of 64 bits. */
#define GUARD 32000.0
#define MIN_W 1e-20
#define MAX_PLANES (3 + 4 + 4 + ATTILA_MAX_CLIP_PLANES)

struct clipper {
   unsigned num_planes;
   uint32_t user;           /* bit per plane that is a user plane */
   double d[MAX_PLANES][3]; /* distances of the original vertices; inside when >= 0 */
};

struct weights {
   double w[3];
   bool boundary; /* of the edge to the next vertex */
};

static void
emul_clip_add_plane(struct clipper *c, const struct emul_primitive *prim, double x, double y,
                    double z, double w, double k)
{
   double *d = c->d[c->num_planes++];
   for (unsigned i = 0; i < prim->num_vertices; i++) {
      const float *p = prim->v[i]->out[ATTILA_VS_OUTPUT_POSITION];
      d[i] = x * p[0] + y * p[1] + z * p[2] + w * p[3] + k;
   }
}

static void
emul_clip_add_depth_planes(const struct emul_draw_state *state, const struct emul_primitive *prim,
                           struct clipper *c)
{
   emul_clip_add_plane(c, prim, 0, 0, 0, 1, -MIN_W);
   if (state->regs.depth_clip) {
      emul_clip_add_plane(c, prim, 0, 0, 1, state->regs.clip_halfz ? 0 : 1, 0);
      emul_clip_add_plane(c, prim, 0, 0, -1, 1, 0);
   }
}

static void
emul_clip_add_user_planes(const struct emul_draw_state *state, const struct emul_primitive *prim,
                          struct clipper *c)
{
   for (uint32_t m = state->regs.clip_distance_enable; m; m &= m - 1) {
      unsigned p = (unsigned)__builtin_ctz(m), o = attila_clip_distance_output(&state->regs, p / 4);
      c->user |= 1u << c->num_planes;
      double *d = c->d[c->num_planes++];
      for (unsigned i = 0; i < prim->num_vertices; i++)
         d[i] = prim->v[i]->out[o][p % 4];
   }
}

static void
emul_clip_add_guard_planes(const struct emul_draw_state *state, const struct emul_primitive *prim,
                           struct clipper *c)
{
   for (unsigned i = 0; i < 2; i++) {
      double s = state->regs.viewport_scale[i], t = state->regs.viewport_translate[i];
      emul_clip_add_plane(c, prim, i ? 0 : -s, i ? -s : 0, 0, GUARD - t, 0);
      emul_clip_add_plane(c, prim, i ? 0 : s, i ? s : 0, 0, GUARD + t, 0);
   }
}

static void
emul_clip_add_side_planes(const struct emul_primitive *prim, struct clipper *c)
{
   emul_clip_add_plane(c, prim, 1, 0, 0, 1, 0);
   emul_clip_add_plane(c, prim, -1, 0, 0, 1, 0);
   emul_clip_add_plane(c, prim, 0, 1, 0, 1, 0);
   emul_clip_add_plane(c, prim, 0, -1, 0, 1, 0);
}

/* Returns whether the sides of the view volume clip the primitive itself. */
static bool
emul_clip_sides_clip(const struct emul_draw_state *state, const struct emul_primitive *prim)
{
   return prim->num_vertices < 3 && !state->regs.point_line_tri_clip;
}

static bool
emul_clip_viewport_in_guard(const struct attila_regs *r)
{
   return __builtin_fabsf(r->viewport_scale[0]) + __builtin_fabsf(r->viewport_translate[0]) <
              (float)GUARD &&
          __builtin_fabsf(r->viewport_scale[1]) + __builtin_fabsf(r->viewport_translate[1]) <
              (float)GUARD;
}

static inline double
emul_clip_distance(const struct weights *v, const double d[3])
{
   /* Skips weights of 0: a sum of two terms is the same in any order, and infinity times 0 would be
    * NaN. */
   double sum = 0.0;
   for (unsigned i = 0; i < 3; i++) {
      if (v->w[i] != 0.0)
         sum += v->w[i] * d[i];
   }
   return sum;
}

static inline struct weights
emul_clip_cut(const struct weights *inside, double din, const struct weights *outside, double dout)
{
   struct weights v = {.boundary = false};
   double t = din / (din - dout);
   for (unsigned i = 0; i < 3; i++)
      v.w[i] = inside->w[i] * (1.0 - t) + outside->w[i] * t;
   return v;
}

/* Clips polygon in[n] by one plane; returns the number of vertices in out; *cut_off: whether
 * anything was removed. */
static unsigned
emul_clip_polygon(const struct weights *in, unsigned n, const double d[3], bool user,
                  struct weights *out, bool *cut_off)
{
   double dist[EMUL_MAX_CLIPPED];
   unsigned m = 0;
   *cut_off = false;
   for (unsigned i = 0; i < n; i++) {
      dist[i] = emul_clip_distance(&in[i], d);
      *cut_off |= !(dist[i] >= 0.0);
   }
   for (unsigned i = 0; i < n; i++) {
      unsigned next = i + 1 == n ? 0 : i + 1;
      bool inside = dist[i] >= 0.0, next_inside = dist[next] >= 0.0;
      if (inside)
         out[m++] = in[i];
      if (inside == next_inside || m == EMUL_MAX_CLIPPED)
         continue;
      if (inside) {
         /* The polygon leaves the plane's inside here: the edge along the plane follows, which is a
          * visible boundary only for user planes. */
         out[m] = emul_clip_cut(&in[i], dist[i], &in[next], dist[next]);
         out[m++].boundary = user;
      } else {
         out[m] = emul_clip_cut(&in[next], dist[next], &in[i], dist[i]);
         out[m++].boundary = in[i].boundary;
      }
      if (m == EMUL_MAX_CLIPPED)
         break;
   }
   return m;
}

static void
emul_clip_weigh_output(const struct emul_primitive *prim, const double w[3], unsigned o, float *out)
{
   double sum[4] = {0.0, 0.0, 0.0, 0.0};
   for (unsigned i = 0; i < prim->num_vertices; i++) {
      if (w[i] == 0.0)
         continue;
      for (unsigned c = 0; c < 4; c++)
         sum[c] += w[i] * prim->v[i]->out[o][c];
   }
   for (unsigned c = 0; c < 4; c++)
      out[c] = (float)sum[c];
}

/* Outputs linear in the window (OpenGL 3.0, section 2.19): a vertex is the mean of projected
 * vertices, so each weight has a factor w. */
static void
emul_clip_weigh_linear_outputs(const struct emul_draw_state *state,
                               const struct emul_primitive *prim, const double weights[3],
                               struct emul_vertex *out)
{
   double w[3] = {0.0, 0.0, 0.0};
   for (unsigned i = 0; i < prim->num_vertices; i++)
      w[i] = weights[i] * prim->v[i]->out[ATTILA_VS_OUTPUT_POSITION][3];
   const double sum = w[0] + w[1] + w[2];
   for (unsigned i = 0; i < 3; i++)
      w[i] /= sum;
   for (uint64_t m = state->linear_outputs; m; m &= m - 1) {
      const unsigned o = (unsigned)__builtin_ctzll(m);
      emul_clip_weigh_output(prim, w, o, out->out[o]);
   }
}

/* Makes the vertex of these weights. */
static void
emul_clip_make_vertex(const struct emul_draw_state *state, const struct emul_primitive *prim,
                      const struct weights *v, struct emul_vertex *out)
{
   for (unsigned i = 0; i < prim->num_vertices; i++) {
      if (v->w[i] == 1.0) {
         memcpy(out, prim->v[i], state->num_outputs * sizeof(out->out[0]));
         return;
      }
   }
   for (unsigned o = 0; o < state->num_outputs; o++)
      emul_clip_weigh_output(prim, v->w, o, out->out[o]);
   if (state->linear_outputs)
      emul_clip_weigh_linear_outputs(state, prim, v->w, out);
}

static bool
emul_clip_has_edge_flags(const struct emul_draw_state *state)
{
   return state->regs.edge_flag_output != ATTILA_NO_VARYING;
}

static enum emul_clip_result
emul_clip_triangle(const struct emul_draw_state *state, const struct emul_primitive *prim,
                   const struct clipper *c, struct emul_vertex *storage, unsigned *num_vertices,
                   uint32_t *edges, unsigned *planes)
{
   struct weights buffer[2][EMUL_MAX_CLIPPED];
   unsigned n = 3, from = 0, cut_planes = 0, flag = state->regs.edge_flag_output;
   memset(buffer[0], 0, 3 * sizeof(buffer[0][0]));
   for (unsigned i = 0; i < 3; i++) {
      buffer[0][i].w[i] = 1.0;
      buffer[0][i].boundary = (prim->edges >> i & 1) && (!emul_clip_has_edge_flags(state) ||
                                                         prim->v[i]->out[flag][0] != 0.0f);
   }
   for (unsigned p = 0; p < c->num_planes && n >= 3; p++) {
      bool cut_off;
      n = emul_clip_polygon(buffer[from], n, c->d[p], c->user >> p & 1, buffer[!from], &cut_off);
      from = !from;
      cut_planes += cut_off;
   }
   *planes = cut_planes;
   if (n < 3)
      return EMUL_CLIP_REJECT;
   if (cut_planes == 0)
      return EMUL_CLIP_PASS;
   *num_vertices = n;
   *edges = 0;
   for (unsigned i = 0; i < n; i++) {
      const struct weights *v = &buffer[from][i];
      emul_clip_make_vertex(state, prim, v, &storage[i]);
      *edges |= (uint32_t)v->boundary << i;
      /* Sets the edge flags at which setup looks, since interpolated ones are meaningless. */
      if (emul_clip_has_edge_flags(state))
         storage[i].out[flag][0] = v->boundary ? 1.0f : 0.0f;
   }
   return EMUL_CLIP_CLIPPED;
}

static enum emul_clip_result
emul_clip_line(const struct emul_draw_state *state, const struct emul_primitive *prim,
               const struct clipper *c, struct emul_vertex *storage, unsigned *num_vertices,
               uint32_t *edges, unsigned *planes)
{
   double t0 = 0.0, t1 = 1.0;
   unsigned cut_planes = 0;
   for (unsigned p = 0; p < c->num_planes; p++) {
      double a = c->d[p][0], b = c->d[p][1];
      bool in0 = a >= 0.0, in1 = b >= 0.0;
      cut_planes += !in0 || !in1;
      *planes = cut_planes;
      if (!in0 && !in1)
         return EMUL_CLIP_REJECT;
      if (!in0) {
         double t = 1.0 - b / (b - a);
         t0 = t > t0 ? t : t0;
      } else if (!in1) {
         double t = a / (a - b);
         t1 = t < t1 ? t : t1;
      }
   }
   if (cut_planes == 0)
      return EMUL_CLIP_PASS;
   if (!(t0 < t1))
      return EMUL_CLIP_REJECT;
   struct weights v[2] = {{.w = {1.0 - t0, t0, 0.0}}, {.w = {1.0 - t1, t1, 0.0}}};
   for (unsigned i = 0; i < 2; i++)
      emul_clip_make_vertex(state, prim, &v[i], &storage[i]);
   *num_vertices = 2;
   *edges = prim->edges;
   return EMUL_CLIP_CLIPPED;
}

static enum emul_clip_result
emul_clip_point(const struct clipper *c)
{
   for (unsigned p = 0; p < c->num_planes; p++) {
      if (!(c->d[p][0] >= 0.0))
         return EMUL_CLIP_REJECT;
   }
   return EMUL_CLIP_PASS;
}

enum emul_clip_result
emul_clip_test(const struct emul_draw_state *state, const struct emul_primitive *prim)
{
   unsigned all = ~0u, any = 0;
   for (unsigned i = 0; i < prim->num_vertices; i++) {
      unsigned code = prim->window[i]
                          ? prim->window[i]->outcode
                          : emul_outcode(state, prim->v[i]->out[ATTILA_VS_OUTPUT_POSITION]);
      all &= code;
      any |= code;
   }
   if (prim->num_vertices < 3 && state->regs.point_line_tri_clip) {
      /* Wide points and lines may reach into the volume from outside; NaN fails the other tests. */
      all &= ~EMUL_OUTSIDE_SIDES;
   }
   if (all)
      return EMUL_CLIP_REJECT;
   return !any && emul_clip_viewport_in_guard(&state->regs) && !state->regs.clip_distance_enable
              ? EMUL_CLIP_PASS
              : EMUL_CLIP_CLIPPED;
}

enum emul_clip_result
emul_clip(const struct emul_draw_state *state, const struct emul_primitive *prim,
          struct emul_vertex storage[EMUL_MAX_CLIPPED], unsigned *num_vertices, uint32_t *edges,
          unsigned *planes)
{
   unsigned dummy;
   if (!planes)
      planes = &dummy;
   *planes = 0;
   const enum emul_clip_result test = emul_clip_test(state, prim);
   if (test != EMUL_CLIP_CLIPPED)
      return test;
   const bool in_guard = emul_clip_viewport_in_guard(&state->regs);

   struct clipper c;
   c.num_planes = 0;
   c.user = 0;
   emul_clip_add_depth_planes(state, prim, &c);
   emul_clip_add_user_planes(state, prim, &c);
   if (emul_clip_sides_clip(state, prim))
      emul_clip_add_side_planes(prim, &c);
   if (!emul_clip_sides_clip(state, prim) || !in_guard)
      emul_clip_add_guard_planes(state, prim, &c);
   switch (prim->num_vertices) {
   case 1:
      return emul_clip_point(&c);
   case 2:
      return emul_clip_line(state, prim, &c, storage, num_vertices, edges, planes);
   case 3:
      return emul_clip_triangle(state, prim, &c, storage, num_vertices, edges, planes);
   default:
      return EMUL_CLIP_REJECT;
   }
}
