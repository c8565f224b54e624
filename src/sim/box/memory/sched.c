/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GDDR channel of the simple memory controller (Sched, ISPASS 2006 section 2.2): serves requests in
 * order, as 64-byte transactions that occupy the data pins for 64 / V2BurstBytesPerCycle cycles.
 * Opening a page (the least recently used one closes) takes PageOpenLatency, during the data of the
 * request before; a change of direction leaves a gap on the pins. Data moves in GPU memory when a
 * request's last byte has crossed the pins. Not modelled: banks, their commands, refresh,
 * reordering (gddr.c).
 * Without an L2 the channel does atomic operations: the word is read, changed and written, so the
 * pins move 64 bytes, turn round, and move 64 bytes. */
#include "box/sim_gpu.h"
#include "emul/shader/emul_atomic.h"

SIM_BOX_STATS(sched)

#define SCHED_TRANSACTION 64
#define SCHED_IN_FLIGHT                                                                           \
   64 /* commands issued whose data is not complete; power of 2, more than the latencies can fill \
       */
#define SCHED_MAX_PAGES 64

struct sched_flight {
   struct msg_channel m;
   sim_tick done;
};

struct sched {
   struct sim_box box;
   struct sched_stats *stat; /* [work_id] */
   struct sim_signal *in, *out;
   /* In ticks. */
   sim_tick page_open, latency[2], turnaround[2]; /* [write] */
   unsigned interleave_shift, channels, page_shift, max_pages;
   uint32_t burst_bytes;
   /* Open pages, most recently used first. */
   uint32_t pages[SCHED_MAX_PAGES];
   unsigned num_pages;
   /* Oldest request. */
   bool prepared, waited_page;
   sim_tick page_ready;
   /* Data pins. */
   sim_tick pins_free;
   uint16_t data_work_id; /* of the last data on them */
   bool last_write, pins_used;
   sim_tick idle_since; /* SIM_NEVER: busy */
   struct sched_flight flight[SCHED_IN_FLIGHT];
   uint32_t flight_head, flight_tail;
};

static void
sched_init(struct sim_box *b)
{
   struct sched *s = (struct sched *)b;
   const struct sim_config *c = &b->gpu->config;
   s->in = c->l2.on ? &b->gpu->net.l2_sched[b->instance] : &b->gpu->net.mc_sched[b->instance];
   s->out = c->l2.on ? &b->gpu->net.sched_l2[b->instance] : &b->gpu->net.sched_mc[b->instance];
   s->page_open = c->mc.page_open_latency * b->period;
   s->latency[0] = c->mc.read_latency * b->period;
   s->latency[1] = c->mc.write_latency * b->period;
   s->turnaround[0] = c->mc.write_to_read * b->period;
   s->turnaround[1] = c->mc.read_to_write * b->period;
   s->interleave_shift = (unsigned)__builtin_ctz(c->mc.interleave);
   s->channels = c->mc.channels;
   s->page_shift = (unsigned)__builtin_ctz(c->mc.page_size);
   s->max_pages = c->mc.open_pages;
   s->burst_bytes = c->mc.burst_bytes;
   s->idle_since = b->kernel->now;
}

/* Returns the page of an address within the channel. */
static inline uint32_t
sched_page_of(const struct sched *s, uint32_t address)
{
   uint32_t low = address & ((1u << s->interleave_shift) - 1);
   uint32_t high = (address >> s->interleave_shift) / s->channels;
   return (high << s->interleave_shift | low) >> s->page_shift;
}

/* Makes the page the most recently used one; returns whether it was open. */
static bool
sched_touch_page(struct sched *s, uint32_t page, struct sched_stats *stat)
{
   unsigned i = 0;
   while (i < s->num_pages && s->pages[i] != page)
      i++;
   bool hit = i < s->num_pages;
   if (!hit) {
      stat->active_commands++;
      if (s->num_pages < s->max_pages) {
         s->num_pages++;
      } else {
         stat->precharge_commands++;
         i = s->num_pages - 1;
      }
   }
   memmove(s->pages + 1, s->pages, i * sizeof(s->pages[0]));
   s->pages[0] = page;
   return hit;
}

