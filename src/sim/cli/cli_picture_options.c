/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command line of attila-sim picture.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli_picture.h"

static const char help[] =
    "usage: attila-sim picture FILE --draw D [options]\n"
    "\n"
    "       attila-sim picture FILE --cycle LIST [options]\n"
    "\n"
    "Replays a capture in functional mode and shows what a draw found in the surface that it "
    "draws\n"
    "to, or left there. Frames and draws count from 0, as in draws.csv and run.sqlite. With "
    "--cycle:\n"
    "simulates it in cycle mode and shows the frame, partly drawn, at the end of a cycle.\n"
    "\n"
    "      --frame F        of these draws (default 0)\n"
    "      --draw D         this one\n"
    "      --draws LIST     or these: 0-9,12,40- (40 to the end)\n"
    "      --pick LIST      or these, FRAME:DRAW or FRAME:A-B, a comma between; instead of "
    "--frame\n"
    "      --cycle LIST     or at these cycles of the run, for example 150000,200000-300000/25000 "
    "(every\n"
    "                       25000th): the surface of the oldest draw in flight. With --frame: "
    "frames\n"
    "                       before F in functional mode, and cycles count from the beginning of "
    "F\n"
    "  -m, --mode MODE      of --cycle: cycle (default) or half\n"
    "      --before         the surface before the draw\n"
    "      --after          and after it (the default)\n"
    "      --diff           after it, where it changed something; all else dark grey\n"
    "      --surface LIST   color0 (the default) to color7, depth, stencil\n"
    "      --textures       and the textures that the draw's programs sample (level 0 of the "
    "view,\n"
    "                       first slice); needs --out\n"
    "      --raw            and the values, not clamped, as NumPy arrays (.npy): red, green, "
    "blue,\n"
    "                       alpha; of depth and stencil one value\n"
    "      --max-size N     shrink larger pictures by a whole number to at most N pixels in width\n"
    "                       and height\n"
    "      --no-index       as if there were no FILE.index (attila-sim index)\n"
    "  -o FILE              the picture, if it is only one\n"
    "      --out DIR        else files frame-FFFF-draw-DDDD-SURFACE-KIND.png or "
    "cycle-CCCCCCCCCC-SURFACE.png\n"
    "                       there, and pictures.csv, which lists them\n"
    "  -c, --config FILE    machine (.ini): its filtering of textures counts\n"
    "  -s, --set S.Key=V    change one parameter; may be repeated\n"
    "  -h, --help           this text\n"
    "\n"
    "Depth and stencil are grey from the smallest (black) to the largest value (white) of before\n"
    "and after. Samples are averaged (depth, stencil: the first one). Exit status: 0 done, 1 "
    "wrong\n"
    "usage, 2 a file cannot be used or there is no such draw, 3 the simulator stopped on an "
    "error.\n";

enum {
   OPT_FRAME = 256,
   OPT_DRAW,
   OPT_DRAWS,
   OPT_PICK,
   OPT_BEFORE,
   OPT_AFTER,
   OPT_DIFF,
   OPT_SURFACE,
   OPT_TEXTURES,
   OPT_RAW,
   OPT_MAX,
   OPT_OUT,
   OPT_CYCLE,
   OPT_NO_INDEX
};

