/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The geometry of a draw in functional mode. Indices are taken in chunks: first the different
 * vertices of a chunk are shaded in groups of 16, then its primitives are assembled, clipped, set
 * up and rasterised. Vertices that the assembler still holds at the end of a chunk are carried
 * over.
 */
#include <string.h>
#include "func/sim_func_impl.h"

static void
shade_group(struct sim_func *f, uint32_t first, unsigned count, uint32_t instance)
{
   const struct emul_draw_state *state = &f->state;
   const struct attila_isa_program *isa = emul_program_isa(state->vs);
   for (uint32_t m = isa->inputs_read; m; m &= m - 1) {
      unsigned a = (unsigned)__builtin_ctz(m);
      emul_attrib_fetch(state, a, f->device->memory, &f->unique[first], count, instance,
                        &f->vertex_in[a]);
   }
   func_run_thread(f, state->vs, ATTILA_STAGE_VERTEX, f->vertex_in, (uint16_t)((1u << count) - 1));
   for (uint32_t m = isa->outputs_written; m; m &= m - 1) {
      unsigned o = (unsigned)__builtin_ctz(m);
      for (unsigned i = 0; i < count; i++) {
         float *out = f->vertices[first + i].out[o];
         for (unsigned c = 0; c < 4; c++)
            out[c] = f->outputs[o].c[c][i];
      }
   }
}

static void
shade(struct sim_func *f, unsigned count, uint32_t instance)
{
   f->counters[ATTILA_COUNTER_VS_INVOCATIONS] += count;
   if (f->discard)
      return;
   for (unsigned first = 0; first < count; first += EMUL_LANES)
      shade_group(f, first, count - first < EMUL_LANES ? count - first : EMUL_LANES, instance);
}

static void
set_up(struct sim_func *f, const struct emul_primitive *prim)
{
   enum emul_setup_result result;
   f->counters[ATTILA_COUNTER_CLIP_PRIMITIVES]++;
   unsigned n = emul_setup(&f->state, prim, &f->stipple, f->setup, &result);
   for (unsigned i = 0; i < n; i++)
      func_rasterise(f, &f->setup[i]);
}

/* What clipping left, as a fan around its first vertex. */
static void
set_up_clipped(struct sim_func *f, const struct emul_primitive *whole, unsigned n, uint32_t edges)
{
   struct emul_primitive prim = *whole;
   if (n < 3) {
      for (unsigned i = 0; i < n; i++)
         prim.v[i] = &f->clipped[i];
      set_up(f, &prim);
      return;
   }
   prim.v[0] = &f->clipped[0];
   for (unsigned k = 1; k + 1 < n; k++) {
      prim.v[1] = &f->clipped[k];
      prim.v[2] = &f->clipped[k + 1];
      prim.edges = (uint8_t)((k == 1 ? edges & 1 : 0) | (edges >> k & 1) << 1 |
                             (k + 2 == n ? edges >> (n - 1) & 1 : 0) << 2);
      prim.stipple_reset = whole->stipple_reset && k == 1;
      set_up(f, &prim);
   }
}

static void
primitives(struct sim_func *f, const struct emul_assembled *a, unsigned num)
{
   uint64_t *counters = f->counters;
   counters[ATTILA_COUNTER_IA_PRIMITIVES] += num;
   if (f->discard)
      return;
   for (unsigned i = 0; i < num; i++, a++) {
      struct emul_primitive prim = {.num_vertices = a->num_vertices,
                                    .provoking = a->provoking,
                                    .edges = a->edges,
                                    .stipple_reset = a->stipple_reset};
      for (unsigned v = 0; v < a->num_vertices; v++)
         prim.v[v] = &f->vertices[a->ref[v]];
      prim.flat = prim.v[a->provoking];
      unsigned n, planes;
      uint32_t edges;
      counters[ATTILA_COUNTER_CLIP_INVOCATIONS]++;
      enum emul_clip_result result = emul_clip(&f->state, &prim, f->clipped, &n, &edges, &planes);
      if (result == EMUL_CLIP_PASS)
         set_up(f, &prim);
      else if (result == EMUL_CLIP_CLIPPED)
         set_up_clipped(f, &prim, n, edges);
   }
}

