/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which commands use a resource, and whether its pixels are in memory or in ROP caches. */
#ifndef ATTILA_COHERENCE_H
#define ATTILA_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct attila_cs;
struct attila_resource;
struct pipe_box;

/* Returns whether an unfinished command may use the memory, so that the next write must wait. */
bool attila_resource_is_busy(const struct attila_cs *cs, const struct attila_resource *res);
/* Notes that the next recorded command uses the memory. */
void attila_resource_use(struct attila_cs *cs, struct attila_resource *res);

/* Notes that a box will be overwritten. If the texture has no contents elsewhere and the GPU may
 * still use it, it gets fresh memory. */
void attila_texture_discard(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                            const struct pipe_box *box);

/* Begin and end use as a render target. */
void attila_resource_rendered(struct attila_cs *cs, struct attila_resource *res, bool zs);
/* Returns the ATTILA_FLUSH bits that must be executed before anything but a ROP accesses the
 * resource; 0: none. */
uint32_t attila_resource_flush_bits(const struct attila_cs *cs, const struct attila_resource *res);
void attila_resource_flush(struct attila_cs *cs, struct attila_resource *res);
/* Declares the contents of a texture undefined to the GPU if pixels of it may still be in ROP
 * caches. Commands that read them all the same see what was there. */
void attila_resource_discard(struct attila_cs *cs, struct attila_resource *res);

#endif
