/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Watched pixels, one or a grid of them: reports what becomes of each of their fragments. A
 * primitive's fragment at the pixel is also computed here, alone and without writes, before the
 * primitive is rasterised as always. Everything before it has been written by then. The caller is
 * cli_picture_pixel.c. */
#include <string.h>
#include "core/sim_xalloc.h"
#include "func/sim_func_impl.h"

#define PIXEL_LANES 0x11111111u /* bit sample * 4 for all samples */

/* Returns a bit per sample of the pixel that a quad's mask has. */
static uint32_t
func_pixel_samples(uint32_t mask, unsigned pixel)
{
   uint32_t samples = 0;
   for (unsigned s = 0; s < 8; s++)
      samples |= (mask >> (4 * s + pixel) & 1) << s;
   return samples;
}

/* Tests the samples on copies of memory. z: [sample][pixel] */
static uint32_t
func_pixel_test(const struct func_worker *w, const struct emul_draw_state *state, bool front,
                uint32_t mask, float (*z)[4], int32_t x, int32_t y)
{
   const struct func_surface *zs = &w->pass->zs;
   uint32_t left = mask;
   for (unsigned s = 0; s < state->samples; s++) {
      uint8_t copy[4 * 16];
      const unsigned nibble = mask >> 4 * s & 15;
      if (!nibble)
         continue;
      memcpy(copy,
             func_layer_base(w, zs) +
                 emul_quad_offset(zs->pitch_tiles, state->samples, s, zs->element_bytes, x, y),
             4 * zs->element_bytes);
      left &= ~((nibble & ~emul_zs_quad(state, front, nibble, z[s], copy)) << 4 * s);
   }
   return left;
}

/* Tests depth and stencil. A fragment that fails both counts as failing stencil, which is tested
 * first. */
static uint32_t
func_pixel_test_both(const struct func_worker *w, bool front, uint32_t mask, float (*z)[4],
                     int32_t x, int32_t y, struct sim_func_fragment *found)
{
   const uint32_t left = func_pixel_test(w, &w->pass->state, front, mask, z, x, y);
   if (left || !mask)
      return left;
   struct emul_draw_state stencil = w->pass->state;
   stencil.z_test = false;
   found->fate = func_pixel_test(w, &stencil, front, mask, z, x, y) ? SIM_FUNC_FAILED_DEPTH
                                                                    : SIM_FUNC_FAILED_STENCIL;
   return 0;
}

/* Runs the program for the quad, or for its sample n where samples are shaded; returns the
 * remaining mask. */
static uint32_t
func_pixel_run(struct func_worker *w, const struct emul_setup *s, const int32_t at[2],
               uint32_t mask, unsigned n, unsigned pixel, float (*z)[4],
               struct sim_func_fragment *found)
{
   const struct func_pass *p = w->pass;
   const struct emul_draw_state *state = &p->state;
   if (state->sample_shading)
      emul_quad_interpolate_sample(s, at[0], at[1], n, 0, w->inputs);
   else if (state->num_fs_inputs)
      emul_quads_interpolate(s, 1, &at[0], &at[1], 0, w->inputs);
   func_run_thread(w, state->fs, ATTILA_STAGE_FRAGMENT, w->inputs, 15, UINT16_MAX);
   for (unsigned c = 0; c < 4; c++)
      found->output[c] = w->outputs[0].c[c][pixel];
   found->shaded = true;
   mask &= ~((w->thread.killed & 15u) * PIXEL_LANES);
   if (p->alpha_coverage)
      mask &= emul_alpha_to_coverage(w->outputs[0].c[3], state->samples);
   if (state->drops_samples)
      mask &= emul_samples_that_stay(w->outputs[ATTILA_FS_OUTPUT_SAMPLES].c[0]);
   const unsigned first = state->sample_shading ? n : 0,
                  end = state->sample_shading ? n + 1 : state->samples;
   for (n = first; n < end && p->writes_depth; n++) {
      for (unsigned i = 0; i < 4; i++)
         z[n][i] = emul_clamp_depth(state, w->outputs[ATTILA_FS_OUTPUT_DEPTH].c[0][i]);
   }
   return mask;
}

