/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Load/Store Unit (LSU): a shader's memory instructions. From LoadStoreLatency after an
 * instruction's arrival on it sends a request each cycle: the words that the group's inputs load
 * in an aligned segment of LoadStoreSegment bytes; a run of consecutive words that they store in
 * one; or the atomic operation of one input, which is done at memory, where those of all shaders
 * meet. Stores of a group to one word are done in the order of its inputs, as all its atomic
 * operations are. An instruction ends with its last answer, after earlier ones of the unit, and its
 * group waits until then, so every later instruction of the group finds it done. Nothing is cached.
 * Instructions on shared memory wait in a queue of their own. Its banks serve one after the other:
 * each bank a word in a cycle, which all inputs get that ask for it, and the components of vectors
 * one by one. An atomic operation holds its bank for each input.
 * What a workgroup stores and loads is done when it is placed (box/command/csd.c): its requests
 * only take their time. Not here: which words an input accesses (emul_memory_begin), atomic
 * operations (emul_atomic.h).
 */
#include <string.h>
#include "box/shader/shader_unit.h"
#include "box/sim_gpu.h"

SIM_BOX_STATS(lsu)

#define LSU_MAX_SEGMENT 256 /* bytes */

/* An instruction under way. */
struct lsu_operation {
   struct msg_load m;
   sim_tick arrived, ready;  /* ready: when it may send requests */
   uint32_t unanswered;      /* requests */
   bool sent;                /* all of its requests */
   uint8_t left[EMUL_LANES]; /* bit per word that is not requested yet */
   struct emul_vec4 result;
};

/* A request to memory. data: what it stores or loads; of an atomic operation operand and expected
 * word, then the old one. */
struct lsu_request {
   uint32_t start, bytes;
   uint32_t operation; /* in the ring */
   uint8_t lane;       /* of an atomic operation */
   uint32_t next_free;
   uint8_t data[LSU_MAX_SEGMENT];
};

/* An instruction on shared memory. */
struct lsu_shared {
   struct msg_load m;
   sim_tick arrived, done;
};

struct lsu {
   struct sim_box box;
   struct lsu_stats *stat; /* [work_id] */
   struct sim_signal *in, *out, *to_mc, *from_mc;
   uint32_t segment, num_operations, num_requests;
   sim_tick latency;
   struct lsu_operation *operations; /* ring */
   uint32_t head, next, tail;        /* free running: oldest; sending; newest + 1 */
   struct lsu_request *requests;
   uint32_t free_request, used_requests;
   struct lsu_shared *shared; /* ring */
   uint32_t shared_head, shared_tail, banks, atomic_cycles;
   sim_tick shared_latency;
   sim_tick banks_free; /* when they serve the next instruction */
   struct sim_stall take_stall, send_stall;
   uint16_t send_work_id; /* the stall's */
};

static void
lsu_init(struct sim_box *b)
{
   struct lsu *x = (struct lsu *)b;
   const struct sim_config *c = &b->gpu->config;
   struct sim_netlist *net = &b->gpu->net;
   x->in = &net->shdx_lsu[b->instance];
   x->out = &net->lsu_shf[b->instance];
   x->to_mc = &net->lsu_mc[b->instance];
   x->from_mc = &net->mc_lsu[b->instance];
   x->segment = c->shader.lsu_segment;
   x->latency = c->shader.lsu_latency * b->period;
   x->num_operations = c->shader.lsu_operations;
   x->operations = sim_box_alloc(b, x->num_operations * sizeof(*x->operations));
   x->num_requests = c->shader.lsu_requests;
   x->requests = sim_box_alloc(b, x->num_requests * sizeof(*x->requests));
   for (uint32_t i = 0; i < x->num_requests; i++)
      x->requests[i].next_free = i + 1;
   x->shared = sim_box_alloc(b, x->num_operations * sizeof(*x->shared));
   x->banks = c->shader.shared_banks;
   x->atomic_cycles = c->shader.shared_atomic;
   x->shared_latency = c->shader.shared_latency * b->period;
}

static inline struct lsu_operation *
lsu_operation(const struct lsu *x, uint32_t number)
{
   return &x->operations[number % x->num_operations];
}

/* --- Answers from memory --- */

static void
lsu_take_answer(struct lsu *x, uint32_t number)
{
   struct lsu_request *q = &x->requests[number];
   struct lsu_operation *o = lsu_operation(x, q->operation);
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   if (r->op == ATTILA_OP_LDB || r->op == ATTILA_OP_LDI)
      emul_memory_take(r, q->start, (uint64_t)q->start + q->bytes, q->data, &o->result);
   else if (r->op == ATTILA_OP_ATOM || r->op == ATTILA_OP_ATOMI)
      memcpy(&o->result.c[0][q->lane], q->data, 4);
   o->unanswered--;
   q->next_free = x->free_request;
   x->free_request = number;
   x->used_requests--;
}

