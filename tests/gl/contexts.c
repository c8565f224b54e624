/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What contexts of one GPU must not do to each other: count another one's draws, even those of a
 * context that is younger than the query; name another one's draws (contexts.sh reads the names in
 * draws.csv); keep another thread from recording while the GPU works on a frame. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <unistd.h>
#include "egl_util.h"

enum { SIZE = 512, WORK = 60 /* full screens that keep the GPU busy for a second or more */ };

static EGLDisplay display;
static EGLConfig config;

static void
screens(int count)
{
   for (int i = 0; i < count; i++)
      glRectf(-1, -1, 1, 1);
}

static void
marker(const char *text)
{
   glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 0,
                        GL_DEBUG_SEVERITY_NOTIFICATION, -1, text);
}

/* A query that is older than the other context; and a name that is not the other one's. */
static void
check_apart(void)
{
   GLuint query, vertices = 0;
   EGLContext first, second;
   EGLSurface s1 = util_make_current(display, config, SIZE, EGL_NO_CONTEXT, &first);
   glGenQueries(1, &query);
   glBeginQuery(GL_VERTICES_SUBMITTED_ARB, query);
   marker("first");
   screens(1);
   glFlush();
   EGLSurface s2 = util_make_current(display, config, SIZE, EGL_NO_CONTEXT, &second);
   screens(2);
   glFlush();
   CHECK(eglMakeCurrent(display, s1, s1, first), "eglMakeCurrent");
   screens(1);
   glEndQuery(GL_VERTICES_SUBMITTED_ARB);
   glGetQueryObjectuiv(query, GL_QUERY_RESULT, &vertices);
   CHECK(vertices == 2 * 4, "%u vertices of two rectangles, not 8", vertices);
   CHECK(eglMakeCurrent(display, s2, s2, second), "eglMakeCurrent");
   marker("second");
   screens(1);
   glFinish();
}

static atomic_bool working, recorded;

static void *
record(void *argument)
{
   EGLContext context;
   eglBindAPI(EGL_OPENGL_API);
   util_make_current(display, config, 8, EGL_NO_CONTEXT, &context);
   while (!atomic_load(&working))
      sched_yield();
   usleep(100000); /* by now the other thread is inside glFinish */
   static const float triangle[] = {-1, -1, 3, -1, -1, 3};
   glEnableClientState(GL_VERTEX_ARRAY);
   for (int i = 0; i < 500; i++) {
      GLuint buffer;
      glGenBuffers(1, &buffer);
      glBindBuffer(GL_ARRAY_BUFFER, buffer);
      glBufferData(GL_ARRAY_BUFFER, sizeof(triangle), triangle, GL_STATIC_DRAW);
      glVertexPointer(2, GL_FLOAT, 0, NULL);
      glDrawArrays(GL_TRIANGLES, 0, 3);
   }
   atomic_store(&recorded, true);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   return NULL;
}

static void
check_recording(void)
{
   pthread_t thread;
   EGLContext context;
   util_make_current(display, config, SIZE, EGL_NO_CONTEXT, &context);
   glEnable(GL_BLEND);
   glBlendFunc(GL_ONE, GL_ONE);
   glFinish();
   pthread_create(&thread, NULL, record, NULL);
   screens(WORK);
   atomic_store(&working, true);
   glFinish();
   CHECK(atomic_load(&recorded), "the other thread waited for this one's frame");
   pthread_join(thread, NULL);
}

int
main(void)
{
   display = util_display(EGL_OPENGL_API);
   config = util_config(display);
   check_apart();
   check_recording();
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
