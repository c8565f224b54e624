/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random shaders for the compiler's tests: made from a seed, built as NIR (random_build.c), and
 * interpreted lane by lane from the same description, without NIR (random_program.c). Assignments
 * with masks, swizzles and modifiers, branches, loops with break and continue, local arrays,
 * indexed constants, textures, kills, derivatives, integers. All values are whole numbers between
 * -32 and 32, so every order of evaluation gives the same bits. */
#ifndef ATTILA_RANDOM_PROGRAM_H
#define ATTILA_RANDOM_PROGRAM_H

#include "harness.h"

#define RANDOM_VARS 6
#define RANDOM_ELEMENTS 4
#define RANDOM_MAX_NODES 400
#define RANDOM_CONST 5       /* constant register that operands read */
#define RANDOM_FIRST_INDEX 2 /* of RANDOM_ELEMENTS constant registers that are indexed */

enum random_kind {
   RANDOM_ASSIGN,
   RANDOM_BRANCH,
   RANDOM_LOOP,
   RANDOM_STORE, /* to the array */
   RANDOM_LOAD,
   RANDOM_UNIFORM, /* indexed */
   RANDOM_TEXTURE,
   RANDOM_KILL,
   RANDOM_DERIVATIVE, /* outside of branches and loops only */
   RANDOM_BREAK,
   RANDOM_CONTINUE,
};

enum random_op {
   RANDOM_ADD,
   RANDOM_MUL,
   RANDOM_MAD,
   RANDOM_MIN,
   RANDOM_MAX,
   RANDOM_LESS,
   RANDOM_SELECT,
   RANDOM_HALF, /* floor(a / 2) */
   RANDOM_DOT,
   RANDOM_SATURATE, /* of a + b */
   RANDOM_SIGN,
   RANDOM_EQUAL,           /* a == b, negated where c < 0 */
   RANDOM_SELECT_POSITIVE, /* a >= 0 ? b : c */
   RANDOM_ALL_EQUAL,
   RANDOM_DIVIDE, /* integers, 0 where b is 0 */
   RANDOM_MODULO,
   RANDOM_OPS
};

/* The result may leave the range of values, and is clamped. */
static inline bool
random_op_grows(enum random_op op)
{
   return op == RANDOM_ADD || op == RANDOM_MUL || op == RANDOM_MAD || op == RANDOM_DOT;
}

/* Below RANDOM_VARS a variable. */
enum random_source { RANDOM_INPUT = RANDOM_VARS, RANDOM_CONSTANT, RANDOM_LITERAL, RANDOM_SOURCES };

struct random_operand {
   uint8_t source;
   uint8_t swizzle[4];
   bool negate, absolute;
   int8_t literal[4];
};

struct random_texture {
   nir_texop op;   /* tex, txb, txl, txd */
   uint8_t target; /* enum attila_tex_target */
   uint8_t unit;
   bool shadow, project;
};

struct random_node {
   enum random_kind kind;
   enum random_op op;
   uint8_t var, mask, count;
   bool vertical; /* derivative */
   struct random_texture tex;
   struct random_operand src[3];
   int first, second, next; /* nodes inside, node behind; -1: none */
};

struct random_program {
   gl_shader_stage stage;
   struct random_node nodes[RANDOM_MAX_NODES];
   int count, first;
   uint32_t seed;
};

/* The state of one lane. */
struct random_lane {
   float var[RANDOM_VARS][4], array[RANDOM_ELEMENTS][4], input[4];
   const float (*consts)[4];
   bool killed;
};

void random_program_make(struct random_program *p, gl_shader_stage stage, uint32_t seed);
/* Sets the constants that random programs read. */
void random_program_constants(struct shader_test *t);
/* Set the initial state of a lane; interpret all lanes to the end. */
void random_program_start(struct random_lane *l, const struct shader_test *t, unsigned lane);
void random_program_interpret(const struct random_program *p, struct random_lane *lanes);
/* In random_build.c: builds the program in t; variable v is output v. */
void random_program_build(const struct random_program *p, struct shader_test *t);
/* Executes the compiled program, with the texture of the interpreter. Returns a static message if
 * something differs from the lanes as the interpreter left them, else NULL. */
const char *random_program_run(const struct random_program *p, struct shader_test *t,
                               const struct random_lane *lanes);

#endif
