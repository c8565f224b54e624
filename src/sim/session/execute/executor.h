/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Executors: which process simulates the commands of a run, and in which mode. The schedule of the
 * run chooses one, once:
 *  - direct (direct.c): functional mode up to a frame, then cycle mode, in this process;
 *  - region of interest (roi.c): cycle mode for some work of some frames, in this process;
 *  - workers (workers.c): functional mode here, cycle mode in processes that are forked from here.
 * A new executor is a file, its class here, and a line in sim_executor_create. All functions are
 * called with the session's lock held. */
#ifndef SIM_EXECUTOR_H
#define SIM_EXECUTOR_H

#include "session/execute/schedule.h"
#include "session/machine/machine.h"

struct sim_executor;

struct sim_executor_class {
   /* Executes whole commands. Returns false if the machine has stopped. */
   bool (*submit)(struct sim_executor *e, const uint32_t *words, size_t num_words);
   /* The program waits for a fence here. NULL: this has no effect. */
   void (*wait)(struct sim_executor *e, uint64_t fence);
   /* At the beginning of a frame: returns the first frame, from this one on, that must be executed
    * in this process; a checkpoint may skip the frames before it. UINT32_MAX: none. */
   uint32_t (*next_frame)(const struct sim_executor *e, uint32_t frame);
   /* In a worker process, before the first command: makes this executor simulate from now on.
    * Returns false if host memory is exhausted. NULL: workers cannot use the executor. */
   bool (*simulate)(struct sim_executor *e);
   /* Called when all commands have come. Returns false if some results are missing. NULL: there is
    * nothing to do. */
   bool (*finish)(struct sim_executor *e);
   void (*destroy)(struct sim_executor *e);
};

/* First member of every executor. */
struct sim_executor {
   const struct sim_executor_class *cls;
   struct sim_machine *machine;
   const struct sim_schedule *schedule;
};

/* Schedule and machine must outlive the executor. Returns NULL with a message on failure. */
struct sim_executor *sim_executor_create(const struct sim_schedule *s, struct sim_machine *m,
                                         char *error, size_t error_size);
static inline void
sim_executor_destroy(struct sim_executor *e)
{
   if (e)
      e->cls->destroy(e);
}

/* The executors of schedules. observe: the mode does not change before simulate is called. */
struct sim_executor *sim_direct_create(const struct sim_schedule *s, struct sim_machine *m,
                                       bool observe);
struct sim_executor *sim_roi_create(const struct sim_schedule *s, struct sim_machine *m,
                                    bool observe);
/* Returns NULL with a message on failure. */
struct sim_executor *sim_workers_create(const struct sim_schedule *s, struct sim_machine *m,
                                        char *error, size_t error_size);

#endif
