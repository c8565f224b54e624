/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * State objects and setters. Not here: commands from bound state (attila_emit.c). */
#include "attila_state_objects.h"

#include "attila_context.h"
#include "attila_cs.h"
#include "attila_format_map.h"
#include "attila_init.h"
#include "attila_resource.h"
#include "util/u_framebuffer.h"
#include "util/u_helpers.h"
#include "util/u_inlines.h"
#include "util/u_math.h"
#include "util/u_memory.h"
#include "util/u_upload_mgr.h"

/* Gallium's numbers serve as register values where they agree. */
static_assert((int)PIPE_FUNC_ALWAYS == (int)ATTILA_FUNC_ALWAYS &&
                  (int)PIPE_FUNC_LESS == (int)ATTILA_FUNC_LESS,
              "functions");
static_assert((int)PIPE_STENCIL_OP_INVERT == (int)ATTILA_STENCIL_INVERT &&
                  (int)PIPE_STENCIL_OP_INCR == (int)ATTILA_STENCIL_INCR_SAT &&
                  (int)PIPE_STENCIL_OP_INCR_WRAP == (int)ATTILA_STENCIL_INCR_WRAP,
              "stencil operations");
static_assert((int)PIPE_BLEND_MAX == (int)ATTILA_BLEND_MAX &&
                  (int)PIPE_BLEND_SUBTRACT == (int)ATTILA_BLEND_SUBTRACT,
              "blend");
static_assert((int)PIPE_TEX_WRAP_MIRROR_CLAMP_TO_BORDER ==
                      (int)ATTILA_WRAP_MIRROR_CLAMP_TO_BORDER &&
                  (int)PIPE_TEX_WRAP_CLAMP_TO_EDGE == (int)ATTILA_WRAP_CLAMP_TO_EDGE,
              "wrap modes");
static_assert((int)PIPE_TEX_MIPFILTER_NONE == (int)ATTILA_MIP_NONE &&
                  (int)PIPE_TEX_FILTER_LINEAR == (int)ATTILA_FILTER_LINEAR,
              "filters");
static_assert((int)PIPE_SWIZZLE_W == (int)ATTILA_SWIZZLE_W &&
                  (int)PIPE_SWIZZLE_0 == (int)ATTILA_SWIZZLE_0 &&
                  (int)PIPE_SWIZZLE_1 == (int)ATTILA_SWIZZLE_1,
              "swizzles");
static_assert((int)PIPE_FACE_FRONT == (int)ATTILA_CULL_FRONT &&
                  (int)PIPE_FACE_BACK == (int)ATTILA_CULL_BACK,
              "faces");
static_assert((int)PIPE_POLYGON_MODE_POINT == (int)ATTILA_FILL_POINT &&
                  (int)PIPE_POLYGON_MODE_LINE == (int)ATTILA_FILL_LINE,
              "polygon modes");

/* --- Blending --- */

