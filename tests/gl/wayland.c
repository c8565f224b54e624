/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A Wayland client: EGL in a window that fills the screen. Frames of four colours, one of which
 * changes only a part of the window; then it prints "ready" and stays until standard input ends, so
 * that the script beside it can look at the compositor's picture. The first frame is smaller than
 * the screen. */
#include <poll.h>
#include <stdint.h>
#include <unistd.h>
#include <wayland-client.h>
#include <wayland-egl.h>
#include <xdg-shell-client-protocol.h>
#include "gles_util.h"

#define FRAMES 4

static struct wl_display *server;
static struct wl_compositor *compositor;
static struct xdg_wm_base *shell;
static struct wl_egl_window *window;
static int screen_width, screen_height;
static int width = 32, height = 32;
static GLint color;

/* --- The compositor --- */

static void
on_ping(void *data, struct xdg_wm_base *base, uint32_t serial)
{
   (void)data;
   xdg_wm_base_pong(base, serial);
}

static const struct xdg_wm_base_listener shell_listener = {.ping = on_ping};

static void
on_global(void *data, struct wl_registry *registry, uint32_t name, const char *interface,
          uint32_t version)
{
   (void)data;
   (void)version;
   if (!strcmp(interface, wl_compositor_interface.name)) {
      compositor = wl_registry_bind(registry, name, &wl_compositor_interface, 4);
   } else if (!strcmp(interface, xdg_wm_base_interface.name)) {
      shell = wl_registry_bind(registry, name, &xdg_wm_base_interface, 1);
      xdg_wm_base_add_listener(shell, &shell_listener, NULL);
   }
}

static void
on_global_remove(void *data, struct wl_registry *registry, uint32_t name)
{
   (void)data;
   (void)registry;
   (void)name;
}

static const struct wl_registry_listener registry_listener = {on_global, on_global_remove};

static void
on_surface_configure(void *data, struct xdg_surface *surface, uint32_t serial)
{
   (void)data;
   xdg_surface_ack_configure(surface, serial);
}

static const struct xdg_surface_listener surface_listener = {on_surface_configure};

static void
on_configure(void *data, struct xdg_toplevel *toplevel, int32_t w, int32_t h,
             struct wl_array *states)
{
   (void)data;
   (void)toplevel;
   (void)states;
   if (w > 0 && h > 0) {
      screen_width = w;
      screen_height = h;
   }
}

static void
on_close(void *data, struct xdg_toplevel *toplevel)
{
   (void)data;
   (void)toplevel;
}

static const struct xdg_toplevel_listener toplevel_listener = {.configure = on_configure,
                                                               .close = on_close};

static struct wl_surface *
make_window(void)
{
   struct wl_registry *registry = wl_display_get_registry(server);
   wl_registry_add_listener(registry, &registry_listener, NULL);
   wl_display_roundtrip(server);
   CHECK(compositor && shell, "the compositor has no windows");
   struct wl_surface *surface = wl_compositor_create_surface(compositor);
   struct xdg_surface *role = xdg_wm_base_get_xdg_surface(shell, surface);
   xdg_surface_add_listener(role, &surface_listener, NULL);
   struct xdg_toplevel *toplevel = xdg_surface_get_toplevel(role);
   xdg_toplevel_add_listener(toplevel, &toplevel_listener, NULL);
   xdg_toplevel_set_fullscreen(toplevel, NULL);
   window = wl_egl_window_create(surface, width, height);
   wl_surface_commit(surface);
   while (!screen_width)
      CHECK(wl_display_dispatch(server) >= 0, "the compositor is gone");
   return surface;
}

/* --- Drawing --- */

/* With alpha: Weston's pictures of the screen have none where a window's pixels have none. */
static EGLConfig
choose_config(EGLDisplay display)
{
   static const EGLint attributes[] = {EGL_SURFACE_TYPE,
                                       EGL_WINDOW_BIT,
                                       EGL_RENDERABLE_TYPE,
                                       EGL_OPENGL_ES2_BIT,
                                       EGL_RED_SIZE,
                                       8,
                                       EGL_GREEN_SIZE,
                                       8,
                                       EGL_BLUE_SIZE,
                                       8,
                                       EGL_ALPHA_SIZE,
                                       8,
                                       EGL_NONE};
   EGLConfig config;
   EGLint count = 0;
   CHECK(eglChooseConfig(display, attributes, &config, 1, &count) && count == 1,
         "no window configuration with alpha");
   return config;
}

/* The quadrants' colours: below left, below right, above left, above right. */
static void
quadrant_color(unsigned frame, unsigned quadrant, unsigned rgb[3])
{
   rgb[0] = 40 * (quadrant + 1);
   rgb[1] = 200 - 50 * quadrant;
   rgb[2] = 60 * frame;
}

