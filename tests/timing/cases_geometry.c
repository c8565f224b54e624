/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of the command processor, of vertices and of triangles. What each should cost:
 * cases.txt. */
#include "microbench.h"
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { GRID = 100 }; /* vertices along a side of what vertex arrays draw */

static void
strips(int rows, int columns, bool normals)
{
   for (int r = 0; r < rows; r++) {
      GL(glBegin(GL_TRIANGLE_STRIP));
      for (int c = 0; c < columns; c++) {
         if (normals)
            GL(glNormal3f(0, 0, 1));
         else
            bench_color(c / (double)columns, .3, .1);
         bench_vertex(c / (double)columns, (r + c % 2) / (double)rows, 0);
      }
      GL(glEnd());
   }
}

static void
vertices(void)
{
   bench_start();
   strips(40, 130, false);
}

static void
vertices_lit(void)
{
   bench_start();
   GL(glEnable(GL_LIGHTING));
   GL(glEnable(GL_LIGHT0));
   GL(glEnable(GL_LIGHT1));
   strips(40, 130, true);
}

static void
small_triangles(void)
{
   bench_start();
   strips(160, 200, false);
}

static void
cell(int i)
{
   const double x = i % 20 / 20., y = i / 20 / 20.;
   bench_slope((struct bench_rect){x, y, x + .04, y + .04}, 0, 0);
}

static void
many_draws(void)
{
   bench_start();
   for (int i = 0; i < 400; i++)
      cell(i);
}

/* A square as the original's library draws it: positions and current colour, or normal, of its
 * vertices become arrays, and each array has a page of its own. */
static void
apart_cell(int i, bool normals)
{
   enum { PAGE = 4096 };
   const float x = (float)(i % 20) / 20, y = (float)(i / 20) / 20;
   const float data[2][4][4] = {
       {{x, y, 0, 1}, {x + .04f, y, 0, 1}, {x + .04f, y + .04f, 0, 1}, {x, y + .04f, 0, 1}},
       {{1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}, {1, 1, 1, 1}},
   };
   GLuint buffers[2];
   glGenBuffers(2, buffers);
   for (int k = 0; k < 2; k++) {
      glBindBuffer(GL_ARRAY_BUFFER, buffers[k]);
      glBufferData(GL_ARRAY_BUFFER, PAGE, NULL, GL_STATIC_DRAW);
      glBufferSubData(GL_ARRAY_BUFFER, 0, sizeof(data[k]), data[k]);
      if (k && normals)
         glNormalPointer(GL_FLOAT, 16, NULL);
      else if (k)
         glColorPointer(4, GL_FLOAT, 0, NULL);
      else
         glVertexPointer(4, GL_FLOAT, 0, NULL);
   }
   glDrawArrays(GL_QUADS, 0, 4);
}

/* The calls of many_draws for the original. */
static void
draws_apart(void)
{
   bench_start();
   if (!bench_tracing()) {
      glEnableClientState(GL_VERTEX_ARRAY);
      glEnableClientState(GL_COLOR_ARRAY);
   }
   for (int i = 0; i < 400; i++) {
      if (bench_tracing())
         cell(i);
      else
         apart_cell(i, false);
   }
}

/* The same with a different blend factor each, so that draws cannot be joined. */
static void
state_changes(void)
{
   bench_start();
   GL(glEnable(GL_BLEND));
   for (int i = 0; i < 400; i++) {
      if (i % 2)
         GL(glBlendFunc(GL_ONE, GL_ZERO));
      else
         GL(glBlendFunc(GL_ONE, GL_ONE));
      cell(i);
   }
}

/* --- Vertices from arrays: neighbours in memory, or far from each other --- */

