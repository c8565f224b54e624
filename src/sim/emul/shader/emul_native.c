/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes a function in host instructions (x86-64 with AVX2) for each simple arithmetic instruction
 * of a shader: operand places are known, so it neither decodes nor branches. Operations and order
 * are those of emul_shader_ops.h, so bits are the same. Groups with inactive lanes use the function
 * that it replaces. Instructions with relative operands, flow, textures and long functions (powers,
 * logarithms, angles, saturating conversions) keep their functions.
 * A stretch of consecutive instructions is also one function, which emul_thread_run uses: it
 * computes the first 8 lanes of all instructions, then the others, keeps components computed or
 * soon read again in vectors (emul_native_vectors.h), and writes registers at the end. */
#include "emul/shader/emul_native.h"

#if defined(__x86_64__) && defined(__linux__)
#include <stdlib.h>
#include <sys/mman.h>
#include "emul/shader/emul_native_vectors.h"

#define OPERAND(s) (NATIVE_VECTORS + (s))
#define SCRATCH_A 14
#define SCRATCH_B 15
#define MAX_BYTES 1536 /* bytes of an instruction's function */

/* Constants at the start of the code; the program's literals follow. */
enum constant {
   CONSTANT_MAGNITUDE,
   CONSTANT_SIGN,
   CONSTANT_ONE,
   CONSTANT_ZERO,
   CONSTANT_SHIFT,
   NUM_CONSTANTS
};
#define LITERALS (NUM_CONSTANTS * NATIVE_HALF_BYTES)

/* Quiet comparisons (predicates of vcmpps). */
enum {
   EQUAL = 0,
   LESS = 17,
   LESS_EQUAL = 18,
   UNORDERED = 3,
   NOT_EQUAL = 4,
   GREATER_EQUAL = 29,
   GREATER = 30
};
/* Rounding modes without inexact exceptions (of vroundps). */
enum { TO_NEAREST = 8, TO_FLOOR = 9, TO_CEILING = 10, TO_ZERO = 11 };

static struct x86_operand
emul_native_constant(enum constant which)
{
   return x86_in_code((size_t)which * NATIVE_HALF_BYTES);
}

/* Returns where component c of operand s is: memory or a vector. */
static struct x86_operand
emul_native_fetch(struct native *n, unsigned s, unsigned c)
{
   const struct emul_src *src = &n->in->src[s];
   const unsigned to = OPERAND(s);
   struct x86_operand at = native_find(n, native_place_of(src, c), c, to);
   if (src->keep == UINT32_MAX && src->flip == 0)
      return at;
   if (at.kind != X86_VECTOR) {
      x86_do(&n->code, X86_LOAD, to, 0, at);
      at = x86_vector(to);
   }
   if (src->keep != UINT32_MAX) {
      x86_do(&n->code, X86_AND, to, at.reg, emul_native_constant(CONSTANT_MAGNITUDE));
      at = x86_vector(to);
   }
   if (src->flip)
      x86_do(&n->code, X86_XOR, to, at.reg, emul_native_constant(CONSTANT_SIGN));
   return x86_vector(to);
}

/* Does the same, always in a vector. */
static unsigned
emul_native_load(struct native *n, unsigned s, unsigned c)
{
   const struct x86_operand at = emul_native_fetch(n, s, c);
   if (at.kind == X86_VECTOR)
      return at.reg;
   x86_do(&n->code, X86_LOAD, OPERAND(s), 0, at);
   return OPERAND(s);
}

/* to = mask ? yes : no */
static void
emul_native_choose(struct native *n, unsigned to, unsigned mask, struct x86_operand yes,
                   unsigned no)
{
   x86_do_byte(&n->code, X86_BLEND, to, no, yes, mask << 4);
}

/* --- Operations: component c of the result, in 8 lanes, to a vector --- */

static void
emul_native_copy(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   x86_do(&n->code, X86_LOAD, to, 0, emul_native_fetch(n, 0, c));
}

/* op: enum x86_op */
static void
emul_native_arithmetic(struct native *n, unsigned op, unsigned to, unsigned c)
{
   const unsigned a = emul_native_load(n, 0, c);
   x86_do(&n->code, (enum x86_op)op, to, a, emul_native_fetch(n, 1, c));
}

static void
emul_native_multiply_add(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   emul_native_arithmetic(n, X86_MUL, to, c);
   x86_do(&n->code, X86_ADD, to, to, emul_native_fetch(n, 2, c));
}

