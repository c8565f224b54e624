/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Primitive assembly: makes points, lines and triangles of vertices, with OpenGL's winding,
 * provoking vertex and boundary edges. Quads become two triangles, polygons fans; a polygon's
 * triangle waits for one more vertex, since only the last triangle's last edge is a boundary.
 * Adjacent vertices leave together with their primitive, or are dropped. Not here: vertices' edge
 * flags (emul_clip, emul_setup). */
#include <string.h>
#include "emul/emul_draw.h"

unsigned
emul_assembled_vertices(unsigned prim, bool adjacency)
{
   switch (prim) {
   case ATTILA_PRIM_POINTS:
      return 1;
   case ATTILA_PRIM_LINES:
   case ATTILA_PRIM_LINE_LOOP:
   case ATTILA_PRIM_LINE_STRIP:
      return 2;
   case ATTILA_PRIM_LINES_ADJACENCY:
   case ATTILA_PRIM_LINE_STRIP_ADJACENCY:
      return adjacency ? 4 : 2;
   case ATTILA_PRIM_TRIANGLES_ADJACENCY:
   case ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY:
      return adjacency ? 6 : 3;
   default:
      return 3;
   }
}

void
emul_assembler_start_draw(struct emul_assembler *a, const struct emul_draw_state *state)
{
   /* A geometry program's inputs are ordered as if the last vertex were provoking. */
   emul_assembler_start(a, state->cmd.prim, state->regs.flatshade_first && !state->gs);
   a->adjacency = state->gs && emul_program_isa(state->gs)->gs_vertices_in > 3;
}

void
emul_assembler_start(struct emul_assembler *a, unsigned prim, bool flatshade_first)
{
   *a = (struct emul_assembler){.prim = (uint8_t)prim, .flatshade_first = flatshade_first};
}

static inline struct emul_assembled
emul_assemble_line(const struct emul_assembler *a, uint32_t v0, uint32_t v1, bool reset)
{
   return (struct emul_assembled){.num_vertices = 2,
                                  .ref = {v0, v1},
                                  .provoking = a->flatshade_first ? 0 : 1,
                                  .edges = 1,
                                  .stipple_reset = reset};
}

static inline struct emul_assembled
emul_assemble_triangle(uint32_t v0, uint32_t v1, uint32_t v2, unsigned provoking, unsigned edges,
                       bool reset)
{
   return (struct emul_assembled){.num_vertices = 3,
                                  .ref = {v0, v1, v2},
                                  .provoking = (uint8_t)provoking,
                                  .edges = (uint8_t)edges,
                                  .stipple_reset = reset};
}

static inline struct emul_assembled
emul_assemble_list_triangle(const struct emul_assembler *a, uint32_t v0, uint32_t v1, uint32_t v2)
{
   return emul_assemble_triangle(v0, v1, v2, a->flatshade_first ? 0 : 2, 7, true);
}

/* Makes two triangles of a quad, its corners in order. The provoking vertex is q[0] if first, else
 * q[3]. */
static inline void
emul_assemble_quad(const uint32_t q[4], bool first, struct emul_assembled out[2])
{
   if (first) {
      out[0] = emul_assemble_triangle(q[0], q[1], q[2], 0, 1 | 2, true);
      out[1] = emul_assemble_triangle(q[0], q[2], q[3], 0, 2 | 4, false);
   } else {
      out[0] = emul_assemble_triangle(q[0], q[1], q[3], 2, 1 | 4, true);
      out[1] = emul_assemble_triangle(q[1], q[2], q[3], 2, 1 | 2, false);
   }
}

