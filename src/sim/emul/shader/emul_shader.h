/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader emulator: executes the ISA on up to 16 lanes (inputs), one instruction at a time for boxes
 * or whole programs for functional mode, with the same functions and results. Lanes 4q..4q+3 are a
 * fragment quad (left, right, then the next row). Arithmetic is IEEE float32 without contraction;
 * EX2, LG2, SIN, COS and POW have the errors in shader-isa.md and never call libm. */
#ifndef EMUL_SHADER_H
#define EMUL_SHADER_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/isa/attila_isa.h"

#define EMUL_LANES 16

/* A register of 16 lanes, component-major: a component is one vector. */
struct emul_vec4 {
   float c[4][EMUL_LANES];
} __attribute__((aligned(64)));

/* A program with pre-decoded instructions. Immutable, shareable; reference counted by its owner. */
struct emul_program;

/* Copies isa. NULL if it is invalid. */
struct emul_program *emul_program_create(const struct attila_isa_program *isa);
void emul_program_destroy(struct emul_program *program);
const struct attila_isa_program *emul_program_isa(const struct emul_program *program);
/* Returns a bit per component of an input that some instruction reads; others may hold anything. */
unsigned emul_program_input_components(const struct emul_program *program, unsigned input);
/* Counts the costs of instructions in costs, by position; NULL: nowhere. The caller keeps costs
 * while the program runs. */
struct sim_cost;
void emul_program_count(struct emul_program *program, struct sim_cost *costs);

/* A texture operation for which a group waits. */
struct emul_tex_request {
   /* Arrays first, each on a cache line. */
   float coord[3][EMUL_LANES]; /* s, t, r or layer; TXF: bits of integers */
   float ref[EMUL_LANES];      /* shadow */
   float lod[EMUL_LANES];      /* TXB: bias, TXL: LOD; TXF and TXS: bits of integers, levels */
   float ddx[3][EMUL_LANES], ddy[3][EMUL_LANES]; /* TXD; TXG: ddx[0], [1] bits of integers: texels
                                                  * to add to x, y */
   uint8_t op;     /* enum attila_isa_op: TEX, TXP (already divided), TXB, TXL, TXD, TXF, TXS, TXG,
                    * TXQL */
   uint8_t unit;   /* index into attila_regs.tex */
   uint8_t target; /* enum attila_tex_target */
   bool shadow;
   uint16_t mask;           /* lanes that need a result; their quads need all coordinates */
   bool has_quads;          /* fragment group: implicit LOD from quad differences; else LOD 0 */
   uint8_t unread;          /* bit per result component that is not read nor written */
   int8_t offset[4];        /* texels to add to x, y, z in the level; [3] is 0 */
   uint8_t component;       /* TXG: of the texels after the view's swizzle */
   float layer[EMUL_LANES]; /* of an array of cubes: target is CUBE_ARRAY */
} __attribute__((aligned(64)));

/* Memory that a stage's LDC reads. size 0: everything is outside. */
struct emul_const_buffer {
   uint32_t address, size; /* bytes */
};

/* A load for which a group waits. */
struct emul_load_request {
   uint32_t address[EMUL_LANES];   /* of component x, multiples of 4 */
   uint8_t components[EMUL_LANES]; /* bit per component to read; others are 0 */
};

/* A memory instruction for which a group waits. */
struct emul_memory_request {
   struct emul_load_request words; /* to access, elements of `unit` bytes, of GPU memory or of
                                    * shared memory; SZB: addresses are the result */
   uint32_t data[4][EMUL_LANES];   /* stores: elements; atomic operations: operand, expected word */
   uint8_t op, atomic;             /* enum attila_isa_op, enum attila_atomic */
   uint8_t unit;                   /* 4; of an image's texels of 1 or 2 bytes 1, 2 */
   uint8_t format;                 /* enum attila_format, of an image */
   uint32_t size[4];               /* SZI: the result */
};

/* Returns whether a memory instruction loads words. */
static inline bool
emul_memory_loads(unsigned op)
{
   return op == ATTILA_OP_LDB || op == ATTILA_OP_LDS;
}

/* What units answered to 16 invocations of a compute program: written when these are executed for
 * their effects, then read when boxes execute them again in time (emul_grid.h), maybe in groups of
 * other sizes. For each invocation the components that its instructions write, in order. */
struct emul_log {
   float (*value)[EMUL_LANES];
   uint32_t room;             /* of value */
   uint32_t num[EMUL_LANES];  /* written */
   uint32_t next[EMUL_LANES]; /* to be read */
};

/* What a lane of a geometry program emitted. */
struct emul_emission {
   float (*out)[4];                              /* [max][outputs], owned by the caller */
   uint16_t num, max;                            /* vertices */
   uint16_t outputs;                             /* vectors per vertex */
   bool cut;                                     /* the next vertex begins a strip */
   uint32_t begins[ATTILA_MAX_GS_VERTICES / 32]; /* bit per vertex: it begins a strip */
   uint8_t stream[ATTILA_MAX_GS_VERTICES];       /* of each vertex */
};
static inline void
emul_emission_start(struct emul_emission *e, unsigned outputs, unsigned max)
{
   e->num = 0;
   e->max = (uint16_t)max;
   e->outputs = (uint16_t)outputs;
   e->cut = true;
}

/* Execution state of a group. The caller provides the constant bank and the registers: temps
 * [isa->num_temps], inputs and outputs (only those used are touched). */
