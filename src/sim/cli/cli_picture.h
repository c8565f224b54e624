/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * attila-sim picture: shared declarations. */
#ifndef CLI_PICTURE_H
#define CLI_PICTURE_H

#include <string.h>
#include "cli/cli_stream.h"
#include "picture/picture.h"

/* What pictures show of a draw: name and member of the options. The kinds from COVERAGE on are what
 * it covered, over the surface after it. */
#define CLI_PICTURE_KINDS(K) \
   K(BEFORE, before)         \
   K(AFTER, after)           \
   K(DIFF, diff)             \
   K(COVERAGE, coverage)     \
   K(OVERDRAW, overdraw)     \
   K(WIREFRAME, wireframe)
enum cli_picture_kind {
#define K(NAME, name) KIND_##NAME,
   CLI_PICTURE_KINDS(K)
#undef K
       NUM_KINDS
};

/* color0 .. color7, depth, stencil */
#define NUM_SURFACES (ATTILA_MAX_COLOR_BUFFERS + 2)
#define SURFACE_DEPTH ATTILA_MAX_COLOR_BUFFERS
#define SURFACE_STENCIL (ATTILA_MAX_COLOR_BUFFERS + 1)

/* Draws first to last of a frame. */
struct cli_pick {
   uint32_t frame, first, last;
};

/* Cycles first, first + step, ... up to last. */
struct cli_cycles {
   uint32_t first, last, step;
};

struct cli_picture_options {
   const struct cli_options *given;
   struct cli_cycles *cycles; /* --cycle; NULL: draws */
   unsigned num_cycles;
   struct cli_pick *picks;
   unsigned num_picks;
   unsigned kinds; /* bit per enum cli_picture_kind */
   bool watches;   /* --pixel, --grid or --vertices: no pictures */
   uint32_t pixel[2];
   uint32_t surfaces; /* bits of NUM_SURFACES */
};

struct cli_picture_job {
   const struct cli_picture_options *o;
   struct attila_sim *sim;
   struct cli_stream stream;
   FILE *index;                            /* pictures.csv; NULL: none */
   struct attila_checkpoints *checkpoints; /* NULL: none */
   struct attila_orientation orientation;
   uint32_t last_frame;            /* last wanted frame */
   uint64_t draws;                 /* draws found */
   uint64_t missing[NUM_SURFACES]; /* draws without the surface */
   uint64_t pictures; /* pictures, fragments (--pixel) or vertices (--vertices) written */
   struct picture before[NUM_SURFACES];
   struct picture_surface surface[NUM_SURFACES];
   struct sim_func_cover *cover; /* what the draw covered; NULL: not wanted */
   struct {
      uint64_t pixels, fragments, passed; /* pixels with fragments */
      uint32_t most;                      /* fragments of a pixel */
   } covered;
   uint64_t *textures; /* hashes of the written textures */
   unsigned num_textures;
   /* --cycle */
   unsigned cycles; /* index into the options' list of cycles */
   uint64_t cycle;  /* the next cycle, or the cycle of the picture */
   bool all_cycles; /* all cycles are done */
   bool failed;     /* a picture failed */
};

/* Reads the lists in the options and sets the mode. Returns an enum cli_exit. */
int cli_picture_options(struct cli_picture_options *p, struct cli_options *o);
void cli_picture_options_free(struct cli_picture_options *o);
/* "color3", "depth" */
const char *cli_surface_name(unsigned surface);

/* --- cli_picture.c --- */

enum picture_plane cli_picture_plane(unsigned surface);
/* At the beginning of a frame: skips to a checkpoint at or before frame `to`, if there is one.
 * Returns false, with a message on stderr, if the replay cannot continue. */
bool cli_picture_jump(struct cli_picture_job *j, uint32_t to);

/* Commands of the stream that are not yet executed. */
struct cli_batch {
   const uint32_t *words;
   size_t num;
};
static inline void
cli_batch_add(struct cli_batch *b, const struct cli_command *c)
{
   if (!b->num)
      b->words = c->payload - 1;
   b->num += 1 + (size_t)c->words;
}
/* Returns false when the simulator stopped. */
bool cli_picture_execute(struct cli_picture_job *j, struct cli_batch *b);
/* Runs before every draw, when its registers are set. */
void cli_picture_note_draw(struct cli_picture_job *j, const uint32_t *payload);
/* Returns one of the surfaces that the registers name. */
struct picture_surface cli_picture_surface(const struct cli_picture_job *j,
                                           const struct attila_regs *r, unsigned surface);

/* --- cli_picture_cycle.c: --cycle --- */

bool cli_picture_cycles(struct cli_picture_job *j);

/* --- cli_picture_vertices.c: --vertices --- */

/* Executes a DRAW, which is alone in b. */
bool cli_picture_vertices_draw(struct cli_picture_job *j, const struct cli_command *c,
                               uint32_t draw, struct cli_batch *b);

/* --- cli_picture_pixel.c: --pixel, --grid --- */

static inline bool
cli_picture_pixel_json(const struct cli_picture_options *o)
{
   return o->given->format && !strcmp(o->given->format, "json");
}
/* Executes a DRAW, which is alone in b. */
bool cli_picture_pixel_draw(struct cli_picture_job *j, const struct cli_command *c, uint32_t draw,
                            struct cli_batch *b);
bool cli_picture_grid_draw(struct cli_picture_job *j, const struct cli_command *c, uint32_t draw,
                           struct cli_batch *b);
/* Print the lines before and after all fragments. */
void cli_picture_pixel_begin(const struct cli_picture_job *j);
void cli_picture_pixel_end(const struct cli_picture_job *j);

/* --- cli_picture_cover.c: --coverage, --overdraw, --wireframe --- */

/* Executes a DRAW, which is alone in b, and counts what it covers if a picture shows that. */
bool cli_picture_cover_draw(struct cli_picture_job *j, struct cli_batch *b);
void cli_picture_cover_free(struct cli_picture_job *j);
/* Makes the surface after the draw, rgb, a picture of what it covered. */
void cli_picture_cover_paint(const struct cli_picture_job *j, enum cli_picture_kind kind,
                             bool bottom_up, uint8_t *rgb);
/* Returns fragments and passed ones of each pixel, top row first, malloc'ed; NULL: out of host
 * memory. */
uint32_t *cli_picture_cover_counts(const struct cli_picture_job *j, bool bottom_up);

/* --- cli_picture_files.c --- */

/* Writes surface s as it is at the job's cycle. draw: the oldest draw in flight; -1: none. */
bool cli_picture_moment(struct cli_picture_job *j, unsigned s, uint32_t frame, int64_t draw,
                        const struct picture *p);

/* Prints the message and returns false. */
bool cli_picture_fail(const char *message);
/* Writes rgb, 3 bytes a pixel, as a PNG of at most --max-size pixels; overwrites rgb. */
bool cli_picture_write(struct cli_picture_job *j, const char *path, uint8_t *rgb, uint32_t width,
                       uint32_t height);
/* Writes the pictures of all kinds for surface s. The job holds the surface as
 * it was before the draw. */
bool cli_picture_kinds(struct cli_picture_job *j, unsigned s, uint32_t frame, uint32_t draw,
                       const struct picture *after);
/* Writes the textures (--textures) of the draw whose state is bound. */
bool cli_picture_textures(struct cli_picture_job *j, uint32_t frame, uint32_t draw);

#endif
