/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streamer Loader (SL, ISPASS 2006 section 2): fetches the attributes of vertices through the
 * vertex input cache, converts them to 4 x float32 and sends vertices to the shaders. Two stages
 * work on the queue of vertices: the fetch runs ahead, looks up the lines of every attribute and
 * sends misses to memory; the conversion follows in order. Each handles SLAttributesCycle
 * attributes a cycle. An attribute that crosses a line is fetched in two pieces. Conversion rules
 * are in emul_attrib_convert.
 */
#include "box/geometry/sl_cache.h"
#include "box/sim_gpu.h"

/* clang-format off */
#define SL_STATS(S)                                                                           \
   S(indices, "Indices", INDICES, "vertices received from the output cache")                  \
   S(inputs, "Inputs", VERTICES, "vertices sent to the shaders")                              \
   S(attributes, "MappedAttributes", COUNT, "attributes the vertex program reads")            \
   S(split, "SplittedAttributes", COUNT, "attributes that lie in two cache lines")            \
   S(fetches, "Fetches", COUNT, "cache lookups that were given a line")                       \
   S(reads, "Reads", COUNT, "pieces of attributes read from the cache")                       \
   S(read_bytes, "ReadBytes", BYTES, "attribute data read from the cache")                    \
   S(transactions, "MemTransactions", TRANSACTIONS, "memory requests")                        \
   S(stall_shader, "StallsShaderBusy", CYCLES, "a loaded vertex waited for the shaders")      \
   S(stall_data, "StallsAttributeData", CYCLES,                                               \
      "the next attribute had not arrived from memory")                                       \
   S(hits, "HitsFetch_FC_InC", COUNT,                                                         \
      "input cache lookups that hit a line, filled or on its way")                            \
   S(misses, "MissesFetch_FC_InC", COUNT, "input cache lookups that asked memory for a line") \
   S(fail_reserve, "MissFailReserveFetch_FC_InC", CYCLES, "a miss found every line reserved") \
   S(fail_request, "MissFailReqQueueFetch_FC_InC", CYCLES,                                    \
      "a miss found the request queue full")                                                  \
   S(fill_bytes, "WriteBytes_FC_InC", BYTES, "bytes written into the input cache by fills")
/* clang-format on */
SIM_STATS_DECLARE(sl, SL_STATS)

#define SL_MAX_PIECES 512 /* pieces of attributes between fetch and conversion (power of 2) */
#define SL_MARKER 0xff /* piece that is no attribute: end of a draw, or a vertex without inputs */

/* A piece of an attribute between fetch and conversion. */
struct sl_piece {
   uint32_t line;     /* SL_CACHE_NONE: the attribute has no address */
   uint16_t offset;   /* in the line */
   uint8_t attrib;    /* or SL_MARKER */
   uint8_t bytes, at; /* to element[at] */
   bool last_of_attrib, last_of_vertex;
};

struct sl {
   struct sim_box box;
   struct sl_stats *stat; /* [slot] */
   struct sl_cache cache;
   uint32_t requests; /* misses in flight */
   /* Fetch stage. */
   uint32_t ahead;              /* vertices of the input queue whose fetch is complete */
   const struct sim_draw *draw; /* whose attributes are listed; NULL: none */
   uint8_t attribs[ATTILA_MAX_ATTRIBS];
   uint32_t num_attribs, attrib;      /* list, next of the vertex */
   uint32_t hint[ATTILA_MAX_ATTRIBS]; /* line of the attribute's previous fetch */
   uint32_t done;                     /* bytes of the attribute already fetched */
   struct sim_stall fetch_stall;
   /* Conversion stage. */
   struct sl_piece pieces[SL_MAX_PIECES];
   uint32_t head, tail;
   uint8_t element[16];
   bool loaded; /* the oldest vertex waits for the shaders */
   struct sim_stall stall;
};

static void
sl_init(struct sim_box *b)
{
   struct sl *s = (struct sl *)b;
   uint32_t size = b->gpu->config.streamer.cache_line_size;
   if (size & (size - 1)) {
      sim_error(b, "SLInputCacheLineSize %u is not a power of two", size);
      size = 64;
   }
   sl_cache_init(&s->cache, b->gpu->config.streamer.cache_lines, size);
}

static void
sl_fini(struct sim_box *b)
{
   sl_cache_fini(&((struct sl *)b)->cache);
}

static void
list_attribs(struct sl *s, const struct sim_draw *draw)
{
   uint32_t mask = emul_program_isa(draw->state.vs)->inputs_read;
   s->draw = draw;
   s->num_attribs = 0;
   for (unsigned a = 0; a < ATTILA_MAX_ATTRIBS; a++) {
      if (mask >> a & 1)
         s->attribs[s->num_attribs++] = (uint8_t)a;
      s->hint[a] = SL_CACHE_NONE;
   }
}

static inline void
push_piece(struct sl *s, struct sl_piece piece)
{
   s->pieces[s->tail++ & (SL_MAX_PIECES - 1)] = piece;
}

/* Looks up the line of an address and reserves it; a miss goes to memory. False: not now, *why
 * counts that. */
