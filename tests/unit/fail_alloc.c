/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * fail_alloc.so, for LD_PRELOAD: a heap that fails. FAIL_ALLOC_AT=N: the N-th allocation of the
 * process, from 1, returns NULL; FAIL_ALLOC_FROM=N: so do all from the N-th on. FAIL_ALLOC_COUNT=1:
 * the number of allocations is printed at the end. Not here: mappings (mmap), and glibc's own
 * allocations before the program's. */
#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

/* glibc's, under the names that it has for this. */
void *__libc_malloc(size_t size);
void *__libc_calloc(size_t num, size_t size);
void *__libc_realloc(void *p, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static atomic_ulong fail_num;
static unsigned long fail_at, fail_from;

__attribute__((constructor)) static void
fail_begin(void)
{
   const char *at = getenv("FAIL_ALLOC_AT"), *from = getenv("FAIL_ALLOC_FROM");
   fail_num = 0;
   fail_at = at ? strtoul(at, NULL, 10) : 0;
   fail_from = from ? strtoul(from, NULL, 10) : 0;
}

__attribute__((destructor)) static void
fail_end(void)
{
   const unsigned long num = fail_num;
   if (getenv("FAIL_ALLOC_COUNT"))
      fprintf(stderr, "allocations: %lu\n", num);
}

static _Bool
fail_now(void)
{
   const unsigned long num = ++fail_num;
   if (num != fail_at && (!fail_from || num < fail_from))
      return 0;
   errno = ENOMEM;
   return 1;
}

void *
malloc(size_t size)
{
   return fail_now() ? NULL : __libc_malloc(size);
}

void *
calloc(size_t num, size_t size)
{
   return fail_now() ? NULL : __libc_calloc(num, size);
}

void *
realloc(void *p, size_t size)
{
   return fail_now() ? NULL : __libc_realloc(p, size);
}

void *
aligned_alloc(size_t alignment, size_t size)
{
   return fail_now() ? NULL : __libc_memalign(alignment, size);
}

int
posix_memalign(void **p, size_t alignment, size_t size)
{
   void *made = fail_now() ? NULL : __libc_memalign(alignment, size);
   if (!made)
      return ENOMEM;
   *p = made;
   return 0;
}
