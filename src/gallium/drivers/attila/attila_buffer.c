/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Buffers: mapping, uploads, copies, and when an upload need not wait for earlier draws. Draws see
 * a buffer up to the end of its written range (valid). Nothing beyond is read, so writes there need
 * not wait, and old contents of reused memory never show; such a write also fills the gap. The
 * range that commands write (gpu_lo, gpu_hi) is out of date in system memory. CPU writes to this
 * range go to GPU memory in stream order, so the copy on the GPU has both; the whole range is read
 * back when the CPU needs a byte of it. Not here: creation (attila_resource_create.c). */
#include "attila_buffer.h"

#include "attila_bo.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_init.h"
#include "attila_perf.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_transfer.h"

/* Two writes that are at most this far apart become one upload. */
#define MERGE_BYTES 256
/* Uploads in pieces are cut at multiples of this, so that no memory transaction is split. */
#define PIECE_BYTES 256

/* Discards the contents. A buffer that the GPU may still read gets fresh memory; if there is no
 * free memory, the next upload waits for the GPU instead. */
static void
attila_buffer_discard(struct attila_cs *cs, struct attila_resource *res)
{
   struct attila_bo bo;
   if (attila_resource_is_busy(cs, res)) {
      if ((cs->screen->debug & ATTILA_DEBUG_NORENAME) ||
          !attila_bo_alloc(&cs->screen->memory, res->base.width0, 64, &bo))
         return;
      attila_bo_free(&cs->screen->memory, &res->bo);
      res->bo = bo;
      res->used = 0;
   }
   res->bo.zero = false; /* system memory keeps the old contents */
   res->dirty_lo = res->dirty_hi = 0;
   res->gpu_lo = res->gpu_hi = 0;
   util_range_set_empty(&res->valid);
}

static bool
attila_buffer_is_gpus(const struct attila_resource *res, uint32_t lo, uint32_t hi)
{
   return lo < res->gpu_hi && res->gpu_lo < hi;
}

void
attila_buffer_gpu_writes(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                         uint32_t hi)
{
   if (lo >= hi)
      return;
   if (lo > res->valid.end)
      attila_buffer_written(cs, res, res->valid.end, lo, false);
   /* After this upload both memories agree between this range and the one that commands wrote
    * before. */
   attila_buffer_upload(cs, res);
   if (res->gpu_lo < res->gpu_hi) {
      lo = MIN2(lo, res->gpu_lo);
      hi = MAX2(hi, res->gpu_hi);
   }
   res->gpu_lo = lo;
   res->gpu_hi = hi;
   util_range_add(&res->base, &res->valid, 0, hi);
   attila_resource_use(cs, res);
}

bool
attila_buffer_read_back(struct attila_cs *cs, struct attila_resource *res, uint32_t lo, uint32_t hi)
{
   if (!attila_buffer_is_gpus(res, lo, hi))
      return true;
   attila_buffer_upload(cs, res);
   attila_perf(cs, "%u bytes of a buffer are read back, which waits for the GPU",
               res->gpu_hi - res->gpu_lo);
   attila_cs_submit(cs, NULL);
   const bool read = attila_cs_read(cs->screen, res->bo.address + res->gpu_lo,
                                    res->data + res->gpu_lo, res->gpu_hi - res->gpu_lo);
   res->gpu_lo = res->gpu_hi = 0;
   return read;
}

void
attila_buffer_written(struct attila_cs *cs, struct attila_resource *res, uint32_t lo, uint32_t hi,
                      bool unsync)
{
   if (lo >= hi)
      return;
   const uint32_t end = res->valid.end;
   const bool no_wait = unsync || lo >= end;
   if (lo > end && !res->bo.zero)
      lo = end;
   if (res->dirty_lo < res->dirty_hi &&
       (lo > res->dirty_hi + MERGE_BYTES || hi + MERGE_BYTES < res->dirty_lo))
      attila_buffer_upload(cs, res);
   if (res->dirty_lo < res->dirty_hi) {
      res->dirty_lo = MIN2(res->dirty_lo, lo);
      res->dirty_hi = MAX2(res->dirty_hi, hi);
      res->dirty_no_wait &= no_wait;
   } else {
      res->dirty_lo = lo;
      res->dirty_hi = hi;
      res->dirty_no_wait = no_wait;
   }
   util_range_add(&res->base, &res->valid, 0, hi);
   /* With several contexts the write must be in the stream of this context. */
   if (p_atomic_read(&res->base.screen->num_contexts) > 1)
      attila_buffer_upload(cs, res);
}

void
attila_buffer_upload_to(struct attila_cs *cs, struct attila_resource *res, uint64_t end)
{
   const uint32_t hi = (uint32_t)MIN2(align64(end, PIECE_BYTES), res->dirty_hi);
   if (res->dirty_lo >= hi)
      return;
   /* The rest of the dirty range need not wait either. */
   res->dirty_no_wait |= !attila_resource_is_busy(cs, res);
   if (!res->dirty_no_wait)
      attila_perf(cs, "%u bytes of a buffer are written once draws that use it are done",
                  hi - res->dirty_lo);
   attila_cs_write_buffer(cs, res->bo.address + res->dirty_lo, res->data + res->dirty_lo,
                          hi - res->dirty_lo, res->dirty_no_wait);
   res->dirty_lo = hi;
   if (hi == res->dirty_hi)
      res->dirty_lo = res->dirty_hi = 0;
}

