/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: what limited a draw or a frame, by the rule of
 * docs/notebook/limiter.md, from what boxes did in its cycles (derived_rows.h). Messages show a
 * unit's work in cycles for shaders, interpolator, ROPs' quads and memory's pins; for work inside
 * units (traversal, compression, filtering, the choice of a shader, commands) the record's
 * statistic is used. The list of units is repeated here, so that a wrong line of a sheet is found,
 * too. */
#ifndef DERIVED_LIMITER_H
#define DERIVED_LIMITER_H

#include "derived_rows.h"

#define DERIVED_LIMITS 3

struct derived_limits {
   const char *name[DERIVED_LIMITS]; /* NULL: none */
   double share[DERIVED_LIMITS];
};

/* From the end of the pipeline to its beginning. */
static const struct derived_unit {
   const char *name, *cls;
   /* Its work: of what messages told the larger one, divided; a query of the record; none: what it
    * was busy. */
   unsigned terms, divisor; /* divisor 0: ROPs */
   const char *statistic;
   const char *behind; /* class whose blocking it is not to blame for */
   bool memory;        /* it uses memory */
} derived_units[] = {
    {"DAC", "DAC", 0, 1, NULL, NULL, true},
    {"blitter", "Blitter", 0, 1, NULL, NULL, true},
    {"colour units", "ColorWrite", 1, 1,
     "max(\"DecompressorBusy_CW-SU\", \"CompressorBusy_CW-SU\", \"ClearCycles_CW-SU\")", NULL,
     true},
    {"depth units", "ZStencilTest", 1, 1,
     "max(\"DecompressorBusy_ZST-SU\", \"CompressorBusy_ZST-SU\", \"ClearCycles_ZST-SU\")",
     "Interpolator", true},
    {"memory", "GDDRChannel", 1, 1, NULL, NULL, false},
    {"texture units", "TextureUnit", 0, 1,
     "max(\"AddressALUBusyCycles_TU-FSTU\", \"FilterALUBusyCycles_TU-FSTU\")", NULL, true},
    {"constant caches", "ConstantCache", 0, 1, "\"Reads_CC-FS\"", NULL, true},
    {"shaders", "ShaderFetch", 2, 1, NULL, NULL, false},
    {"distribution of fragments", "FragmentFIFO", 0, 1, "\"StallsDistribution_FFU\"", NULL, false},
    {"interpolator", "Interpolator", 1, 0, NULL, "FragmentFIFO", false},
    {"hierarchical Z", "HierarchicalZ", 0, 1, NULL, "Interpolator", false},
    {"traversal", "TriangleTraversal", 0, 1, "\"UtilizationCycles_TT\"", "HierarchicalZ", false},
    {"setup", "TriangleSetup", 0, 1, NULL, "TriangleTraversal", false},
    {"clipper", "Clipper", 0, 1, NULL, "TriangleSetup", false},
    {"stream-out", "StreamOut", 0, 1, NULL, NULL, true},
    {"primitive assembly", "PrimitiveAssembly", 0, 1, NULL, "Clipper", false},
    {"streamer commit", "StreamerCommit", 0, 1, NULL, "PrimitiveAssembly", false},
    {"attribute loader", "StreamerLoader", 0, 1, NULL, "FragmentFIFO", true},
    {"vertex cache", "StreamerOutputCache", 0, 1, NULL, "StreamerLoader", false},
    {"index fetch", "StreamerFetch", 0, 1, NULL, "StreamerOutputCache", true},
    {"system bus", "CommandProcessor", 0, 1, "max(\"MemoryWrite_CP\", \"MemoryRead_CP\")", NULL,
     false},
    {"command processor", "CommandProcessor", 0, 1, "max(\"EndFragment_CP\", \"ContextSwitch_CP\")",
     NULL, false},
};

/* A draw or a frame. */
struct derived_case {
   sqlite3 *db;
   const struct derived_rows *rows;
   const struct derived_spent *spent; /* [box] */
   const char *kind;                  /* "work", "frame": of its key */
   int64_t key;
   double cycles;
};

static inline double
derived_larger(double a, double b)
{
   return a > b ? a : b;
}

