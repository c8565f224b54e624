/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Chooses between orders of instructions and register allocations: compiles each candidate to the
 * end and takes the one with the highest predicted throughput in thread groups per cycle
 * (attila_isa_cycles), with as many groups in flight as registers allow. Not here: scheduling
 * (attila_sched.c), register allocation (attila_ra.c). */
#include <string.h>
#include "attila_ir.h"
#include "util/macros.h"
#include "util/ralloc.h"

/* Added to the latency of a texture operation for texels that miss the cache. So programs with
 * textures prefer fewer registers, which leave room for more groups. */
#define MISS_CYCLES 60

struct candidate {
   /* Limit of live components, in percent of those in the given order; 0: no limit; KEEP: keep the
    * given order. */
   unsigned percent;
   /* 0: use the fewest registers; else use up to this multiple of the number that an input may hold
    * without fewer thread groups. More registers mean fewer waits. */
   unsigned spread;
   bool hold; /* as in air_order; only if two scalar instructions issue together */
};

#define KEEP UINT16_MAX

/* Larger programs get fewer candidates, since each takes disproportionately long. */
#define LARGE 1000

/* The prediction, without memory and caches, is off by at most 1 % (scripts/shader-table); smaller
 * gains do not count. */
#define UNSURE_PERCENT 1

/* In order from few registers to short waits. Of equal candidates the first one wins. */
static const struct candidate candidates[] = {
    {KEEP}, {50}, {75}, {100}, {100, 1}, {0, 1}, {0, 2}, {0, 1, true}, {0, 2, true},
};

static struct attila_isa_program
attila_candidate_select_as_program(const struct air *ir)
{
   char error[8];
   struct attila_isa_program p = {.stage = ir->stage,
                                  .instrs = ir->instrs,
                                  .num_instrs = ir->num_instrs,
                                  .num_temps = ir->num_temps,
                                  .num_consts = ir->num_consts};
   attila_isa_finalize(&p, error, sizeof(error));
   return p;
}

/* Returns how many registers an input may hold at most so that as many groups fit as with `held`
 * registers. */
static unsigned
attila_candidate_select_free_registers(const struct air *ir, unsigned held)
{
   const struct attila_shader_machine *m = ir->machine;
   struct attila_isa_program p = {.num_temps = held};
   unsigned threads = attila_isa_threads(&p, m);
   while (p.num_temps < 64 && p.num_temps * m->lanes < m->registers) {
      p.num_temps++;
      if (attila_isa_threads(&p, m) < threads)
         return p.num_temps - 1;
   }
   return p.num_temps;
}

/* Returns the cycles between two fetches of a group whose inputs hold so many registers. */
static unsigned
attila_candidate_select_fetch_interval(const struct air *ir, unsigned held)
{
   const struct attila_shader_machine *m = ir->machine;
   struct attila_isa_program p = {.num_temps = held};
   unsigned turn = attila_isa_threads(&p, m) * m->fetch_gap / MAX2(m->fetch_groups, 1);
   return MAX3(turn, m->fetch_delay, 2);
}

/* A program's cost; less is better. */
struct cost {
   uint32_t cycles, registers, instrs;
};

static struct cost
attila_candidate_select_cost_of(const struct air *ir)
{
   struct attila_isa_program p = attila_candidate_select_as_program(ir);
   struct attila_shader_machine machine = *ir->machine;
   machine.texture_latency += MISS_CYCLES;
   return (struct cost){.cycles = attila_isa_cycles(&p, &machine),
                        .registers = ir->num_temps,
                        .instrs = ir->num_instrs};
}

/* Returns the ALU cycles of a group, in hundredths, if no instruction waits; 0: unknown. */
static uint32_t
attila_candidate_select_least_cycles(const struct air *ir)
{
   const struct attila_shader_machine *m = ir->machine;
   uint32_t sum = 0;
   if (m->ways > 1)
      return 0;
   for (unsigned i = 0; i < ir->num_instrs; i++) {
      if (ir->instrs[i].op == ATTILA_OP_LOOP)
         return 0;
      if (ir->instrs[i].op != ATTILA_OP_END)
         sum += MAX2(m->fetch_gap, m->vector * m->repeat[ir->instrs[i].op]);
   }
   return sum * 100 / MAX2(m->fetch_groups, 1);
}

