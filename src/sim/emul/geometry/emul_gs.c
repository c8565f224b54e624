/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The geometry stage's arithmetic; see emul_gs.h. */
#include <string.h>
#include "emul/geometry/emul_gs.h"

uint32_t
emul_gs_output_bytes(const struct emul_draw_state *state)
{
   const struct attila_isa_program *isa = emul_program_isa(state->gs);
   return 16u * isa->gs_max_vertices * attila_isa_outputs(isa);
}

unsigned
emul_gs_input_registers(const struct attila_isa_program *isa)
{
   unsigned n = isa->gs_reads_ids ? ATTILA_GS_INPUT_IDS + 1 : 0;
   if (isa->inputs_read) {
      const unsigned last = 63 - (unsigned)__builtin_clzll(isa->inputs_read),
                     end = ATTILA_GS_INPUT(last, isa->gs_vertices_in);
      n = end > n ? end : n;
   }
   return n;
}

void
emul_gs_load(const struct emul_draw_state *state, const struct emul_vertex *const *vertex,
             uint32_t id, uint32_t invocation, unsigned lane, struct emul_vec4 *inputs)
{
   static const float missing[4] = {0, 0, 0, 1};
   const struct attila_isa_program *isa = emul_program_isa(state->gs);
   const uint64_t written = emul_program_isa(state->vs)->outputs_written;
   for (uint64_t left = isa->inputs_read; left; left &= left - 1) {
      const unsigned n = (unsigned)__builtin_ctzll(left), output = state->geometry.input[n];
      const bool exists = written >> output & 1;
      for (unsigned v = 0; v < isa->gs_vertices_in; v++) {
         const float *value = exists ? vertex[v]->out[output] : missing;
         for (unsigned c = 0; c < 4; c++)
            inputs[ATTILA_GS_INPUT(n, v)].c[c][lane] = value[c];
      }
   }
   if (isa->gs_reads_ids) {
      memcpy(&inputs[ATTILA_GS_INPUT_IDS].c[0][lane], &id, sizeof(id));
      memcpy(&inputs[ATTILA_GS_INPUT_IDS].c[1][lane], &invocation, sizeof(invocation));
      for (unsigned c = 2; c < 4; c++)
         inputs[ATTILA_GS_INPUT_IDS].c[c][lane] = 0.0f;
   }
}

void
emul_gs_strips_start(struct emul_gs_strips *s, const struct emul_draw_state *state)
{
   static const uint8_t prims[] = {ATTILA_PRIM_POINTS, ATTILA_PRIM_LINE_STRIP,
                                   ATTILA_PRIM_TRIANGLE_STRIP};
   emul_assembler_start(&s->assembler, prims[emul_program_isa(state->gs)->gs_vertices_out - 1],
                        state->regs.flatshade_first);
   s->next = 0;
}

bool
emul_gs_strips_vertex(struct emul_gs_strips *s, const struct emul_emission *e, uint32_t ref,
                      struct emul_assembled *out, unsigned *keep)
{
   struct emul_assembled made[2];
   const unsigned v = s->next++;
   unsigned num;
   if (e->begins[v / 32] >> v % 32 & 1)
      emul_assembler_restart(&s->assembler, made, &num);
   num = emul_assembler_vertex(&s->assembler, ref, made, keep);
   *out = made[0];
   return num != 0;
}
