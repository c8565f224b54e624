/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Handles of textures. With a DRM device (GBM) a handle is a dumb buffer of the window system.
 * Without one, the memory of a texture becomes a dmabuf through /dev/udmabuf, and any mappable
 * dmabuf can be imported. All are linear. Not here: copies of pixels (attila_dmabuf_sync.c),
 * windows (the frontend copies their pixels). */
#include "attila_dmabuf_handle.h"

#include <fcntl.h>
#include <unistd.h>
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_dmabuf.h"
#include "attila_dmabuf_sync.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "drm-uapi/drm.h"
#include "drm-uapi/drm_fourcc.h"
#include "frontend/sw_winsys.h"
#include "util/format/u_format.h"
#include "util/os_file.h"
#include "util/u_inlines.h"
#include "util/u_resource.h"

static bool
attila_dmabuf_is_known_modifier(uint64_t modifier)
{
   /* INVALID means unspecified; by convention that is linear here. */
   return modifier == DRM_FORMAT_MOD_LINEAR || modifier == DRM_FORMAT_MOD_INVALID;
}

/* Only images without layers or samples can be shared, and only their first level. */
static bool
attila_dmabuf_is_image(const struct pipe_resource *base)
{
   return (base->target == PIPE_TEXTURE_2D || base->target == PIPE_TEXTURE_RECT) &&
          base->array_size == 1 && base->nr_samples <= 1;
}

/* --- Handles for others --- */

/* Copies the contents of the texture to its dmabuf, with a temporary context if necessary. */
static void
attila_dmabuf_export_contents(struct pipe_context *pctx, struct attila_resource *res)
{
   struct pipe_screen *pscreen = res->base.screen;
   attila_cs_submit_all(attila_screen(pscreen));
   struct pipe_context *temporary = pctx ? NULL : pscreen->context_create(pscreen, NULL, 0);
   if (pctx || temporary)
      attila_dmabuf_export(&attila_context(pctx ? pctx : temporary)->cs, res, false);
   if (temporary)
      temporary->destroy(temporary);
}

/* Gives the texture memory that others can see. */
static bool
attila_dmabuf_share(struct pipe_context *pctx, struct attila_resource *res)
{
   const struct pipe_resource *base = &res->base;
   struct attila_screen *screen = attila_screen(base->screen);
   struct sw_winsys *winsys = attila_winsys(base->screen);
   if (res->dmabuf)
      return true;
   if (!attila_dmabuf_is_image(base))
      return false;
   if (winsys->get_fd) {
      if (!res->dt)
         res->dt =
             winsys->displaytarget_create(winsys, PIPE_BIND_SHARED, base->format, base->width0,
                                          base->height0, 64, NULL, &res->dt_stride);
      if (!res->dt || !attila_dmabuf_use_target(screen, res))
         return false;
   } else if (screen->udmabuf_fd < 0 || !attila_dmabuf_use_new_dmabuf(screen, res)) {
      return false;
   }
   if (attila_is_defined(res, 0, 0))
      attila_dmabuf_export_contents(pctx, res);
   else
      attila_dmabuf_accept(screen, res);
   return true;
}

static bool
attila_dmabuf_resource_get_handle(struct pipe_screen *pscreen, struct pipe_context *pctx,
                                  struct pipe_resource *resource, struct winsys_handle *handle,
                                  unsigned usage)
{
   /* The X server could share the image of a window by its shared memory segment, but that memory
    * is not mapped here. */
   if (handle->type == WINSYS_HANDLE_TYPE_SHMID)
      return false;
   resource = util_resource_at_index(resource, handle->plane);
   struct attila_resource *res = attila_resource(resource);
   if (!resource || !attila_dmabuf_share(pctx, res))
      return false;

   if (handle->type == WINSYS_HANDLE_TYPE_FD && res->dmabuf->fd >= 0) {
      handle->handle = os_dupfd_cloexec(res->dmabuf->fd);
      if ((int)handle->handle < 0)
         return false;
   } else {
      struct sw_winsys *winsys = attila_winsys(resource->screen);
      if (!res->dt || !winsys->displaytarget_get_handle(winsys, res->dt, handle))
         return false;
   }
   handle->stride = res->dmabuf->stride;
   handle->offset = res->dmabuf->offset;
   handle->modifier = DRM_FORMAT_MOD_LINEAR;
   res->dmabuf->explicit_flush &= (usage & PIPE_HANDLE_USAGE_EXPLICIT_FLUSH) != 0;
   return true;
}

