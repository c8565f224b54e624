/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Clipper (box/geometry/clp.c). units.h says how to read it. */
#ifndef UNIT_CLP_H
#define UNIT_CLP_H

/* clang-format off */
#define SIM_UNIT_clp(U)                                                                          \
   U("Clipper", "CLP", "Rejects and clips primitives (ISPASS 2006 section 2)", SIM_CHARGES_DRAW)

#define SIM_PARAMS_CLIPPER(P, B, T)                                                       \
   P(CLIPPER, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle",               \
      "triangles sent to setup")                                                          \
   P(CLIPPER, ClipperUnits, units, 1, 1, 16, "units",                                     \
      "units that test for trivial rejection")                                            \
   P(CLIPPER, StartLatency, start_latency, 1, 1, 100, "cycles",                           \
      "interval until a clipper unit takes the next triangle")                            \
   P(CLIPPER, ExecLatency, exec_latency, 6, 1, 100, "cycles",                             \
      "time of the test for trivial rejection, and of cutting at each plane that really " \
      "clips")                                                                            \
   P(CLIPPER, ClipBufferSize, queue, 4, 1, 1024, "triangles",                             \
      "triangles waiting to be tested")

#define SIM_STATS_clp(S)                                                                 \
   S(input, "InputTriangles", TRIANGLES, "primitives received")                          \
   S(output, "OutputTriangles", TRIANGLES,                                               \
      "primitives sent; each piece of a clipped one counts")                             \
   S(clipped, "ClippedTriangles", TRIANGLES, "primitives rejected as outside")           \
   S(split, "SplitTriangles", TRIANGLES, "primitives that crossed a plane and were cut") \
   S(clip_cycles, "ClipCycles", CYCLES, "the clipper cut primitives")                    \
   S(stall_setup, "StallsSetup", CYCLES, "triangle setup took nothing")

#define SIM_ENERGY_clp(A, E, D, N)                                                 \
   E("InputTriangles", Reject, (double)c->clip.units / c->clip.start_latency, 18 * \
      OP(float_add), "three vertices against six planes")                          \
   E("ClipCycles", Clip, 1, 8 * POWER_FMA, "attributes of a new vertex")           \
   N("OutputTriangles ClippedTriangles SplitTriangles",                            \
      "what came of InputTriangles; ClipCycles is the work")

#define SIM_AREA_clp(U, IN)                                                              \
   U(clipper, "Clipper", c->clip.units, 12 * AREA_MAC, AREA_TRIANGLE * c->clip.queue, 0, \
      "estimate: distances to six planes for a vertex, an interpolation of four")

#define SIM_LIMITER_clp(L, W, C, M)                                      \
   L(130, "clipper", geometry, clp_ts, false)                            \
      W("InputTriangles", (double)c->clip.start_latency / c->clip.units) \
      W("OutputTriangles", 1.0 / c->clip.triangles_cycle)                \
      W("ClipCycles", 1)

#define SIM_IDEAL_clp(I)                                                                    \
   I(geometry, CLIPPER,                                                                     \
      "TrianglesCycle=16 ClipperUnits=16 StartLatency=1 ExecLatency=1 ClipBufferSize=1024")
/* clang-format on */

#endif
