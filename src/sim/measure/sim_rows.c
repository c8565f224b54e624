/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Announces rows of work to listeners (sim_observer.h): the counts of a work id when its work is
 * complete or its frame ends, and the rows that a frame has at most once. Not here: work ids
 * (sim_work.c). */
#include "measure/sim_measure.h"

static void
rows_announce(struct sim_measure *m, const struct sim_work *work, uint32_t number, uint32_t draws,
              const struct measure_values *values)
{
   const struct sim_row row = {.work = work,
                               .number = number,
                               .draws = draws,
                               .values = values,
                               .parts = measure_states_row(m)};
   SIM_EVENT(m->observed, row, &row);
}

/* The work whose counts were taken last has a row already, in an earlier frame. So they go into
 * this frame's row of earlier work. */
static void
rows_put_off(struct sim_measure *m)
{
   measure_values_add(&m->earlier, &m->row);
   if (!measure_states_put_off(m))
      measure_states_free(m);
}

void
measure_rows_take(struct sim_measure *m, const struct sim_work_state *s, uint16_t work_id,
                  sim_tick now)
{
   measure_take(m, work_id, &m->row);
   if (s->earlier) {
      rows_put_off(m);
   } else if (sim_observed_wants_frame(m->observed)) {
      struct sim_work work = s->work;
      work.end = s->ended ? work.end : now;
      rows_announce(m, &work, s->number, s->draws, &m->row);
   }
}

/* Announces a row of a kind that a frame has at most once. */
static void
rows_announce_once(struct sim_measure *m, enum sim_work_kind kind, uint32_t number, sim_tick end,
                   const struct measure_values *values)
{
   const struct sim_work work = {.kind = kind, .start = m->observed->began, .end = end};
   if (sim_observed_wants_frame(m->observed) && (kind == SIM_KIND_OTHER || values->num_touched))
      rows_announce(m, &work, number, 0, values);
}

void
measure_rows_end_frame(struct sim_measure *m, sim_tick end)
{
   measure_work_end_frame(&m->work, end);
   /* A free work id is empty, unless a box counted for a command that was complete. */
   for (unsigned work_id = SIM_WORK_SHARED + 1; work_id < m->kernel->used_work_ids; work_id++) {
      if (m->work.refs[work_id])
         continue;
      measure_take(m, work_id, &m->row);
      for (unsigned i = 0; i < m->row.num_touched; i++)
         m->work.unattributed += m->row.value[m->row.touched[i]];
      rows_put_off(m);
   }
   measure_take(m, SIM_WORK_SHARED, &m->row);
   rows_announce_once(m, SIM_KIND_SHARED, SIM_ROW_SHARED, end, &m->row);
   measure_take(m, SIM_WORK_OTHER, &m->row);
   rows_announce_once(m, SIM_KIND_OTHER, SIM_ROW_OTHER, end, &m->row);
   measure_states_take_earlier(m);
   rows_announce_once(m, SIM_KIND_EARLIER, SIM_ROW_EARLIER, end, &m->earlier);
   measure_values_clear(&m->earlier);
}
