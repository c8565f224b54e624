/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Mapping of textures: a linear staging image is read from GPU memory if contents matter, and
 * written back at unmap. Not here: buffers (attila_buffer.c), copies (attila_rect.c). */
#include "attila_transfer.h"

#include "attila_blit_drawn.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_front.h"
#include "attila_init.h"
#include "attila_perf.h"
#include "attila_rect.h"
#include "attila_resolve.h"
#include "attila_resource.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_surface.h"
#include "util/u_transfer.h"

static struct attila_rect
attila_transfer_box_rect(const struct attila_resource *res, const struct pipe_box *box)
{
   return (struct attila_rect){.x = box->x / res->block_width,
                               .y = box->y / res->block_height,
                               .width = DIV_ROUND_UP(box->width, res->block_width),
                               .height = DIV_ROUND_UP(box->height, res->block_height)};
}

/* Uploads all slices of a box. stride: of rows in system memory. */
static void
attila_transfer_upload_box(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                           const struct pipe_box *box, const uint8_t *src, unsigned stride,
                           uintptr_t layer_stride)
{
   const struct attila_rect rect = attila_transfer_box_rect(res, box);
   attila_front_write(&ctx->cs, res, attila_box_is_whole(res, level, box));
   attila_texture_discard(&ctx->cs, res, level, box);
   for (int z = 0; z < box->depth; z++)
      attila_upload_rect(&ctx->cs, res, level, box->z + z, &rect, src + z * layer_stride, stride);
}

static void *attila_transfer_texture_map(struct pipe_context *pctx, struct pipe_resource *resource,
                                         unsigned level, unsigned usage, const struct pipe_box *box,
                                         struct pipe_transfer **out);

/* Maps a multisampled surface as a resolved copy. Writes to the copy go to all samples. */
static void *
attila_transfer_map_samples(struct attila_context *ctx, struct attila_resource *res, unsigned usage,
                            const struct pipe_box *box, struct pipe_transfer **out)
{
   const bool read = (usage & PIPE_MAP_READ) ||
                     !(usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE));
   struct attila_transfer *transfer = slab_zalloc(&ctx->transfer_pool);
   if (!transfer)
      return NULL;
   struct pipe_resource *copy =
       attila_resolve_copy(ctx, res, read && box->width && box->height ? box : NULL);
   struct pipe_box copied = *box;
   copied.z = 0;
   void *map =
       copy ? attila_transfer_texture_map(&ctx->base, copy, 0, usage, &copied, &transfer->resolved)
            : NULL;
   pipe_resource_reference(&copy, NULL);
   if (!map) {
      slab_free(&ctx->transfer_pool, transfer);
      return NULL;
   }
   transfer->base = *transfer->resolved;
   transfer->base.box = *box;
   transfer->base.resource = NULL;
   pipe_resource_reference(&transfer->base.resource, &res->base);
   *out = &transfer->base;
   return map;
}

/* Returns whether reading would wait for recorded commands. Then it also submits them and waits, so
 * that the next attempt does not have to: the GPU works only in waits. */
static bool
attila_transfer_would_block(struct attila_context *ctx, const struct attila_resource *res)
{
   if (!ctx->cs.num ||
       (!attila_resource_is_busy(&ctx->cs, res) && !attila_resource_flush_bits(&ctx->cs, res)))
      return false;
   attila_cs_submit(&ctx->cs, NULL);
   return true;
}

