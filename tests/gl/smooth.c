/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The alpha test sees alpha after the coverage of smooth points, lines and polygons has multiplied
 * it (OpenGL 2.1, 3.12 and 4.1.4). What is drawn without the test tells the coverage of each pixel;
 * with the test exactly the pixels that pass must be left, whatever the shader, the comparison and
 * the order in which they change. Bitmaps and images are fragments like any others. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include "gl_util.h"

enum { SIZE = 32, PIXELS = SIZE * SIZE };

static uint8_t alpha[PIXELS];

static bool
passes(GLenum func, float a, float ref)
{
   const unsigned bits = func - GL_NEVER; /* less, equal, greater */
   return (bits & 1 && a < ref) || (bits & 2 && a == ref) || (bits & 4 && a > ref);
}

static void
read_alpha(void)
{
   uint8_t pixels[PIXELS][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   for (unsigned i = 0; i < PIXELS; i++)
      alpha[i] = pixels[i][3];
}

static void
draw_points(void)
{
   glBegin(GL_POINTS);
   glVertex2f(8.3f, 9.6f);
   glVertex2f(21.5f, 20.1f);
   glEnd();
}

static void
draw_lines(void)
{
   glBegin(GL_LINES);
   glVertex2f(3.2f, 4.4f);
   glVertex2f(28.1f, 13.7f);
   glVertex2f(5.5f, 29.5f);
   glVertex2f(26.5f, 17.2f);
   glEnd();
}

static void
draw_triangle(void)
{
   glBegin(GL_TRIANGLES);
   glVertex2f(2.2f, 3.1f);
   glVertex2f(29.3f, 7.7f);
   glVertex2f(12.4f, 28.6f);
   glEnd();
}

static void
draw_outline(void)
{
   /* One edge: where two meet, a pixel would be drawn twice. */
   glPolygonMode(GL_FRONT_AND_BACK, GL_LINE);
   glBegin(GL_TRIANGLES);
   glVertex2f(2.2f, 3.1f);
   glEdgeFlag(GL_FALSE);
   glVertex2f(29.3f, 7.7f);
   glVertex2f(12.4f, 28.6f);
   glEnd();
   glEdgeFlag(GL_TRUE);
   glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
}

static GLuint
program(void)
{
   /* Reads the face, which has the coverage beside it. */
   static const char *text = "uniform float a[3];\n"
                             "void main() {\n"
                             "   float shade = gl_FrontFacing ? a[2] : a[1] * 0.5;\n"
                             "   gl_FragColor = vec4(1.0, shade, a[0], shade);\n"
                             "}\n";
   const GLuint p = glCreateProgram();
   glAttachShader(p, util_shader(GL_FRAGMENT_SHADER, "", text));
   util_link(p);
   const GLfloat values[3] = {0.25f, 2.0f, 1.0f};
   glUniform1fv(glGetUniformLocation(p, "a"), 3, values);
   glUseProgram(0);
   return p;
}

/* Every comparison with references at and between the fractions that there are: n / 16. */
static unsigned
check_primitive(void (*draw)(void))
{
   unsigned partly = 0, wrong = 0;
   glDisable(GL_ALPHA_TEST);
   glClear(GL_COLOR_BUFFER_BIT);
   draw();
   read_alpha();
   uint8_t all[PIXELS];
   memcpy(all, alpha, sizeof(all));
   glEnable(GL_ALPHA_TEST);
   for (GLenum func = GL_NEVER; func <= GL_ALWAYS; func++) {
      for (int n = 1; n < 32; n += 5) {
         const float ref = n / 32.0f;
         glAlphaFunc(func, ref);
         glClear(GL_COLOR_BUFFER_BIT);
         draw();
         read_alpha();
         for (unsigned i = 0; i < PIXELS; i++) {
            const float a = roundf(all[i] * 16 / 255.0f) / 16;
            wrong += all[i] && alpha[i] != (passes(func, a, ref) ? all[i] : 0);
            partly += all[i] && all[i] < 255;
         }
      }
   }
   CHECK(partly, "no pixel is covered in part");
   return wrong;
}

static void
check_smooth(void)
{
   static const struct {
      const char *name;
      void (*draw)(void);
   } primitives[] = {{"points", draw_points},
                     {"lines", draw_lines},
                     {"triangle", draw_triangle},
                     {"outline", draw_outline}};
   const GLuint p = program();
   glPointSize(7.5f);
   glLineWidth(3.0f);
   glEnable(GL_POINT_SMOOTH);
   glEnable(GL_LINE_SMOOTH);
   glEnable(GL_POLYGON_SMOOTH);
   for (unsigned shader = 0; shader < 2; shader++) {
      glUseProgram(shader ? p : 0);
      for (unsigned i = 0; i < sizeof(primitives) / sizeof(*primitives); i++) {
         const unsigned wrong = check_primitive(primitives[i].draw);
         CHECK(wrong == 0, "%s, %s: %u pixels", primitives[i].name, shader ? "GLSL" : "fixed",
               wrong);
      }
   }
   glUseProgram(0);
   glDisable(GL_POINT_SMOOTH);
   glDisable(GL_LINE_SMOOTH);
   glDisable(GL_POLYGON_SMOOTH);
   glDeleteProgram(p);
}

/* A reference of glColor's alpha; the test is only a matter of the reference. */
static void
check_images(void)
{
   static const GLubyte bits[4] = {0xf0, 0xf0, 0xf0, 0xf0};
   GLubyte image[16][4];
   for (unsigned i = 0; i < 16; i++)
      image[i][3] = (GLubyte)(i * 16);
   glEnable(GL_ALPHA_TEST);
   for (unsigned n = 0; n < 2; n++) {
      glAlphaFunc(GL_GREATER, n ? 0.25f : 0.75f);
      glClear(GL_COLOR_BUFFER_BIT);
      glColor4f(1, 1, 1, 0.5f);
      glRasterPos2f(4.5f, 4.5f);
      glPixelStorei(GL_UNPACK_ALIGNMENT, 1);
      glBitmap(8, 4, 0, 0, 0, 0, bits);
      glRasterPos2f(16.5f, 16.5f);
      glDrawPixels(4, 4, GL_RGBA, GL_UNSIGNED_BYTE, image);
      read_alpha();
      unsigned bitmap = 0, pixels = 0;
      for (unsigned i = 0; i < PIXELS; i++) {
         bitmap += i < PIXELS / 2 && alpha[i];
         pixels += i >= PIXELS / 2 && alpha[i];
      }
      CHECK(bitmap == (n ? 16 : 0), "a bitmap has %u pixels", bitmap);
      CHECK(pixels == (n ? 12 : 4), "an image has %u pixels", pixels);
   }
   glDisable(GL_ALPHA_TEST);
   glColor4f(1, 1, 1, 1);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   GLuint fb, rb;
   glGenFramebuffers(1, &fb);
   glBindFramebuffer(GL_FRAMEBUFFER, fb);
   glGenRenderbuffers(1, &rb);
   glBindRenderbuffer(GL_RENDERBUFFER, rb);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, rb);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "no framebuffer");
   glViewport(0, 0, SIZE, SIZE);
   glOrtho(0, SIZE, 0, SIZE, -1, 1);
   glColor4f(1, 1, 1, 1);
   check_smooth();
   check_images();
   CHECK(glGetError() == GL_NO_ERROR, "an error");
   puts("passed");
   eglTerminate(display);
   return 0;
}
