/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Clear and flush of the blocks of one ROP (rop_cache.h). A fast clear only changes block states.
 * Clearing depth without stencil, or the reverse, is fast when every block is still clear, else
 * each block is read, modified and written like a quad would. A flush writes dirty lines, writes
 * the clear value to blocks still clear, rewrites compressed blocks in full and forgets everything.
 */
#include "box/rop/rop_cache.h"

/* State words looked at per cycle when a flush searches for blocks that need work. */
#define SCAN_BLOCKS 64
/* Quads of a block that is modified in place, one per cycle. */
#define MODIFY_CYCLES 16

/* Moves on to the next own block; false after the last one. */
static bool
walk_next(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w)
{
   if (++w->sample < s->bind.samples)
      return true;
   w->sample = 0;
   w->j++;
   while (w->ty < s->bind.height_tiles &&
          rop_own_first(c, w->ty) + w->j * c->num_rops >= s->bind.width_tiles) {
      w->j = 0;
      w->ty++;
   }
   return w->ty < s->bind.height_tiles;
}

static bool
walk_first(const struct rop_cache *c, const struct rop_surface *s, struct rop_walk *w)
{
   *w = (struct rop_walk){0, 0, s->bind.samples};
   w->j = UINT32_MAX; /* walk_next adds one */
   return walk_next(c, s, w);
}

static uint32_t
walk_tx(const struct rop_cache *c, const struct rop_walk *w)
{
   return rop_own_first(c, w->ty) + w->j * c->num_rops;
}

static uint32_t
walk_block(const struct rop_surface *s, const struct rop_walk *w)
{
   return (w->ty * s->local_pitch + w->j) * s->bind.samples + w->sample;
}

static uint32_t
walk_address(const struct rop_cache *c, const struct rop_surface *s, const struct rop_walk *w)
{
   return rop_block_address(s, walk_tx(c, w), w->ty, w->sample);
}

static void
drop_line(struct rop_cache *c, uint32_t i)
{
   c->tag[i] = 0;
   c->line[i].state = ROP_LINE_INVALID;
   c->line[i].dirty = false;
}

/* --- Flush --- */

void
rop_cache_flush(struct rop_cache *c)
{
   c->command = ROP_BUSY_FLUSH_LINES;
   c->cmd_until = 0;
   c->cmd_index = 0;
   c->cmd_surface = 0;
}

/* Starts the search in the next surface that has blocks to resolve. */
static void
next_surface(struct rop_cache *c)
{
   for (; c->cmd_surface < ROP_MAX_SURFACES; c->cmd_surface++) {
      const struct rop_surface *s = &c->surface[c->cmd_surface];
      if (s->used && s->num_clear + s->num_compressed && walk_first(c, s, &c->cmd_walk)) {
         c->command = ROP_BUSY_FLUSH_BLOCKS;
         return;
      }
   }
   c->command = ROP_BUSY_DRAIN;
}

/* Writes back one line per cycle. A clean line of a compressed block is written too: its data is
 * here, so nothing has to be read. */
static bool
flush_lines(struct rop_cache *c, sim_tick now)
{
   for (; c->cmd_index < c->ways * c->sets; c->cmd_index++) {
      struct rop_line *l = &c->line[c->cmd_index];
      if (l->state == ROP_LINE_INVALID)
         continue;
      struct rop_surface *s = &c->surface[l->surface];
      if (l->dirty || rop_cache_state(c, s, l->block) >= ROP_BLOCK_HALF) {
         int b = rop_cache_take_buffer(c, now, l->address, l->bytes, 0);
         if (b < 0)
            return false;
         memcpy(rop_cache_buffer_data(c, (unsigned)b), rop_cache_data(c, c->cmd_index), l->bytes);
         rop_cache_set_state(c, s, l->block, ROP_BLOCK_PLAIN);
         ++*rop_stat(c, 0, ROP_STAT_written_plain);
         drop_line(c, c->cmd_index++);
         return true;
      }
      drop_line(c, c->cmd_index);
   }
   next_surface(c);
   return true;
}