static void *
attila_transfer_texture_map(struct pipe_context *pctx, struct pipe_resource *resource,
                            unsigned level, unsigned usage, const struct pipe_box *box,
                            struct pipe_transfer **out)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *res = attila_resource(resource);
   if (usage & PIPE_MAP_DIRECTLY)
      return NULL;
   if (attila_samples(res) > 1)
      return attila_transfer_map_samples(ctx, res, usage, box, out);

   const bool wanted = (usage & PIPE_MAP_READ) ||
                       !(usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE));
   if (wanted && (usage & PIPE_MAP_DONTBLOCK) && attila_transfer_would_block(ctx, res))
      return NULL;
   if (wanted)
      attila_front_import(&ctx->cs, res);
   const bool read = wanted && attila_num_defined_in(res, level, box->z, box->depth);

   struct attila_transfer *transfer = slab_zalloc(&ctx->transfer_pool);
   if (!transfer)
      return NULL;
   const struct attila_rect rect = attila_transfer_box_rect(res, box);
   transfer->base.level = level;
   transfer->base.usage = usage;
   transfer->base.box = *box;
   transfer->base.stride = ALIGN_POT(rect.width * res->element_bytes, 16);
   transfer->base.layer_stride = (uintptr_t)transfer->base.stride * rect.height;

   const size_t size = transfer->base.layer_stride * box->depth;
   transfer->staging = read ? align_malloc(MAX2(size, 1), 64) : align_calloc(MAX2(size, 1), 64);
   if (!transfer->staging) {
      slab_free(&ctx->transfer_pool, transfer);
      return NULL;
   }
   if (read)
      attila_perf(&ctx->cs, "%u x %u x %u pixels are read back, which waits for the GPU",
                  box->width, box->height, box->depth);
   for (int z = 0; read && z < box->depth; z++)
      attila_download_rect(&ctx->cs, res, level, box->z + z, &rect,
                           transfer->staging + z * transfer->base.layer_stride,
                           transfer->base.stride, false);
   pipe_resource_reference(&transfer->base.resource, resource);
   *out = &transfer->base;
   return transfer->staging;
}

static void attila_transfer_texture_unmap(struct pipe_context *pctx,
                                          struct pipe_transfer *ptransfer);

static void
attila_transfer_unmap_samples(struct attila_context *ctx, struct attila_transfer *transfer)
{
   const struct pipe_transfer *base = &transfer->base;
   struct pipe_blit_info blit = {
       .dst = {.resource = base->resource, .box = base->box, .format = base->resource->format},
       .src = {.box = base->box, .format = base->resource->format},
       .mask = util_format_get_mask(base->resource->format),
   };
   blit.src.box.z = 0;
   pipe_resource_reference(&blit.src.resource, transfer->resolved->resource);
   attila_transfer_texture_unmap(&ctx->base, transfer->resolved);
   if ((base->usage & PIPE_MAP_WRITE) && base->box.width && base->box.height)
      attila_blit_drawn(ctx, &blit);
   pipe_resource_reference(&blit.src.resource, NULL);
   pipe_resource_reference(&transfer->base.resource, NULL);
   slab_free(&ctx->transfer_pool, transfer);
}

static void
attila_transfer_texture_unmap(struct pipe_context *pctx, struct pipe_transfer *ptransfer)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_transfer *transfer = (struct attila_transfer *)ptransfer;
   struct attila_resource *res = attila_resource(ptransfer->resource);
   if (transfer->resolved) {
      attila_transfer_unmap_samples(ctx, transfer);
      return;
   }
   if (ptransfer->usage & PIPE_MAP_WRITE)
      attila_transfer_upload_box(ctx, res, ptransfer->level, &ptransfer->box, transfer->staging,
                                 ptransfer->stride, ptransfer->layer_stride);
   align_free(transfer->staging);
   pipe_resource_reference(&ptransfer->resource, NULL);
   slab_free(&ctx->transfer_pool, transfer);
}

/* Writes straight into tiles, without a staging image. */
static void
attila_transfer_texture_subdata(struct pipe_context *pctx, struct pipe_resource *resource,
                                unsigned level, unsigned usage, const struct pipe_box *box,
                                const void *data, unsigned stride, uintptr_t layer_stride)
{
   struct attila_resource *res = attila_resource(resource);
   if (attila_samples(res) > 1)
      u_default_texture_subdata(pctx, resource, level, usage, box, data, stride, layer_stride);
   else
      attila_transfer_upload_box(attila_context(pctx), res, level, box, data, stride, layer_stride);
}

void
attila_init_context_transfers(struct attila_context *ctx)
{
   ctx->base.texture_map = attila_transfer_texture_map;
   ctx->base.texture_unmap = attila_transfer_texture_unmap;
   ctx->base.texture_subdata = attila_transfer_texture_subdata;
}
