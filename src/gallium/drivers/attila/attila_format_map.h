/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * From Gallium formats to the GPU's element formats. Not here: how they are stored
 * (hw/attila_format.h). */
#ifndef ATTILA_FORMAT_MAP_H
#define ATTILA_FORMAT_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/attila_regs.h"
#include "pipe/p_defines.h"
#include "util/format/u_formats.h"

/* A Gallium format on the GPU: an element format, and the swizzle that texture views add. */
struct attila_format_map {
   uint8_t format;     /* enum attila_format; ATTILA_FORMAT_NONE: unsupported */
   uint8_t uses;       /* enum attila_format_use: uses of this Gallium format */
   uint8_t swizzle[4]; /* enum attila_swizzle of red, green, blue, alpha */
};

const struct attila_format_map *attila_map_format(enum pipe_format format);

/* Returns whether images can have the format: colours without a swizzle. */
bool attila_is_image_format(enum pipe_format format);

struct pipe_screen;
bool attila_is_format_supported(struct pipe_screen *screen, enum pipe_format format,
                                enum pipe_texture_target target, unsigned sample_count,
                                unsigned storage_sample_count, unsigned bind);

#endif
