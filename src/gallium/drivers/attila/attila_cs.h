/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The command buffer of a context: whole commands of hw/attila_cmd.h to submit, and what the
 * context on the GPU holds once they have executed. */
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
/* Additional words for notes. They do not decide when to submit, so notes change no cycle. */
#define ATTILA_CS_NOTE_WORDS (64u << 10)
/* The longest upload in one command; longer ones become several commands. */
#define ATTILA_CS_MAX_UPLOAD (128u << 10) /* bytes */

/* What a vertex or geometry shader writes to transform feedback buffers. */
struct attila_stream_table {
   uint32_t stride[ATTILA_MAX_STREAM_BUFFERS]; /* bytes */
   uint32_t num;
   struct attila_stream_output output[ATTILA_MAX_STREAM_OUTPUTS];
};

/* What the context on the GPU holds after the recorded commands. Only values that differ are
 * sent. */
struct attila_hw_state {
   struct attila_regs regs;
   struct attila_cmd_program program[ATTILA_NUM_STAGES]; /* size 0: not loaded */
   unsigned num_consts[ATTILA_NUM_STAGES];               /* vec4s written so far */
   float consts[ATTILA_NUM_STAGES][ATTILA_MAX_CONSTS][4];
   struct attila_cmd_geometry geometry;
   struct attila_cmd_layers layers;
   struct attila_stream_table stream;
   struct {
      uint32_t address, size;
   } const_buffers[ATTILA_NUM_STAGES][ATTILA_MAX_CONST_BUFFERS],
       storage[ATTILA_NUM_STAGES][ATTILA_MAX_STORAGE_BUFFERS];
   struct attila_image images[ATTILA_NUM_STAGES][ATTILA_MAX_IMAGES];
};

struct attila_screen;
struct util_debug_callback;

struct attila_cs {
   struct attila_screen *screen;
   struct util_debug_callback *debug; /* of the context, for attila_perf.h */
   struct list_head link;             /* attila_screen.streams */
   unsigned id;                       /* from 1, never reused */
   unsigned number;                   /* number of the GPU context, below ATTILA_MAX_CONTEXTS */

   uint32_t *words;        /* ATTILA_CS_WORDS + ATTILA_CS_NOTE_WORDS */
   unsigned num, num_note; /* recorded words, and notes among them */
   unsigned last;          /* position of the last command's header */
   /* attila_memory.epoch at the first word; UINT64_MAX when empty. */
   uint64_t open_epoch;
   struct attila_done
       done;      /* epochs when the last waiting command and the last flushes were recorded */
   thrd_t thread; /* thread that uses the context: see attila_eviction.c */
   bool begun;    /* the GPU context was reset for this stream */
   struct attila_hw_state hw;

   /* ROP caches: see attila_resource.color_seq. */
   uint64_t rop_seq, flushed_color, flushed_zs;
   struct attila_bo staging;             /* for uploads in attila_rect.c */
   struct util_dynarray dmabufs_written; /* struct pipe_resource *, referenced: attila_dmabuf.h */
   /* Called before the next command, to record work that was deferred to it; NULL: none. */
   void (*before_next)(struct attila_cs *cs);
   bool frame_has_work; /* something was drawn since the last frame */
   bool reported_skip;  /* a message has said that draws are skipped */
};

/* Initialises a stream. Returns false if memory is exhausted; call attila_cs_finish even then. */
bool attila_cs_init(struct attila_cs *cs, struct attila_screen *screen,
                    struct util_debug_callback *debug);
void attila_cs_finish(struct attila_cs *cs);

/* Appends a command and returns its payload, which the caller fills. It never fails: if the buffer
 * is full, it submits first. */
uint32_t *attila_cs_emit(struct attila_cs *cs, enum attila_opcode op, unsigned words);

/* Appends a note to the last command (attila_cmd.h) and returns it for the caller to fill. NULL:
 * notes are off, or there is no room. */
uint32_t *attila_cs_note(struct attila_cs *cs, unsigned words);

/* Notes that the last command waits for all before it. attila_cs_emit calls this for opcodes that
 * always wait. */
void attila_cs_waits(struct attila_cs *cs);

/* Submits all recorded commands; with fence, also a FENCE whose value is returned. */
void attila_cs_submit(struct attila_cs *cs, uint64_t *fence);

/* Returns whether no other context has submitted since this one. */
bool attila_cs_submitted_last(struct attila_cs *cs);

/* Submits the recorded commands of all contexts of the calling thread, when memory is short. */
void attila_cs_submit_all(struct attila_screen *screen);

/* Copies size bytes to GPU memory. no_wait: no unfinished command uses the range. */
void attila_cs_write_buffer(struct attila_cs *cs, uint32_t address, const void *data, uint32_t size,
                            bool no_wait);

/* Writes ROP caches back and/or invalidates texture caches: enum attila_flush bits. */
void attila_cs_flush_caches(struct attila_cs *cs, uint32_t bits);
/* Copies within GPU memory; ranges must not overlap. */
void attila_cs_copy_bytes(struct attila_cs *cs, uint32_t dst, uint32_t src, uint64_t size);
void attila_cs_zero_bytes(struct attila_cs *cs, uint32_t address, uint64_t size);
/* Record fast clears of the surfaces in the GPU's registers. buffers: bit per colour buffer. */
void attila_cs_clear_color(struct attila_cs *cs, uint32_t buffers, const float color[4]);
void attila_cs_clear_zs(struct attila_cs *cs, bool depth, bool stencil, float depth_value,
                        uint32_t stencil_value);

/* Makes the calling thread the owner of the stream, before textures change or are read. */
void attila_cs_own(struct attila_cs *cs);
/* Returns the oldest epoch of commands that are not submitted yet, except those of one stream (or
 * NULL). Call it before a waiting command is submitted, and pass the result to attila_memory_done
 * after that. The screen's lock is held. */
uint64_t attila_cs_mark(struct attila_screen *screen, const struct attila_cs *except);
/* Reads GPU memory after all submitted commands. Memory that was freed before becomes available. */
bool attila_cs_read(struct attila_screen *screen, uint32_t address, void *dst, size_t size);

#endif
