/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports and captures survive the end of the process. exit() finishes what is in flight and writes
 * everything; a signal (interrupt, termination, crash) writes the complete rows and commands that
 * are pending, with nothing but write(2), and hands on to the handler that was there before. Only
 * processes that write files get handlers, once.
 */
#include <signal.h>
#include <stdlib.h>
#include "attila_sim_impl.h"
#include "report/sim_report.h"

static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct attila_sim *list;
static bool installed;

static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
#define NUM_SIGNALS (sizeof(signals) / sizeof(signals[0]))
static struct sigaction previous[NUM_SIGNALS];

static void
at_exit(void)
{
   if (pthread_mutex_trylock(&list_lock))
      return;
   for (struct attila_sim *sim = list; sim; sim = sim->next) {
      /* Another thread may be inside the simulator while main returns: then only what is complete
       * is written. */
      if (pthread_mutex_trylock(&sim->lock) == 0) {
         attila_sim_finish(sim);
         pthread_mutex_unlock(&sim->lock);
      } else {
         sim_report_emergency(sim->device.report);
      }
   }
   pthread_mutex_unlock(&list_lock);
}

static void
on_signal(int number, siginfo_t *info, void *context)
{
   static volatile sig_atomic_t busy;
   unsigned s = 0;
   while (s < NUM_SIGNALS - 1 && signals[s] != number)
      s++;
   if (!busy) {
      busy = 1;
      for (struct attila_sim *sim = list; sim; sim = sim->next) {
         sim_report_emergency(sim->device.report);
         if (sim->capture)
            sim_capture_emergency(sim->capture);
      }
      busy = 0;
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

static void
install(void)
{
   installed = true;
   atexit(at_exit);
   for (unsigned s = 0; s < NUM_SIGNALS; s++) {
      struct sigaction a = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
      sigemptyset(&a.sa_mask);
      if (sigaction(signals[s], NULL, &previous[s]))
         continue;
      /* Who ignores a signal goes on ignoring it. */
      if (!(previous[s].sa_flags & SA_SIGINFO) && previous[s].sa_handler == SIG_IGN)
         continue;
      sigaction(signals[s], &a, NULL);
   }
}

void
attila_exit_add(struct attila_sim *sim)
{
   pthread_mutex_lock(&list_lock);
   sim->next = list;
   list = sim;
   if (!installed && (sim->capture || sim_report_writes_files(sim->device.report)))
      install();
   pthread_mutex_unlock(&list_lock);
}

void
attila_exit_remove(struct attila_sim *sim)
{
   pthread_mutex_lock(&list_lock);
   for (struct attila_sim **p = &list; *p; p = &(*p)->next) {
      if (*p == sim) {
         *p = sim->next;
         break;
      }
   }
   pthread_mutex_unlock(&list_lock);
}
