/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The texture emulator compiled for any host. */
#define EMUL_TEX_VL 4
#define EMUL_TEX_ISA_NAME base
#include "emul/texture/emul_tex_impl.h"
