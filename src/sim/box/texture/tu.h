/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The Texture Unit (ISPASS 2006 section 2.2; steps and queues are those of the last release). It
 * works on quads, in the GPU clock:
 *
 *    request queue -> access queue, address calculation (tu_address.c) -> look-up (tu_fetch.c) ->
 *    wait-read window, until all lines are there -> ready queue (tu_window.c) -> read -> filter ->
 *    result queue (tu_filter.c)
 *
 * Address calculation, look-up, read and filter take a bilinear operation of a quad per cycle: an
 * anisotropic sample is one or, of two levels or slices, several, which go through the unit
 * together (struct tu_element). Samples whose lines are there pass those that wait in the window.
 *
 * Texels are copied out of the cache's lines and the emulator filters that copy, so the picture
 * depends on what the cache really holds.
 */
#ifndef TU_H
#define TU_H

#include "box/shader/shader_unit.h"
#include "box/texture/tu_cache.h"
#include "box/texture/tu_stats.h"

#define TU_BANKS 4
#define TU_BANK_PORTS 4 /* accesses of a bank per cycle */
#define TU_BANK_BYTES 4
#define TU_TEXELS 16 /* of a bilinear operation of a quad: 4 lanes x 4 taps */
#define TU_ELEMENT_OPS 4
/* The stores of all tasks must not fall into the same sets of the host's caches: an odd number of
 * lines. */
#define TU_TEXEL_STORE (EMUL_TEX_MAX_STEPS * EMUL_TEX_TAPS * EMUL_LANES * 16 + 64)
/* The plan and the placed texels (emul_tex_filter) of most tasks, side by side: the host's caches
 * hold those of many. */
#define TU_SMALL_STEPS 2
struct tu_small {
   uint8_t
       plan[offsetof(struct emul_tex_plan, steps) + TU_SMALL_STEPS * sizeof(struct emul_tex_step)];
   uint32_t texels[TU_SMALL_STEPS][EMUL_TEX_TAPS][EMUL_LANES];
} __attribute__((aligned(64)));

/* A texture operation of a thread, from its first quad's arrival to its last quad's answer. */
struct tu_task {
   struct shf_thread *thread;
   const struct emul_tex_state *state;
   uint16_t work_id;
   uint16_t link;
   uint8_t quads_left;    /* not answered */
   uint8_t quads_unread;  /* some texels not read */
   uint8_t element_shift; /* log2 bytes of an element of memory */
   uint8_t texel_shift;   /* the same of a texel in the cache */
   uint8_t space;         /* log2 by which the texture is compressed */
   bool placed;           /* texels go where the plan's taps are, else one behind the other */
   uint32_t texels_used;  /* of the store, unless they are placed */
   struct emul_tex_plan *plan;
   uint8_t *texels; /* what has been read */
};

/* A quad of a task: what the original calls a texture access. */
struct tu_access {
   uint32_t task;
   sim_tick started;    /* it left the shader */
   sim_tick calculated; /* the last address calculation has begun */
   sim_tick ready;      /* look-up may begin */
   uint16_t work_id;    /* the task's */
   uint8_t quad;
   uint8_t elements; /* anisotropic samples */
   uint8_t fetched, read;
};

/* One bilinear operation of a quad. Texels are numbered lane * 4 + tap. */
struct tu_op {
   uint8_t step;       /* of the plan */
   bool reading;       /* it is being read, not looked up any more */
   uint16_t present;   /* texels that are read */
   uint8_t num_lines;  /* distinct ones */
   bool regular;       /* no bank conflicts are possible */
   uint8_t num_texels; /* that are read */
   uint8_t num_left;   /* of them those not looked up; then, when it is read, not read */
   uint16_t left;      /* which ones */
   uint16_t found;     /* bit per line: it has been found and is pinned */
   uint16_t let_go;    /* bit per line: it was read early and is not pinned any more */
   uint8_t line_of[TU_TEXELS];
   uint8_t texels_of[TU_TEXELS]; /* by line */
   struct {
      uint32_t key, at; /* at: in the cache, once found */
   } line[TU_TEXELS];
};

/* What goes through look-up, window and read together: an anisotropic sample of a quad. */
struct tu_element {
   uint16_t access;
   uint16_t work_id; /* the access's */
   uint16_t missing; /* lines on their way */
   uint8_t num_ops;  /* 0: reads nothing, but takes its turn */
   uint8_t at;       /* operation being looked up or read */
   bool waits;       /* in the window */
   struct tu_op op[TU_ELEMENT_OPS];
} __attribute__((aligned(64)));

/* An element waits for a line; next: for the same line. */
struct tu_waiter {
   uint32_t element, next;
};

/* In or behind the filter. */
struct tu_filtering {
   sim_tick done;   /* it may leave for the result queue */
   uint32_t access; /* TU_NO_LINE: not the last of its quad */
   uint16_t work_id;
};

/* A quad that has been filtered. */
struct tu_result {
   sim_tick started;
   uint32_t task;
   uint16_t work_id; /* the task's */
};

