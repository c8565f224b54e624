/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Work: a draw or another command that costs something; it is a row of draws.csv. As long as any
 * part of it is in the machine it has a work id, under which boxes count. It is complete when its
 * command has ended and nothing refers to it (no dirty line, no posted write); then its statistics
 * are taken and the id is free. At the end of a frame all statistics are taken, so that rows add up
 * to the frame. What a command costs after that counts as "earlier" work of the frame in which it
 * arises. All this is bookkeeping of the host: it takes no simulated time and changes no cycle.
 * Without files the table is NULL and everything counts for work id 0. */
#ifndef SIM_WORK_H
#define SIM_WORK_H

#include "core/sim_box.h"
#include "core/sim_utf8.h"

#define SIM_LABEL_BYTES 128 /* of a marker that names work, with NUL; longer ones are cut */
#define SIM_CALL_BYTES 160  /* of an OpenGL call */

/* label: NULL: none, kept as empty. */
static inline void
sim_label_keep(char kept[SIM_LABEL_BYTES], const char *label)
{
   sim_utf8_copy(kept, SIM_LABEL_BYTES, label ? label : "");
}

/* Kinds of work: name in draws.csv, meaning. The rows of a frame are in the order of commands, but
 * "earlier" is first, and "shared" and "other" are last. */
/* clang-format off */
#define SIM_WORK_KINDS(K)                                                                          \
   K(EARLIER, "earlier", "what commands of earlier frames caused in this one: lines written back") \
   K(DRAW, "draw", "DRAW")                                                                         \
   K(DISPATCH, "dispatch", "DISPATCH: a grid of workgroups")                                       \
   K(CLEAR, "clear", "CLEAR_COLOR, CLEAR_ZS")                                                      \
   K(FLUSH, "flush", "FLUSH")                                                                      \
   K(BLIT, "blit", "BLIT: copies and resolves")                                                    \
   K(UPLOAD, "upload", "WRITE_BUFFER")                                                             \
   K(READBACK, "readback", "READ_BUFFER")                                                          \
   K(PROGRAM, "program", "LOAD_PROGRAM")                                                           \
   K(QUERY, "query", "WRITE_COUNTER")                                                              \
   K(CONTEXT, "context", "CONTEXT")                                                                \
   K(SWAP, "swap", "SWAP: the scan-out, and the write-back before it")                             \
   K(SHARED, "shared", "commands for which no work id was free")                                   \
   K(OTHER, "other", "idle time, and commands without a work, such as register writes")
/* clang-format on */
enum sim_work_kind {
#define K(NAME, name, doc) SIM_KIND_##NAME,
   SIM_WORK_KINDS(K)
#undef K
       SIM_NUM_WORK_KINDS
};

extern const char *const sim_work_kind_names[SIM_NUM_WORK_KINDS];

/* Permanent work ids. */
#define SIM_WORK_OTHER 0
#define SIM_WORK_SHARED 1

/* What a row records besides statistics. */
struct sim_work {
   enum sim_work_kind kind;
   uint32_t draw;      /* DRAW: number in its frame (sim_observed_draw_begins) */
   bool meta;          /* DRAW: the driver's own */
   uint32_t prim;      /* DRAW: enum attila_prim */
   uint32_t context;   /* of the machine */
   uint32_t count;     /* a draw's vertices or indices, a grid's invocations, a transfer's bytes */
   uint32_t instances; /* DRAW; DISPATCH: workgroups */
   /* DRAW, DISPATCH: numbers of sim_numbers.c; 0: none */
   uint32_t vertex_program, geometry_program, fragment_program, compute_program, bindings;
   uint32_t pipeline;   /* DRAW: number of its state (decode/sim_pipeline.h); 0: none */
   const char *label;   /* its marker; NULL: none */
   const char *call;    /* DRAW, DISPATCH: its OpenGL call; NULL: unknown */
   sim_tick start, end; /* when it left the command processor, and ended; 0 in functional mode */
};

/* Copies of a work's texts. */
struct sim_work_texts {
   char label[SIM_LABEL_BYTES], call[SIM_CALL_BYTES];
};

/* Copies the texts of work. */
static inline void
sim_work_keep_texts(struct sim_work_texts *kept, const struct sim_work *work)
{
   sim_label_keep(kept->label, work->label);
   sim_utf8_copy(kept->call, SIM_CALL_BYTES, work->call ? work->call : "");
}

/* Makes the work refer to the copies. */
static inline void
sim_work_use_texts(struct sim_work *work, const struct sim_work_texts *kept)
{
   work->label = kept->label;
   work->call = kept->call[0] ? kept->call : NULL;
}

/* A work id in use. */
struct sim_work_state {
   struct sim_work work;
   struct sim_work_texts texts;
   uint32_t number; /* in its frame, in command order */
   uint32_t draws;  /* draws of its frame that have begun, this one included */
   uint64_t serial; /* number among all work, from 1 */
   bool used, ended;
   bool earlier; /* its row is written: further counts are earlier work */
};

struct sim_measure;
struct sim_work_table {
   struct sim_measure *measure;
   struct sim_kernel *kernel;
   uint32_t num_work_ids, next_number;
   uint64_t next_serial;
   sim_tick last_end; /* when its last command ended */
   uint32_t
       *refs; /* [work_id]: references by the command until it ends, and by what it left; atomic */
   struct sim_work_state *state;
   uint16_t *free, *done; /* stacks of work ids; done: completed in this tick */
   uint32_t num_free, num_done;
   uint64_t unattributed; /* charges to free ids (a bug) */
};

/* Returns a work id for a command that begins; sim_work_end releases it. */
uint16_t sim_work_begin(struct sim_work_table *table, const struct sim_work *work);
/* Notes that the work leaves the command processor only now, and the state of a draw. */
void sim_work_start(struct sim_work_table *table, uint16_t work_id, sim_tick now,
                    uint32_t pipeline);
/* Notes that the command has ended; what it left may still cost something. */
void sim_work_end(struct sim_work_table *table, uint16_t work_id, sim_tick now);
/* In sim_work.c: completes a work id without references. */
void sim_work_complete(struct sim_work_table *table, uint16_t work_id);

/* Adds a reference to a work id for something that will cost later: a dirty line, a posted write.
 * Call it before the last reference is dropped. */
static inline void
sim_work_ref(struct sim_work_table *table, uint16_t work_id)
{
   if (table && work_id > SIM_WORK_SHARED)
      __atomic_fetch_add(&table->refs[work_id], 1, __ATOMIC_RELAXED);
}

static inline void
sim_work_unref(struct sim_work_table *table, uint16_t work_id)
{
   if (table && work_id > SIM_WORK_SHARED &&
       __atomic_load_n(&table->refs[work_id], __ATOMIC_RELAXED) &&
       __atomic_sub_fetch(&table->refs[work_id], 1, __ATOMIC_RELAXED) == 0)
      sim_work_complete(table, work_id);
}

#endif
