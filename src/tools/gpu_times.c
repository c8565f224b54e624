/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Microbenchmarks of OpenGL. Each one keeps a unit of the GPU busy, or waits for one thing, and is
 * timed with GL_TIME_ELAPSED. The times go into a table, from which "attila calibrate" derives a
 * machine. It needs nothing else of this project:
 *    cc -O2 gpu_times.c -o gpu_times -lEGL -lGL
 * Each benchmark has a size n. It is doubled until the draws take long enough, then n and 2n are
 * timed: the difference leaves out what it costs to begin and end a draw.
 *
 * Not here: what the times mean (python/src/attila/tools/calibrate.py). */
#define GL_GLEXT_PROTOTYPES
#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_REPEAT 99
#define MAX_N 65536
#define FETCHES 8 /* of a loop's iteration, in the shaders that fetch */
#define NUM_INDICES 3072
#define PAGE_STRIDE (256u << 10) /* more than a page of memory in all channels */
#define SQUARE 16                /* side of the square that one shader draws */
#define MAX_SQUARES 256
#define OTHER_SQUARES 16

static struct {
   /* Options. */
   const char *output, *only;
   unsigned width, height, least_us, repeat, warm_ms, most_kib;
   /* State of the running benchmark. */
   FILE *file;
   GLuint query, target, depth, program, buffer;
   GLint loops, start;
   GLsizei indices;
   bool begun; /* any of them */
   unsigned elements, position, squares;
   uint32_t *path; /* places of a ring's elements, in the order of the chase */
} gpu;

/* Ends with a message. */
#define END(status, ...)                   \
   do {                                    \
      fputs("gpu_times: error: ", stderr); \
      fprintf(stderr, __VA_ARGS__);        \
      fputc('\n', stderr);                 \
      exit(status);                        \
   } while (0)

/* --- Measuring ---------------------------------------------------------------------------- */

typedef void (*draw_function)(unsigned n);

/* Returns the nanoseconds that the GPU needs for draw(n). */
static double
gpu_times_once(draw_function draw, unsigned n)
{
   GLuint64 ns = 0;
   glBeginQuery(GL_TIME_ELAPSED, gpu.query);
   draw(n);
   glEndQuery(GL_TIME_ELAPSED);
   glGetQueryObjectui64v(gpu.query, GL_QUERY_RESULT, &ns);
   return (double)ns;
}

static int
gpu_times_compare(const void *a, const void *b)
{
   const double difference = *(const double *)a - *(const double *)b;
   return (difference > 0) - (difference < 0);
}

static double
gpu_times_median(draw_function draw, unsigned n)
{
   double ns[MAX_REPEAT];
   for (unsigned i = 0; i < gpu.repeat; i++)
      ns[i] = gpu_times_once(draw, n);
   qsort(ns, gpu.repeat, sizeof(ns[0]), gpu_times_compare);
   return ns[gpu.repeat / 2];
}

/* Draws until the clocks of the GPU are those of a busy GPU. */
static void
gpu_times_warm(draw_function draw, unsigned n)
{
   for (double ns = 0; ns < gpu.warm_ms * 1e6;)
      ns += gpu_times_once(draw, n) + 1;
}

/* Times draw for two sizes, from first on, and writes a row for each. work: of draw(1). Returns the
 * nanoseconds for each piece of work. */
static double
gpu_times_measure(const char *test, double x, double work, unsigned first, draw_function draw)
{
   const double least = gpu.least_us * 1e3;
   unsigned n = first;
   for (;;) {
      const double ns = gpu_times_once(draw, n);
      if (ns <= 1000 && n >= 256) /* Mesa without a clock says 1000 */
         END(1, "%s does not measure times", (const char *)glGetString(GL_RENDERER));
      if (ns >= least || n >= MAX_N)
         break;
      n *= ns * 4 < least ? 4 : 2;
   }
   gpu_times_warm(draw, n);
   const double ns[2] = {gpu_times_median(draw, n), gpu_times_median(draw, 2 * n)};
   for (unsigned i = 0; i < 2; i++)
      fprintf(gpu.file, "%s,%g,%.0f,%.0f\n", test, x, work * n * (1 + i), ns[i]);
   fflush(gpu.file);
   const GLenum error = glGetError();
   if (error)
      END(1, "OpenGL error 0x%04x in %s", error, test);
   return (ns[1] - ns[0]) / (work * n);
}

