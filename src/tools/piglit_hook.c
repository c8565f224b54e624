/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * libattila-piglit-hook.so, for LD_PRELOAD: tells what image a piglit test presents, so that two
 * runs can be compared image by image. Before every piglit_present_results() (which under -auto
 * swaps nothing) and before every swap it reads back the framebuffer that the test presents -
 * piglit's own with -fbo, else the window - and prints to standard error:
 *
 *   attila-image: NUMBER CALL WIDTHxHEIGHT color CRC depth CRC stencil CRC NAME-NUMBER.png
 *   attila-image: NUMBER CALL none REASON
 *
 *   ATTILA_PIGLIT_IMAGES  also write the colors as PNG into that folder
 *   ATTILA_PIGLIT_ROWS    ATTILA_OUT is a folder of that folder, of this process alone
 *
 * The test must not notice. The state that reading depends on is saved and restored, and glGetError
 * is never called, because a pending error is the test's; so only calls are made that are valid in
 * the contexts there are: OpenGL 2.1 and OpenGL ES 1.1, 2.0 and later. Not here: anything about the
 * simulator; it works on softpipe too. tests/lib/piglit_results.py compares the lines. */
#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "png_out.h"

#define EXPORT __attribute__((visibility("default")))
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* OpenGL's names; its headers are not needed to build the simulator. */
enum {
   GL_UNSIGNED_BYTE = 0x1401,
   GL_UNSIGNED_INT = 0x1405,
   GL_STENCIL_INDEX = 0x1901,
   GL_DEPTH_COMPONENT = 0x1902,
   GL_RGBA = 0x1908,
   GL_FRONT = 0x0404,
   GL_BACK = 0x0405,
   GL_READ_BUFFER = 0x0C02,
   GL_DOUBLEBUFFER = 0x0C32,
   GL_ALPHA_BITS = 0x0D55,
   GL_DEPTH_BITS = 0x0D56,
   GL_STENCIL_BITS = 0x0D57,
   GL_PACK_SWAP_BYTES = 0x0D00,
   GL_PACK_LSB_FIRST = 0x0D01,
   GL_PACK_ROW_LENGTH = 0x0D02,
   GL_PACK_SKIP_ROWS = 0x0D03,
   GL_PACK_SKIP_PIXELS = 0x0D04,
   GL_PACK_ALIGNMENT = 0x0D05,
   GL_PACK_INVERT_MESA = 0x8758,
   GL_PACK_REVERSE_ROW_ORDER_ANGLE = 0x93A4,
   GL_PIXEL_PACK_BUFFER = 0x88EB,
   GL_PIXEL_PACK_BUFFER_BINDING = 0x88ED,
   GL_FRAMEBUFFER = 0x8D40,
   GL_READ_FRAMEBUFFER = 0x8CA8,
   GL_DRAW_FRAMEBUFFER = 0x8CA9,
   GL_DRAW_FRAMEBUFFER_BINDING = 0x8CA6,
   GL_READ_FRAMEBUFFER_BINDING = 0x8CAA,
   GL_FRAMEBUFFER_COMPLETE = 0x8CD5,
   GL_COLOR_ATTACHMENT0 = 0x8CE0,
   GL_VERSION = 0x1F02,
   GL_EXTENSIONS = 0x1F03,
   GL_MAP_COLOR = 0x0D10,
   GL_MAP_STENCIL = 0x0D11,
   GL_INDEX_SHIFT = 0x0D12,
   GL_INDEX_OFFSET = 0x0D13,
   GL_RED_SCALE = 0x0D14,
   GL_RED_BIAS = 0x0D15,
   GL_GREEN_SCALE = 0x0D18,
   GL_GREEN_BIAS = 0x0D19,
   GL_BLUE_SCALE = 0x0D1A,
   GL_BLUE_BIAS = 0x0D1B,
   GL_ALPHA_SCALE = 0x0D1C,
   GL_ALPHA_BIAS = 0x0D1D,
   GL_DEPTH_SCALE = 0x0D1E,
   GL_DEPTH_BIAS = 0x0D1F,
};