/* Returns the GPU's blend factor. *second: the factor uses the second colour. */
static uint32_t
attila_state_blend_factor(unsigned factor, bool *second)
{
   *second = false;
   switch (factor) {
   case PIPE_BLENDFACTOR_ZERO:
      return ATTILA_FACTOR_ZERO;
   case PIPE_BLENDFACTOR_ONE:
      return ATTILA_FACTOR_ONE;
   case PIPE_BLENDFACTOR_SRC1_COLOR:
      *second = true;
      FALLTHROUGH;
   case PIPE_BLENDFACTOR_SRC_COLOR:
      return ATTILA_FACTOR_SRC_COLOR;
   case PIPE_BLENDFACTOR_SRC1_ALPHA:
      *second = true;
      FALLTHROUGH;
   case PIPE_BLENDFACTOR_SRC_ALPHA:
      return ATTILA_FACTOR_SRC_ALPHA;
   case PIPE_BLENDFACTOR_DST_ALPHA:
      return ATTILA_FACTOR_DST_ALPHA;
   case PIPE_BLENDFACTOR_DST_COLOR:
      return ATTILA_FACTOR_DST_COLOR;
   case PIPE_BLENDFACTOR_SRC_ALPHA_SATURATE:
      return ATTILA_FACTOR_SRC_ALPHA_SATURATE;
   case PIPE_BLENDFACTOR_CONST_COLOR:
      return ATTILA_FACTOR_CONST_COLOR;
   case PIPE_BLENDFACTOR_CONST_ALPHA:
      return ATTILA_FACTOR_CONST_ALPHA;
   case PIPE_BLENDFACTOR_INV_SRC1_COLOR:
      *second = true;
      FALLTHROUGH;
   case PIPE_BLENDFACTOR_INV_SRC_COLOR:
      return ATTILA_FACTOR_INV_SRC_COLOR;
   case PIPE_BLENDFACTOR_INV_SRC1_ALPHA:
      *second = true;
      FALLTHROUGH;
   case PIPE_BLENDFACTOR_INV_SRC_ALPHA:
      return ATTILA_FACTOR_INV_SRC_ALPHA;
   case PIPE_BLENDFACTOR_INV_DST_ALPHA:
      return ATTILA_FACTOR_INV_DST_ALPHA;
   case PIPE_BLENDFACTOR_INV_DST_COLOR:
      return ATTILA_FACTOR_INV_DST_COLOR;
   case PIPE_BLENDFACTOR_INV_CONST_COLOR:
      return ATTILA_FACTOR_INV_CONST_COLOR;
   case PIPE_BLENDFACTOR_INV_CONST_ALPHA:
      return ATTILA_FACTOR_INV_CONST_ALPHA;
   default:
      unreachable("a blend factor");
   }
}

/* Fills the blending registers of a colour buffer. */
static void
attila_state_init_blending(struct attila_color_regs *r, const struct pipe_rt_blend_state *rt)
{
   bool second[4];
   r->blend_enable = 1;
   r->rgb_eq = rt->rgb_func;
   r->rgb_src = attila_state_blend_factor(rt->rgb_src_factor, &second[0]);
   r->rgb_dst = attila_state_blend_factor(rt->rgb_dst_factor, &second[1]);
   r->alpha_eq = rt->alpha_func;
   r->alpha_src = attila_state_blend_factor(rt->alpha_src_factor, &second[2]);
   r->alpha_dst = attila_state_blend_factor(rt->alpha_dst_factor, &second[3]);
   r->rgb_src_second = second[0];
   r->rgb_dst_second = second[1];
   r->alpha_src_second = second[2];
   r->alpha_dst_second = second[3];
}

static void *
attila_state_create_blend(struct pipe_context *pctx, const struct pipe_blend_state *state)
{
   struct attila_blend *blend = CALLOC_STRUCT(attila_blend);
   if (!blend)
      return NULL;
   for (unsigned i = 0; i < ATTILA_MAX_COLOR_BUFFERS; i++) {
      const struct pipe_rt_blend_state *rt = &state->rt[state->independent_blend_enable ? i : 0];
      struct attila_color_regs *r = &blend->color[i];
      r->write_mask = rt->colormask;
      if (rt->blend_enable)
         attila_state_init_blending(r, rt);
   }
   blend->logicop_enable = state->logicop_enable;
   blend->logicop = state->logicop_enable ? state->logicop_func : 0;
   blend->alpha_to_coverage = state->alpha_to_coverage;
   blend->alpha_to_one = state->alpha_to_one;
   return blend;
}

