/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The entry points of copies and blits. Elements of the same size are copied by the GPU's blitter
 * (attila_copy.c), multisampled sources are resolved (attila_resolve.c), and what has to convert,
 * scale or mask is drawn (attila_blit_drawn.c).
 */
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
#include "util/u_inlines.h"
#include "util/u_surface.h"

static void
blit_resource_copy_region(struct pipe_context *pctx, struct pipe_resource *pdst, unsigned dst_level,
                          unsigned dst_x, unsigned dst_y, unsigned dst_z,
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

static void
blit(struct pipe_context *pctx, const struct pipe_blit_info *info)
{
   struct attila_context *ctx = attila_context(pctx);
   struct pipe_blit_info rest = *info;
   attila_front_import(&ctx->cs, attila_resource(info->src.resource));

   if (info->render_condition_enable && !attila_render_condition_passes(ctx))
      return;
   /* The frontend makes such a copy into a multisampled window before its first draw. */
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
   /* The frontend resolves a multisampled window like this before it shows it. */
   if (attila_resource(info->dst.resource)->dt)
      pipe_resource_reference(&ctx->swap_target, info->dst.resource);
}

/* A FLUSH command writes the surface back; a shared one is copied outside by the flush that
 * follows. If that flush ends a frame, it presents this surface, of a window or of a pbuffer
 * without a window system. */
static void
blit_flush_resource(struct pipe_context *pctx, struct pipe_resource *resource)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *res = attila_resource(resource);
   if (attila_is_buffer(res))
      return;
   attila_resource_flush(&ctx->cs, res);
   if (res->dmabuf)
      res->dmabuf->due = true;
   pipe_resource_reference(&ctx->swap_target, resource);
}

void
attila_init_context_blit(struct attila_context *ctx)
{
   ctx->base.resource_copy_region = blit_resource_copy_region;
   ctx->base.blit = blit;
   ctx->base.flush_resource = blit_flush_resource;
}
