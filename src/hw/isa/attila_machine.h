/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A machine's shader as far as it decides a program's cost, and that cost: thread groups that fit,
 * predicted cycles, the statistics line. The simulator fills the description from its parameters;
 * the compiler chooses by it. Nothing here executes programs. */
#ifndef ATTILA_MACHINE_H
#define ATTILA_MACHINE_H

#include "hw/isa/attila_isa.h"

enum attila_alu {
   ATTILA_ALU_SIMD,        /* four components wide */
   ATTILA_ALU_SIMD_SCALAR, /* plus one of one component, for another instruction of the group */
   ATTILA_ALU_SCALAR,      /* one component wide: a step for each */
};

/* Which group is fetched next (docs/reference/parameters.md, FRAGMENTSHADER.IssuePolicy). */
enum attila_issue {
   ATTILA_ISSUE_ROUND_ROBIN,
   ATTILA_ISSUE_OLDEST_FIRST,
   ATTILA_ISSUE_SWAP_ON_BLOCK,
   ATTILA_ISSUE_IN_ORDER,
};

/* One kind of shader; times are shader clock cycles. Clear it first: it is compared, and identifies
 * compiled programs, as bytes. */
struct attila_shader_machine {
   uint32_t threads;                          /* most thread groups */
   uint32_t lanes;                            /* inputs (vertices or fragments) per group */
   uint32_t registers;                        /* vec4s for all inputs of all groups */
   uint32_t granularity;                      /* registers allocated together to an input; 0: 1 */
   uint32_t buffers;                          /* groups loaded beyond those that execute */
   uint32_t vector;                           /* ALU cycles for the lanes of an instruction */
   uint32_t fetch_gap;                        /* least cycles between fetches */
   uint32_t fetch_delay;                      /* least cycles between fetches of a group */
   uint32_t fetch_groups;                     /* groups fetched per cycle */
   uint32_t ways;                             /* instructions per fetch */
   uint32_t read_ports;                       /* temporaries that a fetch's instructions may read */
   uint32_t write_ports;                      /* results written per cycle */
   uint32_t input_cycles;                     /* cycles to load a group */
   uint32_t output_cycles, output_attributes; /* cycles to store this many outputs of a group */
   uint32_t texture_latency;                  /* from a request to a quad's cached texels */
   uint32_t texture_requests;       /* until a group's quads have left for the texture unit */
   uint32_t texture_cycles;         /* a group's quads, one sample each, in one texture unit */
   uint32_t texture_units;          /* per shader, or its share of shared ones, at least 1 */
   uint32_t load_latency;           /* from a load to its result, if cached and the same for all */
   uint32_t memory_latency;         /* from a memory instruction to its result, without waits */
   uint8_t alu;                     /* enum attila_alu */
   uint8_t issue;                   /* enum attila_issue */
   bool two_scalars;                /* the SIMD ALU also takes scalar instructions */
   bool simd_first;                 /* no SIMD instruction issues behind a scalar one of a fetch */
   bool wait_on_stall;              /* decode keeps what cannot issue */
   bool scoreboard;                 /* fetch knows which operands are written */
   uint8_t latency[ATTILA_NUM_OPS]; /* in the ALU; one more to write the result */
   uint8_t repeat[ATTILA_NUM_OPS];  /* until the ALU takes the next instruction */
};

/* How an instruction issues on every machine (the original's rules). Scalar: writes one component
 * and uses no others, so the one-component ALU takes it. Steps: what a one-component ALU alone
 * needs. */
bool attila_isa_is_scalar(const struct attila_isa_instr *in);
unsigned attila_isa_scalar_steps(const struct attila_isa_instr *in);
/* Returns whether the group waits for another unit's answer. */
bool attila_isa_waits(unsigned op);
/* Returns whether what follows is known only after execution, or waits for it. */
bool attila_isa_may_jump(unsigned op);
/* Returns whether two consecutive instructions may issue together, by kind. */
bool attila_isa_pairs(const struct attila_shader_machine *machine,
                      const struct attila_isa_instr *first, const struct attila_isa_instr *second);

/* Returns the thread groups that run the program at once in a shader. */
unsigned attila_isa_threads(const struct attila_isa_program *program,
                            const struct attila_shader_machine *machine);

/* Returns the cycles, in hundredths, between the ends of two thread groups with as many as fit; the
 * program must be final (attila_isa_finalize). Simulates one shader's fetch, decode and scoreboard,
 * assuming cached texels of one sample, cached constants that are equal for the group, execution of
 * both arms of a branch, and four iterations per loop. isa_cycles.c */
uint32_t attila_isa_cycles(const struct attila_isa_program *program,
                           const struct attila_shader_machine *machine);

/* Writes "N inst, N loops, N cycles, ... N threads" for Mesa's shader-db: instructions by class,
 * END included; cycles (rounded up) and threads as above. */
void attila_isa_stats_line(const struct attila_isa_program *program,
                           const struct attila_shader_machine *machine, char *line, size_t size);

#endif
