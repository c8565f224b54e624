/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation and destruction of contexts, flushes and ends of frames, reset status.
 *
 * What ends a frame: a window swap (flush_frontbuffer), a swap of a pbuffer or of a surface that is
 * shared with the window system (a flush with PIPE_FLUSH_END_OF_FRAME), glFinish when
 * ATTILA_FRAME_ON_FINISH is set, and with ATTILA_FRAME_ON_FLUSH whatever flushes (glFlush,
 * glFinish, leaving a context) as long as nothing has been swapped: who swaps has frames, and
 * flushes in the middle of them. A flush or finish without new work ends nothing.
 */
#include "attila_context.h"

#include "attila_blit.h"
#include "attila_blit_stencil.h"
#include "attila_bo.h"
#include "attila_buffer.h"
#include "attila_clear.h"
#include "attila_cs.h"
#include "attila_debug_marker.h"
#include "attila_dmabuf.h"
#include "attila_draw.h"
#include "attila_eviction.h"
#include "attila_fence.h"
#include "attila_query.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_shader.h"
#include "attila_state.h"
#include "attila_transfer.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_debug_cb.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

/* A pbuffer's frame is scanned out like a window's; a program that draws into its own framebuffer
 * objects alone has nothing to show. */
static void
end_frame(struct attila_context *ctx)
{
   if (ctx->swap_target) {
      attila_emit_swap(ctx, attila_resource(ctx->swap_target), 0, 0);
      attila_shared_present(ctx, attila_resource(ctx->swap_target));
   } else {
      attila_cs_emit(ctx, ATTILA_CMD_END_FRAME, 0);
   }
   ctx->frame_has_work = false;
   ctx->screen->swapped = true;
}

static bool
ends_frame(const struct attila_context *ctx, unsigned flags)
{
   const struct attila_screen *screen = ctx->screen;
   if (!ctx->frame_has_work)
      return false;
   return ((flags & PIPE_FLUSH_HINT_FINISH) && screen->frame_on_finish) ||
          (!(flags & PIPE_FLUSH_DEFERRED) && screen->frame_on_flush && !screen->swapped);
}

static void
flush(struct pipe_context *pctx, struct pipe_fence_handle **fence, unsigned flags)
{
   struct attila_context *ctx = attila_context(pctx);
   /* GBM's own context, which carries what the CPU writes to a buffer, has no frames although its
    * flushes say so. */
   const bool swap = (flags & PIPE_FLUSH_END_OF_FRAME) && (ctx->swap_target || ctx->frame_has_work);
   const bool ends = !swap && ends_frame(ctx, flags);
   attila_shared_flush(ctx, swap && ctx->swap_target ? attila_resource(ctx->swap_target) : NULL);
   if (swap)
      end_frame(ctx);
   if (ends) {
      attila_cs_emit(ctx, ATTILA_CMD_END_FRAME, 0);
      ctx->frame_has_work = false;
   }

   attila_release_deleted(ctx);
   uint64_t value;
   attila_cs_submit(ctx, fence ? &value : NULL);
   if (fence) {
      pctx->screen->fence_reference(pctx->screen, fence, NULL);
      *fence = attila_fence_create(value);
   }
   if (swap || ends)
      attila_screen_frame_ended(ctx->screen);
   /* A flushed surface of no window was only to be shown by this flush. */
   if (ctx->swap_target && !attila_resource(ctx->swap_target)->dt)
      pipe_resource_reference(&ctx->swap_target, NULL);
}

static void
texture_barrier(struct pipe_context *pctx, unsigned flags)
{
   attila_cs_flush_caches(attila_context(pctx),
                          ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE);
}

/* Commands execute in order, and a copy is finished before the next one begins. */
static void
memory_barrier(struct pipe_context *pctx, unsigned flags)
{
}

static enum pipe_reset_status
get_device_reset_status(struct pipe_context *pctx)
{
   return attila_screen_lost(attila_context(pctx)->screen) ? PIPE_UNKNOWN_CONTEXT_RESET
                                                           : PIPE_NO_RESET;
}

