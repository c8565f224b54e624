/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of texture units and of the shaders' arithmetic. What each should cost:
 * cases.txt. */
#include "microbench.h"
#include <stdio.h>
#include <string.h>

enum { LARGEST = 512 };

/* x xor y: no two neighbours are alike. */
static const GLubyte *
pattern(int size)
{
   static GLubyte texels[LARGEST * LARGEST * 3];
   for (int y = 0; y < size; y++)
      for (int x = 0; x < size; x++)
         memset(texels + (y * size + x) * 3, (x ^ y) & 255, 3);
   return texels;
}

/* All texels alike: what is drawn compresses, so that the texture's reads remain. */
static const GLubyte *
flat(int size)
{
   static GLubyte texels[LARGEST * LARGEST * 3];
   memset(texels, 200, (size_t)size * (size_t)size * 3);
   return texels;
}

static void
sampled(int size, bool linear, double scale)
{
   bench_start();
   bench_texture(pattern(size), size, linear);
   bench_color(1, 1, 1);
   for (int i = 0; i < 4; i++)
      bench_textured(scale, scale);
}

static void
texture_nearest(void)
{
   sampled(128, false, 2);
}

static void
texture_bilinear(void)
{
   sampled(128, true, 2);
}

static void
texture_minified(void)
{
   sampled(512, true, 4);
}

static void
texture_magnified(void)
{
   sampled(32, true, .5);
}

/* --- Several bilinear samples per pixel of a texture that every cache holds --- */

static void
texture_trilinear(void)
{
   bench_start();
   bench_mipmaps(flat(32), 32, 1);
   bench_color(1, 1, 1);
   for (int i = 0; i < 4; i++)
      bench_textured(1.5 * 640 / 32, 1.5 * 480 / 32);
}

/* Four times as many texels in a pixel's width as in its height. */
static void
texture_aniso(void)
{
   bench_start();
   bench_mipmaps(flat(32), 32, 8);
   bench_color(1, 1, 1);
   for (int i = 0; i < 4; i++)
      bench_textured(6. * 640 / 32, 1.5 * 480 / 32);
}

/* A floor and a ceiling to the horizon: all ratios of anisotropy up to 16, all levels. */
static void
texture_floor(void)
{
   bench_start_depth();
   GL(glMatrixMode(GL_PROJECTION));
   GL(glLoadIdentity());
   GL(glFrustum(-1, 1, -0.75, 0.75, 1, 60));
   bench_mipmaps(pattern(256), 256, 16);
   bench_color(1, 1, 1);
   GL(glBegin(GL_QUADS));
   for (int y = -1; y <= 1; y += 2) {
      for (int k = 0; k < 4; k++) {
         const bool right = k == 1 || k == 2, far = k >= 2;
         bench_texcoord(right ? 10 : 0, far ? 12 : 0);
         bench_vertex(right ? 20 : -20, y, far ? -50 : -1.2);
      }
   }
   GL(glEnd());
}

/* --- A texture that no cache holds, a texel per pixel --- */

static void
texture_rows(void)
{
   bench_start();
   bench_texture(flat(LARGEST), LARGEST, false);
   bench_color(1, 1, 1);
   for (int i = 0; i < 4; i++)
      bench_textured(640 / 512., 480 / 512.);
}

/* Neighbours in x are a row of the texture apart: blocks of one channel and bank follow each
 * other. */
static void
texture_columns(void)
{
   bench_start();
   bench_texture(flat(LARGEST), LARGEST, false);
   bench_color(1, 1, 1);
   for (int i = 0; i < 4; i++) {
      GL(glBegin(GL_QUADS));
      bench_texcoord(0, 0);
      bench_vertex(0, 0, 0);
      bench_texcoord(0, 640 / 512.);
      bench_vertex(1, 0, 0);
      bench_texcoord(480 / 512., 640 / 512.);
      bench_vertex(1, 1, 0);
      bench_texcoord(480 / 512., 0);
      bench_vertex(0, 1, 0);
      GL(glEnd());
   }
}

/* A part of the texture is new for each of eight draws. */
static void
uploads(void)
{
   bench_start();
   bench_texture(pattern(128), 128, false);
   bench_color(1, 1, 1);
   for (int i = 0; i < 8; i++) {
      glTexSubImage2D(GL_TEXTURE_2D, 0, i % 2 * 64, i / 2 % 2 * 64, 64, 64, GL_BGR,
                      GL_UNSIGNED_BYTE, pattern(64));
      bench_textured(2, 2);
   }
}

/* --- Arithmetic --- */

