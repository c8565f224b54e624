/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A slice of the shared L2 cache (L2C), between the memory controller and a memory channel, for
 * what all clients read and write there. A request is looked up line by line, one in a cycle, and
 * holds the data port for its bytes. It answers L2.Latency after its last line or its last sector
 * from memory, so a hit may pass an older miss. Sectors that are missing are read from memory, each
 * once; a write takes its line without reading. <Client>Policy says which clients take no line, and
 * whose lines stay longest. Atomic operations take the port for L2.AtomicCycles.
 * Bytes move in GPU memory when a request arrives (l2.h); a compressed request is looked up by the
 * bytes that it has in memory. Not here: tags (l2_lines.c), the channel (l2_memory.c). */
#include "box/memory/l2.h"
#include "emul/shader/emul_atomic.h"

static void
l2_init_requests(struct l2 *x, uint32_t requests)
{
   x->max_requests = requests;
   x->requests = sim_box_alloc(&x->box, requests * sizeof(*x->requests));
   x->answers = sim_box_alloc(&x->box, requests * sizeof(*x->answers));
   for (uint32_t i = 0; i < requests; i++)
      x->requests[i].newer = (uint16_t)(i + 1 < requests ? i + 1 : L2_NONE);
   const uint32_t waits = requests * L2_REQUEST_LINES;
   x->waits = sim_box_alloc(&x->box, waits * sizeof(*x->waits));
   for (uint32_t i = 0; i < waits; i++)
      x->waits[i].next = (uint16_t)(i + 1 < waits ? i + 1 : L2_NONE);
   x->open = x->oldest = x->newest = L2_NONE;
}

static void
l2_init(struct sim_box *b)
{
   struct l2 *x = (struct l2 *)b;
   const struct sim_config *c = &b->gpu->config;
   x->in = &b->gpu->net.mc_l2[b->instance];
   x->out = &b->gpu->net.l2_mc[b->instance];
   mc_kinds(c, x->kinds);
#define K(unused, member, name) x->policy[MC_##member] = (uint8_t)c->l2.member##_policy;
   SIM_MC_CLIENTS(K, )
#undef K
   x->line_shift = (uint32_t)__builtin_ctz(c->l2.line_size);
   x->sector_shift = (uint32_t)__builtin_ctz(c->l2.sector_size);
   x->line_sectors = c->l2.line_size / c->l2.sector_size;
   x->port_width = c->l2.port_width;
   x->latency = c->l2.latency * b->period;
   x->atomic_ticks = c->l2.atomic_cycles * b->period;
   l2_init_requests(x, c->l2.requests);
   l2_lines_init(x);
   l2_memory_init(x);
}

/* --- Requests --- */

/* Moves the request's bytes in memory. */
static void
l2_move_data(struct l2 *x, const struct msg_mem_request *r)
{
   uint8_t *at = x->box.gpu->device->memory + r->address;
   if (r->timed) {
      ; /* nothing moves */
   } else if (r->atomic) {
      emul_atomic_execute((enum attila_atomic)r->atomic, at, r->data);
   } else if (r->write) {
      memcpy(at, r->data, r->size);
   } else {
      memcpy(r->data, at, r->size);
   }
}

/* Takes the next request to look it up. Returns whether there is one, and room for it. */
static bool
l2_take_request(struct l2 *x, sim_tick now)
{
   const struct msg_channel *m = sim_peek(x->in, now);
   if (!m)
      return false;
   if (x->free_request == L2_NONE) {
      sim_stall_begin(&x->stall, SIM_STAT(l2, stall_requests), now);
      return false;
   }
   sim_stall_end(&x->stall, &x->box, m->request.work_id, now);
   const uint32_t address = m->request.address, bytes = mc_wire_bytes(&m->request);
   /* If the bytes do not fit into the block behind the address, they begin where the block does
    * (mc_v2_request.c). */
   const uint32_t start = (address & 255) + bytes > 256 ? address & ~255u : address;
   struct l2_request *r = &x->requests[x->free_request];
   x->open = x->free_request;
   x->free_request = r->newer;
   *r = (struct l2_request){.m = *m,
                            .arrived = now,
                            .start = start,
                            .end = start + bytes,
                            .left = 1,
                            .older = x->newest,
                            .newer = L2_NONE};
   *(x->newest == L2_NONE ? &x->oldest : &x->requests[x->newest].newer) = x->open;
   x->newest = x->open;
   l2_move_data(x, &r->m.request);
   sim_pop(x->in, now);
   return true;
}

