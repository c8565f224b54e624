/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Triangle Setup (box/raster/ts.c). units.h says how to read it. */
#ifndef UNIT_TS_H
#define UNIT_TS_H

/* clang-format off */
#define SIM_UNIT_ts(U)                                                                  \
   U("TriangleSetup", "TS", "Sets up primitives for traversal (ISPASS 2006 section 2)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_ts(P, B, T)                                                              \
   P(RASTERIZER, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle",              \
      "triangles sent from setup to traversal")                                             \
   P(RASTERIZER, SetupFIFOSize, setup_fifo, 12, 1, 1024, "triangles",                       \
      "triangles that are set up and wait for room in traversal")                           \
   P(RASTERIZER, SetupUnits, setup_units, 1, 1, 16, "units",                                \
      "setup units, which begin together when there is a triangle for each or a draw ends") \
   P(RASTERIZER, SetupLatency, setup_latency, 10, 1, 100, "cycles", "latency of setup")     \
   P(RASTERIZER, SetupStartLatency, setup_start, 1, 1, 100, "cycles",                       \
      "interval until a setup unit takes the next triangle")                                \
   B(RASTERIZER, TriangleSetupOnShader, setup_on_shader, 0,                                 \
      "a program on the unified shaders sets up triangles; SetupLatency is then the "       \
      "latency of the way to them, and of the way back")                                    \
   P(RASTERIZER, TriangleShaderQueueSize, triangle_shader_queue, 32, 1, 1024, "triangles",  \
      "setup on the shaders: triangles in it, which leave in order")                        \
   P(RASTERIZER, TriangleInputQueueSize, triangle_input_queue, 32, 1, 1024, "triangles",    \
      "setup on the shaders: triangles that wait for a shader, or are on the way there")    \
   P(RASTERIZER, TriangleOutputQueueSize, triangle_output_queue, 32, 1, 1024, "triangles",  \
      "setup on the shaders: triangles in groups, in the shaders and behind them")          \
   P(RASTERIZER, TriangleInputLatency, triangle_input_latency, 1, 1, 100, "cycles",         \
      "latency from the clipper to setup")                                                  \
   P(RASTERIZER, TriangleOutputLatency, triangle_output_latency, 1, 1, 100, "cycles",       \
      "latency from setup to traversal")

#define SIM_STATS_ts(S)                                                                          \
   S(input, "InputTriangles", TRIANGLES, "primitives received")                                  \
   S(requested, "RequestedTriangles", TRIANGLES, "primitives set up and requested by traversal") \
   S(output, "OutputTriangles", TRIANGLES, "primitives sent to traversal")                       \
   S(culled, "CulledTriangles", TRIANGLES,                                                       \
      "primitives without output: facing, no area, or outside")                                  \
   S(culled_face, "CulledFacingTriangles", TRIANGLES, "primitives culled by facing")             \
   S(culled_area, "CulledDegenerateTriangles", TRIANGLES,                                        \
      "primitives culled because they have no area")                                             \
   S(front, "FrontFacingTriangles", TRIANGLES, "front-facing primitives sent")                   \
   S(back, "BackFacingTriangles", TRIANGLES, "back-facing primitives sent")                      \
   S(less_1, "TrianglesLess_1", TRIANGLES, "primitives sent with an area below 1 pixel")         \
   S(less_4, "Triangles1_to_4", TRIANGLES, "primitives sent with an area from 1 to 4 pixels")    \
   S(less_16, "Triangles4_to_16", TRIANGLES, "primitives sent with an area from 4 to 16 pixels") \
   S(less_100, "Triangles16_to_100", TRIANGLES,                                                  \
      "primitives sent with an area from 16 to 100 pixels")                                      \
   S(less_1000, "Triangles100_to_1000", TRIANGLES,                                               \
      "primitives sent with an area from 100 to 1000 pixels")                                    \
   S(less_screen, "Triangles1000_to_Screen", TRIANGLES,                                          \
      "primitives sent with an area from 1000 pixels to that of the framebuffer")                \
   S(greater_screen, "TrianglesGreaterScreen", TRIANGLES,                                        \
      "primitives sent that are larger than the framebuffer")                                    \
   S(overlap_1x1, "TrianglesOverlap_1x1", TRIANGLES,                                             \
      "primitives sent whose bounding box lies inside one pixel")                                \
   S(overlap_2x2, "TrianglesOverlap_2x2", TRIANGLES,                                             \
      "primitives sent whose bounding box lies inside one quad")                                 \
   S(stall_traversal, "StallsTraversal", CYCLES, "traversal took nothing")                       \
   S(stall_shading, "StallsShading", CYCLES,                                                     \
      "setup on the shaders: the oldest primitive had not come back")                            \
   S(stall_phase, "StallsFragmentPhase", CYCLES,                                                 \
      "the fragment phase of the draw before had not ended")

#define SIM_ENERGY_ts(A, E, D, N)                                                               \
   E("RequestedTriangles", Setup, (double)c->rast.setup_units / c->rast.setup_start, 54 *       \
      POWER_FMA + OP(special), "edges, depth and the adjoint matrix")                           \
   N("InputTriangles OutputTriangles Culled* *FacingTriangles TrianglesLess_1 Triangles*_to_* " \
      "TrianglesGreaterScreen TrianglesOverlap_*",                                              \
      "kinds of triangles that were set up (RequestedTriangles)")

#define SIM_AREA_ts(U, IN)                                                                      \
   U(setup, "Triangle setup", c->rast.setup_on_shader ? 0 : c->rast.setup_units, 28 * AREA_MAC, \
      AREA_TRIANGLE * c->rast.setup_fifo, 0, "estimate: the adjoint of a 3 x 3 matrix (18 "     \
      "products), a depth plane (6), a reciprocal (4)")

#define SIM_LIMITER_ts(L, W, C, M)                        \
   L(120, "setup", raster, ts_plb, false)                 \
      W("OutputTriangles", 1.0 / c->rast.triangles_cycle) \
      W("RequestedTriangles", (double)c->rast.setup_start / c->rast.setup_units)

#define SIM_IDEAL_ts(I)                                                                       \
   I(raster, RASTERIZER, "TrianglesCycle=16 SetupFIFOSize=1024 SetupUnits=16 SetupLatency=1 " \
      "SetupStartLatency=1 TriangleInputLatency=1 TriangleOutputLatency=1")
/* clang-format on */

#endif
