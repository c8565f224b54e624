/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws by several calls of OpenGL, with GLSL programs whose instructions tell from which line they
 * come. The script beside it looks for calls, sources and lines in the record. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdio.h>
#include <stdlib.h>
#include "egl_util.h"

enum { SIZE = 64 };

static const char vertex[] = "#version 120\n"
                             "attribute vec4 a;\n"
                             "varying vec4 v;\n"
                             "void main() {\n"
                             "   v = a * 2.0;\n"
                             "   gl_Position = a;\n"
                             "}\n";
static const char fragment[] = "#version 120\n"
                               "varying vec4 v;\n"
                               "uniform sampler2D t;\n"
                               "uniform float k;\n"
                               "float f(float x) {\n"
                               "   return exp2(x);\n"
                               "}\n"
                               "void main() {\n"
                               "   vec4 c = texture2D(t, v.xy);\n"
                               "   c.x += sin(v.z * k);\n"
                               "   if (c.x > k)\n"
                               "      c.y = log2(v.w\n"
                               "                 + cos(k * v.y));\n"
                               "   c.z = f(v.x);\n"
                               "   gl_FragColor = c;\n"
                               "}\n";
static const char renumbered[] = "#version 120\n"
                                 "#line 100\n"
                                 "void main() { gl_FragColor = vec4(sin(gl_FragCoord.x)); }\n";
static const char part[] = "#version 120\n"
                           "vec4 part() { return vec4(cos(gl_FragCoord.x)); }\n";
static const char whole[] = "#version 120\n"
                            "vec4 part();\n"
                            "void main() { gl_FragColor = part(); }\n";

static void
attach(GLuint program, GLenum stage, const char *source)
{
   const GLuint shader = glCreateShader(stage);
   GLint ok;
   glShaderSource(shader, 1, &source, NULL);
   glCompileShader(shader);
   glGetShaderiv(shader, GL_COMPILE_STATUS, &ok);
   if (!ok) {
      fprintf(stderr, "does not compile:\n%s", source);
      exit(1);
   }
   glAttachShader(program, shader);
   glDeleteShader(shader);
}

static void
use(const char *source, const char *more)
{
   const GLuint program = glCreateProgram();
   attach(program, GL_VERTEX_SHADER, vertex);
   attach(program, GL_FRAGMENT_SHADER, source);
   if (more)
      attach(program, GL_FRAGMENT_SHADER, more);
   glBindAttribLocation(program, 0, "a");
   glLinkProgram(program);
   glUseProgram(program);
   glUniform1f(glGetUniformLocation(program, "k"), 0.5f);
}

static void
immediate(void)
{
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(1, 1);
   glEnd();
}

int
main(void)
{
   static const float corners[] = {-1, -1, 0, 1, 1, -1, 0, 1, 1, 1, 0, 1};
   static const GLushort indices[] = {9, 0, 1, 2};
   static const float texel[] = {1, 1, 1, 1};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   GLuint buffers[2], texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, 1, 1, 0, GL_RGBA, GL_FLOAT, texel);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glGenBuffers(2, buffers);
   glBindBuffer(GL_ARRAY_BUFFER, buffers[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glVertexAttribPointer(0, 4, GL_FLOAT, GL_FALSE, 0, NULL);

   use(fragment, NULL);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLES, 0, 3);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffers[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   glDrawElements(GL_TRIANGLES, 3, GL_UNSIGNED_SHORT, (void *)2);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, 0);
   glDrawRangeElements(GL_TRIANGLES, 0, 2, 3, GL_UNSIGNED_SHORT, indices + 1);
   use(renumbered, NULL);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 3);
   use(whole, part);
   glMultiDrawArrays(GL_TRIANGLES, &(GLint){0}, &(GLsizei){3}, 1);
   glDisableVertexAttribArray(0);

   glUseProgram(0);
   glDisable(GL_TEXTURE_2D);
   const GLuint list = glGenLists(1);
   glNewList(list, GL_COMPILE);
   immediate();
   glEndList();
   glCallList(list);
   immediate(); /* drawn by the call that follows */
   glEnable(GL_SCISSOR_TEST);
   glScissor(1, 1, 3, 3);
   glClear(GL_COLOR_BUFFER_BIT);
   eglSwapBuffers(display, surface);
   return 0;
}
