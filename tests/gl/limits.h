/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the parts of the limits test share: counted checks, programs, a quad, and the proof that the
 * context still works. A check that fails is reported and the test goes on. Not here: the context
 * (limits.c). */
#ifndef LIMITS_H
#define LIMITS_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIZE 64 /* of the pbuffer */

/* The small set is for cycle mode. */
extern bool limits_small;

void limits_check(bool ok, const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define EXPECT(condition, ...) limits_check(condition, __FILE__, __LINE__, __VA_ARGS__)

/* The error must be this one (or, with two, one of them); all others that wait are an error too. */
void limits_error(GLenum want, GLenum or, const char *file, int line, const char *what);
#define EXPECT_ERROR(error, what) limits_error(error, error, __FILE__, __LINE__, what)
#define EXPECT_ERRORS(one, other, what) limits_error(one, other, __FILE__, __LINE__, what)
#define EXPECT_OK(what) limits_error(GL_NO_ERROR, GL_NO_ERROR, __FILE__, __LINE__, what)

void limits_pixel(int x, int y, int r, int g, int b, const char *file, int line, const char *what);
#define EXPECT_PIXEL(x, y, r, g, b, what) limits_pixel(x, y, r, g, b, __FILE__, __LINE__, what)

/* Draws in the pbuffer and reads back: whatever happened before, the context works. Leaves the
 * default state. */
void limits_alive(const char *file, int line, const char *after);
#define EXPECT_ALIVE(after) limits_alive(__FILE__, __LINE__, after)

GLint limits_get(GLenum name);
/* 0 when it does not compile and link. Attribute 0 is "position". Either source may be NULL (fixed
 * function). */
GLuint limits_program(const char *vertex, const char *fragment);
void limits_delete_program(GLuint program);
/* A rectangle over the whole viewport at attribute 0. */
void limits_quad(void);
/* A framebuffer object with a texture or renderbuffer as its colour; bound. */
GLuint limits_framebuffer(GLenum target, GLuint texture, GLuint renderbuffer);

/* Text that grows. */
struct text {
   char *data;
   size_t size, capacity;
};
void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_free(struct text *text);

#define PASS_THROUGH "attribute vec4 position; void main() { gl_Position = position; }"

void limits_surfaces(void);
void limits_shaders(void);
void limits_assembly(void);
void limits_endless(void);
void limits_state(void);
void limits_memory(void);
void limits_robust(void);

#endif
