/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Setup: facing, culling, exact edge functions, planes of depth and barycentric coordinates (in
 * double precision from the snapped positions), polygon offset, polygon modes. Not here: lines and
 * points (emul_setup_line.c), traversal (emul_raster.c). */
#include <math.h>
#include <string.h>
#include "emul/raster/emul_setup_impl.h"

/* Returns i / SUBPIXELS rounded towards minus infinity. */
static inline int64_t
emul_setup_floor_pixel(int64_t i)
{
   return i >> EMUL_SUBPIXEL_BITS;
}

bool
emul_setup_bounds(struct emul_setup *s, const int64_t x[], const int64_t y[], unsigned num,
                  const int32_t area[4])
{
   int64_t lo[2] = {x[0], y[0]}, hi[2] = {x[0], y[0]};
   for (unsigned i = 1; i < num; i++) {
      lo[0] = x[i] < lo[0] ? x[i] : lo[0];
      hi[0] = x[i] > hi[0] ? x[i] : hi[0];
      lo[1] = y[i] < lo[1] ? y[i] : lo[1];
      hi[1] = y[i] > hi[1] ? y[i] : hi[1];
   }
   int32_t *out[4] = {&s->minx, &s->miny, &s->maxx, &s->maxy};
   for (unsigned i = 0; i < 2; i++) {
      int64_t low = emul_setup_floor_pixel(lo[i]) - 1, high = emul_setup_floor_pixel(hi[i]) + 2;
      s->box[i] = (int32_t)(low > area[i] ? low : area[i]);
      s->box[i + 2] = (int32_t)(high < area[i + 2] + 1 ? high : area[i + 2] + 1);
      int64_t first, last;
      if (emul_multisample(s->state) || s->smooth) {
         first = emul_setup_floor_pixel(lo[i]);
         last = emul_setup_floor_pixel(hi[i]) + 1;
      } else {
         int64_t centre = emul_centre(s->state);
         first = emul_setup_floor_pixel(lo[i] - centre + SUBPIXELS - 1);
         last = emul_setup_floor_pixel(hi[i] - centre) + 1;
      }
      *out[i] = (int32_t)(first > area[i] ? first : area[i]);
      *out[i + 2] = (int32_t)(last < area[i + 2] ? last : area[i + 2]);
   }
   return s->minx < s->maxx && s->miny < s->maxy;
}

void
emul_setup_depth(struct emul_setup *s, double z0, double z1, double z2, double offset)
{
   double d1 = z1 - z0, d2 = z2 - z0;
   s->z[0] = z0 + offset + s->l[0][0] * d1 + s->l[1][0] * d2;
   s->z[1] = s->l[0][1] * d1 + s->l[1][1] * d2;
   s->z[2] = s->l[0][2] * d1 + s->l[1][2] * d2;
   double min = z0 < z1 ? z0 : z1, max = z0 < z1 ? z1 : z0;
   min = z2 < min ? z2 : min;
   max = z2 > max ? z2 : max;
   s->zmin = emul_clamp_depth(s->state, (float)(min + offset));
   s->zmax = emul_clamp_depth(s->state, (float)(max + offset));
   if (!(s->zmin <= s->zmax)) {
      s->zmin = s->state->depth_near;
      s->zmax = s->state->depth_far;
   }
}

void
emul_setup_perspective(struct emul_setup *s, double w0, double w1, double w2)
{
   for (unsigned i = 0; i < 3; i++) {
      s->q[1][i] = s->l[0][i] * w1;
      s->q[2][i] = s->l[1][i] * w2;
      s->q[0][i] = (i == 0 ? w0 : 0.0) + s->l[0][i] * (w1 - w0) + s->l[1][i] * (w2 - w0);
   }
}

void
emul_setup_edge(struct emul_setup *s, unsigned i, int64_t x0, int64_t y0, int64_t x1, int64_t y1)
{
   int64_t a = y0 - y1, b = x1 - x0;
   /* Points on an edge are inside if it is a left edge or, if horizontal, the top (or bottom)
    * edge. */
   bool owns = a > 0 || (a == 0 && (s->state->regs.bottom_edge_rule ? b < 0 : b > 0));
   s->edge_a[i] = a;
   s->edge_b[i] = b;
   s->edge_c[i] = -a * x0 - b * y0 - (owns ? 0 : 1);
}

