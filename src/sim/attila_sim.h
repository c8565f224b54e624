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

struct attila_sim;
struct attila_shader_machine; /* hw/isa/attila_machine.h */

/* M(enum constant, name a user writes). CYCLE: boxes and signals, cycle by cycle. FUNCTIONAL: the
 * same emulators without timing: same pixels, no cycles. HALF: cycle mode, but shaders execute an
 * instruction per cycle without latencies (SIMULATOR.HalfCycle): same pixels, faster. */
#define ATTILA_MODES(M) M(CYCLE, cycle) M(FUNCTIONAL, functional) M(HALF, half)

enum attila_mode {
#define M(constant, name) ATTILA_MODE_##constant,
   ATTILA_MODES(M)
#undef M
};

/* Never NULL. */
const char *attila_mode_name(enum attila_mode mode);
/* The mode of a name, in upper or lower case. False: there is none; *mode stays. */
bool attila_mode_parse(const char *name, enum attila_mode *mode);

#define ATTILA_MAX_THREADS 64

/* How to build a GPU. Strings are copied by attila_sim_create. */
struct attila_sim_options {
   const char *config_path; /* .ini file; NULL: the built-in machine (configs/ispass2006.ini) */
   const char *const *overrides; /* "Section.Key=value", applied after the file */
   unsigned num_overrides;
   enum attila_mode mode;
   const char *out_dir; /* run.sqlite, frames.csv, draws.csv and (save_frames) PNG frames go here;
                           NULL: none */
   const char *capture_path; /* every submitted command is also written here; NULL: none */
   bool save_frames;         /* write frame-NNNN.png at every SWAP (needs out_dir) */
   bool progress;            /* a progress line per frame on stderr */
   bool status;              /* a line that says where it is, only if stderr is a terminal */
   /* What draws.csv is limited to; NULL: everything. */
   const char *draws_frames;  /* "0,10-20,50-" */
   const char *draws;         /* "0:3,7:10-20": frame and draws */
   const char *label;         /* "shadow*": what the program calls its work */
   const char *draws_columns; /* "ReadBytes_*,CulledHZFragments_HZ"; "none": no statistics */
   const char *record; /* of "sqlite,csv", what is written: run.sqlite, draws.csv. NULL: both.
                        * "csv.zst" instead of csv: draws.csv.zst, compressed */
   uint32_t interval;  /* cycles of the record's intervals; 0: none */
   const char *power;  /* table of energies in the record, a file or "builtin"; NULL: none */
   /* The frames that cycle and half mode simulate, "40-49,100-": functional mode leads up to them.
    * NULL: all. Of whole frames without jobs one range, which goes on to the end of the run. */
   const char *cycle_frames;
   /* And of these frames only parts: draws by their numbers in each frame, "40-59,70-", or the work
    * that the program calls so ("shadow*"); with both, what both choose. NULL: all. Functional mode
    * has the rest, in which the machine's time stands still. */
   const char *cycle_draws, *cycle_label;
   uint32_t warm_up; /* frames before each of these ranges are simulated, too, but not reported */
   /* Not 0: the program runs in functional mode, and that many worker processes at a time simulate
    * its frames; the folder of reports gets one of each worker, which attila-sim merge makes one
    * of. */
   uint32_t jobs;
   uint32_t job_frames; /* frames of a worker; 0: a whole range, but one of a range without end */
   const char *ideal;   /* "memory,texture": units as fast as can be (attila-sim --help) */
   const char *maps;    /* "overdraw,latency": maps of every frame; "all"; NULL: none. Cycle mode */
   const char *maps_dir; /* where they go; NULL: maps in out_dir */
   bool maps_some_draws; /* only of draws maps_first_draw to maps_last_draw of each frame */
   uint32_t maps_first_draw, maps_last_draw;
   const char *maps_each; /* "3,7-9": draws of each frame that have maps of their own; NULL: none */
   /* A trace of what passes between units (tools.md): its file, for GTKWave if it ends in
    * .vcd, else for Perfetto; its window, "A-B", and what is in it. NULL: no trace; everything; the
    * default. trace_limit: MiB of the file, 0: 1024. */
   const char *trace_path, *trace_cycles, *trace_frames, *trace_draws, *trace_what;
   uint32_t trace_limit;
   uint32_t threads; /* that execute fragments in functional mode, 1 to ATTILA_MAX_THREADS; 0: as
                        many as there are processors, up to 8. No result depends on it */
   bool keep_clears; /* functional mode need not have written clears to memory that nobody has read:
                        for who looks at memory through this header only */
   uint32_t
       box_order_seed; /* 0: declaration order; else clock the boxes in a permuted order (a test) */
};

/* Whether frames are simulated in parts. */
static inline bool
attila_sim_wants_parts(const struct attila_sim_options *o)
{
   return o->cycle_draws || o->cycle_label;
}

/* Fills options from ATTILA_CONFIG, ATTILA_SET (';'-separated), ATTILA_MODE, ATTILA_OUT,
 * ATTILA_CAPTURE, ATTILA_SAVE_FRAMES, ATTILA_PROGRESS, ATTILA_BOX_ORDER, ATTILA_DRAWS_FRAMES,
 * ATTILA_DRAWS, ATTILA_LABEL, ATTILA_DRAWS_COLUMNS, ATTILA_STATUS, ATTILA_RECORD, ATTILA_INTERVAL,
 * ATTILA_IDEAL, ATTILA_MAPS, ATTILA_MAPS_EACH, ATTILA_CYCLE_FRAMES, ATTILA_CYCLE_DRAWS,
 * ATTILA_CYCLE_LABEL, ATTILA_WARM_UP, ATTILA_JOBS, ATTILA_JOB_FRAMES, ATTILA_TRACE,
 * ATTILA_TRACE_CYCLES, ATTILA_TRACE_FRAMES, ATTILA_TRACE_DRAWS, ATTILA_TRACE_WHAT,
 * ATTILA_TRACE_LIMIT, ATTILA_THREADS.
 * The strings stay owned by the library until exit. Returns false with a message in error when a
 * variable has a value outside its range.
 */
bool attila_sim_options_from_env(struct attila_sim_options *options, char *error,
                                 size_t error_size);

/* Creates a GPU in reset state. On a bad configuration returns NULL and says what, where and the
 * accepted range in error (always NUL terminated). */
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