static struct {
   const char *(*GetString)(unsigned);
   void (*GetIntegerv)(unsigned, int *);
   void (*GetFloatv)(unsigned, float *);
   void (*BindFramebuffer)(unsigned, unsigned);
   unsigned char (*IsFramebuffer)(unsigned);
   unsigned (*CheckFramebufferStatus)(unsigned);
   void (*ReadBuffer)(unsigned);
   void (*ReadPixels)(int, int, int, int, unsigned, unsigned, void *);
   void (*PixelStorei)(unsigned, int);
   void (*PixelTransferf)(unsigned, float);
   void (*BindBuffer)(unsigned, unsigned);
} gl;

/* What the current context can do, as far as reading back goes. */
struct context {
   bool desktop;
   bool objects;  /* framebuffer objects by OpenGL's names */
   bool split;    /* separate read and draw framebuffers, a read buffer, pixel pack buffers */
   bool rows;     /* row length and skips when packing */
   unsigned flip; /* name of the pack state that turns rows over, or 0 */
};

static const struct {
   unsigned name;
   float neutral;
} transfer[] = {
    {GL_MAP_COLOR, 0},   {GL_MAP_STENCIL, 0}, {GL_INDEX_SHIFT, 0}, {GL_INDEX_OFFSET, 0},
    {GL_RED_SCALE, 1},   {GL_RED_BIAS, 0},    {GL_GREEN_SCALE, 1}, {GL_GREEN_BIAS, 0},
    {GL_BLUE_SCALE, 1},  {GL_BLUE_BIAS, 0},   {GL_ALPHA_SCALE, 1}, {GL_ALPHA_BIAS, 0},
    {GL_DEPTH_SCALE, 1}, {GL_DEPTH_BIAS, 0},
};

struct saved {
   int draw_framebuffer, read_framebuffer, read_buffer, pack_buffer;
   int alignment, row_length, skip_rows, skip_pixels, swap_bytes, lsb_first, flip;
   float transfer[COUNT(transfer)];
};

static void *
piglit_hook_next(const char *name)
{
   void *fn = dlsym(RTLD_NEXT, name);
   if (!fn) {
      fprintf(stderr, "attila-piglit-hook: no %s\n", name);
      abort();
   }
   return fn;
}

/* Any of glvnd's libraries will do: each leads to the current context, whichever API it has. */
static bool
piglit_hook_load_gl(void)
{
   static const char *const libraries[] = {"libGL.so.1", "libGLESv2.so.2", "libOpenGL.so.0"};
   void *library = NULL;
   if (gl.ReadPixels)
      return true;
   for (unsigned i = 0; i < COUNT(libraries) && !library; i++)
      library = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);
   if (!library)
      return false;
#define LOAD(name) gl.name = (__typeof__(gl.name))dlsym(library, "gl" #name)
   LOAD(GetString);
   LOAD(GetIntegerv);
   LOAD(GetFloatv);
   LOAD(BindFramebuffer);
   LOAD(IsFramebuffer);
   LOAD(CheckFramebufferStatus);
   LOAD(ReadBuffer);
   LOAD(PixelStorei);
   LOAD(PixelTransferf);
   LOAD(BindBuffer);
   LOAD(ReadPixels);
#undef LOAD
   return gl.ReadPixels && gl.BindFramebuffer;
}

static int
piglit_hook_get(unsigned name)
{
   int value[4] = {0};
   gl.GetIntegerv(name, value);
   return value[0];
}

static struct context
piglit_hook_describe_context(const char *version)
{
   struct context c = {.desktop = strncmp(version, "OpenGL ES", 9) != 0};
   const char *extensions = gl.GetString(GL_EXTENSIONS);
   c.objects = strncmp(version, "OpenGL ES-CM", 12) != 0;
   c.split = c.objects && strncmp(version, "OpenGL ES 2", 11) != 0;
   c.rows = c.split || (extensions && strstr(extensions, "GL_NV_pack_subimage"));
   if (extensions && strstr(extensions, "GL_MESA_pack_invert"))
      c.flip = GL_PACK_INVERT_MESA;
   else if (extensions && strstr(extensions, "GL_ANGLE_pack_reverse_row_order"))
      c.flip = GL_PACK_REVERSE_ROW_ORDER_ANGLE;
   return c;
}

