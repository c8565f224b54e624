/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clipping, setup of triangles, lines and points, tile traversal, interpolation. Positions snap to
 * 1/256 pixel and edge functions are exact 64-bit integers, so shared edges have neither gaps nor
 * double hits (top-left rule); the papers' 2D homogeneous setup (Olano and Greer) does not
 * guarantee this. Triangles across w = 0, near, far, a user plane or the guard band are clipped. */
#ifndef EMUL_RASTER_H
#define EMUL_RASTER_H

#include "emul/emul_draw.h"

#define EMUL_SUBPIXEL_BITS 8
#define EMUL_MAX_CLIPPED \
   24 /* most vertices of a clipped polygon, whose fan has two triangles less */
#define EMUL_MAX_SETUP \
   4 /* most primitives that setup makes of one (polygon mode line: 3, wide smooth: 4) */

enum emul_clip_result { EMUL_CLIP_PASS, EMUL_CLIP_REJECT, EMUL_CLIP_CLIPPED };

/* Planes of the view volume; lower bits: 2 each for x and y. */
#define EMUL_OUTSIDE_SIDES 0x0fu
#define EMUL_OUTSIDE_NEAR 0x10u
#define EMUL_OUTSIDE_FAR 0x20u
#define EMUL_OUTSIDE_W 0x40u /* w > 0 */

/* A vertex in window coordinates, which are meaningless with EMUL_OUTSIDE_W. */
struct emul_window {
   double z, rw;     /* window depth, 1 / w */
   int32_t x, y;     /* subpixels, magnitude at most 2^23 */
   uint32_t outcode; /* EMUL_OUTSIDE_ planes it is outside of */
   uint32_t unused;  /* 0 */
};
/* position: the vertex program's output. */
void emul_window_of(const struct emul_draw_state *state, const float position[4],
                    struct emul_window *out);
/* Returns the outcode alone; NaN is outside of all planes. */
unsigned emul_outcode(const struct emul_draw_state *state, const float position[4]);
/* Does the same for count (up to EMUL_LANES) vertices; results go to out, stride bytes apart. */
typedef void (*emul_windows_fn)(const struct emul_draw_state *state,
                                const struct emul_vec4 *position, unsigned count,
                                struct emul_window *out, size_t stride);
/* Returns the n-th function that this host can run, fastest first; NULL past the last. All give the
 * same bits. */
emul_windows_fn emul_windows_get(unsigned n);

/* A primitive before setup. */
struct emul_primitive {
   uint8_t num_vertices; /* 1, 2, 3 */
   uint8_t provoking;    /* index into v */
   uint8_t edges;        /* boundary edges, as in emul_assembled */
   bool stipple_reset;
   const struct emul_vertex *v[3];
   const struct emul_vertex *flat;      /* the provoking vertex; kept by clipping */
   const struct emul_window *window[3]; /* of v if known already; else NULL */
   uint32_t id;                         /* as in emul_assembled */
};

/* Does the trivial tests only: CLIPPED means that clipping must decide. */
enum emul_clip_result emul_clip_test(const struct emul_draw_state *state,
                                     const struct emul_primitive *prim);
/* Does trivial tests and clipping. On CLIPPED, polygon receives the vertices (interpolated copies
 * in storage) and edges the boundary; the caller makes a fan (points and lines: 1 or 2 vertices).
 * planes (may be NULL): how many planes cut something off. */
enum emul_clip_result emul_clip(const struct emul_draw_state *state,
                                const struct emul_primitive *prim,
                                struct emul_vertex storage[EMUL_MAX_CLIPPED],
                                unsigned *num_vertices, uint32_t *edges, unsigned *planes);

