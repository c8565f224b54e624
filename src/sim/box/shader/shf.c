/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader Fetch (ShF, ISPASS 2006 section 2.3): a shader's thread contexts and registers. It takes
 * groups from the Fragment FIFO, loads their inputs, fetches instructions of the group that the
 * issue policy selects (shf_issue.h), and takes ended threads' outputs (shf_transfer.c). ShDX
 * decides what issues; refused instructions are fetched again. Every group costs as much as a full
 * one, in ALUs and transfers. The shader's parts: struct sim_shader_machine.
 * With SharedWindow (ISPASS 2006 section 5) one box has the contexts and registers of all shaders,
 * and fetches for each of them (struct shf_port): any group may go to any shader, from one
 * instruction to the next. */
#include <string.h>
#include "box/shader/shf.h"

static void
shf_create_contexts(struct shf *f, unsigned n)
{
   struct sim_box *b = &f->box;
   struct shf_window *w = &f->window;
   f->threads = sim_box_alloc(b, n * sizeof(*f->threads));
   f->num_parts = (f->machine.lanes + EMUL_LANES - 1) / EMUL_LANES;
   if (f->num_parts > 1)
      f->parts = sim_box_alloc(b, n * (f->num_parts - 1) * sizeof(*f->parts));
   f->state = sim_box_alloc(b, n * sizeof(*f->state));
   f->in_state[SHF_FREE] = n;
   f->num_contexts = n;
   f->work_id = sim_box_alloc(b, n * sizeof(*f->work_id));
   f->since = sim_box_alloc(b, n * sizeof(*f->since));
   f->ready = sim_box_alloc(b, n * sizeof(*f->ready));
   f->again = sim_box_alloc(b, n * sizeof(*f->again));
   f->free = sim_box_alloc(b, n * sizeof(*f->free));
   f->spare = sim_box_alloc(b, n * sizeof(*f->spare));
   f->ended = sim_box_alloc(b, n * sizeof(*f->ended));
   f->buffered = sim_box_alloc(b, n * sizeof(*f->buffered));
   f->ended_at = sim_box_alloc(b, n * sizeof(*f->ended_at));
   w->order = sim_box_alloc(b, n * sizeof(*w->order));
   w->ready = sim_box_alloc(b, (n + 63) / 64 * sizeof(*w->ready));
   w->threads = f->threads;
   w->num_threads = n;
   for (unsigned i = 0; i < n; i++) {
      f->threads[i].index = (uint16_t)i;
      f->threads[i].first = &f->threads[i];
      for (unsigned p = 0; p + 1 < f->num_parts; p++)
         f->parts[i * (f->num_parts - 1) + p].first = &f->threads[i];
   }
   f->num_free = f->num_spare = 0;
   for (unsigned i = f->num_threads; i-- > 0;)
      f->free[f->num_free++] = (uint16_t)i;
   for (unsigned i = n; i-- > f->num_threads;)
      f->spare[f->num_spare++] = (uint16_t)i;
}

/* Such a workgroup runs all the same, alone, as OpenGL's limits ask for; CSD counts it. */
void
shf_grow(struct shf *f, unsigned contexts)
{
   const sim_tick *since = f->since;
   if (contexts <= f->num_contexts)
      return;
   shf_create_contexts(f, contexts);
   memcpy(f->since, since, f->num_threads * sizeof(*since));
   for (unsigned p = 0; p < f->num_ports; p++)
      f->port[p].last = 0;
}

static void
shf_init_ports(struct shf *f)
{
   const struct sim_shader_machine *m = &f->machine;
   for (unsigned p = 0; p < f->num_ports; p++)
      f->port[p].loading = f->port[p].leaving = -1;
   /* A shader fetches nothing else for fetch_gap cycles; another one must not fetch the thread. */
   f->fetch_again = (m->fetch_delay > m->fetch_gap ? m->fetch_delay
                     : f->num_ports > 1            ? m->fetch_gap
                                                   : 0) *
                    f->box.period;
}

