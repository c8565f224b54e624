/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of groups for any host, the choice of the variant for this host, and groups of one
 * colour. */
#define EMUL_BLEND_LANES 4
#define EMUL_BLEND_WRITER emul_color_writer_base
#include "emul/rop/emul_blend_group.h"

const struct emul_color_writer *
emul_color_writer_get(unsigned n)
{
   const struct emul_color_writer *list[3];
   unsigned count = 0;
#if defined(__x86_64__)
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = &emul_color_writer_avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = &emul_color_writer_avx2;
#endif
   list[count++] = &emul_color_writer_base;
   return n < count ? list[n] : NULL;
}

bool
emul_color_group_fits(const struct emul_draw_state *state, unsigned rt)
{
   return is_byte_format((enum attila_format)state->regs.color[rt].format) &&
          !state->regs.logicop_enable && !emul_blends_two(state, rt);
}

struct emul_color_fill
emul_color_fill_of(const struct emul_draw_state *state, unsigned rt, const struct emul_vec4 *color)
{
   const struct attila_color_regs *regs = &state->regs.color[rt];
   struct byte_order order;
   byte_order_of(state->color_format[rt], &order);
   return (struct emul_color_fill){
       .element = group_elements(state, rt, group_kind(state, rt), &order, 0, color, (vu){0})[0],
       .written = written_bits(state->color_format[rt], regs->write_mask)};
}

void
emul_color_fill(const struct emul_color_fill *fill, unsigned lanes,
                uint8_t *const dst[EMUL_LANES / 4])
{
   const quad value = fill->element - (quad){0};
   for (unsigned q = 0; lanes >> 4 * q; q++)
      store_quad(lanes >> 4 * q & 15, fill->written, value, dst[q]);
}
