/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulated machine of a session: memory, front end, boxes of cycle mode, functional mode, and
 * what listens to them (measure, report, maps, trace, DVFS policy). It executes commands in its
 * present mode. Not here: which mode simulates which commands (session/execute/executor.h), locks,
 * captures. */
#ifndef SIM_MACHINE_H
#define SIM_MACHINE_H

#include "decode/sim_device.h"
#include "hw/attila_scanout.h"
#include "hw/isa/attila_machine.h"
#include "options/attila_options.h"

struct sim_config;
struct sim_machine;
struct sim_measure;
struct sim_report;
struct sim_warming;

/* functional: the machine starts in functional mode. The options must outlive it. Returns NULL with
 * a message on failure. */
struct sim_machine *sim_machine_create(const struct attila_sim_options *options, bool functional,
                                       char *error, size_t error_size);
void sim_machine_destroy(struct sim_machine *m);

struct sim_machine_report {
   const char *out_dir;  /* NULL: no files */
   uint32_t first_frame; /* earlier frames are not reported */
   bool part_of_a_run;   /* other processes report the rest */
   bool partly;          /* cycle mode simulates only parts of frames */
   bool rows_only;       /* as in struct sim_record_run */
   bool quiet;           /* no progress lines */
};
/* Opens the report of the machine and closes an earlier one. Returns false with a message on
 * failure. */
bool sim_machine_open_report(struct sim_machine *m, const struct sim_machine_report *report,
                             char *error, size_t error_size);
void sim_machine_close_report(struct sim_machine *m);
/* Connects maps, trace and DVFS policy; call it after the report was opened. Returns false with a
 * message on failure. */
bool sim_machine_observe(struct sim_machine *m, char *error, size_t error_size);

/* --- Execution --- */

/* Executes commands in place. Returns true when all are consumed, false if the machine has
 * stopped. */
bool sim_machine_execute(struct sim_machine *m, const uint32_t *words, size_t num_words);
/* Simulates until the fence is signalled. Returns false if all work is done before, because the
 * fence was never submitted. */
bool sim_machine_run_until_fence(struct sim_machine *m, uint64_t fence);
/* Simulates all work in flight. Returns false if the machine has stopped. */
bool sim_machine_drain(struct sim_machine *m);
/* Drains the machine and completes the trace. Returns false if the trace is not whole. */
bool sim_machine_finish(struct sim_machine *m);
/* Ends the last frame and the run. Returns false if maps or reports are not whole. */
bool sim_machine_end_run(struct sim_machine *m);
/* Stops the machine with a message, unless it has stopped before. */
void sim_machine_fail(struct sim_machine *m, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Returns the error that stopped the machine, or NULL. */
const char *sim_machine_error(const struct sim_machine *m);

/* --- Modes --- */

bool sim_machine_is_functional(const struct sim_machine *m);
/* Pauses functional mode. Cycle mode continues with the same memory, registers and programs, and
 * with what warming has left in the boxes. */
void sim_machine_enter_cycle_mode(struct sim_machine *m);
/* The same for good: the machine never returns to functional mode. */
void sim_machine_end_functional_mode(struct sim_machine *m);
/* Returns to functional mode, after a FLUSH with nothing in flight; empties caches. */
void sim_machine_leave_cycle_mode(struct sim_machine *m);
/* For a process that was forked in functional mode: continues with one thread. Returns false if
 * host memory is exhausted. */
bool sim_machine_restart_functional_mode(struct sim_machine *m);
/* Brings memory up to date with all that functional mode executed. */
void sim_machine_sync_memory(struct sim_machine *m);
/* warming.c: calls every box's sim_box_class.warm. */
void sim_machine_warm(struct sim_machine *m, const struct sim_warming *event);

/* --- Its parts --- */

struct sim_device *sim_machine_device(struct sim_machine *m);
struct sim_measure *sim_machine_measure(struct sim_machine *m);
/* NULL: none is open. */
struct sim_report *sim_machine_report(struct sim_machine *m);
/* Returns the configuration, with its ideal units. */
const struct sim_config *sim_machine_config(const struct sim_machine *m);
/* Returns the shaders of a stage as configured, without ideal units. */
const struct attila_shader_machine *sim_machine_shader(const struct sim_machine *m, unsigned stage);
/* Returns whether the machine has boxes, and so may enter cycle mode. */
bool sim_machine_has_boxes(const struct sim_machine *m);
/* Returns whether frequencies change during the run. */
bool sim_machine_has_dvfs(const struct sim_machine *m);
uint64_t sim_machine_cycles(const struct sim_machine *m); /* of the GPU clock */
uint64_t sim_machine_time_ns(const struct sim_machine *m);
/* As attila_sim_scanout. */
bool sim_machine_scanout(struct sim_machine *m, const struct attila_scanout *shown,
                         void (*take)(void *user, const uint8_t *bytes,
                                      const struct attila_cleared *cleared),
                         void *user);
/* Counts work from now on (sim_measure_count_work). */
void sim_machine_count_work(struct sim_machine *m);
/* In a child after fork(): leaves the files to the parent. */
void sim_machine_disown(struct sim_machine *m);

#endif
