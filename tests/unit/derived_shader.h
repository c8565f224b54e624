/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * For tests of derived figures: thread groups in shaders and what their instructions cost, from the
 * messages between Fragment FIFO, Shader Fetch, Decode/Execute, texture unit and constant cache,
 * and from what the machine is (sim_shader_machine). When registers are written, and so why an
 * instruction did not issue, follows from the instructions that issued. Shaders with a SIMD ALU and
 * one texture unit. Boxes' counts and states are not looked at. */
#ifndef DERIVED_SHADER_H
#define DERIVED_SHADER_H

#include "box/shader/shader_unit.h"
#include "derived_activity.h"

#define DERIVED_CONTEXTS 64 /* more than a shader has */
#define DERIVED_PORTS 512   /* cycles; more than an instruction takes */
#define DERIVED_TEMPS 64

/* A thread group in a shader. */
struct derived_thread {
   const struct sim_group *group; /* NULL: there is none */
   enum {
      DERIVED_LOADS,
      DERIVED_BUFFERED, /* it is loaded */
      DERIVED_READY,    /* it may be fetched from ready on */
      DERIVED_FETCHED,
      DERIVED_TEXTURE,
      DERIVED_CONSTANT,
      DERIVED_ENDS,
   } state;
   uint32_t order;                /* of loading */
   sim_tick since, ready, latest; /* latest: the last of its results is written */
   sim_tick again;                /* it is not fetched before, for it was fetched */
   sim_tick alu_until;            /* of the instruction that executed last */
   uint32_t at;                   /* instruction: the next, or what it waits for */
   uint16_t active;               /* lanes, at its fetch */
   uint32_t registers;
   struct sim_cost *cost;                          /* [instruction] */
   sim_tick written[EMUL_SB_TEMP + DERIVED_TEMPS]; /* by scoreboard entry: when it can be read */
};

/* Requests to a unit: how many it holds, for which its room is known one tick late. */
struct derived_queue {
   uint32_t present, popped;
   sim_tick popped_at, sent_at;
};

struct derived_shader {
   struct sim_shader_machine machine;
   unsigned contexts, used, executing, registers;
   struct derived_thread threads[DERIVED_CONTEXTS];
   uint32_t order;
   struct derived_thread *loading;       /* NULL: none */
   sim_tick loaded, alu_free, emit_free; /* emit_free: vertices have left for the output buffer */
   /* On the way to it, or waiting in front of it. */
   struct derived_arriving {
      const struct sim_group *group;
      sim_tick at;
   } arriving[DERIVED_CONTEXTS];
   unsigned num_arriving;
   struct derived_queue texture, constant;
   struct {
      sim_tick at;
      unsigned writes;
   } ports[DERIVED_PORTS];
};

struct derived_shaders {
   struct derived_rows *rows;
   unsigned num;
   struct derived_shader shader[SIM_MAX_SHADERS];
};

static inline void
derived_shaders_init(struct derived_shaders *all, struct derived_rows *r)
{
   const struct sim_config *config = &r->gpu->config;
   all->rows = r;
   all->num = NUM_SHADERS(config);
   assert_int_equal(TEX_UNITS_OF_SHADER(config), 1);
   for (unsigned i = 0; i < all->num; i++) {
      struct derived_shader *s = &all->shader[i];
      const struct sim_shader_machine *m = &s->machine;
      shf_machine(&s->machine, config, i);
      assert_true(m->fetch_groups == 1 && m->alu != SIM_ALU_SCALAR && !m->half && !m->scoreboard &&
                  !m->wait_on_stall);
      /* A group holds a register for each input at least. */
      const unsigned fit = m->registers * m->register_lanes / (m->lanes * m->granularity);
      s->contexts = fit < m->groups + m->buffers ? fit : m->groups + m->buffers;
      assert_true(s->contexts <= DERIVED_CONTEXTS);
   }
}

/* --- Groups --- */

