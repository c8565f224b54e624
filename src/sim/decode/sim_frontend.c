/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Command decoding for both modes: contexts with register file, constant banks and programs, and
 * the snapshot that a draw takes. Snapshots share what did not change: constant banks and texture
 * states are copied on write. Not here: checks (sim_check.c), decoded programs (sim_programs.c),
 * timing (the command processor),
 * commands that restore what commands have left (sim_frontend_commands.c). */
#include "decode/sim_frontend_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"

#define TEX_FIRST ATTILA_REG(tex[0])
#define TEX_WORDS ((uint32_t)(sizeof(struct attila_tex_regs) / 4))
#define TEX_END (TEX_FIRST + ATTILA_MAX_TEX_UNITS * TEX_WORDS)
/* Contexts that do not use texture units from here on save neither these nor the fragment inputs
 * behind them. */
#define LATER_UNITS 32
#define LATER_FIRST ATTILA_REG(tex[LATER_UNITS])

#define STREAM_WORDS (4u * ATTILA_MAX_STREAM_BUFFERS) /* strides, and three words per target */

static void *
frontend_alloc64(size_t size)
{
   size = (size + 63) & ~(size_t)63;
   void *p = sim_xaligned_alloc(64, size);
   memset(p, 0, size);
   return p;
}

/* --- Banks --- */

static void
frontend_release_consts(struct sim_frontend *f, struct const_bank *b)
{
   if (--b->refs == 0) {
      b->next = f->free_consts;
      f->free_consts = b;
   }
}

/* Returns a bank with one reference; the caller sets its first `used` vec4s, others are 0. */
static struct const_bank *
frontend_new_consts(struct sim_frontend *f, uint32_t used)
{
   struct const_bank *b = f->free_consts;
   if (b) {
      f->free_consts = b->next;
      if (b->used > used)
         memset(b->c[used], 0, (b->used - used) * sizeof(b->c[0]));
   } else {
      b = frontend_alloc64(sizeof(*b));
   }
   b->used = used;
   b->refs = 1;
   return b;
}

static void
frontend_release_tex(struct sim_frontend *f, struct tex_bank *b)
{
   if (--b->refs == 0) {
      b->next = f->free_tex;
      f->free_tex = b;
   }
}

static struct tex_bank *
frontend_new_tex(struct sim_frontend *f)
{
   struct tex_bank *b = f->free_tex;
   if (b)
      f->free_tex = b->next;
   else
      b = frontend_alloc64(sizeof(*b));
   b->refs = 1;
   return b;
}

static void
frontend_release_stream(struct sim_frontend *f, struct stream_bank *b)
{
   if (b && --b->refs == 0) {
      b->next = f->free_streams;
      f->free_streams = b;
   }
}

/* --- Contexts --- */

static struct context *
frontend_new_context(struct sim_frontend *f)
{
   struct context *c = frontend_alloc64(sizeof(*c));
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++)
      c->consts[s] = frontend_new_consts(f, 0);
   c->tex = frontend_new_tex(f);
   return c;
}

/* Resets all that commands set; counters go on. */
static void
frontend_reset_context(struct sim_frontend *f, struct context *c)
{
   memset(&c->regs, 0, sizeof(c->regs));
   memset(c->label, 0, sizeof(c->label));
   memset(c->const_buffers, 0, sizeof(c->const_buffers));
   memset(c->storage, 0, sizeof(c->storage));
   memset(c->images, 0, sizeof(c->images));
   memset(&c->geometry, 0, sizeof(c->geometry));
   memset(&c->layers, 0, sizeof(c->layers));
   c->tex_current = 0;
   c->skip = false;
   c->vertex_count = 0;
   memset(&c->indirect, 0, sizeof(c->indirect));
   frontend_release_stream(f, c->stream);
   c->stream = NULL;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      frontend_release_consts(f, c->consts[s]);
      c->consts[s] = frontend_new_consts(f, 0);
      sim_programs_release(f->programs, c->program[s]);
      c->program[s] = NULL;
   }
}

