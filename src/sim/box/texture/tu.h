/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The Texture Unit (ISPASS 2006 section 2.2; steps and queues of the last release). It works on
 * quads in the GPU clock:
 *   request queue -> access queue, address calculation (tu_address.c) -> look-up (tu_fetch.c) ->
 *   wait-read window, until all lines are there -> ready queue (tu_window.c) -> read -> filter ->
 *   result queue (tu_filter.c)
 * Address calculation, look-up, read and filter take one bilinear operation of a quad per cycle. An
 * anisotropic sample is one operation, or several if it has two levels or slices; these pass the
 * unit together (struct tu_element). Samples whose lines have arrived overtake those that wait in
 * the window. Texels are copied from the cache's lines and the emulator filters the copy, so the
 * picture depends on the cache's contents. */
#ifndef TU_H
#define TU_H

#include "box/shader/shader_unit.h"
#include "box/texture/tu_cache.h"
#include "box/texture/tu_stats.h"

#define TU_BANKS 4
#define TU_BANK_PORTS 4 /* accesses of a bank per cycle */
#define TU_BANK_BYTES 4
#define TU_TEXELS 16 /* per bilinear operation of a quad: 4 lanes x 4 taps */
#define TU_ELEMENT_OPS 4
#define TU_MAX_ELEMENTS 16
#define TU_NO_STEP 255
/* An odd number of host cache lines, so that the tasks' stores do not share sets. */
#define TU_TEXEL_STORE (EMUL_TEX_MAX_STEPS * EMUL_TEX_TAPS * EMUL_LANES * 16 + 64)
/* Plan and placed texels (emul_tex_filter) of most tasks, side by side, so that the host's caches
 * hold many. */
#define TU_SMALL_STEPS 2
struct tu_small {
   uint8_t
       plan[offsetof(struct emul_tex_plan, steps) + TU_SMALL_STEPS * sizeof(struct emul_tex_step)];
   uint32_t texels[TU_SMALL_STEPS][EMUL_TEX_TAPS][EMUL_LANES];
} __attribute__((aligned(64)));

/* A thread's texture operation, from its first quad's arrival to its last quad's answer. */
struct tu_task {
   struct shf_thread *thread;
   const struct emul_tex_state *state;
   uint16_t work_id;
   uint16_t link;
   uint8_t quads_left;    /* quads not answered */
   uint8_t quads_unread;  /* quads with unread texels */
   uint8_t element_shift; /* log2 bytes of an element in memory */
   uint8_t texel_shift;   /* log2 bytes of a texel in the cache */
   uint8_t space;         /* log2 of the compression factor */
   bool placed;           /* texels go to the plan's taps, else one after another */
   uint32_t texels_used;  /* bytes of the store, unless placed */
   struct emul_tex_plan *plan;
   uint8_t *texels; /* texels read */
};

/* A quad of a task; the original's texture access. */
struct tu_access {
   uint32_t task;
   sim_tick started;    /* when it left the shader */
   sim_tick calculated; /* when its last address calculation began */
   sim_tick ready;      /* when look-up may begin */
   uint16_t work_id;    /* of the task */
   uint8_t quad;
   uint8_t elements; /* anisotropic samples */
   uint8_t fetched, read;
};

/* One bilinear operation of a quad. Texels are numbered lane * 4 + tap. */
struct tu_op {
   uint8_t step;                 /* in the plan */
   bool reading;                 /* being read, look-up is over */
   uint16_t present;             /* texels to read */
   uint8_t num_lines;            /* distinct lines */
   bool regular;                 /* free of bank conflicts */
   uint8_t num_texels;           /* texels to read */
   uint8_t num_left;             /* texels to look up, later to read */
   uint16_t left;                /* bits of these texels */
   uint16_t found;               /* bit per line: found and pinned */
   uint16_t let_go;              /* bit per line: read early and unpinned */
   uint8_t line_of[TU_TEXELS];   /* of texels to read */
   uint8_t texels_of[TU_TEXELS]; /* [line] */
   struct {
      uint32_t key;
      uint16_t at;     /* place in the cache once found */
      uint16_t texels; /* bits */
   } line[TU_TEXELS];
};

/* An anisotropic sample of a quad: all of it passes look-up, window and read together. */
struct tu_element {
   uint16_t access;
   uint16_t work_id; /* of the access */
   uint16_t missing; /* lines on their way */
   uint8_t num_ops;  /* 0: reads nothing, but takes its turn */
   uint8_t at;       /* operation in look-up or read */
   bool waits;       /* it is in the window */
   struct tu_op op[TU_ELEMENT_OPS];
} __attribute__((aligned(64)));

/* An element that waits for a line; next: waits for the same line. */
struct tu_waiter {
   uint32_t element, next;
};

