/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clipping, triangle, line and point setup, tile traversal and interpolation. Positions are snapped
 * to 1/256 pixel and edge functions are exact 64-bit integers, so shared edges have neither gaps
 * nor double hits (top-left rule); the papers' 2D homogeneous setup (Olano and Greer) has no such
 * guarantee. Triangles that cross w = 0, the near or far plane, a user plane or the guard band are
 * really clipped.
 */
#ifndef EMUL_RASTER_H
#define EMUL_RASTER_H

#include "emul/emul_draw.h"

#define EMUL_SUBPIXEL_BITS 8
#define EMUL_MAX_CLIPPED \
   24 /* vertices a clipped polygon can have; fan of one less than 2 fewer triangles */
#define EMUL_MAX_SETUP \
   4 /* primitives setup can make of one (polygon mode line: 3, wide smooth: 4) */

enum emul_clip_result { EMUL_CLIP_PASS, EMUL_CLIP_REJECT, EMUL_CLIP_CLIPPED };

/* Planes of the view volume: 2 bits each for x and y before these. */
#define EMUL_OUTSIDE_SIDES 0x0fu
#define EMUL_OUTSIDE_NEAR 0x10u
#define EMUL_OUTSIDE_FAR 0x20u
#define EMUL_OUTSIDE_W 0x40u /* w > 0 */

/* A vertex in window coordinates, which mean something unless EMUL_OUTSIDE_W. */
struct emul_window {
   double z, rw;     /* window depth, 1 / w */
   int32_t x, y;     /* subpixels, less than 2^23 away from 0 or that */
   uint32_t outcode; /* EMUL_OUTSIDE_ planes that it is outside of */
   uint32_t unused;  /* 0 */
};
/* position: as the vertex program wrote it. */
void emul_window_of(const struct emul_draw_state *state, const float position[4],
                    struct emul_window *out);
/* The outcode alone; what is not a number is outside of all. */
unsigned emul_outcode(const struct emul_draw_state *state, const float position[4]);
/* Of count (up to EMUL_LANES) vertices, to out and so many bytes apart from there. */
typedef void (*emul_windows_fn)(const struct emul_draw_state *state,
                                const struct emul_vec4 *position, unsigned count,
                                struct emul_window *out, size_t stride);
/* The n-th function for that which this host can run, the fastest first; NULL past the last. All
 * give the same bits. */
emul_windows_fn emul_windows_get(unsigned n);

/* A primitive before setup. */
struct emul_primitive {
   uint8_t num_vertices; /* 1, 2, 3 */
   uint8_t provoking;    /* index */
   uint8_t edges;        /* boundary edges, as emul_assembled */
   bool stipple_reset;
   const struct emul_vertex *v[3];
   const struct emul_vertex *flat;      /* the provoking vertex; survives clipping */
   const struct emul_window *window[3]; /* of v, if somebody knows them already; else NULL */
   uint32_t id;                         /* as emul_assembled */
};

/* The trivial tests alone: CLIPPED means that it must be clipped to know. */
enum emul_clip_result emul_clip_test(const struct emul_draw_state *state,
                                     const struct emul_primitive *prim);
/* Trivial tests and clipping. On CLIPPED, polygon receives the vertices (interpolated copies in
 * storage), edges marks boundary edges; the caller makes a fan (points and lines: 1 or 2 vertices).
 * planes (may be NULL) receives how many planes really clipped. */
enum emul_clip_result emul_clip(const struct emul_draw_state *state,
                                const struct emul_primitive *prim,
                                struct emul_vertex storage[EMUL_MAX_CLIPPED],
                                unsigned *num_vertices, uint32_t *edges, unsigned *planes);