/* Returns 1 where the comparison holds, else 0. */
static void
emul_native_truth(struct native *n, unsigned comparison, unsigned to, unsigned c)
{
   const unsigned a = emul_native_load(n, 0, c);
   x86_do_byte(&n->code, X86_COMPARE, to, a, emul_native_fetch(n, 1, c), comparison);
   x86_do(&n->code, X86_AND, to, to, emul_native_constant(CONSTANT_ONE));
}

/* The first operand where its comparison with the second holds or the second is NaN, else the
 * second. */
static void
emul_native_limit(struct native *n, unsigned comparison, unsigned to, unsigned c)
{
   const unsigned a = emul_native_load(n, 0, c), b = emul_native_load(n, 1, c);
   x86_do_byte(&n->code, X86_COMPARE, SCRATCH_A, a, x86_vector(b), comparison);
   x86_do_byte(&n->code, X86_COMPARE, SCRATCH_B, b, x86_vector(b), UNORDERED);
   x86_do(&n->code, X86_OR, SCRATCH_A, SCRATCH_A, x86_vector(SCRATCH_B));
   emul_native_choose(n, to, SCRATCH_A, x86_vector(a), b);
}

/* The second operand where the comparison of the first with 0 holds, else the third. */
static void
emul_native_condition(struct native *n, unsigned comparison, unsigned to, unsigned c)
{
   const unsigned a = emul_native_load(n, 0, c), other = emul_native_load(n, 2, c);
   x86_do_byte(&n->code, X86_COMPARE, SCRATCH_A, a, emul_native_constant(CONSTANT_ZERO),
               comparison);
   emul_native_choose(n, to, SCRATCH_A, emul_native_fetch(n, 1, c), other);
}

static void
emul_native_interpolation(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   const unsigned a = emul_native_load(n, 0, c);
   x86_do(&n->code, X86_LOAD, SCRATCH_A, 0, emul_native_constant(CONSTANT_ONE));
   x86_do(&n->code, X86_SUB, SCRATCH_A, SCRATCH_A, x86_vector(a));
   x86_do(&n->code, X86_MUL, to, a, emul_native_fetch(n, 1, c));
   x86_do(&n->code, X86_MUL, SCRATCH_A, SCRATCH_A, emul_native_fetch(n, 2, c));
   x86_do(&n->code, X86_ADD, to, to, x86_vector(SCRATCH_A));
}

static void
emul_native_rounding(struct native *n, unsigned how, unsigned to, unsigned c)
{
   x86_do_byte(&n->code, X86_ROUND, to, 0, emul_native_fetch(n, 0, c), how);
}

static void
emul_native_fraction(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   const unsigned a = emul_native_load(n, 0, c);
   x86_do_byte(&n->code, X86_ROUND, SCRATCH_A, 0, x86_vector(a), TO_FLOOR);
   x86_do(&n->code, X86_SUB, to, a, x86_vector(SCRATCH_A));
}

/* Dot product of this many components. */
static void
emul_native_dot_product(struct native *n, unsigned components, unsigned to, unsigned c)
{
   (void)c;
   emul_native_arithmetic(n, X86_MUL, to, 0);
   for (unsigned i = 1; i < components; i++) {
      emul_native_arithmetic(n, X86_MUL, SCRATCH_A, i);
      x86_do(&n->code, X86_ADD, to, to, x86_vector(SCRATCH_A));
   }
}

/* Dot product with 1 as the first operand's fourth component. */
static void
emul_native_homogeneous_product(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   emul_native_dot_product(n, 3, to, c);
   x86_do(&n->code, X86_ADD, to, to, emul_native_fetch(n, 1, 3));
}

/* Reciprocal; root: of the square root of the magnitude. */
static void
emul_native_reciprocal(struct native *n, unsigned root, unsigned to, unsigned c)
{
   (void)c;
   struct x86_operand of = emul_native_fetch(n, 0, 0);
   if (root) {
      x86_do(&n->code, X86_LOAD, to, 0, of);
      x86_do(&n->code, X86_AND, to, to, emul_native_constant(CONSTANT_MAGNITUDE));
      x86_do(&n->code, X86_SQRT, to, 0, x86_vector(to));
      of = x86_vector(to);
   }
   x86_do(&n->code, X86_LOAD, SCRATCH_A, 0, emul_native_constant(CONSTANT_ONE));
   x86_do(&n->code, X86_DIV, to, SCRATCH_A, of);
}

static void
emul_native_square_root(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   (void)c;
   x86_do(&n->code, X86_SQRT, to, 0, emul_native_fetch(n, 0, 0));
}

