/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader objects, the program that a draw needs, and links between stages. The state tracker lowers
 * most state that would need variants, and registers hold the rest; only the alpha test has
 * variants, by whether primitives are smooth. Not here: making and loading programs
 * (attila_program.c). */
#include "attila_shader.h"

#include "attila_context.h"
#include "attila_init.h"
#include "attila_perf.h"
#include "attila_program.h"
#include "attila_state_objects.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_xfb_info.h"
#include "nir/tgsi_to_nir.h"
#include "util/log.h"
#include "util/ralloc.h"
#include "util/u_framebuffer.h"
#include "util/u_memory.h"
#include "util/u_prim.h"

const void *
attila_get_compiler_options(struct pipe_screen *screen, enum pipe_shader_ir ir,
                            enum pipe_shader_type shader)
{
   return ir == PIPE_SHADER_IR_NIR ? attila_nir_options() : NULL;
}

static void
attila_shader_destroy(struct attila_context *ctx, struct attila_shader *shader)
{
   for (struct attila_program *program = shader->programs; program;) {
      struct attila_program *next = program->next;
      if (ctx->state.program[shader->stage] == program)
         ctx->state.program[shader->stage] = NULL;
      attila_program_destroy(&ctx->cs, program);
      program = next;
   }
   ralloc_free(shader->nir);
   free(shader->source);
   FREE(shader);
}

/* Makes the table of what a vertex or geometry shader writes to transform feedback buffers, and
 * makes the list in nir anew. */
static void
attila_shader_init_stream_table(struct attila_stream_table *table, nir_shader *nir,
                                const struct attila_compiled *compiled)
{
   nir_gather_xfb_info_from_intrinsics(nir);
   const nir_xfb_info *info = nir->xfb_info;
   if (!info)
      return;
   for (unsigned b = 0; b < ATTILA_MAX_STREAM_BUFFERS; b++)
      table->stride[b] = nir->info.xfb_stride[b] * 4;
   for (unsigned i = 0; i < info->output_count; i++) {
      const nir_xfb_output_info *o = &info->outputs[i];
      assert(table->num < ATTILA_MAX_STREAM_OUTPUTS);
      table->output[table->num++] = (struct attila_stream_output){
          .output = attila_output_register(compiled, o->location),
          .first = o->component_offset,
          .last = util_last_bit(o->component_mask) - 1,
          .buffer = o->buffer,
          .offset = o->offset / 4,
          .stream = info->buffer_to_stream[o->buffer],
      };
   }
}

static void *
attila_shader_create(struct pipe_context *pctx, const struct pipe_shader_state *state,
                     enum attila_stage stage)
{
   struct attila_context *ctx = attila_context(pctx);
   nir_shader *nir = state->type == PIPE_SHADER_IR_NIR
                         ? state->ir.nir
                         : tgsi_to_nir(state->tokens, pctx->screen, false);
   struct attila_shader *shader = CALLOC_STRUCT(attila_shader);
   if (!shader) {
      ralloc_free(nir);
      return NULL;
   }
   static const struct attila_variant plain = {0};
   struct pipe_shader_state *report = (struct pipe_shader_state *)state;
   shader->stage = stage;
   shader->nir = nir;
   shader->programs = attila_program_create(&ctx->cs, stage, nir, nir->source, &plain, report);
   if (!shader->programs ||
       (shader->programs->failed && report->report_compile_error && report->error_message)) {
      attila_shader_destroy(ctx, shader);
      return NULL;
   }
   if (stage != ATTILA_STAGE_FRAGMENT) {
      if (stage != ATTILA_STAGE_COMPUTE)
         attila_shader_init_stream_table(&shader->stream, nir, &shader->programs->compiled);
      ralloc_free(nir); /* there is only one variant */
      shader->nir = NULL;
   } else if (nir->source) {
      shader->source = strdup(nir->source);
      nir->source = NULL;
   }
   return shader;
}

static void *
attila_shader_create_vs_state(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return attila_shader_create(pctx, state, ATTILA_STAGE_VERTEX);
}

