/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What held work up: the units that limited it, the first one most.
 */
#ifndef SIM_LIMITER_H
#define SIM_LIMITER_H

#define SIM_NUM_LIMITS 3

struct sim_limit {
   const char *unit; /* a constant; NULL: none */
   double share;     /* of the cycles, 0 to 1 */
};
struct sim_limits {
   struct sim_limit limit[SIM_NUM_LIMITS]; /* by share, the highest first */
};

#endif
