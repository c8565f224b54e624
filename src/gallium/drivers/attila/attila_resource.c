/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation of buffers, textures and surfaces, who still uses them, coherence of render targets with
 * the ROP caches, and the way of a finished frame to the window. Not here: what is in buffers
 * (attila_buffer.c) and in textures nobody wrote to (attila_lazy_zero.c), mapping of textures
 * (attila_transfer.c).
 */
#include "attila_resource.h"

#include "attila_bo.h"
#include "attila_context.h"
#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_dmabuf.h"
#include "attila_format_map.h"
#include "attila_lazy_zero.h"
#include "attila_resolve.h"
#include "attila_screen.h"
#include "attila_transfer.h"
#include "frontend/sw_winsys.h"
#include "util/format/u_format.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

#define DISPLAY_BINDS (PIPE_BIND_DISPLAY_TARGET | PIPE_BIND_SCANOUT | PIPE_BIND_SHARED)

#define STREAM_SIZE (1u << 20) /* the largest that u_upload_mgr and glBegin make of themselves */

unsigned
attila_level_slices(const struct attila_resource *res, unsigned level)
{
   return res->base.target == PIPE_TEXTURE_3D ? u_minify(res->base.depth0, level)
                                              : res->base.array_size;
}

/* Fills in how the texture lies in memory. False: too large, or a format that the GPU does not
 * have. */
static bool
compute_layout(const struct attila_screen *screen, struct attila_resource *res)
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

/* Answers proxy textures: what could be had by a program that has little else, so an eighth of the
 * memory is kept for that. */
static bool
can_create_resource(struct pipe_screen *pscreen, const struct pipe_resource *templat)
{
   const struct attila_screen *screen = attila_screen(pscreen);
   struct attila_resource res = {.base = *templat};
   if (templat->target == PIPE_BUFFER)
      return true;
   return compute_layout(screen, &res) &&
          res.layout.size <= screen->memory_size - screen->memory_size / 8;
}

static bool
create_storage(struct attila_screen *screen, struct attila_resource *res, const void *front_private)
{
   struct pipe_resource *base = &res->base;
   if (attila_is_buffer(res)) {
      /* What Gallium streams vertices, indices and constants through; an application's buffers may
       * be it too. */
      const bool stream = base->usage == PIPE_USAGE_STREAM && base->width0 <= STREAM_SIZE;
      if (!(stream ? attila_bo_alloc_reserved : attila_bo_alloc)(screen, base->width0, 64,
                                                                 &res->bo))
         return false;
      /* Up to 3 bytes past the end are copied into command words. */
      res->data = align_calloc(ALIGN_POT((size_t)base->width0 + 4, 64), 64);
      util_range_init(&res->valid);
      return res->data != NULL;
   }
   if (!compute_layout(screen, res) || !attila_undefined_init(res) ||
       !attila_bo_alloc(screen, res->layout.size, res->layout.align, &res->bo))
      return false;
   if ((base->bind & DISPLAY_BINDS) && attila_samples(res) == 1) {
      res->dt = screen->winsys->displaytarget_create(screen->winsys, base->bind, base->format,
                                                     base->width0, base->height0, 64, front_private,
                                                     &res->dt_stride);
      return res->dt != NULL;
   }
   return true;
}

static void
destroy_storage(struct attila_screen *screen, struct attila_resource *res)
{
   attila_shared_finish(screen, res);
   if (res->dt)
      screen->winsys->displaytarget_destroy(screen->winsys, res->dt);
   attila_bo_free(screen, &res->bo);
   if (res->data)
      util_range_destroy(&res->valid);
   align_free(res->data);
   FREE(res->defined);
}

static struct pipe_resource *
resource_create_front(struct pipe_screen *pscreen, const struct pipe_resource *templat,
                      const void *front_private)
{
   struct attila_screen *screen = attila_screen(pscreen);
   struct attila_resource *res = CALLOC_STRUCT(attila_resource);
   if (!res)
      return NULL;

   res->base = *templat;
   res->base.screen = pscreen;
   pipe_reference_init(&res->base.reference, 1);
   res->is_front = front_private != NULL;
   if (!create_storage(screen, res, front_private)) {
      destroy_storage(screen, res);
      FREE(res);
      return NULL;
   }
   return &res->base;
}

