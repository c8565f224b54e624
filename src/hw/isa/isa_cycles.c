/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Predicts a program's speed in a shader: Shader Fetch, Decode/Execute and scoreboard
 * (src/sim/box/shader), reduced to what decides the throughput of groups that run the same program.
 * Computes no values. test_shader_cycles compares it with the boxes. */
#include <stdlib.h>
#include <string.h>
#include "hw/isa/attila_machine.h"

#define LOOP_TRIPS 4
/* More groups change nothing: they only wait for the ALUs. Also the bits of a mask. */
#define MAX_CONTEXTS 64
/* Bounds a prediction's time: a longer program's start counts for all of it. */
#define MAX_FETCHES 30000
#define WRITE_CYCLES 1024 /* more than any result takes */
#define NEVER UINT32_MAX

/* Entries of a scoreboard: nothing, the address register, all temporaries, temporaries, outputs. */
enum { SB_NONE, SB_ADDRESS, SB_ANY_TEMP, SB_TEMP };

/* An instruction on a group's path. */
struct step {
   uint16_t src[4], dst;
   uint16_t written, last; /* cycles until its result is written: first and last part */
   uint16_t alu;           /* cycles until the ALUs are free */
   uint8_t temp_reads;
   uint16_t load; /* cycles until a load's or memory instruction's result is here; 0: none */
   bool texture, jumps, scalar;
   uint8_t fetched; /* instructions fetched from this one on */
};

/* A thread context. */
struct context {
   uint32_t ready;   /* cycle from which it may be fetched */
   uint32_t fetched; /* cycle of the last fetch */
   uint32_t latest;  /* when its last result is written; if ended: when it ended */
   uint32_t at;      /* its next step */
   uint32_t number;  /* its group's number, in order of start */
   uint32_t *ready_at;
};

struct predictor {
   const struct attila_shader_machine *m;
   struct step *steps;
   uint32_t num_steps, entries, temps;
   struct context context[MAX_CONTEXTS];
   uint32_t num_contexts;
   uint64_t running, ready; /* masks: running; of these, fetchable */
   uint32_t executing;      /* begun and not yet stored */
   uint8_t idle[MAX_CONTEXTS], num_idle;
   struct fifo {
      uint8_t list[MAX_CONTEXTS];
      uint32_t head, count;
   } buffered, ended;
   int loading;
   uint32_t load_done, store_done, store_cycles;
   uint32_t alu_free, last, begun, stored;
   uint32_t executed; /* all groups' steps */
   struct {
      uint32_t cycle, alu_free;
   } answers[64]; /* decode's answers that fetch does not have yet */
   uint32_t answer_head, answer_tail;
   uint32_t write_cycle[WRITE_CYCLES], writes[WRITE_CYCLES];
   uint32_t requests_free, unit_free[16], unit;
   uint64_t batch, queue; /* IN_ORDER: the batch's groups; those still to have their turn */
   bool closed;           /* IN_ORDER: the batch is complete */
};

/* --- The path --- */

static uint16_t
isa_cycles_entry(const struct predictor *p, unsigned file, unsigned index, bool relative)
{
   if (file == ATTILA_FILE_TEMP)
      return relative ? SB_ANY_TEMP : (uint16_t)(SB_TEMP + index);
   if (file == ATTILA_FILE_OUTPUT)
      return (uint16_t)(SB_TEMP + p->temps + index);
   return file == ATTILA_FILE_ADDRESS ? SB_ADDRESS : SB_NONE;
}

/* Returns the cycles until the words that an instruction loads are here; 0 for others. */
static uint32_t
isa_cycles_load_latency(const struct attila_shader_machine *m, unsigned op)
{
   const unsigned cls = attila_isa_ops[op].cls;
   return cls == ATTILA_CLASS_LOAD     ? m->load_latency
          : cls == ATTILA_CLASS_MEMORY ? m->memory_latency
                                       : 0;
}

