/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Looking into the running machine of cycle mode, for attila-sim: at a cycle, what is being drawn,
 * and what memory would hold if every cache were written back now. Nothing of it changes a cycle.
 */
#ifndef ATTILA_LOOK_H
#define ATTILA_LOOK_H

#include "session/machine.h"

/* Calls when this cycle of the GPU clock is over, once. call may ask for another cycle. */
void attila_probe_at(struct attila_sim *sim, uint64_t cycle, void (*call)(void *data, sim_tick now),
                     void *data);

/* What is being drawn. */
struct attila_drawing {
   const struct attila_regs *regs; /* of the oldest draw in flight, else of the draw or clear that
                                      was started last; NULL: there was none */
   bool in_flight;
   uint32_t draw; /* in_flight: its number in the frame */
};
struct attila_drawing attila_probe_drawing(const struct attila_sim *sim);

/* Memory as everything that the ROPs have done so far leaves it. [address, address + size) must be
 * in memory. */
void attila_probe_memory(const struct attila_sim *sim, uint32_t address, uint32_t size,
                         uint8_t *data);

#endif
