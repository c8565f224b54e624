/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The options of a run, one line each, for struct attila_sim_options (attila_options.h), the
 * command lines of attila-run and attila-sim, the ATTILA_* variables, --help, manual pages,
 * completion and docs/reference/options.md. Not here: options that do not reach the simulator
 * (cli/cli_options_table.h). */
#ifndef ATTILA_OPTIONS_TABLE_H
#define ATTILA_OPTIONS_TABLE_H

/* O(type, member, name, letter, argument, variable, accepts, commands, group, help)
 *
 *   type      FLAG    bool
 *             NUMBER  uint32_t
 *             TEXT    const char *, at least one character; NULL: not given
 *             PATH    the same, a file or folder; attila-run makes it absolute
 *             CHOICE  the same, one of accepts' WORDS
 *             WORDS   the same, some of accepts' WORDS, with commas between
 *             RANGES  the same, "3,10-20,50-"
 *             SPAN    the same, "A" or "A-B"
 *             PICKS   the same, draws of frames: "0:3,7:10-20,9:4-"
 *             MODE    enum attila_mode
 *             LIST    const char *const *member, unsigned num_member: SECTION.KEY=VALUE, repeatable
 *   letter    of a short option; 0: none
 *   variable  of the environment; NULL: none
 *   accepts   ANY; BETWEEN(low, high); WORDS("a b"), which completion offers. A PATH that equals
 * one of the words is not a path. For a path that is written: MAKES(FILE), MAKES(FOLDER), or
 * ENDS(".a .b") for a file with one of these endings commands  ON(COMMAND) of attila_subcommands.h,
 * several with |
 *
 * An option that is not given is zero. */
