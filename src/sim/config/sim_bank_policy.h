/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Names of V2BankSelectionPolicy: the order in which a channel looks at its banks. A new policy is
 * a line here and a function in box/memory/gddr_order.c. */
#ifndef SIM_BANK_POLICY_H
#define SIM_BANK_POLICY_H

#include <stddef.h>
#include <stdint.h>

/* clang-format off */
#define SIM_BANK_POLICIES(N)                                                                    \
   N(OLDEST_FIRST) N(YOUNGEST_FIRST) N(ROUND_ROBIN) N(RANDOM) N(MORE_CONSECUTIVE_HITS)          \
   N(LESS_CONSECUTIVE_HITS) N(MORE_PENDING_REQUESTS) N(LESS_PENDING_REQUESTS)                   \
   N(ZERO_PENDING_FIRST)
/* clang-format on */
enum sim_bank_policy {
#define N(name) SIM_BANK_##name,
   SIM_BANK_POLICIES(N)
#undef N
       SIM_NUM_BANK_POLICIES
};

#define SIM_MAX_BANK_POLICIES 8 /* per list */

/* Reads a list of names; each policy breaks the ties that those before it leave. Returns their
 * number, or 0 with a message if a name is unknown. */
unsigned sim_bank_policies(const char *text, uint8_t policy[SIM_MAX_BANK_POLICIES], char *error,
                           size_t error_size);

#endif
