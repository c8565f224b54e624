/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the GDDR channel with banks (box/memory/gddr.c). units.h says how to read it. */
#ifndef UNIT_GDDR_H
#define UNIT_GDDR_H

#include "units/unit_memory.h"

/* clang-format off */
#define SIM_UNIT_gddr(U)                                                                      \
   U("GDDRChannel", "Sched#",                                                                 \
      "GDDR channel with banks, rows and commands (MemoryControllerV2; the release of 2015)", \
      SIM_CHARGES_DRAW)

#define SIM_GDDR_CLIENT(S, member, name)                                                        \
   S(member##_hit, "ClientRowHit_" #name, COMMANDS, "row hits of " #name)                       \
   S(member##_read_hit, "ClientReadRowHit_" #name, COMMANDS, "row hits of reads of " #name)     \
   S(member##_write_hit, "ClientWriteRowHit_" #name, COMMANDS, "row hits of writes of " #name)  \
   S(member##_miss, "ClientRowMiss_" #name, COMMANDS, "row misses of " #name)                   \
   S(member##_read_miss, "ClientReadRowMiss_" #name, COMMANDS, "row misses of reads of " #name) \
   S(member##_write_miss, "ClientWriteRowMiss_" #name, COMMANDS, "row misses of writes of " #name)
/* The clients' statistics come first, in the order of SIM_MC_CLIENTS. */
#define SIM_STATS_gddr(S)                                                                          \
   SIM_MC_CLIENTS(SIM_GDDR_CLIENT, S)                                                              \
   S(read_bytes, "ReadBytes", BYTES, "bytes read, in whole bursts")                                \
   S(write_bytes, "WriteBytes", BYTES, "bytes written, in whole bursts")                           \
   S(data_bytes, "DataBytes", BYTES, "bytes that crossed the data pins")                           \
   S(read_data_bytes, "ReadDataBytes", BYTES, "bytes read that crossed the data pins")             \
   S(write_data_bytes, "WriteDataBytes", BYTES, "bytes written that crossed the data pins")        \
   S(data_cycles, "DataCycles", CYCLES, "the data pins moved data")                                \
   S(read_data_cycles, "ReadDataCycles", CYCLES, "the data pins moved data read")                  \
   S(write_data_cycles, "WriteDataCycles", CYCLES, "the data pins moved data written")             \
   S(active_commands, "DDRActiveCommands", COMMANDS, "activate commands: rows opened")             \
   S(acts_received, "ACTCommandsReceived", COMMANDS, "activate commands, as the chip counts them") \
   S(precharge_commands, "DDRPrechargeCommands", COMMANDS, "precharge commands: rows closed")      \
   S(read_commands, "DDRReadCommands", COMMANDS, "read commands: bursts")                          \
   S(write_commands, "DDRWriteCommands", COMMANDS, "write commands: bursts")                       \
   S(refresh_commands, "DDRRefreshCommands", COMMANDS, "refresh commands (V2GDDR_tREFI)")          \
   S(close_idle, "ClosePageActivationCount", COMMANDS,                                             \
      "precharges of a row that no transaction waited for (V2PagePolicy 0)")                       \
   S(row_hit, "RowHit", COMMANDS, "reads and writes that hit their row")                           \
   S(row_miss, "RowMiss", COMMANDS, "reads and writes that followed an activate")                  \
   S(read_row_hit, "ReadRowHit", COMMANDS, "reads that hit their row")                             \
   S(read_row_miss, "ReadRowMiss", COMMANDS, "reads that followed an activate")                    \
   S(write_row_hit, "WriteRowHit", COMMANDS, "writes that hit their row")                          \
   S(write_row_miss, "WriteRowMiss", COMMANDS, "writes that followed an activate")                 \
   S(switches, "SwitchModeCount", COUNT,                                                           \
      "changes between transactions that read and that write")                                     \
   S(first_access, "sumPreAct2AccessCycles", CYCLES,                                               \
      "time from choosing a transaction to its first read or write command")                       \
   S(ctrl_idle, "ctrlIdleCycles", CYCLES, "no transaction was in progress")                        \
   S(ctrl_used, "ctrlUsedCycles", CYCLES, "the transaction in progress gave a command")            \
   S(act2act, "act2actCycles", CYCLES, "an activate waited for tRRD")                              \
   S(act2pre, "act2preCycles", CYCLES, "a precharge waited for tRCD")                              \
   S(act2read, "act2readCycles", CYCLES, "a read waited for tRCD")                                 \
   S(act2write, "act2writeCycles", CYCLES, "a write waited for tRCD")                              \
   S(pre2act, "pre2actCycles", CYCLES, "an activate waited for tRP")                               \
   S(read2pre, "read2preCycles", CYCLES, "a precharge waited for data read")                       \
   S(read2read, "read2readCycles", CYCLES, "a read or write waited for the data pins")             \
   S(read2write, "read2writeCycles", CYCLES, "a write waited for tRTW")                            \
   S(write2pre, "write2preCycles", CYCLES, "a precharge waited for tWR")                           \
   S(write2read, "write2readCycles", CYCLES, "a read waited for tWTR")                             \
   S(pins_idle, "IdleCycles", CYCLES, "the data pins were free and no transaction waited")         \
   S(cas, "WastedCycles_CASLatency", CYCLES, "the data pins waited for the latency of a read")     \
   S(wl, "WastedCycles_WriteLatency", CYCLES, "the data pins waited for the latency of a write")   \
   S(w_act2act, "WastedCycles_ACT_TO_ACT", CYCLES, "the data pins waited for tRRD")                \
   S(w_act2pre, "WastedCycles_ACT_TO_PRE", CYCLES,                                                 \
      "the data pins waited for a precharge, which tRCD delayed")                                  \
   S(w_act2read, "WastedCycles_ACT_TO_READ", CYCLES, "the data pins waited for tRCD")              \
   S(w_act2write, "WastedCycles_ACT_TO_WRITE", CYCLES, "the data pins waited for tRCD")            \
   S(w_pre2act, "WastedCycles_PRE_TO_ACT", CYCLES, "the data pins waited for tRP")                 \
   S(w_read2pre, "WastedCycles_READ_TO_PRE", CYCLES,                                               \
      "the data pins waited for a precharge, which a read delayed")                                \
   S(w_read2write, "WastedCycles_READ_TO_WRITE", CYCLES, "the data pins waited for tRTW")          \
   S(w_write2pre, "WastedCycles_WRITE_TO_PRE", CYCLES, "the data pins waited for tWR")             \
   S(w_write2read, "WastedCycles_WRITE_TO_READ", CYCLES, "the data pins waited for tWTR")          \
   S(precharged, "AllBanksPrechargedCycles", CYCLES, "no row was open or on its way")

#define SIM_ENERGY_gddr(A, E, D, N)                                                            \
   E("DDRReadCommands", Schedule, 0.25, 4 * OP(decision), "choice of a command")               \
   E("DDRWriteCommands", ScheduleWrite, 0, 4 * OP(decision), "choice of a command")            \
   D("DDRActiveCommands", Activate, d.activate, "a row is opened")                             \
   D("DDRPrechargeCommands", Precharge, d.precharge, "a row is closed")                        \
   D("DDRReadCommands", Read, d.read_byte * d.burst, "a burst is read")                        \
   D("DDRWriteCommands", Write, d.write_byte * d.burst, "a burst is written")                  \
   D("DDRRefreshCommands", Refresh, d.refresh, "all banks are refreshed, or one "              \
      "(V2RefreshPerBank)")                                                                    \
   D("DataBytes", Pins, d.pin_byte, "a byte crosses the data pins")                            \
   D("CyclesBusy", RowOpen, d.row_open, "a cycle with rows open, beside standby")              \
   D("CyclesBlocked", RowOpenBlocked, d.row_open, "the same")                                  \
   D("CyclesStarved", RowOpenStarved, d.row_open, "the same")                                  \
   D("CyclesIdle", RowOpenIdle, d.row_open, "the same")                                        \
   D("AllBanksPrechargedCycles", RowsClosed, -d.row_open, "but in this one none was")          \
   D(NULL, Standby, d.standby, "a cycle of the GPU clock, whatever happens in it")             \
   N("Client* RowHit RowMiss ReadRow* WriteRow* ACTCommandsReceived ClosePageActivationCount " \
      "SwitchModeCount ReadBytes WriteBytes ReadDataBytes WriteDataBytes",                     \
      "outcomes and parts of DRAM commands (DDR*Commands) and DataBytes")

#define SIM_AREA_gddr(U, IN) \
   IN(channels)

#define SIM_LIMITER_gddr(L, W, C, M) \
   C("DataCycles")

#define SIM_IDEAL_gddr(I)
/* clang-format on */

#endif
