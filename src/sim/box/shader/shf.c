/*
 * Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader Fetch (ShF, ISPASS 2006 section 2.3): thread contexts and registers of a shader. Takes
 * groups from the Fragment FIFO, loads their inputs, chooses every cycle a thread that may issue,
 * and takes the outputs of ended threads. Execution is in ShDX.
 *
 * A thread holds max(1, temporaries) registers per input of a full group. An instruction keeps the
 * ALUs busy for (inputs of the group / ALU width) cycles, rounded up. With a thread window the
 * oldest ready thread issues; without one threads issue in turn, and a thread that is not ready
 * holds up the others unless it waits for the texture unit.
 */
#include <stdlib.h>
#include <string.h>
#include "box/shader/shader_unit.h"
#include "box/sim_gpu.h"

/* clang-format off */
#define SHF_STATS(S)                                                                      \
   S(inputs, "Inputs", COUNT, "vertices or fragments (whole quads) loaded")               \
   S(outputs, "Outputs", COUNT, "vertices or fragments taken after shading")              \
   S(threads, "StartedThreads", THREADS, "thread groups started")                         \
   S(finished, "FinishedThreads", THREADS, "thread groups ended")                         \
   S(fetched, "FetchedInstr", INSTRUCTIONS, "instructions issued (each for a group)")     \
   S(paired, "PairedInstr", INSTRUCTIONS, "of them issued beside a SIMD or scalar one")   \
   S(fetch_cycles, "FetchCycles", CYCLES, "cycles in which an instruction was issued")    \
   S(alu_busy, "ALUBusyCycles", CYCLES, "cycles the ALUs were busy")                      \
   S(empty, "EmptyCycles", CYCLES, "no thread (charged to no draw)")                      \
   S(no_ready, "NoReadyCycles", CYCLES,                                                   \
      "threads, the ALUs free, but none ready (charged to the oldest)")                   \
   S(all_blocked, "TextureWaitCycles", CYCLES,                                            \
      "of them all threads waited for the texture unit")                                  \
   S(blocks, "Blocks", COUNT, "threads that began to wait for the texture unit")          \
   S(unblocks, "Unblocks", COUNT, "threads whose texture result came")                    \
   S(stall_threads, "StallsThreads", CYCLES, "a group waited for a free thread context")  \
   S(stall_registers, "StallsRegisters", CYCLES, "a group waited for free registers")     \
   S(stall_output, "StallsOutput", CYCLES, "an ended group waited for the fragment FIFO") \
   S(used_registers, "UsedResources", COUNT, "registers held, summed over cycles")
/* clang-format on */
SIM_STATS_DECLARE(shf, SHF_STATS)

struct shf {
   struct sim_box box;
   struct shf_stats *stat; /* [slot] */
   struct shf_thread *threads;
   uint8_t *state;  /* [thread] enum shf_state */
   sim_tick *ready; /* [thread] READY, LOADING: tick it may issue; else SIM_NEVER */
   uint16_t *order; /* threads that have not ended, the oldest first */
   uint16_t *free;  /* stack */
   uint16_t *ended; /* ring of ended threads */
   sim_tick *ended_at;
   unsigned num_threads, num_order, num_free, num_blocked;
   unsigned ended_head, num_ended;
   unsigned turn; /* in order: index in order[] of the thread whose turn it is */
   unsigned registers_used;
   sim_tick next_ready; /* no thread is ready before */
   sim_tick alu_free, load_free;
   uint16_t alu_slot, load_slot; /* what they work on until then */
   sim_tick output_done;         /* of ended[ended_head]; SIM_NEVER: not begun */
   sim_tick empty_since;         /* SIM_NEVER: not empty */
   sim_tick idle_from; /* cycles before it were charged, or the ALUs are busy until then */
   /* What the cycles until the next clock are charged as. */
   uint16_t idle_slot, input_wait_slot, output_wait_slot;
   bool idle, idle_texture, wait_threads, wait_registers, wait_output, wait_decode;
};

