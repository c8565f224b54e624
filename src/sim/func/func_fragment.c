/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The fragments of a draw in functional mode: tiles of a primitive, early depth and stencil test,
 * groups of 4 quads for the shader, late test, colour write. Quads keep the order of primitives, so
 * every pixel sees its fragments in order, whichever thread (func_threads.c) they belong to.
 */
#include <string.h>
#include "func/sim_func_impl.h"

/* block: bytes of its blocks at most. */
static struct func_surface
surface(const struct func_pass *p, uint32_t address, uint32_t pitch_tiles, unsigned bytes,
        uint32_t block)
{
   const uint32_t plane = ATTILA_TILE_ELEMENTS * bytes;
   return (struct func_surface){.base = p->device->memory + address,
                                .pitch_tiles = pitch_tiles,
                                .element_bytes = bytes,
                                .address = address,
                                .block_bytes = plane < block ? plane : block,
                                .tile_bytes = plane * p->state.samples};
}

#define QUADS_OF_TILE (ATTILA_TILE_ELEMENTS / 4)
#define HOST_LINE 64 /* bytes of a line of the host's caches */

void
func_fragment_start(struct sim_func *f, struct func_pass *p)
{
   const struct emul_draw_state *state = &p->state;
   const struct attila_regs *r = &state->regs;
   p->device = f->device;
   p->watch = f->watched ? &f->watch : NULL;
   p->shaded = p->passed = 0;
   p->stopped = false;
   p->discard = r->rasterizer_discard;
   if (p->discard)
      return;
   p->z_active = state->zs_bound && (state->z_test || state->stencil_test);
   p->writes_depth = emul_program_isa(state->fs)->writes_depth;
   p->alpha_coverage = r->alpha_to_coverage && state->samples > 1;
   p->tile_z = p->z_active && state->z_test && !state->stencil_test && !state->late_zs &&
               state->samples == 1 && state->zs_format->channel[0].bits == 24;
   p->tile_z24 = f->tile_z24;
   p->color_group = f->color_group;
   p->final_masks = !emul_program_isa(state->fs)->uses_kill && !p->alpha_coverage &&
                    !state->late_zs && state->samples == 1;
   if (p->z_active)
      p->zs =
          surface(p, r->zs_address, r->zs_pitch_tiles, state->zs_format->bytes, f->watch.zs_block);
   for (uint32_t m = state->color_mask; m; m &= m - 1) {
      unsigned i = (unsigned)__builtin_ctz(m);
      p->color[i] = surface(p, r->color[i].address, r->color[i].pitch_tiles,
                            state->color_format[i]->bytes, f->watch.color_block);
      p->color[i].group = emul_color_group_fits(state, i);
   }
   p->pitch_tiles = state->color_mask ? p->color[__builtin_ctz(state->color_mask)].pitch_tiles
                    : p->z_active     ? p->zs.pitch_tiles
                                      : 1;
}

/* --- Workers --- */

struct func_worker *
func_worker_create(unsigned index, unsigned threads)
{
   struct func_worker *w = func_pages(sizeof(*w));
   if (!w)
      return NULL;
   w->index = index;
   w->threads = threads;
   return w;
}

void
func_worker_destroy(struct func_worker *w)
{
   func_pages_free(w, sizeof(*w));
}

static void
sample(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel)
{
   const struct func_pass *p = user;
   emul_tex_sample(&p->state.tex[request->unit], request, p->device->memory, texel);
}

void
func_run_thread(struct func_worker *w, const struct emul_program *program, unsigned stage,
                const struct emul_vec4 *inputs, uint16_t lanes)
{
   struct func_pass *p = w->pass;
   w->thread.temps = w->temps;
   w->thread.inputs = inputs;
   w->thread.outputs = w->outputs;
   w->thread.consts = (const float(*)[4])p->state.consts[stage];
   emul_thread_start(&w->thread, program, lanes, stage == ATTILA_STAGE_FRAGMENT);
   if (atomic_load_explicit(&p->stopped, memory_order_relaxed))
      emul_thread_hurry(&w->thread);
   emul_thread_run(&w->thread, sample, p);
   if (w->thread.stopped)
      atomic_store_explicit(&p->stopped, true, memory_order_relaxed);
}

