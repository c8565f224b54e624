/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What slots have counted, as values of columns. A command touches few of the machine's statistics,
 * so what is passed on is the list of columns that are not 0: summing, clearing and writing cost
 * what the command did and not what the machine could count. Only looking for them walks over
 * everything, which is why they are taken from the boxes as they lie there (struct measure_raw),
 * and become columns in the writer's thread. Not here: which column is what (sim_columns.c).
 */
#include <stdlib.h>
#include <string.h>
#include "measure/sim_measure.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

_Static_assert(SIM_NUM_ACTIVITIES == 4, "taken as four");

bool
measure_values_make(struct measure_values *v, unsigned num)
{
   v->value = calloc(num + 1, sizeof(*v->value));
   v->touched = calloc(num + 1, sizeof(*v->touched));
   v->num_touched = 0;
   return v->value && v->touched && num <= UINT16_MAX;
}

void
measure_values_free(struct measure_values *v)
{
   free(v->value);
   free(v->touched);
}

void
measure_values_clear(struct measure_values *v)
{
   for (unsigned i = 0; i < v->num_touched; i++)
      v->value[v->touched[i]] = 0;
   v->num_touched = 0;
}

void
measure_values_add(struct measure_values *v, const struct measure_values *more)
{
   for (unsigned i = 0; i < more->num_touched; i++)
      measure_values_count(v, more->touched[i], more->value[more->touched[i]]);
}

/* --- Parts --- */

struct measure_values *
measure_parts_state(struct measure_parts *p, unsigned num_states, unsigned state,
                    unsigned num_columns)
{
   if (state >= p->num) {
      struct measure_values *grown = realloc(p->state, num_states * sizeof(*grown));
      if (!grown)
         return NULL;
      memset(grown + p->num, 0, (num_states - p->num) * sizeof(*grown));
      p->state = grown;
      p->num = num_states;
   }
   struct measure_values *v = &p->state[state];
   return v->value || measure_values_make(v, num_columns) ? v : NULL;
}

void
measure_parts_clear(struct measure_parts *p)
{
   for (unsigned i = 0; i < p->num; i++)
      measure_values_clear(&p->state[i]);
}

void
measure_parts_free(struct measure_parts *p)
{
   for (unsigned i = 0; i < p->num; i++)
      measure_values_free(&p->state[i]);
   free(p->state);
}

/* --- Taking --- */

typedef uint64_t four __attribute__((vector_size(32), aligned(8), may_alias));

_Static_assert(2 * sizeof(four) == SIM_STATS_STEP * sizeof(uint64_t), "two at a time");

/* num: rounded up to steps. */
static inline __attribute__((always_inline)) void
all_bits(const uint64_t *stat, unsigned num, four *bits)
{
   four a = *(const four *)stat, b = *(const four *)(stat + 4);
   for (unsigned s = SIM_STATS_STEP; s < num; s += SIM_STATS_STEP) {
      a |= *(const four *)(stat + s);
      b |= *(const four *)(stat + s + 4);
   }
   *bits = a | b;
}

/* Moves counters to out, and leaves zeros. num: rounded up to fours. */
static inline __attribute__((always_inline)) void
move(uint64_t *stat, unsigned num, uint64_t *out)
{
   for (unsigned s = 0; s < num; s += 4) {
      *(four *)(out + s) = *(const four *)(stat + s);
      *(four *)(stat + s) = (four){0};
   }
}

size_t
measure_raw_size(const struct sim_kernel *k)
{
   size_t num = 0;
   for (unsigned i = 0; i < k->num_boxes; i++)
      num += k->boxes[i]->cls->num_stats + SIM_NUM_ACTIVITIES;
   return sizeof(struct measure_raw) + (num + SIM_STATS_STEP) * sizeof(uint64_t);
}

/* ANY: whether any bit of bits is set. What is moved beyond the last one of a box is written over
 * by the next. */
#define TAKE(ANY)                                                               \
   uint64_t *out = raw->counter;                                                \
   four bits;                                                                   \
   memset(raw, 0, sizeof(*raw));                                                \
   for (unsigned i = 0; i < c->num_sources; i++) {                              \
      const struct measure_source *from = &c->source[i];                        \
      uint64_t *stat = (uint64_t *)(from->stats + (size_t)slot * from->stride); \
      uint64_t *cycles = from->cycles + (size_t)slot * SIM_NUM_ACTIVITIES;      \
      if (from->padded && (all_bits(stat, from->padded, &bits), ANY)) {         \
         raw->stats[i / 64] |= 1ull << i % 64;                                  \
         move(stat, from->padded, out);                                         \
         out += from->num;                                                      \
      }                                                                         \
      bits = *(const four *)cycles;                                             \
      if (ANY) {                                                                \
         raw->cycles[i / 64] |= 1ull << i % 64;                                 \
         move(cycles, SIM_NUM_ACTIVITIES, out);                                 \
         out += SIM_NUM_ACTIVITIES;                                             \
      }                                                                         \
   }                                                                            \
   raw->num = (uint32_t)(out - raw->counter);                                   \
   return (size_t)((uint8_t *)out - (uint8_t *)raw)

