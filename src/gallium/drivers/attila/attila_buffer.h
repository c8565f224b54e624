/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Buffers: a copy in system memory, which is current but for what commands have written, and GPU
 * memory that follows it.
 */
#ifndef ATTILA_BUFFER_H
#define ATTILA_BUFFER_H

#include "attila_resource.h"

struct attila_cs;

/* The CPU has written [lo, hi) of the system memory. unsync: the application promises that no
 * unfinished draw reads it. */
void attila_buffer_written(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                           uint32_t hi, bool unsync);
/* The command that is recorded next writes [lo, hi) of GPU memory, which belongs to the GPU from
 * now on. */
void attila_buffer_gpu_writes(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                              uint32_t hi);
/* Makes system memory hold what GPU memory holds in [lo, hi), before the CPU reads it; waits for
 * the GPU if the range is its. False: the GPU is lost, and the contents are 0. */
bool attila_buffer_read_back(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                             uint32_t hi);
/* Makes GPU memory hold what system memory holds, before a command uses the buffer. */
void attila_buffer_upload(struct attila_cs *cs, struct attila_resource *res);
/* The same for the bytes before end, which are all that the next command uses. No command before
 * attila_resource_use may use bytes that are not uploaded by then. */
void attila_buffer_upload_to(struct attila_cs *cs, struct attila_resource *res, uint64_t end);
/* Copies between buffers with the GPU's blitter; the ranges do not overlap. */
void attila_buffer_copy(struct attila_cs *cs, struct attila_resource *dst, uint32_t dst_offset,
                        struct attila_resource *src, uint32_t src_offset, uint32_t size);

/* Bytes from offset on that a draw may read; beyond them nothing was ever written. */
static inline uint32_t
attila_buffer_readable(const struct attila_resource *res, uint32_t offset)
{
   return offset < res->valid.end ? res->valid.end - offset : 0;
}

#endif
