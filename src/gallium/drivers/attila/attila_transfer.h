/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Mapping of textures, and copies between linear system memory and tiled GPU memory. */
#ifndef ATTILA_TRANSFER_H
#define ATTILA_TRANSFER_H

#include "pipe/p_state.h"

/* A mapping. Buffers use only the base. */
struct attila_transfer {
   struct pipe_transfer base;
   uint8_t *staging; /* textures: base.box, linear */
   struct pipe_transfer
       *resolved; /* multisampled: transfer of the resolved copy, which is mapped instead */
};

#endif
