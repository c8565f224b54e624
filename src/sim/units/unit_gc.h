/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of Geometry Commit (box/geometry/gc.c). units.h says how to read it. Where the unit
 * comes from: unit_gi.h. */
#ifndef UNIT_GC_H
#define UNIT_GC_H

/* clang-format off */
#define SIM_UNIT_gc(U)                                                                           \
   U("GeometryCommit", "GC",                                                                     \
      "Makes primitives of the strips that the geometry stage emits (OpenGL 3.2 section 2.12)",  \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_gc(P, B, T)                                                                   \
   P(GEOMETRYSTAGE, VerticesCycle, vertices_cycle, 1, 1, 16, "vertices/cycle",                   \
      "vertices read from the output buffer; a primitive without any counts as one")

#define SIM_STATS_gc(S)                                                                          \
   S(inputs, "Inputs", TRIANGLES, "primitives that came back from the stage and left it")        \
   S(empty, "EmptyInputs", TRIANGLES, "primitives that emitted no vertex")                       \
   S(vertices, "Vertices", VERTICES, "emitted vertices read from the output buffer")             \
   S(attributes, "Attributes", COUNT, "attributes of the emitted vertices")                      \
   S(strips, "Strips", COUNT, "strips that the emitted vertices form")                           \
   S(primitives, "Primitives", TRIANGLES, "points, lines and triangles made")                    \
   S(stall_shading, "StallsShading", CYCLES, "the next primitive in order was not shaded")       \
   S(stall_clipper, "StallsClipper", CYCLES, "the clipper took nothing")                         \
   S(stall_stream, "StallsStreamOut", CYCLES, "stream-out took nothing")

#define SIM_ENERGY_gc(A, E, D, N)                                                                \
   A(OUTPUT_BUFFER, c->gs.output_bytes / 16, 128, 1)                                             \
   E("Attributes", Attribute, 8 * c->gs.vertices_cycle, READ(OUTPUT_BUFFER) +                    \
      WRITE(OUTPUT_BUFFER), "into the output buffer and out")                                    \
   E("Primitives", Primitive, c->gs.vertices_cycle, 3 * OP(integer_add), "choice of vertices")   \
   N("Inputs EmptyInputs Vertices Strips", "of Attributes and Primitives")

#define SIM_AREA_gc(U, IN)                                                                       \
   U(geometry_commit, "Geometry commit", c->gs.vertices_cycle, AREA_ADDER, 8. *                  \
      c->gs.output_bytes / c->gs.vertices_cycle, 0,                                              \
      "the output buffer by its bits; estimate of control")

#define SIM_LIMITER_gc(L, W, C, M)                    \
   L(136, "geometry commit", geometry, gc_clp, false) \
      W("Vertices", 1.0 / c->gs.vertices_cycle)

#define SIM_IDEAL_gc(I)                              \
   I(geometry, GEOMETRYSTAGE, "VerticesCycle=16")
/* clang-format on */

#endif
