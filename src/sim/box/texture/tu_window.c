/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture Unit, wait-read window and ready queue: up to TextureWaitReadWindow elements wait after
 * look-up until the cache has their lines, then go on in the order of completion. A line on its way
 * lists the elements that wait for it. */
#include "box/texture/tu.h"

static void
tu_window_make_ready(struct tu *t, uint32_t element)
{
   tu_queue_push(&t->ready, element);
}

void
tu_window_add(struct tu *t, uint32_t element)
{
   struct tu_element *e = &t->elements[element];
   if (!e->missing) {
      tu_window_make_ready(t, element);
      return;
   }
   e->waits = true;
   t->in_window++;
   t->window_work_id = e->work_id;
}

void
tu_window_wait(struct tu *t, uint32_t element, struct tu_line *line)
{
   uint32_t id = t->free_waiters.id[--t->free_waiters.num];
   if (line->waiters == TU_NO_LINE)
      line->waiters = id;
   else
      t->waiters[line->last_waiter].next = id;
   line->last_waiter = id;
   t->waiters[id] = (struct tu_waiter){.element = element, .next = TU_NO_LINE};
   t->elements[element].missing++;
}

void
tu_window_fill(struct tu *t, struct tu_line *line)
{
   for (uint32_t id = line->waiters; id != TU_NO_LINE; id = t->waiters[id].next) {
      uint32_t element = t->waiters[id].element;
      struct tu_element *e = &t->elements[element];
      if (t->waiters[id].next != TU_NO_LINE)
         __builtin_prefetch(&t->elements[t->waiters[t->waiters[id].next].element], 1);
      t->free_waiters.id[t->free_waiters.num++] = id;
      if (!--e->missing && e->waits)
         tu_queue_push(&t->awake, element);
   }
   line->waiters = TU_NO_LINE;
}

bool
tu_window_clock(struct tu *t)
{
   bool progress = false;
   while (tu_queue_length(&t->awake) && tu_queue_length(&t->ready) < t->access_queue) {
      tu_window_make_ready(t, tu_queue_first(&t->awake));
      t->awake.head++;
      t->in_window--;
      progress = true;
   }
   return progress;
}
