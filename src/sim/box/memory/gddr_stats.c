/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Counts of a GDDR channel with banks (gddr_stats.h). The state after a clock holds until the next
 * clock, so the cycles between are counted at once; the rules' cycles give the reason why a command
 * waits. As in the release of 2015 there are two views. On the command bus, no transaction is in
 * progress, or it gives a command, or its next one waits for a reason (ctrl..., act2act...). The
 * data pins move data, or wait for the latency of a command, or for a rule that delays the next one
 * (WastedCycles_...), or are idle. While data moves, a rule that delays the next access delays the
 * pins one access latency later. */
#include "box/memory/gddr_stats.h"

static uint64_t
gddr_stats_overlap(uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
   const uint64_t from = gddr_later(a, c), to = b < d ? b : d;
   return to > from ? to - from : 0;
}

/* The statistic of the pins for a reason. */
static uint64_t *
gddr_stats_wasted(struct gddr_stats *s, unsigned why)
{
   static const uint8_t stat[GDDR_NUM_WHYS] = {
       [GDDR_ACT_TO_ACT] = SIM_STAT(gddr, w_act2act),
       [GDDR_ACT_TO_PRE] = SIM_STAT(gddr, w_act2pre),
       [GDDR_ACT_TO_READ] = SIM_STAT(gddr, w_act2read),
       [GDDR_ACT_TO_WRITE] = SIM_STAT(gddr, w_act2write),
       [GDDR_PRE_TO_ACT] = SIM_STAT(gddr, w_pre2act),
       [GDDR_READ_TO_PRE] = SIM_STAT(gddr, w_read2pre),
       [GDDR_READ_TO_WRITE] = SIM_STAT(gddr, w_read2write),
       [GDDR_WRITE_TO_PRE] = SIM_STAT(gddr, w_write2pre),
       [GDDR_WRITE_TO_READ] = SIM_STAT(gddr, w_write2read),
   };
   return (uint64_t *)s + stat[why];
}

/* --- The data pins --- */

/* Counts the pins' cycles before c, after the last data, in which no access was under way. */
static void
gddr_stats_count_pins(struct gddr *g, uint64_t c)
{
   const uint64_t from = g->count.pins;
   if (c <= from)
      return;
   struct gddr_stats *s = &g->stat[g->active ? g->now.work_id : 0];
   uint64_t idle = c - from;
   for (unsigned i = 0; i < g->count.num; i++) {
      const struct gddr_wait *w = &g->count.wait[i];
      const uint64_t n = gddr_stats_overlap(w->from, w->to, from, c);
      *gddr_stats_wasted(s, w->why) += n;
      idle -= n;
   }
   s->pins_idle += idle;
   g->count.pins = c;
}

/* Counts the cycles from the last data to the data of the access that begins now. */
static void
gddr_stats_count_latency(struct gddr *g, const struct msg_transaction *m, uint64_t data)
{
   gddr_stats_count_pins(g, g->first);
   const uint64_t from = g->count.pins;
   if (data > from) {
      struct gddr_stats *s = &g->stat[m->work_id];
      const uint64_t latency = data - g->first;
      uint64_t left = data - from;
      for (unsigned i = 0; i < g->count.num; i++) {
         const struct gddr_wait *w = &g->count.wait[i];
         const uint64_t to = w->to < g->count.ended ? w->to : g->count.ended;
         if (w->from >= to || (w->why != GDDR_READ_TO_WRITE && w->why != GDDR_ACT_TO_WRITE &&
                               w->why != GDDR_ACT_TO_READ))
            continue;
         const uint64_t n = gddr_stats_overlap(w->from + latency, to + latency, from, data);
         *gddr_stats_wasted(s, w->why) += n;
         left -= n;
      }
      *(m->write ? &s->wl : &s->cas) += left;
   }
   g->count.pins = g->count.ended = g->rules.data_end;
}

/* --- The command bus --- */

static void
gddr_stats_keep_wait(struct gddr *g, unsigned why, uint64_t from, uint64_t to)
{
   struct gddr_wait *last = g->count.num ? &g->count.wait[g->count.num - 1] : NULL;
   if (last && last->why == why && last->to == from)
      last->to = to;
   else if (g->count.num < GDDR_MAX_WAITS)
      g->count.wait[g->count.num++] = (struct gddr_wait){.from = from, .to = to, .why = why};
}

/* Counts the cycles in which the transaction's next command waited. If several reasons hold, the
 * first in the order of the release of 2015 counts. */
static void
gddr_stats_count_waits(struct gddr *g, uint64_t from, uint64_t to)
{
   const struct msg_transaction *m = &g->now;
   const struct gddr_rules *r = &g->rules;
   const struct gddr_bank_rules *b = &r->bank[m->bank];
   const uint64_t group = r->group[gddr_group_of(r, m->bank)].pins;
   struct {
      unsigned why;
      uint64_t until;
   } list[3];
   if (b->row == GDDR_CLOSED) {
      list[0].why = GDDR_PRE_TO_ACT, list[0].until = b->activate;
      list[1].why = GDDR_ACT_TO_ACT, list[1].until = to;
   } else if (b->row != m->row) {
      list[0].why = GDDR_WRITE_TO_PRE, list[0].until = b->recovered;
      list[1].why = GDDR_ACT_TO_PRE, list[1].until = b->access;
      list[2].why = GDDR_READ_TO_PRE, list[2].until = to;
   } else if (m->write) {
      list[0].why = GDDR_PINS, list[0].until = gddr_later(r->write_pins, group);
      list[1].why = GDDR_READ_TO_WRITE, list[1].until = r->write;
      list[2].why = GDDR_ACT_TO_WRITE, list[2].until = to;
   } else {
      list[0].why = GDDR_PINS, list[0].until = gddr_later(r->read_pins, group);
      list[1].why = GDDR_ACT_TO_READ, list[1].until = b->access;
      list[2].why = GDDR_WRITE_TO_READ, list[2].until = to;
   }
   for (unsigned i = 0; from < to; i++) {
      const uint64_t end = list[i].until < to ? list[i].until : to;
      if (end <= from)
         continue;
      (&g->stat[m->work_id].act2act)[list[i].why] += end - from;
      if (list[i].why != GDDR_PINS)
         gddr_stats_keep_wait(g, list[i].why, from, end);
      from = end;
   }
}

