/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The shader instruction set: registers of 4 x 32 bits (float32 or integers), SIMD and scalar
 * operations in the style of ARB_vertex_program and ARB_fragment_program (ISPASS 2006 section 2.3),
 * structured branches and loops. Opcodes, register files and limits for encoder, assembler,
 * disassembler, validator, compiler and shader emulator. */
#ifndef ATTILA_ISA_H
#define ATTILA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/attila_limits.h"

#define ATTILA_ISA_MAX_INSTRS 16384
#define ATTILA_ISA_MAX_LITERALS 1024 /* vec4s per program */
#define ATTILA_ISA_MAX_TEMPS 4096
#define ATTILA_ISA_MAX_INDEX 4095 /* of an instruction's register */
#define ATTILA_ISA_MAX_INPUTS ATTILA_MAX_VARYINGS
#define ATTILA_ISA_MAX_OUTPUTS ATTILA_MAX_VARYINGS
#define ATTILA_ISA_NEAR_REGISTERS 32 /* inputs and outputs within relative operands' reach */
#define ATTILA_ISA_MAX_NESTING 64    /* IF and LOOP levels */
#define ATTILA_ISA_MIN_OFFSET (-8)   /* texels */
#define ATTILA_ISA_MAX_OFFSET 7

/* Register files. F(NAME, assembler letter(s), size, "meaning") */
/* clang-format off */
#define ATTILA_ISA_FILES(F)                                                                  \
   F(NONE,    "_",   0,                        "no operand")                                 \
   F(TEMP,    "r",   ATTILA_ISA_MAX_TEMPS,     "temporaries, read and write")                \
   F(INPUT,   "i",   ATTILA_ISA_MAX_INPUTS,                                                  \
      "vertex attributes, vertices of a primitive or interpolated values, read only")        \
   F(OUTPUT,  "o",   ATTILA_ISA_MAX_OUTPUTS,   "outputs, write only")                        \
   F(CONST,   "c",   ATTILA_MAX_CONSTS,        "constant bank (WRITE_CONSTS), read only")    \
   F(LITERAL, "l",   ATTILA_ISA_MAX_LITERALS,  "constants of the program itself, read only") \
   F(ADDRESS, "a",   1,                        "integer address register, written by ARL")
/* clang-format on */
enum attila_isa_file {
#define F(name, letter, size, doc) ATTILA_FILE_##name,
   ATTILA_ISA_FILES(F)
#undef F
       ATTILA_NUM_FILES
};

/* The vertex stage's input behind the attributes: integers. x: the vertex's number (index plus
 * bias); y: the instance, from 0; z: the index bias; w: 0. */
#define ATTILA_VS_INPUT_IDS ATTILA_MAX_ATTRIBS

/* The geometry stage's inputs: input n < ATTILA_MAX_GS_INPUTS of vertex v is ATTILA_GS_INPUT(n, v).
 * A relative index counts vertices, clamped to those of input n. Input 0's eighth vertex holds
 * integers instead, x: the primitive's number in its instance; y: the lane's invocation of the
 * primitive, from 0; z, w: 0. */
#define ATTILA_GS_INPUT_STRIDE 8
#define ATTILA_GS_INPUT(n, v) ((n)*ATTILA_GS_INPUT_STRIDE + (v))
#define ATTILA_GS_INPUT_IDS (ATTILA_GS_INPUT_STRIDE - 1)

/* The compute stage's inputs: integers. LOCAL: an invocation's place in its workgroup; w: its
 * number there, x first. WORKGROUP: the workgroup's place in the grid; w: 0. GRID: workgroups of
 * the grid in x, y, z; w: 0. */
enum {
   ATTILA_CS_INPUT_LOCAL,
   ATTILA_CS_INPUT_WORKGROUP,
   ATTILA_CS_INPUT_GRID,
   ATTILA_NUM_CS_INPUTS
};

/* Outputs: vertex and geometry stage 0 is the clip space position, the others as attila_regs.h
 * says. Fragment stage: colours, then depth (x), then the samples that stay, an integer (x, a bit
 * each), which only multisampling heeds. Relative operands reach up to the depth. */
