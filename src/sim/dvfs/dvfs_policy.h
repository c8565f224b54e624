/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a policy is and what it may do. A policy is one file, such as dvfs_watermark.c, with a const
 * struct dvfs_policy dvfs_policy_NAME, and one line in SIM_DVFS_POLICIES
 * (config/sim_dvfs_config.h). It runs between two ticks, may read everything, and changes only
 * frequencies and the begin of frames. */
#ifndef DVFS_POLICY_H
#define DVFS_POLICY_H

#include "config/sim_dvfs_config.h"
#include "dvfs/dvfs.h"

struct dvfs_policy {
   /* Each function may be NULL. init returns false with a message on failure. */
   bool (*init)(struct dvfs *d, char *error, size_t error_size);
   void (*fini)(struct dvfs *d);
   /* Domains have their first frequencies. */
   void (*start)(struct dvfs *d);
   /* Runs every SampleCycles. */
   void (*sample)(struct dvfs *d, sim_tick now);
   /* A frame has ended; next is the number of the next one. */
   void (*frame)(struct dvfs *d, uint32_t next, sim_tick now);
};

/* A queue: all signals with one name. */
struct dvfs_queue {
   const struct sim_signal *signal[SIM_MAX_BOXES];
   unsigned num;
   uint64_t capacity;
};

struct dvfs {
   struct sim_observer observer; /* the first member */
   struct sim_gpu *gpu;
   struct sim_kernel *kernel;
   const struct sim_config *keys;
   struct sim_dvfs_config config;
   const struct dvfs_policy *policy;
   sim_tick sample_ticks;
   uint64_t still;                   /* fine ticks of a transition */
   sim_tick transition;              /* still in ticks, rounded up */
   sim_tick frame_ticks;             /* ticks of 1 / FrameRate */
   sim_tick began, due;              /* begin of the present frame; its deadline */
   sim_tick work_from;               /* tick of the first scaled domain at began */
   struct dvfs_queue queue;          /* for WATERMARK */
   sim_tick full_since, empty_since; /* 0: not full, not empty */
   sim_tick work[16]; /* for DEADLINE: work of the last frames, in ticks of the scaled domains */
   unsigned num_work;
   sim_tick expected;            /* work of the present frame; 0: unknown */
   void (*call)(struct dvfs *d); /* the function of dvfs_at */
   sim_tick *known;              /* for ORACLE: [frame]: ticks */
   uint32_t num_known;
};

/* Returns the domain's frequency in percent of the nominal one. */
unsigned dvfs_percent(const struct dvfs *d, unsigned domain);
/* Sets frequency and voltage of a domain. Does nothing if they stay the same. */
void dvfs_set(struct dvfs *d, unsigned domain, unsigned percent, const char *reason);
/* Does the same for all domains of DVFS.Scaled. */
void dvfs_set_scaled(struct dvfs *d, unsigned percent, const char *reason);
/* Steps down, not below MinFrequency. */
void dvfs_step_down(struct dvfs *d, unsigned domain, const char *reason);
/* Returns how full the queue is, in percent. */
unsigned dvfs_queue_fill(const struct dvfs_queue *q);
/* Returns the work of the present frame, as time at nominal frequency: the ticks of the first
 * scaled domain since the frame began. */
sim_tick dvfs_work(const struct dvfs *d);
/* Returns the lowest step that does this work in the time of a frame less Margin, or 100 if no step
 * does. */
unsigned dvfs_percent_for(const struct dvfs *d, sim_tick work);
/* Begins the next frame at the deadline of the frame that has ended, or now if that is past. Call
 * it after frequencies were changed. */
void dvfs_next_frame(struct dvfs *d, sim_tick now);
/* Calls d->call once, at the given time. */
void dvfs_at(struct dvfs *d, sim_tick time, void (*call)(struct dvfs *d));

#define P(name, file, doc) extern const struct dvfs_policy dvfs_policy_##file;
SIM_DVFS_POLICIES(P)
#undef P

#endif
