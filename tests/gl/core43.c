/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A program that wants a core context of OpenGL 4.3 and uses nothing of it: what attila-run --gl is
 * for (mistakes.sh). Not here: what is missing (refusals.c). */
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include "egl_util.h"

int
main(void)
{
   static const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION,
                                       4,
                                       EGL_CONTEXT_MINOR_VERSION,
                                       3,
                                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                       EGL_NONE};
   EGLDisplay display = util_display(EGL_OPENGL_API);
   EGLContext context = eglCreateContext(display, util_config(display), EGL_NO_CONTEXT, attributes);
   CHECK(context, "no core context of OpenGL 4.3: EGL error 0x%x", eglGetError());
   CHECK(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context), "not current");
   const char *version = (const char *)glGetString(GL_VERSION);
   CHECK(!strncmp(version, "4.3 (Core Profile)", 18), "version %s", version);
   return 0;
}
