/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Mesa's texture compressors give the same bytes for the same image, whatever is on the stack: a
 * block at the edge has unset texels outside the image. Calls the functions behind glTexImage2D
 * directly, to control what is on the stack. Not here: what OpenGL makes of the bytes (piglit). */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "util/macros.h"
#include "util/format/texcompress_s3tc_tmp.h" /* static functions */

/* As Mesa declares them, in a header that needs its own build flags. */
void util_format_unsigned_encode_rgtc_ubyte(uint8_t *block, uint8_t texels[4][4], int width,
                                            int height);
void util_format_signed_encode_rgtc_ubyte(int8_t *block, int8_t texels[4][4], int width,
                                          int height);

enum { WIDTH = 3, HEIGHT = 2, BYTES = 16 }; /* a block of which most is outside */

static uint8_t texels[HEIGHT][WIDTH][4];
static uint8_t channel[4][4];

static __attribute__((noinline)) void
dxt3(uint8_t *block)
{
   tx_compress_dxtn(4, WIDTH, HEIGHT, texels[0][0], GL_COMPRESSED_RGBA_S3TC_DXT3_EXT, block, 0);
}

static __attribute__((noinline)) void
dxt5(uint8_t *block)
{
   tx_compress_dxtn(4, WIDTH, HEIGHT, texels[0][0], GL_COMPRESSED_RGBA_S3TC_DXT5_EXT, block, 0);
}

static void
rgtc(uint8_t *block)
{
   util_format_unsigned_encode_rgtc_ubyte(block, channel, WIDTH, HEIGHT);
}

static void
rgtc_signed(uint8_t *block)
{
   util_format_signed_encode_rgtc_ubyte((int8_t *)block, (int8_t(*)[4])channel, WIDTH, HEIGHT);
}

/* Fills the stack below the caller's frame, where the function that is called next has its own. */
static __attribute__((noinline)) void
fill_stack(uint8_t value)
{
   volatile uint8_t stack[16 * 1024];
   for (size_t i = 0; i < sizeof(stack); i++)
      stack[i] = value;
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*compress)(uint8_t *block);
   } formats[] = {{"dxt3", dxt3}, {"dxt5", dxt5}, {"rgtc", rgtc}, {"rgtc_signed", rgtc_signed}};
   static const uint8_t fills[] = {0, 0xff, 0x5a};
   static uint8_t blocks[3][BYTES];
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++) {
         for (unsigned c = 0; c < 4; c++)
            texels[y][x][c] = (uint8_t)(40 * y + 23 * x + 31 * c);
         channel[y][x] = (uint8_t)(40 * y + 23 * x);
      }
   }
   for (size_t f = 0; argc == 2 && f < sizeof(formats) / sizeof(formats[0]); f++) {
      if (strcmp(argv[1], formats[f].name))
         continue;
      for (int i = 0; i < 3; i++) {
         fill_stack(fills[i]);
         formats[f].compress(blocks[i]);
         if (memcmp(blocks[i], blocks[0], BYTES)) {
            fprintf(stderr, "%s: what is on the stack gets into the block\n", argv[1]);
            return 1;
         }
      }
      return 0;
   }
   fprintf(stderr, "usage: texcompress dxt3|dxt5|rgtc|rgtc_signed\n");
   return 2;
}
