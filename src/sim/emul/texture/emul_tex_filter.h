/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Texture filtering: reads a plan's texels, converts, compares with the reference (before
 * filtering: percentage closer filtering), blends and swizzles. A small table keeps decoded blocks
 * during a call. Included once per host instruction set (emul_tex_impl.h). */
#ifndef EMUL_TEX_FILTER_H
#define EMUL_TEX_FILTER_H

#include "emul/format/emul_format.h"
#include "emul/format/emul_format_block.h"
#include "emul/texture/emul_tex_plan.h"

#define BLOCK_ENTRIES 16

struct block_table {
   uint32_t address[BLOCK_ENTRIES]; /* EMUL_TEX_UNUSED: empty */
   uint32_t texels[BLOCK_ENTRIES][16];
};

/* Loads four bytes at each address. */
SIM_INLINE vi
load_words(const uint8_t *texels, vi address)
{
#if EMUL_TEX_VL == 16
   /* Addresses are below 2^31: GPU memory is at most 2 GiB. */
   return (vi)_mm512_i32gather_epi32((__m512i)address, texels, 1);
#else
   uint32_t a[EMUL_TEX_VL], w[EMUL_TEX_VL];
   vi_store(a, address);
   for (unsigned i = 0; i < EMUL_TEX_VL; i++)
      memcpy(&w[i], texels + a[i], 4);
   return vi_load(w);
#endif
}

SIM_INLINE vi
load_elements(const uint8_t *texels, vi address, unsigned bytes)
{
   if (bytes >= 4)
      return load_words(texels, address);
   uint32_t a[EMUL_TEX_VL], w[EMUL_TEX_VL];
   vi_store(a, address);
   for (unsigned i = 0; i < EMUL_TEX_VL; i++) {
      const uint8_t *p = texels + a[i];
      w[i] = bytes == 1 ? p[0] : (uint32_t)p[0] | (uint32_t)p[1] << 8;
   }
   return vi_load(w);
}

/* A plan's step in the filter. */
struct tex_tap {
   const struct emul_tex_step *step;
   unsigned tap, lane;
   const uint8_t *placed; /* elements of this tap and lanes; NULL: at their addresses */
   const float *border;   /* [4] what border taps get */
};

SIM_INLINE vi
load_tap_elements(const uint8_t *texels, const struct tex_tap *at, vi address, unsigned bytes)
{
   return at->placed ? vi_load(at->placed) : load_elements(texels, address, bytes);
}

static void
load_blocks(const struct emul_tex_state *st, struct block_table *table, const uint8_t *texels,
            const uint32_t *address, const uint8_t *inside, uint32_t *raw)
{
   for (unsigned i = 0; i < EMUL_TEX_VL; i++) {
      if (address[i] >= EMUL_TEX_NO_ADDRESS) {
         raw[i] = 0;
         continue;
      }
      unsigned entry = (address[i] >> st->element_shift) % BLOCK_ENTRIES;
      if (table->address[entry] != address[i]) {
         table->address[entry] = address[i];
         emul_format_decode_block(st->regs.format, texels + address[i], table->texels[entry]);
      }
      raw[i] = table->texels[entry][inside[i]];
   }
}

static void
srgb_channel(vf *value, const vi *raw, unsigned shift)
{
   uint32_t r[EMUL_TEX_VL];
   float f[EMUL_TEX_VL];
   vi_store(r, *raw);
   for (unsigned i = 0; i < EMUL_TEX_VL; i++)
      f[i] = emul_srgb_to_linear((uint8_t)(r[i] >> shift));
   *value = vf_load(f);
}

static void
load_scalar(const struct emul_tex_state *st, const uint8_t *texels,
            const struct emul_tex_step *step, unsigned tap, unsigned lane, vf value[4])
{
   float lanes[4][EMUL_TEX_VL];
   bool compressed = st->format->block_width == 4;
   for (unsigned i = 0; i < EMUL_TEX_VL; i++) {
      float rgba[4] = {0};
      uint32_t a = step->address[tap][lane + i];
      if (a < EMUL_TEX_NO_ADDRESS)
         emul_format_unpack(st->regs.format, texels + a,
                            compressed ? step->inside[tap][lane + i] : 0, rgba);
      for (unsigned c = 0; c < 4; c++)
         lanes[c][i] = rgba[c];
   }
   for (unsigned c = 0; c < 4; c++)
      value[c] = vf_load(lanes[c]);
}

