/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The ROP cache: lines, reservations, misses, write back and memory requests (rop_cache.h). Not
 * here: surfaces (rop_surface.c), clear and write-back commands (rop_command.c).
 *
 * A line that leaves is copied to a buffer and written from there, so its place can be refilled at
 * once. Reads and writes wait in a queue each; a line is not read while an older write of it still
 * waits, and the memory controller keeps the order after that.
 */
#include "box/rop/rop_cache.h"

#include <stdlib.h>

/* Zeroes. */
void *
rop_allocate(size_t size)
{
   void *p = aligned_alloc(64, (size + 63) & ~(size_t)63);
   if (!p) {
      fprintf(stderr, "attila: out of host memory\n");
      abort();
   }
   memset(p, 0, size);
   return p;
}

static void
ring_init(struct rop_ring *r, uint32_t capacity)
{
   uint32_t size = 1;
   while (size < capacity)
      size *= 2;
   *r = (struct rop_ring){.entry = rop_allocate(size * sizeof(uint32_t)), .mask = size - 1};
}

void
rop_ring_push(struct rop_ring *r, uint32_t entry)
{
   r->entry[r->tail++ & r->mask] = entry;
}

void
rop_cache_init(struct rop_cache *c)
{
   uint32_t lines = c->ways * c->sets;
   c->tag = rop_allocate(lines * sizeof(*c->tag));
   c->line = rop_allocate(lines * sizeof(*c->line));
   c->line_data = rop_allocate((size_t)lines * ROP_LINE_BYTES);
   c->buffer = rop_allocate(c->max_misses * sizeof(*c->buffer));
   c->buffer_data = rop_allocate((size_t)c->max_misses * ROP_LINE_BYTES);
   ring_init(&c->reads, lines + c->max_misses);
   ring_init(&c->writes, c->max_misses);
   c->free_buffers = c->max_misses;
   c->command = ROP_IDLE;
}

void
rop_cache_fini(struct rop_cache *c)
{
   free(c->tag);
   free(c->line);
   free(c->line_data);
   free(c->buffer);
   free(c->buffer_data);
   free(c->reads.entry);
   free(c->writes.entry);
}

/* --- Write back --- */

/* True while a write of the line at address has not been handed to the memory controller. */
bool
rop_cache_write_pending(const struct rop_cache *c, uint32_t address)
{
   if (c->free_buffers == c->max_misses)
      return false;
   for (uint32_t i = 0; i < c->max_misses; i++) {
      if (c->buffer[i].address == address && c->buffer[i].state == ROP_BUFFER_WRITE)
         return true;
   }
   return false;
}

/* Takes a free buffer and queues its write; -1 when all are in use. The caller fills its data now.
 */
int
rop_cache_take_buffer(struct rop_cache *c, sim_tick ready, uint32_t address, uint32_t bytes,
                      unsigned slot)
{
   if (c->free_buffers == 0)
      return -1;
   uint32_t i = 0;
   while (c->buffer[i].state != ROP_BUFFER_FREE)
      i++;
   c->free_buffers--;
   c->buffer[i] = (struct rop_buffer){.ready = ready,
                                      .address = address,
                                      .bytes = (uint16_t)bytes,
                                      .wire_bytes = (uint16_t)bytes,
                                      .state = ROP_BUFFER_WRITE,
                                      .slot = (uint16_t)slot};
   rop_ring_push(&c->writes, i);
   return (int)i;
}

/* Writes a dirty line back, compressed when that works; it stays, clean. False: not now. */
bool
rop_cache_write_line(struct rop_cache *c, sim_tick now, uint32_t line)
{
   struct rop_line *l = &c->line[line];
   struct rop_surface *s = &c->surface[l->surface];
   const uint8_t *data = rop_cache_data(c, line);
   if (c->free_buffers == 0) {
      c->stall = ROP_STAT_miss_buffers;
      return false;
   }
   if (c->evict && !c->evict(c->box, now, s, l, data)) {
      c->stall = ROP_STAT_consumer_stall;
      return false;
   }
   bool try = l->bytes == 256 && !c->no_compression && rop_has_state(c, l->block);
   unsigned class = try ? c->compress(data) : 1;
   int b = rop_cache_take_buffer(c, try ? now + c->compress_latency : now, l->address, l->bytes,
                                 l->dirty_slot);
   memcpy(rop_cache_buffer_data(c, (unsigned)b), data, l->bytes);
   c->buffer[b].wire_bytes = (uint16_t)(l->bytes / class);
   sim_block_set(&c->box->gpu->device->blocks, l->address, l->bytes, 4 / class,
                 rop_has_state(c, l->block) ? rop_clear_flags(s, data) : 0);
   ++*rop_stat(c, l->dirty_slot,
               class == 4   ? ROP_STAT_written_quarter
               : class == 2 ? ROP_STAT_written_half
                            : ROP_STAT_written_plain);
   l->dirty = false;
   return true;
}

