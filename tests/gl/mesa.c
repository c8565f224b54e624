/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the patches in subprojects/packagefiles/mesa mend and no other test needs, and GL_SELECT, a
 * case each; mesa.sh runs them all. None needs an X server. Not here: windows (windows.c),
 * compressed images (texcompress.c), pixels (pixels.c), invalid calls (invalid.c), limits
 * (limits.c), frames of pbuffers (egl_pbuffer.c). */
#include <math.h>
#include <stdbool.h>
#include <pthread.h>
#include "gl_util.h"

#define SIZE 16 /* of the pbuffer */

static EGLDisplay display;

/* --- helpers --- */

static void
begin(EGLenum api)
{
   EGLContext context;
   display = util_display(api);
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
}

static void
quad(float z)
{
   glBegin(GL_TRIANGLE_FAN);
   glVertex3f(-1, -1, z);
   glVertex3f(1, -1, z);
   glVertex3f(1, 1, z);
   glVertex3f(-1, 1, z);
   glEnd();
}

static unsigned
pixel(int x, int y)
{
   unsigned char p[4] = {0};
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   return (unsigned)p[0] << 16 | (unsigned)p[1] << 8 | p[2];
}

#define EXPECT_PIXEL(x, y, want) \
   CHECK(pixel(x, y) == (want), "pixel (%d, %d) is %06x, not %06x", x, y, pixel(x, y), want)

/* --- cases --- */

/* Immediate mode with a marker before each of three triangles: mesa.sh looks at the labels of the
 * draws. The third is set by an older extension, which ST_DEBUG=gremedy offers. */
static void
marker(void)
{
   begin(EGL_OPENGL_API);
   static const char *const labels[] = {"first", "second", "third"};
   for (int i = 0; i < 3; i++) {
      if (i < 2)
         glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                              GL_DEBUG_SEVERITY_NOTIFICATION, -1, labels[i]);
      else
         ((PFNGLSTRINGMARKERGREMEDYPROC)eglGetProcAddress("glStringMarkerGREMEDY"))(0, labels[i]);
      glBegin(GL_TRIANGLES);
      glVertex2f(-1, -1);
      glVertex2f(1, -1);
      glVertex2f(-1, 1);
      glEnd();
   }
   glFinish();
}

/* The depth, the stencil and the samples of a pbuffer's configuration are there. */
static void
pbuffer_buffers(int samples)
{
   const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                EGL_PBUFFER_BIT,
                                EGL_RENDERABLE_TYPE,
                                EGL_OPENGL_BIT,
                                EGL_RED_SIZE,
                                8,
                                EGL_DEPTH_SIZE,
                                24,
                                EGL_STENCIL_SIZE,
                                8,
                                EGL_SAMPLES,
                                samples,
                                EGL_NONE};
   display = util_display(EGL_OPENGL_API);
   EGLConfig config;
   EGLContext context;
   EGLint count = 0;
   CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count == 1,
         "no pbuffer configuration with depth, stencil and %d samples", samples);
   util_make_current(display, config, SIZE, EGL_NO_CONTEXT, &context);
   GLint depth = 0, stencil = 0, found = 0;
   glGetIntegerv(GL_DEPTH_BITS, &depth);
   glGetIntegerv(GL_STENCIL_BITS, &stencil);
   glGetIntegerv(GL_SAMPLES, &found);
   CHECK(depth == 24 && stencil == 8 && found == samples,
         "%d bits of depth, %d of stencil, %d samples", depth, stencil, found);

   glClearStencil(1);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
   glEnable(GL_DEPTH_TEST);
   glColor3f(1, 0, 0);
   quad(-0.5f);
   glColor3f(0, 1, 0);
   quad(0.5f);
   EXPECT_PIXEL(5, 5, 0xff0000);
   glEnable(GL_STENCIL_TEST);
   glStencilFunc(GL_EQUAL, 0, 0xff);
   quad(-0.75f);
   EXPECT_PIXEL(5, 5, 0xff0000);
   glDisable(GL_STENCIL_TEST);
   glDisable(GL_DEPTH_TEST);
   if (!samples)
      return;

   /* The diagonal cuts the samples of its pixels. */
   glClear(GL_COLOR_BUFFER_BIT);
   glColor3f(1, 1, 1);
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(1, 1);
   glEnd();
   EXPECT_PIXEL(12, 4, 0xffffffu);
   EXPECT_PIXEL(4, 12, 0u);
   const unsigned edge = pixel(8, 8) & 0xff;
   CHECK(edge > 0x30 && edge < 0xd0, "a pixel that is half covered has %02x", edge);
}

