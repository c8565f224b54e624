/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * The texture cache of a unit: the first level, which the filter reads from, and what brings its
 * lines. Lines hold memory's bytes; those of compressed textures stand for a line of decompressed
 * texels, and are as many times smaller. Decompression costs its time (TextureCacheDecompress-
 * Latency, any line) and room as if they were decompressed; the emulator does it while filtering.
 *
 * A miss goes through these steps, in order, each one line per cycle at most:
 *
 *    request queue (TextureCacheRequestQueueSize), input queue (TextureCacheInputQueue), asked for
 *    (from the second level, or memory), brought, decompressed, written through all ports, filled
 *
 * Who asks and brings is a variant (struct tu_source). Not here: whom a filled line wakes
 * (tu_window.c).
 */
#ifndef TU_CACHE_H
#define TU_CACHE_H

#include "box/sim_gpu.h"
#include "box/texture/tu_tags.h"

struct tu;

/* A miss of the first level. */
struct tu_fill {
   uint32_t line;        /* in the first level */
   uint32_t address;     /* in memory */
   uint32_t source_line; /* of the source, for its use */
   uint16_t bytes, work_id;
   bool received; /* one level: its data is there */
};

/* A request to memory. */
struct tu_request {
   uint32_t line; /* of the level it fills; first level: number of its fill */
   uint32_t address;
   uint16_t work_id;
   bool received;
};

/* Where the first level's lines come from. */
struct tu_source {
   void (*init)(struct tu *t);
   void (*fini)(struct tu *t);
   /* One cycle: asks for fills (c->asked, up to c->taken) and brings them (c->read, up to
    * c->asked). Returns whether anything moved. */
   bool (*clock)(struct tu *t, sim_tick now);
   /* Memory answered the request with this cookie. Returns its work id. */
   uint16_t (*response)(struct tu *t, uint32_t cookie);
   void (*forget)(struct tu *t, uint64_t start, uint64_t end);
};
extern const struct tu_source tu_source_memory, tu_source_l1;

struct tu_cache {
   struct tu_tags tags;
   const struct tu_source *source;
   /* Misses: a ring with a pointer for each step, free running, head <= unpacked <= read <= asked
    * <= taken <= tail. */
   struct tu_fill *fills;
   uint32_t mask; /* of the ring */
   uint32_t head, unpacked, read, asked, taken, tail;
   bool unpacking, writing;
   sim_tick unpack_done, write_done, write_time; /* write_time: of a line, ticks */
   /* Of the second level: the same, to memory. */
   struct tu_tags l1;
   struct tu_request *requests;
   uint32_t request_mask, request_head, request_sent, request_taken, request_tail;
   uint32_t pending; /* transactions on their way */
   /* What failed in this cycle, and does so in those that the unit sleeps through. */
   uint16_t fail_work_id;
   bool fail_queue2, fail_pinned2, fail_read2;
   uint16_t fail_read_work_id;
};

void tu_cache_init(struct tu *t);
void tu_cache_fini(struct tu *t);
/* One cycle. Returns whether anything moved; *wake: when something that takes its time ends. */
bool tu_cache_clock(struct tu *t, sim_tick now, sim_tick *wake);
/* Requests a line that is not there. TU_NO_LINE: cannot now; *pinned says why: the set, or else the
 * request queue. */
uint32_t tu_cache_request(struct tu *t, uint32_t key, uint16_t work_id, bool *pinned);
/* Sends a request for bytes of memory to data; cookie: 32 bits that come back. *received: they are
 * there already (a cleared block). False: cannot now. */
bool tu_cache_send(struct tu *t, uint8_t *data, uint32_t address, uint32_t bytes, uint16_t work_id,
                   uint32_t cookie, bool *received, sim_tick now);
bool tu_cache_responses(struct tu *t, sim_tick now);
void tu_cache_forget(struct tu *t, uint64_t start, uint64_t end);
/* Charges cycles that passed since the last clock. */
void tu_cache_flush_counters(struct tu *t, uint64_t cycles);

/* A ring for n entries: the next power of two, less 1. */
static inline uint32_t
tu_ring_mask(uint32_t n)
{
   uint32_t size = 1;
   while (size < n)
      size *= 2;
   return size - 1;
}

#endif
