/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim: replays captured command streams without Mesa, and describes machines. This file
 * reads the command line.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cli/cli.h"

#ifndef ATTILA_VERSION
#define ATTILA_VERSION "unknown"
#endif

static void
usage(FILE *f)
{
   fputs(
       "usage: attila-sim run FILE [options]      replay a capture\n"
       "       attila-sim bench FILE... [options] simulated cycles per second and host time per "
       "box\n"
       "       attila-sim info FILE...            commands and frames of a capture\n"
       "       attila-sim index FILE [--every K]  snapshots in FILE.index: any frame is reached "
       "soon (docs/howto/long-runs.md)\n"
       "       attila-sim disasm FILE...          shader programs of a capture\n"
       "       attila-sim export DIR...           frames.csv, draws.csv, cycles.csv and "
       "counters.csv from run.sqlite\n"
       "       attila-sim export DIR --format perfetto [-f A[-B]] [-o FILE]\n"
       "                                          a trace of it for ui.perfetto.dev "
       "(DIR/run.perfetto-trace)\n"
       "       attila-sim features FILE           a row per frame of what it asks of a GPU (CSV)\n"
       "       attila-sim merge DIR               one run.sqlite of the reports of --jobs (run "
       "does "
       "it itself)\n"
       "       attila-sim dump FILE [-f A[-B]] [--draws A[-B]] [--state]\n"
       "                                          a capture as text: registers by name, draws, "
       "programs; --state: all\n"
       "                                          that is not 0 at every draw\n"
       "       attila-sim diff A B                the first difference of two captures, or what "
       "two folders of\n"
       "                                          reports (--out) count differently\n"
       "       attila-sim picture FILE ...        what a draw did to the picture (picture --help)\n"
       "       attila-sim maps FILE ...           what each pixel cost (maps --help)\n"
       "       attila-sim power DIR ...           energy of a run by unit (power --help)\n"
       "       attila-sim area ...                area of the machine's units (area --help)\n"
       "       attila-sim reprogram FILE ...      a capture with other shader programs (reprogram "
       "--help)\n"
       "       attila-sim interface               commands, registers and counters (Markdown)\n"
       "       attila-sim --describe [--format text|markdown|ini|statistics]\n"
       "                                          parameters and statistics of a machine\n"
       "       attila-sim --check-env             can the ATTILA_* variables' machine be built?\n"
       "       attila-sim --help | --version\n"
       "options:\n"
       "  -c, --config FILE      machine (.ini); default: the machine of ISPASS 2006\n"
       "  -s, --set S.Key=VALUE  change one parameter; may be repeated\n"
       "  -m, --mode MODE        cycle (default), half: shaders without latencies, or\n"
       "                         functional: no timing. Same pixels in all\n"
       "      --threads N        that execute fragments in functional mode, 1 to 64; default: as "
       "many as processors,\n"
       "                         up to 8. No result depends on it\n"
       "  -f, --frames A[-B]     report frames A to B (from 0) only and stop after B; frames "
       "before A run in functional\n"
       "                         mode (docs/howto/long-runs.md). run takes A- and, with --jobs, "
       "--cycle-draws or --cycle-label, A-B,C,... too\n"
       "      --start-frame N    the same as --frames N-\n"
       "      --cycle-draws L    of each of these frames only draws 40-59,70-, for example, in\n"
       "                         cycle mode, with what lies between them\n"
       "      --cycle-label NAME of each frame only what the program calls so (as --label); with\n"
       "                         --cycle-draws only what both choose (docs/howto/long-runs.md)\n"
       "      --no-index         as if there were no FILE.index\n"
       "      --warm-up K        simulate K frames before each of these ranges, too\n"
       "      --jobs N           each frame is simulated by a process of its own, N at a time "
       "(needs --out)\n"
       "      --job-frames K     or each K frames\n"
       "  -o, --out DIR          write run.sqlite, frames.csv and draws.csv there\n"
       "      --record LIST      of these only sqlite or csv; csv.zst: draws.csv.zst, compressed; "
       "default: sqlite,csv.\n"
       "                         frames.csv is always written\n"
       "      --save-frames      and frame-NNNN.png (needs --out)\n"
       "      --draws-frames L   draws.csv only has draws of these frames, for example "
       "0,10-20,50-\n"
       "      --draws L          rows and intervals of these draws only, and what lies between "
       "them: FRAME:DRAW,\n"
       "                         FRAME:FIRST-LAST or FRAME:FIRST-, commas between, for example "
       "0:3,7:10-20\n"
       "      --label NAME       rows and intervals only of what the program calls so: a debug "
       "group or marker, or\n"
       "                         the label of the target; * and ? stand for any characters "
       "(docs/howto/tools.md)\n"
       "      --draws-columns L  and only these statistics, for example "
       "'ReadBytes_*,CulledHZFragments_HZ';\n"
       "                         none: no statistics\n"
       "      --interval N       run.sqlite also has what was counted in every N cycles\n"
       "      --power TABLE      run.sqlite also says what all of it cost in joules; a file or "
       "builtin\n"
       "      --maps LIST        maps of every frame in DIR/maps: what each pixel's fragments cost "
       "(attila-sim\n"
       "                         maps --help lists them)\n"
       "      --maps-each LIST   and of each of these draws alone (3,7-9,20- of each frame)\n"
       "      --ideal LIST       as if units of these were far faster: memory, bus, geometry, "
       "raster, shader,\n"
       "                         texture, caches, rop, command, dac\n"
       "      --trace FILE       what passes between units, for ui.perfetto.dev; FILE.vcd: for "
       "GTKWave\n"
       "      --trace-cycles A[-B], --trace-frames A[-B], --trace-draws A[-B]\n"
       "                         its window; draws: of the first of the frames, or of frame 0\n"
       "      --trace-what LIST  of units, draws, triangles, quads, memory, banks, queues; "
       "default: all but queues\n"
       "      --trace-limit MiB  it ends when the file has this size; default: 1024\n"
       "      --box-order N      clock the boxes in another order (a test: nothing may change)\n"
       "      --profile          host time per box\n"
       "      --status           a line on the terminal that says where it is; elsewhere nothing\n"
       "  -p, --progress         one line per frame on stderr\n"
       "exit status: 0 done, 1 wrong usage, 2 a file cannot be used, 3 the simulator stopped on "
       "an error,\n"
       "4 diff found a difference\n",
       f);
}

