/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Dual-source blending (ARB_blend_func_extended): every factor of the second colour in each of the
 * four places, outputs that the shader or the program names, the alpha test, alpha to one, a draw
 * without a second colour in between, and what is an error. Colours are multiples of 1/16 in a
 * buffer of floats, so results are exact. Prints a line for each that is not right. Not here: other
 * factors (blends.c, tests/unit/test_blend.c). */
#include <stdbool.h>
#include "gl_util.h"

enum { SIZE = 8 };

static bool right = true;

static const GLfloat first[4] = {0.5f, 0.25f, 1, 0.75f}, second[4] = {0.25f, 1, 0.5f, 0.125f},
                     below[4] = {1, 0.5f, 0.25f, 0.5f};

#define VERTEX "attribute vec4 p; void main() { gl_Position = p; }"

/* Both colours are uniforms. */
static void
use_program(const char *header, const char *fragment, bool bind)
{
   const GLuint program = glCreateProgram();
   glAttachShader(program, util_shader(GL_VERTEX_SHADER, "#version 120\n", VERTEX));
   glAttachShader(program, util_shader(GL_FRAGMENT_SHADER, header, fragment));
   if (bind) {
      glBindFragDataLocationIndexed(program, 0, 0, "zero");
      glBindFragDataLocationIndexed(program, 0, 1, "one");
   }
   util_link(program);
   CHECK(glGetFragDataIndex(program, "zero") == 0 && glGetFragDataIndex(program, "one") == 1 &&
             glGetFragDataLocation(program, "one") == 0,
         "the outputs have indices %d and %d", glGetFragDataIndex(program, "zero"),
         glGetFragDataIndex(program, "one"));
   glUniform4fv(glGetUniformLocation(program, "first"), 1, first);
   glUniform4fv(glGetUniformLocation(program, "second"), 1, second);
}

static void
draw(void)
{
   static const GLfloat corners[4][2] = {{-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
   glClearColor(below[0], below[1], below[2], below[3]);
   glClear(GL_COLOR_BUFFER_BIT);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glEnableVertexAttribArray(0);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
expect(const char *what, const GLfloat want[4])
{
   GLfloat got[SIZE * SIZE][4];
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_FLOAT, got);
   for (unsigned i = 0; i < SIZE * SIZE; i++) {
      if (memcmp(got[i], want, sizeof(got[i]))) {
         CHECK_OR(right = false, false, "%s: pixel %u is %g %g %g %g, not %g %g %g %g", what, i,
                  (double)got[i][0], (double)got[i][1], (double)got[i][2], (double)got[i][3],
                  (double)want[0], (double)want[1], (double)want[2], (double)want[3]);
         break;
      }
   }
   CHECK(glGetError() == GL_NO_ERROR, "%s: an error of OpenGL", what);
}

static GLfloat
value_of(GLenum factor, unsigned channel)
{
   switch (factor) {
   case GL_SRC1_COLOR:
      return second[channel];
   case GL_SRC1_ALPHA:
      return second[3];
   case GL_ONE_MINUS_SRC1_COLOR:
      return 1 - second[channel];
   case GL_ONE_MINUS_SRC1_ALPHA:
      return 1 - second[3];
   default:
      return factor == GL_ONE ? 1 : first[3];
   }
}

/* Every factor in every place, beside one of the first colour in the other places. */
static void
factors(void)
{
   static const GLenum kinds[] = {GL_SRC1_COLOR, GL_SRC1_ALPHA, GL_ONE_MINUS_SRC1_COLOR,
                                  GL_ONE_MINUS_SRC1_ALPHA};
   for (unsigned i = 0; i < 16; i++) {
      GLenum f[4] = {GL_ONE, GL_SRC_ALPHA, GL_SRC_ALPHA, GL_ONE};
      GLfloat want[4];
      char what[64];
      f[i / 4] = kinds[i % 4];
      glBlendFuncSeparate(f[0], f[1], f[2], f[3]);
      for (unsigned c = 0; c < 4; c++)
         want[c] =
             first[c] * value_of(f[c < 3 ? 0 : 2], c) + below[c] * value_of(f[c < 3 ? 1 : 3], c);
      snprintf(what, sizeof(what), "factor 0x%x in place %u", kinds[i % 4], i / 4);
      draw();
      expect(what, want);
   }
}

/* Text with a coverage for each of red, green and blue: what the extension is for. */
static void
subpixels(const char *what)
{
   GLfloat want[4];
   glBlendFunc(GL_SRC1_COLOR, GL_ONE_MINUS_SRC1_COLOR);
   for (unsigned c = 0; c < 4; c++)
      want[c] = first[c] * second[c] + below[c] * (1 - second[c]);
   draw();
   expect(what, want);
}

static void
target(GLenum kind, GLsizei samples)
{
   GLuint names[2];
   glGenFramebuffers(1, &names[0]);
   glGenRenderbuffers(1, &names[1]);
   glBindFramebuffer(GL_FRAMEBUFFER, names[0]);
   glBindRenderbuffer(GL_RENDERBUFFER, names[1]);
   glRenderbufferStorageMultisample(GL_RENDERBUFFER, samples, kind, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, names[1]);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE, "incomplete");
}

/* Both alphas become one. */
static void
alpha_to_one(void)
{
   GLint single;
   GLfloat want[4];
   glGetIntegerv(GL_FRAMEBUFFER_BINDING, &single);
   target(GL_RGBA32F, 4);
   glEnable(GL_SAMPLE_ALPHA_TO_ONE);
   glBlendFuncSeparate(GL_SRC1_ALPHA, GL_SRC1_ALPHA, GL_SRC1_ALPHA, GL_ZERO);
   for (unsigned c = 0; c < 4; c++)
      want[c] = c < 3 ? first[c] + below[c] : 1;
   draw();
   glDisable(GL_SAMPLE_ALPHA_TO_ONE);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, (GLuint)single);
   glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE, SIZE, GL_COLOR_BUFFER_BIT, GL_NEAREST);
   glBindFramebuffer(GL_FRAMEBUFFER, (GLuint)single);
   expect("alpha to one", want);
}

