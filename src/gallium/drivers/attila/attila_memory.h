/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory: who owns which addresses. Memory that is freed becomes available again only when
 * every command recorded before the free has been executed; so a fresh allocation is never touched
 * by unfinished work.
 */
#ifndef ATTILA_MEMORY_H
#define ATTILA_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include "util/u_dynarray.h"
#include "util/vma.h"

/* A piece of GPU memory; size 0: none. */
struct attila_bo {
   uint32_t address, size;
};

struct attila_memory {
   struct util_vma_heap heap;
   struct util_vma_heap reserve; /* the end of the memory: see attila_bo_alloc_reserved */
   uint32_t reserve_start;
   struct util_dynarray frees; /* struct attila_pending_free, in epoch order */
   uint64_t epoch;             /* advances with every free */
};

struct attila_screen;
struct attila_context;

bool attila_memory_init(struct attila_memory *memory, uint32_t size);
void attila_memory_finish(struct attila_memory *memory);

/* Allocates; when memory is short, waits for the GPU to give back what was freed. Clears *bo and
 * returns false when there is none. */
bool attila_bo_alloc(struct attila_screen *screen, uint64_t size, uint32_t alignment,
                     struct attila_bo *bo);
/* For what drawing itself needs (programs, streamed vertices, staging): also from memory that the
 * application's own objects never get, so that a program that has used up the memory still draws.
 */
bool attila_bo_alloc_reserved(struct attila_screen *screen, uint64_t size, uint32_t alignment,
                              struct attila_bo *bo);
/* Gives memory back once commands recorded up to now are done. bo may be empty. */
void attila_bo_free(struct attila_screen *screen, struct attila_bo *bo);

/* What of the frees is covered when the GPU becomes idle: taken before waiting, handed to
 * attila_memory_idle after. */
uint64_t attila_memory_mark(struct attila_screen *screen);
void attila_memory_idle(struct attila_screen *screen, uint64_t mark);

#endif