static inline uint8_t *
tile_address(const struct func_surface *s, int32_t x, int32_t y, unsigned samples)
{
   return s->base + emul_quad_offset(s->pitch_tiles, samples, 0, s->element_bytes, x, y);
}

/* Surfaces of one width put a quad in the same place: that was found out once for its tile. */
static inline uint8_t *
quad_address(const struct func_pass *p, const struct func_surface *s, const struct func_quad *q,
             unsigned sample)
{
   const unsigned samples = p->state.samples;
   if (s->pitch_tiles != p->pitch_tiles)
      return s->base +
             emul_quad_offset(s->pitch_tiles, samples, sample, s->element_bytes, q->x, q->y);
   const uint64_t tile = q->place / QUADS_OF_TILE, in_tile = q->place % QUADS_OF_TILE;
   return s->base + (tile * samples * ATTILA_TILE_ELEMENTS +
                     attila_sample_number(samples, sample, (uint32_t)(4 * in_tile))) *
                        s->element_bytes;
}

/* --- Depth and stencil --- */

/* Tests every sample of a quad; returns the mask that is left. */
static uint32_t
test_samples(struct func_worker *w, const struct func_quad *q)
{
   const struct emul_draw_state *state = &w->pass->state;
   uint32_t left = q->mask;
   for (unsigned s = 0; s < state->samples; s++) {
      unsigned nibble = q->mask >> 4 * s & 15;
      if (!nibble)
         continue;
      unsigned pass =
          emul_zs_quad(state, q->front, nibble, q->z[s], quad_address(w->pass, &w->pass->zs, q, s));
      left &= ~((nibble & ~pass) << 4 * s);
   }
   return left;
}

/* Replaces the depth of a quad by fragment output 8. */
static void
take_shader_depth(struct func_worker *w, struct func_quad *q, unsigned index)
{
   for (unsigned p = 0; p < 4; p++) {
      float z = w->outputs[ATTILA_FS_OUTPUT_DEPTH].c[0][4 * index + p];
      z = z > 0.0f ? z < 1.0f ? z : 1.0f : 0.0f;
      for (unsigned s = 0; s < w->pass->state.samples; s++)
         q->z[s][p] = z;
   }
}

/* --- Colour --- */

/* How many quads from first on are in different places: two of a group may not be, when they belong
 * to different primitives. */
static unsigned
quads_apart(const struct func_worker *w, unsigned first)
{
   unsigned end = first + 1;
   for (; end < w->num_quads; end++) {
      const struct func_quad *q = &w->quad[end];
      for (unsigned i = first; i < end; i++) {
         if (w->quad[i].place == q->place)
            return end - first;
      }
   }
   return end - first;
}

/* All quads at once, as far as the order of those in one place does not matter. */
static void
store_group(struct func_worker *w, unsigned rt, const struct emul_vec4 *color)
{
   const struct emul_draw_state *state = &w->pass->state;
   for (unsigned first = 0, n; first < w->num_quads; first += n) {
      n = state->regs.color[rt].blend_enable ? quads_apart(w, first) : w->num_quads;
      for (unsigned s = 0; s < state->samples; s++) {
         uint8_t *dst[FUNC_QUADS];
         unsigned lanes = 0;
         for (unsigned i = first; i < first + n; i++) {
            const struct func_quad *q = &w->quad[i];
            lanes |= (q->mask >> 4 * s & 15) << 4 * i;
            dst[i] = quad_address(w->pass, &w->pass->color[rt], q, s);
         }
         if (lanes)
            w->pass->color_group(state, rt, lanes, color, dst);
      }
   }
}