/* Half to float; keeps all bits, even NaN's. */
SIM_INLINE vf
half_to_float(vi h)
{
   vi exponent = h & 0x7c00, bits = ((h & 0x7fff) << 13) + (112 << 23);
   bits += (exponent == 0x7c00) & (112 << 23);
   bits = vi_sel(exponent == 0, (vi)(vf_of(h & 0x3ff) * 0x1p-24f), bits);
   return (vf)(bits | (h & 0x8000) << 16);
}

/* Converts a channel of EMUL_TEX_KIND_WORDS from its 32 bits, with emul_format_unpack's
 * arithmetic. */
SIM_INLINE vf
convert_word(const struct emul_tex_state *st, unsigned c, vi word)
{
   const struct attila_format_desc *d = st->format;
   unsigned bits = d->channel[c].bits;
   vi v = (vi)((vu)word >> st->shift[c] & st->mask[c]);
   switch (d->type) {
   case ATTILA_TYPE_FLOAT:
      return bits == 32 ? (vf)v : half_to_float(v << st->raise[c]);
   case ATTILA_TYPE_SNORM:
      return vf_max(vf_of(v << (32 - bits) >> (32 - bits)) * (1.0f / (float)(st->mask[c] >> 1)),
                    vf_all(-1.0f));
   case ATTILA_TYPE_UINT:
      return (vf)v;
   case ATTILA_TYPE_SINT:
      return (vf)(v << (32 - bits) >> (32 - bits));
   case ATTILA_TYPE_SHARED_EXP: {
      vi exponent = (vi)((vu)word >> 27);
      return vf_of(v) * (vf)((exponent + (127 - 15 - 9)) << 23);
   }
   default:
      return vf_of(v) * (1.0f / (float)st->mask[c]);
   }
}

static __attribute__((noinline)) void
load_words_tap(const struct emul_tex_state *st, const uint8_t *texels, const struct tex_tap *at,
               const vi *address, vf value[4])
{
   vi word = vi_all(0);
   unsigned loaded = ~0u, channels = st->channels[15] | (st->regs.compare ? 1 : 0);
   for (unsigned c = 0; c < 4; c++) {
      value[c] = (vf)vi_all((int32_t)st->missing[c]);
      if (!st->mask[c] || !(channels >> c & 1))
         continue;
      if (st->word[c] != loaded)
         word = load_tap_elements(texels + st->word[c] * 4u, at, *address, st->format->bytes);
      loaded = st->word[c];
      value[c] = convert_word(st, c, word);
   }
}

/* Loads one tap's raw channels; lanes that do not read get any value or the border colour. */
static __attribute__((noinline)) void
load_tap(const struct emul_tex_state *st, const uint8_t *texels, const struct tex_tap *at,
         struct block_table *table, vf value[4])
{
   const struct emul_tex_step *step = at->step;
   const unsigned tap = at->tap, lane = at->lane;
   vu address = (vu)vi_load(&step->address[tap][lane]);
   vi safe = (vi)address & (address < EMUL_TEX_NO_ADDRESS);
   vi raw;
   switch (st->kind) {
   case EMUL_TEX_KIND_UNORM:
   case EMUL_TEX_KIND_BLOCK:
      if (st->kind == EMUL_TEX_KIND_BLOCK) {
         uint32_t words[EMUL_TEX_VL];
         load_blocks(st, table, texels, &step->address[tap][lane], &step->inside[tap][lane], words);
         raw = vi_load(words);
      } else {
         raw = load_tap_elements(texels, at, safe, st->format->bytes);
      }
      for (unsigned c = 0; c < 4; c++) {
         if (st->srgb && c < 3 && st->mask[c])
            srgb_channel(&value[c], &raw, st->shift[c]);
         else
            value[c] = tex_channel(st, c, raw);
      }
      break;
   case EMUL_TEX_KIND_DEPTH:
   case EMUL_TEX_KIND_FLOAT:
      raw = load_tap_elements(texels, at, safe, st->format->bytes);
      if (st->kind == EMUL_TEX_KIND_FLOAT)
         value[0] = (vf)raw;
      else
         value[0] = tex_depth(st, raw);
      value[1] = value[2] = vf_all(0.0f);
      value[3] = vf_all(1.0f);
      break;
   case EMUL_TEX_KIND_WORDS:
      load_words_tap(st, texels, at, &safe, value);
      break;
   default:
      load_scalar(st, texels, step, tap, lane, value);
      break;
   }
   vi border = (vi)(address == EMUL_TEX_BORDER);
   for (unsigned c = 0; c < 4; c++)
      value[c] = vf_sel(border, vf_all(at->border[c]), value[c]);
}