static struct pipe_resource *
resource_create(struct pipe_screen *pscreen, const struct pipe_resource *templat)
{
   return resource_create_front(pscreen, templat, NULL);
}

static void
resource_destroy(struct pipe_screen *pscreen, struct pipe_resource *resource)
{
   struct attila_resource *res = attila_resource(resource);
   destroy_storage(attila_screen(pscreen), res);
   FREE(res);
}

/* --- Use --- */

bool
attila_resource_is_busy(const struct attila_context *ctx, const struct attila_resource *res)
{
   return res->used >= ctx->cs.done.idle;
}

void
attila_resource_use(struct attila_context *ctx, struct attila_resource *res)
{
   res->used = p_atomic_read(&ctx->screen->memory.epoch);
}

bool
attila_box_is_whole(const struct attila_resource *res, unsigned level, const struct pipe_box *box)
{
   /* A compressed level may be smaller than its blocks. */
   return box->x == 0 && box->y == 0 && box->width >= (int)u_minify(res->base.width0, level) &&
          box->height >= (int)u_minify(res->base.height0, level);
}

void
attila_texture_discard(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                       const struct pipe_box *box)
{
   struct attila_bo bo;
   if ((ctx->screen->debug & ATTILA_DEBUG_NORENAME) || res->dt ||
       !attila_resource_is_busy(ctx, res) || !attila_box_is_whole(res, level, box) ||
       attila_num_defined(res) != attila_num_defined_in(res, level, box->z, box->depth) ||
       !attila_bo_alloc(ctx->screen, res->layout.size, res->layout.align, &bo))
      return;
   attila_bo_free(ctx->screen, &res->bo);
   res->bo = bo;
   res->used = res->color_seq = res->zs_seq = 0;
   attila_undefine(res);
   p_atomic_inc(&ctx->screen->renames);
}

/* --- Render targets --- */

void
attila_resource_rendered(struct attila_context *ctx, struct attila_resource *res, bool zs)
{
   res->rop_context = ctx->id;
   res->front_rendered = res->is_front;
   if (res->shared)
      attila_shared_written(ctx, res);
   if (zs)
      res->zs_seq = ctx->rop_seq;
   else
      res->color_seq = ctx->rop_seq;
   res->bo.caches |= zs ? ATTILA_FLUSH_ZS : ATTILA_FLUSH_COLOR;
   attila_resource_use(ctx, res);
}

uint32_t
attila_resource_flush_bits(const struct attila_context *ctx, const struct attila_resource *res)
{
   /* Another context's rendering was flushed when the GPU changed context. */
   if (res->rop_context != ctx->id)
      return 0;
   return (res->color_seq > ctx->flushed_color ? ATTILA_FLUSH_COLOR : 0) |
          (res->zs_seq > ctx->flushed_zs ? ATTILA_FLUSH_ZS : 0);
}

void
attila_resource_flush(struct attila_context *ctx, struct attila_resource *res)
{
   uint32_t bits = attila_resource_flush_bits(ctx, res);
   if (bits)
      attila_cs_flush_caches(ctx, bits | ATTILA_FLUSH_TEXTURE);
}

/* What the display target holds before the window is read: NULL when the GPU does not have that
 * yet. */
static uint8_t *
copy_display_target(struct sw_winsys *winsys, const struct attila_resource *res, size_t size)
{
   uint8_t *copy = attila_is_defined(res, 0, 0) ? MALLOC(size) : NULL;
   const uint8_t *map = copy ? winsys->displaytarget_map(winsys, res->dt, 0) : NULL;
   if (map) {
      memcpy(copy, map, size);
      winsys->displaytarget_unmap(winsys, res->dt);
      return copy;
   }
   FREE(copy);
   return NULL;
}

/* Nobody tells when something else drew in the window, so it is read each time; only what is new
 * costs the GPU an upload. */
