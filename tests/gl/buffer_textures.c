/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Buffers as textures (ARB_texture_buffer_object, its _rgb32, ARB_texture_buffer_range): every
 * format of OpenGL 4.0, sizes, views of a part, buffers that change between draws by each way that
 * OpenGL has, look-ups of vertex shaders. What a shader reads is written into an image of integers
 * and compared with what the buffer holds. Not here: other textures (integer_shaders.c). */
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { WIDTH = 8, HEIGHT = 8, PIXELS = WIDTH * HEIGHT };

enum kind { UNORM, HALF, FLOAT, UINT, SINT };

static const struct format {
   const char *name;
   GLenum internal;
   enum kind kind;
   int bytes, channels; /* bytes: of a channel */
   const char *order;   /* the channel that red, green, blue and alpha are; NULL: as they come */
} formats[] = {
    {"R8", GL_R8, UNORM, 1, 1, NULL},
    {"R16", GL_R16, UNORM, 2, 1, NULL},
    {"R16F", GL_R16F, HALF, 2, 1, NULL},
    {"R32F", GL_R32F, FLOAT, 4, 1, NULL},
    {"R8I", GL_R8I, SINT, 1, 1, NULL},
    {"R16I", GL_R16I, SINT, 2, 1, NULL},
    {"R32I", GL_R32I, SINT, 4, 1, NULL},
    {"R8UI", GL_R8UI, UINT, 1, 1, NULL},
    {"R16UI", GL_R16UI, UINT, 2, 1, NULL},
    {"R32UI", GL_R32UI, UINT, 4, 1, NULL},
    {"RG8", GL_RG8, UNORM, 1, 2, NULL},
    {"RG16", GL_RG16, UNORM, 2, 2, NULL},
    {"RG16F", GL_RG16F, HALF, 2, 2, NULL},
    {"RG32F", GL_RG32F, FLOAT, 4, 2, NULL},
    {"RG8I", GL_RG8I, SINT, 1, 2, NULL},
    {"RG16I", GL_RG16I, SINT, 2, 2, NULL},
    {"RG32I", GL_RG32I, SINT, 4, 2, NULL},
    {"RG8UI", GL_RG8UI, UINT, 1, 2, NULL},
    {"RG16UI", GL_RG16UI, UINT, 2, 2, NULL},
    {"RG32UI", GL_RG32UI, UINT, 4, 2, NULL},
    {"RGB32F", GL_RGB32F, FLOAT, 4, 3, NULL},
    {"RGB32I", GL_RGB32I, SINT, 4, 3, NULL},
    {"RGB32UI", GL_RGB32UI, UINT, 4, 3, NULL},
    {"RGBA8", GL_RGBA8, UNORM, 1, 4, NULL},
    {"RGBA16", GL_RGBA16, UNORM, 2, 4, NULL},
    {"RGBA16F", GL_RGBA16F, HALF, 2, 4, NULL},
    {"RGBA32F", GL_RGBA32F, FLOAT, 4, 4, NULL},
    {"RGBA8I", GL_RGBA8I, SINT, 1, 4, NULL},
    {"RGBA16I", GL_RGBA16I, SINT, 2, 4, NULL},
    {"RGBA32I", GL_RGBA32I, SINT, 4, 4, NULL},
    {"RGBA8UI", GL_RGBA8UI, UINT, 1, 4, NULL},
    {"RGBA16UI", GL_RGBA16UI, UINT, 2, 4, NULL},
    {"RGBA32UI", GL_RGBA32UI, UINT, 4, 4, NULL},
    {"ALPHA8", GL_ALPHA8, UNORM, 1, 1, "___x"},
    {"LUMINANCE8_ALPHA8", GL_LUMINANCE8_ALPHA8, UNORM, 1, 2, "xxxy"},
    {"INTENSITY16", GL_INTENSITY16, UNORM, 2, 1, "xxxx"},
};

/* Pixel i is element first + i; the last one has the size. KIND: enum kind. */
#define HEADER "#version 140\n#extension GL_ARB_shader_bit_encoding: require\n"
#define VERTEX "in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }"
#define FRAGMENT                                                                    \
   "#define KIND %d\n"                                                              \
   "#if KIND == 3\nuniform usamplerBuffer s;\n"                                     \
   "#elif KIND == 4\nuniform isamplerBuffer s;\n"                                   \
   "#else\nuniform samplerBuffer s;\n#endif\n"                                      \
   "uniform int first; uniform float scale; out ivec4 c; void main() {"             \
   " ivec2 at = ivec2(gl_FragCoord.xy); int i = at.y * 8 + at.x;"                   \
   " if (i == 63) { c = ivec4(textureSize(s)); return; }\n"                         \
   "#if KIND == 0\n c = ivec4(round(texelFetch(s, first + i) * scale));\n"          \
   "#elif KIND == 1 || KIND == 2\n c = floatBitsToInt(texelFetch(s, first + i));\n" \
   "#else\n c = ivec4(texelFetch(s, first + i));\n#endif\n}"

static GLuint
use_kind(enum kind kind)
{
   char source[2048];
   snprintf(source, sizeof(source), FRAGMENT, (int)kind);
   return util_program(HEADER, VERTEX, source);
}