struct sim_frontend *
sim_frontend_create(uint32_t memory_size, const struct emul_tex_quality *quality)
{
   struct sim_frontend *f = frontend_alloc64(sizeof(*f));
   f->memory_size = memory_size;
   f->tex_quality = *quality;
   f->max_vertices = UINT64_MAX;
   f->max_iterations = UINT32_MAX;
   f->programs = sim_programs_create();
   f->now = f->contexts[0] = frontend_new_context(f);
   return f;
}

void
sim_frontend_limit_draws(struct sim_frontend *f, uint32_t max_vertices, uint32_t max_iterations)
{
   f->max_vertices = max_vertices;
   f->max_iterations = max_iterations;
}

void
sim_frontend_destroy(struct sim_frontend *f)
{
   if (!f)
      return;
   for (unsigned i = 0; i < ATTILA_MAX_CONTEXTS; i++) {
      struct context *c = f->contexts[i];
      if (!c)
         continue;
      for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++)
         frontend_release_consts(f, c->consts[s]);
      frontend_release_tex(f, c->tex);
      frontend_release_stream(f, c->stream);
      free(c);
   }
   while (f->free_consts) {
      struct const_bank *b = f->free_consts;
      f->free_consts = b->next;
      free(b);
   }
   while (f->free_tex) {
      struct tex_bank *b = f->free_tex;
      f->free_tex = b->next;
      free(b);
   }
   while (f->free_streams) {
      struct stream_bank *b = f->free_streams;
      f->free_streams = b->next;
      free(b);
   }
   sim_programs_destroy(f->programs);
   sim_pipeline_destroy(f->pipeline);
   free(f);
}

void
sim_frontend_select(struct sim_frontend *f, const uint32_t *payload)
{
   uint32_t number = payload[0] & ~ATTILA_CONTEXT_RESET;
   if (number >= ATTILA_MAX_CONTEXTS)
      return;
   if (!f->contexts[number])
      f->contexts[number] = frontend_new_context(f);
   else if (payload[0] & ATTILA_CONTEXT_RESET)
      frontend_reset_context(f, f->contexts[number]);
   f->now = f->contexts[number];
   f->now_number = number;
}

uint32_t
sim_frontend_context(const struct sim_frontend *f)
{
   return f->now_number;
}

uint32_t
sim_frontend_context_words(const struct sim_frontend *f)
{
   uint32_t words = LATER_FIRST;
   for (unsigned u = LATER_UNITS; u < ATTILA_MAX_TEX_UNITS; u++)
      words += f->now->regs.tex[u].enable ? TEX_WORDS : 0;
   for (uint32_t r = ATTILA_REG(fs_input_more); r < ATTILA_NUM_REGS; r++)
      words += ((const uint32_t *)&f->now->regs)[r] != 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++)
      words += f->now->consts[s]->used * 4;
   if (f->now->geometry.enable)
      words += sizeof(f->now->geometry) / 4;
   if (f->now->layers.count)
      words += sizeof(f->now->layers) / 4;
   if (f->now->stream)
      words += f->now->stream->s.num_outputs + STREAM_WORDS;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      for (unsigned i = 0; i < ATTILA_MAX_CONST_BUFFERS; i++)
         words += f->now->const_buffers[s][i].size ? 2 : 0;
      for (unsigned i = 0; i < ATTILA_MAX_STORAGE_BUFFERS; i++)
         words += f->now->storage[s][i].size ? 2 : 0;
      for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++)
         words += f->now->images[s][i].format ? ATTILA_IMAGE_WORDS : 0;
   }
   return words;
}

struct attila_regs *
sim_frontend_regs(struct sim_frontend *f)
{
   return &f->now->regs;
}

uint64_t *
sim_frontend_counters(struct sim_frontend *f)
{
   return f->now->counters;
}

void
sim_frontend_note_counter(struct sim_frontend *f, uint32_t counter)
{
   f->now->counts_fragments |= counter == ATTILA_COUNTER_FS_INVOCATIONS;
}

bool
sim_frontend_counts_fragments(const struct sim_frontend *f)
{
   return f->now->counts_fragments;
}

