/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The functional mode's state, and functions shared by its files. */
#ifndef SIM_FUNC_IMPL_H
#define SIM_FUNC_IMPL_H

#include <stdatomic.h>
#include "emul/compute/emul_grid.h"
#include "emul/emul_draw_reads.h"
#include "emul/raster/emul_raster.h"
#include "emul/rop/emul_fragment.h"
#include "func/sim_func.h"

#define FUNC_CHUNK 1024     /* most distinct vertices shaded before primitives use them */
#define FUNC_POSITIONS 4096 /* most indices per chunk */
#define FUNC_HASH 4096      /* entries of the vertex cache, direct mapped */
#define FUNC_QUADS (EMUL_LANES / 4)
#define FUNC_BLOCK 64 /* side, in pixels, of the squares that threads share */

/* Fragment quads that wait until the group is full; index i of each array is quad i. */
struct func_group {
   unsigned count;
   unsigned interpolated; /* quads with inputs; the others belong to the present primitive */
   bool mixed;            /* quads of several primitives, which may have the same places */
   int32_t x[FUNC_QUADS], y[FUNC_QUADS];
   uint32_t place[FUNC_QUADS]; /* number of quads before it in a slice of func_pass.pitch_tiles */
   uint32_t mask[FUNC_QUADS];  /* bit sample * 4 + pixel */
   uint8_t sample[FUNC_QUADS]; /* with sample_shading: the only one */
   bool front[FUNC_QUADS];
   float z[FUNC_QUADS][ATTILA_MAX_COLOR_BUFFERS][4]; /* late depth test only */
   float coverage[FUNC_QUADS][4];                    /* for smooth primitives */
};

struct func_cache_entry {
   uint32_t index, slot;
   uint64_t epoch; /* the entry is valid if this is the chunk's */
};

/* A deferred clear: each block of FUNC_BLOCK x FUNC_BLOCK pixels is filled on first use. No two
 * overlap. */
#define FUNC_MAX_DEFERRED 8
#define FUNC_MAX_BLOCKS                                          \
   ((ATTILA_MAX_PITCH_TILES * 8 + FUNC_BLOCK - 1) / FUNC_BLOCK * \
    (ATTILA_MAX_SURFACE_DIM / FUNC_BLOCK))
struct func_deferred {
   uint64_t layout;     /* func_layout; 0: unused */
   uint64_t start, end; /* bytes of memory; blocks are consecutive from start on */
   uint8_t *base;       /* host address of start */
   struct attila_tile_rect rect;
   uint32_t pitch_tiles;
   size_t tile_elements; /* all samples */
   unsigned bytes;       /* per element */
   uint8_t element[16];
   bool some_wait;                 /* a block may wait that is not scheduled */
   uint8_t block[FUNC_MAX_BLOCKS]; /* enum func_block, in the rectangle. Owned by the thread that
                                    * draws there during draws */
};
enum func_block {
   FUNC_BLOCK_DRAWN, /* may hold anything */
   FUNC_BLOCK_WAITS, /* to fill */
   FUNC_BLOCK_FILLED /* has the value: another clear to it is already done */
};

/* A buffer, prepared for addressing. */
struct func_surface {
   uint8_t *base; /* layer 0's */
   uint32_t layer_stride, pitch_tiles, element_bytes;
   uint32_t address, block_bytes, tile_bytes; /* for the watch: place and size of its blocks */
   bool group;                                /* an emul_color_group_fn handles it */
   struct func_deferred *deferred;            /* its deferred clear, or NULL */
};

/* Tests depth of a tile's covered pixels, whose 64 elements are at zs; returns those that pass.
 * Only for draws with a depth test, no stencil test and a single sample. */
typedef uint64_t (*func_tile_z_fn)(const struct emul_setup *s, int32_t x, int32_t y,
                                   uint64_t coverage, uint8_t *zs);
struct func_tile_z {
   func_tile_z_fn z24, z16; /* 24 bits in 4 bytes; 16 bits in 2 */
};
/* Returns the n-th variant this host can run, fastest first; NULL past the last. All give the same
 * bits. */
const struct func_tile_z *func_tile_z_get(unsigned n);
/* Returns the function for a depth format; NULL: none. */
func_tile_z_fn func_tile_z_of(const struct func_tile_z *variant, enum attila_format format);

/* What a draw's fragments need. Except for the sums it is constant from the draw's first primitive
 * on. */
