/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Policy FIXED: domains keep the frequencies that they begin with. For what a domain is worth, and
 * as a base that others are compared with. */
#include "dvfs/dvfs_policy.h"

const struct dvfs_policy dvfs_policy_fixed = {0};
