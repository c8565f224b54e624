/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Which commands use a resource, and whether its pixels are in memory or in the ROP caches.
 */
#ifndef ATTILA_COHERENCE_H
#define ATTILA_COHERENCE_H

#include <stdbool.h>
#include <stdint.h>

struct attila_cs;
struct attila_resource;
struct pipe_box;

/* A recorded or unfinished command may use the memory: what is written to it next waits. */
bool attila_resource_is_busy(const struct attila_cs *cs, const struct attila_resource *res);
/* The command recorded next uses the memory. */
void attila_resource_use(struct attila_cs *cs, struct attila_resource *res);

/* The contents of a box will all be overwritten. If nothing else is in the texture and the GPU may
 * still use it, it gets fresh memory. */
void attila_texture_discard(struct attila_cs *cs, struct attila_resource *res, unsigned level,
                            const struct pipe_box *box);

/* Render target use and its end. */
void attila_resource_rendered(struct attila_cs *cs, struct attila_resource *res, bool zs);
/* ATTILA_FLUSH bits that must be executed before anything but a ROP reads or writes the resource;
 * 0: none. */
uint32_t attila_resource_flush_bits(const struct attila_cs *cs, const struct attila_resource *res);
void attila_resource_flush(struct attila_cs *cs, struct attila_resource *res);

#endif
