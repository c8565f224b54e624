/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lines of an L2 slice: finds and replaces them, and marks dirty sectors. A line stays while
 * memory reads sectors of it. Lines of clients with policy 2 are replaced last. Not here: the
 * replacement policy (box/replace.h). */
#include "box/memory/l2.h"

void
l2_lines_init(struct l2 *x)
{
   const struct sim_config *c = &x->box.gpu->config;
   const size_t lines = (size_t)c->l2.sets * c->l2.ways;
   x->sets = c->l2.sets;
   x->ways = c->l2.ways;
   x->lines = sim_box_alloc(&x->box, lines * sizeof(*x->lines));
   x->fetch = sim_box_alloc(&x->box, lines * x->line_sectors * sizeof(*x->fetch));
   for (size_t i = 0; i < lines; i++)
      x->lines[i].key = L2_NO_LINE;
   replace_init(&x->replace, c->l2.replacement, x->sets, x->ways,
                sim_box_alloc(&x->box, 2 * lines * sizeof(uint64_t)));
}

uint32_t
l2_lines_find(const struct l2 *x, uint32_t key)
{
   const uint32_t first = l2_lines_set(x, key) * x->ways;
   for (uint32_t i = first; i < first + x->ways; i++) {
      if (x->lines[i].key == key)
         return i;
   }
   return L2_NO_LINE;
}

uint64_t
l2_lines_free(const struct l2 *x, uint32_t key, bool *dirty)
{
   const struct l2_line *l = &x->lines[l2_lines_set(x, key) * x->ways];
   uint64_t empty = 0, plain = 0, kept = 0;
   *dirty = false;
   for (uint32_t way = 0; way < x->ways; way++) {
      const uint64_t bit = 1ull << way;
      if (l[way].key == L2_NO_LINE)
         empty |= bit;
      else if (!l[way].asked)
         *(l[way].kept ? &kept : &plain) |= bit;
   }
   const uint64_t free = empty ? empty : plain ? plain : kept;
   for (uint64_t left = free; left; left &= left - 1)
      *dirty |= l[__builtin_ctzll(left)].dirty != 0;
   return free;
}

static void
l2_lines_clean(struct l2 *x, struct l2_line *l)
{
   if (l->dirty)
      sim_work_unref(x->box.gpu->work, l->dirty_work_id);
   l->dirty = 0;
}

uint32_t
l2_lines_take(struct l2 *x, uint32_t key, uint64_t free, unsigned work_id)
{
   const uint32_t set = l2_lines_set(x, key);
   uint32_t line = set * x->ways + (uint32_t)__builtin_ctzll(free);
   if (x->lines[line].key == L2_NO_LINE)
      replace_taken(&x->replace, line);
   else
      line = replace_take(&x->replace, set, free);
   struct l2_line *l = &x->lines[line];
   if (l->key != L2_NO_LINE) {
      ++*(l->dirty ? &x->stat[work_id].replaced_dirty : &x->stat[work_id].replaced_clean);
      if (l->dirty)
         l2_memory_write(x, L2_NONE, l->key << x->line_shift, l->dirty, (enum mc_kind)l->dirty_kind,
                         l->dirty_work_id);
      l2_lines_clean(x, l);
   }
   *l = (struct l2_line){.key = key};
   return line;
}

void
l2_lines_write(struct l2 *x, uint32_t line, uint8_t sectors, uint8_t whole, enum mc_kind kind,
               uint16_t work_id)
{
   struct l2_line *l = &x->lines[line];
   if (!l->dirty) {
      l->dirty_kind = (uint8_t)kind;
      l->dirty_work_id = work_id;
      sim_work_ref(x->box.gpu->work, work_id);
   }
   l->dirty |= sectors;
   l->valid |= whole;
}

void
l2_lines_forget(struct l2 *x)
{
   for (uint32_t i = 0; i < x->sets * x->ways; i++) {
      l2_lines_clean(x, &x->lines[i]);
      x->lines[i] = (struct l2_line){.key = L2_NO_LINE};
   }
}
