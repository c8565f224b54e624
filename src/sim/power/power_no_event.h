/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics that count something and have no energy of their own, and why: a new one is here or in
 * power_events.h, which has those with energy (tests/unit/test_power_events.c). Not here:
 * statistics in cycles, which are time; what a unit costs in a cycle hangs on CyclesBusy and its
 * like.
 */
#ifndef POWER_NO_EVENT_H
#define POWER_NO_EVENT_H

#define POWER_NO_TRY "it did not happen, and is tried again"
#define POWER_NO_LEVEL "how many there are, summed over cycles: nothing happens"

/* N(classes, statistics, why): names with spaces between them; '*' stands for anything. */
/* clang-format off */
#define POWER_NO_EVENT(N)                                                                         \
   N("CommandProcessor",                                                                          \
     "Batches SkippedBatches Frames ProgramsHeld Bit*Blits SurfaceSwitches CacheInvalidations "   \
     "ContextSwitches", "kinds of Commands and what follows from them")                           \
   N("CommandProcessor", "WriteTransactions ReadTransactions", "of BytesWritten and BytesRead")   \
   N("StreamerFetch", "MemoryTransactions ReadBytes",                                             \
     "IndexesSent has the buffer's part; the memory controller charges what is read")             \
   N("StreamerOutputCache", "Hits Misses", "what came of a look-up (Indices)")                    \
   N("StreamerLoader", "Indices Inputs SplittedAttributes Reads ReadBytes MemTransactions "       \
     "HitsFetch_* MissesFetch_* MissOKFetch_* ReadsOK_* Unreserves_*",                            \
     "parts and outcomes of Fetches, MappedAttributes and accesses by bytes (*Bytes_FC_InC)")     \
   N("StreamerLoader", "NoFetches NoReads MissFail* ReadsFail_*", POWER_NO_TRY)                   \
   N("StreamerCommit", "Requests Indices ShaderOutputs Outputs",                                  \
     "vertices, whose attributes have energy (OutputAttributes)")                                 \
   N("PrimitiveAssembly", "Requests Degenerated", "of Vertices and Triangles")                    \
   N("Clipper", "OutputTriangles ClippedTriangles SplitTriangles",                                \
     "what came of InputTriangles; ClipCycles is the work")                                       \
   N("TriangleSetup", "InputTriangles OutputTriangles Culled* *FacingTriangles TrianglesLess_1 "  \
     "Triangles*_to_* TrianglesGreaterScreen TrianglesOverlap_*",                                 \
     "kinds of triangles that were set up (RequestedTriangles)")                                  \
   N("TriangleTraversal", "InputTriangles RequestedTriangles TriangleBatches GeneratedFragments " \
     "OutputTiles Stamps*Fragment TilesLevel*", "parts of GeneratedTiles and TestedBlocks")       \
   N("HierarchicalZ", "InputFragments OutputFragments Outside*Fragments Culled*Fragments "        \
     "*HZCache ReadsHZBuffer WriteBacksHZBuffer VoidUpdates NewSurfaces",                         \
     "parts and outcomes of InputTiles, which read the buffer, WritesHZBuffer and OutputQuads")   \
   N("Interpolator", "InterpolatedFragments", "four of InterpolatedQuads")                        \
   N("FragmentFIFO", "InputFragments ShadedFragments InputVertices OutputVertices KilledStamps "  \
     "InputTriangles ShadedTriangles OutputTriangles *Threads",                                   \
     "the same at other places (InterpolatedFragments, OutputFragments, ShadedVertices)")         \
   N("ShaderFetch", "Inputs InputActiveOutputAttributes InputRegisters StartedThreads "           \
     "EndedThreads Blocks Unblocks",                                                              \
     "a group's begin and end are charged by what is loaded and stored "                          \
     "(InputActiveInputAttributes, Outputs)")                                                     \
   N("ShaderFetch", "ReFetchedInstr PairedInstr", "parts of FetchedInstr")                        \
   N("ShaderFetch", "ReadyThreads BlockedThreads FinishedThreads FreeThreads UsedResources",      \
     POWER_NO_LEVEL)                                                                              \
   N("ShaderDecodeExecute", "ExecutedInstructions ExecutedInputs TextureRequests *Commands",      \
     "sums and kinds of SIMDInstructions, ScalarInstructions and FlowInstructions")               \
   N("ShaderDecodeExecute", "Stalls*",                                                            \
     "an instruction that did not issue; it is fetched again (FetchedInstr_ShF)")                 \
   N("TextureUnit", "TextureResults AnisotropyRatio MagnifiedPixels PointSampled MipsSampled* "   \
     "AddressCalculationFinished Histo*", "kinds of TextureRequests and BilinearSamples")         \
   N("TextureUnit", "FetchesFailed FetchesSkiped ReadsFailed *BankConflicts MissFail* "           \
     "ReadsFail_FC", POWER_NO_TRY)                                                                \
   N("TextureUnit", "*Occupation PendingMemoryRequests", POWER_NO_LEVEL)                          \
   N("TextureUnit", "ReadsOK HitsFetch_FC64 MissesFetch_* MissOKFetch_* ReadsOK_* Unreserves_* "  \
     "MemoryRequests ReadTransactions ReadBytesMemory",                                           \
     "outcomes of look-ups (FetchesOK, HitsFetch_FC), and accesses that have energy by bytes "    \
     "(*Bytes_FC, *Bytes_FC64)")                                                                  \
   N("ColorWrite ZStencilTest", "OutsideFragments CulledFragments OperatedFragments",             \
     "kinds of InputFragments")                                                                   \
   N("ColorWrite ZStencilTest", "HitsFetch_FC MissesFetch_FC MissOKFetch_FC HitsAlloc_FC "        \
     "MissesAlloc_FC MissOKAlloc_FC", "what came of a look-up (FetchOK, AllocateOK)")             \
   N("ColorWrite ZStencilTest", "ReadOK WriteOK ReadsOK_FC WritesOK_FC",                          \
     "accesses have energy by bytes (ReadBytes_FC, WriteBytes_FC)")                               \
   N("ColorWrite ZStencilTest", "ComprBlock* ClearFills ReadTransactions WriteTransactions "      \
     "ReadBytes WriteBytes", "of blocks that are read and written (ReadReqAccepted, "             \
     "WriteReqAccepted); the memory controller charges the way there")                            \
   N("ColorWrite", "WrittenSamples AlphaCoverageSamples", "of InputFragments and bytes written")  \
   N("ZStencilTest", "TestedFragments PassedFragments FailedFragments OutputFragments "           \
     "PassedSamples CulledQuads", "kinds of TestedSamples and InputFragments")                    \
   N("ZStencilTest", "UpdatesHZ", "Hierarchical Z charges it (WritesHZBuffer)")                   \
   N("Blitter", "Blits ElementsCopied ReadBlocks WrittenBlocks ColorStateBlocks*",                \
     "parts of ReadBytes and WriteBytes")                                                         \
   N("DAC", "Frames Refreshes ReadTransactions ColorStateBlocks*", "parts of ReadBytes")          \
   N("DAC", "PendingRequests", POWER_NO_LEVEL)                                                    \
   N("MemoryController MemoryControllerV2", "*_Transactions *_ReadTransactions "                  \
     "*_WriteTransactions *_ReadBytes *_WriteBytes *_completedReadTrans TotalTransactions "       \
     "TotalReadTransactions TotalWriteTransactions", "parts of TotalReadBytes, TotalWriteBytes")  \
   N("MemoryControllerV2", "*_Entries *_Items", POWER_NO_LEVEL)                                   \
   N("GDDRChannel", "Client* RowHit RowMiss ReadRow* WriteRow* ACTCommandsReceived "              \
     "ClosePageActivationCount SwitchModeCount ReadBytes WriteBytes ReadDataBytes "               \
     "WriteDataBytes", "outcomes and parts of DRAM commands (DDR*Commands) and DataBytes")        \
   N("MemoryScheduler", "ReadBytes WriteBytes RowHit RowMiss ReadRow* WriteRow* SwitchModeCount", \
     "the same")
/* clang-format on */

#endif
