/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The second level of a texture cache (TwoLevelTextureCache; the keys ...L1): lines as in memory,
 * compressed or not. Per cycle it looks up one first-level miss, reads one line for it, and fills
 * one line of its own, each in order. */
#include <stdlib.h>
#include "box/texture/tu.h"

static void
tu_source_l1_init(struct tu *t)
{
   struct tu_cache *c = &t->cache;
   const struct sim_config *config = &t->box.gpu->config;
   tu_tags_init(&c->l1, config->shader.tex_replacement, config->shader.tex_sets_l1,
                config->shader.tex_ways_l1, config->shader.tex_line_size_l1);
   c->request_mask = tu_ring_mask(config->shader.tex_requests);
   c->requests = sim_xcalloc(c->request_mask + 1, sizeof(*c->requests));
}

static void
tu_source_l1_fini(struct tu *t)
{
   tu_tags_fini(&t->cache.l1);
   free(t->cache.requests);
}

/* Requests a missing line for a first-level miss; TU_NO_LINE: not now. */
static uint32_t
tu_source_l1_request(struct tu *t, uint32_t key, const struct tu_fill *f)
{
   struct tu_cache *c = &t->cache;
   const uint16_t work_id = f->work_id;
   struct tu_stats *s = &t->stat[work_id];
   uint32_t line = TU_NO_LINE;
   c->fail_queue2 = c->request_tail - c->request_head >= t->box.gpu->config.shader.tex_requests;
   if (!c->fail_queue2)
      line = tu_tags_allocate(&c->l1, key);
   c->fail_pinned2 = !c->fail_queue2 && line == TU_NO_LINE;
   c->fail_work_id = work_id;
   if (line == TU_NO_LINE)
      return line;
   s->misses2++;
   s->miss_ok2++;
   c->l1.lines[line].work_id = work_id;
   sim_trace_ask(t->box.kernel, c->tags.lines[f->line].data, c->l1.lines[line].data);
   c->requests[c->request_tail++ & c->request_mask] = (struct tu_request){
       .line = line, .address = tu_key_address(key, c->l1.line_shift), .work_id = work_id};
   return line;
}

/* Looks up the oldest first-level miss that is not looked up yet. */
static bool
tu_source_l1_look_up(struct tu *t)
{
   struct tu_cache *c = &t->cache;
   if (c->asked == c->taken)
      return false;
   struct tu_fill *f = &c->fills[c->asked & c->mask];
   uint32_t key = tu_key(f->address, c->l1.line_shift, 0), line = tu_tags_find(&c->l1, key);
   if (line != TU_NO_LINE)
      t->stat[f->work_id].hits2++;
   else
      line = tu_source_l1_request(t, key, f);
   if (line == TU_NO_LINE)
      return false;
   sim_trace_look_up(&t->box, &c->l1, key, 1);
   c->l1.pins[line]++;
   f->source_line = line;
   c->asked++;
   return true;
}

/* Reads the line of the oldest miss that was looked up. */
static bool
tu_source_l1_read_line(struct tu *t)
{
   struct tu_cache *c = &t->cache;
   if (c->read == c->asked)
      return false;
   const struct tu_fill *f = &c->fills[c->read & c->mask];
   struct tu_line *line = &c->l1.lines[f->source_line];
   struct tu_stats *s = &t->stat[f->work_id];
   if (!line->valid) {
      c->fail_read2 = true;
      c->fail_read_work_id = f->work_id;
      return false;
   }
   memcpy(c->tags.lines[f->line].data, line->data + (f->address & (c->l1.line_size - 1)), f->bytes);
   replace_use(&c->l1.replace, f->source_line);
   c->l1.pins[f->source_line]--;
   s->cache_reads2++;
   s->cache_read_bytes2 += f->bytes;
   c->read++;
   return true;
}

static bool
tu_source_l1_clock(struct tu *t, sim_tick now)
{
   struct tu_cache *c = &t->cache;
   bool progress = false;
   if (c->request_taken != c->request_tail &&
       c->request_taken - c->request_head < t->box.gpu->config.shader.tex_input_queue_l1) {
      c->request_taken++;
      progress = true;
   }
   progress |= tu_source_l1_look_up(t);
   if (c->request_sent != c->request_taken) {
      uint32_t i = c->request_sent & c->request_mask;
      struct tu_request *r = &c->requests[i];
      if (tu_cache_send(t, c->l1.lines[r->line].data, r->address, c->l1.line_size, r->work_id, i,
                        &r->received, now)) {
         c->request_sent++;
         progress = true;
      }
   }
   progress |= tu_source_l1_read_line(t);
   if (c->request_head != c->request_sent) {
      const struct tu_request *r = &c->requests[c->request_head & c->request_mask];
      if (r->received) {
         c->l1.lines[r->line].valid = true;
         t->stat[r->work_id].cache_write_bytes2 += c->l1.line_size;
         c->request_head++;
         progress = true;
      }
   }
   return progress;
}

static uint16_t
tu_source_l1_response(struct tu *t, uint32_t cookie)
{
   t->cache.requests[cookie].received = true;
   return t->cache.requests[cookie].work_id;
}

static void
tu_source_l1_forget(struct tu *t, uint64_t start, uint64_t end)
{
   tu_tags_forget(&t->cache.l1, start, end);
}

const struct tu_source tu_source_l1 = {
    .init = tu_source_l1_init,
    .fini = tu_source_l1_fini,
    .clock = tu_source_l1_clock,
    .response = tu_source_l1_response,
    .forget = tu_source_l1_forget,
};
