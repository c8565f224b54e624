/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Cycles of programs: shader_time with a machine's .ini reads their texts from standard input, one
 * behind the other, and prints a line for each with the cycles of a thread group as predicted and
 * as Shader Fetch and Decode/Execute take them. Programs whose way depends on values are not
 * executed ("-"). For scripts/shader-table. */
#include "shader_wave.h"

static void
load_machine(const char *path)
{
   char error[300];
   sim_config_defaults(&config);
   if (!sim_config_load(&config, path, NULL, error, sizeof(error))) {
      fprintf(stderr, "shader_time: %s\n", error);
      exit(1);
   }
   /* What the bench has. */
   config.gpu.num_shaders = 2;
   config.gpu.num_rops = ROPS;
   config.gpu.unified = true;
   config.gpu.shader_clock = config.gpu.memory_clock = config.gpu.gpu_clock;
   config.shader.tex_units = 1;
   config.shader.tex_shared = 0;
   config.shader.tex_queue = 64;
}

static void
time_program(const char *text)
{
   struct attila_isa_program p;
   struct attila_shader_machine machine;
   char error[200];
   if (!attila_isa_assemble(text, &p, error, sizeof(error))) {
      fprintf(stderr, "shader_time: %s\n%s", error, text);
      exit(1);
   }
   sim_shader_machine_describe(&config, p.stage, &machine);
   double predicted = attila_isa_cycles(&p, &machine) / 100.0;
   if (p.uses_flow || p.uses_kill)
      printf("%.2f -\n", predicted);
   else
      printf("%.2f %.2f\n", predicted, simulate_groups(&p, text, &machine));
   attila_isa_free(&p);
}

int
main(int argc, char **argv)
{
   char *text = NULL, line[1024];
   size_t used = 0;
   if (argc != 2) {
      fprintf(stderr, "Usage: shader_time MACHINE <PROGRAMS\n");
      return 2;
   }
   load_machine(argv[1]);
   while (fgets(line, sizeof(line), stdin)) {
      size_t n = strlen(line);
      text = realloc(text, used + n + 1);
      if (!text)
         abort();
      memcpy(text + used, line, n + 1);
      used += n;
      if (!strcmp(line, "END\n")) {
         time_program(text);
         used = 0;
      }
   }
   free(text);
   return 0;
}
