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
#include "hw/attila_limits.h"
#include "util/list.h"
#include "util/u_dynarray.h"

#define ATTILA_CS_WORDS (256u << 10)
/* Words of notes beside these: notes do not decide when commands are submitted, so that they change
 * no cycle. */
#define ATTILA_CS_NOTE_WORDS (64u << 10)
/* Longest payload the driver makes: bigger uploads are cut into several commands. */
#define ATTILA_CS_MAX_UPLOAD (128u << 10) /* bytes */

/* What a vertex or geometry shader writes to the buffers of a transform feedback. */
struct attila_stream_table {
   uint32_t stride[ATTILA_MAX_STREAM_BUFFERS]; /* bytes */
   uint32_t num;
   struct attila_stream_output output[ATTILA_MAX_STREAM_OUTPUTS];
};

/* What the GPU's context holds after the commands recorded so far: new values are compared with
 * this, and only what differs is sent. */
struct attila_hw_state {
   struct attila_regs regs;
   struct attila_cmd_program program[ATTILA_NUM_STAGES]; /* size 0: none loaded */
   unsigned num_consts[ATTILA_NUM_STAGES];               /* vec4s ever written */
   float consts[ATTILA_NUM_STAGES][ATTILA_MAX_CONSTS][4];
   struct attila_cmd_geometry geometry;
   struct attila_cmd_layers layers;
   struct attila_stream_table stream;
   struct {
      uint32_t address, size;
   } const_buffers[ATTILA_NUM_STAGES][ATTILA_MAX_CONST_BUFFERS];
};

struct attila_screen;
struct util_debug_callback;

struct attila_cs {
   struct attila_screen *screen;
   struct util_debug_callback *debug; /* the context's, for attila_perf.h */
   struct list_head link;             /* attila_screen.streams */
   unsigned id;                       /* from 1, never used again */
   unsigned number;                   /* of the GPU's context, below ATTILA_MAX_CONTEXTS */

   uint32_t *words;        /* ATTILA_CS_WORDS + ATTILA_CS_NOTE_WORDS */
   unsigned num, num_note; /* words recorded, and those of them that are notes */
   unsigned last;          /* the header of the last command */
   /* attila_memory.epoch when the first word was recorded; UINT64_MAX when empty. */
   uint64_t open_epoch;
   struct attila_done done; /* when the last command that waits, or flushes, was recorded */
   thrd_t thread;           /* that uses the context: see attila_eviction.c */
   bool begun;              /* the GPU's context was reset for this one */
   struct attila_hw_state hw;

   /* ROP caches: see attila_resource.color_seq. */
   uint64_t rop_seq, flushed_color, flushed_zs;
   struct attila_bo staging;             /* what attila_rect.c uploads through */
   struct util_dynarray dmabufs_written; /* struct pipe_resource *, referenced: attila_dmabuf.h */
   /* Records work that waits for the next command, before that command; NULL: there is none. */
   void (*before_next)(struct attila_cs *cs);
   bool frame_has_work; /* something was drawn since the last end of a frame */
   bool reported_skip;  /* a message has said that draws are skipped */
};

/* After attila_cs_init, attila_cs_finish is called even if it returned false: out of memory. */
bool attila_cs_init(struct attila_cs *cs, struct attila_screen *screen,
                    struct util_debug_callback *debug);
void attila_cs_finish(struct attila_cs *cs);

/* Appends a command and returns its payload for the caller to fill. Never fails: submits when the
 * buffer is full. */
uint32_t *attila_cs_emit(struct attila_cs *cs, enum attila_opcode op, unsigned words);

/* Appends a note to the command just recorded (attila_cmd.h) and returns it for the caller to fill.
 * NULL: nobody reads notes, or there is no room. */
uint32_t *attila_cs_note(struct attila_cs *cs, unsigned words);

/* The command just recorded waits for everything before it. attila_cs_emit calls it where the
 * opcode says so. */
void attila_cs_waits(struct attila_cs *cs);

/* Hands everything recorded to the GPU; with fence, also a FENCE whose value is returned. */
void attila_cs_submit(struct attila_cs *cs, uint64_t *fence);

/* No other context has submitted since this one did. */
bool attila_cs_submitted_last(struct attila_cs *cs);

/* Submits what the contexts that record on the calling thread hold back: used when memory runs
 * short. */
void attila_cs_submit_all(struct attila_screen *screen);

/* Copies size bytes to GPU memory. no_wait: nothing unfinished uses the range. */
void attila_cs_write_buffer(struct attila_cs *cs, uint32_t address, const void *data, uint32_t size,
                            bool no_wait);

/* Writes back ROP caches and/or invalidates texture caches: enum attila_flush bits. */
void attila_cs_flush_caches(struct attila_cs *cs, uint32_t bits);
/* Copies within GPU memory; the ranges do not overlap. */
void attila_cs_copy_bytes(struct attila_cs *cs, uint32_t dst, uint32_t src, uint64_t size);
void attila_cs_zero_bytes(struct attila_cs *cs, uint32_t address, uint64_t size);
/* The GPU's fast clears of the surfaces in its registers. buffers: bit per colour buffer. */
void attila_cs_clear_color(struct attila_cs *cs, uint32_t buffers, const float color[4]);
void attila_cs_clear_zs(struct attila_cs *cs, bool depth, bool stencil, float depth_value,
                        uint32_t stencil_value);

/* The calling thread uses the stream's context: before its textures change or are read. */
void attila_cs_own(struct attila_cs *cs);
/* The oldest epoch that recorded commands may belong to which are not submitted yet, without those
 * of one stream (or NULL): taken before something that waits is submitted, for attila_memory_done
 * after. The screen's lock is held. */
uint64_t attila_cs_mark(struct attila_screen *screen, const struct attila_cs *except);
/* Reads GPU memory (waits for everything submitted). Memory freed before becomes available again.
 */
bool attila_cs_read(struct attila_screen *screen, uint32_t address, void *dst, size_t size);

#endif