static void *
attila_state_create_zsa(struct pipe_context *pctx,
                        const struct pipe_depth_stencil_alpha_state *state)
{
   struct attila_zsa *zsa = CALLOC_STRUCT(attila_zsa);
   if (!zsa)
      return NULL;
   zsa->z_test = state->depth_enabled;
   zsa->z_write = state->depth_enabled && state->depth_writemask;
   zsa->z_func = state->depth_enabled ? state->depth_func : 0;
   zsa->alpha_test = state->alpha_enabled && state->alpha_func != PIPE_FUNC_ALWAYS;
   zsa->alpha_func = state->alpha_func;
   zsa->alpha_ref = state->alpha_ref_value;
   for (unsigned i = 0; i < 2; i++) {
      const struct pipe_stencil_state *s = &state->stencil[i];
      if (!s->enabled)
         continue;
      zsa->stencil[i] = (struct attila_stencil_regs){
          .enable = 1,
          .func = s->func,
          .fail = s->fail_op,
          .zfail = s->zfail_op,
          .zpass = s->zpass_op,
          .value_mask = s->valuemask,
          .write_mask = s->writemask,
      };
   }
   return zsa;
}

static void *
attila_state_create_rasterizer(struct pipe_context *pctx, const struct pipe_rasterizer_state *state)
{
   struct attila_rasterizer *rasterizer = CALLOC_STRUCT(attila_rasterizer);
   if (rasterizer)
      rasterizer->base = *state;
   return rasterizer;
}

static void
attila_state_delete(struct pipe_context *pctx, void *state)
{
   FREE(state);
}

#define BIND(name, type, member, bit)                                           \
   static void attila_state_bind_##name(struct pipe_context *pctx, void *state) \
   {                                                                            \
      struct attila_context *ctx = attila_context(pctx);                        \
      ctx->state.member = (struct type *)state;                                 \
      ctx->state.dirty |= bit;                                                  \
   }
BIND(blend_state, attila_blend, blend, ATTILA_DIRTY_BLEND)
BIND(zsa_state, attila_zsa, zsa, ATTILA_DIRTY_ZSA)
BIND(rasterizer_state, attila_rasterizer, rasterizer, ATTILA_DIRTY_RASTERIZER)
BIND(vertex_elements_state, attila_vertex_elements, elements, 0)

/* --- Vertex input --- */

static void *
attila_state_create_vertex_elements(struct pipe_context *pctx, unsigned num,
                                    const struct pipe_vertex_element *elements)
{
   struct attila_vertex_elements *state = CALLOC_STRUCT(attila_vertex_elements);
   if (!state)
      return NULL;
   state->num = MIN2(num, ATTILA_MAX_ATTRIBS);
   for (unsigned i = 0; i < state->num; i++) {
      state->element[i].buffer = elements[i].vertex_buffer_index;
      state->element[i].format = attila_map_format(elements[i].src_format)->format;
      state->element[i].offset = elements[i].src_offset;
      state->element[i].stride = elements[i].src_stride;
      state->element[i].divisor = elements[i].instance_divisor;
   }
   return state;
}

static void
attila_state_set_vertex_buffers(struct pipe_context *pctx, unsigned count,
                                const struct pipe_vertex_buffer *buffers)
{
   struct attila_context *ctx = attila_context(pctx);
   util_set_vertex_buffers_count(ctx->state.vertex_buffers, &ctx->state.num_vertex_buffers, buffers,
                                 count, true);
}

/* --- Textures --- */

static void *
attila_state_create_sampler(struct pipe_context *pctx, const struct pipe_sampler_state *state)
{
   struct attila_sampler *sampler = CALLOC_STRUCT(attila_sampler);
   if (!sampler)
      return NULL;
   struct attila_tex_regs *r = &sampler->regs;
   r->wrap_s = state->wrap_s;
   r->wrap_t = state->wrap_t;
   r->wrap_r = state->wrap_r;
   r->mag_filter = state->mag_img_filter;
   r->min_filter = state->min_img_filter;
   r->mip_filter = state->min_mip_filter;
   r->max_aniso = CLAMP(state->max_anisotropy, 1, 16);
   r->compare = state->compare_mode == PIPE_TEX_COMPARE_R_TO_TEXTURE;
   r->compare_func = state->compare_func;
   r->unnormalized = state->unnormalized_coords;
   r->seamless = state->seamless_cube_map;
   r->magnify_to_0 = !(state->pad & 1); /* the bit that patch 0305 sets */
   r->lod_bias = CLAMP(state->lod_bias, -16.0f, 16.0f);
   r->min_lod = MAX2(state->min_lod, 0.0f);
   r->max_lod = CLAMP(state->max_lod, r->min_lod, 15.0f);
   for (unsigned c = 0; c < 4; c++)
      r->border[c] = state->border_color.f[c];
   return sampler;
}

