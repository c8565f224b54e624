/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Ideal units: what a run would gain if a unit were as fast as its parameters allow, far beyond
 * what it needs, while all others stay as they are (--ideal memory,texture). Each is a line: name,
 * what it is, and the parameters. Pixels stay the same.
 */
#ifndef SIM_IDEAL_H
#define SIM_IDEAL_H

#include "config/sim_config.h"

/* clang-format off */
#define SIM_IDEAL_UNITS(I)                                                                         \
   I(memory, "memory: no time between commands, widest data pins, room for every request",         \
     "MEMORYCONTROLLER.V2GDDR_Profile=perfect MEMORYCONTROLLER.V2BurstBytesPerCycle=64 "           \
     "MEMORYCONTROLLER.BurstLength=16 "                                                            \
     "MEMORYCONTROLLER.RequestQueueSize=4096 MEMORYCONTROLLER.ServiceQueueSize=4096 "              \
     "MEMORYCONTROLLER.WriteBufferLines=4096 MEMORYCONTROLLER.V2MaxChannelTransactions=1024 "      \
     "MEMORYCONTROLLER.ClientQueueSize=4096 MEMORYCONTROLLER.PageOpenLatency=0 "                   \
     "MEMORYCONTROLLER.ReadLatency=1 MEMORYCONTROLLER.WriteLatency=1 "                             \
     "MEMORYCONTROLLER.WriteToReadLatency=0 MEMORYCONTROLLER.ReadToWriteLatency=0")                \
   I(bus, "system bus: 64 bytes a cycle",                                                          \
     "MEMORYCONTROLLER.SystemBusBytes=64 MEMORYCONTROLLER.CommandProcessorBusWidth=64")            \
   I(geometry, "streamer, primitive assembly, clipper: 16 of everything a cycle",    \
     "STREAMER.IndicesCycle=16 STREAMER.VerticesCycle=16 STREAMER.AttributesSentCycle=16 "         \
     "STREAMER.SLIndicesCycle=16 STREAMER.SLAttributesCycle=64 STREAMER.IndexBufferSize=65536 "    \
     "STREAMER.OutputFIFOSize=4096 STREAMER.OutputMemorySize=4096 " \
     "STREAMER.SLInputRequestQueueSize=4096 "                      \
     "STREAMER.SLInputCachePortWidth=256 STREAMER.SLInputCacheRequestQueueSize=64 "                \
     "STREAMER.SLInputCacheInputQueueSize=64 PRIMITIVEASSEMBLY.TrianglesCycle=16 "                 \
     "PRIMITIVEASSEMBLY.InputBusLatency=1 PRIMITIVEASSEMBLY.AssemblyQueueSize=1024 "               \
     "CLIPPER.TrianglesCycle=16 CLIPPER.ClipperUnits=16 CLIPPER.StartLatency=1 "                   \
     "CLIPPER.ExecLatency=1 CLIPPER.ClipBufferSize=1024")                                          \
   I(raster, "setup, traversal, hierarchical Z, interpolator: 16 of everything a cycle",           \
     "RASTERIZER.TrianglesCycle=16 RASTERIZER.SetupFIFOSize=1024 RASTERIZER.SetupUnits=16 "        \
     "RASTERIZER.SetupLatency=1 RASTERIZER.SetupStartLatency=1 "                                   \
     "RASTERIZER.TriangleInputLatency=1 RASTERIZER.TriangleOutputLatency=1 "                       \
     "RASTERIZER.BatchQueueSize=1024 RASTERIZER.TileTesters=16 RASTERIZER.StampsPerCycle=16 "      \
     "RASTERIZER.MSAASamplesCycle=16 RASTERIZER.EarlyZQueueSize=65536 "                            \
     "RASTERIZER.HZAccessLatency=1 RASTERIZER.HZUpdateLatency=1 "                                  \
     "RASTERIZER.HZBlocksClearedPerCycle=65536 RASTERIZER.GeneratedStampQueueSize=4096 "           \
     "RASTERIZER.NumInterpolators=32 RASTERIZER.InterpolatorLatency=1 "                            \
     "RASTERIZER.EarlyZTestedStampQueueSize=4096 RASTERIZER.InterpolatedStampQueueSize=4096")      \
   I(shader, "shaders: a group's instruction a cycle, without latencies, room for 1024 groups",    \
     "FRAGMENTSHADER.VectorALUWidth=16 FRAGMENTSHADER.ThreadRate=16 "                              \
     "FRAGMENTSHADER.VectorThreads=1024 FRAGMENTSHADER.VectorResources=65536 "                     \
     "FRAGMENTSHADER.ExecutableThreads=16384 FRAGMENTSHADER.ThreadResources=65536 "                \
     "FRAGMENTSHADER.FetchDelay=0 FRAGMENTSHADER.InputsPerCycle=16 "                               \
     "FRAGMENTSHADER.OutputsPerCycle=16 FRAGMENTSHADER.OutputDelay=1 "                             \
     "FRAGMENTSHADER.OutputLatency=1 FRAGMENTSHADER.OutputAttributesCycle=32 "                     \
     "RASTERIZER.ShaderInputQueueSize=4096 RASTERIZER.ShadedStampQueueSize=65536 "                 \
     "RASTERIZER.ShadedVertexQueueSize=65536 SIMULATOR.HalfCycle=TRUE")                            \
   I(texture, "texture units: four for each shader, wide ports, long queues",                     \
     "FRAGMENTSHADER.TextureUnits=4 FRAGMENTSHADER.TextureRequestRate=16 "                         \
     "FRAGMENTSHADER.TextureRequestGroup=1 FRAGMENTSHADER.TextureRequestQueueSize=4096 "           \
     "FRAGMENTSHADER.AddressALULatency=1 FRAGMENTSHADER.FilterALULatency=1 "                       \
     "FRAGMENTSHADER.TextureAccessQueue=4096 FRAGMENTSHADER.TextureWaitReadWindow=4096 "           \
     "FRAGMENTSHADER.TextureResultQueue=256 FRAGMENTSHADER.TextureCachePortWidth=64 "              \
     "FRAGMENTSHADER.TextureCacheRequestQueueSize=256 "                                            \
     "FRAGMENTSHADER.TextureCacheInputQueue=256 FRAGMENTSHADER.TextureCacheMissesPerCycle=16 "     \
     "FRAGMENTSHADER.TextureCacheDecompressLatency=1 FRAGMENTSHADER.TextureCacheInputQueueL1=256") \
   I(caches, "caches of textures, colours, depths and vertices that hold all that is used",        \
     "FRAGMENTSHADER.TextureCacheWays=64 FRAGMENTSHADER.TextureCacheLines=1024 "                   \
     "FRAGMENTSHADER.TextureCacheWaysL1=64 FRAGMENTSHADER.TextureCacheLinesL1=1024 "               \
     "ZSTENCILTEST.ZCacheWays=64 ZSTENCILTEST.ZCacheLines=64 COLORWRITE.ColorCacheWays=64 "        \
     "COLORWRITE.ColorCacheLines=64 STREAMER.SLInputCacheLines=1024 "                              \
     "STREAMER.OutputMemorySize=4096 STREAMER.OutputCacheKeeps=TRUE")                              \
   I(rop, "Z and colour units: 16, long queues, nothing takes more than a cycle",      \
     "GPU.NumStampPipes=16 "                                                                       \
     "ZSTENCILTEST.InputQueueSize=4096 ZSTENCILTEST.FetchQueueSize=4096 "                          \
     "ZSTENCILTEST.ReadQueueSize=4096 ZSTENCILTEST.OpQueueSize=4096 "                              \
     "ZSTENCILTEST.WriteQueueSize=4096 ZSTENCILTEST.ZCachePortWidth=256 "                          \
     "ZSTENCILTEST.ZCacheRequestQueueSize=64 ZSTENCILTEST.ZCacheInputQueueSize=64 "                \
     "ZSTENCILTEST.ZCacheOutputQueueSize=64 ZSTENCILTEST.CompressionUnitLatency=1 "                \
     "ZSTENCILTEST.DecompressionUnitLatency=1 ZSTENCILTEST.BlocksClearedPerCycle=65536 "           \
     "ZSTENCILTEST.ZALUTestRate=1 ZSTENCILTEST.ZALULatency=1 "                                     \
     "COLORWRITE.InputQueueSize=4096 COLORWRITE.FetchQueueSize=4096 "                              \
     "COLORWRITE.ReadQueueSize=4096 COLORWRITE.OpQueueSize=4096 "                                  \
     "COLORWRITE.WriteQueueSize=4096 COLORWRITE.ColorCachePortWidth=256 "                          \
     "COLORWRITE.ColorCacheRequestQueueSize=64 COLORWRITE.ColorCacheInputQueueSize=64 "            \
     "COLORWRITE.ColorCacheOutputQueueSize=64 COLORWRITE.CompressionUnitLatency=1 "                \
     "COLORWRITE.DecompressionUnitLatency=1 COLORWRITE.BlocksClearedPerCycle=65536 "               \
     "COLORWRITE.BlendALURate=1 COLORWRITE.BlendALULatency=1")                                     \
   I(command, "command processor: any draws overlap, registers never wait",                        \
     "COMMANDPROCESSOR.PipelinedBatchRendering=TRUE COMMANDPROCESSOR.FreeOverlap=TRUE "            \
     "COMMANDPROCESSOR.MaxDraws=15 COMMANDPROCESSOR.UpdateBufferSize=65536 "                       \
     "COMMANDPROCESSOR.HardwareContexts=64")                                                       \
   I(dac, "DAC: 256 blocks asked for, as many a cycle, no latencies",                              \
     "DAC.BlockRequestQueueSize=256 DAC.BlockUpdateLatency=0 DAC.BlocksUpdatedPerCycle=65536 "     \
     "DAC.DecompressionUnitLatency=1 DAC.BlocksPerCycle=256")
/* clang-format on */

/* Gives the units of a list ("memory,texture") their speed; after everything else has been set.
 * NULL or "": nothing. False with a message when a name is not one of these. */
bool sim_config_idealise(struct sim_config *config, const char *list, char *error,
                         size_t error_size);

#endif
