/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Queries: pairs of counter values that the GPU writes to a small buffer, and conditional
 * rendering. Counters are per GPU context, so the work of other contexts does not count. A query
 * about draws pauses during draws of the driver itself, so its result is a sum of segments. Not
 * here: the simulator's counters (attila_counters.c). */
#include "attila_query.h"

#include "attila_bo.h"
#include "attila_context.h"
#include "attila_counters.h"
#include "attila_cs.h"
#include "attila_init.h"
#include "attila_perf.h"
#include "attila_screen.h"
#include "util/log.h"
#include "util/u_memory.h"

#define MAX_SEGMENTS 16

struct attila_query {
   struct list_head link; /* attila_context.active_queries */
   unsigned type;
   struct attila_batch *batch; /* for driver queries, which use no other member */
   unsigned num_counters;
   uint8_t counters[ATTILA_NUM_COUNTERS]; /* enum attila_counter */
   bool pauses;                           /* ignores the driver's own draws */
   bool open;                             /* a segment has begun but not ended */
   bool has_result;
   unsigned num_segments;             /* in the buffer */
   uint64_t sum[ATTILA_NUM_COUNTERS]; /* over segments read back */
   struct attila_bo bo;               /* per segment and counter: begin and end, 64 bits each */
};

static const uint8_t pipeline_counters[] = {
    ATTILA_COUNTER_IA_VERTICES,      ATTILA_COUNTER_IA_PRIMITIVES,   ATTILA_COUNTER_VS_INVOCATIONS,
    ATTILA_COUNTER_CLIP_INVOCATIONS, ATTILA_COUNTER_CLIP_PRIMITIVES, ATTILA_COUNTER_FS_INVOCATIONS,
    ATTILA_COUNTER_GS_INVOCATIONS,   ATTILA_COUNTER_GS_PRIMITIVES,   ATTILA_COUNTER_CS_INVOCATIONS,
};

static bool
attila_query_is_occlusion(unsigned type)
{
   return type == PIPE_QUERY_OCCLUSION_COUNTER || type == PIPE_QUERY_OCCLUSION_PREDICATE ||
          type == PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE;
}

static struct pipe_query *
attila_query_create_batch(struct pipe_context *pctx, unsigned num, unsigned *types)
{
   struct attila_query *q = CALLOC_STRUCT(attila_query);
   if (!q)
      return NULL;
   list_inithead(&q->link);
   q->type = PIPE_QUERY_DRIVER_SPECIFIC;
   q->batch = attila_batch_create(&attila_context(pctx)->cs, num, types);
   if (!q->batch) {
      FREE(q);
      return NULL;
   }
   return (struct pipe_query *)q;
}

/* Sets the counters of streams first to last: written, and those that buffers should take. */
static void
attila_query_count_streams(struct attila_query *q, unsigned first, unsigned last)
{
   q->num_counters = 0;
   for (unsigned s = first; s <= last && s < ATTILA_MAX_VERTEX_STREAMS; s++) {
      q->counters[q->num_counters++] = attila_stream_written(s);
      q->counters[q->num_counters++] = attila_stream_primitives(s);
   }
}

