/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The side of an L2 slice that faces its memory channel: reads of sectors that are missing, writes
 * of dirty ones. A transfer lies within a block of 64 bytes, or of 32 where banks change within 64,
 * so within one bank. Reads go before writes until three quarters of L2.WriteBacks wait, then
 * writes until a quarter is left; a read of a block that waits to be written lets the write go
 * first. The oldest transfer whose queue in the channel has room is next. Messages carry no data
 * (l2.h). Not here: which sectors (l2.c, l2_lines.c), when the channel moves them (gddr.c,
 * sched.c). */
#include "box/memory/l2.h"

static void
l2_memory_init_lists(struct l2 *x)
{
   const uint32_t all = x->max_misses + x->max_writes;
   x->transfers = sim_box_alloc(&x->box, all * sizeof(*x->transfers));
   for (uint32_t i = 0; i < all; i++)
      x->transfers[i].next = (uint16_t)(i + 1 == x->max_misses || i + 1 == all ? L2_NONE : i + 1);
   x->free_transfer[1] = (uint16_t)x->max_misses;
   for (unsigned b = 0; b < GDDR_MAX_BANKS; b++) {
      for (unsigned w = 0; w < 2; w++)
         x->queue[w].head[b] = x->queue[w].tail[b] = L2_NONE;
   }
}

void
l2_memory_init(struct l2 *x)
{
   const struct sim_config *c = &x->box.gpu->config;
   struct sim_netlist *n = &x->box.gpu->net;
   const unsigned slice = x->box.instance;
   char error[256];
   x->max_misses = x->free_misses = c->l2.misses;
   x->max_writes = x->free_writes = c->l2.write_backs;
   x->banked = c->mc.v2;
   x->block_shift = 6;
   l2_memory_init_lists(x);
   x->settling = sim_box_alloc(&x->box, x->max_writes * sizeof(*x->settling));
   if (!x->banked) {
      x->to_memory = &n->l2_sched[slice];
      x->from_memory = &n->sched_l2[slice];
      return;
   }
   struct sim_gddr_timing t;
   if (!sim_memory_map_init(&x->map, c, false, error, sizeof(error)) ||
       !sim_gddr_timing_init(&t, c, error, sizeof(error)))
      sim_error(&x->box, "%s", error);
   if (x->map.granule < x->block_shift)
      x->block_shift = x->map.granule;
   x->to_memory = &n->l2_gddr[slice];
   x->taken = &n->gddr_l2_taken[slice];
   x->read = &n->gddr_l2_read[slice];
   x->written = &n->gddr_l2_written[slice];
   x->scheduler = gddr_scheduler_of(c);
   x->room[0] = x->scheduler->room(c, false);
   x->room[1] = x->scheduler->room(c, true);
   x->burst_bytes = c->mc.burst_length * 4;
   x->write_ticks = (t.t_wl + t.burst) * x->box.kernel->period[SIM_DOMAIN_MEMORY];
}

/* --- Asking --- */

static uint16_t *
l2_memory_pending(struct l2 *x, uint32_t address)
{
   return &x->pending[(address >> x->block_shift) % L2_PENDING];
}

/* Returns the sectors of the first block that has some, and takes them out of the mask. */
static uint8_t
l2_memory_next_block(const struct l2 *x, uint8_t *sectors)
{
   const unsigned in_block = 1u << (x->block_shift - x->sector_shift);
   const unsigned first = (unsigned)__builtin_ctz(*sectors) / in_block * in_block;
   const uint8_t block = (uint8_t)(*sectors & ((1u << in_block) - 1) << first);
   *sectors = (uint8_t)(*sectors & ~block);
   return block;
}

unsigned
l2_memory_blocks(const struct l2 *x, uint8_t sectors)
{
   unsigned n = 0;
   for (; sectors; n++)
      l2_memory_next_block(x, &sectors);
   return n;
}

/* Puts a transfer of these sectors, all within a block, into the queue. request: whose they are;
 * L2_NONE: a line's. */
static uint16_t
l2_memory_ask(struct l2 *x, bool write, uint16_t request, uint32_t start, uint8_t sectors,
              enum mc_kind kind, uint16_t work_id)
{
   const uint16_t e = x->free_transfer[write];
   struct l2_transfer *t = &x->transfers[e];
   const unsigned first = (unsigned)__builtin_ctz(sectors),
                  end = 32 - (unsigned)__builtin_clz(sectors);
   x->free_transfer[write] = t->next;
   *(write ? &x->free_writes : &x->free_misses) -= 1;
   *t = (struct l2_transfer){.order = x->order++,
                             .address = start + (first << x->sector_shift),
                             .line = L2_NO_LINE,
                             .bytes = (uint16_t)((end - first) << x->sector_shift),
                             .work_id = work_id,
                             .next = L2_NONE,
                             .waits = L2_NONE,
                             .sectors = sectors,
                             .kind = (uint8_t)kind};
   if (x->banked) {
      const struct sim_memory_place p = sim_memory_place(&x->map, t->address);
      t->bank = p.bank;
      t->row = p.row;
   }
   struct l2_queue *q = &x->queue[write];
   *(q->tail[t->bank] == L2_NONE ? &q->head[t->bank] : &x->transfers[q->tail[t->bank]].next) = e;
   q->tail[t->bank] = e;
   q->banks |= 1u << t->bank;
   q->waiting++;
   if (request != L2_NONE)
      sim_trace_fetch(&x->box, x->requests[request].m.request.data, e);
   return e;
}

