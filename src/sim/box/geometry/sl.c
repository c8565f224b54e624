/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streamer Loader (SL, ISPASS 2006 section 2): fetches vertex attributes through the vertex input
 * cache, converts them to 4 x float32 (emul_attrib_convert) and sends vertices to the shaders. The
 * fetch stage runs ahead: it looks up every attribute's lines and requests those missing; the
 * conversion stage follows in order. Each handles SLAttributesCycle attributes per cycle; the end
 * of a vertex counts as one. An attribute that crosses a line is fetched in two pieces.
 * The cache has SLAttributesCycle read ports of SLInputCachePortWidth bytes. Lines are requested
 * one per cycle and written in the order of the misses, one at a time through all ports. A vertex
 * goes to the first of the StreamerLoaderUnits loaders that takes it (stoc.c); each has a cache of
 * its own. */
#include <stdlib.h>
#include "box/geometry/sl_cache.h"
#include "box/sim_warming.h"
#include "box/sim_gpu.h"

SIM_BOX_STATS(sl)

#define SL_MAX_REQUESTS 64 /* SLInputCacheRequestQueueSize (power of 2) */
#define SL_MAX_PORTS 64    /* SLAttributesCycle */
/* Pieces per vertex: 16 bytes cross at most one line. This is host memory and limits nothing. */
#define SL_VERTEX_PIECES (2 * ATTILA_MAX_ATTRIBS + 1)
#define SL_MARKER 0xff /* not an attribute: the end of a vertex or of a draw */

/* A piece of an attribute between fetch and conversion. */
struct sl_piece {
   uint32_t line;     /* SL_CACHE_NONE: the attribute has no address */
   uint16_t offset;   /* in the line */
   uint8_t attrib;    /* or SL_MARKER */
   uint8_t bytes, at; /* destination element[at] */
   bool last_of_attrib, last_of_vertex;
};

/* Attempts that failed in the last clock, and will fail in each cycle until the next one. */
struct sl_retry {
   uint64_t *why; /* counter of the reason; NULL: no failure */
   uint16_t work_id;
};

/* An attribute that the draw's program reads. */
struct sl_attrib {
   uint32_t hint; /* line of its previous fetch */
   uint8_t number, bytes;
};

struct sl {
   struct sim_box box;
   struct sl_stats *stat; /* [work_id] */
   unsigned unit;         /* the loader's number */
   struct sim_signal *in, *out, *to_mc, *from_mc, *from_cp;
   uint32_t per_cycle, port_width; /* SLAttributesCycle, SLInputCachePortWidth */
   struct sl_cache cache;
   /* Requested lines, in the order of their misses: first those already written, then those that
    * memory reads, then those not sent yet. */
   uint16_t request[SL_MAX_REQUESTS];
   uint16_t request_work_id[SL_MAX_REQUESTS];
   uint32_t num_filled, num_sent, num_requested; /* since reset */
   sim_tick written; /* when the oldest has been written; SIM_NEVER: its writing has not begun */
   uint32_t fill_cycles; /* cycles to write a line */
   /* Fetch stage. */
   uint32_t ahead;              /* vertices of the input queue whose fetch is complete */
   const struct sim_draw *draw; /* draw whose attributes are listed; NULL: none */
   struct sl_attrib attribs[ATTILA_MAX_ATTRIBS];
   uint32_t num_attribs, attrib; /* length of the list; next attribute of the vertex */
   uint32_t done;                /* bytes of the attribute already fetched */
   /* Conversion stage. */
   struct sl_piece *pieces; /* ring */
   uint32_t head, tail, piece_mask;
   uint8_t element[16];
   bool loaded;                      /* the oldest vertex waits for the shaders */
   sim_tick port_free[SL_MAX_PORTS]; /* when each read port is free */
   sim_tick ports_free;              /* when all are free */
   struct sim_stall stall;
   struct sl_retry fetch_retry, read_retry;
   unsigned counted_ahead; /* future cycles whose retries are already counted */
};

