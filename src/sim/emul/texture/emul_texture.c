/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture unit state: checks a unit's registers and derives what sampling needs. Planning
 * (emul_tex_plan.h), conversion and filtering (emul_tex_filter.h) and shortcuts (emul_tex_fast.h)
 * are compiled per host instruction set; the choice is made here, once, and changes no result. */
#include "emul/texture/emul_texture.h"
#include <string.h>
#include "emul/format/emul_format.h"
#include "emul/texture/emul_tex_priv.h"

static bool
emul_texture_in_range(uint32_t v, uint32_t low, uint32_t high)
{
   return v >= low && v <= high;
}

static uint32_t
emul_texture_buffer_elements(const struct attila_tex_regs *r)
{
   return r->width | (uint32_t)r->height << 14;
}

static bool
emul_texture_check_buffer(struct emul_tex_state *st)
{
   const struct attila_tex_regs *r = &st->regs;
   const uint32_t elements = emul_texture_buffer_elements(r);
   st->three_words = st->format->bytes == 12;
   st->layout.size = (uint64_t)elements * st->format->bytes;
   return emul_texture_in_range(elements, 1, ATTILA_MAX_BUFFER_TEXELS) && r->num_levels == 1 &&
          r->last_level == 0 && r->depth == 1 && r->address % ATTILA_BUFFER_TEXELS_ALIGN == 0 &&
          st->format->block_width == 1 && r->address + st->layout.size <= st->memory_size;
}

/* Elements of three words are read as three texels, since one may lie in two lines of the cache.
 */
static void
emul_texture_split_words(struct emul_tex_state *st)
{
   switch (st->format->type) {
   case ATTILA_TYPE_UINT:
      st->regs.format = ATTILA_FORMAT_R32_UINT;
      break;
   case ATTILA_TYPE_SINT:
      st->regs.format = ATTILA_FORMAT_R32_SINT;
      break;
   default:
      st->regs.format = ATTILA_FORMAT_R32_FLOAT;
      break;
   }
   st->format = &attila_formats[st->regs.format];
}

static bool
emul_texture_check_samples(const struct emul_tex_state *st)
{
   const struct attila_tex_regs *r = &st->regs;
   return !(r->samples & (r->samples - 1)) && r->samples <= ATTILA_MAX_SAMPLES &&
          (r->target == ATTILA_TEX_2D || r->target == ATTILA_TEX_2D_ARRAY) && r->num_levels == 1 &&
          st->format->block_width == 1;
}

/* Checks that registers are in range (every value of some fields is) and consistent; fills in the
 * layout. */
static bool
emul_texture_check_registers(struct emul_tex_state *st)
{
   const struct attila_tex_regs *r = &st->regs;
   if (!r->enable || r->format >= ATTILA_NUM_FORMATS ||
       !(attila_formats[r->format].uses &
         (r->target == ATTILA_TEX_BUFFER ? ATTILA_USE_TEXTURE | ATTILA_USE_TEXTURE_BUFFER
                                         : ATTILA_USE_TEXTURE)) ||
       r->first_level > r->last_level || r->mip_filter > ATTILA_MIP_NONE)
      return false;
   for (unsigned c = 0; c < 4; c++) {
      if ((r->swizzle >> c * 3 & 7) > ATTILA_SWIZZLE_1)
         return false;
   }
   st->format = &attila_formats[r->format];
   if (r->target == ATTILA_TEX_BUFFER)
      return emul_texture_check_buffer(st);
   if (!emul_texture_in_range(r->width, 1, ATTILA_MAX_SURFACE_DIM) ||
       !emul_texture_in_range(r->height, 1, ATTILA_MAX_SURFACE_DIM) ||
       !emul_texture_in_range(r->depth, 1, ATTILA_MAX_SURFACE_DIM) ||
       !emul_texture_in_range(r->num_levels, 1, ATTILA_MAX_LEVELS) ||
       r->last_level >= r->num_levels || (r->address & (ATTILA_SURFACE_ALIGN - 1)))
      return false;
   st->cube_array = r->target == ATTILA_TEX_CUBE && r->cube_array;
   if (r->target == ATTILA_TEX_CUBE &&
       (r->depth % 6 || r->width != r->height || (r->depth != 6 && !st->cube_array)))
      return false;
   if (r->samples > 1 && !emul_texture_check_samples(st))
      return false;
   attila_surface_layout(r->width, r->height, r->depth, r->target == ATTILA_TEX_3D, r->num_levels,
                         r->samples, st->format->bytes, st->format->block_width,
                         st->format->block_height, &st->layout);
   return r->address + st->layout.size <= st->memory_size;
}

