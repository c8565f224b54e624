/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Fragments of single samples (ARB_sample_shading): what they know of their sample, where their
 * inputs are, colours, depths and kills of each, blending, samples that shaders leave out and
 * queries of them. With the argument gpu_shader5 also what ARB_gpu_shader5 adds: covered samples,
 * `sample` inputs, interpolation at samples, offsets and centroids. */
#include <math.h>
#include <stdbool.h>
#include "gl_util.h"

enum { WIDTH = 16, HEIGHT = 12, MAX_SAMPLES = 8 };

static const char *header = "#version 330\n#extension GL_ARB_sample_shading: require\n";
static const char vertex[] =
    "in vec2 p; uniform vec2 size; SAMPLE out vec3 v; noperspective SAMPLE out vec2 linear_at;\n"
    "void main() { float w = 1.5 + 0.5 * p.x - 0.25 * p.y; gl_Position = vec4(p * w, 0.0, w);\n"
    "   linear_at = (p * 0.5 + 0.5) * size; v = vec3(linear_at * w, w); }";
static int samples, checked;
static GLuint images, reader, target;
static float position[MAX_SAMPLES][2];
static float pixel[HEIGHT][WIDTH][MAX_SAMPLES][4];

static GLint
uniform(const char *name)
{
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   return glGetUniformLocation((GLuint)program, name);
}

static void
use_with(const char *qualifier, const char *fragment)
{
   char text[2048], start[256];
   snprintf(start, sizeof(start), "%s#define SAMPLE %s\n", header, qualifier);
   snprintf(text, sizeof(text),
            "SAMPLE in vec3 v; noperspective SAMPLE in vec2 linear_at;\n"
            "vec2 at(vec3 v) { return v.xy / v.z; }\n%s",
            fragment);
   util_program(start, vertex, text);
   glUniform2f(uniform("size"), WIDTH, HEIGHT);
}

static void
use(const char *fragment)
{
   use_with("", fragment);
}

static void
draw_corners(const GLfloat (*corners)[2], GLsizei count)
{
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, count);
}

static void
draw_all(void)
{
   static const GLfloat all[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   draw_corners(all, 4);
}

static void
clear_images(void)
{
   glBindFramebuffer(GL_FRAMEBUFFER, images);
   glViewport(0, 0, WIDTH, HEIGHT);
   glClearBufferfv(GL_COLOR, 0, (const GLfloat[]){0, 0, 0, 0});
   glClearBufferfv(GL_DEPTH, 0, (const GLfloat[]){1});
}

/* Fetches every sample of a texture. */
static void
fetch(GLuint texture)
{
   static float got[HEIGHT][WIDTH * MAX_SAMPLES][4];
   GLint program;
   glGetIntegerv(GL_CURRENT_PROGRAM, &program);
   glUseProgram(reader);
   glUniform1i(uniform("samples"), samples);
   glActiveTexture(GL_TEXTURE0);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, texture);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glViewport(0, 0, WIDTH * samples, HEIGHT);
   draw_all();
   glPixelStorei(GL_PACK_ROW_LENGTH, WIDTH * MAX_SAMPLES);
   glReadPixels(0, 0, WIDTH * samples, HEIGHT, GL_RGBA, GL_FLOAT, got);
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH * samples; x++)
         memcpy(pixel[y][x / samples][x % samples], got[y][x], sizeof(got[y][x]));
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error");
   glUseProgram((GLuint)program);
   glBindFramebuffer(GL_FRAMEBUFFER, images);
   glViewport(0, 0, WIDTH, HEIGHT);
   checked++;
}

static GLuint color_texture, depth_texture;

/* Expects each sample to be what `wanted` says. */
static void
expect(const char *what, float (*wanted)(int x, int y, int s, int c), float error)
{
   fetch(color_texture);
   for (int i = 0; i < WIDTH * HEIGHT * samples * 4; i++) {
      const int c = i % 4, s = i / 4 % samples, x = i / 4 / samples % WIDTH,
                y = i / 4 / samples / WIDTH;
      const float want = wanted(x, y, s, c), is = pixel[y][x][s][c];
      CHECK(fabsf(is - want) <= error,
            "%s, %d samples: pixel %d, %d, sample %d, channel %d: %f, not %f", what, samples, x, y,
            s, c, is, want);
   }
}

