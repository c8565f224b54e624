/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The inside of the functional mode: its state and what its files call of each other.
 */
#ifndef SIM_FUNC_IMPL_H
#define SIM_FUNC_IMPL_H

#include <stdatomic.h>
#include "emul/raster/emul_raster.h"
#include "emul/rop/emul_fragment.h"
#include "func/sim_func.h"

#define FUNC_CHUNK 1024     /* different vertices that are shaded before primitives use them */
#define FUNC_POSITIONS 4096 /* indices of a chunk */
#define FUNC_HASH 4096      /* entries of the vertex cache, direct mapped */
#define FUNC_QUADS (EMUL_LANES / 4)
#define FUNC_BLOCK 64 /* pixels along the side of the squares that threads share the screen in */

/* Fragment quads that wait until the group is full: quad i of everything. */
struct func_group {
   unsigned count;
   unsigned interpolated; /* quads whose inputs are there; the others belong to the primitive being
                             rasterised */
   bool mixed;            /* quads of several primitives, which may be in the same place */
   int32_t x[FUNC_QUADS], y[FUNC_QUADS];
   uint32_t place[FUNC_QUADS]; /* quads before it in a slice of func_pass.pitch_tiles */
   uint32_t mask[FUNC_QUADS];  /* bit sample * 4 + pixel */
   bool front[FUNC_QUADS];
   float z[FUNC_QUADS][ATTILA_MAX_COLOR_BUFFERS][4]; /* late depth test only */
   float coverage[FUNC_QUADS][4];                    /* of draws with smooth primitives */
};

struct func_cache_entry {
   uint32_t index, slot;
   uint64_t epoch; /* entry is valid for this chunk */
};

/* A clear whose blocks of FUNC_BLOCK x FUNC_BLOCK pixels are filled when somebody comes to them. No
 * two overlap. */
#define FUNC_MAX_DEFERRED 8
#define FUNC_MAX_BLOCKS                                          \
   ((ATTILA_MAX_PITCH_TILES * 8 + FUNC_BLOCK - 1) / FUNC_BLOCK * \
    (ATTILA_MAX_SURFACE_DIM / FUNC_BLOCK))
struct func_deferred {
   uint64_t layout;     /* func_layout; 0: a free place */
   uint64_t start, end; /* bytes of memory; the blocks follow one another from start on */
   uint8_t *base;       /* where start is */
   struct attila_tile_rect rect;
   uint32_t pitch_tiles;
   size_t tile_elements; /* all samples */
   unsigned bytes;       /* of an element */
   uint8_t element[16];
   bool some_wait;                 /* else no block does that is not taken care of */
   uint8_t block[FUNC_MAX_BLOCKS]; /* enum func_block, in the rectangle. Each belongs to the thread
                                      that draws there while draws are executed */
};
enum func_block {
   FUNC_BLOCK_DRAWN, /* somebody may have written something else */
   FUNC_BLOCK_WAITS, /* to be filled */
   FUNC_BLOCK_FILLED /* as the clear asks for: the next one with the same value is done */
};

/* Where a buffer is, ready for addressing. */
struct func_surface {
   uint8_t *base; /* of layer 0 */
   uint32_t layer_stride, pitch_tiles, element_bytes;
   uint32_t address, block_bytes, tile_bytes; /* watched: where and how large its blocks are */
   bool group;                                /* emul_color_group takes it */
   struct func_deferred *deferred;            /* its clear that waits, or NULL */
};

/* Depth test of the covered pixels of a tile whose 64 elements are at zs; returns those that pass.
 * Needs z_test, no stencil test, a single sample. */
typedef uint64_t (*func_tile_z_fn)(const struct emul_setup *s, int32_t x, int32_t y,
                                   uint64_t coverage, uint8_t *zs);
struct func_tile_z {
   func_tile_z_fn z24, z16; /* 24 bits in 4 bytes; 16 in 2 */
};
/* The n-th variant this host can run, the fastest first; NULL past the last. All give the same
 * bits. */
const struct func_tile_z *func_tile_z_get(unsigned n);
/* For a depth format; NULL: there is none. */
func_tile_z_fn func_tile_z_of(const struct func_tile_z *variant, enum attila_format format);

