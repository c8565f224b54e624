/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lossless compression of blocks of 256 bytes, 64 words of 32 bits: the algorithms of the original,
 * chosen by the CompressionAlgorithm keys. Sizes are 64, 128 or 192 bytes; which of its levels a
 * block has is part of its block state, so the compressed form needs no header for it. Not here:
 * when blocks are compressed (box/rop/rop_transfer.c).
 *
 * The machine's memory holds plain bytes always, and only the transfers are charged at the size
 * that emul_compress_level finds. That size is exact without storing the compressed form because
 * emul_compress writes one of that size, from which emul_decompress makes the block again; a test
 * holds it.
 */
#ifndef EMUL_COMPRESS_H
#define EMUL_COMPRESS_H

#include <stdint.h>

#define EMUL_COMPRESS_BYTES 256u
#define EMUL_COMPRESS_LEVELS 5

enum emul_compressor {
   /* Every word is near the smallest or the largest: its upper part is one of four values. */
   EMUL_COMPRESS_HILO_3,         /* sizes 64, 128, 192: depth */
   EMUL_COMPRESS_HILO_2,         /* sizes 64, 128: colour, 1:4 and 1:2 as in the papers */
   EMUL_COMPRESS_HILO_REORDERED, /* the upper bits of the four bytes first, sizes 64, 128, 192 */
   /* Neighbouring words have one or two values: made for samples of a pixel that are equal. */
   EMUL_COMPRESS_MSAA,
   EMUL_NUM_COMPRESSORS
};

/* The level that fits, 0 the best; EMUL_COMPRESS_LEVELS: the block stays plain. */
unsigned emul_compress_level(enum emul_compressor c, const uint8_t block[EMUL_COMPRESS_BYTES]);
/* Bytes of a block of a level: 64, 128, 192; 256 for EMUL_COMPRESS_LEVELS. */
unsigned emul_compress_size(enum emul_compressor c, unsigned level);
/* The compressed form of a level that fits, emul_compress_size bytes. */
void emul_compress(enum emul_compressor c, unsigned level, const uint8_t block[EMUL_COMPRESS_BYTES],
                   uint8_t *out);
void emul_decompress(enum emul_compressor c, unsigned level, const uint8_t *in,
                     uint8_t block[EMUL_COMPRESS_BYTES]);

#endif
