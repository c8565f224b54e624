/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Bindings of textures that OpenGL has deleted. A binding lives until something else is bound,
 * which may be never, and holds the memory. No draw can use it any more: when memory is wanted it
 * goes, and the memory counts as free. (Vertex buffers stay: Mesa's vertex buffer manager holds
 * them, too, until the next draw.)
 *
 * Another thread's context cannot be touched. A context is a thread's from the first time that one
 * uses it there (attila_context_own) until another one does.
 */
#include "attila_eviction.h"

#include "attila_context.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "util/u_inlines.h"

/* Takes the lock only when the context changes hands. */
void
attila_context_own(struct attila_context *ctx)
{
   if (thrd_equal(ctx->cs.thread, thrd_current()))
      return;
   simple_mtx_lock(&ctx->screen->lock);
   ctx->cs.thread = thrd_current();
   simple_mtx_unlock(&ctx->screen->lock);
}

/* Only the binding holds it: OpenGL's object is gone. */
static bool
is_deleted(const struct pipe_sampler_view *view)
{
   return view && p_atomic_read(&view->reference.count) == 1 &&
          p_atomic_read(&view->texture->reference.count) == 1;
}

#define MAX_VIEWS (ATTILA_NUM_STAGES * ATTILA_VERTEX_TEX_BASE)

/* Returns how many views were unbound; they are to be released without the lock. */
static unsigned
unbind(struct attila_context *ctx, struct pipe_sampler_view *deleted[MAX_VIEWS])
{
   unsigned num = 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      struct attila_textures *t = &ctx->textures[s];
      for (unsigned i = 0; i < t->num_views; i++) {
         if (!is_deleted(t->views[i]))
            continue;
         deleted[num++] = t->views[i];
         t->views[i] = NULL;
         ctx->dirty |= s == ATTILA_STAGE_VERTEX ? ATTILA_DIRTY_TEX_VS : ATTILA_DIRTY_TEX_FS;
      }
   }
   return num;
}

void
attila_release_deleted(struct attila_context *ctx)
{
   struct pipe_sampler_view *deleted[MAX_VIEWS];
   const unsigned num = unbind(ctx, deleted);
   for (unsigned i = 0; i < num; i++)
      pipe_sampler_view_reference(&deleted[i], NULL);
}

void
attila_release_all_deleted(struct attila_screen *screen)
{
   struct pipe_sampler_view *deleted[MAX_VIEWS];
   unsigned num;
   do {
      num = 0;
      simple_mtx_lock(&screen->lock);
      list_for_each_entry (struct attila_context, ctx, &screen->contexts, link) {
         if (!num && thrd_equal(ctx->cs.thread, thrd_current()))
            num = unbind(ctx, deleted);
      }
      simple_mtx_unlock(&screen->lock);
      for (unsigned i = 0; i < num; i++)
         pipe_sampler_view_reference(&deleted[i], NULL);
   } while (num);
}

uint64_t
attila_deleted_size(struct attila_screen *screen)
{
   uint64_t size = 0;
   list_for_each_entry (struct attila_context, ctx, &screen->contexts, link) {
      if (!thrd_equal(ctx->cs.thread, thrd_current()))
         continue;
      for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
         for (unsigned i = 0; i < ctx->textures[s].num_views; i++) {
            const struct pipe_sampler_view *view = ctx->textures[s].views[i];
            if (is_deleted(view))
               size += attila_resource(view->texture)->bo.size;
         }
      }
   }
   return size;
}
