/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a program has never written is zero, not what the memory held for an object that is deleted.
 * OpenGL leaves such contents undefined, so they cost something only when they are about to be seen
 * or become part of something that is: then the GPU zeroes the slice, a render target by a fast
 * clear and any other one with its blitter. Memory that belongs to somebody for the first time is
 * zero already. Not here: buffers (attila_buffer.c), which end where nothing was written.
 */
#include "attila_lazy_zero.h"

#include "attila_blit.h"
#include "attila_clear.h"
#include "attila_context.h"
#include "attila_resource.h"
#include "util/u_math.h"
#include "util/u_memory.h"

static unsigned
num_slices(const struct attila_resource *res)
{
   const unsigned last = res->base.last_level;
   return res->first_slice[last] + attila_level_slices(res, last);
}

bool
attila_undefined_init(struct attila_resource *res)
{
   for (unsigned l = 1; l <= res->base.last_level; l++)
      res->first_slice[l] = res->first_slice[l - 1] + attila_level_slices(res, l - 1);
   res->num_undefined = num_slices(res);
   res->defined = CALLOC(BITSET_WORDS(res->num_undefined), sizeof(BITSET_WORD));
   return res->defined != NULL;
}

void
attila_undefine(struct attila_resource *res)
{
   res->num_undefined = num_slices(res);
   memset(res->defined, 0, BITSET_WORDS(res->num_undefined) * sizeof(BITSET_WORD));
}

bool
attila_is_defined(const struct attila_resource *res, unsigned level, unsigned z)
{
   return BITSET_TEST(res->defined, res->first_slice[level] + z);
}

unsigned
attila_num_defined(const struct attila_resource *res)
{
   return num_slices(res) - res->num_undefined;
}

unsigned
attila_num_defined_in(const struct attila_resource *res, unsigned level, unsigned z, unsigned num)
{
   unsigned defined = 0;
   for (unsigned i = 0; i < num; i++)
      defined += attila_is_defined(res, level, z + i);
   return defined;
}

bool
attila_copies_nothing(const struct attila_resource *src, unsigned src_level,
                      const struct pipe_box *box, const struct attila_resource *dst,
                      unsigned dst_level, unsigned dst_z, unsigned dst_depth)
{
   return !dst->is_front && !dst->shared &&
          !attila_num_defined_in(src, src_level, box->z, box->depth) &&
          !attila_num_defined_in(dst, dst_level, dst_z, dst_depth);
}

void
attila_define_slices(struct attila_resource *res, unsigned level, unsigned z, unsigned num)
{
   for (unsigned i = res->first_slice[level] + z; num; i++, num--) {
      if (BITSET_TEST(res->defined, i))
         continue;
      BITSET_SET(res->defined, i);
      res->num_undefined--;
   }
}

void
attila_zero_slices(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                   unsigned z, unsigned num)
{
   if (!res->num_undefined)
      return;
   for (unsigned i = 0; i < num && !res->bo.zero; i++) {
      unsigned run = 0;
      while (i + run < num && !attila_is_defined(res, level, z + i + run))
         run++;
      if (run)
         attila_zero_bytes(ctx, attila_slice_address(res, level, z + i),
                           (uint64_t)run * res->layout.slice_stride[level]);
      i += run;
   }
   attila_define_slices(res, level, z, num);
}

void
attila_define_box(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                  const struct pipe_box *box)
{
   if (attila_box_is_whole(res, level, box))
      attila_define_slices(res, level, box->z, box->depth);
   else
      attila_zero_slices(ctx, res, level, box->z, box->depth);
}

void
attila_zero_view(struct attila_context *ctx, const struct pipe_sampler_view *view)
{
   struct attila_resource *res = attila_resource(view->texture);
   if (!res->num_undefined)
      return;
   for (unsigned l = view->u.tex.first_level; l <= view->u.tex.last_level; l++) {
      const bool is_3d = res->base.target == PIPE_TEXTURE_3D;
      const unsigned first = is_3d ? 0 : view->u.tex.first_layer,
                     last = is_3d ? attila_level_slices(res, l) - 1 : view->u.tex.last_layer;
      attila_zero_slices(ctx, res, l, first, last - first + 1);
   }
}

/* A surface whose contents are zero before the first draw: true when a fast clear has to do it. A
 * fast clear covers the framebuffer, so what is larger is zeroed in memory. */
static bool
needs_clear(struct attila_context *ctx, const struct pipe_surface *surface)
{
   if (!surface)
      return false;
   struct attila_resource *res = attila_resource(surface->texture);
   const unsigned level = surface->u.tex.level, layer = surface->u.tex.first_layer;
   if (!res->num_undefined || attila_is_defined(res, level, layer))
      return false;
   if (surface->width != ctx->framebuffer.width || surface->height != ctx->framebuffer.height) {
      attila_zero_slices(ctx, res, level, layer, 1);
      return false;
   }
   attila_define_slices(res, level, layer, 1);
   return !res->bo.zero;
}

void
attila_zero_framebuffer(struct attila_context *ctx)
{
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;
   uint32_t colors = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++)
      colors |= needs_clear(ctx, fb->cbufs[i]) ? 1u << i : 0;
   if (colors)
      attila_clear_color(ctx, colors, (const float[4]){0, 0, 0, 0});
   if (needs_clear(ctx, fb->zsbuf))
      attila_clear_zs(ctx, true, true, 0.0f, 0);
}
