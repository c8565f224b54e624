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
 * Lists grow only at their ends. So the dictionary of an earlier version has some of this version's
 * lines, and its registers may have a lower COUNT. With any other line the capture is refused. */
#ifndef SIM_DICTIONARY_H
#define SIM_DICTIONARY_H

#include <stdbool.h>
#include <stddef.h>

/* The dictionary of streams made with this version. The caller frees it. */
char *sim_dictionary_text(size_t *size);
/* Returns false, with a message that has the line, if a line means something else here, or
 * nothing. */
bool sim_dictionary_check(const char *text, size_t size, char *error, size_t error_size);

#endif
