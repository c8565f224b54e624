/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Processes beside attila-run's program: short commands, and the one that tidies up. Not here: the
 * program (launch_watch.c). */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include "cli/launch.h"
#include "core/sim_file.h"

int
launch_fail(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   fputs("attila-run: error: ", stderr);
   vfprintf(stderr, format, args);
   fputc('\n', stderr);
   va_end(args);
   return CLI_FILE;
}

static bool
launch_process_is_program(const char *path)
{
   struct stat st;
   return !stat(path, &st) && !S_ISDIR(st.st_mode) && !access(path, X_OK);
}

char *
launch_find_program(const char *name)
{
   const char *p = getenv("PATH");
   if (strchr(name, '/'))
      return launch_process_is_program(name) ? strdup(name) : NULL;
   for (p = p && *p ? p : "/usr/bin:/bin"; *name && p;
        p = strchr(p, ':') ? strchr(p, ':') + 1 : NULL) {
      const int n = (int)strcspn(p, ":");
      char *path = sim_file_path("%.*s%s%s", n, p, n ? "/" : "./", name);
      if (launch_process_is_program(path))
         return path;
      free(path);
   }
   return NULL;
}

void
launch_unset_variables(void)
{
   static const char prefix[] = "ATTILA_";
   char **e = environ;
   while (e && *e) {
      char *name = strndup(*e, strcspn(*e, "="));
      /* After unsetenv, the next variable is in this place. */
      if (!name || strncmp(name, prefix, sizeof(prefix) - 1) || unsetenv(name))
         e++;
      free(name);
   }
}

void
launch_exec(const char *const *command, int out, int err)
{
   const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
   dup2(null, STDIN_FILENO);
   dup2(out >= 0 ? out : null, STDOUT_FILENO);
   dup2(err >= 0 ? err : null, STDERR_FILENO);
   execvp(command[0], (char *const *)command);
   _exit(127);
}

int
launch_command(const char *const *command, int out, int err)
{
   int status;
   const pid_t pid = fork();
   if (pid == 0) {
      launch_unset_variables();
      launch_exec(command, out, err);
   }
   while (pid > 0 && waitpid(pid, &status, 0) < 0) {
      if (errno != EINTR)
         return 127;
   }
   return pid < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int
launch_start_tidy(const char *folder)
{
   int ends[2];
   const char *const command[] = {"rm", "-rf", "--", folder, NULL};
   if (pipe2(ends, O_CLOEXEC))
      return -1;
   const pid_t pid = fork();
   if (pid) {
      close(ends[0]);
      return pid > 0 ? ends[1] : -1;
   }
   pid_t server = 0;
   close(ends[1]);
   setsid();
   const int null = open("/dev/null", O_RDWR);
   for (int fd = 0; fd <= STDERR_FILENO; fd++)
      dup2(null, fd);
   /* This loop ends when the other end is closed. */
   while (read(ends[0], &server, sizeof(server)) == (ssize_t)sizeof(server))
      ;
   if (server > 0)
      kill(server, SIGTERM);
   launch_exec(command, -1, -1);
}
