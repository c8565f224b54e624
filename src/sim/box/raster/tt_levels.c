/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Rasteriser of seven levels (Zhang and others, the Loongson simulator, sections 3.2.2 and 4; after
 * Abrash, Rasterization on Larrabee): recursion as a pipeline. Level 1 divides tiles of 128x128
 * pixels into four of 64x64 pixels, and passes on those that the primitive may touch. So do the
 * others, up to level 7, which divides 2x2 into pixels. A level takes one tile per cycle, level 7
 * the four of level 6, so 4x4 pixels leave per cycle. Queues between levels hold
 * RasterLevelQueueSize tiles; a level waits until the next has room for four. The next primitive
 * follows without a gap.
 * TileBoundingBoxTest also drops tiles outside the primitive's bounding box, whose corners can lie
 * on both sides of each edge. The paper compares how many tiles each level divides (TilesLevel1_TT
 * ...). With TileEntryByBox a primitive enters at the level with the smallest tiles that are at
 * least as wide as its bounding box, so at most 2x2 tiles cover it. It waits until the levels above
 * are empty, to keep the order of primitives. (Zhang and others divide "the region of the bounding
 * box"; Abrash has a path per size.) StampsPerCycle does not apply. Pixels go to HZ as 8x8 tiles,
 * when the last 4x4 is done. */
#include "box/raster/tt.h"

#define LEVELS 7
#define TOP 128 /* pixels */

struct tile {
   struct sim_prim *prim; /* with a reference */
   int32_t x, y;
   uint16_t work_id;
};

struct queue {
   struct tile *ring;
   uint32_t head, num;
};

struct levels {
   uint32_t size;         /* places of a queue, a ring */
   struct queue queue[5]; /* before levels 1 to 5 */
   struct tile blocks[4]; /* 4x4 before level 6, of one 8x8 tile */
   uint32_t num_blocks, next_block;
   struct tile open; /* that 8x8 tile until it is sent; prim NULL: none */
   /* The entering primitive's next tile. */
   struct tile enter; /* prim NULL: none */
   unsigned enter_at; /* the level it enters, from 0 */
};

static void
tt_levels_init(struct tt *t)
{
   struct levels *l = t->state;
   l->size = t->box.gpu->config.rast.level_queue;
   struct tile *ring = sim_xcalloc(5 * (size_t)l->size, sizeof(*ring));
   for (unsigned i = 0; i < 5; i++)
      l->queue[i].ring = ring + i * (size_t)l->size;
}

static void
tt_levels_fini(struct tt *t)
{
   free(((struct levels *)t->state)->queue[0].ring);
}

static inline void
tt_levels_put(struct levels *l, unsigned level, struct tile tile)
{
   struct queue *q = &l->queue[level];
   q->ring[(q->head + q->num++) % l->size] = tile;
   tile.prim->refs++;
}

static inline struct tile
tt_levels_get(struct levels *l, unsigned level)
{
   struct queue *q = &l->queue[level];
   struct tile tile = q->ring[q->head];
   q->head = q->head + 1 == l->size ? 0 : q->head + 1;
   q->num--;
   return tile;
}

static inline uint64_t *
tt_levels_divided(struct tt *t, unsigned level, uint16_t work_id)
{
   return &t->stat[work_id].level1 + level;
}

/* Divides a tile into the parts that the primitive may touch; returns their number. */
static unsigned
tt_levels_divide(struct tt *t, const struct tile *tile, int32_t dim, struct tile part[4])
{
   unsigned num = 0;
   for (int32_t i = 0; i < 4; i++) {
      struct tile p = *tile;
      p.x += (i & 1) * dim;
      p.y += (i >> 1) * dim;
      if (tt_touches(t, tile->prim, p.x, p.y, dim))
         part[num++] = p;
   }
   t->stat[tile->work_id].tests += 4;
   return num;
}

/* Levels 7 and 6: finishes a block of 4x4; the last one sends the 8x8 tile. */
static bool
tt_levels_finish(struct tt *t, sim_tick now)
{
   struct levels *l = t->state;
   if (!l->open.prim)
      return false;
   if (l->next_block < l->num_blocks) {
      struct tile part[4];
      const struct tile *b = &l->blocks[l->next_block];
      *tt_levels_divided(t, 5, b->work_id) += 1;
      *tt_levels_divided(t, 6, b->work_id) += tt_levels_divide(t, b, 2, part);
      if (++l->next_block < l->num_blocks)
         return true;
   }
   if (!tt_generate(t, l->open.prim, l->open.work_id, l->open.x, l->open.y, now))
      return false;
   sim_prim_unref(t->box.gpu, l->open.prim);
   l->open.prim = NULL;
   return true;
}

/* Level 5: divides an 8x8 tile. */
static bool
tt_levels_divide_tile(struct tt *t)
{
   struct levels *l = t->state;
   if (!l->queue[4].num || l->open.prim)
      return false;
   struct tile tile = tt_levels_get(l, 4);
   *tt_levels_divided(t, 4, tile.work_id) += 1;
   l->num_blocks = tt_levels_divide(t, &tile, 4, l->blocks);
   l->next_block = 0;
   if (l->num_blocks)
      l->open = tile;
   else
      sim_prim_unref(t->box.gpu, tile.prim);
   return true;
}

static bool
tt_levels_divide_level(struct tt *t, unsigned level)
{
   struct levels *l = t->state;
   struct tile part[4];
   if (!l->queue[level].num || l->size - l->queue[level + 1].num < 4)
      return false;
   struct tile tile = tt_levels_get(l, level);
   *tt_levels_divided(t, level, tile.work_id) += 1;
   unsigned num = tt_levels_divide(t, &tile, TOP >> (level + 1), part);
   for (unsigned i = 0; i < num; i++)
      tt_levels_put(l, level + 1, part[i]);
   sim_prim_unref(t->box.gpu, tile.prim);
   return true;
}

/* Puts the primitive's next tile into the level at which it enters. */
static bool
tt_levels_enter(struct tt *t)
{
   struct levels *l = t->state;
   struct tile *e = &l->enter;
   if (!e->prim || l->queue[l->enter_at].num == l->size)
      return false;
   for (unsigned i = 0; i < l->enter_at; i++) {
      if (l->queue[i].num)
         return false;
   }
   const struct emul_setup *s = &e->prim->setup;
   const int32_t dim = TOP >> l->enter_at;
   tt_levels_put(l, l->enter_at, *e);
   e->x += dim;
   if (e->x >= s->maxx) {
      e->x = s->minx & ~(dim - 1);
      e->y += dim;
   }
   if (e->y >= s->maxy) {
      sim_prim_unref(t->box.gpu, e->prim);
      e->prim = NULL;
   }
   return true;
}

static bool
tt_levels_accept(struct tt *t, struct sim_prim *p, uint16_t work_id)
{
   struct levels *l = t->state;
   if (l->enter.prim)
      return false;
   const struct emul_setup *s = &p->setup;
   l->enter_at = 0;
   if (t->box.gpu->config.rast.tile_entry_box) {
      const int32_t width = s->maxx - s->minx, height = s->maxy - s->miny;
      while (l->enter_at < 4 && TOP >> (l->enter_at + 1) >= (width > height ? width : height))
         l->enter_at++;
   }
   const int32_t start = ~((TOP >> l->enter_at) - 1);
   l->enter = (struct tile){p, s->minx & start, s->miny & start, work_id};
   return true;
}

/* From the last level to the first: what a level passes on is used in the next cycle. */
static bool
tt_levels_step(struct tt *t, sim_tick now)
{
   bool worked = tt_levels_finish(t, now);
   worked |= tt_levels_divide_tile(t);
   for (unsigned level = 4; level-- > 0;)
      worked |= tt_levels_divide_level(t, level);
   return tt_levels_enter(t) || worked;
}

static bool
tt_levels_idle(const struct tt *t)
{
   const struct levels *l = t->state;
   for (unsigned i = 0; i < 5; i++) {
      if (l->queue[i].num)
         return false;
   }
   return !l->open.prim && !l->enter.prim;
}

const struct tt_variant tt_levels = {
    .name = "levels",
    .size = sizeof(struct levels),
    .init = tt_levels_init,
    .fini = tt_levels_fini,
    .accept = tt_levels_accept,
    .step = tt_levels_step,
    .idle = tt_levels_idle,
};
