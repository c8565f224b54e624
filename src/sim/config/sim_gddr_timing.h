/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A configuration's DRAM cycles, in memory clocks, from V2GDDR_Profile and the keys V2GDDR_t.... */
#ifndef SIM_GDDR_TIMING_H
#define SIM_GDDR_TIMING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_config;

/* Types of memory (V2MemoryType): X(name). A type has its own table of energies in the power model;
 * its timing comes from the keys. */
#define SIM_MEMORY_TYPES(X) X(gddr3) X(gddr5) X(gddr6) X(lpddr4) X(lpddr5) X(hbm2)
enum sim_memory_type {
#define X(name) SIM_MEMORY_##name,
   SIM_MEMORY_TYPES(X)
#undef X
       SIM_NUM_MEMORY_TYPES
};

/* G(member, key): times that a profile sets */
#define SIM_GDDR_TIMES(G) \
   G(t_rrd, tRRD)         \
   G(t_rcd, tRCD) G(t_wtr, tWTR) G(t_rtw, tRTW) G(t_wr, tWR) G(t_rp, tRP) G(t_cas, CAS) G(t_wl, WL)

/* G(member, key): further rules, for every profile but "perfect"; 0: no such rule */
#define SIM_GDDR_RULES(G) \
   G(t_ras, tRAS)         \
   G(t_faw, tFAW)         \
   G(t_refi, tREFI) G(t_rfc, tRFC) G(t_rtp, tRTP) G(t_ccdl, tCCDL) G(t_rrdl, tRRDL) G(t_wtrl, tWTRL)

struct sim_gddr_timing {
#define G(member, key) uint32_t member;
   SIM_GDDR_TIMES(G)
   SIM_GDDR_RULES(G)
#undef G
   uint32_t burst;   /* cycles of a command's data on the pins */
   uint32_t spacing; /* cycles between two commands for one row: burst or tCCDL */
   uint32_t
       groups; /* bank groups, a power of two; the lowest bits of a bank's number are its group */
   bool refresh_bank; /* a refresh is for one bank, in turn; false: for all banks */
};

/* Returns the type of V2MemoryType, or -1. */
int sim_memory_type(const struct sim_config *config);
/* Returns false with a message for an unknown profile or memory type. Does not check that their
 * times go together. */
bool sim_gddr_names_check(const struct sim_config *config, char *error, size_t error_size);
/* Returns false with a message also for times that do not go together. */
bool sim_gddr_timing_init(struct sim_gddr_timing *t, const struct sim_config *config, char *error,
                          size_t error_size);

/* Returns the cycles from a transaction's last read command until the controller has the answer. */
static inline uint32_t
sim_gddr_read_cycles(const struct sim_gddr_timing *t)
{
   /* Command to the chip, data to the scheduler, answer to the controller: a cycle each. */
   return t->t_cas + t->burst + 3;
}

#endif
