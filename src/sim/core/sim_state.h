/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State as bytes, for snapshots: one function per structure names its members, and saves or loads
 * them, as the stream says. What is loaded may be damaged: a stream that ends too early gives
 * zeros, and whoever loads numbers checks them (sim_state_check). Not here: files
 * (capture/sim_index.h).
 */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_state {
   uint8_t *data;
   size_t at, size; /* of what is loaded; saving: size is the room there is */
   bool load;
   bool failed; /* loading: the data makes no sense; saving: out of host memory */
};

void sim_state_bytes(struct sim_state *s, void *data, size_t size);
/* A number or an array, but no structure with gaps: equal states are equal bytes. */
#define SIM_STATE(s, value) sim_state_bytes(s, &(value), sizeof(value))
/* Text in an array: it ends there. */
#define SIM_STATE_TEXT(s, text)               \
   do {                                       \
      sim_state_bytes(s, text, sizeof(text)); \
      (text)[sizeof(text) - 1] = '\0';        \
   } while (0)
/* What must hold of what was loaded; returns whether all did so far. */
static inline bool
sim_state_check(struct sim_state *s, bool good)
{
   s->failed |= s->load && !good;
   return !s->failed;
}
/* Everything has been loaded, and nothing is left. */
static inline bool
sim_state_done(const struct sim_state *s)
{
   return !s->failed && (!s->load || s->at == s->size);
}

/* A hash of 128 bits. Not against people who look for two of the same. */
struct sim_hash {
   uint64_t half[2];
};
struct sim_hash sim_hash(const void *data, size_t size);

#endif
