/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The way from a shader to its texture units. A shader has TextureUnits of its own, or all shaders
 * share SharedTextureUnits. Its requests go to one unit until TextureRequestGroup quads have gone
 * there and a cycle passes without a quad to send; then to the next one. TextureRequestRate quads
 * leave a shader in a cycle of the GPU clock, whatever the unit.
 */
#ifndef TEX_LINK_H
#define TEX_LINK_H

#include "box/shader/shader_unit.h"
#include "box/sim_gpu.h"

/* Bit per quad of a request that has lanes which want something. */
static inline unsigned
tex_quads(uint16_t mask)
{
   unsigned m = mask | mask >> 1;
   m |= m >> 2;
   return (m & 1) | (m >> 3 & 2) | (m >> 6 & 4) | (m >> 9 & 8);
}

/* Bits set of four. */
static inline unsigned
tex_count_quads(unsigned quads)
{
   static const uint8_t count[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
   return count[quads];
}

/* Zeroed: nothing has been sent. */
struct tex_link {
   uint32_t unit;       /* of those the shader reaches */
   uint32_t sent;       /* quads, to this unit in turn */
   sim_tick quads_sent; /* until then quads leave */
};

/* Whether the unit whose turn it is takes a request now; shader: the sending box. */
bool tex_link_has_room(const struct tex_link *link, const struct sim_box *shader, sim_tick now);
/* Sends the texture operation that a thread has stopped at; there must be room. Returns its quads.
 */
uint32_t tex_link_send(struct tex_link *link, const struct sim_box *shader,
                       struct shf_thread *thread, uint16_t work_id, sim_tick now);

#endif
