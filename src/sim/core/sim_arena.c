/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A machine's memory (core/sim_arena.h): blocks of address space, which the system backs as they
 * are touched. Under the address sanitizer each allocation is separate, so that it sees accesses
 * outside. Not here: objects that come and go (core/sim_pool.h). */
#include "core/sim_arena.h"
#include "core/sim_xalloc.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define BLOCK_BYTES ((size_t)32 << 20) /* of address space, not memory */
#define ALIGNMENT ((size_t)64)

/* Boxes of several threads may allocate, but seldom do. */
static pthread_mutex_t arena_lock = PTHREAD_MUTEX_INITIALIZER;

struct sim_arena_block {
   struct sim_arena_block *older;
   size_t mapped; /* bytes; 0: separate allocations */
   void *start;   /* the mapping's */
};
_Static_assert(sizeof(struct sim_arena_block) <= ALIGNMENT, "a block begins with its record");

void
sim_huge_pages(void *memory, size_t size)
{
#ifdef MADV_HUGEPAGE
   madvise(memory, size, MADV_HUGEPAGE);
#else
   (void)memory;
   (void)size;
#endif
}

static size_t
arena_round_up(size_t size, size_t unit)
{
   return (size + unit - 1) / unit * unit;
}

#ifdef __SANITIZE_ADDRESS__
void *
sim_arena_alloc(struct sim_arena *a, size_t size)
{
   char *p = aligned_alloc(ALIGNMENT, ALIGNMENT + arena_round_up(size, ALIGNMENT));
   if (!p)
      sim_out_of_memory();
   memset(p, 0, ALIGNMENT + size);
   struct sim_arena_block *b = (struct sim_arena_block *)p;
   pthread_mutex_lock(&arena_lock);
   *b = (struct sim_arena_block){.older = a->blocks};
   a->blocks = b;
   pthread_mutex_unlock(&arena_lock);
   return p + ALIGNMENT;
}
#else
/* Adds a block with room for size bytes, aligned to huge pages. */
static void
arena_add_block(struct sim_arena *a, size_t size)
{
   const size_t bytes =
       size + ALIGNMENT > BLOCK_BYTES ? arena_round_up(size + ALIGNMENT, HUGE_PAGE) : BLOCK_BYTES;
   const size_t mapped = bytes + HUGE_PAGE;
   char *start = mmap(NULL, mapped, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
   if (start == MAP_FAILED)
      sim_out_of_memory();
   char *first = start + (HUGE_PAGE - (size_t)start % HUGE_PAGE) % HUGE_PAGE;
   sim_huge_pages(first, bytes);
   struct sim_arena_block *b = (struct sim_arena_block *)first;
   *b = (struct sim_arena_block){.older = a->blocks, .mapped = mapped, .start = start};
   a->blocks = b;
   a->next = first + ALIGNMENT;
   a->left = bytes - ALIGNMENT;
}

void *
sim_arena_alloc(struct sim_arena *a, size_t size)
{
   size = arena_round_up(size, ALIGNMENT);
   pthread_mutex_lock(&arena_lock);
   if (a->left < size)
      arena_add_block(a, size);
   void *p = a->next;
   a->next += size;
   a->left -= size;
   pthread_mutex_unlock(&arena_lock);
   return p;
}
#endif

void
sim_arena_fini(struct sim_arena *a)
{
   for (struct sim_arena_block *b = a->blocks, *older; b; b = older) {
      older = b->older;
      if (b->mapped)
         munmap(b->start, b->mapped);
      else
         free(b);
   }
   *a = (struct sim_arena){0};
}
