/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * With ATTILA_HOOK_FINISH set, a program's glBeginQuery first waits until all work before it is
 * done. A driver that collects the draws of a frame and rasters tile by tile (llvmpipe) starts all
 * of them in the first tile and ends them in the last: each would seem to take as long as the
 * frame. Alone, a draw has its own time. Not for hardware, whose queries count correctly. */
#include <stdlib.h>
#include <string.h>

#include "app_hook.h"

typedef void (*begin_fn)(unsigned, unsigned);
typedef void (*finish_fn)(void);

static void
app_hook_query_begin_query(unsigned target, unsigned query)
{
   const finish_fn finish = (finish_fn)hook_gl("glFinish");
   const begin_fn begin = (begin_fn)hook_gl("glBeginQuery");
   if (finish)
      finish();
   if (begin)
      begin(target, query);
}

void *
hook_query_function(const char *name)
{
   if (strcmp(name, "glBeginQuery") || !getenv("ATTILA_HOOK_FINISH"))
      return NULL;
   return (void *)app_hook_query_begin_query;
}
