/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws under the names that KHR_debug knows: groups, markers, labels of a framebuffer, a texture
 * and a renderbuffer. The script beside it looks for them in the reports. Vertices of immediate
 * mode are drawn late by Mesa, and belong to where they were given. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include "egl_util.h"

enum { SIZE = 64 };

static void
draw(void)
{
   glBegin(GL_TRIANGLES);
   glVertex2f(-1, -1);
   glVertex2f(1, -1);
   glVertex2f(1, 1);
   glEnd();
}

static void
marker(const char *text)
{
   glDebugMessageInsert(GL_DEBUG_SOURCE_APPLICATION, GL_DEBUG_TYPE_MARKER, 1,
                        GL_DEBUG_SEVERITY_NOTIFICATION, -1, text);
}

static void
push(const char *text)
{
   glPushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 1, -1, text);
}

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   GLuint fb[2], texture, rb;
   draw(); /* without a name */
   marker("start");
   draw();
   push("world");
   draw();
   push("trees");
   draw();
   marker("oak");
   draw();
   glPopDebugGroup();
   draw(); /* in "world" */
   /* More than a row has room for: the end counts. */
   for (unsigned i = 0; i < 20; i++)
      push("a group of twenty");
   push("the innermost");
   draw();
   for (unsigned i = 0; i < 21; i++)
      glPopDebugGroup();
   glPopDebugGroup();
   draw(); /* "start" again */
   marker("");

   glGenFramebuffersEXT(2, fb);
   glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, fb[0]);
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, SIZE, SIZE, 0, GL_RGBA, GL_UNSIGNED_BYTE, NULL);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glFramebufferTexture2DEXT(GL_FRAMEBUFFER_EXT, GL_COLOR_ATTACHMENT0_EXT, GL_TEXTURE_2D, texture,
                             0);
   glBindTexture(GL_TEXTURE_2D, 0);
   glObjectLabel(GL_TEXTURE, texture, -1, "mirror");
   draw();
   push("reflection");
   draw();
   glPopDebugGroup();
   glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, fb[1]);
   glGenRenderbuffersEXT(1, &rb);
   glBindRenderbufferEXT(GL_RENDERBUFFER_EXT, rb);
   glRenderbufferStorageEXT(GL_RENDERBUFFER_EXT, GL_RGBA8, SIZE, SIZE);
   glFramebufferRenderbufferEXT(GL_FRAMEBUFFER_EXT, GL_COLOR_ATTACHMENT0_EXT, GL_RENDERBUFFER_EXT,
                                rb);
   glObjectLabel(GL_RENDERBUFFER, rb, -1, "plain");
   draw();
   glObjectLabel(GL_FRAMEBUFFER, fb[0], -1, "mirror pass");
   glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, fb[0]);
   draw();
   glBindFramebufferEXT(GL_FRAMEBUFFER_EXT, 0);
   draw(); /* without a name */
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglSwapBuffers(display, surface);
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
