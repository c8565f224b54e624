/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What differs between the state of a draw and that of the draw before. A hash of the registers
 * finds the parts that may differ; sim_pipeline_words.c finds the items that do. Not here: programs
 * and surfaces as sets, which have numbers of their own (sim_draw_work.c). */
#include <stdlib.h>
#include <string.h>
#include "core/sim_mix.h"
#include "core/sim_xalloc.h"
#include "decode/sim_pipeline_impl.h"
#include "hw/isa/attila_isa.h"

/* Finds the constants that the program of a stage reads and that have no name. */
static void
pipeline_find_constants(struct sim_pipeline *p, const struct emul_draw_state *s, unsigned stage)
{
   const struct sim_program *program = s->held[stage];
   const uint64_t hash =
       program ? sim_mix(program->hash, &program->number, sizeof(program->number)) : 0;
   const unsigned before = p->consts[stage].num;
   if (p->consts[stage].program == hash)
      return;
   p->consts[stage].program = hash;
   memset(p->consts[stage].used, 0, sizeof(p->consts[stage].used));
   const struct attila_isa_program *isa = program ? emul_program_isa(program->program) : NULL;
   unsigned num = 0;
   for (uint32_t n = 0; isa && n < isa->num_instrs; n++) {
      for (unsigned k = 0; k < 3; k++) {
         const struct attila_isa_src *src = &isa->instrs[n].src[k];
         if (src->file != ATTILA_FILE_CONST)
            continue;
         const unsigned first = src->relative ? 0 : src->index,
                        end = src->relative ? isa->num_consts : src->index + 1u;
         for (unsigned c = first; c < end && c < ATTILA_MAX_CONSTS; c++)
            p->consts[stage].used[c / 64] |= 1ull << c % 64;
         num = end > num ? end : num;
      }
   }
   const uint64_t *named = pipeline_named_constants(p, program, p->consts[stage].used);
   for (unsigned w = 0; w < PIPELINE_CONST_WORDS; w++)
      p->consts[stage].used[w] &= ~named[w];
   num = num < ATTILA_MAX_CONSTS ? num : ATTILA_MAX_CONSTS;
   p->consts[stage].num = num > before ? num : before;
}

/* Each returns a hash of what the items of a part depend on; 0: the draw does not use the part. */
static uint64_t
pipeline_key_constant(const struct sim_pipeline *p, const struct emul_draw_state *s, unsigned stage,
                      unsigned i)
{
   return p->consts[stage].used[i / 64] >> i % 64 & 1
              ? sim_mix(1, s->consts[stage][i], sizeof(s->consts[stage][i])) | 1
              : 0;
}

static uint64_t
pipeline_key_image(const struct attila_image *image, bool used)
{
   return used && image->format ? sim_mix(1, image, sizeof(*image)) | 1 : 0;
}

static uint64_t
pipeline_key_buffer(const struct emul_const_buffer *b, bool used)
{
   return used && b->size ? sim_mix(1, b, sizeof(*b)) | 1 : 0;
}

static uint64_t
pipeline_key_texture(const struct emul_draw_state *s, unsigned i, uint64_t units)
{
   return units >> i & 1 && s->regs.tex[i].enable
              ? sim_mix(1, &s->regs.tex[i], sizeof(s->regs.tex[i])) | 1
              : 0;
}

static uint64_t
pipeline_key_attribute(const struct emul_draw_state *s, unsigned i)
{
   return emul_program_isa(s->vs)->inputs_read >> i & 1
              ? sim_mix(1, &s->regs.attrib[i], sizeof(s->regs.attrib[i])) | 1
              : 0;
}

static uint64_t
pipeline_key_programs(const struct emul_draw_state *s)
{
   uint64_t hash = 1;
   for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++) {
      const struct sim_program *program = s->held[stage];
      const uint64_t of = program ? program->hash : 0;
      hash = sim_mix(hash, &of, sizeof(of));
      /* Equal programs may have several names. */
      if (program)
         hash = sim_mix(hash, program->name, strlen(program->name));
   }
   return hash | 1;
}

/* Of the registers of the rasteriser. */
static uint64_t
pipeline_key_raster(const struct emul_draw_state *s)
{
   const size_t first = offsetof(struct attila_regs, viewport_scale);
   const uint32_t more[] = {s->cmd.prim, s->stream_out != NULL,
                            s->gs ? emul_program_isa(s->gs)->gs_vertices_out : 0, s->regs.fb_width,
                            s->regs.fb_height};
   return sim_mix(sim_mix(1, (const uint8_t *)&s->regs + first,
                          offsetof(struct attila_regs, attrib) - first),
                  more, sizeof(more)) |
          1;
}