static void
shf_init(struct sim_box *b)
{
   struct shf *f = (struct shf *)b;
   const struct sim_config *c = &b->gpu->config;
   unsigned fit = c->shader.registers / c->shader.thread_lanes;
   unsigned n = c->shader.threads < fit ? c->shader.threads : fit;
   f->num_threads = n ? n : 1;
   f->threads = sim_box_alloc(b, f->num_threads * sizeof(*f->threads));
   f->state = sim_box_alloc(b, f->num_threads * sizeof(*f->state));
   f->ready = sim_box_alloc(b, f->num_threads * sizeof(*f->ready));
   f->order = sim_box_alloc(b, f->num_threads * sizeof(*f->order));
   f->free = sim_box_alloc(b, f->num_threads * sizeof(*f->free));
   f->ended = sim_box_alloc(b, f->num_threads * sizeof(*f->ended));
   f->ended_at = sim_box_alloc(b, f->num_threads * sizeof(*f->ended_at));
   for (unsigned i = 0; i < f->num_threads; i++) {
      f->threads[i].index = (uint16_t)i;
      f->ready[i] = SIM_NEVER;
      f->free[f->num_free++] = (uint16_t)(f->num_threads - 1 - i);
   }
   f->next_ready = f->output_done = SIM_NEVER;
   f->empty_since = 0;
}

static void
shf_fini(struct sim_box *b)
{
   struct shf *f = (struct shf *)b;
   for (unsigned i = 0; i < f->num_threads; i++) {
      free(f->threads[i].emul.temps);
      free(f->threads[i].ready_at);
   }
}

static unsigned
registers_held(const struct shf *f, unsigned num_temps)
{
   return (num_temps ? num_temps : 1) * f->box.gpu->config.shader.thread_lanes;
}

/* Each thread's for itself: up to now. */
static void
count_registers(struct shf *f, struct shf_thread *t, sim_tick now)
{
   uint64_t cycles = (now - t->held_since) / f->box.period;
   f->stat[t->group->slot].used_registers += cycles * registers_held(f, t->num_temps);
   t->held_since = now;
}

static sim_tick
cycles_for(const struct shf *f, unsigned inputs, unsigned per_cycle)
{
   return (inputs + per_cycle - 1) / per_cycle * f->box.period;
}

/* --- Threads that come back --- */

static void
make_ready(struct shf *f, unsigned i, sim_tick tick)
{
   f->state[i] = SHF_READY;
   f->ready[i] = tick;
   f->next_ready = tick < f->next_ready ? tick : f->next_ready;
}

static void
end_thread(struct shf *f, unsigned i, sim_tick at)
{
   unsigned p = 0;
   while (f->order[p] != i)
      p++;
   f->num_order--;
   memmove(&f->order[p], &f->order[p + 1], (f->num_order - p) * sizeof(*f->order));
   if (f->turn > p)
      f->turn--;
   f->state[i] = SHF_ENDED;
   unsigned e = f->ended_head + f->num_ended++;
   e = e >= f->num_threads ? e - f->num_threads : e;
   f->ended[e] = (uint16_t)i;
   f->ended_at[e] = at;
   f->stat[f->threads[i].group->slot].finished++;
}

static void
collect_answers(struct shf *f, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   struct sim_signal *in = &net->shdx_shf[f->box.instance];
   struct msg_issue *m;
   while ((m = sim_peek(in, now))) {
      unsigned i = m->thread->index;
      if (m->state == SHF_READY) {
         make_ready(f, i, m->ready);
      } else if (m->state == SHF_BLOCKED) {
         f->state[i] = SHF_BLOCKED;
         f->num_blocked++;
         f->stat[m->slot].blocks++;
      } else {
         end_thread(f, i, m->ready);
      }
      sim_pop(in, now);
   }
}

