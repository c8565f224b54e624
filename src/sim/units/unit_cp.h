/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Command Processor (box/command/cp.c). units.h says how to read it. */
#ifndef UNIT_CP_H
#define UNIT_CP_H

/* clang-format off */
#define SIM_UNIT_cp(U)                                                                \
   U("CommandProcessor", "CP",                                                        \
      "Executes the command stream and controls the machine (ISPASS 2006 section 2)", \
      "the command; other: commands without a row")

#define SIM_PARAMS_COMMANDPROCESSOR(P, B, T)                                                  \
   B(COMMANDPROCESSOR, PipelinedBatchRendering, pipelined, 1,                                 \
      "geometry of a draw overlaps fragments of the draw before")                             \
   B(COMMANDPROCESSOR, FreeOverlap, free_overlap, 0,                                          \
      "TRUE: any draws overlap; FALSE: one in the geometry, one in the fragment phase")       \
   P(COMMANDPROCESSOR, MaxDraws, max_draws, 4, 1, 15, "draws",                                \
      "draws in flight, with FreeOverlap")                                                    \
   P(COMMANDPROCESSOR, UpdateBufferSize, update_buffer, 512, 1, 65536, "registers",           \
      "register writes for the next draw that wait while a phase is busy, for each phase")    \
   P(COMMANDPROCESSOR, HardwareContexts, contexts, 8, 1, 64, "contexts",                      \
      "contexts whose state is on chip; others come over the system bus")                     \
   P(COMMANDPROCESSOR, InstructionMemory, instruction_memory, 4096, 0, 65536, "instructions", \
      "instructions of loaded programs, which need not be loaded again")

#define SIM_STATS_cp(S)                                                                   \
   S(commands, "Commands", COMMANDS, "commands executed")                                 \
   S(batches, "Batches", COUNT, "draws started")                                          \
   S(skipped, "SkippedBatches", COUNT, "conditional draws and grids that were not executed") \
   S(frames, "Frames", COUNT, "frames ended")                                             \
   S(register_writes, "RegisterWrites", COUNT, "registers written")                       \
   S(bytes_written, "BytesWritten", BYTES, "bytes written to GPU memory")                 \
   S(bytes_read, "BytesRead", BYTES, "bytes read from GPU memory")                        \
   S(write_transactions, "WriteTransactions", COMMANDS,                                   \
      "WRITE_BUFFER commands (memory writes: CommandProcessor_WriteTransactions_MC)")     \
   S(read_transactions, "ReadTransactions", TRANSACTIONS, "memory reads")                 \
   S(programs_held, "ProgramsHeld", COUNT, "programs that were loaded already, and so "   \
     "were not read")                                                                     \
   S(blits, "Bit Blits", COUNT, "blits")                                                  \
   S(surface_switches, "SurfaceSwitches", COUNT,                                          \
      "changes of the colour or depth surfaces between draws and clears")                 \
   S(invalidations, "CacheInvalidations", COUNT,                                          \
      "ranges of memory that texture and vertex input caches dropped")                    \
   S(memory_write, "MemoryWrite", CYCLES, "CP executed WRITE_BUFFER or WRITE_COUNTER")    \
   S(memory_read, "MemoryRead", CYCLES, "CP executed READ_BUFFER or LOAD_PROGRAM")        \
   S(draw, "Draw", CYCLES, "the oldest draw in flight was in its geometry phase")         \
   S(end_geometry, "EndGeometry", CYCLES,                                                 \
      "only fragments of the oldest draw in flight were left")                            \
   S(end_fragment, "EndFragment", CYCLES,                                                 \
      "no draw was in flight, and the next was being prepared")                           \
   S(draw_wait, "DrawWait", CYCLES, "CP executed DRAW, until the draw could start")       \
   S(dispatch, "Dispatch", CYCLES, "CP executed DISPATCH, until the grid had ended")      \
   S(clear, "Clear", CYCLES, "CP executed CLEAR_COLOR or CLEAR_ZS")                       \
   S(flush, "Flush", CYCLES, "CP executed FLUSH")                                         \
   S(blit, "bitBlitCycles", CYCLES, "CP executed BLIT")                                   \
   S(swap, "Swap", CYCLES, "CP executed SWAP")                                            \
   S(context_switches, "ContextSwitches", COUNT, "switches to another context")           \
   S(context, "ContextSwitch", CYCLES, "CP executed CONTEXT: its state crossed the bus")  \
   S(wait_geometry, "WaitGeometry", CYCLES,                                               \
      "a draw waited for the geometry phase of the one before")                           \
   S(wait_fragments, "WaitFragments", CYCLES,                                             \
      "a draw waited for the fragment phase of the one before")                           \
   S(wait_idle, "WaitIdle", CYCLES,                                                       \
      "commands waited for draws and writes before them to finish")                       \
   S(stall_updates, "StallsUpdateBuffer", CYCLES,                                         \
      "register writes waited because the update buffer of a busy phase was full")        \
   S(stall_events, "StallsEventQueue", CYCLES,                                            \
      "a fence or query waited because the queue of those that wait was full")            \
   S(stall_draws, "StallsDrawsInFlight", CYCLES,                                          \
      "a draw waited because MaxDraws were in flight")

#define SIM_ENERGY_cp(A, E, D, N)                                                               \
   E("Commands", Command, 0.25, 4 * OP(decision), "fetch, check and execution")                 \
   E("RegisterWrites", Register, 1, 32 * OP(latch_bit), "32 bits")                              \
   D("BytesWritten", BusWrite, d.bus_byte, "a byte crosses the system bus")                     \
   D("BytesRead", BusRead, d.bus_byte, "a byte crosses the system bus")                         \
   N("Batches SkippedBatches Frames ProgramsHeld Bit*Blits SurfaceSwitches CacheInvalidations " \
      "ContextSwitches", "kinds of Commands and what follows from them")                        \
   N("WriteTransactions ReadTransactions", "of BytesWritten and BytesRead")

#define SIM_AREA_cp(U, IN)                                                                   \
   U(command, "Command processor", 1, 1200, 128. * c->cp.instruction_memory + AREA_CONTEXT * \
      c->cp.contexts + 64. * c->cp.update_buffer, 0, "estimate: a 64-bit RISC core without " \
      "caches (MIPS R4000: 1.2 million), its memories by their bits")

#define SIM_LIMITER_cp(L, W, C, M)                   \
   L(190, "system bus", bus, NONE, false)            \
      W("MemoryWrite", 1)                            \
      W("MemoryRead", 1)                             \
   L(200, "command processor", command, NONE, false) \
      W("EndFragment", 1)                            \
      W("ContextSwitch", 1)

#define SIM_IDEAL_cp(I)                                                                      \
   I(bus, MEMORYCONTROLLER, "SystemBusBytes=64 CommandProcessorBusWidth=64")                 \
   I(command, COMMANDPROCESSOR, "PipelinedBatchRendering=TRUE FreeOverlap=TRUE MaxDraws=15 " \
      "UpdateBufferSize=65536 HardwareContexts=64")
/* clang-format on */

#endif
