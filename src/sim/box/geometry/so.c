/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Stream-out (SO): writes primitives' vertices to memory, in order, while the primitives also go
 * from primitive assembly or the geometry stage to the clipper. Which output goes where is in
 * emul_stream_out.h. OutputsCycle outputs of the oldest vertex enter the lines of a write buffer
 * per cycle. A line is sent, one request per run of words, when the write positions of all buffers
 * with words in it are behind it, when its place is needed, or when the draw ends. A primitive that
 * does not fit into the buffers, or whose stream has none, takes a cycle. A draw ends when memory
 * has confirmed all its writes, so the write buffer is empty between draws. How full the buffers
 * are is state of the context. */
#include <stdlib.h>
#include "box/sim_gpu.h"
#include "emul/emul_stream_out.h"

SIM_BOX_STATS(so)

#define SO_MAX_LINES 64

enum so_state {
   SO_FREE,
   SO_OPEN,  /* takes words */
   SO_CLOSED /* being sent, until memory has answered */
};

struct so_line {
   uint8_t state; /* enum so_state */
   uint16_t work_id;
   uint32_t address;
   uint64_t words, unsent; /* bit per word: written, not yet sent */
   uint32_t pending;       /* requests without response */
   uint64_t age;           /* number of lines opened before */
};

struct so {
   struct sim_box box;
   struct so_stats *stat; /* [work_id] */
   struct so_line line[SO_MAX_LINES];
   uint8_t *data; /* [lines][line_size] */
   uint32_t num_lines, line_size;
   uint32_t num_used;            /* lines that are not free */
   uint64_t opened;              /* since reset */
   uint8_t closed[SO_MAX_LINES]; /* ring of lines not completely sent */
   uint32_t closed_head, closed_tail;
   /* The oldest primitive, if it is being written. */
   bool begun;
   unsigned first, vertex; /* first: the vertex written first; vertex: vertices written */
   unsigned output, word;  /* next output of the vertex; next word of the output */
   struct sim_stall stall;
};

static void
so_init(struct sim_box *b)
{
   struct so *s = (struct so *)b;
   const struct sim_config *c = &b->gpu->config;
   s->num_lines = c->so.lines;
   s->line_size = c->so.line_size;
   s->data = sim_xcalloc(s->num_lines, s->line_size);
}

static void
so_fini(struct sim_box *b)
{
   free(((struct so *)b)->data);
}

/* --- Lines --- */

static void
so_close_line(struct so *s, unsigned i)
{
   struct so_line *l = &s->line[i];
   struct so_stats *stat = &s->stat[l->work_id];
   const unsigned words = s->line_size / 4;
   l->state = SO_CLOSED;
   l->unsent = l->words;
   s->closed[s->closed_tail++ % SO_MAX_LINES] = (uint8_t)i;
   stat->lines++;
   stat->partial += l->words != (words == 64 ? UINT64_MAX : (1ull << words) - 1);
}

/* Returns the open line of this address or opens a free one; if none is free, returns -1, and
 * closes the oldest line unless one is already on its way to memory. */
static int
so_find_line(struct so *s, uint32_t address, uint16_t work_id)
{
   int free_line = -1, oldest = -1;
   bool leaving = false;
   for (unsigned i = 0; i < s->num_lines; i++) {
      const struct so_line *l = &s->line[i];
      if (l->state == SO_OPEN && l->address == address)
         return (int)i;
      if (l->state == SO_FREE && free_line < 0)
         free_line = (int)i;
      if (l->state == SO_OPEN && (oldest < 0 || l->age < s->line[oldest].age))
         oldest = (int)i;
      leaving |= l->state == SO_CLOSED;
   }
   if (free_line >= 0) {
      s->line[free_line] = (struct so_line){
          .state = SO_OPEN, .work_id = work_id, .address = address, .age = s->opened++};
      s->num_used++;
   } else if (!leaving && oldest >= 0) {
      so_close_line(s, (unsigned)oldest);
   }
   return free_line;
}

/* Closes the lines that end at or before the write position of every buffer with bytes in them, or
 * all lines. */
static void
so_close_lines(struct so *s, const struct emul_draw_state *state, bool all)
{
   const struct emul_stream_out *o = state->stream_out;
   for (unsigned i = 0; i < s->num_lines; i++) {
      const struct so_line *l = &s->line[i];
      bool over = l->state == SO_OPEN;
      for (uint32_t m = o->buffers; m && over && !all; m &= m - 1) {
         const unsigned b = (unsigned)__builtin_ctz(m);
         const struct attila_stream_target *t = &o->target[b];
         over = t->address >= l->address + s->line_size ||
                t->address + state->stream_filled[b] >= l->address + s->line_size ||
                t->address + t->size <= l->address;
      }
      if (over)
         so_close_line(s, i);
   }
}

