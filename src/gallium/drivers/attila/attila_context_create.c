/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation and destruction of contexts, barriers and the reset status. */
#include "attila_init.h"

#include "attila_blit_drawn.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug_marker.h"
#include "attila_dmabuf_sync.h"
#include "attila_screen.h"
#include "attila_storage.h"
#include "attila_stream.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_debug_cb.h"
#include "util/u_framebuffer.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

static void
attila_context_texture_barrier(struct pipe_context *pctx, unsigned flags)
{
   attila_cs_flush_caches(&attila_context(pctx)->cs,
                          ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE);
}

/* Commands execute in order; a copy finishes before the next one begins, and so does a draw that
 * writes buffers. */
static void
attila_context_memory_barrier(struct pipe_context *pctx, unsigned flags)
{
}

static enum pipe_reset_status
attila_context_get_device_reset_status(struct pipe_context *pctx)
{
   return attila_screen_lost(attila_context(pctx)->cs.screen) ? PIPE_UNKNOWN_CONTEXT_RESET
                                                              : PIPE_NO_RESET;
}

static void
attila_context_unbind_all(struct attila_context *ctx)
{
   util_unreference_framebuffer_state(&ctx->state.framebuffer);
   for (unsigned i = 0; i < ARRAY_SIZE(ctx->state.vertex_buffers); i++)
      pipe_vertex_buffer_unreference(&ctx->state.vertex_buffers[i]);
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      pipe_resource_reference(&ctx->state.constants[s].buffer.buffer, NULL);
      for (unsigned i = 0; i < ATTILA_MAX_CONST_BUFFERS; i++)
         pipe_resource_reference(&ctx->state.const_buffers[s][i].buffer, NULL);
      for (unsigned i = 0; i < ARRAY_SIZE(ctx->state.textures[s].views); i++)
         pipe_sampler_view_reference(&ctx->state.textures[s].views[i], NULL);
   }
   attila_storage_unbind(ctx);
   attila_image_unbind(ctx);
   attila_stream_unbind(ctx);
   pipe_resource_reference(&ctx->swap_target, NULL);
}

static void
attila_context_destroy(struct pipe_context *pctx)
{
   struct attila_context *ctx = attila_context(pctx);
   if (ctx->cs.words) {
      attila_dmabuf_flush(&ctx->cs, NULL);
      attila_cs_submit(&ctx->cs, NULL);
   }
   attila_dmabuf_forget(&ctx->cs);
   attila_blit_drawn_finish(ctx);
   if (ctx->blitter)
      util_blitter_destroy(ctx->blitter);
   attila_context_unbind_all(ctx);
   if (pctx->stream_uploader)
      u_upload_destroy(pctx->stream_uploader);

   p_atomic_dec(&pctx->screen->num_contexts);
   slab_destroy_child(&ctx->transfer_pool);
   attila_cs_finish(&ctx->cs);
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

   const bool ok = attila_cs_init(&ctx->cs, screen, &ctx->base.debug);
   ctx->state.dirty = ATTILA_DIRTY_ALL;
   p_atomic_inc(&pscreen->num_contexts);
   slab_create_child(&ctx->transfer_pool, &screen->transfer_pool);

   struct pipe_context *base = &ctx->base;
   base->screen = pscreen;
   base->priv = priv;
   base->destroy = attila_context_destroy;
   base->texture_barrier = attila_context_texture_barrier;
   base->memory_barrier = attila_context_memory_barrier;
   base->get_device_reset_status = attila_context_get_device_reset_status;
   base->set_debug_callback = u_default_set_debug_callback;
   attila_init_context_state(ctx);
   attila_init_context_shaders(ctx);
   attila_init_context_draw(ctx);
   attila_init_context_grids(ctx);
   attila_init_context_clear(ctx);
   attila_init_context_blit(ctx);
   attila_init_context_present(ctx);
   attila_init_context_queries(ctx);
   attila_init_context_labels(ctx);
   attila_init_context_resources(ctx);
   attila_init_context_buffers(ctx);
   attila_init_context_storage(ctx);
   attila_init_context_images(ctx);
   attila_init_context_streams(ctx);
   attila_init_context_transfers(ctx);

   ctx->labels = CALLOC_STRUCT(attila_labels);
   base->stream_uploader = ok && ctx->labels ? u_upload_create_default(base) : NULL;
   base->const_uploader = base->stream_uploader;
   ctx->blitter = base->stream_uploader ? util_blitter_create(base) : NULL;
   if (ctx->cs.number >= ATTILA_MAX_CONTEXTS)
      mesa_loge("attila: no more than %u contexts at a time", ATTILA_MAX_CONTEXTS);
   if (!ctx->blitter || ctx->cs.number >= ATTILA_MAX_CONTEXTS) {
      attila_context_destroy(base);
      return NULL;
   }
   attila_blit_drawn_init(ctx);
   return base;
}
