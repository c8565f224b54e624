/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Shader Decode and Execute (ShDX, ISPASS 2006 section 2.3): decides which fetched instructions may
 * issue, and executes them. An instruction does not issue if a register that it reads is not
 * written yet, if its result would overtake an earlier one, or if the register file's ports or the
 * unit to which it goes have no room; then Shader Fetch fetches it and those behind it
 * again (MICRO 2005 section 5), or it waits here (VectorWaitOnStall). In half-cycle mode (Zhang et
 * al., section 2) the program up to a texture operation or load executes at once and takes the ALUs
 * a cycle per instruction and part of the group.
 * Registers change when an instruction executes; the scoreboard (shf_thread.ready_at) delays
 * readers until the instruction's latency ends. An instruction keeps the ALUs busy for its repeat
 * rate with each part of the group. */
#include "box/shader/shader_unit.h"
#include "box/shader/tex_link.h"
#include "box/sim_gpu.h"

SIM_BOX_STATS(shdx)

#define PORT_CYCLES 256 /* more than any latency */
#define PORT_BITS 16    /* results per cycle: less than 1 << PORT_BITS */

struct shdx {
   struct sim_box box;
   struct shdx_stats *stat; /* [work_id] */
   struct sim_shader_machine machine;
   struct tex_link link;  /* link to its texture units */
   struct msg_issue held; /* waits to issue; thread NULL: none */
   bool maps;             /* maps are on */
   bool shared;           /* other shaders fetch from the same window */
   sim_tick emit_free;    /* when EMIT may take outputs again */
   /* Half-cycle mode: at this tick the thread in `held` reaches a texture operation, a load, a
    * barrier or its end. */
   sim_tick run_until;
   enum emul_step run_step;
   /* Results written in a cycle, at cycle % PORT_CYCLES: the cycle << PORT_BITS | their number.
    * Compact for the host's caches. */
   uint64_t port[PORT_CYCLES];
};

static void
shdx_init(struct sim_box *b)
{
   struct shdx *x = (struct shdx *)b;
   shf_machine(&x->machine, &b->gpu->config, b->instance);
   x->maps = b->gpu->maps;
   x->shared = SHADERS_OF_WINDOW(&b->gpu->config) > 1;
}

/* --- May it issue? --- */

/* Returns a cycle's entry, emptied if it was another cycle's. */
static uint64_t *
shdx_port_at(struct shdx *x, sim_tick tick)
{
   const uint64_t cycle = __builtin_expect(x->box.period == 1, 1) ? tick : tick / x->box.period;
   uint64_t *port = &x->port[cycle % PORT_CYCLES];
   if (*port >> PORT_BITS != cycle)
      *port = cycle << PORT_BITS;
   return port;
}

static inline uint32_t
shdx_writes_at(struct shdx *x, sim_tick tick)
{
   return *shdx_port_at(x, tick) & ((1u << PORT_BITS) - 1);
}

/* Returns when an instruction that executes now has written the result of the group's first part.
 * Dependent instructions need no later time, since they run part by part, too. */
static sim_tick
shdx_write_tick(const struct shdx *x, const struct emul_instr *in, sim_tick now)
{
   const struct sim_shader_machine *m = &x->machine;
   unsigned cycles = m->latency[in->op] + 1u;
   if (m->alu == SIM_ALU_SCALAR)
      cycles += (in->steps - 1u) * m->repeat[in->op] * m->vector;
   return now + cycles * x->box.period;
}

/* What earlier instructions of the same fetch occupy. */
struct shdx_taken {
   unsigned temps_read;
   bool simd; /* the SIMD ALU */
};

/* Returns where memory instructions, or loads of constants, go. */
static inline struct sim_signal *
shdx_to_unit(const struct shdx *x, bool memory)
{
   struct sim_netlist *net = &x->box.gpu->net;
   return memory ? &net->shdx_lsu[x->box.instance] : &net->shdx_cc[x->box.instance];
}

/* Returns whether the unit for a step (EMUL_STEP_TEXTURE, LOAD, MEMORY) has room for a request of
 * each part. */
