/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Constant Cache (CC): a shader's loads from constant buffers in memory. The look-up stage runs
 * ahead: it takes the words of ConstantCachePortWidth bytes that a load's inputs need, one per
 * cycle, in the order of the inputs. Inputs share equal words, so a load takes one cycle per
 * distinct word, as on a G80. It requests missing lines. The reading stage follows in order, at
 * least ConstantCacheLatency later, waits for the oldest word's line, and answers with the load's
 * last word. Addresses outside the buffer read zeros and take no look-up; a load with no other
 * addresses passes in one cycle. Not here: which word an input needs (emul_load_begin). */
#include <stdlib.h>
#include <string.h>
#include "box/replace.h"
#include "box/sim_gpu.h"
#include "box/sim_warming.h"
#include "box/shader/shader_unit.h"

SIM_BOX_STATS(cc)

#define CC_NO_LINE UINT32_MAX
#define CC_NO_KEY UINT32_MAX

/* A word between look-up and reading. */
struct cc_word {
   uint32_t start; /* its address */
   uint32_t line;  /* CC_NO_LINE: all of the load lies outside buffers */
   sim_tick ready; /* when it may be read */
   bool last;      /* the load's last */
};

/* What is kept of a queued load in addition to its message. */
struct cc_load {
   struct emul_vec4 result;
   sim_tick arrived;
};

struct cc {
   struct sim_box box;
   struct cc_stats *stat; /* [work_id] */
   struct sim_signal *in, *out, *to_mc, *from_mc, *from_cp;
   uint32_t sets, ways, line_size, line_shift, port, queue, window_size, max_misses;
   sim_tick latency;
   uint32_t *keys;    /* [sets][ways] line number in memory; CC_NO_KEY: free */
   uint16_t *pins;    /* [sets][ways] look-ups not read yet */
   uint8_t *filled;   /* [sets][ways] its data is here */
   uint16_t *work_id; /* [sets][ways] of the request */
   uint8_t *data;     /* [sets][ways][line_size] */
   uint64_t *stamps;  /* of replace */
   struct replace replace;
   uint32_t in_flight; /* lines requested and not here */
   struct cc_load *loads;
   uint32_t answered, begun, looked_up; /* loads, since reset; loads[number % queue] */
   uint8_t left[EMUL_LANES];            /* components of the present load still to look up */
   struct cc_word *window;              /* ring */
   uint32_t head, tail;                 /* free running */
   struct sim_stall look_up_stall, read_stall;
   uint16_t look_up_work_id; /* the stall's */
};

static void
cc_init(struct sim_box *b)
{
   struct cc *x = (struct cc *)b;
   const struct sim_config *c = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   x->in = &net->shdx_cc[b->instance];
   x->out = &net->cc_shf[b->instance];
   x->to_mc = &net->cc_mc[b->instance];
   x->from_mc = &net->mc_cc[b->instance];
   x->from_cp = &net->cp_cc[b->instance];
   x->sets = c->shader.cc_sets;
   x->ways = c->shader.cc_ways;
   x->line_size = c->shader.cc_line_size;
   x->line_shift = (uint32_t)__builtin_ctz(x->line_size);
   x->port = c->shader.cc_port_width;
   x->queue = c->shader.cc_queue;
   x->window_size = c->shader.cc_window;
   x->max_misses = c->shader.cc_misses;
   x->latency = c->shader.cc_latency * b->period;
   const size_t lines = (size_t)x->sets * x->ways;
   x->keys = sim_box_alloc(b, lines * sizeof(*x->keys));
   memset(x->keys, 0xff, lines * sizeof(*x->keys));
   x->pins = sim_box_alloc(b, lines * sizeof(*x->pins));
   x->filled = sim_box_alloc(b, lines);
   x->work_id = sim_box_alloc(b, lines * sizeof(*x->work_id));
   x->data = sim_xmalloc(lines * x->line_size); /* unused pages are never touched */
   x->stamps = sim_box_alloc(b, 2 * lines * sizeof(*x->stamps));
   replace_init(&x->replace, c->shader.cc_replacement, x->sets, x->ways, x->stamps);
   x->loads = sim_box_alloc(b, x->queue * sizeof(*x->loads));
   x->window = sim_box_alloc(b, x->window_size * sizeof(*x->window));
}

static void
cc_fini(struct sim_box *b)
{
   free(((struct cc *)b)->data);
}

/* --- Lines --- */

static uint8_t *
cc_data(const struct cc *x, uint32_t line)
{
   return x->data + (size_t)line * x->line_size;
}

static uint32_t
cc_find(const struct cc *x, uint32_t key)
{
   const uint32_t first = (key & (x->sets - 1)) * x->ways;
   for (uint32_t i = first; i < first + x->ways; i++) {
      if (x->keys[i] == key)
         return i;
   }
   return CC_NO_LINE;
}

