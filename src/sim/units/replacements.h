/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Replacement policies of texture caches and ROP caches, one line each. Not here: the policies
 * themselves (box/replace.h). */
#ifndef UNIT_REPLACEMENTS_H
#define UNIT_REPLACEMENTS_H

/* R(number in the .ini, name, what is replaced). Numbers count up from 0. */
/* clang-format off */
#define SIM_REPLACEMENTS(R)             \
   R(0, lru, "the least recently used") \
   R(1, recent, "one that is not among the last four read")
/* clang-format on */
#define SIM_REPLACEMENT_DOC(number, name, doc) ", " #number " " doc
#define SIM_REPLACEMENT_COUNT(number, name, doc) +1
#define SIM_NUM_REPLACEMENTS (0 SIM_REPLACEMENTS(SIM_REPLACEMENT_COUNT))
#define SIM_REPLACEMENTS_DOC "which line a miss replaces" SIM_REPLACEMENTS(SIM_REPLACEMENT_DOC)

#endif