/* Computes planes of the screen-linear barycentric coordinates b1, b2 over pixel centres. */
static void
emul_setup_barycentric(struct emul_setup *s, const struct emul_window w[3], int64_t area)
{
   int64_t centre = emul_centre(s->state);
   double scale = 1.0 / (double)area;
   for (unsigned i = 0; i < 2; i++) {
      /* The edge opposite vertex i + 1. */
      const struct emul_window *p = i ? &w[0] : &w[2], *q = i ? &w[1] : &w[0];
      int64_t a = p->y - q->y, b = q->x - p->x, c = -a * p->x - b * p->y;
      s->l[i][0] = (double)(c + (a + b) * centre) * scale;
      s->l[i][1] = (double)(a * SUBPIXELS) * scale;
      s->l[i][2] = (double)(b * SUBPIXELS) * scale;
   }
}

/* Returns the polygon offset's depth; z: plane without it. */
static double
emul_setup_polygon_offset(const struct emul_draw_state *state, const struct emul_window w[3],
                          const double z[3])
{
   const struct attila_regs *r = &state->regs;
   double unit = 0.0, slope_x = fabs(z[1]), slope_y = fabs(z[2]);
   const struct attila_format_desc *format = state->zs_format;
   if (format && format->channel[0].bits == 32) {
      /* Floating point: the smallest step at the primitive's largest depth, and a little more, so
       * that depths halfway between two steps are separated, too, in spite of rounding to even. */
      double max = fabs(w[0].z) > fabs(w[1].z) ? fabs(w[0].z) : fabs(w[1].z);
      max = fabs(w[2].z) > max ? fabs(w[2].z) : max;
      float f = (float)max;
      uint32_t bits;
      memcpy(&bits, &f, 4);
      bits &= 0x7f800000;
      bits = bits > 23u << 23 ? bits - (23u << 23) : 0;
      memcpy(&f, &bits, 4);
      unit = f * (1.0 + 0x1p-10);
   } else if (format && format->channel[0].bits) {
      /* The least that separates all depths after rounding to a float: a step, and in 24 bits a
       * quarter more, since floats below 1/2 are half as far apart. */
      unit = 1.25 * (1.0 + 0x1p-10) / (double)((1u << format->channel[0].bits) - 1);
   }
   double offset =
       r->offset_units * unit + (slope_x > slope_y ? slope_x : slope_y) * r->offset_scale;
   if (r->offset_clamp > 0.0f)
      offset = offset < r->offset_clamp ? offset : r->offset_clamp;
   else if (r->offset_clamp < 0.0f)
      offset = offset > r->offset_clamp ? offset : r->offset_clamp;
   return offset == offset ? offset : 0.0;
}

static void
emul_setup_start(struct emul_setup *s, const struct emul_draw_state *state,
                 const struct emul_primitive *prim)
{
   s->state = state;
   s->flat = prim->flat;
   s->id = prim->id;
   s->layer = emul_layer_of(state, prim->flat);
   s->is_point = s->is_line = s->smooth = false;
   s->centre_edges = 0;
   s->point_center[0] = s->point_center[1] = s->point_size = 0.0f;
   s->stipple_start = 0;
   memset(s->stipple_step, 0, sizeof(s->stipple_step));
   memset(s->l, 0, sizeof(s->l));
   s->area2 = 0;
}

static bool
emul_setup_fill(struct emul_setup *s, const struct emul_primitive *prim,
                const struct emul_window w[3], int64_t area, const struct emul_facet *facet)
{
   const int64_t x[3] = {w[0].x, w[1].x, w[2].x}, y[3] = {w[0].y, w[1].y, w[2].y};
   s->smooth = s->state->smooth && s->state->regs.poly_smooth;
   /* Triangles of one polygon share no pixel, so only its boundary is antialiased. */
   s->centre_edges = ~prim->edges & 7;
   if (!emul_setup_bounds(s, x, y, 3, facet->area))
      return false;
   for (unsigned i = 0; i < 3; i++) {
      const struct emul_window *p = &w[i], *q = &w[i == 2 ? 0 : i + 1];
      s->v[i] = prim->v[i];
      if (area > 0)
         emul_setup_edge(s, i, p->x, p->y, q->x, q->y);
      else
         emul_setup_edge(s, i, q->x, q->y, p->x, p->y);
   }
   s->num_edges = 3;
   s->front = facet->front;
   emul_setup_depth(s, w[0].z, w[1].z, w[2].z, facet->offset);
   emul_setup_perspective(s, w[0].rw, w[1].rw, w[2].rw);
   s->area2 = (uint64_t)(area < 0 ? -area : area);
   return true;
}

/* Returns whether vertices' edge flags count in this primitive. */
static bool
emul_setup_is_boundary(const struct emul_draw_state *state, const struct emul_primitive *prim,
                       unsigned i)
{
   unsigned flag = state->regs.edge_flag_output,
            type = state->gs ? ATTILA_NUM_PRIMS : state->cmd.prim;
   if (!(prim->edges >> i & 1))
      return false;
   if (flag == ATTILA_NO_VARYING ||
       (type != ATTILA_PRIM_TRIANGLES && type != ATTILA_PRIM_QUADS && type != ATTILA_PRIM_POLYGON))
      return true;
   return prim->v[i]->out[flag][0] != 0.0f;
}