static void
lsu_hear(struct lsu *x, sim_tick now)
{
   const struct msg_mem_response *r;
   while ((r = sim_peek(x->from_mc, now))) {
      lsu_take_answer(x, (uint32_t)r->cookie);
      sim_pop(x->from_mc, now);
   }
}

/* --- Shared memory --- */

/* Returns the cycles in which the banks serve a component of all inputs; *words: how many words
 * inputs access. */
static unsigned
lsu_bank_cycles(const struct lsu *x, const struct emul_memory_request *r, unsigned component,
                unsigned *words)
{
   uint8_t load[64] = {0}; /* by bank: words, or operations */
   uint32_t word[EMUL_LANES];
   unsigned most = 0, num = 0;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      if (!(r->words.components[l] >> component & 1))
         continue;
      const uint32_t w = r->words.address[l] / 4 + component;
      bool again = false;
      ++*words;
      for (unsigned i = 0; i < num && !r->atomic; i++)
         again |= word[i] == w;
      word[num++] = w;
      const unsigned here = again ? 0 : ++load[w % x->banks];
      most = here > most ? here : most;
   }
   return most;
}

static void
lsu_take_shared(struct lsu *x, const struct msg_load *m, sim_tick now)
{
   const struct emul_memory_request *r = &m->thread->emul.request;
   struct lsu_stats *stat = &x->stat[m->work_id];
   unsigned cycles = 0, least = 0, words = 0;
   for (unsigned c = 0; c < 4; c++) {
      const unsigned of_component = lsu_bank_cycles(x, r, c, &words);
      cycles += of_component;
      least += of_component != 0;
   }
   if (r->atomic) {
      cycles *= x->atomic_cycles;
      least *= x->atomic_cycles;
   }
   const sim_tick begin = x->banks_free > now ? x->banks_free : now;
   x->banks_free = begin + cycles * x->box.period;
   x->shared[x->shared_tail++ % x->num_operations] = (struct lsu_shared){
       .m = *m,
       .arrived = now,
       .done = x->banks_free + x->shared_latency - (cycles ? x->box.period : 0),
   };
   stat->shared++;
   stat->shared_words += words;
   stat->bank_cycles += cycles;
   stat->bank_conflicts += cycles - least;
}

/* --- Instructions in --- */

/* Takes an instruction; returns whether it did. */
static bool
lsu_take(struct lsu *x, sim_tick now)
{
   const struct msg_load *m = sim_peek(x->in, now);
   if (!m)
      return false;
   const struct emul_memory_request *r = &m->thread->emul.request;
   const bool shared = attila_isa_is_shared(r->op);
   if ((shared ? x->shared_tail - x->shared_head : x->tail - x->head) == x->num_operations) {
      sim_stall_begin(&x->take_stall, SIM_STAT(lsu, stall_operations), now);
      return false;
   }
   sim_stall_end(&x->take_stall, &x->box, m->work_id, now);
   sim_busy(&x->box, m->work_id);
   if (shared) {
      lsu_take_shared(x, m, now);
      sim_pop(x->in, now);
      return true;
   }
   struct lsu_operation *o = lsu_operation(x, x->tail++);
   *o = (struct lsu_operation){.m = *m, .arrived = now, .ready = now + x->latency};
   memcpy(o->left, r->words.components, sizeof(o->left));
   struct lsu_stats *s = &x->stat[m->work_id];
   unsigned accesses = 0;
   for (unsigned l = 0; l < EMUL_LANES; l++)
      accesses += o->left[l] != 0;
   s->requests++;
   s->images += attila_isa_is_image(r->op);
   s->inputs += accesses;
   s->outside += !accesses;
   sim_pop(x->in, now);
   return true;
}

/* --- Requests --- */

/* Returns the address of the operation's first element that is not requested; the lane is *lane,
 * EMUL_LANES: there is none. */
static uint32_t
lsu_first(const struct lsu_operation *o, unsigned *lane)
{
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   for (*lane = 0; *lane < EMUL_LANES; ++*lane) {
      if (o->left[*lane])
         return r->words.address[*lane] + r->unit * (uint32_t)__builtin_ctz(o->left[*lane]);
   }
   return 0;
}

/* Returns a bit for each element that the operation accesses in a segment of so many bytes; data,
 * if not NULL, gets those that it stores. */
