/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What one kind of shader is made of, from the keys that describe it: those of [FRAGMENTSHADER]
 * called Vector... (VectorShader), those of the first shader model (VectorShader = FALSE), or those
 * of [VERTEXSHADER] for the vertex shaders of a split machine. The boxes see this struct alone.
 */
#ifndef SIM_SHADER_MACHINE_H
#define SIM_SHADER_MACHINE_H

#include "config/sim_config.h"
#include "hw/isa/attila_machine.h"

/* Ways to choose the group that is fetched next (box/shader/shf_issue.h): name in the .ini, and how
 * its file is called there (after shf_issue_). ThreadWindow = FALSE is IN_ORDER, SwapOnBlock = TRUE
 * is SWAP_ON_BLOCK. */
/* clang-format off */
#define SIM_ISSUE_POLICIES(N)                                                      \
   N(ROUND_ROBIN, round_robin) N(OLDEST_FIRST, oldest_first)                       \
   N(SWAP_ON_BLOCK, swap_on_block) N(IN_ORDER, in_order)
/* clang-format on */
enum sim_issue_policy {
#define N(name, file) SIM_ISSUE_##name,
   SIM_ISSUE_POLICIES(N)
#undef N
       SIM_NUM_ISSUE_POLICIES
};

enum sim_shader_alu {
   SIM_ALU_SIMD,        /* of four components */
   SIM_ALU_SIMD_SCALAR, /* and one of one component, for another instruction of the same group */
   SIM_ALU_SCALAR,      /* of one component: an instruction takes a step for each (SOA) */
};

struct sim_shader_machine {
   uint32_t lanes;     /* inputs of a group */
   uint32_t groups;    /* that execute */
   uint32_t buffers;   /* that are loaded beyond them */
   uint32_t registers; /* of register_lanes inputs each */
   uint32_t register_lanes;
   uint32_t granularity;  /* of registers, for each input */
   uint32_t vector;       /* cycles that the ALUs need for the lanes of an instruction */
   uint32_t fetch_gap;    /* cycles from a fetch to the next at least */
   uint32_t fetch_groups; /* fetched in one cycle */
   uint32_t fetch_delay;  /* cycles from a fetch to the next of the same group at least */
   uint32_t ways;         /* instructions of a fetch */
   uint32_t read_ports;   /* temporaries that the instructions of a fetch may read */
   uint32_t write_ports;  /* results that may be written in a cycle */
   uint32_t input_cycles, output_cycles; /* for a group; outputs: of output_attributes each */
   uint32_t output_attributes;
   enum sim_shader_alu alu;
   enum sim_issue_policy policy;
   bool two_scalars;   /* the SIMD ALU takes a scalar instruction, too */
   bool simd_first;    /* behind a scalar instruction of a fetch no SIMD one issues */
   bool wait_on_stall; /* decode keeps what cannot issue */
   bool scoreboard;    /* fetch knows which operands are written */
   bool half;          /* groups execute up to a texture operation at once, without latencies */
   uint8_t latency[ATTILA_NUM_OPS], repeat[ATTILA_NUM_OPS]; /* cycles */
};

/* Fills machine with the shaders of fragments (and vertices, when unified), or with those of
 * vertices in a split machine. False, with a message that names key and accepted values, when the
 * keys contradict each other. */
bool sim_shader_machine_init(struct sim_shader_machine *machine, const struct sim_config *config,
                             bool vertices, char *error, size_t error_size);

/* The shaders of a stage as a compiler sees them (hw/isa/attila_machine.h): the same in every mode,
 * so that programs are. The configuration is valid. */
void sim_shader_machine_describe(const struct sim_config *config, enum attila_stage stage,
                                 struct attila_shader_machine *machine);

/* Registers that an input holds while a program runs: inputs, temporaries and outputs share them
 * (rule of the original's release of 2015). */
uint32_t sim_shader_registers(const struct sim_shader_machine *machine,
                              const struct attila_isa_program *program);

/* Inputs of a group of fragments. */
static inline uint32_t
sim_shader_lanes(const struct sim_config *config)
{
   return config->shader.vector ? config->shader.vector_length : config->shader.group;
}

/* Quads that each ROP has room for in or behind the shaders. ShadedStampQueueSize 0: all that the
 * shaders execute, have loaded and have waiting, so that no shader stands still for want of room.
 */
static inline uint32_t
sim_shaded_quads(const struct sim_config *config)
{
   const __typeof__(config->shader) *s = &config->shader;
   const uint32_t inputs =
       s->vector ? s->vector_threads * s->vector_length : s->threads + s->buffers;
   return config->rast.shaded_queue
              ? config->rast.shaded_queue
              : config->gpu.num_shaders * (inputs + config->rast.shader_input_queue) / 4 +
                    sim_shader_lanes(config);
}

/* Cycles from the shaders to the fragment FIFO. */
static inline uint32_t
sim_shader_output_latency(const struct sim_config *config)
{
   return config->shader.output_delay < config->shader.output_latency
              ? config->shader.output_delay
              : config->shader.output_latency;
}

#endif
