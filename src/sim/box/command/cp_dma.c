/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command Processor, memory side (ISPASS 2006 section 2): WRITE_BUFFER, READ_BUFFER, CONDITION,
 * INDIRECT.
 * Data crosses the system bus at SystemBusBytes per cycle, and goes to or comes from memory in
 * requests of up to 256 bytes, each with a buffer until its response. The next command begins once
 * a write is sent; a command that depends on the write waits until cp->writes is 0. */
#include "box/command/cp.h"

void
cp_dma_init(struct cp *cp)
{
   for (uint32_t i = 0; i < CP_DMA; i++)
      cp->dma_free[i] = (uint8_t)i;
   cp->num_dma_free = CP_DMA;
}

void
cp_dma_responses(struct cp *cp, sim_tick now)
{
   struct sim_signal *in = &cp->box.gpu->net.mc_cp[0];
   const struct msg_mem_response *r;
   while ((r = sim_peek(in, now))) {
      struct cp_dma *d = &cp->dma[r->cookie];
      if (r->write) {
         cp->writes--;
      } else {
         if (d->dst)
            memcpy(d->dst, d->data, d->size);
         cp->reads--;
      }
      sim_work_unref(cp->box.gpu->work, d->work_id);
      cp->dma_free[cp->num_dma_free++] = (uint8_t)r->cookie;
      sim_pop(in, now);
   }
}

static bool
cp_dma_request(struct cp *cp, sim_tick now, uint32_t address, const void *src, void *dst,
               uint32_t size)
{
   struct sim_signal *out = &cp->box.gpu->net.cp_mc[0];
   struct sim_device *device = cp->box.gpu->device;
   if (!cp->num_dma_free || !sim_can_send(out, now))
      return false;
   uint32_t wire = sim_blocks_dma_bytes(&device->blocks, address, size, src != NULL);
   if (wire == 0) { /* a clear block */
      if (dst)
         memcpy(dst, device->memory + address, size);
      cp_again(cp, now + cp->box.period);
      return true;
   }
   cp->reads += !src;
   uint8_t i = cp->dma_free[--cp->num_dma_free];
   struct cp_dma *d = &cp->dma[i];
   d->dst = dst;
   d->size = (uint16_t)size;
   d->work_id = cp->work_id;
   sim_work_ref(cp->box.gpu->work, d->work_id);
   if (src)
      memcpy(d->data, src, size);
   sim_send(out, now,
            &(struct msg_mem_request){.data = d->data,
                                      .address = address,
                                      .size = (uint16_t)size,
                                      .wire_bytes = (uint16_t)wire,
                                      .write = src != NULL,
                                      .work_id = d->work_id,
                                      .cookie = i});
   /* The signal takes one request per cycle. */
   cp_again(cp, now + cp->box.period);
   return true;
}

bool
cp_dma_write(struct cp *cp, sim_tick now, uint32_t address, const void *src, uint32_t size)
{
   if (!cp_dma_request(cp, now, address, src, NULL, size))
      return false;
   cp->writes++;
   cp->stat[cp->work_id].bytes_written += size;
   return true;
}

bool
cp_dma_read(struct cp *cp, sim_tick now, uint32_t address, void *dst, uint32_t size)
{
   if (!cp_dma_request(cp, now, address, NULL, dst, size))
      return false;
   cp->stat[cp->work_id].read_transactions++;
   cp->stat[cp->work_id].bytes_read += size;
   return true;
}

uint32_t
cp_dma_piece(const struct cp *cp, uint32_t address, uint32_t size)
{
   uint32_t room = CP_BLOCK - (address + cp->at) % CP_BLOCK, left = size - cp->at;
   return left < room ? left : room;
}

/* Waits for what may use the range: all earlier work, or only geometry and some passes of a
 * tile-based machine. False: not yet. */
static bool
cp_dma_waited(struct cp *cp, uint64_t start, uint64_t end, bool held, sim_tick now)
{
   if (cp->max_passes > 1)
      return cp_pass_away(cp, NULL, &(struct cp_range){.start = start, .end = end}, now);
   if (held || !cp_pass_lets_write(cp, start, end))
      return cp_idle(cp, now);
   return cp_waited(cp, cp->in_geometry != 0, now);
}

