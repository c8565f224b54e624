/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The lists that attila-sim picture takes: draws, cycles, surfaces. Not here: its options
 * (cli_options_table.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_picture.h"
#include "core/sim_range.h"

static bool
cli_picture_options_picture_add_pick(struct cli_picture_options *o, const struct cli_pick *p)
{
   struct cli_pick *grown = realloc(o->picks, (o->num_picks + 1) * sizeof(*grown));
   if (!grown)
      return false;
   o->picks = grown;
   o->picks[o->num_picks++] = *p;
   return true;
}

/* Parses a list of draws of a frame; with_frame: each is preceded by its frame. */
static bool
cli_picture_options_picture_pick_list(struct cli_picture_options *o, const char *text,
                                      bool with_frame, uint32_t frame)
{
   for (;;) {
      struct cli_pick p = {.frame = frame};
      if (with_frame && (!sim_range_number(&text, &p.frame) || *text++ != ':'))
         return false;
      if (!sim_range_parse(&text, &p.first, &p.last) ||
          !cli_picture_options_picture_add_pick(o, &p))
         return false;
      if (!*text)
         return true;
      if (*text++ != ',')
         return false;
   }
}

/* Parses "A" or "A-B/STEP". */
static bool
cli_picture_options_picture_cycle_range(struct cli_picture_options *o, const char **text)
{
   struct cli_cycles c = {.step = 1}, *last = o->num_cycles ? &o->cycles[o->num_cycles - 1] : NULL;
   if (!sim_range_number(text, &c.first))
      return false;
   c.last = c.first;
   if (**text == '-') {
      ++*text;
      if (!sim_range_number(text, &c.last) || *(*text)++ != '/' || !sim_range_number(text, &c.step))
         return false;
   }
   if (!c.first || !c.step || c.last < c.first || (last && c.first <= last->last))
      return false;
   struct cli_cycles *grown = realloc(o->cycles, (o->num_cycles + 1) * sizeof(*grown));
   if (!grown)
      return false;
   o->cycles = grown;
   o->cycles[o->num_cycles++] = c;
   return true;
}

static bool
cli_picture_options_picture_cycle_list(struct cli_picture_options *o, const char *text)
{
   while (cli_picture_options_picture_cycle_range(o, &text)) {
      if (!*text)
         return true;
      if (*text++ != ',')
         return false;
   }
   return false;
}

const char *
cli_surface_name(unsigned surface)
{
   static const char *const names[NUM_SURFACES] = {"color0", "color1", "color2", "color3",
                                                   "color4", "color5", "color6", "color7",
                                                   "depth",  "stencil"};
   return names[surface];
}

static bool
cli_picture_options_picture_surface_list(struct cli_picture_options *o, const char *text)
{
   o->surfaces = 0;
   while (*text) {
      const size_t n = strcspn(text, ",");
      unsigned s = 0;
      while (s < NUM_SURFACES && (strncmp(cli_surface_name(s), text, n) || cli_surface_name(s)[n]))
         s++;
      if (s == NUM_SURFACES)
         return false;
      o->surfaces |= 1u << s;
      text += n + (text[n] == ',');
   }
   return o->surfaces != 0;
}

static bool
cli_picture_options_picture_single(unsigned bits)
{
   return (bits & (bits - 1)) == 0;
}

static int
cli_picture_options_picture_several_pictures(const struct cli_options *o)
{
   return cli_complain(o, "-o %s takes one picture; several need --out DIR", o->file);
}

static int
cli_picture_options_picture_choose_cycles(struct cli_picture_options *p, struct cli_options *o)
{
   if (!cli_picture_options_picture_cycle_list(p, o->cycle))
      return cli_complain(o, "--cycle \"%s\": expected rising cycles, A or A-B/STEP", o->cycle);
   const struct cli_cycles *c = p->cycles;
   if (o->file && (p->num_cycles > 1 || c->last - c->first >= c->step ||
                   !cli_picture_options_picture_single(p->surfaces)))
      return cli_picture_options_picture_several_pictures(o);
   if (o->timed_mode)
      attila_mode_parse(o->timed_mode, &o->sim.mode);
   if (o->frame) {
      char first[16];
      snprintf(first, sizeof(first), "%u-", o->frame);
      o->sim.cycle_frames = strdup(first);
   }
   return CLI_OK;
}

static int
cli_picture_options_picture_choose_draws(struct cli_picture_options *p, struct cli_options *o)
{
   const char *list = o->pick ? o->pick : o->draws;
   if (o->timed_mode)
      return cli_complain(o, "--mode needs --cycle: draws are shown in functional mode");
   if (!list && (o->pixel || o->grid))
      list = "0-";
   if (!list)
      return cli_complain(o, "--draw, --draws, --pick or --cycle is missing");
   if (!cli_picture_options_picture_pick_list(p, list, o->pick, o->frame))
      return cli_complain(o, "\"%s\": expected draws such as %s", list,
                          o->pick ? "0:3,7:10-20" : "0-9,12,40-");
   if (o->vertices && o->format && !strcmp(o->format, "csv") &&
       (p->num_picks > 1 || p->picks[0].first != p->picks[0].last))
      return cli_complain(o, "--format csv takes one draw: each has columns of its own");
   o->sim.mode = ATTILA_MODE_FUNCTIONAL;
#define K(NAME, name) p->kinds |= (unsigned)(o->name != 0) << KIND_##NAME;
   CLI_PICTURE_KINDS(K)
#undef K
   if (!p->kinds)
      p->kinds = 1u << KIND_AFTER;
   if (o->file && (p->num_picks > 1 || p->picks[0].first != p->picks[0].last ||
                   !cli_picture_options_picture_single(p->kinds) ||
                   !cli_picture_options_picture_single(p->surfaces)))
      return cli_picture_options_picture_several_pictures(o);
   return CLI_OK;
}

int
cli_picture_options(struct cli_picture_options *p, struct cli_options *o)
{
   *p = (struct cli_picture_options){.given = o, .surfaces = 1};
   int end = 0;
   p->watches = o->pixel || o->grid || o->vertices;
   if (o->pixel && (sscanf(o->pixel, "%5u,%5u%n", &p->pixel[0], &p->pixel[1], &end) != 2 ||
                    o->pixel[end] || strspn(o->pixel, "0123456789,") != strlen(o->pixel)))
      return cli_complain(o, "--pixel \"%s\": expected X,Y from the top left", o->pixel);
   if (o->format && (!p->watches || o->grid))
      return cli_complain(o, "--format needs --pixel or --vertices");
   if (o->pixel && o->format && !strcmp(o->format, "csv"))
      return cli_complain(o, "--pixel has the formats text and json");
   if (o->primitives && (!o->format || strcmp(o->format, "json")))
      return cli_complain(o, "--primitives needs --format json");
   if (!o->file && !o->folder && !p->watches)
      return cli_complain(o, "-o FILE, --out DIR, --pixel X,Y, --grid N or --vertices is missing");
   if (o->surface && !cli_picture_options_picture_surface_list(p, o->surface))
      return cli_complain(o, "--surface \"%s\": expected color0 to color7, depth, stencil",
                          o->surface);
   return o->cycle ? cli_picture_options_picture_choose_cycles(p, o)
                   : cli_picture_options_picture_choose_draws(p, o);
}

void
cli_picture_options_free(struct cli_picture_options *p)
{
   free(p->picks);
   free(p->cycles);
}
