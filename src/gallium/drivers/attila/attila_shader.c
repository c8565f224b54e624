/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader objects. Not here: compilation (src/compiler). The state tracker lowers what would need
 * variants, and the rest is registers, so every shader has one program.
 */
#include "attila_shader.h"

#include <stdio.h>
#include <stdlib.h>
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_disk_cache.h"
#include "attila_memory.h"
#include "attila_perf.h"
#include "attila_screen.h"
#include "attila_state.h"
#include "compiler/nir/nir.h"
#include "nir/tgsi_to_nir.h"
#include "util/log.h"
#include "util/os_time.h"
#include "util/ralloc.h"
#include "util/u_debug.h"
#include "util/u_memory.h"

/* From here on a compilation is worth a message. */
#define SLOW_COMPILATION_MS 10

const void *
attila_get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                            enum pipe_shader_type shader)
{
   return ir == PIPE_SHADER_IR_NIR
              ? attila_nir_options(shader == PIPE_SHADER_VERTEX ? MESA_SHADER_VERTEX
                                                                : MESA_SHADER_FRAGMENT)
              : NULL;
}

static const char *
stage_name(const struct attila_shader *shader)
{
   return shader->stage == ATTILA_STAGE_VERTEX ? "VS" : "FS";
}

static void
set_name(struct attila_shader *shader, const nir_shader *nir)
{
   snprintf(shader->name, sizeof(shader->name), "%s %s%s%s", stage_name(shader),
            nir->info.name ? nir->info.name : "unnamed", nir->info.label ? " " : "",
            nir->info.label ? nir->info.label : "");
}

/* What debug flags ask for, and the line that Mesa's shader-db reads. */
static void
report_shader(struct attila_context *ctx, const struct attila_shader *shader,
              const struct attila_compile_options *options, bool cached)
{
   char name[sizeof(shader->name) + 16], line[256];
   snprintf(name, sizeof(name), "%s%s", shader->name, cached ? " (cached)" : "");
   attila_compiled_print(&shader->compiled, name, options);
   attila_isa_stats_line(&shader->compiled.isa, &options->machine, line, sizeof(line));
   util_debug_message(&ctx->base.debug, SHADER_INFO, "%s shader: %s", stage_name(shader), line);
}

/* What will cost time when the GPU runs it, as far as the program shows it. */
static void
report_costs(struct attila_context *ctx, const struct attila_shader *shader)
{
   const struct attila_compiled *compiled = &shader->compiled;
   const struct attila_isa_program *isa = &compiled->isa;
   const struct attila_shader_limits *machine = &ctx->screen->shader_limits;
   const unsigned threads = attila_isa_threads(isa, machine);
   /* Half of the thread groups still hide most of a texture's latency. */
   if (threads < machine->threads / 2)
      attila_perf(ctx, "%s: its %u registers leave room for %u of %u thread groups", shader->name,
                  attila_isa_registers(isa), threads, machine->threads);
   if (compiled->indexed_samplers > 1)
      attila_perf(ctx, "%s: a sampler indexed by a value samples all %u textures of its array",
                  shader->name, compiled->indexed_samplers);
   if (isa->uses_kill || isa->writes_depth)
      attila_perf(ctx, "%s: it %s, so depth and stencil may be tested only behind the shader",
                  shader->name, isa->writes_depth ? "writes the depth" : "discards fragments");
}

/* Programs that ask for what this GPU lacks do so in many shaders: each reason is printed once. */
static bool
is_new_refusal(struct attila_screen *screen, const char *reason)
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

/* The compiler's reason goes wherever somebody may look for it. */
static void
report_failure(struct attila_context *ctx, struct attila_shader *shader, const char *error,
               struct pipe_shader_state *report)
{
   if (is_new_refusal(ctx->screen, error))
      mesa_loge("attila: %s does not compile: %s", shader->name, error);
   util_debug_message(&ctx->base.debug, SHADER_INFO, "%s does not compile: %s", shader->name,
                      error);
   if (report->report_compile_error)
      report->error_message = strdup(error);
   shader->failed = true;
}

