/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The Texture Unit box: clocks its parts from last to first, so that a quad passes one step per
 * cycle; statistics of waiting; activity. The steps are in tu_address.c, tu_fetch.c, tu_window.c,
 * tu_filter.c and tu_cache.c. */
#include "box/sim_warming.h"
#include "box/texture/tu.h"
#include <stdlib.h>

#define TU_ELEMENT_LINES (TU_ELEMENT_OPS * TU_TEXELS)

static void *
tu_reserve(size_t n, size_t size)
{
   return sim_xaligned_alloc(64, (n * size + 63) & ~(size_t)63);
}

static void
tu_init_queue(struct tu_queue *q, uint32_t n)
{
   q->mask = tu_ring_mask(n);
   q->id = tu_reserve(q->mask + 1, sizeof(*q->id));
}

static void
tu_init_stack(struct tu_stack *s, uint32_t n)
{
   s->id = tu_reserve(n, sizeof(*s->id));
   for (s->num = 0; s->num < n; s->num++)
      s->id[s->num] = n - 1 - s->num;
}

static void
tu_init_pools(struct tu *t)
{
   uint32_t n = t->access_queue, tasks = n + 1;
   /* Elements in the window, before and in the ready queue, and one in look-up. */
   uint32_t elements = t->window + n + 1;
   t->tasks = tu_reserve(tasks, sizeof(*t->tasks));
   t->small = sim_box_alloc(&t->box, tasks * sizeof(*t->small));
   t->accesses = tu_reserve(n, sizeof(*t->accesses));
   t->elements = sim_box_alloc(&t->box, elements * sizeof(*t->elements));
   t->waiters = tu_reserve((t->window + 1) * TU_ELEMENT_LINES, sizeof(*t->waiters));
   /* Pages of the host's memory are touched only for the steps in use. */
   t->plans = tu_reserve(tasks, sizeof(*t->plans));
   t->texels = tu_reserve(tasks, TU_TEXEL_STORE);
   tu_init_stack(&t->free_tasks, tasks);
   tu_init_stack(&t->free_accesses, n);
   tu_init_stack(&t->free_elements, elements);
   tu_init_stack(&t->free_waiters, (t->window + 1) * TU_ELEMENT_LINES);
   tu_init_queue(&t->access, n);
   tu_init_queue(&t->awake, t->window);
   tu_init_queue(&t->ready, n);
   t->filter_mask = tu_ring_mask(n);
   t->filtering = tu_reserve(t->filter_mask + 1, sizeof(*t->filtering));
   t->result_mask = tu_ring_mask(t->result_queue);
   t->results = tu_reserve(t->result_mask + 1, sizeof(*t->results));
}

static void
tu_init(struct sim_box *b)
{
   struct tu *t = (struct tu *)b;
   const struct sim_config *c = &b->gpu->config;
   t->access_queue = c->shader.tex_access_queue;
   t->window = c->shader.tex_window;
   t->result_queue = c->shader.tex_result_queue;
   t->max_misses = c->shader.tex_misses_cycle;
   t->request_rate = c->shader.tex_request_rate;
   for (unsigned i = 0; i < 5; i++) {
      uint32_t bytes = i < 2 ? 4 : 1u << i, width = c->shader.tex_port_width;
      t->port_cycles[i] = (bytes + width - 1) / width;
   }
   t->first_link = b->instance;
   t->link_step = NUM_TEX_UNITS(c);
   t->num_links = NUM_TEX_LINKS(c) / NUM_TEX_UNITS(c);
   uint32_t units = c->shader.tex_shared ? c->shader.tex_shared : c->shader.tex_units;
   snprintf(b->name, sizeof(b->name), "TU-FS%uTU%u", b->instance / units, b->instance % units);
   t->arrived = sim_xcalloc(t->num_links, sizeof(*t->arrived));
   const struct sim_netlist *net = &b->gpu->net;
   for (uint32_t link = 0; link < t->num_links; link++)
      sim_input_set_add(&t->from_shaders, b, &net->shdx_tu[t->first_link + link * t->link_step]);
   sim_input_set_add(&t->from_memory, b, &net->mc_tu[b->instance]);
   sim_input_set_add(&t->from_cp, b, &net->cp_tu[b->instance]);
   tu_init_pools(t);
   t->fetching = TU_NO_LINE;
   t->stall = TU_STALL_FETCH;
   tu_cache_init(t);
}

