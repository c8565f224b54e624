/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of what is behind the shaders: ROPs, hierarchical Z, clears, compression,
 * multisampling, memory. What each should cost: cases.txt. */
#include "microbench.h"

static void
screens(int n)
{
   for (int i = 0; i < n; i++)
      bench_slope(bench_screen, 0, 0);
}

static void
fill(void)
{
   bench_start();
   screens(8);
}

static void
blend(void)
{
   bench_start();
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA));
   GL(glColor4f(1, 0.5, 0.25, 0.5));
   screens(8);
}

/* --- Depth and stencil --- */

static void
depth_pass(void)
{
   bench_start_depth();
   for (int i = 0; i < 8; i++)
      bench_slope(bench_screen, .1 * i - .5, .1 * i - .5);
}

static void
depth_hidden(void)
{
   bench_start_depth();
   for (int i = 0; i < 8; i++)
      bench_slope(bench_screen, .5 - .1 * i, .5 - .1 * i);
}

/* The same two with the other direction: after a first screen, greater depths pass. The original
 * clears the depth buffer to 1 whatever glClearDepth says. */
static void
start_greater(double first)
{
   bench_start_depth();
   bench_slope(bench_screen, first, first);
   GL(glDepthFunc(GL_GREATER));
}

static void
greater_pass(void)
{
   start_greater(.9);
   for (int i = 1; i < 8; i++)
      bench_slope(bench_screen, .6 - .1 * i, .6 - .1 * i);
}

static void
greater_hidden(void)
{
   start_greater(-.6);
   for (int i = 1; i < 8; i++)
      bench_slope(bench_screen, .1 * i - .5, .1 * i - .5);
}

static void
stencil(void)
{
   bench_start();
   GL(glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT));
   GL(glEnable(GL_STENCIL_TEST));
   GL(glStencilFunc(GL_ALWAYS, 0, 255));
   GL(glStencilOp(GL_KEEP, GL_KEEP, GL_INCR));
   screens(8);
}

/* The depth buffer without a picture. */
static void
depth_only(void)
{
   bench_start_depth();
   GL(glColorMask(0, 0, 0, 0));
   for (int i = 0; i < 8; i++)
      bench_slope(bench_screen, .1 * i - .5, .1 * i - .5);
}

/* What leaves farther depths behind makes hierarchical Z useless until the next clear: three hidden
 * screens are tested pixel by pixel. */
static void
depth_always(void)
{
   bench_start_depth();
   GL(glDepthFunc(GL_ALWAYS));
   screens(1);
   GL(glDepthFunc(GL_LESS));
   for (int i = 1; i < 4; i++)
      bench_slope(bench_screen, -.2 * i, -.2 * i);
}

/* An alpha test that everything passes puts the depth test behind the shaders. */
static void
depth_late(void)
{
   bench_start_depth();
   GL(glEnable(GL_ALPHA_TEST));
   GL(glAlphaFunc(GL_GREATER, 0.25));
   for (int i = 0; i < 4; i++)
      bench_slope(bench_screen, .2 * i - .4, .2 * i - .4);
}

/* --- Clears --- */

static void
clear(void)
{
   bench_start();
   GL(glClear(GL_COLOR_BUFFER_BIT));
}

static void
clear_depth(void)
{
   bench_start_depth();
   for (int i = 0; i < 4; i++) {
      screens(1);
      GL(glClear(GL_DEPTH_BUFFER_BIT));
   }
}

static void
clear_color(void)
{
   bench_start();
   for (int i = 0; i < 4; i++) {
      screens(1);
      GL(glClear(GL_COLOR_BUFFER_BIT));
   }
   screens(1);
}

static void
clear_stencil(void)
{
   bench_start_depth();
   GL(glClear(GL_STENCIL_BUFFER_BIT));
   GL(glEnable(GL_STENCIL_TEST));
   GL(glStencilFunc(GL_ALWAYS, 1, 255));
   GL(glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE));
   for (int i = 0; i < 4; i++) {
      bench_slope(bench_screen, .1 * i - .5, .1 * i - .5);
      GL(glClear(GL_STENCIL_BUFFER_BIT));
   }
}

/* What the original's library draws for a clear of the stencil alone. */
static void
draw_stencil_clear(void)
{
   glPushAttrib(GL_ALL_ATTRIB_BITS);
   glColorMask(0, 0, 0, 0);
   glDisable(GL_DEPTH_TEST);
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_NEVER, 0, 255);
   glStencilOp(GL_REPLACE, GL_KEEP, GL_KEEP);
   bench_slope(bench_screen, 0, 0);
   glPopAttrib();
}

