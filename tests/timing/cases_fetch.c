/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of texel fetches without a filter, of what blending with two colours, layers and
 * copies of images cost, which the original has not. What each should cost: cases.txt. */
#include "microbench.h"
#include "../gl/gl_util.h"
#include <stdint.h>
#include <stdlib.h>

enum { LINES = 8192, LAYERS = 4, COPIED = 8 };

#define HEADER "#version 150 compatibility\n"
#define VERTEX "void main() { gl_Position = ftransform(); }"

/* --- Fetches --- */

/* So much of a screen, whose fragments fetch from a texture. The texture's words are never written:
 * they cost the same whatever they are. */
static void
fetched(double part, const char *fragment)
{
   util_program(HEADER, VERTEX, fragment);
   bench_slope((struct bench_rect){0, 0, 1, part}, 0, 0);
}

static void
texels(unsigned words, double part, const char *fragment)
{
   GLuint names[2];
   bench_start();
   glGenBuffers(1, &names[0]);
   glBindBuffer(GL_TEXTURE_BUFFER, names[0]);
   glBufferData(GL_TEXTURE_BUFFER, words * 4, NULL, GL_STATIC_DRAW);
   glGenTextures(1, &names[1]);
   glBindTexture(GL_TEXTURE_BUFFER, names[1]);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, names[0]);
   fetched(part, fragment);
}

/* Eight texels for each fragment, those of neighbours beside each other. */
static void
texels_consecutive(void)
{
   texels(1024, 1,
          "uniform samplerBuffer t;\n"
          "void main() { int i = int(gl_FragCoord.x); float s = 0.0;\n"
          "for (int k = 0; k < 8; k++) s += texelFetch(t, i + 4 * k).x;\n"
          "gl_FragColor = vec4(s); }");
}

/* A texel for each fragment of half a screen, no two of which are in one line of a cache. */
static void
texels_random(void)
{
   texels(16 * LINES, .5,
          "uniform samplerBuffer t;\n"
          "void main() { int n = int(gl_FragCoord.x) + 640 * int(gl_FragCoord.y);\n"
          "gl_FragColor = vec4(texelFetch(t, (n * 4503 & 8191) * 16).x); }");
}

/* The same from a texture of 32 MB: no two of those that wait in a channel are in one row. */
static void
texels_far(void)
{
   GLuint name;
   bench_start();
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D, name);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 2048, 4096, 0, GL_RED, GL_FLOAT, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   fetched(.5, "uniform sampler2D t;\n"
               "void main() { int n = int(gl_FragCoord.x) + 640 * int(gl_FragCoord.y);\n"
               "n = n * 315423 & 524287;\n"
               "gl_FragColor = vec4(texelFetch(t, ivec2(n & 511, n >> 9) * 4, 0).x); }");
}

/* One fragment goes through a list in a buffer: each texel says where the next one is, in another
 * line of the caches, and behind the last line the list begins anew. */
static void
walk(unsigned lines)
{
   GLuint names[2];
   GLint *list = calloc(lines, 64);
   for (unsigned i = 0; i < lines; i++)
      list[i * 16] = (GLint)((i + 5) % lines * 16);
   bench_start();
   glGenBuffers(1, &names[0]);
   glBindBuffer(GL_TEXTURE_BUFFER, names[0]);
   glBufferData(GL_TEXTURE_BUFFER, lines * 64, list, GL_STATIC_DRAW);
   glGenTextures(1, &names[1]);
   glBindTexture(GL_TEXTURE_BUFFER, names[1]);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32I, names[0]);
   util_program(HEADER, VERTEX,
                "uniform isamplerBuffer t;\n"
                "void main() { int i = 0;\n"
                "for (int k = 0; k < 4096; k++) i = texelFetch(t, i).x;\n"
                "gl_FragColor = vec4(i); }");
   bench_slope((struct bench_rect){0, 0, 1. / BENCH_WIDTH, 1. / BENCH_HEIGHT}, 0, 0);
   free(list);
}

static void
walk_1k(void)
{
   walk(16);
}

static void
walk_8k(void)
{
   walk(128);
}

static void
walk_64k(void)
{
   walk(1024);
}