static void
shf_init(struct sim_box *b)
{
   struct shf *f = (struct shf *)b;
   const struct sim_shader_machine *m = &f->machine;
   shf_machine(&f->machine, &b->gpu->config, b->instance);
   f->policy = shf_policy_get(m->policy);
   /* A window for all shaders is as large as theirs together (ISPASS 2006 section 5). */
   f->num_ports = SHADERS_OF_WINDOW(&b->gpu->config);
   f->machine.groups *= f->num_ports;
   f->machine.buffers *= f->num_ports;
   f->machine.registers *= f->num_ports;
   /* Every group holds at least one register per input. */
   unsigned fit = m->registers * m->register_lanes / (m->lanes * m->granularity);
   unsigned n = m->groups + m->buffers < fit ? m->groups + m->buffers : fit;
   f->num_threads = n ? n : 1;
   shf_create_contexts(f, f->num_threads);
   shf_init_ports(f);
   f->window.period = b->period;
   for (unsigned i = 0; i < f->num_threads; i++)
      f->since[i] = b->run_from;
   f->next_waiting = f->choose_again = SIM_NEVER;
   f->empty_since = b->run_from;
}

/* --- States of threads --- */

/* Makes a thread fetchable from a tick on, but not before its next fetch may be. */
static void
shf_make_ready(struct shf *f, unsigned i, sim_tick tick, sim_tick now)
{
   tick = f->again[i] > tick ? f->again[i] : tick;
   if (tick <= now) {
      shf_set_state(f, i, SHF_READY, now);
      return;
   }
   f->ready[i] = tick;
   f->next_waiting = tick < f->next_waiting ? tick : f->next_waiting;
   shf_set_state(f, i, SHF_WAITING, now);
}

static void
shf_end_waits(struct shf *f, sim_tick now)
{
   sim_tick next = SIM_NEVER;
   if (now < f->next_waiting)
      return;
   for (unsigned p = 0; p < f->window.num_order; p++) {
      unsigned i = f->window.order[p];
      if (f->state[i] != SHF_WAITING)
         continue;
      if (f->ready[i] <= now)
         shf_set_state(f, i, SHF_READY, now);
      else
         next = f->ready[i] < next ? f->ready[i] : next;
   }
   f->next_waiting = next;
}

/* --- Barriers --- */

/* If all groups of a workgroup that have not ended wait at a barrier, lets them go on. */
static void
shf_pass_barrier(struct shf *f, struct sim_workgroup *g, sim_tick now)
{
   const struct shf_window *w = &f->window;
   if (!g->waiting || g->waiting < g->left)
      return;
   for (unsigned p = 0; p < w->num_order; p++) {
      const unsigned i = w->order[p];
      if (f->state[i] != SHF_BARRIER || f->threads[i].group->work.workgroup != g)
         continue;
      f->stat[f->work_id[i]].barriers++;
      f->threads[i].at_barrier = false;
      shf_make_ready(f, i, g->ready, now);
   }
   g->waiting = 0;
   g->ready = 0;
}

/* A group has executed a barrier, whose time is over at tick ready. */
static void
shf_arrive(struct shf *f, unsigned i, sim_tick ready, sim_tick now)
{
   struct sim_workgroup *g = f->threads[i].group->work.workgroup;
   f->threads[i].at_barrier = true;
   shf_set_state(f, i, SHF_BARRIER, now);
   g->waiting++;
   g->ready = ready > g->ready ? ready : g->ready;
   shf_pass_barrier(f, g, now);
}

/* --- Threads that come back --- */

