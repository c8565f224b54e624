/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a texture unit counts, under the original's names with the original's meaning: FC64 is the
 * cache level nearest the filter, FC the one behind it. Not here: where it is counted.
 */
#ifndef TU_STATS_H
#define TU_STATS_H

#include "box/sim_gpu.h"

SIM_BOX_STATS(tu)

#endif
