/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Images of vertex, geometry and fragment shaders: every kind of texture, levels and layers, sizes,
 * atomic operations, other formats of equal size, and what of them other units see: pixels that
 * were drawn or cleared before, textures and colour buffers after. Prints a line for each check
 * that fails. Not here: conversion of formats (test_shader_images), errors (piglit). */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include "gl_util.h"

enum { SIZE = 32, PIXELS = SIZE * SIZE };

#define HEADER                                             \
   "#version 330 compatibility\n"                          \
   "#extension GL_ARB_shader_image_load_store: require\n"  \
   "#extension GL_ARB_shader_image_size: require\n"        \
   "#extension GL_ARB_shading_language_420pack: require\n" \
   "#extension GL_ARB_texture_cube_map_array: enable\n"    \
   "#define P ivec2(gl_FragCoord.xy)\n"
#define VERTEX "void main() { gl_Position = gl_Vertex; }"
#define GREEN "gl_FragColor = vec4(0, 1, 0, 1); "

static bool right = true;
static GLuint words[8 * PIXELS];

static void
draw(GLenum kind, GLsizei num)
{
   static const GLfloat all[4][3] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glVertexPointer(3, GL_FLOAT, 0, all);
   glEnableClientState(GL_VERTEX_ARRAY);
   glDrawArrays(kind, 0, num);
   glDisableClientState(GL_VERTEX_ARRAY);
}

static void
program(const char *fragment)
{
   util_program(HEADER, VERTEX, fragment);
}

/* Draws with a fragment program that must leave all green. */
static void
all_green(const char *name, const char *fragment)
{
   program(fragment);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   draw(GL_TRIANGLE_STRIP, 4);
   const unsigned wrong = util_not_green(SIZE);
   CHECK_OR(right = false, !wrong, "%s: %u pixels are not green", name, wrong);
}

/* A texture of this storage, bound as image 0. */
static GLuint
texture_2d(GLenum format, GLenum access)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexStorage2D(GL_TEXTURE_2D, 1, format, SIZE, SIZE);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glBindImageTexture(0, name, 0, GL_FALSE, 0, access, format);
   return name;
}

static void
expect(const char *name, unsigned at, GLuint want)
{
   CHECK_OR(right = false, words[at] == want, "%s: texel %u is %u (0x%x), not %u (0x%x)", name, at,
            words[at], words[at], want, want);
}

static void
read_words(void)
{
   memset(words, 0xee, sizeof(words));
   glMemoryBarrier(GL_TEXTURE_UPDATE_BARRIER_BIT);
   glGetTexImage(GL_TEXTURE_2D, 0, GL_RED_INTEGER, GL_UNSIGNED_INT, words);
}

/* Fragments of a triangle; what is outside of the image is not written, nor by helpers. */
static void
stores(void)
{
   texture_2d(GL_R32UI, GL_WRITE_ONLY);
   memset(words, 7, sizeof(words));
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED_INTEGER, GL_UNSIGNED_INT, words);
   program("layout(r32ui, binding = 0) uniform writeonly uimage2D i; void main() {\n"
           "imageStore(i, P, uvec4(1000 + P.x + 32 * P.y)); imageStore(i, P + 32, uvec4(5));\n"
           "imageStore(i, P - 32, uvec4(6)); gl_FragColor = dFdx(gl_FragCoord); }");
   glClear(GL_COLOR_BUFFER_BIT);
   draw(GL_TRIANGLES, 3);
   static GLubyte pixel[PIXELS][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   read_words();
   for (unsigned i = 0; i < PIXELS; i++)
      expect("stores", i, pixel[i][0] ? 1000 + i : 0x07070707);
}

static const struct kind {
   const char *type, *at, *size, *want; /* GLSL; at: of texel n */
   GLenum target;
   GLint width, height, depth;
} kinds[] = {
    {"image1D", "n", "imageSize(i)", "512", GL_TEXTURE_1D, 512, 0, 0},
    {"image2D", "ivec2(n & 15, n >> 4)", "imageSize(i)", "ivec2(16, 32)", GL_TEXTURE_2D, 16, 32, 0},
    {"image2DRect", "ivec2(n % 20, n / 20)", "imageSize(i)", "ivec2(20, 26)", GL_TEXTURE_RECTANGLE,
     20, 26, 0},
    {"image3D", "ivec3(n & 7, n >> 3 & 3, n >> 5)", "imageSize(i)", "ivec3(8, 4, 16)",
     GL_TEXTURE_3D, 8, 4, 16},
    {"image1DArray", "ivec2(n & 63, n >> 6)", "imageSize(i)", "ivec2(64, 8)", GL_TEXTURE_1D_ARRAY,
     64, 8, 0},
    {"image2DArray", "ivec3(n & 15, n >> 4 & 15, n >> 8)", "imageSize(i)", "ivec3(16, 16, 2)",
     GL_TEXTURE_2D_ARRAY, 16, 16, 2},
    {"imageCube", "ivec3(n % 10, n / 10 % 10, n / 100)", "imageSize(i)", "ivec2(10, 10)",
     GL_TEXTURE_CUBE_MAP, 10, 10, 0},
    {"imageCubeArray", "ivec3(n % 7, n / 7 % 7, n / 49)", "imageSize(i)", "ivec3(7, 7, 2)",
     GL_TEXTURE_CUBE_MAP_ARRAY, 7, 7, 12},
    {"imageBuffer", "n", "imageSize(i)", "512", GL_TEXTURE_BUFFER, 512, 0, 0},
};