/* Brings one block to memory in full; false: not now. */
static bool
resolve_block(struct rop_cache *c, sim_tick now, struct rop_surface *s, uint32_t block,
              uint32_t address)
{
   bool clear = rop_cache_state(c, s, block) == ROP_BLOCK_CLEAR;
   if (!clear && rop_cache_write_pending(c, address))
      return false;
   if (c->free_buffers == 0)
      return false;
   uint32_t bytes = 64 * s->element_bytes;
   if (clear) {
      int b = rop_cache_take_buffer(c, now, address, bytes, 0);
      rop_fill(rop_cache_buffer_data(c, (unsigned)b), s->clear_value, bytes);
   } else {
      uint32_t b = 0;
      while (c->buffer[b].state != ROP_BUFFER_FREE)
         b++;
      c->free_buffers--;
      c->buffer[b] = (struct rop_buffer){
          .address = address,
          .bytes = (uint16_t)bytes,
          .state = ROP_BUFFER_READ,
          .chunks_left = 1,
          .wire_class = rop_cache_state(c, s, block) == ROP_BLOCK_QUARTER ? 4 : 2};
      rop_ring_push(&c->reads, c->ways * c->sets + b);
   }
   rop_cache_set_state(c, s, block, ROP_BLOCK_PLAIN);
   ++*rop_stat(c, 0, ROP_STAT_written_plain);
   return true;
}

static bool
flush_blocks(struct rop_cache *c, sim_tick now)
{
   struct rop_surface *s = &c->surface[c->cmd_surface];
   bool more = true;
   for (unsigned n = 0; n < SCAN_BLOCKS && more && s->num_clear + s->num_compressed; n++) {
      uint32_t block = walk_block(s, &c->cmd_walk);
      bool resolve = rop_cache_state(c, s, block) != ROP_BLOCK_PLAIN;
      if (resolve && !resolve_block(c, now, s, block, walk_address(c, s, &c->cmd_walk)))
         return n > 0;
      more = walk_next(c, s, &c->cmd_walk);
      if (resolve)
         break;
   }
   if (!more || s->num_clear + s->num_compressed == 0) {
      c->cmd_surface++;
      next_surface(c);
   }
   return true;
}

/* Done once memory has answered every write; then nothing is remembered. */
static bool
drained(struct rop_cache *c)
{
   if (c->free_buffers != c->max_misses)
      return false;
   for (unsigned i = 0; i < ROP_MAX_SURFACES; i++)
      c->surface[i].used = false;
   c->states_used = 0;
   return true;
}

/* --- Clear --- */

static void
drop_surface_lines(struct rop_cache *c, unsigned surface)
{
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      if (c->line[i].state != ROP_LINE_INVALID && c->line[i].surface == surface)
         drop_line(c, i);
   }
}

static bool
has_dirty_lines(const struct rop_cache *c, unsigned surface)
{
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      if (c->line[i].state != ROP_LINE_INVALID && c->line[i].surface == surface && c->line[i].dirty)
         return true;
   }
   return false;
}

/* Every own block that has a state becomes clear, a row of tiles at a time. */
static void
mark_clear(struct rop_cache *c, struct rop_surface *s)
{
   s->num_clear = s->num_compressed = 0;
   for (uint32_t ty = 0; ty < s->bind.height_tiles; ty++) {
      uint32_t first = rop_own_first(c, ty);
      if (first >= s->bind.width_tiles)
         continue;
      uint32_t count =
          (s->bind.width_tiles - first + c->num_rops - 1) / c->num_rops * s->bind.samples;
      uint32_t begin = ty * s->local_pitch * s->bind.samples;
      if (begin >= s->num_states)
         break;
      count = count < s->num_states - begin ? count : s->num_states - begin;
      memset(c->states + s->state_base + begin, ROP_BLOCK_CLEAR, count);
      s->num_clear += count;
   }
}

void
rop_repeat(uint8_t value[16], uint32_t element_bytes)
{
   for (uint32_t i = element_bytes; i < 16; i++)
      value[i] = value[i - element_bytes];
}

