/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Drawn blits: those that convert, scale, flip, clip or mask. The GPU can neither sample stencil
 * nor write it from a program. So stencil is copied bit by bit: the memory of the source is sampled
 * as a colour that contains the stencil byte; the stencil of the destination is set to 0; then for
 * each bit a rectangle is drawn that sets this bit and kills fragments whose source bit is 0. */
#include "attila_blit_drawn.h"

#include "attila_blitter.h"
#include "attila_context.h"
#include "attila_resource.h"
#include "tgsi/tgsi_ureg.h"
#include "util/format/u_format.h"
#include "util/log.h"
#include "util/macros.h"
#include "util/u_blitter.h"
#include "util/u_inlines.h"

#define PASS_ZERO 8 /* passes 0..7 are for bits */

/* Returns the fragment shader of a pass. After the swizzle of the view, TEX returns the stencil
 * byte in x, as a fraction of the unorm maximum. */
static void *
attila_blit_create_pass_shader(struct attila_context *ctx, unsigned pass, float maximum)
{
   struct ureg_program *u = ureg_create(PIPE_SHADER_FRAGMENT);
   if (!u)
      return NULL;
   struct ureg_src coord = ureg_DECL_fs_input(u, TGSI_SEMANTIC_GENERIC, 0, TGSI_INTERPOLATE_LINEAR);
   struct ureg_dst color = ureg_DECL_output(u, TGSI_SEMANTIC_COLOR, 0);
   if (pass != PASS_ZERO) {
      struct ureg_src sampler = ureg_DECL_sampler(u, 0);
      struct ureg_dst t = ureg_DECL_temporary(u);
      ureg_DECL_sampler_view(u, 0, TGSI_TEXTURE_2D, TGSI_RETURN_TYPE_FLOAT, TGSI_RETURN_TYPE_FLOAT,
                             TGSI_RETURN_TYPE_FLOAT, TGSI_RETURN_TYPE_FLOAT);
      struct ureg_src value = ureg_scalar(ureg_src(t), TGSI_SWIZZLE_X);
      ureg_TEX(u, t, TGSI_TEXTURE_2D, coord, sampler);
      /* The bit is 1 if the remainder modulo twice its weight is at least its weight; adding 1/4
       * avoids rounding errors. */
      ureg_MAD(u, t, value, ureg_imm1f(u, maximum), ureg_imm1f(u, 0.25f));
      ureg_MUL(u, t, value, ureg_imm1f(u, 0.5f / (1 << pass)));
      ureg_FRC(u, t, value);
      ureg_ADD(u, t, value, ureg_imm1f(u, -0.5f));
      ureg_KILL_IF(u, value);
   }
   ureg_MOV(u, color, ureg_imm1f(u, 0.0f));
   ureg_END(u);
   return ureg_create_shader_and_destroy(u, &ctx->base);
}

/* Finds the format whose red, after the swizzle, has the stencil byte in its low bits. */
static bool
attila_blit_color_alias(enum pipe_format format, struct pipe_sampler_view *view, float *maximum)
{
   switch (format) {
   case PIPE_FORMAT_Z24_UNORM_S8_UINT:
      view->format = PIPE_FORMAT_R8G8B8A8_UNORM;
      view->swizzle_r = PIPE_SWIZZLE_W;
      *maximum = 255.0f;
      return true;
   case PIPE_FORMAT_Z32_FLOAT_S8X24_UINT:
      view->format = PIPE_FORMAT_R16G16B16A16_UNORM;
      view->swizzle_r = PIPE_SWIZZLE_Z;
      *maximum = 65535.0f;
      return true;
   default:
      return false;
   }
}

static void
attila_blit_draw_pass(struct attila_context *ctx, const struct pipe_blit_info *info,
                      struct pipe_surface *dst, struct pipe_sampler_view *view, unsigned z,
                      unsigned pass, float maximum)
{
   const unsigned kind = maximum > 255.0f;
   void **fs = &ctx->stencil_blit_fs[kind][pass];
   if (!*fs)
      *fs = attila_blit_create_pass_shader(ctx, pass, maximum);
   if (!*fs)
      return;

   struct pipe_box src_box = info->src.box, dst_box = info->dst.box;
   src_box.z = 0;
   dst_box.z += z;
   src_box.depth = dst_box.depth = 1;
   ctx->stencil_blit_mask = pass == PASS_ZERO ? 0xff : 1u << pass;
   ctx->stencil_blit_ref = pass == PASS_ZERO ? 0 : 0xff;
   attila_blitter_begin(ctx, true, false);
   /* This is drawn like a depth copy: the surface is bound, and the depth and stencil state is
    * replaced (attila_emit.c). */
   util_blitter_blit_generic(ctx->blitter, dst, &dst_box, view, &src_box,
                             info->src.resource->width0, info->src.resource->height0, PIPE_MASK_Z,
                             PIPE_TEX_FILTER_NEAREST, info->scissor_enable ? &info->scissor : NULL,
                             false, false, info->dst_sample, *fs);
   attila_blitter_end(ctx);
   ctx->stencil_blit_mask = 0;
   ctx->state.dirty |= ATTILA_DIRTY_ZSA;
}

