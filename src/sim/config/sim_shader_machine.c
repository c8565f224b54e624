/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes a shader's description from its keys (config/sim_shader_machine.h) and reports
 * contradictory ones. No timing. */
#include "config/sim_shader_machine.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

static const char *const policies[] = {
#define N(name, file) #name,
    SIM_ISSUE_POLICIES(N)
#undef N
};

static const char *const alus[] = {
    [SIM_ALU_SIMD] = "simd4",
    [SIM_ALU_SIMD_SCALAR] = "simd4+scalar",
    [SIM_ALU_SCALAR] = "scalar",
};

/* Keys shared by [FRAGMENTSHADER] and [VERTEXSHADER]. */
struct thread_keys {
   const char *section;
   uint32_t threads, buffers, registers, group, rate, fetch_rate, fetch_delay;
   uint32_t inputs_cycle, outputs_cycle;
   bool locked, scalar_alu, thread_window, swap_on_block;
};

#define THREAD_KEYS(SECTION, from)                                                 \
   {                                                                               \
      .section = #SECTION, .threads = (from).threads, .buffers = (from).buffers,   \
      .registers = (from).registers, .group = (from).group, .rate = (from).rate,   \
      .fetch_rate = (from).fetch_rate, .fetch_delay = (from).fetch_delay,          \
      .inputs_cycle = (from).inputs_cycle, .outputs_cycle = (from).outputs_cycle,  \
      .locked = (from).locked, .scalar_alu = (from).scalar_alu,                    \
      .thread_window = (from).thread_window, .swap_on_block = (from).swap_on_block \
   }

static uint32_t
shader_machine_divide_up(uint32_t a, uint32_t b)
{
   return (a + b - 1) / b;
}

/* Returns a text's index in a list, or n with a message. */
static unsigned
shader_machine_choose(const char *const *list, unsigned n, const char *text, const char *key,
                      char *error, size_t size)
{
   unsigned i = 0;
   while (i < n && strcasecmp(list[i], text))
      i++;
   if (i < n)
      return i;
   int used = snprintf(error, size, "FRAGMENTSHADER.%s = \"%s\": expected one of", key, text);
   for (unsigned p = 0; p < n && used > 0 && (size_t)used < size; p++)
      used += snprintf(error + used, size - (size_t)used, " %s", list[p]);
   return n;
}

/* The original's first shader model. */
static bool
shader_machine_init_threads(struct sim_shader_machine *m, const struct thread_keys *k,
                            bool fragments, char *error, size_t size)
{
   m->lanes = k->locked ? k->group : 1;
   if (fragments && (!k->locked || m->lanes % 4)) {
      snprintf(error, size,
               "%s: fragments need LockedExecutionMode and a ThreadGroup that is a multiple of 4 "
               "(here %u)",
               k->section, k->group);
      return false;
   }
   if (k->scalar_alu && k->fetch_rate < 2) {
      snprintf(error, size, "%s.ScalarALU needs FetchRate 2 or more", k->section);
      return false;
   }
   if (k->threads < m->lanes || k->registers < m->lanes) {
      snprintf(error, size,
               "%s: ExecutableThreads (%u) and ThreadResources (%u) must be at least one group, %u",
               k->section, k->threads, k->registers, m->lanes);
      return false;
   }
   m->groups = k->threads / m->lanes;
   m->buffers = k->buffers / m->lanes;
   m->registers = k->registers;
   m->register_lanes = 1;
   m->ways = k->fetch_rate;
   m->alu = k->scalar_alu ? SIM_ALU_SIMD_SCALAR : SIM_ALU_SIMD;
   m->fetch_groups = k->locked ? 1 : k->rate;
   m->vector = k->locked ? shader_machine_divide_up(m->lanes, k->rate) : 1;
   m->fetch_gap = 1;
   return true;
}