#define ATTILA_VS_OUTPUT_POSITION 0
#define ATTILA_FS_OUTPUT_DEPTH ATTILA_MAX_COLOR_BUFFERS
#define ATTILA_FS_OUTPUT_SAMPLES (ATTILA_FS_OUTPUT_DEPTH + 1)

enum attila_isa_class {
   ATTILA_CLASS_SIMD,    /* componentwise on 4 components */
   ATTILA_CLASS_SCALAR,  /* component x (after swizzle) of each source; the result goes to all
                          * written components */
   ATTILA_CLASS_TEXTURE, /* goes to the texture unit */
   ATTILA_CLASS_FLOW,    /* branches, END, KIL, BAR */
   ATTILA_CLASS_INTEGER, /* SIMD on 32-bit integers, two's complement */
   ATTILA_CLASS_LOAD,    /* goes to the constant cache */
   ATTILA_CLASS_MEMORY,  /* goes to the load/store unit */
};

/* O(NAME, number of sources, has destination, class, latency, repeat rate, "result"). Latency:
 * cycles in the ALU, then one writes the result; repeat rate: cycles until the ALU takes the next
 * instruction. Both are the original's (release of 2015) where it has the instruction. POW, LRP and
 * XPD take as long as the instructions they replace; the release's integer instructions (ADDI,
 * MULI, STPEQI, STPGTI, STPLTI) have latency 2, as do other comparisons, minima, logic and shifts;
 * conversions take as long as FLR. Registers hold bits: source modifiers change the sign bit and
 * saturation clamps a float32 in any operation. Boolean results are 1.0 and 0.0. Conditions test
 * source 0's component x after swizzle against 0.0. */
