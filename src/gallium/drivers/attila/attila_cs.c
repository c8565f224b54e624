/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Recording and submission of commands. Every Gallium context has a GPU context with its own
 * registers, constants and programs. All share the GPU's caches, so a submission that follows one
 * of another context begins with a flush. Recording takes no lock that is held while the GPU works.
 * Not here: which commands state needs (attila_emit.c). */
#include "attila_cs.h"

#include <stdio.h>
#include <string.h>
#include "attila_bo.h"
#include "attila_debug.h"
#include "attila_screen.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/u_atomic.h"
#include "util/u_memory.h"

/* The row size of linear data that is best for the blitter. */
#define ROW_BYTES 512
#define ROW_ELEMENT 16

/* The first page contains zeros, since nothing is allocated there. */
#define ZERO_ADDRESS 0

bool
attila_cs_init(struct attila_cs *cs, struct attila_screen *screen,
               struct util_debug_callback *debug)
{
   cs->screen = screen;
   cs->debug = debug;
   cs->rop_seq = 1;
   cs->open_epoch = UINT64_MAX;
   util_dynarray_init(&cs->dmabufs_written, NULL);
   simple_mtx_lock(&screen->lock);
   cs->id = ++screen->next_stream_id;
   cs->number = util_idalloc_alloc(&screen->context_numbers);
   cs->thread = thrd_current();
   list_addtail(&cs->link, &screen->streams);
   simple_mtx_unlock(&screen->lock);
   attila_sim_context_made(screen->sim);
   cs->words = MALLOC((ATTILA_CS_WORDS + ATTILA_CS_NOTE_WORDS) * sizeof(uint32_t));
   /* A context's first submission begins with a flush if there are others. */
   attila_cs_waits(cs);
   return cs->words != NULL;
}

void
attila_cs_finish(struct attila_cs *cs)
{
   struct attila_screen *screen = cs->screen;
   simple_mtx_lock(&screen->submit_lock);
   if (screen->last_submitter == cs)
      screen->last_submitter = NULL;
   simple_mtx_unlock(&screen->submit_lock);
   simple_mtx_lock(&screen->lock);
   list_del(&cs->link);
   util_idalloc_free(&screen->context_numbers, cs->number);
   simple_mtx_unlock(&screen->lock);
   attila_bo_free(&screen->memory, &cs->staging);
   FREE(cs->words);
   cs->words = NULL;
}

/* ATTILA_DEBUG=sync */
static void
attila_cs_finish_recorded(struct attila_cs *cs)
{
   uint64_t fence;
   attila_cs_submit(cs, &fence);
   attila_sim_wait(cs->screen->sim, fence);
}

/* Makes the thread the stream's owner. Takes the lock only if the owner changes. */
void
attila_cs_own(struct attila_cs *cs)
{
   if (thrd_equal(cs->thread, thrd_current()))
      return;
   simple_mtx_lock(&cs->screen->lock);
   cs->thread = thrd_current();
   simple_mtx_unlock(&cs->screen->lock);
}

uint32_t *
attila_cs_emit(struct attila_cs *cs, enum attila_opcode op, unsigned words)
{
   assert(words + 1 <= ATTILA_CS_WORDS);
   if (cs->before_next)
      cs->before_next(cs);
   if (unlikely(cs->screen->debug & ATTILA_DEBUG_SYNC) && cs->num)
      attila_cs_finish_recorded(cs);
   if (cs->num - cs->num_note + words + 1 > ATTILA_CS_WORDS)
      attila_cs_submit(cs, NULL);
   if (!cs->num) {
      simple_mtx_lock(&cs->screen->lock);
      cs->open_epoch = p_atomic_read(&cs->screen->memory.epoch);
      cs->thread = thrd_current();
      simple_mtx_unlock(&cs->screen->lock);
   }
   if (attila_cmd_waits(op))
      attila_cs_waits(cs);
   cs->last = cs->num;
   cs->words[cs->num] = ATTILA_CMD_HEADER(op, words);
   uint32_t *payload = &cs->words[cs->num + 1];
   cs->num += words + 1;
   return payload;
}

uint32_t *
attila_cs_note(struct attila_cs *cs, unsigned words)
{
   if (!cs->screen->has_readers || cs->num_note + words > ATTILA_CS_NOTE_WORDS)
      return NULL;
   const uint32_t header = cs->words[cs->last];
   cs->words[cs->last] = ATTILA_CMD_HEADER(ATTILA_CMD_OP(header), ATTILA_CMD_WORDS(header) + words);
   uint32_t *note = &cs->words[cs->num];
   cs->num += words;
   cs->num_note += words;
   return note;
}