uint64_t
sim_frontend_program_hash(const struct emul_draw_state *state, enum attila_stage stage)
{
   return ((const struct sim_program *)state->held[stage])->hash;
}

uint64_t
sim_frontend_tex_units(const struct sim_frontend *f)
{
   uint64_t units = 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      const struct sim_program *p = f->now->program[s];
      units |= p ? emul_program_isa(p->program)->tex_units : 0;
   }
   return units;
}

const char *
sim_frontend_label(const struct sim_frontend *f)
{
   return f->now->label;
}

void
sim_frontend_set_label(struct sim_frontend *f, const char *label)
{
   sim_label_keep(f->now->label, label);
}

uint32_t
sim_frontend_memory_size(const struct sim_frontend *f)
{
   return f->memory_size;
}

void
sim_frontend_set_condition(struct sim_frontend *f, const struct attila_cmd_condition *cmd,
                           const void *pairs)
{
   uint64_t sum = 0, pair[2];
   for (uint32_t i = 0; i < cmd->count; i++) {
      memcpy(pair, (const uint8_t *)pairs + i * sizeof(pair), sizeof(pair));
      sum += pair[1] - pair[0];
   }
   f->now->skip = (sum != 0) == (cmd->inverted != 0);
}

bool
sim_frontend_draws(const struct sim_frontend *f, uint32_t draw_flags)
{
   return !(draw_flags & ATTILA_DRAW_CONDITIONAL) || !f->now->skip;
}

