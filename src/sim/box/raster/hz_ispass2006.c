/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z of the papers (ISPASS 2006 section 2): one level of 8-bit bounds on chip with
 * ports for every tile of a cycle, so there is no cache and no wait: a tile's bounds arrive
 * HZAccessLatency cycles after it. It tests whole tiles by the nearest (or farthest) depth of the
 * primitive's plane in the tile. The 8 bits (the paper gives only their number) are a small float
 * of 1 - z, since perspective depth crowds near 1. */
#include "box/raster/hz.h"

/* 1 - z rounded down to 4 bits of exponent and 4 of mantissa, then subtracted since codes grow with
 * depth: 1 (z = 0) to 241 (z = 1). */
static uint32_t
hz_ispass2006_code(const struct attila_format_desc *format, uint32_t depth)
{
   float f;
   uint32_t bits;
   f = 1.0f - emul_zs_code_depth(format, depth);
   memcpy(&bits, &f, 4);
   int32_t near = (int32_t)(bits >> 19) - (112 << 4);
   return near > 0 ? 241 - (uint32_t)near : 241;
}

static bool
hz_ispass2006_exact(const struct attila_format_desc *format)
{
   (void)format;
   return false;
}

static void
hz_ispass2006_nothing(struct hz *h)
{
   (void)h;
}

static void
hz_ispass2006_changed(struct hz *h, uint32_t block, bool here)
{
   (void)h;
   (void)block;
   (void)here;
}

static bool
hz_ispass2006_lookup(struct hz *h, struct hz_tile *t, sim_tick now, uint32_t *budget)
{
   (void)budget;
   h->stat[t->m.work_id].reads++;
   t->ready = now + h->latency - h->box.period;
   return true;
}

static void
hz_ispass2006_bounds(const struct hz *h, const struct hz_tile *t, uint32_t block, uint32_t *near,
                     uint32_t *far)
{
   (void)t;
   *near = h->near[block];
   *far = h->far[block];
}

static void
hz_ispass2006_release(struct hz *h, struct hz_tile *t)
{
   (void)h;
   (void)t;
}

static bool
hz_ispass2006_end_cycle(struct hz *h)
{
   (void)h;
   return false;
}

const struct hz_variant hz_ispass2006 = {
    .name = "ispass2006",
    .code = hz_ispass2006_code,
    .exact = hz_ispass2006_exact,
    .init = hz_ispass2006_nothing,
    .reset = hz_ispass2006_nothing,
    .changed = hz_ispass2006_changed,
    .lookup = hz_ispass2006_lookup,
    .bounds = hz_ispass2006_bounds,
    .release = hz_ispass2006_release,
    .end_cycle = hz_ispass2006_end_cycle,
};