static bool
shdx_has_room(struct shdx *x, const struct shf_thread *t, enum emul_step step, sim_tick now)
{
   uint32_t room = step == EMUL_STEP_TEXTURE
                       ? tex_link_room(&x->link, &x->box, now)
                       : sim_can_send(shdx_to_unit(x, step == EMUL_STEP_MEMORY), now);
   if (__builtin_expect(!t->next, 1))
      return room > 0;
   for (; t && room; t = t->next)
      room--;
   return !t;
}

/* Sends the requests of the parts. Returns the number of quads in texture requests. */
static uint32_t
shdx_ask(struct shdx *x, struct shf_thread *t, enum emul_step step, uint16_t work_id, sim_tick now)
{
   uint32_t quads = 0;
   for (; t; t = t->next) {
      if (!t->asks)
         continue;
      if (step == EMUL_STEP_TEXTURE)
         quads += tex_link_send(&x->link, &x->box, t, work_id, now);
      else
         sim_send(shdx_to_unit(x, step == EMUL_STEP_MEMORY), now,
                  &(struct msg_load){.thread = t, .work_id = work_id});
   }
   return quads;
}

/* Returns the counter of the unit that has no room for what the instruction asks, or NULL. */
static uint64_t *
shdx_full_unit(struct shdx *x, const struct shf_thread *t, const struct emul_instr *in,
               struct shdx_stats *stat, sim_tick now)
{
   switch (in->cls) {
   case ATTILA_CLASS_TEXTURE:
      return shdx_has_room(x, t, EMUL_STEP_TEXTURE, now) ? NULL : &stat->stall_texture;
   case ATTILA_CLASS_LOAD:
      return shdx_has_room(x, t, EMUL_STEP_LOAD, now) ? NULL : &stat->stall_constant;
   case ATTILA_CLASS_MEMORY:
      return shdx_has_room(x, t, EMUL_STEP_MEMORY, now) ? NULL : &stat->stall_memory;
   default:
      return NULL;
   }
}

/* Returns the counter of the reason why the instruction may not issue, or NULL. */
static uint64_t *
shdx_refusal(struct shdx *x, const struct shf_thread *t, const struct emul_instr *in,
             struct shdx_stats *stat, struct shdx_taken taken, sim_tick now)
{
   const struct sim_shader_machine *m = &x->machine;
   sim_tick written = shdx_write_tick(x, in, now);
   if (taken.simd && !in->is_scalar)
      return &stat->stall_alu;
   uint64_t *full = shdx_full_unit(x, t, in, stat, now);
   if (full)
      return full;
   if (__builtin_expect(in->op == ATTILA_OP_EMIT, 0) && (t->latest > now || x->emit_free > now))
      return t->latest > now ? &stat->stall_operands : &stat->stall_ports;
   if (shf_operands_ready(t, in) > now ||
       (in->sb_dst != EMUL_SB_NONE && t->ready_at[in->sb_dst] >= written))
      return &stat->stall_operands;
   if ((taken.temps_read && taken.temps_read + in->temp_reads > m->read_ports) ||
       shdx_writes_at(x, written) >= m->write_ports)
      return &stat->stall_ports;
   return NULL;
}

/* --- Execution --- */

/* Notes that instructions may use this result from tick ready on. */
static void
shdx_scoreboard_write(struct shf_thread *t, const struct emul_instr *in, sim_tick ready)
{
   if (in->sb_dst == EMUL_SB_NONE)
      return;
   t->ready_at[in->sb_dst] = ready;
   if (in->sb_dst == EMUL_SB_ANY_TEMP) {
      for (unsigned i = 0; i < t->num_temps; i++)
         t->ready_at[EMUL_SB_TEMP + i] = ready;
   } else if (in->sb_dst >= EMUL_SB_TEMP && t->ready_at[EMUL_SB_ANY_TEMP] < ready) {
      t->ready_at[EMUL_SB_ANY_TEMP] = ready;
   }
}

