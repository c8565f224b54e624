/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers of the statistics that both boxes of a ROP have (units/unit_rop.h). */
#ifndef BOX_ROP_STATS_H
#define BOX_ROP_STATS_H

#include "box/sim_gpu.h"

enum rop_stat {
#define ROP_STAT_ENUM(member, name, unit, doc) ROP_STAT_##member,
   SIM_ROP_STATS(ROP_STAT_ENUM)
#undef ROP_STAT_ENUM
       ROP_NUM_STATS
};

#endif
