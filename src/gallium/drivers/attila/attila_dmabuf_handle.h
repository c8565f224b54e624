/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Handles by which textures are shared with the window system, devices and processes. */
#ifndef ATTILA_DMABUF_HANDLE_H
#define ATTILA_DMABUF_HANDLE_H

struct attila_screen;
struct pipe_screen;

/* Sets the screen's entry points; call it before the caps. */
void attila_init_screen_handles(struct pipe_screen *screen);
void attila_finish_screen_handles(struct attila_screen *screen);
/* Sets the caps of sharing without a DRM device. */
void attila_init_handle_caps(struct pipe_screen *screen);

#endif