static void
grid(unsigned stride)
{
   static GLfloat positions[GRID * GRID][3];
   static GLuint indices[(GRID - 1) * (GRID - 1)][3];
   unsigned n = 0;
   /* Vertex v of the grid lies at place v * stride modulo their number, to which stride is prime.*/
   for (unsigned v = 0; v < GRID * GRID; v++) {
      GLfloat *p = positions[v * stride % (GRID * GRID)];
      p[0] = (GLfloat)(v % GRID) / GRID;
      p[1] = (GLfloat)(v / GRID) / GRID;
   }
   for (unsigned y = 0; y < GRID - 1; y++)
      for (unsigned x = 0; x < GRID - 1; x++, n++)
         for (unsigned k = 0; k < 3; k++) {
            const unsigned v = (y + (k == 2)) * GRID + x + (k == 1);
            indices[n][k] = v * stride % (GRID * GRID);
         }
   bench_start();
   bench_arrays(positions[0], GRID * GRID, indices[0], (GLsizei)n * 3);
}

static void
arrays(void)
{
   grid(1);
}

static void
arrays_scattered(void)
{
   grid(9973);
}

/* --- Triangles of one size, by arrays and indices --- */

/* Right triangles in rows, each with three vertices of its own, so many pixels high and wide and so
 * far apart. back: clockwise. */
static void
triangles(unsigned count, double pixels, double apart, bool back)
{
   static GLfloat positions[8192][3][3];
   static GLuint indices[8192][3];
   const unsigned columns = (unsigned)(BENCH_WIDTH / apart);
   for (unsigned i = 0; i < count; i++) {
      const double x = (i % columns + .3) * apart;
      const double y = (i / columns % (unsigned)((BENCH_HEIGHT - pixels) / apart) + .3) * apart;
      for (unsigned k = 0; k < 3; k++) {
         GLfloat *p = positions[i][back ? 2 - k : k];
         p[0] = (GLfloat)((x + (k == 1) * pixels) / BENCH_WIDTH);
         p[1] = (GLfloat)((y + (k == 2) * pixels) / BENCH_HEIGHT);
         indices[i][k] = 3 * i + k;
      }
   }
   bench_arrays(positions[0][0], (GLsizei)count * 3, indices[0], (GLsizei)count * 3);
}

static void
triangles_1(void)
{
   bench_start();
   triangles(6000, 1.5, 6, false);
}

static void
triangles_8(void)
{
   bench_start();
   triangles(4000, 8, 9, false);
}

static void
triangles_32(void)
{
   bench_start();
   triangles(1500, 32, 20, false);
}

static void
triangles_culled(void)
{
   bench_start();
   GL(glEnable(GL_CULL_FACE));
   triangles(6000, 8, 9, true);
}

/* Corners of every triangle far outside. */
static void
triangles_clipped(void)
{
   bench_start();
   GL(glMatrixMode(GL_PROJECTION));
   GL(glTranslatef(-0.5, 0, 0));
   GL(glScalef(2, 1, 1));
   triangles(40, 300, 20, false);
}

/* A third of the vertices again and again, in no order. */
static void
arrays_random(void)
{
   static GLfloat positions[2048][3];
   static GLuint indices[3000][3];
   uint32_t random = 1;
   for (unsigned v = 0; v < 2048; v++) {
      positions[v][0] = (GLfloat)(v % 64) / 64;
      positions[v][1] = (GLfloat)(v / 64) / 32;
   }
   for (unsigned i = 0; i < 3000; i++) {
      random = random * 1664525 + 1013904223;
      const unsigned v = (random >> 16) % 1950;
      for (unsigned k = 0; k < 3; k++)
         indices[i][k] = v + (k == 1) + (k == 2) * 64;
   }
   bench_start();
   bench_arrays(positions[0], 2048, indices[0], 3000 * 3);
}

/* Vertices of much work, small triangles. */
static void
triangles_lit(void)
{
   bench_start();
   GL(glEnable(GL_LIGHTING));
   GL(glEnable(GL_LIGHT0));
   GL(glEnable(GL_LIGHT1));
   GL(glEnable(GL_LIGHT2));
   GL(glEnable(GL_LIGHT3));
   GL(glNormal3f(0, 0, 1));
   triangles(2000, 3, 9, false);
}