static void
store_quads(struct func_worker *w, unsigned rt, const struct emul_vec4 *color)
{
   const struct emul_draw_state *state = &w->pass->state;
   for (unsigned i = 0; i < w->num_quads; i++) {
      const struct func_quad *q = &w->quad[i];
      float src[4][4];
      if (!q->mask)
         continue;
      for (unsigned c = 0; c < 4; c++)
         memcpy(src[c], &color->c[c][4 * i], 16);
      for (unsigned s = 0; s < state->samples; s++) {
         unsigned nibble = q->mask >> 4 * s & 15;
         if (nibble)
            emul_color_quad(state, rt, nibble, (const float(*)[4])src,
                            quad_address(w->pass, &w->pass->color[rt], q, s));
      }
   }
}

/* --- Groups --- */

static inline unsigned
pixels_of(uint32_t mask)
{
   static const uint8_t bits[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
   mask |= mask >> 16;
   mask |= mask >> 8;
   mask |= mask >> 4;
   return bits[mask & 15];
}

static void
after_shading(struct func_worker *w, unsigned index)
{
   const struct emul_draw_state *state = &w->pass->state;
   struct func_quad *q = &w->quad[index];
   q->mask &= ~((w->thread.killed >> 4 * index & 15u) * 0x11111111u);
   if (w->pass->alpha_coverage) {
      float alpha[4];
      memcpy(alpha, &w->outputs[0].c[3][4 * index], sizeof(alpha));
      q->mask &= emul_alpha_to_coverage(alpha, state->samples);
   }
   if (state->late_zs && w->pass->z_active && q->mask) {
      if (w->pass->writes_depth)
         take_shader_depth(w, q, index);
      q->mask = test_samples(w, q);
   }
}

/* Antialiasing application (OpenGL 2.1, 3.12): the covered fraction multiplies the alpha of every
 * colour. */
static void
apply_smooth_coverage(struct func_worker *w)
{
   for (unsigned outputs = w->pass->state.color_outputs; outputs; outputs &= outputs - 1) {
      float *alpha = w->outputs[__builtin_ctz(outputs)].c[3];
      for (unsigned i = 0; i < 4 * w->num_quads; i++)
         alpha[i] *= w->quad[i / 4].coverage[i & 3];
   }
}

static void
run_group(struct func_worker *w)
{
   const struct emul_draw_state *state = &w->pass->state;
   unsigned n = w->num_quads;
   uint64_t shaded = 0, passed = 0;
   if (n == 0)
      return;
   for (unsigned i = 0; i < n; i++)
      shaded += pixels_of(w->quad[i].mask);
   func_run_thread(w, state->fs, ATTILA_STAGE_FRAGMENT, w->inputs, (uint16_t)((1u << 4 * n) - 1));
   if (state->smooth)
      apply_smooth_coverage(w);
   if (w->pass->final_masks && !w->thread.stopped) {
      passed = shaded;
   } else {
      for (unsigned i = 0; i < n; i++) {
         after_shading(w, i);
         passed += (unsigned)__builtin_popcount(w->quad[i].mask);
      }
   }
   w->shaded += shaded;
   w->passed += passed;
   for (uint32_t m = passed ? state->color_mask : 0; m; m &= m - 1) {
      unsigned rt = (unsigned)__builtin_ctz(m);
      const struct emul_vec4 *color = &w->outputs[state->regs.fs_color0_to_all ? 0 : rt];
      if (w->pass->color[rt].group)
         store_group(w, rt, color);
      else
         store_quads(w, rt, color);
   }
   w->num_quads = w->num_interpolated = 0;
}

/* The inputs of the last quads, all of one primitive. */
static void
interpolate(struct func_worker *w, const struct emul_setup *s)
{
   int32_t x[FUNC_QUADS], y[FUNC_QUADS];
   unsigned first = w->num_interpolated, count = w->num_quads - first;
   if (count == 0)
      return;
   for (unsigned i = 0; i < count; i++) {
      x[i] = w->quad[first + i].x;
      y[i] = w->quad[first + i].y;
   }
   emul_quads_interpolate(s, count, x, y, first, w->inputs);
   w->num_interpolated = w->num_quads;
}

/* The next quad, whose early test is over, belongs to the group. */
static inline void
push_quad(struct func_worker *w, const struct emul_setup *s)
{
   struct func_quad *q = &w->quad[w->num_quads];
   if (w->pass->state.smooth)
      emul_quad_smooth_coverage(s, q->x, q->y, q->coverage);
   if (++w->num_quads == FUNC_QUADS) {
      interpolate(w, s);
      run_group(w);
   }
}

/* A tile that is rasterised. */
struct tile {
   int32_t x, y;
   uint32_t place; /* of its first quad */
};

static inline struct tile
tile_at(const struct func_pass *p, int32_t x, int32_t y)
{
   return (struct tile){
       x, y, QUADS_OF_TILE * attila_tile_number(p->pitch_tiles, (uint32_t)x / 8, (uint32_t)y / 8)};
}

/* Quad i of a tile, where the group has room for it. */
static inline struct func_quad *
next_quad(struct func_worker *w, const struct emul_setup *s, const struct tile *t, unsigned i,
          uint32_t mask)
{
   struct func_quad *q = &w->quad[w->num_quads];
   q->x = t->x + emul_quad_x(i);
   q->y = t->y + emul_quad_y(i);
   q->place = t->place + i;
   q->mask = mask;
   q->front = s->front;
   return q;
}

/* A covered quad of a primitive: tested if that comes early. */
static void
add_quad(struct func_worker *w, const struct emul_setup *s, const struct tile *t, unsigned i,
         uint32_t mask)
{
   const struct emul_draw_state *state = &w->pass->state;
   struct func_quad *q = next_quad(w, s, t, i, mask);
   if (w->pass->z_active) {
      for (unsigned n = 0; n < state->samples; n++)
         emul_quad_depth(s, q->x, q->y, n, state->samples, q->z[n]);
      if (!state->late_zs) {
         q->mask = test_samples(w, q);
         if (!q->mask)
            return;
      }
   }
   push_quad(w, s);
}

/* --- Traversal --- */

static void
mark_surface(struct func_worker *w, const struct func_surface *s, int32_t x, int32_t y)
{
   const uint32_t at =
       s->address + (uint32_t)(tile_address(s, x, y, w->pass->state.samples) - s->base);
   for (uint32_t b = 0; b < s->tile_bytes; b += s->block_bytes)
      sim_block_draw(&w->pass->device->blocks, at + b, s->block_bytes);
}

/* Something of the tile may be written. */
static void
mark(struct func_worker *w, int32_t x, int32_t y)
{
   if (w->pass->z_active && (w->pass->state.z_write || w->pass->state.stencil_test))
      mark_surface(w, &w->pass->zs, x, y);
   for (uint32_t m = w->pass->state.color_mask; m; m &= m - 1)
      mark_surface(w, &w->pass->color[__builtin_ctz(m)], x, y);
}

/* Asks the host's caches for a tile that is soon read and written. Surfaces are larger than these
 * caches, and waiting for their lines would take most of the time of tests and colour writes. */
static inline void
prefetch_tile(const struct func_surface *s, int32_t x, int32_t y)
{
   const uint8_t *tile = tile_address(s, x, y, 1);
   for (uint32_t b = 0; b < s->tile_bytes; b += HOST_LINE)
      __builtin_prefetch(tile + b, 1);
}

/* Colours are written when the tile's quads have been shaded. */
static inline void
prefetch_color(const struct func_pass *p, int32_t x, int32_t y)
{
   for (uint32_t m = p->state.color_mask; m; m &= m - 1)
      prefetch_tile(&p->color[__builtin_ctz(m)], x, y);
}

static void
tile(struct func_worker *w, const struct emul_setup *s, int32_t x, int32_t y)
{
   uint64_t coverage = emul_tile_coverage(s, x, y);
   if (!coverage)
      return;
   if (w->pass->tile_z) {
      if (x + ATTILA_TILE_DIM < s->maxx)
         prefetch_tile(&w->pass->zs, x + ATTILA_TILE_DIM, y);
      coverage = w->pass->tile_z24(s, x, y, coverage, tile_address(&w->pass->zs, x, y, 1));
   }
   if (!coverage)
      return;
   prefetch_color(w->pass, x, y);
   if (w->pass->watch)
      mark(w, x, y);
   const struct tile t = tile_at(w->pass, x, y);
   while (coverage) {
      unsigned i = (unsigned)__builtin_ctzll(coverage) / 4;
      uint32_t mask = coverage >> 4 * i & 15;
      coverage &= ~(15ull << 4 * i);
      if (w->pass->tile_z) {
         next_quad(w, s, &t, i, mask);
         push_quad(w, s);
      } else {
         add_quad(w, s, &t, i, mask);
      }
   }
}

static void
multisample_tile(struct func_worker *w, const struct emul_setup *s, int32_t x, int32_t y)
{
   if (!emul_block_overlaps(s, x, y, ATTILA_TILE_DIM))
      return;
   if (w->pass->watch)
      mark(w, x, y);
   const struct tile t = tile_at(w->pass, x, y);
   for (unsigned i = 0; i < QUADS_OF_TILE; i++) {
      uint32_t mask =
          emul_quad_coverage(s, x + emul_quad_x(i), y + emul_quad_y(i), w->pass->state.samples);
      if (mask)
         add_quad(w, s, &t, i, mask);
   }
}

static void
block(struct func_worker *w, const struct emul_setup *s, int32_t bx, int32_t by)
{
   const bool multisample = w->pass->state.samples > 1;
   const int32_t x0 = s->minx & ~(ATTILA_TILE_DIM - 1), y0 = s->miny & ~(ATTILA_TILE_DIM - 1);
   const int32_t first_x = bx > x0 ? bx : x0,
                 last_x = bx + FUNC_BLOCK < s->maxx ? bx + FUNC_BLOCK : s->maxx,
                 last_y = by + FUNC_BLOCK < s->maxy ? by + FUNC_BLOCK : s->maxy;
   for (int32_t y = by > y0 ? by : y0; y < last_y; y += ATTILA_TILE_DIM) {
      for (int32_t x = first_x; x < last_x; x += ATTILA_TILE_DIM) {
         if (multisample)
            multisample_tile(w, s, x, y);
         else
            tile(w, s, x, y);
      }
   }
}

void
func_rasterise(struct func_worker *w, const struct emul_setup *s)
{
   const int32_t x0 = s->minx & ~(FUNC_BLOCK - 1), y0 = s->miny & ~(FUNC_BLOCK - 1);
   const bool several = s->maxx > x0 + FUNC_BLOCK || s->maxy > y0 + FUNC_BLOCK;
   for (int32_t by = y0; by < s->maxy; by += FUNC_BLOCK) {
      for (int32_t bx = x0; bx < s->maxx; bx += FUNC_BLOCK) {
         if (w->threads > 1 && func_owner(bx / FUNC_BLOCK, by / FUNC_BLOCK, w->threads) != w->index)
            continue;
         if (!several || emul_block_overlaps(s, bx, by, FUNC_BLOCK))
            block(w, s, bx, by);
      }
   }
   interpolate(w, s);
}

void
func_fragment_end(struct func_worker *w)
{
   run_group(w);
   atomic_fetch_add(&w->pass->shaded, w->shaded);
   atomic_fetch_add(&w->pass->passed, w->passed);
   w->shaded = w->passed = 0;
}
