/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Functions that are inlined whatever the compiler thinks. */
#ifndef SIM_INLINE_H
#define SIM_INLINE_H

/* Arguments that are constants choose the code of such a function. Sanitizers would check every
 * copy of it, and a kernel of the emulator would take minutes to compile. */
#if defined(__SANITIZE_ADDRESS__)
#define SIM_INLINE static __attribute__((noinline, unused))
#else
#define SIM_INLINE static inline __attribute__((always_inline))
#endif

#endif
