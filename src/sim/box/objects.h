/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What travels between boxes. Signals carry small messages by value; big objects (vertices,
 * primitives, quads, thread groups) live in pools (sim_pool.h) and messages carry pointers: whoever
 * receives the pointer owns the object. Every object names its draw and its work id. A message
 * with end == true follows the last object of a draw through the pipeline.
 */
#ifndef SIM_OBJECTS_H
#define SIM_OBJECTS_H

#include "core/sim_box.h"
#include "core/sim_cost.h"
#include "core/sim_shares.h"
#include "core/sim_trace.h"
#include "emul/emul_draw.h"
#include "emul/rop/emul_fragment.h"
#include "emul/raster/emul_raster.h"
#include "picture/sim_maps.h"
#include "units/units.h"

/* A draw in flight; owned by the command processor, immutable for the others. */
struct sim_draw {
   struct emul_draw_state state;
   uint16_t work_id;   /* of its statistics */
   uint32_t number;    /* draw of the frame, from 0 */
   uint32_t hz_epoch;  /* number of the draw for HZ: later draws have larger ones */
   sim_tick start;     /* tick it left the command processor */
   sim_tick stopped;   /* first tick, by sim_box_time, in which a lane looped too often; 0: none */
   uint64_t *counters; /* enum attila_counter: its own; changed by boxes of the first share */
   uint64_t samples[SIM_MAX_ROPS]; /* that passed, if they are counted; each changed by its ROP */
   struct sim_map *map;            /* NULL: nobody wants one */
};

/* A shaded or to be shaded vertex. Pool object; refs counts holders inside the geometry and raster
 * boxes (host memory management only, no timing). */
struct sim_vertex {
   struct emul_vertex data;              /* outputs */
   float in[ATTILA_VS_INPUT_IDS + 1][4]; /* inputs */
   struct sim_draw *draw;
   uint32_t refs;
   uint32_t entry; /* of the streamer's output memory */
   bool shaded; /* set by streamer commit when it came back from the shaders; false at creation */
};

/* A primitive set up; refs: tiles, quads, plus the box that holds it. Its vertices are held through
 * vtx. */
struct sim_prim {
   struct emul_setup setup;
   struct sim_draw *draw;
   struct sim_vertex *vtx[4]; /* up to three and the flat one; NULL: none. Clipped vertices are
                                 sim_vertex objects too */
   uint32_t refs;
   uint32_t number; /* of the OpenGL primitive it is (part of), in its draw */
};

struct sim_quad {
   struct sim_draw *draw;
   struct sim_prim *prim;
   int32_t x, y;  /* top left pixel, even */
   uint32_t mask; /* covered and alive: bit sample * 4 + pixel */
   uint16_t work_id;
   uint8_t rop;
   bool front;
   bool accepted; /* HZ knows that its tile passes the depth test; what it writes is all of it */
   /* Only of draws with a map. */
   sim_tick made;                        /* when it left HZ, by sim_box_time */
   uint32_t shaded_mask;                 /* as it was given to a shader */
   uint8_t room;                         /* number of its pool: how many inputs it has room for */
   float z[ATTILA_MAX_COLOR_BUFFERS][4]; /* [sample][pixel], [0] when single sample */
   /* [output][component][pixel]: colours, depth; then [input][component][pixel]. Each is one line
    * of the host's caches. The inputs come last: there is memory for as many as sim_quad_alloc was
    * asked for. */
   float out[9][4][4] __attribute__((aligned(64)));
   float in[ATTILA_MAX_VARYINGS][4][4];
} __attribute__((aligned(64)));

