/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Warming of an L2 slice (box/sim_warming.h): as cycle mode begins, the lines are filled with what
 * functional mode used last (decode/sim_uses.h), as LRU would have kept them, and with the bytes
 * that block states leave on the wire. A sector is there, and dirty, if it was used, and written,
 * after the last use of any line of its set that did not stay. What differs from cycle mode: the
 * caches before the L2 keep some uses from it, and here all lines go by LRU, also those that stay
 * longest (policy 2). What was written before cycle mode began counts for no draw of it.
 */
#include <stdlib.h>
#include "box/memory/l2.h"

/* What a slice is filled from, and the times of its lines. */
struct l2_warming {
   struct l2 *x;
   const struct sim_uses *uses;
   const struct sim_blocks *blocks;
   uint32_t *age;  /* [sets][ways] last use; 0: empty */
   uint32_t *gone; /* [sets] last use of a line that did not stay */
};

/* Lines that stay; what did not; sectors. */
enum l2_warming_step { L2_TAKE, L2_MISS, L2_MARK };

static unsigned
l2_warming_channel(const struct l2 *x, uint32_t address)
{
   const struct sim_config *c = &x->box.gpu->config;
   return x->banked ? sim_memory_place(&x->map, address).channel
                    : address / c->mc.interleave % c->mc.channels;
}

static const uint8_t kinds[SIM_NUM_USERS] = {
    [SIM_USER_COMMANDS] = MC_cp, [SIM_USER_INDICES] = MC_stf, [SIM_USER_VERTICES] = MC_sl,
    [SIM_USER_ZS] = MC_zst,      [SIM_USER_COLOR] = MC_cw,    [SIM_USER_TEXTURES] = MC_tu,
    [SIM_USER_BLITS] = MC_blit,  [SIM_USER_DISPLAY] = MC_dac, [SIM_USER_STREAMS] = MC_so,
    [SIM_USER_STORAGE] = MC_lsu,
};

/* Takes a line for a use, unless all lines of its set were used later. */
static void
l2_warming_take(struct l2_warming *w, uint64_t unit, uint32_t key)
{
   struct l2 *x = w->x;
   const uint32_t used = w->uses->used[unit], first = l2_lines_set(x, key) * x->ways;
   uint32_t line = l2_lines_find(x, key);
   if (line == L2_NO_LINE) {
      line = first;
      for (uint32_t i = first; i < first + x->ways; i++)
         line = w->age[i] < w->age[line] ? i : line;
      if (w->age[line] >= used)
         return;
      x->lines[line] = (struct l2_line){.key = key};
      w->age[line] = 0;
   }
   w->age[line] = used > w->age[line] ? used : w->age[line];
}

/* Notes a use of a line that did not stay. */
static void
l2_warming_miss(struct l2_warming *w, uint64_t unit, uint32_t key)
{
   uint32_t *gone = &w->gone[l2_lines_set(w->x, key)];
   if (l2_lines_find(w->x, key) == L2_NO_LINE && w->uses->used[unit] > *gone)
      *gone = w->uses->used[unit];
}

/* Marks the sectors of a use. */
static void
l2_warming_mark(struct l2_warming *w, uint64_t unit, uint32_t key, uint8_t sectors)
{
   struct l2 *x = w->x;
   const struct sim_uses *u = w->uses;
   const uint32_t line = l2_lines_find(x, key), gone = w->gone[l2_lines_set(x, key)];
   if (line == L2_NO_LINE || u->used[unit] <= gone)
      return;
   if (u->written[unit] > gone)
      l2_lines_write(x, line, sectors, sectors, (enum mc_kind)kinds[u->writer[unit]],
                     SIM_WORK_OTHER);
   x->lines[line].valid |= sectors;
}

/* Takes a step for each of the slice's lines that the bytes of a unit are in. */
static void
l2_warming_unit(struct l2_warming *w, enum l2_warming_step step, uint64_t used, uint64_t unit)
{
   struct l2 *x = w->x;
   const uint32_t start = (uint32_t)(unit * SIM_USES_UNIT), line_bytes = 1u << x->line_shift;
   const uint32_t bytes = line_bytes < SIM_USES_UNIT ? line_bytes : SIM_USES_UNIT;
   for (uint32_t at = start; at < start + SIM_USES_UNIT; at += bytes) {
      if (l2_warming_channel(x, at) != (unsigned)x->box.instance)
         continue;
      const unsigned first = (at & (line_bytes - 1)) >> x->sector_shift,
                     num = bytes >> x->sector_shift;
      if (step == L2_TAKE)
         l2_warming_take(w, used, at >> x->line_shift);
      else if (step == L2_MISS)
         l2_warming_miss(w, used, at >> x->line_shift);
      else
         l2_warming_mark(w, used, at >> x->line_shift, (uint8_t)(((1u << num) - 1) << first));
   }
}

/* Takes a step for all uses. A compressed block is moved whole, a clear one not at all. */
static void
l2_warming_all(struct l2_warming *w, enum l2_warming_step step)
{
   const uint64_t units = w->uses->memory_size / SIM_USES_UNIT;
   for (uint64_t i = 0; (i = sim_uses_next(w->uses, i)) < units; i++) {
      const uint8_t state = sim_block_state(w->blocks, (uint32_t)(i * SIM_USES_UNIT));
      const uint32_t quarters = sim_block_quarters(state), bytes = sim_block_bytes(state);
      if (quarters == 4) {
         l2_warming_unit(w, step, i, i);
         continue;
      }
      const uint64_t first = i & ~(uint64_t)(bytes / SIM_USES_UNIT - 1);
      for (uint32_t k = 0; k * SIM_USES_UNIT < bytes / 4 * quarters; k++)
         l2_warming_unit(w, step, i, first + k);
   }
}

/* Tells the policy of replacement in which order the lines of a set were used. */
static void
l2_warming_order(struct l2_warming *w, uint32_t set)
{
   struct l2 *x = w->x;
   uint32_t *age = w->age + set * x->ways;
   for (;;) {
      uint32_t way = x->ways;
      for (uint32_t i = 0; i < x->ways; i++) {
         if (age[i] && (way == x->ways || age[i] < age[way]))
            way = i;
      }
      if (way == x->ways)
         return;
      replace_taken(&x->replace, set * x->ways + way);
      replace_use(&x->replace, set * x->ways + way);
      age[way] = 0;
   }
}

static void
l2_warming_fill(struct l2 *x)
{
   struct sim_device *d = x->box.gpu->device;
   if (!d->uses.users)
      return;
   struct l2_warming w = {.x = x,
                          .uses = &d->uses,
                          .blocks = &d->blocks,
                          .age = sim_xcalloc((size_t)x->sets * x->ways, sizeof(*w.age)),
                          .gone = sim_xcalloc(x->sets, sizeof(*w.gone))};
   l2_warming_all(&w, L2_TAKE);
   l2_warming_all(&w, L2_MISS);
   l2_warming_all(&w, L2_MARK);
   for (uint32_t set = 0; set < x->sets; set++)
      l2_warming_order(&w, set);
   free(w.age);
   free(w.gone);
}

void
l2_warm(struct sim_box *b, const struct sim_warming *event)
{
   struct l2 *x = (struct l2 *)b;
   if (event->kind == SIM_WARM_FILL)
      l2_warming_fill(x);
   else if (event->kind == SIM_WARM_LEAVE)
      l2_lines_forget(x);
}
