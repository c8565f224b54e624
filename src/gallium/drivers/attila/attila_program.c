/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Programs: a shader compiled for one variant, its reports, its binary in GPU memory. Not here:
 * compilation (src/compiler), and a draw's variant (attila_shader.c). */
#include "attila_program.h"

#include <stdio.h>
#include <stdlib.h>
#include "attila_bo.h"
#include "attila_cs.h"
#include "attila_disk_cache.h"
#include "attila_perf.h"
#include "attila_screen.h"
#include "compiler/nir/nir.h"
#include "pipe/p_state.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/u_debug.h"
#include "util/u_memory.h"

/* Compilations that take at least this long are reported. */
#define SLOW_COMPILATION_MS 10

static const char *
attila_program_stage_name(const struct attila_program *program)
{
   static const char *const names[ATTILA_NUM_STAGES] = {
       [ATTILA_STAGE_VERTEX] = "VS",
       [ATTILA_STAGE_GEOMETRY] = "GS",
       [ATTILA_STAGE_FRAGMENT] = "FS",
       [ATTILA_STAGE_COMPUTE] = "CS",
   };
   return names[program->stage];
}

static void
attila_program_set_name(struct attila_program *program, const nir_shader *nir)
{
   const struct attila_variant *variant = &program->variant;
   const char *test = !variant->alpha_test      ? ""
                      : variant->alpha_coverage ? ", alpha test with coverage"
                                                : ", alpha test";
   snprintf(program->name, sizeof(program->name), "%s %.60s%s%.40s%s",
            attila_program_stage_name(program), nir->info.name ? nir->info.name : "unnamed",
            nir->info.label ? " " : "", nir->info.label ? nir->info.label : "", test);
}

/* Prints what debug flags request, and the line for Mesa's shader-db. */
static void
attila_program_report(struct attila_cs *cs, const struct attila_program *program,
                      const struct attila_compile_options *options, bool cached)
{
   char name[sizeof(program->name) + 16], line[256];
   snprintf(name, sizeof(name), "%s%s", program->name, cached ? " (cached)" : "");
   attila_compiled_print(&program->compiled, name, options);
   /* The line needs a prediction of cycles, so make it only if something reads it. */
   if (!cs->debug->debug_message)
      return;
   attila_isa_stats_line(&program->compiled.isa, &options->machine, line, sizeof(line));
   util_debug_message(cs->debug, SHADER_INFO, "%s shader: %s", attila_program_stage_name(program),
                      line);
}

/* Reports what makes the program slow on the GPU. */
static void
attila_program_report_costs(struct attila_cs *cs, const struct attila_program *program)
{
   const struct attila_compiled *compiled = &program->compiled;
   const struct attila_isa_program *isa = &compiled->isa;
   const struct attila_shader_machine *machine = &cs->screen->shader_machine[program->stage];
   const unsigned threads = attila_isa_threads(isa, machine);
   /* Half of the thread groups still hide most of the latency of textures. */
   if (threads < machine->threads / 2)
      attila_perf(cs, "%s: its %u registers leave room for %u of %u thread groups", program->name,
                  attila_isa_registers(isa), threads, machine->threads);
   if (compiled->indexed_samplers > 1)
      attila_perf(cs, "%s: a sampler indexed by a value needs a branch for each of %u textures",
                  program->name, compiled->indexed_samplers);
   if (isa->uses_kill || isa->writes_depth || isa->writes_samples)
      attila_perf(cs, "%s: it %s, so depth and stencil may be tested only behind the shader",
                  program->name,
                  isa->writes_depth ? "writes the depth"
                  : isa->uses_kill  ? "discards fragments"
                                    : "discards samples");
   if (compiled->sample_shading)
      attila_perf(cs, "%s: it runs for each sample of a pixel", program->name);
}

/* Returns whether a reason is new: a program may have many shaders that are refused for the same
 * reason, which is printed once. */
static bool
attila_program_is_new_refusal(struct attila_screen *screen, const char *reason)
{
   simple_mtx_lock(&screen->lock);
   bool known = false;
   for (unsigned i = 0; i < screen->num_refusals; i++)
      known |= !strcmp(screen->refusals[i], reason);
   char *copy = known ? NULL : strdup(reason);
   if (copy && screen->num_refusals < ARRAY_SIZE(screen->refusals))
      screen->refusals[screen->num_refusals++] = copy;
   else
      free(copy);
   simple_mtx_unlock(&screen->lock);
   return !known;
}

/* Reports the compiler's reason on stderr, to KHR_debug and to the state tracker. */
static void
attila_program_report_failure(struct attila_cs *cs, struct attila_program *program,
                              const char *error, struct pipe_shader_state *report)
{
   if (attila_program_is_new_refusal(cs->screen, error))
      mesa_loge("attila: %s does not compile: %s", program->name, error);
   util_debug_message(cs->debug, SHADER_INFO, "%s does not compile: %s", program->name, error);
   if (report && report->report_compile_error)
      report->error_message = strdup(error);
   program->failed = true;
}