static uint8_t
emul_texture_texel_kind(const struct attila_format_desc *d)
{
   switch (d->type) {
   case ATTILA_TYPE_UNORM:
      return d->bytes <= 4 ? EMUL_TEX_KIND_UNORM : EMUL_TEX_KIND_WORDS;
   case ATTILA_TYPE_S3TC:
   case ATTILA_TYPE_ETC:
   case ATTILA_TYPE_RGTC_UNORM:
      return EMUL_TEX_KIND_BLOCK;
   case ATTILA_TYPE_ZS:
      return d->channel[0].bits == 32 ? EMUL_TEX_KIND_FLOAT : EMUL_TEX_KIND_DEPTH;
   case ATTILA_TYPE_FLOAT:
      return d == &attila_formats[ATTILA_FORMAT_R32_FLOAT] ? EMUL_TEX_KIND_FLOAT
                                                           : EMUL_TEX_KIND_WORDS;
   case ATTILA_TYPE_SNORM:
   case ATTILA_TYPE_SHARED_EXP:
   case ATTILA_TYPE_UINT:
   case ATTILA_TYPE_SINT:
      return EMUL_TEX_KIND_WORDS;
   default:
      return EMUL_TEX_KIND_SCALAR;
   }
}

static bool
emul_texture_is_float(const struct attila_format_desc *d)
{
   return d->type == ATTILA_TYPE_FLOAT || d->type == ATTILA_TYPE_SHARED_EXP ||
          (d->type == ATTILA_TYPE_ZS && d->channel[0].bits == 32);
}

static float
emul_texture_clamp_border(const struct attila_format_desc *d, float b)
{
   const bool is_signed = d->type == ATTILA_TYPE_SNORM || d->type == ATTILA_TYPE_RGTC_SNORM ||
                          d->type == ATTILA_TYPE_EAC_SNORM;
   const float low = is_signed ? -1.0f : 0.0f;
   if (emul_texture_is_float(d))
      return b;
   b = b > low ? b : low;
   return b < 1.0f ? b : 1.0f;
}

/* For integers: they are not filtered, and a border reads as if it had been stored in the
 * format. */
static void
emul_texture_derive_integers(struct emul_tex_state *st)
{
   struct attila_tex_regs *r = &st->regs;
   uint8_t element[16];
   r->mag_filter = r->min_filter = ATTILA_FILTER_NEAREST;
   if (r->mip_filter == ATTILA_MIP_LINEAR)
      r->mip_filter = ATTILA_MIP_NEAREST;
   r->max_aniso = 1;
   r->compare = 0;
   /* Mesa gives a stencil's border in every component (st_translate_color). */
   if (!(st->format->uses & ATTILA_USE_COLOR))
      return;
   emul_format_pack((enum attila_format)r->format, r->border, element);
   emul_format_unpack((enum attila_format)r->format, element, 0, r->border);
}

/* Derives how raw texels become channels. */
static void
emul_texture_derive_channels(struct emul_tex_state *st)
{
   const struct attila_format_desc *d = st->format;
   st->kind = emul_texture_texel_kind(d);
   st->clamp_reference = !emul_texture_is_float(d);
   st->srgb = (d->uses & ATTILA_USE_SRGB) != 0;
   const float one = emul_format_one(d);
   memcpy(&st->one, &one, sizeof(one));
   for (unsigned c = 0; c < 4; c++) {
      unsigned bits = d->channel[c].bits, shift = d->channel[c].shift;
      st->missing[c] = 0;
      st->scale[c] = 1.0f;
      if (st->kind == EMUL_TEX_KIND_BLOCK) {
         bits = 8;
         shift = c * 8;
      }
      if (st->kind == EMUL_TEX_KIND_UNORM || st->kind == EMUL_TEX_KIND_BLOCK) {
         st->shift[c] = bits ? shift : 0;
         st->mask[c] = (1u << bits) - 1;
         if (!bits)
            st->missing[c] = c == 3;
         else if (!st->srgb || c == 3) /* the sRGB table gives linear values */
            st->scale[c] = 1.0f / (float)st->mask[c];
      } else if (st->kind == EMUL_TEX_KIND_WORDS) {
         /* The filter scales while converting, as emul_format_unpack does. */
         st->word[c] = (uint8_t)(shift / 32);
         st->shift[c] = shift % 32;
         st->mask[c] = bits == 32 ? 0xffffffffu : (1u << bits) - 1;
         st->raise[c] = bits < 16 ? 15 - (uint8_t)bits : 0; /* small floats have no sign */
         st->missing[c] = c == 3 ? st->one : 0;
      } else if (st->kind == EMUL_TEX_KIND_DEPTH) {
         st->shift[c] = 0;
         st->mask[c] = c == 0 ? (1u << bits) - 1 : 0;
      }
      st->border[c] = st->integer ? st->regs.border[c]
                                  : emul_texture_clamp_border(d, st->regs.border[c]) / st->scale[c];
   }
}

