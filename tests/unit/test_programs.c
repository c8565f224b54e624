/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The cache of decoded programs: the same binary is decoded once, a program in use stays, and of
 * unused ones no more than SIM_PROGRAMS_KEPT, those used last. Equal programs at two addresses have
 * a note each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>
#include "decode/sim_programs.h"
#include "hw/attila_cmd.h"
#include "hw/attila_limits.h"
#include "hw/isa/attila_isa.h"

/* Program number n: each has another constant register. uniforms: of its note; NULL: no note. */
static struct sim_program *
get_at(struct sim_programs *p, unsigned n, unsigned stage, uint32_t address, const char *uniforms)
{
   uint32_t payload[ATTILA_LOAD_PROGRAM_WORDS + 32] = {stage, address},
                                                words = ATTILA_LOAD_PROGRAM_WORDS;
   struct attila_isa_program isa;
   char text[100], error[256];
   snprintf(text, sizeof(text), ".fragment\nMOV o0, c%u\nEND\n", n);
   assert_true(attila_isa_assemble(text, &isa, error, sizeof(error)));
   size_t size = attila_isa_encoded_size(&isa);
   void *binary = malloc(size);
   attila_isa_encode(&isa, binary);
   attila_isa_free(&isa);
   payload[2] = (uint32_t)size;
   if (uniforms) { /* no lines, an empty source */
      strcpy((char *)(payload + words + 1) + 1, uniforms);
      words += 32;
   }
   struct sim_program *program = sim_programs_get(p, payload, words, binary, error, sizeof(error));
   assert_true(program || error[0]);
   free(binary);
   return program;
}

static struct sim_program *
get(struct sim_programs *p, unsigned n, unsigned stage)
{
   return get_at(p, n, stage, 0, NULL);
}

static void
test_unused_ones_go(void **state)
{
   struct sim_programs *p = sim_programs_create();
   struct sim_program *used = get(p, 0, ATTILA_STAGE_FRAGMENT);
   assert_ptr_equal(get(p, 0, ATTILA_STAGE_FRAGMENT), used);
   sim_programs_release(p, used); /* one reference is left */
   for (unsigned n = 1; n <= SIM_PROGRAMS_KEPT + 300; n++) {
      struct sim_program *program = get(p, n, ATTILA_STAGE_FRAGMENT);
      sim_programs_release(p, program);
      if (n % 10 == 0) { /* number 5 is used again and again, and stays */
         program = get(p, 5, ATTILA_STAGE_FRAGMENT);
         sim_programs_release(p, program);
      }
   }
   assert_int_equal(sim_programs_count(p), 1 + SIM_PROGRAMS_KEPT);
   assert_ptr_equal(get(p, 0, ATTILA_STAGE_FRAGMENT), used);
   const unsigned before = sim_programs_count(p);
   get(p, 5, ATTILA_STAGE_FRAGMENT);
   get(p, SIM_PROGRAMS_KEPT + 300, ATTILA_STAGE_FRAGMENT);
   assert_int_equal(sim_programs_count(p), before);
   get(p, 1, ATTILA_STAGE_FRAGMENT); /* had gone */
   assert_int_equal(sim_programs_count(p), before + 1);
   sim_programs_destroy(p);
}

static void
test_program_of_another_stage_is_refused(void **state)
{
   struct sim_programs *p = sim_programs_create();
   assert_null(get(p, 1, ATTILA_STAGE_VERTEX));
   assert_null(get(p, 1, ATTILA_NUM_STAGES));
   assert_int_equal(sim_programs_count(p), 0);
   sim_programs_destroy(p);
}

static const char *
uniforms_of(const struct sim_program *program)
{
   return attila_program_note_of(program->note, program->note_words).uniforms;
}

static void
test_notes_are_those_of_the_place(void **state)
{
   struct sim_programs *p = sim_programs_create();
   struct sim_program *a = get_at(p, 0, ATTILA_STAGE_FRAGMENT, 64, "c 0 vec4 a"),
                      *b = get_at(p, 0, ATTILA_STAGE_FRAGMENT, 128, "c 0 vec4 b");
   assert_string_equal(uniforms_of(a), "c 0 vec4 a");
   assert_string_equal(uniforms_of(b), "c 0 vec4 b");
   /* Later loads have no note. */
   assert_ptr_equal(get_at(p, 0, ATTILA_STAGE_FRAGMENT, 64, NULL), a);
   assert_ptr_equal(get_at(p, 0, ATTILA_STAGE_FRAGMENT, 128, NULL), b);
   /* Another program takes the place of one. */
   struct sim_program *c = get_at(p, 0, ATTILA_STAGE_FRAGMENT, 64, "c 0 vec4 c");
   assert_string_equal(uniforms_of(c), "c 0 vec4 c");
   assert_string_equal(uniforms_of(a), "c 0 vec4 a");
   assert_ptr_equal(get_at(p, 0, ATTILA_STAGE_FRAGMENT, 64, NULL), c);
   assert_ptr_equal(get_at(p, 0, ATTILA_STAGE_FRAGMENT, 64, "c 0 vec4 c"), c);
   /* A restored program was at another address. */
   struct sim_program *d = get_at(p, 0, ATTILA_STAGE_FRAGMENT, 192, NULL);
   assert_non_null(uniforms_of(d));
   assert_int_equal(sim_programs_count(p), 4);
   sim_programs_destroy(p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
       cmocka_unit_test(test_unused_ones_go),
       cmocka_unit_test(test_program_of_another_stage_is_refused),
       cmocka_unit_test(test_notes_are_those_of_the_place),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
