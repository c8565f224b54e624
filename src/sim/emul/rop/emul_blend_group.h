/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of a group of quads for RGBA of 8 bits in functional mode, EMUL_BLEND_LANES pixels
 * at a time, with the bits of emul_color_quad (which does all other formats). Included by each
 * emul_blend_*.c, with EMUL_BLEND_WRITER (the functions) named for its vector instruction set. */
#ifndef EMUL_BLEND_GROUP_H
#define EMUL_BLEND_GROUP_H

#include <string.h>
#include "emul/rop/emul_blend_lanes.h"

typedef uint32_t quad __attribute__((vector_size(16)));

static inline quad
load_quad(unsigned lanes, unsigned q, uint8_t *const dst[EMUL_LANES / 4])
{
   quad v = {0};
   if (lanes >> 4 * q & 15)
      memcpy(&v, dst[q], 16);
   return v;
}

/* Loads elements at dst of the lanes from first on, in registers: a wide load after narrow stores
 * would stall. */
SIM_INLINE vu
load_quads(unsigned lanes, unsigned first, uint8_t *const dst[EMUL_LANES / 4])
{
   const quad a = load_quad(lanes, first / 4, dst);
#if EMUL_BLEND_LANES == 4
   return (vu)a;
#else
   typedef uint32_t pair __attribute__((vector_size(32)));
   const pair ab =
       __builtin_shufflevector(a, load_quad(lanes, first / 4 + 1, dst), 0, 1, 2, 3, 4, 5, 6, 7);
#if EMUL_BLEND_LANES == 8
   return (vu)ab;
#else
   const pair cd = __builtin_shufflevector(load_quad(lanes, 2, dst), load_quad(lanes, 3, dst), 0, 1,
                                           2, 3, 4, 5, 6, 7);
   return (vu)__builtin_shufflevector(ab, cd, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
#endif
#endif
}

/* Loads the lanes from v on through a type that may alias: a copy would go through memory in
 * halves, and the load after it would stall. */
SIM_INLINE vf
load_component(const float *v)
{
   typedef float lanes __attribute__((vector_size(4 * EMUL_BLEND_LANES), aligned(4), may_alias));
   return *(const lanes *)v;
}

/* How a draw changes a buffer: the cases that have code of their own. */
enum group_kind {
   GROUP_PLAIN, /* writes colours */
   GROUP_OVER,  /* blends by source alpha, alpha too */
   GROUP_ANY,
};

static inline enum group_kind
group_kind(const struct emul_draw_state *state, unsigned rt)
{
   const struct attila_color_regs *color = &state->regs.color[rt];
   if (state->regs.alpha_to_one && state->samples > 1)
      return GROUP_ANY;
   if (!color->blend_enable)
      return GROUP_PLAIN;
   const bool rgb = color->rgb_eq == ATTILA_BLEND_ADD &&
                    color->rgb_src == ATTILA_FACTOR_SRC_ALPHA &&
                    color->rgb_dst == ATTILA_FACTOR_INV_SRC_ALPHA,
              alpha = color->alpha_eq == ATTILA_BLEND_ADD &&
                      color->alpha_src == ATTILA_FACTOR_SRC_ALPHA &&
                      color->alpha_dst == ATTILA_FACTOR_INV_SRC_ALPHA;
   /* How alpha blends does not matter if it is not stored. */
   return rgb && (alpha || !state->color_format[rt]->channel[3].bits) ? GROUP_OVER : GROUP_ANY;
}

SIM_INLINE bool
reads_elements(const struct emul_draw_state *state, unsigned rt, enum group_kind kind)
{
   return kind == GROUP_OVER || (kind == GROUP_ANY && state->regs.color[rt].blend_enable);
}

/* Returns the elements of the lanes from first on, with all channels. old: present contents, if
 * they are read. */
SIM_INLINE vu
group_elements(const struct emul_draw_state *state, unsigned rt, enum group_kind kind,
               const struct byte_order *order, unsigned first, const struct emul_vec4 *color,
               vu old)
{
   struct blend_color s, d;
   for (unsigned i = 0; i < 4; i++)
      s.c[i] = load_component(&color->c[i][first]);
   if (kind == GROUP_OVER) {
      for (unsigned i = 0; i < 4; i++)
         s.c[i] = clamp(s.c[i], 0.0f, 1.0f);
      load_bytes(order, old, &d);
      blend_over(&d, &s, 4, &s);
   } else if (kind == GROUP_ANY && state->regs.color[rt].blend_enable) {
      clamp_source(state, order->desc->type, &s);
      load_bytes(order, old, &d);
      blend_with(state, rt, &d, NULL, &s);
   } else if (kind == GROUP_ANY) {
      s.c[3] = splat(1.0f);
   }
   return to_bytes(order, &s);
}

/* Does not read elements that are written as a whole: the host would stall. */
static inline void
store_quad(unsigned lanes, uint32_t channels, quad value, uint8_t *dst)
{
   if (!lanes)
      return;
   if (lanes != 15 || channels != UINT32_MAX) {
      const quad covered = (quad)(((quad){1, 2, 4, 8} & lanes) != 0) & channels;
      quad old;
      memcpy(&old, dst, 16);
      value = (value & covered) | (old & ~covered);
   }
   memcpy(dst, &value, 16);
}

SIM_INLINE void
write_lanes(const struct emul_draw_state *state, unsigned rt, enum group_kind kind, unsigned lanes,
            uint32_t channels, const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   struct byte_order order;
   byte_order_of(state->color_format[rt], &order);
   for (unsigned first = 0; first < EMUL_LANES && lanes >> first; first += EMUL_BLEND_LANES) {
      const vu old = reads_elements(state, rt, kind) ? load_quads(lanes, first, dst) : (vu){0};
      const vu v = group_elements(state, rt, kind, &order, first, color, old);
      quad part[EMUL_BLEND_LANES / 4];
      memcpy(part, &v, sizeof(v));
      for (unsigned q = 0; q < EMUL_BLEND_LANES / 4; q++)
         store_quad(lanes >> (first + 4 * q) & 15, channels, part[q], dst[first / 4 + q]);
   }
}

/* Mostly all lanes and channels are written; this case has code without tests. */
SIM_INLINE void
write_group(const struct emul_draw_state *state, unsigned rt, enum group_kind kind, unsigned lanes,
            const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   const uint32_t channels =
       written_bits(state->color_format[rt], state->regs.color[rt].write_mask);
   if (lanes == 0xffff && channels == UINT32_MAX)
      write_lanes(state, rt, kind, 0xffff, UINT32_MAX, color, dst);
   else
      write_lanes(state, rt, kind, lanes, channels, color, dst);
}

static void
color_group(const struct emul_draw_state *state, unsigned rt, unsigned lanes,
            const struct emul_vec4 *color, uint8_t *const dst[EMUL_LANES / 4])
{
   switch (group_kind(state, rt)) {
   case GROUP_PLAIN:
      write_group(state, rt, GROUP_PLAIN, lanes, color, dst);
      break;
   case GROUP_OVER:
      write_group(state, rt, GROUP_OVER, lanes, color, dst);
      break;
   default:
      write_group(state, rt, GROUP_ANY, lanes, color, dst);
   }
}

SIM_INLINE void
write_square(const struct emul_draw_state *state, unsigned rt, enum group_kind kind,
             const struct emul_vec4 *color, uint8_t *dst)
{
   typedef uint32_t elements
       __attribute__((vector_size(4 * EMUL_BLEND_LANES), aligned(4), may_alias));
   struct byte_order order;
   const uint32_t channels =
       written_bits(state->color_format[rt], state->regs.color[rt].write_mask);
   byte_order_of(state->color_format[rt], &order);
   for (unsigned first = 0; first < EMUL_LANES; first += EMUL_BLEND_LANES) {
      elements *at = (elements *)(dst + 4 * first);
      const bool reads = reads_elements(state, rt, kind) || channels != UINT32_MAX;
      vu old = {0};
      if (reads)
         old = (vu)*at;
      const vu v = group_elements(state, rt, kind, &order, first, color, old);
      *at = (elements)((v & channels) | (old & ~channels));
   }
}

static void
color_square(const struct emul_draw_state *state, unsigned rt, const struct emul_vec4 *color,
             uint8_t *dst)
{
   switch (group_kind(state, rt)) {
   case GROUP_PLAIN:
      write_square(state, rt, GROUP_PLAIN, color, dst);
      break;
   case GROUP_OVER:
      write_square(state, rt, GROUP_OVER, color, dst);
      break;
   default:
      write_square(state, rt, GROUP_ANY, color, dst);
   }
}

const struct emul_color_writer EMUL_BLEND_WRITER = {color_group, color_square};

#endif
