/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the boxes of a ROP do alike (rop_unit.h): reserves the lines of arriving quads, keeps the
 * samples in order until their lines are ready, and accounts for what they wait for. Not here: what
 * is done with a sample (zst.c, cw.c), the cache (rop_cache.c).
 */
#include "box/rop/rop_unit.h"

#include <stdlib.h>

enum fetched { FETCHED_NOTHING, FETCHED_PART, FETCHED_WHOLE };

void
rop_unit_init(struct rop_unit *u, const struct rop_unit_class *cls, uint32_t quads_cycle,
              uint32_t fetch_queue)
{
   u->cls = cls;
   u->quads_cycle = quads_cycle;
   u->cache.box = &u->box;
   u->cache.num_rops = u->box.gpu->config.gpu.num_rops;
   u->cache.rop = u->box.instance;
   rop_cache_init(&u->cache);
   u->op_capacity = fetch_queue;
   u->op_mask = 1;
   while (u->op_mask < u->op_capacity)
      u->op_mask *= 2;
   u->op = rop_allocate(u->op_mask-- * sizeof(*u->op));
}

void
rop_unit_fini(struct sim_box *b)
{
   struct rop_unit *u = (struct rop_unit *)b;
   free(u->op);
   rop_cache_fini(&u->cache);
}

bool
rop_unit_bind(struct rop_unit *u, unsigned n, const struct attila_regs *regs, uint32_t address,
              uint32_t format, uint32_t pitch_tiles)
{
   struct rop_binding bind = rop_binding(regs, address, format, pitch_tiles);
   u->surface[n] = rop_cache_bind(&u->cache, &bind);
   u->cache.want_flush |= u->surface[n] < 0;
   return u->surface[n] >= 0;
}

static inline void
push(struct rop_unit *u, const struct msg_quad *m, int line, unsigned buffer, unsigned sample,
     bool last)
{
   u->op[u->op_tail++ & u->op_mask] = (struct rop_entry){.quad = m->quad,
                                                         .draw = m->draw,
                                                         .line = line,
                                                         .sample = (uint8_t)sample,
                                                         .buffer = (uint8_t)buffer,
                                                         .slot = m->slot,
                                                         .last = last};
}

/* Reserves the next line of an arrived quad. */
static enum fetched
fetch_line(struct rop_unit *u, sim_tick now, const struct msg_quad *m)
{
   struct rop_cache *c = &u->cache;
   const struct sim_quad *q = m->quad;
   if (u->look && u->next_buffer + u->next_sample == 0)
      u->cls->look_at(u, m);
   uint32_t buffers = u->buffers >> u->next_buffer;
   if (!buffers || !q->mask) {
      push(u, m, -1, 0, 0, true);
      return FETCHED_WHOLE;
   }
   uint32_t buffer = u->next_buffer + (uint32_t)__builtin_ctz(buffers);
   uint32_t sample = u->next_sample + (uint32_t)__builtin_ctz(q->mask >> (4 * u->next_sample)) / 4;
   int line = rop_cache_reserve(
       c, now, (unsigned)u->surface[buffer], (uint32_t)q->x >> 3, (uint32_t)q->y >> 3, sample,
       rop_quad_offset(&c->surface[u->surface[buffer]], q) / ROP_LINE_BYTES, m->slot);
   if (line < 0) {
      rop_cache_wait(c, m->slot, c->stall);
      rop_cache_wait(c, m->slot, ROP_STAT_fetch_failed);
      return FETCHED_NOTHING;
   }
   bool last_sample = sample == 7 || q->mask >> (4 * (sample + 1)) == 0;
   bool last = last_sample && u->buffers >> (buffer + 1) == 0;
   push(u, m, line, buffer, sample, last);
   u->next_buffer = last_sample ? buffer + 1 : buffer;
   u->next_sample = last_sample ? 0 : sample + 1;
   return last ? FETCHED_WHOLE : FETCHED_PART;
}

