/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A GDDR channel with banks, and what its interchangeable parts see of it: schedulers (which
 * transaction is next), orders of banks, and when to change between reading and writing. Each part
 * is a table of functions, named in a list at the end of this file and chosen by the configuration.
 */
#ifndef GDDR_H
#define GDDR_H

#include "box/memory/gddr_rules.h"
#include "box/sim_gpu.h"
#include "config/sim_bank_policy.h"

#define GDDR_NONE UINT16_MAX

/* A transaction that waits in the channel. Lists are linked by index. */
struct gddr_entry {
   struct msg_transaction m;
   uint64_t arrived; /* cycle */
   uint16_t next;    /* of its list */
   uint16_t after;   /* must not pass this one (GDDR_NONE: free to go) */
};

struct gddr_list {
   uint16_t head, tail, count;
};

/* Cycles in which the transaction in progress could not get a command, and why. */
#define GDDR_MAX_WAITS 16
struct gddr_wait {
   uint64_t from, to;
   unsigned why; /* enum gddr_why */
};

struct gddr_switch; /* when to change between reading and writing */

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

   /* Waiting: by the scheduler's lists; free entries. */
   struct gddr_entry *entries;
   uint16_t free;
   struct gddr_list lists[2 * GDDR_MAX_BANKS];
   uint32_t waiting;                 /* transactions */
   uint32_t waiting_mask, open_mask; /* bit per bank: somebody waits, row open */
   uint16_t bank_waiting[GDDR_MAX_BANKS];
   uint32_t turn, random; /* of orders of banks that have a state */
   /* What the scheduler's front of a bank with waiting transactions is, as gddr_look found it: its
    * kind, and whether its row is open. stale: something has changed since. Bits are banks. */
   struct {
      uint32_t stale, writes, hits;
      uint16_t entry[GDDR_MAX_BANKS];
   } front;

   /* The transaction whose commands are being given. */
   struct msg_transaction now;
   bool active;    /* there is one */
   bool accessing; /* its reads or writes are booked: every burst cycles from first to last */
   uint64_t selected, first, last;
   uint16_t data_work_id;                /* of the last data on the pins */
   bool reading;                         /* mode */
   uint32_t consecutive;                 /* transactions since it changed */
   bool last_was_access[GDDR_MAX_BANKS]; /* no activate since the last read or write */
   bool last_read;                       /* the transaction before was one */

   /* Statistics that count cycles (box/memory/gddr_stats.c). */
   struct {
      uint64_t commands, pins, precharged; /* counted before this cycle */
      uint64_t ended;                      /* the last data */
      uint64_t given;                      /* the last command of the transaction in progress */
      unsigned num;
      struct gddr_wait wait[GDDR_MAX_WAITS]; /* of the transaction in progress */
   } count;

   uint64_t refresh_at; /* due; UINT64_MAX: no refresh */
};

/* Which transaction is next. */
struct gddr_scheduler {
   const char *doc;
   bool per_bank, read_write; /* queues it has: the controller counts what is in each of them */
   bool modes;                /* rows are opened early for the present mode only */
   /* Room for transactions in a queue. */
   uint32_t (*room)(const struct sim_config *config, bool write);
   void (*receive)(struct gddr *g, uint16_t entry);
   /* Takes the next one from its list; GDDR_NONE if nobody waits. */
   uint16_t (*select)(struct gddr *g);
   /* For whom rows are opened and closed early; NULL: nobody. May depend on what waits for the
    * bank, its row and the present mode; a scheduler that changes the mode says that all are stale.
    */
   uint16_t (*front)(const struct gddr *g, unsigned bank);
};

struct gddr_switch {
   bool counts_hits; /* may_open wants them */
   /* Sets g->reading before a transaction is taken; at least one of the first two is true. */
   void (*update)(struct gddr *g, bool reads, bool writes, bool read_hits, bool write_hits);
   /* Whether a row may be opened early for a read (write) when so many reads and writes of other
    * banks hit open rows. */
   bool (*may_open)(const struct gddr *g, bool write, const uint32_t hits[2]);
};

extern const struct gddr_scheduler gddr_fifo, gddr_rw_fifo, gddr_bank_fifo, gddr_bank_rw_fifo,
    gddr_fr_fcfs;
extern const struct gddr_switch gddr_switch_counters, gddr_switch_reads_first;
/* Of V2ChannelScheduler and V2SwitchModePolicy. */
const struct gddr_scheduler *gddr_scheduler_of(const struct sim_config *config);
const struct gddr_switch *gddr_switch_of(const struct sim_config *config);

/* Banks that an early command may be for: not that of the transaction in progress, and somebody
 * waits for the bank or it has a row that is to be closed. */
static inline uint32_t
gddr_early_banks(const struct gddr *g)
{
   const uint32_t banks = g->waiting_mask | (g->close_pages ? g->open_mask : 0);
   return g->active ? banks & ~(1u << g->now.bank) : banks;
}
/* Gives one early command if it may, for some of these banks: closes rows nobody waits for, opens
 * rows for others. Returns the next cycle in which it could give one, UINT64_MAX if none is known
 * (box/memory/gddr_early.c). */
uint64_t gddr_early(struct gddr *g, uint32_t banks, uint64_t c, bool may);
/* Commands of the box: count and obey the rules. */
void gddr_open(struct gddr *g, unsigned bank, uint32_t row, uint16_t work_id, uint64_t c);
void gddr_close(struct gddr *g, unsigned bank, uint16_t work_id, uint64_t c);

/* A queue of the channel as the controller counts it. */
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

/* The row that the transaction needs is open. */
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

/* The bank that comes first of those in the mask (not empty), by V2BankSelectionPolicy; their
 * fronts are up to date (box/memory/gddr_order.c). */
unsigned gddr_first_bank(const struct gddr *g, uint32_t mask);

#endif
