/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader Fetch (ShF, ISPASS 2006 section 2.3): a shader's thread contexts and registers. It takes
 * groups from the Fragment FIFO, loads their inputs, fetches instructions of the group that the
 * issue policy selects (shf_issue.h), and takes ended threads' outputs. ShDX decides what issues;
 * refused instructions are fetched again. Every group costs as much as a full one, in ALUs and
 * transfers. The shader's parts: struct sim_shader_machine. */
#include <string.h>
#include "box/shader/shf_issue.h"
#include "box/sim_gpu.h"

SIM_BOX_STATS(shf)

struct shf {
   struct sim_box box;
   struct shf_stats *stat; /* [work_id] */
   struct sim_shader_machine machine;
   const struct shf_policy *policy;
   struct shf_window window;
   struct shf_thread *threads; /* first parts */
   struct shf_thread *parts;   /* [thread][num_parts - 1]: the other parts of groups with several */
   unsigned num_parts;
   uint8_t *state;    /* [thread] enum shf_state */
   uint16_t *work_id; /* [thread] of its group; 0: none */
   sim_tick *since;   /* [thread] start of the counted state */
   sim_tick *ready;   /* [thread] WAITING: when it may be fetched */
   sim_tick *fetched_at;
   uint16_t *free;     /* stack */
   uint16_t *ended;    /* ring of ended threads */
   uint16_t *buffered; /* ring of threads that wait to execute */
   sim_tick *ended_at;
   unsigned num_threads, num_free;
   unsigned in_state[SHF_NUM_STATES]; /* number of threads */
   unsigned ended_head, num_ended, buffered_head, num_buffered;
   unsigned executing;   /* in order[] or ended */
   unsigned outstanding; /* with Decode/Execute */
   unsigned registers_used;
   int loading;                   /* thread whose inputs arrive, or -1 */
   const struct sim_group *input; /* the next group; NULL: not looked at */
   unsigned input_registers;      /* registers it needs */
   struct shf_coming coming;      /* the group behind it */
   sim_tick next_waiting;         /* no WAITING thread is ready before */
   sim_tick choose_again;         /* the policy's timer */
   sim_tick alu_free, load_free;
   uint16_t alu_work_id, load_work_id; /* the work id until then */
   sim_tick output_done;               /* when ended[ended_head] has left; SIM_NEVER: not begun */
   sim_tick empty_since;               /* SIM_NEVER: not empty */
   sim_tick idle_from;                 /* cycles before are charged, or the ALUs are busy */
   /* Where to charge the cycles until the next clock. */
   uint16_t idle_work_id, input_wait_work_id, output_wait_work_id;
   bool idle, idle_texture, idle_constant, idle_memory, wait_threads, wait_registers, wait_output,
       wait_decode;
   bool output_begun; /* its quads are not prefetched yet */
};

static void
shf_allocate(struct shf *f)
{
   struct sim_box *b = &f->box;
   unsigned n = f->num_threads;
   struct shf_window *w = &f->window;
   f->threads = sim_box_alloc(b, n * sizeof(*f->threads));
   f->num_parts = (f->machine.lanes + EMUL_LANES - 1) / EMUL_LANES;
   if (f->num_parts > 1)
      f->parts = sim_box_alloc(b, n * (f->num_parts - 1) * sizeof(*f->parts));
   f->state = sim_box_alloc(b, n * sizeof(*f->state));
   f->in_state[SHF_FREE] = n;
   f->work_id = sim_box_alloc(b, n * sizeof(*f->work_id));
   f->since = sim_box_alloc(b, n * sizeof(*f->since));
   f->ready = sim_box_alloc(b, n * sizeof(*f->ready));
   f->fetched_at = sim_box_alloc(b, n * sizeof(*f->fetched_at));
   f->free = sim_box_alloc(b, n * sizeof(*f->free));
   f->ended = sim_box_alloc(b, n * sizeof(*f->ended));
   f->buffered = sim_box_alloc(b, n * sizeof(*f->buffered));
   f->ended_at = sim_box_alloc(b, n * sizeof(*f->ended_at));
   w->order = sim_box_alloc(b, n * sizeof(*w->order));
   w->ready = sim_box_alloc(b, (n + 63) / 64 * sizeof(*w->ready));
}