static inline struct derived_thread *
derived_shader_thread(struct derived_shader *s, const struct sim_group *group)
{
   struct derived_thread *t = s->threads;
   while (t < s->threads + s->contexts && t->group != group)
      t++;
   assert_true(t < s->threads + s->contexts);
   return t;
}

/* Loads that have ended, and loaded groups that begin, the oldest first. */
static inline void
derived_shader_begin(struct derived_shader *s, sim_tick now)
{
   if (s->loading && now >= s->loaded) {
      s->loading->state = DERIVED_BUFFERED;
      s->loading = NULL;
   }
   while (s->executing < s->machine.groups) {
      struct derived_thread *next = NULL;
      for (struct derived_thread *t = s->threads; t < s->threads + s->contexts; t++) {
         if (t->group && t->state == DERIVED_BUFFERED && (!next || t->order < next->order))
            next = t;
      }
      if (!next)
         return;
      next->state = DERIVED_READY;
      next->since = next->ready = now;
      s->executing++;
   }
}

/* That a group holds. */
static inline uint32_t
derived_shader_registers(const struct derived_shader *s, const struct sim_group *g)
{
   const struct sim_shader_machine *m = &s->machine;
   return sim_shader_registers(m, emul_program_isa(g->program)) * (m->lanes / m->register_lanes);
}

/* A group comes into the shader. */
static inline void
derived_shader_load(struct derived_shaders *all, struct derived_shader *s,
                    const struct sim_group *g, sim_tick now)
{
   const struct attila_isa_program *isa = emul_program_isa(g->program);
   struct derived_rows *r = all->rows;
   derived_shader_begin(s, now);
   assert_true(!s->loading && s->used < s->contexts && s->num_arriving > 0 &&
               isa->num_temps <= DERIVED_TEMPS && g->kind != SIM_GROUP_TRIANGLES);
   struct derived_thread *t = derived_shader_thread(s, NULL);
   struct derived_costs *c = &derived_row(r, derived_serial(r, g->work_id))->costs[g->kind];
   if (!c->cost) {
      c->num = isa->num_instrs;
      c->cost = derived_alloc(c->num * sizeof(*c->cost));
   }
   *t = (struct derived_thread){.group = g,
                                .state = DERIVED_LOADS,
                                .order = s->order++,
                                .registers = derived_shader_registers(s, g),
                                .cost = c->cost};
   s->loading = t;
   s->loaded = now + s->machine.input_cycles;
   s->used++;
   s->registers += t->registers;
   memmove(s->arriving, s->arriving + 1, --s->num_arriving * sizeof(s->arriving[0]));
}

static inline void
derived_shader_leave(struct derived_shader *s, const struct sim_group *g, sim_tick now)
{
   struct derived_thread *t = derived_shader_thread(s, g);
   assert_int_equal(t->state, DERIVED_ENDS);
   t->cost[t->at].wait_output += now - t->since;
   s->registers -= t->registers;
   t->group = NULL;
   s->used--;
   s->executing--;
   derived_shader_begin(s, now);
}

/* --- Instructions --- */

/* The ALUs are kept until a tick by the instruction; counts what they were not kept anyway. */
static inline void
derived_shader_keep(struct derived_shaders *all, unsigned i, struct derived_thread *t,
                    sim_tick until)
{
   struct derived_shader *s = &all->shader[i];
   if (until <= s->alu_free)
      return;
   t->cost[t->at].alu_cycles += until - s->alu_free;
   derived_work(all->rows, all->rows->gpu->net.ffu_shf[i].receiver, t->group->work_id, 0,
                until - s->alu_free);
   s->alu_free = until;
}

