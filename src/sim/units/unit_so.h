/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of Stream-out (box/geometry/so.c). units.h says how to read it. ATTILA has no such
 * unit: it is Direct3D 10's stage (Blythe, The Direct3D 10 System, SIGGRAPH 2006, section 4.3),
 * with the width of the other memory clients. */
#ifndef UNIT_SO_H
#define UNIT_SO_H

/* clang-format off */
#define SIM_UNIT_so(U)                                                                           \
   U("StreamOut", "SO",                                                                          \
      "Writes assembled primitives to memory (OpenGL 3.0 section 2.15; Direct3D 10's stage)",    \
      SIM_CHARGES_DRAW)

#define SIM_PARAMS_STREAMOUT(P, B, T)                                                            \
   P(STREAMOUT, QueueSize, queue, 8, 1, 1024, "primitives", "primitives waiting to be written")  \
   P(STREAMOUT, OutputsCycle, outputs_cycle, 4, 1, 16, "outputs/cycle",                          \
      "outputs of a vertex that go into the write buffer; one in two lines counts twice")        \
   P(STREAMOUT, WriteLines, lines, 16, 1, 64, "lines",                                           \
      "lines of the write buffer, in which the words of neighbouring vertices are combined")     \
   P(STREAMOUT, WriteLineSize, line_size, 64, 64, 256, "bytes",                                  \
      "size of a line of the write buffer (power of 2)")

#define SIM_STATS_so(S)                                                                          \
   S(primitives, "Primitives", TRIANGLES, "points, lines and triangles received")                \
   S(written, "WrittenPrimitives", TRIANGLES, "primitives that were written")                    \
   S(overflows, "OverflowPrimitives", TRIANGLES, "primitives for which a buffer had no room")    \
   S(vertices, "Vertices", VERTICES, "vertices written")                                         \
   S(outputs, "Outputs", COUNT, "parts of outputs written into a line")                          \
   S(lines, "Lines", LINES, "lines of the write buffer sent to memory")                          \
   S(partial, "PartialLines", LINES, "lines sent to memory with bytes that were not written")    \
   S(transactions, "MemTransactions", TRANSACTIONS, "runs of words written to memory")           \
   S(write_bytes, "WriteBytes", BYTES, "bytes written to memory")                                \
   S(stall_lines, "StallsLines", CYCLES, "no line of the write buffer was free")                 \
   S(stall_memory, "StallsMemory", CYCLES, "the end of a draw waited for its last writes")

#define SIM_ENERGY_so(A, E, D, N)                                                                \
   A(WRITE_BUFFER, c->so.lines * c->so.line_size / 16, 128, 1)                                   \
   E("Outputs", Output, c->so.outputs_cycle, WRITE(WRITE_BUFFER) + OP(integer_add),              \
      "into the write buffer, and its address")                                                  \
   E("WriteBytes", Write, 64, READ(WRITE_BUFFER) / 16, "a byte out of the write buffer")         \
   N("Primitives WrittenPrimitives OverflowPrimitives Vertices Lines PartialLines "              \
      "MemTransactions", "of Outputs and WriteBytes")

#define SIM_AREA_so(U, IN)                                                                       \
   U(stream_out, "Stream-out", 1, AREA_MAC + c->so.outputs_cycle * AREA_ADDER, AREA_VERTEX * 3 + \
      AREA_REQUEST * c->so.queue + AREA_CACHE_BITS(c->so.lines, c->so.line_size) + 32. *         \
      ATTILA_MAX_STREAM_OUTPUTS, 0,                                                              \
      "estimate: a primitive, the table of outputs, the write buffer, an address an output")

#define SIM_LIMITER_so(L, W, C, M)          \
   L(135, "stream-out", memory, NONE, true) \
      W("Outputs", 1.0 / c->so.outputs_cycle)

#define SIM_IDEAL_so(I)                                                                      \
   I(geometry, STREAMOUT, "QueueSize=1024 OutputsCycle=16 WriteLines=64 WriteLineSize=256")
/* clang-format on */

#endif
