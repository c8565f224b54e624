/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A draw's fragments in functional mode: a primitive's tiles, early depth and stencil test, groups
 * of 4 quads for the shader, late test, colour write. Quads keep the order of primitives, so every
 * pixel gets its fragments in order, whichever share draws it (func_threads.c). */
#include <string.h>
#include "core/sim_bits.h"
#include "func/sim_func_impl.h"

#define QUADS_OF_TILE (ATTILA_TILE_ELEMENTS / 4)
#define HOST_LINE 64 /* bytes of a host cache line */

void
func_run_thread(struct func_worker *w, const struct emul_program *program, unsigned stage,
                const struct emul_vec4 *inputs, uint16_t lanes, uint16_t helpers)
{
   struct func_pass *p = w->pass;
   w->outputs_stay = false;
   w->thread.temps = w->temps;
   w->thread.inputs = inputs;
   w->thread.outputs = w->outputs;
   w->thread.consts = (const float(*)[4])p->state.consts[stage];
   w->thread.buffers = p->state.const_buffers[stage];
   w->thread.storage = p->state.storage[stage];
   w->thread.images = p->state.images[stage];
   w->thread.memory = p->device->memory;
   w->thread.accesses = p->device->uses.users ? func_use_storage : NULL;
   emul_thread_start(&w->thread, program, lanes, stage == ATTILA_STAGE_FRAGMENT,
                     p->state.max_iterations);
   w->thread.helpers = helpers;
   if (atomic_load_explicit(&p->stopped, memory_order_relaxed))
      emul_thread_hurry(&w->thread);
   emul_thread_run(&w->thread, func_sample, p);
   if (w->thread.stopped)
      atomic_store_explicit(&p->stopped, true, memory_order_relaxed);
}

/* Returns quad i's address. In surfaces of equal width a quad has the same place, which is found
 * once per tile. */
static inline uint8_t *
func_fragment_quad_address(const struct func_worker *w, const struct func_surface *s, unsigned i,
                           unsigned sample)
{
   const struct func_group *g = w->group;
   const unsigned samples = w->pass->state.samples;
   uint8_t *const base = func_layer_base(w, s);
   if (s->pitch_tiles != w->pass->pitch_tiles)
      return base +
             emul_quad_offset(s->pitch_tiles, samples, sample, s->element_bytes, g->x[i], g->y[i]);
   if (samples == 1)
      return base + (uint64_t)g->place[i] * 4 * s->element_bytes;
   const uint64_t tile = g->place[i] / QUADS_OF_TILE, in_tile = g->place[i] % QUADS_OF_TILE;
   return base + (tile * samples * ATTILA_TILE_ELEMENTS +
                  attila_sample_number(samples, sample, (uint32_t)(4 * in_tile))) *
                     s->element_bytes;
}

/* --- Depth and stencil --- */

/* Tests every sample of a quad; returns the remaining mask. */
static uint32_t
func_fragment_test_samples(struct func_worker *w, unsigned i)
{
   const struct emul_draw_state *state = &w->pass->state;
   const struct func_group *g = w->group;
   uint32_t left = g->mask[i];
   for (unsigned s = 0; s < state->samples; s++) {
      unsigned nibble = g->mask[i] >> 4 * s & 15;
      if (!nibble)
         continue;
      unsigned pass = emul_zs_quad(state, g->front[i], nibble, g->z[i][s],
                                   func_fragment_quad_address(w, &w->pass->zs, i, s));
      left &= ~((nibble & ~pass) << 4 * s);
   }
   return left;
}

/* Sets a quad's depth to the program's. */
static void
func_fragment_take_shader_depth(struct func_worker *w, unsigned i)
{
   for (unsigned p = 0; p < 4; p++) {
      const float z =
          emul_clamp_depth(&w->pass->state, w->outputs[ATTILA_FS_OUTPUT_DEPTH].c[0][4 * i + p]);
      for (unsigned s = 0; s < w->pass->state.samples; s++)
         w->group->z[i][s][p] = z;
   }
}