static void
piglit_hook_set_packing(const struct context *c, const struct saved *s)
{
   gl.PixelStorei(GL_PACK_ALIGNMENT, s->alignment);
   if (c->rows) {
      gl.PixelStorei(GL_PACK_ROW_LENGTH, s->row_length);
      gl.PixelStorei(GL_PACK_SKIP_ROWS, s->skip_rows);
      gl.PixelStorei(GL_PACK_SKIP_PIXELS, s->skip_pixels);
   }
   if (c->desktop) {
      gl.PixelStorei(GL_PACK_SWAP_BYTES, s->swap_bytes);
      gl.PixelStorei(GL_PACK_LSB_FIRST, s->lsb_first);
      for (unsigned i = 0; i < COUNT(transfer); i++)
         gl.PixelTransferf(transfer[i].name, s->transfer[i]);
   }
   if (c->flip)
      gl.PixelStorei(c->flip, s->flip);
   if (c->split)
      gl.BindBuffer(GL_PIXEL_PACK_BUFFER, (unsigned)s->pack_buffer);
}

/* Everything but the read buffer, which belongs to a framebuffer that is not bound yet. */
static void
piglit_hook_save_state(const struct context *c, struct saved *s)
{
   struct saved neutral = {.alignment = 1};
   memset(s, 0, sizeof(*s));
   s->draw_framebuffer =
       piglit_hook_get(GL_DRAW_FRAMEBUFFER_BINDING); /* in OpenGL ES 1.1 and 2.0 the only one */
   s->alignment = piglit_hook_get(GL_PACK_ALIGNMENT);
   if (c->split) {
      s->read_framebuffer = piglit_hook_get(GL_READ_FRAMEBUFFER_BINDING);
      s->pack_buffer = piglit_hook_get(GL_PIXEL_PACK_BUFFER_BINDING);
   }
   if (c->rows) {
      s->row_length = piglit_hook_get(GL_PACK_ROW_LENGTH);
      s->skip_rows = piglit_hook_get(GL_PACK_SKIP_ROWS);
      s->skip_pixels = piglit_hook_get(GL_PACK_SKIP_PIXELS);
   }
   if (c->desktop) {
      s->swap_bytes = piglit_hook_get(GL_PACK_SWAP_BYTES);
      s->lsb_first = piglit_hook_get(GL_PACK_LSB_FIRST);
      for (unsigned i = 0; i < COUNT(transfer); i++) {
         gl.GetFloatv(transfer[i].name, &s->transfer[i]);
         neutral.transfer[i] = transfer[i].neutral;
      }
   }
   if (c->flip)
      s->flip = piglit_hook_get(c->flip);
   piglit_hook_set_packing(c, &neutral);
}

static bool
piglit_hook_all_are(const uint8_t *data, size_t size, uint8_t value)
{
   return data[0] == value && !memcmp(data, data + 1, size - 1);
}

/* Reading that fails leaves the memory alone; as an image may be of one color, two fillings must
 * survive to tell. */
static bool
piglit_hook_read_back(unsigned width, unsigned height, unsigned format, unsigned type,
                      uint8_t *data, size_t size)
{
   for (unsigned i = 0; i < 2; i++) {
      uint8_t filling = i ? 0xa5 : 0x5a;
      memset(data, filling, size);
      gl.ReadPixels(0, 0, (int)width, (int)height, format, type, data);
      if (!piglit_hook_all_are(data, size, filling))
         return true;
   }
   return false;
}

/* Tells tests that are started by the same program apart, and is the same in every run. */
static uint32_t
piglit_hook_command_hash(void)
{
   uint8_t text[4096];
   FILE *f = fopen("/proc/self/cmdline", "rb");
   size_t n = f ? fread(text, 1, sizeof(text), f) : 0;
   if (f)
      fclose(f);
   return (uint32_t)crc32(0, text, (uInt)n);
}

