/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lines on their way between ROP cache and memory (rop_cache.h), as in the original: a queue of
 * blocks to read, with the decompressor, and one of blocks to write, with the compressor. Each unit
 * takes its latency for every block, plain ones too, one at a time; lines pass the cache's ports. A
 * block is compressed if its state in memory is clear or compressed. A plain block stays plain
 * until the next clear, as a line that was only written may lack some of its bytes. Blocks below
 * 256 bytes are clear or plain. Not here: which lines (rop_cache.c). */
#include "box/rop/rop_cache.h"

#define TRANSACTION 64u

enum { FILL_REQUESTED, FILL_DECOMPRESSED, FILL_IN_CACHE };
enum { SPILL_READ, SPILL_COMPRESSED, SPILL_SENT };

static void
rop_transfer_queue_init(const struct rop_cache *c, struct rop_queue *q, uint32_t capacity)
{
   uint32_t size = 1;
   while (size < capacity)
      size *= 2;
   *q = (struct rop_queue){.entry = sim_box_alloc(c->box, size * sizeof(uint32_t)),
                           .mask = size - 1,
                           .capacity = capacity};
}

void
rop_transfer_init(struct rop_cache *c)
{
   c->request = sim_box_alloc(c->box, c->max_requests * sizeof(*c->request));
   c->posted = sim_box_alloc(c->box, ROP_POSTED * sizeof(*c->posted));
   c->posted_data = sim_box_alloc(c->box, (size_t)ROP_POSTED * ROP_LINE_BYTES);
   c->free_requests = c->max_requests;
   rop_transfer_queue_init(c, &c->asked, c->max_requests);
   rop_transfer_queue_init(c, &c->fills, c->max_fills);
   rop_transfer_queue_init(c, &c->spills, c->max_spills);
}

static inline void
rop_transfer_queue_push(struct rop_queue *q, uint32_t entry)
{
   q->entry[q->tail++ & q->mask] = entry;
}

/* Returns the request that waits for a stage; NULL: none. */
static inline struct rop_request *
rop_transfer_waiting(const struct rop_cache *c, const struct rop_queue *q, unsigned stage)
{
   uint32_t end = stage ? q->stage[stage - 1] : q->tail;
   return q->stage[stage] == end ? NULL : &c->request[q->entry[q->stage[stage] & q->mask]];
}

static inline bool
rop_transfer_queue_full(const struct rop_queue *q)
{
   return q->tail - q->stage[2] >= q->capacity;
}

/* --- Asking --- */

struct rop_request *
rop_transfer_request(struct rop_cache *c, bool spill)
{
   if (c->free_requests == 0 || (spill && c->num_posted == ROP_POSTED))
      return NULL;
   uint32_t i = 0, p = 0;
   while (c->request[i].spill || c->request[i].fill)
      i++;
   c->request[i] = (struct rop_request){.spill = spill};
   if (spill) {
      while (c->posted[p].used)
         p++;
      c->request[i].posted = p;
   }
   return &c->request[i];
}

void
rop_transfer_ask(struct rop_cache *c, struct rop_request *r)
{
   c->free_requests--;
   c->transfer_at = 0;
   rop_transfer_queue_push(&c->asked, (uint32_t)(r - c->request));
   if (r->spill) {
      c->spilling |= 1ull << (r - c->request);
      struct rop_posted *p = &c->posted[r->posted];
      p->used = true;
      p->age = ++c->posted_age;
      c->num_posted++;
   }
}

void
rop_transfer_spill(struct rop_cache *c, struct rop_request *r, uint32_t line)
{
   struct rop_line *l = &c->line[line];
   r->line = line;
   r->block = l->block;
   r->surface = l->surface;
   r->touched = l->touched;
   r->partial = l->partial && l->full != rop_line_elements(c, l);
   c->posted[r->posted] = (struct rop_posted){
       .address = l->address, .bytes = l->bytes, .work_id = l->dirty_work_id, .epoch = c->epoch};
   memcpy(rop_posted_data(c, r->posted), rop_cache_data(c, line), l->bytes);
   l->dirty = false; /* the data keeps the reference to the work id */
   l->touched = 0;
}