static bool
shader_machine_init_vectors(struct sim_shader_machine *m, const struct sim_config *config,
                            enum sim_shader_alu alu, char *error, size_t size)
{
   const typeof(config->shader) *s = &config->shader;
   if (s->vector_length % 4) {
      snprintf(error, size, "FRAGMENTSHADER.VectorLength = %u: expected a multiple of 4",
               s->vector_length);
      return false;
   }
   m->lanes = s->vector_length;
   m->groups = s->vector_threads;
   m->registers = s->vector_resources;
   m->register_lanes = m->lanes;
   m->alu = alu;
   m->ways = alu == SIM_ALU_SIMD_SCALAR ? 2 : 1;
   m->two_scalars = true;
   m->simd_first = alu == SIM_ALU_SIMD_SCALAR && !s->scalar_first;
   m->fetch_groups = 1;
   m->vector = shader_machine_divide_up(m->lanes, s->vector_width);
   /* The way to decode and back takes two cycles; until then fetch knows nothing about the
    * instruction. */
   m->fetch_gap = m->vector > 2 ? m->vector : 2;
   m->wait_on_stall = s->wait_on_stall;
   return true;
}

static void
shader_machine_init_times(struct sim_shader_machine *m, const struct sim_config *config)
{
   /* One uint32_t per opcode, in order (sim_params.h). */
   _Static_assert(sizeof(config->latency) == ATTILA_NUM_OPS * sizeof(uint32_t) &&
                      sizeof(config->repeat) == ATTILA_NUM_OPS * sizeof(uint32_t),
                  "a key for every opcode");
   uint32_t latency[ATTILA_NUM_OPS], repeat[ATTILA_NUM_OPS];
   memcpy(latency, &config->latency, sizeof(latency));
   memcpy(repeat, &config->repeat, sizeof(repeat));
   for (unsigned op = 0; op < ATTILA_NUM_OPS; op++) {
      bool varies =
          op == ATTILA_OP_SIN || op == ATTILA_OP_COS || op == ATTILA_OP_DDX || op == ATTILA_OP_DDY;
      m->latency[op] =
          (uint8_t)(config->shader.fixed_latency && !varies ? latency[ATTILA_OP_ADD] : latency[op]);
      m->repeat[op] = (uint8_t)repeat[op];
   }
}

bool
sim_shader_machine_init(struct sim_shader_machine *m, const struct sim_config *config,
                        bool vertices, char *error, size_t size)
{
   const struct thread_keys fragment_keys = THREAD_KEYS(FRAGMENTSHADER, config->shader),
                            vertex_keys = THREAD_KEYS(VERTEXSHADER, config->vshader),
                            *k = vertices ? &vertex_keys : &fragment_keys;
   bool vectors = !vertices && config->shader.vector;
   unsigned policy = shader_machine_choose(policies, SIM_NUM_ISSUE_POLICIES,
                                           config->shader.issue_policy, "IssuePolicy", error, size);
   if (policy == SIM_NUM_ISSUE_POLICIES)
      return false;
   unsigned alu =
       shader_machine_choose(alus, 3, config->shader.vector_alu, "VectorALUConfig", error, size);
   if (alu == 3)
      return false;
   memset(m, 0, sizeof(*m));
   if (!(vectors ? shader_machine_init_vectors(m, config, (enum sim_shader_alu)alu, error, size)
                 : shader_machine_init_threads(m, k, !vertices, error, size)))
      return false;
   m->policy = !k->thread_window  ? SIM_ISSUE_IN_ORDER
               : k->swap_on_block ? SIM_ISSUE_SWAP_ON_BLOCK
                                  : (enum sim_issue_policy)policy;
   m->fetch_delay = k->fetch_delay;
   m->granularity = config->shader.granularity;
   m->read_ports = config->shader.read_ports;
   m->write_ports = config->shader.write_ports * m->ways * m->fetch_groups;
   m->scoreboard = config->shader.scoreboard;
   m->input_cycles = shader_machine_divide_up(m->lanes, k->inputs_cycle);
   m->output_cycles = shader_machine_divide_up(m->lanes, k->outputs_cycle);
   m->output_attributes = config->shader.output_attributes;
   shader_machine_init_times(m, config);
   m->half = config->sim.half;
   m->wait_on_stall |= m->half; /* decode holds one group at a time */
   return true;
}

uint32_t
sim_shader_registers(const struct sim_shader_machine *m, const struct attila_isa_program *program)
{
   uint32_t held = attila_isa_registers(program);
   return shader_machine_divide_up(held, m->granularity) * m->granularity;
}