void
l2_advance(struct l2 *x, uint16_t request, sim_tick ready)
{
   if (--x->requests[request].left)
      return;
   const uint32_t at = x->first_answer + x->num_answers++;
   x->answers[at < x->max_requests ? at : at - x->max_requests] =
       (struct l2_answer){.ready = ready, .request = request};
}

/* Sends the oldest answer that is ready. Returns when to look again. */
static sim_tick
l2_answer(struct l2 *x, sim_tick now)
{
   const struct l2_answer *a = &x->answers[x->first_answer];
   if (!x->num_answers)
      return SIM_NEVER;
   if (a->ready > now)
      return a->ready;
   if (!sim_can_send(x->out, now))
      return SIM_NEVER;
   struct l2_request *r = &x->requests[a->request];
   struct l2_stats *s = &x->stat[r->m.request.work_id];
   sim_busy(&x->box, r->m.request.work_id);
   sim_send(x->out, now, &r->m);
   if (!r->m.request.write) {
      s->reads++;
      s->read_latency += (now - r->arrived) / x->box.period;
   }
   *(r->older == L2_NONE ? &x->oldest : &x->requests[r->older].newer) = r->newer;
   *(r->newer == L2_NONE ? &x->newest : &x->requests[r->newer].older) = r->older;
   r->newer = x->free_request;
   x->free_request = a->request;
   x->first_answer = x->first_answer + 1 < x->max_requests ? x->first_answer + 1 : 0;
   x->num_answers--;
   return x->num_answers ? now + x->box.period : SIM_NEVER;
}

/* --- Look-up --- */

/* The part of a request in a line. */
struct l2_part {
   uint32_t key, bytes;
   uint8_t sectors, whole; /* that it touches; that it covers */
   bool reads, writes;     /* an atomic operation does both */
   enum mc_kind kind;
   uint16_t work_id;
};

static struct l2_part
l2_next_part(const struct l2 *x, const struct l2_request *r)
{
   const struct msg_mem_request *m = &r->m.request;
   const uint32_t key = r->start >> x->line_shift, base = key << x->line_shift,
                  line_end = base + (1u << x->line_shift),
                  end = r->end < line_end ? r->end : line_end, sector = 1u << x->sector_shift;
   const uint32_t first = (r->start - base) >> x->sector_shift,
                  last = (end - 1 - base) >> x->sector_shift,
                  first_whole = (r->start - base + sector - 1) >> x->sector_shift,
                  end_whole = (end - base) >> x->sector_shift;
   return (struct l2_part){
       .key = key,
       .bytes = end - r->start,
       .sectors = (uint8_t)((1u << (last + 1)) - (1u << first)),
       .whole = (uint8_t)(end_whole > first_whole ? (1u << end_whole) - (1u << first_whole) : 0),
       .reads = !m->write || m->atomic,
       .writes = m->write || m->atomic,
       .kind = (enum mc_kind)x->kinds[r->m.client],
       .work_id = m->work_id};
}

static bool
l2_wait(struct l2 *x, unsigned stat, sim_tick now)
{
   sim_stall_begin(&x->stall, stat, now);
   return false;
}

/* Reads or writes memory for a part that gets no line. Returns whether there is room for the
 * transfers. */