/* The calls of clear_stencil for the original. */
static void
clear_stencil_drawn(void)
{
   if (bench_tracing()) {
      clear_stencil();
      return;
   }
   bench_start_depth();
   draw_stencil_clear();
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_ALWAYS, 1, 255);
   glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
   for (int i = 0; i < 4; i++) {
      bench_slope(bench_screen, .1 * i - .5, .1 * i - .5);
      draw_stencil_clear();
   }
}

/* --- Compression by content --- */

/* Colours go from black to r g b in each column: with 13 steps of 255 in a block of 8x8 in all
 * cases below. */
static void
ramps(int screens, int columns, double r, double g, double b)
{
   GL(glBegin(GL_QUADS));
   for (int i = 0; i < screens * columns; i++) {
      const double x = i % columns, x0 = x / columns, x1 = (x + 1) / columns;
      bench_color(0, 0, 0);
      bench_vertex(x0, 0, 0);
      bench_color(r, g, b);
      bench_vertex(x1, 0, 0);
      bench_vertex(x1, 1, 0);
      bench_color(0, 0, 0);
      bench_vertex(x0, 1, 0);
   }
   GL(glEnd());
}

static void
fill_level1(void)
{
   bench_start();
   ramps(4, 4, 0, 1, 0);
}

static void
fill_plain(void)
{
   bench_start();
   ramps(4, 4, 1, 1, 1);
}

static void
blend_plain(void)
{
   bench_start();
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_ONE, GL_ONE));
   ramps(4, 16, .25, .25, .25);
}

/* Depths that a block of 8x8 spans: 1/80 of the given ones, or 7/8 in columns of 8 pixels. */
static void
depth_level1(void)
{
   bench_start_depth();
   for (int i = 0; i < 4; i++)
      bench_slope(bench_screen, .2 * i - .4, .2 * i - .35);
}

static void
depth_level2(void)
{
   bench_start_depth();
   for (int i = 0; i < 4; i++)
      bench_slope(bench_screen, .2 * i - .9, .2 * i - .4);
}

static void
depth_plain(void)
{
   bench_start_depth();
   GL(glBegin(GL_QUADS));
   for (int i = 0; i < 4 * 80; i++) {
      const double x = i % 80 / 80., z = i / 80 * .05;
      bench_corners((struct bench_rect){x, 0, x + 1 / 80., 1}, z - .9, z + .7);
   }
   GL(glEnd());
}

/* Eight screens that read and write depth and colour, in blocks that do not compress: the pure fill
 * of MICRO 2005, section 6.3. Each row of blocks is a quad as wide as the screen, with a depth that
 * goes up steeply; so it meets all ROPs. */
static void
fill_pins(void)
{
   bench_start_depth();
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_ONE, GL_ONE));
   for (int screen = 0; screen < 8; screen++) {
      GL(glBegin(GL_QUADS));
      for (int i = 0; i < 60; i++) {
         const double y = i / 60., z = screen * .025;
         bench_vertex(0, y, z - .9);
         bench_vertex(1, y, z - .9);
         bench_vertex(1, y + 1 / 60., z + .7);
         bench_vertex(0, y + 1 / 60., z + .7);
      }
      GL(glEnd());
   }
}

/* --- Order of memory accesses --- */

/* 4800 squares of 8x8 pixels, each a block, blended in an order without neighbours: every one reads
 * a block and writes one back. block: their numbers, row by row. */
static void
blend_blocks(const unsigned block[4800])
{
   static GLfloat corners[4800][4][3];
   for (unsigned i = 0; i < 4800; i++) {
      for (unsigned k = 0; k < 4; k++) {
         corners[i][k][0] = (GLfloat)(block[i] % 80 + (k == 1 || k == 2)) / 80;
         corners[i][k][1] = (GLfloat)(block[i] / 80 + (k >= 2)) / 60;
      }
   }
   bench_start();
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_ONE, GL_ONE));
   GL(glColor3f(0.25, 0.25, 0.25));
   screens(1);
   bench_quads(corners[0][0], 4800 * 4);
}

static void
blend_scattered(void)
{
   unsigned block[4800];
   for (unsigned i = 0; i < 4800; i++)
      block[i] = i * 1237 % 4800;
   blend_blocks(block);
}