/* Whether the benchmark is wanted. It begins with the state that most of them need. side: of the
 * square that is drawn; 0: the whole target. */
static bool
gpu_times_begin(const char *test, GLsizei side)
{
   if (gpu.only && strcmp(gpu.only, test))
      return false;
   fprintf(stderr, "%s\n", test);
   gpu.begun = true;
   glDisable(GL_BLEND);
   glDisable(GL_DEPTH_TEST);
   glDisable(GL_CULL_FACE);
   (side ? glEnable : glDisable)(GL_SCISSOR_TEST);
   glScissor(0, 0, side, side);
   glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
   return true;
}

/* --- Programs ----------------------------------------------------------------------------- */

static GLuint
gpu_times_shader(GLenum stage, const char *const *parts, unsigned count)
{
   const GLuint shader = glCreateShader(stage);
   GLint ok = 0;
   glShaderSource(shader, (GLsizei)count, parts, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      char log[1024];
      glGetShaderInfoLog(shader, sizeof(log), NULL, log);
      END(1, "a shader does not compile: %s", log);
   }
   return shader;
}

/* Makes a program and uses it. body: of the fragment shader's main, which sets c. It may use the
 * varying uv and the uniforms loops, start and a. */
static void
gpu_times_program(const char *vertex_body, const char *body)
{
   const char *const vertex[] = {"#version 330\n"
                                 "layout(location = 0) in vec4 p; out vec2 uv;\n"
                                 "uniform int loops; uniform vec4 a; uniform vec2 scale;\n"
                                 "void main() {\n",
                                 vertex_body, "}\n"};
   const char *const fragment[] = {"#version 330\n"
                                   "in vec2 uv; out vec4 c;\n"
                                   "uniform int loops, start, mask, width; uniform vec4 a;\n"
                                   "uniform sampler2D t; uniform usamplerBuffer b;\n"
                                   "void main() {\n",
                                   body, "}\n"};
   if (gpu.program)
      glDeleteProgram(gpu.program);
   gpu.program = glCreateProgram();
   const GLuint shaders[] = {gpu_times_shader(GL_VERTEX_SHADER, vertex, 3),
                             gpu_times_shader(GL_FRAGMENT_SHADER, fragment, 3)};
   for (unsigned i = 0; i < 2; i++) {
      glAttachShader(gpu.program, shaders[i]);
      glDeleteShader(shaders[i]);
   }
   glLinkProgram(gpu.program);
   GLint ok = 0;
   glGetProgramiv(gpu.program, GL_LINK_STATUS, &ok);
   if (!ok)
      END(1, "a program does not link");
   glUseProgram(gpu.program);
   gpu.loops = glGetUniformLocation(gpu.program, "loops");
   gpu.start = glGetUniformLocation(gpu.program, "start");
   glUniform4f(glGetUniformLocation(gpu.program, "a"), .5f, .25f, .125f, .0625f);
   glUniform1i(gpu.loops, 16);
}

/* A fragment shader's body: before, a loop in which part is repeated, and after. */
static const char *
gpu_times_loop(const char *before, const char *part, unsigned count, const char *after)
{
   static char text[16384];
   char *end = text + sprintf(text, "%s for (int i = 0; i < loops; i++) {\n", before);
   for (unsigned i = 0; i < count; i++)
      end += sprintf(end, "%s\n", part);
   sprintf(end, "}\n%s", after);
   return text;
}

/* --- Targets and draws -------------------------------------------------------------------- */

static void
gpu_times_target(unsigned width, unsigned height)
{
   glBindRenderbuffer(GL_RENDERBUFFER, gpu.target);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, (GLsizei)width, (GLsizei)height);
   glBindRenderbuffer(GL_RENDERBUFFER, gpu.depth);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_DEPTH_COMPONENT24, (GLsizei)width, (GLsizei)height);
   if (glCheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE)
      END(1, "no framebuffer of %u x %u", width, height);
   glViewport(0, 0, (GLsizei)width, (GLsizei)height);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
}

/* A triangle that covers the target, n times. */
static void
gpu_times_layers(unsigned n)
{
   glDrawArraysInstanced(GL_TRIANGLES, 0, 3, (GLsizei)n);
}