/* --- Colour --- */

/* Returns how many quads from first on have different places. Quads of different primitives may
 * have the same place. */
static inline unsigned
func_fragment_quads_apart(const struct func_group *g, unsigned first)
{
   unsigned end = g->mixed ? first + 1 : g->count;
   for (; end < g->count; end++) {
      for (unsigned i = first; i < end; i++) {
         if (g->place[i] == g->place[end])
            return end - first;
      }
   }
   return end - first;
}

/* Returns lane 0's colour as elements, which are found once while the colour stays. */
static const struct emul_color_fill *
func_fragment_fill_of(struct func_worker *w, unsigned rt, const struct emul_vec4 *color)
{
   if (!(w->fills >> rt & 1)) {
      w->fill[rt] = emul_color_fill_of(&w->pass->state, rt, color);
      w->fills |= 1u << rt;
   }
   return &w->fill[rt];
}

/* The usual case of func_fragment_store_group: single sample, the first surface's width. */
static void
func_fragment_store_single(struct func_worker *w, unsigned rt, const struct emul_vec4 *color)
{
   const struct emul_draw_state *state = &w->pass->state;
   const struct func_group *g = w->group;
   uint8_t *const base = func_layer_base(w, &w->pass->color[rt]);
   const uint32_t bytes = 4 * w->pass->color[rt].element_bytes;
   const bool blends = state->regs.color[rt].blend_enable;
   for (unsigned first = 0, n; first < g->count; first += n) {
      uint8_t *dst[FUNC_QUADS];
      unsigned lanes = 0;
      n = blends ? func_fragment_quads_apart(g, first) : g->count;
      for (unsigned i = first; i < first + n; i++) {
         lanes |= g->mask[i] << 4 * i;
         dst[i] = base + (uint64_t)g->place[i] * bytes;
      }
      if (lanes && w->outputs_stay && !blends)
         emul_color_fill(func_fragment_fill_of(w, rt, color), lanes, dst);
      else if (lanes)
         w->pass->writer->group(state, rt, lanes, color, dst);
   }
}

/* Stores all quads at once; with blending, only as many as have different places. */
static void
func_fragment_store_group(struct func_worker *w, unsigned rt, const struct emul_vec4 *color)
{
   const struct emul_draw_state *state = &w->pass->state;
   const struct func_group *g = w->group;
   if (state->samples == 1 && w->pass->color[rt].pitch_tiles == w->pass->pitch_tiles) {
      func_fragment_store_single(w, rt, color);
      return;
   }
   for (unsigned first = 0, n; first < g->count; first += n) {
      n = state->regs.color[rt].blend_enable ? func_fragment_quads_apart(g, first) : g->count;
      for (unsigned s = 0; s < state->samples; s++) {
         uint8_t *dst[FUNC_QUADS];
         unsigned lanes = 0;
         for (unsigned i = first; i < first + n; i++) {
            lanes |= (g->mask[i] >> 4 * s & 15) << 4 * i;
            dst[i] = func_fragment_quad_address(w, &w->pass->color[rt], i, s);
         }
         if (lanes)
            w->pass->writer->group(state, rt, lanes, color, dst);
      }
   }
}

static void
func_fragment_store_quads(struct func_worker *w, unsigned rt, const struct emul_vec4 *color)
{
   const struct emul_draw_state *state = &w->pass->state;
   const struct func_group *g = w->group;
   const bool two = emul_blends_two(state, rt) && emul_program_isa(state->fs)->outputs_written & 2;
   for (unsigned i = 0; i < g->count; i++) {
      float src[4][4], second[4][4] = {0};
      if (!g->mask[i])
         continue;
      for (unsigned c = 0; c < 4; c++)
         memcpy(src[c], &color->c[c][4 * i], 16);
      for (unsigned c = 0; two && c < 4; c++)
         memcpy(second[c], &w->outputs[1].c[c][4 * i], 16);
      for (unsigned s = 0; s < state->samples; s++) {
         unsigned nibble = g->mask[i] >> 4 * s & 15;
         if (nibble)
            emul_color_quad(state, rt, nibble, (const float(*)[4])src, (const float(*)[4])second,
                            func_fragment_quad_address(w, &w->pass->color[rt], i, s));
      }
   }
}