void
rop_cache_drop_line(struct rop_cache *c, uint32_t line)
{
   if (c->line[line].state != ROP_LINE_INVALID)
      c->surface[c->line[line].surface].lines--;
   c->tag[line] = 0;
   c->line[line].state = ROP_LINE_INVALID;
   c->line[line].dirty = false;
}

/* --- Reservation --- */

/* The least recently used line of a set that nobody needs, written back if dirty; -1: not now. */
static int
allocate_line(struct rop_cache *c, sim_tick now, uint32_t set)
{
   uint32_t first = set * c->ways, oldest = 0;
   int victim = -1;
   for (uint32_t i = first; i < first + c->ways; i++) {
      const struct rop_line *l = &c->line[i];
      if (l->state == ROP_LINE_INVALID)
         return (int)i;
      if (l->users || l->state == ROP_LINE_FETCHING)
         continue;
      uint32_t age = c->lru_clock - l->lru;
      if (victim < 0 || age > oldest) {
         victim = (int)i;
         oldest = age;
      }
   }
   if (victim < 0) {
      c->stall = ROP_STAT_miss_reserved;
      return -1;
   }
   if (c->line[victim].dirty && !rop_cache_write_line(c, now, (uint32_t)victim))
      return -1;
   rop_cache_drop_line(c, (uint32_t)victim);
   return victim;
}

static int
miss(struct rop_cache *c, sim_tick now, unsigned surface, uint32_t set, uint32_t block,
     uint32_t tile, uint32_t address, unsigned slot)
{
   struct rop_surface *s = &c->surface[surface];
   const struct sim_device *d = c->box->gpu->device;
   uint32_t wire_bytes = sim_blocks_read_bytes(&d->blocks, address, s->block_bytes);
   if (wire_bytes) {
      if (c->fetching == c->max_misses) {
         c->stall = ROP_STAT_miss_requests;
         return -1;
      }
      if (rop_cache_write_pending(c, address)) {
         c->stall = ROP_STAT_war_stall;
         return -1;
      }
   }
   int i = allocate_line(c, now, set);
   if (i < 0)
      return -1;
   c->tag[i] = address;
   c->line[i] = (struct rop_line){.ready = now + c->box->period,
                                  .address = address,
                                  .block = block,
                                  .tile = tile,
                                  .bytes = (uint16_t)s->block_bytes,
                                  .wire_bytes = (uint16_t)wire_bytes,
                                  .users = 1,
                                  .surface = (uint8_t)surface,
                                  .slot = (uint16_t)slot,
                                  .lru = c->lru_clock};
   struct rop_line *l = &c->line[i];
   s->lines++;
   if (!wire_bytes) {
      /* The clear value, which no write on its way can have changed. */
      memcpy(rop_cache_data(c, (unsigned)i), d->memory + address, s->block_bytes);
      l->state = ROP_LINE_VALID;
      ++*rop_stat(c, slot, ROP_STAT_clear_fills);
   } else {
      l->state = ROP_LINE_FETCHING;
      c->fetching++;
      rop_ring_push(&c->reads, (uint32_t)i);
   }
   ++*rop_stat(c, slot, ROP_STAT_misses);
   return i;
}

static inline int
hit(struct rop_cache *c, uint32_t line, unsigned slot)
{
   struct rop_line *l = &c->line[line];
   l->users++;
   l->lru = ++c->lru_clock;
   c->last_line = line;
   ++*rop_stat(c, slot, ROP_STAT_hits);
   ++*rop_stat(c, slot, ROP_STAT_fetch_ok);
   return (int)line;
}

int
rop_cache_reserve(struct rop_cache *c, sim_tick now, unsigned surface, uint32_t tx, uint32_t ty,
                  uint32_t sample, uint32_t part, unsigned slot)
{
   const struct rop_surface *s = &c->surface[surface];
   uint32_t tile = ty * s->bind.pitch_tiles + tx;
   uint32_t address = rop_block_address(s, tx, ty, sample, part);
   if (c->tag[c->last_line] == address)
      return hit(c, c->last_line, slot);
   /* Neighbours in both directions fall into different sets, and so does the same place of surfaces
    * that follow one another. */
   uint32_t j = tx / c->num_rops;
   uint32_t set =
       ((j * s->bind.samples + sample) * s->parts + part + 5 * ty + 7 * (s->bind.address >> 16)) %
       c->sets;
   for (uint32_t i = set * c->ways; i < (set + 1) * c->ways; i++) {
      if (c->tag[i] == address)
         return hit(c, i, slot);
   }
   int i =
       miss(c, now, surface, set, rop_block_number(s, j, ty, sample, part), tile, address, slot);
   if (i >= 0) {
      c->line[i].lru = ++c->lru_clock;
      c->last_line = (uint32_t)i;
      ++*rop_stat(c, slot, ROP_STAT_fetch_ok);
   }
   return i;
}

