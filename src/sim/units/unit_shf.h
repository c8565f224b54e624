/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The sheet of the Shader Fetch (box/shader/shf.c). units.h says how to read it. */
#ifndef UNIT_SHF_H
#define UNIT_SHF_H

/* clang-format off */
#define SIM_UNIT_shf(U)                                                                         \
   U("ShaderFetch", "ShF-FS#",                                                                  \
      "thread contexts, registers and instruction issue of a shader (ISPASS 2006 section 2.3)", \
      SIM_CHARGES_DRAW)

/* Fragment shaders with VectorShader = FALSE, and vertex shaders of a split machine. */
#define SIM_PARAMS_THREADS(P, B, SECTION, THREADS, BUFFERS, RESOURCES, GROUP, RATE, LOCKED) \
   P(SECTION, ExecutableThreads, threads, THREADS, 1, 16384, "inputs",                      \
      "inputs of a shader that may execute")                                                \
   P(SECTION, InputBuffers, buffers, BUFFERS, 0, 16384, "inputs",                           \
      "inputs of a shader that are loaded beyond those that may execute")                   \
   P(SECTION, ThreadResources, registers, RESOURCES, 16, 65536, "registers",                \
      "vec4 registers of a shader, for all its inputs")                                     \
   P(SECTION, ThreadGroup, group, GROUP, 1, 64, "inputs",                                   \
      "inputs that execute together; of fragments a multiple of 4")                         \
   P(SECTION, ThreadRate, rate, RATE, 1, 64, "inputs/cycle",                                \
      "inputs on which an instruction executes; without LockedExecutionMode, groups "       \
      "fetched")                                                                            \
   B(SECTION, LockedExecutionMode, locked, LOCKED,                                          \
      "inputs of a group share instructions; FALSE: groups of one, only vertices")          \
   P(SECTION, FetchRate, fetch_rate, 1, 1, 4, "instructions",                               \
      "instructions of a group that are fetched together")                                  \
   B(SECTION, ScalarALU, scalar_alu, 0,                                                     \
      "one of two instructions fetched together is scalar (needs FetchRate 2)")             \
   B(SECTION, ThreadWindow, thread_window, 1,                                               \
      "any ready group may issue; FALSE: a group that waits stops those behind it")         \
   B(SECTION, SwapOnBlock, swap_on_block, 0, "a group issues until it waits")               \
   P(SECTION, FetchDelay, fetch_delay, 0, 0, 64, "cycles",                                  \
      "interval between fetches of a group")                                                \
   P(SECTION, InputsPerCycle, inputs_cycle, RATE, 1, 64, "inputs/cycle",                    \
      "inputs loaded into a shader")                                                        \
   P(SECTION, OutputsPerCycle, outputs_cycle, RATE, 1, 64, "outputs/cycle",                 \
      "outputs taken from a shader")
