/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the Interpolator's files share: interp.c (box) and interp_hide.c (hidden surface removal).
 * No other box includes it. */
#ifndef INTERP_H
#define INTERP_H

#include "box/rop/rop_cache.h"

SIM_BOX_STATS(interp)

#define INTERP_PIPE 128    /* quads of a ROP in the pipeline: 16 per cycle for 7 cycles */
#define INTERP_PLACES 1024 /* quads of the largest bin */

struct interp_entry {
   struct msg_quad msg;
   sim_tick ready;
};

struct interp_pipe {
   struct interp_entry entry[INTERP_PIPE];
   uint32_t head, tail;
};

/* Quads and ends of a ROP in their order. */
struct interp_set {
   struct msg_quad *msg; /* dropped quads are NULL */
   uint32_t *below;      /* the entry before with a quad at the same place, from 1; 0: none */
   uint32_t at, num, room;
};

/* A ROP's quads before the pipeline. */
struct interp_hiding {
   struct interp_set open, leaving;
   uint32_t place[INTERP_PLACES]; /* the newest entry of open there, from 1; 0: none */
};

struct interp {
   struct sim_box box;
   struct interp_stats *stat;                /* [work_id] */
   struct sim_signal *direct, *tested, *out; /* [num_rops] */
   uint32_t num_rops, width, units;
   sim_tick free;  /* when the next quads may start */
   uint32_t first; /* ROP that is first in the next cycle with work */
   struct interp_pipe pipe[SIM_MAX_ROPS];
   struct interp_hiding *hiding; /* [num_rops]; NULL: nothing waits to be hidden */
   uint32_t leaving_room;        /* quads that hide nothing and ends, before the pipeline */
   struct sim_waits waits;
   struct emul_vec4 scratch[ATTILA_MAX_VARYINGS];
};

/* interp.c. Returns the signal with ROP r's next object in draw order, or NULL. Peek returns that
 * object, NULL if it must wait for its twin on the direct path; pop takes it, with its twin. */
struct sim_signal *interp_input(const struct interp *p, uint32_t r, sim_tick now);
const struct msg_quad *interp_peek(const struct interp *p, uint32_t r, const struct sim_signal *s,
                                   sim_tick now);
void interp_pop(struct interp *p, uint32_t r, struct sim_signal *s, bool end, sim_tick now);

/* interp_hide.c. Take brings what has come for a ROP; true: something did. First returns what may
 * enter the pipeline, which pop takes out; NULL: nothing. Holds returns whether anything waits, and
 * the work of the oldest. */
void interp_hide_init(struct interp *p);
void interp_hide_fini(struct interp *p);
bool interp_hide_take(struct interp *p, uint32_t r, sim_tick now);
const struct msg_quad *interp_hide_first(const struct interp *p, uint32_t r);
void interp_hide_pop(struct interp *p, uint32_t r);
bool interp_hide_holds(const struct interp *p, uint32_t r, uint16_t *work_id);

#endif