static void *
attila_shader_create_gs_state(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return attila_shader_create(pctx, state, ATTILA_STAGE_GEOMETRY);
}

static void *
attila_shader_create_fs_state(struct pipe_context *pctx, const struct pipe_shader_state *state)
{
   return attila_shader_create(pctx, state, ATTILA_STAGE_FRAGMENT);
}

static void *
attila_shader_create_compute_state(struct pipe_context *pctx,
                                   const struct pipe_compute_state *state)
{
   const struct pipe_shader_state shader = {.type = state->ir_type,
                                            .ir.nir = (nir_shader *)state->prog};
   return attila_shader_create(pctx, &shader, ATTILA_STAGE_COMPUTE);
}

static void
attila_shader_bind(struct attila_context *ctx, enum attila_stage stage,
                   struct attila_shader *shader)
{
   ctx->state.shader[stage] = shader;
   ctx->state.dirty |= ATTILA_DIRTY_PROGRAM_0 << stage;
}

static void
attila_shader_bind_vs_state(struct pipe_context *pctx, void *state)
{
   attila_shader_bind(attila_context(pctx), ATTILA_STAGE_VERTEX, state);
}

static void
attila_shader_bind_gs_state(struct pipe_context *pctx, void *state)
{
   attila_shader_bind(attila_context(pctx), ATTILA_STAGE_GEOMETRY, state);
}

static void
attila_shader_bind_fs_state(struct pipe_context *pctx, void *state)
{
   attila_shader_bind(attila_context(pctx), ATTILA_STAGE_FRAGMENT, state);
}

static void
attila_shader_bind_compute_state(struct pipe_context *pctx, void *state)
{
   attila_shader_bind(attila_context(pctx), ATTILA_STAGE_COMPUTE, state);
}

static void
attila_shader_delete_shader_state(struct pipe_context *pctx, void *state)
{
   struct attila_context *ctx = attila_context(pctx);
   struct attila_shader *shader = state;
   if (!shader)
      return;
   if (ctx->state.shader[shader->stage] == shader)
      attila_shader_bind(ctx, shader->stage, NULL);
   attila_shader_destroy(ctx, shader);
}

/* Returns the kind of primitives that the rasteriser gets from a draw. */
static enum mesa_prim
attila_shader_rasterized_prim(const struct attila_context *ctx, enum mesa_prim drawn)
{
   static const enum mesa_prim by_vertices[] = {
       [1] = MESA_PRIM_POINTS, [2] = MESA_PRIM_LINES, [3] = MESA_PRIM_TRIANGLES};
   const struct attila_shader *gs = ctx->state.shader[ATTILA_STAGE_GEOMETRY];
   return gs && !gs->programs->failed ? by_vertices[gs->programs->compiled.isa.gs_vertices_out]
                                      : u_reduced_prim(drawn);
}

/* Returns whether the primitives of a draw may cover pixels partly, as emul_draw_draws_smooth
 * (emul_draw.c) does. */
static bool
attila_shader_draws_smooth(const struct attila_context *ctx, enum mesa_prim drawn)
{
   const struct pipe_rasterizer_state *rs = &ctx->state.rasterizer->base;
   const bool smooth[] = {[PIPE_POLYGON_MODE_FILL] = rs->poly_smooth,
                          [PIPE_POLYGON_MODE_LINE] = rs->line_smooth,
                          [PIPE_POLYGON_MODE_POINT] = rs->point_smooth};
   if (rs->multisample && util_framebuffer_get_num_samples(&ctx->state.framebuffer) > 1)
      return false;
   switch (attila_shader_rasterized_prim(ctx, drawn)) {
   case MESA_PRIM_POINTS:
      return rs->point_smooth;
   case MESA_PRIM_LINES:
      return rs->line_smooth;
   default:
      return smooth[rs->fill_front] || smooth[rs->fill_back];
   }
}