/* --- Groups --- */

/* Returns a bit for each of the group's fragments: pixels with a covered sample. */
static inline unsigned
func_fragment_pixels_of(const struct func_group *g, unsigned samples)
{
   unsigned pixels = 0;
   for (unsigned i = 0; i < g->count; i++) {
      pixels |= (samples > 1 ? sim_quad_pixels(g->mask[i]) : g->mask[i] & 15) << 4 * i;
   }
   return pixels;
}

static void
func_fragment_after_shading(struct func_worker *w, unsigned i)
{
   const struct emul_draw_state *state = &w->pass->state;
   uint32_t mask = w->group->mask[i] & ~((w->thread.killed >> 4 * i & 15u) * 0x11111111u);
   if (w->pass->alpha_coverage)
      mask &= emul_alpha_to_coverage(&w->outputs[0].c[3][4 * i], state->samples);
   if (state->drops_samples)
      mask &= emul_samples_that_stay(&w->outputs[ATTILA_FS_OUTPUT_SAMPLES].c[0][4 * i]);
   w->group->mask[i] = mask;
   if (state->late_zs && w->pass->z_active && mask) {
      if (w->pass->writes_depth)
         func_fragment_take_shader_depth(w, i);
      w->group->mask[i] = func_fragment_test_samples(w, i);
   }
}

/* Antialiasing application (OpenGL 2.1, 3.12): the covered fraction multiplies every colour's
 * alpha. */
static void
func_fragment_apply_smooth_coverage(struct func_worker *w)
{
   for (unsigned outputs = w->pass->state.color_outputs; outputs; outputs &= outputs - 1) {
      float *alpha = w->outputs[__builtin_ctz(outputs)].c[3];
      for (unsigned i = 0; i < 4 * w->group->count; i++)
         alpha[i] *= w->group->coverage[i / 4][i & 3];
   }
}

/* Runs the program. */
static void
func_fragment_shade(struct func_worker *w, uint16_t lanes, uint16_t helpers)
{
   const struct emul_program *fs = w->pass->state.fs;
   if (w->outputs_stay || w->pass->unseen)
      return;
   if (w->pass->one_color) {
      func_run_thread(w, fs, ATTILA_STAGE_FRAGMENT, w->inputs, UINT16_MAX, 0);
      w->outputs_stay = true;
      w->fills = 0;
   } else {
      func_run_thread(w, fs, ATTILA_STAGE_FRAGMENT, w->inputs, lanes, helpers);
   }
}

/* Returns the program's output for a buffer. */
static inline const struct emul_vec4 *
func_fragment_color_of(const struct func_worker *w, unsigned rt)
{
   return &w->outputs[w->pass->state.regs.fs_color0_to_all ? 0 : rt];
}

/* Does all that comes after the program. */
static void
func_fragment_finish_group(struct func_worker *w)
{
   const struct emul_draw_state *state = &w->pass->state;
   const unsigned n = w->group->count;
   const uint64_t shaded = sim_count_bits(func_fragment_pixels_of(w->group, state->samples));
   uint64_t passed = 0;
   if (state->smooth)
      func_fragment_apply_smooth_coverage(w);
   if (w->pass->unseen || (w->pass->final_masks && !w->thread.stopped)) {
      passed = shaded;
   } else {
      for (unsigned i = 0; i < n; i++) {
         if (__builtin_expect(state->counts_early, 0))
            w->passed += sim_count_bits(w->group->mask[i]);
         func_fragment_after_shading(w, i);
         passed += sim_count_bits(w->group->mask[i]);
      }
   }
   w->shaded += shaded;
   w->passed += state->counts_early ? 0 : passed;
   if (__builtin_expect(w->pass->cover != NULL, 0))
      func_cover_passed(w);
   for (uint32_t m = passed ? state->color_mask : 0; m; m &= m - 1) {
      unsigned rt = (unsigned)__builtin_ctz(m);
      const struct emul_vec4 *color = func_fragment_color_of(w, rt);
      if (w->pass->color[rt].group)
         func_fragment_store_group(w, rt, color);
      else
         func_fragment_store_quads(w, rt, color);
   }
   w->group->count = w->group->interpolated = 0;
   w->group->mixed = false;
}