static const struct option long_options[] = {
    {"frame", required_argument, NULL, OPT_FRAME},
    {"draw", required_argument, NULL, OPT_DRAW},
    {"draws", required_argument, NULL, OPT_DRAWS},
    {"pick", required_argument, NULL, OPT_PICK},
    {"cycle", required_argument, NULL, OPT_CYCLE},
    {"mode", required_argument, NULL, 'm'},
    {"before", no_argument, NULL, OPT_BEFORE},
    {"after", no_argument, NULL, OPT_AFTER},
    {"diff", no_argument, NULL, OPT_DIFF},
    {"surface", required_argument, NULL, OPT_SURFACE},
    {"textures", no_argument, NULL, OPT_TEXTURES},
    {"raw", no_argument, NULL, OPT_RAW},
    {"max-size", required_argument, NULL, OPT_MAX},
    {"out", required_argument, NULL, OPT_OUT},
    {"config", required_argument, NULL, 'c'},
    {"set", required_argument, NULL, 's'},
    {"no-index", no_argument, NULL, OPT_NO_INDEX},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* "A", "A-B" or "A-" */
static bool
draw_range(const char **text, struct cli_pick *p)
{
   if (!cli_number(*text, text, &p->first))
      return false;
   p->last = p->first;
   if (**text != '-')
      return true;
   ++*text;
   if (**text < '0' || **text > '9') {
      p->last = UINT32_MAX;
      return true;
   }
   return cli_number(*text, text, &p->last) && p->last >= p->first;
}

static bool
add_pick(struct cli_picture_options *o, const struct cli_pick *p)
{
   struct cli_pick *grown = realloc(o->picks, (o->num_picks + 1) * sizeof(*grown));
   if (!grown)
      return false;
   o->picks = grown;
   o->picks[o->num_picks++] = *p;
   return true;
}

/* A list of draws; with_frame: each has its frame before it. */
static bool
pick_list(struct cli_picture_options *o, const char *text, bool with_frame)
{
   for (;;) {
      struct cli_pick p = {0};
      if (with_frame && (!cli_number(text, &text, &p.frame) || *text++ != ':'))
         return false;
      if (!draw_range(&text, &p) || !add_pick(o, &p))
         return false;
      if (!*text)
         return true;
      if (*text++ != ',')
         return false;
   }
}

/* "A" or "A-B/STEP", each after the one before */
static bool
cycle_range(struct cli_picture_options *o, const char **text)
{
   struct cli_cycles c = {.step = 1}, *last = o->num_cycles ? &o->cycles[o->num_cycles - 1] : NULL;
   if (!cli_number(*text, text, &c.first))
      return false;
   c.last = c.first;
   if (**text == '-' && (!cli_number(*text + 1, text, &c.last) || **text != '/' ||
                         !cli_number(*text + 1, text, &c.step)))
      return false;
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
cycle_list(struct cli_picture_options *o, const char *text)
{
   while (cycle_range(o, &text)) {
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
surface_list(struct cli_picture_options *o, const char *text)
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

static int
complain(const char *format, const char *what)
{
   return cli_complain("attila-sim picture", format, what);
}

struct parsed {
   uint32_t frame;
   bool frame_given, draws_given, pick_given, mode_given;
};

static bool
apply(struct cli_picture_options *o, struct parsed *p, int option, const char *arg)
{
   if (cli_machine_option(&o->machine, option, arg))
      return true;
   switch (option) {
   case 'o':
      o->file = arg;
      return true;
   case OPT_OUT:
      o->folder = arg;
      return true;
   case OPT_FRAME:
      p->frame_given = true;
      return cli_whole_number(arg, &p->frame);
   case OPT_DRAW:
   case OPT_DRAWS:
      p->draws_given = true;
      return pick_list(o, arg, false);
   case OPT_PICK:
      p->pick_given = true;
      return pick_list(o, arg, true);
   case OPT_CYCLE:
      return cycle_list(o, arg);
   case 'm':
      p->mode_given = true;
      return attila_mode_parse(arg, &o->machine.sim.mode) &&
             o->machine.sim.mode != ATTILA_MODE_FUNCTIONAL;
   case OPT_BEFORE:
   case OPT_AFTER:
   case OPT_DIFF:
      o->kinds |= KIND_BEFORE << (option - OPT_BEFORE);
      return true;
   case OPT_SURFACE:
      return surface_list(o, arg);
   case OPT_MAX:
      return cli_whole_number(arg, &o->max_size) && o->max_size;
   case OPT_NO_INDEX:
      o->machine.no_index = true;
      return true;
   case OPT_TEXTURES:
      o->textures = true;
      return true;
   default: /* OPT_RAW */
      o->raw = true;
      return true;
   }
}

static bool
single(unsigned bits)
{
   return (bits & (bits - 1)) == 0;
}

static int
check_cycles(struct cli_picture_options *o, const struct parsed *p)
{
   const struct cli_cycles *c = o->cycles;
   if (p->draws_given || p->pick_given || o->kinds || o->textures)
      return complain("%s", "--cycle is instead of draws, and of --before, --after, --diff and "
                            "--textures");
   if (o->file &&
       (o->num_cycles > 1 || c->last - c->first >= c->step || !single(o->surfaces) || o->raw))
      return complain("%s is one picture; several need --out DIR", o->file);
   if (!p->mode_given)
      o->machine.sim.mode = ATTILA_MODE_CYCLE;
   if (p->frame_given && p->frame) {
      snprintf(o->first_frame, sizeof(o->first_frame), "%u-", p->frame);
      o->machine.sim.cycle_frames = o->first_frame;
   }
   return CLI_OK;
}

static int
check(struct cli_picture_options *o, const struct parsed *p)
{
   if (!o->capture)
      return complain("%s", "a capture file is missing");
   if (!o->file == !o->folder)
      return complain("%s", "where to? Either -o FILE or --out DIR");
   if (o->num_cycles)
      return check_cycles(o, p);
   if (p->mode_given)
      return complain("%s", "--mode is for --cycle: draws are shown in functional mode");
   if (!o->num_picks)
      return complain("%s", "which draw? --draw, --draws, --pick or --cycle is missing");
   if (!o->kinds)
      o->kinds = KIND_AFTER;
   if (p->pick_given && (p->frame_given || p->draws_given))
      return complain("%s", "--pick names frames and draws: not together with --frame or --draw");
   if (o->file && (o->num_picks > 1 || o->picks[0].first != o->picks[0].last || !single(o->kinds) ||
                   !single(o->surfaces) || o->textures || o->raw))
      return complain("%s is one picture; several need --out DIR", o->file);
   if (!p->pick_given) {
      for (unsigned i = 0; i < o->num_picks; i++)
         o->picks[i].frame = p->frame;
   }
   return CLI_OK;
}

int
cli_picture_options(struct cli_picture_options *o, int argc, char **argv, bool *done)
{
   struct parsed p = {0};
   int option, index = 0;
   *o = (struct cli_picture_options){.surfaces = 1};
   o->machine.sim.mode = ATTILA_MODE_FUNCTIONAL;
   *done = false;
   if (!cli_options_begin(&o->machine, argc))
      return CLI_FILE;
   while ((option = getopt_long(argc, argv, "c:s:m:o:h", long_options, &index)) != -1) {
      if (option == 'h') {
         fputs(help, stdout);
         *done = true;
         return CLI_OK;
      }
      if (option == '?')
         return complain("%s", "see above");
      if (!apply(o, &p, option, optarg))
         return complain("\"%s\" is not a value this option accepts", optarg);
   }
   if (optind < argc)
      o->capture = argv[optind];
   if (optind + 1 < argc)
      return complain("one capture at a time; \"%s\" is one too many", argv[optind + 1]);
   return check(o, &p);
}

void
cli_picture_options_free(struct cli_picture_options *o)
{
   free(o->picks);
   free(o->cycles);
   free(o->machine.overrides);
}