/* Reads what is bound and tells about it; NULL when that was possible, else the reason why it was
 * not. */
static const char *
piglit_hook_report(const struct context *c, unsigned number, const char *call, bool window,
                   unsigned width, unsigned height)
{
   const char *dir = getenv("ATTILA_PIGLIT_IMAGES");
   size_t pixels = (size_t)width * height;
   bool alpha = piglit_hook_get(GL_ALPHA_BITS) > 0;
   bool depth = c->desktop && piglit_hook_get(GL_DEPTH_BITS) > 0,
        stencil = c->desktop && piglit_hook_get(GL_STENCIL_BITS) > 0;
   char depth_text[32] = "", stencil_text[32] = "", name[512];
   uint8_t *data = malloc(pixels * 4);
   if (!data)
      return "out of memory";
   if (depth) {
      bool ok = piglit_hook_read_back(width, height, GL_DEPTH_COMPONENT, GL_UNSIGNED_INT, data,
                                      pixels * 4);
      uLong crc = crc32(0, data, (uInt)(pixels * 4));
      snprintf(depth_text, sizeof(depth_text), ok ? " depth %08lx" : " depth unread", crc);
   }
   if (stencil) {
      bool ok =
          piglit_hook_read_back(width, height, GL_STENCIL_INDEX, GL_UNSIGNED_BYTE, data, pixels);
      uLong crc = crc32(0, data, (uInt)pixels);
      snprintf(stencil_text, sizeof(stencil_text), ok ? " stencil %08lx" : " stencil unread", crc);
   }
   if (!piglit_hook_read_back(width, height, GL_RGBA, GL_UNSIGNED_BYTE, data, pixels * 4)) {
      free(data);
      return "unread";
   }
   if (window && !alpha) { /* alpha of a window is invisible */
      for (size_t i = 0; i < pixels; i++)
         data[4 * i + 3] = 255;
   }
   snprintf(name, sizeof(name), "%s-%08" PRIx32 "-%u.png", program_invocation_short_name,
            piglit_hook_command_hash(), number);
   fprintf(stderr, "attila-image: %u %s %ux%u color %08lx%s%s %s\n", number, call, width, height,
           crc32(0, data, (uInt)(pixels * 4)), depth_text, stencil_text, name);
   if (dir) {
      char path[4096];
      snprintf(path, sizeof(path), "%s/%s", dir, name);
      png_write_bottom_up("attila-piglit-hook", path, data, width, height);
   }
   free(data);
   return NULL;
}

