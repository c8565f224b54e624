/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws. The frontend uploads user vertex arrays; user indices are uploaded here. */
#include "attila_init.h"

#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_debug_marker.h"
#include "attila_emit.h"
#include "attila_query.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_stream.h"
#include "util/log.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

static_assert((int)MESA_PRIM_POINTS == (int)ATTILA_PRIM_POINTS &&
                  (int)MESA_PRIM_LINE_LOOP == (int)ATTILA_PRIM_LINE_LOOP &&
                  (int)MESA_PRIM_POLYGON == (int)ATTILA_PRIM_POLYGON &&
                  (int)MESA_PRIM_TRIANGLE_STRIP_ADJACENCY ==
                      (int)ATTILA_PRIM_TRIANGLE_STRIP_ADJACENCY,
              "primitives");

#define FEW_DRAWS 16 /* draws of a multi-draw without allocation */

/* A draw whose indices, if any, are in a buffer at offset. */
struct prepared {
   uint32_t flags; /* ATTILA_DRAW_COUNTED, INDIRECT: the GPU knows the number, and count is 0 */
   struct pipe_resource *indices;
   uint32_t offset, start, count;
   int32_t bias;
};

/* Copies this draw's indices to GPU memory. The arrays of a multi-draw need not be contiguous. */
static bool
attila_draw_upload_indices(struct attila_context *ctx, const struct pipe_draw_info *info,
                           const struct pipe_draw_start_count_bias *draw, struct prepared *out)
{
   struct pipe_draw_info from = *info;
   struct pipe_draw_start_count_bias at_start = *draw;
   from.index.user = (const uint8_t *)info->index.user + (size_t)draw->start * info->index_size;
   at_start.start = 0;
   if (util_upload_index_buffer(&ctx->base, &from, &at_start, &out->indices, &out->offset, 64))
      return true;
   mesa_loge("attila: out of GPU memory for indices");
   return false;
}

static void
attila_draw_prepare(struct attila_context *ctx, const struct pipe_draw_info *info,
                    const struct pipe_draw_start_count_bias *draw, struct prepared *out)
{
   /* Vertex numbers have 32 bits. */
   *out = (struct prepared){.start = draw->start,
                            .count = MIN2(draw->count, UINT32_MAX - draw->start)};
   if (!info->index_size || !draw->count)
      return;
   out->start = 0;
   out->count = draw->count;
   out->bias = draw->index_bias;
   if (info->has_user_indices) {
      if (!attila_draw_upload_indices(ctx, info, draw, out))
         out->count = 0;
      return;
   }
   const uint64_t offset = (uint64_t)draw->start * info->index_size;
   const uint32_t readable =
       offset < info->index.resource->width0
           ? attila_buffer_readable(attila_resource(info->index.resource), (uint32_t)offset)
           : 0;
   pipe_resource_reference(&out->indices, info->index.resource);
   out->offset = (uint32_t)offset;
   out->count = MIN2(draw->count, readable / info->index_size);
}

static void
attila_draw_emit(struct attila_context *ctx, const struct pipe_draw_info *info,
                 const struct prepared *d, bool upload)
{
   struct attila_resource *buffer = attila_resource(d->indices);
   if (!d->count && !d->flags)
      return;
   if (upload)
      attila_upload_vertices(ctx, d->start, d->count);
   if (buffer)
      attila_buffer_upload(&ctx->cs, buffer);
   const struct attila_cmd_draw cmd = {
       .prim = info->mode,
       .count = d->count,
       .start = d->start,
       .index_size = info->index_size,
       .index_address = buffer ? buffer->bo.address + d->offset : 0,
       .index_bias = (uint32_t)d->bias,
       .num_instances = d->flags & ATTILA_DRAW_INDIRECT ? 0 : info->instance_count,
       .first_instance = d->flags & ATTILA_DRAW_INDIRECT ? 0 : info->start_instance,
       .flags = (buffer && info->primitive_restart ? ATTILA_DRAW_RESTART : 0) |
                (ctx->meta ? ATTILA_DRAW_META : 0) |
                (ctx->draws_conditionally ? ATTILA_DRAW_CONDITIONAL : 0) | d->flags,
       /* Without restart the frontend does not set the index. */
       .restart_index = info->primitive_restart ? info->restart_index : 0,
   };
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_DRAW, sizeof(cmd) / 4), &cmd, sizeof(cmd));
   attila_note_call(ctx);
   if (buffer)
      attila_resource_use(&ctx->cs, buffer);
   if (unlikely(ctx->cs.screen->debug & ATTILA_DEBUG_FLUSH))
      attila_cs_flush_caches(&ctx->cs, ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE);
}

