/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory that the programs of a draw may read. Not here: attributes, indices and targets. */
#ifndef EMUL_DRAW_READS_H
#define EMUL_DRAW_READS_H

#include "emul/emul_draw.h"

/* Memory [start, end), in bytes. */
struct emul_range {
   uint64_t start, end;
};

#define EMUL_STAGE_READS \
   (ATTILA_ISA_TEX_BANK + ATTILA_MAX_CONST_BUFFERS + ATTILA_MAX_STORAGE_BUFFERS + ATTILA_MAX_IMAGES)
/* Finds the levels of textures and the constant buffers that a stage's program (enum attila_stage)
 * may read, and returns how many. The stage must be on. */
unsigned emul_stage_reads(const struct emul_draw_state *state, unsigned stage,
                          struct emul_range out[EMUL_STAGE_READS]);

#endif