static struct step
isa_cycles_make_step(const struct predictor *p, const struct attila_isa_instr *in)
{
   const struct attila_shader_machine *m = p->m;
   const struct attila_isa_op_info *info = &attila_isa_ops[in->op];
   unsigned steps = m->alu == ATTILA_ALU_SCALAR ? attila_isa_scalar_steps(in) : 1;
   unsigned part = m->repeat[in->op];
   struct step s = {.texture = info->cls == ATTILA_CLASS_TEXTURE,
                    .load = (uint16_t)isa_cycles_load_latency(m, in->op),
                    .jumps = attila_isa_may_jump(in->op),
                    .scalar = attila_isa_is_scalar(in)};
   bool address = in->dst.relative;
   for (unsigned i = 0; i < info->num_srcs; i++) {
      s.src[i] = isa_cycles_entry(p, in->src[i].file, in->src[i].index, in->src[i].relative);
      address |= in->src[i].relative;
      bool again = false;
      for (unsigned k = 0; k < i; k++)
         again |= s.src[k] == s.src[i];
      s.temp_reads = (uint8_t)(s.temp_reads + (!again && s.src[i] >= SB_ANY_TEMP));
   }
   s.src[3] = address ? SB_ADDRESS : SB_NONE;
   s.dst =
       info->has_dst ? isa_cycles_entry(p, in->dst.file, in->dst.index, in->dst.relative) : SB_NONE;
   s.written = (uint16_t)(m->latency[in->op] + 1 + (steps - 1) * part * m->vector);
   s.last = (uint16_t)(s.written + (m->vector - 1) * part);
   s.alu = (uint16_t)(steps * m->vector * part);
   return s;
}

/* Counts the instructions fetched from this one on: one per ALU if their kinds differ. */
static unsigned
isa_cycles_count_fetched(const struct attila_shader_machine *m, const struct attila_isa_instr *in)
{
   bool mixed = m->alu == ATTILA_ALU_SIMD_SCALAR;
   unsigned n = 0, simd = mixed ? 1 : m->ways, scalar = 1;
   do {
      bool is_scalar = attila_isa_is_scalar(&in[n]);
      if (mixed && is_scalar && scalar)
         scalar--;
      else if (simd && (!mixed || !is_scalar || m->two_scalars))
         simd--;
      else
         break;
      n++;
   } while (n < m->ways && in[n].op != ATTILA_OP_END);
   return n ? n : 1;
}

/* Follows the program; returns its number of steps, of which at most max are stored. */
static uint64_t
isa_cycles_walk(struct predictor *p, const struct attila_isa_program *isa, uint32_t max)
{
   uint32_t trips[ATTILA_ISA_MAX_NESTING + 1] = {0};
   unsigned depth = 0, deepest = 0;
   uint64_t total = 0, weight = 1;
   for (uint32_t i = 0; i < isa->num_instrs; i++) {
      unsigned op = isa->instrs[i].op;
      depth += op == ATTILA_OP_LOOP;
      deepest = depth > deepest ? depth : deepest;
      weight *= op == ATTILA_OP_LOOP && depth < 16 ? LOOP_TRIPS : 1;
      total += op == ATTILA_OP_END ? 0 : weight;
      weight /= op == ATTILA_OP_ENDLOOP && depth < 16 ? LOOP_TRIPS : 1;
      depth -= op == ATTILA_OP_ENDLOOP;
   }
   /* The compiler may ask before it knows that the program will be refused. */
   if (deepest > ATTILA_ISA_MAX_NESTING)
      max = 0;
   depth = 0;
   for (uint32_t pc = 0; p->num_steps < max && isa->instrs[pc].op != ATTILA_OP_END; pc++) {
      const struct attila_isa_instr *in = &isa->instrs[pc];
      struct step *s = &p->steps[p->num_steps++];
      *s = isa_cycles_make_step(p, in);
      s->fetched = (uint8_t)isa_cycles_count_fetched(p->m, in);
      if (in->op == ATTILA_OP_LOOP)
         trips[depth++] = LOOP_TRIPS;
      else if (in->op == ATTILA_OP_ENDLOOP && --trips[depth - 1])
         pc = in->target;
      else if (in->op == ATTILA_OP_ENDLOOP)
         depth--;
   }
   /* END alone is fetched, too. */
   if (!p->num_steps)
      p->steps[p->num_steps++] = (struct step){.written = 2, .last = 2, .alu = 1, .fetched = 1};
   return total > p->num_steps ? total : p->num_steps;
}

/* --- Groups come and go --- */

static void
isa_cycles_push(struct fifo *f, uint8_t i)
{
   f->list[(f->head + f->count++) % MAX_CONTEXTS] = i;
}

static uint8_t
isa_cycles_pop(struct fifo *f)
{
   uint8_t i = f->list[f->head];
   f->head = (f->head + 1) % MAX_CONTEXTS;
   f->count--;
   return i;
}

static void
isa_cycles_begin_buffered(struct predictor *p, uint32_t now)
{
   while (p->buffered.count && p->executing < p->m->threads) {
      uint8_t i = isa_cycles_pop(&p->buffered);
      struct context *c = &p->context[i];
      *c = (struct context){.ready = now, .number = p->begun++, .ready_at = c->ready_at};
      memset(c->ready_at, 0, p->entries * sizeof(*c->ready_at));
      p->executing++;
      p->running |= 1ull << i;
   }
}

