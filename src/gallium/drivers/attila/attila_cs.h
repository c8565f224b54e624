/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A context's command buffer: whole commands of hw/attila_cmd.h that are not submitted yet, and
 * what the GPU's context holds once they are executed.
 */
#ifndef ATTILA_CS_H
#define ATTILA_CS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "attila_bo.h"
#include "c11/threads.h"
#include "hw/attila_cmd.h"

#define ATTILA_CS_WORDS (256u << 10)
/* Longest payload the driver makes: bigger uploads are cut into several commands. */
#define ATTILA_CS_MAX_UPLOAD (128u << 10) /* bytes */

/* What the GPU's context holds after the commands recorded so far: new values are compared with
 * this, and only what differs is sent. */
struct attila_hw_state {
   struct attila_regs regs;
   struct attila_cmd_program program[ATTILA_NUM_STAGES]; /* size 0: none loaded */
   unsigned num_consts[ATTILA_NUM_STAGES];               /* vec4s ever written */
   float consts[ATTILA_NUM_STAGES][ATTILA_MAX_CONSTS][4];
};

struct attila_cs {
   uint32_t *words; /* ATTILA_CS_WORDS */
   unsigned num;
   /* attila_memory.epoch when the first word was recorded; UINT64_MAX when empty. */
   uint64_t open_epoch;
   struct attila_done done; /* when the last command that waits, or flushes, was recorded */
   thrd_t thread;           /* whose the context is: see attila_eviction.c */
   bool begun;              /* the GPU's context was reset for this one */
   struct attila_hw_state hw;
};

struct attila_context;
struct attila_screen;

bool attila_cs_init(struct attila_context *ctx);
void attila_cs_finish(struct attila_context *ctx);

/* Appends a command and returns its payload for the caller to fill. Never fails: submits when the
 * buffer is full. */
uint32_t *attila_cs_emit(struct attila_context *ctx, enum attila_opcode op, unsigned words);

/* The command just recorded waits for everything before it. attila_cs_emit calls it where the
 * opcode says so. */
void attila_cs_waits(struct attila_context *ctx);

/* Hands everything recorded to the GPU; with fence, also a FENCE whose value is returned. */
void attila_cs_submit(struct attila_context *ctx, uint64_t *fence);

/* No other context has submitted since this one did. */
bool attila_cs_submitted_last(struct attila_context *ctx);

/* Submits what the contexts that record on the calling thread hold back: used when memory runs
 * short. */
void attila_cs_submit_all(struct attila_screen *screen);

/* Copies size bytes to GPU memory. no_wait: nothing unfinished uses the range. */
void attila_cs_write_buffer(struct attila_context *ctx, uint32_t address, const void *data,
                            uint32_t size, bool no_wait);

/* Writes back ROP caches and/or invalidates texture caches: enum attila_flush bits. */
void attila_cs_flush_caches(struct attila_context *ctx, uint32_t bits);

#endif
