/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Text for terminals. Our programs print names, labels and GLSL from files by others. Control
 * characters in these would move the cursor, change colours or answer for the user. */
#ifndef SIM_PRINTABLE_H
#define SIM_PRINTABLE_H

#include <stdbool.h>
#include <stdio.h>

/* The state of a stream, which the caller keeps as long as the stream. */
struct sim_printable {
   int fd;
   bool c1; /* the last byte was 0xc2, which is written with the next one */
};
/* Returns a stream to a file descriptor. It writes control characters other than newline and tab as
 * \x1b: those of ASCII, and U+0080 to U+009F in UTF-8. Output to a terminal is written line by
 * line; standard error is unbuffered. NULL: no memory. */
FILE *sim_printable_stream(struct sim_printable *p, int fd);

#endif
