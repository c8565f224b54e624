/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim features: counts in functional mode what each frame of a capture needs of a GPU, as
 * CSV with a row per frame. scripts/attila-sample chooses frames by these counts. Three columns
 * depend on the machine: shading and bound on its rates, samples on its filters. Not here:
 * choosing. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "hw/isa/attila_isa.h"
#include "hw/isa/attila_machine.h"

#define MAX_PROGRAMS 256 /* fragment programs with a column; the last is for all others */
#define MAX_COSTS 1024   /* programs whose cycles are remembered */

/* clang-format off */
#define FEATURES(F)                                                               \
   F(draws)        /* draws */                                                    \
   F(vertices)     /* vertices shaded */                                          \
   F(primitives)   /* primitives assembled */                                     \
   F(drawn)        /* primitives that left the clipper */                         \
   F(fragments)    /* fragments shaded */                                         \
   F(texels)       /* fragments times the texture units that are bound for them */ \
   F(samples)      /* texels, twice with two levels, times the highest anisotropy */ \
   F(blended)      /* fragments that are blended */                               \
   F(passed)       /* samples that passed depth and stencil, where it is counted */ \
   F(shading)      /* hundredths of shader cycles, without waits for texels */      \
   F(bound)        /* cycles of the busiest kind of unit, summed over draws, and uploads */ \
   F(state)        /* words of registers and constants */                         \
   F(programs)     /* programs loaded */                                          \
   F(uploads)      /* bytes */                                                    \
   F(clears)       /* buffers cleared */                                          \
   F(cleared)      /* pixels of these buffers */                                           \
   F(blits)        /* elements copied */
/* clang-format on */

struct row {
#define F(name) uint64_t name;
   FEATURES(F)
#undef F
   uint64_t program[MAX_PROGRAMS]; /* fragments of each program */
};

struct features {
   struct attila_sim *sim;
   const struct sim_device *device;
   const struct sim_config *config;
   struct attila_shader_machine shader[ATTILA_NUM_STAGES];
   struct row *rows;
   uint32_t num_rows, max_rows;
   uint64_t hash[MAX_PROGRAMS];
   unsigned num_programs;
   unsigned bound[ATTILA_MAX_CONTEXTS]; /* fragment program of each context */
   struct {
      uint64_t hash;
      uint32_t cycles;
   } cost[MAX_COSTS];
   unsigned num_costs;
   uint32_t cycles[ATTILA_MAX_CONTEXTS][ATTILA_NUM_STAGES]; /* hundredths for a group of inputs */
};

/* Returns the hash of the program's bytes. */
static uint64_t
cli_features_program_hash(const struct features *f, const struct attila_cmd_program *p)
{
   const uint8_t *bytes = f->device->memory + p->address;
   uint64_t hash = 14695981039346656037u;
   for (uint32_t b = 0; b < p->size; b++)
      hash = (hash ^ bytes[b]) * 1099511628211u;
   return hash;
}

/* Returns the hundredths of cycles that a shader needs for a group of inputs without waits for
 * texels. */
static uint32_t
cli_features_program_cycles(struct features *f, const struct attila_cmd_program *p, uint64_t hash)
{
   char error[200];
   struct attila_isa_program isa;
   hash += p->stage;
   for (unsigned i = 0; i < f->num_costs; i++) {
      if (f->cost[i].hash == hash)
         return f->cost[i].cycles;
   }
   /* The command has been executed, so the program is valid. */
   if (!attila_isa_decode(f->device->memory + p->address, p->size, &isa, error, sizeof(error)))
      return 0;
   const uint32_t cycles = attila_isa_cycles(&isa, &f->shader[p->stage]);
   attila_isa_free(&isa);
   if (f->num_costs < MAX_COSTS) {
      f->cost[f->num_costs].hash = hash;
      f->cost[f->num_costs++].cycles = cycles;
   }
   return cycles;
}

static unsigned
cli_features_program_number(struct features *f, uint64_t hash)
{
   unsigned i = 0;
   while (i < f->num_programs && f->hash[i] != hash)
      i++;
   if (i == f->num_programs && f->num_programs < MAX_PROGRAMS)
      f->hash[f->num_programs++] = hash;
   return i < MAX_PROGRAMS ? i : MAX_PROGRAMS - 1;
}

/* Adds the hundredths of cycles that a draw costs the shaders and the busiest kind of unit: setup
 * takes a primitive a cycle, the streamer a vertex, each ROP four fragments. */
