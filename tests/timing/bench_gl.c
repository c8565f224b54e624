/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * OpenGL calls of the microbenchmarks, made or written as a text trace. See bench_gl.h. */
#include "bench_gl.h"
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include "../gl/check.h"

#define CHECK(condition, ...) CHECK_OR(exit(1), condition, __VA_ARGS__)

/* The trace: its text; the data that its calls point to; and which data has which number. */
static struct {
   FILE *text, *regions, *descriptors;
   char folder[1024];
   unsigned buffers;
} trace;

static FILE *
open_file(const char *name)
{
   char path[sizeof(trace.folder) + 32];
   snprintf(path, sizeof(path), "%s/%s", trace.folder, name);
   FILE *file = fopen(path, "wb");
   CHECK(file, "cannot write %s", path);
   return file;
}

void
bench_trace_open(const char *folder)
{
   CHECK(strlen(folder) < sizeof(trace.folder), "the name of the folder is too long");
   strcpy(trace.folder, folder);
   mkdir(folder, 0777); /* open_file tells when it is not there */
   trace.text = open_file("trace.txt");
   fputs("GLI0.t\n", trace.text);
}

void
bench_trace_close(void)
{
   bench_text("glFlush()");
   bench_text("wglSwapBuffers(0)=1");
   FILE *const files[] = {trace.text, trace.regions, trace.descriptors};
   for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
      CHECK(!files[i] || !fclose(files[i]), "cannot write in %s", trace.folder);
   memset(&trace, 0, sizeof(trace));
}

bool
bench_tracing(void)
{
   return trace.text;
}

void
bench_text(const char *call)
{
   /* Without the space after a comma. */
   for (const char *c = call; *c; c++)
      if (*c != ' ' || c == call || c[-1] != ',')
         fputc(*c, trace.text);
   fputc('\n', trace.text);
}

void
bench_printf(const char *format, ...)
{
   va_list args;
   va_start(args, format);
   vfprintf(trace.text, format, args);
   va_end(args);
   fputc('\n', trace.text);
}

void
bench_separate(void)
{
   static bool wide;
   if (bench_tracing())
      return;
   wide = !wide;
   glLineWidth(wide ? 2.0f : 1.0f);
}

static void
put_words(FILE *file, const uint32_t *words, size_t count)
{
   CHECK(fwrite(words, sizeof(*words), count, file) == count, "cannot write in %s", trace.folder);
}

unsigned
bench_buffer(const void *data, size_t size)
{
   if (!trace.regions) {
      trace.regions = open_file("MemoryRegions.dat");
      trace.descriptors = open_file("BufferDescriptors.dat");
   }
   const uint32_t number = trace.buffers++, address = 0x1000000 * (number + 1);
   put_words(trace.regions, (const uint32_t[]){number, address, (uint32_t)size}, 3);
   CHECK(fwrite(data, 1, size, trace.regions) == size, "cannot write in %s", trace.folder);
   put_words(trace.descriptors, (const uint32_t[]){number, address, (uint32_t)size, number}, 4);
   return number;
}

static float
six_digits(double value)
{
   char text[32];
   snprintf(text, sizeof(text), "%g", value);
   return strtof(text, NULL);
}

void
bench_color(double r, double g, double b)
{
   if (trace.text)
      bench_printf("glColor3f(%g,%g,%g)", r, g, b);
   else
      glColor3f(six_digits(r), six_digits(g), six_digits(b));
}

void
bench_texcoord(double s, double t)
{
   if (trace.text)
      bench_printf("glTexCoord2f(%g,%g)", s, t);
   else
      glTexCoord2f(six_digits(s), six_digits(t));
}

void
bench_vertex(double x, double y, double z)
{
   if (trace.text)
      bench_printf("glVertex3f(%g,%g,%g)", x, y, z);
   else
      glVertex3f(six_digits(x), six_digits(y), six_digits(z));
}

void
bench_texture(const GLubyte *texels, GLsizei size, bool linear)
{
   const GLint filter = linear ? GL_LINEAR : GL_NEAREST;
   GL(glEnable(GL_TEXTURE_2D));
   if (trace.text) {
      bench_text("glGenTextures(1,{1})");
   } else {
      GLuint name;
      glGenTextures(1, &name);
      CHECK(name == 1, "the first texture is number %u", name);
   }
   GL(glBindTexture(GL_TEXTURE_2D, 1));
   if (trace.text) {
      bench_printf("glTexEnvi(GL_TEXTURE_ENV,GL_TEXTURE_ENV_MODE,%d)", GL_MODULATE);
      bench_printf("glTexParameteri(GL_TEXTURE_2D,GL_TEXTURE_MIN_FILTER,%d)", filter);
      bench_printf("glTexParameteri(GL_TEXTURE_2D,GL_TEXTURE_MAG_FILTER,%d)", filter);
      bench_printf("glTexImage2D(GL_TEXTURE_2D,0,3,%d,%d,0,GL_BGR,GL_UNSIGNED_BYTE,*%u)", size,
                   size, bench_buffer(texels, (size_t)size * size * 3));
   } else {
      glTexEnvi(GL_TEXTURE_ENV, GL_TEXTURE_ENV_MODE, GL_MODULATE);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, filter);
      glTexImage2D(GL_TEXTURE_2D, 0, 3, size, size, 0, GL_BGR, GL_UNSIGNED_BYTE, texels);
   }
}

