/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the generator of random OpenGL programs share: random values, blocks of the
 * program's memory, and the objects of the program that runs. */
#ifndef RANDOM_H
#define RANDOM_H

#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RANDOM_LENGTH(list) (sizeof(list) / sizeof((list)[0]))

enum { RANDOM_NAMES = 8, RANDOM_UNITS = 4, RANDOM_ATTRIBUTES = 4, RANDOM_CLIENT_VERTICES = 64 };

/* Names of objects of one kind. A name stays in its list when it is deleted. */
struct random_names {
   GLuint name[RANDOM_NAMES];
   GLenum target[RANDOM_NAMES]; /* of textures, where they were bound first */
   unsigned count;
};

/* The program that runs. */
extern struct random_program {
   bool es; /* OpenGL ES 3.0, or else OpenGL 3.3, core profile */
   struct random_names textures, buffers, framebuffers, renderbuffers, samplers, arrays, queries,
       feedbacks, programs;
   GLsync sync;
   void *vertices;        /* of arrays in the program's memory, or NULL */
   bool client_arrays;    /* some attribute reads vertices */
   unsigned calls, draws; /* operations, and draws among them without an error */
   uint32_t sum;          /* of the pixels that were read */
} random_gl;

/* --- random_values.c --- */

void random_seed(uint32_t seed);
/* 0 to end - 1; end at least 1. */
unsigned random_below(unsigned end);
bool random_one_in(unsigned n);
/* One of a list, seldom another constant or an invalid number. */
GLenum random_of(const GLenum *list, size_t length);
#define RANDOM_OF(list) random_of(list, RANDOM_LENGTH(list))
/* 0 to usual, seldom negative or far too large. */
GLsizei random_size(GLsizei usual);
/* A coordinate: -8 to 47, seldom out of any range. */
GLint random_place(void);
float random_float(void);
/* A name of the list, seldom 0, a deleted one or one that never was. */
GLuint random_name(const struct random_names *names);
void random_add(struct random_names *names, GLuint name, GLenum target);

/* A block of exactly this size with random bytes, which lives until random_release. */
void *random_block(size_t bytes);
void random_release(void);

/* The pixels of an image in the program's memory or in a buffer, as the state of unpacking or of
 * packing places them. */
struct random_image {
   GLenum format, type;
   GLsizei w, h, d;     /* w, h, d >= 0: texels */
   unsigned dimensions; /* 3: skipped images count */
   bool pack;
};
/* What to pass to OpenGL for it: a block of the size that is needed, or an offset into the bound
 * buffer, or NULL. false: it would be too large, do not call. */
bool random_pixels(const struct random_image *image, void **pixels);
/* The same for compressed images of this size. */
void *random_compressed(GLsizei bytes, bool pack);
void random_sum(const void *data, size_t bytes);

/* --- Operations: each makes one or a few calls --- */

void random_texture_image(void); /* random_textures.c */
void random_texture_part(void);
void random_texture_copy(void);
void random_texture_read(void);
void random_texture_bind(void);
void random_texture_state(void);
void random_texture_compressed(void);
void random_sampler(void);
void random_framebuffer(void); /* random_surfaces.c */
void random_renderbuffer(void);
void random_draw_buffers(void);
void random_blit(void);
void random_clear(void);
void random_read_pixels(void);
void random_pixel_store(void);
void random_program_new(void); /* random_shaders.c */
void random_program_use(void);
void random_uniforms(void);
void random_buffer(void); /* random_draws.c */
void random_buffer_map(void);
void random_buffer_copy(void);
void random_vertex_arrays(void);
void random_draw(void);
void random_query(void);
void random_feedback(void);
void random_state(void); /* random_state.c */
void random_get(void);
void random_delete(void);
void random_sync(void);

/* The source of a shader of this kind. */
void random_shader_text(GLenum kind, char *text, size_t size);

#endif
