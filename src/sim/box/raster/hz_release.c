/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z of the release of 2015: 24-bit bounds in a buffer with one port, behind a small
 * cache of lines of neighbouring blocks; it tests quads by the depths of their covered fragments.
 * - Up to 16 quads per tile of a cycle look up the line of their block. A miss takes the buffer's
 *   port, if no other read, write-back of a line or bound from the ZST uses it in this cycle, and
 *   the line arrives HZAccessLatency cycles later. Other quads that miss try again in the next
 *   cycle.
 * - A line stays while quads that found it wait for their test. The first line without such quads
 *   is replaced, however recently it was used.
 * - Traversal sends tiles if HZ said a cycle before that it has room for more than two cycles'
 *   tiles; they arrive a cycle later. So half a queue of 256 quads is seldom in use, and misses are
 *   not hidden.
 * - A cached line is updated when its bounds widen (with HZNearest; never in the release), but not
 *   when they become tighter, unless HZ itself finds that (tile-based).
 * - A draw that widens bounds makes the line dirty. A replaced dirty line waits in a buffer until
 *   the port is free; the next one waits for the buffer. (The release has no dirty lines: it keeps
 *   no nearest depths and disables HZ for draws that widen the farthest.) */
#include "box/raster/hz.h"

struct line {
   uint32_t number; /* block / line size */
   uint32_t users;  /* tiles that wait for their test */
   sim_tick ready;
   bool valid, dirty;
};

struct cache {
   uint32_t lines, size, shift; /* size: blocks per line */
   struct line *line;
   uint32_t *near, *far; /* [lines * size] */
   bool buffered;        /* a dirty line waits for the port */
   uint16_t work_id;     /* of the replacing tile */
};

/* 24 bits: integer depth as it is, or the upper bits of a float. */
static uint32_t
hz_release_code(const struct attila_format_desc *format, uint32_t depth)
{
   return format->channel[0].bits == 32 ? 1 + ((depth - 1) >> 6) : depth;
}

static bool
hz_release_exact(const struct attila_format_desc *format)
{
   return format->channel[0].bits != 32;
}

static void
hz_release_init(struct hz *h)
{
   struct cache *c = sim_box_alloc(&h->box, sizeof(*c));
   h->variant_data = c;
   c->lines = h->box.gpu->config.rast.hz_cache_lines;
   c->size = h->box.gpu->config.rast.hz_cache_line_size;
   c->shift = (uint32_t)__builtin_ctz(c->size);
   c->line = sim_box_alloc(&h->box, c->lines * sizeof(*c->line));
   c->near = sim_box_alloc(&h->box, (size_t)c->lines * c->size * sizeof(*c->near));
   c->far = sim_box_alloc(&h->box, (size_t)c->lines * c->size * sizeof(*c->far));
}

static void
hz_release_reset(struct hz *h)
{
   struct cache *c = h->variant_data;
   for (uint32_t i = 0; i < c->lines; i++)
      sim_trace_look_up(&h->box, c, c->line[i].number, 0);
   memset(c->line, 0, c->lines * sizeof(*c->line));
   if (c->buffered)
      sim_work_unref(h->box.gpu->work, c->work_id);
   c->buffered = false;
}

static struct line *
hz_release_find(const struct cache *c, uint32_t number)
{
   for (uint32_t i = 0; i < c->lines; i++) {
      if (c->line[i].valid && c->line[i].number == number)
         return &c->line[i];
   }
   return NULL;
}

static void
hz_release_changed(struct hz *h, uint32_t block, bool here)
{
   struct cache *c = h->variant_data;
   const struct line *l = hz_release_find(c, block >> c->shift);
   if (!l)
      return;
   uint32_t i = ((uint32_t)(l - c->line) << c->shift) + (block & (c->size - 1));
   c->near[i] = here || h->near[block] < c->near[i] ? h->near[block] : c->near[i];
   c->far[i] = here || h->far[block] > c->far[i] ? h->far[block] : c->far[i];
}