static void
pbuffer(void)
{
   pbuffer_buffers(0);
}

static void
pbuffer_samples(void)
{
   pbuffer_buffers(4);
}

/* Contexts without a configuration (EGL_KHR_no_config_context): of every API that there is, and no
 * other. */
static void
no_config(void)
{
   static const struct {
      EGLenum api;
      EGLint version, error;
   } contexts[] = {{EGL_OPENGL_API, 1, EGL_SUCCESS},
                   {EGL_OPENGL_ES_API, 1, EGL_SUCCESS},
                   {EGL_OPENGL_ES_API, 2, EGL_SUCCESS},
                   {EGL_OPENGL_ES_API, 3, EGL_SUCCESS},
                   {EGL_OPENGL_ES_API, 4, EGL_BAD_MATCH}};
   display = util_display(EGL_OPENGL_API);
   const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
   EGLSurface surface = eglCreatePbufferSurface(display, util_config(display), size);
   for (int i = 0; i < 5; i++) {
      const EGLint attributes[] = {EGL_CONTEXT_CLIENT_VERSION, contexts[i].version, EGL_NONE};
      eglBindAPI(contexts[i].api);
      EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes);
      EGLint error = eglGetError();
      CHECK(error == contexts[i].error && !context == (error != EGL_SUCCESS),
            "context %d: error 0x%x", i, error);
      if (!context)
         continue;
      CHECK(eglMakeCurrent(display, surface, surface, context), "context %d: not current", i);
      glClearColor(0, (float)(i & 1), 1, 1);
      glClear(GL_COLOR_BUFFER_BIT);
      EXPECT_PIXEL(5, 5, i & 1 ? 0x00ffffu : 0x0000ffu);
   }
}

/* gl_Fog.scale is 1 / (end - start), of either sign, and finite even if that is not. */
static void
fog(void)
{
   static const char *const source =
       "void main() { float s = gl_Fog.scale;\n"
       "  gl_FragColor = vec4(s == -0.25, s == 0.25, abs(s) > 1e30 && s * 0.0 == 0.0, 1.0); }";
   begin(EGL_OPENGL_API);
   GLuint program = glCreateProgram(), shader = glCreateShader(GL_FRAGMENT_SHADER);
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glAttachShader(program, shader);
   glLinkProgram(program);
   glUseProgram(program);
   static const struct {
      float start, end;
      unsigned want;
   } ranges[] = {{1, 5, 0x00ff00}, {5, 1, 0xff0000}, {3, 3, 0x0000ff}};
   for (int i = 0; i < 3; i++) {
      glFogf(GL_FOG_START, ranges[i].start);
      glFogf(GL_FOG_END, ranges[i].end);
      quad(0);
      EXPECT_PIXEL(5, 5, ranges[i].want);
   }
}

/* The GPU's clock in OpenGL ES 2.0 (cycle mode), where 64 bits are an extension's. */
static void
timestamp(void)
{
   begin(EGL_OPENGL_ES_API);
   const char *version = (const char *)glGetString(GL_VERSION);
   CHECK(!strncmp(version, "OpenGL ES 2.0", 13), "the version is %s", version);
   PFNGLGETINTEGER64VPROC get = (PFNGLGETINTEGER64VPROC)eglGetProcAddress("glGetInteger64vEXT");
   GLint64 before = -1, after = -1;
   get(GL_TIMESTAMP, &before);
   GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR, "error 0x%x", error);
   glClear(GL_COLOR_BUFFER_BIT);
   glFinish();
   get(GL_TIMESTAMP, &after);
   CHECK(before >= 0 && after > before, "%lld ns, and after a frame %lld ns", (long long)before,
         (long long)after);
}

