/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Buffers: a copy in system memory, which is current except where commands wrote, and a copy in GPU
 * memory, which is updated from it. */
#ifndef ATTILA_BUFFER_H
#define ATTILA_BUFFER_H

#include "attila_resource.h"

struct attila_cs;

/* Notes that the CPU wrote [lo, hi) of system memory. unsync: the application promises that no
 * unfinished draw reads it. */
void attila_buffer_written(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                           uint32_t hi, bool unsync);
/* Notes that the next recorded command writes [lo, hi) in GPU memory. */
void attila_buffer_gpu_writes(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                              uint32_t hi);
/* Updates [lo, hi) of system memory from GPU memory before the CPU reads it; waits if commands
 * wrote the range. Returns false if the GPU is lost; contents are then 0. */
bool attila_buffer_read_back(struct attila_cs *cs, struct attila_resource *res, uint32_t lo,
                             uint32_t hi);
/* Updates GPU memory from system memory before a command uses the buffer. */
void attila_buffer_upload(struct attila_cs *cs, struct attila_resource *res);
/* The same for the bytes before end, if the next command uses only these. Until attila_resource_use
 * is called, no command may use bytes that are not uploaded. */
void attila_buffer_upload_to(struct attila_cs *cs, struct attila_resource *res, uint64_t end);
/* Copies between buffers with the GPU's blitter; ranges must not overlap. */
void attila_buffer_copy(struct attila_cs *cs, struct attila_resource *dst, uint32_t dst_offset,
                        struct attila_resource *src, uint32_t src_offset, uint32_t size);

/* Returns how many bytes from offset on a draw may read; bytes behind these were never written. */
static inline uint32_t
attila_buffer_readable(const struct attila_resource *res, uint32_t offset)
{
   return offset < res->valid.end ? res->valid.end - offset : 0;
}

#endif
