/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Handles by which textures are shared: with the window system, other devices and processes.
 */
#ifndef ATTILA_DMABUF_HANDLE_H
#define ATTILA_DMABUF_HANDLE_H

struct attila_screen;
struct pipe_screen;

/* The screen's entry points; to be called before the caps are made. */
void attila_init_screen_handles(struct pipe_screen *screen);
void attila_finish_screen_handles(struct attila_screen *screen);
/* What may be shared, when there is no DRM device to ask. */
void attila_init_handle_caps(struct pipe_screen *screen);

#endif
