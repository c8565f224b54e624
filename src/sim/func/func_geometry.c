/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A draw's geometry in functional mode. Per chunk of indices: shades its distinct vertices in
 * groups of 16, then assembles, clips and sets up its primitives and passes them to the fragments
 * (func_threads.c) and to stream-out. A geometry stage (func_gs.c) follows assembly. Vertices that
 * the assembler holds at a chunk's end are carried over to the next. A reference to a vertex is its
 * place in f->arena; its window coordinates, which are computed once, follow its outputs. */
#include <string.h>
#include "emul/emul_stream_out.h"
#include "emul/geometry/emul_transpose.h"
#include "func/sim_func_impl.h"

#define WINDOW_VECTORS (sizeof(struct emul_window) / sizeof(float[4]))
_Static_assert(ATTILA_MAX_VARYINGS + WINDOW_VECTORS <= FUNC_VERTEX_VECTORS, "func_arena");

static inline struct emul_vertex *
func_geometry_vertex(const struct sim_func *f, uint32_t ref)
{
   return (struct emul_vertex *)f->arena.vectors[ref];
}

static inline struct emul_window *
func_geometry_window(const struct sim_func *f, uint32_t ref)
{
   return (struct emul_window *)f->arena.vectors[ref + f->pass->state.num_vs_outputs];
}

static inline bool
func_geometry_needs_vertices(const struct sim_func *f)
{
   return !f->pass->discard || f->pass->state.stream_out || f->pass->state.gs ||
          f->pass->state.storage_writers;
}

/* first: index into f->unique, whose vertex is at ref. */
static void
func_geometry_shade_group(struct sim_func *f, uint32_t first, uint32_t ref, unsigned count,
                          uint32_t instance)
{
   const struct emul_draw_state *state = &f->pass->state;
   const struct attila_isa_program *isa = emul_program_isa(state->vs);
   for (uint64_t m = isa->inputs_read; m; m &= m - 1) {
      unsigned a = (unsigned)__builtin_ctzll(m);
      if (f->device->uses.users)
         func_use_vertices(f->pass, a, &f->unique[first], count, instance);
      emul_attrib_fetch(state, a, f->device->memory, &f->unique[first], count, instance,
                        &f->vertex_in[a]);
   }
   func_run_thread(f->own, state->vs, ATTILA_STAGE_VERTEX, f->vertex_in,
                   (uint16_t)((1u << count) - 1), 0);
   if (__builtin_expect(f->vertices.shaded != NULL, 0))
      f->vertices.shaded(f->vertices.user, &(struct sim_func_vertices){.state = state,
                                                                       .vertex = &f->unique[first],
                                                                       .count = count,
                                                                       .instance = instance,
                                                                       .in = f->vertex_in,
                                                                       .out = f->own->outputs});
   for (unsigned i = 0; f->vertices.primitive && i < count; i++)
      f->row[ref + i * f->stride] = f->rows++;
   for (uint64_t m = isa->outputs_written; m; m &= m - 1) {
      unsigned o = (unsigned)__builtin_ctzll(m);
      const struct emul_vec4 *value = &f->own->outputs[o];
      for (unsigned i = 0; i < count; i += 4) {
         emul_f32x4 v[4];
         for (unsigned c = 0; c < 4; c++)
            memcpy(&v[c], &value->c[c][i], sizeof(v[c]));
         emul_transpose(v);
         for (unsigned k = 0; k < 4 && i + k < count; k++)
            memcpy(f->arena.vectors[ref + (i + k) * f->stride + o], &v[k], sizeof(v[k]));
      }
   }
   if (f->has_windows)
      f->windows(state, &f->own->outputs[ATTILA_VS_OUTPUT_POSITION], count,
                 func_geometry_window(f, ref), f->stride * sizeof(f->arena.vectors[0]));
}

/* Shades the vertices of f->unique; returns the first one's place. */
static uint32_t
func_geometry_shade(struct sim_func *f, unsigned count, uint32_t instance)
{
   f->pass->counters[ATTILA_COUNTER_VS_INVOCATIONS] += count;
   if (!func_geometry_needs_vertices(f))
      return 0;
   const uint32_t ref = func_vectors(f, &f->arena, count * f->stride);
   for (unsigned first = 0; first < count; first += EMUL_LANES)
      func_geometry_shade_group(f, first, ref + first * f->stride,
                                count - first < EMUL_LANES ? count - first : EMUL_LANES, instance);
   return ref;
}