const uint8_t *
rop_transfer_contents(const struct rop_cache *c, uint32_t address)
{
   const struct rop_posted *newest = NULL;
   for (uint32_t i = 0; c->num_posted && i < ROP_POSTED; i++) {
      const struct rop_posted *p = &c->posted[i];
      if (p->used && p->address == address && (!newest || (int32_t)(p->age - newest->age) > 0))
         newest = p;
   }
   return newest ? rop_posted_data(c, (uint32_t)(newest - c->posted))
                 : c->box->gpu->device->memory + address;
}

bool
rop_transfer_spilling(const struct rop_cache *c, uint32_t address)
{
   for (uint64_t left = c->spilling; left; left &= left - 1) {
      if (c->posted[c->request[__builtin_ctzll(left)].posted].address == address)
         return true;
   }
   return false;
}

/* Ends a spill or fill of the request. */
static void
rop_transfer_end_request(struct rop_cache *c, struct rop_request *r)
{
   if (r->spill || r->fill)
      return;
   if (r->holds_line)
      c->line[r->line].state = ROP_LINE_VALID;
   c->free_requests++;
}

/* Counts waiting cycles in a statistic until the next call. */
static inline void
rop_transfer_wait(struct rop_cache *c, unsigned work_id, enum rop_stat stat)
{
   sim_hold_wait(&c->transfer_waits, rop_stat(c, work_id, stat));
}

/* --- Into the queues --- */

/* Returns whether an accepted spill of the block is not sent yet. */
static bool
rop_transfer_spill_accepted(const struct rop_cache *c, uint32_t address)
{
   for (uint32_t i = c->spills.stage[SPILL_SENT]; i != c->spills.tail; i++) {
      const struct rop_request *r = &c->request[c->spills.entry[i & c->spills.mask]];
      if (c->posted[r->posted].address == address)
         return true;
   }
   return false;
}

static bool
rop_transfer_accept(struct rop_cache *c)
{
   struct rop_queue *q = &c->asked;
   if (q->stage[2] == q->tail) {
      rop_transfer_wait(c, 0, ROP_STAT_no_requests);
      return false;
   }
   uint32_t i = q->entry[q->stage[2] & q->mask];
   struct rop_request *r = &c->request[i];
   unsigned work_id = r->fill ? r->work_id : c->posted[r->posted].work_id;
   bool no_fills = rop_transfer_queue_full(&c->fills),
        no_spills = rop_transfer_queue_full(&c->spills);
   if (no_fills || no_spills) {
      if (no_fills)
         rop_transfer_wait(c, work_id, ROP_STAT_read_q_full);
      if (no_spills)
         rop_transfer_wait(c, work_id, ROP_STAT_write_q_full);
      for (unsigned n = 0; n < (unsigned)no_fills + no_spills; n++)
         rop_transfer_wait(c, work_id, ROP_STAT_rw_q_full);
      return false;
   }
   if (r->fill && rop_transfer_spill_accepted(c, r->address)) {
      rop_transfer_wait(c, work_id, ROP_STAT_wait_write);
      return false;
   }
   q->stage[2]++;
   if (r->spill) {
      rop_transfer_queue_push(&c->spills, i);
      ++*rop_stat(c, c->posted[r->posted].work_id, ROP_STAT_write_accepted);
   }
   if (r->fill) {
      rop_transfer_queue_push(&c->fills, i);
      ++*rop_stat(c, r->work_id, ROP_STAT_read_accepted);
   }
   return true;
}

int
rop_transfer_work_id(const struct rop_cache *c)
{
   const struct rop_queue *const queues[] = {&c->spills, &c->fills, &c->asked};
   for (unsigned i = 0; i < 3; i++) {
      const struct rop_queue *q = queues[i];
      if (q->stage[2] == q->tail)
         continue;
      const struct rop_request *r = &c->request[q->entry[q->stage[2] & q->mask]];
      return q == &c->fills || !r->spill ? r->work_id : c->posted[r->posted].work_id;
   }
   return -1;
}

/* --- Memory --- */

