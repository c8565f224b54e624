/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Z and stencil test and colour write, each alone between the mocks of rop_bench.h, with the
 * signals that they have in the machine. For tests only. */
#ifndef ROP_BOXES_H
#define ROP_BOXES_H

#include "rop_bench.h"

extern const struct sim_box_class zst_class, cw_class;

static inline void
zst_bench(struct bench *b, uint32_t order, uint32_t ways, uint32_t sets)
{
   bench_open(b, order);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.zst.cache_ways = ways;
   gpu->config.zst.cache_sets = sets;
   b->box = sim_box_create(&gpu->kernel, gpu, &zst_class, 0);
   BENCH_CONNECT(gpu, BENCH_BOX(hz, b->driver), BENCH_BOX(ffu, b->driver), BENCH_BOX(cp, b->driver),
                 BENCH_BOX(interp, b->driver), BENCH_BOX(cw, b->driver), BENCH_BOX(zst, b->box),
                 BENCH_BOX(mc, b->memory_box));
   b->memory.requests = gpu->net.zst_mc;
   b->memory.responses = gpu->net.mc_zst;
   b->out[0] = gpu->net.zst_interp;
   b->out[1] = gpu->net.zst_cw;
   b->out[2] = gpu->net.zst_cp;
   b->out[3] = gpu->net.zst_hz;
   b->num_out = 4;
}

static inline void
cw_bench(struct bench *b, uint32_t order, uint32_t ways, uint32_t sets)
{
   bench_open(b, order);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.cw.cache_ways = ways;
   gpu->config.cw.cache_sets = sets;
   gpu->config.cw.no_compression = false;
   b->box = sim_box_create(&gpu->kernel, gpu, &cw_class, 0);
   BENCH_CONNECT(gpu, BENCH_BOX(ffu, b->driver), BENCH_BOX(zst, b->driver),
                 BENCH_BOX(cp, b->driver), BENCH_BOX(cw, b->box), BENCH_BOX(mc, b->memory_box));
   b->memory.requests = gpu->net.cw_mc;
   b->memory.responses = gpu->net.mc_cw;
   b->out[0] = gpu->net.cw_cp;
   b->num_out = 1;
}

/* --- Draws --- */

#define LINES_PER_ROW (WIDTH / 8)

/* An RGBA8 draw on COLOR0 that only writes, or blends. */
static inline struct sim_draw *
color_draw(struct bench *b, unsigned n, bool blend)
{
   struct sim_draw *d = &b->draw[n];
   bind(d, 1, 0, ATTILA_FORMAT_B8G8R8A8_UNORM);
   d->state.regs.color[0].blend_enable = blend;
   d->state.regs.color[0].rgb_src = ATTILA_FACTOR_SRC_ALPHA;
   d->state.regs.color[0].rgb_dst = ATTILA_FACTOR_INV_SRC_ALPHA;
   return d;
}

/* All quads of a tile, or the first count of them in the order of memory. */
static inline void
push_tile(struct bench *b, struct sim_signal *s, struct sim_draw *d, unsigned tile, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      int32_t x = (int32_t)(tile % LINES_PER_ROW * 8 + (i & 1) * 2 + (i >> 2 & 1) * 4);
      int32_t y = (int32_t)(tile / LINES_PER_ROW * 8 + (i >> 1 & 1) * 2 + (i >> 3 & 1) * 4);
      push_quad(b, s, d, x, y, 0.5f);
   }
}

/* The next object waits until everything before has been answered. */
static inline void
push_draw_end(struct bench *b, struct sim_signal *s, struct sim_draw *d)
{
   push_end(b, s, d);
   b->items[b->num_items - 1].opens = true;
}

static inline struct item *
write_back(struct bench *b, struct sim_signal *s, uint64_t start, uint64_t end)
{
   struct item *it = push_command(b, s, ROP_WRITE_BACK, NULL);
   it->m.rop.start = start;
   it->m.rop.end = end;
   return it;
}

/* Runs what was pushed since the last run. */
static inline void
go_on(struct bench *b)
{
   sim_box_wake(b->driver, b->gpu->kernel.now + 1);
   bench_run(b);
}

static inline uint32_t
read_cost(const struct bench *b, uint32_t address, uint32_t bytes)
{
   return sim_blocks_read_bytes(&b->gpu->device->blocks, address, bytes);
}

static inline sim_tick
last_tick(const struct bench *b)
{
   return b->log[b->num_log - 1].tick;
}

#endif