/* Sends a run of words of the oldest closed line. */
static bool
so_send(struct so *s, sim_tick now)
{
   struct sim_gpu *gpu = s->box.gpu;
   struct sim_signal *out = &gpu->net.so_mc[0];
   if (s->closed_head == s->closed_tail || !sim_can_send(out, now))
      return false;
   const unsigned i = s->closed[s->closed_head % SO_MAX_LINES];
   struct so_line *l = &s->line[i];
   const unsigned first = (unsigned)__builtin_ctzll(l->unsent);
   const uint64_t rest = ~(l->unsent >> first);
   const unsigned words = rest ? (unsigned)__builtin_ctzll(rest) : 64;
   const uint32_t address = l->address + 4 * first, size = 4 * words;
   l->unsent &= first + words < 64 ? UINT64_MAX << (first + words) : 0;
   l->pending++;
   if (!l->unsent)
      s->closed_head++;
   const uint32_t wire = sim_blocks_dma_bytes(&gpu->device->blocks, address, size, true);
   sim_send(out, now,
            &(struct msg_mem_request){.data = s->data + i * s->line_size + 4 * first,
                                      .address = address,
                                      .size = (uint16_t)size,
                                      .wire_bytes = (uint16_t)wire,
                                      .write = true,
                                      .work_id = l->work_id,
                                      .cookie = i});
   s->stat[l->work_id].transactions++;
   s->stat[l->work_id].write_bytes += size;
   sim_busy(&s->box, l->work_id);
   return true;
}

static void
so_take_responses(struct so *s, sim_tick now)
{
   struct sim_signal *in = &s->box.gpu->net.mc_so[0];
   const struct msg_mem_response *r;
   while ((r = sim_peek(in, now))) {
      struct so_line *l = &s->line[r->cookie];
      if (!--l->pending && !l->unsent) {
         l->state = SO_FREE;
         s->num_used--;
      }
      sim_pop(in, now);
   }
}

/* --- Primitives --- */

static struct sim_signal *
so_input(const struct so *s, sim_tick now)
{
   struct sim_netlist *net = &s->box.gpu->net;
   return sim_prim_input(&net->pa_so[0], &net->gc_so[0], now);
}

static void
so_end_primitive(struct so *s, const struct msg_prim *m, sim_tick now)
{
   for (unsigned v = 0; v < m->num_vertices; v++)
      sim_vertex_unref(s->box.gpu, m->v[v]);
   s->begun = false;
   sim_pop(so_input(s, now), now);
}

static void
so_begin_primitive(struct so *s, const struct msg_prim *m, sim_tick now)
{
   const struct emul_draw_state *state = &m->draw->state;
   struct so_stats *stat = &s->stat[m->work_id];
   const bool taken = state->stream_out->of_stream[m->stream] != 0;
   const bool fits = taken && emul_stream_out_fits(state->stream_out, m->stream,
                                                   state->stream_filled, m->num_vertices);
   stat->primitives++;
   stat->written += fits;
   stat->overflows += taken && !fits;
   m->draw->counters[attila_stream_primitives(m->stream)] += taken;
   m->draw->counters[attila_stream_written(m->stream)] += fits;
   s->begun = true;
   s->first = emul_stream_out_first(m->num_vertices, m->provoking, state->regs.flatshade_first);
   s->vertex = s->output = s->word = 0;
   if (!fits)
      so_end_primitive(s, m, now);
}

static void
so_end_vertex(struct so *s, const struct msg_prim *m, sim_tick now)
{
   const struct emul_draw_state *state = &m->draw->state;
   const struct emul_stream_out *o = state->stream_out;
   emul_stream_out_advance(o, m->stream, state->stream_filled);
   for (uint32_t b = o->of_stream[m->stream]; b; b &= b - 1)
      m->draw->counters[ATTILA_COUNTER_STREAM_BYTES_0 + __builtin_ctz(b)] +=
          o->stride[__builtin_ctz(b)];
   so_close_lines(s, state, false);
   s->stat[m->work_id].vertices++;
   s->output = 0;
   if (++s->vertex == m->num_vertices)
      so_end_primitive(s, m, now);
}

/* Puts the vertex's next output, or its part within one line, into its line; false if no line is
 * free. */
