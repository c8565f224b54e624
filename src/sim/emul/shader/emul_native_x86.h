/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Emits x86-64 AVX2 instructions that emul_native.c needs, with 256-bit vectors (Intel 64 and IA-32
 * Architectures Software Developer's Manual, volume 2: VEX prefix). If there is no room, nothing is
 * written, and `full` is set. */
#ifndef EMUL_NATIVE_X86_H
#define EMUL_NATIVE_X86_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum x86_reg { X86_RAX, X86_RCX, X86_RDX, X86_RSI = 6, X86_RDI, X86_R8, X86_R9 };

struct x86_code {
   uint8_t *start;
   size_t used, size;
   bool full;
};

/* An instruction's last operand: a vector register, memory at a register plus offset, or at an
 * offset from the code's start. */
enum x86_kind { X86_VECTOR, X86_MEMORY, X86_IN_CODE };
struct x86_operand {
   enum x86_kind kind;
   unsigned reg; /* number of the vector, or enum x86_reg other than RSP and R12 */
   int32_t offset;
};

static inline struct x86_operand
x86_vector(unsigned reg)
{
   return (struct x86_operand){.kind = X86_VECTOR, .reg = reg};
}

static inline struct x86_operand
x86_memory(enum x86_reg base, size_t offset)
{
   return (struct x86_operand){.kind = X86_MEMORY, .reg = base, .offset = (int32_t)offset};
}

static inline struct x86_operand
x86_in_code(size_t offset)
{
   return (struct x86_operand){.kind = X86_IN_CODE, .offset = (int32_t)offset};
}

static inline void
x86_bytes(struct x86_code *c, const void *bytes, size_t n)
{
   if (c->used + n > c->size) {
      c->full = true;
      return;
   }
   memcpy(c->start + c->used, bytes, n);
   c->used += n;
}

static inline void
x86_byte(struct x86_code *c, unsigned byte)
{
   const uint8_t b = (uint8_t)byte;
   x86_bytes(c, &b, 1);
}

/* Emits ModR/M and offset; tail: how many bytes of the instruction follow. */
static inline void
x86_modrm(struct x86_code *c, unsigned reg, struct x86_operand o, unsigned tail)
{
   int32_t offset = o.offset;
   const unsigned fields = (reg & 7) << 3 | (o.reg & 7);
   if (o.kind == X86_VECTOR) {
      x86_byte(c, 0xc0 | fields);
      return;
   }
   if (o.kind == X86_MEMORY && offset >= -128 && offset < 128) {
      x86_byte(c, 0x40 | fields);
      x86_byte(c, (unsigned)offset & 255);
      return;
   }
   x86_byte(c, o.kind == X86_MEMORY ? 0x80 | fields : (reg & 7) << 3 | 5);
   if (o.kind == X86_IN_CODE) /* relative to the instruction's end */
      offset -= (int32_t)(c->used + 4 + tail);
   x86_bytes(c, &offset, 4);
}

/* Opcodes with their prefix and map. */
enum x86_prefix { X86_P_NONE, X86_P_66 };
enum x86_map { X86_0F = 1, X86_0F38, X86_0F3A };
#define X86_OP(prefix, map, opcode) ((prefix) << 16 | (map) << 8 | (opcode))
enum x86_op {
   X86_LOAD = X86_OP(X86_P_NONE, X86_0F, 0x28),      /* vmovaps */
   X86_STORE = X86_OP(X86_P_NONE, X86_0F, 0x29),     /* vmovaps */
   X86_BROADCAST = X86_OP(X86_P_66, X86_0F38, 0x18), /* vbroadcastss */
   X86_SQRT = X86_OP(X86_P_NONE, X86_0F, 0x51),      /* vsqrtps */
   X86_AND = X86_OP(X86_P_NONE, X86_0F, 0x54),       /* vandps */
   X86_XOR = X86_OP(X86_P_NONE, X86_0F, 0x57),       /* vxorps */
   X86_OR = X86_OP(X86_P_NONE, X86_0F, 0x56),        /* vorps */
   X86_ADD = X86_OP(X86_P_NONE, X86_0F, 0x58),       /* vaddps */
   X86_MUL = X86_OP(X86_P_NONE, X86_0F, 0x59),       /* vmulps */
   X86_SUB = X86_OP(X86_P_NONE, X86_0F, 0x5c),       /* vsubps */
   X86_DIV = X86_OP(X86_P_NONE, X86_0F, 0x5e),       /* vdivps */
   X86_COMPARE = X86_OP(X86_P_NONE, X86_0F, 0xc2),   /* vcmpps; a byte follows */
   X86_BLEND = X86_OP(X86_P_66, X86_0F3A, 0x4a),     /* vblendvps; a byte follows */
   X86_ROUND = X86_OP(X86_P_66, X86_0F3A, 0x08),     /* vroundps; a byte follows */
   X86_ANDN = X86_OP(X86_P_NONE, X86_0F, 0x55),      /* vandnps: not a, and b */
   X86_I2F = X86_OP(X86_P_NONE, X86_0F, 0x5b),       /* vcvtdq2ps */
   /* Integers (AVX2). */
   X86_IADD = X86_OP(X86_P_66, X86_0F, 0xfe),   /* vpaddd */
   X86_ISUB = X86_OP(X86_P_66, X86_0F, 0xfa),   /* vpsubd */
   X86_IMUL = X86_OP(X86_P_66, X86_0F38, 0x40), /* vpmulld */
   X86_SHL = X86_OP(X86_P_66, X86_0F38, 0x47),  /* vpsllvd */
   X86_ISHR = X86_OP(X86_P_66, X86_0F38, 0x46), /* vpsravd */
   X86_USHR = X86_OP(X86_P_66, X86_0F38, 0x45), /* vpsrlvd */
   X86_IMIN = X86_OP(X86_P_66, X86_0F38, 0x39), /* vpminsd */
   X86_IMAX = X86_OP(X86_P_66, X86_0F38, 0x3d), /* vpmaxsd */
   X86_UMIN = X86_OP(X86_P_66, X86_0F38, 0x3b), /* vpminud */
   X86_UMAX = X86_OP(X86_P_66, X86_0F38, 0x3f), /* vpmaxud */
   X86_IEQ = X86_OP(X86_P_66, X86_0F, 0x76),    /* vpcmpeqd */
   X86_IGT = X86_OP(X86_P_66, X86_0F, 0x66),    /* vpcmpgtd */
};

static inline void
x86_vex(struct x86_code *c, enum x86_op op, unsigned to, unsigned a, struct x86_operand b,
        unsigned tail)
{
   const unsigned vector = 1; /* 256 bits */
   x86_byte(c, 0xc4);
   x86_byte(c, (to & 8 ? 0 : 0x80) | 0x40 | (b.kind != X86_IN_CODE && (b.reg & 8) ? 0 : 0x20) |
                   (op >> 8 & 255));
   x86_byte(c, (~a & 15) << 3 | vector << 2 | op >> 16);
   x86_byte(c, op & 255);
   x86_modrm(c, to, b, tail);
}

/* Emits to = a op b; a must be 0 for operations of one operand. */
static inline void
x86_do(struct x86_code *c, enum x86_op op, unsigned to, unsigned a, struct x86_operand b)
{
   x86_vex(c, op, to, a, b, 0);
}

/* Does the same with a constant byte at the end. */
static inline void
x86_do_byte(struct x86_code *c, enum x86_op op, unsigned to, unsigned a, struct x86_operand b,
            unsigned byte)
{
   x86_vex(c, op, to, a, b, 1);
   x86_byte(c, byte);
}

/* to = 8 bytes at [base + offset]. */
static inline void
x86_load_pointer(struct x86_code *c, enum x86_reg to, enum x86_reg base, size_t offset)
{
   x86_byte(c, 0x48 | (to & 8 ? 4 : 0) | (base & 8 ? 1 : 0));
   x86_byte(c, 0x8b);
   x86_modrm(c, to, x86_memory(base, offset), 0);
}

/* Jumps, unless the 2 bytes at both places are equal, to the place where x86_land is called
 * later. */
static inline size_t
x86_jump_unless_same(struct x86_code *c, enum x86_reg base, size_t one, size_t other)
{
   const int32_t unknown = 0;
   x86_bytes(c, (const uint8_t[]){0x0f, 0xb7}, 2); /* movzx eax, word */
   x86_modrm(c, X86_RAX, x86_memory(base, one), 0);
   x86_bytes(c, (const uint8_t[]){0x66, 0x3b}, 2); /* cmp ax, word */
   x86_modrm(c, X86_RAX, x86_memory(base, other), 0);
   x86_bytes(c, (const uint8_t[]){0x0f, 0x85}, 2); /* jne */
   x86_bytes(c, &unknown, 4);
   return c->used;
}

static inline void
x86_land(struct x86_code *c, size_t jump)
{
   const int32_t distance = (int32_t)(c->used - jump);
   if (!c->full)
      memcpy(c->start + jump - 4, &distance, 4);
}

/* Emits return 0. */
static inline void
x86_return_zero(struct x86_code *c)
{
   /* vzeroupper; xor eax, eax; ret */
   x86_bytes(c, (const uint8_t[]){0xc5, 0xf8, 0x77, 0x31, 0xc0, 0xc3}, 6);
}

/* Continues in a function with the same arguments. */
static inline void
x86_jump_to(struct x86_code *c, const void *function)
{
   x86_bytes(c, (const uint8_t[]){0x48, 0xb8}, 2); /* mov rax, */
   x86_bytes(c, &function, 8);
   x86_bytes(c, (const uint8_t[]){0xff, 0xe0}, 2); /* jmp rax */
}

#endif
