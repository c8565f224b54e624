/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Blitter, the papers' Bit Blit unit: copies a box of elements between surfaces (CMD_BLIT) through
 * the memory controller, in the units of emul_blit.h. It reads the blocks that hold a unit's source
 * elements (for an average: all samples), rearranges the elements, and writes exactly the bytes
 * they cover. As in the last release, it has as many units in flight as the DAC's request queue has
 * entries, but only one when source and destination overlap. The ROPs must have written back both
 * surfaces before. */
#include <stdlib.h>
#include "box/command/block_count.h"
#include "box/sim_gpu.h"
#include "emul/rop/emul_blit.h"

SIM_BOX_STATS(blitter)

/* Blocks of 256 bytes that a unit touches on one side: 40 tiled, 24 linear, 50 when 8 samples of 16
 * bytes come from 4 tiles (5x5 quads of two blocks). */
#define MAX_BLOCKS 64
#define BLOCK 256

/* Blocks of one side of a unit. */
struct side {
   unsigned count;
   uint32_t address[MAX_BLOCKS];           /* of the block */
   uint64_t bytes[MAX_BLOCKS][BLOCK / 64]; /* bit per byte that belongs to an element */
   uint8_t data[MAX_BLOCKS][BLOCK];
};

enum unit_state { UNIT_FREE, UNIT_READ, UNIT_WRITE };
struct unit {
   uint8_t state; /* enum unit_state */
   struct emul_blit_unit u;
   unsigned next;    /* block to request next */
   unsigned byte;    /* writing: where to look for the next run of bytes */
   unsigned pending; /* requests without response */
   struct side src, dst;
   struct emul_resolve average;
};

struct blitter {
   struct sim_box box;
   struct blitter_stats *stat; /* [work_id] */
   bool active, serial;
   uint16_t work_id; /* the command's */
   struct attila_cmd_blit blit;
   uint32_t num_units, started, finished;
   uint32_t max_units; /* most units in flight */
   struct unit *units; /* [max_units] */
};

/* Returns the index of the block that holds address; adds the block if need be. */
static unsigned
blitter_side_block(struct side *s, uint32_t address)
{
   address &= ~(uint32_t)(BLOCK - 1);
   for (unsigned i = s->count; i-- > 0;) {
      if (s->address[i] == address)
         return i;
   }
   s->address[s->count] = address;
   memset(s->bytes[s->count], 0, sizeof(s->bytes[0]));
   return s->count++;
}

/* Returns how many bytes of an element, from address on, lie in one block. On a linear surface an
 * element may span two blocks. */
static unsigned
blitter_part(uint32_t address, unsigned bytes)
{
   unsigned left = BLOCK - address % BLOCK;
   return bytes < left ? bytes : left;
}

static void
blitter_side_add(struct side *s, uint32_t address, unsigned bytes)
{
   for (unsigned at = 0, n; at < bytes; at += n) {
      n = blitter_part(address + at, bytes - at);
      uint64_t *mask = s->bytes[blitter_side_block(s, address + at)];
      for (unsigned b = (address + at) % BLOCK, end = b + n; b < end; b++)
         mask[b / 64] |= 1ull << b % 64;
   }
}

static void
blitter_side_read(struct side *s, uint32_t address, unsigned bytes, uint8_t *out)
{
   for (unsigned at = 0, n; at < bytes; at += n) {
      n = blitter_part(address + at, bytes - at);
      memcpy(out + at, &s->data[blitter_side_block(s, address + at)][(address + at) % BLOCK], n);
   }
}

static void
blitter_side_write(struct side *s, uint32_t address, unsigned bytes, const uint8_t *in)
{
   for (unsigned at = 0, n; at < bytes; at += n) {
      n = blitter_part(address + at, bytes - at);
      memcpy(&s->data[blitter_side_block(s, address + at)][(address + at) % BLOCK], in + at, n);
   }
}

static bool
blitter_byte_used(const struct side *s, unsigned block, unsigned byte)
{
   return s->bytes[block][byte / 64] >> byte % 64 & 1;
}

static void
blitter_add_elements(struct blitter *t, struct unit *u, struct side *s,
                     const struct attila_cmd_blit_surface *surface, uint32_t sample,
                     uint32_t samples)
{
   for (uint32_t y = 0; y < u->u.height; y++) {
      for (uint32_t x = 0; x < u->u.width; x++) {
         for (uint32_t n = sample; n < sample + samples; n++)
            blitter_side_add(
                s, emul_blit_address(&t->blit, surface, u->u.x + x, u->u.y + y, u->u.z, n),
                t->blit.element_bytes);
      }
   }
}

static void
blitter_start_unit(struct blitter *t, struct unit *u)
{
   u->u = emul_blit_unit(&t->blit, t->started++);
   u->state = UNIT_READ;
   u->pending = u->next = u->byte = 0;
   u->src.count = u->dst.count = 0;
   blitter_add_elements(t, u, &u->src, &t->blit.src, u->u.sample, u->u.samples);
   blitter_add_elements(t, u, &u->dst, &t->blit.dst, 0, t->blit.resolve ? 1 : u->u.samples);
}

