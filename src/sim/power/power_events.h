/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What costs energy: every unit of the machine, the arrays of cells in it, and the statistics that
 * count its events, one line each. An event is made of operations of the table (power_table.h) and
 * of accesses to arrays. Nothing of this is counted for its own sake: the boxes count it anyway, so
 * a run that was recorded is enough. docs/explanation/power.md has the list with its figures.
 */
#ifndef POWER_EVENTS_H
#define POWER_EVENTS_H

/* U(id, Class): the class of a box (box/netlist.h). */
/* clang-format off */
#define POWER_UNITS(U)                                                             \
   U(CP, CommandProcessor) U(STF, StreamerFetch) U(STOC, StreamerOutputCache)      \
   U(SL, StreamerLoader) U(STC, StreamerCommit) U(PA, PrimitiveAssembly)           \
   U(CLP, Clipper) U(TS, TriangleSetup) U(TT, TriangleTraversal)                   \
   U(HZ, HierarchicalZ) U(ZST, ZStencilTest) U(INTERP, Interpolator)               \
   U(FFU, FragmentFIFO) U(SHF, ShaderFetch) U(SHDX, ShaderDecodeExecute)           \
   U(TU, TextureUnit) U(CW, ColorWrite) U(BLITTER, Blitter) U(DAC, DAC)            \
   U(MCV2, MemoryControllerV2) U(MC, MemoryController)                             \
   U(GDDR, GDDRChannel) U(SCHED, MemoryScheduler)
/* clang-format on */

/* A(NAME, rows, bits of a row, ports): c is the configuration, s the shaders' (power_model.c). */
/* clang-format off */
#define POWER_ARRAYS(A)                                                                         \
   A(INDEX_BUFFER, c->streamer.index_buffer / 4, 32, 1)                                         \
   A(VERTEX_TAGS, c->streamer.output_memory, 32, 1)                                             \
   A(INPUT_CACHE, c->streamer.cache_lines * c->streamer.cache_line_size /                       \
      c->streamer.port_width, 8 * c->streamer.port_width, 1)                                    \
   A(INPUT_TAGS, c->streamer.cache_lines, 24, 1)                                                \
   A(VERTICES, 16 * c->streamer.output_memory, 128, 1)                                          \
   A(HZ_BUFFER, c->rast.hz_size, 8, 1)                                                          \
   A(Z_CACHE, rop_cache_bytes(&c->zst) / c->zst.port_width, 8 * c->zst.port_width,              \
      2 + c->zst.extra_read_port + c->zst.extra_write_port)                                     \
   A(Z_TAGS, c->zst.cache_sets, 24 * c->zst.cache_ways, 1)                                      \
   A(Z_STATES, c->zst.block_states / 32, 64, 1)                                                 \
   A(COLOR_CACHE, rop_cache_bytes(&c->cw) / c->cw.port_width, 8 * c->cw.port_width,             \
      2 + c->cw.extra_read_port + c->cw.extra_write_port)                                       \
   A(COLOR_TAGS, c->cw.cache_sets, 24 * c->cw.cache_ways, 1)                                    \
   A(COLOR_STATES, c->cw.block_states / 32, 64, 1)                                              \
   A(FRAGMENTS, 4 * c->rast.shaded_queue, 128, 1)                                               \
   A(INSTRUCTIONS, c->cp.instruction_memory + 1, 128, 1)                                        \
   A(REGISTERS, s.registers / s.width, 128, 2)                                                  \
   A(TEXTURE_CACHE, c->shader.tex_line_size * c->shader.tex_ways * c->shader.tex_sets /         \
      (4 * c->shader.tex_port_width), 8 * c->shader.tex_port_width, 4)                          \
   A(TEXTURE_TAGS, c->shader.tex_sets, 24 * c->shader.tex_ways, 1)                              \
   A(TEXTURE_L1, c->shader.tex_line_size_l1 * c->shader.tex_ways_l1 * c->shader.tex_sets_l1 /   \
      16, 128, 1)                                                                               \
   A(TEXTURE_L1_TAGS, c->shader.tex_sets_l1, 24 * c->shader.tex_ways_l1, 1)                     \
   A(TRANSACTIONS, c->mc.request_queue, 512, 1)
/* clang-format on */

/* V(unit, "Statistic", Key, most in a cycle of a box, energy, "what it is made of")
 * OP(x): an operation of the table with its share of latches, control and wires; SHADER(x): of a
 * shader's. READ(x), WRITE(x):
 * an access to an array. WIRES(n): n bits to the memory's pins. */