static void
func_geometry_set_up(struct sim_func *f, const struct emul_primitive *prim)
{
   enum emul_setup_result result;
   f->pass->counters[ATTILA_COUNTER_CLIP_PRIMITIVES]++;
   unsigned n = emul_setup(&f->pass->state, prim, &f->stipple, f->setup, &result);
   for (unsigned i = 0; i < n; i++)
      func_primitive(f, &f->setup[i]);
}

/* Sets up a clipped polygon as a fan around its first vertex. */
static void
func_geometry_set_up_clipped(struct sim_func *f, const struct emul_primitive *whole,
                             const struct emul_vertex *clipped, unsigned n, uint32_t edges)
{
   struct emul_primitive prim = *whole;
   memset(prim.window, 0, sizeof(prim.window));
   if (n < 3) {
      for (unsigned i = 0; i < n; i++)
         prim.v[i] = &clipped[i];
      func_geometry_set_up(f, &prim);
      return;
   }
   prim.v[0] = &clipped[0];
   for (unsigned k = 1; k + 1 < n; k++) {
      prim.v[1] = &clipped[k];
      prim.v[2] = &clipped[k + 1];
      prim.edges = (uint8_t)((k == 1 ? edges & 1 : 0) | (edges >> k & 1) << 1 |
                             (k + 2 == n ? edges >> (n - 1) & 1 : 0) << 2);
      prim.stipple_reset = whole->stipple_reset && k == 1;
      func_geometry_set_up(f, &prim);
   }
}

/* Clips a primitive that the trivial tests did not decide. */
static enum emul_clip_result
func_geometry_clip(struct sim_func *f, const struct emul_primitive *prim)
{
   const uint32_t vectors = sizeof(struct emul_vertex) / sizeof(f->clipped.vectors[0]);
   const uint32_t ref = func_vectors(f, &f->clipped, EMUL_MAX_CLIPPED * vectors);
   struct emul_vertex *storage = (struct emul_vertex *)f->clipped.vectors[ref];
   unsigned n, planes;
   uint32_t edges;
   enum emul_clip_result result = emul_clip(&f->pass->state, prim, storage, &n, &edges, &planes);
   /* Frees the vectors that clipping did not use. */
   f->clipped.used = ref % FUNC_SEGMENT_VECTORS + (result == EMUL_CLIP_CLIPPED ? n * vectors : 0);
   if (result == EMUL_CLIP_CLIPPED)
      func_geometry_set_up_clipped(f, prim, storage, n, edges);
   return result;
}

static void
func_geometry_stream_out(struct sim_func *f, const struct emul_assembled *a, unsigned stream,
                         const struct emul_vertex *const vertex[3])
{
   if (!f->pass->state.stream_out->of_stream[stream])
      return;
   f->pass->counters[attila_stream_primitives(stream)]++;
   f->pass->counters[attila_stream_written(stream)] += emul_stream_out_write(
       &f->pass->state, stream, a->num_vertices, a->provoking, vertex, f->device->memory);
}

void
func_geometry_output(struct sim_func *f, const struct emul_assembled *a, unsigned stream,
                     const struct emul_vertex *const vertex[3],
                     const struct emul_window *const window[3])
{
   if (__builtin_expect(f->pass->state.stream_out != NULL, 0))
      func_geometry_stream_out(f, a, stream, vertex);
   if (f->pass->discard || stream)
      return;
   struct emul_primitive prim = {.num_vertices = a->num_vertices,
                                 .provoking = a->provoking,
                                 .edges = a->edges,
                                 .stipple_reset = a->stipple_reset,
                                 .id = a->id};
   for (unsigned v = 0; v < a->num_vertices; v++) {
      prim.v[v] = vertex[v];
      prim.window[v] = window ? window[v] : NULL;
   }
   prim.flat = prim.v[a->provoking];
   f->pass->counters[ATTILA_COUNTER_CLIP_INVOCATIONS]++;
   enum emul_clip_result result = emul_clip_test(&f->pass->state, &prim);
   if (result == EMUL_CLIP_CLIPPED)
      result = func_geometry_clip(f, &prim);
   if (result == EMUL_CLIP_PASS)
      func_geometry_set_up(f, &prim);
}

