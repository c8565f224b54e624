/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim maps: simulates frames of a capture for their maps alone. Not here: what is in them
 * (picture/sim_maps.h), the replay (cli_run.c).
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

static const char help[] =
    "usage: attila-sim maps FILE --out DIR [options]\n"
    "\n"
    "Simulates a frame of a capture and shows what the fragments of each pixel cost: a picture "
    "with\n"
    "a legend (frame-0003-written.png) and the values (frame-0003-written.npy, a NumPy array; 0:\n"
    "none) for each map and each surface that the frame draws to; maps.csv lists them.\n"
    "\n"
    "      --frame F        this frame (default 0), or frames A-B; those before it run in "
    "functional\n"
    "                       mode, so caches are cold when it begins\n"
    "      --draw A[-B]     only what these draws cost; all others run, too\n"
    "      --each LIST      maps of each of these draws alone, too (frame-0003-draw-0057-\n"
    "                       written.png): draws 3,7-9,20- of each frame. The others are as "
    "without\n"
    "      --map LIST       of these, commas between (default: all)\n"
    "         shaded        fragments given to a shader\n"
    "         written       fragments that passed all tests\n"
    "         overdraw      both\n"
    "         latency       cycles from the quad's making (HZ) to its last pixel's write, mean of "
    "the\n"
    "                       fragments written\n"
    "         shader        cycles that its fragments' groups were with their shader, sum\n"
    "         instructions  shader instructions executed for it\n"
    "         misses        texture cache misses (first level) of its look-ups\n"
    "         draw          the last draw that wrote it; in the values one more than its number\n"
    "      --out DIR        where they go\n"
    "  -c, --config FILE    machine (.ini); default: the machine of ISPASS 2006\n"
    "  -s, --set S.Key=V    change one parameter; may be repeated\n"
    "  -m, --mode MODE      cycle (default) or half\n"
    "  -h, --help           this text\n"
    "\n"
    "attila-sim run and attila-run have --maps LIST for the same of every frame, beside reports,\n"
    "and --maps-each LIST for draws.\n"
    "Exit status: 0 done, 1 wrong usage, 2 a file cannot be used, 3 the simulator stopped on an\n"
    "error.\n";

enum { OPT_FRAME = 256, OPT_DRAW, OPT_EACH, OPT_MAP, OPT_OUT };

static const struct option long_options[] = {
    {"frame", required_argument, NULL, OPT_FRAME},
    {"draw", required_argument, NULL, OPT_DRAW},
    {"each", required_argument, NULL, OPT_EACH},
    {"map", required_argument, NULL, OPT_MAP},
    {"out", required_argument, NULL, OPT_OUT},
    {"config", required_argument, NULL, 'c'},
    {"set", required_argument, NULL, 's'},
    {"mode", required_argument, NULL, 'm'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

static int
complain(const char *format, const char *what)
{
   return cli_complain("attila-sim maps", format, what);
}

static bool
apply(struct cli_options *o, int option, const char *arg)
{
   if (cli_machine_option(o, option, arg))
      return true;
   switch (option) {
   case 'm':
      return attila_mode_parse(arg, &o->sim.mode) && o->sim.mode != ATTILA_MODE_FUNCTIONAL;
   case OPT_FRAME:
      o->frame_list = arg;
      return cli_range(arg, &o->first_frame, &o->last_frame);
   case OPT_DRAW:
      o->draws = true;
      return cli_range(arg, &o->first_draw, &o->last_draw);
   case OPT_EACH:
      o->sim.maps_each = arg;
      return true;
   case OPT_MAP:
      o->sim.maps = arg;
      return true;
   default: /* OPT_OUT */
      o->sim.maps_dir = arg;
      return true;
   }
}

int
cli_maps(int argc, char **argv)
{
   struct cli_options o = {.frame_list = "0", .sim.maps = "all"};
   int option, index = 0, status;
   if (!cli_options_begin(&o, argc))
      return CLI_FILE;
   while ((option = getopt_long(argc, argv, "c:s:m:h", long_options, &index)) != -1) {
      status = CLI_USAGE;
      if (option == 'h') {
         fputs(help, stdout);
         status = CLI_OK;
      } else if (option == '?') {
         complain("%s", "see above");
      } else if (apply(&o, option, optarg)) {
         continue;
      } else {
         complain("\"%s\" is not a value this option accepts", optarg);
      }
      free(o.overrides);
      return status;
   }
   if (o.draws) {
      o.sim.maps_first_draw = o.first_draw;
      o.sim.maps_last_draw = o.last_draw;
      o.sim.maps_some_draws = true;
   }
   if (optind + 1 != argc)
      status = complain("%s", "one capture file is needed");
   else if (!o.sim.maps_dir)
      status = complain("%s", "where to? --out DIR is missing");
   else
      status = cli_run(&o, argv[optind]);
   free(o.overrides);
   return status;
}