static void
make_images(void)
{
   glGenTextures(1, &color_texture);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, color_texture);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_RGBA32F, WIDTH, HEIGHT, GL_TRUE);
   glGenTextures(1, &depth_texture);
   glBindTexture(GL_TEXTURE_2D_MULTISAMPLE, depth_texture);
   glTexImage2DMultisample(GL_TEXTURE_2D_MULTISAMPLE, samples, GL_DEPTH_COMPONENT32F, WIDTH, HEIGHT,
                           GL_TRUE);
   glGenFramebuffers(1, &images);
   glBindFramebuffer(GL_FRAMEBUFFER, images);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D_MULTISAMPLE,
                          color_texture, 0);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_TEXTURE_2D_MULTISAMPLE,
                          depth_texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
   for (int s = 0; s < samples; s++)
      glGetMultisamplefv(GL_SAMPLE_POSITION, (GLuint)s, position[s]);
}

/* --- What a fragment knows of its sample --- */

static float
wanted_variables(int x, int y, int s, int c)
{
   (void)x, (void)y;
   return c == 0 ? (float)s : c == 3 ? (float)samples : position[s][c - 1];
}

static float
wanted_places(int x, int y, int s, int c)
{
   return (float)(c % 2 ? y : x) + position[s][c % 2];
}

static float
wanted_centres(int x, int y, int s, int c)
{
   (void)s;
   return (float)(c % 2 ? y : x) + 0.5f;
}

static void
test_variables(void)
{
   static const char both[] = "out vec4 c; void main() { c = vec4(%s, linear_at); }";
   static const char *const places[] = {"gl_FragCoord.xy", "at(v)"};
   char text[256];
   clear_images();
   use("out vec4 c; void main() { c = vec4(gl_SampleID, gl_SamplePosition, gl_NumSamples); }");
   draw_all();
   expect("variables", wanted_variables, 0);
   for (int i = 0; i < 2; i++) {
      snprintf(text, sizeof(text), both, places[i]);
      use(text);
      draw_all();
      expect("inputs at pixels", wanted_centres, 1e-4f);
      glEnable(GL_SAMPLE_SHADING);
      glMinSampleShading(1);
      draw_all();
      expect("inputs at samples", wanted_places, 1e-4f);
      glMinSampleShading(0);
      draw_all();
      expect("inputs at pixels again", wanted_centres, 1e-4f);
      glMinSampleShading(1);
      glDisable(GL_MULTISAMPLE);
      draw_all();
      expect("inputs without multisampling", wanted_centres, 1e-4f);
      glEnable(GL_MULTISAMPLE);
      glDisable(GL_SAMPLE_SHADING);
   }
   /* Both kinds of interpolation and the depth in one shader, at samples. */
   use("out vec4 c; void main() { c = vec4(at(v) - linear_at, gl_FragCoord.xy) "
       "+ vec4(gl_FragCoord.xy, float(gl_SampleID >> 5), 0.0); }");
   draw_all();
   expect("inputs where samples are read", wanted_places, 1e-3f);
}

/* --- What happens to the samples of a pixel one by one --- */

static float
wanted_sums(int x, int y, int s, int c)
{
   (void)x, (void)y;
   return c == 0 ? 2 * ((float)s + 1) : 2;
}

static float
wanted_odd(int x, int y, int s, int c)
{
   (void)x, (void)y, (void)c;
   return s % 2 ? 0 : 1;
}

static void
test_operations(void)
{
   clear_images();
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   use("out vec4 c; void main() { c = vec4(gl_SampleID + 1, 1, 1, 1); }");
   draw_all();
   draw_all();
   glDisable(GL_BLEND);
   expect("blending", wanted_sums, 0);

   clear_images();
   use("out vec4 c; void main() { if (gl_SampleID % 2 == 1) discard; c = vec4(1); }");
   draw_all();
   expect("kills", wanted_odd, 0);

   clear_images();
   glEnable(GL_DEPTH_TEST);
   use("out vec4 c; void main() { c = vec4(1); gl_FragDepth = float(gl_SampleID) / 16.0; }");
   draw_all();
   fetch(depth_texture);
   for (int i = 0; i < WIDTH * HEIGHT * samples; i++) {
      const int s = i % samples, x = i / samples % WIDTH, y = i / samples / WIDTH;
      CHECK(pixel[y][x][s][0] == (float)s / 16, "depth of sample %d of %d: %f", s, samples,
            pixel[y][x][s][0]);
   }
   clear_images();
   use("out vec4 c; void main() { c = vec4(gl_SampleID); gl_FragDepth = float(gl_SampleID & 1); }");
   glDepthFunc(GL_LESS);
   draw_all();
   fetch(color_texture);
   for (int s = 0; s < samples; s++)
      CHECK(pixel[5][7][s][0] == (s & 1 ? 0 : (float)s), "depth test of sample %d: %f", s,
            pixel[5][7][s][0]);
   glDisable(GL_DEPTH_TEST);
}