/* Derives the samples for each ratio of the footprint's axes. */
static void
emul_texture_derive_anisotropy(struct emul_tex_state *st, const struct emul_tex_quality *quality)
{
   struct attila_tex_regs *r = &st->regs;
   uint32_t most =
       quality->max_aniso < EMUL_TEX_MAX_ANISO ? quality->max_aniso : EMUL_TEX_MAX_ANISO;
   bool forced = quality->force_max_aniso && r->min_filter == ATTILA_FILTER_LINEAR;
   if (forced || r->max_aniso > most)
      r->max_aniso = most;
   st->aniso_algorithm = (uint8_t)quality->aniso_algorithm;
   st->trilinear_threshold = quality->trilinear_threshold;
   unsigned step = quality->even_samples ? 2 : 1;
   for (unsigned n = quality->even_samples ? 0 : 1; n < r->max_aniso; n += step) {
      float limit = (float)n + (float)step * quality->aniso_round;
      unsigned samples = n + step < r->max_aniso ? n + step : r->max_aniso;
      st->ratio[st->num_ratios].limit = limit * limit;
      st->ratio[st->num_ratios++].samples = (uint8_t)samples;
   }
}

static uint8_t
emul_texture_fast_path(const struct emul_tex_state *st)
{
   const struct attila_tex_regs *r = &st->regs;
   if ((r->target != ATTILA_TEX_2D && r->target != ATTILA_TEX_RECT) || st->sample_shift)
      return EMUL_TEX_FAST_NONE;
   const bool depth = st->kind == EMUL_TEX_KIND_DEPTH;
   if ((st->kind != EMUL_TEX_KIND_UNORM && !depth) || st->srgb || st->format->bytes != 4 ||
       r->compare || r->max_aniso > 1 || r->unnormalized)
      return EMUL_TEX_FAST_NONE;
   for (unsigned c = 0; c < 4 && !depth; c++) {
      if (st->mask[c] != 255 && st->mask[c] != 0)
         return EMUL_TEX_FAST_NONE;
   }
   if (r->mag_filter != r->min_filter || r->wrap_s != r->wrap_t)
      return EMUL_TEX_FAST_NONE;
   bool linear = r->mag_filter == ATTILA_FILTER_LINEAR;
   if (depth && r->wrap_s == ATTILA_WRAP_CLAMP_TO_EDGE)
      return linear ? EMUL_TEX_FAST_DEPTH_EDGE_LINEAR : EMUL_TEX_FAST_DEPTH_EDGE_NEAREST;
   if (depth)
      return EMUL_TEX_FAST_NONE;
   if (r->wrap_s == ATTILA_WRAP_REPEAT)
      return st->pow2
                 ? (linear ? EMUL_TEX_FAST_REPEAT_POW2_LINEAR : EMUL_TEX_FAST_REPEAT_POW2_NEAREST)
                 : (linear ? EMUL_TEX_FAST_REPEAT_LINEAR : EMUL_TEX_FAST_REPEAT_NEAREST);
   if (r->wrap_s == ATTILA_WRAP_CLAMP_TO_EDGE)
      return linear ? EMUL_TEX_FAST_EDGE_LINEAR : EMUL_TEX_FAST_EDGE_NEAREST;
   return EMUL_TEX_FAST_NONE;
}

/* Derives shuffles for shortcuts with byte channels. */
static void
emul_texture_derive_bytes(struct emul_tex_state *st)
{
   for (unsigned c = 0; c < 4; c++) {
      if (st->mask[c] && st->swizzle[c] == c)
         st->plain |= (uint8_t)(1u << c);
      for (unsigned i = 0; i < 16; i++) /* 0x80: none */
         st->byte[c][i] = i % 4 ? 0x80 : (uint8_t)(i + st->shift[c] / 8);
   }
}

static const struct emul_tex_isa *
emul_texture_choose_isa(void)
{
#if defined(__x86_64__)
   if (emul_tex_host_has_avx512())
      return &emul_tex_isa_avx512;
   if (__builtin_cpu_supports("avx2"))
      return &emul_tex_isa_avx2;
#endif
   return &emul_tex_isa_base;
}

static const struct emul_tex_isa *isa;

