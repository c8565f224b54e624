/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The screen: one simulated GPU, its memory and its description. All contexts of a process use the
 * same one, even with several connections to window systems, so that they can share objects. */
#ifndef ATTILA_SCREEN_H
#define ATTILA_SCREEN_H

#include <sys/types.h>
#include "attila_bo.h"
#include "attila_sim.h"
#include "hw/isa/attila_machine.h"
#include "pipe/p_screen.h"
#include "util/list.h"
#include "util/simple_mtx.h"
#include "util/slab.h"
#include "util/u_idalloc.h"

struct disk_cache;
struct sw_winsys;
struct attila_cs;
struct attila_counter_group;

struct attila_screen {
   struct disk_cache *disk_cache; /* compiled shaders; NULL: none */
   struct attila_sim *sim;
   uint32_t memory_size;
   struct attila_shader_machine shader_machine[ATTILA_NUM_STAGES]; /* for programs */
   unsigned debug;                                                 /* attila_debug.h */
   bool has_clock;       /* cycles are counted, so not in functional mode */
   bool has_readers;     /* something reads notes: the run is recorded or captured */
   bool frame_on_finish; /* ATTILA_FRAME_ON_FINISH: glFinish ends a frame */
   bool frame_on_flush;  /* ATTILA_FRAME_ON_FLUSH: a flush ends a frame, until the first swap */
   unsigned frame_limit; /* ATTILA_FRAMES: the process ends after so many frames; 0: no limit */
   int udmabuf_fd;       /* /dev/udmabuf, which makes dmabufs; -1: absent or unneeded */
   struct attila_counter_group *counter_groups; /* attila_counters.c; none in functional mode */
   unsigned num_counter_groups;
   char name[64];

   /* Atomic: textures shared with the outside, and submissions so far. */
   unsigned num_dmabufs;
   uint64_t num_submissions;
   unsigned renames;                      /* textures that moved; p_atomic */
   struct slab_parent_pool transfer_pool; /* for the contexts' pools */

   /* Held while the GPU works; taken before `lock`. */
   simple_mtx_t submit_lock;
   struct attila_cs *last_submitter; /* whose context the GPU has selected */
   bool submitted;                   /* any context has submitted */
   uint64_t next_fence;

   simple_mtx_t lock; /* guards what follows; never held while the GPU works */
   struct attila_memory memory;
   struct list_head streams; /* attila_cs.link */
   unsigned next_stream_id;
   struct util_idalloc context_numbers; /* attila_cs.number */
   bool error_reported;
   char *refusals[32]; /* printed reasons why shaders do not compile */
   unsigned num_refusals;

   uint64_t times_asked; /* queries so far, for a screen without a clock; atomic */
   uint32_t num_frames;  /* frames whose end was recorded; atomic */
   bool swapped;         /* a window or pbuffer was swapped */

   /* For attila_screen_create.c. */
   struct attila_connection *connections;
   unsigned num_open; /* connections that are open */
   pid_t process;     /* the process that made the GPU; a child makes its own */
};

/* The screen of one frontend, with its window system. Lives as long as the GPU, since resources and
 * contexts point to it. */
struct attila_connection {
   struct pipe_screen base;
   struct attila_screen *screen;
   struct sw_winsys *winsys; /* NULL once the frontend has closed it */
   struct attila_connection *next;
};

static inline struct attila_screen *
attila_screen(struct pipe_screen *screen)
{
   return ((struct attila_connection *)screen)->screen;
}

/* Returns the window system of a texture's display target. */
static inline struct sw_winsys *
attila_winsys(struct pipe_screen *screen)
{
   return ((struct attila_connection *)screen)->winsys;
}

/* Returns simulated nanoseconds. Without a clock it adds a microsecond per call, so that times
 * differ and a wait for time to pass ends. */
uint64_t attila_screen_time(struct attila_screen *screen);

/* Returns whether the simulator has stopped on an error; prints the message once. */
bool attila_screen_lost(struct attila_screen *screen);

/* Calls take with the surface that SWAP has just scanned out; this takes no simulated time. Returns
 * false, without calling take, if the GPU is lost. */
bool attila_screen_scanout(struct attila_screen *screen, const struct attila_scanout *shown,
                           void (*take)(void *user, const uint8_t *bytes,
                                        const struct attila_cleared *cleared),
                           void *user);

/* Ends the process after the last allowed frame. Call it once the end of a frame is submitted. */
void attila_screen_frame_ended(struct attila_screen *screen);

#endif