/* A primitive ready for traversal. Self-contained but for the vertices' attributes. */
struct emul_setup {
   const struct emul_draw_state *state;
   const struct emul_vertex *v[3];
   const struct emul_vertex *flat;
   int32_t minx, miny, maxx, maxy; /* pixels, max exclusive, inside the scissor */
   int32_t box[4]; /* pixels that the bounding box touches and one more around them, max exclusive;
                      at most one beyond the scissor */
   unsigned num_edges;                      /* 3 triangle, 4 line and point */
   int64_t edge_a[4], edge_b[4], edge_c[4]; /* a * x + b * y + c >= 0 at subpixel positions is
                                               inside; tie rule folded into c */
   double z[3]; /* depth = z[0] + z[1] * x + z[2] * y at pixel centres (x, y integer pixel), offset
                   included */
   float zmin, zmax; /* clamp of the depth values of the primitive, 0..1 */
   double q[3][3];   /* perspective: sum 1/w, b1/w1, b2/w2 as planes like z */
   double l[2][3];   /* screen-linear barycentrics b1, b2 as planes */
   bool front;
   bool is_point, is_line;
   uint32_t id;    /* as emul_assembled */
   uint32_t layer; /* below state->layers.count */
   bool smooth;    /* antialiased: the fraction of a pixel that is covered multiplies its alpha */
   uint8_t
       centre_edges; /* smooth: bit per edge inside an OpenGL polygon, which pixel centres decide */
   float point_center[2], point_size;
   uint32_t stipple_start; /* line stipple counter at vertex 0 */
   float stipple_step[3];  /* counter as a plane in x, y */
   uint64_t area2;         /* twice the area in subpixels^2, for statistics */
};

enum emul_setup_result {
   EMUL_SETUP_OK,
   EMUL_SETUP_CULLED_FACE,
   EMUL_SETUP_CULLED_AREA /* degenerate */,
   EMUL_SETUP_CULLED_OUTSIDE
};

/* Sets up a primitive that emul_clip passed; polygon mode may turn it into several. stipple:
 * running counter, updated. Returns how many of out are filled (0 with the reason in *result). */
unsigned emul_setup(const struct emul_draw_state *state, const struct emul_primitive *prim,
                    uint32_t *stipple, struct emul_setup out[EMUL_MAX_SETUP],
                    enum emul_setup_result *result);

/* Position of quad q (in memory order) inside its tile. */
static inline int32_t
emul_quad_x(unsigned q)
{
   return (int32_t)((q & 1) << 1 | (q & 4));
}

static inline int32_t
emul_quad_y(unsigned q)
{
   return (int32_t)((q & 2) | (q & 8) >> 1);
}

/* Coverage of the 8x8 tile whose top left pixel is (x, y), both multiples of 8: bit
 * attila_morton8(x & 7, y & 7), so each nibble is a quad. Scissor and stipple included. Single
 * sample. */
uint64_t emul_tile_coverage(const struct emul_setup *s, int32_t x, int32_t y);
/* The same for tiles side by side, which need fewer steps each. */
struct emul_walk {
   int64_t v[4];            /* edge functions at the first pixel's centre of the tile */
   int64_t step[4];         /* what they have more in the next tile */
   int64_t low[4], high[4]; /* at least, at most at another pixel of the tile */
   int32_t x, y;            /* of the tile */
   bool over;               /* no pixel from here on is covered; or not known */
};
void emul_walk_start(const struct emul_setup *s, struct emul_walk *w);
/* To a tile of any row. */
void emul_walk_to(const struct emul_setup *s, struct emul_walk *w, int32_t x, int32_t y);
/* Coverage of the tile where w is; then w is at the next one to the right. */
uint64_t emul_walk_tile(const struct emul_setup *s, struct emul_walk *w);
/* Conservative test: false when no pixel of the dim x dim block (power of 2, aligned) can be
 * covered. */
bool emul_block_overlaps(const struct emul_setup *s, int32_t x, int32_t y, int32_t dim);
/* Whether an edge has the four corners of the block outside: a weaker test, for it does not look at
 * the bounding box, and the right and lower corners are those of the next blocks. */
