/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The limiter: which unit held work up, from the boxes' counts.
 * 1. Demand: a unit's work in cycles at its best (quads, samples of quads, instructions of groups,
 *    bilinear samples, blocks). A unit that is full but waits inside for memory is busy without
 *    demand. Without such a measure, busy cycles count. The busiest box counts, since uneven load
 *    limits, too.
 * 2. Back-pressure: what a unit holds in front of a blocked one is not its fault, so busy cycles
 *    count only as far as the next box takes results: busy * (1 - share in which that one is
 *    blocked). From the pipeline's end to its start this passes the blame to a unit that works and
 *    is not blocked.
 * 3. Memory: its demand is the busiest channel's occupation, with opening rows and turnarounds. A
 *    client that holds work without demand, while the next box is not blocked, waits for memory.
 *    The larger of both is memory's share: bandwidth if the data pins moved data in seven tenths of
 *    that time, else latency.
 * 4. System bus and command processor: what the command processor counts of its own time.
 * A unit's share is its part of the time, at most 1. Units work at the same time, so shares do not
 * add up to 1: the first one limits, the next would if it were faster. Shares within 3 % order by
 * nearness to the pipeline's end. Time is ignored: different phases (shadows of one draw behind
 * another) mix. */
#include "measure/sim_limiter.h"

#include <string.h>
#include "measure/sim_measure.h"

#define ALIKE 0.03
#define LEAST 0.05          /* smaller shares are not limits */
#define BANDWIDTH_SHARE 0.7 /* of memory's time */

/* A sheet's line; see units/units.h. */
struct sim_limiter_rule {
   enum { NO_RULE, UNIT, CHANNEL, MEMORY } kind;
   unsigned place;
   const char *name, *latency; /* latency: of MEMORY, whose name is its bandwidth */
   const char *terms;
   enum sim_limiter_class next;
   bool memory;
};

/* The ends of every signal: their units. The two of an alternative have no receiver behind. */
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
#define L(place, name, ideal, terms, output, memory)                                    \
   {                                                                                    \
      enum { FROM_NONE = self };                                                        \
      _Static_assert((unsigned)FROM_##output == (unsigned)self,                         \
                     "SIM_LIMITER: " #output " is no output of the unit \"" name "\""); \
   }
#define NOTHING(...)
#define U(class)                                  \
   static inline void limiter_check_##class(void) \
   {                                              \
      enum { self = SIM_LIMITER_OF_##class };     \
      SIM_LIMITER_##class(L, NOTHING, NOTHING)    \
   }
SIM_EACH_UNIT
#undef U
#undef NOTHING
#undef L

static const struct sim_limiter_rule rules[SIM_LIMITER_CLASSES][4] = {
#define L(place, name, ideal, terms, output, memory) \
   {UNIT, place, name, NULL, terms, (enum sim_limiter_class)TO_##output, memory},
#define C(term) {.kind = CHANNEL, .terms = term},
#define M(place, bandwidth, latency, ideal) {MEMORY, place, bandwidth, latency, NULL, 0, false},
#define U(class) {SIM_LIMITER_##class(L, C, M){NO_RULE}},
    SIM_EACH_UNIT
#undef U
#undef M
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
limiter_find_stat(const struct sim_box_class *cls, const char *name, size_t length)
{
   for (unsigned s = 0; s < measure_class_stats(cls); s++) {
      const char *of = measure_class_stat(cls, s)->name;
      if (strlen(of) == length && !memcmp(of, name, length))
         return s;
   }
   return NO_COLUMN;
}

static void
limiter_find_terms(struct sim_limiter_unit *u, const struct sim_box_class *cls, unsigned rops)
{
   for (const char *p = u->rule->terms; p && *p; p += strspn(p, " ")) {
      const size_t length = strcspn(p, " /");
      const unsigned stat = limiter_find_stat(cls, p, length);
      p += length;
      unsigned divisor = 1;
      if (*p == '/') {
         divisor = p[1] == '#' ? rops : (unsigned)(p[1] - '0');
         p += 2;
      }
      if (stat == NO_COLUMN || u->num_terms == SIM_LIMITER_TERMS)
         continue;
      u->term[u->num_terms] = stat;
      u->divisor[u->num_terms++] = divisor;
   }
}

/* Inserts in pipeline order. */
static void
limiter_add_unit(struct sim_limiter *l, const struct sim_limiter_rule *rule, unsigned class)
{
   unsigned at = l->num_units++;
   for (; at && l->unit[at - 1].rule->place > rule->place; at--)
      l->unit[at] = l->unit[at - 1];
   l->unit[at] = (struct sim_limiter_unit){.rule = rule, .class = (enum sim_limiter_class) class};
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
      b->busy = limiter_find_stat(found, "CyclesBusy", 10);
      b->blocked = limiter_find_stat(found, "CyclesBlocked", 13);
   }
   return found;
}

void
sim_limiter_init(struct sim_limiter *l, const struct measure_columns *c, const struct sim_kernel *k)
{
   const struct sim_box_class *cls[SIM_LIMITER_CLASSES];
   memset(l, 0, sizeof(*l));
   for (unsigned i = 0; i < SIM_LIMITER_CLASSES; i++) {
      cls[i] = limiter_find_boxes(&l->boxes[i], c, k, class_names[i]);
      for (const struct sim_limiter_rule *rule = rules[i]; rule->kind != NO_RULE; rule++)
         limiter_add_unit(l, rule, i);
   }
   for (unsigned u = 0; u < l->num_units; u++) {
      if (cls[l->unit[u].class])
         limiter_find_terms(&l->unit[u], cls[l->unit[u].class], l->boxes[SIM_LIMITER_OF_cw].num);
   }
}

/* --- What it did --- */

/* A class's shares of time: means of its boxes; and the busiest box's. */
struct spent {
   double busy, blocked, most_busy;
};

/* A unit's work as a share of time: the most of a box, the mean of all. */
struct found {
   double demand, mean;
};

static double
limiter_terms_of(const struct sim_limiter_unit *u, const uint64_t *stat)
{
   uint64_t most = 0;
   for (unsigned t = 0; t < u->num_terms; t++) {
      const uint64_t v = stat[u->term[t]] / u->divisor[t];
      most = v > most ? v : most;
   }
   return (double)most;
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
      const double demand = limiter_terms_of(u, values + b->first[i]);
      f.demand = demand > f.demand ? demand : f.demand;
      f.mean += demand;
   }
   return (struct found){f.demand / time, f.mean / (time * b->num)};
}

static double
limiter_blocked_behind(const struct sim_limiter_unit *u, const struct spent *spent)
{
   const double blocked = u->rule->next == SIM_LIMITER_OF_NONE ? 0.0 : spent[u->rule->next].blocked;
   return blocked < 1.0 ? blocked : 1.0;
}

/* Returns memory's share; bandwidth: whether that is what it lacks. */
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
      else if (!rule->terms)
         share *= 1.0 - limiter_blocked_behind(&l->unit[u], spent);
      if (share >= LEAST)
         limiter_insert(&limits, name, share < 1.0 ? share : 1.0);
   }
   return limits;
}