/* A primitive ready for traversal. Beside this, only the vertices' attributes are needed. */
struct emul_setup {
   const struct emul_draw_state *state;
   const struct emul_vertex *v[3];
   const struct emul_vertex *flat;
   int32_t minx, miny, maxx, maxy; /* pixels within the scissor, max exclusive */
   int32_t box[4]; /* pixels touched by the bounding box and one more around, max exclusive; at most
                    * one beyond the scissor */
   unsigned num_edges;                      /* 3 triangle, 4 line or point */
   int64_t edge_a[4], edge_b[4], edge_c[4]; /* inside if a * x + b * y + c >= 0 at subpixel
                                             * positions; c includes the tie rule */
   double z[3];      /* depth = z[0] + z[1] * x + z[2] * y at pixel centres (integer x, y), with the
                      * offset */
   float zmin, zmax; /* limits to which its depth is clamped, in 0..1 */
   double q[3][3];   /* perspective: sum 1/w, b1/w1, b2/w2 as planes like z */
   double l[2][3];   /* screen-linear barycentrics b1, b2 as planes */
   bool front;
   bool is_point, is_line;
   uint32_t id;    /* as in emul_assembled */
   uint32_t layer; /* below state->layers.count */
   bool smooth;    /* antialiased: coverage of a pixel multiplies its alpha */
   uint8_t
       centre_edges; /* smooth: bit per edge inside an OpenGL polygon, decided at pixel centres */
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

/* Sets up a primitive that passed emul_clip; polygon mode may make several. stipple: running
 * counter, updated. Returns how many of out are filled (0: *result has the reason). */
unsigned emul_setup(const struct emul_draw_state *state, const struct emul_primitive *prim,
                    uint32_t *stipple, struct emul_setup out[EMUL_MAX_SETUP],
                    enum emul_setup_result *result);

/* Return quad q's position (in memory order) in its tile. */
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

/* Returns the coverage of the 8x8 tile at (x, y), multiples of 8, with scissor and stipple: bit
 * attila_morton8(x & 7, y & 7), so a nibble is a quad. Single sample. */
uint64_t emul_tile_coverage(const struct emul_setup *s, int32_t x, int32_t y);
/* State for the coverage of tiles side by side, which takes fewer steps for each. */
struct emul_walk {
   int64_t v[4];            /* edge functions at the tile's first pixel centre */
   int64_t step[4];         /* their change to the next tile */
   int64_t low[4], high[4]; /* minimum and maximum change within the tile */
   int32_t x, y;            /* of the tile */
   bool over;               /* no pixel from here on is covered; false: unknown */
};
void emul_walk_start(const struct emul_setup *s, struct emul_walk *w);
/* Moves to a tile, of any row. */
void emul_walk_to(const struct emul_setup *s, struct emul_walk *w, int32_t x, int32_t y);
/* Returns the coverage of w's tile and moves right by one. */
uint64_t emul_walk_tile(const struct emul_setup *s, struct emul_walk *w);
/* Conservative test: false if no pixel of the dim x dim block (power of 2, aligned) can be
 * covered. */
bool emul_block_overlaps(const struct emul_setup *s, int32_t x, int32_t y, int32_t dim);
/* A weaker test: false if all four corners are outside of one edge. It ignores the bounding box,
 * and takes the first corners of the next blocks as the right and lower ones. */
bool emul_block_touches(const struct emul_setup *s, int32_t x, int32_t y, int32_t dim);
/* Returns conservative bounds of the clamped depth of an 8x8 tile's pixels. */
void emul_tile_depth_range(const struct emul_setup *s, int32_t x, int32_t y, float *zmin,
                           float *zmax);
/* Sample positions in 1/16 pixel (x, y), a row each for 1, 2, 4 and 8 samples. */
extern const uint8_t emul_sample_positions[4][ATTILA_MAX_SAMPLES][2];
/* Returns a quad's coverage, bit sample * 4 + pixel, for 1, 2, 4, 8 samples, with scissor, stipple
 * and (several samples) sample_mask. pixel_coverage: all samples of a pixel or none. */
uint32_t emul_quad_coverage(const struct emul_setup *s, int32_t x, int32_t y, unsigned samples);
/* Returns a bit per pixel of a quad through which an edge of a triangle goes: the edge is at most
 * half a pixel from its centre, measured along x or y. Such pixels need not be covered. */
uint32_t emul_quad_outline(const struct emul_setup *s, int32_t x, int32_t y);
/* Points per pixel at which smooth primitives are tested. */
#define EMUL_SMOOTH_POINTS 16
/* Returns the covered fraction, in steps of 1 / EMUL_SMOOTH_POINTS, of a quad's pixels, which
 * multiplies alpha (OpenGL 2.1, 3.12); 1 if not smooth. */
void emul_quad_smooth_coverage(const struct emul_setup *s, int32_t x, int32_t y, float coverage[4]);

/* Returns the depth of pixels (x, y) .. (x + 1, y + 1) in [0, 1], ordered as in emul_shader.h. */
void emul_quad_depth(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                     unsigned samples, float z[4]);
/* Interpolates the fragment program's inputs for a quad into lanes 4 * quad .. of
 * inputs[ATTILA_MAX_VARYINGS]. */
void emul_quad_interpolate(const struct emul_setup *s, int32_t x, int32_t y, unsigned quad,
                           struct emul_vec4 *inputs);
/* Does the same for a draw with sample_shading, at a sample of each pixel. */
void emul_quad_interpolate_sample(const struct emul_setup *s, int32_t x, int32_t y, unsigned sample,
                                  unsigned quad, struct emul_vec4 *inputs);
/* Does count (1..4) quads at x[], y[] into quads first, first + 1, ...: the same bits, faster, in
 * the components that the program reads; others are undefined. */
void emul_quads_interpolate(const struct emul_setup *s, unsigned count, const int32_t *x,
                            const int32_t *y, unsigned first, struct emul_vec4 *inputs);

/* A varying component of an input in a primitive: value + b1 * d1 + b2 * d2. */
struct emul_component {
   float value, d1, d2;
   uint8_t input, component;
};
/* All components that the fragment program reads. */
struct emul_components {
   unsigned end[2];  /* ends in the list: of perspective components, then of linear ones */
   uint64_t special; /* bit per emul_fs_input made in another way */
   struct emul_component list[4 * ATTILA_ISA_MAX_INPUTS];
};
void emul_components_of(const struct emul_setup *s, struct emul_components *components);
/* Does four quads into lanes 0 .. 15 like emul_quads_interpolate, without multisampling, with a
 * primitive's components computed once. A square has them at (x, y) .. (x + 3, y + 3), in memory
 * order. */
void emul_four_interpolate(const struct emul_setup *s, const struct emul_components *components,
                           const int32_t *x, const int32_t *y, struct emul_vec4 *inputs);
void emul_square_interpolate(const struct emul_setup *s, const struct emul_components *components,
                             int32_t x, int32_t y, struct emul_vec4 *inputs);

/* Functions that interpolate, without multisampling and without special inputs. */
struct emul_interpolator {
   void (*quads)(const struct emul_setup *s, unsigned count, const int32_t *x, const int32_t *y,
                 unsigned first, struct emul_vec4 *inputs);
   void (*four)(const struct emul_setup *s, const struct emul_components *components,
                const int32_t *x, const int32_t *y, struct emul_vec4 *inputs);
   void (*square)(const struct emul_setup *s, const struct emul_components *components, int32_t x,
                  int32_t y, struct emul_vec4 *inputs);
};
/* Returns the n-th that this host can run, fastest first; NULL past the last. All give the same
 * bits. For tests. */
const struct emul_interpolator *emul_interpolator_get(unsigned n);

#endif
