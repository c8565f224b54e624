/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pictures of surfaces in GPU memory for people: colours, depth, stencil, textures; files (PNG,
 * NumPy). Only reads memory; knows no command and no mode.
 */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/sim_file.h"
#include "hw/attila_regs.h"

/* What of a surface's elements. */
enum picture_plane { PICTURE_COLOR, PICTURE_DEPTH, PICTURE_STENCIL };

/* A slice in memory: a level of a layer. */
struct picture_surface {
   enum attila_format format;
   uint32_t address; /* of the slice, bytes */
   uint32_t pitch_tiles, samples;
   uint32_t width, height; /* texels */
   bool bottom_up;         /* the first row in memory is the lowest of the picture */
   bool swizzled;          /* swizzle is valid, else x, y, z, w */
   uint8_t swizzle[4];     /* enum attila_swizzle */
};

/* Values of pixels, the top row first: 4 floats each (red, green, blue, alpha; of depth and stencil
 * the first one counts). Averages of samples; depth and stencil: of sample 0. Colours of sRGB
 * formats are linear, integers are their numbers. */
struct picture {
   uint32_t width, height;
   float white;       /* the value that is shown as white: 1; of integers the largest one, or 1 */
   float (*pixel)[4]; /* malloc'ed */
};

/* Whether the surface has the plane and lies inside memory. */
bool picture_has_plane(const struct picture_surface *s, enum picture_plane plane,
                       uint32_t memory_size);
/* False: out of host memory. The surface must have the plane. */
bool picture_take(struct picture *p, const struct picture_surface *s, enum picture_plane plane,
                  const uint8_t *memory);
void picture_free(struct picture *p);
/* What a program leaves for a pixel of the surface becomes values as a picture has them. */
void picture_output(const struct picture_surface *s, float rgba[4]);
/* Pixels whose bits differ; both must have the same size. */
uint64_t picture_changed(const struct picture *a, const struct picture *b);
/* The smallest and the largest first value. */
void picture_range(const struct picture *p, float *min, float *max);
/* Makes 8-bit RGB of it: 3 * width * height bytes, malloc'ed; NULL: out of host memory. */
/* Colours, clamped to 0..white; srgb: encode. alpha: show that when everything is black (a texture
 * that is nothing but alpha). */
uint8_t *picture_to_rgb(const struct picture *p, bool srgb, bool alpha);
/* First values from min (black) to max (white). */
uint8_t *picture_to_grey(const struct picture *p, float min, float max);
/* Dims what did not change: a pixel of rgb stays when a and b differ there, others become dark
 * grey. */
void picture_dim(uint8_t *rgb, const struct picture *a, const struct picture *b);

/* Averages n x n pixels to one, in place (the last row and column: what is there). n: from 1. */
void picture_shrink(uint8_t *rgb, uint32_t *width, uint32_t *height, uint32_t n);

/* --- Files --- */

/* An RGB PNG. False with a message that names the file. */
bool picture_write_png(const char *path, enum sim_file_kind kind, const uint8_t *rgb,
                       uint32_t width, uint32_t height, char *error, size_t error_size);
/* NumPy's .npy, version 1.0, of little-endian elements: type "<f4", "<u4", "|u1"; components 1: of
 * the shape (height, width), else (height, width, components). */
bool picture_write_npy(const char *path, enum sim_file_kind kind, const char *type,
                       const void *data, uint32_t width, uint32_t height, uint32_t components,
                       char *error, size_t error_size);

#endif