bool
cp_exec_write_buffer(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)payload;
   uint32_t size = b->size & ~ATTILA_BUFFER_NO_WAIT;
   const uint8_t *data = (const uint8_t *)(payload + sizeof(*b) / 4);
   uint64_t end = (uint64_t)b->address + size;
   if (cp->phase == 0) {
      /* ROPs may hold its old contents, or averages on their way to it. */
      bool held = cp_rop_holds(cp, b->address, end);
      for (uint32_t i = 0; i < cp->max_passes; i++)
         held |= cp->pass[i].resolves;
      if ((held || cp_waits(cp) || !(b->size & ATTILA_BUFFER_NO_WAIT)) &&
          !cp_dma_waited(cp, b->address, end, held, now))
         return false;
      cp->phase = 1;
   }
   if (cp->phase == 1) {
      if (!cp_rop_sync(cp, CP_ROPS, b->address, end, true, now))
         return false;
      cp->transfer = now;
      cp->at = 0;
      cp->phase = 2;
      cp->stat[cp->work_id].write_transactions++;
   }
   while (cp->at < size) {
      uint32_t piece = cp_dma_piece(cp, b->address, size);
      sim_tick here = cp_bus_time(cp, cp->transfer, (uint64_t)cp->at + piece);
      if (now < here) {
         cp_again(cp, here);
         return false;
      }
      if (!cp_dma_write(cp, now, b->address + cp->at, data + cp->at, piece))
         return false;
      cp->at += piece;
   }
   if (size)
      cp_written(cp, b->address, end);
   return true;
}

bool
cp_exec_read_buffer(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)payload;
   const struct sim_device *device = cp->box.gpu->device;
   const struct cp_range range = {.start = b->address, .end = (uint64_t)b->address + b->size};
   if (cp->phase == 0) {
      if (!cp_pass_away(cp, &range, NULL, now))
         return false;
      cp->phase = 1;
   }
   if (cp->phase == 1) {
      if (!cp_rop_sync(cp, CP_ROPS, range.start, range.end, false, now))
         return false;
      cp->transfer = now;
      cp->at = 0;
      cp->phase = 2;
   }
   while (cp->at < b->size) {
      uint32_t piece = cp_dma_piece(cp, b->address, b->size);
      /* A replay reads the data too, but keeps none. */
      bool wanted = device->read.dst && cp->at + piece <= device->read.size;
      uint8_t *dst = wanted ? device->read.dst + cp->at : NULL;
      if (!cp_dma_read(cp, now, b->address + cp->at, dst, piece))
         return false;
      cp->at += piece;
   }
   if (cp->reads)
      return false;
   sim_tick done = cp_bus_time(cp, cp->transfer, b->size);
   if (now < done) {
      cp_again(cp, done);
      return false;
   }
   return true;
}

/* Reads what a command needs to know into cp->condition, from cp->at 0 on; true when it is there.
 */
static bool
cp_dma_find(struct cp *cp, uint32_t address, uint32_t size, sim_tick now)
{
   while (cp->at < size) {
      uint32_t piece = cp_dma_piece(cp, address, size);
      if (!cp_dma_read(cp, now, address + cp->at, (uint8_t *)cp->condition + cp->at, piece))
         return false;
      cp->at += piece;
   }
   return cp->reads == 0;
}

bool
cp_dma_find_drawn(struct cp *cp, unsigned phase, uint32_t address, uint32_t size, sim_tick now)
{
   if (cp->phase == phase) {
      if (!cp_rop_sync(cp, CP_ROPS, address, (uint64_t)address + size, false, now))
         return false;
      cp->at = 0;
      cp->phase = phase + 1;
   }
   return cp_dma_find(cp, address, size, now);
}

bool
cp_exec_condition(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_cmd_condition *c = (const struct attila_cmd_condition *)payload;
   uint32_t size = c->count * 16;
   if (cp->phase == 0) {
      /* The counters must be written before they are read. Draws in flight go on. */
      if (cp->event_head != cp->event_tail)
         cp_pass_end_by_command(cp);
      if (cp->event_head != cp->event_tail || cp->writes ||
          !cp_listed_resolved(cp, c->address, (uint64_t)c->address + size, now))
         return false;
      cp->at = 0;
      cp->phase = 1;
   }
   if (!cp_dma_find(cp, c->address, size, now))
      return false;
   sim_frontend_set_condition(cp->box.gpu->device->frontend, c, cp->condition);
   return true;
}

bool
cp_exec_indirect(struct cp *cp, const uint32_t *payload, sim_tick now)
{
   const struct attila_cmd_indirect *c = (const struct attila_cmd_indirect *)payload;
   const uint32_t size = 4 * c->words;
   const uint64_t start = c->address, end = start + size;
   if (cp->phase == 0) {
      /* What is on its way to this memory comes first. Other draws in flight go on. */
      const bool counter = cp_event_writes(cp, start, end);
      if (counter)
         cp_pass_end_by_command(cp);
      if (counter || cp->writes || !cp_listed_resolved(cp, start, end, now) ||
          ((cp_rop_holds(cp, start, end) || cp_stream_writes(cp, start, end) ||
            cp_storage_writes(cp, start, end)) &&
           !cp_idle(cp, now)))
         return false;
      cp->phase = 1;
   }
   if (!cp_dma_find_drawn(cp, 1, c->address, size, now))
      return false;
   sim_frontend_set_indirect(cp->box.gpu->device->frontend, c, cp->condition);
   return true;
}
