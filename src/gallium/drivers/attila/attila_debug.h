/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * ATTILA_DEBUG: what the driver prints, and what it does differently to narrow down a fault. The
 * compiler's flags (attila_compiler.h) are below bit 8.
 */
#ifndef ATTILA_DEBUG_H
#define ATTILA_DEBUG_H

#include <stdbool.h>
#include "attila_compiler.h"

struct attila_sim_options;

/* D(NAME, "name", bit, "meaning") */
/* clang-format off */
#define ATTILA_DRIVER_DEBUG(D)                                                                    \
   D(CMD,           "cmd",           8,  "every submission: commands by opcode")                  \
   D(PERF,          "perf",          9,  "what is slow, and why")                                 \
   D(SYNC,          "sync",          10, "the GPU finishes every command before the next one")    \
   D(FLUSH,         "flush",         11,                                                          \
     "all caches are written back and emptied after every draw")                                  \
   D(NOFASTCLEAR,   "nofastclear",   12, "clears are drawn")                                      \
   D(NOHZ,          "nohz",          13, "no Hierarchical Z (RASTERIZER.DisableHZ)")              \
   D(NOCOMPRESSION, "nocompression", 14,                                                          \
     "colour and depth are not compressed (DisableCompression of ZSTENCILTEST and COLORWRITE)")   \
   D(NORENAME,      "norename",      15,                                                          \
     "data that is overwritten while draws still use it keeps its memory; the write waits")       \
   D(ZERO,          "zero",          16,                                                          \
     "no memory is reused while there is fresh memory: what nobody has written is zero")
/* clang-format on */
enum attila_driver_debug {
#define D(NAME, name, bit, doc) ATTILA_DEBUG_##NAME = 1 << bit,
   ATTILA_DRIVER_DEBUG(D)
#undef D
};

/* Parses a list of names; "help" among them prints all names. Returns false, after a message on
 * stderr, for an unknown name. text may be NULL. */
bool attila_debug_parse(const char *text, unsigned *flags);

/* Appends the flags that are parameters of the machine to the overrides in options. storage has
 * room for options->num_overrides + ATTILA_DEBUG_OVERRIDES, and lives as long as options. */
#define ATTILA_DEBUG_OVERRIDES 3
void attila_debug_override(unsigned flags, struct attila_sim_options *options,
                           const char **storage);

#endif