static bool
attila_dmabuf_resource_get_param(struct pipe_screen *pscreen, struct pipe_context *pctx,
                                 struct pipe_resource *resource, unsigned plane, unsigned layer,
                                 unsigned level, enum pipe_resource_param param, unsigned usage,
                                 uint64_t *value)
{
   struct winsys_handle handle = {.plane = plane, .layer = layer};
   if (param == PIPE_RESOURCE_PARAM_NPLANES) {
      *value = util_resource_num(resource);
      return true;
   }
   struct pipe_resource *image = util_resource_at_index(resource, plane);
   if (!image || layer || level)
      return false;

   switch (param) {
   case PIPE_RESOURCE_PARAM_MODIFIER:
      *value = DRM_FORMAT_MOD_LINEAR;
      return attila_dmabuf_is_image(image);
   case PIPE_RESOURCE_PARAM_STRIDE:
   case PIPE_RESOURCE_PARAM_OFFSET:
      if (!attila_dmabuf_share(pctx, attila_resource(image)))
         return false;
      *value = param == PIPE_RESOURCE_PARAM_STRIDE ? attila_resource(image)->dmabuf->stride
                                                   : attila_resource(image)->dmabuf->offset;
      return true;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_SHARED:
      handle.type = WINSYS_HANDLE_TYPE_SHARED;
      break;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_KMS:
      handle.type = WINSYS_HANDLE_TYPE_KMS;
      break;
   case PIPE_RESOURCE_PARAM_HANDLE_TYPE_FD:
      handle.type = WINSYS_HANDLE_TYPE_FD;
      break;
   default:
      return false;
   }
   if (!attila_dmabuf_resource_get_handle(pscreen, pctx, resource, &handle, usage))
      return false;
   *value = handle.handle;
   return true;
}

/* --- Handles from others --- */

/* Takes the memory behind the handle. With a DRM device it also gets a display target, for
 * scan-out. */
static bool
attila_dmabuf_open_handle(struct attila_resource *res, struct winsys_handle *handle)
{
   struct attila_screen *screen = attila_screen(res->base.screen);
   struct sw_winsys *winsys = attila_winsys(res->base.screen);
   const bool is_fd = handle->type == WINSYS_HANDLE_TYPE_FD;
   if (winsys->get_fd && (is_fd || handle->type == WINSYS_HANDLE_TYPE_KMS))
      res->dt = winsys->displaytarget_from_handle(winsys, &res->base, handle, &res->dt_stride);

   /* A dmabuf may be read-only, while the device's own buffers are writable through their
    * target. */
   return (is_fd && attila_dmabuf_use_fd(screen, res, handle->handle, handle->offset,
                                         handle->stride, true)) ||
          (res->dt && res->dt_stride == handle->stride && attila_dmabuf_use_target(screen, res)) ||
          (is_fd && attila_dmabuf_use_fd(screen, res, handle->handle, handle->offset,
                                         handle->stride, false));
}

static struct pipe_resource *
attila_dmabuf_resource_from_handle(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                                   struct winsys_handle *handle, unsigned usage)
{
   if (!attila_dmabuf_is_image(templat) || !attila_dmabuf_is_known_modifier(handle->modifier))
      return NULL;
   /* Create the texture without a display target. */
   struct pipe_resource inside = *templat;
   inside.bind &= ~(PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED);
   struct pipe_resource *resource = pscreen->resource_create(pscreen, &inside);
   if (!resource)
      return NULL;
   if (!attila_dmabuf_open_handle(attila_resource(resource), handle)) {
      resource->next = NULL; /* the caller keeps it */
      pipe_resource_reference(&resource, NULL);
      return NULL;
   }
   attila_resource(resource)->dmabuf->explicit_flush =
       (usage & PIPE_HANDLE_USAGE_EXPLICIT_FLUSH) != 0;
   return resource;
}

