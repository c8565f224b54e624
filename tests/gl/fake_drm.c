/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * fake_drm.so, for LD_PRELOAD: a DRM device with one screen and /dev/udmabuf for programs on a
 * machine that has neither, so that GBM and dmabufs can be tested everywhere. /dev/dri/card0 opens
 * as /dev/null, whose ioctls of type 'd', mappings and reads are answered here as a kernel answers
 * them; buffers are memory files. Not here: anything about rendering; atomic modesetting; more than
 * one device.
 *
 *   FAKE_DRM_OUT  write what the screen shows after each mode set and page flip to
 *                 DIR/screen-0000.png ...
 *
 * fake_drm_handles() tells a test how many buffer handles are open. */
#undef _FILE_OFFSET_BITS /* both names of open and mmap are defined here */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/udmabuf.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <drm.h>
#include <drm_mode.h>
#include <png.h>

#define EXPORT __attribute__((visibility("default")))
#define MAX_BUFFERS 256
#define MAX_FRAMEBUFFERS 64
#define DUMB "fake_drm-dumb"
#define WIDTH 320
#define HEIGHT 240
#define CONNECTOR 1
#define ENCODER 2
#define CRTC 3

/* A handle is the index + 1. */
static struct buffer {
   int fd; /* -1: free */
   bool imported;
   uint64_t size;
} buffers[MAX_BUFFERS];
static bool buffers_ready;

static struct drm_mode_fb_cmd2 framebuffers[MAX_FRAMEBUFFERS]; /* width 0: free */
static uint32_t shown;
static struct drm_event_vblank event;
static bool event_pending;
static unsigned num_screens;

static const struct drm_mode_modeinfo mode = {
    .clock = 10000,
    .hdisplay = WIDTH,
    .hsync_start = WIDTH + 8,
    .hsync_end = WIDTH + 16,
    .htotal = WIDTH + 80,
    .vdisplay = HEIGHT,
    .vsync_start = HEIGHT + 2,
    .vsync_end = HEIGHT + 4,
    .vtotal = HEIGHT + 10,
    .vrefresh = 100,
    .type = DRM_MODE_TYPE_PREFERRED | DRM_MODE_TYPE_DRIVER,
    .name = "320x240",
};

static void *
next(const char *name)
{
   return dlsym(RTLD_NEXT, name);
}

static int
fail(int error)
{
   errno = error;
   return -1;
}

/* --- Buffers --- */

static struct buffer *
find_buffer(uint32_t handle)
{
   return handle >= 1 && handle <= MAX_BUFFERS && buffers_ready && buffers[handle - 1].fd >= 0
              ? &buffers[handle - 1]
              : NULL;
}

/* Takes the file over; the handle, or 0. */
static uint32_t
add_buffer(int fd, uint64_t size, bool imported)
{
   if (!buffers_ready) {
      for (unsigned i = 0; i < MAX_BUFFERS; i++)
         buffers[i].fd = -1;
      buffers_ready = true;
   }
   for (unsigned i = 0; i < MAX_BUFFERS; i++) {
      if (buffers[i].fd < 0) {
         buffers[i] = (struct buffer){fd, imported, size};
         return i + 1;
      }
   }
   close(fd);
   return 0;
}

static int
close_buffer(uint32_t handle)
{
   struct buffer *buffer = find_buffer(handle);
   if (!buffer)
      return fail(EINVAL);
   close(buffer->fd);
   buffer->fd = -1;
   return 0;
}

EXPORT unsigned
fake_drm_handles(void)
{
   unsigned count = 0;
   for (uint32_t handle = 1; handle <= MAX_BUFFERS; handle++)
      count += find_buffer(handle) != NULL;
   return count;
}

static int
create_dumb(struct drm_mode_create_dumb *arg)
{
   /* A pitch that is not the width, and nothing after it to spare. */
   arg->pitch = (arg->width * ((arg->bpp + 7) / 8) + 255) / 256 * 256;
   arg->size = ((uint64_t)arg->pitch * arg->height + 4095) / 4096 * 4096;
   int fd = memfd_create(DUMB, MFD_CLOEXEC);
   if (fd < 0 || !arg->size || ftruncate(fd, (off_t)arg->size))
      return fail(EINVAL);
   arg->handle = add_buffer(fd, arg->size, false);
   return arg->handle ? 0 : fail(ENOMEM);
}

