/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Allocations that the simulator needs: a failure ends the process with a message and status 3. Not
 * here: allocations whose failure an application survives, which return errors. */
#ifndef SIM_XALLOC_H
#define SIM_XALLOC_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static inline _Noreturn void
sim_out_of_memory(void)
{
   fprintf(stderr, "attila: out of host memory\n");
   _exit(3); /* no core dump: this is no defect */
}

/* Returns p, which is not NULL. */
static inline void *
sim_xcheck(void *p)
{
   if (__builtin_expect(!p, 0))
      sim_out_of_memory();
   return p;
}

/* Does what the C library's function does, but never returns NULL. */
static inline void *
sim_xmalloc(size_t size)
{
   return sim_xcheck(malloc(size));
}

static inline void *
sim_xcalloc(size_t num, size_t size)
{
   return sim_xcheck(calloc(num, size));
}

static inline void *
sim_xrealloc(void *p, size_t size)
{
   return sim_xcheck(realloc(p, size));
}

static inline void *
sim_xaligned_alloc(size_t alignment, size_t size)
{
   return sim_xcheck(aligned_alloc(alignment, size));
}

#endif