/* --- Samples that shaders leave out --- */

static float
wanted_one(int x, int y, int s, int c)
{
   (void)c;
   return (x + y) % samples == s ? 1 : 0;
}

static float
wanted_all(int x, int y, int s, int c)
{
   (void)x, (void)y, (void)s, (void)c;
   return 1;
}

static GLuint
count_samples(void)
{
   GLuint query, passed;
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   draw_all();
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &passed);
   glDeleteQueries(1, &query);
   return passed;
}

static void
test_masks(void)
{
   static const char one[] =
       "uniform int samples; out vec4 c; void main() { c = vec4(1);\n"
       "   gl_SampleMask[0] = 1 << (int(gl_FragCoord.x) + int(gl_FragCoord.y)) %% samples; %s}";
   static const char *const more[] = {"", "c.x += float(gl_SampleID >> 5);"};
   char text[512];
   for (int i = 0; i < 2; i++) {
      snprintf(text, sizeof(text), one, more[i]);
      clear_images();
      use(text);
      glUniform1i(uniform("samples"), samples);
      const GLuint passed = count_samples();
      expect("a mask", wanted_one, 0);
      CHECK(passed == WIDTH * HEIGHT, "%u samples passed", passed);
      /* What is left out keeps its depth, too. */
      clear_images();
      glEnable(GL_DEPTH_TEST);
      use(text);
      glUniform1i(uniform("samples"), samples);
      draw_all();
      glDisable(GL_DEPTH_TEST);
      fetch(depth_texture);
      for (int s = 0; s < samples; s++)
         CHECK((pixel[2][3][s][0] < 1) == (s == 5 % samples), "depth of sample %d is %f", s,
               pixel[2][3][s][0]);
      clear_images();
      glDisable(GL_MULTISAMPLE);
      use(text);
      glUniform1i(uniform("samples"), samples);
      draw_all();
      glEnable(GL_MULTISAMPLE);
      expect("a mask without multisampling", wanted_all, 0);
   }
}

/* --- ARB_gpu_shader5 --- */

static const GLfloat triangle[3][2] = {{-0.93f, -0.87f}, {0.95f, -0.31f}, {-0.2f, 0.91f}};

/* Expects the mask of each sample of a triangle to be what it covers. alone: of the sample only. */
static void
test_covered(bool alone)
{
   static bool covered[HEIGHT][WIDTH][MAX_SAMPLES];
   int partly = 0;
   clear_images();
   use("out vec4 c; void main() { c = vec4(1); }");
   draw_corners(triangle, 3);
   fetch(color_texture);
   for (int i = 0; i < WIDTH * HEIGHT * samples; i++) {
      const int s = i % samples, x = i / samples % WIDTH, y = i / samples / WIDTH;
      covered[y][x][s] = pixel[y][x][s][0] != 0;
   }
   clear_images();
   use(alone ? "out vec4 c; void main() { c = vec4(gl_SampleMaskIn[0], gl_SampleID, 0, 1); }"
             : "out vec4 c; void main() { c = vec4(gl_SampleMaskIn[0], 0, 0, 1); }");
   draw_corners(triangle, 3);
   fetch(color_texture);
   for (int y = 0; y < HEIGHT; y++) {
      for (int x = 0; x < WIDTH; x++) {
         int mask = 0;
         for (int s = 0; s < samples; s++)
            mask |= covered[y][x][s] << s;
         partly += mask && mask != (1 << samples) - 1;
         for (int s = 0; s < samples; s++) {
            const int want = !covered[y][x][s] ? 0 : alone ? 1 << s : mask;
            CHECK(pixel[y][x][s][0] == (float)want, "mask of sample %d at %d, %d: %f, not %d", s, x,
                  y, pixel[y][x][s][0], want);
         }
      }
   }
   CHECK(partly > 8, "only %d pixels are partly covered", partly);
}

