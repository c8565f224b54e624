/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The pipeline of a ROP's boxes (rop_unit.h): stages, what they wait for, when the box sleeps. Not
 * here: work on samples (zst.c, cw.c), the cache (rop_cache.c). */
#include "box/rop/rop_unit.h"

void
rop_unit_init(struct rop_unit *u, const struct rop_unit_class *cls)
{
   u->cls = cls;
   u->cache.box = &u->box;
   u->cache.num_rops = u->box.gpu->config.gpu.num_rops;
   u->cache.rop = u->box.instance;
   u->alu_quads = (uint32_t)(u->alu_latency / u->box.period) * u->per_cycle;
   u->cache.max_bins_ended = u->box.gpu->config.tiling.buffers - 1;
   rop_cache_init(&u->cache);
   /* The number of quads that all stages hold if each quad has one part. */
   uint32_t quads = u->fetch_queue + u->read_queue + u->alu_quads + u->op_queue + u->write_queue;
   u->entry_mask = 1;
   while (u->entry_mask < quads)
      u->entry_mask *= 2;
   u->entry = sim_box_alloc(&u->box, u->entry_mask-- * sizeof(*u->entry));
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

static inline struct rop_entry *
rop_unit_entry_at(const struct rop_unit *u, uint32_t i)
{
   return &u->entry[i & u->entry_mask];
}

/* Returns how many quads have begun to pass the earlier stage and have not completely passed the
 * later one. */
static inline uint32_t
rop_unit_quads(const struct rop_stage *from, const struct rop_stage *to)
{
   return from->first - to->last;
}

/* Returns whether the entry must wait for room in a queue of quads. */
static inline bool
rop_unit_no_room(const struct rop_entry *e, const struct rop_stage *from,
                 const struct rop_stage *to, uint32_t size)
{
   return e->first && rop_unit_quads(from, to) >= size;
}

/* Passes a part through the stage; it may be its quad's first or last. */
static inline void
rop_unit_pass_part(struct rop_stage *stage, bool first, bool last)
{
   stage->parts++;
   stage->first += first;
   stage->last += last;
}

/* Passes the entry through the stage. */
static inline void
rop_unit_pass(struct rop_stage *stage, const struct rop_entry *e)
{
   rop_unit_pass_part(stage, e->first, e->last);
}

static inline uint64_t *
rop_unit_stat_of(struct rop_unit *u, const struct rop_entry *e, enum rop_stat stat)
{
   return rop_stat(&u->cache, e->work_id, stat);
}

static inline bool
rop_unit_wait(struct rop_unit *u, unsigned work_id, enum rop_stat stat)
{
   rop_cache_wait(&u->cache, work_id, stat);
   return false;
}

/* Handles a stage without work. */
static inline bool
rop_unit_empty(struct rop_unit *u, enum rop_stat stat)
{
   if (u->drawing)
      rop_cache_wait(&u->cache, u->drawing_work_id, stat);
   return false;
}

/* Returns rop_entry.place. The entry keeps it, since the quad is no longer in the host's caches
 * when it is needed. */
static inline uint8_t
rop_unit_place_of(const struct sim_quad *q)
{
   return (uint8_t)((uint32_t)q->x / 2 + (uint32_t)q->y / 2 * 37);
}

/* --- Fetch --- */

/* Puts a quad or end that skips the stages before the write queue into that queue. */
static bool
rop_unit_bypass(struct rop_unit *u, const struct msg_quad *m)
{
   struct rop_entry e = {.quad = m->end ? NULL : m->quad,
                         .draw = m->draw,
                         .listed = m->end ? m->listed : NULL,
                         .line = -1,
                         .bin = m->bin,
                         .work_id = m->work_id,
                         .first = true,
                         .last = true,
                         .what = m->what};
   if (u->written.parts != u->fetched.parts ||
       rop_unit_no_room(&e, &u->written, &u->finished, u->write_queue))
      return rop_unit_wait(u, m->work_id, ROP_STAT_write_full);
   *rop_unit_entry_at(u, u->fetched.parts) = e;
   rop_unit_pass(&u->fetched, &e);
   u->read = u->started = u->operated = u->written = u->fetched;
   return true;
}

static inline bool
rop_unit_accepts(const struct rop_unit *u, const struct sim_quad *q)
{
   return u->cache.accepts && q->accepted;
}

/* Fetches an accepted quad of a draw without depth writes: it passes all stages, but has no
 * line. */
static bool
rop_unit_fetch_nothing(struct rop_unit *u, const struct msg_quad *m)
{
   if (u->fetched.parts - u->finished.parts > u->entry_mask ||
       rop_unit_quads(&u->fetched, &u->read) >= u->fetch_queue)
      return rop_unit_wait(u, m->work_id, ROP_STAT_fetch_full);
   *rop_unit_entry_at(u, u->fetched.parts) = (struct rop_entry){.quad = m->quad,
                                                                .draw = m->draw,
                                                                .line = -1,
                                                                .work_id = m->work_id,
                                                                .first = true,
                                                                .last = true};
   rop_unit_pass_part(&u->fetched, true, true);
   return true;
}

/* Fetches the next part of the quad. */
static bool
rop_unit_fetch_part(struct rop_unit *u, const struct msg_quad *m)
{
   const struct sim_quad *q = m->quad;
   uint32_t buffer = u->next_buffer + (uint32_t)__builtin_ctz(u->buffers >> u->next_buffer);
   uint32_t sample = u->next_sample + (uint32_t)__builtin_ctz(q->mask >> (4 * u->next_sample)) / 4;
   const struct rop_surface *s = &u->cache.surface[u->surface[buffer]];
   const bool last_sample = sample == 7 || q->mask >> (4 * (sample + 1)) == 0;
   const bool last = last_sample && u->buffers >> (buffer + 1) == 0;
   const bool first = !u->fetching, reads = u->read_buffers != 0;
   const bool accepted = rop_unit_accepts(u, q);
   if (u->fetched.parts - u->finished.parts > u->entry_mask ||
       (reads && first && rop_unit_quads(&u->fetched, &u->read) >= u->fetch_queue))
      return rop_unit_wait(u, m->work_id, ROP_STAT_fetch_full);
   if (!reads && (u->fetched.parts != u->read.parts ||
                  (first && rop_unit_quads(&u->read, &u->started) >= u->read_queue)))
      return rop_unit_wait(u, m->work_id, ROP_STAT_read_full);
   const uint32_t element = rop_quad_element(q, s->bind.samples, sample);
   const uint32_t part = s->parts == 1 ? 0 : element / s->block_elements;
   const uint32_t bit = 1u << buffer;
   /* The next free entry; it stays free if there is no line. */
   struct rop_entry *e = rop_unit_entry_at(u, u->fetched.parts);
   e->quad = m->quad;
   e->draw = m->draw;
   e->work_id = m->work_id;
   e->sample = (uint8_t)sample;
   e->buffer = (uint8_t)buffer;
   e->place = rop_unit_place_of(q);
   e->element = (uint8_t)(element & (s->block_elements - 1));
   e->bytes = (uint8_t)(4 * s->element_bytes);
   e->read = accepted ? 0 : (uint8_t)(u->read_buffers & bit);
   e->part = (uint8_t)(u->part_buffers & bit);
   e->slow = (uint8_t)(u->slow_buffers & bit);
   e->first = first;
   e->last = last;
   const int line = rop_cache_reserve(&u->cache, (unsigned)u->surface[buffer], q, part,
                                      e->read != 0, m->work_id);
   e->line = line;
   if (line < 0)
      return false;
   if (accepted)
      e->part = !(sim_block_state(&u->box.gpu->device->blocks, u->cache.last.address) &
                  SIM_BLOCK_STENCIL_CLEAR);
   /* Does not read the entry, which the host is still writing. */
   rop_unit_pass_part(&u->fetched, first, last);
   if (!reads) {
      u->read = u->fetched;
      u->place[rop_unit_place_of(q)]++;
   }
   u->fetching = !last;
   u->next_buffer = last ? 0 : last_sample ? buffer + 1 : buffer;
   u->next_sample = last_sample ? 0 : sample + 1;
   return true;
}

SIM_INLINE void
rop_unit_count_input(struct rop_unit *u, const struct msg_quad *m)
{
   uint64_t *stats = u->cache.stats + (size_t)m->work_id * u->cache.num_stats;
   if (m->end) {
      const bool draw_end = m->what == SIM_END_DRAW;
      stats[ROP_STAT_input] += draw_end ? 4 : 0;
      stats[ROP_STAT_draw_ends] += draw_end;
      return;
   }
   stats[ROP_STAT_input] += 4;
   unsigned live = sim_count_bits4(sim_quad_pixels(m->quad->mask));
   stats[ROP_STAT_outside] += 4 - live;
   stats[ROP_STAT_culled] += live ? 0 : 4;
}

/* Binds the surfaces of a quad's draw or layer; false: they need a flush first. */
static bool
rop_unit_start(struct rop_unit *u, const struct msg_quad *m)
{
   if (m->end)
      return true;
   const uint32_t layer = emul_layered(&m->draw->state) ? m->quad->prim->setup.layer : 0;
   if (u->draw == m->draw && u->layer == layer)
      return true;
   u->cache.want_work_id = m->work_id;
   u->layer = layer;
   u->draw = NULL;
   if (!u->cls->start_draw(u, m->draw))
      return false;
   u->draw = m->draw;
   return true;
}

/* Executes a command in the lists before its end passes. */
static bool
rop_unit_execute(struct rop_unit *u, const struct msg_quad *m, sim_tick now)
{
   if (u->written.parts != u->fetched.parts)
      return rop_unit_wait(u, m->work_id, ROP_STAT_write_full);
   const enum rop_progress p = rop_listed_step(&u->cache, m->listed, m->bin, now);
   u->executed = p == ROP_DONE;
   return p == ROP_WAITS ? rop_unit_wait(u, m->work_id, ROP_STAT_clear_cycles) : true;
}

/* Looks at a quad or end in the input queue. */
static bool
rop_unit_fetch(struct rop_unit *u, sim_tick now)
{
   struct sim_signal *s = sim_peek(u->early_in, now) ? u->early_in : u->late_in;
   const struct msg_quad *m = sim_peek(s, now);
   if (!m)
      return rop_unit_empty(u, ROP_STAT_input_empty);
   if (!m->end && rop_bins_in_use(&u->cache) > u->cache.max_bins_ended + 1)
      return rop_unit_wait(u, m->work_id, ROP_STAT_bin_wait);
   if (!rop_unit_start(u, m))
      return false;
   u->drawing = true;
   u->drawing_work_id = m->work_id;
   if (m->end && m->what == SIM_END_LISTED && !u->executed)
      return rop_unit_execute(u, m, now);
   if (!m->end && u->look && !u->fetching)
      u->cls->look_at(u, m);
   if (m->end || !u->buffers || !m->quad->mask) {
      if (!rop_unit_bypass(u, m))
         return false;
      rop_unit_count_input(u, m);
      u->draw = m->end ? NULL : u->draw;
      u->executed = false;
      u->cache.bin += m->end && m->what == SIM_END_BIN;
      sim_pop(s, now);
      return true;
   }
   if (rop_unit_accepts(u, m->quad) && !u->writes ? !rop_unit_fetch_nothing(u, m)
                                                  : !rop_unit_fetch_part(u, m))
      return false;
   if (!u->fetching) {
      rop_unit_count_input(u, m);
      sim_pop(s, now);
      /* The next quad has waited long in a queue. */
      const struct msg_quad *next = sim_next(s);
      if (next)
         __builtin_prefetch(next->quad);
   }
   return true;
}

/* --- Read, test or blend, write --- */

/* Returns whether an older part of the same place has been read but not written. */
static bool
rop_unit_hazard(const struct rop_unit *u, const struct rop_entry *e)
{
   if (!u->place[e->place])
      return false;
   for (uint32_t i = u->written.parts; i != u->read.parts; i++) {
      const struct rop_entry *o = rop_unit_entry_at(u, i);
      if (o->line >= 0 && o->place == e->place && o->quad->x == e->quad->x &&
          o->quad->y == e->quad->y && o->sample == e->sample && o->buffer == e->buffer)
         return true;
   }
   return false;
}

static bool
rop_unit_read(struct rop_unit *u, sim_tick now)
{
   if (u->read.parts == u->fetched.parts)
      return rop_unit_empty(u, ROP_STAT_fetch_empty);
   const struct rop_entry *e = rop_unit_entry_at(u, u->read.parts);
   if (e->line >= 0 && rop_unit_hazard(u, e))
      return rop_unit_wait(u, e->work_id, ROP_STAT_raw);
   if (rop_unit_no_room(e, &u->read, &u->started, u->read_queue))
      return rop_unit_wait(u, e->work_id, ROP_STAT_read_full);
   if (e->read) {
      if (!rop_cache_read(&u->cache, now, (unsigned)e->line, e->bytes, e->work_id))
         return rop_unit_wait(u, e->work_id, ROP_STAT_read_failed);
      ++*rop_unit_stat_of(u, e, ROP_STAT_read_ok);
   }
   u->place[e->place] = (uint16_t)(u->place[e->place] + (e->line >= 0));
   /* The quad is needed when it is written. */
   __builtin_prefetch(e->quad);
   __builtin_prefetch(e->quad->out);
   rop_unit_pass(&u->read, e);
   return true;
}

static bool
rop_unit_start_operation(struct rop_unit *u, sim_tick now)
{
   if (u->alu_free > now && u->alu_started != now)
      return rop_unit_wait(u, rop_unit_entry_at(u, u->started.parts - 1)->work_id,
                           ROP_STAT_op_busy);
   if (u->started.parts == u->read.parts)
      return rop_unit_empty(u, ROP_STAT_read_empty);
   struct rop_entry *e = rop_unit_entry_at(u, u->started.parts);
   if (e->first && rop_unit_quads(&u->operated, &u->written) + u->alu_quads > u->op_queue)
      return rop_unit_wait(u, e->work_id, ROP_STAT_op_full);
   e->operated = now + u->alu_latency;
   /* The slowest of the parts that start in this cycle counts. */
   const sim_tick free = now + (e->slow ? u->alu_slow_rate : u->alu_rate) * u->box.period;
   u->alu_free = u->alu_started == now && u->alu_free > free ? u->alu_free : free;
   u->alu_started = now;
   rop_unit_pass(&u->started, e);
   return true;
}

static bool
rop_unit_end_operation(struct rop_unit *u, sim_tick now)
{
   if (u->operated.parts == u->started.parts)
      return false;
   const struct rop_entry *e = rop_unit_entry_at(u, u->operated.parts);
   if (e->operated > now)
      return false;
   *rop_unit_stat_of(u, e, ROP_STAT_operated) += e->last && e->line >= 0;
   rop_unit_pass(&u->operated, e);
   return true;
}

static bool
rop_unit_write(struct rop_unit *u, sim_tick now)
{
   if (u->written.parts == u->operated.parts)
      return rop_unit_empty(u, ROP_STAT_op_empty);
   const struct rop_entry *e = rop_unit_entry_at(u, u->written.parts);
   if (rop_unit_no_room(e, &u->written, &u->finished, u->write_queue))
      return rop_unit_wait(u, e->work_id, ROP_STAT_write_full);
   if (e->line < 0) {
      rop_unit_pass(&u->written, e);
      return true;
   }
   if (!rop_cache_can_write(&u->cache, now, (unsigned)e->line, e->bytes, e->work_id))
      return rop_unit_wait(u, e->work_id, ROP_STAT_write_failed);
   uint64_t pixels = u->cls->write(u, e);
   rop_cache_written(&u->cache, (unsigned)e->line, pixels << e->element, !e->part, e->work_id);
   ++*rop_unit_stat_of(u, e, ROP_STAT_write_ok);
   u->place[e->place]--;
   rop_unit_pass(&u->written, e);
   return true;
}

static bool
rop_unit_finish(struct rop_unit *u, sim_tick now)
{
   const struct rop_entry *e = NULL;
   /* A quad's parts leave with its last one. */
   while (u->finished.parts != u->written.parts &&
          !(e = rop_unit_entry_at(u, u->finished.parts))->last)
      rop_unit_pass(&u->finished, e);
   if (u->finished.parts == u->written.parts)
      return rop_unit_empty(u, ROP_STAT_write_empty);
   bool end = !e->quad;
   if (!u->cls->finish(u, now, e))
      return rop_unit_wait(u, e->work_id, ROP_STAT_consumer_busy);
   rop_unit_pass(&u->finished, e);
   if (end && u->finished.parts == u->fetched.parts)
      u->drawing = false;
   return true;
}

void
rop_unit_end_quad(struct rop_unit *u, sim_tick now, struct sim_quad *quad)
{
   struct sim_draw *draw = quad->draw;
   if (draw->state.regs.count_samples && !draw->state.counts_early)
      draw->samples[u->box.instance] += sim_count_bits(quad->mask);
   if (draw->map)
      sim_map_end(draw->map, quad->x, quad->y, quad->mask,
                  (sim_box_time(&u->box, now) - quad->made) / u->box.period, draw->number);
   sim_quad_give(&u->box, quad);
}

/* Runs a stage for a cycle. Only the delay of the first quad counts as waiting. */
SIM_INLINE bool
rop_unit_stage(struct rop_unit *u, sim_tick now, bool (*stage)(struct rop_unit *, sim_tick))
{
   if (!stage(u, now))
      return false;
   for (uint32_t n = 1; n < u->per_cycle; n++) {
      const unsigned waits = u->cache.waits.num;
      if (!stage(u, now)) {
         sim_waits_undo(&u->cache.waits, waits);
         break;
      }
   }
   return true;
}

/* --- The box --- */

/* Returns the work id of the box's work: a command, the oldest quad, a quad that cannot enter, or a
 * transfer. -1: none. */
static int
rop_unit_working_for(const struct rop_unit *u, sim_tick now)
{
   if (u->cache.port != ROP_PORT_NONE)
      return u->cache.port_work_id;
   if (u->finished.parts != u->fetched.parts)
      return rop_unit_entry_at(u, u->finished.parts)->work_id;
   const struct msg_quad *m = sim_peek(u->early_in, now);
   if (m || (m = sim_peek(u->late_in, now)))
      return m->work_id;
   return rop_transfer_work_id(&u->cache);
}

void
rop_unit_flush_counters(struct sim_box *b, sim_tick next)
{
   struct rop_cache *c = &((struct rop_unit *)b)->cache;
   sim_waits_flush(&c->waits, b, next);
   sim_held_waits_flush(&c->transfer_waits, b, next);
}

/* Returns when the ALU, a port or a transfer unit is done. */
static sim_tick
rop_unit_timer(const struct rop_unit *u, sim_tick now)
{
   sim_tick t = rop_transfer_timer(&u->cache, now);
   if (u->alu_free > now && u->alu_free < t)
      t = u->alu_free;
   if (u->operated.parts != u->started.parts) {
      sim_tick done = rop_unit_entry_at(u, u->operated.parts)->operated;
      t = done > now && done < t ? done : t;
   }
   return t;
}

sim_tick
rop_unit_clock(struct sim_box *b, sim_tick now)
{
   struct rop_unit *u = (struct rop_unit *)b;
   struct rop_cache *c = &u->cache;
   bool forgotten = false;
   /* Only the activity statistics need this look-up. */
   const bool say = !b->kernel->no_activity;
   const int before = say ? rop_unit_working_for(u, now) : -1;
   const bool drawing = u->drawing;
   const uint16_t drawing_work_id = u->drawing_work_id;
   sim_waits_charge(&c->waits, b, now);
   bool progress = rop_transfer_clock(c, now);
   bool idle = u->finished.parts == u->fetched.parts && !u->fetching;
   /* No command starts while quads are queued. */
   if ((c->port == ROP_PORT_NONE && !idle) ||
       rop_cache_commands(c, now, idle && !c->bins_ended, &progress, &forgotten)) {
      progress |= rop_unit_stage(u, now, rop_unit_finish);
      progress |= rop_unit_stage(u, now, rop_unit_write);
      progress |= rop_unit_stage(u, now, rop_unit_end_operation);
      progress |= rop_unit_stage(u, now, rop_unit_start_operation);
      progress |= rop_unit_stage(u, now, rop_unit_read);
      if (rop_unit_stage(u, now, rop_unit_fetch)) {
         ++*rop_stat(c, u->drawing_work_id, ROP_STAT_fetch_cycles);
         progress = true;
      }
      /* If the pipeline is empty at the end of a cycle, a wanted flush can start in the next
       * one. */
      progress |= c->want_flush && u->finished.parts == u->fetched.parts;
   }
   progress |= rop_bin_clock(c);
   if (forgotten)
      u->draw = NULL;
   if (progress) {
      /* Taking memory's answers to writes is no work. */
      const int work_id = say && before < 0 ? rop_unit_working_for(u, now) : before;
      if (work_id >= 0)
         sim_busy(b, (unsigned)work_id);
      return now + b->period;
   }
   const int work_id = before;
   sim_tick t = rop_unit_timer(u, now);
   if (work_id >= 0 && t != SIM_NEVER)
      sim_working(b, (unsigned)work_id);
   else if (work_id >= 0)
      sim_blocked(b, (unsigned)work_id);
   /* Waiting may count for another draw, or begin to count, from the next cycle on. */
   return u->drawing != drawing || u->drawing_work_id != drawing_work_id ? now + b->period : t;
}

void
rop_unit_dump(const struct sim_box *b, FILE *f)
{
   const struct rop_unit *u = (const struct rop_unit *)b;
   fprintf(f, "   quads: %u fetched, %u read, %u in the ALU, %u operated, %u written",
           rop_unit_quads(&u->fetched, &u->read), rop_unit_quads(&u->read, &u->started),
           rop_unit_quads(&u->started, &u->operated), rop_unit_quads(&u->operated, &u->written),
           rop_unit_quads(&u->written, &u->finished));
   if (u->finished.parts != u->fetched.parts) {
      const struct rop_entry *e = rop_unit_entry_at(u, u->finished.parts);
      fprintf(f, ", the oldest of draw %u at %d, %d", e->draw->number, e->quad ? e->quad->x : -1,
              e->quad ? e->quad->y : -1);
   }
   fprintf(f, "\n");
   rop_cache_dump(&u->cache, f);
}

void
rop_unit_probe(const struct sim_box *b, struct sim_probe *l)
{
   rop_cache_probe(&((const struct rop_unit *)b)->cache, l);
}
