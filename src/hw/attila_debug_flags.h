/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The flags of ATTILA_DEBUG: what compiler and driver print or do differently to find faults.
 * attila-run uses the names, too. Not here: the effects (src/compiler, attila_debug.c). */
#ifndef ATTILA_DEBUG_FLAGS_H
#define ATTILA_DEBUG_FLAGS_H

/* D(NAME, "name", bit, "meaning"). Bits below 8 are the compiler's. */
/* clang-format off */
#define ATTILA_DEBUG_FLAGS(D)                                                                     \
   D(NIR,           "nir",           0,  "the NIR of every shader, as received and as compiled")  \
   D(ISA,           "isa",           1,  "the instructions of every shader")                      \
   D(STATS,         "stats",         2,  "one line per shader: instructions and registers")       \
   D(NOOPT,         "noopt",         3,  "no optimisation of the instructions")                   \
   D(VALIDATE,      "validate",      4,  "the compiler checks itself after every pass")           \
   D(NOMACHINE,     "nomachine",     5,  "code that does not depend on the machine")              \
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

enum attila_debug_flag {
#define D(NAME, name, bit, doc) ATTILA_DEBUG_##NAME = 1 << bit,
   ATTILA_DEBUG_FLAGS(D)
#undef D
       ATTILA_DEBUG_COMPILER = 0xff
};

#endif
