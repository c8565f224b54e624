/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Compiles a few shaders in a debug context, draws with them, and prints what the driver says about
 * them through KHR_debug: lines "info: ..." (what Mesa's shader-db reads) and "performance: ...".
 * The scripts beside it judge the lines. Argument: a label of the programs. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include "egl_util.h"

static const char vertex[] = "attribute vec4 position; varying vec4 v;\n"
                             "void main() { gl_Position = v = position; }\n";

static const char *const fragments[] = {
    /* One instruction and END. */
    "varying vec4 v;\n"
    "void main() { gl_FragColor = v; }\n",
    /* Eight values that live at once, in a loop whose length is not known. */
    "varying vec4 v; uniform float n;\n"
    "void main() {\n"
    "   vec4 a = v, b = sin(v), c = cos(v), d = exp2(v), e = v.wzyx, f = fract(v), g = floor(v);\n"
    "   for (float i = 0.0; i < n; i++) {\n"
    "      vec4 t = a; a = b * c; b = c + d; c = d * e; d = e + f; e = f * g; f = g + t; g = t;\n"
    "   }\n"
    "   gl_FragColor = a + b + c + d + e + f + g;\n"
    "}\n",
    /* A discard, which moves the depth test behind the shader. */
    "varying vec4 v;\n"
    "void main() { if (v.x > 0.5) discard; gl_FragColor = v; }\n",
    /* A texture of three, chosen by a uniform. */
    "varying vec4 v; uniform float n; uniform sampler2D textures[3];\n"
    "void main() { gl_FragColor = texture2D(textures[int(n)], v.xy); }\n",
};

static void APIENTRY
print_message(GLenum source, GLenum type, GLuint id, GLenum severity, GLsizei length,
              const GLchar *message, const void *user)
{
   (void)id, (void)severity, (void)length, (void)user;
   if (type == GL_DEBUG_TYPE_PERFORMANCE)
      printf("performance: %s\n", message);
   else if (source == GL_DEBUG_SOURCE_SHADER_COMPILER)
      printf("info: %s\n", message);
}

static GLuint
compile(GLenum kind, const char *source)
{
   GLuint shader = glCreateShader(kind);
   GLint ok = 0;
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   CHECK(ok, "a shader does not compile: %s", source);
   return shader;
}

static void
draw_with(const char *fragment, const char *label)
{
   static const float corners[] = {-1, -1, 3, -1, -1, 3};
   GLuint program = glCreateProgram();
   GLint ok = 0;
   glAttachShader(program, compile(GL_VERTEX_SHADER, vertex));
   glAttachShader(program, compile(GL_FRAGMENT_SHADER, fragment));
   glBindAttribLocation(program, 0, "position");
   if (label)
      glObjectLabel(GL_PROGRAM, program, -1, label);
   glLinkProgram(program);
   glGetProgramiv(program, GL_LINK_STATUS, &ok);
   CHECK(ok, "a program does not link: %s", fragment);
   glUseProgram(program);
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glFinish();
   CHECK(glGetError() == GL_NO_ERROR, "a draw fails");
}

int
main(int argc, char **argv)
{
   const EGLint debug[] = {EGL_CONTEXT_OPENGL_DEBUG, EGL_TRUE, EGL_NONE};
   const EGLint size[] = {EGL_WIDTH, 16, EGL_HEIGHT, 16, EGL_NONE};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLConfig config = util_config(display);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, debug);
   EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   CHECK(context && eglMakeCurrent(display, surface, surface, context), "no debug context");
   glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
   glDebugMessageCallback(print_message, NULL);
   glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, NULL, GL_TRUE);
   for (unsigned i = 0; i < sizeof(fragments) / sizeof(fragments[0]); i++)
      draw_with(fragments[i], argc > 1 ? argv[1] : NULL);
   /* In order: Mesa's shader cache writes what is left when the screen goes. */
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglDestroySurface(display, surface);
   eglTerminate(display);
   return 0;
}