/* Finds the stage. Returns false if the GPU lacks it. */
static bool
attila_state_stage_of(enum pipe_shader_type shader, unsigned *stage)
{
   switch (shader) {
   case PIPE_SHADER_VERTEX:
      *stage = ATTILA_STAGE_VERTEX;
      return true;
   case PIPE_SHADER_GEOMETRY:
      *stage = ATTILA_STAGE_GEOMETRY;
      return true;
   case PIPE_SHADER_FRAGMENT:
      *stage = ATTILA_STAGE_FRAGMENT;
      return true;
   case PIPE_SHADER_COMPUTE:
      *stage = ATTILA_STAGE_COMPUTE;
      return true;
   default:
      return false;
   }
}

static void
attila_state_bind_sampler_states(struct pipe_context *pctx, enum pipe_shader_type shader,
                                 unsigned start, unsigned num, void **samplers)
{
   struct attila_context *ctx = attila_context(pctx);
   unsigned stage;
   if (!attila_state_stage_of(shader, &stage))
      return;
   struct attila_textures *t = &ctx->state.textures[stage];
   for (unsigned i = 0; i < num && start + i < ARRAY_SIZE(t->samplers); i++)
      t->samplers[start + i] = samplers ? samplers[i] : NULL;
   t->num_samplers = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(t->samplers); i++)
      t->num_samplers = t->samplers[i] ? i + 1 : t->num_samplers;
   ctx->state.dirty |= ATTILA_DIRTY_TEX_0 << stage;
}

static uint32_t
attila_state_tex_target(enum pipe_texture_target target)
{
   switch (target) {
   case PIPE_TEXTURE_1D:
      return ATTILA_TEX_1D;
   case PIPE_TEXTURE_3D:
      return ATTILA_TEX_3D;
   case PIPE_TEXTURE_CUBE:
   case PIPE_TEXTURE_CUBE_ARRAY:
      return ATTILA_TEX_CUBE;
   case PIPE_TEXTURE_RECT:
      return ATTILA_TEX_RECT;
   case PIPE_TEXTURE_2D_ARRAY:
      return ATTILA_TEX_2D_ARRAY;
   case PIPE_TEXTURE_1D_ARRAY:
      return ATTILA_TEX_1D_ARRAY;
   default:
      return ATTILA_TEX_2D;
   }
}

/* Applies the swizzle of the view to that of the format. */
static uint32_t
attila_state_combine_swizzles(const struct attila_format_map *map,
                              const struct pipe_sampler_view *view)
{
   const uint8_t v[4] = {view->swizzle_r, view->swizzle_g, view->swizzle_b, view->swizzle_a};
   uint32_t swizzle = 0;
   for (unsigned c = 0; c < 4; c++) {
      unsigned s = v[c] <= PIPE_SWIZZLE_W   ? map->swizzle[v[c]]
                   : v[c] == PIPE_SWIZZLE_1 ? ATTILA_SWIZZLE_1
                                            : ATTILA_SWIZZLE_0;
      swizzle |= s << (3 * c);
   }
   return swizzle;
}

/* Makes the registers of a view of a buffer's elements, from an offset on. */
static void
attila_state_view_buffer(struct attila_sampler_view *view, const struct attila_format_map *map)
{
   struct attila_tex_regs *r = &view->regs;
   const unsigned bytes = attila_formats[map->format].bytes,
                  elements =
                      bytes ? MIN2(view->base.u.buf.size / bytes, ATTILA_MAX_BUFFER_TEXELS) : 0;
   view->offset = view->base.u.buf.offset;
   r->enable = elements != 0 &&
               attila_formats[map->format].uses & (ATTILA_USE_TEXTURE | ATTILA_USE_TEXTURE_BUFFER);
   r->target = ATTILA_TEX_BUFFER;
   r->format = map->format;
   r->width = elements % (1u << 14);
   r->height = elements >> 14;
   r->depth = r->num_levels = 1;
   r->swizzle = attila_state_combine_swizzles(map, &view->base);
}

