/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A trace of what boxes do and what passes between them, in a window of cycles, frames or draws:
 * for ui.perfetto.dev. It is written while the machine runs, and changes nothing in it. */
#ifndef SIM_TRACER_H
#define SIM_TRACER_H

#include "box/sim_gpu.h"

struct sim_tracer;

struct sim_tracer_options {
   const char *path;
   /* The window, at most one of cycles and frames: "A-B", both included; NULL: everything. draws:
    * of the first frame in frames, or of frame 0. */
   const char *cycles, *frames, *draws;
   const char *what;   /* names of SIM_TRACE_WHAT, separated by commas; NULL: the default */
   uint32_t limit_mib; /* of the file; 0: SIM_TRACE_LIMIT_MIB */
};

#define SIM_TRACE_LIMIT_MIB 1024

/* W(bit, name, whether it is on by default, what is in the trace) */
/* clang-format off */
#define SIM_TRACE_WHAT(W)                                                                         \
   W(UNITS, units, true, "what each unit does, and for whom")                                     \
   W(DRAWS, draws, true, "draws, and the triangles that are made of them")                        \
   W(VERTICES, vertices, true, "vertices and their thread groups from box to box")                \
   W(TRIANGLES, triangles, true, "triangles from box to box")                                     \
   W(QUADS, quads, true, "quads and thread groups from box to box")                               \
   W(MEMORY, memory, true, "requests to memory and their transactions")                           \
   W(BANKS, banks, true, "commands to each bank of the memory's chips, and its open row")         \
   W(QUEUES, queues, false, "how full the queues between units are")
/* clang-format on */

/* Opens the file and listens to a machine that counts work (gpu->work) and has not run yet. Returns
 * NULL with a message on failure. */
struct sim_tracer *sim_tracer_create(struct sim_gpu *gpu, const struct sim_tracer_options *options,
                                     char *error, size_t error_size);
/* Ends an open window and writes everything; call it between runs. Returns false if the file is not
 * whole; the message was printed before. */
bool sim_tracer_finish(struct sim_tracer *t);
/* Call it in a child after fork(): the file belongs to the parent. */
void sim_tracer_disown(struct sim_tracer *t);
void sim_tracer_destroy(struct sim_tracer *t);

#endif
