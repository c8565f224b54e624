/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * GPU memory: allocation and deferred reuse. Every free has an epoch. A stream notes the epoch of
 * its oldest command that is not submitted (open_epoch). Once a command that waits for all others
 * has executed, memory that was freed before this command was recorded is unused, unless the oldest
 * command of another stream is older. The memory of a render target also needs a flush after the
 * free, as ROP caches may hold pixels of it. Not here: what memory contains. */
#include "attila_bo.h"

#include "hw/attila_cmd.h"
#include "util/macros.h"
#include "util/u_atomic.h"

/* Allocations from this size on come from the top of memory, so that small ones do not fragment
 * it. */
#define LARGE_SIZE (64u << 20)

/* The reserve of attila_bo_alloc_reserved is a sixteenth of memory, within these bounds. */
#define RESERVE_MIN (2u << 20)
#define RESERVE_MAX (8u << 20)

struct attila_pending_free {
   struct attila_bo bo;
   uint64_t epoch;
};

bool
attila_memory_init(struct attila_memory *memory, uint32_t size, simple_mtx_t *lock,
                   bool (*reclaim)(struct attila_memory *memory), bool keep_freed)
{
   const uint32_t reserve = CLAMP(size / 16, RESERVE_MIN, RESERVE_MAX);
   if (size <= ATTILA_FIRST_ADDRESS + reserve)
      return false;
   memory->reserve_start = size - reserve;
   util_vma_heap_init(&memory->heap, ATTILA_FIRST_ADDRESS,
                      memory->reserve_start - ATTILA_FIRST_ADDRESS);
   util_vma_heap_init(&memory->reserve, memory->reserve_start, reserve);
   memory->reserve.alloc_high = false;
   memory->untouched = ATTILA_FIRST_ADDRESS;
   memory->untouched_end = memory->untouched_reserve = memory->reserve_start;
   util_dynarray_init(&memory->frees, NULL);
   memory->size = size;
   memory->lock = lock;
   memory->reclaim = reclaim;
   memory->pending = 0;
   memory->epoch = 1;
   memory->keep_freed = keep_freed;
   return true;
}

static void
attila_bo_release(struct attila_memory *memory, const struct attila_bo *bo)
{
   util_vma_heap_free(bo->address < memory->reserve_start ? &memory->heap : &memory->reserve,
                      bo->address, bo->size);
}

void
attila_memory_finish(struct attila_memory *memory)
{
   util_dynarray_foreach(&memory->frees, struct attila_pending_free, f)
       attila_bo_release(memory, &f->bo);
   util_dynarray_fini(&memory->frees);
   util_vma_heap_finish(&memory->heap);
   util_vma_heap_finish(&memory->reserve);
}

uint64_t
attila_memory_available(const struct attila_memory *memory)
{
   return memory->heap.free_size + memory->reserve.free_size + memory->pending;
}

static bool
attila_bo_is_unused(const struct attila_pending_free *f, const struct attila_done *done)
{
   return f->epoch < done->idle &&
          (!(f->bo.caches & ATTILA_FLUSH_COLOR) || f->epoch < done->color) &&
          (!(f->bo.caches & ATTILA_FLUSH_ZS) || f->epoch < done->zs);
}

void
attila_memory_done(struct attila_memory *memory, const struct attila_done *done)
{
   const struct attila_done old = memory->done;
   memory->done = (struct attila_done){MAX2(old.idle, done->idle), MAX2(old.color, done->color),
                                       MAX2(old.zs, done->zs)};
   if (memory->keep_freed || !memcmp(&memory->done, &old, sizeof(old)))
      return;
   struct attila_pending_free *list = memory->frees.data;
   const unsigned total = util_dynarray_num_elements(&memory->frees, struct attila_pending_free);
   unsigned kept = 0;
   for (unsigned i = 0; i < total; i++) {
      if (attila_bo_is_unused(&list[i], &memory->done)) {
         attila_bo_release(memory, &list[i].bo);
         memory->pending -= list[i].bo.size;
      } else {
         list[kept++] = list[i];
      }
   }
   memory->frees.size = kept * sizeof(*list);
}

/* Marks memory as allocated; returns whether this is the first time. Small allocations grow from
 * the bottom, large ones from the top. */
static bool
attila_bo_touch(struct attila_memory *memory, uint32_t address, uint32_t size)
{
   const uint32_t end = address + size;
   if (address >= memory->reserve_start) {
      const bool zero = address >= memory->untouched_reserve;
      memory->untouched_reserve = MAX2(memory->untouched_reserve, end);
      return zero;
   }
   const bool zero = address >= memory->untouched && end <= memory->untouched_end;
   if (memory->heap.alloc_high)
      memory->untouched_end = MIN2(memory->untouched_end, address);
   else
      memory->untouched = MAX2(memory->untouched, end);
   return zero;
}

static bool
attila_bo_allocate(struct attila_memory *memory, uint64_t size, uint32_t alignment, bool reserved,
                   struct attila_bo *bo)
{
   *bo = (struct attila_bo){0};
   size = ALIGN_POT(MAX2(size, 1), 64);
   if (size > memory->size)
      return false;

   for (unsigned attempt = 0; attempt < 2; attempt++) {
      simple_mtx_lock(memory->lock);
      memory->heap.alloc_high = size >= LARGE_SIZE;
      uint64_t address = util_vma_heap_alloc(&memory->heap, size, MAX2(alignment, 64));
      if (!address && reserved)
         address = util_vma_heap_alloc(&memory->reserve, size, MAX2(alignment, 64));
      if (address) {
         bo->address = (uint32_t)address;
         bo->size = (uint32_t)size;
         bo->zero = attila_bo_touch(memory, bo->address, bo->size);
      }
      simple_mtx_unlock(memory->lock);
      if (address)
         return true;
      if (!memory->reclaim(memory))
         return false;
   }
   return false;
}

bool
attila_bo_alloc(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                struct attila_bo *bo)
{
   return attila_bo_allocate(memory, size, alignment, false, bo);
}

bool
attila_bo_alloc_reserved(struct attila_memory *memory, uint64_t size, uint32_t alignment,
                         struct attila_bo *bo)
{
   return attila_bo_allocate(memory, size, alignment, true, bo);
}

void
attila_bo_free(struct attila_memory *memory, struct attila_bo *bo)
{
   if (!bo->size)
      return;
   simple_mtx_lock(memory->lock);
   struct attila_pending_free f = {*bo, p_atomic_inc_return(&memory->epoch) - 1};
   util_dynarray_append(&memory->frees, struct attila_pending_free, f);
   memory->pending += bo->size;
   simple_mtx_unlock(memory->lock);
   *bo = (struct attila_bo){0};
}
