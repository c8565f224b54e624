/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Policy FIXED: domains keep their first frequencies. It shows how much the speed of a domain
 * matters, and is the base for comparisons. */
#include "dvfs/dvfs_policy.h"

const struct dvfs_policy dvfs_policy_fixed = {0};
