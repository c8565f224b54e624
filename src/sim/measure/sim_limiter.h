/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What held work up: the units that limited it, the first one most (sim_limiter.c says how that is
 * found).
 */
#ifndef SIM_LIMITER_H
#define SIM_LIMITER_H

#include "core/sim_box.h"

struct measure_columns;

#define SIM_NUM_LIMITS 3

struct sim_limit {
   const char *unit; /* a constant, SIM_LIMITERS; NULL: none */
   double share;     /* of the cycles, 0 to 1 */
};
struct sim_limits {
   struct sim_limit limit[SIM_NUM_LIMITS]; /* by share, the highest first */
};

/* What a unit of the machine is called as a limiter, and which ideal unit (config/sim_ideal.h) it
 * is part of. From the end of the pipeline to its beginning: of units that limit alike, the one
 * that comes first here is named first. */
/* clang-format off */
#define SIM_LIMITERS(L)                              \
   L(DAC,          "DAC",                  dac)      \
   L(BLITTER,      "blitter",              memory)   \
   L(COLOR,        "colour units",         rop)      \
   L(DEPTH,        "depth units",          rop)      \
   L(BANDWIDTH,    "memory bandwidth",     memory)   \
   L(LATENCY,      "memory latency",       memory)   \
   L(TEXTURE,      "texture units",        texture)  \
   L(SHADER,       "shaders",              shader)   \
   L(INTERPOLATOR, "interpolator",         raster)   \
   L(HZ,           "hierarchical Z",       raster)   \
   L(TRAVERSAL,    "traversal",            raster)   \
   L(SETUP,        "setup",                raster)   \
   L(CLIPPER,      "clipper",              geometry) \
   L(ASSEMBLY,     "primitive assembly",   geometry) \
   L(COMMIT,       "streamer commit",      geometry) \
   L(LOADER,       "attribute loader",     geometry) \
   L(VERTEX_CACHE, "vertex cache",         geometry) \
   L(INDICES,      "index fetch",          geometry) \
   L(BUS,          "system bus",           bus)      \
   L(COMMAND,      "command processor",    command)
/* clang-format on */
enum sim_limiter_unit {
#define L(NAME, name, ideal) SIM_LIMITER_##NAME,
   SIM_LIMITERS(L)
#undef L
       SIM_NUM_LIMITERS
};

#define SIM_LIMITER_TERMS 6
/* Where to find what a unit did. Filled by sim_limiter_init. */
struct sim_limiter {
   struct sim_limiter_boxes {
      unsigned num;                                /* boxes; 0: this machine has none */
      unsigned first[SIM_MAX_BOXES];               /* column of a box's first statistic */
      unsigned busy, blocked;                      /* after first */
      unsigned num_terms, term[SIM_LIMITER_TERMS]; /* the same: statistics of its work */
      unsigned divisor[SIM_LIMITER_TERMS];
      enum sim_domain domain;
   } unit[SIM_NUM_LIMITERS], fifo, channel;
};

void sim_limiter_init(struct sim_limiter *l, const struct measure_columns *c,
                      const struct sim_kernel *k);
/* values: by column; cycles: that passed, by domain. */
struct sim_limits sim_limiter_find(const struct sim_limiter *l, const uint64_t *values,
                                   const uint64_t cycles[SIM_NUM_DOMAINS]);

#endif
