/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * LD_PRELOAD: a program that opens $SWAP_TRACE_FROM with the driver attila gets $SWAP_TRACE_TO
 * instead. So the driver replays a trace with an error that the reference does not have
 * (compare_tools.sh). */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

FILE *fopen64(const char *path, const char *mode);

FILE *
fopen64(const char *path, const char *mode)
{
   FILE *(*next)(const char *, const char *) =
       (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen64");
   const char *driver = getenv("GALLIUM_DRIVER"), *from = getenv("SWAP_TRACE_FROM"),
              *to = getenv("SWAP_TRACE_TO");
   if (driver && from && to && !strcmp(driver, "attila") && !strcmp(path, from))
      path = to;
   return next(path, mode);
}