enum {
   OPT_SAVE = 256,
   OPT_DRAWS_FRAMES,
   OPT_DRAWS_COLUMNS,
   OPT_RECORD,
   OPT_TRACE,
   OPT_TRACE_CYCLES,
   OPT_TRACE_FRAMES,
   OPT_TRACE_DRAWS,
   OPT_TRACE_WHAT,
   OPT_TRACE_LIMIT,
   OPT_DRAWS,
   OPT_LABEL,
   OPT_STATE,
   OPT_IDEAL,
   OPT_STATUS,
   OPT_INTERVAL,
   OPT_MAPS,
   OPT_MAPS_EACH,
   OPT_POWER,
   OPT_ORDER,
   OPT_START,
   OPT_WARM_UP,
   OPT_CYCLE_DRAWS,
   OPT_CYCLE_LABEL,
   OPT_JOBS,
   OPT_JOB_FRAMES,
   OPT_EVERY,
   OPT_NO_INDEX,
   OPT_THREADS,
   OPT_PROFILE,
   OPT_DESCRIBE,
   OPT_FORMAT,
   OPT_VERSION,
   OPT_CHECK
};

static const struct option long_options[] = {
    {"config", required_argument, NULL, 'c'},
    {"set", required_argument, NULL, 's'},
    {"mode", required_argument, NULL, 'm'},
    {"frames", required_argument, NULL, 'f'},
    {"out", required_argument, NULL, 'o'},
    {"save-frames", no_argument, NULL, OPT_SAVE},
    {"draws-frames", required_argument, NULL, OPT_DRAWS_FRAMES},
    {"draws-columns", required_argument, NULL, OPT_DRAWS_COLUMNS},
    {"interval", required_argument, NULL, OPT_INTERVAL},
    {"maps", required_argument, NULL, OPT_MAPS},
    {"maps-each", required_argument, NULL, OPT_MAPS_EACH},
    {"power", required_argument, NULL, OPT_POWER},
    {"status", no_argument, NULL, OPT_STATUS},
    {"ideal", required_argument, NULL, OPT_IDEAL},
    {"record", required_argument, NULL, OPT_RECORD},
    {"trace", required_argument, NULL, OPT_TRACE},
    {"trace-cycles", required_argument, NULL, OPT_TRACE_CYCLES},
    {"trace-frames", required_argument, NULL, OPT_TRACE_FRAMES},
    {"trace-draws", required_argument, NULL, OPT_TRACE_DRAWS},
    {"trace-what", required_argument, NULL, OPT_TRACE_WHAT},
    {"trace-limit", required_argument, NULL, OPT_TRACE_LIMIT},
    {"draws", required_argument, NULL, OPT_DRAWS},
    {"label", required_argument, NULL, OPT_LABEL},
    {"state", no_argument, NULL, OPT_STATE},
    {"start-frame", required_argument, NULL, OPT_START},
    {"cycle-draws", required_argument, NULL, OPT_CYCLE_DRAWS},
    {"cycle-label", required_argument, NULL, OPT_CYCLE_LABEL},
    {"warm-up", required_argument, NULL, OPT_WARM_UP},
    {"jobs", required_argument, NULL, OPT_JOBS},
    {"job-frames", required_argument, NULL, OPT_JOB_FRAMES},
    {"every", required_argument, NULL, OPT_EVERY},
    {"no-index", no_argument, NULL, OPT_NO_INDEX},
    {"threads", required_argument, NULL, OPT_THREADS},
    {"box-order", required_argument, NULL, OPT_ORDER},
    {"profile", no_argument, NULL, OPT_PROFILE},
    {"progress", no_argument, NULL, 'p'},
    {"describe", no_argument, NULL, OPT_DESCRIBE},
    {"format", required_argument, NULL, OPT_FORMAT},
    {"check-env", no_argument, NULL, OPT_CHECK},
    {"help", no_argument, NULL, 'h'},
    {"version", no_argument, NULL, OPT_VERSION},
    {NULL, 0, NULL, 0},
};

