/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The limiter: which unit held work up, from the boxes' counts.
 * 1. Demand: the time that a unit's work would take at its best rate, from its counts and the
 *    parameters that bound it (quads a cycle, instructions of groups, bilinear samples, blocks,
 *    widths of ports). A unit that is full but waits for memory is busy without demand. Where a
 *    sheet has no such measure, busy cycles are the demand. The busiest box counts, since uneven
 *    load limits, too.
 * 2. Back-pressure: a unit that is held up by the next one is not the limit. So busy cycles count
 *    only while the next unit takes results: busy * (1 - share of time in which the next one is
 *    blocked). They do not count at all if the next unit's demand is as high. From the end of the
 *    pipeline to its start, this finds a unit that works and is not blocked.
 * 3. Memory: its demand is the time in which the busiest channel is occupied, with opening rows and
 *    turnarounds. A client that holds work without demand, while the next box is not blocked, waits
 *    for memory. The larger of the two is memory's share. The limit is bandwidth if the data pins
 *    moved data in seven tenths of that time, else latency.
 * 4. System bus and command processor: their times are statistics of the command processor.
 *
 * A unit's share is its part of the time, at most 1. Units work at the same time, so shares do not
 * add up to 1. The first unit is the limit; the second would be if the first were faster. Of units
 * whose shares differ by less than 3 %, the one nearer to the pipeline's end comes first. The order
 * of events is ignored: different phases of the work are mixed. */
#include "measure/sim_limiter.h"

#include <string.h>
#include "config/sim_config.h"
#include "measure/sim_measure.h"

#define ALIKE 0.03
#define LEAST 0.05          /* smaller shares are not limits */
#define BANDWIDTH_SHARE 0.7 /* of memory's time */

/* A sheet's line; see units/units.h. */
struct sim_limiter_rule {
   enum { NO_RULE, UNIT, CHANNEL, MEMORY } kind;
   unsigned place;
   const char *name, *latency; /* latency: of MEMORY, whose name stands for its bandwidth */
   enum sim_limiter_class next;
   bool memory;
};

/* The units at both ends of every signal. Two units of which a machine has one (ALT) have no
 * receiver here. */
enum {
#define BOX(class, member, group, how_many) MEMBER_##member = SIM_LIMITER_OF_##class,
#define ALT(class, other, member, group, condition, how_many) MEMBER_##member = SIM_LIMITER_OF_NONE,
#define SIG(signal, from, to, ...) FROM_##signal = MEMBER_##from, TO_##signal = MEMBER_##to,
   SIM_BOXES(BOX, ALT) SIM_SIGNALS(SIG)
#undef SIG
#undef ALT
#undef BOX
       TO_NONE = SIM_LIMITER_OF_NONE,
};