static void
sl_init(struct sim_box *b)
{
   struct sl *s = (struct sl *)b;
   const struct sim_config *c = &b->gpu->config;
   uint32_t size = c->streamer.cache_line_size;
   if (size & (size - 1)) {
      sim_error(b, "SLInputCacheLineSize %u is not a power of two", size);
      size = 64;
   }
   struct sim_netlist *net = &b->gpu->net;
   s->unit = b->instance;
   s->in = &net->stoc_sl[s->unit];
   s->out = &net->sl_ffu[s->unit];
   s->to_mc = &net->sl_mc[s->unit];
   s->from_mc = &net->mc_sl[s->unit];
   s->from_cp = &net->cp_sl[s->unit];
   s->per_cycle = c->streamer.attributes_cycle;
   s->port_width = c->streamer.port_width;
   sl_cache_init(&s->cache, c->streamer.cache_lines, size);
   uint32_t width = s->per_cycle * s->port_width;
   s->fill_cycles = (size + width - 1) / width;
   s->written = SIM_NEVER;
   /* The end of a draw has one piece, and so has a vertex without attributes. */
   uint32_t pieces = 1;
   while (pieces < SL_VERTEX_PIECES * (c->streamer.loader_queue + 1))
      pieces *= 2;
   s->piece_mask = pieces - 1;
   s->pieces = sim_xcalloc(pieces, sizeof(*s->pieces));
}

static void
sl_fini(struct sim_box *b)
{
   sl_cache_fini(&((struct sl *)b)->cache);
   free(((struct sl *)b)->pieces);
}

/* --- What could not be done, and is tried again --- */

/* Counts failed attempts of the fetch stage, or of the conversion stage. */
static void
sl_count_fetch_retries(struct sl *s, uint64_t attempts)
{
   struct sl_stats *stat = &s->stat[s->fetch_retry.work_id];
   stat->no_fetches += attempts;
   stat->misses += attempts;
   stat->miss_fail += attempts;
   *s->fetch_retry.why += attempts;
}
static void
sl_count_read_retries(struct sl *s, uint64_t attempts)
{
   s->stat[s->read_retry.work_id].no_reads += attempts;
   *s->read_retry.why += attempts;
}

/* Counts the cycles since the last clock, in each of which every attempt failed again. */
static void
sl_count_retries(struct sl *s, sim_tick until)
{
   uint64_t attempts = (sim_waited(&s->box, until) - s->counted_ahead) * s->per_cycle;
   if (attempts && s->fetch_retry.why)
      sl_count_fetch_retries(s, attempts);
   if (attempts && s->read_retry.why)
      sl_count_read_retries(s, attempts);
}

/* --- Lines --- */

/* Writes the line of the oldest request if its data has arrived; lines are written in the order of
 * the requests. */
static void
sl_write_lines(struct sl *s, sim_tick now)
{
   if (s->written <= now) {
      s->cache.lines[s->request[s->num_filled++ % SL_MAX_REQUESTS]].filled = true;
      s->written = SIM_NEVER;
   }
   if (s->written != SIM_NEVER || s->num_filled == s->num_sent)
      return;
   unsigned i = s->num_filled % SL_MAX_REQUESTS;
   if (s->cache.lines[s->request[i]].arrived) {
      s->written = now + s->fill_cycles * s->box.period;
      s->stat[s->request_work_id[i]].fill_bytes += 1u << s->cache.line_shift;
   }
}

/* At most SLInputCacheInputQueueSize lines are in memory or being written. */
static void
sl_send_requests(struct sl *s, sim_tick now)
{
   struct sim_signal *out = s->to_mc;
   while (s->num_sent != s->num_requested &&
          s->num_sent - s->num_filled < s->box.gpu->config.streamer.cache_input &&
          sim_can_send(out, now)) {
      unsigned i = s->num_sent++ % SL_MAX_REQUESTS;
      uint32_t line = s->request[i];
      sim_send(out, now,
               &(struct msg_mem_request){.data = sl_cache_data(&s->cache, line),
                                         .address = s->cache.lines[line].tag << s->cache.line_shift,
                                         .size = (uint16_t)(1u << s->cache.line_shift),
                                         .work_id = s->request_work_id[i],
                                         .cookie = line});
      struct sl_stats *stat = &s->stat[s->request_work_id[i]];
      stat->transactions += ((1u << s->cache.line_shift) + 63) / 64;
      stat->read_bytes += 1u << s->cache.line_shift;
   }
}