static void
shf_init(struct sim_box *b)
{
   struct shf *f = (struct shf *)b;
   const struct sim_shader_machine *m = &f->machine;
   shf_machine(&f->machine, &b->gpu->config, b->instance);
   f->policy = shf_policy_get(m->policy);
   /* Every group holds at least one register per input. */
   unsigned fit = m->registers * m->register_lanes / (m->lanes * m->granularity);
   unsigned n = m->groups + m->buffers < fit ? m->groups + m->buffers : fit;
   f->num_threads = n ? n : 1;
   shf_allocate(f);
   f->window.threads = f->threads;
   f->window.num_threads = f->num_threads;
   f->window.period = b->period;
   for (unsigned i = 0; i < f->num_threads; i++) {
      f->threads[i].index = (uint16_t)i;
      f->threads[i].first = &f->threads[i];
      for (unsigned p = 0; p + 1 < f->num_parts; p++)
         f->parts[i * (f->num_parts - 1) + p].first = &f->threads[i];
      f->since[i] = b->run_from;
      f->free[f->num_free++] = (uint16_t)(f->num_threads - 1 - i);
   }
   f->loading = -1;
   f->next_waiting = f->choose_again = f->output_done = SIM_NEVER;
   f->empty_since = b->run_from;
}

/* --- States of threads --- */

/* Returns the statistic of a thread's state. */
static uint64_t *
shf_state_counter(struct shf *f, unsigned i)
{
   struct shf_stats *stat = &f->stat[f->work_id[i]];
   switch (f->state[i]) {
   case SHF_FREE:
      return &stat->free_threads;
   case SHF_READY:
   case SHF_WAITING:
   case SHF_ISSUED:
      return &stat->ready_threads;
   case SHF_BLOCKED:
      return &stat->blocked_threads;
   case SHF_CONSTANT:
      return &stat->constant_threads;
   case SHF_MEMORY:
      return &stat->memory_threads;
   case SHF_ENDED:
      return &stat->finished_threads;
   default:
      return &stat->loaded_threads;
   }
}

/* Counts a thread's state up to now. */
static void
shf_count_state(struct shf *f, unsigned i, sim_tick now)
{
   *shf_state_counter(f, i) += (now - f->since[i]) / f->box.period;
   f->since[i] = now;
}

/* The cost that an instruction is charged for a thread's state. */
static const uint8_t state_cost[] = {
    [SHF_READY] = offsetof(struct sim_cost, wait_fetch),
    [SHF_WAITING] = offsetof(struct sim_cost, wait_result),
    [SHF_ISSUED] = offsetof(struct sim_cost, wait_decode),
    [SHF_BLOCKED] = offsetof(struct sim_cost, wait_texture),
    [SHF_CONSTANT] = offsetof(struct sim_cost, wait_constant),
    [SHF_MEMORY] = offsetof(struct sim_cost, wait_memory),
    [SHF_ENDED] = offsetof(struct sim_cost, wait_output),
};

/* Charges the time to the instruction at which the thread is. */
static inline void
shf_count_cost(const struct shf *f, unsigned i, sim_tick now)
{
   struct shf_thread *t = &f->threads[i];
   if (!t->costs)
      return;
   const sim_tick ticks = now - t->since;
   const unsigned member = state_cost[f->state[i]];
   if (member)
      *(uint64_t *)((uint8_t *)&t->costs[t->at] + member) +=
          __builtin_expect(f->box.period == 1, 1) ? ticks : ticks / f->box.period;
   t->since = now;
}

