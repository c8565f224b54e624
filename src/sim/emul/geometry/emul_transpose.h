/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Transposes four vectors of four floats: memory has a vertex's components side by side, registers
 * one component of several vertices. */
#ifndef EMUL_TRANSPOSE_H
#define EMUL_TRANSPOSE_H

#include "core/sim_inline.h"

typedef float emul_f32x4 __attribute__((vector_size(16)));

SIM_INLINE void
emul_transpose(emul_f32x4 v[4])
{
   const emul_f32x4 a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5),
                    b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5),
                    c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7),
                    d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
   v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
   v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
   v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
   v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

#endif
