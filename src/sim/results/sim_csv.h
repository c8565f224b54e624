/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A text table in a file, plain or compressed with zstd. Rows are buffered and written as whole
 * lines, at the end of a frame and when the buffer is large. Not here: what the rows contain. */
#ifndef SIM_CSV_H
#define SIM_CSV_H

#include <stdint.h>
#include "core/sim_file.h"

struct sim_csv {
   struct sim_file *file; /* NULL: none */
   char *data;            /* buffered lines */
   size_t len, size;
   uint64_t rows; /* rows written and buffered */
   void *zstd;    /* NULL: the file is text */
   char *packed;
   size_t packed_size;
};

/* Opens the file in a folder; messages call it path. With pack, each write is its own zstd frame,
 * so the file is whole after any of them. */
enum sim_file_result sim_csv_open(struct sim_csv *c, int folder, const char *name, const char *path,
                                  bool pack, char *error, size_t error_size);
/* Returns room for a row of at most size bytes. Returns NULL if there is no file, or no host
 * memory: then the row is lost, but the application goes on. end: the byte after the row's line
 * break. */
char *sim_csv_begin(struct sim_csv *c, size_t size);
void sim_csv_end(struct sim_csv *c, const char *end);
/* Writes the buffered lines. */
void sim_csv_write(struct sim_csv *c);
/* Call it in a child after fork(): the file belongs to the parent. */
void sim_csv_disown(struct sim_csv *c);
/* Writes the buffered lines and closes the file. Returns false if rows were lost. */
bool sim_csv_close(struct sim_csv *c);

/* Write one field and return where the next byte goes. Text is quoted and stays on one line. */
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