/* index: of a stream */
static struct pipe_query *
attila_query_create(struct pipe_context *pctx, unsigned type, unsigned index)
{
   if (type >= PIPE_QUERY_DRIVER_SPECIFIC)
      return attila_query_create_batch(pctx, 1, &type);
   struct attila_query *q = CALLOC_STRUCT(attila_query);
   if (!q)
      return NULL;
   q->type = type;
   q->num_counters = 1;
   list_inithead(&q->link);
   switch (type) {
   case PIPE_QUERY_OCCLUSION_COUNTER:
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      q->counters[0] = ATTILA_COUNTER_SAMPLES_PASSED;
      break;
   case PIPE_QUERY_TIMESTAMP:
   case PIPE_QUERY_TIME_ELAPSED:
      q->num_counters = attila_context(pctx)->cs.screen->has_clock;
      q->counters[0] = ATTILA_COUNTER_TIME_NS;
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      /* The primitives of a geometry shader replace those of its input. */
      q->num_counters = 3;
      q->counters[0] = ATTILA_COUNTER_IA_PRIMITIVES;
      q->counters[1] = ATTILA_COUNTER_GS_INPUTS;
      q->counters[2] = ATTILA_COUNTER_GS_PRIMITIVES_0;
      q->pauses = true;
      if (index) { /* only a geometry shader makes primitives in another stream */
         q->num_counters = 1;
         q->counters[0] = ATTILA_COUNTER_GS_PRIMITIVES_0 + index % ATTILA_MAX_VERTEX_STREAMS;
      }
      break;
   case PIPE_QUERY_PRIMITIVES_EMITTED:
      q->counters[0] = attila_stream_written(index % ATTILA_MAX_VERTEX_STREAMS);
      break;
   case PIPE_QUERY_SO_STATISTICS:
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
      attila_query_count_streams(q, index, index);
      break;
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      attila_query_count_streams(q, 0, ATTILA_MAX_VERTEX_STREAMS - 1);
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      q->num_counters = ARRAY_SIZE(pipeline_counters);
      memcpy(q->counters, pipeline_counters, sizeof(pipeline_counters));
      q->pauses = true;
      break;
   case PIPE_QUERY_GPU_FINISHED:
   case PIPE_QUERY_TIMESTAMP_DISJOINT:
      q->num_counters = 0;
      break;
   default:
      FREE(q);
      return NULL;
   }
   return (struct pipe_query *)q;
}

static void
attila_query_emit_counters(struct attila_context *ctx, struct attila_query *q, unsigned end)
{
   for (unsigned i = 0; i < q->num_counters; i++) {
      uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_WRITE_COUNTER, 2);
      p[0] = q->counters[i];
      p[1] = q->bo.address + ((q->num_segments * q->num_counters + i) * 2 + end) * 8;
   }
}

/* Reads back and adds up finished segments. Waits for the GPU. */
static bool
attila_query_collect(struct attila_context *ctx, struct attila_query *q)
{
   uint64_t values[MAX_SEGMENTS * ATTILA_NUM_COUNTERS * 2];
   if (!q->num_segments)
      return true;
   attila_perf(&ctx->cs, "the result of a query is read back, which waits for the GPU");
   attila_cs_submit(&ctx->cs, NULL);
   const bool ok = attila_cs_read(ctx->cs.screen, q->bo.address, values,
                                  q->num_segments * q->num_counters * 16);
   for (unsigned s = 0; s < q->num_segments && ok; s++) {
      for (unsigned i = 0; i < q->num_counters; i++) {
         const uint64_t *v = &values[(s * q->num_counters + i) * 2];
         q->sum[i] += q->type == PIPE_QUERY_TIMESTAMP ? v[1] : v[1] - v[0];
      }
   }
   q->num_segments = 0;
   return ok;
}

static void
attila_query_open_segment(struct attila_context *ctx, struct attila_query *q)
{
   if (q->open || !q->bo.size)
      return;
   if (q->num_segments == MAX_SEGMENTS)
      attila_query_collect(ctx, q);
   attila_query_emit_counters(ctx, q, 0);
   q->open = true;
}

static void
attila_query_close_segment(struct attila_context *ctx, struct attila_query *q)
{
   if (!q->open)
      return;
   attila_query_emit_counters(ctx, q, 1);
   q->num_segments++;
   q->open = false;
}

/* Resets a query. It uses fresh memory each time, since the last results may still be on their
 * way. */
static bool
attila_query_reset(struct attila_context *ctx, struct attila_query *q)
{
   memset(q->sum, 0, sizeof(q->sum));
   q->num_segments = 0;
   q->has_result = false;
   q->open = false;
   attila_bo_free(&ctx->cs.screen->memory, &q->bo);
   if (!q->num_counters)
      return true;
   if (attila_bo_alloc_reserved(&ctx->cs.screen->memory, MAX_SEGMENTS * q->num_counters * 16, 64,
                                &q->bo))
      return true;
   mesa_loge("attila: out of GPU memory for a query");
   return false;
}

