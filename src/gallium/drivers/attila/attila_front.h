/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Contents from outside the GPU: windows' front buffers and shared textures. */
#ifndef ATTILA_FRONT_H
#define ATTILA_FRONT_H

#include <stdbool.h>

struct attila_cs;
struct attila_resource;

/* Updates a front buffer from its window, a shared texture from its dmabuf, before the resource is
 * read or partly written. */
void attila_front_import(struct attila_cs *cs, struct attila_resource *res);
/* The same before anything but a ROP writes, unless it overwrites all (whole). Other resources are
 * ignored. */
void attila_front_write(struct attila_cs *cs, struct attila_resource *res, bool whole);

#endif