/* Shift; op: enum x86_op. The second operand counts modulo 32. */
static void
emul_native_shift(struct native *n, unsigned op, unsigned to, unsigned c)
{
   const unsigned a = emul_native_load(n, 0, c), b = emul_native_load(n, 1, c);
   x86_do(&n->code, X86_AND, SCRATCH_A, b, emul_native_constant(CONSTANT_SHIFT));
   x86_do(&n->code, (enum x86_op)op, to, a, x86_vector(SCRATCH_A));
}

/* 1 where op, a comparison, is true, or op, a min or max, gives the first operand; else 0. NOT_SO
 * inverts. */
#define NOT_SO 1u
#define SWAPPED 2u
#define INTEGER_TRUTH(op, how) ((unsigned)(op) << 2 | (how))
static void
emul_native_integer_truth(struct native *n, unsigned how, unsigned to, unsigned c)
{
   const enum x86_op op = (enum x86_op)(how >> 2);
   const unsigned a = emul_native_load(n, 0, c), b = emul_native_load(n, 1, c);
   x86_do(&n->code, op, to, how & SWAPPED ? b : a, x86_vector(how & SWAPPED ? a : b));
   if (op == X86_UMAX)
      x86_do(&n->code, X86_IEQ, to, to, x86_vector(a));
   x86_do(&n->code, how & NOT_SO ? X86_ANDN : X86_AND, to, to, emul_native_constant(CONSTANT_ONE));
}

static void
emul_native_from_signed(struct native *n, unsigned unused, unsigned to, unsigned c)
{
   (void)unused;
   x86_do(&n->code, X86_I2F, to, 0, emul_native_fetch(n, 0, c));
}

static const struct operation {
   void (*make)(struct native *n, unsigned how, unsigned to, unsigned c);
   unsigned how;
   bool one; /* all components are equal, and c is ignored */
} operations[ATTILA_NUM_OPS] = {
    [ATTILA_OP_MOV] = {emul_native_copy},
    [ATTILA_OP_ADD] = {emul_native_arithmetic, X86_ADD},
    [ATTILA_OP_MUL] = {emul_native_arithmetic, X86_MUL},
    [ATTILA_OP_MAD] = {emul_native_multiply_add},
    [ATTILA_OP_LRP] = {emul_native_interpolation},
    [ATTILA_OP_DP2] = {emul_native_dot_product, 2, .one = true},
    [ATTILA_OP_DP3] = {emul_native_dot_product, 3, .one = true},
    [ATTILA_OP_DP4] = {emul_native_dot_product, 4, .one = true},
    [ATTILA_OP_DPH] = {emul_native_homogeneous_product, .one = true},
    [ATTILA_OP_MIN] = {emul_native_limit, LESS},
    [ATTILA_OP_MAX] = {emul_native_limit, GREATER},
    [ATTILA_OP_SLT] = {emul_native_truth, LESS},
    [ATTILA_OP_SLE] = {emul_native_truth, LESS_EQUAL},
    [ATTILA_OP_SGT] = {emul_native_truth, GREATER},
    [ATTILA_OP_SGE] = {emul_native_truth, GREATER_EQUAL},
    [ATTILA_OP_SEQ] = {emul_native_truth, EQUAL},
    [ATTILA_OP_SNE] = {emul_native_truth, NOT_EQUAL},
    [ATTILA_OP_CMP] = {emul_native_condition, LESS},
    [ATTILA_OP_CND] = {emul_native_condition, NOT_EQUAL},
    [ATTILA_OP_FLR] = {emul_native_rounding, TO_FLOOR},
    [ATTILA_OP_CEIL] = {emul_native_rounding, TO_CEILING},
    [ATTILA_OP_TRUNC] = {emul_native_rounding, TO_ZERO},
    [ATTILA_OP_ROUND] = {emul_native_rounding, TO_NEAREST},
    [ATTILA_OP_FRC] = {emul_native_fraction},
    [ATTILA_OP_RCP] = {emul_native_reciprocal, false, .one = true},
    [ATTILA_OP_RSQ] = {emul_native_reciprocal, true, .one = true},
    [ATTILA_OP_SQRT] = {emul_native_square_root, .one = true},
    [ATTILA_OP_IADD] = {emul_native_arithmetic, X86_IADD},
    [ATTILA_OP_ISUB] = {emul_native_arithmetic, X86_ISUB},
    [ATTILA_OP_IMUL] = {emul_native_arithmetic, X86_IMUL},
    [ATTILA_OP_AND] = {emul_native_arithmetic, X86_AND},
    [ATTILA_OP_OR] = {emul_native_arithmetic, X86_OR},
    [ATTILA_OP_XOR] = {emul_native_arithmetic, X86_XOR},
    [ATTILA_OP_SHL] = {emul_native_shift, X86_SHL},
    [ATTILA_OP_ISHR] = {emul_native_shift, X86_ISHR},
    [ATTILA_OP_USHR] = {emul_native_shift, X86_USHR},
    [ATTILA_OP_IMIN] = {emul_native_arithmetic, X86_IMIN},
    [ATTILA_OP_IMAX] = {emul_native_arithmetic, X86_IMAX},
    [ATTILA_OP_UMIN] = {emul_native_arithmetic, X86_UMIN},
    [ATTILA_OP_UMAX] = {emul_native_arithmetic, X86_UMAX},
    [ATTILA_OP_IEQ] = {emul_native_integer_truth, INTEGER_TRUTH(X86_IEQ, 0)},
    [ATTILA_OP_INE] = {emul_native_integer_truth, INTEGER_TRUTH(X86_IEQ, NOT_SO)},
    [ATTILA_OP_ILT] = {emul_native_integer_truth, INTEGER_TRUTH(X86_IGT, SWAPPED)},
    [ATTILA_OP_IGE] = {emul_native_integer_truth, INTEGER_TRUTH(X86_IGT, SWAPPED | NOT_SO)},
    [ATTILA_OP_ULT] = {emul_native_integer_truth, INTEGER_TRUTH(X86_UMAX, NOT_SO)},
    [ATTILA_OP_UGE] = {emul_native_integer_truth, INTEGER_TRUTH(X86_UMAX, 0)},
    [ATTILA_OP_I2F] = {emul_native_from_signed},
};

