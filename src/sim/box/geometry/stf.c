/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Streamer Fetch (StF, ISPASS 2006 section 2): reads a draw's indices from memory, or counts if it
 * has none, and sends them to the post shading cache, instance by instance. It fetches the next
 * draw's indices ahead while the buffer has room. Not here: vertex data (sl.c), reuse of shaded
 * vertices (stoc.c). */
#include "box/sim_gpu.h"

#include <stdlib.h>

SIM_BOX_STATS(stf)

#define STF_REQUEST 256 /* most bytes per request */

struct stf {
   struct sim_box box;
   struct stf_stats *stat; /* [work_id] */
   /* Position in the oldest draw. */
   uint32_t index, instance;
   bool separated; /* the restart between instances is sent */
   uint64_t base;  /* address of buffer chunk head, for an indexed draw */
   bool base_set;
   /* Buffer: requested chunks in stream order. */
   uint32_t chunk_size, num_chunks;
   uint64_t head, tail; /* free running chunk numbers */
   uint8_t *buffer;     /* [num_chunks][chunk_size] */
   bool *arrived;       /* [num_chunks] */
   /* Position of the fetch: `ahead` draws after the oldest. */
   uint32_t ahead, fetch_instance;
   uint64_t fetch_address;
   bool fetch_open;        /* fetch_address is valid */
   struct sim_stall stall; /* the next index is missing or cannot be sent */
};

static void
stf_init(struct sim_box *b)
{
   struct stf *s = (struct stf *)b;
   uint32_t size = b->gpu->config.streamer.index_buffer;
   s->chunk_size = STF_REQUEST;
   while (s->chunk_size > size)
      s->chunk_size /= 2;
   /* At least two, since an index may cross a boundary. */
   s->num_chunks = size / s->chunk_size < 2 ? 2 : size / s->chunk_size;
   s->buffer = sim_xcalloc(s->num_chunks, s->chunk_size);
   s->arrived = sim_xcalloc(s->num_chunks, sizeof(bool));
}

static void
stf_fini(struct sim_box *b)
{
   struct stf *s = (struct stf *)b;
   free(s->buffer);
   free(s->arrived);
}

static inline uint64_t
stf_first_index_address(const struct attila_cmd_draw *cmd)
{
   return cmd->index_address + (uint64_t)cmd->start * cmd->index_size;
}

static inline uint64_t
stf_end_index_address(const struct attila_cmd_draw *cmd)
{
   return stf_first_index_address(cmd) + (uint64_t)cmd->count * cmd->index_size;
}

/* Moves the fetch position to the next address to request. Returns its draw, NULL if nothing is
 * left. */
static struct sim_draw *
stf_fetch_next(struct stf *s, sim_tick now)
{
   const struct sim_signal *in = &s->box.gpu->net.cp_stf[0];
   for (;;) {
      const struct msg_draw *m = sim_peek_at(in, now, s->ahead);
      if (!m)
         return NULL;
      const struct attila_cmd_draw *cmd = &m->draw->state.cmd;
      if (cmd->index_size && cmd->count && s->fetch_instance < cmd->num_instances) {
         if (!s->fetch_open) {
            s->fetch_open = true;
            s->fetch_address = stf_first_index_address(cmd) & ~(uint64_t)(s->chunk_size - 1);
         }
         if (s->fetch_address < stf_end_index_address(cmd))
            return m->draw;
         s->fetch_open = false;
         s->fetch_instance++;
         continue;
      }
      s->ahead++;
      s->fetch_instance = 0;
      s->fetch_open = false;
   }
}

static bool
stf_fetch(struct stf *s, sim_tick now)
{
   struct sim_signal *out = &s->box.gpu->net.stf_mc[0];
   if (s->tail - s->head >= s->num_chunks || !sim_can_send(out, now))
      return false;
   struct sim_draw *draw = stf_fetch_next(s, now);
   if (!draw)
      return false;
   uint32_t chunk = (uint32_t)(s->tail % s->num_chunks);
   uint8_t *data = s->buffer + (size_t)chunk * s->chunk_size;
   /* The size of memory is a multiple of a chunk's. Reads beyond memory return zero. */
   if (s->fetch_address + s->chunk_size > s->box.gpu->device->memory_size) {
      memset(data, 0, s->chunk_size);
      s->arrived[chunk] = true;
   } else {
      s->arrived[chunk] = false;
      sim_trace_ask(s->box.kernel, draw, data);
      sim_send(out, now,
               &(struct msg_mem_request){.data = data,
                                         .address = (uint32_t)s->fetch_address,
                                         .size = (uint16_t)s->chunk_size,
                                         .work_id = draw->work_id,
                                         .cookie = chunk});
      s->stat[draw->work_id].transactions++;
      s->stat[draw->work_id].read_bytes += s->chunk_size;
   }
   s->fetch_address += s->chunk_size;
   s->tail++;
   sim_busy(&s->box, draw->work_id);
   return true;
}

static inline bool
stf_chunk_ready(const struct stf *s, uint64_t n)
{
   return n < s->tail && s->arrived[n % s->num_chunks];
}

/* Frees the chunks that end before address. */
static void
stf_release_before(struct stf *s, uint64_t address)
{
   while (s->base + s->chunk_size <= address) {
      s->base += s->chunk_size;
      s->head++;
   }
}

