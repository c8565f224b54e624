/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Instruction functions in host instructions, each made for one instruction (emul_native.c). */
#ifndef EMUL_NATIVE_H
#define EMUL_NATIVE_H

#include "emul/shader/emul_shader_program.h"

/* Replaces the functions of a program's decoded instructions where it can; needs AVX2, and a host
 * that allows it. */
void emul_native_compile(struct emul_program *program);
void emul_native_free(struct emul_program *program);

#endif