struct emul_thread {
   const struct emul_program *program;
   struct emul_vec4 *temps;
   const struct emul_vec4 *inputs;
   struct emul_vec4 *outputs;
   const float (*consts)[4]; /* [ATTILA_MAX_CONSTS] */
   uint32_t pc;
   uint16_t lanes;   /* existing lanes */
   uint16_t exec;    /* active lanes */
   uint16_t killed;  /* lanes after KIL; they continue as helpers for their quad */
   uint16_t helpers; /* lanes of fragments that are not there: they write no memory. Set by the
                      * caller after emul_thread_start */
   /* Lanes whose loop did not end in time. They left it and continue as helpers; results are
    * invisible: fragments are killed, vertices have zero outputs, primitives emit nothing. */
   uint16_t stopped;
   bool is_fragment;
   uint16_t depth; /* of the stack */
   struct {
      uint16_t exec, brk, cont, kind;
   } stack[ATTILA_ISA_MAX_NESTING];
   int32_t address[4][EMUL_LANES];
   uint32_t loop_guard;                     /* iterations left before looping lanes are stopped */
   struct emul_tex_request tex;             /* filled when a step returns EMUL_STEP_TEXTURE */
   struct emul_load_request load;           /* filled when a step returns EMUL_STEP_LOAD */
   const struct emul_const_buffer *buffers; /* [ATTILA_MAX_CONST_BUFFERS], for programs with
                                             * loads */
   uint8_t *memory; /* the GPU's, for emul_thread_run with loads and memory instructions */
   struct emul_memory_request request; /* filled when a step returns EMUL_STEP_MEMORY */
   /* Called before a memory instruction of emul_thread_run; NULL: not called. */
   void (*accesses)(void *user, const struct emul_memory_request *request);
   const struct emul_const_buffer *storage; /* [ATTILA_MAX_STORAGE_BUFFERS], for programs with
                                             * memory instructions */
   const struct attila_image *images;       /* [ATTILA_MAX_IMAGES], for programs that access some */
   struct emul_emission *emission[EMUL_LANES]; /* for geometry programs; all started */
   uint8_t *shared; /* the workgroup's memory, for emul_thread_run of compute programs */
   /* Logs of a workgroup, and which invocation lane 0 is; NULL: none. Set by the caller after
    * emul_thread_start. */
   struct emul_log *logs;
   uint16_t log_first;
   bool log_reads;
} __attribute__((aligned(64)));

enum emul_step {
   EMUL_STEP_NEXT,    /* executed; pc advanced, maybe by a jump */
   EMUL_STEP_TEXTURE, /* tex is filled; call emul_thread_result, which advances pc */
   EMUL_STEP_END,     /* the program ended */
   EMUL_STEP_LOAD,    /* load is filled; call emul_thread_result, which advances pc */
   EMUL_STEP_MEMORY,  /* request is filled; call emul_thread_result or, if the instruction has no
                       * destination, emul_thread_stored, which advance pc */
   EMUL_STEP_BARRIER, /* executed; the group waits for those of its workgroup */
};
/* Iterations that a group may still do once lanes were stopped. */
#define EMUL_FEW_ITERATIONS 64u
#define EMUL_STOPPED_TEXT                                                    \
   "a shader program loops more than %u times (SIMULATOR.MaxLoopIterations)" \
   " and is stopped; the rest of its draw is undefined"

/* Starts a group at instruction 0 with these lanes. Clears temporaries and outputs that may be used
 * unwritten, so results never depend on old contents; others are not cleared. iterations: most
 * iterations of all loops together, so that endless loops do not hang the application. */
void emul_thread_start(struct emul_thread *t, const struct emul_program *program, uint16_t lanes,
                       bool is_fragment, uint32_t iterations);
/* Executes the instruction at pc. */
enum emul_step emul_thread_step(struct emul_thread *t);
/* Leaves the group only a few iterations. For the rest of a draw with a stopped lane, whose results
 * are undefined anyway. */
void emul_thread_hurry(struct emul_thread *t);
/* Delivers a texture operation's or load's result to the destination of the instruction at pc, and
 * advances. */
void emul_thread_result(struct emul_thread *t, const struct emul_vec4 *result);
/* Passes a memory instruction without a destination, whose words are in memory. */
static inline void
emul_thread_stored(struct emul_thread *t)
{
   t->pc++;
}
/* Executes the request in memory, lane by lane, as functional mode does; with its result. */
void emul_memory_execute(const struct emul_memory_request *request, uint8_t *memory,
                         struct emul_vec4 *result);
/* Completes a result whose elements are there: sizes, converted texels, and a single word in every
 * component. */
void emul_memory_finish(const struct emul_memory_request *request, struct emul_vec4 *result);
/* Puts those elements of a load that lie in memory [start, end), whose bytes are given, into their
 * places. */
void emul_memory_take(const struct emul_memory_request *request, uint64_t start, uint64_t end,
                      const uint8_t *bytes, struct emul_vec4 *result);
/* Puts those words of a load that lie in memory [start, end), whose bytes are given, into their
 * places. */
void emul_load_words(const struct emul_load_request *load, uint64_t start, uint64_t end,
                     const uint8_t *bytes, struct emul_vec4 *result);
/* Runs to the end, or behind the next barrier; calls sample() for every texture operation, with a
 * destination that may be the program's register. Loads and memory instructions access memory. */
enum emul_step emul_thread_run(struct emul_thread *t,
                               void (*sample)(void *user, const struct emul_tex_request *request,
                                              struct emul_vec4 *texel),
                               void *user);

#endif
