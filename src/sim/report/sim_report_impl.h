/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the reports share.
 */
#ifndef SIM_REPORT_IMPL_H
#define SIM_REPORT_IMPL_H

#include "report/sim_report.h"

/* Rows that are complete: [0, len) may be written at any time. */
struct csv {
   int fd; /* -1: none */
   char *data;
   size_t len, capacity;
};

struct report_class {
   const struct sim_box_class *cls;
   unsigned first; /* column of its first statistic's sum */
};

#define NO_COLUMN 0xffffffffu
#define MAX_WARNINGS 256

struct sim_report {
   struct sim_kernel *kernel;
   uint32_t frame, next_draw; /* present frame; number of its next draw */
   char *dir;
   struct csv draws, frames;
   bool progress, save_frames;
   uint32_t first_frame;
   /* Columns: sums of every class, then those of numbered boxes. */
   unsigned num_columns, num_classes;
   struct report_class classes[SIM_MAX_BOXES];
   unsigned sum_column[SIM_MAX_BOXES], own_column[SIM_MAX_BOXES];
   uint64_t *row, *frame_sum;
   uint32_t draws_in_frame;
   uint64_t last_cycle;
   double last_host;
   /* Texts that have been printed, by hash. */
   uint64_t warned[MAX_WARNINGS];
   unsigned num_warned;
   uint64_t warnings; /* including repetitions */
};

#endif