static GLuint
texture_of(const struct kind *k)
{
   GLuint name, buffer;
   glGenTextures(1, &name);
   glBindTexture(k->target, name);
   if (k->target == GL_TEXTURE_BUFFER) {
      glGenBuffers(1, &buffer);
      glBindBuffer(GL_TEXTURE_BUFFER, buffer);
      glBufferData(GL_TEXTURE_BUFFER, 4 * k->width, NULL, GL_DYNAMIC_COPY);
      glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, buffer);
   } else if (!k->height) {
      glTexStorage1D(k->target, 1, GL_R32UI, k->width);
   } else if (!k->depth) {
      glTexStorage2D(k->target, 1, GL_R32UI, k->width, k->height);
   } else {
      glTexStorage3D(k->target, 1, GL_R32UI, k->width, k->height, k->depth);
   }
   return name;
}

/* 490 fragments store to every kind of image, the next draw loads all. */
static void
every_kind(void)
{
   for (unsigned n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
      const struct kind *k = &kinds[n];
      char text[1024];
      glBindImageTexture(0, texture_of(k), 0, GL_TRUE, 0, GL_READ_WRITE, GL_R32UI);
      snprintf(text, sizeof(text),
               "layout(r32ui, binding = 0) uniform u%s i; void main() { int n = P.x + 32 * P.y;\n"
               "if (n < 490) imageStore(i, %s, uvec4(3 * n + 1)); bool same = %s == %s;\n"
               "gl_FragColor = same ? vec4(0, 1, 0, 1) : vec4(1); }",
               k->type, k->at, k->size, k->want);
      all_green(k->type, text);
      glMemoryBarrier(GL_SHADER_IMAGE_ACCESS_BARRIER_BIT);
      snprintf(text, sizeof(text),
               "layout(r32ui, binding = 0) uniform u%s i; void main() { int n = P.x + 32 * P.y;\n"
               "bool same = n >= 490 || imageLoad(i, %s) == uvec4(3 * n + 1, 0, 0, 1);\n"
               "gl_FragColor = same ? vec4(0, 1, 0, 1) : vec4(1); }",
               k->type, k->at);
      all_green(k->type, text);
   }
}

/* What was cleared and drawn is loaded; what is stored is drawn over, and sampled. */
static void
other_units(void)
{
   GLuint fbo, name = texture_2d(GL_RGBA8, GL_READ_WRITE);
   glGenFramebuffers(1, &fbo);
   for (unsigned pass = 0; pass < 2; pass++) {
      glBindFramebuffer(GL_FRAMEBUFFER, fbo);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, name, 0);
      glClearColor(0, 0.2f, 0, 0.4f);
      glClear(GL_COLOR_BUFFER_BIT);
      if (pass) {
         program("void main() { gl_FragColor = vec4(0, 0.2, 0, 0.4); }");
         draw(GL_TRIANGLE_STRIP, 4);
      }
      glBindFramebuffer(GL_FRAMEBUFFER, 0);
      glBindImageTexture(0, name, 0, GL_FALSE, 0, GL_READ_WRITE, GL_RGBA8);
      all_green(
          pass ? "after drawing" : "after a clear",
          "layout(rgba8, binding = 0) uniform image2D i; void main() { vec4 v = imageLoad(i, P);"
          "\nbool same = all(lessThan(abs(v - vec4(0, 0.2, 0, 0.4)), vec4(0.001)));\n"
          "imageStore(i, P, v + vec4(0, 0, 1, 0)); gl_FragColor = same ? vec4(0, 1, 0, 1) : "
          "vec4(1); }");
   }
   /* Blending adds to what was stored. */
   glMemoryBarrier(GL_FRAMEBUFFER_BARRIER_BIT);
   glBindFramebuffer(GL_FRAMEBUFFER, fbo);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   program("void main() { gl_FragColor = vec4(0.6, 0, 0, 0); }");
   draw(GL_TRIANGLE_STRIP, 4);
   glDisable(GL_BLEND);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glBindTexture(GL_TEXTURE_2D, name);
   const char *const sampled =
       "uniform sampler2D s; void main() { vec4 v = texelFetch(s, P, 0);\n"
       "bool same = all(lessThan(abs(v - vec4(0.6, 0.2, 1, 0.4)), vec4(0.003)));\n"
       "gl_FragColor = same ? vec4(0, 1, 0, 1) : v; }";
   all_green("blended and sampled", sampled);
   /* Sampled again after another store, now as words of the same size, from the texture's cache. */
   glBindImageTexture(0, name, 0, GL_FALSE, 0, GL_WRITE_ONLY, GL_R32UI);
   all_green("words", "layout(r32ui, binding = 0) uniform writeonly uimage2D i; void main() {\n"
                      "imageStore(i, P, uvec4(0x40ff8000u)); " GREEN "}");
   glMemoryBarrier(GL_TEXTURE_FETCH_BARRIER_BIT);
   all_green("sampled words", "uniform sampler2D s; void main() { vec4 v = texelFetch(s, P, 0);\n"
                              "bool same = all(lessThan(abs(v * 255 - vec4(0, 128, 255, 64)), "
                              "vec4(0.01)));\ngl_FragColor = same ? vec4(0, 1, 0, 1) : v; }");
}

