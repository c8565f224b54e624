/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which commands use a resource's memory, and which of its pixels are in ROP caches. */
#include "attila_coherence.h"

#include <string.h>
#include "attila_bo.h"
#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_dmabuf.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "util/u_atomic.h"

bool
attila_resource_is_busy(const struct attila_cs *cs, const struct attila_resource *res)
{
   return res->used >= cs->done.idle;
}

void
attila_resource_use(struct attila_cs *cs, struct attila_resource *res)
{
   res->used = p_atomic_read(&cs->screen->memory.epoch);
}

void
attila_texture_discard(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                       const struct pipe_box *box)
{
   struct attila_bo bo;
   if ((cs->screen->debug & ATTILA_DEBUG_NORENAME) || res->dt ||
       !attila_resource_is_busy(cs, res) || !attila_box_is_whole(res, level, box) ||
       attila_num_defined(res) != attila_num_defined_in(res, level, box->z, box->depth) ||
       !attila_bo_alloc(&cs->screen->memory, res->layout.size, res->layout.align, &bo))
      return;
   attila_bo_free(&cs->screen->memory, &res->bo);
   res->bo = bo;
   res->used = res->color_seq = res->zs_seq = 0;
   attila_undefine(res);
   p_atomic_inc(&cs->screen->renames);
}

void
attila_resource_rendered(struct attila_cs *cs, struct attila_resource *res, bool zs)
{
   res->rop_context = cs->id;
   res->front_rendered = res->is_front;
   if (res->dmabuf)
      attila_dmabuf_written(cs, res);
   if (zs)
      res->zs_seq = cs->rop_seq;
   else
      res->color_seq = cs->rop_seq;
   res->bo.caches |= zs ? ATTILA_FLUSH_ZS : ATTILA_FLUSH_COLOR;
   attila_resource_use(cs, res);
}

uint32_t
attila_resource_flush_bits(const struct attila_cs *cs, const struct attila_resource *res)
{
   /* The rendering of another context was flushed when the GPU switched contexts. */
   if (res->rop_context != cs->id)
      return 0;
   return (res->color_seq > cs->flushed_color ? ATTILA_FLUSH_COLOR : 0) |
          (res->zs_seq > cs->flushed_zs ? ATTILA_FLUSH_ZS : 0);
}

void
attila_resource_flush(struct attila_cs *cs, struct attila_resource *res)
{
   uint32_t bits = attila_resource_flush_bits(cs, res);
   if (bits)
      attila_cs_flush_caches(cs, bits | ATTILA_FLUSH_TEXTURE);
}

void
attila_resource_discard(struct attila_cs *cs, struct attila_resource *res)
{
   /* A deferred resolve has flushed the caches, and no command may come between it and the swap. */
   if (cs->before_next || !attila_resource_flush_bits(cs, res))
      return;
   const struct attila_cmd_buffer discard = {res->bo.address, (uint32_t)res->layout.size};
   memcpy(attila_cs_emit(cs, ATTILA_CMD_DISCARD, sizeof(discard) / 4), &discard, sizeof(discard));
}