/* In or behind the filter. */
struct tu_filtering {
   sim_tick done;   /* when it may enter the result queue */
   uint32_t access; /* TU_NO_LINE: not its quad's last */
   uint16_t work_id;
};

/* A filtered quad. */
struct tu_result {
   sim_tick started;
   uint32_t task;
   uint16_t work_id; /* of the task */
};

/* Ring of ids. */
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
/* Free ids. */
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
   uint32_t port_cycles[5]; /* of a read, by log2 bytes of a texel */
   /* From shaders: links first_link, + link_step, ... */
   uint32_t first_link, link_step, num_links;
   uint32_t link;         /* of the present or next message */
   uint32_t quads;        /* bits of its quads not taken yet */
   uint32_t *arrived;     /* [num_links] messages seen but not popped */
   uint32_t task;         /* of the present message */
   sim_tick quad_started; /* when its next quad left the shader */
   uint32_t quad_phase;   /* quads that left earlier in the same cycle */
   uint32_t waiting;      /* quads arrived, not in the access queue */
   uint16_t waiting_work_id;
   bool stopped; /* waiting quads find no room in the access queue */
   /* Pools. */
   struct tu_task *tasks;
   struct tu_access *accesses;
   struct tu_element *elements;
   struct tu_waiter *waiters;
   struct tu_small *small;
   struct emul_tex_plan *plans; /* for tasks with larger plans */
   uint8_t *texels;             /* [TU_TEXEL_STORE] each, for these */
   struct tu_stack free_tasks, free_accesses, free_elements, free_waiters;
   /* Pipeline. */
   sim_tick address_free;   /* when address calculation can start an operation */
   struct tu_queue access;  /* accesses to look up */
   uint16_t access_work_id; /* of its first */
   uint32_t fetching;       /* element in look-up; TU_NO_LINE: none */
   uint32_t in_window;
   uint16_t window_work_id;
   struct tu_queue awake; /* complete, but the ready queue is full */
   struct tu_queue ready;
   sim_tick port_busy[TU_BANKS][TU_BANK_PORTS], ports_busy; /* busy until; latest of all */
   sim_tick filter_free;
   struct tu_filtering *filtering; /* ring */
   uint32_t filter_mask, filter_head, filter_tail;
   struct tu_result *results; /* ring */
   uint32_t result_mask, result_head, result_tail;
   /* State of the look-up until the next clock. */
   enum tu_stall stall;
   bool fails;
   uint16_t stall_work_id;
   struct {
      uint32_t skipped, conflict, miss, queue, pinned;
   } fail; /* texels per cycle */
   /* The look-up failed, and would fail again: no line was filled, let go or forgotten since. */
   bool repeats;
   /* Steps of the plan for the quad in look-up, if it has several elements: a list for each. */
   struct {
      uint8_t first[TU_MAX_ELEMENTS], next[EMUL_TEX_MAX_STEPS];
   } steps;
};

static inline uint16_t
tu_access_work_id(const struct tu *t, uint32_t access)
{
   return t->accesses[access].work_id;
}

/* Returns a texel's address among decompressed ones, in units of TU_BANK_BYTES: its bank, and what
 * a bank delivers per access. */
uint32_t tu_texel_word(const struct tu_task *task, const struct emul_tex_step *step, unsigned lane,
                       unsigned tap);

/* Takes a quad into the access queue; returns whether it did. */
bool tu_address_clock(struct tu *t, sim_tick now);
/* Notices quads that have arrived. */
void tu_address_arrivals(struct tu *t, sim_tick now);
/* Looks up the next bilinear operation; returns whether anything moved. */
bool tu_fetch_clock(struct tu *t, sim_tick now);
/* Moves an element, all of whose operations have been looked up, to the window or the ready
 * queue. */
void tu_window_add(struct tu *t, uint32_t element);
/* Makes the element in look-up wait for a line. */
void tu_window_wait(struct tu *t, uint32_t element, struct tu_line *line);
/* Prefetches, for the host, the waiters of a line that will be filled soon. */
static inline void
tu_window_prefetch(const struct tu *t, const struct tu_line *line)
{
   if (line->waiters != TU_NO_LINE)
      __builtin_prefetch(&t->elements[t->waiters[line->waiters].element], 1);
}
/* Wakes the waiters of a filled line. */
void tu_window_fill(struct tu *t, struct tu_line *line);
bool tu_window_clock(struct tu *t);
/* Reads the next bilinear operation of the ready queue. */
bool tu_read_clock(struct tu *t, sim_tick now);
/* Reads and unpins the present lines of the element in look-up. */
bool tu_read_early(struct tu *t, struct tu_element *e);
/* Moves filtered quads to the result queue; sends a result. *wake: as in tu_cache_clock. */
bool tu_filter_clock(struct tu *t, sim_tick now, sim_tick *wake);

#endif
