/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What a policy is, what it may look at and what it may do. A policy is one file, as
 * dvfs_watermark.c, with a const struct dvfs_policy dvfs_policy_NAME, and one line in
 * SIM_DVFS_POLICIES (config/sim_dvfs_config.h). It is called between two ticks: it may look at
 * everything, and changes frequencies and when a frame begins, nothing else.
 */
#ifndef DVFS_POLICY_H
#define DVFS_POLICY_H

#include "config/sim_dvfs_config.h"
#include "dvfs/dvfs.h"

struct dvfs_policy {
   /* Each may be NULL. False: with a message. */
   bool (*init)(struct dvfs *d, char *error, size_t error_size);
   void (*fini)(struct dvfs *d);
   /* Domains have the frequencies that they begin with. */
   void (*start)(struct dvfs *d);
   /* Every SampleCycles. */
   void (*sample)(struct dvfs *d, sim_tick now);
   /* A frame has ended; number of the next one. */
   void (*frame)(struct dvfs *d, uint32_t next, sim_tick now);
};

/* A queue: all signals of one name. */
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
   sim_tick transition;              /* the same in ticks, rounded up */
   sim_tick frame_ticks;             /* of 1 / FrameRate */
   sim_tick began, due;              /* the present frame; when it is to end */
   sim_tick work_from;               /* tick of the first scaled domain in which it began */
   struct dvfs_queue queue;          /* of WATERMARK */
   sim_tick full_since, empty_since; /* 0: it is not */
   sim_tick work[16]; /* of DEADLINE: of frames before, in ticks of the scaled domains */
   unsigned num_work;
   sim_tick expected;            /* of the present frame; 0: nothing is known */
   void (*call)(struct dvfs *d); /* dvfs_at */
   sim_tick *known;              /* of ORACLE, by frame */
   uint32_t num_known;
};

/* Percent of the nominal frequency that a domain has now. */
unsigned dvfs_percent(const struct dvfs *d, unsigned domain);
/* Another one, from now on, and the voltage that it needs. Nothing happens if it is the same. */
void dvfs_set(struct dvfs *d, unsigned domain, unsigned percent, const char *reason);
/* The same for all domains of DVFS.Scaled. */
void dvfs_set_scaled(struct dvfs *d, unsigned percent, const char *reason);
/* A step down, not below MinFrequency. */
void dvfs_step_down(struct dvfs *d, unsigned domain, const char *reason);
/* How full the queue is, in percent. */
unsigned dvfs_queue_fill(const struct dvfs_queue *q);
/* Ticks that the first of the scaled domains has had since the frame began: its work, in time at
 * nominal frequency. */
sim_tick dvfs_work(const struct dvfs *d);
/* The lowest step that does so much work in a frame's time less Margin; 100 if none does. */
unsigned dvfs_percent_for(const struct dvfs *d, sim_tick work);
/* The next frame begins when the one that has ended was due, or now if it is late. After
 * frequencies were changed for it. */
void dvfs_next_frame(struct dvfs *d, sim_tick now);
/* Calls d->call once, at a time. */
void dvfs_at(struct dvfs *d, sim_tick time, void (*call)(struct dvfs *d));

#define P(name, file, doc) extern const struct dvfs_policy dvfs_policy_##file;
SIM_DVFS_POLICIES(P)
#undef P

#endif