static bool
attila_candidate_select_is_better(const struct air *ir, const struct cost *a, const struct cost *b)
{
   if (ir->ignore_machine && a->registers != b->registers)
      return a->registers < b->registers;
   if (a->cycles != b->cycles)
      return a->cycles < b->cycles;
   if (a->registers != b->registers)
      return a->registers < b->registers;
   return a->instrs < b->instrs;
}

/* Compiles a candidate from the order before allocation. tight: registers of the first
 * candidate. */
static void
attila_candidate_select_make(struct air *ir, const struct candidate *c, unsigned tight)
{
   ir->instrs = ralloc_memdup(ir->mem, ir->instrs, ir->num_instrs * sizeof(*ir->instrs));
   ir->max_instrs = ir->num_instrs;
   if (c->percent != KEEP)
      air_schedule(ir, &(struct air_order){
                           c->percent, attila_candidate_select_fetch_interval(ir, tight), c->hold});
   ir->spread = c->spread ? c->spread * attila_candidate_select_free_registers(ir, tight) : 0;
   if (!ir->error && air_validate(ir, "scheduling"))
      air_allocate(ir);
}

/* Schedules again: with real registers all dependences are known, so the order may improve. */
static void
attila_candidate_select_order_again(struct air *ir, const struct candidate *c)
{
   ir->instrs = ralloc_memdup(ir->mem, ir->instrs, ir->num_instrs * sizeof(*ir->instrs));
   air_schedule_allocated(
       ir,
       &(struct air_order){0, attila_candidate_select_fetch_interval(ir, ir->num_temps), c->hold});
}

struct made {
   struct air ir;
   struct cost cost;
};

static struct made *
attila_candidate_select_best_of(struct made *made, unsigned num)
{
   struct made *best = made;
   for (unsigned i = 1; i < num; i++) {
      if (attila_candidate_select_is_better(&made[i].ir, &made[i].cost, &best->cost))
         best = &made[i];
   }
   return best;
}

/* Returns the first candidate that the prediction cannot tell from the best one. */
static const struct made *
attila_candidate_select_first_as_good(struct made *made, unsigned num)
{
   const struct cost *best = &attila_candidate_select_best_of(made, num)->cost;
   /* The prediction of deeply nested loops is UINT32_MAX. */
   const uint64_t cycles = best->cycles + (uint64_t)best->cycles * UNSURE_PERCENT / 100;
   unsigned i = 0;
   while (made[i].cost.cycles > cycles || made[i].cost.registers > best->registers)
      i++;
   return &made[i];
}

/* Adds a compiled candidate unless it failed. Returns false if a validator found a compiler's
 * error, which ends the compilation. */
static bool
attila_candidate_select_add(struct air *ir, struct made *made, unsigned *num,
                            const struct air *other)
{
   if (other->broken)
      *ir = *other;
   else if (!other->error)
      made[(*num)++] = (struct made){*other, attila_candidate_select_cost_of(other)};
   return !other->broken;
}

void
air_choose(struct air *ir)
{
   const struct air unallocated = *ir;
   const bool small = !ir->ignore_machine && ir->num_instrs < LARGE;
   const uint32_t least = attila_candidate_select_least_cycles(ir);
   struct made made[2 * ARRAY_SIZE(candidates)];
   unsigned num = 0, tight = 1;
   for (unsigned i = 0; i < ARRAY_SIZE(candidates); i++) {
      const struct candidate *c = &candidates[i];
      struct air other = unallocated;
      const bool enough =
          !small || (num && attila_candidate_select_best_of(made, num)->cost.cycles <= least);
      if ((c->spread && enough) || (c->hold && !ir->machine->two_scalars))
         continue;
      attila_candidate_select_make(&other, c, tight);
      if (!attila_candidate_select_add(ir, made, &num, &other))
         return;
      /* If one order needs too many registers, another one may need fewer. */
      if (other.error && i == 0)
         *ir = other;
      if (other.error)
         continue;
      if (i == 0)
         tight = MAX2(other.num_temps, 1);
      if (!small || attila_candidate_select_best_of(made, num)->cost.cycles <= least)
         continue;
      attila_candidate_select_order_again(&other, c);
      if (!attila_candidate_select_add(ir, made, &num, &other))
         return;
   }
   if (num)
      *ir = attila_candidate_select_first_as_good(made, num)->ir;
}
