/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Keys of the original's configuration file (release of 2015) without effect here, and why. Files
 * with them load with a warning. Not here: keys with an effect (sim_params.h), values in the
 * release's code (sim_release_values.h). */
#ifndef SIM_RELEASE_KEYS_H
#define SIM_RELEASE_KEYS_H

/* clang-format off */

/* R(reason, text for users) */
#define SIM_RELEASE_REASONS(R)                                                                    \
   R(COMMAND_LINE, "the command line says what is run and what is recorded")                      \
   R(TRACE, "attila-sim run --trace and its options say which signals are traced, and when")      \
   R(MAPS, "attila-sim run --maps writes fragment maps")                                          \
   R(ONE_DRIVER, "there is one driver, which is Mesa's")                                          \
   R(PROGRAM, "the program chooses its buffers and shaders")                                      \
   R(HOST_MEMORY, "the simulator takes host memory as it needs it")                               \
   R(PRINTED, "the environment variable ATTILA_DEBUG prints shaders")                             \
   R(FIRST_CONTROLLER,                                                                            \
      "it describes the release's first controller; here V2MemoryChannels and "                   \
      "V2BurstBytesPerCycle describe the channels of both")                                       \
   R(SYSTEM_MEMORY, "the GPU reads system memory only by commands")                               \
   R(UNUSED, "the release reads it and does not use it")                                          \
   R(REQUESTS, "attila-sim run --trace records the memory requests")                              \
   R(ALL_SHADERS, "FRAGMENTSHADER.OutputLatency is the latency of all shaders")                   \
   R(STREAMER, "STREAMER.VerticesCycle says how many vertices arrive in a cycle")                 \
   R(MICROPOLYGONS,                                                                               \
      "there is no rasteriser of micropolygons: no paper describes it, and its independent "      \
      "path writes triangles out of order, which OpenGL forbids")                                 \
   R(SHADED_QUEUE, "the outputs of shaders wait in the queue of ShadedStampQueueSize")            \
   R(NO_WAIT_POINTS,                                                                              \
      "instructions have no wait points: a group waits at the instruction that reads a "          \
      "texture")                                                                                  \
   R(LOADER, "the streamer loads vertex attributes; no instruction does")                         \
   R(MORTON,                                                                                      \
      "every surface is in Morton order in squares of 64x64, as with the release's values 2 "     \
      "and 4")                                                                                    \
   R(FORMAT, "the format of the surface has the size of a pixel; a block is 8x8 pixels")          \
   R(PICTURE, "attila-sim picture shows surfaces at any command of a capture")