/* Counts without the host's instruction for this, which the build does not assume. */
static unsigned
shdx_count_lanes(uint32_t m)
{
   m = m - (m >> 1 & 0x5555);
   m = (m & 0x3333) + (m >> 2 & 0x3333);
   m = (m + (m >> 4)) & 0x0f0f;
   return (m + (m >> 8)) & 31;
}

/* Returns the lanes that execute the group's instruction. */
SIM_INLINE unsigned
shdx_active_lanes(const struct shf_thread *t)
{
   if (__builtin_expect(!t->next, 1))
      return t->emul.exec == t->emul.lanes ? t->lanes : shdx_count_lanes(t->emul.exec);
   unsigned active = 0;
   for (const struct shf_thread *p = t; p; p = p->next)
      active += shf_thread_executes(t, p) ? shdx_count_lanes(p->emul.exec) : 0;
   return active;
}

SIM_INLINE void
shdx_count_instr(const struct shdx *x, struct shdx_stats *stat, const struct shf_thread *t,
                 const struct emul_instr *in)
{
   static const uint8_t of_class[] = {[ATTILA_CLASS_SIMD] = SIM_STAT(shdx, simd),
                                      [ATTILA_CLASS_SCALAR] = SIM_STAT(shdx, scalar),
                                      [ATTILA_CLASS_FLOW] = SIM_STAT(shdx, flow),
                                      [ATTILA_CLASS_INTEGER] = SIM_STAT(shdx, integer),
                                      [ATTILA_CLASS_LOAD] = SIM_STAT(shdx, loads),
                                      [ATTILA_CLASS_MEMORY] = SIM_STAT(shdx, memory)};
   const unsigned lanes = x->machine.lanes;
   const unsigned active = shdx_active_lanes(t);
   if (t->costs) {
      t->costs[t->pc].groups++;
      t->costs[t->pc].inputs += active;
   }
   stat->executed += lanes;
   stat->lanes += active;
   if (in->cls != ATTILA_CLASS_TEXTURE) /* has no count of its own */
      ((uint64_t *)stat)[of_class[in->cls]] += lanes;
}

/* Once a lane of a draw looped too often and was stopped, the loops of the rest of the draw are cut
 * short. Other shaders see it from the next tick on, so their order does not matter. */
static void
shdx_watch_loop(struct shdx *x, struct shf_thread *t, sim_tick now)
{
   struct sim_draw *draw = t->group->draw;
   if (t->group->kind == SIM_GROUP_WORK)
      return; /* known when the workgroup was placed */
   /* All threads that write it in a tick write the same value. */
   const sim_tick stopped = __atomic_load_n(&draw->stopped, __ATOMIC_RELAXED);
   for (; t; t = t->next) {
      if (stopped && stopped < sim_box_time(&x->box, now))
         emul_thread_hurry(&t->emul);
      else if (t->emul.stopped && !stopped)
         __atomic_store_n(&draw->stopped, sim_box_time(&x->box, now), __ATOMIC_RELAXED);
   }
}

/* Counts the pixels of the executing lanes, if the draw has a map. */
static void
shdx_map_instr(const struct shf_thread *first)
{
   if (first->group->kind != SIM_GROUP_QUADS || !first->group->draw->map)
      return;
   for (const struct shf_thread *t = first; t; t = t->next) {
      const struct sim_group *g = t->group;
      for (unsigned i = 0; shf_thread_executes(first, t) && i < g->num_items; i++) {
         const struct sim_quad *q = g->quad[i];
         sim_map_add(g->draw->map, SIM_MAP_INSTRUCTIONS, q->x, q->y,
                     (unsigned)t->emul.exec >> 4 * i & sim_quad_pixels(q->shaded_mask), 1);
      }
   }
}

/* EMIT sends a group's outputs to the output buffer, at the rate of vertices' outputs. The group
 * waits until all are sent, since outputs must not change before. */
