/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the tests of the texture emulator share: GPU memory with texels, random numbers, the host's
 * instruction sets, plain registers. One copy per test. */
#ifndef TEXTURE_STATE_H
#define TEXTURE_STATE_H

#include <stdlib.h>
#include <string.h>
#include "emul/texture/emul_tex_priv.h"

#define MEMORY (4u << 20)
#define BASE 4096u

static uint8_t *memory;
static uint32_t seed = 12345;

static inline uint32_t
rnd(void)
{
   seed = seed * 1664525u + 1013904223u;
   return seed >> 7 ^ seed << 15;
}
static inline uint32_t
below(uint32_t n)
{
   return (rnd() >> 3) % n;
}
static inline float
uniform(float a, float b)
{
   return a + (b - a) * (float)(below(1 << 22)) / (float)(1 << 22);
}

static inline const struct emul_tex_isa *
host_isa(unsigned i)
{
   static const struct emul_tex_isa *const all[] = {
      &emul_tex_isa_base,
#if defined(__x86_64__)
      &emul_tex_isa_avx2,
      &emul_tex_isa_avx512
#endif
   };
#if defined(__x86_64__)
   if ((i == 1 && !__builtin_cpu_supports("avx2")) || (i == 2 && !emul_tex_host_has_avx512()))
      return NULL;
#endif
   return i < sizeof(all) / sizeof(all[0]) ? all[i] : NULL;
}

static inline struct attila_tex_regs
default_regs(unsigned target, unsigned format, unsigned w, unsigned h, unsigned d, unsigned levels)
{
   return (struct attila_tex_regs){.enable = 1,
                                   .target = target,
                                   .format = format,
                                   .address = BASE,
                                   .width = w,
                                   .height = h,
                                   .depth = d,
                                   .num_levels = levels,
                                   .last_level = levels - 1,
                                   .swizzle = 0 | 1 << 3 | 2 << 6 | 3 << 9,
                                   .max_aniso = 1,
                                   .max_lod = 100.0f,
                                   .mip_filter = ATTILA_MIP_NONE};
}

/* Where an element of a texture that default_regs describes is. */
static inline uint8_t *
element(const struct emul_tex_state *st, unsigned level, unsigned x, unsigned y, unsigned z)
{
   const struct attila_layout *l = &st->layout;
   return memory + BASE + l->level_offset[level] + z * l->slice_stride[level] +
          attila_element_offset(l->pitch_tiles[level], 1, st->format->bytes, x, y, 0);
}

/* Fixtures of a test group; the first state chooses the instruction set. */
static inline int
texture_setup(void **state)
{
   (void)state;
   memory = calloc(1, MEMORY);
   struct emul_tex_state st;
   struct attila_tex_regs r = {0};
   emul_tex_state_init(&st, &r, &EMUL_TEX_QUALITY_DEFAULT, MEMORY);
   return memory ? 0 : -1;
}

static inline int
texture_teardown(void **state)
{
   (void)state;
   free(memory);
   return 0;
}

static inline void
random_memory(void)
{
   for (uint32_t i = 0; i < MEMORY; i += 4) {
      uint32_t v = rnd();
      memcpy(memory + i, &v, 4);
   }
}

#endif
