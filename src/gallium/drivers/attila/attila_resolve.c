/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blits from multisampled surfaces. The blitter averages the samples or takes one of them. If
 * nothing else is to be done, it writes to the destination; otherwise it writes to a surface with
 * one sample, which a drawn blit then scales, flips, converts or clips. If both surfaces have the
 * same number of samples, this is done for each sample. The resolve of a whole surface is deferred
 * to the next command, which may be a swap. Not here: copies without changes. */
#include "attila_resolve.h"

#include "attila_blit_drawn.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_copy.h"
#include "attila_front.h"
#include "attila_lazy_zero.h"
#include "attila_resource.h"
#include "util/box.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

/* Returns how samples are resolved: depth, stencil and integers have no average, so sample 0 is
 * taken. */
static uint32_t
attila_resolve_of(enum pipe_format format)
{
   return util_format_is_depth_or_stencil(format) || util_format_is_pure_integer(format)
              ? ATTILA_RESOLVE_SAMPLE0
              : ATTILA_RESOLVE_AVERAGE;
}

static bool
attila_resolve_is_inside(const struct attila_resource *res, unsigned level,
                         const struct pipe_box *box)
{
   return box->x >= 0 && box->y >= 0 &&
          (int64_t)box->x + box->width <= u_minify(res->base.width0, level) &&
          (int64_t)box->y + box->height <= u_minify(res->base.height0, level);
}

/* Returns whether a blit only resolves, without conversion, scaling, flip or mask. */
static bool
attila_resolve_is_plain(const struct pipe_blit_info *info)
{
   const struct attila_resource *src = attila_resource(info->src.resource),
                                *dst = attila_resource(info->dst.resource);
   const unsigned mask = util_format_get_mask(info->dst.format);
   return info->src.format == info->dst.format && src->element_bytes == dst->element_bytes &&
          (info->mask & mask) == mask && !info->scissor_enable && !info->alpha_blend &&
          !info->swizzle_enable && !info->num_window_rectangles &&
          info->src.box.width == info->dst.box.width &&
          info->src.box.height == info->dst.box.height && info->src.box.depth == 1 &&
          info->dst.box.depth == 1 &&
          attila_resolve_is_inside(src, info->src.level, &info->src.box) &&
          attila_resolve_is_inside(dst, info->dst.level, &info->dst.box);
}

/* Finds what a blit may read: the box, which may be flipped, with a texel around it for filters.
 * Returns false if it reads nothing. */
static bool
attila_resolve_region_of(const struct attila_resource *src, const struct pipe_box *box,
                         struct pipe_box *region)
{
   /* The ends of a box may exceed an int. */
   const int64_t x = (int64_t)box->x + box->width, y = (int64_t)box->y + box->height;
   const int64_t x0 = MAX2(MIN2(box->x, x) - 1, 0), y0 = MAX2(MIN2(box->y, y) - 1, 0);
   const int64_t x1 = MIN2(MAX2(box->x, x) + 1, src->base.width0);
   const int64_t y1 = MIN2(MAX2(box->y, y) + 1, src->base.height0);
   if (x0 >= x1 || y0 >= y1)
      return false;
   u_box_3d((int)x0, (int)y0, box->z, (int)(x1 - x0), (int)(y1 - y0), 1, region);
   return true;
}

struct pipe_resource *
attila_resolve_copy(struct attila_context *ctx, struct attila_resource *src,
                    const struct pipe_box *box)
{
   struct pipe_screen *screen = ctx->base.screen;
   struct pipe_resource templ = {
       .target = PIPE_TEXTURE_2D,
       .format = src->base.format,
       .width0 = src->base.width0,
       .height0 = src->base.height0,
       .depth0 = 1,
       .array_size = 1,
       .bind = PIPE_BIND_SAMPLER_VIEW |
               (util_format_is_depth_or_stencil(src->base.format) ? PIPE_BIND_DEPTH_STENCIL
                                                                  : PIPE_BIND_RENDER_TARGET),
   };
   struct pipe_resource *copy = screen->resource_create(screen, &templ);
   if (!copy) {
      mesa_loge("attila: out of GPU memory for a resolve");
      return NULL;
   }
   /* Outside the box the copy stays undefined, but nothing reads it. */
   attila_define_slices(attila_resource(copy), 0, 0, 1);
   if (box)
      attila_copy_elements(&ctx->cs, attila_resource(copy), 0, box->x, box->y, 0, src, 0, box,
                           attila_resolve_of(src->base.format), src->base.format);
   return copy;
}

