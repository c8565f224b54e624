/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * EGL on GBM: windows whose front buffers are looked at as a display would, through the DRM device;
 * buffers that the CPU writes and reads; buffers that are textures and render targets at once. Run
 * with fake_drm.so preloaded, or where /dev/dri/card0 has dumb buffers.
 *
 *   gbm FRAMES   draws so many frames in a window of 0 samples, then as many in one of 4 */
#include <dlfcn.h>
#include <fcntl.h>
#include <gbm.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include <xf86drm.h>
#include <drm_fourcc.h>
#include "gles_util.h"
#include <GLES2/gl2ext.h>

#define WIDTH 100 /* no multiple of a tile's or of the device's pitch */
#define HEIGHT 60

static int device;
static struct gbm_device *gbm;
static EGLDisplay display;
static GLint color;

static PFNEGLCREATEIMAGEKHRPROC create_image;
static PFNEGLDESTROYIMAGEKHRPROC destroy_image;
static PFNGLEGLIMAGETARGETTEXTURE2DOESPROC image_target;

/* --- The outside --- */

/* A buffer as a display or the CPU sees it: not through GBM or EGL. */
struct outside {
   uint8_t *map;
   size_t size;
   uint32_t stride;
};

static struct outside
map_outside(struct gbm_bo *bo)
{
   struct drm_mode_map_dumb arg = {.handle = gbm_bo_get_handle(bo).u32};
   CHECK(!drmIoctl(device, DRM_IOCTL_MODE_MAP_DUMB, &arg), "the buffer has no handle");
   struct outside outside = {.stride = gbm_bo_get_stride(bo)};
   CHECK(outside.stride >= gbm_bo_get_width(bo) * 4, "the stride is %u", outside.stride);
   outside.size = (size_t)outside.stride * gbm_bo_get_height(bo);
   outside.map =
       mmap(NULL, outside.size, PROT_READ | PROT_WRITE, MAP_SHARED, device, (off_t)arg.offset);
   CHECK(outside.map != MAP_FAILED, "the buffer cannot be mapped");
   return outside;
}

static uint32_t *
outside_pixel(struct outside outside, unsigned x, unsigned y)
{
   return (uint32_t *)(outside.map + (size_t)y * outside.stride) + x;
}

static void
expect_outside(struct gbm_bo *bo, unsigned x, unsigned y, uint32_t rgb)
{
   struct outside outside = map_outside(bo);
   const uint32_t is = *outside_pixel(outside, x, y) & 0xffffff;
   CHECK(is == rgb, "outside, pixel (%u, %u) is %06x, not %06x", x, y, is, rgb);
   munmap(outside.map, outside.size);
}

static void
fill_outside(struct gbm_bo *bo, uint32_t rgb)
{
   struct outside outside = map_outside(bo);
   for (unsigned y = 0; y < gbm_bo_get_height(bo); y++) {
      for (unsigned x = 0; x < gbm_bo_get_width(bo); x++)
         *outside_pixel(outside, x, y) = rgb;
   }
   munmap(outside.map, outside.size);
}

/* --- Drawing --- */

