/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State of the Memory Controller with transactions, shared by mc_v2_request.c (requests in) and
 * mc_v2.c (what happens to their transactions). */
#ifndef MC_V2_H
#define MC_V2_H

#include "box/memory/gddr.h"
#include "box/memory/mc_clients.h"
#include "box/memory/mc_v2_stats.h"
#include "config/sim_memory_map.h"

#define MC_NONE UINT16_MAX
#define MC_BLOCKS 1024 /* counters of blocks under way */
enum { MC_ANY = 0, MC_COMPRESSED = 2 };
#define MC_QUEUES (2 * GDDR_MAX_BANKS)

/* An entry of the request buffer: a transaction from the client's bus to the end of its access. */
struct mc_entry {
   struct msg_transaction m;
   uint16_t next; /* in its queue, or in the free entries */
   uint16_t request;
   uint8_t bytes;           /* bytes on the client's bus */
   sim_tick arrived, ready; /* ready: when its data is here */
};

/* A transaction that has been read. */
struct mc_service {
   uint16_t request;
   uint8_t bytes;
};

/* A client's request. */
struct mc_request {
   struct msg_mem_response answer;
   sim_tick arrived;
   sim_tick confirm_at; /* write: when its data has crossed the pins */
   uint16_t client, work_id, next;
   uint16_t older, newer; /* requests under way */
   uint8_t left;          /* transactions not answered yet */
   bool compressed;
};

/* All but the last member share one cache line of the host. */
struct mc_client {
   struct sim_signal *request, *response;
   sim_tick bus_free;
   sim_tick answer_at; /* when its last bytes are on the bus; SIM_NEVER: none */
   uint32_t width;
   enum mc_kind kind;
   unsigned rop;             /* its number among ROPs */
   uint16_t open, taken, of; /* its oldest request: record, transactions taken, total */
   uint16_t answer;
   bool reserved;         /* the bus is reserved for the next answer */
   struct sim_stall full; /* stalls since the request buffer is full */
} __attribute__((aligned(64)));

struct mc_queue {
   uint16_t head, tail;
};

/* Members that most clocks look at share the host's first cache line. */
struct mc_channel {
   sim_tick send_at; /* no transaction can be sent before, unless a message arrives */
   sim_tick sent_at;
   struct sim_signal *out, *taken, *read, *written;
   uint32_t waiting; /* bit per queue that is not empty */
   uint32_t turn;
   uint16_t sent_queue;    /* queue of the last one sent */
   struct sim_stall stall; /* transactions wait and none is taken */
   uint16_t stalled;       /* work id of the transaction that stalled first */
   struct mc_queue queue[GDDR_MAX_BANKS];
   uint16_t there[MC_QUEUES]; /* transactions in the channel's queues */
} __attribute__((aligned(64)));

struct mc_v2 {
   struct sim_box box;
   struct mc_v2_stats *stat; /* [work_id] */
   struct sim_memory_map map, second;
   uint64_t second_start; /* UINT64_MAX: none */
   const struct gddr_scheduler *scheduler;
   bool fifo_per_bank, oldest_first, classic; /* V2 keys */
   uint32_t chunk;                /* bytes of a transaction: 64, or the interleaving if finer */
   uint32_t room[2], burst_bytes; /* room of a channel's queue [write] */
   /* Inputs of the box: number i is client i; then come the signals `taken` of the channels; then
    * `read` and `written` of each channel in turn. */
   struct mc_client clients[MC_MAX_CLIENTS];
   unsigned num_clients, num_channels;
   struct sim_input_range from_clients[MC_MAX_CLIENTS / 64], taken, done_in;
   struct mc_channel channels[SIM_MAX_CHANNELS];
   uint64_t waiting; /* bit per channel with waiting transactions */
   /* Bits for the signals read and written, in their order: the oldest access is incomplete before
    * done_at. No access completes before hear_at. */
   uint64_t incomplete;
   sim_tick hear_at, done_at[2 * SIM_MAX_CHANNELS];

   struct mc_entry *entries;
   struct mc_request *requests;
   uint16_t free_entry, free_request;
   uint32_t num_free, reserve;  /* free entries; how many stay free for requests on their way */
   uint32_t writes, max_writes; /* write buffers in use, and available */
   uint32_t rop_share, rop_held[SIM_MAX_ROPS];
   /* Blocks under way: [MC_ANY + write][block], [MC_COMPRESSED + write][block]. NULL: blocks lie in
    * one row. */
   uint16_t *blocks[4];

   /* Complete accesses, and reads that wait for their bus: rings of entries. */
   uint16_t *done;
   struct mc_service *service;
   uint32_t done_head, done_tail, done_before, service_head, service_tail;
   uint32_t ring, service_size, service_ring;
   /* Bit per client whose answer waits for its last bytes. */
   uint64_t late[MC_MAX_CLIENTS / 64];
   uint32_t num_late;
   uint16_t acks_head, acks_tail; /* writes to confirm; linked requests */
   uint16_t oldest, newest;       /* requests under way */
   uint16_t oldest_work_id; /* work id that the controller's time is counted for; 0: no request */
   sim_tick write_ticks;    /* from a write's last command to the end of its data */

   /* Statistics that count cycles; those before these ticks are counted. */
   sim_tick counted, flushed;
   uint16_t work_id; /* of the transaction that moved last */
   bool shut;        /* the request buffer has accepted nothing since shut_at */
   sim_tick shut_at;
   uint64_t shut_cycles, bus_cycles[MC_NUM_KINDS]; /* cycles that accept nothing; no write */
};

static inline sim_tick
mc_v2_sooner(sim_tick a, sim_tick b)
{
   return a < b ? a : b;
}

static inline uint64_t
mc_v2_cycles(const struct mc_v2 *mc, sim_tick ticks)
{
   return __builtin_expect(mc->box.period == 1, 1) ? ticks : ticks / mc->box.period;
}

/* Returns the ticks that this many bytes take on the client's bus. */
static inline sim_tick
mc_v2_bus_ticks(const struct mc_v2 *mc, const struct mc_client *c, uint32_t bytes)
{
   return bytes <= c->width ? mc->box.period : (bytes + c->width - 1) / c->width * mc->box.period;
}

/* Takes a client's next transaction into the request buffer. Returns when it may take another one;
 * SIM_NEVER if that depends on other boxes. */
sim_tick mc_v2_accept(struct mc_v2 *mc, unsigned client, sim_tick now);
/* Puts an entry's transaction into a channel's queue. */
void mc_v2_enqueue(struct mc_v2 *mc, unsigned channel, uint16_t entry);
/* Ends a request whose answer the client has. */
void mc_v2_close_request(struct mc_v2 *mc, uint16_t request);

#endif