/* clang-format off */
#define ATTILA_ISA_OPCODES(O)                                                              \
   O(NOP,    0, 0, FLOW,     1, 1, "nothing")                                                  \
   O(MOV,    1, 1, SIMD,     3, 1, "a")                                                        \
   O(ADD,    2, 1, SIMD,     3, 1, "a + b")                                                    \
   O(MUL,    2, 1, SIMD,     3, 1, "a * b")                                                    \
   O(MAD,    3, 1, SIMD,     3, 1, "a * b + c, rounded twice")                                 \
   O(DP2,    2, 1, SIMD,     3, 1, "a.x*b.x + a.y*b.y, to every written component")            \
   O(DP3,    2, 1, SIMD,     3, 1, "(a.x*b.x + a.y*b.y) + a.z*b.z")                            \
   O(DP4,    2, 1, SIMD,     3, 1, "((a.x*b.x + a.y*b.y) + a.z*b.z) + a.w*b.w")                \
   O(DPH,    2, 1, SIMD,     3, 1, "((a.x*b.x + a.y*b.y) + a.z*b.z) + b.w")                    \
   O(DST,    2, 1, SIMD,     4, 1, "(1, a.y*b.y, a.z, b.w)")                                   \
   O(LIT,    1, 1, SIMD,     4, 1, "ARB LIT lighting coefficients")                            \
   O(XPD,    2, 1, SIMD,     6, 2, "cross product of xyz; w undefined (0)")                    \
   O(MIN,    2, 1, SIMD,     3, 1, "a < b or b is NaN ? a : b")                                \
   O(MAX,    2, 1, SIMD,     3, 1, "a > b or b is NaN ? a : b")                                \
   O(SLT,    2, 1, SIMD,     3, 1, "a < b")                                                    \
   O(SGE,    2, 1, SIMD,     3, 1, "a >= b")                                                   \
   O(SEQ,    2, 1, SIMD,     3, 1, "a == b")                                                   \
   O(SNE,    2, 1, SIMD,     3, 1, "a != b")                                                   \
   O(SGT,    2, 1, SIMD,     3, 1, "a > b")                                                    \
   O(SLE,    2, 1, SIMD,     3, 1, "a <= b")                                                   \
   O(CMP,    3, 1, SIMD,     3, 1, "a < 0 ? b : c")                                            \
   O(CND,    3, 1, SIMD,     3, 1, "a != 0 ? b : c")                                           \
   O(LRP,    3, 1, SIMD,     6, 2, "a * b + (1 - a) * c")                                      \
   O(FRC,    1, 1, SIMD,     3, 1, "a - floor(a)")                                             \
   O(FLR,    1, 1, SIMD,     3, 1, "floor(a)")                                                 \
   O(CEIL,   1, 1, SIMD,     3, 1, "ceil(a)")                                                  \
   O(TRUNC,  1, 1, SIMD,     3, 1, "a towards zero")                                           \
   O(ROUND,  1, 1, SIMD,     3, 1, "nearest, halves to even")                                  \
   O(SSG,    1, 1, SIMD,     3, 1, "sign: -1, 0, 1")                                           \
   O(RCP,    1, 1, SCALAR,   5, 4, "1 / a")                                                    \
   O(RSQ,    1, 1, SCALAR,   5, 4, "1 / sqrt(|a|)")                                            \
   O(SQRT,   1, 1, SCALAR,   5, 4, "sqrt(a)")                                                  \
   O(EX2,    1, 1, SCALAR,   5, 2, "2 ^ a")                                                    \
   O(LG2,    1, 1, SCALAR,   5, 2, "log2(a)")                                                  \
   O(POW,    2, 1, SCALAR,  13, 5, "a ^ b = EX2(b * LG2(a)); a ^ 0 = 1; 0 ^ (b > 0) = 0")      \
   O(SIN,    1, 1, SCALAR,  12, 6, "sin(a), radians")                                          \
   O(COS,    1, 1, SCALAR,  12, 6, "cos(a), radians")                                          \
   O(EXP,    1, 1, SCALAR,   9, 4, "ARB EXP: (2^floor(a), frc(a), 2^a, 1)")                    \
   O(LOG,    1, 1, SCALAR,   9, 4, "ARB LOG: (floor(log2|a|), |a|/2^floor, log2|a|, 1)")       \
   O(ARL,    1, 1, SIMD,     3, 1, "address register = floor(a); saturates to int32")          \
   O(DDX,    1, 1, SIMD,    16, 8, "of the quad: lower right - lower left pixel, to all four") \
   O(DDY,    1, 1, SIMD,    16, 8,                                                             \
      "of the quad: lower left (window y + 1) - upper left pixel, to all four")            \
   O(TEX,    1, 1, TEXTURE,  1, 1,                                                             \
      "sample at a.xyz (layer or w compare: see attila_isa_tex), implicit LOD")            \
   O(TXP,    1, 1, TEXTURE,  5, 1, "sample at a.xyz / a.w")                                    \
   O(TXB,    2, 1, TEXTURE,  1, 1, "implicit LOD + b.x")                                       \
   O(TXL,    2, 1, TEXTURE,  1, 1, "LOD b.x")                                                  \
   O(TXD,    3, 1, TEXTURE,  1, 1, "gradients b.xyz, c.xyz")                                   \
   O(KIL,    1, 0, FLOW,     3, 1, "kill the fragment when any of a.xyzw < 0")                 \
   O(KILC,   1, 0, FLOW,     3, 1, "kill the fragment when the condition a.x != 0")            \
   O(IF,     1, 0, FLOW,     1, 1,                                                             \
      "lanes with a.x == 0 wait until ELSE or ENDIF; target: ELSE or ENDIF")               \
   O(ELSE,   0, 0, FLOW,     1, 1, "swaps the lanes; target: ENDIF")                           \
   O(ENDIF,  0, 0, FLOW,     1, 1, "rejoins the lanes")                                        \
   O(LOOP,   0, 0, FLOW,     1, 1, "starts a loop; target: ENDLOOP")                           \
   O(BRK,    0, 0, FLOW,     1, 1, "active lanes leave the innermost loop")                    \
   O(CONT,   0, 0, FLOW,     1, 1, "active lanes wait for the next iteration")                 \
   O(ENDLOOP,0, 0, FLOW,     1, 1, "next iteration while lanes are left; target: LOOP")        \
   O(END,    0, 0, FLOW,     1, 1, "ends the program; the last instruction, exactly once")     \
   O(IADD,   2, 1, INTEGER,  2, 1, "a + b, low 32 bits")                                       \
   O(ISUB,   2, 1, INTEGER,  2, 1, "a - b, low 32 bits")                                       \
   O(IMUL,   2, 1, INTEGER,  2, 1, "a * b, low 32 bits")                                       \
   O(AND,    2, 1, INTEGER,  2, 1, "a & b")                                                    \
   O(OR,     2, 1, INTEGER,  2, 1, "a | b")                                                    \
   O(XOR,    2, 1, INTEGER,  2, 1, "a ^ b")                                                    \
   O(SHL,    2, 1, INTEGER,  2, 1, "a << (b & 31)")                                            \
   O(ISHR,   2, 1, INTEGER,  2, 1, "a >> (b & 31), copies of the sign come in")                \
   O(USHR,   2, 1, INTEGER,  2, 1, "a >> (b & 31), zeros come in")                             \
   O(IMIN,   2, 1, INTEGER,  2, 1, "the lesser, signed")                                       \
   O(IMAX,   2, 1, INTEGER,  2, 1, "the greater, signed")                                      \
   O(UMIN,   2, 1, INTEGER,  2, 1, "the lesser, unsigned")                                     \
   O(UMAX,   2, 1, INTEGER,  2, 1, "the greater, unsigned")                                    \
   O(IEQ,    2, 1, INTEGER,  2, 1, "a == b")                                                   \
   O(INE,    2, 1, INTEGER,  2, 1, "a != b")                                                   \
   O(ILT,    2, 1, INTEGER,  2, 1, "a < b, signed")                                            \
   O(IGE,    2, 1, INTEGER,  2, 1, "a >= b, signed")                                           \
   O(ULT,    2, 1, INTEGER,  2, 1, "a < b, unsigned")                                          \
   O(UGE,    2, 1, INTEGER,  2, 1, "a >= b, unsigned")                                         \
   O(I2F,    1, 1, INTEGER,  3, 1, "the float nearest to signed a")                            \
   O(U2F,    1, 1, INTEGER,  3, 1, "the float nearest to unsigned a")                          \
   O(F2I,    1, 1, INTEGER,  3, 1, "float a towards zero; saturates to int32; NaN gives 0")    \
   O(F2U,    1, 1, INTEGER,  3, 1, "float a towards zero; saturates to uint32; NaN gives 0")   \
   O(TXF,    2, 1, TEXTURE,  1, 1,                                                             \
      "texel at integers a.xyz, unfiltered; integer b.x: level or sample; outside: zeros")       \
   O(TXS,    1, 1, TEXTURE,  1, 1,                                                             \
      "integers: width, height, depth or layers of level a.x; w: levels; outside: zeros")      \
   O(LDC,    2, 1, LOAD,     1, 1,                                                             \
      "words of constant buffer b.x from byte a.x on, both integers; outside: zeros")           \
   O(EMIT,   0, 0, FLOW,     1, 1, "the outputs become a vertex of the active lanes' strips")  \
   O(CUT,    0, 0, FLOW,     1, 1, "the next vertex of the active lanes begins another strip") \
   O(TXG,    2, 1, TEXTURE,  1, 1,                                                             \
      "a component of the four texels around a.xyz, moved by integers b.xy")                   \
   O(TXQL,   1, 1, TEXTURE,  1, 1,                                                             \
      "x: level that TEX at a.xyz reads; y: its LOD before limits; 0; 0")                      \
   O(LDB,    2, 1, MEMORY,   1, 1,                                                             \
      "words of storage buffer b.x from byte a.x on, both integers; outside: zeros")           \
   O(STB,    3, 0, MEMORY,   1, 1,                                                             \
      "c.x, ... become words of storage buffer b.x from byte a.x on; outside: nothing")        \
   O(ATOM,   3, 1, MEMORY,   1, 1,                                                             \
      "the word at byte a.x of storage buffer b.x, which c.xy changes; outside: zero")         \
   O(RED,    3, 0, MEMORY,   1, 1, "the same without a result")                                \
   O(SZB,    1, 1, MEMORY,   1, 1, "bytes of storage buffer a.x; of none: zero")            \
   O(LDS,    1, 1, MEMORY,   1, 1,                                                             \
      "words of the workgroup's shared memory from byte a.x on; outside: zeros")            \
   O(STS,    2, 0, MEMORY,   1, 1,                                                             \
      "b.x, ... become words of shared memory from byte a.x on; outside: nothing")          \
   O(ATOMS,  2, 1, MEMORY,   1, 1,                                                             \
      "the word at byte a.x of shared memory, which b.xy changes; outside: zero")           \
   O(BAR,    0, 0, FLOW,     1, 1,                                                             \
      "the group waits until all of its workgroup are here or have ended")                      \
   O(LDI,    2, 1, MEMORY,   1, 1,                                                             \
      "the texel at integers a.xyz of image b.x, in its format; outside: one of zeros")        \
   O(STI,    3, 0, MEMORY,   1, 1,                                                             \
      "c becomes the texel at integers a.xyz of image b.x, in its format; outside: nothing")   \
   O(ATOMI,  3, 1, MEMORY,   1, 1,                                                             \
      "the texel of 32 bits at integers a.xyz of image b.x, which c.xy changes; outside: zero") \
   O(REDI,   3, 0, MEMORY,   1, 1, "the same without a result")                                \
   O(SZI,    1, 1, MEMORY,   1, 1,                                                             \
      "integers: width, height, depth or layers of image a.x; 0; of none: zeros")

