/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tile scan (Neon: McCormack and others 1998; "fragment scanner" in ISPASS 2006 section 2), one
 * primitive at a time: visits the scan tiles (ScanWidth x ScanHeight) of its bounding box that the
 * primitive may touch, chunk by chunk (OverScanWidth x OverScanHeight scan tiles, a page of memory
 * or what the caches hold), back and forth. While a position's 8x8 tiles are made, StampsPerCycle
 * per cycle, its neighbours are probed and the next position is kept in a context, so moving costs
 * no cycle. A primitive that touches nothing costs one. Not here: the release's search along the
 * bounding box for a start when no vertex is in the viewport; this simulator clips primitives. */
#include "box/raster/tt.h"

struct scan {
   int32_t width, height;             /* of a scan tile, pixels */
   int32_t chunk_width, chunk_height; /* pixels */
   int32_t x0, y0, x1, y1;            /* bounding box, whole chunks */
   int32_t cx, cy, x, y;              /* chunk; scan tile */
   uint32_t next;                     /* its 8x8 tile */
   bool found;                        /* a position is found */
};

static void
tt_scan_init(struct tt *t)
{
   struct scan *s = t->state;
   const struct sim_config *c = &t->box.gpu->config;
   s->width = (int32_t)c->rast.scan_width;
   s->height = (int32_t)c->rast.scan_height;
   s->chunk_width = s->width * (int32_t)c->rast.over_width;
   s->chunk_height = s->height * (int32_t)c->rast.over_height;
}

/* Moves to the chunk's next scan tile, or the next chunk's first; false if none is left. */
static bool
tt_scan_move(struct scan *s)
{
   bool back = (s->y - s->cy) / s->height & 1;
   s->x += back ? -s->width : s->width;
   if (s->x >= s->cx && s->x < s->cx + s->chunk_width)
      return true;
   s->x -= back ? -s->width : s->width;
   s->y += s->height;
   if (s->y < s->cy + s->chunk_height)
      return true;
   back = (s->cy - s->y0) / s->chunk_height & 1;
   s->cx += back ? -s->chunk_width : s->chunk_width;
   if (s->cx < s->x0 || s->cx >= s->x1) {
      s->cx -= back ? -s->chunk_width : s->chunk_width;
      s->cy += s->chunk_height;
   }
   s->x = s->cx;
   s->y = s->cy;
   return s->cy < s->y1;
}

static bool
tt_scan_touches(struct tt *t, int32_t x, int32_t y)
{
   const struct scan *s = t->state;
   const struct emul_setup *p = &t->prim[0]->setup;
   t->stat[t->work_id].tests++;
   if (x >= p->maxx || y >= p->maxy || x + s->width <= p->minx || y + s->height <= p->miny)
      return false;
   /* Oblong tiles are probed as adjacent squares. */
   int32_t dim = s->width < s->height ? s->width : s->height;
   for (int32_t dy = 0; dy < s->height; dy += dim) {
      for (int32_t dx = 0; dx < s->width; dx += dim) {
         if (tt_touches(t, t->prim[0], x + dx, y + dy, dim))
            return true;
      }
   }
   return false;
}

static bool
tt_scan_find(struct tt *t)
{
   struct scan *s = t->state;
   do {
      if (tt_scan_touches(t, s->x, s->y))
         return true;
   } while (tt_scan_move(s));
   return false;
}

static void
tt_scan_start(struct tt *t)
{
   struct scan *s = t->state;
   const struct emul_setup *p = &t->prim[0]->setup;
   s->cx = s->x = s->x0 = p->minx - p->minx % s->chunk_width;
   s->cy = s->y = s->y0 = p->miny - p->miny % s->chunk_height;
   s->x1 = p->maxx;
   s->y1 = p->maxy;
   s->next = 0;
   s->found = tt_scan_find(t);
}

static bool
tt_scan_step(struct tt *t, sim_tick now)
{
   struct scan *s = t->state;
   const uint32_t across = (uint32_t)s->width / ATTILA_TILE_DIM,
                  tiles = across * (uint32_t)s->height / ATTILA_TILE_DIM;
   for (unsigned i = 0; i < t->tiles && s->found; i++) {
      int32_t x = s->x + (int32_t)(s->next % across) * ATTILA_TILE_DIM,
              y = s->y + (int32_t)(s->next / across) * ATTILA_TILE_DIM;
      if (!tt_generate(t, t->prim[0], t->work_id, x, y, now))
         break;
      if (++s->next == tiles) {
         s->next = 0;
         s->found = tt_scan_move(s) && tt_scan_find(t);
      }
   }
   return !s->found;
}

const struct tt_variant tt_scan = {
    .name = "scan",
    .size = sizeof(struct scan),
    .init = tt_scan_init,
    .start = tt_scan_start,
    .step = tt_scan_step,
};