/* Sixteen MADs, each of which waits for the one before, or for none of the last seven. */
static void
mads(bool dependent)
{
   char text[2048];
   size_t n =
       (size_t)snprintf(text, sizeof(text), "!!ARBfp1.0\nPARAM c = {0.5, 0.25, 0.125, 1.0};\n");
   for (int i = 0; i < 8; i++)
      n += (size_t)snprintf(text + n, sizeof(text) - n, "TEMP r%d;\nMOV r%d, fragment.color;\n", i,
                            i);
   for (int i = 0; i < 16; i++)
      n += (size_t)snprintf(text + n, sizeof(text) - n, "MAD r%d, r%d, c, c;\n",
                            dependent ? 0 : i % 8, dependent ? 0 : i % 8);
   snprintf(text + n, sizeof(text) - n, "MOV result.color, r0;\nEND\n");
   bench_start();
   bench_program(GL_FRAGMENT_PROGRAM_ARB, text);
   for (int i = 0; i < 2; i++)
      bench_slope(bench_screen, 0, 0);
}

static void
alu_dependent(void)
{
   mads(true);
}

static void
alu_independent(void)
{
   mads(false);
}

/* Sixteen MADs of which no compiler can leave out one, nor a MOV beside them. */
static void
alu_chain(void)
{
   char text[1024] = "!!ARBfp1.0\nPARAM c = {0.5, 0.25, 0.125, 1.0};\nTEMP r0;\n"
                     "MAD r0, fragment.color, c, c;\n";
   for (int i = 0; i < 14; i++)
      strcat(text, "MAD r0, r0, c, c;\n");
   strcat(text, "MAD result.color, r0, c, c;\nEND\n");
   bench_start();
   bench_program(GL_FRAGMENT_PROGRAM_ARB, text);
   for (int i = 0; i < 2; i++)
      bench_slope(bench_screen, 0, 0);
}

/* Eight times a scalar and a SIMD instruction that do not need each other, and one that needs both.
 */
static void
alu_pairs(void)
{
   char text[1024] = "!!ARBfp1.0\nPARAM c = {0.5, 0.25, 0.125, 1.0};\nTEMP r0, r1, r2;\n"
                     "MAD r0, fragment.color, c, c;\n";
   for (int i = 0; i < 8; i++)
      strcat(text, "MAX r1.x, r0.y, c.x;\nMAD r2, r0, c, c;\nADD r0, r2, r1.x;\n");
   strcat(text, "MUL result.color, r0, c;\nEND\n");
   bench_start();
   bench_program(GL_FRAGMENT_PROGRAM_ARB, text);
   for (int i = 0; i < 2; i++)
      bench_slope(bench_screen, 0, 0);
}

/* Squares with a texture that just fits into the caches, blended; and nothing else to wait for. */
static void
texture_sprites(void)
{
   unsigned x = 7;
   bench_start();
   bench_texture(pattern(64), 64, true);
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_ONE, GL_ONE));
   bench_color(.1, .1, .1);
   GL(glBegin(GL_QUADS));
   for (unsigned i = 0; i < 150; i++) {
      double r[3];
      for (unsigned k = 0; k < 3; k++) {
         x = x * 1103515245 + 12345;
         r[k] = (x >> 16 & 1023) / 1024.;
      }
      const double size = .03 + .1 * r[2];
      for (unsigned k = 0; k < 4; k++) {
         const double u = k == 1 || k == 2, v = k >= 2;
         bench_texcoord(u, v);
         bench_vertex(r[0] * .85 + u * size * .75, r[1] * .85 + v * size, 0);
      }
   }
   GL(glEnd());
}

const struct bench_case texture_cases[] = {
    {.name = "texture_nearest", .draw = texture_nearest},
    {.name = "texture_bilinear", .draw = texture_bilinear},
    {.name = "texture_minified", .draw = texture_minified},
    {.name = "texture_magnified", .draw = texture_magnified},
    {.name = "texture_trilinear", .draw = texture_trilinear},
    {.name = "texture_aniso", .draw = texture_aniso},
    {.name = "texture_floor", .draw = texture_floor},
    {.name = "texture_rows", .draw = texture_rows},
    {.name = "texture_columns", .draw = texture_columns},
    {.name = "texture_sprites", .draw = texture_sprites},
    {.name = "uploads", .draw = uploads, .ours_only = true},
    {.name = "alu_dependent", .draw = alu_dependent},
    {.name = "alu_independent", .draw = alu_independent},
    {.name = "alu_chain", .draw = alu_chain},
    {.name = "alu_pairs", .draw = alu_pairs},
    {0},
};
