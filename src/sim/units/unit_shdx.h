/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Shader Decode and Execute (box/shader/shdx.c). units.h says how to read it. */
#ifndef UNIT_SHDX_H
#define UNIT_SHDX_H

#include "units/unit_shf.h"

/* clang-format off */
#define SIM_UNIT_shdx(U)                                                             \
   U("ShaderDecodeExecute", "ShDX-FS#",                                              \
      "executes shader instructions with their latencies (ISPASS 2006 section 2.3)", \
      SIM_CHARGES_DRAW)

#define SIM_STATS_shdx(S)                                                                         \
   S(executed, "ExecutedInstructions", INSTRUCTIONS, "instructions executed, for each lane")      \
   S(simd, "SIMDInstructions", INSTRUCTIONS, "SIMD instructions executed, for each lane")         \
   S(scalar, "ScalarInstructions", INSTRUCTIONS, "scalar instructions executed, for each lane")   \
   S(flow, "FlowInstructions", INSTRUCTIONS, "branches and kills executed, for each lane")        \
   S(integer, "IntegerInstructions", INSTRUCTIONS,                                                \
      "SIMD instructions on integers executed, for each lane")                                    \
   S(lanes, "ExecutedInputs", COUNT, "inputs active in the instructions executed")                \
   S(texture, "TextureRequests", REQUESTS, "quads of texture operations sent")                    \
   S(blocks, "BlockCommands", COMMANDS, "threads blocked by a texture operation")                 \
   S(loads, "LoadInstructions", INSTRUCTIONS, "loads of constants from memory, for each lane")    \
   S(memory, "MemoryInstructions", INSTRUCTIONS,                                                  \
      "loads, stores and atomic operations on storage buffers, for each lane")                    \
   S(ends, "EndCommands", COMMANDS, "threads ended")                                              \
   S(replays, "ReplayCommands", COMMANDS, "fetches of which something did not issue, and jumps")  \
   S(stall_operands, "StallsOperands", COUNT,                                                     \
      "instructions that did not issue: a register was not written yet")                          \
   S(stall_ports, "StallsRegisterPorts", COUNT,                                                   \
      "instructions that did not issue: no port of the register file was free")                   \
   S(stall_alu, "StallsALU", COUNT,                                                               \
      "instructions that did not issue: a scalar one of the fetch had both ALUs")                 \
   S(stall_texture, "StallsTextureUnit", COUNT,                                                   \
      "instructions that did not issue: the texture unit had no room")                            \
   S(stall_constant, "StallsConstantCache", COUNT,                                                \
      "instructions that did not issue: the constant cache had no room")                          \
   S(stall_memory, "StallsLoadStoreUnit", COUNT,                                                  \
      "instructions that did not issue: the load/store unit had no room")                         \
   S(held, "StallCycles", CYCLES, "an instruction waited here to issue (VectorWaitOnStall)")

#define SIM_ENERGY_shdx(A, E, D, N)                                                              \
   SIM_SHADER_REGISTERS(A)                                                                       \
   E("SIMDInstructions", Vector, s.width, 4 * (SHADER(float_multiply) + SHADER(float_add)) + 2 * \
      READ(REGISTERS) + WRITE(REGISTERS), "four multiply-adds, two operands, a result")          \
   E("ScalarInstructions", Scalar, s.width * s.scalars, SHADER(special) + READ(REGISTERS) +      \
      WRITE(REGISTERS), "a special function")                                                    \
   E("IntegerInstructions", Integer, s.width, 4 * SHADER(integer_multiply) + 2 * READ(REGISTERS) + \
      WRITE(REGISTERS), "four multiplies, two operands, a result")                               \
   E("FlowInstructions", Flow, 0, SHADER(integer_add) + READ(REGISTERS), "a condition")          \
   N("ExecutedInstructions ExecutedInputs TextureRequests LoadInstructions MemoryInstructions "  \
      "*Commands",                                                                               \
      "sums and kinds of SIMD-, Scalar-, Integer- and FlowInstructions")                         \
   N("Stalls*", "an instruction that did not issue; it is fetched again (FetchedInstr_ShF)")

#define SIM_AREA_shdx(U, IN) \
   IN(shaders)

#define SIM_LIMITER_shdx(L, W, C, M)

#define SIM_IDEAL_shdx(I)
/* clang-format on */

#endif