/* --- Functions --- */

/* Saturates; NaN gives 0. */
static void
emul_native_saturate(struct native *n, unsigned v)
{
   x86_do(&n->code, X86_LOAD, SCRATCH_B, 0, emul_native_constant(CONSTANT_ONE));
   x86_do_byte(&n->code, X86_COMPARE, SCRATCH_A, v, x86_vector(SCRATCH_B), LESS);
   emul_native_choose(n, SCRATCH_B, SCRATCH_A, x86_vector(v), SCRATCH_B);
   x86_do_byte(&n->code, X86_COMPARE, SCRATCH_A, v, emul_native_constant(CONSTANT_ZERO), GREATER);
   x86_do(&n->code, X86_AND, v, SCRATCH_A, x86_vector(SCRATCH_B));
}

static bool
emul_native_is_simple(const struct emul_instr *in)
{
   bool simple = operations[in->op].make && !in->dst_relative &&
                 (in->dst_file == ATTILA_FILE_TEMP || in->dst_file == ATTILA_FILE_OUTPUT);
   for (unsigned s = 0; s < attila_isa_ops[in->op].num_srcs; s++)
      simple &= !in->src[s].relative;
   return simple;
}

static void
emul_native_load_base(struct native *n, unsigned file, size_t offset)
{
   x86_load_pointer(&n->code, native_base_of(file), X86_RDI, offset);
}

static void
emul_native_load_bases(struct native *n)
{
   emul_native_load_base(n, ATTILA_FILE_TEMP, offsetof(struct emul_thread, temps));
   emul_native_load_base(n, ATTILA_FILE_INPUT, offsetof(struct emul_thread, inputs));
   emul_native_load_base(n, ATTILA_FILE_CONST, offsetof(struct emul_thread, consts));
   emul_native_load_base(n, ATTILA_FILE_OUTPUT, offsetof(struct emul_thread, outputs));
}

/* Emits a simple instruction for half of the lanes. */
static void
emul_native_body(struct native *n, const struct emul_instr *in)
{
   const struct operation *op = &operations[in->op];
   const unsigned computed = op->one ? 1 : in->write_mask;
   unsigned result[4] = {0};
   n->in = in;
   for (unsigned c = 0; c < 4; c++) {
      if (!(computed >> c & 1))
         continue;
      result[c] = native_take(n);
      op->make(n, op->how, result[c], c);
      if (in->saturate)
         emul_native_saturate(n, result[c]);
   }
   for (unsigned c = 0; c < 4; c++) {
      if (in->write_mask >> c & 1)
         native_result(n, c, result[op->one ? 0 : c]);
   }
}

/* Makes one function of this many simple instructions, for groups with all lanes active; other
 * groups continue in another function. NULL: no room. */