static void
l2_memory_wait(struct l2 *x, uint16_t request, uint16_t transfer)
{
   struct l2_transfer *t = &x->transfers[transfer];
   const uint16_t w = x->free_wait;
   x->free_wait = x->waits[w].next;
   x->waits[w] = (struct l2_wait){.request = request, .next = L2_NONE};
   *(t->waits == L2_NONE ? &t->waits : &x->waits[t->last_wait].next) = w;
   t->last_wait = w;
   x->requests[request].left++;
}

void
l2_memory_fetch(struct l2 *x, uint16_t request, uint32_t start, uint8_t sectors, uint32_t line,
                enum mc_kind kind, uint16_t work_id)
{
   while (sectors) {
      const uint8_t block = l2_memory_next_block(x, &sectors);
      const uint16_t e = l2_memory_ask(x, false, request, start, block, kind, work_id);
      x->stat[work_id].fill_bytes += x->transfers[e].bytes;
      l2_memory_wait(x, request, e);
      x->transfers[e].line = line;
      if (line == L2_NO_LINE)
         continue;
      x->lines[line].asked |= block;
      for (uint8_t left = block; left; left &= (uint8_t)(left - 1))
         x->fetch[line * x->line_sectors + (unsigned)__builtin_ctz(left)] = e;
   }
}

void
l2_memory_join(struct l2 *x, uint16_t request, uint32_t line, uint8_t sectors)
{
   uint16_t last = L2_NONE;
   for (; sectors; sectors &= (uint8_t)(sectors - 1)) {
      const uint16_t e = x->fetch[line * x->line_sectors + (unsigned)__builtin_ctz(sectors)];
      if (e != last)
         l2_memory_wait(x, request, e);
      last = e;
   }
}

void
l2_memory_write(struct l2 *x, uint16_t request, uint32_t start, uint8_t sectors, enum mc_kind kind,
                uint16_t work_id)
{
   while (sectors) {
      const uint8_t block = l2_memory_next_block(x, &sectors);
      const uint16_t e = l2_memory_ask(x, true, request, start, block, kind, work_id);
      x->stat[work_id].write_back_bytes += x->transfers[e].bytes;
      sim_work_ref(x->box.gpu->work, work_id);
      ++*l2_memory_pending(x, x->transfers[e].address);
   }
   if (4 * x->queue[1].waiting >= 3 * x->max_writes)
      x->draining = true;
}

/* --- Sending --- */

/* Returns the bank whose first transfer is the oldest that may be sent; GDDR_MAX_BANKS: none.
 * behind: banks whose first read waits for a write. */
static unsigned
l2_memory_choose(struct l2 *x, bool write, uint32_t *behind)
{
   const struct l2_queue *q = &x->queue[write];
   unsigned best = GDDR_MAX_BANKS;
   uint64_t oldest = UINT64_MAX;
   for (uint32_t left = q->banks; left; left &= left - 1) {
      const unsigned bank = (unsigned)__builtin_ctz(left);
      const struct l2_transfer *t = &x->transfers[q->head[bank]];
      if (!write && *l2_memory_pending(x, t->address)) {
         *behind |= 1u << bank;
         continue;
      }
      if (t->order > oldest ||
          (x->banked && x->there[gddr_queue_of(x->scheduler, bank, write)] >= x->room[write]))
         continue;
      best = bank;
      oldest = t->order;
   }
   return best;
}

/* Returns the kind of the next transfer, and its bank; GDDR_MAX_BANKS: none may be sent. */
static bool
l2_memory_next(struct l2 *x, unsigned *bank)
{
   uint32_t behind = 0;
   const bool writes_first = x->draining || !x->queue[0].banks;
   unsigned read = GDDR_MAX_BANKS;
   if (!writes_first) {
      read = l2_memory_choose(x, false, &behind);
      if (read != GDDR_MAX_BANKS && !behind) {
         *bank = read;
         return false;
      }
   }
   *bank = l2_memory_choose(x, true, &behind);
   if (*bank != GDDR_MAX_BANKS)
      return true;
   *bank = writes_first ? l2_memory_choose(x, false, &behind) : read;
   return false;
}

static void
l2_memory_send_to_bank(struct l2 *x, const struct l2_transfer *t, uint16_t e, bool write,
                       sim_tick now)
{
   const uint32_t to = t->address + t->bytes - 1;
   sim_send(x->to_memory, now,
            &(struct msg_transaction){
                .address = t->address,
                .row = t->row,
                .size = t->bytes,
                .entry = e,
                .work_id = t->work_id,
                .bank = t->bank,
                .bursts = (uint8_t)(to / x->burst_bytes - t->address / x->burst_bytes + 1),
                .bytes = (uint8_t)t->bytes,
                .client = t->kind,
                .write = write});
   x->there[gddr_queue_of(x->scheduler, t->bank, write)]++;
}