static void
cli_features_count_work(struct features *f, struct row *r, uint64_t vertices, uint64_t primitives,
                        uint64_t fragments)
{
   const struct sim_config *c = f->config;
   const struct attila_shader_machine *m = f->shader;
   const uint32_t *cycles = f->cycles[sim_frontend_context(f->device->frontend)];
   const uint64_t v = vertices * cycles[ATTILA_STAGE_VERTEX] / m[ATTILA_STAGE_VERTEX].lanes,
                  p = fragments * cycles[ATTILA_STAGE_FRAGMENT] / m[ATTILA_STAGE_FRAGMENT].lanes;
   const uint64_t split = v / c->gpu.num_vertex_shaders > p / c->gpu.num_shaders
                              ? v / c->gpu.num_vertex_shaders
                              : p / c->gpu.num_shaders;
   const uint64_t needs[] = {c->gpu.unified ? (v + p) / c->gpu.num_shaders : split,
                             primitives * 100, vertices * 100, fragments * 25 / c->gpu.num_rops};
   uint64_t most = 0;
   for (unsigned i = 0; i < sizeof(needs) / sizeof(*needs); i++)
      most = needs[i] > most ? needs[i] : most;
   r->shading += needs[0];
   r->bound += most;
}

static void
cli_features_count_draw(struct features *f, struct row *r,
                        const uint64_t before[ATTILA_NUM_COUNTERS])
{
   struct sim_frontend *front = f->device->frontend;
   const struct attila_regs *regs = sim_frontend_regs(front);
   uint64_t n[ATTILA_NUM_COUNTERS];
   for (unsigned i = 0; i < ATTILA_NUM_COUNTERS; i++)
      n[i] = sim_frontend_counters(front)[i] - before[i];
   const uint64_t fragments = n[ATTILA_COUNTER_FS_INVOCATIONS];
   bool blends = false;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++)
      blends |= regs->color[i].address && regs->color[i].blend_enable;
   for (unsigned i = 0; i < ATTILA_MAX_TEX_UNITS; i++) {
      const struct attila_tex_regs *t = &regs->tex[i];
      r->texels += t->enable ? fragments : 0;
      r->samples += t->enable ? fragments * (t->mip_filter == ATTILA_MIP_LINEAR ? 2 : 1) *
                                    (t->max_aniso > 1 ? t->max_aniso : 1)
                              : 0;
   }
   r->draws++;
   r->vertices += n[ATTILA_COUNTER_VS_INVOCATIONS];
   r->primitives += n[ATTILA_COUNTER_IA_PRIMITIVES];
   r->drawn += n[ATTILA_COUNTER_CLIP_PRIMITIVES];
   r->fragments += fragments;
   r->blended += blends ? fragments : 0;
   r->passed += n[ATTILA_COUNTER_SAMPLES_PASSED];
   cli_features_count_work(f, r, n[ATTILA_COUNTER_VS_INVOCATIONS], n[ATTILA_COUNTER_IA_PRIMITIVES],
                           fragments);
   r->program[f->bound[sim_frontend_context(front)]] += fragments;
}

static void
cli_features_load_program(struct features *f, const struct attila_cmd_program *p)
{
   const unsigned context = sim_frontend_context(f->device->frontend);
   const uint64_t hash = cli_features_program_hash(f, p);
   if (p->stage == ATTILA_STAGE_FRAGMENT)
      f->bound[context] = cli_features_program_number(f, hash);
   f->cycles[context][p->stage] = cli_features_program_cycles(f, p, hash);
}

