/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Decoded shader programs, cached by content and address, so that rebinding does not decode again.
 * Equal programs at several addresses may have other names of uniforms. Unused ones are dropped
 * after many other loads. */
#ifndef SIM_PROGRAMS_H
#define SIM_PROGRAMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/sim_state.h"
#include "emul/shader/emul_shader.h"

/* Unused programs kept. */
#define SIM_PROGRAMS_KEPT 256

struct sim_programs;

struct sim_program {
   uint64_t hash;
   size_t size; /* bytes of binary */
   unsigned stage;
   uint32_t address; /* in GPU memory */
   uint32_t refs;    /* users that may execute it */
   uint32_t number;  /* sim_observed_program; 0: none yet */
   char name[48];    /* from the driver; "": none */
   uint32_t *note;   /* from its first LOAD_PROGRAM with one; NULL: none */
   uint32_t note_words;
   void *binary;
   struct emul_program *program;
   struct sim_program *next_in_bucket;
   struct sim_program *older, *newer; /* unused ones, by last use */
};

struct sim_programs *sim_programs_create(void);
void sim_programs_destroy(struct sim_programs *p);
/* Returns the decoded program of a binary, with a reference (the binary is copied). Returns NULL
 * with a message if it is invalid or of another stage. payload: of a checked LOAD_PROGRAM; its note
 * is kept with the program. One whose number of lines does not match is ignored. */
struct sim_program *sim_programs_get(struct sim_programs *p, const uint32_t *payload,
                                     uint32_t words, const void *binary, char *error,
                                     size_t error_size);
void sim_programs_release(struct sim_programs *p, struct sim_program *program);
/* Saves a program, or loads one with a reference for the caller. Returns NULL if it is invalid. */
struct sim_program *sim_program_state(struct sim_programs *p, struct sim_program *program,
                                      struct sim_state *s);
/* Saves or loads the unused programs; loading drops the present ones. */
void sim_programs_state(struct sim_programs *p, struct sim_state *s);
/* Returns the number of programs in memory. */
unsigned sim_programs_count(const struct sim_programs *p);

#endif