static inline void
derived_shader_fetch(struct derived_shaders *all, unsigned i, const struct msg_issue *m,
                     sim_tick now)
{
   struct derived_shader *s = &all->shader[i];
   derived_shader_begin(s, now);
   struct derived_thread *t = derived_shader_thread(s, m->thread->group);
   sim_tick ready = t->ready > t->since ? t->ready : t->since;
   ready = t->again > ready ? t->again : ready;
   assert_true(t->state == DERIVED_READY && now >= ready && now >= s->alu_free);
   assert_int_equal(m->thread->emul.pc, t->at);
   t->cost[t->at].wait_result += ready - t->since;
   t->cost[t->at].wait_fetch += now - ready;
   for (unsigned n = 0; n < m->num_instrs; n++)
      t->cost[t->at + n].fetches++;
   t->active = m->thread->emul.exec;
   t->again = s->machine.fetch_delay ? now + s->machine.fetch_delay : 0;
   t->state = DERIVED_FETCHED;
   t->since = now;
   s->alu_free = now; /* they were free before */
   derived_shader_keep(all, i, t, now + s->machine.fetch_gap);
   derived_work(all->rows, all->rows->gpu->net.ffu_shf[i].receiver, m->work_id, 1,
                s->machine.fetch_gap - 1);
}

static inline unsigned *
derived_shader_port(struct derived_shader *s, sim_tick at)
{
   typeof(s->ports[0]) *port = &s->ports[at % DERIVED_PORTS];
   if (port->at != at)
      *port = (typeof(*port)){.at = at};
   return &port->writes;
}

/* Whether a unit had room at a tick: what it took in that tick makes none yet. */
static inline bool
derived_queue_full(const struct derived_queue *q, const struct sim_signal *signal, sim_tick now)
{
   const uint32_t popped = q->popped_at == now ? q->popped : 0;
   return q->present + popped >= signal->capacity || q->sent_at == now;
}

/* What the instructions of a fetch that have issued took. */
struct derived_taken {
   unsigned num, temps;
};

/* Why the next one could not issue. */
static inline void
derived_shader_refuse(struct derived_shaders *all, unsigned i, struct derived_thread *t,
                      struct derived_taken taken, sim_tick now)
{
   struct derived_shader *s = &all->shader[i];
   const struct sim_shader_machine *m = &s->machine;
   const struct sim_netlist *net = &all->rows->gpu->net;
   struct sim_cost *cost = &t->cost[t->at + taken.num];
   const struct emul_instr *in = &t->group->program->instrs[t->at + taken.num];
   const sim_tick written = now + m->latency[in->op] + 1;
   sim_tick operands = in->sb_dst == EMUL_SB_ANY_TEMP ? t->written[EMUL_SB_ANY_TEMP] : 0;
   for (unsigned n = 0; n < 4; n++)
      operands = t->written[in->sb_src[n]] > operands ? t->written[in->sb_src[n]] : operands;
   const bool overtakes = in->sb_dst != EMUL_SB_NONE && t->written[in->sb_dst] >= written;
   if (taken.num && m->simd_first && !in->is_scalar)
      cost->refused_alu++;
   else if (in->op == ATTILA_OP_EMIT && t->latest > now)
      cost->refused_operands++;
   else if (in->op == ATTILA_OP_EMIT && s->emit_free > now)
      cost->refused_ports++;
   else if (in->cls == ATTILA_CLASS_TEXTURE &&
            derived_queue_full(&s->texture, &net->shdx_tu[i], now))
      cost->refused_texture++;
   else if (in->cls == ATTILA_CLASS_LOAD && derived_queue_full(&s->constant, &net->shdx_cc[i], now))
      cost->refused_constant++;
   else if (operands > now || overtakes)
      cost->refused_operands++;
   else if ((taken.temps && taken.temps + in->temp_reads > m->read_ports) ||
            *derived_shader_port(s, written) >= m->write_ports)
      cost->refused_ports++;
   else
      fail_msg("shader %u, tick %llu: nothing kept instruction %u from issuing", i,
               (unsigned long long)now, t->at + taken.num);
}