static int chosen; /* sample */
static float moved[2];

static float
wanted_chosen(int x, int y, int s, int c)
{
   (void)s;
   return (float)(c % 2 ? y : x) + position[chosen][c % 2];
}

static float
wanted_moved(int x, int y, int s, int c)
{
   (void)s;
   return (float)(c % 2 ? y : x) + 0.5f + moved[c % 2];
}

static void
test_interpolation(void)
{
   static const char *const more[] = {"", "c += vec4(gl_SampleID >> 5);"};
   char text[1024];
   for (int i = 0; i < 2; i++) {
      /* In divergent code, whose derivatives must be those of all pixels. */
      for (chosen = 0; chosen < samples; chosen++) {
         snprintf(text, sizeof(text),
                  "uniform int n; out vec4 c; void main() { c = vec4(0);\n"
                  "if (int(gl_FragCoord.x) %% 2 == 0) c = vec4(at(interpolateAtSample(v, n)), "
                  "interpolateAtSample(linear_at, n));\n"
                  "else c = vec4(at(interpolateAtSample(v, n)), interpolateAtSample(linear_at, "
                  "n)).xyzw; %s}",
                  more[i]);
         use(text);
         glUniform1i(uniform("n"), chosen);
         draw_all();
         expect("interpolation at a sample", wanted_chosen, 1e-3f);
      }
      for (int k = 0; k < 4; k++) {
         moved[0] = (float)k / 8 - 0.5f;
         moved[1] = 0.4375f - (float)k / 4;
         snprintf(text, sizeof(text),
                  "uniform vec2 o; out vec4 c; void main() { c = vec4(at(interpolateAtOffset(v, "
                  "o)), interpolateAtOffset(linear_at, o)); %s}",
                  more[i]);
         use(text);
         glUniform2f(uniform("o"), moved[0], moved[1]);
         draw_all();
         expect("interpolation at an offset", wanted_moved, 1e-3f);
      }
   }
   /* Covered pixels have their centroid at the centre, which is beside the plain input. */
   static const GLfloat one[3][2] = {{-1, -1}, {3, -1}, {-1, 3}};
   use("out vec4 c; void main() { c = vec4(at(interpolateAtCentroid(v)), linear_at); }");
   draw_corners(one, 3);
   expect("interpolation at centroids", wanted_centres, 1e-3f);
   use_with("sample", "out vec4 c; void main() { c = vec4(at(v), linear_at); }");
   draw_all();
   expect("inputs of samples", wanted_places, 1e-4f);
}

int
main(int argc, char **argv)
{
   const bool gpu_shader5 = argc > 1 && !strcmp(argv[1], "gpu_shader5");
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   GLuint image;
   util_make_current(display, util_config(display), WIDTH, EGL_NO_CONTEXT, &context);
   CHECK(strstr((const char *)glGetString(GL_EXTENSIONS), "GL_ARB_sample_shading"),
         "no ARB_sample_shading");
   reader =
       util_program("#version 330\n", "in vec2 p; void main() { gl_Position = vec4(p, 0, 1); }",
                    "uniform sampler2DMS t; uniform int samples; out vec4 c; void main() {\n"
                    "   ivec2 p = ivec2(gl_FragCoord.xy);\n"
                    "   c = texelFetch(t, ivec2(p.x / samples, p.y), p.x % samples); }");
   if (gpu_shader5)
      header = "#version 330\n#extension GL_ARB_sample_shading: require\n"
               "#extension GL_ARB_gpu_shader5: require\n";
   glGenTextures(1, &image);
   glBindTexture(GL_TEXTURE_2D, image);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, WIDTH * MAX_SAMPLES, HEIGHT, 0, GL_RGBA, GL_FLOAT,
                NULL);
   glGenFramebuffers(1, &target);
   glBindFramebuffer(GL_FRAMEBUFFER, target);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, image, 0);
   for (samples = 2; samples <= MAX_SAMPLES; samples *= 2) {
      make_images();
      test_variables();
      test_operations();
      test_masks();
      if (gpu_shader5) {
         test_covered(false);
         test_covered(true);
         test_interpolation();
      }
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error");
   printf("%d images\n", checked);
   return 0;
}
