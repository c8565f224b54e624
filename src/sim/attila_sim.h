/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulator's only public header: how the driver (or attila-sim) creates a GPU, submits command
 * streams to it, reads its memory and its counters. The command stream itself is declared in
 * hw/attila_cmd.h. Nothing here exposes a box, a cache or an emulator.
 *
 * Threads: every call takes the simulator's own lock, so several contexts may share one simulator.
 */
#ifndef ATTILA_SIM_H
#define ATTILA_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/attila_scanout.h"
#include "options/attila_options.h"

struct attila_sim;
struct attila_shader_machine; /* hw/isa/attila_machine.h */

/* Creates a GPU in reset state. Options are copied. With a bad option or machine returns NULL and
 * says what, where and the accepted range in error (always NUL terminated). */
struct attila_sim *attila_sim_create(const struct attila_sim_options *options, char *error,
                                     size_t error_size);

/* Writes every report that is still pending and frees the GPU. */
void attila_sim_destroy(struct attila_sim *sim);
/* Ends the process at once with status 0, whatever the program would do, after everything that was
 * submitted has been simulated and every report and capture is complete. */
_Noreturn void attila_sim_end_process(struct attila_sim *sim);

/* Bytes of GPU memory; addresses run from 0 to this. Address 0..4095 is never allocated by the
 * driver. */
uint32_t attila_sim_memory_size(const struct attila_sim *sim);

/* The shaders that run the programs of a stage (enum attila_stage) in the configured machine, the
 * same in every mode and with ideal units; a compiler wants to know. */
void attila_sim_shader_machine(const struct attila_sim *sim, unsigned stage,
                               struct attila_shader_machine *machine);

/* Appends whole commands (hw/attila_cmd.h) to the GPU's command queue and simulates until the
 * command processor has consumed them; work may still be in flight when it returns, and cycle
 * counts do not depend on how a stream is cut into submissions. The words are executed where they
 * are; the caller may reuse them then. Returns false once the simulator has stopped on an error
 * (attila_sim_error says which); further submissions are then ignored. */
bool attila_sim_submit(struct attila_sim *sim, const uint32_t *words, size_t num_words);

/* Simulates until the FENCE command with this value has been executed. False if it was never
 * submitted or on error. */
bool attila_sim_wait(struct attila_sim *sim, uint64_t fence);
/* True if the fence has been executed already; never simulates. */
bool attila_sim_fence_signalled(struct attila_sim *sim, uint64_t fence);

/* Reads GPU memory by way of a READ_BUFFER command: waits for everything submitted before it, costs
 * what the DMA costs. Surfaces still in ROP caches need a FLUSH command first. */
bool attila_sim_read(struct attila_sim *sim, uint32_t address, void *dst, size_t size);

/* Gives take a surface, or part of it, that a submitted SWAP scanned out, to be shown in
 * a window; the bytes are there until take returns, which calls nothing of this header. The way
 * from the DAC to the host's screen is not part of the simulated machine: it costs no simulated
 * time and is not captured. Ask only after SWAP was the last command submitted. False: take was not
 * called, because the simulator has stopped or the surface is not in memory. */
bool attila_sim_scanout(struct attila_sim *sim, const struct attila_scanout *shown,
                        void (*take)(void *user, const uint8_t *bytes,
                                     const struct attila_cleared *cleared),
                        void *user);

/* Simulated time since creation, in cycles of the GPU clock and in nanoseconds. Zero in functional
 * mode. */
uint64_t attila_sim_cycles(struct attila_sim *sim);
uint64_t attila_sim_time_ns(struct attila_sim *sim);

/* --- Counters --- */

/* A counter of the machine: a statistic of draws.csv, summed over the instances of its unit, or one
 * made of several. Strings live as long as the simulator. */
struct attila_sim_counter {
   const char *name;  /* "ShadedFragments_FFU"; unique */
   const char *group; /* the box, "FragmentFIFO"; "GPU" for what is made of several */
   const char *unit;  /* "cycles", "bytes", "ns", "%", ...: values are whole numbers of it */
   const char *doc;
};
/* How many there are; none in functional mode, which counts nothing. */
unsigned attila_sim_num_counters(struct attila_sim *sim);
/* Those of a group follow each other. False: there is none of this index. */
bool attila_sim_get_counter(struct attila_sim *sim, unsigned index,
                            struct attila_sim_counter *counter);

/* Counts what the commands cost that are submitted to a context of the machine (CONTEXT) between
 * begin and end, whenever they are executed: no other work is in it, and nothing drains. Costs no
 * simulated time and is not captured. NULL: no counters, or out of host memory. */
struct attila_monitor;
struct attila_monitor *attila_sim_monitor_begin(struct attila_sim *sim, uint32_t context);
void attila_sim_monitor_end(struct attila_sim *sim, struct attila_monitor *m);
/* Values of num counters, by index, as far as the commands have been executed: wait for a FENCE
 * behind them first. Lines that they left dirty in caches count when they are written back. */
void attila_sim_monitor_read(struct attila_sim *sim, const struct attila_monitor *m,
                             const unsigned *counters, unsigned num, uint64_t *values);
void attila_sim_monitor_destroy(struct attila_sim *sim, struct attila_monitor *m);

/* The message of the error that stopped the simulator, or NULL. */
const char *attila_sim_error(struct attila_sim *sim);

#endif