/* One layer whose shader loops n times. */
static void
gpu_times_looping(unsigned n)
{
   glUniform1i(gpu.loops, (GLint)n);
   glDrawArrays(GL_TRIANGLES, 0, 3);
}

/* The first squares of the target, whose shaders loop n times, behind others: what the shaders drew
 * before cannot matter. */
static void
gpu_times_squares(unsigned n)
{
   glScissor((GLint)gpu.squares * SQUARE, 0, OTHER_SQUARES * SQUARE, SQUARE);
   gpu_times_looping(1);
   glScissor(0, 0, (GLsizei)gpu.squares * SQUARE, SQUARE);
   gpu_times_looping(n);
}

/* As looping, for a chase, which goes on where the last one ended. */
static void
gpu_times_chasing(unsigned n)
{
   glUniform1i(gpu.start, (GLint)gpu.path[gpu.position]);
   gpu_times_looping(n);
   gpu.position = (unsigned)((gpu.position + (uint64_t)n * FETCHES) % gpu.elements);
}

/* n instances of triangles, all of them without area. */
static void
gpu_times_strips(unsigned n)
{
   glDrawElementsInstanced(GL_TRIANGLE_STRIP, gpu.indices + 2, GL_UNSIGNED_INT, NULL, (GLsizei)n);
}

static void
gpu_times_triangles(unsigned n)
{
   glDrawElementsInstanced(GL_TRIANGLES, gpu.indices, GL_UNSIGNED_INT, NULL, (GLsizei)n);
}

/* Layers that read the buffer, each one another part of it. */
static void
gpu_times_reading(unsigned n)
{
   for (unsigned i = 0; i < n; i++) {
      gpu.position += gpu.width * gpu.height * FETCHES;
      glUniform1i(gpu.start, (GLint)gpu.position);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
}

/* --- Benchmarks --------------------------------------------------------------------------- */

static const char plain[] = "gl_Position = p;";
static const char start[] = "vec4 x = gl_FragCoord + a;";
static const char mad[] = "x = x * a + a.yzwx;";

static void
gpu_times_pixels(void)
{
   const double pixels = (double)gpu.width * gpu.height;
   gpu_times_program(plain, "c = a;");
   if (gpu_times_begin("fill", 0))
      gpu_times_measure("fill", 0, pixels, 1, gpu_times_layers);
   if (gpu_times_begin("square_fill", SQUARE)) {
      gpu_times_measure("square_fill", 0, SQUARE * SQUARE, 1, gpu_times_layers);
   }
   if (gpu_times_begin("blend", 0)) {
      glEnable(GL_BLEND);
      glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
      gpu_times_measure("blend", 0, pixels, 1, gpu_times_layers);
   }
   if (gpu_times_begin("depth", 0)) {
      glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_FALSE);
      glEnable(GL_DEPTH_TEST);
      glDepthFunc(GL_ALWAYS);
      gpu_times_measure("depth", 0, pixels, 1, gpu_times_layers);
   }
}

/* Finds, to 3 %, the size from which on a piece of work takes ratio times as long as for the first
 * size: doubles it, then halves the interval. All sizes are in the table. */
static void
gpu_times_step(const char *test, unsigned first, unsigned last, unsigned grain, double ratio,
               double (*at)(const char *test, unsigned size))
{
   const double fast = at(test, first);
   unsigned low = first, high = 2 * first;
   for (; high <= last && at(test, high) < ratio * fast; high *= 2)
      low = high;
   if (high > last)
      return;
   while (high - low > grain && (high - low) * 32 > low) {
      const unsigned middle = (low + high) / 2 / grain * grain;
      if (at(test, middle) < ratio * fast)
         low = middle;
      else
         high = middle;
   }
}

/* A loop of the first squares. As long as each has a shader of its own, they take as long as
 * one. */
static double
gpu_times_squares_at(const char *test, unsigned squares)
{
   gpu.squares = squares;
   return gpu_times_measure(test, squares, 1, 4, gpu_times_squares);
}

/* Instructions: a loop with 48 of them for all pixels (rates), loops with 16 and 48 for one pixel
 * (latencies); then for the pixels of one square, and for more and more squares. */
