/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State as bytes (sim_state.h). */
#include "core/sim_state.h"

#include <stdlib.h>
#include <string.h>

static void
state_save(struct sim_state *s, const void *data, size_t size)
{
   if (s->failed)
      return;
   if (size > s->size - s->at) {
      const size_t room = (s->at + size) * 2;
      uint8_t *grown = realloc(s->data, room);
      if (!grown) {
         s->failed = true;
         return;
      }
      s->data = grown;
      s->size = room;
   }
   memcpy(s->data + s->at, data, size);
   s->at += size;
}

void
sim_state_bytes(struct sim_state *s, void *data, size_t size)
{
   if (!size)
      return;
   if (!s->load) {
      state_save(s, data, size);
      return;
   }
   if (s->failed || size > s->size - s->at) {
      s->failed = true;
      memset(data, 0, size);
      return;
   }
   memcpy(data, s->data + s->at, size);
   s->at += size;
}

#define ODD_1 0x9e3779b97f4a7c15ull
#define ODD_2 0xc2b2ae3d27d4eb4full

static inline void
state_mix(struct sim_hash *h, uint64_t x, uint64_t y)
{
   const uint64_t a = (h->half[0] ^ x) * ODD_1, b = (h->half[1] ^ y) * ODD_2;
   h->half[0] = a ^ b >> 29;
   h->half[1] = b ^ a >> 31;
}

struct sim_hash
sim_hash(const void *data, size_t size)
{
   const uint8_t *p = data;
   struct sim_hash h = {{ODD_2 ^ size, ODD_1}};
   uint64_t w[2];
   for (; size >= sizeof(w); size -= sizeof(w), p += sizeof(w)) {
      memcpy(w, p, sizeof(w));
      state_mix(&h, w[0], w[1]);
   }
   memset(w, 0, sizeof(w));
   memcpy(w, p, size);
   state_mix(&h, w[0], w[1]);
   for (unsigned i = 0; i < 3; i++)
      state_mix(&h, h.half[1], h.half[0]);
   return h;
}
