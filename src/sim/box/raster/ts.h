/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the parts of Triangle Setup share: ts.c with units of its own, ts_shader.c with the shaders.
 * No other box includes it.
 */
#ifndef TS_H
#define TS_H

#include "box/sim_gpu.h"

SIM_BOX_STATS(ts)

struct ts {
   struct sim_box box;
   struct ts_stats *stat; /* [work_id] */
   uint32_t stipple;      /* line stipple counter of the draw */
   struct emul_setup setup[EMUL_MAX_SETUP];
   unsigned num, next; /* set up and not yet sent, of the oldest primitive */
   bool set_up;        /* the oldest primitive */
   uint32_t taken;     /* primitives of the present set that have been finished */
   bool set;           /* a set of primitives is being taken */
   sim_tick free;      /* when the units can take the next set */
   bool begun;         /* the fragment phase of the draw that arrives */
   struct sim_stall stall;
   /* Setup on the shaders: ring of primitives and ends of draws; head..sent..tail have been sent to
    * the shaders, or not. NULL: units of its own. */
   struct sim_triangle *queue;
   uint32_t head, sent, tail, size;
   struct sim_stall queue_stall; /* of the oldest in the queue */
};

/* Works on the oldest primitive, or the end of a draw; true when it has gone. */
bool ts_work(struct ts *t, const struct msg_prim *m, sim_tick now, bool *progress);
/* Whether the fragment phase of the draw that m belongs to has begun. */
bool ts_in_fragment_phase(struct ts *t, const struct msg_prim *m, sim_tick now);
/* Whether the units may take the next set of primitives. *timer: when to look again, SIM_NEVER when
 * something is sent. */
bool ts_begin_set(struct ts *t, sim_tick now, sim_tick *timer);

/* Setup on the shaders. */
void ts_shader_init(struct ts *t);
void ts_shader_fini(struct ts *t);
sim_tick ts_shader_clock(struct ts *t, sim_tick now);
void ts_shader_flush_counters(struct ts *t, sim_tick next);
void ts_shader_dump(const struct ts *t, FILE *f);

#endif
