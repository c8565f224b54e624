/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which boxes are due: one pass over the kernel's compact array of wake ticks, with the widest
 * vectors that the host has (kernel->scan). Not here: what wakes a box (core/sim_kernel.c,
 * core/sim_signal.c).
 */
#include "core/sim_due.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* Sets the bits of the boxes that are due at tick t, 64 boxes a word, and marks these asleep.
 * Entries past num_boxes are SIM_NEVER. */
static void
take_due_base(sim_tick *wake, unsigned num_boxes, sim_tick t, uint64_t *due)
{
   for (unsigned i = 0; i < num_boxes; i += 8) {
      uint64_t bits = 0;
      for (unsigned n = 0; n < 8; n++) {
         const bool is_due = wake[i + n] <= t;
         bits |= (uint64_t)is_due << n;
         wake[i + n] |= -(sim_tick)is_due;
      }
      due[i / 64] |= bits << i % 64;
   }
}

#ifdef __x86_64__
static inline __attribute__((target("avx2"))) unsigned
take_four_avx2(__m256i *wake, __m256i sign, __m256i now)
{
   /* Comparisons are of signed numbers. */
   const __m256i ticks = _mm256_load_si256(wake);
   const __m256i later = _mm256_cmpgt_epi64(_mm256_xor_si256(ticks, sign), now);
   _mm256_store_si256(wake,
                      _mm256_or_si256(ticks, _mm256_xor_si256(later, _mm256_set1_epi64x(-1))));
   return (unsigned)_mm256_movemask_pd(_mm256_castsi256_pd(later)) ^ 15;
}

static __attribute__((target("avx2"))) void
take_due_avx2(sim_tick *wake, unsigned num_boxes, sim_tick t, uint64_t *due)
{
   const __m256i sign = _mm256_set1_epi64x(INT64_MIN);
   const __m256i now = _mm256_set1_epi64x((long long)(t ^ 1ull << 63));
   for (unsigned i = 0; i < num_boxes; i += 8) {
      const uint64_t bits = take_four_avx2((__m256i *)(wake + i), sign, now) |
                            take_four_avx2((__m256i *)(wake + i + 4), sign, now) << 4;
      due[i / 64] |= bits << i % 64;
   }
}

static __attribute__((target("avx512f"))) void
take_due_avx512(sim_tick *wake, unsigned num_boxes, sim_tick t, uint64_t *due)
{
   const __m512i now = _mm512_set1_epi64((long long)t), never = _mm512_set1_epi64(-1);
   for (unsigned i = 0; i < num_boxes; i += 8) {
      const __m512i ticks = _mm512_load_si512(wake + i);
      const __mmask8 is_due = _mm512_cmple_epu64_mask(ticks, now);
      if (is_due) {
         _mm512_store_si512(wake + i, _mm512_mask_mov_epi64(ticks, is_due, never));
         due[i / 64] |= (uint64_t)is_due << i % 64;
      }
   }
}
#endif

/* SIM_NEVER has all bits: what is due becomes it by an or. */
static inline void
take_due(struct sim_kernel *k, sim_tick t, uint64_t *due)
{
#ifdef __x86_64__
   if (__builtin_expect(k->scan == SIM_SCAN_AVX512, 1))
      take_due_avx512(k->wake, k->num_boxes, t, due);
   else if (k->scan == SIM_SCAN_AVX2)
      take_due_avx2(k->wake, k->num_boxes, t, due);
   else
#endif
      take_due_base(k->wake, k->num_boxes, t, due);
}

bool
sim_due_take(struct sim_kernel *k, sim_tick t, uint64_t *due)
{
   uint64_t any = 0;
   const unsigned words = (k->num_boxes + 63) / 64;
   for (unsigned word = 0; word < words; word++)
      due[word] = 0;
   take_due(k, t, due);
   for (unsigned word = 0; word < words; word++) {
      for (uint64_t left = k->one_domain ? 0 : due[word]; left; left &= left - 1) {
         const unsigned b = 64 * word + (unsigned)__builtin_ctzll(left);
         if (t % k->period[k->domain[b]] != 0) {
            k->wake[b] = t; /* it stays due */
            due[word] &= ~(left & -left);
         }
      }
      any |= due[word];
   }
   return any != 0;
}

unsigned
sim_due_list(struct sim_kernel *k, sim_tick t, uint16_t *list)
{
   unsigned n = 0;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      unsigned b = k->order[i];
      if ((k->thorough || k->wake[b] <= t) && t % k->period[k->domain[b]] == 0)
         list[n++] = (uint16_t)b;
   }
   for (unsigned i = 0; i < n; i++)
      k->wake[list[i]] = SIM_NEVER;
   return n;
}

sim_tick
sim_due_next(const struct sim_kernel *k, sim_tick t)
{
   sim_tick earliest[SIM_NUM_DOMAINS] = {SIM_NEVER, SIM_NEVER, SIM_NEVER}, next = SIM_NEVER;
   for (unsigned b = 0; b < k->num_boxes; b++) {
      unsigned d = k->domain[b];
      earliest[d] = k->wake[b] < earliest[d] ? k->wake[b] : earliest[d];
   }
   for (unsigned d = 0; d < SIM_NUM_DOMAINS; d++) {
      if (earliest[d] == SIM_NEVER)
         continue;
      sim_tick w = earliest[d] < t ? t : earliest[d];
      w = (w + k->period[d] - 1) / k->period[d] * k->period[d];
      next = w < next ? w : next;
   }
   return next;
}
