/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Memory at whose end a read crashes, for arrays that a driver must not read behind. */
#ifndef MEMORY_BEFORE_END_H
#define MEMORY_BEFORE_END_H

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
#include "egl_util.h"

/* size: a multiple of 8 bytes. Ends the test if there is no memory. */
static inline void *
util_memory_before_end(size_t size)
{
   const size_t page = (size_t)sysconf(_SC_PAGESIZE), room = (size + page - 1) / page * page;
   uint8_t *memory =
       mmap(NULL, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
   CHECK(memory != MAP_FAILED && !mprotect(memory + room, page, PROT_NONE), "no memory");
   return memory + room - size;
}

#endif
