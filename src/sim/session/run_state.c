/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The state of a process that scripts/attila-run watches (run_state.h). */
#include "session/run_state.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "attila_sim.h"
#include "core/sim_file.h"

static struct attila_run_state *state;
static pid_t state_pid;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct attila_run_state *
run_state_map_state(void)
{
   const char *dir = secure_getenv("ATTILA_RUN_DIR");
   if (!dir)
      return NULL;
   char *path = sim_file_path("%s/%d", dir, (int)getpid());
   int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
   free(path);
   void *p = MAP_FAILED;
   /* Reserve room on the disk now: without it, a write to the map would raise SIGBUS. */
   const int error = fd < 0 ? errno : posix_fallocate(fd, 0, sizeof(*state));
   if (!error)
      p = mmap(NULL, sizeof(*state), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   if (fd >= 0)
      close(fd);
   if (p != MAP_FAILED)
      return p;
   fprintf(stderr, "attila: warning: attila-run does not see this process: %s: %s\n", dir,
           strerror(error ? error : errno));
   return NULL;
}

void
attila_run_wanted(void)
{
   pthread_mutex_lock(&lock);
   /* A forked child has a state of its own. */
   if (state_pid != getpid()) {
      state = run_state_map_state();
      state_pid = getpid();
   }
   if (state)
      __atomic_add_fetch(&state->wanted, 1, __ATOMIC_RELAXED);
   pthread_mutex_unlock(&lock);
}

void
attila_run_created(void)
{
   if (state)
      __atomic_add_fetch(&state->gpus, 1, __ATOMIC_RELAXED);
}

void
attila_sim_context_made(struct attila_sim *sim)
{
   if (state)
      __atomic_add_fetch(&state->contexts, 1, __ATOMIC_RELAXED);
}

void
attila_run_enter(void)
{
   if (state)
      __atomic_add_fetch(&state->busy, 1, __ATOMIC_RELAXED);
}

/* The caller holds the simulator's lock. */
void
attila_run_leave(struct attila_run_progress *counted, struct attila_run_progress now)
{
   if (!state)
      return;
   __atomic_add_fetch(&state->frames, now.frames - counted->frames, __ATOMIC_RELAXED);
   __atomic_add_fetch(&state->time_ns, now.time_ns - counted->time_ns, __ATOMIC_RELAXED);
   __atomic_sub_fetch(&state->busy, 1, __ATOMIC_RELAXED);
   *counted = now;
}

void
attila_run_limit(void)
{
   if (state)
      state->limit = 1;
}