static void
tu_fini(struct sim_box *b)
{
   struct tu *t = (struct tu *)b;
   tu_cache_fini(t);
   free(t->arrived);
   free(t->tasks);
   free(t->accesses);
   free(t->waiters);
   free(t->plans);
   free(t->texels);
   free(t->free_tasks.id);
   free(t->free_accesses.id);
   free(t->free_elements.id);
   free(t->free_waiters.id);
   free(t->access.id);
   free(t->awake.id);
   free(t->ready.id);
   free(t->filtering);
   free(t->results);
}

/* Charges what the look-up waited for, or tried without success, since the last clock. */
static void
tu_count_look_up(struct tu *t, uint64_t cycles)
{
   struct tu_stats *s = &t->stat[t->stall_work_id];
   if (t->fails) {
      uint64_t missed = cycles * (t->fail.miss + t->fail.queue + t->fail.pinned);
      s->fetches_failed += missed + cycles * t->fail.conflict;
      s->fetches_skipped += cycles * t->fail.skipped;
      s->fetch_conflicts += cycles * t->fail.conflict;
      s->misses += missed;
      s->miss_fail += missed;
      s->miss_fail_miss += cycles * t->fail.miss;
      s->miss_fail_queue += cycles * t->fail.queue;
      s->miss_fail_pinned += cycles * t->fail.pinned;
      return;
   }
   switch (t->stall) {
   case TU_STALL_FETCH:
      s->stall_fetch += cycles;
      break;
   case TU_STALL_ADDRESS: {
      /* A quad counts as absent until its addresses are calculated. */
      sim_tick calculated = t->accesses[tu_queue_first(&t->access)].calculated;
      uint64_t before = 0;
      if (calculated > t->box.counted)
         before = (calculated - t->box.counted) / t->box.period;
      before = before < cycles ? before : cycles;
      t->stat[0].stall_fetch += before;
      s->stall_address += cycles - before;
      break;
   }
   case TU_STALL_READY:
      s->stall_ready += cycles;
      break;
   case TU_STALL_WAIT:
      s->stall_wait += cycles;
      break;
   default:
      break;
   }
}

/* Charges the cycles since the last clock to the parts that waited at its end. */
static void
tu_count_waiting(struct sim_box *b, sim_tick now)
{
   struct tu *t = (struct tu *)b;
   uint64_t cycles = sim_waited(b, now);
   if (!cycles)
      return;
   tu_count_look_up(t, cycles);
   tu_cache_flush_counters(t, cycles);
   if (t->stopped)
      t->stat[t->waiting_work_id].request_occupation += cycles * t->waiting;
   if (tu_queue_length(&t->access))
      t->stat[t->access_work_id].access_occupation += cycles * tu_queue_length(&t->access);
   if (t->in_window)
      t->stat[t->window_work_id].window_occupation += cycles * t->in_window;
   if (tu_queue_length(&t->ready))
      t->stat[t->elements[tu_queue_first(&t->ready)].work_id].ready_occupation +=
          cycles * tu_queue_length(&t->ready);
   if (t->result_head != t->result_tail)
      t->stat[t->results[t->result_head & t->result_mask].work_id].result_occupation +=
          cycles * (t->result_tail - t->result_head);
}

/* Reports the next cycles' activity when nothing moves: address calculation, filtering, or
 * waiting. */