void
bench_mipmaps(const GLubyte *texels, GLsizei size, unsigned samples)
{
   bench_texture(texels, size, true);
   if (trace.text)
      bench_printf("glTexParameteri(GL_TEXTURE_2D,GL_TEXTURE_MIN_FILTER,%d)",
                   GL_LINEAR_MIPMAP_LINEAR);
   else
      glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_LINEAR_MIPMAP_LINEAR);
   if (samples > 1 && trace.text)
      bench_printf("glTexParameterf(GL_TEXTURE_2D,GL_TEXTURE_MAX_ANISOTROPY_EXT,%u)", samples);
   else if (samples > 1)
      glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, (GLfloat)samples);
   for (GLint level = 1; size >> level; level++) {
      GLsizei n = size >> level;
      if (trace.text)
         bench_printf("glTexImage2D(GL_TEXTURE_2D,%d,3,%d,%d,0,GL_BGR,GL_UNSIGNED_BYTE,*%u)", level,
                      n, n, bench_buffer(texels, (size_t)n * (size_t)n * 3));
      else
         glTexImage2D(GL_TEXTURE_2D, level, 3, n, n, 0, GL_BGR, GL_UNSIGNED_BYTE, texels);
   }
}

void
bench_program(GLenum target, const char *text)
{
   const char *name =
       target == GL_VERTEX_PROGRAM_ARB ? "GL_VERTEX_PROGRAM_ARB" : "GL_FRAGMENT_PROGRAM_ARB";
   const size_t length = strlen(text);
   if (trace.text) {
      bench_printf("glEnable(%s)", name);
      bench_text("glGenProgramsARB(1,{1})");
      bench_printf("glBindProgramARB(%s,1)", name);
      bench_printf("glProgramStringARB(%s,GL_PROGRAM_FORMAT_ASCII_ARB,%zu,*%u)", name, length,
                   bench_buffer(text, length));
      return;
   }
   GLuint program;
   glEnable(target);
   glGenProgramsARB(1, &program);
   CHECK(program == 1, "the first program is number %u", program);
   glBindProgramARB(target, 1);
   glProgramStringARB(target, GL_PROGRAM_FORMAT_ASCII_ARB, (GLsizei)length, text);
   CHECK(glGetError() == GL_NO_ERROR, "the program is refused: %s",
         (const char *)glGetString(GL_PROGRAM_ERROR_STRING_ARB));
}

void
bench_scissor(int x, int y, int width, int height)
{
   if (trace.text)
      bench_printf("glScissor(%d,%d,%d,%d)", x, y, width, height);
   else
      glScissor(x, y, width, height);
}

void
bench_colors(const GLfloat *colors, GLsizei count)
{
   GL(glEnableClientState(GL_COLOR_ARRAY));
   if (trace.text)
      bench_printf("glColorPointer(4,GL_FLOAT,0,*%u)",
                   bench_buffer(colors, (size_t)count * 4 * sizeof(*colors)));
   else
      glColorPointer(4, GL_FLOAT, 0, colors);
}

static void
vertex_array(const GLfloat *positions, GLsizei count)
{
   GL(glEnableClientState(GL_VERTEX_ARRAY));
   if (trace.text)
      bench_printf("glVertexPointer(3,GL_FLOAT,0,*%u)",
                   bench_buffer(positions, (size_t)count * 3 * sizeof(*positions)));
   else
      glVertexPointer(3, GL_FLOAT, 0, positions);
}

void
bench_quads(const GLfloat *positions, GLsizei count)
{
   vertex_array(positions, count);
   if (trace.text)
      bench_printf("glDrawArrays(GL_QUADS,0,%d)", count);
   else
      glDrawArrays(GL_QUADS, 0, count);
}

void
bench_arrays(const GLfloat *positions, GLsizei count, const GLuint *indices, GLsizei elements)
{
   vertex_array(positions, count);
   if (trace.text)
      bench_printf("glDrawElements(GL_TRIANGLES,%d,GL_UNSIGNED_INT,*%u)", elements,
                   bench_buffer(indices, (size_t)elements * sizeof(*indices)));
   else
      glDrawElements(GL_TRIANGLES, elements, GL_UNSIGNED_INT, indices);
}
