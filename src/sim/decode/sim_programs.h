/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Decoded shader programs, cached by content: an application that binds a program again does not
 * decode it again. A program that is not in use is forgotten when many others were loaded since.
 */
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/sim_state.h"
#include "emul/shader/emul_shader.h"

/* Programs that nobody uses and that are kept all the same. */
#define SIM_PROGRAMS_KEPT 256

struct sim_programs;

struct sim_program {
   uint64_t hash;
   size_t size; /* bytes of binary */
   unsigned stage;
   uint32_t refs;   /* who may still execute it */
   uint32_t record; /* its number in the record of the run; 0: not asked for */
   char name[48];   /* that the driver gave it; "": none */
   uint32_t *note;  /* of its first LOAD_PROGRAM with one; NULL: there was none */
   uint32_t note_words;
   void *binary;
   struct emul_program *program;
   struct sim_program *next_in_bucket;
   struct sim_program *older, *newer; /* unused ones, by when they were used last */
};

struct sim_programs *sim_programs_create(void);
void sim_programs_destroy(struct sim_programs *p);
/* The decoded program of a binary (which is copied), with a reference for the caller; NULL with a
 * message when it does not validate or is of another stage. stage: enum attila_stage. */
struct sim_program *sim_programs_get(struct sim_programs *p, unsigned stage, const void *binary,
                                     size_t size, char *error, size_t error_size);
void sim_programs_release(struct sim_programs *p, struct sim_program *program);
/* A note of a checked LOAD_PROGRAM, which is copied: ignored if the program has one, or its lines
 * are not those of the program. */
void sim_program_annotate(struct sim_program *program, const uint32_t *note, uint32_t words);
/* Saves a program, or loads one, with a reference for the caller; NULL: it is none. */
struct sim_program *sim_program_state(struct sim_programs *p, struct sim_program *program,
                                      struct sim_state *s);
/* Saves or loads those that nobody uses; loading forgets those that were there. */
void sim_programs_state(struct sim_programs *p, struct sim_state *s);
/* Programs held in memory. */
unsigned sim_programs_count(const struct sim_programs *p);

#endif
