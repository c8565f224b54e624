/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Parameters of the whole machine, one line each; units' are in their sheets (units/). Sections and
 * keys are ATTILA's (reference attila-bGPU.ini); defaults are ISPASS 2006's baseline machine,
 * Tables 1 and 2, where given. From these lines come the configuration struct, the .ini reader with
 * range checks, `attila-sim describe` and docs/reference/parameters.md. P, B and T:
 * units/units.h. */
#ifndef SIM_PARAMS_H
#define SIM_PARAMS_H

#include "hw/isa/attila_isa.h"
#include "units/units.h"

/* clang-format off */
#define SIM_PARAMS_GPU(P, B, T)                                                           \
   P(GPU, NumFragmentShaders, num_shaders, 2, 1, 64, "shaders",                           \
      "unified shaders; fragment shaders when Unified is FALSE")                          \
   P(GPU, NumVertexShaders, num_vertex_shaders, 4, 1, 16, "shaders",                      \
      "vertex shaders when Unified is FALSE")                                             \
   B(GPU, Unified, unified, 1,                                                            \
      "one pool of shaders for vertices and fragments; FALSE: a pool for each")           \
   P(GPU, NumStampPipes, num_rops, 2, 1, 32, "ROPs",                                      \
      "units for the Z and stencil test, and as many for colour write")                   \
   P(GPU, GPUClock, gpu_clock, 600, 1, 10000, "MHz", "frequency of the GPU clock domain") \
   P(GPU, ShaderClock, shader_clock, 600, 1, 10000, "MHz",                                \
      "frequency of the shader clock domain")                                             \
   P(GPU, MemoryClock, memory_clock, 600, 1, 10000, "MHz",                                \
      "frequency of the memory clock domain")                                             \
   P(GPU, SynchronizerCycles, sync_cycles, 0, 0, 16, "receiver cycles",                   \
      "extra latency of a signal between domains of different clocks")                      \
   T(GPU, Renderer, renderer, "IMMEDIATE",                                                \
      "IMMEDIATE: draws are drawn one after the other; TILED: draws of the same targets " \
      "are collected and drawn bin by bin ([TILING])")

/* For every instruction, from the instruction set's table, with the last release's cycles. ISPASS
 * 2006, section 2.3: "ranging from 1 to 9 cycles", one stage each: an ALU takes an instruction
 * every cycle. */
#define SIM_MAX_LATENCY 9
#define SIM_PARAM_LATENCY(name, srcs, dst, cls, lat, rep, doc)                                     \
   P(LATENCY, name, op_##name, (lat) < SIM_MAX_LATENCY ? (lat) : SIM_MAX_LATENCY, 1, 64, "cycles", \
      "latency in the ALU; writing the result takes one cycle more")
#define SIM_PARAM_REPEAT(name, srcs, dst, cls, lat, rep, doc)               \
   P(REPEATRATE, name, op_##name, 1, 1, 64, "cycles",                       \
      "interval until the ALU takes the next instruction")
#define SIM_PARAMS_LATENCY(P, B, T) ATTILA_ISA_OPCODES(SIM_PARAM_LATENCY)
#define SIM_PARAMS_REPEATRATE(P, B, T) ATTILA_ISA_OPCODES(SIM_PARAM_REPEAT)

#define SIM_PARAMS_SIMULATOR(P, B, T)                                                        \
   P(SIMULATOR, StallCycles, stall_cycles, 1000000, 1000, 1000000000, "cycles",              \
      "time without a moving object after which the simulator stops with a dump")            \
   P(SIMULATOR, MaxDrawVertices, max_draw_vertices, 100000000, 1000, 4294967295, "vertices", \
      "largest draw, count times instances, or grid; others are skipped")                     \
   P(SIMULATOR, MaxLoopIterations, max_iterations, 1048576, 64, 4294967295, "iterations",    \
      "iterations of all loops of a thread group together; a program with more is stopped")  \
   P(SIMULATOR, Threads, threads, 1, 0, 16, "threads",                                       \
      "host threads that clock the boxes, used where they are faster than one; 0: 2 for 16 " \
      "shaders and more on a host with free processors, else 1. No result depends on it")    \
   B(SIMULATOR, HalfCycle, half, 0,                                                          \
      "shaders execute an instruction per cycle without latencies (--mode half)")

