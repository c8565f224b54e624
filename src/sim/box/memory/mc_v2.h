/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State of the Memory Controller with transactions, which its two files share: requests in
 * (box/memory/mc_v2_request.c), and what becomes of their transactions (box/memory/mc_v2.c).
 */
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
   uint16_t client, work_id, next;
   uint16_t older, newer; /* of those under way */
   uint8_t left;          /* transactions not answered */
   bool compressed;
};

/* All but the last member are one cache line of the host. */
struct mc_client {
   struct sim_signal *request, *response;
   sim_tick bus_free;
   sim_tick answer_at; /* its last bytes are on the bus; SIM_NEVER: none */
   uint32_t width;
   enum mc_kind kind;
   unsigned rop; /* its number, of ROPs */
   uint16_t open, taken,
       of; /* its oldest request: record, transactions taken, and how many it has */
   uint16_t answer;
   bool reserved;         /* for the next answer */
   struct sim_stall full; /* stands still: the request buffer is full */
} __attribute__((aligned(64)));

struct mc_queue {
   uint16_t head, tail;
};

/* What most clocks look at comes first: one cache line of the host. */
struct mc_channel {
   sim_tick send_at; /* no transaction can be sent before, unless something is heard or taken */
   sim_tick sent_at;
   struct sim_signal *out, *taken, *read, *written;
   uint32_t waiting; /* queues that are not empty */
   uint32_t turn;
   uint16_t sent_queue;    /* of the last one sent */
   struct sim_stall stall; /* transactions wait, none is taken */
   uint16_t stalled;       /* work id of the one that would have been, when that began */
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
   uint32_t chunk; /* bytes of a transaction: 64, less where the interleaving is finer */
   uint32_t room[2], burst_bytes; /* of a channel's queue [write] */
   /* Inputs of the box: client i has number i, the channels' taken follow, then read and written of
    * the first channel, of the second, ... */
   struct mc_client clients[MC_MAX_CLIENTS];
   unsigned num_clients, num_channels;
   struct sim_input_range from_clients[MC_MAX_CLIENTS / 64], taken, done_in;
   struct mc_channel channels[SIM_MAX_CHANNELS];
   uint64_t waiting; /* bit per channel: transactions wait for it */
   /* Bit per read and written, in their order: the oldest access is not complete before done_at;
    * none is before hear_at. */
   uint64_t incomplete;
   sim_tick hear_at, done_at[2 * SIM_MAX_CHANNELS];

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
   /* Bit per client: its answer waits for its last bytes. */
   uint64_t late[MC_MAX_CLIENTS / 64];
   uint32_t num_late;
   uint16_t acks_head, acks_tail; /* writes to be confirmed; linked requests */
   uint16_t oldest, newest;       /* requests under way */
   uint16_t oldest_work_id;       /* whom the controller's time is counted for; 0: no request */
   sim_tick write_ticks;          /* from a write's last command to the end of its data */

   /* Statistics that count cycles: before these ticks they are counted. */
   sim_tick counted, flushed;
   uint16_t work_id; /* moved last */
   bool shut;        /* the request buffer takes nothing since shut_at */
   sim_tick shut_at;
   uint64_t shut_cycles, bus_cycles[MC_NUM_KINDS]; /* without accepting: anything, writes */
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

/* Cycles of the client's bus that so many bytes take, in ticks. */
static inline sim_tick
mc_v2_bus_ticks(const struct mc_v2 *mc, const struct mc_client *c, uint32_t bytes)
{
   return bytes <= c->width ? mc->box.period : (bytes + c->width - 1) / c->width * mc->box.period;
}

/* Takes a client's next transaction into the request buffer. Returns when it may take another one;
 * SIM_NEVER if somebody else's progress decides. */
sim_tick mc_v2_accept(struct mc_v2 *mc, unsigned client, sim_tick now);
/* The client has its answer. */
void mc_v2_close_request(struct mc_v2 *mc, uint16_t request);

#endif
