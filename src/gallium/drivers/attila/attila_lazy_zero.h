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

/* Zeroes the undefined ones of the slices. */
void attila_zero_slices(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                        unsigned z, unsigned num);
/* Zeroes what is undefined in the slices of a box, outside the box, before the box is
 * overwritten. */
void attila_define_box(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                       const struct pipe_box *box);
/* Zeroes what is undefined in a view, before it is sampled. */
void attila_zero_view(struct attila_cs *cs, const struct pipe_sampler_view *view);
/* Zeroes what is undefined in the framebuffer, before a draw. The framebuffer's registers have been
 * sent. */
void attila_zero_framebuffer(struct attila_cs *cs, const struct pipe_framebuffer_state *fb);

#endif
