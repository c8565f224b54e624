/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Atomic operations on 32-bit words of memory: what a word becomes (OpenGL 4.3, section 8.11 of the
 * shading language). Not here: when one is done (box/memory/l2.c). */
#ifndef EMUL_ATOMIC_H
#define EMUL_ATOMIC_H

#include <stdint.h>

/* A(NAME, the word's new value, of memory m, operand o and, for COMPARE_SWAP, the expected value
 * e). */
/* clang-format off */
#define EMUL_ATOMICS(A)                                 \
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
enum emul_atomic {
   EMUL_ATOMIC_NONE,
#define A(name, result) EMUL_ATOMIC_##name,
   EMUL_ATOMICS(A)
#undef A
       EMUL_NUM_ATOMICS
};

/* Returns the word's new value; for an invalid operation, the old one. */
static inline uint32_t
emul_atomic_result(enum emul_atomic op, uint32_t memory, uint32_t operand, uint32_t compare)
{
   const uint32_t m = memory, o = operand, e = compare;
   switch (op) {
#define A(name, result)     \
   case EMUL_ATOMIC_##name: \
      return result;
      EMUL_ATOMICS(A)
#undef A
   default:
      return m;
   }
}

#endif
