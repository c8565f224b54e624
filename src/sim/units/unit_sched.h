/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the GDDR channel (simple) (box/memory/sched.c). units.h says how to read it. */
#ifndef UNIT_SCHED_H
#define UNIT_SCHED_H

#include "units/unit_memory.h"

/* clang-format off */
#define SIM_UNIT_sched(U)                                                                      \
   U("MemoryScheduler", "Sched#",                                                              \
      "GDDR channel: open pages, latencies, turnarounds, data pins (ISPASS 2006 section 2.2)", \
      SIM_CHARGES_DRAW)

#define SIM_STATS_sched(S)                                                                     \
   S(read_bytes, "ReadBytes", BYTES, "bytes read by clients")                                  \
   S(write_bytes, "WriteBytes", BYTES, "bytes written by clients")                             \
   S(data_bytes, "DataBytes", BYTES, "bytes of whole transactions that crossed the data pins") \
   S(read_data_bytes, "ReadDataBytes", BYTES, "bytes of whole transactions read")              \
   S(write_data_bytes, "WriteDataBytes", BYTES, "bytes of whole transactions written")         \
   S(data_cycles, "DataCycles", CYCLES, "the data pins were busy")                             \
   S(read_data_cycles, "ReadDataCycles", CYCLES, "the data pins were busy reading")            \
   S(write_data_cycles, "WriteDataCycles", CYCLES, "the data pins were busy writing")          \
   S(idle_cycles, "IdleCycles", CYCLES,                                                        \
      "the scheduler had nothing to do (counted when work arrives)")                           \
   S(row_hit, "RowHit", REQUESTS, "requests that found their page open")                       \
   S(row_miss, "RowMiss", REQUESTS, "requests that had to open their page")                    \
   S(read_row_hit, "ReadRowHit", REQUESTS, "reads that found their page open")                 \
   S(read_row_miss, "ReadRowMiss", REQUESTS, "reads that had to open their page")              \
   S(write_row_hit, "WriteRowHit", REQUESTS, "writes that found their page open")              \
   S(write_row_miss, "WriteRowMiss", REQUESTS, "writes that had to open their page")           \
   S(active_commands, "DDRActiveCommands", COMMANDS, "commands that opened a page")            \
   S(precharge_commands, "DDRPrechargeCommands", COMMANDS, "commands that closed a page")      \
   S(read_commands, "DDRReadCommands", COMMANDS, "read commands (requests)")                   \
   S(write_commands, "DDRWriteCommands", COMMANDS, "write commands (requests)")                \
   S(switches, "SwitchModeCount", COUNT, "changes between reading and writing")                \
   S(act_to_read, "WastedCycles_ACT_TO_READ", CYCLES,                                          \
      "a read waited for its page although the pins were free")                                \
   S(act_to_write, "WastedCycles_ACT_TO_WRITE", CYCLES,                                        \
      "a write waited for its page although the pins were free")                               \
   S(write_to_read, "WastedCycles_WRITE_TO_READ", CYCLES,                                      \
      "the pins paused between writing and reading")                                           \
   S(read_to_write, "WastedCycles_READ_TO_WRITE", CYCLES,                                      \
      "the pins paused between reading and writing")

#define SIM_ENERGY_sched(A, E, D, N)                                                       \
   E("DDRReadCommands", Schedule, 0.25, 4 * OP(decision), "choice of a request")           \
   E("DDRWriteCommands", ScheduleWrite, 0, 4 * OP(decision), "choice of a request")        \
   D("DDRActiveCommands", Activate, d.activate, "a page is opened")                        \
   D("DDRPrechargeCommands", Precharge, d.precharge, "a page is closed")                   \
   D("ReadDataBytes", Read, d.read_byte, "a byte is read")                                 \
   D("WriteDataBytes", Write, d.write_byte, "a byte is written")                           \
   D("DataBytes", Pins, d.pin_byte, "a byte crosses the data pins")                        \
   D("CyclesBusy", RowOpen, d.row_open, "a cycle; pages stay open here")                   \
   D("CyclesBlocked", RowOpenBlocked, d.row_open, "the same")                              \
   D("CyclesStarved", RowOpenStarved, d.row_open, "the same")                              \
   D("CyclesIdle", RowOpenIdle, d.row_open, "the same")                                    \
   D(NULL, Standby, d.standby, "a cycle of the GPU clock, whatever happens in it")         \
   N("ReadBytes WriteBytes RowHit RowMiss ReadRow* WriteRow* SwitchModeCount", "the same")

#define SIM_AREA_sched(U, IN)                                                                   \
   U(channels, "Memory channels", c->mc.channels, 6 * AREA_MAC, AREA_TRANSACTION *              \
      c->mc.service_queue + AREA_REQUEST * c->mc.channel_transactions, c->mc.burst_bytes * 4.,  \
      "estimate: scheduler of 0.8 million, queues by their bits, a pad for each data pin (two " \
      "transfers a cycle)")

#define SIM_LIMITER_sched(L, W, C, M) \
   C("DataCycles")

#define SIM_IDEAL_sched(I)
/* clang-format on */

#endif
