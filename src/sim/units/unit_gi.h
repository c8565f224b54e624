/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of Geometry Issue (box/geometry/gi.c). units.h says how to read it. ATTILA has no
 * geometry stage: this is Direct3D 10's (Blythe, The Direct3D 10 System, SIGGRAPH 2006, section
 * 4.2) with its output on chip, as on a G80. It is published that an output buffer of another size
 * changes the speed of programs that emit many primitives (NVIDIA TB-04044-001: six times larger on
 * the GT200). The size is not published; the default is our choice. */
#ifndef UNIT_GI_H
#define UNIT_GI_H

/* clang-format off */
#define SIM_UNIT_gi(U)                                                                           \
   U("GeometryIssue", "GI",                                                                      \
      "Gives primitives to the geometry stage on the shaders (OpenGL 3.2 section 2.12)",         \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_gi(P, B, T)                                                                   \
   P(GEOMETRYSTAGE, QueueSize, queue, 8, 1, 1024, "primitives",                                  \
      "primitives waiting for the geometry stage")                                               \
   P(GEOMETRYSTAGE, InputAttributesCycle, input_attributes, 8, 1, 192, "attributes/cycle",       \
      "attributes of a primitive's vertices that are read to issue it")                          \
   P(GEOMETRYSTAGE, Primitives, primitives, 64, 1, 1024, "primitives",                           \
      "primitives issued that have not left the geometry stage")                                 \
   P(GEOMETRYSTAGE, OutputBufferSize, output_bytes, 16384, 1024, 16777216, "bytes",              \
      "buffer of emitted vertices; a primitive holds as much as its program declares")

#define SIM_STATS_gi(S)                                                                            \
   S(primitives, "Primitives", TRIANGLES, "primitives issued")                                     \
   S(attributes, "InputAttributes", COUNT, "attributes of vertices read")                          \
   S(reserved, "ReservedBytes", BYTES,                                                             \
      "bytes of the output buffer reserved for all that may be emitted")                           \
   S(closed, "ClosedThreads", THREADS, "thread groups that left because no other primitive "       \
      "could join")                                                                                \
   S(stall_room, "StallsOutputBuffer", CYCLES, "a primitive waited for room in the output buffer") \
   S(stall_primitives, "StallsPrimitives", CYCLES,                                                 \
      "a primitive waited because as many as the key Primitives were issued")                      \
   S(stall_fifo, "StallsFragmentFIFO", CYCLES, "the fragment FIFO took nothing")

#define SIM_ENERGY_gi(A, E, D, N)                                                                \
   E("InputAttributes", Attribute, c->gs.input_attributes, 128 * OP(latch_bit),                  \
      "an attribute on its way to the shaders")                                                  \
   E("Primitives", Primitive, 1, 3 * OP(integer_add), "its room in the output buffer")           \
   N("ReservedBytes ClosedThreads", "of Primitives")

#define SIM_AREA_gi(U, IN)                                                                       \
   U(geometry_issue, "Geometry issue", 1, 2 * AREA_ADDER, 128. * c->gs.input_attributes +        \
      AREA_REQUEST * (c->gs.queue + c->gs.primitives), 0,                                        \
      "estimate: attributes of a cycle, queues of primitives, the room in the output buffer")

#define SIM_LIMITER_gi(L, W, C, M)                             \
   L(138, "geometry issue", geometry, NONE, false)             \
      W("InputAttributes", 1.0 / c->gs.input_attributes) \
      W("Primitives", 1)

#define SIM_IDEAL_gi(I)                                                                          \
   I(geometry, GEOMETRYSTAGE, "QueueSize=1024 InputAttributesCycle=192 Primitives=1024 "         \
      "OutputBufferSize=16777216")
/* clang-format on */

#endif
