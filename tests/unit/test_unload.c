/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A program that has unloaded the library with the simulator (dlclose) still ends as the signal
 * says, and exit() works. Argument: the library. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Uses the library and ends: by a signal, or by exit. */
static void
use(const char *library, const char *capture, int how)
{
   if (how)
      signal(how, SIG_DFL); /* sanitizers handle some */
   for (unsigned round = 0; round < 3; round++) {
      void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
      int (*use_simulator)(const char *) =
          handle ? (int (*)(const char *))dlsym(handle, "use_simulator") : NULL;
      if (!use_simulator) {
         fprintf(stderr, "%s\n", dlerror());
         _exit(2);
      }
      if (use_simulator(capture) || dlclose(handle))
         _exit(3);
   }
   if (how)
      raise(how);
   exit(how ? 4 : 0);
}

int
main(int argc, char **argv)
{
   static const int hows[] = {0, SIGTERM, SIGINT, SIGSEGV};
   char capture[] = "/tmp/attila-unload-XXXXXX";
   int fd = mkstemp(capture), failed = 0;
   if (argc != 2 || fd < 0)
      return 1;
   for (unsigned i = 0; i < sizeof(hows) / sizeof(hows[0]); i++) {
      int status = 0;
      pid_t pid = fork();
      if (pid == 0)
         use(argv[1], capture, hows[i]);
      waitpid(pid, &status, 0);
      if (hows[i] ? !WIFSIGNALED(status) || WTERMSIG(status) != hows[i] : status != 0) {
         printf("signal %d: status 0x%x\n", hows[i], (unsigned)status);
         failed = 1;
      }
   }
   close(fd);
   unlink(capture);
   return failed;
}