static void
gpu_times_alu(void)
{
   static const char *const names[] = {"mad16", "mad48", "rsq16", "rsq48"};
   const double pixels = (double)gpu.width * gpu.height;
   for (unsigned i = 0; i < 4; i++) {
      const char *const part = i < 2 ? mad : "x = inversesqrt(x);"; /* four of them */
      char name[32];
      gpu_times_program(
          plain, gpu_times_loop(start, part, (i % 2 ? 48u : 16u) / (i < 2 ? 1 : 4), "c = x;"));
      sprintf(name, "alu_%s", names[i]);
      if (i % 2 && gpu_times_begin(name, 0))
         gpu_times_measure(name, 0, pixels * 16, 1, gpu_times_layers);
      sprintf(name, "chain_%s", names[i]);
      if (i < 2 && gpu_times_begin(name, 1))
         gpu_times_measure(name, 0, 1, 8, gpu_times_looping);
      sprintf(name, "square_%s", names[i]);
      if (gpu_times_begin(name, SQUARE)) {
         gpu_times_target((MAX_SQUARES + OTHER_SQUARES) * SQUARE, SQUARE);
         gpu.squares = 1;
         gpu_times_measure(name, 0, SQUARE * SQUARE, 4, gpu_times_squares);
         gpu_times_target(gpu.width, gpu.height);
      }
   }
   if (gpu_times_begin("squares", SQUARE)) {
      gpu_times_program(plain, gpu_times_loop(start, mad, 48, "c = x;"));
      gpu_times_target((MAX_SQUARES + OTHER_SQUARES) * SQUARE, SQUARE);
      gpu_times_step("squares", 1, MAX_SQUARES, 1, 1.5, gpu_times_squares_at);
      gpu_times_target(gpu.width, gpu.height);
   }
}

static void
gpu_times_texture(const char *name, GLenum format, GLint filter, float texels_per_pixel,
                  float anisotropy)
{
   static const char body[] = "gl_Position = p; uv = p.xy * scale;";
   if (!gpu_times_begin(name, 0))
      return;
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   const unsigned side = 8;
   for (unsigned level = 0; side >> level; level++)
      glTexImage2D(GL_TEXTURE_2D, (GLint)level, (GLint)format, (GLsizei)(side >> level),
                   (GLsizei)(side >> level), 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, filter);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER,
                   filter == GL_NEAREST ? GL_NEAREST : GL_LINEAR);
   if (anisotropy > 1)
      glTexParameterf(GL_TEXTURE_2D, GL_TEXTURE_MAX_ANISOTROPY_EXT, anisotropy);
   gpu_times_program(body, gpu_times_loop("vec4 s = a; vec2 p = uv;",
                                          "s += texture(t, p); p += a.zw;", FETCHES, "c = s;"));
   /* uv goes over 2 * scale texels from one side of the target to the other. */
   const float scale = texels_per_pixel / (float)side / 2;
   glUniform2f(glGetUniformLocation(gpu.program, "scale"), scale * (float)gpu.width * anisotropy,
               scale * (float)gpu.height);
   glUniform1i(gpu.loops, 4);
   gpu_times_measure(name, 0, (double)gpu.width * gpu.height * FETCHES * 4, 1, gpu_times_layers);
   glDeleteTextures(1, &texture);
}

static void
gpu_times_textures(void)
{
   gpu_times_texture("nearest_rgba8", GL_RGBA8, GL_NEAREST, .5f, 1);
   gpu_times_texture("bilinear_rgba8", GL_RGBA8, GL_LINEAR, .5f, 1);
   gpu_times_texture("bilinear_rgba16f", GL_RGBA16F, GL_LINEAR, .5f, 1);
   gpu_times_texture("bilinear_rgba32f", GL_RGBA32F, GL_LINEAR, .5f, 1);
   gpu_times_texture("trilinear_rgba8", GL_RGBA8, GL_LINEAR_MIPMAP_LINEAR, 1.4f, 1);
   gpu_times_texture("aniso16_rgba8", GL_RGBA8, GL_LINEAR_MIPMAP_LINEAR, 1.4f, 16);
}

/* Fills the buffer with a ring of elements, stride bytes apart, each of which has the place of the
 * next one. shuffled: in an order that no prefetcher knows. */
