/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * dmabufs without a DRM device: memory files stand for them on the way in, as both can be mapped;
 * on the way out they come from /dev/udmabuf, which fake_drm.so has if the kernel has not.
 *
 *   dmabuf           imports; nothing can be exported without /dev/udmabuf
 *   dmabuf --export  exports, too */
#include <drm_fourcc.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include "gles_util.h"
#include <GLES2/gl2ext.h>

#define WIDTH 21 /* neither a multiple of a tile's size nor of a row's alignment */
#define HEIGHT 13
#define STRIDE (WIDTH * 4 + 20)
#define OFFSET 36
#define SIZE (OFFSET + STRIDE * HEIGHT + 100)
#define GUARD 0xa5 /* outside the image */

static EGLDisplay display;
static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_target;

struct memory {
   int fd;
   uint8_t *map;
};

static struct memory
make_memory(size_t size, int guard)
{
   struct memory memory = {.fd = memfd_create("dmabuf", MFD_CLOEXEC)};
   CHECK(memory.fd >= 0 && !ftruncate(memory.fd, (off_t)size), "no memory file");
   memory.map = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd, 0);
   CHECK(memory.map != MAP_FAILED, "a memory file cannot be mapped");
   memset(memory.map, guard, size);
   return memory;
}

static uint32_t *
pixel(struct memory memory, unsigned x, unsigned y)
{
   return (uint32_t *)(memory.map + OFFSET + y * STRIDE) + x;
}

static void
fill(struct memory memory, uint32_t rgb)
{
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++)
         *pixel(memory, x, y) = rgb;
   }
}

static void
expect_memory(struct memory memory, unsigned x, unsigned y, uint32_t rgb)
{
   const uint32_t is = *pixel(memory, x, y) & 0xffffff;
   CHECK(is == rgb, "memory, pixel (%u, %u) is %06x, not %06x", x, y, is, rgb);
}

