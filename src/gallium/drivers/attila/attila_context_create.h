/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation of contexts.
 */
#ifndef ATTILA_CONTEXT_CREATE_H
#define ATTILA_CONTEXT_CREATE_H

struct pipe_context;
struct pipe_screen;

struct pipe_context *attila_context_create(struct pipe_screen *screen, void *priv, unsigned flags);

#endif
