/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Statistics: declared once per box as an X-macro list in the sheet of its unit (units/units.h),
 * stored as one array of counters per work id.
 * Work of every kind (a draw, a clear, ...) has a work id while anything of it is in the machine.
 * Names are ATTILA's ("InputFragments" + "_" + unit "ZST-SU0"); reference names in the project's
 * statistics table.
 *
 *    #define SIM_STATS_zst(S)                                                   \
 *       S(input_fragments, "InputFragments", FRAGMENTS, "fragments received")   \
 *       ...
 *    SIM_BOX_STATS(zst)                         -- struct zst_stats and zst_stat_descs[]
 *    struct zst { struct sim_box box; struct zst_stats *stat; ... };
 *    b->stat[quad->work_id].input_fragments += 4; */
#ifndef SIM_STATS_H
#define SIM_STATS_H

#include <stddef.h>
#include <stdint.h>

/* Work ids of a machine (sim_kernel.num_work_ids) by default; messages carry 16 bits. Work id 0 is
 * no work's: mainly idle time. */
#define SIM_DEFAULT_WORK_IDS 16
#define SIM_MAX_WORK_IDS 65536

/* clang-format off */
#define SIM_UNITS(U)                                                                       \
   U(CYCLES, "cycles") U(FRAGMENTS, "fragments") U(QUADS, "quads") U(TILES, "tiles")       \
      U(TRIANGLES, "triangles")                                                            \
   U(VERTICES, "vertices") U(INDICES, "indices") U(BYTES, "bytes") U(TRANSACTIONS,         \
      "transactions")                                                                      \
   U(INSTRUCTIONS, "instructions") U(THREADS, "threads") U(REQUESTS, "requests") U(TEXELS, \
      "texels")                                                                            \
   U(SAMPLES, "samples") U(LINES, "lines") U(COMMANDS, "commands") U(COUNT, "count")
/* clang-format on */
enum sim_unit {
#define U(name, text) SIM_##name,
   SIM_UNITS(U)
#undef U
       SIM_NUM_UNITS
};

struct sim_stat_desc {
   const char *name; /* ATTILA's family name without the unit code */
   enum sim_unit unit;
   const char *doc;
};

/* Returns a member's number in the list. */
#define SIM_STAT(box, member) (offsetof(struct box##_stats, member) / sizeof(uint64_t))

#define SIM_STAT_MEMBER(member, name, unit, doc) uint64_t member;
#define SIM_STAT_ROW(member, name, unit, doc) {name, SIM_##unit, doc},
/* A work id's statistics are read SIM_STATS_STEP at a time; zeros follow the last one. */
#define SIM_STATS_STEP 8u
#define SIM_STATS_PADDED(num) (((num) + SIM_STATS_STEP - 1) / SIM_STATS_STEP * SIM_STATS_STEP)
#define SIM_STATS_DECLARE(box, LIST)                                                              \
   struct box##_stats {                                                                           \
      union {                                                                                     \
         struct {                                                                                 \
            LIST(SIM_STAT_MEMBER)                                                                 \
         };                                                                                       \
         uint64_t                                                                                 \
             padded[SIM_STATS_PADDED(sizeof(struct {LIST(SIM_STAT_MEMBER)}) / sizeof(uint64_t))]; \
      };                                                                                          \
   };                                                                                             \
   SIM_STATS_DESCRIBE(box, LIST)
/* Does the same without zeros behind the last one. */
#define SIM_STATS_DECLARE_PLAIN(box, LIST) \
   struct box##_stats {                    \
      LIST(SIM_STAT_MEMBER)                \
   };                                      \
   SIM_STATS_DESCRIBE(box, LIST)
#define SIM_STATS_DESCRIBE(box, LIST)                   \
   static const struct sim_stat_desc box##_stat_descs[] \
       __attribute__((unused)) = {LIST(SIM_STAT_ROW)};
/* A sheet's statistics. */
#define SIM_BOX_STATS(box) SIM_STATS_DECLARE(box, SIM_STATS_##box)
/* Initialise struct sim_box_class: with all of the unit's sheet; with statistics alone. */
#define SIM_BOX_CLASS(box) SIM_UNIT_##box(SIM_UNIT_MEMBERS), SIM_STATS_CLASS(box)
#define SIM_UNIT_MEMBERS(n, code, meaning, row) \
   .name = n, .unit = code, .doc = meaning, .charges = row
#define SIM_STATS_CLASS(box)                                                             \
   .stats_offset = offsetof(struct box, stat), .stats_size = sizeof(struct box##_stats), \
   .stats = box##_stat_descs, .num_stats = sizeof(box##_stat_descs) / sizeof(box##_stat_descs[0])

#endif
