/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of groups compiled for x86-64 with AVX2. */
#if defined(__x86_64__)
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define EMUL_BLEND_LANES 8
#define EMUL_BLEND_WRITER emul_color_writer_avx2
#include "emul/rop/emul_blend_group.h"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
/* For other hosts, where the file would be empty. */
typedef int emul_blend_avx2_unused;
#endif
