/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Groups of boxes that one host thread clocks together (SIMULATOR.Threads), since they exchange
 * most messages: a shader with its caches and own texture units; both units of a ROP; a memory
 * channel with its slice of the L2; the memory controller. All other boxes belong to the first
 * thread, which owns the pools. Not here: which thread clocks a group (core/sim_shares.c). */
#include "box/sim_gpu.h"

extern const struct sim_box_class shf_class, shdx_class, cc_class, lsu_class, tu_class, zst_class,
    cw_class, gddr_class, sched_class, l2_class, mc_class, mc_v2_class;

/* Groups of a kind have consecutive numbers. */
#define GROUP_SHADER 1
#define GROUP_TEXTURE (GROUP_SHADER + SIM_MAX_SHADERS) /* units that all shaders share */
#define GROUP_ROP (GROUP_TEXTURE + SIM_MAX_TEX_UNITS)
#define GROUP_CHANNEL (GROUP_ROP + SIM_MAX_ROPS)
#define GROUP_CONTROLLER (GROUP_CHANNEL + SIM_MAX_CHANNELS)
#define GROUP_END (GROUP_CONTROLLER + 1)

static unsigned
netlist_groups_of(const struct sim_config *c, const struct sim_box *b)
{
   /* Shaders that share a window count what a program's instructions cost in one place. */
   if ((b->cls == &shf_class || b->cls == &shdx_class) && c->shader.shared_window)
      return GROUP_SHADER;
   if (b->cls == &shf_class || b->cls == &shdx_class || b->cls == &cc_class || b->cls == &lsu_class)
      return GROUP_SHADER + b->instance;
   if (b->cls == &tu_class)
      return c->shader.tex_shared ? GROUP_TEXTURE + b->instance
                                  : GROUP_SHADER + b->instance / c->shader.tex_units;
   if (b->cls == &zst_class || b->cls == &cw_class)
      return GROUP_ROP + b->instance;
   if (b->cls == &gddr_class || b->cls == &sched_class || b->cls == &l2_class)
      return GROUP_CHANNEL + b->instance;
   if (b->cls == &mc_class || b->cls == &mc_v2_class)
      return GROUP_CONTROLLER;
   return 0;
}

void
sim_netlist_group(struct sim_gpu *gpu)
{
   struct sim_kernel *k = &gpu->kernel;
   _Static_assert(GROUP_END <= SIM_MAX_GROUPS, "numbers of groups");
   for (unsigned i = 0; i < k->num_boxes; i++)
      k->group[i] = (uint8_t)netlist_groups_of(&gpu->config, k->boxes[i]);
}
