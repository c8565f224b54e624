/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * DRAM timing profiles (config/sim_gddr_timing.h): a line of the table for each. */
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

static const char *const types[] = {
#define X(name) #name,
    SIM_MEMORY_TYPES(X)
#undef X
};

int
sim_memory_type(const struct sim_config *config)
{
   for (int i = 0; i < SIM_NUM_MEMORY_TYPES; i++) {
      if (!strcasecmp(config->mc.memory_type, types[i]))
         return i;
   }
   return -1;
}

/* Returns the profile of V2GDDR_Profile; NULL: none. */
static const struct sim_gddr_timing *
gddr_timing_profile(const struct sim_config *config)
{
   for (unsigned i = 0; i < sizeof(profiles) / sizeof(profiles[0]); i++) {
      if (!strcasecmp(config->mc.profile, profiles[i].name))
         return &profiles[i].t;
   }
   return NULL;
}

bool
sim_gddr_names_check(const struct sim_config *config, char *error, size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   if (!gddr_timing_profile(config) && strcasecmp(mc->profile, "custom")) {
      snprintf(
          error, error_size,
          "MEMORYCONTROLLER.V2GDDR_Profile = \"%s\": expected \"600\", \"custom\" or \"perfect\"",
          mc->profile);
      return false;
   }
   if (sim_memory_type(config) < 0) {
      int n = snprintf(error, error_size, "MEMORYCONTROLLER.V2MemoryType = \"%s\": expected ",
                       mc->memory_type);
      for (unsigned i = 0; i < SIM_NUM_MEMORY_TYPES && n > 0 && (size_t)n < error_size; i++)
         n += snprintf(error + n, error_size - (size_t)n, "%s\"%s\"",
                       i == 0                         ? ""
                       : i + 1 < SIM_NUM_MEMORY_TYPES ? ", "
                                                      : " or ",
                       types[i]);
      return false;
   }
   return true;
}

/* Checks that transactions have time between refreshes. */
static bool
gddr_timing_check_refresh(const struct sim_gddr_timing *t, char *error, size_t error_size)
{
   /* For all banks: a transaction of two commands, each of which opens and closes a row. */
   const uint32_t least =
       t->t_rfc + (t->refresh_bank ? 0 : 4 * (t->t_rp + t->t_rcd + t->t_wr + t->t_cas + 64));
   if (t->t_refi && t->t_refi < least) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2GDDR_tREFI = %u: no time is left between refreshes of "
               "V2GDDR_tRFC = %u",
               t->t_refi, t->t_rfc);
      return false;
   }
   return true;
}

bool
sim_gddr_timing_init(struct sim_gddr_timing *t, const struct sim_config *config, char *error,
                     size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   const struct sim_gddr_timing *profile = gddr_timing_profile(config);
   if (!sim_gddr_names_check(config, error, error_size))
      return false;
   *t = (struct sim_gddr_timing){.groups = mc->bank_groups, .refresh_bank = mc->refresh_bank};
#define G(member, key) t->member = profile ? profile->member : mc->member;
   SIM_GDDR_TIMES(G)
#undef G
   if (strcasecmp(mc->profile, "perfect")) {
#define G(member, key) t->member = mc->member;
      SIM_GDDR_RULES(G)
#undef G
   }
   t->burst = mc->burst_length * 4 / mc->burst_bytes;
   t->spacing = t->burst > t->t_ccdl ? t->burst : t->t_ccdl;
   if (t->burst == 0) {
      snprintf(
          error, error_size,
          "MEMORYCONTROLLER.V2BurstBytesPerCycle = %u: expected at most a burst, BurstLength * 4 "
          "= %u",
          mc->burst_bytes, mc->burst_length * 4);
      return false;
   }
   if (t->groups > mc->banks) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.V2BankGroups = %u: expected at most V2BanksPerMemoryChannel, %u",
               t->groups, mc->banks);
      return false;
   }
   return gddr_timing_check_refresh(t, error, error_size);
}