static void
draw_rectangle(int x, int y, int width, int height, uint32_t rgb)
{
   static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glViewport(x, y, width, height);
   glUniform4f(color, (rgb >> 16) / 255.0f, (rgb >> 8 & 0xff) / 255.0f, (rgb & 0xff) / 255.0f, 1);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

/* A window's rows begin above. Four colours that differ from frame to frame: below left, below
 * right, above left, above right.
 */
static uint32_t
frame_color(unsigned frame, unsigned quadrant)
{
   return (0x102030 * (quadrant + 1) + 0x050300 * frame) & 0xffffff;
}

static void
draw_frame(unsigned frame)
{
   glClear(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT);
   for (unsigned q = 0; q < 4; q++)
      draw_rectangle(q % 2 * WIDTH / 2, q / 2 * HEIGHT / 2, WIDTH / 2, HEIGHT / 2,
                     frame_color(frame, q));
}

static void
expect_frame(struct gbm_bo *bo, unsigned frame)
{
   for (unsigned q = 0; q < 4; q++) {
      /* OpenGL counts rows from below, memory from above. */
      const unsigned x = q % 2 * WIDTH / 2, y = q < 2 ? HEIGHT / 2 : 0;
      expect_outside(bo, x, y, frame_color(frame, q));
      expect_outside(bo, x + WIDTH / 2 - 1, y + HEIGHT / 2 - 1, frame_color(frame, q));
   }
}

/* --- Windows --- */

static EGLConfig
choose_config(EGLint samples)
{
   const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                EGL_WINDOW_BIT,
                                EGL_RENDERABLE_TYPE,
                                EGL_OPENGL_ES2_BIT,
                                EGL_RED_SIZE,
                                8,
                                EGL_GREEN_SIZE,
                                8,
                                EGL_BLUE_SIZE,
                                8,
                                EGL_DEPTH_SIZE,
                                24,
                                EGL_SAMPLES,
                                samples,
                                EGL_NONE};
   EGLConfig configs[64];
   EGLint count = 0, visual = 0, has = 0;
   CHECK(eglChooseConfig(display, attributes, configs, 64, &count), "eglChooseConfig");
   for (EGLint i = 0; i < count; i++) {
      eglGetConfigAttrib(display, configs[i], EGL_NATIVE_VISUAL_ID, &visual);
      eglGetConfigAttrib(display, configs[i], EGL_SAMPLES, &has);
      if (visual == GBM_FORMAT_XRGB8888 && has == samples)
         return configs[i];
   }
   CHECK(0, "no configuration for XRGB8888 with %d samples", samples);
   return NULL;
}

static EGLContext
make_context(EGLConfig config, EGLSurface surface)
{
   static const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, es2);
   CHECK(context && eglMakeCurrent(display, surface, surface, context),
         "cannot make a context current");
   const char *renderer = (const char *)glGetString(GL_RENDERER);
   CHECK(!strncmp(renderer, "ATTILA", 6), "renderer is %s", renderer);
   GLuint program = util_program();
   glUseProgram(program);
   color = glGetUniformLocation(program, "color");
   glEnableVertexAttribArray(0);
   return context;
}

static void
test_window(unsigned frames, EGLint samples)
{
   struct gbm_surface *window = gbm_surface_create(gbm, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888,
                                                   GBM_BO_USE_SCANOUT | GBM_BO_USE_RENDERING);
   EGLConfig config = choose_config(samples);
   EGLSurface surface = eglCreateWindowSurface(display, config, (EGLNativeWindowType)window, NULL);
   CHECK(window && surface, "no window");
   EGLContext context = make_context(config, surface);

   /* As a display does it: the old front is released when the new one is shown. */
   struct gbm_bo *front = NULL;
   for (unsigned frame = 0; frame < frames; frame++) {
      draw_frame(frame);
      CHECK(eglSwapBuffers(display, surface), "eglSwapBuffers");
      struct gbm_bo *bo = gbm_surface_lock_front_buffer(window);
      CHECK(bo && bo != front, "no new front buffer in frame %u", frame);
      expect_frame(bo, frame);
      if (front) {
         expect_frame(front, frame - 1);
         gbm_surface_release_buffer(window, front);
      }
      front = bo;
   }
   gbm_surface_release_buffer(window, front);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
   eglDestroySurface(display, surface);
   gbm_surface_destroy(window);
}

/* --- Buffers --- */

