/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Options of attila-sim's subcommands and of attila-run that do not reach the simulator, and other
 * names of options that do. Not here: options of a run (options/attila_options_table.h, which also
 * says what the columns mean). */
#ifndef CLI_OPTIONS_TABLE_H
#define CLI_OPTIONS_TABLE_H

/* O: as in ATTILA_OPTIONS, with a member of struct cli_options. A: the same for a member that
 * another line declares. There are two more types: RANGE, a struct sim_option_range for "A", "A-B"
 * or "A-"; START, a number N that is kept as the text "N-". */
/* clang-format off */
#define CLI_OPTIONS(O, A)                                                                          \
   A(RANGES, sim.cycle_frames, "frames", 'f', "LIST", NULL, ANY, ON(RUN) | ON(BENCH), FRAMES,      \
     "report only these frames, for example 40-49,100-, and stop after the last one; functional "  \
     "mode runs the frames before them (docs/howto/long-runs.md). Several ranges need --jobs, "    \
     "--cycle-draws "                                                                              \
     "or --cycle-label")                                                                           \
   A(START, sim.cycle_frames, "start-frame", 0, "N", NULL, ANY, ON(LAUNCH) | ON(RUN) | ON(BENCH),  \
     FRAMES, "functional mode up to frame N (from 0), cycle mode from there on")                   \
   O(FLAG, no_index, "no-index", 0, NULL, NULL, ANY, ON(RUN) | ON(BENCH) | ON(PICTURE), FRAMES,    \
     "do not use the checkpoints in FILE.index")                                                   \
   O(NUMBER, every, "every", 0, "K", NULL, BETWEEN(1, UINT32_MAX), ON(INDEX), FRAMES,              \
     "a checkpoint every K frames, also where FILE.index has others; default: after every 0.4 s "  \
     "of host time")                       \
   O(FLAG, profile, "profile", 0, NULL, NULL, ANY, ON(RUN), REPORT,                                \
     "print the host time of every box")                                                           \
   O(RANGE, frames, "frames", 'f', "A[-B]", NULL, ANY,                                      \
     ON(DUMP) | ON(FEATURES) | ON(TRIM), FRAMES, "take only frames A to B, counted from 0")        \
   A(RANGE, frames, "frames", 'f', "A[-B]", NULL, ANY, ON(EXPERIMENT), FRAMES,                     \
     "change only draws of frames A to B, counted from 0")                                         \
   O(RANGE, some_draws, "draws", 0, "A[-B]", NULL, ANY, ON(DUMP), FRAMES,                          \
     "print only draws A to B of each frame")                                                      \
   A(RANGE, some_draws, "draws", 0, "A[-B]", NULL, ANY, ON(TRIM), FRAMES,                          \
     "take only draws A to B, counted from 0, of one frame")                                       \
   A(RANGE, some_draws, "draws", 0, "A[-B]", NULL, ANY, ON(EXPERIMENT), FRAMES,                    \
     "change only draws A to B of each frame, as dump numbers them")                               \
   O(WORDS, what, "what", 0, "LIST", NULL, WORDS("skip scissor textures blend"), ON(EXPERIMENT),   \
     OUTPUT,                                                                                       \
     "what to try: skip (leave the draws out), scissor (one pixel), textures (2x2 texels, one "    \
     "level), blend (neither blending nor logical operations); several with commas between")       \
   O(FLAG, state, "state", 0, NULL, NULL, ANY, ON(DUMP), OUTPUT,                                   \
     "print all state that is not 0 at every draw")                                                \
                                                                                                   \
   O(CHOICE, format, "format", 0, "FORMAT", NULL, WORDS("text csv json"), ON(POWER), OUTPUT,       \
     "text (default), or csv or json, in femtojoules, which add up exactly")                       \
   A(CHOICE, format, "format", 0, "FORMAT", NULL, WORDS("text csv json markdown"), ON(AREA),       \
     OUTPUT,                                                                                       \
     "text (default), csv, json, or markdown with the source of each estimate")                    \
   A(CHOICE, format, "format", 0, "FORMAT", NULL,                                                  \
     WORDS("text markdown ini statistics units json"), ON(DESCRIBE), OUTPUT,                       \
     "text (default); markdown: docs/reference/parameters.md; ini: a machine that can be loaded "  \
     "again; "                                                                                     \
     "statistics: docs/reference/statistics.md; units: docs/reference/units.md; "                  \
     "json: parameters and statistics in an object")                                               \
   O(PATH, file, "out", 'o', "FILE", NULL, MAKES(FILE), ON(REPROGRAM), OUTPUT, "the new capture")  \
   A(PATH, file, NULL, 'o', "FILE", NULL, MAKES(FILE), ON(PICTURE), OUTPUT,                        \
     "the picture, if there is only one")                                                          \
   O(PATH, folder, "out", 0, "DIR", NULL, MAKES(FOLDER), ON(PICTURE), OUTPUT,                      \
     "write frame-FFFF-draw-DDDD-SURFACE-KIND.png or cycle-CCCCCCCCCC-SURFACE.png files to this "  \
     "folder, and pictures.csv, which lists them")                                                 \
                                                                                                   \
   O(PATH, table, "table", 0, "FILE", NULL, ANY, ON(POWER), MACHINE,                               \
     "another table of energies (configs/power/); default: the run's own, else the built-in one")  \
   A(LIST, sim.overrides, "set", 's', "SECTION.KEY=VALUE", NULL, ANY, ON(POWER), MACHINE,          \
     "change one key of the table, for example PROCESS.Voltage=1.2 or LEAKAGE.Ratio=0.5; may be "  \
     "repeated")                                                                                   \
   O(CHOICE, by, "by", 0, "WHAT", NULL, WORDS("run frame work interval"), ON(POWER), OUTPUT,       \
     "what has a row of its own: run (default), frame, work or interval; all but run need "        \
     "--format csv or json")                                                                       \
   O(FLAG, write, "write", 0, NULL, NULL, ANY, ON(POWER), OUTPUT,                                  \
     "put the table and its views into run.sqlite (docs/explanation/power.md)")                    \
   O(FLAG, describe, "describe", 0, NULL, NULL, ANY, ON(POWER), OUTPUT,                            \
     "print the table of energies as an .ini file, or with --format json as an object; takes no "  \
     "DIR")                                                                                        \
   O(CHOICE, process, "process", 0, "NM", NULL, WORDS("150 130 110 90 65 40"), ON(AREA), MACHINE,  \
     "process in nanometres: 150, 130 (default), 110, 90, 65 or 40")                               \
                                                                                                   \
   A(RANGES, sim.cycle_frames, "frame", 0, "F[-G]", NULL, ANY, ON(MAPS), FRAMES,                   \
     "this frame (default: 0), or frames F to G; functional mode runs the frames before them, so " \
     "caches are cold in the first one")                                                           \
   A(WORDS, sim.maps, "map", 0, "LIST", NULL,                                                      \
     WORDS("all shaded written overdraw latency shader instructions misses draw"), ON(MAPS), MAPS, \
     "write only these maps, with commas between; default: all")                                   \
   A(RANGES, sim.maps_each, "each", 0, "LIST", NULL, ANY, ON(MAPS), MAPS,                          \
     "also write maps of each of these draws alone (frame-0003-draw-0057-written.png): "           \
     "3,7-9,20- of each frame")                                                                    \
   O(NUMBER, frame, "frame", 0, "F", NULL, ANY, ON(PICTURE), FRAMES,                               \
     "show draws of this frame (default: 0). With --cycle: functional mode runs the frames "       \
     "before it, and cycles count from its beginning")                                             \
   O(TEXT, draws, "draw", 0, "D", NULL, ANY, ON(PICTURE), FRAMES, "this draw")                     \
   A(TEXT, draws, "draws", 0, "LIST", NULL, ANY, ON(PICTURE), FRAMES,                              \
     "these draws, for example 0-9,12,40- (40- goes on to the last one)")                          \
   O(TEXT, pick, "pick", 0, "LIST", NULL, ANY, ON(PICTURE), FRAMES,                                \
     "these draws of several frames, FRAME:DRAW or FRAME:A-B, with commas between")                \
   O(TEXT, pixel, "pixel", 0, "X,Y", NULL, ANY, ON(PICTURE), OUTPUT,                               \
     "instead of pictures: every fragment that comes to this pixel (from the top left) in these "  \
     "draws, default all of the frame: its depth, tests and colour, and the pixel's values "       \
     "before and after it")                                                                        \
   O(NUMBER, grid, "grid", 0, "N", NULL, BETWEEN(1, 4096), ON(PICTURE), OUTPUT,                    \
     "instead of pictures: as CSV, every fragment that comes to the middle of each square of N x " \
     "N pixels in these draws, default all of the frame")                                          \
   A(CHOICE, format, "format", 0, "FORMAT", NULL, WORDS("text json"), ON(INFO), OUTPUT,            \
     "text (default), or json: an object in a line for each capture, without its checkpoints")     \
   O(FLAG, vertices, "vertices", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                          \
     "instead of pictures: the vertices of these draws before and after the vertex program, in "   \
     "the order in which they are shaded. One that indices name far apart may be shaded again")    \
   O(FLAG, primitives, "primitives", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                      \
     "with --vertices as JSON, also each primitive, after its vertices: their numbers among "      \
     "those of the draw, from 0")                                                                  \
   O(NUMBER, most, "most", 0, "N", NULL, BETWEEN(1, UINT32_MAX), ON(PICTURE), OUTPUT,              \
     "with --vertices, at most N vertices of a draw; default: 20 as text, else all")               \
   A(CHOICE, format, "format", 0, "FORMAT", NULL, WORDS("text csv json"), ON(PICTURE), OUTPUT,     \
     "with --pixel text (default) or json; with --vertices text (default), csv or json")           \
   O(TEXT, cycle, "cycle", 0, "LIST", NULL, ANY, ON(PICTURE), FRAMES,                              \
     "show the surface of the oldest draw in flight at these cycles of the run, for example "      \
     "150000,200000-300000/25000 (every 25,000th)")                                                \
   O(CHOICE, timed_mode, "mode", 'm', "MODE", NULL, WORDS("cycle half"), ON(PICTURE) | ON(MAPS),   \
     MACHINE, "cycle (default) or half; picture takes it with --cycle only")                       \
   O(FLAG, before, "before", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                              \
     "the surface before the draw")                                                                \
   O(FLAG, after, "after", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                                \
     "the surface after the draw (default)")                                                       \
   O(FLAG, diff, "diff", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                                  \
     "the surface after the draw where the draw changed it; all else dark grey")                   \
   O(FLAG, coverage, "coverage", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                          \
     "the surface (the first one) after the draw, dark grey; green where a fragment of the draw "  \
     "passed all tests, red where its fragments came and all failed or were killed")               \
   O(FLAG, overdraw, "overdraw", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                          \
     "a surface (the first one), dark grey; from violet to yellow, how many fragments of the "     \
     "draw came to each pixel")                                                                    \
   O(FLAG, wireframe, "wireframe", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                        \
     "a surface (the first one), half as bright, with the edges of the draw's primitives")         \
   O(TEXT, surface, "surface", 0, "LIST", NULL,                                                    \
     WORDS("color0 color1 color2 color3 color4 color5 color6 color7 depth stencil"), ON(PICTURE),  \
     OUTPUT, "color0 (default) to color7, depth, stencil, with commas between")                    \
   O(FLAG, textures, "textures", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                          \
     "also write the textures that the draw's programs sample (level 0 of the view, first "        \
     "slice)")                                                                                     \
   O(FLAG, raw, "raw", 0, NULL, NULL, ANY, ON(PICTURE), OUTPUT,                                    \
     "also write the values as NumPy arrays (.npy), not clamped: red, green, blue, alpha, or "     \
     "one value of depth and stencil")                                                             \
   O(NUMBER, max_size, "max-size", 0, "N", NULL, BETWEEN(1, UINT32_MAX), ON(PICTURE), OUTPUT,      \
     "shrink larger pictures by a whole number to at most N pixels in width and height")           \
                                                                                                   \
   O(PATH, grab, "grab", 0, "DIR", "ATTILA_HOOK_DIR", MAKES(FOLDER), ON(LAUNCH), PROGRAM,          \
     "save what the program drew as DIR/frame-NNNN.png, read back with glReadPixels before each "  \
     "swap")                                                                                       \
   O(NUMBER, grab_frames, "grab-frames", 0, "N", "ATTILA_HOOK_FRAMES", BETWEEN(1, INT32_MAX),      \
     ON(LAUNCH), PROGRAM, "save only the first N frames")                                          \
   O(NUMBER, fixed_clock, "fixed-clock", 0, "FPS", "ATTILA_HOOK_FPS", BETWEEN(1, 999999999),       \
     ON(LAUNCH), PROGRAM,                                                                          \
     "the program sees a clock that advances by 1/FPS s per frame, and the same random numbers "   \
     "each time, so that its animation repeats (docs/howto/programs.md)")                          \
   O(FLAG, simulated_clock, "simulated-clock", 0, NULL, "ATTILA_HOOK_SIMULATED", ANY, ON(LAUNCH),  \
     PROGRAM,                                                                                      \
     "the program sees a clock that advances with the simulated GPU: its frames per second are "   \
     "those of the simulated machine, and the same in every run (docs/howto/tools.md)")            \
   O(NUMBER, host_limit, "host-limit", 0, "MINUTES", NULL, BETWEEN(1, 10000000),           \
     ON(LAUNCH), PROGRAM,                                                                          \
     "with --simulated-clock, end the program after so many minutes of real time, with complete "  \
     "reports and status 124; default: 60")                                                        \
   O(FLAG, report, "report", 0, NULL, NULL, ANY, ON(LAUNCH), PROGRAM,                          \
     "capture, pictures, record, intervals and the page of attila-report at once, in the folder "  \
     "of --out; default: a new folder PROGRAM-run")                                                \
   O(CHOICE, gl, "gl", 0, "VERSION", NULL,                                                         \
     WORDS("2.1 3.0 3.1 3.2 3.3 4.0 4.1 4.2 4.3 4.4 4.5 4.6"), ON(LAUNCH), PROGRAM,                \
     "tell the program that there is OpenGL of this version; what this GPU lacks of it is "        \
     "refused (docs/howto/programs.md)")                                                           \
   O(CHOICE, driver, "driver", 0, "NAME", NULL, WORDS("attila softpipe system llvmpipe"),      \
     ON(LAUNCH), PROGRAM,                                                                          \
     "attila (default); softpipe: Mesa's software reference, from this build; system: the OpenGL " \
     "of this computer; llvmpipe: its software driver, if it is Mesa")                             \
   O(FLAG, display, "display", 0, NULL, NULL, ANY, ON(LAUNCH), PROGRAM,                       \
     "use $DISPLAY; never start a virtual server")                                                 \
   O(TEXT, size, "size", 0, "WxH", NULL, ANY, ON(LAUNCH), PROGRAM,                               \
     "size of the virtual server's screen; default: 1280x1024")                                    \
   O(FLAG, no_check, "no-check", 0, NULL, NULL, ANY, ON(LAUNCH), PROGRAM,                    \
     "do not check first that the renderer is the one of --driver")