static void
attila_query_count_occlusion(struct attila_context *ctx, const struct attila_query *q, int by)
{
   if (attila_query_is_occlusion(q->type)) {
      ctx->num_occlusion_queries += by;
      ctx->state.dirty |= ATTILA_DIRTY_QUERY;
   }
}

static bool
attila_query_begin(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_query *q = (struct attila_query *)pq;
   if (q->batch)
      return attila_batch_begin(&ctx->cs, q->batch);
   if (!list_is_empty(&q->link) || !attila_query_reset(ctx, q))
      return false;
   list_addtail(&q->link, &ctx->active_queries);
   attila_query_count_occlusion(ctx, q, 1);
   if (!q->pauses || ctx->queries_enabled)
      attila_query_open_segment(ctx, q);
   return true;
}

static bool
attila_query_end(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_query *q = (struct attila_query *)pq;
   if (q->batch) {
      attila_batch_end(&ctx->cs, q->batch);
      return true;
   }
   if (q->type == PIPE_QUERY_TIMESTAMP) {
      if (!attila_query_reset(ctx, q))
         return false;
      if (q->num_counters)
         q->open = true; /* only the value at the end is written */
      else
         q->sum[0] = attila_screen_time(ctx->cs.screen);
   }
   if (!list_is_empty(&q->link)) {
      list_delinit(&q->link);
      attila_query_count_occlusion(ctx, q, -1);
   }
   attila_query_close_segment(ctx, q);
   return true;
}

static void
attila_query_destroy(struct pipe_context *pctx, struct pipe_query *pq)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_query *q = (struct attila_query *)pq;
   if (!list_is_empty(&q->link)) {
      list_delinit(&q->link);
      attila_query_count_occlusion(ctx, q, -1);
   }
   attila_bo_free(&ctx->cs.screen->memory, &q->bo);
   if (q->batch)
      attila_batch_destroy(&ctx->cs, q->batch);
   FREE(q);
}

/* The GPU advances only in waits, so every request for a result waits. */
static bool
attila_query_get_query_result(struct pipe_context *pctx, struct pipe_query *pq, bool wait,
                              union pipe_query_result *result)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_query *q = (struct attila_query *)pq;
   /* The result of a batch may be shorter than the union, so do not clear it all. */
   if (q->batch)
      return attila_batch_result(&ctx->cs, q->batch, wait, result);
   memset(result, 0, sizeof(*result));

   if (q->type == PIPE_QUERY_TIMESTAMP_DISJOINT) {
      result->timestamp_disjoint.frequency = 1000000000;
      return true;
   }
   if (q->type == PIPE_QUERY_GPU_FINISHED) {
      uint64_t fence;
      attila_cs_submit(&ctx->cs, &fence);
      result->b = attila_sim_wait(ctx->cs.screen->sim, fence);
      return true;
   }
   if (!q->has_result) {
      attila_query_collect(ctx, q);
      q->has_result = true;
   }
   switch (q->type) {
   case PIPE_QUERY_OCCLUSION_PREDICATE:
   case PIPE_QUERY_OCCLUSION_PREDICATE_CONSERVATIVE:
      result->b = q->sum[0] != 0;
      break;
   case PIPE_QUERY_PRIMITIVES_GENERATED:
      result->u64 = q->sum[0] - q->sum[1] + q->sum[2];
      break;
   case PIPE_QUERY_SO_STATISTICS:
      result->so_statistics.num_primitives_written = q->sum[0];
      result->so_statistics.primitives_storage_needed = q->sum[1];
      break;
   case PIPE_QUERY_SO_OVERFLOW_PREDICATE:
   case PIPE_QUERY_SO_OVERFLOW_ANY_PREDICATE:
      for (unsigned i = 0; i < q->num_counters; i += 2)
         result->b |= q->sum[i] != q->sum[i + 1];
      break;
   case PIPE_QUERY_PIPELINE_STATISTICS:
      result->pipeline_statistics.ia_vertices = q->sum[0];
      result->pipeline_statistics.ia_primitives = q->sum[1];
      result->pipeline_statistics.vs_invocations = q->sum[2];
      result->pipeline_statistics.c_invocations = q->sum[3];
      result->pipeline_statistics.c_primitives = q->sum[4];
      result->pipeline_statistics.ps_invocations = q->sum[5];
      result->pipeline_statistics.gs_invocations = q->sum[6];
      result->pipeline_statistics.gs_primitives = q->sum[7];
      result->pipeline_statistics.cs_invocations = q->sum[8];
      break;
   default:
      result->u64 = q->sum[0];
      break;
   }
   return true;
}

