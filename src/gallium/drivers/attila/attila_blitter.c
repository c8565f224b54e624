/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Begin and end of the driver's own draws with Mesa's blitter: saves the bound state and pauses
 * queries. */
#include "attila_blitter.h"

#include "attila_context.h"
#include "attila_cs.h"
#include "attila_stream.h"
#include "util/u_blitter.h"

void
attila_blitter_begin(struct attila_context *ctx, bool textures, bool render_condition)
{
   struct blitter_context *b = ctx->blitter;
   attila_cs_own(&ctx->cs);
   util_blitter_save_vertex_buffers(b, ctx->state.vertex_buffers, ctx->state.num_vertex_buffers);
   util_blitter_save_vertex_elements(b, ctx->state.elements);
   util_blitter_save_vertex_shader(b, ctx->state.shader[ATTILA_STAGE_VERTEX]);
   util_blitter_save_geometry_shader(b, ctx->state.shader[ATTILA_STAGE_GEOMETRY]);
   util_blitter_save_fragment_shader(b, ctx->state.shader[ATTILA_STAGE_FRAGMENT]);
   util_blitter_save_rasterizer(b, ctx->state.rasterizer);
   util_blitter_save_viewport(b, &ctx->state.viewport);
   util_blitter_save_scissor(b, &ctx->state.scissor);
   util_blitter_save_blend(b, ctx->state.blend);
   util_blitter_save_depth_stencil_alpha(b, ctx->state.zsa);
   util_blitter_save_stencil_ref(b, &ctx->state.stencil_ref);
   util_blitter_save_sample_mask(b, ctx->state.sample_mask, ctx->state.min_samples);
   util_blitter_save_framebuffer(b, &ctx->state.framebuffer);
   attila_stream_save(ctx);
   if (textures) {
      struct attila_textures *t = &ctx->state.textures[ATTILA_STAGE_FRAGMENT];
      util_blitter_save_fragment_sampler_states(b, t->num_samplers, (void **)t->samplers);
      util_blitter_save_fragment_sampler_views(b, t->num_views, t->views);
   }
   /* Saved only if the operation must be unconditional. */
   if (!render_condition)
      util_blitter_save_render_condition(b, ctx->condition, ctx->condition_value,
                                         ctx->condition_mode);
   ctx->meta = true;
   ctx->state.dirty |= ATTILA_DIRTY_QUERY;
}

void
attila_blitter_end(struct attila_context *ctx)
{
   ctx->meta = false;
   ctx->state.dirty |= ATTILA_DIRTY_QUERY;
}