static unsigned
emul_assemble_line_vertex(struct emul_assembler *a, uint32_t n, uint32_t ref,
                          struct emul_assembled out[2], unsigned *keep)
{
   if (a->prim == ATTILA_PRIM_LINES) {
      *keep = n & 1 ? 0 : 2;
      if (n & 1)
         out[0] = emul_assemble_line(a, a->ref[1], ref, true);
      a->ref[1] = ref;
      return n & 1;
   }
   *keep = a->prim == ATTILA_PRIM_LINE_LOOP ? 3 : 2;
   if (n == 0)
      a->ref[0] = ref;
   else
      out[0] = emul_assemble_line(a, a->ref[1], ref, n == 1);
   a->ref[1] = ref;
   return n != 0;
}

static unsigned
emul_assemble_triangle_vertex(struct emul_assembler *a, uint32_t n, uint32_t ref,
                              struct emul_assembled out[2], unsigned *keep)
{
   switch (a->prim) {
   case ATTILA_PRIM_TRIANGLES:
      if (n % 3 == 2) {
         out[0] = emul_assemble_list_triangle(a, a->ref[0], a->ref[1], ref);
         *keep = 0;
         return 1;
      }
      a->ref[n % 3] = ref;
      *keep = n % 3 ? 3 : 1;
      return 0;
   case ATTILA_PRIM_TRIANGLE_STRIP: {
      /* ref[0], ref[1]: the last two vertices. Every other triangle swaps two to keep the
       * winding. */
      bool odd = n & 1;
      uint32_t p = a->ref[0], q = a->ref[1];
      a->ref[0] = q;
      a->ref[1] = ref;
      *keep = n ? 3 : 2;
      if (n < 2)
         return 0;
      if (a->flatshade_first)
         out[0] = odd ? emul_assemble_triangle(p, ref, q, 0, 7, true)
                      : emul_assemble_triangle(p, q, ref, 0, 7, true);
      else
         out[0] = odd ? emul_assemble_triangle(q, p, ref, 2, 7, true)
                      : emul_assemble_triangle(p, q, ref, 2, 7, true);
      return 1;
   }
   case ATTILA_PRIM_TRIANGLE_FAN: {
      uint32_t q = a->ref[1];
      a->ref[n ? 1 : 0] = ref;
      *keep = n ? 3 : 1;
      if (n < 2)
         return 0;
      out[0] = emul_assemble_triangle(a->ref[0], q, ref, a->flatshade_first ? 1 : 2, 7, true);
      return 1;
   }
   default: { /* polygon: ref[1], ref[2] wait */
      unsigned done = 0;
      if (n == 0) {
         a->ref[0] = ref;
      } else if (n == 1) {
         a->ref[1] = ref;
      } else {
         if (n >= 3) {
            out[0] = emul_assemble_triangle(a->ref[0], a->ref[1], a->ref[2], 0, n == 3 ? 1 | 2 : 2,
                                            n == 3);
            a->ref[1] = a->ref[2];
            done = 1;
         }
         a->ref[2] = ref;
      }
      *keep = n == 0 ? 1 : n == 1 ? 3 : 7;
      return done;
   }
   }
}

static unsigned
emul_assemble_quad_vertex(struct emul_assembler *a, uint32_t n, uint32_t ref,
                          struct emul_assembled out[2], unsigned *keep)
{
   if (a->prim == ATTILA_PRIM_QUADS) {
      a->ref[n % 4] = ref;
      *keep = n % 4 == 3 ? 0 : (1u << (n % 4 + 1)) - 1;
      if (n % 4 != 3)
         return 0;
      emul_assemble_quad(a->ref, a->flatshade_first, out);
      return 2;
   }
   /* Quad strip: ref[0], ref[1] are the previous pair, ref[2] starts the next one. */
   if (n < 3) {
      a->ref[n] = ref;
      *keep = (2u << n) - 1;
      return 0;
   }
   if ((n & 1) == 0) {
      a->ref[2] = ref;
      *keep = 7;
      return 0;
   }
   const uint32_t first[4] = {a->ref[0], a->ref[1], ref, a->ref[2]},
                  last[4] = {a->ref[2], a->ref[0], a->ref[1], ref};
   emul_assemble_quad(a->flatshade_first ? first : last, a->flatshade_first, out);
   a->ref[0] = a->ref[2];
   a->ref[1] = ref;
   *keep = 3;
   return 2;
}