static void
shdx_emit(struct shdx *x, const struct shf_thread *t, struct msg_issue *answer, sim_tick now)
{
   const unsigned cycles = shf_output_cycles(&x->machine, emul_program_isa(t->emul.program));
   x->emit_free = now + cycles * x->box.period;
   answer->ready = x->emit_free > answer->ready ? x->emit_free : answer->ready;
}

/* Executes one instruction and puts the resulting times into the answer. */
static enum emul_step
shdx_execute(struct shdx *x, struct shf_thread *t, const struct emul_instr *in,
             struct msg_issue *answer, sim_tick now)
{
   const struct sim_shader_machine *m = &x->machine;
   unsigned steps = m->alu == SIM_ALU_SCALAR ? in->steps : 1;
   sim_tick written = shdx_write_tick(x, in, now), part = m->repeat[in->op] * x->box.period;
   sim_tick last = written + (m->vector - 1) * part, fetched = now - x->box.period;
   sim_tick alu_free = fetched + steps * m->vector * part;
   shdx_count_instr(x, &x->stat[answer->work_id], t, in);
   if (x->maps)
      shdx_map_instr(t);
   enum emul_step step = shf_thread_step(t);
   if (in->op == ATTILA_OP_ENDLOOP)
      shdx_watch_loop(x, t, now);
   shdx_scoreboard_write(t, in, written);
   ++*shdx_port_at(x, written);
   t->latest = last > t->latest ? last : t->latest;
   answer->alu_free = alu_free > answer->alu_free ? alu_free : answer->alu_free;
   if (in->jumps)
      answer->ready = last;
   if (__builtin_expect(in->op == ATTILA_OP_EMIT, 0))
      shdx_emit(x, t, answer, now);
   return step;
}

/* Executes the instructions of a fetch that may issue. *refused: the counter of the reason why the
 * next one may not, or NULL. */
static enum emul_step
shdx_decode(struct shdx *x, const struct msg_issue *m, struct msg_issue *answer, uint64_t **refused,
            sim_tick now)
{
   struct shf_thread *t = m->thread;
   struct shdx_taken taken = {0};
   enum emul_step step = EMUL_STEP_NEXT;
   *refused = NULL;
   for (unsigned i = 0; i < m->num_instrs && step == EMUL_STEP_NEXT; i++) {
      const struct emul_instr *in = shf_thread_instr(t);
      *refused = shdx_refusal(x, t, in, &x->stat[m->work_id], taken, now);
      if (*refused)
         return step;
      taken.temps_read += in->temp_reads;
      taken.simd = x->machine.simd_first;
      answer->num_instrs++;
      step = shdx_execute(x, t, in, answer, now);
      if (in->jumps)
         break;
   }
   if (step == EMUL_STEP_NEXT && shf_thread_instr(t)->op == ATTILA_OP_END)
      step = shf_thread_step(t);
   return step;
}

/* Counts an instruction at pc that did not issue and is fetched again. */
static void
shdx_count_refusal(const struct shdx_stats *stat, const struct shf_thread *t, uint64_t *refused)
{
   struct sim_cost *cost = t->costs ? &t->costs[t->pc] : NULL;
   ++*refused;
   if (cost && refused == &stat->stall_operands)
      cost->refused_operands++;
   else if (cost && refused == &stat->stall_ports)
      cost->refused_ports++;
   else if (cost && refused == &stat->stall_alu)
      cost->refused_alu++;
   else if (cost && refused == &stat->stall_texture)
      cost->refused_texture++;
   else if (cost && refused == &stat->stall_memory)
      cost->refused_memory++;
   else if (cost)
      cost->refused_constant++;
}

/* Returns when Shader Fetch must see a running thread's answer: at once if it says more than that
 * the thread may be fetched again, else when an instruction may be fetched. */
static sim_tick
shdx_answer_matters(const struct shdx *x, const struct msg_issue *fetched,
                    const struct msg_issue *answer, sim_tick now)
{
   if (answer->alu_free > fetched->alu_free || fetched->alu_free <= now + x->box.period ||
       x->machine.wait_on_stall || answer->thread->costs || x->shared)
      return now;
   return answer->ready > fetched->alu_free ? answer->ready : fetched->alu_free;
}

