/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation and destruction of buffers, textures and surfaces. Not here: contents (attila_buffer.c,
 * attila_transfer.c, attila_lazy_zero.c). */
#include "attila_init.h"

#include "attila_bo.h"
#include "attila_context.h"
#include "attila_dmabuf.h"
#include "attila_format_map.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "frontend/sw_winsys.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#define DISPLAY_BINDS (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED)

#define STREAM_SIZE (1u << 20) /* largest buffers of u_upload_mgr and glBegin */

/* Computes the layout of a texture. Returns false if it is too large or the GPU lacks the
 * format. */
static bool
attila_resource_compute_layout(const struct attila_screen *screen, struct attila_resource *res)
{
   const struct pipe_resource *base = &res->base;
   const struct attila_format_map *map = attila_map_format(base->format);
   const struct attila_format_desc *desc = &attila_formats[map->format];
   const unsigned samples = attila_samples(res);
   if (map->format == ATTILA_FORMAT_NONE || samples > ATTILA_MAX_SAMPLES ||
       base->last_level >= ATTILA_MAX_LEVELS || base->width0 > ATTILA_MAX_SURFACE_DIM ||
       base->height0 > ATTILA_MAX_SURFACE_DIM || !base->width0)
      return false;

   const bool is_3d = base->target == PIPE_TEXTURE_3D;
   res->element_bytes = desc->bytes;
   res->block_width = desc->block_width;
   res->block_height = desc->block_height;
   attila_surface_layout(base->width0, base->height0, is_3d ? base->depth0 : base->array_size,
                         is_3d, base->last_level + 1, samples, desc->bytes, desc->block_width,
                         desc->block_height, &res->layout);
   return res->layout.size && res->layout.size <= screen->memory_size;
}

/* Returns, for proxy textures, whether the texture fits into memory, of which an eighth is kept for
 * other objects. */
static bool
attila_resource_can_create(struct pipe_screen *pscreen, const struct pipe_resource *templat)
{
   const struct attila_screen *screen = attila_screen(pscreen);
   struct attila_resource res = {.base = *templat};
   if (templat->target == PIPE_BUFFER)
      return true;
   return attila_resource_compute_layout(screen, &res) &&
          res.layout.size <= screen->memory_size - screen->memory_size / 8;
}

static bool
attila_resource_create_storage(struct attila_resource *res, const void *front_private)
{
   struct pipe_resource *base = &res->base;
   struct attila_screen *screen = attila_screen(base->screen);
   struct sw_winsys *winsys = attila_winsys(base->screen);
   if (attila_is_buffer(res)) {
      /* Gallium streams vertices, indices and constants through such buffers; applications may
       * create them, too. */
      const bool stream = base->usage == PIPE_USAGE_STREAM && base->width0 <= STREAM_SIZE;
      if (!(stream ? attila_bo_alloc_reserved : attila_bo_alloc)(&screen->memory, base->width0, 64,
                                                                 &res->bo))
         return false;
      /* Command words take up to 3 bytes past the end. */
      res->data = align_calloc(ALIGN_POT((size_t)base->width0 + 4, 64), 64);
      util_range_init(&res->valid);
      return res->data != NULL;
   }
   if (!attila_resource_compute_layout(screen, res) || !attila_undefined_init(res) ||
       !attila_bo_alloc(&screen->memory, res->layout.size, res->layout.align, &res->bo))
      return false;
   if ((base->bind & DISPLAY_BINDS) && attila_samples(res) == 1) {
      res->dt = winsys->displaytarget_create(winsys, base->bind, base->format, base->width0,
                                             base->height0, 64, front_private, &res->dt_stride);
      return res->dt != NULL;
   }
   return true;
}

static void
attila_resource_destroy_storage(struct attila_resource *res)
{
   struct attila_screen *screen = attila_screen(res->base.screen);
   struct sw_winsys *winsys = attila_winsys(res->base.screen);
   attila_dmabuf_finish(screen, res);
   if (res->dt && winsys)
      winsys->displaytarget_destroy(winsys, res->dt);
   attila_bo_free(&screen->memory, &res->bo);
   if (res->data)
      util_range_destroy(&res->valid);
   align_free(res->data);
   FREE(res->defined);
}

static struct pipe_resource *
attila_resource_create_front(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                             const void *front_private)
{
   struct attila_resource *res = CALLOC_STRUCT(attila_resource);
   if (!res)
      return NULL;

   res->base = *templat;
   res->base.screen = pscreen;
   pipe_reference_init(&res->base.reference, 1);
   res->is_front = front_private != NULL;
   if (!attila_resource_create_storage(res, front_private)) {
      attila_resource_destroy_storage(res);
      FREE(res);
      return NULL;
   }
   return &res->base;
}

static struct pipe_resource *
attila_resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templat)
{
   return attila_resource_create_front(pscreen, templat, NULL);
}

static void
attila_resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *resource)
{
   struct attila_resource *res = attila_resource(resource);
   attila_resource_destroy_storage(res);
   FREE(res);
}

/* --- Surfaces --- */

static struct pipe_surface *
attila_resource_create_surface(struct pipe_context *pctx, struct pipe_resource *resource,
                               const struct pipe_surface *templat)
{
   struct pipe_surface *surface = CALLOC_STRUCT(pipe_surface);
   if (!surface)
      return NULL;
   pipe_reference_init(&surface->reference, 1);
   pipe_resource_reference(&surface->texture, resource);
   surface->context = pctx;
   surface->format = templat->format;
   surface->u = templat->u;
   surface->width = u_minify(resource->width0, templat->u.tex.level);
   surface->height = u_minify(resource->height0, templat->u.tex.level);
   return surface;
}

static void
attila_resource_surface_destroy(struct pipe_context *pctx, struct pipe_surface *surface)
{
   pipe_resource_reference(&surface->texture, NULL);
   FREE(surface);
}

void
attila_init_screen_resources(struct pipe_screen *screen)
{
   screen->can_create_resource = attila_resource_can_create;
   screen->resource_create = attila_resource_create;
   screen->resource_create_front = attila_resource_create_front;
   screen->resource_destroy = attila_resource_destroy;
}

void
attila_init_context_resources(struct attila_context *ctx)
{
   ctx->base.create_surface = attila_resource_create_surface;
   ctx->base.surface_destroy = attila_resource_surface_destroy;
}
