/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functional warming: a box whose state depends on earlier commands, and not only on the bytes of
 * memory, has sim_box_class.warm. It is called with these events while functional mode executes, so
 * that cycle mode can go on from there, and when cycle mode ends. Warming takes no time, counts
 * nothing and changes no memory but block states. The L2 is filled with what was used last
 * (memory/l2_warming.c); other caches start empty, and no row is open. */
#ifndef SIM_WARMING_H
#define SIM_WARMING_H

#include "box/objects.h"
#include "core/sim_state.h"

enum sim_warming_kind {
   SIM_WARM_WRITTEN, /* memory [start, end) is written by a command other than draw or clear */
   SIM_WARM_CLEAR,   /* surfaces will be cleared */
   SIM_WARM_DRAW,    /* a draw will be executed */
   SIM_WARM_PROGRAM, /* a program has been loaded */
   SIM_WARM_CONTEXT, /* a context will be selected */
   SIM_WARM_ENTER,   /* cycle mode begins with this memory */
   SIM_WARM_FILL,    /* the same, when all block states are known: caches may be filled */
   /* cycle mode ends: nothing is in flight, caches are clean and get emptied, since functional mode
    * may change memory */
   SIM_WARM_LEAVE,
   /* For checkpoints. TRAITS: the box's parameters on which warmed state depends; machines with
    * equal traits have equal state after the same commands. STATE: warmed state is saved, or loaded
    * into a box with these traits. */
   SIM_WARM_TRAITS,
   SIM_WARM_STATE,
};

struct sim_warming {
   enum sim_warming_kind kind;
   uint64_t start, end;                /* WRITTEN */
   struct msg_rop clear;               /* CLEAR: buffers and color, or planes, depth and stencil */
   const struct emul_draw_state *draw; /* DRAW */
   const uint32_t *payload;            /* PROGRAM, CONTEXT: the command's */
   struct sim_state *state;            /* TRAITS, STATE */
};

#endif
