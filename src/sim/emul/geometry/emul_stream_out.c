/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out's arithmetic; see emul_stream_out.h. */
#include <string.h>
#include "emul/emul_stream_out.h"

void
emul_stream_out_derive(struct emul_stream_out *s)
{
   memset(s->of_stream, 0, sizeof(s->of_stream));
   s->buffers = 0;
   for (unsigned i = 0; i < s->num_outputs; i++) {
      const struct attila_stream_output o = s->output[i];
      if (s->target[o.buffer].size)
         s->of_stream[o.stream] |= 1u << o.buffer;
      s->buffers |= s->of_stream[o.stream];
   }
}

bool
emul_stream_out_fits(const struct emul_stream_out *s, unsigned stream,
                     const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS], unsigned num_vertices)
{
   for (uint32_t m = s->of_stream[stream]; m; m &= m - 1) {
      const unsigned b = (unsigned)__builtin_ctz(m);
      if (filled[b] > s->target[b].size ||
          (uint64_t)num_vertices * s->stride[b] > s->target[b].size - filled[b])
         return false;
   }
   return true;
}

unsigned
emul_stream_out_words(const struct emul_draw_state *state, unsigned i, unsigned stream,
                      const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS],
                      const struct emul_vertex *vertex, uint32_t words[4], uint32_t *address)
{
   static const float missing[4] = {0, 0, 0, 1};
   const struct emul_stream_out *s = state->stream_out;
   const struct attila_stream_output o = s->output[i];
   if (!(s->of_stream[stream] >> o.buffer & 1))
      return 0;
   const bool exists = emul_program_writes(emul_last_program(state), o.output);
   memcpy(words, (exists ? vertex->out[o.output] : missing) + o.first,
          (o.last - o.first + 1u) * sizeof(*words));
   *address = (uint32_t)(s->target[o.buffer].address + filled[o.buffer] + 4u * o.offset);
   return o.last - o.first + 1u;
}

bool
emul_stream_out_write(const struct emul_draw_state *state, unsigned stream, unsigned num_vertices,
                      unsigned provoking, const struct emul_vertex *const vertex[3],
                      uint8_t *memory)
{
   const struct emul_stream_out *s = state->stream_out;
   const unsigned first =
       emul_stream_out_first(num_vertices, provoking, state->regs.flatshade_first);
   if (!emul_stream_out_fits(s, stream, state->stream_filled, num_vertices))
      return false;
   for (unsigned v = 0; v < num_vertices; v++) {
      for (unsigned i = 0; i < s->num_outputs; i++) {
         uint32_t words[4], address;
         const unsigned n =
             emul_stream_out_words(state, i, stream, state->stream_filled,
                                   vertex[(first + v) % num_vertices], words, &address);
         if (n)
            memcpy(memory + address, words, n * sizeof(*words));
      }
      emul_stream_out_advance(s, stream, state->stream_filled);
   }
   return true;
}
