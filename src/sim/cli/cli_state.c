/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state after the commands of a capture: registers of every context, labels, programs. Nothing
 * is drawn. Captures hold whole commands (sim_capture.c), but their words may be anything. */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cli/cli_stream.h"
#include "core/sim_mix.h"
#include "hw/isa/attila_isa.h"

bool
cli_state_init(struct cli_state *s, uint32_t memory_size)
{
   *s = (struct cli_state){.memory_size = memory_size};
   s->contexts = calloc(ATTILA_MAX_CONTEXTS, sizeof(*s->contexts));
   s->memory = mmap(NULL, s->memory_size + 1, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (s->memory == MAP_FAILED)
      s->memory = NULL;
   if (s->contexts && s->memory)
      return true;
   fprintf(stderr, "attila-sim: out of host memory\n");
   cli_state_fini(s);
   return false;
}

void
cli_state_fini(struct cli_state *s)
{
   if (s->memory)
      munmap(s->memory, s->memory_size + 1);
   for (unsigned i = 0; i < s->num_programs; i++)
      free(s->programs[i].text);
   free(s->programs);
   free(s->contexts);
   *s = (struct cli_state){0};
}

static void
cli_state_copy_text(char *dst, size_t size, const uint32_t *payload, uint32_t words)
{
   snprintf(dst, size, "%.*s", (int)strnlen((const char *)payload, (size_t)words * 4),
            (const char *)payload);
}

static char *
cli_state_disassemble(const uint8_t *binary, uint32_t size)
{
   char error[300], *text = NULL;
   struct attila_isa_program program;
   if (attila_isa_decode(binary, size, &program, error, sizeof(error))) {
      text = attila_isa_disassemble(&program);
      attila_isa_free(&program);
      return text;
   }
   text = malloc(sizeof(error) + 40);
   if (text)
      sprintf(text, "# cannot be decoded: %s\n", error);
   return text;
}

/* Returns the program's number; *is_new: it was not loaded before. */
static unsigned
cli_state_find_program(struct cli_state *s, const struct attila_cmd_program *p, bool *is_new)
{
   *is_new = false;
   if (p->address > s->memory_size || p->size > s->memory_size - p->address)
      return 0;
   const uint64_t hash = sim_mix(p->stage, s->memory + p->address, p->size);
   for (unsigned i = 0; i < s->num_programs; i++) {
      if (s->programs[i].hash == hash && s->programs[i].size == p->size)
         return i + 1;
   }
   struct cli_program *programs =
       realloc(s->programs, (s->num_programs + 1) * sizeof(*s->programs));
   if (!programs)
      return 0;
   s->programs = programs;
   struct cli_program *q = &s->programs[s->num_programs++];
   *q = (struct cli_program){.hash = hash, .stage = p->stage, .size = p->size};
   memcpy(q->name, s->shader_name, sizeof(q->name));
   q->text = cli_state_disassemble(s->memory + p->address, p->size);
   *is_new = true;
   return s->num_programs;
}

static void
cli_state_write_regs(struct cli_context *x, const uint32_t *payload, uint32_t words)
{
   const uint32_t first = payload[0], count = words - 1;
   if (first < ATTILA_NUM_REGS && count <= ATTILA_NUM_REGS - first)
      memcpy((uint32_t *)&x->regs + first, payload + 1, count * sizeof(uint32_t));
}

unsigned
cli_state_command(struct cli_state *s, const struct cli_command *c)
{
   struct cli_context *x = cli_state_context(s);
   const uint32_t *payload = c->payload;
   if (c->wait)
      return 0;
   if (c->op == ATTILA_CMD_CONTEXT) {
      s->context = (payload[0] & ~ATTILA_CONTEXT_RESET) % ATTILA_MAX_CONTEXTS;
      if (payload[0] & ATTILA_CONTEXT_RESET)
         memset(cli_state_context(s), 0, sizeof(*x));
   } else if (c->op == ATTILA_CMD_MARKER && payload[0] == ATTILA_MARKER_TEXT) {
      cli_state_copy_text(x->label, sizeof(x->label), payload + 1, c->words - 1);
   } else if (c->op == ATTILA_CMD_MARKER && payload[0] == ATTILA_MARKER_SHADER_NAME) {
      cli_state_copy_text(s->shader_name, sizeof(s->shader_name), payload + 1, c->words - 1);
   } else if (c->op == ATTILA_CMD_GEOMETRY) {
      x->geometry = ((const struct attila_cmd_geometry *)payload)->enable;
   } else if (c->op == ATTILA_CMD_WRITE_REGS) {
      cli_state_write_regs(x, payload, c->words);
   } else if (c->op == ATTILA_CMD_WRITE_BUFFER) {
      const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)payload;
      const size_t size = b->size & ~ATTILA_BUFFER_NO_WAIT;
      if (b->address <= s->memory_size && size <= s->memory_size - b->address &&
          size <= (size_t)(c->words - 2) * 4)
         memcpy(s->memory + b->address, payload + 2, size);
   } else if (c->op == ATTILA_CMD_LOAD_PROGRAM) {
      const struct attila_cmd_program *p = (const struct attila_cmd_program *)payload;
      bool is_new;
      const unsigned n = cli_state_find_program(s, p, &is_new);
      if (p->stage < ATTILA_NUM_STAGES)
         x->program[p->stage] = n;
      s->shader_name[0] = '\0';
      return is_new ? n : 0;
   }
   return 0;
}