/* Up to three planes in one file. */
static EGLImageKHR
import_image(int fd, uint32_t fourcc, EGLint width, EGLint height, unsigned num_planes,
             const EGLint (*planes)[2])
{
   static const EGLint names[3][3] = {
       {EGL_DMA_BUF_PLANE0_FD_EXT, EGL_DMA_BUF_PLANE0_OFFSET_EXT, EGL_DMA_BUF_PLANE0_PITCH_EXT},
       {EGL_DMA_BUF_PLANE1_FD_EXT, EGL_DMA_BUF_PLANE1_OFFSET_EXT, EGL_DMA_BUF_PLANE1_PITCH_EXT},
       {EGL_DMA_BUF_PLANE2_FD_EXT, EGL_DMA_BUF_PLANE2_OFFSET_EXT, EGL_DMA_BUF_PLANE2_PITCH_EXT}};
   EGLint attributes[32] = {EGL_WIDTH,     width, EGL_HEIGHT, height, EGL_LINUX_DRM_FOURCC_EXT,
                            (EGLint)fourcc};
   unsigned n = 6;
   for (unsigned p = 0; p < num_planes; p++) {
      const EGLint values[3] = {fd, planes[p][0], planes[p][1]};
      for (unsigned i = 0; i < 3; i++) {
         attributes[n++] = names[p][i];
         attributes[n++] = values[i];
      }
   }
   attributes[n] = EGL_NONE;
   return create_image(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
}

static EGLImageKHR
import_rgb(int fd)
{
   static const EGLint plane[1][2] = {{OFFSET, STRIDE}};
   return import_image(fd, DRM_FORMAT_XRGB8888, WIDTH, HEIGHT, 1, plane);
}

static GLuint
make_texture(GLenum target, EGLImageKHR image)
{
   GLuint texture;
   CHECK(image, "no image: %#x", eglGetError());
   glGenTextures(1, &texture);
   glBindTexture(target, texture);
   glTexParameteri(target, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(target, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   image_target(target, image);
   CHECK(glGetError() == GL_NO_ERROR, "the image is no texture");
   return texture;
}

static GLuint
make_target(GLuint texture)
{
   GLuint framebuffer;
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
         "the texture is no render target");
   return framebuffer;
}

static void
clear_rectangle(int x, int y, int width, int height, uint32_t rgb)
{
   glEnable(GL_SCISSOR_TEST);
   glScissor(x, y, width, height);
   glClearColor((rgb >> 16) / 255.0f, (rgb >> 8 & 0xff) / 255.0f, (rgb & 0xff) / 255.0f, 1);
   glClear(GL_COLOR_BUFFER_BIT);
   glDisable(GL_SCISSOR_TEST);
}

/* Draws the bound texture over the pbuffer. */
static GLuint
make_sampler(const char *fragment)
{
   static const char *const vertex =
       "attribute vec4 position; varying vec2 at;"
       "void main() { at = position.xy * 0.5 + 0.5; gl_Position = position; }";
   return util_program_from(vertex, fragment);
}

static void
draw_texture(GLuint program)
{
   static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
   glUseProgram(program);
   glEnableVertexAttribArray(0);
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* --- Imports --- */

static void
test_sampling(GLuint program)
{
   struct memory memory = make_memory(SIZE, GUARD);
   fill(memory, 0x112233);
   *pixel(memory, WIDTH - 1, HEIGHT - 1) = 0x998877;
   EGLImageKHR image = import_rgb(memory.fd);
   GLuint texture = make_texture(GL_TEXTURE_2D, image);
   destroy_image(display, image);
   draw_texture(program);
   util_expect_pixel(0, 0, 0x11, 0x22, 0x33);
   util_expect_pixel(63, 63, 0x99, 0x88, 0x77);

   /* Written while it is bound: seen after a flush. */
   fill(memory, 0x445566);
   glFlush();
   draw_texture(program);
   util_expect_pixel(63, 63, 0x44, 0x55, 0x66);
   glDeleteTextures(1, &texture);
}

static void
test_rendering(void)
{
   struct memory memory = make_memory(SIZE, GUARD);
   fill(memory, 0x112233);
   EGLImageKHR image = import_rgb(memory.fd);
   GLuint texture = make_texture(GL_TEXTURE_2D, image), target = make_target(texture);
   clear_rectangle(2, 3, 9, 4, 0xddeeff);
   util_expect_pixel(1, 3, 0x11, 0x22, 0x33);
   glFinish();
   expect_memory(memory, 2, 3, 0xddeeff);
   expect_memory(memory, 10, 6, 0xddeeff);
   expect_memory(memory, 11, 6, 0x112233);
   for (unsigned i = 0; i < SIZE; i++) {
      const unsigned in_row = (i - OFFSET) % STRIDE;
      if (i < OFFSET || i >= OFFSET + STRIDE * HEIGHT || in_row >= WIDTH * 4)
         CHECK(memory.map[i] == GUARD, "byte %u is outside the image and was written", i);
   }
   /* The other way to write: no rendering. The texel's neighbours are those outside. */
   fill(memory, 0x556677);
   static const uint8_t texel[4] = {1, 2, 3};
   glTexSubImage2D(GL_TEXTURE_2D, 0, 20, 12, 1, 1, GL_RGB, GL_UNSIGNED_BYTE, texel);
   glFinish();
   expect_memory(memory, 20, 12, 0x010203);
   expect_memory(memory, 19, 12, 0x556677);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &target);
   glDeleteTextures(1, &texture);
   destroy_image(display, image);
}

/* A file that can only be read: a texture like any other; what is drawn to it stays here. */
static void
test_read_only(GLuint program)
{
   struct memory memory = make_memory(SIZE, GUARD);
   fill(memory, 0x223344);
   char path[64];
   snprintf(path, sizeof(path), "/proc/self/fd/%d", memory.fd);
   int fd = open(path, O_RDONLY | O_CLOEXEC);
   EGLImageKHR image = import_rgb(fd);
   close(fd);
   GLuint texture = make_texture(GL_TEXTURE_2D, image), target = make_target(texture);
   clear_rectangle(0, 0, 5, HEIGHT, 0xff0000);
   glFinish();
   expect_memory(memory, 0, 0, 0x223344);
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   draw_texture(program);
   util_expect_pixel(63, 0, 0x22, 0x33, 0x44);
   glDeleteFramebuffers(1, &target);
   glDeleteTextures(1, &texture);
   destroy_image(display, image);
}

static void
expect_near(int x, int y, int r, int g, int b)
{
   unsigned char p[4] = {0};
   glReadPixels(x, y, 1, 1, GL_RGBA, GL_UNSIGNED_BYTE, p);
   CHECK(abs(p[0] - r) <= 2 && abs(p[1] - g) <= 2 && abs(p[2] - b) <= 2,
         "pixel (%d, %d) is %u %u %u, not %d %d %d", x, y, p[0], p[1], p[2], r, g, b);
}

/* Video: brightness in one plane, colour at half the size in another. BT.601, narrow range. */
static void
test_yuv(GLuint program)
{
   enum { W = 16, H = 8 };
   static const EGLint planes[2][2] = {{0, W}, {W * H, W}};
   struct memory memory = make_memory(W * H * 3 / 2, 128);
   memset(memory.map, 81, W * H); /* red on the left, blue on the right */
   for (unsigned y = 0; y < H; y++)
      memset(memory.map + y * W + W / 2, 41, W / 2);
   for (unsigned i = 0; i < W / 2 * H / 2; i++) {
      const bool right = i % (W / 2) >= W / 4;
      memory.map[W * H + i * 2] = right ? 240 : 90;
      memory.map[W * H + i * 2 + 1] = right ? 110 : 240;
   }
   EGLImageKHR image = import_image(memory.fd, DRM_FORMAT_NV12, W, H, 2, planes);
   GLuint texture = make_texture(GL_TEXTURE_EXTERNAL_OES, image);
   draw_texture(program);
   expect_near(5, 5, 255, 0, 0);
   expect_near(60, 5, 0, 0, 255);
   memset(memory.map, 235, W * H);
   memset(memory.map + W * H, 128, W * H / 2);
   glFlush();
   draw_texture(program);
   expect_near(5, 5, 255, 255, 255);
   glDeleteTextures(1, &texture);
   destroy_image(display, image);
}

static void
test_refusals(void)
{
   static const EGLint good[1][2] = {{OFFSET, STRIDE}}, narrow[1][2] = {{0, WIDTH * 4 - 4}},
                       beyond[1][2] = {{SIZE - STRIDE * (HEIGHT - 1), STRIDE}};
   struct memory memory = make_memory(SIZE, GUARD);
   CHECK(!import_image(memory.fd, DRM_FORMAT_XRGB8888, WIDTH, HEIGHT, 1, narrow),
         "a stride below the width");
   CHECK(!import_image(memory.fd, DRM_FORMAT_XRGB8888, WIDTH, HEIGHT, 1, beyond),
         "an image past the end");
   CHECK(!import_image(memory.fd, DRM_FORMAT_XRGB8888, WIDTH, 100000, 1, good),
         "an image that is too high");
   int pipes[2];
   CHECK(!pipe(pipes), "pipe");
   CHECK(!import_rgb(pipes[0]), "a pipe is no memory");
   EGLImageKHR image = import_rgb(memory.fd);
   CHECK(image, "what should work does not: the refusals above say nothing");
   destroy_image(display, image);
}

/* --- Exports --- */

static void
test_export(GLuint program)
{
   PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC query =
       (PFNEGLEXPORTDMABUFIMAGEQUERYMESAPROC)eglGetProcAddress("eglExportDMABUFImageQueryMESA");
   PFNEGLEXPORTDMABUFIMAGEMESAPROC export =
       (PFNEGLEXPORTDMABUFIMAGEMESAPROC)eglGetProcAddress("eglExportDMABUFImageMESA");
   static uint8_t texels[HEIGHT][WIDTH][4];
   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++)
         memcpy(texels[y][x], (const uint8_t[4]){x, y, 0x77, 0x88}, 4);
   }
   GLuint texture;
   glGenTextures(1, &texture);
   glBindTexture(GL_TEXTURE_2D, texture);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
   glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
   glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA, WIDTH, HEIGHT, 0, GL_RGBA, GL_UNSIGNED_BYTE, texels);
   EGLImageKHR image = create_image(display, eglGetCurrentContext(), EGL_GL_TEXTURE_2D_KHR,
                                    (EGLClientBuffer)(uintptr_t)texture, NULL);
   CHECK(image, "a texture is no image: %#x", eglGetError());

   int fourcc = 0, num_planes = 0, fd = -1;
   EGLint stride = 0, offset = -1;
   EGLuint64KHR modifier = ~0ull;
   CHECK(query(display, image, &fourcc, &num_planes, &modifier), "the query fails");
   CHECK(fourcc == DRM_FORMAT_ABGR8888 && num_planes == 1 && modifier == DRM_FORMAT_MOD_LINEAR,
         "fourcc %.4s, %d planes, modifier %llx", (char *)&fourcc, num_planes,
         (unsigned long long)modifier);
   CHECK(export(display, image, &fd, &stride, &offset) && fd >= 0, "the export fails");
   CHECK(stride >= WIDTH * 4 && offset == 0, "stride %d, offset %d", stride, offset);
   uint8_t *map = mmap(NULL, (size_t)stride * HEIGHT, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
   CHECK(map != MAP_FAILED, "the dmabuf cannot be mapped");
   for (unsigned y = 0; y < HEIGHT; y++)
      CHECK(!memcmp(map + y * (unsigned)stride, texels[y], WIDTH * 4), "row %u is not exported", y);

   /* What others write is in the texture, what is drawn there is outside. */
   memset(map, 0x40, (size_t)stride * HEIGHT);
   glFlush();
   draw_texture(program);
   util_expect_pixel(30, 30, 0x40, 0x40, 0x40);
   GLuint target = make_target(texture);
   clear_rectangle(0, 0, WIDTH, 2, 0x102030);
   glFinish();
   CHECK(!memcmp(map + stride, (const uint8_t[4]){0x10, 0x20, 0x30, 255}, 4) &&
             map[2 * stride] == 0x40,
         "what was drawn is not outside");
   glBindFramebuffer(GL_FRAMEBUFFER, 0);
   glDeleteFramebuffers(1, &target);
   glDeleteTextures(1, &texture);
   destroy_image(display, image);
   munmap(map, (size_t)stride * HEIGHT);
   close(fd);
}