static uint64_t
lsu_words_of(const struct lsu_operation *o, uint32_t segment, uint32_t bytes, uint8_t *data)
{
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   uint64_t words = 0;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned left = o->left[l]; left; left &= left - 1) {
         const unsigned c = (unsigned)__builtin_ctz(left);
         const uint32_t at = r->words.address[l] + r->unit * c - segment;
         if (at >= bytes)
            continue;
         words |= 1ull << at / r->unit;
         if (data)
            memcpy(data + at, &r->data[c][l], r->unit);
      }
   }
   return words;
}

/* Marks elements in [start, end) as requested. */
static void
lsu_requested(struct lsu_operation *o, uint32_t start, uint64_t end)
{
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   for (unsigned l = 0; l < EMUL_LANES; l++) {
      for (unsigned left = o->left[l]; left; left &= left - 1) {
         const uint32_t at = r->words.address[l] + r->unit * (uint32_t)__builtin_ctz(left);
         if (at >= start && at < end)
            o->left[l] &= (uint8_t) ~(left & -left);
      }
   }
}

/* Makes the request of a load or store: from the first element of a segment to the last one, or of
 * those stored to the end of a run. A segment has 64 elements at most. */
static void
lsu_fill_words(struct lsu *x, struct lsu_operation *o, uint32_t address, struct lsu_request *q)
{
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   const bool store = attila_isa_is_store(r->op);
   const uint32_t bytes = x->segment < 64u * r->unit ? x->segment : 64u * r->unit;
   const uint32_t segment = address & ~(bytes - 1);
   uint8_t data[LSU_MAX_SEGMENT];
   uint64_t words = lsu_words_of(o, segment, bytes, store ? data : NULL);
   const unsigned first = (unsigned)__builtin_ctzll(words);
   words >>= first;
   const unsigned count = store ? (~words ? (unsigned)__builtin_ctzll(~words) : 64)
                                : 64 - (unsigned)__builtin_clzll(words);
   q->start = segment + r->unit * first;
   q->bytes = r->unit * count;
   if (store)
      memcpy(q->data, data + r->unit * first, q->bytes);
   lsu_requested(o, q->start, (uint64_t)q->start + q->bytes);
   struct lsu_stats *s = &x->stat[o->m.work_id];
   *(store ? &s->writes : &s->reads) += 1;
   *(store ? &s->write_bytes : &s->read_bytes) += q->bytes;
}

static void
lsu_fill_atomic(struct lsu *x, struct lsu_operation *o, uint32_t address, unsigned lane,
                struct lsu_request *q)
{
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   q->start = address;
   q->bytes = 4;
   q->lane = (uint8_t)lane;
   memcpy(q->data, &r->data[0][lane], 4);
   memcpy(q->data + 4, &r->data[1][lane], 4);
   o->left[lane] = 0;
   x->stat[o->m.work_id].atomics++;
}

/* Sends the operation's next request. Returns whether it did; false: not now, *stat counts that. */
static bool
lsu_send(struct lsu *x, struct lsu_operation *o, uint32_t address, unsigned lane, unsigned *stat,
         sim_tick now)
{
   const struct emul_memory_request *r = &o->m.thread->emul.request;
   const bool full = x->used_requests == x->num_requests;
   *stat = full ? SIM_STAT(lsu, stall_requests) : SIM_STAT(lsu, stall_memory);
   if (full || !sim_can_send(x->to_mc, now))
      return false;
   const uint32_t number = x->free_request;
   struct lsu_request *q = &x->requests[number];
   x->free_request = q->next_free;
   x->used_requests++;
   q->operation = x->next;
   if (attila_isa_is_atomic(r->op))
      lsu_fill_atomic(x, o, address, lane, q);
   else
      lsu_fill_words(x, o, address, q);
   o->unanswered++;
   x->stat[o->m.work_id].sent++;
   sim_trace_ask(x->box.kernel, o->m.thread->group, q->data);
   sim_send(x->to_mc, now,
            &(struct msg_mem_request){.data = q->data,
                                      .address = q->start,
                                      .size = (uint16_t)q->bytes,
                                      .work_id = o->m.work_id,
                                      .write = attila_isa_is_store(r->op),
                                      .timed = o->m.thread->group->kind == SIM_GROUP_WORK,
                                      .atomic = r->atomic,
                                      .cookie = number});
   return true;
}

