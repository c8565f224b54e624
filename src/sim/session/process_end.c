/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The end of the process: exit() finishes what is in flight and writes all reports. After other
 * ends (an interrupt, a crash, kill -9), reports are complete up to the last whole frame, and
 * captures up to the last submission. A forked process writes none of its parent's rows and
 * commands. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
#include "results/sim_report.h"
#include "session/session_impl.h"

/* Simulators of this process. */
static pthread_mutex_t list_lock = PTHREAD_MUTEX_INITIALIZER;
static struct attila_sim *list;

static bool
process_end_ours(const struct attila_sim *sim)
{
   return sim->owner == getpid();
}

static void
process_end_at_exit(void)
{
   struct timespec until;
   clock_gettime(CLOCK_REALTIME, &until);
   until.tv_sec++;
   if (pthread_mutex_timedlock(&list_lock, &until))
      return;
   for (struct attila_sim *sim = list; sim; sim = sim->next) {
      if (!process_end_ours(sim))
         continue;
      /* Another thread may be in the simulator when main returns. Then only whole frames are
       * reported. */
      if (pthread_mutex_trylock(&sim->lock) == 0) {
         attila_session_enter_thread(&sim->before);
         attila_session_finish_locked(sim);
         attila_session_unlock(sim);
      }
   }
   pthread_mutex_unlock(&list_lock);
}

void
attila_sim_end_process(struct attila_sim *sim)
{
   attila_session_lock(sim);
   attila_session_finish_locked(sim);
   process_end_at_exit();
   attila_run_limit();
   /* Flushes only stdout: other files belong to the program, and another thread may hold them. */
   if (!ftrylockfile(stdout))
      fflush(stdout);
   _exit(0);
}

static void
process_end_before_fork(void)
{
   pthread_mutex_lock(&list_lock);
}

static void
process_end_after_fork(void)
{
   pthread_mutex_unlock(&list_lock);
}

/* In a forked child: also closes the files, since their locks last as long as any process has them
 * open. */
static void
process_end_after_fork_child(void)
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
process_end_install(void)
{
   atexit(process_end_at_exit);
   pthread_atfork(process_end_before_fork, process_end_after_fork, process_end_after_fork_child);
}

void
attila_process_end_add(struct attila_sim *sim)
{
   static pthread_once_t installed = PTHREAD_ONCE_INIT;
   if (sim->capture || sim->schedule.kind == SIM_SCHEDULE_WORKERS ||
       sim_report_writes_files(sim_machine_report(sim->machine)))
      pthread_once(&installed, process_end_install);
   sim->owner = getpid();
   pthread_mutex_lock(&list_lock);
   sim->next = list;
   list = sim;
   pthread_mutex_unlock(&list_lock);
}

void
attila_process_end_remove(struct attila_sim *sim)
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
