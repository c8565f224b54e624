/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A texture cache of one level (ISPASS 2006): its lines come from memory in the order of
 * requests. */
#include "box/texture/tu.h"

static void
tu_source_memory_init(struct tu *t)
{
   (void)t;
}

static bool
tu_source_memory_clock(struct tu *t, sim_tick now)
{
   struct tu_cache *c = &t->cache;
   bool progress = false;
   if (c->asked != c->taken) {
      struct tu_fill *f = &c->fills[c->asked & c->mask];
      if (tu_cache_send(t, c->tags.lines[f->line].data, f->address, f->bytes, f->work_id,
                        c->asked & c->mask, &f->received, now)) {
         c->asked++;
         progress = true;
      }
   }
   if (c->read != c->asked && c->fills[c->read & c->mask].received) {
      c->read++;
      progress = true;
   }
   return progress;
}

static uint16_t
tu_source_memory_response(struct tu *t, uint32_t cookie)
{
   t->cache.fills[cookie].received = true;
   return t->cache.fills[cookie].work_id;
}

static void
tu_source_memory_forget(struct tu *t, uint64_t start, uint64_t end)
{
   (void)t, (void)start, (void)end;
}

const struct tu_source tu_source_memory = {
    .init = tu_source_memory_init,
    .fini = tu_source_memory_init,
    .clock = tu_source_memory_clock,
    .response = tu_source_memory_response,
    .forget = tu_source_memory_forget,
};
