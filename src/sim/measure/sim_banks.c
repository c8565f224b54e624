/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Divides the counts of rows of work by the state of the domains' voltages. Each work id has a
 * bank. At each change of state, and when the work id's counters are taken, its counts since the
 * last time go into the bank, labelled with the state. So the parts of a row add up to the row, and
 * the rows of a frame to the frame. Not here: frames and intervals, and work ids. */
#include <stdlib.h>
#include <string.h>
#include "core/sim_grow_array.h"
#include "measure/sim_measure.h"

struct deposit {
   uint32_t state, column;
   uint64_t value;
};

struct bank {
   struct deposit *deposit;
   size_t num, size;
};

struct measure_banks {
   unsigned num_work_ids, num_columns;
   struct bank *work_id;     /* [work_id] */
   struct bank row, earlier; /* of the row that is being announced; of the work of earlier frames */
   uint64_t *now;            /* [column]: zeros, except while a work id is read */
   struct measure_parts parts;
};

struct measure_banks *
measure_banks_make(unsigned num_work_ids, unsigned num_columns)
{
   struct measure_banks *b = calloc(1, sizeof(*b));
   if (!b)
      return NULL;
   b->num_work_ids = num_work_ids;
   b->num_columns = num_columns;
   b->work_id = calloc(num_work_ids + 1, sizeof(*b->work_id));
   b->now = calloc(num_columns + 1, sizeof(*b->now));
   if (!b->work_id || !b->now) {
      measure_banks_free(b);
      return NULL;
   }
   return b;
}

void
measure_banks_free(struct measure_banks *b)
{
   if (!b)
      return;
   for (unsigned i = 0; b->work_id && i < b->num_work_ids; i++)
      free(b->work_id[i].deposit);
   free(b->work_id);
   free(b->row.deposit);
   free(b->earlier.deposit);
   free(b->now);
   measure_parts_free(&b->parts);
   free(b);
}

static bool
banks_put(struct bank *bank, const struct deposit *d)
{
   if (!sim_grow_array(&bank->deposit, &bank->size, bank->num + 1, sizeof(*bank->deposit)))
      return false;
   bank->deposit[bank->num++] = *d;
   return true;
}

bool
measure_banks_look(struct measure_banks *b, const struct sim_measure *m, unsigned work_id,
                   unsigned state, uint64_t *all)
{
   struct bank *bank = &b->work_id[work_id];
   const size_t before = bank->num;
   bool ok = true;
   measure_look(m, work_id, b->now);
   for (unsigned i = 0; all && i < b->num_columns; i++)
      all[i] += b->now[i];
   for (size_t i = 0; i < before; i++)
      b->now[bank->deposit[i].column] -= bank->deposit[i].value;
   for (unsigned i = 0; i < b->num_columns; i++) {
      if (!b->now[i])
         continue;
      const struct deposit d = {.state = state, .column = i, .value = b->now[i]};
      ok = ok && banks_put(bank, &d);
      b->now[i] = 0;
   }
   return ok;
}

bool
measure_banks_take(struct measure_banks *b, const struct sim_measure *m, unsigned work_id,
                   unsigned state)
{
   const bool ok = measure_banks_look(b, m, work_id, state, NULL);
   const struct bank taken = b->work_id[work_id];
   b->work_id[work_id] = b->row;
   b->work_id[work_id].num = 0;
   b->row = taken;
   return ok;
}

bool
measure_banks_put_off(struct measure_banks *b)
{
   bool ok = true;
   for (size_t i = 0; i < b->row.num; i++)
      ok = ok && banks_put(&b->earlier, &b->row.deposit[i]);
   b->row.num = 0;
   return ok;
}

void
measure_banks_take_earlier(struct measure_banks *b)
{
   const struct bank row = b->row;
   b->row = b->earlier;
   b->earlier = row;
   b->earlier.num = 0;
}

const struct measure_parts *
measure_banks_row(struct measure_banks *b, unsigned num_states)
{
   measure_parts_clear(&b->parts);
   for (size_t i = 0; i < b->row.num; i++) {
      const struct deposit *d = &b->row.deposit[i];
      struct measure_values *v =
          measure_parts_state(&b->parts, num_states, d->state, b->num_columns);
      if (!v)
         return NULL;
      measure_values_count(v, d->column, d->value);
   }
   b->row.num = 0;
   return &b->parts;
}
