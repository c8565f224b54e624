/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The limiter: which unit held work up, from what the boxes counted for it.
 *
 * 1. Demand. What a unit had to do is counted in cycles that it needs at its best: quads, samples
 *    of quads, instructions of groups, bilinear samples, blocks. A unit that is full but waits
 *    inside for memory is busy without demand. Where work has no such measure, cycles of being busy
 *    stand for it. Of several boxes the one with the most counts: an uneven load limits, too.
 * 2. Back-pressure. What a unit in front of a blocked one holds is not its own fault. So busy
 * cycles count only in so far as the box behind takes what comes out: busy * (1 - share in which
 * that one is blocked). From the end of the pipeline to its beginning this hands the blame on until
 * it meets a unit that works and is not blocked.
 * 3. Memory. Its demand is what the busiest channel is occupied, with rows to be opened and turns
 *    between reading and writing. Those who use memory tell more: cycles in which one holds work,
 *    without demand and without the box behind it being blocked, it waits for memory. The larger
 *    of both is memory's share; it is called bandwidth when the data pins moved something in seven
 *    tenths of that time, else latency.
 * 4. System bus and command processor: what the command processor counts of its own time.
 *
 * The share of a unit is its part of the time, at most 1. Units work at the same time, so shares do
 * not add up to 1: the first one says who limits, the next ones who would if it were faster. Of
 * units whose shares differ by less than 3 % the one nearer to the end of the pipeline is first.
 *
 * It does not know about time: phases that differ (shadows of one draw behind another) are mixed.
 */
#include "measure/sim_limiter.h"

#include <string.h>
#include "measure/sim_measure.h"

#define ALIKE 0.03
#define LEAST 0.05          /* smaller shares are no limits */
#define BANDWIDTH_SHARE 0.7 /* of memory's time */

static const char *const names[SIM_NUM_LIMITERS] = {
#define L(NAME, name, ideal) name,
    SIM_LIMITERS(L)
#undef L
};

/* What a unit is made of: class; statistics in cycles, /n: n of them in a cycle; the unit behind.
 */
struct source {
   const char *class;
   const char *terms; /* "A B/4": NULL: busy cycles, as far as the unit behind takes them */
   int next;          /* enum sim_limiter_unit; -1: none, -2: the fragment FIFO */
   bool memory;       /* uses memory for its work */
};

#define NO_NEXT -1
#define FIFO -2
#define ROP_TERMS "InputFragments/4 ReadOK WriteOK DecompressorBusy CompressorBusy ClearCycles"

static const struct source sources[SIM_NUM_LIMITERS] = {
    [SIM_LIMITER_DAC] = {"DAC", NULL, NO_NEXT, true},
    [SIM_LIMITER_BLITTER] = {"Blitter", NULL, NO_NEXT, true},
    [SIM_LIMITER_COLOR] = {"ColorWrite", ROP_TERMS, NO_NEXT, true},
    [SIM_LIMITER_DEPTH] = {"ZStencilTest", ROP_TERMS, SIM_LIMITER_INTERPOLATOR, true},
    [SIM_LIMITER_TEXTURE] = {"TextureUnit", "AddressALUBusyCycles FilterALUBusyCycles", NO_NEXT,
                             true},
    [SIM_LIMITER_SHADER] = {"ShaderFetch", "ALUBusyCycles FetchCycles", NO_NEXT, false},
    [SIM_LIMITER_INTERPOLATOR] = {"Interpolator", "InterpolatedQuads/#", FIFO, false},
    [SIM_LIMITER_HZ] = {"HierarchicalZ", NULL, SIM_LIMITER_INTERPOLATOR, false},
    [SIM_LIMITER_TRAVERSAL] = {"TriangleTraversal", "UtilizationCycles", SIM_LIMITER_HZ, false},
    [SIM_LIMITER_SETUP] = {"TriangleSetup", NULL, SIM_LIMITER_TRAVERSAL, false},
    [SIM_LIMITER_CLIPPER] = {"Clipper", NULL, SIM_LIMITER_SETUP, false},
    [SIM_LIMITER_ASSEMBLY] = {"PrimitiveAssembly", NULL, SIM_LIMITER_CLIPPER, false},
    [SIM_LIMITER_COMMIT] = {"StreamerCommit", NULL, SIM_LIMITER_ASSEMBLY, false},
    [SIM_LIMITER_LOADER] = {"StreamerLoader", NULL, FIFO, true},
    [SIM_LIMITER_VERTEX_CACHE] = {"StreamerOutputCache", NULL, SIM_LIMITER_LOADER, false},
    [SIM_LIMITER_INDICES] = {"StreamerFetch", NULL, SIM_LIMITER_VERTEX_CACHE, true},
    [SIM_LIMITER_BUS] = {"CommandProcessor", "MemoryWrite MemoryRead", NO_NEXT, false},
    [SIM_LIMITER_COMMAND] = {"CommandProcessor", "EndFragment ContextSwitch", NO_NEXT, false},
};

/* --- Where it is --- */

static unsigned
find_stat(const struct sim_box_class *cls, const char *name, size_t length)
{
   for (unsigned s = 0; s < measure_class_stats(cls); s++) {
      const char *of = measure_class_stat(cls, s)->name;
      if (strlen(of) == length && !memcmp(of, name, length))
         return s;
   }
   return NO_COLUMN;
}

