/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Moves data between vertices, quads or invocations and a thread group's registers. Shader Fetch
 * does the timing. */
#include "box/shader/shader_unit.h"
#include <string.h>
#include "emul/compute/emul_grid.h"
#include "emul/geometry/emul_gs.h"

/* Returns a file's registers up to the highest in the mask. */
static unsigned
shader_unit_file_size(uint64_t mask)
{
   return mask ? 64 - (unsigned)__builtin_clzll(mask) : 0;
}

void
shf_thread_reserve(struct sim_arena *arena, struct shf_thread *t,
                   const struct attila_isa_program *isa)
{
   unsigned inputs = isa->stage == ATTILA_STAGE_GEOMETRY  ? emul_gs_input_registers(isa)
                     : isa->stage == ATTILA_STAGE_COMPUTE ? ATTILA_NUM_CS_INPUTS
                                                          : shader_unit_file_size(isa->inputs_read),
            outputs = shader_unit_file_size(isa->outputs_written);
   size_t vectors = (inputs + outputs + isa->num_temps) * sizeof(struct emul_vec4);
   size_t size = vectors + (EMUL_SB_TEMP + isa->num_temps) * sizeof(*t->ready_at);
   if (size > t->block_size) {
      /* The arena keeps the previous block, so each is at least twice as large. An odd number of
       * the host's cache lines keeps the threads' blocks out of the same sets. */
      size = size > 2 * t->block_size ? size : 2 * t->block_size;
      size = ((size + 2047) & ~(size_t)2047) + 64;
      t->block = sim_arena_alloc(arena, size);
      t->block_size = size;
   }
   t->inputs = t->block;
   t->outputs = t->inputs + inputs;
   t->emul.temps = t->outputs + outputs;
   t->ready_at = (sim_tick *)((uint8_t *)t->block + vectors);
}

/* --- Groups of several parts --- */

/* The group continues at the lowest program counter of its parts; parts that are ahead wait until
 * the others have come there. Blocks of code are in the order of the program's structure, so
 * branches meet again where they end. */
static void
shader_unit_find_pc(struct shf_thread *first)
{
   uint32_t pc = UINT32_MAX;
   for (const struct shf_thread *t = first; t; t = t->next)
      pc = !t->ended && t->emul.pc < pc ? t->emul.pc : pc;
   if (pc != UINT32_MAX)
      first->pc = pc;
}

/* Returns the lanes that need the texels or words which the step requests. */
static unsigned
shader_unit_asking_lanes(const struct shf_thread *t, enum emul_step step)
{
   unsigned lanes = 0;
   if (step == EMUL_STEP_TEXTURE)
      return t->emul.tex.mask;
   if (step == EMUL_STEP_MEMORY &&
       (t->emul.request.op == ATTILA_OP_SZB || t->emul.request.op == ATTILA_OP_SZI))
      return 1;
   const struct emul_load_request *load =
       step == EMUL_STEP_MEMORY ? &t->emul.request.words : &t->emul.load;
   for (unsigned l = 0; l < EMUL_LANES; l++)
      lanes |= load->components[l];
   return lanes;
}

enum emul_step
shf_thread_step_parts(struct shf_thread *first)
{
   static const struct emul_vec4 nothing;
   const uint32_t pc = first->pc;
   struct shf_thread *idle = NULL;
   enum emul_step step = EMUL_STEP_NEXT;
   bool all_ended = true;
   first->waits = 0;
   for (struct shf_thread *t = first; t; t = t->next) {
      t->asks = false;
      if (!t->ended && t->emul.pc == pc) {
         step = emul_thread_step(&t->emul); /* equal for all parts: it depends on the opcode */
         t->ended = step == EMUL_STEP_END;
         if (step == EMUL_STEP_TEXTURE || step == EMUL_STEP_LOAD || step == EMUL_STEP_MEMORY) {
            t->asks = shader_unit_asking_lanes(t, step) != 0;
            first->waits += t->asks;
            idle = t->asks ? idle : t;
         }
      }
      all_ended &= t->ended;
   }
   if (step == EMUL_STEP_END)
      step = all_ended ? EMUL_STEP_END : EMUL_STEP_NEXT;
   if (idle && !first->waits) { /* no lane needs anything; the request is sent all the same */
      idle->asks = true;
      first->waits = 1;
   }
   for (struct shf_thread *t = first; idle && t; t = t->next) {
      if (t->asks || t->ended || t->emul.pc != pc)
         continue;
      if (attila_isa_ops[t->emul.program->instrs[pc].op].has_dst)
         emul_thread_result(&t->emul, &nothing);
      else
         emul_thread_stored(&t->emul);
   }
   if (step == EMUL_STEP_NEXT || step == EMUL_STEP_BARRIER)
      shader_unit_find_pc(first);
   return step;
}

