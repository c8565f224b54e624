/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads V2BankSelectionPolicy (config/sim_bank_policy.h). */
#include "config/sim_bank_policy.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const names[] = {
#define N(name) #name,
    SIM_BANK_POLICIES(N)
#undef N
};

unsigned
sim_bank_policies(const char *text, uint8_t policy[SIM_MAX_BANK_POLICIES], char *error,
                  size_t error_size)
{
   unsigned num = 0;
   for (const char *s = text + strspn(text, " "); *s;) {
      size_t length = strcspn(s, " ");
      unsigned i = 0;
      while (i < SIM_NUM_BANK_POLICIES &&
             (strlen(names[i]) != length || strncasecmp(names[i], s, length)))
         i++;
      if (i == SIM_NUM_BANK_POLICIES || num == SIM_MAX_BANK_POLICIES) {
         num = 0;
         break;
      }
      policy[num++] = (uint8_t)i;
      s += length;
      s += strspn(s, " ");
   }
   if (!num) {
      int n = snprintf(error, error_size,
                       "MEMORYCONTROLLER.V2BankSelectionPolicy = \"%s\": expected up to %u of",
                       text, SIM_MAX_BANK_POLICIES);
      for (unsigned i = 0; i < SIM_NUM_BANK_POLICIES && n > 0 && (size_t)n < error_size; i++)
         n += snprintf(error + n, error_size - (size_t)n, " %s", names[i]);
   }
   return num;
}