/* Like the kernel's helpers: no mapping of what another device made. */
static int
map_dumb(struct drm_mode_map_dumb *arg)
{
   const struct buffer *buffer = find_buffer(arg->handle);
   if (!buffer)
      return fail(ENOENT);
   if (buffer->imported)
      return fail(EINVAL);
   arg->offset = (uint64_t)arg->handle << 32;
   return 0;
}

/* Like the kernel: the file can only be written when that is asked for. */
static int
handle_to_fd(struct drm_prime_handle *arg)
{
   const struct buffer *buffer = find_buffer(arg->handle);
   if (!buffer)
      return fail(ENOENT);
   char path[64];
   snprintf(path, sizeof(path), "/proc/self/fd/%d", buffer->fd);
   arg->fd = open(path, (arg->flags & DRM_RDWR ? O_RDWR : O_RDONLY) | O_CLOEXEC);
   return arg->fd < 0 ? -1 : 0;
}

/* Made by create_dumb, whether it still has a handle or not. */
static bool
is_dumb(int fd)
{
   char link[64], name[64] = "";
   snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
   return readlink(link, name, sizeof(name) - 1) > 0 && strstr(name, DUMB);
}

/* Like the kernel: a buffer that has a handle keeps that one. */
static int
fd_to_handle(struct drm_prime_handle *arg)
{
   struct stat wanted, other;
   if (fstat(arg->fd, &wanted))
      return -1;
   for (arg->handle = 1; arg->handle <= MAX_BUFFERS; arg->handle++) {
      const struct buffer *buffer = find_buffer(arg->handle);
      if (buffer && !fstat(buffer->fd, &other) && other.st_ino == wanted.st_ino &&
          other.st_dev == wanted.st_dev)
         return 0;
   }
   arg->handle =
       add_buffer(fcntl(arg->fd, F_DUPFD_CLOEXEC, 3), (uint64_t)wanted.st_size, !is_dumb(arg->fd));
   return arg->handle ? 0 : fail(ENOMEM);
}

/* --- The screen --- */

static void
save_screen(const struct drm_mode_fb_cmd2 *fb)
{
   const char *dir = getenv("FAKE_DRM_OUT");
   const struct buffer *buffer = find_buffer(fb->handles[0]);
   if (!dir || !buffer)
      return;
   uint8_t *map = mmap(NULL, buffer->size, PROT_READ, MAP_SHARED, buffer->fd, 0);
   uint8_t *rgb = malloc((size_t)fb->width * fb->height * 3);
   if (map == MAP_FAILED || !rgb)
      abort();
   for (uint32_t y = 0; y < fb->height; y++) {
      const uint8_t *src = map + fb->offsets[0] + (size_t)y * fb->pitches[0];
      uint8_t *dst = rgb + (size_t)y * fb->width * 3;
      for (uint32_t x = 0; x < fb->width; x++, src += 4, dst += 3) {
         dst[0] = src[2];
         dst[1] = src[1];
         dst[2] = src[0];
      }
   }
   png_image image = {.version = PNG_IMAGE_VERSION,
                      .width = fb->width,
                      .height = fb->height,
                      .format = PNG_FORMAT_RGB};
   char path[4096];
   snprintf(path, sizeof(path), "%s/screen-%04u.png", dir, num_screens++);
   if (!png_image_write_to_file(&image, path, 0, rgb, 0, NULL))
      fprintf(stderr, "fake_drm: cannot write %s: %s\n", path, image.message);
   free(rgb);
   munmap(map, buffer->size);
}

/* As a kernel does for a list: returns the count, and the items only if there is room. */
static void
give(uint64_t pointer, uint32_t *count, const void *items, size_t size, uint32_t have)
{
   if (pointer && *count >= have)
      memcpy((void *)(uintptr_t)pointer, items, size * have);
   *count = have;
}

static int
get_resources(struct drm_mode_card_res *arg)
{
   static const uint32_t crtc = CRTC, connector = CONNECTOR, encoder = ENCODER;
   give(arg->crtc_id_ptr, &arg->count_crtcs, &crtc, 4, 1);
   give(arg->connector_id_ptr, &arg->count_connectors, &connector, 4, 1);
   give(arg->encoder_id_ptr, &arg->count_encoders, &encoder, 4, 1);
   arg->count_fbs = 0;
   arg->min_width = arg->min_height = 1;
   arg->max_width = arg->max_height = 8192;
   return 0;
}

