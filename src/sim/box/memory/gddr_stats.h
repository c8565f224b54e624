/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics of a GDDR channel with banks, under the names and with the meaning of the release of
 * 2015 (its Sched# columns). A row hit is a read or write command whose bank had no activate since
 * the read or write before.
 */
#ifndef GDDR_STATS_H
#define GDDR_STATS_H

#include "box/memory/gddr.h"
#include "box/memory/mc_clients.h"

/* clang-format off */
#define GDDR_CLIENT_STATS(S, member, name)                                               \
   S(member##_hit, "ClientRowHit_" #name, COMMANDS, "row hits of " #name)                \
   S(member##_read_hit, "ClientReadRowHit_" #name, COMMANDS, "row hits of its reads")    \
   S(member##_write_hit, "ClientWriteRowHit_" #name, COMMANDS, "row hits of its writes") \
   S(member##_miss, "ClientRowMiss_" #name, COMMANDS, "row misses of " #name)            \
   S(member##_read_miss, "ClientReadRowMiss_" #name, COMMANDS, "row misses of its reads") \
   S(member##_write_miss, "ClientWriteRowMiss_" #name, COMMANDS, "row misses of its writes")

/* The clients' statistics come first, in the order of MC_CLIENT_KINDS. */
#define GDDR_STATS(S)                                                                    \
   GDDR_CLIENT_STATS(S, cp, CommandProcessor)                                            \
   GDDR_CLIENT_STATS(S, stf, StreamerFetch)                                              \
   GDDR_CLIENT_STATS(S, sl, StreamerLoader)                                              \
   GDDR_CLIENT_STATS(S, zst, ZStencilTest)                                               \
   GDDR_CLIENT_STATS(S, cw, ColorWrite)                                                  \
   GDDR_CLIENT_STATS(S, tu, TextureUnit)                                                 \
   GDDR_CLIENT_STATS(S, blit, Blitter)                                                   \
   GDDR_CLIENT_STATS(S, dac, DAC)                                                        \
   S(read_bytes, "ReadBytes", BYTES, "read, whole bursts")                               \
   S(write_bytes, "WriteBytes", BYTES, "written, whole bursts")                          \
   S(data_bytes, "DataBytes", BYTES, "that crossed the data pins")                       \
   S(read_data_bytes, "ReadDataBytes", BYTES, "that crossed the data pins to be read")   \
   S(write_data_bytes, "WriteDataBytes", BYTES, "that crossed the data pins to be written") \
   S(data_cycles, "DataCycles", CYCLES, "the data pins moved data")                      \
   S(read_data_cycles, "ReadDataCycles", CYCLES, "the data pins moved data read")        \
   S(write_data_cycles, "WriteDataCycles", CYCLES, "the data pins moved data written")   \
   S(active_commands, "DDRActiveCommands", COMMANDS, "activate: rows opened")            \
   S(acts_received, "ACTCommandsReceived", COMMANDS, "activate, as the chip counts them") \
   S(precharge_commands, "DDRPrechargeCommands", COMMANDS, "precharge: rows closed")     \
   S(read_commands, "DDRReadCommands", COMMANDS, "read: bursts")                         \
   S(write_commands, "DDRWriteCommands", COMMANDS, "write: bursts")                      \
   S(refresh_commands, "DDRRefreshCommands", COMMANDS, "refresh (V2GDDR_tREFI)")         \
   S(close_idle, "ClosePageActivationCount", COMMANDS,                                   \
      "precharge of a row nobody waited for (V2PagePolicy 0)")                           \
   S(row_hit, "RowHit", COMMANDS, "reads and writes that hit their row")                 \
   S(row_miss, "RowMiss", COMMANDS, "reads and writes that followed an activate")        \
   S(read_row_hit, "ReadRowHit", COMMANDS, "reads that hit their row")                   \
   S(read_row_miss, "ReadRowMiss", COMMANDS, "reads that followed an activate")          \
   S(write_row_hit, "WriteRowHit", COMMANDS, "writes that hit their row")                \
   S(write_row_miss, "WriteRowMiss", COMMANDS, "writes that followed an activate")       \
   S(switches, "SwitchModeCount", COUNT,                                                 \
      "transactions of another kind, read or write, than the one before")                \
   S(first_access, "sumPreAct2AccessCycles", CYCLES,                                     \
      "from choosing a transaction to its first read or write command")                  \
   S(ctrl_idle, "ctrlIdleCycles", CYCLES, "no transaction in progress")                  \
   S(ctrl_used, "ctrlUsedCycles", CYCLES, "the transaction in progress gave a command")  \
   S(act2act, "act2actCycles", CYCLES, "its activate waited for tRRD")                   \
   S(act2pre, "act2preCycles", CYCLES, "its precharge waited for tRCD")                  \
   S(act2read, "act2readCycles", CYCLES, "its read waited for tRCD")                     \
   S(act2write, "act2writeCycles", CYCLES, "its write waited for tRCD")                  \
   S(pre2act, "pre2actCycles", CYCLES, "its activate waited for tRP")                    \
   S(read2pre, "read2preCycles", CYCLES, "its precharge waited for data read")           \
   S(read2read, "read2readCycles", CYCLES, "its read or write waited for the data pins") \
   S(read2write, "read2writeCycles", CYCLES, "its write waited for tRTW")                \
   S(write2pre, "write2preCycles", CYCLES, "its precharge waited for tWR")               \
   S(write2read, "write2readCycles", CYCLES, "its read waited for tWTR")                 \
   S(pins_idle, "IdleCycles", CYCLES, "the data pins were free and nobody waited")       \
   S(cas, "WastedCycles_CASLatency", CYCLES, "on the data pins, for the latency of a read") \
   S(wl, "WastedCycles_WriteLatency", CYCLES, "on the data pins, for the latency of a write") \
   S(w_act2act, "WastedCycles_ACT_TO_ACT", CYCLES, "on the data pins, for tRRD")         \
   S(w_act2pre, "WastedCycles_ACT_TO_PRE", CYCLES, "on the data pins, a precharge for tRCD") \
   S(w_act2read, "WastedCycles_ACT_TO_READ", CYCLES, "on the data pins, for tRCD")       \
   S(w_act2write, "WastedCycles_ACT_TO_WRITE", CYCLES, "on the data pins, for tRCD")     \
   S(w_pre2act, "WastedCycles_PRE_TO_ACT", CYCLES, "on the data pins, for tRP")          \
   S(w_read2pre, "WastedCycles_READ_TO_PRE", CYCLES, "on the data pins, a precharge for a read") \
   S(w_read2write, "WastedCycles_READ_TO_WRITE", CYCLES, "on the data pins, for tRTW")   \
   S(w_write2pre, "WastedCycles_WRITE_TO_PRE", CYCLES, "on the data pins, for tWR")      \
   S(w_write2read, "WastedCycles_WRITE_TO_READ", CYCLES, "on the data pins, for tWTR")   \
   S(precharged, "AllBanksPrechargedCycles", CYCLES, "no row was open or on its way")
/* clang-format on */
SIM_STATS_DECLARE(gddr, GDDR_STATS)

struct gddr_client_stats {
   uint64_t hit, read_hit, write_hit, miss, read_miss, write_miss;
};
_Static_assert(offsetof(struct gddr_stats, read_bytes) ==
                   MC_NUM_KINDS * sizeof(struct gddr_client_stats),
               "clients' statistics come first and are alike");

/* Why a command waits. */
enum gddr_why {
   GDDR_ACT_TO_ACT,
   GDDR_ACT_TO_PRE,
   GDDR_ACT_TO_READ,
   GDDR_ACT_TO_WRITE,
   GDDR_PRE_TO_ACT,
   GDDR_READ_TO_PRE,
   GDDR_PINS,
   GDDR_READ_TO_WRITE,
   GDDR_WRITE_TO_PRE,
   GDDR_WRITE_TO_READ,
   GDDR_NUM_WHYS
};
_Static_assert(offsetof(struct gddr_stats, write2read) - offsetof(struct gddr_stats, act2act) ==
                   GDDR_WRITE_TO_READ * sizeof(uint64_t),
               "statistics of waiting commands are in the order of enum gddr_why");

/* A row was opened, is being closed (of those: since nobody waits for it), a refresh done. */
void gddr_count_open(struct gddr *g, uint16_t slot, uint64_t c);
void gddr_count_close(struct gddr *g, uint16_t slot);

static inline void
gddr_count_close_idle(struct gddr *g)
{
   g->stat[0].close_idle++;
}

static inline void
gddr_count_refresh(struct gddr *g)
{
   g->stat[0].refresh_commands++;
}

/* A transaction is chosen; its reads or writes are being booked from this cycle on. */
void gddr_count_take(struct gddr *g, uint64_t c);
void gddr_count_access(struct gddr *g, const struct msg_transaction *m);
/* The cycles before this one, which were as the last clock left them. */
void gddr_count_until(struct gddr *g, uint64_t c);
/* And everything that would be counted later only, at the end of a frame. */
void gddr_count_settle(struct gddr *g, uint64_t c);

#endif