/* One program object gets several strings. */
static void
program_strings(void)
{
   begin(EGL_OPENGL_API);
   static const char *const colors[] = {"{1, 0, 0, 1}", "{0, 1, 0, 1}", "{0, 0, 1, 1}"};
   GLuint program;
   glGenProgramsARB(1, &program);
   glBindProgramARB(GL_VERTEX_PROGRAM_ARB, program);
   glEnable(GL_VERTEX_PROGRAM_ARB);
   for (int i = 0; i < 3; i++) {
      char text[200];
      int size = snprintf(text, sizeof(text),
                          "!!ARBvp1.0\nMOV result.position, vertex.position;\n"
                          "MOV result.color, %s;\nEND\n",
                          colors[i]);
      glProgramStringARB(GL_VERTEX_PROGRAM_ARB, GL_PROGRAM_FORMAT_ASCII_ARB, size, text);
      CHECK(glGetError() == GL_NO_ERROR, "string %d is refused", i);
      quad(0);
      EXPECT_PIXEL(5, 5, 0xff0000u >> 8 * i);
   }
   glDeleteProgramsARB(1, &program);
}

enum { COMPILES = 100, LINKS = 20 }; /* at least, however the threads get their turns */
static EGLContext compiler_context;
static GLuint compiled_shader;
static int compiles; /* how many are done */
static bool linked_enough;

static void *
compile_again(void *unused)
{
   eglBindAPI(EGL_OPENGL_API);
   CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, compiler_context),
         "cannot make the second context current");
   while (!__atomic_load_n(&linked_enough, __ATOMIC_RELAXED)) {
      glCompileShader(compiled_shader);
      __atomic_add_fetch(&compiles, 1, __ATOMIC_RELAXED);
   }
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return unused;
}

/* One thread compiles a shader again and again while another links a program that it is attached
 * to. What comes out is undefined until both are done, but nothing breaks. */
static void
link_threads(void)
{
   static const char *const source =
       "uniform vec4 a, b; uniform mat4 m[4]; varying vec4 v, w;\n"
       "void main() { v = a + m[1] * b; w = m[2] * a; gl_Position = m[0] * gl_Vertex + m[3] * b; }";
   begin(EGL_OPENGL_API);
   compiler_context = eglCreateContext(display, util_config(display), eglGetCurrentContext(), NULL);
   CHECK(compiler_context, "no second context");
   GLuint program = glCreateProgram();
   compiled_shader = glCreateShader(GL_VERTEX_SHADER);
   glShaderSource(compiled_shader, 1, &source, NULL);
   glCompileShader(compiled_shader);
   glAttachShader(program, compiled_shader);
   pthread_t thread;
   CHECK(!pthread_create(&thread, NULL, compile_again, NULL), "no thread");
   for (int links = 0; links < LINKS || __atomic_load_n(&compiles, __ATOMIC_RELAXED) < COMPILES;
        links++)
      glLinkProgram(program);
   __atomic_store_n(&linked_enough, true, __ATOMIC_RELAXED);
   pthread_join(thread, NULL);
   GLint linked = 0;
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   CHECK(linked, "the program does not link");
}

static void
draw_at_exit(void)
{
   eglTerminate(display);
   begin(EGL_OPENGL_API);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   EXPECT_PIXEL(5, 5, 0x00ff00);
}