static void
collect_texels_from(struct shf *f, struct sim_signal *in, sim_tick now)
{
   struct msg_tex *m;
   while ((m = sim_peek(in, now))) {
      struct shf_thread *t = m->thread;
      f->num_blocked--;
      f->stat[m->slot].unblocks++;
      sim_pop(in, now);
      const struct emul_instr *in_next = shf_thread_instr(t);
      if (in_next->op == ATTILA_OP_END) {
         emul_thread_step(&t->emul);
         end_thread(f, t->index, t->latest > now ? t->latest : now);
         continue;
      }
      sim_tick ready = shf_operands_ready(t, in_next);
      make_ready(f, t->index, ready > f->box.period ? ready - f->box.period : 0);
   }
}

static void
collect_texels(struct shf *f, sim_tick now)
{
   unsigned units = TEX_UNITS_OF_SHADER(&f->box.gpu->config);
   struct sim_signal *in = &f->box.gpu->net.tu_shf[f->box.instance * units];
   for (unsigned i = 0; f->num_blocked && i < units; i++)
      collect_texels_from(f, &in[i], now);
}

/* --- Outputs --- */

static void
take_outputs(struct shf *f, sim_tick now)
{
   struct sim_netlist *net = &f->box.gpu->net;
   struct sim_signal *out = &net->shf_ffu[f->box.instance];
   f->wait_output = false;
   if (f->num_ended && f->output_done <= now) {
      unsigned i = f->ended[f->ended_head];
      struct shf_thread *t = &f->threads[i];
      if (!sim_can_send(out, now)) {
         f->wait_output = true;
         f->output_wait_slot = t->group->slot;
         return;
      }
      f->stat[t->group->slot].outputs += t->lanes;
      shf_thread_store(t);
      sim_send(out, now, &(struct msg_group){.group = t->group});
      count_registers(f, t, now);
      t->group = NULL;
      f->registers_used -= registers_held(f, t->num_temps);
      f->state[i] = SHF_FREE;
      f->free[f->num_free++] = (uint16_t)i;
      f->ended_head = f->ended_head + 1 == f->num_threads ? 0 : f->ended_head + 1;
      f->num_ended--;
      f->output_done = SIM_NEVER;
   }
   if (f->num_ended && f->output_done == SIM_NEVER) {
      sim_tick start = f->ended_at[f->ended_head] > now ? f->ended_at[f->ended_head] : now;
      f->output_done = start + cycles_for(f, f->threads[f->ended[f->ended_head]].lanes,
                                          f->box.gpu->config.shader.outputs_cycle);
   }
}

/* --- Inputs --- */

static void
start_thread(struct shf *f, struct sim_group *g, unsigned num_temps, sim_tick now)
{
   unsigned i = f->free[--f->num_free];
   struct shf_thread *t = &f->threads[i];
   t->group = g;
   if (!shf_thread_reserve(t, num_temps))
      sim_error(&f->box, "out of host memory");
   shf_thread_load(t);
   f->registers_used += registers_held(f, num_temps);
   t->held_since = now;
   f->order[f->num_order++] = (uint16_t)i;
   f->load_free = now + cycles_for(f, t->lanes, f->box.gpu->config.shader.inputs_cycle);
   f->load_slot = g->slot;
   make_ready(f, i, f->load_free);
   f->state[i] = SHF_LOADING;
   f->stat[g->slot].inputs += t->lanes;
   f->stat[g->slot].threads++;
   f->empty_since = SIM_NEVER;
}

