/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Recording and submission of commands. Not here: which commands a state change needs
 * (attila_emit.c).
 *
 * Every Gallium context has a context of the GPU, with registers, constants and programs of its
 * own. All share the GPU's caches, so a submission that follows another context's begins with a
 * flush. Recording takes no lock that is held while the GPU works.
 */
#include "attila_cs.h"

#include <stdio.h>
#include <string.h>
#include "attila_bo.h"
#include "attila_context.h"
#include "attila_debug.h"
#include "attila_eviction.h"
#include "attila_resolve.h"
#include "attila_screen.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/u_atomic.h"
#include "util/u_memory.h"

bool
attila_cs_init(struct attila_context *ctx)
{
   ctx->cs.words = MALLOC(ATTILA_CS_WORDS * sizeof(uint32_t));
   ctx->cs.open_epoch = UINT64_MAX;
   /* A context's first submission begins with a flush when there are others. */
   attila_cs_waits(ctx);
   return ctx->cs.words != NULL;
}

void
attila_cs_finish(struct attila_context *ctx)
{
   FREE(ctx->cs.words);
   ctx->cs.words = NULL;
}

/* ATTILA_DEBUG=sync */
static void
finish_recorded(struct attila_context *ctx)
{
   uint64_t fence;
   attila_cs_submit(ctx, &fence);
   attila_sim_wait(ctx->screen->sim, fence);
}

uint32_t *
attila_cs_emit(struct attila_context *ctx, enum attila_opcode op, unsigned words)
{
   struct attila_cs *cs = &ctx->cs;
   assert(words + 1 <= ATTILA_CS_WORDS);
   attila_resolve_now(ctx);
   if (unlikely(ctx->screen->debug & ATTILA_DEBUG_SYNC) && cs->num)
      finish_recorded(ctx);
   if (cs->num + words + 1 > ATTILA_CS_WORDS)
      attila_cs_submit(ctx, NULL);
   if (!cs->num) {
      simple_mtx_lock(&ctx->screen->lock);
      cs->open_epoch = p_atomic_read(&ctx->screen->memory.epoch);
      cs->thread = thrd_current();
      simple_mtx_unlock(&ctx->screen->lock);
   }
   if (attila_cmd_waits(op))
      attila_cs_waits(ctx);
   cs->words[cs->num] = ATTILA_CMD_HEADER(op, words);
   uint32_t *payload = &cs->words[cs->num + 1];
   cs->num += words + 1;
   return payload;
}

void
attila_cs_waits(struct attila_context *ctx)
{
   ctx->cs.done.idle = p_atomic_inc_return(&ctx->screen->memory.epoch);
}

/* Makes the GPU's context of ctx the one that commands are for. Under submit_lock. */
static bool
select_context(struct attila_context *ctx)
{
   struct attila_screen *screen = ctx->screen;
   if (screen->last_submitter == ctx)
      return true;
   const uint32_t words[] = {
       ATTILA_CMD_HEADER(ATTILA_CMD_CONTEXT, 1),
       ctx->number | (ctx->cs.begun ? 0 : ATTILA_CONTEXT_RESET),
       ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
       ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE,
   };
   /* Nothing is cached before the first submission. */
   const bool ok = attila_sim_submit(screen->sim, words, screen->submitted ? 4 : 2);
   screen->last_submitter = ctx;
   screen->submitted = true;
   ctx->cs.begun = true;
   return ok;
}

static void
print_submission(const struct attila_context *ctx)
{
   static const char *const names[] = {
#define C(NAME, name, words, doc) #NAME,
       ATTILA_COMMANDS(C)
#undef C
   };
   unsigned count[ATTILA_NUM_CMDS] = {0};
   for (unsigned i = 0; i < ctx->cs.num; i += 1 + ATTILA_CMD_WORDS(ctx->cs.words[i]))
      count[ATTILA_CMD_OP(ctx->cs.words[i])]++;
   char line[512];
   int at = snprintf(line, sizeof(line), "context %u, %u words:", ctx->id, ctx->cs.num);
   for (unsigned i = 0; i < ATTILA_NUM_CMDS; i++) {
      if (count[i])
         at += snprintf(line + at, sizeof(line) - at, " %s %u", names[i], count[i]);
   }
   mesa_logi("attila: %s", line);
}

