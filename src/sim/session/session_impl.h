/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The members of a session, for the files directly in this folder and for tests. */
#ifndef ATTILA_SESSION_IMPL_H
#define ATTILA_SESSION_IMPL_H

#include <fenv.h>
#include <locale.h>
#include <pthread.h>
#include <sys/types.h>
#include "capture/sim_capture.h"
#include "session/execute/executor.h"
#include "session/run_state.h"
#include "session/session.h"

/* What the program has set for its thread. */
struct attila_thread_state {
   locale_t locale;
   fenv_t fp;
};

struct attila_sim {
   pthread_mutex_t lock;
   struct attila_thread_state before; /* of the thread that holds the lock */
   struct attila_sim_options options; /* a copy */
   struct sim_schedule schedule;
   struct sim_machine *machine;
   struct sim_executor *executor;
   struct sim_capture_writer *capture; /* NULL: none */
   bool capture_failed;                /* the failure was reported */
   bool incomplete;                    /* a worker, a trace or maps failed */
   bool frames_checked;                /* a warning said which frames never came */
   /* process_end.c */
   struct attila_sim *next;
   pid_t owner; /* the creating process; 0 in a process forked from it */
   struct attila_run_progress
       counted; /* progress of this simulator that the state of the process includes */
};

/* lock.c: every call runs between these two. */
void attila_session_lock(struct attila_sim *sim);
void attila_session_unlock(struct attila_sim *sim);
/* The same without the lock. */
void attila_session_enter_thread(struct attila_thread_state *before);
void attila_session_leave_thread(const struct attila_thread_state *before);

/* As attila_session_finish; the caller holds the lock. */
void attila_session_finish_locked(struct attila_sim *sim);

/* process_end.c: completes reports when the process ends. */
void attila_process_end_add(struct attila_sim *sim);
void attila_process_end_remove(struct attila_sim *sim);

#endif
