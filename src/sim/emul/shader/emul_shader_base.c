/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader instruction functions for any host: the compiler's default instruction set. */
#define EMUL_EXEC_NAME emul_exec_base
#define EMUL_EXEC_TEXT "base"
#define EMUL_WIDTH 4
#include "emul/shader/emul_shader_ops.h"
