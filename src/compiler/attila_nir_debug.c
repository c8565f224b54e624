/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The compiler may run Mesa's NIR validator, but Mesa is built without asserts, and so without it.
 * So the compiler builds that file of Mesa itself (meson.build), and this file defines the variable
 * that it reads: no flag of NIR_DEBUG is set. Not built if Mesa has asserts. */
#include "compiler/nir/nir.h"

uint32_t nir_debug = 0;
