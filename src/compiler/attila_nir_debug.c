/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Mesa is built without asserts and then leaves out its validator of NIR, which the compiler can be
 * asked to run. The compiler builds that one file of Mesa itself (meson.build); here is the
 * variable that it looks at: no flag of NIR_DEBUG is set. Not built where Mesa has asserts.
 */
#include "compiler/nir/nir.h"

uint32_t nir_debug = 0;
