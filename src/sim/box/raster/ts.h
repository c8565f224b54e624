/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the parts of Triangle Setup share: ts.c with units of its own, ts_shader.c with the shaders.
 * No other box includes it.
 */
#ifndef TS_H
#define TS_H

#include "box/sim_gpu.h"

/* clang-format off */
#define TS_STATS(S)                                                                              \
   S(input, "InputTriangles", TRIANGLES, "primitives received")                                  \
   S(requested, "RequestedTriangles", TRIANGLES, "primitives set up and asked for by traversal") \
   S(output, "OutputTriangles", TRIANGLES, "primitives sent to traversal")                       \
   S(culled, "CulledTriangles", TRIANGLES,                                                       \
      "primitives without output: facing, no area, or outside")                                  \
   S(culled_face, "CulledFacingTriangles", TRIANGLES, "of those: culled by facing")              \
   S(culled_area, "CulledDegenerateTriangles", TRIANGLES, "of those: without area")              \
   S(front, "FrontFacingTriangles", TRIANGLES, "sent, front facing")                             \
   S(back, "BackFacingTriangles", TRIANGLES, "sent, back facing")                                \
   S(less_1, "TrianglesLess_1", TRIANGLES, "sent, area below 1 pixel")                           \
   S(less_4, "Triangles1_to_4", TRIANGLES, "sent, area from 1 to 4 pixels")                      \
   S(less_16, "Triangles4_to_16", TRIANGLES, "sent, area from 4 to 16 pixels")                   \
   S(less_100, "Triangles16_to_100", TRIANGLES, "sent, area from 16 to 100 pixels")              \
   S(less_1000, "Triangles100_to_1000", TRIANGLES, "sent, area from 100 to 1000 pixels")         \
   S(less_screen, "Triangles1000_to_Screen", TRIANGLES,                                          \
      "sent, area from 1000 pixels to the framebuffer's")                                        \
   S(greater_screen, "TrianglesGreaterScreen", TRIANGLES, "sent, larger than the framebuffer")   \
   S(overlap_1x1, "TrianglesOverlap_1x1", TRIANGLES, "sent, bounding box inside one pixel")      \
   S(overlap_2x2, "TrianglesOverlap_2x2", TRIANGLES, "sent, bounding box inside one quad")       \
   S(stall_traversal, "StallsTraversal", CYCLES, "traversal took nothing")                       \
   S(stall_shading, "StallsShading", CYCLES,                                                     \
      "setup on the shaders: the oldest primitive had not come back")                            \
   S(stall_phase, "StallsFragmentPhase", CYCLES,                                                 \
      "the fragment phase of the draw before had not ended")
/* clang-format on */
SIM_STATS_DECLARE(ts, TS_STATS)

struct ts {
   struct sim_box box;
   struct ts_stats *stat; /* [slot] */
   uint32_t stipple;      /* line stipple counter of the draw */
   struct emul_setup setup[EMUL_MAX_SETUP];
   unsigned num, next; /* set up and not yet sent, of the oldest primitive */
   bool set_up;        /* the oldest primitive */
   uint32_t taken;     /* primitives of the present set that have been finished */
   bool set;           /* a set of primitives is being taken */
   sim_tick free;      /* when the units can take the next set */
   bool begun;         /* the fragment phase of the draw that arrives */
   struct sim_stall stall;
   /* Setup on the shaders: ring of primitives and ends of draws; head..sent..tail have been sent to
    * the shaders, or not. NULL: units of its own. */
   struct sim_triangle *queue;
   uint32_t head, sent, tail, size;
   struct sim_stall queue_stall; /* of the oldest in the queue */
};

/* Works on the oldest primitive, or the end of a draw; true when it has gone. */
bool ts_work(struct ts *t, const struct msg_prim *m, sim_tick now, bool *progress);
/* Whether the fragment phase of the draw that m belongs to has begun. */
bool ts_in_fragment_phase(struct ts *t, const struct msg_prim *m, sim_tick now);
/* Whether the units may take the next set of primitives. *timer: when to look again, SIM_NEVER when
 * something is sent. */
bool ts_begin_set(struct ts *t, sim_tick now, sim_tick *timer);

/* Setup on the shaders. */
void ts_shader_init(struct ts *t);
void ts_shader_fini(struct ts *t);
sim_tick ts_shader_clock(struct ts *t, sim_tick now);
void ts_shader_settle(struct ts *t, sim_tick next);
void ts_shader_dump(const struct ts *t, FILE *f);

#endif