/* What the fragments of a draw need: constant from its first primitive on, but for the sums. */
struct func_pass {
   struct emul_draw_state state;
   struct sim_device *device;
   const struct sim_func_watch *watch; /* NULL: nobody wants to know which blocks are drawn in */
   uint64_t *counters;                 /* enum attila_counter: its context's */
   bool discard, z_active, writes_depth, alpha_coverage;
   bool final_masks;      /* shading changes no mask unless lanes are stopped; single sample */
   bool one_color;        /* the program reads nothing that differs by fragment */
   bool unseen;           /* nothing of what the program computes goes anywhere: it need not run */
   bool deferred;         /* one of its surfaces has a clear that waits */
   func_tile_z_fn tile_z; /* early depth test by tiles, or NULL */
   const struct emul_color_writer *writer;
   bool
       squares; /* 4x4 pixels, all covered, that pass early tests are nothing but shaded and written
                   to buffers of one width, of whose elements they are 16 that follow each other */
   struct func_surface zs, color[ATTILA_MAX_COLOR_BUFFERS];
   uint32_t pitch_tiles;            /* of the first of them */
   _Atomic uint64_t shaded, passed; /* fragments; samples */
   _Atomic bool stopped;            /* a lane of this draw looped too often */
};

/* Who executes programs: the thread that takes commands, and each share of the screen. Registers
 * are those of the group that runs. */
struct func_worker {
   struct func_pass *pass;
   unsigned index, shares;            /* which blocks are its own: func_share_of; shares 1: all */
   uint32_t layer;                    /* that the primitive being rasterised goes to */
   struct func_group *group;          /* one of these two */
   struct func_group waiting, square; /* square: 4x4 pixels, all covered, that do not wait */
   bool components_known;             /* of the primitive that is rasterised */
   struct emul_components components;
   bool outputs_stay; /* outputs are those of every fragment of the pass (one_color) */
   uint32_t fills;    /* bit per buffer whose fill is known, while they stay */
   struct emul_color_fill fill[ATTILA_MAX_COLOR_BUFFERS];
   uint64_t shaded, passed; /* of the pass, so far */
   struct emul_thread thread;
   struct emul_vec4 inputs[ATTILA_ISA_MAX_INPUTS]; /* of fragments */
   struct emul_vec4 outputs[ATTILA_ISA_MAX_OUTPUTS];
   struct emul_vec4 temps[ATTILA_ISA_MAX_TEMPS];
};

/* The layer of a surface that the worker draws to. */
static inline uint8_t *
func_layer_base(const struct func_worker *w, const struct func_surface *s)
{
   return s->base + (size_t)w->layer * s->layer_stride;
}

/* Vertices lie in segments of a ring, because fragment threads read those of primitives that are
 * still waiting. Counted in vectors of 16 bytes: a vertex has as many as its draw has outputs, and
 * those of its window coordinates. */
#define FUNC_SEGMENTS 4
#define FUNC_VERTEX_VECTORS 64 /* at most */
#define FUNC_SEGMENT_VECTORS (FUNC_CHUNK * FUNC_VERTEX_VECTORS)
struct func_arena {
   float (*vectors)[4];
   uint32_t segment, used;
   uint64_t left[FUNC_SEGMENTS]; /* primitives up to here use vertices of the segment */
};

/* Primitives of the draw that wait for the geometry stage. */
struct func_gs {
   unsigned count;
   struct emul_assembled prim[EMUL_LANES]; /* references to f->arena */
   struct emul_emission emission[EMUL_LANES];
   struct emul_vec4 inputs[ATTILA_GS_INPUT(ATTILA_MAX_GS_INPUTS, 0)];
   float (*out)[4]; /* what all lanes emit; grows */
   size_t room;     /* vectors */
};

struct func_threads;
struct func_queue;

struct sim_func {
   struct sim_device *device;
   struct func_pass *pass; /* the draw whose geometry is executed */
   char *error;            /* of sim_func_run */
   size_t error_size;
   uint8_t *image; /* of SWAP; grows */
   size_t image_size;
   struct sim_func_watch watch;
   bool watched;
   struct {
      int32_t at[2];
      uint32_t primitives; /* of the draw so far */
      void (*call)(void *user, const struct sim_func_fragment *found, bool after); /* or NULL */
      void *user;
   } pixel;
   const struct func_tile_z *tile_z;
   const struct emul_color_writer *color;