/* Makes a line of the two middle vertices. */
static struct emul_assembled
emul_assemble_adjacent_line(const struct emul_assembler *a, const uint32_t v[4], bool reset)
{
   struct emul_assembled out = emul_assemble_line(a, v[1], v[2], reset);
   if (a->adjacency) {
      out.num_vertices = 4;
      memcpy(out.ref, v, 4 * sizeof(*v));
   }
   return out;
}

/* Makes a triangle of vertices 0, 2 and 4. */
static struct emul_assembled
emul_assemble_adjacent_triangle(const struct emul_assembler *a, const uint32_t v[6],
                                unsigned provoking)
{
   struct emul_assembled out = emul_assemble_triangle(v[0], v[2], v[4], provoking, 7, true);
   if (a->adjacency) {
      out.num_vertices = 6;
      memcpy(out.ref, v, 6 * sizeof(*v));
   }
   return out;
}

/* Makes triangle i of a strip with adjacency (OpenGL 3.2, table 2.4): its vertices are the strip's
 * 2i, 2i + 2 and 2i + 4. The vertices beyond its edges are 2i - 2, 2i + 3 and 2i + 6, but 1 instead
 * of 2i - 2 for the first triangle, and 2i + 5 instead of 2i + 6 for the last. at: place of vertex
 * 2i among those held. */
static struct emul_assembled
emul_assemble_strip_triangle(const struct emul_assembler *a, uint32_t i, bool last)
{
   const unsigned at = i ? 2 : 0;
   const uint32_t *r = a->ref + at, before = i ? r[-2] : r[1], next = r[last ? 5 : 6];
   if (i & 1)
      return emul_assemble_adjacent_triangle(
          a, (const uint32_t[6]){r[2], before, r[0], r[3], r[4], next}, a->flatshade_first ? 1 : 2);
   return emul_assemble_adjacent_triangle(
       a, (const uint32_t[6]){r[0], before, r[2], next, r[4], r[3]}, a->flatshade_first ? 0 : 2);
}

/* Returns how many triangles a strip's first n vertices complete. Each triangle waits for two more
 * vertices, which show that it is not the last. */
static uint32_t
emul_assemble_strip_done(uint32_t n)
{
   return n < 8 ? 0 : (n - 6) / 2;
}

static unsigned
emul_assemble_strip_vertex(struct emul_assembler *a, uint32_t n, uint32_t ref,
                           struct emul_assembled out[2], unsigned *keep)
{
   const uint32_t i = emul_assemble_strip_done(n), at = n - (i ? 2 * i - 2 : 0);
   a->ref[at] = ref;
   *keep = (2u << at) - 1;
   if (emul_assemble_strip_done(n + 1) == i)
      return 0;
   out[0] = emul_assemble_strip_triangle(a, i, false);
   if (i) {
      memmove(a->ref, a->ref + 2, (EMUL_ASSEMBLER_REFS - 2) * sizeof(a->ref[0]));
      *keep >>= 2;
   }
   return 1;
}

/* Handles lists, and strips of lines. */
static unsigned
emul_assemble_adjacent_vertex(struct emul_assembler *a, uint32_t n, uint32_t ref,
                              struct emul_assembled out[2], unsigned *keep)
{
   if (a->prim == ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY)
      return emul_assemble_strip_vertex(a, n, ref, out, keep);
   const bool strip = a->prim == ATTILA_PRIM_LINE_STRIP_ADJACENCY;
   const unsigned size = a->prim == ATTILA_PRIM_TRIANGLES_ADJACENCY ? 6 : 4, at = !strip ? n % size
                                                                                  : n < size
                                                                                      ? n
                                                                                      : size - 1;
   a->ref[at] = ref;
   *keep = (2u << at) - 1;
   if (at + 1 < size)
      return 0;
   if (size == 6)
      out[0] = emul_assemble_adjacent_triangle(a, a->ref, a->flatshade_first ? 0 : 2);
   else
      out[0] = emul_assemble_adjacent_line(a, a->ref, !strip || n == 3);
   if (strip)
      memmove(a->ref, a->ref + 1, 3 * sizeof(a->ref[0]));
   *keep = strip ? 7 : 0;
   return 1;
}

