/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes memory maps from the V2 keys (config/sim_memory_map.h): masks name address bits;
 * interleaving in bytes becomes the bits it stands for. Both are ATTILA's; numbers of channels
 * other than powers of two are ours, for the papers' machines of 5 and 6 channels. */
#include "config/sim_memory_map.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "config/sim_config.h"

static unsigned
memory_map_bits_for(uint32_t count)
{
   unsigned bits = 0;
   while (1u << bits < count)
      bits++;
   return bits;
}

static bool
memory_map_power_of_two(uint32_t v)
{
   return v && !(v & (v - 1));
}

/* Reads a list such as "10 9 8". Returns how many numbers it has, or -1 if it is something else. */
static int
memory_map_list(const char *text, uint8_t listed[SIM_MAP_BITS])
{
   int n = 0;
   const char *s = text;
   while (*s) {
      char *end;
      unsigned long value = strtoul(s, &end, 10);
      if (end == s || !isdigit((unsigned char)*s) || value > 31 || value < 2 || n == SIM_MAP_BITS)
         return -1;
      listed[n++] = (uint8_t)value;
      s = end + strspn(end, " ");
   }
   return n;
}

bool
sim_memory_map_check_masks(const struct sim_config *config, char *error, size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   const struct {
      const char *key, *text;
      int most;
   } masks[] = {{"V2ChannelInterleavingMask", mc->channel_mask, SIM_MAP_BITS},
                {"V2BankInterleavingMask", mc->bank_mask, SIM_MAP_BANK_BITS},
                {"V2SecondChannelInterleavingMask", mc->second_channel_mask, SIM_MAP_BITS},
                {"V2SecondBankInterleavingMask", mc->second_bank_mask, SIM_MAP_BANK_BITS}};
   uint8_t listed[SIM_MAP_BITS];
   for (unsigned i = 0; i < sizeof(masks) / sizeof(masks[0]); i++) {
      const int num = memory_map_list(masks[i].text, listed);
      if (num < 0 || num > masks[i].most) {
         snprintf(error, error_size,
                  "MEMORYCONTROLLER.%s = \"%s\": expected up to %d bits of an address, each from 2 "
                  "to 31",
                  masks[i].key, masks[i].text, masks[i].most);
         return false;
      }
   }
   return true;
}

/* Reads a mask, which lists the highest bit of the number first. */
static bool
memory_map_parse_mask(const char *key, const char *text, unsigned count, uint8_t *bit, char *error,
                      size_t error_size)
{
   uint8_t listed[SIM_MAP_BITS];
   const int n = memory_map_list(text, listed);
   if (n != (int)count) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.%s = \"%s\": expected %u bits of an address, each from 2 to 31",
               key, text, count);
      return false;
   }
   for (int i = 0; i < n && i < SIM_MAP_BITS; i++)
      bit[i] = listed[n - 1 - i];
   return true;
}

/* Sets consecutive bits, from log2(bytes) on. */
static bool
memory_map_interleaving_bits(const char *key, uint32_t bytes, uint32_t least, unsigned count,
                             uint8_t *bit, char *error, size_t error_size)
{
   if (count && (!memory_map_power_of_two(bytes) || bytes < least)) {
      snprintf(error, error_size,
               "MEMORYCONTROLLER.%s = %u: expected a power of two, at least a burst (%u bytes)",
               key, bytes, least);
      return false;
   }
   for (unsigned i = 0; i < count && i < SIM_MAP_BITS; i++)
      bit[i] = (uint8_t)(__builtin_ctz(bytes) + i);
   return true;
}

/* The keys count bank bits in an address without its channel bits; this adds them back. */
static void
memory_map_skip_channel_bits(struct sim_memory_map *map)
{
   for (unsigned i = 0; i < map->bank_bits && map->channel_bits; i++) {
      if (map->bank_bit[i] >= map->channel_bit[0])
         map->bank_bit[i] = (uint8_t)(map->bank_bit[i] + map->channel_bits);
   }
}

/* Adds an address bit that moves to bit `place` of the number. Calls are in ascending order of
 * places. */