/* Sets texel to 1 where its comparison with the reference holds, else to 0. */
static void
compare_tap(const struct emul_tex_state *st, const vf *reference, vf *texel)
{
   vf r = *reference, t = *texel * st->scale[0];
   vi pass;
   switch (st->regs.compare_func) {
   case ATTILA_FUNC_NEVER:
      pass = vi_all(0);
      break;
   case ATTILA_FUNC_LESS:
      pass = r < t;
      break;
   case ATTILA_FUNC_EQUAL:
      pass = r == t;
      break;
   case ATTILA_FUNC_LEQUAL:
      pass = r <= t;
      break;
   case ATTILA_FUNC_GREATER:
      pass = r > t;
      break;
   case ATTILA_FUNC_NOTEQUAL:
      pass = r != t;
      break;
   case ATTILA_FUNC_GEQUAL:
      pass = r >= t;
      break;
   default:
      pass = vi_all(-1);
      break;
   }
   *texel = vf_sel(pass, vf_all(1.0f), vf_all(0.0f));
}

/* Sets taps beyond a cube's corner to the mean of the three texels that meet there, exact for equal
 * ones. */
static void
corner_taps(const struct emul_tex_step *step, unsigned lane, vf tap[EMUL_TEX_TAPS][4])
{
   for (unsigned t = 0; t < EMUL_TEX_TAPS; t++) {
      vi corner = (vi)((vu)vi_load(&step->address[t][lane]) == EMUL_TEX_CORNER);
      if (!vi_bits(corner))
         continue;
      for (unsigned c = 0; c < 4; c++) {
         vf inner = tap[t ^ 3][c],
            mean = inner + ((tap[t ^ 1][c] - inner) + (tap[t ^ 2][c] - inner)) / 3.0f;
         tap[t][c] = vf_sel(corner, mean, tap[t][c]);
      }
   }
}

/* Integers have no mean: sets such taps to one of the three. */
static void
corner_integers(const struct emul_tex_step *step, unsigned lane, vf tap[EMUL_TEX_TAPS][4])
{
   for (unsigned t = 0; t < EMUL_TEX_TAPS; t++) {
      vi corner = (vi)((vu)vi_load(&step->address[t][lane]) == EMUL_TEX_CORNER);
      for (unsigned c = 0; c < 4; c++)
         tap[t][c] = vf_sel(corner, tap[t ^ 1][c], tap[t][c]);
   }
}

/* Returns a disabled unit's result. */
static void
filter_disabled(const struct emul_tex_request *req, struct emul_vec4 *result)
{
   for (unsigned c = 0; c < 4; c++) {
      const bool one = req->op == ATTILA_OP_TXG ? req->component == 3 : c == 3;
      for (unsigned i = 0; !(req->unread >> c & 1) && i < EMUL_LANES; i++)
         result->c[c][i] = one ? 1.0f : 0.0f;
   }
}

/* What fetches outside of a level get. */
static const float no_border[4];

/* Returns level sizes and their number, without the view's swizzle. */
static void
filter_sizes(const struct emul_tex_state *st, const struct emul_tex_request *req,
             struct emul_vec4 *result)
{
   const unsigned target = st->regs.target;
   const bool one_row =
       target == ATTILA_TEX_1D || target == ATTILA_TEX_1D_ARRAY || target == ATTILA_TEX_BUFFER;
   const int32_t levels = st->valid ? (int32_t)(st->last_level - st->first_level + 1) : 0;
   for (unsigned i = 0; i < EMUL_LANES; i++) {
      int32_t level, size[4] = {[3] = levels};
      memcpy(&level, &req->lod[i], 4);
      if (level >= 0 && level < levels) {
         const unsigned l = st->first_level + (unsigned)level;
         size[0] = st->width[l];
         size[1] = !one_row ? st->height[l] : target == ATTILA_TEX_1D_ARRAY ? st->depth[l] : 0;
         size[2] = target == ATTILA_TEX_3D || target == ATTILA_TEX_2D_ARRAY ? st->depth[l]
                   : st->cube_array                                         ? st->depth[l] / 6
                                                                            : 0;
      }
      for (unsigned c = 0; c < 4; c++) {
         if (!(req->unread >> c & 1))
            memcpy(&result->c[c][i], &size[c], 4);
      }
   }
}