/* Reads the next index of an indexed draw; false if its bytes have not arrived. */
static bool
stf_read_index(struct stf *s, const struct attila_cmd_draw *cmd, uint32_t *value)
{
   uint64_t address = stf_first_index_address(cmd) + (uint64_t)s->index * cmd->index_size;
   if (!s->base_set) {
      s->base_set = true;
      s->base = address & ~(uint64_t)(s->chunk_size - 1);
   }
   stf_release_before(s, address);
   uint32_t offset = (uint32_t)(address - s->base);
   if (!stf_chunk_ready(s, s->head))
      return false;
   const uint8_t *chunk = s->buffer + (size_t)(s->head % s->num_chunks) * s->chunk_size;
   uint32_t v = 0;
   if (offset + cmd->index_size <= s->chunk_size) {
      memcpy(&v, chunk + offset, cmd->index_size);
   } else {
      if (!stf_chunk_ready(s, s->head + 1))
         return false;
      const uint8_t *next = s->buffer + (size_t)((s->head + 1) % s->num_chunks) * s->chunk_size;
      uint32_t first = s->chunk_size - offset;
      memcpy(&v, chunk + offset, first);
      memcpy((uint8_t *)&v + first, next, cmd->index_size - first);
   }
   *value = v;
   return true;
}

/* Ends an instance; the next one starts with a new chunk. */
static void
stf_end_instance(struct stf *s, const struct attila_cmd_draw *cmd)
{
   if (s->base_set)
      stf_release_before(s, ((stf_end_index_address(cmd) - 1) | (s->chunk_size - 1)) + 1);
   s->base_set = false;
   s->index = 0;
   s->instance++;
   s->separated = false;
}

static void
stf_end_draw(struct stf *s)
{
   s->index = s->instance = 0;
   s->separated = false;
   if (s->ahead) {
      s->ahead--;
   } else {
      s->fetch_instance = 0;
      s->fetch_open = false;
   }
}

/* Makes the next message of the oldest draw; false if none can be sent. */
static bool
stf_next_message(struct stf *s, struct sim_draw *draw, sim_tick now, struct msg_index *m)
{
   const struct attila_cmd_draw *cmd = &draw->state.cmd;
   *m = (struct msg_index){.draw = draw, .work_id = draw->work_id};
   if (cmd->count == 0 || s->instance >= cmd->num_instances) {
      m->end = true;
      return true;
   }
   if (s->instance && !s->separated) {
      s->separated = true;
      m->restart = m->next_instance = true;
      return true;
   }
   m->instance = cmd->first_instance + s->instance;
   if (!cmd->index_size) {
      m->vertex = cmd->start + s->index;
   } else {
      uint32_t value;
      if (!stf_read_index(s, cmd, &value)) {
         sim_stall_begin(&s->stall, SIM_STAT(stf, stall_data), now);
         return false;
      }
      m->vertex = value + cmd->index_bias;
      m->restart = (cmd->flags & ATTILA_DRAW_RESTART) && value == cmd->restart_index;
   }
   if (++s->index == cmd->count)
      stf_end_instance(s, cmd);
   return true;
}

static sim_tick
stf_clock(struct sim_box *b, sim_tick now)
{
   struct stf *s = (struct stf *)b;
   struct sim_netlist *net = &b->gpu->net;
   bool progress = false;
   const struct msg_mem_response *r;
   while ((r = sim_peek(&net->mc_stf[0], now))) {
      s->arrived[r->cookie] = true;
      sim_pop(&net->mc_stf[0], now);
   }
   const struct msg_draw *d;
   while ((d = sim_peek(&net->cp_stf[0], now))) {
      struct sim_draw *draw = d->draw;
      struct msg_index m;
      if (!sim_can_send(&net->stf_stoc[0], now)) {
         if (!progress)
            sim_stall_begin(&s->stall, SIM_STAT(stf, stall_output), now);
         break;
      }
      if (!stf_next_message(s, draw, now, &m))
         break;
      sim_stall_end(&s->stall, b, draw->work_id, now);
      sim_busy(b, draw->work_id);
      sim_send(&net->stf_stoc[0], now, &m);
      progress = true;
      if (m.end) {
         stf_end_draw(s);
         sim_pop(&net->cp_stf[0], now);
         continue;
      }
      s->stat[draw->work_id].indices_sent++;
      if (!m.restart)
         draw->counters[ATTILA_COUNTER_IA_VERTICES]++;
   }
   progress |= stf_fetch(s, now);
   if ((d = sim_peek(&net->cp_stf[0], now)))
      sim_blocked(b, d->draw->work_id);
   return progress ? now + b->period : SIM_NEVER;
}

static void
stf_flush_counters(struct sim_box *b, sim_tick next)
{
   struct stf *s = (struct stf *)b;
   const struct msg_draw *d = sim_peek(&b->gpu->net.cp_stf[0], next);
   if (d)
      sim_stall_flush(&s->stall, b, d->draw->work_id, next);
}

static void
stf_dump(const struct sim_box *b, FILE *f)
{
   const struct stf *s = (const struct stf *)b;
   const struct sim_signal *in = &b->gpu->net.cp_stf[0];
   const struct msg_draw *m = sim_next(in);
   fprintf(f, "%s: %u draws waiting", b->name, in->tail - in->head);
   if (m)
      fprintf(f, ", draw %u: index %u of %u, instance %u of %u", m->draw->number, s->index,
              m->draw->state.cmd.count, s->instance, m->draw->state.cmd.num_instances);
   fprintf(f, "; %u of %u index chunks in use\n", (unsigned)(s->tail - s->head), s->num_chunks);
}

const struct sim_box_class stf_class = {
    .size = sizeof(struct stf),
    .domain = SIM_DOMAIN_GPU,
    .init = stf_init,
    .clock = stf_clock,
    .flush_counters = stf_flush_counters,
    .dump = stf_dump,
    .fini = stf_fini,
    SIM_BOX_CLASS(stf),
};
