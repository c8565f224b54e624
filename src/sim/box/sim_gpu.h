/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulated GPU as its boxes see it: configuration, kernel, netlist, memory and pools. Also the
 * interface between the command queue (cmd/), the two ways to execute it (box/command/cp.c clocks
 * the pipeline, func/ runs emulators directly) and the reports. The public face is attila_sim.h.
 */
#ifndef SIM_GPU_H
#define SIM_GPU_H

#include "attila_sim.h"
#include "box/netlist.h"
#include "config/sim_config.h"
#include "core/sim_pool.h"
#include "core/sim_wait.h"

struct sim_report;
struct sim_func;
struct sim_frontend;

/* Words submitted and not yet consumed. */
struct sim_command_queue {
   uint32_t *words;
   size_t capacity, head, tail; /* in words; head <= tail, compacted when head catches up */
};

/* Where the data of a READ_BUFFER goes: requests are served in submission order. */
struct sim_host_read {
   uint8_t *dst;
   uint32_t size;
}; /* whoever serves it copies, advances reads_head and decrements num_reads */

struct sim_gpu {
   struct sim_config config;
   enum attila_mode mode;
   struct sim_kernel kernel;
   struct sim_netlist net;
   uint8_t *memory; /* GPU memory; cycle mode: touched by the channel schedulers only */
   uint32_t memory_size;
   struct sim_pool vertices, prims, quads, groups; /* sim_vertex, sim_prim, sim_quad, sim_group */
   struct sim_command_queue queue;
   struct sim_host_read *reads; /* ring of outstanding READ_BUFFER destinations */
   unsigned num_reads, reads_head, reads_capacity;
   /* Set by CP at the end of the cycle in which it could take another command in its next cycle but
    * the queue is empty; cleared when words are appended, which also wakes CP for the next tick.
    * The stop flag of sim_kernel_run for submit: time stops before that next cycle, so cycle counts
    * do not depend on how a stream is cut. A FENCE or READ_BUFFER that still waits is not starving.
    */
   bool cp_starved;
   uint64_t fence;                         /* highest value signalled */
   uint64_t counters[ATTILA_NUM_COUNTERS]; /* running totals. Each counter is written by one box:
                                            * SAMPLES_PASSED by ZST of any ROP (sums, so order does
                                            * not matter) */
   /* Frame and draw being reported. */
   uint32_t frame, draw_in_frame;
   char label[128]; /* last text marker */
   struct sim_report *report;
   struct sim_func *func;         /* functional mode's executor; NULL in cycle mode */
   struct sim_frontend *frontend; /* decoded registers, constants, programs; used by CP and func */
};

/* Serves the oldest outstanding READ_BUFFER: its destination, or false when there is none. */
static inline bool
sim_gpu_next_read(struct sim_gpu *gpu, struct sim_host_read *read)
{
   if (!gpu->num_reads)
      return false;
   *read = gpu->reads[gpu->reads_head];
   gpu->reads_head = (gpu->reads_head + 1) % gpu->reads_capacity;
   gpu->num_reads--;
   return true;
}

/* --- Command decoding shared by both modes (decode/sim_frontend.c) --- */

/* Register file, constant banks, programs. Applies WRITE_REGS, WRITE_CONSTS, LOAD_PROGRAM and makes
 * draw states. */
struct sim_frontend *sim_frontend_create(struct sim_gpu *gpu);
void sim_frontend_destroy(struct sim_frontend *f);
struct attila_regs *sim_frontend_regs(struct sim_frontend *f);
/* Bounds-checks a command (words available, payload length, register and constant range, addresses
 * within memory). Returns false with a message for a malformed one; the simulator then stops with
 * that message. */
bool sim_frontend_check(struct sim_frontend *f, const uint32_t *command, size_t available,
                        char *error, size_t error_size);
void sim_frontend_write_regs(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
void sim_frontend_write_consts(struct sim_frontend *f, const uint32_t *payload, uint32_t words);
/* binary: the program's bytes (read from GPU memory by the caller). Decoded programs are cached by
 * content. A program that does not validate gives false and a message. */
bool sim_frontend_load_program(struct sim_frontend *f, unsigned stage, const void *binary,
                               size_t size, char *error, size_t error_size);
/* Fills draw->state (allocating or sharing constant banks and texture states). False with a
 * message: skip the draw. */
bool sim_frontend_begin_draw(struct sim_frontend *f, struct emul_draw_state *state,
                             const struct attila_cmd_draw *cmd, char *error, size_t error_size);
/* Releases what begin_draw shared. */
void sim_frontend_end_draw(struct sim_frontend *f, struct emul_draw_state *state);

/* --- Functional mode (func/sim_func.c) --- */
struct sim_func *sim_func_create(struct sim_gpu *gpu);
void sim_func_destroy(struct sim_func *f);
/* Executes every whole command in gpu->queue. False on error (kernel.error is set). */
bool sim_func_run(struct sim_func *f);

/* --- Reports (report/): called by both modes --- */
/* A draw left the pipeline; writes its row from draw->number, draw->start, draw->state.cmd,
 * gpu->label, and adds and clears its slot's statistics. Whoever makes the draw counts
 * gpu->draw_in_frame up. */
void sim_report_draw(struct sim_gpu *gpu, const struct sim_draw *draw, sim_tick end);
/* A frame ended at tick end; image: NULL or width * height RGBA8 pixels, row 0 on top. Counts
 * gpu->frame up and sets gpu->draw_in_frame to 0. */
void sim_report_frame(struct sim_gpu *gpu, sim_tick end, const uint8_t *image, uint32_t width,
                      uint32_t height);
/* Whether sim_report_frame would save an image (else making one is wasted time). */
bool sim_report_wants_image(const struct sim_gpu *gpu);
/* A message for the user on stderr, once per distinct text; counted in the reports. */
void sim_warn(struct sim_gpu *gpu, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
