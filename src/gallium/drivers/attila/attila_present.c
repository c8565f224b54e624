/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Flushes, ends of frames, and a frame's way to the window. A frame ends with: the swap of a window
 * (flush_frontbuffer); the swap of a pbuffer or of a surface shared with the window system (a flush
 * with PIPE_FLUSH_END_OF_FRAME); glFinish, with ATTILA_FRAME_ON_FINISH; every flush (glFlush,
 * glFinish, leaving a context) until the program first swaps, with ATTILA_FRAME_ON_FLUSH. A flush
 * or finish without new work ends no frame. */
#include "attila_init.h"

#include <string.h>
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_dmabuf_sync.h"
#include "attila_eviction.h"
#include "attila_fence.h"
#include "attila_format_map.h"
#include "attila_lazy_zero.h"
#include "attila_rect.h"
#include "attila_resolve.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "frontend/sw_winsys.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

/* Ends the frame: the DAC scans the surface out. */
static void
attila_present_emit_swap(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                         unsigned layer)
{
   struct pipe_resource *samples = level || layer ? NULL : attila_resolve_take(ctx, res);
   const struct attila_resource *shown = samples ? attila_resource(samples) : res;
   attila_zero_slices(&ctx->cs, res, level, layer, 1);
   struct attila_cmd_swap swap = {
       .address = attila_slice_address(shown, level, layer),
       .format = attila_map_format(res->base.format)->format,
       .pitch_tiles = shown->layout.pitch_tiles[level],
       .width = u_minify(res->base.width0, level),
       .height = u_minify(res->base.height0, level),
   };
   if (samples) {
      swap.flags = ATTILA_SWAP_RESOLVE;
      swap.samples = attila_samples(shown);
      swap.picture_address = attila_slice_address(res, level, layer);
      swap.picture_pitch_tiles = res->layout.pitch_tiles[level];
   }
   const unsigned words = samples ? sizeof(swap) / 4 : ATTILA_SWAP_WORDS;
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_SWAP, words), &swap, words * 4);
   ctx->cs.frame_has_work = false;
   pipe_resource_reference(&samples, NULL);
}

/* Ends a frame. The frame of a pbuffer is scanned out like that of a window; if the program draws
 * only into framebuffer objects, nothing is shown. */
static void
attila_present_end_frame(struct attila_context *ctx)
{
   if (ctx->swap_target) {
      attila_present_emit_swap(ctx, attila_resource(ctx->swap_target), 0, 0);
      attila_dmabuf_present(&ctx->cs, attila_resource(ctx->swap_target));
   } else {
      attila_cs_emit(&ctx->cs, ATTILA_CMD_END_FRAME, 0);
   }
   ctx->cs.frame_has_work = false;
   ctx->cs.screen->swapped = true;
}

static bool
attila_present_ends_frame(const struct attila_context *ctx, unsigned flags)
{
   const struct attila_screen *screen = ctx->cs.screen;
   if (!ctx->cs.frame_has_work)
      return false;
   return ((flags & PIPE_FLUSH_HINT_FINISH) && screen->frame_on_finish) ||
          (!(flags & PIPE_FLUSH_DEFERRED) && screen->frame_on_flush && !screen->swapped);
}

static void
attila_present_flush(struct pipe_context *pctx, struct pipe_fence_handle **fence, unsigned flags)
{
   struct attila_context *ctx = attila_context(pctx);
   /* GBM has a context of its own, which copies the CPU's writes to a buffer. Its flushes have the
    * flag for the end of a frame, but there is no frame. */
   const bool swap =
       (flags & PIPE_FLUSH_END_OF_FRAME) && (ctx->swap_target || ctx->cs.frame_has_work);
   const bool ends = !swap && attila_present_ends_frame(ctx, flags);
   attila_dmabuf_flush(&ctx->cs,
                       swap && ctx->swap_target ? attila_resource(ctx->swap_target) : NULL);
   if (swap)
      attila_present_end_frame(ctx);
   if (ends) {
      attila_cs_emit(&ctx->cs, ATTILA_CMD_END_FRAME, 0);
      ctx->cs.frame_has_work = false;
   }

   attila_eviction_unbind(ctx);
   uint64_t value;
   attila_cs_submit(&ctx->cs, fence ? &value : NULL);
   if (fence) {
      pctx->screen->fence_reference(pctx->screen, fence, NULL);
      *fence = attila_fence_create(value);
   }
   if (swap || ends)
      attila_screen_frame_ended(ctx->cs.screen);
   /* A surface without a window is presented by this flush only. */
   if (ctx->swap_target && !attila_resource(ctx->swap_target)->dt)
      pipe_resource_reference(&ctx->swap_target, NULL);
}

static void
attila_present_flush_frontbuffer(struct pipe_screen *pscreen, struct pipe_context *pctx,
                                 struct pipe_resource *resource, unsigned level, unsigned layer,
                                 void *drawable, unsigned num_boxes, struct pipe_box *boxes)
{
   struct attila_screen *screen = attila_screen(pscreen);
   struct sw_winsys *winsys = attila_winsys(resource->screen);
   struct attila_resource *res = attila_resource(resource);
   if (!res->dt || !pctx)
      return;
   struct attila_context *ctx = attila_context(pctx);

   attila_present_emit_swap(ctx, res, level, layer);
   uint8_t *map = winsys->displaytarget_map(winsys, res->dt, PIPE_MAP_WRITE);
   if (map) {
      struct attila_rect all = {0, 0, u_minify(resource->width0, level),
                                u_minify(resource->height0, level)};
      attila_download_rect(&ctx->cs, res, level, layer, &all, map, res->dt_stride, true);
      winsys->displaytarget_unmap(winsys, res->dt);
   } else {
      attila_cs_submit(&ctx->cs, NULL);
   }
   /* A front buffer was shown when it was unmapped. */
   if (!res->is_front)
      winsys->displaytarget_display(winsys, res->dt, drawable, num_boxes, boxes);
   res->front_rendered = false;
   screen->swapped = true;
   attila_screen_frame_ended(screen);
}

void
attila_init_screen_present(struct pipe_screen *screen)
{
   screen->flush_frontbuffer = attila_present_flush_frontbuffer;
}

void
attila_init_context_present(struct attila_context *ctx)
{
   ctx->base.flush = attila_present_flush;
}