/* In polygon mode line or point, makes the boundary edges, or their first vertices. */
static unsigned
emul_setup_outline(const struct emul_draw_state *state, const struct emul_primitive *prim,
                   const struct emul_window w[3], unsigned mode, const struct emul_facet *facet,
                   uint32_t *stipple, struct emul_setup out[EMUL_MAX_SETUP])
{
   unsigned num = 0;
   for (unsigned i = 0; i < 3; i++) {
      unsigned next = i == 2 ? 0 : i + 1;
      if (!emul_setup_is_boundary(state, prim, i))
         continue;
      struct emul_setup *s = &out[num];
      emul_setup_start(s, state, prim);
      s->v[0] = s->v[1] = s->v[2] = prim->v[i];
      if (mode == ATTILA_FILL_LINE) {
         const struct emul_window ends[2] = {w[i], w[next]};
         s->v[1] = prim->v[next];
         num += emul_setup_line(s, ends, facet, stipple);
      } else {
         num += emul_setup_point(s, &w[i], facet);
      }
   }
   return num;
}

static unsigned
emul_setup_triangle(const struct emul_draw_state *state, const struct emul_primitive *prim,
                    const struct emul_window w[3], uint32_t *stipple,
                    struct emul_setup out[EMUL_MAX_SETUP], enum emul_setup_result *result)
{
   const struct attila_regs *r = &state->regs;
   const int64_t x1 = w[1].x - w[0].x, y1 = w[1].y - w[0].y, x2 = w[2].x - w[0].x,
                 y2 = w[2].y - w[0].y, area = x1 * y2 - x2 * y1;
   struct emul_facet facet = {.front = (area < 0) == (r->front_ccw != 0), .area = state->view};
   unsigned mode = facet.front ? r->fill_front : r->fill_back;
   if (area == 0) {
      *result = EMUL_SETUP_CULLED_AREA;
      return 0;
   }
   if (r->cull & (facet.front ? ATTILA_CULL_FRONT : ATTILA_CULL_BACK)) {
      *result = EMUL_SETUP_CULLED_FACE;
      return 0;
   }
   struct emul_setup *s = &out[0];
   emul_setup_start(s, state, prim);
   emul_setup_barycentric(s, w, area);
   if (mode == ATTILA_FILL_SOLID  ? r->offset_tri
       : mode == ATTILA_FILL_LINE ? r->offset_line
                                  : r->offset_point) {
      emul_setup_depth(s, w[0].z, w[1].z, w[2].z, 0.0);
      facet.offset = emul_setup_polygon_offset(state, w, s->z);
   }
   unsigned num = mode == ATTILA_FILL_SOLID
                      ? emul_setup_fill(s, prim, w, area, &facet)
                      : emul_setup_outline(state, prim, w, mode, &facet, stipple, out);
   *result = num ? EMUL_SETUP_OK : EMUL_SETUP_CULLED_OUTSIDE;
   return num;
}

unsigned
emul_setup(const struct emul_draw_state *state, const struct emul_primitive *prim,
           uint32_t *stipple, struct emul_setup out[EMUL_MAX_SETUP], enum emul_setup_result *result)
{
   struct emul_window w[3];
   *result = EMUL_SETUP_CULLED_AREA;
   if (prim->num_vertices == 0 || prim->num_vertices > 3)
      return 0;
   for (unsigned i = 0; i < prim->num_vertices; i++) {
      if (prim->window[i])
         w[i] = *prim->window[i];
      else
         emul_window_of(state, prim->v[i]->out[ATTILA_VS_OUTPUT_POSITION], &w[i]);
      if (w[i].outcode & EMUL_OUTSIDE_W)
         return 0;
   }
   if (prim->stipple_reset)
      *stipple = 0;
   if (prim->num_vertices == 3)
      return emul_setup_triangle(state, prim, w, stipple, out, result);

   const struct emul_facet facet = {
       .front = true, .area = state->regs.point_line_tri_clip ? state->view : state->scissor};
   struct emul_setup *s = &out[0];
   emul_setup_start(s, state, prim);
   s->v[0] = s->v[1] = s->v[2] = prim->v[0];
   bool covered;
   if (prim->num_vertices == 2) {
      s->v[1] = prim->v[1];
      if (w[0].x == w[1].x && w[0].y == w[1].y)
         return 0;
      covered = emul_setup_line(s, w, &facet, stipple);
   } else {
      covered = emul_setup_point(s, w, &facet);
   }
   *result = covered ? EMUL_SETUP_OK : EMUL_SETUP_CULLED_OUTSIDE;
   return covered;
}