/* Averages the samples, which have all arrived, into the destination's blocks. */
static void
blitter_average(struct blitter *t, struct unit *u)
{
   uint8_t element[16];
   uint32_t bytes = t->blit.element_bytes, n = u->u.width * u->u.height;
   emul_resolve_start(&u->average, &t->blit);
   for (uint32_t i = 0; i < n; i++) {
      uint32_t x = u->u.x + i % u->u.width, y = u->u.y + i / u->u.width;
      for (uint32_t p = 0; p < t->blit.samples; p++) {
         blitter_side_read(&u->src, emul_blit_address(&t->blit, &t->blit.src, x, y, u->u.z, p),
                           bytes, element);
         emul_resolve_add(&u->average, &t->blit, i, element);
      }
      emul_resolve_store(&u->average, &t->blit, i, element);
      blitter_side_write(&u->dst, emul_blit_address(&t->blit, &t->blit.dst, x, y, u->u.z, 0), bytes,
                         element);
   }
   t->stat[t->work_id].averaged += n * t->blit.samples;
   t->stat[t->work_id].elements += n;
   u->state = UNIT_WRITE;
   u->next = u->byte = 0;
}

/* Moves all samples of an element, or the selected one. */
static void
blitter_move_element(struct blitter *t, struct unit *u, uint32_t x, uint32_t y)
{
   const uint32_t bytes = t->blit.element_bytes;
   uint8_t value[16];
   for (uint32_t n = u->u.sample; n < u->u.sample + u->u.samples; n++) {
      blitter_side_read(&u->src, emul_blit_address(&t->blit, &t->blit.src, x, y, u->u.z, n), bytes,
                        value);
      blitter_side_write(&u->dst, emul_blit_address(&t->blit, &t->blit.dst, x, y, u->u.z, n), bytes,
                         value);
   }
}

/* Moves the elements to the destination's blocks once all of the source has arrived. */
static void
blitter_rearrange(struct blitter *t, struct unit *u)
{
   for (uint32_t y = 0; y < u->u.height; y++) {
      for (uint32_t x = 0; x < u->u.width; x++)
         blitter_move_element(t, u, u->u.x + x, u->u.y + y);
   }
   t->stat[t->work_id].elements += u->u.width * u->u.height * u->u.samples;
   u->state = UNIT_WRITE;
   u->next = u->byte = 0;
}

/* Makes the next request of a unit; false if none is left. A read covers a block from its first to
 * its last byte in use, a write one run of bytes in use. */
static bool
blitter_next_request(struct unit *u, struct msg_mem_request *r)
{
   struct side *s = u->state == UNIT_READ ? &u->src : &u->dst;
   if (u->next >= s->count)
      return false;
   unsigned begin = u->byte, end;
   while (!blitter_byte_used(s, u->next, begin))
      begin++;
   if (u->state == UNIT_READ) {
      end = BLOCK;
      while (!blitter_byte_used(s, u->next, end - 1))
         end--;
   } else {
      end = begin + 1;
      while (end < BLOCK && blitter_byte_used(s, u->next, end))
         end++;
   }
   *r = (struct msg_mem_request){.data = &s->data[u->next][begin],
                                 .address = s->address[u->next] + begin,
                                 .size = (uint16_t)(end - begin),
                                 .write = u->state == UNIT_WRITE};
   unsigned more = end;
   while (more < BLOCK && !blitter_byte_used(s, u->next, more))
      more++;
   if (u->state == UNIT_READ || more == BLOCK) {
      u->next++;
      u->byte = 0;
   } else {
      u->byte = more;
   }
   return true;
}

static void
blitter_count_read(struct blitter_stats *s, uint8_t state, uint32_t wire)
{
   COUNT_BLOCK(s, sim_block_quarters(state));
   s->read_blocks++;
   s->read_bytes += wire;
}

/* Sends one request of a unit, or skips a clear block; false if the unit has none left. */
static bool
blitter_send_one(struct blitter *t, struct unit *u, unsigned n, sim_tick now)
{
   struct sim_signal *out = &t->box.gpu->net.blit_mc[0];
   struct sim_device *device = t->box.gpu->device;
   struct msg_mem_request r;
   if (!blitter_next_request(u, &r))
      return false;
   uint32_t wire = sim_blocks_dma_bytes(&device->blocks, r.address, r.size, r.write);
   if (!r.write)
      blitter_count_read(&t->stat[t->work_id], sim_block_state(&device->blocks, r.address), wire);
   if (wire == 0) { /* a clear block */
      memcpy(r.data, device->memory + r.address, r.size);
      return true;
   }
   r.cookie = n;
   r.work_id = t->work_id;
   r.wire_bytes = (uint16_t)wire;
   sim_send(out, now, &r);
   u->pending++;
   if (r.write) {
      t->stat[t->work_id].written_blocks++;
      t->stat[t->work_id].written_bytes += wire;
   }
   return true;
}

