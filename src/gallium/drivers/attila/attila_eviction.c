/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * When GPU memory is short: removes bindings of textures that OpenGL has deleted, and waits for
 * deferred frees. A binding lives until another one replaces it, maybe forever, and keeps memory
 * that no draw can use. (Vertex buffers stay: Mesa's vertex buffer manager holds them until the
 * next draw, too.) Only contexts of the calling thread are touched: a context belongs to the last
 * thread that used it (attila_cs_own). */
#include "attila_eviction.h"

#include "attila_bo.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/u_inlines.h"

/* Returns whether only the binding holds the texture, since OpenGL has deleted its object. */
static bool
attila_eviction_is_deleted(const struct pipe_sampler_view *view)
{
   return view && p_atomic_read(&view->reference.count) == 1 &&
          p_atomic_read(&view->texture->reference.count) == 1;
}

#define MAX_VIEWS (ATTILA_NUM_STAGES * ATTILA_STAGE_TEX_UNITS)

/* Unbinds views of deleted textures and returns how many. The caller releases them without the
 * lock. */
static unsigned
attila_eviction_unbind_deleted(struct attila_context *ctx,
                               struct pipe_sampler_view *deleted[MAX_VIEWS])
{
   unsigned num = 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      struct attila_textures *t = &ctx->state.textures[s];
      for (unsigned i = 0; i < t->num_views; i++) {
         if (!attila_eviction_is_deleted(t->views[i]))
            continue;
         deleted[num++] = t->views[i];
         t->views[i] = NULL;
         ctx->state.dirty |= ATTILA_DIRTY_TEX_0 << s;
      }
   }
   return num;
}

void
attila_eviction_unbind(struct attila_context *ctx)
{
   struct pipe_sampler_view *deleted[MAX_VIEWS];
   const unsigned num = attila_eviction_unbind_deleted(ctx, deleted);
   for (unsigned i = 0; i < num; i++)
      pipe_sampler_view_reference(&deleted[i], NULL);
}

static void
attila_eviction_unbind_all(struct attila_screen *screen)
{
   struct pipe_sampler_view *deleted[MAX_VIEWS];
   unsigned num;
   do {
      num = 0;
      simple_mtx_lock(&screen->lock);
      list_for_each_entry (struct attila_cs, cs, &screen->streams, link) {
         if (!num && thrd_equal(cs->thread, thrd_current()))
            num = attila_eviction_unbind_deleted(container_of(cs, struct attila_context, cs),
                                                 deleted);
      }
      simple_mtx_unlock(&screen->lock);
      for (unsigned i = 0; i < num; i++)
         pipe_sampler_view_reference(&deleted[i], NULL);
   } while (num);
}

uint64_t
attila_eviction_size(struct attila_screen *screen)
{
   uint64_t size = 0;
   list_for_each_entry (struct attila_cs, cs, &screen->streams, link) {
      const struct attila_context *ctx = container_of(cs, struct attila_context, cs);
      if (!thrd_equal(cs->thread, thrd_current()))
         continue;
      for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
         for (unsigned i = 0; i < ctx->state.textures[s].num_views; i++) {
            const struct pipe_sampler_view *view = ctx->state.textures[s].views[i];
            if (attila_eviction_is_deleted(view))
               size += attila_resource(view->texture)->bo.size;
         }
      }
   }
   return size;
}

/* Waits until the GPU is idle and its ROP caches are empty. */
bool
attila_eviction_reclaim(struct attila_memory *memory)
{
   struct attila_screen *screen = container_of(memory, struct attila_screen, memory);
   static const uint32_t flush[] = {ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
                                    ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE};
   uint32_t word;
   if (screen->debug & ATTILA_DEBUG_PERF)
      mesa_logi("attila: slow: out of GPU memory, waiting for deferred frees");
   attila_eviction_unbind_all(screen);
   attila_cs_submit_all(screen);
   simple_mtx_lock(&screen->lock);
   if (screen->memory.keep_freed)
      mesa_logw("attila: ATTILA_DEBUG=zero: out of GPU memory, freed memory is reused from now on");
   screen->memory.keep_freed = false;
   const uint64_t mark = attila_cs_mark(screen, NULL);
   simple_mtx_unlock(&screen->lock);
   if (!attila_sim_submit(screen->sim, flush, ARRAY_SIZE(flush)) ||
       !attila_cs_read(screen, ATTILA_FIRST_ADDRESS, &word, sizeof(word)))
      return false;
   simple_mtx_lock(&screen->lock);
   attila_memory_done(&screen->memory, &(struct attila_done){mark, mark, mark});
   simple_mtx_unlock(&screen->lock);
   return true;
}