/* Counts the cycles of a booked access: in each a command is given, or the pins or tCCDL delay the
 * next one. After the last command nothing is in progress. */
static void
gddr_stats_count_booked(struct gddr *g, uint64_t from, uint64_t to)
{
   const uint64_t end = to < g->last + 1 ? to : g->last + 1;
   const uint32_t spacing = g->rules.t.spacing;
   struct gddr_stats *s = &g->stat[g->now.work_id];
   if (from < end) {
      const uint32_t given = ((uint32_t)(end - g->first) + spacing - 1) / spacing -
                             ((uint32_t)(from - g->first) + spacing - 1) / spacing;
      s->ctrl_used += given;
      s->read2read += end - from - given;
      from = end;
   }
   g->stat[0].ctrl_idle += to - from;
}

void
gddr_count_until(struct gddr *g, uint64_t c)
{
   uint64_t from = g->count.commands;
   if (c <= from)
      return;
   g->count.commands = c;
   if (!g->active) {
      g->stat[0].ctrl_idle += c - from;
   } else if (g->accessing) {
      gddr_stats_count_booked(g, from, c);
   } else {
      if (from == g->count.given) {
         /* The cycle of an activate already counts as waiting for the access. */
         if (gddr_hits(g, &g->now))
            gddr_stats_keep_wait(g, g->now.write ? GDDR_ACT_TO_WRITE : GDDR_ACT_TO_READ, from,
                                 from + 1);
         g->stat[g->now.work_id].ctrl_used++;
         from++;
      }
      gddr_stats_count_waits(g, from, c);
   }
}

void
gddr_count_flush(struct gddr *g, uint64_t c)
{
   gddr_count_until(g, c);
   /* The latency of a booked access is counted with the access. */
   if (!g->active || !g->accessing)
      gddr_stats_count_pins(g, c);
   if (!g->open_mask && c > g->count.precharged) {
      g->stat[0].precharged += c - g->count.precharged;
      g->count.precharged = c;
   }
}

/* --- Events --- */

void
gddr_count_open(struct gddr *g, uint16_t work_id, uint64_t c)
{
   g->stat[work_id].active_commands++;
   g->stat[work_id].acts_received++;
   /* The activate's cycle is the last one without a row. */
   if (!g->open_mask && c >= g->count.precharged)
      g->stat[0].precharged += c + 1 - g->count.precharged;
}

void
gddr_count_close(struct gddr *g, uint16_t work_id)
{
   g->stat[work_id].precharge_commands++;
   if (!g->open_mask) {
      g->count.precharged = 0;
      for (unsigned i = 0; i < g->num_banks; i++)
         g->count.precharged = gddr_later(g->count.precharged, g->rules.bank[i].activate);
   }
}

void
gddr_count_take(struct gddr *g, uint64_t c)
{
   gddr_stats_count_pins(g, c); /* no transaction waited until now */
   g->count.num = 0;
   if (g->now.write == g->last_read) {
      g->stat[g->now.work_id].switches++;
      g->last_read = !g->now.write;
   }
}

void
gddr_count_access(struct gddr *g, const struct msg_transaction *m)
{
   struct gddr_stats *s = &g->stat[m->work_id];
   struct gddr_client_stats *client = (struct gddr_client_stats *)s + m->client;
   const uint32_t cycles = m->bursts * g->rules.t.burst;
   const uint32_t bytes = cycles * g->box.gpu->config.mc.burst_bytes;
   const uint32_t miss = !g->last_was_access[m->bank], hit = m->bursts - miss;
   g->last_was_access[m->bank] = true;
   gddr_stats_count_latency(g, m, g->first + (m->write ? g->rules.t.t_wl : g->rules.t.t_cas));
   s->first_access += g->first - g->selected;
   s->data_cycles += cycles;
   s->data_bytes += bytes;
   s->row_hit += hit;
   s->row_miss += miss;
   client->hit += hit;
   client->miss += miss;
   if (m->write) {
      s->write_bytes += bytes;
      s->write_data_bytes += bytes;
      s->write_data_cycles += cycles;
      s->write_commands += m->bursts;
      s->write_row_hit += hit;
      s->write_row_miss += miss;
      client->write_hit += hit;
      client->write_miss += miss;
   } else {
      s->read_bytes += bytes;
      s->read_data_bytes += bytes;
      s->read_data_cycles += cycles;
      s->read_commands += m->bursts;
      s->read_row_hit += hit;
      s->read_row_miss += miss;
      client->read_hit += hit;
      client->read_miss += miss;
   }
}