/* Compiles, or takes what was compiled before; shader->failed tells how it went. */
static void
compile(struct attila_context *ctx, struct attila_shader *shader, const nir_shader *nir,
        struct pipe_shader_state *report)
{
   struct attila_screen *screen = ctx->screen;
   struct attila_compile_options options = {
       .debug = screen->debug & ATTILA_DEBUG_COMPILER,
       .machine = screen->shader_limits,
   };
   cache_key key;
   bool cached = false;
   if (screen->disk_cache) {
      attila_disk_cache_key(screen, nir, key);
      cached = attila_disk_cache_load(screen, key, &shader->compiled);
   }
   if (!cached) {
      char *error = NULL;
      const int64_t start = os_time_get_nano();
      if (!attila_compile(nir, &options, &shader->compiled, &error)) {
         report_failure(ctx, shader, error ? error : "out of memory", report);
         free(error);
         return;
      }
      const unsigned ms = (os_time_get_nano() - start) / 1000000;
      if (ms >= SLOW_COMPILATION_MS)
         attila_perf(ctx, "%s: compiling took %u ms", shader->name, ms);
      if (screen->disk_cache)
         attila_disk_cache_store(screen, key, &shader->compiled);
   }
   shader->binary_size = attila_isa_encoded_size(&shader->compiled.isa);
   shader->binary = calloc(1, ALIGN_POT(shader->binary_size, 4));
   if (shader->binary)
      attila_isa_encode(&shader->compiled.isa, shader->binary);
   else
      shader->failed = true;
   report_shader(ctx, shader, &options, cached);
   report_costs(ctx, shader);
}

static void
destroy_shader(struct attila_shader *shader)
{
   attila_compiled_finish(&shader->compiled);
   free(shader->binary);
   FREE(shader);
}

static void *
create_shader(struct pipe_context *pctx, const struct pipe_shader_state *state,
              enum attila_stage stage)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_shader *shader = CALLOC_STRUCT(attila_shader);
   if (!shader)
      return NULL;
   shader->stage = stage;

   nir_shader *nir = state->type == PIPE_SHADER_IR_NIR
                         ? state->ir.nir
                         : tgsi_to_nir(state->tokens, pctx->screen, false);
   set_name(shader, nir);
   struct pipe_shader_state *report = (struct pipe_shader_state *)state;
   compile(ctx, shader, nir, report);
   ralloc_free(nir);
   if (shader->failed && report->report_compile_error && report->error_message) {
      destroy_shader(shader);
      return NULL;
   }
   return shader;
}

static void *
create_vs_state(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return create_shader(pctx, state, ATTILA_STAGE_VERTEX);
}

static void *
create_fs_state(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return create_shader(pctx, state, ATTILA_STAGE_FRAGMENT);
}

static void
bind_vs_state(struct pipe_context *pctx, void *state)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->shader[ATTILA_STAGE_VERTEX] = state;
   ctx->dirty |= ATTILA_DIRTY_VS;
}

static void
bind_fs_state(struct pipe_context *pctx, void *state)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->shader[ATTILA_STAGE_FRAGMENT] = state;
   ctx->dirty |= ATTILA_DIRTY_FS;
}

static void
delete_shader_state(struct pipe_context *pctx, void *state)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_shader *shader = state;
   if (!shader)
      return;
   if (ctx->shader[shader->stage] == shader) {
      ctx->shader[shader->stage] = NULL;
      ctx->dirty |= shader->stage == ATTILA_STAGE_VERTEX ? ATTILA_DIRTY_VS : ATTILA_DIRTY_FS;
   }
   /* Another program may get the address. */
   if (shader->bo.size && ctx->cs.hw.program[shader->stage].address == shader->bo.address)
      ctx->cs.hw.program[shader->stage].size = 0;
   attila_bo_free(ctx->screen, &shader->bo);
   destroy_shader(shader);
}

