/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simple memory controller (MC, ISPASS 2006 section 2.2; MemoryControllerV2 = FALSE, or
 * L2.Enabled): the crossbar between clients and GDDR channels, or the L2's slices in front of
 * these. A client has a 64-byte bus per direction and a request queue (ClientQueueSize) sorted by
 * channel, so a busy channel delays no other. A channel takes one request per cycle from its
 * clients in turn; requests of a client to a channel stay in order. Not here: DRAM timing and data
 * (sched.c), the cache (l2.c), the system bus (cp.c). */
#include "box/memory/mc_clients.h"
#include "config/sim_memory_map.h"

#include <stdlib.h>

SIM_BOX_STATS(mc)

/* One client's statistics. */
struct mc_client_stats {
   uint64_t transactions, read_transactions, write_transactions, read_bytes, write_bytes, reads,
       time;
};
_Static_assert(offsetof(struct mc_stats, total_transactions) ==
                   MC_NUM_KINDS * sizeof(struct mc_client_stats),
               "client statistics come first and are alike");

#define MC_BUS_BYTES 64
#define MC_NONE 0xffffffffu

struct mc_entry {
   struct msg_channel m;
   uint32_t next; /* in its client's and channel's list, or in the free list */
};

struct mc_client {
   struct sim_signal *request, *response;
   enum mc_kind kind;
   sim_tick accept_at, respond_at; /* when the bus is free */
   struct sim_stall full;          /* a request waits for the full queue */
   struct mc_entry *entries;       /* [request_queue] */
   uint32_t free;
   uint32_t head[SIM_MAX_CHANNELS], tail[SIM_MAX_CHANNELS];
};

struct mc {
   struct sim_box box;
   struct mc_stats *stat; /* [work_id] */
   struct mc_client clients[MC_MAX_CLIENTS];
   unsigned num_clients, num_channels;
   struct sim_signal *to_channels, *from_channels; /* ends: channels, or slices of the L2 */
   bool l2, banked;                                /* banked: channels by the keys V2... */
   struct sim_memory_map map;                      /* if banked */
   unsigned interleave_shift;                      /* if not */
   uint64_t waiting[SIM_MAX_CHANNELS]
                   [MC_MAX_CLIENTS / 64]; /* clients with requests to the channel */
   unsigned turn[SIM_MAX_CHANNELS];       /* the client that comes first */
   unsigned response_turn;                /* the channel that comes first */
   uint32_t queued;
};

static void
mc_add_clients(struct mc *mc, enum mc_kind kind, struct sim_signal *request,
               struct sim_signal *response)
{
   unsigned count = mc_clients(&mc->box.gpu->config, kind);
   uint32_t size = mc->box.gpu->config.mc.client_queue;
   for (unsigned i = 0; i < count; i++) {
      struct mc_client *c = &mc->clients[mc->num_clients++];
      *c = (struct mc_client){.request = &request[i],
                              .response = &response[i],
                              .kind = kind,
                              .entries = sim_xcalloc(size, sizeof(*c->entries))};
      for (uint32_t e = 0; e < size; e++)
         c->entries[e].next = e + 1 < size ? e + 1 : MC_NONE;
      for (unsigned ch = 0; ch < SIM_MAX_CHANNELS; ch++)
         c->head[ch] = c->tail[ch] = MC_NONE;
   }
}

static void
mc_init(struct sim_box *b)
{
   struct mc *mc = (struct mc *)b;
   struct sim_netlist *n = &b->gpu->net;
   const struct sim_config *c = &b->gpu->config;
#define K(unused, member, name) mc_add_clients(mc, MC_##member, n->member##_mc, n->mc_##member);
   SIM_MC_CLIENTS(K, )
#undef K
   mc->num_channels = c->mc.channels;
   mc->interleave_shift = (unsigned)__builtin_ctz(c->mc.interleave);
   mc->l2 = c->l2.on;
   mc->to_channels = mc->l2 ? n->mc_l2 : n->mc_sched;
   mc->from_channels = mc->l2 ? n->l2_mc : n->sched_mc;
   mc->banked = c->mc.v2;
   char error[256];
   if (mc->banked && !sim_memory_map_init(&mc->map, c, false, error, sizeof(error)))
      sim_error(b, "%s", error);
}

static void
mc_fini(struct sim_box *b)
{
   struct mc *mc = (struct mc *)b;
   for (unsigned i = 0; i < mc->num_clients; i++)
      free(mc->clients[i].entries);
}

static inline struct mc_client_stats *
mc_stats_of_client(struct mc *mc, const struct mc_client *c, unsigned work_id)
{
   return (struct mc_client_stats *)&mc->stat[work_id] + c->kind;
}

/* Returns the ticks of a transfer on a client's bus. */
static inline sim_tick
mc_bus_ticks(const struct mc *mc, uint32_t bytes)
{
   return (bytes + MC_BUS_BYTES - 1) / MC_BUS_BYTES * mc->box.period;
}

