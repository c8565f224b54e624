/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clears: the GPU's fast clear where a whole surface is cleared, a drawn rectangle otherwise.
 */
#include "attila_init.h"

#include "attila_blitter.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_emit.h"
#include "attila_perf.h"
#include "attila_query.h"
#include "attila_resource.h"
#include "util/u_blitter.h"
#include "util/u_surface.h"

/* A fast clear covers the bound surface; it must be as large as the framebuffer. */
static bool
clear_is_whole(const struct pipe_framebuffer_state *fb, const struct pipe_surface *surface)
{
   return surface->width == fb->width && surface->height == fb->height;
}

/* Which of the requested buffers exist, and which of them can be cleared fast. */
static unsigned
clear_fast_buffers(const struct attila_context *ctx, unsigned *buffers)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   unsigned fast = 0, bound = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (!fb->cbufs[i])
         continue;
      bound |= PIPE_CLEAR_COLOR0 << i;
      fast |= clear_is_whole(fb, fb->cbufs[i]) ? PIPE_CLEAR_COLOR0 << i : 0;
   }
   if (fb->zsbuf) {
      bound |= PIPE_CLEAR_DEPTHSTENCIL;
      fast |= clear_is_whole(fb, fb->zsbuf) ? PIPE_CLEAR_DEPTHSTENCIL : 0;
   }
   *buffers &= bound;
   return ctx->cs.screen->debug & ATTILA_DEBUG_NOFASTCLEAR ? 0 : fast & *buffers;
}

/* Marks the surface as defined. Returns true if it was not. */
static bool
clear_define_surface(const struct pipe_surface *surface)
{
   struct attila_resource *res = attila_resource(surface->texture);
   const unsigned level = surface->u.tex.level, layer = surface->u.tex.first_layer;
   const bool undefined = !attila_is_defined(res, level, layer);
   attila_define_slices(res, level, layer, 1);
   return undefined;
}

static void
clear_fast(struct attila_context *ctx, unsigned buffers, const union pipe_color_union *color,
           double depth, unsigned stencil)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   const unsigned colors = (buffers & PIPE_CLEAR_COLOR) / PIPE_CLEAR_COLOR0;
   attila_emit_framebuffer_state(ctx, colors);
   if (colors) {
      u_foreach_bit (i, colors)
         clear_define_surface(fb->cbufs[i]);
      attila_cs_clear_color(&ctx->cs, colors, color->f);
   }
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL) {
      const bool d = buffers & PIPE_CLEAR_DEPTH, s = buffers & PIPE_CLEAR_STENCIL;
      /* What is not cleared of an undefined surface is zero. */
      const bool both = clear_define_surface(fb->zsbuf);
      attila_cs_clear_zs(&ctx->cs, d || both, s || both, d ? (float)depth : 0.0f, s ? stencil : 0);
   }
   ctx->cs.frame_has_work = true;
}

static void
clear(struct pipe_context *pctx, unsigned buffers, const struct pipe_scissor_state *scissor,
      const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct attila_context *ctx = attila_context(pctx);
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   if (!attila_render_condition_passes(ctx))
      return;
   const unsigned fast = clear_fast_buffers(ctx, &buffers);
   if (fast)
      clear_fast(ctx, fast, color, depth, stencil);
   if (buffers & ~fast) {
      if (!(ctx->cs.screen->debug & ATTILA_DEBUG_NOFASTCLEAR))
         attila_perf(&ctx->cs, "a clear is drawn: the framebuffer is smaller than an image in it");
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