/* K(section, key, reason) */
#define SIM_RELEASE_KEYS(K)                                                                       \
   K(SIMULATOR, InputFile, COMMAND_LINE)                                                          \
   K(SIMULATOR, SimCycles, COMMAND_LINE)                                                          \
   K(SIMULATOR, SimFrames, COMMAND_LINE)                                                          \
   K(SIMULATOR, StartFrame, COMMAND_LINE)                                                         \
   K(SIMULATOR, StatsFile, COMMAND_LINE)                                                          \
   K(SIMULATOR, StatsFilePerFrame, COMMAND_LINE)                                                  \
   K(SIMULATOR, StatsFilePerBatch, COMMAND_LINE)                                                  \
   K(SIMULATOR, StatisticsRate, COMMAND_LINE)                                                     \
   K(SIMULATOR, Statistics, COMMAND_LINE)                                                         \
   K(SIMULATOR, PerCycleStatistics, COMMAND_LINE)                                                 \
   K(SIMULATOR, PerFrameStatistics, COMMAND_LINE)                                                 \
   K(SIMULATOR, PerBatchStatistics, COMMAND_LINE)                                                 \
   K(SIMULATOR, DetectStalls, COMMAND_LINE)                                                       \
   K(SIMULATOR, SignalDumpFile, TRACE)                                                            \
   K(SIMULATOR, StartSignalDump, TRACE)                                                           \
   K(SIMULATOR, SignalDumpCycles, TRACE)                                                          \
   K(SIMULATOR, DumpSignalTrace, TRACE)                                                           \
   K(SIMULATOR, GenerateFragmentMap, MAPS)                                                        \
   K(SIMULATOR, FragmentMapMode, MAPS)                                                            \
   K(SIMULATOR, UseACD, ONE_DRIVER)                                                               \
   K(SIMULATOR, DoubleBuffer, PROGRAM)                                                            \
   K(SIMULATOR, ForceMSAA, PROGRAM)                                                               \
   K(SIMULATOR, MSAASamples, PROGRAM)                                                             \
   K(SIMULATOR, ForceFP16ColorBuffer, PROGRAM)                                                    \
   K(SIMULATOR, EnableDriverShaderTranslation, PROGRAM)                                           \
   K(SIMULATOR, ObjectSize0, HOST_MEMORY)                                                         \
   K(SIMULATOR, BucketSize0, HOST_MEMORY)                                                         \
   K(SIMULATOR, ObjectSize1, HOST_MEMORY)                                                         \
   K(SIMULATOR, BucketSize1, HOST_MEMORY)                                                         \
   K(SIMULATOR, ObjectSize2, HOST_MEMORY)                                                         \
   K(SIMULATOR, BucketSize2, HOST_MEMORY)                                                         \
   K(COMMANDPROCESSOR, DumpShaderPrograms, PRINTED)                                               \
   K(MEMORYCONTROLLER, MemoryClockMultiplier, FIRST_CONTROLLER)                                   \
   K(MEMORYCONTROLLER, MemoryFrequency, FIRST_CONTROLLER)                                         \
   K(MEMORYCONTROLLER, MemoryBusWidth, FIRST_CONTROLLER)                                          \
   K(MEMORYCONTROLLER, MemoryBuses, FIRST_CONTROLLER)                                             \
   K(MEMORYCONTROLLER, SharedBanks, FIRST_CONTROLLER)                                             \
   K(MEMORYCONTROLLER, BankGranurality, FIRST_CONTROLLER)                                         \
   K(MEMORYCONTROLLER, MappedMemorySize, SYSTEM_MEMORY)                                           \
   K(MEMORYCONTROLLER, ReadBufferLines, UNUSED)                                                   \
   K(MEMORYCONTROLLER, V2PrechargeManagerMode, UNUSED)                                            \
   K(MEMORYCONTROLLER, V2MemoryTrace, REQUESTS)                                                   \
   K(MEMORYCONTROLLER, V2DebugString, REQUESTS)                                                   \
   K(VERTEXSHADER, OutputLatency, ALL_SHADERS)                                                    \
   K(PRIMITIVEASSEMBLY, VerticesCycle, STREAMER)                                                  \
   K(RASTERIZER, EmulatorStoredTriangles, HOST_MEMORY)                                            \
   K(RASTERIZER, UseMicroPolygonRasterizer, MICROPOLYGONS)                                        \
   K(RASTERIZER, PreBoundTriangles, MICROPOLYGONS)                                                \
   K(RASTERIZER, CullMicroTriangles, MICROPOLYGONS)                                               \
   K(RASTERIZER, TriangleBoundOutputLatency, MICROPOLYGONS)                                       \
   K(RASTERIZER, TriangleBoundOpLatency, MICROPOLYGONS)                                           \
   K(RASTERIZER, LargeTriangleFIFOSize, MICROPOLYGONS)                                            \
   K(RASTERIZER, MicroTriangleFIFOSize, MICROPOLYGONS)                                            \
   K(RASTERIZER, UseBoundingBoxOptimization, MICROPOLYGONS)                                       \
   K(RASTERIZER, SubPixelPrecisionBits, MICROPOLYGONS)                                            \
   K(RASTERIZER, LargeTriangleMinSize, MICROPOLYGONS)                                             \
   K(RASTERIZER, ProcessMicroTrianglesAsFragments, MICROPOLYGONS)                                 \
   K(RASTERIZER, MicroTriangleSizeLimit, MICROPOLYGONS)                                           \
   K(RASTERIZER, MicroTriangleFlowPath, MICROPOLYGONS)                                            \
   K(RASTERIZER, DumpTriangleBurstSizeHistogram, MICROPOLYGONS)                                   \
   K(RASTERIZER, ShaderOutputQueueSize, SHADED_QUEUE)                                             \
   K(FRAGMENTSHADER, VectorExplicitBlock, NO_WAIT_POINTS)                                         \
   K(FRAGMENTSHADER, VertexAttributeLoadFromShader, LOADER)                                       \
   K(FRAGMENTSHADER, TextureBlockDimension, MORTON)                                               \
   K(FRAGMENTSHADER, TextureSuperBlockDimension, MORTON)                                          \
   K(DAC, BytesPerPixel, FORMAT)                                                                  \
   K(DAC, BlockSize, FORMAT)                                                                      \
   K(DAC, SaveBlitSourceData, PICTURE)

/* clang-format on */

#endif
