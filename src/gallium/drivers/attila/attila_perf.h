/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Reports why something is slow to the application (KHR_debug, type "performance") and, with
 * ATTILA_DEBUG=perf, to stderr. */
#ifndef ATTILA_PERF_H
#define ATTILA_PERF_H

#include "attila_cs.h"
#include "attila_debug.h"
#include "attila_screen.h"
#include "util/log.h"
#include "util/u_debug.h"

/* attila_perf(cs, "format", ...): reports one sentence, without a full stop. */
#define attila_perf(cs, ...)                                   \
   do {                                                        \
      if (unlikely((cs)->screen->debug & ATTILA_DEBUG_PERF))   \
         mesa_logi("attila: slow: " __VA_ARGS__);              \
      util_debug_message((cs)->debug, PERF_INFO, __VA_ARGS__); \
   } while (0)

#endif