bool
shf_thread_answered(struct shf_thread *part)
{
   struct shf_thread *first = part->first;
   if (!first->next) {
      first->pc = first->emul.pc;
      return true;
   }
   if (--first->waits)
      return false;
   shader_unit_find_pc(first);
   return true;
}

/* --- Registers --- */

static void
shader_unit_load_quads(struct shf_thread *t, uint64_t inputs)
{
   const struct sim_group *g = t->group;
   for (; inputs; inputs &= inputs - 1) {
      unsigned i = (unsigned)__builtin_ctzll(inputs);
      for (unsigned q = 0; q < g->num_items; q++) {
         for (unsigned c = 0; c < 4; c++)
            memcpy(&t->inputs[i].c[c][4 * q], g->quad[q]->in[i][c], 4 * sizeof(float));
      }
   }
}

static void
shader_unit_load_vertices(struct shf_thread *t, uint64_t inputs)
{
   const struct sim_group *g = t->group;
   for (; inputs; inputs &= inputs - 1) {
      unsigned i = (unsigned)__builtin_ctzll(inputs);
      if (i > ATTILA_VS_INPUT_IDS) { /* no input fills it */
         memset(&t->inputs[i], 0, sizeof(t->inputs[i]));
         continue;
      }
      for (unsigned v = 0; v < g->num_items; v++) {
         const float *in = g->vertex[v]->in[i];
         for (unsigned c = 0; c < 4; c++)
            t->inputs[i].c[c][v] = in[c];
      }
   }
}

static void
shader_unit_load_triangles(struct shf_thread *t, uint64_t inputs)
{
   const struct sim_group *g = t->group;
   for (; inputs; inputs &= inputs - 1) {
      unsigned i = (unsigned)__builtin_ctzll(inputs);
      for (unsigned k = 0; k < g->num_items; k++) {
         for (unsigned c = 0; c < 4; c++)
            t->inputs[i].c[c][k] = g->triangle[k]->in[i][c];
      }
   }
}

static void
shader_unit_load_primitives(struct shf_thread *t)
{
   const struct sim_group *g = t->group;
   for (unsigned i = 0; i < g->num_items; i++) {
      struct sim_gs_prim *p = g->prim[i];
      const struct emul_vertex *vertex[ATTILA_MAX_PRIM_VERTICES];
      for (unsigned v = 0; v < p->num_vertices; v++)
         vertex[v] = &p->v[v]->data;
      emul_gs_load(&g->draw->state, vertex, p->id, p->invocation, i, t->inputs);
      t->emul.emission[i] = &p->emission;
   }
}

void
shf_thread_load(struct shf_thread *t)
{
   struct sim_group *g = t->group;
   const struct emul_draw_state *state = &g->draw->state;
   const struct emul_program *program = g->program;
   const struct attila_isa_program *isa = emul_program_isa(program);
   t->lanes = (uint8_t)(g->kind == SIM_GROUP_QUADS ? 4 * g->num_items : g->num_items);
   t->num_temps = (uint16_t)isa->num_temps;
   t->latest = 0;
   memset(t->ready_at, 0, (EMUL_SB_TEMP + isa->num_temps) * sizeof(*t->ready_at));
   t->emul.inputs = t->inputs;
   t->emul.outputs = t->outputs;
   const enum attila_stage stage = isa->stage;
   t->emul.consts = (const float(*)[4])state->consts[stage];
   t->emul.buffers = state->const_buffers[stage];
   t->emul.storage = state->storage[stage];
   t->emul.images = state->images[stage];
   if (g->kind == SIM_GROUP_QUADS)
      shader_unit_load_quads(t, isa->inputs_read);
   else if (g->kind == SIM_GROUP_TRIANGLES)
      shader_unit_load_triangles(t, isa->inputs_read);
   else if (g->kind == SIM_GROUP_PRIMITIVES)
      shader_unit_load_primitives(t);
   else if (g->kind == SIM_GROUP_WORK)
      emul_grid_load(state, g->work.workgroup->number, g->work.first, t->lanes, t->inputs);
   else
      shader_unit_load_vertices(t, isa->inputs_read);
   t->pc = 0;
   t->asks = true;
   t->ended = false;
   emul_thread_start(&t->emul, program, (uint16_t)((1u << t->lanes) - 1),
                     g->kind == SIM_GROUP_QUADS,
                     g->kind == SIM_GROUP_WORK ? g->work.iterations : state->max_iterations);
   if (g->kind == SIM_GROUP_WORK) {
      t->emul.logs = g->work.workgroup->logs;
      t->emul.log_first = (uint16_t)g->work.first;
      t->emul.log_reads = true;
   }
   if (__builtin_expect(g->kind == SIM_GROUP_QUADS && isa->writes_storage, 0)) {
      for (unsigned q = 0; q < g->num_items; q++)
         t->emul.helpers |= (uint16_t)((~sim_quad_pixels(g->quad[q]->mask) & 15u) << 4 * q);
   }
}