/* Issues the instructions that may issue. Returns false if none did and the first waits here. */
static bool
shdx_issue(struct shdx *x, const struct msg_issue *m, sim_tick now)
{
   struct shf_thread *t = m->thread;
   struct shdx_stats *stat = &x->stat[m->work_id];
   struct msg_issue answer = {.thread = t, .work_id = m->work_id, .state = SHF_READY};
   uint64_t *refused;
   const enum emul_step step = shdx_decode(x, m, &answer, &refused, now);
   /* Avoids reading the answer's members, which the host would load together. */
   const bool goes_on = step == EMUL_STEP_NEXT && !refused;
   if (refused && x->machine.wait_on_stall && !answer.num_instrs)
      return false;
   if (refused) {
      answer.replay = true;
      shdx_count_refusal(stat, t, refused);
   }
   stat->replays += answer.replay || answer.ready;
   if (step == EMUL_STEP_NEXT) {
      /* An instruction is fetched one cycle before it executes. */
      sim_tick operands = x->machine.scoreboard ? shf_operands_ready(t, shf_thread_instr(t)) : 0;
      if (operands > answer.ready + x->box.period)
         answer.ready = operands - x->box.period;
   } else if (step == EMUL_STEP_TEXTURE) {
      answer.state = SHF_BLOCKED;
      stat->blocks++;
      stat->texture += shdx_ask(x, t, step, m->work_id, now);
   } else if (step == EMUL_STEP_LOAD || step == EMUL_STEP_MEMORY) {
      answer.state = step == EMUL_STEP_LOAD ? SHF_CONSTANT : SHF_MEMORY;
      shdx_ask(x, t, step, m->work_id, now);
   } else if (step == EMUL_STEP_BARRIER) {
      answer.state = SHF_BARRIER;
   } else if (step == EMUL_STEP_END) {
      answer.state = SHF_ENDED;
      answer.ready = t->latest;
      stat->ends++;
   }
   /* Builds the message in place: copying one that was just stored member by member stalls the
    * host. */
   sim_send_calm(&x->box.gpu->net.shdx_shf[x->box.instance], now,
                 goes_on ? shdx_answer_matters(x, m, &answer, now) : now,
                 &(struct msg_issue){.thread = answer.thread,
                                     .alu_free = answer.alu_free,
                                     .ready = answer.ready,
                                     .work_id = answer.work_id,
                                     .state = answer.state,
                                     .num_instrs = answer.num_instrs,
                                     .replay = answer.replay});
   return true;
}

/* --- Half-cycle mode --- */

/* Executes a group up to a texture operation, a load or its end, and takes the time for it. */
static void
shdx_run(struct shdx *x, const struct msg_issue *m, sim_tick now)
{
   struct shf_thread *t = m->thread;
   sim_tick cycles = 0;
   enum emul_step step = EMUL_STEP_NEXT;
   while (step == EMUL_STEP_NEXT) {
      const struct emul_instr *in = shf_thread_instr(t);
      if (in->op != ATTILA_OP_END) {
         shdx_count_instr(x, &x->stat[m->work_id], t, in);
         if (x->maps)
            shdx_map_instr(t);
         cycles += in->op == ATTILA_OP_EMIT
                       ? shf_output_cycles(&x->machine, emul_program_isa(t->emul.program))
                       : x->machine.vector;
      }
      step = shf_thread_step(t);
      if (in->op == ATTILA_OP_ENDLOOP)
         shdx_watch_loop(x, t, now);
   }
   x->held = *m;
   x->run_step = step;
   /* The thread's way to decode and back takes two more cycles, in which nothing else is
    * fetched. */
   x->run_until = now + (cycles > 2 ? cycles - 2 : 0) * x->box.period;
}

