/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the sheets of both memory controllers and their channels share: the parameters of
 * [MEMORYCONTROLLER] and the clients of memory. unit_mc.h and unit_sched.h are the simple
 * controller, unit_mc_v2.h and unit_gddr.h the one with banks (MemoryControllerV2). */
#ifndef UNIT_MEMORY_H
#define UNIT_MEMORY_H

/* clang-format off */
#define SIM_PARAMS_MEMORYCONTROLLER(P, B, T)                                                     \
   P(MEMORYCONTROLLER, MemorySize, memory_size, 1024, 16, 2048, "MiB", "size of GPU memory")     \
   B(MEMORYCONTROLLER, MemoryControllerV2, v2, 0,                                                \
      "memory with banks and commands (keys marked \"V2\"); FALSE: with open pages only (keys "  \
      "marked \"simple\")")                                                                      \
   P(MEMORYCONTROLLER, V2MemoryChannels, channels, 4, 1, 32, "channels", "GDDR channels")        \
   P(MEMORYCONTROLLER, V2BurstBytesPerCycle, burst_bytes, 16, 4, 64, "bytes/cycle",              \
      "bandwidth of the data pins of a channel")                                                 \
   P(MEMORYCONTROLLER, ChannelInterleave, interleave, 256, 64, 4096, "bytes",                    \
      "simple: consecutive bytes on one channel (power of 2)")                                   \
   P(MEMORYCONTROLLER, MemoryPageSize, page_size, 4096, 256, 65536, "bytes",                     \
      "simple: size of a DRAM page")                                                             \
   P(MEMORYCONTROLLER, OpenPages, open_pages, 8, 1, 64, "pages",                                 \
      "simple: open pages of a channel")                                                         \
   P(MEMORYCONTROLLER, PageOpenLatency, page_open_latency, 13, 0, 1000, "cycles",                \
      "simple: time to open a page")                                                             \
   P(MEMORYCONTROLLER, ReadLatency, read_latency, 10, 1, 1000, "cycles",                         \
      "simple: time from a read command to its data")                                            \
   P(MEMORYCONTROLLER, WriteLatency, write_latency, 5, 1, 1000, "cycles",                        \
      "simple: time from a write command to its data")                                           \
   P(MEMORYCONTROLLER, WriteToReadLatency, write_to_read, 5, 0, 1000, "cycles",                  \
      "simple: turnaround from a write to a read")                                               \
   P(MEMORYCONTROLLER, ReadToWriteLatency, read_to_write, 2, 0, 1000, "cycles",                  \
      "simple: turnaround from a read to a write")                                               \
   P(MEMORYCONTROLLER, ClientQueueSize, client_queue, 64, 1, 4096, "requests",                   \
      "simple: requests of a client that wait for a channel")                                    \
   P(MEMORYCONTROLLER, RequestQueueSize, request_queue, 512, 1, 4096, "transactions",            \
      "V2: transactions of all clients that are accepted and not complete")                      \
   P(MEMORYCONTROLLER, ServiceQueueSize, service_queue, 64, 1, 4096, "transactions",             \
      "V2: transactions read that wait for the client's bus; simple: requests in a channel")     \
   P(MEMORYCONTROLLER, WriteBufferLines, write_buffers, 256, 1, 4096, "transactions",            \
      "V2: writes accepted and not complete")                                                    \
   P(MEMORYCONTROLLER, CommandProcessorBusWidth, cp_bus, 8, 1, 64, "bytes/cycle",                \
      "V2: bus of the command processor")                                                        \
   P(MEMORYCONTROLLER, StreamerFetchBusWidth, stf_bus, 64, 1, 64, "bytes/cycle",                 \
      "V2: bus of the streamer fetch")                                                           \
   P(MEMORYCONTROLLER, StreamerLoaderBusWidth, sl_bus, 64, 1, 64, "bytes/cycle",                 \
      "V2: bus of a streamer loader")                                                            \
   P(MEMORYCONTROLLER, StreamOutBusWidth, so_bus, 64, 1, 64, "bytes/cycle",                      \
      "V2: bus of stream-out")                                                                   \
   P(MEMORYCONTROLLER, ZStencilBusWidth, zst_bus, 64, 1, 64, "bytes/cycle",                      \
      "V2: bus of a Z and stencil test unit")                                                    \
   P(MEMORYCONTROLLER, ColorWriteBusWidth, cw_bus, 64, 1, 64, "bytes/cycle",                     \
      "V2: bus of a colour write unit")                                                          \
   P(MEMORYCONTROLLER, DACBusWidth, dac_bus, 64, 1, 64, "bytes/cycle", "V2: bus of the DAC")     \
   P(MEMORYCONTROLLER, TextureUnitBusWidth, tu_bus, 64, 1, 64, "bytes/cycle",                    \
      "V2: bus of a texture unit")                                                               \
   P(MEMORYCONTROLLER, ConstantCacheBusWidth, cc_bus, 64, 1, 64, "bytes/cycle",                  \
      "V2: bus of a constant cache")                                                             \
   P(MEMORYCONTROLLER, LoadStoreUnitBusWidth, lsu_bus, 64, 1, 64, "bytes/cycle",                 \
      "V2: bus of a load/store unit")                                                            \
   P(MEMORYCONTROLLER, BlitterBusWidth, blit_bus, 64, 1, 64, "bytes/cycle",                      \
      "V2: bus of the blitter")                                                                  \
   P(MEMORYCONTROLLER, PolygonListBusWidth, plb_bus, 64, 1, 64, "bytes/cycle",                   \
      "V2: bus of the polygon list builder")                                                     \
   P(MEMORYCONTROLLER, TileFetcherBusWidth, tf_bus, 64, 1, 64, "bytes/cycle",                    \
      "V2: bus of the tile fetcher")                                                             \
   P(MEMORYCONTROLLER, V2BanksPerMemoryChannel, banks, 8, 1, 16, "banks",                        \
      "V2: banks of a channel (power of 2)")                                                     \
   P(MEMORYCONTROLLER, V2BankGroups, bank_groups, 1, 1, 16, "groups",                            \
      "V2: groups of banks; a bank's group is its number's lowest bits (power of 2)")            \
   P(MEMORYCONTROLLER, V2MemoryRowSize, row_size, 2048, 256, 65536, "bytes",                     \
      "V2: size of a row of a bank, its page (power of 2)")                                      \
   P(MEMORYCONTROLLER, BurstLength, burst_length, 8, 1, 16, "words",                             \
      "V2: words of 4 bytes that a read or write command moves (power of 2)")                    \
   P(MEMORYCONTROLLER, V2SplitterType, splitter, 1, 0, 1, "splitter",                            \
      "V2: what selects channel and bank: 0 interleaving in bytes, 1 masks")                     \
   P(MEMORYCONTROLLER, V2ChannelInterleaving, channel_interleave, 0, 0, 1048576, "bytes",        \
      "V2, splitter 0: consecutive bytes on one channel (power of 2)")                           \
   P(MEMORYCONTROLLER, V2BankInterleaving, bank_interleave, 0, 0, 1048576, "bytes",              \
      "V2, splitter 0: consecutive bytes of a channel in one bank (power of 2)")                 \
   T(MEMORYCONTROLLER, V2ChannelInterleavingMask, channel_mask, "9 8",                           \
      "V2, splitter 1: bits of an address that select the channel, highest first")               \
   T(MEMORYCONTROLLER, V2BankInterleavingMask, bank_mask, "13 12 11",                            \
      "V2, splitter 1: bits of an address that select the bank, highest first")                  \
   B(MEMORYCONTROLLER, V2SecondInterleaving, second, 0,                                          \
      "V2: addresses from V2SecondInterleavingStart on have another interleaving")               \
   P(MEMORYCONTROLLER, V2SecondInterleavingStart, second_start, 0, 0, 2047, "MiB",               \
      "V2: first address with the second interleaving (0: none)")                                \
   P(MEMORYCONTROLLER, V2SecondChannelInterleaving, second_channel_interleave, 0, 0, 1048576,    \
      "bytes", "V2: V2ChannelInterleaving of the second interleaving")                           \
   P(MEMORYCONTROLLER, V2SecondBankInterleaving, second_bank_interleave, 0, 0, 1048576, "bytes", \
      "V2: V2BankInterleaving of the second interleaving")                                       \
   T(MEMORYCONTROLLER, V2SecondChannelInterleavingMask, second_channel_mask, "",                 \
      "V2: V2ChannelInterleavingMask of the second interleaving")                                \
   T(MEMORYCONTROLLER, V2SecondBankInterleavingMask, second_bank_mask, "",                       \
      "V2: V2BankInterleavingMask of the second interleaving")                                   \
   P(MEMORYCONTROLLER, V2ChannelScheduler, scheduler, 2, 0, 5, "scheduler",                      \
      "V2: queues of a channel: 0 one, 1 for reads and writes, 2 per bank, 3 per bank for "      \
      "reads and writes, 5 FR-FCFS")                                                             \
   P(MEMORYCONTROLLER, V2PagePolicy, page_policy, 0, 0, 1, "policy",                             \
      "V2: a row for which no transaction waits is 0 closed, 1 left open")                       \
   T(MEMORYCONTROLLER, V2BankSelectionPolicy, bank_policy, "OLDEST_FIRST",                       \
      "V2, schedulers per bank: order of the banks; further names decide ties")                  \
   P(MEMORYCONTROLLER, V2MaxChannelTransactions, channel_transactions, 64, 1, 1024,              \
      "transactions", "V2: transactions that wait in a channel")                                 \
   P(MEMORYCONTROLLER, V2DedicatedChannelReadTransactions, channel_reads, 0, 0, 1024,            \
      "transactions",                                                                            \
      "V2, schedulers 1 and 3: share of V2MaxChannelTransactions for reads (0: half)")           \
   B(MEMORYCONTROLLER, V2UseChannelRequestFIFOPerBank, fifo_per_bank, 1,                         \
      "V2: transactions that wait for a channel pass those for other banks")                     \
   P(MEMORYCONTROLLER, V2ChannelRequestFIFOPerBankSelection, fifo_select, 1, 0, 1, "policy",     \
      "V2: bank whose transaction goes next: 0 in turn, 1 the oldest")                           \
   B(MEMORYCONTROLLER, V2UseClassicSchedulerStates, classic_states, 0,                           \
      "V2: a channel takes nothing while any of its banks is full")                              \
   B(MEMORYCONTROLLER, V2UseSplitRequestBufferPerROP, split_rop, 0,                              \
      "V2: no ROP has more than its share of RequestQueueSize")                                  \
   P(MEMORYCONTROLLER, V2SwitchModePolicy, switch_mode, 1, 0, 1, "policy",                       \
      "V2: change between reads and writes: 0 by counters, 1 reads first unless writes hit")     \
   P(MEMORYCONTROLLER, MaxConsecutiveReads, max_reads, 16, 1, 1024, "transactions",              \
      "V2, switch mode 0: reads before a write that waits")                                      \
   P(MEMORYCONTROLLER, MaxConsecutiveWrites, max_writes, 16, 1, 1024, "transactions",            \
      "V2, switch mode 0: writes before a read that waits")                                      \
   P(MEMORYCONTROLLER, V2ActiveManagerMode, active_mode, 1, 0, 1, "mode",                        \
      "V2, switch mode 0: rows are opened early for 0 the present mode, 1 also the next")        \
   P(MEMORYCONTROLLER, V2ManagerSelectionAlgorithm, manager_order, 0, 0, 1, "order",             \
      "V2: early commands: 0 opening before closing, 1 closing before opening")                  \
   B(MEMORYCONTROLLER, V2DisableActiveManager, no_active_manager, 0,                             \
      "V2: rows are not opened early")                                                           \
   B(MEMORYCONTROLLER, V2DisablePrechargeManager, no_precharge_manager, 0,                       \
      "V2: rows are not closed early for others")                                                \
   T(MEMORYCONTROLLER, V2MemoryType, memory_type, "gddr3",                                       \
      "type of memory, by which energy counts: gddr3, gddr5, gddr6, lpddr4, lpddr5 or hbm2")     \
   T(MEMORYCONTROLLER, V2GDDR_Profile, profile, "600",                                           \
      "V2: timing: 600 (Hynix GDDR3 at 600 MHz), custom (the keys V2GDDR_t...) or perfect (all " \
      "0)")                                                                                      \
   P(MEMORYCONTROLLER, V2GDDR_tRRD, t_rrd, 9, 0, 1000, "cycles",                                 \
      "custom: time between activates of two banks")                                             \
   P(MEMORYCONTROLLER, V2GDDR_tRCD, t_rcd, 13, 0, 1000, "cycles",                                \
      "custom: time from activate to read or write")                                             \
   P(MEMORYCONTROLLER, V2GDDR_tWTR, t_wtr, 5, 0, 1000, "cycles",                                 \
      "custom: time from the end of written data to a read")                                     \
   P(MEMORYCONTROLLER, V2GDDR_tRTW, t_rtw, 2, 0, 1000, "cycles",                                 \
      "custom: gap on the pins between read and written data")                                   \
   P(MEMORYCONTROLLER, V2GDDR_tWR, t_wr, 10, 0, 1000, "cycles",                                  \
      "custom: time from the end of written data to precharge")                                  \
   P(MEMORYCONTROLLER, V2GDDR_tRP, t_rp, 14, 0, 1000, "cycles",                                  \
      "custom: time from precharge to activate")                                                 \
   P(MEMORYCONTROLLER, V2GDDR_CAS, t_cas, 10, 0, 100, "cycles",                                  \
      "custom: time from read to data")                                                          \
   P(MEMORYCONTROLLER, V2GDDR_WL, t_wl, 5, 0, 100, "cycles", "custom: time from write to data")  \
   P(MEMORYCONTROLLER, V2GDDR_tRAS, t_ras, 0, 0, 1000, "cycles",                                 \
      "600, custom: time from activate to precharge (0: no rule)")                               \
   P(MEMORYCONTROLLER, V2GDDR_tFAW, t_faw, 0, 0, 1000, "cycles",                                 \
      "600, custom: time in which at most four activates begin (0: no rule)")                    \
   P(MEMORYCONTROLLER, V2GDDR_tREFI, t_refi, 0, 0, 1000000, "cycles",                            \
      "600, custom: time between refreshes (0: no refreshes)")                                   \
   P(MEMORYCONTROLLER, V2GDDR_tRFC, t_rfc, 0, 0, 1000, "cycles",                                 \
      "600, custom: duration of a refresh of all banks, or of one (V2RefreshPerBank)")    \
   P(MEMORYCONTROLLER, V2GDDR_tRTP, t_rtp, 0, 0, 1000, "cycles",                                 \
      "600, custom: time from read to precharge (0: until tRP before the data's end)")           \
   P(MEMORYCONTROLLER, V2GDDR_tCCDL, t_ccdl, 0, 0, 100, "cycles",                                \
      "600, custom: time between reads or writes of one bank group (0: no rule)")                \
   P(MEMORYCONTROLLER, V2GDDR_tRRDL, t_rrdl, 0, 0, 1000, "cycles",                               \
      "600, custom: time between activates of one bank group (0: no rule)")                      \
   P(MEMORYCONTROLLER, V2GDDR_tWTRL, t_wtrl, 0, 0, 1000, "cycles",                               \
      "600, custom: tWTR for a read of the same bank group (0: no rule)") \
   B(MEMORYCONTROLLER, V2RefreshPerBank, refresh_bank, 0,                                        \
      "V2: a refresh is for one bank, in turn; FALSE: for all")                                  \
   P(MEMORYCONTROLLER, SystemBusBytes, system_bus, 8, 1, 64, "bytes/cycle",                      \
      "bandwidth of the bus to system memory in each direction")

