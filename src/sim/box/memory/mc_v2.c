/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory Controller with transactions (MC, MemoryControllerV2; release of 2015): requests become
 * transactions of 64 bytes, which go through one request buffer to the queues of their channel and
 * bank; answers return through one service queue, one per cycle, and the client's bus. A bus moves
 * data in one direction at a time, its width per cycle. Not here: channels (gddr.c), the simple
 * controller (mc.c), the system bus (cp.c), how requests come in (mc_v2_request.c). */
#include "box/memory/mc_v2.h"

#include <stdlib.h>

/* --- Building --- */

static void *
mc_v2_allocate(size_t count, size_t size)
{
   return sim_xcalloc(count, size);
}

static void
mc_v2_add_clients(struct mc_v2 *mc, enum mc_kind kind, struct sim_signal *request,
                  struct sim_signal *response, uint32_t width)
{
   unsigned count = mc_clients(&mc->box.gpu->config, kind);
   for (unsigned i = 0; i < count; i++) {
      if (request[i].receiver != &mc->box)
         continue; /* not connected in a machine in parts */
      sim_box_number_input(&mc->box, &request[i], mc->num_clients);
      mc->clients[mc->num_clients++] = (struct mc_client){.request = &request[i],
                                                          .response = &response[i],
                                                          .kind = kind,
                                                          .width = width,
                                                          .rop = i,
                                                          .open = MC_NONE,
                                                          .answer_at = SIM_NEVER};
   }
}

static unsigned
mc_v2_connected(const struct mc_v2 *mc, enum mc_kind kind)
{
   unsigned num = 0;
   for (unsigned i = 0; i < mc->num_clients; i++)
      num += mc->clients[i].kind == kind;
   return num;
}

static uint32_t
mc_v2_ring_of(uint32_t size)
{
   uint32_t ring = 1;
   while (ring < size)
      ring *= 2;
   return ring;
}

static void
mc_v2_make_buffers(struct mc_v2 *mc, const struct sim_config *c)
{
   const uint32_t size = c->mc.request_queue;
   const uint32_t requests = size + c->mc.service_queue + MC_MAX_CLIENTS;
   mc->ring = mc_v2_ring_of(size);
   mc->entries = mc_v2_allocate(size, sizeof(*mc->entries));
   mc->requests = mc_v2_allocate(requests, sizeof(*mc->requests));
   mc->done = mc_v2_allocate(mc->ring, sizeof(*mc->done));
   mc->service_size = c->mc.service_queue;
   mc->service_ring = mc_v2_ring_of(mc->service_size);
   mc->service = mc_v2_allocate(mc->service_ring, sizeof(*mc->service));
   for (uint32_t i = 0; i < size; i++)
      mc->entries[i].next = (uint16_t)(i + 1 < size ? i + 1 : MC_NONE);
   for (uint32_t i = 0; i < requests; i++)
      mc->requests[i].next = (uint16_t)(i + 1 < requests ? i + 1 : MC_NONE);
   mc->num_free = size;
   mc->acks_head = mc->acks_tail = mc->oldest = mc->newest = MC_NONE;
}