/* Atomic operations on a word of memory (OpenGL 4.3, section 8.11 of the shading language):
 * A(NAME, the word's new value, of memory m, operand o and, for COMPARE_SWAP, the expected value
 * e). */
#define ATTILA_ATOMICS(A)                               \
   A(ADD, m + o)                                        \
   A(UMIN, m < o ? m : o)                               \
   A(UMAX, m > o ? m : o)                               \
   A(IMIN, (int32_t)m < (int32_t)o ? m : o)             \
   A(IMAX, (int32_t)m > (int32_t)o ? m : o)             \
   A(AND, m & o)                                        \
   A(OR, m | o)                                         \
   A(XOR, m ^ o)                                        \
   A(EXCHANGE, o)                                       \
   A(COMPARE_SWAP, m == e ? o : m)
/* clang-format on */
enum attila_atomic {
   ATTILA_ATOMIC_NONE,
#define A(name, result) ATTILA_ATOMIC_##name,
   ATTILA_ATOMICS(A)
#undef A
       ATTILA_NUM_ATOMICS
};

enum attila_isa_op {
#define O(name, srcs, dst, cls, lat, rep, doc) ATTILA_OP_##name,
   ATTILA_ISA_OPCODES(O)
#undef O
       ATTILA_NUM_OPS
};

