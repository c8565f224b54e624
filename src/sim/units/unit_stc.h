/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Streamer Commit (box/geometry/stc.c). units.h says how to read it. */
#ifndef UNIT_STC_H
#define UNIT_STC_H

/* clang-format off */
#define SIM_UNIT_stc(U)                                                                         \
   U("StreamerCommit", "StC",                                                                   \
      "Sends shaded vertices to primitive assembly in order (ISPASS 2006 section 2, Streamer)", \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_stc(P, B, T)                                                     \
   P(STREAMER, VerticesCycle, vertices_cycle, 1, 1, 16, "vertices/cycle",           \
      "vertices committed to primitive assembly")                                   \
   P(STREAMER, AttributesSentCycle, attributes_sent, 16, 1, 16, "attributes/cycle", \
      "attributes of a vertex sent to primitive assembly, on each of VerticesCycle buses")

#define SIM_STATS_stc(S)                                                                  \
   S(requests, "Requests", VERTICES, "vertices requested by primitive assembly and sent") \
   S(indices, "Indices", INDICES, "indices received from the output cache")               \
   S(shader_outputs, "ShaderOutputs", VERTICES, "shaded vertices received")               \
   S(outputs, "Outputs", VERTICES, "vertices sent in order")                              \
   S(output_attributes, "OutputAttributes", COUNT, "attributes of the vertices sent")     \
   S(stall_shading, "StallsShading", CYCLES, "the next vertex in order was not shaded")   \
   S(stall_assembly, "StallsAssembly", CYCLES, "primitive assembly took nothing")

#define SIM_ENERGY_stc(A, E, D, N)                                                            \
   A(VERTICES, 16 * c->streamer.output_memory, 128, 1)                                        \
   E("OutputAttributes", Attribute, c->streamer.attributes_sent * c->streamer.vertices_cycle, \
      READ(VERTICES) + WRITE(VERTICES), "in and out of the memory of shaded vertices")        \
   N("Requests Indices ShaderOutputs Outputs",                                                \
      "vertices, whose attributes have energy (OutputAttributes)")

#define SIM_AREA_stc(U, IN) \
   IN(vertex_cache)

#define SIM_LIMITER_stc(L, W, C, M)                   \
   L(150, "streamer commit", geometry, stc_pa, false) \
      W("Outputs", 1.0 / c->streamer.vertices_cycle)  \
      W("OutputAttributes", 1.0 / c->streamer.vertices_cycle / c->streamer.attributes_sent)

#define SIM_IDEAL_stc(I)                                            \
   I(geometry, STREAMER, "VerticesCycle=16 AttributesSentCycle=16")
/* clang-format on */

#endif