void
attila_cs_waits(struct attila_cs *cs)
{
   cs->done.idle = p_atomic_inc_return(&cs->screen->memory.epoch);
}

/* Selects cs's context on the GPU. submit_lock is held. */
static bool
attila_cs_select_context(struct attila_cs *cs)
{
   struct attila_screen *screen = cs->screen;
   if (screen->last_submitter == cs)
      return true;
   const uint32_t words[] = {
       ATTILA_CMD_HEADER(ATTILA_CMD_CONTEXT, 1),
       cs->number | (cs->begun ? 0 : ATTILA_CONTEXT_RESET),
       ATTILA_CMD_HEADER(ATTILA_CMD_FLUSH, 1),
       ATTILA_FLUSH_COLOR | ATTILA_FLUSH_ZS | ATTILA_FLUSH_TEXTURE,
   };
   /* Nothing is cached before the first submission. */
   const bool ok = attila_sim_submit(screen->sim, words, screen->submitted ? 4 : 2);
   screen->last_submitter = cs;
   screen->submitted = true;
   cs->begun = true;
   return ok;
}

static void
attila_cs_print_submission(const struct attila_cs *cs)
{
   static const char *const names[] = {
#define C(NAME, name, words, doc) #NAME,
       ATTILA_COMMANDS(C)
#undef C
   };
   unsigned count[ATTILA_NUM_CMDS] = {0};
   for (unsigned i = 0; i < cs->num; i += 1 + ATTILA_CMD_WORDS(cs->words[i]))
      count[ATTILA_CMD_OP(cs->words[i])]++;
   char line[512];
   int at = snprintf(line, sizeof(line), "context %u, %u words:", cs->id, cs->num);
   for (unsigned i = 0; i < ATTILA_NUM_CMDS; i++) {
      if (count[i])
         at += snprintf(line + at, sizeof(line) - at, " %s %u", names[i], count[i]);
   }
   mesa_logi("attila: %s", line);
}

uint64_t
attila_cs_mark(struct attila_screen *screen, const struct attila_cs *except)
{
   uint64_t mark = p_atomic_read(&screen->memory.epoch);
   list_for_each_entry (struct attila_cs, cs, &screen->streams, link)
      mark = cs == except ? mark : MIN2(mark, cs->open_epoch);
   return mark;
}