/* --- Fetch --- */

static void
sl_list_attribs(struct sl *s, const struct sim_draw *draw)
{
   const uint32_t all = UINT32_MAX >> (32 - ATTILA_MAX_ATTRIBS);
   uint32_t mask = (uint32_t)emul_program_isa(draw->state.vs)->inputs_read & all;
   s->draw = draw;
   s->num_attribs = 0;
   s->stat[draw->work_id].attributes += sim_count_bits(mask);
   for (; mask; mask &= mask - 1) {
      const unsigned a = (unsigned)__builtin_ctz(mask);
      const unsigned format = draw->state.regs.attrib[a].format % ATTILA_NUM_FORMATS;
      s->attribs[s->num_attribs++] = (struct sl_attrib){
          .hint = SL_CACHE_NONE, .number = (uint8_t)a, .bytes = attila_formats[format].bytes};
   }
}

static inline struct sl_piece *
sl_push_piece(struct sl *s)
{
   return &s->pieces[s->tail++ & s->piece_mask];
}

static inline void
sl_push_marker(struct sl *s)
{
   *sl_push_piece(s) =
       (struct sl_piece){.line = SL_CACHE_NONE, .attrib = SL_MARKER, .last_of_vertex = true};
}

/* Looks up and reserves the line of an address; a miss requests it. If it must wait returns false,
 * and *why is the statistic to count. */
static bool
sl_fetch_line(struct sl *s, uint32_t address, uint32_t *hint, const struct msg_lookup *m,
              uint64_t **why)
{
   struct sl_stats *stat = &s->stat[m->work_id];
   uint32_t line = sl_cache_find(&s->cache, address, *hint);
   if (line != SL_CACHE_NONE) {
      stat->hits++;
   } else {
      *why = &stat->fail_reserve;
      if (s->cache.lru.oldest == LRU_NONE)
         return false;
      *why = &stat->fail_request;
      if (s->num_requested - s->num_filled >= s->box.gpu->config.streamer.cache_requests)
         return false;
      line = sl_cache_allocate(&s->cache, address);
      s->request[s->num_requested % SL_MAX_REQUESTS] = (uint16_t)line;
      s->request_work_id[s->num_requested++ % SL_MAX_REQUESTS] = m->work_id;
      sim_trace_ask(s->box.kernel, m->vertex, sl_cache_data(&s->cache, line));
      stat->misses++;
      stat->miss_ok++;
   }
   stat->fetches++;
   sim_trace_look_up(&s->box, &s->cache, address >> s->cache.line_shift, 1);
   lru_reserve(&s->cache.lru, line);
   *hint = line;
   return true;
}

/* Fetches the next piece of the vertex's next attribute; false and *why as above. */
static bool
sl_fetch_piece(struct sl *s, const struct msg_lookup *m, uint64_t **why)
{
   struct sl_attrib *a = &s->attribs[s->attrib];
   const uint32_t address = emul_attrib_address(&m->draw->state, a->number, m->index, m->instance);
   uint32_t line = SL_CACHE_NONE, offset = 0, here = 0, at = 0;
   bool last = true;
   if (address != ATTILA_NO_ADDRESS) {
      const uint32_t size = 1u << s->cache.line_shift, left = a->bytes - s->done;
      at = s->done;
      offset = (address + at) & (size - 1);
      here = left < size - offset ? left : size - offset;
      if (!sl_fetch_line(s, address + at, &a->hint, m, why))
         return false;
      line = a->hint;
      last = here == left;
      if (!last)
         s->stat[m->work_id].split++;
   }
   struct sl_piece *piece = sl_push_piece(s);
   piece->line = line;
   piece->offset = (uint16_t)offset;
   piece->attrib = a->number;
   piece->bytes = (uint8_t)here;
   piece->at = (uint8_t)at;
   piece->last_of_attrib = last;
   piece->last_of_vertex = false;
   s->done = last ? 0 : at + here;
   s->attrib += last;
   return true;
}