static void
draw_quadrant(unsigned frame, unsigned q)
{
   static const float corners[] = {-1, -1, 1, -1, -1, 1, 1, 1};
   unsigned rgb[3];
   quadrant_color(frame, q, rgb);
   const int w = width / 2, h = height / 2;
   glVertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, 0, corners);
   glViewport(q % 2 ? w : 0, q / 2 ? h : 0, q % 2 ? width - w : w, q / 2 ? height - h : h);
   glUniform4f(color, (float)rgb[0] / 255, (float)rgb[1] / 255, (float)rgb[2] / 255, 1);
   glDrawArrays(GL_TRIANGLE_STRIP, 0, 4);
}

static void
expect_quadrant(unsigned frame, unsigned q)
{
   unsigned rgb[3];
   quadrant_color(frame, q, rgb);
   util_expect_pixel(q % 2 ? width - 1 : 0, q / 2 ? height - 1 : 0, rgb[0], rgb[1], rgb[2]);
   util_expect_pixel(q % 2 ? width / 2 : width / 2 - 1, q / 2 ? height / 2 : height / 2 - 1, rgb[0],
                     rgb[1], rgb[2]);
}

static void
draw_frames(EGLDisplay display, EGLSurface surface)
{
   PFNEGLSWAPBUFFERSWITHDAMAGEEXTPROC swap_damage =
       (PFNEGLSWAPBUFFERSWITHDAMAGEEXTPROC)eglGetProcAddress("eglSwapBuffersWithDamageEXT");
   for (unsigned frame = 0; frame < FRAMES; frame++) {
      for (unsigned q = 0; q < 4; q++)
         draw_quadrant(frame, q);
      for (unsigned q = 0; q < 4; q++)
         expect_quadrant(frame, q);
      CHECK(eglSwapBuffers(display, surface), "eglSwapBuffers");
      width = screen_width;
      height = screen_height;
      wl_egl_window_resize(window, width, height, 0, 0);
   }
   /* Only the quadrant above right is new, and reported to the compositor. */
   EGLint age = -1;
   CHECK(eglQuerySurface(display, surface, EGL_BUFFER_AGE_EXT, &age), "no buffer age");
   for (unsigned q = 0; q < 4; q++) {
      if (age != 1 || q == 3)
         draw_quadrant(q == 3 ? FRAMES : FRAMES - 1, q);
      expect_quadrant(q == 3 ? FRAMES : FRAMES - 1, q);
   }
   EGLint damage[4] = {width / 2, height / 2, width - width / 2, height - height / 2};
   CHECK(swap_damage && swap_damage(display, surface, damage, 1), "eglSwapBuffersWithDamageEXT");
}

/* The compositor asks whether we are alive until the script has seen enough. */
static void
stay(void)
{
   struct pollfd fds[2] = {{.fd = wl_display_get_fd(server), .events = POLLIN},
                           {.fd = STDIN_FILENO, .events = POLLIN}};
   puts("ready");
   fflush(stdout);
   while (!fds[1].revents) {
      wl_display_flush(server);
      CHECK(poll(fds, 2, -1) > 0, "poll");
      if (fds[0].revents)
         CHECK(wl_display_dispatch(server) >= 0, "the compositor is gone");
   }
}

int
main(void)
{
   static const EGLint es2[] = {EGL_CONTEXT_CLIENT_VERSION, 2, EGL_NONE};
   server = wl_display_connect(NULL);
   CHECK(server, "no Wayland compositor");
   EGLDisplay display = eglGetPlatformDisplay(EGL_PLATFORM_WAYLAND_KHR, server, NULL);
   CHECK(display && eglInitialize(display, NULL, NULL), "no EGL display on Wayland");
   CHECK(eglBindAPI(EGL_OPENGL_ES_API), "no OpenGL ES");
   make_window();
   EGLConfig config = choose_config(display);
   EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, es2);
   EGLSurface surface = eglCreateWindowSurface(display, config, (EGLNativeWindowType)window, NULL);
   CHECK(context && surface && eglMakeCurrent(display, surface, surface, context),
         "cannot make a context current");
   const char *renderer = (const char *)glGetString(GL_RENDERER);
   CHECK(!strncmp(renderer, "ATTILA", 6), "renderer is %s", renderer);
   GLuint program = util_program();
   glUseProgram(program);
   color = glGetUniformLocation(program, "color");
   glEnableVertexAttribArray(0);

   draw_frames(display, surface);
   CHECK(glGetError() == GL_NO_ERROR, "OpenGL error");
   stay();
   eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
   eglDestroySurface(display, surface);
   wl_egl_window_destroy(window);
   eglTerminate(display);
   return 0;
}
