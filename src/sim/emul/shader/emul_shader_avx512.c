/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader instruction functions for hosts with AVX512; emul_shader_decode.c chooses at run time. */
#if defined(__x86_64__) || defined(__i386__)
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx512f"))), apply_to = function)
#else
#pragma GCC target("avx512f")
#endif
#define EMUL_EXEC_NAME emul_exec_avx512
#define EMUL_EXEC_TEXT "avx512"
#define EMUL_WIDTH 16
#include "emul/shader/emul_shader_ops.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#else
/* For other hosts, where the file would be empty. */
typedef int emul_shader_avx512_unused;
#endif