#define SIM_PARAMS_shf(P, B, T)                                                              \
   B(FRAGMENTSHADER, VectorShader, vector, 0,                                                \
      "shaders have the keys Vector...; FALSE: the keys ExecutableThreads to ScalarALU")     \
   P(FRAGMENTSHADER, VectorThreads, vector_threads, 28, 1, 1024, "threads",                  \
      "vector: thread groups of a shader")                                                   \
   P(FRAGMENTSHADER, VectorResources, vector_resources, 112, 4, 65536, "registers",          \
      "vector: registers of a shader, of VectorLength vec4 each")                            \
   P(FRAGMENTSHADER, VectorLength, vector_length, 4, 4, 64, "inputs",                        \
      "vector: fragments or vertices of a thread group, a multiple of 4")                    \
   P(FRAGMENTSHADER, VectorALUWidth, vector_width, 4, 1, 64, "inputs/cycle",                 \
      "vector: inputs on which an instruction executes in a cycle")                          \
   T(FRAGMENTSHADER, VectorALUConfig, vector_alu, "simd4",                                   \
      "vector: ALUs: simd4, simd4+scalar (two instructions, one of them SIMD) or scalar")    \
   B(FRAGMENTSHADER, VectorScalarFirst, scalar_first, 0,                                     \
      "vector: a SIMD instruction that is fetched behind a scalar one issues with it; "      \
      "FALSE: it is fetched again, as in the release, whose scalar instruction reserves "    \
      "both ALUs")                                                                           \
   B(FRAGMENTSHADER, VectorWaitOnStall, wait_on_stall, 0,                                    \
      "vector: decode keeps an instruction that cannot issue; FALSE: it is fetched again")   \
   SIM_PARAMS_THREADS(P, B, FRAGMENTSHADER, 112, 16, 448, 4, 4, 1)                           \
   T(FRAGMENTSHADER, IssuePolicy, issue_policy, "ROUND_ROBIN",                               \
      "which ready group issues: ROUND_ROBIN or OLDEST_FIRST; with ThreadWindow, without "   \
      "SwapOnBlock")                                                                         \
   B(FRAGMENTSHADER, SharedWindow, shared_window, 0,                                         \
      "one window (or queue) of groups and one register file, as large as those of all "     \
      "shaders, from which any group may issue to any shader (ISPASS 2006 section 5); needs " \
      "GPU.Unified")                                                                         \
   B(FRAGMENTSHADER, FetchScoreboard, scoreboard, 0,                                         \
      "fetch passes over groups whose operands are not written yet")                         \
   B(FRAGMENTSHADER, FixedLatencyALU, fixed_latency, 0,                                      \
      "all instructions but SIN, COS, DDX and DDY take as long as ADD")                      \
   P(FRAGMENTSHADER, RegisterGranularity, granularity, 1, 1, 16, "registers",                \
      "registers of an input that are allocated together")                                   \
   P(FRAGMENTSHADER, RegisterReadPorts, read_ports, 12, 3, 12, "registers",                  \
      "temporaries that instructions fetched together may read")                             \
   P(FRAGMENTSHADER, RegisterWritePorts, write_ports, 2, 1, 16, "instructions",              \
      "instructions that may write in a cycle, for each of those fetched together")          \
   P(FRAGMENTSHADER, OutputAttributesCycle, output_attributes, 2, 1, 32, "attributes/cycle", \
      "attributes of a shaded vertex that are sent")                                         \
   P(FRAGMENTSHADER, OutputDelay, output_delay, 3, 1, 100, "cycles",                         \
      "latency of an output to the fragment FIFO, unless OutputLatency is shorter")          \
   P(FRAGMENTSHADER, OutputLatency, output_latency, 1, 1, 100, "cycles",                     \
      "longest latency of an output to the fragment FIFO")
/* Shaders of vertices in a split machine (GPU.Unified = FALSE). */
#define SIM_PARAMS_VERTEXSHADER(P, B, T) SIM_PARAMS_THREADS(P, B, VERTEXSHADER, 12, 4, 96, 1, 1, 0)

#define SIM_STATS_shf(S)                                                                  \
   S(inputs, "Inputs", COUNT, "vertices or fragments of the groups loaded, all lanes")    \
   S(input_attributes, "InputActiveInputAttributes", COUNT,                               \
      "attributes that the programs of the inputs read, sum over inputs")                 \
   S(output_attributes, "InputActiveOutputAttributes", COUNT,                             \
      "attributes that the programs of the inputs write, sum over inputs")                \
   S(input_registers, "InputRegisters", COUNT,                                            \
      "registers that the inputs hold, sum over inputs")                                  \
   S(outputs, "Outputs", COUNT, "vertices or fragments taken after shading, all lanes")   \
   S(threads, "StartedThreads", THREADS, "thread groups started")                         \
   S(ended_threads, "EndedThreads", THREADS, "thread groups ended")                       \
   S(fetched, "FetchedInstr", INSTRUCTIONS, "instructions fetched, for each lane")        \
   S(refetched, "ReFetchedInstr", INSTRUCTIONS,                                           \
      "instructions fetched again because they did not issue, for each lane")             \
   S(paired, "PairedInstr", INSTRUCTIONS,                                                 \
      "thread groups of which several instructions were fetched at once")                 \
   S(fetch_cycles, "FetchCycles", CYCLES, "cycles after a fetch in which no other "       \
     "fetch may begin")                                                                   \
   S(alu_busy, "ALUBusyCycles", CYCLES, "cycles that the ALUs worked on instructions "    \
     "(SharedWindow: of all shaders)")                                                    \
   S(empty, "EmptyCycles", CYCLES, "the shader had no thread (charged to no draw)")       \
   S(no_ready, "NoReadyCycles", CYCLES,                                                   \
      "there were threads and free ALUs, but no fetch (charged to the oldest thread; "    \
      "SharedWindow: of all shaders)")                                                    \
   S(all_blocked, "TextureWaitCycles", CYCLES,                                            \
      "all threads waited for the texture unit")                                          \
   S(all_constant, "ConstantWaitCycles", CYCLES,                                          \
      "all threads waited for the constant cache")                                        \
   S(all_memory, "MemoryWaitCycles", CYCLES,                                              \
      "all threads waited for the load/store unit")                                       \
   S(blocks, "Blocks", COUNT, "threads that began to wait for the texture unit")          \
   S(unblocks, "Unblocks", COUNT, "threads whose texture result came")                    \
   S(stall_threads, "StallsThreads", CYCLES, "a group waited for a free thread context")  \
   S(stall_registers, "StallsRegisters", CYCLES, "a group waited for free registers")     \
   S(stall_output, "StallsOutput", CYCLES, "an ended group waited for the fragment FIFO") \
   S(barriers, "Barriers", THREADS, "barriers that thread groups have passed")            \
   S(all_barrier, "BarrierWaitCycles", CYCLES, "all threads waited at barriers")          \
   S(barrier_threads, "BarrierThreads", COUNT,                                            \
      "threads that wait at a barrier, summed over cycles")                               \
   S(ready_threads, "ReadyThreads", COUNT, "threads that execute, summed over cycles")    \
   S(blocked_threads, "BlockedThreads", COUNT,                                            \
      "threads that wait for the texture unit, summed over cycles")                       \
   S(constant_threads, "ConstantThreads", COUNT,                                          \
      "threads that wait for the constant cache, summed over cycles")                     \
   S(memory_threads, "MemoryThreads", COUNT,                                              \
      "threads that wait for the load/store unit, summed over cycles")                    \
   S(finished_threads, "FinishedThreads", COUNT,                                          \
      "threads whose outputs are not taken yet, summed over cycles")                      \
   S(loaded_threads, "LoadedThreads", COUNT,                                              \
      "threads that are loaded, or wait until they may execute, summed over cycles")      \
   S(free_threads, "FreeThreads", COUNT,                                                  \
      "contexts not in use, summed over cycles (charged to no draw)")                     \
   S(used_registers, "UsedResources", COUNT,                                              \
      "registers held, summed over cycles; vector shaders count vectors")