static void
draw(void)
{
   static const GLfloat corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* A half that is a normal number, as a float's bits. */
static int32_t
half_bits(uint16_t h)
{
   return (int32_t)((uint32_t)(h & 0x8000) << 16 | ((h & 0x7fffu) + ((127 - 15) << 10)) << 13);
}

/* Channel c of an element, as the shader writes it. */
static int32_t
channel(const struct format *f, const uint8_t *element, int c)
{
   const uint8_t *from = element + c * f->bytes;
   uint32_t raw = 0;
   memcpy(&raw, from, (size_t)f->bytes); /* the host is little-endian */
   if (f->kind == SINT)
      return (int32_t)(raw << (32 - 8 * f->bytes)) >> (32 - 8 * f->bytes);
   return f->kind == HALF ? half_bits((uint16_t)raw) : (int32_t)raw;
}

static int32_t
one(const struct format *f)
{
   return f->kind == UNORM                      ? (f->bytes == 1 ? 255 : 65535)
          : f->kind == HALF || f->kind == FLOAT ? 0x3f800000
                                                : 1;
}

static int32_t
expected(const struct format *f, const uint8_t *element, int c)
{
   if (f->order)
      return f->order[c] == '_' ? 0 : channel(f, element, f->order[c] - 'x');
   return c < f->channels ? channel(f, element, c) : c == 3 ? one(f) : 0;
}

/* Draws with the bound program and compares with the elements of data. */
static void
expect(const struct format *f, const char *what, int first, const uint8_t *data, int size)
{
   static int32_t got[PIXELS][4];
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glUniform1i(glGetUniformLocation((GLuint)program, "first"), first);
   glUniform1f(glGetUniformLocation((GLuint)program, "scale"), (float)one(f));
   glClearBufferiv(GL_COLOR, 0, (const GLint[]){-7, -7, -7, -7});
   draw();
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA_INTEGER, GL_INT, got);
   for (int i = 0; i < PIXELS - 1; i++) {
      for (int c = 0; c < 4; c++) {
         const int32_t want = expected(f, data + (first + i) * f->bytes * f->channels, c);
         CHECK(got[i][c] == want, "%s, %s: element %d, channel %d is 0x%x, not 0x%x", f->name, what,
               first + i, c, (unsigned)got[i][c], (unsigned)want);
      }
   }
   CHECK(got[PIXELS - 1][0] == size, "%s, %s: size %d, not %d", f->name, what, got[PIXELS - 1][0],
         size);
   CHECK(glGetError() == GL_NO_ERROR, "%s, %s: an error", f->name, what);
}

static uint32_t seed = 1;

static void
fill(uint8_t *data, int bytes, const struct format *f)
{
   for (int i = 0; i < bytes; i++) {
      seed = seed * 1664525u + 1013904223u;
      data[i] = (uint8_t)(seed >> 24);
   }
   /* Floats that are normal numbers, which arithmetic keeps. */
   for (int i = f->bytes - 1; i < bytes && (f->kind == HALF || f->kind == FLOAT); i += f->bytes)
      data[i] = (uint8_t)((data[i] & 0x87) | 0x30);
}

static void
each_format(const struct format *f)
{
   static uint8_t data[100 * 16];
   const int element = f->bytes * f->channels;
   fill(data, sizeof(data), f);
   glBufferData(GL_TEXTURE_BUFFER, 100 * element, data, GL_STATIC_DRAW);
   glTexBuffer(GL_TEXTURE_BUFFER, f->internal, 1);
   use_kind(f->kind);
   expect(f, "a buffer", 0, data, 100);
   expect(f, "a buffer", 37, data, 100);
   /* Elements 16 to 79. */
   glTexBufferRange(GL_TEXTURE_BUFFER, f->internal, 1, 16 * element, 64 * element);
   expect(f, "a part", 0, data + 16 * element, 64);
}

