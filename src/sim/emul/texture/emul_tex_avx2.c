/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The texture emulator compiled for x86-64 with AVX2. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define EMUL_TEX_VL 8
#define EMUL_TEX_ISA_NAME avx2
#include "emul/texture/emul_tex_impl.h"

void
emul_tex_sample_avx2(const struct emul_tex_state *st, const struct emul_tex_request *req,
                     const uint8_t *memory, struct emul_vec4 *result)
{
   sample_request(st, req, memory, result);
}
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
/* For other hosts, where the file would be empty. */
typedef int emul_tex_avx2_unused;
#endif
