/* Copyright 2026 The Attila developers
 * SPDX-License-Identifier: MIT
 *
 * Numbers of programs and of the sets of surfaces that draws have bound (sim_observer.h). Two are
 * the same if 64-bit hashes of them are. Also the counters of what the instructions of programs
 * cost. */
#include <stdlib.h>
#include <string.h>
#include "core/sim_mix.h"
#include "hw/isa/attila_isa.h"
#include "measure/sim_observer.h"

static struct sim_number *
numbers_find(const struct sim_numbers *n, uint64_t hash)
{
   uint32_t i = (uint32_t)(hash ^ hash >> 32) & (n->size - 1);
   while (n->entry[i].hash && n->entry[i].hash != hash)
      i = (i + 1) & (n->size - 1);
   return &n->entry[i];
}

static bool
numbers_grow(struct sim_numbers *n)
{
   struct sim_numbers bigger = {.num = n->num, .size = n->size ? n->size * 2 : 256};
   if (n->num * 2 < n->size)
      return true;
   bigger.entry = calloc(bigger.size, sizeof(*bigger.entry));
   if (!bigger.entry)
      return false;
   for (uint32_t i = 0; i < n->size; i++) {
      if (n->entry[i].hash)
         *numbers_find(&bigger, n->entry[i].hash) = n->entry[i];
   }
   free(n->entry);
   *n = bigger;
   return true;
}

/* Returns the number of a hash; *is_new: the hash had no number before. Returns 0 if host memory is
 * exhausted. */
static uint32_t
numbers_get(struct sim_numbers *n, uint64_t hash, bool *is_new)
{
   *is_new = false;
   if (!numbers_grow(n))
      return 0;
   hash += !hash;
   struct sim_number *found = numbers_find(n, hash);
   if (!found->hash) {
      *found = (struct sim_number){hash, ++n->num};
      *is_new = true;
   }
   return found->number;
}

/* --- Costs --- */

static struct sim_cost *
numbers_costs(struct sim_observed *o, uint32_t program, uint32_t num_instrs)
{
   if (program >= o->num_costs) {
      const uint32_t num = program + 64;
      struct sim_program_costs *grown = realloc(o->costs, num * sizeof(*grown));
      if (!grown)
         return NULL;
      memset(grown + o->num_costs, 0, (num - o->num_costs) * sizeof(*grown));
      o->costs = grown;
      o->num_costs = num;
   }
   struct sim_program_costs *c = &o->costs[program];
   if (!c->cost) {
      c->cost = calloc((size_t)num_instrs * o->cost_copies, sizeof(*c->cost));
      c->num = c->cost ? num_instrs : 0;
   }
   return c->cost;
}

void
sim_observed_sum_costs(struct sim_observed *o)
{
   for (uint32_t p = 0; p < o->num_costs; p++) {
      const size_t num = o->costs[p].num * SIM_NUM_COSTS;
      uint64_t *sum = (uint64_t *)o->costs[p].cost, *more = sum;
      for (uint32_t copy = 1; copy < o->cost_copies; copy++) {
         more += num;
         for (size_t i = 0; i < num; i++)
            sum[i] += more[i];
      }
   }
}

void
sim_observed_clear_costs(struct sim_observed *o)
{
   for (uint32_t p = 0; p < o->num_costs; p++) {
      const struct sim_program_costs *c = &o->costs[p];
      if (c->cost)
         memset(c->cost, 0, (size_t)c->num * o->cost_copies * sizeof(*c->cost));
   }
}

/* --- Programs and bindings --- */

uint32_t
sim_observed_program(struct sim_observed *o, const struct sim_seen_program *program,
                     struct sim_cost **costs)
{
   bool is_new;
   *costs = NULL;
   if (!o->wants_state)
      return 0;
   const char *uniforms = program->note.uniforms ? program->note.uniforms : "";
   const uint64_t hash = sim_mix(sim_mix(program->hash, &program->stage, sizeof(program->stage)),
                                 uniforms, strlen(uniforms));
   const uint32_t number = numbers_get(&o->programs, hash, &is_new);
   if (is_new)
      SIM_EVENT(o, program, number, program);
   if (number && o->cost_copies)
      *costs = numbers_costs(o, number, program->isa->num_instrs);
   return number;
}

uint32_t
sim_observed_bindings(struct sim_observed *o, const struct sim_seen_surface *surfaces, unsigned num)
{
   bool is_new;
   uint64_t hash = 0;
   if (!num)
      return 0;
   for (unsigned i = 0; i < num; i++)
      hash = sim_mix(hash, &surfaces[i].state, sizeof(surfaces[i].state));
   const uint32_t number = numbers_get(&o->bindings, hash, &is_new);
   if (is_new)
      SIM_EVENT(o, bindings, number, surfaces, num);
   return number;
}
