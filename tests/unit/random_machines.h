/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Machines for random scenes: what --set would set, with semicolons between. Seeds of tests count
 * them from the first on, so a new one comes last. Not here: the scenes
 * (random_scene.h), machines drawn at random (random_config.h). */
#ifndef RANDOM_MACHINES_H
#define RANDOM_MACHINES_H

#define RANDOM_TILED \
   "GPU.Renderer=TILED;COMMANDPROCESSOR.FreeOverlap=TRUE;RASTERIZER.DisableHZ=TRUE"
static const char *const machines[] = {
    "",
    "GPU.NumStampPipes=4;GPU.NumFragmentShaders=3;FRAGMENTSHADER.VectorShader=1;"
    "FRAGMENTSHADER.VectorLength=16;FRAGMENTSHADER."
    "VectorResources=256",
    "GPU.NumStampPipes=1;GPU.NumFragmentShaders=1;STREAMER.OutputMemorySize=4;STREAMER."
    "SLInputCacheLines=1;STREAMER."
    "IndexBufferSize=64;"
    "STREAMER.SLInputCacheLineSize=64;CLIPPER.ClipBufferSize=1;RASTERIZER.EarlyZQueueSize=16;"
    "COMMANDPROCESSOR.MaxDraws=15",
    "GPU.Unified=FALSE;GPU.MemoryClock=400;GPU.ShaderClock=900;COMMANDPROCESSOR."
    "PipelinedBatchRendering=FALSE",
    "RASTERIZER.DisableHZ=TRUE;ZSTENCILTEST.DisableCompression=TRUE;COLORWRITE.DisableCompression="
    "TRUE;STREAMER."
    "IndicesCycle=4;"
    "STREAMER.VerticesCycle=4;RASTERIZER.StampsPerCycle=4;CLIPPER.TrianglesCycle=4;RASTERIZER."
    "TrianglesCycle=4;"
    "PRIMITIVEASSEMBLY.TrianglesCycle=4",
    "MEMORYCONTROLLER.MemoryControllerV2=TRUE;GPU.MemoryClock=500;COMMANDPROCESSOR.FreeOverlap="
    "TRUE",
    "MEMORYCONTROLLER.MemoryControllerV2=TRUE;GPU.MemoryClock=450;MEMORYCONTROLLER."
    "RequestQueueSize=40;"
    "MEMORYCONTROLLER.ServiceQueueSize=2;MEMORYCONTROLLER.WriteBufferLines=4",
    "MEMORYCONTROLLER.MemoryControllerV2=TRUE;MEMORYCONTROLLER.V2ChannelInterleavingMask=7 6;"
    "MEMORYCONTROLLER.V2BankInterleavingMask=10 9 8;MEMORYCONTROLLER.V2ChannelScheduler=3;"
    "MEMORYCONTROLLER.V2PagePolicy=1;MEMORYCONTROLLER.V2GDDR_tREFI=3000;"
    "MEMORYCONTROLLER.V2GDDR_tRFC=60;MEMORYCONTROLLER.V2GDDR_tRAS=30;"
    "MEMORYCONTROLLER.V2GDDR_tFAW=40",
    /* The HZ of the release, with hardly any room. */
    "RASTERIZER.HZVariant=2;RASTERIZER.HZCacheLines=2;RASTERIZER.HierarchicalZBufferSize=1024;"
    "RASTERIZER.HZSurfaces=3;RASTERIZER.HZAccessLatency=5;RASTERIZER.EarlyZQueueSize=64;"
    "COMMANDPROCESSOR.FreeOverlap=TRUE",
    "RASTERIZER.TriangleSetupOnShader=TRUE;RASTERIZER.TriangleShaderQueueSize=6;RASTERIZER."
    "SetupUnits=2;STREAMER.StreamerLoaderUnits=3;STREAMER.SLInputCachePortWidth=2;STREAMER."
    "SLInputCacheInputQueueSize=1;GPU.ShaderClock=700",
    /* Tile-based: as it comes; with hardly any room, on the release's memory. */
    RANDOM_TILED,
    RANDOM_TILED
    ";TILING.ParameterBufferSize=16;TILING.TileWidth=8;TILING.TileHeight=32;"
    "TILING.TileBuffers=1;TILING.TileOrder=Z;TILING.PassDraws=5;TILING.TileCacheWays=1;"
    "TILING.TileCacheLines=4;GPU.NumStampPipes=4;MEMORYCONTROLLER.MemoryControllerV2=TRUE",
    /* Groups of several parts, and many units. */
    "GPU.NumStampPipes=32;GPU.NumFragmentShaders=40;FRAGMENTSHADER.VectorShader=1;"
    "FRAGMENTSHADER.VectorLength=64;FRAGMENTSHADER.VectorALUWidth=32;"
    "FRAGMENTSHADER.VectorResources=256;MEMORYCONTROLLER.MemoryControllerV2=TRUE;"
    "MEMORYCONTROLLER.V2MemoryChannels=32;"
    "MEMORYCONTROLLER.V2ChannelInterleavingMask=12 11 10 9 8;"
    "MEMORYCONTROLLER.V2BankInterleavingMask=16 15 14",
    "FRAGMENTSHADER.ThreadGroup=40;FRAGMENTSHADER.ThreadRate=8;FRAGMENTSHADER.ThreadResources=800;"
    "RASTERIZER.TriangleSetupOnShader=TRUE",
    /* Tile-based, what repeats itself is not written. */
    RANDOM_TILED ";TILING.TransactionElimination=TRUE;TILING.TileWidth=32;TILING.TileHeight=32",
    /* And is not drawn. */
    RANDOM_TILED ";TILING.RenderingElimination=TRUE",
    /* Several open passes: room for most targets; for two, drawn in parts and as they repeat. */
    RANDOM_TILED ";TILING.OpenPasses=6",
    RANDOM_TILED
    ";TILING.OpenPasses=2;TILING.ParameterBufferSize=32;TILING.TileWidth=32;TILING.TileHeight=8;"
    "TILING.TileCacheLines=4;TILING.PassDraws=9;TILING.TileBuffers=1;"
    "TILING.RenderingElimination=TRUE;TILING.TransactionElimination=TRUE",
    /* What later opaque quads cover is not shaded: a wide window, and one that is often full. */
    RANDOM_TILED ";TILING.ForwardPixelKill=256",
    RANDOM_TILED
    ";TILING.ForwardPixelKill=20;TILING.TileWidth=8;TILING.TileHeight=8;GPU.NumStampPipes=1;"
    "RASTERIZER.ShadedStampQueueSize=40;TILING.TileBuffers=1",
    /* With Hierarchical Z: as it comes; that of the release, with hardly any room and a Z cache
     * that holds less than a bin; with nearest depths, several passes, bins that repeat themselves.
     */
    RANDOM_TILED ";RASTERIZER.DisableHZ=FALSE;TILING.ForwardPixelKill=256",
    RANDOM_TILED
    ";RASTERIZER.DisableHZ=FALSE;RASTERIZER.HZVariant=2;RASTERIZER.HZCacheLines=2;"
    "RASTERIZER.HierarchicalZBufferSize=1024;RASTERIZER.HZSurfaces=3;RASTERIZER.HZAccessLatency=20;"
    "RASTERIZER.EarlyZQueueSize=256;TILING.TileWidth=32;TILING.TileHeight=32;TILING.TileBuffers=1;"
    "ZSTENCILTEST.ZCacheWays=1;ZSTENCILTEST.ZCacheLines=4;TILING.OpenPasses=3",
    RANDOM_TILED
    ";RASTERIZER.DisableHZ=FALSE;RASTERIZER.HZNearest=TRUE;RASTERIZER.HZMin=TRUE;"
    "RASTERIZER.HZUpdateLatency=100;TILING.OpenPasses=6;TILING.RenderingElimination=TRUE",
    /* Hidden surface removal: as it comes; with small bins and hardly any room behind it. */
    RANDOM_TILED ";TILING.HiddenSurfaceRemoval=TRUE;TILING.TileWidth=32",
    RANDOM_TILED
    ";TILING.HiddenSurfaceRemoval=TRUE;RASTERIZER.DisableHZ=FALSE;TILING.ForwardPixelKill=20;"
    "TILING.TileWidth=8;TILING.TileHeight=8;GPU.NumStampPipes=1;TILING.OpenPasses=3;"
    "RASTERIZER.EarlyZTestedStampQueueSize=1;RASTERIZER.ShadedStampQueueSize=40",
    /* Low-resolution Z: as it comes; with half of the tiles, several passes and all that hides. */
    RANDOM_TILED ";TILING.LowResolutionZ=1024",
    RANDOM_TILED ";TILING.LowResolutionZ=60;RASTERIZER.DisableHZ=FALSE;TILING.OpenPasses=3;"
                 "TILING.HiddenSurfaceRemoval=TRUE;TILING.ParameterBufferSize=48",
    /* One window for all shaders: with hardly any room, and a queue of groups of several parts. */
    "FRAGMENTSHADER.SharedWindow=TRUE;GPU.NumFragmentShaders=5;FRAGMENTSHADER.ExecutableThreads=8;"
    "FRAGMENTSHADER.InputBuffers=0;FRAGMENTSHADER.ThreadResources=64;"
    "FRAGMENTSHADER.SwapOnBlock=TRUE;FRAGMENTSHADER.SharedTextureUnits=2;GPU.ShaderClock=700",
    "FRAGMENTSHADER.SharedWindow=TRUE;GPU.NumFragmentShaders=7;GPU.NumStampPipes=4;"
    "FRAGMENTSHADER.VectorShader=TRUE;FRAGMENTSHADER.VectorLength=32;"
    "FRAGMENTSHADER.VectorResources=64;FRAGMENTSHADER.ThreadWindow=FALSE;"
    "RASTERIZER.TriangleSetupOnShader=TRUE",
};
#define NUM_MACHINES (sizeof(machines) / sizeof(machines[0]))

#endif
