/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The program attila-run: checks the command line, the machine and the files before anything is
 * started, makes the environment, runs the program. attila-sim check-env checks the environment
 * alone. Not here: where the driver's libraries are (scripts/lib/paths.sh), the display, the
 * program's life and what follows it (cli/launch.h). */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "cli/launch.h"
#include "config/sim_config.h"
#include "core/sim_file.h"
#include "core/sim_nearest.h"
#include "hw/attila_debug_flags.h"

/* Builds the machine; nothing is written. */
static int
cli_launch_check_machine(const struct attila_sim_options *given, const char *who)
{
   char error[1024];
   struct attila_sim_options o = *given;
   o.check_only = true;
   struct attila_sim *sim = attila_sim_create(&o, error, sizeof(error));
   if (!sim)
      fprintf(stderr, "%s: %s\n", who, error);
   attila_sim_destroy(sim);
   return sim ? CLI_OK : CLI_FILE;
}

int
cli_check_env(struct cli_options *o, char **args)
{
   char error[1024];
   if (!attila_sim_options_from_env(&o->sim, error, sizeof(error))) {
      fprintf(stderr, "attila-sim: %s\n", error);
      return CLI_USAGE;
   }
   return cli_launch_check_machine(&o->sim, "attila-sim");
}

static bool
cli_launch_size_is_good(const char *size)
{
   unsigned width, height;
   int end = 0;
   return !size ||
          (sscanf(size, "%5ux%5u%n", &width, &height, &end) == 2 && !size[end] && width && height);
}

/* --- --debug --- */

static const struct {
   const char *name, *meaning;
} debug_flags[] = {
#define D(NAME, name, bit, meaning) {name, meaning},
    ATTILA_DEBUG_FLAGS(D)
#undef D
};
#define NUM_DEBUG_FLAGS (sizeof(debug_flags) / sizeof(debug_flags[0]))

bool
cli_launch_wants_debug_help(const struct cli_options *o)
{
   if (!o->sim.debug || strcmp(o->sim.debug, "help"))
      return false;
   fprintf(stderr, "attila-run: --debug takes these, with commas between them:\n");
   for (unsigned i = 0; i < NUM_DEBUG_FLAGS; i++)
      fprintf(stderr, "  %-14s %s\n", debug_flags[i].name, debug_flags[i].meaning);
   return true;
}

static int
cli_launch_check_debug(const struct cli_options *o)
{
   for (const char *p = o->sim.debug ? o->sim.debug : ""; *p; p += *p == ',') {
      char word[64];
      const char *meant = NULL;
      struct sim_nearest near = {.wanted = word};
      const int n = (int)strcspn(p, ",");
      snprintf(word, sizeof(word), "%.*s", n, p);
      for (unsigned i = 0; i < NUM_DEBUG_FLAGS; i++)
         meant = sim_nearest_is(&near, debug_flags[i].name) ? debug_flags[i].name : meant;
      if (!meant || near.differences)
         return cli_complain(o, "--debug \"%s\": there is no such flag%s%s%s", word,
                             meant ? "; is it " : " (--debug help lists them)", meant ? meant : "",
                             meant ? "?" : "");
      p += n;
   }
   return CLI_OK;
}

/* --- What does not go together --- */

static bool
cli_launch_for_attila(const struct cli_options *o)
{
   return !strcmp(o->driver, "attila");
}

/* Options that only the simulated GPU or its driver looks at. */
static bool
cli_launch_is_for_attila(const struct sim_option *p)
{
   static const size_t of_program[] = {offsetof(struct cli_options, sim.debug),
                                       offsetof(struct cli_options, sim.frame_limit),
                                       offsetof(struct cli_options, sim.frame_on_finish),
                                       offsetof(struct cli_options, sim.frame_on_flush),
                                       offsetof(struct cli_options, simulated_clock),
                                       offsetof(struct cli_options, host_limit),
                                       offsetof(struct cli_options, report)};
   bool is = p->group != SIM_GROUP_PROGRAM;
   for (unsigned i = 0; i < sizeof(of_program) / sizeof(of_program[0]); i++)
      is |= p->offset == of_program[i];
   return is && p->commands & ON(LAUNCH);
}

/* Refuses options on the command line that need the driver attila. Variables of the environment are
 * no mistake: they may be meant for another program. */
static int
cli_launch_check_driver(const struct cli_options *o)
{
   const struct sim_option_table *t = &cli_option_table;
   if (cli_launch_for_attila(o))
      return CLI_OK;
   for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
      if (cli_launch_is_for_attila(p) && sim_option_given(p, o) && o->typed[p - t->options])
         return cli_complain(o, "--%s needs --driver attila%s", p->name,
                             p->offset == offsetof(struct cli_options, sim.frame_limit)
                                 ? "; --grab-frames ends what --grab saves"
                                 : "");
   }
   return CLI_OK;
}

