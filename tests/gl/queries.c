/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Two contexts draw by turns, each with queries open: every query counts what its own context draws
 * and nothing else, however often they take turns. Then draws on the condition of a query, which
 * the GPU decides, queries of time, and draws that count nowhere. Not here: other queries of one
 * context (piglit). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <stdbool.h>
#include "egl_util.h"

enum { SIZE = 64, TURNS = 40 }; /* more turns than a query has room for */

struct side {
   EGLSurface surface;
   EGLContext context;
   GLuint samples, vertices;
   GLuint width; /* of what it draws, pixels */
};

static EGLDisplay display;

static void
make_current(const struct side *s)
{
   CHECK(eglMakeCurrent(display, s->surface, s->surface, s->context), "eglMakeCurrent");
}

static void
open_side(struct side *s, EGLConfig config, GLuint width)
{
   s->surface = util_make_current(display, config, SIZE, EGL_NO_CONTEXT, &s->context);
   s->width = width;
   glGenQueries(1, &s->samples);
   glGenQueries(1, &s->vertices);
   glEnable(GL_SCISSOR_TEST);
}

/* SIZE * width samples, 4 vertices. */
static void
draw(const struct side *s)
{
   glScissor(0, 0, (GLsizei)s->width, SIZE);
   glBegin(GL_QUADS);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(1, 1);
   glVertex2f(-1, 1);
   glEnd();
   glFlush();
}

static void
expect(GLuint query, GLuint want, const char *what)
{
   GLuint count = 0;
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &count);
   CHECK(count == want, "%s: %u, not %u", what, count, want);
}

/* Whether a draw shows that is made on the condition that one of so many pixels did. */
static bool
drawn_on_condition(const struct side *s, GLsizei pixels)
{
   GLubyte pixel[4];
   GLuint query;
   glGenQueries(1, &query);
   glClear(GL_COLOR_BUFFER_BIT);
   glBeginQuery(GL_SAMPLES_PASSED, query);
   glScissor(0, 0, pixels, 1);
   glRectf(-1, -1, 1, 1);
   glEndQuery(GL_SAMPLES_PASSED);
   glBeginConditionalRenderNV(query, GL_QUERY_WAIT_NV);
   glScissor(0, 0, (GLsizei)s->width, SIZE);
   glColor3f(0, 1, 0);
   glRectf(-1, -1, 1, 1);
   glColor3f(1, 1, 1);
   glEndConditionalRenderNV();
   glReadPixels(2, 2, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, pixel);
   glDeleteQueries(1, &query);
   return pixel[1] == 255 && pixel[0] == 0;
}

/* Time goes on from query to query, also in a polling loop without a clock (which the number of
 * bits shows). */
static void
times(const struct side *s)
{
   GLuint query[3];
   GLuint64 first = 0, second = 0, elapsed = 0;
   GLint64 begin, now;
   GLint bits = -1;
   glGenQueries(3, query);
   glQueryCounter(query[0], GL_TIMESTAMP);
   glBeginQuery(GL_TIME_ELAPSED, query[1]);
   draw(s);
   glEndQuery(GL_TIME_ELAPSED);
   glQueryCounter(query[2], GL_TIMESTAMP);
   glGetQueryObjectui64v(query[0], GL_QUERY_RESULT, &first);
   glGetQueryObjectui64v(query[1], GL_QUERY_RESULT, &elapsed);
   glGetQueryObjectui64v(query[2], GL_QUERY_RESULT, &second);
   CHECK(elapsed > 0 && second - first >= elapsed, "%llu ns passed between %llu and %llu",
         (unsigned long long)elapsed, (unsigned long long)first, (unsigned long long)second);
   glGetQueryiv(GL_TIMESTAMP, GL_QUERY_COUNTER_BITS, &bits);
   printf("%d bits of time\n", bits);
   glGetInteger64v(GL_TIMESTAMP, &begin);
   CHECK((GLuint64)begin >= second, "it is %lld after %llu", (long long)begin,
         (unsigned long long)second);
   do {
      glGetInteger64v(GL_TIMESTAMP, &now);
   } while (!bits && now - begin < 16000000);
   glDeleteQueries(3, query);
}

/* A scaled blit and a clear with a mask are draws of the driver: they count nowhere. Indices beyond
 * the end of their buffer are no vertices. */
