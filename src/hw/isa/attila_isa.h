/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The shader instruction set: registers of 4 x 32 bits (float32 or integers), ARB_vertex_program
 * and ARB_fragment_program style SIMD and scalar operations (ISPASS 2006 section 2.3), plus
 * structured branches and loops. Opcodes, register files and limits are declared once here;
 * encoder, assembler, disassembler, validator, compiler and the shader emulator use it.
 */
#ifndef ATTILA_ISA_H
#define ATTILA_ISA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "hw/attila_limits.h"

#define ATTILA_ISA_MAX_INSTRS 16384
#define ATTILA_ISA_MAX_LITERALS 1024 /* vec4, in the program */
#define ATTILA_ISA_MAX_TEMPS 4096
#define ATTILA_ISA_MAX_INDEX 4095 /* of a register in an instruction */
#define ATTILA_ISA_MAX_INPUTS ATTILA_MAX_VARYINGS
#define ATTILA_ISA_MAX_OUTPUTS ATTILA_MAX_VARYINGS
#define ATTILA_ISA_NEAR_REGISTERS 32 /* inputs and outputs that relative operands reach */
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

/* The vertex stage's input behind the attributes: integers that the streamer knows of each vertex.
 * x: its number, index and bias together; y: the instance, from 0; z: the index bias; w: 0. */
#define ATTILA_VS_INPUT_IDS ATTILA_MAX_ATTRIBS

/* The geometry stage's inputs: input n of vertex v of the primitive is ATTILA_GS_INPUT(n, v), n
 * less than ATTILA_MAX_GS_INPUTS. A relative index counts vertices: it is clamped to those of
 * input n. In the place of an eighth vertex of input 0 are integers, x: the number of the primitive
 * in its instance; y, z, w: 0. */
#define ATTILA_GS_INPUT_STRIDE 8
#define ATTILA_GS_INPUT(n, v) ((n)*ATTILA_GS_INPUT_STRIDE + (v))
#define ATTILA_GS_INPUT_IDS (ATTILA_GS_INPUT_STRIDE - 1)

/* Outputs: vertex and geometry stage 0 is the clip space position; the others are what the
 * registers of attila_regs.h say. Fragment stage: the colours, then the depth (x). */
#define ATTILA_VS_OUTPUT_POSITION 0
#define ATTILA_FS_OUTPUT_DEPTH ATTILA_MAX_COLOR_BUFFERS

enum attila_isa_class {
   ATTILA_CLASS_SIMD,    /* componentwise on 4 components */
   ATTILA_CLASS_SCALAR,  /* source component x after swizzle (of each source); result to every
                            written component */
   ATTILA_CLASS_TEXTURE, /* goes to the texture unit */
   ATTILA_CLASS_FLOW,    /* branches, END, KIL */
   ATTILA_CLASS_INTEGER, /* SIMD on 32-bit integers, two's complement */
   ATTILA_CLASS_LOAD,    /* goes to the constant cache */
};

/* O(NAME, number of sources, has destination, class, latency, repeat rate, "result"). Latency:
 * cycles in the ALU, after which one writes the result; repeat rate: cycles until the ALU takes the
 * next instruction. Both are the original's (release of 2015) where it has the instruction; POW,
 * LRP and XPD are as long as the instructions that they stand for. Of integers the release has
 * ADDI, MULI, STPEQI, STPGTI and STPLTI, with latency 2; other comparisons, minima, logic and
 * shifts are as long as these, and conversions as long as FLR. Registers hold bits: source
 * modifiers change the sign bit, saturation clamps a float32, whatever the operation. Boolean
 * results are 1.0 and 0.0. Conditions test component x after swizzle of source 0: true when not
 * equal to 0.0. */
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
   O(CUT,    0, 0, FLOW,     1, 1, "the next vertex of the active lanes begins another strip")
/* clang-format on */

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
   uint8_t latency; /* cycles in the ALU; the result is written in the next one */
   uint8_t repeat;  /* cycles until the ALU takes the next instruction */
   const char *doc;
};
extern const struct attila_isa_op_info attila_isa_ops[ATTILA_NUM_OPS];

#define ATTILA_SWZ(x, y, z, w) ((uint8_t)((x) | (y) << 2 | (z) << 4 | (w) << 6))
#define ATTILA_SWZ_XYZW ATTILA_SWZ(0, 1, 2, 3)
#define ATTILA_SWZ_GET(s, c) (((s) >> (2 * (c))) & 3)

/* Source: value = [-][|] file[index (+ address component)].swizzle [|]; absolute is applied before
 * negate. */