static void
mc_count_request(struct mc *mc, const struct mc_client *c, const struct msg_mem_request *r)
{
   struct mc_stats *s = &mc->stat[r->work_id];
   struct mc_client_stats *cs = mc_stats_of_client(mc, c, r->work_id);
   uint32_t bytes = mc_wire_bytes(r), transactions = (bytes + MC_TRANSACTION - 1) / MC_TRANSACTION;
   cs->transactions += transactions;
   s->total_transactions += transactions;
   if (r->write) {
      cs->write_transactions += transactions;
      cs->write_bytes += bytes;
      s->total_write_transactions += transactions;
      s->total_write_bytes += bytes;
   } else {
      cs->read_transactions += transactions;
      cs->read_bytes += bytes;
      s->total_read_transactions += transactions;
      s->total_read_bytes += bytes;
   }
}

static void
mc_check_request(struct mc *mc, const struct mc_client *c, const struct msg_mem_request *r)
{
   if (!r->data || r->size < 1 || r->size > 256 || (r->address & 255) + r->size > 256 ||
       r->work_id >= mc->box.kernel->num_work_ids ||
       (uint64_t)r->address + r->size > sim_device_memory_end(mc->box.gpu->device))
      sim_error(
          &mc->box,
          "%s by %s of %u bytes at 0x%x is not within a 256-byte block of memory (work id %u)",
          r->write ? "write" : "read", c->request->sender->name, r->size, r->address, r->work_id);
   if (r->atomic && (r->write || r->size != 4 || r->address % 4))
      sim_error(&mc->box, "atomic operation by %s on %u bytes at 0x%x", c->request->sender->name,
                r->size, r->address);
}

/* Takes a client's oldest request into its queue. Returns when the client's bus may move again,
 * SIM_NEVER if it waits for room. */
static sim_tick
mc_accept(struct mc *mc, unsigned index, sim_tick now)
{
   struct mc_client *c = &mc->clients[index];
   const struct msg_mem_request *r = sim_peek(c->request, now);
   if (!r)
      return SIM_NEVER;
   if (c->accept_at > now) {
      sim_blocked(&mc->box, r->work_id);
      return c->accept_at;
   }
   if (c->free == MC_NONE) {
      sim_stall_begin(&c->full, SIM_STAT(mc, queue_full), now);
      return SIM_NEVER; /* grants empty the queue and keep the box awake */
   }
   mc_check_request(mc, c, r);
   sim_stall_end(&c->full, &mc->box, r->work_id, now);
   unsigned channel = mc->banked ? sim_memory_place(&mc->map, r->address).channel
                                 : (r->address >> mc->interleave_shift) % mc->num_channels;
   uint32_t e = c->free;
   c->free = c->entries[e].next;
   c->entries[e].m =
       (struct msg_channel){.request = *r, .accepted = now, .client = (uint16_t)index};
   c->entries[e].next = MC_NONE;
   if (c->tail[channel] == MC_NONE)
      c->head[channel] = e;
   else
      c->entries[c->tail[channel]].next = e;
   c->tail[channel] = e;
   mc->waiting[channel][index / 64] |= 1ull << index % 64;
   mc->queued++;
   mc_count_request(mc, c, r);
   sim_busy(&mc->box, r->work_id);
   c->accept_at = now + mc_bus_ticks(mc, r->write ? mc_wire_bytes(r) : 1);
   sim_pop(c->request, now);
   return c->accept_at;
}

/* Returns the first client that waits for the channel, from its turn on, in circular order. */
static unsigned
mc_next_client(const struct mc *mc, unsigned channel)
{
   const unsigned words = (mc->num_clients + 63) / 64, turn = mc->turn[channel];
   for (unsigned w = turn / 64, i = 0; i <= words; i++, w = w + 1 < words ? w + 1 : 0) {
      uint64_t mask = mc->waiting[channel][w];
      if (i == 0)
         mask &= ~0ull << turn % 64;
      if (mask)
         return w * 64 + (unsigned)__builtin_ctzll(mask);
   }
   return MC_NONE;
}

/* Sends one request to a channel; returns whether it did. */
static bool
mc_grant(struct mc *mc, unsigned channel, sim_tick now)
{
   struct sim_signal *out = &mc->to_channels[channel];
   unsigned index = mc_next_client(mc, channel);
   if (index == MC_NONE || !sim_can_send(out, now))
      return false;
   struct mc_client *c = &mc->clients[index];
   uint32_t e = c->head[channel];
   sim_busy(&mc->box, c->entries[e].m.request.work_id);
   sim_send(out, now, &c->entries[e].m);
   c->head[channel] = c->entries[e].next;
   if (c->head[channel] == MC_NONE) {
      c->tail[channel] = MC_NONE;
      mc->waiting[channel][index / 64] &= ~(1ull << index % 64);
   }
   c->entries[e].next = c->free;
   c->free = e;
   mc->queued--;
   mc->turn[channel] = (index + 1) % MC_MAX_CLIENTS;
   return true;
}

