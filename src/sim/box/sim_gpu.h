/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The cycle mode's machine as its boxes see it: configuration, kernel, netlist, pools of objects,
 * and its device (decode/sim_device.h). */
#ifndef SIM_GPU_H
#define SIM_GPU_H

#include "box/netlist.h"
#include "config/sim_config.h"
#include "core/sim_pool.h"
#include "core/sim_wait.h"
#include "decode/sim_frontend.h"

/* Pools of struct sim_quad by room for inputs. Thousands of quads are in the machine at once, and
 * most draws have few inputs. */
#define SIM_QUAD_ROOMS 4 /* sizes of quads, by room for inputs */
struct sim_quads {
   struct sim_pool pool[SIM_QUAD_ROOMS];
   uint64_t in_use;
};

struct sim_gpu {
   struct sim_config config;
   struct sim_kernel kernel;
   struct sim_netlist net;
   struct sim_device *device;
   struct sim_work_table *work;             /* NULL: everything counts for work id 0 */
   bool maps;                               /* draws may have maps (sim_draw.map) */
   struct sim_pool vertices, prims, groups; /* sim_vertex, sim_prim, sim_group */
   struct sim_quads quads;
   /* Set by CP at the end of a cycle if it could take a command in its next cycle but the queue is
    * empty; cleared when words are appended, which wakes CP for the next tick. The run that
    * executes submitted words ends on this before that next cycle, so cycle counts do not depend on
    * how a stream is cut. Not set while a FENCE or READ_BUFFER waits. */
   bool cp_starved;
   /* No command follows, so the command processor of a tile-based machine ends the pass. */
   bool stream_ends;
   /* The command processor starts no command before this tick of the machine; 0: no limit. Only
    * with DVFS domains. */
   sim_tick hold_until;
};

/* Returns hold_until in the command processor's ticks; 0: there is no limit, or it has passed. */
sim_tick sim_gpu_held(struct sim_box *cp, sim_tick now);

#endif