struct attila_isa_op_info {
   const char *name;
   uint8_t num_srcs;
   bool has_dst;
   uint8_t cls;     /* enum attila_isa_class */
   uint8_t latency; /* cycles in the ALU; the next one writes the result */
   uint8_t repeat;  /* cycles until the ALU takes the next instruction */
   const char *doc;
};
extern const struct attila_isa_op_info attila_isa_ops[ATTILA_NUM_OPS];

#define ATTILA_SWZ(x, y, z, w) ((uint8_t)((x) | (y) << 2 | (z) << 4 | (w) << 6))
#define ATTILA_SWZ_XYZW ATTILA_SWZ(0, 1, 2, 3)
#define ATTILA_SWZ_GET(s, c) (((s) >> (2 * (c))) & 3)

/* Source: value = [-][|] file[index (+ address component)].swizzle [|]; absolute comes before
 * negate. */
struct attila_isa_src {
   uint8_t file;    /* enum attila_isa_file */
   uint8_t swizzle; /* ATTILA_SWZ */
   uint16_t index;
   bool negate, absolute;
   bool relative;    /* index += a0[rel_comp], clamped to the file's declared range */
   uint8_t rel_comp; /* 0..3 */
};

struct attila_isa_dst {
   uint8_t file;       /* TEMP, OUTPUT or ADDRESS; NONE without destination */
   uint8_t write_mask; /* bit 0 x .. bit 3 w */
   uint16_t index;
   bool saturate; /* clamp to [0, 1]; NaN gives 0 */
   bool relative;
   uint8_t rel_comp;
};