bool emul_block_touches(const struct emul_setup *s, int32_t x, int32_t y, int32_t dim);
/* Smallest and largest depth any pixel of the 8x8 tile can get, conservative, after clamping. */
void emul_tile_depth_range(const struct emul_setup *s, int32_t x, int32_t y, float *zmin,
                           float *zmax);
/* Sample positions in a pixel in 1/16 pixel (x, y), rows for 1, 2, 4 and 8 samples. */
extern const uint8_t emul_sample_positions[4][ATTILA_MAX_SAMPLES][2];
/* Multisample coverage of a quad, bit sample * 4 + pixel, for 2, 4, 8 samples (and 1). Scissor,
 * stipple and (with several samples) sample_mask included. With pixel_coverage all samples of a
 * pixel are covered or none. */
uint32_t emul_quad_coverage(const struct emul_setup *s, int32_t x, int32_t y, unsigned samples);
/* Points at which a smooth primitive is tested inside a pixel. */
#define EMUL_SMOOTH_POINTS 16
/* Fraction, in steps of 1 / EMUL_SMOOTH_POINTS, of each of a quad's pixels that the primitive
 * covers; 1 if it is not smooth. OpenGL 2.1, 3.12: alpha is multiplied by it. */
void emul_quad_smooth_coverage(const struct emul_setup *s, int32_t x, int32_t y, float coverage[4]);

/* Depth of the 4 pixels (x, y) .. (x + 1, y + 1) of a quad in [0, 1], pixel order as in
 * emul_shader.h. */
void emul_quad_depth(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                     unsigned samples, float z[4]);
/* Interpolates every input of the draw's fragment program for a quad into lanes 4 * quad .. of
 * inputs[ATTILA_MAX_VARYINGS]. */
void emul_quad_interpolate(const struct emul_setup *s, int32_t x, int32_t y, unsigned quad,
                           struct emul_vec4 *inputs);
/* The same for count (1..4) quads at x[], y[] into quads first, first + 1, ...: the same bits,
 * faster, in the components that the program reads; the others may be anything. */
void emul_quads_interpolate(const struct emul_setup *s, unsigned count, const int32_t *x,
                            const int32_t *y, unsigned first, struct emul_vec4 *inputs);

/* A component of an input that varies, in a primitive: value + b1 * d1 + b2 * d2. */
struct emul_component {
   float value, d1, d2;
   uint8_t input, component;
};
/* All that the fragment program reads. */
struct emul_components {
   unsigned end[2];  /* in the list: of perspective ones, of linear ones behind them */
   uint64_t special; /* bit per emul_fs_input that is made otherwise */
   struct emul_component list[4 * ATTILA_ISA_MAX_INPUTS];
};
void emul_components_of(const struct emul_setup *s, struct emul_components *components);
/* Four quads into lanes 0 .. 15 as emul_quads_interpolate does, without multisampling: many of one
 * primitive need its components only once. A square has them at (x, y) .. (x + 3, y + 3), in the
 * order of memory. */
void emul_four_interpolate(const struct emul_setup *s, const struct emul_components *components,
                           const int32_t *x, const int32_t *y, struct emul_vec4 *inputs);
void emul_square_interpolate(const struct emul_setup *s, const struct emul_components *components,
                             int32_t x, int32_t y, struct emul_vec4 *inputs);

/* Functions for these: without multisampling, and from components without what is special. */
struct emul_interpolator {
   void (*quads)(const struct emul_setup *s, unsigned count, const int32_t *x, const int32_t *y,
                 unsigned first, struct emul_vec4 *inputs);
   void (*four)(const struct emul_setup *s, const struct emul_components *components,
                const int32_t *x, const int32_t *y, struct emul_vec4 *inputs);
   void (*square)(const struct emul_setup *s, const struct emul_components *components, int32_t x,
                  int32_t y, struct emul_vec4 *inputs);
};
/* The n-th that this host can run, the fastest first; NULL past the last. All give the same bits.
 * For tests. */
const struct emul_interpolator *emul_interpolator_get(unsigned n);

#endif
