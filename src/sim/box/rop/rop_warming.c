/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Warming of a ROP (box/sim_warming.h): shapes and clear values of surfaces that functional mode
 * cleared and drew, and block states. Functional mode marks the blocks that it draws in
 * (sim_block_draw); when cycle mode begins, their states are computed from their bytes, as if every
 * line had been written back once. One difference to cycle mode remains: a block that was
 * incompressible when it left the cache, and is compressible now, is compressed here and plain in
 * cycle mode. Caches start empty. */
#include "box/rop/rop_cache.h"

void
rop_warm_bind(struct rop_cache *c, const struct attila_regs *regs, uint32_t address,
              uint32_t format, uint32_t pitch_tiles)
{
   const struct rop_binding bind = rop_binding(regs, address, format, pitch_tiles);
   /* The cache is empty, so a surface can be bound at once. */
   rop_cache_bind(c, &bind);
}

/* Computes the state of a block in which something was drawn. */
static void
rop_warming_warm_find_state(const struct rop_cache *c, const struct rop_surface *s,
                            const struct rop_walk *w)
{
   struct sim_device *d = c->box->gpu->device;
   const uint32_t address = rop_walk_address(s, w), block = rop_walk_block(s, w);
   const uint8_t state = sim_block_state(&d->blocks, address), *data = d->memory + address;
   if (!sim_block_drawn(state))
      return;
   const bool plain = (state & SIM_BLOCK_SAVED_MASK) == SIM_BLOCK_DRAWN_PLAIN;
   const uint32_t size = rop_block_stored(c, s, block, plain, data);
   sim_block_set(&d->blocks, address, s->block_bytes, 4 * size / s->block_bytes,
                 rop_has_state(c, block) ? rop_clear_flags(s, data) : 0);
}

static void
rop_warming_warm_find_states(const struct rop_cache *c, const struct rop_surface *s)
{
   struct rop_walk w;
   for (bool more = rop_walk_first(c, s, &w); more; more = rop_walk_next(c, s, &w))
      rop_warming_warm_find_state(c, s, &w);
}

/* Memory still has the contents before the clear. */
static void
rop_warming_warm_clear_surface(const struct rop_cache *c, struct rop_surface *s,
                               const uint8_t value[16], unsigned planes)
{
   struct sim_blocks *blocks = &c->box->gpu->device->blocks;
   const unsigned has = (s->plane_mask[0] ? 1u : 0u) | (s->plane_mask[1] ? 2u : 0u);
   if ((planes & has) != has)
      rop_warming_warm_find_states(c, s);
   const struct rop_clearing to = rop_clear_planes(s, planes, value);
   struct rop_walk w;
   for (bool more = rop_walk_first(c, s, &w); more; more = rop_walk_next(c, s, &w)) {
      const uint32_t address = rop_walk_address(s, &w);
      if (rop_has_state(c, rop_walk_block(s, &w)))
         rop_clear_state(blocks, s, address, to.flags);
      else
         sim_block_set(blocks, address, s->block_bytes, 4, 0);
   }
}

static void
rop_warming_warm_traits(struct rop_cache *c, struct sim_state *s)
{
   uint32_t numbers[] = {
       c->line_bytes, c->num_states, c->blocks_cleared, c->no_compression, c->compressor,
       c->num_rops,   c->rop};
   SIM_STATE(s, numbers);
}

static void
rop_warming_warm_state(struct rop_cache *c, struct sim_state *s)
{
   SIM_STATE(s, c->bind_clock);
   for (unsigned i = 0; i < ROP_MAX_SURFACES; i++) {
      struct rop_surface *surface = &c->surface[i];
      struct rop_binding bind = surface->bind;
      uint32_t last = surface->last_bound;
      uint64_t value = surface->clear_value;
      uint8_t used = surface->used;
      SIM_STATE(s, used);
      if (s->load)
         surface->used = false;
      if (!used)
         continue;
      SIM_STATE(s, bind);
      SIM_STATE(s, last);
      SIM_STATE(s, value);
      if (s->load && sim_state_check(s, rop_surface_restore(c, surface, &bind))) {
         surface->last_bound = last;
         surface->clear_value = value;
      }
   }
}

static void
rop_warming_warm_leave(struct rop_cache *c)
{
   for (uint32_t i = 0; i < c->ways * c->sets; i++) {
      if (c->line[i].state != ROP_LINE_INVALID && c->line[i].dirty)
         sim_error(c->box, "a line at 0x%x is dirty where cycle mode ends", c->line[i].address);
      rop_cache_drop_line(c, i);
   }
}

void
rop_warm(struct rop_cache *c, const struct sim_warming *event)
{
   if (event->kind == SIM_WARM_TRAITS)
      rop_warming_warm_traits(c, event->state);
   else if (event->kind == SIM_WARM_STATE)
      rop_warming_warm_state(c, event->state);
   if (event->kind == SIM_WARM_CLEAR) {
      struct rop_binding bind;
      uint8_t value[16];
      unsigned planes;
      for (unsigned n = 0; n < ATTILA_MAX_COLOR_BUFFERS; n++) {
         if (!c->clear_target(c, &event->clear, n, &bind, value, &planes))
            continue;
         const int s = rop_cache_bind(c, &bind);
         if (s >= 0)
            rop_warming_warm_clear_surface(c, &c->surface[s], value, planes);
      }
   } else if (event->kind == SIM_WARM_ENTER) {
      for (unsigned i = 0; i < ROP_MAX_SURFACES; i++) {
         if (c->surface[i].used)
            rop_warming_warm_find_states(c, &c->surface[i]);
      }
   } else if (event->kind == SIM_WARM_LEAVE) {
      rop_warming_warm_leave(c);
   }
}
