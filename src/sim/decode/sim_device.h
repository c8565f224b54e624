/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a program sees of the GPU, and both modes execute on: memory, the words of the submission
 * that is being executed, fences and running counters. The cycle mode (box/) and the functional
 * mode (func/) each work on one of these; neither knows the other.
 */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "decode/sim_blocks.h"
#include "hw/attila_cmd.h"
#include "results/sim_report.h"

struct sim_frontend;

/* The submission that is being executed. The words belong to whoever submitted them. */
struct sim_command_queue {
   const uint32_t *words;
   size_t head, tail; /* in words; [head, tail) is still to be executed */
};

struct sim_device {
   /* Cycle mode: touched by the channel schedulers, and by the ROPs for what a clear leaves
    * (box/rop/rop_cache.h). */
   uint8_t *memory;
   uint32_t memory_size;     /* bytes */
   struct sim_blocks blocks; /* cycle mode: what blocks of surfaces cost on the pins */
   struct sim_command_queue queue;
   /* Where the data of the READ_BUFFER being executed goes; dst NULL: nobody wants it (a replay).
    */
   struct {
      uint8_t *dst;
      uint32_t size;
   } read;
   uint64_t fence; /* highest value signalled */
   /* What counters of time say in functional mode, which has none: when cycle mode ended. */
   uint64_t time_ns, gpu_cycles;
   struct sim_frontend *frontend; /* contexts: decoded registers, constants, programs */
   struct sim_report *report;     /* NULL: none */
};

/* What FENCE does. */
static inline void
sim_device_fence(struct sim_device *d, const uint32_t *payload)
{
   uint64_t value = payload[0] | (uint64_t)payload[1] << 32;
   if (value > d->fence)
      d->fence = value;
}

#endif