void
emul_tex_state_init(struct emul_tex_state *st, const struct attila_tex_regs *regs,
                    const struct emul_tex_quality *quality, uint32_t memory_size)
{
   if (!isa)
      isa = emul_texture_choose_isa();
   memset(st, 0, sizeof(*st));
   st->regs = *regs;
   st->memory_size = memory_size;
   st->format = &attila_formats[ATTILA_FORMAT_NONE];
   st->valid = emul_texture_check_registers(st);
   if (!st->valid)
      return;
   if (st->three_words)
      emul_texture_split_words(st);
   st->integer = attila_type_is_integer(st->format->type);
   if (st->integer)
      emul_texture_derive_integers(st);
   const struct attila_tex_regs *r = &st->regs;
   for (unsigned c = 0; c < 4; c++)
      st->swizzle[c] = r->swizzle >> c * 3 & 7;
   for (unsigned i = 0; i < 16 * 4; i++) {
      const unsigned components = i / 4, c = i % 4;
      if (components >> c & 1 && st->swizzle[c] < 4)
         st->channels[components] |= (uint8_t)(1u << st->swizzle[c]);
   }
   st->element_shift = (uint8_t)__builtin_ctz(st->format->bytes);
   st->sample_shift = (uint8_t)(r->samples ? __builtin_ctz(r->samples) : 0);
   st->pow2 = !(r->width & (r->width - 1)) && !(r->height & (r->height - 1));
   st->first_level = r->first_level;
   st->last_level = r->last_level;
   st->min_lod = r->min_lod == r->min_lod ? r->min_lod : 0.0f;
   st->max_lod = r->max_lod == r->max_lod ? r->max_lod : 0.0f;
   /* The constant c of OpenGL 2.1, 3.8.9. */
   st->mag_lod = r->mag_filter == ATTILA_FILTER_LINEAR && r->min_filter == ATTILA_FILTER_NEAREST &&
                         r->mip_filter != ATTILA_MIP_NONE && !r->magnify_to_0
                     ? 0.5f
                     : 0.0f;
   st->regs.lod_bias = r->lod_bias == r->lod_bias ? r->lod_bias : 0.0f;
   for (unsigned l = 0; l < ATTILA_MAX_LEVELS; l++) {
      st->width[l] = (int32_t)attila_minify(r->width, l);
      st->height[l] = (int32_t)attila_minify(r->height, l);
      st->depth[l] = (int32_t)(r->target == ATTILA_TEX_3D ? attila_minify(r->depth, l) : r->depth);
      if (l < r->num_levels) {
         st->address[l] = r->address + st->layout.level_offset[l];
         st->pitch[l] = st->layout.pitch_tiles[l] * ATTILA_TILE_DIM;
         st->super[l] = attila_super_shift(st->layout.pitch_tiles[l]) + 3;
         st->slice[l] = st->layout.slice_stride[l];
      }
   }
   if (r->target == ATTILA_TEX_BUFFER) {
      st->width[0] = (int32_t)emul_texture_buffer_elements(r);
      st->height[0] = 1;
      st->address[0] = r->address;
   }
   emul_texture_derive_channels(st);
   emul_texture_derive_anisotropy(st, quality);
   st->fast = emul_texture_fast_path(st);
   if (st->fast && st->kind == EMUL_TEX_KIND_UNORM)
      emul_texture_derive_bytes(st);
}

const struct emul_tex_isa *
emul_tex_force_isa(const struct emul_tex_isa *forced)
{
   const struct emul_tex_isa *before = isa;
   isa = forced;
   return before;
}

unsigned
emul_tex_max_steps(const struct emul_tex_state *st)
{
   unsigned samples = st->regs.max_aniso > 1 ? st->regs.max_aniso : 1;
   unsigned levels = st->regs.mip_filter == ATTILA_MIP_LINEAR ? 2 : 1;
   return samples * levels * (st->regs.target == ATTILA_TEX_3D ? 2 : 1);
}

bool
emul_tex_can_place(const struct emul_tex_state *st)
{
   return st->valid && st->format->bytes == 4 && st->kind != EMUL_TEX_KIND_SCALAR &&
          st->kind != EMUL_TEX_KIND_BLOCK;
}

void
emul_tex_plan(const struct emul_tex_state *st, const struct emul_tex_request *req,
              struct emul_tex_plan *plan)
{
   isa->plan(st, req, plan);
}

void
emul_tex_filter(const struct emul_tex_state *st, const struct emul_tex_request *req,
                const struct emul_tex_plan *plan, const uint8_t *texels, struct emul_vec4 *result)
{
   isa->filter(st, req, plan, texels, result);
}

void
emul_tex_sample(const struct emul_tex_state *st, const struct emul_tex_request *req,
                const uint8_t *memory, struct emul_vec4 *result)
{
   isa->sample(st, req, memory, result);
}
