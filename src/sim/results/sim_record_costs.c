/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The record: instructions of programs and what they cost. Boxes count into arrays by position
 * (core/sim_cost.h); at the end of a frame the values other than 0 become rows. These rows are per
 * frame, at most one for each instruction of its programs. Per draw, they would be most of the
 * record. */
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

void
sim_record_put_costs(struct sim_record *rec, uint32_t frame)
{
   static const struct sim_cost nothing;
   const struct sim_observed *o = rec ? rec->measure->observed : NULL;
   for (uint32_t p = 0; o && p < o->num_costs; p++) {
      for (uint32_t i = 0; i < o->costs[p].num && record_usable(rec); i++) {
         if (memcmp(&o->costs[p].cost[i], &nothing, sizeof(nothing)))
            record_costs_put(rec, frame, p, i, &o->costs[p].cost[i]);
      }
   }
}