/* OpenGL ES: unsized half-float textures with alpha are renderable, and both renderbuffers. */
static void
half_float(void)
{
   enum { HALF_FLOAT_OES = 0x8d61 };
   static const GLenum base[] = {GL_RGBA, GL_RGB}, sized[] = {GL_RGBA16F, GL_RGB16F};
   GLuint fb, texture[2], renderbuffer[2];
   begin(EGL_OPENGL_ES_API);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glGenTextures(2, texture);
   glGenRenderbuffers(2, renderbuffer);
   for (int i = 0; i < 2; i++) {
      glBindTexture(GL_TEXTURE_2D, texture[i]);
      glTexImage2D(GL_TEXTURE_2D, 0, (GLint)base[i], 8, 8, 0, base[i], HALF_FLOAT_OES, NULL);
      glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture[i], 0);
      GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER),
             want = i ? GL_FRAMEBUFFER_UNSUPPORTED : GL_FRAMEBUFFER_COMPLETE;
      CHECK(status == want, "texture 0x%x: status 0x%x", base[i], status);
      glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, sized[i], 8, 8);
      glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                renderbuffer[i]);
      status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
      CHECK(status == GL_FRAMEBUFFER_COMPLETE, "renderbuffer 0x%x: status 0x%x", sized[i], status);
   }
}

static void
attach_level(GLenum attachment, GLuint texture, int level)
{
   glFramebufferTexture2D(GL_FRAMEBUFFER, attachment, GL_TEXTURE_2D, texture, level);
}

static void
expect_status(const char *what, GLenum want)
{
   const GLenum status = glCheckFramebufferStatus(GL_FRAMEBUFFER);
   CHECK(status == want, "%s: status 0x%x, not 0x%x", what, status, want);
}

static void
clear_depth_stencil(double depth, int stencil)
{
   glClearDepth(depth);
   glClearStencil(stencil);
   glClear(GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
}

static void
expect_depth_stencil(double depth, int stencil)
{
   float z = -1;
   GLubyte s = 0;
   glReadPixels(3, 3, 1, 1, GL_DEPTH_COMPONENT, GL_FLOAT, &z);
   glReadPixels(3, 3, 1, 1, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, &s);
   CHECK(fabs(z - depth) < 0.01 && s == stencil, "depth %f, stencil %u; not %f, %d", (double)z, s,
         depth, stencil);
}

/* Depth and stencil of a framebuffer must be one image: anything else is unsupported, and never
 * complete with one of the images ignored. */
static void
depth_stencil(void)
{
   static const GLenum formats[] = {GL_DEPTH_COMPONENT24, GL_STENCIL_INDEX8, GL_DEPTH24_STENCIL8,
                                    GL_DEPTH24_STENCIL8};
   GLuint fb, rb[4], texture;
   begin(EGL_OPENGL_API);
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glDrawBuffer(GL_NONE);
   glReadBuffer(GL_NONE);
   glGenRenderbuffers(4, rb);
   for (int i = 0; i < 4; i++) {
      glBindRenderbuffer(GL_RENDERBUFFER, rb[i]);
      glRenderbufferStorage(GL_RENDERBUFFER, formats[i], 16, 16);
   }
   for (unsigned z = 0; z < 4; z++) {
      for (unsigned s = 1; s < 4; s++) {
         if (z == 1)
            continue; /* not a depth format */
         glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_DEPTH_ATTACHMENT, GL_RENDERBUFFER, rb[z]);
         glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_STENCIL_ATTACHMENT, GL_RENDERBUFFER, rb[s]);
         expect_status("renderbuffers",
                       z == s ? GL_FRAMEBUFFER_COMPLETE : GL_FRAMEBUFFER_UNSUPPORTED);
      }
   }

   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   for (int level = 0; level < 2; level++)
      glTexImage2D(GL_TEXTURE_2D, level, GL_DEPTH24_STENCIL8, 32 >> level, 32 >> level, 0,
                   GL_DEPTH_STENCIL, GL_UNSIGNED_INT_24_8, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAX_LEVEL, 1);
   attach_level(GL_DEPTH_ATTACHMENT, texture, 0);
   expect_status("a texture and a renderbuffer", GL_FRAMEBUFFER_UNSUPPORTED);
   attach_level(GL_DEPTH_STENCIL_ATTACHMENT, texture, 1);
   clear_depth_stencil(0.75, 21);
   attach_level(GL_DEPTH_STENCIL_ATTACHMENT, texture, 0);
   clear_depth_stencil(0.25, 20);
   for (int i = 0; i < 2; i++) {
      attach_level(i ? GL_DEPTH_ATTACHMENT : GL_STENCIL_ATTACHMENT, texture, 1);
      expect_status("two levels", GL_FRAMEBUFFER_UNSUPPORTED);
      attach_level(i ? GL_DEPTH_ATTACHMENT : GL_STENCIL_ATTACHMENT, texture, 0);
      expect_status("one level again", GL_FRAMEBUFFER_COMPLETE);
      expect_depth_stencil(0.25, 20);
   }
   attach_level(GL_STENCIL_ATTACHMENT, texture, 1);
   attach_level(GL_DEPTH_ATTACHMENT, texture, 1);
   expect_status("the other level", GL_FRAMEBUFFER_COMPLETE);
   expect_depth_stencil(0.75, 21);
}

