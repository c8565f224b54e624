/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GDDR channel with banks (Sched): takes transactions from the memory controller, gives the
 * commands that move their data, and answers. One transaction is in progress: its row is opened
 * (precharge, activate), then its reads or writes follow as the pins allow, while rows of other
 * banks may be opened and closed early (gddr_early.c). A cycle has one command (release of 2015;
 * ISPASS 2006 does not describe the chips). gddr_fifo.c, gddr_bank.c and gddr_fr_fcfs.c choose the
 * next transaction; gddr_rules.h has the rules for commands.
 * Commands of certain cycles are booked together, so that the box can sleep. Booking moves the data
 * in GPU memory: an address has one channel, whose commands and data have the same order, and
 * clients do not use the data before the answer. A read's answer comes when its last byte has
 * crossed the pins; a write's comes with its last command, since the chip's queue then has the
 * data. */
#include "box/memory/gddr.h"
#include "box/memory/gddr_stats.h"
#include "emul/shader/emul_atomic.h"

#include <stdlib.h>

const struct gddr_scheduler *
gddr_scheduler_of(const struct sim_config *config)
{
   static const struct gddr_scheduler *const list[] = {
       &gddr_fifo, &gddr_rw_fifo, &gddr_bank_fifo, &gddr_bank_rw_fifo, NULL, &gddr_fr_fcfs};
   return list[config->mc.scheduler];
}

static void
gddr_init(struct sim_box *b)
{
   struct gddr *g = (struct gddr *)b;
   struct sim_netlist *n = &b->gpu->net;
   const struct sim_config *c = &b->gpu->config;
   struct sim_gddr_timing t;
   char error[256];
   if (!sim_gddr_timing_init(&t, c, error, sizeof(error)))
      sim_error(b, "%s", error);
   gddr_rules_init(&g->rules, &t);
   const bool l2 = c->l2.on;
   g->in = &(l2 ? n->l2_gddr : n->mc_gddr)[b->instance];
   g->taken = &(l2 ? n->gddr_l2_taken : n->gddr_taken)[b->instance];
   g->read_done = &(l2 ? n->gddr_l2_read : n->gddr_read)[b->instance];
   g->write_done = &(l2 ? n->gddr_l2_written : n->gddr_written)[b->instance];
   g->scheduler = gddr_scheduler_of(c);
   g->mode = gddr_switch_of(c);
   g->num_policies = sim_bank_policies(c->mc.bank_policy, g->policies, error, sizeof(error));
   g->num_banks = c->mc.banks;
   g->close_pages = c->mc.page_policy == 0;
   g->open_early = !c->mc.no_active_manager;
   g->close_early = !c->mc.no_precharge_manager;
   g->close_first = c->mc.manager_order == 1;
   g->reading = true;
   g->random = 1;
   g->count.given = UINT64_MAX;
   g->refresh_at = t.t_refi ? t.t_refi : UINT64_MAX;
   for (unsigned i = 0; i < 2 * GDDR_MAX_BANKS; i++)
      gddr_list_init(&g->lists[i]);
   /* One more than the controller counts on, since a message about room reaches it a cycle late. */
   uint32_t queues = (g->scheduler->per_bank ? g->num_banks : 1) * 2;
   uint32_t room = g->scheduler->room(c, false) + g->scheduler->room(c, true) + 4;
   uint32_t size = queues * room;
   if (size >= GDDR_NONE) {
      fprintf(stderr, "attila: %u transactions of a channel, at most %u\n", size,
              (unsigned)GDDR_NONE - 1);
      abort();
   }
   g->entries = sim_xcalloc(size, sizeof(*g->entries));
   for (uint32_t e = 0; e < size; e++)
      g->entries[e].next = (uint16_t)(e + 1 < size ? e + 1 : GDDR_NONE);
}

static void
gddr_fini(struct sim_box *b)
{
   free(((struct gddr *)b)->entries);
}

/* --- Commands --- */

