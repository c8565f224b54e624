/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A framebuffer's depth and stencil may be different images, but the GPU's depth and stencil unit
 * works on one surface with both. So two images that are attached together get a third one behind
 * them, the pair's, which is what the GPU draws to. Each plane, depth and stencil, is valid in the
 * pair's surface, in the image of its own, or in both; it is copied from one to the other by a
 * drawn blit when it is wanted where it is not valid. A program that clears both and only draws
 * with them pays nothing; one that uses an image elsewhere pays a copy each time, and the copy of
 * stencil is nine rectangles (attila_blit_stencil.c). An image is in one pair at a time.
 */
#include "attila_pair.h"

#include "attila_blit.h"
#include "attila_context.h"
#include "attila_resolve.h"
#include "attila_resource.h"
#include "attila_screen.h"
#include "attila_state.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"

enum { DEPTH, STENCIL, NUM_PLANES };

struct plane {
   struct attila_resource *own; /* NULL: destroyed, or in another pair by now */
   unsigned level, layer;
   bool in_own, in_pair; /* where it is valid; at least one of them, if own is not NULL */
};

/* Lives as long as the pair's surface, which the images of the planes hold (attila_resource.pair).
 */
struct attila_pair {
   struct attila_resource *surface;
   struct plane plane[NUM_PLANES];
   bool copying; /* a plane is being copied: the blits' own uses of the images do not count */
};

static bool
is_surface(const struct attila_resource *res)
{
   return res->pair && res->pair->surface == res;
}

static enum pipe_format
pair_format(enum pipe_format depth)
{
   switch (depth) {
   case PIPE_FORMAT_Z16_UNORM:
      return PIPE_FORMAT_Z16_UNORM_S8_UINT;
   case PIPE_FORMAT_Z32_FLOAT:
   case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
      return PIPE_FORMAT_Z32_FLOAT_S8X24_UINT;
   default:
      return PIPE_FORMAT_Z24_UNORM_S8_UINT;
   }
}

/* --- Copies --- */

static void
copy_plane(struct attila_context *ctx, struct attila_pair *pair, unsigned p, bool to_pair)
{
   struct plane *plane = &pair->plane[p];
   struct attila_resource *src = to_pair ? plane->own : pair->surface,
                          *dst = to_pair ? pair->surface : plane->own;
   struct pipe_blit_info info = {
       .src = {.resource = &src->base, .format = src->base.format},
       .dst = {.resource = &dst->base, .format = dst->base.format},
       .mask = p == DEPTH ? PIPE_MASK_Z : PIPE_MASK_S,
       .filter = PIPE_TEX_FILTER_NEAREST,
   };
   info.src.box.width = info.dst.box.width = pair->surface->base.width0;
   info.src.box.height = info.dst.box.height = pair->surface->base.height0;
   info.src.box.depth = info.dst.box.depth = 1;
   if (to_pair) {
      info.src.level = plane->level;
      info.src.box.z = plane->layer;
   } else {
      info.dst.level = plane->level;
      info.dst.box.z = plane->layer;
   }
   pair->copying = true;
   if (attila_samples(src) > 1)
      attila_blit_samples(ctx, &info);
   else
      attila_blit_drawn(ctx, &info);
   pair->copying = false;
   plane->in_own = plane->in_pair = true;
}

/* --- Pairs --- */

/* The resource's planes leave the pair; they are valid in the resource, or nobody wants them. */
static void
leave(struct attila_screen *screen, struct attila_resource *res)
{
   struct attila_pair *pair = res->pair;
   if (!pair)
      return;
   simple_mtx_lock(&screen->lock);
   for (unsigned p = 0; p < NUM_PLANES; p++) {
      if (pair->plane[p].own == res)
         pair->plane[p].own = NULL;
   }
   res->pair = NULL;
   simple_mtx_unlock(&screen->lock);
   p_atomic_dec(&screen->num_paired);
   struct pipe_resource *surface = &pair->surface->base;
   pipe_resource_reference(&surface, NULL);
}

void
attila_pair_forget(struct attila_screen *screen, struct attila_resource *res)
{
   if (!is_surface(res))
      leave(screen, res);
   else
      FREE(res->pair);
}

void
attila_pair_read(struct attila_context *ctx, struct attila_resource *res)
{
   struct attila_pair *pair = res->pair;
   if (!pair || is_surface(res) || pair->copying)
      return;
   bool alone = false;
   for (unsigned p = 0; p < NUM_PLANES; p++) {
      if (pair->plane[p].own == res && !pair->plane[p].in_own)
         copy_plane(ctx, pair, p, false);
      alone |= !pair->plane[p].own;
   }
   if (alone)
      leave(ctx->screen, res);
}

void
attila_pair_write(struct attila_context *ctx, struct attila_resource *res)
{
   attila_pair_read(ctx, res);
   struct attila_pair *pair = res->pair;
   if (!pair || is_surface(res) || pair->copying)
      return;
   for (unsigned p = 0; p < NUM_PLANES; p++) {
      if (pair->plane[p].own == res)
         pair->plane[p].in_pair = false;
   }
}

/* The pair that the surfaces are in together already. */
static struct attila_pair *
find(const struct pipe_surface *const surfaces[NUM_PLANES])
{
   struct attila_pair *pair = attila_resource(surfaces[DEPTH]->texture)->pair;
   for (unsigned p = 0; p < NUM_PLANES && pair; p++) {
      const struct plane *plane = &pair->plane[p];
      if (plane->own != attila_resource(surfaces[p]->texture) ||
          plane->level != surfaces[p]->u.tex.level ||
          plane->layer != surfaces[p]->u.tex.first_layer)
         pair = NULL;
   }
   return pair;
}

