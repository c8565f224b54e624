/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What travels between boxes. Signals carry small messages by value; vertices, primitives, quads
 * and thread groups live in pools (sim_pool.h), and a message's pointer passes ownership to the
 * receiver. Every object names its draw and its work id. A message with end == true follows a
 * draw's last object through the pipeline; in a tile-based machine enum sim_end says what ends. */
#ifndef SIM_OBJECTS_H
#define SIM_OBJECTS_H

#include "core/sim_box.h"
#include "core/sim_cost.h"
#include "core/sim_shares.h"
#include "core/sim_trace.h"
#include "emul/emul_draw.h"
#include "emul/rop/emul_fragment.h"
#include "emul/raster/emul_raster.h"
#include "measure/sim_map.h"
#include "units/units.h"

/* Surfaces of a pass that are discarded at its end: memory [start, end), in bytes. */
struct sim_discards {
   uint32_t num;
   struct {
      uint64_t start, end;
   } range[ATTILA_MAX_COLOR_BUFFERS + 1];
};

/* What a tile-based machine has kept of a bin at the end of an earlier pass: the tiles of its
 * targets, as memory holds them, with their block states (box/tiling/kept.h). */
struct sim_kept_tile {
   uint32_t address, bytes;
   uint32_t at; /* in data; the states follow the contents */
   uint8_t rop; /* its owner */
   bool zs;     /* of depth and stencil */
};
struct sim_kept_bin {
   uint64_t signature; /* of what the bin's contents follow from; 0: nothing is kept */
   uint32_t num, room;
   struct sim_kept_tile *tile;
   uint8_t *data;
   size_t data_room;
};

/* A draw in flight; owned by the command processor, immutable for the others. */
struct sim_draw {
   struct emul_draw_state state;
   uint16_t work_id;   /* of the draw's statistics */
   uint8_t pass;       /* of a tile-based machine: which of the open passes it belongs to */
   uint32_t number;    /* draw of the frame, from 0 */
   uint32_t hz_epoch;  /* number for HZ: later draws have larger ones */
   sim_tick start;     /* when it left the command processor */
   sim_tick stopped;   /* first tick, by sim_box_time, in which a lane looped too often; 0: none */
   uint64_t *counters; /* [enum attila_counter] the draw's own; changed by boxes of the
                        * first thread's share */
   bool counts;        /* what its fragments count may be read: nothing of it can be left out */
   uint64_t samples[SIM_MAX_ROPS]; /* passed samples, if counted; each changed by its ROP */
   struct sim_map *map;            /* the map that its pixels count in; NULL: none */
   uint64_t signature; /* of what its fragments depend on besides primitives, once the pass ends
                        * (box/command/cp_sign.c); 0: unknown */
   const struct sim_discards *discards; /* of its pass; they change only between the last partial
                                         * render and the last part, and when the pass is over */
};

/* A vertex, shaded or not. refs counts holders in the geometry and raster boxes (for host memory
 * only). */
struct sim_vertex {
   struct emul_vertex data;              /* outputs */
   float in[ATTILA_VS_INPUT_IDS + 1][4]; /* inputs */
   struct sim_draw *draw;
   uint32_t refs;
   uint32_t entry; /* of the streamer's output memory */
   bool shaded;    /* set by streamer commit when the shaders return it */
   /* The pass in whose parameter buffer it has a copy (box/tiling/bins.h); 0: none. */
   uint32_t copy_pass;
   const struct bins_vertex *copy;
};

/* A primitive after setup; refs: tiles, quads, and the box that holds it. vtx holds its
 * vertices. */
struct sim_prim {
   struct emul_setup setup;
   struct sim_draw *draw;
   struct sim_vertex *vtx[4]; /* up to three and the flat one; NULL: none. Clipped vertices are
                               * sim_vertex objects too */
   uint32_t refs;
   uint32_t number; /* number in the draw of the OpenGL primitive that it is, or is part of */
   const struct low_z *low_z; /* of the lists in which it is; NULL: none */
};