void
attila_resource_import_front(struct attila_context *ctx, struct attila_resource *res)
{
   struct sw_winsys *winsys = ctx->screen->winsys;
   attila_shared_import(ctx, res);
   if (!res->is_front || !res->dt || res->front_rendered)
      return;
   const size_t size = (size_t)res->dt_stride * res->base.height0;
   uint8_t *known = copy_display_target(winsys, res, size);
   const uint8_t *map = winsys->displaytarget_map(winsys, res->dt, PIPE_MAP_READ);
   if (map) {
      struct attila_rect all = {0, 0, res->base.width0, res->base.height0};
      if (!known || memcmp(known, map, size))
         attila_upload_rect(ctx, res, 0, 0, &all, map, res->dt_stride);
      winsys->displaytarget_unmap(winsys, res->dt);
   }
   FREE(known);
}

void
attila_resource_write_front(struct attila_context *ctx, struct attila_resource *res, bool whole)
{
   if (!whole)
      attila_resource_import_front(ctx, res);
   res->front_rendered = res->is_front;
   if (res->shared)
      attila_shared_written(ctx, res);
}

/* --- Surfaces --- */

static struct pipe_surface *
create_surface(struct pipe_context *pctx, struct pipe_resource *resource,
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
surface_destroy(struct pipe_context *pctx, struct pipe_surface *surface)
{
   pipe_resource_reference(&surface->texture, NULL);
   FREE(surface);
}

/* --- Presentation --- */

void
attila_emit_swap(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                 unsigned layer)
{
   struct pipe_resource *samples = level || layer ? NULL : attila_resolve_take(ctx, res);
   const struct attila_resource *shown = samples ? attila_resource(samples) : res;
   attila_zero_slices(ctx, res, level, layer, 1);
   struct attila_cmd_swap swap = {
       .address = attila_slice_address(shown, level, layer),
       .format = attila_map_format(res->base.format)->format,
       .pitch_tiles = shown->layout.pitch_tiles[level],
       .width = u_minify(res->base.width0, level),
       .height = u_minify(res->base.height0, level),
   };
   if (samples) {
      swap.flags = ATTILA_SWAP_RESOLVE;
      swap.samples = attila_samples(shown);
      swap.picture_address = attila_slice_address(res, level, layer);
      swap.picture_pitch_tiles = res->layout.pitch_tiles[level];
   }
   const unsigned words = samples ? sizeof(swap) / 4 : ATTILA_SWAP_WORDS;
   memcpy(attila_cs_emit(ctx, ATTILA_CMD_SWAP, words), &swap, words * 4);
   ctx->frame_has_work = false;
   pipe_resource_reference(&samples, NULL);
}

static void
flush_frontbuffer(struct pipe_screen *pscreen, struct pipe_context *pctx,
                  struct pipe_resource *resource, unsigned level, unsigned layer, void *drawable,
                  unsigned num_boxes, struct pipe_box *boxes)
{
   struct attila_screen *screen = attila_screen(pscreen);
   struct attila_resource *res = attila_resource(resource);
   if (!res->dt || !pctx)
      return;
   struct attila_context *ctx = attila_context(pctx);

   attila_emit_swap(ctx, res, level, layer);
   uint8_t *map = screen->winsys->displaytarget_map(screen->winsys, res->dt, PIPE_MAP_WRITE);
   if (map) {
      struct attila_rect all = {0, 0, u_minify(resource->width0, level),
                                u_minify(resource->height0, level)};
      attila_download_rect(ctx, res, level, layer, &all, map, res->dt_stride, true);
      screen->winsys->displaytarget_unmap(screen->winsys, res->dt);
   } else {
      attila_cs_submit(ctx, NULL);
   }
   /* Unmapping a front buffer has shown it. */
   if (!res->is_front)
      screen->winsys->displaytarget_display(screen->winsys, res->dt, drawable, num_boxes, boxes);
   res->front_rendered = false;
   screen->swapped = true;
   attila_screen_frame_ended(screen);
}

void
attila_init_screen_resources(struct pipe_screen *screen)
{
   screen->can_create_resource = can_create_resource;
   screen->resource_create = resource_create;
   screen->resource_create_front = resource_create_front;
   screen->resource_destroy = resource_destroy;
   screen->flush_frontbuffer = flush_frontbuffer;
}

void
attila_init_context_resources(struct attila_context *ctx)
{
   ctx->base.create_surface = create_surface;
   ctx->base.surface_destroy = surface_destroy;
}
