/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A machine without boxes, for tests of the kernel. */
#ifndef KERNEL_GPU_H
#define KERNEL_GPU_H

#include <stdlib.h>
#include <string.h>
#include "box/sim_gpu.h"

/* Clocks in MHz; seed: of the clocking order, 0: as created. To be freed by free_gpu. */
static inline struct sim_gpu *
new_gpu(uint32_t gpu_mhz, uint32_t shader_mhz, uint32_t memory_mhz, uint32_t seed)
{
   struct sim_gpu *gpu = aligned_alloc(64, (sizeof(*gpu) + 63) & ~(size_t)63);
   memset(gpu, 0, sizeof(*gpu));
   sim_netlist_clear(gpu);
   sim_kernel_init(&gpu->kernel, gpu_mhz, shader_mhz, memory_mhz, seed);
   return gpu;
}

static inline void
free_gpu(struct sim_gpu *gpu)
{
   sim_kernel_fini(&gpu->kernel);
   free(gpu);
}

#endif