   struct func_worker *own; /* of the thread that takes commands */
   struct func_threads *threads;
   struct func_queue *queue;
   bool alone; /* that thread executes the draw's fragments, too */

   struct func_deferred deferred[FUNC_MAX_DEFERRED];
   unsigned num_deferred, oldest_deferred;
   bool keeps_clears; /* they may wait beyond sim_func_run */

   /* Geometry. */
   struct func_arena arena, clipped; /* of shaded vertices; of clipped primitives */
   struct func_arena emitted;        /* of vertices of the geometry stage */
   struct func_gs gs;
   struct emul_assembler assembler;
   uint32_t stipple;
   unsigned keep;    /* references that the assembler holds */
   uint32_t stride;  /* vectors of a vertex, its window coordinates counted */
   bool has_windows; /* the program writes positions */
   emul_windows_fn windows;
   struct func_cache_entry cache[FUNC_HASH];
   uint64_t epoch;
   uint32_t unique[FUNC_CHUNK];
   uint32_t position[FUNC_POSITIONS]; /* slot of each index of the chunk, or FUNC_RESTART */
   struct emul_setup setup[EMUL_MAX_SETUP];
   struct emul_vec4 vertex_in[ATTILA_ISA_MAX_INPUTS];
   void (*shaded)(void *user, const struct sim_func_vertices *shaded); /* NULL: nobody asks */
   void *shaded_user;
};
#define FUNC_RESTART 0xffffffffu

/* func_geometry.c: everything of a draw from indices to primitives. */
void func_draw(struct sim_func *f);
/* A primitive of the last stage, to stream-out and to the fragments. window: NULL, or those of its
 * vertices. */
void func_geometry_output(struct sim_func *f, const struct emul_assembled *a,
                          const struct emul_vertex *const vertex[3],
                          const struct emul_window *const window[3]);
/* func_gs.c: primitives come to the geometry stage; those that wait go through it. */
void func_gs_take(struct sim_func *f, const struct emul_assembled *a, unsigned num);
void func_gs_flush(struct sim_func *f);

/* func_fragment.c. Start: derives a pass from its state. Rasterise: the worker's blocks of a
 * primitive of w->pass. End: what still waits in its group, and its sums. */
void func_fragment_start(struct sim_func *f, struct func_pass *pass);
void func_rasterise(struct func_worker *w, const struct emul_setup *s);
void func_fragment_end(struct func_worker *w);
/* func_pixel.c: what will become of the primitive's fragment at a pixel, whose block is w's.
 * Nothing waits in w's group. False: it has none. */
bool func_pixel_look(struct func_worker *w, const struct emul_setup *s, const int32_t pixel[2],
                     struct sim_func_fragment *found);
/* sim_func.c: pages of zeros that take memory when they are touched. NULL: out of host memory. */
void *func_pages(size_t bytes);
void func_pages_free(void *pages, size_t bytes);
struct func_worker *func_worker_create(unsigned index, unsigned shares);
void func_worker_destroy(struct func_worker *w);
/* Runs a program of w->pass, with textures from memory. */
void func_run_thread(struct func_worker *w, const struct emul_program *program, unsigned stage,
                     const struct emul_vec4 *inputs, uint16_t lanes);

/* Which of so many shares of the screen a block belongs to: neighbours do to different ones. */
#define FUNC_MAX_SHARES 64
static inline unsigned
func_share_of(int32_t bx, int32_t by, unsigned shares)
{
   return ((unsigned)bx + (shares % 3 ? 3 : 2) * (unsigned)by) % shares;
}

/* func_clear.c: CLEAR_COLOR, CLEAR_ZS of the surfaces that the registers bind, when draws that use
 * them are over. */
void func_clear_color(struct sim_func *f, const struct attila_regs *regs, uint32_t buffers,
                      const float color[4]);
void func_clear_zs(struct sim_func *f, const struct attila_regs *regs, uint32_t planes, float depth,
                   uint32_t stencil);
/* Bytes [start, end) of memory are as commands made them, and about to be read, or written. No draw
 * that is being executed writes there. */