/* Of the registers before them. */
static uint64_t
pipeline_key_buffers(const struct emul_draw_state *s)
{
   const uint32_t more[] = {s->layers.count, s->regs.pixel_coverage};
   return sim_mix(sim_mix(1, &s->regs, offsetof(struct attila_regs, viewport_scale)), more,
                  sizeof(more)) |
          1;
}

/* Puts a part if its key has changed. */
#define PART(id, i, new_key)                    \
   do {                                         \
      const uint64_t key_ = (new_key);          \
      if (p->key[KEY_##id + (i)] != key_) {     \
         p->key[KEY_##id + (i)] = key_;         \
         pipeline_put_##id(p, s, i, key_ != 0); \
      }                                         \
   } while (0)

#define STAGE(NAME, program)                                                            \
   do {                                                                                 \
      pipeline_find_constants(p, s, ATTILA_STAGE_##NAME);                               \
      for (unsigned i = 0; i < p->consts[ATTILA_STAGE_##NAME].num; i++)                 \
         PART(NAME##_CONSTANT, i, pipeline_key_constant(p, s, ATTILA_STAGE_##NAME, i)); \
      for (unsigned i = 0; i < ATTILA_MAX_CONST_BUFFERS; i++)                           \
         PART(NAME##_BLOCK, i,                                                          \
              pipeline_key_buffer(&s->const_buffers[ATTILA_STAGE_##NAME][i],            \
                                  program &&emul_program_isa(program)->uses_loads));    \
      for (unsigned i = 0; i < ATTILA_MAX_STORAGE_BUFFERS; i++)                         \
         PART(NAME##_STORAGE, i,                                                        \
              pipeline_key_buffer(&s->storage[ATTILA_STAGE_##NAME][i],                  \
                                  program &&emul_program_isa(program)->uses_storage));  \
      for (unsigned i = 0; i < ATTILA_MAX_IMAGES; i++)                                  \
         PART(NAME##_IMAGE, i,                                                          \
              pipeline_key_image(&s->images[ATTILA_STAGE_##NAME][i],                    \
                                 program &&emul_program_isa(program)->uses_images));    \
      pipeline_put_uniforms(p, s, ATTILA_STAGE_##NAME, memory);                         \
   } while (0)

static void
pipeline_put_all(struct sim_pipeline *p, const struct emul_draw_state *s, const uint8_t *memory)
{
   uint64_t units = 0;
   const struct emul_program *const programs[] = {s->vs, s->gs, s->fs};
   for (unsigned i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
      units |= programs[i] ? emul_program_isa(programs[i])->tex_units : 0;
   PART(DRAW, 0, sim_mix(1, &s->cmd, sizeof(s->cmd)) | 1);
   for (unsigned i = 0; i < ATTILA_MAX_ATTRIBS; i++)
      PART(ATTRIBUTE, i, pipeline_key_attribute(s, i));
   PART(PROGRAM, 0, pipeline_key_programs(s));
   STAGE(VERTEX, s->vs);
   STAGE(GEOMETRY, s->gs);
   STAGE(FRAGMENT, s->fs);
   for (unsigned i = 0; i < ATTILA_MAX_TEX_UNITS; i++)
      PART(TEXTURE, i, pipeline_key_texture(s, i, units));
   PART(RASTER, 0, pipeline_key_raster(s));
   const uint64_t registers = pipeline_key_buffers(s);
   PART(DEPTH, 0, registers);
   PART(STENCIL, 0, registers);
   PART(FRAMEBUFFER, 0, registers);
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++)
      PART(COLOR, i, s->regs.color[i].address ? registers : 0);
}

struct sim_pipeline_change *
pipeline_change(struct sim_pipeline *p)
{
   if (p->num_changes == p->max_changes) {
      p->max_changes = p->max_changes ? 2 * p->max_changes : 256;
      p->change = sim_xrealloc(p->change, p->max_changes * sizeof(*p->change));
   }
   return &p->change[p->num_changes++];
}

uint32_t
sim_pipeline_announce(struct sim_pipeline **of, struct sim_observed *observed,
                      const struct emul_draw_state *state, const uint8_t *memory)
{
   struct sim_pipeline *p = *of ? *of : (*of = sim_xcalloc(1, sizeof(*p)));
   p->num_changes = 0;
   pipeline_put_all(p, state, memory);
   if (p->num_changes) {
      p->number++;
      SIM_EVENT(observed, pipeline, p->number, p->change, p->num_changes);
   }
   return p->number;
}

void
sim_pipeline_destroy(struct sim_pipeline *p)
{
   if (!p)
      return;
   pipeline_free_uniforms(p);
   free(p->change);
   free(p);
}