static struct pipe_sampler_view *
attila_state_create_sampler_view(struct pipe_context *pctx, struct pipe_resource *texture,
                                 const struct pipe_sampler_view *templat)
{
   struct attila_sampler_view *view = CALLOC_STRUCT(attila_sampler_view);
   struct attila_resource *res = attila_resource(texture);
   const struct attila_format_map *map = attila_map_format(templat->format);
   if (!view)
      return NULL;
   view->base = *templat;
   view->base.context = pctx;
   view->base.texture = NULL;
   pipe_resource_reference(&view->base.texture, texture);
   pipe_reference_init(&view->base.reference, 1);
   if (attila_is_buffer(res)) {
      attila_state_view_buffer(view, map);
      return &view->base;
   }
   /* A format with elements of another size reads as an unbound unit. */
   if (attila_formats[map->format].bytes != res->element_bytes)
      return &view->base;

   struct attila_tex_regs *r = &view->regs;
   r->enable = 1;
   r->target = attila_state_tex_target(templat->target);
   r->cube_array = templat->target == PIPE_TEXTURE_CUBE_ARRAY;
   r->format = map->format;
   r->width = texture->width0;
   r->height = texture->height0;
   r->depth = texture->target == PIPE_TEXTURE_3D ? texture->depth0 : texture->array_size;
   r->num_levels = texture->last_level + 1;
   r->first_level = MIN2(templat->u.tex.first_level, texture->last_level);
   r->last_level = CLAMP(templat->u.tex.last_level, r->first_level, texture->last_level);
   r->samples = texture->nr_samples > 1 ? texture->nr_samples : 0;
   r->swizzle = attila_state_combine_swizzles(map, templat);
   memcpy(view->format_swizzle, map->swizzle, sizeof(view->format_swizzle));
   /* Levels have different layer strides, so only single-level views can begin at another layer. */
   if (r->first_level == r->last_level && texture->target != PIPE_TEXTURE_3D)
      view->offset = templat->u.tex.first_layer * res->layout.slice_stride[r->first_level];
   return &view->base;
}

static void
attila_state_sampler_view_destroy(struct pipe_context *pctx, struct pipe_sampler_view *view)
{
   pipe_resource_reference(&view->texture, NULL);
   FREE(view);
}

static void
attila_state_set_sampler_views(struct pipe_context *pctx, enum pipe_shader_type shader,
                               unsigned start, unsigned num, unsigned num_unbind,
                               bool take_ownership, struct pipe_sampler_view **views)
{
   struct attila_context *ctx = attila_context(pctx);
   unsigned stage;
   if (!attila_state_stage_of(shader, &stage))
      return;
   struct attila_textures *t = &ctx->state.textures[stage];
   attila_cs_own(&ctx->cs);
   for (unsigned i = 0; i < num + num_unbind; i++) {
      struct pipe_sampler_view *view = i < num && views ? views[i] : NULL;
      if (start + i >= ARRAY_SIZE(t->views)) {
         if (take_ownership)
            pipe_sampler_view_reference(&view, NULL);
      } else if (take_ownership) {
         pipe_sampler_view_reference(&t->views[start + i], NULL);
         t->views[start + i] = view;
      } else {
         pipe_sampler_view_reference(&t->views[start + i], view);
      }
   }
   t->num_views = 0;
   for (unsigned i = 0; i < ARRAY_SIZE(t->views); i++)
      t->num_views = t->views[i] ? i + 1 : t->num_views;
   ctx->state.dirty |= ATTILA_DIRTY_TEX_0 << stage;
}

/* --- Constants --- */

/* Binds a buffer from which shaders load. The first buffer is the constant bank; this is for those
 * behind it. */