static bool
rop_transfer_receive(struct rop_cache *c, sim_tick now)
{
   const struct msg_mem_response *m;
   bool any = false;
   while ((m = sim_peek(c->from_mc, now)) != NULL) {
      uint32_t i = (uint32_t)m->cookie;
      if (i < c->max_requests) {
         c->request[i].received = true;
         c->num_received += c->request[i].fill;
      } else {
         struct rop_posted *p = &c->posted[i - c->max_requests];
         sim_work_unref(c->box->gpu->work, p->work_id);
         p->used = false;
         c->num_posted--;
      }
      sim_pop(c->from_mc, now);
      any = true;
   }
   return any;
}

static void
rop_transfer_send(struct rop_cache *c, sim_tick now, const struct msg_mem_request *m)
{
   uint32_t transactions = (m->wire_bytes + TRANSACTION - 1) / TRANSACTION;
   sim_send(c->to_mc, now, m);
   *rop_stat(c, m->work_id, m->write ? ROP_STAT_write_trans : ROP_STAT_read_trans) += transactions;
   *rop_stat(c, m->work_id, m->write ? ROP_STAT_write_bytes : ROP_STAT_read_bytes) += m->wire_bytes;
}

static bool
rop_transfer_can_send(struct rop_cache *c, sim_tick now, unsigned work_id)
{
   if (sim_can_send(c->to_mc, now))
      return true;
   rop_transfer_wait(c, work_id, ROP_STAT_bus_stall);
   c->depends = true;
   return false;
}

/* Requests the next block; a clear one arrives at once. sent: a request was sent. */
static bool
rop_transfer_request_fill(struct rop_cache *c, sim_tick now, bool *sent)
{
   struct rop_request *r = rop_transfer_waiting(c, &c->fills, FILL_REQUESTED);
   /* If the old block is the same, it is written back first. */
   if (!r || (r->spill && c->posted[r->posted].address == r->address))
      return false;
   struct rop_line *l = &c->line[r->line];
   uint32_t wire = sim_blocks_read_bytes(&c->box->gpu->device->blocks, r->address, l->bytes);
   if (wire) {
      if (!rop_transfer_can_send(c, now, r->work_id))
         return false;
      struct msg_mem_request m = {.data = rop_cache_data(c, r->line),
                                  .address = r->address,
                                  .size = l->bytes,
                                  .work_id = r->work_id,
                                  .wire_bytes = (uint16_t)wire,
                                  .cookie = (uint64_t)(r - c->request)};
      rop_transfer_send(c, now, &m);
      *sent = true;
   } else {
      memcpy(rop_cache_data(c, r->line), rop_transfer_contents(c, r->address), l->bytes);
      r->received = true;
      c->num_received++;
      ++*rop_stat(c, r->work_id, ROP_STAT_clear_fills);
   }
   c->fills.stage[FILL_REQUESTED]++;
   return true;
}

/* Sends the next block to memory. busy: this cycle's request is used up. */
static bool
rop_transfer_send_spill(struct rop_cache *c, sim_tick now, bool busy)
{
   struct rop_request *r = rop_transfer_waiting(c, &c->spills, SPILL_SENT);
   if (!r || (r->read_first && r->line_read && !r->received))
      return false;
   const struct rop_posted *p = &c->posted[r->posted];
   if (busy) {
      rop_transfer_wait(c, p->work_id, ROP_STAT_mem_stall);
      return false;
   }
   if (!rop_transfer_can_send(c, now, p->work_id))
      return false;
   bool read = r->read_first && !r->received;
   struct msg_mem_request m = {.data = rop_posted_data(c, r->posted),
                               .address = p->address,
                               .size = p->bytes,
                               .work_id = p->work_id,
                               .write = !read,
                               .wire_bytes = r->wire_bytes,
                               .cookie =
                                   read ? (uint64_t)(r - c->request) : c->max_requests + r->posted};
   rop_transfer_send(c, now, &m);
   r->line_read = true;
   if (!read) {
      c->spills.stage[SPILL_SENT]++;
      c->spilling &= ~(1ull << (r - c->request));
      r->spill = false;
      rop_transfer_end_request(c, r);
   }
   return true;
}

/* --- Compressor and decompressor --- */

