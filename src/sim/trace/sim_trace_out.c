/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The file of a trace. It is written in large pieces that end with whole packets, so that it is
 * usable however the process ends. Its size is limited. Not here: what is in it. */
#include "trace/sim_tracer_impl.h"

#include <stdlib.h>
#include <string.h>

#define PIECE (1u << 20)

bool
trace_out_open(struct trace_out *o, const char *path, uint64_t limit, char *error,
               size_t error_size)
{
   *o = (struct trace_out){.limit = limit, .capacity = PIECE + 2 * TRACE_ROOM};
   o->data = malloc(o->capacity);
   if (!o->data) {
      snprintf(error, error_size, "out of host memory");
      return false;
   }
   o->file = sim_file_create_numbered(path, "traces", error, error_size);
   if (o->file)
      sim_file_mark_used(o->file);
   return o->file != NULL;
}

void
trace_out_flush(struct trace_out *o, bool all)
{
   if (o->size < PIECE && !all)
      return;
   if (o->file && o->size && !o->failed && sim_file_usable(o->file)) {
      o->failed = !sim_file_write(o->file, o->data, o->size);
      if (o->failed)
         fprintf(stderr, "attila: error: %s: %s: the trace ends here\n", o->file->path,
                 strerror(o->file->error));
      o->written += o->size;
      o->full = o->written >= o->limit;
   }
   o->size = 0;
}

bool
trace_out_close(struct trace_out *o)
{
   trace_out_flush(o, true);
   const bool ok = sim_file_close(o->file) && !o->failed;
   o->file = NULL;
   free(o->data);
   o->data = NULL;
   return ok;
}
