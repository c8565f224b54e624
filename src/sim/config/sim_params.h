/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Every parameter of the machine, one line each: section and key are ATTILA's (reference
 * attila-bGPU.ini), the default is the baseline machine of ISPASS 2006 Tables 1 and 2 where the
 * paper gives it. From these lines come the configuration struct, the .ini reader with its range
 * checks, `attila-sim --describe` and docs/reference/parameters.md.
 *
 * P(section, Key, struct member, default, minimum, maximum, "unit", "meaning")   integers
 * B(section, Key, struct member, default, "meaning")                             TRUE or FALSE
 * T(section, Key, struct member, "default", "meaning")                           text
 * Struct: config->section.member, section in lower case as written here.
 *
 * Which of the keys of [FRAGMENTSHADER] and [VERTEXSHADER] a shader goes by: sim_shader_machine.h.
 */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

#include "hw/isa/attila_isa.h"

/* Ways to build Hierarchical Z (box/raster/hz.h): number in the .ini, name, what it is. */
/* clang-format off */
#define SIM_HZ_VARIANTS(V)                                    \
   V(1, ispass2006, "8-bit bounds, tiles tested as a whole")  \
   V(2, release, "24-bit bounds behind a cache, quads tested")
/* clang-format on */

/* Ways to find the tiles of a primitive (box/raster/tt.h): number in the .ini, name, what it is. */
/* clang-format off */
#define SIM_RASTERISERS(V)                                      \
   V(1, recursive, "recursive descent, batches of primitives")  \
   V(2, scan, "tile scan")                                      \
   V(3, levels, "pipeline of seven levels")
/* clang-format on */
#define SIM_RASTERISER_DOC(number, name, doc) " " #number " " #name ": " doc ";"
#define SIM_RASTERISER_COUNT(number, name, doc) +1
#define SIM_NUM_RASTERISERS (0 SIM_RASTERISERS(SIM_RASTERISER_COUNT))
#define SIM_HZ_VARIANT_DOC(number, name, doc) " " #number " " #name ": " doc
#define SIM_HZ_VARIANT_COUNT(number, name, doc) +1
#define SIM_NUM_HZ_VARIANTS (0 SIM_HZ_VARIANTS(SIM_HZ_VARIANT_COUNT))
#define SIM_MAX_HZ_SURFACES 64

/* clang-format off */
#define SIM_PARAMS_GPU(P, B, T)                                                                  \
   P(GPU, NumFragmentShaders,   num_shaders,        2, 1, 16, "shaders",                         \
      "unified shaders (fragment shaders when split)")                                           \
   P(GPU, NumVertexShaders,     num_vertex_shaders, 4, 1, 16, "shaders",                         \
      "vertex shaders, only when Unified is FALSE")                                              \
   B(GPU, Unified,              unified,            1,                                           \
      "one pool of shaders for vertices and fragments")                                          \
   P(GPU, NumStampPipes,        num_rops,           2, 1, 16, "ROPs",                            \
      "Z and stencil test and colour write units")                                               \
   P(GPU, GPUClock,             gpu_clock,          600, 1, 10000, "MHz", "GPU clock domain")    \
   P(GPU, ShaderClock,          shader_clock,       600, 1, 10000, "MHz", "shader clock domain") \
   P(GPU, MemoryClock,          memory_clock,       600, 1, 10000, "MHz", "memory clock domain") \
   P(GPU, SynchronizerCycles,   sync_cycles,        0, 0, 16, "receiver cycles",                 \
      "more for a signal between domains of different clocks")

#define SIM_PARAMS_COMMANDPROCESSOR(P, B, T)                        \
   B(COMMANDPROCESSOR, PipelinedBatchRendering, pipelined, 1,    \
      "geometry of a draw overlaps fragments of the one before") \
   B(COMMANDPROCESSOR, FreeOverlap, free_overlap, 0,             \
      "TRUE: any draws overlap; FALSE: one in the geometry, one in the fragment phase") \
   P(COMMANDPROCESSOR, MaxDraws, max_draws, 4, 1, 15, "draws", "in flight when FreeOverlap") \
   P(COMMANDPROCESSOR, UpdateBufferSize, update_buffer, 512, 1, 65536, "registers", \
      "written for the next draw while a phase is busy, for each phase") \
   P(COMMANDPROCESSOR, HardwareContexts, contexts, 8, 1, 64, "contexts",          \
      "whose state is on chip; others come over the system bus")                  \
   P(COMMANDPROCESSOR, InstructionMemory, instruction_memory, 4096, 0, 65536,     \
      "instructions", "of programs that need not be loaded again")

