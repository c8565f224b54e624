/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out: the buffers of transform feedback. The GPU counts the bytes in each. The count is
 * written to memory when a buffer is unbound, and read by the GPU when writing continues or a draw
 * uses it as vertex count; the CPU never waits for it. When buffers change, the GPU waits for all
 * earlier work, so later readers need no flush. */
#include "attila_stream.h"

#include "attila_bo.h"
#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_init.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_shader.h"
#include "util/log.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"
#include "util/u_memory.h"

struct stream_target {
   struct pipe_stream_output_target base;
   struct attila_bo filled; /* 64 bits: the bytes in the buffer when it was unbound */
   uint32_t stride;         /* bytes per vertex of the last shader; 0: unwritten */
   uint32_t address;        /* its address on the GPU */
};

static struct pipe_stream_output_target *
attila_stream_create_target(struct pipe_context *pctx, struct pipe_resource *buffer,
                            unsigned offset, unsigned size)
{
   struct attila_context *ctx = attila_context(pctx);
   struct stream_target *t = CALLOC_STRUCT(stream_target);
   if (!t)
      return NULL;
   if (!attila_bo_alloc_reserved(&ctx->cs.screen->memory, 8, 64, &t->filled)) {
      mesa_loge("attila: out of GPU memory for a transform feedback");
      FREE(t);
      return NULL;
   }
   pipe_reference_init(&t->base.reference, 1);
   pipe_resource_reference(&t->base.buffer, buffer);
   t->base.context = pctx;
   t->base.buffer_offset = offset;
   t->base.buffer_size = size;
   return &t->base;
}

static void
attila_stream_destroy_target(struct pipe_context *pctx, struct pipe_stream_output_target *target)
{
   struct stream_target *t = (struct stream_target *)target;
   attila_bo_free(&attila_context(pctx)->cs.screen->memory, &t->filled);
   pipe_resource_reference(&t->base.buffer, NULL);
   FREE(t);
}

/* Returns how many bytes may be written from the offset of the target on. */
static uint32_t
attila_stream_target_size(const struct stream_target *t)
{
   const uint32_t width = t->base.buffer->width0, offset = MIN2(t->base.buffer_offset, width);
   return MIN2(t->base.buffer_size, width - offset) & ~3u;
}

static uint32_t
attila_stream_target_address(const struct stream_target *t)
{
   return attila_resource(t->base.buffer)->bo.address + t->base.buffer_offset;
}

/* Writes the counts of the bound buffers to memory. */
static void
attila_stream_store_filled(struct attila_context *ctx)
{
   for (unsigned b = 0; b < ctx->state.num_streams; b++) {
      const struct stream_target *t = (struct stream_target *)ctx->state.streams[b];
      if (!t)
         continue;
      uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_WRITE_COUNTER, 2);
      p[0] = ATTILA_COUNTER_STREAM_BYTES_0 + b;
      p[1] = t->filled.address;
   }
}

/* Notes that the GPU writes the range. Bytes that it does not write are as in system memory, or
 * 0. */
static void
attila_stream_prepare_target(struct attila_context *ctx, struct stream_target *t)
{
   struct attila_resource *res = attila_resource(t->base.buffer);
   const uint32_t lo = t->base.buffer_offset, hi = lo + attila_stream_target_size(t);
   if (hi > res->valid.end && !res->bo.zero)
      attila_buffer_written(&ctx->cs, res, res->valid.end, hi, false);
   attila_buffer_gpu_writes(&ctx->cs, res, lo, hi);
}

/* append: a bit per buffer; if set, it is written behind its contents. */
static void
attila_stream_emit_targets(struct attila_context *ctx, unsigned append)
{
   struct attila_stream_target cmd[ATTILA_MAX_STREAM_BUFFERS] = {0};
   for (unsigned b = 0; b < ctx->state.num_streams; b++) {
      struct stream_target *t = (struct stream_target *)ctx->state.streams[b];
      if (!t)
         continue;
      attila_stream_prepare_target(ctx, t);
      t->address = attila_stream_target_address(t);
      cmd[b] = (struct attila_stream_target){
          .address = t->address,
          .size = attila_stream_target_size(t),
          .filled = append >> b & 1 ? t->filled.address : 0,
      };
   }
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_STREAM_TARGETS, sizeof(cmd) / 4), cmd, sizeof(cmd));
}

