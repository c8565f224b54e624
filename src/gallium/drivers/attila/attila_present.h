/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Flushes, ends of frames and presentation: the entry points of the screen and of contexts.
 */
#ifndef ATTILA_PRESENT_H
#define ATTILA_PRESENT_H

struct attila_context;
struct pipe_screen;

void attila_init_screen_present(struct pipe_screen *screen);
void attila_init_context_present(struct attila_context *ctx);

#endif
