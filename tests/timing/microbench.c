/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Draws one microbenchmark with OpenGL on a pbuffer of 640x480, ended by a swap; or writes it as a
 * text trace for the original simulator. Not here: what is drawn (cases_*.c), and what it should
 * cost (cases.txt). */
#include "microbench.h"
#include <stdlib.h>
#include <EGL/egl.h>
#include "../gl/egl_util.h"

const struct bench_rect bench_screen = {0, 0, 1, 1};

static void
start_view(void)
{
   GL(glClearColor(0, 0, 0, 0));
   GL(glViewport(0, 0, 640, 480));
   GL(glMatrixMode(GL_PROJECTION));
   GL(glLoadIdentity());
   GL(glOrtho(0, 1, 0, 1, -1, 1));
   GL(glMatrixMode(GL_MODELVIEW));
   GL(glLoadIdentity());
}

void
bench_start(void)
{
   start_view();
   GL(glClear(GL_COLOR_BUFFER_BIT));
}

void
bench_start_depth(void)
{
   start_view();
   GL(glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT));
   GL(glEnable(GL_DEPTH_TEST));
}

static void
corners(struct bench_rect r, double z0, double z1, double s, double t)
{
   static const double u[] = {0, 1, 1, 0}, v[] = {0, 0, 1, 1};
   for (int i = 0; i < 4; i++) {
      if (s > 0)
         bench_texcoord(u[i] * s, v[i] * t);
      bench_vertex(r.x0 + u[i] * (r.x1 - r.x0), r.y0 + v[i] * (r.y1 - r.y0), u[i] > 0 ? z1 : z0);
   }
}

void
bench_corners(struct bench_rect where, double z0, double z1)
{
   corners(where, z0, z1, 0, 0);
}

void
bench_slope(struct bench_rect where, double z0, double z1)
{
   GL(glBegin(GL_QUADS));
   corners(where, z0, z1, 0, 0);
   GL(glEnd());
   bench_separate();
}

void
bench_textured(double s, double t)
{
   GL(glBegin(GL_QUADS));
   corners(bench_screen, 0, 0, s, t);
   GL(glEnd());
   bench_separate();
}

/* --- The program --- */

static const struct bench_case *const lists[] = {pixel_cases,  geometry_cases,  texture_cases,
                                                 mixed_cases,  constants_cases, integer_cases,
                                                 stages_cases, fetch_cases,     storage_cases};

static const struct bench_case *
find_case(const char *name)
{
   for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
      for (const struct bench_case *c = lists[i]; c->name; c++)
         if (!strcmp(c->name, name))
            return c;
   return NULL;
}

static void
print_cases(void)
{
   for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++)
      for (const struct bench_case *c = lists[i]; c->name; c++) {
         printf("%s samples %u", c->name, c->samples);
         printf("%s\n", c->ours_only ? " ours-only" : "");
      }
}

static void
run(const struct bench_case *c, unsigned samples)
{
   const EGLDisplay display = util_display(EGL_OPENGL_API);
   const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                EGL_PBUFFER_BIT,
                                EGL_RENDERABLE_TYPE,
                                EGL_OPENGL_BIT,
                                EGL_ALPHA_SIZE,
                                8,
                                EGL_BLUE_SIZE,
                                8,
                                EGL_GREEN_SIZE,
                                8,
                                EGL_RED_SIZE,
                                8,
                                EGL_DEPTH_SIZE,
                                24,
                                EGL_STENCIL_SIZE,
                                8,
                                EGL_SAMPLES,
                                (EGLint)samples,
                                EGL_NONE};
   const EGLint size[] = {EGL_WIDTH, BENCH_WIDTH, EGL_HEIGHT, BENCH_HEIGHT, EGL_NONE};
   EGLConfig config;
   EGLint count = 0;
   CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count == 1,
         "no pbuffer with depth, stencil and %u samples", samples);
   const EGLSurface surface = eglCreatePbufferSurface(display, config, size);
   const EGLContext context = eglCreateContext(display, config, NULL, NULL);
   CHECK(context && surface && eglMakeCurrent(display, surface, surface, context),
         "cannot make a context current");
   c->draw();
   CHECK(glGetError() == GL_NO_ERROR, "%s: an OpenGL call is refused", c->name);
   glFinish();
   CHECK(eglSwapBuffers(display, surface), "the swap fails");
   glFinish();
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
}

static const char usage[] =
    "usage: microbench CASE                 draws it and swaps\n"
    "       microbench --samples N CASE     the same in a window with N samples\n"
    "       microbench --trace CASE FOLDER  writes it as a trace for the original simulator\n"
    "       microbench --list               names of the cases\n";

int
main(int argc, char **argv)
{
   if (argc == 2 && !strcmp(argv[1], "--list")) {
      print_cases();
      return 0;
   }
   if (argc == 2 && !strcmp(argv[1], "--help")) {
      fputs(usage, stdout);
      return 0;
   }
   const bool tracing = argc == 4 && !strcmp(argv[1], "--trace");
   const bool forced = argc == 4 && !strcmp(argv[1], "--samples");
   if (!tracing && !forced && argc != 2) {
      fputs(usage, stderr);
      return 2;
   }
   const char *name = argv[tracing ? 2 : forced ? 3 : 1];
   const struct bench_case *c = find_case(name);
   if (!c) {
      fprintf(stderr, "microbench: there is no case %s (see --list)\n", name);
      return 2;
   }
   if (!tracing) {
      run(c, forced ? (unsigned)strtoul(argv[2], NULL, 10) : c->samples);
      return 0;
   }
   CHECK(!c->ours_only, "%s: the original has no such calls", c->name);
   bench_trace_open(argv[3]);
   c->draw();
   bench_trace_close();
   return 0;
}