static bool
apply(struct cli_options *o, int option, const char *arg, bool *describe)
{
   if (cli_machine_option(o, option, arg))
      return true;
   switch (option) {
   case 'm':
      return attila_mode_parse(arg, &o->sim.mode);
   case 'f':
      o->frame_list = arg;
      o->frames = o->one_range = cli_range(arg, &o->first_frame, &o->last_frame);
      return true;
   case 'o':
      o->sim.out_dir = arg;
      return true;
   case 'p':
      o->sim.progress = true;
      return true;
   case OPT_SAVE:
      o->sim.save_frames = true;
      return true;
   case OPT_DRAWS_FRAMES:
      o->sim.draws_frames = arg;
      return true;
   case OPT_DRAWS_COLUMNS:
      o->sim.draws_columns = arg;
      return true;
   case OPT_STATUS:
      o->sim.status = true;
      return true;
   case OPT_INTERVAL:
      return cli_whole_number(arg, &o->sim.interval) && o->sim.interval;
   case OPT_MAPS:
      o->sim.maps = arg;
      return true;
   case OPT_MAPS_EACH:
      o->sim.maps_each = arg;
      return true;
   case OPT_POWER:
      o->sim.power = arg;
      return *arg;
   case OPT_IDEAL:
      o->sim.ideal = arg;
      return true;
   case OPT_RECORD:
      o->sim.record = arg;
      return true;
   case OPT_DRAWS:
      /* dump takes draws of all its frames, run takes FRAME:DRAW. */
      o->sim.draws = arg;
      o->draws = cli_range(arg, &o->first_draw, &o->last_draw);
      return true;
   case OPT_LABEL:
      o->sim.label = arg;
      return true;
   case OPT_STATE:
      o->state = true;
      return true;
   case OPT_START:
      snprintf(o->start_text, sizeof(o->start_text), "%.20s-", arg);
      o->frame_list = o->start_text;
      return cli_whole_number(arg, &o->first_frame);
   case OPT_CYCLE_DRAWS:
      o->sim.cycle_draws = arg;
      return true;
   case OPT_CYCLE_LABEL:
      o->sim.cycle_label = arg;
      return *arg;
   case OPT_WARM_UP:
      return cli_whole_number(arg, &o->sim.warm_up);
   case OPT_JOBS:
      return cli_whole_number(arg, &o->sim.jobs) && o->sim.jobs;
   case OPT_JOB_FRAMES:
      return cli_whole_number(arg, &o->sim.job_frames) && o->sim.job_frames;
   case OPT_EVERY:
      return cli_whole_number(arg, &o->every) && o->every;
   case OPT_NO_INDEX:
      o->no_index = true;
      return true;
   case OPT_THREADS:
      return cli_whole_number(arg, &o->sim.threads) && o->sim.threads &&
             o->sim.threads <= ATTILA_MAX_THREADS;
   case OPT_ORDER:
      return cli_whole_number(arg, &o->sim.box_order_seed);
   case OPT_PROFILE:
      o->profile = true;
      return true;
   case OPT_DESCRIBE:
      *describe = true;
      return true;
   default: /* OPT_FORMAT */
      o->format_name = arg;
      o->format = !strcmp(arg, "markdown") ? SIM_DESCRIBE_MARKDOWN
                  : !strcmp(arg, "ini")    ? SIM_DESCRIBE_INI
                                           : SIM_DESCRIBE_TEXT;
      return o->format != SIM_DESCRIBE_TEXT || !strcmp(arg, "text") || !strcmp(arg, "csv") ||
             !strcmp(arg, "statistics") || !strcmp(arg, "perfetto");
   }
}

