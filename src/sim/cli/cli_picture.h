/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture: its options, and what its files share.
 */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include "cli/cli_stream.h"
#include "picture/picture.h"

enum { KIND_BEFORE = 1, KIND_AFTER = 2, KIND_DIFF = 4 };

/* color0 .. color7, depth, stencil */
#define NUM_SURFACES (ATTILA_MAX_COLOR_BUFFERS + 2)
#define SURFACE_DEPTH ATTILA_MAX_COLOR_BUFFERS
#define SURFACE_STENCIL (ATTILA_MAX_COLOR_BUFFERS + 1)

/* Draws first to last of a frame. */
struct cli_pick {
   uint32_t frame, first, last;
};

struct cli_picture_options {
   const char *capture;
   struct cli_options machine; /* -c, --set */
   struct cli_pick *picks;
   unsigned num_picks;
   unsigned kinds;    /* bits of KIND_ */
   uint32_t surfaces; /* bits of NUM_SURFACES */
   bool textures, raw;
   uint32_t max_size; /* pixels; 0: any */
   const char *file;  /* -o: the only picture */
   const char *folder;
};

#define CLI_PICTURE_KNOWN 256 /* surfaces */

struct cli_picture_job {
   const struct cli_picture_options *o;
   struct attila_sim *sim;
   struct cli_stream stream;
   FILE *index; /* pictures.csv; NULL: none */
   struct {
      uint32_t address;
      bool bottom_up;
   } known[CLI_PICTURE_KNOWN];
   unsigned num_known, next_known;
   uint32_t last_frame;            /* that is wanted */
   uint64_t draws;                 /* found */
   uint64_t missing[NUM_SURFACES]; /* of these, draws without the surface */
   uint64_t pictures;              /* written */
   struct picture before[NUM_SURFACES];
   struct picture_surface surface[NUM_SURFACES];
   uint64_t *textures; /* hashes of those that were written */
   unsigned num_textures;
};

/* Reads the command line. CLI_OK: *done tells whether everything is done (--help). */
int cli_picture_options(struct cli_picture_options *o, int argc, char **argv, bool *done);
void cli_picture_options_free(struct cli_picture_options *o);
/* "color3", "depth" */
const char *cli_surface_name(unsigned surface);

/* --- cli_picture.c --- */

enum picture_plane cli_picture_plane(unsigned surface);
/* Whether the first row of the surface at this address is the lowest one; unknown: if nothing has
 * been drawn to it that says so. */
bool cli_picture_bottom_up(const struct cli_picture_job *j, uint32_t address, bool unknown);

/* --- cli_picture_files.c --- */

/* Always false, for "return cli_picture_fail(...)"; prints the message. */
bool cli_picture_fail(const char *message);
/* rgb, 3 bytes a pixel, as a PNG of at most --max-size pixels; rgb is overwritten. */
bool cli_picture_write(struct cli_picture_job *j, const char *path, uint8_t *rgb, uint32_t width,
                       uint32_t height);
/* --before, --after and --diff of surface s, whose picture before the draw is in the job. */
bool cli_picture_kinds(struct cli_picture_job *j, unsigned s, uint32_t frame, uint32_t draw,
                       const struct picture *after);
/* --textures of the draw whose state is bound. */
bool cli_picture_textures(struct cli_picture_job *j, uint32_t frame, uint32_t draw);

#endif
