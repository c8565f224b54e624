/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: what boxes do with their cycles, cycle by cycle, from what each of
 * them said when it was clocked last, and whether work is in flight, from messages of the command
 * processor and their answers. Boxes' own counts, which come in runs of cycles
 * (core/sim_activity.c), are not looked at. */
#ifndef DERIVED_ACTIVITY_H
#define DERIVED_ACTIVITY_H

#include "core/sim_trace.h"
#include "derived_rows.h"

struct derived_activity {
   struct derived_said {
      uint32_t did, rest;         /* 0, or SIM_ACTIVITY_... with a work id */
      sim_tick until;             /* it does the same in cycles before it */
      uint32_t did_for, rest_for; /* derived_serial */
   } said[SIM_MAX_BOXES];
   /* Draws in flight, in their order. */
   struct derived_draw {
      const struct sim_draw *draw;
      uint32_t serial, answers; /* that are to come */
   } draws[SIM_MAX_DRAWS];
   unsigned num_draws;
   unsigned cp;    /* the command processor: sim_box.index */
   unsigned owed;  /* answers that the command processor waits for */
   bool new_words; /* the machine gets commands and goes on in the next tick */
   bool in_flight; /* in the next tick */
};

/* --- Messages --- */

#define DERIVED_FROM(net, member, s) \
   ((s) >= (net)->member && (s) < (net)->member + sizeof((net)->member) / sizeof((net)->member[0]))

static inline void
derived_activity_send(struct derived_activity *a, struct derived_rows *r,
                      const struct sim_trace_event *e, sim_tick now)
{
   const struct sim_netlist *net = &r->gpu->net;
   const struct sim_signal *s = e->what;
   if (DERIVED_FROM(net, cp_zst, s) || DERIVED_FROM(net, cp_cw, s) || DERIVED_FROM(net, cp_hz, s) ||
       DERIVED_FROM(net, cp_blit, s) || DERIVED_FROM(net, cp_dac, s) || DERIVED_FROM(net, cp_mc, s))
      a->owed++;
   if (!DERIVED_FROM(net, cp_stf, s))
      return;
   assert_true(a->num_draws < SIM_MAX_DRAWS);
   const struct sim_draw *draw = ((const struct msg_draw *)e->object)->draw;
   const uint32_t serial = derived_serial(r, draw->work_id);
   a->draws[a->num_draws++] = (struct derived_draw){
       draw, serial, r->gpu->config.gpu.num_rops + (draw->state.stream_out != NULL)};
   r->row[serial]->start = now;
}

static inline void
derived_activity_pop(struct derived_activity *a, const struct derived_rows *r,
                     const struct sim_trace_event *e)
{
   const struct sim_netlist *net = &r->gpu->net;
   const struct sim_signal *s = e->what;
   const struct msg_done *m = e->object;
   if ((DERIVED_FROM(net, cw_cp, s) || DERIVED_FROM(net, so_cp, s)) && m->draw) {
      unsigned i = 0;
      while (a->draws[i].draw != m->draw)
         i++;
      a->draws[i].answers--;
   } else if (DERIVED_FROM(net, cw_cp, s) || DERIVED_FROM(net, zst_cp, s) ||
              DERIVED_FROM(net, hz_cp, s) || DERIVED_FROM(net, blit_cp, s) ||
              DERIVED_FROM(net, dac_cp, s) || DERIVED_FROM(net, mc_cp, s)) {
      assert_true(a->owed > 0);
      a->owed--;
   }
}

/* Draws end in order. */
static inline void
derived_activity_end_draws(struct derived_activity *a, struct derived_rows *r, sim_tick now)
{
   while (a->num_draws && !a->draws[0].answers) {
      r->row[a->draws[0].serial]->end = now;
      memmove(a->draws, a->draws + 1, --a->num_draws * sizeof(a->draws[0]));
   }
}

/* --- Cycles --- */

static inline void
derived_activity_listen(struct derived_said *said, struct derived_rows *r, const struct sim_box *b)
{
   *said = (struct derived_said){.did = b->did, .rest = b->rest, .until = b->busy_until};
   said->did_for = b->did ? derived_serial(r, b->did & 0xffff) : 0;
   said->rest_for = b->rest ? derived_serial(r, b->rest & 0xffff) : 0;
}

/* Not work, but a mark: a draw begins, whose primitives setup waits for, or has ended, which the
 * interpolator does not know before a ROP says it, too; its primitives come from the geometry
 * stage. */
static inline bool
derived_activity_is_mark(const struct sim_netlist *net, const struct sim_signal *s, const void *m)
{
   if (DERIVED_FROM(net, hz_interp, s))
      return ((const struct msg_quad *)m)->end;
   if (DERIVED_FROM(net, pa_clp, s) || DERIVED_FROM(net, pa_so, s))
      return ((const struct msg_prim *)m)->geometry;
   return DERIVED_FROM(net, cp_ts, s);
}

/* A box that says that it has nothing to do has nothing but marks in its inputs. */
static inline void
derived_activity_check_inputs(const struct derived_rows *r, const struct sim_box *b, sim_tick now)
{
   for (unsigned n = 0; n < b->num_in; n++) {
      const struct sim_signal *s = b->in[n];
      const void *m = sim_peek(s, now);
      if (m && !derived_activity_is_mark(&r->gpu->net, s, m))
         fail_msg("tick %llu: %s says that it has nothing to do, but %s holds something",
                  (unsigned long long)now, b->name, s->name);
   }
}

/* At the end of every tick. */
static inline void
derived_activity_tick(struct derived_activity *a, struct derived_rows *r, sim_tick now)
{
   const struct sim_kernel *k = &r->gpu->kernel;
   struct derived_frame *f = derived_frame(r);
   const bool flight = a->in_flight || a->new_words;
   for (unsigned i = 0; i < k->num_boxes; i++) {
      const struct sim_box *b = k->boxes[i];
      struct derived_said *said = &a->said[i];
      const bool clocked = b->last_clock == now;
      if (clocked)
         derived_activity_listen(said, r, b);
      const bool does = said->did && (clocked || now < said->until);
      const uint32_t state = does ? said->did : said->rest;
      const enum derived_state is = state & SIM_ACTIVITY_BUSY      ? DERIVED_BUSY
                                    : state & SIM_ACTIVITY_BLOCKED ? DERIVED_BLOCKED
                                    : flight                       ? DERIVED_STARVED
                                                                   : DERIVED_IDLE;
      f->spent[i].cycles[is]++;
      if (!state && (b->filled[0] | b->filled[1] | b->filled[2]))
         derived_activity_check_inputs(r, b, now);
      if (state)
         derived_row(r, does ? said->did_for : said->rest_for)->spent[i].cycles[is]++;
   }
   derived_activity_end_draws(a, r, now);
   a->new_words = false;
   a->in_flight = a->said[a->cp].rest || a->owed || a->num_draws;
}

#endif
