/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Requests into the Memory Controller with transactions: which of them may begin, their records,
 * and the transactions of 64 bytes that they become. What happens to the transactions is in
 * mc_v2.c. Requests of one block of 256 bytes stay in order. Where a block lies in one row they do
 * so anyway; with finer interleaving, a request waits while another one for its block is under way
 * and one of the two is a write. */
#include "box/memory/mc_v2.h"

/* --- Requests in --- */

static void
mc_v2_request_check_request(struct mc_v2 *mc, const struct mc_client *c,
                            const struct msg_mem_request *r)
{
   if (!r->data || r->size < 1 || r->size > 256 || (r->address & 255) + r->size > 256 ||
       r->wire_bytes > 256 || r->work_id >= mc->box.kernel->num_work_ids ||
       (uint64_t)r->address + r->size > sim_device_memory_end(mc->box.gpu->device))
      sim_error(
          &mc->box,
          "%s by %s of %u bytes at 0x%x is not within a 256-byte block of memory (work id %u)",
          r->write ? "write" : "read", c->request->sender->name, r->size, r->address, r->work_id);
}

/* Returns where the data that a request moves begins. A write of part of a compressed block moves
 * more bytes than it writes. If they do not fit behind the address, they begin at the block's
 * start. */
static inline uint32_t
mc_v2_request_wire_start(const struct msg_mem_request *r)
{
   return (r->address & 255) + mc_wire_bytes(r) > 256 ? r->address & ~255u : r->address;
}

static inline unsigned
mc_v2_request_block_of(uint32_t address)
{
   return address >> 8 & (MC_BLOCKS - 1);
}

static inline bool
mc_v2_request_is_compressed(const struct msg_mem_request *r)
{
   return mc_wire_bytes(r) != r->size;
}

/* Returns whether another request for the block is under way, one of the two is compressed and one
 * is a write. (If none is compressed, equal bytes are in the same transactions, which stay in
 * order.) Blocks with the same low bits share a counter, so a request may wait without need. */
static inline bool
mc_v2_request_block_busy(const struct mc_v2 *mc, const struct msg_mem_request *r)
{
   if (!mc->blocks[0])
      return false;
   const unsigned b = mc_v2_request_block_of(r->address),
                  kind = mc_v2_request_is_compressed(r) ? MC_ANY : MC_COMPRESSED;
   return mc->blocks[kind + 1][b] || (r->write && mc->blocks[kind][b]);
}

static void
mc_v2_request_count_block(struct mc_v2 *mc, const struct mc_request *q, int by)
{
   const unsigned b = mc_v2_request_block_of(q->answer.address), w = q->answer.write;
   mc->blocks[MC_ANY + w][b] = (uint16_t)(mc->blocks[MC_ANY + w][b] + by);
   if (q->compressed)
      mc->blocks[MC_COMPRESSED + w][b] = (uint16_t)(mc->blocks[MC_COMPRESSED + w][b] + by);
}

/* Opens a record for the client's oldest request. */
static void
mc_v2_request_open_request(struct mc_v2 *mc, unsigned client, const struct msg_mem_request *r,
                           sim_tick now)
{
   struct mc_client *c = &mc->clients[client];
   mc_v2_request_check_request(mc, c, r);
   const uint32_t begin = mc_v2_request_wire_start(r), first = begin / mc->chunk,
                  last = (begin + mc_wire_bytes(r) - 1) / mc->chunk;
   c->open = mc->free_request;
   struct mc_request *q = &mc->requests[c->open];
   mc->free_request = q->next;
   c->taken = 0;
   c->of = (uint16_t)(last - first + 1);
   *q = (struct mc_request){
       .answer = {.data = r->data, .cookie = r->cookie, .address = r->address, .write = r->write},
       .arrived = now,
       .client = (uint16_t)client,
       .work_id = r->work_id,
       .compressed = mc_v2_request_is_compressed(r),
       .left = (uint8_t)c->of};
   q->older = mc->newest;
   q->newer = MC_NONE;
   if (mc->newest == MC_NONE) {
      mc->oldest = c->open;
      mc->oldest_work_id = r->work_id;
   } else {
      mc->requests[mc->newest].newer = c->open;
   }
   mc->newest = c->open;
   if (mc->blocks[0])
      mc_v2_request_count_block(mc, q, 1);
}

void
mc_v2_close_request(struct mc_v2 *mc, uint16_t request)
{
   struct mc_request *q = &mc->requests[request];
   if (q->older == MC_NONE) {
      mc->oldest = q->newer;
      mc->oldest_work_id = q->newer == MC_NONE ? 0 : mc->requests[q->newer].work_id;
   } else {
      mc->requests[q->older].newer = q->newer;
   }
   *(q->newer == MC_NONE ? &mc->newest : &mc->requests[q->newer].older) = q->older;
   if (mc->blocks[0])
      mc_v2_request_count_block(mc, q, -1);
   q->next = mc->free_request;
   mc->free_request = request;
}

