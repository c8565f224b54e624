/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies and blits. Elements of the same size are copied by the GPU's blitter; what has to convert,
 * scale or mask is drawn. Not here: stencil that has to be scaled or masked
 * (attila_blit_stencil.c), multisampled sources (attila_resolve.c).
 */
#include "attila_blit.h"

#include "attila_context.h"
#include "attila_pipe_format.h"
#include "attila_shared.h"
#include "attila_transfer.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"
#include "util/u_surface.h"

void
attila_blitter_begin(struct attila_context *ctx, bool textures, bool render_condition)
{
   struct blitter_context *b = ctx->blitter;
   util_blitter_save_vertex_buffers(b, ctx->vertex_buffers, ctx->num_vertex_buffers);
   util_blitter_save_vertex_elements(b, ctx->elements);
   util_blitter_save_vertex_shader(b, ctx->shader[ATTILA_STAGE_VERTEX]);
   util_blitter_save_fragment_shader(b, ctx->shader[ATTILA_STAGE_FRAGMENT]);
   util_blitter_save_rasterizer(b, ctx->rasterizer);
   util_blitter_save_viewport(b, &ctx->viewport);
   util_blitter_save_scissor(b, &ctx->scissor);
   util_blitter_save_blend(b, ctx->blend);
   util_blitter_save_depth_stencil_alpha(b, ctx->zsa);
   util_blitter_save_stencil_ref(b, &ctx->stencil_ref);
   util_blitter_save_sample_mask(b, ctx->sample_mask, 0);
   util_blitter_save_framebuffer(b, &ctx->framebuffer);
   if (textures) {
      struct attila_textures *t = &ctx->textures[ATTILA_STAGE_FRAGMENT];
      util_blitter_save_fragment_sampler_states(b, t->num_samplers, (void **)t->samplers);
      util_blitter_save_fragment_sampler_views(b, t->num_views, t->views);
   }
   /* Saved only where the operation must not be conditional. */
   if (!render_condition)
      util_blitter_save_render_condition(b, ctx->condition, ctx->condition_value,
                                         ctx->condition_mode);
   ctx->meta = true;
   ctx->dirty |= ATTILA_DIRTY_QUERY;
}

void
attila_blitter_end(struct attila_context *ctx)
{
   ctx->meta = false;
   ctx->dirty |= ATTILA_DIRTY_QUERY;
}

static void
copy_buffer(struct attila_context *ctx, struct attila_resource *dst, unsigned dst_offset,
            struct attila_resource *src, unsigned src_offset, unsigned size)
{
   memmove(dst->data + dst_offset, src->data + src_offset, size);
   attila_buffer_written(ctx, dst, dst_offset, dst_offset + size, false);
}

void
attila_copy_elements(struct attila_context *ctx, struct attila_resource *dst, unsigned dst_level,
                     unsigned dst_x, unsigned dst_y, unsigned dst_z, struct attila_resource *src,
                     unsigned src_level, const struct pipe_box *box, uint32_t resolve,
                     enum pipe_format format)
{
   attila_resource_import_front(ctx, src);
   attila_resource_write_front(ctx, dst);
   attila_resource_flush(ctx, src);
   attila_resource_flush(ctx, dst);
   struct attila_cmd_blit blit = {
       .src = {.address = attila_slice_address(src, src_level, 0),
               .pitch_tiles = src->layout.pitch_tiles[src_level],
               .slice_stride = src->layout.slice_stride[src_level],
               .x = box->x / src->block_width,
               .y = box->y / src->block_height,
               .z = box->z},
       .dst = {.address = attila_slice_address(dst, dst_level, 0),
               .pitch_tiles = dst->layout.pitch_tiles[dst_level],
               .slice_stride = dst->layout.slice_stride[dst_level],
               .x = dst_x / dst->block_width,
               .y = dst_y / dst->block_height,
               .z = dst_z},
       .width = DIV_ROUND_UP(box->width, src->block_width),
       .height = DIV_ROUND_UP(box->height, src->block_height),
       .depth = box->depth,
       .element_bytes = src->element_bytes,
       .samples = attila_samples(src),
       .resolve = resolve,
       .format = attila_map_format(format)->format,
   };
   memcpy(attila_cs_emit(ctx, ATTILA_CMD_BLIT, sizeof(blit) / 4), &blit, sizeof(blit));
   src->gpu_used = dst->gpu_used = dst->defined = true;
   ctx->frame_has_work = true;
}

static void
resource_copy_region(struct pipe_context *pctx, struct pipe_resource *pdst, unsigned dst_level,
                     unsigned dst_x, unsigned dst_y, unsigned dst_z, struct pipe_resource *psrc,
                     unsigned src_level, const struct pipe_box *box)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *dst = attila_resource(pdst), *src = attila_resource(psrc);

   if (attila_is_buffer(dst) && attila_is_buffer(src)) {
      copy_buffer(ctx, dst, dst_x, src, box->x, box->width);
   } else if (!attila_is_buffer(dst) && !attila_is_buffer(src) &&
              dst->element_bytes == src->element_bytes &&
              attila_samples(dst) == attila_samples(src)) {
      attila_copy_elements(ctx, dst, dst_level, dst_x, dst_y, dst_z, src, src_level, box,
                           ATTILA_RESOLVE_NONE, PIPE_FORMAT_NONE);
   } else {
      util_resource_copy_region(pctx, pdst, dst_level, dst_x, dst_y, dst_z, psrc, src_level, box);
   }
}

void
attila_blit_drawn(struct attila_context *ctx, const struct pipe_blit_info *info)
{
   struct pipe_blit_info rest = *info;
   if (rest.mask & PIPE_MASK_S) {
      if (util_format_has_stencil(util_format_description(info->dst.format)))
         attila_blit_stencil(ctx, &rest);
      rest.mask &= ~PIPE_MASK_S;
   }
   if (!rest.mask)
      return;
   if (!util_blitter_is_blit_supported(ctx->blitter, &rest)) {
      mesa_loge("attila: unsupported blit from %s to %s", util_format_short_name(info->src.format),
                util_format_short_name(info->dst.format));
      return;
   }
   attila_blitter_begin(ctx, true, false);
   util_blitter_blit(ctx->blitter, &rest, NULL);
   attila_blitter_end(ctx);
}

static void
blit(struct pipe_context *pctx, const struct pipe_blit_info *info)
{
   struct attila_context *ctx = attila_context(pctx);
   struct pipe_blit_info rest = *info;
   attila_resource_import_front(ctx, attila_resource(info->src.resource));

   if (info->render_condition_enable && !attila_render_condition_passes(ctx))
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

/* Surfaces are resolved by FLUSH when somebody else needs them; a shared one goes outside with the
 * flush that follows. When that ends a frame, this is the surface to be shown. */
static void
flush_resource(struct pipe_context *pctx, struct pipe_resource *resource)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *res = attila_resource(resource);
   if (attila_is_buffer(res))
      return;
   attila_resource_flush(ctx, res);
   if (res->shared)
      res->shared->due = true;
   if (res->dt)
      pipe_resource_reference(&ctx->swap_target, resource);
}

void
attila_init_context_blit(struct attila_context *ctx)
{
   ctx->base.resource_copy_region = resource_copy_region;
   ctx->base.blit = blit;
   ctx->base.flush_resource = flush_resource;
}
