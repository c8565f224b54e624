/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The vectorised texture emulator, included by emul_tex_base.c, emul_tex_avx2.c and
 * emul_tex_avx512.c, each with its instruction set enabled and EMUL_TEX_ISA_NAME and EMUL_TEX_VL
 * (lanes of a vector) defined. */
#ifndef EMUL_TEX_IMPL_H
#define EMUL_TEX_IMPL_H

#include "emul/texture/emul_tex_priv.h"
#include "emul/texture/emul_tex_plan.h"
#include "emul/texture/emul_tex_filter.h"
#if EMUL_TEX_VL <= 8
#include "emul/texture/emul_tex_fast.h"
#define EMUL_TEX_SAMPLE sample_request
#else
/* Measured on Zen 4: functional look-ups are faster with 8 lanes (terrain 4 %: levels of detail
 * once per quad), cycle mode's plan and filter with 16 (1 to 3 %). */
#define EMUL_TEX_SAMPLE emul_tex_sample_avx2
#endif

#define EMUL_TEX_DEFINE(isa) EMUL_TEX_DEFINE_(isa)
#define EMUL_TEX_DEFINE_(isa)                                                          \
   const struct emul_tex_isa emul_tex_isa_##isa = {#isa, plan_request, filter_request, \
                                                   EMUL_TEX_SAMPLE}
EMUL_TEX_DEFINE(EMUL_TEX_ISA_NAME);

#endif