/* A context is made when exit handlers run already: after Mesa's, which were set up later. */
static void
exit_context(void)
{
   display = eglGetPlatformDisplay(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL);
   atexit(draw_at_exit);
   begin(EGL_OPENGL_API);
}

/* A framebuffer with a texture of the size. */
static void
framebuffer(int width, int height, GLuint *texture)
{
   GLuint name;
   glGenTextures(1, texture);
   glBindTexture(GL_TEXTURE_2D, *texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, width, height, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glGenFramebuffers(1, &name);
   glBindFramebuffer(GL_FRAMEBUFFER, name);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
   glClear(GL_COLOR_BUFFER_BIT);
}

/* Rectangles that OpenGL accepts, of which a part or nothing is inside, from the pbuffer or from a
 * texture. None may stop the GPU: what is drawn afterwards is there. */
static void
copy_rectangles(bool from_texture)
{
   static const int places[] = {0, 3, -5, 70, 0x7ffffff0, -0x7ffffff0};
   static const int sizes[] = {1, 9, 60, 0x7ffffffe, 0x7fffffff};
   static unsigned char bytes[64 * 64 * 4];
   GLuint textures[2], all = 6 * 6 * 5 * 5;
   framebuffer(60, 50, &textures[0]);
   framebuffer(65, 50, &textures[1]);
   for (GLuint i = 0; i < all; i++) {
      const int x = places[i % 6], y = places[i / 6 % 6], w = sizes[i / 36 % 5], h = sizes[i / 180];
      glBindFramebuffer(GL_READ_FRAMEBUFFER, from_texture ? 2 : 0);
      glBindFramebuffer(GL_DRAW_FRAMEBUFFER, from_texture ? 1 : 0);
      glWindowPos2i(3, 3);
      glCopyPixels(x, y, w, h, GL_COLOR);
      glBindTexture(GL_TEXTURE_2D, textures[0]);
      glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, x, y, w % 50, h % 40);
      if (w <= 64 && h <= 64)
         glReadPixels(x, y, w, h, GL_RGBA, GL_UNSIGNED_BYTE, bytes);
      if (from_texture)
         glBlitFramebuffer(x / 2, y / 2, x / 2 + w / 2, y / 2 + h / 2, 2, 2, 2 + w / 2, 2 + h / 2,
                           GL_COLOR_BUFFER_BIT, GL_NEAREST);
   }
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glClearColor(1, 1, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   EXPECT_PIXEL(1, 1, 0xffffff);
}

/* Rectangles that end behind the largest integer are clipped like others. */
static void
far_ends(void)
{
   const GLsizei far = 0x7fffffff;
   static unsigned char row[SIZE * 4];
   GLuint texture;
   GLint name;
   PFNGLREADNPIXELSARBPROC read = (PFNGLREADNPIXELSARBPROC)eglGetProcAddress("glReadnPixelsARB");
   glClearColor(0, 0, 1, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   read(3, 0, far, 1, GL_RGBA, GL_UNSIGNED_BYTE, sizeof(row), row);
   const GLenum error = glGetError();
   CHECK(error == GL_NO_ERROR, "glReadnPixels: error 0x%x", error);
   CHECK(row[4 * (SIZE - 3) - 2] == 255 && row[4 * (SIZE - 3) + 2] == 0, "glReadnPixels: row");
   glEnable(GL_SCISSOR_TEST);
   glScissor(3, 3, 1, 1);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
   glWindowPos2i(8, 8);
   glCopyPixels(3, 3, far, 1, GL_COLOR);
   EXPECT_PIXEL(8, 8, 0xff0000);
   /* Nothing of this one is inside. */
   framebuffer(60, 50, &texture);
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &name);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, 0);
   glCopyTexSubImage2D(GL_TEXTURE_2D, 0, 1, 2, far - 15, 0, 49, 39);
   glBindFramebuffer(GL_READ_FRAMEBUFFER, (GLuint)name);
   EXPECT_PIXEL(5, 5, 0xff0000);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
}

