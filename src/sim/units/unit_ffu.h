/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Fragment FIFO (box/shader/ffu.c). units.h says how to read it. */
#ifndef UNIT_FFU_H
#define UNIT_FFU_H

/* clang-format off */
#define SIM_UNIT_ffu(U)                                                                        \
   U("FragmentFIFO", "FFU", "crossbar and scheduler between vertices, fragments and shaders; " \
      "fragments leave in order (ISPASS 2006 section 2.2)", SIM_CHARGES_DRAW)

#define SIM_PARAMS_ffu(P, B, T)                                                                 \
   P(RASTERIZER, InterpolatedStampQueueSize, interpolated_queue, 16, 4, 4096, "quads",          \
      "interpolated quads of a ROP that wait to be grouped")                                    \
   P(RASTERIZER, ShaderInputQueueSize, shader_input_queue, 128, 4, 4096, "inputs",              \
      "inputs in groups that wait for a shader, for each shader")                               \
   P(RASTERIZER, ShaderDistribution, distribution, 4, 0, 4, "rule",                             \
      "shader of a fragment: 0 by TiledShaderDistribution; 1 that with the fewest groups; 2 "   \
      "by scan tile; 3 batches in turn; 4 as 1, for each 16x16 square of a ROP")                \
   B(RASTERIZER, TiledShaderDistribution, tiled_shaders, 1,                                     \
      "ShaderDistribution 0, the last release's rule: by the scan tile in Morton order; "       \
      "FALSE: by batches")                                                                      \
   P(RASTERIZER, ShaderInputBatchSize, shader_batch, 256, 4, 65536, "inputs",                   \
      "inputs that a shader gets before the next one's turn")                                   \
   P(RASTERIZER, VertexGroupTimeout, vertex_timeout, 1000, 1, 100000, "cycles",                 \
      "how long a group of vertices waits for more, unless the streamer waits "                 \
      "only for it")                                                                            \
   P(RASTERIZER, FragmentGroupTimeout, fragment_timeout, 0, 0, 100000, "cycles",                \
      "how long a group of fragments waits for more; 0: until the draw ends")                   \
   P(RASTERIZER, VertexInputQueueSize, vertex_input_queue, 32, 4, 4096, "vertices",             \
      "vertices waiting for a shader")                                                          \
   P(RASTERIZER, ShadedStampQueueSize, shaded_queue, 0, 0, 65536, "quads",                      \
      "quads of a ROP in or after shading, which leave in order; 0: as many as the shaders "    \
      "hold")                                                                                   \
   P(RASTERIZER, ShadedVertexQueueSize, shaded_vertex_queue, 64, 16, 65536, "vertices",         \
      "vertices in or after shading")