static struct attila_variant
attila_shader_wanted_variant(const struct attila_context *ctx, enum attila_stage stage,
                             enum mesa_prim prim)
{
   const struct attila_zsa *zsa = ctx->state.zsa;
   if (stage != ATTILA_STAGE_FRAGMENT || !zsa->alpha_test)
      return (struct attila_variant){0};
   return (struct attila_variant){
       .alpha_test = true,
       .alpha_func = zsa->alpha_func,
       .alpha_coverage = attila_shader_draws_smooth(ctx, prim),
   };
}

static struct attila_program *
attila_shader_find_program(struct attila_context *ctx, struct attila_shader *shader,
                           const struct attila_variant *variant)
{
   struct attila_program **last = &shader->programs;
   for (; *last; last = &(*last)->next) {
      if (!memcmp(&(*last)->variant, variant, sizeof(*variant)))
         return *last;
   }
   *last =
       attila_program_create(&ctx->cs, shader->stage, shader->nir, shader->source, variant, NULL);
   if (*last)
      attila_perf(&ctx->cs, "%s: another variant, compiled for a draw", (*last)->name);
   return *last;
}

const struct attila_compiled *
attila_last_vertex_program(const struct attila_context *ctx)
{
   const struct attila_program *gs = ctx->state.program[ATTILA_STAGE_GEOMETRY];
   return &(gs ? gs : ctx->state.program[ATTILA_STAGE_VERTEX])->compiled;
}

uint32_t
attila_output_register(const struct attila_compiled *from, gl_varying_slot slot)
{
   return from->output[slot] == ATTILA_NO_OUTPUT ? ATTILA_NO_VARYING : from->output[slot];
}

/* Sends whether there is a geometry program, and which vertex outputs are its inputs. */
static void
attila_shader_emit_geometry(struct attila_context *ctx)
{
   const struct attila_program *vs = ctx->state.program[ATTILA_STAGE_VERTEX],
                               *gs = ctx->state.program[ATTILA_STAGE_GEOMETRY];
   struct attila_cmd_geometry want = {.enable = gs != NULL}, *have = &ctx->cs.hw.geometry;
   for (unsigned i = 0; gs && i < gs->compiled.num_gs_inputs; i++)
      want.input[i] = attila_output_register(&vs->compiled, gs->compiled.gs_input[i]);
   if (!memcmp(&want, have, sizeof(want)))
      return;
   memcpy(attila_cs_emit(&ctx->cs, ATTILA_CMD_GEOMETRY, sizeof(want) / 4), &want, sizeof(want));
   *have = want;
}

bool
attila_emit_programs(struct attila_context *ctx, enum mesa_prim prim)
{
   for (enum attila_stage stage = 0; stage < ATTILA_STAGE_COMPUTE; stage++) {
      struct attila_shader *shader = ctx->state.shader[stage];
      struct attila_program *program = NULL;
      if (shader) {
         const struct attila_variant variant = attila_shader_wanted_variant(ctx, stage, prim);
         program = attila_shader_find_program(ctx, shader, &variant);
         if (!program || !attila_program_emit(&ctx->cs, program))
            return false;
      } else if (stage != ATTILA_STAGE_GEOMETRY) {
         if (!ctx->cs.reported_skip)
            mesa_loge("attila: draws are skipped: no shader is bound");
         ctx->cs.reported_skip = true;
         return false;
      }
      if (ctx->state.program[stage] != program)
         ctx->state.dirty |= ATTILA_DIRTY_PROGRAM_0 << stage;
      ctx->state.program[stage] = program;
   }
   attila_shader_emit_geometry(ctx);
   return true;
}

bool
attila_emit_grid_program(struct attila_context *ctx)
{
   static const struct attila_variant plain = {0};
   struct attila_shader *shader = ctx->state.shader[ATTILA_STAGE_COMPUTE];
   struct attila_program *program = shader ? attila_shader_find_program(ctx, shader, &plain) : NULL;
   ctx->state.program[ATTILA_STAGE_COMPUTE] = program;
   return program && attila_program_emit(&ctx->cs, program);
}