/* A hundred blended rectangles of all sizes, at places that follow no order. */
static void
blend_rects(void)
{
   unsigned x = 1;
   double r[4];
   bench_start();
   GL(glEnable(GL_BLEND));
   GL(glBlendFunc(GL_ONE, GL_ONE));
   GL(glBegin(GL_QUADS));
   for (unsigned i = 0; i < 100; i++) {
      for (unsigned k = 0; k < 4; k++) {
         x = x * 1103515245 + 12345;
         r[k] = (x >> 16 & 1023) / 1024.;
      }
      bench_color(r[2] / 8, r[3] / 8, r[0] / 8);
      bench_corners((struct bench_rect){r[0] * .8, r[1] * .8, r[0] * .8 + .2 * r[2] * r[2] + .01,
                                        r[1] * .8 + .2 * r[3] * r[3] + .01},
                    0, 0);
   }
   GL(glEnd());
}

/* 64x64 pixels are 64 blocks of 256 bytes, one in each of 8 banks of 8 channels: the blocks at one
 * place of all such squares are in one bank, each in another row. */
static void
blend_banks(void)
{
   unsigned block[4800], n = 0;
   for (unsigned place = 0; place < 64; place++) {
      for (unsigned y = place / 8; y < 60; y += 8) {
         for (unsigned x = place % 8; x < 80; x += 8)
            block[n++] = y * 80 + x;
      }
   }
   blend_blocks(block);
}

/* --- Multisampling --- */

static void
msaa_fill(void)
{
   bench_start();
   screens(4);
}

static void
msaa_depth(void)
{
   bench_start_depth();
   for (int i = 0; i < 4; i++)
      bench_slope(bench_screen, .2 * i - .4, .2 * i - .4);
}

/* --- Other surfaces --- */

static GLuint
framebuffer(void)
{
   GLuint names[2], object;
   glGenRenderbuffers(2, names);
   glGenFramebuffers(1, &object);
   glBindFramebuffer(GL_FRAMEBUFFER, object);
   for (int i = 0; i < 2; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, names[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, i ? GL_DEPTH24_STENCIL8 : GL_RGBA8, BENCH_WIDTH,
                            BENCH_HEIGHT);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER,
                                i ? GL_DEPTH_STENCIL_ATTACHMENT : GL_COLOR_ATTACHMENT0,
                                GL_RENDERBUFFER, names[i]);
   }
   return object;
}

/* A quarter of each of three surfaces in turn, eight rounds: states of blocks come and go. */
static void
target_switches(void)
{
   const GLuint targets[] = {0, framebuffer(), framebuffer()};
   for (int t = 0; t < 3; t++) {
      glBindFramebuffer(GL_FRAMEBUFFER, targets[t]);
      bench_start_depth();
   }
   for (int round = 0; round < 8; round++) {
      const double x = round % 4 / 4., z = round < 4 ? 0 : .5;
      for (int t = 0; t < 3; t++) {
         glBindFramebuffer(GL_FRAMEBUFFER, targets[t]);
         bench_slope((struct bench_rect){x, 0, x + .25, 1}, z, z);
      }
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

const struct bench_case pixel_cases[] = {
    {.name = "fill", .draw = fill},
    {.name = "blend", .draw = blend},
    {.name = "depth_pass", .draw = depth_pass},
    {.name = "depth_hidden", .draw = depth_hidden},
    {.name = "clear", .draw = clear},
    {.name = "clear_depth", .draw = clear_depth},
    {.name = "depth_only", .draw = depth_only},
    {.name = "depth_always", .draw = depth_always},
    {.name = "depth_late", .draw = depth_late},
    {.name = "greater_pass", .draw = greater_pass},
    {.name = "greater_hidden", .draw = greater_hidden},
    {.name = "stencil", .draw = stencil},
    {.name = "clear_color", .draw = clear_color},
    {.name = "clear_stencil", .draw = clear_stencil},
    {.name = "clear_stencil_drawn", .draw = clear_stencil_drawn},
    {.name = "fill_level1", .draw = fill_level1},
    {.name = "fill_plain", .draw = fill_plain},
    {.name = "blend_plain", .draw = blend_plain},
    {.name = "depth_level1", .draw = depth_level1},
    {.name = "depth_level2", .draw = depth_level2},
    {.name = "depth_plain", .draw = depth_plain},
    {.name = "fill_pins", .draw = fill_pins, .ours_only = true},
    {.name = "blend_scattered", .draw = blend_scattered},
    {.name = "blend_banks", .draw = blend_banks},
    {.name = "blend_rects", .draw = blend_rects},
    {.name = "msaa2_fill", .draw = msaa_fill, .samples = 2},
    {.name = "msaa4_fill", .draw = msaa_fill, .samples = 4},
    {.name = "msaa8_fill", .draw = msaa_fill, .samples = 8},
    {.name = "msaa4_depth", .draw = msaa_depth, .samples = 4},
    {.name = "target_switches", .draw = target_switches, .ours_only = true},
    {0},
};
