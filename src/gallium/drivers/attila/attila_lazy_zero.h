/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Zeros in textures and render targets where a program has written nothing.
 */
#ifndef ATTILA_LAZY_ZERO_H
#define ATTILA_LAZY_ZERO_H

struct attila_cs;
struct attila_resource;
struct pipe_box;
struct pipe_framebuffer_state;
struct pipe_sampler_view;

/* Makes those of the slices that are undefined contain zeros. */
void attila_zero_slices(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                        unsigned z, unsigned num);
/* The box will be overwritten: what else is in its slices becomes defined. */
void attila_define_box(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                       const struct pipe_box *box);
/* The same for all that a view can show, before it is sampled. */
void attila_zero_view(struct attila_cs *cs, const struct pipe_sampler_view *view);
/* The same for the framebuffer, before a draw. Its registers have been sent. */
void attila_zero_framebuffer(struct attila_cs *cs, const struct pipe_framebuffer_state *fb);

#endif