/* A thread group: what a shader executes together, of one kind. The number is in traces. */
enum sim_group_kind {
   SIM_GROUP_VERTICES,
   SIM_GROUP_QUADS,
   SIM_GROUP_TRIANGLES, /* to be set up */
   SIM_GROUP_PRIMITIVES /* of the geometry stage */
};
struct sim_group {
   struct sim_draw *draw;
   const struct emul_program *program;
   uint16_t work_id;
   enum sim_group_kind kind;
   uint8_t num_items; /* quads, vertices or primitives */
   uint8_t rop;
   struct sim_quad *quad[EMUL_LANES / 4];
   union {
      struct sim_vertex *vertex[EMUL_LANES];
      struct sim_triangle *triangle[EMUL_LANES]; /* SIM_GROUP_TRIANGLES */
      struct sim_gs_prim *prim[EMUL_LANES];      /* SIM_GROUP_PRIMITIVES */
   };
   uint32_t order; /* of issue, for leaving in order */
   sim_tick given; /* to its shader; only of draws with a map */
};

/* Messages. */
struct msg_draw {
   struct sim_draw *draw;
}; /* CP to StF: start a draw */
struct msg_index {
   struct sim_draw *draw;
   uint32_t vertex, instance;
   uint16_t work_id;
   bool restart, next_instance, end; /* next_instance: a restart before one */
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
   uint32_t vertices; /* sent to the loaders since the start, modulo 2^32 */
};                    /* StOC to FFU: no more come before one is committed */
struct msg_prim {
   struct sim_draw *draw;
   struct sim_vertex *v[3];
   struct sim_vertex *flat;
   uint16_t work_id;
   uint8_t num_vertices, provoking, edges;
   bool stipple_reset, end;
   bool geometry;   /* PA: no primitive; those of the draw, and its end, come from GC */
   uint32_t number; /* of the primitive in its draw, from 0 */
   uint32_t id;     /* as emul_assembled */
};                  /* PA and GC to CLP and SO, CLP to TS */
/* Which signal the next message comes over: that of primitive assembly, or of Geometry Commit. */
static inline struct sim_signal *
sim_prim_input(struct sim_signal *from_pa, struct sim_signal *from_gc, sim_tick now)
{
   const struct msg_prim *m = sim_peek(from_pa, now);
   return m && m->geometry ? from_gc : from_pa;
}
/* Takes that message; with the end of a draw what said where it comes from. */
static inline void
sim_prim_pop(struct sim_signal *from_pa, struct sim_signal *in, bool end, sim_tick now)
{
   sim_pop(in, now);
   if (in != from_pa && end)
      sim_pop(from_pa, now);
}
/* A primitive that comes to the geometry stage. */
struct msg_gs_input {
   struct sim_draw *draw;
   struct sim_vertex *v[ATTILA_MAX_PRIM_VERTICES];
   uint32_t id; /* as emul_assembled */
   uint16_t work_id;
   uint8_t num_vertices;
   bool end;
}; /* PA to GI */
/* A primitive in the geometry stage. Geometry Issue's, which keeps it in place; whoever has the
 * message owns it until Geometry Commit has given its room back. */
struct sim_gs_prim {
   struct sim_draw *draw;
   struct sim_vertex *v[ATTILA_MAX_PRIM_VERTICES]; /* held until it is shaded */
   struct emul_emission emission;
   float (*storage)[4]; /* the emission's */
   size_t room;         /* bytes of that */
   uint32_t bytes;      /* of the output buffer */
   uint32_t id;
   uint16_t work_id;
   uint8_t num_vertices;
   bool shaded; /* set by Geometry Commit when it came back from the shaders */
};
struct msg_gs {
   struct sim_draw *draw;
   struct sim_gs_prim *prim; /* NULL: the end of a draw */
   uint16_t work_id;
   bool last; /* Geometry Issue sends nothing more before one is taken, or of this draw */
};            /* GI to FFU, and to GC in order; FFU to GC when it is shaded */
struct msg_gs_room {
   uint32_t bytes; /* of the output buffer, of the oldest primitive */
};                 /* GC to GI */
/* A primitive that is set up on the shaders. Triangle Setup's, which keeps it in place; whoever has
 * the message owns it until it comes back. */
