/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture --vertices: the vertices of draws before and after the vertex program, as
 * registers of the program: inputs i0, i1, ... are attributes, o0 is the position in clip space.
 * With --primitives also which of these vertices each primitive has. Not here: the replay
 * (cli_picture.c), shading (func/func_geometry.c). */
#include <inttypes.h>
#include "cli/cli_picture.h"
#include "core/sim_json.h"
#include "func/sim_func.h"

/* rows of text without --most */
#define SOME 20

/* The callback's data. */
struct shown {
   struct cli_picture_job *job;
   uint32_t frame, draw;
   uint64_t rows; /* of this draw, printed or not */
};

enum style { STYLE_TEXT, STYLE_CSV, STYLE_JSON };

static enum style
cli_picture_vertices_style(const struct cli_picture_options *o)
{
   const char *format = o->given->format;
   return !format || !strcmp(format, "text") ? STYLE_TEXT
          : !strcmp(format, "csv")           ? STYLE_CSV
                                             : STYLE_JSON;
}

static void
cli_picture_vertices_head(enum style style, const char *letter, uint64_t registers)
{
   for (uint64_t m = registers; m; m &= m - 1) {
      const int r = __builtin_ctzll(m);
      if (style == STYLE_CSV)
         printf(",%s%d.x,%s%d.y,%s%d.z,%s%d.w", letter, r, letter, r, letter, r, letter, r);
      else
         printf("  %s%-46d", letter, r);
   }
}

static void
cli_picture_vertices_registers(enum style style, const char *name, const char *letter,
                               uint64_t registers, const struct emul_vec4 *value, unsigned lane)
{
   const char *between = "";
   if (style == STYLE_JSON)
      printf(", \"%s\": {", name);
   for (uint64_t m = registers; m; m &= m - 1) {
      const int r = __builtin_ctzll(m);
      double v[4];
      for (unsigned c = 0; c < 4; c++)
         v[c] = (double)value[r].c[c][lane];
      if (style == STYLE_JSON) {
         printf("%s\"%s%d\": ", between, letter, r);
         sim_json_vec4(stdout, v);
      } else if (style == STYLE_CSV)
         printf(",%.9g,%.9g,%.9g,%.9g", v[0], v[1], v[2], v[3]);
      else
         printf("  %11.5g %11.5g %11.5g %11.5g", v[0], v[1], v[2], v[3]);
      between = ", ";
   }
   if (style == STYLE_JSON)
      printf("}");
}

static void
cli_picture_vertices_row(struct shown *s, const struct sim_func_vertices *v, unsigned lane)
{
   const struct attila_isa_program *isa = emul_program_isa(v->state->vs);
   const enum style style = cli_picture_vertices_style(s->job->o);
   if (style != STYLE_JSON && !s->rows) {
      if (style == STYLE_TEXT)
         printf("frame %u, draw %u\n", s->frame, s->draw);
      printf(style == STYLE_CSV ? "vertex,instance" : "%9s %9s", "vertex", "instance");
      cli_picture_vertices_head(style, "i", isa->inputs_read);
      cli_picture_vertices_head(style, "o", isa->outputs_written);
      printf("\n");
   }
   if (style == STYLE_JSON)
      printf("%s {\"frame\": %u, \"draw\": %u, \"vertex\": %u, \"instance\": %u",
             s->job->pictures ? ",\n" : "", s->frame, s->draw, v->vertex[lane], v->instance);
   else
      printf(style == STYLE_CSV ? "%u,%u" : "%9u %9u", v->vertex[lane], v->instance);
   cli_picture_vertices_registers(style, "in", "i", isa->inputs_read, v->in, lane);
   cli_picture_vertices_registers(style, "out", "o", isa->outputs_written, v->out, lane);
   printf(style == STYLE_JSON ? "}" : "\n");
}

static uint64_t
cli_picture_vertices_most(const struct cli_picture_options *o)
{
   return o->given->most                                ? o->given->most
          : cli_picture_vertices_style(o) == STYLE_TEXT ? SOME
                                                        : UINT64_MAX;
}

/* Prints a primitive, in JSON, if all of its vertices have been printed. */
static void
cli_picture_vertices_primitive(void *user, unsigned count, const uint32_t row[3])
{
   const struct shown *s = user;
   const uint64_t most = cli_picture_vertices_most(s->job->o);
   for (unsigned v = 0; v < count; v++) {
      if (row[v] >= most)
         return;
   }
   printf(",\n {\"frame\": %u, \"draw\": %u, \"primitive\": [", s->frame, s->draw);
   for (unsigned v = 0; v < count; v++)
      printf("%s%u", v ? ", " : "", row[v]);
   printf("]}");
}

static void
cli_picture_vertices_shaded(void *user, const struct sim_func_vertices *v)
{
   struct shown *s = user;
   const uint64_t most = cli_picture_vertices_most(s->job->o);
   for (unsigned lane = 0; lane < v->count; lane++, s->rows++) {
      if (s->rows >= most)
         continue;
      cli_picture_vertices_row(s, v, lane);
      s->job->pictures++;
   }
}

bool
cli_picture_vertices_draw(struct cli_picture_job *j, const struct cli_command *c, uint32_t draw,
                          struct cli_batch *b)
{
   struct sim_machine *machine = attila_session_machine(j->sim);
   struct shown s = {.job = j, .frame = c->frame, .draw = draw};
   const uint64_t before = j->pictures;
   j->draws++;
   attila_probe_vertices(
       machine, &(struct sim_func_vertices_watch){
                    .shaded = cli_picture_vertices_shaded,
                    .primitive = j->o->given->primitives ? cli_picture_vertices_primitive : NULL,
                    .user = &s});
   const bool ok = cli_picture_execute(j, b);
   attila_probe_vertices(machine, NULL);
   if (cli_picture_vertices_style(j->o) == STYLE_TEXT && s.rows > j->pictures - before)
      printf("%" PRIu64 " of %" PRIu64 " vertices; --most N prints more\n", j->pictures - before,
             s.rows);
   return ok;
}
