/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulator's only public header: the driver (or attila-sim) creates a GPU, submits command
 * streams (hw/attila_cmd.h), reads memory and counters. It exposes no box, cache or emulator. Every
 * call takes the simulator's own lock, so several contexts may share one simulator. */
#ifndef ATTILA_SIM_H
#define ATTILA_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/attila_scanout.h"
#include "options/attila_options.h"

struct attila_sim;
struct attila_shader_machine; /* hw/isa/attila_machine.h */

/* Creates a GPU in reset state; copies options. Returns NULL for a bad option or machine; error
 * (always NUL terminated) then says what is wrong, where, and the accepted range. */
struct attila_sim *attila_sim_create(const struct attila_sim_options *options, char *error,
                                     size_t error_size);

/* Writes pending reports and frees the GPU. */
void attila_sim_destroy(struct attila_sim *sim);
/* Simulates all that was submitted, completes reports and captures, then ends the process with
 * status 0 at once. */
_Noreturn void attila_sim_end_process(struct attila_sim *sim);

/* Notes that the program made an OpenGL context: attila-run says so when programs make none. */
void attila_sim_context_made(struct attila_sim *sim);

/* Returns the bytes of GPU memory; addresses start at 0. The driver never allocates 0..4095. */
uint32_t attila_sim_memory_size(const struct attila_sim *sim);

/* Describes the configured shaders of a stage (enum attila_stage) for a compiler. The description
 * is the same in every mode and with ideal units. */
void attila_sim_shader_machine(const struct attila_sim *sim, unsigned stage,
                               struct attila_shader_machine *machine);

/* Appends whole commands (hw/attila_cmd.h) and simulates until the command processor has consumed
 * them; work may still be in flight, and cycles do not depend on how a stream is cut. The words are
 * executed in place; the caller may reuse them afterwards. False once the simulator has stopped on
 * an error (attila_sim_error); it then ignores submissions. */
bool attila_sim_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words);

/* Simulates until the FENCE with this value has executed. False if it was never submitted, or on
 * error. */
bool attila_sim_wait(struct attila_sim *sim, uint64_t fence);
/* Returns whether the fence has executed; never simulates. */
bool attila_sim_fence_signalled(struct attila_sim *sim, uint64_t fence);

/* Reads GPU memory by a READ_BUFFER command, which waits for all earlier submissions and takes the
 * DMA's time. Surfaces in ROP caches need a FLUSH command first. */
bool attila_sim_read(struct attila_sim *sim, uint32_t address, void *dst, size_t size);

/* Calls take with a surface, or a part of it, that a submitted SWAP has scanned out, so that take
 * can show it in a window. The bytes are valid until take returns; take must not call functions of
 * this header. Showing takes no simulated time and is not captured. SWAP must be the last command.
 * Returns false, without calling take, if the simulator has stopped or the surface is not in
 * memory. */
bool attila_sim_scanout(struct attila_sim *sim, const struct attila_scanout *shown,
                        void (*take)(void *user, const uint8_t *bytes,
                                     const struct attila_cleared *cleared),
                        void *user);

/* Return the simulated time since creation, in GPU clock cycles and nanoseconds; 0 in functional
 * mode. */
uint64_t attila_sim_cycles(struct attila_sim *sim);
uint64_t attila_sim_time_ns(struct attila_sim *sim);

/* --- Counters --- */

/* A counter of the machine: a statistic of draws.csv, summed over the instances of its unit, or a
 * value computed from several statistics. Strings live as long as the simulator. */
struct attila_sim_counter {
   const char *name;  /* "ShadedFragments_FFU"; unique */
   const char *group; /* the box, "FragmentFIFO"; "GPU" if of several statistics */
   const char *unit;  /* "cycles", "bytes", "ns", "%", ...: values are whole numbers of it */
   const char *doc;
};
/* Returns the number of counters; 0 in functional mode, which counts nothing. */
unsigned attila_sim_num_counters(struct attila_sim *sim);
/* Describes the counter with an index; the counters of a group have consecutive indices. Returns
 * false if there is no such index. */
bool attila_sim_get_counter(struct attila_sim *sim, unsigned index,
                            struct attila_sim_counter *counter);

/* A monitor counts the cost of the commands that are submitted to one context (CONTEXT) between
 * begin and end, whenever they execute. It waits for nothing, takes no simulated time and is not
 * captured. begin returns NULL if there are no counters or host memory is exhausted. */
struct attila_monitor;
struct attila_monitor *attila_sim_monitor_begin(struct attila_sim *sim, uint32_t context);
void attila_sim_monitor_end(struct attila_sim *sim, struct attila_monitor *m);
/* Reads the values of num counters, given by their indices. They include the commands executed so
 * far: wait for a FENCE behind the commands first. Dirty lines that the commands left in caches
 * count once they are written back. */
void attila_sim_monitor_read(struct attila_sim *sim, const struct attila_monitor *m,
                             const unsigned *counters, unsigned num, uint64_t *values);
void attila_sim_monitor_destroy(struct attila_sim *sim, struct attila_monitor *m);

/* Returns the error that stopped the simulator, or NULL. */
const char *attila_sim_error(struct attila_sim *sim);

#endif