#define SIM_SHADER_REGISTERS(A)                \
   A(REGISTERS, s.registers / s.width, 128, 2)

#define SIM_ENERGY_shf(A, E, D, N)                                                              \
   A(INSTRUCTIONS, c->cp.instruction_memory + 1, 128, 1)                                        \
   SIM_SHADER_REGISTERS(A)                                                                      \
   E("FetchedInstr", Fetch, s.width * s.ways, (READ(INSTRUCTIONS) + OP(decision)) / s.lanes,    \
      "an instruction of a group, for each lane")                                               \
   E("InputActiveInputAttributes", Input, s.width, WRITE(REGISTERS), "an attribute")            \
   E("Outputs", Output, s.width, READ(REGISTERS), "an attribute")                               \
   N("Inputs InputActiveOutputAttributes InputRegisters StartedThreads EndedThreads Blocks "    \
      "Unblocks", "a group's begin and end are charged by what is loaded and stored "           \
      "(InputActiveInputAttributes, Outputs)")                                                  \
   N("Barriers", "of the barrier's FetchedInstr")                                              \
   N("ReFetchedInstr PairedInstr", "parts of FetchedInstr")                                     \
   N("ReadyThreads BlockedThreads ConstantThreads MemoryThreads BarrierThreads "              \
     "FinishedThreads LoadedThreads FreeThreads UsedResources",                                 \
     SIM_ENERGY_LEVEL)

#define SIM_AREA_shf(U, IN)                                                                    \
   U(shaders, "Shaders", c->gpu.num_shaders, area_shader_logic(c, false),                      \
      area_shader_bits(c, false), 0,                                                           \
      "MICRO 2005, 6.2: 15 million transistors with its texture unit, +15 % a SIMD ALU, +5 % " \
      "a scalar one")                                                                          \
   U(vertex_shaders, "Vertex shaders", c->gpu.unified ? 0 : c->gpu.num_vertex_shaders,         \
      area_shader_logic(c, true), area_shader_bits(c, true), 0,                                \
      "MICRO 2005, 6.2: 2.5 million transistors, +15 % a SIMD ALU, +5 % a scalar one")

#define SIM_LIMITER_shf(L, W, C, M)      \
   L(80, "shaders", shader, NONE, false) \
      W("ALUBusyCycles", 1. / SHADERS_OF_WINDOW(c)) \
      W("FetchCycles", 1. / SHADERS_OF_WINDOW(c))

#define SIM_IDEAL_shf(I)                                                                  \
   I(shader, FRAGMENTSHADER, "VectorALUWidth=64 ThreadGroup>=16 ThreadRate=64 "           \
      "VectorThreads=1024 "                                                               \
      "VectorResources=65536 ExecutableThreads=16384 ThreadResources=65536 FetchDelay=0 " \
      "InputsPerCycle=64 OutputsPerCycle=64 OutputDelay=1 OutputLatency=1 "               \
      "OutputAttributesCycle=32")                                                         \
   I(shader, SIMULATOR, "HalfCycle=TRUE")
/* clang-format on */

#endif
