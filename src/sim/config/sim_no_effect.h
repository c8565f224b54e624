/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Keys of the original's configuration file (release of 2015) that have no effect here, and why. A
 * file that uses them is read with a warning that says so. Not here: keys that have an effect
 * (sim_params.h).
 */
#ifndef SIM_NO_EFFECT_H
#define SIM_NO_EFFECT_H

/* N(section, keys with spaces between them, why) */
/* clang-format off */
#define SIM_NO_EFFECT(N)                                                                         \
   N(SIMULATOR, "InputFile SimCycles SimFrames StartFrame StatsFile StatsFilePerFrame "          \
      "StatsFilePerBatch StatisticsRate Statistics PerCycleStatistics PerFrameStatistics "       \
      "PerBatchStatistics DetectStalls",                                                         \
      "what is run and reported is chosen on the command line")                                  \
   N(SIMULATOR, "SignalDumpFile StartSignalDump SignalDumpCycles DumpSignalTrace",              \
      "attila-sim run --trace and its options choose what is traced, and when")                  \
   N(SIMULATOR, "GenerateFragmentMap FragmentMapMode", "attila-sim run --maps writes maps")      \
   N(SIMULATOR, "UseACD", "there is one driver, the one in Mesa")                                \
   N(SIMULATOR, "DoubleBuffer ForceMSAA MSAASamples ForceFP16ColorBuffer "                       \
      "EnableDriverShaderTranslation", "the program chooses its buffers and shaders")            \
   N(SIMULATOR, "ObjectSize0 BucketSize0 ObjectSize1 BucketSize1 ObjectSize2 BucketSize2",       \
      "host memory grows as it is needed")                                                       \
   N(COMMANDPROCESSOR, "DumpShaderPrograms", "ATTILA_DEBUG prints shaders")                      \
   N(MEMORYCONTROLLER, "MemoryClockMultiplier MemoryFrequency MemoryBusWidth MemoryBuses "       \
      "SharedBanks BankGranurality",                                                             \
      "of the first controller, whose channels here are V2MemoryChannels of "                    \
      "V2BurstBytesPerCycle")                                                                    \
   N(MEMORYCONTROLLER, "MappedMemorySize", "the GPU reads no system memory but by commands")     \
   N(MEMORYCONTROLLER, "ReadBufferLines V2PrechargeManagerMode",                                 \
      "they have none in the release either")                                                    \
   N(MEMORYCONTROLLER, "V2MemoryTrace V2DebugString", "attila-sim run --trace has the requests") \
   N(VERTEXSHADER, "OutputLatency", "FRAGMENTSHADER.OutputLatency is that of all shaders")       \
   N(PRIMITIVEASSEMBLY, "VerticesCycle", "the streamer's VerticesCycle feeds it")                \
   N(RASTERIZER, "EmulatorStoredTriangles", "host memory grows as it is needed")                 \
   N(RASTERIZER, "UseMicroPolygonRasterizer PreBoundTriangles CullMicroTriangles "               \
      "TriangleBoundOutputLatency TriangleBoundOpLatency LargeTriangleFIFOSize "                 \
      "MicroTriangleFIFOSize UseBoundingBoxOptimization SubPixelPrecisionBits "                  \
      "LargeTriangleMinSize ProcessMicroTrianglesAsFragments MicroTriangleSizeLimit "            \
      "MicroTriangleFlowPath DumpTriangleBurstSizeHistogram",                                    \
      "no rasteriser of micropolygons: no paper describes it, and its independent path writes "  \
      "triangles out of order, which OpenGL forbids")                                            \
   N(RASTERIZER, "ShaderOutputQueueSize",                                                        \
      "a shader's outputs wait in ShadedStampQueueSize")                                         \
   N(FRAGMENTSHADER, "VectorExplicitBlock",                                                      \
      "instructions have no wait points: a group waits for a texture where it asks for it")      \
   N(FRAGMENTSHADER, "VertexAttributeLoadFromShader",                                            \
      "the streamer loads attributes; there is no instruction that does")                        \
   N(FRAGMENTSHADER, "TextureBlockDimension TextureSuperBlockDimension",                         \
      "every surface is in Morton order in squares of 64x64, what the release's 2 and 4 say")    \
   N(DAC, "BytesPerPixel BlockSize", "the format of the surface decides: a block is 8x8 pixels") \
   N(DAC, "SaveBlitSourceData", "attila-sim picture shows surfaces at any command of a capture")
/* clang-format on */

#endif
