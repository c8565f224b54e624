/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Colour write of groups for any host, and the choice between those that this host can run.
 */
#define EMUL_BLEND_LANES 4
#define EMUL_BLEND_NAME emul_color_group_base
#include "emul/rop/emul_blend_group.h"

emul_color_group_fn
emul_color_group_get(unsigned n)
{
   emul_color_group_fn list[3];
   unsigned count = 0;
#if defined(__x86_64__)
   __builtin_cpu_init();
   if (__builtin_cpu_supports("avx512f"))
      list[count++] = emul_color_group_avx512;
   if (__builtin_cpu_supports("avx2"))
      list[count++] = emul_color_group_avx2;
#endif
   list[count++] = emul_color_group_base;
   return n < count ? list[n] : NULL;
}

bool
emul_color_group_fits(const struct emul_draw_state *state, unsigned rt)
{
   return is_byte_format((enum attila_format)state->regs.color[rt].format) &&
          !state->regs.logicop_enable;
}