static struct gbm_bo *
make_buffer(void)
{
   const uint64_t modifiers[] = {DRM_FORMAT_MOD_LINEAR};
   struct gbm_bo *bo =
       gbm_bo_create_with_modifiers(gbm, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888, modifiers, 1);
   CHECK(bo, "no buffer");
   CHECK(gbm_bo_get_modifier(bo) == DRM_FORMAT_MOD_LINEAR && gbm_bo_get_plane_count(bo) == 1 &&
             gbm_bo_get_offset(bo, 0) == 0,
         "the buffer is not one linear plane");
   return bo;
}

static void
test_map(void)
{
   struct gbm_bo *bo = make_buffer();
   uint32_t stride;
   void *data = NULL;
   uint8_t *map = gbm_bo_map(bo, 10, 20, 30, 5, GBM_BO_TRANSFER_READ_WRITE, &stride, &data);
   CHECK(map, "gbm_bo_map");
   for (unsigned y = 0; y < 5; y++) {
      for (unsigned x = 0; x < 30; x++)
         ((uint32_t *)(map + y * stride))[x] = 0x405060;
   }
   gbm_bo_unmap(bo, data);
   expect_outside(bo, 10, 20, 0x405060);
   expect_outside(bo, 39, 24, 0x405060);
   expect_outside(bo, 9, 20, 0);
   expect_outside(bo, 40, 24, 0);

   fill_outside(bo, 0x778899);
   data = NULL;
   map = gbm_bo_map(bo, 0, 0, WIDTH, HEIGHT, GBM_BO_TRANSFER_READ, &stride, &data);
   CHECK(map && (*(uint32_t *)(map + 20 * stride + 40) & 0xffffff) == 0x778899,
         "gbm_bo_map does not see what was written outside");
   gbm_bo_unmap(bo, data);
   gbm_bo_destroy(bo);
}

static EGLImageKHR
import_image(int fd, EGLint stride, EGLint offset, uint64_t modifier)
{
   const EGLint attributes[] = {EGL_WIDTH,
                                WIDTH,
                                EGL_HEIGHT,
                                HEIGHT,
                                EGL_LINUX_DRM_FOURCC_EXT,
                                DRM_FORMAT_XRGB8888,
                                EGL_DMA_BUF_PLANE0_FD_EXT,
                                fd,
                                EGL_DMA_BUF_PLANE0_OFFSET_EXT,
                                offset,
                                EGL_DMA_BUF_PLANE0_PITCH_EXT,
                                stride,
                                EGL_DMA_BUF_PLANE0_MODIFIER_LO_EXT,
                                (EGLint)modifier,
                                EGL_DMA_BUF_PLANE0_MODIFIER_HI_EXT,
                                (EGLint)(modifier >> 32),
                                EGL_NONE};
   return create_image(display, EGL_NO_CONTEXT, EGL_LINUX_DMA_BUF_EXT, NULL, attributes);
}

/* A framebuffer on the buffer, by way of a dmabuf. */
static GLuint
make_target(struct gbm_bo *bo, GLuint *texture)
{
   int fd = gbm_bo_get_fd(bo);
   CHECK(fd >= 0, "the buffer cannot be exported");
   EGLImageKHR image = import_image(fd, (EGLint)gbm_bo_get_stride(bo), 0, DRM_FORMAT_MOD_LINEAR);
   CHECK(image, "the dmabuf cannot be imported: %#x", eglGetError());
   close(fd);
   GLuint framebuffer;
   glGenTextures(1, texture);
   glBindTexture(GL_TEXTURE_2D, *texture);
   image_target(GL_TEXTURE_2D, image);
   destroy_image(display, image);
   glGenFramebuffers(1, &framebuffer);
   glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
   glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, *texture, 0);
   CHECK(glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE,
         "the buffer is no render target");
   return framebuffer;
}

/* What the GPU draws is outside after a flush; what is written outside is what the GPU reads and
 * draws on. */