static void
sched_prepare(struct sched *s, const struct msg_mem_request *r, sim_tick now)
{
   struct sched_stats *stat = &s->stat[r->work_id];
   bool hit = sched_touch_page(s, sched_page_of(s, r->address), stat);
   s->prepared = true;
   s->page_ready = hit ? now : now + s->page_open;
   if (hit) {
      stat->row_hit++;
      *(r->write ? &stat->write_row_hit : &stat->read_row_hit) += 1;
   } else {
      stat->row_miss++;
      *(r->write ? &stat->write_row_miss : &stat->read_row_miss) += 1;
   }
}

/* Returns the earliest tick for the request's command: its page is open and its data finds the pins
 * free. pins receives the part that does not depend on the page. */
static inline sim_tick
sched_command_tick(const struct sched *s, const struct msg_mem_request *r, sim_tick *pins)
{
   sim_tick start = s->pins_free;
   if (s->pins_used && s->last_write != r->write)
      start += s->turnaround[r->write];
   *pins = start > s->latency[r->write] ? start - s->latency[r->write] : 0;
   return *pins > s->page_ready ? *pins : s->page_ready;
}

/* Writes the word of an atomic operation back, behind its read. */
static void
sched_write_word(struct sched *s, struct sched_stats *stat, uint32_t bytes)
{
   const uint32_t cycles = bytes / s->burst_bytes;
   stat->switches++;
   stat->read_to_write += s->turnaround[1] / s->box.period;
   stat->data_bytes += bytes;
   stat->data_cycles += cycles;
   stat->write_commands++;
   stat->write_bytes += 4;
   stat->write_data_bytes += bytes;
   stat->write_data_cycles += cycles;
   s->pins_free += s->turnaround[1] + cycles * s->box.period;
   s->last_write = true;
}

static void
sched_issue(struct sched *s, const struct msg_channel *m, sim_tick pins, sim_tick now)
{
   const struct msg_mem_request *r = &m->request;
   struct sched_stats *stat = &s->stat[r->work_id];
   uint32_t wire = r->wire_bytes ? r->wire_bytes : r->size;
   uint32_t bytes = (wire + SCHED_TRANSACTION - 1) / SCHED_TRANSACTION * SCHED_TRANSACTION;
   uint32_t cycles = bytes / s->burst_bytes;
   sim_tick period = s->box.period;
   bool switched = s->pins_used && s->last_write != r->write;
   /* Counts what opening the page costs beyond the wait for the pins. */
   if (s->page_ready > pins) {
      sim_tick idle_pins =
          s->page_ready - pins < s->page_open ? s->page_ready - pins : s->page_open;
      *(r->write ? &stat->act_to_write : &stat->act_to_read) +=
          s->waited_page ? idle_pins / period : 0;
   }
   if (switched) {
      stat->switches++;
      *(r->write ? &stat->read_to_write : &stat->write_to_read) += s->turnaround[r->write] / period;
   }
   stat->data_bytes += bytes;
   stat->data_cycles += cycles;
   if (r->write) {
      stat->write_commands++;
      stat->write_bytes += r->size;
      stat->write_data_bytes += bytes;
      stat->write_data_cycles += cycles;
   } else {
      stat->read_commands++;
      stat->read_bytes += r->size;
      stat->read_data_bytes += bytes;
      stat->read_data_cycles += cycles;
   }
   s->pins_free = now + s->latency[r->write] + cycles * period;
   s->pins_used = true;
   s->last_write = r->write;
   if (r->atomic)
      sched_write_word(s, stat, bytes);
   s->prepared = s->waited_page = false;
   s->data_work_id = r->work_id;
   s->flight[s->flight_tail++ % SCHED_IN_FLIGHT] =
       (struct sched_flight){.m = *m, .done = s->pins_free};
   sim_pop(s->in, now);
}