static void
shf_set_state(struct shf *f, unsigned i, enum shf_state state, sim_tick now)
{
   shf_count_cost(f, i, now);
   bool counted =
       (f->state[i] == SHF_READY || f->state[i] == SHF_WAITING || f->state[i] == SHF_ISSUED) &&
       (state == SHF_READY || state == SHF_WAITING || state == SHF_ISSUED);
   if (!counted)
      shf_count_state(f, i, now);
   if ((f->state[i] == SHF_READY) != (state == SHF_READY)) {
      f->window.ready[i / 64] ^= 1ull << i % 64;
      f->window.num_ready += state == SHF_READY ? 1 : -1u;
   }
   f->in_state[f->state[i]]--;
   f->in_state[state]++;
   f->state[i] = (uint8_t)state;
}

static void
shf_count_registers(struct shf *f, struct shf_thread *t, sim_tick now)
{
   uint64_t cycles = (now - t->held_since) / f->box.period;
   f->stat[t->group->work_id].used_registers += cycles * t->registers;
   t->held_since = now;
}

/* Makes a thread fetchable from a tick on, at least FetchDelay after its last fetch. */
static void
shf_make_ready(struct shf *f, unsigned i, sim_tick tick, sim_tick now)
{
   /* fetch_gap cycles pass in any case. */
   unsigned delay = f->machine.fetch_delay > f->machine.fetch_gap ? f->machine.fetch_delay : 0;
   sim_tick again = f->fetched_at[i] + delay * f->box.period;
   tick = again > tick ? again : tick;
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
   e = e >= f->num_threads ? e - f->num_threads : e;
   f->ended[e] = (uint16_t)i;
   f->ended_at[e] = at;
   f->stat[f->work_id[i]].ended_threads++;
}

