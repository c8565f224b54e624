/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the machine must hear of commands that functional mode executes, so that it can go on from
 * there in cycle mode (hot start), and of the end of cycle mode: a box whose behaviour depends on
 * earlier commands in more than the bytes of memory has sim_box_class.warm, which is called with
 * these events. It takes no time, counts nothing and touches no memory but block states. What no
 * box carries: contents of caches and open rows of the memory; a hot start begins with them empty.
 */
#ifndef SIM_WARMING_H
#define SIM_WARMING_H

#include "box/objects.h"
#include "core/sim_state.h"

enum sim_warming_kind {
   SIM_WARM_WRITTEN, /* memory [start, end) is written by a command that is not a draw or clear */
   SIM_WARM_CLEAR,   /* surfaces are about to be cleared */
   SIM_WARM_DRAW,    /* a draw is about to be executed */
   SIM_WARM_PROGRAM, /* a program has been loaded */
   SIM_WARM_CONTEXT, /* a context is about to be selected */
   SIM_WARM_ENTER,   /* functional mode ends here: memory is what the next command finds */
   /* Cycle mode ends here: nothing is under way, caches are clean. What they hold is forgotten, as
    * functional mode may change memory. */
   SIM_WARM_LEAVE,
   /* For snapshots. Numbers of the box that decide what these events leave behind: machines that
    * save the same ones hold the same after the same commands. */
   SIM_WARM_TRAITS,
   SIM_WARM_STATE, /* what they have left behind is saved, or loaded into a box with these traits
                    */
};

struct sim_warming {
   enum sim_warming_kind kind;
   uint64_t start, end;                /* WRITTEN */
   struct msg_rop clear;               /* CLEAR: buffers and color, or planes, depth and stencil */
   const struct emul_draw_state *draw; /* DRAW */
   const uint32_t *payload;            /* PROGRAM, CONTEXT: of the command */
   struct sim_state *state;            /* TRAITS, STATE */
};

#endif