static void
rectangles(void)
{
   begin(EGL_OPENGL_API);
   copy_rectangles(false);
   copy_rectangles(true);
   far_ends();
}

static void
rectangles_samples(void)
{
   pbuffer_buffers(4);
   glDisable(GL_DEPTH_TEST);
   copy_rectangles(false);
}

/* Programs whose shaders have gone by the time that they are linked again; with the shader cache.
 */
static void
relink(void)
{
   static const char *const source = "void main() { gl_Position = vec4(0.0); }";
   GLint linked = 0;
   begin(EGL_OPENGL_API);
   GLuint program = glCreateShaderProgramv(GL_VERTEX_SHADER, 1, &source);
   glGetProgramiv(program, GL_LINK_STATUS, &linked);
   CHECK(linked, "the program is not linked");
   glLinkProgram(program);
   GLuint shader = glCreateShader(GL_VERTEX_SHADER);
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   program = glCreateProgram();
   glAttachShader(program, shader);
   glLinkProgram(program);
   glDetachShader(program, shader);
   glLinkProgram(program);
   glFinish();
}

/* Zero to the power of zero: one, in a constant, in GLSL and in the assembly that lights fixed
 * function. */
static void
power_zero(void)
{
   static const char *const source = "uniform vec2 v;"
                                     "void main() { gl_FragColor = vec4(pow(v.x, v.y),"
                                     "   pow(0.0, v.y), pow(v.x + 2.0, v.y), 1.0); }";
   begin(EGL_OPENGL_API);
   const GLuint program = glCreateShaderProgramv(GL_FRAGMENT_SHADER, 1, &source);
   glUseProgram(program);
   quad(0);
   EXPECT_PIXEL(5, 5, 0xffffff);
}

/* Programs without uniforms are clipped by planes, behind a vertex and a geometry shader: when a
 * plane is enabled between their draws, and when they are used while it is. */
static void
clip_planes(void)
{
   static const char header[] = "#version 150 compatibility\n",
                     vertex[] = "void main() { gl_Position = gl_ClipVertex = gl_Vertex; }",
                     geometry[] =
                         "layout(triangles) in; layout(triangle_strip, max_vertices = 3) out;"
                         "void main() { for (int i = 0; i < 3; i++) {"
                         " gl_Position = gl_ClipVertex = gl_in[i].gl_Position; EmitVertex(); } }",
                     fragment[] = "void main() { gl_FragColor = vec4(1); }";
   begin(EGL_OPENGL_API);
   glClipPlane(GL_CLIP_PLANE0, (const GLdouble[4]){1, 0, 0, 0});
   for (unsigned i = 0; i < 4; i++) {
      const GLuint program = glCreateProgram();
      glAttachShader(program, util_shader(GL_VERTEX_SHADER, header, vertex));
      glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, header, fragment));
      if (i & 1)
         glAttachShader(program, util_shader(GL_GEOMETRY_SHADER, header, geometry));
      util_link(program);
      if (i < 2) {
         glDisable(GL_CLIP_PLANE0);
         quad(0);
         EXPECT_PIXEL(3, 5, 0xffffff);
         glEnable(GL_CLIP_PLANE0);
      }
      glClear(GL_COLOR_BUFFER_BIT);
      quad(0);
      EXPECT_PIXEL(3, 5, 0x000000);
      EXPECT_PIXEL(12, 5, 0xffffff);
   }
}

static char message[160];

