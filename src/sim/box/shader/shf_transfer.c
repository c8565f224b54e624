/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader Fetch: takes groups from the fragment FIFO, loads their inputs into threads, lets these
 * begin, and sends the outputs of ended ones. A port moves one group in and one out at a time. Not
 * here: fetching, and when a thread ends (shf.c). */
#include "box/shader/shf.h"

/* --- Threads that begin --- */

/* Lets a loaded thread execute; its time so far is charged to no instruction. */
static void
shf_transfer_begin_thread(struct shf *f, unsigned i, sim_tick now)
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
shf_transfer_begin_buffered(struct shf *f, sim_tick now)
{
   while (f->num_buffered && (f->executing < f->machine.groups || f->grid)) {
      shf_transfer_begin_thread(f, f->buffered[f->buffered_head], now);
      f->buffered_head = f->buffered_head + 1 == f->num_contexts ? 0 : f->buffered_head + 1;
      f->num_buffered--;
   }
}

/* --- Outputs --- */

/* Returns the time in which a group's outputs leave, OutputsPerCycle at a time; those of a vertex
 * take several cycles. Outputs of the geometry stage left when they were emitted; a
 * workgroup's, which has none, takes a cycle. */
static sim_tick
shf_transfer_output_time(const struct shf *f, const struct shf_thread *t)
{
   const enum sim_group_kind kind = t->group->kind;
   if (kind == SIM_GROUP_WORK)
      return f->box.period;
   const unsigned cycles = kind == SIM_GROUP_QUADS || kind == SIM_GROUP_PRIMITIVES
                               ? f->machine.output_cycles
                               : shf_output_cycles(&f->machine, emul_program_isa(t->emul.program));
   return cycles * f->box.period;
}

static void
shf_transfer_free_thread(struct shf *f, unsigned i, sim_tick now)
{
   struct shf_thread *t = &f->threads[i];
   shf_count_registers(f, t, now);
   f->registers_used -= t->registers;
   shf_set_state(f, i, SHF_FREE, now);
   t->costs = NULL;
   t->group = NULL;
   f->work_id[i] = 0;
   if (i < f->num_threads)
      f->free[f->num_free++] = (uint16_t)i;
   else
      f->spare[f->num_spare++] = (uint16_t)i;
   f->executing--;
   shf_transfer_begin_buffered(f, now);
}

static void
shf_transfer_take_outputs_of(struct shf *f, struct shf_port *p, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   if (p->output_begun && p->output_done > now) {
      shf_prefetch_outputs(f->threads[p->leaving].group);
      p->output_begun = false;
   }
   if (p->leaving >= 0 && p->output_done <= now) {
      struct shf_thread *t = &f->threads[p->leaving];
      const bool work = t->group->kind == SIM_GROUP_WORK;
      struct sim_signal *out = &(work ? net->shf_csd : net->shf_ffu)[f->box.instance];
      if (!sim_can_send(out, now)) {
         f->wait_output = true;
         f->output_wait_work_id = t->group->work_id;
         return;
      }
      f->stat[t->group->work_id].outputs += work ? 0 : f->machine.lanes;
      for (const struct shf_thread *part = t; part; part = part->next)
         shf_thread_store(part);
      sim_send(out, now, &(struct msg_group){.group = t->group});
      shf_transfer_free_thread(f, t->index, now);
      p->leaving = -1;
      p->output_begun = false;
   }
   if (p->leaving < 0 && f->num_ended) {
      const sim_tick ended = f->ended_at[f->ended_head];
      p->leaving = f->ended[f->ended_head];
      p->output_done =
          (ended > now ? ended : now) + shf_transfer_output_time(f, &f->threads[p->leaving]);
      p->output_begun = true;
      f->ended_head = f->ended_head + 1 == f->num_contexts ? 0 : f->ended_head + 1;
      f->num_ended--;
   }
}

