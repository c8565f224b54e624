/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of groups compiled for x86-64 with AVX-512F. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif
#define EMUL_BLEND_LANES 16
#define EMUL_BLEND_WRITER emul_color_writer_avx512
#include "emul/rop/emul_blend_group.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
/* For other hosts, where the file would be empty. */
typedef int emul_blend_avx512_unused;
#endif