static bool
l2_pass_by(struct l2 *x, const struct l2_part *p, sim_tick now)
{
   const unsigned blocks = l2_memory_blocks(x, p->sectors);
   const uint32_t start = p->key << x->line_shift;
   if (p->writes) {
      if (x->free_writes < blocks)
         return l2_wait(x, SIM_STAT(l2, stall_write_backs), now);
      l2_memory_write(x, x->open, start, p->sectors, p->kind, p->work_id);
   } else {
      if (x->free_misses < blocks)
         return l2_wait(x, SIM_STAT(l2, stall_misses), now);
      l2_memory_fetch(x, x->open, start, p->sectors, L2_NO_LINE, p->kind, p->work_id);
   }
   x->stat[p->work_id].bypasses++;
   return true;
}

/* Finds the part's line or takes one for it: *line, L2_NO_LINE if the part gets none. *hit: memory
 * need not be read. False if the part must wait. */
static bool
l2_look_up_line(struct l2 *x, const struct l2_part *p, uint32_t *line, bool *hit, sim_tick now)
{
   bool dirty = false;
   uint64_t free = 0;
   const bool allocates = x->policy[p->kind] != L2_BYPASS || (p->reads && p->writes);
   *hit = false;
   *line = l2_lines_find(x, p->key);
   if (*line == L2_NO_LINE) {
      if (!allocates)
         return l2_pass_by(x, p, now);
      if (!(free = l2_lines_free(x, p->key, &dirty)))
         return l2_wait(x, SIM_STAT(l2, stall_set), now);
      if (dirty && x->free_writes < L2_REQUEST_LINES)
         return l2_wait(x, SIM_STAT(l2, stall_write_backs), now);
   }
   const bool found = *line != L2_NO_LINE;
   const uint8_t missing = (uint8_t)(p->sectors & ~(found ? x->lines[*line].valid : 0)),
                 on_way = found ? missing & x->lines[*line].asked : 0,
                 fetch = p->reads ? (uint8_t)(missing & ~on_way) : 0;
   if (x->free_misses < l2_memory_blocks(x, fetch))
      return l2_wait(x, SIM_STAT(l2, stall_misses), now);
   if (!found)
      *line = l2_lines_take(x, p->key, free, p->work_id);
   *hit = found && !fetch;
   if (p->reads && on_way) {
      x->stat[p->work_id].merged += *hit;
      l2_memory_join(x, x->open, *line, on_way);
   }
   l2_memory_fetch(x, x->open, p->key << x->line_shift, fetch, *line, p->kind, p->work_id);
   if (p->writes)
      l2_lines_write(x, *line, p->sectors, p->whole, p->kind, p->work_id);
   if (x->policy[p->kind] == L2_KEEP)
      x->lines[*line].kept = true;
   replace_use(&x->replace, *line);
   return true;
}

/* Counts a part that was looked up; returns the ticks in which it holds the port. */
static sim_tick
l2_count_part(struct l2 *x, const struct l2_part *p, bool hit)
{
   struct l2_stats *s = &x->stat[p->work_id];
   struct l2_client_stats *c = (struct l2_client_stats *)s + p->kind;
   sim_tick ticks = (p->bytes + x->port_width - 1) / x->port_width * x->box.period;
   s->fetches++;
   *(hit ? &s->hits : &s->misses) += 1;
   *(hit ? &c->hits : &c->misses) += 1;
   if (p->reads)
      s->read_bytes += p->bytes;
   if (p->writes)
      s->write_bytes += p->bytes;
   if (p->reads && p->writes) {
      s->atomics++;
      ticks = ticks > x->atomic_ticks ? ticks : x->atomic_ticks;
   }
   s->port_cycles += ticks / x->box.period;
   return ticks;
}