/* Traces a command in cycle c that takes this many cycles. */
static inline void
gddr_trace(struct gddr *g, enum sim_trace_command command, unsigned bank, uint32_t row,
           uint16_t work_id, uint64_t c, uint64_t cycles)
{
   struct sim_trace *t = g->box.kernel->trace;
   if (__builtin_expect(t != NULL, 0))
      t->bank(t->data, &(struct sim_trace_bank){.channel = &g->box,
                                                .command = command,
                                                .bank = bank,
                                                .row = row,
                                                .work_id = work_id,
                                                .from = c * g->box.period,
                                                .to = (c + cycles) * g->box.period,
                                                .count = g->now.bursts,
                                                .entry = g->now.entry});
}

void
gddr_open(struct gddr *g, unsigned bank, uint32_t row, uint16_t work_id, uint64_t c)
{
   gddr_count_open(g, work_id, c);
   gddr_trace(g, SIM_TRACE_ACTIVATE, bank, row, work_id, c, g->rules.t.t_rcd);
   gddr_activate(&g->rules, bank, row, c);
   g->open_mask |= 1u << bank;
   g->front.stale |= 1u << bank;
   g->last_was_access[bank] = false;
}

void
gddr_close(struct gddr *g, unsigned bank, uint16_t work_id, uint64_t c)
{
   gddr_trace(g, SIM_TRACE_PRECHARGE, bank, 0, work_id, c, g->rules.t.t_rp);
   gddr_precharge(&g->rules, bank, c);
   g->open_mask &= ~(1u << bank);
   g->front.stale |= 1u << bank;
   g->last_was_access[bank] = false;
   gddr_count_close(g, work_id);
}

static void
gddr_move_data(struct gddr *g, const struct msg_transaction *m)
{
   struct sim_device *d = g->box.gpu->device;
   if ((uint64_t)m->address + m->size > sim_device_memory_end(d)) {
      sim_error(&g->box, "%u bytes at 0x%x are outside memory", m->size, m->address);
      return;
   }
   if (!m->data || m->timed)
      return; /* the L2 has moved it; it is the write of an atomic operation; or nothing moves */
   if (m->atomic)
      emul_atomic_execute((enum attila_atomic)m->atomic, d->memory + m->address, m->data);
   else if (m->write)
      memcpy(d->memory + m->address, m->data, m->size);
   else
      memcpy(m->data, d->memory + m->address, m->size);
}

/* Books the transaction's reads or writes; the first takes place now. */
static void
gddr_access_row(struct gddr *g, uint64_t c, sim_tick now)
{
   const struct msg_transaction *m = &g->now;
   const uint32_t spacing = g->rules.t.spacing;
   g->accessing = true;
   g->data_work_id = m->work_id;
   g->first = c;
   g->last = c + (uint64_t)(m->bursts - 1u) * spacing;
   for (unsigned i = 0; i < m->bursts; i++) {
      if (m->write)
         gddr_write(&g->rules, m->bank, c + i * spacing);
      else
         gddr_read(&g->rules, m->bank, c + i * spacing);
   }
   gddr_count_access(g, m);
   gddr_trace(g, m->write ? SIM_TRACE_WRITE : SIM_TRACE_READ, m->bank, m->row, m->work_id, c,
              g->last - c + g->rules.t.burst);
   gddr_move_data(g, m);
   struct msg_transaction_done done = {.entry = m->entry};
   if (m->write) {
      done.ready = (g->last + 1) * g->box.period;
      sim_send_calm(g->write_done, now, done.ready, &done);
   } else {
      done.ready = (g->last + sim_gddr_read_cycles(&g->rules.t)) * g->box.period;
      sim_send_calm(g->read_done, now, done.ready, &done);
   }
}

/* Returns the next command of the transaction in progress, and from when on it may come. */
static uint64_t
gddr_next_command(const struct gddr *g)
{
   const struct msg_transaction *m = &g->now;
   const struct gddr_bank_rules *b = &g->rules.bank[m->bank];
   if (b->row == m->row)
      return gddr_access_at(&g->rules, m->bank, m->write);
   return b->row == GDDR_CLOSED ? gddr_activate_at(&g->rules, m->bank)
                                : gddr_precharge_at(&g->rules, m->bank);
}