/* Binds the framebuffer that is presented, reads it and puts everything back. */
static const char *
piglit_hook_capture(unsigned number, const char *call, unsigned framebuffer, unsigned width,
                    unsigned height)
{
   const char *version = piglit_hook_load_gl() ? gl.GetString(GL_VERSION) : NULL, *why;
   struct saved saved;
   if (!version)
      return "no context";
   if (!width || !height)
      return "empty";
   struct context c = piglit_hook_describe_context(version);
   if (framebuffer && !(c.objects && gl.IsFramebuffer(framebuffer)))
      return "another context";
   piglit_hook_save_state(&c, &saved);
   if (c.objects)
      gl.BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   if (c.objects ? gl.CheckFramebufferStatus(GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE
                 : saved.draw_framebuffer != 0) {
      why = c.objects ? "incomplete" : "framebuffer object of OpenGL ES 1";
   } else {
      if (c.split) {
         bool single = c.desktop && !piglit_hook_get(GL_DOUBLEBUFFER);
         saved.read_buffer = piglit_hook_get(GL_READ_BUFFER);
         gl.ReadBuffer(framebuffer ? GL_COLOR_ATTACHMENT0 : single ? GL_FRONT : GL_BACK);
      }
      why = piglit_hook_report(&c, number, call, !framebuffer, width, height);
      if (c.split)
         gl.ReadBuffer((unsigned)saved.read_buffer);
   }
   if (c.objects)
      gl.BindFramebuffer(c.split ? GL_DRAW_FRAMEBUFFER : GL_FRAMEBUFFER,
                         (unsigned)saved.draw_framebuffer);
   if (c.split)
      gl.BindFramebuffer(GL_READ_FRAMEBUFFER, (unsigned)saved.read_framebuffer);
   piglit_hook_set_packing(&c, &saved);
   return why;
}

static void
piglit_hook_present(const char *call, unsigned framebuffer, unsigned width, unsigned height)
{
   static atomic_uint images;
   unsigned number = atomic_fetch_add(&images, 1);
   int error = errno;
   const char *why = piglit_hook_capture(number, call, framebuffer, width, height);
   if (why)
      fprintf(stderr, "attila-image: %u %s none %s\n", number, call, why);
   errno = error;
}

/* --- what the tests call --- */

/* A variable of piglit's; 0 in programs that do not use its framework. */
static unsigned
piglit_hook_variable(const char *name)
{
   const unsigned *v = dlsym(RTLD_DEFAULT, name);
   return v ? *v : 0;
}

EXPORT void
piglit_present_results(void)
{
   unsigned width = piglit_hook_variable("piglit_width"),
            height = piglit_hook_variable("piglit_height");
   piglit_hook_present("present", piglit_hook_variable("piglit_winsys_fbo"), width, height);
   ((void (*)(void))piglit_hook_next("piglit_present_results"))();
}

EXPORT bool
waffle_window_swap_buffers(void *window)
{
   piglit_hook_present("swap", 0, piglit_hook_variable("piglit_width"),
                       piglit_hook_variable("piglit_height"));
   return ((bool (*)(void *))piglit_hook_next("waffle_window_swap_buffers"))(window);
}

typedef void (*query_drawable_fn)(void *, unsigned long, int, unsigned *);

__attribute__((constructor)) static void
piglit_hook_choose_rows(void)
{
   const char *dir = getenv("ATTILA_PIGLIT_ROWS");
   char path[4096];
   if (!dir || snprintf(path, sizeof(path), "%s/%d", dir, (int)getpid()) >= (int)sizeof(path))
      return;
   setenv("ATTILA_OUT", path, 1);
}

EXPORT void
glXSwapBuffers(void *display, unsigned long drawable)
{
   unsigned long (*draw)(void) = (unsigned long (*)(void))piglit_hook_next("glXGetCurrentDrawable");
   unsigned long (*read)(void) =
       (unsigned long (*)(void))piglit_hook_next("glXGetCurrentReadDrawable");
   if (draw() == drawable && read() == drawable) {
      query_drawable_fn query = (query_drawable_fn)piglit_hook_next("glXQueryDrawable");
      unsigned width = 0, height = 0;
      query(display, drawable, 0x801D, &width); /* GLX_WIDTH, GLX_HEIGHT */
      query(display, drawable, 0x801E, &height);
      piglit_hook_present("swap", 0, width, height);
   }
   ((void (*)(void *, unsigned long))piglit_hook_next("glXSwapBuffers"))(display, drawable);
}

EXPORT unsigned
eglSwapBuffers(void *display, void *surface)
{
   void *(*current)(int) = (void *(*)(int))piglit_hook_next("eglGetCurrentSurface");
   if (current(0x3059) == surface && current(0x305A) == surface) { /* EGL_DRAW, EGL_READ */
      unsigned (*query)(void *, void *, int, int *) =
          (unsigned (*)(void *, void *, int, int *))piglit_hook_next("eglQuerySurface");
      int width = 0, height = 0;
      query(display, surface, 0x3057, &width); /* EGL_WIDTH, EGL_HEIGHT */
      query(display, surface, 0x3056, &height);
      piglit_hook_present("swap", 0, (unsigned)width, (unsigned)height);
   }
   return ((unsigned (*)(void *, void *))piglit_hook_next("eglSwapBuffers"))(display, surface);
}