static void
attila_stream_set_targets(struct pipe_context *pctx, unsigned num,
                          struct pipe_stream_output_target **targets, const unsigned *offsets,
                          enum mesa_prim output_prim)
{
   struct attila_context *ctx = attila_context(pctx);
   unsigned append = 0;
   attila_cs_own(&ctx->cs);
   if (!num && !ctx->state.num_streams)
      return;
   attila_stream_store_filled(ctx);
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
      pipe_so_target_reference(&ctx->state.streams[b], b < num ? targets[b] : NULL);
   ctx->state.num_streams = num;
   for (unsigned b = 0; b < num; b++) {
      const struct stream_target *t = (struct stream_target *)targets[b];
      if (!t || !offsets[b])
         continue;
      append |= 1u << b;
      const uint64_t filled = offsets[b];
      if (offsets[b] != UINT32_MAX)
         attila_cs_write_buffer(&ctx->cs, t->filled.address, &filled, sizeof(filled), false);
   }
   attila_stream_emit_targets(ctx, append);
}

static uint32_t
attila_stream_get_target_offset(struct pipe_stream_output_target *target)
{
   struct attila_context *ctx = attila_context(target->context);
   uint64_t filled = 0;
   attila_stream_store_filled(ctx);
   attila_cs_submit(&ctx->cs, NULL);
   attila_cs_read(ctx->cs.screen, ((struct stream_target *)target)->filled.address, &filled,
                  sizeof(filled));
   return filled;
}

static void
attila_stream_emit_table(struct attila_context *ctx)
{
   const struct attila_shader *gs = ctx->state.shader[ATTILA_STAGE_GEOMETRY];
   const struct attila_stream_table *table =
       &(gs ? gs : ctx->state.shader[ATTILA_STAGE_VERTEX])->stream;
   struct attila_stream_table *loaded = &ctx->cs.hw.stream;
   for (unsigned b = 0; b < ctx->state.num_streams; b++) {
      if (ctx->state.streams[b])
         ((struct stream_target *)ctx->state.streams[b])->stride = table->stride[b];
   }
   if (!memcmp(table, loaded, sizeof(*table)))
      return;
   uint32_t *p =
       attila_cs_emit(&ctx->cs, ATTILA_CMD_STREAM_OUTPUTS, ATTILA_MAX_STREAM_BUFFERS + table->num);
   memcpy(p, table->stride, sizeof(table->stride));
   memcpy(p + ATTILA_MAX_STREAM_BUFFERS, table->output, table->num * sizeof(table->output[0]));
   *loaded = *table;
}

void
attila_emit_stream(struct attila_context *ctx)
{
   bool moved = false;
   if (likely(!ctx->state.num_streams))
      return;
   for (unsigned b = 0; b < ctx->state.num_streams; b++) {
      const struct stream_target *t = (struct stream_target *)ctx->state.streams[b];
      moved |= t && t->address != attila_stream_target_address(t);
   }
   if (moved) {
      attila_stream_store_filled(ctx);
      attila_stream_emit_targets(ctx, BITFIELD_MASK(ATTILA_MAX_STREAM_BUFFERS));
   }
   for (unsigned b = 0; b < ctx->state.num_streams; b++) {
      if (ctx->state.streams[b])
         attila_stream_prepare_target(ctx, (struct stream_target *)ctx->state.streams[b]);
   }
   attila_stream_emit_table(ctx);
}

void
attila_stream_drawn(struct attila_context *ctx)
{
   for (unsigned b = 0; b < ctx->state.num_streams; b++) {
      if (ctx->state.streams[b])
         attila_resource_use(&ctx->cs, attila_resource(ctx->state.streams[b]->buffer));
   }
}

bool
attila_emit_vertex_count(struct attila_context *ctx, struct pipe_stream_output_target *target)
{
   const struct stream_target *t = (struct stream_target *)target;
   if (!t->stride)
      return false;
   attila_stream_store_filled(ctx);
   const struct attila_cmd_vertex_count cmd = {t->filled.address, t->stride};
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_VERTEX_COUNT, sizeof(cmd) / 4), &cmd, sizeof(cmd));
   return true;
}

void
attila_stream_save(struct attila_context *ctx)
{
   util_blitter_save_so_targets(ctx->blitter, ctx->state.num_streams, ctx->state.streams,
                                MESA_PRIM_UNKNOWN);
}

void
attila_stream_unbind(struct attila_context *ctx)
{
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
      pipe_so_target_reference(&ctx->state.streams[b], NULL);
   ctx->state.num_streams = 0;
}

void
attila_init_context_streams(struct attila_context *ctx)
{
   ctx->base.create_stream_output_target = attila_stream_create_target;
   ctx->base.stream_output_target_destroy = attila_stream_destroy_target;
   ctx->base.set_stream_output_targets = attila_stream_set_targets;
   ctx->base.stream_output_target_offset = attila_stream_get_target_offset;
}
