/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: what limited a draw or a frame, by the rule of
 * docs/notebook/limiter.md, from what boxes did in its cycles (derived_rows.h). Messages show a
 * unit's work in cycles for shaders, ROPs' quads and memory's pins; for others the record's
 * statistics and parameters are used. The list of units is repeated here, so that a wrong line of a
 * sheet is found, too. */
#ifndef DERIVED_LIMITER_H
#define DERIVED_LIMITER_H

#include "derived_rows.h"

#define DERIVED_LIMITS 3

struct derived_limits {
   const char *name[DERIVED_LIMITS]; /* NULL: none */
   double share[DERIVED_LIMITS];
};

/* A parameter of the record's machine, and whether one is TRUE, in SQL. */
#define KEY(section, key) \
   "(SELECT value FROM configuration WHERE section = '" section "' AND key = '" key "')"
#define IS(section, key) "(" KEY(section, key) " = 'TRUE')"
/* Cycles of the ROPs' parts that messages do not show. */
#define ROP_WORK(unit, section, cache, operated)                                                \
   "max(\"DecompressorBusy_" unit "\", \"CompressorBusy_" unit "\", \"ClearCycles_" unit "\", " \
   "\"ReadBytes_FC_" unit "\" / " KEY(section, cache "PortWidth") " / (1.0 + " IS(              \
       section, cache "ExtraReadPort") "), \"WriteBytes_FC_" unit                               \
                                       "\" / " KEY(section, cache "PortWidth") " / (1.0 + " IS( \
                                           section,                                             \
                                           cache "ExtraWritePort") "), " operated               \
                                                                   " / " KEY(section,           \
                                                                             "StampsPerCycle") ")"