/* A sheet names a signal that its own unit sends. */
#define L(place, name, ideal, output, memory)                                           \
   {                                                                                    \
      enum { FROM_NONE = self };                                                        \
      _Static_assert((unsigned)FROM_##output == (unsigned)self,                         \
                     "SIM_LIMITER: " #output " is no output of the unit \"" name "\""); \
   }
#define NOTHING(...)
#define U(class)                                        \
   static inline void limiter_check_##class(void)       \
   {                                                    \
      enum { self = SIM_LIMITER_OF_##class };           \
      SIM_LIMITER_##class(L, NOTHING, NOTHING, NOTHING) \
   }
SIM_EACH_UNIT
#undef U
#undef NOTHING
#undef L

static const struct sim_limiter_rule rules[SIM_LIMITER_CLASSES][4] = {
#define L(place, name, ideal, output, memory) \
   {UNIT, place, name, NULL, (enum sim_limiter_class)TO_##output, memory},
#define W(stat, cycles)
#define C(stat) {.kind = CHANNEL},
#define M(place, bandwidth, latency, ideal) {MEMORY, place, bandwidth, latency, 0, false},
#define U(class) {SIM_LIMITER_##class(L, W, C, M){NO_RULE}},
    SIM_EACH_UNIT
#undef U
#undef M
#undef W
#undef C
#undef L
};
static const char *const class_names[] = {
#define U(class) SIM_UNIT_NAME(class),
    SIM_EACH_UNIT
#undef U
};

/* --- Where it is --- */

static unsigned
limiter_find_stat(const struct sim_box_class *cls, const char *name)
{
   for (unsigned s = 0; s < measure_class_stats(cls); s++) {
      if (!strcmp(measure_class_stat(cls, s)->name, name))
         return s;
   }
   return NO_COLUMN;
}

static void
limiter_add_term(struct sim_limiter_unit *u, const struct sim_box_class *cls, const char *name,
                 double cycles)
{
   const unsigned stat = cls ? limiter_find_stat(cls, name) : NO_COLUMN;
   if (stat != NO_COLUMN && u->num_terms < SIM_LIMITER_TERMS)
      u->term[u->num_terms++] = (struct sim_limiter_term){stat, cycles};
}

/* Adds the terms of a rule of a sheet (rule: from 0): the lines W that follow its line L. */
#define L(...) at++;
#define W(stat, cycles) \
   if (at == rule + 1)  \
      limiter_add_term(u, cls, stat, cycles);
#define C(stat) limiter_add_term(u, cls, stat, 1);
#define M(...)
#define U(class)                                                                     \
   static void limiter_add_terms_##class(struct sim_limiter_unit * u, unsigned rule, \
                                         const struct sim_box_class *cls,            \
                                         const struct sim_config *c)                 \
   {                                                                                 \
      unsigned at = 0;                                                               \
      (void)u, (void)rule, (void)cls, (void)c, (void)at;                             \
      SIM_LIMITER_##class(L, W, C, M)                                                \
   }
SIM_EACH_UNIT
#undef U
#undef M
#undef C
#undef W
#undef L
static void (*const add_terms[])(struct sim_limiter_unit *u, unsigned rule,
                                 const struct sim_box_class *cls, const struct sim_config *c) = {
#define U(class) limiter_add_terms_##class,
    SIM_EACH_UNIT
#undef U
};

/* Returns the place of a unit in pipeline order. */
static struct sim_limiter_unit *
limiter_add_unit(struct sim_limiter *l, const struct sim_limiter_rule *rule, unsigned class)
{
   unsigned at = l->num_units++;
   for (; at && l->unit[at - 1].rule->place > rule->place; at--)
      l->unit[at] = l->unit[at - 1];
   l->unit[at] = (struct sim_limiter_unit){.rule = rule, .class = (enum sim_limiter_class) class};
   return &l->unit[at];
}

static const struct sim_box_class *
limiter_find_boxes(struct sim_limiter_boxes *b, const struct measure_columns *c,
                   const struct sim_kernel *k, const char *class)
{
   const struct sim_box_class *found = NULL;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      if (strcmp(cls->name, class))
         continue;
      found = cls;
      b->first[b->num++] = c->own[i] == NO_COLUMN ? c->sum[i] : c->own[i];
   }
   if (found) {
      b->domain = found->domain;
      b->busy = limiter_find_stat(found, "CyclesBusy");
      b->blocked = limiter_find_stat(found, "CyclesBlocked");
   }
   return found;
}

void
sim_limiter_init(struct sim_limiter *l, const struct measure_columns *columns,
                 const struct sim_kernel *k, const struct sim_config *config)
{
   memset(l, 0, sizeof(*l));
   for (unsigned i = 0; i < SIM_LIMITER_CLASSES; i++) {
      const struct sim_box_class *cls =
          limiter_find_boxes(&l->boxes[i], columns, k, class_names[i]);
      for (unsigned r = 0; rules[i][r].kind != NO_RULE; r++)
         add_terms[i](limiter_add_unit(l, &rules[i][r], i), r, cls, config);
   }
   for (unsigned u = 0; u < l->num_units; u++) {
      /* The unit behind setup is tiling or traversal. */
      l->unit[u].next = l->unit[u].rule->next;
      if (l->unit[u].next == SIM_LIMITER_OF_plb && !l->boxes[SIM_LIMITER_OF_plb].num)
         l->unit[u].next = SIM_LIMITER_OF_tt;
   }
}

unsigned
sim_limiter_terms(const struct sim_limiter *l, const char *class,
                  struct sim_limiter_term term[SIM_LIMITER_TERMS])
{
   unsigned num = 0;
   for (unsigned u = 0; u < l->num_units; u++) {
      if (strcmp(class_names[l->unit[u].class], class))
         continue;
      for (unsigned t = 0; t < l->unit[u].num_terms && num < SIM_LIMITER_TERMS; t++)
         term[num++] = l->unit[u].term[t];
   }
   return num;
}

/* --- What it did --- */

/* The shares of time of a class: the means of its boxes, and the share of the busiest box. */
struct spent {
   double busy, blocked, most_busy;
};

/* The work of a unit as a share of time: the maximum and the mean of its boxes. */
struct found {
   double demand, mean;
};

/* Returns the cycles that the work of a box takes at its best rate. */
static double
limiter_work_of(const struct sim_limiter_unit *u, const uint64_t *stat)
{
   double most = 0;
   for (unsigned t = 0; t < u->num_terms; t++) {
      const double cycles = (double)stat[u->term[t].stat] * u->term[t].cycles;
      most = cycles > most ? cycles : most;
   }
   return most;
}

static struct spent
limiter_find_spent(const struct sim_limiter_boxes *b, const uint64_t *values,
                   const uint64_t cycles[SIM_NUM_DOMAINS])
{
   struct spent s = {0};
   const double time = (double)cycles[b->domain];
   if (!b->num || time <= 0)
      return s;
   for (unsigned i = 0; i < b->num; i++) {
      const uint64_t *stat = values + b->first[i];
      const double busy = (double)stat[b->busy];
      s.most_busy = busy > s.most_busy ? busy : s.most_busy;
      s.busy += busy;
      s.blocked += (double)stat[b->blocked];
   }
   const double all = time * b->num;
   return (struct spent){s.busy / all, s.blocked / all, s.most_busy / time};
}

static struct found
limiter_find_work(const struct sim_limiter *l, const struct sim_limiter_unit *u,
                  const struct spent *spent, const uint64_t *values,
                  const uint64_t cycles[SIM_NUM_DOMAINS])
{
   const struct sim_limiter_boxes *b = &l->boxes[u->class];
   const double time = (double)cycles[b->domain];
   struct found f = {0};
   if (!b->num || time <= 0)
      return f;
   if (!u->num_terms)
      return (struct found){spent[u->class].most_busy, spent[u->class].busy};
   for (unsigned i = 0; i < b->num; i++) {
      const double demand = limiter_work_of(u, values + b->first[i]);
      f.demand = demand > f.demand ? demand : f.demand;
      f.mean += demand;
   }
   return (struct found){f.demand / time, f.mean / (time * b->num)};
}

static double
limiter_blocked_behind(const struct sim_limiter_unit *u, const struct spent *spent)
{
   const double blocked = u->next == SIM_LIMITER_OF_NONE ? 0.0 : spent[u->next].blocked;
   return blocked < 1.0 ? blocked : 1.0;
}

/* Returns the share of time in which a unit without a measure of its work is busy and not held up
 * by the next unit. */
static double
limiter_held(const struct sim_limiter *l, unsigned u, const struct found *found,
             const struct spent *spent)
{
   const double share = found[u].demand * (1.0 - limiter_blocked_behind(&l->unit[u], spent));
   for (unsigned v = 0; v < l->num_units; v++) {
      if (l->unit[v].class == l->unit[u].next && l->unit[v].num_terms &&
          found[v].demand > share - ALIKE)
         return 0;
   }
   return share;
}

/* Returns memory's share. *bandwidth: bandwidth is the limit, not latency. */
static double
limiter_memory_share(const struct sim_limiter *l, const struct found *found,
                     const struct spent *spent, bool *bandwidth)
{
   double share = 0, data = 0;
   for (unsigned u = 0; u < l->num_units; u++) {
      const struct sim_limiter_unit *unit = &l->unit[u];
      const struct spent *s = &spent[unit->class];
      double waits = 0;
      if (unit->rule->kind == CHANNEL) {
         waits = s->most_busy;
         data = found[u].demand > data ? found[u].demand : data;
      } else if (unit->rule->memory)
         waits = s->busy + s->blocked - found[u].mean -
                 (s->blocked > 0 ? limiter_blocked_behind(unit, spent) : 0);
      share = waits > share ? waits : share;
   }
   *bandwidth = data >= BANDWIDTH_SHARE * share;
   return share;
}

static void
limiter_insert(struct sim_limits *limits, const char *unit, double share)
{
   unsigned at = SIM_NUM_LIMITS;
   while (at && (!limits->limit[at - 1].unit || share > limits->limit[at - 1].share + ALIKE))
      at--;
   if (at == SIM_NUM_LIMITS)
      return;
   memmove(limits->limit + at + 1, limits->limit + at,
           (SIM_NUM_LIMITS - 1 - at) * sizeof(limits->limit[0]));
   limits->limit[at] = (struct sim_limit){unit, share};
}

struct sim_limits
sim_limiter_find(const struct sim_limiter *l, const uint64_t *values,
                 const uint64_t cycles[SIM_NUM_DOMAINS])
{
   struct spent spent[SIM_LIMITER_CLASSES];
   struct found found[SIM_NUM_LIMITERS];
   struct sim_limits limits = {0};
   bool bandwidth;
   for (unsigned c = 0; c < SIM_LIMITER_CLASSES; c++)
      spent[c] = limiter_find_spent(&l->boxes[c], values, cycles);
   for (unsigned u = 0; u < l->num_units; u++)
      found[u] = limiter_find_work(l, &l->unit[u], spent, values, cycles);
   const double memory = limiter_memory_share(l, found, spent, &bandwidth);
   for (unsigned u = 0; u < l->num_units; u++) {
      const struct sim_limiter_rule *rule = l->unit[u].rule;
      const char *name = rule->name;
      double share = found[u].demand;
      if (rule->kind == MEMORY) {
         share = memory;
         name = bandwidth ? rule->name : rule->latency;
      } else if (rule->kind == CHANNEL)
         continue;
      else if (!l->unit[u].num_terms)
         share = limiter_held(l, u, found, spent);
      if (share >= LEAST)
         limiter_insert(&limits, name, share < 1.0 ? share : 1.0);
   }
   return limits;
}