void
rop_cache_clear(struct rop_cache *c, sim_tick now, unsigned surface, const uint8_t value[16],
                unsigned planes, float depth, uint32_t stencil)
{
   struct rop_surface *s = &c->surface[surface];
   c->cmd_surface = surface;
   c->cmd_planes = planes;
   c->cmd_depth = depth;
   c->cmd_stencil = stencil;
   c->cmd_pending = 0;
   if (planes != 3 && (s->num_clear != s->own_blocks || has_dirty_lines(c, surface))) {
      c->command = ROP_BUSY_MODIFY;
      c->cmd_until = 0;
      if (!walk_first(c, s, &c->cmd_walk))
         c->command = ROP_BUSY_TIMER;
      c->cmd_done = c->cmd_walk;
      return;
   }
   uint8_t element[16];
   if (planes == 3) {
      memcpy(element, value, 16);
   } else {
      emul_zs_clear_value(&attila_formats[s->bind.format], planes, depth, stencil, s->clear_value,
                          element);
      rop_repeat(element, s->element_bytes);
   }
   memcpy(s->clear_value, element, 16);
   drop_surface_lines(c, surface);
   mark_clear(c, s);
   uint32_t cycles = (s->own_blocks + c->blocks_cleared - 1) / c->blocks_cleared;
   c->command = ROP_BUSY_TIMER;
   c->cmd_until = now + (cycles ? cycles : 1) * c->box->period;
}

/* After the fast part: blocks without a state are written. */
static bool
write_uncovered(struct rop_cache *c, sim_tick now, bool *progress)
{
   struct rop_surface *s = &c->surface[c->cmd_surface];
   for (unsigned n = 0; n < SCAN_BLOCKS; n++) {
      if (walk_block(s, &c->cmd_walk) >= s->num_states) {
         int b = rop_cache_take_buffer(c, now, walk_address(c, s, &c->cmd_walk),
                                       64 * s->element_bytes, 0);
         if (b < 0)
            return false;
         rop_fill(rop_cache_buffer_data(c, (unsigned)b), s->clear_value, 64 * s->element_bytes);
         ++*rop_stat(c, 0, ROP_STAT_written_plain);
         n = SCAN_BLOCKS;
      }
      *progress = true;
      if (!walk_next(c, s, &c->cmd_walk))
         return true;
   }
   return false;
}

/* Depth without stencil or the reverse: fetches blocks ahead in order and modifies the oldest one.
 */
static bool
modify_blocks(struct rop_cache *c, sim_tick now, bool *progress)
{
   struct rop_surface *s = &c->surface[c->cmd_surface];
   const struct attila_format_desc *format = &attila_formats[s->bind.format];
   struct rop_walk *issue = &c->cmd_walk, *done = &c->cmd_done;
   if (c->cmd_pending && now >= c->cmd_until) {
      uint32_t address = walk_address(c, s, done), i = 0;
      while (c->tag[i] != address)
         i++;
      if (rop_cache_ready(c, i, now)) {
         uint8_t *data = rop_cache_data(c, i), value[8];
         for (unsigned e = 0; e < 64; e++) {
            emul_zs_clear_value(format, c->cmd_planes, c->cmd_depth, c->cmd_stencil,
                                data + e * s->element_bytes, value);
            memcpy(data + e * s->element_bytes, value, s->element_bytes);
         }
         rop_cache_release(c, i, true);
         walk_next(c, s, done);
         c->cmd_pending--;
         c->cmd_until = now + MODIFY_CYCLES * c->box->period;
         *progress = true;
      } else if (c->line[i].state == ROP_LINE_VALID) {
         c->cmd_until = c->line[i].ready;
      }
   }
   bool all_issued = issue->ty >= s->bind.height_tiles;
   if (!all_issued && c->cmd_pending < c->max_misses &&
       rop_cache_reserve(c, now, c->cmd_surface, walk_tx(c, issue), issue->ty, issue->sample, 0) >=
           0) {
      walk_next(c, s, issue);
      c->cmd_pending++;
      *progress = true;
   }
   return issue->ty >= s->bind.height_tiles && c->cmd_pending == 0 && now >= c->cmd_until;
}