/* Filters lanes as filter_part does, which has the other cases: bilinear steps of a format of
 * linear channels in one word. */
static __attribute__((noinline)) void
filter_bilinear(const struct emul_tex_state *st, const struct emul_tex_plan *plan,
                const uint8_t *texels, const float *border_color, unsigned lane, unsigned channels,
                vf sum[4])
{
   for (unsigned s = 0; s < plan->num_steps; s++) {
      const struct emul_tex_step *step = &plan->steps[s];
      vi raw[EMUL_TEX_TAPS], border[EMUL_TEX_TAPS], any = vi_all(0);
#pragma GCC unroll 4
      for (unsigned t = 0; t < EMUL_TEX_TAPS; t++) {
         const vu address = (vu)vi_load(&step->address[t][lane]);
         struct tex_tap at = {.step = step, .tap = t, .lane = lane};
         if (plan->placed)
            at.placed = texels + ((s * EMUL_TEX_TAPS + t) * EMUL_LANES + lane) * 4;
         raw[t] = load_tap_elements(texels, &at, (vi)address & (address < EMUL_TEX_NO_ADDRESS),
                                    st->format->bytes);
         border[t] = (vi)(address == EMUL_TEX_BORDER);
         any |= border[t];
      }
      const bool has_border = vi_bits(any) != 0;
      const vf fx = vf_load(&step->fx[lane]), fy = vf_load(&step->fy[lane]),
               blend = vf_load(&step->blend[lane]);
#pragma GCC unroll 4
      for (unsigned c = 0; c < 4; c++) {
         if (!(channels >> c & 1))
            continue;
         vf tap[EMUL_TEX_TAPS];
#pragma GCC unroll 4
         for (unsigned t = 0; t < EMUL_TEX_TAPS; t++) {
            tap[t] = tex_channel(st, c, raw[t]);
            if (__builtin_expect(has_border, 0))
               tap[t] = vf_sel(border[t], vf_all(border_color[c]), tap[t]);
         }
         const vf value = vf_lerp(fy, vf_lerp(fx, tap[0], tap[1]), vf_lerp(fx, tap[2], tap[3]));
         sum[c] = s ? vf_lerp(blend, sum[c], value) : value;
      }
   }
}

/* Filters lanes from `lane` on. */
static void
filter_part(const struct emul_tex_state *st, const struct emul_tex_request *req,
            const struct emul_tex_plan *plan, const uint8_t *texels, struct block_table *table,
            unsigned lane, struct emul_vec4 *result)
{
   bool compare = st->regs.compare && req->shadow;
   vf reference = vf_load(&req->ref[lane]), sum[4] = {0}, tap[EMUL_TEX_TAPS][4];
   if (st->clamp_reference)
      reference = vf_min(vf_max(reference, vf_all(0.0f)), vf_all(1.0f));
   unsigned channels = compare ? 1 : tex_channels(st, req), taps = plan->linear ? EMUL_TEX_TAPS : 1;
   if (plan->linear && (st->regs.target == ATTILA_TEX_1D || st->regs.target == ATTILA_TEX_1D_ARRAY))
      taps = 2;
   const bool plain =
       st->kind == EMUL_TEX_KIND_UNORM && !st->srgb && !compare && taps == 4 && !plan->corners;
   if (plain)
      filter_bilinear(st, plan, texels, req->op == ATTILA_OP_TXF ? no_border : st->border, lane,
                      channels, sum);
   for (unsigned s = 0; !plain && s < plan->num_steps; s++) {
      const struct emul_tex_step *step = &plan->steps[s];
      for (unsigned t = 0; t < taps; t++) {
         struct tex_tap at = {.step = step,
                              .tap = t,
                              .lane = lane,
                              .border = req->op == ATTILA_OP_TXF ? no_border : st->border};
         if (plan->placed)
            at.placed = texels + ((s * EMUL_TEX_TAPS + t) * EMUL_LANES + lane) * 4;
         load_tap(st, texels, &at, table, tap[t]);
         if (compare)
            compare_tap(st, &reference, &tap[t][0]);
      }
      if (plan->corners)
         corner_taps(step, lane, tap);
      vf fx = {0}, fy = {0}, blend = vf_load(&step->blend[lane]);
      if (taps > 1) {
         fx = vf_load(&step->fx[lane]);
         fy = vf_load(&step->fy[lane]);
      }
      for (unsigned c = 0; c < 4; c++) {
         if (!(channels >> c & 1))
            continue;
         vf value = tap[0][c];
         if (taps >= 2)
            value = vf_lerp(fx, value, tap[1][c]);
         if (taps == 4)
            value = vf_lerp(fy, value, vf_lerp(fx, tap[2][c], tap[3][c]));
         sum[c] = s ? vf_lerp(blend, sum[c], value) : value;
      }
   }
   if (compare) {
      sum[1] = sum[2] = sum[0];
      sum[3] = vf_all(1.0f);
   } else {
      for (unsigned c = 0; c < 4; c++)
         sum[c] *= st->scale[c];
   }
   tex_store_swizzled(st, req, sum, result, lane);
}

