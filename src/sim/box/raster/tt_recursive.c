/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Recursive descent (McCool, Wales and Moule 2001) on a batch of primitives, as the last release of
 * ATTILA builds it. One tile, a power of two wide, covers the batch's bounding boxes. TileTesters
 * tiles per cycle are divided in four; each part is kept with the primitives that may cover it.
 * Parts of scan tile size (ScanWidth) leave the search; all their 8x8 tiles are made for all their
 * primitives, StampsPerCycle per cycle. The search goes on meanwhile, depth first, and waits when
 * the places for parts are full. So small primitives that are far apart cost a cycle per level, and
 * primitives that share a scan tile cost one cycle each. */
#include "box/raster/tt.h"

#define LEVELS 15 /* level n has tiles 2^n pixels wide; 8192 and a scan tile fit in 14 */
#define MAX_TESTERS 16
#define NO_LEVEL LEVELS

struct tile {
   int32_t x, y;
   uint32_t inside; /* bit per primitive of the batch */
};

struct places {
   uint32_t head, num;
};

struct recursive {
   unsigned scan_level, testers;
   unsigned level; /* level of the search; NO_LEVEL: none */
   struct places at[LEVELS], scan_at;
   struct tile part[LEVELS][4 * MAX_TESTERS]; /* ring of 4 * testers */
   struct tile scan[16 * MAX_TESTERS];        /* ring of 16 * testers */
   /* The oldest scan tile: its next 8x8 tile, and the primitives still to make it for. */
   uint32_t next, left;
};

static void
tt_recursive_init(struct tt *t)
{
   struct recursive *r = t->state;
   const struct sim_config *c = &t->box.gpu->config;
   uint32_t dim =
       c->rast.scan_width > c->rast.scan_height ? c->rast.scan_width : c->rast.scan_height;
   while (1u << r->scan_level < dim)
      r->scan_level++;
   r->testers = c->rast.tile_testers;
   r->level = NO_LEVEL;
}

static inline void
tt_recursive_put_scan(struct recursive *r, struct tile tile)
{
   r->scan[(r->scan_at.head + r->scan_at.num++) % (16 * r->testers)] = tile;
   if (r->scan_at.num == 1)
      r->left = tile.inside;
}

static void
tt_recursive_start(struct tt *t)
{
   struct recursive *r = t->state;
   const int32_t scan = 1 << r->scan_level;
   int32_t minx = INT32_MAX, miny = INT32_MAX, maxx = 0, maxy = 0;
   for (unsigned i = 0; i < t->num; i++) {
      const int32_t *b = t->prim[i]->setup.box;
      minx = b[0] < minx ? b[0] : minx;
      miny = b[1] < miny ? b[1] : miny;
      maxx = b[2] > maxx ? b[2] : maxx;
      maxy = b[3] > maxy ? b[3] : maxy;
   }
   minx &= ~(scan - 1);
   miny &= ~(scan - 1);
   int32_t size = maxx - minx > maxy - miny ? maxx - minx : maxy - miny;
   unsigned level = r->scan_level;
   while (1 << level < size)
      level++;
   const struct tile top = {minx, miny, t->num == 32 ? ~0u : (1u << t->num) - 1};
   r->next = 0;
   memset(r->at, 0, sizeof(r->at));
   r->scan_at = (struct places){0};
   r->level = NO_LEVEL;
   if (level == r->scan_level) {
      tt_recursive_put_scan(r, top);
   } else {
      r->level = level;
      r->part[level][0] = top;
      r->at[level].num = 1;
   }
}

/* Divides a tile of the level in four. */
static void
tt_recursive_divide(struct tt *t, const struct tile *tile, unsigned level)
{
   struct recursive *r = t->state;
   const int32_t dim = 1 << (level - 1), *area = t->prim[0]->setup.state->scissor;
   struct places *p = &r->at[level - 1];
   for (int32_t i = 0; i < 4; i++) {
      struct tile part = {tile->x + (i & 1) * dim, tile->y + (i >> 1) * dim, 0};
      for (uint32_t left = tile->inside; left; left &= left - 1) {
         unsigned n = (unsigned)__builtin_ctz(left);
         if (tt_touches(t, t->prim[n], part.x, part.y, dim))
            part.inside |= 1u << n;
      }
      if (!part.inside || part.x > area[2] || part.y > area[3])
         continue;
      if (level - 1 == r->scan_level)
         tt_recursive_put_scan(r, part);
      else
         r->part[level - 1][(p->head + p->num++) % (4 * r->testers)] = part;
   }
   t->stat[t->work_id].tests += 4;
}

static void
tt_recursive_search(struct tt *t)
{
   struct recursive *r = t->state;
   const unsigned level = r->level;
   struct places *p = &r->at[level];
   const bool last = level - 1 == r->scan_level;
   const uint32_t *parts = last ? &r->scan_at.num : &r->at[level - 1].num;
   const uint32_t room = (last ? 16 : 4) * r->testers - 4;
   for (unsigned i = 0; i < r->testers && p->num && *parts <= room; i++) {
      struct tile tile = r->part[level][p->head];
      tt_recursive_divide(t, &tile, level);
      p->head = (p->head + 1) % (4 * r->testers);
      p->num--;
   }
   if (!last && *parts) {
      r->level--;
   } else if (!p->num) {
      while (r->level < LEVELS && !r->at[r->level].num)
         r->level++;
   }
}

/* Makes the scan tile's 8x8 tiles in Morton order, and each of them for every primitive. */
static void
tt_recursive_generate(struct tt *t, sim_tick now)
{
   struct recursive *r = t->state;
   const uint32_t tiles = 1u << 2 * (r->scan_level - 3);
   for (unsigned i = 0; i < t->tiles && r->scan_at.num; i++) {
      const struct tile *s = &r->scan[r->scan_at.head];
      unsigned n = (unsigned)__builtin_ctz(r->left);
      if (!tt_generate(t, t->prim[n], t->work_id, s->x + tt_morton_x(r->next) * ATTILA_TILE_DIM,
                       s->y + tt_morton_y(r->next) * ATTILA_TILE_DIM, now))
         break;
      r->left &= r->left - 1;
      if (r->left)
         continue;
      if (++r->next == tiles) {
         r->next = 0;
         r->scan_at.head = (r->scan_at.head + 1) % (16 * r->testers);
         r->scan_at.num--;
      }
      if (r->scan_at.num)
         r->left = r->scan[r->scan_at.head].inside;
   }
}

static bool
tt_recursive_step(struct tt *t, sim_tick now)
{
   struct recursive *r = t->state;
   /* The next cycle uses what the search finds in this one. */
   tt_recursive_generate(t, now);
   if (r->level != NO_LEVEL)
      tt_recursive_search(t);
   return r->level == NO_LEVEL && !r->scan_at.num;
}

const struct tt_variant tt_recursive = {
    .name = "recursive",
    .batches = true,
    .size = sizeof(struct recursive),
    .init = tt_recursive_init,
    .start = tt_recursive_start,
    .step = tt_recursive_step,
};