static void
attila_state_set_const_buffer(struct attila_context *ctx, struct attila_const_buffer *b,
                              bool take_ownership, const struct pipe_constant_buffer *cb)
{
   if (take_ownership || !cb || cb->user_buffer)
      pipe_resource_reference(&b->buffer, NULL);
   if (!cb || (!cb->buffer && !cb->user_buffer)) {
      pipe_resource_reference(&b->buffer, NULL);
      b->offset = b->size = 0;
      return;
   }
   b->offset = cb->buffer_offset;
   b->size = MIN2(cb->buffer_size, ATTILA_MAX_CONST_BUFFER_BYTES);
   if (cb->user_buffer)
      u_upload_data(ctx->base.const_uploader, 0, b->size, ATTILA_CONST_BUFFER_ALIGN,
                    cb->user_buffer, &b->offset, &b->buffer);
   else if (take_ownership)
      b->buffer = cb->buffer;
   else
      pipe_resource_reference(&b->buffer, cb->buffer);
}

static void
attila_state_set_constant_buffer(struct pipe_context *pctx, enum pipe_shader_type shader,
                                 uint index, bool take_ownership,
                                 const struct pipe_constant_buffer *cb)
{
   struct attila_context *ctx = attila_context(pctx);
   unsigned stage;
   const bool known = attila_state_stage_of(shader, &stage) && index <= ATTILA_MAX_CONST_BUFFERS;
   if (known && index) {
      attila_state_set_const_buffer(ctx, &ctx->state.const_buffers[stage][index - 1],
                                    take_ownership, cb);
      return;
   }
   if (!known) {
      if (take_ownership && cb && cb->buffer) {
         struct pipe_resource *buffer = cb->buffer;
         pipe_resource_reference(&buffer, NULL);
      }
      return;
   }
   struct attila_constants *c = &ctx->state.constants[stage];
   const void *user = cb ? cb->user_buffer : NULL;
   unsigned size = cb ? MIN2(cb->buffer_size, sizeof(c->user)) : 0;
   util_copy_constant_buffer(&c->buffer, cb, take_ownership);
   if (user) {
      memcpy(c->user, user, size);
      memset((uint8_t *)c->user + size, 0, ALIGN_POT(size, 16) - size);
      c->buffer.user_buffer = NULL;
   }
   c->num = DIV_ROUND_UP(size, 16);
}

/* --- Plain values --- */

static void
attila_state_set_blend_color(struct pipe_context *pctx, const struct pipe_blend_color *color)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->state.blend_color = *color;
   ctx->state.dirty |= ATTILA_DIRTY_BLEND_COLOR;
}

static void
attila_state_set_stencil_ref(struct pipe_context *pctx, const struct pipe_stencil_ref ref)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->state.stencil_ref = ref;
   ctx->state.dirty |= ATTILA_DIRTY_STENCIL_REF;
}

static void
attila_state_set_sample_mask(struct pipe_context *pctx, unsigned mask)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->state.sample_mask = mask;
   ctx->state.dirty |= ATTILA_DIRTY_SAMPLE_MASK;
}

/* The machine shades all samples or none by themselves. */
static void
attila_state_set_min_samples(struct pipe_context *pctx, unsigned min_samples)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->state.min_samples = min_samples;
   ctx->state.dirty |= ATTILA_DIRTY_SAMPLE_MASK;
}

/* Does nothing: user clip planes become clip distances in the vertex shader. */
static void
attila_state_set_clip(struct pipe_context *pctx, const struct pipe_clip_state *clip)
{
}

static void
attila_state_set_polygon_stipple(struct pipe_context *pctx, const struct pipe_poly_stipple *stipple)
{
   struct attila_context *ctx = attila_context(pctx);
   ctx->state.stipple = *stipple;
   ctx->state.dirty |= ATTILA_DIRTY_STIPPLE;
}

static void
attila_state_set_scissor_states(struct pipe_context *pctx, unsigned start, unsigned num,
                                const struct pipe_scissor_state *scissor)
{
   struct attila_context *ctx = attila_context(pctx);
   if (start == 0 && num)
      ctx->state.scissor = scissor[0];
   ctx->state.dirty |= ATTILA_DIRTY_SCISSOR;
}

