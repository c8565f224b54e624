/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out: which words of memory a primitive's vertices become (transform feedback, OpenGL 3.0
 * section 2.15). Not here: when they get there (box/geometry/so.c). */
#ifndef EMUL_STREAM_OUT_H
#define EMUL_STREAM_OUT_H

#include "emul/emul_draw.h"

/* State that STREAM_OUTPUTS and STREAM_TARGETS set; constant while a draw uses it. */
struct emul_stream_out {
   uint32_t num_outputs;
   struct attila_stream_output output[ATTILA_MAX_STREAM_OUTPUTS];
   uint32_t stride[ATTILA_MAX_STREAM_BUFFERS]; /* bytes per vertex */
   struct attila_stream_target target[ATTILA_MAX_STREAM_BUFFERS];
   /* Derived: bit per bound buffer with outputs, of each stream of vertices and of all. */
   uint32_t of_stream[ATTILA_MAX_VERTEX_STREAMS], buffers;
};

void emul_stream_out_derive(struct emul_stream_out *s);

/* Returns whether a primitive of this many vertices fits as a whole into every buffer of its
 * stream; filled: bytes in each, multiples of 4. */
bool emul_stream_out_fits(const struct emul_stream_out *s, unsigned stream,
                          const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS], unsigned num_vertices);

/* Returns which vertex, in winding order, is written first; the others follow in this order. A
 * triangle's provoking vertex comes first or last, as it would in a list of triangles, so that
 * drawing the result gives the same flat values. */
static inline unsigned
emul_stream_out_first(unsigned num_vertices, unsigned provoking, bool flatshade_first)
{
   return num_vertices < 3 ? 0 : flatshade_first ? provoking : (provoking + 1) % 3;
}

/* Returns the number of words, at most 4, of a vertex's output i, with the address for the buffer's
 * next vertex; 0: its buffer is not bound, or of another stream. */
unsigned emul_stream_out_words(const struct emul_draw_state *state, unsigned i, unsigned stream,
                               const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS],
                               const struct emul_vertex *vertex, uint32_t words[4],
                               uint32_t *address);

/* Advances past a written vertex. */
static inline void
emul_stream_out_advance(const struct emul_stream_out *s, unsigned stream,
                        uint64_t filled[ATTILA_MAX_STREAM_BUFFERS])
{
   for (uint32_t m = s->of_stream[stream]; m; m &= m - 1)
      filled[__builtin_ctz(m)] += s->stride[__builtin_ctz(m)];
}

/* Writes a primitive to memory, vertices in winding order; false if it does not fit. */
bool emul_stream_out_write(const struct emul_draw_state *state, unsigned stream,
                           unsigned num_vertices, unsigned provoking,
                           const struct emul_vertex *const vertex[3], uint8_t *memory);

#endif
