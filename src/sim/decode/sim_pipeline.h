/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state of draws in OpenGL's words, as what has changed since the draw before. */
#ifndef SIM_PIPELINE_H
#define SIM_PIPELINE_H

#include "decode/sim_device.h"
#include "emul/emul_draw.h"

struct sim_pipeline;

/* Announces what differs from the state that was announced last. *p: made at the first call.
 * memory: the GPU's, for uniform blocks. Returns the number of the state, from 1. */
uint32_t sim_pipeline_announce(struct sim_pipeline **p, struct sim_observed *observed,
                               const struct emul_draw_state *state, const uint8_t *memory);
void sim_pipeline_destroy(struct sim_pipeline *p);

#endif
