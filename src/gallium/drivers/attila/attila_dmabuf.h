/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Textures whose pixels others can see and change: the linear memory outside the GPU that they
 * share: a dmabuf, or an image of the window system.
 */
#ifndef ATTILA_DMABUF_H
#define ATTILA_DMABUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attila_cs;
struct attila_resource;
struct attila_screen;

/* The GPU works on tiles in its own memory, the outside on rows: each has a copy. */
struct attila_dmabuf {
   uint8_t *map; /* the memory as this process sees it; NULL: the window system maps res->dt */
   size_t map_size;
   int fd; /* of the dmabuf; -1 where the window system keeps it */
   bool read_only;
   unsigned offset, stride; /* of the image in the memory, in bytes */
   bool explicit_flush;     /* every holder of a handle waits for flush_resource */
   bool due;                /* flush_resource was called since the outside got a copy last */

   unsigned writers; /* contexts whose writes the outside has not got yet */
   bool known;       /* hash is of the contents when both copies were last equal */
   uint64_t hash;
   uint64_t checked; /* attila_screen.num_submissions when the outside was last looked at */
};

/* Make the memory behind a texture that has none yet. False: there is no such memory, or the image
 * does not lie in it; nothing has changed.
 * The window system's display target, res->dt: */
bool attila_dmabuf_use_target(struct attila_screen *screen, struct attila_resource *res);
/* A dmabuf, or another file that can be mapped, to be written too or only read: */
bool attila_dmabuf_use_fd(struct attila_screen *screen, struct attila_resource *res, int fd,
                          unsigned offset, unsigned stride, bool write);
/* A new dmabuf: */
bool attila_dmabuf_use_new_dmabuf(struct attila_screen *screen, struct attila_resource *res);
/* Undoes them; does nothing to a texture that is not shared. */
void attila_dmabuf_finish(struct attila_screen *screen, struct attila_resource *res);

/* The GPU's copy is written: the outside gets it with the next flush. */
void attila_dmabuf_written(struct attila_cs *cs, struct attila_resource *res);

#define ATTILA_DMABUF_NEVER UINT64_MAX /* attila_dmabuf.checked */

#endif
