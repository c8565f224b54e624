/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Block states (sim_blocks.h). */
#include "decode/sim_blocks.h"

#include <stdlib.h>
#include <string.h>

bool
sim_blocks_init(struct sim_blocks *b, uint64_t memory_size)
{
   b->memory_size = memory_size;
   b->stored = calloc(memory_size / SIM_BLOCK_UNIT, 1);
   b->drawn = calloc(memory_size / SIM_BLOCK_UNIT / SIM_BLOCKS_GROUP + 1, 1);
   return b->stored && b->drawn;
}

void
sim_blocks_fini(struct sim_blocks *b)
{
   free(b->stored);
   free(b->drawn);
   b->stored = b->drawn = NULL;
}

void
sim_block_set(struct sim_blocks *b, uint32_t address, uint32_t size, uint32_t quarters,
              uint8_t clear)
{
   unsigned units = size / SIM_BLOCK_UNIT;
   unsigned log2 = units > 1 ? 31 - (unsigned)__builtin_clz(units) : 0;
   uint8_t state = (uint8_t)((4 - quarters) | log2 << SIM_BLOCK_SIZE_SHIFT | clear);
   const uint8_t stored = state ^ SIM_BLOCK_NEVER_WRITTEN;
   uint8_t *at = b->stored + address / SIM_BLOCK_UNIT;
   if (__builtin_expect(units == 4, 1))
      memcpy(at, &(uint32_t){stored * 0x01010101u}, 4);
   else
      memset(at, stored, units ? units : 1);
}

void
sim_block_draw_slow(struct sim_blocks *b, uint32_t address, uint32_t size)
{
   const uint8_t old = sim_block_state(b, address);
   const bool plain = sim_block_quarters(old) == 4;
   sim_block_set(b, address, size, 4, 0);
   const uint8_t state = sim_block_state(b, address) |
                         (plain ? SIM_BLOCK_DRAWN_PLAIN : SIM_BLOCK_DRAWN) |
                         (old == SIM_BLOCK_NEVER_WRITTEN ? 0 : old & SIM_BLOCK_NEVER_WRITTEN);
   memset(b->stored + address / SIM_BLOCK_UNIT, state ^ SIM_BLOCK_NEVER_WRITTEN,
          size / SIM_BLOCK_UNIT);
   /* Several threads may write this value at once. */
   __atomic_store_n(&b->drawn[address / SIM_BLOCK_UNIT / SIM_BLOCKS_GROUP], 1, __ATOMIC_RELAXED);
}

/* Skips groups in which nothing was drawn: a forked process would otherwise copy the pages of all
 * states. */
void
sim_blocks_make_plain(struct sim_blocks *b)
{
   const uint64_t states = b->memory_size / SIM_BLOCK_UNIT;
   for (uint64_t i = 0; i < states; i++) {
      if (!b->drawn[i / SIM_BLOCKS_GROUP]) {
         i |= SIM_BLOCKS_GROUP - 1;
         continue;
      }
      const uint8_t state = b->stored[i] ^ SIM_BLOCK_NEVER_WRITTEN;
      if (b->stored[i] && sim_block_drawn(state))
         b->stored[i] = (uint8_t)(state & 7 << SIM_BLOCK_SIZE_SHIFT) ^ SIM_BLOCK_NEVER_WRITTEN;
   }
}

/* Returns the first address of the block that holds address. */
static uint32_t
blocks_block_start(uint8_t state, uint32_t address)
{
   return address & ~(sim_block_bytes(state) - 1);
}

uint32_t
sim_blocks_read_bytes(const struct sim_blocks *b, uint32_t address, uint32_t size)
{
   uint32_t bytes = 0;
   uint64_t end = (uint64_t)address + size;
   for (uint64_t at = address; at < end;) {
      uint8_t state = sim_block_state(b, (uint32_t)at);
      uint64_t next = (uint64_t)blocks_block_start(state, (uint32_t)at) + sim_block_bytes(state);
      uint32_t quarters = sim_block_quarters(state),
               length = (uint32_t)((next < end ? next : end) - at);
      bytes += quarters == 4 ? length : sim_block_bytes(state) / 4 * quarters;
      at = next;
   }
   return bytes;
}

uint32_t
sim_blocks_overwrite(struct sim_blocks *b, uint32_t address, uint32_t size)
{
   uint32_t more = 0;
   uint64_t end = (uint64_t)address + size;
   for (uint64_t at = address; at < end;) {
      uint8_t state = sim_block_state(b, (uint32_t)at);
      uint32_t start = blocks_block_start(state, (uint32_t)at), block = sim_block_bytes(state);
      uint64_t next = (uint64_t)start + block;
      if (state) {
         uint32_t quarters = sim_block_quarters(state);
         uint32_t length = (uint32_t)((next < end ? next : end) - at);
         if (quarters < 4 && length < block)
            more += block / 4 * quarters + block - length;
         memset(b->stored + start / SIM_BLOCK_UNIT, SIM_BLOCK_NEVER_WRITTEN,
                block / SIM_BLOCK_UNIT);
      }
      at = next;
   }
   return more;
}
