/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Lossless compression of blocks of 256 bytes (64 words) by the original's algorithms, chosen by
 * the CompressionAlgorithm keys, to 64, 128 or 192 bytes; the block state has the level, so there
 * is no header. Memory always holds plain bytes; a transfer is only charged the size of its
 * emul_compress_level, which is exact: emul_compress writes that many bytes and emul_decompress
 * restores the block (tested). Not here: when blocks are compressed (box/rop/rop_transfer.c). */
#ifndef EMUL_COMPRESS_H
#define EMUL_COMPRESS_H

#include <stdint.h>

#define EMUL_COMPRESS_BYTES 256u
#define EMUL_COMPRESS_LEVELS 5

enum emul_compressor {
   /* Every word's upper part is one of four values, near that of the smallest or the largest
    * word. */
   EMUL_COMPRESS_HILO_3,         /* sizes 64, 128, 192: depth */
   EMUL_COMPRESS_HILO_2,         /* sizes 64, 128: colour, 1:4 and 1:2 as in the papers */
   EMUL_COMPRESS_HILO_REORDERED, /* upper bits of the four bytes come first; 64, 128, 192 */
   /* Neighbouring words have one or two values: for equal samples of a pixel. */
   EMUL_COMPRESS_MSAA,
   EMUL_NUM_COMPRESSORS
};

/* Returns the level that fits, 0 the best; EMUL_COMPRESS_LEVELS: stays plain. */
unsigned emul_compress_level(enum emul_compressor c, const uint8_t block[EMUL_COMPRESS_BYTES]);
/* Returns the bytes of a level: 64, 128, 192; 256 for EMUL_COMPRESS_LEVELS. */
unsigned emul_compress_size(enum emul_compressor c, unsigned level);
/* Writes a fitting level's compressed form, emul_compress_size bytes. */
void emul_compress(enum emul_compressor c, unsigned level, const uint8_t block[EMUL_COMPRESS_BYTES],
                   uint8_t *out);
void emul_decompress(enum emul_compressor c, unsigned level, const uint8_t *in,
                     uint8_t block[EMUL_COMPRESS_BYTES]);

#endif
