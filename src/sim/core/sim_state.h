/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State as bytes, for snapshots: one function per structure lists its members and saves or loads
 * them. Loaded data may be damaged: a stream that ends early gives zeros, and callers check numbers
 * (sim_state_check). Not here: files (capture/sim_index.h). */
#ifndef SIM_STATE_H
#define SIM_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_state {
   uint8_t *data;
   size_t at, size; /* of loaded data; saving: size is the room */
   bool load;
   bool failed; /* loading: bad data; saving: out of host memory */
};

void sim_state_bytes(struct sim_state *s, void *data, size_t size);
/* A number or an array, no structure with gaps: equal states are equal bytes. */
#define SIM_STATE(s, value) sim_state_bytes(s, &(value), sizeof(value))
/* Text in an array, which ends within it. */
#define SIM_STATE_TEXT(s, text)               \
   do {                                       \
      sim_state_bytes(s, text, sizeof(text)); \
      (text)[sizeof(text) - 1] = '\0';        \
   } while (0)
/* Checks loaded data; returns whether all checks held so far. */
static inline bool
sim_state_check(struct sim_state *s, bool good)
{
   s->failed |= s->load && !good;
   return !s->failed;
}
/* Returns whether all is loaded and nothing left. */
static inline bool
sim_state_done(const struct sim_state *s)
{
   return !s->failed && (!s->load || s->at == s->size);
}

/* A hash of 128 bits. Not cryptographic. */
struct sim_hash {
   uint64_t half[2];
};
struct sim_hash sim_hash(const void *data, size_t size);

#endif
