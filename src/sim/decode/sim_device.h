/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The GPU as programs see it and both modes execute on: memory, the words of the submission in
 * execution, fences, running counters. Cycle mode (box/) and functional mode (func/) each work on
 * one of these; neither knows the other. */
#ifndef SIM_DEVICE_H
#define SIM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "decode/sim_blocks.h"
#include "decode/sim_uses.h"
#include "hw/attila_cmd.h"
#include "measure/sim_observer.h"

struct sim_frontend;

/* The submission in execution. The caller owns the words. */
struct sim_command_queue {
   const uint32_t *words;
   size_t head, tail; /* in words; [head, tail) is still to execute */
};

struct sim_device {
   /* Cycle mode: accessed by channel schedulers, and by ROPs for the results of clears
    * (box/rop/rop_cache.h). */
   uint8_t *memory;
   uint32_t memory_size; /* bytes */
   uint32_t
       private_size; /* bytes behind memory_size that no command reaches: the parameter buffer */
   struct sim_blocks blocks; /* cycle mode: blocks' costs on the pins */
   struct sim_uses uses;     /* functional mode's, for a machine with an L2; else no users */
   struct sim_command_queue queue;
   /* Where the data of the current READ_BUFFER goes; dst NULL: nowhere (in a replay). */
   struct {
      uint8_t *dst;
      uint32_t size;
   } read;
   uint64_t fence; /* highest signalled value */
   /* Values of time counters in functional mode, which has no time: the values when cycle mode
    * ended. */
   uint64_t time_ns, gpu_cycles;
   sim_tick ticks;
   struct sim_frontend *frontend; /* contexts: decoded registers, constants, programs */
   struct sim_observed observed;  /* what the run reports to its listeners */
};

/* Returns the end of the memory that the memory controller reaches. */
static inline uint64_t
sim_device_memory_end(const struct sim_device *d)
{
   return (uint64_t)d->memory_size + d->private_size;
}

/* Executes FENCE. */
static inline void
sim_device_fence(struct sim_device *d, const uint32_t *payload)
{
   uint64_t value = payload[0] | (uint64_t)payload[1] << 32;
   if (value > d->fence)
      d->fence = value;
}

#endif