/* Looks up a line. Returns when to look again. */
static sim_tick
l2_look_up(struct l2 *x, sim_tick now)
{
   if (x->port_free > now)
      return x->open != L2_NONE || sim_peek(x->in, now) ? x->port_free : SIM_NEVER;
   if (x->open == L2_NONE && !l2_take_request(x, now))
      return SIM_NEVER;
   struct l2_request *r = &x->requests[x->open];
   const struct l2_part p = l2_next_part(x, r);
   uint32_t line;
   bool hit;
   if (!l2_look_up_line(x, &p, &line, &hit, now))
      return SIM_NEVER;
   sim_stall_end(&x->stall, &x->box, p.work_id, now);
   const sim_tick ticks = l2_count_part(x, &p, hit);
   x->port_free = now + ticks;
   x->port_work_id = p.work_id;
   r->start += p.bytes;
   if (r->start == r->end) {
      const uint16_t request = x->open;
      x->open = L2_NONE;
      l2_advance(x, request, x->port_free - x->box.period + x->latency);
   }
   return x->open != L2_NONE || sim_peek(x->in, now) ? x->port_free : SIM_NEVER;
}

/* --- Clock --- */

static sim_tick
l2_clock(struct sim_box *b, sim_tick now)
{
   struct l2 *x = (struct l2 *)b;
   sim_tick next = l2_memory_hear(x, now), t;
   /* An answer of this cycle makes room for a request. */
   t = l2_answer(x, now);
   next = t < next ? t : next;
   t = l2_look_up(x, now);
   next = t < next ? t : next;
   t = l2_memory_send(x, now);
   next = t < next ? t : next;
   /* The look-up may have made the first answer. */
   if (x->num_answers) {
      const sim_tick ready = x->answers[x->first_answer].ready;
      next = ready > now && ready < next ? ready : next;
   }
   if (x->port_free > now)
      sim_busy_until(b, x->port_work_id, x->port_free);
   if (x->oldest != L2_NONE) {
      sim_blocked(b, x->requests[x->oldest].m.request.work_id);
   } else {
      const struct msg_channel *m = sim_peek(x->in, now);
      if (m)
         sim_blocked(b, m->request.work_id);
   }
   return next;
}

static void
l2_flush_counters(struct sim_box *b, sim_tick next)
{
   struct l2 *x = (struct l2 *)b;
   const struct msg_channel *m = x->open == L2_NONE ? sim_peek(x->in, next) : NULL;
   if (x->open != L2_NONE)
      sim_stall_flush(&x->stall, b, x->requests[x->open].m.request.work_id, next);
   else if (m)
      sim_stall_flush(&x->stall, b, m->request.work_id, next);
}

static void
l2_dump(const struct sim_box *b, FILE *f)
{
   const struct l2 *x = (const struct l2 *)b;
   fprintf(f,
           "   %u answers, %u of %u misses and %u of %u write-backs under way; %u reads and %u "
           "writes wait for the channel%s\n",
           x->num_answers, x->max_misses - x->free_misses, x->max_misses,
           x->max_writes - x->free_writes, x->max_writes, x->queue[0].waiting, x->queue[1].waiting,
           x->draining ? ", writes first" : "");
   if (x->oldest != L2_NONE) {
      const struct l2_request *r = &x->requests[x->oldest];
      const struct msg_mem_request *m = &r->m.request;
      fprintf(f,
              "   oldest is a %s of %u bytes at 0x%x, work id %u, since tick %llu, %u fetches "
              "left%s\n",
              m->write ? "write" : "read", m->size, m->address, m->work_id,
              (unsigned long long)r->arrived, r->left - (x->open == x->oldest),
              x->open == x->oldest ? ", being looked up" : "");
   }
}

const struct sim_box_class l2_class = {
    .size = sizeof(struct l2),
    .domain = SIM_DOMAIN_GPU,
    .init = l2_init,
    .clock = l2_clock,
    .flush_counters = l2_flush_counters,
    .dump = l2_dump,
    .warm = l2_warm,
    SIM_BOX_CLASS(l2),
};
