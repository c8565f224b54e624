/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics that the original (release of 2015) has under the same name and counts otherwise, and
 * how. All others mean the same, and agree where both machines do the same work. Not here: those
 * that are not counted (sim_no_statistic.h).
 */
#ifndef SIM_OTHER_STATISTIC_H
#define SIM_OTHER_STATISTIC_H

/* O(names with spaces between them, what the original counts). '#' stands for a number, '*' for
 * anything. */
/* clang-format off */
#define SIM_OTHER_STATISTIC(O)                                                                    \
   /* What is counted. */                                                                         \
   O("Triangles_PA InputTriangles_CLP OutputTriangles_CLP InputTriangles_TS OutputTriangles_TS "  \
     "InputTriangles_TT",                                                                         \
     "the end of each draw, too: without Batches_CP it is ours")                                  \
   O("RequestedTriangles_TS RequestedTriangles_TT",                                               \
     "requests of TrianglesCycle triangles each, ends of draws included")                         \
   O("Requests_PA", "requests of up to VerticesCycle vertices each")                              \
   O("OutputAttributes_StC", "the outputs of the vertex program, once a draw")                    \
   O("InputFragments_FFU ShadedFragments_FFU OutputFragments_FFU",                                \
     "4 of each quad, dead ones too, and of each draw's end. Ours, the live ones, are what "      \
     "fragments are everywhere else in this project")                                             \
   O("ShadedVertices_FFU", "the lanes of vertex groups, with or without a vertex")                \
   O("Blocks_ShF-FS# BlockCommands_ShDX-FS#",                                                     \
     "a group at its END, too, which waits for its last results, and at jumps")                   \
   O("BlockedThreads_ShF-FS# FinishedThreads_ShF-FS# NoReadyCycles_ShF-FS#",                      \
     "a group at its END is blocked until its last results are written, and finished only until " \
     "its outputs begin to leave; here it is finished from its END until they have left")         \
   O("InputFragments_ZST-SU# OutsideFragments_ZST-SU# OutputFragments_ZST-SU# "                   \
     "ConsumerBusy_ZST-SU# InputQEmpty_ZST-SU# FetchQEmpty_ZST-SU# ReadQEmpty_ZST-SU# "           \
     "OperationQEmpty_ZST-SU# WriteQEmpty_ZST-SU# WriteQFullStall_ZST-SU#",                       \
     "quads of draws without depth and stencil test, too, which pass through this unit there and "\
     "around it here")                                                                            \
   O("FetchOK_ZST-SU# AllocateOK_CW-SU# BlendedFragments_CW-SU#",                                 \
     "a quad once; here once for each of its samples, which have lines of their own")             \
   O("TotalReadBytes_MC TotalWriteBytes_MC", "memory transactions; here their bytes")             \
   O("DataBytes_Sched# ReadRowHit_Sched# ReadRowMiss_Sched# WriteRowHit_Sched# "                  \
     "WriteRowMiss_Sched#",                                                                       \
     "nothing: they stay 0")                                                                      \
   O("*_AcceptReadCycles_MC *_AcceptWriteCycles_MC",                                              \
     "nothing for units of which there are several; here the sum over all of a kind")             \
   O("Draw_CP EndGeometry_CP EndFragment_CP Flush_CP Clear_CP",                                   \
     "cycles in the states of its command processor, which starts a draw and ends it by commands "\
     "to each unit; a swap's flush is part of Swap_CP")                                           \
   /* The same, but rarely of the same work. */                                                   \
   O("MissesHZCache_HZ",                                                                          \
     "the same: each of 16 look-ups that fail in a cycle in which the ZST writes bounds. How "    \
     "many there are depends on which ROPs evict together; hits and reads agree")                 \
   O("WastedCycles_WRITE_TO_READ_Sched# write#readCycles_Sched#",                                 \
     "the same: tWTR cycles for a read right after a write of an open row. There are some ten in "\
     "a small stream, so one request that overtakes another changes it by a tenth")               \
   O("Fetches_SL# Reads_SL# ReadBytes_SL# MemTransactions_SL# MappedAttributes_SL# "              \
     "StreamerLoader_*_MC",                                                                       \
     "the same, of other arrays: its library keeps the current colour (and texture coordinate) "  \
     "of glBegin in an array beside that of positions, each in pages of its own; Mesa makes "     \
     "constants of what does not change, and puts the rest side by side")                         \
   O("RegisterWrites_CP BytesWritten_CP BytesRead_CP WriteTransactions_CP MemoryWrite_CP "        \
     "CommandProcessor_*_MC",                                                                     \
     "the same, of the commands of its own driver")                                               \
   O("FetchedInstr_ShF-FS# ReFetchedInstr_ShF-FS# InputActiveInputAttributes_ShF-FS# "            \
     "UsedResources_ShF-FS# ExecutedInstructions_ShDX-FS# ReplayCommands_ShDX-FS#",               \
     "the same, of programs of its own compiler: tests/timing/programs/ has some")
/* clang-format on */

#endif