#define SIM_PARAMS_MEMORYCONTROLLER(P, B, T)                                                    \
   P(MEMORYCONTROLLER, MemorySize,       memory_size, 1024, 16, 2048, "MiB", "GPU memory")      \
   B(MEMORYCONTROLLER, MemoryControllerV2, v2, 0,                                               \
      "GDDR with banks and commands (keys V2...); FALSE: pages only (keys marked \"simple\")")  \
   P(MEMORYCONTROLLER, V2MemoryChannels, channels, 4, 1, 16, "channels", "GDDR channels")       \
   P(MEMORYCONTROLLER, V2BurstBytesPerCycle, burst_bytes, 16, 4, 64, "bytes/cycle",             \
      "data pins of a channel")                                                                 \
   P(MEMORYCONTROLLER, ChannelInterleave, interleave, 256, 64, 4096, "bytes",                   \
      "simple: consecutive bytes on one channel (power of 2)")                                  \
   P(MEMORYCONTROLLER, MemoryPageSize,   page_size, 4096, 256, 65536, "bytes",                  \
      "simple: DRAM page")                                                                      \
   P(MEMORYCONTROLLER, OpenPages,        open_pages, 8, 1, 64, "pages",                         \
      "simple: open pages per channel")                                                         \
   P(MEMORYCONTROLLER, PageOpenLatency,  page_open_latency, 13, 0, 1000, "cycles",              \
      "simple: opening a page")                                                                 \
   P(MEMORYCONTROLLER, ReadLatency,      read_latency, 10, 1, 1000, "cycles",                   \
      "simple: from read command to data")                                                      \
   P(MEMORYCONTROLLER, WriteLatency,     write_latency, 5, 1, 1000, "cycles",                   \
      "simple: from write command to data")                                                     \
   P(MEMORYCONTROLLER, WriteToReadLatency, write_to_read, 5, 0, 1000, "cycles",                 \
      "simple: turnaround from write to read")                                                  \
   P(MEMORYCONTROLLER, ReadToWriteLatency, read_to_write, 2, 0, 1000, "cycles",                 \
      "simple: turnaround from read to write")                                                  \
   P(MEMORYCONTROLLER, ClientQueueSize,  client_queue, 64, 1, 4096, "requests",                 \
      "simple: per client, waiting for a channel")                                              \
   P(MEMORYCONTROLLER, RequestQueueSize, request_queue, 512, 1, 4096, "transactions",           \
      "V2: of all clients, accepted and not complete")                                          \
   P(MEMORYCONTROLLER, ServiceQueueSize, service_queue, 64, 1, 4096, "transactions",            \
      "V2: read and waiting for the client's bus; simple: requests per channel")                \
   P(MEMORYCONTROLLER, WriteBufferLines, write_buffers, 256, 1, 4096, "transactions",           \
      "V2: writes accepted and not complete")                                                   \
   P(MEMORYCONTROLLER, CommandProcessorBusWidth, cp_bus, 8, 1, 64, "bytes/cycle",               \
      "V2: bus of the command processor")                                                       \
   P(MEMORYCONTROLLER, StreamerFetchBusWidth, stf_bus, 64, 1, 64, "bytes/cycle",                \
      "V2: bus of the streamer fetch")                                                          \
   P(MEMORYCONTROLLER, StreamerLoaderBusWidth, sl_bus, 64, 1, 64, "bytes/cycle",                \
      "V2: bus of a streamer loader")                                                           \
   P(MEMORYCONTROLLER, ZStencilBusWidth, zst_bus, 64, 1, 64, "bytes/cycle",                     \
      "V2: bus of a Z and stencil test unit")                                                   \
   P(MEMORYCONTROLLER, ColorWriteBusWidth, cw_bus, 64, 1, 64, "bytes/cycle",                    \
      "V2: bus of a colour write unit")                                                         \
   P(MEMORYCONTROLLER, DACBusWidth,      dac_bus, 64, 1, 64, "bytes/cycle",                     \
      "V2: bus of the DAC")                                                                     \
   P(MEMORYCONTROLLER, TextureUnitBusWidth, tu_bus, 64, 1, 64, "bytes/cycle",                   \
      "V2: bus of a texture unit")                                                              \
   P(MEMORYCONTROLLER, BlitterBusWidth,  blit_bus, 64, 1, 64, "bytes/cycle",                    \
      "V2: bus of the blitter")                                                                 \
   P(MEMORYCONTROLLER, V2BanksPerMemoryChannel, banks, 8, 1, 16, "banks",                       \
      "V2: per channel (power of 2)")                                                           \
   P(MEMORYCONTROLLER, V2MemoryRowSize,  row_size, 2048, 256, 65536, "bytes",                   \
      "V2: row of a bank, its page (power of 2)")                                               \
   P(MEMORYCONTROLLER, BurstLength,      burst_length, 8, 1, 16, "words",                       \
      "V2: of 4 bytes that a read or write command moves (power of 2)")                         \
   P(MEMORYCONTROLLER, V2SplitterType,   splitter, 1, 0, 1, "splitter",                         \
      "V2: channel and bank by 0 interleaving in bytes, 1 masks")                               \
   P(MEMORYCONTROLLER, V2ChannelInterleaving, channel_interleave, 0, 0, 1048576, "bytes",       \
      "V2, splitter 0: consecutive bytes on one channel (power of 2)")                          \
   P(MEMORYCONTROLLER, V2BankInterleaving, bank_interleave, 0, 0, 1048576, "bytes",             \
      "V2, splitter 0: consecutive bytes of a channel in one bank (power of 2)")                \
   T(MEMORYCONTROLLER, V2ChannelInterleavingMask, channel_mask, "9 8",                          \
      "V2, splitter 1: bits of an address that select the channel, highest first")              \
   T(MEMORYCONTROLLER, V2BankInterleavingMask, bank_mask, "13 12 11",                           \
      "V2, splitter 1: bits of an address that select the bank, highest first")                 \
   B(MEMORYCONTROLLER, V2SecondInterleaving, second, 0,                                         \
      "V2: another interleaving from V2SecondInterleavingStart on")                             \
   P(MEMORYCONTROLLER, V2SecondInterleavingStart, second_start, 0, 0, 2047, "MiB",              \
      "V2: first address with the second interleaving (0: none)")                               \
   P(MEMORYCONTROLLER, V2SecondChannelInterleaving, second_channel_interleave, 0, 0, 1048576,   \
      "bytes", "V2: as V2ChannelInterleaving")                                                  \
   P(MEMORYCONTROLLER, V2SecondBankInterleaving, second_bank_interleave, 0, 0, 1048576,         \
      "bytes", "V2: as V2BankInterleaving")                                                     \
   T(MEMORYCONTROLLER, V2SecondChannelInterleavingMask, second_channel_mask, "",                \
      "V2: as V2ChannelInterleavingMask")                                                       \
   T(MEMORYCONTROLLER, V2SecondBankInterleavingMask, second_bank_mask, "",                      \
      "V2: as V2BankInterleavingMask")                                                          \
   P(MEMORYCONTROLLER, V2ChannelScheduler, scheduler, 2, 0, 5, "scheduler",                     \
      "V2: 0 fifo, 1 r/w fifos, 2 fifo per bank, 3 r/w fifos per bank, 5 FR-FCFS")              \
   P(MEMORYCONTROLLER, V2PagePolicy,     page_policy, 0, 0, 1, "policy",                        \
      "V2: rows nobody waits for are 0 closed, 1 left open")                                    \
   T(MEMORYCONTROLLER, V2BankSelectionPolicy, bank_policy, "OLDEST_FIRST",                      \
      "V2, schedulers per bank: order of the banks; further names decide ties")                 \
   P(MEMORYCONTROLLER, V2MaxChannelTransactions, channel_transactions, 64, 1, 1024,             \
      "transactions", "V2: waiting in a channel")                                               \
   P(MEMORYCONTROLLER, V2DedicatedChannelReadTransactions, channel_reads, 0, 0, 1024,           \
      "transactions", "V2, schedulers 1 and 3: of these for reads (0: half)")                   \
   B(MEMORYCONTROLLER, V2UseChannelRequestFIFOPerBank, fifo_per_bank, 1,                        \
      "V2: transactions that wait for a channel pass those for other banks")                    \
   P(MEMORYCONTROLLER, V2ChannelRequestFIFOPerBankSelection, fifo_select, 1, 0, 1, "policy",    \
      "V2: bank whose transaction goes next, 0 in turn, 1 the oldest")                          \
   B(MEMORYCONTROLLER, V2UseClassicSchedulerStates, classic_states, 0,                          \
      "V2: a channel takes nothing while any of its banks is full")                             \
   B(MEMORYCONTROLLER, V2UseSplitRequestBufferPerROP, split_rop, 0,                             \
      "V2: no ROP has more than its share of RequestQueueSize")                                 \
   P(MEMORYCONTROLLER, V2SwitchModePolicy, switch_mode, 1, 0, 1, "policy",                      \
      "V2: between reads and writes by 0 counters, 1 reads first unless writes hit")            \
   P(MEMORYCONTROLLER, MaxConsecutiveReads, max_reads, 16, 1, 1024, "transactions",             \
      "V2, switch mode 0: before a write that waits")                                           \
   P(MEMORYCONTROLLER, MaxConsecutiveWrites, max_writes, 16, 1, 1024, "transactions",           \
      "V2, switch mode 0: before a read that waits")                                            \
   P(MEMORYCONTROLLER, V2ActiveManagerMode, active_mode, 1, 0, 1, "mode",                       \
      "V2, switch mode 0: rows are opened early for 0 the present mode, 1 also the next")       \
   P(MEMORYCONTROLLER, V2ManagerSelectionAlgorithm, manager_order, 0, 0, 1, "order",            \
      "V2: early commands, 0 open rows before closing, 1 close before opening")                 \
   B(MEMORYCONTROLLER, V2DisableActiveManager, no_active_manager, 0,                            \
      "V2: do not open rows early")                                                             \
   B(MEMORYCONTROLLER, V2DisablePrechargeManager, no_precharge_manager, 0,                      \
      "V2: do not close rows early for others")                                                 \
   T(MEMORYCONTROLLER, V2MemoryType,     memory_type, "gddr3", "V2: only gddr3")                \
   T(MEMORYCONTROLLER, V2GDDR_Profile,   profile, "600",                                        \
      "V2: 600 (Hynix GDDR3 at 600 MHz), custom (the keys V2GDDR_t...) or perfect (all 0)")     \
   P(MEMORYCONTROLLER, V2GDDR_tRRD,      t_rrd, 9, 0, 1000, "cycles",                           \
      "custom: between activates of two banks")                                                 \
   P(MEMORYCONTROLLER, V2GDDR_tRCD,      t_rcd, 13, 0, 1000, "cycles",                          \
      "custom: from activate to read or write")                                                 \
   P(MEMORYCONTROLLER, V2GDDR_tWTR,      t_wtr, 5, 0, 1000, "cycles",                           \
      "custom: from the end of written data to a read")                                         \
   P(MEMORYCONTROLLER, V2GDDR_tRTW,      t_rtw, 2, 0, 1000, "cycles",                           \
      "custom: gap on the pins between read and written data")                                  \
   P(MEMORYCONTROLLER, V2GDDR_tWR,       t_wr, 10, 0, 1000, "cycles",                           \
      "custom: from the end of written data to precharge")                                      \
   P(MEMORYCONTROLLER, V2GDDR_tRP,       t_rp, 14, 0, 1000, "cycles",                           \
      "custom: from precharge to activate")                                                     \
   P(MEMORYCONTROLLER, V2GDDR_CAS,       t_cas, 10, 0, 100, "cycles",                           \
      "custom: from read to data")                                                              \
   P(MEMORYCONTROLLER, V2GDDR_WL,        t_wl, 5, 0, 100, "cycles",                             \
      "custom: from write to data")                                                             \
   P(MEMORYCONTROLLER, V2GDDR_tRAS,      t_ras, 0, 0, 1000, "cycles",                           \
      "any profile: from activate to precharge (0: no rule)")                                   \
   P(MEMORYCONTROLLER, V2GDDR_tFAW,      t_faw, 0, 0, 1000, "cycles",                           \
      "any profile: no more than four activates in this time (0: no rule)")                     \
   P(MEMORYCONTROLLER, V2GDDR_tREFI,     t_refi, 0, 0, 1000000, "cycles",                       \
      "any profile: between refreshes (0: none)")                                               \
   P(MEMORYCONTROLLER, V2GDDR_tRFC,      t_rfc, 0, 0, 1000, "cycles",                           \
      "any profile: of a refresh, all banks closed")                                            \
   P(MEMORYCONTROLLER, SystemBusBytes,   system_bus, 8, 1, 64, "bytes/cycle",                   \
      "each direction of the bus to system memory")

