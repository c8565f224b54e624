/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of Triangle Setup share: ts.c (setup in units), ts_shader.c (on the shaders). No
 * other box includes it. */
#ifndef TS_H
#define TS_H

#include "box/sim_gpu.h"

SIM_BOX_STATS(ts)

struct ts {
   struct sim_box box;
   struct ts_stats *stat;  /* [work_id] */
   struct sim_signal *out; /* of primitives */
   uint32_t stipple;       /* the draw's line stipple counter */
   struct emul_setup setup[EMUL_MAX_SETUP];
   unsigned num, next; /* results of the oldest primitive that are not sent yet */
   bool set_up;        /* the oldest primitive is set up */
   uint32_t taken;     /* primitives of the present set that are finished */
   bool set;           /* a set of primitives is being taken */
   sim_tick free;      /* when the next set can be taken */
   bool begun;         /* the arriving draw's fragment phase has begun */
   struct sim_stall stall;
   /* Setup on the shaders: ring of primitives and ends of draws; [head, sent) are with the shaders,
    * [sent, tail) wait. NULL: setup in units. */
   struct sim_triangle *queue;
   uint32_t head, sent, tail, size;
   struct sim_stall queue_stall; /* the oldest in the queue waits */
};

/* Works on the oldest primitive or a draw's end; true when it has left. */
bool ts_work(struct ts *t, const struct msg_prim *m, sim_tick now, bool *progress);
/* Returns whether the fragment phase of m's draw has begun. */
bool ts_in_fragment_phase(struct ts *t, const struct msg_prim *m, sim_tick now);
/* Returns whether the units may take the next set of primitives. *timer: when to look again;
 * SIM_NEVER if something is sent. */
bool ts_begin_set(struct ts *t, sim_tick now, sim_tick *timer);

/* Setup on the shaders. */
void ts_shader_init(struct ts *t);
void ts_shader_fini(struct ts *t);
sim_tick ts_shader_clock(struct ts *t, sim_tick now);
void ts_shader_flush_counters(struct ts *t, sim_tick next);
void ts_shader_dump(const struct ts *t, FILE *f);

#endif
