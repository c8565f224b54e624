/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory Controller with transactions (MC, MemoryControllerV2; the release of 2015): requests
 * become transactions of 64 bytes, which go through one request buffer for all clients to the
 * queues of their channel and bank, and answers through one service queue, one per cycle, back over
 * the client's bus. A bus carries data in one direction at a time, as many bytes per cycle as it is
 * wide. Not here: the channels (box/memory/gddr.c), the simple controller (mc.c), the system bus
 * (box/command/cp.c).
 *
 * Requests of one block of 256 bytes stay in order. They do by themselves where a block lies in one
 * row; where the interleaving is finer, a request waits while another one for its block is under
 * way of which one is a write.
 */
#include "box/memory/gddr.h"
#include "box/memory/mc_clients.h"
#include "box/memory/mc_v2_stats.h"
#include "config/sim_memory_map.h"

#define MC_NONE UINT16_MAX
#define MC_BLOCKS 1024 /* counters of blocks under way */
enum { MC_ANY = 0, MC_COMPRESSED = 2 };
#define MC_QUEUES (2 * GDDR_MAX_BANKS)

/* A transaction from the client's bus to the end of its access: an entry of the request buffer. */
struct mc_entry {
   struct msg_transaction m;
   uint16_t next; /* of its queue, or of the free entries */
   uint16_t request;
   uint8_t bytes;           /* on the client's bus */
   sim_tick arrived, ready; /* ready: its data is here */
};

/* A transaction that was read. */
struct mc_service {
   uint16_t request;
   uint8_t bytes;
};

/* What a client asked for. */
struct mc_request {
   struct msg_mem_response answer;
   sim_tick arrived;
   sim_tick confirm_at; /* a write: its data has crossed the pins */
   uint16_t client, slot, next;
   uint16_t older, newer; /* of those under way */
   uint8_t left;          /* transactions not answered */
   bool compressed;
};

struct mc_client {
   struct sim_signal *request, *response;
   enum mc_kind kind;
   uint32_t width;
   unsigned rop; /* its number, of ROPs */
   sim_tick bus_free;
   bool reserved; /* for the next answer */
   uint16_t open, taken,
       of;                /* its oldest request: record, transactions taken, and how many it has */
   struct sim_stall full; /* stands still: the request buffer is full */
   sim_tick answer_at;    /* its last bytes are on the bus; SIM_NEVER: none */
   uint16_t answer;
};

struct mc_queue {
   uint16_t head, tail;
};

struct mc_channel {
   struct sim_signal *out, *taken, *read, *written;
   struct mc_queue queue[GDDR_MAX_BANKS];
   uint32_t waiting; /* queues that are not empty */
   uint32_t turn;
   uint16_t there[MC_QUEUES]; /* transactions in the channel's queues */
   uint16_t sent_queue;       /* of the last one sent */
   sim_tick sent_at;
   sim_tick hear_at[2];    /* nothing of read, written is ready before */
   struct sim_stall stall; /* transactions wait, none is taken */
};

struct mc_v2 {
   struct sim_box box;
   struct mc_v2_stats *stat; /* [slot] */
   struct sim_memory_map map, second;
   uint64_t second_start; /* UINT64_MAX: none */
   const struct gddr_scheduler *scheduler;
   bool fifo_per_bank, oldest_first, classic; /* V2 keys */
   uint32_t chunk; /* bytes of a transaction: 64, less where the interleaving is finer */
   uint32_t room[2], burst_bytes; /* of a channel's queue [write] */
   struct mc_client clients[MC_MAX_CLIENTS];
   unsigned num_clients, num_channels;
   struct mc_channel channels[SIM_MAX_CHANNELS];

   struct mc_entry *entries;
   struct mc_request *requests;
   uint16_t free_entry, free_request;
   uint32_t num_free, reserve;  /* entries; so many stay free for what is on its way */
   uint32_t writes, max_writes; /* write buffers */
   uint32_t rop_share, rop_held[SIM_MAX_ROPS];
   /* Under way: [MC_ANY + write][block], [MC_COMPRESSED + write][block]. NULL: blocks lie in one
    * row. */
   uint16_t *blocks[4];