#define SIM_PARAMS_STREAMER(P, B, T)                                                  \
   P(STREAMER, IndicesCycle,     indices_cycle, 1, 1, 16, "indices/cycle",         \
      "fetched and looked up")                                                     \
   P(STREAMER, IndexBufferSize,  index_buffer, 2048, 64, 65536, "bytes",           \
      "index data on the way or waiting")                                          \
   P(STREAMER, OutputFIFOSize,   output_fifo, 48, 4, 4096, "vertices",             \
      "indices between output cache and commit")                                   \
   P(STREAMER, OutputMemorySize, output_memory, 48, 4, 4096, "vertices",           \
      "shaded vertices kept (post shading cache)")                                 \
   P(STREAMER, VerticesCycle,    vertices_cycle, 1, 1, 16, "vertices/cycle",       \
      "committed to primitive assembly")                                           \
   P(STREAMER, AttributesSentCycle, attributes_sent, 16, 1, 16, "attributes/cycle",   \
      "of a vertex to primitive assembly, on each of VerticesCycle buses")            \
   B(STREAMER, OutputCacheKeeps, cache_keeps, 1,                                      \
      "shaded vertices stay until their place is needed; FALSE: until committed")     \
   P(STREAMER, StreamerLoaderUnits, loaders, 1, 1, 16, "loaders",                  \
      "each with a queue and an input cache of its own")                           \
   P(STREAMER, SLIndicesCycle, loader_indices, 1, 1, 16, "vertices/cycle",         \
      "that go into a loader, and out of it")                                      \
   P(STREAMER, SLAttributesCycle, attributes_cycle, 8, 1, 64, "attributes/cycle",  \
      "converted by a loader")                                                     \
   P(STREAMER, SLInputRequestQueueSize, loader_queue, 48, 1, 4096, "vertices",     \
      "in or waiting for a loader")                                                \
   P(STREAMER, SLInputCacheLines, cache_lines, 32, 1, 1024, "lines",               \
      "vertex input cache (fully associative)")                                    \
   P(STREAMER, SLInputCacheLineSize, cache_line_size, 256, 64, 256, "bytes",       \
      "vertex input cache line")                                                   \
   P(STREAMER, SLInputCachePortWidth, port_width, 16, 1, 256, "bytes/cycle",       \
      "of each of SLAttributesCycle ports; lines are written through all")         \
   P(STREAMER, SLInputCacheRequestQueueSize, cache_requests, 8, 1, 64, "requests", \
      "misses whose line is not written yet")                                      \
   P(STREAMER, SLInputCacheInputQueueSize, cache_input, 8, 1, 64, "requests",      \
      "of these, those with memory or being written")

