/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The subcommands of attila-sim, one line each, and its exit codes. launch is attila-run.
 * Not here: their options (attila_options_table.h, cli/cli_options_table.h). */
#ifndef ATTILA_SUBCOMMANDS_H
#define ATTILA_SUBCOMMANDS_H

/* E(constant, status, meaning) */
#define ATTILA_EXITS(E)                                                                    \
   E(OK, 0, "done")                                                                        \
   E(FILE, 1, "a file, a folder or a machine cannot be used; the message says why")        \
   E(USAGE, 2, "wrong usage: an unknown option, a value out of range, a missing argument") \
   E(STOPPED, 3, "the simulator stopped on an error in the command stream or in itself")

/* The most arguments of a command that takes any number. */
#define ATTILA_ANY_NUMBER 0xffff

/* C(constant, function, name, arguments, fewest, most, calls, summary, description). The function
 * is cli_FUNCTION, called ONCE, or for EACH argument; then the highest status counts. Lines of the
 * description that begin with a space are printed as they are. */
/* clang-format off */
#define ATTILA_SUBCOMMANDS(C)                                                                      \
   C(LAUNCH, launch, "launch", "PROGRAM [ARGUMENT...]", 1, ATTILA_ANY_NUMBER, ONCE,                \
     "what attila-run starts",                                                 \
     "Runs a program with OpenGL and EGL on the simulated ATTILA GPU. Without a display, a "       \
     "virtual X server is started for it. Recipes for many programs: docs/howto/programs.md.\n"    \
     "\n"                                                                                          \
     "Examples:\n"                                                                                 \
     "  attila-run glxgears\n"                                                                     \
     "  attila-run --frames 10 --out /tmp/o --progress glxgears\n"                                 \
     "  attila-run --mode functional --out /tmp/o --save-frames \\\n"                              \
     "     glmark2 -b build:nframes=3:duration=1000000\n"                                          \
     "  attila-run --set GPU.NumFragmentShaders=8 --set GPU.NumStampPipes=8 --out /tmp/o glmark2") \
   C(RUN, run, "run", "FILE", 1, 1, ONCE, "replay a capture",                                      \
     "Simulates the command stream in FILE, which attila-run --capture recorded, and prints the "  \
     "cycles and the host time that it took.")                                                     \
   C(BENCH, bench, "bench", "FILE...", 1, ATTILA_ANY_NUMBER, EACH,                                 \
     "speed of the simulator on a capture, and host time of each box",                             \
     "Replays each capture in functional mode, in cycle mode, and in cycle mode again with the "   \
     "host time of every box.")                                                                    \
   C(INFO, info, "info", "FILE...", 1, ATTILA_ANY_NUMBER, EACH, "commands, frames and draws of a " \
     "capture",                                                                                    \
     "Counts the commands of each capture. Nothing is simulated.")                                 \
   C(DUMP, dump, "dump", "FILE...", 1, ATTILA_ANY_NUMBER, EACH, "a capture as text",               \
     "Prints each capture as text: registers by name, draws, programs.")                           \
   C(DISASM, disasm, "disasm", "FILE...", 1, ATTILA_ANY_NUMBER, EACH, "shader programs of a "      \
     "capture",                                                                                    \
     "Disassembles every shader program of each capture.")                                         \
   C(INDEX, index, "index", "FILE...", 1, ATTILA_ANY_NUMBER, EACH,                                 \
     "checkpoints beside a capture, so that any frame is reached soon",                            \
     "Writes checkpoints of memory, registers and machine to FILE.index. run, bench and picture "  \
     "start from them (docs/howto/long-runs.md).")                                                 \
   C(FEATURES, features, "features", "FILE...", 1, ATTILA_ANY_NUMBER, EACH,                        \
     "what each frame asks of a GPU, as CSV",                                                      \
     "Runs each capture in functional mode and prints a row per frame: vertices, triangles, "      \
     "fragments, texels, instructions.")                                                           \
   C(MERGE, merge, "merge", "DIR...", 1, ATTILA_ANY_NUMBER, EACH, "one run.sqlite from the "       \
     "reports of --jobs",                                                                          \
     "Joins the reports of the workers in DIR/workers. run and attila-run do it by themselves.")   \
   C(POWER, power, "power", "[DIR]", 0, 1, ONCE, "energy of a run by unit",                        \
     "Prints the energy of the run in DIR/run.sqlite by unit (docs/explanation/power.md).")        \
   C(AREA, area, "area", "", 0, 0, ONCE, "area of a machine by unit",                              \
     "Estimates the area of each unit of a machine from its parameters "                           \
     "(docs/explanation/area.md).")                                                                \
   C(PICTURE, picture, "picture", "FILE", 1, 1, ONCE, "what a draw did to the picture",            \
     "Replays a capture in functional mode and shows what a draw found in the surface that it "    \
     "draws to, or left there. With --cycle, simulates the capture in cycle mode and shows the "   \
     "unfinished frame at the end of a cycle. Frames and draws count from 0, as in draws.csv and " \
     "run.sqlite.\n"                                                                               \
     "\n"                                                                                          \
     "Depth and stencil are grey, from the smallest value (black) to the largest (white) of "      \
     "before and after. Samples are averaged; of depth and stencil the first one is shown.")       \
   C(MAPS, maps, "maps", "FILE", 1, 1, ONCE, "what each pixel cost",                               \
     "Simulates a frame of a capture and writes, for each map and each surface that the frame "    \
     "draws to, a picture with a legend (frame-0003-written.png) and its values "                  \
     "(frame-0003-written.npy, a NumPy array; 0: none). maps.csv lists them. run and attila-run "  \
     "write the same maps for every frame, beside their reports, with --maps and --maps-each.\n"   \
     "\n"                                                                                          \
     "Maps:\n"                                                                                     \
     "  shaded        fragments given to a shader\n"                                               \
     "  written       fragments that passed all tests\n"                                           \
     "  overdraw      both\n"                                                                      \
     "  latency       cycles from Hierarchical Z to the write of the quad's last pixel; mean of\n" \
     "                the written fragments\n"                                                     \
     "  shader        cycles that its fragments' groups spent with their shader; sum\n"            \
     "  instructions  shader instructions executed for it\n"                                       \
     "  misses        misses of its look-ups in the first-level texture cache\n"                   \
     "  draw          the last draw that wrote it; the value is the draw's number plus 1")         \
   C(REPROGRAM, reprogram, "reprogram", "FILE N=TEXT...", 2, ATTILA_ANY_NUMBER, ONCE,              \
     "a capture with other shader programs",                                                       \
     "Writes a copy of a capture in which the program in the file TEXT replaces program N, "       \
     "instruction for instruction: nothing is optimised. disasm prints the numbers, and programs " \
     "in the form that TEXT has (docs/reference/shader-isa.md). A program can only read the "      \
     "inputs and "                                                                                 \
     "textures, and must write the outputs, of the program that it replaces; its constants are "   \
     "where that one has them.")                                                                   \
   C(TRIM, trim, "trim", "FILE OUT", 2, 2, ONCE, "a small capture of some frames of another",      \
     "Writes a capture of the frames --frames A-B of FILE, or of some draws of a frame, for "      \
     "example to attach it to a report of a defect. Its frame 0 sets up what these frames find: "  \
     "all state, and the memory that they access; and it draws the frame before them. Its frames " \
     "from 1 on are the wanted ones, with the same pixels, and the cycles of a warm start (run "   \
     "--start-frame 1; docs/howto/long-runs.md).")                                                 \
   C(EXPERIMENT, experiment, "experiment", "FILE OUT", 2, 2, ONCE,                                 \
     "a capture whose draws are left out or do less",                                              \
     "Writes a copy of a capture in which draws are left out (--what skip), draw to one pixel "    \
     "(scissor), read textures of 2x2 texels (textures) or do not blend (blend). What the copy "   \
     "saves is what that work costs. \"attila experiments\" tries all on a frame, beside ideal "   \
     "units (docs/howto/experiments.md).")                                                         \
   C(DESCRIBE, describe, "describe", "", 0, 0, ONCE, "parameters and statistics of a machine",     \
     "Prints the parameters of a machine with their ranges, and its statistics.")                  \
   C(INTERFACE, interface, "interface", "", 0, 0, ONCE, "commands, registers and counters, as "    \
     "Markdown",                                                                                   \
     "Prints docs/reference/interface.md.")                                                        \
   C(OPTIONS, options, "options", "[COMMAND]", 0, 1, ONCE, "all options, as Markdown",             \
     "Prints docs/reference/options.md: subcommands, options, variables, exit codes. With "        \
     "COMMAND, a line "                                                                            \
     "for each of its options instead: name, argument and accepted words, separated by tabs.")     \
   C(CHECK_ENV, check_env, "check-env", "", 0, 0, ONCE,                                            \
     "whether the machine of the ATTILA_* variables can be built",                                 \
     "Checks the ATTILA_* variables and builds their machine. Nothing is written.")                \
   C(HELP, help, "help", "[COMMAND]", 0, 1, ONCE, "help on a subcommand, or on all",               \
     "Prints this text.")                                                                          \
   C(VERSION, version, "version", "", 0, 0, ONCE, "version and commit",                            \
     "Prints the release and the commit.")
/* clang-format on */

#endif