/* An instruction issues. */
static inline void
derived_shader_execute(struct derived_shader *s, struct derived_thread *t, unsigned at,
                       sim_tick now)
{
   const struct emul_instr *in = &t->group->program->instrs[at];
   const uint32_t part = s->machine.repeat[in->op], vector = s->machine.vector;
   const sim_tick written = now + s->machine.latency[in->op] + 1;
   const sim_tick kept = now - 1 + vector * part; /* the ALUs, from its fetch on */
   t->cost[at].groups++;
   t->cost[at].inputs += (unsigned)__builtin_popcount(t->active);
   ++*derived_shader_port(s, written);
   t->alu_until = kept > t->alu_until ? kept : t->alu_until;
   const sim_tick last = written + (vector - 1) * part;
   t->latest = last > t->latest ? last : t->latest;
   t->ready = in->jumps ? last : 0;
   if (in->op == ATTILA_OP_EMIT) {
      s->emit_free = now + shf_output_cycles(&s->machine, emul_program_isa(t->group->program));
      t->ready = s->emit_free > t->ready ? s->emit_free : t->ready;
   }
   if (in->sb_dst == EMUL_SB_ANY_TEMP) {
      for (unsigned n = 0; n < DERIVED_TEMPS; n++)
         t->written[EMUL_SB_TEMP + n] = written;
   }
   if (in->sb_dst != EMUL_SB_NONE)
      t->written[in->sb_dst] = written;
   if (in->sb_dst >= EMUL_SB_TEMP && t->written[EMUL_SB_ANY_TEMP] < written)
      t->written[EMUL_SB_ANY_TEMP] = written;
}

/* Decode/Execute answers: so many instructions of a fetch have issued. */
static inline void
derived_shader_decode(struct derived_shaders *all, unsigned i, const struct msg_issue *m,
                      sim_tick now)
{
   struct derived_shader *s = &all->shader[i];
   struct derived_thread *t = derived_shader_thread(s, m->thread->group);
   struct derived_taken taken = {0};
   t->alu_until = t->ready = 0;
   for (; taken.num < m->num_instrs; taken.num++) {
      taken.temps += t->group->program->instrs[t->at + taken.num].temp_reads;
      derived_shader_execute(s, t, t->at + taken.num, now);
   }
   if (m->replay)
      derived_shader_refuse(all, i, t, taken, now);
}

/* Shader Fetch has the answer. */
static inline void
derived_shader_answer(struct derived_shaders *all, unsigned i, const struct msg_issue *m,
                      sim_tick now)
{
   struct derived_thread *t = derived_shader_thread(&all->shader[i], m->thread->group);
   assert_int_equal(t->state, DERIVED_FETCHED);
   t->cost[t->at].wait_decode += now - t->since;
   derived_shader_keep(all, i, t, t->alu_until);
   t->state = m->state == SHF_READY      ? DERIVED_READY
              : m->state == SHF_BLOCKED  ? DERIVED_TEXTURE
              : m->state == SHF_CONSTANT ? DERIVED_CONSTANT
                                         : DERIVED_ENDS;
   t->since = now;
   t->at = m->thread->emul.pc;
}

/* What the thread waited for has come. */
static inline void
derived_shader_unblock(struct derived_shader *s, const struct shf_thread *thread, sim_tick now)
{
   struct derived_thread *t = derived_shader_thread(s, thread->group);
   struct sim_cost *cost = &t->cost[t->at];
   assert_true(t->state == DERIVED_TEXTURE || t->state == DERIVED_CONSTANT);
   *(t->state == DERIVED_TEXTURE ? &cost->wait_texture : &cost->wait_constant) += now - t->since;
   t->at++;
   t->state = t->group->program->instrs[t->at].op == ATTILA_OP_END ? DERIVED_ENDS : DERIVED_READY;
   t->since = t->ready = now;
}

/* --- Events --- */

static inline void
derived_queue_pop(struct derived_queue *q, sim_tick now)
{
   q->present--;
   q->popped = q->popped_at == now ? q->popped + 1 : 1;
   q->popped_at = now;
}

static inline void
derived_queue_send(struct derived_queue *q, sim_tick now)
{
   q->present++;
   q->sent_at = now;
}