/* --- Resolves that a swap may do --- */

static bool
attila_resolve_is_whole(const struct attila_resource *res, unsigned level,
                        const struct pipe_box *box)
{
   return res->base.target == PIPE_TEXTURE_2D && level == 0 && box->z == 0 &&
          attila_box_is_whole(res, 0, box);
}

static void
attila_resolve_before_next(struct attila_cs *cs)
{
   struct attila_context *ctx = container_of(cs, struct attila_context, cs);
   struct pipe_resource *src = ctx->resolve_src, *dst = ctx->resolve_dst;
   /* Cleared first, so that the commands below do not call this function again. */
   cs->before_next = NULL;
   ctx->resolve_src = ctx->resolve_dst = NULL;
   struct pipe_box box;
   u_box_2d(0, 0, src->width0, src->height0, &box);
   attila_copy_elements(&ctx->cs, attila_resource(dst), 0, 0, 0, 0, attila_resource(src), 0, &box,
                        ATTILA_RESOLVE_AVERAGE, src->format);
   pipe_resource_reference(&src, NULL);
   pipe_resource_reference(&dst, NULL);
}

/* Defers a resolve. Returns false if it is not one of a whole colour surface. */
static bool
attila_resolve_later(struct attila_context *ctx, const struct pipe_blit_info *info)
{
   struct attila_resource *src = attila_resource(info->src.resource),
                          *dst = attila_resource(info->dst.resource);
   if (attila_resolve_of(info->src.format) != ATTILA_RESOLVE_AVERAGE ||
       info->src.format != src->base.format || info->dst.format != dst->base.format ||
       !attila_resolve_is_whole(src, info->src.level, &info->src.box) ||
       !attila_resolve_is_whole(dst, info->dst.level, &info->dst.box))
      return false;
   if (ctx->cs.before_next)
      ctx->cs.before_next(&ctx->cs);
   attila_front_write(&ctx->cs, dst, true);
   attila_zero_slices(&ctx->cs, src, 0, 0, 1);
   attila_define_box(&ctx->cs, dst, 0, &info->dst.box);
   attila_resource_flush(&ctx->cs, src);
   attila_resource_flush(&ctx->cs, dst);
   pipe_resource_reference(&ctx->resolve_src, info->src.resource);
   pipe_resource_reference(&ctx->resolve_dst, info->dst.resource);
   ctx->cs.before_next = attila_resolve_before_next;
   ctx->cs.frame_has_work = true;
   return true;
}

struct pipe_resource *
attila_resolve_take(struct attila_context *ctx, struct attila_resource *dst)
{
   struct pipe_resource *src = ctx->resolve_src;
   if (ctx->resolve_dst != &dst->base)
      return NULL;
   ctx->cs.before_next = NULL;
   ctx->resolve_src = NULL;
   pipe_resource_reference(&ctx->resolve_dst, NULL);
   return src;
}

void
attila_blit_samples(struct attila_context *ctx, const struct pipe_blit_info *info)
{
   struct attila_resource *src = attila_resource(info->src.resource),
                          *dst = attila_resource(info->dst.resource);
   const bool each = attila_samples(src) == attila_samples(dst);
   if (attila_samples(dst) == 1 && attila_resolve_is_plain(info)) {
      if (attila_resolve_later(ctx, info))
         return;
      attila_copy_elements(&ctx->cs, dst, info->dst.level, info->dst.box.x, info->dst.box.y,
                           info->dst.box.z, src, 0, &info->src.box,
                           attila_resolve_of(info->src.format), info->src.format);
      return;
   }

   struct pipe_box region;
   if (!attila_resolve_region_of(src, &info->src.box, &region))
      return;
   struct pipe_resource *copy = attila_resolve_copy(ctx, src, NULL);
   if (!copy)
      return;
   for (unsigned i = 0; i < (each ? attila_samples(src) : 1); i++) {
      struct pipe_blit_info pass = *info;
      attila_copy_elements(&ctx->cs, attila_resource(copy), 0, region.x, region.y, 0, src, 0,
                           &region,
                           each ? ATTILA_RESOLVE_SAMPLE0 + i : attila_resolve_of(info->src.format),
                           info->src.format);
      pass.src.resource = copy;
      pass.src.box.z = 0;
      pass.dst_sample = each ? i + 1 : 0;
      attila_blit_drawn(ctx, &pass);
   }
   pipe_resource_reference(&copy, NULL);
}