void
sim_frontend_set_vertex_count(struct sim_frontend *f, const struct attila_cmd_vertex_count *cmd,
                              uint64_t filled)
{
   const uint64_t count = filled / cmd->stride;
   f->now->vertex_count = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

void
sim_frontend_set_indirect(struct sim_frontend *f, const struct attila_cmd_indirect *cmd,
                          const void *numbers)
{
   uint32_t n[5];
   memcpy(n, numbers, cmd->words * sizeof(n[0]));
   const uint32_t start = n[2], most = cmd->words == 4 ? UINT32_MAX : cmd->indices,
                  left = start < most ? most - start : 0;
   f->now->indirect = (struct attila_cmd_draw){.count = n[0] < left ? n[0] : left,
                                               .start = start,
                                               .index_bias = cmd->words == 4 ? 0 : n[3],
                                               .num_instances = n[1],
                                               .first_instance = n[cmd->words - 1]};
}

struct attila_cmd_draw
sim_frontend_draw_command(const struct sim_frontend *f, const uint32_t *payload)
{
   struct attila_cmd_draw cmd;
   memcpy(&cmd, payload, sizeof(cmd));
   if (cmd.flags & ATTILA_DRAW_INDIRECT) {
      const struct attila_cmd_draw *found = &f->now->indirect;
      cmd.count = found->count;
      cmd.start = found->start;
      cmd.index_bias = found->index_bias;
      cmd.num_instances = found->num_instances;
      cmd.first_instance = found->first_instance;
   }
   if (cmd.flags & ATTILA_DRAW_COUNTED)
      cmd.count = f->now->vertex_count < UINT32_MAX - cmd.start ? f->now->vertex_count
                                                                : UINT32_MAX - cmd.start;
   return cmd;
}

void
sim_frontend_marker(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   struct context *c = f->now;
   const int bytes = (int)strnlen((const char *)(payload + 1), (size_t)(words - 1) * 4);
   const char *text = (const char *)(payload + 1);
   if (payload[0] == ATTILA_MARKER_TEXT)
      snprintf(c->label, sizeof(c->label), "%.*s", bytes, text);
   else
      snprintf(c->program_name, sizeof(c->program_name), "%.*s", bytes, text);
}

/* --- Registers --- */

void
sim_frontend_write_regs(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   struct context *c = f->now;
   uint32_t first = payload[0], count = words - 1;
   if (words < 2 || first >= ATTILA_NUM_REGS || count > ATTILA_NUM_REGS - first)
      return;
   uint32_t *regs = (uint32_t *)&c->regs;
   if (first + count <= TEX_FIRST || first >= TEX_END) {
      memcpy(regs + first, payload + 1, (size_t)count * 4);
      return;
   }
   for (uint32_t i = 0; i < count; i++) {
      uint32_t r = first + i;
      if (regs[r] == payload[1 + i])
         continue;
      regs[r] = payload[1 + i];
      if (r >= TEX_FIRST && r < TEX_END)
         c->tex_current &= ~(1ull << (r - TEX_FIRST) / TEX_WORDS);
   }
}

/* --- Constants --- */

/* Returns a bank of the stage with current contents that no draw in flight reads. */
static struct const_bank *
frontend_writable_consts(struct sim_frontend *f, unsigned stage)
{
   struct const_bank *old = f->now->consts[stage];
   if (old->refs == 1)
      return old;
   struct const_bank *b = frontend_new_consts(f, old->used);
   memcpy(b->c, old->c, old->used * sizeof(old->c[0]));
   old->refs--; /* a draw still uses it */
   f->now->consts[stage] = b;
   return b;
}

void
sim_frontend_write_consts(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   uint32_t stage = payload[0], first = payload[1], count = (words - 2) / 4;
   if (words < 6 || stage >= ATTILA_NUM_STAGES || first >= ATTILA_MAX_CONSTS ||
       count > ATTILA_MAX_CONSTS - first)
      return;
   if (!memcmp(f->now->consts[stage]->c[first], payload + 2, (size_t)count * 16))
      return;
   struct const_bank *b = frontend_writable_consts(f, stage);
   memcpy(b->c[first], payload + 2, (size_t)count * 16);
   if (first + count > b->used)
      b->used = first + count;
}

/* --- Stream-out --- */

/* Returns the context's tables, after a copy if a draw in flight reads them. */
static struct emul_stream_out *
frontend_writable_stream(struct sim_frontend *f)
{
   struct stream_bank *old = f->now->stream;
   if (old && old->refs == 1)
      return &old->s;
   struct stream_bank *b = f->free_streams;
   if (b)
      f->free_streams = b->next;
   else
      b = frontend_alloc64(sizeof(*b));
   b->s = old ? old->s : (struct emul_stream_out){0};
   b->refs = 1;
   if (old)
      old->refs--; /* a draw still uses it */
   f->now->stream = b;
   return &b->s;
}

void
sim_frontend_stream_outputs(struct sim_frontend *f, const uint32_t *payload, uint32_t words)
{
   struct emul_stream_out *s = frontend_writable_stream(f);
   s->num_outputs = words - ATTILA_MAX_STREAM_BUFFERS;
   memcpy(s->stride, payload, sizeof(s->stride));
   memcpy(s->output, payload + ATTILA_MAX_STREAM_BUFFERS, s->num_outputs * sizeof(s->output[0]));
   emul_stream_out_derive(s);
}

void
sim_frontend_stream_targets(struct sim_frontend *f, const uint32_t *payload,
                            const uint64_t filled[ATTILA_MAX_STREAM_BUFFERS])
{
   struct emul_stream_out *s = frontend_writable_stream(f);
   memcpy(s->target, payload, sizeof(s->target));
   emul_stream_out_derive(s);
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
      f->now->stream_filled[b] = f->now->counters[ATTILA_COUNTER_STREAM_BYTES_0 + b] =
          filled[b] & ~3ull;
}

/* --- Constant buffers --- */

/* --- Programs --- */

void
sim_frontend_geometry(struct sim_frontend *f, const uint32_t *payload)
{
   memcpy(&f->now->geometry, payload, sizeof(f->now->geometry));
}

void
sim_frontend_layers(struct sim_frontend *f, const uint32_t *payload)
{
   memcpy(&f->now->layers, payload, sizeof(f->now->layers));
}

bool
sim_frontend_load_program(struct sim_frontend *f, const uint32_t *payload, uint32_t words,
                          const void *binary, char *error, size_t error_size)
{
   struct sim_program *program =
       sim_programs_get(f->programs, payload, words, binary, error, error_size);
   if (!program)
      return false;
   sim_programs_release(f->programs, f->now->program[payload[0]]);
   f->now->program[payload[0]] = program;
   if (f->now->program_name[0])
      memcpy(program->name, f->now->program_name, sizeof(program->name));
   f->now->program_name[0] = '\0';
   return true;
}

/* --- Snapshots --- */

/* Saves or loads the tables of stream-out. The counters must have been loaded before. */
static void
frontend_stream_state(struct sim_frontend *f, struct context *c, struct sim_state *s)
{
   uint8_t used = c->stream != NULL;
   SIM_STATE(s, used);
   if (!used)
      return;
   if (s->load) {
      struct context *now = f->now;
      f->now = c;
      frontend_writable_stream(f);
      f->now = now;
      memcpy(c->stream_filled, &c->counters[ATTILA_COUNTER_STREAM_BYTES_0],
             sizeof(c->stream_filled));
   }
   SIM_STATE(s, c->stream->s);
   if (!sim_state_check(s, c->stream->s.num_outputs <= ATTILA_MAX_STREAM_OUTPUTS))
      c->stream->s.num_outputs = 0;
   emul_stream_out_derive(&c->stream->s);
}

static void
frontend_context_state(struct sim_frontend *f, struct context *c, struct sim_state *s)
{
   uint8_t skip = c->skip;
   if (s->load)
      frontend_reset_context(f, c);
   SIM_STATE(s, skip);
   c->skip = skip;
   SIM_STATE(s, c->vertex_count);
   SIM_STATE(s, c->indirect);
   SIM_STATE(s, c->regs);
   SIM_STATE(s, c->const_buffers);
   SIM_STATE(s, c->storage);
   SIM_STATE(s, c->images);
   SIM_STATE(s, c->geometry);
   SIM_STATE(s, c->layers);
   SIM_STATE(s, c->counters);
   frontend_stream_state(f, c, s);
   SIM_STATE_TEXT(s, c->label);
   SIM_STATE_TEXT(s, c->program_name);
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      uint32_t used = c->consts[stage]->used;
      SIM_STATE(s, used);
      if (!sim_state_check(s, used <= ATTILA_MAX_CONSTS))
         return;
      sim_state_bytes(s, c->consts[stage]->c, used * sizeof(c->consts[stage]->c[0]));
      c->consts[stage]->used = used;
      c->program[stage] = sim_program_state(f->programs, c->program[stage], s);
   }
}