static void
memory_map_add_bit(struct sim_bit_runs *r, unsigned bit, unsigned place)
{
   const unsigned up = place > bit ? place - bit : 0, down = bit > place ? bit - place : 0;
   if (!r->num || r->run[r->num - 1].up != up || r->run[r->num - 1].down != down) {
      r->run[r->num].up = up;
      r->run[r->num++].down = down;
   }
   r->run[r->num - 1].mask |= 1ull << bit;
}

/* Collects every bit of the address once, with its place. */
static bool
memory_map_collect(struct sim_memory_map *map, char *error, size_t error_size)
{
   uint64_t used = 0;
   unsigned lowest = map->row_shift;
   for (unsigned i = 0; i < map->channel_bits + (unsigned)map->bank_bits; i++) {
      unsigned bit =
          i < map->channel_bits ? map->channel_bit[i] : map->bank_bit[i - map->channel_bits];
      if (used >> bit & 1) {
         snprintf(error, error_size,
                  "MEMORYCONTROLLER: bit %u of addresses selects the channel or the bank twice",
                  bit);
         return false;
      }
      used |= 1ull << bit;
      lowest = bit < lowest ? bit : lowest;
   }
   for (unsigned bit = 0, place = 0; bit < 64; bit++) {
      if (!(used >> bit & 1))
         memory_map_add_bit(&map->kept, bit, place++);
   }
   for (unsigned i = 0; i < map->channel_bits; i++)
      memory_map_add_bit(&map->channel, map->channel_bit[i], i);
   for (unsigned i = 0; i < map->bank_bits; i++)
      memory_map_add_bit(&map->bank, map->bank_bit[i], i);
   map->granule = (uint8_t)lowest;
   return true;
}

bool
sim_memory_map_init(struct sim_memory_map *map, const struct sim_config *config, bool second,
                    char *error, size_t error_size)
{
   const typeof(config->mc) *mc = &config->mc;
   const uint32_t burst = mc->burst_length * 4;
   *map = (struct sim_memory_map){.channels = mc->channels,
                                  .channel_bits = (uint8_t)memory_map_bits_for(mc->channels),
                                  .bank_bits = (uint8_t)memory_map_bits_for(mc->banks),
                                  .row_shift = (uint8_t)memory_map_bits_for(mc->row_size),
                                  .modulo = !memory_map_power_of_two(mc->channels)};
   bool ok;
   if (mc->splitter == 0) {
      ok = memory_map_interleaving_bits(
               second ? "V2SecondChannelInterleaving" : "V2ChannelInterleaving",
               second ? mc->second_channel_interleave : mc->channel_interleave, burst,
               map->channel_bits, map->channel_bit, error, error_size) &&
           memory_map_interleaving_bits(second ? "V2SecondBankInterleaving" : "V2BankInterleaving",
                                        second ? mc->second_bank_interleave : mc->bank_interleave,
                                        burst, map->bank_bits, map->bank_bit, error, error_size);
      memory_map_skip_channel_bits(map);
   } else {
      ok = memory_map_parse_mask(second ? "V2SecondChannelInterleavingMask"
                                        : "V2ChannelInterleavingMask",
                                 second ? mc->second_channel_mask : mc->channel_mask,
                                 map->channel_bits, map->channel_bit, error, error_size) &&
           memory_map_parse_mask(second ? "V2SecondBankInterleavingMask" : "V2BankInterleavingMask",
                                 second ? mc->second_bank_mask : mc->bank_mask, map->bank_bits,
                                 map->bank_bit, error, error_size);
   }
   if (!ok || !memory_map_collect(map, error, error_size))
      return false;
   for (unsigned i = 0; map->modulo && i < map->channel_bits; i++) {
      if (map->channel_bit[i] != map->channel_bit[0] + i) {
         snprintf(
             error, error_size,
             "MEMORYCONTROLLER.V2ChannelInterleavingMask = \"%s\": %u channels are no power of "
             "two and need neighbouring bits, highest first",
             mc->channel_mask, mc->channels);
         return false;
      }
   }
   if (1u << map->granule < burst) {
      snprintf(
          error, error_size,
          "MEMORYCONTROLLER: a burst of %u bytes (BurstLength) does not fit into one bank: bit "
          "%u of addresses selects channel or bank",
          burst, map->granule);
      return false;
   }
   return true;
}