void
attila_cs_submit(struct attila_cs *cs, uint64_t *fence)
{
   struct attila_screen *screen = cs->screen;
   bool ok = true;
   if (cs->before_next)
      cs->before_next(cs);
   if ((screen->debug & ATTILA_DEBUG_CMD) && cs->num)
      attila_cs_print_submission(cs);

   p_atomic_inc(&screen->num_submissions);
   /* Recorded commands of other streams execute later, and may use memory that was freed after the
    * oldest of them was recorded. */
   simple_mtx_lock(&screen->submit_lock);
   simple_mtx_lock(&screen->lock);
   const uint64_t mark = attila_cs_mark(screen, cs);
   simple_mtx_unlock(&screen->lock);
   const bool executed = cs->num != 0;
   if (executed)
      ok = attila_cs_select_context(cs) && attila_sim_submit(screen->sim, cs->words, cs->num);
   if (fence) {
      uint64_t value = ++screen->next_fence;
      uint32_t words[3] = {ATTILA_CMD_HEADER(ATTILA_CMD_FENCE, 2), (uint32_t)value,
                           (uint32_t)(value >> 32)};
      ok = attila_sim_submit(screen->sim, words, ARRAY_SIZE(words)) && ok;
      *fence = value;
   }
   simple_mtx_unlock(&screen->submit_lock);

   simple_mtx_lock(&screen->lock);
   cs->num = cs->num_note = 0;
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
attila_cs_submitted_last(struct attila_cs *cs)
{
   simple_mtx_lock(&cs->screen->submit_lock);
   const bool last = cs->screen->last_submitter == cs;
   simple_mtx_unlock(&cs->screen->submit_lock);
   return last;
}

/* A context belongs to one thread at a time; contexts of other threads are left alone. */
void
attila_cs_submit_all(struct attila_screen *screen)
{
   struct attila_cs *found;
   do {
      found = NULL;
      simple_mtx_lock(&screen->lock);
      list_for_each_entry (struct attila_cs, cs, &screen->streams, link) {
         if ((cs->open_epoch != UINT64_MAX || cs->before_next) &&
             thrd_equal(cs->thread, thrd_current()))
            found = cs;
      }
      simple_mtx_unlock(&screen->lock);
      if (found)
         attila_cs_submit(found, NULL);
   } while (found);
}

bool
attila_cs_read(struct attila_screen *screen, uint32_t address, void *dst, size_t size)
{
   simple_mtx_lock(&screen->lock);
   const uint64_t mark = attila_cs_mark(screen, NULL);
   simple_mtx_unlock(&screen->lock);
   if (!attila_sim_read(screen->sim, address, dst, size)) {
      memset(dst, 0, size);
      attila_screen_lost(screen);
      return false;
   }
   simple_mtx_lock(&screen->lock);
   attila_memory_done(&screen->memory, &(struct attila_done){.idle = mark});
   simple_mtx_unlock(&screen->lock);
   return true;
}

void
attila_cs_write_buffer(struct attila_cs *cs, uint32_t address, const void *data, uint32_t size,
                       bool no_wait)
{
   while (size) {
      uint32_t n = MIN2(size, ATTILA_CS_MAX_UPLOAD);
      uint32_t *p = attila_cs_emit(cs, ATTILA_CMD_WRITE_BUFFER, 2 + DIV_ROUND_UP(n, 4));
      p[0] = address;
      p[1] = n | (no_wait ? ATTILA_BUFFER_NO_WAIT : 0);
      if (!no_wait)
         attila_cs_waits(cs);
      p[2 + (n - 1) / 4] = 0; /* zeros behind the end of the data */
      memcpy(p + 2, data, n);
      no_wait = true; /* one command has waited */
      address += n;
      data = (const uint8_t *)data + n;
      size -= n;
   }
}

void
attila_cs_flush_caches(struct attila_cs *cs, uint32_t bits)
{
   *attila_cs_emit(cs, ATTILA_CMD_FLUSH, 1) = bits;
   if (bits & ATTILA_FLUSH_COLOR) {
      cs->flushed_color = cs->rop_seq;
      cs->done.color = cs->done.idle;
   }
   if (bits & ATTILA_FLUSH_ZS) {
      cs->flushed_zs = cs->rop_seq;
      cs->done.zs = cs->done.idle;
   }
   cs->rop_seq++;
}

/* Copies rows to contiguous memory, from contiguous memory or from a single row that is
 * repeated. */
static void
attila_cs_copy_rows(struct attila_cs *cs, uint32_t dst, uint32_t src, uint64_t size, bool same_row)
{
   while (size) {
      uint32_t width = MIN2(size / ROW_ELEMENT, ROW_BYTES / ROW_ELEMENT), height = 1,
               element = ROW_ELEMENT;
      if (width == ROW_BYTES / ROW_ELEMENT) {
         height = (uint32_t)MIN2(size / ROW_BYTES, ATTILA_MAX_SURFACE_DIM);
      } else if (!width) {
         width = (uint32_t)size;
         element = 1;
      }
      const struct attila_cmd_blit blit = {
          .src = {.address = src, .linear_stride = same_row ? 0 : ROW_BYTES},
          .dst = {.address = dst, .linear_stride = ROW_BYTES},
          .width = width,
          .height = height,
          .depth = 1,
          .element_bytes = element,
          .samples = 1,
      };
      memcpy(attila_cs_emit(cs, ATTILA_CMD_BLIT, sizeof(blit) / 4), &blit, sizeof(blit));
      const uint32_t done = width * height * element;
      dst += done;
      src += same_row ? 0 : done;
      size -= done;
   }
}

void
attila_cs_copy_bytes(struct attila_cs *cs, uint32_t dst, uint32_t src, uint64_t size)
{
   attila_cs_copy_rows(cs, dst, src, size, false);
   cs->frame_has_work = true;
}

void
attila_cs_zero_bytes(struct attila_cs *cs, uint32_t address, uint64_t size)
{
   attila_cs_copy_rows(cs, address, ZERO_ADDRESS, size, true);
}

void
attila_cs_clear_color(struct attila_cs *cs, uint32_t buffers, const float color[4])
{
   uint32_t *p = attila_cs_emit(cs, ATTILA_CMD_CLEAR_COLOR, 5);
   p[0] = buffers;
   memcpy(p + 1, color, 4 * sizeof(*color));
}

void
attila_cs_clear_zs(struct attila_cs *cs, bool depth, bool stencil, float depth_value,
                   uint32_t stencil_value)
{
   uint32_t *p = attila_cs_emit(cs, ATTILA_CMD_CLEAR_ZS, 3);
   p[0] = (depth ? 1 : 0) | (stencil ? 2 : 0);
   memcpy(p + 1, &depth_value, sizeof(depth_value));
   p[2] = stencil_value & 0xff;
}
