/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * What the files of Shader Fetch share (see shf.c): its state, and the states of threads. No other
 * box includes it. */
#ifndef SHF_H
#define SHF_H

#include "box/shader/shf_issue.h"
#include "box/sim_gpu.h"

SIM_BOX_STATS(shf)

/* The side of Shader Fetch that belongs to one shader: its Decode/Execute, and what it loads and
 * stores. A window for all shaders (SharedWindow) has several. */
struct shf_port {
   sim_tick alu_free, load_free;
   sim_tick output_done;               /* when the outputs of `leaving` have left */
   sim_tick idle_from;                 /* cycles before are charged, or the ALUs are busy */
   int loading;                        /* thread whose inputs arrive, or -1 */
   int leaving;                        /* thread whose outputs leave, or -1 */
   unsigned outstanding;               /* with Decode/Execute */
   unsigned last;                      /* context fetched last */
   uint16_t alu_work_id, load_work_id; /* the work id until then */
   bool wait_decode;
   bool output_begun; /* its quads are not prefetched yet */
};

struct shf {
   struct sim_box box;
   struct shf_stats *stat; /* [work_id] */
   struct sim_shader_machine machine;
   const struct shf_policy *policy;
   struct shf_window window;
   struct shf_thread *threads; /* first parts */
   struct shf_thread *parts;   /* [thread][num_parts - 1]: the other parts of groups with several */
   unsigned num_parts, num_ports;
   unsigned next_port;   /* the first to fetch */
   unsigned num_loading; /* ports */
   uint8_t *state;       /* [thread] enum shf_state */
   uint16_t *work_id;    /* [thread] of its group; 0: none */
   sim_tick *since;      /* [thread] start of the counted state */
   sim_tick *ready;      /* [thread] WAITING: when it may be fetched */
   sim_tick *again;      /* [thread] it may not be fetched before */
   uint16_t *free;       /* stack */
   uint16_t *spare;      /* stack of contexts beyond num_threads */
   uint16_t *ended;      /* ring of ended threads whose outputs do not leave yet */
   uint16_t *buffered;   /* ring of threads that wait to execute */
   sim_tick *ended_at;
   unsigned num_threads, num_free;
   unsigned num_contexts, num_spare;  /* all contexts: more than num_threads once a workgroup was
                                       * larger than the shader */
   unsigned in_state[SHF_NUM_STATES]; /* number of threads */
   unsigned ended_head, num_ended, buffered_head, num_buffered;
   unsigned executing; /* in order[] or ended */
   unsigned registers_used;
   sim_tick fetch_again;          /* ticks from a fetch of a thread to its next */
   const struct sim_group *input; /* the next group; NULL: not looked at */
   unsigned input_registers;      /* registers it needs */
   struct shf_coming coming;      /* the group behind it */
   sim_tick next_waiting;         /* no WAITING thread is ready before */
   sim_tick choose_again;         /* the policy's timer */
   sim_tick empty_since;          /* SIM_NEVER: not empty */
   /* Where to charge the cycles until the next clock. */
   uint16_t idle_work_id, input_wait_work_id, output_wait_work_id;
   bool idle, idle_texture, idle_constant, idle_memory, idle_barrier, wait_threads, wait_registers,
       wait_output;
   bool grid;                             /* the last group that came is of a workgroup */
   struct shf_port port[SIM_MAX_SHADERS]; /* [num_ports] */
};

/* Moves inputs into threads, and outputs of ended ones to the fragment FIFO (shf_transfer.c).
 * Without a group that loads or comes, or one that has ended, there is nothing to do. */
void shf_take_outputs(struct shf *f, sim_tick now);
void shf_take_inputs(struct shf *f, sim_tick now);

/* Makes room for a workgroup of so many groups, which comes to an empty shader (shf.c). */
void shf_grow(struct shf *f, unsigned contexts);

/* --- States of threads --- */

/* Returns the statistic of a thread's state; NULL: none. */
static inline uint64_t *
shf_state_counter(const struct shf *f, unsigned i)
{
   struct shf_stats *stat = &f->stat[f->work_id[i]];
   switch (f->state[i]) {
   case SHF_FREE:
      return i < f->num_threads ? &stat->free_threads : NULL;
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
   case SHF_BARRIER:
      return &stat->barrier_threads;
   case SHF_ENDED:
      return &stat->finished_threads;
   default:
      return &stat->loaded_threads;
   }
}

/* Counts a thread's state up to now. */
static inline void
shf_count_state(const struct shf *f, unsigned i, sim_tick now)
{
   uint64_t *counter = shf_state_counter(f, i);
   if (__builtin_expect(counter != NULL, 1))
      *counter += (now - f->since[i]) / f->box.period;
   f->since[i] = now;
}

/* The cost that an instruction is charged for a thread's state. */
static const uint8_t shf_state_cost[] = {
    [SHF_READY] = offsetof(struct sim_cost, wait_fetch),
    [SHF_WAITING] = offsetof(struct sim_cost, wait_result),
    [SHF_ISSUED] = offsetof(struct sim_cost, wait_decode),
    [SHF_BLOCKED] = offsetof(struct sim_cost, wait_texture),
    [SHF_CONSTANT] = offsetof(struct sim_cost, wait_constant),
    [SHF_MEMORY] = offsetof(struct sim_cost, wait_memory),
    [SHF_BARRIER] = offsetof(struct sim_cost, wait_barrier),
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
   const unsigned member = shf_state_cost[f->state[i]];
   if (member)
      *(uint64_t *)((uint8_t *)&t->costs[t->at] + member) +=
          __builtin_expect(f->box.period == 1, 1) ? ticks : ticks / f->box.period;
   t->since = now;
}

static inline void
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

static inline void
shf_count_registers(const struct shf *f, struct shf_thread *t, sim_tick now)
{
   uint64_t cycles = (now - t->held_since) / f->box.period;
   f->stat[t->group->work_id].used_registers += cycles * t->registers;
   t->held_since = now;
}

#endif
