/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-run: what its files share. cli_launch.c checks the command line and makes the program's
 * environment, launch_display.c finds or starts an X server, launch_watch.c runs the program,
 * launch_finish.c merges records and makes pages. */
#ifndef CLI_LAUNCH_H
#define CLI_LAUNCH_H

#include <signal.h>
#include "cli/cli.h"

/* Prints "attila-run: error: ..." on stderr. Returns CLI_FILE. */
int launch_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Returns the file that execvp would start, which the caller frees; NULL: there is none. */
char *launch_find_program(const char *name);
/* Removes the driver's variables (ATTILA_*) from the environment. */
void launch_unset_variables(void);
/* Replaces this process by a command without input. out, err: descriptors for its output; -1: the
 * output is dropped. */
_Noreturn void launch_exec(const char *const *command, int out, int err);
/* Runs such a command without the driver's variables. Returns its exit status, 128 + N after
 * signal N, 127 if it cannot run. */
int launch_command(const char *const *command, int out, int err);
/* Starts a process that removes a folder once this process has ended, in whatever way. Returns a
 * descriptor, or -1 with errno. A process whose number (pid_t) is written to the descriptor is
 * ended, too. */
int launch_start_tidy(const char *folder);

/* Makes sure that $DISPLAY answers, or starts Xvfb with a screen of that size ("640x480") and sets
 * DISPLAY and XAUTHORITY. folder: for the server's cookie. tidy: the descriptor of
 * launch_start_tidy, which gets the server's process. Returns false, with a message, if
 * there is no display. */
bool launch_display(const struct cli_options *o, const char *folder, int tidy);

/* How the program is watched. */
struct launch_watch {
   const char *run_dir; /* where its processes keep their state: $ATTILA_RUN_DIR */
   const char *preload; /* a library for the program alone; NULL: none */
   bool notes;          /* print a note if nothing reached the simulated GPU */
   bool limited;        /* the program ends when one of its processes has drawn its frames */
   uint64_t limit_ms;   /* host time for a program with the simulated clock; 0: other clock */
   int signal;          /* result: the signal that ended the program; 0: none */
};

/* Runs a program and returns its status, 128 + N after signal N, 124 at the limit of time. */
int launch_watch(struct launch_watch *w, char **program);
/* Ends this process by a signal, without a core file. */
void launch_end_by(int signal);

/* Returns the number of pictures of frames in a folder. removes: removes them, as those of an
 * earlier run. */
unsigned launch_count_pictures(const char *folder, bool removes);
/* After the program has ended: joins the records of workers, and with --report makes the pages.
 * page: the program attila-report. Returns an enum cli_exit. */
int launch_finish(const struct cli_options *o, const char *page);

#endif