static void
take_input(struct shf *f, sim_tick now)
{
   struct sim_signal *in = &f->box.gpu->net.ffu_shf[f->box.instance];
   struct msg_group *m;
   f->wait_threads = f->wait_registers = false;
   if (now < f->load_free || !(m = sim_peek(in, now)))
      return;
   struct sim_group *g = m->group;
   const struct emul_program *program = g->is_fragment ? g->draw->state.fs : g->draw->state.vs;
   unsigned num_temps = emul_program_isa(program)->num_temps;
   bool alone = f->num_free == f->num_threads;
   f->input_wait_slot = g->slot;
   if (!f->num_free) {
      f->wait_threads = true;
   } else if (!alone && f->registers_used + registers_held(f, num_temps) >
                            f->box.gpu->config.shader.registers) {
      f->wait_registers = true;
   } else {
      sim_pop(in, now);
      start_thread(f, g, num_temps, now);
   }
}

/* --- Issue --- */

/* The thread that issues now, or -1. Also sets next_ready when the scan finds none. */
static int
choose_oldest(struct shf *f, sim_tick now)
{
   sim_tick earliest = SIM_NEVER;
   if (now < f->next_ready)
      return -1;
   for (unsigned p = 0; p < f->num_order; p++) {
      sim_tick ready = f->ready[f->order[p]];
      if (ready <= now)
         return f->order[p];
      earliest = ready < earliest ? ready : earliest;
   }
   f->next_ready = earliest;
   return -1;
}

static int
choose_in_turn(struct shf *f, sim_tick now)
{
   for (unsigned n = 0; n < f->num_order; n++) {
      if (f->turn >= f->num_order)
         f->turn = 0;
      unsigned i = f->order[f->turn];
      bool passes = f->state[i] == SHF_BLOCKED || (f->state[i] == SHF_LOADING && f->ready[i] > now);
      if (!passes) {
         f->next_ready = f->ready[i];
         return f->ready[i] <= now ? (int)i : -1;
      }
      f->turn++;
   }
   /* Every thread waits for texels or inputs: the first loaded one takes the turn. */
   f->next_ready = SIM_NEVER;
   for (unsigned p = 0; p < f->num_order; p++) {
      sim_tick ready = f->ready[f->order[p]];
      f->next_ready = ready < f->next_ready ? ready : f->next_ready;
   }
   return -1;
}

static void
issue(struct shf *f, unsigned i, sim_tick now)
{
   const struct sim_config *c = &f->box.gpu->config;
   struct shf_thread *t = &f->threads[i];
   struct shf_stats *stat = &f->stat[t->group->slot];
   struct msg_issue m = {.thread = t, .num_instrs = 1, .slot = t->group->slot};
   const struct emul_instr *in = shf_thread_instr(t);
   if (in->pairs && c->shader.fetch_rate >= 2 && c->shader.scalar_alu &&
       shf_operands_ready(t, in + 1) <= now + f->box.period) {
      m.num_instrs = 2;
      stat->paired++;
   }
   sim_tick busy = cycles_for(f, t->lanes, c->shader.alu_width);
   f->alu_free = f->idle_from = now + busy;
   f->alu_slot = m.slot;
   f->state[i] = SHF_ISSUED;
   f->ready[i] = SIM_NEVER;
   if (!c->shader.thread_window)
      f->turn++;
   stat->fetched += m.num_instrs;
   stat->fetch_cycles++;
   stat->alu_busy += busy / f->box.period;
   sim_send(&f->box.gpu->net.shf_shdx[f->box.instance], now, &m);
}

static void
fetch(struct shf *f, sim_tick now)
{
   f->wait_decode = false;
   if (!f->num_order || now < f->alu_free)
      return;
   int i = f->box.gpu->config.shader.thread_window ? choose_oldest(f, now) : choose_in_turn(f, now);
   if (i < 0)
      return;
   if (sim_can_send(&f->box.gpu->net.shf_shdx[f->box.instance], now))
      issue(f, (unsigned)i, now);
   else
      f->wait_decode = true; /* it stands because the texture unit is full */
}

