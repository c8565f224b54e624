/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * OpenGL calls of the microbenchmarks: made, or written as a text trace that the original
 * simulator plays, so that both machines draw the same. Not here: what is drawn (microbench.c,
 * cases_*.c). */
#ifndef BENCH_GL_H
#define BENCH_GL_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>

enum { BENCH_WIDTH = 640, BENCH_HEIGHT = 480 };

/* With a folder all calls that follow go to trace.txt in it; no context is needed. */
void bench_trace_open(const char *folder);
void bench_trace_close(void);
bool bench_tracing(void);

/* The trace's text of a call, with a line's end. */
void bench_text(const char *call);
void bench_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* A call whose arguments are constants. */
#define GL(call)            \
   do {                     \
      if (bench_tracing())  \
         bench_text(#call); \
      else                  \
         call;              \
   } while (0)

/* What has been drawn is a draw of its own, as every glBegin is for the original: Mesa joins those
 * that no change of state separates. So a state that nothing drawn here depends on changes; the
 * trace needs no such call. */
void bench_separate(void);

/* Adds data to the trace and returns its number. */
unsigned bench_buffer(const void *data, size_t size);

/* Numbers have six digits, as in the text. */
void bench_color(double r, double g, double b);
void bench_texcoord(double s, double t);
void bench_vertex(double x, double y, double z);
/* A texture of size x size texels of three bytes, b g r; the first of the trace is object 1. */
void bench_texture(const GLubyte *texels, GLsizei size, bool linear);
/* The same with all levels, which begin with the same texels, a trilinear filter and so many
 * anisotropic samples at most. */
void bench_mipmaps(const GLubyte *texels, GLsizei size, unsigned samples);
/* GL_VERTEX_PROGRAM_ARB or GL_FRAGMENT_PROGRAM_ARB; one for a case. */
void bench_program(GLenum target, const char *text);
void bench_scissor(int x, int y, int width, int height);
/* Colours of four floats for the arrays below, from memory that must stay. */
void bench_colors(const GLfloat *colors, GLsizei count);
/* Positions of three floats, from memory that must stay: quads, or triangles by their indices. */
void bench_quads(const GLfloat *positions, GLsizei count);
void bench_arrays(const GLfloat *positions, GLsizei count, const GLuint *indices, GLsizei elements);

#endif
