/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * How the OpenGL test programs say what is wrong, and where. Each decides itself whether it goes
 * on. */
#ifndef CHECK_H
#define CHECK_H

#include <stdio.h>

/* Unless condition holds: prints the place and the message, then does action. */
#define CHECK_OR(action, condition, ...)                 \
   do {                                                  \
      if (!(condition)) {                                \
         fprintf(stderr, "%s:%d: ", __FILE__, __LINE__); \
         fprintf(stderr, __VA_ARGS__);                   \
         fputc('\n', stderr);                            \
         action;                                         \
      }                                                  \
   } while (0)

#endif
