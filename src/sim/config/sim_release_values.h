/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Values in the code of ATTILA's last release (2015) for which there are keys here, and which
 * differ from the built-in machine (the papers' machine). Machines on "base = release2015" start
 * from these. Not here: values of the release's files. */
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
