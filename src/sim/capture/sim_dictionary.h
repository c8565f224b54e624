/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The dictionary of a capture: which numbers its stream uses for commands, registers, formats,
 * opcodes and values of registers. Text, a line for each:
 *
 *    command NUMBER WORDS NAME                        words: the least payload
 *    format NUMBER NAME
 *    opcode NUMBER NAME                               of shader programs
 *    value NUMBER LIST.NAME                           of the lists that hw/ declares
 *    register WORD BIT BITS COUNT STRIDE NAME         the first of COUNT, STRIDE words apart
 *
 * A stream made with another dictionary is translated: commands, formats and words of registers by
 * their names. What a stream has no use for may be unknown. Numbers of opcodes and of values are
 * not translated: programs lie in GPU memory, where they look like other data. A name
 * that has another number here refuses the capture. */
#ifndef SIM_DICTIONARY_H
#define SIM_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns this version's dictionary, which the caller frees. */
char *sim_dictionary_text(size_t *size);

struct sim_dictionary;
/* NULL with a message: a malformed line, or a stream that cannot be translated. */
struct sim_dictionary *sim_dictionary_read(const char *text, size_t size, char *error,
                                           size_t error_size);
void sim_dictionary_free(struct sim_dictionary *d);
/* Returns whether all its numbers are known and mean the same here. */
bool sim_dictionary_same(const struct sim_dictionary *d);
/* For a dictionary that is not the same: returns whole commands in this version's numbers, valid
 * until the next call. NULL with a message: a command is incomplete or uses something unknown. */
const uint32_t *sim_dictionary_translate(struct sim_dictionary *d, const uint32_t *words,
                                         size_t num_words, size_t *num_translated, char *error,
                                         size_t error_size);

#endif