/* Returns the bytes to write of a partial line: its touched transactions. */
static uint32_t
rop_transfer_touched_bytes(const struct rop_request *r, uint32_t bytes, uint32_t element_bytes)
{
   uint32_t per = TRANSACTION / element_bytes, sent = 0;
   for (uint32_t i = 0; i < bytes / TRANSACTION; i++)
      sent += r->touched >> (i * per) & (UINT64_MAX >> (64 - per)) ? TRANSACTION : 0;
   return sent;
}

/* Puts the samples of a pixel side by side, as the release stores them and its compressor expects.
 * Each quad lies in the block as a whole. */
static void
rop_transfer_by_pixels(uint32_t word[EMUL_COMPRESS_BYTES / 4], uint32_t samples)
{
   uint32_t old[EMUL_COMPRESS_BYTES / 4];
   memcpy(old, word, sizeof(old));
   for (unsigned i = 0; i < EMUL_COMPRESS_BYTES / 4; i++) {
      const uint32_t in_quad = i % (4 * samples);
      word[i] = old[i - in_quad + in_quad % samples * 4 + in_quad / samples];
   }
}

/* Returns the block's compressed size. Elements of four bytes have red lowest, as the release
 * stores them: HILO packs the common upper bytes. */
static uint32_t
rop_transfer_compressed_bytes(const struct rop_cache *c, const struct rop_surface *s,
                              const uint8_t *data)
{
   uint32_t word[EMUL_COMPRESS_BYTES / 4];
   memcpy(word, data, sizeof(word));
   for (unsigned i = 0; s->red_third && i < EMUL_COMPRESS_BYTES / 4; i++)
      word[i] = (word[i] & 0xff00ff00) | (word[i] >> 16 & 0xff) | (word[i] & 0xff) << 16;
   if (c->compressor == EMUL_COMPRESS_MSAA && s->element_bytes == 4)
      rop_transfer_by_pixels(word, s->bind.samples);
   return emul_compress_size(c->compressor,
                             emul_compress_level(c->compressor, (const uint8_t *)word));
}

uint32_t
rop_block_stored(const struct rop_cache *c, const struct rop_surface *s, uint32_t block, bool plain,
                 const uint8_t *data)
{
   if (plain || !rop_has_state(c, block) || c->no_compression ||
       s->block_bytes != EMUL_COMPRESS_BYTES)
      return s->block_bytes;
   return rop_transfer_compressed_bytes(c, s, data);
}

/* Decides how the block is stored. */
static void
rop_transfer_store(struct rop_cache *c, struct rop_request *r)
{
   const struct rop_surface *s = &c->surface[r->surface];
   const struct rop_posted *p = &c->posted[r->posted];
   const uint8_t *data = rop_posted_data(c, r->posted);
   struct sim_blocks *blocks = &c->box->gpu->device->blocks;
   bool stateful = rop_has_state(c, r->block);
   bool plain = sim_block_quarters(sim_block_state(blocks, p->address)) == 4;
   const uint32_t size = rop_block_stored(c, s, r->block, plain, data);
   r->wire_bytes =
       (uint16_t)(plain && r->partial ? rop_transfer_touched_bytes(r, size, s->element_bytes)
                                      : size);
   sim_block_set(blocks, p->address, p->bytes, 4 * size / p->bytes,
                 stateful ? rop_clear_flags(s, data) : 0);
   ++*rop_stat(c, p->work_id,
               size == p->bytes ? ROP_STAT_written_256
               : size == 64     ? ROP_STAT_written_64
               : size == 128    ? ROP_STAT_written_128
                                : ROP_STAT_written_192);
}

/* Returns whether a unit finished its block in this clock. It works while *until is not 0. */
static inline bool
rop_transfer_unit_done(sim_tick *until, sim_tick now)
{
   if (*until == 0 || *until > now)
      return false;
   *until = 0;
   return true;
}