/* Reports a primitive, without its adjacent vertices, to the watch. */
static void
func_geometry_tell(const struct sim_func *f, const struct emul_assembled *a)
{
   static const uint8_t line[3] = {1, 2}, triangle[3] = {0, 2, 4}, plain[3] = {0, 1, 2};
   const uint8_t *of = a->num_vertices == 4 ? line : a->num_vertices == 6 ? triangle : plain;
   const unsigned count = a->num_vertices > 3 ? a->num_vertices / 2u : a->num_vertices;
   uint32_t row[3] = {0};
   for (unsigned v = 0; v < count; v++)
      row[v] = f->row[a->ref[of[v]]];
   f->vertices.primitive(f->vertices.user, count, row);
}

static void
func_geometry_primitives(struct sim_func *f, const struct emul_assembled *a, unsigned num)
{
   f->pass->counters[ATTILA_COUNTER_IA_PRIMITIVES] += num;
   if (__builtin_expect(f->vertices.primitive != NULL, 0) && func_geometry_needs_vertices(f)) {
      for (unsigned i = 0; i < num; i++)
         func_geometry_tell(f, &a[i]);
   }
   if (__builtin_expect(f->pass->state.gs != NULL, 0)) {
      func_gs_take(f, a, num);
      return;
   }
   if (!func_geometry_needs_vertices(f))
      return;
   for (unsigned i = 0; i < num; i++, a++) {
      const struct emul_vertex *vertex[3];
      const struct emul_window *window[3];
      for (unsigned v = 0; v < a->num_vertices; v++) {
         vertex[v] = func_geometry_vertex(f, a->ref[v]);
         window[v] = func_geometry_window(f, a->ref[v]);
      }
      func_geometry_output(f, a, 0, vertex, f->has_windows ? window : NULL);
   }
}

/* Copies the vertices that the assembler holds to a place that the next chunk does not
 * overwrite. */
static void
func_geometry_carry_over(struct sim_func *f)
{
   if (!f->keep || !func_geometry_needs_vertices(f))
      return;
   uint32_t to = func_vectors(f, &f->arena, EMUL_ASSEMBLER_REFS * f->stride);
   for (unsigned i = 0; i < EMUL_ASSEMBLER_REFS; i++, to += f->stride) {
      if (!(f->keep >> i & 1))
         continue;
      memcpy(f->arena.vectors[to], f->arena.vectors[f->assembler.ref[i]],
             f->stride * sizeof(f->arena.vectors[0]));
      if (f->row)
         f->row[to] = f->row[f->assembler.ref[i]];
      f->assembler.ref[i] = to;
   }
}

/* Assembles a list's whole triangles from position i up to a restart; returns their end. */
static unsigned
func_geometry_assemble_list(struct sim_func *f, uint32_t ref, unsigned i, unsigned positions)
{
   for (; i + 3 <= positions; i += 3) {
      const uint32_t *p = &f->position[i];
      if (p[0] == FUNC_RESTART || p[1] == FUNC_RESTART || p[2] == FUNC_RESTART)
         break;
      const struct emul_assembled a = emul_assembler_triangle(
          &f->assembler, ref + p[0] * f->stride, ref + p[1] * f->stride, ref + p[2] * f->stride);
      func_geometry_primitives(f, &a, 1);
   }
   return i;
}

/* Assembles a chunk's indices, whose vertices begin at ref. */
static void
func_geometry_assemble(struct sim_func *f, uint32_t ref, unsigned positions)
{
   struct emul_assembled out[2];
   unsigned num;
   for (unsigned i = 0; i < positions; i++) {
      if (emul_assembler_lists(&f->assembler)) {
         i = func_geometry_assemble_list(f, ref, i, positions);
         if (i == positions)
            break;
      }
      if (f->position[i] == FUNC_RESTART) {
         emul_assembler_restart(&f->assembler, out, &num);
         f->keep = 0;
      } else {
         num =
             emul_assembler_vertex(&f->assembler, ref + f->position[i] * f->stride, out, &f->keep);
      }
      if (num)
         func_geometry_primitives(f, out, num);
   }
   func_gs_flush(f);
   func_geometry_carry_over(f);
}

