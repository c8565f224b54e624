/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Setup of lines and points as four edges. An aliased line covers its width in pixels per step of
 * its major axis; its ends follow OpenGL's diamond-exit rule exactly, so connected lines draw no
 * pixel twice. Smooth and multisampled lines are rectangles. */
#include <math.h>
#include "emul/raster/emul_setup_impl.h"

/* Returns whether a point is in its pixel's diamond; the arguments are its offset from the centre
 * along the major and minor axis. Of its outline, the part at smaller minor coordinates belongs to
 * the diamond. */
static bool
emul_setup_line_in_diamond(int64_t major, int64_t minor)
{
   int64_t sum = (major < 0 ? -major : major) + (minor < 0 ? -minor : minor);
   return sum < SUBPIXELS / 2 || (sum == SUBPIXELS / 2 && minor < 0);
}

/* Returns the step (pixel column or row) of an end of the line. An end that has left its pixel's
 * diamond belongs to the next step in direction dir. The line covers the steps from that of its
 * start to the one before that of its end. */
static int64_t
emul_setup_line_diamond_step(int64_t major, int64_t minor, int64_t centre, int64_t dir)
{
   int64_t pixel = (major - centre + SUBPIXELS / 2) >> EMUL_SUBPIXEL_BITS;
   int64_t minor_pixel = (minor - centre + SUBPIXELS / 2) >> EMUL_SUBPIXEL_BITS;
   int64_t d = major - (pixel * SUBPIXELS + centre),
           dm = minor - (minor_pixel * SUBPIXELS + centre);
   if (d * dir > 0 && !emul_setup_line_in_diamond(d, dm))
      pixel += dir;
   return pixel;
}

/* Computes planes of the parameter along the line (0 to 1). */
static void
emul_setup_line_planes(struct emul_setup *s, const struct emul_window w[2],
                       const struct emul_facet *facet)
{
   double dx = (double)(w[1].x - w[0].x), dy = (double)(w[1].y - w[0].y), len2 = dx * dx + dy * dy;
   double centre = (double)emul_centre(s->state);
   s->l[0][0] = ((centre - (double)w[0].x) * dx + (centre - (double)w[0].y) * dy) / len2;
   s->l[0][1] = SUBPIXELS * dx / len2;
   s->l[0][2] = SUBPIXELS * dy / len2;
   emul_setup_depth(s, w[0].z, w[1].z, w[0].z, facet->offset);
   emul_setup_perspective(s, w[0].rw, w[1].rw, w[0].rw);
}

/* Makes a rectangle along the line; stipple follows the distance from the first end. */
static bool
emul_setup_line_rectangle_line(struct emul_setup *s, const struct emul_window w[2], double width,
                               const struct emul_facet *facet, uint32_t *stipple)
{
   double dx = (double)(w[1].x - w[0].x), dy = (double)(w[1].y - w[0].y),
          len = sqrt(dx * dx + dy * dy);
   int64_t ox = lrint(-dy / len * width * (SUBPIXELS / 2)),
           oy = lrint(dx / len * width * (SUBPIXELS / 2));
   const int64_t x[4] = {w[0].x - ox, w[1].x - ox, w[1].x + ox, w[0].x + ox};
   const int64_t y[4] = {w[0].y - oy, w[1].y - oy, w[1].y + oy, w[0].y + oy};
   double pixels = len / SUBPIXELS;
   s->stipple_start = *stipple;
   for (unsigned i = 0; i < 3; i++)
      s->stipple_step[i] = (float)(s->l[0][i] * pixels);
   *stipple += (uint32_t)ceil(pixels);
   if (!emul_setup_bounds(s, x, y, 4, facet->area))
      return false;
   for (unsigned i = 0; i < 4; i++)
      emul_setup_edge(s, i, x[i], y[i], x[(i + 1) & 3], y[(i + 1) & 3]);
   s->area2 = 2 * (uint64_t)(len * width * SUBPIXELS);
   return true;
}

/* Sets edge i: sign * coordinate >= sign * limit, along x (axis 0) or y. */
static void
emul_setup_line_axis_edge(struct emul_setup *s, unsigned i, unsigned axis, int64_t sign,
                          int64_t limit)
{
   s->edge_a[i] = axis ? 0 : sign;
   s->edge_b[i] = axis ? sign : 0;
   s->edge_c[i] = -sign * limit;
}

