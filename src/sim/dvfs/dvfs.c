/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Calls the policy, and does what it decides: announces a change of a DVFS domain's frequency and
 * makes it. Not here: the policies, one file each. */
#include "dvfs/dvfs_policy.h"
#include "core/sim_dvfs.h"

#include <stdlib.h>
#include <string.h>

static const struct dvfs_policy *const policies[] = {
#define P(name, file, doc) &dvfs_policy_##file,
    SIM_DVFS_POLICIES(P)
#undef P
};

unsigned
dvfs_percent(const struct dvfs *d, unsigned domain)
{
   return sim_dvfs_state(d->kernel, domain)->percent;
}

static void
dvfs_announce_change(struct dvfs *d, unsigned domain, unsigned percent, uint64_t still,
                     const char *reason)
{
   const struct sim_clock_change change = {.domain = domain,
                                           .percent = percent,
                                           .voltage = sim_dvfs_voltage(d->keys, percent),
                                           .still_ns =
                                               (double)still / SIM_FINE * d->kernel->ns_per_tick,
                                           .reason = reason};
   SIM_EVENT(&d->gpu->device->observed, clock, &change);
}

static void
dvfs_set_frequency(struct dvfs *d, unsigned domain, unsigned percent, uint64_t still,
                   const char *reason)
{
   if (percent == dvfs_percent(d, domain))
      return;
   dvfs_announce_change(d, domain, percent, still, reason);
   sim_dvfs_set(d->kernel, domain, percent, sim_dvfs_voltage(d->keys, percent), still);
}

void
dvfs_set(struct dvfs *d, unsigned domain, unsigned percent, const char *reason)
{
   dvfs_set_frequency(d, domain, percent, d->still, reason);
}

void
dvfs_set_scaled(struct dvfs *d, unsigned percent, const char *reason)
{
   for (unsigned i = 0; i < d->config.num_domains; i++) {
      if (d->config.scaled >> i & 1)
         dvfs_set(d, i, percent, reason);
   }
}

void
dvfs_step_down(struct dvfs *d, unsigned domain, const char *reason)
{
   const unsigned now = dvfs_percent(d, domain), low = d->keys->dvfs.min_frequency,
                  step = d->keys->dvfs.step;
   if (now > low)
      dvfs_set(d, domain, now > low + step ? now - step : low, reason);
}

unsigned
dvfs_queue_fill(const struct dvfs_queue *q)
{
   uint64_t here = 0;
   for (unsigned i = 0; i < q->num; i++)
      here += q->signal[i]->tail - q->signal[i]->head;
   return (unsigned)(here * 100 / q->capacity);
}

/* --- Frames --- */

static unsigned
dvfs_first_scaled(const struct dvfs *d)
{
   return d->config.scaled ? (unsigned)__builtin_ctz(d->config.scaled) : 0;
}

sim_tick
dvfs_work(const struct dvfs *d)
{
   return d->kernel->dvfs->clock[dvfs_first_scaled(d)].now - d->work_from;
}

unsigned
dvfs_percent_for(const struct dvfs *d, sim_tick work)
{
   const unsigned low = d->keys->dvfs.min_frequency, step = d->keys->dvfs.step;
   const sim_tick time = d->frame_ticks / 100 * (100 - d->keys->dvfs.margin);
   for (unsigned percent = low; percent < 100; percent += step) {
      if (work * 100 <= time * percent)
         return percent;
   }
   return 100;
}

void
dvfs_next_frame(struct dvfs *d, sim_tick now)
{
   d->began = d->due > now ? d->due : now;
   d->due = d->began + d->frame_ticks;
   d->gpu->hold_until = d->began > now ? d->began : 0;
   d->work_from = sim_dvfs_tick(d->kernel, dvfs_first_scaled(d), d->began);
}

/* data is &d->call, because the kernel tells calls apart by data, and d itself stands for
 * samples. */
static void
dvfs_call_now(void *data, sim_tick now)
{
   struct dvfs *d = (struct dvfs *)((uint8_t *)data - offsetof(struct dvfs, call));
   d->call(d);
}

void
dvfs_at(struct dvfs *d, sim_tick time, void (*call)(struct dvfs *d))
{
   d->call = call;
   sim_kernel_call_at(d->kernel, time, dvfs_call_now, &d->call);
}