static bool
rop_transfer_compress(struct rop_cache *c, sim_tick now)
{
   bool progress = rop_transfer_unit_done(&c->compressing, now);
   c->spills.stage[SPILL_COMPRESSED] += progress;
   struct rop_request *r = rop_transfer_waiting(c, &c->spills, SPILL_COMPRESSED);
   bool room = false;
   if (c->compressing == 0 && r) {
      const struct rop_posted *p = &c->posted[r->posted];
      /* HZ gets no depths of a partial line, since some are missing. */
      room = r->raw || r->partial || !c->evict ||
             c->evict(c->box, now, &c->surface[r->surface], p, rop_posted_data(c, r->posted));
      c->depends |= !room;
      if (room && !r->raw)
         rop_transfer_store(c, r);
      if (room)
         c->compressing = now + c->compress_latency;
   }
   if (c->spills.stage[SPILL_READ] - c->spills.stage[SPILL_COMPRESSED] == (c->compressing != 0))
      rop_transfer_wait(c, 0, ROP_STAT_write_out_empty);
   if (c->compressing) {
      r = rop_transfer_waiting(c, &c->spills, SPILL_COMPRESSED);
      rop_transfer_wait(c, c->posted[r->posted].work_id, ROP_STAT_compressor);
   }
   return progress | room;
}

static bool
rop_transfer_decompress(struct rop_cache *c, sim_tick now)
{
   bool progress = rop_transfer_unit_done(&c->decompressing, now);
   c->fills.stage[FILL_DECOMPRESSED] += progress;
   struct rop_request *r = rop_transfer_waiting(c, &c->fills, FILL_DECOMPRESSED);
   if (c->decompressing == 0 && r && r->received) {
      c->decompressing = now + c->decompress_latency;
      c->num_received--;
      progress = true;
   } else if (c->decompressing == 0 && c->num_received) {
      rop_transfer_wait(c, r->work_id, ROP_STAT_wait_read);
   }
   if (c->num_received == 0)
      rop_transfer_wait(c, 0, ROP_STAT_read_in_empty);
   if (c->decompressing)
      rop_transfer_wait(c, r->work_id, ROP_STAT_decompressor);
   return progress;
}

/* --- Between lines and queues --- */

static bool
rop_transfer_take_port(const struct rop_cache *c, sim_tick *port, uint32_t num_ports, sim_tick now,
                       uint32_t bytes, sim_tick *until)
{
   for (uint32_t i = 0; i < num_ports; i++) {
      if (port[i] <= now) {
         *until = now + (bytes + c->port_width - 1) / c->port_width * c->box->period;
         port[i] = *until;
         return true;
      }
   }
   return false;
}

/* Reads the next line to write back. */
static bool
rop_transfer_read_line(struct rop_cache *c, sim_tick now)
{
   struct rop_request *r = rop_transfer_waiting(c, &c->spills, SPILL_READ);
   if (!r)
      return false;
   const struct rop_posted *p = &c->posted[r->posted];
   if (c->reading) {
      if (c->spills.tail - c->spills.stage[SPILL_READ] > 1)
         rop_transfer_wait(c, p->work_id, ROP_STAT_read_port);
      return false;
   }
   if (!r->raw) {
      if (!rop_transfer_take_port(c, c->read_port, c->num_read_ports, now, p->bytes, &c->reading)) {
         rop_transfer_wait(c, p->work_id, ROP_STAT_read_port);
         c->depends = true;
         return false;
      }
      r->line_read = true;
      *rop_stat(c, p->work_id, ROP_STAT_fc_read_bytes) += p->bytes;
   } else {
      c->reading = now + c->box->period;
   }
   return true;
}

/* Writes the next block read into its line. */
static bool
rop_transfer_write_line(struct rop_cache *c, sim_tick now)
{
   struct rop_request *r = rop_transfer_waiting(c, &c->fills, FILL_IN_CACHE);
   if (!r || c->writing)
      return false;
   if (r->spill && !r->line_read) {
      rop_transfer_wait(c, r->work_id, ROP_STAT_war_stall);
      return false;
   }
   uint32_t bytes = c->line[r->line].bytes;
   if (!rop_transfer_take_port(c, c->write_port, c->num_write_ports, now, bytes, &c->writing)) {
      rop_transfer_wait(c, r->work_id, ROP_STAT_write_port);
      c->depends = true;
      return false;
   }
   *rop_stat(c, r->work_id, ROP_STAT_fc_write_bytes) += bytes;
   return true;
}

