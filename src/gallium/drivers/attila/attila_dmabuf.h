/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Textures whose pixels others can see and change: the linear memory outside the GPU that they
 * share, and when it and the GPU's own copy are made the same.
 */
#ifndef ATTILA_DMABUF_H
#define ATTILA_DMABUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct attila_context;
struct attila_resource;
struct attila_screen;

/* The GPU works on tiles in its own memory, the outside on rows: each has a copy. */
struct attila_shared {
   uint8_t *map; /* the memory as this process sees it; NULL: the window system maps res->dt */
   size_t map_size;
   int fd; /* of the dmabuf; -1 where the window system keeps it */
   bool read_only;
   unsigned offset, stride; /* of the image in the memory, in bytes */
   bool explicit_flush;     /* every holder of a handle waits for flush_resource */
   bool due;                /* flush_resource was called since the outside got a copy last */

   unsigned writers; /* contexts whose writes the outside has not got yet */
   bool known;       /* hash is of what both copies held when they were the same last */
   uint64_t hash;
   uint64_t checked; /* attila_screen.num_submissions when the outside was last looked at */
};

/* Make the memory behind a texture that has none yet. False: there is no such memory, or the image
 * does not lie in it; nothing has changed.
 * The window system's display target, res->dt: */
bool attila_shared_use_target(struct attila_screen *screen, struct attila_resource *res);
/* A dmabuf, or another file that can be mapped, to be written too or only read: */
bool attila_shared_use_fd(struct attila_screen *screen, struct attila_resource *res, int fd,
                          unsigned offset, unsigned stride, bool write);
/* A new dmabuf: */
bool attila_shared_use_new_dmabuf(struct attila_screen *screen, struct attila_resource *res);
/* Undoes them; does nothing to a texture that is not shared. */
void attila_shared_finish(struct attila_screen *screen, struct attila_resource *res);

/* What the outside holds now is what the GPU's copy stands for: fresh memory that nobody has
 * written. */
void attila_shared_accept(struct attila_screen *screen, struct attila_resource *res);

/* Somebody may have written outside: the next use looks. */
void attila_shared_recheck(struct attila_resource *res);
/* Before the GPU reads a texture or writes a part of it: brings its copy up to the outside's. */
void attila_shared_import(struct attila_context *ctx, struct attila_resource *res);
/* The same for every texture that the next draw or clear uses. */
void attila_shared_import_bound(struct attila_context *ctx);
/* The GPU's copy is written: the outside gets it with the next flush. */
void attila_shared_written(struct attila_context *ctx, struct attila_resource *res);

/* Copies to the outside at once. scanned_out: SWAP has just shown the texture. */
void attila_shared_export(struct attila_context *ctx, struct attila_resource *res,
                          bool scanned_out);
/* At a flush: gives the outside what this context has written, but for one texture (or NULL). */
void attila_shared_flush(struct attila_context *ctx, const struct attila_resource *except);
/* After SWAP has shown a texture: the outside gets it, if this context has written to it. */
void attila_shared_present(struct attila_context *ctx, struct attila_resource *res);
/* Drops what attila_shared_written remembers. */
void attila_shared_forget(struct attila_context *ctx);

#endif