static void
tu_say_waiting(struct tu *t, sim_tick now)
{
   if (t->waiting)
      sim_blocked(&t->box, t->waiting_work_id);
   if (t->result_head != t->result_tail)
      sim_blocked(&t->box, t->results[t->result_head & t->result_mask].work_id);
   if (tu_queue_length(&t->access)) {
      uint32_t id = tu_queue_first(&t->access);
      sim_blocked(&t->box, tu_access_work_id(t, id));
      if (t->accesses[id].ready > now)
         sim_busy_until(&t->box, tu_access_work_id(t, id), t->accesses[id].ready);
   }
   if (t->in_window)
      sim_blocked(&t->box, t->window_work_id);
   if (t->filter_head != t->filter_tail) {
      const struct tu_filtering *f = &t->filtering[t->filter_head & t->filter_mask];
      if (f->done > now)
         sim_busy_until(&t->box, f->work_id, f->done);
   }
}

static sim_tick
tu_clock(struct sim_box *b, sim_tick now)
{
   struct tu *t = (struct tu *)b;
   struct sim_signal *from_cp = &b->gpu->net.cp_tu[b->instance];
   const struct msg_rop *forget;
   sim_tick wake = SIM_NEVER;
   tu_count_waiting(b, now);
   if (sim_inputs_any(b, &t->from_shaders))
      tu_address_arrivals(t, now);
   bool progress = sim_inputs_any(b, &t->from_memory) && tu_cache_responses(t, now);
   if (sim_inputs_any(b, &t->from_cp) && (forget = sim_peek(from_cp, now))) {
      tu_cache_forget(t, forget->start, forget->end);
      sim_pop(from_cp, now);
      progress = true;
   }
   progress |= tu_cache_clock(t, now, &wake);
   progress |= tu_window_clock(t);
   /* Only the progress of these parts counts as work. */
   bool busy = tu_filter_clock(t, now, &wake);
   busy |= tu_read_clock(t, now);
   busy |= tu_fetch_clock(t, now);
   busy |= tu_address_clock(t, now);
   if (progress || busy)
      wake = now + b->period;
   else if (t->stall == TU_STALL_ADDRESS && t->accesses[tu_queue_first(&t->access)].ready < wake)
      wake = t->accesses[tu_queue_first(&t->access)].ready;
   if (!busy)
      tu_say_waiting(t, now);
   return wake;
}

static void
tu_dump(const struct sim_box *b, FILE *f)
{
   const struct tu *t = (const struct tu *)b;
   const struct tu_cache *c = &t->cache;
   fprintf(f,
           "  %u quads wait, %u to be looked up, %u samples in the window, %u to be read, %u in "
           "the filter, %u results\n",
           t->waiting, tu_queue_length(&t->access), t->in_window, tu_queue_length(&t->ready),
           t->filter_tail - t->filter_head, t->result_tail - t->result_head);
   fprintf(f,
           "  misses: %u to be taken, %u to be asked for, %u asked for, %u to be written; %u "
           "transactions on their way\n",
           c->tail - c->taken, c->taken - c->asked, c->asked - c->read, c->read - c->head,
           c->pending);
   if (t->fetching != TU_NO_LINE) {
      const struct tu_element *e = &t->elements[t->fetching];
      const struct tu_access *a = &t->accesses[e->access];
      fprintf(f, "  look-up: quad %u of work id %u, operation %u of %u%s\n", a->quad,
              t->tasks[a->task].work_id, e->at, e->num_ops,
              t->fail.pinned ? ", its set is full of lines in use" : "");
   }
}

static void
tu_warm(struct sim_box *b, const struct sim_warming *event)
{
   if (event->kind == SIM_WARM_LEAVE)
      tu_cache_forget((struct tu *)b, 0, UINT64_MAX);
}

const struct sim_box_class tu_class = {
    .size = sizeof(struct tu),
    .domain = SIM_DOMAIN_GPU,
    .init = tu_init,
    .clock = tu_clock,
    .flush_counters = tu_count_waiting,
    .dump = tu_dump,
    .fini = tu_fini,
    .warm = tu_warm,
    SIM_BOX_CLASS(tu),
};
