/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Swaps a green pbuffer of an odd width while everything that glReadPixels heeds is set otherwise:
 * a red framebuffer for reading, a buffer for pixels, long rows. All of it must be the same
 * afterwards. The script beside it looks at the picture of attila-run --grab. */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include "egl_util.h"

enum { SIZE = 33 };

static const struct {
   GLenum name;
   GLint value;
} grab_packs[] = {{GL_PACK_ALIGNMENT, 8},
                  {GL_PACK_ROW_LENGTH, 100},
                  {GL_PACK_SKIP_ROWS, 3},
                  {GL_PACK_SKIP_PIXELS, 5}};

int
main(void)
{
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context;
   EGLSurface surface =
       util_make_current(display, util_config(display), SIZE, EGL_NO_CONTEXT, &context);
   glClearColor(0, 1, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);

   GLuint renderbuffer, framebuffer, buffer;
   glGenRenderbuffers(1, &renderbuffer);
   glBindRenderbuffer(GL_RENDERBUFFER, renderbuffer);
   glRenderbufferStorage(GL_RENDERBUFFER, GL_RGBA8, SIZE, SIZE);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER, renderbuffer);
   glClearColor(1, 0, 0, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);

   glGenBuffers(1, &buffer);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, buffer);
   glBufferData(GL_PIXEL_PACK_BUFFER, 4 * SIZE * SIZE, NULL, GL_STREAM_READ);
   for (unsigned i = 0; i < sizeof(grab_packs) / sizeof(grab_packs[0]); i++)
      glPixelStorei(grab_packs[i].name, grab_packs[i].value);

   eglSwapBuffers(display, surface);

   GLint value;
   glGetIntegerv(GL_READ_FRAMEBUFFER_BINDING, &value);
   CHECK(value == (GLint)framebuffer, "the framebuffer for reading is %d", value);
   glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &value);
   CHECK(value == 0, "the framebuffer for drawing is %d", value);
   glGetIntegerv(GL_PIXEL_PACK_BUFFER_BINDING, &value);
   CHECK(value == (GLint)buffer, "the buffer for pixels is %d", value);
   for (unsigned i = 0; i < sizeof(grab_packs) / sizeof(grab_packs[0]); i++) {
      glGetIntegerv(grab_packs[i].name, &value);
      CHECK(value == grab_packs[i].value, "0x%04x is %d", grab_packs[i].name, value);
   }
   CHECK(glGetError() == GL_NO_ERROR, "an error of OpenGL");
   return 0;
}