/* Gives that command; false if the answer's signal has no room. */
static bool
gddr_give_command(struct gddr *g, uint64_t c, sim_tick now)
{
   const struct msg_transaction *m = &g->now;
   const struct gddr_bank_rules *b = &g->rules.bank[m->bank];
   if (b->row == m->row) {
      if (!sim_can_send(m->write ? g->write_done : g->read_done, now))
         return false;
      gddr_access_row(g, c, now);
   } else if (b->row == GDDR_CLOSED) {
      gddr_open(g, m->bank, m->row, m->work_id, c);
   } else {
      gddr_close(g, m->bank, m->work_id, c);
   }
   g->count.given = c;
   return true;
}

/* --- Refresh --- */

/* Does all due refreshes, between transactions: banks close as soon as they may, then tRFC passes.
 * With V2RefreshPerBank a refresh concerns one bank, each in turn. Also does the refreshes of past
 * time, so that an idle channel need not wake. */
static void
gddr_refresh_banks(struct gddr *g, uint64_t c)
{
   while (g->refresh_at <= c) {
      uint64_t start = gddr_later(g->refresh_at, g->last + 1), closed = start;
      const unsigned turn = g->refreshes++ & (g->num_banks - 1);
      const uint32_t banks = g->rules.t.refresh_bank ? 1u << turn : (1u << g->num_banks) - 1;
      for (uint32_t open = g->open_mask & banks; open; open &= open - 1)
         closed = gddr_later(closed, gddr_precharge_at(&g->rules, (unsigned)__builtin_ctz(open)));
      while (g->open_mask & banks)
         gddr_close(g, (unsigned)__builtin_ctz(g->open_mask & banks), 0, closed);
      uint64_t at = closed;
      for (uint32_t left = banks; left; left &= left - 1)
         at = gddr_later(at, g->rules.bank[__builtin_ctz(left)].activate);
      if (g->rules.t.refresh_bank)
         gddr_refresh_one(&g->rules, turn, at);
      else
         gddr_refresh(&g->rules, at);
      gddr_trace(g, SIM_TRACE_REFRESH, turn, 0, 0, at, g->rules.t.t_rfc);
      gddr_count_refresh(g);
      g->refresh_at += g->rules.t.t_refi;
   }
}

/* --- Clock --- */

static void
gddr_receive(struct gddr *g, const struct msg_transaction *m, uint64_t c)
{
   uint16_t e = g->free;
   if (e == GDDR_NONE || m->bank >= g->num_banks)
      sim_error(&g->box, "no room for another transaction (bank %u)", m->bank);
   g->free = g->entries[e].next;
   g->entries[e] =
       (struct gddr_entry){.m = *m, .arrived = c, .next = GDDR_NONE, .after = GDDR_NONE};
   g->waiting++;
   g->bank_waiting[m->bank]++;
   g->waiting_mask |= 1u << m->bank;
   g->front.stale |= 1u << m->bank;
   g->scheduler->receive(g, e);
   /* The host has some cycles to prefetch it. */
   const struct sim_device *d = g->box.gpu->device;
   if ((uint64_t)m->address + m->size <= sim_device_memory_end(d))
      __builtin_prefetch(d->memory + m->address);
}

/* Takes the transaction that the scheduler selects. */
static void
gddr_take(struct gddr *g, uint64_t c, sim_tick now)
{
   uint16_t e = g->waiting && sim_can_send(g->taken, now) ? g->scheduler->select(g) : GDDR_NONE;
   if (e == GDDR_NONE)
      return;
   struct gddr_entry *entry = &g->entries[e];
   g->now = entry->m;
   gddr_count_take(g, c);
   g->active = true;
   g->accessing = false;
   g->selected = c;
   g->waiting--;
   g->front.stale |= 1u << g->now.bank;
   if (--g->bank_waiting[g->now.bank] == 0)
      g->waiting_mask &= ~(1u << g->now.bank);
   entry->next = g->free;
   g->free = e;
   sim_send(g->taken, now,
            &(struct msg_taken){gddr_queue_of(g->scheduler, g->now.bank, g->now.write)});
}

