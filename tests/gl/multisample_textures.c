/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Multisample textures (ARB_texture_multisample): each sample is drawn by itself through the sample
 * mask and fetched again, for colours, integers and depths, images and arrays, in fragment and
 * vertex shaders; positions of samples against what is covered; blits; errors. Not here:
 * multisampled renderbuffers (limits_surfaces.c). */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { WIDTH = 21, HEIGHT = 13, MAX_SAMPLES = 8, LAYERS = 3 };

enum kind { FLOATS, SINTS, UINTS, DEPTHS };

static const struct format {
   const char *name;
   GLenum internal, attachment;
   enum kind kind;
   int channels;
   float scale; /* of the texel: makes an integer of it */
} formats[] = {
    {"RGBA8", GL_RGBA8, GL_COLOR_ATTACHMENT0, FLOATS, 4, 255},
    {"R8", GL_R8, GL_COLOR_ATTACHMENT0, FLOATS, 1, 255},
    {"RGBA16F", GL_RGBA16F, GL_COLOR_ATTACHMENT0, FLOATS, 4, 1},
    {"RG32F", GL_RG32F, GL_COLOR_ATTACHMENT0, FLOATS, 2, 1},
    {"RGBA32F", GL_RGBA32F, GL_COLOR_ATTACHMENT0, FLOATS, 4, 1},
    {"RG16I", GL_RG16I, GL_COLOR_ATTACHMENT0, SINTS, 2, 1},
    {"RGBA8UI", GL_RGBA8UI, GL_COLOR_ATTACHMENT0, UINTS, 4, 1},
    {"RGBA32UI", GL_RGBA32UI, GL_COLOR_ATTACHMENT0, UINTS, 4, 1},
    {"DEPTH16", GL_DEPTH_COMPONENT16, GL_DEPTH_ATTACHMENT, DEPTHS, 1, 65535},
    {"DEPTH24_STENCIL8", GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT, DEPTHS, 1, 16777215},
    {"DEPTH32F", GL_DEPTH_COMPONENT32F, GL_DEPTH_ATTACHMENT, DEPTHS, 1, 65536},
};
enum { NUM_FORMATS = sizeof(formats) / sizeof(formats[0]) };

static int samples, checked;
static bool array;
static GLuint images, target; /* framebuffers: of the texture, and of integers that are read back */

#define HEAD "#version 130\n#extension GL_ARB_texture_multisample: require\n#define KIND %d\n"

static const char vertex[] =
    "#version 130\nin vec2 p; void main() { gl_Position = vec4(p, 0, 1); }";
/* The pixel, the sample, the layer. */
static const char write[] =
    HEAD "uniform int number, layer; uniform float scale;\n"
         "#if KIND == 1\nout ivec4 c;\n#elif KIND == 2\nout uvec4 c;\n#elif KIND == 0\n"
         "out vec4 c;\n#endif\n"
         "void main() { ivec4 v = ivec4(ivec2(gl_FragCoord.xy), number, layer);\n"
         "#if KIND == 3\n gl_FragDepth = (float(v.x + 32 * v.y + 512 * v.z + 4096 * v.w) + 0.25) / "
         "scale;\n"
         "#elif KIND == 1\n c = -v;\n#elif KIND == 2\n c = uvec4(v);\n"
         "#else\n c = vec4(v) / scale;\n#endif\n}";
/* Sample s of pixel x is at samples * x + s; a row above the image has sizes. */
static const char read[] =
    HEAD "#define ARRAY %d\n"
         "#if ARRAY\n#define AT(p) ivec3(p, layer)\n#if KIND == 1\nuniform isampler2DMSArray t;\n"
         "#elif KIND == 2\nuniform usampler2DMSArray t;\n#else\nuniform sampler2DMSArray t;\n"
         "#endif\n#else\n#define AT(p) (p)\n#if KIND == 1\nuniform isampler2DMS t;\n"
         "#elif KIND == 2\nuniform usampler2DMS t;\n#else\nuniform sampler2DMS t;\n#endif\n#endif\n"
         "uniform int samples, layer; uniform float scale; out ivec4 c;\n"
         "void main() { ivec2 p = ivec2(gl_FragCoord.xy); int s = p.x %% samples;\n"
         " p.x /= samples;\n#if ARRAY\n if (p.y == 13) { c = ivec4(textureSize(t), 0); return; }\n"
         "#else\n if (p.y == 13) { c = ivec4(textureSize(t), 0, 0); return; }\n#endif\n"
         "#if KIND == 1 || KIND == 2\n c = ivec4(texelFetch(t, AT(p), s));\n"
         "#else\n c = ivec4(round(texelFetch(t, AT(p), s) * scale));\n#endif\n}";

