/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The inside of the facade, for attila_sim.c, attila_exit.c and the attila-sim program. The driver
 * includes only attila_sim.h.
 */
#ifndef ATTILA_SIM_IMPL_H
#define ATTILA_SIM_IMPL_H

#include <pthread.h>
#include <sys/types.h>
#include "attila_sim.h"
#include "box/sim_gpu.h"
#include "capture/sim_capture.h"
#include "func/sim_func.h"

struct attila_sim {
   enum attila_mode mode;
   struct sim_device device;
   struct sim_gpu gpu;    /* cycle mode; in functional mode only its configuration and pools */
   struct sim_func *func; /* functional mode; NULL in cycle mode */
   pthread_mutex_t lock;
   struct sim_box *cp;
   struct sim_capture_writer *capture;
   size_t memory_mapped;
   bool capture_failed; /* the user has been told */
   char *maps_folder;
   /* attila_exit.c */
   struct attila_sim *next;
   pid_t owner;          /* the process that created it; 0 in one forked from that */
   uint32_t frames_told; /* attila_run.c */
   uint64_t time_told;
};

/* A cycle-level GPU that starts in functional mode, for reaching a later frame quickly. */
struct attila_sim *attila_sim_create_warm(const struct attila_sim_options *options, char *error,
                                          size_t error_size);
/* Ends the functional part; between submissions. Memory, registers and programs stay as they are.
 */
void attila_sim_enter_cycle_mode(struct attila_sim *sim);
/* Stops the simulator with a message, if it has not stopped before. The caller holds the lock. */
void attila_sim_fail(struct attila_sim *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Simulates what is still in flight and writes pending reports. The caller holds the lock. */
void attila_sim_finish(struct attila_sim *sim);

/* attila_exit.c: reports survive exit(), signals and crashes. */
void attila_exit_add(struct attila_sim *sim);
void attila_exit_remove(struct attila_sim *sim);

#endif