/* Reports busy: data on the pins, or a command for the transaction in progress. */
static void
gddr_say_activity(struct gddr *g, uint64_t c, bool busy)
{
   if (busy)
      sim_busy(&g->box, g->now.work_id);
   if (g->rules.data_end > c)
      sim_busy_until(&g->box, g->data_work_id, g->rules.data_end * g->box.period);
   if (g->active && !g->accessing)
      sim_blocked(&g->box, g->now.work_id);
}

static void
gddr_flush_counters(struct sim_box *b, sim_tick next)
{
   struct gddr *g = (struct gddr *)b;
   const uint64_t c = next / b->period;
   gddr_count_until(g, c);
   /* Does the refreshes that were due during sleep. */
   if (g->active && g->accessing && c > g->last + 1)
      g->active = g->accessing = false;
   if (!g->active && c)
      gddr_refresh_banks(g, c - 1);
   gddr_count_flush(g, c);
}

static sim_tick
gddr_clock(struct sim_box *b, sim_tick now)
{
   struct gddr *g = (struct gddr *)b;
   const uint64_t c = __builtin_expect(b->period == 1, 1) ? now : now / b->period;
   uint64_t next = UINT64_MAX;
   bool busy = false; /* the command bus is used in this cycle */
   gddr_count_until(g, c);
   for (const struct msg_transaction *m; (m = sim_peek(g->in, now)) != NULL; sim_pop(g->in, now))
      gddr_receive(g, m, c);
   if (g->active && g->accessing) {
      if (c > g->last)
         g->active = g->accessing = false;
      else
         busy = (uint32_t)(c - g->first) % g->rules.t.spacing == 0;
   }
   if (!g->active) {
      gddr_refresh_banks(g, c);
      gddr_take(g, c, now);
   }
   if (g->active && !g->accessing && gddr_next_command(g) <= c)
      busy = gddr_give_command(g, c, now);
   const uint32_t banks = gddr_early_banks(g);
   uint64_t early = banks ? gddr_early(g, banks, c, !busy) : UINT64_MAX;
   if (g->active)
      next = g->accessing ? (g->waiting || g->close_pages ? g->last + 1 : UINT64_MAX)
                          : gddr_next_command(g);
   next = early < next ? early : next;
   if (next <= c)
      next = c + 1;
   gddr_say_activity(g, c, busy);
   return next == UINT64_MAX ? SIM_NEVER : next * b->period;
}

static void
gddr_dump(const struct sim_box *b, FILE *f)
{
   const struct gddr *g = (const struct gddr *)b;
   fprintf(f, "   %u transactions wait, %s\n", g->waiting,
           !g->active     ? "none in progress"
           : g->accessing ? "one moves its data"
                          : "one waits for its row or the pins");
   if (g->active)
      fprintf(f, "   %s of %u bytes at 0x%x: bank %u, row %u, work id %u, since cycle %llu\n",
              g->now.write ? "write" : "read", g->now.size, g->now.address, g->now.bank, g->now.row,
              g->now.work_id, (unsigned long long)g->selected);
   for (unsigned i = 0; i < g->num_banks; i++) {
      if (g->open_mask >> i & 1 || g->bank_waiting[i])
         fprintf(f, "   bank %u: row %d, %u wait\n", i, (int)g->rules.bank[i].row,
                 g->bank_waiting[i]);
   }
}

const struct sim_box_class gddr_class = {
    .size = sizeof(struct gddr),
    .domain = SIM_DOMAIN_MEMORY,
    .init = gddr_init,
    .clock = gddr_clock,
    .dump = gddr_dump,
    .fini = gddr_fini,
    .flush_counters = gddr_flush_counters,
    SIM_BOX_CLASS(gddr),
};