/* A level's layer: others keep what they have. */
static void
levels_and_layers(void)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D_ARRAY, name);
   glTexStorage3D(GL_TEXTURE_2D_ARRAY, 2, GL_RGBA16UI, 64, 64, 3);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST_MIPMAP_NEAREST);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   for (GLint layer = 0; layer < 3; layer++) {
      glBindImageTexture(0, name, 1, GL_FALSE, layer, GL_WRITE_ONLY, GL_RGBA16UI);
      program("layout(rgba16ui, binding = 0) uniform writeonly uimage2D i; uniform uint layer;\n"
              "void main() { imageStore(i, P, uvec4(P, layer, 65535u)); " GREEN "}");
      GLint at;
      glGetIntegerv(GL_CURRENT_PROGRAM, &at);
      glUniform1ui(glGetUniformLocation((GLuint)at, "layer"), 10u + (GLuint)layer);
      draw(GL_TRIANGLE_STRIP, 4);
   }
   glMemoryBarrier(GL_ALL_BARRIER_BITS);
   all_green("layers of a level",
             "uniform usampler2DArray s; void main() { bool same = true;\n"
             "for (int k = 0; k < 3; k++) same = same && texelFetch(s, ivec3(P, k), 1) == "
             "uvec4(P, 10 + k, 65535);\n"
             "gl_FragColor = same ? vec4(0, 1, 0, 1) : vec4(1); }");
}

/* Every stage counts in words of an image; results are a permutation. */
static void
atomics(void)
{
   texture_2d(GL_R32UI, GL_READ_WRITE);
   memset(words, 0, sizeof(words));
   glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, SIZE, SIZE, GL_RED_INTEGER, GL_UNSIGNED_INT, words);
#define IMAGE "layout(r32ui, binding = 0) uniform uimage2D i;\n"
   GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_VERTEX_SHADER, HEADER,
                                 IMAGE "void main() { gl_Position = gl_Vertex;\n"
                                       "imageAtomicAdd(i, ivec2(0, 0), 1u); }"));
   glAttachShader(p, util_shader(GL_GEOMETRY_SHADER, HEADER,
                                 "layout(triangles) in; layout(triangle_strip, max_vertices = 3) "
                                 "out;\n" IMAGE "void main() { imageAtomicMax(i, ivec2(1, 0), "
                                 "uint(gl_PrimitiveIDIn) + 5u);\nfor (int k = 0; k < 3; k++) { "
                                 "gl_Position = gl_in[k].gl_Position; EmitVertex(); } }"));
   glAttachShader(p,
                  util_shader(GL_FRAGMENT_SHADER, HEADER,
                              IMAGE "void main() { uint n = imageAtomicAdd(i, ivec2(2, 0), 1u);\n"
                                    "imageAtomicOr(i, ivec2(n & 31u, 1u + (n >> 5) % 16u), 1u << "
                                    "(n >> 9)); " GREEN "}"));
   util_link(p);
   draw(GL_TRIANGLE_STRIP, 4);
   read_words();
   expect("vertices", 0, 4);
   expect("primitives", 1, 6);
   expect("fragments", 2, PIXELS);
   for (unsigned i = 0; i < PIXELS / 2; i++)
      expect("numbers of fragments", SIZE + i, 3);
   program(IMAGE
           "void main() { uint n = 32u * uint(P.y) + uint(P.x);\n"
           "imageAtomicCompSwap(i, P, 3u, n); imageAtomicExchange(i, ivec2(P.x, 20), 9u); " GREEN
           "}");
   draw(GL_TRIANGLE_STRIP, 4);
   read_words();
   for (unsigned i = 0; i < PIXELS / 2; i++)
      expect("exchanged numbers", SIZE + i, SIZE + i);
   for (unsigned i = 0; i < SIZE; i++)
      expect("exchanges", 20 * SIZE + i, 9);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   static const struct util_limit limits[] = {{GL_MAX_IMAGE_UNITS, 8},
                                              {GL_MAX_FRAGMENT_IMAGE_UNIFORMS, 8},
                                              {GL_MAX_VERTEX_IMAGE_UNIFORMS, 8},
                                              {GL_MAX_GEOMETRY_IMAGE_UNIFORMS, 8},
                                              {GL_MAX_COMBINED_IMAGE_UNIFORMS, 24}};
   util_limits(limits, sizeof(limits) / sizeof(limits[0]));
   stores();
   every_kind();
   other_units();
   levels_and_layers();
   atomics();
   CHECK(glGetError() == GL_NO_ERROR, "an OpenGL error");
   return right ? 0 : 1;
}