static void
dvfs_frame_ended(struct sim_observer *o, const struct sim_frame_end *end)
{
   struct dvfs *d = (struct dvfs *)o;
   const struct sim_observed *run = &d->gpu->device->observed;
   /* A frame of functional mode has no time. */
   if (d->policy->frame && end->tick > run->began)
      d->policy->frame(d, run->frame + 1, d->kernel->now);
}

static const struct sim_observer_class dvfs_observer = {.frame_ended = dvfs_frame_ended};

static void
dvfs_sample(void *data, sim_tick now)
{
   struct dvfs *d = data;
   d->policy->sample(d, now);
   sim_kernel_call_at(d->kernel, now + d->sample_ticks, dvfs_sample, d);
}

/* --- Creation --- */

/* Finds the queue of WATERMARK among the signals of the machine. */
static bool
dvfs_find_queue(struct dvfs *d, char *error, size_t error_size)
{
   struct dvfs_queue *q = &d->queue;
   for (unsigned i = 0; i < d->kernel->num_boxes; i++) {
      const struct sim_box *b = d->kernel->boxes[i];
      for (unsigned n = 0; n < b->num_in && q->num < SIM_MAX_BOXES; n++) {
         if (strcmp(b->in[n]->name, d->keys->dvfs.queue))
            continue;
         q->signal[q->num++] = b->in[n];
         q->capacity += b->in[n]->capacity;
      }
   }
   if (!q->num)
      snprintf(error, error_size,
               "DVFS.Queue = \"%s\": the machine has no signal of this name; those of "
               "src/sim/units/units.h are meant, as ts_tt, hz_interp or interp_ffu",
               d->keys->dvfs.queue);
   return q->num != 0;
}

void
dvfs_announce(struct dvfs *d)
{
   for (unsigned i = 0; i < d->config.num_domains; i++)
      SIM_EVENT(&d->gpu->device->observed, clock_domain, i, d->config.domain[i].name);
   for (unsigned i = 0; i < d->config.num_domains; i++) {
      if (dvfs_percent(d, i) != 100)
         dvfs_announce_change(d, i, dvfs_percent(d, i), 0, "start");
   }
}

struct dvfs *
dvfs_create(struct sim_gpu *gpu, char *error, size_t error_size)
{
   struct dvfs *d = calloc(1, sizeof(*d));
   if (!d) {
      snprintf(error, error_size, "out of host memory");
      return NULL;
   }
   struct sim_kernel *k = &gpu->kernel;
   const double ticks_per_ns = 1.0 / k->ns_per_tick;
   d->gpu = gpu;
   d->kernel = k;
   d->keys = &gpu->config;
   const bool ok = sim_dvfs_config_read(&d->config, d->keys, error, error_size);
   d->policy = policies[ok ? d->config.policy : 0];
   d->sample_ticks = d->keys->dvfs.sample * k->period[SIM_DOMAIN_GPU];
   d->still = (uint64_t)(d->keys->dvfs.transition * ticks_per_ns * SIM_FINE);
   d->transition = (d->still + SIM_FINE - 1) / SIM_FINE;
   d->frame_ticks = (sim_tick)(1e9 / d->keys->dvfs.frame_rate * ticks_per_ns);
   d->due = d->frame_ticks;
   if (!ok || (d->config.policy == SIM_DVFS_WATERMARK && !dvfs_find_queue(d, error, error_size)) ||
       (d->policy->init && !d->policy->init(d, error, error_size))) {
      dvfs_destroy(d);
      return NULL;
   }
   d->observer.cls = &dvfs_observer;
   sim_observe(&gpu->device->observed, &d->observer);
   dvfs_announce(d);
   for (unsigned i = 1; i < d->config.num_domains; i++)
      dvfs_set_frequency(d, i, d->config.domain[i].percent, 0, "start");
   if (d->policy->start)
      d->policy->start(d);
   if (d->policy->sample)
      sim_kernel_call_at(k, k->now + d->sample_ticks, dvfs_sample, d);
   return d;
}

void
dvfs_destroy(struct dvfs *d)
{
   if (!d)
      return;
   sim_observe_no_more(&d->gpu->device->observed, &d->observer);
   if (d->policy && d->policy->fini)
      d->policy->fini(d);
   free(d);
}