/* The four samples of a texel for each fragment. */
static void
samples_fetched(void)
{
   GLuint name;
   bench_start();
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, name);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, BENCH_WIDTH, BENCH_HEIGHT,
                           GL_TRUE);
   fetched(1, "#extension GL_ARB_texture_multisample: enable\n"
              "uniform sampler2DMS t;\n"
              "void main() { ivec2 p = ivec2(gl_FragCoord.xy); gl_FragColor = vec4(0);\n"
              "for (int s = 0; s < 4; s++) gl_FragColor += texelFetch(t, p, s); }");
}

/* --- Blending with two colours --- */

static void
blend_two_colors(void)
{
   bench_start();
   const GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_VERTEX_SHADER, HEADER, VERTEX));
   glAttachShader(p, util_shader(GL_FRAGMENT_SHADER, HEADER,
                                 "out vec4 zero, one;\n"
                                 "void main() { zero = vec4(.5); one = vec4(.25); }"));
   glBindFragDataLocationIndexed(p, 0, 0, "zero");
   glBindFragDataLocationIndexed(p, 0, 1, "one");
   util_link(p);
   glEnable(GL_BLEND);
   glBlendFunc(GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR);
   for (unsigned i = 0; i < 2; i++)
      bench_slope(bench_screen, 0, 0);
}

/* --- Layers --- */

static GLuint
layers(GLsizei size, GLsizei depth)
{
   GLuint name;
   glGenTextures(1, &name);
   glBindTexture(GL_TEXTURE_2D_ARRAY, name);
   glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_RGBA8, size, size, depth, 0, GL_RGBA, GL_UNSIGNED_BYTE,
                NULL);
   glTexParameteri(GL_TEXTURE_2D_ARRAY, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   return name;
}

/* Each of 64 squares of 64x64 pixels goes to four layers, one after the other. */
static void
layer_switches(void)
{
   GLuint frame;
   bench_start();
   const GLuint name = layers(512, LAYERS);
   glGenFramebuffers(1, &frame);
   glBindFramebuffer(GL_FRAMEBUFFER, frame);
   glFramebufferTexture(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, name, 0);
   const GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_VERTEX_SHADER, HEADER, VERTEX));
   glAttachShader(
       p, util_shader(GL_GEOMETRY_SHADER, HEADER,
                      "layout(triangles) in; layout(triangle_strip, max_vertices = 12) out;\n"
                      "void main() { for (int l = 0; l < 4; l++) { for (int i = 0; i < 3; i++) {\n"
                      "gl_Position = gl_in[i].gl_Position; gl_Layer = l; EmitVertex(); }\n"
                      "EndPrimitive(); } }"));
   glAttachShader(p, util_shader(GL_FRAGMENT_SHADER, HEADER,
                                 "void main() { gl_FragColor = vec4(1, 0, 0, 1); }"));
   util_link(p);
   glViewport(0, 0, 512, 512);
   glClear(GL_COLOR_BUFFER_BIT);
   for (unsigned i = 0; i < 64; i++) {
      const float x = (float)(i % 8) / 8, y = (float)(i / 8) / 8, d = 1.f / 8;
      glBegin(GL_TRIANGLE_STRIP);
      glVertex2f(x, y);
      glVertex2f(x + d, y);
      glVertex2f(x, y + d);
      glVertex2f(x + d, y + d);
      glEnd();
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void
copy_layers(void)
{
   bench_start();
   const GLuint from = layers(256, COPIED), to = layers(256, COPIED);
   glCopyImageSubData(from, GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0, to, GL_TEXTURE_2D_ARRAY, 0, 0, 0, 0,
                      256, 256, COPIED);
}

const struct bench_case fetch_cases[] = {
    {.name = "texels_consecutive", .draw = texels_consecutive, .ours_only = true},
    {.name = "texels_random", .draw = texels_random, .ours_only = true},
    {.name = "texels_far", .draw = texels_far, .ours_only = true},
    {.name = "walk_1k", .draw = walk_1k, .ours_only = true},
    {.name = "walk_8k", .draw = walk_8k, .ours_only = true},
    {.name = "walk_64k", .draw = walk_64k, .ours_only = true},
    {.name = "samples_fetched", .draw = samples_fetched, .ours_only = true},
    {.name = "blend_two_colors", .draw = blend_two_colors, .ours_only = true},
    {.name = "layer_switches", .draw = layer_switches, .ours_only = true},
    {.name = "copy_layers", .draw = copy_layers, .ours_only = true},
    {0},
};