/* Warns of options after the program's name, such as "attila-run glxgears --frames 1". */
static void
cli_launch_note_late_options(const struct cli_options *o, char **args)
{
   const struct sim_option_table *t = &cli_option_table;
   for (unsigned i = 1; i < o->num_args; i++) {
      for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
         if (p->commands & ON(LAUNCH) && p->name && !strncmp(args[i], "--", 2) &&
             !strcmp(args[i] + 2, p->name))
            fprintf(stderr,
                    "attila-run: note: %s stands after %s, so it is an option of that "
                    "program\n",
                    args[i], args[0]);
      }
   }
}

/* Checks all that needs no look at a file. */
static int
cli_launch_check(struct cli_options *o, char **args)
{
   char error[1024];
   if (!cli_launch_size_is_good(o->size))
      return cli_complain(o, "--size \"%s\": expected WIDTHxHEIGHT", o->size);
   if (cli_launch_check_driver(o) || cli_launch_check_debug(o))
      return CLI_USAGE;
   cli_launch_note_late_options(o, args);
   if (!sim_options_live(&o->sim, error, sizeof(error)))
      return cli_complain(o, "%s", error);
   return cli_launch_for_attila(o) ? cli_launch_check_machine(&o->sim, "attila-run") : CLI_OK;
}

/* --- Places: lines NAME=VALUE of $ATTILA_PLACES (scripts/attila-run) --- */

#define MAX_PLACES 32

struct places {
   char *text;
   char *line[MAX_PLACES];
   unsigned num;
};

/* Reads and unsets the variable: only this process needs it. */
static bool
cli_launch_read_places(struct places *p)
{
   const char *given = getenv("ATTILA_PLACES");
   p->text = strdup(given ? given : "");
   unsetenv("ATTILA_PLACES");
   char *rest = p->text;
   for (char *line; rest && (line = strsep(&rest, "\n")) && p->num < MAX_PLACES;)
      p->line[p->num++] = line;
   return given && rest == NULL;
}

/* Returns the value of a name, or "" if there is none. */
static const char *
cli_launch_place(const struct places *p, const char *name)
{
   const size_t n = strlen(name);
   for (unsigned i = 0; i < p->num; i++) {
      if (!strncmp(p->line[i], name, n) && p->line[i][n] == '=')
         return p->line[i] + n + 1;
   }
   return "";
}

static int
cli_launch_check_place(const struct places *p, const char *what, const char *name)
{
   const char *path = cli_launch_place(p, name);
   return access(path, F_OK)
              ? launch_fail("no %s%s: %s", what, path, cli_launch_place(p, "missing"))
              : CLI_OK;
}

/* --- The program and its files --- */

/* Returns the status that a shell returns for a program that cannot start. */
static int
cli_launch_check_program(const char *name)
{
   struct stat st;
   char *path = launch_find_program(name);
   const bool other_user = path && !stat(path, &st) && st.st_mode & (S_ISUID | S_ISGID);
   int status = CLI_OK;
   if (!path && access(name, F_OK) == 0) {
      fprintf(stderr, "attila-run: error: %s is not executable\n", name);
      status = 126;
   } else if (!path) {
      fprintf(stderr, "attila-run: error: no program '%s'\n", name);
      status = 127;
   } else if (other_user) {
      status = launch_fail("%s changes its user or group when it starts, so the loader would not "
                           "take this driver's libraries: run a copy of %s",
                           name, path);
   }
   free(path);
   return status;
}

/* Sets the options that --report implies: everything that attila-report can show, in a new
 * folder. */
static int
cli_launch_take_report(struct cli_options *o, const struct places *p, const char *program)
{
   const char *slash = strrchr(program, '/'), *name = slash ? slash + 1 : program;
   const char *const current[] = {cli_launch_place(p, "bundle"), "--current", NULL};
   if (access(cli_launch_place(p, "page"), R_OK) ||
       (*current[0] && launch_command(current, -1, -1)))
      return launch_fail("--report: there is no page, or not of these sources: run scripts/setup "
                         "--report first");
   if (!o->sim.out_dir) {
      char *folder = sim_file_path("%s-run", name);
      for (unsigned n = 2; access(folder, F_OK) == 0; n++) {
         free(folder);
         folder = sim_file_path("%s-run-%u", name, n);
      }
      o->sim.out_dir = folder;
   }
   o->sim.save_frames = true;
   if (!o->sim.interval)
      o->sim.interval = 10000;
   if (!o->sim.capture_path)
      o->sim.capture_path = sim_file_path("%s/capture.attila", o->sim.out_dir);
   return CLI_OK;
}