static bool
sl_fetch_stage(struct sl *s, sim_tick now)
{
   uint32_t budget = s->per_cycle;
   bool progress = false;
   const struct msg_lookup *m = sim_peek_at(s->in, now, s->ahead);
   s->fetch_retry.why = NULL;
   while (budget && m) {
      if (m->end) {
         sl_push_marker(s);
         s->draw = NULL;
         m = sim_peek_at(s->in, now, ++s->ahead);
         progress = true;
         continue;
      }
      if (s->draw != m->draw)
         sl_list_attribs(s, m->draw);
      const uint16_t work_id = m->work_id;
      /* The end of a vertex takes an attempt of its own. */
      if (s->attrib >= s->num_attribs) {
         sl_push_marker(s);
         s->attrib = 0;
         s->stat[work_id].indices++;
         m = sim_peek_at(s->in, now, ++s->ahead);
      } else {
         uint64_t *why;
         if (!sl_fetch_piece(s, m, &why)) {
            s->fetch_retry = (struct sl_retry){.why = why, .work_id = work_id};
            sl_count_fetch_retries(s, budget);
            break;
         }
      }
      sim_busy(&s->box, work_id);
      progress = true;
      budget--;
   }
   return progress;
}

/* --- Conversion --- */

static bool
sl_send_vertex(struct sl *s, const struct msg_lookup *m, sim_tick now)
{
   if (!sim_can_send(s->out, now))
      return false;
   if (!m->end)
      emul_vertex_ids(&m->draw->state, m->index, m->instance, m->vertex->in[ATTILA_VS_INPUT_IDS]);
   sim_send(s->out, now,
            &(struct msg_vertex){
                .draw = m->draw, .vertex = m->vertex, .work_id = m->work_id, .end = m->end});
   if (!m->end)
      s->stat[m->work_id].inputs++;
   sim_pop(s->in, now);
   s->ahead--;
   s->loaded = false;
   return true;
}

/* Returns a free read port or NULL. */
static sim_tick *
sl_free_port(struct sl *s, sim_tick now)
{
   for (uint32_t i = 0; i < s->per_cycle; i++) {
      if (s->port_free[i] <= now)
         return &s->port_free[i];
   }
   return NULL;
}

/* Reads a piece from the cache; an attribute's last piece converts it. False if the data is not
 * there or no port is free. */
static bool
sl_convert_piece(struct sl *s, const struct sl_piece *piece, const struct msg_lookup *m,
                 sim_tick now)
{
   const uint8_t *element = NULL;
   if (piece->line != SL_CACHE_NONE) {
      struct sl_stats *stat = &s->stat[m->work_id];
      sim_tick *port = sl_free_port(s, now);
      if (!port || !s->cache.lines[piece->line].filled) {
         s->read_retry = (struct sl_retry){.why = &stat->reads_fail, .work_id = m->work_id};
         return false;
      }
      const uint32_t bytes = piece->bytes, width = s->port_width;
      const uint32_t cycles = bytes - 1 < width ? 1 : (bytes + width - 1) / width;
      *port = now + cycles * s->box.period;
      s->ports_free = *port > s->ports_free ? *port : s->ports_free;
      element = sl_cache_data(&s->cache, piece->line) + piece->offset;
      if (piece->at || !piece->last_of_attrib) {
         memcpy(s->element + piece->at, element, bytes);
         element = s->element;
      }
      lru_release(&s->cache.lru, piece->line);
      stat->reads++;
      stat->reads_ok++;
      stat->unreserves++;
      stat->cache_bytes += bytes;
   }
   if (piece->last_of_attrib)
      emul_attrib_convert(&m->draw->state, piece->attrib, element, m->instance,
                          m->vertex->in[piece->attrib]);
   return true;
}

