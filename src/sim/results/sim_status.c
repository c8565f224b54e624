/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the terminal shows during a run, with host times: a line per frame (progress), and the
 * status line: the simulator's position, its speed, and what limited the last frame. The status
 * line is rewritten in place, on a terminal only, and removed at the end. */
#include <stdio.h>
#include <unistd.h>
#include "results/sim_report_impl.h"

#define EVERY 0.25 /* seconds */

double
report_seconds(clockid_t clock)
{
   struct timespec ts;
   clock_gettime(clock, &ts);
   return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

double
report_kcycles_per_s(uint64_t cycles, const struct report_host_time *host)
{
   return host->cpu > 0 ? (double)cycles / host->cpu * 1e-3 : 0.0;
}

struct report_host_time
report_take_host_time(struct sim_report *r)
{
   double now = report_seconds(CLOCK_MONOTONIC_RAW), cpu = r->cpu;
   if (r->working)
      cpu += report_seconds(CLOCK_THREAD_CPUTIME_ID) - r->cpu_entered;
   const struct report_host_time host = {now - r->last_host, cpu - r->last_cpu};
   r->last_host = now;
   r->last_cpu = cpu;
   return host;
}

void
report_progress(const struct sim_report *r, uint64_t cycles, const struct report_host_time *host)
{
   char draws[32] = "";
   if (r->observed->passed_draws)
      snprintf(draws, sizeof(draws), "%u of ", r->observed->draws - r->observed->passed_draws);
   if (cycles)
      fprintf(stderr,
              "attila: frame %u: %s%u draws, %llu cycles, %.3f s of CPU in %.3f s, %.0f "
              "kcycles/s\n",
              r->observed->frame, draws, r->observed->draws, (unsigned long long)cycles, host->cpu,
              host->wall, report_kcycles_per_s(cycles, host));
   else
      fprintf(stderr, "attila: frame %u: %u draws, functional, %.3f s of CPU in %.3f s\n",
              r->observed->frame, r->observed->draws, host->cpu, host->wall);
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
   const double now = report_seconds(CLOCK_MONOTONIC);
   if (now - s->told < EVERY)
      return;
   const sim_tick period = r->measure->kernel->period[SIM_DOMAIN_GPU];
   const uint64_t cycles = period ? r->measure->kernel->now / period : 0;
   const double cpu =
       r->cpu + (r->working ? report_seconds(CLOCK_THREAD_CPUTIME_ID) - r->cpu_entered : 0);
   const char *limiter = r->frame_limits.limit[0].unit;
   const double rate = cpu > s->cpu ? (double)(cycles - s->cycles) / (cpu - s->cpu) * 1e-3 : 0.0;
   /* Writes to the descriptor, since stderr may escape control characters
    * (core/sim_printable.h). */
   dprintf(STDERR_FILENO, "\rattila: frame %u, draw %u, %llu cycles, %.0f kcycles/s%s%s\033[K",
           r->observed->frame, r->observed->draws, (unsigned long long)cycles, rate,
           limiter ? ", limited by " : "", limiter ? limiter : "");
   s->told = now;
   s->cpu = cpu;
   s->cycles = cycles;
}

void
report_status_end(struct sim_report *r)
{
   if (r->status.on && r->status.told > 0 && r->status.owner == getpid())
      dprintf(STDERR_FILENO, "\r\033[K");
   r->status.told = 0;
}