/* Counts an executed command, except the values that a draw counts. */
static void
cli_features_count(struct features *f, struct row *r, const struct cli_command *c)
{
   struct sim_frontend *front = f->device->frontend;
   const struct attila_regs *regs = sim_frontend_regs(front);
   struct attila_cmd_program p;
   switch (c->op) {
   case ATTILA_CMD_WRITE_REGS:
   case ATTILA_CMD_WRITE_CONSTS:
   case ATTILA_CMD_CONST_BUFFERS:
   case ATTILA_CMD_STORAGE:
   case ATTILA_CMD_IMAGES:
      r->state += c->words;
      break;
   case ATTILA_CMD_LOAD_PROGRAM:
      memcpy(&p, c->payload, sizeof(p));
      r->programs++;
      cli_features_load_program(f, &p);
      break;
   case ATTILA_CMD_WRITE_BUFFER:
      r->uploads += c->payload[1] & ~ATTILA_BUFFER_NO_WAIT;
      r->bound += (uint64_t)(c->payload[1] & ~ATTILA_BUFFER_NO_WAIT) * 100 / f->config->mc.cp_bus;
      break;
   case ATTILA_CMD_CLEAR_COLOR:
   case ATTILA_CMD_CLEAR_ZS: {
      const unsigned buffers =
          c->op == ATTILA_CMD_CLEAR_ZS ? 1 : (unsigned)__builtin_popcount(c->payload[0]);
      r->clears += buffers;
      r->cleared += (uint64_t)buffers * regs->fb_width * regs->fb_height;
      break;
   }
   case ATTILA_CMD_BLIT: {
      struct attila_cmd_blit b;
      memcpy(&b, c->payload, sizeof(b));
      r->blits += (uint64_t)b.width * b.height * b.depth;
      break;
   }
   default:
      break;
   }
}

/* Returns the row of a frame, or NULL if host memory is exhausted. */
static struct row *
cli_features_row_of(struct features *f, uint32_t frame)
{
   if (frame >= f->max_rows) {
      const uint32_t max = frame * 2 + 64;
      struct row *grown = realloc(f->rows, max * sizeof(*grown));
      if (!grown)
         return NULL;
      f->rows = grown;
      f->max_rows = max;
   }
   while (f->num_rows <= frame)
      memset(&f->rows[f->num_rows++], 0, sizeof(struct row));
   return &f->rows[frame];
}

static void
cli_features_print(const struct features *f, uint32_t first, uint32_t frames, FILE *out)
{
   fprintf(out, "frame");
#define F(name) fprintf(out, "," #name);
   FEATURES(F)
#undef F
   for (unsigned i = 0; i < f->num_programs; i++)
      fprintf(out, ",fragments_%016llx", (unsigned long long)f->hash[i]);
   for (uint32_t n = first; n < frames; n++) {
      const struct row *r = &f->rows[n];
      fprintf(out, "\n%u", n);
#define F(name) fprintf(out, ",%llu", (unsigned long long)r->name);
      FEATURES(F)
#undef F
      for (unsigned i = 0; i < f->num_programs; i++)
         fprintf(out, ",%llu", (unsigned long long)r->program[i]);
   }
   fputc('\n', out);
}

/* Replays up to the end of the last frame, if the capture has more. */
static int
cli_features_replay(struct features *f, struct cli_stream *s, uint32_t last)
{
   struct cli_command c;
   uint64_t before[ATTILA_NUM_COUNTERS];
   while (s->frame <= last && cli_stream_next(s, &c)) {
      if (c.wait)
         continue;
      struct row *r = cli_features_row_of(f, c.frame);
      if (!r)
         return cli_fail("out of host memory");
      if (c.op == ATTILA_CMD_DRAW)
         memcpy(before, sim_frontend_counters(f->device->frontend), sizeof(before));
      if (!attila_session_execute(f->sim, c.payload - 1, 1 + (size_t)c.words)) {
         fprintf(stderr, "attila-sim: frame %u: %s\n", c.frame, attila_sim_error(f->sim));
         return CLI_STOPPED;
      }
      if (c.op == ATTILA_CMD_DRAW)
         cli_features_count_draw(f, r, before);
      else
         cli_features_count(f, r, &c);
   }
   return s->status;
}

int
cli_features(struct cli_options *o, char **args)
{
   struct cli_stream s;
   struct features f = {0};
   struct cli_options quiet = *o;
   quiet.sim.mode = ATTILA_MODE_FUNCTIONAL;
   if (!cli_stream_open(&s, args[0]))
      return s.status;
   f.sim = cli_make_sim(&quiet, s.reader);
   int status = CLI_FILE;
   if (f.sim) {
      f.device = attila_session_device(f.sim);
      f.config = attila_session_config(f.sim);
      for (unsigned stage = 0; stage < ATTILA_NUM_STAGES; stage++)
         attila_sim_shader_machine(f.sim, stage, &f.shader[stage]);
      status = cli_features_replay(&f, &s, o->frames.given ? o->frames.last : UINT32_MAX);
   }
   if (status == CLI_OK)
      cli_features_print(&f, o->frames.first, s.frame, stdout);
   cli_stream_close(&s);
   attila_sim_destroy(f.sim);
   free(f.rows);
   return status;
}
