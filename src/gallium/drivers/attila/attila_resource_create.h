/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Creation of resources and surfaces: the entry points of the screen and of contexts.
 */
#ifndef ATTILA_RESOURCE_CREATE_H
#define ATTILA_RESOURCE_CREATE_H

struct attila_context;
struct pipe_screen;

void attila_init_screen_resources(struct pipe_screen *screen);
void attila_init_context_resources(struct attila_context *ctx);

#endif