void
attila_cs_submit(struct attila_context *ctx, uint64_t *fence)
{
   struct attila_screen *screen = ctx->screen;
   struct attila_cs *cs = &ctx->cs;
   bool ok = true;
   attila_resolve_now(ctx);
   if ((screen->debug & ATTILA_DEBUG_CMD) && cs->num)
      print_submission(ctx);

   p_atomic_inc(&screen->num_submissions);
   /* What others still record will come after this, and may use what was freed since they began. */
   simple_mtx_lock(&screen->submit_lock);
   simple_mtx_lock(&screen->lock);
   const uint64_t mark = attila_memory_mark(screen, ctx);
   simple_mtx_unlock(&screen->lock);
   const bool executed = cs->num != 0;
   if (executed)
      ok = select_context(ctx) && attila_sim_submit(screen->sim, cs->words, cs->num);
   if (fence) {
      uint64_t value = ++screen->next_fence;
      uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_FENCE, 2), (uint32_t)value,
                           (uint32_t)(value >> 32)};
      ok = attila_sim_submit(screen->sim, words, ARRAY_SIZE(words)) && ok;
      *fence = value;
   }
   simple_mtx_unlock(&screen->submit_lock);

   simple_mtx_lock(&screen->lock);
   cs->num = 0;
   cs->open_epoch = UINT64_MAX;
   if (executed && ok)
      attila_memory_done(&screen->memory, &(struct attila_done){MIN2(cs->done.idle, mark),
                                                                MIN2(cs->done.color, mark),
                                                                MIN2(cs->done.zs, mark)});
   simple_mtx_unlock(&screen->lock);
   if (!ok)
      attila_screen_lost(screen);
}

bool
attila_cs_submitted_last(struct attila_context *ctx)
{
   simple_mtx_lock(&ctx->screen->submit_lock);
   const bool last = ctx->screen->last_submitter == ctx;
   simple_mtx_unlock(&ctx->screen->submit_lock);
   return last;
}

/* A context belongs to one thread at a time; those of other threads cannot be touched here. */
void
attila_cs_submit_all(struct attila_screen *screen)
{
   struct attila_context *found;
   attila_release_all_deleted(screen);
   do {
      found = NULL;
      simple_mtx_lock(&screen->lock);
      list_for_each_entry (struct attila_context, ctx, &screen->contexts, link) {
         if ((ctx->cs.open_epoch != UINT64_MAX || ctx->resolve_src) &&
             thrd_equal(ctx->cs.thread, thrd_current()))
            found = ctx;
      }
      simple_mtx_unlock(&screen->lock);
      if (found)
         attila_cs_submit(found, NULL);
   } while (found);
}

void
attila_cs_write_buffer(struct attila_context *ctx, uint32_t address, const void *data,
                       uint32_t size, bool no_wait)
{
   while (size) {
      uint32_t n = MIN2(size, ATTILA_CS_MAX_UPLOAD);
      uint32_t *p = attila_cs_emit(ctx, ATTILA_CMD_WRITE_BUFFER, 2 + DIV_ROUND_UP(n, 4));
      p[0] = address;
      p[1] = n | (no_wait ? ATTILA_BUFFER_NO_WAIT : 0);
      if (!no_wait)
         attila_cs_waits(ctx);
      p[2 + (n - 1) / 4] = 0; /* the bytes after the end of the data */
      memcpy(p + 2, data, n);
      no_wait = true; /* one has waited */
      address += n;
      data = (const uint8_t *)data + n;
      size -= n;
   }
}

void
attila_cs_flush_caches(struct attila_context *ctx, uint32_t bits)
{
   *attila_cs_emit(ctx, ATTILA_CMD_FLUSH, 1) = bits;
   if (bits & ATTILA_FLUSH_COLOR) {
      ctx->flushed_color = ctx->rop_seq;
      ctx->cs.done.color = ctx->cs.done.idle;
   }
   if (bits & ATTILA_FLUSH_ZS) {
      ctx->flushed_zs = ctx->rop_seq;
      ctx->cs.done.zs = ctx->cs.done.idle;
   }
   ctx->rop_seq++;
}