static void
shf_end_thread(struct shf *f, unsigned i, sim_tick at, sim_tick now)
{
   struct shf_window *w = &f->window;
   unsigned p = 0;
   while (w->order[p] != i)
      p++;
   w->num_order--;
   memmove(&w->order[p], &w->order[p + 1], (w->num_order - p) * sizeof(*w->order));
   shf_set_state(f, i, SHF_ENDED, now);
   shf_prefetch_group(f->threads[i].group); /* outputs need it */
   if (f->policy->ended)
      f->policy->ended(w, p);
   unsigned e = f->ended_head + f->num_ended++;
   e = e >= f->num_contexts ? e - f->num_contexts : e;
   f->ended[e] = (uint16_t)i;
   f->ended_at[e] = at;
   f->stat[f->work_id[i]].ended_threads++;
   if (f->threads[i].group->kind == SIM_GROUP_WORK) {
      f->threads[i].group->work.workgroup->left--;
      shf_pass_barrier(f, f->threads[i].group->work.workgroup, now);
   }
}

static void
shf_collect_answers(struct shf *f, struct shf_port *p, struct sim_signal *in, sim_tick now)
{
   struct msg_issue *m;
   while ((m = sim_peek(in, now))) {
      unsigned i = m->thread->index;
      p->outstanding--;
      if (m->alu_free > p->alu_free) {
         const uint64_t cycles = (m->alu_free - p->alu_free) / f->box.period;
         f->stat[m->work_id].alu_busy += cycles;
         if (m->thread->costs)
            m->thread->costs[m->thread->at].alu_cycles += cycles;
         p->alu_free = p->idle_from = m->alu_free;
         /* Another shader must not overtake these ALUs. */
         if (f->num_ports > 1)
            f->again[i] = m->alu_free;
      }
      f->stat[m->work_id].refetched += m->replay ? f->machine.lanes : 0;
      if (m->state == SHF_READY) {
         shf_make_ready(f, i, m->ready, now);
      } else if (m->state == SHF_ENDED) {
         shf_end_thread(f, i, m->ready, now);
      } else if (m->state == SHF_BARRIER) {
         shf_arrive(f, i, m->ready, now);
      } else {
         shf_set_state(f, i, m->state, now);
         f->stat[m->work_id].blocks += m->state == SHF_BLOCKED;
      }
      m->thread->at = m->thread->pc;
      sim_pop(in, now);
   }
}

/* Takes back a thread whose awaited result is in its registers. */
SIM_INLINE void
shf_unblock(struct shf *f, struct shf_thread *t, sim_tick now)
{
   if (shf_thread_instr(t)->op == ATTILA_OP_END && shf_thread_step(t) == EMUL_STEP_END)
      shf_end_thread(f, t->index, t->latest > now ? t->latest : now, now);
   else
      shf_make_ready(f, t->index, now, now);
   t->at = t->pc;
}

SIM_INLINE void
shf_collect_texels_from(struct shf *f, struct sim_signal *in, sim_tick now)
{
   struct msg_tex *m;
   while ((m = sim_peek(in, now))) {
      struct shf_thread *t = m->thread;
      const uint16_t work_id = m->work_id;
      sim_pop(in, now);
      if (!shf_thread_answered(t))
         continue;
      f->stat[work_id].unblocks++;
      shf_unblock(f, t->first, now);
   }
}

/* Takes back threads that waited in this state for loads or memory instructions. */
static void
shf_collect_loads(struct shf *f, struct sim_signal *in, enum shf_state state, sim_tick now)
{
   struct msg_load *m;
   while (f->in_state[state] && (m = sim_peek(in, now))) {
      struct shf_thread *t = m->thread;
      sim_pop(in, now);
      if (shf_thread_answered(t))
         shf_unblock(f, t->first, now);
   }
}

SIM_INLINE void
shf_collect_texels(struct shf *f, unsigned ports, sim_tick now)
{
   unsigned units = TEX_UNITS_OF_SHADER(&f->box.gpu->config) * ports;
   struct sim_signal *in = &f->box.gpu->net.tu_shf[f->box.instance * units];
   for (unsigned i = 0; f->in_state[SHF_BLOCKED] && i < units; i++)
      shf_collect_texels_from(f, &in[i], now);
}

