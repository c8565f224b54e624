/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Contents that were never written read as zero, so that no program sees the data of deleted
 * objects. OpenGL leaves such contents undefined, so they are zeroed only before they are read or
 * partly overwritten: render targets by a fast clear, other slices with the blitter. Memory used
 * for the first time is zero already. Not here: which slices have contents (attila_resource.c);
 * buffers (attila_buffer.c), which end at their written range. */
#include "attila_lazy_zero.h"

#include "attila_cs.h"
#include "attila_resource.h"
#include "pipe/p_state.h"

void
attila_zero_slices(struct attila_cs *cs, struct attila_resource *res, unsigned level, unsigned z,
                   unsigned num)
{
   if (!res->num_undefined)
      return;
   for (unsigned i = 0; i < num && !res->bo.zero; i++) {
      unsigned run = 0;
      while (i + run < num && !attila_is_defined(res, level, z + i + run))
         run++;
      if (run)
         attila_cs_zero_bytes(cs, attila_slice_address(res, level, z + i),
                              (uint64_t)run * res->layout.slice_stride[level]);
      i += run;
   }
   attila_define_slices(res, level, z, num);
}

void
attila_define_box(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                  const struct pipe_box *box)
{
   if (attila_box_is_whole(res, level, box))
      attila_define_slices(res, level, box->z, box->depth);
   else
      attila_zero_slices(cs, res, level, box->z, box->depth);
}

void
attila_zero_view(struct attila_cs *cs, const struct pipe_sampler_view *view)
{
   struct attila_resource *res = attila_resource(view->texture);
   if (!res->num_undefined)
      return;
   for (unsigned l = view->u.tex.first_level; l <= view->u.tex.last_level; l++) {
      const bool is_3d = res->base.target == PIPE_TEXTURE_3D;
      const unsigned first = is_3d ? 0 : view->u.tex.first_layer,
                     last = is_3d ? attila_level_slices(res, l) - 1 : view->u.tex.last_layer;
      attila_zero_slices(cs, res, l, first, last - first + 1);
   }
}

/* Prepares a surface without contents for the first draw; returns whether it needs a fast clear. A
 * fast clear covers one layer of the framebuffer, so larger or layered surfaces are zeroed in
 * memory instead. */
static bool
attila_lazy_zero_needs_clear(struct attila_cs *cs, const struct pipe_framebuffer_state *fb,
                             const struct pipe_surface *surface)
{
   if (!surface)
      return false;
   struct attila_resource *res = attila_resource(surface->texture);
   const unsigned level = surface->u.tex.level, layer = surface->u.tex.first_layer,
                  num = attila_surface_layers(surface);
   if (!res->num_undefined || attila_num_defined_in(res, level, layer, num) == num)
      return false;
   if (num > 1 || surface->width != fb->width || surface->height != fb->height) {
      attila_zero_slices(cs, res, level, layer, num);
      return false;
   }
   attila_define_slices(res, level, layer, 1);
   return !res->bo.zero;
}

void
attila_zero_framebuffer(struct attila_cs *cs, const struct pipe_framebuffer_state *fb)
{
   uint32_t colors = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++)
      colors |= attila_lazy_zero_needs_clear(cs, fb, fb->cbufs[i]) ? 1u << i : 0;
   if (colors)
      attila_cs_clear_color(cs, colors, (const float[4]){0, 0, 0, 0});
   if (attila_lazy_zero_needs_clear(cs, fb, fb->zsbuf))
      attila_cs_clear_zs(cs, true, true, 0.0f, 0);
}
