/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the fragment FIFO share (see ffu.c). No other box includes it. */
#ifndef FFU_H
#define FFU_H

#include "box/shader/shader_unit.h"
#include "box/sim_gpu.h"

enum ffu_distribution {
   FFU_FEWEST,
   FFU_FEWEST_SQUARES,
   FFU_TILES,
   FFU_BATCHES,
   FFU_RELEASE_TILES,
   FFU_RELEASE_BATCHES,
};

SIM_BOX_STATS(ffu)
_Static_assert(2 * SIM_MAX_ROPS + 3 <= SIM_MAX_WAITS,
               "two waits a ROP, vertices in and out, one for all fragments");

/* A place in a ROP's order of departure: a group or an end. */
struct ffu_entry {
   struct sim_group *group; /* NULL: an end */
   struct sim_draw *draw;
   bool done;    /* the group has been shaded */
   bool late;    /* goes to the Z and stencil test instead of colour write */
   uint8_t sent; /* quads of the group that have left */
   uint8_t what; /* of an end: enum sim_end */
   uint32_t bin; /* of an end, as msg_quad */
   const struct sim_listed *listed;
};

/* A group that is being filled. */
struct ffu_open {
   struct sim_group *group; /* NULL: none */
   struct sim_group *last;  /* its last part */
   sim_tick opened;         /* when its first input came */
   bool closed;             /* complete: no input may join it */
   uint8_t owner;           /* fragments with FFU_RELEASE_TILES: their shader */
};

/* Quads and ends that wait for later quads that hide them (ffu_kill.c). */
struct ffu_window {
   struct msg_quad *waiting; /* ring; dropped quads are NULL. NULL: there is no such window */
   uint32_t head, tail;
   uint32_t ends; /* that let what is before them leave */
};

struct ffu_rop {
   struct ffu_open open;
   struct ffu_window window;
   struct ffu_entry *ring;
   uint32_t head, tail;
   uint32_t in_flight; /* quads and end markers in the ring or the open group */
   /* FFU_BATCHES, FFU_FEWEST_SQUARES: the last group's square and shader, inputs given there. */
   uint32_t square, given;
   unsigned owner;
};

/* Primitives for setup on the shaders; program is NULL without it. */
struct ffu_triangles {
   struct emul_program *program;
   struct ffu_open open;
   struct sim_triangle **shaded; /* ring, on their way back to setup */
   uint32_t head, tail, mask;
   uint32_t in_flight, room; /* in groups, with shaders and in the ring; limit */
   bool recorded;            /* the run's record has the program */
};

/* Primitives of the geometry stage. */
struct ffu_primitives {
   struct ffu_open open;
   struct sim_gs_prim **shaded; /* ring, on their way to Geometry Commit */
   uint32_t head, tail, mask;
};

struct ffu {
   struct sim_box box;
   struct ffu_stats *stat; /* [work_id] */
   struct sim_input_set from_shaders, from_loaders, from_interpolator;
   struct ffu_rop rop[SIM_MAX_ROPS];
   uint64_t queued, forming; /* bit per ROP: its ring is not empty; it has an open group */
   uint64_t shading;         /* bit per ROP: nothing happens before its oldest group returns */
   uint64_t leaving;         /* bit per ROP: its open group is full or closed */
   /* A ROP's room in its window, 0: none; of its ring; bit per ROP whose oldest may leave. */
   uint32_t window, window_mask;
   uint64_t window_opens;
   struct ffu_open vertices;
   uint32_t vertices_taken;    /* since the start, modulo 2^32, as the streamer counts them */
   uint32_t vertices_last;     /* number of the last vertex before the streamer stalled */
   struct sim_vertex **shaded; /* ring of shaded vertices on their way to commit */
   uint32_t shaded_head, shaded_tail, vertices_in_flight;
   struct ffu_primitives primitives;
   struct ffu_triangles triangles;
   uint32_t ring_mask, shaded_mask;
   uint32_t shaded_quads;          /* each ROP's room */
   unsigned load[SIM_MAX_SHADERS]; /* groups with each shader */
   unsigned num_rops, num_shaders, first_vertex_shader, last_vertex_shader;
   unsigned lanes, vertex_lanes; /* inputs of a group */
   unsigned next_rop, next_shader;
   unsigned first_choice; /* where to start among shaders with equally few groups */
   bool unified;
   bool uneven; /* fragments wait in this cycle while a shader is idle */
   unsigned num_loaders, next_loader;
   uint32_t loaders_ended;                    /* bit per loader that has sent the end of the draw */
   sim_tick vertex_timeout, fragment_timeout; /* ticks; SIM_NEVER: none */
   enum ffu_distribution distribution;
   bool pointer;                                  /* to the next shader, used by vertices, too */
   unsigned tile_shift_x, tile_shift_y;           /* log2 of a scan tile's pixels */
   unsigned batched[SIM_MAX_SHADERS], batch_size; /* inputs that each shader has got of its batch */
   struct sim_waits waits;
};