static void
gpu_times_ring(unsigned bytes, unsigned stride, bool shuffled)
{
   const unsigned count = bytes / stride, words = stride / 4;
   const bool whole = stride < 4096;
   uint32_t seed = 1, *data = whole ? calloc(count, stride) : NULL;
   gpu.path = realloc(gpu.path, count * sizeof(*gpu.path));
   if (!gpu.path || (whole && !data))
      END(1, "no memory for a ring of %u bytes", bytes);
   for (unsigned i = 0; i < count; i++)
      gpu.path[i] = i * words;
   for (unsigned i = count - 1; i && shuffled; i--) {
      seed = seed * 1664525 + 1013904223;
      const unsigned j = (unsigned)((uint64_t)seed * (i + 1) >> 32);
      const uint32_t place = gpu.path[i];
      gpu.path[i] = gpu.path[j], gpu.path[j] = place;
   }
   glBufferData(GL_TEXTURE_BUFFER, (GLsizeiptr)count * stride, NULL, GL_STATIC_DRAW);
   for (unsigned i = 0; i < count; i++) {
      const uint32_t next = gpu.path[(i + 1) % count];
      if (whole)
         data[gpu.path[i]] = next;
      else
         glBufferSubData(GL_TEXTURE_BUFFER, (GLintptr)gpu.path[i] * 4, 4, &next);
   }
   if (whole)
      glBufferSubData(GL_TEXTURE_BUFFER, 0, (GLsizeiptr)count * stride, data);
   free(data);
   gpu.elements = count;
   gpu.position = 0;
}

/* Chases through a ring; returns nanoseconds for each fetch. A shuffled chase goes round twice
 * before the difference counts. */
static double
gpu_times_chase(const char *test, double x, unsigned bytes, unsigned stride, bool shuffled)
{
   gpu_times_ring(bytes, stride, shuffled);
   const unsigned round = shuffled ? 2 * bytes / stride / FETCHES + 1 : 8;
   return gpu_times_measure(test, x, FETCHES, round, gpu_times_chasing);
}

static unsigned line_size = 256;

static double
gpu_times_cache_at(const char *test, unsigned bytes)
{
   return gpu_times_chase(test, bytes, bytes, line_size, true);
}

/* Each pixel reads lines of its own; those of a square of 16 x 16 pixels lie side by side. */
static void
gpu_times_read(void)
{
   char body[512];
   sprintf(body,
           "ivec2 p = ivec2(gl_FragCoord.xy), q = p / 16; p = p - q * 16;\n"
           "int i = start + (q.y * width + q.x) * 256 + p.y * 16 + p.x; uint s = 0u;\n"
           "for (int k = 0; k < %d; k++) s += texelFetch(b, ((i + k * %u) * %u) & mask).x;\n"
           "c = vec4(float(s));",
           FETCHES, gpu.width * gpu.height, line_size / 4);
   gpu_times_program(plain, body);
   const unsigned bytes = gpu.most_kib > 1u << 16 ? 1u << 30 : gpu.most_kib << 14;
   glBufferData(GL_TEXTURE_BUFFER, bytes, NULL, GL_STATIC_DRAW);
   glUniform1i(glGetUniformLocation(gpu.program, "width"), (GLint)(gpu.width / 16));
   glUniform1i(glGetUniformLocation(gpu.program, "mask"), (GLint)(bytes / 4 - 1));
   gpu.position = 0;
   gpu_times_measure("read", line_size, (double)gpu.width * gpu.height * FETCHES, 1,
                     gpu_times_reading);
}

static void
gpu_times_memory(void)
{
   static const char fetch[] = "i0 = texelFetch(b, int(i0)).x;";
   const unsigned most = gpu.most_kib << 10;
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_BUFFER, texture);
   glTexBuffer(GL_TEXTURE_BUFFER, GL_R32UI, gpu.buffer);
   gpu_times_program(
       plain, gpu_times_loop("uint i0 = uint(start);", fetch, FETCHES, "c = vec4(float(i0));"));
   double ns[6];
   unsigned n = 0;
   if (gpu_times_begin("stride", 1)) {
      for (unsigned stride = 16; stride <= 512; stride *= 2)
         ns[n++] = gpu_times_chase("stride", stride, most, stride, false);
      for (line_size = 16, n = 0; ns[n] < .85 * ns[5]; n++)
         line_size *= 2;
   }
   if (gpu_times_begin("cache", 1))
      gpu_times_step("cache", 1024, most, line_size, 1.12, gpu_times_cache_at);
   const unsigned far = most > 1u << 24 ? 1u << 31 : most * 128;
   if (gpu_times_begin("page", 1))
      gpu_times_chase("page", PAGE_STRIDE, far, PAGE_STRIDE, true);
   if (gpu_times_begin("read", 0))
      gpu_times_read();
   glDeleteTextures(1, &texture);
}