/* Sends one request of the oldest unit that has one. */
static bool
blitter_send_request(struct blitter *t, sim_tick now)
{
   if (!sim_can_send(&t->box.gpu->net.blit_mc[0], now))
      return false;
   for (uint32_t i = t->finished; i < t->started; i++) {
      unsigned n = i % t->max_units;
      if (t->units[n].state != UNIT_FREE && blitter_send_one(t, &t->units[n], n, now))
         return true;
   }
   return false;
}

static bool
blitter_take_responses(struct blitter *t, sim_tick now)
{
   struct sim_signal *in = &t->box.gpu->net.mc_blit[0];
   struct msg_mem_response *r;
   bool progress = false;
   while ((r = sim_peek(in, now))) {
      t->units[r->cookie].pending--;
      sim_pop(in, now);
      progress = true;
   }
   return progress;
}

/* Moves units on; at most one starts per cycle. */
static bool
blitter_advance_units(struct blitter *t, sim_tick now)
{
   bool progress = false;
   (void)now;
   for (uint32_t i = t->finished; i < t->started; i++) {
      struct unit *u = &t->units[i % t->max_units];
      if (u->pending)
         continue;
      if (u->state == UNIT_READ && u->next == u->src.count) {
         if (t->blit.resolve == ATTILA_RESOLVE_AVERAGE)
            blitter_average(t, u);
         else
            blitter_rearrange(t, u);
         progress = true;
      } else if (u->state == UNIT_WRITE && u->next == u->dst.count) {
         u->state = UNIT_FREE;
         progress = true;
      }
   }
   while (t->finished < t->started && t->units[t->finished % t->max_units].state == UNIT_FREE)
      t->finished++;
   if (t->started < t->num_units && t->started - t->finished < (t->serial ? 1 : t->max_units)) {
      blitter_start_unit(t, &t->units[t->started % t->max_units]);
      progress = true;
   }
   return progress;
}

/* Counts the cycles of a blit up to now. */
static void
blitter_flush_counters(struct sim_box *b, sim_tick now)
{
   struct blitter *t = (struct blitter *)b;
   if (t->active)
      t->stat[t->work_id].busy += sim_waited(b, now);
}

static void
blitter_init(struct sim_box *b)
{
   struct blitter *t = (struct blitter *)b;
   t->max_units = b->gpu->config.dac.requests;
   t->units = sim_xcalloc(t->max_units, sizeof(*t->units));
}

static void
blitter_fini(struct sim_box *b)
{
   free(((struct blitter *)b)->units);
}

static sim_tick
blitter_clock(struct sim_box *b, sim_tick now)
{
   struct blitter *t = (struct blitter *)b;
   struct sim_signal *in = &b->gpu->net.cp_blit[0], *out = &b->gpu->net.blit_cp[0];
   if (!t->active) {
      struct msg_blit *msg = sim_peek(in, now);
      if (!msg)
         return SIM_NEVER;
      char error[128];
      t->blit = msg->blit;
      t->work_id = msg->work_id;
      sim_pop(in, now);
      if (!emul_blit_check(&t->blit, b->gpu->device->memory_size, error, sizeof(error))) {
         sim_error(b, "%s", error);
         return SIM_NEVER;
      }
      t->num_units = emul_blit_num_units(&t->blit);
      t->serial = emul_blit_overlaps(&t->blit);
      t->started = t->finished = 0;
      t->active = true;
      t->stat[t->work_id].blits++;
      sim_busy(b, t->work_id);
      return now + b->period;
   }
   blitter_flush_counters(b, now);
   bool progress = blitter_take_responses(t, now);
   progress |= blitter_advance_units(t, now);
   progress |= blitter_send_request(t, now);
   if (t->finished == t->num_units && sim_can_send(out, now)) {
      struct msg_done done = {NULL, 0};
      sim_send(out, now, &done);
      t->active = false;
      progress = true;
   }
   if (progress)
      sim_busy(b, t->work_id);
   if (t->active)
      sim_blocked(b, t->work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
blitter_dump(const struct sim_box *b, FILE *f)
{
   const struct blitter *t = (const struct blitter *)b;
   if (!t->active)
      return;
   fprintf(f, "  blit of %ux%ux%u: %u of %u units finished, %u started\n", t->blit.width,
           t->blit.height, t->blit.depth, t->finished, t->num_units, t->started);
   for (unsigned i = 0; i < t->max_units; i++) {
      if (t->units[i].state != UNIT_FREE)
         fprintf(f, "  unit %u: %s, %u requests on their way\n", i,
                 t->units[i].state == UNIT_READ ? "reading" : "writing", t->units[i].pending);
   }
}

const struct sim_box_class blitter_class = {
    .size = sizeof(struct blitter),
    .domain = SIM_DOMAIN_GPU,
    .init = blitter_init,
    .clock = blitter_clock,
    .flush_counters = blitter_flush_counters,
    .dump = blitter_dump,
    .fini = blitter_fini,
    SIM_BOX_CLASS(blitter),
};
