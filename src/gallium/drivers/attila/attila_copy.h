/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Copies of elements between textures, and resolves, by the GPU's blitter. */
#ifndef ATTILA_COPY_H
#define ATTILA_COPY_H

#include <stdint.h>
#include "util/format/u_formats.h"

struct attila_cs;
struct attila_resource;
struct pipe_box;

/* Records one BLIT command. The box is in texels of the source and lies inside both surfaces.
 * resolve: enum attila_resolve; format: the format in which samples are averaged. */
void attila_copy_elements(struct attila_cs *cs, struct attila_resource *dst, unsigned dst_level,
                          unsigned dst_x, unsigned dst_y, unsigned dst_z,
                          struct attila_resource *src, unsigned src_level,
                          const struct pipe_box *box, uint32_t resolve, enum pipe_format format);

#endif