static void
other_draws(void)
{
   static const GLenum kinds[] = {GL_SAMPLES_PASSED,
                                  GL_ANY_SAMPLES_PASSED,
                                  GL_PRIMITIVES_GENERATED,
                                  GL_VERTICES_SUBMITTED_ARB,
                                  GL_VERTEX_SHADER_INVOCATIONS_ARB,
                                  GL_FRAGMENT_SHADER_INVOCATIONS_ARB};
   static const GLuint indices[] = {0, 1, 2};
   static const float corners[] = {-1, -1, 3, -1, -1, 3};
   GLuint query, framebuffer, renderbuffer, buffer[2];
   glGenFramebuffers(1, &framebuffer);
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE / 2, SIZE / 2);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer);
   glFramebufferRenderbuffer(GL_DRAW_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                             renderbuffer);
   for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
      glGenQueries(1, &query);
      glBeginQuery(kinds[i], query);
      glBlitFramebuffer(0, 0, SIZE, SIZE, 0, 0, SIZE / 2, SIZE / 2, GL_COLOR_BUFFER_BIT, GL_LINEAR);
      glColorMask(GL_TRUE, GL_FALSE, GL_FALSE, GL_TRUE);
      glScissor(1, 1, 5, 7);
      glClear(GL_COLOR_BUFFER_BIT);
      glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
      glEndQuery(kinds[i]);
      char what[80];
      snprintf(what, sizeof(what), "query 0x%x of the driver's own draws", kinds[i]);
      expect(query, 0, what);
      glDeleteQueries(1, &query);
   }
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
   glGenBuffers(2, buffer);
   glBindBuffer(GL_ARRAY_BUFFER, buffer[0]);
   glBufferData(GL_ARRAY_BUFFER, sizeof(corners), corners, GL_STATIC_DRAW);
   glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, buffer[1]);
   glBufferData(GL_ELEMENT_ARRAY_BUFFER, sizeof(indices), indices, GL_STATIC_DRAW);
   glVertexPointer(2, GL_FLOAT, 0, NULL);
   glEnableClientState(GL_VERTEX_ARRAY);
   glGenQueries(1, &query);
   glBeginQuery(GL_PRIMITIVES_GENERATED, query);
   glDrawRangeElements(GL_TRIANGLES, 0, 2, 3000, GL_UNSIGNED_INT, NULL);
   glEndQuery(GL_PRIMITIVES_GENERATED);
   expect(query, 1, "primitives of 3 indices in the buffer");
   glDisableClientState(GL_VERTEX_ARRAY);
   glDeleteBuffers(2, buffer);
   glDeleteQueries(1, &query);
   glDeleteFramebuffers(1, &framebuffer);
   glDeleteRenderbuffers(1, &renderbuffer);
}

int
main(void)
{
   struct side side[2];
   display = util_display(EGL_OPENGL_API);
   EGLConfig config = util_config(display);
   open_side(&side[0], config, 48);
   open_side(&side[1], config, 10);
   for (int i = 0; i < 2; i++) {
      make_current(&side[i]);
      glBeginQuery(GL_SAMPLES_PASSED, side[i].samples);
      glBeginQuery(GL_VERTICES_SUBMITTED_ARB, side[i].vertices);
   }
   for (int turn = 0; turn < TURNS; turn++) {
      make_current(&side[turn & 1]);
      draw(&side[turn & 1]);
      if (turn % 5 == 0) /* twice in one turn */
         draw(&side[turn & 1]);
   }
   for (int i = 0; i < 2; i++) {
      const GLuint draws = TURNS / 2 + TURNS / 10;
      make_current(&side[i]);
      glEndQuery(GL_VERTICES_SUBMITTED_ARB);
      draw(&side[i]);
      glEndQuery(GL_SAMPLES_PASSED);
      expect(side[i].samples, (draws + 1) * SIZE * side[i].width, "samples passed");
      expect(side[i].vertices, draws * 4, "vertices submitted");
   }
   CHECK(!drawn_on_condition(&side[1], 0), "drawn although nothing had passed");
   CHECK(drawn_on_condition(&side[1], 1), "not drawn although a pixel had passed");
   times(&side[1]);
   other_draws();
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
