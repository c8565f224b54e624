/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Recent uses of memory: when functional mode last read and wrote each 64 bytes, and for which unit
 * of the machine. A cache that replaces what was used least recently holds, of each set, what was
 * used last, so its contents follow from these times whatever its size and ways (Barr et al.,
 * "Accelerating Multiprocessor Simulation with a Memory Timestamp Record", ISPASS 2005). Kept only
 * for a machine that has such a cache (box/memory/l2_warming.c). The order is functional mode's,
 * whose fragments come tile by tile. Not noted: constants, programs, the parameter buffer, and
 * tests of depth that fail in a whole tile.
 */
#ifndef SIM_USES_H
#define SIM_USES_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_USES_UNIT 64u    /* bytes with one time */
#define SIM_USES_GROUP 4096u /* units that are looked at together */

enum sim_user {
   SIM_USER_COMMANDS, /* uploads, counters, read-backs */
   SIM_USER_INDICES,
   SIM_USER_VERTICES,
   SIM_USER_ZS,
   SIM_USER_COLOR,
   SIM_USER_TEXTURES,
   SIM_USER_BLITS,
   SIM_USER_DISPLAY,
   SIM_USER_STREAMS,
   SIM_USER_STORAGE,
   SIM_NUM_USERS
};

struct sim_uses {
   uint32_t *used, *written; /* [unit] the last time; 0: never */
   uint8_t *writer;          /* [unit] enum sim_user, if written */
   uint8_t *some;            /* [group]: a unit of it was used */
   uint64_t memory_size;
   uint32_t users; /* bit per enum sim_user that is noted */
   uint32_t now;
};

/* memory_size: multiple of SIM_USES_UNIT. False: out of host memory; call sim_uses_fini even so. */
bool sim_uses_init(struct sim_uses *u, uint64_t memory_size, uint32_t users);
void sim_uses_fini(struct sim_uses *u);

void sim_use_slow(struct sim_uses *u, enum sim_user user, uint64_t start, uint64_t end, bool write);
/* Notes that bytes [start, end) are read or written. */
static inline void
sim_use(struct sim_uses *u, enum sim_user user, uint64_t start, uint64_t end, bool write)
{
   if (u->users >> user & 1)
      sim_use_slow(u, user, start, end, write);
}

/* Returns the next unit from `unit` on that was used; the number of units: none. */
uint64_t sim_uses_next(const struct sim_uses *u, uint64_t unit);

#endif
