/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Does what is slow, and expects one message each through KHR_debug, with the reason; does what is
 * fast, and expects none. Not here: slow shaders (shader_messages.c). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include "egl_util.h"

enum { SIZE = 64 };

static const char *expected;
static unsigned found, others;

static void APIENTRY
see_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
            const GLchar *message, const void *user)
{
   (void)source, (void)id, (void)severity, (void)length, (void)user;
   if (type != GL_DEBUG_TYPE_PERFORMANCE)
      return;
   printf("%s\n", message);
   if (expected && strstr(message, expected))
      found++;
   /* What is the shader's (shader_messages.c), or the host's. */
   else if (!strstr(message, "may be tested only behind") && !strstr(message, "compiling took"))
      others++;
}

static void
expect(const char *text)
{
   CHECK(!others, "another message than \"%s\"", expected ? expected : "none");
   CHECK(!expected || found, "no message with \"%s\"", expected);
   expected = text;
   found = 0;
}

static GLuint
program(void)
{
   static const char *const sources[2] = {
       "varying vec4 color; void main() { gl_Position = gl_Vertex; color = gl_Vertex;\n"
       "   gl_FrontColor = gl_Vertex; }\n",
       "varying vec4 color; void main() { gl_FragColor = color + gl_Color; }\n"};
   GLuint p = glCreateProgram();
   for (unsigned i = 0; i < 2; i++) {
      GLuint shader = glCreateShader(i ? GL_FRAGMENT_SHADER : GL_VERTEX_SHADER);
      glShaderSource(shader, 1, &sources[i], NULL);
      glCompileShader(shader);
      glAttachShader(p, shader);
   }
   glLinkProgram(p);
   glUseProgram(p);
   return p;
}

int
main(void)
{
   static const EGLint debug[] = {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE};
   static const float corners[] = {-1, -1, 3, -1, -1, 3};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLConfig config = util_config(display);
   const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, debug);
   EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   GLuint buffer, query, result;
   GLubyte pixel[4];
   CHECK(context && eglMakeCurrent(display, surface, surface, context), "no debug context");
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageCallback(see_message, NULL);

   expect(NULL);
   program();
   glGenBuffers(1, &buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_DYNAMIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   /* All is new: the buffer gets other memory. */
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_DYNAMIC_DRAW);
   glDrawArrays(GL_TRIANGLES, 0, 3);

   expect("once draws that use it are done");
   glBufferSubData(GL_ARRAY_BUFFER, 4, sizeof(float), corners + 1);
   glDrawArrays(GL_TRIANGLES, 0, 3);

   /* What Mesa says itself. */
   expect("Compiling vertex shader variant");
   glEnable(GL_CLIP_PLANE0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glDisable(GL_CLIP_PLANE0);
   expect("another variant, compiled for a draw");
   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_GREATER, 0.5f);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glDisable(GL_ALPHA_TEST);
   expect(NULL);
   glDrawArrays(GL_TRIANGLES, 0, 3);

   expect("the result of a query is read back");
   glGenQueries(1, &query);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glEndQuery(GL_SAMPLES_PASSED);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &result);

   expect("are read back, which waits for the GPU");
   glReadPixels(0, 0, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   expect(NULL);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