static size_t
take(struct measure_raw *raw, const struct measure_columns *c, unsigned slot)
{
   TAKE((bits[0] | bits[1] | bits[2] | bits[3]) != 0);
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) size_t
take_avx2(struct measure_raw *raw, const struct measure_columns *c, unsigned slot)
{
   TAKE(!_mm256_testz_si256((__m256i)bits, (__m256i)bits));
}
#endif

size_t
measure_raw_take(struct measure_raw *raw, const struct measure_columns *c, bool avx2, unsigned slot)
{
#ifdef __x86_64__
   if (avx2)
      return take_avx2(raw, c, slot);
#endif
   return take(raw, c, slot);
}

/* Adds counters to one or two columns each. */
static inline const uint64_t *
add_counters(struct measure_values *v, const uint64_t *stat, unsigned num, unsigned sum,
             unsigned own)
{
   for (unsigned s = 0; s < num; s++) {
      if (!stat[s])
         continue;
      measure_values_count(v, sum + s, stat[s]);
      if (own != NO_COLUMN)
         measure_values_count(v, own + s, stat[s]);
   }
   return stat + num;
}

void
measure_values_add_raw(struct measure_values *v, const struct measure_columns *c,
                       const struct sim_kernel *k, const struct measure_raw *raw)
{
   const uint64_t *at = raw->counter;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const unsigned n = k->boxes[i]->cls->num_stats, own = c->own[i];
      if (raw->stats[i / 64] >> i % 64 & 1)
         at = add_counters(v, at, n, c->sum[i], own);
      if (raw->cycles[i / 64] >> i % 64 & 1)
         at = add_counters(v, at, SIM_NUM_ACTIVITIES, c->sum[i] + n,
                           own == NO_COLUMN ? own : own + n);
   }
}

/* --- Looking --- */

static void
look(const uint64_t *stat, unsigned num, uint64_t *values)
{
   for (unsigned s = 0; s < num; s++)
      values[s] += stat[s];
}

void
measure_values_look(const struct measure_columns *c, const struct sim_kernel *k, unsigned slot,
                    uint64_t *sums)
{
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      const unsigned n = b->cls->num_stats;
      if (n)
         look(sim_stat(b, slot), n, sums + c->sum[i]);
      look((const uint64_t *)&b->cycles[slot], SIM_NUM_ACTIVITIES, sums + c->sum[i] + n);
   }
}

void
measure_values_look_all(const struct measure_columns *c, const struct sim_kernel *k, unsigned slot,
                        uint64_t *values)
{
   measure_values_look(c, k, slot, values);
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      const unsigned n = b->cls->num_stats;
      if (c->own[i] == NO_COLUMN)
         continue;
      if (n)
         look(sim_stat(b, slot), n, values + c->own[i]);
      look((const uint64_t *)&b->cycles[slot], SIM_NUM_ACTIVITIES, values + c->own[i] + n);
   }
}

void
measure_raw_start(struct measure_raw *raw, const struct sim_kernel *k)
{
   memset(raw, 0, measure_raw_size(k));
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const unsigned n = k->boxes[i]->cls->num_stats;
      raw->stats[i / 64] |= (uint64_t)(n > 0) << i % 64;
      raw->cycles[i / 64] |= 1ull << i % 64;
      raw->num += n + SIM_NUM_ACTIVITIES;
   }
}

static inline __attribute__((always_inline)) uint64_t *
look_raw(const uint64_t *stat, unsigned num, uint64_t *out)
{
   unsigned s = 0;
   for (; s + 4 <= num; s += 4)
      *(four *)(out + s) += *(const four *)(stat + s);
   for (; s < num; s++)
      out[s] += stat[s];
   return out + num;
}

static inline __attribute__((always_inline)) void
look_all(struct measure_raw *raw, const struct sim_kernel *k, unsigned slot)
{
   uint64_t *out = raw->counter;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      const unsigned n = b->cls->num_stats;
      if (n)
         out = look_raw(sim_stat(b, slot), n, out);
      out = look_raw((const uint64_t *)&b->cycles[slot], SIM_NUM_ACTIVITIES, out);
   }
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void
look_all_avx2(struct measure_raw *raw, const struct sim_kernel *k, unsigned slot)
{
   look_all(raw, k, slot);
}
#endif

void
measure_raw_look(struct measure_raw *raw, const struct sim_kernel *k, unsigned slot)
{
#ifdef __x86_64__
   if (k->avx2) {
      look_all_avx2(raw, k, slot);
      return;
   }
#endif
   look_all(raw, k, slot);
}