static GLint
uniform(const char *name)
{
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   return glGetUniformLocation((GLuint)program, name);
}

static void
draw(const GLfloat (*corners)[2])
{
   static const GLfloat all[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners ? corners : all);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static GLenum
texture_target(void)
{
   return array ? GL_TEXTURE_2D_MULTISAMPLE_ARRAY : GL_TEXTURE_2D_MULTISAMPLE;
}

/* A texture, and framebuffer `images` of its layer. */
static GLuint
new_texture(const struct format *f, int layer)
{
   GLuint texture;
   GLint got = 0;
   glGenTextures(1, &texture);
   glBindTexture(texture_target(), texture);
   if (array)
      glTexImage3DMultisample(texture_target(), samples, f->internal, WIDTH, HEIGHT, LAYERS,
                              GL_TRUE);
   else
      glTexImage2DMultisample(texture_target(), samples, f->internal, WIDTH, HEIGHT, GL_TRUE);
   glGetTexLevelParameteriv(texture_target(), 0, GL_TEXTURE_SAMPLES, &got);
   CHECK(got == samples, "%s: %d samples, not %d", f->name, got, samples);
   glGetTexLevelParameteriv(texture_target(), 0, GL_TEXTURE_FIXED_SAMPLE_LOCATIONS, &got);
   CHECK(got, "%s: sample locations that are not fixed", f->name);
   glDeleteFramebuffers(1, &images);
   glGenFramebuffers(1, &images);
   glBindFramebuffer(GL_FRAMEBUFFER, images);
   if (array)
      glFramebufferTextureLayer(GL_FRAMEBUFFER, f->attachment, texture, 0, layer);
   else
      glFramebufferTexture2D(GL_FRAMEBUFFER, f->attachment, texture_target(), texture, 0);
   if (f->kind == DEPTHS) {
      glDrawBuffer(GL_NONE);
      glReadBuffer(GL_NONE);
   }
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "%s: incomplete",
         f->name);
   return texture;
}

static void
write_samples(const struct format *f, int layer)
{
   char source[2048];
   snprintf(source, sizeof(source), write, (int)f->kind);
   util_program("", vertex, source);
   glBindFramebuffer(GL_FRAMEBUFFER, images);
   glViewport(0, 0, WIDTH, HEIGHT);
   glUniform1f(uniform("scale"), f->scale);
   glUniform1i(uniform("layer"), layer);
   glEnable(GL_SAMPLE_MASK);
   glEnable(GL_DEPTH_TEST);
   glDepthFunc(GL_ALWAYS);
   for (int s = 0; s < samples; s++) {
      glSampleMaski(0, 1u << s);
      glUniform1i(uniform("number"), s);
      draw(NULL);
   }
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_SAMPLE_MASK);
}

static int
expected(const struct format *f, int x, int y, int s, int layer, int c)
{
   const int v[4] = {x, y, s, layer};
   if (f->kind == DEPTHS)
      return x + 32 * y + 512 * s + 4096 * layer;
   return c < f->channels ? (f->kind == SINTS ? -v[c] : v[c]) : c == 3 ? (int)f->scale : 0;
}

/* Fetches every sample of a layer, which was written as `written`. */
static void
read_samples(const struct format *f, int layer, int written)
{
   static int32_t got[HEIGHT + 1][WIDTH * MAX_SAMPLES][4];
   char source[2048];
   snprintf(source, sizeof(source), read, (int)f->kind, array);
   util_program("", vertex, source);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glViewport(0, 0, WIDTH * samples, HEIGHT + 1);
   glUniform1f(uniform("scale"), f->scale);
   glUniform1i(uniform("layer"), layer);
   glUniform1i(uniform("samples"), samples);
   draw(NULL);
   memset(got, 0, sizeof(got));
   glPixelStorei(GL_PACK_ROW_LENGTH, WIDTH * MAX_SAMPLES);
   glReadPixels(0, 0, WIDTH * samples, HEIGHT + 1, GL_RGBA_INTEGER, GL_INT, got);
   for (int i = 0; i < WIDTH * HEIGHT * samples; i++) {
      const int s = i % samples, x = i / samples % WIDTH, y = i / samples / WIDTH;
      for (int c = 0; c < (f->kind == DEPTHS ? 1 : 4); c++) {
         const int want = expected(f, x, y, s, written, c), is = got[y][x * samples + s][c];
         CHECK(is == want,
               "%s, %d samples: pixel %d, %d, layer %d, sample %d, channel %d: %d, not %d", f->name,
               samples, x, y, layer, s, c, is, want);
      }
   }
   const int32_t *size = got[HEIGHT][0];
   CHECK(size[0] == WIDTH && size[1] == HEIGHT && size[2] == (array ? LAYERS : 0),
         "%s: size %d, %d, %d", f->name, size[0], size[1], size[2]);
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error", f->name);
   checked++;
}

