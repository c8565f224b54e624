/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The ROP cache: lines, reservations, misses, write back and memory requests (rop_cache.h). Not
 * here: clear and flush (rop_command.c).
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
   c->states = rop_allocate(c->num_states);
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
   free(c->states);
   free(c->reads.entry);
   free(c->writes.entry);
}

/* --- Surfaces and block states --- */

/* The first tile of row ty that this ROP owns; the next ones are num_rops apart. */
uint32_t
rop_own_first(const struct rop_cache *c, uint32_t ty)
{
   uint32_t n = c->num_rops, shift = sim_tile_skew(n) * ty % n;
   return (c->rop + n - shift) % n;
}

static uint64_t
surface_end(const struct rop_binding *b)
{
   return b->address + attila_surface_bytes(b->pitch_tiles, b->width_tiles * ATTILA_TILE_DIM,
                                            b->height_tiles * ATTILA_TILE_DIM, b->samples,
                                            attila_formats[b->format].bytes);
}

static bool
surface_fits(const struct rop_cache *c, const struct rop_binding *b)
{
   return b->format < ATTILA_NUM_FORMATS &&
          (attila_formats[b->format].uses & (ATTILA_USE_COLOR | ATTILA_USE_ZS)) && b->address &&
          b->address % ATTILA_SURFACE_ALIGN == 0 && b->samples &&
          attila_surface_fits(c->box->gpu->device->memory_size, b->address, b->pitch_tiles,
                              b->width_tiles * ATTILA_TILE_DIM, b->height_tiles * ATTILA_TILE_DIM,
                              b->samples, attila_formats[b->format].bytes);
}

static void
surface_create(struct rop_cache *c, struct rop_surface *s, const struct rop_binding *bind)
{
   *s = (struct rop_surface){
       .bind = *bind, .used = true, .element_bytes = attila_formats[bind->format].bytes};
   s->local_pitch = (bind->pitch_tiles + c->num_rops - 1) / c->num_rops;
   for (uint32_t ty = 0; ty < bind->height_tiles; ty++) {
      uint32_t first = rop_own_first(c, ty);
      if (first < bind->width_tiles)
         s->own_blocks +=
             (bind->width_tiles - first + c->num_rops - 1) / c->num_rops * bind->samples;
   }
   uint64_t blocks = (uint64_t)s->local_pitch * bind->height_tiles * bind->samples;
   uint32_t left = c->num_states - c->states_used;
   s->state_base = c->states_used;
   s->num_states = blocks < left ? (uint32_t)blocks : left;
   c->states_used += s->num_states;
   memset(c->states + s->state_base, ROP_BLOCK_PLAIN, s->num_states);
}

int
rop_cache_bind(struct rop_cache *c, const struct rop_binding *bind)
{
   int unused = -1;
   for (int i = 0; i < ROP_MAX_SURFACES; i++) {
      if (c->surface[i].used && memcmp(&c->surface[i].bind, bind, sizeof(*bind)) == 0)
         return i;
   }
   if (!surface_fits(c, bind)) {
      sim_error(
          c->box,
          "surface at 0x%x (format %u, %u tiles per row, %u rows, %u samples) is not inside memory",
          bind->address, bind->format, bind->pitch_tiles, bind->height_tiles, bind->samples);
      return -1;
   }
   for (int i = 0; i < ROP_MAX_SURFACES; i++) {
      const struct rop_surface *s = &c->surface[i];
      if (!s->used)
         unused = i;
      else if (bind->address < surface_end(&s->bind) && s->bind.address < surface_end(bind))
         return -1;
   }
   if (unused >= 0)
      surface_create(c, &c->surface[unused], bind);
   return unused;
}

void
rop_cache_set_state(struct rop_cache *c, struct rop_surface *s, uint32_t block,
                    enum rop_block_state state)
{
   if (block >= s->num_states)
      return;
   uint8_t *old = &c->states[s->state_base + block];
   s->num_clear += (uint32_t)(state == ROP_BLOCK_CLEAR) - (uint32_t)(*old == ROP_BLOCK_CLEAR);
   s->num_compressed += (uint32_t)(state >= ROP_BLOCK_HALF) - (uint32_t)(*old >= ROP_BLOCK_HALF);
   *old = (uint8_t)state;
}

