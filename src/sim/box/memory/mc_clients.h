/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The clients of GPU memory (their kinds: units/unit_memory.h): how many there are of each, and the
 * bytes on their buses. */
#ifndef MC_CLIENTS_H
#define MC_CLIENTS_H

#include "box/sim_gpu.h"

enum mc_kind {
#define K(unused, member, name) MC_##member,
   SIM_MC_CLIENTS(K, )
#undef K
       MC_NUM_KINDS
};

#define MC_MAX_CLIENTS 320
#define MC_TRANSACTION 64 /* bytes */

/* Returns how many clients of a kind there are. */
static inline unsigned
mc_clients(const struct sim_config *c, enum mc_kind kind)
{
   switch (kind) {
   case MC_sl:
      return c->streamer.loaders;
   case MC_zst:
   case MC_cw:
      return c->gpu.num_rops;
   case MC_tu:
      return NUM_TEX_UNITS(c);
   case MC_cc:
   case MC_lsu:
      return NUM_SHADERS(c);
   case MC_plb:
   case MC_tf:
      return sim_tiled(c);
   default:
      return 1;
   }
}

/* Sets the kind of each client, by its number in the controller without banks. */
static inline void
mc_kinds(const struct sim_config *c, uint8_t kind[static MC_MAX_CLIENTS])
{
   unsigned client = 0;
   for (unsigned k = 0; k < MC_NUM_KINDS; k++) {
      for (unsigned i = mc_clients(c, (enum mc_kind)k); i; i--)
         kind[client++] = (uint8_t)k;
   }
}

/* Returns the bytes that cross the memory bus. */
static inline uint32_t
mc_wire_bytes(const struct msg_mem_request *r)
{
   return r->wire_bytes ? r->wire_bytes : r->size;
}

#endif
