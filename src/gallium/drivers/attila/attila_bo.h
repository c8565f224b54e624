/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory: who owns which addresses. Memory that is freed becomes available again only when
 * every command recorded before the free has been executed; so a fresh allocation is never touched
 * by unfinished work.
 *
 * Time is counted in epochs. Every free begins one, and so does every command that waits for all
 * commands before it. Once such a command has been executed, everything recorded, used or freed in
 * earlier epochs is finished.
 */
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
   uint8_t caches; /* enum attila_flush: ROP caches that may still hold pixels of it */
   bool zero;      /* never allocated before, so its contents are zero */
};

/* What has been executed: everything older than an epoch, and what left the ROP caches. */
struct attila_done {
   uint64_t idle;  /* earlier commands have finished */
   uint64_t color; /* and the colour caches hold nothing they wrote */
   uint64_t zs;    /* the same of depth and stencil */
};

struct attila_memory {
   uint32_t size;
   simple_mtx_t *lock;
   bool (*reclaim)(struct attila_memory *memory);
   struct util_vma_heap heap;
   struct util_vma_heap reserve; /* the end of the memory: see attila_bo_alloc_reserved */
   uint32_t reserve_start;
   /* Never allocated: from untouched to untouched_end, and from untouched_reserve on. */
   uint32_t untouched, untouched_end, untouched_reserve;
   struct util_dynarray frees; /* struct attila_pending_free */
   uint64_t pending;           /* bytes of these */
   uint64_t epoch;             /* read and written with p_atomic */
   struct attila_done done;
   bool keep_freed;
};

/* lock: held while the memory is changed. reclaim: called without the lock when an allocation
 * fails; it frees what it can and returns false if that cannot help. keep_freed: freed memory is
 * not reused before all memory is used up. */
bool attila_memory_init(struct attila_memory *memory, uint32_t size, simple_mtx_t *lock,
                        bool (*reclaim)(struct attila_memory *memory), bool keep_freed);
void attila_memory_finish(struct attila_memory *memory);

/* Allocates; when memory is short, waits for the GPU to give back what was freed. Clears *bo and
 * returns false when there is none. */
bool attila_bo_alloc(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                     struct attila_bo *bo);
/* For what drawing itself needs (programs, streamed vertices, staging). May take memory from a
 * reserve that the application's objects never get, so that a program that has used up the memory
 * still draws. */
bool attila_bo_alloc_reserved(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                              struct attila_bo *bo);
/* Gives memory back once commands recorded up to now are done. bo may be empty. */
void attila_bo_free(struct attila_memory *memory, struct attila_bo *bo);

/* Bytes that an allocation may get: those of pending frees are waited for. */
uint64_t attila_memory_available(const struct attila_memory *memory);

/* More has been executed: frees that are older become available. The lock is held. */
void attila_memory_done(struct attila_memory *memory, const struct attila_done *done);

#endif
