/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports and captures survive the end of the process. exit() finishes what is in flight and writes
 * everything; a signal (interrupt, termination, crash) writes the complete rows and commands that
 * are pending and hands on to the handler that was there before. A process forked from one with a
 * simulator writes none of its parent's rows and commands. Only processes that write files get
 * handlers, once.
 */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "session/run_state.h"
#include "core/sim_guard.h"
#include "results/sim_report.h"
#include "session/session_impl.h"

/* The simulators of this process. Who changes the list holds both; the lock alone keeps the
 * simulators alive while they finish, which takes long, the guard alone while a signal handler
 * looks at them. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_guard list_guard;
static struct attila_sim *list;

/* A program's own handler of the first ones may well be the end of it; it is called after ours. The
 * others mean an end only where nobody handles them, and may come often where somebody does. */
#define NUM_ENDING 8
static const int signals[] = {
    SIGINT,  SIGTERM, SIGHUP,  SIGSEGV, SIGBUS,    SIGFPE,  SIGILL,  SIGABRT,
    SIGQUIT, SIGPIPE, SIGALRM, SIGUSR1, SIGUSR2,   SIGXCPU, SIGXFSZ, SIGVTALRM,
    SIGPROF, SIGPOLL, SIGPWR,  SIGSYS,  SIGSTKFLT, SIGTRAP,
};
#define NUM_SIGNALS (sizeof(signals) / sizeof(signals[0]))
static struct sigaction previous[NUM_SIGNALS];

static bool
ours(const struct attila_sim *sim)
{
   return sim->owner == getpid();
}

static void
write_complete(struct attila_sim *sim)
{
   sim_report_emergency(sim_machine_device(sim->machine)->report);
   if (sim->capture)
      sim_capture_emergency(sim->capture);
}

static void
at_exit(void)
{
   struct timespec until;
   clock_gettime(CLOCK_REALTIME, &until);
   until.tv_sec++;
   if (pthread_mutex_timedlock(&list_lock, &until))
      return;
   for (struct attila_sim *sim = list; sim; sim = sim->next) {
      if (!ours(sim))
         continue;
      /* Another thread may be inside the simulator while main returns: then only what is complete
       * is written. */
      if (pthread_mutex_trylock(&sim->lock) == 0) {
         attila_session_finish_locked(sim);
         pthread_mutex_unlock(&sim->lock);
      } else {
         write_complete(sim);
      }
   }
   pthread_mutex_unlock(&list_lock);
}

void
attila_sim_end_process(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   attila_session_finish_locked(sim);
   at_exit();
   attila_run_limit();
   /* What the program has printed; its other files are its own, and another thread may hold them.
    */
   if (!ftrylockfile(stdout))
      fflush(stdout);
   _exit(0);
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
   unsigned s = 0;
   while (s < NUM_SIGNALS - 1 && signals[s] != number)
      s++;
   if (sim_guard_enter_handler(&list_guard)) {
      for (struct attila_sim *sim = list; sim; sim = sim->next) {
         if (ours(sim))
            write_complete(sim);
      }
      sim_guard_leave(&list_guard);
   }
   const struct sigaction *p = &previous[s];
   if (p->sa_flags & SA_SIGINFO) {
      p->sa_sigaction(number, info, context);
   } else if (p->sa_handler != SIG_DFL && p->sa_handler != SIG_IGN) {
      p->sa_handler(number);
   } else if (p->sa_handler == SIG_DFL) {
      /* Ends the process as if nobody had caught it: a crash repeats, a signal is sent again. */
      sigaction(number, p, NULL);
      raise(number);
   }
}

/* The program may unload this library (dlclose of its OpenGL), but not take the handlers back:
 * others may have been put before them. So the library stays. */
static void
stay_loaded(void)
{
   Dl_info info;
   if (dladdr((const void *)(uintptr_t)on_signal, &info) && info.dli_fname)
      dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE);
}

static void
before_fork(void)
{
   pthread_mutex_lock(&list_lock);
}

static void
after_fork(void)
{
   pthread_mutex_unlock(&list_lock);
}

/* Also lets go of the files: their locks last as long as any process has them open. */
static void
after_fork_child(void)
{
   for (struct attila_sim *sim = list; sim; sim = sim->next) {
      sim->owner = 0;
      sim_machine_disown(sim->machine);
      if (sim->capture)
         sim_capture_disown(sim->capture);
   }
   pthread_mutex_unlock(&list_lock);
}

static void
install(void)
{
   stay_loaded();
   atexit(at_exit);
   pthread_atfork(before_fork, after_fork, after_fork_child);
   for (unsigned s = 0; s < NUM_SIGNALS; s++) {
      struct sigaction *p = &previous[s];
      if (sigaction(signals[s], NULL, p))
         continue;
      bool handled = p->sa_flags & SA_SIGINFO || p->sa_handler != SIG_DFL;
      /* Who ignores a signal goes on ignoring it. */
      if (!(p->sa_flags & SA_SIGINFO) && p->sa_handler == SIG_IGN)
         continue;
      if (handled && s >= NUM_ENDING)
         continue;
      struct sigaction a = {.sa_sigaction = on_signal,
                            .sa_flags =
                                SA_SIGINFO | SA_ONSTACK | (p->sa_flags & (SA_RESTART | SA_NODEFER)),
                            .sa_mask = p->sa_mask};
      sigaction(signals[s], &a, NULL);
   }
}

void
attila_process_end_add(struct attila_sim *sim)
{
   static pthread_once_t installed = PTHREAD_ONCE_INIT;
   if (sim->capture || sim->schedule.kind == SIM_SCHEDULE_WORKERS ||
       sim_report_writes_files(sim_machine_device(sim->machine)->report))
      pthread_once(&installed, install);
   sim->owner = getpid();
   pthread_mutex_lock(&list_lock);
   sim_guard_enter(&list_guard);
   sim->next = list;
   list = sim;
   sim_guard_leave(&list_guard);
   pthread_mutex_unlock(&list_lock);
}

void
attila_process_end_remove(struct attila_sim *sim)
{
   pthread_mutex_lock(&list_lock);
   sim_guard_enter(&list_guard);
   for (struct attila_sim **p = &list; *p; p = &(*p)->next) {
      if (*p == sim) {
         *p = sim->next;
         break;
      }
   }
   sim_guard_leave(&list_guard);
   pthread_mutex_unlock(&list_lock);
}