static void
isa_cycles_load_and_store(struct predictor *p, uint32_t now)
{
   if (p->ended.count && p->store_done <= now) {
      p->idle[p->num_idle++] = isa_cycles_pop(&p->ended);
      p->executing--;
      p->stored++;
      p->store_done = NEVER;
   }
   if (p->ended.count && p->store_done == NEVER) {
      uint32_t start = p->context[p->ended.list[p->ended.head]].latest;
      p->store_done = (start > now ? start : now) + p->store_cycles;
   }
   if (p->loading >= 0 && p->load_done <= now) {
      isa_cycles_push(&p->buffered, (uint8_t)p->loading);
      p->loading = -1;
   }
   if (p->loading < 0 && p->num_idle) {
      p->loading = p->idle[--p->num_idle];
      p->load_done = now + p->m->input_cycles;
   }
   isa_cycles_begin_buffered(p, now);
}

/* --- Issue --- */

static uint32_t *
isa_cycles_writes_at(struct predictor *p, uint32_t cycle)
{
   uint32_t i = cycle % WRITE_CYCLES;
   if (p->write_cycle[i] != cycle) {
      p->write_cycle[i] = cycle;
      p->writes[i] = 0;
   }
   return &p->writes[i];
}

static uint32_t
isa_cycles_operands(const struct context *c, const struct step *s)
{
   uint32_t cycle = s->dst == SB_ANY_TEMP ? c->ready_at[SB_ANY_TEMP] : 0;
   for (unsigned i = 0; i < 4; i++)
      cycle = c->ready_at[s->src[i]] > cycle ? c->ready_at[s->src[i]] : cycle;
   return cycle;
}

static bool
isa_cycles_is_refused(struct predictor *p, const struct context *c, const struct step *s,
                      unsigned temps_read, uint32_t now)
{
   uint32_t written = now + s->written;
   return isa_cycles_operands(c, s) > now ||
          (s->dst != SB_NONE && c->ready_at[s->dst] >= written) ||
          (temps_read && temps_read + s->temp_reads > p->m->read_ports) ||
          *isa_cycles_writes_at(p, written) >= p->m->write_ports;
}

static void
isa_cycles_write_result(struct predictor *p, struct context *c, const struct step *s, uint32_t now)
{
   uint32_t written = now + s->written;
   ++*isa_cycles_writes_at(p, written);
   c->latest = now + s->last > c->latest ? now + s->last : c->latest;
   if (s->dst == SB_NONE)
      return;
   c->ready_at[s->dst] = written;
   if (s->dst == SB_ANY_TEMP) {
      for (uint32_t i = 0; i < p->temps; i++)
         c->ready_at[SB_TEMP + i] = written;
   } else if (s->dst >= SB_TEMP && s->dst < SB_TEMP + p->temps &&
              c->ready_at[SB_ANY_TEMP] < written) {
      c->ready_at[SB_ANY_TEMP] = written;
   }
}

/* Returns the cycle in which a request's texels arrive. */
static uint32_t
isa_cycles_look_up(struct predictor *p, uint32_t now)
{
   const struct attila_shader_machine *m = p->m;
   uint32_t begin = now > p->requests_free ? now : p->requests_free;
   p->requests_free = begin + m->texture_requests;
   uint32_t *unit = &p->unit_free[p->unit];
   p->unit = p->unit + 1 >= m->texture_units ? 0 : p->unit + 1;
   begin = begin > *unit ? begin : *unit;
   *unit = begin + m->texture_cycles;
   return begin + m->texture_latency + m->texture_cycles - 1;
}