struct sim_quad {
   struct sim_draw *draw;
   struct sim_prim *prim;
   int32_t x, y;      /* top left pixel, even */
   uint32_t mask;     /* covered and alive: bit sample * 4 + pixel */
   uint32_t hz_epoch; /* HZ's number of its draw, or of its run of a tile-based machine */
   uint16_t work_id;
   uint8_t rop;
   uint8_t sample; /* with sample_shading: the only one in the mask */
   bool front;
   bool accepted; /* HZ knows that the whole tile passes the depth test, and that its depths are
                   * written everywhere */
   /* Only for draws with a map. */
   sim_tick made;                        /* when it left HZ, by sim_box_time */
   uint32_t shaded_mask;                 /* as a shader received it */
   uint8_t room;                         /* number of its pool: how many inputs fit */
   float z[ATTILA_MAX_COLOR_BUFFERS][4]; /* [sample][pixel], [0] when single sample */
   /* [output][component][pixel]: colours, depth; then [input][component][pixel]. Each fills a cache
    * line of the host. The inputs come last, since sim_quad_alloc allocates only as many of them as
    * are needed. */
   float out[9][4][4] __attribute__((aligned(64)));
   float in[ATTILA_MAX_VARYINGS][4][4];
} __attribute__((aligned(64)));

/* A thread group: items of one kind that a shader executes together. A group of more than
 * EMUL_LANES inputs is a list of parts with up to EMUL_LANES each; messages carry the first part.
 * Traces show the number. */
enum sim_group_kind {
   SIM_GROUP_VERTICES,
   SIM_GROUP_QUADS,
   SIM_GROUP_TRIANGLES,  /* for triangle setup */
   SIM_GROUP_PRIMITIVES, /* of the geometry stage */
   SIM_GROUP_WORK        /* invocations of a workgroup */
};
/* A workgroup of a grid in a shader. The Compute Dispatcher owns it but for what the shader
 * counts. */
struct sim_workgroup {
   uint64_t number;       /* in the grid */
   uint32_t groups;       /* thread groups */
   uint32_t left;         /* the shader's count of those that have not ended, */
   uint32_t waiting;      /* and of those that wait at a barrier */
   sim_tick ready;        /* when the last one that waits has executed the barrier */
   struct emul_log *logs; /* what units answer */
};
struct sim_group {
   struct sim_draw *draw;
   const struct emul_program *program;
   uint16_t work_id;
   enum sim_group_kind kind;
   uint8_t num_items; /* quads, vertices, primitives or invocations of this part */
   uint8_t all_items; /* in the first part: items of all parts */
   uint8_t rop;
   struct sim_group *next; /* part; NULL: this is the last one */
   struct sim_quad *quad[EMUL_LANES / 4];
   union {
      struct sim_vertex *vertex[EMUL_LANES];
      struct sim_triangle *triangle[EMUL_LANES]; /* SIM_GROUP_TRIANGLES */
      struct sim_gs_prim *prim[EMUL_LANES];      /* SIM_GROUP_PRIMITIVES */
      struct {
         struct sim_workgroup *workgroup;
         uint32_t first;      /* invocation of the first lane of this part */
         uint32_t iterations; /* most iterations of all its loops */
      } work;                 /* SIM_GROUP_WORK */
   };
   uint32_t order; /* of issue, for groups that leave in order */
   sim_tick given; /* when a shader received it; only for draws with a map */
};

