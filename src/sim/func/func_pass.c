/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The begin of a draw's fragments in functional mode: derives from the draw's state what all of
 * them need. Not here: the fragments (func_fragment.c), which threads execute them
 * (func_threads.c). */
#include "func/sim_func_impl.h"

/* stride: bytes between layers; block: most bytes per block. */
static struct func_surface
func_pass_surface(const struct func_pass *p, uint32_t address, uint32_t stride,
                  uint32_t pitch_tiles, unsigned bytes, uint32_t block)
{
   const uint32_t plane = ATTILA_TILE_ELEMENTS * bytes;
   return (struct func_surface){.base = p->device->memory + address,
                                .pitch_tiles = pitch_tiles,
                                .element_bytes = bytes,
                                .address = address,
                                .layer_stride = stride,
                                .block_bytes = plane < block ? plane : block,
                                .tile_bytes = plane * p->state.samples};
}

void
func_fragment_start(struct sim_func *f, struct func_pass *p)
{
   const struct emul_draw_state *state = &p->state;
   const struct attila_regs *r = &state->regs;
   p->device = f->device;
   p->watch = f->watched ? &f->watch : NULL;
   p->cover = f->cover;
   p->shaded = p->passed = 0;
   p->stopped = false;
   p->discard = r->rasterizer_discard;
   p->deferred = false;
   if (p->discard) {
      p->z_active = false;
      return;
   }
   const struct attila_isa_program *isa = emul_program_isa(state->fs);
   p->z_active = state->zs_bound && (state->z_test || state->stencil_test);
   p->writes_depth = isa->writes_depth && !isa->early_tests;
   p->alpha_coverage = r->alpha_to_coverage && state->samples > 1;
   p->one_color = !isa->inputs_read && !isa->tex_units && !isa->uses_flow && !isa->uses_kill &&
                  !isa->uses_storage && !state->smooth;
   p->tile_z = p->z_active && state->z_test && !state->stencil_test && !state->late_zs &&
                       state->samples == 1
                   ? func_tile_z_of(f->tile_z, (enum attila_format)r->zs_format)
                   : NULL;
   p->writer = f->color;
   p->final_masks = !isa->uses_kill && !p->alpha_coverage && !state->late_zs && state->samples == 1;
   p->unseen = p->final_masks && !state->color_mask && !isa->uses_flow && !state->smooth &&
               !p->cover && !isa->writes_storage;
   if (p->z_active)
      p->zs = func_pass_surface(p, r->zs_address, state->layers.zs_stride, r->zs_pitch_tiles,
                                state->zs_format->bytes, f->watch.zs_block);
   for (uint32_t m = state->color_mask; m; m &= m - 1) {
      unsigned i = (unsigned)__builtin_ctz(m);
      p->color[i] = func_pass_surface(p, r->color[i].address, state->layers.color_stride[i],
                                      r->color[i].pitch_tiles, state->color_format[i]->bytes,
                                      f->watch.color_block);
      p->color[i].group = emul_color_group_fits(state, i);
   }
   p->squares = p->final_masks && !state->smooth && !p->cover;
   for (uint32_t m = state->color_mask; m; m &= m - 1)
      p->squares &= p->color[__builtin_ctz(m)].group &&
                    p->color[__builtin_ctz(m)].pitch_tiles ==
                        p->color[__builtin_ctz(state->color_mask)].pitch_tiles;
   p->pitch_tiles = state->color_mask ? p->color[__builtin_ctz(state->color_mask)].pitch_tiles
                    : p->z_active     ? p->zs.pitch_tiles
                                      : 1;
}