static void
each_format(const struct format *f)
{
   const int layer = array ? 1 : 0;
   const GLuint texture = new_texture(f, layer);
   write_samples(f, layer);
   read_samples(f, layer, layer);
   if (array) { /* another one, and the first is as it was */
      glBindFramebuffer(GL_FRAMEBUFFER, images);
      glFramebufferTextureLayer(GL_FRAMEBUFFER, f->attachment, texture, 0, 2);
      write_samples(f, 2);
      read_samples(f, 2, 2);
      read_samples(f, 1, 1);
   }
   /* All samples to another texture, and one to an image with one sample. */
   const GLuint from = images, copy = (images = 0, new_texture(f, 0));
   const GLbitfield mask = f->kind == DEPTHS ? GL_DEPTH_BUFFER_BIT : GL_COLOR_BUFFER_BIT;
   glBindFramebuffer(GL_READ_FRAMEBUFFER, from);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, images);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, mask, GL_NEAREST);
   read_samples(f, 0, array ? 2 : 0);
   /* As bits, onto what the blit wrote; depths are in the class of no other format. */
   glCopyImageSubData(texture, texture_target(), 0, 0, 0, layer, copy, texture_target(), 0, 0, 0, 0,
                      WIDTH, HEIGHT, 1);
   read_samples(f, 0, layer);
   glDeleteFramebuffers(1, &from);
   glDeleteTextures(1, &texture);
   glDeleteTextures(1, &copy);
}

/* A triangle's edge: a sample is drawn if its position is inside, and the resolve is the mean. */
static void
edges(void)
{
   static const struct format f = {"RGBA8", GL_RGBA8, GL_COLOR_ATTACHMENT0, FLOATS, 1, 255};
   static const GLfloat corners[4][2] = {{-1, -1}, {0.6f, -1}, {-1, 1}, {-0.4f, 1}};
   static int32_t got[HEIGHT][WIDTH * MAX_SAMPLES][4];
   uint8_t mean[HEIGHT][WIDTH][4];
   char source[2048];
   GLuint texture = new_texture(&f, 0), plain;
   glViewport(0, 0, WIDTH, HEIGHT);
   glClearColor(0, 0, 0, 0);
   glClear(GL_COLOR_BUFFER_BIT);
   util_program("", vertex, "#version 130\nout vec4 c; void main() { c = vec4(1); }");
   draw(corners);
   GLfloat at[MAX_SAMPLES][2];
   for (int s = 0; s < samples; s++)
      glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)s, at[s]);
   snprintf(source, sizeof(source), read, (int)f.kind, array);
   util_program("", vertex, source);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glViewport(0, 0, WIDTH * samples, HEIGHT);
   glUniform1f(uniform("scale"), 1);
   glUniform1i(uniform("samples"), samples);
   draw(NULL);
   glReadPixels(0, 0, WIDTH * samples, HEIGHT, GL_RGBA_INTEGER, GL_INT, got);
   glGenRenderbuffers(1, &plain);
   glBindRenderbuffer(GL_RENDERBUFFER, plain);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, WIDTH, HEIGHT);
   GLuint resolved;
   glGenFramebuffers(1, &resolved);
   glBindFramebuffer(GL_FRAMEBUFFER, resolved);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, plain);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, images);
   glBlitFramebuffer(0, 0, WIDTH, HEIGHT, 0, 0, WIDTH, HEIGHT, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, resolved);
   glPixelStorei(GL_PACK_ROW_LENGTH, 0);
   glReadPixels(0, 0, WIDTH, HEIGHT, GL_RGBA, GL_UNSIGNED_BYTE, mean);
   glPixelStorei(GL_PACK_ROW_LENGTH, WIDTH * MAX_SAMPLES);
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
         int covered = 0;
         for (int s = 0; s < samples; s++) {
            /* The right edge: 0.6 at the bottom, -0.4 at the top. */
            const float px = ((float)x + at[s][0]) * 2 / WIDTH - 1,
                        py = ((float)y + at[s][1]) * 2 / HEIGHT - 1, d = 0.1f - py / 2 - px;
            const int is = got[y][x * samples + s][0];
            covered += is;
            CHECK(fabsf(d) < 0.002f || is == (d > 0), "%d samples: pixel %d, %d, sample %d is %d",
                  samples, x, y, s, is);
         }
         CHECK(abs(mean[y][x][0] - covered * 255 / samples) <= 1, "resolve of %d, %d: %d of %d", x,
               y, mean[y][x][0], covered);
      }
   }
   glDeleteFramebuffers(1, &resolved);
   glDeleteRenderbuffers(1, &plain);
   glDeleteTextures(1, &texture);
}

