/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks that keep several units busy at once, as frames of games do: triangles of all
 * sizes, shadow volumes, small windows. What each should cost: cases.txt. */
#include "microbench.h"
#include <math.h>
#include <string.h>

enum { TRIANGLES = 1500, RINGS = 12, SECTORS = 16 };

/* 0 to 1 in 1024 steps, always the same ones. */
static unsigned seed;

static double
random_part(void)
{
   seed = seed * 1103515245 + 12345;
   return (seed >> 16 & 1023) / 1024.;
}

/* Triangles of all directions, places, depths and colours; sizes of each order of magnitude are as
 * many. */
static void
triangles(unsigned count, double smallest, double largest)
{
   static GLfloat positions[TRIANGLES][3][3], colors[TRIANGLES][3][4];
   static GLuint indices[TRIANGLES][3];
   for (unsigned i = 0; i < count; i++) {
      const double size = smallest * pow(largest / smallest, random_part()), x = random_part(),
                   y = random_part(), z = random_part() * 1.6 - .8, turn = random_part() * 6.28;
      for (unsigned k = 0; k < 3; k++) {
         positions[i][k][0] = (GLfloat)(x + .75 * size * cos(turn + 2.1 * k));
         positions[i][k][1] = (GLfloat)(y + size * sin(turn + 2.1 * k));
         positions[i][k][2] = (GLfloat)(z + .1 * k);
         for (unsigned c = 0; c < 3; c++)
            colors[i][k][c] = (GLfloat)random_part();
         colors[i][k][3] = .5f;
         indices[i][k] = 3 * i + k;
      }
   }
   bench_colors(colors[0][0], (GLsizei)count * 3);
   bench_arrays(positions[0][0], (GLsizei)count * 3, indices[0], (GLsizei)count * 3);
}

static void
mixed_sizes(void)
{
   seed = 7;
   bench_start_depth();
   triangles(TRIANGLES, .002, .4);
}

/* Depth is tested and not written. */
static void
mixed_blend(void)
{
   seed = 8;
   bench_start_depth();
   GL(glDepthMask(0));
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
   triangles(400, .01, .3);
}

static void
mixed_samples(void)
{
   seed = 11;
   bench_start_depth();
   triangles(300, .01, .4);
}

/* Few of whose pixels are covered wholly: lines are left with little done. */
static void
small_samples(void)
{
   seed = 12;
   bench_start_depth();
   triangles(1000, .005, .06);
}

static void
blended_samples(void)
{
   seed = 13;
   bench_start();
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
   triangles(60, .05, .5);
}

/* Sixty screens at any depth, of each of which a small window is left. */
static void
mixed_scissor(void)
{
   seed = 6;
   bench_start_depth();
   GL(glEnable(GL_SCISSOR_TEST));
   for (unsigned i = 0; i < 60; i++) {
      const double x = random_part(), y = random_part(), z = random_part() * 1.6 - .8;
      bench_scissor((int)(x * 440), (int)(y * 320), 20 + (int)(random_part() * 180),
                    20 + (int)(random_part() * 140));
      bench_color(x, y, z * .5 + .5);
      bench_slope(bench_screen, z, z);
   }
}

/* --- Shadow volumes --- */

static void
sphere(double x, double y, double z, double radius)
{
   static GLfloat positions[RINGS + 1][SECTORS + 1][3];
   static GLuint indices[RINGS][SECTORS][6];
   for (unsigned r = 0; r <= RINGS; r++) {
      for (unsigned s = 0; s <= SECTORS; s++) {
         const double a = 3.14159 * r / RINGS, b = 6.28319 * s / SECTORS;
         positions[r][s][0] = (GLfloat)(x + radius * .75 * sin(a) * cos(b));
         positions[r][s][1] = (GLfloat)(y + radius * cos(a));
         positions[r][s][2] = (GLfloat)(z + radius * sin(a) * sin(b));
      }
   }
   for (unsigned r = 0; r < RINGS; r++) {
      for (unsigned s = 0; s < SECTORS; s++) {
         const GLuint first = r * (SECTORS + 1) + s, below = first + SECTORS + 1,
                      two[6] = {first, below, first + 1, first + 1, below, below + 1};
         memcpy(indices[r][s], two, sizeof(two));
      }
   }
   bench_arrays(positions[0][0], (RINGS + 1) * (SECTORS + 1), indices[0][0], RINGS * SECTORS * 6);
}

static void
volumes(void)
{
   sphere(.4, .4, .1, .25);
   sphere(.6, .55, .2, .3);
   sphere(.3, .7, 0, .2);
}

/* A wall and a ball; volumes that only count in the stencil buffer, first their fronts, then their
 * backs; and a screen that would darken what is in them. Nothing is: its quads all fail. */
static void
mixed_shadows(void)
{
   bench_start_depth();
   GL(glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT));
   GL(glColor3f(0.5, 0.6, 0.4));
   bench_slope(bench_screen, -.2, -.2);
   sphere(.5, .5, .3, .3);
   GL(glColorMask(0, 0, 0, 0));
   GL(glDepthMask(0));
   GL(glEnable(GL_STENCIL_TEST));
   GL(glStencilFunc(GL_ALWAYS, 0, 255));
   GL(glEnable(GL_CULL_FACE));
   GL(glCullFace(GL_BACK));
   GL(glStencilOp(GL_KEEP, GL_KEEP, GL_INCR));
   volumes();
   GL(glCullFace(GL_FRONT));
   GL(glStencilOp(GL_KEEP, GL_KEEP, GL_DECR));
   volumes();
   GL(glDisable(GL_CULL_FACE));
   GL(glColorMask(1, 1, 1, 1));
   GL(glStencilFunc(GL_NOTEQUAL, 0, 255));
   GL(glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP));
   GL(glDisable(GL_DEPTH_TEST));
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
   GL(glColor4f(0, 0, 0, 0.5));
   bench_slope(bench_screen, 0, 0);
}

const struct bench_case mixed_cases[] = {
    {.name = "mixed_sizes", .draw = mixed_sizes},
    {.name = "mixed_blend", .draw = mixed_blend},
    {.name = "mixed_scissor", .draw = mixed_scissor},
    {.name = "mixed_shadows", .draw = mixed_shadows},
    {.name = "msaa2_mixed", .draw = mixed_samples, .samples = 2},
    {.name = "msaa4_small", .draw = small_samples, .samples = 4},
    {.name = "msaa8_blend", .draw = blended_samples, .samples = 8},
    {0},
};