int
main(int argc, char **argv)
{
   const bool exports = argc > 1 && !strcmp(argv[1], "--export");
   display = util_display(EGL_OPENGL_ES_API);
   EGLContext context;
   util_make_current(display, util_config(display), 64, EGL_NO_CONTEXT, &context);
   CHECK(!strncmp((const char *)glGetString(GL_RENDERER), "ATTILA", 6), "renderer is %s",
         (const char *)glGetString(GL_RENDERER));
   const char *extensions = eglQueryString(display, EGL_EXTENSIONS);
   CHECK(strstr(extensions, "EGL_EXT_image_dma_buf_import"), "dmabufs cannot be imported");
   CHECK(!!strstr(extensions, "EGL_MESA_image_dma_buf_export") == exports,
         "dmabufs can%s be exported", exports ? "not" : "");
   create_image = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
   destroy_image = (PFNEGLDESTROYIMAGEKHRPROC)eglGetProcAddress("eglDestroyImageKHR");
   image_target =
       (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");
   GLuint program =
       make_sampler("precision mediump float; varying vec2 at; uniform sampler2D image;"
                    "void main() { gl_FragColor = texture2D(image, at); }");
   GLuint video = make_sampler("#extension GL_OES_EGL_image_external : require\n"
                               "precision mediump float; varying vec2 at;"
                               "uniform samplerExternalOES image;"
                               "void main() { gl_FragColor = texture2D(image, at); }");

   test_sampling(program);
   test_rendering();
   test_read_only(program);
   test_yuv(video);
   test_refusals();
   if (exports)
      test_export(program);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglTerminate(display);
   return 0;
}
