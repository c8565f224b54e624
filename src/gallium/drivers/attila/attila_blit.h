/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The entry points of copies and blits.
 */
#ifndef ATTILA_BLIT_H
#define ATTILA_BLIT_H

struct attila_context;

void attila_init_context_blit(struct attila_context *ctx);

#endif
