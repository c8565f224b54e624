/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Storage buffers (images: attila_image.c), and those of atomic counters, which Mesa puts behind
 * them. A draw or grid that may write a bound range makes it the GPU's (attila_buffer.h), so the
 * CPU reads it back when it maps it. Barriers need no command: on the GPU such a draw runs alone
 * (box/command/cp_storage.c). */
#include "attila_storage.h"

#include "attila_buffer.h"
#include "attila_coherence.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_init.h"
#include "attila_program.h"
#include "attila_resource.h"
#include "util/u_inlines.h"
#include "util/u_math.h"

bool
attila_storage_stage_of(enum pipe_shader_type shader, enum attila_stage *stage)
{
   *stage = shader == PIPE_SHADER_VERTEX     ? ATTILA_STAGE_VERTEX
            : shader == PIPE_SHADER_GEOMETRY ? ATTILA_STAGE_GEOMETRY
            : shader == PIPE_SHADER_COMPUTE  ? ATTILA_STAGE_COMPUTE
                                             : ATTILA_STAGE_FRAGMENT;
   return shader == PIPE_SHADER_VERTEX || shader == PIPE_SHADER_GEOMETRY ||
          shader == PIPE_SHADER_FRAGMENT || shader == PIPE_SHADER_COMPUTE;
}

static void
attila_storage_set_buffers(struct pipe_context *pctx, enum pipe_shader_type shader, unsigned start,
                           unsigned count, const struct pipe_shader_buffer *buffers,
                           unsigned writable)
{
   struct attila_context *ctx = attila_context(pctx);
   enum attila_stage stage;
   if (!attila_storage_stage_of(shader, &stage))
      return;
   struct attila_storage *s = &ctx->state.storage[stage];
   for (unsigned i = 0; i < count && start + i < ATTILA_MAX_STORAGE_BUFFERS; i++) {
      struct attila_const_buffer *b = &s->buffers[start + i];
      const struct pipe_shader_buffer *from = buffers ? &buffers[i] : NULL;
      pipe_resource_reference(&b->buffer, from ? from->buffer : NULL);
      b->offset = b->buffer ? MIN2(from->buffer_offset, b->buffer->width0) : 0;
      b->size = b->buffer ? MIN3(from->buffer_size, b->buffer->width0 - b->offset,
                                 ATTILA_MAX_STORAGE_BYTES)
                          : 0;
      s->writable &= ~(1u << (start + i));
      s->writable |= (writable >> i & 1) << (start + i);
   }
}

/* Returns the stage's program if it uses storage buffers. */
static const struct attila_isa_program *
attila_storage_program(const struct attila_context *ctx, enum attila_stage stage)
{
   const struct attila_program *p = ctx->state.program[stage];
   return p && p->compiled.isa.uses_storage ? &p->compiled.isa : NULL;
}

/* Bytes that were never written are as in system memory, or 0. */
void
attila_storage_prepare(struct attila_context *ctx, const struct attila_const_buffer *b, bool writes)
{
   struct attila_resource *res = attila_resource(b->buffer);
   const uint32_t lo = b->offset, hi = lo + b->size;
   if (hi > res->valid.end && !res->bo.zero)
      attila_buffer_written(&ctx->cs, res, res->valid.end, hi, false);
   else
      util_range_add(&res->base, &res->valid, 0, hi);
   if (writes)
      attila_buffer_gpu_writes(&ctx->cs, res, lo, hi);
   else
      attila_buffer_upload_to(&ctx->cs, res, hi);
}

void
attila_emit_storage(struct attila_context *ctx, enum attila_stage stage)
{
   struct attila_hw_state *hw = &ctx->cs.hw;
   const struct attila_isa_program *isa = attila_storage_program(ctx, stage);
   const struct attila_storage *s = &ctx->state.storage[stage];
   unsigned first = ATTILA_MAX_STORAGE_BUFFERS, last = 0;
   attila_emit_images(ctx, stage);
   for (unsigned i = 0; isa && i < ATTILA_MAX_STORAGE_BUFFERS; i++) {
      const struct attila_const_buffer *b = &s->buffers[i];
      uint32_t address = 0;
      if (b->size) {
         attila_storage_prepare(ctx, b, isa->writes_storage && s->writable >> i & 1);
         address = attila_resource(b->buffer)->bo.address + b->offset;
      }
      if (hw->storage[stage][i].address == address && hw->storage[stage][i].size == b->size)
         continue;
      hw->storage[stage][i].address = address;
      hw->storage[stage][i].size = b->size;
      first = MIN2(first, i);
      last = i + 1;
   }
   if (first >= last)
      return;
   uint32_t *p = attila_cs_emit(&ctx->cs, ATTILA_CMD_STORAGE, 2 + (last - first) * 2);
   p[0] = stage;
   p[1] = first;
   memcpy(p + 2, &hw->storage[stage][first], (last - first) * sizeof(hw->storage[stage][0]));
}

void
attila_storage_drawn(struct attila_context *ctx)
{
   for (enum attila_stage stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      const bool uses = attila_storage_program(ctx, stage) != NULL;
      for (unsigned i = 0; uses && i < ATTILA_MAX_STORAGE_BUFFERS; i++) {
         const struct attila_const_buffer *b = &ctx->state.storage[stage].buffers[i];
         if (b->size)
            attila_resource_use(&ctx->cs, attila_resource(b->buffer));
      }
   }
   attila_image_drawn(ctx);
}

void
attila_storage_unbind(struct attila_context *ctx)
{
   for (enum attila_stage stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      for (unsigned i = 0; i < ATTILA_MAX_STORAGE_BUFFERS; i++)
         pipe_resource_reference(&ctx->state.storage[stage].buffers[i].buffer, NULL);
   }
}

void
attila_init_context_storage(struct attila_context *ctx)
{
   ctx->base.set_shader_buffers = attila_storage_set_buffers;
}