/* Messages. */
struct msg_draw {
   struct sim_draw *draw;
}; /* CP to StF: start a draw */
struct msg_index {
   struct sim_draw *draw;
   uint32_t vertex, instance;
   uint16_t work_id;
   bool restart, next_instance, end; /* next_instance: a restart that precedes an instance */
};                                   /* StF to StOC */
struct msg_lookup {
   struct sim_draw *draw;
   struct sim_vertex *vertex;
   uint32_t index, instance;
   uint16_t work_id;
   bool restart, next_instance, end;
}; /* StOC to SL (miss) and StC (all, in order) */
struct msg_vertex {
   struct sim_draw *draw;
   struct sim_vertex *vertex;
   uint16_t work_id;
   bool restart, next_instance, end;
}; /* SL to FFU, FFU to StC, StC to PA */
struct msg_stand {
   uint32_t vertices; /* number sent to the loaders, modulo 2^32 */
};                    /* StOC to FFU: no vertex will come before one is committed */
struct msg_prim {
   struct sim_draw *draw;
   struct sim_vertex *v[3];
   struct sim_vertex *flat;
   uint16_t work_id;
   uint8_t num_vertices, provoking, edges;
   uint8_t stream; /* of vertices; only 0 goes to the clipper */
   bool stipple_reset, end;
   bool geometry;   /* from PA: no primitive; the draw's primitives and end come from GC */
   uint32_t number; /* of the primitive in its draw, from 0 */
   uint32_t id;     /* as emul_assembled */
};                  /* PA and GC to CLP and SO, CLP to TS */
/* Returns the signal that brings the next message: primitive assembly's or Geometry Commit's. */
static inline struct sim_signal *
sim_prim_input(struct sim_signal *from_pa, struct sim_signal *from_gc, sim_tick now)
{
   const struct msg_prim *m = sim_peek(from_pa, now);
   return m && m->geometry ? from_gc : from_pa;
}
/* Takes that message. If it is a draw's end, also takes the message that says where the draw's
 * primitives come from. */
static inline void
sim_prim_pop(struct sim_signal *from_pa, struct sim_signal *in, bool end, sim_tick now)
{
   sim_pop(in, now);
   if (in != from_pa && end)
      sim_pop(from_pa, now);
}
/* An input primitive of the geometry stage. */
struct msg_gs_input {
   struct sim_draw *draw;
   struct sim_vertex *v[ATTILA_MAX_PRIM_VERTICES];
   uint32_t id; /* as emul_assembled */
   uint16_t work_id;
   uint8_t num_vertices;
   bool end;
}; /* PA to GI */
/* A primitive in the geometry stage, at a fixed place in Geometry Issue. The receiver of a message
 * owns it until Geometry Commit has given its room back. */
struct sim_gs_prim {
   struct sim_draw *draw;
   struct sim_vertex *v[ATTILA_MAX_PRIM_VERTICES]; /* held until the primitive is shaded */
   struct emul_emission emission;
   float (*storage)[4]; /* of the emission */
   size_t room;         /* bytes of storage */
   uint32_t bytes;      /* bytes of the output buffer */
   uint32_t id;
   uint8_t invocation; /* several lanes may take the primitive of an input */
   uint16_t work_id;
   uint8_t num_vertices;
   bool shaded; /* set by Geometry Commit when the shaders return it */
};
struct msg_gs {
   struct sim_draw *draw;
   struct sim_gs_prim *prim; /* NULL: the end of a draw */
   uint16_t work_id;
   bool last; /* Geometry Issue sends no more, or no more of this draw, before one is taken */
};            /* GI to FFU, and to GC in order; FFU to GC when shaded */
struct msg_gs_room {
   uint32_t bytes; /* of the output buffer, freed by the oldest primitive */
};                 /* GC to GI */
/* A primitive that the shaders set up, at a fixed place in Triangle Setup. The receiver of a
 * message owns it until it comes back. */
struct sim_triangle {
   struct msg_prim prim;
   float in[4][4];  /* x, y, z, w; [component][vertex] */
   float out[4][4]; /* the program's outputs */
   bool shaded;
};
struct msg_triangle {
   struct sim_triangle *triangle; /* NULL: the end of a draw */
   uint16_t work_id;
   bool last; /* Triangle Setup sends no more, or no more of this draw, before one returns */
};            /* TS to FFU and back */
/* What ends with a message. In a tile-based machine the part of a draw that lies in a bin is a run,
 * and there are no ends of draws behind setup (box/tiling/tf.c). */