/* Called when the frontend rebinds an image, which may have been written outside. */
static void
attila_dmabuf_resource_changed(struct pipe_screen *pscreen, struct pipe_resource *resource)
{
   if (resource->target != PIPE_BUFFER && attila_resource(resource)->dmabuf)
      attila_dmabuf_recheck(attila_resource(resource));
}

/* --- Modifiers --- */

static struct pipe_resource *
attila_dmabuf_resource_create_with_modifiers(struct pipe_screen *pscreen,
                                             const struct pipe_resource *templat,
                                             const uint64_t *modifiers, int count)
{
   for (int i = 0; i < count; i++) {
      if (attila_dmabuf_is_known_modifier(modifiers[i]))
         return pscreen->resource_create(pscreen, templat);
   }
   return NULL;
}

static void
attila_dmabuf_query_dmabuf_modifiers(struct pipe_screen *pscreen, enum pipe_format format, int max,
                                     uint64_t *modifiers, unsigned *external_only, int *count)
{
   *count = 1;
   if (max < 1)
      return;
   modifiers[0] = DRM_FORMAT_MOD_LINEAR;
   if (external_only)
      external_only[0] = false;
}

static bool
attila_dmabuf_is_dmabuf_modifier_supported(struct pipe_screen *pscreen, uint64_t modifier,
                                           enum pipe_format format, bool *external_only)
{
   if (external_only)
      *external_only = false;
   return modifier == DRM_FORMAT_MOD_LINEAR;
}

static unsigned
attila_dmabuf_get_dmabuf_modifier_planes(struct pipe_screen *pscreen, uint64_t modifier,
                                         enum pipe_format format)
{
   return modifier == DRM_FORMAT_MOD_LINEAR ? util_format_get_num_planes(format) : 0;
}

/* --- Screen --- */

static int
attila_dmabuf_get_screen_fd(struct pipe_screen *pscreen)
{
   struct sw_winsys *winsys = attila_winsys(pscreen);
   return winsys->get_fd ? winsys->get_fd(winsys) : -1;
}

void
attila_init_screen_handles(struct pipe_screen *base)
{
   struct attila_screen *screen = attila_screen(base);
   base->get_screen_fd = attila_dmabuf_get_screen_fd;
   base->resource_get_handle = attila_dmabuf_resource_get_handle;
   base->resource_get_param = attila_dmabuf_resource_get_param;
   base->resource_from_handle = attila_dmabuf_resource_from_handle;
   base->resource_changed = attila_dmabuf_resource_changed;
   base->resource_create_with_modifiers = attila_dmabuf_resource_create_with_modifiers;
   base->query_dmabuf_modifiers = attila_dmabuf_query_dmabuf_modifiers;
   base->is_dmabuf_modifier_supported = attila_dmabuf_is_dmabuf_modifier_supported;
   base->get_dmabuf_modifier_planes = attila_dmabuf_get_dmabuf_modifier_planes;
   if (!attila_winsys(base)->get_fd && screen->udmabuf_fd < 0)
      screen->udmabuf_fd = open("/dev/udmabuf", O_RDWR | O_CLOEXEC);
}

void
attila_finish_screen_handles(struct attila_screen *screen)
{
   if (screen->udmabuf_fd >= 0)
      close(screen->udmabuf_fd);
}

void
attila_init_handle_caps(struct pipe_screen *base)
{
   struct pipe_caps *caps = (struct pipe_caps *)&base->caps;
   const bool exports = attila_screen(base)->udmabuf_fd >= 0;
   if (!attila_winsys(base)->get_fd)
      caps->dmabuf = DRM_PRIME_CAP_IMPORT | (exports ? DRM_PRIME_CAP_EXPORT : 0);
}
