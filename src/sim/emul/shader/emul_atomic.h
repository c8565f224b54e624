/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Atomic operations on 32-bit words of memory: what a word becomes. Not here: when one is done
 * (box/memory/l2.c, box/memory/sched.c, box/memory/gddr.c). */
#ifndef ATTILA_ATOMIC_H
#define ATTILA_ATOMIC_H

#include <string.h>
#include "hw/isa/attila_isa.h"

/* Returns the word's new value; for an invalid operation, the old one. */
static inline uint32_t
emul_atomic_result(enum attila_atomic op, uint32_t memory, uint32_t operand, uint32_t compare)
{
   const uint32_t m = memory, o = operand, e = compare;
   switch (op) {
#define A(name, result)       \
   case ATTILA_ATOMIC_##name: \
      return result;
      ATTILA_ATOMICS(A)
#undef A
   default:
      return m;
   }
}

/* Does an operation on the word at `at`. data: operand and, for COMPARE_SWAP, the expected word;
 * then the old one. */
static inline void
emul_atomic_execute(enum attila_atomic op, uint8_t *at, uint8_t *data)
{
   uint32_t memory, operand[2] = {0};
   memcpy(&memory, at, sizeof(memory));
   memcpy(operand, data, op == ATTILA_ATOMIC_COMPARE_SWAP ? 8 : 4);
   const uint32_t result = emul_atomic_result(op, memory, operand[0], operand[1]);
   memcpy(at, &result, sizeof(result));
   memcpy(data, &memory, sizeof(memory));
}

#endif
