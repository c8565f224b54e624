/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A texture unit's statistics, with the original's names and meanings: FC64 is the cache level
 * nearest the filter, FC the one behind it. Not here: where they are counted. */
#ifndef TU_STATS_H
#define TU_STATS_H

#include "box/sim_gpu.h"

SIM_BOX_STATS(tu)

#endif
