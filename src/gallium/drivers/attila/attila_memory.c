/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory allocation and deferred reuse. Not here: what memory contains.
 *
 * Every free gets an epoch number. A context notes the epoch at which it began to record the
 * commands it has not submitted yet (open_epoch). When the GPU has gone idle, frees older than
 * every open recording are certainly unused.
 */
#include "attila_memory.h"

#include "attila_context.h"
#include "attila_screen.h"
#include "util/macros.h"

#define FIRST_ADDRESS 4096 /* below it nothing is allocated: address 0 means "not bound" */

/* From this size on allocations are made from the top down, so that small ones do not break up the
 * room for them. */
#define LARGE_SIZE (64u << 20)

/* Kept for attila_bo_alloc_reserved: a sixteenth of the memory within these bounds. */
#define RESERVE_MIN (2u << 20)
#define RESERVE_MAX (8u << 20)

struct attila_pending_free {
   struct attila_bo bo;
   uint64_t epoch;
};

bool
attila_memory_init(struct attila_memory *memory, uint32_t size)
{
   const uint32_t reserve = CLAMP(size / 16, RESERVE_MIN, RESERVE_MAX);
   if (size <= FIRST_ADDRESS + reserve)
      return false;
   memory->reserve_start = size - reserve;
   util_vma_heap_init(&memory->heap, FIRST_ADDRESS, memory->reserve_start - FIRST_ADDRESS);
   util_vma_heap_init(&memory->reserve, memory->reserve_start, reserve);
   memory->reserve.alloc_high = false;
   util_dynarray_init(&memory->frees, NULL);
   memory->epoch = 1;
   return true;
}

static void
release(struct attila_memory *memory, const struct attila_bo *bo)
{
   util_vma_heap_free(bo->address < memory->reserve_start ? &memory->heap : &memory->reserve,
                      bo->address, bo->size);
}

void
attila_memory_finish(struct attila_memory *memory)
{
   util_dynarray_foreach(&memory->frees, struct attila_pending_free, f) release(memory, &f->bo);
   util_dynarray_fini(&memory->frees);
   util_vma_heap_finish(&memory->heap);
   util_vma_heap_finish(&memory->reserve);
}

uint64_t
attila_memory_mark(struct attila_screen *screen)
{
   simple_mtx_lock(&screen->lock);
   uint64_t mark = screen->memory.epoch;
   list_for_each_entry (struct attila_context, ctx, &screen->contexts, link)
      mark = MIN2(mark, ctx->cs.open_epoch);
   simple_mtx_unlock(&screen->lock);
   return mark;
}

void
attila_memory_idle(struct attila_screen *screen, uint64_t mark)
{
   simple_mtx_lock(&screen->lock);
   struct util_dynarray *frees = &screen->memory.frees;
   unsigned total = util_dynarray_num_elements(frees, struct attila_pending_free), done = 0;
   struct attila_pending_free *list = frees->data;
   while (done < total && list[done].epoch < mark) {
      release(&screen->memory, &list[done].bo);
      done++;
   }
   if (done) {
      memmove(list, list + done, (total - done) * sizeof(*list));
      frees->size = (total - done) * sizeof(*list);
   }
   simple_mtx_unlock(&screen->lock);
}

static bool
allocate(struct attila_screen *screen, uint64_t size, uint32_t alignment, bool reserved,
         struct attila_bo *bo)
{
   struct attila_memory *memory = &screen->memory;
   bo->address = bo->size = 0;
   size = ALIGN_POT(MAX2(size, 1), 64);
   if (size > screen->memory_size)
      return false;

   for (unsigned attempt = 0; attempt < 2; attempt++) {
      simple_mtx_lock(&screen->lock);
      memory->heap.alloc_high = size >= LARGE_SIZE;
      uint64_t address = util_vma_heap_alloc(&memory->heap, size, MAX2(alignment, 64));
      if (!address && reserved)
         address = util_vma_heap_alloc(&memory->reserve, size, MAX2(alignment, 64));
      simple_mtx_unlock(&screen->lock);
      if (address) {
         bo->address = (uint32_t)address;
         bo->size = (uint32_t)size;
         return true;
      }
      /* Reading anything waits until the GPU is idle. */
      uint32_t word;
      attila_cs_submit_all(screen);
      if (!attila_screen_read(screen, FIRST_ADDRESS, &word, sizeof(word)))
         return false;
   }
   return false;
}

bool
attila_bo_alloc(struct attila_screen *screen, uint64_t size, uint32_t alignment,
                struct attila_bo *bo)
{
   return allocate(screen, size, alignment, false, bo);
}

bool
attila_bo_alloc_reserved(struct attila_screen *screen, uint64_t size, uint32_t alignment,
                         struct attila_bo *bo)
{
   return allocate(screen, size, alignment, true, bo);
}

void
attila_bo_free(struct attila_screen *screen, struct attila_bo *bo)
{
   if (!bo->size)
      return;
   simple_mtx_lock(&screen->lock);
   struct attila_pending_free f = {*bo, screen->memory.epoch++};
   util_dynarray_append(&screen->memory.frees, struct attila_pending_free, f);
   simple_mtx_unlock(&screen->lock);
   bo->address = bo->size = 0;
}
