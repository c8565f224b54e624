/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The entry points of clears.
 */
#ifndef ATTILA_CLEAR_H
#define ATTILA_CLEAR_H

struct attila_context;

void attila_init_context_clear(struct attila_context *ctx);

#endif
