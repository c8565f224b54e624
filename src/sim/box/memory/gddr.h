/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A GDDR channel with banks as its parts see it: schedulers (which transaction is next), orders of
 * banks, and policies that switch between reading and writing. A part is a table of functions,
 * listed at the end of this file and chosen by the configuration. */
#ifndef GDDR_H
#define GDDR_H

#include "box/memory/gddr_rules.h"
#include "box/sim_gpu.h"
#include "config/sim_bank_policy.h"

#define GDDR_NONE UINT16_MAX

/* A transaction that waits in the channel, in lists linked by index. */
struct gddr_entry {
   struct msg_transaction m;
   uint64_t arrived; /* cycle */
   uint16_t next;    /* in its list */
   uint16_t after;   /* entry that this one must not pass; GDDR_NONE: free to go */
};

struct gddr_list {
   uint16_t head, tail, count;
};

/* Cycles in which the transaction in progress got no command, and why. */
#define GDDR_MAX_WAITS 16
struct gddr_wait {
   uint64_t from, to;
   unsigned why; /* enum gddr_why */
};

struct gddr_switch; /* when to switch between reading and writing */

struct gddr {
   struct sim_box box;
   struct gddr_stats *stat; /* [work_id] */
   struct sim_signal *in, *taken, *read_done, *write_done;
   const struct gddr_scheduler *scheduler;
   uint8_t policies[SIM_MAX_BANK_POLICIES]; /* enum sim_bank_policy */
   unsigned num_policies;
   const struct gddr_switch *mode;
   struct gddr_rules rules;
   unsigned num_banks;
   bool close_pages, close_first, open_early, close_early;

   /* Waiting transactions, in the scheduler's lists, and free entries. */
   struct gddr_entry *entries;
   uint16_t free;
   struct gddr_list lists[2 * GDDR_MAX_BANKS];
   uint32_t waiting;                 /* transactions */
   uint32_t waiting_mask, open_mask; /* bit per bank: has waiting transactions; row open */
   uint16_t bank_waiting[GDDR_MAX_BANKS];
   uint32_t turn, random; /* states of the ROUND_ROBIN and RANDOM orders of banks */
   /* Bits are banks: the kind of the scheduler's front of each bank with waiting transactions, and
    * whether its row is open, as gddr_look found them. stale: changed since. */
   struct {
      uint32_t stale, writes, hits;
      uint16_t entry[GDDR_MAX_BANKS];
   } front;

   /* The transaction in progress. */
   struct msg_transaction now;
   bool active;    /* it exists */
   bool accessing; /* its reads or writes are booked, one per burst from cycle first to last */
   uint64_t selected, first, last;
   uint16_t data_work_id;                /* work id of the last data on the pins */
   bool reading;                         /* the mode */
   uint32_t consecutive;                 /* transactions since the last switch */
   bool last_was_access[GDDR_MAX_BANKS]; /* no activate since the last read or write */
   bool last_read;                       /* the transaction before was a read */

   /* Statistics that count cycles (box/memory/gddr_stats.c). */
   struct {
      uint64_t commands, pins, precharged; /* first cycle that is not counted yet */
      uint64_t ended;                      /* end of the last data */
      uint64_t given; /* cycle in which the transaction in progress got its last command */
      unsigned num;
      struct gddr_wait wait[GDDR_MAX_WAITS]; /* waits of the transaction in progress */
   } count;

   uint64_t refresh_at; /* cycle of the next refresh; UINT64_MAX: none */
   uint32_t refreshes;  /* so far; with refresh per bank, this gives the next bank */
};

/* Selects the next transaction. */
struct gddr_scheduler {
   const char *doc;
   bool per_bank, read_write; /* which queues it has; the controller counts their contents */
   bool modes;                /* rows are opened early only for the present mode */
   /* Returns a queue's room in transactions. */
   uint32_t (*room)(const struct sim_config *config, bool write);
   void (*receive)(struct gddr *g, uint16_t entry);
   /* Takes the next entry from its list; GDDR_NONE if none waits. */
   uint16_t (*select)(struct gddr *g);
   /* Returns the entry for which the bank's row is opened or closed early; NULL: no early commands.
    * It may depend on what waits for the bank, its row and the mode; a scheduler that switches
    * modes marks all banks stale. */
   uint16_t (*front)(const struct gddr *g, unsigned bank);
};