#define SIM_STATS_ffu(S)                                                                           \
   S(input_fragments, "InputFragments", FRAGMENTS, "covered fragments received")                   \
   S(interpolated, "InterpolatedFragments", FRAGMENTS, "all fragments of the quads received")      \
   S(shaded_fragments, "ShadedFragments", FRAGMENTS, "covered fragments sent to a shader")         \
   S(output_fragments, "OutputFragments", FRAGMENTS, "fragments alive sent to a ROP")              \
   S(input_vertices, "InputVertices", VERTICES, "vertices received")                               \
   S(shaded_vertices, "ShadedVertices", VERTICES, "vertices sent to a shader")                     \
   S(output_vertices, "OutputVertices", VERTICES, "shaded vertices sent to commit")                \
   S(input_triangles, "InputTriangles", TRIANGLES, "primitives received to be set up")             \
   S(shaded_triangles, "ShadedTriangles", TRIANGLES, "primitives sent to a shader")                \
   S(output_triangles, "OutputTriangles", TRIANGLES, "primitives sent back to setup")              \
   S(input_primitives, "InputPrimitives", TRIANGLES, "primitives received for the geometry stage") \
   S(shaded_primitives, "ShadedPrimitives", TRIANGLES,                                             \
      "primitives of the geometry stage sent to a shader")                                         \
   S(output_primitives, "OutputPrimitives", TRIANGLES,                                             \
      "primitives of the geometry stage sent to geometry commit")                                  \
   S(primitive_groups, "GeometryThreads", THREADS,                                                 \
      "thread groups of primitives of the geometry stage formed")                                  \
   S(triangle_groups, "TriangleThreads", THREADS,                                                  \
      "thread groups of primitives to be set up formed")                                           \
   S(fragment_groups, "FragmentThreads", THREADS, "thread groups of fragments formed")             \
   S(vertex_groups, "VertexThreads", THREADS, "thread groups of vertices formed")                  \
   S(partial_groups, "PartialThreads", THREADS, "thread groups that left before they were full")   \
   S(killed_quads, "KilledStamps", QUADS,                                                          \
      "quads dropped because the shader killed all their fragments")                               \
   S(hidden_quads, "HiddenStamps", QUADS,                                                          \
      "waiting quads dropped because a later one covers them (ForwardPixelKill)")                  \
   S(hidden_fragments, "HiddenFragments", FRAGMENTS, "covered fragments of these quads")           \
   S(compared, "ComparedStamps", QUADS,                                                            \
      "waiting quads whose place was compared with that of a later one (ForwardPixelKill)")        \
   S(stall_shader, "StallsFragmentShaderBusy", CYCLES,                                             \
      "a fragment group waited for a shader (sum over ROPs)")                                      \
   S(stall_uneven, "StallsDistribution", CYCLES,                                                   \
      "fragments waited for a shader while another one had nothing to do")                         \
   S(stall_vertex_shader, "StallsVertexShaderBusy", CYCLES,                                        \
      "a vertex group waited for a shader")                                                        \
   S(stall_order, "StallsShading", CYCLES,                                                         \
      "no room: the oldest quads of a ROP were still being shaded (sum over ROPs)")                \
   S(stall_rop, "StallsROP", CYCLES, "shaded quads waited for their ROP (sum over ROPs)")          \
   S(stall_commit, "StallsCommit", CYCLES, "shaded vertices waited for streamer commit")

#define SIM_ENERGY_ffu(A, E, D, N)                                                              \
   A(FRAGMENTS, 4 * sim_shaded_quads(c), 128, 1)                                                \
   E("InterpolatedFragments", Fragment, 4.0 * c->rast.tiles_cycle, 2 * (READ(FRAGMENTS) +       \
      WRITE(FRAGMENTS)), "two attributes in and out of the queue")                              \
   E("OutputFragments", Output, 4.0 * c->gpu.num_rops, READ(FRAGMENTS) + WRITE(FRAGMENTS),      \
      "a colour in and out of the queue")                                                       \
   E("ShadedVertices", Vertex, 1, 8 * (READ(FRAGMENTS) + WRITE(FRAGMENTS)),                     \
      "four attributes in and four out")                                                        \
   E("ComparedStamps", Compare, 4.0 * c->tiling.kill_quads, OP(integer_add), "two places")      \
   N("InputFragments ShadedFragments InputVertices OutputVertices KilledStamps Hidden* "        \
      "InputTriangles ShadedTriangles OutputTriangles *Primitives *Threads",                    \
      "the same at other places (InterpolatedFragments, OutputFragments, ShadedVertices)")

#define SIM_AREA_ffu(U, IN)                                                             \
   U(fragment_fifo, "Fragment FIFO", 1, 8 * AREA_MAC, AREA_SHADER_QUAD *                \
      c->gpu.num_shaders * c->rast.shader_input_queue / 4 + AREA_QUAD *                 \
      sim_shaded_quads(c) + AREA_QUAD *                                                 \
      (c->rast.tested_queue + c->rast.interpolated_queue + c->rast.generated_queue +    \
       sim_tiled(c) * c->tiling.kill_quads * c->gpu.num_rops), 0,                       \
      "MICRO 2005, Table 1: 10 attributes a fragment; estimate of the crossbar")

#define SIM_LIMITER_ffu(L, W, C, M)                        \
   L(85, "distribution of fragments", shader, NONE, false) \
      W("StallsDistribution", 1)

#define SIM_IDEAL_ffu(I)                                                                  \
   I(raster, RASTERIZER, "InterpolatedStampQueueSize=4096")                               \
   I(shader, RASTERIZER,                                                                  \
      "ShaderDistribution=1 ShaderInputQueueSize=4096 ShadedStampQueueSize=65536 "        \
      "ShadedVertexQueueSize=65536")
/* clang-format on */

#endif
