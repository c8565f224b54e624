/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Tables of the passes of a tile-based machine: the table passes; the table pass_draws, with a row
 * for each run of draws of a pass that follow one another; and the table pass_bins, with a row for
 * each bin that has a primitive. What the draws of a pass cost is in rows of work. */
#include "results/sim_record_impl.h"

static void
record_passes_put_bins(struct sim_record *rec, uint32_t frame, const struct sim_seen_pass *p)
{
   sqlite3_stmt *s = record_put(rec, TABLE_pass_bins);
   for (uint32_t i = 0; i < p->across * p->down * p->layers; i++) {
      const struct sim_seen_bin *b = &p->bin[i];
      if (!b->primitives)
         continue;
      record_number(s, IN_pass_bins_frame, frame);
      record_number(s, IN_pass_bins_pass, rec->passes);
      record_number(s, IN_pass_bins_layer, i / p->across / p->down);
      record_number(s, IN_pass_bins_y, i / p->across % p->down);
      record_number(s, IN_pass_bins_x, i % p->across);
      record_number(s, IN_pass_bins_primitives, b->primitives);
      record_number(s, IN_pass_bins_cycles,
                    b->ticks / rec->measure->kernel->period[SIM_DOMAIN_GPU]);
      record_step(rec, s);
   }
}

static void
record_passes_put_draws(struct sim_record *rec, uint32_t frame, const struct sim_seen_pass *p)
{
   sqlite3_stmt *s = record_put(rec, TABLE_pass_draws);
   for (uint32_t i = 0, n; i < p->draws; i += n) {
      n = 1;
      while (i + n < p->draws && p->draw[i + n] == p->draw[i] + n)
         n++;
      record_number(s, IN_pass_draws_frame, frame);
      record_number(s, IN_pass_draws_pass, rec->passes);
      record_number(s, IN_pass_draws_first_draw, p->draw[i]);
      record_number(s, IN_pass_draws_draws, n);
      record_step(rec, s);
   }
}

void
sim_record_pass(struct sim_record *rec, uint32_t frame, const struct sim_seen_pass *p)
{
   if (!record_usable(rec))
      return;
   sqlite3_stmt *s = record_put(rec, TABLE_passes);
   const uint64_t start = measure_cycles(rec->measure, SIM_DOMAIN_GPU, p->began);
   record_number(s, IN_passes_frame, frame);
   record_number(s, IN_passes_pass, rec->passes);
   record_text(s, IN_passes_why, p->why);
   record_number(s, IN_passes_start_cycle, start);
   record_number(s, IN_passes_end_cycle, measure_cycles(rec->measure, SIM_DOMAIN_GPU, p->ended));
   record_number(s, IN_passes_geometry_cycles,
                 measure_cycles(rec->measure, SIM_DOMAIN_GPU, p->drawn) - start);
   record_number(s, IN_passes_parts, p->parts);
   record_number(s, IN_passes_first_draw, p->draw[0]);
   record_number(s, IN_passes_draws, p->draws);
   record_number(s, IN_passes_width, p->width);
   record_number(s, IN_passes_height, p->height);
   record_number(s, IN_passes_layers, p->layers);
   record_number(s, IN_passes_bin_width, p->bin_width);
   record_number(s, IN_passes_bin_height, p->bin_height);
   record_step(rec, s);
   record_passes_put_draws(rec, frame, p);
   record_passes_put_bins(rec, frame, p);
   rec->passes++;
   rec->staged = true;
}
