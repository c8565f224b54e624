/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * A unit's texture cache: the first level, which the filter reads, and what brings its lines. Lines
 * hold memory's bytes; a line of a compressed texture stands for a line of decompressed texels and
 * is smaller by the compression factor. Every line costs the time of decompression
 * (TextureCacheDecompressLatency), and the room of its decompressed texels; the emulator
 * decompresses while filtering. A miss passes these steps in order, at most one line per cycle
 * each:
 *   request queue (TextureCacheRequestQueueSize), input queue (TextureCacheInputQueue), asked for
 * (from the second level, or memory), brought, decompressed, written through all ports, filled A
 * variant does the steps "asked for" and "brought" (struct tu_source). Not here: waking the waiters
 * of a filled line (tu_window.c). */
#ifndef TU_CACHE_H
#define TU_CACHE_H

#include "box/sim_gpu.h"
#include "box/texture/tu_tags.h"

struct tu;

/* A first-level miss. */
struct tu_fill {
   uint32_t line;        /* in the first level */
   uint32_t address;     /* in memory */
   uint32_t source_line; /* the source's own */
   uint16_t bytes, work_id;
   bool received; /* one level: its data has arrived */
};

/* A request to memory. */
struct tu_request {
   uint32_t line; /* of the filled level; first level: number of its fill */
   uint32_t address;
   uint16_t work_id;
   bool received;
};

/* Where the first level's lines come from. */
struct tu_source {
   void (*init)(struct tu *t);
   void (*fini)(struct tu *t);
   /* Does one cycle: asks for fills (c->asked, up to c->taken), brings them (c->read, up to
    * c->asked). Returns whether anything moved. */
   bool (*clock)(struct tu *t, sim_tick now);
   /* Takes memory's answer to the request with this cookie. Returns its work id. */
   uint16_t (*response)(struct tu *t, uint32_t cookie);
   void (*forget)(struct tu *t, uint64_t start, uint64_t end);
};
extern const struct tu_source tu_source_memory, tu_source_l1;

struct tu_cache {
   struct tu_tags tags;
   const struct tu_source *source;
   /* Misses: a ring with a free running pointer per step, head <= unpacked <= read <= asked <=
    * taken <= tail. */
   struct tu_fill *fills;
   uint32_t mask; /* of the ring */
   uint32_t head, unpacked, read, asked, taken, tail;
   bool unpacking, writing;
   sim_tick unpack_done, write_done, write_time; /* write_time: ticks per line */
   /* The second level's lines, and its misses, which memory answers. */
   struct tu_tags l1;
   struct tu_request *requests;
   uint32_t request_mask, request_head, request_sent, request_taken, request_tail;
   uint32_t pending; /* transactions on their way */
   /* What failed in this cycle, and so also fails in the cycles through which the unit sleeps. */
   uint16_t fail_work_id;
   bool fail_queue2, fail_pinned2, fail_read2;
   uint16_t fail_read_work_id;
};

void tu_cache_init(struct tu *t);
void tu_cache_fini(struct tu *t);
/* Does one cycle; returns whether anything moved. *wake: when a timed step ends. */
bool tu_cache_clock(struct tu *t, sim_tick now, sim_tick *wake);
/* Requests a missing line. TU_NO_LINE: not now; *pinned: all lines of the set are pinned, else the
 * request queue is full. */
uint32_t tu_cache_request(struct tu *t, uint32_t key, uint16_t work_id, bool *pinned);
/* Sends a request for bytes of memory to data; cookie: returned with the answer. *received: the
 * bytes are there already (a clear block). False: not now. */
bool tu_cache_send(struct tu *t, uint8_t *data, uint32_t address, uint32_t bytes, uint16_t work_id,
                   uint32_t cookie, bool *received, sim_tick now);
bool tu_cache_responses(struct tu *t, sim_tick now);
void tu_cache_forget(struct tu *t, uint64_t start, uint64_t end);
/* Charges the cycles since the last clock. */
void tu_cache_flush_counters(struct tu *t, uint64_t cycles);

/* Returns the mask of a ring for n entries, a power of two. */
static inline uint32_t
tu_ring_mask(uint32_t n)
{
   uint32_t size = 1;
   while (size < n)
      size *= 2;
   return size - 1;
}

#endif
