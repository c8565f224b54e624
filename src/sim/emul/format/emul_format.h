/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Conversion between memory elements (hw/attila_format.h) and the shader's float32. Formats of
 * integers are not converted: a float holds the integer's 32 bits. */
#ifndef EMUL_FORMAT_H
#define EMUL_FORMAT_H

#include <stdint.h>
#include "hw/attila_format.h"

/* Converts one texel to (r, g, b, a). inside: texel in a compressed block, y * 4 + x; else 0. sRGB
 * formats give linear values, ZS formats depth in r. */
void emul_format_unpack(enum attila_format format, const void *element, unsigned inside,
                        float rgba[4]);
/* Converts components to numbers: integers (stored as bits) become the nearest float32; others
 * stay. */
void emul_format_to_numbers(enum attila_format format, float rgba[4]);
/* Returns the value that a missing alpha reads as: 1, or the integer 1. */
float emul_format_one(const struct attila_format_desc *format);
/* Converts (r, g, b, a) to an element of a colour format: clamps, and rounds to nearest even;
 * encodes for sRGB formats; clamps integers to the channel's range. */
void emul_format_pack(enum attila_format format, const float rgba[4], void *element);
/* Converts to and from IEEE half; rounds to nearest even, keeps denormals. */
float emul_half_to_float(uint16_t h);
uint16_t emul_float_to_half(float f);
/* sRGB transfer functions by table and polynomial: deterministic, within 0.6 ULP of 8 bits. */
float emul_srgb_to_linear(uint8_t c);
uint8_t emul_linear_to_srgb(float c);

#endif