struct attila_isa_src {
   uint8_t file;    /* enum attila_isa_file */
   uint8_t swizzle; /* ATTILA_SWZ */
   uint16_t index;
   bool negate, absolute;
   bool
       relative; /* index += a0[rel_comp]; clamped to the range the program declares for the file */
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
   /* Texture: coordinates in src[0].xyz by target (x; xy; xyz; array layer after the coordinates);
    * TXF takes integers, and levels count from the first of the unit's view. A multisampled texture
    * has samples instead (attila_tex_regs.samples), and other lookups than TXF and TXS read
    * nothing. With tex_shadow the reference value is in src[0].z for 1D, 2D and RECT, in src[0].w
    * for cube, 1D array (z) as OpenGL packs it: see attila_isa_tex_ref_component. */
   uint8_t tex_unit;   /* of attila_regs.tex; see attila_isa_tex_bank */
   uint8_t tex_target; /* enum attila_tex_target */
   bool tex_shadow;
   /* Texels, ATTILA_ISA_MIN_OFFSET .. MAX, added to x, y and z in the level that is read, before
    * wrapping; not TXS, CUBE, BUFFER or layers. TXD with an offset: src[1] and [2] have no
    * modifiers and are not relative. */
   int8_t tex_offset[3];
   uint16_t target; /* instruction index, flow */
   uint16_t line;   /* of the source that it was compiled from; 0: not known. Not in the binary */
};

/* Component of src[0] that holds the shadow reference: 2 for 1D, 2D, RECT and 1D_ARRAY; 3 for CUBE
 * and 2D_ARRAY. */
static inline unsigned
attila_isa_tex_ref_component(unsigned tex_target)
{
   return tex_target == ATTILA_TEX_CUBE || tex_target == ATTILA_TEX_2D_ARRAY ? 3 : 2;
}

/* Instructions have 5 bits of the unit. The others are the stage's: programs of vertices and
 * fragments sample units 0 to 31, and each stage after these a bank of its own. */
#define ATTILA_ISA_TEX_BANK 32
static inline unsigned
attila_isa_tex_bank(unsigned stage)
{
   return attila_first_tex_unit(stage) / ATTILA_ISA_TEX_BANK * ATTILA_ISA_TEX_BANK;
}

/* Number of components of src[0] that an offset is added to; 0: the instruction takes none. */
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
   uint32_t
       num_temps; /* registers a thread needs per input, and the bound of relative TEMP operands */
   uint32_t num_consts;  /* bound of relative CONST operands */
   uint64_t inputs_read; /* bit mask; of geometry programs a bit for input n of any vertex */
   uint64_t outputs_written;
   uint64_t tex_units; /* bit mask of units sampled */
   bool uses_kill, writes_depth, uses_derivatives, uses_flow, uses_loads;
   bool wide; /* relative operands reach all inputs and outputs, not ATTILA_ISA_NEAR_REGISTERS */
   /* Of geometry programs; of others 0. Vertices of the primitives that come in: 1, 2, 3, with
    * adjacency 4, 6; of those that go out: 1 points, 2 line strips, 3 triangle strips; that a lane
    * may emit: what it emits beyond them is dropped. */
   uint8_t gs_vertices_in, gs_vertices_out;
   uint16_t gs_max_vertices;
   bool gs_reads_ids; /* ATTILA_GS_INPUT_IDS */
};

/* Fills the derived members (masks, flags, num_temps) from the instructions, and flow targets from
 * their structure. Returns false with a message when IF/LOOP do not nest. num_temps and num_consts
 * only ever grow. */
bool attila_isa_finalize(struct attila_isa_program *program, char *error, size_t error_size);

/* Checks every rule of the instruction set: opcodes, files readable or writable, indices within
 * limits, swizzles, nesting, targets, one END. Returns false with "instruction N: what". */
bool attila_isa_validate(const struct attila_isa_program *program, char *error, size_t error_size);

/* Binary form in GPU memory: header, 4 words per instruction, literals. */
size_t attila_isa_encoded_size(const struct attila_isa_program *program); /* bytes */
void attila_isa_encode(const struct attila_isa_program *program, void *binary);
/* Decodes and validates; never reads past size. On success the caller frees with attila_isa_free.
 */
bool attila_isa_decode(const void *binary, size_t size, struct attila_isa_program *program,
                       char *error, size_t error_size);
void attila_isa_free(struct attila_isa_program *program);

/* Text form, one instruction per line; the round trip is exact. disassemble returns a malloc'ed
 * string. */
char *attila_isa_disassemble(const struct attila_isa_program *program);
bool attila_isa_assemble(const char *text, struct attila_isa_program *program, char *error,
                         size_t error_size);

/* Registers that are loaded for a lane, and that it leaves. */
unsigned attila_isa_inputs(const struct attila_isa_program *program);
unsigned attila_isa_outputs(const struct attila_isa_program *program);
/* Registers of an input: inputs, temporaries and outputs share them, so it holds as many as the
 * most numerous of them need, at least one. */
unsigned attila_isa_registers(const struct attila_isa_program *program);

#endif