bool
rop_cache_step(struct rop_cache *c, sim_tick now, bool *progress)
{
   bool finished = false;
   switch (c->command) {
   case ROP_BUSY_FLUSH_LINES:
      *progress |= flush_lines(c, now);
      break;
   case ROP_BUSY_FLUSH_BLOCKS:
      *progress |= flush_blocks(c, now);
      break;
   case ROP_BUSY_DRAIN:
      finished = drained(c);
      break;
   case ROP_BUSY_TIMER: {
      struct rop_surface *s = &c->surface[c->cmd_surface];
      if (now < c->cmd_until)
         break;
      finished =
          c->cmd_planes != 3 || s->num_clear == s->own_blocks || !walk_first(c, s, &c->cmd_walk);
      c->command = ROP_BUSY_WRITE;
      *progress = true;
      break;
   }
   case ROP_BUSY_WRITE:
      finished = write_uncovered(c, now, progress);
      break;
   case ROP_BUSY_MODIFY:
      finished = modify_blocks(c, now, progress);
      break;
   case ROP_IDLE:
      finished = true;
      break;
   }
   if (finished) {
      c->command = ROP_IDLE;
      *progress = true;
   }
   return finished;
}

/* --- Commands of the command processor --- */

/* Starts the clear of the next surface of the command; false: none is left. */
static bool
clear_next(struct rop_cache *c, sim_tick now)
{
   for (; c->clear_number < ATTILA_MAX_COLOR_BUFFERS; c->clear_number++) {
      struct rop_binding bind;
      uint8_t value[16];
      unsigned planes;
      if (!c->clear_target(c, &c->msg, c->clear_number, &bind, value, &planes))
         continue;
      int surface = rop_cache_bind(c, &bind);
      if (surface < 0) {
         rop_cache_flush(c);
         c->port = ROP_PORT_OWN_FLUSH;
         c->port_resume = ROP_PORT_CLEAR;
         return true;
      }
      rop_cache_clear(c, now, (unsigned)surface, value, planes, c->msg.depth, c->msg.stencil);
      c->clear_number++;
      return true;
   }
   return false;
}

static void
start_command(struct rop_cache *c, sim_tick now, bool *progress)
{
   const struct msg_rop *msg = sim_peek(c->from_cp, now);
   if (c->want_flush) {
      c->port = ROP_PORT_OWN_FLUSH;
      c->port_resume = ROP_PORT_NONE;
      rop_cache_flush(c);
   } else if (msg) {
      c->msg = *msg;
      sim_pop(c->from_cp, now);
      c->clear_number = 0;
      c->port = c->msg.op == ROP_CLEAR ? ROP_PORT_CLEAR : ROP_PORT_FLUSH;
      if (c->port == ROP_PORT_FLUSH)
         rop_cache_flush(c);
   } else {
      return;
   }
   *progress = true;
}

bool
rop_cache_commands(struct rop_cache *c, sim_tick now, bool idle, bool *progress, bool *flushed)
{
   if (c->port == ROP_PORT_NONE && idle)
      start_command(c, now, progress);
   switch (c->port) {
   case ROP_PORT_NONE:
      return true;
   case ROP_PORT_FLUSH:
   case ROP_PORT_OWN_FLUSH:
      if (rop_cache_step(c, now, progress)) {
         c->port = c->port == ROP_PORT_FLUSH ? ROP_PORT_ANSWER : c->port_resume;
         c->want_flush = false;
         *flushed = true;
      }
      break;
   case ROP_PORT_CLEAR:
      if (c->command != ROP_IDLE) {
         rop_cache_step(c, now, progress);
         break;
      }
      *progress = true;
      if (!clear_next(c, now))
         c->port = ROP_PORT_ANSWER;
      break;
   case ROP_PORT_ANSWER:
      break;
   }
   if (c->port == ROP_PORT_ANSWER && sim_can_send(c->to_cp, now)) {
      struct msg_done done = {.unit = (uint8_t)c->rop};
      sim_send(c->to_cp, now, &done);
      c->port = ROP_PORT_NONE;
      *progress = true;
   }
   if (c->port != ROP_PORT_NONE)
      rop_cache_wait(c, 0,
                     c->port == ROP_PORT_CLEAR ? ROP_STAT_clear_cycles : ROP_STAT_flush_cycles);
   return false;
}