/* Loads a step's tap for the lanes from `lane` on, from memory or where a texture unit placed it.
 */
static void
filter_load_tap(const struct emul_tex_state *st, const struct emul_tex_request *req,
                const struct emul_tex_plan *plan, const uint8_t *texels, struct block_table *table,
                unsigned tap, unsigned lane, vf value[4])
{
   const struct tex_tap at = {.step = &plan->steps[0],
                              .tap = tap,
                              .lane = lane,
                              .placed =
                                  plan->placed ? texels + (tap * EMUL_LANES + lane) * 4 : NULL,
                              .border = req->op == ATTILA_OP_TXF ? no_border : st->border};
   load_tap(st, texels, &at, table, value);
}

/* Gives a component of each texel, without blending. x and y get those of the lower row (i0 j1, i1
 * j1), z and w those of the upper row (i1 j0, i0 j0), in the order of ARB_texture_gather. */
static void
filter_gather(const struct emul_tex_state *st, const struct emul_tex_request *req,
              const struct emul_tex_plan *plan, const uint8_t *texels, struct block_table *table,
              unsigned lane, struct emul_vec4 *result)
{
   static const uint8_t tap_of[4] = {2, 3, 1, 0};
   const bool compare = st->regs.compare && req->shadow;
   const unsigned s = st->swizzle[req->component];
   vf reference = vf_load(&req->ref[lane]), tap[EMUL_TEX_TAPS][4];
   if (st->clamp_reference)
      reference = vf_min(vf_max(reference, vf_all(0.0f)), vf_all(1.0f));
   for (unsigned t = 0; t < EMUL_TEX_TAPS; t++) {
      filter_load_tap(st, req, plan, texels, table, t, lane, tap[t]);
      if (compare) {
         compare_tap(st, &reference, &tap[t][0]);
         tap[t][1] = tap[t][2] = tap[t][0];
         tap[t][3] = vf_all(1.0f);
      } else {
         for (unsigned c = 0; c < 4 && !st->integer; c++)
            tap[t][c] *= st->scale[c];
      }
   }
   if (plan->corners && st->integer)
      corner_integers(&plan->steps[0], lane, tap);
   else if (plan->corners)
      corner_taps(&plan->steps[0], lane, tap);
   for (unsigned c = 0; c < 4; c++) {
      if (!(req->unread >> c & 1))
         vf_store(&result->c[c][lane],
                  s < 4 ? tap[tap_of[c]][s]
                        : (vf)vi_all(s == ATTILA_SWIZZLE_1 ? (int32_t)st->one : 0));
   }
}

