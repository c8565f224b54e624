/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of the original (release of 2015, its report's Appendix B) that are not counted here,
 * and why; and those of the same name that it counts differently. All others mean the same and
 * agree for equal work. In a name '#' is a number, '*' anything. Not here: what is counted (the
 * sheets in units/), keys without effect (config/sim_release_keys.h). */
#ifndef SIM_RELEASE_STATISTICS_H
#define SIM_RELEASE_STATISTICS_H

/* clang-format off */

/* R(reason, why it is not counted) */
#define SIM_UNCOUNTED_REASONS(R)                                                                  \
   R(CYCLES, "frames.csv and draws.csv have the cycles")                                          \
   R(AVERAGE,                                                                                     \
      "averages over draws do not give the average over a frame; the sums, and what to divide "   \
      "them by, are counted")                                                                     \
   R(CLIENTS,                                                                                     \
      "requests are counted by kind of client; each unit counts its own requests and bytes, "     \
      "and each channel, too")                                                                    \
   R(NO_PRELOAD, "memory is not preloaded: uploads cross the system bus")                         \
   R(SYSTEM_BUS,                                                                                  \
      "BytesWritten_CP and BytesRead_CP: only the command processor uses the system bus")         \
   R(PAGES_ONLY,                                                                                  \
      "of its first memory controller; TotalReadBytes_MC, ReadDataBytes_Sched#, RowMiss_Sched#, " \
      "WastedCycles_*_Sched# and IdleCycles_Sched# are those of both controllers here")           \
   R(CP_READY, "the command processor is starved or idle then: CyclesStarved_CP, CyclesIdle_CP")  \
   R(CP_STATE, "block states are neither saved nor restored")                                     \
   R(SCHED, "WastedCycles_*_Sched# and the cycles of each pair of commands have it")              \
   R(DATA_PINS, "in read2readCycles: both wait for the data pins alone")                          \
   R(BLITTER, "the Blitter has one queue: CyclesBlocked_Blitter")                                 \
   R(CACHE_SUMS,                                                                                  \
      "other statistics have the same values: a miss that fails is counted by its cause, and "    \
      "each line that is reserved is given back")                                                 \
   R(ROP_BUS, "the memory controller counts the cycles of its clients' buses")                    \
   R(READ_ONLY, "only fills write a texture cache")                                               \
   R(WINDOW, "a read waits in the window until its line is there, so it never fails")             \
   R(LOADER_CACHE, "each loader has a cache of its own: *_FC_InC_SL#")                            \
   R(VERTEX_AVERAGE,                                                                              \
      "averages over draws do not give the average over a frame; the first one is Inputs_SL# "    \
      "divided by the cycles")                                                                    \
   R(THREAD_AVERAGE,                                                                              \
      "averages and extremes of draws are not those of a frame; ReadyThreads_ShF-FS# is the sum " \
      "over cycles")                                                                              \
   R(REFETCHED,                                                                                   \
      "what does not issue is fetched again: ReFetchedInstr_ShF-FS#; the release's vector "       \
      "shader counts none of them")                                                               \
   R(UNBLOCKS, "the texture unit answers to Shader Fetch: Unblocks_ShF-FS#")                      \
   R(NO_DEPTH_EXPORT, "no instruction exports depth while a program goes on")                     \
   R(QUEUE_LEVEL,                                                                                 \
      "several draws share a queue, so its level belongs to none of them; Stalls*_FFU has "       \
      "what a full queue costs each")                                                             \
   R(SCISSOR, "traversal applies the scissor, and makes no quads outside it")

/* S(statistic, reason) */
#define SIM_UNCOUNTED_STATISTICS(S)                                                               \
   S("CycleCounter", CYCLES)                                                                      \
   S("*_serviceTimeAvg_MC", AVERAGE)                                                              \
   S("Request_Buffer_AVG_Allocated_Entries_MC", AVERAGE)                                          \
   S("Service_Queue_AVG_Items_MC", AVERAGE)                                                       \
   S("PendingMemoryRequestsAvg_TU-FS#TU#", AVERAGE)                                               \
   S("ColorWrite#_*", CLIENTS)                                                                    \
   S("ZStencilTest#_*", CLIENTS)                                                                  \
   S("TextureUnit#_*", CLIENTS)                                                                   \
   S("CommandProcessor_*_Sched#_MC", CLIENTS)                                                     \
   S("DAC_*_Sched#_MC", CLIENTS)                                                                  \
   S("StreamerFetch_*_Sched#_MC", CLIENTS)                                                        \
   S("StreamerLoader_*_Sched#_MC", CLIENTS)                                                       \
   S("PreloadTransactions_MC", NO_PRELOAD)                                                        \
   S("MemoryPreload_CP", NO_PRELOAD)                                                              \
   S("ReadBytesSystemBus_MC", SYSTEM_BUS)                                                         \
   S("WriteBytesSystemBus_MC", SYSTEM_BUS)                                                        \
   S("System*_MC", SYSTEM_BUS)                                                                    \
   S("MemoryRead*_MC", PAGES_ONLY)                                                                \
   S("MemoryWrite*_MC", PAGES_ONLY)                                                               \
   S("OpenPage*_MC", PAGES_ONLY)                                                                  \
   S("ReadBytesMemoryBus#_MC", PAGES_ONLY)                                                        \
   S("WriteBytesMemoryBus#_MC", PAGES_ONLY)                                                       \
   S("ReadToWritePenalty#_MC", PAGES_ONLY)                                                        \
   S("WriteToReadPenalty#_MC", PAGES_ONLY)                                                        \
   S("UnusedCycles_MC", PAGES_ONLY)                                                               \
   S("Ready_CP", CP_READY)                                                                        \
   S("SaveRestoreState_CP", CP_STATE)                                                             \
   S("Sched#_ChSched_*", SCHED)                                                                   \
   S("write#writeCycles_Sched#", DATA_PINS)                                                       \
   S("*QueueFull_Blitter", BLITTER)                                                               \
   S("MissFailMissAlloc_FC_*", CACHE_SUMS)                                                        \
   S("MissFailMissFetch_FC_*", CACHE_SUMS)                                                        \
   S("Unreserves_FC_*", CACHE_SUMS)                                                               \
   S("DataBusBusy_CW-SU#", ROP_BUS)                                                               \
   S("DataBusBusy_ZST-SU#", ROP_BUS)                                                              \
   S("*Alloc_FC_TU-FS#TU#", READ_ONLY)                                                            \
   S("*Alloc_FC#_TU-FS#TU#", READ_ONLY)                                                           \
   S("Writes*_FC_TU-FS#TU#", READ_ONLY)                                                           \
   S("Writes*_FC#_TU-FS#TU#", READ_ONLY)                                                          \
   S("ReadsFail_FC#_TU-FS#TU#", WINDOW)                                                           \
   S("*_InC", LOADER_CACHE)                                                                       \
   S("AvgVtxSentThisCycle_SL#", VERTEX_AVERAGE)                                                   \
   S("AvgShadeLatency_StC", VERTEX_AVERAGE)                                                       \
   S("ReadyThreadsAvg_ShF-FS#", THREAD_AVERAGE)                                                   \
   S("ReadyThreadsMax_ShF-FS#", THREAD_AVERAGE)                                                   \
   S("ReadyThreadsMin_ShF-FS#", THREAD_AVERAGE)                                                   \
   S("BlockedInstructions_ShDX-FS#", REFETCHED)                                                   \
   S("FakedInstructions_ShDX-FS#", REFETCHED)                                                     \
   S("RemovedInstructions_ShDX-FS#", REFETCHED)                                                   \
   S("UnblockCommands_ShDX-FS#", UNBLOCKS)                                                        \
   S("ZExports_ShDX-FS#", NO_DEPTH_EXPORT)                                                        \
   S("*QueueOccupation_FFU", QUEUE_LEVEL)                                                         \
   S("*QueuesOccupation_FFU", QUEUE_LEVEL)                                                        \
   S("OutsideViewportFragments_HZ", SCISSOR)

/* R(difference, what the original counts) */
#define SIM_DIFFERENCES(R)                                                                        \
   R(END_OF_DRAW, "the end of each draw, too; without Batches_CP it counts as here")              \
   R(TRIANGLE_REQUESTS, "requests of TrianglesCycle triangles each, with the ends of draws")      \
   R(VERTEX_REQUESTS, "requests of up to VerticesCycle vertices each")                            \
   R(PROGRAM_OUTPUTS, "the outputs of the vertex program, once a draw")                           \
   R(DEAD_LANES,                                                                                  \
      "4 fragments of each quad, dead ones too, and of the end of each draw; here the live "      \
      "ones, as everywhere in this project")                                                      \
   R(EMPTY_LANES, "all lanes of vertex groups, also those without a vertex")                      \
   R(BLOCKS, "also jumps, and a group at its END, which waits for its last results")              \
   R(END_OF_GROUP,                                                                                \
      "a group at its END as blocked until its last results are written, then as finished "       \
      "until its outputs begin to leave; here it is finished from its END until they have "       \
      "left")                                                                                     \
   R(NO_DEPTH_TEST,                                                                               \
      "quads of draws without depth and stencil test, too: they pass through this unit "          \
      "there, and around it here")                                                                \
   R(SAMPLES, "a quad once; here once for each sample, as samples have separate lines")           \
   R(TRANSACTIONS, "memory transactions; here their bytes")                                       \
   R(STAY_0, "nothing: it stays 0")                                                               \
   R(SEVERAL_UNITS,                                                                               \
      "nothing for a unit with several instances; here the sum over all of them")                 \
   R(CP_CYCLES,                                                                                   \
      "cycles in states of its command processor, which starts and ends a draw by commands "      \
      "to each unit; Swap_CP has the flush of a swap")                                            \
   R(HZ_ORDER,                                                                                    \
      "the same: each of 16 look-ups that fail in a cycle in which the ZST writes bounds. "       \
      "How many fail depends on which ROPs evict together; hits and reads agree")                 \
   R(WHOLE_BLOCKS,                                                                                \
      "the same, for each transaction of 64 bytes; here a block is read or written at once, so "  \
      "a wait counts once that counts up to four times there")                                    \
   R(FEW_EVENTS,                                                                                  \
      "the same: tWTR cycles for a read right after a write of an open row. A small stream "      \
      "has about ten, so that one request which overtakes another changes it by a tenth")         \
   R(OTHER_ARRAYS,                                                                                \
      "the same, for other arrays: its library puts each attribute of glBegin into an array in "  \
      "separate pages, even if it never changes; Mesa puts the attributes side by side, and "     \
      "makes a constant of one that never changes")                                               \
   R(OTHER_DRIVER, "the same, for the commands of its own driver")                                \
   R(OTHER_COMPILER,                                                                              \
      "the same, for programs of its own compiler; tests/timing/programs/ has some of them")

/* S(statistic, difference) */
#define SIM_DIFFERENT_STATISTICS(S)                                                               \
   S("Triangles_PA", END_OF_DRAW)                                                                 \
   S("InputTriangles_CLP", END_OF_DRAW)                                                           \
   S("OutputTriangles_CLP", END_OF_DRAW)                                                          \
   S("InputTriangles_TS", END_OF_DRAW)                                                            \
   S("OutputTriangles_TS", END_OF_DRAW)                                                           \
   S("InputTriangles_TT", END_OF_DRAW)                                                            \
   S("RequestedTriangles_TS", TRIANGLE_REQUESTS)                                                  \
   S("RequestedTriangles_TT", TRIANGLE_REQUESTS)                                                  \
   S("Requests_PA", VERTEX_REQUESTS)                                                              \
   S("OutputAttributes_StC", PROGRAM_OUTPUTS)                                                     \
   S("InputFragments_FFU", DEAD_LANES)                                                            \
   S("ShadedFragments_FFU", DEAD_LANES)                                                           \
   S("OutputFragments_FFU", DEAD_LANES)                                                           \
   S("ShadedVertices_FFU", EMPTY_LANES)                                                           \
   S("Blocks_ShF-FS#", BLOCKS)                                                                    \
   S("BlockCommands_ShDX-FS#", BLOCKS)                                                            \
   S("BlockedThreads_ShF-FS#", END_OF_GROUP)                                                      \
   S("FinishedThreads_ShF-FS#", END_OF_GROUP)                                                     \
   S("NoReadyCycles_ShF-FS#", END_OF_GROUP)                                                       \
   S("InputFragments_ZST-SU#", NO_DEPTH_TEST)                                                     \
   S("OutsideFragments_ZST-SU#", NO_DEPTH_TEST)                                                   \
   S("OutputFragments_ZST-SU#", NO_DEPTH_TEST)                                                    \
   S("ConsumerBusy_ZST-SU#", NO_DEPTH_TEST)                                                       \
   S("InputQEmpty_ZST-SU#", NO_DEPTH_TEST)                                                        \
   S("FetchQEmpty_ZST-SU#", NO_DEPTH_TEST)                                                        \
   S("ReadQEmpty_ZST-SU#", NO_DEPTH_TEST)                                                         \
   S("OperationQEmpty_ZST-SU#", NO_DEPTH_TEST)                                                    \
   S("WriteQEmpty_ZST-SU#", NO_DEPTH_TEST)                                                        \
   S("WriteQFullStall_ZST-SU#", NO_DEPTH_TEST)                                                    \
   S("FetchOK_ZST-SU#", SAMPLES)                                                                  \
   S("AllocateOK_CW-SU#", SAMPLES)                                                                \
   S("BlendedFragments_CW-SU#", SAMPLES)                                                          \
   S("TotalReadBytes_MC", TRANSACTIONS)                                                           \
   S("TotalWriteBytes_MC", TRANSACTIONS)                                                          \
   S("DataBytes_Sched#", STAY_0)                                                                  \
   S("ReadRowHit_Sched#", STAY_0)                                                                 \
   S("ReadRowMiss_Sched#", STAY_0)                                                                \
   S("WriteRowHit_Sched#", STAY_0)                                                                \
   S("WriteRowMiss_Sched#", STAY_0)                                                               \
   S("*_AcceptReadCycles_MC", SEVERAL_UNITS)                                                      \
   S("*_AcceptWriteCycles_MC", SEVERAL_UNITS)                                                     \
   S("Draw_CP", CP_CYCLES)                                                                        \
   S("EndGeometry_CP", CP_CYCLES)                                                                 \
   S("EndFragment_CP", CP_CYCLES)                                                                 \
   S("Flush_CP", CP_CYCLES)                                                                       \
   S("Clear_CP", CP_CYCLES)                                                                       \
   S("MemReqStall_*", WHOLE_BLOCKS)                                                               \
   S("AllocateFailed_CW-SU#", WHOLE_BLOCKS)                                                       \
   S("MissesHZCache_HZ", HZ_ORDER)                                                                \
   S("WastedCycles_WRITE_TO_READ_Sched#", FEW_EVENTS)                                             \
   S("write#readCycles_Sched#", FEW_EVENTS)                                                       \
   S("Fetches_SL#", OTHER_ARRAYS)                                                                 \
   S("Reads_SL#", OTHER_ARRAYS)                                                                   \
   S("ReadBytes_SL#", OTHER_ARRAYS)                                                               \
   S("MemTransactions_SL#", OTHER_ARRAYS)                                                         \
   S("MappedAttributes_SL#", OTHER_ARRAYS)                                                        \
   S("StreamerLoader_*_MC", OTHER_ARRAYS)                                                         \
   S("RegisterWrites_CP", OTHER_DRIVER)                                                           \
   S("BytesWritten_CP", OTHER_DRIVER)                                                             \
   S("BytesRead_CP", OTHER_DRIVER)                                                                \
   S("WriteTransactions_CP", OTHER_DRIVER)                                                        \
   S("MemoryWrite_CP", OTHER_DRIVER)                                                              \
   S("CommandProcessor_*_MC", OTHER_DRIVER)                                                       \
   S("FetchedInstr_ShF-FS#", OTHER_COMPILER)                                                      \
   S("ReFetchedInstr_ShF-FS#", OTHER_COMPILER)                                                    \
   S("InputActiveInputAttributes_ShF-FS#", OTHER_COMPILER)                                        \
   S("UsedResources_ShF-FS#", OTHER_COMPILER)                                                     \
   S("ExecutedInstructions_ShDX-FS#", OTHER_COMPILER)                                             \
   S("ReplayCommands_ShDX-FS#", OTHER_COMPILER)

/* clang-format on */

#endif
