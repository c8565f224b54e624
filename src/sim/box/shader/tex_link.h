/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The way from a shader to its texture units: TextureUnits of its own, or SharedTextureUnits for
 * all shaders. Requests go to one unit until it has got TextureRequestGroup quads, and to the next
 * one after a cycle without a quad to send. TextureRequestRate quads leave a shader per cycle of
 * the GPU clock, whatever the unit. */
#ifndef TEX_LINK_H
#define TEX_LINK_H

#include "box/shader/shader_unit.h"
#include "box/sim_gpu.h"

/* Returns a bit per quad of a request that has active lanes. */
static inline unsigned
tex_quads(uint16_t mask)
{
   unsigned m = mask | mask >> 1;
   m |= m >> 2;
   return (m & 1) | (m >> 3 & 2) | (m >> 6 & 4) | (m >> 9 & 8);
}

/* Counts the set bits of a number of four bits. */
static inline unsigned
tex_count_quads(unsigned quads)
{
   static const uint8_t count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
   return count[quads];
}

/* Zeroed: nothing is sent yet. */
struct tex_link {
   uint32_t unit;       /* among the shader's */
   uint32_t sent;       /* quads sent to this unit in its turn */
   sim_tick quads_sent; /* until when quads leave */
};

/* Returns how many requests the unit whose turn it is has room for; shader: the sending box. */
uint32_t tex_link_room(const struct tex_link *link, const struct sim_box *shader, sim_tick now);
/* Sends the texture operation at which a thread, or a part, stopped; there must be room. Returns
 * its quads. */
uint32_t tex_link_send(struct tex_link *link, const struct sim_box *shader,
                       struct shf_thread *thread, uint16_t work_id, sim_tick now);

#endif
