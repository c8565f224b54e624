/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pictures of surfaces in GPU memory for people: colours, depth, stencil, textures; files (PNG,
 * NumPy). Only reads memory; knows no commands or modes. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/sim_file.h"
#include "hw/attila_regs.h"

/* The part of a surface's elements. */
enum picture_plane { PICTURE_COLOR, PICTURE_DEPTH, PICTURE_STENCIL };

/* A slice in memory: a level of a layer. */
struct picture_surface {
   enum attila_format format;
   uint32_t address; /* of the slice, bytes */
   uint32_t pitch_tiles, samples;
   uint32_t width, height; /* texels */
   bool bottom_up;         /* the first row in memory is the picture's lowest */
   bool swizzled;          /* swizzle is valid, else x, y, z, w */
   uint8_t swizzle[4];     /* enum attila_swizzle */
};

/* Pixels' values, top row first: 4 floats each (red, green, blue, alpha; depth and stencil use the
 * first). Averages of samples; of depth and stencil sample 0. sRGB is linear, integers are
 * numbers. */
struct picture {
   uint32_t width, height;
   float white;       /* the value shown as white: 1; of integers the largest, or 1 */
   float (*pixel)[4]; /* malloc'ed */
};

/* Returns whether the surface has the plane and lies in memory. */
bool picture_has_plane(const struct picture_surface *s, enum picture_plane plane,
                       uint32_t memory_size);
/* False: out of host memory. The surface must have the plane. */
bool picture_take(struct picture *p, const struct picture_surface *s, enum picture_plane plane,
                  const uint8_t *memory);
void picture_free(struct picture *p);
/* Converts a program's output for a pixel to a picture's values. */
void picture_output(const struct picture_surface *s, float rgba[4]);
/* Returns the pixels whose bits differ; both have the same size. */
uint64_t picture_changed(const struct picture *a, const struct picture *b);
/* Finds the smallest and largest first value. */
void picture_range(const struct picture *p, float *min, float *max);
/* Make 8-bit RGB: 3 * width * height bytes, malloc'ed; NULL: out of host memory. */
/* Colours, clamped to 0..white; srgb: encode. alpha: show it if all else is black (a texture of
 * alpha only). */
uint8_t *picture_to_rgb(const struct picture *p, bool srgb, bool alpha);
/* First values from min (black) to max (white). */
uint8_t *picture_to_grey(const struct picture *p, float min, float max);
/* Dims unchanged pixels: rgb stays where a and b differ, else becomes dark grey. */
void picture_dim(uint8_t *rgb, const struct picture *a, const struct picture *b);

/* Averages n x n pixels to one, in place (fewer at the right and bottom). n: from 1. */
void picture_shrink(uint8_t *rgb, uint32_t *width, uint32_t *height, uint32_t n);

/* --- Files --- */

/* Writes an RGB PNG. False with a message with the file's name. */
bool picture_write_png(const char *path, enum sim_file_kind kind, const uint8_t *rgb,
                       uint32_t width, uint32_t height, char *error, size_t error_size);
/* Writes NumPy's .npy, version 1.0, of little-endian elements: type "<f4", "<u4", "|u1"; shape
 * (height, width) for 1 component, else (height, width, components). */
bool picture_write_npy(const char *path, enum sim_file_kind kind, const char *type,
                       const void *data, uint32_t width, uint32_t height, uint32_t components,
                       char *error, size_t error_size);

#endif
