/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The rules of a GDDR channel: the earliest cycle of the memory clock for each kind of command, per
 * bank (closed, or with an open row) and for the channel, and what each command forbids. A query
 * costs one comparison. Not here: which commands are given (gddr.c). */
#ifndef GDDR_RULES_H
#define GDDR_RULES_H

#include "config/sim_gddr_timing.h"

#define GDDR_MAX_BANKS 16
#define GDDR_CLOSED UINT32_MAX /* no row */

struct gddr_bank_rules {
   uint32_t row;
   uint64_t activate, access, precharge; /* earliest cycles; access: read or write */
   uint64_t quiet;                       /* when its data has crossed the pins */
   uint64_t recovered;                   /* tWR after a write */
};

/* Earliest cycles in a bank group; pins: without turnaround. */
struct gddr_group_rules {
   uint64_t activate, pins, read;
};

struct gddr_rules {
   struct sim_gddr_timing t;
   struct gddr_bank_rules bank[GDDR_MAX_BANKS];
   struct gddr_group_rules group[GDDR_MAX_BANKS];
   bool grouped;                   /* there are rules for groups */
   uint64_t activate, read, write; /* earliest cycles for any bank */
   /* The same as far as the pins alone matter, without turnaround. */
   uint64_t read_pins, write_pins;
   uint64_t last_activates[4]; /* tFAW: ring */
   uint32_t num_activates;
   uint64_t data_end; /* when the pins are free */
};

static inline void
gddr_rules_init(struct gddr_rules *r, const struct sim_gddr_timing *t)
{
   *r = (struct gddr_rules){.t = *t, .grouped = t->t_ccdl || t->t_rrdl || t->t_wtrl};
   for (unsigned i = 0; i < GDDR_MAX_BANKS; i++)
      r->bank[i].row = GDDR_CLOSED;
}

static inline uint64_t
gddr_later(uint64_t a, uint64_t b)
{
   return a > b ? a : b;
}

/* a - b, not below 0. */
static inline uint64_t
gddr_before(uint64_t a, uint64_t b)
{
   return a > b ? a - b : 0;
}

static inline unsigned
gddr_group_of(const struct gddr_rules *r, unsigned bank)
{
   return bank & (r->t.groups - 1);
}

/* --- Earliest cycles --- */

static inline uint64_t
gddr_activate_at(const struct gddr_rules *r, unsigned bank)
{
   uint64_t at = gddr_later(r->bank[bank].activate, r->activate);
   if (r->t.t_faw && r->num_activates >= 4)
      at = gddr_later(at, r->last_activates[r->num_activates % 4] + r->t.t_faw);
   return r->grouped ? gddr_later(at, r->group[gddr_group_of(r, bank)].activate) : at;
}

static inline uint64_t
gddr_access_at(const struct gddr_rules *r, unsigned bank, bool write)
{
   const uint64_t at = gddr_later(r->bank[bank].access, write ? r->write : r->read);
   if (!r->grouped)
      return at;
   const struct gddr_group_rules *g = &r->group[gddr_group_of(r, bank)];
   return gddr_later(at, write ? g->pins : gddr_later(g->pins, g->read));
}

static inline uint64_t
gddr_precharge_at(const struct gddr_rules *r, unsigned bank)
{
   return r->bank[bank].precharge;
}

/* --- A command in cycle c --- */

static inline void
gddr_activate(struct gddr_rules *r, unsigned bank, uint32_t row, uint64_t c)
{
   struct gddr_bank_rules *b = &r->bank[bank];
   b->row = row;
   b->access = c + r->t.t_rcd;
   b->precharge = c + gddr_later(r->t.t_rcd, r->t.t_ras);
   b->quiet = b->access;
   r->activate = c + r->t.t_rrd;
   r->group[gddr_group_of(r, bank)].activate = c + r->t.t_rrdl;
   r->last_activates[r->num_activates++ % 4] = c;
}

/* Data starts CAS cycles later. A precharge may come tRTP cycles after the command; without that
 * rule it may come tRP cycles before the data's end (as in the release of 2015). The data of a
 * write may come tRTW cycles after the end of this data. */
static inline void
gddr_read(struct gddr_rules *r, unsigned bank, uint64_t c)
{
   struct gddr_bank_rules *b = &r->bank[bank];
   const uint64_t end = c + r->t.t_cas + r->t.burst;
   b->precharge =
       gddr_later(b->precharge, r->t.t_rtp ? c + r->t.t_rtp : gddr_before(end, r->t.t_rp));
   b->quiet = end;
   r->group[gddr_group_of(r, bank)].pins = c + r->t.t_ccdl;
   r->read_pins = gddr_later(r->read_pins, c + r->t.burst);
   r->write_pins = gddr_later(r->write_pins, gddr_before(end, r->t.t_wl));
   r->read = gddr_later(r->read, c + r->t.burst);
   r->write = gddr_later(r->write, gddr_before(end + r->t.t_rtw, r->t.t_wl));
   r->data_end = end;
}

static inline void
gddr_write(struct gddr_rules *r, unsigned bank, uint64_t c)
{
   struct gddr_bank_rules *b = &r->bank[bank];
   const uint64_t end = c + r->t.t_wl + r->t.burst;
   b->recovered = end + r->t.t_wr;
   b->precharge = gddr_later(b->precharge, b->recovered);
   b->quiet = end;
   r->group[gddr_group_of(r, bank)].pins = c + r->t.t_ccdl;
   r->group[gddr_group_of(r, bank)].read = end + r->t.t_wtrl;
   r->write_pins = gddr_later(r->write_pins, c + r->t.burst);
   r->read_pins = gddr_later(r->read_pins, end);
   r->write = gddr_later(r->write, c + r->t.burst);
   r->read = gddr_later(r->read, end + r->t.t_wtr);
   r->data_end = end;
}

static inline void
gddr_precharge(struct gddr_rules *r, unsigned bank, uint64_t c)
{
   struct gddr_bank_rules *b = &r->bank[bank];
   b->row = GDDR_CLOSED;
   b->activate = gddr_later(b->activate, c + r->t.t_rp);
}

/* Keeps all banks, which are closed, closed for tRFC. */
static inline void
gddr_refresh(struct gddr_rules *r, uint64_t c)
{
   r->activate = gddr_later(r->activate, c + r->t.t_rfc);
}

/* Keeps one bank, which is closed, closed for tRFC. */
static inline void
gddr_refresh_one(struct gddr_rules *r, unsigned bank, uint64_t c)
{
   r->bank[bank].activate = gddr_later(r->bank[bank].activate, c + r->t.t_rfc);
}

#endif