/* The kinds of clients, in the order in which the controllers look at them: K(S, member, Name). The
 * signals of a kind are member_mc and mc_member. */
#define SIM_MC_CLIENTS(K, S)                                                               \
   K(S, cp, CommandProcessor) K(S, stf, StreamerFetch) K(S, sl, StreamerLoader)            \
   K(S, zst, ZStencilTest) K(S, cw, ColorWrite) K(S, tu, TextureUnit) K(S, blit, Blitter)  \
   K(S, dac, DAC) K(S, so, StreamOut) K(S, cc, ConstantCache)                              \
   K(S, plb, PolygonListBuilder) K(S, tf, TileFetcher) K(S, lsu, LoadStoreUnit)

#define SIM_MC_ENERGY(A, E, N)                                                                 \
   A(TRANSACTIONS, c->mc.request_queue, 512, 1)                                                \
   E("TotalReadBytes", Read, c->mc.channels * c->mc.burst_bytes * 0.5, (READ(TRANSACTIONS) +   \
      WRITE(TRANSACTIONS)) / 64 + WIRES(8),                                                    \
      "a byte through the queues, and wires across the chip")                                  \
   E("TotalWriteBytes", Write, c->mc.channels * c->mc.burst_bytes * 0.5, (READ(TRANSACTIONS) + \
      WRITE(TRANSACTIONS)) / 64 + WIRES(8),                                                    \
      "a byte through the queues, and wires across the chip")                                  \
   N("*_Transactions *_ReadTransactions *_WriteTransactions *_ReadBytes *_WriteBytes "         \
      "*_completedReadTrans TotalTransactions TotalReadTransactions TotalWriteTransactions",   \
      "parts of TotalReadBytes, TotalWriteBytes")
/* clang-format on */

#endif
