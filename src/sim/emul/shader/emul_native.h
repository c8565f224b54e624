/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Instruction functions made for the one instruction they execute, in the host's own instructions
 * (emul_native.c).
 */
#ifndef EMUL_NATIVE_H
#define EMUL_NATIVE_H

#include "emul/shader/emul_shader_program.h"

/* Replaces the functions of a program's decoded instructions where it can; the others stay, and so
 * do all where the host does not allow it. Needs AVX2. */
void emul_native_compile(struct emul_program *program);
void emul_native_free(struct emul_program *program);

#endif
