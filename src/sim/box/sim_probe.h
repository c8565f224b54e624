/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Probes: boxes' answers between two ticks (sim_box_class.probe). A probe changes nothing and takes
 * no time. */
#ifndef SIM_PROBE_H
#define SIM_PROBE_H

#include <string.h>
#include "box/sim_gpu.h"

struct sim_probe {
   /* data holds memory [start, end); boxes with newer contents write them there. start == end: no
    * memory is requested. */
   uint32_t start, end;
   uint8_t *data;
   /* Set by the command processor: registers of the oldest draw in flight, else of the draw or
    * clear started last; NULL: none yet. */
   const struct attila_regs *regs;
   bool drawing;  /* the draw is in flight */
   uint32_t draw; /* its number in the frame */
};

/* Stores a box's newer contents, size bytes for memory from address on. */
static inline void
sim_probe_put(const struct sim_probe *l, uint32_t address, const uint8_t *from, uint32_t size)
{
   const uint32_t first = address > l->start ? address : l->start,
                  last = address + size < l->end ? address + size : l->end;
   if (first < last)
      memcpy(l->data + (first - l->start), from + (first - address), last - first);
}

#endif
