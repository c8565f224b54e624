/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A ROP's commands (rop_cache.h): clear, write back, forget. A clear only changes block states,
 * which takes the same time whatever it clears. Depth and stencil have a flag each, so clearing one
 * of them is as fast, and a block costs no traffic as long as both have their clear value. Only
 * blocks for which the block state memory has no place are written (and read first, if a plane
 * stays). Not here: lines (rop_cache.c), surfaces (rop_surface.c), ends of bins (rop_bin.c). */
#include "box/rop/rop_cache.h"

/* Blocks per cycle in a clear's search for those without state. */
#define SCAN_BLOCKS 64

/* --- Write back and forget --- */

void
rop_cache_write_back(struct rop_cache *c, uint64_t start, uint64_t end, bool forget)
{
   c->command = ROP_BUSY_WRITE_BACK;
   c->cmd_index = 0;
   c->cmd_start = start;
   c->cmd_end = end;
   c->cmd_forget = forget;
   c->cmd_until = 0;
}

static inline bool
rop_command_line_in(const struct rop_line *l, uint64_t start, uint64_t end)
{
   return l->state != ROP_LINE_INVALID && l->address < end &&
          (uint64_t)l->address + l->bytes > start;
}

/* Writes back one line per cycle. */
static bool
rop_command_write_lines(struct rop_cache *c)
{
   for (; c->cmd_index < c->ways * c->sets; c->cmd_index++) {
      const struct rop_line *l = &c->line[c->cmd_index];
      if (!rop_command_line_in(l, c->cmd_start, c->cmd_end) || !l->dirty)
         continue;
      struct rop_request *r = rop_transfer_request(c, true);
      if (!r)
         return false;
      rop_sign_forget(c, l);
      rop_transfer_spill(c, r, c->cmd_index);
      rop_transfer_ask(c, r);
      return true;
   }
   c->command = ROP_BUSY_DRAIN;
   return true;
}

static void
rop_command_forget_lines(struct rop_cache *c, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      if (!rop_command_line_in(&c->line[i], start, end))
         continue;
      sim_trace_look_up(c->box, c, c->line[i].address, 0);
      rop_cache_drop_line(c, i);
   }
}

/* Returns whether memory has answered every write; then forgets if that was commanded. */
static bool
rop_command_drained(struct rop_cache *c)
{
   if (!rop_transfer_idle(c))
      return false;
   if (c->cmd_forget) {
      rop_command_forget_lines(c, 0, UINT64_MAX);
      for (unsigned i = 0; i < ROP_MAX_SURFACES; i++)
         c->surface[i].used = false;
   }
   return true;
}

/* --- Clear --- */

void
rop_repeat(uint8_t value[16], uint32_t element_bytes)
{
   for (uint32_t i = element_bytes; i < 16; i++)
      value[i] = value[i - element_bytes];
}

/* Stores the clear value in one block: in all of it, or in the bits not kept. */
static void
rop_command_store_block(uint8_t *data, uint32_t bytes, const uint8_t value[16],
                        const uint64_t keep[2])
{
   uint64_t v[2], old[2];
   memcpy(v, value, 16);
   if (!(keep[0] | keep[1])) {
      for (uint32_t i = 0; i < bytes; i += 16)
         memcpy(data + i, v, 16);
      return;
   }
   for (uint32_t i = 0; i < bytes; i += 16) {
      memcpy(old, data + i, 16);
      for (unsigned n = 0; n < 2; n++)
         old[n] = (old[n] & keep[n]) | (v[n] & ~keep[n]);
      memcpy(data + i, old, 16);
   }
}

void
rop_cache_clear(struct rop_cache *c, unsigned surface, const uint8_t value[16], unsigned planes)
{
   c->command = ROP_BUSY_CLEAR;
   c->cmd_surface = surface;
   c->cmd_planes = planes;
   c->cmd_until = 0;
   c->cmd_work_id = c->msg.work_id;
   memcpy(c->cmd_value, value, 16);
}

/* If another plane is not clear, the block keeps its length in memory; if all planes are, it has
 * none. */
void
rop_clear_state(struct sim_blocks *b, const struct rop_surface *s, uint32_t address, uint8_t flags)
{
   uint8_t state = sim_block_state(b, address);
   flags |= state & SIM_BLOCK_NEVER_WRITTEN;
   uint32_t quarters = flags == SIM_BLOCK_NEVER_WRITTEN ? 0 : sim_block_quarters(state);
   sim_block_set(b, address, s->block_bytes, quarters, flags);
}

