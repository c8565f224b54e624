/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A slice of the L2 cache, shared by its parts: look-ups and answers (l2.c), tags (l2_lines.c), the
 * side of the memory channel (l2_memory.c). The slice keeps no bytes: GPU memory has them, and a
 * request moves its bytes when it is looked up. Requests of a block come to one slice in order, so
 * values do not depend on time. */
#ifndef L2_H
#define L2_H

#include "box/memory/gddr.h"
#include "box/memory/mc_clients.h"
#include "box/replace.h"
#include "box/sim_warming.h"
#include "config/sim_memory_map.h"

SIM_BOX_STATS(l2)

/* Statistics of one kind of clients. */
struct l2_client_stats {
   uint64_t hits, misses;
};
_Static_assert(offsetof(struct l2_stats, fetches) == MC_NUM_KINDS * sizeof(struct l2_client_stats),
               "clients' statistics come first and are alike");

#define L2_NONE UINT16_MAX    /* no request, transfer, wait */
#define L2_NO_LINE UINT32_MAX /* no line; key of a line without contents */
#define L2_REQUEST_LINES 8    /* most lines of a request, and blocks of a line or request */
#define L2_PENDING 256        /* counters of blocks with waiting writes */

/* Values of <Client>Policy. */
enum l2_policy { L2_BYPASS, L2_ALLOCATE, L2_KEEP };

/* A line's state; masks have a bit per sector. */
struct l2_line {
   uint32_t key;                /* line number in memory; L2_NO_LINE: empty */
   uint8_t valid, dirty, asked; /* a dirty sector that is not valid was written in part; asked:
                                 * a read of memory is on its way */
   bool kept;                   /* replaced after all others */
   uint8_t dirty_kind;          /* enum mc_kind of the first writer */
   uint16_t dirty_work_id;      /* its work id, to which the line holds a reference; if dirty */
};

/* A request from its arrival to its answer. */
struct l2_request {
   struct msg_channel m;
   sim_tick arrived;
   uint32_t start, end;   /* bytes of memory on the wire, not looked up yet */
   uint16_t left;         /* fetches that it waits for; 1 more until all is looked up */
   uint16_t older, newer; /* requests in the slice; newer also links free ones */
};

/* A request that waits for a fetch. */
struct l2_wait {
   uint16_t request, next;
};

/* A read or write of the channel within a block (l2.block_shift); numbers below max_misses are
 * reads. */
struct l2_transfer {
   uint64_t order; /* number of the transfer, in the order of requests */
   uint32_t address, row;
   uint32_t line; /* to be filled; L2_NO_LINE: passes by */
   uint16_t bytes, work_id, next;
   uint16_t waits, last_wait; /* requests that wait for it, in order */
   uint8_t sectors, bank, kind;
};

/* Transfers of one kind that wait for the channel, a list per bank. */
struct l2_queue {
   uint16_t head[GDDR_MAX_BANKS], tail[GDDR_MAX_BANKS];
   uint32_t banks;   /* bit per list that is not empty */
   uint32_t waiting; /* transfers */
};

/* An answer that is ready at a tick. */
struct l2_answer {
   sim_tick ready;
   uint16_t request;
};

struct l2 {
   struct sim_box box;
   struct l2_stats *stat; /* [work_id] */
   struct sim_signal *in, *out;
   uint8_t kinds[MC_MAX_CLIENTS]; /* enum mc_kind of each client */
   uint8_t policy[MC_NUM_KINDS];  /* enum l2_policy */
   uint32_t line_shift, sector_shift, line_sectors, port_width;
   sim_tick latency, atomic_ticks;

   /* Lines (l2_lines.c). */
   uint32_t sets, ways;
   struct l2_line *lines; /* [sets][ways] */
   uint16_t *fetch;       /* [sets][ways][line_sectors] the read of an asked sector */
   struct replace replace;

   /* Requests. */
   struct l2_request *requests; /* [max_requests] */
   struct l2_wait *waits;       /* [max_requests * L2_REQUEST_LINES] */
   struct l2_answer *answers;   /* [max_requests] a ring */
   uint32_t max_requests, first_answer, num_answers;
   uint16_t free_request, free_wait, oldest, newest;
   uint16_t open; /* the request that is being looked up */
   sim_tick port_free;
   uint16_t port_work_id;  /* of the request that holds the port until then */
   struct sim_stall stall; /* the open or next request's */

