/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * ETC1, ETC2 and EAC blocks (OpenGL ES 3.0.6, appendix C; OES_compressed_ETC1_RGB8_texture). ETC
 * decodes to 8 bits per channel, EAC's one and two channels to 11. */
#ifndef EMUL_FORMAT_ETC_H
#define EMUL_FORMAT_ETC_H

#include <stdbool.h>
#include <stdint.h>
#include "hw/attila_format.h"

/* Decodes a block of ATTILA_TYPE_ETC into 16 texels, row by row, red in bits 0..7; sRGB is not
 * decoded. block: 8 bytes, 16 for formats with 8 bits of alpha. */
void emul_format_decode_etc(enum attila_format format, const uint8_t *block, uint32_t texels[16]);
/* Returns the channel of texel y * 4 + x of an 8-byte EAC block: 0..2047, signed -1023..1023. */
int emul_format_decode_eac11(const uint8_t block[8], unsigned texel, bool is_signed);

#endif
