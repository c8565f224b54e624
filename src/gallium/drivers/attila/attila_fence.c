/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fences: numbers that the GPU signals in increasing order. */
#include "attila_fence.h"

#include "attila_screen.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

struct pipe_fence_handle {
   struct pipe_reference reference;
   uint64_t value;
};

struct pipe_fence_handle *
attila_fence_create(uint64_t value)
{
   struct pipe_fence_handle *fence = CALLOC_STRUCT(pipe_fence_handle);
   if (fence) {
      pipe_reference_init(&fence->reference, 1);
      fence->value = value;
   }
   return fence;
}

static void
attila_fence_reference(struct pipe_screen *screen, struct pipe_fence_handle **ptr,
                       struct pipe_fence_handle *fence)
{
   struct pipe_fence_handle *old = *ptr;
   if (pipe_reference(old ? &old->reference : NULL, fence ? &fence->reference : NULL))
      FREE(old);
   *ptr = fence;
}

static bool
attila_fence_finish(struct pipe_screen *pscreen, struct pipe_context *ctx,
                    struct pipe_fence_handle *fence, uint64_t timeout)
{
   struct attila_screen *screen = attila_screen(pscreen);
   /* The GPU advances only in waits, so every query waits, or polling would never end. A stopped
    * simulator never signals, so its fences count as signalled. */
   return attila_sim_wait(screen->sim, fence->value) || attila_screen_lost(screen);
}

void
attila_init_screen_fences(struct pipe_screen *screen)
{
   screen->fence_reference = attila_fence_reference;
   screen->fence_finish = attila_fence_finish;
}