/* Refuses output that cannot be written, before the program starts. */
static int
cli_launch_check_files(const struct cli_options *o)
{
   const char *out = o->sim.out_dir, *capture = o->sim.capture_path;
   char error[4400];
   struct stat st;
   if (o->grab && !sim_file_make_folder(o->grab))
      return launch_fail("cannot create %s: %s", o->grab, strerror(errno));
   if (!cli_launch_for_attila(o))
      return CLI_OK;
   if (out && !sim_file_make_folder(out))
      return launch_fail("cannot write to the folder %s: %s", out, strerror(errno));
   if (out && !cli_run_workers_free("attila-run: error", out))
      return CLI_FILE;
   /* --report may have set these paths. */
   if ((out && !sim_file_can_make(out, true, error, sizeof(error))) ||
       (capture && !sim_file_can_make(capture, false, error, sizeof(error))))
      return launch_fail("%s", error);
   if (capture && !stat(capture, &st) && !S_ISFIFO(st.st_mode) && !S_ISREG(st.st_mode))
      return launch_fail("%s is not a file that can be written", capture);
   return CLI_OK;
}

/* --- The environment --- */

/* Makes a path absolute: the program may run in another folder. */
static void
cli_launch_make_absolute(struct cli_options *o, const struct sim_option *p)
{
   char found[4096], *folder = getcwd(NULL, 0);
   const char **member = (const char **)((char *)o + p->offset);
   const bool machine = p->offset == offsetof(struct cli_options, sim.config_path);
   const char *path = *member;
   if ((machine || p->offset == offsetof(struct cli_options, sim.power)) &&
       sim_config_find(path, machine ? "" : "power/", found, sizeof(found)))
      path = found;
   path = *path == '/' || !folder ? strdup(path) : sim_file_path("%s/%s", folder, path);
   free((char *)*member);
   *member = path;
   free(folder);
}

static void
cli_launch_make_paths_absolute(struct cli_options *o)
{
   const struct sim_option_table *t = &cli_option_table;
   for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
      char *text = p->type == SIM_OPTION_PATH && p->variable ? sim_option_text(p, o) : NULL;
      if (text && !(p->words && !strcmp(text, p->words)))
         cli_launch_make_absolute(o, p);
      free(text);
   }
}

/* Sets the driver's variables from options. */
static void
cli_launch_set_options(const struct cli_options *o)
{
   const struct sim_option_table *t = &cli_option_table;
   for (const struct sim_option *p = t->options; p < t->options + t->num_options; p++) {
      char *text = p->variable ? sim_option_text(p, o) : NULL;
      if (text)
         setenv(p->variable, text, 1);
      free(text);
   }
   /* On a terminal, show how far the simulator is. */
   if (isatty(STDERR_FILENO) && !o->sim.progress)
      setenv("ATTILA_STATUS", "1", 0);
   /* What Mesa has in its cache of shaders depends on earlier runs, and on how soon it was written.
    */
   if (o->fixed_clock || o->simulated_clock)
      setenv("MESA_SHADER_CACHE_DISABLE", "true", 0);
}

static int
cli_launch_set_driver(const struct cli_options *o, const struct places *p)
{
   static const char *const others[] = {"MESA_LOADER_DRIVER_OVERRIDE", "LIBGL_DRIVERS_PATH",
                                        "VK_ICD_FILENAMES"};
   if (!strcmp(o->driver, "system"))
      return CLI_OK;
   setenv("GALLIUM_DRIVER", o->driver, 1);
   setenv("LIBGL_ALWAYS_SOFTWARE", "1", 1);
   if (!strcmp(o->driver, "llvmpipe"))
      return CLI_OK;
   for (unsigned i = 0; i < sizeof(others) / sizeof(others[0]); i++)
      unsetenv(others[i]);
   for (unsigned i = 0; i < p->num; i++) {
      if (!islower((unsigned char)*p->line[i]))
         putenv(p->line[i]);
   }
   return cli_launch_check_place(p, "driver ", "driver");
}

static void
cli_launch_set_version(const char *gl)
{
   char glsl[8];
   if (!gl)
      return;
   const unsigned version = (unsigned)(gl[0] - '0') * 10 + (unsigned)(gl[2] - '0');
   snprintf(glsl, sizeof(glsl), "%u",
            version == 21   ? 120
            : version <= 32 ? 130 + (version - 30) * 10
                            : version * 10);
   setenv("MESA_GL_VERSION_OVERRIDE", gl, 1);
   setenv("MESA_GLSL_VERSION_OVERRIDE", glsl, 1);
}