/* Makes indices that go round size vertices. The first three vertices are for layers. */
static void
gpu_times_indices(unsigned size)
{
   static uint32_t indices[NUM_INDICES + 2];
   for (unsigned i = 0; i < NUM_INDICES + 2; i++)
      indices[i] = 3 + i % size;
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   gpu.indices = NUM_INDICES;
}

static double
gpu_times_reuse_at(const char *test, unsigned size)
{
   gpu_times_indices(size);
   return gpu_times_measure(test, size, NUM_INDICES, 1, gpu_times_triangles);
}

static void
gpu_times_vertices(void)
{
   gpu_times_program(plain, "c = a;");
   gpu_times_indices(12);
   if (gpu_times_begin("triangles", 0))
      gpu_times_measure("triangles", 0, NUM_INDICES, 1, gpu_times_strips);
   if (gpu_times_begin("indices", 0))
      gpu_times_measure("indices", 0, NUM_INDICES, 1, gpu_times_triangles);
   gpu_times_indices(NUM_INDICES);
   if (gpu_times_begin("vertices", 0))
      gpu_times_measure("vertices", 0, NUM_INDICES, 1, gpu_times_triangles);
   if (gpu_times_begin("reuse", 0)) {
      gpu_times_program("vec4 x = p;\n"
                        "for (int i = 0; i < loops; i++) { x = x * a + a.yzwx; x = x * a + a; }\n"
                        "gl_Position = min(x, vec4(0.)) + p;",
                        "c = a;");
      glUniform1i(gpu.loops, 64);
      gpu_times_step("reuse", 6, NUM_INDICES / 2, 1, 4, gpu_times_reuse_at);
   }
}

/* --- Beginning ---------------------------------------------------------------------------- */

static void
gpu_times_context(void)
{
   EGLDisplay display = eglGetDisplay(EGL_DEFAULT_DISPLAY);
   if (!display || !eglInitialize(display, NULL, NULL)) { /* there is no window system */
      display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
      if (!display || !eglInitialize(display, NULL, NULL))
         END(1, "no EGL display: run it in a session on the GPU that is meant");
   }
   static const EGLint version[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3,
                                    EGL_NONE};
   eglBindAPI(EGL_OPENGL_API);
   EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, version);
   if (!context || !eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context))
      END(1, "no OpenGL 3.3 without a window on this display");
   GLint bits = 0;
   glGetQueryiv(GL_TIME_ELAPSED, GL_QUERY_COUNTER_BITS, &bits);
   if (!bits)
      END(1, "%s does not measure times", (const char *)glGetString(GL_RENDERER));
}

static void
gpu_times_objects(void)
{
   GLuint names[3];
   glGenQueries(1, &gpu.query);
   glGenFramebuffers(1, names);
   glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
   glGenRenderbuffers(1, &gpu.target);
   glGenRenderbuffers(1, &gpu.depth);
   glBindRenderbuffer(GL_RENDERBUFFER, gpu.target);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, gpu.target);
   glBindRenderbuffer(GL_RENDERBUFFER, gpu.depth);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, gpu.depth);
   gpu_times_target(gpu.width, gpu.height);
   glGenBuffers(3, names);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, names[0]);
   glBindBuffer(GL_TEXTURE_BUFFER, gpu.buffer = names[1]);
   glBindBuffer(GL_ARRAY_BUFFER, names[2]);
   /* The triangle that covers the target; then vertices of triangles without area. */
   static GLshort corners[2 * 4096] = {-1, -1, 3, -1, -1, 3};
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   GLuint array;
   glGenVertexArrays(1, &array);
   glBindVertexArray(array);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, names[0]);
   glVertexAttribPointer(0, 2, GL_SHORT, GL_FALSE, 0, NULL);
   glEnableVertexAttribArray(0);
}

