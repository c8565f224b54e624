/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Costs of a shader program's instruction, summed over shaders: one X-macro list, also the record's
 * columns (results/sim_record_costs.c). Shader Fetch and Decode/Execute count them for recorded
 * programs. Not here: statistics of boxes (sim_stats.h), into parts of which these costs divide
 * them. */
#ifndef SIM_COST_H
#define SIM_COST_H

#include <stdint.h>

/* C(member, what). Costs are cycles of shaders, or sums of groups' cycles, where two groups that
 * wait in one cycle count as two. */
/* clang-format off */
#define SIM_COSTS(C)                                                                              \
   C(fetches, "times it was fetched for a thread group")                                          \
   C(groups, "times a group executed it")                                                         \
   C(inputs, "vertices or fragments that were active in it, summed over these")                   \
   C(alu_cycles, "cycles that it kept the ALUs, those of a fetch for its first instruction")      \
   C(wait_fetch, "cycles of groups that could have been fetched here while others were")          \
   C(wait_result, "cycles of groups that waited for earlier results, a jump or FetchDelay")       \
   C(wait_decode, "cycles of groups from the fetch to the answer of Decode/Execute")              \
   C(wait_texture, "cycles of groups that waited for the texels it asked for")                    \
   C(wait_constant, "cycles of groups that waited for the constants it loaded")                   \
   C(wait_memory, "cycles of groups that waited for the load/store unit")                         \
   C(wait_barrier, "cycles of groups that waited at the barrier")                                 \
   C(wait_output, "cycles of ended groups until their outputs were taken (END)")                  \
   C(refused_operands, "fetches that did not issue: a register was not written yet")              \
   C(refused_ports, "fetches that did not issue: no port of the register file was free")          \
   C(refused_alu, "fetches that did not issue: a scalar one of the fetch had both ALUs")          \
   C(refused_texture, "fetches that did not issue: the texture unit had no room")                 \
   C(refused_constant, "fetches that did not issue: the constant cache had no room")              \
   C(refused_memory, "fetches that did not issue: the load/store unit had no room")
/* clang-format on */

struct sim_cost {
#define C(member, what) uint64_t member;
   SIM_COSTS(C)
#undef C
};
#define SIM_NUM_COSTS (sizeof(struct sim_cost) / sizeof(uint64_t))

#endif