sim_tick
l2_memory_send(struct l2 *x, sim_tick now)
{
   unsigned bank = GDDR_MAX_BANKS;
   if (!(x->queue[0].banks | x->queue[1].banks) || !sim_can_send(x->to_memory, now))
      return SIM_NEVER;
   const bool write = l2_memory_next(x, &bank);
   if (bank == GDDR_MAX_BANKS)
      return SIM_NEVER; /* woken when the channel has room */
   struct l2_queue *q = &x->queue[write];
   const uint16_t e = q->head[bank];
   const struct l2_transfer *t = &x->transfers[e];
   if (x->banked)
      l2_memory_send_to_bank(x, t, e, write, now);
   else
      sim_send(x->to_memory, now,
               &(struct msg_channel){.request = {.address = t->address,
                                                 .size = t->bytes,
                                                 .work_id = t->work_id,
                                                 .write = write,
                                                 .cookie = e},
                                     .accepted = now});
   sim_busy(&x->box, t->work_id);
   q->head[bank] = t->next;
   if (t->next == L2_NONE) {
      q->tail[bank] = L2_NONE;
      q->banks &= ~(1u << bank);
   }
   q->waiting--;
   if (write) {
      --*l2_memory_pending(x, t->address);
      if (4 * q->waiting <= x->max_writes)
         x->draining = false;
   }
   return x->queue[0].banks | x->queue[1].banks ? now + x->box.period : SIM_NEVER;
}

/* --- Hearing --- */

static void
l2_memory_free(struct l2 *x, uint16_t e)
{
   const bool write = e >= x->max_misses;
   x->transfers[e].next = x->free_transfer[write];
   x->free_transfer[write] = e;
   *(write ? &x->free_writes : &x->free_misses) += 1;
}

/* Sectors are here: fills their line, and lets the requests that wait for them go on. */
static void
l2_memory_end_read(struct l2 *x, uint16_t e, sim_tick now)
{
   const struct l2_transfer *t = &x->transfers[e];
   if (t->line != L2_NO_LINE) {
      x->lines[t->line].valid |= t->sectors;
      x->lines[t->line].asked &= (uint8_t)~t->sectors;
   }
   sim_busy(&x->box, t->work_id);
   for (uint16_t w = t->waits; w != L2_NONE;) {
      const struct l2_wait wait = x->waits[w];
      x->waits[w].next = x->free_wait;
      x->free_wait = w;
      l2_advance(x, wait.request, now + x->latency);
      w = wait.next;
   }
   l2_memory_free(x, e);
}

static void
l2_memory_end_write(struct l2 *x, uint16_t e)
{
   sim_busy(&x->box, x->transfers[e].work_id);
   sim_work_unref(x->box.gpu->work, x->transfers[e].work_id);
   l2_memory_free(x, e);
}

/* Ends writes whose data has crossed the pins. */
static sim_tick
l2_memory_settle(struct l2 *x, sim_tick now)
{
   while (x->num_settling) {
      const struct l2_answer *s = &x->settling[x->first_settling];
      if (s->ready > now)
         return s->ready;
      l2_memory_end_write(x, s->request);
      x->first_settling = x->first_settling + 1 < x->max_writes ? x->first_settling + 1 : 0;
      x->num_settling--;
   }
   return SIM_NEVER;
}

/* Does the same with a channel with banks, which reports a write's end with its last command. */
static sim_tick
l2_memory_hear_banks(struct l2 *x, sim_tick now)
{
   const struct msg_taken *taken;
   const struct msg_transaction_done *d;
   sim_tick next = SIM_NEVER;
   for (; (taken = sim_peek(x->taken, now)) != NULL; sim_pop(x->taken, now))
      x->there[taken->queue]--;
   for (; (d = sim_peek(x->read, now)) != NULL && d->ready <= now; sim_pop(x->read, now))
      l2_memory_end_read(x, (uint16_t)d->entry, now);
   next = d ? d->ready : next;
   for (; (d = sim_peek(x->written, now)) != NULL && d->ready <= now; sim_pop(x->written, now)) {
      const uint32_t at = x->first_settling + x->num_settling++;
      x->settling[at < x->max_writes ? at : at - x->max_writes] =
          (struct l2_answer){.ready = now + x->write_ticks, .request = (uint16_t)d->entry};
   }
   if (d && d->ready < next)
      next = d->ready;
   const sim_tick settled = l2_memory_settle(x, now);
   return settled < next ? settled : next;
}

sim_tick
l2_memory_hear(struct l2 *x, sim_tick now)
{
   if (x->banked)
      return l2_memory_hear_banks(x, now);
   for (const struct msg_channel *m; (m = sim_peek(x->from_memory, now)) != NULL;
        sim_pop(x->from_memory, now)) {
      if (m->request.write)
         l2_memory_end_write(x, (uint16_t)m->request.cookie);
      else
         l2_memory_end_read(x, (uint16_t)m->request.cookie, now);
   }
   return SIM_NEVER;
}
