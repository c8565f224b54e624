/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The machine's caches, and the statistics of their hits: the only list for the record's views
 * K_caches and programs' counters, and through them reports and studies. Each access counts once,
 * when it gets a line: a hit if the line was there or on its way, else a miss, which asks memory
 * (or the next level). An access that finds no room is retried in the next cycle. Retries are
 * counted apart and are in no rate (the release's statistics Misses... include them). Not here:
 * counting (the boxes). */
#ifndef SIM_CACHES_H
#define SIM_CACHES_H

/* C(cache, counter of its rate, hits, misses, retries, what an access is). Statistics separated by
 * blanks are added up; "": no statistic. */
/* clang-format off */
#define SIM_CACHES(C)                                                                           \
   C("attributes", "attribute-cache-hits", "HitsFetch_FC_InC_SL", "MissOKFetch_FC_InC_SL",      \
     "MissFailFetch_FC_InC_SL", "a vertex attribute, or its part in a line")                    \
   C("shaded vertices", "vertex-cache-hits", "Hits_StOC", "Misses_StOC", "",                    \
     "an index, which hits if its vertex was shaded, or is being shaded, already")              \
   C("hierarchical Z", "hz-cache-hits", "HitsHZCache_HZ", "MissOKHZCache_HZ",                   \
     "MissFailHZCache_HZ", "a quad")                                                            \
   C("depth", "depth-cache-hits", "HitsFetch_FC_ZST-SU HitsAlloc_FC_ZST-SU",                    \
     "MissOKFetch_FC_ZST-SU MissOKAlloc_FC_ZST-SU",                                             \
     "MissFailFetch_FC_ZST-SU MissFailAlloc_FC_ZST-SU", "a quad's part in a line")              \
   C("colour", "colour-cache-hits", "HitsFetch_FC_CW-SU HitsAlloc_FC_CW-SU",                    \
     "MissOKFetch_FC_CW-SU MissOKAlloc_FC_CW-SU",                                               \
     "MissFailFetch_FC_CW-SU MissFailAlloc_FC_CW-SU", "a quad's part in a line")                \
   C("texture L0", "texture-cache-hits", "HitsFetch_FC64_TU-FSTU", "MissOKFetch_FC64_TU-FSTU",  \
     "MissFailFetch_FC64_TU-FSTU", "a texel")                                                   \
   C("texture L1", "texture-l1-cache-hits", "HitsFetch_FC_TU-FSTU", "MissOKFetch_FC_TU-FSTU",   \
     "MissFailFetch_FC_TU-FSTU", "a miss of L0, where there is an L1")                          \
   C("L2", "l2-cache-hits", "HitsFetch_L2C", "MissesFetch_L2C", "",                             \
     "a request's part in a line")                                                              \
   C("DRAM rows", "dram-row-hits", "RowHit_Sched", "RowMiss_Sched", "",                         \
     "an access of memory, which hits if its row is open")
/* clang-format on */

#endif