static const char help[] =
    "Usage: gpu_times [options]\n\n"
    "Times microbenchmarks on this machine's OpenGL driver, for attila calibrate.\n\n"
    "  -o FILE        table to write (default: TIMES.csv)\n"
    "  --size WxH     pixels of the target, multiples of 16 (default: 3840x2160)\n"
    "  --least-us N   shortest time that counts, in microseconds (default: 2000)\n"
    "  --repeat N     measurements whose median counts, 1 to 99 (default: 5)\n"
    "  --warm-ms N    time to draw before each measurement, in milliseconds (default: 100)\n"
    "  --most-kib N   largest ring of a chase, a power of 2 (default: 131072)\n"
    "  --simulated    --size 64x64 --least-us 20 --repeat 1 --warm-ms 0 --most-kib 256\n"
    "  --test NAME    only this benchmark\n"
    "  -h, --help     this text\n\n"
    "Exit: 0 done, 1 OpenGL or the file cannot be used, 2 wrong use.\n";

static unsigned
gpu_times_number(const char *option, const char *text, unsigned least, unsigned most)
{
   char *end = NULL;
   const unsigned long value = text ? strtoul(text, &end, 10) : 0;
   if (!text || end == text || *end || *text == '-' || value < least || value > most)
      END(2, "%s takes a number from %u to %u", option, least, most);
   return (unsigned)value;
}

static void
gpu_times_option(const char *option, const char *value)
{
   if (!strcmp(option, "-o") && value)
      gpu.output = value;
   else if (!strcmp(option, "--test") && value)
      gpu.only = value;
   else if (!strcmp(option, "--size")) {
      char rest;
      if (!value || sscanf(value, "%ux%u%c", &gpu.width, &gpu.height, &rest) != 2 || !gpu.width ||
          gpu.width % 16 || !gpu.height || gpu.height % 16 || gpu.width > 8192 || gpu.height > 8192)
         END(2, "%s takes WxH, multiples of 16 up to 8192", option);
   } else if (!strcmp(option, "--least-us"))
      gpu.least_us = gpu_times_number(option, value, 1, 1000000);
   else if (!strcmp(option, "--repeat"))
      gpu.repeat = gpu_times_number(option, value, 1, MAX_REPEAT);
   else if (!strcmp(option, "--warm-ms"))
      gpu.warm_ms = gpu_times_number(option, value, 0, 100000);
   else if (!strcmp(option, "--most-kib")) {
      gpu.most_kib = gpu_times_number(option, value, 16, 131072);
      if (gpu.most_kib & (gpu.most_kib - 1))
         END(2, "%s takes a power of 2", option);
   } else {
      END(2, "unknown option %s, or its value is missing", option);
   }
}

int
main(int argc, char **argv)
{
   gpu.output = "TIMES.csv";
   gpu.width = 3840, gpu.height = 2160, gpu.least_us = 2000, gpu.repeat = 5, gpu.warm_ms = 100;
   gpu.most_kib = 131072;
   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "-h") || !strcmp(argv[i], "--help")) {
         fputs(help, stdout);
         return 0;
      }
      if (!strcmp(argv[i], "--simulated")) {
         gpu.width = gpu.height = 64, gpu.least_us = 20, gpu.repeat = 1, gpu.warm_ms = 0;
         gpu.most_kib = 256;
      } else {
         gpu_times_option(argv[i], i + 1 < argc ? argv[i + 1] : NULL);
         i++;
      }
   }
   gpu_times_context();
   gpu.file = fopen(gpu.output, "w");
   if (!gpu.file)
      END(1, "cannot write %s", gpu.output);
   fprintf(gpu.file, "# renderer: %s\n# version: %s\n# size: %ux%u\ntest,x,work,ns\n",
           (const char *)glGetString(GL_RENDERER), (const char *)glGetString(GL_VERSION), gpu.width,
           gpu.height);
   gpu_times_objects();
   gpu_times_pixels();
   gpu_times_vertices();
   gpu_times_alu();
   gpu_times_textures();
   gpu_times_memory();
   if (!gpu.begun)
      END(1, "there is no benchmark '%s'", gpu.only);
   if (ferror(gpu.file) || fclose(gpu.file))
      END(1, "cannot write %s", gpu.output);
   return 0;
}
