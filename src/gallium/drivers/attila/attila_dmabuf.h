/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shared textures: linear memory outside the GPU (a dmabuf or a window system's image) that others
 * see and change. */
#ifndef ATTILA_DMABUF_H
#define ATTILA_DMABUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attila_cs;
struct attila_resource;
struct attila_screen;

/* The copy in GPU memory consists of tiles, the copy outside of rows. */
struct attila_dmabuf {
   uint8_t *map; /* the memory in this process; NULL: the window system maps res->dt */
   size_t map_size;
   int fd; /* the dmabuf's; -1 if the window system has it */
   bool read_only;
   unsigned offset, stride; /* the image's place in the memory, in bytes */
   bool explicit_flush;     /* every holder of a handle waits for flush_resource */
   bool due;                /* flush_resource was called since the last copy to the outside */

   unsigned writers; /* contexts whose writes are not copied outside yet */
   bool known;       /* hash is valid: that of the contents when both copies were equal */
   uint64_t hash;
   uint64_t checked; /* attila_screen.num_submissions at the last look outside */
};

/* Give memory to a texture that has none. Return false and change nothing if there is no memory or
 * the image is not inside it. The first takes the window system's display target, res->dt: */
bool attila_dmabuf_use_target(struct attila_screen *screen, struct attila_resource *res);
/* Takes a dmabuf or another mappable file, writable or read-only: */
bool attila_dmabuf_use_fd(struct attila_screen *screen, struct attila_resource *res, int fd,
                          unsigned offset, unsigned stride, bool write);
/* Makes a new dmabuf: */
bool attila_dmabuf_use_new_dmabuf(struct attila_screen *screen, struct attila_resource *res);
/* Undoes any of these; does nothing for textures that are not shared. */
void attila_dmabuf_finish(struct attila_screen *screen, struct attila_resource *res);

/* Notes that the GPU's copy was written, so that the next flush copies it outside. */
void attila_dmabuf_written(struct attila_cs *cs, struct attila_resource *res);

#define ATTILA_DMABUF_NEVER UINT64_MAX /* attila_dmabuf.checked */

#endif
