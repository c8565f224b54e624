/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The cache of the parameter buffer: set-associative, replaces the line used longest ago, writes
 * dirty lines back when they are replaced. Lists and primitives never leave the host's structures
 * (bins.h), so a line has an address but no data: memory gets zeros. What a pass leaves in the
 * cache is dropped at its end, so a short pass causes no traffic. Not here: what is read and
 * written (plb.c, tf.c), which line was used longest ago (box/replace.h). */
#include "box/tiling/tile_cache.h"

void
tile_cache_init(struct tile_cache *c, struct sim_box *owner)
{
   const struct sim_config *config = &owner->gpu->config;
   c->ways = config->tiling.cache_ways;
   c->sets = config->tiling.cache_sets;
   c->line_bytes = config->tiling.cache_line;
   c->num_transfers = config->tiling.cache_misses;
   const size_t lines = (size_t)c->ways * c->sets;
   c->line = sim_box_alloc(owner, lines * sizeof(*c->line));
   replace_init(&c->replace, 0, c->sets, c->ways,
                sim_box_alloc(owner, 2 * lines * sizeof(uint64_t)));
   c->transfer = sim_box_alloc(owner, c->num_transfers * sizeof(*c->transfer));
   c->zeros = sim_box_alloc(owner, (c->num_transfers + 1) * (size_t)c->line_bytes);
   for (uint32_t i = 0; i < c->num_transfers; i++)
      c->transfer[i].data = c->zeros + (i + 1) * (size_t)c->line_bytes;
}

void
tile_cache_give(struct tile_cache *c, struct sim_box *owner, struct sim_signal *to_mc,
                struct sim_signal *from_mc)
{
   c->box = owner;
   c->to_mc = to_mc;
   c->from_mc = from_mc;
}

static struct tile_cache_stats *
tile_cache_stat(const struct tile_cache *c, unsigned work_id)
{
   return (struct tile_cache_stats *)sim_stat(c->box, work_id);
}

/* Begins a transfer of the line at an address; NULL: not now. */
static struct tile_cache_transfer *
tile_cache_begin(struct tile_cache *c, sim_tick now, uint32_t address, bool read, unsigned work_id)
{
   uint32_t i = 0;
   if (c->under_way == c->num_transfers || !sim_can_send(c->to_mc, now))
      return NULL;
   while (c->transfer[i].used)
      i++;
   struct tile_cache_transfer *t = &c->transfer[i];
   t->used = true;
   t->read = read;
   c->under_way++;
   struct tile_cache_stats *stat = tile_cache_stat(c, work_id);
   *(read ? &stat->read_bytes : &stat->write_bytes) += c->line_bytes;
   sim_work_ref(c->box->gpu->work, (uint16_t)work_id);
   sim_send(c->to_mc, now,
            &(struct msg_mem_request){.data = read ? t->data : c->zeros,
                                      .address = address,
                                      .size = (uint16_t)c->line_bytes,
                                      .work_id = (uint16_t)work_id,
                                      .write = !read,
                                      .cookie = (uint64_t)work_id << 32 | i});
   return t;
}

bool
tile_cache_has(const struct tile_cache *c, uint32_t fill)
{
   for (uint32_t i = 0; c->under_way && i < c->num_transfers; i++) {
      const struct tile_cache_transfer *t = &c->transfer[i];
      if (t->used && t->read && (int32_t)(t->fill - fill) <= 0)
         return false;
   }
   return true;
}

/* Makes an empty line of the set; -1: not now. */
static int
tile_cache_take(struct tile_cache *c, sim_tick now, uint32_t set)
{
   const uint32_t first = set * c->ways;
   uint64_t free = 0;
   for (uint32_t way = 0; way < c->ways; way++) {
      const struct tile_cache_line *l = &c->line[first + way];
      if (!l->valid)
         return (int)(first + way);
      free |= (uint64_t)!l->coming << way;
   }
   if (!free)
      return -1;
   const uint32_t oldest = first + replace_lru(&c->replace, set, free);
   struct tile_cache_line *l = &c->line[oldest];
   if (l->dirty) {
      if (!tile_cache_begin(c, now, l->address, false, l->work_id))
         return -1;
      tile_cache_stat(c, l->work_id)->spills++;
      c->wrote = true;
      sim_work_unref(c->box->gpu->work, l->work_id);
   }
   l->valid = l->dirty = false;
   return (int)oldest;
}

enum tile_cache_answer
tile_cache_access(struct tile_cache *c, sim_tick now, uint32_t address, bool write, bool fresh,
                  unsigned work_id, uint32_t *fill)
{
   const uint32_t tag = address / c->line_bytes * c->line_bytes,
                  set = address / c->line_bytes % c->sets;
   int n = -1;
   for (uint32_t i = set * c->ways; i < (set + 1) * c->ways && n < 0; i++) {
      if (c->line[i].valid && c->line[i].address == tag)
         n = (int)i;
   }
   const bool hit = n >= 0;
   if (!hit) {
      n = tile_cache_take(c, now, set);
      if (n < 0)
         return TILE_CACHE_NOT_NOW;
      struct tile_cache_transfer *t = NULL;
      if (!fresh && !(t = tile_cache_begin(c, now, tag, true, work_id)))
         return TILE_CACHE_NOT_NOW;
      c->line[n] = (struct tile_cache_line){.address = tag, .valid = true, .fill = c->fills};
      if (t) {
         t->line = (uint32_t)n;
         t->fill = c->line[n].fill = ++c->fills;
         c->line[n].coming = true;
         tile_cache_stat(c, work_id)->misses++;
      }
   }
   struct tile_cache_line *l = &c->line[n];
   tile_cache_stat(c, work_id)->hits += hit || fresh;
   replace_use(&c->replace, (uint32_t)n);
   if (write && !l->dirty) {
      l->dirty = true;
      l->work_id = (uint16_t)work_id;
      sim_work_ref(c->box->gpu->work, l->work_id);
   }
   *fill = l->fill;
   return l->coming ? TILE_CACHE_COMING : TILE_CACHE_HERE;
}

bool
tile_cache_receive(struct tile_cache *c, sim_tick now)
{
   const struct msg_mem_response *m;
   bool any = false;
   while ((m = sim_peek(c->from_mc, now))) {
      struct tile_cache_transfer *t = &c->transfer[(uint32_t)m->cookie];
      t->used = false;
      if (t->read)
         c->line[t->line].coming = false;
      c->under_way--;
      sim_work_unref(c->box->gpu->work, (uint16_t)(m->cookie >> 32));
      sim_pop(c->from_mc, now);
      any = true;
   }
   return any;
}

void
tile_cache_forget(struct tile_cache *c, uint32_t start, uint32_t end)
{
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      struct tile_cache_line *l = &c->line[i];
      if (l->address < start || l->address >= end)
         continue;
      if (l->dirty)
         sim_work_unref(c->box->gpu->work, l->work_id);
      l->valid = l->dirty = false;
   }
}