struct attila_isa_instr {
   uint8_t op; /* enum attila_isa_op */
   struct attila_isa_dst dst;
   struct attila_isa_src src[3];
   /* Texture: coordinates in src[0].xyz by target (x; xy; xyz; array layer after them). TXF takes
    * integers, with levels from the unit's view's first; a multisampled texture has samples instead
    * of levels (attila_tex_regs.samples), and only TXF and TXS read it. With tex_shadow the
    * reference is in src[0].z for 1D, 2D and RECT, in src[0].w for cube, 1D array (z), as OpenGL
    * packs it: attila_isa_tex_ref_component; in src[1].y for arrays of cubes (TXB, TXL, TXG), whose
    * src[0].w is the layer. */
   uint8_t tex_unit;      /* index into attila_regs.tex; see attila_isa_tex_bank */
   uint8_t tex_target;    /* enum attila_tex_target */
   uint8_t tex_component; /* TXG: of the swizzled texels, 0..3; 0 with tex_shadow */
   bool tex_shadow;
   /* Texels, ATTILA_ISA_MIN_OFFSET .. MAX, added to x, y and z in the level before wrapping; not
    * TXS, TXQL, TXG (in src[1]), CUBE, CUBE_ARRAY, BUFFER or layers. TXD with an offset: src[1] and
    * [2] have no modifiers and are not relative. */
   int8_t tex_offset[3];
   uint8_t words;   /* STB, STS: how many it writes, 1..4 */
   uint8_t atomic;  /* ATOM, RED, ATOMS, ATOMI, REDI: enum attila_atomic; COMPARE_SWAP expects the
                     * last source's y */
   uint16_t target; /* instruction index, flow; EMIT: the stream, not 0 only of points */
   uint16_t line;   /* source line; 0: unknown. Not in the binary */
};

/* Returns the component of src[0] with the shadow reference: 2 for 1D, 2D, RECT and 1D_ARRAY; 3 for
 * CUBE and 2D_ARRAY. Not CUBE_ARRAY, which has it in src[1].y. */
static inline unsigned
attila_isa_tex_ref_component(unsigned tex_target)
{
   return tex_target == ATTILA_TEX_CUBE || tex_target == ATTILA_TEX_2D_ARRAY ? 3 : 2;
}

/* Instructions have 5 bits of the unit; the stage gives the others: vertex and fragment programs
 * sample units 0 to 31, each later stage a bank of its own. */
#define ATTILA_ISA_TEX_BANK 32
static inline unsigned
attila_isa_tex_bank(unsigned stage)
{
   return attila_first_tex_unit(stage) / ATTILA_ISA_TEX_BANK * ATTILA_ISA_TEX_BANK;
}

/* Returns whether an instruction has its shadow reference in src[1].y. */
static inline bool
attila_isa_ref_in_src1(const struct attila_isa_instr *in)
{
   return in->tex_shadow && in->tex_target == ATTILA_TEX_CUBE_ARRAY;
}

/* Returns whether an instruction stores words; changes one atomically; accesses shared memory. */
static inline bool
attila_isa_stores_words(unsigned op)
{
   return op == ATTILA_OP_STB || op == ATTILA_OP_STS;
}
static inline bool
attila_isa_is_store(unsigned op)
{
   return attila_isa_stores_words(op) || op == ATTILA_OP_STI;
}
static inline bool
attila_isa_is_atomic(unsigned op)
{
   return op == ATTILA_OP_ATOM || op == ATTILA_OP_RED || op == ATTILA_OP_ATOMS ||
          op == ATTILA_OP_ATOMI || op == ATTILA_OP_REDI;
}
static inline bool
attila_isa_is_image(unsigned op)
{
   return op >= ATTILA_OP_LDI && op <= ATTILA_OP_SZI;
}
static inline bool
attila_isa_is_shared(unsigned op)
{
   return op == ATTILA_OP_LDS || op == ATTILA_OP_STS || op == ATTILA_OP_ATOMS;
}

/* Returns how many components of src[0] take an offset; 0: none. */
unsigned attila_isa_tex_offsets(const struct attila_isa_instr *in);