static void
unbind_all(struct attila_context *ctx)
{
   util_unreference_framebuffer_state(&ctx->framebuffer);
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->vertex_buffers); i++)
      pipe_vertex_buffer_unreference(&ctx->vertex_buffers[i]);
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      pipe_resource_reference(&ctx->constants[s].buffer.buffer, NULL);
      for (unsigned i = 0; i < ARRAY_SIZE(ctx->textures[s].views); i++)
         pipe_sampler_view_reference(&ctx->textures[s].views[i], NULL);
   }
   pipe_resource_reference(&ctx->swap_target, NULL);
}

static void
destroy(struct pipe_context *pctx)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_screen *screen = ctx->screen;
   if (ctx->cs.words) {
      attila_shared_flush(ctx, NULL);
      attila_cs_submit(ctx, NULL);
   }
   attila_shared_forget(ctx);
   attila_blit_stencil_finish(ctx);
   if (ctx->blitter)
      util_blitter_destroy(ctx->blitter);
   unbind_all(ctx);
   if (pctx->stream_uploader)
      u_upload_destroy(pctx->stream_uploader);

   simple_mtx_lock(&screen->submit_lock);
   if (screen->last_submitter == ctx)
      screen->last_submitter = NULL;
   simple_mtx_unlock(&screen->submit_lock);
   simple_mtx_lock(&screen->lock);
   list_del(&ctx->link);
   util_idalloc_free(&screen->context_numbers, ctx->number);
   simple_mtx_unlock(&screen->lock);
   p_atomic_dec(&screen->base.num_contexts);
   attila_bo_free(screen, &ctx->staging);
   slab_destroy_child(&ctx->transfer_pool);
   attila_cs_finish(ctx);
   FREE(ctx->labels);
   FREE(ctx);
}

struct pipe_context *
attila_context_create(struct pipe_screen *pscreen, void *priv, unsigned flags)
{
   struct attila_screen *screen = attila_screen(pscreen);
   struct attila_context *ctx = CALLOC_STRUCT(attila_context);
   if (!ctx)
      return NULL;

   ctx->screen = screen;
   ctx->rop_seq = 1;
   ctx->dirty = ATTILA_DIRTY_ALL;
   ctx->cs.open_epoch = UINT64_MAX;
   util_dynarray_init(&ctx->shared_written, NULL);
   simple_mtx_lock(&screen->lock);
   ctx->id = ++screen->next_context_id;
   ctx->number = util_idalloc_alloc(&screen->context_numbers);
   ctx->cs.thread = thrd_current();
   list_addtail(&ctx->link, &screen->contexts);
   simple_mtx_unlock(&screen->lock);
   p_atomic_inc(&screen->base.num_contexts);
   slab_create_child(&ctx->transfer_pool, &screen->transfer_pool);

   struct pipe_context *base = &ctx->base;
   base->screen = pscreen;
   base->priv = priv;
   base->destroy = destroy;
   base->flush = flush;
   base->texture_barrier = texture_barrier;
   base->memory_barrier = memory_barrier;
   base->get_device_reset_status = get_device_reset_status;
   base->set_debug_callback = u_default_set_debug_callback;
   attila_init_context_state(ctx);
   attila_init_context_shaders(ctx);
   attila_init_context_draw(ctx);
   attila_init_context_clear(ctx);
   attila_init_context_blit(ctx);
   attila_init_context_queries(ctx);
   attila_init_context_labels(ctx);
   attila_init_context_resources(ctx);
   attila_init_context_buffers(ctx);
   attila_init_context_transfers(ctx);

   ctx->labels = CALLOC_STRUCT(attila_labels);
   base->stream_uploader =
       attila_cs_init(ctx) && ctx->labels ? u_upload_create_default(base) : NULL;
   base->const_uploader = base->stream_uploader;
   ctx->blitter = base->stream_uploader ? util_blitter_create(base) : NULL;
   if (ctx->number >= ATTILA_MAX_CONTEXTS)
      mesa_loge("attila: no more than %u contexts at a time", ATTILA_MAX_CONTEXTS);
   if (!ctx->blitter || ctx->number >= ATTILA_MAX_CONTEXTS) {
      destroy(base);
      return NULL;
   }
   return base;
}