/* The alpha of the first colour decides. */
static void
alpha_test(void)
{
   glEnable(GL_ALPHA_TEST);
   glAlphaFunc(GL_LESS, 0.5f);
   glBlendFunc(GL_SRC1_COLOR, GL_ZERO);
   draw();
   expect("alpha test", below);
   glAlphaFunc(GL_GREATER, 0.5f);
   subpixels("alpha test that passes");
   glDisable(GL_ALPHA_TEST);
}

static void
errors(void)
{
   GLint most = 0;
   glGetIntegerv(GL_MAX_DUAL_SOURCE_DRAW_BUFFERS, &most);
   CHECK(most == 1, "%d draw buffers with two colours", most);
   GLuint name;
   glGenRenderbuffers(1, &name);
   glBindRenderbuffer(GL_RENDERBUFFER, name);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA32F, SIZE, SIZE);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT1, GL_RENDERBUFFER, name);
   glDrawBuffers(2, (const GLenum[]){GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1});
   draw();
   CHECK(glGetError() == GL_INVALID_OPERATION, "a draw with two buffers and two colours");
   glDrawBuffers(1, (const GLenum[]){GL_COLOR_ATTACHMENT0});
}

int
main(void)
{
   static const char uniforms[] = "uniform vec4 first, second;";
   char source[512];
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_FALSE);
   target(GL_RGBA32F, 0);
   snprintf(source, sizeof(source),
            "%s out vec4 zero, one; void main() { zero = first;"
            " one = second; }",
            uniforms);
   use_program("#version 130\n", source, true);
   glEnable(GL_BLEND);
   factors();
   snprintf(source, sizeof(source),
            "%s layout(location = 0, index = 1) out vec4 one;"
            "layout(location = 0, index = 0) out vec4 zero;"
            "void main() { one = second; zero = first; }",
            uniforms);
   use_program("#version 130\n#extension GL_ARB_explicit_attrib_location: require\n"
               "#extension GL_ARB_blend_func_extended: enable\n",
               source, false);
   subpixels("indices in the shader");
   alpha_test();
   alpha_to_one();
   /* What the first colour alone does is as before. */
   glBlendFunc(GL_SRC_ALPHA, GL_ZERO);
   const GLfloat alone[4] = {0.375f, 0.1875f, 0.75f, 0.5625f};
   draw();
   expect("one colour", alone);
   subpixels("two colours again");
   errors();
   return !right;
}
