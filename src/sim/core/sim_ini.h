/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What readers of .ini files share in addition to inih: lines longer than its buffer, numbers of
 * lines, and keys that occur twice. Not here: what keys mean. */
#ifndef SIM_INI_H
#define SIM_INI_H

#include <stdio.h>

/* A message, with sim_ini.room. */
#define SIM_INI_TOO_LONG "a line of more than %u characters before a comment"

/* All zero but the file: a file before its first line. */
struct sim_ini {
   FILE *file;
   unsigned line;     /* the current one, from 1 */
   unsigned too_long; /* the first line that inih's buffer cuts before a comment; 0: none */
   unsigned room;     /* of the buffer: characters of a line */
   struct sim_ini_key {
      char name[128];
      unsigned line;
   } * keys; /* those that occurred */
   unsigned num_keys;
};

/* Reads a line into inih's buffer, as fgets, and drops what does not fit: a comment may have any
 * length. */
char *sim_ini_read(struct sim_ini *ini, char *buffer, int size);
/* Notes that a key stands in the current line. Returns the line that has it already, in any case of
 * letters; 0: none. Without host memory nothing is noted. */
unsigned sim_ini_note(struct sim_ini *ini, const char *section, const char *key);
void sim_ini_fini(struct sim_ini *ini);

#endif