/* Decodes a context's fetch; returns when decode has answered. */
static uint32_t
isa_cycles_decode(struct predictor *p, struct context *c, unsigned i, uint32_t fetched)
{
   const struct attila_shader_machine *m = p->m;
   uint32_t now = fetched + 1, ready = 0, alu_free = 0, temps_read = 0;
   bool stop = false, simd_taken = false;
   while (m->wait_on_stall && isa_cycles_is_refused(p, c, &p->steps[c->at], 0, now))
      now++;
   for (unsigned n = p->steps[c->at].fetched; n && c->at < p->num_steps && !stop; n--) {
      const struct step *s = &p->steps[c->at];
      if ((simd_taken && !s->scalar) || isa_cycles_is_refused(p, c, s, temps_read, now))
         break;
      temps_read += s->temp_reads;
      simd_taken = m->simd_first;
      isa_cycles_write_result(p, c, s, now);
      alu_free = now - 1 + s->alu > alu_free ? now - 1 + s->alu : alu_free;
      if (s->texture)
         ready = isa_cycles_look_up(p, now);
      else if (s->load)
         ready = now + s->load;
      else if (s->jumps)
         ready = now + s->last;
      stop = s->texture || s->load || s->jumps;
      c->at++;
      p->executed++;
   }
   uint32_t answer = now + 1;
   p->answers[p->answer_tail % 64].cycle = answer;
   p->answers[p->answer_tail++ % 64].alu_free = alu_free;
   if (c->at == p->num_steps) {
      uint32_t end = ready > answer ? ready : answer;
      c->latest = c->latest > end ? c->latest : end;
      p->running &= ~(1ull << i);
      isa_cycles_push(&p->ended, (uint8_t)i);
      return answer;
   }
   if (m->scoreboard && !ready) {
      uint32_t next = isa_cycles_operands(c, &p->steps[c->at]);
      ready = next > 0 ? next - 1 : 0;
   }
   if (m->fetch_delay > m->fetch_gap && ready < fetched + m->fetch_delay)
      ready = fetched + m->fetch_delay;
   c->ready = ready > answer ? ready : answer;
   return answer;
}

/* Returns the first bit from i on, in circular order. */
static unsigned
isa_cycles_next_bit(uint64_t mask, unsigned i)
{
   uint64_t behind = i < 64 ? mask & ~0ull << i : 0;
   return (unsigned)__builtin_ctzll(behind ? behind : mask);
}

static int
isa_cycles_oldest(const struct predictor *p, uint64_t mask)
{
   int best = -1;
   for (; mask; mask &= mask - 1) {
      int i = __builtin_ctzll(mask);
      best = best < 0 || p->context[i].number < p->context[best].number ? i : best;
   }
   return best;
}

/* Returns the ready context that the machine's policy fetches, or -1. */
static int
isa_cycles_choose(struct predictor *p)
{
   int i;
   switch (p->m->issue) {
   case ATTILA_ISSUE_IN_ORDER:
      /* Groups of a batch take turns; a waiting one blocks the queue. Those that begin in the first
       * round join. */
      if (!(p->batch & p->running))
         p->closed = false;
      if (!p->closed) {
         p->queue |= p->running & ~p->batch;
         p->batch |= p->running;
      }
      p->batch &= p->running;
      p->queue &= p->running;
      if (!p->queue) {
         p->closed = true;
         p->queue = p->batch;
      }
      i = isa_cycles_oldest(p, p->queue);
      if (i < 0 || !(p->ready >> i & 1))
         return -1;
      p->queue &= ~(1ull << i);
      return i;
   case ATTILA_ISSUE_OLDEST_FIRST:
      return isa_cycles_oldest(p, p->ready);
   case ATTILA_ISSUE_SWAP_ON_BLOCK:
      return p->ready ? (int)isa_cycles_next_bit(p->ready, p->last) : -1;
   default:
      return p->ready ? (int)isa_cycles_next_bit(p->ready, p->last + 1) : -1;
   }
}

static void
isa_cycles_fetch(struct predictor *p, uint32_t now)
{
   for (unsigned n = 0; n < p->m->fetch_groups; n++) {
      int i = isa_cycles_choose(p);
      if (i < 0)
         return;
      struct context *c = &p->context[i];
      p->alu_free = now + p->m->fetch_gap;
      p->last = (uint32_t)i;
      c->fetched = now;
      p->ready &= ~(1ull << i);
      uint32_t answer = isa_cycles_decode(p, c, (unsigned)i, now);
      if (p->m->wait_on_stall)
         p->alu_free = answer > p->alu_free ? answer : p->alu_free;
   }
}

/* --- Time --- */