/* Returns whether pipe_rasterizer_state.sprite_coord_enable replaces a varying. */
static bool
attila_shader_is_sprite_coord(const struct pipe_rasterizer_state *rs, unsigned slot)
{
   if (slot >= VARYING_SLOT_TEX0 && slot <= VARYING_SLOT_TEX7)
      return rs->sprite_coord_enable & (1 << (slot - VARYING_SLOT_TEX0));
   return slot == VARYING_SLOT_PNTC && (rs->sprite_coord_enable & (1 << 8));
}

void
attila_link_shaders(struct attila_context *ctx, struct attila_regs *regs)
{
   const bool geometry = ctx->state.program[ATTILA_STAGE_GEOMETRY] != NULL;
   const struct attila_compiled *last = attila_last_vertex_program(ctx);
   const struct attila_compiled *fs = &ctx->state.program[ATTILA_STAGE_FRAGMENT]->compiled;
   const struct pipe_rasterizer_state *rs = &ctx->state.rasterizer->base;

   for (unsigned i = 0; i < fs->num_fs_inputs; i++) {
      const struct attila_fs_input *in = &fs->fs_input[i];
      struct attila_fs_input_regs *r = attila_fs_input(regs, i);
      r->source = in->source;
      r->output = in->source == ATTILA_FS_VARYING ? attila_output_register(last, in->slot) : 0;
      r->interp = in->color && rs->flatshade ? ATTILA_INTERP_FLAT : in->interp;
      r->sprite = in->source == ATTILA_FS_VARYING && rs->point_quad_rasterization &&
                  attila_shader_is_sprite_coord(rs, in->slot);
      r->primitive_id = in->slot == VARYING_SLOT_PRIMITIVE_ID && !geometry;
      r->samples = in->slot == ATTILA_SLOT_SAMPLES;
   }
   regs->fs_color0_to_all = fs->color0_to_all;
   /* Without a position (GLSL 1.40) there may be outputs to capture, but nothing to rasterize. */
   regs->rasterizer_discard =
       rs->rasterizer_discard || last->output[VARYING_SLOT_POS] == ATTILA_NO_OUTPUT;

   const uint32_t psiz = attila_output_register(last, VARYING_SLOT_PSIZ);
   regs->point_size_per_vertex = rs->point_size_per_vertex && psiz != ATTILA_NO_VARYING;
   regs->point_size_output = regs->point_size_per_vertex ? psiz : 0;
   regs->edge_flag_output = attila_output_register(last, VARYING_SLOT_EDGE);

   /* Distances that are not written do not clip. */
   uint32_t written = 0, output[2];
   for (unsigned i = 0; i < 2; i++) {
      const uint32_t out = attila_output_register(last, VARYING_SLOT_CLIP_DIST0 + i);
      output[i] = out != ATTILA_NO_VARYING ? out : 0;
      written |= out != ATTILA_NO_VARYING ? 0xfu << (4 * i) : 0;
   }
   regs->clip_distance_output_0 = output[0];
   regs->clip_distance_output_1 = output[1];
   regs->clip_distance_enable = rs->clip_plane_enable & written;
}

void
attila_init_context_shaders(struct attila_context *ctx)
{
   ctx->base.create_vs_state = attila_shader_create_vs_state;
   ctx->base.bind_vs_state = attila_shader_bind_vs_state;
   ctx->base.delete_vs_state = attila_shader_delete_shader_state;
   ctx->base.create_gs_state = attila_shader_create_gs_state;
   ctx->base.bind_gs_state = attila_shader_bind_gs_state;
   ctx->base.delete_gs_state = attila_shader_delete_shader_state;
   ctx->base.create_fs_state = attila_shader_create_fs_state;
   ctx->base.bind_fs_state = attila_shader_bind_fs_state;
   ctx->base.delete_fs_state = attila_shader_delete_shader_state;
   ctx->base.create_compute_state = attila_shader_create_compute_state;
   ctx->base.bind_compute_state = attila_shader_bind_compute_state;
   ctx->base.delete_compute_state = attila_shader_delete_shader_state;
}