struct rop_clearing
rop_clear_planes(struct rop_surface *s, unsigned planes, const uint8_t value[16])
{
   struct rop_clearing to = {.flags = SIM_BLOCK_NEVER_WRITTEN};
   uint64_t element, keep = 0;
   memcpy(to.value, value, 16);
   memcpy(&element, value, 8);
   for (unsigned p = 0; p < 2; p++) {
      if (!s->plane_mask[p] || planes >> p & 1)
         continue;
      to.flags &= p ? (uint8_t)~SIM_BLOCK_STENCIL_CLEAR : (uint8_t)~SIM_BLOCK_DEPTH_CLEAR;
      keep |= s->plane_mask[p];
   }
   keep |= s->element_bytes == 4 ? keep << 32 : 0;
   to.keep[0] = to.keep[1] = keep;
   s->clear_value = (s->clear_value & keep) | (element & ~keep);
   return to;
}

void
rop_clear_block(struct rop_cache *c, const struct rop_surface *s, uint32_t block, uint32_t address,
                const struct rop_clearing *to)
{
   struct sim_device *d = c->box->gpu->device;
   rop_command_store_block(d->memory + address, s->block_bytes, to->value, to->keep);
   if (rop_has_state(c, block))
      rop_clear_state(&d->blocks, s, address, to->flags);
   else
      sim_block_set(&d->blocks, address, s->block_bytes, 4, 0);
}

void
rop_clear_line(struct rop_cache *c, uint32_t line, const struct rop_clearing *to)
{
   const struct rop_line *l = &c->line[line];
   const uint8_t *memory = c->box->gpu->device->memory + l->address;
   rop_command_store_block(rop_cache_data(c, line), l->bytes, to->value, to->keep);
   if (l->dirty && memcmp(rop_cache_data(c, line), memory, l->bytes))
      return;
   sim_trace_look_up(c->box, c, l->address, 0);
   rop_cache_drop_line(c, line);
}

/* Sets contents and states of all own blocks, in memory and in the cache. */
static void
rop_command_clear_blocks(struct rop_cache *c, struct rop_surface *s)
{
   const struct rop_clearing to = rop_clear_planes(s, c->cmd_planes, c->cmd_value);
   struct rop_walk w;
   for (bool more = rop_walk_first(c, s, &w); more; more = rop_walk_next(c, s, &w))
      rop_clear_block(c, s, rop_walk_block(s, &w), rop_walk_address(s, &w), &to);
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      if (c->line[i].state != ROP_LINE_INVALID && c->line[i].surface == c->cmd_surface)
         rop_clear_line(c, i, &to);
   }
}

/* Writes blocks without state, after the fast part of a clear. */
static bool
rop_command_write_uncovered(struct rop_cache *c, bool *progress)
{
   const struct rop_surface *s = &c->surface[c->cmd_surface];
   const struct sim_device *d = c->box->gpu->device;
   unsigned has = (s->plane_mask[0] ? 1u : 0u) | (s->plane_mask[1] ? 2u : 0u);
   for (unsigned n = 0; n < SCAN_BLOCKS; n++) {
      if (!rop_has_state(c, rop_walk_block(s, &c->cmd_walk))) {
         struct rop_request *r = rop_transfer_request(c, true);
         if (!r)
            return false;
         uint32_t address = rop_walk_address(s, &c->cmd_walk);
         r->raw = true;
         r->read_first = c->cmd_planes != has;
         r->wire_bytes = (uint16_t)s->block_bytes;
         c->posted[r->posted] = (struct rop_posted){.address = address,
                                                    .bytes = (uint16_t)s->block_bytes,
                                                    .work_id = (uint16_t)c->cmd_work_id};
         sim_work_ref(c->box->gpu->work, (uint16_t)c->cmd_work_id);
         memcpy(rop_posted_data(c, r->posted), d->memory + address, s->block_bytes);
         rop_transfer_ask(c, r);
         ++*rop_stat(c, c->cmd_work_id, ROP_STAT_written_256);
         n = SCAN_BLOCKS;
      }
      *progress = true;
      if (!rop_walk_next(c, s, &c->cmd_walk))
         return true;
   }
   return false;
}

/* Clears the blocks when no transfer is left. That takes the time to walk the whole block state
 * memory, whatever the surface's size (as in the release of 2015). */
static void
rop_command_start_clear(struct rop_cache *c, sim_tick now, bool *progress)
{
   struct rop_surface *s = &c->surface[c->cmd_surface];
   if (!rop_transfer_idle(c))
      return;
   rop_command_clear_blocks(c, s);
   uint32_t cycles = (c->num_states + c->blocks_cleared - 1) / c->blocks_cleared;
   c->command = ROP_BUSY_TIMER;
   c->cmd_until = now + (cycles ? cycles : 1) * c->box->period;
   *progress = true;
}