/* As ATTILA_RELATIONS. */
#define CLI_RELATIONS(N, X, T)                                                                     \
   N(grab_frames, grab, grab)                                                                      \
   X(simulated_clock, fixed_clock)                                                                 \
   N(host_limit, simulated_clock, simulated_clock)                                                 \
   T(report, 0)                                                                                    \
   T(profile, 0)                                                                                   \
   X(report, sim.jobs)                                                                             \
   X(simulated_clock, sim.cycle_draws)                                                             \
   X(simulated_clock, sim.cycle_label)                                                             \
   T(simulated_clock, 0)                                                                           \
   X(draws, pick)                                                                                  \
   X(pixel, file)                                                                                  \
   X(pixel, folder)                                                                                \
   X(pixel, surface)                                                                               \
   X(pixel, cycle)                                                                                 \
   X(pixel, timed_mode)                                                                            \
   X(pixel, before)                                                                                \
   X(pixel, after)                                                                                 \
   X(pixel, coverage)                                                                              \
   X(pixel, overdraw)                                                                              \
   X(pixel, wireframe)                                                                             \
   X(pixel, diff)                                                                                  \
   X(pixel, textures)                                                                              \
   X(pixel, raw)                                                                                   \
   X(pixel, max_size)                                                                              \
   X(grid, pixel)                                                                                  \
   X(grid, vertices)                                                                               \
   X(grid, file)                                                                                   \
   X(grid, folder)                                                                                 \
   X(grid, surface)                                                                                \
   X(grid, cycle)                                                                                  \
   X(grid, timed_mode)                                                                             \
   X(grid, before)                                                                                 \
   X(grid, after)                                                                                  \
   X(grid, diff)                                                                                   \
   X(grid, coverage)                                                                               \
   X(grid, overdraw)                                                                               \
   X(grid, wireframe)                                                                              \
   X(grid, textures)                                                                               \
   X(grid, raw)                                                                                    \
   X(grid, max_size)                                                                               \
   N(primitives, vertices, vertices)                                                               \
   N(most, vertices, vertices)                                                                     \
   X(vertices, pixel)                                                                              \
   X(vertices, file)                                                                               \
   X(vertices, folder)                                                                             \
   X(vertices, surface)                                                                            \
   X(vertices, cycle)                                                                              \
   X(vertices, timed_mode)                                                                         \
   X(vertices, before)                                                                             \
   X(vertices, after)                                                                              \
   X(vertices, coverage)                                                                           \
   X(vertices, overdraw)                                                                           \
   X(vertices, wireframe)                                                                          \
   X(vertices, diff)                                                                               \
   X(vertices, textures)                                                                           \
   X(vertices, raw)                                                                                \
   X(vertices, max_size)                                                                           \
   X(draws, cycle)                                                                                 \
   X(pick, cycle)                                                                                  \
   X(pick, frame)                                                                                  \
   X(cycle, before)                                                                                \
   X(cycle, after)                                                                                 \
   X(cycle, coverage)                                                                              \
   X(cycle, overdraw)                                                                              \
   X(cycle, wireframe)                                                                             \
   X(cycle, diff)                                                                                  \
   X(cycle, textures)                                                                              \
   X(textures, file)                                                                               \
   X(raw, file)                                                                                    \
   X(file, folder)                                                                                 \
   X(describe, by)                                                                                 \
   X(describe, write)
/* clang-format on */

#endif