enum sim_end {
   SIM_END_DRAW,
   SIM_END_RUN,    /* a run that is tested before shading; the next one goes around the Z test */
   SIM_END_LISTED, /* a command in the lists, which the ROPs of the bin execute now */
   SIM_END_BIN,    /* of the last run in a bin, for the ROPs that own tiles of it */
   SIM_END_PIPE,   /* of some ROPs: colour write reports it to the Tile Fetcher, which waits */
   SIM_END_PASS,   /* of all ROPs: the same, once their lines of ended bins are written back */
};
struct msg_setup {
   struct sim_draw *draw;
   union {
      struct sim_prim *prim;
      const struct sim_listed *listed; /* at SIM_END_LISTED */
   };
   union {
      uint32_t number; /* prim->number */
      uint32_t bin;    /* at SIM_END_LISTED: its first pixel, x | y << 16 */
   };
   uint16_t work_id;
   bool end;
   uint8_t what;  /* at an end: enum sim_end */
   uint32_t rops; /* at an end of a tile-based machine: bit per ROP that gets it */
};                /* TS to TT or PLB, TF to TT */
struct msg_tile {
   struct sim_draw *draw;
   union {
      struct sim_prim *prim;
      const struct sim_listed *listed; /* as msg_setup */
   };
   int32_t x, y;
   uint64_t coverage;
   uint32_t empty; /* tiles without a covered fragment since the last message */
   uint16_t work_id;
   bool end;
   uint8_t what;  /* as msg_setup */
   uint32_t rops; /* as msg_setup */
   uint32_t bin;  /* as msg_setup */
};                /* TT to HZ */
struct msg_quad {
   struct sim_draw *draw;
   union {
      struct sim_quad *quad;
      const struct sim_listed *listed; /* as msg_setup */
   };
   uint16_t work_id;
   bool end;
   uint8_t what; /* as msg_setup */
   uint32_t bin; /* as msg_setup */
};               /* HZ, ZST, Interp, FFU, CW */
/* For the host: the next quad was made long ago and has left its caches. */
static inline void
sim_prefetch_quad(const struct sim_signal *s)
{
   const struct msg_quad *next = sim_next(s);
   if (next && next->quad)
      __builtin_prefetch(next->quad);
}
struct msg_group {
   struct sim_group *group;
}; /* FFU to ShF, ShF to FFU */
struct msg_hz {
   uint32_t address, bytes;
   uint32_t near, far; /* emul_zs_block_range */
   uint32_t epoch;     /* hz_epoch of the newest draw included */
   uint16_t work_id;   /* work id that made the line dirty */
};                     /* ZST to HZ: the depths of a line that left the Z cache */

/* CP to CSD: runs a grid; the answer is a msg_done. The state is unchanged until then. */
struct msg_grid {
   struct sim_draw *grid;
};

/* CP to ROPs, Blitter and DAC; each answers with a msg_done when finished. */
enum rop_op {
   ROP_CLEAR,      /* fill the surfaces that regs, buffers and planes name */
   ROP_WRITE_BACK, /* write dirty lines in [start, end) to memory; they stay valid, states stay */
   ROP_FORGET,     /* invalidate lines in [start, end), which another unit wrote */
};
struct msg_rop {
   uint32_t op;
   uint16_t work_id;    /* the command's */
   uint64_t start, end; /* WRITE_BACK, FORGET: memory, in bytes */
   uint32_t buffers;    /* CW: bit per colour buffer */
   uint32_t planes;     /* ZST: 1 depth, 2 stencil */
   float color[4];
   float depth;
   uint32_t stencil;
   const struct attila_regs *regs; /* CP's, unchanged until done */
};
struct msg_done {
   struct sim_draw *draw;
   uint8_t unit;
}; /* draw: the one that CW or SO finished; NULL: a command is done */
/* A command in the lists of a pass of a tile-based machine: each bin executes it in its place among
 * the primitives. */
