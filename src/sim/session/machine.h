/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The inside of the facade, for session/session.c, session/process_end.c and the attila-sim
 * program. The driver includes only attila_sim.h.
 */
#ifndef ATTILA_SIM_IMPL_H
#define ATTILA_SIM_IMPL_H

#include <pthread.h>
#include <sys/types.h>
#include "attila_sim.h"
#include "box/sim_gpu.h"
#include "capture/sim_capture.h"
#include "dvfs/dvfs.h"
#include "func/sim_func.h"
#include "hw/isa/attila_machine.h"
#include "trace/sim_tracer.h"

struct attila_sim {
   enum attila_mode mode;
   struct sim_device device;
   struct sim_gpu gpu; /* cycle mode; in functional mode only its configuration and pools */
   struct attila_shader_machine shader_machine[ATTILA_NUM_STAGES]; /* as configured */
   struct sim_func *func; /* functional mode; NULL when only cycle mode is to come */
   pthread_mutex_t lock;
   struct sim_box *cp;
   struct sim_capture_writer *capture;
   struct attila_schedule *frames;    /* NULL: all are simulated here, as the mode says */
   struct attila_sim_options options; /* a copy */
   bool frames_failed;                /* a worker did */
   struct sim_tracer *tracer;         /* NULL: no trace */
   struct dvfs *dvfs;                 /* NULL: frequencies do not change */
   size_t memory_mapped;
   bool capture_failed; /* the user has been told */
   char *maps_folder;
   /* session/process_end.c */
   struct attila_sim *next;
   pid_t owner;          /* the process that created it; 0 in one forked from that */
   uint32_t frames_told; /* session/run_state.c */
   uint64_t time_told;
};

/* For session/schedule.c and session/workers.c; the caller holds the lock. Functional mode ends
 * here: memory, registers and programs stay as they are, and the machine goes on
 * (session/warming.c). */
void attila_sim_go_on_in_cycle_mode(struct attila_sim *sim);
/* Executes commands where they are; all have been consumed when it returns true. */
bool attila_sim_execute(struct attila_sim *sim, const uint32_t *words, size_t num_words);
/* False when all work is done and the fence was not signalled: nobody submitted it. */
bool attila_sim_run_until_fence(struct attila_sim *sim, uint64_t fence);
/* A report of this simulator into a folder; NULL with a message. rows_only: as in struct
 * sim_record_run. */
struct sim_report *attila_sim_make_report(struct attila_sim *sim, const char *out_dir,
                                          bool rows_only, char *error, size_t error_size);
/* Stops the simulator with a message, if it has not stopped before. The caller holds the lock. */
void attila_sim_fail(struct attila_sim *sim, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Simulates what is still in flight and writes pending reports. The caller holds the lock. */
void attila_sim_finish(struct attila_sim *sim);

/* session/warming.c: functional mode tells the machine what it executes; its end; the end of cycle
 * mode, when nothing is under way and nothing in caches is newer than memory. */
void attila_warming_start(struct attila_sim *sim);
void attila_warming_enter(struct attila_sim *sim);
void attila_warming_leave(struct attila_sim *sim);

/* session/process_end.c: reports survive exit(), signals and crashes. */
void attila_exit_add(struct attila_sim *sim);
void attila_exit_remove(struct attila_sim *sim);

#endif