/* Called when the time of a run is over; the thread may have to wait for another unit. */
static void
shdx_end_run(struct shdx *x, sim_tick now)
{
   struct msg_issue answer = {
       .thread = x->held.thread, .work_id = x->held.work_id, .state = SHF_ENDED};
   struct shdx_stats *stat = &x->stat[answer.work_id];
   answer.alu_free = now + x->box.period;
   if (x->run_step == EMUL_STEP_TEXTURE) {
      if (!shdx_has_room(x, answer.thread, x->run_step, now))
         return;
      stat->texture += shdx_ask(x, answer.thread, x->run_step, answer.work_id, now);
      answer.state = SHF_BLOCKED;
      stat->blocks++;
   } else if (x->run_step == EMUL_STEP_LOAD || x->run_step == EMUL_STEP_MEMORY) {
      if (!shdx_has_room(x, answer.thread, x->run_step, now))
         return;
      shdx_ask(x, answer.thread, x->run_step, answer.work_id, now);
      answer.state = x->run_step == EMUL_STEP_LOAD ? SHF_CONSTANT : SHF_MEMORY;
   } else if (x->run_step == EMUL_STEP_BARRIER) {
      answer.state = SHF_BARRIER;
      answer.ready = now;
   } else {
      answer.ready = now;
      stat->ends++;
   }
   sim_send(&x->box.gpu->net.shdx_shf[x->box.instance], now, &answer);
   x->held.thread = NULL;
}

static sim_tick
shdx_clock_half(struct shdx *x, sim_tick now)
{
   struct sim_signal *in = &x->box.gpu->net.shf_shdx[x->box.instance];
   struct msg_issue *m;
   if (!x->held.thread && (m = sim_peek(in, now))) {
      struct msg_issue issued = *m;
      sim_pop(in, now);
      sim_busy(&x->box, issued.work_id);
      shdx_run(x, &issued, now);
   }
   if (x->held.thread && now >= x->run_until)
      shdx_end_run(x, now);
   if (!x->held.thread)
      return SIM_NEVER;
   if (now < x->run_until) {
      sim_busy_until(&x->box, x->held.work_id, x->run_until);
      return x->run_until;
   }
   sim_blocked(&x->box, x->held.work_id);
   return now + x->box.period;
}

/* Counts the cycles up to now as waiting if an instruction waits here. */
static void
shdx_flush_counters(struct sim_box *b, sim_tick now)
{
   struct shdx *x = (struct shdx *)b;
   if (x->held.thread && !x->machine.half)
      x->stat[x->held.work_id].held += sim_waited(b, now);
}

static sim_tick
shdx_clock(struct sim_box *b, sim_tick now)
{
   struct shdx *x = (struct shdx *)b;
   struct sim_netlist *net = &b->gpu->net;
   struct sim_signal *in = &net->shf_shdx[b->instance];
   struct msg_issue *m;
   shdx_flush_counters(b, now);
   if (x->machine.half)
      return shdx_clock_half(x, now);
   if (x->held.thread && shdx_issue(x, &x->held, now)) {
      sim_busy(b, x->held.work_id);
      x->held.thread = NULL;
   }
   while (!x->held.thread && (m = sim_peek(in, now)) &&
          sim_can_send(&net->shdx_shf[b->instance], now)) {
      struct msg_issue issued = *m;
      sim_pop(in, now);
      if (shdx_issue(x, &issued, now))
         sim_busy(b, issued.work_id);
      else
         x->held = issued;
   }
   if (x->held.thread)
      sim_blocked(b, x->held.work_id);
   return x->held.thread ? now + b->period : SIM_NEVER;
}

static void
shdx_dump(const struct sim_box *b, FILE *out)
{
   const struct shdx *x = (const struct shdx *)b;
   if (x->held.thread)
      fprintf(out, "   an instruction of thread %u waits to issue\n", x->held.thread->index);
}

const struct sim_box_class shdx_class = {
    .size = sizeof(struct shdx),
    .domain = SIM_DOMAIN_SHADER,
    .init = shdx_init,
    .clock = shdx_clock,
    .flush_counters = shdx_flush_counters,
    .dump = shdx_dump,
    SIM_BOX_CLASS(shdx),
};