static void
cli_launch_copy(FILE *from, FILE *to)
{
   char block[4096];
   rewind(from);
   for (size_t n; (n = fread(block, 1, sizeof(block), from));)
      fwrite(block, 1, n, to);
}

/* Checks that OpenGL programs see the driver of --driver. */
static int
cli_launch_check_renderer(const struct cli_options *o)
{
   static const char key[] = "OpenGL renderer string: ";
   const char *const command[] = {"glxinfo", "-B", NULL};
   char *glxinfo = o->no_check ? NULL : launch_find_program("glxinfo"), line[512],
        renderer[512] = "";
   if (!glxinfo)
      return CLI_OK;
   free(glxinfo);
   FILE *out = fdopen(memfd_create("glxinfo", MFD_CLOEXEC), "w+");
   FILE *err = fdopen(memfd_create("glxinfo", MFD_CLOEXEC), "w+");
   if (!out || !err)
      return launch_fail("no room for what glxinfo prints: %s", strerror(errno));
   const int status = launch_command(command, fileno(out), fileno(err));
   rewind(out);
   while (fgets(line, sizeof(line), out)) {
      line[strcspn(line, "\n")] = '\0';
      if (!strncmp(line, key, sizeof(key) - 1))
         snprintf(renderer, sizeof(renderer), "%s", line + sizeof(key) - 1);
   }
   const bool system = !strcmp(o->driver, "system");
   const bool good = system ? *renderer : !strncasecmp(renderer, o->driver, strlen(o->driver));
   if (!good)
      cli_launch_copy(err, stderr);
   fclose(out);
   fclose(err);
   if (!good && !*renderer)
      return launch_fail("glxinfo names no GL_RENDERER, and ended with status %d", status);
   return good ? CLI_OK : launch_fail("GL_RENDERER is '%s', not %s", renderer, o->driver);
}

/* --- The run --- */

static int
cli_launch_run(const struct cli_options *o, const struct places *p, char **program, char *run_dir)
{
   const int tidy = launch_start_tidy(run_dir);
   if (tidy < 0)
      return launch_fail("cannot start a process: %s", strerror(errno));
   /* The server comes first: its own OpenGL must not see our environment. */
   if (!launch_display(o, run_dir, tidy))
      return CLI_FILE;
   cli_launch_set_options(o);
   if (cli_launch_set_driver(o, p))
      return CLI_FILE;
   cli_launch_set_version(o->gl);
   if (cli_launch_check_renderer(o))
      return CLI_FILE;
   setenv("ATTILA_RUN_DIR", run_dir, 1);
   const bool attila = cli_launch_for_attila(o), clock = o->fixed_clock || o->simulated_clock;
   struct launch_watch w = {
       .run_dir = run_dir,
       .preload = clock || o->grab ? cli_launch_place(p, "hook") : NULL,
       .notes = attila,
       .limited = attila && o->sim.frame_limit,
       .limit_ms = o->simulated_clock ? (o->host_limit ? o->host_limit : 60) * UINT64_C(60000) : 0,
   };
   if (o->grab)
      launch_count_pictures(o->grab, true);
   int status = launch_watch(&w, program);
   if (o->grab && !launch_count_pictures(o->grab, false))
      fprintf(stderr,
              "attila-run: note: --grab saved no picture: the program swapped no window and "
              "no pbuffer\n");
   const int after = attila ? launch_finish(o, cli_launch_place(p, "report")) : CLI_OK;
   if (w.signal)
      launch_end_by(w.signal);
   return status ? status : after;
}

int
cli_launch(struct cli_options *o, char **args)
{
   struct places p = {0};
   const char *tmp = getenv("TMPDIR");
   if (!o->driver)
      o->driver = strdup("attila");
   const bool placed = cli_launch_read_places(&p);
   signal(SIGCHLD, SIG_DFL);
   int status = cli_launch_check(o, args);
   if (!status && !placed)
      status = launch_fail("attila-sim launch is not for the command line: start attila-run");
   if (!status)
      status = cli_launch_check_program(args[0]);
   if (!status)
      status = cli_launch_check_place(&p, "", "hook");
   if (!status && o->report)
      status = cli_launch_take_report(o, &p, args[0]);
   cli_launch_make_paths_absolute(o);
   if (!status)
      status = cli_launch_check_files(o);
   char *run_dir = sim_file_path("%s/attila-XXXXXX", tmp && *tmp ? tmp : "/tmp");
   if (!status && !mkdtemp(run_dir))
      status = launch_fail("cannot make a temporary folder %s: %s", run_dir, strerror(errno));
   if (!status)
      status = cli_launch_run(o, &p, args, run_dir);
   free(run_dir);
   return status;
}
