/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A hash of several pieces of data, one after the other, for tables that live as long as a run. Not
 * here: hashes of files and of state (sim_state.h). */
#ifndef SIM_MIX_H
#define SIM_MIX_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Adds data to a hash. */
static inline uint64_t
sim_mix(uint64_t hash, const void *data, size_t bytes)
{
   const uint8_t *at = (const uint8_t *)data;
   for (; bytes >= 4; bytes -= 4, at += 4) {
      uint32_t word;
      memcpy(&word, at, sizeof(word));
      hash = (hash ^ word) * 0x9e3779b97f4a7c15ull + (hash >> 29);
   }
   for (; bytes; bytes--)
      hash = (hash ^ *at++) * 0x9e3779b97f4a7c15ull + (hash >> 29);
   return hash;
}

#endif