/* Charges the cycles since the last clock as the state it left said. */
static void
charge(struct sim_box *b, sim_tick now)
{
   struct shf *f = (struct shf *)b;
   uint64_t waited = sim_waited(b, now);
   if (now > f->idle_from) {
      uint64_t cycles = f->idle ? (now - f->idle_from) / f->box.period : 0;
      f->stat[f->idle_slot].no_ready += cycles;
      f->stat[f->idle_slot].all_blocked += f->idle_texture ? cycles : 0;
      f->idle_from = now;
   }
   if (f->wait_threads)
      f->stat[f->input_wait_slot].stall_threads += waited;
   if (f->wait_registers)
      f->stat[f->input_wait_slot].stall_registers += waited;
   if (f->wait_output)
      f->stat[f->output_wait_slot].stall_output += waited;
   if (f->empty_since < now) {
      f->stat[0].empty += (now - f->empty_since) / b->period;
      f->empty_since = now;
   }
}

static void
shf_settle(struct sim_box *b, sim_tick next)
{
   struct shf *f = (struct shf *)b;
   charge(b, next);
   for (unsigned i = 0; i < f->num_threads; i++) {
      if (f->threads[i].group)
         count_registers(f, &f->threads[i], next);
   }
}

static sim_tick
shf_clock(struct sim_box *b, sim_tick now)
{
   struct shf *f = (struct shf *)b;
   charge(b, now);
   collect_answers(f, now);
   collect_texels(f, now);
   take_outputs(f, now);
   take_input(f, now);
   fetch(f, now);

   unsigned oldest = f->num_order ? f->order[0] : f->num_ended ? f->ended[f->ended_head] : 0;
   f->idle_slot = f->registers_used ? f->threads[oldest].group->slot : 0;
   f->idle = f->num_order > 0;
   f->idle_texture = f->num_blocked == f->num_order;
   if (f->num_free == f->num_threads && f->empty_since == SIM_NEVER)
      f->empty_since = now;
   if (f->registers_used)
      sim_blocked(b, f->idle_slot);
   if (now < f->alu_free)
      sim_busy_until(b, f->alu_slot, f->alu_free);
   if (now < f->load_free)
      sim_busy_until(b, f->load_slot, f->load_free);
   if (f->num_ended && !f->wait_output && f->output_done != SIM_NEVER)
      sim_busy_until(b, f->threads[f->ended[f->ended_head]].group->slot, f->output_done);

   sim_tick next = SIM_NEVER;
   if (f->num_order && f->next_ready != SIM_NEVER && !f->wait_decode)
      next = f->next_ready > f->alu_free ? f->next_ready : f->alu_free;
   if (f->num_ended && !f->wait_output && f->output_done < next)
      next = f->output_done;
   if (now < f->load_free && f->load_free < next &&
       !sim_signal_empty(&b->gpu->net.ffu_shf[b->instance]))
      next = f->load_free;
   return next != SIM_NEVER && next <= now ? now + b->period : next;
}

static void
shf_dump(const struct sim_box *b, FILE *out)
{
   const struct shf *f = (const struct shf *)b;
   fprintf(out, "   %u of %u threads, %u blocked, %u ended, %u registers\n",
           f->num_threads - f->num_free, f->num_threads, f->num_blocked, f->num_ended,
           f->registers_used);
   if (f->num_order) {
      const struct shf_thread *t = &f->threads[f->order[0]];
      fprintf(out, "   oldest: thread %u of draw %u at instruction %u, state %u, ready at %llu\n",
              t->index, t->group->draw->number, t->emul.pc, f->state[t->index],
              (unsigned long long)f->ready[t->index]);
   }
}

const struct sim_box_class shf_class = {
    .name = "ShaderFetch",
    .unit = "ShF-FS#",
    .doc = "thread contexts, registers and instruction issue of a shader (ISPASS 2006 section 2.3)",
    .size = sizeof(struct shf),
    .domain = SIM_DOMAIN_SHADER,
    .init = shf_init,
    .clock = shf_clock,
    .settle = shf_settle,
    .dump = shf_dump,
    .fini = shf_fini,
    SIM_STATS_CLASS(shf),
};
