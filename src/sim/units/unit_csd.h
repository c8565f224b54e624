/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Compute Dispatcher (box/command/csd.c). units.h says how to read it. The papers'
 * machine has none. As on a G80, workgroups go whole to a shader, up to 8 to one (CUDA C
 * Programming Guide 4.2, section F, table 12). Latency: our choice. */
#ifndef UNIT_CSD_H
#define UNIT_CSD_H

/* clang-format off */
#define SIM_UNIT_csd(U)                                                                          \
   U("ComputeDispatcher", "CSD", "gives workgroups of grids to the shaders (OpenGL 4.3 chapter " \
      "19)", SIM_CHARGES_DRAW)

#define SIM_PARAMS_COMPUTE(P, B, T)                                                               \
   P(COMPUTE, WorkgroupsShader, workgroups, 8, 1, 1024, "workgroups",                            \
      "workgroups in a shader at the same time")                                                 \
   P(COMPUTE, LaunchLatency, launch_latency, 4, 0, 65536, "cycles",                              \
      "time from a grid's arrival until its first workgroup is placed")

#define SIM_STATS_csd(S)                                                                           \
   S(grids, "Grids", COUNT, "grids run")                                                           \
   S(workgroups, "Workgroups", COUNT, "workgroups placed")                                         \
   S(groups, "Groups", THREADS, "thread groups of workgroups sent to shaders")                     \
   S(oversized, "OversizedWorkgroups", COUNT, "workgroups that are larger than an empty shader")   \
   S(resident, "ResidentWorkgroups", COUNT, "workgroups in shaders, summed over cycles")           \
   S(stall_workgroups, "StallsWorkgroups", CYCLES,                                                 \
      "a workgroup waited because shaders had WorkgroupsShader of them")                           \
   S(stall_contexts, "StallsContexts", CYCLES,                                                     \
      "a workgroup waited because a shader's contexts had no room for its groups")                 \
   S(stall_registers, "StallsRegisters", CYCLES, "a workgroup waited for registers")               \
   S(stall_shared, "StallsSharedMemory", CYCLES, "a workgroup waited for shared memory")

#define SIM_ENERGY_csd(A, E, D, N)                                                               \
   E("Groups", Group, 1, 6 * OP(integer_add) + 128 * OP(latch_bit),                              \
      "its place in the grid, on its way to the shader")                                         \
   E("Workgroups", Workgroup, 1, 4 * OP(integer_add), "the room that it takes")                  \
   N("Grids OversizedWorkgroups", "of Workgroups")                                               \
   N("ResidentWorkgroups", SIM_ENERGY_LEVEL)

#define SIM_AREA_csd(U, IN)                                                                      \
   U(compute_dispatcher, "Compute dispatcher", 1, 4 * AREA_ADDER,                                \
      128. * c->gpu.num_shaders + AREA_REQUEST * c->compute.workgroups * c->gpu.num_shaders, 0,  \
      "estimate: what is free of each shader, and the workgroups in them")

#define SIM_LIMITER_csd(L, W, C, M)              \
   L(86, "compute dispatch", shader, NONE, false) \
      W("Groups", 1)

#define SIM_IDEAL_csd(I) I(shader, COMPUTE, "WorkgroupsShader=1024 LaunchLatency=0")
/* clang-format on */

#endif