/* Ids in order. */
struct tu_queue {
   uint32_t *id;
   uint32_t mask, head, tail; /* free running */
};
static inline uint32_t
tu_queue_length(const struct tu_queue *q)
{
   return q->tail - q->head;
}
static inline void
tu_queue_push(struct tu_queue *q, uint32_t id)
{
   q->id[q->tail++ & q->mask] = id;
}
static inline uint32_t
tu_queue_first(const struct tu_queue *q)
{
   return q->id[q->head & q->mask];
}
/* Not in use. */
struct tu_stack {
   uint32_t *id;
   uint32_t num;
};

enum tu_stall { TU_STALL_NONE, TU_STALL_FETCH, TU_STALL_ADDRESS, TU_STALL_READY, TU_STALL_WAIT };

struct tu {
   struct sim_box box;
   struct tu_stats *stat; /* [work_id] */
   struct sim_input_set from_shaders, from_memory, from_cp;
   struct tu_cache cache;
   /* Configuration. */
   uint32_t access_queue, window, result_queue, max_misses;
   uint32_t request_rate;
   uint32_t port_cycles[5]; /* of a read, by log2 of a texel's bytes */
   /* From shaders: links first_link, + link_step, ... */
   uint32_t first_link, link_step, num_links;
   uint32_t link;         /* whose message is being taken, or is next */
   uint32_t quads;        /* of it: bits of those that have not been taken */
   uint32_t *arrived;     /* [num_links] messages seen and not popped */
   uint32_t task;         /* of the message being taken */
   sim_tick quad_started; /* when its next quad left the shader */
   uint32_t quad_phase;   /* how many left before it in the same cycle */
   uint32_t waiting;      /* quads that have arrived and are not in the access queue */
   uint16_t waiting_work_id;
   bool stopped; /* they wait for room there */
   /* Pools. */
   struct tu_task *tasks;
   struct tu_access *accesses;
   struct tu_element *elements;
   struct tu_waiter *waiters;
   struct tu_small *small;
   struct emul_tex_plan *plans; /* of tasks that do not fit there */
   uint8_t *texels;             /* [TU_TEXEL_STORE] of each, likewise */
   struct tu_stack free_tasks, free_accesses, free_elements, free_waiters;
   /* Pipeline. */
   sim_tick address_free;   /* when address calculation can begin another operation */
   struct tu_queue access;  /* to be looked up */
   uint16_t access_work_id; /* of the first of them */
   uint32_t fetching;       /* element, TU_NO_LINE: none */
   uint32_t in_window;
   uint16_t window_work_id;
   struct tu_queue awake; /* still in the window, the ready queue being full */
   struct tu_queue ready;
   sim_tick port_busy[TU_BANKS][TU_BANK_PORTS], ports_busy; /* until; the latest */
   sim_tick filter_free;
   struct tu_filtering *filtering; /* ring */
   uint32_t filter_mask, filter_head, filter_tail;
   struct tu_result *results; /* ring */
   uint32_t result_mask, result_head, result_tail;
   /* What the look-up does in the cycles until the next clock. */
   enum tu_stall stall;
   bool fails;
   uint16_t stall_work_id;
   struct {
      uint32_t skipped, conflict, miss, queue, pinned;
   } fail; /* texels per cycle */
};

static inline uint16_t
tu_access_work_id(const struct tu *t, uint32_t access)
{
   return t->accesses[access].work_id;
}

/* Address of a texel among decompressed ones, in units of TU_BANK_BYTES: its bank and what a bank
 * gives in one access. */
uint32_t tu_texel_word(const struct tu_task *task, const struct emul_tex_step *step, unsigned lane,
                       unsigned tap);

/* Takes a quad into the access queue. Returns whether it did. */
bool tu_address_clock(struct tu *t, sim_tick now);
/* Notices quads that have arrived. */
void tu_address_arrivals(struct tu *t, sim_tick now);
/* Looks up the next bilinear operation. Returns whether anything moved. */
bool tu_fetch_clock(struct tu *t, sim_tick now);
/* All its operations have been looked up: it goes to the window or the ready queue. */
void tu_window_add(struct tu *t, uint32_t element);
/* The element being looked up needs a line that is not there yet. */
void tu_window_wait(struct tu *t, uint32_t element, struct tu_line *line);
/* For the host: a line will be filled soon, and who waits for it did something long ago. */
static inline void
tu_window_prefetch(const struct tu *t, const struct tu_line *line)
{
   if (line->waiters != TU_NO_LINE)
      __builtin_prefetch(&t->elements[t->waiters[line->waiters].element], 1);
}
/* A line has been filled. */
void tu_window_fill(struct tu *t, struct tu_line *line);
bool tu_window_clock(struct tu *t);
/* Reads the next bilinear operation of the ready queue. */
bool tu_read_clock(struct tu *t, sim_tick now);
/* Reads and lets go of those lines of the element being looked up that are there. */
bool tu_read_early(struct tu *t, struct tu_element *e);
/* What has been filtered goes to the result queue; a result is sent. *wake: as tu_cache_clock. */
bool tu_filter_clock(struct tu *t, sim_tick now, sim_tick *wake);

#endif