/* What the record has of a box; 0: nothing was counted for the case. */
static inline double
derived_statistic(const struct derived_case *c, const struct derived_unit *u,
                  const struct derived_box *b)
{
   char *sql =
       b->numbered
           ? sqlite3_mprintf("SELECT coalesce(sum(%s), 0) FROM %s_%s_boxes WHERE %s = %lld AND box "
                             "= %Q",
                             u->statistic, c->kind, u->cls, c->kind, c->key, b->name)
           : sqlite3_mprintf("SELECT coalesce(sum(%s), 0) FROM %s_counters WHERE %s = %lld",
                             u->statistic, c->kind, c->kind, c->key);
   const double n = (double)record_number(c->db, sql);
   sqlite3_free(sql);
   return n;
}

/* Of the boxes of a class, as shares of the time: of the one with the most, and their mean. */
struct derived_shares {
   double most_busy, busy, blocked, most_work, work;
};

static inline struct derived_shares
derived_shares(const struct derived_case *c, const char *cls, const struct derived_unit *u)
{
   struct derived_shares s = {0};
   unsigned boxes = 0;
   for (unsigned i = 0; cls && i < c->rows->num_boxes; i++) {
      const struct derived_spent *p = &c->spent[i];
      const struct derived_box *b = &c->rows->boxes[i];
      if (strcmp(b->cls, cls))
         continue;
      const double busy = (double)p->cycles[DERIVED_BUSY];
      double work = busy;
      if (u && (u->terms || u->statistic)) {
         const unsigned divisor = u->divisor ? u->divisor : c->rows->num_rops;
         work = (double)(derived_larger(p->work[0], u->terms > 1 ? p->work[1] : 0) / divisor);
         work = (double)(uint64_t)work;
         work = derived_larger(work, u->statistic ? derived_statistic(c, u, b) : 0);
      }
      boxes++;
      s.busy += busy;
      s.work += work;
      s.blocked += (double)p->cycles[DERIVED_BLOCKED];
      s.most_busy = derived_larger(s.most_busy, busy);
      s.most_work = derived_larger(s.most_work, work);
   }
   const double time = c->cycles > 0 ? c->cycles : 1, all = time * (boxes ? boxes : 1);
   return (struct derived_shares){s.most_busy / time, s.busy / all, s.blocked / all,
                                  s.most_work / time, s.work / all};
}

static inline double
derived_blocked_behind(const struct derived_case *c, const struct derived_unit *u)
{
   const double blocked = derived_shares(c, u->behind, NULL).blocked;
   return blocked < 1 ? blocked : 1;
}

/* Memory's share: the larger one of what its busiest channel does and what a unit waits for it. */
static inline double
derived_memory(const struct derived_case *c, const char **name)
{
   const struct derived_shares channels = derived_shares(
       c, "GDDRChannel", &(struct derived_unit){.cls = "GDDRChannel", .terms = 1, .divisor = 1});
   double share = channels.most_busy;
   for (unsigned i = 0; i < sizeof(derived_units) / sizeof(derived_units[0]); i++) {
      const struct derived_unit *u = &derived_units[i];
      const struct derived_shares s = derived_shares(c, u->cls, u);
      if (u->memory)
         share = derived_larger(share, s.busy + s.blocked - s.work -
                                           (s.blocked > 0 ? derived_blocked_behind(c, u) : 0));
   }
   *name = channels.most_work >= 0.7 * share ? "memory bandwidth" : "memory latency";
   return share;
}

/* Into its place: behind all that are as large, or smaller by less than 3 %. */
static inline void
derived_insert(struct derived_limits *l, const char *name, double share)
{
   unsigned at = DERIVED_LIMITS;
   while (at && (!l->name[at - 1] || share > l->share[at - 1] + 0.03))
      at--;
   for (unsigned i = DERIVED_LIMITS; i-- > at + 1;) {
      l->name[i] = l->name[i - 1];
      l->share[i] = l->share[i - 1];
   }
   if (at < DERIVED_LIMITS) {
      l->name[at] = name;
      l->share[at] = share;
   }
}

static inline struct derived_limits
derived_limits(const struct derived_case *c)
{
   struct derived_limits limits = {0};
   for (unsigned i = 0; i < sizeof(derived_units) / sizeof(derived_units[0]); i++) {
      const struct derived_unit *u = &derived_units[i];
      const char *name = u->name;
      double share = derived_shares(c, u->cls, u).most_work;
      if (!strcmp(name, "memory"))
         share = derived_memory(c, &name);
      else if (!u->terms && !u->statistic)
         share *= 1 - derived_blocked_behind(c, u);
      if (share >= 0.05)
         derived_insert(&limits, name, share < 1 ? share : 1);
   }
   return limits;
}

#endif
