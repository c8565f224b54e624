/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of the command processor, of vertices and of triangles. What each should cost:
 * cases.txt.
 */
#include "microbench.h"

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

/* The same with another blend factor for each, so that nobody can join them. */
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

const struct bench_case geometry_cases[] = {
    {.name = "vertices", .draw = vertices},
    {.name = "vertices_lit", .draw = vertices_lit},
    {.name = "small_triangles", .draw = small_triangles},
    {.name = "many_draws", .draw = many_draws},
    {.name = "state_changes", .draw = state_changes},
    {.name = "arrays", .draw = arrays},
    {.name = "arrays_scattered", .draw = arrays_scattered},
    {0},
};
