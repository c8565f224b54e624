/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The simulated GPU's floating point environment: rounding to nearest even, denormals are zero, as
 * in GPUs of its time. It holds while the simulator runs in an application's thread; after that the
 * application's environment is restored. */
#ifndef SIM_FP_H
#define SIM_FP_H

#include <stdint.h>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

typedef uint64_t sim_fp_state;

/* Enters that environment; returns what sim_fp_leave restores. */
static inline sim_fp_state
sim_fp_enter(void)
{
#if defined(__x86_64__)
   sim_fp_state before = _mm_getcsr();
   _mm_setcsr(0x9fc0); /* flush to zero, denormals are zero, no exceptions, to nearest */
   return before;
#elif defined(__aarch64__)
   sim_fp_state before;
   __asm__ volatile("mrs %0, fpcr" : "=r"(before));
   __asm__ volatile("msr fpcr, %0" : : "r"((sim_fp_state)1 << 24)); /* flush to zero */
   return before;
#else
#error "Say how this processor flushes denormals."
#endif
}

static inline void
sim_fp_leave(sim_fp_state before)
{
#if defined(__x86_64__)
   _mm_setcsr((unsigned)before);
#elif defined(__aarch64__)
   __asm__ volatile("msr fpcr, %0" : : "r"(before));
#endif
}

#endif