#define POWER_FMA (OP(float_multiply) + OP(float_add))
#define POWER_BYTE_MADD (OP(byte_multiply) + OP(byte_add))
/* clang-format off */
#define POWER_ROP_EVENTS(V, U, P, M)                                                            \
   V(U, "ReadBytes_FC", CacheRead, M.port_width * (1.0 + M.extra_read_port),                    \
      READ(P##_CACHE) / M.port_width, "a byte of a cache access")                               \
   V(U, "WriteBytes_FC", CacheWrite, M.port_width * (1.0 + M.extra_write_port),                 \
      WRITE(P##_CACHE) / M.port_width, "a byte of a cache access")                              \
   V(U, "FetchOK", TagLookup, 1, READ(P##_TAGS) + M.cache_ways * OP(integer_add),               \
      "tags of a set and a comparison for each way")                                            \
   V(U, "AllocateOK", TagAllocate, 1, READ(P##_TAGS) + M.cache_ways * OP(integer_add),          \
      "tags of a set and a comparison for each way")                                            \
   V(U, "ReadReqAccepted", Decompress, 0.125, READ(P##_STATES) + 64 * 2 * OP(integer_add),      \
      "state of the block, 2 adds for each of its 64 pixels")                                   \
   V(U, "WriteReqAccepted", Compress, 0.125, WRITE(P##_STATES) + 64 * 4 * OP(integer_add),      \
      "state of the block, 4 adds and compares for each of its 64 pixels")                      \
   V(U, "InputFragments", Queue, 4, 160 * OP(latch_bit), "160 bits through the unit's queues")
#define POWER_MC_EVENTS(V, U)                                                                   \
   V(U, "TotalReadBytes", Read, c->mc.channels * c->mc.burst_bytes * 0.5,                       \
      (READ(TRANSACTIONS) + WRITE(TRANSACTIONS)) / 64 + WIRES(8),                               \
      "a byte through the queues, and wires across the chip")                                   \
   V(U, "TotalWriteBytes", Write, c->mc.channels * c->mc.burst_bytes * 0.5,                     \
      (READ(TRANSACTIONS) + WRITE(TRANSACTIONS)) / 64 + WIRES(8),                               \
      "a byte through the queues, and wires across the chip")
#define POWER_EVENTS(V)                                                                         \
   V(CP, "Commands", Command, 0.25, 4 * OP(decision), "fetch, check and execution")             \
   V(CP, "RegisterWrites", Register, 1, 32 * OP(latch_bit), "32 bits")                          \
   V(STF, "IndexesSent", Index, c->streamer.indices_cycle,                                      \
      READ(INDEX_BUFFER) + WRITE(INDEX_BUFFER), "in and out of the index buffer")               \
   V(STOC, "Indices", Lookup, c->streamer.indices_cycle,                                        \
      READ(VERTEX_TAGS) + 0.25 * c->streamer.output_memory * OP(integer_add),                   \
      "tags, and a comparison with each entry, most of which end after a byte")                 \
   V(SL, "Fetches", TagLookup, c->streamer.attributes_cycle,                                    \
      READ(INPUT_TAGS) + 0.25 * c->streamer.cache_lines * OP(integer_add),                      \
      "tags, and a comparison with each line")                                                  \
   V(SL, "ReadBytes_FC_InC", CacheRead, c->streamer.attributes_cycle * c->streamer.port_width,  \
      READ(INPUT_CACHE) / c->streamer.port_width, "a byte of a cache access")                   \
   V(SL, "WriteBytes_FC_InC", CacheWrite, c->streamer.port_width,                               \
      WRITE(INPUT_CACHE) / c->streamer.port_width, "a byte of a cache access")                  \
   V(SL, "MappedAttributes", Convert, c->streamer.attributes_cycle, 4 * OP(float_multiply),     \
      "four components to floating point")                                                      \
   V(STC, "OutputAttributes", Attribute,                                                        \
      c->streamer.attributes_sent * c->streamer.vertices_cycle,                                 \
      READ(VERTICES) + WRITE(VERTICES), "in and out of the memory of shaded vertices")          \
   V(PA, "Vertices", Vertex, c->streamer.vertices_cycle, 512 * OP(latch_bit), "four attributes") \
   V(PA, "Triangles", Triangle, c->pa.triangles_cycle, 3 * OP(integer_add), "choice of vertices") \
   V(CLP, "InputTriangles", Reject, (double)c->clip.units / c->clip.start_latency,              \
      18 * OP(float_add), "three vertices against six planes")                                  \
   V(CLP, "ClipCycles", Clip, 1, 8 * POWER_FMA, "attributes of a new vertex")       \
   V(TS, "RequestedTriangles", Setup, (double)c->rast.setup_units / c->rast.setup_start,        \
      54 * POWER_FMA + OP(special), "edges, depth and the adjoint matrix")                      \
   V(TT, "TestedBlocks", Test, c->rast.tile_testers, 16 * OP(integer_add),                      \
      "three edges and depth at four corners")                                                  \
   V(TT, "GeneratedTiles", Tile, c->rast.tiles_cycle, 64 * 4 * OP(integer_add),                 \
      "three edges and depth of 64 fragments")                                                  \
   V(HZ, "InputTiles", Test, c->rast.tiles_cycle, READ(HZ_BUFFER) + 4 * OP(integer_add),        \
      "a bound and comparisons")                                                                \
   V(HZ, "WritesHZBuffer", Update, c->gpu.num_rops, WRITE(HZ_BUFFER), "a bound")                \
   V(HZ, "OutputQuads", Quad, 16, 200 * OP(latch_bit), "a quad's place, depths and coverage")   \
   POWER_ROP_EVENTS(V, ZST, Z, c->zst)                                                          \
   V(ZST, "TestedSamples", Test, 4.0 / c->zst.alu_rate, 2 * OP(integer_add),                    \
      "depth and stencil comparison")                                                           \
   V(INTERP, "InterpolatedInputs", Input, c->rast.interpolators * c->rast.tiles_cycle,          \
      4 * (2 * POWER_FMA + 3 * OP(float_add)),                                                  \
      "for each of four components a plane's value and three steps to the quad's fragments")    \
   V(INTERP, "InterpolatedQuads", Quad, c->rast.tiles_cycle, 4 * OP(special) + 8 * POWER_FMA,   \
      "1/w and barycentric coordinates of four fragments")                                      \
   V(FFU, "InterpolatedFragments", Fragment, 4.0 * c->rast.tiles_cycle,                         \
      2 * (READ(FRAGMENTS) + WRITE(FRAGMENTS)), "two attributes in and out of the queue")       \
   V(FFU, "OutputFragments", Output, 4.0 * c->gpu.num_rops, READ(FRAGMENTS) + WRITE(FRAGMENTS), \
      "a colour in and out of the queue")                                                       \
   V(FFU, "ShadedVertices", Vertex, 1, 8 * (READ(FRAGMENTS) + WRITE(FRAGMENTS)),                \
      "four attributes in and four out")                                                        \
   V(SHF, "FetchedInstr", Fetch, s.width * s.ways,                                              \
      (READ(INSTRUCTIONS) + OP(decision)) / s.lanes, "an instruction of a group, for each lane") \
   V(SHF, "InputActiveInputAttributes", Input, s.width, WRITE(REGISTERS), "an attribute")       \
   V(SHF, "Outputs", Output, s.width, READ(REGISTERS), "an attribute")                          \
   V(SHDX, "SIMDInstructions", Vector, s.width,                                                 \
      4 * (SHADER(float_multiply) + SHADER(float_add)) + 2 * READ(REGISTERS) + WRITE(REGISTERS), \
      "four multiply-adds, two operands, a result")                                             \
   V(SHDX, "ScalarInstructions", Scalar, s.width * s.scalars,                                   \
      SHADER(special) + READ(REGISTERS) + WRITE(REGISTERS), "a special function")               \
   V(SHDX, "FlowInstructions", Flow, 0, SHADER(integer_add) + READ(REGISTERS), "a condition")   \
   V(TU, "TextureRequests", Address, 1, 20 * POWER_FMA + OP(special) + 512 * OP(latch_bit),     \
      "coordinates, level of detail and addresses of a quad")                                   \
   V(TU, "BilinearSamples", Bilinear, 1, 4 * 4 * 3 * 2 * POWER_BYTE_MADD,                       \
      "three interpolations of 16 bits for 16 components")                                      \
   V(TU, "FetchesOK", TagLookup, 16, READ(TEXTURE_TAGS) + c->shader.tex_ways * OP(integer_add), \
      "tags of a set and a comparison for each way")                                            \
   V(TU, "ReadBytes_FC64", CacheRead, 16 * c->shader.tex_port_width,                            \
      READ(TEXTURE_CACHE) / c->shader.tex_port_width, "a byte of a cache access")               \
   V(TU, "WriteBytes_FC64", CacheWrite, 16 * c->shader.tex_port_width / 4,                      \
      WRITE(TEXTURE_CACHE) / c->shader.tex_port_width, "a byte of a cache access")              \
   V(TU, "HitsFetch_FC", L1Lookup, c->shader.tex_two_levels, READ(TEXTURE_L1_TAGS) +            \
      c->shader.tex_ways_l1 * OP(integer_add), "tags of a set and a comparison for each way")   \
   V(TU, "ReadBytes_FC", L1Read, 16 * c->shader.tex_two_levels, READ(TEXTURE_L1) / 16,          \
      "a byte of an access to the second level")                                                \
   V(TU, "WriteBytes_FC", L1Write, 16 * c->shader.tex_two_levels, WRITE(TEXTURE_L1) / 16,       \
      "a byte of an access to the second level")                                                \
   POWER_ROP_EVENTS(V, CW, COLOR, c->cw)                                                        \
   V(CW, "BlendedFragments", Blend, 4.0 / c->cw.alu_rate, 4 * 2 * OP(half_multiply_add),        \
      "two multiply-adds for each component")                                                   \
   V(CW, "LogicOpFragments", Logic, 0, 4 * OP(byte_add), "four bytes")                          \
   V(BLITTER, "ReadBytes", Read, 16, 16 * OP(latch_bit), "a byte in and out of a buffer")       \
   V(BLITTER, "WriteBytes", Write, 16, 16 * OP(latch_bit), "a byte in and out of a buffer")     \
   V(BLITTER, "SamplesAveraged", Average, 4, 4 * OP(byte_add), "four components")               \
   V(DAC, "ReadBytes", Pixel, 4, 16 * OP(latch_bit), "a byte in and out of a buffer")     \
   POWER_MC_EVENTS(V, MCV2)                                                                     \
   POWER_MC_EVENTS(V, MC)                                                                       \
   V(GDDR, "DDRReadCommands", Schedule, 0.25, 4 * OP(decision), "choice of a command")          \
   V(GDDR, "DDRWriteCommands", ScheduleWrite, 0, 4 * OP(decision), "choice of a command")       \
   V(SCHED, "DDRReadCommands", Schedule, 0.25, 4 * OP(decision), "choice of a request")         \
   V(SCHED, "DDRWriteCommands", ScheduleWrite, 0, 4 * OP(decision), "choice of a request")
/* clang-format on */

/* D(unit, "Statistic", Key, energy, "what it is"): of memory chips and pins, whose voltage is not
 * that of the chip. d: what commands cost (power_model.c). */
/* clang-format off */
#define POWER_OFFCHIP_EVENTS(D)                                                                 \
   D(CP, "BytesWritten", BusWrite, d.bus_byte, "a byte crosses the system bus")              \
   D(CP, "BytesRead", BusRead, d.bus_byte, "a byte crosses the system bus")                  \
   D(DAC, "ReadBytes", Display, d.bus_byte, "a byte goes to the display")                    \
   D(GDDR, "DDRActiveCommands", Activate, d.activate, "a row is opened")                     \
   D(GDDR, "DDRPrechargeCommands", Precharge, d.precharge, "a row is closed")                \
   D(GDDR, "DDRReadCommands", Read, d.read_byte * d.burst, "a burst is read")                \
   D(GDDR, "DDRWriteCommands", Write, d.write_byte * d.burst, "a burst is written")          \
   D(GDDR, "DDRRefreshCommands", Refresh, d.refresh, "all banks are refreshed")              \
   D(GDDR, "DataBytes", Pins, d.pin_byte, "a byte crosses the data pins")                    \
   D(GDDR, "CyclesBusy", RowOpen, d.row_open, "a cycle with rows open, beside standby")      \
   D(GDDR, "CyclesBlocked", RowOpenBlocked, d.row_open, "the same")                          \
   D(GDDR, "CyclesStarved", RowOpenStarved, d.row_open, "the same")                          \
   D(GDDR, "CyclesIdle", RowOpenIdle, d.row_open, "the same")                                \
   D(GDDR, "AllBanksPrechargedCycles", RowsClosed, -d.row_open, "but in this one none was")  \
   D(SCHED, "DDRActiveCommands", Activate, d.activate, "a page is opened")                   \
   D(SCHED, "DDRPrechargeCommands", Precharge, d.precharge, "a page is closed")              \
   D(SCHED, "ReadDataBytes", Read, d.read_byte, "a byte is read")                            \
   D(SCHED, "WriteDataBytes", Write, d.write_byte, "a byte is written")                      \
   D(SCHED, "DataBytes", Pins, d.pin_byte, "a byte crosses the data pins")                   \
   D(SCHED, "CyclesBusy", RowOpen, d.row_open, "a cycle; pages stay open here")              \
   D(SCHED, "CyclesBlocked", RowOpenBlocked, d.row_open, "the same")                         \
   D(SCHED, "CyclesStarved", RowOpenStarved, d.row_open, "the same")                         \
   D(SCHED, "CyclesIdle", RowOpenIdle, d.row_open, "the same")
/* clang-format on */

#endif