static emul_op_fn
emul_native_function(struct native *n, const struct emul_instr *in, unsigned count,
                     emul_op_fn otherwise)
{
   const void *at = n->code.start + n->code.used, *target;
   emul_op_fn made;
   const size_t slow = x86_jump_unless_same(&n->code, X86_RDI, offsetof(struct emul_thread, exec),
                                            offsetof(struct emul_thread, lanes));
   emul_native_load_bases(n);
   n->end = in + count;
   for (n->half = 0; n->half < NATIVE_HALVES; n->half++) {
      for (unsigned i = 0; i < count; i++)
         emul_native_body(n, in + i);
      native_write_back(n);
   }
   x86_return_zero(&n->code);
   x86_land(&n->code, slow);
   memcpy(&target, &otherwise, sizeof(target));
   memcpy(&made, &at, sizeof(made));
   x86_jump_to(&n->code, target);
   return n->code.full ? NULL : made;
}

/* Executes a stretch instruction by instruction. */
static enum emul_step
emul_native_stretch_slowly(struct emul_thread *t, const struct emul_instr *in)
{
   for (unsigned i = 0; i < in->run_length; i++)
      in[i].fn(t, &in[i]);
   return EMUL_STEP_NEXT;
}

static void
emul_native_put_constants(struct x86_code *code, const struct attila_isa_program *isa)
{
   const uint32_t constants[NUM_CONSTANTS] = {[CONSTANT_MAGNITUDE] = 0x7fffffff,
                                              [CONSTANT_SIGN] = 0x80000000,
                                              [CONSTANT_ONE] = 0x3f800000,
                                              [CONSTANT_SHIFT] = 31};
   for (unsigned i = 0; i < NUM_CONSTANTS; i++) {
      for (unsigned lane = 0; lane < NATIVE_HALF_BYTES / 4; lane++)
         x86_bytes(code, &constants[i], 4);
   }
   if (isa->num_literals)
      x86_bytes(code, isa->literals, isa->num_literals * sizeof(*isa->literals));
}

/* Returns the end of the stretch of instructions with functions that begins at the first. */
static uint32_t
emul_native_stretch_end(const emul_op_fn *made, uint32_t num, uint32_t first)
{
   uint32_t end = first;
   while (end < num && made[end])
      end++;
   return end;
}

/* Makes the functions of all instructions, and of each uninterrupted stretch at its first one. */
static void
emul_native_make(struct native *n, const struct emul_program *p, emul_op_fn *made,
                 emul_op_fn *stretch)
{
   const uint32_t num = p->isa.num_instrs;
   for (uint32_t i = 0; i < num; i++) {
      const struct emul_instr *in = &p->instrs[i];
      made[i] = emul_native_is_simple(in) ? emul_native_function(n, in, 1, in->fn) : NULL;
   }
   for (uint32_t first = 0, end; first<num; first = end> first ? end : first + 1) {
      end = emul_native_stretch_end(made, num, first);
      if (end - first > 1)
         stretch[first] =
             emul_native_function(n, &p->instrs[first], end - first, emul_native_stretch_slowly);
   }
}

static void
emul_native_take(struct emul_program *p, const emul_op_fn *made, const emul_op_fn *stretch)
{
   for (uint32_t i = 0; i < p->isa.num_instrs; i++) {
      struct emul_instr *in = &p->instrs[i];
      in->fn = made[i] ? made[i] : in->fn;
      in->run = stretch[i] ? stretch[i] : in->fn;
      if (stretch[i])
         in->run_length = (uint16_t)(emul_native_stretch_end(made, p->isa.num_instrs, i) - i);
   }
}

void
emul_native_compile(struct emul_program *p)
{
   const size_t room = LITERALS + p->isa.num_literals * sizeof(*p->isa.literals) +
                       (size_t)p->isa.num_instrs * 2 * MAX_BYTES;
   emul_op_fn *made = calloc(2 * (size_t)p->isa.num_instrs, sizeof(*made));
   uint8_t *memory = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   if (made && memory != MAP_FAILED) {
      struct native n = {.code = {.start = memory, .size = room}, .literals = LITERALS};
      emul_op_fn *stretch = made + p->isa.num_instrs;
      emul_native_put_constants(&n.code, &p->isa);
      emul_native_make(&n, p, made, stretch);
      if (mprotect(memory, room, PROT_READ | PROT_EXEC) == 0)
         emul_native_take(p, made, stretch);
   }
   if (memory != MAP_FAILED) {
      p->native = memory;
      p->native_size = room;
   }
   free(made);
}

void
emul_native_free(struct emul_program *p)
{
   if (p->native)
      munmap(p->native, p->native_size);
}

#else

void
emul_native_compile(struct emul_program *p)
{
   (void)p;
}

void
emul_native_free(struct emul_program *p)
{
   (void)p;
}

#endif