void
sim_frontend_state(struct sim_frontend *f, struct sim_state *s)
{
   SIM_STATE(s, f->now_number);
   sim_state_check(s, f->now_number < ATTILA_MAX_CONTEXTS);
   for (uint32_t i = 0; s->load && i < ATTILA_MAX_CONTEXTS; i++) {
      if (f->contexts[i])
         frontend_reset_context(f, f->contexts[i]);
   }
   sim_programs_state(f->programs, s);
   for (uint32_t i = 0; i < ATTILA_MAX_CONTEXTS; i++) {
      uint8_t there = f->contexts[i] != NULL;
      SIM_STATE(s, there);
      if (!there)
         continue;
      if (!f->contexts[i])
         f->contexts[i] = frontend_new_context(f);
      frontend_context_state(f, f->contexts[i], s);
   }
   if (sim_state_check(s, !s->load ||
                              (f->now_number < ATTILA_MAX_CONTEXTS && f->contexts[f->now_number])))
      f->now = f->contexts[f->now_number];
}

/* --- Draws --- */

/* Returns the current bank with these units initialised from registers. */
static struct tex_bank *
frontend_tex_states(struct sim_frontend *f, uint64_t units)
{
   struct context *c = f->now;
   uint64_t missing = units & ~c->tex_current;
   if (!missing)
      return c->tex;
   if (c->tex->refs > 1) {
      struct tex_bank *b = frontend_new_tex(f), *old = c->tex;
      for (uint64_t keep = c->tex_current; keep; keep &= keep - 1) {
         unsigned u = (unsigned)__builtin_ctzll(keep);
         b->s[u] = old->s[u];
      }
      old->refs--; /* a draw still uses it */
      c->tex = b;
   }
   for (; missing; missing &= missing - 1) {
      unsigned u = (unsigned)__builtin_ctzll(missing);
      emul_tex_state_init(&c->tex->s[u], &c->regs.tex[u], &f->tex_quality, f->memory_size);
      c->tex_current |= 1ull << u;
   }
   return c->tex;
}