static inline uint32_t
ffu_power_of_two(uint32_t n)
{
   uint32_t p = 1;
   while (p < n)
      p *= 2;
   return p;
}

static inline void
ffu_count_input(struct ffu *f, const struct msg_quad *m)
{
   f->stat[m->work_id].input_fragments += sim_count_bits4(sim_quad_pixels(m->quad->mask));
   f->stat[m->work_id].interpolated += 4;
}

/* Opens a new group of a draw in o; program: what its items run. */
struct sim_group *ffu_open_group(struct ffu *f, struct ffu_open *o, struct sim_draw *draw,
                                 enum sim_group_kind kind, const struct emul_program *program,
                                 sim_tick now);
static inline bool
ffu_is_full(const struct ffu *f, const struct sim_group *g)
{
   return g->all_items == (g->kind == SIM_GROUP_QUADS ? f->lanes / 4 : f->vertex_lanes);
}
/* Returns the part of an open group that takes the next item, which the caller adds. */
struct sim_group *ffu_join(struct ffu *f, struct ffu_open *o);

/* Chooses how groups of fragments get their shaders (ffu_distribution.c). Needs num_rops and
 * num_shaders. */
void ffu_distribution_init(struct ffu *f);
/* Returns whether a shader of fragments is idle. */
bool ffu_any_idle(const struct ffu *f);
/* Returns the owner of the quad's scan tile, in Morton order among the shaders, as in the last
 * release. */
unsigned ffu_release_owner(const struct ffu *f, const struct sim_quad *q);
/* Returns the shader with the fewest groups (below the limit) among first..last - 1 that has room,
 * or -1; a rotating start decides ties. */
int ffu_choose_shader(const struct ffu *f, unsigned first, unsigned last, uint32_t below,
                      sim_tick now);
/* Returns the shader for the ROP's open group, which may be full, or -1. Not for the distributions
 * that use the pointer. */
int ffu_choose(struct ffu *f, struct ffu_rop *rop, sim_tick now);

/* Forward pixel kill (ffu_kill.c). Take brings quads and ends into a ROP's window; true: some came.
 * First returns the oldest, which pop takes out; NULL: it stays. Oldest returns the work of the
 * oldest in a window that is not empty. */
void ffu_kill_init(struct ffu *f);
bool ffu_kill_take(struct ffu *f, unsigned r, sim_tick now);
const struct msg_quad *ffu_kill_first(const struct ffu *f, unsigned r);
void ffu_kill_pop(struct ffu *f, unsigned r);
uint16_t ffu_kill_oldest(const struct ffu *f, unsigned r);

/* Vertices (ffu_vertices.c). Take and commit return true if something moved. Close ends the
 * incomplete group of vertices if the streamer waits for nothing else: the last vertex that it sent
 * has come, and no vertex is in a shader or on its way to commit. Wait reports what stalls. */
void ffu_vertices_init(struct ffu *f);
bool ffu_take_vertices(struct ffu *f, sim_tick now);
void ffu_close_last_vertices(struct ffu *f, sim_tick now);
void ffu_collect_vertices(struct ffu *f, const struct sim_group *g);
bool ffu_commit_vertices(struct ffu *f, sim_tick now);
void ffu_wait_vertices(struct ffu *f, sim_tick now);

/* The same functions for the geometry stage (ffu_primitives.c). They need not be called while it
 * has no primitives. */
static inline bool
ffu_has_primitives(const struct ffu *f)
{
   return f->primitives.open.group || f->primitives.head != f->primitives.tail ||
          !sim_signal_empty(&f->box.gpu->net.gi_ffu[0]);
}
void ffu_primitives_init(struct ffu *f);
bool ffu_take_primitives(struct ffu *f, sim_tick now);
void ffu_collect_primitives(struct ffu *f, const struct sim_group *g);
bool ffu_return_primitives(struct ffu *f, sim_tick now);
void ffu_wait_primitives(struct ffu *f);

/* Setup on the shaders (ffu_triangles.c); without such setup the functions do nothing. True:
 * something moved. */
void ffu_triangles_init(struct ffu *f);
void ffu_triangles_fini(struct ffu *f);
bool ffu_take_triangles(struct ffu *f, sim_tick now);
/* Takes a group back from a shader. */
void ffu_collect_triangles(struct ffu *f, const struct sim_group *g);
bool ffu_return_triangles(struct ffu *f, sim_tick now);
void ffu_wait_triangles(struct ffu *f);

#endif