struct sim_listed {
   struct msg_rop clear; /* of a resolve: the colour buffer with samples */
   bool resolves;
   struct attila_cmd_blit blit; /* the averages */
   /* In place of a command: the bin is not drawn, and gets these contents. NULL: no. */
   const struct sim_kept_bin *restores;
   struct sim_draw *draw;          /* the last one before it, whose fragments show it the way */
   uint16_t bin_width, bin_height; /* pixels; known to the lists */
};
/* Why a pass of a tile-based machine ends. */
enum sim_pass_end {
#define W(unused, member, name, doc) SIM_PASS_##member,
   SIM_PASS_ENDS(W, )
#undef W
};
/* Whether the bins of a pass may be those of an earlier pass with the same targets
 * (box/command/cp_sign.c). */
#define SIM_KEPT_PASSES 8
struct sim_keeping {
   uint8_t entry;    /* from 1, of the Tile Fetcher's kept passes; 0: none */
   bool stale;       /* what the entry has is not in memory any more */
   uint16_t targets; /* a bit for each colour buffer that is drawn to, and one for depth and
                      * stencil */
};
/* A pass ends now (box/command/cp_pass.c), or a command joins its lists
 * (box/command/cp_listed.c). */
struct msg_pass {
   uint16_t work_id; /* of the command that ends or joins it */
   uint8_t why;      /* enum sim_pass_end */
   uint8_t pass;     /* which of the open passes ends; a command has a draw that says so */
   struct sim_keeping keeping;
   const struct sim_listed *listed; /* CP's, unchanged until PLB answers; NULL: the pass ends */
};                                  /* CP to PLB */
struct msg_bins {
   struct bins *bins; /* the receiver owns them */
   uint16_t work_id;  /* of the work that waits for them */
   bool partial;      /* the pass goes on with empty lists */
   struct sim_keeping keeping;
}; /* PLB to TF and back */
struct msg_drawn {
   const struct sim_seen_pass *pass; /* the sender's, unchanged until the next pass is drawn */
};                                   /* TF to CP: the pass is over */
struct msg_piped {
   uint8_t unit;
}; /* CW to TF: SIM_END_PIPE or SIM_END_PASS has come */
struct msg_blit {
   uint16_t work_id;
   struct attila_cmd_blit blit;
};
struct msg_swap {
   uint16_t work_id;
   struct attila_cmd_swap swap;
};

/* Memory requests: size 1..256 bytes within one aligned 256-byte block. data is the client's
 * buffer, read into or written from, which must stay until the response. Requests of a client to
 * one block are served in order. */
struct msg_mem_request {
   uint8_t *data;
   uint32_t address;
   uint16_t size;
   uint16_t work_id;
   bool write;
   bool timed;          /* memory's contents stay: the request only takes its time */
   uint8_t atomic;      /* enum attila_atomic: data is the operand (and the expected word), then the
                         * old word; 4 bytes, write is false */
   uint16_t wire_bytes; /* bytes on the pins: fewer if compressed; 0: size */
   uint64_t cookie;
};
struct msg_mem_response {
   uint8_t *data;
   uint64_t cookie;
   uint32_t address;
   bool write;
};

/* Creates the pools of vertices, primitives, quads and groups. */
void sim_objects_init(struct sim_gpu *gpu);

/* Drop a reference (objects.c). The last one returns the object to its pool; a dying primitive
 * releases its vtx[], a freed quad its primitive (NULL: none). */
void sim_vertex_unref(struct sim_gpu *gpu, struct sim_vertex *v);
void sim_prim_unref(struct sim_gpu *gpu, struct sim_prim *p);
void sim_quad_free(struct sim_gpu *gpu, struct sim_quad *q);
/* Does the same for boxes that may be clocked by another thread than the one that owns the pools
 * (core/sim_shares.h). */
static inline void
sim_quad_give(struct sim_box *b, struct sim_quad *q)
{
   sim_share_give(b, q);
}
/* Returns a quad with room for inputs 0 to inputs - 1; sets room. */
struct sim_quad *sim_quad_alloc(struct sim_gpu *gpu, unsigned inputs);
/* Frees a quad without a primitive. */
void sim_quad_recycle(struct sim_gpu *gpu, struct sim_quad *q);

#endif