static void
func_fragment_run_group(struct func_worker *w)
{
   if (w->group->count == 0)
      return;
   const struct emul_draw_state *state = &w->pass->state;
   uint16_t helpers = 0;
   if (__builtin_expect(emul_stage_writes(state, ATTILA_STAGE_FRAGMENT), 0))
      helpers = (uint16_t)~func_fragment_pixels_of(w->group, state->samples);
   func_fragment_shade(w, (uint16_t)((1u << 4 * w->group->count) - 1), helpers);
   func_fragment_finish_group(w);
}

static inline const struct emul_components *
func_fragment_components_of(struct func_worker *w, const struct emul_setup *s)
{
   if (!w->components_known)
      emul_components_of(s, &w->components);
   w->components_known = true;
   return &w->components;
}

/* Interpolates the inputs of the last quads, which are all of one primitive. */
static void
func_fragment_interpolate(struct func_worker *w, const struct emul_setup *s)
{
   const struct func_group *g = w->group;
   const unsigned first = g->interpolated;
   if (first == g->count)
      return;
   w->group->mixed |= first > 0;
   w->group->interpolated = g->count;
   if (!s->state->num_fs_inputs || w->pass->unseen)
      return;
   for (unsigned i = first; i < g->count && s->state->sample_shading; i++)
      emul_quad_interpolate_sample(s, g->x[i], g->y[i], g->sample[i], i, w->inputs);
   if (s->state->sample_shading)
      return;
   if (g->count - first == FUNC_QUADS && !emul_multisample(s->state))
      emul_four_interpolate(s, func_fragment_components_of(w, s), g->x, g->y, w->inputs);
   else
      emul_quads_interpolate(s, g->count - first, &g->x[first], &g->y[first], first, w->inputs);
}

/* Counts the group's quads after the early test. */
static inline void
func_fragment_group_counts(struct func_worker *w, const struct emul_setup *s, unsigned count)
{
   w->group->count = count;
   if (count == FUNC_QUADS) {
      func_fragment_interpolate(w, s);
      func_fragment_run_group(w);
   }
}

/* A tile in rasterisation. */
struct tile {
   int32_t x, y;
   uint32_t place; /* that of its first quad */
};

static inline struct tile
func_fragment_tile_at(const struct func_pass *p, int32_t x, int32_t y)
{
   return (struct tile){
       x, y, QUADS_OF_TILE * attila_tile_number(p->pitch_tiles, (uint32_t)x / 8, (uint32_t)y / 8)};
}

static inline uint8_t *
func_fragment_tile_address(const struct func_worker *w, const struct func_surface *s,
                           const struct tile *t)
{
   const unsigned samples = w->pass->state.samples;
   uint8_t *const base = func_layer_base(w, s);
   if (s->pitch_tiles != w->pass->pitch_tiles)
      return base + emul_quad_offset(s->pitch_tiles, samples, 0, s->element_bytes, t->x, t->y);
   return base + (uint64_t)t->place * 4 * samples * s->element_bytes;
}

/* Makes a tile's quad q the group's quad i. */
static inline void
func_fragment_place_quad(struct func_group *g, unsigned i, const struct tile *t, unsigned q,
                         uint32_t mask)
{
   g->x[i] = t->x + emul_quad_x(q);
   g->y[i] = t->y + emul_quad_y(q);
   g->place[i] = t->place + q;
   g->mask[i] = mask;
}