struct func_pass {
   struct emul_draw_state state;
   struct sim_device *device;
   const struct sim_func_watch *watch; /* NULL: drawn blocks are not reported */
   struct sim_func_cover *cover;       /* NULL: not watched */
   uint64_t *counters;                 /* enum attila_counter: the context's */
   bool discard, z_active, writes_depth, alpha_coverage;
   bool final_masks;      /* single sample, and shading changes no mask unless lanes are stopped */
   bool one_color;        /* the program's inputs are equal for all fragments */
   bool unseen;           /* no output is used: the program need not run */
   bool deferred;         /* a surface has a deferred clear */
   func_tile_z_fn tile_z; /* early depth test of tiles, or NULL */
   const struct emul_color_writer *writer;
   bool squares; /* fully covered 4x4 pixels that pass early tests are only shaded and written, to
                  * buffers of one width as 16 consecutive elements */
   struct func_surface zs, color[ATTILA_MAX_COLOR_BUFFERS];
   uint32_t pitch_tiles;            /* that of the first buffer */
   _Atomic uint64_t shaded, passed; /* fragments; samples */
   _Atomic bool stopped;            /* a lane looped too often */
};

/* Executes programs. There is one worker for the command thread and one per share of the screen.
 * Registers are those of the running group. */
struct func_worker {
   struct func_pass *pass;
   unsigned index, shares;            /* which blocks it draws (func_share_of); shares 1: all */
   uint32_t layer;                    /* the present primitive's */
   struct func_group *group;          /* &waiting or &square */
   struct func_group waiting, square; /* square: fully covered 4x4 pixels, drawn at once */
   bool components_known;             /* for the present primitive */
   struct emul_components components;
   bool outputs_stay; /* outputs hold for all fragments of the pass (one_color) */
   uint32_t fills;    /* bit per buffer whose fill is known while outputs stay */
   struct emul_color_fill fill[ATTILA_MAX_COLOR_BUFFERS];
   uint64_t shaded, passed; /* in the pass, so far */
   struct emul_thread thread;
   struct emul_vec4 inputs[ATTILA_ISA_MAX_INPUTS]; /* fragments' */
   struct emul_vec4 outputs[ATTILA_ISA_MAX_OUTPUTS];
   struct emul_vec4 temps[ATTILA_ISA_MAX_TEMPS];
};

/* Returns the surface's layer that the worker draws to. */
static inline uint8_t *
func_layer_base(const struct func_worker *w, const struct func_surface *s)
{
   return s->base + (size_t)w->layer * s->layer_stride;
}

/* Vertices lie in segments of a ring, as fragment threads read those of waiting primitives. Counted
 * in vectors of 16 bytes: a vertex's outputs and window coordinates. */
#define FUNC_SEGMENTS 4
#define FUNC_VERTEX_VECTORS 64 /* most vectors of a vertex */
#define FUNC_SEGMENT_VECTORS (FUNC_CHUNK * FUNC_VERTEX_VECTORS)
struct func_arena {
   float (*vectors)[4];
   uint32_t segment, used;
   uint64_t left[FUNC_SEGMENTS]; /* last primitive that uses the segment's vertices */
};

/* The draw's primitives that wait for the geometry stage. */
struct func_gs {
   unsigned count;
   struct emul_assembled prim[EMUL_LANES]; /* references into f->arena */
   uint8_t invocation[EMUL_LANES];
   struct emul_emission emission[EMUL_LANES];
   struct emul_vec4 inputs[ATTILA_GS_INPUT(ATTILA_MAX_GS_INPUTS, 0)];
   float (*out)[4]; /* all lanes' emissions; grows */
   size_t room;     /* vectors */
};

struct func_threads;
struct func_queue;

/* A fragment at a watched pixel. */
struct func_grid_fragment {
   int32_t x, y;
   struct sim_func_fragment found;
};

struct sim_func {
   struct sim_device *device;
   struct func_pass *pass; /* the draw whose geometry is processed */
   char *error;            /* the argument of sim_func_run */
   size_t error_size;
   uint8_t *image; /* SWAP's; grows */
   size_t image_size;
   struct sim_func_watch watch;
   bool watched;
   struct {
      int32_t at[2];
      uint32_t primitives; /* in the draw so far */
      void (*call)(void *user, const struct sim_func_fragment *found, bool after); /* or NULL */
      void *user;
   } pixel;
   struct {
      int32_t first[2], step;
      struct func_grid_fragment *found; /* of a primitive; grows */
      uint32_t room;
      void (*call)(void *user, int32_t x, int32_t y,
                   const struct sim_func_fragment *found); /* or NULL */
      void *user;
   } grid;
   struct sim_func_cover *cover; /* NULL: not watched */
   const struct func_tile_z *tile_z;
   const struct emul_color_writer *color;

   struct func_worker *own; /* the command thread's */
   struct func_threads *threads;
   struct func_queue *queue;
   bool alone; /* the command thread executes all fragments, too */

   struct emul_grid compute;