static int
get_connector(struct drm_mode_get_connector *arg)
{
   static const uint32_t encoder = ENCODER;
   if (arg->connector_id != CONNECTOR)
      return fail(ENOENT);
   give(arg->modes_ptr, &arg->count_modes, &mode, sizeof(mode), 1);
   give(arg->encoders_ptr, &arg->count_encoders, &encoder, 4, 1);
   arg->count_props = 0;
   arg->encoder_id = ENCODER;
   arg->connector_type = DRM_MODE_CONNECTOR_VIRTUAL;
   arg->connector_type_id = 1;
   arg->connection = 1;
   return 0;
}

static int
get_encoder(struct drm_mode_get_encoder *arg)
{
   *arg = (struct drm_mode_get_encoder){.encoder_id = ENCODER,
                                        .encoder_type = DRM_MODE_ENCODER_VIRTUAL,
                                        .crtc_id = CRTC,
                                        .possible_crtcs = 1};
   return 0;
}

static int
add_framebuffer(struct drm_mode_fb_cmd2 *arg)
{
   const struct buffer *buffer = find_buffer(arg->handles[0]);
   if (!buffer)
      return fail(ENOENT);
   if (!arg->width || !arg->height || arg->pitches[0] < arg->width * 4 ||
       arg->offsets[0] + (uint64_t)arg->pitches[0] * (arg->height - 1) + arg->width * 4 >
           buffer->size ||
       ((arg->flags & DRM_MODE_FB_MODIFIERS) && arg->modifier[0]))
      return fail(EINVAL);
   for (unsigned i = 0; i < MAX_FRAMEBUFFERS; i++) {
      if (!framebuffers[i].width) {
         arg->fb_id = i + 1;
         framebuffers[i] = *arg;
         return 0;
      }
   }
   return fail(ENOMEM);
}

static struct drm_mode_fb_cmd2 *
find_framebuffer(uint32_t id)
{
   return id >= 1 && id <= MAX_FRAMEBUFFERS && framebuffers[id - 1].width ? &framebuffers[id - 1]
                                                                          : NULL;
}

static int
remove_framebuffer(uint32_t id)
{
   struct drm_mode_fb_cmd2 *fb = find_framebuffer(id);
   if (!fb)
      return fail(ENOENT);
   fb->width = 0;
   return 0;
}

static int
show(uint32_t id)
{
   const struct drm_mode_fb_cmd2 *fb = find_framebuffer(id);
   if (!fb)
      return fail(ENOENT);
   if (fb->width < WIDTH || fb->height < HEIGHT)
      return fail(ENOSPC);
   shown = id;
   save_screen(fb);
   return 0;
}

static int
set_crtc(const struct drm_mode_crtc *arg)
{
   if (arg->crtc_id != CRTC)
      return fail(ENOENT);
   return arg->mode_valid ? show(arg->fb_id) : 0;
}

static int
page_flip(const struct drm_mode_crtc_page_flip *arg)
{
   if (event_pending)
      return fail(EBUSY);
   if (arg->crtc_id != CRTC || !shown)
      return fail(EINVAL);
   if (show(arg->fb_id))
      return -1;
   event_pending = arg->flags & DRM_MODE_PAGE_FLIP_EVENT;
   event = (struct drm_event_vblank){.base = {DRM_EVENT_FLIP_COMPLETE, sizeof(event)},
                                     .user_data = arg->user_data,
                                     .sequence = num_screens,
                                     .crtc_id = CRTC};
   return 0;
}

/* --- The device --- */

static void
give_string(char *to, size_t *size, const char *string)
{
   if (to)
      memcpy(to, string, *size < strlen(string) ? *size : strlen(string));
   *size = strlen(string);
}

static int
get_version(struct drm_version *arg)
{
   arg->version_major = 1;
   arg->version_minor = arg->version_patchlevel = 0;
   give_string(arg->name, &arg->name_len, "fake_drm");
   give_string(arg->date, &arg->date_len, "20260101");
   give_string(arg->desc, &arg->desc_len, "test device");
   return 0;
}

static int
get_cap(struct drm_get_cap *arg)
{
   switch (arg->capability) {
   case DRM_CAP_DUMB_BUFFER:
   case DRM_CAP_ADDFB2_MODIFIERS:
      arg->value = 1;
      return 0;
   case DRM_CAP_PRIME:
      arg->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
      return 0;
   default:
      arg->value = 0;
      return 0;
   }
}