   /* Accesses that are complete, and reads that wait for their bus. Rings of entries. */
   uint16_t *done;
   struct mc_service *service;
   uint32_t done_head, done_tail, done_before, service_head, service_tail;
   uint32_t ring, service_size, service_ring;
   unsigned late;                 /* clients whose answer waits for its last bytes */
   uint16_t acks_head, acks_tail; /* writes to be confirmed; linked requests */
   uint16_t oldest, newest;       /* requests under way */
   sim_tick write_ticks;          /* from a write's last command to the end of its data */

   /* Statistics that count cycles: before these ticks they are counted. */
   sim_tick counted, settled;
   uint16_t slot; /* moved last */
   bool shut;     /* the request buffer takes nothing since shut_at */
   sim_tick shut_at;
   uint64_t shut_cycles, bus_cycles[MC_NUM_KINDS]; /* without accepting: anything, writes */
};

static inline sim_tick
sooner(sim_tick a, sim_tick b)
{
   return a < b ? a : b;
}

static inline uint64_t
cycles_of(const struct mc_v2 *mc, sim_tick ticks)
{
   return __builtin_expect(mc->box.period == 1, 1) ? ticks : ticks / mc->box.period;
}

/* --- Building --- */

static void *
allocate(size_t count, size_t size)
{
   void *p = calloc(count, size);
   if (!p) {
      fprintf(stderr, "attila: out of host memory\n");
      abort();
   }
   return p;
}

static void
add_clients(struct mc_v2 *mc, enum mc_kind kind, struct sim_signal *request,
            struct sim_signal *response, uint32_t width)
{
   unsigned count = mc_clients(&mc->box.gpu->config, kind);
   for (unsigned i = 0; i < count; i++)
      mc->clients[mc->num_clients++] = (struct mc_client){.request = &request[i],
                                                          .response = &response[i],
                                                          .kind = kind,
                                                          .width = width,
                                                          .rop = i,
                                                          .open = MC_NONE,
                                                          .answer_at = SIM_NEVER};
}

static uint32_t
ring_of(uint32_t size)
{
   uint32_t ring = 1;
   while (ring < size)
      ring *= 2;
   return ring;
}