/* Runs the program for all that the quad's mask has; its output is the first sample's. */
static uint32_t
func_pixel_shade(struct func_worker *w, const struct emul_setup *s, const int32_t at[2],
                 uint32_t mask, unsigned pixel, float (*z)[4], struct sim_func_fragment *found)
{
   uint32_t left = 0;
   if (!w->pass->state.sample_shading)
      left = func_pixel_run(w, s, at, mask, 0, pixel, z, found);
   for (unsigned n = ATTILA_MAX_SAMPLES; n-- && w->pass->state.sample_shading;) {
      if (mask >> 4 * n & 15)
         left |= func_pixel_run(w, s, at, mask & 15u << 4 * n, n, pixel, z, found);
   }
   if (!left)
      found->fate = SIM_FUNC_KILLED;
   return left;
}

bool
func_pixel_look(struct func_worker *w, const struct emul_setup *s, const int32_t pixel[2],
                struct sim_func_fragment *found)
{
   struct func_pass *p = w->pass;
   const struct emul_draw_state *state = &p->state;
   const int32_t at[2] = {pixel[0] & ~1, pixel[1] & ~1};
   const unsigned lane = (unsigned)((pixel[1] & 1) * 2 + (pixel[0] & 1));
   float z[ATTILA_MAX_COLOR_BUFFERS][4] = {{0}};
   w->layer = s->layer;
   if (pixel[0] < s->minx || pixel[0] >= s->maxx || pixel[1] < s->miny || pixel[1] >= s->maxy)
      return false;
   uint32_t mask = emul_quad_coverage(s, at[0], at[1], state->samples) & PIXEL_LANES << lane;
   *found = (struct sim_func_fragment){.layer = s->layer,
                                       .color = emul_layer_color(state, 0, s->layer),
                                       .zs = emul_layer_zs(state, s->layer),
                                       .front = s->front,
                                       .covered = func_pixel_samples(mask, lane)};
   if (!mask)
      return false;
   if (p->deferred)
      func_clear_block(p, pixel[0] & ~(FUNC_BLOCK - 1), pixel[1] & ~(FUNC_BLOCK - 1));
   for (unsigned n = 0; n < state->samples; n++)
      emul_quad_depth(s, at[0], at[1], n, state->samples, z[n]);
   if (p->z_active && !state->late_zs)
      mask = func_pixel_test_both(w, s->front, mask, z, at[0], at[1], found);
   if (mask && state->fs && !p->unseen)
      mask = func_pixel_shade(w, s, at, mask, lane, z, found);
   if (mask && p->z_active && state->late_zs)
      mask = func_pixel_test_both(w, s->front, mask, z, at[0], at[1], found);
   found->z = z[0][lane];
   found->passed = func_pixel_samples(mask, lane);
   return true;
}

/* Returns the first coordinate from `from` on of a watched pixel. */
static int32_t
func_pixel_first(int32_t from, int32_t first, int32_t step)
{
   return from + ((first - from) % step + step) % step;
}

void
func_pixel_rasterise_grid(struct sim_func *f, const struct emul_setup *s)
{
   const int32_t step = f->grid.step;
   uint32_t num = 0;
   func_fragment_end(f->own);
   for (int32_t y = func_pixel_first(s->miny, f->grid.first[1], step); y < s->maxy; y += step) {
      for (int32_t x = func_pixel_first(s->minx, f->grid.first[0], step); x < s->maxx; x += step) {
         if (num == f->grid.room) {
            f->grid.room = 2 * num + 64;
            f->grid.found = sim_xrealloc(f->grid.found, f->grid.room * sizeof(*f->grid.found));
         }
         struct func_grid_fragment *at = &f->grid.found[num];
         at->x = x;
         at->y = y;
         if (func_pixel_look(f->own, s, (const int32_t[2]){x, y}, &at->found)) {
            at->found.primitive = f->pixel.primitives;
            num++;
         }
      }
   }
   f->pixel.primitives++;
   func_rasterise(f->own, s);
   func_fragment_end(f->own);
   for (uint32_t i = 0; i < num; i++)
      f->grid.call(f->grid.user, f->grid.found[i].x, f->grid.found[i].y, &f->grid.found[i].found);
}