static int
drm_ioctl(unsigned long request, void *arg)
{
   switch (request) {
   case DRM_IOCTL_VERSION:
      return get_version(arg);
   case DRM_IOCTL_GET_CAP:
      return get_cap(arg);
   case DRM_IOCTL_GEM_CLOSE:
      return close_buffer(((struct drm_gem_close *)arg)->handle);
   case DRM_IOCTL_PRIME_HANDLE_TO_FD:
      return handle_to_fd(arg);
   case DRM_IOCTL_PRIME_FD_TO_HANDLE:
      return fd_to_handle(arg);
   case DRM_IOCTL_MODE_CREATE_DUMB:
      return create_dumb(arg);
   case DRM_IOCTL_MODE_MAP_DUMB:
      return map_dumb(arg);
   case DRM_IOCTL_MODE_DESTROY_DUMB:
      return close_buffer(((struct drm_mode_destroy_dumb *)arg)->handle);
   case DRM_IOCTL_MODE_GETRESOURCES:
      return get_resources(arg);
   case DRM_IOCTL_MODE_GETCONNECTOR:
      return get_connector(arg);
   case DRM_IOCTL_MODE_GETENCODER:
      return get_encoder(arg);
   case DRM_IOCTL_MODE_ADDFB2:
      return add_framebuffer(arg);
   case DRM_IOCTL_MODE_RMFB:
      return remove_framebuffer(*(uint32_t *)arg);
   case DRM_IOCTL_MODE_SETCRTC:
      return set_crtc(arg);
   case DRM_IOCTL_MODE_PAGE_FLIP:
      return page_flip(arg);
   default:
      return fail(EINVAL);
   }
}

/* --- In place of the C library's --- */

static bool
is_ours(int fd)
{
   struct stat st;
   return !fstat(fd, &st) && S_ISCHR(st.st_mode) && st.st_rdev == makedev(1, 3);
}

static const char *
replaced(const char *path)
{
   return !strcmp(path, "/dev/dri/card0") || !strcmp(path, "/dev/udmabuf") ? "/dev/null" : path;
}

#define OPEN(name)                                                                         \
   EXPORT int name(const char *path, int flags, ...)                                       \
   {                                                                                       \
      va_list list;                                                                        \
      va_start(list, flags);                                                               \
      const mode_t permissions = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, mode_t) : 0; \
      va_end(list);                                                                        \
      int (*open_next)(const char *, int, ...) = next(#name);                              \
      return open_next(replaced(path), flags, permissions);                                \
   }
OPEN(open)
OPEN(open64)

EXPORT int
ioctl(int fd, unsigned long request, ...)
{
   va_list list;
   va_start(list, request);
   void *arg = va_arg(list, void *);
   va_end(list);
   if (is_ours(fd)) {
      if (request == UDMABUF_CREATE) {
         /* Stays open when the memory's own file is closed. */
         return fcntl((int)((struct udmabuf_create *)arg)->memfd, F_DUPFD_CLOEXEC, 3);
      }
      if (_IOC_TYPE(request) == DRM_IOCTL_BASE)
         return drm_ioctl(request, arg);
   }
   int (*ioctl_next)(int, unsigned long, ...) = next("ioctl");
   return ioctl_next(fd, request, arg);
}

static void *
map(const char *name, void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
   void *(*map_next)(void *, size_t, int, int, int, off_t) = next(name);
   if (fd >= 0 && is_ours(fd)) {
      const struct buffer *buffer = find_buffer((uint32_t)(offset >> 32));
      if (!buffer) {
         errno = EINVAL;
         return MAP_FAILED;
      }
      return map_next(address, size, protection, flags, buffer->fd, 0);
   }
   return map_next(address, size, protection, flags, fd, offset);
}

EXPORT void *
mmap(void *address, size_t size, int protection, int flags, int fd, off_t offset)
{
   return map("mmap", address, size, protection, flags, fd, offset);
}

EXPORT void *
mmap64(void *address, size_t size, int protection, int flags, int fd, off64_t offset)
{
   return map("mmap64", address, size, protection, flags, fd, offset);
}

EXPORT ssize_t
read(int fd, void *data, size_t size)
{
   ssize_t (*read_next)(int, void *, size_t) = next("read");
   if (!event_pending || size < sizeof(event) || !is_ours(fd))
      return read_next(fd, data, size);
   memcpy(data, &event, sizeof(event));
   event_pending = false;
   return sizeof(event);
}