/* Does the early test, if there is one, of a covered quad of a primitive, and adds the quad. */
static void
func_fragment_add_quad(struct func_worker *w, const struct emul_setup *s, const struct tile *t,
                       unsigned q, uint32_t mask)
{
   const struct emul_draw_state *state = &w->pass->state;
   struct func_group *g = w->group;
   const unsigned i = g->count;
   func_fragment_place_quad(g, i, t, q, mask);
   g->front[i] = s->front;
   if (w->pass->z_active) {
      for (unsigned n = 0; n < state->samples; n++)
         emul_quad_depth(s, g->x[i], g->y[i], n, state->samples, g->z[i][n]);
      if (!state->late_zs) {
         g->mask[i] = func_fragment_test_samples(w, i);
         if (!g->mask[i])
            return;
      }
   }
   if (state->smooth)
      emul_quad_smooth_coverage(s, g->x[i], g->y[i], g->coverage[i]);
   func_fragment_group_counts(w, s, i + 1);
}

/* Stores the colours of a square whose first quad is at place. */
static inline void
func_fragment_store_square(struct func_worker *w, unsigned rt, const struct emul_vec4 *color,
                           uint32_t place)
{
   const struct emul_draw_state *state = &w->pass->state;
   const uint32_t bytes = 4 * w->pass->color[rt].element_bytes;
   uint8_t *const dst = func_layer_base(w, &w->pass->color[rt]) + (uint64_t)place * bytes;
   if (!w->outputs_stay || state->regs.color[rt].blend_enable) {
      w->pass->writer->square(state, rt, color, dst);
      return;
   }
   uint8_t *const quads[FUNC_QUADS] = {dst, dst + bytes, dst + 2 * bytes, dst + 3 * bytes};
   emul_color_fill(func_fragment_fill_of(w, rt, color), UINT16_MAX, quads);
}

/* Draws 4x4 pixels of a tile, block (0..3), all covered and tested, as a group of their own. If
 * quads of older primitives wait, all waiting quads come first; else they go on waiting. */
static void
func_fragment_add_square(struct func_worker *w, const struct emul_setup *s, const struct tile *t,
                         unsigned block)
{
   const struct emul_draw_state *state = &w->pass->state;
   if (w->waiting.interpolated) {
      func_fragment_interpolate(w, s);
      func_fragment_run_group(w);
   }
   if (state->num_fs_inputs)
      emul_square_interpolate(s, func_fragment_components_of(w, s), t->x + emul_quad_x(4 * block),
                              t->y + emul_quad_y(4 * block), w->inputs);
   func_fragment_shade(w, UINT16_MAX, 0);
   if (w->pass->squares && !w->thread.stopped) {
      w->shaded += 4 * FUNC_QUADS;
      w->passed += 4 * FUNC_QUADS;
      for (uint32_t m = state->color_mask; m; m &= m - 1) {
         const unsigned rt = (unsigned)__builtin_ctz(m);
         func_fragment_store_square(w, rt, func_fragment_color_of(w, rt), t->place + 4 * block);
      }
      return;
   }
   w->group = &w->square;
   for (unsigned i = 0; i < FUNC_QUADS; i++)
      func_fragment_place_quad(w->group, i, t, 4 * block + i, 15);
   w->group->count = FUNC_QUADS;
   func_fragment_finish_group(w);
   w->group = &w->waiting;
}

/* Draws a tile's fully covered squares; returns the remaining coverage. Here and below few branches
 * depend on coverage, since the host would mispredict half of them. */
static inline uint64_t
func_fragment_add_squares(struct func_worker *w, const struct emul_setup *s, const struct tile *t,
                          uint64_t coverage)
{
   uint64_t whole = coverage & coverage >> 8;
   whole &= whole >> 4;
   whole &= whole >> 2;
   whole &= whole >> 1;
   whole &= 0x0001000100010001; /* each square's first pixel */
   for (uint64_t m = whole; m; m &= m - 1)
      func_fragment_add_square(w, s, t, (unsigned)__builtin_ctzll(m) / 16);
   return coverage & ~(whole * 0xffff);
}