static uint32_t
isa_cycles_minimum(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

/* Does a cycle in which something happens; returns the next one. */
static uint32_t
isa_cycles_tick(struct predictor *p, uint32_t now)
{
   while (p->answer_head != p->answer_tail && p->answers[p->answer_head % 64].cycle <= now) {
      uint32_t alu_free = p->answers[p->answer_head++ % 64].alu_free;
      p->alu_free = alu_free > p->alu_free ? alu_free : p->alu_free;
   }
   isa_cycles_load_and_store(p, now);
   uint32_t waiting = NEVER;
   for (uint64_t mask = p->running & ~p->ready; mask; mask &= mask - 1) {
      unsigned i = (unsigned)__builtin_ctzll(mask);
      if (p->context[i].ready <= now)
         p->ready |= 1ull << i;
      else
         waiting = isa_cycles_minimum(waiting, p->context[i].ready);
   }
   if (p->alu_free <= now)
      isa_cycles_fetch(p, now);
   uint32_t next = waiting;
   if (p->ready && (p->m->issue != ATTILA_ISSUE_IN_ORDER || p->alu_free > now))
      next = isa_cycles_minimum(next, p->alu_free > now ? p->alu_free : now + 1);
   for (uint64_t mask = p->running & ~p->ready; mask; mask &= mask - 1)
      next = isa_cycles_minimum(next, p->context[__builtin_ctzll(mask)].ready);
   if (p->ended.count)
      next = isa_cycles_minimum(next, p->store_done);
   if (p->loading >= 0)
      next = isa_cycles_minimum(next, p->load_done);
   if (p->answer_head != p->answer_tail)
      next = isa_cycles_minimum(next, p->answers[p->answer_head % 64].cycle);
   return next > now ? next : now + 1;
}

/* --- The whole --- */

/* Returns the contexts to simulate: those that fit, as far as they matter. */
static uint32_t
isa_cycles_count_contexts(const struct attila_isa_program *isa,
                          const struct attila_shader_machine *m)
{
   struct attila_shader_machine all = *m;
   all.threads += m->buffers;
   uint32_t fit = attila_isa_threads(isa, &all), longest = 0;
   for (uint32_t i = 0; i < isa->num_instrs; i++) {
      unsigned op = isa->instrs[i].op;
      uint32_t wait = attila_isa_ops[op].cls == ATTILA_CLASS_TEXTURE
                          ? m->texture_latency + 4 * m->texture_cycles
                      : isa_cycles_load_latency(m, op) ? isa_cycles_load_latency(m, op)
                                                       : m->latency[op] + m->vector * m->repeat[op];
      longest = wait > longest ? wait : longest;
   }
   uint32_t enough = 4 + m->buffers + (longest + m->input_cycles) / m->fetch_gap * m->fetch_groups;
   fit = isa_cycles_minimum(fit, enough);
   return isa_cycles_minimum(fit, MAX_CONTEXTS);
}

static bool
isa_cycles_prepare(struct predictor *p, const struct attila_isa_program *isa,
                   const struct attila_shader_machine *m, uint32_t max_steps)
{
   const uint32_t outputs = attila_isa_outputs(isa);
   p->m = m;
   p->temps = isa->num_temps;
   p->entries = SB_TEMP + p->temps + ATTILA_ISA_MAX_OUTPUTS;
   p->steps = malloc(max_steps * sizeof(*p->steps));
   p->context[0].ready_at = malloc((size_t)p->entries * p->num_contexts * sizeof(uint32_t));
   p->store_cycles = m->output_cycles;
   if (isa->stage == ATTILA_STAGE_VERTEX && outputs > m->output_attributes)
      p->store_cycles *= (outputs + m->output_attributes - 1) / m->output_attributes;
   for (uint32_t i = p->num_contexts; p->context[0].ready_at && i-- > 0;) {
      p->context[i].ready_at = p->context[0].ready_at + (size_t)i * p->entries;
      p->idle[p->num_idle++] = (uint8_t)i;
   }
   p->loading = -1;
   p->store_done = NEVER;
   return p->steps && p->context[0].ready_at;
}

uint32_t
attila_isa_cycles(const struct attila_isa_program *isa, const struct attila_shader_machine *m)
{
   struct predictor *p = calloc(1, sizeof(*p));
   if (!p)
      return 0;
   p->num_contexts = isa_cycles_count_contexts(isa, m);
   uint32_t max_steps = MAX_FETCHES / 3 / p->num_contexts + 1;
   uint64_t result = 0;
   if (isa_cycles_prepare(p, isa, m, max_steps)) {
      uint64_t total = isa_cycles_walk(p, isa, max_steps);
      /* Warm up, then two groups per context are counted, as groups end in waves. 2^30 ends a
       * program that never progresses. */
      uint32_t first = 0, now = 0, next = 0, executed = 0, contexts = p->num_contexts;
      while (p->stored < 3 * contexts && next < 1u << 30) {
         uint32_t before = p->stored;
         now = next;
         next = isa_cycles_tick(p, now);
         if (before < contexts && p->stored >= contexts) {
            first = now;
            executed = p->executed;
         }
      }
      if (p->executed > executed)
         result = (uint64_t)(now - first) * 100 * total / (p->executed - executed);
   }
   free(p->context[0].ready_at);
   free(p->steps);
   free(p);
   return result > UINT32_MAX ? UINT32_MAX : (uint32_t)result;
}