static bool
fetch_line(struct sl *s, uint32_t address, uint32_t *hint, uint16_t slot, sim_tick now,
           unsigned *why)
{
   struct sim_gpu *gpu = s->box.gpu;
   struct sim_signal *out = &gpu->net.sl_mc[0];
   uint32_t line = sl_cache_find(&s->cache, address, *hint);
   if (line != SL_CACHE_NONE) {
      s->stat[slot].hits++;
   } else {
      *why = SIM_STAT(sl, fail_request);
      if (s->requests >= gpu->config.streamer.cache_requests || !sim_can_send(out, now))
         return false;
      *why = SIM_STAT(sl, fail_reserve);
      line = sl_cache_allocate(&s->cache, address);
      if (line == SL_CACHE_NONE)
         return false;
      uint32_t size = 1u << s->cache.line_shift;
      sim_send(out, now,
               &(struct msg_mem_request){.data = sl_cache_data(&s->cache, line),
                                         .address = address & ~(size - 1),
                                         .size = (uint16_t)size,
                                         .slot = slot,
                                         .cookie = line});
      s->requests++;
      s->stat[slot].misses++;
      s->stat[slot].transactions++;
      s->stat[slot].fill_bytes += size;
   }
   s->stat[slot].fetches++;
   lru_reserve(&s->cache.lru, line);
   *hint = line;
   return true;
}

/* Fetches the next piece of the next attribute of the vertex; false: not now, *why counts that. */
static bool
fetch_piece(struct sl *s, const struct msg_lookup *m, sim_tick now, unsigned *why)
{
   const struct emul_draw_state *state = &m->draw->state;
   unsigned a = s->attribs[s->attrib];
   uint32_t address = emul_attrib_address(state, a, m->index, m->instance);
   uint32_t bytes = attila_formats[state->regs.attrib[a].format % ATTILA_NUM_FORMATS].bytes;
   bool last_of_vertex = s->attrib + 1 == s->num_attribs;
   struct sl_piece piece = {.line = SL_CACHE_NONE,
                            .attrib = (uint8_t)a,
                            .last_of_attrib = true,
                            .last_of_vertex = last_of_vertex};
   if (address != ATTILA_NO_ADDRESS) {
      uint32_t size = 1u << s->cache.line_shift;
      uint32_t offset = (address + s->done) & (size - 1);
      uint32_t left = bytes - s->done, here = left < size - offset ? left : size - offset;
      if (!fetch_line(s, address + s->done, &s->hint[a], m->slot, now, why))
         return false;
      piece.line = s->hint[a];
      piece.offset = (uint16_t)offset;
      piece.bytes = (uint8_t)here;
      piece.at = (uint8_t)s->done;
      piece.last_of_attrib = here == left;
      piece.last_of_vertex = last_of_vertex && piece.last_of_attrib;
      if (!piece.last_of_attrib)
         s->stat[m->slot].split++;
   }
   push_piece(s, piece);
   s->done = piece.last_of_attrib ? 0 : s->done + piece.bytes;
   if (piece.last_of_attrib) {
      s->attrib++;
      s->stat[m->slot].attributes++;
   }
   return true;
}

static bool
fetch_stage(struct sl *s, sim_tick now)
{
   const struct sim_signal *in = &s->box.gpu->net.stoc_sl[0];
   uint32_t budget = s->box.gpu->config.streamer.attributes_cycle;
   bool progress = false;
   const struct msg_lookup *m;
   while (budget && s->tail - s->head < SL_MAX_PIECES && (m = sim_peek_at(in, now, s->ahead))) {
      if (m->end) {
         push_piece(s, (struct sl_piece){
                           .line = SL_CACHE_NONE, .attrib = SL_MARKER, .last_of_vertex = true});
         s->draw = NULL;
         s->ahead++;
         progress = true;
         continue;
      }
      if (s->draw != m->draw)
         list_attribs(s, m->draw);
      if (s->num_attribs == 0) {
         push_piece(s, (struct sl_piece){
                           .line = SL_CACHE_NONE, .attrib = SL_MARKER, .last_of_vertex = true});
      } else {
         unsigned why;
         if (!fetch_piece(s, m, now, &why)) {
            if (!progress)
               sim_stall_begin(&s->fetch_stall, why, now);
            break;
         }
         sim_stall_end(&s->fetch_stall, &s->box, m->slot, now);
      }
      sim_busy(&s->box, m->slot);
      progress = true;
      budget--;
      if (s->attrib >= s->num_attribs) {
         s->attrib = 0;
         s->ahead++;
         s->stat[m->slot].indices++;
      }
   }
   return progress;
}

static bool
send_vertex(struct sl *s, const struct msg_lookup *m, sim_tick now)
{
   struct sim_netlist *net = &s->box.gpu->net;
   if (!sim_can_send(&net->sl_ffu[0], now))
      return false;
   sim_send(
       &net->sl_ffu[0], now,
       &(struct msg_vertex){.draw = m->draw, .vertex = m->vertex, .slot = m->slot, .end = m->end});
   if (!m->end)
      s->stat[m->slot].inputs++;
   sim_pop(&net->stoc_sl[0], now);
   s->ahead--;
   s->loaded = false;
   return true;
}