#define SIM_PARAMS_PRIMITIVEASSEMBLY(P, B, T)                                            \
   P(PRIMITIVEASSEMBLY, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle", \
      "assembled")                                                                    \
   P(PRIMITIVEASSEMBLY, InputBusLatency, input_latency, 1, 1, 100, "cycles",          \
      "from streamer commit")                                                         \
   P(PRIMITIVEASSEMBLY, AssemblyQueueSize, queue, 8, 1, 1024, "vertices",             \
      "waiting to be assembled")

#define SIM_PARAMS_CLIPPER(P, B, T)                                            \
   P(CLIPPER, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle", "sent to setup") \
   P(CLIPPER, ClipperUnits,   units, 1, 1, 16, "units", "that test for trivial rejection")    \
   P(CLIPPER, StartLatency,   start_latency, 1, 1, 100, "cycles",           \
      "until a clipper unit takes the next triangle")                       \
   P(CLIPPER, ExecLatency,    exec_latency, 6, 1, 100, "cycles",            \
      "of the test; also per plane that really clips")                      \
   P(CLIPPER, ClipBufferSize, queue, 4, 1, 1024, "triangles", "waiting to be tested")

#define SIM_PARAMS_RASTERIZER(P, B, T)                                                         \
   P(RASTERIZER, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle",              \
      "from setup to traversal")                                                            \
   P(RASTERIZER, SetupFIFOSize,  setup_fifo, 12, 1, 1024, "triangles",                      \
      "set up, waiting for room in traversal")                                              \
   P(RASTERIZER, SetupUnits,     setup_units, 1, 1, 16, "units",                            \
      "of setup, which begin together when there is a triangle for each or a draw ends")    \
   P(RASTERIZER, SetupLatency,   setup_latency, 10, 1, 100, "cycles", "of setup")           \
   P(RASTERIZER, SetupStartLatency, setup_start, 1, 1, 100, "cycles",                       \
      "until a setup unit takes the next triangle")                                         \
   B(RASTERIZER, TriangleSetupOnShader, setup_on_shader, 0,                                 \
      "a program on the unified shaders sets up triangles; SetupLatency is that of the way")   \
   P(RASTERIZER, TriangleShaderQueueSize, triangle_shader_queue, 32, 1, 1024, "triangles",  \
      "in setup on the shaders, leaving in order")                                          \
   P(RASTERIZER, TriangleInputQueueSize, triangle_input_queue, 32, 1, 1024, "triangles",    \
      "before the shaders, with setup on them, and on the way there")                       \
   P(RASTERIZER, TriangleOutputQueueSize, triangle_output_queue, 32, 1, 1024, "triangles",  \
      "in groups, with the shaders, and behind them, with setup on them")                   \
   P(RASTERIZER, TriangleInputLatency, triangle_input_latency, 1, 1, 100, "cycles",         \
      "from the clipper to setup")                                                          \
   P(RASTERIZER, TriangleOutputLatency, triangle_output_latency, 1, 1, 100, "cycles",       \
      "from setup to traversal")                                                            \
   P(RASTERIZER, RasteriserVariant, rasteriser, 0, 0, SIM_NUM_RASTERISERS, "variant",       \
      "0: 1 if RecursiveMode, else 2;" SIM_RASTERISERS(SIM_RASTERISER_DOC))                 \
   B(RASTERIZER, RecursiveMode,  recursive, 1, "recursive descent; FALSE: tile scan")       \
   P(RASTERIZER, RasterizationBatchSize, batch_size, 4, 1, 32, "triangles",                 \
      "traversed together by the recursive descent")                                        \
   P(RASTERIZER, BatchQueueSize, batch_queue, 16, 1, 1024, "triangles",                     \
      "in or waiting for traversal")                                                        \
   P(RASTERIZER, TileTesters,    tile_testers, 4, 1, 16, "tiles/cycle",                     \
      "divided in four by the recursive descent")                                           \
   B(RASTERIZER, TileBoundingBoxTest, tile_box_test, 0,                                     \
      "tiles outside a primitive's bounding box are dropped on the way down")               \
   P(RASTERIZER, RasterLevelQueueSize, level_queue, 16, 4, 1024, "tiles",                   \
      "before each of the seven levels")                                                    \
   P(RASTERIZER, OverScanWidth,  over_width, 4, 1, 64, "scan tiles",                        \
      "of a chunk that the tile scan finishes first (power of 2)")                          \
   P(RASTERIZER, OverScanHeight, over_height, 4, 1, 64, "scan tiles", "the same, lines")    \
   P(RASTERIZER, ScanWidth,      scan_width, 8, 8, 64, "pixels",                            \
      "of a scan tile, at which recursion ends, or a step of the scan (power of 2)")        \
   P(RASTERIZER, ScanHeight,     scan_height, 8, 8, 64, "pixels", "the same, lines")        \
   P(RASTERIZER, GenWidth,       gen_width, 8, 8, 8, "pixels",                              \
      "of a generation tile: a line of the ROP caches, always")                             \
   P(RASTERIZER, GenHeight,      gen_height, 8, 8, 8, "pixels", "the same, lines")          \
   P(RASTERIZER, StampsPerCycle, tiles_cycle, 2, 1, 16, "tiles/cycle",                      \
      "8x8 tiles (of 16 quads) generated and HZ tested")                                    \
   P(RASTERIZER, MSAASamplesCycle, msaa_samples, 2, 1, 16, "samples/cycle",                 \
      "of each pixel, made when a draw is multisampled")                                    \
   B(RASTERIZER, DisableHZ,      disable_hz, 0, "no hierarchical Z test")                   \
   P(RASTERIZER, HZVariant,      hz_variant, 0, 0, SIM_NUM_HZ_VARIANTS, "variant",          \
      "0: 2 if HZCacheLines is not 0, else 1;" SIM_HZ_VARIANTS(SIM_HZ_VARIANT_DOC))         \
   B(RASTERIZER, HZNearest,      hz_nearest, 0,                                             \
      "keeps the nearest depth of blocks, too, for GREATER and GEQUAL. Without, a draw that" \
      " leaves farther depths behind makes the bounds useless until the next clear")        \
   P(RASTERIZER, StampsPerHZBlock, hz_block, 16, 16, 16, "quads",                           \
      "of an HZ block: a line of the Z cache, always")                                      \
   P(RASTERIZER, HierarchicalZBufferSize, hz_size, 262144, 1024, 4194304, "blocks",         \
      "the HZ buffer holds")                                                                \
   P(RASTERIZER, HZSurfaces,     hz_surfaces, 8, 1, SIM_MAX_HZ_SURFACES, "surfaces",        \
      "that share the HZ buffer")                                                           \
   P(RASTERIZER, HZCacheLines,   hz_cache_lines, 0, 0, 1024, "lines",                       \
      "HZ cache (release); 0: none (ISPASS 2006)")                                          \
   P(RASTERIZER, HZCacheLineSize, hz_cache_line_size, 16, 16, 256, "blocks",                \
      "HZ cache line (power of 2)")                                                         \
   P(RASTERIZER, EarlyZQueueSize, early_z_queue, 64, 16, 65536, "quads",                    \
      "in or waiting for the HZ test")                                                      \
   P(RASTERIZER, HZAccessLatency, hz_latency, 1, 1, 100, "cycles",                          \
      "to read the HZ buffer")                                                              \
   P(RASTERIZER, HZUpdateLatency, hz_update_latency, 4, 1, 100, "cycles",                   \
      "from Z cache to HZ buffer")                                                          \
   P(RASTERIZER, HZBlocksClearedPerCycle, hz_blocks_cleared, 256, 1, 65536, "blocks/cycle", \
      "of the HZ buffer, by a clear or for a new surface")                                  \
   P(RASTERIZER, GeneratedStampQueueSize, generated_queue, 16, 16, 4096, "quads",           \
      "per ROP, from HZ, waiting for the Z test or the interpolator")                       \
   P(RASTERIZER, NumInterpolators, interpolators, 10, 1, 32, "inputs/cycle",                \
      "of each of StampsPerCycle quads that begin together")                                \
   P(RASTERIZER, InterpolatorLatency, interp_latency, 2, 1, 100, "cycles",                  \
      "of the first attribute; then one more per further attribute, up to 8")               \
   P(RASTERIZER, EarlyZTestedStampQueueSize, tested_queue, 16, 1, 4096, "quads",            \
      "per ROP, that passed the early Z test, waiting for interpolation")                   \
   P(RASTERIZER, InterpolatedStampQueueSize, interpolated_queue, 16, 4, 4096, "quads",      \
      "per ROP, interpolated, waiting to be grouped")                                       \
   P(RASTERIZER, ShaderInputQueueSize, shader_input_queue, 64, 4, 4096, "inputs",           \
      "per shader, in groups that wait for it")                                             \
   P(RASTERIZER, ShaderDistribution, distribution, 0, 0, 3, "rule",                         \
      "which shader fragments go to, 0: as TiledShaderDistribution; 1 with the fewest groups;"  \
      " 2 of the scan tile, in Morton order; 3 one after the other, by batches")            \
   B(RASTERIZER, TiledShaderDistribution, tiled_shaders, 1,                                 \
      "by the scan tile; FALSE: by batches")                                                \
   P(RASTERIZER, ShaderInputBatchSize, shader_batch, 64, 4, 65536, "inputs",                \
      "for a shader before the next one gets some")                                         \
   P(RASTERIZER, VertexGroupTimeout, vertex_timeout, 1000, 1, 100000, "cycles",               \
      "a group of vertices that is not full waits for more")                                \
   P(RASTERIZER, FragmentGroupTimeout, fragment_timeout, 0, 0, 100000, "cycles",           \
      "a group of fragments waits; 0: until the draw ends")                                 \
   P(RASTERIZER, VertexInputQueueSize, vertex_input_queue, 32, 4, 4096, "vertices",         \
      "waiting for a shader")                                                               \
   P(RASTERIZER, ShadedStampQueueSize, shaded_queue, 160, 16, 65536, "quads",               \
      "per ROP, in or after shading, leaving in order")                                     \
   P(RASTERIZER, ShadedVertexQueueSize, shaded_vertex_queue, 64, 16, 65536, "vertices",     \
      "in or after shading")

/* Fragment shaders with VectorShader = FALSE, and vertex shaders of a split machine. */
#define SIM_PARAMS_THREADS(P, B, SECTION, THREADS, BUFFERS, RESOURCES, GROUP, RATE, LOCKED)       \
   P(SECTION, ExecutableThreads, threads, THREADS, 1, 16384, "inputs", "that may execute")        \
   P(SECTION, InputBuffers,      buffers, BUFFERS, 0, 16384, "inputs", "loaded beyond them")      \
   P(SECTION, ThreadResources,   registers, RESOURCES, 16, 65536, "registers",                    \
      "vec4 of a shader, for all its inputs")                                                     \
   P(SECTION, ThreadGroup,       group, GROUP, 1, 16, "inputs",                                   \
      "that execute together; of fragments 4, 8, 12, 16")                                         \
   P(SECTION, ThreadRate,        rate, RATE, 1, 16, "inputs/cycle",                               \
      "an instruction executes on; not locked: groups fetched in a cycle")                        \
   B(SECTION, LockedExecutionMode, locked, LOCKED,                                                \
      "inputs of a group share instructions; FALSE: groups of one, only vertices")                \
   P(SECTION, FetchRate,         fetch_rate, 1, 1, 4, "instructions", "of a group at a time")     \
   B(SECTION, ScalarALU,         scalar_alu, 0,                                                   \
      "of two instructions fetched one is scalar (needs FetchRate 2)")                            \
   B(SECTION, ThreadWindow,      thread_window, 1,                                                \
      "any ready group may issue; FALSE: a queue that stops at a group that waits")               \
   B(SECTION, SwapOnBlock,       swap_on_block, 0, "a group issues until it waits")               \
   P(SECTION, FetchDelay,        fetch_delay, 0, 0, 64, "cycles", "between fetches of a group")   \
   P(SECTION, InputsPerCycle,    inputs_cycle, RATE, 1, 16, "inputs/cycle", "loaded")             \
   P(SECTION, OutputsPerCycle,   outputs_cycle, RATE, 1, 16, "outputs/cycle", "taken")

#define SIM_PARAMS_FRAGMENTSHADER(P, B, T)                                                       \
   B(FRAGMENTSHADER, VectorShader,    vector, 0,                                                 \
      "keys Vector... describe it; FALSE: ExecutableThreads to ScalarALU")                       \
   P(FRAGMENTSHADER, VectorThreads,   vector_threads, 28, 1, 1024, "threads",                    \
      "vector: thread groups of a shader")                                                       \
   P(FRAGMENTSHADER, VectorResources, vector_resources, 112, 4, 65536, "registers",              \
      "vector: of VectorLength vec4 each, in a shader")                                          \
   P(FRAGMENTSHADER, VectorLength,    vector_length, 4, 4, 16, "inputs",                         \
      "vector: fragments or vertices of a thread group: 4, 8, 12, 16")                           \
   P(FRAGMENTSHADER, VectorALUWidth,  vector_width, 4, 1, 16, "inputs/cycle",                    \
      "vector: inputs one instruction executes on per cycle")                                    \
   T(FRAGMENTSHADER, VectorALUConfig, vector_alu, "simd4",                                       \
      "vector: simd4, simd4+scalar (two instructions, one of them SIMD) or scalar")              \
   B(FRAGMENTSHADER, VectorWaitOnStall, wait_on_stall, 0,                                        \
      "vector: decode keeps what cannot issue; FALSE: it is fetched again")                      \
   SIM_PARAMS_THREADS(P, B, FRAGMENTSHADER, 112, 16, 448, 4, 4, 1)                                \
   T(FRAGMENTSHADER, IssuePolicy,     issue_policy, "ROUND_ROBIN",                               \
      "with ThreadWindow, without SwapOnBlock: ROUND_ROBIN or OLDEST_FIRST")                     \
   B(FRAGMENTSHADER, FetchScoreboard, scoreboard, 0,                                             \
      "fetch passes over groups whose operands are not written yet")                             \
   B(FRAGMENTSHADER, FixedLatencyALU, fixed_latency, 0,                                          \
      "all but SIN, COS, DDX and DDY take as long as ADD")                                       \
   P(FRAGMENTSHADER, RegisterGranularity, granularity, 1, 1, 16, "registers",                    \
      "of an input are allocated together")                                                      \
   P(FRAGMENTSHADER, RegisterReadPorts, read_ports, 12, 3, 12, "registers",                      \
      "temporaries that instructions fetched together may read")                                 \
   P(FRAGMENTSHADER, RegisterWritePorts, write_ports, 2, 1, 16, "instructions",                  \
      "per fetched one, that may write in a cycle")                                              \
   P(FRAGMENTSHADER, OutputAttributesCycle, output_attributes, 2, 1, 32, "attributes/cycle",     \
      "of a shaded vertex sent")                                                                 \
   P(FRAGMENTSHADER, OutputDelay,     output_delay, 3, 1, 100, "cycles",                         \
      "on the wire to the fragment FIFO; not more than OutputLatency")                           \
   P(FRAGMENTSHADER, OutputLatency,   output_latency, 1, 1, 100, "cycles",                       \
      "longest way of an output to the fragment FIFO")                                           \
   P(FRAGMENTSHADER, TextureUnits, tex_units, 1, 1, 4, "units", "texture units of a shader")   \
   P(FRAGMENTSHADER, SharedTextureUnits, tex_shared, 0, 0, 16, "units",                       \
      "all shaders share so many texture units instead (0: each has its own)")                \
   P(FRAGMENTSHADER, TextureRequestRate, tex_request_rate, 1, 1, 16, "quads/cycle",           \
      "that leave a shader for its texture units")                                            \
   P(FRAGMENTSHADER, TextureRequestGroup, tex_request_group, 64, 1, 4096, "quads",            \
      "to one texture unit before the next one's turn")                                       \
   P(FRAGMENTSHADER, TextureRequestQueueSize, tex_queue, 64, 1, 4096, "quads",                \
      "of a shader waiting for a texture unit")                                               \
   P(FRAGMENTSHADER, AddressALULatency, address_latency, 6, 1, 100, "cycles",                 \
      "texture address calculation")                                                          \
   P(FRAGMENTSHADER, FilterALULatency, filter_latency, 4, 1, 100, "cycles", "texture filter") \
   P(FRAGMENTSHADER, TextureAccessQueue, tex_access_queue, 64, 1, 4096, "quads",              \
      "in a texture unit; also samples to be read, and in the filter")                        \
   P(FRAGMENTSHADER, TextureWaitReadWindow, tex_window, 32, 1, 4096, "samples",               \
      "looked up and waiting for texels; those that are complete pass others")                \
   P(FRAGMENTSHADER, TextureResultQueue, tex_result_queue, 4, 1, 256, "quads",                \
      "filtered, waiting for the shader")                                                     \
   B(FRAGMENTSHADER, TwoLevelTextureCache, tex_two_levels, 0,                                 \
      "a second cache level (keys ...L1) between texture cache and memory")                   \
   P(FRAGMENTSHADER, TextureCacheLineSize, tex_line_size, 256, 64, 256, "bytes",              \
      "texture cache line, of texels that are not compressed")                                \
   P(FRAGMENTSHADER, TextureCacheWays, tex_ways, 4, 1, 64, "ways", "texture cache")           \
   P(FRAGMENTSHADER, TextureCacheLines, tex_sets, 16, 1, 1024, "sets",                        \
      "texture cache lines per way")                                                          \
   P(FRAGMENTSHADER, TextureCachePortWidth, tex_port_width, 4, 1, 64, "bytes/cycle",          \
      "of each of the 16 ports of the texture cache, 4 for each bank")                        \
   P(FRAGMENTSHADER, TextureCacheRequestQueueSize, tex_requests, 8, 1, 256, "requests",       \
      "misses in flight, of each level")                                                      \
   P(FRAGMENTSHADER, TextureCacheInputQueue, tex_input_queue, 8, 1, 256, "requests",          \
      "of these, those that wait for the next level or are being decompressed")               \
   P(FRAGMENTSHADER, TextureCacheMissesPerCycle, tex_misses_cycle, 8, 1, 16, "misses/cycle",  \
      "of the texture cache")                                                                 \
   P(FRAGMENTSHADER, TextureCacheDecompressLatency, tex_decompress_latency, 1, 1, 100,        \
      "cycles", "for each line, one after the other")                                         \
   P(FRAGMENTSHADER, TextureCacheLineSizeL1, tex_line_size_l1, 256, 64, 256, "bytes",          \
      "line of the second level, as it is in memory")                                         \
   P(FRAGMENTSHADER, TextureCacheWaysL1, tex_ways_l1, 16, 1, 64, "ways", "second level")      \
   P(FRAGMENTSHADER, TextureCacheLinesL1, tex_sets_l1, 16, 1, 1024, "sets",                   \
      "second level lines per way")                                                           \
   P(FRAGMENTSHADER, TextureCacheInputQueueL1, tex_input_queue_l1, 8, 1, 256, "requests",     \
      "misses of the second level that wait for memory")                                      \
   P(FRAGMENTSHADER, AnisotropyAlgorithm, aniso_algorithm, 0, 0, 3, "algorithm",              \
      "axes of a footprint: 0 screen, 1 or diagonals, 2 their rectangle, 3 ellipse")          \
   P(FRAGMENTSHADER, MaxAnisotropy,   max_aniso, 16, 1, 16, "samples",                        \
      "of anisotropic filtering; less than programs may ask for")                             \
   B(FRAGMENTSHADER, ForceMaxAnisotropy, force_max_aniso, 0,                                  \
      "MaxAnisotropy for every texture with a linear minification filter")                    \
   P(FRAGMENTSHADER, AnisoRoundPrecision, aniso_round_bits, 8, 1, 23, "bits",                 \
      "of AnisoRoundThreshold")                                                               \
   P(FRAGMENTSHADER, AnisoRoundThreshold, aniso_round, 0, 0, 8388608, "1/2^bits",             \
      "fraction of the ratio of the axes above which there is one sample more")               \
   B(FRAGMENTSHADER, AnisoRatioMultOfTwo, aniso_even, 0, "even numbers of samples")           \
   P(FRAGMENTSHADER, TrilinearPrecision, trilinear_bits, 8, 1, 23, "bits",                    \
      "of BrilinearThreshold")                                                                \
   P(FRAGMENTSHADER, BrilinearThreshold, brilinear, 0, 0, 4194304, "1/2^bits",                \
      "levels of detail this close to a level read that level alone")

/* Shaders of vertices in a split machine (GPU.Unified = FALSE). */
#define SIM_PARAMS_VERTEXSHADER(P, B, T) SIM_PARAMS_THREADS(P, B, VERTEXSHADER, 12, 4, 96, 1, 1, 0)

/* Of every instruction, from the table of the instruction set. */
#define SIM_PARAM_LATENCY(name, srcs, dst, cls, lat, rep, doc)              \
   P(LATENCY, name, op_##name, lat, 1, 64, "cycles", "in the ALU; then one to write the result")
#define SIM_PARAM_REPEAT(name, srcs, dst, cls, lat, rep, doc)               \
   P(REPEATRATE, name, op_##name, rep, 1, 64, "cycles", "until the ALU takes the next")
#define SIM_PARAMS_LATENCY(P, B, T) ATTILA_ISA_OPCODES(SIM_PARAM_LATENCY)
#define SIM_PARAMS_REPEATRATE(P, B, T) ATTILA_ISA_OPCODES(SIM_PARAM_REPEAT)

#define SIM_PARAMS_ROP(P, B, T, SECTION, CACHE)                                                   \
   P(SECTION, StampsPerCycle, quads_cycle, 1, 1, 4, "quads/cycle",                                \
      "received; every stage behind takes one a cycle")                                           \
   P(SECTION, BytesPerPixel, pixel_bytes, 4, 4, 16, "bytes", "of a pixel, for the line's size")   \
   P(SECTION, InputQueueSize, input_queue, 64, 1, 4096, "quads", "waiting")                       \
   P(SECTION, FetchQueueSize, fetch_queue, 64, 1, 4096, "quads",                                  \
      "whose line has been asked for, waiting to be read")                                        \
   P(SECTION, ReadQueueSize, read_queue, 16, 1, 4096, "quads", "read, or only to be written")     \
   P(SECTION, OpQueueSize, op_queue, 4, 1, 4096, "quads",                                         \
      "tested or blended, waiting to be written; not less than the ALU's latency")                \
   P(SECTION, WriteQueueSize, write_queue, 8, 1, 4096, "quads", "waiting for the next unit")      \
   P(SECTION, CACHE##StampsPerLine, line_stamps, 16, 1, 16, "quads",                              \
      "of BytesPerPixel in a line: 64, 128 or 256 bytes")                                         \
   B(SECTION, CACHE##AllSets, all_sets, 0,                                                        \
      "a ROP uses every set; FALSE: sets follow from the address among the blocks of all ROPs")  \
   P(SECTION, CACHE##PortWidth, port_width, 32, 1, 256, "bytes/cycle", "of each cache port")      \
   B(SECTION, CACHE##ExtraReadPort, extra_read_port, 1, "two read ports instead of one")          \
   B(SECTION, CACHE##ExtraWritePort, extra_write_port, 1, "two write ports instead of one")       \
   P(SECTION, CACHE##RequestQueueSize, cache_requests, 8, 1, 64, "requests",                      \
      "lines being filled, written back, or both")                                                \
   P(SECTION, CACHE##InputQueueSize, cache_input, 8, 1, 64, "requests", "lines being filled")     \
   P(SECTION, CACHE##OutputQueueSize, cache_output, 8, 1, 64, "requests",                         \
      "lines being written back")                                                                 \
   P(SECTION, CompressionUnitLatency, compress_latency, 8, 1, 100, "cycles",                      \
      "per line written back")                                                                    \
   P(SECTION, DecompressionUnitLatency, decompress_latency, 8, 1, 100, "cycles",                  \
      "per line filled")                                                                          \
   P(SECTION, BlockStateMemorySize, block_states, 262144, 1024, 4194304, "blocks",                \
      "of a surface whose state a unit keeps; others are always plain")                           \
   P(SECTION, BlocksClearedPerCycle, blocks_cleared, 1024, 1, 65536, "blocks/cycle",              \
      "of BlockStateMemorySize, by any clear")                                                    \
   B(SECTION, DisableCompression, no_compression, 0, "never compress blocks")
#define SIM_PARAMS_ZSTENCILTEST(P, B, T)                                                          \
   SIM_PARAMS_ROP(P, B, T, ZSTENCILTEST, ZCache)                                                  \
   P(ZSTENCILTEST, CompressionAlgorithm, compressor, 0, 0, 0, "algorithm",                        \
      "0 HILO, 64, 128 or 192 bytes of 256")                                                      \
   P(ZSTENCILTEST, ZCacheWays,  cache_ways, 4, 1, 64, "ways", "Z cache")                          \
   P(ZSTENCILTEST, ZCacheLines, cache_sets, 16, 1, 1024, "sets", "Z cache lines per way")         \
   P(ZSTENCILTEST, ZALUTestRate, alu_rate, 1, 1, 100, "cycles",                                   \
      "between two samples of quads tested")                                                      \
   P(ZSTENCILTEST, ZALULatency, alu_latency, 2, 1, 100, "cycles", "of the test")
#define SIM_PARAMS_COLORWRITE(P, B, T)                                                            \
   SIM_PARAMS_ROP(P, B, T, COLORWRITE, ColorCache)                                                \
   P(COLORWRITE, CompressionAlgorithm, compressor, 0, 0, 2, "algorithm",                          \
      "0 HILO, 64 or 128 bytes of 256, 1 HILO of reordered bits, 192 too, 2 MSAA")                \
   P(COLORWRITE, ColorCacheWays,  cache_ways, 4, 1, 64, "ways", "colour cache")                   \
   P(COLORWRITE, ColorCacheLines, cache_sets, 16, 1, 1024, "sets",                                \
      "colour cache lines per way")                                                               \
   P(COLORWRITE, BlendALURate, alu_rate, 1, 1, 100, "cycles",                                     \
      "between two samples of quads blended")                                                     \
   P(COLORWRITE, BlendALULatency, alu_latency, 2, 1, 100, "cycles", "of blending")

#define SIM_PARAMS_DAC(P, B, T)                                                                  \
   P(DAC, BlockRequestQueueSize, requests, 32, 1, 256, "blocks",                                 \
      "queued or on their way; the Blitter has as many, of its own")                             \
   P(DAC, BlockUpdateLatency, state_latency, 1, 0, 1000, "cycles",                               \
      "until the ROPs' block states arrive")                                                     \
   P(DAC, BlocksUpdatedPerCycle, states_cycle, 1024, 1, 65536, "blocks/cycle",                   \
      "whose states arrive")                                                                     \
   P(DAC, DecompressionUnitLatency, decompress_latency, 1, 1, 100, "cycles",                     \
      "for the blocks that are decompressed together")                                           \
   P(DAC, BlocksPerCycle, blocks_cycle, 1, 1, 256, "blocks/cycle",                               \
      "queued, and decompressed together")                                                       \
   P(DAC, RefreshRate, refresh_rate, 5000000, 1000, 1000000000, "cycles",                        \
      "from one refresh to the next, unless SynchedRefresh")                                     \
   B(DAC, SynchedRefresh, synched, 1, "a swap reads the surface once and ends when it is read")  \
   B(DAC, RefreshFrame, refresh, 1, "the DAC reads surfaces at all")

#define SIM_PARAMS_SIMULATOR(P, B, T)                                              \
   P(SIMULATOR, StallCycles, stall_cycles, 1000000, 1000, 1000000000, "cycles", \
      "without any object moving: stop with a dump")                            \
   P(SIMULATOR, MaxDrawVertices, max_draw_vertices, 100000000, 1000, 4294967295, \
      "vertices", "count times instances of a draw; one with more is skipped")  \
   B(SIMULATOR, HalfCycle, half, 0,                                            \
      "shaders execute an instruction per cycle without latencies (--mode half)")

/* Voltage and frequency during a run (docs/explanation/dvfs.md). */
#define SIM_PARAMS_DVFS(P, B, T)                                                                 \
   T(DVFS, Policy, policy, "OFF",                                                                \
      "OFF FIXED WATERMARK RACE_TO_IDLE DEADLINE ORACLE: what changes frequencies")              \
   T(DVFS, CommandDomain, domain_command, "geometry",                                            \
      "domain of command processor and Blitter; \"constant\" never changes")                     \
   T(DVFS, DisplayDomain, domain_display, "constant", "domain of the DAC")                       \
   T(DVFS, GeometryDomain, domain_geometry, "geometry",                                          \
      "domain of streamer, primitive assembly and clipper")                                      \
   T(DVFS, SetupDomain, domain_setup, "geometry", "domain of triangle setup")                    \
   T(DVFS, VertexShaderDomain, domain_vertex, "geometry",                                        \
      "domain of vertex shaders and their texture units, when Unified is FALSE")                 \
   T(DVFS, RasterDomain, domain_raster, "fragment",                                              \
      "domain of triangle traversal, Hierarchical Z and interpolator")                           \
   T(DVFS, ShaderDomain, domain_shader, "fragment",                                              \
      "domain of fragment FIFO, shaders and texture units")                                      \
   T(DVFS, RopDomain, domain_rop, "fragment", "domain of Z and stencil test and colour write")   \
   T(DVFS, MemoryDomain, domain_memory, "memory", "domain of memory controller and channels")    \
   T(DVFS, Frequencies, frequencies, "",                                                         \
      "percent of the nominal frequency with which domains begin: \"geometry 60, memory 80\"")   \
   P(DVFS, MinFrequency, min_frequency, 50, 10, 100, "percent",                                  \
      "of the nominal frequency, the lowest that a policy chooses")                              \
   P(DVFS, Step, step, 10, 1, 90, "percent", "of the nominal frequency, between two choices")    \
   P(DVFS, MinVoltage, min_voltage, 70, 10, 100, "percent",                                      \
      "of the nominal voltage, at MinFrequency; in between it is linear")                        \
   P(DVFS, TransitionTime, transition, 10000, 0, 10000000, "ns",                                 \
      "for which a domain stands still when its frequency changes")                              \
   P(DVFS, SampleCycles, sample, 500, 1, 1000000000, "GPU cycles",                               \
      "at nominal frequency, from one look of a policy to the next")                             \
   T(DVFS, Queue, queue, "ts_tt", "WATERMARK: the signal whose queue is watched")                \
   T(DVFS, FrontDomain, front, "geometry", "WATERMARK: the domain that fills the queue")         \
   T(DVFS, BackDomain, back, "fragment", "WATERMARK: the domain that empties the queue")         \
   P(DVFS, HighMark, high, 90, 1, 100, "percent",                                                \
      "WATERMARK: full for HoldCycles from here on: FrontDomain a step down")                    \
   P(DVFS, LowMark, low, 10, 0, 99, "percent",                                                   \
      "WATERMARK: empty for HoldCycles up to here: BackDomain a step down")                      \
   P(DVFS, RestoreBelow, restore_high, 75, 1, 100, "percent",                                    \
      "WATERMARK: FrontDomain back to its frequency below this filling")                         \
   P(DVFS, RestoreAbove, restore_low, 25, 0, 99, "percent",                                      \
      "WATERMARK: BackDomain back to its frequency above this filling")                          \
   P(DVFS, HoldCycles, hold, 50000, 1, 1000000000, "GPU cycles",                                 \
      "WATERMARK: full or empty without a break before a step")                                  \
   T(DVFS, Scaled, scaled, "geometry, fragment",                                                 \
      "RACE_TO_IDLE, DEADLINE, ORACLE: domains that change together")                            \
   P(DVFS, FrameRate, frame_rate, 60, 1, 100000, "frames/s",                                     \
      "RACE_TO_IDLE, DEADLINE, ORACLE: a frame begins when the one before was due")              \
   P(DVFS, Margin, margin, 5, 0, 90, "percent",                                                  \
      "DEADLINE, ORACLE: of a frame's time that is left free")                                   \
   P(DVFS, History, history, 2, 1, 16, "frames",                                                 \
      "DEADLINE: before this one, the longest of which is expected again")                       \
   T(DVFS, Oracle, oracle, "",                                                                   \
      "ORACLE: path of frames.csv of an earlier run at nominal frequency")
/* clang-format on */

/* S(section, member of struct sim_config) */
/* clang-format off */
#define SIM_SECTIONS(S)                                                                        \
   S(GPU, gpu) S(COMMANDPROCESSOR, cp) S(MEMORYCONTROLLER, mc) S(STREAMER, streamer)           \
      S(PRIMITIVEASSEMBLY, pa) S(CLIPPER, clip)                                                \
   S(RASTERIZER, rast) S(FRAGMENTSHADER, shader) S(VERTEXSHADER, vshader)                      \
   S(LATENCY, latency) S(REPEATRATE, repeat)                                                   \
   S(ZSTENCILTEST, zst) S(COLORWRITE, cw) S(DAC, dac)                                          \
   S(SIMULATOR, sim) S(DVFS, dvfs)
/* clang-format on */

#endif