/* Adds all quads of a tile that has been tested. */
static inline void
func_fragment_add_tested(struct func_worker *w, const struct emul_setup *s, const struct tile *t,
                         uint64_t coverage)
{
   const bool smooth = w->pass->state.smooth;
   struct func_group *const g = w->group;
   unsigned i = g->count;
   while (coverage) {
      const unsigned q = (unsigned)__builtin_ctzll(coverage) / 4;
      func_fragment_place_quad(g, i, t, q, coverage >> 4 * q & 15);
      if (smooth)
         emul_quad_smooth_coverage(s, g->x[i], g->y[i], g->coverage[i]);
      coverage &= ~(15ull << 4 * q);
      if (++i == FUNC_QUADS) {
         func_fragment_group_counts(w, s, i);
         i = 0;
      }
   }
   g->count = i;
}

/* --- Traversal --- */

static void
func_fragment_mark_surface(struct func_worker *w, const struct func_surface *s,
                           const struct tile *t, enum sim_user user, bool write)
{
   struct sim_device *d = w->pass->device;
   const uint32_t at = s->address + (uint32_t)(func_fragment_tile_address(w, s, t) - s->base);
   sim_use(&d->uses, user, at, (uint64_t)at + s->tile_bytes, write);
   for (uint32_t b = 0; write && b < s->tile_bytes; b += s->block_bytes)
      sim_block_draw(&d->blocks, at + b, s->block_bytes);
}

/* Marks a tile that is tested and may be written. */
static void
func_fragment_mark(struct func_worker *w, const struct tile *t)
{
   const struct func_pass *p = w->pass;
   if (p->z_active)
      func_fragment_mark_surface(w, &p->zs, t, SIM_USER_ZS,
                                 p->state.z_write || p->state.stencil_test);
   for (uint32_t m = p->state.color_mask; m; m &= m - 1)
      func_fragment_mark_surface(w, &p->color[__builtin_ctz(m)], t, SIM_USER_COLOR, true);
}

/* Prefetches a tile that is soon read and written. Surfaces exceed the host's caches, so tests and
 * colour writes would spend most of their time waiting. */
static inline void
func_fragment_prefetch_tile(const struct func_worker *w, const struct func_surface *s,
                            const struct tile *t)
{
   const uint8_t *tile = func_fragment_tile_address(w, s, t);
   for (uint32_t b = 0; b < s->tile_bytes; b += HOST_LINE)
      __builtin_prefetch(tile + b, 1);
}

/* Draws a tile. coverage must not be 0. */
static void
func_fragment_tile(struct func_worker *w, const struct emul_setup *s, const struct tile *t,
                   uint64_t coverage)
{
   const struct func_pass *p = w->pass;
   if (p->tile_z) {
      if (t->x + ATTILA_TILE_DIM < s->maxx) {
         const struct tile next = func_fragment_tile_at(p, t->x + ATTILA_TILE_DIM, t->y);
         func_fragment_prefetch_tile(w, &p->zs, &next);
      }
      coverage = p->tile_z(s, t->x, t->y, coverage, func_fragment_tile_address(w, &p->zs, t));
      if (!coverage)
         return;
   }
   /* Colours are written once the tile's quads are shaded. */
   for (uint32_t m = p->state.color_mask; m; m &= m - 1)
      func_fragment_prefetch_tile(w, &p->color[__builtin_ctz(m)], t);
   if (p->watch)
      func_fragment_mark(w, t);
   const bool tested = p->tile_z || !p->z_active;
   if (tested && p->unseen) {
      const unsigned pixels =
          sim_count_bits((uint32_t)coverage) + sim_count_bits((uint32_t)(coverage >> 32));
      w->shaded += pixels;
      w->passed += pixels;
      return;
   }
   if (tested) {
      func_fragment_add_tested(
          w, s, t, p->state.smooth ? coverage : func_fragment_add_squares(w, s, t, coverage));
      return;
   }
   for (uint64_t left = coverage; left;) {
      const unsigned q = (unsigned)__builtin_ctzll(left) / 4;
      func_fragment_add_quad(w, s, t, q, left >> 4 * q & 15);
      left &= ~(15ull << 4 * q);
   }
}

