/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Every parameter of the machine, one line each: section and key are ATTILA's (reference
 * attila-bGPU.ini), the default is the baseline machine of ISPASS 2006 Tables 1 and 2 where the
 * paper gives it. From these lines come the configuration struct, the .ini reader with its range
 * checks, `attila-sim --describe` and docs/reference.md.
 *
 * P(section, Key, struct member, default, minimum, maximum, "unit", "meaning")   integers
 * B(section, Key, struct member, default, "meaning")                             TRUE or FALSE
 * Struct: config->section.member, section in lower case as written here.
 *
 * One ATTILA key has another unit: FRAGMENTSHADER.VectorResources counts registers of VectorLength
 * inputs; the reader accepts it and stores VectorResources * VectorLength in registers.
 */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

/* clang-format off */
#define SIM_PARAMS_GPU(P, B)                                                                     \
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
   P(GPU, MemoryClock,          memory_clock,       600, 1, 10000, "MHz", "memory clock domain")

#define SIM_PARAMS_COMMANDPROCESSOR(P, B)                        \
   B(COMMANDPROCESSOR, PipelinedBatchRendering, pipelined, 1,    \
      "geometry of a draw overlaps fragments of the one before") \
   B(COMMANDPROCESSOR, FreeOverlap, free_overlap, 0,             \
      "TRUE: any draws overlap; FALSE: one in the geometry, one in the fragment phase") \
   P(COMMANDPROCESSOR, MaxDraws, max_draws, 4, 1, 15, "draws", "in flight when FreeOverlap") \
   P(COMMANDPROCESSOR, UpdateBufferSize, update_buffer, 512, 1, 65536, "registers", \
      "written for the next draw while a phase is busy, for each phase") \
   P(COMMANDPROCESSOR, HardwareContexts, contexts, 8, 1, 64, "contexts",          \
      "whose state is on chip; others come over the system bus")

#define SIM_PARAMS_MEMORYCONTROLLER(P, B)                                                       \
   P(MEMORYCONTROLLER, MemorySize,       memory_size, 1024, 16, 2048, "MiB", "GPU memory")      \
   P(MEMORYCONTROLLER, V2MemoryChannels, channels, 4, 1, 16, "channels", "GDDR channels")       \
   P(MEMORYCONTROLLER, V2BurstBytesPerCycle, burst_bytes, 16, 4, 64, "bytes/cycle",             \
      "data pins of a channel")                                                                 \
   P(MEMORYCONTROLLER, ChannelInterleave, interleave, 256, 64, 4096, "bytes",                   \
      "consecutive bytes on one channel (power of 2)")                                          \
   P(MEMORYCONTROLLER, MemoryPageSize,   page_size, 4096, 256, 65536, "bytes", "DRAM page")     \
   P(MEMORYCONTROLLER, OpenPages,        open_pages, 8, 1, 64, "pages",                         \
      "open pages per channel")                                                                 \
   P(MEMORYCONTROLLER, PageOpenLatency,  page_open_latency, 13, 0, 1000, "cycles",              \
      "opening a page")                                                                         \
   P(MEMORYCONTROLLER, ReadLatency,      read_latency, 10, 1, 1000, "cycles",                   \
      "from read command to data")                                                              \
   P(MEMORYCONTROLLER, WriteLatency,     write_latency, 5, 1, 1000, "cycles",                   \
      "from write command to data")                                                             \
   P(MEMORYCONTROLLER, WriteToReadLatency, write_to_read, 5, 0, 1000, "cycles",                 \
      "turnaround from write to read")                                                          \
   P(MEMORYCONTROLLER, ReadToWriteLatency, read_to_write, 2, 0, 1000, "cycles",                 \
      "turnaround from read to write")                                                          \
   P(MEMORYCONTROLLER, RequestQueueSize, request_queue, 64, 1, 4096, "requests",                \
      "per client, waiting for a channel")                                                      \
   P(MEMORYCONTROLLER, ServiceQueueSize, service_queue, 64, 1, 4096, "requests", "per channel") \
   P(MEMORYCONTROLLER, SystemBusBytes,   system_bus, 8, 1, 64, "bytes/cycle",                   \
      "each direction of the bus to system memory")