void func_clear_apply(struct sim_func *f, uint64_t start, uint64_t end, bool write);
/* The same for what a draw reads; clears of what it draws in may go on waiting. r: its ranges. */
struct func_ranges;
void func_clear_before_draw(struct sim_func *f, struct func_pass *p, const struct func_ranges *r);
/* The worker's blocks of a clear are filled. */
void func_clear_apply_share(const struct func_worker *w, struct func_deferred *d);
/* The same for the block of its surfaces that begins at pixel (bx, by); p->deferred. */
void func_clear_block(struct func_pass *p, int32_t bx, int32_t by);

/* func_threads.c: who executes fragments. Threads begin when there is first something for them.
 * count: with the one that takes commands. NULL: out of host memory. */
struct func_threads *func_threads_create(unsigned count);
void func_threads_destroy(struct func_threads *t);
/* func_queue.c: draws whose fragments wait for them. NULL: out of host memory. */
struct func_queue *func_queue_create(void);
void func_queue_destroy(struct func_queue *q);
/* For tests, before the first draw: nothing is so little that threads are left asleep, and few
 * primitives may wait for them. */
void func_queue_strain(struct sim_func *f);
/* A place for the next draw, whose state the caller fills. It waits, if need be, until an earlier
 * draw leaves one. */
struct func_pass *func_pass_take(struct sim_func *f);
/* Decides who executes the fragments of f->pass, and waits for earlier draws as far as it must. */
void func_pass_begin(struct sim_func *f);
/* A primitive of f->pass. */
void func_primitive(struct sim_func *f, const struct emul_setup *s);
/* f->pass has no more primitives. */
void func_pass_end(struct sim_func *f);
/* Everything that draws write is in memory, everything they count in their counters. */
void func_drain(struct sim_func *f);
/* The same as far as bytes [start, end) of memory are concerned, which are about to be read or
 * written. */
void func_drain_range(struct sim_func *f, uint64_t start, uint64_t end, bool write);
/* The blocks of the clear that wait will be filled, by each share its own, before the next draw's
 * fragments read them. False: nothing keeps the caller from doing so now. */
bool func_apply_later(struct sim_func *f, struct func_deferred *d);
/* So many vectors of a ring, one after the other, that nobody reads. */
uint32_t func_vectors(struct sim_func *f, struct func_arena *a, uint32_t count);

/* func_ranges.c: which bytes draws read and write. */
struct func_range {
   uint64_t start, end;
   uint64_t layout; /* of what is written (func_layout) */
};
/* Equal ones put the same pixel in the same place. Not 0. */
static inline uint64_t
func_layout(uint64_t address, uint32_t pitch_tiles, unsigned element_bytes, unsigned samples)
{
   return address | (uint64_t)pitch_tiles << 32 | (uint64_t)element_bytes << 48 |
          (uint64_t)samples << 56;
}
#define FUNC_MAX_RANGES 160
/* A draw reads the textures and constant buffers of each stage, attributes and indices. */
_Static_assert(ATTILA_NUM_STAGES *(ATTILA_ISA_TEX_BANK + ATTILA_MAX_CONST_BUFFERS) +
                       ATTILA_MAX_ATTRIBS + 1 <=
                   FUNC_MAX_RANGES,
               "func_ranges_of");
struct func_ranges {
   unsigned num_writes, num_reads;
   unsigned num_late; /* the first reads are those of fragments; the others are over when the draw's
                         geometry is */
   struct func_range write[FUNC_MAX_RANGES], read[FUNC_MAX_RANGES];
};
/* What a pass writes, and what its programs and its fetches of vertices read. */
void func_ranges_of(const struct func_pass *pass, struct func_ranges *r);
/* Its fragments cannot be executed in another order than primitive by primitive. */
bool func_ranges_tangled(const struct func_ranges *r);
/* The fragments of `after` must come after those of `before`. */
bool func_ranges_conflict(const struct func_ranges *before, const struct func_ranges *after);
/* The geometry of `after` must. */
bool func_ranges_conflict_early(const struct func_ranges *before, const struct func_ranges *after);
bool func_ranges_touch(const struct func_ranges *r, uint64_t start, uint64_t end, bool write);
/* There is room to add r. */
bool func_ranges_fit(const struct func_ranges *sum, const struct func_ranges *r);
/* Adds what fragments do. */
void func_ranges_add(struct func_ranges *sum, const struct func_ranges *r);

#endif