static void
assemble(struct sim_func *f, unsigned positions)
{
   struct emul_assembled out[2];
   unsigned num;
   for (unsigned i = 0; i < positions; i++) {
      if (f->position[i] == FUNC_RESTART) {
         emul_assembler_restart(&f->assembler, out, &num);
         f->keep = 0;
      } else {
         num = emul_assembler_vertex(&f->assembler, f->position[i], out, &f->keep);
      }
      if (num)
         primitives(f, out, num);
   }
   /* The next chunk overwrites the slots. Two sets of carry slots take turns, so that none is
    * overwritten while it is copied. */
   uint32_t slot = FUNC_CHUNK + 4 * f->carried;
   f->carried = !f->carried;
   for (unsigned i = 0; i < 4; i++, slot++) {
      if (!(f->keep >> i & 1))
         continue;
      memcpy(&f->vertices[slot], &f->vertices[f->assembler.ref[i]],
             f->state.num_vs_outputs * sizeof(f->vertices[0].out[0]));
      f->assembler.ref[i] = slot;
   }
}

static inline uint32_t
read_index(const uint8_t *indices, unsigned size, uint32_t i)
{
   uint16_t i16;
   uint32_t i32;
   switch (size) {
   case 1:
      return indices[i];
   case 2:
      memcpy(&i16, indices + (size_t)i * 2, 2);
      return i16;
   default:
      memcpy(&i32, indices + (size_t)i * 4, 4);
      return i32;
   }
}

/* Takes the indices from `at` on as far as a chunk goes. */
static unsigned
take_indices(struct sim_func *f, uint32_t at, unsigned *num_unique)
{
   const struct attila_cmd_draw *cmd = &f->state.cmd;
   const uint8_t *indices = f->device->memory + cmd->index_address;
   bool restart = cmd->flags & ATTILA_DRAW_RESTART;
   unsigned n = 0, unique = 0, vertices = 0;
   f->epoch++;
   for (; n < FUNC_POSITIONS && unique < FUNC_CHUNK && at + n < cmd->count; n++) {
      uint32_t value = read_index(indices, cmd->index_size, cmd->start + at + n);
      if (restart && value == cmd->restart_index) {
         f->position[n] = FUNC_RESTART;
         continue;
      }
      vertices++;
      value += cmd->index_bias;
      struct func_cache_entry *e = &f->cache[value % FUNC_HASH];
      if (e->epoch != f->epoch || e->index != value) {
         *e = (struct func_cache_entry){.index = value, .slot = unique, .epoch = f->epoch};
         f->unique[unique++] = value;
      }
      f->position[n] = e->slot;
   }
   f->counters[ATTILA_COUNTER_IA_VERTICES] += vertices;
   *num_unique = unique;
   return n;
}

static unsigned
take_vertices(struct sim_func *f, uint32_t at, unsigned *num_unique)
{
   const struct attila_cmd_draw *cmd = &f->state.cmd;
   unsigned n = cmd->count - at < FUNC_CHUNK ? cmd->count - at : FUNC_CHUNK;
   for (unsigned i = 0; i < n; i++) {
      f->unique[i] = cmd->start + at + i;
      f->position[i] = i;
   }
   f->counters[ATTILA_COUNTER_IA_VERTICES] += n;
   *num_unique = n;
   return n;
}

static void
draw_instance(struct sim_func *f, uint32_t instance)
{
   const struct attila_cmd_draw *cmd = &f->state.cmd;
   struct emul_assembled out[2];
   unsigned unique, n;
   uint64_t total = (uint64_t)cmd->count * cmd->num_instances,
            before = (uint64_t)cmd->count * (instance - cmd->first_instance);
   for (uint32_t at = 0; at < cmd->count; at += n) {
      sim_report_draw_progress(f->device->report, before + at, total);
      n = cmd->index_size ? take_indices(f, at, &unique) : take_vertices(f, at, &unique);
      shade(f, unique, instance);
      assemble(f, n);
   }
   n = emul_assembler_end(&f->assembler, out);
   primitives(f, out, n);
   f->keep = 0;
}

void
func_draw(struct sim_func *f)
{
   const struct emul_draw_state *state = &f->state;
   f->discard = state->regs.rasterizer_discard;
   f->stipple = 0;
   f->keep = 0;
   f->stopped = false;
   emul_assembler_start(&f->assembler, state->cmd.prim, state->regs.flatshade_first);
   func_fragment_start(f);
   for (uint32_t i = 0; i < state->cmd.num_instances; i++)
      draw_instance(f, state->cmd.first_instance + i);
   func_fragment_end(f);
}
