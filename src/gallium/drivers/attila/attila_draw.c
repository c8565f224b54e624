/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws. User vertex arrays never arrive here (the frontend uploads them); user indices do, and are
 * uploaded.
 */
#include "attila_context.h"

#include "util/log.h"
#include "util/u_draw.h"
#include "util/u_inlines.h"
#include "util/u_prim.h"
#include "util/u_upload_mgr.h"

static_assert((int)MESA_PRIM_POINTS == (int)ATTILA_PRIM_POINTS &&
                  (int)MESA_PRIM_LINE_LOOP == (int)ATTILA_PRIM_LINE_LOOP &&
                  (int)MESA_PRIM_POLYGON == (int)ATTILA_PRIM_POLYGON,
              "primitives");

/* Lowest and highest index position that the draws use. */
static void
index_range(const struct pipe_draw_start_count_bias *draws, unsigned num_draws, uint32_t *lo,
            uint32_t *hi)
{
   *lo = UINT32_MAX;
   *hi = 0;
   for (unsigned i = 0; i < num_draws; i++) {
      if (!draws[i].count)
         continue;
      *lo = MIN2(*lo, draws[i].start);
      *hi = MAX2(*hi, draws[i].start + draws[i].count);
   }
}

/* Puts the indices into GPU memory. *address: of index 0; *limit: indices that may be read. */
static bool
emit_indices(struct attila_context *ctx, const struct pipe_draw_info *info,
             const struct pipe_draw_start_count_bias *draws, unsigned num_draws,
             struct pipe_resource **buffer, uint32_t *address, uint32_t *limit)
{
   *buffer = NULL;
   if (!info->has_user_indices) {
      struct attila_resource *res = attila_resource(info->index.resource);
      attila_buffer_upload(ctx, res);
      res->gpu_used = true;
      *address = res->bo.address;
      *limit = res->base.width0 / info->index_size;
      return true;
   }

   uint32_t lo, hi;
   unsigned offset;
   index_range(draws, num_draws, &lo, &hi);
   if (lo >= hi)
      return false;
   u_upload_data(ctx->base.stream_uploader, 0, (hi - lo) * info->index_size, 64,
                 (const uint8_t *)info->index.user + (size_t)lo * info->index_size, &offset,
                 buffer);
   if (!*buffer) {
      mesa_loge("attila: out of GPU memory for indices");
      return false;
   }
   u_upload_unmap(ctx->base.stream_uploader);
   struct attila_resource *res = attila_resource(*buffer);
   attila_buffer_upload(ctx, res);
   res->gpu_used = true;
   /* May wrap below zero; adding start * size brings it back. */
   *address = res->bo.address + offset - lo * info->index_size;
   *limit = hi;
   return true;
}

static void
draw_vbo(struct pipe_context *pctx, const struct pipe_draw_info *info, unsigned drawid_offset,
         const struct pipe_draw_indirect_info *indirect,
         const struct pipe_draw_start_count_bias *draws, unsigned num_draws)
{
   struct attila_context *ctx = attila_context(pctx);
   struct pipe_resource *buffer = NULL;
   uint32_t address = 0, limit = UINT32_MAX;

   if (indirect && indirect->buffer) {
      util_draw_indirect(pctx, info, drawid_offset, indirect);
      return;
   }
   if (!attila_render_condition_passes(ctx) || info->mode > MESA_PRIM_POLYGON ||
       !info->instance_count)
      goto done;

   u_upload_unmap(pctx->stream_uploader);
   if (info->index_size && !emit_indices(ctx, info, draws, num_draws, &buffer, &address, &limit))
      goto done;
   if (!attila_emit_draw_state(ctx))
      goto done;

   for (unsigned i = 0; i < num_draws; i++) {
      uint32_t count = draws[i].count;
      if (draws[i].start >= limit)
         continue;
      count = MIN2(count, limit - draws[i].start);
      if (!count)
         continue;
      struct attila_cmd_draw draw = {
          .prim = info->mode,
          .count = count,
          .start = draws[i].start,
          .index_size = info->index_size,
          .index_address = address,
          .index_bias = info->index_size ? (uint32_t)draws[i].index_bias : 0,
          .num_instances = info->instance_count,
          .first_instance = info->start_instance,
          .flags = (info->index_size && info->primitive_restart ? ATTILA_DRAW_RESTART : 0) |
                   (ctx->meta ? ATTILA_DRAW_META : 0),
          /* Elsewhere it is not set at all. */
          .restart_index = info->primitive_restart ? info->restart_index : 0,
      };
      /* The indices begin where the draw begins, so that the address of index 0 never has to lie
       * outside memory. */
      if (info->has_user_indices) {
         draw.index_address += draw.start * info->index_size;
         draw.start = 0;
      }
      memcpy(attila_cs_emit(ctx, ATTILA_CMD_DRAW, sizeof(draw) / 4), &draw, sizeof(draw));
   }
   ctx->frame_has_work = true;

done:
   pipe_resource_reference(&buffer, NULL);
   if (info->index_size && info->take_index_buffer_ownership && !info->has_user_indices) {
      struct pipe_resource *index = info->index.resource;
      pipe_resource_reference(&index, NULL);
   }
}

void
attila_init_context_draw(struct attila_context *ctx)
{
   ctx->base.draw_vbo = draw_vbo;
}
