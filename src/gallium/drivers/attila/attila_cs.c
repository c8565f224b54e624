/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Recording and submission of commands. Not here: which commands a state change needs
 * (attila_emit.c).
 *
 * All contexts of a screen share one GPU and its one register file. A context records against its
 * own idea of the registers; when another context submitted in between, submission first restores
 * the state this recording began with.
 */
#include "attila_cs.h"

#include <stdio.h>
#include <string.h>
#include "attila_context.h"
#include "attila_screen.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/u_memory.h"

/* Room for the counters that end a recording: more than all the queries that can be active take. */
#define SUSPEND_WORDS 4096
#define RESTORE_WORDS (ATTILA_NUM_REGS + 2 * (ATTILA_MAX_CONSTS * 4 + 3) + 2 * 4 + 16)

static void
copy_hw_state(struct attila_hw_state *dst, const struct attila_hw_state *src)
{
   dst->regs = src->regs;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      dst->program[s] = src->program[s];
      dst->num_consts[s] = src->num_consts[s];
      memcpy(dst->consts[s], src->consts[s], src->num_consts[s] * sizeof(src->consts[s][0]));
   }
}

bool
attila_cs_init(struct attila_context *ctx)
{
   ctx->cs.words = MALLOC(ATTILA_CS_WORDS * sizeof(uint32_t));
   ctx->cs.open_epoch = UINT64_MAX;
   return ctx->cs.words != NULL;
}

void
attila_cs_finish(struct attila_context *ctx)
{
   FREE(ctx->cs.words);
   ctx->cs.words = NULL;
}

uint32_t *
attila_cs_emit(struct attila_context *ctx, enum attila_opcode op, unsigned words)
{
   struct attila_cs *cs = &ctx->cs;
   assert(words + 1 <= ATTILA_CS_WORDS - SUSPEND_WORDS);
   if (cs->num + words + 1 > ATTILA_CS_WORDS - (cs->closing ? 0 : SUSPEND_WORDS))
      attila_cs_submit(ctx, NULL);
   if (!cs->num) {
      copy_hw_state(&cs->start, &cs->hw);
      simple_mtx_lock(&ctx->screen->lock);
      cs->open_epoch = ctx->screen->memory.epoch;
      cs->thread = thrd_current();
      simple_mtx_unlock(&ctx->screen->lock);
      if (ctx->queries_suspended)
         attila_queries_resume(ctx);
   }
   cs->words[cs->num] = ATTILA_CMD_HEADER(op, words);
   uint32_t *payload = &cs->words[cs->num + 1];
   cs->num += words + 1;
   return payload;
}

/* Commands that bring the GPU from any state to this one. Returns the number of words. */
static unsigned
build_restore(const struct attila_hw_state *hw, uint32_t *out)
{
   uint32_t *p = out;
   *p++ = ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1);
   *p++ = ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE;
   *p++ = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_REGS, ATTILA_NUM_REGS + 1);
   *p++ = 0;
   memcpy(p, &hw->regs, sizeof(hw->regs));
   p += ATTILA_NUM_REGS;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (hw->num_consts[s]) {
         *p++ = ATTILA_CMD_HEADER(ATTILA_CMD_WRITE_CONSTS, 2 + hw->num_consts[s] * 4);
         *p++ = s;
         *p++ = 0;
         memcpy(p, hw->consts[s], hw->num_consts[s] * 16);
         p += hw->num_consts[s] * 4;
      }
      if (hw->program[s].size) {
         *p++ = ATTILA_CMD_HEADER(ATTILA_CMD_LOAD_PROGRAM, 3);
         memcpy(p, &hw->program[s], sizeof(hw->program[s]));
         p += 3;
      }
   }
   return (unsigned)(p - out);
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

   /* The GPU's counters count for all contexts: another one may draw before this one's next
    * submission. */
   if (cs->num && screen->num_contexts > 1 && !cs->closing) {
      cs->closing = true;
      attila_queries_suspend(ctx);
      cs->closing = false;
   }
   if ((screen->debug & ATTILA_DEBUG_CMD) && cs->num)
      print_submission(ctx);

   simple_mtx_lock(&screen->lock);
   if (cs->num && screen->last_submitter != ctx) {
      if (screen->last_submitter || screen->next_context_id > 1) {
         uint32_t *restore = MALLOC(RESTORE_WORDS * sizeof(uint32_t));
         ok =
             restore && attila_sim_submit(screen->sim, restore, build_restore(&cs->start, restore));
         FREE(restore);
      }
      screen->last_submitter = ctx;
   }
   if (cs->num && ok)
      ok = attila_sim_submit(screen->sim, cs->words, cs->num);
   if (fence) {
      uint64_t value = ++screen->next_fence;
      uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_FENCE, 2), (uint32_t)value,
                           (uint32_t)(value >> 32)};
      ok = attila_sim_submit(screen->sim, words, ARRAY_SIZE(words)) && ok;
      *fence = value;
   }
   cs->num = 0;
   cs->open_epoch = UINT64_MAX;
   simple_mtx_unlock(&screen->lock);
   if (!ok)
      attila_screen_lost(screen);
}

/* A context belongs to one thread at a time; those of other threads cannot be touched here. */
void
attila_cs_submit_all(struct attila_screen *screen)
{
   struct attila_context *found;
   do {
      found = NULL;
      simple_mtx_lock(&screen->lock);
      list_for_each_entry (struct attila_context, ctx, &screen->contexts, link) {
         if (ctx->cs.open_epoch != UINT64_MAX && thrd_equal(ctx->cs.thread, thrd_current()))
            found = ctx;
      }
      simple_mtx_unlock(&screen->lock);
      if (found) {
         attila_release_deleted(found);
         attila_cs_submit(found, NULL);
      }
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
      p[2 + (n - 1) / 4] = 0; /* the bytes after the end of the data */
      memcpy(p + 2, data, n);
      address += n;
      data = (const uint8_t *)data + n;
      size -= n;
   }
}

void
attila_cs_flush_caches(struct attila_context *ctx, uint32_t bits)
{
   *attila_cs_emit(ctx, ATTILA_CMD_FLUSH, 1) = bits;
   if (bits & ATTILA_FLUSH_COLOR)
      ctx->flushed_color = ctx->rop_seq;
   if (bits & ATTILA_FLUSH_ZS)
      ctx->flushed_zs = ctx->rop_seq;
   ctx->rop_seq++;
}