static inline bool
attila_isa_has_offset(const struct attila_isa_instr *in)
{
   return in->tex_offset[0] || in->tex_offset[1] || in->tex_offset[2];
}

struct attila_isa_program {
   uint8_t stage; /* enum attila_stage */
   struct attila_isa_instr *instrs;
   uint32_t num_instrs;
   float (*literals)[4];
   uint32_t num_literals;
   uint32_t num_temps;   /* registers per input, and the bound of relative TEMP operands */
   uint32_t num_consts;  /* bound of relative CONST operands */
   uint64_t inputs_read; /* bit mask; for geometry programs, bit n is input n of any vertex */
   uint64_t outputs_written;
   uint64_t tex_units; /* bit mask of sampled units */
   bool uses_kill, writes_depth, writes_samples, uses_derivatives, uses_flow, uses_loads;
   bool uses_storage; /* any memory instruction but those of shared memory */
   bool uses_images;  /* one that accesses images */
   bool uses_shared;  /* LDS, STS, ATOMS */
   bool uses_barrier;
   bool writes_storage; /* stores and atomic operations of these */
   bool storage_order;  /* what it leaves or writes may depend on the order of invocations: it
                         * stores, exchanges, or takes what an atomic operation returns */
   bool early_tests;    /* depth and stencil tests come before the fragment program, whatever it
                         * does; a depth that it writes is ignored */
   bool wide;           /* relative operands reach all inputs and outputs instead of
                         * ATTILA_ISA_NEAR_REGISTERS */
   /* Geometry programs, else 0. Vertices per input primitive: 1, 2, 3, with adjacency 4, 6; output:
    * 1 points, 2 line strips, 3 triangle strips; most vertices that a lane emits: the rest are
    * dropped. */
   uint8_t gs_vertices_in, gs_vertices_out;
   uint16_t gs_max_vertices;
   uint8_t gs_repeats; /* so many more lanes take each primitive: invocations 1, 2, ... */
   bool gs_reads_ids;  /* ATTILA_GS_INPUT_IDS */
   /* Compute programs, else 0: invocations of a workgroup in x, y, z; bytes of its shared memory, a
    * multiple of 4. */
   uint16_t workgroup[3];
   uint32_t shared_bytes;
};

/* Derives masks, flags and num_temps from the instructions, and flow targets from their structure.
 * Returns false and a message if IF/LOOP do not nest. num_temps and num_consts only grow. */
bool attila_isa_finalize(struct attila_isa_program *program, char *error, size_t error_size);

/* Checks every rule: opcodes, files readable or writable, indices, swizzles, nesting, targets, one
 * END. Returns false and "instruction N: what". */
bool attila_isa_validate(const struct attila_isa_program *program, char *error, size_t error_size);

/* Binary form in GPU memory: header, 4 words per instruction, literals. */
size_t attila_isa_encoded_size(const struct attila_isa_program *program); /* bytes */
void attila_isa_encode(const struct attila_isa_program *program, void *binary);
/* Decodes and validates; never reads past size. On success the caller frees with
 * attila_isa_free. */
bool attila_isa_decode(const void *binary, size_t size, struct attila_isa_program *program,
                       char *error, size_t error_size);
void attila_isa_free(struct attila_isa_program *program);

/* Text form, one instruction per line, with exact round trip. disassemble returns a malloc'ed
 * string. */
char *attila_isa_disassemble(const struct attila_isa_program *program);
bool attila_isa_assemble(const char *text, struct attila_isa_program *program, char *error,
                         size_t error_size);

/* Returns the invocations of a compute program's workgroup. */
static inline unsigned
attila_isa_workgroup(const struct attila_isa_program *program)
{
   return (unsigned)program->workgroup[0] * program->workgroup[1] * program->workgroup[2];
}

/* Return the registers that a lane loads, and that it leaves. */
unsigned attila_isa_inputs(const struct attila_isa_program *program);
unsigned attila_isa_outputs(const struct attila_isa_program *program);
/* Returns an input's registers, shared by its inputs, temporaries and outputs: the largest number
 * of them, at least one. */
unsigned attila_isa_registers(const struct attila_isa_program *program);

#endif
