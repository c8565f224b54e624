/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory: which addresses are allocated. Freed memory becomes available when every command
 * recorded before the free has executed, so no unfinished work touches a fresh allocation. Time is
 * counted in epochs: every free, and every command that waits for all before it, begins one. Once
 * such a command has executed, all that was recorded, used or freed in earlier epochs is
 * finished. */
#ifndef ATTILA_BO_H
#define ATTILA_BO_H

#include <stdbool.h>
#include <stdint.h>
#include "util/simple_mtx.h"
#include "util/u_dynarray.h"
#include "util/vma.h"

/* Nothing is allocated below: address 0 means "not bound". */
#define ATTILA_FIRST_ADDRESS 4096

/* A piece of GPU memory; size 0: none. */
struct attila_bo {
   uint32_t address, size;
   uint8_t caches; /* enum attila_flush: ROP caches that may hold pixels of it */
   bool zero;      /* never allocated before, so its contents are zero */
};

/* What has executed: all before an epoch, and what has left the ROP caches. */
struct attila_done {
   uint64_t idle;  /* earlier commands have finished */
   uint64_t color; /* and the colour caches hold none of their pixels */
   uint64_t zs;    /* the same for depth and stencil */
};

struct attila_memory {
   uint32_t size;
   simple_mtx_t *lock;
   bool (*reclaim)(struct attila_memory *memory);
   struct util_vma_heap heap;
   struct util_vma_heap reserve; /* the end of memory: see attila_bo_alloc_reserved */
   uint32_t reserve_start;
   /* Never allocated: untouched to untouched_end, and from untouched_reserve on. */
   uint32_t untouched, untouched_end, untouched_reserve;
   struct util_dynarray frees; /* struct attila_pending_free */
   uint64_t pending;           /* bytes of these */
   uint64_t epoch;             /* accessed with p_atomic */
   struct attila_done done;
   bool keep_freed;
};

/* lock: held while the memory changes. reclaim: called without the lock when an allocation fails;
 * frees what it can, and returns false if that cannot help. keep_freed: reuses freed memory only
 * when all is used up. */
bool attila_memory_init(struct attila_memory *memory, uint32_t size, simple_mtx_t *lock,
                        bool (*reclaim)(struct attila_memory *memory), bool keep_freed);
void attila_memory_finish(struct attila_memory *memory);

/* Allocates; if memory is short, waits for the GPU to return freed memory. Clears *bo and returns
 * false if there is none. */
bool attila_bo_alloc(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                     struct attila_bo *bo);
/* The same for what drawing needs (programs, streamed vertices, staging): may use a reserve that
 * the application's objects never get, so that a program that used up memory still draws. */
bool attila_bo_alloc_reserved(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                              struct attila_bo *bo);
/* Frees memory once the commands recorded so far are done. bo may be empty. */
void attila_bo_free(struct attila_memory *memory, struct attila_bo *bo);

/* Returns the bytes that an allocation may get, including those of pending frees. */
uint64_t attila_memory_available(const struct attila_memory *memory);

/* Makes older frees available after more has executed. The lock is held. */
void attila_memory_done(struct attila_memory *memory, const struct attila_done *done);

#endif
