/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Images that programs load from and store to: a level of a texture, with one or all of its layers,
 * or a range of a buffer. The GPU converts texels between the program and the format of the
 * binding, which may be another one of equal size than the texture's. Before a draw their pixels
 * leave the ROPs' caches; what it wrote, all other units find in memory, since on the GPU such a
 * draw runs alone (box/command/cp_storage.c). */
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_dmabuf.h"
#include "attila_dmabuf_sync.h"
#include "attila_format_map.h"
#include "attila_init.h"
#include "attila_lazy_zero.h"
#include "attila_program.h"
#include "attila_resource.h"
#include "attila_storage.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

static void
attila_image_set(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                 unsigned count, unsigned unbind, const struct pipe_image_view *images)
{
   struct attila_context *ctx = attila_context(pctx);
   enum attila_stage stage;
   if (!attila_storage_stage_of(shader, &stage))
      return;
   for (unsigned i = 0; i < count + unbind && start + i < ATTILA_MAX_IMAGES; i++)
      util_copy_image_view(&ctx->state.storage[stage].images[start + i],
                           images && i < count ? &images[i] : NULL);
}

/* Returns the stage's image that its program may access; NULL: there is none. */
static const struct pipe_image_view *
attila_image_of(const struct attila_context *ctx, enum attila_stage stage, unsigned i)
{
   const struct attila_program *p = ctx->state.program[stage];
   const struct pipe_image_view *view = &ctx->state.storage[stage].images[i];
   return p && p->compiled.isa.uses_images && view->resource ? view : NULL;
}

/* Returns whether a program may write the image. */
static bool
attila_image_writes(const struct attila_context *ctx, enum attila_stage stage,
                    const struct pipe_image_view *view)
{
   return ctx->state.program[stage]->compiled.isa.writes_storage &&
          view->access & view->shader_access & PIPE_IMAGE_ACCESS_WRITE;
}

/* Returns the range of a buffer image. */
static struct attila_const_buffer
attila_image_range(const struct pipe_image_view *view)
{
   const unsigned width = view->resource->width0, offset = MIN2(view->u.buf.offset, width),
                  bytes = MAX2(attila_formats[attila_map_format(view->format)->format].bytes, 1);
   unsigned size = MIN2(view->u.buf.size, width - offset) / bytes;
   size = MIN2(size, ATTILA_MAX_BUFFER_TEXELS) * bytes;
   return (struct attila_const_buffer){.buffer = view->resource, .offset = offset, .size = size};
}

static void
attila_image_describe_texture(const struct pipe_image_view *view, struct attila_image *image)
{
   const struct attila_resource *res = attila_resource(view->resource);
   const unsigned level = view->u.tex.level, first = view->u.tex.first_layer;
   const unsigned slices = attila_level_slices(res, level);
   image->address = attila_slice_address(res, level, first);
   image->pitch_tiles = res->layout.pitch_tiles[level];
   image->slice_stride = res->layout.slice_stride[level];
   image->width = u_minify(res->base.width0, level);
   image->height = u_minify(res->base.height0, level);
   image->depth = MIN2(view->u.tex.last_layer + 1u, slices) - first;
}

/* Makes the words of an image. What has no format for images, or is no texture of texels of its
 * size, is not bound. */
static struct attila_image
attila_image_describe(const struct pipe_image_view *view)
{
   const struct attila_resource *res = attila_resource(view->resource);
   struct attila_image image = {0};
   if (!attila_is_image_format(view->format))
      return image;
   const enum attila_format format = attila_map_format(view->format)->format;
   if (attila_is_buffer(res)) {
      const struct attila_const_buffer range = attila_image_range(view);
      image.address = res->bo.address + range.offset;
      image.width = range.size / attila_formats[format].bytes;
      image.height = image.depth = 1;
   } else if (res->element_bytes == attila_formats[format].bytes && attila_samples(res) == 1 &&
              res->block_width == 1) {
      attila_image_describe_texture(view, &image);
   }
   image.format = image.width ? format : ATTILA_FORMAT_NONE;
   return image.format ? image : (struct attila_image){0};
}

void
attila_image_prepare(struct attila_context *ctx)
{
   uint32_t bits = 0;
   for (enum attila_stage stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++) {
         const struct pipe_image_view *view = attila_image_of(ctx, stage, i);
         if (!view)
            continue;
         struct attila_resource *res = attila_resource(view->resource);
         if (attila_is_buffer(res)) {
            const struct attila_const_buffer range = attila_image_range(view);
            attila_storage_prepare(ctx, &range, attila_image_writes(ctx, stage, view));
            continue;
         }
         attila_dmabuf_import(&ctx->cs, res);
         attila_zero_slices(&ctx->cs, res, view->u.tex.level, view->u.tex.first_layer,
                            view->u.tex.last_layer - view->u.tex.first_layer + 1);
         bits |= attila_resource_flush_bits(&ctx->cs, res);
      }
   }
   if (bits)
      attila_cs_flush_caches(&ctx->cs, bits | ATTILA_FLUSH_TEXTURE);
}

void
attila_emit_images(struct attila_context *ctx, enum attila_stage stage)
{
   struct attila_image *now = ctx->cs.hw.images[stage];
   unsigned first = ATTILA_MAX_IMAGES, last = 0;
   for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++) {
      const struct pipe_image_view *view = attila_image_of(ctx, stage, i);
      const struct attila_image image =
          view ? attila_image_describe(view) : (struct attila_image){0};
      if (!memcmp(&now[i], &image, sizeof(image)))
         continue;
      now[i] = image;
      first = MIN2(first, i);
      last = i + 1;
   }
   if (first >= last)
      return;
   uint32_t *p =
       attila_cs_emit(&ctx->cs, ATTILA_CMD_IMAGES, 2 + (last - first) * ATTILA_IMAGE_WORDS);
   p[0] = stage;
   p[1] = first;
   memcpy(p + 2, &now[first], (last - first) * sizeof(now[0]));
}

void
attila_image_drawn(struct attila_context *ctx)
{
   for (enum attila_stage stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++) {
         const struct pipe_image_view *view = attila_image_of(ctx, stage, i);
         if (!view)
            continue;
         struct attila_resource *res = attila_resource(view->resource);
         attila_resource_use(&ctx->cs, res);
         if (res->dmabuf && attila_image_writes(ctx, stage, view))
            attila_dmabuf_written(&ctx->cs, res);
      }
   }
}

void
attila_image_unbind(struct attila_context *ctx)
{
   for (enum attila_stage stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++)
         util_copy_image_view(&ctx->state.storage[stage].images[i], NULL);
   }
}

void
attila_init_context_images(struct attila_context *ctx)
{
   ctx->base.set_shader_images = attila_image_set;
}