/* Gives a buffer's elements of three words, which have a word in each tap. */
static void
filter_words(const struct emul_tex_state *st, const struct emul_tex_request *req,
             const struct emul_tex_plan *plan, const uint8_t *texels, unsigned lane,
             struct emul_vec4 *result)
{
   vf value[4];
   for (unsigned t = 0; t < 3; t++) {
      vf word[4];
      filter_load_tap(st, req, plan, texels, NULL, t, lane, word);
      value[t] = word[0];
   }
   const vi outside = (vi)((vu)vi_load(&plan->steps[0].address[0][lane]) == EMUL_TEX_BORDER);
   value[3] = (vf)(vi_all((int32_t)st->one) & ~outside);
   tex_store_swizzled(st, req, value, result, lane);
}

/* Returns the level that a look-up with this level of detail reads (ARB_texture_query_lod): without
 * mipmaps the first; with the nearest mipmap, that one's number; else a number with a fraction. */
SIM_INLINE vf
filter_accessed_level(const struct emul_tex_state *st, vf lod)
{
   if (st->regs.mip_filter == ATTILA_MIP_NONE)
      return vf_all(0.0f);
   lod = vf_min(vf_max(tex_clamp_lod(st, lod), vf_all(0.0f)),
                vf_all((float)(st->last_level - st->first_level)));
   return st->regs.mip_filter == ATTILA_MIP_LINEAR ? lod : -vf_floor(-0.5f - lod) - 1.0f;
}

static void
filter_level_of_detail(const struct emul_tex_state *st, const struct emul_tex_request *req,
                       unsigned lane, struct emul_vec4 *result)
{
   struct planner p;
   planner_start(&p, st, lane);
   for (unsigned c = 0; c < 3; c++)
      p.coord[c] = vf_load(&req->coord[c][lane]);
   plan_centre(&p, req);
   const vf lod =
       (tex_lod_needs_lambda(req) ? plan_lambda(&p, req) : vf_all(0.0f)) + st->regs.lod_bias;
   const vf value[4] = {filter_accessed_level(st, lod), lod};
   for (unsigned c = 0; c < 4; c++) {
      if (!(req->unread >> c & 1))
         vf_store(&result->c[c][lane], st->valid && !st->sample_shift ? value[c] : vf_all(0.0f));
   }
}

/* Does the same for integers, whose bits would be changed by arithmetic. */
static void
filter_integers(const struct emul_tex_state *st, const struct emul_tex_request *req,
                const struct emul_tex_plan *plan, const uint8_t *texels, unsigned lane,
                struct emul_vec4 *result)
{
   vf value[4];
   const struct tex_tap at = {.step = &plan->steps[0],
                              .lane = lane,
                              .placed = plan->placed ? texels + lane * 4 : NULL,
                              .border = req->op == ATTILA_OP_TXF ? no_border : st->border};
   load_tap(st, texels, &at, NULL, value);
   tex_store_swizzled(st, req, value, result, lane);
}

static void
filter_request(const struct emul_tex_state *st, const struct emul_tex_request *req,
               const struct emul_tex_plan *plan, const uint8_t *texels, struct emul_vec4 *result)
{
   if (req->op == ATTILA_OP_TXS) {
      filter_sizes(st, req, result);
      return;
   }
   if (req->op == ATTILA_OP_TXQL) {
      for (unsigned lane = 0; lane < EMUL_LANES; lane += EMUL_TEX_VL)
         filter_level_of_detail(st, req, lane, result);
      return;
   }
   if (!st->valid || !plan->num_steps) {
      filter_disabled(req, result);
      return;
   }
   if (st->three_words) {
      for (unsigned lane = 0; lane < EMUL_LANES; lane += EMUL_TEX_VL)
         filter_words(st, req, plan, texels, lane, result);
      return;
   }
   const bool gather = req->op == ATTILA_OP_TXG;
   if (st->integer && !gather) {
      for (unsigned lane = 0; lane < EMUL_LANES; lane += EMUL_TEX_VL)
         filter_integers(st, req, plan, texels, lane, result);
      return;
   }
   struct block_table table;
   if (st->kind == EMUL_TEX_KIND_BLOCK) {
      for (unsigned i = 0; i < BLOCK_ENTRIES; i++)
         table.address[i] = EMUL_TEX_UNUSED;
   }
   for (unsigned lane = 0; lane < EMUL_LANES; lane += EMUL_TEX_VL) {
      if (gather)
         filter_gather(st, req, plan, texels, &table, lane, result);
      else
         filter_part(st, req, plan, texels, &table, lane, result);
   }
}

#endif
