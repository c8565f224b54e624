/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Entry points of copies and blits. The GPU's blitter copies elements of equal size
 * (attila_copy.c); multisampled sources are resolved (attila_resolve.c); blits that convert, scale
 * or mask are drawn (attila_blit_drawn.c). */
#include "attila_init.h"

#include "attila_blit_drawn.h"
#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_copy.h"
#include "attila_dmabuf.h"
#include "attila_front.h"
#include "attila_perf.h"
#include "attila_query.h"
#include "attila_resolve.h"
#include "attila_resource.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_surface.h"

static void
attila_blit_resource_copy_region(struct pipe_context *pctx, struct pipe_resource *pdst,
                                 unsigned dst_level, unsigned dst_x, unsigned dst_y, unsigned dst_z,
                                 struct pipe_resource *psrc, unsigned src_level,
                                 const struct pipe_box *box)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *dst = attila_resource(pdst), *src = attila_resource(psrc);

   if (attila_is_buffer(dst) && attila_is_buffer(src)) {
      attila_buffer_copy(&ctx->cs, dst, dst_x, src, box->x, box->width);
   } else if (!attila_is_buffer(dst) && !attila_is_buffer(src) &&
              dst->element_bytes == src->element_bytes &&
              attila_samples(dst) == attila_samples(src)) {
      attila_copy_elements(&ctx->cs, dst, dst_level, dst_x, dst_y, dst_z, src, src_level, box,
                           ATTILA_RESOLVE_NONE, PIPE_FORMAT_NONE);
   } else {
      attila_perf(&ctx->cs, "a copy between images of different elements is made by the CPU");
      util_resource_copy_region(pctx, pdst, dst_level, dst_x, dst_y, dst_z, psrc, src_level, box);
   }
}

/* Clips one direction of an unscaled copy to both surfaces; any numbers are allowed. Returns false
 * if nothing is left. */
static bool
attila_blit_cut(int *from, int *to, int *size, int from_size, int to_size)
{
   const int64_t first = MAX3(0, -(int64_t)*from, -(int64_t)*to);
   const int64_t end = MIN3((int64_t)*size, (int64_t)from_size - *from, (int64_t)to_size - *to);
   if (first >= end)
      return false;
   *from += (int)first;
   *to += (int)first;
   *size = (int)(end - first);
   return true;
}

/* Clips a copy: OpenGL accepts rectangles whose ends exceed an int, and the frontend passes some
 * on. Scaled or flipped blits are drawn, and clipped as draws. Returns false if nothing is left. */
static bool
attila_blit_clip(struct pipe_blit_info *info)
{
   const struct pipe_resource *src = info->src.resource, *dst = info->dst.resource;
   struct pipe_box *from = &info->src.box, *to = &info->dst.box;
   int x = to->x, y = to->y;
   if (from->width != to->width || from->height != to->height || from->width <= 0 ||
       from->height <= 0)
      return true;
   if (!attila_blit_cut(&from->x, &x, &to->width, u_minify(src->width0, info->src.level),
                        u_minify(dst->width0, info->dst.level)) ||
       !attila_blit_cut(&from->y, &y, &to->height, u_minify(src->height0, info->src.level),
                        u_minify(dst->height0, info->dst.level)))
      return false;
   to->x = x;
   to->y = y;
   from->width = to->width;
   from->height = to->height;
   return true;
}

static void
attila_blit(struct pipe_context *pctx, const struct pipe_blit_info *given)
{
   struct attila_context *ctx = attila_context(pctx);
   struct pipe_blit_info rest = *given;
   const struct pipe_blit_info *info = &rest;
   if (!attila_blit_clip(&rest))
      return;
   attila_front_import(&ctx->cs, attila_resource(info->src.resource));

   if (info->render_condition_enable && !attila_render_condition_passes(ctx))
      return;
   /* The frontend makes such a copy of undefined contents into a multisampled window before its
    * first draw. */
   if (info->src.format == info->dst.format && info->src.box.depth > 0 && info->dst.box.depth > 0 &&
       attila_copies_nothing(attila_resource(info->src.resource), info->src.level, &info->src.box,
                             attila_resource(info->dst.resource), info->dst.level, info->dst.box.z,
                             info->dst.box.depth))
      return;
   if (util_try_blit_via_copy_region(pctx, info, false))
      return;
   /* The condition has been checked. */
   rest.render_condition_enable = false;
   if (attila_samples(attila_resource(info->src.resource)) > 1)
      attila_blit_samples(ctx, &rest);
   else
      attila_blit_drawn(ctx, &rest);
   /* The frontend resolves a multisampled window like this before showing it. */
   if (attila_resource(info->dst.resource)->dt)
      pipe_resource_reference(&ctx->swap_target, info->dst.resource);
}

/* Writes the surface back with a FLUSH command; a shared surface is copied outside by the next
 * flush. If that flush ends a frame, it presents this surface, which is that of a window, or of a
 * pbuffer without a window system. */
static void
attila_blit_flush_resource(struct pipe_context *pctx, struct pipe_resource *resource)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *res = attila_resource(resource);
   if (attila_is_buffer(res))
      return;
   attila_resource_flush(&ctx->cs, res);
   if (res->dmabuf)
      res->dmabuf->due = true;
   if (!util_format_is_pure_integer(resource->format)) /* integers are never shown */
      pipe_resource_reference(&ctx->swap_target, resource);
}

void
attila_init_context_blit(struct attila_context *ctx)
{
   ctx->base.resource_copy_region = attila_blit_resource_copy_region;
   ctx->base.blit = attila_blit;
   ctx->base.flush_resource = attila_blit_flush_resource;
}