/* Sends a channel's oldest response to its client. Returns the tick at which to look again,
 * SIM_NEVER if the response waits for a signal. */
static sim_tick
mc_respond(struct mc *mc, unsigned channel, sim_tick now, bool *sent)
{
   struct sim_signal *in = &mc->from_channels[channel];
   const struct msg_channel *m = sim_peek(in, now);
   if (!m)
      return SIM_NEVER;
   struct mc_client *c = &mc->clients[m->client];
   const bool in_use = c->respond_at > now;
   if (in_use || !sim_can_send(c->response, now)) {
      sim_blocked(&mc->box, m->request.work_id);
      return in_use ? c->respond_at : SIM_NEVER; /* woken by the client's next pop */
   }
   const struct msg_mem_request *r = &m->request;
   sim_busy(&mc->box, r->work_id);
   sim_send(c->response, now,
            &(struct msg_mem_response){
                .data = r->data, .cookie = r->cookie, .address = r->address, .write = r->write});
   c->respond_at = now + mc_bus_ticks(mc, r->write ? 1 : mc_wire_bytes(r));
   if (!r->write) {
      struct mc_client_stats *cs = mc_stats_of_client(mc, c, r->work_id);
      cs->reads++;
      cs->time += (now - m->accepted) / mc->box.period;
   }
   sim_pop(in, now);
   *sent = true;
   return now + mc->box.period;
}

/* Returns the work id of a request that waits for its channel; 0 if none. */
static unsigned
mc_waiting_work_id(const struct mc *mc)
{
   for (unsigned channel = 0; mc->queued && channel < mc->num_channels; channel++) {
      unsigned index = mc_next_client(mc, channel);
      if (index != MC_NONE)
         return mc->clients[index].entries[mc->clients[index].head[channel]].m.request.work_id;
   }
   return 0;
}

static sim_tick
mc_clock(struct sim_box *b, sim_tick now)
{
   struct mc *mc = (struct mc *)b;
   sim_tick next = SIM_NEVER;
   unsigned responded = MC_NONE;
   for (unsigned i = 0; i < mc->num_channels; i++) {
      unsigned channel = (mc->response_turn + i) % mc->num_channels;
      bool sent = false;
      sim_tick t = mc_respond(mc, channel, now, &sent);
      if (sent && responded == MC_NONE)
         responded = channel;
      next = t < next ? t : next;
   }
   if (responded != MC_NONE)
      mc->response_turn = (responded + 1) % mc->num_channels;
   for (unsigned i = 0; i < mc->num_clients; i++) {
      sim_tick t = mc_accept(mc, i, now);
      next = t < next ? t : next;
   }
   if (mc->queued) {
      for (unsigned channel = 0; channel < mc->num_channels; channel++) {
         if (mc_grant(mc, channel, now))
            next = now + b->period;
      }
   }
   if (mc->queued)
      sim_blocked(b, mc_waiting_work_id(mc));
   return next;
}

static void
mc_flush_counters(struct sim_box *b, sim_tick next)
{
   struct mc *mc = (struct mc *)b;
   for (unsigned i = 0; i < mc->num_clients; i++) {
      struct mc_client *c = &mc->clients[i];
      const struct msg_mem_request *r = c->full.on ? sim_peek(c->request, next) : NULL;
      if (r)
         sim_stall_flush(&c->full, b, r->work_id, next);
   }
}

static void
mc_dump(const struct sim_box *b, FILE *f)
{
   const struct mc *mc = (const struct mc *)b;
   fprintf(f, "   %u requests wait for a channel\n", mc->queued);
   for (unsigned i = 0; i < mc->num_clients; i++) {
      const struct mc_client *c = &mc->clients[i];
      for (unsigned ch = 0; ch < mc->num_channels; ch++) {
         if (c->head[ch] == MC_NONE)
            continue;
         const struct msg_channel *m = &c->entries[c->head[ch]].m;
         fprintf(f,
                 "   %s, channel %u: oldest is a %s of %u bytes at 0x%x, work id %u, since tick "
                 "%llu\n",
                 c->request->sender->name, ch, m->request.write ? "write" : "read", m->request.size,
                 m->request.address, m->request.work_id, (unsigned long long)m->accepted);
      }
   }
}

const struct sim_box_class mc_class = {
    .size = sizeof(struct mc),
    .domain = SIM_DOMAIN_GPU,
    .init = mc_init,
    .clock = mc_clock,
    .dump = mc_dump,
    .fini = mc_fini,
    .flush_counters = mc_flush_counters,
    SIM_BOX_CLASS(mc),
};