void
rop_fill(uint8_t *data, const uint8_t value[16], uint32_t bytes)
{
   for (uint32_t i = 0; i < bytes; i += 16)
      memcpy(data + i, value, 16);
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
                                      .state = ROP_BUFFER_WRITE,
                                      .slot = (uint16_t)slot,
                                      .chunks_left = (uint8_t)(bytes > 256 ? bytes / 256 : 1),
                                      .wire_class = 1};
   rop_ring_push(&c->writes, i);
   return (int)i;
}

/* Writes a dirty line back, compressed when that works; false: not now. */
static bool
write_back(struct rop_cache *c, sim_tick now, struct rop_line *l, const uint8_t *data,
           unsigned slot)
{
   struct rop_surface *s = &c->surface[l->surface];
   if (c->free_buffers == 0) {
      c->stall = ROP_STAT_miss_buffers;
      return false;
   }
   if (c->evict && !c->evict(c->box, now, s, l, data)) {
      c->stall = ROP_STAT_consumer_stall;
      return false;
   }
   bool try = l->bytes == 256 && !c->no_compression && l->block < s->num_states;
   unsigned class = try ? c->compress(data) : 1;
   int b =
       rop_cache_take_buffer(c, try ? now + c->compress_latency : now, l->address, l->bytes, slot);
   memcpy(rop_cache_buffer_data(c, (unsigned)b), data, l->bytes);
   c->buffer[b].wire_class = (uint8_t) class;
   rop_cache_set_state(c, s, l->block,
                       class == 4   ? ROP_BLOCK_QUARTER
                       : class == 2 ? ROP_BLOCK_HALF
                                    : ROP_BLOCK_PLAIN);
   ++*rop_stat(c, slot,
               class == 4   ? ROP_STAT_written_quarter
               : class == 2 ? ROP_STAT_written_half
                            : ROP_STAT_written_plain);
   return true;
}

/* --- Reservation --- */

/* The least recently used line of a set that nobody needs, written back if dirty; -1: not now. */
static int
allocate_line(struct rop_cache *c, sim_tick now, uint32_t set, unsigned slot)
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
   if (c->line[victim].dirty &&
       !write_back(c, now, &c->line[victim], rop_cache_data(c, (unsigned)victim), slot))
      return -1;
   return victim;
}

static int
miss(struct rop_cache *c, sim_tick now, unsigned surface, uint32_t set, uint32_t block,
     uint32_t tile, uint32_t address, unsigned slot)
{
   struct rop_surface *s = &c->surface[surface];
   enum rop_block_state state = rop_cache_state(c, s, block);
   if (state != ROP_BLOCK_CLEAR) {
      if (c->fetching == c->max_misses) {
         c->stall = ROP_STAT_miss_requests;
         return -1;
      }
      if (rop_cache_write_pending(c, address)) {
         c->stall = ROP_STAT_war_stall;
         return -1;
      }
   }
   int i = allocate_line(c, now, set, slot);
   if (i < 0)
      return -1;
   uint32_t bytes = 64 * s->element_bytes;
   c->tag[i] = address;
   c->line[i] = (struct rop_line){.ready = now + c->box->period,
                                  .address = address,
                                  .block = block,
                                  .tile = tile,
                                  .bytes = (uint16_t)bytes,
                                  .users = 1,
                                  .surface = (uint8_t)surface,
                                  .slot = (uint16_t)slot,
                                  .lru = c->lru_clock};
   struct rop_line *l = &c->line[i];
   if (state == ROP_BLOCK_CLEAR) {
      rop_fill(rop_cache_data(c, (unsigned)i), s->clear_value, bytes);
      l->state = ROP_LINE_VALID;
      ++*rop_stat(c, slot, ROP_STAT_clear_fills);
   } else {
      l->state = ROP_LINE_FETCHING;
      l->chunks_left = (uint8_t)(bytes > 256 ? bytes / 256 : 1);
      l->wire_class = state == ROP_BLOCK_QUARTER ? 4 : state == ROP_BLOCK_HALF ? 2 : 1;
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
                  uint32_t sample, unsigned slot)
{
   const struct rop_surface *s = &c->surface[surface];
   uint32_t tile = ty * s->bind.pitch_tiles + tx;
   uint32_t address = rop_block_address(s, tx, ty, sample);
   if (c->tag[c->last_line] == address)
      return hit(c, c->last_line, slot);
   /* Neighbours in both directions fall into different sets. */
   uint32_t j = tx / c->num_rops;
   uint32_t set = (j * s->bind.samples + sample + 5 * ty + 7 * surface) % c->sets;
   for (uint32_t i = set * c->ways; i < (set + 1) * c->ways; i++) {
      if (c->tag[i] == address)
         return hit(c, i, slot);
   }
   uint32_t block = (ty * s->local_pitch + j) * s->bind.samples + sample;
   int i = miss(c, now, surface, set, block, tile, address, slot);
   if (i >= 0) {
      c->line[i].lru = ++c->lru_clock;
      c->last_line = (uint32_t)i;
      ++*rop_stat(c, slot, ROP_STAT_fetch_ok);
   }
   return i;
}

/* --- Memory --- */

#define CHUNK 256u

static void
buffer_answer(struct rop_cache *c, uint32_t i)
{
   struct rop_buffer *b = &c->buffer[i];
   if (b->state == ROP_BUFFER_READ) {
      /* Decompressed for a flush: goes back in full. */
      b->state = ROP_BUFFER_WRITE;
      b->wire_class = 1;
      b->ready = c->box->kernel->now + c->decompress_latency;
      rop_ring_push(&c->writes, i);
   } else if (--b->chunks_left == 0) {
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
      } else if (--c->line[i].chunks_left == 0) {
         struct rop_line *l = &c->line[i];
         l->state = ROP_LINE_VALID;
         l->ready = l->wire_class > 1 ? now + c->decompress_latency : now;
         c->fetching--;
      }
      sim_pop(c->from_mc, now);
      any = true;
   }
   return any;
}

