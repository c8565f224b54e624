/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the simulator cannot do without: allocations whose failure ends the process with a message.
 * Not here: those whose failure an application survives, which return an error to their caller.
 */
#ifndef SIM_CHECKED_H
#define SIM_CHECKED_H

#include <stdio.h>
#include <stdlib.h>

/* Does not return. */
static inline _Noreturn void
sim_out_of_memory(void)
{
   fprintf(stderr, "attila: out of host memory\n");
   abort();
}

/* p, what malloc, calloc, realloc or aligned_alloc returned: never NULL. */
static inline void *
sim_checked(void *p)
{
   if (__builtin_expect(!p, 0))
      sim_out_of_memory();
   return p;
}

#endif
