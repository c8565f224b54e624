/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The compiler's own checks: that asserts are compiled in, that validation runs Mesa's validator of
 * NIR and our own validator of instructions, and that both find what the test breaks on purpose.
 * The validator of register allocation has its test in test_ra.c. */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>
#include "attila_ir.h"
#include "harness.h"

/* Runs a function in a child process and returns what it wrote to stderr; it must abort. */
static char *
abort_message(void (*run)(void))
{
   static char text[65536];
   int fd[2], status;
   size_t length = 0;
   ssize_t n;
   assert_int_equal(pipe(fd), 0);
   fflush(NULL);
   pid_t child = fork();
   assert_true(child >= 0);
   if (child == 0) {
      dup2(fd[1], STDERR_FILENO);
      signal(SIGABRT, SIG_DFL);
      run();
      _exit(0);
   }
   close(fd[1]);
   while (length < sizeof(text) - 1 && (n = read(fd[0], text + length, sizeof(text) - 1 - length)))
      length += n > 0 ? (size_t)n : 0;
   text[length] = '\0';
   close(fd[0]);
   assert_int_equal(waitpid(child, &status, 0), child);
   assert_true(WIFSIGNALED(status));
   assert_int_equal(WTERMSIG(status), SIGABRT);
   return text;
}

static void
append_unknown_opcode(void)
{
   struct air ir = {.mem = ralloc_context(NULL)};
   air_append(&ir, ATTILA_NUM_OPS);
}

/* The library is built with asserts although Mesa is not. */
static void
test_library_has_asserts_without_mesas(void **state)
{
   (void)state;
   assert_non_null(strstr(abort_message(append_unknown_opcode), "Assertion"));
}

/* A shader whose addition has operands of different sizes. */
static void
compile_bad_nir(uint32_t debug)
{
   struct shader_test *t = test_begin(MESA_SHADER_FRAGMENT);
   nir_def *x = test_input(t, 0);
   nir_def *sum = nir_fadd(&t->b, x, x);
   nir_instr_as_alu(sum->parent_instr)->src[0].src.ssa = nir_channel(&t->b, x, 0);
   test_output(t, 0, sum);
   struct attila_compile_options options = {.debug = debug};
   attila_compile(t->b.shader, &options, &t->out, &t->error);
}

static void
compile_bad_nir_validated(void)
{
   compile_bad_nir(ATTILA_DEBUG_VALIDATE);
}

static void
test_nir_is_validated(void **state)
{
   (void)state;
   const char *text = abort_message(compile_bad_nir_validated);
   assert_non_null(strstr(text, "NIR validation failed as received"));
}

/* A vertex program: a sum of two inputs to output 0. */
static struct air *
make_program(void)
{
   struct air *ir = rzalloc(NULL, struct air);
   ir->mem = ir;
   ir->validate = true;
   unsigned sum = air_new_vreg(ir, true);
   struct attila_isa_instr *in = air_append(ir, ATTILA_OP_ADD);
   in->dst = (struct attila_isa_dst){.file = ATTILA_FILE_TEMP, .index = sum, .write_mask = 0xf};
   in->src[0].file = in->src[1].file = ATTILA_FILE_INPUT;
   in = air_append(ir, ATTILA_OP_MOV);
   in->dst = (struct attila_isa_dst){.file = ATTILA_FILE_OUTPUT, .write_mask = 0xf};
   in->src[0].file = ATTILA_FILE_TEMP;
   in->src[0].index = sum;
   air_append(ir, ATTILA_OP_END);
   return ir;
}

static void
break_opcode(struct air *ir)
{
   ir->instrs[0].op = 200;
}

static void
break_mask(struct air *ir)
{
   ir->instrs[0].dst.write_mask = 0;
}

static void
break_destination(struct air *ir)
{
   ir->instrs[0].dst.index = 7;
}

static void
break_source(struct air *ir)
{
   ir->instrs[1].src[0].file = ATTILA_FILE_OUTPUT;
}

static void
break_literal(struct air *ir)
{
   ir->instrs[1].src[0].file = ATTILA_FILE_LITERAL;
}

static void
break_relative(struct air *ir)
{
   ir->instrs[1].src[0].relative = true;
}

static void
break_definition(struct air *ir)
{
   ir->instrs[0].dst.write_mask = 0x7;
}

static void
break_ssa(struct air *ir)
{
   ir->instrs[1].dst = ir->instrs[0].dst;
   ir->instrs[1].src[0].file = ATTILA_FILE_INPUT;
}

static void
test_instructions_are_validated(void **state)
{
   (void)state;
   static const struct {
      void (*damage)(struct air *ir);
      const char *message;
   } cases[] = {
       {break_opcode, "instruction 0: unknown opcode"},
       {break_mask, "instruction 0: write mask"},
       {break_destination, "instruction 0: destination outside"},
       {break_source, "instruction 1: source that cannot be read"},
       {break_literal, "instruction 1: source outside the literals"},
       {break_relative, "instruction 1: relative source that is not an array"},
       {break_definition, "instruction 1: read of a component before its write"},
       {break_ssa, "instruction 1: second write of a component"},
   };
   struct air *ir = make_program();
   assert_true(air_validate(ir, "this test"));
   assert_null(ir->error);
   ralloc_free(ir);
   for (unsigned i = 0; i < ARRAY_SIZE(cases); i++) {
      ir = make_program();
      cases[i].damage(ir);
      assert_false(air_validate(ir, "this test"));
      assert_non_null(strstr(ir->error, "after this test"));
      if (!strstr(ir->error, cases[i].message))
         fail_msg("%s, not %s", ir->error, cases[i].message);
      ralloc_free(ir);
      /* Without the flag nothing is checked. */
      ir = make_program();
      ir->validate = false;
      cases[i].damage(ir);
      assert_true(air_validate(ir, "this test"));
      ralloc_free(ir);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_library_has_asserts_without_mesas),
       cmocka_unit_test(test_nir_is_validated),
       cmocka_unit_test(test_instructions_are_validated),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
