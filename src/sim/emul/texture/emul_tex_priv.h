/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of the texture emulator share besides emul_tex_vec.h. */
#ifndef EMUL_TEX_PRIV_H
#define EMUL_TEX_PRIV_H

#include "emul/texture/emul_texture.h"

/* States with a specialised emul_tex_sample: 2D textures with one filter, equal wrap modes in s and
 * t, 8-bit channels in 32 bits or (DEPTH) depth, without comparison. */
enum emul_tex_fast {
   EMUL_TEX_FAST_NONE,
   EMUL_TEX_FAST_REPEAT_POW2_LINEAR,
   EMUL_TEX_FAST_REPEAT_POW2_NEAREST,
   EMUL_TEX_FAST_REPEAT_LINEAR,
   EMUL_TEX_FAST_REPEAT_NEAREST,
   EMUL_TEX_FAST_EDGE_LINEAR,
   EMUL_TEX_FAST_EDGE_NEAREST,
   EMUL_TEX_FAST_DEPTH_EDGE_LINEAR,
   EMUL_TEX_FAST_DEPTH_EDGE_NEAREST,
   EMUL_TEX_NUM_FAST
};

/* The emulator compiled for one host instruction set. */
struct emul_tex_isa {
   const char *name;
   void (*plan)(const struct emul_tex_state *st, const struct emul_tex_request *req,
                struct emul_tex_plan *plan);
   void (*filter)(const struct emul_tex_state *st, const struct emul_tex_request *req,
                  const struct emul_tex_plan *plan, const uint8_t *texels,
                  struct emul_vec4 *result);
   void (*sample)(const struct emul_tex_state *st, const struct emul_tex_request *req,
                  const uint8_t *memory, struct emul_vec4 *result);
};
#if defined(__x86_64__)
/* Returns whether the host has all that emul_tex_isa_avx512 needs. */
static inline bool
emul_tex_host_has_avx512(void)
{
   return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
          __builtin_cpu_supports("avx512dq");
}
#endif
/* emul_tex_isa_avx2's sample, for AVX-512. */
void emul_tex_sample_avx2(const struct emul_tex_state *st, const struct emul_tex_request *req,
                          const uint8_t *memory, struct emul_vec4 *result);
extern const struct emul_tex_isa emul_tex_isa_base, emul_tex_isa_avx2, emul_tex_isa_avx512;
/* For tests: forces one (NULL: chooses at the next emul_tex_state_init); returns the previous
 * one. */
const struct emul_tex_isa *emul_tex_force_isa(const struct emul_tex_isa *forced);

#endif