static void
func_fragment_multisample_tile(struct func_worker *w, const struct emul_setup *s,
                               const struct tile *t)
{
   if (!emul_block_overlaps(s, t->x, t->y, ATTILA_TILE_DIM))
      return;
   if (w->pass->watch)
      func_fragment_mark(w, t);
   for (unsigned q = 0; q < QUADS_OF_TILE; q++) {
      uint32_t mask = emul_quad_coverage(s, t->x + emul_quad_x(q), t->y + emul_quad_y(q),
                                         w->pass->state.samples);
      while (mask && w->pass->state.sample_shading) {
         const unsigned sample = (unsigned)__builtin_ctz(mask) / 4;
         w->group->sample[w->group->count] = (uint8_t)sample;
         func_fragment_add_quad(w, s, t, q, mask & 15u << 4 * sample);
         mask &= ~(15u << 4 * sample);
      }
      if (mask)
         func_fragment_add_quad(w, s, t, q, mask);
   }
}

static void
func_fragment_block(struct func_worker *w, const struct emul_setup *s, int32_t bx, int32_t by)
{
   struct emul_walk walk;
   const int32_t x0 = s->minx & ~(ATTILA_TILE_DIM - 1), y0 = s->miny & ~(ATTILA_TILE_DIM - 1);
   const int32_t first_x = bx > x0 ? bx : x0,
                 last_x = bx + FUNC_BLOCK < s->maxx ? bx + FUNC_BLOCK : s->maxx,
                 last_y = by + FUNC_BLOCK < s->maxy ? by + FUNC_BLOCK : s->maxy;
   if (w->pass->deferred)
      func_clear_block(w->pass, bx, by);
   if (w->pass->state.samples > 1) {
      for (int32_t y = by > y0 ? by : y0; y < last_y; y += ATTILA_TILE_DIM) {
         for (int32_t x = first_x; x < last_x; x += ATTILA_TILE_DIM) {
            const struct tile t = func_fragment_tile_at(w->pass, x, y);
            func_fragment_multisample_tile(w, s, &t);
         }
      }
      return;
   }
   emul_walk_start(s, &walk);
   for (int32_t y = by > y0 ? by : y0; y < last_y; y += ATTILA_TILE_DIM) {
      emul_walk_to(s, &walk, first_x, y);
      for (int32_t x = first_x; x < last_x && !walk.over; x += ATTILA_TILE_DIM) {
         const uint64_t coverage = emul_walk_tile(s, &walk);
         if (!coverage)
            continue;
         const struct tile t = func_fragment_tile_at(w->pass, x, y);
         func_fragment_tile(w, s, &t, coverage);
      }
   }
}

void
func_rasterise(struct func_worker *w, const struct emul_setup *s)
{
   const int32_t x0 = s->minx & ~(FUNC_BLOCK - 1), y0 = s->miny & ~(FUNC_BLOCK - 1);
   const bool several = s->maxx > x0 + FUNC_BLOCK || s->maxy > y0 + FUNC_BLOCK;
   w->components_known = false;
   if (s->layer != w->layer)
      func_fragment_run_group(w);
   w->layer = s->layer;
   for (int32_t by = y0; by < s->maxy; by += FUNC_BLOCK) {
      for (int32_t bx = x0; bx < s->maxx; bx += FUNC_BLOCK) {
         if (w->shares > 1 &&
             func_share_of(bx / FUNC_BLOCK, by / FUNC_BLOCK, w->shares) != w->index)
            continue;
         if (!several || emul_block_overlaps(s, bx, by, FUNC_BLOCK))
            func_fragment_block(w, s, bx, by);
      }
   }
   func_fragment_interpolate(w, s);
}

void
func_fragment_end(struct func_worker *w)
{
   func_fragment_run_group(w);
   w->outputs_stay = false;
   atomic_fetch_add(&w->pass->shaded, w->shaded);
   atomic_fetch_add(&w->pass->passed, w->passed);
   w->shaded = w->passed = 0;
}
