/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Declarations that the files of libattila-hook.so share. */
#ifndef APP_HOOK_H
#define APP_HOOK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define EXPORT __attribute__((visibility("default")))

extern unsigned hook_frame; /* swaps so far */

void *hook_next(const char *name); /* the function of that name behind this library */
void *hook_gl(const char *name);   /* a function of OpenGL or GLX, wherever it was loaded */

/* app_hook_query.c: returns the replacement of the function of that name, or NULL */
void *hook_query_function(const char *name);

/* app_hook_clock.c. A call from Mesa's own code sees the real clock. */
bool hook_clock_is_fixed(const void *caller);
void hook_clock_frame(void);           /* a frame has ended, in this thread */
void hook_clock_waited(uint64_t ns);   /* this thread has waited */
uint64_t hook_clock_now(clockid_t id); /* 0: a clock that is not replaced */

#endif
