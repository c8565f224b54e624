/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Block states: what a block of a surface costs on the memory pins. A block is 64 consecutive
 * elements of a tile, 64 to 256 bytes; of larger elements 256 bytes.
 * The ROPs clear and compress blocks; whoever reads memory (ROPs, texture units, DAC, blitter,
 * command processor) asks here how many bytes cross the pins.
 *
 * - Memory itself always holds the bytes that a block decodes to, also of a clear or a compressed
 * one: the state changes what a transfer costs, never what it means. So a wrong state is a wrong
 * cycle, not a wrong pixel.
 * - States are kept per 64 bytes of memory, the same for every part of a block, so a reader needs
 * to know no surface. They stay when render targets change.
 * - The ROP that owns a tile writes its states while it works; all others read or write states only
 * between commands that the command processor has waited for. So the order in which boxes are
 * clocked changes nothing.
 */
#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_BLOCK_UNIT 64u     /* bytes that have one state */
#define SIM_BLOCKS_GROUP 4096u /* states that are looked at together, or not at all */

/* A state: how many quarters of a block cross the pins (0: clear, 4: plain), the size of the block,
 * and which planes of a depth and stencil block still hold the surface's clear value. 0 is the
 * state of memory that somebody else wrote: plain. Memory that nobody has written is plain, too,
 * but known to hold zeros, as if it had been cleared to them. */
enum {
   SIM_BLOCK_SAVED_MASK = 0x07,    /* quarters saved: 4 minus those that cross the pins */
   SIM_BLOCK_SIZE_SHIFT = 3,       /* log2 of the block's size in SIM_BLOCK_UNITs, 3 bits */
   SIM_BLOCK_DEPTH_CLEAR = 0x40,   /* also: colour clear */
   SIM_BLOCK_STENCIL_CLEAR = 0x80, /* a block without stencil always has it */
   SIM_BLOCK_NEVER_WRITTEN = SIM_BLOCK_DEPTH_CLEAR | SIM_BLOCK_STENCIL_CLEAR,
   /* Instead of quarters saved, only while functional mode leads up to cycle mode: a draw has
    * written the block, whose state is found when it is asked for (box/rop/rop_warming.c); it was
    * clear or compressed before, or plain. */
   SIM_BLOCK_DRAWN = 5,
   SIM_BLOCK_DRAWN_PLAIN = 6,
};

struct sim_blocks {
   uint8_t *stored; /* [memory_size / SIM_BLOCK_UNIT], exclusive or SIM_BLOCK_NEVER_WRITTEN: zeros
                       at the start cost the host nothing */
   uint8_t *drawn;  /* [group]: functional mode may have drawn in a block of it */
   uint64_t memory_size;
};

/* All of memory never written. memory_size: multiple of SIM_BLOCK_UNIT. False: out of host memory;
 * sim_blocks_fini all the same. */
bool sim_blocks_init(struct sim_blocks *b, uint64_t memory_size);
void sim_blocks_fini(struct sim_blocks *b);

/* The state of the block that holds this address. */
static inline uint8_t
sim_block_state(const struct sim_blocks *b, uint32_t address)
{
   return b->stored[address / SIM_BLOCK_UNIT] ^ SIM_BLOCK_NEVER_WRITTEN;
}

/* Bytes of the block that holds this address: 64 (also: not written by a ROP) to 1024. */
static inline uint32_t
sim_block_bytes(uint8_t state)
{
   return SIM_BLOCK_UNIT << (state >> SIM_BLOCK_SIZE_SHIFT & 7);
}

/* Quarters of the block that cross the pins when it is read: 0 (clear) to 4 (plain). */
static inline uint32_t
sim_block_quarters(uint8_t state)
{
   return 4 - (state & SIM_BLOCK_SAVED_MASK);
}

/* Sets the state of a block of size bytes at address (a multiple of its size). quarters: 0 to 4.
 * clear: SIM_BLOCK_DEPTH_CLEAR, SIM_BLOCK_STENCIL_CLEAR. */
void sim_block_set(struct sim_blocks *b, uint32_t address, uint32_t size, uint32_t quarters,
                   uint8_t clear);

/* Whether functional mode has drawn in the block since its state was found. */
static inline bool
sim_block_drawn(uint8_t state)
{
   return (state & SIM_BLOCK_SAVED_MASK) >= SIM_BLOCK_DRAWN;
}
/* Functional mode draws in a block of size bytes at address (a multiple of its size). */
void sim_block_draw_slow(struct sim_blocks *b, uint32_t address, uint32_t size);
static inline void
sim_block_draw(struct sim_blocks *b, uint32_t address, uint32_t size)
{
   if (!sim_block_drawn(sim_block_state(b, address)))
      sim_block_draw_slow(b, address, size);
}
/* Blocks that are still drawn become plain: cycle mode begins. */
void sim_blocks_make_plain(struct sim_blocks *b);

/* Bytes that cross the pins when size bytes at address are read: a compressed block crosses as a
 * whole, a clear one not at all. */
uint32_t sim_blocks_read_bytes(const struct sim_blocks *b, uint32_t address, uint32_t size);

/* What a request for size bytes moves over the pins: as many as are asked for, or the whole of a
 * compressed block if that is less; 0: nothing, memory holds a clear value that is known without
 * it. */
static inline uint32_t
sim_blocks_wire_bytes(const struct sim_blocks *b, uint32_t address, uint32_t size)
{
   uint32_t bytes = sim_blocks_read_bytes(b, address, size);
   return bytes < size ? bytes : size;
}

/* Something that knows no states writes size bytes at address: blocks they belong to become plain.
 * Returns the bytes beyond size that cross the pins for it: of clear and compressed blocks that are
 * written in part, which are read, completed and written as a whole. */
uint32_t sim_blocks_overwrite(struct sim_blocks *b, uint32_t address, uint32_t size);

/* What a request of a DMA moves over the pins, within a block of 256 bytes: as
 * sim_blocks_wire_bytes, or for a write as sim_blocks_overwrite, the whole of such a block at most.
 */
static inline uint32_t
sim_blocks_dma_bytes(struct sim_blocks *b, uint32_t address, uint32_t size, bool write)
{
   if (!write)
      return sim_blocks_wire_bytes(b, address, size);
   uint32_t bytes = size + sim_blocks_overwrite(b, address, size);
   return bytes < 256 ? bytes : 256;
}

#endif