static void
shf_collect_answers(struct shf *f, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   struct sim_signal *in = &net->shdx_shf[f->box.instance];
   struct msg_issue *m;
   while ((m = sim_peek(in, now))) {
      unsigned i = m->thread->index;
      f->outstanding--;
      if (m->alu_free > f->alu_free) {
         const uint64_t cycles = (m->alu_free - f->alu_free) / f->box.period;
         f->stat[m->work_id].alu_busy += cycles;
         if (m->thread->costs)
            m->thread->costs[m->thread->at].alu_cycles += cycles;
         f->alu_free = f->idle_from = m->alu_free;
      }
      f->stat[m->work_id].refetched += m->replay ? f->machine.lanes : 0;
      if (m->state == SHF_READY) {
         shf_make_ready(f, i, m->ready, now);
      } else if (m->state == SHF_ENDED) {
         shf_end_thread(f, i, m->ready, now);
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

static void
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

static void
shf_collect_texels(struct shf *f, sim_tick now)
{
   unsigned units = TEX_UNITS_OF_SHADER(&f->box.gpu->config);
   struct sim_signal *in = &f->box.gpu->net.tu_shf[f->box.instance * units];
   for (unsigned i = 0; f->in_state[SHF_BLOCKED] && i < units; i++)
      shf_collect_texels_from(f, &in[i], now);
}

/* --- Outputs --- */

static void shf_begin_buffered(struct shf *f, sim_tick now);

/* Returns the time in which a group's outputs leave, OutputsPerCycle at a time; those of a vertex
 * take several cycles. Outputs of the geometry stage left when they were emitted. */
static sim_tick
shf_output_time(const struct shf *f, const struct shf_thread *t)
{
   const enum sim_group_kind kind = t->group->kind;
   const unsigned cycles = kind == SIM_GROUP_QUADS || kind == SIM_GROUP_PRIMITIVES
                               ? f->machine.output_cycles
                               : shf_output_cycles(&f->machine, emul_program_isa(t->emul.program));
   return cycles * f->box.period;
}

static void
shf_free_thread(struct shf *f, unsigned i, sim_tick now)
{
   struct shf_thread *t = &f->threads[i];
   shf_count_registers(f, t, now);
   f->registers_used -= t->registers;
   shf_set_state(f, i, SHF_FREE, now);
   t->costs = NULL;
   t->group = NULL;
   f->work_id[i] = 0;
   f->free[f->num_free++] = (uint16_t)i;
   f->executing--;
   shf_begin_buffered(f, now);
}

static void
shf_take_outputs(struct shf *f, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   struct sim_signal *out = &net->shf_ffu[f->box.instance];
   f->wait_output = false;
   if (f->output_begun && f->output_done > now) {
      shf_prefetch_outputs(f->threads[f->ended[f->ended_head]].group);
      f->output_begun = false;
   }
   if (f->num_ended && f->output_done <= now) {
      unsigned i = f->ended[f->ended_head];
      struct shf_thread *t = &f->threads[i];
      if (!sim_can_send(out, now)) {
         f->wait_output = true;
         f->output_wait_work_id = t->group->work_id;
         return;
      }
      f->stat[t->group->work_id].outputs += f->machine.lanes;
      for (const struct shf_thread *part = t; part; part = part->next)
         shf_thread_store(part);
      sim_send(out, now, &(struct msg_group){.group = t->group});
      shf_free_thread(f, i, now);
      f->ended_head = f->ended_head + 1 == f->num_threads ? 0 : f->ended_head + 1;
      f->num_ended--;
      f->output_done = SIM_NEVER;
      f->output_begun = false;
   }
   if (f->num_ended && f->output_done == SIM_NEVER) {
      sim_tick start = f->ended_at[f->ended_head] > now ? f->ended_at[f->ended_head] : now;
      f->output_done = start + shf_output_time(f, &f->threads[f->ended[f->ended_head]]);
      f->output_begun = true;
   }
}

/* --- Inputs --- */

/* Lets a loaded thread execute; its time so far is charged to no instruction. */
static void
shf_begin_thread(struct shf *f, unsigned i, sim_tick now)
{
   struct shf_window *w = &f->window;
   struct shf_thread *t = &f->threads[i];
   w->order[w->num_order++] = (uint16_t)i;
   w->last_started = now;
   f->executing++;
   t->costs =
       emul_program_costs(t->emul.program, f->box.kernel->num_threads > 1 ? f->box.instance : 0);
   t->at = 0;
   t->since = now;
   shf_set_state(f, i, SHF_READY, now);
   if (f->policy->started)
      f->policy->started(w);
}

static void
shf_begin_buffered(struct shf *f, sim_tick now)
{
   while (f->num_buffered && f->executing < f->machine.groups) {
      shf_begin_thread(f, f->buffered[f->buffered_head], now);
      f->buffered_head = f->buffered_head + 1 == f->num_threads ? 0 : f->buffered_head + 1;
      f->num_buffered--;
   }
}

static void
shf_end_load(struct shf *f, sim_tick now)
{
   if (f->loading < 0 || now < f->load_free)
      return;
   unsigned at = f->buffered_head + f->num_buffered++;
   f->buffered[at >= f->num_threads ? at - f->num_threads : at] = (uint16_t)f->loading;
   shf_set_state(f, (unsigned)f->loading, SHF_BUFFERED, now);
   f->loading = -1;
   shf_begin_buffered(f, now);
}

static void
shf_start_load(struct shf *f, struct sim_group *g, const struct attila_isa_program *isa,
               unsigned registers, sim_tick now)
{
   unsigned i = f->free[--f->num_free];
   struct shf_thread *t = &f->threads[i];
   shf_set_state(f, i, SHF_LOADING, now);
   f->work_id[i] = g->work_id;
   struct shf_thread *part = t, *other = &f->parts[i * (f->num_parts - 1)];
   for (struct sim_group *of = g; of; of = of->next) {
      part->group = of;
      shf_thread_reserve(&f->box.kernel->arena, part, isa);
      shf_thread_load(part);
      part->next = of->next ? other++ : NULL;
      part = part->next;
   }
   t->registers = registers;
   t->held_since = now;
   f->registers_used += registers;
   f->loading = (int)i;
   f->load_free = now + f->machine.input_cycles * f->box.period;
   f->load_work_id = g->work_id;
   f->fetched_at[i] = 0;
   struct shf_stats *stat = &f->stat[g->work_id];
   const unsigned lanes = f->machine.lanes;
   stat->inputs += lanes;
   stat->input_attributes += lanes * attila_isa_inputs(isa);
   stat->output_attributes += lanes * attila_isa_outputs(isa);
   stat->input_registers += registers * f->machine.register_lanes;
   stat->threads++;
   f->empty_since = SIM_NEVER;
   shf_prefetch_input(&f->coming, sim_next(&f->box.gpu->net.ffu_shf[f->box.instance]));
}

static void
shf_take_input(struct shf *f, sim_tick now)
{
   struct sim_signal *in = &f->box.gpu->net.ffu_shf[f->box.instance];
   const struct sim_shader_machine *machine = &f->machine;
   struct msg_group *m;
   f->wait_threads = f->wait_registers = false;
   shf_end_load(f, now);
   if (f->loading >= 0 || !(m = sim_peek(in, now))) {
      if (f->loading >= 0)
         shf_prefetch_input(&f->coming, sim_next(in));
      f->window.full = false;
      return;
   }
   struct sim_group *g = m->group;
   const struct attila_isa_program *isa = emul_program_isa(g->program);
   if (f->input != g) { /* it may wait long */
      f->input = g;
      f->input_registers =
          sim_shader_registers(machine, isa) * (machine->lanes / machine->register_lanes);
   }
   unsigned registers = f->input_registers;
   bool alone = f->num_free == f->num_threads;
   f->input_wait_work_id = g->work_id;
   shf_prefetch_input(&f->coming, m);
   if (!f->num_free) {
      f->wait_threads = true;
   } else if (!alone && f->registers_used + registers > machine->registers) {
      f->wait_registers = true;
   } else {
      sim_pop(in, now);
      f->input = NULL;
      shf_start_load(f, g, isa, registers, now);
   }
   f->window.full = f->wait_threads || f->wait_registers;
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
shf_fetch_thread(struct shf *f, unsigned i, sim_tick now)
{
   const struct sim_shader_machine *machine = &f->machine;
   struct shf_thread *t = &f->threads[i];
   struct msg_issue m = {.thread = t, .work_id = f->work_id[i]};
   struct shf_stats *stat = &f->stat[m.work_id];
   m.num_instrs =
       machine->ways == 1 ? 1 : (uint8_t)shf_fetched_instrs(machine, shf_thread_instr(t));
   m.alu_free = f->alu_free = f->idle_from = now + machine->fetch_gap * f->box.period;
   f->alu_work_id = m.work_id;
   f->fetched_at[i] = now;
   f->window.last = i;
   f->outstanding++;
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
   sim_send(&f->box.gpu->net.shf_shdx[f->box.instance], now, &m);
}

static void
shf_fetch(struct shf *f, sim_tick now)
{
   f->wait_decode = false;
   f->choose_again = SIM_NEVER;
   if (!f->window.num_order || now < f->alu_free)
      return;
   for (unsigned n = 0; n < f->machine.fetch_groups; n++) {
      if (!sim_can_send(&f->box.gpu->net.shf_shdx[f->box.instance], now) ||
          (f->machine.wait_on_stall && f->outstanding)) {
         f->wait_decode = true; /* until it answers */
         return;
      }
      int i = f->policy->choose(&f->window, now, &f->choose_again);
      if (i < 0)
         return;
      shf_fetch_thread(f, (unsigned)i, now);
   }
}

/* Charges the cycles since the last clock to the states in which it left the threads. */
static void
shf_charge(struct sim_box *b, sim_tick now)
{
   struct shf *f = (struct shf *)b;
   uint64_t waited = sim_waited(b, now);
   if (now > f->idle_from) {
      uint64_t cycles = f->idle ? (now - f->idle_from) / f->box.period : 0;
      f->stat[f->idle_work_id].no_ready += cycles;
      f->stat[f->idle_work_id].all_blocked += f->idle_texture ? cycles : 0;
      f->stat[f->idle_work_id].all_constant += f->idle_constant ? cycles : 0;
      f->stat[f->idle_work_id].all_memory += f->idle_memory ? cycles : 0;
      f->idle_from = now;
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
   shf_charge(b, next);
   for (unsigned i = 0; i < f->num_threads; i++) {
      shf_count_state(f, i, next);
      shf_count_cost(f, i, next);
      if (f->threads[i].group)
         shf_count_registers(f, &f->threads[i], next);
   }
}

static void
shf_say_activity(struct shf *f, sim_tick now)
{
   struct sim_box *b = &f->box;
   const struct shf_window *w = &f->window;
   unsigned oldest = w->num_order      ? w->order[0]
                     : f->num_ended    ? f->ended[f->ended_head]
                     : f->num_buffered ? f->buffered[f->buffered_head]
                                       : (unsigned)(f->loading < 0 ? 0 : f->loading);
   f->idle_work_id = f->registers_used ? f->work_id[oldest] : 0;
   f->idle = w->num_order > 0;
   f->idle_texture = f->in_state[SHF_BLOCKED] == w->num_order;
   f->idle_constant = f->in_state[SHF_CONSTANT] == w->num_order;
   f->idle_memory = f->in_state[SHF_MEMORY] == w->num_order;
   if (f->num_free == f->num_threads && f->empty_since == SIM_NEVER)
      f->empty_since = now;
   if (f->registers_used)
      sim_blocked(b, f->idle_work_id);
   if (now < f->alu_free)
      sim_busy_until(b, f->alu_work_id, f->alu_free);
   if (f->loading >= 0)
      sim_busy_until(b, f->load_work_id, f->load_free);
   if (f->num_ended && !f->wait_output && f->output_done != SIM_NEVER)
      sim_busy_until(b, f->work_id[f->ended[f->ended_head]], f->output_done);
}

static sim_tick
shf_clock(struct sim_box *b, sim_tick now)
{
   struct shf *f = (struct shf *)b;
   shf_charge(b, now);
   shf_collect_answers(f, now);
   shf_collect_texels(f, now);
   if (__builtin_expect(f->in_state[SHF_CONSTANT] + f->in_state[SHF_MEMORY], 0)) {
      shf_collect_loads(f, &b->gpu->net.cc_shf[b->instance], SHF_CONSTANT, now);
      shf_collect_loads(f, &b->gpu->net.lsu_shf[b->instance], SHF_MEMORY, now);
   }
   shf_take_outputs(f, now);
   shf_take_input(f, now);
   shf_end_waits(f, now);
   shf_fetch(f, now);
   shf_say_activity(f, now);

   sim_tick next = SIM_NEVER;
   if (f->window.num_ready && !f->wait_decode && f->choose_again == SIM_NEVER && f->alu_free > now)
      next = f->alu_free;
   next = f->choose_again < next ? f->choose_again : next;
   next = f->in_state[SHF_WAITING] && f->next_waiting < next ? f->next_waiting : next;
   if (f->num_ended && !f->wait_output && f->output_done < next)
      next = f->output_done;
   if (f->loading >= 0 && f->load_free < next)
      next = f->load_free;
   return next != SIM_NEVER && next <= now ? now + b->period : next;
}

static void
shf_dump(const struct sim_box *b, FILE *out)
{
   const struct shf *f = (const struct shf *)b;
   fprintf(out,
           "   %u of %u threads, %u blocked, %u wait for constants, %u for memory, %u ended, %u "
           "registers\n",
           f->num_threads - f->num_free, f->num_threads, f->in_state[SHF_BLOCKED],
           f->in_state[SHF_CONSTANT], f->in_state[SHF_MEMORY], f->num_ended, f->registers_used);
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
