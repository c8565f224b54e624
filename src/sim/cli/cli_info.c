/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim info and disasm: the contents of a capture. Nothing is simulated. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "config/sim_shader_machine.h"
#include "core/sim_json.h"
#include "decode/sim_frontend.h"
#include "hw/isa/attila_isa.h"

struct info {
   uint64_t count[ATTILA_NUM_CMDS], words[ATTILA_NUM_CMDS];
   uint64_t frames, vertices, meta, waits, waiting_writes;
};

static void
cli_info_count(struct info *info, const struct cli_command *c)
{
   if (c->wait) {
      info->waits++;
      return;
   }
   info->count[c->op]++;
   info->words[c->op] += 1 + c->words;
   if (c->op == ATTILA_CMD_SWAP || c->op == ATTILA_CMD_END_FRAME)
      info->frames++;
   if (c->op == ATTILA_CMD_WRITE_BUFFER) {
      const struct attila_cmd_buffer *b = (const struct attila_cmd_buffer *)c->payload;
      info->waiting_writes += !(b->size & ATTILA_BUFFER_NO_WAIT);
   }
   if (c->op == ATTILA_CMD_DRAW) {
      const struct attila_cmd_draw *d = (const struct attila_cmd_draw *)c->payload;
      info->vertices += (uint64_t)d->count * d->num_instances;
      info->meta += (d->flags & ATTILA_DRAW_META) != 0;
   }
}

/* Prints one line. */
static void
cli_info_print_json(const struct info *info, const char *path, uint32_t memory_size)
{
   bool first = true;
   printf("{\"capture\": ");
   sim_json_text(stdout, path);
   printf(", \"memory_mib\": %u, \"frames\": %" PRIu64 ", \"draws\": %" PRIu64
          ", \"own_draws\": %" PRIu64 ", \"vertices\": %" PRIu64 ", \"waits\": %" PRIu64
          ", \"waiting_writes\": %" PRIu64 ", \"commands\": {",
          memory_size >> 20, info->frames, info->count[ATTILA_CMD_DRAW], info->meta, info->vertices,
          info->waits, info->waiting_writes);
   for (uint32_t op = 0; op < ATTILA_NUM_CMDS; op++) {
      if (!info->count[op])
         continue;
      printf("%s\"%s\": {\"number\": %" PRIu64 ", \"bytes\": %" PRIu64 "}", first ? "" : ", ",
             sim_command_name(op), info->count[op], info->words[op] * 4);
      first = false;
   }
   printf("}}\n");
}

int
cli_info(struct cli_options *o, char **args)
{
   struct info info = {0};
   struct cli_stream s;
   struct cli_command c;
   if (!cli_stream_open(&s, args[0]))
      return CLI_FILE;
   while (cli_stream_next(&s, &c))
      cli_info_count(&info, &c);
   cli_stream_close(&s);
   if (o->format && !strcmp(o->format, "json")) {
      if (s.status == CLI_OK)
         cli_info_print_json(&info, args[0], s.memory_size);
      return s.status;
   }
   printf("%s: GPU memory %u MiB, %" PRIu64 " frames, %" PRIu64 " draws (%" PRIu64
          " of the driver's own), %" PRIu64 " vertices, %" PRIu64 " waits\n",
          args[0], s.memory_size >> 20, info.frames, info.count[ATTILA_CMD_DRAW], info.meta,
          info.vertices, info.waits);
   printf("%-16s %12s %14s\n", "command", "number", "bytes");
   for (uint32_t op = 0; op < ATTILA_NUM_CMDS; op++) {
      if (info.count[op])
         printf("%-16s %12" PRIu64 " %14" PRIu64 "\n", sim_command_name(op), info.count[op],
                info.words[op] * 4);
   }
   printf("%" PRIu64 " of the WRITE_BUFFERs wait for the draws before them\n", info.waiting_writes);
   cli_index_info(args[0]);
   return s.status;
}

static void
cli_info_disasm_print(const struct cli_state *s, unsigned number,
                      const struct attila_cmd_program *p)
{
   char error[300], line[200];
   const struct cli_program *q = &s->programs[number - 1];
   struct attila_isa_program program;
   printf("# program %u, %s stage, %u bytes at 0x%x%s%s\n", number, attila_stage_name(p->stage),
          p->size, p->address, q->name[0] ? ", " : "", q->name);
   if (attila_isa_decode(s->memory + p->address, p->size, &program, error, sizeof(error))) {
      struct sim_config config;
      struct attila_shader_machine machine;
      sim_config_defaults(&config);
      sim_shader_machine_describe(&config, program.stage, &machine);
      attila_isa_stats_line(&program, &machine, line, sizeof(line));
      printf("# %s\n", line);
      attila_isa_free(&program);
   }
   printf("%s\n", q->text ? q->text : "# out of host memory");
}

int
cli_disasm(struct cli_options *o, char **args)
{
   struct cli_stream s;
   struct cli_command c;
   struct cli_state state;
   if (!cli_stream_open(&s, args[0]))
      return CLI_FILE;
   if (!cli_state_init(&state, s.memory_size))
      s.status = CLI_FILE;
   while (s.status == CLI_OK && cli_stream_next(&s, &c)) {
      const unsigned number = cli_state_command(&state, &c);
      const struct attila_cmd_program *p = (const struct attila_cmd_program *)c.payload;
      if (number)
         cli_info_disasm_print(&state, number, p);
      else if (!c.wait && c.op == ATTILA_CMD_LOAD_PROGRAM &&
               (p->address > s.memory_size || p->size > s.memory_size - p->address))
         printf("# a program at 0x%x is outside memory\n", p->address);
   }
   cli_state_fini(&state);
   cli_stream_close(&s);
   return s.status;
}