/* clang-format off */
#define ATTILA_OPTIONS(O)                                                                          \
   O(PATH, config_path, "config", 'c', "FILE", "ATTILA_CONFIG", ANY,                               \
     ON(LAUNCH) | ON_REPLAY | ON(PICTURE) | ON(MAPS) | ON(AREA) | ON(DESCRIBE), MACHINE,           \
     "machine to simulate: an .ini file, or the name of one of configs/, such as micro2005; "      \
     "default: the machine of the ISPASS 2006 paper")                                              \
   O(LIST, overrides, "set", 's', "SECTION.KEY=VALUE", "ATTILA_SET", ANY,                          \
     ON(LAUNCH) | ON_REPLAY | ON(PICTURE) | ON(MAPS) | ON(AREA) | ON(DESCRIBE), MACHINE,           \
     "change one parameter of the machine; may be repeated")                                       \
   O(MODE, mode, "mode", 'm', "MODE", "ATTILA_MODE", WORDS(SIM_MODE_WORDS), ON(LAUNCH) |           \
     ON(RUN), MACHINE,                                                                             \
     "cycle (default); half: cycle mode with shaders that take one cycle per instruction; "        \
     "functional: no timing, much faster. The pixels are the same in all modes")                   \
   O(WORDS, ideal, "ideal", 0, "LIST", "ATTILA_IDEAL",                                             \
     WORDS("memory bus geometry raster shader texture caches rop command dac"),                    \
     ON(LAUNCH) | ON(RUN) | ON(BENCH) | ON(DESCRIBE), MACHINE,                                     \
     "make these units ideal, far faster than any real ones: memory, bus, geometry, raster, "      \
     "shader, "                                                                                    \
     "texture, caches, rop, command, dac (docs/notebook/limiter.md)")                              \
                                                                                                   \
   O(RANGES, cycle_frames, "cycle-frames", 0, "LIST", "ATTILA_CYCLE_FRAMES", ANY, ON(LAUNCH),      \
     FRAMES,                                                                                       \
     "simulate only these frames in cycle mode, for example 40-49,100-; functional mode runs the " \
     "others (docs/howto/long-runs.md)")                                                           \
   O(RANGES, cycle_draws, "cycle-draws", 0, "LIST", "ATTILA_CYCLE_DRAWS", ANY,                     \
     ON(LAUNCH) | ON(RUN), FRAMES,                                                                 \
     "simulate only these draws of the chosen frames in cycle mode, for example 40-59,70-, and "   \
     "the work between them")                                                                      \
   O(TEXT, cycle_label, "cycle-label", 0, "NAME", "ATTILA_CYCLE_LABEL", ANY,                       \
     ON(LAUNCH) | ON(RUN), FRAMES,                                                                 \
     "simulate only the work of the chosen frames with this label (as --label) in cycle mode; "    \
     "with --cycle-draws, the work that both choose")                                              \
   O(NUMBER, warm_up, "warm-up", 0, "K", "ATTILA_WARM_UP", ANY, ON(LAUNCH) | ON(RUN), FRAMES,      \
     "simulate K frames before each range of frames, too, but do not report them")                 \
   O(NUMBER, jobs, "jobs", 0, "N", "ATTILA_JOBS", BETWEEN(1, UINT32_MAX), ON(LAUNCH) | ON(RUN),    \
     FRAMES,                                                                                       \
     "run the stream in functional mode, and simulate its frames in cycle mode in N worker "       \
     "processes at a time")                                                                        \
   O(NUMBER, job_frames, "job-frames", 0, "K", "ATTILA_JOB_FRAMES", BETWEEN(1, UINT32_MAX),        \
     ON(LAUNCH) | ON(RUN), FRAMES, "consecutive frames of a worker; default: 1")                   \
   O(NUMBER, threads, "threads", 0, "N", "ATTILA_THREADS", BETWEEN(1, ATTILA_MAX_THREADS),         \
     ON(LAUNCH) | ON_REPLAY | ON(PICTURE), FRAMES,                                                 \
     "threads that execute fragments in functional mode, 1 to 64; default: one per processor, up " \
     "to 8. No result depends on it")                                                              \
   O(NUMBER, box_order_seed, "box-order", 0, "N", "ATTILA_BOX_ORDER", ANY, ON(RUN) | ON(BENCH),    \
     FRAMES,                                                                                       \
     "clock the boxes in another order; with SIMULATOR.Threads now and then by all threads, with " \
     "delays (a test: no result may change)")                                                      \
                                                                                                   \
   O(PATH, out_dir, "out", 'o', "DIR", "ATTILA_OUT", MAKES(FOLDER), ON(LAUNCH) | ON(RUN), REPORT,  \
     "write run.sqlite, frames.csv and draws.csv to this folder")                                  \
   O(WORDS, record, "record", 0, "LIST", "ATTILA_RECORD", WORDS("sqlite boxes csv csv.zst"),       \
     ON(LAUNCH) | ON(RUN), REPORT,                                                                 \
     "what to write beside frames.csv: sqlite (run.sqlite), csv (draws.csv), csv.zst "             \
     "(draws.csv.zst, compressed), boxes (run.sqlite also has the statistics of single boxes "     \
     "for every draw and interval); default: sqlite,csv")                                          \
   O(FLAG, save_frames, "save-frames", 0, NULL, "ATTILA_SAVE_FRAMES", ANY, ON(LAUNCH) | ON(RUN),   \
     REPORT, "also write each frame as frame-NNNN.png")                                            \
   O(NUMBER, interval, "interval", 0, "N", "ATTILA_INTERVAL", BETWEEN(1, UINT32_MAX),              \
     ON(LAUNCH) | ON(RUN), REPORT, "record in run.sqlite what was counted in every N cycles")      \
   O(PATH, power, "power", 0, "TABLE", "ATTILA_POWER", WORDS("builtin"), ON(LAUNCH) | ON(RUN),     \
     REPORT,                                                                                       \
     "record the energy of everything in run.sqlite, by a table of energies: a file of "           \
     "configs/power/, or builtin (docs/explanation/power.md)")                                     \
   O(RANGES, draws_frames, "draws-frames", 0, "LIST", "ATTILA_DRAWS_FRAMES", ANY,                  \
     ON(LAUNCH) | ON(RUN), REPORT,                                                                 \
     "write rows of draws.csv for these frames only, for example 0,10-20,50-")                     \
   O(PICKS, draws, "draws", 0, "LIST", "ATTILA_DRAWS", ANY, ON(LAUNCH) | ON(RUN), REPORT,          \
     "write rows and intervals for these draws only, and for the work between them: FRAME:DRAW, "  \
     "FRAME:FIRST-LAST or FRAME:FIRST-, for example 0:3,7:10-20")                                  \
   O(TEXT, label, "label", 0, "NAME", "ATTILA_LABEL", ANY, ON(LAUNCH) | ON(RUN), REPORT,           \
     "write rows and intervals only for work with this label: its debug group, its marker or the " \
     "label of its target; * and ? match any characters (docs/howto/tools.md)")                    \
   O(TEXT, draws_columns, "draws-columns", 0, "LIST", "ATTILA_DRAWS_COLUMNS", WORDS("none"),       \
     ON(LAUNCH) | ON(RUN), REPORT,                                                                 \
     "write only these statistics per draw, for example 'ReadBytes_*,CulledHZFragments_HZ'; "      \
     "none: "                                                                                      \
     "no statistics")                                                                              \
   O(PATH, capture_path, "capture", 0, "FILE", "ATTILA_CAPTURE", MAKES(FILE), ON(LAUNCH), REPORT,  \
     "record the command stream for attila-sim run")                                               \
   O(FLAG, progress, "progress", 'p', NULL, "ATTILA_PROGRESS", ANY, ON(LAUNCH) | ON(RUN), REPORT,  \
     "print a line per frame on standard error")                                                   \
   O(FLAG, status, "status", 0, NULL, "ATTILA_STATUS", ANY, ON(RUN), REPORT,                       \
     "keep a line with the simulator's position on the terminal; elsewhere print nothing")         \
                                                                                                   \
   O(WORDS, maps, "maps", 0, "LIST", "ATTILA_MAPS",                                                \
     WORDS("all shaded written overdraw latency shader instructions misses draw"),                 \
     ON(LAUNCH) | ON(RUN), MAPS,                                                                   \
     "write maps of what the fragments of each pixel cost, for every frame, to DIR/maps: shaded, " \
     "written, overdraw, latency, shader, instructions, misses, draw, or all "                     \
     "(docs/howto/pictures.md)")                                                                   \
   O(RANGES, maps_each, "maps-each", 0, "LIST", "ATTILA_MAPS_EACH", ANY, ON(LAUNCH) | ON(RUN),     \
     MAPS,                                                                                         \
     "also write maps of each of these draws alone: 3,7-9,20- of each frame (of "                  \
     "--draws-frames, if given)")                                                                  \
   O(PATH, maps_dir, "out", 0, "DIR", NULL, MAKES(FOLDER), ON(MAPS), MAPS,              \
     "write the maps to this folder")                                                              \
   O(SPAN, maps_draws, "draw", 0, "A[-B]", NULL, ANY, ON(MAPS), MAPS,                              \
     "count only what these draws cost; all others run, too")                                      \
                                                                                                   \
   O(PATH, trace_path, "trace", 0, "FILE", "ATTILA_TRACE", ENDS(".pftrace .perfetto-trace"),       \
     ON(LAUNCH) | ON(RUN), TRACE,                                                                  \
     "trace what passes between units into FILE.pftrace, for ui.perfetto.dev "                     \
     "(docs/howto/tools.md)")                                                                      \
   O(SPAN, trace_cycles, "trace-cycles", 0, "A[-B]", "ATTILA_TRACE_CYCLES", ANY,                   \
     ON(LAUNCH) | ON(RUN), TRACE, "trace only these cycles")                                       \
   O(SPAN, trace_frames, "trace-frames", 0, "A[-B]", "ATTILA_TRACE_FRAMES", ANY,                   \
     ON(LAUNCH) | ON(RUN), TRACE, "trace only these frames")                                       \
   O(SPAN, trace_draws, "trace-draws", 0, "A[-B]", "ATTILA_TRACE_DRAWS", ANY,                      \
     ON(LAUNCH) | ON(RUN), TRACE,                                                                  \
     "trace only these draws of the first of the frames; default: of frame 0")                     \
   O(WORDS, trace_what, "trace-what", 0, "LIST", "ATTILA_TRACE_WHAT",                              \
     WORDS("units draws vertices triangles quads memory banks queues"), ON(LAUNCH) | ON(RUN),      \
     TRACE,                                                                                        \
     "trace only these tracks: units, draws, vertices, triangles, quads, memory, banks, "          \
     "queues; default: all but queues")                                                            \
   O(NUMBER, trace_limit, "trace-limit", 0, "MiB", "ATTILA_TRACE_LIMIT", BETWEEN(1, UINT32_MAX),   \
     ON(LAUNCH) | ON(RUN), TRACE, "end the trace when its file has this size; default: 1024")      \
                                                                                                   \
   O(TEXT, debug, "debug", 0, "FLAGS", "ATTILA_DEBUG", ANY, ON(LAUNCH), PROGRAM,                   \
     "debug flags of the driver, with commas between; help lists them")                            \
   O(NUMBER, frame_limit, "frames", 0, "N", "ATTILA_FRAMES", BETWEEN(1, INT32_MAX), ON(LAUNCH),    \
     PROGRAM, "end the program after N frames, with complete reports and status 0")                \
   O(FLAG, frame_on_finish, "frame-on-finish", 0, NULL, "ATTILA_FRAME_ON_FINISH", ANY,             \
     ON(LAUNCH), PROGRAM, "glFinish ends a frame, too (for programs that render off screen)")      \
   O(FLAG, frame_on_flush, "frame-on-flush", 0, NULL, "ATTILA_FRAME_ON_FLUSH", ANY, ON(LAUNCH),    \
     PROGRAM,                                                                                      \
     "glFlush, glFinish and leaving a context end a frame, until the program swaps a window or a " \
     "pbuffer (for WebGL behind a software compositor)")

