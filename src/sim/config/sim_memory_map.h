/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * An address's channel, bank and row, by the V2 keys of [MEMORYCONTROLLER]. Made once from a
 * configuration; a look-up is a few shifts. */
#ifndef SIM_MEMORY_MAP_H
#define SIM_MEMORY_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sim_config;

#define SIM_MAP_BITS 5      /* of channels, up to 32 */
#define SIM_MAP_BANK_BITS 4 /* of banks, up to 16 */

/* Address bits that become a number: runs of neighbouring bits, each moved. */
struct sim_bit_runs {
   unsigned num;
   struct {
      uint64_t mask;
      unsigned up, down;
   } run[2 * SIM_MAP_BITS + 1];
};

struct sim_memory_map {
   uint32_t channels;
   /* Address bits of channel and bank, lowest first. */
   uint8_t channel_bit[SIM_MAP_BITS], bank_bit[SIM_MAP_BITS];
   struct sim_bit_runs channel, bank, kept; /* kept: all other bits */
   uint8_t channel_bits, bank_bits;
   uint8_t row_shift;
   bool modulo;     /* the number of channels is not a power of two */
   uint8_t granule; /* log2 of the number of bytes that always lie in one row */
};

struct sim_memory_place {
   uint32_t row, column; /* column: bytes from the row's start */
   uint8_t channel, bank;
};

/* Checks the texts of all masks, also for a splitter or memory that the machine does not use. */
bool sim_memory_map_check_masks(const struct sim_config *config, char *error, size_t error_size);
/* Makes the first interleaving, or with `second` the second one. Returns false with a message if
 * keys contradict each other. */
bool sim_memory_map_init(struct sim_memory_map *map, const struct sim_config *config, bool second,
                         char *error, size_t error_size);

static inline uint64_t
sim_gather_bits(const struct sim_bit_runs *r, uint64_t value)
{
   uint64_t number = 0;
   for (unsigned i = 0; i < r->num; i++)
      number |= (value & r->run[i].mask) << r->run[i].up >> r->run[i].down;
   return number;
}

static inline struct sim_memory_place
sim_memory_place(const struct sim_memory_map *map, uint32_t address)
{
   struct sim_memory_place p = {0};
   uint64_t a = address;
   if (map->modulo) {
      /* Blocks go to channels in turn (MICRO 2005, Figure 9: 5 and 6 channels). The channel number
       * has as many bits as for the next power of two. */
      const unsigned shift = map->channel_bit[0];
      const uint64_t block = a >> shift;
      a = (block / map->channels << map->channel_bits | block % map->channels) << shift |
          (a & ((1ull << shift) - 1));
   }
   p.channel = (uint8_t)sim_gather_bits(&map->channel, a);
   p.bank = (uint8_t)sim_gather_bits(&map->bank, a);
   a = sim_gather_bits(&map->kept, a);
   p.row = (uint32_t)(a >> map->row_shift);
   p.column = (uint32_t)a & ((1u << map->row_shift) - 1);
   return p;
}

#endif
