/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Text that programs give us (labels, names) is UTF-8 in every file that we write, whatever bytes
 * the program has given.
 */
#ifndef SIM_UTF8_H
#define SIM_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool sim_utf8_valid(const char *text);
/* Copies text with its NUL into size bytes: every byte that is no part of a character becomes '?',
 * and a text that is too long is cut between characters. */
void sim_utf8_copy(char *to, size_t size, const char *text);

#endif