   struct func_deferred deferred[FUNC_MAX_DEFERRED];
   unsigned num_deferred, oldest_deferred;
   bool keeps_clears; /* clears may wait beyond sim_func_run */

   /* Geometry. */
   struct func_arena arena, clipped; /* shaded vertices; clipped primitives */
   struct func_arena emitted;        /* the geometry stage's vertices */
   struct func_gs gs;
   struct emul_assembler assembler;
   uint32_t stipple;
   unsigned keep;    /* references that the assembler holds */
   uint32_t stride;  /* vectors per vertex, including window coordinates */
   bool has_windows; /* the program writes positions */
   emul_windows_fn windows;
   struct func_cache_entry cache[FUNC_HASH];
   uint64_t epoch;
   uint32_t unique[FUNC_CHUNK];
   uint32_t position[FUNC_POSITIONS]; /* slot of each index of the chunk, or FUNC_RESTART */
   struct emul_setup setup[EMUL_MAX_SETUP];
   struct emul_vec4 vertex_in[ATTILA_ISA_MAX_INPUTS];
   struct sim_func_vertices_watch vertices;
   uint32_t *row; /* by place in the arena, if primitives are watched: the vertex's number */
   uint32_t rows; /* vertices of the draw that are watched so far */
};
#define FUNC_RESTART 0xffffffffu

/* func_geometry.c: a draw from indices to primitives. */
void func_draw(struct sim_func *f);
/* Sends a primitive of the last stage to stream-out, and to fragments if it is in stream 0. window:
 * its vertices' or NULL. */
void func_geometry_output(struct sim_func *f, const struct emul_assembled *a, unsigned stream,
                          const struct emul_vertex *const vertex[3],
                          const struct emul_window *const window[3]);
/* func_gs.c: takes primitives for the geometry stage; sends the waiting ones through it. */
void func_gs_take(struct sim_func *f, const struct emul_assembled *a, unsigned num);
void func_gs_flush(struct sim_func *f);

/* sim_func.c: prepares memory for a draw or grid whose programs write it; done: passes on what they
 * wrote. */
void func_draw_writes(struct sim_func *f, const struct emul_draw_state *state, bool done);

/* func_grid.c */
bool func_exec_dispatch(struct sim_func *f, const uint32_t *payload, uint32_t words);

/* func_fragment.c. Start: derives a pass from its state. Rasterise: draws the worker's blocks of a
 * primitive of w->pass. End: finishes its group and sums. */
void func_fragment_start(struct sim_func *f, struct func_pass *pass);
void func_rasterise(struct func_worker *w, const struct emul_setup *s);
void func_fragment_end(struct func_worker *w);
/* func_pixel.c: finds what will become of the primitive's fragment at a pixel in a block of w,
 * whose group must be empty. False: no fragment. */
bool func_pixel_look(struct func_worker *w, const struct emul_setup *s, const int32_t pixel[2],
                     struct sim_func_fragment *found);
/* The same for all watched pixels of f->grid: reports them once the primitive is drawn. */
void func_pixel_rasterise_grid(struct sim_func *f, const struct emul_setup *s);
/* func_cover.c: count a primitive's fragments, and those of the worker's group that have passed. */
void func_cover_primitive(struct sim_func_cover *c, const struct emul_setup *s);
void func_cover_passed(const struct func_worker *w);
/* sim_func.c: maps pages of zeros, which use memory only once they are touched. NULL: out of host
 * memory. */
void *func_pages(size_t bytes);
void func_pages_free(void *pages, size_t bytes);
struct func_worker *func_worker_create(unsigned index, unsigned shares);
void func_worker_destroy(struct func_worker *w);
/* Runs a program of w->pass, with textures from memory. */
void func_run_thread(struct func_worker *w, const struct emul_program *program, unsigned stage,
                     const struct emul_vec4 *inputs, uint16_t lanes, uint16_t helpers);

/* Returns a block's share of the screen; neighbours get different ones. */
#define FUNC_MAX_SHARES 64
static inline unsigned
func_share_of(int32_t bx, int32_t by, unsigned shares)
{
   return ((unsigned)bx + (shares % 3 ? 3 : 2) * (unsigned)by) % shares;
}

/* func_clear.c: CLEAR_COLOR, CLEAR_ZS of the bound surfaces, after draws that use them. */
void func_clear_color(struct sim_func *f, const struct attila_regs *regs, uint32_t buffers,
                      const float color[4]);
void func_clear_zs(struct sim_func *f, const struct attila_regs *regs, uint32_t planes, float depth,
                   uint32_t stencil);
/* Brings bytes [start, end) of memory up to date before they are read or written. No executing draw
 * may write there. */
