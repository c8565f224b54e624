/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Block compressed texture formats: S3TC (DXT1, 3, 5), RGTC, ETC and EAC. */
#ifndef EMUL_FORMAT_BLOCK_H
#define EMUL_FORMAT_BLOCK_H

#include <stdint.h>
#include "hw/attila_format.h"

/* Decodes a block's 16 texels to 8 bits per channel, row by row, red in bits 0..7. RGTC_SNORM
 * channels are two's complement; sRGB is not decoded. Not for EAC, which has 11 bits. */
void emul_format_decode_block(enum attila_format format, const uint8_t *block, uint32_t texels[16]);
/* One texel (y * 4 + x) as floats; sRGB formats give linear values. */
void emul_format_unpack_block_texel(enum attila_format format, const uint8_t *block,
                                    unsigned inside, float rgba[4]);

#endif
