/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-run's watcher: the program's status, the limit of host time, what notes say. Programs here
 * are shells, which write the states that processes with a GPU have. Not here: signals and the
 * terminal (tests/gl/run.sh). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "cli/launch.h"
#include "session/run_state.h"

static char dir[] = "/tmp/attila-launch-XXXXXX";
static char said[4096]; /* on standard error by the last run */

static void
write_state(const char *name, const struct attila_run_state *state)
{
   char path[64];
   snprintf(path, sizeof(path), "%s/%s", dir, name);
   const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
   assert_int_equal(write(fd, state, sizeof(*state)), sizeof(*state));
   close(fd);
}

/* Runs a shell's command under a watcher, beside a process with that state. */
static int
run(struct launch_watch *w, const struct attila_run_state *state, const char *command)
{
   char path[64];
   const char *const words[] = {"/bin/sh", "-c", command, NULL};
   w->run_dir = dir;
   write_state("1", state);
   snprintf(path, sizeof(path), "%s/stderr", dir);
   const int before = dup(STDERR_FILENO);
   const int log = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
   dup2(log, STDERR_FILENO);
   const int status = launch_watch(w, (char **)words);
   fflush(stderr);
   dup2(before, STDERR_FILENO);
   close(before);
   const ssize_t n = pread(log, said, sizeof(said) - 1, 0);
   said[n > 0 ? n : 0] = '\0';
   close(log);
   return status;
}

static void
status_is_that_of_the_program(void **state)
{
   const struct attila_run_state none = {0};
   struct launch_watch w = {0};
   assert_int_equal(run(&w, &none, "exit 7"), 7);
   assert_int_equal(w.signal, 0);
   assert_int_equal(run(&w, &none, "kill -TERM $$"), 128 + SIGTERM);
   assert_int_equal(w.signal, SIGTERM);
   assert_string_equal(said, "");
}

static void
program_ends_at_the_limit_of_host_time(void **state)
{
   const struct attila_run_state none = {0}, some = {.frames = 3, .time_ns = 50000000};
   struct launch_watch w = {.limit_ms = 300};
   assert_int_equal(run(&w, &none, "sleep 60"), 124);
   assert_non_null(strstr(said, "no frame has ended after 0 s"));
   assert_non_null(strstr(said, "the limit of 0.005 minutes is reached"));
   assert_int_equal(run(&w, &some, "sleep 60"), 124);
   assert_non_null(strstr(said, "3 frames in 0.05 s (60 frames per second)"));
   assert_non_null(strstr(said, "a simulated second takes "));
}

static void
other_processes_end_when_one_has_its_frames(void **state)
{
   const struct attila_run_state done = {.limit = 1};
   struct launch_watch w = {.limited = true};
   assert_int_equal(run(&w, &done, "sleep 60"), 0);
   assert_non_null(strstr(said, "the rest of the program was ended"));
}

/* Only what is known is said. */
static void
notes_say_what_was_seen(void **state)
{
   const struct {
      struct attila_run_state seen;
      const char *note; /* NULL: none */
   } cases[] = {
       {{0}, "sh never opened OpenGL or EGL on it"},
       {{.wanted = 1}, NULL}, /* it could not be made, which the driver has said */
       {{.wanted = 1, .gpus = 1}, "sh opened it, but made no OpenGL context"},
       {{.wanted = 1, .gpus = 1, .contexts = 1}, NULL},
   };
   struct launch_watch w = {.notes = true};
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      assert_int_equal(run(&w, &cases[i].seen, "true"), 0);
      assert_true(cases[i].note ? strstr(said, cases[i].note) != NULL : !*said);
   }
}

int
main(void)
{
   char command[64];
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(status_is_that_of_the_program),
       cmocka_unit_test(program_ends_at_the_limit_of_host_time),
       cmocka_unit_test(other_processes_end_when_one_has_its_frames),
       cmocka_unit_test(notes_say_what_was_seen),
   };
   if (!mkdtemp(dir))
      return 1;
   const int status = cmocka_run_group_tests(tests, NULL, NULL);
   snprintf(command, sizeof(command), "rm -r %s", dir);
   return system(command) || status;
}