struct sim_triangle {
   struct msg_prim prim;
   float in[4][4];  /* x, y, z, w; [component][vertex] */
   float out[4][4]; /* what the program writes */
   bool shaded;
};
struct msg_triangle {
   struct sim_triangle *triangle; /* NULL: the end of a draw */
   uint16_t work_id;
   bool last; /* Triangle Setup sends nothing more before one comes back, or of this draw */
};            /* TS to FFU and back */
struct msg_setup {
   struct sim_draw *draw;
   struct sim_prim *prim;
   uint32_t number; /* prim->number */
   uint16_t work_id;
   bool end;
}; /* TS to TT */
struct msg_tile {
   struct sim_draw *draw;
   struct sim_prim *prim;
   int32_t x, y;
   uint64_t coverage;
   uint32_t empty; /* tiles without a covered fragment made since the last message */
   uint16_t work_id;
   bool end;
}; /* TT to HZ */
struct msg_quad {
   struct sim_draw *draw;
   struct sim_quad *quad;
   uint16_t work_id;
   bool end;
}; /* HZ, ZST, Interp, FFU, CW */
/* For the host: the quad that comes next was made long ago. */
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
   uint32_t epoch;     /* hz_epoch of the newest draw it knows of */
   uint16_t work_id;   /* who made the line dirty */
};                     /* ZST to HZ: the depths of a line that left the Z cache */

/* CP to the ROPs, Blitter and DAC; each answers with a msg_done when it has finished. */
enum rop_op {
   ROP_CLEAR,      /* fill the surfaces that regs, buffers and planes name */
   ROP_WRITE_BACK, /* dirty lines in [start, end) go to memory and stay valid; states stay */
   ROP_FORGET,     /* lines in [start, end) are invalid: somebody else wrote there */
};
struct msg_rop {
   uint32_t op;
   uint16_t work_id;    /* of the command that wants it */
   uint64_t start, end; /* WRITE_BACK, FORGET: memory, bytes */
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
}; /* draw: CW, SO finished this draw; NULL: command done */
struct msg_blit {
   uint16_t work_id;
   struct attila_cmd_blit blit;
};
struct msg_swap {
   uint16_t work_id;
   struct attila_cmd_swap swap;
};

/* Memory. size 1..256 bytes within one aligned 256-byte block. data is the client's buffer: read
 * into it, or written from it; it must stay until the response. Requests of one client to one
 * 256-byte block are served in order. */
struct msg_mem_request {
   uint8_t *data;
   uint32_t address;
   uint16_t size;
   uint16_t work_id;
   bool write;
   uint16_t wire_bytes; /* bytes that cross the pins: less when compressed; 0: size */
   uint64_t cookie;
};
struct msg_mem_response {
   uint8_t *data;
   uint64_t cookie;
   uint32_t address;
   bool write;
};

/* The pools of vertices, primitives, quads and groups. */
void sim_objects_init(struct sim_gpu *gpu);

/* Release (objects.c). The last reference returns the object to its pool; a primitive that dies
 * releases its vtx[], a freed quad its primitive (NULL: none). */
void sim_vertex_unref(struct sim_gpu *gpu, struct sim_vertex *v);
void sim_prim_unref(struct sim_gpu *gpu, struct sim_prim *p);
void sim_quad_free(struct sim_gpu *gpu, struct sim_quad *q);
/* The same for boxes that other threads may clock than the pools' (core/sim_shares.h). */
static inline void
sim_quad_give(struct sim_box *b, struct sim_quad *q)
{
   sim_share_give(b, q);
}
/* With room for inputs 0 to inputs - 1; room is set. */
struct sim_quad *sim_quad_alloc(struct sim_gpu *gpu, unsigned inputs);
/* For one without a primitive. */
void sim_quad_recycle(struct sim_gpu *gpu, struct sim_quad *q);

#endif