static bool
so_write_output(struct so *s, const struct msg_prim *m)
{
   const struct emul_draw_state *state = &m->draw->state;
   const struct sim_vertex *v = m->v[(s->first + s->vertex) % m->num_vertices];
   uint32_t words[4], address;
   const unsigned num = emul_stream_out_words(state, s->output, m->stream, state->stream_filled,
                                              &v->data, words, &address);
   if (num) {
      address += 4 * s->word;
      const uint32_t base = address & ~(s->line_size - 1), at = address - base;
      const unsigned room = (s->line_size - at) / 4, left = num - s->word;
      const unsigned n = left < room ? left : room;
      const int i = so_find_line(s, base, m->work_id);
      if (i < 0)
         return false;
      memcpy(s->data + (unsigned)i * s->line_size + at, words + s->word, n * 4);
      s->line[i].words |= ((1ull << n) - 1) << at / 4;
      s->stat[m->work_id].outputs++;
      s->word += n;
   }
   if (s->word == num) {
      s->word = 0;
      s->output++;
   }
   return true;
}

/* Reports to the command processor that all writes of the draw are in memory. */
static bool
so_end_draw(struct so *s, const struct msg_prim *m, sim_tick now)
{
   struct sim_netlist *net = &s->box.gpu->net;
   so_close_lines(s, &m->draw->state, true);
   if (s->num_used || !sim_can_send(&net->so_cp[0], now)) {
      sim_stall_begin(&s->stall, SIM_STAT(so, stall_memory), now);
      return false;
   }
   sim_stall_end(&s->stall, &s->box, m->work_id, now);
   sim_send(&net->so_cp[0], now, &(struct msg_done){.draw = m->draw});
   sim_busy(&s->box, m->work_id);
   sim_prim_pop(&net->pa_so[0], so_input(s, now), true, now);
   return true;
}

/* Does one cycle's work on the oldest primitives. */
static bool
so_write(struct so *s, sim_tick now)
{
   const struct msg_prim *m;
   bool progress = false;
   for (uint32_t n = s->box.gpu->config.so.outputs_cycle;
        n && (m = sim_peek(so_input(s, now), now)); n--) {
      const uint16_t work_id = m->work_id;
      if (m->end)
         return so_end_draw(s, m, now) || progress;
      if (!s->begun) {
         so_begin_primitive(s, m, now);
         sim_stall_end(&s->stall, &s->box, work_id, now);
         sim_busy(&s->box, work_id);
         progress = true;
         if (!s->begun)
            return true;
      }
      if (!so_write_output(s, m)) {
         if (!progress)
            sim_stall_begin(&s->stall, SIM_STAT(so, stall_lines), now);
         return progress;
      }
      sim_stall_end(&s->stall, &s->box, work_id, now);
      sim_busy(&s->box, work_id);
      progress = true;
      if (s->output < m->draw->state.stream_out->num_outputs)
         continue;
      so_end_vertex(s, m, now);
   }
   return progress;
}

static sim_tick
so_clock(struct sim_box *b, sim_tick now)
{
   struct so *s = (struct so *)b;
   so_take_responses(s, now);
   bool progress = so_send(s, now);
   progress |= so_write(s, now);
   const struct msg_prim *m = sim_peek(so_input(s, now), now);
   if (m)
      sim_blocked(b, m->work_id);
   /* A line may have been closed after this cycle's request. */
   return progress || s->closed_head != s->closed_tail ? now + b->period : SIM_NEVER;
}

static void
so_flush_counters(struct sim_box *b, sim_tick next)
{
   struct so *s = (struct so *)b;
   const struct msg_prim *m = sim_peek(so_input(s, next), next);
   if (m)
      sim_stall_flush(&s->stall, b, m->work_id, next);
}

static void
so_dump(const struct sim_box *b, FILE *f)
{
   const struct so *s = (const struct so *)b;
   const struct sim_netlist *net = &b->gpu->net;
   const struct sim_signal *in = &net->pa_so[0];
   const struct msg_prim *m = sim_next(in);
   if (m && m->geometry)
      m = sim_next(in = &net->gc_so[0]);
   fprintf(f, "%s: %u primitives waiting, %u of %u lines in use, %u to send", b->name,
           in->tail - in->head, s->num_used, s->num_lines, s->closed_tail - s->closed_head);
   if (m)
      fprintf(f, ", oldest: draw %u%s, vertex %u output %u", m->draw->number, m->end ? " end" : "",
              s->vertex, s->output);
   fputc('\n', f);
}

const struct sim_box_class so_class = {
    .size = sizeof(struct so),
    .domain = SIM_DOMAIN_GPU,
    .init = so_init,
    .clock = so_clock,
    .flush_counters = so_flush_counters,
    .dump = so_dump,
    .fini = so_fini,
    SIM_BOX_CLASS(so),
};
