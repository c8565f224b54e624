/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state of a draw or grid in its row: programs, surfaces read and written, and all in OpenGL's
 * words. Does nothing if no listener wants them. */
#include "decode/sim_frontend_impl.h"

#include <string.h>

#define MAX_BINDINGS (ATTILA_MAX_COLOR_BUFFERS + 1 + ATTILA_MAX_TEX_UNITS)

static const char *const target_names[] = {
    [ATTILA_TEX_1D] = "1D",
    [ATTILA_TEX_2D] = "2D",
    [ATTILA_TEX_3D] = "3D",
    [ATTILA_TEX_CUBE] = "cube",
    [ATTILA_TEX_RECT] = "rect",
    [ATTILA_TEX_1D_ARRAY] = "1D array",
    [ATTILA_TEX_2D_ARRAY] = "2D array",
    [ATTILA_TEX_BUFFER] = "buffer",
};
_Static_assert(sizeof(target_names) / sizeof(target_names[0]) == 1 << 3,
               "attila_tex_regs.target has 3 bits");

static struct sim_seen_surface
draw_work_target_surface(const struct attila_regs *r, int32_t slot, uint32_t address,
                         uint32_t format)
{
   struct sim_seen_surface s;
   memset(&s, 0, sizeof(s));
   s.state.slot = slot;
   s.state.address = address;
   s.state.format = format;
   s.state.width = r->fb_width;
   s.state.height = r->fb_height;
   s.state.depth = s.state.levels = 1;
   s.state.samples = r->fb_samples ? r->fb_samples : 1;
   s.format = attila_formats[format % ATTILA_NUM_FORMATS].name;
   s.target = "surface";
   return s;
}

static struct sim_seen_surface
draw_work_texture_surface(const struct attila_tex_regs *t, unsigned unit)
{
   struct sim_seen_surface s;
   memset(&s, 0, sizeof(s));
   s.state.slot = (int32_t)unit;
   s.state.texture = 1;
   s.state.address = t->address;
   s.state.format = t->format;
   s.state.target = t->target;
   s.state.width = t->width;
   s.state.height = t->height;
   s.state.depth = t->depth;
   if (t->target == ATTILA_TEX_BUFFER) {
      s.state.width = t->width | (uint32_t)t->height << 14;
      s.state.height = 1;
   }
   s.state.levels = t->num_levels;
   s.state.samples = t->samples ? t->samples : 1;
   s.format = attila_formats[t->format % ATTILA_NUM_FORMATS].name;
   s.target =
       t->target == ATTILA_TEX_CUBE && t->cube_array ? "cube array" : target_names[t->target];
   return s;
}

static uint32_t
draw_work_program_number(struct sim_observed *observed, struct sim_program *program)
{
   if (!program)
      return 0;
   if (!program->number) {
      const struct sim_seen_program seen = {
          .hash = program->hash,
          .stage = program->stage,
          .name = program->name,
          .isa = emul_program_isa(program->program),
          .note = attila_program_note_of(program->note, program->note_words)};
      struct sim_cost *costs;
      program->number = sim_observed_program(observed, &seen, &costs);
      emul_program_count(program->program, costs);
   }
   return program->number;
}

void
sim_draw_work(struct sim_device *d, const struct emul_draw_state *state, struct sim_work *work)
{
   const struct attila_regs *r = &state->regs;
   struct sim_seen_surface bound[MAX_BINDINGS];
   uint64_t units = 0;
   unsigned num = 0;
   if (!sim_observed_wants_state(&d->observed))
      return;
   work->vertex_program = draw_work_program_number(&d->observed, state->held[ATTILA_STAGE_VERTEX]);
   work->geometry_program =
       draw_work_program_number(&d->observed, state->held[ATTILA_STAGE_GEOMETRY]);
   work->fragment_program =
       draw_work_program_number(&d->observed, state->held[ATTILA_STAGE_FRAGMENT]);
   work->compute_program =
       draw_work_program_number(&d->observed, state->held[ATTILA_STAGE_COMPUTE]);
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS && !state->cs; i++) {
      if (r->color[i].address)
         bound[num++] =
             draw_work_target_surface(r, (int32_t)i, r->color[i].address, r->color[i].format);
   }
   if (r->zs_address && !state->cs)
      bound[num++] = draw_work_target_surface(r, -1, r->zs_address, r->zs_format);
   const struct emul_program *const programs[] = {state->vs, state->gs, state->fs, state->cs};
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
      units |= programs[i] ? emul_program_isa(programs[i])->tex_units : 0;
   for (; units; units &= units - 1) {
      const unsigned u = (unsigned)__builtin_ctzll(units);
      if (r->tex[u].enable)
         bound[num++] = draw_work_texture_surface(&r->tex[u], u);
   }
   work->bindings = sim_observed_bindings(&d->observed, bound, num);
}

uint32_t
sim_draw_pipeline(struct sim_device *d, const struct emul_draw_state *state)
{
   return sim_observed_wants_state(&d->observed) && sim_observed_wants_frame(&d->observed)
              ? sim_pipeline_announce(&d->frontend->pipeline, &d->observed, state, d->memory)
              : 0;
}
