/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim features: what each frame of a capture asks of a GPU, counted while functional mode
 * replays it, as CSV: a row per frame. For choosing frames (scripts/attila-sample), which needs no
 * cycles. Not here: choosing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_stream.h"
#include "decode/sim_frontend.h"

#define MAX_PROGRAMS 256 /* fragment programs with a column; the last one is for all others */

/* clang-format off */
#define FEATURES(F)                                                               \
   F(draws)        /* draws */                                                    \
   F(vertices)     /* vertices shaded */                                          \
   F(primitives)   /* primitives assembled */                                     \
   F(drawn)        /* primitives that left the clipper */                         \
   F(fragments)    /* fragments shaded */                                         \
   F(texels)       /* fragments times the texture units that are bound for them */ \
   F(state)        /* words of registers and constants */                         \
   F(programs)     /* programs loaded */                                          \
   F(uploads)      /* bytes */                                                    \
   F(clears)       /* buffers cleared */                                          \
   F(cleared)      /* pixels of them */                                           \
   F(blits)        /* elements copied */
/* clang-format on */

struct row {
#define F(name) uint64_t name;
   FEATURES(F)
#undef F
   uint64_t program[MAX_PROGRAMS]; /* fragments of each */
};

struct features {
   struct attila_sim *sim;
   struct row *rows;
   uint32_t num_rows, max_rows;
   uint64_t hash[MAX_PROGRAMS];
   unsigned num_programs;
   unsigned bound[ATTILA_MAX_CONTEXTS]; /* each context's fragment program */
};

/* The number of a program by its bytes. */
static unsigned
program_number(struct features *f, const struct attila_cmd_program *p)
{
   const uint8_t *bytes = f->sim->device.memory + p->address;
   uint64_t hash = 14695981039346656037u;
   unsigned i = 0;
   for (uint32_t b = 0; b < p->size; b++)
      hash = (hash ^ bytes[b]) * 1099511628211u;
   while (i < f->num_programs && f->hash[i] != hash)
      i++;
   if (i == f->num_programs && f->num_programs < MAX_PROGRAMS)
      f->hash[f->num_programs++] = hash;
   return i < MAX_PROGRAMS ? i : MAX_PROGRAMS - 1;
}

static void
count_draw(struct features *f, struct row *r, const uint64_t before[ATTILA_NUM_COUNTERS])
{
   struct sim_frontend *front = f->sim->device.frontend;
   const uint64_t *now = sim_frontend_counters(front);
   const struct attila_regs *regs = sim_frontend_regs(front);
   const uint64_t fragments =
       now[ATTILA_COUNTER_FS_INVOCATIONS] - before[ATTILA_COUNTER_FS_INVOCATIONS];
   unsigned units = 0;
   for (unsigned i = 0; i < ATTILA_MAX_TEX_UNITS; i++)
      units += regs->tex[i].enable != 0;
   r->draws++;
   r->vertices += now[ATTILA_COUNTER_VS_INVOCATIONS] - before[ATTILA_COUNTER_VS_INVOCATIONS];
   r->primitives += now[ATTILA_COUNTER_IA_PRIMITIVES] - before[ATTILA_COUNTER_IA_PRIMITIVES];
   r->drawn += now[ATTILA_COUNTER_CLIP_PRIMITIVES] - before[ATTILA_COUNTER_CLIP_PRIMITIVES];
   r->fragments += fragments;
   r->texels += fragments * units;
   r->program[f->bound[sim_frontend_context(front)]] += fragments;
}

/* After the command, but for what a draw counts. */
static void
count(struct features *f, struct row *r, const struct cli_command *c)
{
   struct sim_frontend *front = f->sim->device.frontend;
   const struct attila_regs *regs = sim_frontend_regs(front);
   struct attila_cmd_program p;
   switch (c->op) {
   case ATTILA_CMD_WRITE_REGS:
   case ATTILA_CMD_WRITE_CONSTS:
      r->state += c->words;
      break;
   case ATTILA_CMD_LOAD_PROGRAM:
      memcpy(&p, c->payload, sizeof(p));
      r->programs++;
      if (p.stage == ATTILA_STAGE_FRAGMENT)
         f->bound[sim_frontend_context(front)] = program_number(f, &p);
      break;
   case ATTILA_CMD_WRITE_BUFFER:
      r->uploads += c->payload[1] & ~ATTILA_BUFFER_NO_WAIT;
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

/* The row of a frame; NULL: out of host memory. */
static struct row *
row_of(struct features *f, uint32_t frame)
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
print(const struct features *f, uint32_t first, uint32_t frames, FILE *out)
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

/* Up to the end of a frame, if the capture has more. */
static int
replay(struct features *f, struct cli_stream *s, uint32_t last)
{
   struct cli_command c;
   uint64_t before[ATTILA_NUM_COUNTERS];
   while (s->frame <= last && cli_stream_next(s, &c)) {
      if (c.wait)
         continue;
      struct row *r = row_of(f, c.frame);
      if (!r) {
         fprintf(stderr, "attila-sim: out of host memory\n");
         return CLI_FILE;
      }
      if (c.op == ATTILA_CMD_DRAW)
         memcpy(before, sim_frontend_counters(f->sim->device.frontend), sizeof(before));
      if (!attila_sim_execute(f->sim, c.payload - 1, 1 + (size_t)c.words)) {
         fprintf(stderr, "attila-sim: frame %u: %s\n", c.frame, f->sim->gpu.kernel.error);
         return CLI_STOPPED;
      }
      if (c.op == ATTILA_CMD_DRAW)
         count_draw(f, r, before);
      else
         count(f, r, &c);
   }
   return s->status;
}

int
cli_features(const struct cli_options *o, const char *path)
{
   struct cli_stream s;
   struct features f = {0};
   struct cli_options quiet = *o;
   quiet.sim.mode = ATTILA_MODE_FUNCTIONAL;
   quiet.sim.out_dir = NULL;
   if (!cli_stream_open(&s, path))
      return s.status;
   f.sim = cli_make_sim(&quiet, s.reader);
   int status = f.sim ? replay(&f, &s, o->frames ? o->last_frame : UINT32_MAX) : CLI_FILE;
   if (status == CLI_OK)
      print(&f, o->frames ? o->first_frame : 0, s.frame, stdout);
   cli_stream_close(&s);
   attila_sim_destroy(f.sim);
   free(f.rows);
   return status;
}
