/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clears: the GPU's fast clear for whole surfaces, else a drawn rectangle. */
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

/* Returns whether a surface can be cleared fast: a fast clear covers it all, so it must have the
 * size of the framebuffer. */
static bool
attila_clear_is_whole(const struct pipe_framebuffer_state *fb, const struct pipe_surface *surface)
{
   return surface->width == fb->width && surface->height == fb->height;
}

/* Finds which requested buffers exist, and which can be cleared fast. */
static unsigned
attila_clear_fast_buffers(const struct attila_context *ctx, unsigned *buffers)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   unsigned fast = 0, bound = 0;
   for (unsigned i = 0; i < fb->nr_cbufs; i++) {
      if (!fb->cbufs[i])
         continue;
      bound |= PIPE_CLEAR_COLOR0 << i;
      fast |= attila_clear_is_whole(fb, fb->cbufs[i]) ? PIPE_CLEAR_COLOR0 << i : 0;
   }
   if (fb->zsbuf) {
      bound |= PIPE_CLEAR_DEPTHSTENCIL;
      fast |= attila_clear_is_whole(fb, fb->zsbuf) ? PIPE_CLEAR_DEPTHSTENCIL : 0;
   }
   *buffers &= bound;
   return ctx->cs.screen->debug & ATTILA_DEBUG_NOFASTCLEAR ? 0 : fast & *buffers;
}

/* Marks a layer of a surface as defined; returns whether it was undefined. */
static bool
attila_clear_define_layer(const struct pipe_surface *surface, unsigned layer)
{
   struct attila_resource *res = attila_resource(surface->texture);
   const unsigned level = surface->u.tex.level, slice = surface->u.tex.first_layer + layer;
   const bool undefined = !attila_is_defined(res, level, slice);
   attila_define_slices(res, level, slice, 1);
   return undefined;
}

/* Returns the largest number of layers of a bound image. */
static unsigned
attila_clear_num_layers(const struct pipe_framebuffer_state *fb)
{
   unsigned num = fb->zsbuf ? attila_surface_layers(fb->zsbuf) : 1;
   for (unsigned i = 0; i < fb->nr_cbufs; i++)
      num = fb->cbufs[i] ? MAX2(num, attila_surface_layers(fb->cbufs[i])) : num;
   return num;
}

/* Clears a layer of all images that have so many. */
static void
attila_clear_fast_layer(struct attila_context *ctx, unsigned buffers, unsigned layer,
                        const union pipe_color_union *color, double depth, unsigned stencil)
{
   const struct pipe_framebuffer_state *fb = &ctx->state.framebuffer;
   unsigned colors = 0;
   u_foreach_bit (i, (buffers & PIPE_CLEAR_COLOR) / PIPE_CLEAR_COLOR0)
      colors |= layer < attila_surface_layers(fb->cbufs[i]) ? 1u << i : 0;
   attila_emit_framebuffer_state(ctx, colors, layer);
   if (colors) {
      u_foreach_bit (i, colors)
         attila_clear_define_layer(fb->cbufs[i], layer);
      attila_cs_clear_color(&ctx->cs, colors, color->f);
   }
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL && layer < attila_surface_layers(fb->zsbuf)) {
      const bool d = buffers & PIPE_CLEAR_DEPTH, s = buffers & PIPE_CLEAR_STENCIL;
      /* In an undefined layer, what is not cleared (depth or stencil) becomes zero. */
      const bool both = attila_clear_define_layer(fb->zsbuf, layer);
      attila_cs_clear_zs(&ctx->cs, d || both, s || both, d ? (float)depth : 0.0f, s ? stencil : 0);
   }
   ctx->cs.frame_has_work = true;
}

/* Draws rectangles over the framebuffer's area in all layers of each image. */
static void
attila_clear_drawn(struct attila_context *ctx, unsigned buffers,
                   const union pipe_color_union *color, double depth, unsigned stencil)
{
   const struct pipe_framebuffer_state fb = ctx->state.framebuffer;
   if (!(ctx->cs.screen->debug & ATTILA_DEBUG_NOFASTCLEAR))
      attila_perf(&ctx->cs, "a clear is drawn: the framebuffer is smaller than an image in it");
   if (attila_clear_num_layers(&fb) == 1) {
      attila_blitter_begin(ctx, false, true);
      util_blitter_clear(ctx->blitter, fb.width, fb.height, 1, buffers, color, depth, stencil,
                         false);
      attila_blitter_end(ctx);
      return;
   }
   for (unsigned i = 0; i < fb.nr_cbufs; i++) {
      if (!(buffers & PIPE_CLEAR_COLOR0 << i))
         continue;
      attila_blitter_begin(ctx, false, true);
      util_blitter_clear_render_target(ctx->blitter, fb.cbufs[i], color, 0, 0, fb.width, fb.height);
      attila_blitter_end(ctx);
   }
   if (buffers & PIPE_CLEAR_DEPTHSTENCIL) {
      attila_blitter_begin(ctx, false, true);
      util_blitter_clear_depth_stencil(ctx->blitter, fb.zsbuf, buffers & PIPE_CLEAR_DEPTHSTENCIL,
                                       depth, stencil, 0, 0, fb.width, fb.height);
      attila_blitter_end(ctx);
   }
}

static void
attila_clear(struct pipe_context *pctx, unsigned buffers, const struct pipe_scissor_state *scissor,
             const union pipe_color_union *color, double depth, unsigned stencil)
{
   struct attila_context *ctx = attila_context(pctx);
   if (!attila_render_condition_passes(ctx))
      return;
   const unsigned fast = attila_clear_fast_buffers(ctx, &buffers),
                  layers = fast ? attila_clear_num_layers(&ctx->state.framebuffer) : 0;
   for (unsigned layer = 0; layer < layers; layer++)
      attila_clear_fast_layer(ctx, fast, layer, color, depth, stencil);
   if (buffers & ~fast)
      attila_clear_drawn(ctx, buffers & ~fast, color, depth, stencil);
}

static void
attila_clear_render_target(struct pipe_context *pctx, struct pipe_surface *dst,
                           const union pipe_color_union *color, unsigned x, unsigned y,
                           unsigned width, unsigned height, bool render_condition_enabled)
{
   struct attila_context *ctx = attila_context(pctx);
   if (render_condition_enabled && !attila_render_condition_passes(ctx))
      return;
   attila_blitter_begin(ctx, false, false);
   util_blitter_clear_render_target(ctx->blitter, dst, color, x, y, width, height);
   attila_blitter_end(ctx);
}

static void
attila_clear_depth_stencil(struct pipe_context *pctx, struct pipe_surface *dst, unsigned flags,
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
   ctx->base.clear = attila_clear;
   ctx->base.clear_render_target = attila_clear_render_target;
   ctx->base.clear_depth_stencil = attila_clear_depth_stencil;
   ctx->base.clear_texture = u_default_clear_texture;
}
