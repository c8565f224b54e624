/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Pictures of surfaces in GPU memory: colours, depth, stencil, textures; and their files (PNG,
 * NumPy). This only reads memory, and knows no commands or modes. */
#ifndef PICTURE_H
#define PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include "core/sim_file.h"
#include "hw/attila_regs.h"

/* The part of each element that a picture shows. */
enum picture_plane { PICTURE_COLOR, PICTURE_DEPTH, PICTURE_STENCIL };

/* A slice of a texture in memory: a level of a layer. */
struct picture_surface {
   enum attila_format format;
   uint32_t address; /* of the slice, bytes */
   uint32_t pitch_tiles, samples;
   uint32_t width, height; /* texels */
   bool bottom_up;         /* the first row in memory is the picture's lowest */
   bool swizzled;          /* swizzle is valid, else x, y, z, w */
   uint8_t swizzle[4];     /* enum attila_swizzle */
};

/* The values of pixels, top row first: 4 floats each (red, green, blue, alpha; depth and stencil
 * use the first). They are averages of samples, but for depth and stencil those of sample 0. sRGB
 * becomes linear; integers keep their values. */
struct picture {
   uint32_t width, height;
   float white;       /* the value shown as white: 1; for integers the largest value, at least 1 */
   float (*pixel)[4]; /* malloc'ed */
};

/* Returns whether the surface has the plane and lies in memory. */
bool picture_has_plane(const struct picture_surface *s, enum picture_plane plane,
                       uint32_t memory_size);
/* Reads a picture from memory. The surface must have the plane. Returns false if host memory is
 * exhausted. */
bool picture_take(struct picture *p, const struct picture_surface *s, enum picture_plane plane,
                  const uint8_t *memory);
void picture_free(struct picture *p);
/* Converts the output of a program for a pixel to the values of a picture. */
void picture_output(const struct picture_surface *s, float rgba[4]);
/* Returns how many pixels differ in any bit; both pictures have the same size. */
uint64_t picture_changed(const struct picture *a, const struct picture *b);
/* Finds the smallest and the largest of the first values of pixels. */
void picture_range(const struct picture *p, float *min, float *max);
/* Make 8-bit RGB: 3 * width * height bytes, malloc'ed. Return NULL if host memory is exhausted. */
/* Shows colours, clamped to 0..white. srgb: encodes them as sRGB. alpha: shows alpha if all else is
 * black (in a texture of alpha only). */
uint8_t *picture_to_rgb(const struct picture *p, bool srgb, bool alpha);
/* Shows the first values as grey, from min (black) to max (white). */
uint8_t *picture_to_grey(const struct picture *p, float min, float max);
/* Makes a pixel dark grey: a quarter of its brightness (Rec. 601), so that others stand out. */
static inline void
picture_dim_pixel(uint8_t rgb[3])
{
   memset(rgb, (int)((299u * rgb[0] + 587u * rgb[1] + 114u * rgb[2]) / 4000u), 3);
}
/* Dims unchanged pixels: rgb becomes dark grey where a and b are equal. */
void picture_dim(uint8_t *rgb, const struct picture *a, const struct picture *b);

/* Averages n x n pixels to one, in place (fewer at the right and bottom). n: from 1. */
void picture_shrink(uint8_t *rgb, uint32_t *width, uint32_t *height, uint32_t n);

/* --- Files --- */

/* Writes an RGB PNG. Returns false, with a message that has the file's name, on failure. */
bool picture_write_png(const char *path, enum sim_file_kind kind, const uint8_t *rgb,
                       uint32_t width, uint32_t height, char *error, size_t error_size);
/* Writes NumPy's .npy, version 1.0, of little-endian elements: type "<f4", "<u4", "|u1"; shape
 * (height, width) for 1 component, else (height, width, components). */
bool picture_write_npy(const char *path, enum sim_file_kind kind, const char *type,
                       const void *data, uint32_t width, uint32_t height, uint32_t components,
                       char *error, size_t error_size);

#endif