/* --- Fetch --- */

/* Returns how many instructions to fetch from this one on: one per ALU if their kinds differ. */
static unsigned
shf_fetched_instrs(const struct sim_shader_machine *m, const struct emul_instr *in)
{
   unsigned n = 0, simd = 1, scalar = 1;
   if (m->alu != SIM_ALU_SIMD_SCALAR)
      simd = m->ways;
   do {
      if (m->alu == SIM_ALU_SIMD_SCALAR && in[n].is_scalar && scalar)
         scalar--;
      else if (simd && (m->alu != SIM_ALU_SIMD_SCALAR || !in[n].is_scalar || m->two_scalars))
         simd--;
      else
         break;
      n++;
   } while (n < m->ways && in[n].op != ATTILA_OP_END);
   return n;
}

static void
shf_fetch_thread(struct shf *f, struct shf_port *p, unsigned i, struct sim_signal *out,
                 sim_tick now)
{
   const struct sim_shader_machine *machine = &f->machine;
   struct shf_thread *t = &f->threads[i];
   struct msg_issue m = {.thread = t, .work_id = f->work_id[i]};
   struct shf_stats *stat = &f->stat[m.work_id];
   m.num_instrs =
       machine->ways == 1 ? 1 : (uint8_t)shf_fetched_instrs(machine, shf_thread_instr(t));
   m.alu_free = p->alu_free = p->idle_from = now + machine->fetch_gap * f->box.period;
   p->alu_work_id = m.work_id;
   f->again[i] = now + f->fetch_again;
   f->window.last = p->last = i;
   p->outstanding++;
   shf_prefetch_decode(t);
   shf_set_state(f, i, SHF_ISSUED, now);
   shf_prefetch_next(&f->window, i);
   stat->fetched += m.num_instrs * machine->lanes;
   stat->paired += m.num_instrs > 1;
   stat->fetch_cycles += machine->fetch_gap - 1;
   stat->alu_busy += machine->fetch_gap;
   if (t->costs) {
      t->costs[t->at].alu_cycles += machine->fetch_gap;
      for (unsigned n = 0; n < m.num_instrs; n++)
         t->costs[t->at + n].fetches++;
   }
   sim_send(out, now, &m);
}

/* Fetches for one shader. Returns false if no thread may be fetched, for no shader. */
static bool
shf_fetch_for(struct shf *f, struct shf_port *p, struct sim_signal *out, sim_tick now)
{
   if (now < p->alu_free)
      return true;
   f->window.own_last = p->last;
   for (unsigned n = 0; n < f->machine.fetch_groups; n++) {
      if (!sim_can_send(out, now) || (f->machine.wait_on_stall && p->outstanding)) {
         p->wait_decode = true; /* until it answers */
         return true;
      }
      int i = f->policy->choose(&f->window, now, &f->choose_again);
      if (i < 0)
         return false;
      shf_fetch_thread(f, p, (unsigned)i, out, now);
   }
   return true;
}

/* The shaders' turns rotate, so that few threads keep all of them equally busy. */
SIM_INLINE void
shf_fetch(struct shf *f, unsigned ports, sim_tick now)
{
   f->choose_again = SIM_NEVER;
   for (unsigned p = 0; p < ports; p++)
      f->port[p].wait_decode = false;
   if (!f->window.num_order)
      return;
   struct sim_signal *out = &f->box.gpu->net.shf_shdx[f->box.instance];
   if (ports == 1) {
      shf_fetch_for(f, f->port, out, now);
      return;
   }
   bool more = true;
   for (unsigned n = 0, p = f->next_port; more && n < ports; n++) {
      const unsigned outstanding = f->port[p].outstanding, after = p + 1 == ports ? 0 : p + 1;
      more = shf_fetch_for(f, &f->port[p], &out[p], now);
      if (f->port[p].outstanding != outstanding)
         f->next_port = after;
      p = after;
   }
}