/* Makes lines with bytes in [start, end) miss; earlier look-ups still read them. */
static void
cc_forget(struct cc *x, uint64_t start, uint64_t end)
{
   for (uint32_t i = 0; i < x->sets * x->ways; i++) {
      const uint64_t address = (uint64_t)x->keys[i] << x->line_shift;
      if (x->keys[i] != CC_NO_KEY && address < end && address + x->line_size > start)
         x->keys[i] = CC_NO_KEY;
   }
}

static void
cc_hear(struct cc *x, sim_tick now)
{
   const struct msg_mem_response *r;
   while ((r = sim_peek(x->from_mc, now))) {
      x->filled[r->cookie] = true;
      x->stat[x->work_id[r->cookie]].fill_bytes += x->line_size;
      x->in_flight--;
      sim_pop(x->from_mc, now);
   }
   const struct msg_rop *forget;
   while ((forget = sim_peek(x->from_cp, now))) {
      cc_forget(x, forget->start, forget->end);
      sim_pop(x->from_cp, now);
   }
}

/* --- Look-up --- */

/* Takes a line for an absent key and requests it. CC_NO_LINE: not now; *stat is the statistic to
 * count. */
static uint32_t
cc_ask(struct cc *x, const struct msg_load *m, uint32_t key, unsigned *stat, sim_tick now)
{
   const uint32_t set = key & (x->sets - 1);
   uint64_t free = 0;
   for (uint32_t way = 0; way < x->ways; way++)
      free |= (uint64_t)!x->pins[set * x->ways + way] << way;
   *stat = free ? SIM_STAT(cc, fail_misses) : SIM_STAT(cc, fail_pinned);
   if (!free || x->in_flight == x->max_misses || !sim_can_send(x->to_mc, now))
      return CC_NO_LINE;
   const uint32_t line = replace_take(&x->replace, set, free);
   x->keys[line] = key;
   x->filled[line] = false;
   x->work_id[line] = m->work_id;
   x->in_flight++;
   sim_trace_ask(x->box.kernel, m->thread->group, cc_data(x, line));
   sim_send(x->to_mc, now,
            &(struct msg_mem_request){.data = cc_data(x, line),
                                      .address = key << x->line_shift,
                                      .size = (uint16_t)x->line_size,
                                      .work_id = m->work_id,
                                      .cookie = line});
   struct cc_stats *s = &x->stat[m->work_id];
   s->misses++;
   s->transactions += x->line_size / 64;
   s->read_bytes += x->line_size;
   return line;
}

/* Finds the address of the present load's next word; false if none is left. */
static bool
cc_next_word(const struct cc *x, const struct emul_load_request *load, uint32_t *start)
{
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      if (!x->left[l])
         continue;
      *start = (load->address[l] + 4 * (uint32_t)__builtin_ctz(x->left[l])) & ~(x->port - 1);
      return true;
   }
   return false;
}

/* Marks the components in a word as looked up; false if others are left. */
static bool
cc_take_word(struct cc *x, const struct emul_load_request *load, uint32_t start)
{
   unsigned others = 0;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned left = x->left[l]; left; left &= left - 1) {
         const uint32_t address = load->address[l] + 4 * (uint32_t)__builtin_ctz(left);
         if ((address & ~(x->port - 1)) == start)
            x->left[l] &= (uint8_t) ~(left & -left);
      }
      others |= x->left[l];
   }
   return !others;
}

static void
cc_begin_load(struct cc *x, const struct msg_load *m, sim_tick now)
{
   const struct emul_load_request *load = &m->thread->emul.load;
   struct cc_load *l = &x->loads[x->begun++ % x->queue];
   struct cc_stats *s = &x->stat[m->work_id];
   memset(&l->result, 0, sizeof(l->result));
   l->arrived = now;
   memcpy(x->left, load->components, sizeof(x->left));
   s->requests++;
   for (unsigned i = 0; i < EMUL_LANES; i++)
      s->inputs += load->components[i] != 0;
}

/* Looks up a word of the load; false: not now, *stat counts that. */
static bool
cc_look_up(struct cc *x, const struct msg_load *m, unsigned *stat, sim_tick now)
{
   struct cc_word w = {.line = CC_NO_LINE, .ready = now + x->latency, .last = true};
   struct cc_stats *s = &x->stat[m->work_id];
   *stat = SIM_STAT(cc, stall_window);
   if (x->tail - x->head == x->window_size)
      return false;
   if (cc_next_word(x, &m->thread->emul.load, &w.start)) {
      const uint32_t key = w.start >> x->line_shift;
      w.line = cc_find(x, key);
      const bool hit = w.line != CC_NO_LINE;
      if (!hit && (w.line = cc_ask(x, m, key, stat, now)) == CC_NO_LINE)
         return false;
      s->hits += hit;
      s->fetches++;
      sim_trace_look_up(&x->box, x, key, 1);
      x->pins[w.line]++;
      replace_use(&x->replace, w.line);
      w.last = cc_take_word(x, &m->thread->emul.load, w.start);
   } else {
      s->outside++;
   }
   x->window[x->tail++ % x->window_size] = w;
   x->looked_up += w.last;
   return true;
}

