/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A program's own SQLite, as Firefox has one, for LD_PRELOAD: the driver must not call it. */
#include <stdio.h>
#include <stdlib.h>

int sqlite3_open_v2(const char *name, void **db, int flags, const char *vfs);

__attribute__((visibility("default"))) int
sqlite3_open_v2(const char *name, void **db, int flags, const char *vfs)
{
   (void)db, (void)flags, (void)vfs;
   fprintf(stderr, "the program's SQLite was to open %s\n", name);
   abort();
}