static bool
apply_trace(struct attila_sim_options *o, int option, const char *arg)
{
   switch (option) {
   case OPT_TRACE:
      o->trace_path = arg;
      return *arg;
   case OPT_TRACE_CYCLES:
      o->trace_cycles = arg;
      return true;
   case OPT_TRACE_FRAMES:
      o->trace_frames = arg;
      return true;
   case OPT_TRACE_DRAWS:
      o->trace_draws = arg;
      return true;
   case OPT_TRACE_WHAT:
      o->trace_what = arg;
      return true;
   default:
      return cli_whole_number(arg, &o->trace_limit) && o->trace_limit;
   }
}

static int
complain(const char *format, const char *what)
{
   return cli_complain("attila-sim", format, what);
}

static bool
is_command(const char *name)
{
   static const char *const commands[] = {"run",    "bench", "export",   "info", "dump",
                                          "disasm", "merge", "features", "index"};
   for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
      if (!strcmp(name, commands[i]))
         return true;
   }
   return false;
}

/* Whether --format names one of this part of the program. */
static bool
format_is(const struct cli_options *o, const char *a, const char *b)
{
   return !o->format_name || !strcmp(o->format_name, a) || !strcmp(o->format_name, b);
}

/* The record of a run in another form. */
static int
export_folder(const struct cli_options *o, const char *folder)
{
   const bool perfetto = o->format_name && !strcmp(o->format_name, "perfetto");
   return perfetto ? cli_perfetto(o, folder) : cli_export(folder, true);
}

static int
check_export(const struct cli_options *o, int count)
{
   const bool perfetto = o->format_name && !strcmp(o->format_name, "perfetto");
   if (!format_is(o, "csv", "perfetto"))
      return complain("export --format takes csv or perfetto, not \"%s\"", o->format_name);
   if (!perfetto && (o->frames || o->sim.out_dir))
      return complain("export with %s needs --format perfetto", o->frames ? "--frames" : "--out");
   if (o->sim.out_dir && count > 1)
      return complain("one file for several folders: --out %s", o->sim.out_dir);
   return CLI_OK;
}

/* Runs a command on every file; the worst result counts. */
static int
each_file(struct cli_options *o, const char *command, char **files, int count)
{
   int worst = CLI_OK;
   if (!is_command(command))
      return complain("\"%s\" is not a command", command);
   if (!count)
      return complain(!strcmp(command, "export") ? "%s needs a folder" : "%s needs a capture file",
                      command);
   if (o->frame_list && !o->one_range && strcmp(command, "run"))
      return complain("\"%s\" is not a range of frames A[-B]", o->frame_list);
   if (attila_sim_wants_parts(&o->sim) && strcmp(command, "run"))
      return complain("--cycle-draws and --cycle-label are of run, not of %s", command);
   if (o->every && strcmp(command, "index"))
      return complain("--every is of index, not of %s", command);
   if (!strcmp(command, "run") && count > 1)
      return complain("run takes one file; \"%s\" is one too many", files[1]);
   if (!strcmp(command, "export") && check_export(o, count) != CLI_OK)
      return CLI_USAGE;
   for (int i = 0; i < count; i++) {
      int result;
      if (!strcmp(command, "run"))
         result = cli_run(o, files[i]);
      else if (!strcmp(command, "bench"))
         result = cli_bench(o, files[i]);
      else if (!strcmp(command, "export"))
         result = export_folder(o, files[i]);
      else if (!strcmp(command, "info"))
         result = cli_info(files[i]);
      else if (!strcmp(command, "features"))
         result = cli_features(o, files[i]);
      else if (!strcmp(command, "index"))
         result = cli_index(o, files[i]);
      else if (!strcmp(command, "merge"))
         result = cli_merge(files[i], true);
      else if (!strcmp(command, "dump"))
         result = cli_dump(o, files[i]);
      else
         result = cli_disasm(files[i]);
      worst = result > worst ? result : worst;
   }
   return worst;
}