/* How options depend on each other, for the command line, the environment and attila_sim_create.
 * T(a, but): a needs simulated time, which functional mode does not have, except for the commands
 * but. N(a, b, c): a needs b or c. X(a, b): a and b exclude each other. */
#define ATTILA_RELATIONS(N, X, T)                                                                  \
   T(ideal, 0)                                                                                     \
   T(cycle_frames, ON(RUN))                                                                        \
   T(cycle_draws, 0)                                                                               \
   T(cycle_label, 0)                                                                               \
   T(warm_up, 0)                                                                                   \
   T(jobs, 0)                                                                                      \
   T(box_order_seed, 0)                                                                            \
   T(interval, 0)                                                                                  \
   T(power, 0)                                                                                     \
   T(maps, 0)                                                                                      \
   T(trace_path, 0)                                                                                \
   N(save_frames, out_dir, out_dir)                                                                \
   N(draws_frames, out_dir, out_dir)                                                               \
   N(draws, out_dir, out_dir)                                                                      \
   N(label, out_dir, out_dir)                                                                      \
   N(draws_columns, out_dir, out_dir)                                                              \
   N(record, out_dir, out_dir)                                                                     \
   N(interval, out_dir, out_dir)                                                                   \
   N(power, out_dir, out_dir)                                                                      \
   N(jobs, out_dir, out_dir)                                                                       \
   N(job_frames, jobs, jobs)                                                                       \
   N(warm_up, cycle_frames, jobs)                                                                  \
   X(warm_up, cycle_draws)                                                                         \
   X(warm_up, cycle_label)                                                                         \
   N(maps, out_dir, maps_dir)                                                                      \
   N(maps_each, maps, maps)                                                                        \
   N(maps_draws, maps, maps)                                                                       \
   N(trace_cycles, trace_path, trace_path)                                                         \
   N(trace_frames, trace_path, trace_path)                                                         \
   N(trace_draws, trace_path, trace_path)                                                          \
   N(trace_what, trace_path, trace_path)                                                           \
   N(trace_limit, trace_path, trace_path)                                                          \
   X(trace_cycles, trace_draws)                                                                    \
   X(trace_cycles, trace_frames)                                                                   \
   X(trace_path, jobs)
/* clang-format on */

#endif
