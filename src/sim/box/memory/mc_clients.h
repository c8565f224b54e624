/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The clients of GPU memory: their kinds, in the order in which the memory controllers look at
 * them, and the statistics that exist for each kind.
 */
#ifndef MC_CLIENTS_H
#define MC_CLIENTS_H

#include "box/sim_gpu.h"

/* K(member, Name): n->member_mc and n->mc_member are its signals. */
/* clang-format off */
#define MC_CLIENT_KINDS(K)                                                                   \
   K(cp, CommandProcessor) K(stf, StreamerFetch) K(sl, StreamerLoader) K(zst, ZStencilTest)  \
   K(cw, ColorWrite) K(tu, TextureUnit) K(blit, Blitter) K(dac, DAC)
/* clang-format on */

enum mc_kind {
#define K(member, name) MC_##member,
   MC_CLIENT_KINDS(K)
#undef K
       MC_NUM_KINDS
};

#define MC_MAX_CLIENTS 128
#define MC_TRANSACTION 64 /* bytes */

/* How many clients of a kind there are. */
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
   default:
      return 1;
   }
}

/* Bytes that cross the memory bus. */
static inline uint32_t
mc_wire_bytes(const struct msg_mem_request *r)
{
   return r->wire_bytes ? r->wire_bytes : r->size;
}

#endif