/* From the end of the pipeline to its beginning. */
/* clang-format off */
static const struct derived_unit {
   const char *name, *cls;
   /* Its work: the larger one of what messages showed (terms) and of the record's statistics;
    * neither: what it was busy. */
   unsigned terms;
   const char *statistic;
   const char *behind; /* class whose blocking it is not to blame for */
   bool memory;        /* it uses memory */
} derived_units[] = {
    {"DAC", "DAC", 0, NULL, NULL, true},
    {"blitter", "Blitter", 0, NULL, NULL, true},
    {"colour units", "ColorWrite", 1,
     ROP_WORK("CW-SU", "COLORWRITE", "ColorCache",
              "max(\"BlendedFragments_CW-SU\", \"LogicOpFragments_CW-SU\") / 4.0 * "
              KEY("COLORWRITE", "BlendALURate")), NULL, true},
    {"depth units", "ZStencilTest", 1,
     ROP_WORK("ZST-SU", "ZSTENCILTEST", "ZCache",
              "\"TestedFragments_ZST-SU\" / 4.0 * " KEY("ZSTENCILTEST", "ZALUTestRate")),
     "Interpolator", true},
    {"memory", "GDDRChannel", 1, NULL, NULL, false},
    {"texture units", "TextureUnit", 0,
     "max(\"AddressALUBusyCycles_TU-FSTU\", \"FilterALUBusyCycles_TU-FSTU\")", NULL, true},
    {"constant caches", "ConstantCache", 0, "\"Reads_CC-FS\"", NULL, true},
    {"load/store units", "LoadStoreUnit", 0, "\"MemoryRequests_LSU-FS\"", NULL, true},
    {"shaders", "ShaderFetch", 2, NULL, NULL, false},
    {"distribution of fragments", "FragmentFIFO", 0, "\"StallsDistribution_FFU\"", NULL, false},
    {"interpolator", "Interpolator", 0,
     "max(\"InterpolatedQuads_Interpolator\", \"InterpolatedInputs_Interpolator\" / 1.0 / "
     KEY("RASTERIZER", "NumInterpolators") ") / 1.0 / " KEY("RASTERIZER", "StampsPerCycle"),
     "FragmentFIFO", false},
    {"hierarchical Z", "HierarchicalZ", 0, NULL, "Interpolator", false},
    {"traversal", "TriangleTraversal", 0, "\"UtilizationCycles_TT\"", "HierarchicalZ", false},
    {"setup", "TriangleSetup", 0,
     "max(\"OutputTriangles_TS\" / 1.0 / " KEY("RASTERIZER", "TrianglesCycle")
     ", \"RequestedTriangles_TS\" * 1.0 * " KEY("RASTERIZER", "SetupStartLatency") " / "
     KEY("RASTERIZER", "SetupUnits") ")", "TriangleTraversal", false},
    {"clipper", "Clipper", 0,
     "max(\"InputTriangles_CLP\" * 1.0 * " KEY("CLIPPER", "StartLatency") " / "
     KEY("CLIPPER", "ClipperUnits") ", \"OutputTriangles_CLP\" / 1.0 / "
     KEY("CLIPPER", "TrianglesCycle") ", \"ClipCycles_CLP\")", "TriangleSetup", false},
    {"stream-out", "StreamOut", 0, "\"Outputs_SO\" / 1.0 / " KEY("STREAMOUT", "OutputsCycle"),
     NULL, true},
    {"geometry commit", "GeometryCommit", 0,
     "\"Vertices_GC\" / 1.0 / " KEY("GEOMETRYSTAGE", "VerticesCycle"), "Clipper", false},
    {"geometry issue", "GeometryIssue", 0,
     "max(\"InputAttributes_GI\" / 1.0 / " KEY("GEOMETRYSTAGE", "InputAttributesCycle")
     ", \"Primitives_GI\")", NULL, false},
    {"primitive assembly", "PrimitiveAssembly", 0,
     "\"Triangles_PA\" / 1.0 / " KEY("PRIMITIVEASSEMBLY", "TrianglesCycle"), "Clipper", false},
    {"streamer commit", "StreamerCommit", 0,
     "max(\"Outputs_StC\", \"OutputAttributes_StC\" / 1.0 / "
     KEY("STREAMER", "AttributesSentCycle") ") / 1.0 / " KEY("STREAMER", "VerticesCycle"),
     "PrimitiveAssembly", false},
    {"attribute loader", "StreamerLoader", 0,
     "max(\"Inputs_SL\" / 1.0 / " KEY("STREAMER", "SLIndicesCycle")
     ", \"Reads_SL\" / 1.0 / " KEY("STREAMER", "SLAttributesCycle") ")", "FragmentFIFO", true},
    {"vertex cache", "StreamerOutputCache", 0,
     "\"Indices_StOC\" / 1.0 / " KEY("STREAMER", "IndicesCycle"), "StreamerLoader", false},
    {"index fetch", "StreamerFetch", 0,
     "\"IndexesSent_StF\" / 1.0 / " KEY("STREAMER", "IndicesCycle"), "StreamerOutputCache", true},
    {"system bus", "CommandProcessor", 0, "max(\"MemoryWrite_CP\", \"MemoryRead_CP\")", NULL,
     false},
    {"command processor", "CommandProcessor", 0, "max(\"EndFragment_CP\", \"ContextSwitch_CP\")",
     NULL, false},
};
/* clang-format on */

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
   const double n = record_real(c->db, sql);
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
         work = u->terms ? (double)p->work[0] : 0;
         work = derived_larger(work, u->terms > 1 ? (double)p->work[1] : 0);
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

/* What is left of the share of a unit without a measure of its work: nothing if the one behind it
 * works as long. */
static inline double
derived_held(const struct derived_case *c, const struct derived_unit *u, double share)
{
   share *= 1 - derived_blocked_behind(c, u);
   for (unsigned i = 0; u->behind && i < sizeof(derived_units) / sizeof(derived_units[0]); i++) {
      const struct derived_unit *v = &derived_units[i];
      if (!strcmp(v->cls, u->behind) && (v->terms || v->statistic) &&
          derived_shares(c, v->cls, v).most_work > share - 0.03)
         return 0;
   }
   return share;
}

/* Memory's share: the larger one of what its busiest channel does and what a unit waits for it. */
static inline double
derived_memory(const struct derived_case *c, const char **name)
{
   const struct derived_shares channels =
       derived_shares(c, "GDDRChannel", &(struct derived_unit){.cls = "GDDRChannel", .terms = 1});
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
         share = derived_held(c, u, share);
      if (share >= 0.05)
         derived_insert(&limits, name, share < 1 ? share : 1);
   }
   return limits;
}

#endif