/* Takes arrived quads and markers into the queue. */
static bool
fetch(struct rop_unit *u, sim_tick now)
{
   bool progress = false;
   for (uint32_t n = 0; n < u->quads_cycle; n++) {
      struct sim_signal *s = sim_peek(u->early_in, now) ? u->early_in : u->late_in;
      const struct msg_quad *m = sim_peek(s, now);
      if (!m)
         break;
      if (u->op_tail - u->op_head >= u->op_capacity) {
         rop_cache_wait(&u->cache, m->slot, ROP_STAT_fetch_q_full);
         break;
      }
      if (m->end) {
         push(u, m, -1, 0, 0, true);
         u->draw = NULL;
      } else {
         if (u->draw != m->draw && !u->cls->start_draw(u, m->draw))
            break;
         u->draw = m->draw;
         enum fetched fetched = fetch_line(u, now, m);
         if (fetched == FETCHED_NOTHING)
            break;
         progress = true;
         if (fetched == FETCHED_PART)
            continue;
         u->next_buffer = u->next_sample = 0;
         uint64_t *stats = u->cache.stats + (size_t)m->slot * u->cache.num_stats;
         stats[u->cls->stat_quads]++;
         stats[u->cls->stat_input] += (unsigned)__builtin_popcount(m->quad->mask);
      }
      sim_pop(s, now);
      progress = true;
   }
   return progress;
}

/* Works on the oldest entries. */
static bool
process(struct rop_unit *u, sim_tick now)
{
   uint32_t n = 0;
   for (; n < u->quads_cycle && !rop_unit_empty(u); n++) {
      const struct rop_entry *op = &u->op[u->op_head & u->op_mask];
      if (op->line >= 0 && !rop_cache_ready(&u->cache, (unsigned)op->line, now)) {
         rop_cache_wait(&u->cache, op->slot, ROP_STAT_data_stall);
         break;
      }
      if (!u->cls->execute(u, now, op, n == 0))
         break;
      u->op_head++;
   }
   return n > 0;
}

sim_tick
rop_unit_clock(struct sim_box *b, sim_tick now)
{
   struct rop_unit *u = (struct rop_unit *)b;
   struct rop_cache *c = &u->cache;
   bool forgotten = false;
   sim_waits_charge(&c->waits, b, now);
   bool progress = rop_cache_receive(c, now);
   bool idle = rop_unit_empty(u) && u->next_buffer + u->next_sample == 0;
   /* While quads are queued no command starts. */
   if ((c->port == ROP_PORT_NONE && !idle) ||
       rop_cache_commands(c, now, idle, &progress, &forgotten)) {
      progress |= process(u, now);
      progress |= fetch(u, now);
      /* A queue that is empty at the end of a cycle lets a wanted flush start in the next. */
      progress |= c->want_flush && rop_unit_empty(u);
   }
   if (forgotten)
      u->draw = NULL;
   progress |= rop_cache_send(c, now);
   if (progress)
      return now + b->period;
   if (rop_unit_empty(u))
      return rop_cache_timer(c, -1, now);
   sim_tick t = rop_cache_timer(c, u->op[u->op_head & u->op_mask].line, now);
   return u->busy > now && u->busy < t ? u->busy : t;
}

void
rop_unit_dump(const struct sim_box *b, FILE *f)
{
   const struct rop_unit *u = (const struct rop_unit *)b;
   fprintf(f, "   %u quads wait for their line", u->op_tail - u->op_head);
   if (!rop_unit_empty(u)) {
      const struct rop_entry *op = &u->op[u->op_head & u->op_mask];
      fprintf(f, ", the oldest of draw %u at %d, %d", op->draw->number, op->quad ? op->quad->x : -1,
              op->quad ? op->quad->y : -1);
   }
   fprintf(f, "\n");
   rop_cache_dump(&u->cache, f);
}
