/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The parts of one kind of shader, from its keys: [FRAGMENTSHADER]'s Vector... (VectorShader),
 * those of the first shader model (VectorShader = FALSE), or [VERTEXSHADER] for a split machine's
 * vertex shaders. Boxes see only this struct. */
#ifndef SIM_SHADER_MACHINE_H
#define SIM_SHADER_MACHINE_H

#include "config/sim_config.h"
#include "hw/isa/attila_machine.h"

/* Issue policies (box/shader/shf_issue.h): name in the .ini, and suffix of its file shf_issue_.
 * ThreadWindow = FALSE is IN_ORDER, SwapOnBlock = TRUE is SWAP_ON_BLOCK. */
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
   SIM_ALU_SIMD,        /* four components wide */
   SIM_ALU_SIMD_SCALAR, /* plus one of one component, for another instruction of the group */
   SIM_ALU_SCALAR,      /* one component wide: a step for each (SOA) */
};

struct sim_shader_machine {
   uint32_t lanes;     /* inputs per group */
   uint32_t groups;    /* groups that may execute */
   uint32_t buffers;   /* groups that may be loaded beyond these */
   uint32_t registers; /* registers, each for register_lanes inputs */
   uint32_t register_lanes;
   uint32_t granularity;                 /* registers, per input */
   uint32_t vector;                      /* ALU cycles for the lanes of an instruction */
   uint32_t fetch_gap;                   /* least cycles between fetches */
   uint32_t fetch_groups;                /* fetched per cycle */
   uint32_t fetch_delay;                 /* least cycles between fetches of a group */
   uint32_t ways;                        /* instructions per fetch */
   uint32_t read_ports;                  /* temporaries that a fetch's instructions may read */
   uint32_t write_ports;                 /* results written per cycle */
   uint32_t input_cycles, output_cycles; /* per group; outputs: of output_attributes each */
   uint32_t output_attributes;
   enum sim_shader_alu alu;
   enum sim_issue_policy policy;
   bool two_scalars;   /* the SIMD ALU also takes scalar instructions */
   bool simd_first;    /* in a fetch no SIMD instruction issues after a scalar one */
   bool wait_on_stall; /* decode keeps an instruction that cannot issue */
   bool scoreboard;    /* fetch knows which operands are ready */
   bool half; /* half mode: a group executes up to its next texture operation without latencies */
   uint8_t latency[ATTILA_NUM_OPS], repeat[ATTILA_NUM_OPS]; /* cycles */
};

/* Fills machine with the shaders of fragments (and vertices, when unified), or of a split machine's
 * vertices. Returns false with a message (key, accepted values) if keys contradict each other. */
bool sim_shader_machine_init(struct sim_shader_machine *machine, const struct sim_config *config,
                             bool vertices, char *error, size_t error_size);

/* Describes a stage's shaders for a compiler (hw/isa/attila_machine.h), equally in every mode, so
 * that programs are equal. config is valid. */
void sim_shader_machine_describe(const struct sim_config *config, enum attila_stage stage,
                                 struct attila_shader_machine *machine);

/* Returns the registers of an input while a program runs: inputs, temporaries and outputs share
 * them (rule of the release of 2015). */
uint32_t sim_shader_registers(const struct sim_shader_machine *machine,
                              const struct attila_isa_program *program);

/* Returns the inputs of a group of fragments. */
static inline uint32_t
sim_shader_lanes(const struct sim_config *config)
{
   return config->shader.vector ? config->shader.vector_length : config->shader.group;
}

/* Returns the number of parts of the largest group. A shader executes up to 16 inputs of a group as
 * one part (box/shader/shader_unit.h), which makes one request for texels or constants. */
static inline uint32_t
sim_shader_parts(const struct sim_config *config)
{
   const uint32_t fragments = sim_shader_lanes(config),
                  vertices = config->gpu.unified ? 0 : config->vshader.group;
   return ((vertices > fragments ? vertices : fragments) + 15) / 16;
}

/* Returns how many quads in or behind the shaders each ROP has room for. With ShadedStampQueueSize
 * 0 this is all that the shaders can hold (executing, loaded and waiting), so that no quad stalls
 * for room. */
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

/* Returns the cycles from the shaders to the fragment FIFO. */
static inline uint32_t
sim_shader_output_latency(const struct sim_config *config)
{
   return config->shader.output_delay < config->shader.output_latency
              ? config->shader.output_delay
              : config->shader.output_latency;
}

#endif
