/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tags and storage of one level of a texture cache: sets x ways of clean lines with real memory
 * contents. A line with waiters is pinned until it has been read. Its key is its line number in the
 * space of uncompressed texels, with the compression in the upper bits (tu_key). No timing here
 * (tu_cache.c, tu_source_l1.c). */
#ifndef TU_TAGS_H
#define TU_TAGS_H

#include <emmintrin.h>
#include <stdbool.h>
#include <stdint.h>
#include "box/replace.h"

#define TU_NO_LINE UINT32_MAX
#define TU_NO_KEY UINT32_MAX
#define TU_VECTOR 16 /* bytes; a search of keys or pins may read so many behind the last */

struct tu_line {
   uint32_t waiters; /* first level: elements to wake when it is filled (tu_window.c) */
   uint32_t last_waiter;
   uint16_t work_id; /* of the request */
   bool valid;       /* its data has arrived */
   uint8_t *data;    /* [line_size] */
};

struct tu_tags {
   uint32_t sets, ways, line_size, line_shift;
   uint32_t *keys; /* [sets][ways]; TU_NO_KEY: free, or forgotten */
   uint16_t *pins; /* [sets][ways] readers that need a line */
   struct tu_line *lines;
   uint8_t *data;
   uint64_t *stamps; /* memory of replace */
   struct replace replace;
   uint32_t last; /* line found last */
};

/* sets, line_size: powers of two; policy: number of a replacement policy. */
void tu_tags_init(struct tu_tags *c, unsigned policy, uint32_t sets, uint32_t ways,
                  uint32_t line_size);
void tu_tags_fini(struct tu_tags *c);
/* Takes an unpinned line for key, not valid yet. TU_NO_LINE: the whole set is pinned. */
uint32_t tu_tags_allocate(struct tu_tags *c, uint32_t key);
/* Forgets the lines with bytes in [start, end) of memory; earlier pins still read them. */
void tu_tags_forget(struct tu_tags *c, uint64_t start, uint64_t end);

/* Returns the key of a line of 2^line_shift bytes of texels, 2^space times smaller in memory. */
static inline uint32_t
tu_key(uint32_t address, uint32_t line_shift, uint32_t space)
{
   return address >> (line_shift - space) | space << 29;
}
static inline uint32_t
tu_key_space(uint32_t key)
{
   return key >> 29;
}
/* Returns the first address of such a line in memory. */
static inline uint32_t
tu_key_address(uint32_t key, uint32_t line_shift)
{
   return (key & 0x1fffffff) << (line_shift - tu_key_space(key));
}

/* Returns the line with this key, valid or on its way, or TU_NO_LINE. */
static inline uint32_t
tu_tags_find(struct tu_tags *c, uint32_t key)
{
   if (c->keys[c->last] == key)
      return c->last;
   /* Keys of the next set never equal this one. */
   const uint32_t first = (key & (c->sets - 1)) * c->ways;
   const __m128i keys = _mm_set1_epi32((int)key);
   for (uint32_t i = first; i < first + c->ways; i += 4) {
      const __m128i equal = _mm_cmpeq_epi32(_mm_loadu_si128((const __m128i *)&c->keys[i]), keys);
      const unsigned found = (unsigned)_mm_movemask_ps(_mm_castsi128_ps(equal));
      if (found)
         return c->last = i + (unsigned)__builtin_ctz(found);
   }
   return TU_NO_LINE;
}

#endif
