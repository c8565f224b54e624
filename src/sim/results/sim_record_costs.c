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
record_costs_make(struct sim_record *rec)
{
   record_sql(rec,
              "CREATE TABLE instructions (program INTEGER NOT NULL, position INTEGER NOT NULL, "
              "text TEXT NOT NULL, PRIMARY KEY (program, position)) WITHOUT ROWID;"
              "CREATE TABLE frame_instructions (frame INTEGER NOT NULL, program INTEGER NOT NULL, "
              "position INTEGER NOT NULL"
#define C(member, what) ", " #member " INTEGER NOT NULL"
              SIM_COSTS(C)
#undef C
                  ", PRIMARY KEY (frame, program, position)) WITHOUT ROWID;"
                  "CREATE VIEW instruction_costs AS SELECT program, position, text"
#define C(member, what) ", coalesce(sum(" #member "), 0) AS " #member
              SIM_COSTS(C)
#undef C
                  " FROM instructions LEFT JOIN frame_instructions USING (program, position) "
                  "GROUP BY program, position");
   rec->put_instruction = record_prepare(rec, "INSERT INTO instructions VALUES (?, ?, ?)");
   rec->put_cost = record_prepare(rec, "INSERT INTO frame_instructions VALUES (?, ?, ?"
#define C(member, what) ", ?"
                                  SIM_COSTS(C)
#undef C
                                      ")");
}

void
record_costs_describe(struct sim_record *rec, uint32_t program, const char *code)
{
   uint32_t position = 0;
   for (const char *line = code; line && *line;
        line += strcspn(line, "\n"), line += *line == '\n') {
      if (*line == '.') /* a declaration */
         continue;
      record_number(rec->put_instruction, 1, program);
      record_number(rec->put_instruction, 2, position++);
      sqlite3_bind_text(rec->put_instruction, 3, line, (int)strcspn(line, "\n"), SQLITE_TRANSIENT);
      record_step(rec, rec->put_instruction);
   }
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
      c->cost = calloc(num_instrs, sizeof(*c->cost));
      c->num = c->cost ? num_instrs : 0;
   }
   return c->cost;
}

static void
put(struct sim_record *rec, uint32_t frame, uint32_t program, uint32_t position,
    const uint64_t *values)
{
   record_begin(rec);
   record_number(rec->put_cost, 1, frame);
   record_number(rec->put_cost, 2, program);
   record_number(rec->put_cost, 3, position);
   for (unsigned i = 0; i < SIM_NUM_COSTS; i++)
      record_number(rec->put_cost, 4 + (int)i, values[i]);
   record_step(rec, rec->put_cost);
}

void
sim_record_take_costs(struct sim_record *rec, uint32_t frame, bool wanted)
{
   static const struct sim_cost nothing;
   for (uint32_t p = 0; rec && p < rec->num_costs; p++) {
      const struct record_costs *c = &rec->costs[p];
      for (uint32_t i = 0; i < c->num; i++) {
         if (!memcmp(&c->cost[i], &nothing, sizeof(nothing)))
            continue;
         if (wanted && record_usable(rec))
            put(rec, frame, p, i, (const uint64_t *)&c->cost[i]);
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
