/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Commands that restore what commands have left in the front end, for captures that begin in the
 * middle of another (cli/cli_trim.c). Data that a command reads from memory is written to the
 * beginning of memory first. Not here: memory's contents. */
#include "decode/sim_frontend_impl.h"

#include <stdlib.h>
#include <string.h>
#include "core/sim_xalloc.h"

struct restore {
   sim_frontend_put put;
   void *data;
   uint32_t scratch; /* bytes of memory that commands overwrite */
   uint32_t *words;  /* of the next command */
   size_t max;
};

/* Returns the payload of a new command. */
static uint32_t *
frontend_commands_begin(struct restore *r, size_t words)
{
   if (words + 1 > r->max) {
      r->max = words + 1;
      r->words = sim_xrealloc(r->words, r->max * sizeof(*r->words));
   }
   memset(r->words, 0, (words + 1) * sizeof(*r->words));
   return r->words + 1;
}

static void
frontend_commands_end(struct restore *r, enum attila_opcode op, size_t words)
{
   r->words[0] = ATTILA_CMD_HEADER(op, words);
   r->put(r->data, r->words, words + 1);
}

static void
frontend_commands_copy(struct restore *r, enum attila_opcode op, const void *payload, size_t words)
{
   memcpy(frontend_commands_begin(r, words), payload, words * sizeof(uint32_t));
   frontend_commands_end(r, op, words);
}

/* Writes bytes to the beginning of memory, for the next command to read. */
static void
frontend_commands_scratch(struct restore *r, const void *bytes, size_t size)
{
   const size_t words = 2 + (size + 3) / 4;
   uint32_t *payload = frontend_commands_begin(r, words);
   payload[1] = (uint32_t)size;
   memcpy(payload + 2, bytes, size);
   frontend_commands_end(r, ATTILA_CMD_WRITE_BUFFER, words);
   if (size > r->scratch)
      r->scratch = (uint32_t)size;
}

static void
frontend_commands_marker(struct restore *r, enum attila_marker kind, const char *text)
{
   const size_t words = 1 + strlen(text) / 4 + 1;
   uint32_t *payload = frontend_commands_begin(r, words);
   payload[0] = kind;
   memcpy(payload + 1, text, strlen(text));
   frontend_commands_end(r, ATTILA_CMD_MARKER, words);
}

static void
frontend_commands_program(struct restore *r, const struct sim_program *p)
{
   if (p->name[0])
      frontend_commands_marker(r, ATTILA_MARKER_SHADER_NAME, p->name);
   frontend_commands_scratch(r, p->binary, p->size);
   const size_t words = ATTILA_LOAD_PROGRAM_WORDS + p->note_words;
   uint32_t *payload = frontend_commands_begin(r, words);
   payload[0] = p->stage;
   payload[2] = (uint32_t)p->size;
   if (p->note_words)
      memcpy(payload + ATTILA_LOAD_PROGRAM_WORDS, p->note, p->note_words * sizeof(uint32_t));
   frontend_commands_end(r, ATTILA_CMD_LOAD_PROGRAM, words);
}

/* Binds a stage's buffers, if there are any. */
static void
frontend_commands_buffers(struct restore *r, enum attila_opcode op, unsigned stage,
                          const struct emul_const_buffer *buffer, unsigned num)
{
   const size_t words = 2 + 2 * num;
   uint32_t *payload = frontend_commands_begin(r, words), some = 0;
   payload[0] = stage;
   for (unsigned i = 0; i < num; i++) {
      payload[2 + 2 * i] = buffer[i].address;
      payload[3 + 2 * i] = buffer[i].size;
      some |= buffer[i].size;
   }
   if (some)
      frontend_commands_end(r, op, words);
}

/* Binds a stage's images, if there are any. */
static void
frontend_commands_images(struct restore *r, unsigned stage, const struct attila_image *images)
{
   const size_t words = 2 + ATTILA_MAX_IMAGES * ATTILA_IMAGE_WORDS;
   uint32_t *payload = frontend_commands_begin(r, words), some = 0;
   payload[0] = stage;
   memcpy(payload + 2, images, ATTILA_MAX_IMAGES * sizeof(*images));
   for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++)
      some |= images[i].format;
   if (some)
      frontend_commands_end(r, ATTILA_CMD_IMAGES, words);
}

static void
frontend_commands_stage(struct restore *r, const struct context *c, unsigned stage)
{
   const struct const_bank *b = c->consts[stage];
   if (b->used) {
      const size_t words = 2 + (size_t)b->used * 4;
      uint32_t *payload = frontend_commands_begin(r, words);
      payload[0] = stage;
      memcpy(payload + 2, b->c, b->used * sizeof(b->c[0]));
      frontend_commands_end(r, ATTILA_CMD_WRITE_CONSTS, words);
   }
   frontend_commands_buffers(r, ATTILA_CMD_CONST_BUFFERS, stage, c->const_buffers[stage],
                             ATTILA_MAX_CONST_BUFFERS);
   frontend_commands_buffers(r, ATTILA_CMD_STORAGE, stage, c->storage[stage],
                             ATTILA_MAX_STORAGE_BUFFERS);
   frontend_commands_images(r, stage, c->images[stage]);
   if (c->program[stage])
      frontend_commands_program(r, c->program[stage]);
}

