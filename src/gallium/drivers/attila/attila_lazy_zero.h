/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Zeros in textures and render targets that programs have not written. */
#ifndef ATTILA_LAZY_ZERO_H
#define ATTILA_LAZY_ZERO_H

struct attila_cs;
struct attila_resource;
struct pipe_box;
struct pipe_framebuffer_state;
struct pipe_sampler_view;

/* Zeroes those of the slices that are undefined. */
void attila_zero_slices(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                        unsigned z, unsigned num);
/* Defines the rest of a box's slices before the box is overwritten. */
void attila_define_box(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                       const struct pipe_box *box);
/* Defines all that a view shows, before sampling. */
void attila_zero_view(struct attila_cs *cs, const struct pipe_sampler_view *view);
/* Defines the framebuffer, before a draw. Its registers have been sent. */
void attila_zero_framebuffer(struct attila_cs *cs, const struct pipe_framebuffer_state *fb);

#endif
