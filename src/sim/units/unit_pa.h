/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Primitive Assembly (box/geometry/pa.c). units.h says how to read it. */
#ifndef UNIT_PA_H
#define UNIT_PA_H

/* clang-format off */
#define SIM_UNIT_pa(U)                                                                           \
   U("PrimitiveAssembly", "PA",                                                                  \
      "Makes points, lines and triangles of vertices (ISPASS 2006 section 2)", SIM_CHARGES_DRAW)

#define SIM_PARAMS_PRIMITIVEASSEMBLY(P, B, T)                                         \
   P(PRIMITIVEASSEMBLY, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle", \
      "triangles assembled")                                                          \
   P(PRIMITIVEASSEMBLY, InputBusLatency, input_latency, 1, 1, 100, "cycles",          \
      "latency from streamer commit to primitive assembly")                           \
   P(PRIMITIVEASSEMBLY, AssemblyQueueSize, queue, 24, 1, 1024, "vertices",            \
      "vertices waiting to be assembled")

#define SIM_STATS_pa(S)                                                                    \
   S(vertices, "Vertices", VERTICES, "vertices received")                                  \
   S(requests, "Requests", VERTICES, "vertices and markers taken from commit")             \
   S(triangles, "Triangles", TRIANGLES, "triangles, lines and points assembled")           \
   S(degenerated, "Degenerated", TRIANGLES, "primitives that use one shaded vertex twice") \
   S(stall_clipper, "StallsClipper", CYCLES, "the clipper took nothing")                   \
   S(stall_stream, "StallsStreamOut", CYCLES, "stream-out took nothing")                   \
   S(stall_geometry, "StallsGeometryIssue", CYCLES, "the geometry stage took nothing")

#define SIM_ENERGY_pa(A, E, D, N)                                                             \
   E("Vertices", Vertex, c->streamer.vertices_cycle, 512 * OP(latch_bit), "four attributes")  \
   E("Triangles", Triangle, c->pa.triangles_cycle, 3 * OP(integer_add), "choice of vertices") \
   N("Requests Degenerated", "of Vertices and Triangles")

#define SIM_AREA_pa(U, IN)                                                              \
   U(assembly, "Primitive assembly", c->pa.triangles_cycle, AREA_MAC, AREA_VERTEX *     \
      c->pa.queue, 0,                                                                   \
      "MICRO 2005, Table 1: 16 attributes a vertex; estimate of control")

#define SIM_LIMITER_pa(L, W, C, M)                       \
   L(140, "primitive assembly", geometry, pa_clp, false) \
      W("Triangles", 1.0 / c->pa.triangles_cycle)

#define SIM_IDEAL_pa(I)                                                                         \
   I(geometry, PRIMITIVEASSEMBLY, "TrianglesCycle=16 InputBusLatency=1 AssemblyQueueSize=1024")
/* clang-format on */

#endif