static inline void
derived_shaders_send(struct derived_shaders *all, const struct sim_trace_event *e, sim_tick now)
{
   const struct sim_netlist *net = &all->rows->gpu->net;
   const struct sim_signal *s = e->what;
   if (DERIVED_FROM(net, ffu_shf, s)) {
      struct derived_shader *to = &all->shader[s - net->ffu_shf];
      assert_true(to->num_arriving < DERIVED_CONTEXTS);
      to->arriving[to->num_arriving++] =
          (struct derived_arriving){((const struct msg_group *)e->object)->group, e->ready};
   } else if (DERIVED_FROM(net, shf_shdx, s)) {
      derived_shader_fetch(all, (unsigned)(s - net->shf_shdx), e->object, now);
   } else if (DERIVED_FROM(net, shdx_shf, s)) {
      derived_shader_decode(all, (unsigned)(s - net->shdx_shf), e->object, now);
   } else if (DERIVED_FROM(net, shf_ffu, s)) {
      derived_shader_leave(&all->shader[s - net->shf_ffu],
                           ((const struct msg_group *)e->object)->group, now);
   } else if (DERIVED_FROM(net, shdx_tu, s)) {
      derived_queue_send(&all->shader[s - net->shdx_tu].texture, now);
   } else if (DERIVED_FROM(net, shdx_cc, s)) {
      derived_queue_send(&all->shader[s - net->shdx_cc].constant, now);
   }
}

static inline void
derived_shaders_pop(struct derived_shaders *all, const struct sim_trace_event *e, sim_tick now)
{
   const struct sim_netlist *net = &all->rows->gpu->net;
   const struct sim_signal *s = e->what;
   if (DERIVED_FROM(net, ffu_shf, s))
      derived_shader_load(all, &all->shader[s - net->ffu_shf],
                          ((const struct msg_group *)e->object)->group, now);
   else if (DERIVED_FROM(net, shdx_shf, s))
      derived_shader_answer(all, (unsigned)(s - net->shdx_shf), e->object, now);
   else if (DERIVED_FROM(net, tu_shf, s))
      derived_shader_unblock(&all->shader[s - net->tu_shf],
                             ((const struct msg_tex *)e->object)->thread, now);
   else if (DERIVED_FROM(net, cc_shf, s))
      derived_shader_unblock(&all->shader[s - net->cc_shf],
                             ((const struct msg_load *)e->object)->thread, now);
   else if (DERIVED_FROM(net, shdx_tu, s))
      derived_queue_pop(&all->shader[s - net->shdx_tu].texture, now);
   else if (DERIVED_FROM(net, shdx_cc, s))
      derived_queue_pop(&all->shader[s - net->shdx_cc].constant, now);
}

/* What the group in front of the shader waits for. */
static inline enum derived_threads
derived_shader_wants(const struct derived_shader *s)
{
   if (s->used == s->contexts)
      return DERIVED_WANTS_THREAD;
   assert_true(s->used && s->registers + derived_shader_registers(s, s->arriving[0].group) >
                              s->machine.registers);
   return DERIVED_WANTS_REGISTERS;
}

/* At the end of every tick, before derived_activity_tick. */
static inline void
derived_shaders_tick(struct derived_shaders *all, sim_tick now)
{
   static const enum derived_threads states[] = {
       [DERIVED_LOADS] = DERIVED_LOADED,    [DERIVED_BUFFERED] = DERIVED_LOADED,
       [DERIVED_READY] = DERIVED_EXECUTING, [DERIVED_FETCHED] = DERIVED_EXECUTING,
       [DERIVED_TEXTURE] = DERIVED_WAITING, [DERIVED_CONSTANT] = DERIVED_WAITING,
       [DERIVED_ENDS] = DERIVED_ENDED,
   };
   uint64_t *count = derived_frame(all->rows)->threads;
   for (unsigned i = 0; i < all->num; i++) {
      struct derived_shader *s = &all->shader[i];
      derived_shader_begin(s, now);
      count[DERIVED_FREE] += s->contexts - s->used;
      for (unsigned n = 0; s->used && n < s->contexts; n++) {
         if (s->threads[n].group)
            count[states[s->threads[n].state]]++;
      }
      if (s->num_arriving && s->arriving[0].at <= now && !s->loading)
         count[derived_shader_wants(s)]++;
   }
}

#endif