/* Charges the cycles since the last clock to the states in which it left the threads. */
SIM_INLINE void
shf_charge(struct shf *f, unsigned ports, sim_tick now)
{
   struct sim_box *b = &f->box;
   uint64_t waited = sim_waited(b, now);
   for (unsigned p = 0; p < ports; p++) {
      if (now <= f->port[p].idle_from)
         continue;
      uint64_t cycles = f->idle ? (now - f->port[p].idle_from) / f->box.period : 0;
      f->stat[f->idle_work_id].no_ready += cycles;
      f->stat[f->idle_work_id].all_blocked += f->idle_texture ? cycles : 0;
      f->stat[f->idle_work_id].all_constant += f->idle_constant ? cycles : 0;
      f->stat[f->idle_work_id].all_memory += f->idle_memory ? cycles : 0;
      f->stat[f->idle_work_id].all_barrier += f->idle_barrier ? cycles : 0;
      f->port[p].idle_from = now;
   }
   if (f->wait_threads)
      f->stat[f->input_wait_work_id].stall_threads += waited;
   if (f->wait_registers)
      f->stat[f->input_wait_work_id].stall_registers += waited;
   if (f->wait_output)
      f->stat[f->output_wait_work_id].stall_output += waited;
   if (f->empty_since < now) {
      f->stat[0].empty += (now - f->empty_since) / b->period;
      f->empty_since = now;
   }
}

static void
shf_flush_counters(struct sim_box *b, sim_tick next)
{
   struct shf *f = (struct shf *)b;
   shf_charge(f, f->num_ports, next);
   for (unsigned i = 0; i < f->num_contexts; i++) {
      shf_count_state(f, i, next);
      shf_count_cost(f, i, next);
      if (f->threads[i].group)
         shf_count_registers(f, &f->threads[i], next);
   }
}

/* Returns the oldest thread, by what it waits for; 0: there is none. */
static unsigned
shf_oldest(const struct shf *f)
{
   if (f->window.num_order)
      return f->window.order[0];
   for (unsigned p = 0; p < f->num_ports; p++) {
      if (f->port[p].leaving >= 0)
         return (unsigned)f->port[p].leaving;
   }
   if (f->num_buffered)
      return f->buffered[f->buffered_head];
   for (unsigned p = 0; p < f->num_ports; p++) {
      if (f->port[p].loading >= 0)
         return (unsigned)f->port[p].loading;
   }
   return 0;
}

SIM_INLINE void
shf_say_activity(struct shf *f, unsigned ports, sim_tick now)
{
   struct sim_box *b = &f->box;
   const struct shf_window *w = &f->window;
   f->idle_work_id = f->registers_used ? f->work_id[shf_oldest(f)] : 0;
   f->idle = w->num_order > 0;
   f->idle_texture = f->in_state[SHF_BLOCKED] == w->num_order;
   f->idle_constant = f->in_state[SHF_CONSTANT] == w->num_order;
   f->idle_memory = f->in_state[SHF_MEMORY] == w->num_order;
   f->idle_barrier = f->in_state[SHF_BARRIER] == w->num_order;
   if (f->in_state[SHF_FREE] == f->num_contexts && f->empty_since == SIM_NEVER)
      f->empty_since = now;
   if (f->registers_used)
      sim_blocked(b, f->idle_work_id);
   for (const struct shf_port *p = f->port; p < f->port + ports; p++) {
      if (now < p->alu_free)
         sim_busy_until(b, p->alu_work_id, p->alu_free);
      if (p->loading >= 0)
         sim_busy_until(b, p->load_work_id, p->load_free);
      if (p->leaving >= 0 && p->output_done > now)
         sim_busy_until(b, f->work_id[p->leaving], p->output_done);
   }
}

