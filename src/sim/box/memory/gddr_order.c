/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Orders of banks of a GDDR channel (V2BankSelectionPolicy). A policy compares two banks that have
 * waiting transactions; the lower number wins when all policies of the list see a tie. */
#include "box/memory/gddr.h"

static const struct msg_transaction *
gddr_order_front(const struct gddr *g, unsigned bank)
{
   return &g->entries[g->front.entry[bank]].m;
}

static uint64_t
gddr_order_age(const struct gddr *g, unsigned bank)
{
   return g->entries[g->front.entry[bank]].arrived;
}

/* Counts the bank's transactions for the row of its first one. */
static uint32_t
gddr_order_hits(const struct gddr *g, unsigned bank)
{
   uint32_t n = 0, row = gddr_order_front(g, bank)->row;
   for (uint16_t e = g->front.entry[bank]; e != GDDR_NONE; e = g->entries[e].next)
      n += g->entries[e].m.row == row && g->entries[e].m.bank == bank;
   return n;
}

static int
gddr_order_less(uint64_t a, uint64_t b)
{
   return a < b ? -1 : a > b;
}

static int
gddr_order_bank_OLDEST_FIRST(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(gddr_order_age(g, a), gddr_order_age(g, b));
}

static int
gddr_order_bank_YOUNGEST_FIRST(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(gddr_order_age(g, b), gddr_order_age(g, a));
}

/* The turn advances with every transaction. (In the release of 2015 it advances with every
 * comparison, several times a cycle.) */
static int
gddr_order_bank_ROUND_ROBIN(const struct gddr *g, unsigned a, unsigned b)
{
   const unsigned n = g->num_banks, turn = g->turn % n;
   return gddr_order_less((a + n - turn) % n, (b + n - turn) % n);
}

/* The generator of the weights advances with every transaction (in the release of 2015 it is the
 * time of day). */
static int
gddr_order_bank_RANDOM(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less((g->random ^ a * 0x9e3779b9u) * 0x85ebca6bu,
                          (g->random ^ b * 0x9e3779b9u) * 0x85ebca6bu);
}

static int
gddr_order_bank_MORE_CONSECUTIVE_HITS(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(gddr_order_hits(g, b), gddr_order_hits(g, a));
}

static int
gddr_order_bank_LESS_CONSECUTIVE_HITS(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(gddr_order_hits(g, a), gddr_order_hits(g, b));
}

static int
gddr_order_bank_MORE_PENDING_REQUESTS(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(g->bank_waiting[b], g->bank_waiting[a]);
}

static int
gddr_order_bank_LESS_PENDING_REQUESTS(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(g->bank_waiting[a], g->bank_waiting[b]);
}

/* Banks without transactions come first. All banks that are compared have transactions, so the next
 * policy of the list decides. */
static int
gddr_order_bank_ZERO_PENDING_FIRST(const struct gddr *g, unsigned a, unsigned b)
{
   return gddr_order_less(g->bank_waiting[a] != 0, g->bank_waiting[b] != 0);
}

static int (*const compare[])(const struct gddr *g, unsigned a, unsigned b) = {
#define N(name) gddr_order_bank_##name,
    SIM_BANK_POLICIES(N)
#undef N
};

unsigned
gddr_first_bank(const struct gddr *g, uint32_t mask)
{
   unsigned best = (unsigned)__builtin_ctz(mask);
   for (mask &= mask - 1; mask; mask &= mask - 1) {
      unsigned i = (unsigned)__builtin_ctz(mask);
      for (unsigned p = 0; p < g->num_policies; p++) {
         int order = compare[g->policies[p]](g, i, best);
         if (order < 0)
            best = i;
         if (order)
            break;
      }
   }
   return best;
}
