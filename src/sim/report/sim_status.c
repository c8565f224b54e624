/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The status line of a live program: where the simulator is, how fast it is, and what limited the
 * frame before. It is written over and over, on a terminal only, and taken away at the end.
 */
#include <stdio.h>
#include <time.h>
#include <unistd.h>
#include "report/sim_report_impl.h"

#define EVERY 0.25 /* seconds */

static double
seconds(clockid_t clock)
{
   struct timespec ts;
   clock_gettime(clock, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

void
report_status_start(struct sim_report *r, bool wanted)
{
   r->status.on = wanted && isatty(STDERR_FILENO) == 1;
   r->status.owner = getpid();
}

void
report_status(struct sim_report *r)
{
   struct report_status *s = &r->status;
   if (!s->on || s->owner != getpid())
      return;
   const double now = seconds(CLOCK_MONOTONIC);
   if (now - s->told < EVERY)
      return;
   const sim_tick period = r->kernel->period[SIM_DOMAIN_GPU];
   const uint64_t cycles = period ? r->kernel->now / period : 0;
   const double cpu = r->cpu + (r->working ? seconds(CLOCK_THREAD_CPUTIME_ID) - r->cpu_entered : 0);
   const char *limiter = r->frame_limits.limit[0].unit;
   const double rate = cpu > s->cpu ? (double)(cycles - s->cycles) / (cpu - s->cpu) * 1e-3 : 0.0;
   fprintf(stderr, "\rattila: frame %u, draw %u, %llu cycles, %.0f kcycles/s%s%s\033[K", r->frame,
           r->next_draw, (unsigned long long)cycles, rate, limiter ? ", limited by " : "",
           limiter ? limiter : "");
   s->told = now;
   s->cpu = cpu;
   s->cycles = cycles;
}

void
report_status_end(struct sim_report *r)
{
   if (r->status.on && r->status.told > 0 && r->status.owner == getpid())
      fputs("\r\033[K", stderr);
   r->status.told = 0;
}