/* Returns when the next fetch or transfer of a port is due. */
SIM_INLINE sim_tick
shf_next_of_ports(const struct shf *f, unsigned ports, sim_tick now)
{
   const bool fetches = f->window.num_ready && f->choose_again == SIM_NEVER;
   sim_tick next = SIM_NEVER;
   for (const struct shf_port *p = f->port; p < f->port + ports; p++) {
      if (fetches && !p->wait_decode && p->alu_free > now && p->alu_free < next)
         next = p->alu_free;
      if (p->leaving >= 0 && p->output_done > now && p->output_done < next)
         next = p->output_done;
      if (p->loading >= 0 && p->load_free < next)
         next = p->load_free;
   }
   return next;
}

SIM_INLINE sim_tick
shf_clock_ports(struct shf *f, unsigned ports, sim_tick now)
{
   struct sim_box *b = &f->box;
   struct sim_netlist *net = &b->gpu->net;
   shf_charge(f, ports, now);
   for (unsigned p = 0; p < ports; p++)
      shf_collect_answers(f, &f->port[p], &net->shdx_shf[b->instance + p], now);
   shf_collect_texels(f, ports, now);
   if (__builtin_expect(f->in_state[SHF_CONSTANT] + f->in_state[SHF_MEMORY], 0)) {
      for (unsigned p = b->instance; p < b->instance + ports; p++) {
         shf_collect_loads(f, &net->cc_shf[p], SHF_CONSTANT, now);
         shf_collect_loads(f, &net->lsu_shf[p], SHF_MEMORY, now);
      }
   }
   if (f->in_state[SHF_ENDED])
      shf_take_outputs(f, now);
   if (f->num_loading || sim_peek(&net->ffu_shf[b->instance], now) ||
       sim_peek(&net->csd_shf[b->instance], now))
      shf_take_inputs(f, now);
   shf_end_waits(f, now);
   shf_fetch(f, ports, now);
   shf_say_activity(f, ports, now);

   sim_tick next = shf_next_of_ports(f, ports, now);
   next = f->choose_again < next ? f->choose_again : next;
   next = f->in_state[SHF_WAITING] && f->next_waiting < next ? f->next_waiting : next;
   return next != SIM_NEVER && next <= now ? now + b->period : next;
}

/* A copy for one port, which is the most frequent and must not cost loops. */
static sim_tick
shf_clock(struct sim_box *b, sim_tick now)
{
   struct shf *f = (struct shf *)b;
   return f->num_ports == 1 ? shf_clock_ports(f, 1, now) : shf_clock_ports(f, f->num_ports, now);
}

static void
shf_dump(const struct sim_box *b, FILE *out)
{
   const struct shf *f = (const struct shf *)b;
   fprintf(
       out,
       "   %u of %u threads, %u blocked, %u wait for constants, %u for memory, %u at a barrier, "
       "%u ended, %u registers\n",
       f->num_contexts - f->in_state[SHF_FREE], f->num_threads, f->in_state[SHF_BLOCKED],
       f->in_state[SHF_CONSTANT], f->in_state[SHF_MEMORY], f->in_state[SHF_BARRIER],
       f->in_state[SHF_ENDED], f->registers_used);
   if (f->window.num_order) {
      const struct shf_thread *t = &f->threads[f->window.order[0]];
      fprintf(out, "   oldest: thread %u of draw %u at instruction %u, state %u, ready at %llu\n",
              t->index, t->group->draw->number, t->emul.pc, f->state[t->index],
              (unsigned long long)f->ready[t->index]);
   }
}

const struct sim_box_class shf_class = {
    .size = sizeof(struct shf),
    .domain = SIM_DOMAIN_SHADER,
    .init = shf_init,
    .clock = shf_clock,
    .flush_counters = shf_flush_counters,
    .dump = shf_dump,
    SIM_BOX_CLASS(shf),
};