static void
attila_query_set_active_query_state(struct pipe_context *pctx, bool enable)
{
   struct attila_context *ctx = attila_context(pctx);
   if (ctx->queries_enabled == enable)
      return;
   ctx->queries_enabled = enable;
   ctx->state.dirty |= ATTILA_DIRTY_QUERY;
   list_for_each_entry (struct attila_query, q, &ctx->active_queries, link) {
      if (!q->pauses)
         continue;
      if (enable)
         attila_query_open_segment(ctx, q);
      else
         attila_query_close_segment(ctx, q);
   }
}

static void
attila_query_render_condition(struct pipe_context *pctx, struct pipe_query *query, bool condition,
                              enum pipe_render_cond_flag mode)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->condition = query;
   ctx->condition_value = condition;
   ctx->condition_mode = mode;
   ctx->condition_recorded = false;
}

/* Returns whether the GPU can decide by a query: it has ended, has a single counter, and this was
 * not read back. The "no wait" modes wait, too, as OpenGL permits, so that pictures do not depend
 * on time. */
static bool
attila_query_gpu_can_decide(const struct attila_query *q)
{
   return q->num_counters == 1 && q->type != PIPE_QUERY_TIMESTAMP && !q->has_result && !q->open &&
          q->num_segments && q->sum[0] == 0;
}

bool
attila_draw_condition(struct attila_context *ctx, bool *on_gpu)
{
   const struct attila_query *q = (const struct attila_query *)ctx->condition;
   *on_gpu = q && (ctx->condition_recorded || attila_query_gpu_can_decide(q));
   if (!*on_gpu)
      return attila_render_condition_passes(ctx);
   if (!ctx->condition_recorded) {
      const struct attila_cmd_condition cmd = {q->bo.address, q->num_segments,
                                               ctx->condition_value};
      memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_CONDITION, sizeof(cmd) / 4), &cmd, sizeof(cmd));
      ctx->condition_recorded = true;
   }
   return true;
}

bool
attila_render_condition_passes(struct attila_context *ctx)
{
   if (!ctx->condition)
      return true;
   struct attila_query *q = (struct attila_query *)ctx->condition;
   union pipe_query_result result;
   if (!attila_query_get_query_result(&ctx->base, ctx->condition, true, &result))
      return true;
   const bool hit = attila_query_is_occlusion(q->type) && q->type != PIPE_QUERY_OCCLUSION_COUNTER
                        ? result.b
                        : result.u64 != 0;
   return hit != ctx->condition_value;
}

static uint64_t
attila_query_get_timestamp(struct pipe_context *pctx)
{
   struct attila_context *ctx = attila_context(pctx);
   uint64_t fence;
   attila_cs_submit(&ctx->cs, &fence);
   attila_sim_wait(ctx->cs.screen->sim, fence);
   return attila_screen_time(ctx->cs.screen);
}

void
attila_init_context_queries(struct attila_context *ctx)
{
   ctx->base.create_query = attila_query_create;
   ctx->base.create_batch_query = attila_query_create_batch;
   ctx->base.destroy_query = attila_query_destroy;
   ctx->base.begin_query = attila_query_begin;
   ctx->base.end_query = attila_query_end;
   ctx->base.get_query_result = attila_query_get_query_result;
   ctx->base.set_active_query_state = attila_query_set_active_query_state;
   ctx->base.render_condition = attila_query_render_condition;
   ctx->base.get_timestamp = attila_query_get_timestamp;
   list_inithead(&ctx->active_queries);
   ctx->queries_enabled = true;
}
