/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Block states: a block's cost on the memory pins. A block is 64 consecutive elements of a tile (64
 * to 256 bytes), or 256 bytes of larger elements. ROPs clear and compress blocks; all readers of
 * memory (ROPs, texture units, DAC, blitter, command processor) ask here how many bytes cross the
 * pins.
 * - Memory always holds the bytes that a block decodes to: a state changes a transfer's cost, not
 *   its meaning. So a wrong state changes cycles, never pixels.
 * - States are per 64 bytes, equal for all parts of a block, so readers need not know surfaces.
 *   They survive changes of render targets.
 * - The ROP that owns a tile writes its states while it works. All others access states only
 *   between commands, after the command processor has waited for the ROPs. So the order of clocking
 *   changes nothing. */
#ifndef SIM_BLOCKS_H
#define SIM_BLOCKS_H

#include <stdbool.h>
#include <stdint.h>

#define SIM_BLOCK_UNIT 64u     /* bytes with one state */
#define SIM_BLOCKS_GROUP 4096u /* states checked together */

/* A state: how many quarters of a block cross the pins (0: clear, 4: plain), the block's size, and
 * which planes of a depth and stencil block still hold the clear value. State 0 is plain memory
 * that others wrote. Memory that was never written is plain, too, but is known to be zeros, as if
 * cleared to 0. */
enum {
   SIM_BLOCK_SAVED_MASK = 0x07,    /* quarters saved: 4 minus the quarters on the pins */
   SIM_BLOCK_SIZE_SHIFT = 3,       /* log2 of the block's size in SIM_BLOCK_UNITs, 3 bits */
   SIM_BLOCK_DEPTH_CLEAR = 0x40,   /* also for clear colour */
   SIM_BLOCK_STENCIL_CLEAR = 0x80, /* always set without stencil */
   SIM_BLOCK_NEVER_WRITTEN = SIM_BLOCK_DEPTH_CLEAR | SIM_BLOCK_STENCIL_CLEAR,
   /* These stand in place of the quarters saved, only while functional mode precedes cycle mode: a
    * draw wrote the block, which was clear or compressed before, or plain. The block's state is
    * found on demand (box/rop/rop_warming.c). */
   SIM_BLOCK_DRAWN = 5,
   SIM_BLOCK_DRAWN_PLAIN = 6,
};

struct sim_blocks {
   uint8_t *stored; /* [memory_size / SIM_BLOCK_UNIT], XOR SIM_BLOCK_NEVER_WRITTEN: initial zeros
                     * cost the host nothing */
   uint8_t *drawn;  /* [group]: functional mode may have drawn in it */
   uint64_t memory_size;
};

/* Sets all memory to "never written". memory_size: multiple of SIM_BLOCK_UNIT. Returns false if
 * host memory is exhausted; call sim_blocks_fini even then. */
bool sim_blocks_init(struct sim_blocks *b, uint64_t memory_size);
void sim_blocks_fini(struct sim_blocks *b);

/* Returns the state of the block with this address. */
static inline uint8_t
sim_block_state(const struct sim_blocks *b, uint32_t address)
{
   return b->stored[address / SIM_BLOCK_UNIT] ^ SIM_BLOCK_NEVER_WRITTEN;
}

/* Returns the bytes of a block with this state: 64 (also if no ROP wrote it) to 1024. */
static inline uint32_t
sim_block_bytes(uint8_t state)
{
   return SIM_BLOCK_UNIT << (state >> SIM_BLOCK_SIZE_SHIFT & 7);
}

/* Returns the quarters that cross the pins when the block is read: 0 (clear) to 4 (plain). */
static inline uint32_t
sim_block_quarters(uint8_t state)
{
   return 4 - (state & SIM_BLOCK_SAVED_MASK);
}

/* Sets the state of a block of size bytes at address, a multiple of size. quarters: 0 to 4. clear:
 * SIM_BLOCK_DEPTH_CLEAR, SIM_BLOCK_STENCIL_CLEAR. */
void sim_block_set(struct sim_blocks *b, uint32_t address, uint32_t size, uint32_t quarters,
                   uint8_t clear);

/* Returns whether functional mode has drawn in the block since its state was found. */
static inline bool
sim_block_drawn(uint8_t state)
{
   return (state & SIM_BLOCK_SAVED_MASK) >= SIM_BLOCK_DRAWN;
}
/* Notes that functional mode draws in a block of size bytes at address, a multiple of size. */
void sim_block_draw_slow(struct sim_blocks *b, uint32_t address, uint32_t size);
static inline void
sim_block_draw(struct sim_blocks *b, uint32_t address, uint32_t size)
{
   if (!sim_block_drawn(sim_block_state(b, address)))
      sim_block_draw_slow(b, address, size);
}
/* Makes the blocks plain that functional mode has drawn in; called when cycle mode begins. */
void sim_blocks_make_plain(struct sim_blocks *b);

/* Returns the bytes on the pins for a read of size bytes at address: compressed blocks cross whole,
 * clear ones not at all. */
uint32_t sim_blocks_read_bytes(const struct sim_blocks *b, uint32_t address, uint32_t size);

/* Returns the bytes that a request for size bytes moves over the pins: size, or a whole compressed
 * block if that is less, or 0 for a clear value, which is known without memory. */
static inline uint32_t
sim_blocks_wire_bytes(const struct sim_blocks *b, uint32_t address, uint32_t size)
{
   uint32_t bytes = sim_blocks_read_bytes(b, address, size);
   return bytes < size ? bytes : size;
}

/* Makes the blocks plain that a unit without block states writes (size bytes at address). Returns
 * the additional bytes on the pins: clear and compressed blocks that are written in part are read,
 * completed and written whole. */
uint32_t sim_blocks_overwrite(struct sim_blocks *b, uint32_t address, uint32_t size);

/* Returns the bytes that a DMA request within a block of 256 bytes moves over the pins: for a read
 * as sim_blocks_wire_bytes, for a write its size and what sim_blocks_overwrite returns, but at most
 * the whole block. */
static inline uint32_t
sim_blocks_dma_bytes(struct sim_blocks *b, uint32_t address, uint32_t size, bool write)
{
   if (!write)
      return sim_blocks_wire_bytes(b, address, size);
   uint32_t bytes = size + sim_blocks_overwrite(b, address, size);
   return bytes < 256 ? bytes : 256;
}

#endif
