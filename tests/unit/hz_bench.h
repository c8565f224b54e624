/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z, both variants, alone between mock neighbours: what its tests share. */
#ifndef HZ_BENCH_H
#define HZ_BENCH_H

#include "rop_bench.h"

extern const struct sim_box_class hz_class;

enum variant { PAPER = 1, RELEASE = 2 };

#define OTHER_ZS 0x50000

/* config: what differs from the defaults, may be NULL. */
static inline void
hz_bench(struct bench *b, enum variant variant, unsigned rops, const char *const *config)
{
   char error[200];
   bench_open(b, 0);
   struct sim_gpu *gpu = b->gpu;
   gpu->config.gpu.num_rops = rops;
   gpu->config.rast.hz_variant = variant;
   gpu->config.rast.hz_cache_lines = 8;
   gpu->config.rast.early_z_queue = 256;
   gpu->config.rast.hz_nearest = true;
   for (unsigned i = 0; config && config[i]; i++)
      assert_true(sim_config_set(&gpu->config, config[i], error, sizeof(error)));
   b->box = sim_box_create(&gpu->kernel, gpu, &hz_class, -1);
   BENCH_CONNECT(gpu, BENCH_BOX(tt, b->driver), BENCH_BOX(cp, b->driver), BENCH_BOX(hz, b->box),
                 BENCH_BOX(zst, b->driver), BENCH_BOX(interp, b->driver));
   b->out[b->num_out++] = gpu->net.hz_cp;
   for (unsigned r = 0; r < rops; r++) {
      b->out[b->num_out++] = &gpu->net.hz_zst[r];
      b->out[b->num_out++] = &gpu->net.hz_interp[r];
   }
   for (unsigned i = 0; i < 4; i++) {
      bind(&b->draw[i], 1, ATTILA_FORMAT_Z24S8, 0);
      less(&b->draw[i]);
      b->draw[i].hz_epoch = 1 + i;
   }
}

/* A tile whose depth is a plane: z[0] + z[1] * x + z[2] * y. */
static inline struct item *
push_slope(struct bench *b, struct sim_draw *d, int32_t x, int32_t y, const double z[3],
           uint64_t coverage)
{
   struct sim_prim *p = sim_pool_alloc(&b->gpu->prims);
   memset(p, 0, sizeof(*p));
   p->refs = 1;
   p->draw = d;
   p->setup.state = &d->state;
   memcpy(p->setup.z, z, sizeof(p->setup.z));
   p->setup.zmax = 1.0f;
   p->setup.maxx = WIDTH;
   p->setup.maxy = HEIGHT;
   struct item *it = push(b, b->gpu->net.tt_hz);
   it->m.tile = (struct msg_tile){
       .draw = d, .prim = p, .x = x, .y = y, .coverage = coverage, .work_id = d->work_id};
   return it;
}

/* A tile at constant depth. */
static inline struct item *
push_tile(struct bench *b, struct sim_draw *d, int32_t x, int32_t y, float z, uint64_t coverage)
{
   return push_slope(b, d, x, y, (double[3]){(double)z, 0.0, 0.0}, coverage);
}

static inline void
push_tile_end(struct bench *b, struct sim_draw *d)
{
   push(b, b->gpu->net.tt_hz)->m.tile =
       (struct msg_tile){.draw = d, .work_id = d->work_id, .end = true};
}

/* One of the lines of the tile at (x, y), of which there are as many as samples, all elements at
 * depth z. */
static inline struct item *
push_update(struct bench *b, const struct sim_draw *d, uint32_t x, uint32_t y, uint32_t line,
            float z, uint32_t epoch)
{
   const struct attila_regs *r = &d->state.regs;
   const struct attila_format_desc *f = &attila_formats[r->zs_format];
   struct item *it = push(b, b->gpu->net.zst_hz);
   uint32_t code = emul_zs_code(f, z), samples = r->fb_samples > 1 ? (uint32_t)r->fb_samples : 1;
   it->m.hz = (struct msg_hz){
       .address = r->zs_address + line * 64 * f->bytes +
                  (uint32_t)attila_tile_offset(r->zs_pitch_tiles, samples, f->bytes, x / 8, y / 8),
       .bytes = 64 * f->bytes,
       .near = code,
       .far = code,
       .epoch = epoch};
   return it;
}

static inline struct item *
push_clear(struct bench *b, const struct sim_draw *d, float z)
{
   struct item *it = push_command(b, b->gpu->net.cp_hz, ROP_CLEAR, &d->state.regs);
   it->m.rop.depth = z;
   return it;
}

static inline unsigned
count_quads(const struct bench *b, const struct sim_draw *d)
{
   unsigned n = 0;
   for (unsigned i = 0; i < b->num_log; i++)
      n += b->log[i].quad.quad && b->log[i].quad.draw == d;
   return n;
}

/* When the first quad of a draw left, seen from the driver. */
static inline sim_tick
first_quad(const struct bench *b, const struct sim_draw *d)
{
   for (unsigned i = 0; i < b->num_log; i++) {
      if (b->log[i].quad.quad && b->log[i].quad.draw == d)
         return b->log[i].tick;
   }
   return 0;
}

static inline void
finish(struct bench *b)
{
   free_logged(b);
   bench_close(b);
}

#endif
