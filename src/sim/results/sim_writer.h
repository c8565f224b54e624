/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Work that is handed over: what the files of a run cost should not hold up the machine that is
 * simulated. One thread hands jobs over, another does them, in the same order. Where there is only
 * one processor, or nobody asked for a thread, a job is done when it is handed over. Not here: what
 * jobs do.
 */
#ifndef SIM_WRITER_H
#define SIM_WRITER_H

#include <stdbool.h>
#include <stddef.h>

struct sim_writer;

/* What is done with the data of a job, which nobody else sees and which need not be freed. */
typedef void sim_writer_job(void *owner, void *data);

/* thread: of its own, if this host gives us one. NULL: out of host memory. */
struct sim_writer *sim_writer_create(bool thread);
/* Does everything, and ends the thread. Not after sim_writer_lost. w may be NULL. */
void sim_writer_destroy(struct sim_writer *w);

/* Room for the data of a job, at most so many bytes, aligned for every type. NULL: no memory, or
 * not ours any more; then the job is lost. It is no job before sim_writer_end, and may be left. */
void *sim_writer_begin(struct sim_writer *w, size_t size);
/* used: bytes of the room that the job needs. */
void sim_writer_end(struct sim_writer *w, sim_writer_job *job, void *owner, size_t used);
/* Wakes the thread for what has been handed over: else it sleeps until that is worth waking. */
void sim_writer_wake(struct sim_writer *w);
/* Until all jobs are done. */
void sim_writer_wait(struct sim_writer *w);
/* The same in a signal handler, but not for ever: at most two seconds, and not at all when the
 * thread itself was interrupted. */
void sim_writer_wait_in_handler(struct sim_writer *w);
/* In a child after fork(): there is no thread any more, and jobs are lost. */
void sim_writer_disown(struct sim_writer *w);
/* Whether there was a thread, which fork() may have stopped in the middle of a job. */
bool sim_writer_lost(const struct sim_writer *w);

#endif
