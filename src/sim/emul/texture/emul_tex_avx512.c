/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The texture emulator compiled for x86-64 with AVX-512F, BW and DQ. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512bw,avx512dq"))), \
                             apply_to = function)
#else
#pragma GCC target("avx512f,avx512bw,avx512dq")
#endif
#define EMUL_TEX_VL 16
#define EMUL_TEX_ISA_NAME avx512
#include "emul/texture/emul_tex_impl.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
/* For other hosts, where the file would be empty. */
typedef int emul_tex_avx512_unused;
#endif