/* Sends a request of the oldest instruction that has some. Returns when to look again. */
static sim_tick
lsu_send_stage(struct lsu *x, sim_tick now)
{
   unsigned stat, lane;
   if (x->next == x->tail)
      return SIM_NEVER;
   struct lsu_operation *o = lsu_operation(x, x->next);
   if (o->ready > now)
      return o->ready;
   const uint16_t work_id = o->m.work_id;
   uint32_t address = lsu_first(o, &lane);
   if (lane < EMUL_LANES && !lsu_send(x, o, address, lane, &stat, now)) {
      if (x->send_stall.on && x->send_stall.stat != stat)
         sim_stall_end(&x->send_stall, &x->box, work_id, now);
      sim_stall_begin(&x->send_stall, stat, now);
      x->send_work_id = work_id;
      return SIM_NEVER;
   }
   sim_stall_end(&x->send_stall, &x->box, work_id, now);
   sim_busy(&x->box, work_id);
   lsu_first(o, &lane);
   if (lane == EMUL_LANES) {
      o->sent = true;
      x->next++;
   }
   return now + x->box.period;
}

/* --- Answers to the shader --- */

/* Completes an instruction; the words of shared memory are in the workgroup's log. */
static void
lsu_deliver(struct emul_thread *t, struct emul_vec4 *result)
{
   if (!attila_isa_ops[t->request.op].has_dst) {
      emul_thread_stored(t);
      return;
   }
   emul_memory_finish(&t->request, result);
   emul_thread_result(t, result);
}

/* Answers the oldest instruction on shared memory if it is done; returns whether it did. *next:
 * when it is. */
static bool
lsu_answer_shared(struct lsu *x, sim_tick now, sim_tick *next)
{
   static const struct emul_vec4 nothing;
   if (x->shared_head == x->shared_tail)
      return false;
   const struct lsu_shared *o = &x->shared[x->shared_head % x->num_operations];
   if (o->done > now) {
      *next = o->done < *next ? o->done : *next;
      sim_busy_until(&x->box, o->m.work_id, o->done);
      return false;
   }
   if (!sim_can_send(x->out, now))
      return false;
   struct emul_vec4 result = nothing;
   lsu_deliver(&o->m.thread->emul, &result);
   x->stat[o->m.work_id].latency += (now - o->arrived) / x->box.period;
   sim_busy(&x->box, o->m.work_id);
   sim_send(x->out, now, &o->m);
   x->shared_head++;
   return true;
}

/* Answers the oldest instruction if it is done; returns whether it did. */
static bool
lsu_answer(struct lsu *x, sim_tick now)
{
   struct lsu_operation *o = lsu_operation(x, x->head);
   if (x->head == x->tail || !o->sent || o->unanswered || !sim_can_send(x->out, now))
      return false;
   lsu_deliver(&o->m.thread->emul, &o->result);
   x->stat[o->m.work_id].latency += (now - o->arrived) / x->box.period;
   sim_busy(&x->box, o->m.work_id);
   sim_send(x->out, now, &o->m);
   x->head++;
   return true;
}

/* --- Clock --- */

static sim_tick
lsu_clock(struct sim_box *b, sim_tick now)
{
   struct lsu *x = (struct lsu *)b;
   lsu_hear(x, now);
   bool progress = lsu_answer(x, now);
   sim_tick next = lsu_send_stage(x, now);
   progress |= lsu_answer_shared(x, now, &next);
   progress |= lsu_take(x, now);
   if (x->head != x->tail)
      sim_blocked(b, lsu_operation(x, x->head)->m.work_id);
   else if (x->shared_head != x->shared_tail)
      sim_blocked(b, x->shared[x->shared_head % x->num_operations].m.work_id);
   return progress ? now + b->period : next;
}

static void
lsu_flush_counters(struct sim_box *b, sim_tick next)
{
   struct lsu *x = (struct lsu *)b;
   const struct msg_load *m = sim_peek(x->in, next);
   if (m)
      sim_stall_flush(&x->take_stall, b, m->work_id, next);
   if (x->next != x->tail)
      sim_stall_flush(&x->send_stall, b, x->send_work_id, next);
}

static void
lsu_dump(const struct sim_box *b, FILE *f)
{
   const struct lsu *x = (const struct lsu *)b;
   fprintf(f,
           "   %u instructions under way, %u of them sent; %u of %u requests not answered; %u "
           "instructions on shared memory\n",
           x->tail - x->head, x->next - x->head, x->used_requests, x->num_requests,
           x->shared_tail - x->shared_head);
}

const struct sim_box_class lsu_class = {
    .size = sizeof(struct lsu),
    .domain = SIM_DOMAIN_GPU,
    .init = lsu_init,
    .clock = lsu_clock,
    .flush_counters = lsu_flush_counters,
    .dump = lsu_dump,
    SIM_BOX_CLASS(lsu),
};
