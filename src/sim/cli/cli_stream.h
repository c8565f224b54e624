/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reads captures command by command: the commands; the registers, labels and programs that they
 * leave; the names and values of registers as text. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include "cli/cli.h"
#include "decode/sim_fields.h"
#include "hw/attila_regs.h"

/* --- cli_stream.c: the commands of a capture, one after the other --- */

struct cli_command {
   uint64_t number; /* in the capture, from 0; waits have no number */
   uint32_t frame;  /* its frame */
   uint32_t draw;   /* number of draws before it in the frame */
   bool wait;       /* not a command: the program waited for a fence */
   uint64_t fence;  /* of the wait */
   uint32_t op;     /* enum attila_opcode */
   const uint32_t *payload;
   uint32_t words; /* words of the payload */
};

struct cli_stream {
   const char *path;
   struct sim_capture_reader *reader;
   struct sim_capture_record record;
   size_t at;   /* in the record */
   size_t skip; /* unwanted words of the next record */
   uint64_t next_number;
   uint32_t frame, draw;
   uint32_t memory_size; /* bytes of GPU memory */
   int status;           /* enum cli_exit */
};

/* Returns false, with a message on stderr, if the file cannot be used. */
bool cli_stream_open(struct cli_stream *s, const char *path);
/* Returns false at the end. Where the file is damaged, returns false with a message on stderr and
 * sets status. c->payload is valid until the next call. */
bool cli_stream_next(struct cli_stream *s, struct cli_command *c);
/* Continues with a frame after the reader was moved. The frame begins after the first `words` words
 * of the next record. Commands are numbered as if none had been skipped. */
void cli_stream_go_on(struct cli_stream *s, uint32_t frame, size_t words);
void cli_stream_close(struct cli_stream *s);

/* --- cli_state.c: the state that commands leave --- */

struct cli_context {
   struct attila_regs regs;
   char label[128];
   unsigned program[ATTILA_NUM_STAGES]; /* number, from 1; 0: none */
   bool geometry;                       /* the geometry stage is on */
};

struct cli_program {
   uint64_t hash; /* hash of stage and bytes */
   uint32_t stage, size;
   char name[128];
   char *text; /* disassembly, or why there is none */
};

struct cli_state {
   uint8_t *memory; /* bytes from WRITE_BUFFER */
   size_t memory_size;
   struct cli_context *contexts; /* [ATTILA_MAX_CONTEXTS] */
   unsigned context;             /* the selected one */
   struct cli_program *programs; /* different ones, in order of loading */
   unsigned num_programs;
   char shader_name[128]; /* name for the next loaded program */
};

/* Returns false, with a message on stderr, when host memory is exhausted. */
bool cli_state_init(struct cli_state *s, uint32_t memory_size);
void cli_state_fini(struct cli_state *s);
/* Follows an executed command. Returns the number of a program that was not loaded before, or 0. */
unsigned cli_state_command(struct cli_state *s, const struct cli_command *c);
static inline struct cli_context *
cli_state_context(const struct cli_state *s)
{
   return &s->contexts[s->context];
}

/* --- cli_fields.c: values of registers --- */

/* Writes a value as text: names of enumerators, numbers. */
void cli_field_text(const struct sim_field *f, uint32_t word, char *text, size_t size);

#endif