static void
shader_unit_store_output(struct sim_quad *quad, const struct shf_thread *t, unsigned o, unsigned q,
                         bool written)
{
   for (unsigned c = 0; c < 4; c++) {
      if (written)
         memcpy(quad->out[o][c], &t->outputs[o].c[c][4 * q], 4 * sizeof(float));
      else
         memset(quad->out[o][c], 0, 4 * sizeof(float));
   }
}

/* Antialiasing application (OpenGL 2.1, 3.12): the covered fraction multiplies every colour's
 * alpha. */
static void
shader_unit_apply_smooth_coverage(struct sim_quad *quad, unsigned outputs)
{
   float coverage[4];
   emul_quad_smooth_coverage(&quad->prim->setup, quad->x, quad->y, coverage);
   for (; outputs; outputs &= outputs - 1) {
      float *alpha = quad->out[__builtin_ctz(outputs)][3];
      for (unsigned p = 0; p < 4; p++)
         alpha[p] *= coverage[p];
   }
}

static void
shader_unit_store_quads(const struct shf_thread *t)
{
   const struct sim_group *g = t->group;
   const struct emul_draw_state *state = &g->draw->state;
   const struct attila_isa_program *isa = emul_program_isa(t->emul.program);
   for (unsigned q = 0; q < g->num_items; q++) {
      struct sim_quad *quad = g->quad[q];
      quad->mask &= ~((t->emul.killed >> (4 * q) & 15u) * 0x11111111u);
      if (state->drops_samples)
         quad->mask &= emul_samples_that_stay(&t->outputs[ATTILA_FS_OUTPUT_SAMPLES].c[0][4 * q]);
      if (quad->mask == 0)
         continue;
      for (unsigned left = state->color_outputs; left; left &= left - 1) {
         unsigned o = (unsigned)__builtin_ctz(left);
         shader_unit_store_output(quad, t, o, q, isa->outputs_written >> o & 1);
      }
      if (state->smooth)
         shader_unit_apply_smooth_coverage(quad, state->color_outputs);
      if (isa->writes_depth)
         shader_unit_store_output(quad, t, ATTILA_FS_OUTPUT_DEPTH, q, true);
   }
}

static void
shader_unit_store_vertices(const struct shf_thread *t)
{
   const struct sim_group *g = t->group;
   const struct attila_isa_program *isa = emul_program_isa(t->emul.program);
   unsigned outputs = g->draw->state.num_vs_outputs;
   for (unsigned o = 0; o < outputs && o < ATTILA_MAX_VARYINGS; o++) {
      bool written = isa->outputs_written >> o & 1;
      for (unsigned v = 0; v < g->num_items; v++) {
         float *out = g->vertex[v]->data.out[o];
         for (unsigned c = 0; c < 4; c++)
            out[c] = written ? t->outputs[o].c[c][v] : 0.0f;
      }
   }
}

static void
shader_unit_store_triangles(const struct shf_thread *t)
{
   const struct sim_group *g = t->group;
   for (unsigned o = 0; o < 4; o++) {
      for (unsigned k = 0; k < g->num_items; k++) {
         for (unsigned c = 0; c < 4; c++)
            g->triangle[k]->out[o][c] = t->outputs[o].c[c][k];
      }
   }
}

void
shf_thread_store(const struct shf_thread *t)
{
   if (t->group->kind == SIM_GROUP_QUADS)
      shader_unit_store_quads(t);
   else if (t->group->kind == SIM_GROUP_TRIANGLES)
      shader_unit_store_triangles(t);
   else if (t->group->kind == SIM_GROUP_VERTICES) /* EMIT has stored primitives' outputs */
      shader_unit_store_vertices(t);
}

void
shf_prefetch_outputs(const struct sim_group *g)
{
   for (unsigned q = 0; g->kind == SIM_GROUP_QUADS && q < g->num_items; q++) {
      __builtin_prefetch(g->quad[q], 1);
      __builtin_prefetch(g->quad[q]->out[0], 1);
   }
}

void
shf_prefetch_input(struct shf_coming *coming, const struct msg_group *next)
{
   const struct sim_group *g = next ? next->group : NULL;
   if (g != coming->group) {
      *coming = (struct shf_coming){.group = g};
      if (g)
         shf_prefetch_group(g);
      return;
   }
   for (unsigned n = 0; n < 2 && g && g->kind == SIM_GROUP_QUADS && coming->quads < g->num_items;
        n++) {
      const struct sim_quad *q = g->quad[coming->quads++];
      uint64_t inputs = emul_program_isa(g->program)->inputs_read;
      for (; inputs; inputs &= inputs - 1)
         __builtin_prefetch(q->in[__builtin_ctzll(inputs)]);
   }
}
