/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A configured machine's shader as far as it decides what a program costs, and that cost: thread
 * groups that fit, predicted cycles, the line of statistics. The simulator fills the description
 * from its parameters, the compiler chooses by it. Nothing here executes a program.
 */
#ifndef ATTILA_MACHINE_H
#define ATTILA_MACHINE_H

#include "hw/isa/attila_isa.h"

enum attila_alu {
   ATTILA_ALU_SIMD,        /* of four components */
   ATTILA_ALU_SIMD_SCALAR, /* and one of one component, for another instruction of the group */
   ATTILA_ALU_SCALAR,      /* of one component: an instruction takes a step for each */
};

/* Which group is fetched next (docs/reference/parameters.md, FRAGMENTSHADER.IssuePolicy). */
enum attila_issue {
   ATTILA_ISSUE_ROUND_ROBIN,
   ATTILA_ISSUE_OLDEST_FIRST,
   ATTILA_ISSUE_SWAP_ON_BLOCK,
   ATTILA_ISSUE_IN_ORDER,
};

/* One kind of shader. Times are cycles of the shader clock. Whoever makes one clears it first: it
 * is compared, and names compiled programs, as bytes. */
struct attila_shader_machine {
   uint32_t threads;      /* thread groups at most */
   uint32_t lanes;        /* inputs (vertices or fragments) of a thread group */
   uint32_t registers;    /* vec4 for all inputs of all its thread groups */
   uint32_t granularity;  /* registers that an input gets together; 0: 1 */
   uint32_t buffers;      /* thread groups that are loaded beyond those that execute */
   uint32_t vector;       /* cycles that the ALUs need for the lanes of an instruction */
   uint32_t fetch_gap;    /* from a fetch to the next at least */
   uint32_t fetch_delay;  /* from a fetch to the next of the same group at least */
   uint32_t fetch_groups; /* groups fetched in a cycle */
   uint32_t ways;         /* instructions of a fetch */
   uint32_t read_ports;   /* temporaries that the instructions of a fetch may read */
   uint32_t write_ports;  /* results that may be written in a cycle */
   uint32_t input_cycles; /* to load a group */
   uint32_t output_cycles, output_attributes; /* to store so many outputs of a group */
   uint32_t texture_latency;  /* from a request to the texels of one quad, if they are cached */
   uint32_t texture_requests; /* until a group's quads have left for the texture unit */
   uint32_t texture_cycles;   /* that a group's quads take one texture unit, a sample each */
   uint32_t texture_units;    /* of a shader, or its share of shared ones, at least 1 */
   uint32_t load_latency;     /* from a load to its result, if it is cached and the same for all */
   uint8_t alu;               /* enum attila_alu */
   uint8_t issue;             /* enum attila_issue */
   bool two_scalars;          /* the SIMD ALU takes a scalar instruction, too */
   bool simd_first;           /* behind a scalar instruction of a fetch no SIMD one issues */
   bool wait_on_stall;        /* decode keeps what cannot issue */
   bool scoreboard;           /* fetch knows which operands are written */
   uint8_t latency[ATTILA_NUM_OPS]; /* in the ALU; then one to write the result */
   uint8_t repeat[ATTILA_NUM_OPS];  /* until the ALU takes the next instruction */
};

/* How an instruction issues on every machine (rules of the original). Scalar: it writes one
 * component and works on no others, so that the ALU of one component takes it. Steps: what an ALU
 * of one component alone needs for it. */
bool attila_isa_is_scalar(const struct attila_isa_instr *in);
unsigned attila_isa_scalar_steps(const struct attila_isa_instr *in);
/* The group waits for what another unit answers. */
bool attila_isa_waits(unsigned op);
/* What comes next is known when it has executed, or has to wait for that. */
bool attila_isa_may_jump(unsigned op);
/* Two instructions that follow each other may issue together, as far as their kinds go. */
bool attila_isa_pairs(const struct attila_shader_machine *machine,
                      const struct attila_isa_instr *first, const struct attila_isa_instr *second);

/* Thread groups that run the program at once in a shader of the machine. */
unsigned attila_isa_threads(const struct attila_isa_program *program,
                            const struct attila_shader_machine *machine);

/* Cycles between the ends of two thread groups when as many run as fit, in hundredths; the
 * program's register file, masks and so on must be final (attila_isa_finalize). Simulates fetch,
 * decode and the scoreboard of one shader. What it assumes: every texel is in the cache and is one
 * sample, every constant is in the cache and the same for the group, both arms of a branch execute,
 * and a loop does four times. isa_cycles.c */
uint32_t attila_isa_cycles(const struct attila_isa_program *program,
                           const struct attila_shader_machine *machine);

/* "N inst, N loops, N cycles, ... N threads": what Mesa's shader-db reads. Instructions by class,
 * END included; cycles and threads as above, cycles rounded up. */
void attila_isa_stats_line(const struct attila_isa_program *program,
                           const struct attila_shader_machine *machine, char *line, size_t size);

#endif
