/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out: which words of memory the vertices of a primitive become (OpenGL's transform
 * feedback, OpenGL 3.0 section 2.15). Not here: when they get there (box/geometry/so.c).
 */
#ifndef EMUL_STREAM_OUT_H
#define EMUL_STREAM_OUT_H

#include "emul/emul_draw.h"

/* What STREAM_OUTPUTS and STREAM_TARGETS have set. Constant while a draw uses it. */
struct emul_stream_out {
   uint32_t num_outputs;
   struct attila_stream_output output[ATTILA_MAX_STREAM_OUTPUTS];
   uint32_t stride[ATTILA_MAX_STREAM_BUFFERS]; /* bytes of a vertex */
   struct attila_stream_target target[ATTILA_MAX_STREAM_BUFFERS];
   uint32_t buffers; /* bit per buffer that is bound and has outputs: emul_stream_out_buffers */
};

uint32_t emul_stream_out_buffers(const struct emul_stream_out *s);

/* Whether a primitive of so many vertices fits whole into every buffer; filled: bytes that each
 * holds, multiples of 4. */
bool emul_stream_out_fits(const struct emul_stream_out *s,
                          const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS], unsigned num_vertices);

/* Which vertex of a primitive in winding order is written first: the others follow in that order.
 * A triangle is turned so that its provoking vertex is first or last, as for a list of triangles,
 * so that drawing what was written gives the same flat values. */
static inline unsigned
emul_stream_out_first(unsigned num_vertices, unsigned provoking, bool flatshade_first)
{
   return num_vertices < 3 ? 0 : flatshade_first ? provoking : (provoking + 1) % 3;
}

/* Output i of a vertex: its words and their number, at most 4, and the address of the first for the
 * next vertex of the buffer. 0 words: its buffer is not bound. */
unsigned emul_stream_out_words(const struct emul_draw_state *state, unsigned i,
                               const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS],
                               const struct emul_vertex *vertex, uint32_t words[4],
                               uint32_t *address);

/* A vertex is written. */
static inline void
emul_stream_out_advance(const struct emul_stream_out *s, uint64_t filled[ATTILA_MAX_STREAM_BUFFERS])
{
   for (uint32_t m = s->buffers; m; m &= m - 1)
      filled[__builtin_ctz(m)] += s->stride[__builtin_ctz(m)];
}

/* Writes a primitive to memory if it fits; vertices in winding order. False: it does not. */
bool emul_stream_out_write(const struct emul_draw_state *state, unsigned num_vertices,
                           unsigned provoking, const struct emul_vertex *const vertex[3],
                           uint8_t *memory);

#endif
