/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory: which addresses are allocated. Freed memory becomes available when every command
 * recorded before the free has executed, so that no unfinished work touches a new allocation. Time
 * is counted in epochs: every free, and every command that waits for all before it, begins a new
 * epoch. Once such a command has executed, all that was recorded, used or freed in earlier epochs
 * is finished. */
#ifndef ATTILA_BO_H
#define ATTILA_BO_H

#include <stdbool.h>
#include <stdint.h>
#include "util/simple_mtx.h"
#include "util/u_dynarray.h"
#include "util/vma.h"

/* Nothing is allocated below this address, since address 0 means "not bound". */
#define ATTILA_FIRST_ADDRESS 4096

/* A piece of GPU memory; size 0: none. */
struct attila_bo {
   uint32_t address, size;
   uint8_t caches; /* enum attila_flush: ROP caches that may hold pixels of it */
   bool zero;      /* never allocated before, so its contents are zero */
};

/* How far the GPU has come, in epochs. */
struct attila_done {
   uint64_t idle; /* earlier commands have finished */
   uint64_t
       color;   /* earlier commands have finished, and the colour caches hold no pixels of theirs */
   uint64_t zs; /* the same for depth and stencil */
};

struct attila_memory {
   uint32_t size;
   simple_mtx_t *lock;
   bool (*reclaim)(struct attila_memory *memory);
   struct util_vma_heap heap;
   struct util_vma_heap reserve; /* the end of memory: see attila_bo_alloc_reserved */
   uint32_t reserve_start;
   /* Memory that was never allocated: from untouched to untouched_end, and from untouched_reserve
    * on. */
   uint32_t untouched, untouched_end, untouched_reserve;
   struct util_dynarray frees; /* struct attila_pending_free */
   uint64_t pending;           /* bytes of these frees */
   uint64_t epoch;             /* accessed with p_atomic */
   struct attila_done done;
   bool keep_freed;
};

/* lock: held while the memory changes. reclaim: called without the lock when an allocation fails.
 * It frees what it can and returns false if that cannot help. keep_freed: freed memory is reused
 * only when all other memory is used up. */
bool attila_memory_init(struct attila_memory *memory, uint32_t size, simple_mtx_t *lock,
                        bool (*reclaim)(struct attila_memory *memory), bool keep_freed);
void attila_memory_finish(struct attila_memory *memory);

/* Allocates memory; if it is short, waits until the GPU has finished with freed memory. Clears *bo
 * and returns false if there is not enough. */
bool attila_bo_alloc(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                     struct attila_bo *bo);
/* The same for what drawing needs (programs, streamed vertices, staging). It may use a reserve that
 * objects of the application never get, so that a program that has used up memory can still
 * draw. */
bool attila_bo_alloc_reserved(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                              struct attila_bo *bo);
/* Frees memory once the commands recorded so far are done. bo may be empty. */
void attila_bo_free(struct attila_memory *memory, struct attila_bo *bo);

/* Returns the bytes that are available for allocations, including those of pending frees. */
uint64_t attila_memory_available(const struct attila_memory *memory);

/* Makes memory of older frees available, after more commands have executed. The lock is held. */
void attila_memory_done(struct attila_memory *memory, const struct attila_done *done);

#endif