#define SIM_PARAMS_STREAMER(P, B)                                                  \
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
   P(STREAMER, SLAttributesCycle, attributes_cycle, 8, 1, 64, "attributes/cycle",  \
      "converted by a loader")                                                     \
   P(STREAMER, SLInputRequestQueueSize, loader_queue, 48, 1, 4096, "vertices",     \
      "waiting for a loader")                                                      \
   P(STREAMER, SLInputCacheLines, cache_lines, 32, 1, 1024, "lines",               \
      "vertex input cache (fully associative)")                                    \
   P(STREAMER, SLInputCacheLineSize, cache_line_size, 256, 64, 256, "bytes",       \
      "vertex input cache line")                                                   \
   P(STREAMER, SLInputCacheRequestQueueSize, cache_requests, 8, 1, 64, "requests", \
      "misses in flight")

#define SIM_PARAMS_PRIMITIVEASSEMBLY(P, B)                                            \
   P(PRIMITIVEASSEMBLY, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle", \
      "assembled")                                                                    \
   P(PRIMITIVEASSEMBLY, InputBusLatency, input_latency, 1, 1, 100, "cycles",          \
      "from streamer commit")                                                         \
   P(PRIMITIVEASSEMBLY, AssemblyQueueSize, queue, 8, 1, 1024, "vertices",             \
      "waiting to be assembled")

#define SIM_PARAMS_CLIPPER(P, B)                                            \
   P(CLIPPER, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle", \
      "tested for trivial rejection")                                       \
   P(CLIPPER, ExecLatency,    exec_latency, 6, 1, 100, "cycles",            \
      "of the test; also per plane that really clips")                      \
   P(CLIPPER, ClipBufferSize, queue, 4, 1, 1024, "triangles", "waiting to be tested")

#define SIM_PARAMS_RASTERIZER(P, B)                                                         \
   P(RASTERIZER, TrianglesCycle, triangles_cycle, 1, 1, 16, "triangles/cycle", "set up")    \
   P(RASTERIZER, SetupFIFOSize,  setup_fifo, 12, 1, 1024, "triangles", "waiting for setup") \
   P(RASTERIZER, SetupLatency,   setup_latency, 10, 1, 100, "cycles", "of setup")           \
   P(RASTERIZER, TriangleQueueSize, traversal_queue, 16, 1, 1024, "triangles",              \
      "waiting for traversal")                                                              \
   P(RASTERIZER, TilesCycle,     tiles_cycle, 2, 1, 16, "tiles/cycle",                      \
      "8x8 fragment tiles generated and HZ tested")                                         \
   P(RASTERIZER, HZQueueSize,    hz_queue, 64, 1, 1024, "tiles", "waiting for the HZ test") \
   B(RASTERIZER, DisableHZ,      disable_hz, 0, "no hierarchical Z test")                   \
   P(RASTERIZER, HierarchicalZBufferSize, hz_size, 262144, 1024, 4194304, "blocks",         \
      "8x8 blocks the HZ buffer covers")                                                    \
   P(RASTERIZER, HZAccessLatency, hz_latency, 1, 1, 100, "cycles", "of the HZ test")        \
   P(RASTERIZER, HZUpdateLatency, hz_update_latency, 4, 1, 100, "cycles",                   \
      "from Z cache to HZ buffer")                                                          \
   P(RASTERIZER, NumInterpolators, interpolators, 2, 1, 16, "quads/cycle", "interpolated")  \
   P(RASTERIZER, InterpolatorLatency, interp_latency, 2, 1, 100, "cycles",                  \
      "of the first attribute; then one more per further attribute, up to 8")               \
   P(RASTERIZER, ShaderInputQueueSize, shader_input_queue, 64, 4, 4096, "quads",            \
      "per ROP, waiting for a shader")                                                      \
   P(RASTERIZER, VertexInputQueueSize, vertex_input_queue, 32, 4, 4096, "vertices",         \
      "waiting for a shader")                                                               \
   P(RASTERIZER, ShadedStampQueueSize, shaded_queue, 160, 16, 65536, "quads",               \
      "per ROP, in or after shading, leaving in order")                                     \
   P(RASTERIZER, ShadedVertexQueueSize, shaded_vertex_queue, 64, 16, 65536, "vertices",     \
      "in or after shading")

#define SIM_PARAMS_FRAGMENTSHADER(P, B)                                                       \
   P(FRAGMENTSHADER, VectorThreads,   threads, 28, 1, 1024, "threads",                        \
      "thread groups of a shader")                                                            \
   P(FRAGMENTSHADER, VectorLength,    thread_lanes, 4, 4, 16, "inputs",                       \
      "fragments or vertices of a thread group: 4, 8, 12, 16")                                \
   P(FRAGMENTSHADER, ThreadResources, registers, 448, 16, 65536, "registers",                 \
      "vec4 temporaries of a shader, for all its inputs")                                     \
   P(FRAGMENTSHADER, VectorALUWidth,  alu_width, 4, 1, 16, "inputs/cycle",                    \
      "inputs one instruction executes on per cycle")                                         \
   P(FRAGMENTSHADER, FetchRate,       fetch_rate, 1, 1, 4, "instructions",                    \
      "fetched per issue: 2 pairs a SIMD and a scalar one")                                   \
   B(FRAGMENTSHADER, ScalarALU,       scalar_alu, 0,                                          \
      "scalar ALU beside the SIMD one (needs FetchRate 2)")                                   \
   B(FRAGMENTSHADER, ThreadWindow,    thread_window, 1,                                       \
      "any ready thread may issue; FALSE: in order")                                          \
   P(FRAGMENTSHADER, InputsPerCycle,  inputs_cycle, 4, 1, 16, "inputs/cycle",                 \
      "loaded into a shader")                                                                 \
   P(FRAGMENTSHADER, OutputsPerCycle, outputs_cycle, 4, 1, 16, "outputs/cycle",               \
      "taken from a shader")                                                                  \
   P(FRAGMENTSHADER, OutputLatency,   output_latency, 1, 1, 100, "cycles",                    \
      "from shader to fragment FIFO")                                                         \
   P(FRAGMENTSHADER, TextureRequestQueueSize, tex_queue, 64, 1, 4096, "quads",                \
      "waiting for the texture unit")                                                         \
   P(FRAGMENTSHADER, AddressALULatency, address_latency, 6, 1, 100, "cycles",                 \
      "texture address calculation")                                                          \
   P(FRAGMENTSHADER, FilterALULatency, filter_latency, 4, 1, 100, "cycles", "texture filter") \
   P(FRAGMENTSHADER, TextureAccessQueue, tex_access_queue, 64, 1, 4096, "quads",              \
      "waiting for texels")                                                                   \
   P(FRAGMENTSHADER, TextureCacheLineSize, tex_line_size, 256, 64, 256, "bytes",              \
      "texture cache line")                                                                   \
   P(FRAGMENTSHADER, TextureCacheWays, tex_ways, 4, 1, 64, "ways", "texture cache")           \
   P(FRAGMENTSHADER, TextureCacheLines, tex_sets, 16, 1, 1024, "sets",                        \
      "texture cache lines per way")                                                          \
   P(FRAGMENTSHADER, TextureCacheRequestQueueSize, tex_requests, 8, 1, 256, "requests",       \
      "misses in flight")                                                                     \
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

#define SIM_PARAMS_ROP(P, B, SECTION)                                                            \
   P(SECTION, StampsPerCycle, quads_cycle, 1, 1, 4, "quads/cycle", "processed")                  \
   P(SECTION, InputQueueSize, input_queue, 64, 1, 4096, "quads", "waiting")                      \
   P(SECTION, FetchQueueSize, fetch_queue, 64, 1, 4096, "quads", "waiting for their cache line") \
   P(SECTION, CompressionUnitLatency, compress_latency, 8, 0, 100, "cycles",                     \
      "per line written back")                                                                   \
   P(SECTION, DecompressionUnitLatency, decompress_latency, 8, 0, 100, "cycles",                 \
      "per compressed line read")                                                                \
   P(SECTION, BlockStateMemorySize, block_states, 262144, 1024, 4194304, "blocks",               \
      "8x8 blocks whose state is kept")                                                          \
   P(SECTION, BlocksClearedPerCycle, blocks_cleared, 1024, 1, 65536, "blocks/cycle",             \
      "by fast clear")                                                                           \
   B(SECTION, DisableCompression, no_compression, 0, "never compress blocks")
#define SIM_PARAMS_ZSTENCILTEST(P, B)                                            \
   SIM_PARAMS_ROP(P, B, ZSTENCILTEST)                                            \
   P(ZSTENCILTEST, ZCacheWays,  cache_ways, 4, 1, 64, "ways", "Z cache")         \
   P(ZSTENCILTEST, ZCacheLines, cache_sets, 16, 1, 1024, "sets",                 \
      "Z cache lines (of an 8x8 block) per way")                                 \
   P(ZSTENCILTEST, ZCacheRequestQueueSize, cache_requests, 8, 1, 64, "requests", \
      "misses in flight")                                                        \
   P(ZSTENCILTEST, ZALULatency, alu_latency, 2, 1, 100, "cycles", "of the test")
#define SIM_PARAMS_COLORWRITE(P, B)                                                \
   SIM_PARAMS_ROP(P, B, COLORWRITE)                                                \
   P(COLORWRITE, ColorCacheWays,  cache_ways, 4, 1, 64, "ways", "colour cache")    \
   P(COLORWRITE, ColorCacheLines, cache_sets, 16, 1, 1024, "sets",                 \
      "colour cache lines (of an 8x8 block) per way")                              \
   P(COLORWRITE, ColorCacheRequestQueueSize, cache_requests, 8, 1, 64, "requests", \
      "misses in flight")                                                          \
   P(COLORWRITE, BlendALULatency, alu_latency, 2, 1, 100, "cycles", "of blending")

#define SIM_PARAMS_DAC(P, B)                                                                     \
   P(DAC, BlockRequestQueueSize, requests, 32, 1, 256, "blocks", "queued or on their way")        \
   P(DAC, BlockUpdateLatency, state_latency, 1, 0, 1000, "cycles",                               \
      "until the ROPs' block states arrive")                                                     \
   P(DAC, BlocksUpdatedPerCycle, states_cycle, 1024, 1, 65536, "blocks/cycle",                   \
      "whose states arrive")                                                                     \
   P(DAC, DecompressionUnitLatency, decompress_latency, 1, 1, 100, "cycles", "per block")        \
   P(DAC, RefreshRate, refresh_rate, 5000000, 1000, 1000000000, "cycles",                        \
      "from one refresh to the next, unless SynchedRefresh")                                     \
   B(DAC, SynchedRefresh, synched, 1, "a swap reads the surface once and ends when it is read")  \
   B(DAC, RefreshFrame, refresh, 1, "the DAC reads surfaces at all")

#define SIM_PARAMS_SIMULATOR(P, B)                                              \
   P(SIMULATOR, StallCycles, stall_cycles, 1000000, 1000, 1000000000, "cycles", \
      "without any object moving: stop with a dump")                            \
   P(SIMULATOR, MaxDrawVertices, max_draw_vertices, 100000000, 1000, 4294967295, \
      "vertices", "count times instances of a draw; one with more is skipped")
/* clang-format on */

/* S(section, member of struct sim_config) */
/* clang-format off */
#define SIM_SECTIONS(S)                                                                        \
   S(GPU, gpu) S(COMMANDPROCESSOR, cp) S(MEMORYCONTROLLER, mc) S(STREAMER, streamer)           \
      S(PRIMITIVEASSEMBLY, pa) S(CLIPPER, clip)                                                \
   S(RASTERIZER, rast) S(FRAGMENTSHADER, shader) S(ZSTENCILTEST, zst) S(COLORWRITE, cw) S(DAC, \
      dac)                                                                                     \
   S(SIMULATOR, sim)
/* clang-format on */

#endif
