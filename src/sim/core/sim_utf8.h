/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Makes programs' texts (labels, names) valid UTF-8 for our files. */
#ifndef SIM_UTF8_H
#define SIM_UTF8_H

#include <stdbool.h>
#include <stddef.h>

bool sim_utf8_valid(const char *text);
/* Copies text with NUL into size bytes: bytes that are not part of a character become '?', and long
 * texts are cut between characters. */
void sim_utf8_copy(char *to, size_t size, const char *text);

#endif
