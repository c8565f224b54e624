/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the GPU can do, as Gallium asks. */
#ifndef ATTILA_CAPS_H
#define ATTILA_CAPS_H

#include "pipe/p_defines.h"

struct pipe_screen;

void attila_init_caps(struct pipe_screen *screen);
int attila_get_shader_param(struct pipe_screen *screen, enum pipe_shader_type shader,
                            enum pipe_shader_cap cap);
int attila_get_compute_param(struct pipe_screen *screen, enum pipe_shader_ir ir,
                             enum pipe_compute_cap cap, void *ret);

#endif
