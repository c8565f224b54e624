/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: whose events are. What boxes did in the cycles of a frame, and for
 * which row of it, by the work id that the event names. Not here: what the events are
 * (derived_activity.h, derived_shader.h). */
#ifndef DERIVED_ROWS_H
#define DERIVED_ROWS_H

#include "record_query.h"

#include "measure/sim_measure.h"
#include "session/machine/machine_impl.h"

enum derived_state { DERIVED_BUSY, DERIVED_BLOCKED, DERIVED_STARVED, DERIVED_IDLE, DERIVED_STATES };

/* Of a box, for a row. */
struct derived_spent {
   uint64_t cycles[DERIVED_STATES];
   uint64_t
       work[2]; /* in cycles that it needs at its best, where messages tell: derived_limiter.h */
};

/* Costs of a program's instructions. */
struct derived_costs {
   struct sim_cost *cost; /* NULL: it was not executed */
   uint32_t num;
};

/* A row of work. */
struct derived_row {
   uint32_t frame, number; /* its key in the record */
   sim_tick start, end;    /* of a draw: it left the command processor, its last ROP has ended */
   struct derived_spent spent[SIM_MAX_BOXES];
   struct derived_costs costs[SIM_GROUP_PRIMITIVES + 1]; /* by enum sim_group_kind */
};

enum derived_threads {
   DERIVED_LOADED,
   DERIVED_EXECUTING,
   DERIVED_WAITING,
   DERIVED_ENDED,
   DERIVED_FREE,
   DERIVED_WANTS_THREAD,
   DERIVED_WANTS_REGISTERS,
   DERIVED_THREADS
};

struct derived_frame {
   struct derived_spent spent[SIM_MAX_BOXES]; /* all rows together, and no row */
   struct derived_row *earlier, *other;       /* rows that every frame has; NULL: nothing yet */
   uint64_t threads[DERIVED_THREADS];         /* of all shaders, summed over cycles */
};

#define DERIVED_MAX_ROWS 8192
#define DERIVED_MAX_FRAMES 16

struct derived_rows {
   const struct sim_gpu *gpu; /* while it runs */
   struct derived_box {
      const char *cls;
      char unit[64], name[32];
      bool numbered;
   } boxes[SIM_MAX_BOXES];
   unsigned num_boxes, num_rops;
   uint32_t frame;                            /* the one that cycles belong to */
   struct derived_row *row[DERIVED_MAX_ROWS]; /* by sim_work_state.serial */
   struct derived_frame *frames[DERIVED_MAX_FRAMES];
};

static inline void *
derived_alloc(size_t size)
{
   void *p = calloc(1, size);
   assert_non_null(p);
   return p;
}

static inline void
derived_rows_init(struct derived_rows *r, const struct sim_gpu *gpu)
{
   r->gpu = gpu;
   r->num_rops = gpu->config.gpu.num_rops;
   for (; r->num_boxes < gpu->kernel.num_boxes; r->num_boxes++) {
      const struct sim_box *b = gpu->kernel.boxes[r->num_boxes];
      struct derived_box *box = &r->boxes[r->num_boxes];
      box->cls = b->cls->name;
      box->numbered = measure_class_numbered(b->cls);
      measure_unit_name(b->cls->unit, box->unit, sizeof(box->unit));
      memcpy(box->name, b->name, sizeof(box->name));
   }
}

static inline struct derived_frame *
derived_frame(struct derived_rows *r)
{
   assert_true(r->frame < DERIVED_MAX_FRAMES);
   if (!r->frames[r->frame])
      r->frames[r->frame] = derived_alloc(sizeof(struct derived_frame));
   return r->frames[r->frame];
}

/* The row that has the work id now, as a number; 0: that of work without a row. */
static inline uint32_t
derived_serial(struct derived_rows *r, unsigned work_id)
{
   const struct sim_work_state *s = &r->gpu->work->state[work_id];
   assert_true(work_id != SIM_WORK_SHARED && s->serial < DERIVED_MAX_ROWS);
   if (work_id == SIM_WORK_OTHER)
      return 0;
   if (!r->row[s->serial]) {
      struct derived_row *row = r->row[s->serial] = derived_alloc(sizeof(*row));
      row->frame = r->frame;
      row->number = s->number;
   }
   return (uint32_t)s->serial;
}

/* The row that cycles of the present frame belong to: its own, or what it causes in a later one. */
static inline struct derived_row *
derived_row(struct derived_rows *r, uint32_t serial)
{
   struct derived_frame *f = derived_frame(r);
   if (serial && r->row[serial]->frame == r->frame)
      return r->row[serial];
   struct derived_row **row = serial ? &f->earlier : &f->other;
   if (!*row) {
      *row = derived_alloc(sizeof(**row));
      (*row)->frame = r->frame;
   }
   return *row;
}

/* A box did so much work in its way of counting it (derived_limiter.h). */
static inline void
derived_work(struct derived_rows *r, const struct sim_box *b, unsigned work_id, unsigned term,
             uint64_t cycles)
{
   const uint32_t serial = derived_serial(r, work_id);
   derived_row(r, serial)->spent[b->index].work[term] += cycles;
   derived_frame(r)->spent[b->index].work[term] += cycles;
}

static inline void
derived_rows_free_row(struct derived_row *row)
{
   for (unsigned kind = 0; row && kind <= SIM_GROUP_PRIMITIVES; kind++)
      free(row->costs[kind].cost);
   free(row);
}

static inline void
derived_rows_free(struct derived_rows *r)
{
   for (unsigned i = 0; i < DERIVED_MAX_ROWS; i++)
      derived_rows_free_row(r->row[i]);
   for (unsigned f = 0; f < DERIVED_MAX_FRAMES; f++) {
      if (r->frames[f]) {
         derived_rows_free_row(r->frames[f]->earlier);
         derived_rows_free_row(r->frames[f]->other);
      }
      free(r->frames[f]);
   }
}

#endif