static void
find_terms(struct sim_limiter_boxes *b, const struct sim_box_class *cls, const char *terms,
           unsigned rops)
{
   for (const char *p = terms; p && *p; p += strspn(p, " ")) {
      const size_t length = strcspn(p, " /");
      const unsigned stat = find_stat(cls, p, length);
      p += length;
      unsigned divisor = 1;
      if (*p == '/') {
         divisor = p[1] == '#' ? rops : (unsigned)(p[1] - '0');
         p += 2;
      }
      if (stat == NO_COLUMN || b->num_terms == SIM_LIMITER_TERMS)
         continue;
      b->term[b->num_terms] = stat;
      b->divisor[b->num_terms++] = divisor;
   }
}

static void
find_boxes(struct sim_limiter_boxes *b, const struct measure_columns *c, const struct sim_kernel *k,
           const char *class, const char *terms)
{
   unsigned rops = 0;
   for (unsigned i = 0; i < k->num_boxes; i++)
      rops += !strcmp(k->boxes[i]->cls->name, "ColorWrite");
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box_class *cls = k->boxes[i]->cls;
      if (strcmp(cls->name, class))
         continue;
      if (!b->num) {
         b->domain = cls->domain;
         b->busy = find_stat(cls, "CyclesBusy", 10);
         b->blocked = find_stat(cls, "CyclesBlocked", 13);
         find_terms(b, cls, terms, rops);
      }
      b->first[b->num++] = c->own[i] == NO_COLUMN ? c->sum[i] : c->own[i];
   }
}

void
sim_limiter_init(struct sim_limiter *l, const struct measure_columns *c, const struct sim_kernel *k)
{
   memset(l, 0, sizeof(*l));
   for (unsigned u = 0; u < SIM_NUM_LIMITERS; u++) {
      if (sources[u].class)
         find_boxes(&l->unit[u], c, k, sources[u].class, sources[u].terms);
   }
   find_boxes(&l->fifo, c, k, "FragmentFIFO", NULL);
   find_boxes(&l->channel, c, k, "GDDRChannel", "DataCycles");
   find_boxes(&l->channel, c, k, "MemoryScheduler", "DataCycles");
}

/* --- What it did --- */

struct found {
   double demand;        /* of the box with the most, as a share of the cycles */
   double mean;          /* of all boxes */
   double busy, blocked; /* means */
   double most_busy;
};

static double
terms_of(const struct sim_limiter_boxes *b, const uint64_t *stat)
{
   uint64_t most = 0;
   for (unsigned t = 0; t < b->num_terms; t++) {
      const uint64_t v = stat[b->term[t]] / b->divisor[t];
      most = v > most ? v : most;
   }
   return (double)most;
}

static struct found
look(const struct sim_limiter_boxes *b, const uint64_t *values,
     const uint64_t cycles[SIM_NUM_DOMAINS])
{
   struct found f = {0};
   const double time = (double)cycles[b->domain];
   if (!b->num || time <= 0)
      return f;
   for (unsigned i = 0; i < b->num; i++) {
      const uint64_t *stat = values + b->first[i];
      const double busy = (double)stat[b->busy];
      const double demand = b->num_terms ? terms_of(b, stat) : busy;
      f.demand = demand > f.demand ? demand : f.demand;
      f.most_busy = busy > f.most_busy ? busy : f.most_busy;
      f.mean += demand;
      f.busy += busy;
      f.blocked += (double)stat[b->blocked];
   }
   const double all = time * b->num;
   return (struct found){f.demand / time, f.mean / all, f.busy / all, f.blocked / all,
                         f.most_busy / time};
}

static double
blocked_behind(const struct found *found, const struct found *fifo, int unit)
{
   const int next = sources[unit].next;
   const double blocked = next == FIFO      ? fifo->blocked
                          : next == NO_NEXT ? 0.0
                                            : found[next].blocked;
   return blocked < 1.0 ? blocked : 1.0;
}

/* The share of memory, and in shares[] under which name. */
static void
memory_share(const struct sim_limiter *l, const struct found *found, const struct found *fifo,
             const uint64_t *values, const uint64_t cycles[SIM_NUM_DOMAINS], double *shares)
{
   const struct found channels = look(&l->channel, values, cycles);
   double share = channels.most_busy;
   for (unsigned u = 0; u < SIM_NUM_LIMITERS; u++) {
      if (!sources[u].memory)
         continue;
      const double waits = found[u].busy + found[u].blocked - found[u].mean -
                           (found[u].blocked > 0 ? blocked_behind(found, fifo, (int)u) : 0);
      share = waits > share ? waits : share;
   }
   const bool bandwidth = channels.demand >= BANDWIDTH_SHARE * share;
   shares[bandwidth ? SIM_LIMITER_BANDWIDTH : SIM_LIMITER_LATENCY] = share;
}

static void
insert(struct sim_limits *limits, const char *unit, double share)
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
   struct found found[SIM_NUM_LIMITERS];
   double shares[SIM_NUM_LIMITERS] = {0};
   struct sim_limits limits = {0};
   const struct found fifo = look(&l->fifo, values, cycles);
   for (unsigned u = 0; u < SIM_NUM_LIMITERS; u++)
      found[u] = look(&l->unit[u], values, cycles);
   for (unsigned u = 0; u < SIM_NUM_LIMITERS; u++) {
      const double taken = sources[u].terms ? 1.0 : 1.0 - blocked_behind(found, &fifo, (int)u);
      shares[u] = found[u].demand * taken;
   }
   memory_share(l, found, &fifo, values, cycles, shares);
   for (unsigned u = 0; u < SIM_NUM_LIMITERS; u++) {
      if (shares[u] >= LEAST)
         insert(&limits, names[u], shares[u] < 1.0 ? shares[u] : 1.0);
   }
   return limits;
}
