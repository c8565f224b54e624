/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The record: instructions of programs, and what they cost. Boxes count into arrays by position
 * (core/sim_cost.h); at the end of a frame what is not 0 becomes rows. A frame and not a draw has
 * rows: they are as many as the instructions of all its programs together, which is nothing beside
 * its rows of work; per draw they would be most of the record.
 */
#include <stdlib.h>
#include <string.h>
#include "results/sim_record_impl.h"

void
record_costs_describe(struct sim_record *rec, uint32_t program, const char *code,
                      const struct attila_program_note *note)
{
   sqlite3_stmt *s = record_put(rec, TABLE_instructions);
   uint32_t position = 0;
   for (const char *line = code; line && *line;
        line += strcspn(line, "\n"), line += *line == '\n') {
      if (*line == '.') /* a declaration */
         continue;
      record_number(s, IN_instructions_program, program);
      record_number(s, IN_instructions_position, position);
      const uint16_t source_line = position < note->num_lines ? note->lines[position] : 0;
      record_number_or_null(s, IN_instructions_line, source_line != 0, source_line);
      position++;
      sqlite3_bind_text(s, IN_instructions_text, line, (int)strcspn(line, "\n"), SQLITE_TRANSIENT);
      record_step(rec, s);
   }
}

/* Every shader counts into one of its own, where another thread may clock it than the others. */
static uint32_t
record_costs_copies(const struct sim_record *rec)
{
   return rec->measure->kernel->num_threads > 1 ? SIM_MAX_SHADERS : 1;
}

struct sim_cost *
sim_record_costs(struct sim_record *rec, uint32_t program, uint32_t num_instrs)
{
   if (!record_usable(rec))
      return NULL;
   if (program >= rec->num_costs) {
      const uint32_t num = program + 64;
      struct record_costs *grown = realloc(rec->costs, num * sizeof(*grown));
      if (!grown)
         return NULL;
      memset(grown + rec->num_costs, 0, (num - rec->num_costs) * sizeof(*grown));
      rec->costs = grown;
      rec->num_costs = num;
   }
   struct record_costs *c = &rec->costs[program];
   if (!c->cost) {
      const uint32_t copies = record_costs_copies(rec);
      c->cost = calloc((size_t)num_instrs * copies, sizeof(*c->cost));
      c->num = c->cost ? num_instrs : 0;
   }
   return c->cost;
}

static void
record_costs_put(struct sim_record *rec, uint32_t frame, uint32_t program, uint32_t position,
                 const struct sim_cost *cost)
{
   sqlite3_stmt *s = record_put(rec, TABLE_frame_instructions);
   record_begin(rec);
   record_number(s, IN_frame_instructions_frame, frame);
   record_number(s, IN_frame_instructions_program, program);
   record_number(s, IN_frame_instructions_position, position);
#define C(member, what) record_number(s, IN_frame_instructions_##member, cost->member);
   SIM_COSTS(C)
#undef C
   record_step(rec, s);
}

/* What the other shaders have counted goes to the first one's. */
static void
record_costs_add(const struct record_costs *c, uint32_t copies)
{
   uint64_t *sum = (uint64_t *)c->cost, *more = sum;
   const size_t num = c->num * SIM_NUM_COSTS;
   for (uint32_t copy = 1; copy < copies; copy++) {
      more += num;
      for (size_t i = 0; i < num; i++) {
         sum[i] += more[i];
         more[i] = 0;
      }
   }
}

void
sim_record_take_costs(struct sim_record *rec, uint32_t frame, bool wanted)
{
   static const struct sim_cost nothing;
   const uint32_t copies = rec ? record_costs_copies(rec) : 0;
   for (uint32_t p = 0; rec && p < rec->num_costs; p++) {
      const struct record_costs *c = &rec->costs[p];
      record_costs_add(c, copies);
      for (uint32_t i = 0; i < c->num; i++) {
         if (!memcmp(&c->cost[i], &nothing, sizeof(nothing)))
            continue;
         if (wanted && record_usable(rec))
            record_costs_put(rec, frame, p, i, &c->cost[i]);
         c->cost[i] = nothing;
      }
   }
}

void
record_costs_free(struct sim_record *rec)
{
   for (uint32_t p = 0; p < rec->num_costs; p++)
      free(rec->costs[p].cost);
   free(rec->costs);
}