/* Moves the data of the oldest request that is due, and answers. */
static void
sched_complete(struct sched *s, sim_tick now)
{
   struct sched_flight *f = &s->flight[s->flight_head % SCHED_IN_FLIGHT];
   if (s->flight_head == s->flight_tail || f->done > now || !sim_can_send(s->out, now))
      return;
   struct sim_gpu *gpu = s->box.gpu;
   const struct msg_mem_request *r = &f->m.request;
   if ((uint64_t)r->address + r->size > sim_device_memory_end(gpu->device)) {
      sim_error(&s->box, "%u bytes at 0x%x are outside memory", r->size, r->address);
      return;
   }
   if (!r->data || r->timed)
      ; /* the L2 has moved it, or nothing moves */
   else if (r->atomic)
      emul_atomic_execute((enum attila_atomic)r->atomic, gpu->device->memory + r->address, r->data);
   else if (r->write)
      memcpy(gpu->device->memory + r->address, r->data, r->size);
   else
      memcpy(r->data, gpu->device->memory + r->address, r->size);
   sim_send(s->out, now, &f->m);
   s->flight_head++;
}

static void
sched_count_idle(struct sched *s, sim_tick until)
{
   if (s->idle_since < until) {
      s->stat[0].idle_cycles += (until - s->idle_since) / s->box.period;
      s->idle_since = until;
   }
}

static void
sched_flush_counters(struct sim_box *b, sim_tick next)
{
   sched_count_idle((struct sched *)b, next);
}

static sim_tick
sched_clock(struct sim_box *b, sim_tick now)
{
   struct sched *s = (struct sched *)b;
   sim_tick next = SIM_NEVER, pins;
   sched_complete(s, now);
   const struct msg_channel *m = sim_peek(s->in, now);
   if (m && s->idle_since != SIM_NEVER) {
      sched_count_idle(s, now);
      s->idle_since = SIM_NEVER;
   }
   if (m && s->flight_tail - s->flight_head < SCHED_IN_FLIGHT) {
      if (!s->prepared)
         sched_prepare(s, &m->request, now);
      sim_tick t = sched_command_tick(s, &m->request, &pins);
      if (t <= now) {
         sched_issue(s, m, pins, now);
         if (sim_peek(s->in, now))
            next = now + b->period;
      } else {
         s->waited_page = s->waited_page || s->page_ready > now;
         next = t;
      }
   }
   if (s->flight_head != s->flight_tail) {
      sim_tick done = s->flight[s->flight_head % SCHED_IN_FLIGHT].done;
      /* Done but not sent: if only bandwidth was missing, try in the next cycle; else the credit
       * wakes the box. */
      if (done <= now)
         done = now + b->period;
      next = done < next ? done : next;
   } else if (!m && s->idle_since == SIM_NEVER) {
      s->idle_since = now;
   }
   if (s->pins_free > now)
      sim_busy_until(b, s->data_work_id, s->pins_free);
   m = sim_peek(s->in, now);
   if (m)
      sim_blocked(b, m->request.work_id);
   else if (s->flight_head != s->flight_tail)
      sim_blocked(b, s->flight[s->flight_head % SCHED_IN_FLIGHT].m.request.work_id);
   return next;
}

static void
sched_dump(const struct sim_box *b, FILE *f)
{
   const struct sched *s = (const struct sched *)b;
   fprintf(f, "   %u requests on the pins, free from tick %llu, %u pages open\n",
           s->flight_tail - s->flight_head, (unsigned long long)s->pins_free, s->num_pages);
}

const struct sim_box_class sched_class = {
    .size = sizeof(struct sched),
    .domain = SIM_DOMAIN_MEMORY,
    .init = sched_init,
    .clock = sched_clock,
    .dump = sched_dump,
    .flush_counters = sched_flush_counters,
    SIM_BOX_CLASS(sched),
};
