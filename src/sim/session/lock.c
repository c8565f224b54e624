/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What each call of attila_sim.h does first and last. It takes the session's lock, and sets the
 * locale and rounding of the thread, so that results do not depend on what the program has set:
 * numbers in files have a decimal point and are rounded to nearest. Not here: the arithmetic of the
 * simulated GPU, which has an environment of its own (core/sim_fp.h); signals, which threads of the
 * simulator block (core/sim_block_signals.h). */
#include "session/session_impl.h"

static locale_t lock_locale; /* "C"; 0 if there is no memory for it */

static void
lock_make_locale(void)
{
   lock_locale = newlocale(LC_ALL_MASK, "C", 0);
}

void
attila_session_enter_thread(struct attila_thread_state *before)
{
   static pthread_once_t made = PTHREAD_ONCE_INIT;
   pthread_once(&made, lock_make_locale);
   before->locale = uselocale(lock_locale);
   fegetenv(&before->fp);
   fesetenv(FE_DFL_ENV);
}

void
attila_session_leave_thread(const struct attila_thread_state *before)
{
   fesetenv(&before->fp);
   uselocale(before->locale);
}

void
attila_session_lock(struct attila_sim *sim)
{
   pthread_mutex_lock(&sim->lock);
   attila_session_enter_thread(&sim->before);
}

void
attila_session_unlock(struct attila_sim *sim)
{
   const struct attila_thread_state before = sim->before;
   pthread_mutex_unlock(&sim->lock);
   attila_session_leave_thread(&before);
}
