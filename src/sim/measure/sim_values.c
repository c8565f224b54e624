/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The counts of work ids as values of columns. A command changes few statistics, so only columns
 * that are not 0 are passed on; adding, clearing and writing them then takes little time. Finding
 * them must look at all statistics of a work id, several at a time. Not here: the meaning of
 * columns (sim_columns.c). */
#include <stdlib.h>
#include <string.h>
#include "core/sim_inline.h"
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

/* Combines all statistics by OR. num: rounded up to steps. */
SIM_INLINE void
values_all_bits(const uint64_t *stat, unsigned num, four *bits)
{
   four a = *(const four *)stat, b = *(const four *)(stat + 4);
   for (unsigned s = SIM_STATS_STEP; s < num; s += SIM_STATS_STEP) {
      a |= *(const four *)(stat + s);
      b |= *(const four *)(stat + s + 4);
   }
   *bits = a | b;
}

/* Moves each counter to one or two columns. */
static inline void
values_take_counters(struct measure_values *v, uint64_t *stat, unsigned num, unsigned sum,
                     unsigned own)
{
   for (unsigned s = 0; s < num; s++) {
      if (!stat[s])
         continue;
      measure_values_count(v, sum + s, stat[s]);
      if (own != NO_COLUMN)
         measure_values_count(v, own + s, stat[s]);
      stat[s] = 0;
   }
}

/* ANY: an expression that is true if any bit of `bits` is set. */
#define TAKE(ANY)                                                                  \
   four bits;                                                                      \
   for (unsigned i = 0; i < c->num_sources; i++) {                                 \
      const struct measure_source *from = &c->source[i];                           \
      uint64_t *stat = (uint64_t *)(from->stats + (size_t)work_id * from->stride); \
      uint64_t *cycles = from->cycles + (size_t)work_id * SIM_NUM_ACTIVITIES;      \
      const unsigned n = from->num, own = c->own[i];                               \
      if (from->padded && (values_all_bits(stat, from->padded, &bits), ANY))       \
         values_take_counters(v, stat, n, c->sum[i], own);                         \
      bits = *(const four *)cycles;                                                \
      if (ANY)                                                                     \
         values_take_counters(v, cycles, SIM_NUM_ACTIVITIES, c->sum[i] + n,        \
                              own == NO_COLUMN ? own : own + n);                   \
   }

static void
values_take(struct measure_values *v, const struct measure_columns *c, unsigned work_id)
{
   TAKE((bits[0] | bits[1] | bits[2] | bits[3]) != 0)
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void
values_take_avx2(struct measure_values *v, const struct measure_columns *c, unsigned work_id)
{
   TAKE(!_mm256_testz_si256((__m256i)bits, (__m256i)bits))
}
#endif

void
measure_take(struct sim_measure *m, unsigned work_id, struct measure_values *v)
{
   measure_values_clear(v);
   if (!measure_states_take(m, work_id))
      measure_states_free(m);
#ifdef __x86_64__
   if (m->kernel->avx2)
      values_take_avx2(v, &m->columns, work_id);
   else
#endif
      values_take(v, &m->columns, work_id);
   measure_values_add(&m->frame, v);
   for (unsigned i = 0; m->taken && i < v->num_touched; i++)
      m->taken[v->touched[i]] += v->value[v->touched[i]];
}

/* --- Looking --- */

SIM_INLINE void
values_add(const uint64_t *stat, unsigned num, uint64_t *values)
{
   for (unsigned s = 0; s < num; s++)
      values[s] += stat[s];
}

void
measure_look_sums(const struct sim_measure *m, unsigned work_id, uint64_t *sums)
{
   for (unsigned i = 0; i < m->columns.num_sources; i++) {
      const struct measure_source *from = &m->columns.source[i];
      if (from->num)
         values_add((const uint64_t *)(from->stats + (size_t)work_id * from->stride), from->num,
                    sums + m->columns.sum[i]);
      values_add(from->cycles + (size_t)work_id * SIM_NUM_ACTIVITIES, SIM_NUM_ACTIVITIES,
                 sums + m->columns.sum[i] + from->num);
   }
}

/* Adds the counts of numbered boxes to their own columns, of single boxes to the columns of
 * sums. */
SIM_INLINE void
values_look_boxes(const struct measure_columns *c, unsigned work_id, uint64_t *all)
{
   for (unsigned i = 0; i < c->num_sources; i++) {
      const struct measure_source *from = &c->source[i];
      uint64_t *to = all + (c->own[i] == NO_COLUMN ? c->sum[i] : c->own[i]);
      if (from->num)
         values_add((const uint64_t *)(from->stats + (size_t)work_id * from->stride), from->num,
                    to);
      values_add(from->cycles + (size_t)work_id * SIM_NUM_ACTIVITIES, SIM_NUM_ACTIVITIES,
                 to + from->num);
   }
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void
values_look_boxes_avx2(const struct measure_columns *c, unsigned work_id, uint64_t *all)
{
   values_look_boxes(c, work_id, all);
}
#endif

static void
values_look_work(const struct sim_measure *m, unsigned work_id, uint64_t *all)
{
#ifdef __x86_64__
   if (m->kernel->avx2) {
      values_look_boxes_avx2(&m->columns, work_id, all);
      return;
   }
#endif
   values_look_boxes(&m->columns, work_id, all);
}

/* Sets the sums of numbered boxes from their own columns. */
static void
values_sum_up(const struct measure_columns *c, uint64_t *all)
{
   for (unsigned i = 0; i < c->num_classes; i++) {
      if (measure_class_numbered(c->classes[i].cls))
         memset(all + c->classes[i].first, 0,
                measure_class_stats(c->classes[i].cls) * sizeof(*all));
   }
   for (unsigned i = 0; i < c->num_sources; i++) {
      if (c->own[i] != NO_COLUMN)
         values_add(all + c->own[i], c->source[i].num + SIM_NUM_ACTIVITIES, all + c->sum[i]);
   }
}

void
measure_look(const struct sim_measure *m, unsigned work_id, uint64_t *all)
{
   values_look_work(m, work_id, all);
   values_sum_up(&m->columns, all);
}

void
measure_total(const struct sim_measure *m, uint64_t *all)
{
   memcpy(all, m->taken, m->columns.num * sizeof(*all));
   for (unsigned work_id = 0; work_id < m->kernel->used_work_ids; work_id++) {
      if (measure_work_in_use(&m->work, work_id))
         values_look_work(m, work_id, all);
   }
   values_sum_up(&m->columns, all);
}

bool
measure_remember(struct sim_measure *m)
{
   if (!m->taken)
      m->taken = calloc(m->columns.num + 1, sizeof(*m->taken));
   return m->taken;
}