/* Makes a line of width pixels per step of the major axis. */
static bool
emul_setup_line_aliased_line(struct emul_setup *s, const struct emul_window w[2], int64_t width,
                             const struct emul_facet *facet, uint32_t *stipple)
{
   int64_t p[2][2] = {{w[0].x, w[0].y}, {w[1].x, w[1].y}}, centre = emul_centre(s->state);
   int64_t dx = p[1][0] - p[0][0], dy = p[1][1] - p[0][1];
   unsigned major = (dx < 0 ? -dx : dx) >= (dy < 0 ? -dy : dy) ? 0 : 1, minor = !major;
   int64_t dir = p[1][major] > p[0][major] ? 1 : -1;
   int64_t first = emul_setup_line_diamond_step(p[0][major], p[0][minor], centre, dir);
   int64_t stop = emul_setup_line_diamond_step(p[1][major], p[1][minor], centre, dir);
   s->stipple_start = *stipple;
   s->stipple_step[0] = (float)(-dir * first);
   s->stipple_step[1 + major] = (float)dir;
   if ((stop - first) * dir <= 0)
      return false;
   *stipple += (uint32_t)((stop - first) * dir);

   int64_t lo = dir > 0 ? first : stop + 1, hi = dir > 0 ? stop - 1 : first; /* steps, inclusive */
   emul_setup_line_axis_edge(s, 0, major, 1, lo * SUBPIXELS + centre);
   emul_setup_line_axis_edge(s, 1, major, -1, hi * SUBPIXELS + centre);
   /* f = (minor - minor0) * dmajor - (major - major0) * dminor, times dir: the distance from the
    * line in units of |dmajor|. Centres with -half < f <= half are covered. */
   int64_t d_major = (p[1][major] - p[0][major]) * dir, d_minor = (p[1][minor] - p[0][minor]) * dir;
   int64_t half = width * (SUBPIXELS / 2) * d_major,
           c0 = p[0][major] * d_minor - p[0][minor] * d_major;
   int64_t *edge_major = major ? s->edge_b : s->edge_a, *edge_minor = major ? s->edge_a : s->edge_b;
   edge_minor[2] = -d_major;
   edge_major[2] = d_minor;
   s->edge_c[2] = half - c0;
   edge_minor[3] = d_major;
   edge_major[3] = -d_minor;
   s->edge_c[3] = half + c0 - 1;
   s->area2 = 2 * (uint64_t)(hi - lo + 1) * (uint64_t)width * SUBPIXELS * SUBPIXELS;

   /* Bounds: exact along the major axis; along the minor axis from the ends (at a step before the
    * first end the line may be less than a pixel further off). */
   int64_t reach = width * (SUBPIXELS / 2) + SUBPIXELS, corner[2][2];
   bool rising = p[0][minor] < p[1][minor];
   corner[0][major] = lo * SUBPIXELS + centre;
   corner[1][major] = hi * SUBPIXELS + centre;
   corner[0][minor] = p[rising ? 0 : 1][minor] - reach;
   corner[1][minor] = p[rising ? 1 : 0][minor] + reach;
   const int64_t x[2] = {corner[0][0], corner[1][0]}, y[2] = {corner[0][1], corner[1][1]};
   return emul_setup_bounds(s, x, y, 2, facet->area);
}

bool
emul_setup_line(struct emul_setup *s, const struct emul_window w[2], const struct emul_facet *facet,
                uint32_t *stipple)
{
   double width = s->state->regs.line_width;
   width = width > 1.0 ? width < 64.0 ? width : 64.0 : 1.0;
   if (w[0].x == w[1].x && w[0].y == w[1].y)
      return false;
   s->front = facet->front;
   s->is_line = true;
   s->smooth = s->state->smooth && s->state->regs.line_smooth;
   s->num_edges = 4;
   emul_setup_line_planes(s, w, facet);
   return s->smooth || emul_multisample(s->state)
              ? emul_setup_line_rectangle_line(s, w, width, facet, stipple)
              : emul_setup_line_aliased_line(s, w, lrint(width), facet, stipple);
}

bool
emul_setup_point(struct emul_setup *s, const struct emul_window *w, const struct emul_facet *facet)
{
   const struct attila_regs *r = &s->state->regs;
   float size = r->point_size_per_vertex ? s->v[0]->out[r->point_size_output][0] : r->point_size;
   size = size > 1.0f ? size < 256.0f ? size : 256.0f : 1.0f;
   int64_t cx = w->x, cy = w->y, extent = lrint((double)size * SUBPIXELS);
   s->is_point = true;
   s->smooth = s->state->smooth && r->point_smooth && !r->point_is_sprite;
   if (!r->point_is_sprite && !s->smooth && !emul_multisample(s->state)) {
      /* Aliased: whole pixels around the nearest centre (odd) or corner (even). */
      int64_t pixels = lrint((double)size), centre = emul_centre(s->state);
      int64_t first_x =
          (cx - centre - (pixels - 1) * (SUBPIXELS / 2) + SUBPIXELS / 2) >> EMUL_SUBPIXEL_BITS;
      int64_t first_y =
          (cy - centre - (pixels - 1) * (SUBPIXELS / 2) + SUBPIXELS / 2) >> EMUL_SUBPIXEL_BITS;
      extent = pixels * SUBPIXELS;
      cx = first_x * SUBPIXELS + centre - SUBPIXELS / 2 + extent / 2;
      cy = first_y * SUBPIXELS + centre - SUBPIXELS / 2 + extent / 2;
      size = (float)pixels;
   }
   int64_t x0 = cx - extent / 2, y0 = cy - extent / 2, x1 = x0 + extent, y1 = y0 + extent;
   const int64_t x[2] = {x0, x1}, y[2] = {y0, y1};
   if (!emul_setup_bounds(s, x, y, 2, facet->area))
      return false;
   s->num_edges = 4;
   emul_setup_line_axis_edge(s, 0, 0, 1, x0);
   emul_setup_line_axis_edge(s, 1, 0, -1, x1 - 1);
   emul_setup_line_axis_edge(s, 2, 1, 1, y0);
   emul_setup_line_axis_edge(s, 3, 1, -1, y1 - 1);
   if (r->bottom_edge_rule) {
      s->edge_c[2] -= 1;
      s->edge_c[3] += 1;
   }
   s->front = facet->front;
   s->point_center[0] = (float)cx / SUBPIXELS;
   s->point_center[1] = (float)cy / SUBPIXELS;
   s->point_size = size;
   emul_setup_depth(s, w->z, w->z, w->z, facet->offset);
   emul_setup_perspective(s, w->rw, w->rw, w->rw);
   s->area2 = 2 * (uint64_t)extent * (uint64_t)extent;
   return true;
}
