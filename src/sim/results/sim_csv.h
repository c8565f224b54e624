/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A table of text in a file, row by row, as it is or compressed (zstd). Rows are collected in
 * memory and written as whole lines: at the end of a frame, and when they are many. Not here: what
 * is in them. */
#ifndef SIM_CSV_H
#define SIM_CSV_H

#include <stdint.h>
#include "core/sim_file.h"

struct sim_csv {
   struct sim_file *file; /* NULL: none */
   char *data;            /* lines that wait */
   size_t len, size;
   uint64_t rows; /* ended, ever */
   void *zstd;    /* NULL: the file is text */
   char *packed;
   size_t packed_size;
};

/* Opens the file in a folder; path: what messages call it. pack: compressed: what is written at a
 * time is a frame of zstd of its own, so a file that ends with any of them is whole. */
enum sim_file_result sim_csv_open(struct sim_csv *c, int folder, const char *name, const char *path,
                                  bool pack, char *error, size_t error_size);
/* Room for a row of at most so many bytes; NULL: there is no file, or no host memory, which drops
 * the row rather than the application. end: the byte after its line break. */
char *sim_csv_begin(struct sim_csv *c, size_t size);
void sim_csv_end(struct sim_csv *c, const char *end);
/* Writes what waits. */
void sim_csv_write(struct sim_csv *c);
/* In a child after fork(): the file is the parent's. */
void sim_csv_disown(struct sim_csv *c);
/* Writes what waits, and closes the file. False if rows were lost. */
bool sim_csv_close(struct sim_csv *c);

/* Fields; each returns where the next byte goes. A text is quoted, and stays a single line. */
#define SIM_CSV_NUMBER_BYTES 20
char *sim_csv_text(char *p, const char *text);
char *sim_csv_digits(char *p, uint64_t v); /* v: 10 or more */
static inline char *
sim_csv_number(char *p, uint64_t v)
{
   if (v >= 10)
      return sim_csv_digits(p, v);
   *p = (char)('0' + v);
   return p + 1;
}

#endif