static inline uint32_t
func_geometry_read_index(const uint8_t *indices, unsigned size, uint32_t i)
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

/* Takes a chunk's indices from `at` on. Vertices whose program writes memory are shaded for each
 * index, as on the machine (box/geometry/stoc.c). */
static unsigned
func_geometry_take_indices(struct sim_func *f, uint32_t at, unsigned *num_unique)
{
   const struct attila_cmd_draw *cmd = &f->pass->state.cmd;
   const uint8_t *indices = f->device->memory + cmd->index_address;
   const bool restart = cmd->flags & ATTILA_DRAW_RESTART,
              shares = !emul_stage_writes(&f->pass->state, ATTILA_STAGE_VERTEX);
   unsigned n = 0, unique = 0, vertices = 0;
   f->epoch++;
   for (; n < FUNC_POSITIONS && unique < FUNC_CHUNK && at + n < cmd->count; n++) {
      uint32_t value = func_geometry_read_index(indices, cmd->index_size, cmd->start + at + n);
      if (restart && value == cmd->restart_index) {
         f->position[n] = FUNC_RESTART;
         continue;
      }
      vertices++;
      value += cmd->index_bias;
      struct func_cache_entry *e = &f->cache[value % FUNC_HASH];
      if (e->epoch != f->epoch || e->index != value || !shares) {
         *e = (struct func_cache_entry){.index = value, .slot = unique, .epoch = f->epoch};
         f->unique[unique++] = value;
      }
      f->position[n] = e->slot;
   }
   f->pass->counters[ATTILA_COUNTER_IA_VERTICES] += vertices;
   *num_unique = unique;
   return n;
}

static unsigned
func_geometry_take_vertices(struct sim_func *f, uint32_t at, unsigned *num_unique)
{
   const struct attila_cmd_draw *cmd = &f->pass->state.cmd;
   unsigned n = cmd->count - at < FUNC_CHUNK ? cmd->count - at : FUNC_CHUNK;
   for (unsigned i = 0; i < n; i++) {
      f->unique[i] = cmd->start + at + i;
      f->position[i] = i;
   }
   f->pass->counters[ATTILA_COUNTER_IA_VERTICES] += n;
   *num_unique = n;
   return n;
}

static void
func_geometry_draw_instance(struct sim_func *f, uint32_t instance)
{
   const struct attila_cmd_draw *cmd = &f->pass->state.cmd;
   struct emul_assembled out[2];
   unsigned unique, n;
   uint64_t total = (uint64_t)cmd->count * cmd->num_instances,
            before = (uint64_t)cmd->count * (instance - cmd->first_instance);
   for (uint32_t at = 0; at < cmd->count; at += n) {
      sim_observed_draw_progress(&f->device->observed, before + at, total);
      n = cmd->index_size ? func_geometry_take_indices(f, at, &unique)
                          : func_geometry_take_vertices(f, at, &unique);
      func_geometry_assemble(f, func_geometry_shade(f, unique, instance), n);
   }
   n = emul_assembler_end(&f->assembler, out);
   func_geometry_primitives(f, out, n);
   func_gs_flush(f);
   f->keep = 0;
}

void
func_draw(struct sim_func *f)
{
   const struct emul_draw_state *state = &f->pass->state;
   f->stipple = 0;
   f->keep = 0;
   f->rows = 0;
   f->has_windows =
       !state->gs && emul_program_isa(state->vs)->outputs_written >> ATTILA_VS_OUTPUT_POSITION & 1;
   f->stride = state->num_vs_outputs + WINDOW_VECTORS;
   emul_assembler_start_draw(&f->assembler, state);
   for (uint32_t i = 0; i < state->cmd.num_instances; i++)
      func_geometry_draw_instance(f, state->cmd.first_instance + i);
}