/* Makes the next transaction of a request: 64 bytes on the wire, which are these bytes of memory,
 * or of a compressed request a share of its bytes. */
static void
mc_v2_request_make_transaction(struct mc_v2 *mc, struct mc_client *c,
                               const struct msg_mem_request *r, struct mc_entry *e, uint16_t entry,
                               unsigned *channel)
{
   const uint32_t wire = mc_wire_bytes(r), begin = mc_v2_request_wire_start(r), end = begin + wire;
   uint32_t from = (begin / mc->chunk + c->taken) * mc->chunk, to = from + mc->chunk;
   from = from < begin ? begin : from;
   to = to > end ? end : to;
   uint32_t offset = from - begin, size = to - from;
   if (wire != r->size) {
      offset = (uint32_t)c->taken * r->size / c->of;
      size = (uint32_t)(c->taken + 1u) * r->size / c->of - offset;
   }
   const struct sim_memory_place p =
       sim_memory_place(from >= mc->second_start ? &mc->second : &mc->map, from);
   *channel = p.channel;
   e->m = (struct msg_transaction){
       .data = r->data + offset,
       .address = r->address + offset,
       .row = p.row,
       .size = (uint16_t)size,
       .entry = entry,
       .work_id = r->work_id,
       .column = p.column,
       .bank = p.bank,
       .bytes = (uint8_t)(to - from),
       .bursts = (uint8_t)((to - 1) / mc->burst_bytes - from / mc->burst_bytes + 1),
       .client = (uint8_t)c->kind,
       .atomic = r->atomic,
       .timed = r->timed,
       .write = r->write};
}

/* Returns whether a client's next transaction can be taken now, and counts why not. */
static bool
mc_v2_request_has_room(struct mc_v2 *mc, const struct mc_client *c, const struct msg_mem_request *r)
{
   if (mc->num_free < mc->reserve || (r->write && mc->writes >= mc->max_writes))
      return false;
   return (c->kind != MC_zst && c->kind != MC_cw) || mc->rop_held[c->rop] < mc->rop_share;
}

void
mc_v2_enqueue(struct mc_v2 *mc, unsigned channel, uint16_t entry)
{
   struct mc_entry *e = &mc->entries[entry];
   struct mc_channel *ch = &mc->channels[channel];
   const unsigned bank = mc->fifo_per_bank ? e->m.bank : 0;
   struct mc_queue *q = &ch->queue[bank];
   e->next = MC_NONE;
   if (q->tail == MC_NONE) {
      q->head = entry;
      ch->waiting |= 1u << bank;
      ch->send_at = 0;
      mc->waiting |= 1ull << channel;
   } else {
      mc->entries[q->tail].next = entry;
   }
   q->tail = entry;
   mc_v2_count_transaction(mc->stat, &e->m);
}

sim_tick
mc_v2_accept(struct mc_v2 *mc, unsigned client, sim_tick now)
{
   struct mc_client *c = &mc->clients[client];
   const struct msg_mem_request *r = sim_peek(c->request, now);
   if (!r)
      return SIM_NEVER;
   if (r->write && (c->reserved || c->bus_free > now))
      return c->reserved ? SIM_NEVER : c->bus_free;
   if (!mc_v2_request_has_room(mc, c, r)) {
      sim_stall_begin(&c->full, SIM_STAT(mc_v2, buffer_full), now);
      return SIM_NEVER;
   }
   if (c->open == MC_NONE) {
      if (mc_v2_request_block_busy(mc, r) || mc->free_request == MC_NONE)
         return SIM_NEVER;
      mc_v2_request_open_request(mc, client, r, now);
   }
   sim_stall_end(&c->full, &mc->box, r->work_id, now);
   uint16_t entry = mc->free_entry;
   struct mc_entry *e = &mc->entries[entry];
   unsigned channel;
   mc->free_entry = e->next;
   mc->num_free--;
   mc_v2_request_make_transaction(mc, c, r, e, entry, &channel);
   e->request = c->open;
   e->arrived = e->ready = now;
   if (c->kind == MC_zst || c->kind == MC_cw)
      mc->rop_held[c->rop]++;
   if (r->write) {
      const sim_tick ticks = mc_v2_bus_ticks(mc, c, e->m.bytes);
      mc->writes++;
      c->bus_free = now + ticks;
      mc->bus_cycles[c->kind] += mc_v2_cycles(mc, ticks) - 1;
      e->ready = now + ticks - mc->box.period;
   }
   mc_v2_enqueue(mc, channel, entry);
   sim_busy(&mc->box, r->work_id);
   const sim_tick next = gddr_later(now + mc->box.period, r->write ? c->bus_free : 0);
   if (++c->taken < c->of)
      return next;
   c->open = MC_NONE;
   sim_pop(c->request, now);
   return sim_signal_empty(c->request) ? SIM_NEVER : next;
}