static unsigned
emul_assemble_vertex(struct emul_assembler *a, uint32_t ref, struct emul_assembled out[2],
                     unsigned *keep)
{
   uint32_t n = a->count++;
   switch (a->prim) {
   case ATTILA_PRIM_POINTS:
      out[0] = (struct emul_assembled){.num_vertices = 1, .ref = {ref}};
      *keep = 0;
      return 1;
   case ATTILA_PRIM_LINES:
   case ATTILA_PRIM_LINE_LOOP:
   case ATTILA_PRIM_LINE_STRIP:
      return emul_assemble_line_vertex(a, n, ref, out, keep);
   case ATTILA_PRIM_TRIANGLES:
   case ATTILA_PRIM_TRIANGLE_STRIP:
   case ATTILA_PRIM_TRIANGLE_FAN:
   case ATTILA_PRIM_POLYGON:
      return emul_assemble_triangle_vertex(a, n, ref, out, keep);
   case ATTILA_PRIM_QUADS:
   case ATTILA_PRIM_QUAD_STRIP:
      return emul_assemble_quad_vertex(a, n, ref, out, keep);
   case ATTILA_PRIM_LINES_ADJACENCY:
   case ATTILA_PRIM_LINE_STRIP_ADJACENCY:
   case ATTILA_PRIM_TRIANGLES_ADJACENCY:
   case ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY:
      return emul_assemble_adjacent_vertex(a, n, ref, out, keep);
   default:
      *keep = 0;
      return 0;
   }
}

unsigned
emul_assembler_vertex(struct emul_assembler *a, uint32_t ref, struct emul_assembled out[2],
                      unsigned *keep)
{
   const unsigned num = emul_assemble_vertex(a, ref, out, keep);
   for (unsigned i = 0; i < num; i++)
      out[i].id = a->id;
   /* A polygon's number advances once, at its end. */
   a->id += num && a->prim != ATTILA_PRIM_POLYGON;
   return num;
}

struct emul_assembled
emul_assembler_triangle(struct emul_assembler *a, uint32_t v0, uint32_t v1, uint32_t v2)
{
   struct emul_assembled out = emul_assemble_list_triangle(a, v0, v1, v2);
   a->count += 3;
   out.id = a->id++;
   return out;
}

void
emul_assembler_restart(struct emul_assembler *a, struct emul_assembled out[2], unsigned *num_out)
{
   uint32_t n = a->count;
   a->count = 0;
   *num_out = 1;
   if (a->prim == ATTILA_PRIM_LINE_LOOP && n >= 2)
      out[0] = emul_assemble_line(a, a->ref[1], a->ref[0], false);
   else if (a->prim == ATTILA_PRIM_POLYGON && n >= 3)
      out[0] = emul_assemble_triangle(a->ref[0], a->ref[1], a->ref[2], 0, (n == 3 ? 1 : 0) | 2 | 4,
                                      n == 3);
   else if (a->prim == ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY && n >= 6)
      out[0] = emul_assemble_strip_triangle(a, emul_assemble_strip_done(n), true);
   else
      *num_out = 0;
   if (*num_out)
      out[0].id = a->id++;
}

unsigned
emul_assembler_end(struct emul_assembler *a, struct emul_assembled out[2])
{
   unsigned num;
   emul_assembler_restart(a, out, &num);
   a->id = 0;
   return num;
}