/* The same with a program, so that both machines execute the same instructions. A shader that owns
 * the tile of a waiting quad gets the vertices, and the lowest row of a window is the original's
 * first and Mesa's last: one of both draws upside down, so that the tiles are the same. */
static void
triangles_program(void)
{
   char text[2048];
   snprintf(text, sizeof(text),
            "!!ARBvp1.0\n"
            "PARAM s = {2, %s, -1, 1};\nPARAM o = {-1, %s, 0, 0};\n"
            "PARAM c = {0.5, 0.25, 0.125, 1};\nTEMP r0;\n"
            "MAD result.position, vertex.position, s, o;\n"
            "MAD r0, vertex.position, c, c;\n",
            bench_tracing() ? "2" : "-2", bench_tracing() ? "-1" : "1");
   for (int i = 0; i < 37; i++)
      strcat(text, "MAD r0, r0, c, c;\n");
   strcat(text, "MAD result.color, r0, c, c;\nEND\n");
   bench_start();
   bench_program(GL_VERTEX_PROGRAM_ARB, text);
   triangles(2000, 3, 9, false);
}

/* Few triangles in each of many draws, between which the depth test changes. */
static void
depth_changes(void)
{
   bench_start_depth();
   for (int i = 0; i < 200; i++) {
      if (i % 2)
         GL(glDepthFunc(GL_LEQUAL));
      else
         GL(glDepthFunc(GL_ALWAYS));
      cell(i);
   }
}

/* Two vertex programs in turn. */
static void
program_changes(void)
{
   bench_start();
   GL(glEnable(GL_LIGHT0));
   GL(glNormal3f(0, 0, 1));
   for (int i = 0; i < 200; i++) {
      if (i % 2)
         GL(glEnable(GL_LIGHTING));
      else
         GL(glDisable(GL_LIGHTING));
      cell(i);
   }
}

/* The calls of program_changes for the original. */
static void
programs_apart(void)
{
   if (bench_tracing()) {
      program_changes();
      return;
   }
   bench_start();
   glEnable(GL_LIGHT0);
   glEnableClientState(GL_VERTEX_ARRAY);
   for (int i = 0; i < 200; i++) {
      (i % 2 ? glEnable : glDisable)(GL_LIGHTING);
      (i % 2 ? glEnableClientState : glDisableClientState)(GL_NORMAL_ARRAY);
      (i % 2 ? glDisableClientState : glEnableClientState)(GL_COLOR_ARRAY);
      apart_cell(i, i % 2);
   }
}

const struct bench_case geometry_cases[] = {
    {.name = "vertices", .draw = vertices},
    {.name = "vertices_lit", .draw = vertices_lit},
    {.name = "small_triangles", .draw = small_triangles},
    {.name = "many_draws", .draw = many_draws},
    {.name = "draws_apart", .draw = draws_apart},
    {.name = "state_changes", .draw = state_changes},
    {.name = "arrays", .draw = arrays},
    {.name = "arrays_scattered", .draw = arrays_scattered},
    {.name = "triangles_1", .draw = triangles_1},
    {.name = "triangles_8", .draw = triangles_8},
    {.name = "triangles_32", .draw = triangles_32},
    {.name = "triangles_culled", .draw = triangles_culled},
    {.name = "triangles_clipped", .draw = triangles_clipped},
    {.name = "triangles_lit", .draw = triangles_lit},
    {.name = "triangles_program", .draw = triangles_program},
    {.name = "arrays_random", .draw = arrays_random},
    {.name = "depth_changes", .draw = depth_changes},
    {.name = "program_changes", .draw = program_changes},
    {.name = "programs_apart", .draw = programs_apart},
    {0},
};