/* --draws of run is for the record, which reads it; for others it is A or A-B. */
static bool
draws_are_good(struct cli_options *o, bool run)
{
   if (!run && o->sim.draws && !o->draws)
      return false;
   if (!run)
      o->sim.draws = NULL;
   return true;
}

int
main(int argc, char **argv)
{
   static struct cli_options o;
   bool describe = false;
   int option, index = 0;
   if (argc > 1 && !strcmp(argv[1], "picture"))
      return cli_picture(argc - 1, argv + 1);
   if (argc > 1 && !strcmp(argv[1], "maps"))
      return cli_maps(argc - 1, argv + 1);
   if (argc > 1 && !strcmp(argv[1], "power"))
      return cli_power(argc - 1, argv + 1);
   if (argc > 1 && !strcmp(argv[1], "area"))
      return cli_area(argc - 1, argv + 1);
   if (argc > 1 && !strcmp(argv[1], "reprogram"))
      return cli_reprogram(argc - 1, argv + 1);
   if (!cli_options_begin(&o, argc))
      return CLI_FILE;
   while ((option = getopt_long(argc, argv, "c:s:m:f:o:ph", long_options, &index)) != -1) {
      if (option == 'h') {
         usage(stdout);
         return CLI_OK;
      }
      if (option == OPT_VERSION) {
         puts("attila-sim " ATTILA_VERSION);
         return CLI_OK;
      }
      if (option == OPT_CHECK)
         return cli_check_env();
      if (option == '?')
         return complain("%s", "see above");
      const bool trace = option >= OPT_TRACE && option <= OPT_TRACE_LIMIT;
      if (!(trace ? apply_trace(&o.sim, option, optarg) : apply(&o, option, optarg, &describe)))
         return complain("\"%s\" is not a value this option accepts", optarg);
   }
   if ((o.sim.trace_cycles || o.sim.trace_frames || o.sim.trace_draws || o.sim.trace_what ||
        o.sim.trace_limit) &&
       !o.sim.trace_path)
      return complain("%s", "--trace-cycles, ... need --trace");
   if (o.sim.save_frames && !o.sim.out_dir)
      return complain("%s", "--save-frames needs --out");
   if (o.sim.maps && !o.sim.out_dir)
      return complain("%s", "--maps needs --out");
   if (o.sim.maps_each && !o.sim.maps)
      return complain("%s", "--maps-each needs --maps");
   if (o.sim.jobs && !o.sim.out_dir)
      return complain("%s", "--jobs needs --out");
   if (o.sim.job_frames && !o.sim.jobs)
      return complain("%s", "--job-frames needs --jobs");
   if (o.sim.jobs && !o.sim.job_frames)
      o.sim.job_frames = 1;
   if (o.sim.warm_up && !o.frame_list && !o.sim.jobs)
      return complain("%s", "--warm-up needs --frames, --start-frame or --jobs");
   if (!draws_are_good(&o, optind < argc && !strcmp(argv[optind], "run")))
      return complain("\"%s\" is not a value this option accepts", o.sim.draws);
   if ((o.sim.draws_frames || o.sim.draws || o.sim.label || o.sim.draws_columns || o.sim.record ||
        o.sim.interval || o.sim.power) &&
       !o.sim.out_dir)
      return complain("%s", "--draws-frames, --draws, --label, --draws-columns, --record, "
                            "--interval and --power need --out");
   if (describe && (!o.format_name || o.format != SIM_DESCRIBE_TEXT ||
                    !strcmp(o.format_name, "text") || !strcmp(o.format_name, "statistics")))
      return cli_describe(&o);
   if (describe)
      return complain("--describe --format takes text, markdown, ini or statistics, not \"%s\"",
                      o.format_name);
   if (optind == argc) {
      usage(stderr);
      return CLI_USAGE;
   }
   if (!strcmp(argv[optind], "interface"))
      return optind + 1 == argc ? cli_interface()
                                : complain("interface takes no file (\"%s\")", argv[optind + 1]);
   if (!strcmp(argv[optind], "diff"))
      return optind + 3 == argc ? cli_diff(argv[optind + 1], argv[optind + 2])
                                : complain("%s needs two captures or two folders", "diff");
   return each_file(&o, argv[optind], argv + optind + 1, argc - optind - 1);
}
