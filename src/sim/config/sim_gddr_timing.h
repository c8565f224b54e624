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

/* G(member, key) */
#define SIM_GDDR_TIMES(G) \
   G(t_rrd, tRRD)         \
   G(t_rcd, tRCD) G(t_wtr, tWTR) G(t_rtw, tRTW) G(t_wr, tWR) G(t_rp, tRP) G(t_cas, CAS) G(t_wl, WL)

struct sim_gddr_timing {
#define G(member, key) uint32_t member;
   SIM_GDDR_TIMES(G)
#undef G
   uint32_t t_ras, t_faw, t_refi, t_rfc; /* 0: no such rule */
   uint32_t burst;                       /* cycles of a command's data on the pins */
};

/* False with a message for an unknown profile or memory type. */
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
