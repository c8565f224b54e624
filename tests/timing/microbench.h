/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the microbenchmarks' cases share. microbench.c has the program, cases_*.c what is drawn. */
#ifndef MICROBENCH_H
#define MICROBENCH_H

#include "bench_gl.h"

struct bench_case {
   const char *name;
   void (*draw)(void);
   unsigned samples; /* of a pixel, when there are several */
   bool ours_only;   /* the original has no such calls */
};

/* Each list ends with a case without a name. */
extern const struct bench_case geometry_cases[], pixel_cases[], texture_cases[], mixed_cases[],
    constants_cases[], integer_cases[], stages_cases[], fetch_cases[], storage_cases[];

/* Viewport, matrices that make the screen 0 to 1, and a clear of what buffers says. */
void bench_start(void);
void bench_start_depth(void);

struct bench_rect {
   double x0, y0, x1, y1;
};
extern const struct bench_rect bench_screen;

/* A quad whose depth goes from z0 at its left side to z1 at its right side; its corners alone, for
 * several between one glBegin and glEnd. */
void bench_corners(struct bench_rect where, double z0, double z1);
void bench_slope(struct bench_rect where, double z0, double z1);
/* One with texture coordinates from 0 to s (and t). */
void bench_textured(double s, double t);

#endif