/* Vertices whose positions are samples. */
static void
vertices(void)
{
   static const struct format f = {"RGBA32F", GL_RGBA32F, GL_COLOR_ATTACHMENT0, FLOATS, 4, 1};
   int32_t got[4];
   const GLuint texture = new_texture(&f, 0);
   write_samples(&f, 0);
   util_program("",
                "#version 130\n#extension GL_ARB_texture_multisample: require\n"
                "uniform sampler2DMS t; flat out ivec4 v; in vec2 p;\n"
                "void main() { v = ivec4(texelFetch(t, ivec2(20, 12), gl_VertexID % 2));"
                " gl_Position = vec4(p, 0, 1); }",
                "#version 130\nflat in ivec4 v; out ivec4 c; void main() { c = v; }");
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   draw(NULL);
   glReadPixels(WIDTH - 1, 0, 1, 1, GL_RGBA_INTEGER, GL_INT, got);
   CHECK(got[0] == 20 && got[1] == 12 && got[2] <= 1 && got[3] == 0, "vertices: %d %d %d %d",
         got[0], got[1], got[2], got[3]);
   glDeleteTextures(1, &texture);
}

static void
error_is(GLenum error, const char *what)
{
   const GLenum got = glGetError();
   CHECK(got == error, "%s: error 0x%x, not 0x%x", what, got, error);
}

static void
errors(void)
{
   GLfloat at[2];
   GLint most[3], words = 0;
   GLuint texture;
   glGetIntegerv(GL_MAX_COLOR_TEXTURE_SAMPLES, &most[0]);
   glGetIntegerv(GL_MAX_DEPTH_TEXTURE_SAMPLES, &most[1]);
   glGetIntegerv(GL_MAX_INTEGER_SAMPLES, &most[2]);
   glGetIntegerv(GL_MAX_SAMPLE_MASK_WORDS, &words);
   CHECK(most[0] == 8 && most[1] == 8 && most[2] == 8 && words == 1, "limits %d, %d, %d, %d",
         most[0], most[1], most[2], words);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 9, GL_RGBA8, 8, 8, GL_TRUE);
   error_is(GL_INVALID_OPERATION, "nine samples");
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_RGBA8, 1 << 14, 8, GL_TRUE);
   error_is(GL_INVALID_VALUE, "a texture of 16384 pixels");
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, 4, GL_COMPRESSED_RGBA, 8, 8, GL_TRUE);
   CHECK(glGetError() != GL_NO_ERROR, "compressed samples");
   glTexParameteri(GL_TEXTURE_2D_MULTISAMPLE, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   error_is(GL_INVALID_ENUM, "a filter");
   glSampleMaski(1, 1);
   error_is(GL_INVALID_VALUE, "mask 1");
   glBindFramebuffer(GL_FRAMEBUFFER, images);
   glGetMultisamplefv(GL_SAMPLE_POSITION, 8, at);
   error_is(GL_INVALID_VALUE, "the position of sample 8");
   glDeleteTextures(1, &texture);
}

int
main(void)
{
   GLuint texture;
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32I, WIDTH * MAX_SAMPLES, HEIGHT + 1, 0, GL_RGBA_INTEGER,
                GL_INT, NULL);
   glGenFramebuffers(1, &target);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   for (samples = 2; samples <= MAX_SAMPLES; samples *= 2) {
      for (int i = 0; i < 2 * NUM_FORMATS; i++) {
         array = i >= NUM_FORMATS;
         each_format(&formats[i % NUM_FORMATS]);
      }
      array = false;
      edges();
   }
   samples = 2;
   vertices();
   errors();
   printf("%d images\n", checked);
   return 0;
}
