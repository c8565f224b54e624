/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Samples of what a test could run for hours: scripts/test chooses them by a seed, another one in
 * each run. A test that runs by itself takes all machines and its first scenes. */
#ifndef TEST_SAMPLE_H
#define TEST_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* A number of the environment: ATTILA_TEST_SCENES and ATTILA_TEST_MACHINES say how many random
 * scenes and machines there are, ATTILA_TEST_FIRST which is the first. */
static inline uint32_t
sample_number(const char *variable, uint32_t otherwise)
{
   const char *n = getenv(variable);
   return n ? (uint32_t)strtoul(n, NULL, 10) : otherwise;
}

/* Of machines that are numbered: with the seed ATTILA_TEST_SAMPLE every sixth one. */
static inline bool
sample_has(uint32_t number)
{
   return !getenv("ATTILA_TEST_SAMPLE") ||
          (number + sample_number("ATTILA_TEST_SAMPLE", 0)) % 6 == 0;
}

#endif