/* Returns a line to replace: an empty one or one without users. */
static struct line *
hz_release_victim(struct cache *c)
{
   struct line *unused = NULL;
   for (uint32_t i = 0; i < c->lines; i++) {
      if (!c->line[i].valid)
         return &c->line[i];
      if (!unused && c->line[i].users == 0)
         unused = &c->line[i];
   }
   return unused;
}

/* Reads a line through the port; NULL: not in this cycle. */
static struct line *
hz_release_fetch(struct hz *h, const struct hz_tile *t, uint32_t number, sim_tick now)
{
   struct cache *c = h->variant_data;
   struct line *l = h->accesses ? NULL : hz_release_victim(c);
   if (!l || (l->dirty && c->buffered))
      return NULL;
   h->accesses++;
   if (l->dirty) {
      c->buffered = true;
      c->work_id = t->m.work_id;
      sim_work_ref(h->box.gpu->work, c->work_id);
   }
   *l = (struct line){.number = number, .ready = now + h->latency, .valid = true};
   uint32_t at = (uint32_t)(l - c->line) << c->shift, from = number << c->shift;
   uint32_t blocks = h->size - from < c->size ? h->size - from : c->size;
   memcpy(c->near + at, h->near + from, blocks * sizeof(*c->near));
   memcpy(c->far + at, h->far + from, blocks * sizeof(*c->far));
   h->stat[t->m.work_id].reads++;
   return l;
}

static bool
hz_release_lookup(struct hz *h, struct hz_tile *t, sim_tick now, uint32_t *budget)
{
   struct cache *c = h->variant_data;
   uint32_t number = t->block >> c->shift, quads = sim_count_bits(t->stamps);
   struct line *l = hz_release_find(c, number);
   if (!l) {
      l = hz_release_fetch(h, t, number, now);
      /* Without a line the tile tries again; this counts once for each quad that could have
       * looked. */
      h->stat[t->m.work_id].misses += l ? 1 : *budget;
      if (!l) {
         h->stat[t->m.work_id].miss_fail += *budget;
         *budget = 0;
         return false;
      }
      h->stat[t->m.work_id].miss_ok++;
      sim_trace_look_up(&h->box, c, number, 1);
      ++t->looked;
      --*budget;
   }
   if (!t->found) {
      t->found = true;
      t->line = (uint32_t)(l - c->line);
      t->ready = l->ready;
      l->users++;
      l->dirty |= t->widened;
   }
   uint32_t n = quads - t->looked < *budget ? quads - t->looked : *budget;
   h->stat[t->m.work_id].hits += n;
   if (n)
      sim_trace_look_up(&h->box, c, number, n);
   t->looked = (uint8_t)(t->looked + n);
   *budget -= n;
   return t->looked == quads;
}

static void
hz_release_bounds(const struct hz *h, const struct hz_tile *t, uint32_t block, uint32_t *near,
                  uint32_t *far)
{
   const struct cache *c = h->variant_data;
   uint32_t i = (t->line << c->shift) + (block & (c->size - 1));
   *near = c->near[i];
   *far = c->far[i];
}

static void
hz_release_release(struct hz *h, struct hz_tile *t)
{
   struct cache *c = h->variant_data;
   c->line[t->line].users--;
}

static bool
hz_release_end_cycle(struct hz *h)
{
   struct cache *c = h->variant_data;
   if (c->buffered && h->accesses == 0) {
      c->buffered = false;
      h->stat[c->work_id].write_backs++;
      sim_work_unref(h->box.gpu->work, c->work_id);
   }
   return c->buffered;
}

const struct hz_variant hz_release = {
    .name = "release",
    .per_quad = true,
    .ready_signal = true,
    .code = hz_release_code,
    .exact = hz_release_exact,
    .init = hz_release_init,
    .reset = hz_release_reset,
    .changed = hz_release_changed,
    .lookup = hz_release_lookup,
    .bounds = hz_release_bounds,
    .release = hz_release_release,
    .end_cycle = hz_release_end_cycle,
};
