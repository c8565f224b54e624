/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Random programs of OpenGL 3.3 (core profile) and OpenGL ES 3.0, invalid arguments included: each
 * has a context and a seed of its own, and calls what the operations of this folder draw. After
 * each a line says its seed, its calls, the draws among them without an error, and a sum of its
 * picture, which both modes of the simulator must share. Not here: what finds the defects (scripts/
 * sanitize runs it on a build with sanitizers).
 *
 * random core|es FIRST COUNT: programs with the seeds FIRST to FIRST + COUNT - 1. */
#include "random.h"
#include "../egl_util.h"

enum { SIZE = 64, MOST_CALLS = 100 };

struct random_program random_gl;

/* An operation, and how often it is taken among all. */
static const struct {
   void (*run)(void);
   unsigned weight;
} operations[] = {
    {random_texture_image, 7},
    {random_texture_part, 6},
    {random_texture_copy, 3},
    {random_texture_read, 3},
    {random_texture_bind, 4},
    {random_texture_state, 6},
    {random_texture_compressed, 3},
    {random_sampler, 2},
    {random_framebuffer, 5},
    {random_renderbuffer, 2},
    {random_draw_buffers, 2},
    {random_blit, 3},
    {random_clear, 4},
    {random_read_pixels, 4},
    {random_pixel_store, 4},
    {random_program_new, 2},
    {random_program_use, 3},
    {random_uniforms, 3},
    {random_buffer, 6},
    {random_buffer_map, 3},
    {random_buffer_copy, 2},
    {random_vertex_arrays, 4},
    {random_draw, 22},
    {random_query, 5},
    {random_feedback, 2},
    {random_state, 12},
    {random_get, 3},
    {random_delete, 2},
    {random_sync, 1},
};

static void
operation(void)
{
   unsigned all = 0;
   for (size_t i = 0; i < RANDOM_LENGTH(operations); i++)
      all += operations[i].weight;
   unsigned at = random_below(all);
   size_t i = 0;
   while (at >= operations[i].weight)
      at -= operations[i++].weight;
   operations[i].run();
   random_release();
   random_gl.calls++;
}

/* What a program that draws has first; the random calls may take it away again. */
static void
begin(void)
{
   GLuint name;
   glGenVertexArrays(1, &name);
   random_add(&random_gl.arrays, name, 0);
   glBindVertexArray(name);
   glClearColor(0.2f, 0.4f, 0.6f, 0.8f);
   glClear(GL_COLOR_BUFFER_BIT);
   for (unsigned i = 0; i < 3; i++)
      random_buffer();
   random_vertex_arrays();
   random_program_new();
   random_release();
}

static uint32_t
picture(void)
{
   static uint8_t pixels[SIZE * SIZE * 4];
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
   glPixelStorei(GL_PACK_ROW_LENGTH, 0);
   glPixelStorei(GL_PACK_SKIP_PIXELS, 0);
   glPixelStorei(GL_PACK_SKIP_ROWS, 0);
   if (!random_gl.es) {
      glPixelStorei(GL_PACK_SWAP_BYTES, 0);
      glReadBuffer(GL_BACK); /* in EGL this names the only buffer of a pbuffer, too */
   }
   glReadPixels(0, 0, SIZE, SIZE, GL_RGBA, GL_UNSIGNED_BYTE, pixels);
   random_sum(pixels, sizeof(pixels));
   return random_gl.sum;
}

static EGLContext
make_context(EGLDisplay display, EGLConfig config, bool es)
{
   const EGLint core[] = {EGL_CONTEXT_MAJOR_VERSION,
                          3,
                          EGL_CONTEXT_MINOR_VERSION,
                          3,
                          EGL_CONTEXT_OPENGL_PROFILE_MASK,
                          EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                          EGL_NONE};
   const EGLint es3[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_NONE};
   const EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, es ? es3 : core);
   CHECK(context, "no context");
   return context;
}

int
main(int argc, char **argv)
{
   CHECK(argc == 4 && (!strcmp(argv[1], "core") || !strcmp(argv[1], "es")),
         "usage: random core|es FIRST COUNT");
   const bool es = !strcmp(argv[1], "es");
   const EGLint size[] = {EGL_WIDTH, SIZE, EGL_HEIGHT, SIZE, EGL_NONE};
   EGLDisplay display = util_display(es ? EGL_OPENGL_ES_API : EGL_OPENGL_API);
   EGLConfig config = util_config(display);
   const uint32_t first = (uint32_t)strtoul(argv[2], NULL, 10);
   const uint32_t count = (uint32_t)strtoul(argv[3], NULL, 10);
   for (uint32_t seed = first; seed < first + count; seed++) {
      EGLSurface surface = eglCreatePbufferSurface(display, config, size);
      const EGLContext context = make_context(display, config, es);
      CHECK(surface && eglMakeCurrent(display, surface, surface, context), "no context");
      memset(&random_gl, 0, sizeof(random_gl));
      random_gl.es = es;
      random_seed(seed);
      printf("%s %u:", argv[1], seed);
      fflush(stdout);
      begin();
      for (unsigned i = 20 + random_below(MOST_CALLS); i > 0; i--)
         operation();
      const uint32_t sum = picture();
      printf(" %u calls, %u draws, %08x\n", random_gl.calls, random_gl.draws, sum);
      eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
      eglDestroyContext(display, context);
      eglDestroySurface(display, surface);
      free(random_gl.vertices);
   }
   return 0;
}