static void
test_target(void)
{
   EGLContext context = make_context(EGL_NO_CONFIG_KHR, EGL_NO_SURFACE);
   struct gbm_bo *bo = make_buffer();
   fill_outside(bo, 0x334455);
   GLuint texture, framebuffer = make_target(bo, &texture);
   util_expect_pixel(50, 30, 0x33, 0x44, 0x55);

   draw_rectangle(0, 0, WIDTH / 2, HEIGHT, 0xaa0000);
   glFlush();
   expect_outside(bo, WIDTH / 2 - 1, 3, 0xaa0000);
   expect_outside(bo, WIDTH / 2, 3, 0x334455);

   fill_outside(bo, 0x0000bb);
   draw_rectangle(0, 0, WIDTH, HEIGHT / 2, 0x00cc00);
   util_expect_pixel(5, HEIGHT - 1, 0, 0, 0xbb);
   glFinish();
   expect_outside(bo, 5, HEIGHT / 2 - 1, 0x00cc00);
   expect_outside(bo, 5, HEIGHT / 2, 0x0000bb);

   glDeleteFramebuffers(1, &framebuffer);
   glDeleteTextures(1, &texture);
   gbm_bo_destroy(bo);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroyContext(display, context);
}

/* Images outside their memory, or with an unknown layout. */
static void
test_refusals(void)
{
   struct gbm_bo *bo = make_buffer();
   int fd = gbm_bo_get_fd(bo);
   const EGLint stride = (EGLint)gbm_bo_get_stride(bo);
   const uint64_t tiled = fourcc_mod_code(INTEL, 1);
   CHECK(!import_image(fd, WIDTH * 4 - 4, 0, DRM_FORMAT_MOD_LINEAR), "a stride below the width");
   CHECK(!import_image(fd, stride, stride * HEIGHT, DRM_FORMAT_MOD_LINEAR),
         "an offset past the end");
   CHECK(!import_image(fd, stride * 4, 0, DRM_FORMAT_MOD_LINEAR), "a stride past the end");
   CHECK(!import_image(fd, stride, 0, tiled), "an unknown modifier");
   CHECK(!gbm_bo_create_with_modifiers(gbm, WIDTH, HEIGHT, GBM_FORMAT_XRGB8888, &tiled, 1),
         "a buffer with an unknown modifier");
   EGLImageKHR image = import_image(fd, stride, 0, DRM_FORMAT_MOD_LINEAR);
   CHECK(image, "what should work does not: the refusals above say nothing");
   destroy_image(display, image);
   close(fd);
   gbm_bo_destroy(bo);
}

int
main(int argc, char **argv)
{
   const unsigned frames = argc > 1 ? (unsigned)atoi(argv[1]) : 3;
   device = open("/dev/dri/card0", O_RDWR | O_CLOEXEC);
   CHECK(device >= 0, "no /dev/dri/card0");
   gbm = gbm_create_device(device);
   CHECK(gbm, "no GBM device");
   display = eglGetPlatformDisplay(EGL_PLATFORM_GBM_KHR, gbm, NULL);
   CHECK(display && eglInitialize(display, NULL, NULL), "no EGL display");
   CHECK(eglBindAPI(EGL_OPENGL_ES_API), "no OpenGL ES");
   create_image = (PFNEGLCREATEIMAGEKHRPROC)eglGetProcAddress("eglCreateImageKHR");
   destroy_image = (PFNEGLDESTROYIMAGEKHRPROC)eglGetProcAddress("eglDestroyImageKHR");
   image_target =
       (PFNGLEGLIMAGETARGETTEXTURE2DOESPROC)eglGetProcAddress("glEGLImageTargetTexture2DOES");

   test_window(frames, 0);
   test_window(frames, 4);
   test_map();
   test_target();
   test_refusals();

   eglTerminate(display);
   gbm_device_destroy(gbm);
   unsigned (*handles)(void) = (unsigned (*)(void))dlsym(RTLD_DEFAULT, "fake_drm_handles");
   CHECK(!handles || !handles(), "%u buffers are left", handles());
   close(device);
   return 0;
}
