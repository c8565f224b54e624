/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A simulator's options (attila_sim.h), from the table attila_options_table.h. Not here: command
 * lines (sim_options.h, src/sim/cli). */
#ifndef ATTILA_OPTIONS_H
#define ATTILA_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "options/attila_options_table.h"

/* M(enum constant, user's name). CYCLE: boxes and signals, cycle by cycle. FUNCTIONAL: the same
 * emulators and pixels without timing. HALF: cycle mode in which shaders execute an instruction per
 * cycle without latencies (SIMULATOR.HalfCycle). It has the same pixels and runs faster. */
#define ATTILA_MODES(M) M(CYCLE, cycle) M(FUNCTIONAL, functional) M(HALF, half)

enum attila_mode {
#define M(constant, name) ATTILA_MODE_##constant,
   ATTILA_MODES(M)
#undef M
};

/* Never NULL. */
const char *attila_mode_name(enum attila_mode mode);
/* Finds the mode with a name, without regard to case. Returns false if it is unknown; *mode then
 * stays. */
bool attila_mode_parse(const char *name, enum attila_mode *mode);

#define ATTILA_MAX_THREADS 64

/* Members by the type of an option. */
#define ATTILA_MEMBER_FLAG(member) bool member;
#define ATTILA_MEMBER_NUMBER(member) uint32_t member;
#define ATTILA_MEMBER_TEXT(member) const char *member;
#define ATTILA_MEMBER_PATH(member) const char *member;
#define ATTILA_MEMBER_CHOICE(member) const char *member;
#define ATTILA_MEMBER_WORDS(member) const char *member;
#define ATTILA_MEMBER_RANGES(member) const char *member;
#define ATTILA_MEMBER_SPAN(member) const char *member;
#define ATTILA_MEMBER_PICKS(member) const char *member;
#define ATTILA_MEMBER_MODE(member) enum attila_mode member;
#define ATTILA_MEMBER_LIST(member) \
   const char *const *member;      \
   unsigned num_##member;

/* How to build a GPU and what to report. All zero: the default machine, no reports. */
struct attila_sim_options {
#define O(type, member, name, letter, argument, variable, accepts, commands, group, help) \
   ATTILA_MEMBER_##type(member)
   ATTILA_OPTIONS(O)
#undef O
   /* Lets functional mode delay the writes of clears until memory is read. Only for callers that
    * read memory through attila_sim.h. */
   bool keep_clears;
   /* Builds the machine only to check options, without reports and capture. */
   bool check_only;
};

/* Returns whether cycle mode simulates only parts of frames. */
static inline bool
attila_sim_wants_parts(const struct attila_sim_options *o)
{
   return o->cycle_draws || o->cycle_label;
}

/* Fills options from the ATTILA_* variables; attila_sim_options_free frees their strings. Returns
 * false with a message if a value is out of range or a variable needs another one. */
bool attila_sim_options_from_env(struct attila_sim_options *options, char *error,
                                 size_t error_size);
/* Returns false if host memory is exhausted; *to is then all zero. */
bool attila_sim_options_copy(struct attila_sim_options *to, const struct attila_sim_options *from);
/* Frees the strings; all options are zero then. */
void attila_sim_options_free(struct attila_sim_options *options);

#endif