void
shf_take_outputs(struct shf *f, sim_tick now)
{
   f->wait_output = false;
   for (unsigned p = 0; p < f->num_ports; p++)
      shf_transfer_take_outputs_of(f, &f->port[p], now);
}

/* --- Inputs --- */

static void
shf_transfer_end_load(struct shf *f, struct shf_port *p, sim_tick now)
{
   if (p->loading < 0 || now < p->load_free)
      return;
   unsigned at = f->buffered_head + f->num_buffered++;
   f->buffered[at >= f->num_contexts ? at - f->num_contexts : at] = (uint16_t)p->loading;
   shf_set_state(f, (unsigned)p->loading, SHF_BUFFERED, now);
   p->loading = -1;
   f->num_loading--;
   shf_transfer_begin_buffered(f, now);
}

static void
shf_transfer_start_load(struct shf *f, struct shf_port *p, struct sim_group *g,
                        const struct attila_isa_program *isa, unsigned registers, sim_tick now)
{
   unsigned i = f->num_free ? f->free[--f->num_free] : f->spare[--f->num_spare];
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
   p->loading = (int)i;
   f->num_loading++;
   p->load_free = now + f->machine.input_cycles * f->box.period;
   p->load_work_id = g->work_id;
   f->again[i] = 0;
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

/* Returns whether a group waits, for a context or for registers. CSD sends what has room, or a
 * workgroup that is too large for any shader to an empty one. */
static bool
shf_transfer_input_waits(struct shf *f, const struct sim_group *g, unsigned registers)
{
   const bool alone = f->in_state[SHF_FREE] == f->num_contexts;
   f->grid = g->kind == SIM_GROUP_WORK;
   if (f->grid && alone)
      shf_grow(f, g->work.workgroup->groups);
   if (!f->num_free && (!f->grid || !f->num_spare))
      f->wait_threads = true;
   else if (!alone && !f->grid && f->registers_used + registers > f->machine.registers)
      f->wait_registers = true;
   return f->wait_threads || f->wait_registers;
}

/* Returns the signal with the next group. Grids and draws do not run together. */
static inline struct sim_signal *
shf_transfer_input_signal(const struct shf *f, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   struct sim_signal *of_grids = &net->csd_shf[f->box.instance];
   return __builtin_expect(sim_peek(of_grids, now) != NULL, 0) ? of_grids
                                                               : &net->ffu_shf[f->box.instance];
}

/* Returns false if no group comes, or the next one must wait. */
static bool
shf_transfer_take_input(struct shf *f, struct shf_port *p, sim_tick now)
{
   struct sim_signal *in = shf_transfer_input_signal(f, now);
   const struct sim_shader_machine *machine = &f->machine;
   const struct msg_group *m;
   if (p->loading >= 0) {
      shf_prefetch_input(&f->coming, sim_next(in));
      return true;
   }
   if (!(m = sim_peek(in, now)))
      return false;
   struct sim_group *g = m->group;
   const struct attila_isa_program *isa = emul_program_isa(g->program);
   if (f->input != g) { /* it may wait long */
      f->input = g;
      f->input_registers =
          sim_shader_registers(machine, isa) * (machine->lanes / machine->register_lanes);
   }
   unsigned registers = f->input_registers;
   f->input_wait_work_id = g->work_id;
   shf_prefetch_input(&f->coming, m);
   if (shf_transfer_input_waits(f, g, registers))
      return false;
   sim_pop(in, now);
   f->input = NULL;
   shf_transfer_start_load(f, p, g, isa, registers, now);
   return true;
}

void
shf_take_inputs(struct shf *f, sim_tick now)
{
   f->wait_threads = f->wait_registers = false;
   for (unsigned p = 0; f->num_loading && p < f->num_ports; p++)
      shf_transfer_end_load(f, &f->port[p], now);
   for (unsigned p = 0; p < f->num_ports && shf_transfer_take_input(f, &f->port[p], now);)
      p++;
   f->window.full = f->wait_threads || f->wait_registers;
}
