/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A unit's texture cache: from first-level misses to its lines, and requests to memory. Not here:
 * look-up (tu_fetch.c), and where lines come from (tu_source_memory.c, tu_source_l1.c). */
#include "box/texture/tu_cache.h"
#include <stdlib.h>
#include "box/texture/tu.h"

void
tu_cache_init(struct tu *t)
{
   struct tu_cache *c = &t->cache;
   const struct sim_config *config = &t->box.gpu->config;
   uint32_t width = config->shader.tex_port_width * TU_BANKS * TU_BANK_PORTS;
   tu_tags_init(&c->tags, config->shader.tex_replacement, config->shader.tex_sets,
                config->shader.tex_ways, config->shader.tex_line_size);
   c->mask = tu_ring_mask(config->shader.tex_requests);
   c->fills = sim_xcalloc(c->mask + 1, sizeof(*c->fills));
   c->write_time = (config->shader.tex_line_size + width - 1) / width * t->box.period;
   c->source = config->shader.tex_two_levels ? &tu_source_l1 : &tu_source_memory;
   c->source->init(t);
}

void
tu_cache_fini(struct tu *t)
{
   t->cache.source->fini(t);
   tu_tags_fini(&t->cache.tags);
   free(t->cache.fills);
}

uint32_t
tu_cache_request(struct tu *t, uint32_t key, uint16_t work_id, bool *pinned)
{
   struct tu_cache *c = &t->cache;
   uint32_t line = TU_NO_LINE;
   bool room = c->tail - c->head < t->box.gpu->config.shader.tex_requests;
   if (room)
      line = tu_tags_allocate(&c->tags, key);
   *pinned = room && line == TU_NO_LINE;
   if (line == TU_NO_LINE)
      return line;
   c->tags.lines[line].work_id = work_id;
   c->fills[c->tail++ & c->mask] =
       (struct tu_fill){.line = line,
                        .address = tu_key_address(key, c->tags.line_shift),
                        .bytes = (uint16_t)(c->tags.line_size >> tu_key_space(key)),
                        .work_id = work_id};
   return line;
}

/* Completes the line being written. */
static bool
tu_cache_finish_write(struct tu *t, sim_tick now)
{
   struct tu_cache *c = &t->cache;
   if (!c->writing || c->write_done > now)
      return false;
   struct tu_line *line = &c->tags.lines[c->fills[c->head & c->mask].line];
   c->writing = false;
   c->head++;
   t->repeats = false;
   line->valid = true;
   tu_window_fill(t, line);
   return true;
}

/* Decompresses and writes lines, one by one. */
static bool
tu_cache_unpack_and_write(struct tu *t, sim_tick now)
{
   struct tu_cache *c = &t->cache;
   bool progress = false;
   if (c->unpacking && c->unpack_done <= now) {
      c->unpacking = false;
      c->unpacked++;
      progress = true;
   }
   if (!c->unpacking && c->unpacked != c->read) {
      c->unpacking = true;
      c->unpack_done = now + t->box.gpu->config.shader.tex_decompress_latency * t->box.period;
      progress = true;
   }
   if (!c->writing && c->head != c->unpacked) {
      const struct tu_fill *f = &c->fills[c->head & c->mask];
      c->writing = true;
      c->write_done = now + c->write_time;
      t->stat[f->work_id].cache_write_bytes += c->tags.line_size;
      tu_window_prefetch(t, &c->tags.lines[f->line]);
      progress = true;
   }
   return progress;
}

bool
tu_cache_clock(struct tu *t, sim_tick now, sim_tick *wake)
{
   struct tu_cache *c = &t->cache;
   c->fail_queue2 = c->fail_pinned2 = c->fail_read2 = false;
   if (c->head == c->tail)
      return false;
   bool progress = tu_cache_finish_write(t, now);
   if (c->taken != c->tail && c->taken - c->head < t->box.gpu->config.shader.tex_input_queue) {
      c->taken++;
      progress = true;
   }
   progress |= c->source->clock(t, now);
   progress |= tu_cache_unpack_and_write(t, now);
   if (c->unpacking && c->unpack_done < *wake)
      *wake = c->unpack_done;
   if (c->writing && c->write_done < *wake)
      *wake = c->write_done;
   return progress;
}

bool
tu_cache_send(struct tu *t, uint8_t *data, uint32_t address, uint32_t bytes, uint16_t work_id,
              uint32_t cookie, bool *received, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.tu_mc[t->box.instance];
   struct sim_device *d = t->box.gpu->device;
   if (!sim_can_send(out, now))
      return false;
   uint32_t wire = sim_blocks_wire_bytes(&d->blocks, address, bytes);
   *received = wire == 0;
   if (*received) { /* a clear block */
      memcpy(data, d->memory + address, bytes);
      return true;
   }
   struct msg_mem_request request = {.data = data,
                                     .address = address,
                                     .size = (uint16_t)bytes,
                                     .wire_bytes = (uint16_t)wire,
                                     .work_id = work_id,
                                     .cookie = (uint64_t)now << 32 | cookie};
   sim_send(out, now, &request);
   t->cache.pending++;
   t->stat[work_id].read_transactions++;
   t->stat[work_id].read_bytes += wire;
   return true;
}

bool
tu_cache_responses(struct tu *t, sim_tick now)
{
   struct sim_signal *in = &t->box.gpu->net.mc_tu[t->box.instance];
   const struct msg_mem_response *r;
   bool progress = false;
   while ((r = sim_peek(in, now))) {
      struct tu_stats *s = &t->stat[t->cache.source->response(t, (uint32_t)r->cookie)];
      t->cache.pending--;
      s->memory_requests++;
      s->memory_latency += (uint32_t)((uint32_t)now - (uint32_t)(r->cookie >> 32)) / t->box.period;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

void
tu_cache_forget(struct tu *t, uint64_t start, uint64_t end)
{
   t->repeats = false;
   tu_tags_forget(&t->cache.tags, start, end);
   t->cache.source->forget(t, start, end);
}

void
tu_cache_flush_counters(struct tu *t, uint64_t cycles)
{
   struct tu_cache *c = &t->cache;
   struct tu_stats *s = &t->stat[c->fail_work_id];
   if (c->head == c->tail)
      return;
   if (c->fail_queue2 || c->fail_pinned2) {
      s->misses2 += cycles;
      s->miss_fail2 += cycles;
      s->miss_fail_queue2 += c->fail_queue2 ? cycles : 0;
      s->miss_fail_pinned2 += c->fail_pinned2 ? cycles : 0;
   }
   if (c->fail_read2)
      t->stat[c->fail_read_work_id].cache_reads_fail2 += cycles;
   t->stat[c->fills[c->head & c->mask].work_id].pending_requests += cycles * c->pending;
}
