/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Mesa is built without asserts, so without its NIR validator, which the compiler may run. The
 * compiler builds that Mesa file itself (meson.build) and here defines the variable it reads: no
 * flag of NIR_DEBUG is set. Not built if Mesa has asserts. */
#include "compiler/nir/nir.h"

uint32_t nir_debug = 0;
