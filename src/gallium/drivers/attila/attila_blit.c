/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies and blits. Elements of the same size are copied by the GPU's blitter; what has to convert,
 * scale or mask is drawn. Not here: stencil that has to be scaled or masked
 * (attila_blit_stencil.c), multisampled sources (attila_resolve.c).
 */
#include "attila_blit.h"

#include "attila_blit_stencil.h"
#include "attila_buffer.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_dmabuf.h"
#include "attila_eviction.h"
#include "attila_format_map.h"
#include "attila_lazy_zero.h"
#include "attila_perf.h"
#include "attila_query.h"
#include "attila_resolve.h"
#include "attila_resource.h"
#include "util/box.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"
#include "util/u_surface.h"

/* The blitter takes linear data in rows of this size best. */
#define ROW_BYTES 512
#define ROW_ELEMENT 16

/* Nothing is allocated below the first page: it contains zeros. */
#define ATTILA_ZERO_ADDRESS 0

void
attila_blitter_begin(struct attila_context *ctx, bool textures, bool render_condition)
{
   struct blitter_context *b = ctx->blitter;
   attila_context_own(ctx);
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

/* Copies with rows that follow one another in the destination; in the source they do, or are all
 * the same. */
static void
copy_rows(struct attila_context *ctx, uint32_t dst, uint32_t src, uint64_t size, bool same_row)
{
   while (size) {
      uint32_t width = MIN2(size / ROW_ELEMENT, ROW_BYTES / ROW_ELEMENT), height = 1,
               element = ROW_ELEMENT;
      if (width == ROW_BYTES / ROW_ELEMENT) {
         height = (uint32_t)MIN2(size / ROW_BYTES, ATTILA_MAX_SURFACE_DIM);
      } else if (!width) {
         width = (uint32_t)size;
         element = 1;
      }
      const struct attila_cmd_blit blit = {
          .src = {.address = src, .linear_stride = same_row ? 0 : ROW_BYTES},
          .dst = {.address = dst, .linear_stride = ROW_BYTES},
          .width = width,
          .height = height,
          .depth = 1,
          .element_bytes = element,
          .samples = 1,
      };
      memcpy(attila_cs_emit(ctx, ATTILA_CMD_BLIT, sizeof(blit) / 4), &blit, sizeof(blit));
      const uint32_t done = width * height * element;
      dst += done;
      src += same_row ? 0 : done;
      size -= done;
   }
}

void
attila_copy_bytes(struct attila_context *ctx, uint32_t dst, uint32_t src, uint64_t size)
{
   copy_rows(ctx, dst, src, size, false);
   ctx->frame_has_work = true;
}

void
attila_zero_bytes(struct attila_context *ctx, uint32_t address, uint64_t size)
{
   copy_rows(ctx, address, ATTILA_ZERO_ADDRESS, size, true);
}

void
attila_copy_elements(struct attila_context *ctx, struct attila_resource *dst, unsigned dst_level,
                     unsigned dst_x, unsigned dst_y, unsigned dst_z, struct attila_resource *src,
                     unsigned src_level, const struct pipe_box *box, uint32_t resolve,
                     enum pipe_format format)
{
   const unsigned width = DIV_ROUND_UP(box->width, src->block_width),
                  height = DIV_ROUND_UP(box->height, src->block_height);
   struct pipe_box dst_box;
   u_box_3d(dst_x, dst_y, dst_z, width * dst->block_width, height * dst->block_height, box->depth,
            &dst_box);
   attila_resource_import_front(ctx, src);
   attila_resource_write_front(ctx, dst, attila_box_is_whole(dst, dst_level, &dst_box));
   attila_zero_slices(ctx, src, src_level, box->z, box->depth);
   attila_define_box(ctx, dst, dst_level, &dst_box);
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
       .width = width,
       .height = height,
       .depth = box->depth,
       .element_bytes = src->element_bytes,
       .samples = attila_samples(src),
       .resolve = resolve,
       .format = attila_map_format(format)->format,
   };
   memcpy(attila_cs_emit(ctx, ATTILA_CMD_BLIT, sizeof(blit) / 4), &blit, sizeof(blit));
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
      attila_buffer_copy(ctx, dst, dst_x, src, box->x, box->width);
   } else if (!attila_is_buffer(dst) && !attila_is_buffer(src) &&
              dst->element_bytes == src->element_bytes &&
              attila_samples(dst) == attila_samples(src)) {
      attila_copy_elements(ctx, dst, dst_level, dst_x, dst_y, dst_z, src, src_level, box,
                           ATTILA_RESOLVE_NONE, PIPE_FORMAT_NONE);
   } else {
      attila_perf(ctx, "a copy between images of different elements is made by the CPU");
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
   /* What the rectangle covers need not be zeroed first. */
   const struct pipe_box *box = &info->dst.box;
   struct attila_resource *dst = attila_resource(info->dst.resource);
   if (attila_box_is_whole(dst, info->dst.level, box) && !info->scissor_enable &&
       !info->num_window_rectangles && !info->alpha_blend && !info->dst_sample &&
       rest.mask == util_format_get_mask(info->dst.format))
      attila_define_slices(dst, info->dst.level, box->z, box->depth);
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
   /* What the frontend puts into a multisampled window before the first draw to it. */
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

/* Surfaces are written back by FLUSH when somebody else needs them; a shared one goes outside with
 * the flush that follows. When that ends a frame, this is the surface to be shown: of a window, or
 * of a pbuffer that no window system sees. */
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
   pipe_resource_reference(&ctx->swap_target, resource);
}

void
attila_init_context_blit(struct attila_context *ctx)
{
   ctx->base.resource_copy_region = resource_copy_region;
   ctx->base.blit = blit;
   ctx->base.flush_resource = flush_resource;
}