/* Compiles the program, or takes a cached result. Sets program->failed if that fails. */
static void
attila_program_compile(struct attila_cs *cs, struct attila_program *program, const nir_shader *nir,
                       struct pipe_shader_state *report)
{
   struct attila_screen *screen = cs->screen;
   struct attila_compile_options options = {
       .debug = screen->debug & ATTILA_DEBUG_COMPILER,
       .variant = program->variant,
       .machine = screen->shader_machine[program->stage],
   };
   cache_key key;
   bool cached = false;
   if (screen->disk_cache) {
      attila_disk_cache_key(screen, nir, &options, key);
      cached = attila_disk_cache_load(screen, key, &program->compiled);
   }
   if (!cached) {
      char *error = NULL;
      const int64_t start = os_time_get_nano();
      if (!attila_compile(nir, &options, &program->compiled, &error)) {
         attila_program_report_failure(cs, program, error ? error : "out of memory", report);
         free(error);
         return;
      }
      const unsigned ms = (os_time_get_nano() - start) / 1000000;
      if (ms >= SLOW_COMPILATION_MS)
         attila_perf(cs, "%s: compiling took %u ms", program->name, ms);
      if (screen->disk_cache)
         attila_disk_cache_store(screen, key, &program->compiled);
   }
   program->binary_size = attila_isa_encoded_size(&program->compiled.isa);
   program->binary = calloc(1, ALIGN_POT(program->binary_size, 4));
   if (program->binary)
      attila_isa_encode(&program->compiled.isa, program->binary);
   else
      program->failed = true;
   attila_program_report(cs, program, &options, cached);
   attila_program_report_costs(cs, program);
}

struct attila_program *
attila_program_create(struct attila_cs *cs, enum attila_stage stage, const nir_shader *nir,
                      const char *source, const struct attila_variant *variant,
                      struct pipe_shader_state *report)
{
   struct attila_program *program = CALLOC_STRUCT(attila_program);
   if (!program)
      return NULL;
   program->stage = stage;
   program->variant = *variant;
   if (cs->screen->has_readers) {
      program->source = source ? strdup(source) : NULL;
      program->uniforms = attila_uniforms(nir);
   }
   attila_program_set_name(program, nir);
   attila_program_compile(cs, program, nir, report);
   return program;
}

void
attila_program_destroy(struct attila_cs *cs, struct attila_program *program)
{
   /* Another program may get the same address. */
   if (program->bo.size && cs->hw.program[program->stage].address == program->bo.address)
      cs->hw.program[program->stage].size = 0;
   attila_bo_free(&cs->screen->memory, &program->bo);
   attila_compiled_finish(&program->compiled);
   free(program->binary);
   free(program->source);
   free(program->uniforms);
   FREE(program);
}

/* Returns whether the compiler's line numbers are those of the text: #line would change them. */
static bool
attila_program_counts_lines(const char *source)
{
   for (const char *hash = strchr(source, '#'); hash; hash = strchr(hash + 1, '#')) {
      if (!strncmp(hash + 1 + strspn(hash + 1, " \t"), "line", 4))
         return false;
   }
   return true;
}

/* Adds a note to the last LOAD_PROGRAM, once per program: the source, the line of each instruction,
 * the uniforms. */
static void
attila_program_put_note(struct attila_cs *cs, struct attila_program *program)
{
   if (!program->source && !program->uniforms)
      return;
   const struct attila_isa_program *isa = &program->compiled.isa;
   const char *source = program->source ? program->source : "",
              *uniforms = program->uniforms ? program->uniforms : "";
   const unsigned num = *source && attila_program_counts_lines(source) ? isa->num_instrs : 0,
                  source_size = strlen(source) + 1, uniforms_size = strlen(uniforms),
                  line_words = DIV_ROUND_UP(num, 2),
                  words = 1 + line_words + (source_size + uniforms_size) / 4 + 1;
   uint32_t *note = attila_cs_note(cs, words);
   if (!note)
      return; /* the next load may have room */
   note[0] = num;
   memset(note + 1, 0, line_words * sizeof(*note));
   for (unsigned i = 0; i < num; i++)
      ((uint16_t *)(note + 1))[i] = isa->instrs[i].line;
   note[words - 1] = 0;
   char *text = (char *)(note + 1 + line_words);
   memcpy(text, source, source_size);
   memcpy(text + source_size, uniforms, uniforms_size);
   free(program->source);
   free(program->uniforms);
   program->source = program->uniforms = NULL;
}

bool
attila_program_emit(struct attila_cs *cs, struct attila_program *program)
{
   if (program->failed) {
      if (!cs->reported_skip)
         mesa_loge("attila: draws are skipped: %s", program->name);
      cs->reported_skip = true;
      return false;
   }
   if (!program->bo.size) {
      if (!attila_bo_alloc_reserved(&cs->screen->memory, program->binary_size, 64, &program->bo)) {
         mesa_loge("attila: out of GPU memory for %s", program->name);
         return false;
      }
      attila_cs_write_buffer(cs, program->bo.address, program->binary, program->binary_size, true);
      free(program->binary);
      program->binary = NULL;
   }
   const struct attila_cmd_program wanted = {program->stage, program->bo.address,
                                             program->binary_size};
   struct attila_cmd_program *loaded = &cs->hw.program[program->stage];
   if (loaded->address == wanted.address && loaded->size == wanted.size)
      return true;

   const unsigned name_words = strlen(program->name) / 4 + 1;
   uint32_t *marker = attila_cs_emit(cs, ATTILA_CMD_MARKER, 1 + name_words);
   marker[0] = ATTILA_MARKER_SHADER_NAME;
   marker[name_words] = 0;
   memcpy(marker + 1, program->name, strlen(program->name));
   memcpy(attila_cs_emit(cs, ATTILA_CMD_LOAD_PROGRAM, 3), &wanted, sizeof(wanted));
   attila_program_put_note(cs, program);
   *loaded = wanted;
   return true;
}
