/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The front end's contexts and the banks that draws share, for the files sim_frontend*.c. */
#ifndef SIM_FRONTEND_IMPL_H
#define SIM_FRONTEND_IMPL_H

#include "decode/sim_frontend.h"
#include "decode/sim_pipeline.h"
#include "decode/sim_programs.h"
#include "emul/emul_stream_out.h"

/* A stage's constants. c is the first member: a draw state's pointer leads back to its bank. */
struct const_bank {
   float c[ATTILA_MAX_CONSTS][4];
   uint32_t used; /* vec4s from here on are 0 */
   uint32_t refs; /* draws in flight, plus one for the context that uses it */
   struct const_bank *next;
};

/* Texture states; s is the first member. */
struct tex_bank {
   struct emul_tex_state s[ATTILA_MAX_TEX_UNITS];
   uint32_t refs;
   struct tex_bank *next;
};

/* Tables of stream-out; s is the first member. */
struct stream_bank {
   struct emul_stream_out s;
   uint32_t refs;
   struct stream_bank *next;
};

/* The state that commands change, of one context. */
struct context {
   bool skip;                       /* conditional draws: the condition does not hold */
   uint32_t vertex_count;           /* for counted draws */
   struct attila_cmd_draw indirect; /* of indirect draws: what they draw */
   struct stream_bank *stream;      /* NULL: not used since reset */
   uint64_t stream_filled[ATTILA_MAX_STREAM_BUFFERS]; /* counters once all draws so far are done */
   struct attila_regs regs;
   struct const_bank *consts[ATTILA_NUM_STAGES];
   struct emul_const_buffer const_buffers[ATTILA_NUM_STAGES][ATTILA_MAX_CONST_BUFFERS];
   struct emul_const_buffer storage[ATTILA_NUM_STAGES][ATTILA_MAX_STORAGE_BUFFERS];
   struct attila_image images[ATTILA_NUM_STAGES][ATTILA_MAX_IMAGES];
   struct attila_cmd_geometry geometry;
   struct attila_cmd_layers layers;
   struct tex_bank *tex;
   uint64_t tex_current; /* units whose state in tex matches the registers */
   struct sim_program *program[ATTILA_NUM_STAGES];
   uint64_t counters[ATTILA_NUM_COUNTERS];
   bool counts_fragments; /* WRITE_COUNTER has read that counter */
   char label[SIM_LABEL_BYTES];
   char program_name[48]; /* of the next loaded program */
};

struct sim_frontend {
   uint32_t memory_size;
   struct emul_tex_quality tex_quality;
   uint64_t max_vertices;                         /* per draw */
   uint32_t max_iterations;                       /* per thread group */
   struct context *contexts[ATTILA_MAX_CONTEXTS]; /* made when first selected */
   struct context *now;                           /* the selected one */
   uint32_t now_number;
   struct const_bank *free_consts;
   struct tex_bank *free_tex;
   struct stream_bank *free_streams;
   struct sim_programs *programs;
   struct sim_pipeline *pipeline; /* the state of the last draw with a row; NULL: none yet */
};

/* Gives a state programs of these stages (a bit each), and what they use of the selected context.
 */
void sim_frontend_take_stages(struct sim_frontend *f, struct emul_draw_state *state,
                              unsigned stages);

#endif