bool
attila_emit_program(struct attila_context *ctx, enum attila_stage stage)
{
   struct attila_shader *shader = ctx->shader[stage];
   if (!shader || shader->failed) {
      if (!ctx->reported_skip)
         mesa_loge("attila: draws are skipped: %s", shader ? shader->name : "no shader is bound");
      ctx->reported_skip = true;
      return false;
   }
   if (!shader->bo.size) {
      if (!attila_bo_alloc_reserved(ctx->screen, shader->binary_size, 64, &shader->bo)) {
         mesa_loge("attila: out of GPU memory for %s", shader->name);
         return false;
      }
      attila_cs_write_buffer(ctx, shader->bo.address, shader->binary, shader->binary_size, true);
      free(shader->binary);
      shader->binary = NULL;
   }
   struct attila_cmd_program program = {stage, shader->bo.address, shader->binary_size};
   struct attila_cmd_program *loaded = &ctx->cs.hw.program[stage];
   if (loaded->address == program.address && loaded->size == program.size)
      return true;

   const unsigned name_words = strlen(shader->name) / 4 + 1;
   uint32_t *marker = attila_cs_emit(ctx, ATTILA_CMD_MARKER, 1 + name_words);
   marker[0] = ATTILA_MARKER_SHADER_NAME;
   marker[name_words] = 0;
   memcpy(marker + 1, shader->name, strlen(shader->name));
   memcpy(attila_cs_emit(ctx, ATTILA_CMD_LOAD_PROGRAM, 3), &program, sizeof(program));
   *loaded = program;
   return true;
}

static uint32_t
output_register(const struct attila_compiled *vs, unsigned slot)
{
   return vs->vs_output[slot] == ATTILA_NO_OUTPUT ? ATTILA_MAX_VARYINGS : vs->vs_output[slot];
}

/* Bit of pipe_rasterizer_state.sprite_coord_enable that replaces a varying. */
static bool
is_sprite_coord(const struct pipe_rasterizer_state *rs, unsigned slot)
{
   if (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7)
      return rs->sprite_coord_enable & (1 << (slot - VARYING_SLOT_TEX0));
   return slot == VARYING_SLOT_PNTC && (rs->sprite_coord_enable & (1 << 8));
}

void
attila_link_shaders(struct attila_context *ctx, struct attila_regs *regs)
{
   const struct attila_compiled *vs = &ctx->shader[ATTILA_STAGE_VERTEX]->compiled;
   const struct attila_compiled *fs = &ctx->shader[ATTILA_STAGE_FRAGMENT]->compiled;
   const struct pipe_rasterizer_state *rs = &ctx->rasterizer->base;

   for (unsigned i = 0; i < fs->num_fs_inputs; i++) {
      const struct attila_fs_input *in = &fs->fs_input[i];
      struct attila_fs_input_regs *r = &regs->fs_input[i];
      r->source = in->source;
      r->output = in->source == ATTILA_FS_VARYING ? output_register(vs, in->slot) : 0;
      r->interp = in->color && rs->flatshade ? ATTILA_INTERP_FLAT : in->interp;
      r->sprite = in->source == ATTILA_FS_VARYING && rs->point_quad_rasterization &&
                  is_sprite_coord(rs, in->slot);
   }
   regs->fs_color0_to_all = fs->color0_to_all;

   const uint32_t psiz = output_register(vs, VARYING_SLOT_PSIZ);
   regs->point_size_per_vertex = rs->point_size_per_vertex && psiz < ATTILA_MAX_VARYINGS;
   regs->point_size_output = regs->point_size_per_vertex ? psiz : 0;
   regs->edge_flag_output = output_register(vs, VARYING_SLOT_EDGE);

   /* Distances that the program does not write do not clip. */
   uint32_t written = 0, output[2];
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t out = output_register(vs, VARYING_SLOT_CLIP_DIST0 + i);
      output[i] = out < ATTILA_MAX_VARYINGS ? out : 0;
      written |= out < ATTILA_MAX_VARYINGS ? 0xfu << (4 * i) : 0;
   }
   regs->clip_distance_output_0 = output[0];
   regs->clip_distance_output_1 = output[1];
   regs->clip_distance_enable = rs->clip_plane_enable & written;
}

void
attila_init_context_shaders(struct attila_context *ctx)
{
   ctx->base.create_vs_state = create_vs_state;
   ctx->base.bind_vs_state = bind_vs_state;
   ctx->base.delete_vs_state = delete_shader_state;
   ctx->base.create_fs_state = create_fs_state;
   ctx->base.bind_fs_state = bind_fs_state;
   ctx->base.delete_fs_state = delete_shader_state;
}