static void
make_buffers(struct mc_v2 *mc, const struct sim_config *c)
{
   const uint32_t size = c->mc.request_queue;
   const uint32_t requests = size + c->mc.service_queue + MC_MAX_CLIENTS;
   mc->ring = ring_of(size);
   mc->entries = allocate(size, sizeof(*mc->entries));
   mc->requests = allocate(requests, sizeof(*mc->requests));
   mc->done = allocate(mc->ring, sizeof(*mc->done));
   mc->service_size = c->mc.service_queue;
   mc->service_ring = ring_of(mc->service_size);
   mc->service = allocate(mc->service_ring, sizeof(*mc->service));
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
#define K(member, name) \
   add_clients(mc, MC_##member, n->member##_mc, n->mc_##member, c->mc.member##_bus);
   MC_CLIENT_KINDS(K)
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
      for (unsigned q = 0; q < GDDR_MAX_BANKS; q++)
         ch->queue[q] = (struct mc_queue){MC_NONE, MC_NONE};
   }
   make_buffers(mc, c);
   /* Two of every client may be on their way when it hears of a full buffer (release of 2015). */
   mc->reserve = 2 * mc->num_clients < c->mc.request_queue ? 2 * mc->num_clients : 1;
   mc->max_writes = c->mc.write_buffers;
   mc->rop_share = c->mc.split_rop ? c->mc.request_queue / c->gpu.num_rops : UINT32_MAX;
   if (granule < 8) {
      for (unsigned i = 0; i < 4; i++)
         mc->blocks[i] = allocate(MC_BLOCKS, sizeof(*mc->blocks[i]));
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

/* --- Requests in --- */

static void
check_request(struct mc_v2 *mc, const struct mc_client *c, const struct msg_mem_request *r)
{
   if (!r->data || r->size < 1 || r->size > 256 || (r->address & 255) + r->size > 256 ||
       r->wire_bytes > 256 || r->slot >= mc->box.kernel->num_slots ||
       (uint64_t)r->address + r->size > mc->box.gpu->device->memory_size)
      sim_error(
          &mc->box,
          "%s by %s of %u bytes at 0x%x is not within a 256-byte block of memory (draw slot %u)",
          r->write ? "write" : "read", c->request->sender->name, r->size, r->address, r->slot);
}

/* Where what a request moves begins. A write of a part of a compressed block moves more than
 * itself: from the block's beginning on if it does not fit behind the address. */
static inline uint32_t
wire_start(const struct msg_mem_request *r)
{
   return (r->address & 255) + mc_wire_bytes(r) > 256 ? r->address & ~255u : r->address;
}

static inline unsigned
block_of(uint32_t address)
{
   return address >> 8 & (MC_BLOCKS - 1);
}

static inline bool
is_compressed(const struct msg_mem_request *r)
{
   return mc_wire_bytes(r) != r->size;
}

/* Another request for the block is under way, one of the two is compressed and one is a write. (If
 * none is compressed, the same bytes are in the same transaction of both, and these stay in order.)
 * Counters are shared by blocks of the same low bits: now and then a request waits in vain. */
static inline bool
block_busy(const struct mc_v2 *mc, const struct msg_mem_request *r)
{
   if (!mc->blocks[0])
      return false;
   const unsigned b = block_of(r->address), kind = is_compressed(r) ? MC_ANY : MC_COMPRESSED;
   return mc->blocks[kind + 1][b] || (r->write && mc->blocks[kind][b]);
}

static void
count_block(struct mc_v2 *mc, const struct mc_request *q, int by)
{
   const unsigned b = block_of(q->answer.address), w = q->answer.write;
   mc->blocks[MC_ANY + w][b] = (uint16_t)(mc->blocks[MC_ANY + w][b] + by);
   if (q->compressed)
      mc->blocks[MC_COMPRESSED + w][b] = (uint16_t)(mc->blocks[MC_COMPRESSED + w][b] + by);
}

/* The client's oldest request gets a record. */
static void
open_request(struct mc_v2 *mc, unsigned client, const struct msg_mem_request *r, sim_tick now)
{
   struct mc_client *c = &mc->clients[client];
   check_request(mc, c, r);
   const uint32_t begin = wire_start(r), first = begin / mc->chunk,
                  last = (begin + mc_wire_bytes(r) - 1) / mc->chunk;
   c->open = mc->free_request;
   struct mc_request *q = &mc->requests[c->open];
   mc->free_request = q->next;
   c->taken = 0;
   c->of = (uint16_t)(last - first + 1);
   *q = (struct mc_request){
       .answer = {.data = r->data, .cookie = r->cookie, .address = r->address, .write = r->write},
       .arrived = now,
       .client = (uint16_t)client,
       .slot = r->slot,
       .compressed = is_compressed(r),
       .left = (uint8_t)c->of};
   q->older = mc->newest;
   q->newer = MC_NONE;
   *(mc->newest == MC_NONE ? &mc->oldest : &mc->requests[mc->newest].newer) = c->open;
   mc->newest = c->open;
   if (mc->blocks[0])
      count_block(mc, q, 1);
}

static void
close_request(struct mc_v2 *mc, uint16_t request)
{
   struct mc_request *q = &mc->requests[request];
   *(q->older == MC_NONE ? &mc->oldest : &mc->requests[q->older].newer) = q->newer;
   *(q->newer == MC_NONE ? &mc->newest : &mc->requests[q->newer].older) = q->older;
   if (mc->blocks[0])
      count_block(mc, q, -1);
   q->next = mc->free_request;
   mc->free_request = request;
}

/* The next transaction of a client's request: a block of 64 bytes on the wire. It stands for these
 * bytes of memory, or for its share of them when they are compressed. */
static void
make_transaction(struct mc_v2 *mc, struct mc_client *c, const struct msg_mem_request *r,
                 struct mc_entry *e, uint16_t entry, unsigned *channel)
{
   const uint32_t wire = mc_wire_bytes(r), begin = wire_start(r), end = begin + wire;
   uint32_t from = (begin / mc->chunk + c->taken) * mc->chunk, to = from + mc->chunk;
   from = from < begin ? begin : from;
   to = to > end ? end : to;
   uint32_t offset = from - begin, size = to - from;
   if (wire != r->size) {
      offset = (uint32_t)c->taken * r->size / c->of;
      size = (uint32_t)(c->taken + 1u) * r->size / c->of - offset;
   }
   const struct sim_memory_place p =
       sim_memory_place(from >= mc->second_start ? &mc->second : &mc->map, from);
   *channel = p.channel;
   e->m = (struct msg_transaction){
       .data = r->data + offset,
       .address = r->address + offset,
       .row = p.row,
       .size = (uint16_t)size,
       .entry = entry,
       .slot = r->slot,
       .column = p.column,
       .bank = p.bank,
       .bytes = (uint8_t)(to - from),
       .bursts = (uint8_t)((to - 1) / mc->burst_bytes - from / mc->burst_bytes + 1),
       .client = (uint8_t)c->kind,
       .write = r->write};
}

static inline sim_tick
bus_ticks(const struct mc_v2 *mc, const struct mc_client *c, uint32_t bytes)
{
   return bytes <= c->width ? mc->box.period : (bytes + c->width - 1) / c->width * mc->box.period;
}

/* Why a client's next transaction cannot be taken now. */
static bool
has_room(struct mc_v2 *mc, const struct mc_client *c, const struct msg_mem_request *r)
{
   if (mc->num_free < mc->reserve || (r->write && mc->writes >= mc->max_writes))
      return false;
   return (c->kind != MC_zst && c->kind != MC_cw) || mc->rop_held[c->rop] < mc->rop_share;
}

/* Takes a client's next transaction into the request buffer. Returns when it may take another one;
 * SIM_NEVER if somebody else's progress decides. */
static sim_tick
accept(struct mc_v2 *mc, unsigned client, sim_tick now)
{
   struct mc_client *c = &mc->clients[client];
   const struct msg_mem_request *r = sim_peek(c->request, now);
   if (!r)
      return SIM_NEVER;
   if (r->write && (c->reserved || c->bus_free > now))
      return c->reserved ? SIM_NEVER : c->bus_free;
   if (!has_room(mc, c, r)) {
      sim_stall_begin(&c->full, SIM_STAT(mc_v2, buffer_full), now);
      return SIM_NEVER;
   }
   if (c->open == MC_NONE) {
      if (block_busy(mc, r) || mc->free_request == MC_NONE)
         return SIM_NEVER;
      open_request(mc, client, r, now);
   }
   sim_stall_end(&c->full, &mc->box, r->slot, now);
   uint16_t entry = mc->free_entry;
   struct mc_entry *e = &mc->entries[entry];
   unsigned channel;
   mc->free_entry = e->next;
   mc->num_free--;
   make_transaction(mc, c, r, e, entry, &channel);
   e->request = c->open;
   e->next = MC_NONE;
   e->arrived = e->ready = now;
   if (c->kind == MC_zst || c->kind == MC_cw)
      mc->rop_held[c->rop]++;
   if (r->write) {
      const sim_tick ticks = bus_ticks(mc, c, e->m.bytes);
      mc->writes++;
      c->bus_free = now + ticks;
      mc->bus_cycles[c->kind] += cycles_of(mc, ticks) - 1;
      e->ready = now + ticks - mc->box.period;
   }
   struct mc_channel *ch = &mc->channels[channel];
   const unsigned bank = mc->fifo_per_bank ? e->m.bank : 0;
   struct mc_queue *q = &ch->queue[bank];
   if (q->tail == MC_NONE)
      q->head = entry;
   else
      mc->entries[q->tail].next = entry;
   q->tail = entry;
   ch->waiting |= 1u << bank;
   mc_v2_count_transaction(mc->stat, &e->m);
   sim_busy(&mc->box, r->slot);
   if (++c->taken == c->of) {
      c->open = MC_NONE;
      sim_pop(c->request, now);
   }
   return now + mc->box.period;
}

/* --- To the channels --- */

/* The channel has room for the transaction. What was sent a cycle ago it could not tell yet
 * (release of 2015: the state of its queues is a cycle old). */
static bool
channel_accepts(const struct mc_v2 *mc, const struct mc_channel *ch,
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

/* Sends a channel one transaction: of the bank whose turn it is, or of the one that waits longest.
 * Returns when to look again. */
static sim_tick
send_transaction(struct mc_v2 *mc, struct mc_channel *ch, sim_tick now)
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
      if (channel_accepts(mc, ch, &e->m, now)) {
         best = i;
         best_key = key;
      } else if (key < blocked_key) {
         blocked = &e->m;
         blocked_key = key;
      }
   }
   if (best == MC_QUEUES || !sim_can_send(ch->out, now)) {
      if (blocked)
         sim_stall_begin(
             &ch->stall,
             blocked->write ? SIM_STAT(mc_v2, write_stalls) : SIM_STAT(mc_v2, read_stalls), now);
      return blocked && ch->sent_at + mc->box.period >= now ? now + mc->box.period : next;
   }
   struct mc_queue *q = &ch->queue[best];
   struct mc_entry *e = &mc->entries[q->head];
   q->head = e->next;
   if (q->head == MC_NONE) {
      q->tail = MC_NONE;
      ch->waiting &= ~(1u << best);
   }
   sim_stall_end(&ch->stall, &mc->box, e->m.slot, now);
   sim_busy(&mc->box, e->m.slot);
   sim_send(ch->out, now, &e->m);
   ch->sent_queue = (uint16_t)gddr_queue_of(mc->scheduler, e->m.bank, e->m.write);
   ch->sent_at = now;
   ch->there[ch->sent_queue]++;
   ch->turn = (best + 1) & (banks - 1);
   return now + mc->box.period;
}

/* Room in the channel's queues, and accesses that are complete. */
static sim_tick
hear_channel(struct mc_v2 *mc, struct mc_channel *ch, sim_tick now)
{
   sim_tick next = SIM_NEVER;
   if (!sim_signal_empty(ch->taken)) {
      for (const struct msg_taken *t; (t = sim_peek(ch->taken, now)) != NULL;
           sim_pop(ch->taken, now))
         ch->there[t->queue]--;
   }
   for (unsigned i = 0; i < 2; i++) {
      struct sim_signal *in = i ? ch->written : ch->read;
      const struct msg_transaction_done *d = NULL;
      if (now >= ch->hear_at[i] && !sim_signal_empty(in)) {
         while ((d = sim_peek(in, now)) != NULL && d->ready <= now) {
            mc->done[mc->done_tail++ & (mc->ring - 1)] = (uint16_t)d->entry;
            mc_v2_count_access(mc->stat, &mc->entries[d->entry].m);
            sim_pop(in, now);
         }
         ch->hear_at[i] = d ? d->ready : 0;
      }
      if (ch->hear_at[i] > now)
         next = sooner(next, ch->hear_at[i]);
   }
   return next;
}

/* --- Answers --- */

static void
free_entry(struct mc_v2 *mc, uint16_t entry)
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

/* The oldest complete access can leave the request buffer. */
static inline bool
can_retire(const struct mc_v2 *mc)
{
   if (mc->done_head == mc->done_tail)
      return false;
   const uint16_t entry = mc->done[mc->done_head & (mc->ring - 1)];
   return mc->entries[entry].m.write || mc->service_tail - mc->service_head < mc->service_size;
}

/* Accesses that completed before this cycle leave the request buffer: reads for the service queue,
 * writes for good. */
static bool
retire(struct mc_v2 *mc, sim_tick now)
{
   bool progress = false;
   while (mc->done_head != mc->done_before && can_retire(mc)) {
      const uint16_t entry = mc->done[mc->done_head & (mc->ring - 1)];
      struct mc_request *q = &mc->requests[mc->entries[entry].request];
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
      free_entry(mc, entry);
      mc->done_head++;
      progress = true;
   }
   return progress;
}

static void
send_answer(struct mc_v2 *mc, struct mc_client *c, uint16_t request, sim_tick now)
{
   sim_send(c->response, now, &mc->requests[request].answer);
   close_request(mc, request);
}

/* Puts the oldest transaction of the service queue on its client's bus, if that was reserved. The
 * client hears of a request when its last bytes are there. Returns true if it did. */
static bool
serve(struct mc_v2 *mc, sim_tick now)
{
   if (mc->service_head == mc->service_tail)
      return false;
   const struct mc_service *s = &mc->service[mc->service_head & (mc->service_ring - 1)];
   struct mc_request *q = &mc->requests[s->request];
   struct mc_client *c = &mc->clients[q->client];
   const sim_tick ticks = bus_ticks(mc, c, s->bytes);
   if (!c->reserved || c->bus_free > now || c->answer_at != SIM_NEVER)
      return false;
   if (q->left == 1 && ticks == mc->box.period && !sim_can_send(c->response, now))
      return false; /* woken by the client's next pop */
   c->reserved = false;
   c->bus_free = now + ticks;
   mc->bus_cycles[c->kind] += cycles_of(mc, ticks) - 1;
   sim_busy(&mc->box, q->slot);
   mc->service_head++;
   mc_v2_count_service(mc->stat, q->slot, c->kind, cycles_of(mc, now - q->arrived));
   if (--q->left == 0) {
      if (ticks == mc->box.period) {
         send_answer(mc, c, s->request, now);
      } else {
         c->answer = s->request;
         c->answer_at = now + ticks - mc->box.period;
         mc->late++;
      }
   }
   return true;
}

/* The next answer gets its client's bus if that is free in the next cycle. Returns when to look
 * again. */
static sim_tick
reserve(struct mc_v2 *mc, sim_tick now)
{
   if (mc->service_head == mc->service_tail)
      return SIM_NEVER;
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

/* Answers whose last bytes are there, and writes that are done. Returns when to look again. */
static sim_tick
confirm(struct mc_v2 *mc, sim_tick now)
{
   sim_tick next = SIM_NEVER;
   for (unsigned i = 0; mc->late && i < mc->num_clients; i++) {
      struct mc_client *c = &mc->clients[i];
      if (c->answer_at > now) {
         next = c->answer_at < next ? c->answer_at : next;
      } else if (sim_can_send(c->response, now)) {
         send_answer(mc, c, c->answer, now);
         c->answer_at = SIM_NEVER;
         mc->late--;
         next = now + mc->box.period;
      }
   }
   while (mc->acks_head != MC_NONE) {
      const uint16_t request = mc->acks_head;
      struct mc_client *c = &mc->clients[mc->requests[request].client];
      if (mc->requests[request].confirm_at > now)
         return sooner(next, mc->requests[request].confirm_at);
      if (!sim_can_send(c->response, now))
         break;
      mc->acks_head = mc->requests[request].next;
      if (mc->acks_head == MC_NONE)
         mc->acks_tail = MC_NONE;
      send_answer(mc, c, request, now);
      next = now + mc->box.period;
   }
   /* The width of the signal, not its credits, may have been the reason. */
   return mc->acks_head != MC_NONE ? now + mc->box.period : next;
}

/* --- Statistics that count cycles --- */

/* Whom the controller's time is counted for: the oldest request under way. */
static inline uint16_t
oldest_slot(const struct mc_v2 *mc)
{
   return mc->oldest == MC_NONE ? 0 : mc->requests[mc->oldest].slot;
}

static inline uint32_t
used_entries(const struct mc_v2 *mc)
{
   return mc->box.gpu->config.mc.request_queue - mc->num_free;
}

/* The cycles before tick in which nothing happened. */
static void
count_rest(struct mc_v2 *mc, sim_tick tick)
{
   if (tick <= mc->counted)
      return;
   const uint64_t cycles = cycles_of(mc, tick - mc->counted);
   struct mc_v2_stats *s = &mc->stat[oldest_slot(mc)];
   s->buffer_sum += cycles * used_entries(mc);
   s->service_sum += cycles * (mc->service_tail - mc->service_head);
   mc->counted = tick;
}

/* At the end of a clock: whether clients hear that requests are taken. */
static void
count_shut(struct mc_v2 *mc, sim_tick now)
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

/* Cycles in which a client may send are all but those that were counted as shut. */
static void
mc_v2_settle(struct sim_box *b, sim_tick next)
{
   struct mc_v2 *mc = (struct mc_v2 *)b;
   count_rest(mc, next);
   if (mc->shut && next > mc->shut_at) {
      mc->shut_cycles += (next - mc->shut_at) / b->period;
      mc->shut_at = next;
   }
   if (next > mc->settled) {
      const uint64_t cycles = (next - mc->settled) / b->period;
      const uint64_t open = cycles > mc->shut_cycles ? cycles - mc->shut_cycles : 0;
      for (unsigned k = 0; k < MC_NUM_KINDS; k++) {
         struct mc_v2_client_stats *s = mc_v2_client(mc->stat, 0, k);
         const uint64_t all = open * mc_clients(&b->gpu->config, k), bus = mc->bus_cycles[k];
         s->accept_read += all;
         s->accept_write += all > bus ? all - bus : 0;
         /* The bus is booked ahead: what is left of that is to come. */
         mc->bus_cycles[k] = all > bus ? 0 : bus - all;
      }
      mc->shut_cycles = 0;
      mc->settled = next;
   }
   for (unsigned i = 0; i < mc->num_channels; i++)
      sim_stall_settle(&mc->channels[i].stall, b, oldest_slot(mc), next);
   for (unsigned i = 0; i < mc->num_clients; i++)
      sim_stall_settle(&mc->clients[i].full, b, oldest_slot(mc), next);
}

/* The order of the release of 2015: requests in, an answer out, completed accesses leave, channels
 * are heard, channels get transactions. What is heard in a cycle moves on in the next. */
static sim_tick
mc_v2_clock(struct sim_box *b, sim_tick now)
{
   struct mc_v2 *mc = (struct mc_v2 *)b;
   sim_tick next = SIM_NEVER;
   count_rest(mc, now);
   for (unsigned i = 0; i < mc->num_clients; i++) {
      if (!sim_signal_empty(mc->clients[i].request))
         next = sooner(next, accept(mc, i, now));
   }
   mc->stat[oldest_slot(mc)].buffer_sum += used_entries(mc);
   if (serve(mc, now))
      next = now + b->period;
   mc->stat[oldest_slot(mc)].service_sum += mc->service_tail - mc->service_head;
   mc->counted = now + b->period;
   next = sooner(next, confirm(mc, now));
   next = sooner(next, reserve(mc, now));
   mc->done_before = mc->done_tail;
   if (retire(mc, now))
      next = now + b->period;
   for (unsigned i = 0; i < mc->num_channels; i++)
      next = sooner(next, hear_channel(mc, &mc->channels[i], now));
   if (can_retire(mc))
      next = now + b->period;
   for (unsigned i = 0; i < mc->num_channels; i++) {
      if (mc->channels[i].waiting)
         next = sooner(next, send_transaction(mc, &mc->channels[i], now));
   }
   count_shut(mc, now);
   if (mc->oldest != MC_NONE)
      sim_blocked(b, oldest_slot(mc));
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
             f, "   channel %u, queue %u: oldest is a %s by %s at 0x%x, slot %u, since tick %llu\n",
             i, bank, e->m.write ? "write" : "read",
             mc->clients[mc->requests[e->request].client].request->sender->name, e->m.address,
             e->m.slot, (unsigned long long)e->arrived);
      }
   }
}

const struct sim_box_class mc_v2_class = {
    .name = "MemoryControllerV2",
    .unit = "MC",
    .doc = "Crossbar of 64-byte transactions from the clients to the memory channels "
           "(MemoryControllerV2; the release of 2015)",
    .size = sizeof(struct mc_v2),
    .domain = SIM_DOMAIN_GPU,
    .init = mc_v2_init,
    .clock = mc_v2_clock,
    .dump = mc_v2_dump,
    .fini = mc_v2_fini,
    .settle = mc_v2_settle,
    SIM_STATS_CLASS(mc_v2),
};