void
attila_buffer_upload(struct attila_cs *cs, struct attila_resource *res)
{
   attila_buffer_upload_to(cs, res, res->dirty_hi);
}

void
attila_buffer_copy(struct attila_cs *cs, struct attila_resource *dst, uint32_t dst_offset,
                   struct attila_resource *src, uint32_t src_offset, uint32_t size)
{
   if (!size)
      return;
   /* The source range must be written, so that the copy is defined. */
   if (src_offset + size > src->valid.end)
      attila_buffer_written(cs, src, MAX2(src_offset, src->valid.end), src_offset + size, false);
   if (dst_offset > dst->valid.end)
      attila_buffer_written(cs, dst, dst->valid.end, dst_offset, false);
   attila_buffer_upload(cs, src);
   attila_buffer_upload(cs, dst);
   const bool gpus = attila_buffer_is_gpus(src, src_offset, src_offset + size);
   if (gpus)
      attila_buffer_gpu_writes(cs, dst, dst_offset, dst_offset + size);
   attila_cs_copy_bytes(cs, dst->bo.address + dst_offset, src->bo.address + src_offset, size);
   if (!gpus)
      memcpy(dst->data + dst_offset, src->data + src_offset, size);
   util_range_add(&dst->base, &dst->valid, 0, dst_offset + size);
}

static void *
attila_buffer_map(struct pipe_context *pctx, struct pipe_resource *resource, unsigned level,
                  unsigned usage, const struct pipe_box *box, struct pipe_transfer **out)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_resource *res = attila_resource(resource);
   const uint32_t end = box->x + box->width;
   if ((usage & PIPE_MAP_DISCARD_RANGE) && box->x == 0 && end >= res->valid.end)
      usage |= PIPE_MAP_DISCARD_WHOLE_RESOURCE;
   if ((usage & PIPE_MAP_DISCARD_WHOLE_RESOURCE) &&
       !(usage & (PIPE_MAP_UNSYNCHRONIZED | PIPE_MAP_DIRECTLY)))
      attila_buffer_discard(&ctx->cs, res);
   /* System memory is always accessible unless commands wrote the range. */
   const bool discards = usage & (PIPE_MAP_DISCARD_RANGE | PIPE_MAP_DISCARD_WHOLE_RESOURCE);
   if (!discards && attila_buffer_is_gpus(res, box->x, end)) {
      if ((usage & PIPE_MAP_DONTBLOCK) && ctx->cs.num) {
         attila_cs_submit(&ctx->cs, NULL);
         return NULL;
      }
      attila_buffer_read_back(&ctx->cs, res, box->x, end);
   }
   struct pipe_transfer *transfer = slab_zalloc(&ctx->transfer_pool);
   if (!transfer)
      return NULL;
   pipe_resource_reference(&transfer->resource, resource);
   transfer->usage = usage;
   transfer->box = *box;
   *out = transfer;
   return res->data + box->x;
}

/* Also called for textures, which are written as a whole at unmap. */
static void
attila_buffer_transfer_flush_region(struct pipe_context *pctx, struct pipe_transfer *transfer,
                                    const struct pipe_box *box)
{
   if (transfer->resource->target != PIPE_BUFFER)
      return;
   const uint32_t lo = transfer->box.x + box->x;
   attila_buffer_written(&attila_context(pctx)->cs, attila_resource(transfer->resource), lo,
                         lo + box->width, transfer->usage & PIPE_MAP_UNSYNCHRONIZED);
}

static void
attila_buffer_unmap(struct pipe_context *pctx, struct pipe_transfer *transfer)
{
   struct attila_context *ctx = attila_context(pctx);
   if ((transfer->usage & PIPE_MAP_WRITE) && !(transfer->usage & PIPE_MAP_FLUSH_EXPLICIT))
      attila_buffer_written(&ctx->cs, attila_resource(transfer->resource), transfer->box.x,
                            transfer->box.x + transfer->box.width,
                            transfer->usage & PIPE_MAP_UNSYNCHRONIZED);
   pipe_resource_reference(&transfer->resource, NULL);
   slab_free(&ctx->transfer_pool, transfer);
}

static void
attila_buffer_invalidate_resource(struct pipe_context *pctx, struct pipe_resource *resource)
{
   if (resource->target == PIPE_BUFFER)
      attila_buffer_discard(&attila_context(pctx)->cs, attila_resource(resource));
   else
      attila_resource_discard(&attila_context(pctx)->cs, attila_resource(resource));
}

void
attila_init_context_buffers(struct attila_context *ctx)
{
   ctx->base.buffer_map = attila_buffer_map;
   ctx->base.buffer_unmap = attila_buffer_unmap;
   ctx->base.transfer_flush_region = attila_buffer_transfer_flush_region;
   ctx->base.buffer_subdata = u_default_buffer_subdata;
   ctx->base.clear_buffer = u_default_clear_buffer;
   ctx->base.invalidate_resource = attila_buffer_invalidate_resource;
}