static void
frontend_commands_stream(struct restore *r, const struct context *c)
{
   const struct emul_stream_out *s = &c->stream->s;
   const size_t words = ATTILA_MAX_STREAM_BUFFERS + s->num_outputs;
   uint32_t *payload = frontend_commands_begin(r, words);
   memcpy(payload, s->stride, sizeof(s->stride));
   memcpy(payload + ATTILA_MAX_STREAM_BUFFERS, s->output, s->num_outputs * sizeof(s->output[0]));
   frontend_commands_end(r, ATTILA_CMD_STREAM_OUTPUTS, words);
   /* The counters are consecutive 64-bit values. The first value stays unused, as address 0 would
    * mean an empty buffer. */
   uint64_t filled[1 + ATTILA_MAX_STREAM_BUFFERS] = {0};
   struct attila_stream_target target[ATTILA_MAX_STREAM_BUFFERS];
   memcpy(target, s->target, sizeof(target));
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++) {
      filled[1 + b] = c->counters[ATTILA_COUNTER_STREAM_BYTES_0 + b];
      target[b].filled = (1 + b) * (uint32_t)sizeof(*filled);
   }
   frontend_commands_scratch(r, filled, sizeof(filled));
   frontend_commands_copy(r, ATTILA_CMD_STREAM_TARGETS, target, sizeof(target) / 4);
}

/* Restores what CONDITION, VERTEX_COUNT and INDIRECT have read from memory. */
static void
frontend_commands_found(struct restore *r, const struct context *c)
{
   const struct attila_cmd_draw *d = &c->indirect;
   if (d->count) {
      const uint32_t numbers[5] = {d->count, d->num_instances, d->start, d->index_bias,
                                   d->first_instance};
      frontend_commands_scratch(r, numbers, sizeof(numbers));
      const struct attila_cmd_indirect indirect = {.words = 5, .indices = UINT32_MAX};
      frontend_commands_copy(r, ATTILA_CMD_INDIRECT, &indirect, sizeof(indirect) / 4);
   }
   if (c->vertex_count) {
      const uint64_t filled[] = {0, c->vertex_count};
      frontend_commands_scratch(r, filled, sizeof(filled));
      const struct attila_cmd_vertex_count count = {.filled = sizeof(*filled), .stride = 1};
      frontend_commands_copy(r, ATTILA_CMD_VERTEX_COUNT, &count, sizeof(count) / 4);
   }
   if (c->skip) {
      const uint64_t equal[] = {0, 0};
      frontend_commands_scratch(r, equal, sizeof(equal));
      const struct attila_cmd_condition condition = {.count = 1};
      frontend_commands_copy(r, ATTILA_CMD_CONDITION, &condition, sizeof(condition) / 4);
   }
}

static void
frontend_commands_context(struct restore *r, const struct context *c, uint32_t number)
{
   frontend_commands_copy(r, ATTILA_CMD_CONTEXT, &number, 1);
   uint32_t *payload = frontend_commands_begin(r, 1 + ATTILA_NUM_REGS);
   memcpy(payload + 1, &c->regs, sizeof(c->regs));
   frontend_commands_end(r, ATTILA_CMD_WRITE_REGS, 1 + ATTILA_NUM_REGS);
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++)
      frontend_commands_stage(r, c, stage);
   if (c->geometry.enable)
      frontend_commands_copy(r, ATTILA_CMD_GEOMETRY, &c->geometry, sizeof(c->geometry) / 4);
   if (c->layers.count)
      frontend_commands_copy(r, ATTILA_CMD_LAYERS, &c->layers, sizeof(c->layers) / 4);
   if (c->stream)
      frontend_commands_stream(r, c);
   frontend_commands_found(r, c);
   if (c->label[0])
      frontend_commands_marker(r, ATTILA_MARKER_TEXT, c->label);
   if (c->program_name[0])
      frontend_commands_marker(r, ATTILA_MARKER_SHADER_NAME, c->program_name);
}

uint32_t
sim_frontend_commands(const struct sim_frontend *f, sim_frontend_put put, void *data)
{
   struct restore r = {.put = put, .data = data};
   for (uint32_t i = 0; i < ATTILA_MAX_CONTEXTS; i++) {
      if (f->contexts[i])
         frontend_commands_context(&r, f->contexts[i], i);
   }
   frontend_commands_copy(&r, ATTILA_CMD_CONTEXT, &f->now_number, 1);
   free(r.words);
   return r.scratch;
}

const uint64_t *
sim_frontend_context_counters(const struct sim_frontend *f, uint32_t context)
{
   return f->contexts[context] ? f->contexts[context]->counters : NULL;
}