void
sim_frontend_take_stages(struct sim_frontend *f, struct emul_draw_state *state, unsigned stages)
{
   struct context *c = f->now;
   const struct emul_program *programs[ATTILA_NUM_STAGES] = {NULL};
   uint64_t units = 0;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      state->held[s] = stages >> s & 1 ? c->program[s] : NULL;
      if (!state->held[s])
         continue;
      c->program[s]->refs++;
      programs[s] = c->program[s]->program;
      units |= emul_program_isa(programs[s])->tex_units;
      if (emul_program_isa(programs[s])->uses_loads)
         memcpy(state->const_buffers[s], c->const_buffers[s], sizeof(c->const_buffers[s]));
      if (emul_program_isa(programs[s])->uses_storage)
         memcpy(state->storage[s], c->storage[s], sizeof(c->storage[s]));
      if (emul_program_isa(programs[s])->uses_images)
         memcpy(state->images[s], c->images[s], sizeof(c->images[s]));
      else if (emul_program_isa(programs[s])->uses_storage)
         memset(state->images[s], 0, sizeof(state->images[s]));
   }
   struct tex_bank *tex = frontend_tex_states(f, units);
   tex->refs++;
   state->tex = tex->s;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      c->consts[s]->refs++;
      state->consts[s] = c->consts[s]->c;
   }
   state->vs = programs[ATTILA_STAGE_VERTEX];
   state->fs = programs[ATTILA_STAGE_FRAGMENT];
   state->gs = programs[ATTILA_STAGE_GEOMETRY];
   state->cs = programs[ATTILA_STAGE_COMPUTE];
   state->max_iterations = f->max_iterations;
   state->stream_out = NULL;
}

bool
sim_frontend_begin_draw(struct sim_frontend *f, struct emul_draw_state *state,
                        const struct attila_cmd_draw *cmd, char *error, size_t error_size)
{
   struct context *c = f->now;
   if ((uint64_t)cmd->count * cmd->num_instances > f->max_vertices) {
      snprintf(error, error_size,
               "%u vertices of %u instances, SIMULATOR.MaxDrawVertices allows %llu together",
               cmd->count, cmd->num_instances, (unsigned long long)f->max_vertices);
      return false;
   }
   sim_frontend_take_stages(f, state,
                            1u << ATTILA_STAGE_VERTEX | 1u << ATTILA_STAGE_FRAGMENT |
                                (c->geometry.enable ? 1u << ATTILA_STAGE_GEOMETRY : 0));
   state->geometry = c->geometry;
   state->layers = c->layers;
   if (__builtin_expect(c->stream != NULL, 0) && c->stream->s.buffers) {
      c->stream->refs++;
      state->stream_out = &c->stream->s;
      state->stream_filled = c->stream_filled;
   }
   if (!emul_draw_state_init(state, &c->regs, cmd, f->memory_size, error, error_size)) {
      sim_frontend_end_draw(f, state);
      return false;
   }
   return true;
}

void
sim_frontend_end_draw(struct sim_frontend *f, struct emul_draw_state *state)
{
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      if (state->consts[s])
         frontend_release_consts(f, (struct const_bank *)state->consts[s]);
      state->consts[s] = NULL;
      sim_programs_release(f->programs, state->held[s]);
      state->held[s] = NULL;
   }
   if (state->tex)
      frontend_release_tex(f, (struct tex_bank *)state->tex);
   state->tex = NULL;
   frontend_release_stream(f, (struct stream_bank *)state->stream_out);
   state->stream_out = NULL;
   state->vs = state->fs = state->gs = state->cs = NULL;
}
