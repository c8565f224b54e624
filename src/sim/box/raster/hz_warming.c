/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Hierarchical Z, warming (box/sim_warming.h): chooses the depth surfaces, among those that
 * functional mode cleared and drew, that have room in the buffer. Their bounds are computed from
 * memory when cycle mode begins, as if every Z cache line had just been written back. HZ caches
 * start empty. */
#include "box/raster/hz.h"

static void
hz_warming_warm_forget_color(struct hz *h, const struct attila_regs *regs, uint32_t buffers)
{
   for (; buffers; buffers &= buffers - 1) {
      const struct attila_color_regs *c = &regs->color[__builtin_ctz(buffers)];
      if (!c->address)
         continue;
      hz_surface_forget(h, c->address,
                        c->address + attila_surface_bytes(c->pitch_tiles, regs->fb_width,
                                                          regs->fb_height,
                                                          regs->fb_samples ? regs->fb_samples : 1,
                                                          attila_formats[c->format].bytes));
   }
}

/* Warms for a draw in one of its layers. */
static void
hz_warming_warm_layer(struct hz *h, const struct emul_draw_state *s, const struct attila_regs *regs)
{
   hz_warming_warm_forget_color(h, regs, s->color_mask);
   if (!s->zs_bound || !(s->z_test || s->stencil_test))
      return;
   struct hz_surface *target = hz_surface_find(h, regs);
   if (!s->z_test || !s->zs_format->channel[0].bits)
      return;
   if (!target)
      target = hz_surface_add(h, regs, h->newest + 1);
   if (s->z_write && s->regs.z_func & 4 && !h->nearest && !h->tiled)
      target->blind = true;
}

static void
hz_warming_warm_draw(struct hz *h, const struct emul_draw_state *s)
{
   for (uint32_t layer = 0; !s->regs.rasterizer_discard && layer < s->layers.count; layer++) {
      struct attila_regs regs;
      emul_layer_regs(s, layer, &regs);
      hz_warming_warm_layer(h, s, &regs);
   }
}

static void
hz_warming_warm_clear(struct hz *h, const struct msg_rop *m)
{
   const struct attila_regs *regs = m->regs;
   bool fresh;
   hz_warming_warm_forget_color(h, regs, m->buffers);
   if (m->planes)
      hz_clear(h, m, &fresh);
}

static void
hz_warming_warm_find_bounds(struct hz *h, const struct hz_surface *s)
{
   const uint8_t *memory = h->box.gpu->device->memory;
   const uint32_t bytes = hz_surface_block_bytes(s);
   for (uint64_t at = s->start; at < s->end; at += bytes) {
      uint32_t near, far;
      emul_zs_block_range(s->format, memory + at, bytes / s->format->bytes, &near, &far);
      hz_surface_set(h, s, (uint32_t)at, bytes, &near, &far);
   }
}

static void
hz_warming_warm_traits(struct hz *h, struct sim_state *s)
{
   uint32_t numbers[] = {h->enabled, h->nearest, h->size, h->num_surfaces};
   SIM_STATE(s, numbers);
}

/* Bounds are computed when cycle mode begins, so they are not saved. */
static void
hz_warming_warm_state(struct hz *h, struct sim_state *st)
{
   SIM_STATE(st, h->surface_clock);
   for (uint32_t i = 0; i < h->num_surfaces; i++)
      hz_surface_state(h, &h->surface[i], st);
   if (st->load)
      h->variant->reset(h);
}

void
hz_warm(struct sim_box *b, const struct sim_warming *event)
{
   struct hz *h = (struct hz *)b;
   if (event->kind == SIM_WARM_TRAITS)
      hz_warming_warm_traits(h, event->state);
   if (!h->enabled)
      return;
   switch (event->kind) {
   case SIM_WARM_WRITTEN:
      hz_surface_forget(h, event->start, event->end);
      break;
   case SIM_WARM_CLEAR:
      hz_warming_warm_clear(h, &event->clear);
      break;
   case SIM_WARM_DRAW:
      hz_warming_warm_draw(h, event->draw);
      break;
   case SIM_WARM_ENTER:
      for (uint32_t i = 0; i < h->num_surfaces; i++) {
         if (h->surface[i].live)
            hz_warming_warm_find_bounds(h, &h->surface[i]);
      }
      break;
   case SIM_WARM_LEAVE:
      h->variant->reset(h);
      break;
   case SIM_WARM_STATE:
      hz_warming_warm_state(h, event->state);
      break;
   default:
      break;
   }
}