/* Texture units and constant caches use the GPU's clock. */
static void
shader_machine_describe_textures(const struct sim_config *config, struct attila_shader_machine *out)
{
   const typeof(config->shader) *s = &config->shader;
   uint32_t quads = shader_machine_divide_up(out->lanes, 4), shaders = config->gpu.num_shaders,
            shader = config->gpu.shader_clock, gpu = config->gpu.gpu_clock;
   if (!config->gpu.unified)
      shaders += config->gpu.num_vertex_shaders;
   /* Ten cycles on the way and in the unit (test_tu_timing). */
   out->texture_latency =
       shader_machine_divide_up((10 + s->address_latency + s->filter_latency) * shader, gpu);
   out->texture_requests =
       shader_machine_divide_up(shader_machine_divide_up(quads, s->tex_request_rate) * shader, gpu);
   out->texture_cycles = shader_machine_divide_up(quads * shader, gpu);
   out->texture_units = s->tex_units;
   /* One cycle each way (test_cc_boxes). */
   out->load_latency = shader_machine_divide_up((2 + s->cc_latency) * shader, gpu);
   /* The same to the load/store unit, and on to memory and back. */
   out->memory_latency =
       shader_machine_divide_up((6 + s->lsu_latency + config->mc.read_latency) * shader, gpu);
   if (s->tex_shared) {
      /* The texture units per shader; uneven sharing is slower than this. */
      out->texture_units = s->tex_shared > shaders ? s->tex_shared / shaders : 1;
      out->texture_cycles = shader_machine_divide_up(quads * shader * shaders * out->texture_units,
                                                     gpu * s->tex_shared);
   }
}

void
sim_shader_machine_describe(const struct sim_config *config, enum attila_stage stage,
                            struct attila_shader_machine *out)
{
   static const uint8_t issues[] = {
       [SIM_ISSUE_ROUND_ROBIN] = ATTILA_ISSUE_ROUND_ROBIN,
       [SIM_ISSUE_OLDEST_FIRST] = ATTILA_ISSUE_OLDEST_FIRST,
       [SIM_ISSUE_SWAP_ON_BLOCK] = ATTILA_ISSUE_SWAP_ON_BLOCK,
       [SIM_ISSUE_IN_ORDER] = ATTILA_ISSUE_IN_ORDER,
   };
   static const uint8_t units[] = {[SIM_ALU_SIMD] = ATTILA_ALU_SIMD,
                                   [SIM_ALU_SIMD_SCALAR] = ATTILA_ALU_SIMD_SCALAR,
                                   [SIM_ALU_SCALAR] = ATTILA_ALU_SCALAR};
   struct sim_shader_machine m;
   struct sim_config cycle = *config;
   char error[256];
   cycle.sim.half = false;
   sim_shader_machine_init(&m, &cycle, stage == ATTILA_STAGE_VERTEX && !config->gpu.unified, error,
                           sizeof(error));
   memset(out, 0, sizeof(*out)); /* compared as bytes */
   out->threads = m.groups;
   out->lanes = m.lanes;
   out->registers = m.registers * m.register_lanes;
   out->granularity = m.granularity;
   out->buffers = m.buffers;
   out->vector = m.vector;
   out->fetch_gap = m.fetch_gap;
   out->fetch_delay = m.fetch_delay;
   out->fetch_groups = m.fetch_groups;
   out->ways = m.ways;
   out->read_ports = m.read_ports;
   out->write_ports = m.write_ports;
   out->input_cycles = m.input_cycles;
   out->output_cycles = m.output_cycles;
   out->output_attributes = m.output_attributes;
   out->alu = units[m.alu];
   out->issue = issues[m.policy];
   out->two_scalars = m.two_scalars;
   out->simd_first = m.simd_first;
   out->wait_on_stall = m.wait_on_stall;
   out->scoreboard = m.scoreboard;
   memcpy(out->latency, m.latency, sizeof(out->latency));
   memcpy(out->repeat, m.repeat, sizeof(out->repeat));
   shader_machine_describe_textures(config, out);
}