   /* The channel (l2_memory.c). */
   struct sim_signal *to_memory, *from_memory; /* without banks: requests and answers */
   struct sim_signal *taken, *read, *written;  /* with banks, beside to_memory */
   bool banked;
   struct sim_memory_map map;              /* with banks */
   uint32_t block_shift;                   /* log2 of the bytes that a transfer lies within */
   const struct gddr_scheduler *scheduler; /* with banks */
   uint32_t room[2], burst_bytes;          /* of the channel's queues [write]; of a burst */
   uint16_t there[2 * GDDR_MAX_BANKS];     /* transactions in the channel's queues */
   struct l2_transfer *transfers;          /* [max_misses + max_writes] */
   uint32_t max_misses, max_writes, free_misses, free_writes;
   uint16_t free_transfer[2];    /* [write] */
   struct l2_queue queue[2];     /* [write] */
   uint16_t pending[L2_PENDING]; /* waiting writes of blocks, by their lowest bits */
   uint64_t order;
   bool draining; /* writes go before reads */
   /* Written transfers whose data is still on its way to the pins: a ring, with the tick at which
    * it has crossed them. */
   struct l2_answer *settling; /* [max_writes] */
   uint32_t first_settling, num_settling;
   sim_tick write_ticks;
};

/* --- l2.c --- */

/* Called when a fetch that the request waits for has arrived, and when all of the request is looked
 * up. The last call answers. */
void l2_advance(struct l2 *x, uint16_t request, sim_tick ready);

/* --- l2_lines.c --- */

void l2_lines_init(struct l2 *x);
/* A slice has every n-th block of memory, and surfaces begin at round addresses: higher bits
 * spread both over the sets. */
static inline uint32_t
l2_lines_set(const struct l2 *x, uint32_t key)
{
   return (key ^ key >> 4 ^ key >> 9 ^ key >> 15) & (x->sets - 1);
}
/* Returns the line with this key; L2_NO_LINE: none. */
uint32_t l2_lines_find(const struct l2 *x, uint32_t key);
/* Returns the ways of the key's set that may be replaced, and whether one of them is dirty. */
uint64_t l2_lines_free(const struct l2 *x, uint32_t key, bool *dirty);
/* Empties one of these ways, not 0, for the key, and returns its line; what is dirty goes to the
 * write-backs, which have room for a line. */
uint32_t l2_lines_take(struct l2 *x, uint32_t key, uint64_t free, unsigned work_id);
/* Marks sectors as written, and those in `whole` as written completely. */
void l2_lines_write(struct l2 *x, uint32_t line, uint8_t sectors, uint8_t whole, enum mc_kind kind,
                    uint16_t work_id);
/* Empties all lines; memory has their bytes. */
void l2_lines_forget(struct l2 *x);

/* --- l2_warming.c, for struct sim_box_class.warm --- */

void l2_warm(struct sim_box *b, const struct sim_warming *event);

/* --- l2_memory.c --- */

void l2_memory_init(struct l2 *x);
/* Returns the number of transfers that these sectors of a line take. */
unsigned l2_memory_blocks(const struct l2 *x, uint8_t sectors);
/* Reads sectors of a line at start from memory for a request. There is room for that many
 * transfers. line: where the sectors go; L2_NO_LINE: they are not kept. */
void l2_memory_fetch(struct l2 *x, uint16_t request, uint32_t start, uint8_t sectors, uint32_t line,
                     enum mc_kind kind, uint16_t work_id);
/* Lets a request wait for sectors that memory is already reading. */
void l2_memory_join(struct l2 *x, uint16_t request, uint32_t line, uint8_t sectors);
/* Writes sectors of a line at start to memory, for a request that passes by, or L2_NONE. Each
 * transfer holds a reference to the work id. */
void l2_memory_write(struct l2 *x, uint16_t request, uint32_t start, uint8_t sectors,
                     enum mc_kind kind, uint16_t work_id);
/* Takes the channel's messages about completed transfers. Returns when to look again. */
sim_tick l2_memory_hear(struct l2 *x, sim_tick now);
/* Sends the channel a transfer. Returns when to look again. */
sim_tick l2_memory_send(struct l2 *x, sim_tick now);

#endif