static void APIENTRY
keep_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
             const GLchar *text, const void *user)
{
   (void)source, (void)type, (void)id, (void)severity, (void)user;
   snprintf(message, sizeof(message), "%d %s", length, text);
}

/* A callback gets as much of a text as the program has said. */
static void
message_length(void)
{
   begin(EGL_OPENGL_API);
   glEnable(GL_DEBUG_OUTPUT);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
   glDebugMessageCallback(keep_message, NULL);
   glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_OTHER, 1, GL_DEBUG_SEVERITY_HIGH,
                        5, "abcdefgh");
   CHECK(!strcmp(message, "5 abcde"), "the message is \"%s\"", message);
   glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, 3, "group of a frame");
   CHECK(!strcmp(message, "3 gro"), "the group is \"%s\"", message);
   glPopDebugGroup();
   CHECK(!strcmp(message, "3 gro"), "the end of the group is \"%s\"", message);
}

/* A vertex shader that looks into a texture runs on the CPU for glRasterPos, which has none. */
static void
raster_position(void)
{
   static const char *const source =
       "uniform sampler2D s; void main() { gl_Position = gl_Vertex + texture2DLod(s, vec2(0.5), "
       "0.0); }";
   GLfloat position[4];
   begin(EGL_OPENGL_API);
   glUseProgram(glCreateShaderProgramv(GL_VERTEX_SHADER, 1, &source));
   glEnable(GL_DEBUG_OUTPUT);
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_FALSE);
   glDebugMessageControl(GL_DEBUG_SOURCE_API, GL_DEBUG_TYPE_UNDEFINED_BEHAVIOR, GL_DONT_CARE, 0,
                         NULL, GL_TRUE);
   glDebugMessageCallback(keep_message, NULL);
   glRasterPos2f(0.5f, -0.5f);
   glGetFloatv(GL_CURRENT_RASTER_POSITION, position);
   CHECK(strstr(message, "reads zeros from its textures"), "the message is \"%s\"", message);
   CHECK(position[0] == SIZE * 0.75f && position[1] == SIZE * 0.25f, "raster position %g, %g",
         (double)position[0], (double)position[1]);
}

/* GL_SELECT finds a draw of vertex arrays. */
static void
selection(void)
{
   static const GLfloat at[] = {-1, -1, 0, 1, -1, 0, 0, 1, 0};
   GLuint found[16] = {0};
   begin(EGL_OPENGL_API);
   glInterleavedArrays(GL_V3F, 0, at);
   glSelectBuffer(16, found);
   glRenderMode(GL_SELECT);
   glPushName(7);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   CHECK(glRenderMode(GL_RENDER) == 1 && found[3] == 7, "the first hit is %u", found[3]);
   CHECK(found[1] >> 24 == 0x7f || found[1] >> 24 == 0x80, "the least depth is 0x%08x", found[1]);
}

int
main(int argc, char **argv)
{
   static const struct {
      const char *name;
      void (*run)(void);
   } cases[] = {{"marker", marker},
                {"pbuffer", pbuffer},
                {"pbuffer_samples", pbuffer_samples},
                {"no_config", no_config},
                {"fog", fog},
                {"timestamp", timestamp},
                {"program_strings", program_strings},
                {"link_threads", link_threads},
                {"exit_context", exit_context},
                {"half_float", half_float},
                {"depth_stencil", depth_stencil},
                {"rectangles", rectangles},
                {"rectangles_samples", rectangles_samples},
                {"relink", relink},
                {"power_zero", power_zero},
                {"raster_position", raster_position},
                {"selection", selection},
                {"clip_planes", clip_planes},
                {"message_length", message_length}};
   for (size_t i = 0; argc == 2 && i < sizeof(cases) / sizeof(cases[0]); i++) {
      if (strcmp(argv[1], cases[i].name))
         continue;
      cases[i].run();
      GLenum error = glGetError();
      CHECK(error == GL_NO_ERROR, "OpenGL error 0x%x", error);
      printf("%s: passed\n", argv[1]);
      return 0;
   }
   fprintf(stderr, "usage: mesa CASE\n");
   return 2;
}
