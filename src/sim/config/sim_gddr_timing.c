/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DRAM timing profiles (config/sim_gddr_timing.h), one line of the table each. */
#include "config/sim_gddr_timing.h"

#include <stdio.h>
#include <strings.h>
#include "config/sim_config.h"

static const struct {
   const char *name;
   struct sim_gddr_timing t;
} profiles[] = {
    /* Hynix HY5RS123235FP (GDDR3, 600 MHz), as in the release of 2015. */
    {"600",
     {.t_rrd = 9,
      .t_rcd = 13,
      .t_wtr = 5,
      .t_rtw = 2,
      .t_wr = 10,
      .t_rp = 14,
      .t_cas = 10,
      .t_wl = 5}},
    {"perfect", {0}},
};

bool
sim_gddr_timing_init(struct sim_gddr_timing *t, const struct sim_config *config, char *error,
                     size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   bool found = !strcasecmp(mc->profile, "custom");
#define G(member, key) t->member = mc->member;
   SIM_GDDR_TIMES(G)
#undef G
   for (unsigned i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
      if (!strcasecmp(mc->profile, profiles[i].name)) {
         *t = profiles[i].t;
         found = true;
      }
   }
   if (!found) {
      snprintf(
          error, error_size,
          "MEMORYCONTROLLER.V2GDDR_Profile = \"%s\": expected \"600\", \"custom\" or \"perfect\"",
          mc->profile);
      return false;
   }
   if (strcasecmp(mc->memory_type, "gddr3")) {
      snprintf(error, error_size, "MEMORYCONTROLLER.V2MemoryType = \"%s\": expected \"gddr3\"",
               mc->memory_type);
      return false;
   }
   t->t_ras = mc->t_ras;
   t->t_faw = mc->t_faw;
   t->t_refi = mc->t_refi;
   t->t_rfc = mc->t_rfc;
   t->burst = mc->burst_length * 4 / mc->burst_bytes;
   if (t->burst == 0) {
      snprintf(
          error, error_size,
          "MEMORYCONTROLLER.V2BurstBytesPerCycle = %u: expected at most a burst, BurstLength * 4 "
          "= %u",
          mc->burst_bytes, mc->burst_length * 4);
      return false;
   }
   /* A transaction of two commands, with both rows closed in between, must fit between
    * refreshes. */
   if (t->t_refi && t->t_refi < t->t_rfc + 4 * (t->t_rp + t->t_rcd + t->t_wr + t->t_cas + 64)) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2GDDR_tREFI = %u: no time is left between refreshes of "
               "V2GDDR_tRFC = %u",
               t->t_refi, t->t_rfc);
      return false;
   }
   return true;
}
