/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reading captures command by command: the commands, the registers, labels and programs that they
 * leave, and names and values of registers as text. */
#ifndef CLI_STREAM_H
#define CLI_STREAM_H

#include "cli/cli.h"
#include "decode/sim_fields.h"
#include "hw/attila_regs.h"

/* --- cli_stream.c: the commands of a capture, one after the other --- */

struct cli_command {
   uint64_t number; /* in the capture, from 0; waits have none */
   uint32_t frame;  /* that it belongs to */
   uint32_t draw;   /* draws of the frame before it */
   bool wait;       /* no command: the program waited for a fence */
   uint64_t fence;  /* wait */
   uint32_t op;     /* enum attila_opcode */
   const uint32_t *payload;
   uint32_t words; /* of the payload */
};

struct cli_stream {
   const char *path;
   struct sim_capture_reader *reader;
   struct sim_capture_record record;
   size_t at;   /* in the record */
   size_t skip; /* words of the next record that are not wanted */
   uint64_t next_number;
   uint32_t frame, draw;
   uint32_t memory_size; /* of the GPU, bytes */
   int status;           /* enum cli_exit */
};

/* False, with a message on stderr, when the file cannot be used. */
bool cli_stream_open(struct cli_stream *s, const char *path);
/* False at the end, or with a message on stderr and status set where the file is damaged. What c
 * points to is valid until the next call. */
bool cli_stream_next(struct cli_stream *s, struct cli_command *c);
/* After the reader was moved: the stream goes on with this frame, which begins after so many words
 * of the next record. Commands are numbered as if none had been skipped. */
void cli_stream_go_on(struct cli_stream *s, uint32_t frame, size_t words);
void cli_stream_close(struct cli_stream *s);

/* --- cli_state.c: the state that commands leave --- */

struct cli_context {
   struct attila_regs regs;
   char label[128];
   unsigned program[ATTILA_NUM_STAGES]; /* number, from 1; 0: none */
   bool geometry;                       /* the stage is on */
};

struct cli_program {
   uint64_t hash; /* of stage and bytes */
   uint32_t stage, size;
   char name[128];
   char *text; /* disassembled, or why not */
};

struct cli_state {
   uint8_t *memory; /* what WRITE_BUFFER has put there */
   size_t memory_size;
   struct cli_context *contexts; /* [ATTILA_MAX_CONTEXTS] */
   unsigned context;             /* selected */
   struct cli_program *programs; /* different ones, in the order of their loading */
   unsigned num_programs;
   char shader_name[128]; /* of the program that is loaded next */
};

/* False, with a message on stderr, when host memory is exhausted. */
bool cli_state_init(struct cli_state *s, uint32_t memory_size);
void cli_state_fini(struct cli_state *s);
/* The command has been executed. Returns the number of a program that was not loaded before, or 0.
 */
unsigned cli_state_command(struct cli_state *s, const struct cli_command *c);
static inline struct cli_context *
cli_state_context(const struct cli_state *s)
{
   return &s->contexts[s->context];
}

/* --- cli_fields.c: values of registers --- */

/* As text: names of enumerators, numbers. */
void cli_field_text(const struct sim_field *f, uint32_t word, char *text, size_t size);

const char *cli_prim_name(uint32_t prim);

#endif
