/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim info and disasm: what is in a capture. Nothing is simulated.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "cli/cli.h"
#include "config/sim_shader_machine.h"
#include "decode/sim_frontend.h"

/* Calls visit for every command of a capture. */
static int
each_command(const char *path,
             void (*visit)(void *user, uint32_t op, const uint32_t *payload, uint32_t words),
             void *user, uint64_t *waits, uint32_t *memory_size)
{
   char error[1024];
   struct sim_capture_record record;
   enum sim_capture_result result;
   struct sim_capture_reader *capture = sim_capture_open(path, error, sizeof(error));
   if (!capture) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_FILE;
   }
   *memory_size = sim_capture_memory_size(capture);
   while ((result = sim_capture_next(capture, &record, error, sizeof(error))) ==
          SIM_CAPTURE_RECORD) {
      if (record.kind == SIM_CAPTURE_WAIT) {
         ++*waits;
         continue;
      }
      for (size_t i = 0; i < record.num_words; i += 1 + (size_t)ATTILA_CMD_WORDS(record.words[i]))
         visit(user, ATTILA_CMD_OP(record.words[i]), record.words + i + 1,
               ATTILA_CMD_WORDS(record.words[i]));
   }
   sim_capture_reader_close(capture);
   if (result == SIM_CAPTURE_ERROR) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_FILE;
   }
   return CLI_OK;
}

struct info {
   uint64_t count[ATTILA_NUM_CMDS], words[ATTILA_NUM_CMDS];
   uint64_t frames, vertices, meta, waiting_writes;
};

static void
count_command(void *user, uint32_t op, const uint32_t *payload, uint32_t words)
{
   struct info *info = user;
   info->count[op]++;
   info->words[op] += 1 + words;
   if (op == ATTILA_CMD_SWAP || op == ATTILA_CMD_END_FRAME)
      info->frames++;
   if (op == ATTILA_CMD_WRITE_BUFFER) {
      const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)payload;
      info->waiting_writes += !(b->size & ATTILA_BUFFER_NO_WAIT);
   }
   if (op == ATTILA_CMD_DRAW) {
      const struct attila_cmd_draw *d = (const struct attila_cmd_draw *)payload;
      info->vertices += (uint64_t)d->count * d->num_instances;
      info->meta += (d->flags & ATTILA_DRAW_META) != 0;
   }
}

int
cli_info(struct cli_options *o, char **args)
{
   const char *path = args[0];
   struct info info = {0};
   uint64_t waits = 0;
   uint32_t memory_size = 0;
   int status = each_command(path, count_command, &info, &waits, &memory_size);
   printf("%s: GPU memory %u MiB, %" PRIu64 " frames, %" PRIu64 " draws (%" PRIu64
          " of the driver's own), %" PRIu64 " vertices, %" PRIu64 " waits\n",
          path, memory_size >> 20, info.frames, info.count[ATTILA_CMD_DRAW], info.meta,
          info.vertices, waits);
   printf("%-16s %12s %14s\n", "command", "number", "bytes");
   for (uint32_t op = 0; op < ATTILA_NUM_CMDS; op++) {
      if (info.count[op])
         printf("%-16s %12" PRIu64 " %14" PRIu64 "\n", sim_command_name(op), info.count[op],
                info.words[op] * 4);
   }
   printf("%" PRIu64 " of the WRITE_BUFFERs wait for the draws before them\n", info.waiting_writes);
   cli_index_info(path);
   return status;
}

/* --- disasm --- */

struct seen {
   uint64_t hash;
   struct seen *next;
};

struct disasm {
   uint8_t *memory; /* what WRITE_BUFFER has put there */
   size_t size;
   char name[128];
   struct seen *seen;
   unsigned number;
};

static void
print_program(struct disasm *d, const struct attila_cmd_program *p)
{
   char error[300], line[200];
   uint64_t hash = p->stage;
   for (uint32_t i = 0; i < p->size; i++)
      hash = (hash ^ d->memory[p->address + i]) * 0x100000001b3ull;
   for (const struct seen *s = d->seen; s; s = s->next) {
      if (s->hash == hash)
         return;
   }
   struct seen *s = malloc(sizeof(*s));
   if (s) {
      *s = (struct seen){hash, d->seen};
      d->seen = s;
   }
   printf("# program %u, %s stage, %u bytes at 0x%x%s%s\n", ++d->number,
          p->stage == ATTILA_STAGE_VERTEX ? "vertex" : "fragment", p->size, p->address,
          d->name[0] ? ", " : "", d->name);
   struct attila_isa_program program;
   if (!attila_isa_decode(d->memory + p->address, p->size, &program, error, sizeof(error))) {
      printf("# cannot be decoded: %s\n\n", error);
      return;
   }
   struct sim_config config;
   sim_config_defaults(&config);
   struct attila_shader_machine machine;
   sim_shader_machine_describe(&config, program.stage, &machine);
   attila_isa_stats_line(&program, &machine, line, sizeof(line));
   char *text = attila_isa_disassemble(&program);
   printf("# %s\n%s\n", line, text ? text : "# out of host memory");
   free(text);
   attila_isa_free(&program);
}

static void
disasm_command(void *user, uint32_t op, const uint32_t *payload, uint32_t words)
{
   struct disasm *d = user;
   if (op == ATTILA_CMD_MARKER && payload[0] == ATTILA_MARKER_SHADER_NAME)
      snprintf(d->name, sizeof(d->name), "%.*s",
               (int)strnlen((const char *)(payload + 1), (words - 1) * 4),
               (const char *)(payload + 1));
   if (op == ATTILA_CMD_WRITE_BUFFER) {
      const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)payload;
      size_t size = b->size & ~ATTILA_BUFFER_NO_WAIT;
      if (b->address <= d->size && size <= d->size - b->address && size <= (size_t)(words - 2) * 4)
         memcpy(d->memory + b->address, payload + 2, size);
   }
   if (op == ATTILA_CMD_LOAD_PROGRAM) {
      const struct attila_cmd_program *p = (const struct attila_cmd_program *)payload;
      if (p->address <= d->size && p->size <= d->size - p->address)
         print_program(d, p);
      else
         printf("# a program at 0x%x is outside memory\n", p->address);
      d->name[0] = '\0';
   }
}

int
cli_disasm(struct cli_options *o, char **args)
{
   const char *path = args[0];
   char error[1024];
   struct sim_capture_reader *capture = sim_capture_open(path, error, sizeof(error));
   if (!capture) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_FILE;
   }
   struct disasm d = {.size = sim_capture_memory_size(capture)};
   sim_capture_reader_close(capture);
   d.memory = mmap(NULL, d.size + 1, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (d.memory == MAP_FAILED) {
      fprintf(stderr, "attila-sim: out of host memory\n");
      return CLI_FILE;
   }
   uint64_t waits = 0;
   uint32_t memory_size;
   int status = each_command(path, disasm_command, &d, &waits, &memory_size);
   while (d.seen) {
      struct seen *s = d.seen;
      d.seen = s->next;
      free(s);
   }
   munmap(d.memory, d.size + 1);
   return status;
}
