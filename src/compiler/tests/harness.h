/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Test harness of the compiler: builds a shader with nir_builder, compiles it, executes the result
 * on the simulator's shader emulator for 16 lanes, and hands out the outputs. */
#ifndef ATTILA_COMPILER_TEST_HARNESS_H
#define ATTILA_COMPILER_TEST_HARNESS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "attila_compiler.h"
#include "compiler/nir/nir_builder.h"
#include "emul/shader/emul_shader.h"

#define TEST_MAX_EMITTED 16 /* vertices of a geometry shader */

struct shader_test {
   nir_builder b;
   struct attila_compiled out;
   struct attila_variant variant; /* zeros at the beginning */
   char *error;
   struct emul_vec4 temps[ATTILA_ISA_MAX_TEMPS], outputs[ATTILA_ISA_MAX_OUTPUTS];
   struct emul_vec4
       inputs[ATTILA_GS_INPUT(32, 0)];        /* stages other than geometry use the first ones */
   struct emul_emission emission[EMUL_LANES]; /* geometry */
   float emitted[EMUL_LANES][TEST_MAX_EMITTED][ATTILA_ISA_MAX_OUTPUTS][4];
   float consts[ATTILA_MAX_CONSTS][4];
   /* Answers texture operations; NULL: texels are (s + 1, t + 2, r + 3, unit). */
   void (*sample)(void *user, const struct emul_tex_request *request, struct emul_vec4 *texel);
   struct emul_tex_request last_tex;
   unsigned num_tex;
   uint16_t killed;
   /* Settings of the machine to compile for, "Section.Key=value"; other keys are as in
    * ispass2006.ini. */
   const char *settings[8];
   unsigned num_settings;
   bool release_rates; /* the repeat rates of the release, which count with vector shaders */
   struct attila_shader_machine machine; /* for which it was compiled */
};

struct shader_test *test_begin(gl_shader_stage stage);
/* The same with native integers if `integers`. */
struct shader_test *test_begin_with(gl_shader_stage stage, bool integers);
void test_end(struct shader_test *t);
/* Varying VARn of a fragment shader, attribute n of a vertex shader. */
nir_def *test_input(struct shader_test *t, unsigned n);
nir_def *test_input_indirect(struct shader_test *t, unsigned first, unsigned count, nir_def *index);
nir_def *test_uniform(struct shader_test *t, unsigned n);
nir_def *test_uniform_indirect(struct shader_test *t, unsigned first, unsigned count,
                               nir_def *index);
/* Colour n of a fragment shader, varying VARn of a vertex shader. */
void test_output(struct shader_test *t, unsigned n, nir_def *value);
bool test_compile(struct shader_test *t, uint32_t debug);
/* Compiles and fails the test with the message when that fails. */
void test_must_compile(struct shader_test *t, uint32_t debug);
/* Executes. Returns false when the program does not end by itself. */
bool test_run(struct shader_test *t);
/* Register of the input that test_input(n) reads, NULL: the program has none. */
struct emul_vec4 *test_find_input(struct shader_test *t, unsigned n);
/* The same, but fails the test if there is none; and the register of the output that test_output(n)
 * writes. */
struct emul_vec4 *test_input_reg(struct shader_test *t, unsigned n);
struct emul_vec4 *test_output_reg(struct shader_test *t, unsigned n);
unsigned test_count(const struct shader_test *t, unsigned op);
/* Chooses one of several machines that issue in different ways; any n is valid. */
void test_set_machine(struct shader_test *t, unsigned n);

#endif