/* Voltage and frequency during a run (docs/explanation/dvfs.md). */
#define SIM_PARAMS_DVFS(P, B, T)                                                                 \
   T(DVFS, Policy, policy, "OFF",                                                                \
      "what changes frequencies: OFF, FIXED, WATERMARK, RACE_TO_IDLE, DEADLINE or ORACLE")       \
   T(DVFS, CommandDomain, domain_command, "geometry",                                            \
      "domain of command processor and Blitter; \"constant\" never changes")                     \
   T(DVFS, DisplayDomain, domain_display, "constant", "domain of the DAC")                       \
   T(DVFS, GeometryDomain, domain_geometry, "geometry",                                          \
      "domain of streamer, primitive assembly and clipper")                                      \
   T(DVFS, SetupDomain, domain_setup, "geometry", "domain of triangle setup")                    \
   T(DVFS, VertexShaderDomain, domain_vertex, "geometry",                                        \
      "domain of vertex shaders and their texture units, when Unified is FALSE")                 \
   T(DVFS, RasterDomain, domain_raster, "fragment",                                              \
      "domain of triangle traversal, Hierarchical Z and interpolator")                           \
   T(DVFS, ShaderDomain, domain_shader, "fragment",                                              \
      "domain of fragment FIFO, shaders and texture units")                                      \
   T(DVFS, RopDomain, domain_rop, "fragment", "domain of Z and stencil test and colour write")   \
   T(DVFS, MemoryDomain, domain_memory, "memory", "domain of memory controller and channels")    \
   T(DVFS, Frequencies, frequencies, "",                                                         \
      "frequencies at the beginning, in percent of the nominal ones: \"geometry 60, memory "     \
      "80\"")                                                                                    \
   P(DVFS, MinFrequency, min_frequency, 50, 10, 100, "percent",                                  \
      "lowest frequency that a policy chooses, as a share of the nominal one")                   \
   P(DVFS, Step, step, 10, 1, 90, "percent",                                                     \
      "difference between neighbouring frequencies, as a share of the nominal one")              \
   P(DVFS, MinVoltage, min_voltage, 70, 10, 100, "percent",                                      \
      "voltage at MinFrequency, as a share of the nominal one; linear in between")               \
   P(DVFS, TransitionTime, transition, 10000, 0, 10000000, "ns",                                 \
      "pause of a domain when its frequency changes")                                            \
   P(DVFS, SampleCycles, sample, 500, 1, 1000000000, "GPU cycles",                               \
      "interval between the decisions of a policy, at nominal frequency")                        \
   T(DVFS, Queue, queue, "ts_tt", "WATERMARK: the signal whose queue is watched")                \
   T(DVFS, FrontDomain, front, "geometry", "WATERMARK: the domain that fills the queue")         \
   T(DVFS, BackDomain, back, "fragment", "WATERMARK: the domain that empties the queue")         \
   P(DVFS, HighMark, high, 90, 1, 100, "percent",                                                \
      "WATERMARK: level from which the queue is full; after HoldCycles FrontDomain goes a step " \
      "down")                                                                                    \
   P(DVFS, LowMark, low, 10, 0, 99, "percent",                                                   \
      "WATERMARK: level up to which the queue is empty; after HoldCycles BackDomain goes a "     \
      "step down")                                                                               \
   P(DVFS, RestoreBelow, restore_high, 75, 1, 100, "percent",                                    \
      "WATERMARK: level below which FrontDomain returns to its frequency")                       \
   P(DVFS, RestoreAbove, restore_low, 25, 0, 99, "percent",                                      \
      "WATERMARK: level above which BackDomain returns to its frequency")                        \
   P(DVFS, HoldCycles, hold, 50000, 1, 1000000000, "GPU cycles",                                 \
      "WATERMARK: how long the queue stays full or empty before a step")                         \
   T(DVFS, Scaled, scaled, "geometry, fragment",                                                 \
      "RACE_TO_IDLE, DEADLINE, ORACLE: domains that change together")                            \
   P(DVFS, FrameRate, frame_rate, 60, 1, 100000, "frames/s",                                     \
      "RACE_TO_IDLE, DEADLINE, ORACLE: rate of frames; each begins at the deadline of the one "  \
      "before")                                                                                  \
   P(DVFS, Margin, margin, 5, 0, 90, "percent",                                                  \
      "DEADLINE, ORACLE: share of a frame's time that is left free")                             \
   P(DVFS, History, history, 2, 1, 16, "frames",                                                 \
      "DEADLINE: past frames; the next one is expected to be as long as their longest")          \
   T(DVFS, Oracle, oracle, "",                                                                   \
      "ORACLE: path of frames.csv of an earlier run at nominal frequency")
/* clang-format on */

#endif