/* Reads a piece from the cache; the last one of an attribute converts it. False: the data has not
 * arrived. */
static bool
convert_piece(struct sl *s, const struct sl_piece *piece, const struct msg_lookup *m)
{
   struct sl_stats *stat = &s->stat[m->slot];
   bool present = piece->line != SL_CACHE_NONE;
   if (present) {
      if (!s->cache.lines[piece->line].filled)
         return false;
      memcpy(s->element + piece->at, sl_cache_data(&s->cache, piece->line) + piece->offset,
             piece->bytes);
      lru_release(&s->cache.lru, piece->line);
      stat->reads++;
      stat->read_bytes += piece->bytes;
   }
   if (piece->last_of_attrib)
      emul_attrib_convert(&m->draw->state, piece->attrib, present ? s->element : NULL, m->instance,
                          m->vertex->in[piece->attrib]);
   return true;
}

static bool
convert_stage(struct sl *s, sim_tick now)
{
   const struct sim_signal *in = &s->box.gpu->net.stoc_sl[0];
   uint32_t budget = s->box.gpu->config.streamer.attributes_cycle;
   bool progress = false;
   for (;;) {
      const struct msg_lookup *m = sim_peek(in, now);
      if (!s->loaded) {
         if (s->head == s->tail)
            break;
         const struct sl_piece *piece = &s->pieces[s->head & (SL_MAX_PIECES - 1)];
         if (piece->attrib != SL_MARKER) {
            if (budget == 0)
               break;
            if (!convert_piece(s, piece, m)) {
               if (!progress)
                  sim_stall_begin(&s->stall, SIM_STAT(sl, stall_data), now);
               break;
            }
            sim_stall_end(&s->stall, &s->box, m->slot, now);
            sim_busy(&s->box, m->slot);
            budget--;
         }
         s->loaded = piece->last_of_vertex;
         s->head++;
         progress = true;
         if (!s->loaded)
            continue;
      }
      uint16_t slot = m->slot;
      if (!send_vertex(s, m, now)) {
         if (!progress)
            sim_stall_begin(&s->stall, SIM_STAT(sl, stall_shader), now);
         break;
      }
      sim_stall_end(&s->stall, &s->box, slot, now);
      sim_busy(&s->box, slot);
      progress = true;
   }
   return progress;
}

static sim_tick
sl_clock(struct sim_box *b, sim_tick now)
{
   struct sl *s = (struct sl *)b;
   struct sim_netlist *net = &b->gpu->net;
   bool progress = false;
   const struct msg_mem_response *r;
   while ((r = sim_peek(&net->mc_sl[0], now))) {
      s->cache.lines[r->cookie].filled = true;
      s->requests--;
      sim_pop(&net->mc_sl[0], now);
   }
   const struct msg_rop *forget;
   while ((forget = sim_peek(&net->cp_sl[0], now))) {
      sl_cache_forget(&s->cache, forget->start, forget->end);
      sim_pop(&net->cp_sl[0], now);
   }
   progress |= convert_stage(s, now);
   progress |= fetch_stage(s, now);
   const struct msg_lookup *m = sim_peek(&net->stoc_sl[0], now);
   if (m)
      sim_blocked(b, m->slot);
   return progress ? now + b->period : SIM_NEVER;
}

static void
sl_settle(struct sim_box *b, sim_tick next)
{
   struct sl *s = (struct sl *)b;
   const struct sim_signal *in = &b->gpu->net.stoc_sl[0];
   const struct msg_lookup *oldest = sim_peek(in, next), *ahead = sim_peek_at(in, next, s->ahead);
   if (oldest)
      sim_stall_settle(&s->stall, b, oldest->slot, next);
   if (ahead)
      sim_stall_settle(&s->fetch_stall, b, ahead->slot, next);
}

static void
sl_dump(const struct sim_box *b, FILE *f)
{
   const struct sl *s = (const struct sl *)b;
   const struct sim_signal *in = &b->gpu->net.stoc_sl[0];
   const struct msg_lookup *m = sim_peek(in, SIM_NEVER);
   fprintf(f, "%s: %u vertices waiting, %u fetched, %u pieces to convert, %u misses in flight%s",
           b->name, in->tail - in->head, s->ahead, s->tail - s->head, s->requests,
           s->loaded ? ", one waits for the shaders" : "");
   if (m)
      fprintf(f, ", oldest: draw %u index %u%s", m->draw->number, m->index, m->end ? " end" : "");
   fputc('\n', f);
}

const struct sim_box_class sl_class = {
    .name = "StreamerLoader",
    .unit = "SL0",
    .doc = "Loads and converts vertex attributes (ISPASS 2006 section 2, Streamer).",
    .size = sizeof(struct sl),
    .domain = SIM_DOMAIN_GPU,
    .init = sl_init,
    .clock = sl_clock,
    .settle = sl_settle,
    .dump = sl_dump,
    .fini = sl_fini,
    SIM_STATS_CLASS(sl),
};
