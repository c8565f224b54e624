/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Names shared by disassembler and assembler only. */
#ifndef ISA_TEXT_H
#define ISA_TEXT_H

#include "hw/isa/attila_isa.h"

extern const char *const isa_atomic_names[ATTILA_NUM_ATOMICS];
extern const char *const isa_tex_target_names[ATTILA_NUM_TEX_TARGETS];
extern const char *const isa_file_letters[ATTILA_NUM_FILES];
extern const char isa_components[5]; /* "xyzw" */

#endif