/* Sends the next 256 bytes of a line or buffer; true when that was the last part. */
static bool
send_chunk(struct rop_cache *c, sim_tick now, uint32_t entry, uint32_t *chunk, bool write)
{
   uint32_t lines = c->ways * c->sets;
   bool is_line = entry < lines;
   const struct rop_line *l = is_line ? &c->line[entry] : NULL;
   const struct rop_buffer *b = is_line ? NULL : &c->buffer[entry - lines];
   uint32_t bytes = is_line ? l->bytes : b->bytes, offset = *chunk * CHUNK;
   uint32_t size = bytes - offset < CHUNK ? bytes - offset : CHUNK;
   unsigned slot = is_line ? l->slot : b->slot, class = is_line ? l->wire_class : b->wire_class;
   uint8_t *data = is_line ? rop_cache_data(c, entry) : rop_cache_buffer_data(c, entry - lines);
   struct msg_mem_request request = {.data = data + offset,
                                     .address = (is_line ? l->address : b->address) + offset,
                                     .size = (uint16_t)size,
                                     .slot = (uint16_t)slot,
                                     .write = write,
                                     .wire_bytes = (uint16_t)(size / class),
                                     .cookie = entry};
   sim_send(c->to_mc, now, &request);
   ++*rop_stat(c, slot, write ? ROP_STAT_write_trans : ROP_STAT_read_trans);
   *rop_stat(c, slot, write ? ROP_STAT_write_bytes : ROP_STAT_read_bytes) += size / class;
   bool last = offset + size == bytes;
   *chunk = last ? 0 : *chunk + 1;
   return last;
}

bool
rop_cache_send(struct rop_cache *c, sim_tick now)
{
   bool reads = c->reads.head != c->reads.tail, any = false;
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
      if (send_chunk(c, now, c->reads.entry[c->reads.head & c->reads.mask], &c->read_chunk, false))
         c->reads.head++;
      any = true;
   } else if (writes) {
      uint32_t b = c->writes.entry[c->writes.head & c->writes.mask];
      if (send_chunk(c, now, c->ways * c->sets + b, &c->write_chunk, true)) {
         c->writes.head++;
         c->buffer[b].state = ROP_BUFFER_SENT;
      }
      any = true;
   }
   return any;
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
   for (unsigned i = 0; i < ROP_MAX_SURFACES; i++) {
      const struct rop_surface *s = &c->surface[i];
      if (s->used)
         fprintf(f, "   surface 0x%x format %s: %u clear, %u compressed of %u blocks\n",
                 s->bind.address, attila_formats[s->bind.format].name, s->num_clear,
                 s->num_compressed, s->own_blocks);
   }
}
