/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The geometry stage in functional mode: collects primitives until a group is full or their
 * vertices are about to be overwritten, runs the program, and passes on each lane's emission in the
 * order of the primitives. */
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"
#include "emul/geometry/emul_gs.h"
#include "func/sim_func_impl.h"

/* Passes on a lane's vertices and their primitives. */
static void
func_gs_emit(struct sim_func *f, const struct emul_emission *e)
{
   const struct emul_draw_state *state = &f->pass->state;
   const size_t vertex_size = e->outputs * sizeof(e->out[0]);
   if (!e->num)
      return;
   const uint32_t base = func_vectors(f, &f->emitted, (uint32_t)e->num * e->outputs);
   memcpy(f->emitted.vectors[base], e->out, e->num * vertex_size);
   struct emul_gs_strips strips;
   emul_gs_strips_start(&strips, state);
   while (strips.next < e->num) {
      const uint32_t ref = base + strips.next * e->outputs, stream = e->stream[strips.next];
      struct emul_assembled a;
      const struct emul_vertex *vertex[3];
      unsigned keep;
      if (!emul_gs_strips_vertex(&strips, e, ref, &a, &keep))
         continue;
      f->pass->counters[ATTILA_COUNTER_GS_PRIMITIVES]++;
      f->pass->counters[ATTILA_COUNTER_GS_PRIMITIVES_0 + stream]++;
      for (unsigned v = 0; v < a.num_vertices; v++)
         vertex[v] = (const struct emul_vertex *)f->emitted.vectors[a.ref[v]];
      func_geometry_output(f, &a, stream, vertex, NULL);
   }
}

void
func_gs_flush(struct sim_func *f)
{
   struct func_gs *g = &f->gs;
   const struct emul_draw_state *state = &f->pass->state;
   const unsigned count = g->count;
   if (!count)
      return;
   const size_t lane = (size_t)emul_program_isa(state->gs)->gs_max_vertices * state->num_outputs;
   if (count * lane > g->room) {
      free(g->out);
      g->room = EMUL_LANES * lane;
      g->out = sim_xmalloc(g->room * sizeof(*g->out));
   }
   for (unsigned i = 0; i < count; i++) {
      const struct emul_vertex *vertex[ATTILA_MAX_PRIM_VERTICES];
      for (unsigned v = 0; v < g->prim[i].num_vertices; v++)
         vertex[v] = (const struct emul_vertex *)f->arena.vectors[g->prim[i].ref[v]];
      emul_gs_load(state, vertex, g->prim[i].id, g->invocation[i], i, g->inputs);
      g->emission[i].out = g->out + i * lane;
      emul_gs_start(state, &g->emission[i]);
      f->own->thread.emission[i] = &g->emission[i];
   }
   func_run_thread(f->own, state->gs, ATTILA_STAGE_GEOMETRY, g->inputs,
                   (uint16_t)((1u << count) - 1), 0);
   f->pass->counters[ATTILA_COUNTER_GS_INVOCATIONS] += count;
   g->count = 0;
   for (unsigned i = 0; i < count; i++)
      func_gs_emit(f, &g->emission[i]);
}

void
func_gs_take(struct sim_func *f, const struct emul_assembled *a, unsigned num)
{
   const unsigned invocations = emul_program_isa(f->pass->state.gs)->gs_repeats + 1u;
   f->pass->counters[ATTILA_COUNTER_GS_INPUTS] += num;
   for (unsigned i = 0; i < num * invocations; i++) {
      f->gs.invocation[f->gs.count] = (uint8_t)(i % invocations);
      f->gs.prim[f->gs.count++] = a[i / invocations];
      if (f->gs.count == EMUL_LANES)
         func_gs_flush(f);
   }
}
