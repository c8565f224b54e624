/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports of a GPU: its life; what both modes call is in box/sim_gpu.h.
 */
#ifndef SIM_REPORT_H
#define SIM_REPORT_H

#include "box/sim_gpu.h"

/* Opens frames.csv and draws.csv in options->out_dir (made if missing); boxes exist already. NULL
 * with a message on failure. */
struct sim_report *sim_report_create(struct sim_gpu *gpu, const struct attila_sim_options *options,
                                     char *error, size_t error_size);
/* Rows of frames before this one are left out (they were only run to get there). */
void sim_report_set_first_frame(struct sim_gpu *gpu, uint32_t frame);
/* Writes the row of an unfinished last frame, and everything that is pending. */
void sim_report_finish(struct sim_gpu *gpu);
/* Writes complete pending rows with nothing but write(2): for signal handlers. */
void sim_report_emergency(struct sim_gpu *gpu);
void sim_report_destroy(struct sim_gpu *gpu);
bool sim_report_writes_files(const struct sim_gpu *gpu);
/* Frames ended so far. */
uint32_t sim_report_frames(const struct sim_gpu *gpu);

/* sim_image.c: writes an RGBA8 image as an opaque PNG; false with errno or a message. */
bool sim_image_save(const char *path, const uint8_t *rgba, uint32_t width, uint32_t height,
                    char *error, size_t error_size);

#endif
