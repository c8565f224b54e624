/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Contents of textures and render targets that nobody has written.
 */
#ifndef ATTILA_LAZY_ZERO_H
#define ATTILA_LAZY_ZERO_H

#include "attila_resource.h"

struct pipe_sampler_view;

/* A texture without any contents. False: out of system memory. The layout must be known. */
bool attila_undefined_init(struct attila_resource *res);
/* All contents are gone. */
void attila_undefine(struct attila_resource *res);

bool attila_is_defined(const struct attila_resource *res, unsigned level, unsigned z);
unsigned attila_num_defined(const struct attila_resource *res);
/* Of slices [z, z + num) of a level. */
unsigned attila_num_defined_in(const struct attila_resource *res, unsigned level, unsigned z,
                               unsigned num);

/* A copy of what nobody has written onto what nobody has written: there is nothing to do. box is
 * the source's; the destination's slices begin at dst_z. */
bool attila_copies_nothing(const struct attila_resource *src, unsigned src_level,
                           const struct pipe_box *box, const struct attila_resource *dst,
                           unsigned dst_level, unsigned dst_z, unsigned dst_depth);

/* The slices will be overwritten completely by the command recorded next. */
void attila_define_slices(struct attila_resource *res, unsigned level, unsigned z, unsigned num);
/* Makes those of the slices that are undefined contain zeros. */
void attila_zero_slices(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                        unsigned z, unsigned num);
/* The box will be overwritten: what else is in its slices becomes defined. */
void attila_define_box(struct attila_context *ctx, struct attila_resource *res, unsigned level,
                       const struct pipe_box *box);
/* The same for all that a view can show, before it is sampled. */
void attila_zero_view(struct attila_context *ctx, const struct pipe_sampler_view *view);
/* The same for the framebuffer, before a draw. Its registers have been sent. */
void attila_zero_framebuffer(struct attila_context *ctx);

#endif