static void
attila_state_set_viewport_states(struct pipe_context *pctx, unsigned start, unsigned num,
                                 const struct pipe_viewport_state *viewport)
{
   struct attila_context *ctx = attila_context(pctx);
   if (start == 0 && num)
      ctx->state.viewport = viewport[0];
   ctx->state.dirty |= ATTILA_DIRTY_VIEWPORT;
}

static void
attila_state_set_framebuffer(struct pipe_context *pctx, const struct pipe_framebuffer_state *fb)
{
   struct attila_context *ctx = attila_context(pctx);
   util_copy_framebuffer_state(&ctx->state.framebuffer, fb);
   ctx->state.draws_front = false;
   for (unsigned i = 0; i < fb->nr_cbufs; i++)
      ctx->state.draws_front |= fb->cbufs[i] && attila_resource(fb->cbufs[i]->texture)->is_front;
   if (fb->nr_cbufs && fb->cbufs[0] && attila_resource(fb->cbufs[0]->texture)->dt)
      pipe_resource_reference(&ctx->swap_target, fb->cbufs[0]->texture);
   ctx->state.dirty |= ATTILA_DIRTY_FRAMEBUFFER;
}

static void
attila_state_get_sample_position(struct pipe_context *pctx, unsigned count, unsigned index,
                                 float *out)
{
   static const uint8_t positions[4][ATTILA_MAX_SAMPLES][2] = ATTILA_SAMPLE_POSITIONS;
   const uint8_t *p = positions[count > 1 ? util_logbase2(MIN2(count, ATTILA_MAX_SAMPLES)) : 0]
                               [index % ATTILA_MAX_SAMPLES];
   out[0] = p[0] / 16.0f;
   out[1] = p[1] / 16.0f;
}

void
attila_init_context_state(struct attila_context *ctx)
{
   struct pipe_context *p = &ctx->base;
   p->create_blend_state = attila_state_create_blend;
   p->bind_blend_state = attila_state_bind_blend_state;
   p->delete_blend_state = attila_state_delete;
   p->create_depth_stencil_alpha_state = attila_state_create_zsa;
   p->bind_depth_stencil_alpha_state = attila_state_bind_zsa_state;
   p->delete_depth_stencil_alpha_state = attila_state_delete;
   p->create_rasterizer_state = attila_state_create_rasterizer;
   p->bind_rasterizer_state = attila_state_bind_rasterizer_state;
   p->delete_rasterizer_state = attila_state_delete;
   p->create_vertex_elements_state = attila_state_create_vertex_elements;
   p->bind_vertex_elements_state = attila_state_bind_vertex_elements_state;
   p->delete_vertex_elements_state = attila_state_delete;
   p->create_sampler_state = attila_state_create_sampler;
   p->bind_sampler_states = attila_state_bind_sampler_states;
   p->delete_sampler_state = attila_state_delete;
   p->create_sampler_view = attila_state_create_sampler_view;
   p->sampler_view_destroy = attila_state_sampler_view_destroy;
   p->set_sampler_views = attila_state_set_sampler_views;
   p->set_vertex_buffers = attila_state_set_vertex_buffers;
   p->set_constant_buffer = attila_state_set_constant_buffer;
   p->set_blend_color = attila_state_set_blend_color;
   p->set_stencil_ref = attila_state_set_stencil_ref;
   p->set_sample_mask = attila_state_set_sample_mask;
   p->set_min_samples = attila_state_set_min_samples;
   p->set_clip_state = attila_state_set_clip;
   p->set_polygon_stipple = attila_state_set_polygon_stipple;
   p->set_scissor_states = attila_state_set_scissor_states;
   p->set_viewport_states = attila_state_set_viewport_states;
   p->set_framebuffer_state = attila_state_set_framebuffer;
   p->get_sample_position = attila_state_get_sample_position;
   ctx->state.sample_mask = ~0u;
}