/* Ends the transfers between lines and queues whose time is over. */
static bool
rop_transfer_lines_done(struct rop_cache *c, sim_tick now)
{
   bool read = rop_transfer_unit_done(&c->reading, now),
        written = rop_transfer_unit_done(&c->writing, now);
   c->spills.stage[SPILL_READ] += read;
   if (written) {
      struct rop_request *r = rop_transfer_waiting(c, &c->fills, FILL_IN_CACHE);
      c->fills.stage[FILL_IN_CACHE]++;
      r->fill = false;
      rop_transfer_end_request(c, r);
   }
   return read | written;
}

/* Returns when the next unit is done. */
static sim_tick
rop_transfer_units_timer(const struct rop_cache *c)
{
   const sim_tick unit[] = {c->reading, c->writing, c->compressing, c->decompressing};
   sim_tick t = SIM_NEVER;
   for (unsigned i = 0; i < 4; i++)
      t = unit[i] && unit[i] < t ? unit[i] : t;
   return t;
}

bool
rop_transfer_step(struct rop_cache *c, sim_tick now)
{
   sim_held_waits_charge(&c->transfer_waits, c->box, now);
   if (c->free_requests == c->max_requests && !sim_peek(c->from_mc, now)) {
      rop_transfer_wait(c, 0, ROP_STAT_no_requests);
      rop_transfer_wait(c, 0, ROP_STAT_read_in_empty);
      rop_transfer_wait(c, 0, ROP_STAT_write_out_empty);
      c->transfer_at = SIM_NEVER;
      return false;
   }
   c->depends = false;
   bool sent = false, progress = rop_transfer_lines_done(c, now);
   progress |= rop_transfer_accept(c);
   progress |= rop_transfer_receive(c, now);
   progress |= rop_transfer_request_fill(c, now, &sent);
   progress |= rop_transfer_read_line(c, now);
   progress |= rop_transfer_decompress(c, now);
   progress |= rop_transfer_compress(c, now);
   progress |= rop_transfer_send_spill(c, now, sent);
   progress |= rop_transfer_write_line(c, now);
   c->transfer_at = progress || c->depends ? 0 : rop_transfer_units_timer(c);
   return progress;
}

sim_tick
rop_transfer_timer(const struct rop_cache *c, sim_tick now)
{
   sim_tick t = SIM_NEVER;
   const sim_tick unit[] = {c->reading,      c->writing,
                            c->compressing,  c->decompressing,
                            c->listed_until, c->command != ROP_IDLE ? c->cmd_until : 0};
   for (unsigned i = 0; i < sizeof(unit) / sizeof(unit[0]); i++)
      t = unit[i] > now && unit[i] < t ? unit[i] : t;
   for (unsigned i = 0; i < ROP_MAX_PORTS; i++) {
      t = c->read_port[i] > now && c->read_port[i] < t ? c->read_port[i] : t;
      t = c->write_port[i] > now && c->write_port[i] < t ? c->write_port[i] : t;
   }
   return t;
}

void
rop_transfer_dump(const struct rop_cache *c, FILE *f)
{
   fprintf(
       f,
       "   transfers: %u of %u requests free, %u wait for the queues; fills %u not requested, %u "
       "at memory, %u not in the cache; spills %u in the cache, %u not compressed, %u not sent; "
       "%u writes not answered\n",
       c->free_requests, c->max_requests, c->asked.tail - c->asked.stage[2],
       c->fills.tail - c->fills.stage[FILL_REQUESTED],
       c->fills.stage[FILL_REQUESTED] - c->fills.stage[FILL_DECOMPRESSED],
       c->fills.stage[FILL_DECOMPRESSED] - c->fills.stage[FILL_IN_CACHE],
       c->spills.tail - c->spills.stage[SPILL_READ],
       c->spills.stage[SPILL_READ] - c->spills.stage[SPILL_COMPRESSED],
       c->spills.stage[SPILL_COMPRESSED] - c->spills.stage[SPILL_SENT], c->num_posted);
}