static void
attila_blit_stencil(struct attila_context *ctx, const struct pipe_blit_info *info)
{
   struct pipe_context *pctx = &ctx->base;
   struct pipe_resource *src = info->src.resource, *dst = info->dst.resource;
   for (int z = 0; z < info->dst.box.depth; z++) {
      float maximum;
      struct pipe_sampler_view templ = {.target = PIPE_TEXTURE_2D,
                                        .swizzle_g = PIPE_SWIZZLE_0,
                                        .swizzle_b = PIPE_SWIZZLE_0,
                                        .swizzle_a = PIPE_SWIZZLE_1};
      if (!attila_blit_color_alias(info->src.format, &templ, &maximum))
         return;
      templ.u.tex.first_level = templ.u.tex.last_level = info->src.level;
      templ.u.tex.first_layer = templ.u.tex.last_layer = info->src.box.z + z;
      struct pipe_sampler_view *view = pctx->create_sampler_view(pctx, src, &templ);

      struct pipe_surface surface_templ;
      util_blitter_default_dst_texture(&surface_templ, dst, info->dst.level, info->dst.box.z + z);
      surface_templ.format = info->dst.format;
      struct pipe_surface *surface = pctx->create_surface(pctx, dst, &surface_templ);

      if (view && surface) {
         attila_blit_draw_pass(ctx, info, surface, view, z, PASS_ZERO, maximum);
         for (unsigned pass = 0; pass < PASS_ZERO; pass++)
            attila_blit_draw_pass(ctx, info, surface, view, z, pass, maximum);
      }
      pipe_surface_reference(&surface, NULL);
      pipe_sampler_view_reference(&view, NULL);
   }
}

/* How far unfiltered blits shift coordinates, relative to the size of the source: by more than all
 * rounding errors of interpolation and sampling. */
#define TIE 0x1p-21f

/* Shifts the coordinates of unfiltered blits. The centre of a pixel may lie exactly between two
 * texels, and rounding would choose now one, now the other along a column or row. Coordinates are
 * 0..1 in a texture, but in texels for rectangle textures and fetches. */
static void
attila_blit_draw_rectangle(struct blitter_context *blitter, void *elements,
                           blitter_get_vs_func get_vs, int x1, int y1, int x2, int y2, float depth,
                           unsigned num_instances, enum blitter_attrib_type type,
                           const union blitter_attrib *attrib)
{
   union blitter_attrib moved;
   const bool texcoords =
       type == UTIL_BLITTER_ATTRIB_TEXCOORD_XY || type == UTIL_BLITTER_ATTRIB_TEXCOORD_XYZW;
   if (texcoords && attila_context(blitter->pipe)->blit_nearest) {
      moved = *attrib;
      const float x = TIE * MAX3(1.0f, moved.texcoord.x1, moved.texcoord.x2),
                  y = TIE * MAX3(1.0f, moved.texcoord.y1, moved.texcoord.y2);
      moved.texcoord.x1 += x;
      moved.texcoord.x2 += x;
      moved.texcoord.y1 += y;
      moved.texcoord.y2 += y;
      attrib = &moved;
   }
   util_blitter_draw_rectangle(blitter, elements, get_vs, x1, y1, x2, y2, depth, num_instances,
                               type, attrib);
}

void
attila_blit_drawn(struct attila_context *ctx, const struct pipe_blit_info *info)
{
   struct pipe_blit_info rest = *info;
   ctx->blit_nearest = info->filter == PIPE_TEX_FILTER_NEAREST;
   if (rest.mask & PIPE_MASK_S) {
      if (util_format_has_stencil(util_format_description(info->dst.format)))
         attila_blit_stencil(ctx, &rest);
      rest.mask &= ~PIPE_MASK_S;
   }
   if (!rest.mask)
      return;
   if (!util_blitter_is_blit_supported(ctx->blitter, &rest)) {
      mesa_loge("attila: unsupported blit from %s to %s", util_format_short_name(info->src.format),
                util_format_short_name(info->dst.format));
      return;
   }
   /* The pixels that the rectangle covers need not be zeroed first. */
   const struct pipe_box *box = &info->dst.box;
   struct attila_resource *dst = attila_resource(info->dst.resource);
   if (attila_box_is_whole(dst, info->dst.level, box) && !info->scissor_enable &&
       !info->num_window_rectangles && !info->alpha_blend && !info->dst_sample &&
       rest.mask == util_format_get_mask(info->dst.format))
      attila_define_slices(dst, info->dst.level, box->z, box->depth);
   attila_blitter_begin(ctx, true, false);
   util_blitter_blit(ctx->blitter, &rest, NULL);
   attila_blitter_end(ctx);
}

void
attila_blit_drawn_init(struct attila_context *ctx)
{
   ctx->blitter->draw_rectangle = attila_blit_draw_rectangle;
}

void
attila_blit_drawn_finish(struct attila_context *ctx)
{
   for (unsigned kind = 0; kind < 2; kind++) {
      for (unsigned pass = 0; pass <= PASS_ZERO; pass++) {
         if (ctx->stencil_blit_fs[kind][pass])
            ctx->base.delete_fs_state(&ctx->base, ctx->stencil_blit_fs[kind][pass]);
      }
   }
}