/* Returns whether it did something. */
static bool
cc_look_up_stage(struct cc *x, sim_tick now)
{
   unsigned stat;
   const uint32_t ahead = x->looked_up - x->answered;
   const struct msg_load *m = ahead < x->queue ? sim_peek_at(x->in, now, ahead) : NULL;
   if (!m)
      return false;
   if (x->begun == x->looked_up)
      cc_begin_load(x, m, now);
   const uint16_t work_id = m->work_id;
   if (!cc_look_up(x, m, &stat, now)) {
      if (x->look_up_stall.on && x->look_up_stall.stat != stat)
         sim_stall_end(&x->look_up_stall, &x->box, work_id, now);
      sim_stall_begin(&x->look_up_stall, stat, now);
      x->look_up_work_id = work_id;
      return false;
   }
   sim_stall_end(&x->look_up_stall, &x->box, work_id, now);
   sim_busy(&x->box, work_id);
   return true;
}

/* --- Reading --- */

static void
cc_answer(struct cc *x, const struct msg_load *m, struct cc_load *l, sim_tick now)
{
   emul_thread_result(&m->thread->emul, &l->result);
   x->stat[m->work_id].latency += (now - l->arrived) / x->box.period;
   sim_send(x->out, now, m);
   sim_pop(x->in, now);
   x->answered++;
}

/* Reads the oldest word; returns whether it did. */
static bool
cc_read_stage(struct cc *x, sim_tick now)
{
   if (x->head == x->tail)
      return false;
   const struct cc_word *w = &x->window[x->head % x->window_size];
   const struct msg_load *m = sim_peek(x->in, now);
   struct cc_load *l = &x->loads[x->answered % x->queue];
   const uint16_t work_id = m->work_id;
   if (now < w->ready)
      return false;
   if (w->line != CC_NO_LINE && !x->filled[w->line]) {
      sim_stall_begin(&x->read_stall, SIM_STAT(cc, stall_data), now);
      return false;
   }
   if (w->last && !sim_can_send(x->out, now))
      return false;
   sim_stall_end(&x->read_stall, &x->box, work_id, now);
   sim_busy(&x->box, work_id);
   if (w->line != CC_NO_LINE) {
      const uint32_t offset = w->start & (x->line_size - 1);
      emul_load_words(&m->thread->emul.load, w->start, (uint64_t)w->start + x->port,
                      cc_data(x, w->line) + offset, &l->result);
      x->pins[w->line]--;
      x->stat[work_id].reads++;
      x->stat[work_id].cache_bytes += x->port;
   }
   x->head++;
   if (w->last)
      cc_answer(x, m, l, now);
   return true;
}

static sim_tick
cc_clock(struct sim_box *b, sim_tick now)
{
   struct cc *x = (struct cc *)b;
   cc_hear(x, now);
   bool progress = cc_read_stage(x, now);
   progress |= cc_look_up_stage(x, now);
   const struct msg_load *oldest = sim_peek(x->in, now);
   if (oldest)
      sim_blocked(b, oldest->work_id);
   if (progress)
      return now + b->period;
   /* The look-up is ahead of the arrivals for which the kernel wakes the box. */
   const uint32_t ahead = x->looked_up - x->answered;
   sim_tick next = ahead < x->queue ? sim_arrival_at(x->in, ahead) : SIM_NEVER;
   if (x->head != x->tail) {
      const sim_tick ready = x->window[x->head % x->window_size].ready;
      next = ready > now && (next <= now || ready < next) ? ready : next;
   }
   return next > now ? next : SIM_NEVER;
}

static void
cc_flush_counters(struct sim_box *b, sim_tick next)
{
   struct cc *x = (struct cc *)b;
   const struct msg_load *oldest = sim_peek(x->in, next);
   if (oldest) {
      sim_stall_flush(&x->read_stall, b, oldest->work_id, next);
      sim_stall_flush(&x->look_up_stall, b, x->look_up_work_id, next);
   }
}

static void
cc_dump(const struct sim_box *b, FILE *f)
{
   const struct cc *x = (const struct cc *)b;
   fprintf(f, "   %u loads waiting, %u looked up, %u words to be read, %u lines asked for\n",
           x->in->tail - x->in->head, x->looked_up - x->answered, x->tail - x->head, x->in_flight);
}

static void
cc_warm(struct sim_box *b, const struct sim_warming *event)
{
   if (event->kind == SIM_WARM_LEAVE)
      cc_forget((struct cc *)b, 0, UINT64_MAX);
}

const struct sim_box_class cc_class = {
    .size = sizeof(struct cc),
    .domain = SIM_DOMAIN_GPU,
    .init = cc_init,
    .clock = cc_clock,
    .flush_counters = cc_flush_counters,
    .dump = cc_dump,
    .fini = cc_fini,
    .warm = cc_warm,
    SIM_BOX_CLASS(cc),
};