static struct attila_pair *
create(struct attila_context *ctx, const struct pipe_surface *const surfaces[NUM_PLANES])
{
   struct pipe_screen *pscreen = ctx->base.screen;
   const struct pipe_resource *depth = surfaces[DEPTH]->texture;
   const struct pipe_resource templ = {
       .target = PIPE_TEXTURE_2D,
       .format = pair_format(depth->format),
       .width0 = MIN2(surfaces[DEPTH]->width, surfaces[STENCIL]->width),
       .height0 = MIN2(surfaces[DEPTH]->height, surfaces[STENCIL]->height),
       .depth0 = 1,
       .array_size = 1,
       .nr_samples = depth->nr_samples,
       .nr_storage_samples = depth->nr_storage_samples,
       .bind = PIPE_BIND_DEPTH_STENCIL | PIPE_BIND_SAMPLER_VIEW,
   };
   struct pipe_resource *surface = pscreen->resource_create(pscreen, &templ);
   struct attila_pair *pair = surface ? CALLOC_STRUCT(attila_pair) : NULL;
   if (!pair) {
      pipe_resource_reference(&surface, NULL);
      return NULL;
   }
   pair->surface = attila_resource(surface);
   pair->surface->pair = pair;
   for (unsigned p = 0; p < NUM_PLANES; p++) {
      struct attila_resource *own = attila_resource(surfaces[p]->texture);
      if (own->pair && own->pair != pair) {
         attila_pair_read(ctx, own);
         leave(ctx->screen, own);
      }
      simple_mtx_lock(&ctx->screen->lock);
      pair->plane[p] = (struct plane){.own = own,
                                      .level = surfaces[p]->u.tex.level,
                                      .layer = surfaces[p]->u.tex.first_layer,
                                      .in_own = true};
      if (!own->pair) {
         struct pipe_resource *held = NULL;
         pipe_resource_reference(&held, surface);
         own->pair = pair;
         p_atomic_inc(&ctx->screen->num_paired);
      }
      simple_mtx_unlock(&ctx->screen->lock);
   }
   /* The images hold it now. */
   pipe_resource_reference(&surface, NULL);
   return pair;
}

static struct pipe_surface *
create_depth_stencil_surface(struct pipe_context *pctx, struct pipe_surface *depth,
                             struct pipe_surface *stencil)
{
   const struct pipe_surface *const surfaces[NUM_PLANES] = {depth, stencil};
   struct attila_pair *pair = find(surfaces);
   if (!pair)
      pair = create(attila_context(pctx), surfaces);
   if (!pair)
      return NULL;
   struct pipe_surface templ = {.format = pair->surface->base.format};
   return pctx->create_surface(pctx, &pair->surface->base, &templ);
}

/* --- Uses --- */

/* The bound depth and stencil surface will be used: planes to read and write, a bit each. */
static void
use_bound(struct attila_context *ctx, unsigned read, unsigned write)
{
   const struct pipe_surface *zs = ctx->framebuffer.zsbuf;
   struct attila_resource *res = zs ? attila_resource(zs->texture) : NULL;
   if (!res || !res->pair || !(read | write))
      return;
   if (!is_surface(res)) {
      attila_pair_write(ctx, res);
      return;
   }
   for (unsigned p = 0; p < NUM_PLANES; p++) {
      struct plane *plane = &res->pair->plane[p];
      if (plane->own && !plane->in_pair && (read & 1u << p))
         copy_plane(ctx, res->pair, p, true);
      if (write & 1u << p) {
         plane->in_pair = true;
         plane->in_own = false;
      }
   }
}

void
attila_pair_before_draw(struct attila_context *ctx)
{
   const struct attila_zsa *zsa = ctx->zsa;
   if (!p_atomic_read(&ctx->screen->num_paired) || ctx->meta || !zsa)
      return;
   for (unsigned s = 0; s < ATTILA_NUM_STAGES; s++) {
      for (unsigned i = 0; i < ctx->textures[s].num_views; i++) {
         const struct pipe_sampler_view *view = ctx->textures[s].views[i];
         if (view && !attila_is_buffer(attila_resource(view->texture)))
            attila_pair_read(ctx, attila_resource(view->texture));
      }
   }
   const bool stencil = zsa->stencil[0].enable;
   use_bound(ctx, (zsa->z_test ? 1u << DEPTH : 0) | (stencil ? 1u << STENCIL : 0),
             (zsa->z_write ? 1u << DEPTH : 0) | (stencil ? 1u << STENCIL : 0));
}

void
attila_pair_before_clear(struct attila_context *ctx, unsigned buffers, unsigned fast)
{
   if (!p_atomic_read(&ctx->screen->num_paired))
      return;
   const unsigned planes = (buffers & PIPE_CLEAR_DEPTH ? 1u << DEPTH : 0) |
                           (buffers & PIPE_CLEAR_STENCIL ? 1u << STENCIL : 0);
   use_bound(ctx, fast & PIPE_CLEAR_DEPTHSTENCIL ? 0 : planes, planes);
}

void
attila_init_context_pairs(struct attila_context *ctx)
{
   ctx->base.create_depth_stencil_surface = create_depth_stencil_surface;
}
