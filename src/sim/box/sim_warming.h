/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional warming: a box whose behaviour depends on earlier commands in more than the bytes of
 * memory has sim_box_class.warm. It is called with the events below while functional mode executes,
 * so that cycle mode can go on from there, and when cycle mode ends. Warming takes no time, counts
 * nothing and touches no memory but block states. Contents of caches and open rows of the memory
 * are not warmed: cycle mode begins with them empty.
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
   SIM_WARM_ENTER,   /* cycle mode begins: memory is what its first command finds */
   /* Cycle mode ends: nothing is in flight, caches are clean. They are emptied, since functional
    * mode may change memory. */
   SIM_WARM_LEAVE,
   /* For checkpoints. TRAITS: the parameters of the box that decide what warming leaves in it;
    * machines with the same ones have the same state after the same commands. STATE: what warming
    * has left is saved, or loaded into a box with these traits. */
   SIM_WARM_TRAITS,
   SIM_WARM_STATE,
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