/* Records all draws of a multi-draw. Indices are all uploaded before the first draw, in one
 * transfer. Without indices, the vertices of a draw are uploaded right before it, while the draw
 * before executes: primitives of immediate mode arrive as many draws from a buffer that was just
 * filled. */
static void
attila_draw_all(struct attila_context *ctx, const struct pipe_draw_info *info,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct prepared few[FEW_DRAWS];
   struct prepared *list =
       num_draws <= FEW_DRAWS ? few : MALLOC(num_draws * sizeof(struct prepared));
   if (!list) {
      mesa_loge("attila: out of system memory for %u draws", num_draws);
      return;
   }
   for (unsigned i = 0; i < num_draws; i++)
      attila_draw_prepare(ctx, info, &draws[i], &list[i]);
   const bool pieces = num_draws > 1 && !info->index_size;
   if (attila_emit_draw_state(ctx, info->mode, !pieces)) {
      for (unsigned i = 0; i < num_draws; i++)
         attila_draw_emit(ctx, info, &list[i], pieces);
      attila_draw_recorded(ctx);
   }
   for (unsigned i = 0; i < num_draws; i++)
      pipe_resource_reference(&list[i].indices, NULL);
   if (list != few)
      FREE(list);
}

/* Draws as many vertices as a transform feedback has written. */
static void
attila_draw_counted(struct attila_context *ctx, const struct pipe_draw_info *info,
                    struct pipe_stream_output_target *from)
{
   static const struct prepared counted = {.flags = ATTILA_DRAW_COUNTED};
   if (!attila_emit_vertex_count(ctx, from) || !attila_emit_draw_state(ctx, info->mode, true))
      return;
   attila_draw_emit(ctx, info, &counted, false);
   attila_draw_recorded(ctx);
}

/* Draws what a buffer describes (DrawArraysIndirectCommand, DrawElementsIndirectCommand). The GPU
 * reads the buffer. */
static void
attila_draw_indirect(struct attila_context *ctx, const struct pipe_draw_info *info,
                     const struct pipe_draw_indirect_info *indirect)
{
   struct attila_resource *buffer = attila_resource(indirect->buffer);
   const uint32_t words = info->index_size ? 5 : 4;
   const uint64_t size =
       (uint64_t)indirect->stride * (MAX2(indirect->draw_count, 1) - 1) + 4 * words;
   struct prepared d = {.flags = ATTILA_DRAW_INDIRECT};
   struct attila_cmd_indirect cmd = {.words = words};
   if (!indirect->draw_count || indirect->offset + size > buffer->base.width0 ||
       !attila_emit_draw_state(ctx, info->mode, true))
      return;
   if (info->index_size) {
      d.indices = info->index.resource;
      cmd.indices = attila_buffer_readable(attila_resource(d.indices), 0) / info->index_size;
   }
   attila_buffer_written(&ctx->cs, buffer, buffer->valid.end, indirect->offset + size, false);
   attila_buffer_upload(&ctx->cs, buffer);
   for (unsigned i = 0; i < indirect->draw_count; i++) {
      cmd.address = buffer->bo.address + indirect->offset + i * indirect->stride;
      memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_INDIRECT, sizeof(cmd) / 4), &cmd, sizeof(cmd));
      attila_draw_emit(ctx, info, &d, false);
   }
   attila_resource_use(&ctx->cs, buffer);
   attila_draw_recorded(ctx);
}

static void
attila_draw_vbo(struct pipe_context *pctx, const struct pipe_draw_info *info,
                unsigned drawid_offset, const struct pipe_draw_indirect_info *indirect,
                const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct attila_context *ctx = attila_context(pctx);
   attila_cs_own(&ctx->cs);
   u_upload_unmap(pctx->stream_uploader);
   if (attila_draw_condition(ctx, &ctx->draws_conditionally) &&
       info->mode <= MESA_PRIM_TRIANGLE_STRIP_ADJACENCY &&
       (info->instance_count || (indirect && indirect->buffer))) {
      if (indirect && indirect->buffer)
         attila_draw_indirect(ctx, info, indirect);
      else if (indirect && indirect->count_from_stream_output)
         attila_draw_counted(ctx, info, indirect->count_from_stream_output);
      else
         attila_draw_all(ctx, info, draws, num_draws);
   }
   if (info->index_size && info->take_index_buffer_ownership && !info->has_user_indices) {
      struct pipe_resource *index = info->index.resource;
      pipe_resource_reference(&index, NULL);
   }
}

void
attila_init_context_draw(struct attila_context *ctx)
{
   ctx->base.draw_vbo = attila_draw_vbo;
}