/* The same texture after each way to change its buffer. */
static void
changes(void)
{
   enum { ELEMENTS = 1 << 17 };
   static uint8_t data[ELEMENTS * 4];
   static const struct format f = {"R32UI", GL_R32UI, UINT, 4, 1, NULL};
   const int last = ELEMENTS - (PIXELS - 1);
   fill(data, sizeof(data), &f);
   glBufferData(GL_TEXTURE_BUFFER, sizeof(data), NULL, GL_DYNAMIC_DRAW);
   glTexBuffer(GL_TEXTURE_BUFFER, f.internal, 1);
   use_kind(f.kind);
   glBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof(data) / 2, data);
   expect(&f, "half of it written", 100, data, ELEMENTS);
   glBufferSubData(GL_TEXTURE_BUFFER, sizeof(data) / 2, sizeof(data) / 2, data + sizeof(data) / 2);
   expect(&f, "all written", last, data, ELEMENTS);
   fill(data + last * 4, (PIXELS - 1) * 4, &f);
   glBufferSubData(GL_TEXTURE_BUFFER, last * 4, (PIXELS - 1) * 4, data + last * 4);
   expect(&f, "changed", last, data, ELEMENTS);
   fill(data, sizeof(data), &f);
   glBufferData(GL_TEXTURE_BUFFER, sizeof(data), data, GL_DYNAMIC_DRAW);
   expect(&f, "with new memory", 64000, data, ELEMENTS);
   uint8_t *map = glMapBufferRange(GL_TEXTURE_BUFFER, 4000, 400, GL_MAP_WRITE_BIT);
   fill(data + 4000, 400, &f);
   memcpy(map, data + 4000, 400);
   glUnmapBuffer(GL_TEXTURE_BUFFER);
   expect(&f, "mapped", 1010, data, ELEMENTS);
   glBindBuffer(GL_COPY_READ_BUFFER, 2);
   fill(data + 8000, 1200, &f);
   glBufferData(GL_COPY_READ_BUFFER, 1200, data + 8000, GL_STATIC_COPY);
   glCopyBufferSubData(GL_COPY_READ_BUFFER, GL_TEXTURE_BUFFER, 0, 8000, 1200);
   expect(&f, "copied into", 2100, data, ELEMENTS);
   /* Pixels that the GPU packs. */
   glClearBufferiv(GL_COLOR, 0, (const GLint[]){5, 6, 7, 8});
   for (int i = 0; i < PIXELS * 4; i++)
      memcpy(data + 16 * 100 + 4 * i, &(const int32_t){5 + i % 4}, 4);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 1);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA_INTEGER, GL_INT, (void *)(uintptr_t)(16 * 100));
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   expect(&f, "pixels packed into", 420, data, ELEMENTS);
}

/* A draw of many fragments reads what the buffer held then, whatever is written behind it. */
static void
written_behind_a_draw(void)
{
   enum { LARGE = 512, ROUNDS = 6 };
   static int32_t got[LARGE * LARGE];
   static GLint numbers[1024];
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32I, LARGE, LARGE, 0, GL_RED_INTEGER, GL_INT, NULL);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glBufferData(GL_TEXTURE_BUFFER, sizeof(numbers), numbers, GL_DYNAMIC_DRAW);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32I, 1);
   util_program(HEADER, VERTEX,
                "uniform isamplerBuffer s; out ivec4 c;"
                "void main() { c = texelFetch(s, int(gl_FragCoord.x) & 511); }");
   glViewport(0, 0, LARGE, LARGE);
   glEnable(GL_SCISSOR_TEST);
   for (int r = 0; r < ROUNDS; r++) {
      for (int i = 0; i < 1024; i++)
         numbers[i] = r;
      glBufferSubData(GL_TEXTURE_BUFFER, 0, sizeof(numbers) / 2, numbers);
      glScissor(0, r * (LARGE / ROUNDS), LARGE, LARGE / ROUNDS);
      draw();
   }
   glDisable(GL_SCISSOR_TEST);
   glReadPixels(0, 0, LARGE, LARGE, GL_RED_INTEGER, GL_INT, got);
   for (int i = 0; i < LARGE * (LARGE / ROUNDS) * ROUNDS; i++)
      CHECK(got[i] == i / LARGE / (LARGE / ROUNDS), "written behind a draw: pixel %d, %d is of %d",
            i % LARGE, i / LARGE, got[i]);
}

/* Vertices that take their positions from a buffer. */
static void
vertices(void)
{
   static const GLfloat corners[4][4] = {
       {-1, -1, 0, 1}, {1, -1, 0, 1}, {-1, 1, 0, 1}, {1, 1, 0, 1}};
   int32_t got[PIXELS][4];
   glBufferData(GL_TEXTURE_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_RGBA32F, 1);
   util_program(HEADER,
                "uniform samplerBuffer s; flat out ivec4 id; in vec2 p;"
                "void main() { gl_Position = texelFetch(s, gl_VertexID) + 0.0 * p.x;"
                " id = ivec4(texelFetch(s, gl_VertexID)); }",
                "flat in ivec4 id; out ivec4 c; void main() { c = id; }");
   glClearBufferiv(GL_COLOR, 0, (const GLint[]){-7, -7, -7, -7});
   draw();
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA_INTEGER, GL_INT, got);
   for (int i = 0; i < PIXELS; i++)
      CHECK(got[i][1] == 1 && got[i][3] == 1 && abs(got[i][0]) == 1, "vertices: pixel %d: %d %d", i,
            got[i][0], got[i][1]);
}

int
main(void)
{
   GLuint texture, framebuffer;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   GLint most = 0;
   util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   glGetIntegerv(GL_MAX_TEXTURE_BUFFER_SIZE, &most);
   CHECK(most >= 65536, "textures of %d elements", most);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, WIDTH, HEIGHT, 0, GL_RGBA_INTEGER, GL_INT, NULL);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   glViewport(0, 0, WIDTH, HEIGHT);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_BUFFER, texture);
   glBindBuffer(GL_TEXTURE_BUFFER, 1);
   const unsigned count = sizeof(formats) / sizeof(formats[0]);
   for (unsigned i = 0; i < count; i++)
      each_format(&formats[i]);
   changes();
   vertices();
   written_behind_a_draw();
   printf("%u formats\n", count);
   return 0;
}