static void
mc_v2_init(struct sim_box *b)
{
   struct mc_v2 *mc = (struct mc_v2 *)b;
   struct sim_netlist *n = &b->gpu->net;
   const struct sim_config *c = &b->gpu->config;
   char error[256];
   if (!sim_memory_map_init(&mc->map, c, false, error, sizeof(error)) ||
       (c->mc.second && !sim_memory_map_init(&mc->second, c, true, error, sizeof(error))))
      sim_error(b, "%s", error);
   mc->second_start =
       c->mc.second && c->mc.second_start ? (uint64_t)c->mc.second_start << 20 : UINT64_MAX;
#define K(unused, member, name) \
   mc_v2_add_clients(mc, MC_##member, n->member##_mc, n->mc_##member, c->mc.member##_bus);
   SIM_MC_CLIENTS(K, )
#undef K
   mc->scheduler = gddr_scheduler_of(c);
   mc->fifo_per_bank = c->mc.fifo_per_bank;
   mc->oldest_first = c->mc.fifo_select == 1;
   mc->classic = c->mc.classic_states;
   mc->room[0] = mc->scheduler->room(c, false);
   mc->room[1] = mc->scheduler->room(c, true);
   mc->burst_bytes = c->mc.burst_length * 4;
   const unsigned granule =
       c->mc.second && mc->second.granule < mc->map.granule ? mc->second.granule : mc->map.granule;
   mc->chunk = 1u << granule < MC_TRANSACTION ? 1u << granule : MC_TRANSACTION;
   struct sim_gddr_timing t;
   if (!sim_gddr_timing_init(&t, c, error, sizeof(error)))
      sim_error(b, "%s", error);
   mc->write_ticks = (t.t_wl + t.burst) * b->kernel->period[SIM_DOMAIN_MEMORY];
   mc->num_channels = c->mc.channels;
   for (unsigned i = 0; i < mc->num_channels; i++) {
      struct mc_channel *ch = &mc->channels[i];
      ch->out = &n->mc_gddr[i];
      ch->taken = &n->gddr_taken[i];
      ch->read = &n->gddr_read[i];
      ch->written = &n->gddr_written[i];
      sim_box_number_input(b, ch->taken, mc->num_clients + i);
      const unsigned done = mc->num_clients + mc->num_channels + 2 * i;
      sim_box_number_input(b, ch->read, done);
      sim_box_number_input(b, ch->written, done + 1);
      for (unsigned q = 0; q < GDDR_MAX_BANKS; q++)
         ch->queue[q] = (struct mc_queue){MC_NONE, MC_NONE};
   }
   for (unsigned i = 0; 64 * i < mc->num_clients; i++)
      sim_input_range_init(&mc->from_clients[i], 64 * i,
                           mc->num_clients - 64 * i < 64 ? mc->num_clients - 64 * i : 64);
   sim_input_range_init(&mc->taken, mc->num_clients, mc->num_channels);
   sim_input_range_init(&mc->done_in, mc->num_clients + mc->num_channels, 2 * mc->num_channels);
   mc->hear_at = SIM_NEVER;
   mc_v2_make_buffers(mc, c);
   /* Two requests of every client may be on their way when the client learns that the buffer is
    * full (release of 2015, which has no constant caches, load/store units and stream-out). */
   const uint32_t known = 2 * (mc->num_clients - mc_v2_connected(mc, MC_cc) -
                               mc_v2_connected(mc, MC_so) - mc_v2_connected(mc, MC_lsu));
   mc->reserve = known < c->mc.request_queue ? known : 1;
   mc->max_writes = c->mc.write_buffers;
   mc->rop_share = c->mc.split_rop ? c->mc.request_queue / c->gpu.num_rops : UINT32_MAX;
   if (granule < 8) {
      for (unsigned i = 0; i < 4; i++)
         mc->blocks[i] = mc_v2_allocate(MC_BLOCKS, sizeof(*mc->blocks[i]));
   }
}

static void
mc_v2_fini(struct sim_box *b)
{
   struct mc_v2 *mc = (struct mc_v2 *)b;
   free(mc->entries);
   free(mc->requests);
   free(mc->done);
   free(mc->service);
   for (unsigned i = 0; i < 4; i++)
      free(mc->blocks[i]);
}

/* --- To the channels --- */

/* Returns whether the channel has room for the transaction. What was sent a cycle ago does not
 * count yet (release of 2015: the state of its queues is a cycle old). */
static bool
mc_v2_channel_accepts(const struct mc_v2 *mc, const struct mc_channel *ch,
                      const struct msg_transaction *m, sim_tick now)
{
   const unsigned queue = gddr_queue_of(mc->scheduler, m->bank, m->write);
   const bool late = ch->sent_at + mc->box.period >= now;
   if (mc->classic) {
      for (unsigned q = 0; q < MC_QUEUES; q++) {
         if (ch->there[q] >= mc->room[q & 1] + (late && q == ch->sent_queue))
            return false;
      }
      return true;
   }
   return ch->there[queue] <
          mc->room[mc->scheduler->read_write && m->write] + (late && queue == ch->sent_queue);
}

/* Sends a channel one transaction: of the bank whose turn it is, or the one that waits longest.
 * Returns when to look again, at least ch->send_at. */
static sim_tick
mc_v2_send_transaction(struct mc_v2 *mc, struct mc_channel *ch, sim_tick now)
{
   const unsigned banks = mc->map.bank_bits ? 1u << mc->map.bank_bits : 1;
   unsigned best = MC_QUEUES;
   sim_tick best_key = SIM_NEVER, next = SIM_NEVER;
   const struct msg_transaction *blocked = NULL;
   sim_tick blocked_key = SIM_NEVER;
   for (uint32_t left = ch->waiting; left; left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctz(left);
      const struct mc_entry *e = &mc->entries[ch->queue[i].head];
      if (e->ready > now) {
         next = e->ready < next ? e->ready : next;
         continue;
      }
      sim_tick key = mc->oldest_first ? e->arrived : (i + banks - ch->turn) & (banks - 1);
      if (key >= best_key)
         continue;
      if (mc_v2_channel_accepts(mc, ch, &e->m, now)) {
         best = i;
         best_key = key;
      } else if (key < blocked_key) {
         blocked = &e->m;
         blocked_key = key;
      }
   }
   if (best == MC_QUEUES || !sim_can_send(ch->out, now)) {
      if (blocked) {
         ch->stalled = ch->stall.on ? ch->stalled : blocked->work_id;
         sim_stall_begin(
             &ch->stall,
             blocked->write ? SIM_STAT(mc_v2, write_stalls) : SIM_STAT(mc_v2, read_stalls), now);
      }
      if (blocked && ch->sent_at + mc->box.period >= now)
         next = now + mc->box.period;
      /* The signal's credit may return at any time. */
      ch->send_at = best == MC_QUEUES ? next : 0;
      return next;
   }
   struct mc_queue *q = &ch->queue[best];
   struct mc_entry *e = &mc->entries[q->head];
   q->head = e->next;
   if (q->head == MC_NONE) {
      q->tail = MC_NONE;
      ch->waiting &= ~(1u << best);
      if (!ch->waiting)
         mc->waiting &= ~(1ull << (ch - mc->channels));
   }
   sim_stall_end(&ch->stall, &mc->box, ch->stalled, now);
   sim_busy(&mc->box, e->m.work_id);
   sim_send(ch->out, now, &e->m);
   ch->sent_queue = (uint16_t)gddr_queue_of(mc->scheduler, e->m.bank, e->m.write);
   ch->sent_at = now;
   ch->there[ch->sent_queue]++;
   ch->turn = (best + 1) & (banks - 1);
   return ch->waiting ? now + mc->box.period : SIM_NEVER;
}

/* Takes the channels' messages about room in their queues. */
static void
mc_v2_hear_taken(struct mc_v2 *mc, sim_tick now)
{
   for (uint64_t left = sim_range_inputs(&mc->box, &mc->taken); left; left &= left - 1) {
      struct mc_channel *ch = &mc->channels[__builtin_ctzll(left)];
      for (const struct msg_taken *t; (t = sim_peek(ch->taken, now)) != NULL;
           sim_pop(ch->taken, now)) {
         ch->there[t->queue]--;
         ch->send_at = 0;
      }
   }
}

/* Takes the channels' messages about complete accesses. Returns when the next access will be
 * complete. */
static sim_tick
mc_v2_hear_done(struct mc_v2 *mc, sim_tick now)
{
   if (now >= mc->hear_at) {
      mc->hear_at = SIM_NEVER;
      for (uint64_t left = mc->incomplete; left; left &= left - 1) {
         const sim_tick at = mc->done_at[__builtin_ctzll(left)];
         if (at <= now)
            mc->incomplete &= ~(left & -left);
         else
            mc->hear_at = mc_v2_sooner(mc->hear_at, at);
      }
   }
   for (uint64_t left = sim_range_inputs(&mc->box, &mc->done_in) & ~mc->incomplete; left;
        left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctzll(left);
      const struct mc_channel *ch = &mc->channels[i / 2];
      struct sim_signal *in = i % 2 ? ch->written : ch->read;
      const struct msg_transaction_done *d;
      while ((d = sim_peek(in, now)) != NULL && d->ready <= now) {
         mc->done[mc->done_tail++ & (mc->ring - 1)] = (uint16_t)d->entry;
         mc_v2_count_access(mc->stat, &mc->entries[d->entry].m);
         sim_pop(in, now);
      }
      if (d) {
         mc->incomplete |= 1ull << i;
         mc->done_at[i] = d->ready;
         mc->hear_at = mc_v2_sooner(mc->hear_at, d->ready);
      }
   }
   return mc->hear_at;
}

/* --- Answers --- */

static void
mc_v2_free_entry(struct mc_v2 *mc, uint16_t entry)
{
   struct mc_entry *e = &mc->entries[entry];
   const struct mc_client *c = &mc->clients[mc->requests[e->request].client];
   if (c->kind == MC_zst || c->kind == MC_cw)
      mc->rop_held[c->rop]--;
   if (e->m.write)
      mc->writes--;
   e->next = mc->free_entry;
   mc->free_entry = entry;
   mc->num_free++;
}

/* Returns whether the oldest complete access can leave the request buffer. */
static inline bool
mc_v2_can_retire(const struct mc_v2 *mc)
{
   if (mc->done_head == mc->done_tail)
      return false;
   /* The read of an atomic operation is written back, its write answers. */
   const struct msg_transaction *m = &mc->entries[mc->done[mc->done_head & (mc->ring - 1)]].m;
   return m->write != (m->atomic != 0) || mc->service_tail - mc->service_head < mc->service_size;
}

/* Writes the word of an atomic operation, which has been read and changed. */
static void
mc_v2_write_back(struct mc_v2 *mc, uint16_t entry, sim_tick now)
{
   struct mc_entry *e = &mc->entries[entry];
   const struct sim_memory_map *map = e->m.address >= mc->second_start ? &mc->second : &mc->map;
   e->m.write = true;
   e->m.data = NULL;
   e->arrived = e->ready = now;
   mc->writes++;
   mc_v2_enqueue(mc, sim_memory_place(map, e->m.address).channel, entry);
}

/* Lets accesses that completed before this cycle leave the request buffer: reads enter the service
 * queue. */
static bool
mc_v2_retire(struct mc_v2 *mc, sim_tick now)
{
   bool progress = false;
   while (mc->done_head != mc->done_before && mc_v2_can_retire(mc)) {
      const uint16_t entry = mc->done[mc->done_head & (mc->ring - 1)];
      struct mc_request *q = &mc->requests[mc->entries[entry].request];
      const struct msg_transaction *m = &mc->entries[entry].m;
      if (m->atomic && !m->write) {
         mc_v2_write_back(mc, entry, now);
         mc->done_head++;
         progress = true;
         continue;
      }
      if (!q->answer.write) {
         mc->service[mc->service_tail++ & (mc->service_ring - 1)] = (struct mc_service){
             .request = mc->entries[entry].request, .bytes = mc->entries[entry].m.bytes};
      } else if (--q->left == 0) {
         q->next = MC_NONE;
         q->confirm_at = now + mc->write_ticks;
         if (mc->acks_tail == MC_NONE)
            mc->acks_head = mc->entries[entry].request;
         else
            mc->requests[mc->acks_tail].next = mc->entries[entry].request;
         mc->acks_tail = mc->entries[entry].request;
      }
      mc_v2_free_entry(mc, entry);
      mc->done_head++;
      progress = true;
   }
   return progress;
}

static void
mc_v2_send_answer(struct mc_v2 *mc, struct mc_client *c, uint16_t request, sim_tick now)
{
   sim_send(c->response, now, &mc->requests[request].answer);
   mc_v2_close_request(mc, request);
}

/* Puts the oldest transaction of the service queue (not empty) on its client's bus, if reserved.
 * The client gets its answer when the request's last bytes arrive. Returns whether a transaction
 * was put on the bus. */
static bool
mc_v2_serve(struct mc_v2 *mc, sim_tick now)
{
   const struct mc_service *s = &mc->service[mc->service_head & (mc->service_ring - 1)];
   struct mc_request *q = &mc->requests[s->request];
   struct mc_client *c = &mc->clients[q->client];
   const sim_tick ticks = mc_v2_bus_ticks(mc, c, s->bytes);
   if (!c->reserved || c->bus_free > now || c->answer_at != SIM_NEVER)
      return false;
   if (q->left == 1 && ticks == mc->box.period && !sim_can_send(c->response, now))
      return false; /* woken by the client's next pop */
   c->reserved = false;
   c->bus_free = now + ticks;
   mc->bus_cycles[c->kind] += mc_v2_cycles(mc, ticks) - 1;
   sim_busy(&mc->box, q->work_id);
   mc->service_head++;
   mc_v2_count_service(mc->stat, q->work_id, c->kind, mc_v2_cycles(mc, now - q->arrived));
   if (--q->left == 0) {
      if (ticks == mc->box.period) {
         mc_v2_send_answer(mc, c, s->request, now);
      } else {
         c->answer = s->request;
         c->answer_at = now + ticks - mc->box.period;
         mc->late[q->client / 64] |= 1ull << q->client % 64;
         mc->num_late++;
      }
   }
   return true;
}

/* Reserves the client's bus for the next answer (there is one) if it is free in the next cycle.
 * Returns when to look again. */
static sim_tick
mc_v2_reserve(struct mc_v2 *mc, sim_tick now)
{
   const struct mc_service *s = &mc->service[mc->service_head & (mc->service_ring - 1)];
   struct mc_client *c = &mc->clients[mc->requests[s->request].client];
   if (c->reserved)
      return SIM_NEVER; /* waits for room in the client's answers */
   if (c->bus_free > now + mc->box.period)
      return c->bus_free - mc->box.period;
   c->reserved = true;
   mc->bus_cycles[c->kind]++;
   return now + mc->box.period;
}

/* Confirms answers whose last bytes have arrived, and completed writes. Returns when to look
 * again. */
static sim_tick
mc_v2_confirm(struct mc_v2 *mc, sim_tick now)
{
   sim_tick next = SIM_NEVER;
   for (unsigned word = 0; mc->num_late && word < MC_MAX_CLIENTS / 64; word++) {
      for (uint64_t left = mc->late[word]; left; left &= left - 1) {
         struct mc_client *c = &mc->clients[64 * word + (unsigned)__builtin_ctzll(left)];
         if (c->answer_at > now) {
            next = mc_v2_sooner(next, c->answer_at);
         } else if (sim_can_send(c->response, now)) {
            mc_v2_send_answer(mc, c, c->answer, now);
            c->answer_at = SIM_NEVER;
            mc->late[word] &= ~(left & -left);
            mc->num_late--;
            next = now + mc->box.period;
         }
      }
   }
   while (mc->acks_head != MC_NONE) {
      const uint16_t request = mc->acks_head;
      struct mc_client *c = &mc->clients[mc->requests[request].client];
      if (mc->requests[request].confirm_at > now)
         return mc_v2_sooner(next, mc->requests[request].confirm_at);
      if (!sim_can_send(c->response, now))
         break;
      mc->acks_head = mc->requests[request].next;
      if (mc->acks_head == MC_NONE)
         mc->acks_tail = MC_NONE;
      mc_v2_send_answer(mc, c, request, now);
      next = now + mc->box.period;
   }
   /* The reason may be the signal's width, not its credits. */
   return mc->acks_head != MC_NONE ? now + mc->box.period : next;
}

/* --- Statistics that count cycles --- */

static inline uint32_t
mc_v2_used_entries(const struct mc_v2 *mc)
{
   return mc->box.gpu->config.mc.request_queue - mc->num_free;
}

/* Counts the cycles before tick, in which nothing happened. */
static void
mc_v2_count_rest(struct mc_v2 *mc, sim_tick tick)
{
   if (tick <= mc->counted)
      return;
   const uint64_t cycles = mc_v2_cycles(mc, tick - mc->counted);
   struct mc_v2_stats *s = &mc->stat[mc->oldest_work_id];
   s->buffer_sum += cycles * mc_v2_used_entries(mc);
   s->service_sum += cycles * (mc->service_tail - mc->service_head);
   mc->counted = tick;
}

/* Counts, at the end of a clock, whether clients see that requests are accepted. */
static void
mc_v2_count_shut(struct mc_v2 *mc, sim_tick now)
{
   const bool shut = mc->num_free < mc->reserve;
   if (shut == mc->shut)
      return;
   mc->shut = shut;
   if (shut)
      mc->shut_at = now;
   else
      mc->shut_cycles += (now - mc->shut_at) / mc->box.period;
}

/* A client may send in all cycles not counted as shut. */
static void
mc_v2_flush_counters(struct sim_box *b, sim_tick next)
{
   struct mc_v2 *mc = (struct mc_v2 *)b;
   mc_v2_count_rest(mc, next);
   if (mc->shut && next > mc->shut_at) {
      mc->shut_cycles += (next - mc->shut_at) / b->period;
      mc->shut_at = next;
   }
   if (next > mc->flushed) {
      const uint64_t cycles = (next - mc->flushed) / b->period;
      const uint64_t open = cycles > mc->shut_cycles ? cycles - mc->shut_cycles : 0;
      for (unsigned k = 0; k < MC_NUM_KINDS; k++) {
         struct mc_v2_client_stats *s = mc_v2_client(mc->stat, 0, k);
         const uint64_t all = open * mc_clients(&b->gpu->config, k), bus = mc->bus_cycles[k];
         s->accept_read += all;
         s->accept_write += all > bus ? all - bus : 0;
         /* The bus is booked ahead, so the rest belongs to later cycles. */
         mc->bus_cycles[k] = all > bus ? 0 : bus - all;
      }
      mc->shut_cycles = 0;
      mc->flushed = next;
   }
   for (unsigned i = 0; i < mc->num_channels; i++)
      sim_stall_flush(&mc->channels[i].stall, b, mc->channels[i].stalled, next);
   for (unsigned i = 0; i < mc->num_clients; i++) {
      struct mc_client *c = &mc->clients[i];
      const struct msg_mem_request *r = c->full.on ? sim_peek(c->request, next) : NULL;
      if (r)
         sim_stall_flush(&c->full, b, r->work_id, next);
   }
}

/* The order of the release of 2015: requests in, an answer out, complete accesses leave, the
 * channels' messages are taken, channels get transactions. What a message completes moves on in the
 * next cycle. */
static sim_tick
mc_v2_clock(struct sim_box *b, sim_tick now)
{
   struct mc_v2 *mc = (struct mc_v2 *)b;
   sim_tick next = SIM_NEVER;
   mc_v2_count_rest(mc, now);
   for (unsigned i = 0; 64 * i < mc->num_clients; i++) {
      for (uint64_t left = sim_range_inputs(b, &mc->from_clients[i]); left; left &= left - 1)
         next = mc_v2_sooner(next, mc_v2_accept(mc, 64 * i + (unsigned)__builtin_ctzll(left), now));
   }
   mc->stat[mc->oldest_work_id].buffer_sum += mc_v2_used_entries(mc);
   mc->counted = now + b->period;
   if (mc->service_head != mc->service_tail) {
      if (mc_v2_serve(mc, now))
         next = now + b->period;
      mc->stat[mc->oldest_work_id].service_sum += mc->service_tail - mc->service_head;
   }
   next = mc_v2_sooner(next, mc_v2_confirm(mc, now));
   if (mc->service_head != mc->service_tail)
      next = mc_v2_sooner(next, mc_v2_reserve(mc, now));
   mc->done_before = mc->done_tail;
   if (mc_v2_retire(mc, now))
      next = now + b->period;
   mc_v2_hear_taken(mc, now);
   next = mc_v2_sooner(next, mc_v2_hear_done(mc, now));
   if (mc_v2_can_retire(mc))
      next = now + b->period;
   for (uint64_t left = mc->waiting; left; left &= left - 1) {
      struct mc_channel *ch = &mc->channels[__builtin_ctzll(left)];
      next =
          mc_v2_sooner(next, ch->send_at > now ? ch->send_at : mc_v2_send_transaction(mc, ch, now));
   }
   mc_v2_count_shut(mc, now);
   if (mc->oldest != MC_NONE)
      sim_blocked(b, mc->oldest_work_id);
   return next;
}

static void
mc_v2_dump(const struct sim_box *b, FILE *f)
{
   const struct mc_v2 *mc = (const struct mc_v2 *)b;
   fprintf(f, "   %u entries of the request buffer free, %u writes, %u reads wait for their bus\n",
           mc->num_free, mc->writes, mc->service_tail - mc->service_head);
   for (unsigned i = 0; i < mc->num_channels; i++) {
      const struct mc_channel *ch = &mc->channels[i];
      for (uint32_t left = ch->waiting; left; left &= left - 1) {
         const unsigned bank = (unsigned)__builtin_ctz(left);
         const struct mc_entry *e = &mc->entries[ch->queue[bank].head];
         fprintf(
             f,
             "   channel %u, queue %u: oldest is a %s by %s at 0x%x, work id %u, since tick %llu\n",
             i, bank, e->m.write ? "write" : "read",
             mc->clients[mc->requests[e->request].client].request->sender->name, e->m.address,
             e->m.work_id, (unsigned long long)e->arrived);
      }
   }
}

const struct sim_box_class mc_v2_class = {
    .size = sizeof(struct mc_v2),
    .domain = SIM_DOMAIN_GPU,
    .init = mc_v2_init,
    .clock = mc_v2_clock,
    .dump = mc_v2_dump,
    .fini = mc_v2_fini,
    .flush_counters = mc_v2_flush_counters,
    SIM_BOX_CLASS(mc_v2),
};