bool
rop_cache_step(struct rop_cache *c, sim_tick now, bool *progress)
{
   bool finished = false;
   switch (c->command) {
   case ROP_BUSY_WRITE_BACK:
      *progress |= rop_command_write_lines(c);
      break;
   case ROP_BUSY_DRAIN:
      finished = rop_command_drained(c);
      break;
   case ROP_BUSY_CLEAR:
      rop_command_start_clear(c, now, progress);
      break;
   case ROP_BUSY_TIMER: {
      const struct rop_surface *s = &c->surface[c->cmd_surface];
      if (now < c->cmd_until)
         break;
      finished = !rop_walk_first(c, s, &c->cmd_walk) ||
                 s->fields_x * s->fields_y * rop_field_tiles(c) * s->parts <= c->num_states;
      c->command = ROP_BUSY_UNCOVERED;
      *progress = true;
      break;
   }
   case ROP_BUSY_UNCOVERED:
      finished = rop_command_write_uncovered(c, progress);
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

/* Starts the clear of the command's next surface; false if none is left. */
static bool
rop_command_clear_next(struct rop_cache *c, sim_tick now)
{
   for (; c->clear_number < ATTILA_MAX_COLOR_BUFFERS; c->clear_number++) {
      struct rop_binding bind;
      uint8_t value[16];
      unsigned planes;
      if (!c->clear_target(c, &c->msg, c->clear_number, &bind, value, &planes))
         continue;
      int surface = rop_cache_bind(c, &bind);
      if (surface < 0) {
         rop_cache_write_back(c, 0, UINT64_MAX, true);
         c->port = ROP_PORT_OWN_FLUSH;
         c->port_resume = ROP_PORT_CLEAR;
         return true;
      }
      rop_cache_clear(c, (unsigned)surface, value, planes);
      c->clear_number++;
      return true;
   }
   return false;
}

static void
rop_command_start_message(struct rop_cache *c)
{
   switch ((enum rop_op)c->msg.op) {
   case ROP_WRITE_BACK:
      rop_cache_write_back(c, c->msg.start, c->msg.end, false);
      c->port = ROP_PORT_WRITE_BACK;
      break;
   case ROP_FORGET:
      rop_sign_forget_range(c, c->msg.start, c->msg.end);
      rop_command_forget_lines(c, c->msg.start, c->msg.end);
      c->port = ROP_PORT_ANSWER;
      break;
   case ROP_CLEAR:
      c->clear_number = 0;
      c->port = ROP_PORT_CLEAR;
      break;
   }
}

static void
rop_command_start_command(struct rop_cache *c, sim_tick now, bool *progress)
{
   const struct msg_rop *msg = sim_peek(c->from_cp, now);
   if (c->want_flush) {
      c->port = ROP_PORT_OWN_FLUSH;
      c->port_resume = ROP_PORT_NONE;
      c->port_work_id = c->want_work_id;
      rop_cache_write_back(c, 0, UINT64_MAX, true);
   } else if (msg) {
      c->msg = *msg;
      c->port_work_id = msg->work_id;
      sim_pop(c->from_cp, now);
      rop_command_start_message(c);
   } else {
      return;
   }
   *progress = true;
}

bool
rop_cache_commands(struct rop_cache *c, sim_tick now, bool idle, bool *progress, bool *forgotten)
{
   if (c->port == ROP_PORT_NONE && idle)
      rop_command_start_command(c, now, progress);
   switch (c->port) {
   case ROP_PORT_NONE:
      return true;
   case ROP_PORT_WRITE_BACK:
   case ROP_PORT_OWN_FLUSH:
      if (rop_cache_step(c, now, progress)) {
         c->port = c->port == ROP_PORT_WRITE_BACK ? ROP_PORT_ANSWER : c->port_resume;
         *forgotten = c->cmd_forget;
         c->want_flush &= !c->cmd_forget;
      }
      break;
   case ROP_PORT_CLEAR:
      if (c->command != ROP_IDLE) {
         rop_cache_step(c, now, progress);
         break;
      }
      *progress = true;
      if (!rop_command_clear_next(c, now))
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
      rop_cache_wait(c, c->port_work_id,
                     c->port == ROP_PORT_CLEAR ? ROP_STAT_clear_cycles : ROP_STAT_flush_cycles);
   return false;
}
