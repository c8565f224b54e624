/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of the original (release of 2015) that are not counted here, and why. Not here: those
 * that are (attila-sim --describe), and keys of its configuration without effect
 * (config/sim_no_effect.h).
 */
#ifndef SIM_NO_STATISTIC_H
#define SIM_NO_STATISTIC_H

/* N(names with spaces between them, why). '#' stands for a number, '*' for anything. */
/* clang-format off */
#define SIM_NO_STATISTIC(N)                                                                       \
   N("CycleCounter", "frames.csv and draws.csv have the cycles")                                  \
   N("*_serviceTimeAvg_MC Request_Buffer_AVG_Allocated_Entries_MC Service_Queue_AVG_Items_MC",    \
     "averages do not add up over rows; the sums and what to divide by are there")                \
   N("ColorWrite#_* ZStencilTest#_* TextureUnit#_* CommandProcessor_*_Sched#_MC "                 \
     "DAC_*_Sched#_MC StreamerFetch_*_Sched#_MC StreamerLoader_*_Sched#_MC",                      \
     "counted by kind of client, not by instance and channel: a unit counts its own requests and "\
     "bytes, a channel its own")                                                                  \
   N("PreloadTransactions_MC MemoryPreload_CP",                                                   \
     "memory is not preloaded: what a program uploads crosses the system bus")                    \
   N("ReadBytesSystemBus_MC WriteBytesSystemBus_MC",                                              \
     "only the command processor uses the system bus: BytesWritten_CP, BytesRead_CP")             \
   N("Ready_CP SaveRestoreState_CP",                                                              \
     "the command processor is starved or idle then (CyclesStarved_CP, CyclesIdle_CP); block "    \
     "states are neither saved nor restored")                                                     \
   N("Sched#_ChSched_*", "WastedCycles_*_Sched# and the cycles of each pair of commands say it")  \
   N("write#writeCycles_Sched#", "in read2readCycles: both wait for the data pins alone")         \
   N("*QueueFull_Blitter", "the Blitter has one queue: CyclesBlocked_Blitter")                    \
   N("MissFailMissAlloc_FC_* MissFailMissFetch_FC_* Unreserves_FC_*",                             \
     "as many as others: a miss that fails is counted by its cause, and each line that is "       \
     "reserved is given back")                                                                    \
   N("DataBusBusy_CW-SU# DataBusBusy_ZST-SU#",                                                    \
     "the memory controller has the buses of its clients")                                        \
   N("*Alloc_FC_TU-FS#TU# *Alloc_FC#_TU-FS#TU# Writes*_FC_TU-FS#TU# Writes*_FC#_TU-FS#TU#",       \
     "texture caches are not written but by fills")                                               \
   N("ReadsFail_FC#_TU-FS#TU# PendingMemoryRequestsAvg_TU-FS#TU#",                                \
     "what is read is always there: the window waits; averages do not add up over rows")          \
   N("*_InC", "each loader has a cache of its own: *_FC_InC_SL#")                                 \
   N("AvgVtxSentThisCycle_SL# AvgShadeLatency_StC",                                               \
     "averages do not add up over rows; Inputs_SL# over the cycles is the first")                 \
   N("ReadyThreadsAvg_ShF-FS# ReadyThreadsMax_ShF-FS# ReadyThreadsMin_ShF-FS#",                   \
     "averages and extremes do not add up over rows; ReadyThreads_ShF-FS# is the sum over cycles")\
   N("BlockedInstructions_ShDX-FS# FakedInstructions_ShDX-FS# RemovedInstructions_ShDX-FS#",      \
     "what does not issue is fetched again: ReFetchedInstr_ShF-FS#; the release's vector shader " \
     "counts none of them")                                                                       \
   N("UnblockCommands_ShDX-FS#",                                                                  \
     "the texture unit's answer goes to Shader Fetch: Unblocks_ShF-FS#")                          \
   N("ZExports_ShDX-FS#", "no instruction exports depth while a program goes on")                 \
   N("*QueueOccupation_FFU *QueuesOccupation_FFU",                                                \
     "the level of a queue that several draws share belongs to none of them; what a full one "    \
     "costs each is in Stalls*_FFU")                                                              \
   N("OutsideViewportFragments_HZ", "the scissor belongs to traversal, which makes no such quads")
/* clang-format on */

#endif
