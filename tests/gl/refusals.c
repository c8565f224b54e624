/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Links programs of a newer GLSL than this GPU has; Mesa lets them through when its version is
 * overridden. Each set of shaders is linked twice under another name, as programs with many
 * shaders do. Prints a line per program: its name, and what the program's log says. The script
 * beside it judges the lines. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include "egl_util.h"

#define VERTEX "in vec4 p; out vec4 v; void main() { gl_Position = v = p; }"
#define FRAGMENT "in vec4 v; out vec4 c; void main() { c = v; }"

static const struct {
   const char *name, *vertex, *fragment, *geometry;
} cases[] = {
    {"plain", VERTEX, FRAGMENT, NULL},
    {"double", VERTEX, "uniform double d; out vec4 c; void main() { c = vec4(float(d * 2.0LF)); }",
     NULL},
    {"cull", "out float gl_CullDistance[1]; void main() { gl_CullDistance[0] = 1.0; }",
     "out vec4 c; void main() { c = vec4(1); }", NULL},
    {"viewport", VERTEX, "out vec4 c; void main() { c = vec4(1); }",
     "layout(points) in; layout(points, max_vertices = 1) out; "
     "void main() { gl_ViewportIndex = 1; EmitVertex(); }"},
};

static void
attach(GLuint program, GLenum kind, const char *version, unsigned copy, const char *source)
{
   char text[2048], log[1024] = "";
   const char *const pointer = text;
   GLuint shader = glCreateShader(kind);
   GLint ok = 0;
   snprintf(text, sizeof(text), "#version %s\nuniform float copy%u;\n%s", version, copy, source);
   glShaderSource(shader, 1, &pointer, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   glGetShaderInfoLog(shader, sizeof(log), NULL, log);
   if (!ok)
      printf("not compiled: %s\n", log);
   glAttachShader(program, shader);
}

int
main(int argc, char **argv)
{
   CHECK(argc == 2, "usage: refusals GLSL-VERSION");
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), 16, EGL_NO_CONTEXT, &context);
   for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
      for (unsigned copy = 0; copy < 2; copy++) {
         char log[1024] = "";
         GLint ok = 0;
         GLuint program = glCreateProgram();
         attach(program, GL_VERTEX_SHADER, argv[1], copy, cases[i].vertex);
         attach(program, GL_FRAGMENT_SHADER, argv[1], copy, cases[i].fragment);
         if (cases[i].geometry)
            attach(program, GL_GEOMETRY_SHADER, argv[1], copy, cases[i].geometry);
         glLinkProgram(program);
         glGetProgramiv(program, GL_LINK_STATUS, &ok);
         glGetProgramInfoLog(program, sizeof(log), NULL, log);
         printf("%s: %s\n", cases[i].name, ok ? "linked" : log);
      }
   }
   return 0;
}
