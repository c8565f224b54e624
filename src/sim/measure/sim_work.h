/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Work: a draw, or another command that costs something; a row of draws.csv. It has a work id as
 * long as anything of it is in the machine; under this id the boxes count what they do for it. Work
 * is complete when its command has ended and nothing refers to it any more: no dirty line, no
 * posted write. Then its statistics are taken, and the id is free. At the end of a frame the
 * statistics of all work are taken, complete or not, so that the rows of a frame add up to the
 * frame. What a command causes later counts as "earlier" work of the frame in which it happens.
 *
 * Bookkeeping of the host: nothing here costs simulated time, and whether work is counted changes
 * no cycle. Without files it is not: the table is NULL, and everything counts for work id 0.
 */
#ifndef SIM_WORK_H
#define SIM_WORK_H

#include "core/sim_box.h"
#include "core/sim_utf8.h"

#define SIM_LABEL_BYTES 128 /* of a marker that names work, with its NUL; longer ones are cut */
#define SIM_CALL_BYTES 160  /* of a call of OpenGL */

/* label: NULL: none, kept as an empty one. */
static inline void
sim_label_keep(char kept[SIM_LABEL_BYTES], const char *label)
{
   sim_utf8_copy(kept, SIM_LABEL_BYTES, label ? label : "");
}

/* Kinds of work: name in draws.csv, and what it is. Rows of a frame are in the order of commands,
 * but for these: earlier is first, shared and other are last. */
/* clang-format off */
#define SIM_WORK_KINDS(K)                                                                          \
   K(EARLIER, "earlier", "what commands of earlier frames caused in this one: lines written back") \
   K(DRAW, "draw", "DRAW")                                                                         \
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

/* Work ids that are always there. */
#define SIM_WORK_OTHER 0
#define SIM_WORK_SHARED 1

/* What is recorded of it besides statistics. */
struct sim_work {
   enum sim_work_kind kind;
   uint32_t draw;      /* DRAW: number in its frame, from sim_report_next_draw */
   bool meta;          /* DRAW: the driver's own */
   uint32_t prim;      /* DRAW: enum attila_prim */
   uint32_t context;   /* of the machine */
   uint32_t count;     /* vertices or indices of a draw, bytes of a transfer */
   uint32_t instances; /* DRAW */
   /* DRAW: numbers in the record; 0: none */
   uint32_t vertex_program, geometry_program, fragment_program, bindings;
   const char *label;   /* the marker it was submitted under; NULL: none */
   const char *call;    /* DRAW: the call of OpenGL that asked for it; NULL: not known */
   sim_tick start, end; /* left the command processor, ended; 0 in functional mode */
};

/* The texts of work that is kept. */
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

/* A work id that is taken. */
struct sim_work_state {
   struct sim_work work;
   struct sim_work_texts texts;
   uint32_t number; /* in its frame, in the order of commands */
   uint32_t draws;  /* of its frame that had begun, itself included */
   uint64_t serial; /* of all, from 1 */
   bool used, ended;
   bool earlier; /* its work has been written: what comes now belongs to an earlier frame */
};

struct sim_measure;
struct sim_work_table {
   struct sim_measure *measure;
   struct sim_kernel *kernel;
   uint32_t num_work_ids, next_number;
   uint64_t next_serial;
   sim_tick last_end; /* when a command ended last */
   uint32_t *refs;    /* [work_id]: the command, until it ends, and what it left behind; atomic */
   struct sim_work_state *state;
   uint16_t *free, *done; /* stacks of work ids; done: complete since the beginning of this tick */
   uint32_t num_free, num_done;
   uint64_t
       unattributed; /* what boxes counted for work ids that nobody had (a mistake of theirs) */
};

/* A work id for a command that begins; sim_work_end gives it back. */
uint16_t sim_work_begin(struct sim_work_table *table, const struct sim_work *work);
/* It left the command processor only now. */
void sim_work_start(struct sim_work_table *table, uint16_t work_id, sim_tick now);
/* It has ended; what refers to it may still count for it. */
void sim_work_end(struct sim_work_table *table, uint16_t work_id, sim_tick now);
/* In sim_work.c: nothing refers to the work id any more. */
void sim_work_complete(struct sim_work_table *table, uint16_t work_id);

/* Something was left behind that will cost something later on behalf of this work id: a dirty line,
 * a posted write. Take the reference before the last one is given up. */
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
