/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clears: the GPU's fast clear where a whole surface is cleared, a drawn rectangle otherwise.
 */
#include "attila_context.h"

#include "util/u_blitter.h"
#include "util/u_framebuffer.h"
#include "util/u_surface.h"

/* A fast clear covers the bound surface; it must be as large as the framebuffer. */
static bool
is_whole(const struct pipe_framebuffer_state *fb, const struct pipe_surface *surface)
{
   return surface->width == fb->width && surface->height == fb->height;
}

/* Which of the requested buffers exist, and which of them can be cleared fast. */
static unsigned
fast_buffers(const struct pipe_framebuffer_state *fb, unsigned *buffers)
{
   unsigned fast = 0, bound = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (!fb->cbufs[i])
         continue;
      bound |= PIPE_CLEAR_COLOR0 << i;
      fast |= is_whole(fb, fb->cbufs[i]) ? PIPE_CLEAR_COLOR0 << i : 0;
   }
   if (fb->zsbuf) {
      bound |= PIPE_CLEAR_DEPTHSTENCIL;
      fast |= is_whole(fb, fb->zsbuf) ? PIPE_CLEAR_DEPTHSTENCIL : 0;
   }
   *buffers &= bound;
   return fast & *buffers;
}

static void
clear(struct pipe_context *pctx, unsigned buffers, const struct pipe_scissor_state *scissor,
      const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct attila_context *ctx = attila_context(pctx);
   const struct pipe_framebuffer_state *fb = &ctx->framebuffer;
   if (!attila_render_condition_passes(ctx))
      return;
   const unsigned fast = fast_buffers(fb, &buffers);

   if (fast) {
      attila_emit_framebuffer_state(ctx);
      ctx->frame_has_work = true;
   }
   if (fast & PIPE_CLEAR_COLOR) {
      uint32_t *p = attila_cs_emit(ctx, ATTILA_CMD_CLEAR_COLOR, 5);
      p[0] = (fast & PIPE_CLEAR_COLOR) / PIPE_CLEAR_COLOR0;
      memcpy(p + 1, color->f, sizeof(color->f));
   }
   if (fast & PIPE_CLEAR_DEPTHSTENCIL) {
      uint32_t *p = attila_cs_emit(ctx, ATTILA_CMD_CLEAR_ZS, 3);
      const float d = (float)depth;
      p[0] = (fast & PIPE_CLEAR_DEPTH ? 1 : 0) | (fast & PIPE_CLEAR_STENCIL ? 2 : 0);
      memcpy(p + 1, &d, sizeof(d));
      p[2] = stencil & 0xff;
   }
   if (buffers & ~fast) {
      attila_blitter_begin(ctx, false, true);
      util_blitter_clear(ctx->blitter, fb->width, fb->height, 1, buffers & ~fast, color, depth,
                         stencil, false);
      attila_blitter_end(ctx);
   }
}

static void
clear_render_target(struct pipe_context *pctx, struct pipe_surface *dst,
                    const union pipe_color_union *color, unsigned x, unsigned y, unsigned width,
                    unsigned height, bool render_condition_enabled)
{
   struct attila_context *ctx = attila_context(pctx);
   if (render_condition_enabled && !attila_render_condition_passes(ctx))
      return;
   attila_blitter_begin(ctx, false, false);
   util_blitter_clear_render_target(ctx->blitter, dst, color, x, y, width, height);
   attila_blitter_end(ctx);
}

static void
clear_depth_stencil(struct pipe_context *pctx, struct pipe_surface *dst, unsigned flags,
                    double depth, unsigned stencil, unsigned x, unsigned y, unsigned width,
                    unsigned height, bool render_condition_enabled)
{
   struct attila_context *ctx = attila_context(pctx);
   if (render_condition_enabled && !attila_render_condition_passes(ctx))
      return;
   attila_blitter_begin(ctx, false, false);
   util_blitter_clear_depth_stencil(ctx->blitter, dst, flags, depth, stencil, x, y, width, height);
   attila_blitter_end(ctx);
}

void
attila_init_context_clear(struct attila_context *ctx)
{
   ctx->base.clear = clear;
   ctx->base.clear_render_target = clear_render_target;
   ctx->base.clear_depth_stencil = clear_depth_stencil;
   ctx->base.clear_texture = u_default_clear_texture;
}