void func_clear_apply(struct sim_func *f, uint64_t start, uint64_t end, bool write);
/* Does the same for memory that a draw reads (r: its ranges); clears of its surfaces may keep
 * waiting. */
struct func_ranges;
void func_clear_before_draw(struct sim_func *f, struct func_pass *p, const struct func_ranges *r);
/* Fills the worker's blocks of a clear. */
void func_clear_apply_share(const struct func_worker *w, struct func_deferred *d);
/* Does the same for the block at pixel (bx, by) of a draw's surfaces, if p->deferred. */
void func_clear_block(struct func_pass *p, int32_t bx, int32_t by);

/* func_threads.c: creates what executes fragments. Threads start with the first work. count: how
 * many, including the command thread. NULL: out of host memory. */
struct func_threads *func_threads_create(unsigned count);
void func_threads_destroy(struct func_threads *t);
/* func_queue.c: draws with waiting fragments. NULL: out of host memory. */
struct func_queue *func_queue_create(void);
void func_queue_destroy(struct func_queue *q);
/* For tests, before the first draw: from then on any work wakes threads, and few primitives may
 * wait. */
void func_queue_strain(struct sim_func *f);
/* Returns a place for the next draw, whose state the caller fills; waits for an earlier draw if
 * need be. */
struct func_pass *func_pass_take(struct sim_func *f);
/* Decides which threads execute the fragments of f->pass, and waits for earlier draws if it
 * must. */
void func_pass_begin(struct sim_func *f);
/* Adds a primitive of f->pass. */
void func_primitive(struct sim_func *f, const struct emul_setup *s);
/* Ends f->pass's primitives. */
void func_pass_end(struct sim_func *f);
/* Waits until all that draws write is in memory and in their counters. */
void func_drain(struct sim_func *f);
/* Does the same for bytes [start, end) of memory, before they are read or written. */
void func_drain_range(struct sim_func *f, uint64_t start, uint64_t end, bool write);
/* Makes each share fill its waiting blocks before the next draw's fragments read them. False: the
 * caller must do it now. */
bool func_apply_later(struct sim_func *f, struct func_deferred *d);
/* Returns consecutive unused vectors of a ring. */
uint32_t func_vectors(struct sim_func *f, struct func_arena *a, uint32_t count);

/* func_ranges.c: bytes that draws read and write. */
struct func_range {
   uint64_t start, end;
   uint64_t layout; /* for writes (func_layout) */
};
/* Returns a number, not 0, that is equal for surfaces in which a pixel has the same place. */
static inline uint64_t
func_layout(uint64_t address, uint32_t pitch_tiles, unsigned element_bytes, unsigned samples)
{
   return address | (uint64_t)pitch_tiles << 32 | (uint64_t)element_bytes << 48 |
          (uint64_t)samples << 56;
}
#define FUNC_MAX_RANGES 240
/* A draw reads each stage's textures and buffers, attributes and indices. */
_Static_assert(3 * EMUL_STAGE_READS + ATTILA_MAX_ATTRIBS + 1 <= FUNC_MAX_RANGES, "func_ranges_of");
struct func_ranges {
   unsigned num_writes, num_reads;
   unsigned num_late; /* first reads, by fragments; the rest end with the draw's geometry */
   struct func_range write[FUNC_MAX_RANGES], read[FUNC_MAX_RANGES];
};
/* Finds what a pass writes, and what its programs and vertex fetches read. */
void func_ranges_of(const struct func_pass *pass, struct func_ranges *r);
/* Returns whether the fragments of a draw with these ranges must run primitive by primitive. */
bool func_ranges_tangled(const struct func_ranges *r);
/* Returns whether the fragments of `after` must follow those of `before`. */
bool func_ranges_conflict(const struct func_ranges *before, const struct func_ranges *after);
/* Returns the same for the geometry of `after`. */
bool func_ranges_conflict_early(const struct func_ranges *before, const struct func_ranges *after);
bool func_ranges_touch(const struct func_ranges *r, uint64_t start, uint64_t end, bool write);
/* Returns whether there is room for r in sum. */
bool func_ranges_fit(const struct func_ranges *sum, const struct func_ranges *r);
/* Adds the ranges that r's fragments read and write. */
void func_ranges_add(struct func_ranges *sum, const struct func_ranges *r);

/* --- func_uses.c --- */

/* Executes a texture instruction for a pass, whose uses of memory it notes. */
void func_sample(void *pass, const struct emul_tex_request *request, struct emul_vec4 *texel);
/* Notes what a memory instruction of a pass accesses. */
void func_use_storage(void *pass, const struct emul_memory_request *request);
void func_use_vertices(const struct func_pass *p, unsigned a, const uint32_t *vertex,
                       unsigned count, uint32_t instance);
void func_use_indices(const struct func_pass *p);

#endif