struct gddr_switch {
   bool counts_hits; /* may_open needs its argument hits */
   /* Sets g->reading before a transaction is taken; reads, writes or both are true. */
   void (*update)(struct gddr *g, bool reads, bool writes, bool read_hits, bool write_hits);
   /* Returns whether a row may be opened early for a read (write) when this many reads and writes
    * of other banks hit open rows. */
   bool (*may_open)(const struct gddr *g, bool write, const uint32_t hits[2]);
};

extern const struct gddr_scheduler gddr_fifo, gddr_rw_fifo, gddr_bank_fifo, gddr_bank_rw_fifo,
    gddr_fr_fcfs;
extern const struct gddr_switch gddr_switch_counters, gddr_switch_reads_first;
/* Return the parts that V2ChannelScheduler and V2SwitchModePolicy select. */
const struct gddr_scheduler *gddr_scheduler_of(const struct sim_config *config);
const struct gddr_switch *gddr_switch_of(const struct sim_config *config);

/* Returns the banks that an early command may concern: those that have waiting transactions or a
 * row to close, without the bank of the transaction in progress. */
static inline uint32_t
gddr_early_banks(const struct gddr *g)
{
   const uint32_t banks = g->waiting_mask | (g->close_pages ? g->open_mask : 0);
   return g->active ? banks & ~(1u << g->now.bank) : banks;
}
/* Gives an early command to one of these banks if it may: closes unused rows, opens rows for
 * others. Returns the next cycle in which it could give one, UINT64_MAX if unknown
 * (gddr_early.c). */
uint64_t gddr_early(struct gddr *g, uint32_t banks, uint64_t c, bool may);
/* Give commands: count them, and apply the rules. */
void gddr_open(struct gddr *g, unsigned bank, uint32_t row, uint16_t work_id, uint64_t c);
void gddr_close(struct gddr *g, unsigned bank, uint16_t work_id, uint64_t c);

/* Returns the number of a channel's queue as the controller counts it. */
static inline unsigned
gddr_queue_of(const struct gddr_scheduler *s, unsigned bank, bool write)
{
   return (s->per_bank ? bank * 2 : 0) + (s->read_write && write);
}

/* Lists. */
static inline void
gddr_list_init(struct gddr_list *l)
{
   *l = (struct gddr_list){.head = GDDR_NONE, .tail = GDDR_NONE};
}

static inline void
gddr_list_add(struct gddr *g, struct gddr_list *l, uint16_t e)
{
   g->entries[e].next = GDDR_NONE;
   if (l->head == GDDR_NONE)
      l->head = e;
   else
      g->entries[l->tail].next = e;
   l->tail = e;
   l->count++;
}

static inline uint16_t
gddr_list_pop(struct gddr *g, struct gddr_list *l)
{
   uint16_t e = l->head;
   l->head = g->entries[e].next;
   if (l->head == GDDR_NONE)
      l->tail = GDDR_NONE;
   l->count--;
   return e;
}

/* Returns whether the row that the transaction needs is open. */
static inline bool
gddr_hits(const struct gddr *g, const struct msg_transaction *m)
{
   return g->rules.bank[m->bank].row == m->row;
}

/* Brings g->front up to date for banks that have waiting transactions. */
static inline void
gddr_look(struct gddr *g, uint32_t banks)
{
   for (uint32_t left = banks & g->front.stale; left; left &= left - 1) {
      const unsigned i = (unsigned)__builtin_ctz(left);
      const uint16_t e = g->scheduler->front(g, i);
      const uint32_t bit = 1u << i;
      g->front.entry[i] = e;
      g->front.writes = (g->front.writes & ~bit) | (g->entries[e].m.write ? bit : 0);
      g->front.hits = (g->front.hits & ~bit) | (gddr_hits(g, &g->entries[e].m) ? bit : 0);
   }
   g->front.stale &= ~banks;
}

/* Returns the first bank of the mask (not empty) by V2BankSelectionPolicy; their fronts are up to
 * date (gddr_order.c). */
unsigned gddr_first_bank(const struct gddr *g, uint32_t mask);

#endif
