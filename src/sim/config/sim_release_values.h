/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the last release of ATTILA (2015) has in its code where this simulator has a key, and the
 * built-in machine, that of the papers, has another value. A file with a key that only the release
 * knows (sim_release_keys.h) begins with these, so that its machine is the release's. Not here:
 * values that the release's files give.
 */
#ifndef SIM_RELEASE_VALUES_H
#define SIM_RELEASE_VALUES_H

#include "hw/isa/attila_isa.h"

/* clang-format off */
#define SIM_RELEASE_OP(name, srcs, dst, cls, lat, rep, doc) \
   {"LATENCY", #name, #lat}, {"REPEATRATE", #name, #rep},

/* section, key, value */
#define SIM_RELEASE_VALUES                                    \
   {"RASTERIZER", "ShaderDistribution", "0"},                 \
   {"ZSTENCILTEST", "ZCacheAllSets", "FALSE"},                \
   {"COLORWRITE", "ColorCacheAllSets", "FALSE"},              \
   ATTILA_ISA_OPCODES(SIM_RELEASE_OP)
/* clang-format on */

#endif