static bool
sl_convert_stage(struct sl *s, sim_tick now)
{
   uint32_t budget = s->per_cycle;
   bool progress = false;
   const struct msg_lookup *m = sim_peek(s->in, now);
   s->read_retry.why = NULL;
   for (;;) {
      if (!s->loaded) {
         if (s->head == s->tail)
            break;
         const struct sl_piece *piece = &s->pieces[s->head & s->piece_mask];
         if (piece->attrib != SL_MARKER) {
            if (budget == 0)
               break;
            if (!sl_convert_piece(s, piece, m, now)) {
               sl_count_read_retries(s, budget);
               if (!progress)
                  sim_stall_begin(&s->stall, SIM_STAT(sl, stall_data), now);
               break;
            }
            sim_stall_end(&s->stall, &s->box, m->work_id, now);
            sim_busy(&s->box, m->work_id);
            budget--;
         } else if (!m->end) {
            if (budget == 0)
               break;
            sim_busy(&s->box, m->work_id);
            budget--;
         }
         s->loaded = piece->last_of_vertex;
         s->head++;
         progress = true;
         if (!s->loaded)
            continue;
      }
      uint16_t work_id = m->work_id;
      if (!sl_send_vertex(s, m, now)) {
         if (!progress)
            sim_stall_begin(&s->stall, SIM_STAT(sl, stall_shader), now);
         break;
      }
      sim_stall_end(&s->stall, &s->box, work_id, now);
      sim_busy(&s->box, work_id);
      progress = true;
      m = sim_peek(s->in, now);
   }
   return progress;
}

static sim_tick
sl_clock(struct sim_box *b, sim_tick now)
{
   struct sl *s = (struct sl *)b;
   sl_count_retries(s, now);
   s->counted_ahead = 1;
   const struct msg_mem_response *r;
   while ((r = sim_peek(s->from_mc, now))) {
      s->cache.lines[r->cookie].arrived = true;
      sim_pop(s->from_mc, now);
   }
   sl_write_lines(s, now);
   const struct msg_rop *forget;
   while ((forget = sim_peek(s->from_cp, now))) {
      sl_cache_forget(&s->cache, forget->start, forget->end);
      sim_pop(s->from_cp, now);
   }
   sl_send_requests(s, now);
   bool progress = sl_convert_stage(s, now);
   progress |= sl_fetch_stage(s, now);
   const struct msg_lookup *m = sim_peek(s->in, now);
   if (m)
      sim_blocked(b, m->work_id);
   /* A port becomes free, or a request waits for the next cycle to be sent. */
   if (progress || now < s->ports_free || s->num_sent != s->num_requested)
      return now + b->period;
   /* The kernel wakes the box for the oldest arrival only; the fetch stage is ahead of it. */
   const sim_tick next = sim_arrival_at(s->in, s->ahead);
   return next > now && next < s->written ? next : s->written;
}

static void
sl_flush_counters(struct sim_box *b, sim_tick next)
{
   struct sl *s = (struct sl *)b;
   const struct msg_lookup *oldest = sim_peek(s->in, next);
   sl_count_retries(s, next);
   s->counted_ahead = 0;
   if (oldest)
      sim_stall_flush(&s->stall, b, oldest->work_id, next);
}

static void
sl_dump(const struct sim_box *b, FILE *f)
{
   const struct sl *s = (const struct sl *)b;
   const struct sim_signal *in = s->in;
   const struct msg_lookup *m = sim_next(in);
   fprintf(f, "%s: %u vertices waiting, %u fetched, %u pieces to convert, %u misses in flight%s",
           b->name, in->tail - in->head, s->ahead, s->tail - s->head,
           s->num_requested - s->num_filled, s->loaded ? ", one waits for the shaders" : "");
   if (m)
      fprintf(f, ", oldest: draw %u index %u%s", m->draw->number, m->index, m->end ? " end" : "");
   fputc('\n', f);
}

static void
sl_warm(struct sim_box *b, const struct sim_warming *event)
{
   if (event->kind == SIM_WARM_LEAVE)
      sl_cache_forget(&((struct sl *)b)->cache, 0, UINT64_MAX);
}

const struct sim_box_class sl_class = {
    .size = sizeof(struct sl),
    .domain = SIM_DOMAIN_GPU,
    .init = sl_init,
    .clock = sl_clock,
    .flush_counters = sl_flush_counters,
    .dump = sl_dump,
    .fini = sl_fini,
    .warm = sl_warm,
    SIM_BOX_CLASS(sl),
};