/* --- Memory --- */

static void
buffer_answer(struct rop_cache *c, uint32_t i)
{
   struct rop_buffer *b = &c->buffer[i];
   if (b->state == ROP_BUFFER_READ) {
      b->state = ROP_BUFFER_WRITE;
      rop_ring_push(&c->writes, i);
   } else {
      b->state = ROP_BUFFER_FREE;
      c->free_buffers++;
   }
}

bool
rop_cache_receive(struct rop_cache *c, sim_tick now)
{
   const struct msg_mem_response *r;
   uint32_t lines = c->ways * c->sets;
   bool any = false;
   while ((r = sim_peek(c->from_mc, now)) != NULL) {
      uint32_t i = (uint32_t)r->cookie;
      if (i >= lines) {
         buffer_answer(c, i - lines);
      } else {
         struct rop_line *l = &c->line[i];
         l->state = ROP_LINE_VALID;
         l->ready = l->wire_bytes < l->bytes ? now + c->decompress_latency : now;
         c->fetching--;
      }
      sim_pop(c->from_mc, now);
      any = true;
   }
   return any;
}

/* Sends the request of a line or buffer. */
static void
send_request(struct rop_cache *c, sim_tick now, uint32_t entry, bool write)
{
   uint32_t lines = c->ways * c->sets;
   bool is_line = entry < lines;
   const struct rop_line *l = is_line ? &c->line[entry] : NULL;
   const struct rop_buffer *b = is_line ? NULL : &c->buffer[entry - lines];
   unsigned slot = is_line ? l->slot : b->slot;
   struct msg_mem_request request = {.data = is_line ? rop_cache_data(c, entry)
                                                     : rop_cache_buffer_data(c, entry - lines),
                                     .address = is_line ? l->address : b->address,
                                     .size = is_line ? l->bytes : b->bytes,
                                     .slot = (uint16_t)slot,
                                     .write = write,
                                     .wire_bytes = is_line ? l->wire_bytes : b->wire_bytes,
                                     .cookie = entry};
   sim_send(c->to_mc, now, &request);
   ++*rop_stat(c, slot, write ? ROP_STAT_write_trans : ROP_STAT_read_trans);
   *rop_stat(c, slot, write ? ROP_STAT_write_bytes : ROP_STAT_read_bytes) += request.wire_bytes;
}

bool
rop_cache_send(struct rop_cache *c, sim_tick now)
{
   bool reads = c->reads.head != c->reads.tail;
   bool writes = c->writes.head != c->writes.tail &&
                 c->buffer[c->writes.entry[c->writes.head & c->writes.mask]].ready <= now;
   if (!reads && !writes)
      return false;
   if (sim_can_send(c->to_mc, now) == 0) {
      uint32_t r = c->reads.entry[c->reads.head & c->reads.mask], lines = c->ways * c->sets;
      uint32_t w = c->writes.entry[c->writes.head & c->writes.mask];
      rop_cache_wait(
          c, reads ? (r < lines ? c->line[r].slot : c->buffer[r - lines].slot) : c->buffer[w].slot,
          ROP_STAT_mem_stall);
      return false;
   }
   if (reads) {
      send_request(c, now, c->reads.entry[c->reads.head++ & c->reads.mask], false);
   } else {
      uint32_t b = c->writes.entry[c->writes.head++ & c->writes.mask];
      send_request(c, now, c->ways * c->sets + b, true);
      c->buffer[b].state = ROP_BUFFER_SENT;
   }
   return true;
}

sim_tick
rop_cache_timer(const struct rop_cache *c, int line, sim_tick now)
{
   sim_tick t = SIM_NEVER;
   if (c->writes.head != c->writes.tail) {
      sim_tick ready = c->buffer[c->writes.entry[c->writes.head & c->writes.mask]].ready;
      t = ready > now ? ready : t;
   }
   if (line >= 0 && c->line[line].state == ROP_LINE_VALID && c->line[line].ready > now &&
       c->line[line].ready < t)
      t = c->line[line].ready;
   if (c->command != ROP_IDLE && c->cmd_until > now && c->cmd_until < t)
      t = c->cmd_until;
   return t;
}

void
rop_cache_dump(const struct rop_cache *c, FILE *f)
{
   fprintf(f,
           "   cache: command state %d, %u misses in flight, %u of %u buffers free, %u reads and "
           "%u writes to send\n",
           (int)c->command, c->fetching, c->free_buffers, c->max_misses,
           c->reads.tail - c->reads.head, c->writes.tail - c->writes.head);
   rop_surface_dump(c, f);
}
